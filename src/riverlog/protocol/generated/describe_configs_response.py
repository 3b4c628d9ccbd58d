"""DescribeConfigsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DescribeConfigsResponse"
API_KEY: Final = 32
VERSIONS: Final[tuple[int, int]] = (1, 4)
FLEXIBLE_FROM: Final = 4
LATEST_UNSTABLE: Final = False

_unpack_zbzB = Struct(">?b?B").unpack_from
_unpack_zbzi = Struct(">?b?i").unpack_from
_unpack_b = Struct(">b").unpack_from
_unpack_bB = Struct(">bB").unpack_from
_unpack_bh = Struct(">bh").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_hh = Struct(">hh").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_pack_zbz = Struct(">?b?").pack
_pack_zbzi = Struct(">?b?i").pack
_pack_b = Struct(">b").pack
_pack_bh = Struct(">bh").pack
_pack_bx = Struct(">bx").pack
_pack_h = Struct(">h").pack
_pack_hh = Struct(">hh").pack
_pack_i = Struct(">i").pack
_pack_ii = Struct(">ii").pack


@dataclass(init=False, repr=False, eq=False)
class DescribeConfigsSynonym(Wire):
    """DescribeConfigsSynonym."""

    __slots__ = ("name", "value", "source")

    name: str
    value: str | None
    source: int

    def __init__(
        self,
        name: str = "",
        value: str | None = "",
        source: int = 0,
    ) -> None:
        self.name = name
        self.value = value
        self.source = source


@dataclass(init=False, repr=False, eq=False)
class DescribeConfigsResourceResult(Wire):
    """DescribeConfigsResourceResult."""

    __slots__ = ("name", "value", "read_only", "config_source", "is_sensitive", "synonyms", "config_type", "documentation")

    name: str
    value: str | None
    read_only: bool
    config_source: int
    is_sensitive: bool
    synonyms: list[DescribeConfigsSynonym]
    config_type: int
    documentation: str | None

    def __init__(
        self,
        name: str = "",
        value: str | None = "",
        read_only: bool = False,
        config_source: int = -1,
        is_sensitive: bool = False,
        synonyms: list[DescribeConfigsSynonym] = UNSET,
        config_type: int = 0,
        documentation: str | None = "",
    ) -> None:
        self.name = name
        self.value = value
        self.read_only = read_only
        self.config_source = config_source
        self.is_sensitive = is_sensitive
        self.synonyms = [] if synonyms is UNSET else synonyms
        self.config_type = config_type
        self.documentation = documentation


@dataclass(init=False, repr=False, eq=False)
class DescribeConfigsResult(Wire):
    """DescribeConfigsResult."""

    __slots__ = ("error_code", "error_message", "resource_type", "resource_name", "configs")

    error_code: int
    error_message: str | None
    resource_type: int
    resource_name: str
    configs: list[DescribeConfigsResourceResult]

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        resource_type: int = 0,
        resource_name: str = "",
        configs: list[DescribeConfigsResourceResult] = UNSET,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.configs = [] if configs is UNSET else configs


@dataclass(init=False, repr=False, eq=False)
class DescribeConfigsResponse(Wire):
    """DescribeConfigsResponse."""

    __slots__ = ("throttle_time_ms", "results")

    throttle_time_ms: int
    results: list[DescribeConfigsResult]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: list[DescribeConfigsResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is UNSET else results


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeConfigsResponse, int]:
    """Versions 1, 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, results_count = _unpack_ii(buffer, p)
    p += 8
    if results_count < 0:
        raise missing("DescribeConfigsResponse.results")
    if results_count > room or results_count * 11 > end - p:
        raise too_many("DescribeConfigsResponse.results", results_count)
    room -= results_count
    results: list[DescribeConfigsResult] = []
    for _ in range(results_count):
        error_code, error_message_size = _unpack_hh(buffer, p)
        p += 4
        error_message: str | None = None
        if error_message_size >= 0:
            stop = p + error_message_size
            error_message = buffer[p:stop].tobytes().decode()
            p = stop
        elif error_message_size != -1:
            raise missing("DescribeConfigsResponse.results.error_message")
        resource_type, resource_name_size = _unpack_bh(buffer, p)
        p += 3
        if resource_name_size < 0:
            raise missing("DescribeConfigsResponse.results.resource_name")
        stop = p + resource_name_size
        resource_name = buffer[p:stop].tobytes().decode()
        p = stop
        (configs_count,) = _unpack_i(buffer, p)
        p += 4
        if configs_count < 0:
            raise missing("DescribeConfigsResponse.results.configs")
        if configs_count > room or configs_count * 11 > end - p:
            raise too_many("DescribeConfigsResponse.results.configs", configs_count)
        room -= configs_count
        configs: list[DescribeConfigsResourceResult] = []
        for _ in range(configs_count):
            (name_size,) = _unpack_h(buffer, p)
            p += 2
            if name_size < 0:
                raise missing("DescribeConfigsResponse.results.configs.name")
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
                raise missing("DescribeConfigsResponse.results.configs.value")
            read_only, config_source, is_sensitive, synonyms_count = _unpack_zbzi(buffer, p)
            p += 7
            if synonyms_count < 0:
                raise missing("DescribeConfigsResponse.results.configs.synonyms")
            if synonyms_count > room or synonyms_count * 5 > end - p:
                raise too_many("DescribeConfigsResponse.results.configs.synonyms", synonyms_count)
            room -= synonyms_count
            synonyms: list[DescribeConfigsSynonym] = []
            for _ in range(synonyms_count):
                (name_size_2,) = _unpack_h(buffer, p)
                p += 2
                if name_size_2 < 0:
                    raise missing("DescribeConfigsResponse.results.configs.synonyms.name")
                stop = p + name_size_2
                name_2 = buffer[p:stop].tobytes().decode()
                p = stop
                (value_size_2,) = _unpack_h(buffer, p)
                p += 2
                value_2: str | None = None
                if value_size_2 >= 0:
                    stop = p + value_size_2
                    value_2 = buffer[p:stop].tobytes().decode()
                    p = stop
                elif value_size_2 != -1:
                    raise missing("DescribeConfigsResponse.results.configs.synonyms.value")
                (source,) = _unpack_b(buffer, p)
                p += 1
                synonyms.append(DescribeConfigsSynonym(name_2, value_2, source))
            configs.append(DescribeConfigsResourceResult(name, value, read_only, config_source, is_sensitive, synonyms, 0, ""))
        results.append(DescribeConfigsResult(error_code, error_message, resource_type, resource_name, configs))
    return DescribeConfigsResponse(throttle_time_ms, results), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DescribeConfigsResponse, int]:
    """Versions 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, results_count = _unpack_ii(buffer, p)
    p += 8
    if results_count < 0:
        raise missing("DescribeConfigsResponse.results")
    if results_count > room or results_count * 11 > end - p:
        raise too_many("DescribeConfigsResponse.results", results_count)
    room -= results_count
    results: list[DescribeConfigsResult] = []
    for _ in range(results_count):
        error_code, error_message_size = _unpack_hh(buffer, p)
        p += 4
        error_message: str | None = None
        if error_message_size >= 0:
            stop = p + error_message_size
            error_message = buffer[p:stop].tobytes().decode()
            p = stop
        elif error_message_size != -1:
            raise missing("DescribeConfigsResponse.results.error_message")
        resource_type, resource_name_size = _unpack_bh(buffer, p)
        p += 3
        if resource_name_size < 0:
            raise missing("DescribeConfigsResponse.results.resource_name")
        stop = p + resource_name_size
        resource_name = buffer[p:stop].tobytes().decode()
        p = stop
        (configs_count,) = _unpack_i(buffer, p)
        p += 4
        if configs_count < 0:
            raise missing("DescribeConfigsResponse.results.configs")
        if configs_count > room or configs_count * 14 > end - p:
            raise too_many("DescribeConfigsResponse.results.configs", configs_count)
        room -= configs_count
        configs: list[DescribeConfigsResourceResult] = []
        for _ in range(configs_count):
            (name_size,) = _unpack_h(buffer, p)
            p += 2
            if name_size < 0:
                raise missing("DescribeConfigsResponse.results.configs.name")
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
                raise missing("DescribeConfigsResponse.results.configs.value")
            read_only, config_source, is_sensitive, synonyms_count = _unpack_zbzi(buffer, p)
            p += 7
            if synonyms_count < 0:
                raise missing("DescribeConfigsResponse.results.configs.synonyms")
            if synonyms_count > room or synonyms_count * 5 > end - p:
                raise too_many("DescribeConfigsResponse.results.configs.synonyms", synonyms_count)
            room -= synonyms_count
            synonyms: list[DescribeConfigsSynonym] = []
            for _ in range(synonyms_count):
                (name_size_2,) = _unpack_h(buffer, p)
                p += 2
                if name_size_2 < 0:
                    raise missing("DescribeConfigsResponse.results.configs.synonyms.name")
                stop = p + name_size_2
                name_2 = buffer[p:stop].tobytes().decode()
                p = stop
                (value_size_2,) = _unpack_h(buffer, p)
                p += 2
                value_2: str | None = None
                if value_size_2 >= 0:
                    stop = p + value_size_2
                    value_2 = buffer[p:stop].tobytes().decode()
                    p = stop
                elif value_size_2 != -1:
                    raise missing("DescribeConfigsResponse.results.configs.synonyms.value")
                (source,) = _unpack_b(buffer, p)
                p += 1
                synonyms.append(DescribeConfigsSynonym(name_2, value_2, source))
            config_type, documentation_size = _unpack_bh(buffer, p)
            p += 3
            documentation: str | None = None
            if documentation_size >= 0:
                stop = p + documentation_size
                documentation = buffer[p:stop].tobytes().decode()
                p = stop
            elif documentation_size != -1:
                raise missing("DescribeConfigsResponse.results.configs.documentation")
            configs.append(DescribeConfigsResourceResult(name, value, read_only, config_source, is_sensitive, synonyms, config_type, documentation))
        results.append(DescribeConfigsResult(error_code, error_message, resource_type, resource_name, configs))
    return DescribeConfigsResponse(throttle_time_ms, results), p


def _decode_2(buffer: memoryview, p: int) -> tuple[DescribeConfigsResponse, int]:
    """Versions 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, results_count = _unpack_iB(buffer, p)
    p += 5
    if results_count > 127:
        results_count, p = uvarint_tail(buffer, p, results_count)
    if results_count == 0:
        raise missing("DescribeConfigsResponse.results")
    results_count -= 1
    if results_count > room or results_count * 7 > end - p:
        raise too_many("DescribeConfigsResponse.results", results_count)
    room -= results_count
    results: list[DescribeConfigsResult] = []
    for _ in range(results_count):
        error_code, error_message_size = _unpack_hB(buffer, p)
        p += 3
        if error_message_size > 127:
            error_message_size, p = string_tail(buffer, p, error_message_size)
        error_message: str | None = None
        if error_message_size:
            stop = p + error_message_size - 1
            error_message = buffer[p:stop].tobytes().decode()
            p = stop
        resource_type, resource_name_size = _unpack_bB(buffer, p)
        p += 2
        if resource_name_size > 127:
            resource_name_size, p = string_tail(buffer, p, resource_name_size)
        if resource_name_size == 0:
            raise missing("DescribeConfigsResponse.results.resource_name")
        stop = p + resource_name_size - 1
        resource_name = buffer[p:stop].tobytes().decode()
        p = stop
        configs_count = buffer[p]
        p += 1
        if configs_count > 127:
            configs_count, p = uvarint_tail(buffer, p, configs_count)
        if configs_count == 0:
            raise missing("DescribeConfigsResponse.results.configs")
        configs_count -= 1
        if configs_count > room or configs_count * 9 > end - p:
            raise too_many("DescribeConfigsResponse.results.configs", configs_count)
        room -= configs_count
        configs: list[DescribeConfigsResourceResult] = []
        for _ in range(configs_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("DescribeConfigsResponse.results.configs.name")
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
            read_only, config_source, is_sensitive, synonyms_count = _unpack_zbzB(buffer, p)
            p += 4
            if synonyms_count > 127:
                synonyms_count, p = uvarint_tail(buffer, p, synonyms_count)
            if synonyms_count == 0:
                raise missing("DescribeConfigsResponse.results.configs.synonyms")
            synonyms_count -= 1
            if synonyms_count > room or synonyms_count * 4 > end - p:
                raise too_many("DescribeConfigsResponse.results.configs.synonyms", synonyms_count)
            room -= synonyms_count
            synonyms: list[DescribeConfigsSynonym] = []
            for _ in range(synonyms_count):
                name_size_2 = buffer[p]
                p += 1
                if name_size_2 > 127:
                    name_size_2, p = string_tail(buffer, p, name_size_2)
                if name_size_2 == 0:
                    raise missing("DescribeConfigsResponse.results.configs.synonyms.name")
                stop = p + name_size_2 - 1
                name_2 = buffer[p:stop].tobytes().decode()
                p = stop
                value_size_2 = buffer[p]
                p += 1
                if value_size_2 > 127:
                    value_size_2, p = string_tail(buffer, p, value_size_2)
                value_2: str | None = None
                if value_size_2:
                    stop = p + value_size_2 - 1
                    value_2 = buffer[p:stop].tobytes().decode()
                    p = stop
                source, tags = _unpack_bB(buffer, p)
                p += 2
                if tags:
                    p = skip_tags(buffer, p, tags)
                synonyms.append(DescribeConfigsSynonym(name_2, value_2, source))
            config_type, documentation_size = _unpack_bB(buffer, p)
            p += 2
            if documentation_size > 127:
                documentation_size, p = string_tail(buffer, p, documentation_size)
            documentation: str | None = None
            if documentation_size:
                stop = p + documentation_size - 1
                documentation = buffer[p:stop].tobytes().decode()
                p = stop
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            configs.append(DescribeConfigsResourceResult(name, value, read_only, config_source, is_sensitive, synonyms, config_type, documentation))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        results.append(DescribeConfigsResult(error_code, error_message, resource_type, resource_name, configs))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return DescribeConfigsResponse(throttle_time_ms, results), p


def _encode_0(message: DescribeConfigsResponse) -> bytes:
    """Versions 1, 2."""
    out: list[bytes] = []
    results = message.results
    out.append(_pack_ii(message.throttle_time_ms, len(results)))
    for element in results:
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = -1, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message)
        resource_name = element.resource_name.encode()
        resource_name_size = len(resource_name)
        configs = element.configs
        out += (
            _pack_hh(element.error_code, error_message_size),
            error_message,
            _pack_bh(element.resource_type, resource_name_size),
            resource_name,
            _pack_i(len(configs)),
        )
        for element_2 in configs:
            name = element_2.name.encode()
            name_size = len(name)
            value_value = element_2.value
            if value_value is None:
                value_size, value = -1, b""
            else:
                value = value_value.encode()
                value_size = len(value)
            synonyms = element_2.synonyms
            out += (
                _pack_h(name_size),
                name,
                _pack_h(value_size),
                value,
                _pack_zbzi(element_2.read_only, element_2.config_source, element_2.is_sensitive, len(synonyms)),
            )
            for element_3 in synonyms:
                name_2 = element_3.name.encode()
                name_size_2 = len(name_2)
                value_value_2 = element_3.value
                if value_value_2 is None:
                    value_size_2, value_2 = -1, b""
                else:
                    value_2 = value_value_2.encode()
                    value_size_2 = len(value_2)
                out += (
                    _pack_h(name_size_2),
                    name_2,
                    _pack_h(value_size_2),
                    value_2,
                    _pack_b(element_3.source),
                )
    return b"".join(out)


