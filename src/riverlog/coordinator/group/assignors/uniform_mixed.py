"""``uniform`` for members that subscribe to different topics.

First everyone keeps what he has and may keep, then free partitions go to whoever has least, topics with
most partitions per subscriber first; then partitions move from the most to the least loaded subscriber of
a topic until no single move brings them closer. Stickiness wins over a perfect balance. Racks decide who
among equals gets what, never how many.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from riverlog.coordinator.group.assignors.racks import Place, allot
from riverlog.coordinator.group.assignors.spec import Assignment, GroupSpec

PASSES_MAX = 16
"""Passes of balancing over all topics; a few are enough in practice."""


def assign_mixed(spec: GroupSpec) -> dict[str, Assignment]:
    state = _Mixed(spec)
    state.assign_free()
    state.balance()
    return state.result()


class _Mixed:
    """Members by number; ``owners[topic][partition]`` is a number, -1 while free."""

    def __init__(self, spec: GroupSpec) -> None:
        self._member_ids = list(spec.members)
        self._racks = spec.racks
        self._rack_of = [member.rack for member in spec.members.values()]
        self._counts = spec.partition_counts
        self._loads = [0] * len(self._member_ids)
        self._subscribers: dict[bytes, list[int]] = {topic_id: [] for topic_id in spec.partition_counts}
        self._owners: dict[bytes, list[int]] = {
            topic_id: [-1] * count for topic_id, count in spec.partition_counts.items()
        }
        for number, member in enumerate(spec.members.values()):
            for topic_id in member.topics:
                self._subscribers[topic_id].append(number)
            for topic_id, partitions in member.assignment.items():
                if topic_id not in member.topics:
                    continue
                owners = self._owners[topic_id]
                for partition in partitions:
                    owners[partition] = number
                self._loads[number] += len(partitions)
        self._topics = sorted(
            (topic_id for topic_id, found in self._subscribers.items() if found), key=self._urgency
        )

    def _urgency(self, topic_id: bytes) -> tuple[float, int, bytes]:
        subscribers = len(self._subscribers[topic_id])
        return -self._counts[topic_id] / subscribers, subscribers, topic_id

    def assign_free(self) -> None:
        loads = self._loads
        for topic_id in self._topics:
            owners = self._owners[topic_id]
            free = [partition for partition, owner in enumerate(owners) if owner < 0]
            if not free:
                continue
            least = [(loads[number], number) for number in self._subscribers[topic_id]]
            heapify(least)
            takers: list[int] = []
            load = 0
            for _ in free:
                load, number = heappop(least)
                takers.append(number)
                loads[number] = load + 1
                heappush(least, (load + 1, number))
            if self._racks is not None:
                takers = self._nearest(topic_id, free, takers, top=load)
            for partition, number in zip(free, takers, strict=True):
                owners[partition] = number

    def _nearest(self, topic_id: bytes, free: list[int], takers: list[int], *, top: int) -> list[int]:
        """Other takers with the same loads. Whoever would have ``top`` without his last one is equal."""
        assert self._racks is not None
        loads = self._loads
        subscribers = self._subscribers[topic_id]
        quotas = dict.fromkeys(subscribers, 0)
        for number in takers:
            quotas[number] += 1
        luckier = [number for number in subscribers if loads[number] == top + 1 and quotas[number]]
        for number in luckier:
            quotas[number] -= 1
            loads[number] -= 1
        places = [Place(self._rack_of[n], quotas[n], takes_extra=loads[n] == top) for n in subscribers]
        racks = self._racks[topic_id]
        places_of = allot([racks[partition] for partition in free], places, len(luckier))
        found = [subscribers[at] for at in places_of]
        for number in found:
            quotas[number] -= 1
        for number, left in quotas.items():
            loads[number] -= left  # -1 for whoever has an extra one
        return found

    def balance(self) -> None:
        shared = [topic_id for topic_id in self._topics if len(self._subscribers[topic_id]) > 1]
        for _ in range(PASSES_MAX):
            moved = 0
            for topic_id in shared:
                moved += self._balance_topic(topic_id)
            if not moved:
                return

    def _balance_topic(self, topic_id: bytes) -> int:
        loads = self._loads
        subscribers = self._subscribers[topic_id]
        if max(loads[number] for number in subscribers) - min(loads[n] for n in subscribers) <= 1:
            return 0
        owners = self._owners[topic_id]
        owned: dict[int, list[int]] = {}
        for partition, owner in enumerate(owners):
            owned.setdefault(owner, []).append(partition)
        least = [(loads[number], number) for number in subscribers]
        most = [(-loads[number], number) for number in owned]
        heapify(least)
        heapify(most)
        moved = 0
        while most:
            if -most[0][0] != loads[most[0][1]] or not owned[most[0][1]]:
                heappop(most)  # has changed since, or has nothing of this topic left to give
                continue
            if least[0][0] != loads[least[0][1]]:
                heappop(least)
                continue
            giver, taker = most[0][1], least[0][1]
            if loads[giver] - loads[taker] <= 1:
                break
            partition = self._give(topic_id, owned[giver], giver, taker)
            owners[partition] = taker
            owned.setdefault(taker, []).append(partition)
            loads[giver] -= 1
            loads[taker] += 1
            for number in (giver, taker):
                heappush(least, (loads[number], number))
                heappush(most, (-loads[number], number))
            moved += 1
        return moved

    def _give(self, topic_id: bytes, partitions: list[int], giver: int, taker: int) -> int:
        """The last one; with racks one that is nearer to the taker than to the giver, if there is one."""
        if self._racks is None:
            return partitions.pop()
        racks = self._racks[topic_id]
        here, there = self._rack_of[giver], self._rack_of[taker]
        best = max(partitions, key=lambda p: ((there in racks[p]) - (here in racks[p]), p))
        partitions.remove(best)
        return best

    def result(self) -> dict[str, Assignment]:
        result: dict[str, Assignment] = {member_id: {} for member_id in self._member_ids}
        for topic_id, owners in self._owners.items():
            owned: dict[int, list[int]] = {}
            for partition, owner in enumerate(owners):
                if owner >= 0:
                    owned.setdefault(owner, []).append(partition)
            for number, partitions in owned.items():
                result[self._member_ids[number]][topic_id] = frozenset(partitions)
        return result
