"""CreateTopicsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    ZERO_UUID,
)

NAME: Final = "CreateTopicsResponse"
API_KEY: Final = 19
VERSIONS: Final[tuple[int, int]] = (2, 7)
FLEXIBLE_FROM: Final = 5
LATEST_UNSTABLE: Final = False

_unpack_uhB = Struct(">16shB").unpack_from
_unpack_zbzB = Struct(">?b?B").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_hh = Struct(">hh").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_pack_uh = Struct(">16sh").pack
_pack_zbzx = Struct(">?b?x").pack
_pack_h = Struct(">h").pack
_pack_hh = Struct(">hh").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_ii = Struct(">ii").pack


@dataclass(init=False, repr=False, eq=False)
class CreatableTopicConfigs(Wire):
    """CreatableTopicConfigs."""

    __slots__ = ("name", "value", "read_only", "config_source", "is_sensitive")

    name: str
    value: str | None
    read_only: bool
    config_source: int
    is_sensitive: bool

    def __init__(
        self,
        name: str = "",
        value: str | None = "",
        read_only: bool = False,
        config_source: int = -1,
        is_sensitive: bool = False,
    ) -> None:
        self.name = name
        self.value = value
        self.read_only = read_only
        self.config_source = config_source
        self.is_sensitive = is_sensitive


@dataclass(init=False, repr=False, eq=False)
class CreatableTopicResult(Wire):
    """CreatableTopicResult."""

    __slots__ = ("name", "topic_id", "error_code", "error_message", "topic_config_error_code", "num_partitions", "replication_factor", "configs")

    name: str
    topic_id: bytes
    error_code: int
    error_message: str | None
    topic_config_error_code: int
    num_partitions: int
    replication_factor: int
    configs: list[CreatableTopicConfigs] | None

    def __init__(
        self,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        error_code: int = 0,
        error_message: str | None = "",
        topic_config_error_code: int = 0,
        num_partitions: int = -1,
        replication_factor: int = -1,
        configs: list[CreatableTopicConfigs] | None = UNSET,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.error_code = error_code
        self.error_message = error_message
        self.topic_config_error_code = topic_config_error_code
        self.num_partitions = num_partitions
        self.replication_factor = replication_factor
        self.configs = [] if configs is UNSET else configs


@dataclass(init=False, repr=False, eq=False)
class CreateTopicsResponse(Wire):
    """CreateTopicsResponse."""

    __slots__ = ("throttle_time_ms", "topics")

    throttle_time_ms: int
    topics: list[CreatableTopicResult]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[CreatableTopicResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[CreateTopicsResponse, int]:
    """Versions 2, 3, 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_ii(buffer, p)
    p += 8
    if topics_count < 0:
        raise missing("CreateTopicsResponse.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("CreateTopicsResponse.topics", topics_count)
    room -= topics_count
    topics: list[CreatableTopicResult] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("CreateTopicsResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        error_code, error_message_size = _unpack_hh(buffer, p)
        p += 4
        error_message: str | None = None
        if error_message_size >= 0:
            stop = p + error_message_size
            error_message = buffer[p:stop].tobytes().decode()
            p = stop
        elif error_message_size != -1:
            raise missing("CreateTopicsResponse.topics.error_message")
        topics.append(CreatableTopicResult(name, ZERO_UUID, error_code, error_message, 0, -1, -1, []))
    return CreateTopicsResponse(throttle_time_ms, topics), p


def _decode_1(buffer: memoryview, p: int) -> tuple[CreateTopicsResponse, int]:
    """Versions 5, 6."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("CreateTopicsResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 12 > end - p:
        raise too_many("CreateTopicsResponse.topics", topics_count)
    room -= topics_count
    topics: list[CreatableTopicResult] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("CreateTopicsResponse.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        error_code, error_message_size = _unpack_hB(buffer, p)
        p += 3
        if error_message_size > 127:
            error_message_size, p = string_tail(buffer, p, error_message_size)
        error_message: str | None = None
        if error_message_size:
            stop = p + error_message_size - 1
            error_message = buffer[p:stop].tobytes().decode()
            p = stop
        num_partitions, replication_factor, configs_count = _unpack_ihB(buffer, p)
        p += 7
        if configs_count > 127:
            configs_count, p = uvarint_tail(buffer, p, configs_count)
        configs: list[CreatableTopicConfigs] | None = None
        if configs_count:
            configs_count -= 1
            if configs_count > room or configs_count * 6 > end - p:
                raise too_many("CreateTopicsResponse.topics.configs", configs_count)
            room -= configs_count
            configs = []
            for _ in range(configs_count):
                name_size_2 = buffer[p]
                p += 1
                if name_size_2 > 127:
                    name_size_2, p = string_tail(buffer, p, name_size_2)
                if name_size_2 == 0:
                    raise missing("CreateTopicsResponse.topics.configs.name")
                stop = p + name_size_2 - 1
                name_2 = buffer[p:stop].tobytes().decode()
                p = stop
                value_size = buffer[p]
                p += 1
                if value_size > 127:
                    value_size, p = string_tail(buffer, p, value_size)
                value: str | None = None
                if value_size:
                    stop = p + value_size - 1
                    value = buffer[p:stop].tobytes().decode()
                    p = stop
                read_only, config_source, is_sensitive, tags = _unpack_zbzB(buffer, p)
                p += 4
                if tags:
                    p = skip_tags(buffer, p, tags)
                configs.append(CreatableTopicConfigs(name_2, value, read_only, config_source, is_sensitive))
        tags_2 = buffer[p]
        p += 1
        topic_config_error_code: int = 0
        if tags_2:
            if tags_2 > 127:
                tags_2, p = uvarint_tail(buffer, p, tags_2)
            tag = -1
            for _ in range(tags_2):
                tag, tag_stop, p = read_tag(buffer, p, tag)
                if tag == 0:
                    (topic_config_error_code_2,) = _unpack_h(buffer, p)
                    p += 2
                    topic_config_error_code = topic_config_error_code_2
                else:
                    p = tag_stop
                if p != tag_stop:
                    raise DecodeError("CreateTopicsResponse.topics: a tagged field is not of its size")
        topics.append(CreatableTopicResult(name, ZERO_UUID, error_code, error_message, topic_config_error_code, num_partitions, replication_factor, configs))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return CreateTopicsResponse(throttle_time_ms, topics), p


def _decode_2(buffer: memoryview, p: int) -> tuple[CreateTopicsResponse, int]:
    """Versions 7."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("CreateTopicsResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 28 > end - p:
        raise too_many("CreateTopicsResponse.topics", topics_count)
    room -= topics_count
    topics: list[CreatableTopicResult] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("CreateTopicsResponse.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        topic_id, error_code, error_message_size = _unpack_uhB(buffer, p)
        p += 19
        if error_message_size > 127:
            error_message_size, p = string_tail(buffer, p, error_message_size)
        error_message: str | None = None
        if error_message_size:
            stop = p + error_message_size - 1
            error_message = buffer[p:stop].tobytes().decode()
            p = stop
        num_partitions, replication_factor, configs_count = _unpack_ihB(buffer, p)
        p += 7
        if configs_count > 127:
            configs_count, p = uvarint_tail(buffer, p, configs_count)
        configs: list[CreatableTopicConfigs] | None = None
        if configs_count:
            configs_count -= 1
            if configs_count > room or configs_count * 6 > end - p:
                raise too_many("CreateTopicsResponse.topics.configs", configs_count)
            room -= configs_count
            configs = []
            for _ in range(configs_count):
                name_size_2 = buffer[p]
                p += 1
                if name_size_2 > 127:
                    name_size_2, p = string_tail(buffer, p, name_size_2)
                if name_size_2 == 0:
                    raise missing("CreateTopicsResponse.topics.configs.name")
                stop = p + name_size_2 - 1
                name_2 = buffer[p:stop].tobytes().decode()
                p = stop
                value_size = buffer[p]
                p += 1
                if value_size > 127:
                    value_size, p = string_tail(buffer, p, value_size)
                value: str | None = None
                if value_size:
                    stop = p + value_size - 1
                    value = buffer[p:stop].tobytes().decode()
                    p = stop
                read_only, config_source, is_sensitive, tags = _unpack_zbzB(buffer, p)
                p += 4
                if tags:
                    p = skip_tags(buffer, p, tags)
                configs.append(CreatableTopicConfigs(name_2, value, read_only, config_source, is_sensitive))
        tags_2 = buffer[p]
        p += 1
        topic_config_error_code: int = 0
        if tags_2:
            if tags_2 > 127:
                tags_2, p = uvarint_tail(buffer, p, tags_2)
            tag = -1
            for _ in range(tags_2):
                tag, tag_stop, p = read_tag(buffer, p, tag)
                if tag == 0:
                    (topic_config_error_code_2,) = _unpack_h(buffer, p)
                    p += 2
                    topic_config_error_code = topic_config_error_code_2
                else:
                    p = tag_stop
                if p != tag_stop:
                    raise DecodeError("CreateTopicsResponse.topics: a tagged field is not of its size")
        topics.append(CreatableTopicResult(name, topic_id, error_code, error_message, topic_config_error_code, num_partitions, replication_factor, configs))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return CreateTopicsResponse(throttle_time_ms, topics), p


def _encode_0(message: CreateTopicsResponse) -> bytes:
    """Versions 2, 3, 4."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_ii(message.throttle_time_ms, len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = -1, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message)
        out += (_pack_h(name_size), name, _pack_hh(element.error_code, error_message_size), error_message)
    return b"".join(out)


def _encode_1(message: CreateTopicsResponse) -> bytes:
    """Versions 5, 6."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        name = element.name.encode()
        name_size = len(name) + 1
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = 0, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message) + 1
        configs = element.configs
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            _pack_h(element.error_code),
            UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
            error_message,
            _pack_ih(element.num_partitions, element.replication_factor),
        )
        if configs is None:
            out.append(b"\0")
        else:
            configs_count = len(configs) + 1
            out.append(UVARINTS[configs_count] if configs_count < 256 else uvarint(configs_count))
            for element_2 in configs:
                name_2 = element_2.name.encode()
                name_size_2 = len(name_2) + 1
                value_value = element_2.value
                if value_value is None:
                    value_size, value = 0, b""
                else:
                    value = value_value.encode()
                    value_size = len(value) + 1
                out += (
                    UVARINTS[name_size_2] if name_size_2 < 256 else string_prefix(name_size_2),
                    name_2,
                    UVARINTS[value_size] if value_size < 256 else string_prefix(value_size),
                    value,
                    _pack_zbzx(element_2.read_only, element_2.config_source, element_2.is_sensitive),
                )
        tags = 0
        tagged: list[bytes] = []
        if element.topic_config_error_code != 0:
            content: list[bytes] = []
            content.append(_pack_h(element.topic_config_error_code))
            joined = b"".join(content)
            joined_size = len(joined)
            tags += 1
            tagged += (
                UVARINTS[0],
                UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size),
                joined,
            )
        if tags:
            out.append(UVARINTS[tags])
            out += tagged
        else:
            out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