def _encode_1(message: DescribeConfigsResponse) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    results = message.results
    out.append(_pack_ii(message.throttle_time_ms, len(results)))
    for element in results:
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = -1, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message)
        resource_name = element.resource_name.encode()
        resource_name_size = len(resource_name)
        configs = element.configs
        out += (
            _pack_hh(element.error_code, error_message_size),
            error_message,
            _pack_bh(element.resource_type, resource_name_size),
            resource_name,
            _pack_i(len(configs)),
        )
        for element_2 in configs:
            name = element_2.name.encode()
            name_size = len(name)
            value_value = element_2.value
            if value_value is None:
                value_size, value = -1, b""
            else:
                value = value_value.encode()
                value_size = len(value)
            synonyms = element_2.synonyms
            out += (
                _pack_h(name_size),
                name,
                _pack_h(value_size),
                value,
                _pack_zbzi(element_2.read_only, element_2.config_source, element_2.is_sensitive, len(synonyms)),
            )
            for element_3 in synonyms:
                name_2 = element_3.name.encode()
                name_size_2 = len(name_2)
                value_value_2 = element_3.value
                if value_value_2 is None:
                    value_size_2, value_2 = -1, b""
                else:
                    value_2 = value_value_2.encode()
                    value_size_2 = len(value_2)
                out += (
                    _pack_h(name_size_2),
                    name_2,
                    _pack_h(value_size_2),
                    value_2,
                    _pack_b(element_3.source),
                )
            documentation_value = element_2.documentation
            if documentation_value is None:
                documentation_size, documentation = -1, b""
            else:
                documentation = documentation_value.encode()
                documentation_size = len(documentation)
            out += (_pack_bh(element_2.config_type, documentation_size), documentation)
    return b"".join(out)


