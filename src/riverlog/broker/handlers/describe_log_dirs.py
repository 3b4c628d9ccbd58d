"""DescribeLogDirs: size and place of every replica on this broker.

Versions 1–5. Differs from Kafka: nothing known.
KIPs: 113, 827 (total and usable bytes), 1066 (cordoned folders: none).
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


@handler(ApiKey.DESCRIBE_LOG_DIRS, versions=(1, 5))
def describe_log_dirs(
    broker: Broker, context: RequestContext, request: DescribeLogDirsRequest
) -> DescribeLogDirsResponse:
    wanted = None
    if request.topics is not None:
        wanted = {(topic.topic, index) for topic in request.topics for index in topic.partitions}
    return DescribeLogDirsResponse(results=[_folder(broker, path, wanted) for path in broker.logs.log_dirs])


def _folder(broker: Broker, path: str, wanted: set[tuple[str, int]] | None) -> DescribeLogDirsResult:
    if broker.logs.is_offline(path):
        return DescribeLogDirsResult(error_code=ErrorCode.KAFKA_STORAGE_ERROR, log_dir=path)
    topics: dict[str, DescribeLogDirsTopic] = {}
    for partition in broker.replicas.in_folder(path):
        if wanted is None or (partition.topic, partition.index) in wanted:
            topic = topics.setdefault(partition.topic, DescribeLogDirsTopic(name=partition.topic))
            topic.partitions.append(
                DescribeLogDirsPartition(
                    partition_index=partition.index,
                    partition_size=partition.log.size_bytes,
                    offset_lag=max(0, partition.high_watermark - partition.log.log_end_offset),
                )
            )
    try:
        total, usable = broker.logs.space(path)
    except StorageError:
        return DescribeLogDirsResult(error_code=ErrorCode.KAFKA_STORAGE_ERROR, log_dir=path)
    return DescribeLogDirsResult(
        log_dir=path, topics=list(topics.values()), total_bytes=total, usable_bytes=usable
    )
