"""DescribeClientQuotasRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DescribeClientQuotasRequest"
API_KEY: Final = 48
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 1
LATEST_UNSTABLE: Final = False

_unpack_zB = Struct(">?B").unpack_from
_unpack_bB = Struct(">bB").unpack_from
_unpack_bh = Struct(">bh").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_pack_z = Struct(">?").pack
_pack_zx = Struct(">?x").pack
_pack_b = Struct(">b").pack
_pack_bh = Struct(">bh").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class ComponentData(Wire):
    """ComponentData."""

    __slots__ = ("entity_type", "match_type", "match")

    entity_type: str
    match_type: int
    match: str | None

    def __init__(
        self,
        entity_type: str = "",
        match_type: int = 0,
        match: str | None = "",
    ) -> None:
        self.entity_type = entity_type
        self.match_type = match_type
        self.match = match


@dataclass(init=False, repr=False, eq=False)
class DescribeClientQuotasRequest(Wire):
    """DescribeClientQuotasRequest."""

    __slots__ = ("components", "strict")

    components: list[ComponentData]
    strict: bool

    def __init__(
        self,
        components: list[ComponentData] = UNSET,
        strict: bool = False,
    ) -> None:
        self.components = [] if components is UNSET else components
        self.strict = strict


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeClientQuotasRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (components_count,) = _unpack_i(buffer, p)
    p += 4
    if components_count < 0:
        raise missing("DescribeClientQuotasRequest.components")
    if components_count > room or components_count * 5 > end - p:
        raise too_many("DescribeClientQuotasRequest.components", components_count)
    room -= components_count
    components: list[ComponentData] = []
    for _ in range(components_count):
        (entity_type_size,) = _unpack_h(buffer, p)
        p += 2
        if entity_type_size < 0:
            raise missing("DescribeClientQuotasRequest.components.entity_type")
        stop = p + entity_type_size
        entity_type = buffer[p:stop].tobytes().decode()
        p = stop
        match_type, match_size = _unpack_bh(buffer, p)
        p += 3
        match: str | None = None
        if match_size >= 0:
            stop = p + match_size
            match = buffer[p:stop].tobytes().decode()
            p = stop
        elif match_size != -1:
            raise missing("DescribeClientQuotasRequest.components.match")
        components.append(ComponentData(entity_type, match_type, match))
    strict = buffer[p] != 0
    p += 1
    return DescribeClientQuotasRequest(components, strict), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DescribeClientQuotasRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    components_count = buffer[p]
    p += 1
    if components_count > 127:
        components_count, p = uvarint_tail(buffer, p, components_count)
    if components_count == 0:
        raise missing("DescribeClientQuotasRequest.components")
    components_count -= 1
    if components_count > room or components_count * 4 > end - p:
        raise too_many("DescribeClientQuotasRequest.components", components_count)
    room -= components_count
    components: list[ComponentData] = []
    for _ in range(components_count):
        entity_type_size = buffer[p]
        p += 1
        if entity_type_size > 127:
            entity_type_size, p = string_tail(buffer, p, entity_type_size)
        if entity_type_size == 0:
            raise missing("DescribeClientQuotasRequest.components.entity_type")
        stop = p + entity_type_size - 1
        entity_type = buffer[p:stop].tobytes().decode()
        p = stop
        match_type, match_size = _unpack_bB(buffer, p)
        p += 2
        if match_size > 127:
            match_size, p = string_tail(buffer, p, match_size)
        match: str | None = None
        if match_size:
            stop = p + match_size - 1
            match = buffer[p:stop].tobytes().decode()
            p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        components.append(ComponentData(entity_type, match_type, match))
    strict, tags_2 = _unpack_zB(buffer, p)
    p += 2
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return DescribeClientQuotasRequest(components, strict), p


def _encode_0(message: DescribeClientQuotasRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    components = message.components
    out.append(_pack_i(len(components)))
    for element in components:
        entity_type = element.entity_type.encode()
        entity_type_size = len(entity_type)
        match_value = element.match
        if match_value is None:
            match_size, match = -1, b""
        else:
            match = match_value.encode()
            match_size = len(match)
        out += (_pack_h(entity_type_size), entity_type, _pack_bh(element.match_type, match_size), match)
    out.append(_pack_z(message.strict))
    return b"".join(out)


def _encode_1(message: DescribeClientQuotasRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    components = message.components
    components_count = len(components) + 1
    out.append(UVARINTS[components_count] if components_count < 256 else uvarint(components_count))
    for element in components:
        entity_type = element.entity_type.encode()
        entity_type_size = len(entity_type) + 1
        match_value = element.match
        if match_value is None:
            match_size, match = 0, b""
        else:
            match = match_value.encode()
            match_size = len(match) + 1
        out += (
            UVARINTS[entity_type_size] if entity_type_size < 256 else string_prefix(entity_type_size),
            entity_type,
            _pack_b(element.match_type),
            UVARINTS[match_size] if match_size < 256 else string_prefix(match_size),
            match,
            b"\0",
        )
    out.append(_pack_zx(message.strict))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeClientQuotasRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[DescribeClientQuotasRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeClientQuotasRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeClientQuotasRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeClientQuotasRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeClientQuotasRequest v{version} is cut short")
    return result


def encode(message: DescribeClientQuotasRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeClientQuotasRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeClientQuotasRequest v{version}: {error}") from error
