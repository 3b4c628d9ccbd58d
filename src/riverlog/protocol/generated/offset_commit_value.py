"""OffsetCommitValue. Written by `python -m codegen` from schemas/group; do not edit."""

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
    missing,
    read_tag,
    string_prefix,
    string_tail,
    UNFIT,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
    ZERO_UUID,
)

NAME: Final = "OffsetCommitValue"
API_KEY: Final = 1
VERSIONS: Final[tuple[int, int]] = (0, 4)
FLEXIBLE_FROM: Final = 4
LATEST_UNSTABLE: Final = False

_unpack_u = Struct(">16s").unpack_from
_unpack_q = Struct(">q").unpack_from
_unpack_qB = Struct(">qB").unpack_from
_unpack_qh = Struct(">qh").unpack_from
_unpack_qiB = Struct(">qiB").unpack_from
_unpack_qih = Struct(">qih").unpack_from
_unpack_qq = Struct(">qq").unpack_from
_pack_u = Struct(">16s").pack
_pack_q = Struct(">q").pack
_pack_qh = Struct(">qh").pack
_pack_qi = Struct(">qi").pack
_pack_qih = Struct(">qih").pack
_pack_qq = Struct(">qq").pack


@dataclass(init=False, repr=False, eq=False)
class OffsetCommitValue(Wire):
    """OffsetCommitValue."""

    __slots__ = ("offset", "leader_epoch", "metadata", "commit_timestamp", "expire_timestamp", "topic_id")

    offset: int
    leader_epoch: int
    metadata: str
    commit_timestamp: int
    expire_timestamp: int
    topic_id: bytes

    def __init__(
        self,
        offset: int = 0,
        leader_epoch: int = -1,
        metadata: str = "",
        commit_timestamp: int = 0,
        expire_timestamp: int = -1,
        topic_id: bytes = ZERO_UUID,
    ) -> None:
        self.offset = offset
        self.leader_epoch = leader_epoch
        self.metadata = metadata
        self.commit_timestamp = commit_timestamp
        self.expire_timestamp = expire_timestamp
        self.topic_id = topic_id


def _decode_0(buffer: memoryview, p: int) -> tuple[OffsetCommitValue, int]:
    """Versions 0, 2."""
    offset, metadata_size = _unpack_qh(buffer, p)
    p += 10
    if metadata_size < 0:
        raise missing("OffsetCommitValue.metadata")
    stop = p + metadata_size
    metadata = buffer[p:stop].tobytes().decode()
    p = stop
    (commit_timestamp,) = _unpack_q(buffer, p)
    p += 8
    return OffsetCommitValue(offset, -1, metadata, commit_timestamp, -1, ZERO_UUID), p


def _decode_1(buffer: memoryview, p: int) -> tuple[OffsetCommitValue, int]:
    """Versions 1."""
    offset, metadata_size = _unpack_qh(buffer, p)
    p += 10
    if metadata_size < 0:
        raise missing("OffsetCommitValue.metadata")
    stop = p + metadata_size
    metadata = buffer[p:stop].tobytes().decode()
    p = stop
    commit_timestamp, expire_timestamp = _unpack_qq(buffer, p)
    p += 16
    return OffsetCommitValue(offset, -1, metadata, commit_timestamp, expire_timestamp, ZERO_UUID), p


def _decode_2(buffer: memoryview, p: int) -> tuple[OffsetCommitValue, int]:
    """Versions 3."""
    offset, leader_epoch, metadata_size = _unpack_qih(buffer, p)
    p += 14
    if metadata_size < 0:
        raise missing("OffsetCommitValue.metadata")
    stop = p + metadata_size
    metadata = buffer[p:stop].tobytes().decode()
    p = stop
    (commit_timestamp,) = _unpack_q(buffer, p)
    p += 8
    return OffsetCommitValue(offset, leader_epoch, metadata, commit_timestamp, -1, ZERO_UUID), p


def _decode_3(buffer: memoryview, p: int) -> tuple[OffsetCommitValue, int]:
    """Versions 4."""
    offset, leader_epoch, metadata_size = _unpack_qiB(buffer, p)
    p += 13
    if metadata_size > 127:
        metadata_size, p = string_tail(buffer, p, metadata_size)
    if metadata_size == 0:
        raise missing("OffsetCommitValue.metadata")
    stop = p + metadata_size - 1
    metadata = buffer[p:stop].tobytes().decode()
    p = stop
    commit_timestamp, tags = _unpack_qB(buffer, p)
    p += 9
    topic_id: bytes = ZERO_UUID
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                (topic_id_2,) = _unpack_u(buffer, p)
                p += 16
                topic_id = topic_id_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("OffsetCommitValue: a tagged field is not of its size")
    return OffsetCommitValue(offset, leader_epoch, metadata, commit_timestamp, -1, topic_id), p


def _encode_0(message: OffsetCommitValue) -> bytes:
    """Versions 0, 2."""
    metadata = message.metadata.encode()
    metadata_size = len(metadata)
    return b"".join((_pack_qh(message.offset, metadata_size), metadata, _pack_q(message.commit_timestamp)))


def _encode_1(message: OffsetCommitValue) -> bytes:
    """Versions 1."""
    metadata = message.metadata.encode()
    metadata_size = len(metadata)
    return b"".join((_pack_qh(message.offset, metadata_size), metadata, _pack_qq(message.commit_timestamp, message.expire_timestamp)))


def _encode_2(message: OffsetCommitValue) -> bytes:
    """Versions 3."""
    metadata = message.metadata.encode()
    metadata_size = len(metadata)
    return b"".join((_pack_qih(message.offset, message.leader_epoch, metadata_size), metadata, _pack_q(message.commit_timestamp)))


def _encode_3(message: OffsetCommitValue) -> bytes:
    """Versions 4."""
    out: list[bytes] = []
    metadata = message.metadata.encode()
    metadata_size = len(metadata) + 1
    out += (
        _pack_qi(message.offset, message.leader_epoch),
        UVARINTS[metadata_size] if metadata_size < 256 else string_prefix(metadata_size),
        metadata,
        _pack_q(message.commit_timestamp),
    )
    tags = 0
    tagged: list[bytes] = []
    if message.topic_id != ZERO_UUID:
        content: list[bytes] = []
        topic_id = message.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("OffsetCommitValue.topic_id")
        content.append(_pack_u(topic_id))
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[OffsetCommitValue, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_0,
    3: _decode_2,
    4: _decode_3,
}
_ENCODERS: Final[dict[int, Callable[[OffsetCommitValue], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_0,
    3: _encode_2,
    4: _encode_3,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[OffsetCommitValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"OffsetCommitValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"OffsetCommitValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"OffsetCommitValue v{version} is cut short")
    return result


def encode(message: OffsetCommitValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"OffsetCommitValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"OffsetCommitValue v{version}: {error}") from error
