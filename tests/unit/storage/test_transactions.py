"""Guards of transactions that begin, markers that end them, and what a ``read_committed`` reader is told."""

from __future__ import annotations

import pytest
from storage_world import NOW, World, batch, sync

from riverlog.base.errors import ErrorCode
from riverlog.records import BatchBuilder, crc_ok, end_txn_marker, iter_headers, read_header
from riverlog.sim.disk import Fault
from riverlog.storage import UNVERIFIED, AppendError, AppendInfo, Log, LogConfig, LogError, VerificationGuard
from riverlog.storage.markers import marker_batch, read_marker
from riverlog.storage.verification import GUARDS_MAX, is_after

PRODUCER = 5
LAST = (1 << 31) - 1


def begin(
    log: Log, sequence: int = 0, *, producer_id: int = PRODUCER, epoch: int = 0, starts_at_zero: bool = False
) -> VerificationGuard | None:
    return log.begin_verification(producer_id, epoch, sequence, starts_at_zero=starts_at_zero)


def send(
    log: Log,
    sequence: int,
    guard: VerificationGuard | None = UNVERIFIED,
    *,
    count: int = 1,
    producer_id: int = PRODUCER,
    epoch: int = 0,
    transactional: bool = True,
) -> AppendInfo:
    data, header = batch(
        [b"v"] * count,
        producer_id=producer_id,
        producer_epoch=epoch,
        sequence=sequence,
        transactional=transactional,
    )
    return log.append_as_leader(data, header, leader_epoch=0, now_ms=NOW, guard=guard)


def end(
    log: Log,
    *,
    committed: bool = True,
    producer_id: int = PRODUCER,
    epoch: int = 0,
    coordinator_epoch: int = 0,
    version: int = 0,
) -> AppendInfo:
    return log.append_marker(
        producer_id,
        epoch,
        coordinator_epoch=coordinator_epoch,
        committed=committed,
        transaction_version=version,
        leader_epoch=0,
        now_ms=NOW,
    )


def refused(log: Log, sequence: int, guard: VerificationGuard | None = None, **given: int) -> ErrorCode:
    before = log.log_end_offset
    with pytest.raises(AppendError) as raised:
        send(log, sequence, guard, **given)  # type: ignore[arg-type]
    assert log.log_end_offset == before
    return raised.value.code


def marker_refused(log: Log, **given: int) -> ErrorCode:
    before = log.log_end_offset
    with pytest.raises(AppendError) as raised:
        end(log, **given)  # type: ignore[arg-type]
    assert log.log_end_offset == before
    return raised.value.code


# -- guards ------------------------------------------------------------------------------


def test_transaction_begins_only_with_the_guard_that_stands() -> None:
    log = World().open()
    assert refused(log, 0) == ErrorCode.INVALID_TXN_STATE
    assert refused(log, 0, VerificationGuard(0, 0, starts_at_zero=False)) == ErrorCode.INVALID_TXN_STATE
    guard = begin(log)
    assert guard is not None
    assert send(log, 0, guard).first_offset == 0
    assert begin(log, 1) is None, "it is open: nothing to ask"
    assert send(log, 1, None).first_offset == 1


def test_marker_takes_the_guard_away() -> None:
    log = World().open()
    send(log, 0, begin(log))
    end(log)
    guard = begin(log, 1)
    end(log, committed=False)
    assert refused(log, 1, guard) == ErrorCode.INVALID_TXN_STATE
    again = begin(log, 1)
    assert again is not guard
    assert send(log, 1, again).duplicate is False


def test_marker_of_a_follower_takes_the_guard_away() -> None:
    world = World()
    log = world.open()
    send(log, 0, begin(log))
    guard = begin(log, 0, producer_id=6)
    other = World().open()
    send(other, 0)
    send(other, 0, producer_id=6)
    end(other, producer_id=6)
    piece = other.read(1, max_bytes=1 << 20, end_offset=3)
    assert piece is not None
    log.append_as_follower(piece.read())
    assert len(log.producers.verifications) == 0
    assert refused(log, 1, guard, producer_id=6) == ErrorCode.INVALID_TXN_STATE


