"""Many groups at once on a real process: members join, heartbeat, rebalance, and no group notices another.

The small runs check that all goes right; the budgets of the large ones are for `make soak` and `make bench`.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from e2ekit.raw import Raw, create_topic
from e2ekit.targets import MakeBroker

from bench import groups
from bench.group_members import room_for

TOPIC = "read"
EACH = 10
P99_MS_MAX, RSS_MB_MAX, REBALANCE_SECONDS_MAX, FIRST_JOIN_MS_MAX = 20.0, 300.0, 2.0, 200.0
GENEROUS_SECONDS = 10.0
ATTEMPTS = 3
"""The first join happens once per broker: a busy machine may spoil one of them."""

Params = dict[str, object]


@pytest.fixture
def start(make_broker: MakeBroker) -> Callable[[str], Params]:
    def begin(name: str) -> Params:
        broker = make_broker(name, group_initial_rebalance_delay_ms="0")
        broker.start()
        with Raw(broker.bootstrap) as raw:
            create_topic(raw, TOPIC, partitions=EACH)
        return {"bootstrap": broker.bootstrap, "pid": broker.pid, "topic": TOPIC}

    return begin


def test_a_hundred_groups_join_and_heartbeat(start: Callable[[str], Params]) -> None:
    """A member that is refused, or told to rebalance without reason, ends the run."""
    params = {**start("broker"), "groups": 100, "members": EACH, "seconds": 2.0, "interval_seconds": 0.5}
    for protocol in ("classic", "consumer"):
        found = groups.heartbeats({**params, "protocol": protocol})
        assert found["beats"] >= 2 * 100 * EACH, "every member's heartbeats were answered"
        assert found["assigned"] == 100 * EACH, "every partition of every group has a reader"
        assert found["rss_mb"] < RSS_MB_MAX


def test_a_group_of_a_hundred_rebalances_again_and_again(start: Callable[[str], Params]) -> None:
    found = groups.rebalance({**start("broker"), "members": 100, "times": 5})
    assert found["rebalance_seconds"] < GENEROUS_SECONDS


def test_the_first_join_creates_the_topic_of_the_groups(start: Callable[[str], Params]) -> None:
    found = groups.first_join(start("broker"))
    assert found["first_join_ms"] < GENEROUS_SECONDS * 1000


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_soak_a_thousand_groups_heartbeat(start: Callable[[str], Params], ours: None, protocol: str) -> None:
    if not room_for(1_000 * EACH):
        pytest.skip("`ulimit -Hn` is below 10,200")
    params = {**start("broker"), "protocol": protocol, "groups": 1_000, "members": EACH, "seconds": 60.0}
    found = groups.heartbeats(params)
    assert found["assigned"] == 1_000 * EACH
    assert found["p99_ms"] <= P99_MS_MAX, f"{found}, load of the machine {os.getloadavg()[0]:.1f}"
    assert found["rss_mb"] <= RSS_MB_MAX


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_soak_five_hundred_members_rebalance(start: Callable[[str], Params], ours: None) -> None:
    found = groups.rebalance({**start("broker"), "members": 500, "times": 20})
    assert found["rebalance_seconds"] <= REBALANCE_SECONDS_MAX


@pytest.mark.soak
def test_soak_the_first_join_is_quick(start: Callable[[str], Params], ours: None) -> None:
    took = [groups.first_join(start(f"broker-{number}"))["first_join_ms"] for number in range(ATTEMPTS)]
    assert sorted(took)[ATTEMPTS // 2] <= FIRST_JOIN_MS_MAX
