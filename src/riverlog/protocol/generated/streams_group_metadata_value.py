"""StreamsGroupMetadataValue. Written by `python -m codegen` from schemas/group; do not edit."""

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
)

NAME: Final = "StreamsGroupMetadataValue"
API_KEY: Final = 17
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_i = Struct(">i").unpack_from
_unpack_iqB = Struct(">iqB").unpack_from
_pack_i = Struct(">i").pack
_pack_iq = Struct(">iq").pack


@dataclass(init=False, repr=False, eq=False)
class LastAssignmentConfig(Wire):
    """LastAssignmentConfig."""

    __slots__ = ("key", "value")

    key: str
    value: str

    def __init__(
        self,
        key: str = "",
        value: str = "",
    ) -> None:
        self.key = key
        self.value = value


@dataclass(init=False, repr=False, eq=False)
class StreamsGroupMetadataValue(Wire):
    """StreamsGroupMetadataValue."""

    __slots__ = ("epoch", "metadata_hash", "validated_topology_epoch", "last_assignment_configs")

    epoch: int
    metadata_hash: int
    validated_topology_epoch: int
    last_assignment_configs: list[LastAssignmentConfig] | None

    def __init__(
        self,
        epoch: int = 0,
        metadata_hash: int = 0,
        validated_topology_epoch: int = -1,
        last_assignment_configs: list[LastAssignmentConfig] | None = UNSET,
    ) -> None:
        self.epoch = epoch
        self.metadata_hash = metadata_hash
        self.validated_topology_epoch = validated_topology_epoch
        self.last_assignment_configs = [] if last_assignment_configs is UNSET else last_assignment_configs


def _decode_0(buffer: memoryview, p: int) -> tuple[StreamsGroupMetadataValue, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    epoch, metadata_hash, tags = _unpack_iqB(buffer, p)
    p += 13
    validated_topology_epoch: int = -1
    last_assignment_configs: list[LastAssignmentConfig] | None = []
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                (validated_topology_epoch_2,) = _unpack_i(buffer, p)
                p += 4
                validated_topology_epoch = validated_topology_epoch_2
            elif tag == 1:
                last_assignment_configs_count = buffer[p]
                p += 1
                if last_assignment_configs_count > 127:
                    last_assignment_configs_count, p = uvarint_tail(buffer, p, last_assignment_configs_count)
                last_assignment_configs_2: list[LastAssignmentConfig] | None = None
                if last_assignment_configs_count:
                    last_assignment_configs_count -= 1
                    if last_assignment_configs_count > room or last_assignment_configs_count * 3 > end - p:
                        raise too_many("StreamsGroupMetadataValue.last_assignment_configs", last_assignment_configs_count)
                    room -= last_assignment_configs_count
                    last_assignment_configs_2 = []
                    for _ in range(last_assignment_configs_count):
                        key_size = buffer[p]
                        p += 1
                        if key_size > 127:
                            key_size, p = string_tail(buffer, p, key_size)
                        if key_size == 0:
                            raise missing("StreamsGroupMetadataValue.last_assignment_configs.key")
                        stop = p + key_size - 1
                        key = buffer[p:stop].tobytes().decode()
                        p = stop
                        value_size = buffer[p]
                        p += 1
                        if value_size > 127:
                            value_size, p = string_tail(buffer, p, value_size)
                        if value_size == 0:
                            raise missing("StreamsGroupMetadataValue.last_assignment_configs.value")
                        stop = p + value_size - 1
                        value = buffer[p:stop].tobytes().decode()
                        p = stop
                        tags_2 = buffer[p]
                        p += 1
                        if tags_2:
                            p = skip_tags(buffer, p, tags_2)
                        last_assignment_configs_2.append(LastAssignmentConfig(key, value))
                last_assignment_configs = last_assignment_configs_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("StreamsGroupMetadataValue: a tagged field is not of its size")
    return StreamsGroupMetadataValue(epoch, metadata_hash, validated_topology_epoch, last_assignment_configs), p


def _encode_0(message: StreamsGroupMetadataValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    out.append(_pack_iq(message.epoch, message.metadata_hash))
    tags = 0
    tagged: list[bytes] = []
    if message.validated_topology_epoch != -1:
        content: list[bytes] = []
        content.append(_pack_i(message.validated_topology_epoch))
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if message.last_assignment_configs is None or message.last_assignment_configs:
        content_2: list[bytes] = []
        last_assignment_configs = message.last_assignment_configs
        if last_assignment_configs is None:
            content_2.append(b"\0")
        else:
            last_assignment_configs_count = len(last_assignment_configs) + 1
            content_2.append(UVARINTS[last_assignment_configs_count] if last_assignment_configs_count < 256 else uvarint(last_assignment_configs_count))
            for element in last_assignment_configs:
                key = element.key.encode()
                key_size = len(key) + 1
                value = element.value.encode()
                value_size = len(value) + 1
                content_2 += (
                    UVARINTS[key_size] if key_size < 256 else string_prefix(key_size),
                    key,
                    UVARINTS[value_size] if value_size < 256 else string_prefix(value_size),
                    value,
                    b"\0",
                )
        joined_2 = b"".join(content_2)
        joined_size_2 = len(joined_2)
        tags += 1
        tagged += (
            UVARINTS[1],
            UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
            joined_2,
        )
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[StreamsGroupMetadataValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[StreamsGroupMetadataValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[StreamsGroupMetadataValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"StreamsGroupMetadataValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"StreamsGroupMetadataValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"StreamsGroupMetadataValue v{version} is cut short")
    return result


def encode(message: StreamsGroupMetadataValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"StreamsGroupMetadataValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"StreamsGroupMetadataValue v{version}: {error}") from error
