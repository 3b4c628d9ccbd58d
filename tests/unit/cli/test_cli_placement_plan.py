"""Where replicas should go: off brokers, evenly, over racks, with few moves."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverlog.cli.placement_plan import Assignment, CannotPlace, plan

NO_RACKS = {1: None, 2: None, 3: None}


def counts(assignment: Assignment) -> Counter[int]:
    return Counter(replica for replicas in assignment.values() for replica in replicas)


def test_what_is_even_stays_as_it_is() -> None:
    current = {("t", 0): [1, 2], ("t", 1): [2, 3], ("t", 2): [3, 1]}
    assert plan(current, NO_RACKS) == {}


def test_a_drained_broker_is_replaced_in_its_place() -> None:
    current = {("t", 0): [1, 2], ("t", 1): [2, 1]}
    moves = plan(current, {2: None, 3: None}, balance=False)
    assert moves == {("t", 0): [3, 2], ("t", 1): [2, 3]}


def test_a_closed_broker_keeps_what_it_has_and_gets_no_more() -> None:
    current = {("t", 0): [1, 2], ("t", 1): [1, 3]}
    moves = plan(current, {2: None, 3: None, 4: None}, balance=False, closed={3})
    assert moves == {("t", 0): [4, 2], ("t", 1): [2, 3]}
    with pytest.raises(CannotPlace, match="only 1 brokers remain"):
        plan(current, {2: None, 3: None}, balance=False, closed={3})


def test_too_few_brokers_are_told() -> None:
    with pytest.raises(CannotPlace, match="t-0 has 2 replicas, only 1"):
        plan({("t", 0): [1, 2]}, {2: None})


def test_a_new_broker_gets_its_share() -> None:
    current = {("t", index): [1, 2] for index in range(6)}
    moves = plan(current, NO_RACKS)
    assert counts({**current, **moves}) == {1: 4, 2: 4, 3: 4}
    assert sum(len(set(moves[key]) - set(current[key])) for key in moves) == 4


def test_only_the_chosen_partitions_move_but_all_count() -> None:
    current = {("a", 0): [1], ("b", 0): [1], ("b", 1): [1], ("b", 2): [2]}
    moves = plan(current, NO_RACKS, movable=[("a", 0)])
    assert moves == {("a", 0): [3]}


def test_leadership_is_evened_out_by_the_order_of_replicas() -> None:
    current = {("t", index): [1, 2, 3] for index in range(6)}
    moves = plan(current, NO_RACKS)
    leaders = Counter(replicas[0] for replicas in {**current, **moves}.values())
    assert leaders == {1: 2, 2: 2, 3: 2}
    assert all(sorted(replicas) == [1, 2, 3] for replicas in moves.values())


def test_replicas_stay_in_different_racks() -> None:
    racks = {1: "a", 2: "a", 3: "b", 4: "b"}
    current = {("t", index): [1, 3] for index in range(4)}
    moves = plan(current, racks)
    for replicas in {**current, **moves}.values():
        assert {racks[replica] for replica in replicas} == {"a", "b"}
    assert counts({**current, **moves}) == {1: 2, 2: 2, 3: 2, 4: 2}


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_every_plan_is_legal_and_even(data: st.DataObject) -> None:
    brokers = dict.fromkeys(range(data.draw(st.integers(2, 6))))
    alive = {number: None for number in brokers if number or data.draw(st.booleans())}
    factor = data.draw(st.integers(1, min(3, len(alive))))
    order = st.permutations(sorted(brokers)).map(lambda ids: ids[:factor])
    current = {("t", index): list(data.draw(order)) for index in range(data.draw(st.integers(1, 12)))}
    after = {**current, **plan(current, alive)}
    for replicas in after.values():
        assert len(replicas) == len(set(replicas)) == factor
        assert set(replicas) <= set(alive)
    loads = [counts(after)[broker] for broker in alive]
    assert max(loads) - min(loads) <= 1
