"""Deciding OffsetCommit, OffsetFetch and OffsetDelete.

Topics come with name and id both resolved; which topics exist was checked by the handlers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base import broker_configs_groups as group_configs
from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import CoordinatorRecord, Decision, Reply
from riverlog.coordinator.group.records import NO_TIMESTAMP, offset_commit, offset_tombstone
from riverlog.protocol.generated.offset_commit_request import OffsetCommitRequest
from riverlog.protocol.generated.offset_commit_response import (
    OffsetCommitResponse,
    OffsetCommitResponsePartition,
    OffsetCommitResponseTopic,
)
from riverlog.protocol.generated.offset_commit_value import OffsetCommitValue
from riverlog.protocol.generated.offset_delete_request import OffsetDeleteRequest
from riverlog.protocol.generated.offset_delete_response import (
    OffsetDeleteResponse,
    OffsetDeleteResponsePartition,
    OffsetDeleteResponseTopic,
)
from riverlog.protocol.generated.offset_fetch_request import OffsetFetchRequestGroup
from riverlog.protocol.generated.offset_fetch_response import (
    OffsetFetchResponseGroup,
    OffsetFetchResponsePartitions,
    OffsetFetchResponseTopics,
)
from riverlog.protocol.primitives import ZERO_UUID

if TYPE_CHECKING:
    from riverlog.coordinator.group.machine import GroupMachine
    from riverlog.coordinator.group.offsets import ByTopic, StoredOffset

_GROUP_NOT_FOUND_VERSION_MIN = 9
_NO_OFFSET = -1


# -- commit --------------------------------------------------------------------------------


def commit_failed(request: OffsetCommitRequest, error: ErrorCode) -> OffsetCommitResponse:
    """The same error for every partition: the response has no other place for one."""
    return OffsetCommitResponse(
        topics=[
            OffsetCommitResponseTopic(
                name=topic.name,
                topic_id=topic.topic_id,
                partitions=[
                    OffsetCommitResponsePartition(partition_index=wanted.partition_index, error_code=error)
                    for wanted in topic.partitions
                ],
            )
            for topic in request.topics
        ]
    )


def commit(
    machine: GroupMachine,
    request: OffsetCommitRequest,
    *,
    api_version: int,
    now_ms: int,
    to: Callable[[OffsetCommitResponse], None],
) -> Decision:
    error = _check_commit(machine, request, api_version=api_version)
    if error:
        refused = commit_failed(request, error)
        return Decision(replies=[Reply(to, refused, lambda error: commit_failed(request, error))])
    group = machine.groups.get(request.group_id)
    if group is not None:
        group.committed_offsets(machine, request.member_id, now_ms)
    records: list[CoordinatorRecord] = []
    metadata_max = machine.config[group_configs.OFFSET_METADATA_MAX_BYTES]
    expires = NO_TIMESTAMP if request.retention_time_ms == -1 else now_ms + request.retention_time_ms
    response = OffsetCommitResponse()
    for topic in request.topics:
        partitions: list[OffsetCommitResponsePartition] = []
        for wanted in topic.partitions:
            metadata = wanted.committed_metadata or ""
            error = ErrorCode.NONE
            if java_length(metadata) > metadata_max:
                error = ErrorCode.OFFSET_METADATA_TOO_LARGE
            else:
                value = OffsetCommitValue(
                    offset=wanted.committed_offset,
                    leader_epoch=wanted.committed_leader_epoch,
                    metadata=metadata,
                    commit_timestamp=now_ms,
                    expire_timestamp=expires,
                    topic_id=topic.topic_id,
                )
                records.append(offset_commit(request.group_id, topic.name, wanted.partition_index, value))
            partitions.append(
                OffsetCommitResponsePartition(partition_index=wanted.partition_index, error_code=error)
            )
        response.topics.append(
            OffsetCommitResponseTopic(name=topic.name, topic_id=topic.topic_id, partitions=partitions)
        )
    return Decision(records, [Reply(to, response, lambda error: commit_failed(request, error))])


def _check_commit(machine: GroupMachine, request: OffsetCommitRequest, *, api_version: int) -> ErrorCode:
    """INVARIANTS 16: a stale member's commit is refused."""
    group = machine.groups.get(request.group_id)
    generation = request.generation_id_or_member_epoch
    if group is None:
        if generation < 0:
            return ErrorCode.NONE  # an admin tool, or a consumer that assigns itself: makes a simple group
        known = api_version >= _GROUP_NOT_FOUND_VERSION_MIN
        return ErrorCode.GROUP_ID_NOT_FOUND if known else ErrorCode.ILLEGAL_GENERATION
    error = group.validate_offset_commit(
        request.member_id, generation, request.group_instance_id, api_version=api_version
    )
    for topic in request.topics:
        for wanted in topic.partitions:
            if error:
                return error
            error = group.validate_commit_partition(
                request.member_id,
                generation,
                topic=topic.name,
                topic_id=topic.topic_id,
                partition=wanted.partition_index,
            )
    return error


