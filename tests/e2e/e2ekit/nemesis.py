"""Faults on a running cluster, drawn from a seed. One node suffers at a time, now and then two."""

from __future__ import annotations

import random
import shutil
import time
from collections import Counter
from collections.abc import Callable

from e2ekit.clusters import controller_of
from e2ekit.history import leader_of, wait_for_full_isr
from e2ekit.waiting import wait_until
from riverlog.testing import TestCluster

LINGER_SECONDS = (0.2, 1.0, 3.0)
TWO_AT_ONCE = 0.25
ISR_SECONDS_MAX = 90


class Nemesis:
    """``run`` injects until the time is over; after each fault the load has to go on."""

    def __init__(
        self,
        nodes: TestCluster,
        topic: str,
        partitions: int,
        seed: int,
        *,
        session_seconds: float,
        goes_on: Callable[[], None],
    ) -> None:
        self._nodes = nodes
        self._topic = topic
        self._partitions = partitions
        self._rng = random.Random(seed)
        self._session_seconds = session_seconds
        self._goes_on = goes_on
        self.injected: Counter[str] = Counter()
        self.told: list[str] = []
        self._began = time.monotonic()

    def run(self, seconds: float) -> None:
        self._began = time.monotonic()
        wipe_at = self._rng.randrange(1, 4)
        bag: list[Callable[[], None]] = []
        number = 0
        while time.monotonic() < self._began + seconds:
            if number == wipe_at:
                self._wipe()
            else:
                if not bag:
                    bag = self._all_kinds()
                    self._rng.shuffle(bag)
                bag.pop()()
            number += 1
            self._goes_on()
            if self._rng.random() < 0.4:
                self._wait_for_full_isr()

    def _all_kinds(self) -> list[Callable[[], None]]:
        return [
            self._kill_leader,
            self._kill_controller,
            self._kill_any,
            self._pause_past_the_session,
            self._pause_shortly,
            self._restart,
            self._rolling_restart,
            self._cut_off,
            self._cut_off_longer,
            self._cut_one_way,
        ]

    # -- faults --------------------------------------------------------------------------

    def _kill_leader(self) -> None:
        partition = self._rng.randrange(self._partitions)
        self._kill("kill -9 of a leader", leader_of(self._nodes.bootstrap, self._topic, partition))

    def _kill_controller(self) -> None:
        self._kill("kill -9 of the controller", controller_of(self._nodes))

    def _kill_any(self) -> None:
        self._kill("kill -9", self._any())

    def _kill(self, kind: str, node_id: int) -> None:
        self._note(kind, node_id)
        self._nodes.kill(node_id)
        self._linger(node_id)
        self._nodes.restart(node_id)

    def _pause_past_the_session(self) -> None:
        self._pause("pause past the session", self._session_seconds + 1.5)

    def _pause_shortly(self) -> None:
        self._pause("short pause", self._rng.choice(LINGER_SECONDS))

    def _pause(self, kind: str, seconds: float) -> None:
        node_id = self._any()
        self._note(kind, node_id)
        self._nodes.pause(node_id)
        self._last(seconds)
        self._nodes.resume(node_id)

    def _restart(self) -> None:
        node_id = self._any()
        self._note("clean restart", node_id)
        self._nodes.restart(node_id)

    def _rolling_restart(self) -> None:
        self._note("rolling restart", *self._nodes.node_ids)
        for node_id in self._nodes.node_ids:
            self._nodes.restart(node_id)
            self._wait_for_full_isr()

    def _cut_off(self) -> None:
        self._cut("partition", self._rng.choice(LINGER_SECONDS), one_way=False)

    def _cut_off_longer(self) -> None:
        self._cut("partition past the session", self._session_seconds + 1.5, one_way=False)

    def _cut_one_way(self) -> None:
        seconds = self._rng.choice([*LINGER_SECONDS, self._session_seconds + 1.5])
        self._cut("one-way partition", seconds, one_way=True)

    def _cut(self, kind: str, seconds: float, *, one_way: bool) -> None:
        node_id = self._any()
        rest = [other for other in self._nodes.node_ids if other != node_id]
        self._note(kind, node_id)
        self._nodes.partition({node_id}, rest, one_way=one_way)
        self._last(seconds)
        self._nodes.heal()

    def _wipe(self) -> None:
        """An emptied folder is a lost copy: the others must have theirs."""
        self._wait_for_full_isr()
        node_id = self._any()
        self._note("wiped folder", node_id)
        self._nodes.kill(node_id)
        shutil.rmtree(self._nodes.node(node_id).data_dir)
        self._nodes.restart(node_id)
        self._wait_for_full_isr()

    # -- helpers -------------------------------------------------------------------------

    def _any(self) -> int:
        return self._rng.choice(self._nodes.node_ids)

    def _linger(self, node_id: int) -> None:
        """How long a node stays away; sometimes another one is away too, and nothing can be written."""
        seconds = self._rng.choice([*LINGER_SECONDS, self._session_seconds + 1.5])
        if self._rng.random() >= TWO_AT_ONCE:
            self._last(seconds)
            return
        other = self._rng.choice([known for known in self._nodes.node_ids if known != node_id])
        self._note("kill -9 of a second node", other)
        self._nodes.kill(other)
        self._last(seconds)
        self._nodes.restart(other, wait=False)  # it can serve when the first one is back

    def _last(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        wait_until(lambda: time.monotonic() >= until, seconds + 10, "time stands still")

    def _wait_for_full_isr(self) -> None:
        wait_for_full_isr(self._nodes.bootstrap, self._topic, seconds=ISR_SECONDS_MAX)

    def _note(self, kind: str, *node_ids: int) -> None:
        self.injected[kind] += 1
        at = time.monotonic() - self._began
        self.told.append(f"{at:.1f} s: {kind}, node {', '.join(map(str, node_ids))}")
