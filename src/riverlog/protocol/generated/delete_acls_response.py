"""DeleteAclsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

# fmt: off
# ruff: noqa: A001, ARG001, N816
# Layout is fixed by the generator, so that it does not depend on the version of a formatter.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from struct import Struct
from typing import Final

from riverlog.protocol.errors import DecodeError, EncodeError
from riverlog.protocol.primitives import (
    MALFORMED,
    MAX_ELEMENTS,
    missing,
    skip_tags,
    string_prefix,
    string_tail,
    too_many,
    UNFIT,
    UNSET,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
)

NAME: Final = "DeleteAclsResponse"
API_KEY: Final = 31
VERSIONS: Final[tuple[int, int]] = (1, 3)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_bB = Struct(">bB").unpack_from
_unpack_bb = Struct(">bb").unpack_from
_unpack_bbB = Struct(">bbB").unpack_from
_unpack_bh = Struct(">bh").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_hh = Struct(">hh").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_pack_b = Struct(">b").pack
_pack_bb = Struct(">bb").pack
_pack_bbx = Struct(">bbx").pack
_pack_bh = Struct(">bh").pack
_pack_h = Struct(">h").pack
_pack_hh = Struct(">hh").pack
_pack_i = Struct(">i").pack
_pack_ii = Struct(">ii").pack


@dataclass(init=False, repr=False, eq=False)
class DeleteAclsMatchingAcl(Wire):
    """DeleteAclsMatchingAcl."""

    __slots__ = ("error_code", "error_message", "resource_type", "resource_name", "pattern_type", "principal", "host", "operation", "permission_type")

    error_code: int
    error_message: str | None
    resource_type: int
    resource_name: str
    pattern_type: int
    principal: str
    host: str
    operation: int
    permission_type: int

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        resource_type: int = 0,
        resource_name: str = "",
        pattern_type: int = 3,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.pattern_type = pattern_type
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type


@dataclass(init=False, repr=False, eq=False)
class DeleteAclsFilterResult(Wire):
    """DeleteAclsFilterResult."""

    __slots__ = ("error_code", "error_message", "matching_acls")

    error_code: int
    error_message: str | None
    matching_acls: list[DeleteAclsMatchingAcl]

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        matching_acls: list[DeleteAclsMatchingAcl] = UNSET,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.matching_acls = [] if matching_acls is UNSET else matching_acls


@dataclass(init=False, repr=False, eq=False)
class DeleteAclsResponse(Wire):
    """DeleteAclsResponse."""

    __slots__ = ("throttle_time_ms", "filter_results")

    throttle_time_ms: int
    filter_results: list[DeleteAclsFilterResult]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        filter_results: list[DeleteAclsFilterResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.filter_results = [] if filter_results is UNSET else filter_results


def _decode_0(buffer: memoryview, p: int) -> tuple[DeleteAclsResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, filter_results_count = _unpack_ii(buffer, p)
    p += 8
    if filter_results_count < 0:
        raise missing("DeleteAclsResponse.filter_results")
    if filter_results_count > room or filter_results_count * 8 > end - p:
        raise too_many("DeleteAclsResponse.filter_results", filter_results_count)
    room -= filter_results_count
    filter_results: list[DeleteAclsFilterResult] = []
    for _ in range(filter_results_count):
        error_code, error_message_size = _unpack_hh(buffer, p)
        p += 4
        error_message: str | None = None
        if error_message_size >= 0:
            stop = p + error_message_size
            error_message = buffer[p:stop].tobytes().decode()
            p = stop
        elif error_message_size != -1:
            raise missing("DeleteAclsResponse.filter_results.error_message")
        (matching_acls_count,) = _unpack_i(buffer, p)
        p += 4
        if matching_acls_count < 0:
            raise missing("DeleteAclsResponse.filter_results.matching_acls")
        if matching_acls_count > room or matching_acls_count * 14 > end - p:
            raise too_many("DeleteAclsResponse.filter_results.matching_acls", matching_acls_count)
        room -= matching_acls_count
        matching_acls: list[DeleteAclsMatchingAcl] = []
        for _ in range(matching_acls_count):
            error_code_2, error_message_size_2 = _unpack_hh(buffer, p)
            p += 4
            error_message_2: str | None = None
            if error_message_size_2 >= 0:
                stop = p + error_message_size_2
                error_message_2 = buffer[p:stop].tobytes().decode()
                p = stop
            elif error_message_size_2 != -1:
                raise missing("DeleteAclsResponse.filter_results.matching_acls.error_message")
            resource_type, resource_name_size = _unpack_bh(buffer, p)
            p += 3
            if resource_name_size < 0:
                raise missing("DeleteAclsResponse.filter_results.matching_acls.resource_name")
            stop = p + resource_name_size
            resource_name = buffer[p:stop].tobytes().decode()
            p = stop
            pattern_type, principal_size = _unpack_bh(buffer, p)
            p += 3
            if principal_size < 0:
                raise missing("DeleteAclsResponse.filter_results.matching_acls.principal")
            stop = p + principal_size
            principal = buffer[p:stop].tobytes().decode()
            p = stop
            (host_size,) = _unpack_h(buffer, p)
            p += 2
            if host_size < 0:
                raise missing("DeleteAclsResponse.filter_results.matching_acls.host")
            stop = p + host_size
            host = buffer[p:stop].tobytes().decode()
            p = stop
            operation, permission_type = _unpack_bb(buffer, p)
            p += 2
            matching_acls.append(DeleteAclsMatchingAcl(error_code_2, error_message_2, resource_type, resource_name, pattern_type, principal, host, operation, permission_type))
        filter_results.append(DeleteAclsFilterResult(error_code, error_message, matching_acls))
    return DeleteAclsResponse(throttle_time_ms, filter_results), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DeleteAclsResponse, int]:
    """Versions 2, 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, filter_results_count = _unpack_iB(buffer, p)
    p += 5
    if filter_results_count > 127:
        filter_results_count, p = uvarint_tail(buffer, p, filter_results_count)
    if filter_results_count == 0:
        raise missing("DeleteAclsResponse.filter_results")
    filter_results_count -= 1
    if filter_results_count > room or filter_results_count * 5 > end - p:
        raise too_many("DeleteAclsResponse.filter_results", filter_results_count)
    room -= filter_results_count
    filter_results: list[DeleteAclsFilterResult] = []
    for _ in range(filter_results_count):
        error_code, error_message_size = _unpack_hB(buffer, p)
        p += 3
        if error_message_size > 127:
            error_message_size, p = string_tail(buffer, p, error_message_size)
        error_message: str | None = None
        if error_message_size:
            stop = p + error_message_size - 1
            error_message = buffer[p:stop].tobytes().decode()
            p = stop
        matching_acls_count = buffer[p]
        p += 1
        if matching_acls_count > 127:
            matching_acls_count, p = uvarint_tail(buffer, p, matching_acls_count)
        if matching_acls_count == 0:
            raise missing("DeleteAclsResponse.filter_results.matching_acls")
        matching_acls_count -= 1
        if matching_acls_count > room or matching_acls_count * 11 > end - p:
            raise too_many("DeleteAclsResponse.filter_results.matching_acls", matching_acls_count)
        room -= matching_acls_count
        matching_acls: list[DeleteAclsMatchingAcl] = []
        for _ in range(matching_acls_count):
            error_code_2, error_message_size_2 = _unpack_hB(buffer, p)
            p += 3
            if error_message_size_2 > 127:
                error_message_size_2, p = string_tail(buffer, p, error_message_size_2)
            error_message_2: str | None = None
            if error_message_size_2:
                stop = p + error_message_size_2 - 1
                error_message_2 = buffer[p:stop].tobytes().decode()
                p = stop
            resource_type, resource_name_size = _unpack_bB(buffer, p)
            p += 2
            if resource_name_size > 127:
                resource_name_size, p = string_tail(buffer, p, resource_name_size)
            if resource_name_size == 0:
                raise missing("DeleteAclsResponse.filter_results.matching_acls.resource_name")
            stop = p + resource_name_size - 1
            resource_name = buffer[p:stop].tobytes().decode()
            p = stop
            pattern_type, principal_size = _unpack_bB(buffer, p)
            p += 2
            if principal_size > 127:
                principal_size, p = string_tail(buffer, p, principal_size)
            if principal_size == 0:
                raise missing("DeleteAclsResponse.filter_results.matching_acls.principal")
            stop = p + principal_size - 1
            principal = buffer[p:stop].tobytes().decode()
            p = stop
            host_size = buffer[p]
            p += 1
            if host_size > 127:
                host_size, p = string_tail(buffer, p, host_size)
            if host_size == 0:
                raise missing("DeleteAclsResponse.filter_results.matching_acls.host")
            stop = p + host_size - 1
            host = buffer[p:stop].tobytes().decode()
            p = stop
            operation, permission_type, tags = _unpack_bbB(buffer, p)
            p += 3
            if tags:
                p = skip_tags(buffer, p, tags)
            matching_acls.append(DeleteAclsMatchingAcl(error_code_2, error_message_2, resource_type, resource_name, pattern_type, principal, host, operation, permission_type))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        filter_results.append(DeleteAclsFilterResult(error_code, error_message, matching_acls))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return DeleteAclsResponse(throttle_time_ms, filter_results), p


