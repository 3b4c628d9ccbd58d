"""Deciding TxnOffsetCommit: offsets that count once the producer's transaction is committed.

Which topics exist was checked by the handler, and the transaction by its coordinator. Kafka asks less of
members than in a plain commit: the group may be between two generations, and a producer of before KIP-447
names no member at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base import broker_configs_groups as group_configs
from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import CoordinatorRecord, Decision, Reply
from riverlog.coordinator.group.offsets_api import java_length
from riverlog.coordinator.group.records import NO_TIMESTAMP, offset_commit
from riverlog.protocol.generated.offset_commit_value import OffsetCommitValue
from riverlog.protocol.generated.txn_offset_commit_request import TxnOffsetCommitRequest
from riverlog.protocol.generated.txn_offset_commit_response import (
    TxnOffsetCommitResponse,
    TxnOffsetCommitResponsePartition,
    TxnOffsetCommitResponseTopic,
)
from riverlog.protocol.primitives import ZERO_UUID
from riverlog.storage import VerificationGuard

if TYPE_CHECKING:
    from riverlog.coordinator.group.machine import GroupMachine


def txn_commit_failed(request: TxnOffsetCommitRequest, error: ErrorCode) -> TxnOffsetCommitResponse:
    """The same error for every partition: the response has no other place for one."""
    return TxnOffsetCommitResponse(
        topics=[
            TxnOffsetCommitResponseTopic(
                name=topic.name,
                partitions=[
                    TxnOffsetCommitResponsePartition(wanted.partition_index, error)
                    for wanted in topic.partitions
                ],
            )
            for topic in request.topics
        ]
    )


def txn_commit(
    machine: GroupMachine,
    request: TxnOffsetCommitRequest,
    *,
    api_version: int,
    guard: VerificationGuard | None,
    now_ms: int,
    to: Callable[[TxnOffsetCommitResponse], None],
) -> Decision:
    """``guard``: of the verification; None if the transaction has written to this partition before."""

    def failed(error: ErrorCode) -> TxnOffsetCommitResponse:
        return txn_commit_failed(request, error)

    topics = machine.image().topics
    topic_ids = {
        topic.name: topics[topic.name].topic_id if topic.name in topics else ZERO_UUID
        for topic in request.topics
    }
    error = _check(machine, request, topic_ids, api_version=api_version)
    if error:
        return Decision(replies=[Reply(to, failed(error), failed)])
    records: list[CoordinatorRecord] = []
    response = TxnOffsetCommitResponse()
    metadata_max = machine.config[group_configs.OFFSET_METADATA_MAX_BYTES]
    for topic in request.topics:
        partitions: list[TxnOffsetCommitResponsePartition] = []
        for wanted in topic.partitions:
            metadata = wanted.committed_metadata or ""
            error = ErrorCode.NONE
            if java_length(metadata) > metadata_max:
                error = ErrorCode.OFFSET_METADATA_TOO_LARGE
            else:
                value = OffsetCommitValue(
                    offset=wanted.committed_offset,
                    leader_epoch=wanted.committed_leader_epoch,
                    metadata=metadata,
                    commit_timestamp=now_ms,
                    expire_timestamp=NO_TIMESTAMP,
                    topic_id=topic_ids[topic.name],
                )
                records.append(offset_commit(request.group_id, topic.name, wanted.partition_index, value))
            partitions.append(TxnOffsetCommitResponsePartition(wanted.partition_index, error))
        response.topics.append(TxnOffsetCommitResponseTopic(name=topic.name, partitions=partitions))
    return Decision(
        records,
        [Reply(to, response, failed)],
        producer_id=request.producer_id,
        producer_epoch=request.producer_epoch,
        guard=guard,
    )


def _check(
    machine: GroupMachine, request: TxnOffsetCommitRequest, topic_ids: dict[str, bytes], *, api_version: int
) -> ErrorCode:
    """INVARIANTS 16: a stale member's commit is refused, as an old generation whatever the protocol."""
    group = machine.groups.get(request.group_id)
    generation = request.generation_id
    if group is None:
        # Nobody's generation: an old producer, or a consumer that assigns itself; makes a simple group.
        return ErrorCode.NONE if generation < 0 else ErrorCode.ILLEGAL_GENERATION
    error = group.validate_offset_commit(
        request.member_id,
        generation,
        request.group_instance_id,
        api_version=api_version,
        transactional=True,
    )
    for topic in request.topics:
        for wanted in topic.partitions:
            if error:
                break
            error = group.validate_commit_partition(
                request.member_id,
                generation,
                topic=topic.name,
                topic_id=topic_ids[topic.name],
                partition=wanted.partition_index,
            )
    return ErrorCode.ILLEGAL_GENERATION if error is ErrorCode.STALE_MEMBER_EPOCH else error
