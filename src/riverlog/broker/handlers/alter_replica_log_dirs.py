"""AlterReplicaLogDirs: move replicas to another log directory of this broker.

Versions 1–2. Answered when the move is accepted; DescribeLogDirs shows how far it is.
Differs from Kafka: one replica moves at a time; a directory for a partition that does not exist yet
is not remembered.
KIPs: 113, 1066 (not into a cordoned directory).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.alter_replica_log_dirs_request import AlterReplicaLogDirsRequest
from riverlog.protocol.generated.alter_replica_log_dirs_response import (
    AlterReplicaLogDirPartitionResult,
    AlterReplicaLogDirsResponse,
    AlterReplicaLogDirTopicResult,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.ALTER_REPLICA_LOG_DIRS, versions=(1, 2))
def alter_replica_log_dirs(
    broker: Broker, context: RequestContext, request: AlterReplicaLogDirsRequest
) -> AlterReplicaLogDirsResponse:
    # Of a partition named twice the last one counts, as in Kafka.
    wanted = {
        (topic.name, index): log_dir.path
        for log_dir in request.dirs
        for topic in log_dir.topics
        for index in topic.partitions
    }
    topics: dict[str, AlterReplicaLogDirTopicResult] = {}
    for (name, index), path in wanted.items():
        topic = topics.setdefault(name, AlterReplicaLogDirTopicResult(topic_name=name))
        topic.partitions.append(
            AlterReplicaLogDirPartitionResult(
                partition_index=index, error_code=_move(broker, name, index, path)
            )
        )
    return AlterReplicaLogDirsResponse(results=list(topics.values()))


def _move(broker: Broker, topic: str, index: int, path: str) -> ErrorCode:
    found = [log_dir for log_dir in broker.logs.log_dirs if log_dir.path == path]
    if not found:
        return ErrorCode.LOG_DIR_NOT_FOUND
    (target,) = found
    if not target.is_online:
        return ErrorCode.KAFKA_STORAGE_ERROR
    partition = broker.partition(topic, index)
    if isinstance(partition, ErrorCode):
        return partition
    if broker.cordon.holds(path) and partition.log.log_dir != path:
        return ErrorCode.INVALID_REPLICA_ASSIGNMENT
    broker.log_dir_moves.move(partition, target)
    return ErrorCode.NONE