def _encode_2(message: CreateTopicsResponse) -> bytes:
    """Versions 7."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        name = element.name.encode()
        name_size = len(name) + 1
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("CreateTopicsResponse.topics.topic_id")
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = 0, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message) + 1
        configs = element.configs
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            _pack_uh(topic_id, element.error_code),
            UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
            error_message,
            _pack_ih(element.num_partitions, element.replication_factor),
        )
        if configs is None:
            out.append(b"\0")
        else:
            configs_count = len(configs) + 1
            out.append(UVARINTS[configs_count] if configs_count < 256 else uvarint(configs_count))
            for element_2 in configs:
                name_2 = element_2.name.encode()
                name_size_2 = len(name_2) + 1
                value_value = element_2.value
                if value_value is None:
                    value_size, value = 0, b""
                else:
                    value = value_value.encode()
                    value_size = len(value) + 1
                out += (
                    UVARINTS[name_size_2] if name_size_2 < 256 else string_prefix(name_size_2),
                    name_2,
                    UVARINTS[value_size] if value_size < 256 else string_prefix(value_size),
                    value,
                    _pack_zbzx(element_2.read_only, element_2.config_source, element_2.is_sensitive),
                )
        tags = 0
        tagged: list[bytes] = []
        if element.topic_config_error_code != 0:
            content: list[bytes] = []
            content.append(_pack_h(element.topic_config_error_code))
            joined = b"".join(content)
            joined_size = len(joined)
            tags += 1
            tagged += (
                UVARINTS[0],
                UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size),
                joined,
            )
        if tags:
            out.append(UVARINTS[tags])
            out += tagged
        else:
            out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[CreateTopicsResponse, int]]]] = {
    2: _decode_0,
    3: _decode_0,
    4: _decode_0,
    5: _decode_1,
    6: _decode_1,
    7: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[CreateTopicsResponse], bytes]]] = {
    2: _encode_0,
    3: _encode_0,
    4: _encode_0,
    5: _encode_1,
    6: _encode_1,
    7: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[CreateTopicsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"CreateTopicsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"CreateTopicsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"CreateTopicsResponse v{version} is cut short")
    return result


def encode(message: CreateTopicsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"CreateTopicsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"CreateTopicsResponse v{version}: {error}") from error
