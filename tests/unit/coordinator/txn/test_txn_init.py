"""InitProducerId: epochs, fencing, going on with an id and epoch, ids that have no epoch left."""

from __future__ import annotations

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.txn.init import Given
from riverlog.coordinator.txn.states import TxnState
from tests.unit.coordinator.txn.txn_world import ID, MAX, A, TooFew, TxnWorld, given


@pytest.fixture(params=[0, 1, 2])
def world(request: pytest.FixtureRequest) -> TxnWorld:
    return TxnWorld(version=request.param)


@pytest.fixture
def newest() -> TxnWorld:
    return TxnWorld(version=2)


def test_a_new_id_gets_a_producer_id_and_epoch_0(world: TxnWorld) -> None:
    assert world.init() == given((1_000, 0))
    now = world.now()
    assert (now.state, now.partitions, now.start_ms) == (TxnState.EMPTY, frozenset(), -1)


def test_the_next_producer_gets_the_next_epoch_and_fences_the_one_before(world: TxnWorld) -> None:
    first = world.init()
    assert world.init() == given((first.producer_id, 1))
    assert world.add(first) is ErrorCode.PRODUCER_FENCED
    assert world.end(first).error is ErrorCode.PRODUCER_FENCED


@pytest.mark.parametrize("timeout_ms", [0, -1, 900_001])
def test_a_timeout_outside_the_bounds_is_refused(newest: TxnWorld, timeout_ms: int) -> None:
    assert newest.init(timeout_ms=timeout_ms) == Given(ErrorCode.INVALID_TRANSACTION_TIMEOUT)
    assert newest.init(timeout_ms=900_000).error is ErrorCode.NONE


def test_without_a_producer_id_in_stock_the_client_tries_again(newest: TxnWorld) -> None:
    newest.ids_left = 0
    assert newest.init() == Given(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
    newest.ids_left = 1
    assert newest.init().error is ErrorCode.NONE


def test_an_open_transaction_is_aborted_first(world: TxnWorld) -> None:
    owner = world.opened()
    assert world.init() == Given(ErrorCode.CONCURRENT_TRANSACTIONS)
    assert world.now().state is TxnState.PREPARE_ABORT
    (order,) = world.markers.orders
    assert (order.producer_epoch, order.committed, order.partitions) == (1, False, A)
    assert world.init() == Given(ErrorCode.CONCURRENT_TRANSACTIONS), "while markers are on their way"
    world.markers.finish()
    assert world.now().state is TxnState.COMPLETE_ABORT
    assert world.init() == given((owner.producer_id, 2))
    assert world.add(owner) is ErrorCode.PRODUCER_FENCED


def test_the_abort_of_a_fenced_producer_is_of_the_servers_transaction_version(world: TxnWorld) -> None:
    world.opened()
    world.init()
    (order,) = world.markers.orders
    assert order.transaction_version == (2 if world.version == 2 else 0)


# -- KIP-360 -------------------------------------------------------------------------------


def test_a_producer_goes_on_in_the_next_epoch(world: TxnWorld) -> None:
    first = world.init()
    second = world.init(first[1:])
    assert second == given((first.producer_id, 1))
    assert world.init(second[1:]) == given((first.producer_id, 2))


def test_who_asks_again_because_the_answer_was_lost_gets_it_again(world: TxnWorld) -> None:
    first = world.init()
    second = world.init(first[1:])
    assert world.init(first[1:]) == second
    assert world.init(first[1:]) == second


def test_after_a_new_producer_an_old_epoch_is_fenced(world: TxnWorld) -> None:
    first = world.init()
    world.init(first[1:])
    world.init()
    assert world.init(first[1:]) == Given(ErrorCode.PRODUCER_FENCED)
    assert world.init((first.producer_id, 1)) == Given(ErrorCode.PRODUCER_FENCED)


def test_an_epoch_that_could_not_be_written_is_not_shared_with_who_gets_it_later(world: TxnWorld) -> None:
    first = world.init()
    partition = world.host.shards[world.host.shard_of(ID)].partition
    policy, partition.policy = partition.policy, TooFew()
    assert world.init(first[1:]) == Given(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    partition.policy = policy
    assert world.init() == given((first.producer_id, 1))
    assert world.init(first[1:]) == Given(ErrorCode.PRODUCER_FENCED)


def test_a_foreign_producer_id_is_fenced(world: TxnWorld) -> None:
    first = world.init()
    assert world.init((first.producer_id + 7, 0)) == Given(ErrorCode.PRODUCER_FENCED)


def test_an_id_that_nobody_remembers_is_made_anew_for_whoever_brings_one(world: TxnWorld) -> None:
    assert world.init((77, 4)) == given((1_000, 0))


def test_a_fenced_producer_does_not_abort_its_successors_transaction(world: TxnWorld) -> None:
    first = world.init()
    second = world.init()
    world.add(second)
    assert world.init(first[1:]) == Given(ErrorCode.PRODUCER_FENCED)
    assert world.now().state is TxnState.ONGOING


def test_a_producer_may_leave_its_own_transaction_behind(newest: TxnWorld) -> None:
    owner = newest.opened()
    assert newest.init(owner[1:]) == Given(ErrorCode.CONCURRENT_TRANSACTIONS)
    newest.markers.finish()
    assert newest.init(owner[1:]) == given((owner.producer_id, 1)), "the abort's epoch is its own"


def test_after_a_failover_the_epoch_of_the_end_of_a_transaction_is_still_known(newest: TxnWorld) -> None:
    owner = newest.opened()
    newest.end(owner)
    newest.markers.finish()
    newest.fail_over()
    assert newest.init(owner[1:]) == given((owner.producer_id, 1))


# -- no epoch left -------------------------------------------------------------------------


def test_when_epochs_are_used_up_a_new_producer_gets_a_new_producer_id(world: TxnWorld) -> None:
    old = world.at_epoch(MAX - 1, TxnState.EMPTY)
    fresh = world.init()
    assert fresh == given((old[0] + 1, 0))
    assert world.init(old) == Given(ErrorCode.PRODUCER_FENCED), "somebody else has the id"


def test_when_epochs_are_used_up_a_producer_goes_on_with_a_new_producer_id(world: TxnWorld) -> None:
    old = world.at_epoch(MAX - 1, TxnState.EMPTY)
    fresh = world.init(old)
    assert fresh == given((old[0] + 1, 0))
    if world.version > 0:  # before that, nothing tells of the producer id before this one
        assert world.init(old) == fresh


def test_the_last_epoch_but_one_is_given_out(world: TxnWorld) -> None:
    old = world.at_epoch(MAX - 2, TxnState.EMPTY)
    assert world.init() == given((old[0], MAX - 1))


def test_fencing_may_use_the_last_epoch(world: TxnWorld) -> None:
    old = world.at_epoch(MAX - 1)
    assert world.init() == Given(ErrorCode.CONCURRENT_TRANSACTIONS)
    (order,) = world.markers.orders
    assert (order.producer_id, order.producer_epoch) == (old[0], MAX)
    world.markers.finish()
    fresh = world.init()
    assert fresh.error is ErrorCode.NONE
    assert fresh.producer_id > old[0]
    assert world.add(old) is not ErrorCode.NONE


def test_without_a_producer_id_in_stock_an_exhausted_one_waits(newest: TxnWorld) -> None:
    newest.at_epoch(MAX - 1)
    newest.ids_left = 0
    assert newest.init() == Given(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
    assert newest.now().state is TxnState.ONGOING
    newest.ids_left = 1
    assert newest.init() == Given(ErrorCode.CONCURRENT_TRANSACTIONS)
