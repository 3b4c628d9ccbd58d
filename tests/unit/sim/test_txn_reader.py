"""What a read-committed client makes of a fetch answer."""

from __future__ import annotations

import pytest

from riverlog.protocol.generated.fetch_response import AbortedTransaction, PartitionData
from riverlog.records import BatchBuilder
from riverlog.records.control import end_txn_marker
from riverlog.sim.checkers import Violation
from riverlog.sim.cluster_txn_reader import visible_records


def batch(offset: int, *keys: str, producer_id: int = -1) -> bytes:
    builder = BatchBuilder(
        base_offset=offset,
        producer_id=producer_id,
        producer_epoch=0 if producer_id >= 0 else -1,
        base_sequence=0 if producer_id >= 0 else -1,
        transactional=producer_id >= 0,
    )
    for key in keys:
        builder.append(timestamp=0, key=key.encode(), value=b"")
    return builder.build()


def marker(offset: int, producer_id: int, *, commit: bool) -> bytes:
    return end_txn_marker(
        commit=commit,
        producer_id=producer_id,
        producer_epoch=0,
        coordinator_epoch=0,
        timestamp=0,
        base_offset=offset,
    )


def answer(*parts: bytes, aborted: list[tuple[int, int]], stable: int) -> PartitionData:
    return PartitionData(
        records=b"".join(parts),
        high_watermark=100,
        last_stable_offset=stable,
        aborted_transactions=[AbortedTransaction(producer_id=one, first_offset=at) for one, at in aborted],
    )


def test_aborted_records_are_hidden_and_others_are_not() -> None:
    data = answer(
        batch(0, "a", "b", producer_id=1),
        batch(2, "plain"),
        batch(3, "c", producer_id=2),
        marker(4, 1, commit=False),
        marker(5, 2, commit=True),
        stable=6,
        aborted=[(1, 0)],
    )
    assert visible_records("t", data, 0) == ([(2, "plain"), (3, "c")], 6)


def test_a_producer_is_visible_again_after_its_abort() -> None:
    data = answer(
        batch(0, "a", producer_id=1),
        marker(1, 1, commit=False),
        batch(2, "b", producer_id=1),
        marker(3, 1, commit=True),
        batch(4, "c", producer_id=1),
        marker(5, 1, commit=False),
        stable=6,
        aborted=[(1, 4), (1, 0)],
    )
    assert visible_records("t", data, 0) == ([(2, "b")], 6)


def test_records_before_the_position_are_left_out() -> None:
    data = answer(batch(0, "a", "b", "c"), stable=3, aborted=[])
    assert visible_records("t", data, 1) == ([(1, "b"), (2, "c")], 3)


def test_nothing_is_read_above_the_last_stable_offset() -> None:
    with pytest.raises(Violation, match="above the last stable 2"):
        visible_records("t", answer(batch(0, "a", "b", "c"), stable=2, aborted=[]), 0)
