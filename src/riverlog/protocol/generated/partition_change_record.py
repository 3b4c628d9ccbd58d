"""PartitionChangeRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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
    not_in_version,
    read_int32s,
    read_tag,
    read_uuids,
    UNFIT,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
    write_int32s,
    write_uuids,
    ZERO_UUID,
)

NAME: Final = "PartitionChangeRecord"
API_KEY: Final = 5
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_b = Struct(">b").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iuB = Struct(">i16sB").unpack_from
_pack_b = Struct(">b").pack
_pack_i = Struct(">i").pack
_pack_iu = Struct(">i16s").pack


@dataclass(init=False, repr=False, eq=False)
class PartitionChangeRecord(Wire):
    """PartitionChangeRecord."""

    __slots__ = ("partition_id", "topic_id", "isr", "leader", "replicas", "removing_replicas", "adding_replicas", "leader_recovery_state", "directories", "eligible_leader_replicas", "last_known_elr")

    partition_id: int
    topic_id: bytes
    isr: list[int] | None
    leader: int
    replicas: list[int] | None
    removing_replicas: list[int] | None
    adding_replicas: list[int] | None
    leader_recovery_state: int
    directories: list[bytes] | None
    eligible_leader_replicas: list[int] | None
    last_known_elr: list[int] | None

    def __init__(
        self,
        partition_id: int = -1,
        topic_id: bytes = ZERO_UUID,
        isr: list[int] | None = None,
        leader: int = -2,
        replicas: list[int] | None = None,
        removing_replicas: list[int] | None = None,
        adding_replicas: list[int] | None = None,
        leader_recovery_state: int = -1,
        directories: list[bytes] | None = None,
        eligible_leader_replicas: list[int] | None = None,
        last_known_elr: list[int] | None = None,
    ) -> None:
        self.partition_id = partition_id
        self.topic_id = topic_id
        self.isr = isr
        self.leader = leader
        self.replicas = replicas
        self.removing_replicas = removing_replicas
        self.adding_replicas = adding_replicas
        self.leader_recovery_state = leader_recovery_state
        self.directories = directories
        self.eligible_leader_replicas = eligible_leader_replicas
        self.last_known_elr = last_known_elr


def _decode_0(buffer: memoryview, p: int) -> tuple[PartitionChangeRecord, int]:
    """Versions 0."""
    partition_id, topic_id, tags = _unpack_iuB(buffer, p)
    p += 21
    isr: list[int] | None = None
    leader: int = -2
    replicas: list[int] | None = None
    removing_replicas: list[int] | None = None
    adding_replicas: list[int] | None = None
    leader_recovery_state: int = -1
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                isr_count = buffer[p]
                p += 1
                if isr_count > 127:
                    isr_count, p = uvarint_tail(buffer, p, isr_count)
                isr_2: list[int] | None = None
                if isr_count:
                    isr_count -= 1
                    isr_2 = read_int32s(buffer, p, isr_count)
                    p += isr_count * 4
                isr = isr_2
            elif tag == 1:
                (leader_2,) = _unpack_i(buffer, p)
                p += 4
                leader = leader_2
            elif tag == 2:
                replicas_count = buffer[p]
                p += 1
                if replicas_count > 127:
                    replicas_count, p = uvarint_tail(buffer, p, replicas_count)
                replicas_2: list[int] | None = None
                if replicas_count:
                    replicas_count -= 1
                    replicas_2 = read_int32s(buffer, p, replicas_count)
                    p += replicas_count * 4
                replicas = replicas_2
            elif tag == 3:
                removing_replicas_count = buffer[p]
                p += 1
                if removing_replicas_count > 127:
                    removing_replicas_count, p = uvarint_tail(buffer, p, removing_replicas_count)
                removing_replicas_2: list[int] | None = None
                if removing_replicas_count:
                    removing_replicas_count -= 1
                    removing_replicas_2 = read_int32s(buffer, p, removing_replicas_count)
                    p += removing_replicas_count * 4
                removing_replicas = removing_replicas_2
            elif tag == 4:
                adding_replicas_count = buffer[p]
                p += 1
                if adding_replicas_count > 127:
                    adding_replicas_count, p = uvarint_tail(buffer, p, adding_replicas_count)
                adding_replicas_2: list[int] | None = None
                if adding_replicas_count:
                    adding_replicas_count -= 1
                    adding_replicas_2 = read_int32s(buffer, p, adding_replicas_count)
                    p += adding_replicas_count * 4
                adding_replicas = adding_replicas_2
            elif tag == 5:
                (leader_recovery_state_2,) = _unpack_b(buffer, p)
                p += 1
                leader_recovery_state = leader_recovery_state_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("PartitionChangeRecord: a tagged field is not of its size")
    return PartitionChangeRecord(partition_id, topic_id, isr, leader, replicas, removing_replicas, adding_replicas, leader_recovery_state, None, None, None), p


def _decode_1(buffer: memoryview, p: int) -> tuple[PartitionChangeRecord, int]:
    """Versions 1."""
    partition_id, topic_id, tags = _unpack_iuB(buffer, p)
    p += 21
    isr: list[int] | None = None
    leader: int = -2
    replicas: list[int] | None = None
    removing_replicas: list[int] | None = None
    adding_replicas: list[int] | None = None
    leader_recovery_state: int = -1
    directories: list[bytes] | None = None
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                isr_count = buffer[p]
                p += 1
                if isr_count > 127:
                    isr_count, p = uvarint_tail(buffer, p, isr_count)
                isr_2: list[int] | None = None
                if isr_count:
                    isr_count -= 1
                    isr_2 = read_int32s(buffer, p, isr_count)
                    p += isr_count * 4
                isr = isr_2
            elif tag == 1:
                (leader_2,) = _unpack_i(buffer, p)
                p += 4
                leader = leader_2
            elif tag == 2:
                replicas_count = buffer[p]
                p += 1
                if replicas_count > 127:
                    replicas_count, p = uvarint_tail(buffer, p, replicas_count)
                replicas_2: list[int] | None = None
                if replicas_count:
                    replicas_count -= 1
                    replicas_2 = read_int32s(buffer, p, replicas_count)
                    p += replicas_count * 4
                replicas = replicas_2
            elif tag == 3:
                removing_replicas_count = buffer[p]
                p += 1
                if removing_replicas_count > 127:
                    removing_replicas_count, p = uvarint_tail(buffer, p, removing_replicas_count)
                removing_replicas_2: list[int] | None = None
                if removing_replicas_count:
                    removing_replicas_count -= 1
                    removing_replicas_2 = read_int32s(buffer, p, removing_replicas_count)
                    p += removing_replicas_count * 4
                removing_replicas = removing_replicas_2
            elif tag == 4:
                adding_replicas_count = buffer[p]
                p += 1
                if adding_replicas_count > 127:
                    adding_replicas_count, p = uvarint_tail(buffer, p, adding_replicas_count)
                adding_replicas_2: list[int] | None = None
                if adding_replicas_count:
                    adding_replicas_count -= 1
                    adding_replicas_2 = read_int32s(buffer, p, adding_replicas_count)
                    p += adding_replicas_count * 4
                adding_replicas = adding_replicas_2
            elif tag == 5:
                (leader_recovery_state_2,) = _unpack_b(buffer, p)
                p += 1
                leader_recovery_state = leader_recovery_state_2
            elif tag == 8:
                directories_count = buffer[p]
                p += 1
                if directories_count > 127:
                    directories_count, p = uvarint_tail(buffer, p, directories_count)
                directories_2: list[bytes] | None = None
                if directories_count:
                    directories_count -= 1
                    directories_2 = read_uuids(buffer, p, directories_count)
                    p += directories_count * 16
                directories = directories_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("PartitionChangeRecord: a tagged field is not of its size")
    return PartitionChangeRecord(partition_id, topic_id, isr, leader, replicas, removing_replicas, adding_replicas, leader_recovery_state, directories, None, None), p


def _decode_2(buffer: memoryview, p: int) -> tuple[PartitionChangeRecord, int]:
    """Versions 2."""
    partition_id, topic_id, tags = _unpack_iuB(buffer, p)
    p += 21
    isr: list[int] | None = None
    leader: int = -2
    replicas: list[int] | None = None
    removing_replicas: list[int] | None = None
    adding_replicas: list[int] | None = None
    leader_recovery_state: int = -1
    directories: list[bytes] | None = None
    eligible_leader_replicas: list[int] | None = None
    last_known_elr: list[int] | None = None
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                isr_count = buffer[p]
                p += 1
                if isr_count > 127:
                    isr_count, p = uvarint_tail(buffer, p, isr_count)
                isr_2: list[int] | None = None
                if isr_count:
                    isr_count -= 1
                    isr_2 = read_int32s(buffer, p, isr_count)
                    p += isr_count * 4
                isr = isr_2
            elif tag == 1:
                (leader_2,) = _unpack_i(buffer, p)
                p += 4
                leader = leader_2
            elif tag == 2:
                replicas_count = buffer[p]
                p += 1
                if replicas_count > 127:
                    replicas_count, p = uvarint_tail(buffer, p, replicas_count)
                replicas_2: list[int] | None = None
                if replicas_count:
                    replicas_count -= 1
                    replicas_2 = read_int32s(buffer, p, replicas_count)
                    p += replicas_count * 4
                replicas = replicas_2
            elif tag == 3:
                removing_replicas_count = buffer[p]
                p += 1
                if removing_replicas_count > 127:
                    removing_replicas_count, p = uvarint_tail(buffer, p, removing_replicas_count)
                removing_replicas_2: list[int] | None = None
                if removing_replicas_count:
                    removing_replicas_count -= 1
                    removing_replicas_2 = read_int32s(buffer, p, removing_replicas_count)
                    p += removing_replicas_count * 4
                removing_replicas = removing_replicas_2
            elif tag == 4:
                adding_replicas_count = buffer[p]
                p += 1
                if adding_replicas_count > 127:
                    adding_replicas_count, p = uvarint_tail(buffer, p, adding_replicas_count)
                adding_replicas_2: list[int] | None = None
                if adding_replicas_count:
                    adding_replicas_count -= 1
                    adding_replicas_2 = read_int32s(buffer, p, adding_replicas_count)
                    p += adding_replicas_count * 4
                adding_replicas = adding_replicas_2
            elif tag == 5:
                (leader_recovery_state_2,) = _unpack_b(buffer, p)
                p += 1
                leader_recovery_state = leader_recovery_state_2
            elif tag == 6:
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
            elif tag == 7:
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
            elif tag == 8:
                directories_count = buffer[p]
                p += 1
                if directories_count > 127:
                    directories_count, p = uvarint_tail(buffer, p, directories_count)
                directories_2: list[bytes] | None = None
                if directories_count:
                    directories_count -= 1
                    directories_2 = read_uuids(buffer, p, directories_count)
                    p += directories_count * 16
                directories = directories_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("PartitionChangeRecord: a tagged field is not of its size")
    return PartitionChangeRecord(partition_id, topic_id, isr, leader, replicas, removing_replicas, adding_replicas, leader_recovery_state, directories, eligible_leader_replicas, last_known_elr), p


def _encode_0(message: PartitionChangeRecord) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    topic_id = message.topic_id
    if len(topic_id) != 16:
        raise bad_uuid("PartitionChangeRecord.topic_id")
    if message.directories is not None:
        raise not_in_version("PartitionChangeRecord.directories")
    if message.eligible_leader_replicas is not None:
        raise not_in_version("PartitionChangeRecord.eligible_leader_replicas")
    if message.last_known_elr is not None:
        raise not_in_version("PartitionChangeRecord.last_known_elr")
    out.append(_pack_iu(message.partition_id, topic_id))
    tags = 0
    tagged: list[bytes] = []
    if message.isr is not None:
        content: list[bytes] = []
        isr = message.isr
        isr_count = len(isr) + 1
        content += (UVARINTS[isr_count] if isr_count < 256 else uvarint(isr_count), write_int32s(isr))
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if message.leader != -2:
        content_2: list[bytes] = []
        content_2.append(_pack_i(message.leader))
        joined_2 = b"".join(content_2)
        joined_size_2 = len(joined_2)
        tags += 1
        tagged += (
            UVARINTS[1],
            UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
            joined_2,
        )
    if message.replicas is not None:
        content_3: list[bytes] = []
        replicas = message.replicas
        replicas_count = len(replicas) + 1
        content_3 += (
            UVARINTS[replicas_count] if replicas_count < 256 else uvarint(replicas_count),
            write_int32s(replicas),
        )
        joined_3 = b"".join(content_3)
        joined_size_3 = len(joined_3)
        tags += 1
        tagged += (
            UVARINTS[2],
            UVARINTS[joined_size_3] if joined_size_3 < 256 else uvarint(joined_size_3),
            joined_3,
        )
    if message.removing_replicas is not None:
        content_4: list[bytes] = []
        removing_replicas = message.removing_replicas
        removing_replicas_count = len(removing_replicas) + 1
        content_4 += (
            UVARINTS[removing_replicas_count] if removing_replicas_count < 256 else uvarint(removing_replicas_count),
            write_int32s(removing_replicas),
        )
        joined_4 = b"".join(content_4)
        joined_size_4 = len(joined_4)
        tags += 1
        tagged += (
            UVARINTS[3],
            UVARINTS[joined_size_4] if joined_size_4 < 256 else uvarint(joined_size_4),
            joined_4,
        )
    if message.adding_replicas is not None:
        content_5: list[bytes] = []
        adding_replicas = message.adding_replicas
        adding_replicas_count = len(adding_replicas) + 1
        content_5 += (
            UVARINTS[adding_replicas_count] if adding_replicas_count < 256 else uvarint(adding_replicas_count),
            write_int32s(adding_replicas),
        )
        joined_5 = b"".join(content_5)
        joined_size_5 = len(joined_5)
        tags += 1
        tagged += (
            UVARINTS[4],
            UVARINTS[joined_size_5] if joined_size_5 < 256 else uvarint(joined_size_5),
            joined_5,
        )
    if message.leader_recovery_state != -1:
        content_6: list[bytes] = []
        content_6.append(_pack_b(message.leader_recovery_state))
        joined_6 = b"".join(content_6)
        joined_size_6 = len(joined_6)
        tags += 1
        tagged += (
            UVARINTS[5],
            UVARINTS[joined_size_6] if joined_size_6 < 256 else uvarint(joined_size_6),
            joined_6,
        )
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


def _encode_1(message: PartitionChangeRecord) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    topic_id = message.topic_id
    if len(topic_id) != 16:
        raise bad_uuid("PartitionChangeRecord.topic_id")
    if message.eligible_leader_replicas is not None:
        raise not_in_version("PartitionChangeRecord.eligible_leader_replicas")
    if message.last_known_elr is not None:
        raise not_in_version("PartitionChangeRecord.last_known_elr")
    out.append(_pack_iu(message.partition_id, topic_id))
    tags = 0
    tagged: list[bytes] = []
    if message.isr is not None:
        content: list[bytes] = []
        isr = message.isr
        isr_count = len(isr) + 1
        content += (UVARINTS[isr_count] if isr_count < 256 else uvarint(isr_count), write_int32s(isr))
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if message.leader != -2:
        content_2: list[bytes] = []
        content_2.append(_pack_i(message.leader))
        joined_2 = b"".join(content_2)
        joined_size_2 = len(joined_2)
        tags += 1
        tagged += (
            UVARINTS[1],
            UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
            joined_2,
        )
    if message.replicas is not None:
        content_3: list[bytes] = []
        replicas = message.replicas
        replicas_count = len(replicas) + 1
        content_3 += (
            UVARINTS[replicas_count] if replicas_count < 256 else uvarint(replicas_count),
            write_int32s(replicas),
        )
        joined_3 = b"".join(content_3)
        joined_size_3 = len(joined_3)
        tags += 1
        tagged += (
            UVARINTS[2],
            UVARINTS[joined_size_3] if joined_size_3 < 256 else uvarint(joined_size_3),
            joined_3,
        )
    if message.removing_replicas is not None:
        content_4: list[bytes] = []
        removing_replicas = message.removing_replicas
        removing_replicas_count = len(removing_replicas) + 1
        content_4 += (
            UVARINTS[removing_replicas_count] if removing_replicas_count < 256 else uvarint(removing_replicas_count),
            write_int32s(removing_replicas),
        )
        joined_4 = b"".join(content_4)
        joined_size_4 = len(joined_4)
        tags += 1
        tagged += (
            UVARINTS[3],
            UVARINTS[joined_size_4] if joined_size_4 < 256 else uvarint(joined_size_4),
            joined_4,
        )
    if message.adding_replicas is not None:
        content_5: list[bytes] = []
        adding_replicas = message.adding_replicas
        adding_replicas_count = len(adding_replicas) + 1
        content_5 += (
            UVARINTS[adding_replicas_count] if adding_replicas_count < 256 else uvarint(adding_replicas_count),
            write_int32s(adding_replicas),
        )
        joined_5 = b"".join(content_5)
        joined_size_5 = len(joined_5)
        tags += 1
        tagged += (
            UVARINTS[4],
            UVARINTS[joined_size_5] if joined_size_5 < 256 else uvarint(joined_size_5),
            joined_5,
        )
    if message.leader_recovery_state != -1:
        content_6: list[bytes] = []
        content_6.append(_pack_b(message.leader_recovery_state))
        joined_6 = b"".join(content_6)
        joined_size_6 = len(joined_6)
        tags += 1
        tagged += (
            UVARINTS[5],
            UVARINTS[joined_size_6] if joined_size_6 < 256 else uvarint(joined_size_6),
            joined_6,
        )
    if message.directories is not None:
        content_7: list[bytes] = []
        directories = message.directories
        directories_count = len(directories) + 1
        content_7 += (
            UVARINTS[directories_count] if directories_count < 256 else uvarint(directories_count),
            write_uuids(directories),
        )
        joined_7 = b"".join(content_7)
        joined_size_7 = len(joined_7)
        tags += 1
        tagged += (
            UVARINTS[8],
            UVARINTS[joined_size_7] if joined_size_7 < 256 else uvarint(joined_size_7),
            joined_7,
        )
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


def _encode_2(message: PartitionChangeRecord) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    topic_id = message.topic_id
    if len(topic_id) != 16:
        raise bad_uuid("PartitionChangeRecord.topic_id")
    out.append(_pack_iu(message.partition_id, topic_id))
    tags = 0
    tagged: list[bytes] = []
    if message.isr is not None:
        content: list[bytes] = []
        isr = message.isr
        isr_count = len(isr) + 1
        content += (UVARINTS[isr_count] if isr_count < 256 else uvarint(isr_count), write_int32s(isr))
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if message.leader != -2:
        content_2: list[bytes] = []
        content_2.append(_pack_i(message.leader))
        joined_2 = b"".join(content_2)
        joined_size_2 = len(joined_2)
        tags += 1
        tagged += (
            UVARINTS[1],
            UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
            joined_2,
        )
    if message.replicas is not None:
        content_3: list[bytes] = []
        replicas = message.replicas
        replicas_count = len(replicas) + 1
        content_3 += (
            UVARINTS[replicas_count] if replicas_count < 256 else uvarint(replicas_count),
            write_int32s(replicas),
        )
        joined_3 = b"".join(content_3)
        joined_size_3 = len(joined_3)
        tags += 1
        tagged += (
            UVARINTS[2],
            UVARINTS[joined_size_3] if joined_size_3 < 256 else uvarint(joined_size_3),
            joined_3,
        )
    if message.removing_replicas is not None:
        content_4: list[bytes] = []
        removing_replicas = message.removing_replicas
        removing_replicas_count = len(removing_replicas) + 1
        content_4 += (
            UVARINTS[removing_replicas_count] if removing_replicas_count < 256 else uvarint(removing_replicas_count),
            write_int32s(removing_replicas),
        )
        joined_4 = b"".join(content_4)
        joined_size_4 = len(joined_4)
        tags += 1
        tagged += (
            UVARINTS[3],
            UVARINTS[joined_size_4] if joined_size_4 < 256 else uvarint(joined_size_4),
            joined_4,
        )
    if message.adding_replicas is not None:
        content_5: list[bytes] = []
        adding_replicas = message.adding_replicas
        adding_replicas_count = len(adding_replicas) + 1
        content_5 += (
            UVARINTS[adding_replicas_count] if adding_replicas_count < 256 else uvarint(adding_replicas_count),
            write_int32s(adding_replicas),
        )
        joined_5 = b"".join(content_5)
        joined_size_5 = len(joined_5)
        tags += 1
        tagged += (
            UVARINTS[4],
            UVARINTS[joined_size_5] if joined_size_5 < 256 else uvarint(joined_size_5),
            joined_5,
        )
    if message.leader_recovery_state != -1:
        content_6: list[bytes] = []
        content_6.append(_pack_b(message.leader_recovery_state))
        joined_6 = b"".join(content_6)
        joined_size_6 = len(joined_6)
        tags += 1
        tagged += (
            UVARINTS[5],
            UVARINTS[joined_size_6] if joined_size_6 < 256 else uvarint(joined_size_6),
            joined_6,
        )
    if message.eligible_leader_replicas is not None:
        content_7: list[bytes] = []
        eligible_leader_replicas = message.eligible_leader_replicas
        eligible_leader_replicas_count = len(eligible_leader_replicas) + 1
        content_7 += (
            UVARINTS[eligible_leader_replicas_count] if eligible_leader_replicas_count < 256 else uvarint(eligible_leader_replicas_count),
            write_int32s(eligible_leader_replicas),
        )
        joined_7 = b"".join(content_7)
        joined_size_7 = len(joined_7)
        tags += 1
        tagged += (
            UVARINTS[6],
            UVARINTS[joined_size_7] if joined_size_7 < 256 else uvarint(joined_size_7),
            joined_7,
        )
    if message.last_known_elr is not None:
        content_8: list[bytes] = []
        last_known_elr = message.last_known_elr
        last_known_elr_count = len(last_known_elr) + 1
        content_8 += (
            UVARINTS[last_known_elr_count] if last_known_elr_count < 256 else uvarint(last_known_elr_count),
            write_int32s(last_known_elr),
        )
        joined_8 = b"".join(content_8)
        joined_size_8 = len(joined_8)
        tags += 1
        tagged += (
            UVARINTS[7],
            UVARINTS[joined_size_8] if joined_size_8 < 256 else uvarint(joined_size_8),
            joined_8,
        )
    if message.directories is not None:
        content_9: list[bytes] = []
        directories = message.directories
        directories_count = len(directories) + 1
        content_9 += (
            UVARINTS[directories_count] if directories_count < 256 else uvarint(directories_count),
            write_uuids(directories),
        )
        joined_9 = b"".join(content_9)
        joined_size_9 = len(joined_9)
        tags += 1
        tagged += (
            UVARINTS[8],
            UVARINTS[joined_size_9] if joined_size_9 < 256 else uvarint(joined_size_9),
            joined_9,
        )
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[PartitionChangeRecord, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[PartitionChangeRecord], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[PartitionChangeRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"PartitionChangeRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"PartitionChangeRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"PartitionChangeRecord v{version} is cut short")
    return result


def encode(message: PartitionChangeRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"PartitionChangeRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"PartitionChangeRecord v{version}: {error}") from error
