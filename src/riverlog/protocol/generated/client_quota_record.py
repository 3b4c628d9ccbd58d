"""ClientQuotaRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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

NAME: Final = "ClientQuotaRecord"
API_KEY: Final = 14
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_dzB = Struct(">d?B").unpack_from
_pack_dzx = Struct(">d?x").pack


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
class ClientQuotaRecord(Wire):
    """ClientQuotaRecord."""

    __slots__ = ("entity", "key", "value", "remove")

    entity: list[EntityData]
    key: str
    value: float
    remove: bool

    def __init__(
        self,
        entity: list[EntityData] = UNSET,
        key: str = "",
        value: float = 0.0,
        remove: bool = False,
    ) -> None:
        self.entity = [] if entity is UNSET else entity
        self.key = key
        self.value = value
        self.remove = remove


def _decode_0(buffer: memoryview, p: int) -> tuple[ClientQuotaRecord, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    entity_count = buffer[p]
    p += 1
    if entity_count > 127:
        entity_count, p = uvarint_tail(buffer, p, entity_count)
    if entity_count == 0:
        raise missing("ClientQuotaRecord.entity")
    entity_count -= 1
    if entity_count > room or entity_count * 3 > end - p:
        raise too_many("ClientQuotaRecord.entity", entity_count)
    room -= entity_count
    entity: list[EntityData] = []
    for _ in range(entity_count):
        entity_type_size = buffer[p]
        p += 1
        if entity_type_size > 127:
            entity_type_size, p = string_tail(buffer, p, entity_type_size)
        if entity_type_size == 0:
            raise missing("ClientQuotaRecord.entity.entity_type")
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
    key_size = buffer[p]
    p += 1
    if key_size > 127:
        key_size, p = string_tail(buffer, p, key_size)
    if key_size == 0:
        raise missing("ClientQuotaRecord.key")
    stop = p + key_size - 1
    key = buffer[p:stop].tobytes().decode()
    p = stop
    value, remove, tags_2 = _unpack_dzB(buffer, p)
    p += 10
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return ClientQuotaRecord(entity, key, value, remove), p


def _encode_0(message: ClientQuotaRecord) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    entity = message.entity
    entity_count = len(entity) + 1
    out.append(UVARINTS[entity_count] if entity_count < 256 else uvarint(entity_count))
    for element in entity:
        entity_type = element.entity_type.encode()
        entity_type_size = len(entity_type) + 1
        entity_name_value = element.entity_name
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
    key = message.key.encode()
    key_size = len(key) + 1
    out += (
        UVARINTS[key_size] if key_size < 256 else string_prefix(key_size),
        key,
        _pack_dzx(message.value, message.remove),
    )
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ClientQuotaRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ClientQuotaRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ClientQuotaRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ClientQuotaRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ClientQuotaRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ClientQuotaRecord v{version} is cut short")
    return result


def encode(message: ClientQuotaRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ClientQuotaRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ClientQuotaRecord v{version}: {error}") from error
