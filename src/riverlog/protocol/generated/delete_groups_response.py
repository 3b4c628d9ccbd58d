"""DeleteGroupsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DeleteGroupsResponse"
API_KEY: Final = 42
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_pack_h = Struct(">h").pack
_pack_hx = Struct(">hx").pack
_pack_i = Struct(">i").pack
_pack_ii = Struct(">ii").pack


@dataclass(init=False, repr=False, eq=False)
class DeletableGroupResult(Wire):
    """DeletableGroupResult."""

    __slots__ = ("group_id", "error_code")

    group_id: str
    error_code: int

    def __init__(
        self,
        group_id: str = "",
        error_code: int = 0,
    ) -> None:
        self.group_id = group_id
        self.error_code = error_code


@dataclass(init=False, repr=False, eq=False)
class DeleteGroupsResponse(Wire):
    """DeleteGroupsResponse."""

    __slots__ = ("throttle_time_ms", "results")

    throttle_time_ms: int
    results: list[DeletableGroupResult]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: list[DeletableGroupResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is UNSET else results


def _decode_0(buffer: memoryview, p: int) -> tuple[DeleteGroupsResponse, int]:
    """Versions 0, 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, results_count = _unpack_ii(buffer, p)
    p += 8
    if results_count < 0:
        raise missing("DeleteGroupsResponse.results")
    if results_count > room or results_count * 4 > end - p:
        raise too_many("DeleteGroupsResponse.results", results_count)
    room -= results_count
    results: list[DeletableGroupResult] = []
    for _ in range(results_count):
        (group_id_size,) = _unpack_h(buffer, p)
        p += 2
        if group_id_size < 0:
            raise missing("DeleteGroupsResponse.results.group_id")
        stop = p + group_id_size
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        (error_code,) = _unpack_h(buffer, p)
        p += 2
        results.append(DeletableGroupResult(group_id, error_code))
    return DeleteGroupsResponse(throttle_time_ms, results), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DeleteGroupsResponse, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, results_count = _unpack_iB(buffer, p)
    p += 5
    if results_count > 127:
        results_count, p = uvarint_tail(buffer, p, results_count)
    if results_count == 0:
        raise missing("DeleteGroupsResponse.results")
    results_count -= 1
    if results_count > room or results_count * 4 > end - p:
        raise too_many("DeleteGroupsResponse.results", results_count)
    room -= results_count
    results: list[DeletableGroupResult] = []
    for _ in range(results_count):
        group_id_size = buffer[p]
        p += 1
        if group_id_size > 127:
            group_id_size, p = string_tail(buffer, p, group_id_size)
        if group_id_size == 0:
            raise missing("DeleteGroupsResponse.results.group_id")
        stop = p + group_id_size - 1
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        error_code, tags = _unpack_hB(buffer, p)
        p += 3
        if tags:
            p = skip_tags(buffer, p, tags)
        results.append(DeletableGroupResult(group_id, error_code))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return DeleteGroupsResponse(throttle_time_ms, results), p


def _encode_0(message: DeleteGroupsResponse) -> bytes:
    """Versions 0, 1."""
    out: list[bytes] = []
    results = message.results
    out.append(_pack_ii(message.throttle_time_ms, len(results)))
    for element in results:
        group_id = element.group_id.encode()
        group_id_size = len(group_id)
        out += (_pack_h(group_id_size), group_id, _pack_h(element.error_code))
    return b"".join(out)


def _encode_1(message: DeleteGroupsResponse) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    results = message.results
    results_count = len(results) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[results_count] if results_count < 256 else uvarint(results_count),
    )
    for element in results:
        group_id = element.group_id.encode()
        group_id_size = len(group_id) + 1
        out += (
            UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
            group_id,
            _pack_hx(element.error_code),
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DeleteGroupsResponse, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[DeleteGroupsResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DeleteGroupsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DeleteGroupsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DeleteGroupsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DeleteGroupsResponse v{version} is cut short")
    return result


def encode(message: DeleteGroupsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DeleteGroupsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DeleteGroupsResponse v{version}: {error}") from error
