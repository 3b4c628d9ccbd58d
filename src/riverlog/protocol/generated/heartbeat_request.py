"""HeartbeatRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    UVARINTS,
    Wire,
)

NAME: Final = "HeartbeatRequest"
API_KEY: Final = 12
VERSIONS: Final[tuple[int, int]] = (0, 4)
FLEXIBLE_FROM: Final = 4
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ih = Struct(">ih").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack


@dataclass(init=False, repr=False, eq=False)
class HeartbeatRequest(Wire):
    """HeartbeatRequest."""

    __slots__ = ("group_id", "generation_id", "member_id", "group_instance_id")

    group_id: str
    generation_id: int
    member_id: str
    group_instance_id: str | None

    def __init__(
        self,
        group_id: str = "",
        generation_id: int = 0,
        member_id: str = "",
        group_instance_id: str | None = None,
    ) -> None:
        self.group_id = group_id
        self.generation_id = generation_id
        self.member_id = member_id
        self.group_instance_id = group_instance_id


def _decode_0(buffer: memoryview, p: int) -> tuple[HeartbeatRequest, int]:
    """Versions 0, 1, 2."""
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("HeartbeatRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    generation_id, member_id_size = _unpack_ih(buffer, p)
    p += 6
    if member_id_size < 0:
        raise missing("HeartbeatRequest.member_id")
    stop = p + member_id_size
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    return HeartbeatRequest(group_id, generation_id, member_id, None), p


def _decode_1(buffer: memoryview, p: int) -> tuple[HeartbeatRequest, int]:
    """Versions 3."""
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("HeartbeatRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    generation_id, member_id_size = _unpack_ih(buffer, p)
    p += 6
    if member_id_size < 0:
        raise missing("HeartbeatRequest.member_id")
    stop = p + member_id_size
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    (group_instance_id_size,) = _unpack_h(buffer, p)
    p += 2
    group_instance_id: str | None = None
    if group_instance_id_size >= 0:
        stop = p + group_instance_id_size
        group_instance_id = buffer[p:stop].tobytes().decode()
        p = stop
    elif group_instance_id_size != -1:
        raise missing("HeartbeatRequest.group_instance_id")
    return HeartbeatRequest(group_id, generation_id, member_id, group_instance_id), p


def _decode_2(buffer: memoryview, p: int) -> tuple[HeartbeatRequest, int]:
    """Versions 4."""
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("HeartbeatRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    generation_id, member_id_size = _unpack_iB(buffer, p)
    p += 5
    if member_id_size > 127:
        member_id_size, p = string_tail(buffer, p, member_id_size)
    if member_id_size == 0:
        raise missing("HeartbeatRequest.member_id")
    stop = p + member_id_size - 1
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    group_instance_id_size = buffer[p]
    p += 1
    if group_instance_id_size > 127:
        group_instance_id_size, p = string_tail(buffer, p, group_instance_id_size)
    group_instance_id: str | None = None
    if group_instance_id_size:
        stop = p + group_instance_id_size - 1
        group_instance_id = buffer[p:stop].tobytes().decode()
        p = stop
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return HeartbeatRequest(group_id, generation_id, member_id, group_instance_id), p


def _encode_0(message: HeartbeatRequest) -> bytes:
    """Versions 0, 1, 2."""
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    member_id = message.member_id.encode()
    member_id_size = len(member_id)
    if message.group_instance_id is not None:
        raise not_in_version("HeartbeatRequest.group_instance_id")
    return b"".join((_pack_h(group_id_size), group_id, _pack_ih(message.generation_id, member_id_size), member_id))


def _encode_1(message: HeartbeatRequest) -> bytes:
    """Versions 3."""
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    member_id = message.member_id.encode()
    member_id_size = len(member_id)
    group_instance_id_value = message.group_instance_id
    if group_instance_id_value is None:
        group_instance_id_size, group_instance_id = -1, b""
    else:
        group_instance_id = group_instance_id_value.encode()
        group_instance_id_size = len(group_instance_id)
    return b"".join((_pack_h(group_id_size), group_id, _pack_ih(message.generation_id, member_id_size), member_id, _pack_h(group_instance_id_size), group_instance_id))


def _encode_2(message: HeartbeatRequest) -> bytes:
    """Versions 4."""
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    member_id = message.member_id.encode()
    member_id_size = len(member_id) + 1
    group_instance_id_value = message.group_instance_id
    if group_instance_id_value is None:
        group_instance_id_size, group_instance_id = 0, b""
    else:
        group_instance_id = group_instance_id_value.encode()
        group_instance_id_size = len(group_instance_id) + 1
    return b"".join((UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size), group_id, _pack_i(message.generation_id), UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size), member_id, UVARINTS[group_instance_id_size] if group_instance_id_size < 256 else string_prefix(group_instance_id_size), group_instance_id, b"\0"))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[HeartbeatRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_0,
    3: _decode_1,
    4: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[HeartbeatRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_0,
    3: _encode_1,
    4: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[HeartbeatRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"HeartbeatRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"HeartbeatRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"HeartbeatRequest v{version} is cut short")
    return result


def encode(message: HeartbeatRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"HeartbeatRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"HeartbeatRequest v{version}: {error}") from error
