"""From the classic protocol to the consumer protocol and back, while the members go on (KIP-848).

Upwards: the first member of the consumer protocol that joins a classic group takes it over; the others
stay in it as members that speak the classic protocol. Downwards: when the last member of the consumer
protocol is gone, the rest becomes a classic group again.
"""

from __future__ import annotations

from struct import Struct

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.group.assignors import Assignment
from riverlog.coordinator.group.classic_group import (
    CONSUMER_PROTOCOL_TYPE,
    NO_ASSIGNMENT,
    ClassicGroup,
    ClassicMember,
    State,
)
from riverlog.coordinator.group.modern_group import ConsumerGroup
from riverlog.coordinator.group.modern_member import Epochs, Member, Refusal
from riverlog.coordinator.group.modern_settings import ConsumerSettings
from riverlog.coordinator.group.modern_topics import TopicHashes
from riverlog.metadata.image import ClusterState
from riverlog.protocol.errors import DecodeError
from riverlog.protocol.generated import consumer_protocol_assignment, consumer_protocol_subscription
from riverlog.protocol.generated.consumer_group_member_metadata_value import (
    ClassicMemberMetadata,
    ClassicProtocol,
)
from riverlog.protocol.generated.consumer_protocol_assignment import (
    ConsumerProtocolAssignment,
    TopicPartition,
)
from riverlog.protocol.generated.consumer_protocol_subscription import ConsumerProtocolSubscription

_INT16 = Struct(">h")


# -- what classic members carry inside their requests ----------------------------------------


def decode_subscription(metadata: bytes) -> ConsumerProtocolSubscription | None:
    """None if it is not one. A newer version is read as the newest known one."""
    version = _version(metadata, consumer_protocol_subscription.VERSIONS[1])
    if version is None:
        return None
    try:
        return consumer_protocol_subscription.decode(memoryview(metadata), 2, version)[0]
    except DecodeError:
        return None


def _decode_assignment(data: bytes) -> ConsumerProtocolAssignment | None:
    version = _version(data, consumer_protocol_assignment.VERSIONS[1])
    if version is None:
        return None
    try:
        return consumer_protocol_assignment.decode(memoryview(data), 2, version)[0]
    except DecodeError:
        return None


def encode_assignment(assignment: Assignment | Epochs, subscription: bytes, image: ClusterState) -> bytes:
    """In the version that the member used for its subscription; topics that are gone are left out."""
    version = _version(subscription, consumer_protocol_assignment.VERSIONS[1]) or 0
    message = ConsumerProtocolAssignment(
        [
            TopicPartition(image.topics_by_id[topic_id].name, sorted(partitions))
            for topic_id, partitions in assignment.items()
            if topic_id in image.topics_by_id
        ]
    )
    return _INT16.pack(version) + consumer_protocol_assignment.encode(message, version)


def _version(data: bytes, newest: int) -> int | None:
    if len(data) < _INT16.size:
        return None
    version: int = _INT16.unpack_from(data)[0]
    return min(version, newest) if version >= 0 else None


# -- upwards -----------------------------------------------------------------------------------


def upgrade(
    group: ClassicGroup, settings: ConsumerSettings, hashes: TopicHashes, image: ClusterState
) -> ConsumerGroup | Refusal:
    """The group as one of the consumer protocol; the classic one is left as it is."""
    problem = None
    if not settings.upgrade:
        problem = "online upgrade is disabled"
    elif group.protocol_type != CONSUMER_PROTOCOL_TYPE:
        problem = "the group does not use the consumer embedded protocol"
    elif len(group.members) > settings.size_max:
        problem = "the group size exceeds the consumer group maximum size"
    if problem is not None:
        return _cannot_upgrade(group, problem)
    upgraded = ConsumerGroup(group.group_id)
    upgraded.epoch = upgraded.assignment_epoch = group.generation
    for classic in group.members.values():
        member = _upgraded_member(classic, group, image)
        if isinstance(member, str):
            return _cannot_upgrade(group, member)
        upgraded.put_member(member)
        upgraded.target[member.member_id] = {
            topic_id: frozenset(partitions) for topic_id, partitions in member.assigned.items()
        }
    upgraded.metadata_hash = hashes.of_group(upgraded.subscriptions.topics(), image)
    return upgraded


def _cannot_upgrade(group: ClassicGroup, problem: str) -> Refusal:
    return Refusal(
        ErrorCode.GROUP_ID_NOT_FOUND,
        f"Cannot upgrade classic group {group.group_id} to consumer group because {problem}.",
    )


def _upgraded_member(classic: ClassicMember, group: ClassicGroup, image: ClusterState) -> Member | str:
    """With the last assignment it got, or why that is not possible."""
    chosen = classic.metadata(group.protocol_name)
    subscription = decode_subscription(classic.protocols[0][1] if chosen is None else chosen)
    assigned: Epochs = {}
    if classic.assignment != NO_ASSIGNMENT:
        assignment = _decode_assignment(classic.assignment)
        if assignment is None:
            return "the embedded consumer protocol is malformed"
        if assignment.user_data:
            return (
                "an unsupported custom assignor is in use. Please refer to the documentation or switch to a "
                "default assignor before re-attempting the upgrade"
            )
        for topic in assignment.assigned_partitions:
            known = image.topics.get(topic.topic)
            if known is not None:
                assigned[known.topic_id] = dict.fromkeys(topic.partitions, group.generation)
    if subscription is None:
        return "the embedded consumer protocol is malformed"
    return Member(
        classic.member_id,
        member_epoch=group.generation,
        previous_epoch=group.generation,
        instance_id=classic.instance_id,
        rack_id=subscription.rack_id or None,
        rebalance_timeout_ms=classic.rebalance_timeout_ms,
        client_id=classic.client_id,
        client_host=classic.client_host,
        names=frozenset(subscription.topics),
        assigned=assigned,
        classic=ClassicMemberMetadata(
            session_timeout_ms=classic.session_timeout_ms,
            supported_protocols=[ClassicProtocol(name, metadata) for name, metadata in classic.protocols],
        ),
    )


# -- downwards ---------------------------------------------------------------------------------


def downgrade(
    group: ConsumerGroup, members: list[tuple[Member, Assignment]], image: ClusterState, now_ms: int
) -> ClassicGroup:
    """A stable classic group of these members, all of the classic protocol, with these assignments."""
    classic = ClassicGroup(group.group_id, now_ms)
    classic.generation = group.epoch
    classic.protocol_type = CONSUMER_PROTOCOL_TYPE
    for member, _ in members:
        metadata = member.classic
        assert metadata is not None
        classic.add(
            ClassicMember(
                member.member_id,
                member.instance_id,
                client_id=member.client_id,
                client_host=member.client_host,
                rebalance_timeout_ms=member.rebalance_timeout_ms,
                session_timeout_ms=metadata.session_timeout_ms,
                protocols=tuple((row.name, row.metadata) for row in metadata.supported_protocols),
            )
        )
    classic.protocol_name = classic.select_protocol()
    for member, target in members:
        found = classic.members[member.member_id]
        subscription = found.metadata(classic.protocol_name) or b""
        found.assignment = encode_assignment(target, subscription, image)
    classic.state = State.STABLE
    return classic
