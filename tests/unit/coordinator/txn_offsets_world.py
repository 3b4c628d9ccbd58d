"""Offsets committed in transactions, decided by the host of a broker without asking a transaction
coordinator: that is told in the tests of the handler."""

from __future__ import annotations

from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.group.machine import GroupMachine
from riverlog.coordinator.group.offsets_txn import txn_commit
from riverlog.protocol.generated.txn_offset_commit_request import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
)
from riverlog.protocol.generated.txn_offset_commit_response import TxnOffsetCommitResponse
from tests.unit.coordinator.offsets_world import TOPIC, OffsetsClient, OffsetsWorld

PRODUCER = 9


def txn_commit_request(
    offsets: dict[int, int],
    *,
    group: str = "g",
    topic: str = TOPIC,
    transactional_id: str = "x",
    producer_id: int = PRODUCER,
    epoch: int = 0,
    generation: int = -1,
    member_id: str = "",
    instance_id: str | None = None,
    metadata: str | None = "",
) -> TxnOffsetCommitRequest:
    partitions = [
        TxnOffsetCommitRequestPartition(index, offset, 3, metadata) for index, offset in offsets.items()
    ]
    return TxnOffsetCommitRequest(
        transactional_id=transactional_id,
        group_id=group,
        producer_id=producer_id,
        producer_epoch=epoch,
        generation_id=generation,
        member_id=member_id,
        group_instance_id=instance_id,
        topics=[TxnOffsetCommitRequestTopic(topic, partitions)],
    )


def errors_of(response: TxnOffsetCommitResponse) -> dict[int, int]:
    return {row.partition_index: row.error_code for topic in response.topics for row in topic.partitions}


class TxnOffsetsWorld(OffsetsWorld):
    """Transactions end when a test says so."""

    def machine(self, group: str = "g") -> GroupMachine:
        host = self.broker.groups
        return host.shards[host.shard_of(group)].machine

    def txn_commit(self, offsets: dict[int, int], *, version: int = 5, **settings: Any) -> dict[int, int]:
        """Errors by partition."""
        request = txn_commit_request(offsets, **settings)
        host = self.broker.groups
        partition = host.shards[host.shard_of(request.group_id)].partition
        guard = partition.begin_coordinator_verification(request.producer_id, request.producer_epoch)
        got: list[TxnOffsetCommitResponse] = []
        error = host.submit(
            request.group_id,
            lambda machine, now_ms: txn_commit(
                machine, request, api_version=version, guard=guard, now_ms=now_ms, to=got.append
            ),
        )
        assert error is ErrorCode.NONE
        assert self.run_until(lambda: bool(got))
        return errors_of(got[0])

    def end(self, *, committed: bool, producer_id: int = PRODUCER, epoch: int = 0, group: str = "g") -> None:
        got: list[ErrorCode] = []
        host = self.broker.groups
        host.write_marker(
            host.shard_of(group),
            producer_id,
            epoch,
            coordinator_epoch=0,
            committed=committed,
            transaction_version=1,
            done=got.append,
        )
        assert self.run_until(lambda: bool(got))
        assert got == [ErrorCode.NONE]


def offset_of(client: OffsetsClient, index: int = 0, **settings: Any) -> tuple[int, int]:
    """The committed offset and the error."""
    row = client.fetch([index], **settings).topics[0].partitions[0]
    return row.committed_offset, row.error_code


def stable_offset(client: OffsetsClient, index: int = 0, **settings: Any) -> tuple[int, int]:
    return offset_of(client, index, require_stable=True, **settings)
