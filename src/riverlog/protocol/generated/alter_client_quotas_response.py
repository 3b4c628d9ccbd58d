"""AlterClientQuotasResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "AlterClientQuotasResponse"
API_KEY: Final = 49
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 1
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_hh = Struct(">hh").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_pack_h = Struct(">h").pack
_pack_hh = Struct(">hh").pack
_pack_i = Struct(">i").pack
_pack_ii = Struct(">ii").pack


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
class EntryData(Wire):
    """EntryData."""

    __slots__ = ("error_code", "error_message", "entity")

    error_code: int
    error_message: str | None
    entity: list[EntityData]

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        entity: list[EntityData] = UNSET,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.entity = [] if entity is UNSET else entity


@dataclass(init=False, repr=False, eq=False)
class AlterClientQuotasResponse(Wire):
    """AlterClientQuotasResponse."""

    __slots__ = ("throttle_time_ms", "entries")

    throttle_time_ms: int
    entries: list[EntryData]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        entries: list[EntryData] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.entries = [] if entries is UNSET else entries


def _decode_0(buffer: memoryview, p: int) -> tuple[AlterClientQuotasResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, entries_count = _unpack_ii(buffer, p)
    p += 8
    if entries_count < 0:
        raise missing("AlterClientQuotasResponse.entries")
    if entries_count > room or entries_count * 8 > end - p:
        raise too_many("AlterClientQuotasResponse.entries", entries_count)
    room -= entries_count
    entries: list[EntryData] = []
    for _ in range(entries_count):
        error_code, error_message_size = _unpack_hh(buffer, p)
        p += 4
        error_message: str | None = None
        if error_message_size >= 0:
            stop = p + error_message_size
            error_message = buffer[p:stop].tobytes().decode()
            p = stop
        elif error_message_size != -1:
            raise missing("AlterClientQuotasResponse.entries.error_message")
        (entity_count,) = _unpack_i(buffer, p)
        p += 4
        if entity_count < 0:
            raise missing("AlterClientQuotasResponse.entries.entity")
        if entity_count > room or entity_count * 4 > end - p:
            raise too_many("AlterClientQuotasResponse.entries.entity", entity_count)
        room -= entity_count
        entity: list[EntityData] = []
        for _ in range(entity_count):
            (entity_type_size,) = _unpack_h(buffer, p)
            p += 2
            if entity_type_size < 0:
                raise missing("AlterClientQuotasResponse.entries.entity.entity_type")
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
                raise missing("AlterClientQuotasResponse.entries.entity.entity_name")
            entity.append(EntityData(entity_type, entity_name))
        entries.append(EntryData(error_code, error_message, entity))
    return AlterClientQuotasResponse(throttle_time_ms, entries), p


def _decode_1(buffer: memoryview, p: int) -> tuple[AlterClientQuotasResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, entries_count = _unpack_iB(buffer, p)
    p += 5
    if entries_count > 127:
        entries_count, p = uvarint_tail(buffer, p, entries_count)
    if entries_count == 0:
        raise missing("AlterClientQuotasResponse.entries")
    entries_count -= 1
    if entries_count > room or entries_count * 5 > end - p:
        raise too_many("AlterClientQuotasResponse.entries", entries_count)
    room -= entries_count
    entries: list[EntryData] = []
    for _ in range(entries_count):
        error_code, error_message_size = _unpack_hB(buffer, p)
        p += 3
        if error_message_size > 127:
            error_message_size, p = string_tail(buffer, p, error_message_size)
        error_message: str | None = None
        if error_message_size:
            stop = p + error_message_size - 1
            error_message = buffer[p:stop].tobytes().decode()
            p = stop
        entity_count = buffer[p]
        p += 1
        if entity_count > 127:
            entity_count, p = uvarint_tail(buffer, p, entity_count)
        if entity_count == 0:
            raise missing("AlterClientQuotasResponse.entries.entity")
        entity_count -= 1
        if entity_count > room or entity_count * 3 > end - p:
            raise too_many("AlterClientQuotasResponse.entries.entity", entity_count)
        room -= entity_count
        entity: list[EntityData] = []
        for _ in range(entity_count):
            entity_type_size = buffer[p]
            p += 1
            if entity_type_size > 127:
                entity_type_size, p = string_tail(buffer, p, entity_type_size)
            if entity_type_size == 0:
                raise missing("AlterClientQuotasResponse.entries.entity.entity_type")
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
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        entries.append(EntryData(error_code, error_message, entity))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return AlterClientQuotasResponse(throttle_time_ms, entries), p


def _encode_0(message: AlterClientQuotasResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    entries = message.entries
    out.append(_pack_ii(message.throttle_time_ms, len(entries)))
    for element in entries:
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = -1, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message)
        entity = element.entity
        out += (_pack_hh(element.error_code, error_message_size), error_message, _pack_i(len(entity)))
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
    return b"".join(out)


def _encode_1(message: AlterClientQuotasResponse) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    entries = message.entries
    entries_count = len(entries) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[entries_count] if entries_count < 256 else uvarint(entries_count),
    )
    for element in entries:
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = 0, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message) + 1
        entity = element.entity
        entity_count = len(entity) + 1
        out += (
            _pack_h(element.error_code),
            UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
            error_message,
            UVARINTS[entity_count] if entity_count < 256 else uvarint(entity_count),
        )
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
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AlterClientQuotasResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[AlterClientQuotasResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AlterClientQuotasResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AlterClientQuotasResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AlterClientQuotasResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AlterClientQuotasResponse v{version} is cut short")
    return result


def encode(message: AlterClientQuotasResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AlterClientQuotasResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AlterClientQuotasResponse v{version}: {error}") from error
