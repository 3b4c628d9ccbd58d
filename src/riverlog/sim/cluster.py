"""Several nodes under simulation, each the very ``Broker`` of production with its own disk, clock, host."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from riverlog.base.config import BrokerConfig
from riverlog.base.listeners import Endpoint
from riverlog.broker.broker import Broker
from riverlog.broker.session import Session
from riverlog.env import StorageError
from riverlog.metadata.errors import MetadataError
from riverlog.metadata.forming import format_folders, prepare_folders
from riverlog.raft.voter_set import VoterNode, VoterSet
from riverlog.sim.clock import START_MS, Scheduler, SimClock
from riverlog.sim.cluster_network import ClusterNetwork, ServerEnd
from riverlog.sim.cluster_trace import ClusterTrace
from riverlog.sim.disk import Setup, SimDisk
from riverlog.sim.media import Media
from riverlog.sim.process import Process
from riverlog.sim.rng import SimRng

LOG_DIR = "/data"
BROKER_PORT = 9092
CONTROLLER_PORT = 9093


def host_of(node_id: int) -> str:
    return f"n{node_id}"


@dataclass(slots=True)
class Plant:
    """Where a test plants a bug: classes to use, and what to do to a broker that has just booted."""

    disk_class: type[SimDisk] = SimDisk
    broker_class: type[Broker] = Broker
    prepare: Callable[[Broker], None] | None = None
    touch: Callable[[Broker], None] | None = None
    """The same again at every look of the checkers, for what is made later."""
    settings: Mapping[str, str] = field(default_factory=dict)


class ClusterNode:
    """Lives, dies and lives again over the same ``Media``."""

    def __init__(self, cluster: Cluster, node_id: int, settings: Mapping[str, str]) -> None:
        self.node_id = node_id
        self.name = host_of(node_id)
        self.media = Media()
        self.lives = 0
        self.serving = False
        self.stopping = False
        self.failure: Exception | None = None
        """Why the process ended by itself."""
        self.broker: Broker | None = None
        self.disk: SimDisk | None = None
        self.process: Process | None = None
        self.clock: SimClock | None = None
        self.wall_offset_ms = 0
        self.host = cluster.network.host(self.name)
        self._cluster = cluster
        self._settings = dict(settings)
        self.rng = cluster.rng.stream(self.name)

    @property
    def running(self) -> bool:
        return self.broker is not None

    @property
    def paused(self) -> bool:
        return self.process is not None and self.process.paused

    def config(self) -> BrokerConfig:
        return BrokerConfig({"log.dirs": LOG_DIR, **self._settings})

    def start(self, setup: Setup) -> None:
        """Begin to start; ``serving`` turns true when clients may come. May raise ``PowerCut``."""
        assert self.broker is None, "started twice"
        cluster = self._cluster
        self.lives += 1
        self.failure = None
        self.stopping = False
        rng = self.rng.stream(f"life-{self.lives}")
        self.process = Process(cluster.scheduler)
        self.host.started(self.process)
        self.disk = cluster.plant.disk_class(self.media, self.process, rng.stream("disk"), setup)
        if not self.disk.exists(LOG_DIR):
            self.disk.make_folder(LOG_DIR)
            self.disk.sync_folder("/")
        self.clock = SimClock(self.process, wall_offset_ms=self.wall_offset_ms)
        cluster.trace.add("start", self.name, f"life {self.lives}")
        try:
            self.broker = cluster.plant.broker_class.boot(
                config=self.config(),
                disk=self.disk,
                clock=self.clock,
                rng=rng.stream("broker"),
                log_dirs=[LOG_DIR],
                endpoints=[
                    Endpoint("PLAINTEXT", self.name, BROKER_PORT),
                    Endpoint("CONTROLLER", self.name, CONTROLLER_PORT),
                ],
                on_failure=self._failed,
                ready=self._ready,
                network=cluster.network.dialer(self.name),
            )
        except (StorageError, MetadataError) as error:
            self._failed(error)
            return
        if cluster.scrub_seconds:
            self.broker.replicas.scrubber.round_seconds = cluster.scrub_seconds
        if cluster.plant.prepare is not None:
            cluster.plant.prepare(self.broker)
        if cluster.after_start is not None:
            cluster.after_start(self)
        self.host.listeners[CONTROLLER_PORT] = self._accept("CONTROLLER")
        if self.serving:
            self.host.listeners[BROKER_PORT] = self._accept("PLAINTEXT")

    def _accept(self, listener: str) -> Callable[[ServerEnd, str], Session | None]:
        def accept(end: ServerEnd, peer: str) -> Session | None:
            if self.broker is None:
                return None
            return self.broker.connected(end, listener=listener, peer_host=peer)

        return accept

    def _ready(self) -> None:
        self.serving = True
        self.host.listeners[BROKER_PORT] = self._accept("PLAINTEXT")
        self._cluster.trace.add("ready", self.name)

    def _failed(self, error: Exception) -> None:
        """The metadata log failed, or the start did: a real process ends here."""
        self._cluster.trace.add("failed", self.name, str(error))
        self.failure = error

    def kill(self) -> None:
        """Kill -9: the page cache stays."""
        self._end()
        self.host.process_died()

    def lose_power(self, rng: SimRng) -> None:
        self._end()
        self.host.lost_power()
        self.media = self.media.power_loss(rng)

    def wipe(self) -> None:
        """Fault W: the folder is emptied while the process is down."""
        assert self.broker is None
        self.media = Media()

    def _end(self) -> None:
        if self.broker is not None:
            self._cluster.before_death(self)
        if self.disk is not None:
            self.disk.kill()
        if self.clock is not None:
            self.clock.kill()
        if self.process is not None:
            self.process.kill()
        self.serving = False
        self.stopping = False
        self.broker = None

    def shut_down(self, done: Callable[[], None]) -> None:
        """SIGTERM: controlled shutdown, then everything is made durable."""
        assert self.broker is not None
        self.stopping = True
        broker = self.broker

        def stopped() -> None:
            if self.broker is broker:
                self._cluster.trace.add("stopped", self.name)
                self.kill()
                done()

        broker.stop_gracefully(stopped)

    def jump_wall(self, milliseconds: int) -> None:
        """Fault K: the wall clock of this node jumps."""
        self.wall_offset_ms += milliseconds
        if self.clock is not None:
            self.clock.jump_wall(milliseconds)


class Cluster:
    """The nodes, their network, their time."""

    def __init__(
        self,
        scheduler: Scheduler,
        rng: SimRng,
        trace: ClusterTrace,
        *,
        count: int = 3,
        settings: Mapping[str, str],
        plant: Plant | None = None,
        before_death: Callable[[ClusterNode], None],
        after_start: Callable[[ClusterNode], None] | None = None,
    ) -> None:
        self.scheduler = scheduler
        self.rng = rng
        self.trace = trace
        self.plant = plant or Plant()
        self.before_death = before_death
        self.after_start = after_start
        """Its logs are open, nobody has told it anything yet."""
        self.scrub_seconds = 0.0
        """How often nodes read their cold data again; 0: as in production."""
        self.network = ClusterNetwork(scheduler, rng.stream("network"), trace)
        voters = ",".join(f"{n}@{host_of(n)}:{CONTROLLER_PORT}" for n in range(1, count + 1))
        self.nodes = [
            ClusterNode(
                self,
                node_id,
                {
                    "node.id": str(node_id),
                    "process.roles": "broker,controller",
                    "listeners": f"PLAINTEXT://{host_of(node_id)}:{BROKER_PORT},"
                    f"CONTROLLER://{host_of(node_id)}:{CONTROLLER_PORT}",
                    "controller.listener.names": "CONTROLLER",
                    "controller.quorum.voters": voters,
                    **settings,
                    **self.plant.settings,
                },
            )
            for node_id in range(1, count + 1)
        ]

    def format(self) -> None:
        """All folders, before any process starts (RULES: forming a quorum 1)."""
        prepared: list[tuple[ClusterNode, SimDisk, BrokerConfig, VoterNode]] = []
        for node in self.nodes:
            disk = SimDisk(node.media, self.scheduler, node.rng.stream("format"))
            disk.make_folder(LOG_DIR)
            disk.sync_folder("/")
            config = node.config()
            prepared.append((node, disk, config, prepare_folders(disk, [LOG_DIR], config, node.rng)))
        voters = VoterSet.of(voter for _, _, _, voter in prepared)
        for node, disk, config, _ in prepared:
            now_ms = START_MS + node.wall_offset_ms
            format_folders(disk, [LOG_DIR], config, rng=node.rng, now_ms=now_ms, voters=voters)
            disk.kill()

    def node(self, node_id: int) -> ClusterNode:
        return self.nodes[node_id - 1]

    @property
    def running(self) -> Sequence[ClusterNode]:
        return [node for node in self.nodes if node.running]

    def dead_disks(self) -> list[ClusterNode]:
        """Nodes that a cut in the middle of a call has just killed."""
        return [
            node
            for node in self.nodes
            if node.disk is not None
            and not node.disk.alive
            and node.process is not None
            and node.process.alive
        ]
