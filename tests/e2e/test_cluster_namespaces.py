"""Real packets lost between three nodes in network namespaces: cut off, cut one way, and back.

Other than the proxy of ``riverlog.testing`` this loses what is under way, and connections notice late.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from e2ekit.clusters import status
from e2ekit.history import History, create_topic, describe, leader_of, wait_for_full_isr
from e2ekit.namespaces import NamespaceCluster, NoNamespaces, inside
from e2ekit.waiting import wait_until

from riverlog.client.errors import ClientError

pytestmark = pytest.mark.usefixtures("ours")

TOPIC = "load"
PARTITIONS = 3
SETTINGS = {"broker.session.timeout.ms": "6000", "replica.lag.time.max.ms": "5000"}
MORE = 500


@pytest.fixture
def three(tmp_path: Path) -> Iterator[NamespaceCluster]:
    with ExitStack() as stack:
        try:
            nodes = stack.enter_context(NamespaceCluster(tmp_path, SETTINGS))
        except NoNamespaces as reason:
            pytest.skip(str(reason))
        inside(nodes.network.router, lambda: create_topic(nodes.bootstrap, TOPIC, partitions=PARTITIONS))
        yield nodes


def controller_told_by(nodes: NamespaceCluster, asked: int, *, not_this: int | None = None) -> int:
    found: list[int] = []

    def known() -> bool:
        try:
            found[:] = [status(nodes.bootstrap_of(asked)).controller_id]
        except ClientError:
            return False
        return found[0] >= 0 and found[0] != not_this

    wait_until(known, 60, f"node {asked} knows no controller other than {not_this}")
    return found[0]


def others(nodes: NamespaceCluster, node_id: int) -> list[int]:
    return [number for number in nodes.node_ids if number != node_id]


def wait_for_another_leader(nodes: NamespaceCluster, node_id: int) -> None:
    """Until nothing is led by the node any more, as the rest sees it."""
    asked = nodes.bootstrap_of(others(nodes, node_id)[0])

    def moved() -> bool:
        return all(row.leader not in (node_id, -1) for row in describe(asked, TOPIC).values())

    wait_until(moved, 60, f"node {node_id} still leads")


def test_a_cut_off_controller(three: NamespaceCluster) -> None:
    """All packets between the controller and the rest are lost; clients reach every node."""

    def act() -> None:
        with History(three.bootstrap, TOPIC, PARTITIONS) as history:
            history.wait_for(MORE)
            controller = controller_told_by(three, 1)
            rest = others(three, controller)
            three.network.cut({controller}, rest)
            assert controller_told_by(three, rest[0], not_this=controller) in rest
            wait_for_another_leader(three, controller)
            history.wait_for(MORE)
            three.network.heal()
            history.wait_for(MORE)
            wait_for_full_isr(three.bootstrap, TOPIC, seconds=90)
        history.check()

    inside(three.network.router, act)


@pytest.mark.parametrize("way", ["out", "in"])
def test_a_leader_cut_off_one_way(three: NamespaceCluster, way: str) -> None:
    """A node that hears and is not heard, or is heard and does not hear, loses what it leads."""

    def act() -> None:
        with History(three.bootstrap, TOPIC, PARTITIONS) as history:
            history.wait_for(MORE)
            leader = leader_of(three.bootstrap, TOPIC)
            sides = ({leader}, set(others(three, leader)))
            three.network.cut(*(sides if way == "out" else reversed(sides)), one_way=True)
            wait_for_another_leader(three, leader)
            history.wait_for(MORE)
            three.network.heal()
            history.wait_for(MORE)
            wait_for_full_isr(three.bootstrap, TOPIC, seconds=90)
        history.check()

    inside(three.network.router, act)


def run_cuts(three: NamespaceCluster, cuts: int, rng: random.Random) -> None:
    """One node after the other loses packets, to some or all of the others, for a while."""
    with History(three.bootstrap, TOPIC, PARTITIONS) as history:
        history.wait_for(MORE)
        for _ in range(cuts):
            node_id = rng.choice(three.node_ids)
            rest = others(three, node_id)
            sides = [{node_id}, set(rng.sample(rest, rng.randrange(1, 3)))]
            rng.shuffle(sides)
            three.network.cut(*sides, one_way=rng.random() < 0.5)
            until = time.monotonic() + rng.choice([0.5, 2.0, 8.0])
            wait_until(lambda until=until: time.monotonic() >= until, 20, "time stands still")
            three.network.heal()
            history.wait_for(rng.randrange(100, 1_000))
        wait_for_full_isr(three.bootstrap, TOPIC, seconds=90)
    history.check()


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(2))
def test_many_cuts(three: NamespaceCluster, seed: int) -> None:
    inside(three.network.router, lambda: run_cuts(three, 30, random.Random(seed)))
