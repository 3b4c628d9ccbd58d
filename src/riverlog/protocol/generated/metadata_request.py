"""MetadataRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    null_refused,
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

NAME: Final = "MetadataRequest"
API_KEY: Final = 3
VERSIONS: Final[tuple[int, int]] = (0, 13)
FLEXIBLE_FROM: Final = 9
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_zzz = Struct(">???").unpack_from
_unpack_zzzB = Struct(">???B").unpack_from
_unpack_zzB = Struct(">??B").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_pack_u = Struct(">16s").pack
_pack_z = Struct(">?").pack
_pack_zzz = Struct(">???").pack
_pack_zzzx = Struct(">???x").pack
_pack_zzx = Struct(">??x").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class MetadataRequestTopic(Wire):
    """MetadataRequestTopic."""

    __slots__ = ("topic_id", "name")

    topic_id: bytes
    name: str | None

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        name: str | None = "",
    ) -> None:
        self.topic_id = topic_id
        self.name = name


@dataclass(init=False, repr=False, eq=False)
class MetadataRequest(Wire):
    """MetadataRequest."""

    __slots__ = ("topics", "allow_auto_topic_creation", "include_cluster_authorized_operations", "include_topic_authorized_operations")

    topics: list[MetadataRequestTopic] | None
    allow_auto_topic_creation: bool
    include_cluster_authorized_operations: bool
    include_topic_authorized_operations: bool

    def __init__(
        self,
        topics: list[MetadataRequestTopic] | None = UNSET,
        allow_auto_topic_creation: bool = True,
        include_cluster_authorized_operations: bool = False,
        include_topic_authorized_operations: bool = False,
    ) -> None:
        self.topics = [] if topics is UNSET else topics
        self.allow_auto_topic_creation = allow_auto_topic_creation
        self.include_cluster_authorized_operations = include_cluster_authorized_operations
        self.include_topic_authorized_operations = include_topic_authorized_operations


def _decode_0(buffer: memoryview, p: int) -> tuple[MetadataRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("MetadataRequest.topics")
    if topics_count > room or topics_count * 2 > end - p:
        raise too_many("MetadataRequest.topics", topics_count)
    room -= topics_count
    topics: list[MetadataRequestTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("MetadataRequest.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        topics.append(MetadataRequestTopic(ZERO_UUID, name))
    return MetadataRequest(topics, True, False, False), p


def _decode_1(buffer: memoryview, p: int) -> tuple[MetadataRequest, int]:
    """Versions 1, 2, 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    topics: list[MetadataRequestTopic] | None = None
    if topics_count >= 0:
        if topics_count > room or topics_count * 2 > end - p:
            raise too_many("MetadataRequest.topics", topics_count)
        room -= topics_count
        topics = []
        for _ in range(topics_count):
            (name_size,) = _unpack_h(buffer, p)
            p += 2
            if name_size < 0:
                raise missing("MetadataRequest.topics.name")
            stop = p + name_size
            name = buffer[p:stop].tobytes().decode()
            p = stop
            topics.append(MetadataRequestTopic(ZERO_UUID, name))
    elif topics_count != -1:
        raise missing("MetadataRequest.topics")
    return MetadataRequest(topics, True, False, False), p


def _decode_2(buffer: memoryview, p: int) -> tuple[MetadataRequest, int]:
    """Versions 4, 5, 6, 7."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    topics: list[MetadataRequestTopic] | None = None
    if topics_count >= 0:
        if topics_count > room or topics_count * 2 > end - p:
            raise too_many("MetadataRequest.topics", topics_count)
        room -= topics_count
        topics = []
        for _ in range(topics_count):
            (name_size,) = _unpack_h(buffer, p)
            p += 2
            if name_size < 0:
                raise missing("MetadataRequest.topics.name")
            stop = p + name_size
            name = buffer[p:stop].tobytes().decode()
            p = stop
            topics.append(MetadataRequestTopic(ZERO_UUID, name))
    elif topics_count != -1:
        raise missing("MetadataRequest.topics")
    allow_auto_topic_creation = buffer[p] != 0
    p += 1
    return MetadataRequest(topics, allow_auto_topic_creation, False, False), p


def _decode_3(buffer: memoryview, p: int) -> tuple[MetadataRequest, int]:
    """Versions 8."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    topics: list[MetadataRequestTopic] | None = None
    if topics_count >= 0:
        if topics_count > room or topics_count * 2 > end - p:
            raise too_many("MetadataRequest.topics", topics_count)
        room -= topics_count
        topics = []
        for _ in range(topics_count):
            (name_size,) = _unpack_h(buffer, p)
            p += 2
            if name_size < 0:
                raise missing("MetadataRequest.topics.name")
            stop = p + name_size
            name = buffer[p:stop].tobytes().decode()
            p = stop
            topics.append(MetadataRequestTopic(ZERO_UUID, name))
    elif topics_count != -1:
        raise missing("MetadataRequest.topics")
    allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations = _unpack_zzz(buffer, p)
    p += 3
    return MetadataRequest(topics, allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations), p


