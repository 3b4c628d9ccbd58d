"""What goes wrong in a cluster run, drawn from its seed. At most a minority loses data; all may be down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from riverlog.sim.clock import Scheduler
from riverlog.sim.cluster import Cluster, ClusterNode
from riverlog.sim.cluster_trace import ClusterTrace
from riverlog.sim.disk import Fault, Latency, Setup
from riverlog.sim.rng import SimRng

FAULTS_MIN = 5


class FaultWorld(Protocol):
    scheduler: Scheduler
    cluster: Cluster
    trace: ClusterTrace

    def count(self, what: str) -> None: ...

    def power_lost(self, node: ClusterNode) -> None:
        """Who did not wait for the disk was promised nothing from here on."""
        ...

    def data_lost(self, node: ClusterNode) -> None:
        """Who was content with one copy was promised nothing from here on."""
        ...

    def flip_bit(self, node: ClusterNode, rng: SimRng) -> None:
        """Fault B, in cold data of a partition that others have too; if there is some."""
        ...


class Faults:
    """Plans its faults at the start, so that their number does not depend on what happens."""

    def __init__(self, world: FaultWorld, rng: SimRng, *, disk_faults: bool) -> None:
        self._stopped = False
        self._disk_faults = disk_faults
        self._world = world
        self._rng = rng
        self._victim = world.cluster.nodes[rng.random_int(0, len(world.cluster.nodes) - 1)]
        """The only node whose disk may fail, lie or be emptied."""
        self._wiped = False

    def begin(self, seconds: float) -> None:
        rng = self._rng
        kinds: list[tuple[Callable[[], None], float]] = [
            (self._kill, 2.0),
            (self._power, 2.0),
            (self._cut_in_a_call, 2.0),
            (self._pause, 2.0),
            (self._partition, 3.0),
            (self._one_way, 2.0),
            (self._cut_connections, 2.0),
            (self._clock, 1.0),
            (self._rolling_restart, 1.0),
            (self._shut_down, 1.5),
            (self._all_lose_power, 0.4),
            (self._two_die, 0.6),
            (self._deafen, 1.0),
        ]
        if self._disk_faults:
            kinds += [
                (self._wipe, 1.0),
                (self._disk_fails, 2.0),
                (self._disk_full, 0.7),
                (self._flip, 3.0),
            ]
        for _ in range(rng.random_int(FAULTS_MIN, FAULTS_MIN + 7)):
            at = rng.uniform(2.0, seconds)
            self._world.scheduler.call_later(at, self._guarded(rng.weighted(kinds)))

    def stop(self) -> None:
        """No more faults. Nodes that are down come back."""
        self._stopped = True

    def _guarded(self, fault: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            if self._stopped:
                return
            self._world.count("faults")
            before = self._world.trace.count
            fault()
            if self._world.trace.count == before:
                self._partition()  # there was nothing to be hit

        return run

    def setup(self, *, calm: bool = False) -> Setup:
        """A disk for the next life of a node."""
        high = 0.002 if calm else self._rng.choice((0.0005, 0.003, 0.003, 0.03))
        return Setup(latency=Latency(0.0001, high))

    def _later(self, low: float, high: float, callback: Callable[[], None]) -> None:
        self._world.scheduler.call_later(self._rng.uniform(low, high), callback)

    def _any_node(self) -> ClusterNode:
        return self._rng.choice(self._world.cluster.nodes)

    # -- processes -------------------------------------------------------------------------

    def die(self, node: ClusterNode, *, power: bool) -> None:
        """The node is gone; it comes back by itself after a while."""
        if node.process is None or not node.process.alive:
            return
        self._world.trace.add("power" if power else "kill", node.name)
        self._world.count("power cuts" if power else "kills")
        if power:
            node.lose_power(self._rng.stream(f"cut-{node.name}-{node.lives}"))
            self._world.power_lost(node)
        else:
            node.kill()
            node.media.drop_doubtful(self._rng)
        self.start_later(node)

    def start_later(self, node: ClusterNode) -> None:
        lives = node.lives
        self._later(0.1, self._rng.choice((0.5, 3.0, 8.0)), lambda: self._start_again(node, lives))

    def _start_again(self, node: ClusterNode, lives: int) -> None:
        if node.lives == lives and not node.running:
            node.start(self.setup())

    def _kill(self) -> None:
        self.die(self._any_node(), power=False)

    def _power(self) -> None:
        self.die(self._any_node(), power=True)

    def _two_die(self) -> None:
        for node in self._rng.shuffled(self._world.cluster.nodes)[:2]:
            self.die(node, power=self._rng.chance(0.7))

    def _all_lose_power(self) -> None:
        for node in self._world.cluster.nodes:
            self.die(node, power=True)

    def _cut_in_a_call(self) -> None:
        node = self._any_node()
        if node.disk is not None and node.running:
            self._world.trace.add("will be cut", node.name)
            node.disk.cut_at = node.disk.op_count + self._rng.random_int(1, 60)

    def _pause(self) -> None:
        node = self._any_node()
        process = node.process
        if process is None or not process.alive or process.paused:
            return
        self._world.trace.add("pause", node.name)
        self._world.count("pauses")
        process.pause()

        def resume() -> None:
            self._world.trace.add("resume", node.name)
            process.resume()

        self._later(0.1, self._rng.choice((1.0, 5.0, 14.0)), resume)

    def _shut_down(self) -> None:
        self._stop(self._any_node(), lambda: None)

    def _rolling_restart(self) -> None:
        waiting = self._rng.shuffled(self._world.cluster.nodes)

        def next_one() -> None:
            if waiting and not self._stopped:
                self._stop(waiting.pop(), lambda: self._later(1.0, 3.0, next_one))

        next_one()

    def _stop(self, node: ClusterNode, done: Callable[[], None]) -> None:
        if not node.serving or node.stopping or node.paused:
            return
        self._world.trace.add("stop", node.name)
        self._world.count("clean stops")

        def stopped() -> None:
            self.start_later(node)
            done()

        node.shut_down(stopped)

    def _deafen(self) -> None:
        """A broker comes back. While leaders take it in again, one of them does not hear the controller."""
        nodes = self._world.cluster.nodes
        active = [node for node in nodes if node.broker is not None and node.broker.metadata.is_active]
        others = [node for node in nodes if node.serving and node not in active[-1:]]
        if not active or len(others) < 2:
            return
        joining, leader = self._rng.shuffled(others)[:2]
        self.die(joining, power=False)
        life = joining.lives + 1

        def look() -> None:
            if joining.lives > life or self._stopped:
                return
            if joining.lives == life and joining.serving:
                self._block([(active[-1].name, leader.name)])
            else:
                self._world.scheduler.call_later(0.05, look)

        look()

    # -- network ---------------------------------------------------------------------------

    def _block(self, pairs: list[tuple[str, str]]) -> None:
        network = self._world.cluster.network
        self._world.count("partitions")
        self._world.trace.add("cut off", ", ".join(f"{source}→{target}" for source, target in pairs))
        for source, target in pairs:
            network.block(source, target)
        epoch = network.heals

        def heal() -> None:
            if network.heals == epoch:
                self._world.trace.add("back", ", ".join(f"{source}→{target}" for source, target in pairs))
                for source, target in pairs:
                    network.unblock(source, target)

        self._later(0.2, self._rng.choice((1.0, 4.0, 12.0)), heal)

    def _partition(self) -> None:
        """One node away from the others, or one link, both ways. Clients may still reach all."""
        nodes = self._rng.shuffled(self._world.cluster.nodes)
        others = nodes[1:] if self._rng.chance(0.6) else nodes[1:2]
        pairs = [(nodes[0].name, other.name) for other in others]
        self._block([*pairs, *((target, source) for source, target in pairs)])

    def _one_way(self) -> None:
        nodes = self._rng.shuffled(self._world.cluster.nodes)
        others = nodes[1:] if self._rng.chance(0.5) else nodes[1:2]
        pairs = [(nodes[0].name, other.name) for other in others]
        if self._rng.chance(0.5):
            pairs = [(target, source) for source, target in pairs]
        self._block(pairs)

    def _cut_connections(self) -> None:
        for _ in range(self._rng.random_int(1, 5)):
            self._world.cluster.network.cut_one(self._rng)
        self._world.count("connections cut")

    # -- clocks and disks ------------------------------------------------------------------

    def _clock(self) -> None:
        node = self._any_node()
        self._world.trace.add("clock", node.name)
        self._world.count("clock jumps")
        node.jump_wall(self._rng.random_int(-60_000, 60_000))

    def _wipe(self) -> None:
        """Once a run, and only while the others are up: their data is what is left."""
        node = self._victim
        cluster = self._world.cluster
        if self._wiped or any(not other.serving for other in cluster.nodes if other is not node):
            return
        self._wiped = True
        self.die(node, power=False)
        self._world.trace.add("wiped", node.name)
        self._world.count("folders emptied")
        node.wipe()
        self._world.data_lost(node)

    def _flip(self) -> None:
        self._world.flip_bit(self._victim, self._rng)

    def _disk_fails(self) -> None:
        disk = self._victim.disk
        if disk is not None and self._victim.running:
            call = self._rng.choice(("sync", "sync", "write", "sync_folder", "create", "rename"))
            self._world.trace.add("disk will fail", self._victim.name, call)
            self._world.count("disk faults")
            disk.setup.faults.append(
                Fault(call, skip=self._rng.random_int(0, 20), torn=self._rng.chance(0.5))
            )

    def _disk_full(self) -> None:
        disk = self._victim.disk
        if disk is None or not self._victim.running:
            return
        self._world.trace.add("disk full", self._victim.name)
        self._world.count("disk faults")
        disk.setup.capacity_bytes = disk.media.used_bytes + self._rng.random_int(0, 4000)

        def room() -> None:
            disk.setup.capacity_bytes = 1 << 40

        self._later(0.5, 5.0, room)