def test_pipelined_batches_share_a_guard_and_keep_their_order() -> None:
    log = World().open()
    first = begin(log, 0)
    second = begin(log, 3)
    assert second is first
    assert refused(log, 3, second) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    send(log, 0, first, count=3)
    assert send(log, 3, second).first_offset == 3


def test_lowest_sequence_counts_in_whatever_order_they_come() -> None:
    log = World().open()
    later = begin(log, 3)
    assert begin(log, 0) is later
    assert refused(log, 3, later) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def test_guard_belongs_to_one_epoch() -> None:
    log = World().open()
    old = begin(log, 4, epoch=0)
    new = begin(log, 0, epoch=1)
    assert new is not old
    assert refused(log, 4, old, epoch=0) == ErrorCode.INVALID_TXN_STATE
    late = begin(log, 4, epoch=0)
    assert refused(log, 4, late, epoch=0) == ErrorCode.INVALID_TXN_STATE
    assert send(log, 0, new, epoch=1).first_offset == 0


def test_new_epoch_does_not_join_the_open_transaction_of_the_old_one() -> None:
    log = World().open()
    send(log, 0, epoch=5)
    guard = begin(log, 0, epoch=6, starts_at_zero=True)
    assert guard is not None, "another transaction: the coordinator is asked"
    assert refused(log, 0, guard, epoch=6) == ErrorCode.CONCURRENT_TRANSACTIONS
    end(log, epoch=6, version=2)
    assert refused(log, 0, guard, epoch=6) == ErrorCode.INVALID_TXN_STATE
    assert send(log, 0, begin(log, 0, epoch=6), epoch=6).first_offset == 2


def test_without_verification_the_next_epoch_ends_what_a_late_batch_began() -> None:
    log = World().open()
    send(log, 0, epoch=5)
    end(log, epoch=5, version=1)
    send(log, 1, epoch=5)  # late: its marker was there before it
    send(log, 0, epoch=6)
    end(log, epoch=6, version=1)
    log.high_watermark = log.log_end_offset
    assert log.last_stable_offset == log.log_end_offset


def test_epoch_per_transaction_starts_at_zero() -> None:
    log = World().open()
    guard = begin(log, 2, starts_at_zero=True)
    assert refused(log, 2, guard) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    send(log, 0, begin(log, 0, starts_at_zero=True))
    end(log, epoch=1, version=2)
    guard = begin(log, 1, epoch=1, starts_at_zero=True)
    assert refused(log, 1, guard, epoch=1) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert send(log, 0, begin(log, 0, epoch=1, starts_at_zero=True), epoch=1).first_offset == 2


def test_late_duplicate_asks_nothing_and_leaves_no_guard() -> None:
    log = World().open()
    send(log, 0, begin(log))
    end(log)
    assert begin(log, 0) is None
    assert send(log, 0, None).duplicate
    assert send(log, 1, begin(log, 1)).first_offset == 2, "the next transaction waits for nothing"


def test_guards_that_come_to_nothing_expire() -> None:
    log = World().open()
    guard = begin(log)
    log.producers.remove_expired(NOW, 1000)
    log.producers.remove_expired(NOW + 999, 1000)
    assert begin(log) is guard
    log.producers.remove_expired(NOW + 1000, 1000)
    assert begin(log) is not guard


def test_only_so_many_guards_stand_at_once() -> None:
    """INVARIANTS 26: a client may name any producer."""
    log = World().open()
    for producer_id in range(GUARDS_MAX + 1):
        begin(log, producer_id=producer_id)
    assert len(log.producers.verifications) == GUARDS_MAX
    newest = begin(log, producer_id=GUARDS_MAX)
    assert begin(log, producer_id=GUARDS_MAX) is newest


