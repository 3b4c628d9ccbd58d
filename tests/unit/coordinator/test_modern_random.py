"""Clients that come, go, crash, miss answers and change their minds, of both protocols: no partition ever
has two owners, and once they stop every partition has one."""

from __future__ import annotations

import pytest
from modern_world import ClassicFollower, Follower, ModernWorld, Pairs

from riverlog.sim.rng import SimRng

STEPS = 250
TOPICS = ("t", "u", "v")


class Crowd:
    def __init__(self, seed: int, *, mixed: bool) -> None:
        self.world = ModernWorld(group_consumer_assignment_interval_ms=str((seed % 3) * 1_000))
        self.rng = SimRng(seed)
        self.mixed = mixed
        self.members: list[Follower | ClassicFollower] = []
        self.born = 0
        self.had_v = False
        for name in TOPICS[:2]:
            self.world.topic(name, 4)

    def pick(self, count: int) -> int:
        return self.rng.random_int(0, count - 1)

    def act(self) -> None:
        world = self.world
        match self.pick(24):
            case 0 | 1 if len(self.members) < 6:
                self._join()
            case 2 if self.members:
                self.members.pop(self.pick(len(self.members)))  # crashed: says nothing any more
            case 3 if self.members:
                self.members.pop(self.pick(len(self.members))).leave()
            case 4:
                name = TOPICS[self.pick(2)]
                world.grow(name, min(12, len(world.image.topics[name].partitions) + 2))
            case 5 if "v" in world.image.topics:
                world.drop("v")
            case 6 if not self.had_v:
                self.had_v = True  # once: these clients tell topics apart by name
                world.topic("v", 3)
            case 7:
                world.restart(compacted=self.pick(2) == 0)
            case 8 if self.members:
                member = self.members[self.pick(len(self.members))]
                if isinstance(member, Follower):
                    member.subscribe(*TOPICS[self.pick(2) : 2 + self.pick(2)])
            case 9 if self.members:
                member = self.members[self.pick(len(self.members))]
                if isinstance(member, Follower):
                    member.step(reply_lost=True)
            case _ if self.members:
                self._step(self.members[self.pick(len(self.members))])
        world.run(self.pick(1_500))
        self.check()

    def _join(self) -> None:
        self.born += 1
        if self.mixed and self.pick(3) == 0 and self._has_new():
            self.members.append(ClassicFollower(self.world, TOPICS[:2], cooperative=self.pick(2) == 0))
            return
        regex = "[uv]" if self.pick(4) == 0 else None
        names = () if regex else TOPICS[self.pick(2) :]
        self.members.append(Follower(self.world, f"m{self.born}", names, regex=regex))

    def _has_new(self) -> bool:
        return any(isinstance(member, Follower) and member.epoch > 0 for member in self.members)

    def _step(self, member: Follower | ClassicFollower) -> None:
        if isinstance(member, ClassicFollower):
            group = self.world.machine.groups.get("g")
            if group is None or group.kind != "consumer":
                self.members.remove(member)  # its world is tested elsewhere
                return
            if member.generation != -1 and member.member_id not in self.world.group().members:
                member.member_id, member.generation, member.has = "", -1, set()
        member.step()

    def check(self) -> None:
        """INVARIANTS 15. What a client still has after it was fenced is its own fault until it asks."""
        group = self.world.machine.groups.get("g")
        if group is None or group.kind != "consumer":
            return
        seen: Pairs = set()
        for member in self.members:
            if member.member_id in self.world.group().members:
                has = {pair for pair in member.has if pair[0] in self.world.image.topics}
                assert not seen & has, "two owners"
                seen |= has

    def settle(self) -> None:
        for _ in range(40):
            for member in list(self.members):
                self._step(member)
                self.check()
            self.world.run(5_000)


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_no_partition_has_two_owners_and_in_the_end_each_has_one(seed: int, mixed: bool) -> None:
    crowd = Crowd(seed, mixed=mixed)
    for _ in range(STEPS):
        crowd.act()
    crowd.members = [member for member in crowd.members if isinstance(member, Follower)]
    crowd.members.append(Follower(crowd.world, "last", ("t", "u")))
    crowd.settle()
    world = crowd.world
    assert world.state() == "Stable"
    owned = [pair for member in crowd.members for pair in member.has]
    wanted = {
        (name, partition)
        for name in world.group().subscriptions.topics()
        if name in world.image.topics
        for partition in world.image.topics[name].partitions
    }
    assert len(owned) == len(set(owned))
    assert set(owned) == wanted
    before = world.snapshot()
    world.restart(compacted=True)
    assert world.snapshot() == before
