"""Faults on three real processes under load: nothing acknowledged is lost, twice or out of order."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from e2ekit.clusters import controller_of, controller_told_by, wait_until_fenced
from e2ekit.history import History, create_topic, leader_of, wait_for_full_isr
from e2ekit.waiting import wait_until

from riverlog.testing import TestCluster, cluster

pytestmark = pytest.mark.usefixtures("ours")

TOPIC = "load"
PARTITIONS = 3
QUICK = {"broker.session.timeout.ms": 6000, "replica.lag.time.max.ms": 5000}


@pytest.fixture
def three() -> Iterator[TestCluster]:
    with cluster(3, QUICK) as running:
        create_topic(running.bootstrap, TOPIC, partitions=PARTITIONS)
        yield running


def test_kill_of_a_leader(three: TestCluster) -> None:
    with History(three.bootstrap, TOPIC, PARTITIONS) as history:
        history.wait_for(1_000)
        for partition in range(2):
            leader = leader_of(three.bootstrap, TOPIC, partition)
            three.kill(leader)
            history.wait_for(1_000)
            three.restart(leader)
            wait_for_full_isr(three.bootstrap, TOPIC)
    history.check()


def test_kill_of_the_controller(three: TestCluster) -> None:
    with History(three.bootstrap, TOPIC, PARTITIONS) as history:
        history.wait_for(1_000)
        for _ in range(2):
            controller = controller_of(three)
            three.kill(controller)
            history.wait_for(1_000)
            assert controller_of(three, other_than=controller) != controller
            three.restart(controller)
            wait_for_full_isr(three.bootstrap, TOPIC)
    history.check()


def test_kill_of_all_nodes_at_once(three: TestCluster) -> None:
    """The whole cluster comes back by itself, with every acknowledged record."""
    with History(three.bootstrap, TOPIC, PARTITIONS) as history:
        history.wait_for(1_000)
        for node_id in three.node_ids:
            three.kill(node_id)
        for node_id in three.node_ids:
            three.restart(node_id, wait=False)
        three.wait_until_ready()
        history.wait_for(1_000)
        wait_for_full_isr(three.bootstrap, TOPIC)
    history.check()


def test_pause_of_a_leader_makes_a_harmless_zombie(three: TestCluster) -> None:
    with History(three.bootstrap, TOPIC, PARTITIONS) as history:
        history.wait_for(1_000)
        leader = leader_of(three.bootstrap, TOPIC)
        three.pause(leader)
        asked = next(node_id for node_id in three.node_ids if node_id != leader)
        wait_until_fenced(three, leader, asked)
        history.wait_for(500)
        three.resume(leader)
        history.wait_for(1_000)
        wait_for_full_isr(three.bootstrap, TOPIC)
    history.check()


def test_rolling_restart(three: TestCluster) -> None:
    with History(three.bootstrap, TOPIC, PARTITIONS) as history:
        history.wait_for(500)
        for node_id in three.node_ids:
            three.restart(node_id)
            wait_for_full_isr(three.bootstrap, TOPIC)
            history.wait_for(500)
    history.check()


def test_partition_of_the_controller_and_leader_from_the_rest(three: TestCluster) -> None:
    with History(three.bootstrap, TOPIC, PARTITIONS) as history:
        history.wait_for(1_000)
        controller = controller_of(three)
        rest = [node_id for node_id in three.node_ids if node_id != controller]
        three.partition({controller}, rest)
        assert controller_told_by(three, rest[0], not_this=controller) in rest
        wait_until_fenced(three, controller, rest[0])
        three.heal()
        history.wait_for(1_000)
        wait_for_full_isr(three.bootstrap, TOPIC)
    history.check()


def test_one_way_partition(three: TestCluster) -> None:
    with History(three.bootstrap, TOPIC, PARTITIONS) as history:
        history.wait_for(500)
        leader = leader_of(three.bootstrap, TOPIC)
        rest = [node_id for node_id in three.node_ids if node_id != leader]
        three.partition({leader}, rest, one_way=True)
        wait_until_fenced(three, leader, controller_told_by(three, rest[0], not_this=leader))
        three.heal()
        history.wait_for(1_000)
        wait_for_full_isr(three.bootstrap, TOPIC)
    history.check()


def test_a_second_signal_stops_a_node_at_once(three: TestCluster) -> None:
    """It has nobody to hand over to, and does not wait for them."""
    survivor, *others = three.node_ids
    for node_id in others:
        three.kill(node_id)
    pid = three.pid(survivor)
    os.kill(pid, signal.SIGTERM)
    os.kill(pid, signal.SIGINT)  # another number: two of the same may arrive as one
    seconds = wait_until(lambda: three.has_ended(survivor), 20, "the node does not stop")
    assert seconds < 5
    assert "stopped cleanly" in three.node(survivor).said()
    three.restart(survivor, wait=False)
    for node_id in others:
        three.restart(node_id, wait=False)
    three.wait_until_ready()


def test_a_handed_over_partition_is_hardly_missed(three: TestCluster) -> None:
    """SIGTERM moves leadership away before the node goes: writes go on almost without a pause."""
    with History(three.bootstrap, TOPIC, PARTITIONS) as history:
        history.wait_for(500)
        three.stop_node(leader_of(three.bootstrap, TOPIC))
        history.wait_for(500)
    history.check()
    assert history.longest_silence < 5
