"""ConsumerGroupMemberMetadataValue. Written by `python -m codegen` from schemas/group; do not edit."""

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
    read_tag,
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

NAME: Final = "ConsumerGroupMemberMetadataValue"
API_KEY: Final = 5
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iB = Struct(">iB").unpack_from
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class ClassicProtocol(Wire):
    """ClassicProtocol."""

    __slots__ = ("name", "metadata")

    name: str
    metadata: bytes

    def __init__(
        self,
        name: str = "",
        metadata: bytes = b"",
    ) -> None:
        self.name = name
        self.metadata = metadata


@dataclass(init=False, repr=False, eq=False)
class ClassicMemberMetadata(Wire):
    """ClassicMemberMetadata."""

    __slots__ = ("session_timeout_ms", "supported_protocols")

    session_timeout_ms: int
    supported_protocols: list[ClassicProtocol]

    def __init__(
        self,
        session_timeout_ms: int = 0,
        supported_protocols: list[ClassicProtocol] = UNSET,
    ) -> None:
        self.session_timeout_ms = session_timeout_ms
        self.supported_protocols = [] if supported_protocols is UNSET else supported_protocols


@dataclass(init=False, repr=False, eq=False)
class ConsumerGroupMemberMetadataValue(Wire):
    """ConsumerGroupMemberMetadataValue."""

    __slots__ = ("instance_id", "rack_id", "client_id", "client_host", "subscribed_topic_names", "subscribed_topic_regex", "rebalance_timeout_ms", "server_assignor", "classic_member_metadata")

    instance_id: str | None
    rack_id: str | None
    client_id: str
    client_host: str
    subscribed_topic_names: list[str]
    subscribed_topic_regex: str | None
    rebalance_timeout_ms: int
    server_assignor: str | None
    classic_member_metadata: ClassicMemberMetadata | None

    def __init__(
        self,
        instance_id: str | None = "",
        rack_id: str | None = "",
        client_id: str = "",
        client_host: str = "",
        subscribed_topic_names: list[str] = UNSET,
        subscribed_topic_regex: str | None = "",
        rebalance_timeout_ms: int = -1,
        server_assignor: str | None = "",
        classic_member_metadata: ClassicMemberMetadata | None = UNSET,
    ) -> None:
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.client_id = client_id
        self.client_host = client_host
        self.subscribed_topic_names = [] if subscribed_topic_names is UNSET else subscribed_topic_names
        self.subscribed_topic_regex = subscribed_topic_regex
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.server_assignor = server_assignor
        self.classic_member_metadata = ClassicMemberMetadata() if classic_member_metadata is UNSET else classic_member_metadata


_DEFAULT_ClassicMemberMetadata: Final = ClassicMemberMetadata()


