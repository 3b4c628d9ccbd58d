"""DescribeDelegationTokenResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    not_in_version,
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

NAME: Final = "DescribeDelegationTokenResponse"
API_KEY: Final = 41
VERSIONS: Final[tuple[int, int]] = (1, 3)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_hi = Struct(">hi").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_qqqB = Struct(">qqqB").unpack_from
_unpack_qqqh = Struct(">qqqh").unpack_from
_pack_h = Struct(">h").pack
_pack_hi = Struct(">hi").pack
_pack_i = Struct(">i").pack
_pack_ix = Struct(">ix").pack
_pack_qqq = Struct(">qqq").pack
_pack_qqqh = Struct(">qqqh").pack


@dataclass(init=False, repr=False, eq=False)
class DescribedDelegationTokenRenewer(Wire):
    """DescribedDelegationTokenRenewer."""

    __slots__ = ("principal_type", "principal_name")

    principal_type: str
    principal_name: str

    def __init__(
        self,
        principal_type: str = "",
        principal_name: str = "",
    ) -> None:
        self.principal_type = principal_type
        self.principal_name = principal_name


@dataclass(init=False, repr=False, eq=False)
class DescribedDelegationToken(Wire):
    """DescribedDelegationToken."""

    __slots__ = ("principal_type", "principal_name", "token_requester_principal_type", "token_requester_principal_name", "issue_timestamp", "expiry_timestamp", "max_timestamp", "token_id", "hmac", "renewers")

    principal_type: str
    principal_name: str
    token_requester_principal_type: str
    token_requester_principal_name: str
    issue_timestamp: int
    expiry_timestamp: int
    max_timestamp: int
    token_id: str
    hmac: bytes
    renewers: list[DescribedDelegationTokenRenewer]

    def __init__(
        self,
        principal_type: str = "",
        principal_name: str = "",
        token_requester_principal_type: str = "",
        token_requester_principal_name: str = "",
        issue_timestamp: int = 0,
        expiry_timestamp: int = 0,
        max_timestamp: int = 0,
        token_id: str = "",
        hmac: bytes = b"",
        renewers: list[DescribedDelegationTokenRenewer] = UNSET,
    ) -> None:
        self.principal_type = principal_type
        self.principal_name = principal_name
        self.token_requester_principal_type = token_requester_principal_type
        self.token_requester_principal_name = token_requester_principal_name
        self.issue_timestamp = issue_timestamp
        self.expiry_timestamp = expiry_timestamp
        self.max_timestamp = max_timestamp
        self.token_id = token_id
        self.hmac = hmac
        self.renewers = [] if renewers is UNSET else renewers


@dataclass(init=False, repr=False, eq=False)
class DescribeDelegationTokenResponse(Wire):
    """DescribeDelegationTokenResponse."""

    __slots__ = ("error_code", "tokens", "throttle_time_ms")

    error_code: int
    tokens: list[DescribedDelegationToken]
    throttle_time_ms: int

    def __init__(
        self,
        error_code: int = 0,
        tokens: list[DescribedDelegationToken] = UNSET,
        throttle_time_ms: int = 0,
    ) -> None:
        self.error_code = error_code
        self.tokens = [] if tokens is UNSET else tokens
        self.throttle_time_ms = throttle_time_ms


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeDelegationTokenResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    error_code, tokens_count = _unpack_hi(buffer, p)
    p += 6
    if tokens_count < 0:
        raise missing("DescribeDelegationTokenResponse.tokens")
    if tokens_count > room or tokens_count * 38 > end - p:
        raise too_many("DescribeDelegationTokenResponse.tokens", tokens_count)
    room -= tokens_count
    tokens: list[DescribedDelegationToken] = []
    for _ in range(tokens_count):
        (principal_type_size,) = _unpack_h(buffer, p)
        p += 2
        if principal_type_size < 0:
            raise missing("DescribeDelegationTokenResponse.tokens.principal_type")
        stop = p + principal_type_size
        principal_type = buffer[p:stop].tobytes().decode()
        p = stop
        (principal_name_size,) = _unpack_h(buffer, p)
        p += 2
        if principal_name_size < 0:
            raise missing("DescribeDelegationTokenResponse.tokens.principal_name")
        stop = p + principal_name_size
        principal_name = buffer[p:stop].tobytes().decode()
        p = stop
        issue_timestamp, expiry_timestamp, max_timestamp, token_id_size = _unpack_qqqh(buffer, p)
        p += 26
        if token_id_size < 0:
            raise missing("DescribeDelegationTokenResponse.tokens.token_id")
        stop = p + token_id_size
        token_id = buffer[p:stop].tobytes().decode()
        p = stop
        (hmac_size,) = _unpack_i(buffer, p)
        p += 4
        if hmac_size < 0:
            raise missing("DescribeDelegationTokenResponse.tokens.hmac")
        stop = p + hmac_size
        hmac = buffer[p:stop].tobytes()
        p = stop
        (renewers_count,) = _unpack_i(buffer, p)
        p += 4
        if renewers_count < 0:
            raise missing("DescribeDelegationTokenResponse.tokens.renewers")
        if renewers_count > room or renewers_count * 4 > end - p:
            raise too_many("DescribeDelegationTokenResponse.tokens.renewers", renewers_count)
        room -= renewers_count
        renewers: list[DescribedDelegationTokenRenewer] = []
        for _ in range(renewers_count):
            (principal_type_size_2,) = _unpack_h(buffer, p)
            p += 2
            if principal_type_size_2 < 0:
                raise missing("DescribeDelegationTokenResponse.tokens.renewers.principal_type")
            stop = p + principal_type_size_2
            principal_type_2 = buffer[p:stop].tobytes().decode()
            p = stop
            (principal_name_size_2,) = _unpack_h(buffer, p)
            p += 2
            if principal_name_size_2 < 0:
                raise missing("DescribeDelegationTokenResponse.tokens.renewers.principal_name")
            stop = p + principal_name_size_2
            principal_name_2 = buffer[p:stop].tobytes().decode()
            p = stop
            renewers.append(DescribedDelegationTokenRenewer(principal_type_2, principal_name_2))
        tokens.append(DescribedDelegationToken(principal_type, principal_name, "", "", issue_timestamp, expiry_timestamp, max_timestamp, token_id, hmac, renewers))
    (throttle_time_ms,) = _unpack_i(buffer, p)
    p += 4
    return DescribeDelegationTokenResponse(error_code, tokens, throttle_time_ms), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DescribeDelegationTokenResponse, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    error_code, tokens_count = _unpack_hB(buffer, p)
    p += 3
    if tokens_count > 127:
        tokens_count, p = uvarint_tail(buffer, p, tokens_count)
    if tokens_count == 0:
        raise missing("DescribeDelegationTokenResponse.tokens")
    tokens_count -= 1
    if tokens_count > room or tokens_count * 30 > end - p:
        raise too_many("DescribeDelegationTokenResponse.tokens", tokens_count)
    room -= tokens_count
    tokens: list[DescribedDelegationToken] = []
    for _ in range(tokens_count):
        principal_type_size = buffer[p]
        p += 1
        if principal_type_size > 127:
            principal_type_size, p = string_tail(buffer, p, principal_type_size)
        if principal_type_size == 0:
            raise missing("DescribeDelegationTokenResponse.tokens.principal_type")
        stop = p + principal_type_size - 1
        principal_type = buffer[p:stop].tobytes().decode()
        p = stop
        principal_name_size = buffer[p]
        p += 1
        if principal_name_size > 127:
            principal_name_size, p = string_tail(buffer, p, principal_name_size)
        if principal_name_size == 0:
            raise missing("DescribeDelegationTokenResponse.tokens.principal_name")
        stop = p + principal_name_size - 1
        principal_name = buffer[p:stop].tobytes().decode()
        p = stop
        issue_timestamp, expiry_timestamp, max_timestamp, token_id_size = _unpack_qqqB(buffer, p)
        p += 25
        if token_id_size > 127:
            token_id_size, p = string_tail(buffer, p, token_id_size)
        if token_id_size == 0:
            raise missing("DescribeDelegationTokenResponse.tokens.token_id")
        stop = p + token_id_size - 1
        token_id = buffer[p:stop].tobytes().decode()
        p = stop
        hmac_size = buffer[p]
        p += 1
        if hmac_size > 127:
            hmac_size, p = uvarint_tail(buffer, p, hmac_size)
        if hmac_size == 0:
            raise missing("DescribeDelegationTokenResponse.tokens.hmac")
        stop = p + hmac_size - 1
        hmac = buffer[p:stop].tobytes()
        p = stop
        renewers_count = buffer[p]
        p += 1
        if renewers_count > 127:
            renewers_count, p = uvarint_tail(buffer, p, renewers_count)
        if renewers_count == 0:
            raise missing("DescribeDelegationTokenResponse.tokens.renewers")
        renewers_count -= 1
        if renewers_count > room or renewers_count * 3 > end - p:
            raise too_many("DescribeDelegationTokenResponse.tokens.renewers", renewers_count)
        room -= renewers_count
        renewers: list[DescribedDelegationTokenRenewer] = []
        for _ in range(renewers_count):
            principal_type_size_2 = buffer[p]
            p += 1
            if principal_type_size_2 > 127:
                principal_type_size_2, p = string_tail(buffer, p, principal_type_size_2)
            if principal_type_size_2 == 0:
                raise missing("DescribeDelegationTokenResponse.tokens.renewers.principal_type")
            stop = p + principal_type_size_2 - 1
            principal_type_2 = buffer[p:stop].tobytes().decode()
            p = stop
            principal_name_size_2 = buffer[p]
            p += 1
            if principal_name_size_2 > 127:
                principal_name_size_2, p = string_tail(buffer, p, principal_name_size_2)
            if principal_name_size_2 == 0:
                raise missing("DescribeDelegationTokenResponse.tokens.renewers.principal_name")
            stop = p + principal_name_size_2 - 1
            principal_name_2 = buffer[p:stop].tobytes().decode()
            p = stop
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            renewers.append(DescribedDelegationTokenRenewer(principal_type_2, principal_name_2))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        tokens.append(DescribedDelegationToken(principal_type, principal_name, "", "", issue_timestamp, expiry_timestamp, max_timestamp, token_id, hmac, renewers))
    throttle_time_ms, tags_3 = _unpack_iB(buffer, p)
    p += 5
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return DescribeDelegationTokenResponse(error_code, tokens, throttle_time_ms), p


def _decode_2(buffer: memoryview, p: int) -> tuple[DescribeDelegationTokenResponse, int]:
    """Versions 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    error_code, tokens_count = _unpack_hB(buffer, p)
    p += 3
    if tokens_count > 127:
        tokens_count, p = uvarint_tail(buffer, p, tokens_count)
    if tokens_count == 0:
        raise missing("DescribeDelegationTokenResponse.tokens")
    tokens_count -= 1
    if tokens_count > room or tokens_count * 32 > end - p:
        raise too_many("DescribeDelegationTokenResponse.tokens", tokens_count)
    room -= tokens_count
    tokens: list[DescribedDelegationToken] = []
    for _ in range(tokens_count):
        principal_type_size = buffer[p]
        p += 1
        if principal_type_size > 127:
            principal_type_size, p = string_tail(buffer, p, principal_type_size)
        if principal_type_size == 0:
            raise missing("DescribeDelegationTokenResponse.tokens.principal_type")
        stop = p + principal_type_size - 1
        principal_type = buffer[p:stop].tobytes().decode()
        p = stop
        principal_name_size = buffer[p]
        p += 1
        if principal_name_size > 127:
            principal_name_size, p = string_tail(buffer, p, principal_name_size)
        if principal_name_size == 0:
            raise missing("DescribeDelegationTokenResponse.tokens.principal_name")
        stop = p + principal_name_size - 1
        principal_name = buffer[p:stop].tobytes().decode()
        p = stop
        token_requester_principal_type_size = buffer[p]
        p += 1
        if token_requester_principal_type_size > 127:
            token_requester_principal_type_size, p = string_tail(buffer, p, token_requester_principal_type_size)
        if token_requester_principal_type_size == 0:
            raise missing("DescribeDelegationTokenResponse.tokens.token_requester_principal_type")
        stop = p + token_requester_principal_type_size - 1
        token_requester_principal_type = buffer[p:stop].tobytes().decode()
        p = stop
        token_requester_principal_name_size = buffer[p]
        p += 1
        if token_requester_principal_name_size > 127:
            token_requester_principal_name_size, p = string_tail(buffer, p, token_requester_principal_name_size)
        if token_requester_principal_name_size == 0:
            raise missing("DescribeDelegationTokenResponse.tokens.token_requester_principal_name")
        stop = p + token_requester_principal_name_size - 1
        token_requester_principal_name = buffer[p:stop].tobytes().decode()
        p = stop
        issue_timestamp, expiry_timestamp, max_timestamp, token_id_size = _unpack_qqqB(buffer, p)
        p += 25
        if token_id_size > 127:
            token_id_size, p = string_tail(buffer, p, token_id_size)
        if token_id_size == 0:
            raise missing("DescribeDelegationTokenResponse.tokens.token_id")
        stop = p + token_id_size - 1
        token_id = buffer[p:stop].tobytes().decode()
        p = stop
        hmac_size = buffer[p]
        p += 1
        if hmac_size > 127:
            hmac_size, p = uvarint_tail(buffer, p, hmac_size)
        if hmac_size == 0:
            raise missing("DescribeDelegationTokenResponse.tokens.hmac")
        stop = p + hmac_size - 1
        hmac = buffer[p:stop].tobytes()
        p = stop
        renewers_count = buffer[p]
        p += 1
        if renewers_count > 127:
            renewers_count, p = uvarint_tail(buffer, p, renewers_count)
        if renewers_count == 0:
            raise missing("DescribeDelegationTokenResponse.tokens.renewers")
        renewers_count -= 1
        if renewers_count > room or renewers_count * 3 > end - p:
            raise too_many("DescribeDelegationTokenResponse.tokens.renewers", renewers_count)
        room -= renewers_count
        renewers: list[DescribedDelegationTokenRenewer] = []
        for _ in range(renewers_count):
            principal_type_size_2 = buffer[p]
            p += 1
            if principal_type_size_2 > 127:
                principal_type_size_2, p = string_tail(buffer, p, principal_type_size_2)
            if principal_type_size_2 == 0:
                raise missing("DescribeDelegationTokenResponse.tokens.renewers.principal_type")
            stop = p + principal_type_size_2 - 1
            principal_type_2 = buffer[p:stop].tobytes().decode()
            p = stop
            principal_name_size_2 = buffer[p]
            p += 1
            if principal_name_size_2 > 127:
                principal_name_size_2, p = string_tail(buffer, p, principal_name_size_2)
            if principal_name_size_2 == 0:
                raise missing("DescribeDelegationTokenResponse.tokens.renewers.principal_name")
            stop = p + principal_name_size_2 - 1
            principal_name_2 = buffer[p:stop].tobytes().decode()
            p = stop
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            renewers.append(DescribedDelegationTokenRenewer(principal_type_2, principal_name_2))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        tokens.append(DescribedDelegationToken(principal_type, principal_name, token_requester_principal_type, token_requester_principal_name, issue_timestamp, expiry_timestamp, max_timestamp, token_id, hmac, renewers))
    throttle_time_ms, tags_3 = _unpack_iB(buffer, p)
    p += 5
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return DescribeDelegationTokenResponse(error_code, tokens, throttle_time_ms), p


