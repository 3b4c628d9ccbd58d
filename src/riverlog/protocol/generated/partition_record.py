"""PartitionRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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
    not_in_version,
    read_int32s,
    read_tag,
    read_uuids,
    UNFIT,
    UNSET,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
    write_int32s,
    write_uuids,
    ZERO_UUID,
)

NAME: Final = "PartitionRecord"
API_KEY: Final = 3
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_b = Struct(">b").unpack_from
_unpack_iuB = Struct(">i16sB").unpack_from
_unpack_iiiB = Struct(">iiiB").unpack_from
_pack_b = Struct(">b").pack
_pack_iu = Struct(">i16s").pack
_pack_iii = Struct(">iii").pack


@dataclass(init=False, repr=False, eq=False)
class PartitionRecord(Wire):
    """PartitionRecord."""

    __slots__ = ("partition_id", "topic_id", "replicas", "isr", "removing_replicas", "adding_replicas", "leader", "leader_recovery_state", "leader_epoch", "partition_epoch", "directories", "eligible_leader_replicas", "last_known_elr")

    partition_id: int
    topic_id: bytes
    replicas: list[int]
    isr: list[int]
    removing_replicas: list[int]
    adding_replicas: list[int]
    leader: int
    leader_recovery_state: int
    leader_epoch: int
    partition_epoch: int
    directories: list[bytes]
    eligible_leader_replicas: list[int] | None
    last_known_elr: list[int] | None

    def __init__(
        self,
        partition_id: int = -1,
        topic_id: bytes = ZERO_UUID,
        replicas: list[int] = UNSET,
        isr: list[int] = UNSET,
        removing_replicas: list[int] = UNSET,
        adding_replicas: list[int] = UNSET,
        leader: int = -1,
        leader_recovery_state: int = 0,
        leader_epoch: int = -1,
        partition_epoch: int = -1,
        directories: list[bytes] = UNSET,
        eligible_leader_replicas: list[int] | None = None,
        last_known_elr: list[int] | None = None,
    ) -> None:
        self.partition_id = partition_id
        self.topic_id = topic_id
        self.replicas = [] if replicas is UNSET else replicas
        self.isr = [] if isr is UNSET else isr
        self.removing_replicas = [] if removing_replicas is UNSET else removing_replicas
        self.adding_replicas = [] if adding_replicas is UNSET else adding_replicas
        self.leader = leader
        self.leader_recovery_state = leader_recovery_state
        self.leader_epoch = leader_epoch
        self.partition_epoch = partition_epoch
        self.directories = [] if directories is UNSET else directories
        self.eligible_leader_replicas = eligible_leader_replicas
        self.last_known_elr = last_known_elr


def _decode_0(buffer: memoryview, p: int) -> tuple[PartitionRecord, int]:
    """Versions 0."""
    partition_id, topic_id, replicas_count = _unpack_iuB(buffer, p)
    p += 21
    if replicas_count > 127:
        replicas_count, p = uvarint_tail(buffer, p, replicas_count)
    if replicas_count == 0:
        raise missing("PartitionRecord.replicas")
    replicas_count -= 1
    replicas = read_int32s(buffer, p, replicas_count)
    p += replicas_count * 4
    isr_count = buffer[p]
    p += 1
    if isr_count > 127:
        isr_count, p = uvarint_tail(buffer, p, isr_count)
    if isr_count == 0:
        raise missing("PartitionRecord.isr")
    isr_count -= 1
    isr = read_int32s(buffer, p, isr_count)
    p += isr_count * 4
    removing_replicas_count = buffer[p]
    p += 1
    if removing_replicas_count > 127:
        removing_replicas_count, p = uvarint_tail(buffer, p, removing_replicas_count)
    if removing_replicas_count == 0:
        raise missing("PartitionRecord.removing_replicas")
    removing_replicas_count -= 1
    removing_replicas = read_int32s(buffer, p, removing_replicas_count)
    p += removing_replicas_count * 4
    adding_replicas_count = buffer[p]
    p += 1
    if adding_replicas_count > 127:
        adding_replicas_count, p = uvarint_tail(buffer, p, adding_replicas_count)
    if adding_replicas_count == 0:
        raise missing("PartitionRecord.adding_replicas")
    adding_replicas_count -= 1
    adding_replicas = read_int32s(buffer, p, adding_replicas_count)
    p += adding_replicas_count * 4
    leader, leader_epoch, partition_epoch, tags = _unpack_iiiB(buffer, p)
    p += 13
    leader_recovery_state: int = 0
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                (leader_recovery_state_2,) = _unpack_b(buffer, p)
                p += 1
                leader_recovery_state = leader_recovery_state_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("PartitionRecord: a tagged field is not of its size")
    return PartitionRecord(partition_id, topic_id, replicas, isr, removing_replicas, adding_replicas, leader, leader_recovery_state, leader_epoch, partition_epoch, [], None, None), p


def _decode_1(buffer: memoryview, p: int) -> tuple[PartitionRecord, int]:
    """Versions 1."""
    partition_id, topic_id, replicas_count = _unpack_iuB(buffer, p)
    p += 21
    if replicas_count > 127:
        replicas_count, p = uvarint_tail(buffer, p, replicas_count)
    if replicas_count == 0:
        raise missing("PartitionRecord.replicas")
    replicas_count -= 1
    replicas = read_int32s(buffer, p, replicas_count)
    p += replicas_count * 4
    isr_count = buffer[p]
    p += 1
    if isr_count > 127:
        isr_count, p = uvarint_tail(buffer, p, isr_count)
    if isr_count == 0:
        raise missing("PartitionRecord.isr")
    isr_count -= 1
    isr = read_int32s(buffer, p, isr_count)
    p += isr_count * 4
    removing_replicas_count = buffer[p]
    p += 1
    if removing_replicas_count > 127:
        removing_replicas_count, p = uvarint_tail(buffer, p, removing_replicas_count)
    if removing_replicas_count == 0:
        raise missing("PartitionRecord.removing_replicas")
    removing_replicas_count -= 1
    removing_replicas = read_int32s(buffer, p, removing_replicas_count)
    p += removing_replicas_count * 4
    adding_replicas_count = buffer[p]
    p += 1
    if adding_replicas_count > 127:
        adding_replicas_count, p = uvarint_tail(buffer, p, adding_replicas_count)
    if adding_replicas_count == 0:
        raise missing("PartitionRecord.adding_replicas")
    adding_replicas_count -= 1
    adding_replicas = read_int32s(buffer, p, adding_replicas_count)
    p += adding_replicas_count * 4
    leader, leader_epoch, partition_epoch, directories_count = _unpack_iiiB(buffer, p)
    p += 13
    if directories_count > 127:
        directories_count, p = uvarint_tail(buffer, p, directories_count)
    if directories_count == 0:
        raise missing("PartitionRecord.directories")
    directories_count -= 1
    directories = read_uuids(buffer, p, directories_count)
    p += directories_count * 16
    tags = buffer[p]
    p += 1
    leader_recovery_state: int = 0
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                (leader_recovery_state_2,) = _unpack_b(buffer, p)
                p += 1
                leader_recovery_state = leader_recovery_state_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("PartitionRecord: a tagged field is not of its size")
    return PartitionRecord(partition_id, topic_id, replicas, isr, removing_replicas, adding_replicas, leader, leader_recovery_state, leader_epoch, partition_epoch, directories, None, None), p


def _decode_2(buffer: memoryview, p: int) -> tuple[PartitionRecord, int]:
    """Versions 2."""
    partition_id, topic_id, replicas_count = _unpack_iuB(buffer, p)
    p += 21
    if replicas_count > 127:
        replicas_count, p = uvarint_tail(buffer, p, replicas_count)
    if replicas_count == 0:
        raise missing("PartitionRecord.replicas")
    replicas_count -= 1
    replicas = read_int32s(buffer, p, replicas_count)
    p += replicas_count * 4
    isr_count = buffer[p]
    p += 1
    if isr_count > 127:
        isr_count, p = uvarint_tail(buffer, p, isr_count)
    if isr_count == 0:
        raise missing("PartitionRecord.isr")
    isr_count -= 1
    isr = read_int32s(buffer, p, isr_count)
    p += isr_count * 4
    removing_replicas_count = buffer[p]
    p += 1
    if removing_replicas_count > 127:
        removing_replicas_count, p = uvarint_tail(buffer, p, removing_replicas_count)
    if removing_replicas_count == 0:
        raise missing("PartitionRecord.removing_replicas")
    removing_replicas_count -= 1
    removing_replicas = read_int32s(buffer, p, removing_replicas_count)
    p += removing_replicas_count * 4
    adding_replicas_count = buffer[p]
    p += 1
    if adding_replicas_count > 127:
        adding_replicas_count, p = uvarint_tail(buffer, p, adding_replicas_count)
    if adding_replicas_count == 0:
        raise missing("PartitionRecord.adding_replicas")
    adding_replicas_count -= 1
    adding_replicas = read_int32s(buffer, p, adding_replicas_count)
    p += adding_replicas_count * 4
    leader, leader_epoch, partition_epoch, directories_count = _unpack_iiiB(buffer, p)
    p += 13
    if directories_count > 127:
        directories_count, p = uvarint_tail(buffer, p, directories_count)
    if directories_count == 0:
        raise missing("PartitionRecord.directories")
    directories_count -= 1
    directories = read_uuids(buffer, p, directories_count)
    p += directories_count * 16
    tags = buffer[p]
    p += 1
    leader_recovery_state: int = 0
    eligible_leader_replicas: list[int] | None = None
    last_known_elr: list[int] | None = None
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                (leader_recovery_state_2,) = _unpack_b(buffer, p)
                p += 1
                leader_recovery_state = leader_recovery_state_2
            elif tag == 1:
                eligible_leader_replicas_count = buffer[p]
                p += 1
                if eligible_leader_replicas_count > 127:
                    eligible_leader_replicas_count, p = uvarint_tail(buffer, p, eligible_leader_replicas_count)
                eligible_leader_replicas_2: list[int] | None = None
                if eligible_leader_replicas_count:
                    eligible_leader_replicas_count -= 1
                    eligible_leader_replicas_2 = read_int32s(buffer, p, eligible_leader_replicas_count)
                    p += eligible_leader_replicas_count * 4
                eligible_leader_replicas = eligible_leader_replicas_2
            elif tag == 2:
                last_known_elr_count = buffer[p]
                p += 1
                if last_known_elr_count > 127:
                    last_known_elr_count, p = uvarint_tail(buffer, p, last_known_elr_count)
                last_known_elr_2: list[int] | None = None
                if last_known_elr_count:
                    last_known_elr_count -= 1
                    last_known_elr_2 = read_int32s(buffer, p, last_known_elr_count)
                    p += last_known_elr_count * 4
                last_known_elr = last_known_elr_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("PartitionRecord: a tagged field is not of its size")
    return PartitionRecord(partition_id, topic_id, replicas, isr, removing_replicas, adding_replicas, leader, leader_recovery_state, leader_epoch, partition_epoch, directories, eligible_leader_replicas, last_known_elr), p


def _encode_0(message: PartitionRecord) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    topic_id = message.topic_id
    if len(topic_id) != 16:
        raise bad_uuid("PartitionRecord.topic_id")
    replicas = message.replicas
    replicas_count = len(replicas) + 1
    isr = message.isr
    isr_count = len(isr) + 1
    removing_replicas = message.removing_replicas
    removing_replicas_count = len(removing_replicas) + 1
    adding_replicas = message.adding_replicas
    adding_replicas_count = len(adding_replicas) + 1
    if message.directories:
        raise not_in_version("PartitionRecord.directories")
    if message.eligible_leader_replicas is not None:
        raise not_in_version("PartitionRecord.eligible_leader_replicas")
    if message.last_known_elr is not None:
        raise not_in_version("PartitionRecord.last_known_elr")
    out += (
        _pack_iu(message.partition_id, topic_id),
        UVARINTS[replicas_count] if replicas_count < 256 else uvarint(replicas_count),
        write_int32s(replicas),
        UVARINTS[isr_count] if isr_count < 256 else uvarint(isr_count),
        write_int32s(isr),
        UVARINTS[removing_replicas_count] if removing_replicas_count < 256 else uvarint(removing_replicas_count),
        write_int32s(removing_replicas),
        UVARINTS[adding_replicas_count] if adding_replicas_count < 256 else uvarint(adding_replicas_count),
        write_int32s(adding_replicas),
        _pack_iii(message.leader, message.leader_epoch, message.partition_epoch),
    )
    tags = 0
    tagged: list[bytes] = []
    if message.leader_recovery_state != 0:
        content: list[bytes] = []
        content.append(_pack_b(message.leader_recovery_state))
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


def _encode_1(message: PartitionRecord) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    topic_id = message.topic_id
    if len(topic_id) != 16:
        raise bad_uuid("PartitionRecord.topic_id")
    replicas = message.replicas
    replicas_count = len(replicas) + 1
    isr = message.isr
    isr_count = len(isr) + 1
    removing_replicas = message.removing_replicas
    removing_replicas_count = len(removing_replicas) + 1
    adding_replicas = message.adding_replicas
    adding_replicas_count = len(adding_replicas) + 1
    directories = message.directories
    directories_count = len(directories) + 1
    if message.eligible_leader_replicas is not None:
        raise not_in_version("PartitionRecord.eligible_leader_replicas")
    if message.last_known_elr is not None:
        raise not_in_version("PartitionRecord.last_known_elr")
    out += (
        _pack_iu(message.partition_id, topic_id),
        UVARINTS[replicas_count] if replicas_count < 256 else uvarint(replicas_count),
        write_int32s(replicas),
        UVARINTS[isr_count] if isr_count < 256 else uvarint(isr_count),
        write_int32s(isr),
        UVARINTS[removing_replicas_count] if removing_replicas_count < 256 else uvarint(removing_replicas_count),
        write_int32s(removing_replicas),
        UVARINTS[adding_replicas_count] if adding_replicas_count < 256 else uvarint(adding_replicas_count),
        write_int32s(adding_replicas),
        _pack_iii(message.leader, message.leader_epoch, message.partition_epoch),
        UVARINTS[directories_count] if directories_count < 256 else uvarint(directories_count),
        write_uuids(directories),
    )
    tags = 0
    tagged: list[bytes] = []
    if message.leader_recovery_state != 0:
        content: list[bytes] = []
        content.append(_pack_b(message.leader_recovery_state))
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


def _encode_2(message: PartitionRecord) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    topic_id = message.topic_id
    if len(topic_id) != 16:
        raise bad_uuid("PartitionRecord.topic_id")
    replicas = message.replicas
    replicas_count = len(replicas) + 1
    isr = message.isr
    isr_count = len(isr) + 1
    removing_replicas = message.removing_replicas
    removing_replicas_count = len(removing_replicas) + 1
    adding_replicas = message.adding_replicas
    adding_replicas_count = len(adding_replicas) + 1
    directories = message.directories
    directories_count = len(directories) + 1
    out += (
        _pack_iu(message.partition_id, topic_id),
        UVARINTS[replicas_count] if replicas_count < 256 else uvarint(replicas_count),
        write_int32s(replicas),
        UVARINTS[isr_count] if isr_count < 256 else uvarint(isr_count),
        write_int32s(isr),
        UVARINTS[removing_replicas_count] if removing_replicas_count < 256 else uvarint(removing_replicas_count),
        write_int32s(removing_replicas),
        UVARINTS[adding_replicas_count] if adding_replicas_count < 256 else uvarint(adding_replicas_count),
        write_int32s(adding_replicas),
        _pack_iii(message.leader, message.leader_epoch, message.partition_epoch),
        UVARINTS[directories_count] if directories_count < 256 else uvarint(directories_count),
        write_uuids(directories),
    )
    tags = 0
    tagged: list[bytes] = []
    if message.leader_recovery_state != 0:
        content: list[bytes] = []
        content.append(_pack_b(message.leader_recovery_state))
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if message.eligible_leader_replicas is not None:
        content_2: list[bytes] = []
        eligible_leader_replicas = message.eligible_leader_replicas
        eligible_leader_replicas_count = len(eligible_leader_replicas) + 1
        content_2 += (
            UVARINTS[eligible_leader_replicas_count] if eligible_leader_replicas_count < 256 else uvarint(eligible_leader_replicas_count),
            write_int32s(eligible_leader_replicas),
        )
        joined_2 = b"".join(content_2)
        joined_size_2 = len(joined_2)
        tags += 1
        tagged += (
            UVARINTS[1],
            UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
            joined_2,
        )
    if message.last_known_elr is not None:
        content_3: list[bytes] = []
        last_known_elr = message.last_known_elr
        last_known_elr_count = len(last_known_elr) + 1
        content_3 += (
            UVARINTS[last_known_elr_count] if last_known_elr_count < 256 else uvarint(last_known_elr_count),
            write_int32s(last_known_elr),
        )
        joined_3 = b"".join(content_3)
        joined_size_3 = len(joined_3)
        tags += 1
        tagged += (
            UVARINTS[2],
            UVARINTS[joined_size_3] if joined_size_3 < 256 else uvarint(joined_size_3),
            joined_3,
        )
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[PartitionRecord, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[PartitionRecord], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[PartitionRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"PartitionRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"PartitionRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"PartitionRecord v{version} is cut short")
    return result


def encode(message: PartitionRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"PartitionRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"PartitionRecord v{version}: {error}") from error
