"""ShareGroupMemberMetadataValue. Written by `python -m codegen` from schemas/group; do not edit."""

# fmt: off
# ruff: noqa: A001, ARG001, N816
# Layout is fixed by the generator, so that it does not depend on the version of a formatter.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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

NAME: Final = "ShareGroupMemberMetadataValue"
API_KEY: Final = 10
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False


@dataclass(init=False, repr=False, eq=False)
class ShareGroupMemberMetadataValue(Wire):
    """ShareGroupMemberMetadataValue."""

    __slots__ = ("rack_id", "client_id", "client_host", "subscribed_topic_names")

    rack_id: str | None
    client_id: str
    client_host: str
    subscribed_topic_names: list[str]

    def __init__(
        self,
        rack_id: str | None = "",
        client_id: str = "",
        client_host: str = "",
        subscribed_topic_names: list[str] = UNSET,
    ) -> None:
        self.rack_id = rack_id
        self.client_id = client_id
        self.client_host = client_host
        self.subscribed_topic_names = [] if subscribed_topic_names is UNSET else subscribed_topic_names


def _decode_0(buffer: memoryview, p: int) -> tuple[ShareGroupMemberMetadataValue, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    rack_id_size = buffer[p]
    p += 1
    if rack_id_size > 127:
        rack_id_size, p = string_tail(buffer, p, rack_id_size)
    rack_id: str | None = None
    if rack_id_size:
        stop = p + rack_id_size - 1
        rack_id = buffer[p:stop].tobytes().decode()
        p = stop
    client_id_size = buffer[p]
    p += 1
    if client_id_size > 127:
        client_id_size, p = string_tail(buffer, p, client_id_size)
    if client_id_size == 0:
        raise missing("ShareGroupMemberMetadataValue.client_id")
    stop = p + client_id_size - 1
    client_id = buffer[p:stop].tobytes().decode()
    p = stop
    client_host_size = buffer[p]
    p += 1
    if client_host_size > 127:
        client_host_size, p = string_tail(buffer, p, client_host_size)
    if client_host_size == 0:
        raise missing("ShareGroupMemberMetadataValue.client_host")
    stop = p + client_host_size - 1
    client_host = buffer[p:stop].tobytes().decode()
    p = stop
    subscribed_topic_names_count = buffer[p]
    p += 1
    if subscribed_topic_names_count > 127:
        subscribed_topic_names_count, p = uvarint_tail(buffer, p, subscribed_topic_names_count)
    if subscribed_topic_names_count == 0:
        raise missing("ShareGroupMemberMetadataValue.subscribed_topic_names")
    subscribed_topic_names_count -= 1
    if subscribed_topic_names_count > room or subscribed_topic_names_count > end - p:
        raise too_many("ShareGroupMemberMetadataValue.subscribed_topic_names", subscribed_topic_names_count)
    room -= subscribed_topic_names_count
    subscribed_topic_names: list[str] = []
    for _ in range(subscribed_topic_names_count):
        element_size = buffer[p]
        p += 1
        if element_size > 127:
            element_size, p = string_tail(buffer, p, element_size)
        if element_size == 0:
            raise missing("ShareGroupMemberMetadataValue.subscribed_topic_names")
        stop = p + element_size - 1
        element = buffer[p:stop].tobytes().decode()
        p = stop
        subscribed_topic_names.append(element)
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return ShareGroupMemberMetadataValue(rack_id, client_id, client_host, subscribed_topic_names), p


def _encode_0(message: ShareGroupMemberMetadataValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    rack_id_value = message.rack_id
    if rack_id_value is None:
        rack_id_size, rack_id = 0, b""
    else:
        rack_id = rack_id_value.encode()
        rack_id_size = len(rack_id) + 1
    client_id = message.client_id.encode()
    client_id_size = len(client_id) + 1
    client_host = message.client_host.encode()
    client_host_size = len(client_host) + 1
    subscribed_topic_names = message.subscribed_topic_names
    subscribed_topic_names_count = len(subscribed_topic_names) + 1
    out += (
        UVARINTS[rack_id_size] if rack_id_size < 256 else string_prefix(rack_id_size),
        rack_id,
        UVARINTS[client_id_size] if client_id_size < 256 else string_prefix(client_id_size),
        client_id,
        UVARINTS[client_host_size] if client_host_size < 256 else string_prefix(client_host_size),
        client_host,
        UVARINTS[subscribed_topic_names_count] if subscribed_topic_names_count < 256 else uvarint(subscribed_topic_names_count),
    )
    for element in subscribed_topic_names:
        text = element.encode()
        text_size = len(text) + 1
        out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ShareGroupMemberMetadataValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ShareGroupMemberMetadataValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ShareGroupMemberMetadataValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ShareGroupMemberMetadataValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ShareGroupMemberMetadataValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ShareGroupMemberMetadataValue v{version} is cut short")
    return result


def encode(message: ShareGroupMemberMetadataValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ShareGroupMemberMetadataValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ShareGroupMemberMetadataValue v{version}: {error}") from error
