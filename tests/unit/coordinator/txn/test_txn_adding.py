"""AddPartitionsToTxn: what becomes part of a transaction, and who is told that it is."""

from __future__ import annotations

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.txn.adding import add_partitions
from riverlog.coordinator.txn.states import TxnState
from tests.unit.coordinator.txn.txn_world import ID, A, B, TxnWorld, given


@pytest.fixture(params=[0, 1, 2])
def world(request: pytest.FixtureRequest) -> TxnWorld:
    return TxnWorld(version=request.param)


def test_the_first_partition_begins_the_transaction(world: TxnWorld) -> None:
    owner = world.init()
    world.wait(1)
    assert world.add(owner) is ErrorCode.NONE
    now = world.now()
    assert (now.state, now.partitions) == (TxnState.ONGOING, A)
    began = now.start_ms
    assert began >= 1_000
    world.wait(1)
    assert world.add(owner, B) is ErrorCode.NONE
    assert (world.now().partitions, world.now().start_ms) == (A | B, began)


def test_what_is_there_already_is_not_written_again(world: TxnWorld) -> None:
    owner = world.opened(A | B)
    end = world.machine().shard.last_offset
    assert world.add(owner, B) is ErrorCode.NONE
    assert world.machine().shard.last_offset == end


def test_additions_that_come_at_once_are_all_taken(world: TxnWorld) -> None:
    owner = world.init()
    got: list[ErrorCode] = []
    for partitions in (A, B):
        world.host.submit(
            ID,
            lambda machine, now_ms, partitions=partitions: add_partitions(
                machine, ID, *owner[1:], partitions, client_version=2, now_ms=now_ms, to=got.append
            ),
        )
    assert got == [], "nothing is told before it is committed"
    assert world.run_until(lambda: len(got) == 2)
    assert got == [ErrorCode.NONE, ErrorCode.NONE]
    assert world.now().partitions == A | B


def test_strangers_are_refused(world: TxnWorld) -> None:
    assert world.add((1, 0)) is ErrorCode.INVALID_PRODUCER_ID_MAPPING
    owner = world.init()
    assert world.add((owner.producer_id + 1, 0)) is ErrorCode.INVALID_PRODUCER_ID_MAPPING
    assert world.add((owner.producer_id, 1)) is ErrorCode.PRODUCER_FENCED
    assert world.now().state is TxnState.EMPTY


@pytest.mark.parametrize("commit", [True, False])
def test_nothing_is_added_while_markers_are_on_their_way(world: TxnWorld, commit: bool) -> None:
    owner = world.opened()
    world.end(owner, commit=commit)
    next_ = (owner.producer_id, world.now().producer_epoch)
    assert world.add(next_) is ErrorCode.CONCURRENT_TRANSACTIONS
    assert world.verify(next_) == {("a", 0): ErrorCode.CONCURRENT_TRANSACTIONS}
    world.markers.arrive()
    assert world.verify(next_) == {("a", 0): ErrorCode.TRANSACTION_ABORTABLE}
    assert world.add(next_, B) is ErrorCode.NONE
    assert world.now().partitions == B


def test_a_late_addition_does_not_begin_the_next_transaction(world: TxnWorld) -> None:
    if world.version < 2:
        return  # what version 2 is for
    owner = world.opened()
    assert world.end(owner).error is ErrorCode.NONE
    world.markers.finish()
    assert world.add(owner, B) is ErrorCode.PRODUCER_FENCED
    assert world.verify(owner) == {("a", 0): ErrorCode.PRODUCER_FENCED}


def test_verification_changes_nothing(world: TxnWorld) -> None:
    owner = world.opened()
    end = world.machine().shard.last_offset
    assert world.verify(owner, A | B) == {
        ("a", 0): ErrorCode.NONE,
        ("b", 1): ErrorCode.TRANSACTION_ABORTABLE,
    }
    assert world.verify((owner.producer_id, 5)) == {("a", 0): ErrorCode.PRODUCER_FENCED}
    assert world.verify((owner.producer_id + 1, 0)) == {("a", 0): ErrorCode.INVALID_PRODUCER_ID_MAPPING}
    assert world.machine().shard.last_offset == end


def test_before_the_first_transaction_nothing_is_part_of_one(world: TxnWorld) -> None:
    assert world.verify((1, 0)) == {("a", 0): ErrorCode.INVALID_PRODUCER_ID_MAPPING}
    owner = world.init()
    assert owner == given((1_000, 0))
    assert world.verify(owner) == {("a", 0): ErrorCode.TRANSACTION_ABORTABLE}
