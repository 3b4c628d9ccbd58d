"""Deciding who holds a partition: AlterPartitionReassignments, and listing what is under way.

A reassignment whose new replicas are all in sync is complete at once; otherwise the partition keeps old
and new replicas until they are (``adding_replicas``, ``removing_replicas``).
"""

from __future__ import annotations

from collections.abc import Sequence

from riverlog.base.errors import ErrorCode
from riverlog.metadata.controller import (
    RECORDS_PER_REQUEST_MAX,
    TOO_MANY_RECORDS,
    ControllerSettings,
    Decision,
    Refused,
)
from riverlog.metadata.electorate import Electorate, unclean_election
from riverlog.metadata.image import ClusterState, PartitionState, TopicState
from riverlog.metadata.partition_change import change_partition
from riverlog.metadata.placement import check_assignment
from riverlog.metadata.records import MetadataRecord
from riverlog.protocol.generated.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
)
from riverlog.protocol.generated.alter_partition_reassignments_response import (
    AlterPartitionReassignmentsResponse,
    ReassignablePartitionResponse,
    ReassignableTopicResponse,
)
from riverlog.protocol.generated.list_partition_reassignments_request import (
    ListPartitionReassignmentsRequest,
)
from riverlog.protocol.generated.list_partition_reassignments_response import (
    ListPartitionReassignmentsResponse,
    OngoingPartitionReassignment,
    OngoingTopicReassignment,
)
from riverlog.protocol.generated.partition_change_record import PartitionChangeRecord


def find_partition(state: ClusterState, topic: str, index: int) -> tuple[TopicState, PartitionState]:
    found = state.topics.get(topic)
    if found is None:
        raise Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"No such topic as {topic}")
    partition = found.partitions.get(index)
    if partition is None:
        raise Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"No such partition as {topic}-{index}")
    return found, partition


# -- reassigning ---------------------------------------------------------------------------


def alter_partition_reassignments(
    state: ClusterState,
    request: AlterPartitionReassignmentsRequest,
    settings: ControllerSettings | None = None,
) -> Decision[AlterPartitionReassignmentsResponse]:
    """Begin, change or (replicas null) cancel reassignments."""
    electorate = Electorate(state, settings)
    records: list[MetadataRecord] = []
    seen: set[tuple[str, int]] = set()
    responses = []
    for topic in request.topics:
        results = []
        for wanted in topic.partitions:
            index = wanted.partition_index
            result = ReassignablePartitionResponse(partition_index=index, error_message=None)
            try:
                if (topic.name, index) in seen:
                    raise Refused(ErrorCode.INVALID_REQUEST, "A partition may be given only once.")
                seen.add((topic.name, index))
                found, partition = find_partition(state, topic.name, index)
                if wanted.replicas is None:
                    change = _cancel(electorate, found, index, partition)
                else:
                    check_assignment(state, wanted.replicas, None)
                    if not request.allow_replication_factor_change:
                        _check_factor(partition, wanted.replicas)
                    change = reassign(electorate, found, index, partition, wanted.replicas)
                if change is not None:
                    records.append(change)
            except Refused as why:
                result.error_code, result.error_message = why.error, why.message
            results.append(result)
        responses.append(ReassignableTopicResponse(name=topic.name, partitions=results))
    response = AlterPartitionReassignmentsResponse(
        allow_replication_factor_change=request.allow_replication_factor_change,
        error_message=None,
        responses=responses,
    )
    if len(records) > RECORDS_PER_REQUEST_MAX:
        return Decision(
            AlterPartitionReassignmentsResponse(
                error_code=ErrorCode.POLICY_VIOLATION, error_message=TOO_MANY_RECORDS
            )
        )
    return Decision(response, records)


def reassigning(partition: PartitionState) -> bool:
    """Whether a reassignment is under way."""
    return bool(partition.adding_replicas or partition.removing_replicas)


def _cancel(
    electorate: Electorate, topic: TopicState, index: int, partition: PartitionState
) -> PartitionChangeRecord | None:
    if not reassigning(partition):
        raise Refused(ErrorCode.NO_REASSIGNMENT_IN_PROGRESS, "No partition reassignment is in progress.")
    replicas = [one for one in partition.replicas if one not in partition.adding_replicas]
    isr = [one for one in partition.isr if one in replicas]
    _check_clean(electorate, topic, partition, isr)
    return change_partition(
        electorate, topic, index, partition, isr=isr, replicas=replicas, adding=[], removing=[]
    )


def _check_factor(partition: PartitionState, target: Sequence[int]) -> None:
    intended = [one for one in partition.replicas if one not in partition.removing_replicas]
    if len(target) != len(intended):
        message = f"The replication factor is changed from {len(intended)} to {len(target)}."
        raise Refused(ErrorCode.INVALID_REPLICATION_FACTOR, message)


def _check_clean(
    electorate: Electorate, topic: TopicState, partition: PartitionState, isr: Sequence[int]
) -> None:
    """The replicas in sync must not all be dropped."""
    if isr or not partition.isr:
        return
    if not unclean_election(electorate.state, electorate.settings, topic.name):
        message = "No replica in sync would be left: that would need an unclean leader election."
        raise Refused(ErrorCode.INVALID_REPLICA_ASSIGNMENT, message)


def reassign(
    electorate: Electorate,
    topic: TopicState,
    index: int,
    partition: PartitionState,
    target: Sequence[int],
) -> PartitionChangeRecord | None:
    """Towards ``target``: done at once where all of it is in sync. Raises ``Refused``."""
    # What an unfinished reassignment adds does not count as held, what it removes still does.
    settled = [one for one in partition.replicas if one not in partition.adding_replicas]
    removing = sorted(one for one in settled if one not in target)
    merged = [*target, *removing]
    isr = [one for one in partition.isr if one in merged]
    _check_clean(electorate, topic, partition, isr)
    return change_partition(
        electorate,
        topic,
        index,
        partition,
        isr=isr,
        replicas=merged,
        adding=sorted(one for one in target if one not in settled),
        removing=removing,
    )


def list_partition_reassignments(
    state: ClusterState, request: ListPartitionReassignmentsRequest
) -> ListPartitionReassignmentsResponse:
    """Those under way, of the partitions asked for or of all."""
    if request.topics is None:
        wanted = [(topic, list(topic.partitions)) for topic in state.topics.values()]
    else:
        wanted = [
            (state.topics[topic.name], topic.partition_indexes)
            for topic in request.topics
            if topic.name in state.topics
        ]
    topics = []
    for topic, indexes in wanted:
        ongoing = []
        for index in indexes:
            partition = topic.partitions.get(index)
            if partition is not None and (partition.adding_replicas or partition.removing_replicas):
                ongoing.append(
                    OngoingPartitionReassignment(
                        partition_index=index,
                        replicas=list(partition.replicas),
                        adding_replicas=list(partition.adding_replicas),
                        removing_replicas=list(partition.removing_replicas),
                    )
                )
        if ongoing:
            topics.append(OngoingTopicReassignment(name=topic.name, partitions=ongoing))
    return ListPartitionReassignmentsResponse(error_message=None, topics=topics)
