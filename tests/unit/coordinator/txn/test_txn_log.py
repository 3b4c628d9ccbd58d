"""What the log holds: Kafka's records, loading, expiry, refused appends, power loss."""

from __future__ import annotations

from typing import Any

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import decode_record
from riverlog.coordinator.host import ShardState
from riverlog.coordinator.txn.records import read_transaction, tombstone, transaction_record
from riverlog.coordinator.txn.states import BEFORE, STATES_BY_NAME, TxnState
from riverlog.coordinator.txn.transaction import Transaction
from riverlog.protocol.errors import DecodeError
from riverlog.protocol.generated.transaction_log_value import TransactionLogValue
from riverlog.replication.policy import POLICY
from riverlog.sim.disk import Fault
from tests.unit.coordinator.txn.txn_world import ID, MAX, A, B, Stuck, TooFew, TxnWorld

MINUTES = 60.0
SHORT = {
    "transactional_id_expiration_ms": "600000",
    "transaction_remove_expired_transaction_cleanup_interval_ms": "60000",
}


@pytest.fixture(params=[0, 1, 2])
def world(request: pytest.FixtureRequest) -> TxnWorld:
    return TxnWorld(version=request.param)


def written(version: int, **fields: Any) -> tuple[bytes, bytes | None]:
    transaction = Transaction(ID, 8, 60_000, 7_000, TxnState.ONGOING, 3, -1, 8, -1, A | B, 5_000, 2)
    return transaction_record(transaction._replace(**fields), transaction_version=version).encode()


def test_records_are_kafkas_to_the_byte() -> None:
    """Against what Kafka 4.3's TransactionLog writes for the same transaction."""
    key, value = written(2)
    assert key == bytes.fromhex("00000008") + ID.encode()
    assert value == bytes.fromhex(
        "0001"  # version
        "0000000000000008" "0003" "0000ea60" "01"
        "03" "0261" "02" "00000000" "00" "0262" "02" "00000001" "00"
        "0000000000001b58" "0000000000001388"
        "02" "0008" "0000000000000008" "0202" "0002"
    )  # fmt: skip
    _, value = written(0, state=TxnState.EMPTY, partitions=frozenset(), client_version=0, start_ms=-1)
    assert value == bytes.fromhex(
        "0000" "0000000000000008" "0003" "0000ea60" "00" "ffffffff" "0000000000001b58" "ffffffffffffffff"
    )  # fmt: skip


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("state", list(BEFORE))
def test_a_record_is_read_back_as_it_was_written(version: int, state: TxnState) -> None:
    partitions = frozenset() if state is TxnState.EMPTY else A
    transaction = Transaction(ID, 9, 1, 2, state, 4, -1, 8, 10, partitions, 3, 1)
    key, value = transaction_record(transaction, transaction_version=version).encode()
    _, decoded = decode_record("transaction", key, value)
    assert isinstance(decoded, TransactionLogValue)
    assert read_transaction(ID, decoded, None) == transaction


def test_a_state_that_is_none_is_not_read() -> None:
    with pytest.raises(DecodeError):
        read_transaction(ID, TransactionLogValue(transaction_status=8), None)


def test_names_of_states_are_kafkas() -> None:
    assert sorted(STATES_BY_NAME) == [
        "CompleteAbort",
        "CompleteCommit",
        "Dead",
        "Empty",
        "Ongoing",
        "PrepareAbort",
        "PrepareCommit",
        "PrepareEpochFence",
    ]


def test_a_step_that_is_not_allowed_is_our_fault() -> None:
    transaction = Transaction(ID, 1, 1, 1)
    with pytest.raises(AssertionError):
        transaction.prepared(committed=True, client_version=0, now_ms=1)
    with pytest.raises(AssertionError):
        transaction.completed(now_ms=1)


# -- loading -------------------------------------------------------------------------------


def test_an_heir_knows_what_was_known(world: TxnWorld) -> None:
    owner = world.opened(A | B)
    before = world.now()
    world.fail_over()
    assert world.now() == before
    assert world.add(owner) is ErrorCode.NONE
    assert world.end(owner).error is ErrorCode.NONE


