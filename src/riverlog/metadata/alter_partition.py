"""Deciding AlterPartition (versions 2-3): a leader proposes its ISR, the controller accepts or refuses."""

from __future__ import annotations

from riverlog.base.errors import ErrorCode
from riverlog.metadata.controller import ControllerSettings, Decision
from riverlog.metadata.electorate import Electorate
from riverlog.metadata.image import (
    LEADER_UNCHANGED,
    ClusterState,
    PartitionState,
    TopicState,
    changed_partition,
)
from riverlog.metadata.partition_change import RECOVERED, RECOVERING, change_partition
from riverlog.metadata.records import MetadataRecord
from riverlog.protocol.generated import alter_partition_request as asked
from riverlog.protocol.generated import alter_partition_response as answered

_ANY_EPOCH = -1


def alter_partition(
    state: ClusterState,
    settings: ControllerSettings,
    request: asked.AlterPartitionRequest,
    *,
    version: int,
) -> Decision[answered.AlterPartitionResponse]:
    """May also complete a reassignment, and then elect another leader (``NEW_LEADER_ELECTED``)."""
    sender = state.brokers.get(request.broker_id)
    if sender is None or sender.broker_epoch != request.broker_epoch:
        return Decision(answered.AlterPartitionResponse(error_code=ErrorCode.STALE_BROKER_EPOCH))
    electorate = Electorate(state, settings)
    records: list[MetadataRecord] = []
    response = answered.AlterPartitionResponse()
    seen: set[tuple[bytes, int]] = set()
    for wanted_topic in request.topics:
        topic = state.topics_by_id.get(wanted_topic.topic_id)
        answer = answered.TopicData(topic_id=wanted_topic.topic_id)
        response.topics.append(answer)
        for wanted in wanted_topic.partitions:
            result = answered.PartitionData(partition_index=wanted.partition_index)
            answer.partitions.append(result)
            key = (wanted_topic.topic_id, wanted.partition_index)
            if topic is None:
                result.error_code = ErrorCode.UNKNOWN_TOPIC_ID
            elif key in seen:
                result.error_code = ErrorCode.INVALID_REQUEST
            else:
                seen.add(key)
                change = _alter(electorate, request.broker_id, topic, wanted, result, version)
                if change is not None:
                    records.append(change)
    return Decision(response, records)


def _alter(
    electorate: Electorate,
    broker_id: int,
    topic: TopicState,
    wanted: asked.PartitionData,
    result: answered.PartitionData,
    version: int,
) -> MetadataRecord | None:
    """Fills in ``result``."""
    if version >= 3:
        isr = {member.broker_id: member.broker_epoch for member in wanted.new_isr_with_epochs}
        size = len(wanted.new_isr_with_epochs)
    else:
        isr = dict.fromkeys(wanted.new_isr, _ANY_EPOCH)
        size = len(wanted.new_isr)
    partition = topic.partitions.get(wanted.partition_index)
    if partition is None:
        result.error_code = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        return None
    error = _refusal(electorate.state, broker_id, partition, wanted, isr, size)
    if error is not None:
        result.error_code = error
        return None
    change = change_partition(
        electorate,
        topic,
        wanted.partition_index,
        partition,
        isr=list(isr),
        recovery=wanted.leader_recovery_state,
    )
    if change is not None:
        if change.leader not in (LEADER_UNCHANGED, broker_id):
            # The proposal completed a reassignment that takes the leadership away from who proposed.
            result.error_code = ErrorCode.NEW_LEADER_ELECTED
            return change
        partition = changed_partition(partition, change)
    result.leader_id = partition.leader
    result.leader_epoch = partition.leader_epoch
    result.isr = list(partition.isr)
    result.leader_recovery_state = partition.leader_recovery_state
    result.partition_epoch = partition.partition_epoch
    return change


def _refusal(
    state: ClusterState,
    broker_id: int,
    partition: PartitionState,
    wanted: asked.PartitionData,
    isr: dict[int, int],
    size: int,
) -> ErrorCode | None:
    if wanted.leader_epoch > partition.leader_epoch or wanted.partition_epoch > partition.partition_epoch:
        # It knows more than we do: somebody else is the active controller now.
        return ErrorCode.NOT_CONTROLLER
    if wanted.leader_epoch < partition.leader_epoch:
        return ErrorCode.FENCED_LEADER_EPOCH
    if broker_id != partition.leader:
        return ErrorCode.INVALID_REQUEST
    if wanted.partition_epoch < partition.partition_epoch:
        return ErrorCode.INVALID_UPDATE_VERSION
    if len(isr) != size or any(one not in partition.replicas for one in isr) or broker_id not in isr:
        return ErrorCode.INVALID_REQUEST
    recovery = wanted.leader_recovery_state
    if recovery not in (RECOVERED, RECOVERING):
        return ErrorCode.INVALID_REQUEST
    if recovery == RECOVERING and (len(isr) > 1 or partition.leader_recovery_state == RECOVERED):
        return ErrorCode.INVALID_REQUEST
    for member, epoch in isr.items():
        broker = state.brokers.get(member)
        if broker is None or not broker.active or epoch not in (_ANY_EPOCH, broker.broker_epoch):
            return ErrorCode.INELIGIBLE_REPLICA
    return None
