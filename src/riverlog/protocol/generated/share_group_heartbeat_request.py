"""ShareGroupHeartbeatRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
)

NAME: Final = "ShareGroupHeartbeatRequest"
API_KEY: Final = 76
VERSIONS: Final[tuple[int, int]] = (1, 1)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iB = Struct(">iB").unpack_from
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class ShareGroupHeartbeatRequest(Wire):
    """ShareGroupHeartbeatRequest."""

    __slots__ = ("group_id", "member_id", "member_epoch", "rack_id", "subscribed_topic_names")

    group_id: str
    member_id: str
    member_epoch: int
    rack_id: str | None
    subscribed_topic_names: list[str] | None

    def __init__(
        self,
        group_id: str = "",
        member_id: str = "",
        member_epoch: int = 0,
        rack_id: str | None = None,
        subscribed_topic_names: list[str] | None = None,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.rack_id = rack_id
        self.subscribed_topic_names = subscribed_topic_names


def _decode_0(buffer: memoryview, p: int) -> tuple[ShareGroupHeartbeatRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("ShareGroupHeartbeatRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    member_id_size = buffer[p]
    p += 1
    if member_id_size > 127:
        member_id_size, p = string_tail(buffer, p, member_id_size)
    if member_id_size == 0:
        raise missing("ShareGroupHeartbeatRequest.member_id")
    stop = p + member_id_size - 1
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    member_epoch, rack_id_size = _unpack_iB(buffer, p)
    p += 5
    if rack_id_size > 127:
        rack_id_size, p = string_tail(buffer, p, rack_id_size)
    rack_id: str | None = None
    if rack_id_size:
        stop = p + rack_id_size - 1
        rack_id = buffer[p:stop].tobytes().decode()
        p = stop
    subscribed_topic_names_count = buffer[p]
    p += 1
    if subscribed_topic_names_count > 127:
        subscribed_topic_names_count, p = uvarint_tail(buffer, p, subscribed_topic_names_count)
    subscribed_topic_names: list[str] | None = None
    if subscribed_topic_names_count:
        subscribed_topic_names_count -= 1
        if subscribed_topic_names_count > room or subscribed_topic_names_count > end - p:
            raise too_many("ShareGroupHeartbeatRequest.subscribed_topic_names", subscribed_topic_names_count)
        room -= subscribed_topic_names_count
        subscribed_topic_names = []
        for _ in range(subscribed_topic_names_count):
            element_size = buffer[p]
            p += 1
            if element_size > 127:
                element_size, p = string_tail(buffer, p, element_size)
            if element_size == 0:
                raise missing("ShareGroupHeartbeatRequest.subscribed_topic_names")
            stop = p + element_size - 1
            element = buffer[p:stop].tobytes().decode()
            p = stop
            subscribed_topic_names.append(element)
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return ShareGroupHeartbeatRequest(group_id, member_id, member_epoch, rack_id, subscribed_topic_names), p


def _encode_0(message: ShareGroupHeartbeatRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    member_id = message.member_id.encode()
    member_id_size = len(member_id) + 1
    rack_id_value = message.rack_id
    if rack_id_value is None:
        rack_id_size, rack_id = 0, b""
    else:
        rack_id = rack_id_value.encode()
        rack_id_size = len(rack_id) + 1
    subscribed_topic_names = message.subscribed_topic_names
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        _pack_i(message.member_epoch),
        UVARINTS[rack_id_size] if rack_id_size < 256 else string_prefix(rack_id_size),
        rack_id,
    )
    if subscribed_topic_names is None:
        out.append(b"\0")
    else:
        subscribed_topic_names_count = len(subscribed_topic_names) + 1
        out.append(UVARINTS[subscribed_topic_names_count] if subscribed_topic_names_count < 256 else uvarint(subscribed_topic_names_count))
        for element in subscribed_topic_names:
            text = element.encode()
            text_size = len(text) + 1
            out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ShareGroupHeartbeatRequest, int]]]] = {
    1: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ShareGroupHeartbeatRequest], bytes]]] = {
    1: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ShareGroupHeartbeatRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ShareGroupHeartbeatRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ShareGroupHeartbeatRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ShareGroupHeartbeatRequest v{version} is cut short")
    return result


def encode(message: ShareGroupHeartbeatRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ShareGroupHeartbeatRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ShareGroupHeartbeatRequest v{version}: {error}") from error
