"""A small cluster in memory: whole brokers on simulated disks and one clock, over an instant network.

No randomness in the network: every message takes 0.2 ms and arrives. Processes can be stopped, killed,
started again, and cut off. For chaos there is ``riverlog.sim``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from broker_world import DATA, Client, batch, fetch_request, produce_request

from riverlog.base.config import BrokerConfig
from riverlog.base.errors import ErrorCode
from riverlog.base.listeners import Endpoint
from riverlog.base.slices import FileSlice
from riverlog.broker.broker import Broker
from riverlog.broker.session import Session
from riverlog.env import Closed, StorageError
from riverlog.metadata.forming import format_folders, prepare_folders
from riverlog.metadata.image import PartitionState
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.create_topics_request import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from riverlog.raft.voter_set import VoterSet
from riverlog.sim.clock import Scheduler, SimClock
from riverlog.sim.disk import SimDisk
from riverlog.sim.media import Media
from riverlog.sim.rng import SimRng

CLIENT_PORT = 9092
CONTROLLER_PORT = 9093
WAIT_SECONDS_MAX = 60.0
DELAY_SECONDS = 0.0002

COMBINED = "broker,controller"


class Line:
    """One connection between two nodes: the ``Channel`` of who dialed, the ``Connection`` of who accepted."""

    def __init__(self, network: Network, source: Node, target: Node) -> None:
        self.network = network
        self.source = source
        self.target = target
        self.session: Session | None = None
        self.on_received: Callable[[memoryview], None] = lambda _: None
        self.on_closed: Callable[[Closed], None] = lambda _: None
        self._buffer = bytearray()
        self._dialer_open = True
        self._server_open = False
        self._lives = (source.lives, target.lives)
        self.dialed = Dialed(self)

    @property
    def source_lives(self) -> bool:
        """Whether the process that dialed is still the one that runs."""
        return self.source.alive and self.source.lives == self._lives[0]

    @property
    def target_lives(self) -> bool:
        return self.target.alive and self.target.lives == self._lives[1]

    # -- who dialed -----------------------------------------------------------------------

    def to_server(self, data: bytes) -> None:
        self.network.after(self, lambda: self._serve(data))

    def _serve(self, data: bytes) -> None:
        if not self._server_open or not self.target_lives:
            return
        self._buffer += data
        while self._server_open and len(self._buffer) >= 4:
            end = 4 + int.from_bytes(self._buffer[:4], "big")
            if len(self._buffer) < end:
                return
            frame = bytearray(self._buffer[4:end])
            del self._buffer[:end]
            assert self.session is not None
            self.session.on_frame(memoryview(frame))

    def hang_up(self) -> None:
        self._dialer_open = False
        self.network.after(self, self.server_lost)

    def server_lost(self) -> None:
        """The accepting side learns that the other one is gone."""
        if self._server_open and self.target_lives:
            self._server_open = False
            assert self.session is not None
            self.session.on_closed("closed by the peer")

    # -- who accepted (``env.Connection``) ---------------------------------------------------

    def accepted(self, session: Session) -> None:
        self._lives = (self.source.lives, self.target.lives)
        self.session = session
        self._server_open = True

    def send(self, parts: Sequence[bytes | bytearray | memoryview | FileSlice]) -> None:
        whole = b"".join(part.read() if isinstance(part, FileSlice) else bytes(part) for part in parts)
        self.network.after(self, lambda: self._receive(whole))

    def _receive(self, data: bytes) -> None:
        if self._dialer_open and self.source_lives:
            self.on_received(memoryview(data))

    def pause_for(self, seconds: float) -> None:
        """Brokers are not held back."""

    def close(self, reason: str) -> None:
        if self._server_open:
            self._server_open = False
            assert self.session is not None
            self.session.on_closed(reason)
            self.network.after(self, lambda: self.dialer_lost(Closed(reason, reset=True)))

    def dialer_lost(self, closed: Closed) -> None:
        if self._dialer_open and self.source_lives:
            self._dialer_open = False
            self.on_closed(closed)

    def reset(self) -> None:
        self.server_lost()
        self.dialer_lost(Closed("reset", reset=True))


class Dialed:
    """``env.Channel``."""

    def __init__(self, line: Line) -> None:
        self._line = line

    def send(self, data: bytes) -> None:
        self._line.to_server(bytes(data))

    def close(self) -> None:
        self._line.hang_up()


class Network:
    """Who is where, and which nodes are cut off from the others."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.scheduler = scheduler
        self.nodes: dict[str, Node] = {}
        self.cut_off: set[str] = set()
        self.lines: dict[Line, None] = {}

    def reaches(self, source: Node, target: Node) -> bool:
        return source is target or not {source.host, target.host} & self.cut_off

    def after(self, line: Line, callback: Callable[[], None]) -> None:
        """A moment later, unless the line is cut then: what is lost stays lost until it is reset."""

        def arrive() -> None:
            if self.reaches(line.source, line.target):
                callback()

        self.scheduler.call_later(DELAY_SECONDS, arrive)

    def isolate(self, node: Node) -> None:
        """Nothing arrives at, or comes from, this node; nobody is told."""
        self.cut_off.add(node.host)

    def heal(self) -> None:
        """Connections that lost something are reset."""
        for line in list(self.lines):
            if not self.reaches(line.source, line.target):
                del self.lines[line]
                self.scheduler.call_later(DELAY_SECONDS, line.reset)
        self.cut_off.clear()

    def died(self, node: Node) -> None:
        """The kernel closes what the process had open."""
        for line in list(self.lines):
            if node in (line.source, line.target):
                del self.lines[line]
                self.after(line, line.reset)


