"""Deciding who holds and who leads a partition: AlterPartitionReassignments and ElectLeaders.

A reassignment whose new replicas are all in sync is complete at once; otherwise the partition keeps old
and new replicas until they are (``adding_replicas``, ``removing_replicas``).
"""

from __future__ import annotations

from collections.abc import Sequence

from riverlog.base.errors import ErrorCode
from riverlog.metadata.controller import (
    RECORDS_PER_REQUEST_MAX,
    TOO_MANY_RECORDS,
    UNASSIGNED_DIRECTORY,
    Decision,
    Refused,
)
from riverlog.metadata.image import NO_LEADER, ClusterState, PartitionState, TopicState
from riverlog.metadata.placement import check_assignment, default_directory
from riverlog.metadata.records import MetadataRecord, supports_directories
from riverlog.protocol.generated.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
)
from riverlog.protocol.generated.alter_partition_reassignments_response import (
    AlterPartitionReassignmentsResponse,
    ReassignablePartitionResponse,
    ReassignableTopicResponse,
)
from riverlog.protocol.generated.elect_leaders_request import ElectLeadersRequest, TopicPartitions
from riverlog.protocol.generated.elect_leaders_response import (
    ElectLeadersResponse,
    PartitionResult,
    ReplicaElectionResult,
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

PREFERRED, UNCLEAN = 0, 1
_RECOVERING = 1
_NOT_NEEDED = "Leader election not needed for topic partition."


def _find(state: ClusterState, topic: str, index: int) -> tuple[TopicState, PartitionState]:
    found = state.topics.get(topic)
    if found is None:
        raise Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"No such topic as {topic}")
    partition = found.partitions.get(index)
    if partition is None:
        raise Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"No such partition as {topic}-{index}")
    return found, partition


# -- reassigning ---------------------------------------------------------------------------


def alter_partition_reassignments(
    state: ClusterState, request: AlterPartitionReassignmentsRequest
) -> Decision[AlterPartitionReassignmentsResponse]:
    """Begin, change or (replicas null) cancel reassignments."""
    records: list[MetadataRecord] = []
    seen: set[tuple[str, int]] = set()
    responses = []
    for topic in request.topics:
        results = []
        for wanted in topic.partitions:
            result = ReassignablePartitionResponse(partition_index=wanted.partition_index, error_message=None)
            try:
                if (topic.name, wanted.partition_index) in seen:
                    raise Refused(ErrorCode.INVALID_REQUEST, "A partition may be given only once.")
                seen.add((topic.name, wanted.partition_index))
                found, partition = _find(state, topic.name, wanted.partition_index)
                if wanted.replicas is None:
                    change = _cancel(state, partition)
                else:
                    change = _reassign(
                        state,
                        partition,
                        wanted.replicas,
                        may_resize=request.allow_replication_factor_change,
                    )
                if change is not None:
                    change.topic_id, change.partition_id = found.topic_id, wanted.partition_index
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


def _cancel(state: ClusterState, partition: PartitionState) -> PartitionChangeRecord | None:
    if not (partition.adding_replicas or partition.removing_replicas):
        raise Refused(ErrorCode.NO_REASSIGNMENT_IN_PROGRESS, "No partition reassignment is in progress.")
    replicas = [one for one in partition.replicas if one not in partition.adding_replicas]
    isr = [one for one in partition.isr if one not in partition.adding_replicas]
    if not isr:
        message = "Going back would need an unclean leader election."
        raise Refused(ErrorCode.INVALID_REPLICA_ASSIGNMENT, message)
    return _change(state, partition, replicas, isr, adding=[], removing=[])


def _reassign(
    state: ClusterState, partition: PartitionState, target: Sequence[int], *, may_resize: bool
) -> PartitionChangeRecord | None:
    check_assignment(state, target, None)
    # What an unfinished reassignment adds does not count as held, what it removes still does.
    settled = [one for one in partition.replicas if one not in partition.adding_replicas]
    intended = [one for one in partition.replicas if one not in partition.removing_replicas]
    if not may_resize and len(target) != len(intended):
        message = f"The replication factor is changed from {len(intended)} to {len(target)}."
        raise Refused(ErrorCode.INVALID_REPLICATION_FACTOR, message)
    adding = sorted(one for one in target if one not in settled)
    removing = sorted(one for one in settled if one not in target)
    isr = [one for one in partition.isr if one in target]
    if isr and all(one in isr for one in adding):
        return _change(state, partition, list(target), isr, adding=[], removing=[])
    merged = [*target, *removing]
    kept = [one for one in partition.isr if one in merged]
    return _change(state, partition, merged, kept, adding=adding, removing=removing)


