"""``uniform`` for members that subscribe to the same and say where they are.

Balance first: quotas differ by one at most. Then stickiness: as few partitions move as without racks. Only
what is left open by both is decided by racks: which partitions a member with too many gives away, who
gets which of the free ones, who gets one more than the others.
"""

from __future__ import annotations

from riverlog.coordinator.group.assignors.racks import Place, Racks, allot
from riverlog.coordinator.group.assignors.spec import Assignment, GroupSpec

Pair = tuple[bytes, int]


def assign_near(spec: GroupSpec, racks: dict[bytes, list[Racks]]) -> dict[str, Assignment]:
    quota, extras = divmod(sum(spec.partition_counts.values()), len(spec.members))
    owned = {
        member_id: [
            (topic_id, partition)
            for topic_id, partitions in member.assignment.items()
            if topic_id in racks
            for partition in sorted(partitions)
        ]
        for member_id, member in spec.members.items()
    }
    keepers = _keepers(spec, owned, racks, quota, extras)
    extras -= len(keepers)
    wanting = frozenset(
        member.rack
        for member_id, member in spec.members.items()
        if member.rack and len(owned[member_id]) < quota + (extras > 0)
    )
    kept: dict[str, list[Pair]] = {}
    for member_id, found in owned.items():
        most = quota + (member_id in keepers)
        if len(found) > most:
            rack = spec.members[member_id].rack
            found = sorted(found, key=lambda pair: _worth(racks[pair[0]][pair[1]], rack, wanting))
        kept[member_id] = found[:most]
    places = [
        Place(
            member.rack,
            quota + (member_id in keepers) - len(kept[member_id]),
            takes_extra=member_id not in keepers,
        )
        for member_id, member in spec.members.items()
    ]
    taken = {pair for pairs in kept.values() for pair in pairs}
    free = [
        (topic_id, partition)
        for topic_id, count in spec.partition_counts.items()
        for partition in range(count)
        if (topic_id, partition) not in taken
    ]
    member_ids = list(spec.members)
    near = [racks[topic_id][partition] for topic_id, partition in free]
    for pair, number in zip(free, allot(near, places, extras), strict=True):
        kept[member_ids[number]].append(pair)
    return {member_id: _assignment(pairs) for member_id, pairs in kept.items()}


def _keepers(
    spec: GroupSpec, owned: dict[str, list[Pair]], racks: dict[bytes, list[Racks]], quota: int, extras: int
) -> frozenset[str]:
    """Members that have more than the quota and keep one of the extra partitions: those with most to lose."""

    def would_lose(member_id: str) -> bool:
        rack = spec.members[member_id].rack
        return sum(rack in racks[topic_id][partition] for topic_id, partition in owned[member_id]) > quota

    rich = [member_id for member_id, pairs in owned.items() if len(pairs) > quota]
    if len(rich) > extras:
        rich.sort(key=would_lose, reverse=True)
    return frozenset(rich[:extras])


def _worth(racks: Racks, rack: str | None, wanting: frozenset[str]) -> tuple[bool, bool]:
    """Smaller is kept first: what is near its owner, and what is near nobody who would get it."""
    return rack not in racks, not wanting.isdisjoint(racks)


def _assignment(pairs: list[Pair]) -> Assignment:
    found: dict[bytes, list[int]] = {}
    for topic_id, partition in pairs:
        found.setdefault(topic_id, []).append(partition)
    return {topic_id: frozenset(partitions) for topic_id, partitions in found.items()}
