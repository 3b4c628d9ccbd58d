"""Records of groups of the consumer protocol, as Kafka 4.3 writes them."""

from __future__ import annotations

from riverlog.coordinator.decision import CoordinatorRecord
from riverlog.coordinator.group.assignors import Assignment
from riverlog.coordinator.group.modern_member import Epochs, Member
from riverlog.coordinator.group.regex import Resolved
from riverlog.protocol.generated.consumer_group_current_member_assignment_key import (
    ConsumerGroupCurrentMemberAssignmentKey,
)
from riverlog.protocol.generated.consumer_group_current_member_assignment_value import (
    ConsumerGroupCurrentMemberAssignmentValue,
    TopicPartitions,
)
from riverlog.protocol.generated.consumer_group_member_metadata_key import ConsumerGroupMemberMetadataKey
from riverlog.protocol.generated.consumer_group_member_metadata_value import ConsumerGroupMemberMetadataValue
from riverlog.protocol.generated.consumer_group_metadata_key import ConsumerGroupMetadataKey
from riverlog.protocol.generated.consumer_group_metadata_value import ConsumerGroupMetadataValue
from riverlog.protocol.generated.consumer_group_partition_metadata_key import (
    ConsumerGroupPartitionMetadataKey,
)
from riverlog.protocol.generated.consumer_group_regular_expression_key import (
    ConsumerGroupRegularExpressionKey,
)
from riverlog.protocol.generated.consumer_group_regular_expression_value import (
    ConsumerGroupRegularExpressionValue,
)
from riverlog.protocol.generated.consumer_group_target_assignment_member_key import (
    ConsumerGroupTargetAssignmentMemberKey,
)
from riverlog.protocol.generated.consumer_group_target_assignment_member_value import (
    ConsumerGroupTargetAssignmentMemberValue,
    TopicPartition,
)
from riverlog.protocol.generated.consumer_group_target_assignment_metadata_key import (
    ConsumerGroupTargetAssignmentMetadataKey,
)
from riverlog.protocol.generated.consumer_group_target_assignment_metadata_value import (
    ConsumerGroupTargetAssignmentMetadataValue,
)


def group_epoch(group_id: str, epoch: int, metadata_hash: int) -> CoordinatorRecord:
    return CoordinatorRecord(
        ConsumerGroupMetadataKey(group_id),
        ConsumerGroupMetadataValue(epoch=epoch, metadata_hash=metadata_hash),
    )


def group_epoch_tombstone(group_id: str) -> CoordinatorRecord:
    return CoordinatorRecord(ConsumerGroupMetadataKey(group_id), None)


def partition_metadata_tombstone(group_id: str) -> CoordinatorRecord:
    """Kafka up to 4.0 wrote the partition counts of all topics; 4.1 put a hash into the group's record."""
    return CoordinatorRecord(ConsumerGroupPartitionMetadataKey(group_id), None)


def member_metadata(group_id: str, member: Member) -> CoordinatorRecord:
    return CoordinatorRecord(
        ConsumerGroupMemberMetadataKey(group_id, member.member_id),
        ConsumerGroupMemberMetadataValue(
            instance_id=member.instance_id,
            rack_id=member.rack_id,
            client_id=member.client_id,
            client_host=member.client_host,
            subscribed_topic_names=sorted(member.names),
            subscribed_topic_regex=member.regex,
            rebalance_timeout_ms=member.rebalance_timeout_ms,
            server_assignor=member.assignor,
            classic_member_metadata=member.classic,
        ),
    )


def member_metadata_tombstone(group_id: str, member_id: str) -> CoordinatorRecord:
    return CoordinatorRecord(ConsumerGroupMemberMetadataKey(group_id, member_id), None)


def target_assignment(group_id: str, member_id: str, assignment: Assignment) -> CoordinatorRecord:
    return CoordinatorRecord(
        ConsumerGroupTargetAssignmentMemberKey(group_id, member_id),
        ConsumerGroupTargetAssignmentMemberValue(
            [TopicPartition(topic_id, sorted(partitions)) for topic_id, partitions in assignment.items()]
        ),
    )


def target_tombstone(group_id: str, member_id: str) -> CoordinatorRecord:
    return CoordinatorRecord(ConsumerGroupTargetAssignmentMemberKey(group_id, member_id), None)


def target_epoch(group_id: str, epoch: int, timestamp_ms: int) -> CoordinatorRecord:
    return CoordinatorRecord(
        ConsumerGroupTargetAssignmentMetadataKey(group_id),
        ConsumerGroupTargetAssignmentMetadataValue(assignment_epoch=epoch, assignment_timestamp=timestamp_ms),
    )


def target_epoch_tombstone(group_id: str) -> CoordinatorRecord:
    return CoordinatorRecord(ConsumerGroupTargetAssignmentMetadataKey(group_id), None)


def current_assignment(group_id: str, member: Member) -> CoordinatorRecord:
    return CoordinatorRecord(
        ConsumerGroupCurrentMemberAssignmentKey(group_id, member.member_id),
        ConsumerGroupCurrentMemberAssignmentValue(
            member_epoch=member.member_epoch,
            previous_member_epoch=member.previous_epoch,
            state=member.state,
            assigned_partitions=_topics(member.assigned),
            partitions_pending_revocation=_topics(member.revoking),
        ),
    )


def current_tombstone(group_id: str, member_id: str) -> CoordinatorRecord:
    return CoordinatorRecord(ConsumerGroupCurrentMemberAssignmentKey(group_id, member_id), None)


def member_tombstones(group_id: str, member_id: str) -> list[CoordinatorRecord]:
    """In the order in which Kafka accepts them when it loads."""
    return [
        current_tombstone(group_id, member_id),
        target_tombstone(group_id, member_id),
        member_metadata_tombstone(group_id, member_id),
    ]


def regular_expression(group_id: str, regex: str, resolved: Resolved) -> CoordinatorRecord:
    return CoordinatorRecord(
        ConsumerGroupRegularExpressionKey(group_id, regex),
        ConsumerGroupRegularExpressionValue(
            topics=sorted(resolved.topics), version=resolved.version, timestamp=resolved.timestamp_ms
        ),
    )


def regular_expression_tombstone(group_id: str, regex: str) -> CoordinatorRecord:
    return CoordinatorRecord(ConsumerGroupRegularExpressionKey(group_id, regex), None)


def _topics(epochs: Epochs) -> list[TopicPartitions]:
    return [
        TopicPartitions(topic_id, list(partitions), list(partitions.values()))
        for topic_id, partitions in epochs.items()
    ]
