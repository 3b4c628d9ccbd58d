"""ProduceRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    join_parts,
    MALFORMED,
    MAX_ELEMENTS,
    missing,
    Part,
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
    ZERO_UUID,
)

NAME: Final = "ProduceRequest"
API_KEY: Final = 0
VERSIONS: Final[tuple[int, int]] = (3, 13)
FLEXIBLE_FROM: Final = 9
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_hiB = Struct(">hiB").unpack_from
_unpack_hii = Struct(">hii").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_pack_u = Struct(">16s").pack
_pack_h = Struct(">h").pack
_pack_hi = Struct(">hi").pack
_pack_hii = Struct(">hii").pack
_pack_i = Struct(">i").pack
_pack_ii = Struct(">ii").pack


@dataclass(init=False, repr=False, eq=False)
class PartitionProduceData(Wire):
    """PartitionProduceData."""

    __slots__ = ("index", "records")

    index: int
    records: Part | None

    def __init__(
        self,
        index: int = 0,
        records: Part | None = None,
    ) -> None:
        self.index = index
        self.records = records


@dataclass(init=False, repr=False, eq=False)
class TopicProduceData(Wire):
    """TopicProduceData."""

    __slots__ = ("name", "topic_id", "partition_data")

    name: str
    topic_id: bytes
    partition_data: list[PartitionProduceData]

    def __init__(
        self,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        partition_data: list[PartitionProduceData] = UNSET,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partition_data = [] if partition_data is UNSET else partition_data


@dataclass(init=False, repr=False, eq=False)
class ProduceRequest(Wire):
    """ProduceRequest."""

    __slots__ = ("transactional_id", "acks", "timeout_ms", "topic_data")

    transactional_id: str | None
    acks: int
    timeout_ms: int
    topic_data: list[TopicProduceData]

    def __init__(
        self,
        transactional_id: str | None = None,
        acks: int = 0,
        timeout_ms: int = 0,
        topic_data: list[TopicProduceData] = UNSET,
    ) -> None:
        self.transactional_id = transactional_id
        self.acks = acks
        self.timeout_ms = timeout_ms
        self.topic_data = [] if topic_data is UNSET else topic_data


def _decode_0(buffer: memoryview, p: int) -> tuple[ProduceRequest, int]:
    """Versions 3, 4, 5, 6, 7, 8."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (transactional_id_size,) = _unpack_h(buffer, p)
    p += 2
    transactional_id: str | None = None
    if transactional_id_size >= 0:
        stop = p + transactional_id_size
        transactional_id = buffer[p:stop].tobytes().decode()
        p = stop
    elif transactional_id_size != -1:
        raise missing("ProduceRequest.transactional_id")
    acks, timeout_ms, topic_data_count = _unpack_hii(buffer, p)
    p += 10
    if topic_data_count < 0:
        raise missing("ProduceRequest.topic_data")
    if topic_data_count > room or topic_data_count * 6 > end - p:
        raise too_many("ProduceRequest.topic_data", topic_data_count)
    room -= topic_data_count
    topic_data: list[TopicProduceData] = []
    for _ in range(topic_data_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("ProduceRequest.topic_data.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partition_data_count,) = _unpack_i(buffer, p)
        p += 4
        if partition_data_count < 0:
            raise missing("ProduceRequest.topic_data.partition_data")
        if partition_data_count > room or partition_data_count * 8 > end - p:
            raise too_many("ProduceRequest.topic_data.partition_data", partition_data_count)
        room -= partition_data_count
        partition_data: list[PartitionProduceData] = []
        for _ in range(partition_data_count):
            index, records_size = _unpack_ii(buffer, p)
            p += 8
            records: memoryview | None = None
            if records_size >= 0:
                stop = p + records_size
                records = buffer[p:stop]
                p = stop
            elif records_size != -1:
                raise missing("ProduceRequest.topic_data.partition_data.records")
            partition_data.append(PartitionProduceData(index, records))
        topic_data.append(TopicProduceData(name, ZERO_UUID, partition_data))
    return ProduceRequest(transactional_id, acks, timeout_ms, topic_data), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ProduceRequest, int]:
    """Versions 9, 10, 11, 12."""
    end = len(buffer)
    room = MAX_ELEMENTS
    transactional_id_size = buffer[p]
    p += 1
    if transactional_id_size > 127:
        transactional_id_size, p = string_tail(buffer, p, transactional_id_size)
    transactional_id: str | None = None
    if transactional_id_size:
        stop = p + transactional_id_size - 1
        transactional_id = buffer[p:stop].tobytes().decode()
        p = stop
    acks, timeout_ms, topic_data_count = _unpack_hiB(buffer, p)
    p += 7
    if topic_data_count > 127:
        topic_data_count, p = uvarint_tail(buffer, p, topic_data_count)
    if topic_data_count == 0:
        raise missing("ProduceRequest.topic_data")
    topic_data_count -= 1
    if topic_data_count > room or topic_data_count * 3 > end - p:
        raise too_many("ProduceRequest.topic_data", topic_data_count)
    room -= topic_data_count
    topic_data: list[TopicProduceData] = []
    for _ in range(topic_data_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("ProduceRequest.topic_data.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partition_data_count = buffer[p]
        p += 1
        if partition_data_count > 127:
            partition_data_count, p = uvarint_tail(buffer, p, partition_data_count)
        if partition_data_count == 0:
            raise missing("ProduceRequest.topic_data.partition_data")
        partition_data_count -= 1
        if partition_data_count > room or partition_data_count * 6 > end - p:
            raise too_many("ProduceRequest.topic_data.partition_data", partition_data_count)
        room -= partition_data_count
        partition_data: list[PartitionProduceData] = []
        for _ in range(partition_data_count):
            index, records_size = _unpack_iB(buffer, p)
            p += 5
            if records_size > 127:
                records_size, p = uvarint_tail(buffer, p, records_size)
            records: memoryview | None = None
            if records_size:
                stop = p + records_size - 1
                records = buffer[p:stop]
                p = stop
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            partition_data.append(PartitionProduceData(index, records))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topic_data.append(TopicProduceData(name, ZERO_UUID, partition_data))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return ProduceRequest(transactional_id, acks, timeout_ms, topic_data), p


def _decode_2(buffer: memoryview, p: int) -> tuple[ProduceRequest, int]:
    """Versions 13."""
    end = len(buffer)
    room = MAX_ELEMENTS
    transactional_id_size = buffer[p]
    p += 1
    if transactional_id_size > 127:
        transactional_id_size, p = string_tail(buffer, p, transactional_id_size)
    transactional_id: str | None = None
    if transactional_id_size:
        stop = p + transactional_id_size - 1
        transactional_id = buffer[p:stop].tobytes().decode()
        p = stop
    acks, timeout_ms, topic_data_count = _unpack_hiB(buffer, p)
    p += 7
    if topic_data_count > 127:
        topic_data_count, p = uvarint_tail(buffer, p, topic_data_count)
    if topic_data_count == 0:
        raise missing("ProduceRequest.topic_data")
    topic_data_count -= 1
    if topic_data_count > room or topic_data_count * 18 > end - p:
        raise too_many("ProduceRequest.topic_data", topic_data_count)
    room -= topic_data_count
    topic_data: list[TopicProduceData] = []
    for _ in range(topic_data_count):
        topic_id, partition_data_count = _unpack_uB(buffer, p)
        p += 17
        if partition_data_count > 127:
            partition_data_count, p = uvarint_tail(buffer, p, partition_data_count)
        if partition_data_count == 0:
            raise missing("ProduceRequest.topic_data.partition_data")
        partition_data_count -= 1
        if partition_data_count > room or partition_data_count * 6 > end - p:
            raise too_many("ProduceRequest.topic_data.partition_data", partition_data_count)
        room -= partition_data_count
        partition_data: list[PartitionProduceData] = []
        for _ in range(partition_data_count):
            index, records_size = _unpack_iB(buffer, p)
            p += 5
            if records_size > 127:
                records_size, p = uvarint_tail(buffer, p, records_size)
            records: memoryview | None = None
            if records_size:
                stop = p + records_size - 1
                records = buffer[p:stop]
                p = stop
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            partition_data.append(PartitionProduceData(index, records))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topic_data.append(TopicProduceData("", topic_id, partition_data))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return ProduceRequest(transactional_id, acks, timeout_ms, topic_data), p


def _encode_0(message: ProduceRequest) -> list[Part]:
    """Versions 3, 4, 5, 6, 7, 8."""
    out: list[bytes] = []
    parts: list[Part] = []
    transactional_id_value = message.transactional_id
    if transactional_id_value is None:
        transactional_id_size, transactional_id = -1, b""
    else:
        transactional_id = transactional_id_value.encode()
        transactional_id_size = len(transactional_id)
    topic_data = message.topic_data
    out += (
        _pack_h(transactional_id_size),
        transactional_id,
        _pack_hii(message.acks, message.timeout_ms, len(topic_data)),
    )
    for element in topic_data:
        name = element.name.encode()
        name_size = len(name)
        partition_data = element.partition_data
        out += (_pack_h(name_size), name, _pack_i(len(partition_data)))
        for element_2 in partition_data:
            records_value = element_2.records
            if records_value is None:
                records_size, records = -1, None
            else:
                records = records_value
                records_size = len(records)
            out.append(_pack_ii(element_2.index, records_size))
            if records:
                parts.append(b"".join(out))
                parts.append(records)
                out = []
    if out:
        parts.append(b"".join(out))
    return parts


def _encode_1(message: ProduceRequest) -> list[Part]:
    """Versions 9, 10, 11, 12."""
    out: list[bytes] = []
    parts: list[Part] = []
    transactional_id_value = message.transactional_id
    if transactional_id_value is None:
        transactional_id_size, transactional_id = 0, b""
    else:
        transactional_id = transactional_id_value.encode()
        transactional_id_size = len(transactional_id) + 1
    topic_data = message.topic_data
    topic_data_count = len(topic_data) + 1
    out += (
        UVARINTS[transactional_id_size] if transactional_id_size < 256 else string_prefix(transactional_id_size),
        transactional_id,
        _pack_hi(message.acks, message.timeout_ms),
        UVARINTS[topic_data_count] if topic_data_count < 256 else uvarint(topic_data_count),
    )
    for element in topic_data:
        name = element.name.encode()
        name_size = len(name) + 1
        partition_data = element.partition_data
        partition_data_count = len(partition_data) + 1
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            UVARINTS[partition_data_count] if partition_data_count < 256 else uvarint(partition_data_count),
        )
        for element_2 in partition_data:
            records_value = element_2.records
            if records_value is None:
                records_size, records = 0, None
            else:
                records = records_value
                records_size = len(records) + 1
            out += (
                _pack_i(element_2.index),
                UVARINTS[records_size] if records_size < 256 else uvarint(records_size),
            )
            if records:
                parts.append(b"".join(out))
                parts.append(records)
                out = []
            out.append(b"\0")
        out.append(b"\0")
    out.append(b"\0")
    if out:
        parts.append(b"".join(out))
    return parts


def _encode_2(message: ProduceRequest) -> list[Part]:
    """Versions 13."""
    out: list[bytes] = []
    parts: list[Part] = []
    transactional_id_value = message.transactional_id
    if transactional_id_value is None:
        transactional_id_size, transactional_id = 0, b""
    else:
        transactional_id = transactional_id_value.encode()
        transactional_id_size = len(transactional_id) + 1
    topic_data = message.topic_data
    topic_data_count = len(topic_data) + 1
    out += (
        UVARINTS[transactional_id_size] if transactional_id_size < 256 else string_prefix(transactional_id_size),
        transactional_id,
        _pack_hi(message.acks, message.timeout_ms),
        UVARINTS[topic_data_count] if topic_data_count < 256 else uvarint(topic_data_count),
    )
    for element in topic_data:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("ProduceRequest.topic_data.topic_id")
        partition_data = element.partition_data
        partition_data_count = len(partition_data) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partition_data_count] if partition_data_count < 256 else uvarint(partition_data_count),
        )
        for element_2 in partition_data:
            records_value = element_2.records
            if records_value is None:
                records_size, records = 0, None
            else:
                records = records_value
                records_size = len(records) + 1
            out += (
                _pack_i(element_2.index),
                UVARINTS[records_size] if records_size < 256 else uvarint(records_size),
            )
            if records:
                parts.append(b"".join(out))
                parts.append(records)
                out = []
            out.append(b"\0")
        out.append(b"\0")
    out.append(b"\0")
    if out:
        parts.append(b"".join(out))
    return parts


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ProduceRequest, int]]]] = {
    3: _decode_0,
    4: _decode_0,
    5: _decode_0,
    6: _decode_0,
    7: _decode_0,
    8: _decode_0,
    9: _decode_1,
    10: _decode_1,
    11: _decode_1,
    12: _decode_1,
    13: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[ProduceRequest], list[Part]]]] = {
    3: _encode_0,
    4: _encode_0,
    5: _encode_0,
    6: _encode_0,
    7: _encode_0,
    8: _encode_0,
    9: _encode_1,
    10: _encode_1,
    11: _encode_1,
    12: _encode_1,
    13: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ProduceRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ProduceRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ProduceRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ProduceRequest v{version} is cut short")
    return result


def encode_parts(message: ProduceRequest, version: int) -> list[Part]:
    """The encoded message in pieces; records are passed on as they are."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ProduceRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ProduceRequest v{version}: {error}") from error


def encode(message: ProduceRequest, version: int) -> bytes:
    """The encoded message in one piece; file slices are read."""
    return join_parts(encode_parts(message, version))
