"""DescribeConfigsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    not_in_version,
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

NAME: Final = "DescribeConfigsRequest"
API_KEY: Final = 32
VERSIONS: Final[tuple[int, int]] = (1, 4)
FLEXIBLE_FROM: Final = 4
LATEST_UNSTABLE: Final = False

_unpack_zz = Struct(">??").unpack_from
_unpack_zzB = Struct(">??B").unpack_from
_unpack_bB = Struct(">bB").unpack_from
_unpack_bh = Struct(">bh").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_pack_z = Struct(">?").pack
_pack_zz = Struct(">??").pack
_pack_zzx = Struct(">??x").pack
_pack_b = Struct(">b").pack
_pack_bh = Struct(">bh").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class DescribeConfigsResource(Wire):
    """DescribeConfigsResource."""

    __slots__ = ("resource_type", "resource_name", "configuration_keys")

    resource_type: int
    resource_name: str
    configuration_keys: list[str] | None

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = "",
        configuration_keys: list[str] | None = UNSET,
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.configuration_keys = [] if configuration_keys is UNSET else configuration_keys


@dataclass(init=False, repr=False, eq=False)
class DescribeConfigsRequest(Wire):
    """DescribeConfigsRequest."""

    __slots__ = ("resources", "include_synonyms", "include_documentation")

    resources: list[DescribeConfigsResource]
    include_synonyms: bool
    include_documentation: bool

    def __init__(
        self,
        resources: list[DescribeConfigsResource] = UNSET,
        include_synonyms: bool = False,
        include_documentation: bool = False,
    ) -> None:
        self.resources = [] if resources is UNSET else resources
        self.include_synonyms = include_synonyms
        self.include_documentation = include_documentation


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeConfigsRequest, int]:
    """Versions 1, 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (resources_count,) = _unpack_i(buffer, p)
    p += 4
    if resources_count < 0:
        raise missing("DescribeConfigsRequest.resources")
    if resources_count > room or resources_count * 7 > end - p:
        raise too_many("DescribeConfigsRequest.resources", resources_count)
    room -= resources_count
    resources: list[DescribeConfigsResource] = []
    for _ in range(resources_count):
        resource_type, resource_name_size = _unpack_bh(buffer, p)
        p += 3
        if resource_name_size < 0:
            raise missing("DescribeConfigsRequest.resources.resource_name")
        stop = p + resource_name_size
        resource_name = buffer[p:stop].tobytes().decode()
        p = stop
        (configuration_keys_count,) = _unpack_i(buffer, p)
        p += 4
        configuration_keys: list[str] | None = None
        if configuration_keys_count >= 0:
            if configuration_keys_count > room or configuration_keys_count * 2 > end - p:
                raise too_many("DescribeConfigsRequest.resources.configuration_keys", configuration_keys_count)
            room -= configuration_keys_count
            configuration_keys = []
            for _ in range(configuration_keys_count):
                (element_size,) = _unpack_h(buffer, p)
                p += 2
                if element_size < 0:
                    raise missing("DescribeConfigsRequest.resources.configuration_keys")
                stop = p + element_size
                element = buffer[p:stop].tobytes().decode()
                p = stop
                configuration_keys.append(element)
        elif configuration_keys_count != -1:
            raise missing("DescribeConfigsRequest.resources.configuration_keys")
        resources.append(DescribeConfigsResource(resource_type, resource_name, configuration_keys))
    include_synonyms = buffer[p] != 0
    p += 1
    return DescribeConfigsRequest(resources, include_synonyms, False), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DescribeConfigsRequest, int]:
    """Versions 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (resources_count,) = _unpack_i(buffer, p)
    p += 4
    if resources_count < 0:
        raise missing("DescribeConfigsRequest.resources")
    if resources_count > room or resources_count * 7 > end - p:
        raise too_many("DescribeConfigsRequest.resources", resources_count)
    room -= resources_count
    resources: list[DescribeConfigsResource] = []
    for _ in range(resources_count):
        resource_type, resource_name_size = _unpack_bh(buffer, p)
        p += 3
        if resource_name_size < 0:
            raise missing("DescribeConfigsRequest.resources.resource_name")
        stop = p + resource_name_size
        resource_name = buffer[p:stop].tobytes().decode()
        p = stop
        (configuration_keys_count,) = _unpack_i(buffer, p)
        p += 4
        configuration_keys: list[str] | None = None
        if configuration_keys_count >= 0:
            if configuration_keys_count > room or configuration_keys_count * 2 > end - p:
                raise too_many("DescribeConfigsRequest.resources.configuration_keys", configuration_keys_count)
            room -= configuration_keys_count
            configuration_keys = []
            for _ in range(configuration_keys_count):
                (element_size,) = _unpack_h(buffer, p)
                p += 2
                if element_size < 0:
                    raise missing("DescribeConfigsRequest.resources.configuration_keys")
                stop = p + element_size
                element = buffer[p:stop].tobytes().decode()
                p = stop
                configuration_keys.append(element)
        elif configuration_keys_count != -1:
            raise missing("DescribeConfigsRequest.resources.configuration_keys")
        resources.append(DescribeConfigsResource(resource_type, resource_name, configuration_keys))
    include_synonyms, include_documentation = _unpack_zz(buffer, p)
    p += 2
    return DescribeConfigsRequest(resources, include_synonyms, include_documentation), p


def _decode_2(buffer: memoryview, p: int) -> tuple[DescribeConfigsRequest, int]:
    """Versions 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    resources_count = buffer[p]
    p += 1
    if resources_count > 127:
        resources_count, p = uvarint_tail(buffer, p, resources_count)
    if resources_count == 0:
        raise missing("DescribeConfigsRequest.resources")
    resources_count -= 1
    if resources_count > room or resources_count * 4 > end - p:
        raise too_many("DescribeConfigsRequest.resources", resources_count)
    room -= resources_count
    resources: list[DescribeConfigsResource] = []
    for _ in range(resources_count):
        resource_type, resource_name_size = _unpack_bB(buffer, p)
        p += 2
        if resource_name_size > 127:
            resource_name_size, p = string_tail(buffer, p, resource_name_size)
        if resource_name_size == 0:
            raise missing("DescribeConfigsRequest.resources.resource_name")
        stop = p + resource_name_size - 1
        resource_name = buffer[p:stop].tobytes().decode()
        p = stop
        configuration_keys_count = buffer[p]
        p += 1
        if configuration_keys_count > 127:
            configuration_keys_count, p = uvarint_tail(buffer, p, configuration_keys_count)
        configuration_keys: list[str] | None = None
        if configuration_keys_count:
            configuration_keys_count -= 1
            if configuration_keys_count > room or configuration_keys_count > end - p:
                raise too_many("DescribeConfigsRequest.resources.configuration_keys", configuration_keys_count)
            room -= configuration_keys_count
            configuration_keys = []
            for _ in range(configuration_keys_count):
                element_size = buffer[p]
                p += 1
                if element_size > 127:
                    element_size, p = string_tail(buffer, p, element_size)
                if element_size == 0:
                    raise missing("DescribeConfigsRequest.resources.configuration_keys")
                stop = p + element_size - 1
                element = buffer[p:stop].tobytes().decode()
                p = stop
                configuration_keys.append(element)
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        resources.append(DescribeConfigsResource(resource_type, resource_name, configuration_keys))
    include_synonyms, include_documentation, tags_2 = _unpack_zzB(buffer, p)
    p += 3
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return DescribeConfigsRequest(resources, include_synonyms, include_documentation), p


