"""EndTxn in both ways: epochs, retries, markers after the commit of the decision, time-outs."""

from __future__ import annotations

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.txn.ending import Ended, end_transaction
from riverlog.coordinator.txn.init import Given
from riverlog.coordinator.txn.states import TxnState
from tests.unit.coordinator.txn.txn_world import ID, MAX, A, B, TxnWorld, ended, given

both = pytest.mark.parametrize("commit", [True, False])


@pytest.fixture(params=[0, 1, 2])
def world(request: pytest.FixtureRequest) -> TxnWorld:
    return TxnWorld(version=request.param)


@pytest.fixture(params=[0, 1])
def plain(request: pytest.FixtureRequest) -> TxnWorld:
    return TxnWorld(version=request.param)


@pytest.fixture
def bumping() -> TxnWorld:
    return TxnWorld(version=2)


def complete(commit: bool) -> TxnState:
    return TxnState.COMPLETE_COMMIT if commit else TxnState.COMPLETE_ABORT


# -- markers -------------------------------------------------------------------------------


@both
def test_all_partitions_are_told_and_then_it_is_complete(world: TxnWorld, commit: bool) -> None:
    owner = world.opened(A | B)
    assert world.end(owner, commit=commit).error is ErrorCode.NONE
    (order,) = world.markers.orders
    assert order.transactional_id == ID
    assert order.partitions == A | B
    assert order.committed is commit
    assert order.producer_id == owner.producer_id
    assert order.producer_epoch == (1 if world.version == 2 else 0)
    assert order.transaction_version == (2 if world.version == 2 else 0)
    assert order.coordinator_epoch == world.machine().shard.partition.leader_epoch
    assert world.now().state is (TxnState.PREPARE_COMMIT if commit else TxnState.PREPARE_ABORT)
    world.markers.finish()
    assert (world.now().state, world.now().partitions) == (complete(commit), frozenset())


def test_no_marker_leaves_before_the_decision_is_committed(world: TxnWorld) -> None:
    owner = world.opened()
    got: list[Ended] = []
    world.host.submit(
        ID,
        lambda machine, now_ms: end_transaction(
            machine,
            ID,
            *owner[1:],
            committed=True,
            client_version=world.client_version,
            now_ms=now_ms,
            to=got.append,
        ),
    )
    assert world.now().state is TxnState.PREPARE_COMMIT
    assert (got, world.markers.orders) == ([], [])
    assert world.run_until(lambda: bool(got))
    assert len(world.markers.orders) == 1


def test_the_next_request_takes_the_completion_along(world: TxnWorld) -> None:
    owner = world.opened()
    world.end(owner)
    next_ = (owner.producer_id, world.now().producer_epoch)
    batches = world.machine().shard.partition.log.log_end_offset
    world.markers.arrive()
    assert world.now().state is TxnState.PREPARE_COMMIT, "nothing is written yet"
    assert world.add(next_, B) is ErrorCode.NONE
    assert world.now().state is TxnState.ONGOING
    assert world.now().partitions == B
    assert world.machine().shard.partition.log.log_end_offset == batches + 2
    world.wait(1)
    assert world.machine().shard.partition.log.log_end_offset == batches + 2
    world.fail_over()
    assert world.now().partitions == B


@pytest.mark.parametrize("request_", ["init", "retry", "end"])
def test_every_request_sees_a_completion_that_is_not_written_yet(bumping: TxnWorld, request_: str) -> None:
    owner = bumping.opened()
    next_ = bumping.end(owner)
    bumping.markers.arrive()
    if request_ == "init":
        assert bumping.init() == given((owner.producer_id, 2))
    elif request_ == "retry":
        assert bumping.end(owner) == next_
        assert bumping.now().state is TxnState.COMPLETE_COMMIT
    else:
        assert bumping.end(next_, commit=False) == ended((owner.producer_id, 2))


def test_a_coordinator_that_goes_before_it_wrote_the_completion_has_the_markers_written_again(
    world: TxnWorld,
) -> None:
    owner = world.opened()
    world.end(owner)
    world.markers.arrive()
    world.fail_over()
    assert len(world.markers.orders) == 2
    world.markers.finish()
    assert world.now().state is TxnState.COMPLETE_COMMIT


def test_a_shard_that_goes_cancels_its_orders_and_its_heir_sends_them_again(world: TxnWorld) -> None:
    owner = world.opened(A | B)
    world.end(owner)
    world.fail_over()
    assert len(world.markers.orders) == 2
    assert world.markers.orders[0] == world.markers.orders[1]
    assert world.markers.open_count == 1
    world.markers.finish()
    assert world.now().state is TxnState.COMPLETE_COMMIT


def test_refused_markers_leave_the_transaction_to_whoever_fenced_us(world: TxnWorld) -> None:
    owner = world.opened()
    world.end(owner)
    world.markers.finish(ErrorCode.TRANSACTION_COORDINATOR_FENCED)
    assert world.now().state is TxnState.PREPARE_COMMIT


