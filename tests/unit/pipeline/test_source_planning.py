"""Tasks and shares: nothing lost, nothing twice, the same each time, and fair."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverlog.pipeline.errors import PipelineError
from riverlog.pipeline.offsets import Plan, StreamOffset, TopicOffsets
from riverlog.pipeline.planning import (
    TASKS_UNMERGED,
    Slice,
    Task,
    plan_tasks,
    share_out,
    slices_between,
)

ID, OTHER = b"i" * 16, b"o" * 16


def slices_of(sizes: list[int], start: int = 100) -> list[Slice]:
    return [Slice("t", ID, index, start, start + size) for index, size in enumerate(sizes)]


SIZES = st.lists(st.integers(0, 5000), max_size=60)
PLANS = st.builds(
    Plan,
    st.none() | st.integers(1, 80),
    st.none() | st.integers(1, 80),
    st.none() | st.integers(1, 4000),
)


def covered(tasks: list[Task]) -> dict[int, list[tuple[int, int]]]:
    """Ranges by partition, in order, joined where they touch."""
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for row in sorted((row for task in tasks for row in task), key=lambda row: (row.partition, row.start)):
        ranges = found[row.partition]
        if ranges and ranges[-1][1] == row.start:
            ranges[-1] = (ranges[-1][0], row.end)
        else:
            ranges.append((row.start, row.end))
    return found


@given(SIZES, PLANS)
def test_tasks_hold_every_offset_once(sizes: list[int], plan: Plan) -> None:
    tasks = plan_tasks(slices_of(sizes), plan)
    assert covered(tasks) == {index: [(100, 100 + size)] for index, size in enumerate(sizes) if size}
    assert sum(row.size for task in tasks for row in task) == sum(sizes)
    assert all(task for task in tasks)


@given(SIZES, PLANS, st.randoms(use_true_random=False))
def test_the_order_of_what_is_planned_does_not_matter(sizes: list[int], plan: Plan, chance: object) -> None:
    rows = slices_of(sizes)
    mixed = list(rows)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert plan_tasks(mixed, plan) == plan_tasks(rows, plan)


@given(SIZES, st.integers(1, 80))
def test_min_partitions_gives_that_many_tasks_if_there_are_records(sizes: list[int], wanted: int) -> None:
    tasks = plan_tasks(slices_of(sizes), Plan(tasks_min=wanted))
    filled = sum(1 for size in sizes if size)
    assert len(tasks) == max(filled, min(wanted, sum(sizes)))


@given(SIZES, st.integers(1, 4000))
def test_max_records_bounds_every_task(sizes: list[int], most: int) -> None:
    for task in plan_tasks(slices_of(sizes), Plan(records_max=most)):
        assert sum(row.size for row in task) <= most


@given(SIZES, st.integers(1, 80))
def test_max_tasks_bounds_their_number_and_balances_them(sizes: list[int], most: int) -> None:
    tasks = plan_tasks(slices_of(sizes), Plan(tasks_max=most))
    assert len(tasks) <= most
    loads = sorted(sum(row.size for row in task) for task in tasks)
    if len(tasks) == most:
        assert loads[-1] - loads[0] <= max(sizes)


def test_each_partition_has_its_task_unless_there_are_many_small_ones() -> None:
    assert len(plan_tasks(slices_of([10] * TASKS_UNMERGED), Plan())) == TASKS_UNMERGED
    assert len(plan_tasks(slices_of([10] * 500), Plan())) == TASKS_UNMERGED
    assert len(plan_tasks(slices_of([50_000] * 500), Plan())) == 500


def test_skewed_partitions_are_cut_where_they_are_large() -> None:
    tasks = plan_tasks(slices_of([10, 990]), Plan(tasks_min=5))
    assert [task[0].size for task in tasks] == [10, 247, 248, 247, 248]


# ---------------------------------------------------------------- from offsets to slices


def offset(ends: dict[int, int], starts: dict[int, int] | None = None, topic_id: bytes = ID) -> StreamOffset:
    begin = {"t": TopicOffsets(topic_id, starts)} if starts else {}
    return StreamOffset({"t": TopicOffsets(topic_id, ends)}, begin)


def test_a_batch_starts_where_the_last_one_ended() -> None:
    rows = slices_between(offset({0: 5, 1: 7}), offset({0: 9, 1: 7}))
    assert rows == [Slice("t", ID, 0, 5, 9)]


def test_the_first_batch_knows_its_start() -> None:
    assert slices_between(None, offset({0: 9}, {0: 3})) == [Slice("t", ID, 0, 3, 9)]


def test_new_partitions_start_where_the_end_says() -> None:
    rows = slices_between(offset({0: 5}), offset({0: 9, 1: 4}, {1: 0}))
    assert rows == [Slice("t", ID, 0, 5, 9), Slice("t", ID, 1, 0, 4)]


def test_a_topic_created_again_starts_anew() -> None:
    rows = slices_between(offset({0: 5}), offset({0: 9}, {0: 2}, OTHER))
    assert rows == [Slice("t", OTHER, 0, 2, 9)]


def test_partitions_that_are_gone_or_went_back_have_no_slice() -> None:
    assert slices_between(offset({0: 5, 1: 5}), offset({0: 4})) == []


def test_an_end_that_does_not_fit_its_start_is_refused() -> None:
    for start, end in ((None, offset({0: 9})), (offset({1: 5}), offset({0: 9, 1: 5}))):
        with pytest.raises(PipelineError, match="t-0 starts"):
            slices_between(start, end)
    with pytest.raises(PipelineError, match="t-0 starts"):
        slices_between(offset({0: 5}), offset({0: 9}, topic_id=OTHER))


# ---------------------------------------------------------------- shares

BACKLOGS = st.dictionaries(
    st.tuples(st.just("t"), st.integers(0, 50)), st.integers(0, 2**62), min_size=1, max_size=30
)


@given(BACKLOGS, st.integers(1, 2**62))
def test_a_share_is_fair_and_bounded(backlog: dict[tuple[str, int], int], limit: int) -> None:
    shares = share_out(backlog, limit)
    total = sum(backlog.values())
    for key, size in backlog.items():
        assert shares[key] <= size
        assert (shares[key] > 0) == (size > 0)
        if total > limit:
            assert shares[key] >= min(size, limit * size // total)
    if total <= limit:
        assert shares == backlog
    else:
        assert sum(shares.values()) <= limit + len(backlog)


@given(BACKLOGS, st.integers(1, 2**62), st.integers(1, 10_000))
def test_bytes_are_shared_as_records_are(backlog: dict[tuple[str, int], int], limit: int, cost: int) -> None:
    costs = dict.fromkeys(backlog, cost)
    shares = share_out(backlog, limit, costs)
    if sum(backlog.values()) * cost > limit:
        assert sum(share * cost for share in shares.values()) <= limit + cost * len(backlog)
    else:
        assert shares == backlog


def test_large_records_count_for_more() -> None:
    backlog = {("t", 0): 1000, ("t", 1): 1000}
    shares = share_out(backlog, 10_000, {("t", 0): 10, ("t", 1): 90})
    assert shares == {("t", 0): 100, ("t", 1): 100}
    assert share_out(backlog, 10_000, {("t", 0): 1, ("t", 1): 1}) == backlog


def test_one_record_is_taken_however_small_the_limit() -> None:
    assert share_out({("t", 0): 10**9, ("t", 1): 1}, 1) == {("t", 0): 1, ("t", 1): 1}