class Dialer:
    """``env.Dialer`` of one life of a node."""

    def __init__(self, network: Network, node: Node) -> None:
        self._network = network
        self._node = node

    def connect(
        self,
        host: str,
        port: int,
        *,
        on_connected: Callable[[], None],
        on_received: Callable[[memoryview], None],
        on_closed: Callable[[Closed], None],
    ) -> Dialed:
        network, target = self._network, self._network.nodes[host]
        line = Line(network, self._node, target)
        line.on_received = on_received
        line.on_closed = on_closed

        def arrive() -> None:
            if not line._dialer_open or not line.source_lives:
                return
            session = target.accept(line, port, self._node.host)
            if session is None:
                line.dialer_lost(Closed("nobody listens", refused=True))
                return
            network.lines[line] = None
            line.accepted(session)
            on_connected()

        network.after(line, arrive)
        return line.dialed


class Node:
    """One node through all its lives. ``broker`` and ``run_until`` make it a world for ``Client``."""

    broker: Broker

    def __init__(
        self,
        cluster: Cluster,
        node_id: int,
        roles: str,
        static: dict[str, str],
        log_dirs: Sequence[str] = (DATA,),
    ) -> None:
        self.cluster = cluster
        self.node_id = node_id
        self.host = f"node{node_id}"
        self.media = Media()
        self.log_dirs = list(log_dirs)
        self.lives = 0
        self.alive = False
        self.ready = False
        self.failures: list[StorageError] = []
        self.is_broker = "broker" in roles
        self.is_controller = "controller" in roles
        listeners = []
        if self.is_broker:
            listeners.append(f"PLAINTEXT://{self.host}:{CLIENT_PORT}")
        if self.is_controller:
            listeners.append(f"CONTROLLER://{self.host}:{CONTROLLER_PORT}")
        self.static = {
            "node.id": str(node_id),
            "process.roles": roles,
            "listeners": ",".join(listeners),
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "log.dirs": ",".join(log_dirs),
            **static,
        }

    def config(self) -> BrokerConfig:
        return BrokerConfig(self.static)

    def open_disk(self) -> SimDisk:
        disk = SimDisk(self.media, self.cluster.scheduler, self.cluster.rng.stream(f"{self.host}-disk"))
        for path in self.log_dirs:
            if not disk.is_folder(path):
                disk.make_folder(path)
                disk.sync_folder("/")
        return disk

    def start(self) -> None:
        assert not self.alive
        self.lives += 1
        self.alive = True
        self.ready = False
        self.disk = self.open_disk()
        self.clock = SimClock(self.cluster.scheduler)
        endpoints = [Endpoint("PLAINTEXT", self.host, CLIENT_PORT)] if self.is_broker else []
        self.broker = Broker.boot(
            config=self.config(),
            disk=self.disk,
            clock=self.clock,
            rng=self.cluster.rng.stream(f"{self.host}-{self.lives}"),
            log_dirs=self.log_dirs,
            endpoints=endpoints,
            on_failure=self.failures.append,
            ready=self._on_ready,
            network=Dialer(self.cluster.network, self),
        )

    def _on_ready(self) -> None:
        self.ready = True

    def accept(self, line: Line, port: int, peer_host: str) -> Session | None:
        if not self.alive:
            return None
        if port == CONTROLLER_PORT and self.is_controller:
            return self.broker.connected(line, listener="CONTROLLER", peer_host="10.0.0.9")
        if port == CLIENT_PORT and self.is_broker and self.ready:
            return self.broker.connected(line, listener="PLAINTEXT", peer_host="10.0.0.9")
        return None

    def kill(self) -> None:
        """Kill -9."""
        self.alive = False
        self.ready = False
        self.disk.kill()
        self.clock.kill()
        self.cluster.network.died(self)

    def stop(self) -> None:
        """In order, waiting for it."""
        done: list[bool] = []
        self.broker.stop_gracefully(lambda: done.append(True))
        assert self.run_until(lambda: bool(done))
        self.kill()

    def run_until(self, condition: Callable[[], bool]) -> bool:
        return self.cluster.run_until(condition)

    def client(self) -> Client:
        return Client(self)  # type: ignore[arg-type]


