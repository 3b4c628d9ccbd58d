"""Partitioners: where records go."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverlog.client.partitioner import murmur2 as murmur2_hash
from riverlog.clients import partitioners


def signed(number: int) -> int:
    return number - (1 << 32) if number >= 1 << 31 else number


@pytest.mark.parametrize(
    ("key", "hashed"),
    [  # what Java's Utils.murmur2 answers
        (b"21", -973932308),
        (b"foobar", -790332482),
        (b"a-little-bit-long-string", -985981536),
        (b"a-little-bit-longer-string", -1486304829),
        (b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971),
        (b"abc", 479470107),
    ],
)
def test_murmur2_equals_java(key: bytes, hashed: int) -> None:
    assert signed(murmur2_hash(key)) == hashed


@given(st.binary(max_size=40), st.integers(1, 1000))
def test_every_partitioner_stays_in_range(key: bytes, partitions: int) -> None:
    for choose in (
        partitioners.murmur2,
        partitioners.round_robin(),
        partitioners.sticky(3),
        partitioners.salted(4),
        partitioners.fall_through(2),
    ):
        for one in (key, None):
            assert all(0 <= choose("t", one, partitions) < partitions for _ in range(5))


def test_round_robin_takes_turns_per_topic() -> None:
    choose = partitioners.round_robin()
    assert [choose("a", b"k", 3) for _ in range(4)] == [0, 1, 2, 0]
    assert choose("b", None, 3) == 0


def test_sticky_fills_one_partition_before_the_next() -> None:
    choose = partitioners.sticky(2)
    assert [choose("t", None, 3) for _ in range(7)] == [0, 0, 1, 1, 2, 2, 0]
    assert choose("t", b"key", 3) == partitioners.murmur2("t", b"key", 3)


def test_salted_spreads_a_key_over_so_many_partitions() -> None:
    choose = partitioners.salted(4)
    spread = Counter(choose("t", b"hot", 10) for _ in range(400))
    assert len(spread) == 4
    assert set(spread.values()) == {100}


def test_fall_through_keeps_a_key_at_home_until_it_is_hot() -> None:
    now = [0.0]
    choose = partitioners.fall_through(100, clock=lambda: now[0])
    home = partitioners.murmur2("t", b"hot", 8)
    assert {choose("t", b"hot", 8) for _ in range(100)} == {home}
    spilled = Counter(choose("t", b"hot", 8) for _ in range(800))
    assert len(spilled) == 8
    assert choose("t", b"cold", 8) == partitioners.murmur2("t", b"cold", 8)
    now[0] = 1.5
    assert choose("t", b"hot", 8) == home, "a new window begins at home"
