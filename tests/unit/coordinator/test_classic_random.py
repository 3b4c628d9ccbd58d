"""Random clients that crash, stall, repeat themselves and lie, against the promises of a group."""

from __future__ import annotations

import random
from typing import Any

import pytest
from classic_world import Box, ClassicWorld

from riverlog.base.errors import ErrorCode

_STEPS = 400


class _Client:
    """Follows the protocol, mostly."""

    def __init__(self, world: ClassicWorld, instance_id: str | None) -> None:
        self.world = world
        self.instance_id = instance_id
        self.restart()

    def restart(self) -> None:
        self.member_id = ""
        self.generation = -1
        self.waiting: tuple[str, Box] | None = None
        self.members: list[str] | None = None
        self.owned: bytes | None = None

    def step(self, chance: random.Random) -> None:
        if self.waiting is not None and not self._receive():
            return
        if self.generation < 0:
            protocols = chance.choice(["range", "range sticky"])
            box = self.world.join(
                self.member_id,
                instance_id=self.instance_id,
                protocols=protocols,
                version=chance.choice([3, 9]) if self.instance_id is None else 9,
            )
            self.waiting = ("join", box)
        elif self.owned is None:
            rows = {member_id: member_id.encode() for member_id in self.members or []}
            box = self.world.sync(
                self.member_id, self.generation, rows, instance_id=self.instance_id, protocol_name=None
            )
            self.waiting = ("sync", box)
        else:
            error = self.world.beat(self.member_id, self.generation, instance_id=self.instance_id)
            self._after(error)

    def _receive(self) -> bool:
        assert self.waiting is not None
        kind, box = self.waiting
        if box.waits:
            return False
        self.waiting = None
        response: Any = box.response
        if box.error:
            if box.error == ErrorCode.MEMBER_ID_REQUIRED:
                self.member_id = response.member_id
            else:
                self._after(box.error)
        elif kind == "join":
            self.member_id = response.member_id
            self.generation = response.generation_id
            self.members = [row.member_id for row in response.members]
        else:
            self.owned = response.assignment
        return True

    def _after(self, error: int) -> None:
        if error == ErrorCode.REBALANCE_IN_PROGRESS:
            self.generation, self.owned = -1, None
        elif error:
            self.restart()


@pytest.mark.parametrize("seed", range(40))
def test_owners_are_unique_and_the_group_settles(seed: int) -> None:
    chance = random.Random(seed)
    world = ClassicWorld(group_initial_rebalance_delay_ms=chance.choice(["0", "3000"]))
    clients = [_Client(world, f"i{n}" if n % 3 == 0 else None) for n in range(chance.randint(1, 8))]
    generation = 0
    for _ in range(_STEPS):
        client = chance.choice(clients)
        act = chance.random()
        if act < 0.01:
            client.restart()
        elif act < 0.015 and client.member_id:
            world.leave(client.member_id)
        elif act < 0.02:
            world.reload()
            for one in clients:
                one.waiting = None  # the connection is gone
                one.generation, one.owned = -1, None
            generation = 0
        else:
            client.step(chance)
        world.run(chance.choice([0, 1, 50, 500, 500, 3_000]))
        if "g" in world.machine.groups:
            assert world.group().generation >= generation
            generation = world.group().generation
        _check_owners(world, clients)
    for _ in range(3_000):
        for client in clients:
            client.step(chance)
        world.run(100)
        if all(client.owned is not None for client in clients):
            break
    assert world.state() == "Stable", "after the faults, progress (INVARIANTS 25)"
    assert len({client.owned for client in clients}) == len(clients)
    assert b"" not in {client.owned for client in clients}


def _check_owners(world: ClassicWorld, clients: list[_Client]) -> None:
    """INVARIANTS 15: within a generation nobody has what another has."""
    if "g" not in world.machine.groups:
        return
    owned = [
        client.owned for client in clients if client.owned and client.generation == world.group().generation
    ]
    assert len(owned) == len(set(owned))
