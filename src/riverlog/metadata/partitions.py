"""Deciding about partitions: CreatePartitions, elections, new leader epochs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from riverlog.base.errors import ErrorCode
from riverlog.metadata.controller import (
    RECORDS_PER_REQUEST_MAX,
    TOO_MANY_RECORDS,
    ControllerSettings,
    Decision,
    Refused,
    Spend,
    free,
)
from riverlog.metadata.image import NO_LEADER, ClusterState, PartitionState, TopicState
from riverlog.metadata.placement import check_assignment, new_partition, place
from riverlog.metadata.records import MetadataRecord
from riverlog.protocol.generated.create_partitions_request import (
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from riverlog.protocol.generated.create_partitions_response import (
    CreatePartitionsResponse,
    CreatePartitionsTopicResult,
)
from riverlog.protocol.generated.partition_change_record import PartitionChangeRecord


def create_partitions(
    state: ClusterState, settings: ControllerSettings, request: CreatePartitionsRequest, spend: Spend = free
) -> Decision[CreatePartitionsResponse]:
    """Grow topics; never shrink them."""
    records: list[MetadataRecord] = []
    counts = Counter(topic.name for topic in request.topics)
    results = [
        _result(name, ErrorCode.INVALID_REQUEST, "Duplicate topic name.")
        for name, count in counts.items()
        if count > 1
    ]
    for topic in request.topics:
        if counts[topic.name] > 1:
            continue
        try:
            grown = _grow(state, settings, topic)
            spend(len(grown))
            records += grown
            results.append(_result(topic.name, ErrorCode.NONE, None))
        except Refused as refused:
            results.append(_result(topic.name, refused.error, refused.message))
    if len(records) > RECORDS_PER_REQUEST_MAX:
        results = [_result(name, ErrorCode.POLICY_VIOLATION, TOO_MANY_RECORDS) for name in counts]
        records = []
    return Decision(CreatePartitionsResponse(results=results), [] if request.validate_only else records)


def _result(name: str, error: ErrorCode, message: str | None) -> CreatePartitionsTopicResult:
    return CreatePartitionsTopicResult(name=name, error_code=error, error_message=message)


def _grow(
    state: ClusterState, settings: ControllerSettings, topic: CreatePartitionsTopic
) -> list[MetadataRecord]:
    found = state.topics.get(topic.name)
    if found is None:
        raise Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "No topic has this name.")
    have = len(found.partitions)
    if topic.count == have:
        raise Refused(ErrorCode.INVALID_PARTITIONS, f"Topic already has {have} partition(s).")
    if topic.count < have:
        message = f"The topic {topic.name} has {have} partition(s); {topic.count} would not be an increase."
        raise Refused(ErrorCode.INVALID_PARTITIONS, message)
    more = topic.count - have
    if topic.assignments is not None and len(topic.assignments) != more:
        message = f"{more} partition(s) to add, but {len(topic.assignments)} assignment(s) given."
        raise Refused(ErrorCode.INVALID_REPLICA_ASSIGNMENT, message)
    if more > RECORDS_PER_REQUEST_MAX:
        raise Refused(ErrorCode.POLICY_VIOLATION, TOO_MANY_RECORDS)
    factor = len(next(iter(found.partitions.values())).replicas)
    if topic.assignments is not None:
        placed = [list(assignment.broker_ids) for assignment in topic.assignments]
        for replicas in placed:
            check_assignment(state, replicas, factor)
    else:
        placed = place(state, settings.rng, partitions=more, replication_factor=factor)
    records: list[MetadataRecord] = []
    for index, replicas in enumerate(placed, start=have):
        partition = new_partition(state, found.topic_id, index, replicas)
        if partition is None:
            message = f"All brokers of the manual assignment of partition {index} are fenced."
            raise Refused(ErrorCode.INVALID_REPLICA_ASSIGNMENT, message)
        records.append(partition)
    return records


# -- leaders -------------------------------------------------------------------------------


def new_leader_epochs(
    partitions: Iterable[tuple[TopicState, int, PartitionState]],
) -> list[MetadataRecord]:
    """Give partitions that have a leader a new leader epoch with the same leader."""
    return [
        PartitionChangeRecord(partition_id=index, topic_id=topic.topic_id, leader=partition.leader)
        for topic, index, partition in partitions
        if partition.leader != NO_LEADER
    ]


def bump_leader_epochs(state: ClusterState, node_id: int) -> list[MetadataRecord]:
    """RULES: watermark 6, after an unclean stop of ``node_id``."""
    return new_leader_epochs(found for found in state.partitions() if found[2].leader == node_id)


def elect_leaderless(state: ClusterState, broker_id: int) -> list[MetadataRecord]:
    """Elections that become possible when ``broker_id`` is back: leaderless partitions it is eligible for.

    Eligible is an ISR member; with an empty ISR a member of the ELR (KIP-966), and where both are empty
    the last known leader, which Kafka elects too and which leaves the leader in recovery.
    """
    records: list[MetadataRecord] = []
    for topic, index, partition in state.partitions():
        if partition.leader != NO_LEADER or broker_id not in partition.replicas:
            continue
        change = PartitionChangeRecord(partition_id=index, topic_id=topic.topic_id, leader=broker_id)
        if partition.isr:
            if broker_id not in partition.isr:
                continue
        elif broker_id in partition.eligible_leader_replicas:
            change.isr = [broker_id]
            change.eligible_leader_replicas = [
                other for other in partition.eligible_leader_replicas if other != broker_id
            ]
        elif not partition.eligible_leader_replicas and partition.last_known_elr == (broker_id,):
            change.isr = [broker_id]
            change.leader_recovery_state = 1
        else:
            continue
        if partition.last_known_elr:
            change.last_known_elr = []
        records.append(change)
    return records
