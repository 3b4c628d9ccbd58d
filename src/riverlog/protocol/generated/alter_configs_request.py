"""AlterConfigsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "AlterConfigsRequest"
API_KEY: Final = 33
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 2
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
class AlterableConfig(Wire):
    """AlterableConfig."""

    __slots__ = ("name", "value")

    name: str
    value: str | None

    def __init__(
        self,
        name: str = "",
        value: str | None = "",
    ) -> None:
        self.name = name
        self.value = value


@dataclass(init=False, repr=False, eq=False)
class AlterConfigsResource(Wire):
    """AlterConfigsResource."""

    __slots__ = ("resource_type", "resource_name", "configs")

    resource_type: int
    resource_name: str
    configs: list[AlterableConfig]

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = "",
        configs: list[AlterableConfig] = UNSET,
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.configs = [] if configs is UNSET else configs


@dataclass(init=False, repr=False, eq=False)
class AlterConfigsRequest(Wire):
    """AlterConfigsRequest."""

    __slots__ = ("resources", "validate_only")

    resources: list[AlterConfigsResource]
    validate_only: bool

    def __init__(
        self,
        resources: list[AlterConfigsResource] = UNSET,
        validate_only: bool = False,
    ) -> None:
        self.resources = [] if resources is UNSET else resources
        self.validate_only = validate_only


def _decode_0(buffer: memoryview, p: int) -> tuple[AlterConfigsRequest, int]:
    """Versions 0, 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (resources_count,) = _unpack_i(buffer, p)
    p += 4
    if resources_count < 0:
        raise missing("AlterConfigsRequest.resources")
    if resources_count > room or resources_count * 7 > end - p:
        raise too_many("AlterConfigsRequest.resources", resources_count)
    room -= resources_count
    resources: list[AlterConfigsResource] = []
    for _ in range(resources_count):
        resource_type, resource_name_size = _unpack_bh(buffer, p)
        p += 3
        if resource_name_size < 0:
            raise missing("AlterConfigsRequest.resources.resource_name")
        stop = p + resource_name_size
        resource_name = buffer[p:stop].tobytes().decode()
        p = stop
        (configs_count,) = _unpack_i(buffer, p)
        p += 4
        if configs_count < 0:
            raise missing("AlterConfigsRequest.resources.configs")
        if configs_count > room or configs_count * 4 > end - p:
            raise too_many("AlterConfigsRequest.resources.configs", configs_count)
        room -= configs_count
        configs: list[AlterableConfig] = []
        for _ in range(configs_count):
            (name_size,) = _unpack_h(buffer, p)
            p += 2
            if name_size < 0:
                raise missing("AlterConfigsRequest.resources.configs.name")
            stop = p + name_size
            name = buffer[p:stop].tobytes().decode()
            p = stop
            (value_size,) = _unpack_h(buffer, p)
            p += 2
            value: str | None = None
            if value_size >= 0:
                stop = p + value_size
                value = buffer[p:stop].tobytes().decode()
                p = stop
            elif value_size != -1:
                raise missing("AlterConfigsRequest.resources.configs.value")
            configs.append(AlterableConfig(name, value))
        resources.append(AlterConfigsResource(resource_type, resource_name, configs))
    validate_only = buffer[p] != 0
    p += 1
    return AlterConfigsRequest(resources, validate_only), p


def _decode_1(buffer: memoryview, p: int) -> tuple[AlterConfigsRequest, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    resources_count = buffer[p]
    p += 1
    if resources_count > 127:
        resources_count, p = uvarint_tail(buffer, p, resources_count)
    if resources_count == 0:
        raise missing("AlterConfigsRequest.resources")
    resources_count -= 1
    if resources_count > room or resources_count * 4 > end - p:
        raise too_many("AlterConfigsRequest.resources", resources_count)
    room -= resources_count
    resources: list[AlterConfigsResource] = []
    for _ in range(resources_count):
        resource_type, resource_name_size = _unpack_bB(buffer, p)
        p += 2
        if resource_name_size > 127:
            resource_name_size, p = string_tail(buffer, p, resource_name_size)
        if resource_name_size == 0:
            raise missing("AlterConfigsRequest.resources.resource_name")
        stop = p + resource_name_size - 1
        resource_name = buffer[p:stop].tobytes().decode()
        p = stop
        configs_count = buffer[p]
        p += 1
        if configs_count > 127:
            configs_count, p = uvarint_tail(buffer, p, configs_count)
        if configs_count == 0:
            raise missing("AlterConfigsRequest.resources.configs")
        configs_count -= 1
        if configs_count > room or configs_count * 3 > end - p:
            raise too_many("AlterConfigsRequest.resources.configs", configs_count)
        room -= configs_count
        configs: list[AlterableConfig] = []
        for _ in range(configs_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("AlterConfigsRequest.resources.configs.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
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
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            configs.append(AlterableConfig(name, value))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        resources.append(AlterConfigsResource(resource_type, resource_name, configs))
    validate_only, tags_3 = _unpack_zB(buffer, p)
    p += 2
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return AlterConfigsRequest(resources, validate_only), p


def _encode_0(message: AlterConfigsRequest) -> bytes:
    """Versions 0, 1."""
    out: list[bytes] = []
    resources = message.resources
    out.append(_pack_i(len(resources)))
    for element in resources:
        resource_name = element.resource_name.encode()
        resource_name_size = len(resource_name)
        configs = element.configs
        out += (_pack_bh(element.resource_type, resource_name_size), resource_name, _pack_i(len(configs)))
        for element_2 in configs:
            name = element_2.name.encode()
            name_size = len(name)
            value_value = element_2.value
            if value_value is None:
                value_size, value = -1, b""
            else:
                value = value_value.encode()
                value_size = len(value)
            out += (_pack_h(name_size), name, _pack_h(value_size), value)
    out.append(_pack_z(message.validate_only))
    return b"".join(out)


def _encode_1(message: AlterConfigsRequest) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    resources = message.resources
    resources_count = len(resources) + 1
    out.append(UVARINTS[resources_count] if resources_count < 256 else uvarint(resources_count))
    for element in resources:
        resource_name = element.resource_name.encode()
        resource_name_size = len(resource_name) + 1
        configs = element.configs
        configs_count = len(configs) + 1
        out += (
            _pack_b(element.resource_type),
            UVARINTS[resource_name_size] if resource_name_size < 256 else string_prefix(resource_name_size),
            resource_name,
            UVARINTS[configs_count] if configs_count < 256 else uvarint(configs_count),
        )
        for element_2 in configs:
            name = element_2.name.encode()
            name_size = len(name) + 1
            value_value = element_2.value
            if value_value is None:
                value_size, value = 0, b""
            else:
                value = value_value.encode()
                value_size = len(value) + 1
            out += (
                UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                name,
                UVARINTS[value_size] if value_size < 256 else string_prefix(value_size),
                value,
                b"\0",
            )
        out.append(b"\0")
    out.append(_pack_zx(message.validate_only))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AlterConfigsRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[AlterConfigsRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AlterConfigsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AlterConfigsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AlterConfigsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AlterConfigsRequest v{version} is cut short")
    return result


def encode(message: AlterConfigsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AlterConfigsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AlterConfigsRequest v{version}: {error}") from error
