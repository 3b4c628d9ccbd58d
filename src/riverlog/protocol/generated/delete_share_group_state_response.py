"""DeleteShareGroupStateResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DeleteShareGroupStateResponse"
API_KEY: Final = 86
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_pack_u = Struct(">16s").pack
_pack_ih = Struct(">ih").pack


@dataclass(init=False, repr=False, eq=False)
class PartitionResult(Wire):
    """PartitionResult."""

    __slots__ = ("partition", "error_code", "error_message")

    partition: int
    error_code: int
    error_message: str | None

    def __init__(
        self,
        partition: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.partition = partition
        self.error_code = error_code
        self.error_message = error_message


@dataclass(init=False, repr=False, eq=False)
class DeleteStateResult(Wire):
    """DeleteStateResult."""

    __slots__ = ("topic_id", "partitions")

    topic_id: bytes
    partitions: list[PartitionResult]

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: list[PartitionResult] = UNSET,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class DeleteShareGroupStateResponse(Wire):
    """DeleteShareGroupStateResponse."""

    __slots__ = ("results",)

    results: list[DeleteStateResult]

    def __init__(
        self,
        results: list[DeleteStateResult] = UNSET,
    ) -> None:
        self.results = [] if results is UNSET else results


def _decode_0(buffer: memoryview, p: int) -> tuple[DeleteShareGroupStateResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    results_count = buffer[p]
    p += 1
    if results_count > 127:
        results_count, p = uvarint_tail(buffer, p, results_count)
    if results_count == 0:
        raise missing("DeleteShareGroupStateResponse.results")
    results_count -= 1
    if results_count > room or results_count * 18 > end - p:
        raise too_many("DeleteShareGroupStateResponse.results", results_count)
    room -= results_count
    results: list[DeleteStateResult] = []
    for _ in range(results_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("DeleteShareGroupStateResponse.results.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 8 > end - p:
            raise too_many("DeleteShareGroupStateResponse.results.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionResult] = []
        for _ in range(partitions_count):
            partition, error_code, error_message_size = _unpack_ihB(buffer, p)
            p += 7
            if error_message_size > 127:
                error_message_size, p = string_tail(buffer, p, error_message_size)
            error_message: str | None = None
            if error_message_size:
                stop = p + error_message_size - 1
                error_message = buffer[p:stop].tobytes().decode()
                p = stop
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(PartitionResult(partition, error_code, error_message))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        results.append(DeleteStateResult(topic_id, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return DeleteShareGroupStateResponse(results), p


def _encode_0(message: DeleteShareGroupStateResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    results = message.results
    results_count = len(results) + 1
    out.append(UVARINTS[results_count] if results_count < 256 else uvarint(results_count))
    for element in results:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("DeleteShareGroupStateResponse.results.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            error_message_value = element_2.error_message
            if error_message_value is None:
                error_message_size, error_message = 0, b""
            else:
                error_message = error_message_value.encode()
                error_message_size = len(error_message) + 1
            out += (
                _pack_ih(element_2.partition, element_2.error_code),
                UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
                error_message,
                b"\0",
            )
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DeleteShareGroupStateResponse, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[DeleteShareGroupStateResponse], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DeleteShareGroupStateResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DeleteShareGroupStateResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DeleteShareGroupStateResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DeleteShareGroupStateResponse v{version} is cut short")
    return result


def encode(message: DeleteShareGroupStateResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DeleteShareGroupStateResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DeleteShareGroupStateResponse v{version}: {error}") from error