def test_guard_is_not_asked_of_batches_outside_transactions() -> None:
    log = World().open()
    assert send(log, 0, None, transactional=False).first_offset == 0


def test_batches_of_coordinators_have_no_sequence() -> None:
    log = World().open()
    guard = begin(log, -1, epoch=2)
    assert send(log, -1, guard, epoch=2).first_offset == 0
    again = send(log, -1, None, epoch=2)
    assert (again.first_offset, again.duplicate) == (1, False)
    assert refused(log, -1, UNVERIFIED, epoch=1) == ErrorCode.INVALID_PRODUCER_EPOCH
    assert refused(log, -1, UNVERIFIED, epoch=2, transactional=False) == ErrorCode.INVALID_TXN_STATE


@pytest.mark.parametrize(
    ("sequence", "other", "expected"),
    [(1, 0, True), (0, 1, False), (3, 3, False), (0, LAST, True), (LAST, 0, False), (5, LAST - 5, True)],
)
def test_sequences_are_compared_over_the_wrap(sequence: int, other: int, expected: bool) -> None:
    assert is_after(sequence, other) is expected


# -- markers -----------------------------------------------------------------------------


def test_marker_is_a_control_batch_of_the_leader() -> None:
    log = World().open()
    send(log, 0, epoch=3)
    info = log.append_marker(
        PRODUCER,
        3,
        coordinator_epoch=9,
        committed=False,
        transaction_version=0,
        leader_epoch=4,
        now_ms=NOW + 1,
    )
    piece = log.read(1, max_bytes=1 << 20, end_offset=2)
    assert piece is not None
    ((_, header),) = iter_headers(piece.read())
    assert (info.first_offset, header.is_control, header.is_transactional) == (1, True, True)
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (PRODUCER, 3, -1)
    assert (header.partition_leader_epoch, header.max_timestamp) == (4, NOW + 1)
    state = log.producers.entries[PRODUCER]
    assert (state.coordinator_epoch, state.txn_first_offset, state.last_sequence) == (9, -1, 0)


@pytest.mark.parametrize("committed", [True, False])
def test_marker_has_the_bytes_of_any_other_builder(committed: bool) -> None:
    given = {"producer_id": 1 << 40, "producer_epoch": 32767, "coordinator_epoch": 12, "timestamp": NOW}
    data, header = marker_batch(committed=committed, **given)
    assert bytes(data) == end_txn_marker(commit=committed, **given)
    assert len(data) == 78, "as in Kafka"
    assert read_header(data, 0).crc == header.crc
    assert crc_ok(data, 0, header)
    assert read_marker(data, 0, header) == (not committed, 12, NOW)


def test_marker_of_another_form_is_read_too() -> None:
    builder = BatchBuilder(producer_id=1, producer_epoch=0, transactional=True, control=True)
    builder.append(timestamp=NOW, key=b"\0\0\0\1", value=b"\0\0\0\0\0\7", headers=[("h", b"")])
    data = builder.build()
    assert read_marker(data, 0, read_header(data, 0)) == (False, 7, NOW)


def test_marker_twice_is_written_once() -> None:
    log = World().open()
    send(log, 0)
    assert end(log, epoch=1, version=2).first_offset == 1
    send(log, 0, producer_id=6, transactional=False)
    again = end(log, epoch=1, version=2)
    assert (again.duplicate, again.last_offset, log.log_end_offset) == (True, 2, 3)


def test_marker_of_a_later_coordinator_is_written_again() -> None:
    log = World().open()
    send(log, 0)
    end(log, epoch=1, version=2, coordinator_epoch=1)
    assert not end(log, epoch=1, version=2, coordinator_epoch=2).duplicate
    assert marker_refused(log, epoch=1, version=2, coordinator_epoch=1) == (
        ErrorCode.TRANSACTION_COORDINATOR_FENCED
    )


