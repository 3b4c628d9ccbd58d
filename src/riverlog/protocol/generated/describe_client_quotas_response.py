"""DescribeClientQuotasResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DescribeClientQuotasResponse"
API_KEY: Final = 48
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 1
LATEST_UNSTABLE: Final = False

_unpack_d = Struct(">d").unpack_from
_unpack_dB = Struct(">dB").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_ihh = Struct(">ihh").unpack_from
_pack_d = Struct(">d").pack
_pack_dx = Struct(">dx").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_ihh = Struct(">ihh").pack


@dataclass(init=False, repr=False, eq=False)
class EntityData(Wire):
    """EntityData."""

    __slots__ = ("entity_type", "entity_name")

    entity_type: str
    entity_name: str | None

    def __init__(
        self,
        entity_type: str = "",
        entity_name: str | None = "",
    ) -> None:
        self.entity_type = entity_type
        self.entity_name = entity_name


@dataclass(init=False, repr=False, eq=False)
class ValueData(Wire):
    """ValueData."""

    __slots__ = ("key", "value")

    key: str
    value: float

    def __init__(
        self,
        key: str = "",
        value: float = 0.0,
    ) -> None:
        self.key = key
        self.value = value


@dataclass(init=False, repr=False, eq=False)
class EntryData(Wire):
    """EntryData."""

    __slots__ = ("entity", "values")

    entity: list[EntityData]
    values: list[ValueData]

    def __init__(
        self,
        entity: list[EntityData] = UNSET,
        values: list[ValueData] = UNSET,
    ) -> None:
        self.entity = [] if entity is UNSET else entity
        self.values = [] if values is UNSET else values


@dataclass(init=False, repr=False, eq=False)
class DescribeClientQuotasResponse(Wire):
    """DescribeClientQuotasResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "entries")

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    entries: list[EntryData] | None

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        entries: list[EntryData] | None = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.entries = [] if entries is UNSET else entries


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeClientQuotasResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, error_message_size = _unpack_ihh(buffer, p)
    p += 8
    error_message: str | None = None
    if error_message_size >= 0:
        stop = p + error_message_size
        error_message = buffer[p:stop].tobytes().decode()
        p = stop
    elif error_message_size != -1:
        raise missing("DescribeClientQuotasResponse.error_message")
    (entries_count,) = _unpack_i(buffer, p)
    p += 4
    entries: list[EntryData] | None = None
    if entries_count >= 0:
        if entries_count > room or entries_count * 8 > end - p:
            raise too_many("DescribeClientQuotasResponse.entries", entries_count)
        room -= entries_count
        entries = []
        for _ in range(entries_count):
            (entity_count,) = _unpack_i(buffer, p)
            p += 4
            if entity_count < 0:
                raise missing("DescribeClientQuotasResponse.entries.entity")
            if entity_count > room or entity_count * 4 > end - p:
                raise too_many("DescribeClientQuotasResponse.entries.entity", entity_count)
            room -= entity_count
            entity: list[EntityData] = []
            for _ in range(entity_count):
                (entity_type_size,) = _unpack_h(buffer, p)
                p += 2
                if entity_type_size < 0:
                    raise missing("DescribeClientQuotasResponse.entries.entity.entity_type")
                stop = p + entity_type_size
                entity_type = buffer[p:stop].tobytes().decode()
                p = stop
                (entity_name_size,) = _unpack_h(buffer, p)
                p += 2
                entity_name: str | None = None
                if entity_name_size >= 0:
                    stop = p + entity_name_size
                    entity_name = buffer[p:stop].tobytes().decode()
                    p = stop
                elif entity_name_size != -1:
                    raise missing("DescribeClientQuotasResponse.entries.entity.entity_name")
                entity.append(EntityData(entity_type, entity_name))
            (values_count,) = _unpack_i(buffer, p)
            p += 4
            if values_count < 0:
                raise missing("DescribeClientQuotasResponse.entries.values")
            if values_count > room or values_count * 10 > end - p:
                raise too_many("DescribeClientQuotasResponse.entries.values", values_count)
            room -= values_count
            values: list[ValueData] = []
            for _ in range(values_count):
                (key_size,) = _unpack_h(buffer, p)
                p += 2
                if key_size < 0:
                    raise missing("DescribeClientQuotasResponse.entries.values.key")
                stop = p + key_size
                key = buffer[p:stop].tobytes().decode()
                p = stop
                (value,) = _unpack_d(buffer, p)
                p += 8
                values.append(ValueData(key, value))
            entries.append(EntryData(entity, values))
    elif entries_count != -1:
        raise missing("DescribeClientQuotasResponse.entries")
    return DescribeClientQuotasResponse(throttle_time_ms, error_code, error_message, entries), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DescribeClientQuotasResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, error_message_size = _unpack_ihB(buffer, p)
    p += 7
    if error_message_size > 127:
        error_message_size, p = string_tail(buffer, p, error_message_size)
    error_message: str | None = None
    if error_message_size:
        stop = p + error_message_size - 1
        error_message = buffer[p:stop].tobytes().decode()
        p = stop
    entries_count = buffer[p]
    p += 1
    if entries_count > 127:
        entries_count, p = uvarint_tail(buffer, p, entries_count)
    entries: list[EntryData] | None = None
    if entries_count:
        entries_count -= 1
        if entries_count > room or entries_count * 3 > end - p:
            raise too_many("DescribeClientQuotasResponse.entries", entries_count)
        room -= entries_count
        entries = []
        for _ in range(entries_count):
            entity_count = buffer[p]
            p += 1
            if entity_count > 127:
                entity_count, p = uvarint_tail(buffer, p, entity_count)
            if entity_count == 0:
                raise missing("DescribeClientQuotasResponse.entries.entity")
            entity_count -= 1
            if entity_count > room or entity_count * 3 > end - p:
                raise too_many("DescribeClientQuotasResponse.entries.entity", entity_count)
            room -= entity_count
            entity: list[EntityData] = []
            for _ in range(entity_count):
                entity_type_size = buffer[p]
                p += 1
                if entity_type_size > 127:
                    entity_type_size, p = string_tail(buffer, p, entity_type_size)
                if entity_type_size == 0:
                    raise missing("DescribeClientQuotasResponse.entries.entity.entity_type")
                stop = p + entity_type_size - 1
                entity_type = buffer[p:stop].tobytes().decode()
                p = stop
                entity_name_size = buffer[p]
                p += 1
                if entity_name_size > 127:
                    entity_name_size, p = string_tail(buffer, p, entity_name_size)
                entity_name: str | None = None
                if entity_name_size:
                    stop = p + entity_name_size - 1
                    entity_name = buffer[p:stop].tobytes().decode()
                    p = stop
                tags = buffer[p]
                p += 1
                if tags:
                    p = skip_tags(buffer, p, tags)
                entity.append(EntityData(entity_type, entity_name))
            values_count = buffer[p]
            p += 1
            if values_count > 127:
                values_count, p = uvarint_tail(buffer, p, values_count)
            if values_count == 0:
                raise missing("DescribeClientQuotasResponse.entries.values")
            values_count -= 1
            if values_count > room or values_count * 10 > end - p:
                raise too_many("DescribeClientQuotasResponse.entries.values", values_count)
            room -= values_count
            values: list[ValueData] = []
            for _ in range(values_count):
                key_size = buffer[p]
                p += 1
                if key_size > 127:
                    key_size, p = string_tail(buffer, p, key_size)
                if key_size == 0:
                    raise missing("DescribeClientQuotasResponse.entries.values.key")
                stop = p + key_size - 1
                key = buffer[p:stop].tobytes().decode()
                p = stop
                value, tags_2 = _unpack_dB(buffer, p)
                p += 9
                if tags_2:
                    p = skip_tags(buffer, p, tags_2)
                values.append(ValueData(key, value))
            tags_3 = buffer[p]
            p += 1
            if tags_3:
                p = skip_tags(buffer, p, tags_3)
            entries.append(EntryData(entity, values))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return DescribeClientQuotasResponse(throttle_time_ms, error_code, error_message, entries), p


