"""``uniform``: members get equally many partitions, and keep what they have where that allows it.

Racks decide what these two leave open, see ``uniform_racks``.
"""

from __future__ import annotations

from riverlog.coordinator.group.assignors.spec import Assignment, GroupSpec
from riverlog.coordinator.group.assignors.uniform_mixed import assign_mixed
from riverlog.coordinator.group.assignors.uniform_racks import assign_near


def assign_uniform(spec: GroupSpec) -> dict[str, Assignment]:
    if not spec.members:
        return {}
    if not spec.homogeneous:
        return assign_mixed(spec)
    return _assign_same(spec) if spec.racks is None else assign_near(spec, spec.racks)


def _assign_same(spec: GroupSpec) -> dict[str, Assignment]:
    """All subscribe to the same: quotas differ by one at most, what is over quota moves."""
    counts = spec.partition_counts
    count = len(spec.members)
    free = _unassigned(spec)
    quota_min, extra = divmod(sum(counts.values()), count)
    result: dict[str, Assignment] = {}
    unfilled: list[tuple[str, int]] = []
    for index, (member_id, member) in enumerate(spec.members.items()):
        takes_extra = extra > 0
        quota = quota_min + takes_extra
        kept: Assignment = {}
        for topic_id, partitions in member.assignment.items():
            if topic_id not in counts:
                continue
            if len(partitions) <= quota:
                kept[topic_id] = partitions
                quota -= len(partitions)
                continue
            ordered = sorted(partitions)
            if quota:
                kept[topic_id] = frozenset(ordered[:quota])
            free.extend((topic_id, partition) for partition in ordered[quota:])
            quota = 0
        if quota > 0 and takes_extra and count - index > extra:
            # Someone after this one may already have the extra partition, and then nothing moves.
            quota -= 1
            takes_extra = False
        extra -= takes_extra
        if quota > 0:
            unfilled.append((member_id, quota))
        result[member_id] = kept
    _fill(result, unfilled, free)
    return result


def _unassigned(spec: GroupSpec) -> list[tuple[bytes, int]]:
    taken: dict[bytes, set[int]] = {topic_id: set() for topic_id in spec.partition_counts}
    for member in spec.members.values():
        for topic_id, partitions in member.assignment.items():
            if topic_id in taken:
                taken[topic_id] |= partitions
    return [
        (topic_id, partition)
        for topic_id, count in spec.partition_counts.items()
        for partition in range(count)
        if partition not in taken[topic_id]
    ]


def _fill(
    result: dict[str, Assignment], unfilled: list[tuple[str, int]], free: list[tuple[bytes, int]]
) -> None:
    position = 0
    for member_id, quota in unfilled:
        added: dict[bytes, list[int]] = {}
        for topic_id, partition in free[position : position + quota]:
            added.setdefault(topic_id, []).append(partition)
        position += quota
        assignment = result[member_id]
        for topic_id, partitions in added.items():
            assignment[topic_id] = assignment.get(topic_id, frozenset()).union(partitions)
    assert position >= len(free), "partitions were left over"
