"""DescribeDelegationTokenRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DescribeDelegationTokenRequest"
API_KEY: Final = 41
VERSIONS: Final[tuple[int, int]] = (1, 3)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class DescribeDelegationTokenOwner(Wire):
    """DescribeDelegationTokenOwner."""

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
class DescribeDelegationTokenRequest(Wire):
    """DescribeDelegationTokenRequest."""

    __slots__ = ("owners",)

    owners: list[DescribeDelegationTokenOwner] | None

    def __init__(
        self,
        owners: list[DescribeDelegationTokenOwner] | None = UNSET,
    ) -> None:
        self.owners = [] if owners is UNSET else owners


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeDelegationTokenRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (owners_count,) = _unpack_i(buffer, p)
    p += 4
    owners: list[DescribeDelegationTokenOwner] | None = None
    if owners_count >= 0:
        if owners_count > room or owners_count * 4 > end - p:
            raise too_many("DescribeDelegationTokenRequest.owners", owners_count)
        room -= owners_count
        owners = []
        for _ in range(owners_count):
            (principal_type_size,) = _unpack_h(buffer, p)
            p += 2
            if principal_type_size < 0:
                raise missing("DescribeDelegationTokenRequest.owners.principal_type")
            stop = p + principal_type_size
            principal_type = buffer[p:stop].tobytes().decode()
            p = stop
            (principal_name_size,) = _unpack_h(buffer, p)
            p += 2
            if principal_name_size < 0:
                raise missing("DescribeDelegationTokenRequest.owners.principal_name")
            stop = p + principal_name_size
            principal_name = buffer[p:stop].tobytes().decode()
            p = stop
            owners.append(DescribeDelegationTokenOwner(principal_type, principal_name))
    elif owners_count != -1:
        raise missing("DescribeDelegationTokenRequest.owners")
    return DescribeDelegationTokenRequest(owners), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DescribeDelegationTokenRequest, int]:
    """Versions 2, 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    owners_count = buffer[p]
    p += 1
    if owners_count > 127:
        owners_count, p = uvarint_tail(buffer, p, owners_count)
    owners: list[DescribeDelegationTokenOwner] | None = None
    if owners_count:
        owners_count -= 1
        if owners_count > room or owners_count * 3 > end - p:
            raise too_many("DescribeDelegationTokenRequest.owners", owners_count)
        room -= owners_count
        owners = []
        for _ in range(owners_count):
            principal_type_size = buffer[p]
            p += 1
            if principal_type_size > 127:
                principal_type_size, p = string_tail(buffer, p, principal_type_size)
            if principal_type_size == 0:
                raise missing("DescribeDelegationTokenRequest.owners.principal_type")
            stop = p + principal_type_size - 1
            principal_type = buffer[p:stop].tobytes().decode()
            p = stop
            principal_name_size = buffer[p]
            p += 1
            if principal_name_size > 127:
                principal_name_size, p = string_tail(buffer, p, principal_name_size)
            if principal_name_size == 0:
                raise missing("DescribeDelegationTokenRequest.owners.principal_name")
            stop = p + principal_name_size - 1
            principal_name = buffer[p:stop].tobytes().decode()
            p = stop
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            owners.append(DescribeDelegationTokenOwner(principal_type, principal_name))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return DescribeDelegationTokenRequest(owners), p


def _encode_0(message: DescribeDelegationTokenRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    owners = message.owners
    if owners is None:
        out.append(b"\xff\xff\xff\xff")
    else:
        out.append(_pack_i(len(owners)))
        for element in owners:
            principal_type = element.principal_type.encode()
            principal_type_size = len(principal_type)
            principal_name = element.principal_name.encode()
            principal_name_size = len(principal_name)
            out += (
                _pack_h(principal_type_size),
                principal_type,
                _pack_h(principal_name_size),
                principal_name,
            )
    return b"".join(out)


def _encode_1(message: DescribeDelegationTokenRequest) -> bytes:
    """Versions 2, 3."""
    out: list[bytes] = []
    owners = message.owners
    if owners is None:
        out.append(b"\0")
    else:
        owners_count = len(owners) + 1
        out.append(UVARINTS[owners_count] if owners_count < 256 else uvarint(owners_count))
        for element in owners:
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
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeDelegationTokenRequest, int]]]] = {
    1: _decode_0,
    2: _decode_1,
    3: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[DescribeDelegationTokenRequest], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
    3: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeDelegationTokenRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeDelegationTokenRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeDelegationTokenRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeDelegationTokenRequest v{version} is cut short")
    return result


def encode(message: DescribeDelegationTokenRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeDelegationTokenRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeDelegationTokenRequest v{version}: {error}") from error