def _encode_0(message: DescribeClientQuotasResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = -1, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message)
    entries = message.entries
    out += (_pack_ihh(message.throttle_time_ms, message.error_code, error_message_size), error_message)
    if entries is None:
        out.append(b"\xff\xff\xff\xff")
    else:
        out.append(_pack_i(len(entries)))
        for element in entries:
            entity = element.entity
            out.append(_pack_i(len(entity)))
            for element_2 in entity:
                entity_type = element_2.entity_type.encode()
                entity_type_size = len(entity_type)
                entity_name_value = element_2.entity_name
                if entity_name_value is None:
                    entity_name_size, entity_name = -1, b""
                else:
                    entity_name = entity_name_value.encode()
                    entity_name_size = len(entity_name)
                out += (_pack_h(entity_type_size), entity_type, _pack_h(entity_name_size), entity_name)
            values = element.values
            out.append(_pack_i(len(values)))
            for element_3 in values:
                key = element_3.key.encode()
                key_size = len(key)
                out += (_pack_h(key_size), key, _pack_d(element_3.value))
    return b"".join(out)


def _encode_1(message: DescribeClientQuotasResponse) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = 0, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message) + 1
    entries = message.entries
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
        error_message,
    )
    if entries is None:
        out.append(b"\0")
    else:
        entries_count = len(entries) + 1
        out.append(UVARINTS[entries_count] if entries_count < 256 else uvarint(entries_count))
        for element in entries:
            entity = element.entity
            entity_count = len(entity) + 1
            out.append(UVARINTS[entity_count] if entity_count < 256 else uvarint(entity_count))
            for element_2 in entity:
                entity_type = element_2.entity_type.encode()
                entity_type_size = len(entity_type) + 1
                entity_name_value = element_2.entity_name
                if entity_name_value is None:
                    entity_name_size, entity_name = 0, b""
                else:
                    entity_name = entity_name_value.encode()
                    entity_name_size = len(entity_name) + 1
                out += (
                    UVARINTS[entity_type_size] if entity_type_size < 256 else string_prefix(entity_type_size),
                    entity_type,
                    UVARINTS[entity_name_size] if entity_name_size < 256 else string_prefix(entity_name_size),
                    entity_name,
                    b"\0",
                )
            values = element.values
            values_count = len(values) + 1
            out.append(UVARINTS[values_count] if values_count < 256 else uvarint(values_count))
            for element_3 in values:
                key = element_3.key.encode()
                key_size = len(key) + 1
                out += (
                    UVARINTS[key_size] if key_size < 256 else string_prefix(key_size),
                    key,
                    _pack_dx(element_3.value),
                )
            out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeClientQuotasResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[DescribeClientQuotasResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeClientQuotasResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeClientQuotasResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeClientQuotasResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeClientQuotasResponse v{version} is cut short")
    return result


def encode(message: DescribeClientQuotasResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeClientQuotasResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeClientQuotasResponse v{version}: {error}") from error
