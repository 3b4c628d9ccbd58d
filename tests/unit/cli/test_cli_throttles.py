"""Which settings throttle a reassignment."""

from __future__ import annotations

import pytest

from riverlog.cli.errors import UserError
from riverlog.cli.throttles import moves_of, throttle_settings

TOPIC, BROKER = 2, 4


def test_sources_give_and_targets_take() -> None:
    moves = moves_of({("t", 0): [2, 3], ("t", 1): [3, 2]}, {("t", 0): [1, 2], ("t", 1): [2, 1]}, {})
    rate = {"leader.replication.throttled.rate": "1000", "follower.replication.throttled.rate": "1000"}
    assert throttle_settings(moves, 1000) == {
        (TOPIC, "t"): {
            "leader.replication.throttled.replicas": "0:1,0:2,1:1,1:2",
            "follower.replication.throttled.replicas": "0:3,1:3",
        },
        (BROKER, "1"): rate,
        (BROKER, "2"): rate,
        (BROKER, "3"): rate,
    }


def test_what_moves_already_is_throttled_too() -> None:
    running = {("t", 0): ({1}, {2}), ("u", 0): ({3}, {4})}
    moves = moves_of({("t", 0): [5]}, {("t", 0): [1, 2]}, running)
    assert moves == {("t", 0): ({1}, {5}), ("u", 0): ({3}, {4})}
    settings = throttle_settings(moves, 7)
    assert settings[TOPIC, "t"]["follower.replication.throttled.replicas"] == "0:5"
    assert sorted(name for kind, name in settings if kind == BROKER) == ["1", "3", "4", "5"]


def test_a_partition_that_does_not_exist_is_told() -> None:
    with pytest.raises(UserError, match="no partition t-9"):
        moves_of({("t", 9): [1]}, {("t", 0): [1]}, {})
