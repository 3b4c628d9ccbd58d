"""CreateDelegationTokenRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "CreateDelegationTokenRequest"
API_KEY: Final = 38
VERSIONS: Final[tuple[int, int]] = (1, 3)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_q = Struct(">q").unpack_from
_unpack_qB = Struct(">qB").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_q = Struct(">q").pack
_pack_qx = Struct(">qx").pack


@dataclass(init=False, repr=False, eq=False)
class CreatableRenewers(Wire):
    """CreatableRenewers."""

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
class CreateDelegationTokenRequest(Wire):
    """CreateDelegationTokenRequest."""

    __slots__ = ("owner_principal_type", "owner_principal_name", "renewers", "max_lifetime_ms")

    owner_principal_type: str | None
    owner_principal_name: str | None
    renewers: list[CreatableRenewers]
    max_lifetime_ms: int

    def __init__(
        self,
        owner_principal_type: str | None = "",
        owner_principal_name: str | None = "",
        renewers: list[CreatableRenewers] = UNSET,
        max_lifetime_ms: int = 0,
    ) -> None:
        self.owner_principal_type = owner_principal_type
        self.owner_principal_name = owner_principal_name
        self.renewers = [] if renewers is UNSET else renewers
        self.max_lifetime_ms = max_lifetime_ms


def _decode_0(buffer: memoryview, p: int) -> tuple[CreateDelegationTokenRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (renewers_count,) = _unpack_i(buffer, p)
    p += 4
    if renewers_count < 0:
        raise missing("CreateDelegationTokenRequest.renewers")
    if renewers_count > room or renewers_count * 4 > end - p:
        raise too_many("CreateDelegationTokenRequest.renewers", renewers_count)
    room -= renewers_count
    renewers: list[CreatableRenewers] = []
    for _ in range(renewers_count):
        (principal_type_size,) = _unpack_h(buffer, p)
        p += 2
        if principal_type_size < 0:
            raise missing("CreateDelegationTokenRequest.renewers.principal_type")
        stop = p + principal_type_size
        principal_type = buffer[p:stop].tobytes().decode()
        p = stop
        (principal_name_size,) = _unpack_h(buffer, p)
        p += 2
        if principal_name_size < 0:
            raise missing("CreateDelegationTokenRequest.renewers.principal_name")
        stop = p + principal_name_size
        principal_name = buffer[p:stop].tobytes().decode()
        p = stop
        renewers.append(CreatableRenewers(principal_type, principal_name))
    (max_lifetime_ms,) = _unpack_q(buffer, p)
    p += 8
    return CreateDelegationTokenRequest("", "", renewers, max_lifetime_ms), p


def _decode_1(buffer: memoryview, p: int) -> tuple[CreateDelegationTokenRequest, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    renewers_count = buffer[p]
    p += 1
    if renewers_count > 127:
        renewers_count, p = uvarint_tail(buffer, p, renewers_count)
    if renewers_count == 0:
        raise missing("CreateDelegationTokenRequest.renewers")
    renewers_count -= 1
    if renewers_count > room or renewers_count * 3 > end - p:
        raise too_many("CreateDelegationTokenRequest.renewers", renewers_count)
    room -= renewers_count
    renewers: list[CreatableRenewers] = []
    for _ in range(renewers_count):
        principal_type_size = buffer[p]
        p += 1
        if principal_type_size > 127:
            principal_type_size, p = string_tail(buffer, p, principal_type_size)
        if principal_type_size == 0:
            raise missing("CreateDelegationTokenRequest.renewers.principal_type")
        stop = p + principal_type_size - 1
        principal_type = buffer[p:stop].tobytes().decode()
        p = stop
        principal_name_size = buffer[p]
        p += 1
        if principal_name_size > 127:
            principal_name_size, p = string_tail(buffer, p, principal_name_size)
        if principal_name_size == 0:
            raise missing("CreateDelegationTokenRequest.renewers.principal_name")
        stop = p + principal_name_size - 1
        principal_name = buffer[p:stop].tobytes().decode()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        renewers.append(CreatableRenewers(principal_type, principal_name))
    max_lifetime_ms, tags_2 = _unpack_qB(buffer, p)
    p += 9
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return CreateDelegationTokenRequest("", "", renewers, max_lifetime_ms), p


def _decode_2(buffer: memoryview, p: int) -> tuple[CreateDelegationTokenRequest, int]:
    """Versions 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    owner_principal_type_size = buffer[p]
    p += 1
    if owner_principal_type_size > 127:
        owner_principal_type_size, p = string_tail(buffer, p, owner_principal_type_size)
    owner_principal_type: str | None = None
    if owner_principal_type_size:
        stop = p + owner_principal_type_size - 1
        owner_principal_type = buffer[p:stop].tobytes().decode()
        p = stop
    owner_principal_name_size = buffer[p]
    p += 1
    if owner_principal_name_size > 127:
        owner_principal_name_size, p = string_tail(buffer, p, owner_principal_name_size)
    owner_principal_name: str | None = None
    if owner_principal_name_size:
        stop = p + owner_principal_name_size - 1
        owner_principal_name = buffer[p:stop].tobytes().decode()
        p = stop
    renewers_count = buffer[p]
    p += 1
    if renewers_count > 127:
        renewers_count, p = uvarint_tail(buffer, p, renewers_count)
    if renewers_count == 0:
        raise missing("CreateDelegationTokenRequest.renewers")
    renewers_count -= 1
    if renewers_count > room or renewers_count * 3 > end - p:
        raise too_many("CreateDelegationTokenRequest.renewers", renewers_count)
    room -= renewers_count
    renewers: list[CreatableRenewers] = []
    for _ in range(renewers_count):
        principal_type_size = buffer[p]
        p += 1
        if principal_type_size > 127:
            principal_type_size, p = string_tail(buffer, p, principal_type_size)
        if principal_type_size == 0:
            raise missing("CreateDelegationTokenRequest.renewers.principal_type")
        stop = p + principal_type_size - 1
        principal_type = buffer[p:stop].tobytes().decode()
        p = stop
        principal_name_size = buffer[p]
        p += 1
        if principal_name_size > 127:
            principal_name_size, p = string_tail(buffer, p, principal_name_size)
        if principal_name_size == 0:
            raise missing("CreateDelegationTokenRequest.renewers.principal_name")
        stop = p + principal_name_size - 1
        principal_name = buffer[p:stop].tobytes().decode()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        renewers.append(CreatableRenewers(principal_type, principal_name))
    max_lifetime_ms, tags_2 = _unpack_qB(buffer, p)
    p += 9
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return CreateDelegationTokenRequest(owner_principal_type, owner_principal_name, renewers, max_lifetime_ms), p