def test_a_broker_without_power_forgets_nothing_that_it_told(world: TxnWorld) -> None:
    owner = world.opened(A)
    next_ = world.end(owner)
    world.markers.finish()  # that it is complete is not told to anybody, and may be lost
    told = next_[1:] if world.version == 2 else owner[1:]
    world.kill()
    world.media = world.media.power_loss(world.rng.stream("power"))
    world.start()
    shards = world.broker.transactions.shards
    assert world.run_until(
        lambda: bool(shards) and all(one.state is ShardState.ACTIVE for one in shards.values())
    )
    machine = shards[world.broker.transactions.shard_of(ID)].machine
    found = machine.transactions[ID]
    assert found.state in (TxnState.PREPARE_COMMIT, TxnState.COMPLETE_COMMIT)
    assert (found.producer_id, found.producer_epoch) == told


# -- refusals ------------------------------------------------------------------------------


def test_an_answer_that_could_not_be_written_is_an_error_and_nothing_happens(world: TxnWorld) -> None:
    owner = world.opened()
    world.setup.faults.append(Fault("write", "__transaction_state"))
    answer = world.end(owner)
    assert answer.error is ErrorCode.NOT_COORDINATOR
    assert world.markers.orders == []
    assert world.host.shards[world.host.shard_of(ID)].state is ShardState.FAILED


def test_an_end_that_is_refused_for_want_of_replicas_did_not_happen(world: TxnWorld) -> None:
    owner = world.opened()
    partition = world.machine().shard.partition
    partition.policy = TooFew()
    assert world.end(owner).error is ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert world.now().state is TxnState.ONGOING
    partition.policy = POLICY
    world.wait(5)
    assert world.markers.orders == [], "nothing of what was refused comes true later"
    assert world.end(owner, commit=False).error is ErrorCode.NONE
    assert [order.committed for order in world.markers.orders] == [False]


def test_markers_wait_for_a_decision_that_is_committed_late(world: TxnWorld) -> None:
    owner = world.opened()
    partition = world.machine().shard.partition
    partition.policy = Stuck()
    assert world.end(owner).error is ErrorCode.COORDINATOR_NOT_AVAILABLE
    world.wait(12)
    assert world.markers.orders == []
    partition.policy = POLICY
    partition.advance()
    world.wait(1)
    assert [order.committed for order in world.markers.orders] == [True]
    world.markers.finish()
    assert world.now().state is TxnState.COMPLETE_COMMIT


def test_a_completion_that_is_refused_is_written_later(world: TxnWorld) -> None:
    owner = world.opened()
    world.end(owner)
    partition = world.machine().shard.partition
    partition.policy = TooFew()
    world.markers.finish()
    world.wait(3)
    assert world.now().state is TxnState.PREPARE_COMMIT
    partition.policy = POLICY
    world.wait(3)
    assert world.now().state is TxnState.COMPLETE_COMMIT


def test_a_time_out_waits_for_replicas(world: TxnWorld) -> None:
    world.opened()
    partition = world.machine().shard.partition
    partition.policy = TooFew()
    world.wait(100)
    assert world.now().state is TxnState.ONGOING
    partition.policy = POLICY
    world.wait(15)
    assert [order.committed for order in world.markers.orders] == [False]


# -- expiry --------------------------------------------------------------------------------


@pytest.fixture(params=[0, 2])
def short(request: pytest.FixtureRequest) -> TxnWorld:
    return TxnWorld(version=request.param, **SHORT)


def test_an_id_that_is_not_used_for_long_is_forgotten(short: TxnWorld) -> None:
    world = short
    world.init()
    world.wait(9.5 * MINUTES)
    assert ID in world.machine().transactions
    world.wait(2 * MINUTES)
    assert ID not in world.machine().transactions
    assert world.add((1_000, 0)) is ErrorCode.INVALID_PRODUCER_ID_MAPPING
    world.fail_over()
    assert ID not in world.machine().transactions
    assert world.init().producer_id == 1_001


def test_use_keeps_an_id(short: TxnWorld) -> None:
    world = short
    owner = world.init()
    world.wait(8 * MINUTES)
    world.add(owner)
    world.end(owner)
    world.markers.finish()
    world.wait(8 * MINUTES)
    assert ID in world.machine().transactions


def test_what_is_decided_and_not_told_does_not_expire(short: TxnWorld) -> None:
    world = short
    owner = world.opened()
    world.end(owner)
    world.wait(12 * MINUTES)
    assert world.now().state is TxnState.PREPARE_COMMIT


def test_a_tombstone_is_a_key_without_a_value() -> None:
    assert tombstone(ID).encode()[1] is None


def test_epochs_do_not_overflow() -> None:
    transaction = Transaction(ID, 1, 1, 1, TxnState.ONGOING, MAX)
    assert transaction.fenced(server_version=0, now_ms=1).producer_epoch == MAX
    assert transaction.fenced(server_version=2, now_ms=1).producer_epoch == MAX
