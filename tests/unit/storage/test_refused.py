"""Batches that were refused before they reached the log, and those behind them."""

from __future__ import annotations

import pytest
from storage_world import NOW, World, batch

from riverlog.base.errors import ErrorCode
from riverlog.storage import AppendError, AppendInfo, Log, RefusedSequences
from riverlog.storage.refused import REFUSED_MAX, REMEMBERED_MS

LAST = (1 << 31) - 1


def refuse(log: Log, sequence: int, *, epoch: int = 0, producer_id: int = 5, now_ms: int = NOW) -> None:
    log.note_refused(batch(producer_id=producer_id, producer_epoch=epoch, sequence=sequence)[1], now_ms)


def send(log: Log, sequence: int, *, epoch: int = 0, producer_id: int = 5, now_ms: int = NOW) -> AppendInfo:
    data, header = batch(producer_id=producer_id, producer_epoch=epoch, sequence=sequence)
    return log.append_as_leader(data, header, leader_epoch=0, now_ms=now_ms)


def must_wait(log: Log, sequence: int, **given: int) -> bool:
    try:
        send(log, sequence, **given)
    except AppendError as error:
        return error.code == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    return False


def test_nothing_overtakes_a_refused_batch() -> None:
    log = World().open()
    refuse(log, 0)
    refuse(log, 2)
    assert must_wait(log, 1)
    assert must_wait(log, 2)
    assert send(log, 0).first_offset == 0
    assert send(log, 1).first_offset == 1
    assert log.refused is not None
    assert len(log.refused) == 0


def test_producer_that_went_on_elsewhere_waits_for_nothing() -> None:
    """It was refused here, written to another leader, and is known by now."""
    log = World().open()
    refuse(log, 0)
    data, _ = batch(producer_id=5, producer_epoch=0, sequence=0)
    log.append_as_follower(data)
    assert send(log, 1).first_offset == 1


def test_other_producers_and_epochs_wait_for_nothing() -> None:
    log = World().open()
    refuse(log, 3)
    assert not must_wait(log, 7, producer_id=6)
    assert not must_wait(log, 9, epoch=1)


def test_batch_that_nobody_sends_again_is_forgotten() -> None:
    log = World().open()
    refuse(log, 0)
    assert must_wait(log, 4, now_ms=NOW + REMEMBERED_MS - 1)
    assert not must_wait(log, 4, now_ms=NOW + REMEMBERED_MS)


def test_sequences_wrap() -> None:
    log = World().open()
    refuse(log, LAST)
    refuse(log, 0)
    assert must_wait(log, 0)
    assert not must_wait(log, LAST)


def test_only_so_many_are_remembered() -> None:
    refused = RefusedSequences()
    for producer_id in range(REFUSED_MAX + 10):
        refused.note(batch(producer_id=producer_id, producer_epoch=0, sequence=0)[1], NOW)
    assert len(refused) == REFUSED_MAX
    header = batch(producer_id=0, producer_epoch=0, sequence=1)[1]
    refused.check(header, NOW, is_known=False)
    header = batch(producer_id=10, producer_epoch=0, sequence=1)[1]
    with pytest.raises(AppendError):
        refused.check(header, NOW, is_known=False)


def test_batches_without_a_producer_leave_no_trace() -> None:
    refused = RefusedSequences()
    refused.note(batch()[1], NOW)
    assert len(refused) == 0
