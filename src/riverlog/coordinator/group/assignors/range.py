"""``range``: of every topic each subscriber gets one run of partitions, in the order of the members.

Static members come first, so that they keep their ranges while others come and go. Topics with the
same number of partitions and the same subscribers are co-partitioned. Where racks matter, members still
get as many partitions of each topic, the same ones of co-partitioned topics, but those near them instead
of a run (as the range assignor of Java clients does since KIP-881).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from riverlog.coordinator.group.assignors.racks import Place, Racks, allot, matter
from riverlog.coordinator.group.assignors.spec import Assignment, GroupSpec, MemberSpec


def assign_range(spec: GroupSpec) -> dict[str, Assignment]:
    ordered = sorted(spec.members.items(), key=_place)
    result: dict[str, Assignment] = {member_id: {} for member_id in spec.members}
    together: dict[tuple[int, tuple[str, ...]], list[bytes]] = {}
    for topic_id, count in spec.partition_counts.items():
        subscribers = tuple(member_id for member_id, member in ordered if topic_id in member.topics)
        if subscribers:
            together.setdefault((count, subscribers), []).append(topic_id)
    for (count, subscribers), topic_ids in together.items():
        shares = _shares_near(spec, subscribers, topic_ids) or _runs(count, len(subscribers))
        for member_id, share in zip(subscribers, shares, strict=True):
            if share:
                partitions = frozenset(share)
                result[member_id].update(dict.fromkeys(topic_ids, partitions))
    return result


def _runs(count: int, subscribers: int) -> Sequence[Sequence[int]]:
    share, extra = divmod(count, subscribers)
    ends = [share * number + min(number, extra) for number in range(subscribers + 1)]
    return [range(start, end) for start, end in pairwise(ends)]


def _shares_near(
    spec: GroupSpec, subscribers: Sequence[str], topic_ids: Sequence[bytes]
) -> Sequence[Sequence[int]] | None:
    """Near a partition number is who is near it in all of these topics. None if racks do not matter."""
    if spec.racks is None:
        return None
    near = [Racks.intersection(*found) for found in zip(*(spec.racks[t] for t in topic_ids), strict=True)]
    members = [spec.members[member_id] for member_id in subscribers]
    if not matter((member.rack for member in members), near):
        return None
    quota, extras = divmod(len(near), len(members))
    shares: list[list[int]] = [[] for _ in members]
    places = [Place(member.rack, quota, takes_extra=True) for member in members]
    for partition, number in enumerate(allot(near, places, extras)):
        shares[number].append(partition)
    return shares


def _place(item: tuple[str, MemberSpec]) -> tuple[bool, str]:
    member_id, member = item
    if member.instance_id is None:
        return True, member_id
    return False, member.instance_id
