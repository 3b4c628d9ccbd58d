"""Deciding AssignReplicasToDirs: a broker tells in which of its log folders its replicas are (KIP-858)."""

from __future__ import annotations

from riverlog.base.errors import ErrorCode
from riverlog.metadata.controller import LOST_DIRECTORY, ControllerSettings, Decision
from riverlog.metadata.electorate import Electorate, directory_is_online
from riverlog.metadata.image import BrokerState, ClusterState, TopicState
from riverlog.metadata.partition_change import change_partition
from riverlog.metadata.records import MetadataRecord, supports_directories
from riverlog.protocol.generated import assign_replicas_to_dirs_request as asked
from riverlog.protocol.generated import assign_replicas_to_dirs_response as answered


def assign_replicas_to_dirs(
    state: ClusterState, settings: ControllerSettings, request: asked.AssignReplicasToDirsRequest
) -> Decision[answered.AssignReplicasToDirsResponse]:
    """A replica put into a folder that is offline leaves leadership and ISR, like the others there.

    One that is said to be lost has broken data (RULES: recovery): it leaves the ELR too, whoever is left.
    """
    if not supports_directories(state.metadata_version):
        return Decision(answered.AssignReplicasToDirsResponse(error_code=ErrorCode.UNSUPPORTED_VERSION))
    broker = state.brokers.get(request.broker_id)
    if broker is None or broker.broker_epoch != request.broker_epoch:
        return Decision(answered.AssignReplicasToDirsResponse(error_code=ErrorCode.STALE_BROKER_EPOCH))
    response = answered.AssignReplicasToDirsResponse()
    # The last word on a partition counts: there is one record for each.
    wanted: dict[tuple[bytes, int], bytes] = {}
    for directory in request.directories:
        topics = []
        for given in directory.topics:
            topic = state.topics_by_id.get(given.topic_id)
            results = []
            for index in (one.partition_index for one in given.partitions):
                error = _refusal(topic, index, broker)
                if error == ErrorCode.NONE:
                    wanted[given.topic_id, index] = directory.id
                results.append(answered.PartitionData(partition_index=index, error_code=error))
            topics.append(answered.TopicData(topic_id=given.topic_id, partitions=results))
        response.directories.append(answered.DirectoryData(id=directory.id, topics=topics))
    records: list[MetadataRecord] = []
    for (topic_id, index), directory_id in wanted.items():
        change = _assign(state, settings, broker, state.topics_by_id[topic_id], index, directory_id)
        if change is not None:
            records.append(change)
    return Decision(response, records)


def _refusal(topic: TopicState | None, index: int, broker: BrokerState) -> ErrorCode:
    if topic is None:
        return ErrorCode.UNKNOWN_TOPIC_ID
    partition = topic.partitions.get(index)
    if partition is None:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    return ErrorCode.NONE if broker.broker_id in partition.replicas else ErrorCode.NOT_LEADER_OR_FOLLOWER


def _assign(
    state: ClusterState,
    settings: ControllerSettings,
    broker: BrokerState,
    topic: TopicState,
    index: int,
    directory_id: bytes,
) -> MetadataRecord | None:
    partition = topic.partitions[index]
    isr = list(partition.isr)
    electorate = Electorate(state, settings)
    if not directory_is_online(broker, directory_id):
        electorate = Electorate(state, settings, leaving=broker.broker_id)
        isr = [one for one in isr if one != broker.broker_id]
    directories = {broker.broker_id: directory_id}
    return change_partition(
        electorate,
        topic,
        index,
        partition,
        isr=isr,
        directories=directories,
        wiped=[broker.broker_id] if directory_id == LOST_DIRECTORY else [],
    )