def java_length(text: str) -> int:
    """What Kafka measures metadata in: UTF-16 units."""
    return len(text) if text.isascii() else len(text) + sum(char > "\uffff" for char in text)


# -- fetch ---------------------------------------------------------------------------------


def fetch_failed(
    request: OffsetFetchRequestGroup, error: ErrorCode, *, api_version: int
) -> OffsetFetchResponseGroup:
    """Version 1 has no error of its own, only those of partitions."""
    response = OffsetFetchResponseGroup(group_id=request.group_id, error_code=error)
    if api_version < 2:
        response.topics = [
            OffsetFetchResponseTopics(
                name=topic.name, partitions=[_absent(index, error) for index in topic.partition_indexes]
            )
            for topic in request.topics or ()
        ]
    return response


def fetch(
    machine: GroupMachine,
    request: OffsetFetchRequestGroup,
    *,
    api_version: int,
    require_stable: bool,
    to: Callable[[OffsetFetchResponseGroup], None],
) -> Decision:
    def failed(error: ErrorCode) -> OffsetFetchResponseGroup:
        return fetch_failed(request, error, api_version=api_version)

    group = machine.groups.get(request.group_id)
    error = ErrorCode.GROUP_ID_NOT_FOUND
    if group is not None:
        error = group.validate_offset_fetch(request.member_id, request.member_epoch)
    if error and error is not ErrorCode.GROUP_ID_NOT_FOUND:
        return Decision(replies=[Reply(to, failed(error))])
    # A group that is not known has committed nothing: that is no error.
    found: ByTopic = {} if error else machine.offsets.table.groups.get(request.group_id, {})
    unstable = require_stable and machine.offsets.has_open_transactions(request.group_id)
    response = OffsetFetchResponseGroup(group_id=request.group_id)
    if request.topics is None:
        response.topics = [
            OffsetFetchResponseTopics(
                name=name,
                topic_id=next(iter(partitions.values())).topic_id,
                partitions=[
                    _partition(machine, request.group_id, name, index, stored, unstable)
                    for index, stored in partitions.items()
                ],
            )
            for name, partitions in found.items()
        ]
    else:
        response.topics = [
            OffsetFetchResponseTopics(
                name=topic.name,
                topic_id=topic.topic_id,
                partitions=[
                    _partition(
                        machine,
                        request.group_id,
                        topic.name,
                        index,
                        _of_this_topic(found.get(topic.name, {}).get(index), topic.topic_id),
                        unstable,
                    )
                    for index in topic.partition_indexes
                ],
            )
            for topic in request.topics
        ]
    return Decision(replies=[Reply(to, response, failed)])


def _of_this_topic(stored: StoredOffset | None, topic_id: bytes) -> StoredOffset | None:
    """None if it was committed for an earlier topic of the same name."""
    if stored is None or ZERO_UUID in (stored.topic_id, topic_id) or stored.topic_id == topic_id:
        return stored
    return None


def _partition(
    machine: GroupMachine, group_id: str, topic: str, index: int, stored: StoredOffset | None, unstable: bool
) -> OffsetFetchResponsePartitions:
    if unstable and machine.offsets.is_pending(group_id, topic, index):
        return _absent(index, ErrorCode.UNSTABLE_OFFSET_COMMIT)
    if stored is None:
        return _absent(index, ErrorCode.NONE)
    return OffsetFetchResponsePartitions(
        partition_index=index,
        committed_offset=stored.offset,
        committed_leader_epoch=stored.leader_epoch,
        metadata=stored.metadata,
    )


def _absent(index: int, error: ErrorCode) -> OffsetFetchResponsePartitions:
    return OffsetFetchResponsePartitions(
        partition_index=index,
        committed_offset=_NO_OFFSET,
        committed_leader_epoch=-1,
        metadata="",
        error_code=error,
    )


# -- delete --------------------------------------------------------------------------------


def delete(
    machine: GroupMachine, request: OffsetDeleteRequest, to: Callable[[OffsetDeleteResponse], None]
) -> Decision:
    group = machine.groups.get(request.group_id)
    error = ErrorCode.GROUP_ID_NOT_FOUND if group is None else group.validate_offset_delete()
    if group is None or error:
        return Decision(replies=[Reply(to, OffsetDeleteResponse(error_code=error))])
    records: list[CoordinatorRecord] = []
    response = OffsetDeleteResponse()
    offsets = machine.offsets
    for topic in request.topics:
        subscribed = group.is_subscribed(topic.name)
        error = ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC if subscribed else ErrorCode.NONE
        partitions: list[OffsetDeleteResponsePartition] = []
        for wanted in topic.partitions:
            index = wanted.partition_index
            partitions.append(OffsetDeleteResponsePartition(partition_index=index, error_code=error))
            if not subscribed and (
                offsets.table.get(request.group_id, topic.name, index) is not None
                or offsets.is_pending(request.group_id, topic.name, index)
            ):
                records.append(offset_tombstone(request.group_id, topic.name, index))
        response.topics.append(OffsetDeleteResponseTopic(name=topic.name, partitions=partitions))
    return Decision(records, [Reply(to, response)])
