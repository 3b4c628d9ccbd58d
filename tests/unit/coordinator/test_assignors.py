"""The server-side assignors: every partition once, evenly, and no more moves than needed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverlog.coordinator.group.assignors import ASSIGNORS, Assignment, GroupSpec, MemberSpec


def topic(number: int) -> bytes:
    return number.to_bytes(16, "big")


def spec(
    counts: dict[int, int], members: dict[str, Any], old: dict[str, Assignment] | None = None
) -> GroupSpec:
    """Topics by number; members by id with the numbers of their topics, None for all."""
    wanted = {
        member_id: frozenset(topic(n) for n in (counts if topics is None else topics))
        for member_id, topics in members.items()
    }
    subscribed = frozenset().union(*wanted.values()) if wanted else frozenset()
    return GroupSpec(
        {
            member_id: MemberSpec(topics, {} if old is None else old.get(member_id, {}))
            for member_id, topics in wanted.items()
        },
        {topic(n): count for n, count in counts.items() if topic(n) in subscribed},
        len(set(wanted.values())) == 1,
    )


def load(assignment: Assignment) -> int:
    return sum(len(partitions) for partitions in assignment.values())


def check(given: GroupSpec, result: dict[str, Assignment]) -> None:
    """Every partition of every subscribed topic once, to a member that asked for the topic."""
    assert result.keys() == given.members.keys()
    seen: dict[bytes, list[int]] = {topic_id: [] for topic_id in given.partition_counts}
    for member_id, assignment in result.items():
        for topic_id, partitions in assignment.items():
            assert partitions, "no empty topics"
            assert topic_id in given.members[member_id].topics
            seen[topic_id] += partitions
    assert {topic_id: sorted(found) for topic_id, found in seen.items()} == {
        topic_id: list(range(count)) for topic_id, count in given.partition_counts.items()
    }


def moved(old: dict[str, Assignment], new: dict[str, Assignment]) -> int:
    """Partitions that a member who is still there lost."""
    return sum(
        len(partitions - new[member_id].get(topic_id, frozenset()))
        for member_id, assignment in old.items()
        if member_id in new
        for topic_id, partitions in assignment.items()
    )


names = st.integers(0, 30).map(lambda number: f"m{number}")
counts = st.dictionaries(st.integers(0, 5), st.integers(1, 20), min_size=1, max_size=5)


@pytest.mark.parametrize("name", list(ASSIGNORS))
@given(counts=counts, members=st.lists(names, min_size=1, max_size=12, unique=True))
@settings(deadline=None, max_examples=60)
def test_every_partition_goes_to_one_member(name: str, counts: dict[int, int], members: list[str]) -> None:
    given = spec(counts, dict.fromkeys(members))
    result = ASSIGNORS[name](given)
    check(given, result)
    per_topic = [len(a.get(t, ())) for t in given.partition_counts for a in result.values()]
    if name == "uniform":
        loads = [load(assignment) for assignment in result.values()]
        assert max(loads) - min(loads) <= 1
    elif len(counts) == 1:
        assert max(per_topic) - min(per_topic) <= 1


@pytest.mark.parametrize("name", list(ASSIGNORS))
@given(
    counts=counts,
    members=st.dictionaries(names, st.frozensets(st.integers(0, 5), max_size=4), min_size=1, max_size=10),
)
@settings(deadline=None, max_examples=100)
def test_members_with_different_topics(
    name: str, counts: dict[int, int], members: dict[str, frozenset[int]]
) -> None:
    wanted = {member_id: topics & counts.keys() for member_id, topics in members.items()}
    given = spec(counts, wanted)
    given.homogeneous = False
    result = ASSIGNORS[name](given)
    check(given, result)
    if name == "uniform":
        balanced(given, result)


def balanced(given: GroupSpec, result: dict[str, Assignment]) -> None:
    """No partition could move to a subscriber that has at least two fewer."""
    loads = {member_id: load(assignment) for member_id, assignment in result.items()}
    for member_id, assignment in result.items():
        for topic_id in assignment:
            others = [loads[m] for m, member in given.members.items() if topic_id in member.topics]
            assert loads[member_id] - min(others) <= 1


@given(
    counts=counts,
    members=st.lists(names, min_size=2, max_size=12, unique=True),
    mixed=st.booleans(),
    data=st.data(),
)
@settings(deadline=None, max_examples=60)
def test_uniform_moves_no_more_than_needed(
    counts: dict[int, int], members: list[str], mixed: bool, data: st.DataObject
) -> None:
    uniform = ASSIGNORS["uniform"]

    def assign(ids: list[str], old: dict[str, Assignment]) -> dict[str, Assignment]:
        given = spec(counts, dict.fromkeys(ids), old)
        given.homogeneous = not mixed
        result = uniform(given)
        check(given, result)
        return result

    before = assign(members, {})
    assert assign(members, before) == before, "nothing changed, nothing moves"
    leaving = data.draw(st.sampled_from(members))
    after = assign([member_id for member_id in members if member_id != leaving], before)
    assert moved(before, after) == 0, "who stays keeps all it had"
    grown = assign([*members, "new"], before)
    assert moved(before, grown) == load(grown["new"]), "only what the new one gets moves"


def test_uniform_leaves_the_extra_partition_where_it_is() -> None:
    """Two members, three partitions: whoever has two keeps them, whatever the order of the members."""
    old: dict[str, Assignment] = {"a": {topic(1): frozenset({0})}, "b": {topic(1): frozenset({1, 2})}}
    for members in (["a", "b"], ["b", "a"]):
        result = ASSIGNORS["uniform"](spec({1: 3}, dict.fromkeys(members), old))
        assert result == old


def test_uniform_forgets_topics_nobody_wants_any_more() -> None:
    old: dict[str, Assignment] = {"a": {topic(1): frozenset({0, 1}), topic(9): frozenset({0, 1, 2})}}
    for homogeneous in (True, False):
        given = spec({1: 2, 2: 1}, {"a": [1, 2]}, old)
        given.homogeneous = homogeneous
        assert ASSIGNORS["uniform"](given) == {"a": {topic(1): frozenset({0, 1}), topic(2): frozenset({0})}}


def test_uniform_balances_what_others_cannot_take() -> None:
    """``a`` alone reads topic 1; so ``b`` gets all of topic 2."""
    given = spec({1: 4, 2: 4}, {"a": [1, 2], "b": [2]})
    result = ASSIGNORS["uniform"](given)
    assert result["b"] == {topic(2): frozenset(range(4))}


def test_range_gives_runs_in_the_order_of_members_static_ones_first() -> None:
    given = spec({1: 5, 2: 5}, dict.fromkeys(["b", "a", "z"]))
    given.members["z"].instance_id = "i1"
    result = ASSIGNORS["range"](given)
    for number in (1, 2):
        assert [sorted(result[m][topic(number)]) for m in ("z", "a", "b")] == [[0, 1], [2, 3], [4]]


def test_range_with_more_members_than_partitions() -> None:
    result = ASSIGNORS["range"](spec({1: 2}, dict.fromkeys(["c", "a", "b"])))
    assert result == {"a": {topic(1): frozenset({0})}, "b": {topic(1): frozenset({1})}, "c": {}}


@pytest.mark.parametrize("name", list(ASSIGNORS))
def test_nothing_to_assign(name: str) -> None:
    assert ASSIGNORS[name](spec({}, {"a": [], "b": []})) == {"a": {}, "b": {}}
    assert ASSIGNORS[name](GroupSpec({}, {}, homogeneous=True)) == {}


def test_a_large_group_is_assigned_quickly_and_evenly() -> None:
    members = {f"m{number}": [1, 2] if number % 3 else [1] for number in range(500)}
    given = spec({1: 2_000, 2: 2_000}, members)
    result = ASSIGNORS["uniform"](given)
    check(given, result)
    balanced(given, result)
