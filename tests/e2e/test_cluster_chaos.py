"""Random faults on a real cluster under load, from a seed: the history must hold whatever happens."""

from __future__ import annotations

import random
import time

import pytest
from e2ekit.clusters import controller_of
from e2ekit.history import History, create_topic, wait_for_full_isr
from e2ekit.waiting import wait_until

from riverlog.testing import TestCluster, cluster

pytestmark = pytest.mark.usefixtures("ours")

TOPIC = "load"
PARTITIONS = 4
FAULTS, FAULTS_SOAK = 6, 60
QUICK = {"broker.session.timeout.ms": 6000, "replica.lag.time.max.ms": 5000}


class Chaos:
    """One fault after the other; each is taken back before the next, so that a majority stays."""

    def __init__(self, nodes: TestCluster, history: History, seed: int) -> None:
        self._nodes = nodes
        self._history = history
        self._rng = random.Random(seed)
        self.done: list[str] = []

    def run(self, faults: int) -> None:
        kinds = [
            self._kill,
            self._restart,
            self._pause,
            self._cut_off,
            self._cut_one_way,
            self._kill_controller,
        ]
        for _ in range(faults):
            kind = self._rng.choice(kinds)
            node_id = self._rng.choice(self._nodes.node_ids)
            self.done.append(f"{kind.__name__} {node_id}")
            kind(node_id)
            self._history.wait_for(self._rng.randrange(100, 800))
            if self._rng.random() < 0.5:
                wait_for_full_isr(self._nodes.bootstrap, TOPIC)

    def _linger(self) -> None:
        """A fault lasts for a while, on either side of the time-outs."""
        until = time.monotonic() + self._rng.choice([0.1, 0.5, 2.0, 8.0])
        wait_until(lambda: time.monotonic() >= until, 20, "time stands still")

    def _kill(self, node_id: int) -> None:
        self._nodes.kill(node_id)
        self._linger()
        self._nodes.restart(node_id)

    def _kill_controller(self, _node_id: int) -> None:
        self._kill(controller_of(self._nodes))

    def _restart(self, node_id: int) -> None:
        self._nodes.restart(node_id)

    def _pause(self, node_id: int) -> None:
        self._nodes.pause(node_id)
        self._linger()
        self._nodes.resume(node_id)

    def _cut_off(self, node_id: int) -> None:
        self._nodes.partition({node_id}, [other for other in self._nodes.node_ids if other != node_id])
        self._linger()
        self._nodes.heal()

    def _cut_one_way(self, node_id: int) -> None:
        rest = [other for other in self._nodes.node_ids if other != node_id]
        self._nodes.partition({node_id}, rest, one_way=True)
        self._linger()
        self._nodes.heal()


def run(faults: int, seed: int) -> None:
    with cluster(3, QUICK) as nodes:
        create_topic(nodes.bootstrap, TOPIC, partitions=PARTITIONS)
        chaos = None
        try:
            with History(nodes.bootstrap, TOPIC, PARTITIONS) as history:
                chaos = Chaos(nodes, history, seed)
                history.wait_for(500)
                chaos.run(faults)
                wait_for_full_isr(nodes.bootstrap, TOPIC)
            history.check()
        except AssertionError as error:
            error.add_note(f"seed {seed}, faults: {chaos.done if chaos else []}")
            raise


def test_random_faults_leave_the_history_intact() -> None:
    run(FAULTS, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 6))
def test_many_random_faults_leave_the_history_intact(seed: int) -> None:
    run(FAULTS_SOAK, seed)
