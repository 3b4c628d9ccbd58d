"""ConsumerGroupHeartbeatRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    bad_uuid,
    MALFORMED,
    MAX_ELEMENTS,
    missing,
    not_in_version,
    read_int32s,
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
    write_int32s,
    ZERO_UUID,
)

NAME: Final = "ConsumerGroupHeartbeatRequest"
API_KEY: Final = 68
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_pack_u = Struct(">16s").pack
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class TopicPartitions(Wire):
    """TopicPartitions."""

    __slots__ = ("topic_id", "partitions")

    topic_id: bytes
    partitions: list[int]

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: list[int] = UNSET,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class ConsumerGroupHeartbeatRequest(Wire):
    """ConsumerGroupHeartbeatRequest."""

    __slots__ = ("group_id", "member_id", "member_epoch", "instance_id", "rack_id", "rebalance_timeout_ms", "subscribed_topic_names", "subscribed_topic_regex", "server_assignor", "topic_partitions")

    group_id: str
    member_id: str
    member_epoch: int
    instance_id: str | None
    rack_id: str | None
    rebalance_timeout_ms: int
    subscribed_topic_names: list[str] | None
    subscribed_topic_regex: str | None
    server_assignor: str | None
    topic_partitions: list[TopicPartitions] | None

    def __init__(
        self,
        group_id: str = "",
        member_id: str = "",
        member_epoch: int = 0,
        instance_id: str | None = None,
        rack_id: str | None = None,
        rebalance_timeout_ms: int = -1,
        subscribed_topic_names: list[str] | None = None,
        subscribed_topic_regex: str | None = None,
        server_assignor: str | None = None,
        topic_partitions: list[TopicPartitions] | None = None,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.subscribed_topic_names = subscribed_topic_names
        self.subscribed_topic_regex = subscribed_topic_regex
        self.server_assignor = server_assignor
        self.topic_partitions = topic_partitions


def _decode_0(buffer: memoryview, p: int) -> tuple[ConsumerGroupHeartbeatRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("ConsumerGroupHeartbeatRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    member_id_size = buffer[p]
    p += 1
    if member_id_size > 127:
        member_id_size, p = string_tail(buffer, p, member_id_size)
    if member_id_size == 0:
        raise missing("ConsumerGroupHeartbeatRequest.member_id")
    stop = p + member_id_size - 1
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    member_epoch, instance_id_size = _unpack_iB(buffer, p)
    p += 5
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
    rebalance_timeout_ms, subscribed_topic_names_count = _unpack_iB(buffer, p)
    p += 5
    if subscribed_topic_names_count > 127:
        subscribed_topic_names_count, p = uvarint_tail(buffer, p, subscribed_topic_names_count)
    subscribed_topic_names: list[str] | None = None
    if subscribed_topic_names_count:
        subscribed_topic_names_count -= 1
        if subscribed_topic_names_count > room or subscribed_topic_names_count > end - p:
            raise too_many("ConsumerGroupHeartbeatRequest.subscribed_topic_names", subscribed_topic_names_count)
        room -= subscribed_topic_names_count
        subscribed_topic_names = []
        for _ in range(subscribed_topic_names_count):
            element_size = buffer[p]
            p += 1
            if element_size > 127:
                element_size, p = string_tail(buffer, p, element_size)
            if element_size == 0:
                raise missing("ConsumerGroupHeartbeatRequest.subscribed_topic_names")
            stop = p + element_size - 1
            element = buffer[p:stop].tobytes().decode()
            p = stop
            subscribed_topic_names.append(element)
    server_assignor_size = buffer[p]
    p += 1
    if server_assignor_size > 127:
        server_assignor_size, p = string_tail(buffer, p, server_assignor_size)
    server_assignor: str | None = None
    if server_assignor_size:
        stop = p + server_assignor_size - 1
        server_assignor = buffer[p:stop].tobytes().decode()
        p = stop
    topic_partitions_count = buffer[p]
    p += 1
    if topic_partitions_count > 127:
        topic_partitions_count, p = uvarint_tail(buffer, p, topic_partitions_count)
    topic_partitions: list[TopicPartitions] | None = None
    if topic_partitions_count:
        topic_partitions_count -= 1
        if topic_partitions_count > room or topic_partitions_count * 18 > end - p:
            raise too_many("ConsumerGroupHeartbeatRequest.topic_partitions", topic_partitions_count)
        room -= topic_partitions_count
        topic_partitions = []
        for _ in range(topic_partitions_count):
            topic_id, partitions_count = _unpack_uB(buffer, p)
            p += 17
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("ConsumerGroupHeartbeatRequest.topic_partitions.partitions")
            partitions_count -= 1
            partitions = read_int32s(buffer, p, partitions_count)
            p += partitions_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            topic_partitions.append(TopicPartitions(topic_id, partitions))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return ConsumerGroupHeartbeatRequest(group_id, member_id, member_epoch, instance_id, rack_id, rebalance_timeout_ms, subscribed_topic_names, None, server_assignor, topic_partitions), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ConsumerGroupHeartbeatRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("ConsumerGroupHeartbeatRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    member_id_size = buffer[p]
    p += 1
    if member_id_size > 127:
        member_id_size, p = string_tail(buffer, p, member_id_size)
    if member_id_size == 0:
        raise missing("ConsumerGroupHeartbeatRequest.member_id")
    stop = p + member_id_size - 1
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    member_epoch, instance_id_size = _unpack_iB(buffer, p)
    p += 5
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
    rebalance_timeout_ms, subscribed_topic_names_count = _unpack_iB(buffer, p)
    p += 5
    if subscribed_topic_names_count > 127:
        subscribed_topic_names_count, p = uvarint_tail(buffer, p, subscribed_topic_names_count)
    subscribed_topic_names: list[str] | None = None
    if subscribed_topic_names_count:
        subscribed_topic_names_count -= 1
        if subscribed_topic_names_count > room or subscribed_topic_names_count > end - p:
            raise too_many("ConsumerGroupHeartbeatRequest.subscribed_topic_names", subscribed_topic_names_count)
        room -= subscribed_topic_names_count
        subscribed_topic_names = []
        for _ in range(subscribed_topic_names_count):
            element_size = buffer[p]
            p += 1
            if element_size > 127:
                element_size, p = string_tail(buffer, p, element_size)
            if element_size == 0:
                raise missing("ConsumerGroupHeartbeatRequest.subscribed_topic_names")
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
    server_assignor_size = buffer[p]
    p += 1
    if server_assignor_size > 127:
        server_assignor_size, p = string_tail(buffer, p, server_assignor_size)
    server_assignor: str | None = None
    if server_assignor_size:
        stop = p + server_assignor_size - 1
        server_assignor = buffer[p:stop].tobytes().decode()
        p = stop
    topic_partitions_count = buffer[p]
    p += 1
    if topic_partitions_count > 127:
        topic_partitions_count, p = uvarint_tail(buffer, p, topic_partitions_count)
    topic_partitions: list[TopicPartitions] | None = None
    if topic_partitions_count:
        topic_partitions_count -= 1
        if topic_partitions_count > room or topic_partitions_count * 18 > end - p:
            raise too_many("ConsumerGroupHeartbeatRequest.topic_partitions", topic_partitions_count)
        room -= topic_partitions_count
        topic_partitions = []
        for _ in range(topic_partitions_count):
            topic_id, partitions_count = _unpack_uB(buffer, p)
            p += 17
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("ConsumerGroupHeartbeatRequest.topic_partitions.partitions")
            partitions_count -= 1
            partitions = read_int32s(buffer, p, partitions_count)
            p += partitions_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            topic_partitions.append(TopicPartitions(topic_id, partitions))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return ConsumerGroupHeartbeatRequest(group_id, member_id, member_epoch, instance_id, rack_id, rebalance_timeout_ms, subscribed_topic_names, subscribed_topic_regex, server_assignor, topic_partitions), p


def _encode_0(message: ConsumerGroupHeartbeatRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    member_id = message.member_id.encode()
    member_id_size = len(member_id) + 1
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
    subscribed_topic_names = message.subscribed_topic_names
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        _pack_i(message.member_epoch),
        UVARINTS[instance_id_size] if instance_id_size < 256 else string_prefix(instance_id_size),
        instance_id,
        UVARINTS[rack_id_size] if rack_id_size < 256 else string_prefix(rack_id_size),
        rack_id,
        _pack_i(message.rebalance_timeout_ms),
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
    if message.subscribed_topic_regex is not None:
        raise not_in_version("ConsumerGroupHeartbeatRequest.subscribed_topic_regex")
    server_assignor_value = message.server_assignor
    if server_assignor_value is None:
        server_assignor_size, server_assignor = 0, b""
    else:
        server_assignor = server_assignor_value.encode()
        server_assignor_size = len(server_assignor) + 1
    topic_partitions = message.topic_partitions
    out += (
        UVARINTS[server_assignor_size] if server_assignor_size < 256 else string_prefix(server_assignor_size),
        server_assignor,
    )
    if topic_partitions is None:
        out.append(b"\0")
    else:
        topic_partitions_count = len(topic_partitions) + 1
        out.append(UVARINTS[topic_partitions_count] if topic_partitions_count < 256 else uvarint(topic_partitions_count))
        for element_2 in topic_partitions:
            topic_id = element_2.topic_id
            if len(topic_id) != 16:
                raise bad_uuid("ConsumerGroupHeartbeatRequest.topic_partitions.topic_id")
            partitions = element_2.partitions
            partitions_count = len(partitions) + 1
            out += (
                _pack_u(topic_id),
                UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
                write_int32s(partitions),
                b"\0",
            )
    out.append(b"\0")
    return b"".join(out)


def _encode_1(message: ConsumerGroupHeartbeatRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    member_id = message.member_id.encode()
    member_id_size = len(member_id) + 1
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
    subscribed_topic_names = message.subscribed_topic_names
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        _pack_i(message.member_epoch),
        UVARINTS[instance_id_size] if instance_id_size < 256 else string_prefix(instance_id_size),
        instance_id,
        UVARINTS[rack_id_size] if rack_id_size < 256 else string_prefix(rack_id_size),
        rack_id,
        _pack_i(message.rebalance_timeout_ms),
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
    topic_partitions = message.topic_partitions
    out += (
        UVARINTS[subscribed_topic_regex_size] if subscribed_topic_regex_size < 256 else string_prefix(subscribed_topic_regex_size),
        subscribed_topic_regex,
        UVARINTS[server_assignor_size] if server_assignor_size < 256 else string_prefix(server_assignor_size),
        server_assignor,
    )
    if topic_partitions is None:
        out.append(b"\0")
    else:
        topic_partitions_count = len(topic_partitions) + 1
        out.append(UVARINTS[topic_partitions_count] if topic_partitions_count < 256 else uvarint(topic_partitions_count))
        for element_2 in topic_partitions:
            topic_id = element_2.topic_id
            if len(topic_id) != 16:
                raise bad_uuid("ConsumerGroupHeartbeatRequest.topic_partitions.topic_id")
            partitions = element_2.partitions
            partitions_count = len(partitions) + 1
            out += (
                _pack_u(topic_id),
                UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
                write_int32s(partitions),
                b"\0",
            )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ConsumerGroupHeartbeatRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[ConsumerGroupHeartbeatRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ConsumerGroupHeartbeatRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ConsumerGroupHeartbeatRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ConsumerGroupHeartbeatRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ConsumerGroupHeartbeatRequest v{version} is cut short")
    return result


def encode(message: ConsumerGroupHeartbeatRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ConsumerGroupHeartbeatRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ConsumerGroupHeartbeatRequest v{version}: {error}") from error