def _change(
    state: ClusterState,
    partition: PartitionState,
    replicas: list[int],
    isr: list[int],
    *,
    adding: list[int],
    removing: list[int],
) -> PartitionChangeRecord | None:
    """The record that takes a partition there; None if it is there already."""
    change = PartitionChangeRecord()
    changed = False
    if replicas != list(partition.replicas):
        changed = True
        change.replicas = replicas
        if supports_directories(state.metadata_version):
            old = dict(zip(partition.replicas, partition.directories, strict=False))
            change.directories = [
                old[one] if one in old else default_directory(state, one) for one in replicas
            ]
    if isr != list(partition.isr):
        changed = True
        change.isr = isr
    if adding != list(partition.adding_replicas):
        changed = True
        change.adding_replicas = adding
    if removing != list(partition.removing_replicas):
        changed = True
        change.removing_replicas = removing
    if partition.leader != NO_LEADER and partition.leader not in isr:
        changed = True
        able = [one for one in replicas if one in isr and state.broker_is_active(one)]
        change.leader = able[0] if able else NO_LEADER
    return change if changed else None


def assign_directory(
    state: ClusterState, broker_id: int, topic_id: bytes, index: int, directory_id: bytes
) -> Decision[None]:
    """A replica is in another log directory of its broker now (KIP-858)."""
    topic = state.topics_by_id.get(topic_id)
    partition = None if topic is None else topic.partitions.get(index)
    if partition is None or broker_id not in partition.replicas:
        return Decision(None)
    if not supports_directories(state.metadata_version):
        return Decision(None)
    old = dict(zip(partition.replicas, partition.directories, strict=False))
    if old.get(broker_id) == directory_id:
        return Decision(None)
    old[broker_id] = directory_id
    directories = [old.get(one, UNASSIGNED_DIRECTORY) for one in partition.replicas]
    return Decision(
        None, [PartitionChangeRecord(topic_id=topic_id, partition_id=index, directories=directories)]
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


# -- electing ------------------------------------------------------------------------------


def elect_leaders(state: ClusterState, request: ElectLeadersRequest) -> Decision[ElectLeadersResponse]:
    """Make the preferred replica lead, or (unclean) any that lives. Null means every partition."""
    wanted = request.topic_partitions
    if request.election_type not in (PREFERRED, UNCLEAN):
        return Decision(_unknown_type(request))
    response = ElectLeadersResponse()
    records: list[MetadataRecord] = []
    named = wanted is not None
    if wanted is None:
        wanted = [
            TopicPartitions(topic=topic.name, partitions=list(topic.partitions))
            for topic in state.topics.values()
        ]
    elected: set[tuple[str, int]] = set()
    for topic in wanted:
        results = []
        for index in topic.partitions:
            result = PartitionResult(partition_id=index, error_message=None)
            try:
                found, partition = _find(state, topic.topic, index)
                if (topic.topic, index) in elected:
                    raise Refused(ErrorCode.ELECTION_NOT_NEEDED, _NOT_NEEDED)
                change = _elect(state, partition, request.election_type)
                change.topic_id, change.partition_id = found.topic_id, index
                records.append(change)
                elected.add((topic.topic, index))
            except Refused as why:
                if why.error == ErrorCode.ELECTION_NOT_NEEDED and not named:
                    continue
                result.error_code, result.error_message = why.error, why.message
            results.append(result)
        response.replica_election_results.append(
            ReplicaElectionResult(topic=topic.topic, partition_result=results)
        )
    if len(records) > RECORDS_PER_REQUEST_MAX:
        return Decision(ElectLeadersResponse(error_code=ErrorCode.POLICY_VIOLATION))
    return Decision(response, records)


def _unknown_type(request: ElectLeadersRequest) -> ElectLeadersResponse:
    error = ErrorCode.INVALID_REQUEST
    message = f"Unknown election type {request.election_type}"
    return ElectLeadersResponse(
        error_code=error,
        replica_election_results=[
            ReplicaElectionResult(
                topic=topic.topic,
                partition_result=[
                    PartitionResult(partition_id=index, error_code=error, error_message=message)
                    for index in topic.partitions
                ],
            )
            for topic in request.topic_partitions or ()
        ],
    )


def _elect(state: ClusterState, partition: PartitionState, election_type: int) -> PartitionChangeRecord:
    def able(replica: int) -> bool:
        return state.broker_is_active(replica)

    if election_type == PREFERRED:
        preferred = partition.replicas[0]
        if partition.leader == preferred:
            raise Refused(ErrorCode.ELECTION_NOT_NEEDED, _NOT_NEEDED)
        if preferred not in partition.isr or not able(preferred):
            message = "The preferred leader was not available."
            raise Refused(ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE, message)
        return PartitionChangeRecord(leader=preferred)
    if partition.leader != NO_LEADER:
        raise Refused(ErrorCode.ELECTION_NOT_NEEDED, _NOT_NEEDED)
    for replica in partition.replicas:
        if replica in partition.isr and able(replica):
            return PartitionChangeRecord(leader=replica)
    for replica in partition.replicas:
        if able(replica):
            change = PartitionChangeRecord(leader=replica, isr=[replica])
            if replica not in partition.eligible_leader_replicas:
                change.leader_recovery_state = _RECOVERING
            if partition.eligible_leader_replicas:
                change.eligible_leader_replicas = []
            if partition.last_known_elr:
                change.last_known_elr = []
            return change
    message = "Eligible topic partition leaders are not available."
    raise Refused(ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE, message)
