"""DeleteShareGroupOffsetsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

# fmt: off
# ruff: noqa: A001, ARG001, N816
# Layout is fixed by the generator, so that it does not depend on the version of a formatter.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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

NAME: Final = "DeleteShareGroupOffsetsRequest"
API_KEY: Final = 92
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False


@dataclass(init=False, repr=False, eq=False)
class DeleteShareGroupOffsetsRequestTopic(Wire):
    """DeleteShareGroupOffsetsRequestTopic."""

    __slots__ = ("topic_name",)

    topic_name: str

    def __init__(
        self,
        topic_name: str = "",
    ) -> None:
        self.topic_name = topic_name


@dataclass(init=False, repr=False, eq=False)
class DeleteShareGroupOffsetsRequest(Wire):
    """DeleteShareGroupOffsetsRequest."""

    __slots__ = ("group_id", "topics")

    group_id: str
    topics: list[DeleteShareGroupOffsetsRequestTopic]

    def __init__(
        self,
        group_id: str = "",
        topics: list[DeleteShareGroupOffsetsRequestTopic] = UNSET,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[DeleteShareGroupOffsetsRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("DeleteShareGroupOffsetsRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("DeleteShareGroupOffsetsRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 2 > end - p:
        raise too_many("DeleteShareGroupOffsetsRequest.topics", topics_count)
    room -= topics_count
    topics: list[DeleteShareGroupOffsetsRequestTopic] = []
    for _ in range(topics_count):
        topic_name_size = buffer[p]
        p += 1
        if topic_name_size > 127:
            topic_name_size, p = string_tail(buffer, p, topic_name_size)
        if topic_name_size == 0:
            raise missing("DeleteShareGroupOffsetsRequest.topics.topic_name")
        stop = p + topic_name_size - 1
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        topics.append(DeleteShareGroupOffsetsRequestTopic(topic_name))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return DeleteShareGroupOffsetsRequest(group_id, topics), p


def _encode_0(message: DeleteShareGroupOffsetsRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_name = element.topic_name.encode()
        topic_name_size = len(topic_name) + 1
        out += (
            UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size),
            topic_name,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DeleteShareGroupOffsetsRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[DeleteShareGroupOffsetsRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DeleteShareGroupOffsetsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DeleteShareGroupOffsetsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DeleteShareGroupOffsetsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DeleteShareGroupOffsetsRequest v{version} is cut short")
    return result


def encode(message: DeleteShareGroupOffsetsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DeleteShareGroupOffsetsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DeleteShareGroupOffsetsRequest v{version}: {error}") from error
