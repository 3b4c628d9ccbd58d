"""FetchResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    join_parts,
    MALFORMED,
    MAX_ELEMENTS,
    missing,
    not_in_version,
    Part,
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
    ZERO_UUID,
)

NAME: Final = "FetchResponse"
API_KEY: Final = 1
VERSIONS: Final[tuple[int, int]] = (4, 18)
FLEXIBLE_FROM: Final = 12
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ihiB = Struct(">ihiB").unpack_from
_unpack_ihii = Struct(">ihii").unpack_from
_unpack_ihqqi = Struct(">ihqqi").unpack_from
_unpack_ihqqqB = Struct(">ihqqqB").unpack_from
_unpack_ihqqqi = Struct(">ihqqqi").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_unpack_iiB = Struct(">iiB").unpack_from
_unpack_iqB = Struct(">iqB").unpack_from
_unpack_qiB = Struct(">qiB").unpack_from
_unpack_qqB = Struct(">qqB").unpack_from
_iter_qq = Struct(">qq").iter_unpack
_pack_u = Struct(">16s").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ihi = Struct(">ihi").pack
_pack_ihii = Struct(">ihii").pack
_pack_ihqq = Struct(">ihqq").pack
_pack_ihqqq = Struct(">ihqqq").pack
_pack_ii = Struct(">ii").pack
_pack_iix = Struct(">iix").pack
_pack_iqx = Struct(">iqx").pack
_pack_qix = Struct(">qix").pack
_pack_qq = Struct(">qq").pack
_pack_qqx = Struct(">qqx").pack


@dataclass(init=False, repr=False, eq=False)
class EpochEndOffset(Wire):
    """EpochEndOffset."""

    __slots__ = ("epoch", "end_offset")

    epoch: int
    end_offset: int

    def __init__(
        self,
        epoch: int = -1,
        end_offset: int = -1,
    ) -> None:
        self.epoch = epoch
        self.end_offset = end_offset


@dataclass(init=False, repr=False, eq=False)
class LeaderIdAndEpoch(Wire):
    """LeaderIdAndEpoch."""

    __slots__ = ("leader_id", "leader_epoch")

    leader_id: int
    leader_epoch: int

    def __init__(
        self,
        leader_id: int = -1,
        leader_epoch: int = -1,
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


@dataclass(init=False, repr=False, eq=False)
class SnapshotId(Wire):
    """SnapshotId."""

    __slots__ = ("end_offset", "epoch")

    end_offset: int
    epoch: int

    def __init__(
        self,
        end_offset: int = -1,
        epoch: int = -1,
    ) -> None:
        self.end_offset = end_offset
        self.epoch = epoch


@dataclass(init=False, repr=False, eq=False)
class AbortedTransaction(Wire):
    """AbortedTransaction."""

    __slots__ = ("producer_id", "first_offset")

    producer_id: int
    first_offset: int

    def __init__(
        self,
        producer_id: int = 0,
        first_offset: int = 0,
    ) -> None:
        self.producer_id = producer_id
        self.first_offset = first_offset


@dataclass(init=False, repr=False, eq=False)
class PartitionData(Wire):
    """PartitionData."""

    __slots__ = ("partition_index", "error_code", "high_watermark", "last_stable_offset", "log_start_offset", "diverging_epoch", "current_leader", "snapshot_id", "aborted_transactions", "preferred_read_replica", "records")

    partition_index: int
    error_code: int
    high_watermark: int
    last_stable_offset: int
    log_start_offset: int
    diverging_epoch: EpochEndOffset
    current_leader: LeaderIdAndEpoch
    snapshot_id: SnapshotId
    aborted_transactions: list[AbortedTransaction] | None
    preferred_read_replica: int
    records: Part | None

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        high_watermark: int = 0,
        last_stable_offset: int = -1,
        log_start_offset: int = -1,
        diverging_epoch: EpochEndOffset = UNSET,
        current_leader: LeaderIdAndEpoch = UNSET,
        snapshot_id: SnapshotId = UNSET,
        aborted_transactions: list[AbortedTransaction] | None = UNSET,
        preferred_read_replica: int = -1,
        records: Part | None = None,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.high_watermark = high_watermark
        self.last_stable_offset = last_stable_offset
        self.log_start_offset = log_start_offset
        self.diverging_epoch = EpochEndOffset() if diverging_epoch is UNSET else diverging_epoch
        self.current_leader = LeaderIdAndEpoch() if current_leader is UNSET else current_leader
        self.snapshot_id = SnapshotId() if snapshot_id is UNSET else snapshot_id
        self.aborted_transactions = [] if aborted_transactions is UNSET else aborted_transactions
        self.preferred_read_replica = preferred_read_replica
        self.records = records


@dataclass(init=False, repr=False, eq=False)
class FetchableTopicResponse(Wire):
    """FetchableTopicResponse."""

    __slots__ = ("topic", "topic_id", "partitions")

    topic: str
    topic_id: bytes
    partitions: list[PartitionData]

    def __init__(
        self,
        topic: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: list[PartitionData] = UNSET,
    ) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class NodeEndpoint(Wire):
    """NodeEndpoint."""

    __slots__ = ("node_id", "host", "port", "rack")

    node_id: int
    host: str
    port: int
    rack: str | None

    def __init__(
        self,
        node_id: int = 0,
        host: str = "",
        port: int = 0,
        rack: str | None = None,
    ) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port
        self.rack = rack


@dataclass(init=False, repr=False, eq=False)
class FetchResponse(Wire):
    """FetchResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "session_id", "responses", "node_endpoints")

    throttle_time_ms: int
    error_code: int
    session_id: int
    responses: list[FetchableTopicResponse]
    node_endpoints: list[NodeEndpoint]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        session_id: int = 0,
        responses: list[FetchableTopicResponse] = UNSET,
        node_endpoints: list[NodeEndpoint] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.session_id = session_id
        self.responses = [] if responses is UNSET else responses
        self.node_endpoints = [] if node_endpoints is UNSET else node_endpoints