def _decode_4(buffer: memoryview, p: int) -> tuple[MetadataRequest, int]:
    """Versions 9."""
    end = len(buffer)
    room = MAX_ELEMENTS
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    topics: list[MetadataRequestTopic] | None = None
    if topics_count:
        topics_count -= 1
        if topics_count > room or topics_count * 2 > end - p:
            raise too_many("MetadataRequest.topics", topics_count)
        room -= topics_count
        topics = []
        for _ in range(topics_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("MetadataRequest.topics.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            topics.append(MetadataRequestTopic(ZERO_UUID, name))
    allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations, tags_2 = _unpack_zzzB(buffer, p)
    p += 4
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return MetadataRequest(topics, allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations), p


def _decode_5(buffer: memoryview, p: int) -> tuple[MetadataRequest, int]:
    """Versions 10."""
    end = len(buffer)
    room = MAX_ELEMENTS
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    topics: list[MetadataRequestTopic] | None = None
    if topics_count:
        topics_count -= 1
        if topics_count > room or topics_count * 18 > end - p:
            raise too_many("MetadataRequest.topics", topics_count)
        room -= topics_count
        topics = []
        for _ in range(topics_count):
            topic_id, name_size = _unpack_uB(buffer, p)
            p += 17
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            name: str | None = None
            if name_size:
                stop = p + name_size - 1
                name = buffer[p:stop].tobytes().decode()
                p = stop
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            topics.append(MetadataRequestTopic(topic_id, name))
    allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations, tags_2 = _unpack_zzzB(buffer, p)
    p += 4
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return MetadataRequest(topics, allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations), p


def _decode_6(buffer: memoryview, p: int) -> tuple[MetadataRequest, int]:
    """Versions 11, 12, 13."""
    end = len(buffer)
    room = MAX_ELEMENTS
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    topics: list[MetadataRequestTopic] | None = None
    if topics_count:
        topics_count -= 1
        if topics_count > room or topics_count * 18 > end - p:
            raise too_many("MetadataRequest.topics", topics_count)
        room -= topics_count
        topics = []
        for _ in range(topics_count):
            topic_id, name_size = _unpack_uB(buffer, p)
            p += 17
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            name: str | None = None
            if name_size:
                stop = p + name_size - 1
                name = buffer[p:stop].tobytes().decode()
                p = stop
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            topics.append(MetadataRequestTopic(topic_id, name))
    allow_auto_topic_creation, include_topic_authorized_operations, tags_2 = _unpack_zzB(buffer, p)
    p += 3
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return MetadataRequest(topics, allow_auto_topic_creation, False, include_topic_authorized_operations), p


def _encode_0(message: MetadataRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    topics_value = message.topics
    if topics_value is None:
        raise null_refused("MetadataRequest.topics")
    topics = topics_value
    out.append(_pack_i(len(topics)))
    for element in topics:
        name_value = element.name
        if name_value is None:
            raise null_refused("MetadataRequest.topics.name")
        name = name_value.encode()
        name_size = len(name)
        out += (_pack_h(name_size), name)
    if not message.allow_auto_topic_creation:
        raise not_in_version("MetadataRequest.allow_auto_topic_creation")
    if message.include_cluster_authorized_operations:
        raise not_in_version("MetadataRequest.include_cluster_authorized_operations")
    if message.include_topic_authorized_operations:
        raise not_in_version("MetadataRequest.include_topic_authorized_operations")
    return b"".join(out)


def _encode_1(message: MetadataRequest) -> bytes:
    """Versions 1, 2, 3."""
    out: list[bytes] = []
    topics = message.topics
    if topics is None:
        out.append(b"\xff\xff\xff\xff")
    else:
        out.append(_pack_i(len(topics)))
        for element in topics:
            name_value = element.name
            if name_value is None:
                raise null_refused("MetadataRequest.topics.name")
            name = name_value.encode()
            name_size = len(name)
            out += (_pack_h(name_size), name)
    if not message.allow_auto_topic_creation:
        raise not_in_version("MetadataRequest.allow_auto_topic_creation")
    if message.include_cluster_authorized_operations:
        raise not_in_version("MetadataRequest.include_cluster_authorized_operations")
    if message.include_topic_authorized_operations:
        raise not_in_version("MetadataRequest.include_topic_authorized_operations")
    return b"".join(out)


def _encode_2(message: MetadataRequest) -> bytes:
    """Versions 4, 5, 6, 7."""
    out: list[bytes] = []
    topics = message.topics
    if topics is None:
        out.append(b"\xff\xff\xff\xff")
    else:
        out.append(_pack_i(len(topics)))
        for element in topics:
            name_value = element.name
            if name_value is None:
                raise null_refused("MetadataRequest.topics.name")
            name = name_value.encode()
            name_size = len(name)
            out += (_pack_h(name_size), name)
    if message.include_cluster_authorized_operations:
        raise not_in_version("MetadataRequest.include_cluster_authorized_operations")
    if message.include_topic_authorized_operations:
        raise not_in_version("MetadataRequest.include_topic_authorized_operations")
    out.append(_pack_z(message.allow_auto_topic_creation))
    return b"".join(out)


def _encode_3(message: MetadataRequest) -> bytes:
    """Versions 8."""
    out: list[bytes] = []
    topics = message.topics
    if topics is None:
        out.append(b"\xff\xff\xff\xff")
    else:
        out.append(_pack_i(len(topics)))
        for element in topics:
            name_value = element.name
            if name_value is None:
                raise null_refused("MetadataRequest.topics.name")
            name = name_value.encode()
            name_size = len(name)
            out += (_pack_h(name_size), name)
    out.append(_pack_zzz(message.allow_auto_topic_creation, message.include_cluster_authorized_operations, message.include_topic_authorized_operations))
    return b"".join(out)


def _encode_4(message: MetadataRequest) -> bytes:
    """Versions 9."""
    out: list[bytes] = []
    topics = message.topics
    if topics is None:
        out.append(b"\0")
    else:
        topics_count = len(topics) + 1
        out.append(UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
        for element in topics:
            name_value = element.name
            if name_value is None:
                raise null_refused("MetadataRequest.topics.name")
            name = name_value.encode()
            name_size = len(name) + 1
            out += (UVARINTS[name_size] if name_size < 256 else string_prefix(name_size), name, b"\0")
    out.append(_pack_zzzx(message.allow_auto_topic_creation, message.include_cluster_authorized_operations, message.include_topic_authorized_operations))
    return b"".join(out)


def _encode_5(message: MetadataRequest) -> bytes:
    """Versions 10."""
    out: list[bytes] = []
    topics = message.topics
    if topics is None:
        out.append(b"\0")
    else:
        topics_count = len(topics) + 1
        out.append(UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
        for element in topics:
            topic_id = element.topic_id
            if len(topic_id) != 16:
                raise bad_uuid("MetadataRequest.topics.topic_id")
            name_value = element.name
            if name_value is None:
                name_size, name = 0, b""
            else:
                name = name_value.encode()
                name_size = len(name) + 1
            out += (
                _pack_u(topic_id),
                UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                name,
                b"\0",
            )
    out.append(_pack_zzzx(message.allow_auto_topic_creation, message.include_cluster_authorized_operations, message.include_topic_authorized_operations))
    return b"".join(out)


def _encode_6(message: MetadataRequest) -> bytes:
    """Versions 11, 12, 13."""
    out: list[bytes] = []
    topics = message.topics
    if topics is None:
        out.append(b"\0")
    else:
        topics_count = len(topics) + 1
        out.append(UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
        for element in topics:
            topic_id = element.topic_id
            if len(topic_id) != 16:
                raise bad_uuid("MetadataRequest.topics.topic_id")
            name_value = element.name
            if name_value is None:
                name_size, name = 0, b""
            else:
                name = name_value.encode()
                name_size = len(name) + 1
            out += (
                _pack_u(topic_id),
                UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                name,
                b"\0",
            )
    if message.include_cluster_authorized_operations:
        raise not_in_version("MetadataRequest.include_cluster_authorized_operations")
    out.append(_pack_zzx(message.allow_auto_topic_creation, message.include_topic_authorized_operations))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[MetadataRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_1,
    3: _decode_1,
    4: _decode_2,
    5: _decode_2,
    6: _decode_2,
    7: _decode_2,
    8: _decode_3,
    9: _decode_4,
    10: _decode_5,
    11: _decode_6,
    12: _decode_6,
    13: _decode_6,
}
_ENCODERS: Final[dict[int, Callable[[MetadataRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_1,
    3: _encode_1,
    4: _encode_2,
    5: _encode_2,
    6: _encode_2,
    7: _encode_2,
    8: _encode_3,
    9: _encode_4,
    10: _encode_5,
    11: _encode_6,
    12: _encode_6,
    13: _encode_6,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[MetadataRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"MetadataRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"MetadataRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"MetadataRequest v{version} is cut short")
    return result


def encode(message: MetadataRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"MetadataRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"MetadataRequest v{version}: {error}") from error