def _encode_0(message: DeleteAclsResponse) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    filter_results = message.filter_results
    out.append(_pack_ii(message.throttle_time_ms, len(filter_results)))
    for element in filter_results:
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = -1, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message)
        matching_acls = element.matching_acls
        out += (_pack_hh(element.error_code, error_message_size), error_message, _pack_i(len(matching_acls)))
        for element_2 in matching_acls:
            error_message_value_2 = element_2.error_message
            if error_message_value_2 is None:
                error_message_size_2, error_message_2 = -1, b""
            else:
                error_message_2 = error_message_value_2.encode()
                error_message_size_2 = len(error_message_2)
            resource_name = element_2.resource_name.encode()
            resource_name_size = len(resource_name)
            principal = element_2.principal.encode()
            principal_size = len(principal)
            host = element_2.host.encode()
            host_size = len(host)
            out += (
                _pack_hh(element_2.error_code, error_message_size_2),
                error_message_2,
                _pack_bh(element_2.resource_type, resource_name_size),
                resource_name,
                _pack_bh(element_2.pattern_type, principal_size),
                principal,
                _pack_h(host_size),
                host,
                _pack_bb(element_2.operation, element_2.permission_type),
            )
    return b"".join(out)


def _encode_1(message: DeleteAclsResponse) -> bytes:
    """Versions 2, 3."""
    out: list[bytes] = []
    filter_results = message.filter_results
    filter_results_count = len(filter_results) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[filter_results_count] if filter_results_count < 256 else uvarint(filter_results_count),
    )
    for element in filter_results:
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = 0, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message) + 1
        matching_acls = element.matching_acls
        matching_acls_count = len(matching_acls) + 1
        out += (
            _pack_h(element.error_code),
            UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
            error_message,
            UVARINTS[matching_acls_count] if matching_acls_count < 256 else uvarint(matching_acls_count),
        )
        for element_2 in matching_acls:
            error_message_value_2 = element_2.error_message
            if error_message_value_2 is None:
                error_message_size_2, error_message_2 = 0, b""
            else:
                error_message_2 = error_message_value_2.encode()
                error_message_size_2 = len(error_message_2) + 1
            resource_name = element_2.resource_name.encode()
            resource_name_size = len(resource_name) + 1
            principal = element_2.principal.encode()
            principal_size = len(principal) + 1
            host = element_2.host.encode()
            host_size = len(host) + 1
            out += (
                _pack_h(element_2.error_code),
                UVARINTS[error_message_size_2] if error_message_size_2 < 256 else string_prefix(error_message_size_2),
                error_message_2,
                _pack_b(element_2.resource_type),
                UVARINTS[resource_name_size] if resource_name_size < 256 else string_prefix(resource_name_size),
                resource_name,
                _pack_b(element_2.pattern_type),
                UVARINTS[principal_size] if principal_size < 256 else string_prefix(principal_size),
                principal,
                UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
                host,
                _pack_bbx(element_2.operation, element_2.permission_type),
            )
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DeleteAclsResponse, int]]]] = {
    1: _decode_0,
    2: _decode_1,
    3: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[DeleteAclsResponse], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
    3: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DeleteAclsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DeleteAclsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DeleteAclsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DeleteAclsResponse v{version} is cut short")
    return result


def encode(message: DeleteAclsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DeleteAclsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DeleteAclsResponse v{version}: {error}") from error