def _decode_0(buffer: memoryview, p: int) -> tuple[FetchResponse, int]:
    """Versions 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, responses_count = _unpack_ii(buffer, p)
    p += 8
    if responses_count < 0:
        raise missing("FetchResponse.responses")
    if responses_count > room or responses_count * 6 > end - p:
        raise too_many("FetchResponse.responses", responses_count)
    room -= responses_count
    responses: list[FetchableTopicResponse] = []
    for _ in range(responses_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("FetchResponse.responses.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("FetchResponse.responses.partitions")
        if partitions_count > room or partitions_count * 30 > end - p:
            raise too_many("FetchResponse.responses.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, error_code, high_watermark, last_stable_offset, aborted_transactions_count = _unpack_ihqqi(buffer, p)
            p += 26
            aborted_transactions: list[AbortedTransaction] | None = None
            if aborted_transactions_count >= 0:
                if aborted_transactions_count > room or aborted_transactions_count * 16 > end - p:
                    raise too_many("FetchResponse.responses.partitions.aborted_transactions", aborted_transactions_count)
                room -= aborted_transactions_count
                stop = p + aborted_transactions_count * 16
                aborted_transactions = [AbortedTransaction(producer_id, first_offset) for producer_id, first_offset in _iter_qq(buffer[p:stop])]
                p = stop
            elif aborted_transactions_count != -1:
                raise missing("FetchResponse.responses.partitions.aborted_transactions")
            (records_size,) = _unpack_i(buffer, p)
            p += 4
            records: memoryview | None = None
            if records_size >= 0:
                stop = p + records_size
                records = buffer[p:stop]
                p = stop
            elif records_size != -1:
                raise missing("FetchResponse.responses.partitions.records")
            partitions.append(PartitionData(partition_index, error_code, high_watermark, last_stable_offset, -1, EpochEndOffset(), LeaderIdAndEpoch(), SnapshotId(), aborted_transactions, -1, records))
        responses.append(FetchableTopicResponse(topic, ZERO_UUID, partitions))
    return FetchResponse(throttle_time_ms, 0, 0, responses, []), p


def _decode_1(buffer: memoryview, p: int) -> tuple[FetchResponse, int]:
    """Versions 5, 6."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, responses_count = _unpack_ii(buffer, p)
    p += 8
    if responses_count < 0:
        raise missing("FetchResponse.responses")
    if responses_count > room or responses_count * 6 > end - p:
        raise too_many("FetchResponse.responses", responses_count)
    room -= responses_count
    responses: list[FetchableTopicResponse] = []
    for _ in range(responses_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("FetchResponse.responses.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("FetchResponse.responses.partitions")
        if partitions_count > room or partitions_count * 38 > end - p:
            raise too_many("FetchResponse.responses.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, error_code, high_watermark, last_stable_offset, log_start_offset, aborted_transactions_count = _unpack_ihqqqi(buffer, p)
            p += 34
            aborted_transactions: list[AbortedTransaction] | None = None
            if aborted_transactions_count >= 0:
                if aborted_transactions_count > room or aborted_transactions_count * 16 > end - p:
                    raise too_many("FetchResponse.responses.partitions.aborted_transactions", aborted_transactions_count)
                room -= aborted_transactions_count
                stop = p + aborted_transactions_count * 16
                aborted_transactions = [AbortedTransaction(producer_id, first_offset) for producer_id, first_offset in _iter_qq(buffer[p:stop])]
                p = stop
            elif aborted_transactions_count != -1:
                raise missing("FetchResponse.responses.partitions.aborted_transactions")
            (records_size,) = _unpack_i(buffer, p)
            p += 4
            records: memoryview | None = None
            if records_size >= 0:
                stop = p + records_size
                records = buffer[p:stop]
                p = stop
            elif records_size != -1:
                raise missing("FetchResponse.responses.partitions.records")
            partitions.append(PartitionData(partition_index, error_code, high_watermark, last_stable_offset, log_start_offset, EpochEndOffset(), LeaderIdAndEpoch(), SnapshotId(), aborted_transactions, -1, records))
        responses.append(FetchableTopicResponse(topic, ZERO_UUID, partitions))
    return FetchResponse(throttle_time_ms, 0, 0, responses, []), p


def _decode_2(buffer: memoryview, p: int) -> tuple[FetchResponse, int]:
    """Versions 7, 8, 9, 10."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, session_id, responses_count = _unpack_ihii(buffer, p)
    p += 14
    if responses_count < 0:
        raise missing("FetchResponse.responses")
    if responses_count > room or responses_count * 6 > end - p:
        raise too_many("FetchResponse.responses", responses_count)
    room -= responses_count
    responses: list[FetchableTopicResponse] = []
    for _ in range(responses_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("FetchResponse.responses.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("FetchResponse.responses.partitions")
        if partitions_count > room or partitions_count * 38 > end - p:
            raise too_many("FetchResponse.responses.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, error_code_2, high_watermark, last_stable_offset, log_start_offset, aborted_transactions_count = _unpack_ihqqqi(buffer, p)
            p += 34
            aborted_transactions: list[AbortedTransaction] | None = None
            if aborted_transactions_count >= 0:
                if aborted_transactions_count > room or aborted_transactions_count * 16 > end - p:
                    raise too_many("FetchResponse.responses.partitions.aborted_transactions", aborted_transactions_count)
                room -= aborted_transactions_count
                stop = p + aborted_transactions_count * 16
                aborted_transactions = [AbortedTransaction(producer_id, first_offset) for producer_id, first_offset in _iter_qq(buffer[p:stop])]
                p = stop
            elif aborted_transactions_count != -1:
                raise missing("FetchResponse.responses.partitions.aborted_transactions")
            (records_size,) = _unpack_i(buffer, p)
            p += 4
            records: memoryview | None = None
            if records_size >= 0:
                stop = p + records_size
                records = buffer[p:stop]
                p = stop
            elif records_size != -1:
                raise missing("FetchResponse.responses.partitions.records")
            partitions.append(PartitionData(partition_index, error_code_2, high_watermark, last_stable_offset, log_start_offset, EpochEndOffset(), LeaderIdAndEpoch(), SnapshotId(), aborted_transactions, -1, records))
        responses.append(FetchableTopicResponse(topic, ZERO_UUID, partitions))
    return FetchResponse(throttle_time_ms, error_code, session_id, responses, []), p


def _decode_3(buffer: memoryview, p: int) -> tuple[FetchResponse, int]:
    """Versions 11."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, session_id, responses_count = _unpack_ihii(buffer, p)
    p += 14
    if responses_count < 0:
        raise missing("FetchResponse.responses")
    if responses_count > room or responses_count * 6 > end - p:
        raise too_many("FetchResponse.responses", responses_count)
    room -= responses_count
    responses: list[FetchableTopicResponse] = []
    for _ in range(responses_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("FetchResponse.responses.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("FetchResponse.responses.partitions")
        if partitions_count > room or partitions_count * 42 > end - p:
            raise too_many("FetchResponse.responses.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, error_code_2, high_watermark, last_stable_offset, log_start_offset, aborted_transactions_count = _unpack_ihqqqi(buffer, p)
            p += 34
            aborted_transactions: list[AbortedTransaction] | None = None
            if aborted_transactions_count >= 0:
                if aborted_transactions_count > room or aborted_transactions_count * 16 > end - p:
                    raise too_many("FetchResponse.responses.partitions.aborted_transactions", aborted_transactions_count)
                room -= aborted_transactions_count
                stop = p + aborted_transactions_count * 16
                aborted_transactions = [AbortedTransaction(producer_id, first_offset) for producer_id, first_offset in _iter_qq(buffer[p:stop])]
                p = stop
            elif aborted_transactions_count != -1:
                raise missing("FetchResponse.responses.partitions.aborted_transactions")
            preferred_read_replica, records_size = _unpack_ii(buffer, p)
            p += 8
            records: memoryview | None = None
            if records_size >= 0:
                stop = p + records_size
                records = buffer[p:stop]
                p = stop
            elif records_size != -1:
                raise missing("FetchResponse.responses.partitions.records")
            partitions.append(PartitionData(partition_index, error_code_2, high_watermark, last_stable_offset, log_start_offset, EpochEndOffset(), LeaderIdAndEpoch(), SnapshotId(), aborted_transactions, preferred_read_replica, records))
        responses.append(FetchableTopicResponse(topic, ZERO_UUID, partitions))
    return FetchResponse(throttle_time_ms, error_code, session_id, responses, []), p


def _decode_4(buffer: memoryview, p: int) -> tuple[FetchResponse, int]:
    """Versions 12."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, session_id, responses_count = _unpack_ihiB(buffer, p)
    p += 11
    if responses_count > 127:
        responses_count, p = uvarint_tail(buffer, p, responses_count)
    if responses_count == 0:
        raise missing("FetchResponse.responses")
    responses_count -= 1
    if responses_count > room or responses_count * 3 > end - p:
        raise too_many("FetchResponse.responses", responses_count)
    room -= responses_count
    responses: list[FetchableTopicResponse] = []
    for _ in range(responses_count):
        topic_size = buffer[p]
        p += 1
        if topic_size > 127:
            topic_size, p = string_tail(buffer, p, topic_size)
        if topic_size == 0:
            raise missing("FetchResponse.responses.topic")
        stop = p + topic_size - 1
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("FetchResponse.responses.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 37 > end - p:
            raise too_many("FetchResponse.responses.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, error_code_2, high_watermark, last_stable_offset, log_start_offset, aborted_transactions_count = _unpack_ihqqqB(buffer, p)
            p += 31
            if aborted_transactions_count > 127:
                aborted_transactions_count, p = uvarint_tail(buffer, p, aborted_transactions_count)
            aborted_transactions: list[AbortedTransaction] | None = None
            if aborted_transactions_count:
                aborted_transactions_count -= 1
                if aborted_transactions_count > room or aborted_transactions_count * 17 > end - p:
                    raise too_many("FetchResponse.responses.partitions.aborted_transactions", aborted_transactions_count)
                room -= aborted_transactions_count
                aborted_transactions = []
                for _ in range(aborted_transactions_count):
                    producer_id, first_offset, tags = _unpack_qqB(buffer, p)
                    p += 17
                    if tags:
                        p = skip_tags(buffer, p, tags)
                    aborted_transactions.append(AbortedTransaction(producer_id, first_offset))
            preferred_read_replica, records_size = _unpack_iB(buffer, p)
            p += 5
            if records_size > 127:
                records_size, p = uvarint_tail(buffer, p, records_size)
            records: memoryview | None = None
            if records_size:
                stop = p + records_size - 1
                records = buffer[p:stop]
                p = stop
            tags_2 = buffer[p]
            p += 1
            diverging_epoch: EpochEndOffset = EpochEndOffset()
            current_leader: LeaderIdAndEpoch = LeaderIdAndEpoch()
            snapshot_id: SnapshotId = SnapshotId()
            if tags_2:
                if tags_2 > 127:
                    tags_2, p = uvarint_tail(buffer, p, tags_2)
                tag = -1
                for _ in range(tags_2):
                    tag, tag_stop, p = read_tag(buffer, p, tag)
                    if tag == 0:
                        epoch, end_offset, tags_3 = _unpack_iqB(buffer, p)
                        p += 13
                        if tags_3:
                            p = skip_tags(buffer, p, tags_3)
                        diverging_epoch = EpochEndOffset(epoch, end_offset)
                    elif tag == 1:
                        leader_id, leader_epoch, tags_4 = _unpack_iiB(buffer, p)
                        p += 9
                        if tags_4:
                            p = skip_tags(buffer, p, tags_4)
                        current_leader = LeaderIdAndEpoch(leader_id, leader_epoch)
                    elif tag == 2:
                        end_offset_2, epoch_2, tags_5 = _unpack_qiB(buffer, p)
                        p += 13
                        if tags_5:
                            p = skip_tags(buffer, p, tags_5)
                        snapshot_id = SnapshotId(end_offset_2, epoch_2)
                    else:
                        p = tag_stop
                    if p != tag_stop:
                        raise DecodeError("FetchResponse.responses.partitions: a tagged field is not of its size")
            partitions.append(PartitionData(partition_index, error_code_2, high_watermark, last_stable_offset, log_start_offset, diverging_epoch, current_leader, snapshot_id, aborted_transactions, preferred_read_replica, records))
        tags_6 = buffer[p]
        p += 1
        if tags_6:
            p = skip_tags(buffer, p, tags_6)
        responses.append(FetchableTopicResponse(topic, ZERO_UUID, partitions))
    tags_7 = buffer[p]
    p += 1
    if tags_7:
        p = skip_tags(buffer, p, tags_7)
    return FetchResponse(throttle_time_ms, error_code, session_id, responses, []), p


def _decode_5(buffer: memoryview, p: int) -> tuple[FetchResponse, int]:
    """Versions 13, 14, 15."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, session_id, responses_count = _unpack_ihiB(buffer, p)
    p += 11
    if responses_count > 127:
        responses_count, p = uvarint_tail(buffer, p, responses_count)
    if responses_count == 0:
        raise missing("FetchResponse.responses")
    responses_count -= 1
    if responses_count > room or responses_count * 18 > end - p:
        raise too_many("FetchResponse.responses", responses_count)
    room -= responses_count
    responses: list[FetchableTopicResponse] = []
    for _ in range(responses_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("FetchResponse.responses.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 37 > end - p:
            raise too_many("FetchResponse.responses.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, error_code_2, high_watermark, last_stable_offset, log_start_offset, aborted_transactions_count = _unpack_ihqqqB(buffer, p)
            p += 31
            if aborted_transactions_count > 127:
                aborted_transactions_count, p = uvarint_tail(buffer, p, aborted_transactions_count)
            aborted_transactions: list[AbortedTransaction] | None = None
            if aborted_transactions_count:
                aborted_transactions_count -= 1
                if aborted_transactions_count > room or aborted_transactions_count * 17 > end - p:
                    raise too_many("FetchResponse.responses.partitions.aborted_transactions", aborted_transactions_count)
                room -= aborted_transactions_count
                aborted_transactions = []
                for _ in range(aborted_transactions_count):
                    producer_id, first_offset, tags = _unpack_qqB(buffer, p)
                    p += 17
                    if tags:
                        p = skip_tags(buffer, p, tags)
                    aborted_transactions.append(AbortedTransaction(producer_id, first_offset))
            preferred_read_replica, records_size = _unpack_iB(buffer, p)
            p += 5
            if records_size > 127:
                records_size, p = uvarint_tail(buffer, p, records_size)
            records: memoryview | None = None
            if records_size:
                stop = p + records_size - 1
                records = buffer[p:stop]
                p = stop
            tags_2 = buffer[p]
            p += 1
            diverging_epoch: EpochEndOffset = EpochEndOffset()
            current_leader: LeaderIdAndEpoch = LeaderIdAndEpoch()
            snapshot_id: SnapshotId = SnapshotId()
            if tags_2:
                if tags_2 > 127:
                    tags_2, p = uvarint_tail(buffer, p, tags_2)
                tag = -1
                for _ in range(tags_2):
                    tag, tag_stop, p = read_tag(buffer, p, tag)
                    if tag == 0:
                        epoch, end_offset, tags_3 = _unpack_iqB(buffer, p)
                        p += 13
                        if tags_3:
                            p = skip_tags(buffer, p, tags_3)
                        diverging_epoch = EpochEndOffset(epoch, end_offset)
                    elif tag == 1:
                        leader_id, leader_epoch, tags_4 = _unpack_iiB(buffer, p)
                        p += 9
                        if tags_4:
                            p = skip_tags(buffer, p, tags_4)
                        current_leader = LeaderIdAndEpoch(leader_id, leader_epoch)
                    elif tag == 2:
                        end_offset_2, epoch_2, tags_5 = _unpack_qiB(buffer, p)
                        p += 13
                        if tags_5:
                            p = skip_tags(buffer, p, tags_5)
                        snapshot_id = SnapshotId(end_offset_2, epoch_2)
                    else:
                        p = tag_stop
                    if p != tag_stop:
                        raise DecodeError("FetchResponse.responses.partitions: a tagged field is not of its size")
            partitions.append(PartitionData(partition_index, error_code_2, high_watermark, last_stable_offset, log_start_offset, diverging_epoch, current_leader, snapshot_id, aborted_transactions, preferred_read_replica, records))
        tags_6 = buffer[p]
        p += 1
        if tags_6:
            p = skip_tags(buffer, p, tags_6)
        responses.append(FetchableTopicResponse("", topic_id, partitions))
    tags_7 = buffer[p]
    p += 1
    if tags_7:
        p = skip_tags(buffer, p, tags_7)
    return FetchResponse(throttle_time_ms, error_code, session_id, responses, []), p


def _decode_6(buffer: memoryview, p: int) -> tuple[FetchResponse, int]:
    """Versions 16, 17, 18."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, session_id, responses_count = _unpack_ihiB(buffer, p)
    p += 11
    if responses_count > 127:
        responses_count, p = uvarint_tail(buffer, p, responses_count)
    if responses_count == 0:
        raise missing("FetchResponse.responses")
    responses_count -= 1
    if responses_count > room or responses_count * 18 > end - p:
        raise too_many("FetchResponse.responses", responses_count)
    room -= responses_count
    responses: list[FetchableTopicResponse] = []
    for _ in range(responses_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("FetchResponse.responses.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 37 > end - p:
            raise too_many("FetchResponse.responses.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, error_code_2, high_watermark, last_stable_offset, log_start_offset, aborted_transactions_count = _unpack_ihqqqB(buffer, p)
            p += 31
            if aborted_transactions_count > 127:
                aborted_transactions_count, p = uvarint_tail(buffer, p, aborted_transactions_count)
            aborted_transactions: list[AbortedTransaction] | None = None
            if aborted_transactions_count:
                aborted_transactions_count -= 1
                if aborted_transactions_count > room or aborted_transactions_count * 17 > end - p:
                    raise too_many("FetchResponse.responses.partitions.aborted_transactions", aborted_transactions_count)
                room -= aborted_transactions_count
                aborted_transactions = []
                for _ in range(aborted_transactions_count):
                    producer_id, first_offset, tags = _unpack_qqB(buffer, p)
                    p += 17
                    if tags:
                        p = skip_tags(buffer, p, tags)
                    aborted_transactions.append(AbortedTransaction(producer_id, first_offset))
            preferred_read_replica, records_size = _unpack_iB(buffer, p)
            p += 5
            if records_size > 127:
                records_size, p = uvarint_tail(buffer, p, records_size)
            records: memoryview | None = None
            if records_size:
                stop = p + records_size - 1
                records = buffer[p:stop]
                p = stop
            tags_2 = buffer[p]
            p += 1
            diverging_epoch: EpochEndOffset = EpochEndOffset()
            current_leader: LeaderIdAndEpoch = LeaderIdAndEpoch()
            snapshot_id: SnapshotId = SnapshotId()
            if tags_2:
                if tags_2 > 127:
                    tags_2, p = uvarint_tail(buffer, p, tags_2)
                tag = -1
                for _ in range(tags_2):
                    tag, tag_stop, p = read_tag(buffer, p, tag)
                    if tag == 0:
                        epoch, end_offset, tags_3 = _unpack_iqB(buffer, p)
                        p += 13
                        if tags_3:
                            p = skip_tags(buffer, p, tags_3)
                        diverging_epoch = EpochEndOffset(epoch, end_offset)
                    elif tag == 1:
                        leader_id, leader_epoch, tags_4 = _unpack_iiB(buffer, p)
                        p += 9
                        if tags_4:
                            p = skip_tags(buffer, p, tags_4)
                        current_leader = LeaderIdAndEpoch(leader_id, leader_epoch)
                    elif tag == 2:
                        end_offset_2, epoch_2, tags_5 = _unpack_qiB(buffer, p)
                        p += 13
                        if tags_5:
                            p = skip_tags(buffer, p, tags_5)
                        snapshot_id = SnapshotId(end_offset_2, epoch_2)
                    else:
                        p = tag_stop
                    if p != tag_stop:
                        raise DecodeError("FetchResponse.responses.partitions: a tagged field is not of its size")
            partitions.append(PartitionData(partition_index, error_code_2, high_watermark, last_stable_offset, log_start_offset, diverging_epoch, current_leader, snapshot_id, aborted_transactions, preferred_read_replica, records))
        tags_6 = buffer[p]
        p += 1
        if tags_6:
            p = skip_tags(buffer, p, tags_6)
        responses.append(FetchableTopicResponse("", topic_id, partitions))
    tags_7 = buffer[p]
    p += 1
    node_endpoints: list[NodeEndpoint] = []
    if tags_7:
        if tags_7 > 127:
            tags_7, p = uvarint_tail(buffer, p, tags_7)
        tag_2 = -1
        for _ in range(tags_7):
            tag_2, tag_stop_2, p = read_tag(buffer, p, tag_2)
            if tag_2 == 0:
                node_endpoints_count = buffer[p]
                p += 1
                if node_endpoints_count > 127:
                    node_endpoints_count, p = uvarint_tail(buffer, p, node_endpoints_count)
                if node_endpoints_count == 0:
                    raise missing("FetchResponse.node_endpoints")
                node_endpoints_count -= 1
                if node_endpoints_count > room or node_endpoints_count * 11 > end - p:
                    raise too_many("FetchResponse.node_endpoints", node_endpoints_count)
                room -= node_endpoints_count
                node_endpoints_2: list[NodeEndpoint] = []
                for _ in range(node_endpoints_count):
                    node_id, host_size = _unpack_iB(buffer, p)
                    p += 5
                    if host_size > 127:
                        host_size, p = string_tail(buffer, p, host_size)
                    if host_size == 0:
                        raise missing("FetchResponse.node_endpoints.host")
                    stop = p + host_size - 1
                    host = buffer[p:stop].tobytes().decode()
                    p = stop
                    port, rack_size = _unpack_iB(buffer, p)
                    p += 5
                    if rack_size > 127:
                        rack_size, p = string_tail(buffer, p, rack_size)
                    rack: str | None = None
                    if rack_size:
                        stop = p + rack_size - 1
                        rack = buffer[p:stop].tobytes().decode()
                        p = stop
                    tags_8 = buffer[p]
                    p += 1
                    if tags_8:
                        p = skip_tags(buffer, p, tags_8)
                    node_endpoints_2.append(NodeEndpoint(node_id, host, port, rack))
                node_endpoints = node_endpoints_2
            else:
                p = tag_stop_2
            if p != tag_stop_2:
                raise DecodeError("FetchResponse: a tagged field is not of its size")
    return FetchResponse(throttle_time_ms, error_code, session_id, responses, node_endpoints), p


def _encode_0(message: FetchResponse) -> list[Part]:
    """Versions 4."""
    out: list[bytes] = []
    parts: list[Part] = []
    if message.session_id != 0:
        raise not_in_version("FetchResponse.session_id")
    responses = message.responses
    out.append(_pack_ii(message.throttle_time_ms, len(responses)))
    for element in responses:
        topic = element.topic.encode()
        topic_size = len(topic)
        partitions = element.partitions
        out += (_pack_h(topic_size), topic, _pack_i(len(partitions)))
        for element_2 in partitions:
            if element_2.diverging_epoch.epoch != -1 or element_2.diverging_epoch.end_offset != -1:
                raise not_in_version("FetchResponse.responses.partitions.diverging_epoch")
            if element_2.current_leader.leader_id != -1 or element_2.current_leader.leader_epoch != -1:
                raise not_in_version("FetchResponse.responses.partitions.current_leader")
            if element_2.snapshot_id.end_offset != -1 or element_2.snapshot_id.epoch != -1:
                raise not_in_version("FetchResponse.responses.partitions.snapshot_id")
            aborted_transactions = element_2.aborted_transactions
            out.append(_pack_ihqq(element_2.partition_index, element_2.error_code, element_2.high_watermark, element_2.last_stable_offset))
            if aborted_transactions is None:
                out.append(b"\xff\xff\xff\xff")
            else:
                out.append(_pack_i(len(aborted_transactions)))
                out += [_pack_qq(element_3.producer_id, element_3.first_offset) for element_3 in aborted_transactions]
            if element_2.preferred_read_replica != -1:
                raise not_in_version("FetchResponse.responses.partitions.preferred_read_replica")
            records_value = element_2.records
            if records_value is None:
                records_size, records = -1, None
            else:
                records = records_value
                records_size = len(records)
            out.append(_pack_i(records_size))
            if records:
                parts.append(b"".join(out))
                parts.append(records)
                out = []
    if message.node_endpoints:
        raise not_in_version("FetchResponse.node_endpoints")
    if out:
        parts.append(b"".join(out))
    return parts


def _encode_1(message: FetchResponse) -> list[Part]:
    """Versions 5, 6."""
    out: list[bytes] = []
    parts: list[Part] = []
    if message.session_id != 0:
        raise not_in_version("FetchResponse.session_id")
    responses = message.responses
    out.append(_pack_ii(message.throttle_time_ms, len(responses)))
    for element in responses:
        topic = element.topic.encode()
        topic_size = len(topic)
        partitions = element.partitions
        out += (_pack_h(topic_size), topic, _pack_i(len(partitions)))
        for element_2 in partitions:
            if element_2.diverging_epoch.epoch != -1 or element_2.diverging_epoch.end_offset != -1:
                raise not_in_version("FetchResponse.responses.partitions.diverging_epoch")
            if element_2.current_leader.leader_id != -1 or element_2.current_leader.leader_epoch != -1:
                raise not_in_version("FetchResponse.responses.partitions.current_leader")
            if element_2.snapshot_id.end_offset != -1 or element_2.snapshot_id.epoch != -1:
                raise not_in_version("FetchResponse.responses.partitions.snapshot_id")
            aborted_transactions = element_2.aborted_transactions
            out.append(_pack_ihqqq(element_2.partition_index, element_2.error_code, element_2.high_watermark, element_2.last_stable_offset, element_2.log_start_offset))
            if aborted_transactions is None:
                out.append(b"\xff\xff\xff\xff")
            else:
                out.append(_pack_i(len(aborted_transactions)))
                out += [_pack_qq(element_3.producer_id, element_3.first_offset) for element_3 in aborted_transactions]
            if element_2.preferred_read_replica != -1:
                raise not_in_version("FetchResponse.responses.partitions.preferred_read_replica")
            records_value = element_2.records
            if records_value is None:
                records_size, records = -1, None
            else:
                records = records_value
                records_size = len(records)
            out.append(_pack_i(records_size))
            if records:
                parts.append(b"".join(out))
                parts.append(records)
                out = []
    if message.node_endpoints:
        raise not_in_version("FetchResponse.node_endpoints")
    if out:
        parts.append(b"".join(out))
    return parts


def _encode_2(message: FetchResponse) -> list[Part]:
    """Versions 7, 8, 9, 10."""
    out: list[bytes] = []
    parts: list[Part] = []
    responses = message.responses
    out.append(_pack_ihii(message.throttle_time_ms, message.error_code, message.session_id, len(responses)))
    for element in responses:
        topic = element.topic.encode()
        topic_size = len(topic)
        partitions = element.partitions
        out += (_pack_h(topic_size), topic, _pack_i(len(partitions)))
        for element_2 in partitions:
            if element_2.diverging_epoch.epoch != -1 or element_2.diverging_epoch.end_offset != -1:
                raise not_in_version("FetchResponse.responses.partitions.diverging_epoch")
            if element_2.current_leader.leader_id != -1 or element_2.current_leader.leader_epoch != -1:
                raise not_in_version("FetchResponse.responses.partitions.current_leader")
            if element_2.snapshot_id.end_offset != -1 or element_2.snapshot_id.epoch != -1:
                raise not_in_version("FetchResponse.responses.partitions.snapshot_id")
            aborted_transactions = element_2.aborted_transactions
            out.append(_pack_ihqqq(element_2.partition_index, element_2.error_code, element_2.high_watermark, element_2.last_stable_offset, element_2.log_start_offset))
            if aborted_transactions is None:
                out.append(b"\xff\xff\xff\xff")
            else:
                out.append(_pack_i(len(aborted_transactions)))
                out += [_pack_qq(element_3.producer_id, element_3.first_offset) for element_3 in aborted_transactions]
            if element_2.preferred_read_replica != -1:
                raise not_in_version("FetchResponse.responses.partitions.preferred_read_replica")
            records_value = element_2.records
            if records_value is None:
                records_size, records = -1, None
            else:
                records = records_value
                records_size = len(records)
            out.append(_pack_i(records_size))
            if records:
                parts.append(b"".join(out))
                parts.append(records)
                out = []
    if message.node_endpoints:
        raise not_in_version("FetchResponse.node_endpoints")
    if out:
        parts.append(b"".join(out))
    return parts


def _encode_3(message: FetchResponse) -> list[Part]:
    """Versions 11."""
    out: list[bytes] = []
    parts: list[Part] = []
    responses = message.responses
    out.append(_pack_ihii(message.throttle_time_ms, message.error_code, message.session_id, len(responses)))
    for element in responses:
        topic = element.topic.encode()
        topic_size = len(topic)
        partitions = element.partitions
        out += (_pack_h(topic_size), topic, _pack_i(len(partitions)))
        for element_2 in partitions:
            if element_2.diverging_epoch.epoch != -1 or element_2.diverging_epoch.end_offset != -1:
                raise not_in_version("FetchResponse.responses.partitions.diverging_epoch")
            if element_2.current_leader.leader_id != -1 or element_2.current_leader.leader_epoch != -1:
                raise not_in_version("FetchResponse.responses.partitions.current_leader")
            if element_2.snapshot_id.end_offset != -1 or element_2.snapshot_id.epoch != -1:
                raise not_in_version("FetchResponse.responses.partitions.snapshot_id")
            aborted_transactions = element_2.aborted_transactions
            out.append(_pack_ihqqq(element_2.partition_index, element_2.error_code, element_2.high_watermark, element_2.last_stable_offset, element_2.log_start_offset))
            if aborted_transactions is None:
                out.append(b"\xff\xff\xff\xff")
            else:
                out.append(_pack_i(len(aborted_transactions)))
                out += [_pack_qq(element_3.producer_id, element_3.first_offset) for element_3 in aborted_transactions]
            records_value = element_2.records
            if records_value is None:
                records_size, records = -1, None
            else:
                records = records_value
                records_size = len(records)
            out.append(_pack_ii(element_2.preferred_read_replica, records_size))
            if records:
                parts.append(b"".join(out))
                parts.append(records)
                out = []
    if message.node_endpoints:
        raise not_in_version("FetchResponse.node_endpoints")
    if out:
        parts.append(b"".join(out))
    return parts


def _encode_4(message: FetchResponse) -> list[Part]:
    """Versions 12."""
    out: list[bytes] = []
    parts: list[Part] = []
    responses = message.responses
    responses_count = len(responses) + 1
    out += (
        _pack_ihi(message.throttle_time_ms, message.error_code, message.session_id),
        UVARINTS[responses_count] if responses_count < 256 else uvarint(responses_count),
    )
    for element in responses:
        topic = element.topic.encode()
        topic_size = len(topic) + 1
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            UVARINTS[topic_size] if topic_size < 256 else string_prefix(topic_size),
            topic,
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            aborted_transactions = element_2.aborted_transactions
            out.append(_pack_ihqqq(element_2.partition_index, element_2.error_code, element_2.high_watermark, element_2.last_stable_offset, element_2.log_start_offset))
            if aborted_transactions is None:
                out.append(b"\0")
            else:
                aborted_transactions_count = len(aborted_transactions) + 1
                out.append(UVARINTS[aborted_transactions_count] if aborted_transactions_count < 256 else uvarint(aborted_transactions_count))
                out += [_pack_qqx(element_3.producer_id, element_3.first_offset) for element_3 in aborted_transactions]
            records_value = element_2.records
            if records_value is None:
                records_size, records = 0, None
            else:
                records = records_value
                records_size = len(records) + 1
            out += (
                _pack_i(element_2.preferred_read_replica),
                UVARINTS[records_size] if records_size < 256 else uvarint(records_size),
            )
            if records:
                parts.append(b"".join(out))
                parts.append(records)
                out = []
            tags = 0
            tagged: list[bytes] = []
            if element_2.diverging_epoch.epoch != -1 or element_2.diverging_epoch.end_offset != -1:
                content: list[bytes] = []
                diverging_epoch = element_2.diverging_epoch
                content.append(_pack_iqx(diverging_epoch.epoch, diverging_epoch.end_offset))
                joined = b"".join(content)
                joined_size = len(joined)
                tags += 1
                tagged += (
                    UVARINTS[0],
                    UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size),
                    joined,
                )
            if element_2.current_leader.leader_id != -1 or element_2.current_leader.leader_epoch != -1:
                content_2: list[bytes] = []
                current_leader = element_2.current_leader
                content_2.append(_pack_iix(current_leader.leader_id, current_leader.leader_epoch))
                joined_2 = b"".join(content_2)
                joined_size_2 = len(joined_2)
                tags += 1
                tagged += (
                    UVARINTS[1],
                    UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
                    joined_2,
                )
            if element_2.snapshot_id.end_offset != -1 or element_2.snapshot_id.epoch != -1:
                content_3: list[bytes] = []
                snapshot_id = element_2.snapshot_id
                content_3.append(_pack_qix(snapshot_id.end_offset, snapshot_id.epoch))
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
        out.append(b"\0")
    if message.node_endpoints:
        raise not_in_version("FetchResponse.node_endpoints")
    out.append(b"\0")
    if out:
        parts.append(b"".join(out))
    return parts


def _encode_5(message: FetchResponse) -> list[Part]:
    """Versions 13, 14, 15."""
    out: list[bytes] = []
    parts: list[Part] = []
    responses = message.responses
    responses_count = len(responses) + 1
    out += (
        _pack_ihi(message.throttle_time_ms, message.error_code, message.session_id),
        UVARINTS[responses_count] if responses_count < 256 else uvarint(responses_count),
    )
    for element in responses:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("FetchResponse.responses.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            aborted_transactions = element_2.aborted_transactions
            out.append(_pack_ihqqq(element_2.partition_index, element_2.error_code, element_2.high_watermark, element_2.last_stable_offset, element_2.log_start_offset))
            if aborted_transactions is None:
                out.append(b"\0")
            else:
                aborted_transactions_count = len(aborted_transactions) + 1
                out.append(UVARINTS[aborted_transactions_count] if aborted_transactions_count < 256 else uvarint(aborted_transactions_count))
                out += [_pack_qqx(element_3.producer_id, element_3.first_offset) for element_3 in aborted_transactions]
            records_value = element_2.records
            if records_value is None:
                records_size, records = 0, None
            else:
                records = records_value
                records_size = len(records) + 1
            out += (
                _pack_i(element_2.preferred_read_replica),
                UVARINTS[records_size] if records_size < 256 else uvarint(records_size),
            )
            if records:
                parts.append(b"".join(out))
                parts.append(records)
                out = []
            tags = 0
            tagged: list[bytes] = []
            if element_2.diverging_epoch.epoch != -1 or element_2.diverging_epoch.end_offset != -1:
                content: list[bytes] = []
                diverging_epoch = element_2.diverging_epoch
                content.append(_pack_iqx(diverging_epoch.epoch, diverging_epoch.end_offset))
                joined = b"".join(content)
                joined_size = len(joined)
                tags += 1
                tagged += (
                    UVARINTS[0],
                    UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size),
                    joined,
                )
            if element_2.current_leader.leader_id != -1 or element_2.current_leader.leader_epoch != -1:
                content_2: list[bytes] = []
                current_leader = element_2.current_leader
                content_2.append(_pack_iix(current_leader.leader_id, current_leader.leader_epoch))
                joined_2 = b"".join(content_2)
                joined_size_2 = len(joined_2)
                tags += 1
                tagged += (
                    UVARINTS[1],
                    UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
                    joined_2,
                )
            if element_2.snapshot_id.end_offset != -1 or element_2.snapshot_id.epoch != -1:
                content_3: list[bytes] = []
                snapshot_id = element_2.snapshot_id
                content_3.append(_pack_qix(snapshot_id.end_offset, snapshot_id.epoch))
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
        out.append(b"\0")
    if message.node_endpoints:
        raise not_in_version("FetchResponse.node_endpoints")
    out.append(b"\0")
    if out:
        parts.append(b"".join(out))
    return parts


def _encode_6(message: FetchResponse) -> list[Part]:
    """Versions 16, 17, 18."""
    out: list[bytes] = []
    parts: list[Part] = []
    responses = message.responses
    responses_count = len(responses) + 1
    out += (
        _pack_ihi(message.throttle_time_ms, message.error_code, message.session_id),
        UVARINTS[responses_count] if responses_count < 256 else uvarint(responses_count),
    )
    for element in responses:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("FetchResponse.responses.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            aborted_transactions = element_2.aborted_transactions
            out.append(_pack_ihqqq(element_2.partition_index, element_2.error_code, element_2.high_watermark, element_2.last_stable_offset, element_2.log_start_offset))
            if aborted_transactions is None:
                out.append(b"\0")
            else:
                aborted_transactions_count = len(aborted_transactions) + 1
                out.append(UVARINTS[aborted_transactions_count] if aborted_transactions_count < 256 else uvarint(aborted_transactions_count))
                out += [_pack_qqx(element_3.producer_id, element_3.first_offset) for element_3 in aborted_transactions]
            records_value = element_2.records
            if records_value is None:
                records_size, records = 0, None
            else:
                records = records_value
                records_size = len(records) + 1
            out += (
                _pack_i(element_2.preferred_read_replica),
                UVARINTS[records_size] if records_size < 256 else uvarint(records_size),
            )
            if records:
                parts.append(b"".join(out))
                parts.append(records)
                out = []
            tags = 0
            tagged: list[bytes] = []
            if element_2.diverging_epoch.epoch != -1 or element_2.diverging_epoch.end_offset != -1:
                content: list[bytes] = []
                diverging_epoch = element_2.diverging_epoch
                content.append(_pack_iqx(diverging_epoch.epoch, diverging_epoch.end_offset))
                joined = b"".join(content)
                joined_size = len(joined)
                tags += 1
                tagged += (
                    UVARINTS[0],
                    UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size),
                    joined,
                )
            if element_2.current_leader.leader_id != -1 or element_2.current_leader.leader_epoch != -1:
                content_2: list[bytes] = []
                current_leader = element_2.current_leader
                content_2.append(_pack_iix(current_leader.leader_id, current_leader.leader_epoch))
                joined_2 = b"".join(content_2)
                joined_size_2 = len(joined_2)
                tags += 1
                tagged += (
                    UVARINTS[1],
                    UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
                    joined_2,
                )
            if element_2.snapshot_id.end_offset != -1 or element_2.snapshot_id.epoch != -1:
                content_3: list[bytes] = []
                snapshot_id = element_2.snapshot_id
                content_3.append(_pack_qix(snapshot_id.end_offset, snapshot_id.epoch))
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
        out.append(b"\0")
    tags_2 = 0
    tagged_2: list[bytes] = []
    if message.node_endpoints:
        content_4: list[bytes] = []
        node_endpoints = message.node_endpoints
        node_endpoints_count = len(node_endpoints) + 1
        content_4.append(UVARINTS[node_endpoints_count] if node_endpoints_count < 256 else uvarint(node_endpoints_count))
        for element_4 in node_endpoints:
            host = element_4.host.encode()
            host_size = len(host) + 1
            rack_value = element_4.rack
            if rack_value is None:
                rack_size, rack = 0, b""
            else:
                rack = rack_value.encode()
                rack_size = len(rack) + 1
            content_4 += (
                _pack_i(element_4.node_id),
                UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
                host,
                _pack_i(element_4.port),
                UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
                rack,
                b"\0",
            )
        joined_4 = b"".join(content_4)
        joined_size_4 = len(joined_4)
        tags_2 += 1
        tagged_2 += (
            UVARINTS[0],
            UVARINTS[joined_size_4] if joined_size_4 < 256 else uvarint(joined_size_4),
            joined_4,
        )
    if tags_2:
        out.append(UVARINTS[tags_2])
        out += tagged_2
    else:
        out.append(b"\0")
    if out:
        parts.append(b"".join(out))
    return parts


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[FetchResponse, int]]]] = {
    4: _decode_0,
    5: _decode_1,
    6: _decode_1,
    7: _decode_2,
    8: _decode_2,
    9: _decode_2,
    10: _decode_2,
    11: _decode_3,
    12: _decode_4,
    13: _decode_5,
    14: _decode_5,
    15: _decode_5,
    16: _decode_6,
    17: _decode_6,
    18: _decode_6,
}
_ENCODERS: Final[dict[int, Callable[[FetchResponse], list[Part]]]] = {
    4: _encode_0,
    5: _encode_1,
    6: _encode_1,
    7: _encode_2,
    8: _encode_2,
    9: _encode_2,
    10: _encode_2,
    11: _encode_3,
    12: _encode_4,
    13: _encode_5,
    14: _encode_5,
    15: _encode_5,
    16: _encode_6,
    17: _encode_6,
    18: _encode_6,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[FetchResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"FetchResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"FetchResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"FetchResponse v{version} is cut short")
    return result


def encode_parts(message: FetchResponse, version: int) -> list[Part]:
    """The encoded message in pieces; records are passed on as they are."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"FetchResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"FetchResponse v{version}: {error}") from error


def encode(message: FetchResponse, version: int) -> bytes:
    """The encoded message in one piece; file slices are read."""
    return join_parts(encode_parts(message, version))
