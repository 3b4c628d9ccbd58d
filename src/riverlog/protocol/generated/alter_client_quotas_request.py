"""AlterClientQuotasRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "AlterClientQuotasRequest"
API_KEY: Final = 49
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 1
LATEST_UNSTABLE: Final = False

_unpack_zB = Struct(">?B").unpack_from
_unpack_dz = Struct(">d?").unpack_from
_unpack_dzB = Struct(">d?B").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_pack_z = Struct(">?").pack
_pack_zx = Struct(">?x").pack
_pack_dz = Struct(">d?").pack
_pack_dzx = Struct(">d?x").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack


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
class OpData(Wire):
    """OpData."""

    __slots__ = ("key", "value", "remove")

    key: str
    value: float
    remove: bool

    def __init__(
        self,
        key: str = "",
        value: float = 0.0,
        remove: bool = False,
    ) -> None:
        self.key = key
        self.value = value
        self.remove = remove


@dataclass(init=False, repr=False, eq=False)
class EntryData(Wire):
    """EntryData."""

    __slots__ = ("entity", "ops")

    entity: list[EntityData]
    ops: list[OpData]

    def __init__(
        self,
        entity: list[EntityData] = UNSET,
        ops: list[OpData] = UNSET,
    ) -> None:
        self.entity = [] if entity is UNSET else entity
        self.ops = [] if ops is UNSET else ops


@dataclass(init=False, repr=False, eq=False)
class AlterClientQuotasRequest(Wire):
    """AlterClientQuotasRequest."""

    __slots__ = ("entries", "validate_only")

    entries: list[EntryData]
    validate_only: bool

    def __init__(
        self,
        entries: list[EntryData] = UNSET,
        validate_only: bool = False,
    ) -> None:
        self.entries = [] if entries is UNSET else entries
        self.validate_only = validate_only


def _decode_0(buffer: memoryview, p: int) -> tuple[AlterClientQuotasRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (entries_count,) = _unpack_i(buffer, p)
    p += 4
    if entries_count < 0:
        raise missing("AlterClientQuotasRequest.entries")
    if entries_count > room or entries_count * 8 > end - p:
        raise too_many("AlterClientQuotasRequest.entries", entries_count)
    room -= entries_count
    entries: list[EntryData] = []
    for _ in range(entries_count):
        (entity_count,) = _unpack_i(buffer, p)
        p += 4
        if entity_count < 0:
            raise missing("AlterClientQuotasRequest.entries.entity")
        if entity_count > room or entity_count * 4 > end - p:
            raise too_many("AlterClientQuotasRequest.entries.entity", entity_count)
        room -= entity_count
        entity: list[EntityData] = []
        for _ in range(entity_count):
            (entity_type_size,) = _unpack_h(buffer, p)
            p += 2
            if entity_type_size < 0:
                raise missing("AlterClientQuotasRequest.entries.entity.entity_type")
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
                raise missing("AlterClientQuotasRequest.entries.entity.entity_name")
            entity.append(EntityData(entity_type, entity_name))
        (ops_count,) = _unpack_i(buffer, p)
        p += 4
        if ops_count < 0:
            raise missing("AlterClientQuotasRequest.entries.ops")
        if ops_count > room or ops_count * 11 > end - p:
            raise too_many("AlterClientQuotasRequest.entries.ops", ops_count)
        room -= ops_count
        ops: list[OpData] = []
        for _ in range(ops_count):
            (key_size,) = _unpack_h(buffer, p)
            p += 2
            if key_size < 0:
                raise missing("AlterClientQuotasRequest.entries.ops.key")
            stop = p + key_size
            key = buffer[p:stop].tobytes().decode()
            p = stop
            value, remove = _unpack_dz(buffer, p)
            p += 9
            ops.append(OpData(key, value, remove))
        entries.append(EntryData(entity, ops))
    validate_only = buffer[p] != 0
    p += 1
    return AlterClientQuotasRequest(entries, validate_only), p


def _decode_1(buffer: memoryview, p: int) -> tuple[AlterClientQuotasRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    entries_count = buffer[p]
    p += 1
    if entries_count > 127:
        entries_count, p = uvarint_tail(buffer, p, entries_count)
    if entries_count == 0:
        raise missing("AlterClientQuotasRequest.entries")
    entries_count -= 1
    if entries_count > room or entries_count * 3 > end - p:
        raise too_many("AlterClientQuotasRequest.entries", entries_count)
    room -= entries_count
    entries: list[EntryData] = []
    for _ in range(entries_count):
        entity_count = buffer[p]
        p += 1
        if entity_count > 127:
            entity_count, p = uvarint_tail(buffer, p, entity_count)
        if entity_count == 0:
            raise missing("AlterClientQuotasRequest.entries.entity")
        entity_count -= 1
        if entity_count > room or entity_count * 3 > end - p:
            raise too_many("AlterClientQuotasRequest.entries.entity", entity_count)
        room -= entity_count
        entity: list[EntityData] = []
        for _ in range(entity_count):
            entity_type_size = buffer[p]
            p += 1
            if entity_type_size > 127:
                entity_type_size, p = string_tail(buffer, p, entity_type_size)
            if entity_type_size == 0:
                raise missing("AlterClientQuotasRequest.entries.entity.entity_type")
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
        ops_count = buffer[p]
        p += 1
        if ops_count > 127:
            ops_count, p = uvarint_tail(buffer, p, ops_count)
        if ops_count == 0:
            raise missing("AlterClientQuotasRequest.entries.ops")
        ops_count -= 1
        if ops_count > room or ops_count * 11 > end - p:
            raise too_many("AlterClientQuotasRequest.entries.ops", ops_count)
        room -= ops_count
        ops: list[OpData] = []
        for _ in range(ops_count):
            key_size = buffer[p]
            p += 1
            if key_size > 127:
                key_size, p = string_tail(buffer, p, key_size)
            if key_size == 0:
                raise missing("AlterClientQuotasRequest.entries.ops.key")
            stop = p + key_size - 1
            key = buffer[p:stop].tobytes().decode()
            p = stop
            value, remove, tags_2 = _unpack_dzB(buffer, p)
            p += 10
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            ops.append(OpData(key, value, remove))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        entries.append(EntryData(entity, ops))
    validate_only, tags_4 = _unpack_zB(buffer, p)
    p += 2
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return AlterClientQuotasRequest(entries, validate_only), p


def _encode_0(message: AlterClientQuotasRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    entries = message.entries
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
        ops = element.ops
        out.append(_pack_i(len(ops)))
        for element_3 in ops:
            key = element_3.key.encode()
            key_size = len(key)
            out += (_pack_h(key_size), key, _pack_dz(element_3.value, element_3.remove))
    out.append(_pack_z(message.validate_only))
    return b"".join(out)


def _encode_1(message: AlterClientQuotasRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    entries = message.entries
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
        ops = element.ops
        ops_count = len(ops) + 1
        out.append(UVARINTS[ops_count] if ops_count < 256 else uvarint(ops_count))
        for element_3 in ops:
            key = element_3.key.encode()
            key_size = len(key) + 1
            out += (
                UVARINTS[key_size] if key_size < 256 else string_prefix(key_size),
                key,
                _pack_dzx(element_3.value, element_3.remove),
            )
        out.append(b"\0")
    out.append(_pack_zx(message.validate_only))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AlterClientQuotasRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[AlterClientQuotasRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AlterClientQuotasRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AlterClientQuotasRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AlterClientQuotasRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AlterClientQuotasRequest v{version} is cut short")
    return result


def encode(message: AlterClientQuotasRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AlterClientQuotasRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AlterClientQuotasRequest v{version}: {error}") from error