def _decode_0(buffer: memoryview, p: int) -> tuple[ConsumerGroupMemberMetadataValue, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    instance_id_size = buffer[p]
    p += 1
    if instance_id_size > 127:
        instance_id_size, p = string_tail(buffer, p, instance_id_size)
    instance_id: str | None = None
    if instance_id_size:
        stop = p + instance_id_size - 1
        instance_id = buffer[p:stop].tobytes().decode()
        p = stop
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
        raise missing("ConsumerGroupMemberMetadataValue.client_id")
    stop = p + client_id_size - 1
    client_id = buffer[p:stop].tobytes().decode()
    p = stop
    client_host_size = buffer[p]
    p += 1
    if client_host_size > 127:
        client_host_size, p = string_tail(buffer, p, client_host_size)
    if client_host_size == 0:
        raise missing("ConsumerGroupMemberMetadataValue.client_host")
    stop = p + client_host_size - 1
    client_host = buffer[p:stop].tobytes().decode()
    p = stop
    subscribed_topic_names_count = buffer[p]
    p += 1
    if subscribed_topic_names_count > 127:
        subscribed_topic_names_count, p = uvarint_tail(buffer, p, subscribed_topic_names_count)
    if subscribed_topic_names_count == 0:
        raise missing("ConsumerGroupMemberMetadataValue.subscribed_topic_names")
    subscribed_topic_names_count -= 1
    if subscribed_topic_names_count > room or subscribed_topic_names_count > end - p:
        raise too_many("ConsumerGroupMemberMetadataValue.subscribed_topic_names", subscribed_topic_names_count)
    room -= subscribed_topic_names_count
    subscribed_topic_names: list[str] = []
    for _ in range(subscribed_topic_names_count):
        element_size = buffer[p]
        p += 1
        if element_size > 127:
            element_size, p = string_tail(buffer, p, element_size)
        if element_size == 0:
            raise missing("ConsumerGroupMemberMetadataValue.subscribed_topic_names")
        stop = p + element_size - 1
        element = buffer[p:stop].tobytes().decode()
        p = stop
        subscribed_topic_names.append(element)
    subscribed_topic_regex_size = buffer[p]
    p += 1
    if subscribed_topic_regex_size > 127:
        subscribed_topic_regex_size, p = string_tail(buffer, p, subscribed_topic_regex_size)
    subscribed_topic_regex: str | None = None
    if subscribed_topic_regex_size:
        stop = p + subscribed_topic_regex_size - 1
        subscribed_topic_regex = buffer[p:stop].tobytes().decode()
        p = stop
    rebalance_timeout_ms, server_assignor_size = _unpack_iB(buffer, p)
    p += 5
    if server_assignor_size > 127:
        server_assignor_size, p = string_tail(buffer, p, server_assignor_size)
    server_assignor: str | None = None
    if server_assignor_size:
        stop = p + server_assignor_size - 1
        server_assignor = buffer[p:stop].tobytes().decode()
        p = stop
    tags = buffer[p]
    p += 1
    classic_member_metadata: ClassicMemberMetadata | None = ClassicMemberMetadata()
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                classic_member_metadata_mark = buffer[p]
                p += 1
                if classic_member_metadata_mark > 127:
                    classic_member_metadata_mark, p = uvarint_tail(buffer, p, classic_member_metadata_mark)
                classic_member_metadata_2: ClassicMemberMetadata | None = None
                if classic_member_metadata_mark > 0:
                    session_timeout_ms, supported_protocols_count = _unpack_iB(buffer, p)
                    p += 5
                    if supported_protocols_count > 127:
                        supported_protocols_count, p = uvarint_tail(buffer, p, supported_protocols_count)
                    if supported_protocols_count == 0:
                        raise missing("ConsumerGroupMemberMetadataValue.classic_member_metadata.supported_protocols")
                    supported_protocols_count -= 1
                    if supported_protocols_count > room or supported_protocols_count * 3 > end - p:
                        raise too_many("ConsumerGroupMemberMetadataValue.classic_member_metadata.supported_protocols", supported_protocols_count)
                    room -= supported_protocols_count
                    supported_protocols: list[ClassicProtocol] = []
                    for _ in range(supported_protocols_count):
                        name_size = buffer[p]
                        p += 1
                        if name_size > 127:
                            name_size, p = string_tail(buffer, p, name_size)
                        if name_size == 0:
                            raise missing("ConsumerGroupMemberMetadataValue.classic_member_metadata.supported_protocols.name")
                        stop = p + name_size - 1
                        name = buffer[p:stop].tobytes().decode()
                        p = stop
                        metadata_size = buffer[p]
                        p += 1
                        if metadata_size > 127:
                            metadata_size, p = uvarint_tail(buffer, p, metadata_size)
                        if metadata_size == 0:
                            raise missing("ConsumerGroupMemberMetadataValue.classic_member_metadata.supported_protocols.metadata")
                        stop = p + metadata_size - 1
                        metadata = buffer[p:stop].tobytes()
                        p = stop
                        tags_2 = buffer[p]
                        p += 1
                        if tags_2:
                            p = skip_tags(buffer, p, tags_2)
                        supported_protocols.append(ClassicProtocol(name, metadata))
                    tags_3 = buffer[p]
                    p += 1
                    if tags_3:
                        p = skip_tags(buffer, p, tags_3)
                    classic_member_metadata_2 = ClassicMemberMetadata(session_timeout_ms, supported_protocols)
                classic_member_metadata = classic_member_metadata_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("ConsumerGroupMemberMetadataValue: a tagged field is not of its size")
    return ConsumerGroupMemberMetadataValue(instance_id, rack_id, client_id, client_host, subscribed_topic_names, subscribed_topic_regex, rebalance_timeout_ms, server_assignor, classic_member_metadata), p


def _encode_0(message: ConsumerGroupMemberMetadataValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    instance_id_value = message.instance_id
    if instance_id_value is None:
        instance_id_size, instance_id = 0, b""
    else:
        instance_id = instance_id_value.encode()
        instance_id_size = len(instance_id) + 1
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
        UVARINTS[instance_id_size] if instance_id_size < 256 else string_prefix(instance_id_size),
        instance_id,
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
    subscribed_topic_regex_value = message.subscribed_topic_regex
    if subscribed_topic_regex_value is None:
        subscribed_topic_regex_size, subscribed_topic_regex = 0, b""
    else:
        subscribed_topic_regex = subscribed_topic_regex_value.encode()
        subscribed_topic_regex_size = len(subscribed_topic_regex) + 1
    server_assignor_value = message.server_assignor
    if server_assignor_value is None:
        server_assignor_size, server_assignor = 0, b""
    else:
        server_assignor = server_assignor_value.encode()
        server_assignor_size = len(server_assignor) + 1
    out += (
        UVARINTS[subscribed_topic_regex_size] if subscribed_topic_regex_size < 256 else string_prefix(subscribed_topic_regex_size),
        subscribed_topic_regex,
        _pack_i(message.rebalance_timeout_ms),
        UVARINTS[server_assignor_size] if server_assignor_size < 256 else string_prefix(server_assignor_size),
        server_assignor,
    )
    tags = 0
    tagged: list[bytes] = []
    if message.classic_member_metadata != _DEFAULT_ClassicMemberMetadata:
        content: list[bytes] = []
        classic_member_metadata = message.classic_member_metadata
        if classic_member_metadata is None:
            content.append(b"\0")
        else:
            supported_protocols = classic_member_metadata.supported_protocols
            supported_protocols_count = len(supported_protocols) + 1
            content += (
                b"\1",
                _pack_i(classic_member_metadata.session_timeout_ms),
                UVARINTS[supported_protocols_count] if supported_protocols_count < 256 else uvarint(supported_protocols_count),
            )
            for element_2 in supported_protocols:
                name = element_2.name.encode()
                name_size = len(name) + 1
                metadata = element_2.metadata
                metadata_size = len(metadata) + 1
                content += (
                    UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                    name,
                    UVARINTS[metadata_size] if metadata_size < 256 else uvarint(metadata_size),
                    metadata,
                    b"\0",
                )
            content.append(b"\0")
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ConsumerGroupMemberMetadataValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ConsumerGroupMemberMetadataValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ConsumerGroupMemberMetadataValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ConsumerGroupMemberMetadataValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ConsumerGroupMemberMetadataValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ConsumerGroupMemberMetadataValue v{version} is cut short")
    return result


def encode(message: ConsumerGroupMemberMetadataValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ConsumerGroupMemberMetadataValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ConsumerGroupMemberMetadataValue v{version}: {error}") from error
