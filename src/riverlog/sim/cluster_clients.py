"""What clients of a simulated cluster share: connections to its nodes, and a view of who leads what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from riverlog.base.errors import ErrorCode
from riverlog.env.network import Closed
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_response, encode_request
from riverlog.protocol.generated.metadata_request import MetadataRequest, MetadataRequestTopic
from riverlog.sim.clock import Scheduler
from riverlog.sim.cluster import BROKER_PORT, host_of
from riverlog.sim.cluster_network import ClientEnd, ClusterNetwork, SimDialer
from riverlog.sim.process import Process
from riverlog.sim.promises import TopicPromises
from riverlog.sim.rng import SimRng

REQUEST_SECONDS_MAX = 4.0
"""A client drops a connection that owes it an answer for so long."""
REFRESH_SECONDS = 0.1

Reply = Callable[[Any], None]


@dataclass(slots=True)
class ClusterTopic(TopicPromises):
    """A topic of a cluster run."""

    replication_factor: int = 3
    min_insync: int = 2
    doubted: bool = False
    """A creation got no answer: it may still happen, so the name is not used again after a deletion."""
    shaky: bool = False
    """It may have lost what it promised (one copy was enough, or the disk was not waited for)."""
    compacted: bool = False
    keeps_tombstones: bool = True
    """Longer than any run, or any time."""
    retention_ms: int = 0
    """0: by size."""
    count: int = 0
    """Partitions asked for."""
    dying: bool = False
    altering: bool = False
    """A change of a setting got no answer: it may still come, also for the next topic of this name."""
    wanted: dict[str, str] = field(default_factory=dict)
    old_ids: dict[bytes, None] = field(default_factory=dict)

    def forget_incarnation(self) -> None:
        self.topic_id = b""
        self.partitions = {}
        self.settings = {}
        self.altering = False

    def forget_promises(self) -> None:
        """What made them good is gone: from now on anything may be missing."""
        self.shaky = True
        for part in self.partitions.values():
            part.forget()
            part.void = True

    @property
    def copies_min(self) -> int:
        return min(self.min_insync, self.replication_factor)


class ClusterWorld(Protocol):
    """What actors see of the run they are in."""

    scheduler: Scheduler
    network: ClusterNetwork
    node_ids: list[int]
    topics: dict[str, ClusterTopic]
    quiet: bool
    """The last phase: finish what is under way, begin nothing."""

    def count(self, what: str) -> None: ...

    def new_producer_id(self, producer_id: int) -> None: ...

    def leads(self, topic_id: bytes, index: int, *, now: bool = False) -> tuple[int, int]:
        """Who does by the committed metadata, and in which epoch; ``now``: look, do not remember."""
        ...

    def is_damaged(self, node_id: int) -> bool:
        """Bits of its disk have flipped: what it answers may be corrupt, and a client that looks finds it."""
        ...

    def least_time_ms(self, topic: ClusterTopic) -> int:
        """What is older may have been deleted by now."""
        ...

    def coordinates(self, group: str) -> tuple[int, int]:
        """Which node does by the committed metadata, now, and in which epoch."""
        ...

    def check_exists(self, topic: ClusterTopic) -> None:
        """A broker says that there is a topic of this name: by the committed metadata there was one."""
        ...

    def acknowledged(self, topic: ClusterTopic, index: int, end_offset: int) -> None:
        """``acks=all`` was answered up to here: look whether enough replicas have it."""
        ...


class Caller:
    """One client's connection to one node. Requests are pipelined; none outlives a broken connection."""

    def __init__(self, dialer: SimDialer, scheduler: Scheduler, name: str, node_id: int) -> None:
        self._dialer = dialer
        self._scheduler = scheduler
        self._name = name
        self._host = host_of(node_id)
        self._channel: ClientEnd | None = None
        self._correlation_id = 0
        self._buffer = bytearray()
        self._waiting: list[tuple[int, ApiKey, int, Reply, float]] = []
        self._failing: list[Reply] = []

    def request(
        self,
        key: ApiKey,
        version: int,
        message: Any,
        reply: Reply,
        *,
        seconds_max: float = REQUEST_SECONDS_MAX,
        answered: bool = True,
    ) -> None:
        """Send; ``reply`` is called once, later, with None if no answer will come."""
        if self._failing:
            self._failing.append(reply)  # earlier ones have not failed yet: order matters to producers
            return
        if self._channel is None:
            self._connect()
        assert self._channel is not None
        self._correlation_id += 1
        number = self._correlation_id
        channel = self._channel
        if answered:
            self._waiting.append((number, key, version, reply, self._scheduler.now))
            self._scheduler.call_later(seconds_max, lambda: self._overdue(channel, number))
        channel.send(encode_request(key, version, number, self._name, message))

    def _connect(self) -> None:
        self._buffer.clear()
        self._channel = self._dialer.connect(
            self._host,
            BROKER_PORT,
            on_connected=lambda: None,
            on_received=self._received,
            on_closed=self._closed,
        )

    def _overdue(self, channel: ClientEnd, number: int) -> None:
        if self._channel is channel and any(one[0] == number for one in self._waiting):
            channel.close()
            self._lost()

    def _closed(self, _why: Closed) -> None:
        self._lost()

    def _lost(self) -> None:
        self._channel = None
        waiting, self._waiting = self._waiting, []
        self._failing = [one[3] for one in waiting]

        def fail() -> None:
            failing, self._failing = self._failing, []
            for reply in failing:
                reply(None)

        self._scheduler.call_later(0.02, fail)

    def _received(self, data: memoryview) -> None:
        self._buffer += data
        buffer = self._buffer
        while len(buffer) >= 4:
            end = 4 + int.from_bytes(buffer[:4], "big")
            if len(buffer) < end:
                return
            frame = bytes(buffer[4:end])
            del buffer[:end]
            correlation_id, key, version, reply, _ = self._waiting.pop(0)
            got = int.from_bytes(frame[:4], "big")
            assert got == correlation_id, f"{self._name}: reply {got} where {correlation_id} was due"
            _, response = decode_response(key, version, memoryview(frame))
            reply(response)


