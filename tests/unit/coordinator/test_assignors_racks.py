"""Assignors and racks: balance first, then stickiness, and then as many near partitions as these allow."""

from __future__ import annotations

import random
from itertools import product
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverlog.coordinator.group.assignors import ASSIGNORS, Assignment, GroupSpec, MemberSpec, Racks, matter
from riverlog.coordinator.group.assignors.racks import Place, allot
from tests.unit.coordinator.test_assignors import balanced, check, load, moved, topic

RACKS = ["r0", "r1", "r2", "r3"]

rack_sets = st.frozensets(st.sampled_from(RACKS), min_size=1, max_size=3)
members = st.dictionaries(
    st.integers(0, 30).map(lambda number: f"m{number}"),
    st.sampled_from([*RACKS, None]),
    min_size=1,
    max_size=9,
)
topics = st.lists(st.lists(rack_sets, min_size=1, max_size=12), min_size=1, max_size=4)

Near = dict[bytes, list[Racks]]


def spec(
    near: Near,
    racks: dict[str, str | None],
    old: dict[str, Assignment] | None = None,
    wanted: dict[str, frozenset[bytes]] | None = None,
) -> GroupSpec:
    wanted = dict.fromkeys(racks, frozenset(near)) if wanted is None else wanted
    asked = frozenset().union(*wanted.values())
    return GroupSpec(
        {m: MemberSpec(wanted[m], (old or {}).get(m, {}), None, rack) for m, rack in racks.items()},
        {topic_id: len(rows) for topic_id, rows in near.items() if topic_id in asked},
        len(set(wanted.values())) == 1,
        {topic_id: rows for topic_id, rows in near.items() if topic_id in asked},
    )


def blind(given: GroupSpec) -> GroupSpec:
    return GroupSpec(given.members, given.partition_counts, given.homogeneous)


def numbered(rows: list[list[Racks]]) -> Near:
    return {topic(number): found for number, found in enumerate(rows)}


def matches(given: GroupSpec, result: dict[str, Assignment]) -> int:
    assert given.racks is not None
    return sum(
        given.members[member_id].rack in given.racks[topic_id][partition]
        for member_id, assignment in result.items()
        for topic_id, partitions in assignment.items()
        for partition in partitions
    )


def loads(result: dict[str, Assignment]) -> list[int]:
    return sorted(load(assignment) for assignment in result.values())


# -- the matching ------------------------------------------------------------------------


@given(
    partitions=st.lists(rack_sets, max_size=5),
    ranks=st.lists(st.sampled_from([*RACKS, None]), min_size=1, max_size=4),
    data=st.data(),
)
@settings(deadline=None, max_examples=150)
def test_no_allotment_has_more_near_partitions(
    partitions: list[Racks], ranks: list[str | None], data: st.DataObject
) -> None:
    extras = data.draw(st.integers(0, min(len(ranks), len(partitions))))
    owners = data.draw(
        st.lists(
            st.integers(0, len(ranks) - 1),
            min_size=len(partitions) - extras,
            max_size=len(partitions) - extras,
        )
    )
    able = data.draw(st.permutations(range(len(ranks))))[: data.draw(st.integers(extras, len(ranks)))]
    places = [Place(rack, owners.count(n), takes_extra=n in able) for n, rack in enumerate(ranks)]

    def near(found: tuple[int, ...] | list[int]) -> int:
        return sum(ranks[number] in partitions[at] for at, number in enumerate(found))

    def allowed(found: tuple[int, ...] | list[int]) -> bool:
        return all(
            0 <= list(found).count(number) - place.quota <= place.takes_extra
            for number, place in enumerate(places)
        )

    result = allot(partitions, places, extras)
    assert allowed(result)
    every = product(range(len(ranks)), repeat=len(partitions))
    assert near(result) == max(near(found) for found in every if allowed(found))


def test_a_path_over_several_racks_makes_way() -> None:
    """The first three fill r0, r1 and r2 greedily; the fourth is near r0 only, and all three move on."""
    partitions = [Racks({"r0", "r1"}), Racks({"r1", "r2"}), Racks({"r2", "r3"}), Racks({"r0"})]
    assert allot(partitions, [Place(rack, 1) for rack in RACKS]) == [1, 2, 3, 0]


def test_an_extra_partition_changes_racks_to_make_way() -> None:
    """The only extra went to r0 for the first; the second is near r1 alone, and r2 has room for the first."""
    partitions = [Racks({"r0", "r2"}), Racks({"r1"})]
    places = [Place("r0", 0, takes_extra=True), Place("r1", 0, takes_extra=True), Place("r2", 1)]
    assert allot(partitions, places, extras=1) == [2, 1]


