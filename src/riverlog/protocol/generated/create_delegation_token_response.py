"""CreateDelegationTokenResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    missing,
    not_in_version,
    skip_tags,
    string_prefix,
    string_tail,
    UNFIT,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
)

NAME: Final = "CreateDelegationTokenResponse"
API_KEY: Final = 38
VERSIONS: Final[tuple[int, int]] = (1, 3)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_hh = Struct(">hh").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_qqqB = Struct(">qqqB").unpack_from
_unpack_qqqh = Struct(">qqqh").unpack_from
_pack_h = Struct(">h").pack
_pack_hh = Struct(">hh").pack
_pack_i = Struct(">i").pack
_pack_ix = Struct(">ix").pack
_pack_qqq = Struct(">qqq").pack
_pack_qqqh = Struct(">qqqh").pack


@dataclass(init=False, repr=False, eq=False)
class CreateDelegationTokenResponse(Wire):
    """CreateDelegationTokenResponse."""

    __slots__ = ("error_code", "principal_type", "principal_name", "token_requester_principal_type", "token_requester_principal_name", "issue_timestamp_ms", "expiry_timestamp_ms", "max_timestamp_ms", "token_id", "hmac", "throttle_time_ms")

    error_code: int
    principal_type: str
    principal_name: str
    token_requester_principal_type: str
    token_requester_principal_name: str
    issue_timestamp_ms: int
    expiry_timestamp_ms: int
    max_timestamp_ms: int
    token_id: str
    hmac: bytes
    throttle_time_ms: int

    def __init__(
        self,
        error_code: int = 0,
        principal_type: str = "",
        principal_name: str = "",
        token_requester_principal_type: str = "",
        token_requester_principal_name: str = "",
        issue_timestamp_ms: int = 0,
        expiry_timestamp_ms: int = 0,
        max_timestamp_ms: int = 0,
        token_id: str = "",
        hmac: bytes = b"",
        throttle_time_ms: int = 0,
    ) -> None:
        self.error_code = error_code
        self.principal_type = principal_type
        self.principal_name = principal_name
        self.token_requester_principal_type = token_requester_principal_type
        self.token_requester_principal_name = token_requester_principal_name
        self.issue_timestamp_ms = issue_timestamp_ms
        self.expiry_timestamp_ms = expiry_timestamp_ms
        self.max_timestamp_ms = max_timestamp_ms
        self.token_id = token_id
        self.hmac = hmac
        self.throttle_time_ms = throttle_time_ms


def _decode_0(buffer: memoryview, p: int) -> tuple[CreateDelegationTokenResponse, int]:
    """Versions 1."""
    error_code, principal_type_size = _unpack_hh(buffer, p)
    p += 4
    if principal_type_size < 0:
        raise missing("CreateDelegationTokenResponse.principal_type")
    stop = p + principal_type_size
    principal_type = buffer[p:stop].tobytes().decode()
    p = stop
    (principal_name_size,) = _unpack_h(buffer, p)
    p += 2
    if principal_name_size < 0:
        raise missing("CreateDelegationTokenResponse.principal_name")
    stop = p + principal_name_size
    principal_name = buffer[p:stop].tobytes().decode()
    p = stop
    issue_timestamp_ms, expiry_timestamp_ms, max_timestamp_ms, token_id_size = _unpack_qqqh(buffer, p)
    p += 26
    if token_id_size < 0:
        raise missing("CreateDelegationTokenResponse.token_id")
    stop = p + token_id_size
    token_id = buffer[p:stop].tobytes().decode()
    p = stop
    (hmac_size,) = _unpack_i(buffer, p)
    p += 4
    if hmac_size < 0:
        raise missing("CreateDelegationTokenResponse.hmac")
    stop = p + hmac_size
    hmac = buffer[p:stop].tobytes()
    p = stop
    (throttle_time_ms,) = _unpack_i(buffer, p)
    p += 4
    return CreateDelegationTokenResponse(error_code, principal_type, principal_name, "", "", issue_timestamp_ms, expiry_timestamp_ms, max_timestamp_ms, token_id, hmac, throttle_time_ms), p


def _decode_1(buffer: memoryview, p: int) -> tuple[CreateDelegationTokenResponse, int]:
    """Versions 2."""
    error_code, principal_type_size = _unpack_hB(buffer, p)
    p += 3
    if principal_type_size > 127:
        principal_type_size, p = string_tail(buffer, p, principal_type_size)
    if principal_type_size == 0:
        raise missing("CreateDelegationTokenResponse.principal_type")
    stop = p + principal_type_size - 1
    principal_type = buffer[p:stop].tobytes().decode()
    p = stop
    principal_name_size = buffer[p]
    p += 1
    if principal_name_size > 127:
        principal_name_size, p = string_tail(buffer, p, principal_name_size)
    if principal_name_size == 0:
        raise missing("CreateDelegationTokenResponse.principal_name")
    stop = p + principal_name_size - 1
    principal_name = buffer[p:stop].tobytes().decode()
    p = stop
    issue_timestamp_ms, expiry_timestamp_ms, max_timestamp_ms, token_id_size = _unpack_qqqB(buffer, p)
    p += 25
    if token_id_size > 127:
        token_id_size, p = string_tail(buffer, p, token_id_size)
    if token_id_size == 0:
        raise missing("CreateDelegationTokenResponse.token_id")
    stop = p + token_id_size - 1
    token_id = buffer[p:stop].tobytes().decode()
    p = stop
    hmac_size = buffer[p]
    p += 1
    if hmac_size > 127:
        hmac_size, p = uvarint_tail(buffer, p, hmac_size)
    if hmac_size == 0:
        raise missing("CreateDelegationTokenResponse.hmac")
    stop = p + hmac_size - 1
    hmac = buffer[p:stop].tobytes()
    p = stop
    throttle_time_ms, tags = _unpack_iB(buffer, p)
    p += 5
    if tags:
        p = skip_tags(buffer, p, tags)
    return CreateDelegationTokenResponse(error_code, principal_type, principal_name, "", "", issue_timestamp_ms, expiry_timestamp_ms, max_timestamp_ms, token_id, hmac, throttle_time_ms), p


def _decode_2(buffer: memoryview, p: int) -> tuple[CreateDelegationTokenResponse, int]:
    """Versions 3."""
    error_code, principal_type_size = _unpack_hB(buffer, p)
    p += 3
    if principal_type_size > 127:
        principal_type_size, p = string_tail(buffer, p, principal_type_size)
    if principal_type_size == 0:
        raise missing("CreateDelegationTokenResponse.principal_type")
    stop = p + principal_type_size - 1
    principal_type = buffer[p:stop].tobytes().decode()
    p = stop
    principal_name_size = buffer[p]
    p += 1
    if principal_name_size > 127:
        principal_name_size, p = string_tail(buffer, p, principal_name_size)
    if principal_name_size == 0:
        raise missing("CreateDelegationTokenResponse.principal_name")
    stop = p + principal_name_size - 1
    principal_name = buffer[p:stop].tobytes().decode()
    p = stop
    token_requester_principal_type_size = buffer[p]
    p += 1
    if token_requester_principal_type_size > 127:
        token_requester_principal_type_size, p = string_tail(buffer, p, token_requester_principal_type_size)
    if token_requester_principal_type_size == 0:
        raise missing("CreateDelegationTokenResponse.token_requester_principal_type")
    stop = p + token_requester_principal_type_size - 1
    token_requester_principal_type = buffer[p:stop].tobytes().decode()
    p = stop
    token_requester_principal_name_size = buffer[p]
    p += 1
    if token_requester_principal_name_size > 127:
        token_requester_principal_name_size, p = string_tail(buffer, p, token_requester_principal_name_size)
    if token_requester_principal_name_size == 0:
        raise missing("CreateDelegationTokenResponse.token_requester_principal_name")
    stop = p + token_requester_principal_name_size - 1
    token_requester_principal_name = buffer[p:stop].tobytes().decode()
    p = stop
    issue_timestamp_ms, expiry_timestamp_ms, max_timestamp_ms, token_id_size = _unpack_qqqB(buffer, p)
    p += 25
    if token_id_size > 127:
        token_id_size, p = string_tail(buffer, p, token_id_size)
    if token_id_size == 0:
        raise missing("CreateDelegationTokenResponse.token_id")
    stop = p + token_id_size - 1
    token_id = buffer[p:stop].tobytes().decode()
    p = stop
    hmac_size = buffer[p]
    p += 1
    if hmac_size > 127:
        hmac_size, p = uvarint_tail(buffer, p, hmac_size)
    if hmac_size == 0:
        raise missing("CreateDelegationTokenResponse.hmac")
    stop = p + hmac_size - 1
    hmac = buffer[p:stop].tobytes()
    p = stop
    throttle_time_ms, tags = _unpack_iB(buffer, p)
    p += 5
    if tags:
        p = skip_tags(buffer, p, tags)
    return CreateDelegationTokenResponse(error_code, principal_type, principal_name, token_requester_principal_type, token_requester_principal_name, issue_timestamp_ms, expiry_timestamp_ms, max_timestamp_ms, token_id, hmac, throttle_time_ms), p


def _encode_0(message: CreateDelegationTokenResponse) -> bytes:
    """Versions 1."""
    principal_type = message.principal_type.encode()
    principal_type_size = len(principal_type)
    principal_name = message.principal_name.encode()
    principal_name_size = len(principal_name)
    if message.token_requester_principal_type != "":
        raise not_in_version("CreateDelegationTokenResponse.token_requester_principal_type")
    if message.token_requester_principal_name != "":
        raise not_in_version("CreateDelegationTokenResponse.token_requester_principal_name")
    token_id = message.token_id.encode()
    token_id_size = len(token_id)
    hmac = message.hmac
    hmac_size = len(hmac)
    return b"".join((_pack_hh(message.error_code, principal_type_size), principal_type, _pack_h(principal_name_size), principal_name, _pack_qqqh(message.issue_timestamp_ms, message.expiry_timestamp_ms, message.max_timestamp_ms, token_id_size), token_id, _pack_i(hmac_size), hmac, _pack_i(message.throttle_time_ms)))


def _encode_1(message: CreateDelegationTokenResponse) -> bytes:
    """Versions 2."""
    principal_type = message.principal_type.encode()
    principal_type_size = len(principal_type) + 1
    principal_name = message.principal_name.encode()
    principal_name_size = len(principal_name) + 1
    if message.token_requester_principal_type != "":
        raise not_in_version("CreateDelegationTokenResponse.token_requester_principal_type")
    if message.token_requester_principal_name != "":
        raise not_in_version("CreateDelegationTokenResponse.token_requester_principal_name")
    token_id = message.token_id.encode()
    token_id_size = len(token_id) + 1
    hmac = message.hmac
    hmac_size = len(hmac) + 1
    return b"".join((_pack_h(message.error_code), UVARINTS[principal_type_size] if principal_type_size < 256 else string_prefix(principal_type_size), principal_type, UVARINTS[principal_name_size] if principal_name_size < 256 else string_prefix(principal_name_size), principal_name, _pack_qqq(message.issue_timestamp_ms, message.expiry_timestamp_ms, message.max_timestamp_ms), UVARINTS[token_id_size] if token_id_size < 256 else string_prefix(token_id_size), token_id, UVARINTS[hmac_size] if hmac_size < 256 else uvarint(hmac_size), hmac, _pack_ix(message.throttle_time_ms)))


def _encode_2(message: CreateDelegationTokenResponse) -> bytes:
    """Versions 3."""
    principal_type = message.principal_type.encode()
    principal_type_size = len(principal_type) + 1
    principal_name = message.principal_name.encode()
    principal_name_size = len(principal_name) + 1
    token_requester_principal_type = message.token_requester_principal_type.encode()
    token_requester_principal_type_size = len(token_requester_principal_type) + 1
    token_requester_principal_name = message.token_requester_principal_name.encode()
    token_requester_principal_name_size = len(token_requester_principal_name) + 1
    token_id = message.token_id.encode()
    token_id_size = len(token_id) + 1
    hmac = message.hmac
    hmac_size = len(hmac) + 1
    return b"".join((_pack_h(message.error_code), UVARINTS[principal_type_size] if principal_type_size < 256 else string_prefix(principal_type_size), principal_type, UVARINTS[principal_name_size] if principal_name_size < 256 else string_prefix(principal_name_size), principal_name, UVARINTS[token_requester_principal_type_size] if token_requester_principal_type_size < 256 else string_prefix(token_requester_principal_type_size), token_requester_principal_type, UVARINTS[token_requester_principal_name_size] if token_requester_principal_name_size < 256 else string_prefix(token_requester_principal_name_size), token_requester_principal_name, _pack_qqq(message.issue_timestamp_ms, message.expiry_timestamp_ms, message.max_timestamp_ms), UVARINTS[token_id_size] if token_id_size < 256 else string_prefix(token_id_size), token_id, UVARINTS[hmac_size] if hmac_size < 256 else uvarint(hmac_size), hmac, _pack_ix(message.throttle_time_ms)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[CreateDelegationTokenResponse, int]]]] = {
    1: _decode_0,
    2: _decode_1,
    3: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[CreateDelegationTokenResponse], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
    3: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[CreateDelegationTokenResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"CreateDelegationTokenResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"CreateDelegationTokenResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"CreateDelegationTokenResponse v{version} is cut short")
    return result


def encode(message: CreateDelegationTokenResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"CreateDelegationTokenResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"CreateDelegationTokenResponse v{version}: {error}") from error