def _encode_2(message: DescribeConfigsResponse) -> bytes:
    """Versions 4."""
    out: list[bytes] = []
    results = message.results
    results_count = len(results) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[results_count] if results_count < 256 else uvarint(results_count),
    )
    for element in results:
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = 0, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message) + 1
        resource_name = element.resource_name.encode()
        resource_name_size = len(resource_name) + 1
        configs = element.configs
        configs_count = len(configs) + 1
        out += (
            _pack_h(element.error_code),
            UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
            error_message,
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
            synonyms = element_2.synonyms
            synonyms_count = len(synonyms) + 1
            out += (
                UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                name,
                UVARINTS[value_size] if value_size < 256 else string_prefix(value_size),
                value,
                _pack_zbz(element_2.read_only, element_2.config_source, element_2.is_sensitive),
                UVARINTS[synonyms_count] if synonyms_count < 256 else uvarint(synonyms_count),
            )
            for element_3 in synonyms:
                name_2 = element_3.name.encode()
                name_size_2 = len(name_2) + 1
                value_value_2 = element_3.value
                if value_value_2 is None:
                    value_size_2, value_2 = 0, b""
                else:
                    value_2 = value_value_2.encode()
                    value_size_2 = len(value_2) + 1
                out += (
                    UVARINTS[name_size_2] if name_size_2 < 256 else string_prefix(name_size_2),
                    name_2,
                    UVARINTS[value_size_2] if value_size_2 < 256 else string_prefix(value_size_2),
                    value_2,
                    _pack_bx(element_3.source),
                )
            documentation_value = element_2.documentation
            if documentation_value is None:
                documentation_size, documentation = 0, b""
            else:
                documentation = documentation_value.encode()
                documentation_size = len(documentation) + 1
            out += (
                _pack_b(element_2.config_type),
                UVARINTS[documentation_size] if documentation_size < 256 else string_prefix(documentation_size),
                documentation,
                b"\0",
            )
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeConfigsResponse, int]]]] = {
    1: _decode_0,
    2: _decode_0,
    3: _decode_1,
    4: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[DescribeConfigsResponse], bytes]]] = {
    1: _encode_0,
    2: _encode_0,
    3: _encode_1,
    4: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeConfigsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeConfigsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeConfigsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeConfigsResponse v{version} is cut short")
    return result


def encode(message: DescribeConfigsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeConfigsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeConfigsResponse v{version}: {error}") from error