@pytest.mark.parametrize(
    ("ranks", "partitions", "difference"),
    [
        ([None, ""], [{"r0"}], False),
        (["r0"], [{"r1"}, {"r2"}], False),
        (["r0", "r1", None], [{"r0", "r1"}, {"r0", "r1", "r2"}], False),
        (["r0", "r1"], [{"r0", "r1"}, {"r0"}], True),
        (["r0"], [{"r0"}, {"r1"}], True),
        ([], [], False),
    ],
)
def test_when_racks_make_a_difference(
    ranks: list[str | None], partitions: list[set[str]], difference: bool
) -> None:
    assert matter(ranks, [Racks(found) for found in partitions]) is difference


# -- new groups --------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(ASSIGNORS))
@given(rows=topics, racks=members)
@settings(deadline=None, max_examples=100)
def test_a_new_group_is_as_even_as_without_racks_and_never_farther(
    name: str, rows: list[list[Racks]], racks: dict[str, str | None]
) -> None:
    given = spec(numbered(rows), racks)
    result, without = ASSIGNORS[name](given), ASSIGNORS[name](blind(given))
    check(given, result)
    if name == "uniform":
        assert loads(result) == loads(without)
        assert matches(given, result) >= matches(given, without)
        return
    for topic_id in given.partition_counts:
        shares = sorted(len(assignment.get(topic_id, ())) for assignment in result.values())
        assert shares == sorted(len(assignment.get(topic_id, ())) for assignment in without.values())
    if len({len(found) for found in rows}) == len(rows):  # none co-partitioned
        assert matches(given, result) >= matches(given, without)


@pytest.mark.parametrize("name", list(ASSIGNORS))
@given(rows=topics, racks=members)
@settings(deadline=None, max_examples=50)
def test_the_order_of_things_that_have_none_does_not_matter(
    name: str, rows: list[list[Racks]], racks: dict[str, str | None]
) -> None:
    near = numbered(rows)
    turned = {topic_id: [Racks(sorted(r, reverse=True)) for r in found] for topic_id, found in near.items()}
    assert ASSIGNORS[name](spec(near, racks)) == ASSIGNORS[name](spec(turned, dict(racks)))


@given(rows=topics, racks=members, data=st.data())
@settings(deadline=None, max_examples=100)
def test_members_with_different_topics_are_balanced(
    rows: list[list[Racks]], racks: dict[str, str | None], data: st.DataObject
) -> None:
    near = numbered(rows)
    some = st.frozensets(st.sampled_from(sorted(near)), max_size=len(near))
    wanted = {member_id: data.draw(some) for member_id in racks}
    given = spec(near, racks, None, wanted)
    given.homogeneous = False
    for name, assign in ASSIGNORS.items():
        result = assign(given)
        check(given, result)
        if name == "uniform":
            balanced(given, result)
            given = spec(near, racks, result, wanted)
            given.homogeneous = False
            assert assign(given) == result, "nothing changed, nothing moves"


# -- groups that change ------------------------------------------------------------------


@given(rows=topics, racks=members, data=st.data(), mixed=st.booleans())
@settings(deadline=None, max_examples=150)
def test_uniform_moves_nothing_for_racks(
    rows: list[list[Racks]], racks: dict[str, str | None], data: st.DataObject, mixed: bool
) -> None:
    near = numbered(rows)
    uniform = ASSIGNORS["uniform"]

    def assign(ranks: dict[str, str | None], old: dict[str, Assignment]) -> dict[str, Assignment]:
        given = spec(near, ranks, old)
        given.homogeneous = not mixed
        result = uniform(given)
        check(given, result)
        assert moved(old, result) == moved(old, uniform(blind(given)))
        return result

    first = spec(near, racks)
    before = uniform(blind(first))
    assert assign(racks, before) == before, "nothing moves, however far it is"
    grown = assign({**racks, "new": data.draw(st.sampled_from(RACKS))}, before)
    if not mixed:
        assert moved(before, grown) == load(grown["new"]), "only what the new one gets moves"
    if len(racks) > 1:
        leaving = data.draw(st.sampled_from(sorted(racks)))
        after = assign({m: rack for m, rack in racks.items() if m != leaving}, before)
        assert moved(before, after) == 0, "who stays keeps all it had"


@given(rows=topics, racks=members, data=st.data())
@settings(deadline=None, max_examples=150)
def test_uniform_moves_as_little_as_without_racks_from_any_assignment(
    rows: list[list[Racks]], racks: dict[str, str | None], data: st.DataObject
) -> None:
    near = numbered(rows)
    owner = st.sampled_from([*racks, None])
    old: dict[str, dict[bytes, frozenset[int]]] = {member_id: {} for member_id in racks}
    for topic_id, found in near.items():
        for partition in range(len(found)):
            who = data.draw(owner)
            if who is not None:
                old[who][topic_id] = old[who].get(topic_id, frozenset()) | {partition}
    given = spec(near, racks, old)
    result, without = ASSIGNORS["uniform"](given), ASSIGNORS["uniform"](blind(given))
    check(given, result)
    assert loads(result) == loads(without)
    assert moved(old, result) == moved(old, without)