def _encode_0(message: DescribeConfigsRequest) -> bytes:
    """Versions 1, 2."""
    out: list[bytes] = []
    resources = message.resources
    out.append(_pack_i(len(resources)))
    for element in resources:
        resource_name = element.resource_name.encode()
        resource_name_size = len(resource_name)
        configuration_keys = element.configuration_keys
        out += (_pack_bh(element.resource_type, resource_name_size), resource_name)
        if configuration_keys is None:
            out.append(b"\xff\xff\xff\xff")
        else:
            out.append(_pack_i(len(configuration_keys)))
            for element_2 in configuration_keys:
                text = element_2.encode()
                text_size = len(text)
                out += (_pack_h(text_size), text)
    if message.include_documentation:
        raise not_in_version("DescribeConfigsRequest.include_documentation")
    out.append(_pack_z(message.include_synonyms))
    return b"".join(out)


def _encode_1(message: DescribeConfigsRequest) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    resources = message.resources
    out.append(_pack_i(len(resources)))
    for element in resources:
        resource_name = element.resource_name.encode()
        resource_name_size = len(resource_name)
        configuration_keys = element.configuration_keys
        out += (_pack_bh(element.resource_type, resource_name_size), resource_name)
        if configuration_keys is None:
            out.append(b"\xff\xff\xff\xff")
        else:
            out.append(_pack_i(len(configuration_keys)))
            for element_2 in configuration_keys:
                text = element_2.encode()
                text_size = len(text)
                out += (_pack_h(text_size), text)
    out.append(_pack_zz(message.include_synonyms, message.include_documentation))
    return b"".join(out)


def _encode_2(message: DescribeConfigsRequest) -> bytes:
    """Versions 4."""
    out: list[bytes] = []
    resources = message.resources
    resources_count = len(resources) + 1
    out.append(UVARINTS[resources_count] if resources_count < 256 else uvarint(resources_count))
    for element in resources:
        resource_name = element.resource_name.encode()
        resource_name_size = len(resource_name) + 1
        configuration_keys = element.configuration_keys
        out += (
            _pack_b(element.resource_type),
            UVARINTS[resource_name_size] if resource_name_size < 256 else string_prefix(resource_name_size),
            resource_name,
        )
        if configuration_keys is None:
            out.append(b"\0")
        else:
            configuration_keys_count = len(configuration_keys) + 1
            out.append(UVARINTS[configuration_keys_count] if configuration_keys_count < 256 else uvarint(configuration_keys_count))
            for element_2 in configuration_keys:
                text = element_2.encode()
                text_size = len(text) + 1
                out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
        out.append(b"\0")
    out.append(_pack_zzx(message.include_synonyms, message.include_documentation))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeConfigsRequest, int]]]] = {
    1: _decode_0,
    2: _decode_0,
    3: _decode_1,
    4: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[DescribeConfigsRequest], bytes]]] = {
    1: _encode_0,
    2: _encode_0,
    3: _encode_1,
    4: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeConfigsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeConfigsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeConfigsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeConfigsRequest v{version} is cut short")
    return result


def encode(message: DescribeConfigsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeConfigsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeConfigsRequest v{version}: {error}") from error