def _encode_0(message: DescribeDelegationTokenResponse) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    tokens = message.tokens
    out.append(_pack_hi(message.error_code, len(tokens)))
    for element in tokens:
        principal_type = element.principal_type.encode()
        principal_type_size = len(principal_type)
        principal_name = element.principal_name.encode()
        principal_name_size = len(principal_name)
        if element.token_requester_principal_type != "":
            raise not_in_version("DescribeDelegationTokenResponse.tokens.token_requester_principal_type")
        if element.token_requester_principal_name != "":
            raise not_in_version("DescribeDelegationTokenResponse.tokens.token_requester_principal_name")
        token_id = element.token_id.encode()
        token_id_size = len(token_id)
        hmac = element.hmac
        hmac_size = len(hmac)
        renewers = element.renewers
        out += (
            _pack_h(principal_type_size),
            principal_type,
            _pack_h(principal_name_size),
            principal_name,
            _pack_qqqh(element.issue_timestamp, element.expiry_timestamp, element.max_timestamp, token_id_size),
            token_id,
            _pack_i(hmac_size),
            hmac,
            _pack_i(len(renewers)),
        )
        for element_2 in renewers:
            principal_type_2 = element_2.principal_type.encode()
            principal_type_size_2 = len(principal_type_2)
            principal_name_2 = element_2.principal_name.encode()
            principal_name_size_2 = len(principal_name_2)
            out += (
                _pack_h(principal_type_size_2),
                principal_type_2,
                _pack_h(principal_name_size_2),
                principal_name_2,
            )
    out.append(_pack_i(message.throttle_time_ms))
    return b"".join(out)