def _encode_0(message: CreateDelegationTokenRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    if message.owner_principal_type != "":
        raise not_in_version("CreateDelegationTokenRequest.owner_principal_type")
    if message.owner_principal_name != "":
        raise not_in_version("CreateDelegationTokenRequest.owner_principal_name")
    renewers = message.renewers
    out.append(_pack_i(len(renewers)))
    for element in renewers:
        principal_type = element.principal_type.encode()
        principal_type_size = len(principal_type)
        principal_name = element.principal_name.encode()
        principal_name_size = len(principal_name)
        out += (_pack_h(principal_type_size), principal_type, _pack_h(principal_name_size), principal_name)
    out.append(_pack_q(message.max_lifetime_ms))
    return b"".join(out)


def _encode_1(message: CreateDelegationTokenRequest) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    if message.owner_principal_type != "":
        raise not_in_version("CreateDelegationTokenRequest.owner_principal_type")
    if message.owner_principal_name != "":
        raise not_in_version("CreateDelegationTokenRequest.owner_principal_name")
    renewers = message.renewers
    renewers_count = len(renewers) + 1
    out.append(UVARINTS[renewers_count] if renewers_count < 256 else uvarint(renewers_count))
    for element in renewers:
        principal_type = element.principal_type.encode()
        principal_type_size = len(principal_type) + 1
        principal_name = element.principal_name.encode()
        principal_name_size = len(principal_name) + 1
        out += (
            UVARINTS[principal_type_size] if principal_type_size < 256 else string_prefix(principal_type_size),
            principal_type,
            UVARINTS[principal_name_size] if principal_name_size < 256 else string_prefix(principal_name_size),
            principal_name,
            b"\0",
        )
    out.append(_pack_qx(message.max_lifetime_ms))
    return b"".join(out)


def _encode_2(message: CreateDelegationTokenRequest) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    owner_principal_type_value = message.owner_principal_type
    if owner_principal_type_value is None:
        owner_principal_type_size, owner_principal_type = 0, b""
    else:
        owner_principal_type = owner_principal_type_value.encode()
        owner_principal_type_size = len(owner_principal_type) + 1
    owner_principal_name_value = message.owner_principal_name
    if owner_principal_name_value is None:
        owner_principal_name_size, owner_principal_name = 0, b""
    else:
        owner_principal_name = owner_principal_name_value.encode()
        owner_principal_name_size = len(owner_principal_name) + 1
    renewers = message.renewers
    renewers_count = len(renewers) + 1
    out += (
        UVARINTS[owner_principal_type_size] if owner_principal_type_size < 256 else string_prefix(owner_principal_type_size),
        owner_principal_type,
        UVARINTS[owner_principal_name_size] if owner_principal_name_size < 256 else string_prefix(owner_principal_name_size),
        owner_principal_name,
        UVARINTS[renewers_count] if renewers_count < 256 else uvarint(renewers_count),
    )
    for element in renewers:
        principal_type = element.principal_type.encode()
        principal_type_size = len(principal_type) + 1
        principal_name = element.principal_name.encode()
        principal_name_size = len(principal_name) + 1
        out += (
            UVARINTS[principal_type_size] if principal_type_size < 256 else string_prefix(principal_type_size),
            principal_type,
            UVARINTS[principal_name_size] if principal_name_size < 256 else string_prefix(principal_name_size),
            principal_name,
            b"\0",
        )
    out.append(_pack_qx(message.max_lifetime_ms))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[CreateDelegationTokenRequest, int]]]] = {
    1: _decode_0,
    2: _decode_1,
    3: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[CreateDelegationTokenRequest], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
    3: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[CreateDelegationTokenRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"CreateDelegationTokenRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"CreateDelegationTokenRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"CreateDelegationTokenRequest v{version} is cut short")
    return result


def encode(message: CreateDelegationTokenRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"CreateDelegationTokenRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"CreateDelegationTokenRequest v{version}: {error}") from error
