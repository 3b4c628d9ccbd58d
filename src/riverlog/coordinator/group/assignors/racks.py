"""Near partitions: those with a replica in a member's rack, so that it can read without crossing racks.

Who gets how many partitions is settled before anyone looks at racks; here is decided only who gets which.
As many partitions as possible go to a member near them (a largest matching between partitions and racks).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Racks = frozenset[str]
"""Of the replicas of one partition."""


def matter(members: Iterable[str | None], partitions: Iterable[Racks]) -> bool:
    """Whether racks make a difference: not if every partition is near all members, or none near any."""
    wanted = frozenset(rack for rack in members if rack)
    if not wanted:
        return False
    some, everywhere = False, True
    for racks in frozenset(partitions):
        some = some or not wanted.isdisjoint(racks)
        everywhere = everywhere and wanted <= racks
    return some and not everywhere


@dataclass(slots=True)
class Place:
    """A member and how many partitions it takes."""

    rack: str | None
    quota: int
    takes_extra: bool = False
    """Whether it may have one more, if one of the extra partitions comes to it."""


def allot(partitions: Sequence[Racks], places: Sequence[Place], extras: int = 0) -> list[int]:
    """For every partition the number of its place; quotas and ``extras`` together are all partitions."""
    assert sum(place.quota for place in places) + extras == len(partitions), "quotas do not add up"
    left = [place.quota for place in places]
    open_extra = [place.takes_extra for place in places]
    by_rack: dict[str | None, _Turn] = {}
    for number, place in enumerate(places):
        by_rack.setdefault(place.rack or None, _Turn()).numbers.append(number)
    everyone = _Turn(list(range(len(places))))
    result = [-1] * len(partitions)
    for at, rack in enumerate(_Matching(partitions, places, extras).racks()):
        if rack is not None:
            result[at] = by_rack[rack].next(left, open_extra)
    for at, found in enumerate(result):
        if found < 0:
            result[at] = everyone.next(left, open_extra)
    return result


class _Turn:
    """Places in order: first up to their quotas, then those that may have one more."""

    def __init__(self, numbers: list[int] | None = None) -> None:
        self.numbers = [] if numbers is None else numbers
        self._at = 0
        self._extra_at = 0

    def next(self, left: list[int], open_extra: list[bool]) -> int:
        numbers = self.numbers
        while self._at < len(numbers):
            number = numbers[self._at]
            if left[number] > 0:
                left[number] -= 1
                return number
            self._at += 1
        while not open_extra[numbers[self._extra_at]]:
            self._extra_at += 1
        number = numbers[self._extra_at]
        open_extra[number] = False
        return number


class _Matching:
    """Partitions with the same racks are one class; units of classes flow into racks.

    A rack has room for the quotas of its members, and for extra partitions as long as there are any.
    Room is taken greedily first; then units already placed make way for others along a path of racks
    (Ford and Fulkerson). A search that fails shows that its racks stay full: nobody searches there again.
    """

    def __init__(self, partitions: Sequence[Racks], places: Sequence[Place], extras: int) -> None:
        self._room: dict[str, int] = {}
        self._extra_room: dict[str, int] = {}
        for place in places:
            if place.rack:
                self._room[place.rack] = self._room.get(place.rack, 0) + place.quota
                more = self._extra_room.get(place.rack, 0) + place.takes_extra
                self._extra_room[place.rack] = more
        self._extras = extras
        self._extra_used = dict.fromkeys(self._room, 0)
        self._closed: set[str] = set()
        self._partitions = partitions
        self._sizes: dict[tuple[str, ...], int] = {}
        names: dict[Racks, tuple[str, ...]] = {}
        self._classes = [
            names.get(racks) or names.setdefault(racks, self._known(racks)) for racks in partitions
        ]
        for name in self._classes:
            if name:
                self._sizes[name] = self._sizes.get(name, 0) + 1
        self._flow: dict[str, dict[tuple[str, ...], int]] = {rack: {} for rack in self._room}

    def _known(self, racks: Racks) -> tuple[str, ...]:
        return tuple(sorted(rack for rack in racks if rack in self._room))

    def racks(self) -> list[str | None]:
        """For every partition a rack whose members take it; None if none of its racks has room for it."""
        for name in sorted(self._sizes, key=lambda name: (len(name), name)):
            rest = self._sizes[name]
            for rack in name:
                rest -= self._take(rack, name, rest)
            while rest and self._make_way(name):
                rest -= 1
        return self._in_order()

    def _in_order(self) -> list[str | None]:
        into: dict[tuple[str, ...], list[tuple[str, int]]] = {}
        for rack in sorted(self._flow, reverse=True):
            for name, units in self._flow[rack].items():
                into.setdefault(name, []).append((rack, units))
        result: list[str | None] = []
        for name in self._classes:
            racks = into.get(name)
            if not racks:
                result.append(None)
                continue
            rack, units = racks[-1]
            result.append(rack)
            if units > 1:
                racks[-1] = (rack, units - 1)
            else:
                racks.pop()
        return result

    def _take(self, rack: str, name: tuple[str, ...], wanted: int) -> int:
        """Up to so many units into free room."""
        plain = min(wanted, self._room[rack])
        extra = min(wanted - plain, self._extra_room[rack], self._extras)
        self._room[rack] -= plain
        self._extra_room[rack] -= extra
        self._extra_used[rack] += extra
        self._extras -= extra
        if plain + extra:
            self._add(rack, name, plain + extra)
        return plain + extra

    def _add(self, rack: str, name: tuple[str, ...], units: int) -> None:
        flow = self._flow[rack]
        flow[name] = flow.get(name, 0) + units
        if not flow[name]:
            del flow[name]

    def _make_way(self, name: tuple[str, ...]) -> bool:
        """One unit more of a class whose racks are full."""
        before: dict[str, tuple[str, tuple[str, ...]] | None] = dict.fromkeys(
            rack for rack in name if rack not in self._closed
        )
        """Where a rack was reached from, and the class that moves there; () if an extra comes back."""
        waiting = deque(before)
        while waiting:
            rack = waiting.popleft()
            if self._room[rack] or (self._extra_room[rack] and self._extras):
                self._shift(rack, before, name)
                return True
            for moving in self._flow[rack]:
                for other in moving:
                    if other not in before and other not in self._closed:
                        before[other] = (rack, moving)
                        waiting.append(other)
            if self._extra_room[rack]:
                for other, used in self._extra_used.items():
                    if used and other not in before and other not in self._closed:
                        before[other] = (rack, ())
                        waiting.append(other)
        self._closed.update(before)
        return False

    def _shift(
        self, rack: str, before: dict[str, tuple[str, tuple[str, ...]] | None], name: tuple[str, ...]
    ) -> None:
        if self._room[rack]:
            self._room[rack] -= 1
        else:
            self._extra_room[rack] -= 1
            self._extra_used[rack] += 1
            self._extras -= 1
        step = before[rack]
        while step is not None:
            giver, moving = step
            if moving:
                self._add(rack, moving, 1)
                self._add(giver, moving, -1)
            else:
                self._swap_extra(taker=giver, giver=rack)
            rack = giver
            step = before[rack]
        self._add(rack, name, 1)

    def _swap_extra(self, *, taker: str, giver: str) -> None:
        self._extra_room[taker] -= 1
        self._extra_used[taker] += 1
        self._extra_room[giver] += 1
        self._extra_used[giver] -= 1