@dataclass(slots=True)
class Leader:
    node_id: int
    epoch: int


class Agent:
    """A client: follows leaders by Metadata, as a real one does."""

    def __init__(self, world: ClusterWorld, name: str, rng: SimRng) -> None:
        self.name = name
        self.world = world
        self.rng = rng
        network = world.network
        network.host(name).started(Process(world.scheduler))
        dialer = network.dialer(name)
        self._callers = {
            node_id: Caller(dialer, world.scheduler, name, node_id) for node_id in world.node_ids
        }
        self._leaders: dict[tuple[bytes, int], Leader] = {}
        self._epochs: dict[tuple[bytes, int], int] = {}
        """Newest leader epoch heard of: an older one is never gone back to (KIP-320)."""
        self._asking = False
        self._asked_at = -1.0

    def later(self, seconds: float, callback: Callable[[], None]) -> None:
        self.world.scheduler.call_later(seconds, callback)

    def any_node(self) -> int:
        return self.rng.choice(self.world.node_ids)

    def ask(
        self,
        node_id: int,
        key: ApiKey,
        version: int,
        message: Any,
        reply: Reply,
        *,
        seconds_max: float = REQUEST_SECONDS_MAX,
        answered: bool = True,
    ) -> None:
        self.world.count("requests")
        self._callers[node_id].request(
            key, version, message, reply, seconds_max=seconds_max, answered=answered
        )

    # -- who leads -----------------------------------------------------------------------

    def leader(self, topic_id: bytes, index: int) -> Leader | None:
        found = self._leaders.get((topic_id, index))
        if found is None:
            self.refresh()
        return found

    def lost(self, topic_id: bytes, index: int) -> None:
        """That was not the leader, or it does not answer."""
        self._leaders.pop((topic_id, index), None)
        self.refresh()

    def told(self, topic_id: bytes, index: int, current_leader: Any) -> None:
        """KIP-951: the reply names the leader."""
        if current_leader is not None and current_leader.leader_id >= 0:
            self._learn((topic_id, index), Leader(current_leader.leader_id, current_leader.leader_epoch))

    def _learn(self, key: tuple[bytes, int], leader: Leader) -> None:
        if leader.epoch >= self._epochs.get(key, -1):
            self._epochs[key] = leader.epoch
            self._leaders[key] = leader

    def refresh(self) -> None:
        now = self.world.scheduler.now
        if self._asking or now - self._asked_at < REFRESH_SECONDS:
            return
        self._asking = True
        self._asked_at = now
        names = [name for name, topic in sorted(self.world.topics.items()) if topic.topic_id]

        def reply(response: Any) -> None:
            self._asking = False
            if response is None:
                return
            for topic in response.topics:
                if topic.error_code:
                    continue
                for row in topic.partitions:
                    key = (topic.topic_id, row.partition_index)
                    if row.error_code == ErrorCode.NONE and row.leader_id in self._callers:
                        self._learn(key, Leader(row.leader_id, row.leader_epoch))

        request = MetadataRequest(
            topics=[MetadataRequestTopic(name=name) for name in names], allow_auto_topic_creation=False
        )
        self.ask(self.any_node(), ApiKey.METADATA, 12, request, reply, seconds_max=2.0)
