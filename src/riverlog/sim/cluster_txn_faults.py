"""Faults of a transactional run: those of every cluster run, and some that hit a node in a certain step."""

from __future__ import annotations

from collections.abc import Callable

from riverlog.sim.cluster import ClusterNode
from riverlog.sim.cluster_faults import Faults, FaultWorld
from riverlog.sim.rng import SimRng

STRIKES_MAX = 4


class TxnFaults(Faults):
    """``strike`` hits the coordinator or leader that a client is about to ask."""

    def __init__(self, world: FaultWorld, rng: SimRng, *, disk_faults: bool) -> None:
        super().__init__(world, rng, disk_faults=disk_faults)
        self._target: ClusterNode | None = None
        self._strikes = 0

    def strike(self, node: ClusterNode, rng: SimRng) -> None:
        """Before the request arrives, while it is worked on, or after it was answered."""
        if self._stopped or self._strikes >= STRIKES_MAX or not node.running:
            return
        self._strikes += 1
        seconds = rng.uniform(0.0, rng.choice((0.002, 0.02, 0.2)))
        fault: Callable[[], None] = rng.weighted(
            [
                (self._kill, 2.0),
                (self._power, 2.0),
                (self._pause, 2.0),
                (self._cut_in_a_call, 1.5),
                (self._cut_off, 2.0),
                (self._shut_down, 0.5),
            ]
        )

        def hit() -> None:
            self._target = node
            self._guarded(fault)()
            self._target = None

        self._world.scheduler.call_later(seconds, hit)

    def _any_node(self) -> ClusterNode:
        return self._target or super()._any_node()

    def _cut_off(self) -> None:
        node = self._any_node()
        others = [other for other in self._world.cluster.nodes if other is not node]
        pairs = [(node.name, other.name) for other in others]
        if self._rng.chance(0.6):
            pairs += [(target, source) for source, target in pairs]
        self._block(pairs)

    def _clock(self) -> None:
        """By less than in other runs: transactions time out by the coordinator's clock."""
        node = self._any_node()
        self._world.trace.add("clock", node.name)
        self._world.count("clock jumps")
        node.jump_wall(self._rng.random_int(-3_000, 3_000))
