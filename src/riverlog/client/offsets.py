"""ListOffsets: earliest, latest, by time; one request per leader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from riverlog.base.errors import ErrorCode
from riverlog.client.cluster import NO_LEADER, ClusterView, TopicPartition
from riverlog.client.connection import Request
from riverlog.client.errors import error_code
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from riverlog.protocol.generated.list_offsets_response import ListOffsetsResponse

LATEST = -1
EARLIEST = -2
MAX_TIMESTAMP = -3
CONSUMER_REPLICA = -1


@dataclass(slots=True)
class FoundOffset:
    """``offset`` is -1 if no record has such a timestamp."""

    offset: int
    timestamp: int
    leader_epoch: int = -1
    code: ErrorCode = ErrorCode.NONE


def list_offsets_requests(
    view: ClusterView, wanted: Mapping[TopicPartition, int], *, isolation_level: int = 0
) -> tuple[dict[int, Request], list[TopicPartition]]:
    """A request per leader for these timestamps (or ``EARLIEST`` …), and the partitions without a leader."""
    by_node: dict[int, dict[str, ListOffsetsTopic]] = {}
    leaderless: list[TopicPartition] = []
    for (topic, index), timestamp in wanted.items():
        leader = view.leader(topic, index)
        partition = view.partition(topic, index)
        if leader == NO_LEADER or partition is None:
            leaderless.append((topic, index))
            continue
        row = by_node.setdefault(leader, {}).setdefault(topic, ListOffsetsTopic(name=topic))
        row.partitions.append(
            ListOffsetsPartition(
                partition_index=index, current_leader_epoch=partition.leader_epoch, timestamp=timestamp
            )
        )
    requests = {
        node_id: Request(
            ApiKey.LIST_OFFSETS,
            ListOffsetsRequest(
                replica_id=CONSUMER_REPLICA, isolation_level=isolation_level, topics=list(topics.values())
            ),
        )
        for node_id, topics in by_node.items()
    }
    return requests, leaderless


def found_offsets(answer: ListOffsetsResponse) -> dict[TopicPartition, FoundOffset]:
    return {
        (topic.name, row.partition_index): FoundOffset(
            row.offset, row.timestamp, row.leader_epoch, error_code(row.error_code)
        )
        for topic in answer.topics
        for row in topic.partitions
    }