def _encode_1(message: DescribeDelegationTokenResponse) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    tokens = message.tokens
    tokens_count = len(tokens) + 1
    out += (
        _pack_h(message.error_code),
        UVARINTS[tokens_count] if tokens_count < 256 else uvarint(tokens_count),
    )
    for element in tokens:
        principal_type = element.principal_type.encode()
        principal_type_size = len(principal_type) + 1
        principal_name = element.principal_name.encode()
        principal_name_size = len(principal_name) + 1
        if element.token_requester_principal_type != "":
            raise not_in_version("DescribeDelegationTokenResponse.tokens.token_requester_principal_type")
        if element.token_requester_principal_name != "":
            raise not_in_version("DescribeDelegationTokenResponse.tokens.token_requester_principal_name")
        token_id = element.token_id.encode()
        token_id_size = len(token_id) + 1
        hmac = element.hmac
        hmac_size = len(hmac) + 1
        renewers = element.renewers
        renewers_count = len(renewers) + 1
        out += (
            UVARINTS[principal_type_size] if principal_type_size < 256 else string_prefix(principal_type_size),
            principal_type,
            UVARINTS[principal_name_size] if principal_name_size < 256 else string_prefix(principal_name_size),
            principal_name,
            _pack_qqq(element.issue_timestamp, element.expiry_timestamp, element.max_timestamp),
            UVARINTS[token_id_size] if token_id_size < 256 else string_prefix(token_id_size),
            token_id,
            UVARINTS[hmac_size] if hmac_size < 256 else uvarint(hmac_size),
            hmac,
            UVARINTS[renewers_count] if renewers_count < 256 else uvarint(renewers_count),
        )
        for element_2 in renewers:
            principal_type_2 = element_2.principal_type.encode()
            principal_type_size_2 = len(principal_type_2) + 1
            principal_name_2 = element_2.principal_name.encode()
            principal_name_size_2 = len(principal_name_2) + 1
            out += (
                UVARINTS[principal_type_size_2] if principal_type_size_2 < 256 else string_prefix(principal_type_size_2),
                principal_type_2,
                UVARINTS[principal_name_size_2] if principal_name_size_2 < 256 else string_prefix(principal_name_size_2),
                principal_name_2,
                b"\0",
            )
        out.append(b"\0")
    out.append(_pack_ix(message.throttle_time_ms))
    return b"".join(out)


