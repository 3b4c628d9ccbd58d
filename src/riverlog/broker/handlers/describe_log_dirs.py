"""DescribeLogDirs: size and place of every replica on this broker.

Versions 1–5. Differs from Kafka: nothing known.
KIPs: 113, 827 (total and usable bytes), 1066 (cordoned folders, once the controller knows of them).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import handler
from riverlog.env import StorageError
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_log_dirs_request import DescribeLogDirsRequest
from riverlog.protocol.generated.describe_log_dirs_response import (
    DescribeLogDirsPartition,
    DescribeLogDirsResponse,
    DescribeLogDirsResult,
    DescribeLogDirsTopic,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext
    from riverlog.storage import LogDir


@handler(ApiKey.DESCRIBE_LOG_DIRS, versions=(1, 5))
def describe_log_dirs(
    broker: Broker, context: RequestContext, request: DescribeLogDirsRequest
) -> DescribeLogDirsResponse:
    wanted = None
    if request.topics is not None:
        wanted = {(topic.topic, index) for topic in request.topics for index in topic.partitions}
    return DescribeLogDirsResponse(results=[_folder(broker, one, wanted) for one in broker.logs.log_dirs])


def _folder(broker: Broker, log_dir: LogDir, wanted: set[tuple[str, int]] | None) -> DescribeLogDirsResult:
    offline = DescribeLogDirsResult(error_code=ErrorCode.KAFKA_STORAGE_ERROR, log_dir=log_dir.path)
    if not log_dir.is_online:
        return offline
    topics: dict[str, DescribeLogDirsTopic] = {}
    for partition in broker.replicas.in_folder(log_dir):
        if wanted is None or (partition.topic, partition.index) in wanted:
            topic = topics.setdefault(partition.topic, DescribeLogDirsTopic(name=partition.topic))
            topic.partitions.append(
                DescribeLogDirsPartition(
                    partition_index=partition.index,
                    partition_size=partition.log.size_bytes,
                    offset_lag=max(0, partition.high_watermark - partition.log.log_end_offset),
                )
            )
    for partition, size, lag in broker.log_dir_moves.into(log_dir):
        if wanted is None or (partition.topic, partition.index) in wanted:
            topic = topics.setdefault(partition.topic, DescribeLogDirsTopic(name=partition.topic))
            topic.partitions.append(
                DescribeLogDirsPartition(
                    partition_index=partition.index, partition_size=size, offset_lag=lag, is_future_key=True
                )
            )
    try:
        return DescribeLogDirsResult(
            log_dir=log_dir.path,
            topics=list(topics.values()),
            total_bytes=broker.disk.total_bytes(log_dir.path),
            usable_bytes=broker.disk.free_bytes(log_dir.path),
            is_cordoned=broker.cordon.is_in_force(log_dir.path),
        )
    except StorageError:
        return offline