def test_an_order_that_is_reported_done_twice_completes_one_transaction(bumping: TxnWorld) -> None:
    owner = bumping.opened()
    next_ = bumping.end(owner)
    _, done = bumping.markers._open[0]
    bumping.markers.finish()
    assert bumping.add(next_) is ErrorCode.NONE
    bumping.end(next_)
    done(ErrorCode.NONE)
    assert bumping.now().state is TxnState.PREPARE_COMMIT


# -- versions 0 and 1 ----------------------------------------------------------------------


@both
def test_plain_epochs_stay(plain: TxnWorld, commit: bool) -> None:
    owner = plain.opened()
    assert plain.end(owner, commit=commit) == Ended(ErrorCode.NONE)
    assert plain.now().producer_epoch == 0
    assert plain.end(owner, commit=commit) == Ended(ErrorCode.CONCURRENT_TRANSACTIONS)
    plain.markers.finish()
    assert plain.end(owner, commit=commit) == Ended(ErrorCode.NONE), "a retry"
    assert plain.end(owner, commit=not commit) == Ended(ErrorCode.INVALID_TXN_STATE)
    assert plain.now().state is complete(commit)


def test_plain_ends_without_a_transaction_are_refused(plain: TxnWorld) -> None:
    assert plain.end((5, 0)) == Ended(ErrorCode.INVALID_PRODUCER_ID_MAPPING)
    owner = plain.init()
    for commit in (True, False):
        assert plain.end(owner, commit=commit) == Ended(ErrorCode.INVALID_TXN_STATE)
    assert plain.end((owner.producer_id + 1, 0)) == Ended(ErrorCode.INVALID_PRODUCER_ID_MAPPING)
    assert plain.end((owner.producer_id, 1)) == Ended(ErrorCode.PRODUCER_FENCED)


# -- version 2 -----------------------------------------------------------------------------


@both
def test_every_end_gives_a_new_epoch(bumping: TxnWorld, commit: bool) -> None:
    owner = bumping.opened()
    next_ = bumping.end(owner, commit=commit)
    assert next_ == ended((owner.producer_id, 1))
    assert bumping.end(owner, commit=commit) == Ended(ErrorCode.CONCURRENT_TRANSACTIONS)
    bumping.markers.finish()
    assert bumping.end(owner, commit=commit) == next_, "a retry"
    assert bumping.add(next_) is ErrorCode.NONE
    assert bumping.end(owner, commit=commit) == Ended(ErrorCode.PRODUCER_FENCED), "too late for a retry"
    assert bumping.end(next_, commit=commit) == ended((owner.producer_id, 2))


def test_a_retry_does_not_change_what_was_decided(bumping: TxnWorld) -> None:
    owner = bumping.opened()
    bumping.end(owner, commit=True)
    bumping.markers.finish()
    assert bumping.end(owner, commit=False) == Ended(ErrorCode.INVALID_TXN_STATE)


def test_a_commit_that_was_overtaken_by_a_time_out_is_fenced(bumping: TxnWorld) -> None:
    """KAFKA-20785: not an error that kills the client."""
    owner = bumping.opened()
    bumping.wait(75)
    assert bumping.now().state is TxnState.PREPARE_ABORT
    assert bumping.end(owner) == Ended(ErrorCode.CONCURRENT_TRANSACTIONS)
    bumping.markers.finish()
    assert bumping.end(owner) == Ended(ErrorCode.PRODUCER_FENCED)
    assert bumping.end(owner, commit=False) == ended((owner.producer_id, 1)), "what it wanted"


def test_an_abort_without_partitions_gives_a_new_epoch(bumping: TxnWorld) -> None:
    owner = bumping.init()
    first = bumping.end(owner, commit=False)
    assert first == ended((owner.producer_id, 1))
    bumping.wait(0.02)
    assert bumping.now().state is TxnState.COMPLETE_ABORT
    assert bumping.markers.orders == []
    assert bumping.end(owner, commit=False) == first, "a retry"
    second = bumping.end(first, commit=False)
    assert second == ended((owner.producer_id, 2))
    bumping.add(second)
    third = bumping.end(second)
    bumping.markers.finish()
    assert bumping.end(third, commit=False) == ended((owner.producer_id, 4))


def test_a_commit_without_partitions_is_refused(bumping: TxnWorld) -> None:
    owner = bumping.init()
    assert bumping.end(owner) == Ended(ErrorCode.INVALID_TXN_STATE)
    bumping.add(owner)
    next_ = bumping.end(owner)
    bumping.markers.finish()
    assert bumping.end(next_) == Ended(ErrorCode.INVALID_TXN_STATE)
    assert bumping.end((owner.producer_id, 9)) == Ended(ErrorCode.PRODUCER_FENCED)
    assert bumping.end((owner.producer_id + 1, 0)) == Ended(ErrorCode.INVALID_PRODUCER_ID_MAPPING)