def _encode_2(message: DescribeDelegationTokenResponse) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    tokens = message.tokens
    tokens_count = len(tokens) + 1
    out += (
        _pack_h(message.error_code),
        UVARINTS[tokens_count] if tokens_count < 256 else uvarint(tokens_count),
    )
    for element in tokens:
        principal_type = element.principal_type.encode()
        principal_type_size = len(principal_type) + 1
        principal_name = element.principal_name.encode()
        principal_name_size = len(principal_name) + 1
        token_requester_principal_type = element.token_requester_principal_type.encode()
        token_requester_principal_type_size = len(token_requester_principal_type) + 1
        token_requester_principal_name = element.token_requester_principal_name.encode()
        token_requester_principal_name_size = len(token_requester_principal_name) + 1
        token_id = element.token_id.encode()
        token_id_size = len(token_id) + 1
        hmac = element.hmac
        hmac_size = len(hmac) + 1
        renewers = element.renewers
        renewers_count = len(renewers) + 1
        out += (
            UVARINTS[principal_type_size] if principal_type_size < 256 else string_prefix(principal_type_size),
            principal_type,
            UVARINTS[principal_name_size] if principal_name_size < 256 else string_prefix(principal_name_size),
            principal_name,
            UVARINTS[token_requester_principal_type_size] if token_requester_principal_type_size < 256 else string_prefix(token_requester_principal_type_size),
            token_requester_principal_type,
            UVARINTS[token_requester_principal_name_size] if token_requester_principal_name_size < 256 else string_prefix(token_requester_principal_name_size),
            token_requester_principal_name,
            _pack_qqq(element.issue_timestamp, element.expiry_timestamp, element.max_timestamp),
            UVARINTS[token_id_size] if token_id_size < 256 else string_prefix(token_id_size),
            token_id,
            UVARINTS[hmac_size] if hmac_size < 256 else uvarint(hmac_size),
            hmac,
            UVARINTS[renewers_count] if renewers_count < 256 else uvarint(renewers_count),
        )
        for element_2 in renewers:
            principal_type_2 = element_2.principal_type.encode()
            principal_type_size_2 = len(principal_type_2) + 1
            principal_name_2 = element_2.principal_name.encode()
            principal_name_size_2 = len(principal_name_2) + 1
            out += (
                UVARINTS[principal_type_size_2] if principal_type_size_2 < 256 else string_prefix(principal_type_size_2),
                principal_type_2,
                UVARINTS[principal_name_size_2] if principal_name_size_2 < 256 else string_prefix(principal_name_size_2),
                principal_name_2,
                b"\0",
            )
        out.append(b"\0")
    out.append(_pack_ix(message.throttle_time_ms))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeDelegationTokenResponse, int]]]] = {
    1: _decode_0,
    2: _decode_1,
    3: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[DescribeDelegationTokenResponse], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
    3: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeDelegationTokenResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeDelegationTokenResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeDelegationTokenResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeDelegationTokenResponse v{version} is cut short")
    return result


def encode(message: DescribeDelegationTokenResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeDelegationTokenResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeDelegationTokenResponse v{version}: {error}") from error
