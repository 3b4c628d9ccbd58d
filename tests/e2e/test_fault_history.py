"""The checker of the fault run notices what it is there for."""

from __future__ import annotations

import pytest
from e2ekit.fault_history import (
    GroupNotes,
    Place,
    ProducerNotes,
    ReaderNotes,
    Record,
    check_group,
    check_producer,
    check_reader,
)


def log_of(*values: str) -> dict[int, list[Record]]:
    return {0: [Record(b"k", value.encode()) for value in values]}


def producer(sent: int, **acknowledged: int) -> ProducerNotes:
    return ProducerNotes(
        "p", 1, sent, {int(number[1:]): Place(0, offset) for number, offset in acknowledged.items()}
    )


def test_a_good_history() -> None:
    check_producer(producer(4, n0=0, n1=2, n3=-1), log_of("1.0", "2.0", "1.1", "1.3"))


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        (["1.0"], "lost 1"),
        (["1.0", "1.1", "1.1"], "is at"),
        (["1.1", "1.0"], "comes after"),
        (["2.0", "1.0", "1.1"], "was said to be"),
        (["1.0", "1.1", "1.2"], "never sent"),
    ],
)
def test_bad_logs(values: list[str], complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check_producer(producer(2, n0=0, n1=1), log_of(*values))


def test_a_refused_record() -> None:
    notes = producer(1, n0=0)
    notes.refused.append("1: timed out")
    with pytest.raises(AssertionError, match="refused"):
        check_producer(notes, log_of("1.0"))


def test_a_reader_that_saw_something_else_or_less() -> None:
    notes = ReaderNotes("r")
    notes.saw(Place(0, 0), b"1.0")
    with pytest.raises(AssertionError, match=r"was b'1\.0'"):
        check_reader(notes, log_of("1.7"))
    with pytest.raises(AssertionError, match="saw 1 of 2"):
        check_reader(notes, log_of("1.0", "1.1"))
    with pytest.raises(AssertionError, match="after 0"):
        notes.saw(Place(0, 2), b"1.2")


def member(name: str, assigned_at: int, *offsets: int) -> GroupNotes:
    notes = GroupNotes(name, "g")
    notes.assigned(assigned_at, [0])
    for offset in offsets:
        notes.saw(Place(0, offset), b"1.%d" % offset)
    return notes


def test_a_group_that_hands_over() -> None:
    one, two = member("one", 10, 0, 1), member("two", 30, 1, 2)
    one.committed(20, {0: 1})
    two.committed(40, {0: 3})
    check_group([one, two], log_of("1.0", "1.1", "1.2"), {0: 3})


def test_a_member_that_begins_before_what_was_committed() -> None:
    one, two = member("one", 10, 0, 1), member("two", 30, 1, 2)
    one.committed(20, {0: 2})
    with pytest.raises(AssertionError, match="two began at"):
        check_group([one, two], log_of("1.0", "1.1", "1.2"), {0: 3})


def test_a_group_that_misses_a_record_or_loses_a_commit() -> None:
    one = member("one", 10, 0, 1)
    one.committed(20, {0: 2})
    with pytest.raises(AssertionError, match="never got 1"):
        check_group([one], log_of("1.0", "1.1", "1.2"), {0: 2})
    with pytest.raises(AssertionError, match="is lost"):
        check_group([one], log_of("1.0", "1.1"), {0: 1})
    with pytest.raises(AssertionError, match="not offset 2"):
        one.saw(Place(0, 5), b"1.5")
