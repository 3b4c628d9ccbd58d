"""The host and transactions: one batch with its producer, the marker behind it, nothing told too early.

Also what it does while too few replicas are in sync: refuse, and serve on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import CoordinatorRecord, Decision, Reply
from riverlog.coordinator.host import MARKER_TIMEOUT_SECONDS, REFUSED_RETRY_SECONDS, Shard, ShardState
from riverlog.records import decode_records, iter_headers
from riverlog.replication.policy import POLICY, ReplicationPolicy
from riverlog.storage import VerificationGuard
from riverlog.storage.markers import read_marker
from tests.unit.coordinator.test_coordinator_host import (
    HostWorld,
    Notes,
    deciding,
    load_again,
    record,
    shard_of_g,
)

PRODUCER, EPOCH = 7, 3


@pytest.fixture
def world() -> HostWorld:
    return HostWorld()


def deciding_in_transaction(
    records: list[CoordinatorRecord],
    to: Callable[[Any], None],
    guard: VerificationGuard | None,
    *,
    epoch: int = EPOCH,
) -> Callable[[Notes, int], Decision]:
    return lambda machine, now_ms: Decision(
        records,
        [Reply(to, "done", lambda error: error)],
        atomic=False,
        producer_id=PRODUCER,
        producer_epoch=epoch,
        guard=guard,
    )


def verified(shard: Shard[Notes], epoch: int = EPOCH) -> VerificationGuard | None:
    return shard.partition.begin_coordinator_verification(PRODUCER, epoch)


def mark(
    world: HostWorld,
    done: Callable[[ErrorCode], None],
    *,
    index: int | None = None,
    epoch: int = EPOCH,
    coordinator_epoch: int = 1,
    committed: bool = True,
    version: int = 1,
) -> None:
    world.host.write_marker(
        shard_of_g(world).index if index is None else index,
        PRODUCER,
        epoch,
        coordinator_epoch=coordinator_epoch,
        committed=committed,
        transaction_version=version,
        done=done,
    )


def batches(shard: Shard[Notes]) -> list[tuple[Any, memoryview, int]]:
    log = shard.partition.log
    part = log.read(log.log_start_offset, max_bytes=1 << 24, end_offset=log.log_end_offset)
    if part is None:
        return []
    data = memoryview(part.read())
    return [(header, data, position) for position, header in iter_headers(data)]


# -- records of a transaction --------------------------------------------------------------


def test_records_of_a_transaction_are_one_batch_with_its_producer(world: HostWorld) -> None:
    shard = shard_of_g(world)
    got: list[Any] = []
    for numbers in ((1, 2), (3,)):
        world.host.submit(
            "g",
            deciding_in_transaction([record(number) for number in numbers], got.append, verified(shard)),
        )
    assert shard.machine.replayed == [(0, 1, True), (1, 2, True), (2, 3, True)]
    assert shard.machine.producers == [PRODUCER] * 3
    assert got == []
    assert world.run_until(lambda: len(got) == 2)
    assert got == ["done", "done"]
    found = batches(shard)
    assert [(header.base_offset, header.record_count) for header, _, _ in found] == [(0, 2), (2, 1)]
    for header, _, _ in found:
        assert header.is_transactional
        assert not header.is_control
        assert (header.producer_id, header.producer_epoch) == (PRODUCER, EPOCH)
        assert header.base_sequence == 0, "as Kafka writes it; its compaction refuses a negative one"
    again = load_again(world)
    assert again.machine.replayed == shard.machine.replayed
    assert again.machine.producers == shard.machine.producers


def test_records_of_a_transaction_are_never_split(world: HostWorld) -> None:
    shard = shard_of_g(world)
    got: list[Any] = []
    records = [record(number, size=30_000) for number in range(40)]
    world.host.submit("g", deciding_in_transaction(records, got.append, verified(shard)))
    assert got == [ErrorCode.UNKNOWN_SERVER_ERROR]
    assert shard.machine.replayed == []
    assert shard.partition.log.log_end_offset == 0


def test_a_transaction_that_nobody_verified_is_refused_and_the_shard_serves_on(world: HostWorld) -> None:
    shard = shard_of_g(world)
    got: list[Any] = []
    world.host.submit("g", deciding_in_transaction([record(1)], got.append, None))
    assert got == [ErrorCode.INVALID_TXN_STATE]
    assert shard.machine.replayed == []
    assert shard.state is ShardState.ACTIVE
    world.host.submit("g", deciding([record(2)], got.append))
    assert world.run_until(lambda: len(got) == 2)
    assert got[1:] == ["done"]


def test_a_marker_takes_the_guard_of_a_late_commit_away(world: HostWorld) -> None:
    """INVARIANTS 13: verified before the transaction ended, written after."""
    shard = shard_of_g(world)
    got: list[Any] = []
    guard = verified(shard)
    assert guard is not None
    mark(world, got.append, committed=False)
    world.host.submit("g", deciding_in_transaction([record(1)], got.append, guard))
    assert got == [ErrorCode.INVALID_TXN_STATE]
    assert shard.machine.replayed == []
    assert world.run_until(lambda: len(got) == 2)
    assert got[1:] == [ErrorCode.NONE]


def test_an_old_epoch_of_the_producer_is_refused_and_the_shard_serves_on(world: HostWorld) -> None:
    """INVARIANTS 10."""
    shard = shard_of_g(world)
    got: list[Any] = []
    world.host.submit("g", deciding_in_transaction([record(1)], lambda _: None, verified(shard)))
    mark(world, lambda _: None, epoch=EPOCH + 1)
    world.host.submit("g", deciding_in_transaction([record(2)], got.append, verified(shard)))
    assert got == [ErrorCode.INVALID_PRODUCER_EPOCH]
    assert [number for _, number, _ in shard.machine.replayed] == [1]
    assert shard.state is ShardState.ACTIVE


# -- markers -------------------------------------------------------------------------------


@pytest.mark.parametrize("committed", [True, False])
def test_a_marker_is_replayed_at_once_and_told_when_it_is_committed(
    world: HostWorld, committed: bool
) -> None:
    shard = shard_of_g(world)
    got: list[Any] = []
    world.host.submit("g", deciding_in_transaction([record(1)], lambda _: None, verified(shard)))
    mark(world, got.append, committed=committed, coordinator_epoch=5)
    assert shard.machine.markers == [(PRODUCER, committed)]
    assert got == []
    assert world.run_until(lambda: bool(got))
    assert got == [ErrorCode.NONE]
    assert shard.partition.high_watermark == 2
    header, data, position = batches(shard)[-1]
    assert header.is_control
    assert (header.producer_id, header.producer_epoch) == (PRODUCER, EPOCH)
    marker = read_marker(data, position, header)
    assert marker is not None
    assert (marker.aborted, marker.coordinator_epoch) == (not committed, 5)
    assert len(decode_records(data, position, header, max_bytes=1000)) == 1
    assert load_again(world).machine.markers == [(PRODUCER, committed)]


def test_a_reader_waits_for_the_marker_it_saw(world: HostWorld) -> None:
    got: list[Any] = []
    mark(world, lambda error: got.append(("marker", error)))
    world.host.submit("g", deciding([], got.append))
    assert got == []
    assert world.run_until(lambda: len(got) == 2)
    assert got == [("marker", ErrorCode.NONE), "done"]


@pytest.mark.parametrize("state", ["absent", "loading", "failed", "short of replicas"])
def test_a_shard_that_is_not_ready_takes_no_marker(world: HostWorld, state: str) -> None:
    shard = shard_of_g(world)
    got: list[Any] = []
    if state == "short of replicas":
        shard.partition.policy = TooFew()
    elif state != "absent":
        shard.state = ShardState.LOADING if state == "loading" else ShardState.FAILED
    mark(world, got.append, index=77 if state == "absent" else None)
    assert got == [ErrorCode.NOT_LEADER_OR_FOLLOWER], "the coordinator tries again"
    assert shard.machine.markers == []
    assert shard.partition.log.log_end_offset == 0


def test_a_fenced_marker_is_refused_and_changes_nothing(world: HostWorld) -> None:
    shard = shard_of_g(world)
    got: list[Any] = []
    mark(world, lambda _: None, coordinator_epoch=5)
    world.host.submit("g", deciding_in_transaction([record(1)], lambda _: None, verified(shard)))
    mark(world, got.append, coordinator_epoch=4)
    mark(world, got.append, coordinator_epoch=5, epoch=EPOCH - 1)
    assert got == [ErrorCode.TRANSACTION_COORDINATOR_FENCED, ErrorCode.INVALID_PRODUCER_EPOCH]
    assert shard.machine.markers == [(PRODUCER, True)]
    assert shard.state is ShardState.ACTIVE


def test_a_marker_sent_twice_ends_one_transaction(world: HostWorld) -> None:
    shard = shard_of_g(world)
    got: list[Any] = []
    world.host.submit("g", deciding_in_transaction([record(1)], lambda _: None, verified(shard)))
    for _ in range(2):
        mark(world, got.append, epoch=EPOCH + 1, version=2)
    assert shard.machine.markers == [(PRODUCER, True)]
    assert shard.partition.log.log_end_offset == 2
    assert world.run_until(lambda: len(got) == 2)
    assert got == [ErrorCode.NONE, ErrorCode.NONE], "the second waits like the first"


def test_a_marker_that_is_not_committed_in_time_is_told_so(world: HostWorld) -> None:
    shard_of_g(world).partition.policy = Stuck()
    got: list[Any] = []
    started = world.scheduler.now
    mark(world, got.append)
    assert world.run_until(lambda: bool(got))
    assert got == [ErrorCode.REQUEST_TIMED_OUT]
    assert world.scheduler.now - started == pytest.approx(MARKER_TIMEOUT_SECONDS)


def test_a_shard_that_is_lost_before_the_marker_is_committed_says_so(world: HostWorld) -> None:
    got: list[Any] = []
    mark(world, got.append)
    shard_of_g(world).partition.fail_waiters(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    assert got == [ErrorCode.NOT_LEADER_OR_FOLLOWER]


# -- too few replicas in sync --------------------------------------------------------------


class Stuck(ReplicationPolicy):
    """No follower ever has what the leader has."""

    def watermark(
        self, *, current: int, own_end: int, follower_ends: Iterable[int], isr_size: int, min_isr: int
    ) -> int:
        return current


class TooFew(ReplicationPolicy):
    def accepts(self, *, isr_size: int, min_isr: int) -> bool:
        return False


def test_too_few_replicas_refuse_a_change_and_the_shard_serves_on(world: HostWorld) -> None:
    """INVARIANTS 8."""
    shard = shard_of_g(world)
    got: list[Any] = []
    taken_back: list[ErrorCode] = []
    shard.partition.policy = TooFew()
    world.host.submit("g", deciding([record(1)], got.append))
    world.host.submit("g", lambda machine, now_ms: Decision([record(1)], on_refused=taken_back.append))
    assert got == [ErrorCode.COORDINATOR_NOT_AVAILABLE]
    assert taken_back == [ErrorCode.COORDINATOR_NOT_AVAILABLE]
    assert shard.machine.refusals == [(1, ErrorCode.COORDINATOR_NOT_AVAILABLE)] * 2
    assert shard.machine.replayed == []
    assert shard.partition.log.log_end_offset == 0
    world.host.submit("g", deciding([], got.append))
    assert got[1:] == ["done"], "what is committed can be read"
    shard.partition.policy = POLICY
    world.host.submit("g", deciding([record(1)], got.append))
    assert world.run_until(lambda: len(got) == 3)
    assert got[2:] == ["done"]
    assert shard.machine.gone is None


def test_a_timer_waits_until_its_change_can_be_written(world: HostWorld) -> None:
    shard = shard_of_g(world)
    fired: list[float] = []

    def note(machine: Notes, now_ms: int) -> Decision:
        fired.append(world.scheduler.now)
        return Decision([record(1)])

    shard.partition.policy = TooFew()
    start = world.scheduler.now
    shard.schedule("x", 1_000, note)
    world.wait(3.1)
    assert fired == []
    shard.partition.policy = POLICY
    world.wait(10)
    assert fired == [pytest.approx(start + 1.0 + 5 * REFUSED_RETRY_SECONDS)]
    assert shard.machine.replayed == [(0, 1, True)]