def test_late_marker_does_not_end_the_next_transaction() -> None:
    log = World().open()
    send(log, 0, epoch=0)
    end(log, epoch=1, version=2)
    send(log, 0, epoch=1)
    assert marker_refused(log, epoch=1, version=2) == ErrorCode.INVALID_PRODUCER_EPOCH
    assert marker_refused(log, epoch=0, version=2) == ErrorCode.INVALID_PRODUCER_EPOCH
    assert log.producers.entries[PRODUCER].txn_first_offset == 2
    assert not end(log, epoch=2, version=2).duplicate
    assert not log.producers.ongoing


def test_before_version_two_the_epoch_stays() -> None:
    log = World().open()
    send(log, 0)
    assert end(log, version=1).first_offset == 1
    assert send(log, 1).first_offset == 2


def test_last_epoch_ends_itself() -> None:
    log = World().open()
    send(log, 0, epoch=32767)
    assert not end(log, epoch=32767, version=2).duplicate
    assert not log.producers.ongoing


def test_marker_fences_a_producer_the_log_never_saw() -> None:
    log = World().open()
    assert not end(log, epoch=4, version=2).duplicate
    assert refused(log, 0, UNVERIFIED, epoch=3) == ErrorCode.INVALID_PRODUCER_EPOCH


# -- readers -----------------------------------------------------------------------------


def test_reader_is_told_of_aborts_in_what_it_gets_only() -> None:
    log = World().open(LogConfig(index_interval_bytes=100))
    for turn in range(40):
        send(log, turn)
        end(log, committed=False)
    log.high_watermark = log.log_end_offset
    stable = log.last_stable_offset
    assert stable == 80
    piece = log.read(20, max_bytes=400, end_offset=stable)
    assert piece is not None
    (*_, (_, last)) = iter_headers(piece.read())
    told = [one.first_offset for one in log.aborted_in(piece, 20, stable)]
    needed = list(range(20, last.next_offset, 2))
    assert told[: len(needed)] == needed
    assert len(told) <= len(needed) + 3, "the index is that coarse"


def test_reader_is_told_of_an_abort_that_ends_far_away() -> None:
    log = World().open(LogConfig(segment_bytes=300, index_interval_bytes=100))
    send(log, 0, producer_id=1)
    for turn in range(30):
        send(log, turn, producer_id=2)
        end(log, producer_id=2, committed=turn % 2 == 0)
    send(log, 1, producer_id=1)
    end(log, producer_id=1, committed=False)
    log.high_watermark = log.log_end_offset
    assert len(log.segments) > 5
    piece = log.read(1, max_bytes=100, end_offset=log.last_stable_offset)
    assert piece is not None
    assert (1, 0) in [(one.producer_id, one.first_offset) for one in log.aborted_in(piece, 1, 64)]
    assert len(log.aborted_in(piece, 1, 64)) < 5


def test_open_transaction_outlives_its_producers_expiry_and_a_restart() -> None:
    world = World()
    log = world.open(LogConfig(segment_bytes=200))
    send(log, 0)
    for sequence in range(5):
        send(log, sequence, producer_id=6, transactional=False)
    sync(log, world)
    world = world.killed()
    log = world.open(LogConfig(segment_bytes=200), now_ms=NOW + 10**12, recovery_point=6)
    log.high_watermark = log.log_end_offset
    log.producers.remove_expired(NOW + 10**12, 1000)
    assert log.last_stable_offset == 0
    state = log.producers.entries[PRODUCER]
    assert (state.txn_first_offset, state.coordinator_epoch) == (0, -1)
    end(log, committed=False)
    log.high_watermark = log.log_end_offset
    assert log.last_stable_offset == log.log_end_offset


def test_index_of_aborts_that_cannot_be_written_takes_the_log_offline() -> None:
    world = World()
    log = world.open()
    send(log, 0)
    world.setup.faults.append(Fault("write", "txnindex"))
    with pytest.raises(LogError) as raised:
        end(log, committed=False)
    assert raised.value.code == ErrorCode.KAFKA_STORAGE_ERROR
    assert log.offline is not None