def test_who_has_too_much_gives_away_what_is_far() -> None:
    near = {topic(0): [Racks({rack}) for rack in ("r0", "r1", "r0", "r1")]}
    old: dict[str, Assignment] = {"a": {topic(0): frozenset(range(4))}}
    result = ASSIGNORS["uniform"](spec(near, {"a": "r0", "b": "r1"}, old))
    assert result == {"a": {topic(0): frozenset({0, 2})}, "b": {topic(0): frozenset({1, 3})}}


def test_the_extra_partition_goes_to_whom_it_is_near() -> None:
    near = {topic(0): [Racks({"r2"})]}
    for wanted in (True, False):
        given = spec(near, {"a": "r0", "b": "r1", "c": "r2", "d": None})
        given.homogeneous = wanted
        assert ASSIGNORS["uniform"](given)["c"] == {topic(0): frozenset({0})}
        assert ASSIGNORS["range"](given)["c"] == {topic(0): frozenset({0})}


def test_range_keeps_co_partitioned_topics_together() -> None:
    """Partition 0 of one topic is near ``b``, of the other too; partition 1 in one of them only."""
    near = {
        topic(0): [Racks({"r1"}), Racks({"r1"}), Racks({"r0"})],
        topic(1): [Racks({"r1", "r0"}), Racks({"r2"}), Racks({"r0"})],
    }
    result = ASSIGNORS["range"](spec(near, {"a": "r0", "b": "r1"}))
    assert result["a"][topic(0)] == result["a"][topic(1)]
    assert 2 in result["a"][topic(0)]
    assert 0 in result["b"][topic(0)]
    assert result["b"][topic(0)] == result["b"][topic(1)]


def test_range_gives_runs_where_racks_make_no_difference() -> None:
    near = {topic(0): [Racks({"r0", "r1"})] * 5}
    result = ASSIGNORS["range"](spec(near, {"a": "r1", "b": "r0"}))
    assert result == {"a": {topic(0): frozenset({0, 1, 2})}, "b": {topic(0): frozenset({3, 4})}}


# -- how much it brings ------------------------------------------------------------------


def rotated(count: int, racks: int, replicas: int, start: int) -> list[Racks]:
    """As brokers place replicas: one rack after the other."""
    return [Racks(f"r{(start + p + k) % racks}" for k in range(replicas)) for p in range(count)]


@pytest.mark.parametrize("name", list(ASSIGNORS))
def test_far_more_partitions_are_near_than_by_chance(name: str) -> None:
    near = numbered([rotated(24 + n, 4, 1, n) for n in range(5)])
    given = spec(near, {f"m{n}": f"r{n % 4}" for n in range(12)})
    total = sum(given.partition_counts.values())
    assert matches(given, ASSIGNORS[name](blind(given))) < 0.45 * total
    assert matches(given, ASSIGNORS[name](given)) > 0.85 * total


def test_it_stays_near_while_members_come_and_go() -> None:
    rng = random.Random(3)
    near = numbered([rotated(30, 3, 1, n) for n in range(3)])
    uniform = ASSIGNORS["uniform"]
    racks: dict[str, str | None] = {f"m{n}": f"r{n % 3}" for n in range(9)}
    aware: dict[str, Assignment] = {}
    chance: dict[str, Assignment] = {}
    found = expected = total = 0
    for step in range(60):
        if rng.random() < 0.5 and len(racks) > 3:
            del racks[rng.choice(sorted(racks))]
        else:
            racks[f"n{step}"] = rng.choice(["r0", "r1", "r2"])
        given, plain = spec(near, racks, aware), spec(near, racks, chance)
        aware, chance = uniform(given), uniform(blind(plain))
        assert loads(aware) == loads(chance)
        found += matches(given, aware)
        expected += matches(plain, chance)
        total += 90
    assert found > 1.5 * expected
    assert found > 0.6 * total


@pytest.mark.parametrize("name", list(ASSIGNORS))
@pytest.mark.parametrize("racks", [3, 100])
def test_a_large_group_is_assigned_quickly(name: str, racks: int) -> None:
    """A rack for every broker makes as many kinds of partitions as there are."""
    rng = random.Random(racks)
    kinds = [f"r{n}" for n in range(racks)]
    near = numbered([[Racks(rng.sample(kinds, 2)) for _ in range(2_500)] for _ in range(4)])
    given = spec(near, {f"m{n}": rng.choice(kinds) for n in range(500)})
    began = process_time()
    result = ASSIGNORS[name](given)
    assert process_time() - began < 2.0
    check(given, result)
