"""AlterReplicaLogDirsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    read_int32s,
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
    write_int32s,
)

NAME: Final = "AlterReplicaLogDirsRequest"
API_KEY: Final = 34
VERSIONS: Final[tuple[int, int]] = (1, 2)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class AlterReplicaLogDirTopic(Wire):
    """AlterReplicaLogDirTopic."""

    __slots__ = ("name", "partitions")

    name: str
    partitions: list[int]

    def __init__(
        self,
        name: str = "",
        partitions: list[int] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class AlterReplicaLogDir(Wire):
    """AlterReplicaLogDir."""

    __slots__ = ("path", "topics")

    path: str
    topics: list[AlterReplicaLogDirTopic]

    def __init__(
        self,
        path: str = "",
        topics: list[AlterReplicaLogDirTopic] = UNSET,
    ) -> None:
        self.path = path
        self.topics = [] if topics is UNSET else topics


@dataclass(init=False, repr=False, eq=False)
class AlterReplicaLogDirsRequest(Wire):
    """AlterReplicaLogDirsRequest."""

    __slots__ = ("dirs",)

    dirs: list[AlterReplicaLogDir]

    def __init__(
        self,
        dirs: list[AlterReplicaLogDir] = UNSET,
    ) -> None:
        self.dirs = [] if dirs is UNSET else dirs


def _decode_0(buffer: memoryview, p: int) -> tuple[AlterReplicaLogDirsRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (dirs_count,) = _unpack_i(buffer, p)
    p += 4
    if dirs_count < 0:
        raise missing("AlterReplicaLogDirsRequest.dirs")
    if dirs_count > room or dirs_count * 6 > end - p:
        raise too_many("AlterReplicaLogDirsRequest.dirs", dirs_count)
    room -= dirs_count
    dirs: list[AlterReplicaLogDir] = []
    for _ in range(dirs_count):
        (path_size,) = _unpack_h(buffer, p)
        p += 2
        if path_size < 0:
            raise missing("AlterReplicaLogDirsRequest.dirs.path")
        stop = p + path_size
        path = buffer[p:stop].tobytes().decode()
        p = stop
        (topics_count,) = _unpack_i(buffer, p)
        p += 4
        if topics_count < 0:
            raise missing("AlterReplicaLogDirsRequest.dirs.topics")
        if topics_count > room or topics_count * 6 > end - p:
            raise too_many("AlterReplicaLogDirsRequest.dirs.topics", topics_count)
        room -= topics_count
        topics: list[AlterReplicaLogDirTopic] = []
        for _ in range(topics_count):
            (name_size,) = _unpack_h(buffer, p)
            p += 2
            if name_size < 0:
                raise missing("AlterReplicaLogDirsRequest.dirs.topics.name")
            stop = p + name_size
            name = buffer[p:stop].tobytes().decode()
            p = stop
            (partitions_count,) = _unpack_i(buffer, p)
            p += 4
            if partitions_count < 0:
                raise missing("AlterReplicaLogDirsRequest.dirs.topics.partitions")
            partitions = read_int32s(buffer, p, partitions_count)
            p += partitions_count * 4
            topics.append(AlterReplicaLogDirTopic(name, partitions))
        dirs.append(AlterReplicaLogDir(path, topics))
    return AlterReplicaLogDirsRequest(dirs), p


def _decode_1(buffer: memoryview, p: int) -> tuple[AlterReplicaLogDirsRequest, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    dirs_count = buffer[p]
    p += 1
    if dirs_count > 127:
        dirs_count, p = uvarint_tail(buffer, p, dirs_count)
    if dirs_count == 0:
        raise missing("AlterReplicaLogDirsRequest.dirs")
    dirs_count -= 1
    if dirs_count > room or dirs_count * 3 > end - p:
        raise too_many("AlterReplicaLogDirsRequest.dirs", dirs_count)
    room -= dirs_count
    dirs: list[AlterReplicaLogDir] = []
    for _ in range(dirs_count):
        path_size = buffer[p]
        p += 1
        if path_size > 127:
            path_size, p = string_tail(buffer, p, path_size)
        if path_size == 0:
            raise missing("AlterReplicaLogDirsRequest.dirs.path")
        stop = p + path_size - 1
        path = buffer[p:stop].tobytes().decode()
        p = stop
        topics_count = buffer[p]
        p += 1
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        if topics_count == 0:
            raise missing("AlterReplicaLogDirsRequest.dirs.topics")
        topics_count -= 1
        if topics_count > room or topics_count * 3 > end - p:
            raise too_many("AlterReplicaLogDirsRequest.dirs.topics", topics_count)
        room -= topics_count
        topics: list[AlterReplicaLogDirTopic] = []
        for _ in range(topics_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("AlterReplicaLogDirsRequest.dirs.topics.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_count = buffer[p]
            p += 1
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("AlterReplicaLogDirsRequest.dirs.topics.partitions")
            partitions_count -= 1
            partitions = read_int32s(buffer, p, partitions_count)
            p += partitions_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            topics.append(AlterReplicaLogDirTopic(name, partitions))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        dirs.append(AlterReplicaLogDir(path, topics))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return AlterReplicaLogDirsRequest(dirs), p


def _encode_0(message: AlterReplicaLogDirsRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    dirs = message.dirs
    out.append(_pack_i(len(dirs)))
    for element in dirs:
        path = element.path.encode()
        path_size = len(path)
        topics = element.topics
        out += (_pack_h(path_size), path, _pack_i(len(topics)))
        for element_2 in topics:
            name = element_2.name.encode()
            name_size = len(name)
            partitions = element_2.partitions
            out += (_pack_h(name_size), name, _pack_i(len(partitions)), write_int32s(partitions))
    return b"".join(out)


def _encode_1(message: AlterReplicaLogDirsRequest) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    dirs = message.dirs
    dirs_count = len(dirs) + 1
    out.append(UVARINTS[dirs_count] if dirs_count < 256 else uvarint(dirs_count))
    for element in dirs:
        path = element.path.encode()
        path_size = len(path) + 1
        topics = element.topics
        topics_count = len(topics) + 1
        out += (
            UVARINTS[path_size] if path_size < 256 else string_prefix(path_size),
            path,
            UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
        )
        for element_2 in topics:
            name = element_2.name.encode()
            name_size = len(name) + 1
            partitions = element_2.partitions
            partitions_count = len(partitions) + 1
            out += (
                UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                name,
                UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
                write_int32s(partitions),
                b"\0",
            )
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AlterReplicaLogDirsRequest, int]]]] = {
    1: _decode_0,
    2: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[AlterReplicaLogDirsRequest], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AlterReplicaLogDirsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AlterReplicaLogDirsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AlterReplicaLogDirsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AlterReplicaLogDirsRequest v{version} is cut short")
    return result


def encode(message: AlterReplicaLogDirsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AlterReplicaLogDirsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AlterReplicaLogDirsRequest v{version}: {error}") from error
