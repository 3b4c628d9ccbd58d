"""``range``: of every topic each subscriber gets one run of partitions, in the order of the members.

Static members come first, so that they keep their ranges while others come and go. Topics with the
same number of partitions and the same subscribers are co-partitioned.
"""

from __future__ import annotations

from riverlog.coordinator.group.assignors.spec import Assignment, GroupSpec, MemberSpec


def assign_range(spec: GroupSpec) -> dict[str, Assignment]:
    ordered = sorted(spec.members.items(), key=_place)
    result: dict[str, Assignment] = {member_id: {} for member_id in spec.members}
    for topic_id, count in spec.partition_counts.items():
        subscribers = [member_id for member_id, member in ordered if topic_id in member.topics]
        if not subscribers:
            continue
        share, extra = divmod(count, len(subscribers))
        start = 0
        for number, member_id in enumerate(subscribers):
            end = start + share + (number < extra)
            if start < end:
                result[member_id][topic_id] = frozenset(range(start, end))
            start = end
    return result


def _place(item: tuple[str, MemberSpec]) -> tuple[bool, str]:
    member_id, member = item
    if member.instance_id is None:
        return True, member_id
    return False, member.instance_id