def test_an_old_client_ends_its_transactions_as_before_in_a_new_cluster(bumping: TxnWorld) -> None:
    owner = bumping.init()
    assert bumping.add(owner, version=0) is ErrorCode.NONE
    assert bumping.end(owner, version=0) == Ended(ErrorCode.NONE)
    assert bumping.markers.orders[0].producer_epoch == 0
    bumping.markers.finish()
    assert bumping.add(owner, version=0) is ErrorCode.NONE


@both
def test_an_epoch_that_was_fenced_is_not_a_retry_after_an_old_clients_transaction(
    bumping: TxnWorld, commit: bool
) -> None:
    zombie = bumping.init()
    owner = bumping.init()
    assert owner.producer_epoch == zombie.producer_epoch + 1
    bumping.add(owner, version=0)
    assert bumping.end(owner, version=0, commit=commit) == Ended(ErrorCode.NONE)
    bumping.markers.finish()
    assert bumping.end(zombie, commit=commit) == Ended(ErrorCode.PRODUCER_FENCED)


# -- no epoch left -------------------------------------------------------------------------


@both
def test_the_last_epoch_ends_with_a_new_producer_id(bumping: TxnWorld, commit: bool) -> None:
    old = bumping.at_epoch(MAX - 1)
    fresh = bumping.end(old, commit=commit)
    assert fresh == ended((old[0] + 1, 0))
    (order,) = bumping.markers.orders
    assert (order.producer_id, order.producer_epoch) == (old[0], MAX)
    assert bumping.add(fresh) is ErrorCode.CONCURRENT_TRANSACTIONS, "not a stranger"
    bumping.markers.finish()
    assert bumping.end(old, commit=commit) == fresh, "a retry"
    if commit:
        assert bumping.end(old, commit=False) == Ended(ErrorCode.INVALID_TXN_STATE)
    assert bumping.init(old) == given(fresh[1:]), "also a retry"
    assert bumping.add(fresh) is ErrorCode.NONE
    assert bumping.end(old, commit=commit).error is ErrorCode.INVALID_PRODUCER_ID_MAPPING


def test_a_new_producer_id_survives_a_failover_before_its_time(bumping: TxnWorld) -> None:
    old = bumping.at_epoch(MAX - 1)
    fresh = bumping.end(old)
    bumping.fail_over()
    bumping.markers.finish()
    assert bumping.now()[:2] == (ID, fresh.producer_id)
    bumping.fail_over()
    assert bumping.end(old) == fresh
    assert bumping.add(fresh) is ErrorCode.NONE


def test_without_a_producer_id_in_stock_the_end_waits(bumping: TxnWorld) -> None:
    old = bumping.at_epoch(MAX - 1)
    bumping.ids_left = 0
    assert bumping.end(old) == Ended(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
    assert bumping.now().state is TxnState.ONGOING


# -- time-outs -----------------------------------------------------------------------------


def test_a_transaction_that_takes_too_long_is_aborted_and_its_producer_fenced(world: TxnWorld) -> None:
    owner = world.opened()
    world.wait(59)
    assert world.now().state is TxnState.ONGOING
    world.wait(16)
    assert world.now().state is TxnState.PREPARE_ABORT
    (order,) = world.markers.orders
    assert (order.producer_epoch, order.committed) == (1, False)
    world.markers.finish()
    assert world.now().state is TxnState.COMPLETE_ABORT
    assert world.end(owner).error is ErrorCode.PRODUCER_FENCED
    assert world.add(owner) is ErrorCode.PRODUCER_FENCED


def test_a_time_out_at_the_last_epoch_gives_a_new_producer_id(world: TxnWorld) -> None:
    old = world.at_epoch(MAX - 1)
    world.wait(75)
    (order,) = world.markers.orders
    assert (order.producer_id, order.producer_epoch) == (old[0], MAX)
    world.markers.finish()
    if world.version == 2:
        assert (world.now().producer_id, world.now().producer_epoch) == (old[0] + 1, 0)
        assert world.end(old, commit=False) == ended((old[0] + 1, 0))
        assert world.end(old) == Ended(ErrorCode.PRODUCER_FENCED)
    assert world.init().error is ErrorCode.NONE
    assert world.now().producer_id > old[0]


def test_the_time_runs_on_over_a_failover(world: TxnWorld) -> None:
    world.opened()
    world.wait(30)
    world.fail_over()
    world.wait(29)
    assert world.now().state is TxnState.ONGOING
    world.wait(16)
    assert world.now().state is TxnState.PREPARE_ABORT


def test_only_what_is_open_times_out(world: TxnWorld) -> None:
    owner = world.opened()
    world.end(owner)
    world.wait(100)
    assert world.now().state is TxnState.PREPARE_COMMIT
    world.markers.finish()
    world.wait(100)
    assert world.now().state is TxnState.COMPLETE_COMMIT


def test_a_producer_asks_for_its_own_time(world: TxnWorld) -> None:
    short = world.init(timeout_ms=5_000)
    world.add(short)
    world.wait(16)
    assert world.now().state is TxnState.PREPARE_ABORT
    world.markers.finish()
    assert isinstance(world.init(timeout_ms=100_000), Given)
    assert world.now().timeout_ms == 100_000
