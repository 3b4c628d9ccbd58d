"""Deciding who leads a partition: ElectLeaders, the balance of leaders, unclean elections on a timer."""

from __future__ import annotations

from collections.abc import Iterable

from riverlog.base.errors import ErrorCode
from riverlog.metadata.controller import (
    RECORDS_PER_REQUEST_MAX,
    ControllerSettings,
    Decision,
    Refused,
)
from riverlog.metadata.electorate import Electorate, unclean_election
from riverlog.metadata.image import NO_LEADER, ClusterState, PartitionState, TopicState
from riverlog.metadata.partition_change import Election, change_partition
from riverlog.metadata.reassignment import find_partition
from riverlog.metadata.records import MetadataRecord
from riverlog.protocol.generated.elect_leaders_request import ElectLeadersRequest, TopicPartitions
from riverlog.protocol.generated.elect_leaders_response import (
    ElectLeadersResponse,
    PartitionResult,
    ReplicaElectionResult,
)
from riverlog.protocol.generated.partition_change_record import PartitionChangeRecord

PREFERRED, UNCLEAN = 0, 1
ELECTIONS_PER_TURN_MAX = 1000
"""Kafka's bound on elections that a timer makes in one batch."""
_NOT_NEEDED = "Leader election not needed for topic partition."


def elect_leaders(
    state: ClusterState, request: ElectLeadersRequest, settings: ControllerSettings | None = None
) -> Decision[ElectLeadersResponse]:
    """Make the preferred replica lead, or (unclean) any that lives. Null means every partition."""
    wanted = request.topic_partitions
    if request.election_type not in (PREFERRED, UNCLEAN):
        return Decision(_unknown_type(request))
    response = ElectLeadersResponse()
    records: list[MetadataRecord] = []
    electorate = Electorate(state, settings)
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
                found, partition = find_partition(state, topic.topic, index)
                if (topic.topic, index) in elected:
                    raise Refused(ErrorCode.ELECTION_NOT_NEEDED, _NOT_NEEDED)
                records.append(_elect(electorate, found, index, partition, request.election_type))
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


def _elect(
    electorate: Electorate, topic: TopicState, index: int, partition: PartitionState, election_type: int
) -> PartitionChangeRecord:
    if election_type == PREFERRED:
        if partition.leader == partition.replicas[0]:
            raise Refused(ErrorCode.ELECTION_NOT_NEEDED, _NOT_NEEDED)
        change = _elect_by(electorate, topic, index, partition, Election.PREFERRED)
        if change is None:
            message = "The preferred leader was not available."
            raise Refused(ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE, message)
        return change
    if partition.leader != NO_LEADER:
        raise Refused(ErrorCode.ELECTION_NOT_NEEDED, _NOT_NEEDED)
    change = _elect_by(electorate, topic, index, partition, Election.UNCLEAN)
    if change is None:
        message = "Eligible topic partition leaders are not available."
        raise Refused(ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE, message)
    return change


def _elect_by(
    electorate: Electorate, topic: TopicState, index: int, partition: PartitionState, election: Election
) -> PartitionChangeRecord | None:
    """The change that elects somebody else; None if nobody can be elected."""
    change = change_partition(electorate, topic, index, partition, election=election)
    return None if change is None or change.leader < 0 else change


# -- by timer ------------------------------------------------------------------------------


def balance_leaders(
    state: ClusterState,
    settings: ControllerSettings | None = None,
    *,
    limit: int = ELECTIONS_PER_TURN_MAX,
) -> Decision[bool]:
    """Give partitions back to their preferred leaders; true if there may be more to do at once."""
    wanted = (
        found
        for found in state.partitions()
        if found[2].leader != NO_LEADER and found[2].leader != found[2].replicas[0]
    )
    return _turn(Electorate(state, settings), wanted, Election.PREFERRED, limit)


def elect_unclean_leaders(
    state: ClusterState,
    settings: ControllerSettings | None = None,
    *,
    limit: int = ELECTIONS_PER_TURN_MAX,
) -> Decision[bool]:
    """Partitions without a leader whose topic allows unclean elections; true if there may be more."""
    wanted = (
        found
        for found in state.partitions()
        if found[2].leader == NO_LEADER and unclean_election(state, settings, found[0].name)
    )
    return _turn(Electorate(state, settings), wanted, Election.UNCLEAN, limit)


def _turn(
    electorate: Electorate,
    wanted: Iterable[tuple[TopicState, int, PartitionState]],
    election: Election,
    limit: int,
) -> Decision[bool]:
    records: list[MetadataRecord] = []
    for topic, index, partition in wanted:
        if len(records) >= limit:
            return Decision(True, records)
        change = _elect_by(electorate, topic, index, partition, election)
        if change is not None:
            records.append(change)
    return Decision(False, records)
