"""Random producers against a coordinator that fails over, times out and answers late.

Checked after every step: what was told stays true, nobody gets an epoch twice, no transaction is both
committed and aborted, and none ends without its owner or the coordinator wanting it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.txn.markers import MarkerOrder
from riverlog.coordinator.txn.states import TxnState
from riverlog.sim.rng import SimRng
from tests.unit.coordinator.txn.txn_world import ID, A, B, TxnWorld

STEPS = 300


@dataclass
class Producer:
    """One life of a client."""

    at: tuple[int, int]
    """Its id and epoch."""
    added: bool = False
    """Something is part of its transaction."""
    ending: bool | None = None
    """Whether it wants to commit, while it has no answer."""


@dataclass
class Story:
    world: TxnWorld
    rng: SimRng
    producers: list[Producer] = field(default_factory=list)
    told: dict[tuple[int, int], bool] = field(default_factory=dict)
    """Transactions that a producer was told the end of, by its id and epoch in them: committed or not."""

    def step(self) -> None:
        choice = self.rng.random_int(0, 39)
        if choice == 1:
            self.world.fail_over()
        elif choice == 2:
            self.world.wait(self.rng.random_int(1, 80))
        elif choice in range(3, 12):
            self.rng.choice([self.world.markers.arrive, self.world.markers.finish])()
        elif choice == 0 or not self.producers:
            self.new_producer()
        else:
            # Mostly the newest; the others are zombies.
            recent = self.producers[-3:]
            self.act(recent[-1] if self.rng.random_int(0, 2) else self.rng.choice(recent))

    def new_producer(self) -> None:
        given = self.world.init()
        if given.error:
            assert given.error is ErrorCode.CONCURRENT_TRANSACTIONS
            return
        at = (given.producer_id, given.producer_epoch)
        assert all(at > other.at for other in self.producers), "an epoch is given once, and only upwards"
        self.producers.append(Producer(at))

    def act(self, producer: Producer) -> None:
        if producer.ending is None and self.rng.random_int(0, 2):
            error = self.world.add(producer.at, self.rng.choice([A, B, A | B]))
            if error is ErrorCode.NONE:
                assert producer is self.producers[-1] or self.was_shared(producer)
                producer.added = True
            else:
                self.refused(producer, error)
        elif producer.added or producer.ending is not None:
            if producer.ending is None:
                producer.ending = bool(self.rng.random_int(0, 1))
            self.end(producer, producer.ending)

    def was_shared(self, producer: Producer) -> bool:
        """A producer may go on until its successor has come all the way."""
        return producer.at == (self.world.now().producer_id, self.world.now().producer_epoch)

    def end(self, producer: Producer, commit: bool) -> None:
        ended = self.world.end(producer.at, commit=commit)
        if ended.error:
            self.refused(producer, ended.error)
            return
        assert self.told.setdefault(producer.at, commit) is commit or self.world.client_version == 0
        producer.added = False
        producer.ending = None
        if self.world.client_version == 2:
            assert (ended.producer_id, ended.producer_epoch) > producer.at
            producer.at = (ended.producer_id, ended.producer_epoch)

    def refused(self, producer: Producer, error: ErrorCode) -> None:
        if error in (ErrorCode.PRODUCER_FENCED, ErrorCode.INVALID_PRODUCER_ID_MAPPING):
            now = self.world.now()
            assert (now.producer_id, now.producer_epoch) > producer.at
            self.producers.remove(producer)
        else:
            assert error in (ErrorCode.CONCURRENT_TRANSACTIONS, ErrorCode.INVALID_TXN_STATE), error
            if error is ErrorCode.INVALID_TXN_STATE:
                producer.ending = None
                producer.added = False

    def check(self) -> None:
        decided: dict[tuple[int, int], MarkerOrder] = {}
        for order in self.world.markers.orders:
            key = (order.producer_id, order.producer_epoch)
            if self.world.client_version == 2:
                before = decided.setdefault(key, order)
                assert (before.committed, before.partitions) == (order.committed, order.partitions)
        if self.world.client_version == 2:
            for (producer_id, epoch), commit in self.told.items():
                assert decided[producer_id, epoch + 1].committed is commit
        now = self.world.machine().transactions.get(ID)
        if now is not None and now.state in (TxnState.EMPTY, TxnState.COMPLETE_COMMIT):
            assert not now.partitions


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("version", [0, 2])
def test_random_producers_are_told_the_truth(version: int, seed: int) -> None:
    world = TxnWorld(version=version)
    story = Story(world, SimRng(seed))
    for _ in range(STEPS):
        story.step()
        story.check()
    world.markers.finish()
    ends = {order.committed for order in world.markers.orders}
    assert ends == {True, False}, "a story in which nothing happens tells nothing"
