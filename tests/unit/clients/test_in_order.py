"""Commits never pass a record that is not done."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from riverlog.clients.in_order import InOrder


@given(st.permutations(range(12)), st.integers(0, 1000))
def test_committable_is_the_first_open_offset(order: list[int], base: int) -> None:
    tracked = InOrder()
    offsets = [base + 2 * step for step in range(12)]  # compaction leaves gaps
    for offset in offsets:
        tracked.begin(offset)
    done: set[int] = set()
    for step in order:
        tracked.done(offsets[step])
        done.add(offsets[step])
        prefix = [offset for offset in offsets if all(o in done for o in offsets if o <= offset)]
        assert tracked.committable == (prefix[-1] + 1 if prefix else None)
    assert tracked.pending == 0
