"""Records of the offsets topic that every kind of group shares."""

from __future__ import annotations

from riverlog.coordinator.decision import CoordinatorRecord
from riverlog.protocol.generated.group_metadata_key import GroupMetadataKey
from riverlog.protocol.generated.offset_commit_key import OffsetCommitKey
from riverlog.protocol.generated.offset_commit_value import OffsetCommitValue

NO_TIMESTAMP = -1
_EXPIRY_VERSION = 1
"""The only version of the value that has an expiry of its own."""


def offset_commit(group_id: str, topic: str, partition: int, value: OffsetCommitValue) -> CoordinatorRecord:
    version = None if value.expire_timestamp == NO_TIMESTAMP else _EXPIRY_VERSION
    return CoordinatorRecord(OffsetCommitKey(group_id, topic, partition), value, version=version)


def offset_tombstone(group_id: str, topic: str, partition: int) -> CoordinatorRecord:
    return CoordinatorRecord(OffsetCommitKey(group_id, topic, partition), None)


def group_metadata_tombstone(group_id: str) -> CoordinatorRecord:
    return CoordinatorRecord(GroupMetadataKey(group_id), None)
