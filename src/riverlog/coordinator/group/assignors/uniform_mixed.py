"""``uniform`` for members that subscribe to different topics.

First everyone keeps what he has and may keep, then free partitions go to whoever has least, topics with
most partitions per subscriber first; then partitions move from the most to the least loaded subscriber of
a topic until no single move brings them closer. Stickiness wins over a perfect balance.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

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
            for partition in free:
                load, number = heappop(least)
                owners[partition] = number
                loads[number] = load + 1
                heappush(least, (load + 1, number))

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
            partition = owned[giver].pop()
            owners[partition] = taker
            owned.setdefault(taker, []).append(partition)
            loads[giver] -= 1
            loads[taker] += 1
            for number in (giver, taker):
                heappush(least, (loads[number], number))
                heappush(most, (-loads[number], number))
            moved += 1
        return moved

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
