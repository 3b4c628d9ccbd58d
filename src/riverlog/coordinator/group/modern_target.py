"""The target of a whole group: who shall have which partitions once all have moved."""

from __future__ import annotations

from riverlog.coordinator.decision import CoordinatorRecord
from riverlog.coordinator.group import modern_records as records
from riverlog.coordinator.group.assignors import Assignment, Assignor, GroupSpec, MemberSpec, Racks, matter
from riverlog.coordinator.group.modern_group import ConsumerGroup, Subscriptions
from riverlog.coordinator.group.modern_member import Member
from riverlog.coordinator.group.modern_topics import partition_racks
from riverlog.metadata.image import ClusterState, TopicState


def compute_target(
    group: ConsumerGroup,
    joining: Member,
    subscriptions: Subscriptions,
    image: ClusterState,
    assign: Assignor,
) -> dict[str, Assignment]:
    """With ``joining`` in the group, in the place of the static member it takes over, if any."""
    members = dict(group.members)
    replaced = group.static_members.get(joining.instance_id or "")
    if replaced is not None and replaced != joining.member_id:
        members.pop(replaced, None)
    members[joining.member_id] = joining
    ids: dict[frozenset[str], frozenset[bytes]] = {}
    specs: dict[str, MemberSpec] = {}
    for member_id, member in members.items():
        wanted = subscriptions.wanted_by(member)
        found = ids.get(wanted)
        if found is None:
            topics = (image.topics.get(name) for name in wanted)
            found = ids[wanted] = frozenset(topic.topic_id for topic in topics if topic is not None)
        target = group.target_of(member) if member is joining else group.target.get(member_id, {})
        specs[member_id] = MemberSpec(found, target, member.instance_id, member.rack_id)
    named = (image.topics.get(name) for name in sorted(subscriptions.topics()))
    known = [topic for topic in named if topic is not None]
    counts = {topic.topic_id: len(topic.partitions) for topic in known}
    racks = _racks(specs, known, image)
    return assign(GroupSpec(specs, counts, subscriptions.homogeneous(len(members)), racks))


def _racks(
    specs: dict[str, MemberSpec], topics: list[TopicState], image: ClusterState
) -> dict[bytes, list[Racks]] | None:
    if not any(spec.rack for spec in specs.values()):
        return None
    racks = partition_racks(topics, image)
    if racks is None:
        return None
    everywhere = (near for rows in racks.values() for near in rows)
    return racks if matter((spec.rack for spec in specs.values()), everywhere) else None


def target_records(
    group: ConsumerGroup, target: dict[str, Assignment], epoch: int, now_ms: int
) -> list[CoordinatorRecord]:
    """Only what changed, and the new epoch."""
    changed = [
        records.target_assignment(group.group_id, member_id, assignment)
        for member_id, assignment in target.items()
        if group.target.get(member_id) != assignment
    ]
    return [*changed, records.target_epoch(group.group_id, epoch, now_ms)]