class Cluster:
    """Formatted and, unless told otherwise, started and unfenced."""

    def __init__(
        self,
        count: int = 3,
        *,
        roles: Sequence[str] = (),
        seed: int = 7,
        start: bool = True,
        formatted: bool = True,
        log_dirs: Sequence[str] = (DATA,),
        **static: str,
    ) -> None:
        self.scheduler = Scheduler()
        self.rng = SimRng(seed)
        self.network = Network(self.scheduler)
        chosen = list(roles) or [COMBINED] * count
        voters = ",".join(
            f"{number}@node{number}:{CONTROLLER_PORT}"
            for number, role in enumerate(chosen, 1)
            if "controller" in role
        )
        settings = {
            "controller.quorum.voters": voters,
            "offsets.topic.num.partitions": "4",
            **{name.replace("_", "."): value for name, value in static.items()},
        }
        self.nodes = {
            number: Node(self, number, role, settings, log_dirs) for number, role in enumerate(chosen, 1)
        }
        self.network.nodes = {node.host: node for node in self.nodes.values()}
        if formatted:
            self.format()
        if start:
            for node in self.nodes.values():
                node.start()
            assert self.run_until(lambda: all(node.ready for node in self.nodes.values())), self.status()

    def format(self) -> None:
        disks = {number: node.open_disk() for number, node in self.nodes.items()}
        rng = self.rng.stream("format")
        voters = VoterSet.of(
            prepare_folders(disks[number], node.log_dirs, node.config(), rng)
            for number, node in self.nodes.items()
            if node.is_controller
        )
        for number, node in self.nodes.items():
            format_folders(disks[number], node.log_dirs, node.config(), rng=rng, now_ms=0, voters=voters)
            disks[number].kill()

    def run_until(self, condition: Callable[[], bool], seconds_max: float = WAIT_SECONDS_MAX) -> bool:
        return self.scheduler.run_until(condition, seconds_max=seconds_max)

    def run_for(self, seconds: float) -> None:
        self.scheduler.run_for(seconds)

    def status(self) -> str:
        """For the message of a failing assertion."""
        lines = []
        for node in self.nodes.values():
            if not node.alive:
                lines.append(f"{node.host}: down")
                continue
            metadata = node.broker.metadata
            brokers = {
                one.broker_id: "fenced" if one.fenced else "up" for one in metadata.image.brokers.values()
            }
            lines.append(
                f"{node.host}: {node.broker.lifecycle.phase.value}, ready {node.ready}, leader "
                f"{metadata.controller_id} epoch {metadata.leader_epoch}, active {metadata.is_active}, "
                f"offset {metadata.committed_offset}, brokers {brokers}"
            )
        return "\n".join(lines)

    # -- who does what ----------------------------------------------------------------------

    @property
    def alive(self) -> list[Node]:
        return [node for node in self.nodes.values() if node.alive]

    def controller(self) -> Node | None:
        """The active controller."""
        found = [node for node in self.alive if node.broker.metadata.is_active]
        return max(found, key=lambda node: node.broker.metadata.leader_epoch) if found else None

    def partition(self, topic: str, index: int = 0) -> PartitionState | None:
        """As the active controller's published image has it."""
        node = self.controller()
        return None if node is None else node.broker.metadata.image.partition(topic, index)

    def leader(self, topic: str, index: int = 0) -> Node | None:
        """The node that leads, once it is alive and everybody alive knows it."""
        state = self.partition(topic, index)
        node = None if state is None else self.nodes.get(state.leader)
        if state is None or node is None or not (node.alive and node.ready):
            return None
        for other in self.alive:
            known = other.broker.metadata.image.partition(topic, index)
            if known is None or (known.leader, known.leader_epoch) != (state.leader, state.leader_epoch):
                return None
        return node

    def wait_leader(self, topic: str, index: int = 0) -> Node:
        assert self.run_until(lambda: self.leader(topic, index) is not None), self.status()
        found = self.leader(topic, index)
        assert found is not None
        return found

    def wait_isr(self, topic: str, isr: set[int], index: int = 0) -> None:
        def reached() -> bool:
            state = self.partition(topic, index)
            return state is not None and set(state.isr) == isr

        assert self.run_until(reached), (self.partition(topic, index), self.status())

    # -- shorthands -------------------------------------------------------------------------

    def any_client(self) -> Client:
        return next(node for node in self.alive if node.ready).client()

    def create(
        self,
        name: str,
        *,
        partitions: int = 1,
        factor: int = 3,
        replicas: Sequence[int] | None = None,
        node: Node | None = None,
        **settings: str,
    ) -> bytes:
        """A topic; waits until every living node has it. ``replicas``: of its only partition, by hand."""
        client = self.any_client() if node is None else node.client()
        configs = [CreatableTopicConfig(name=k.replace("_", "."), value=v) for k, v in settings.items()]
        topic = CreatableTopic(
            name=name, num_partitions=partitions, replication_factor=factor, configs=configs
        )
        if replicas is not None:
            topic.num_partitions = topic.replication_factor = -1
            topic.assignments = [CreatableReplicaAssignment(partition_index=0, broker_ids=list(replicas))]
        request = CreateTopicsRequest(topics=[topic], timeout_ms=30_000)
        response = client.newest(ApiKey.CREATE_TOPICS, request)
        assert response.topics[0].error_code == 0, response
        assert self.run_until(lambda: all(name in one.broker.metadata.image.topics for one in self.alive))
        topic_id: bytes = response.topics[0].topic_id
        return topic_id

    def produce(self, name: str, *values: bytes, partition: int = 0, acks: int = -1, **ids: int) -> int:
        """To the leader, trying again as a client does until it is acknowledged; answers the offset."""
        for _ in range(100):
            node = self.wait_leader(name, partition)
            request = produce_request(name, batch(*values, **ids), acks=acks, partition=partition)
            request.timeout_ms = 1000
            client = node.client()
            got = client.call(ApiKey.PRODUCE, 9, request).responses[0].partition_responses[0]
            if got.error_code == ErrorCode.NONE:
                offset: int = got.base_offset
                return offset
            self.run_for(0.05)
        raise AssertionError(f"not produced: {got} {self.partition(name, partition)}\n{self.status()}")

    def fetch(self, name: str, offset: int = 0, *, partition: int = 0, node: Node | None = None) -> Any:
        """One partition's answer, of its leader unless told otherwise."""
        chosen = self.wait_leader(name, partition) if node is None else node
        response = chosen.client().call(ApiKey.FETCH, 12, fetch_request(name, offset, partition=partition))
        return response.responses[0].partitions[0]
