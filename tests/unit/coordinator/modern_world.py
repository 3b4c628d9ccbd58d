"""Groups of one shard, of both protocols, without host, log or sockets: a clock that is moved by hand.

Every decision is applied as the host applies it (encode, decode, replay, reply), and checked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from riverlog.base.config import BrokerConfig
from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import CoordinatorRecord, Decision, decode_record
from riverlog.coordinator.group.classic_group import Caller
from riverlog.coordinator.group.machine import GroupMachine
from riverlog.coordinator.group.modern_group import ConsumerGroup
from riverlog.metadata.image import ClusterState
from riverlog.protocol.generated import consumer_protocol_assignment, consumer_protocol_subscription
from riverlog.protocol.generated.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
    TopicPartitions,
)
from riverlog.protocol.generated.consumer_protocol_subscription import (
    ConsumerProtocolSubscription,
    TopicPartition,
)
from riverlog.protocol.generated.heartbeat_request import HeartbeatRequest
from riverlog.protocol.generated.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from riverlog.protocol.generated.leave_group_request import LeaveGroupRequest, MemberIdentity
from riverlog.protocol.generated.partition_record import PartitionRecord
from riverlog.protocol.generated.remove_topic_record import RemoveTopicRecord
from riverlog.protocol.generated.sync_group_request import SyncGroupRequest
from riverlog.protocol.generated.topic_record import TopicRecord
from riverlog.sim.rng import SimRng

START_MS = 1_700_000_000_000
REBALANCE_MS = 60_000
SESSION_MS = 45_000
INTERVAL_MS = 5_000

Pairs = set[tuple[str, int]]


class ModernWorld:
    """One shard."""

    def __init__(self, **static: str) -> None:
        self.static = {
            "group.consumer.assignment.interval.ms": "0",
            "group.initial.rebalance.delay.ms": "0",
        }
        self.static.update({name.replace("_", "."): value for name, value in static.items()})
        self.now_ms = START_MS
        self.rng = SimRng(11)
        self._machine_rng = self.rng.stream("machine")
        self.image = ClusterState()
        self.timers: dict[str, tuple[int, Callable[..., Decision]]] = {}
        self.log: list[CoordinatorRecord] = []
        self.written: list[CoordinatorRecord] = []
        """By the last decision."""
        self.validating = True
        self.machine = self._machine()
        self.machine.loaded(self.now_ms)

    def _machine(self) -> GroupMachine:
        log_config = SimpleNamespace(max_message_bytes=1 << 20)
        shard: Any = SimpleNamespace(
            schedule=self.schedule,
            cancel=self.cancel,
            partition=SimpleNamespace(log=SimpleNamespace(config=log_config)),
        )
        return GroupMachine(
            shard, image=lambda: self.image, config=BrokerConfig(self.static), rng=self._machine_rng
        )

    def group(self, group_id: str = "g") -> ConsumerGroup:
        group = self.machine.groups[group_id]
        assert isinstance(group, ConsumerGroup)
        return group

    def state(self, group_id: str = "g") -> str:
        return self.machine.groups[group_id].state_name

    # -- topics --------------------------------------------------------------------------

    def topic(self, name: str, partitions: int = 1) -> bytes:
        topic_id = self.rng.random_bytes(16)
        self.image.replay(TopicRecord(name=name, topic_id=topic_id))
        self.grow(name, partitions)
        return topic_id

    def grow(self, name: str, partitions: int) -> None:
        topic = self.image.topics[name]
        for index in range(len(topic.partitions), partitions):
            self.image.replay(
                PartitionRecord(
                    partition_id=index,
                    topic_id=topic.topic_id,
                    replicas=[1],
                    isr=[1],
                    leader=1,
                    leader_epoch=0,
                )
            )

    def drop(self, name: str) -> None:
        self.image.replay(RemoveTopicRecord(topic_id=self.image.topics[name].topic_id))

    def topic_id(self, name: str) -> bytes:
        return self.image.topics[name].topic_id

    # -- time ----------------------------------------------------------------------------

    def schedule(self, name: str, delay_ms: int, decide: Callable[..., Decision]) -> None:
        self.timers[name] = (self.now_ms + max(0, delay_ms), decide)

    def cancel(self, name: str) -> None:
        self.timers.pop(name, None)

    def run(self, delay_ms: int) -> None:
        """Let time pass and what is due happen."""
        until = self.now_ms + delay_ms
        while self.timers:
            name = min(self.timers, key=lambda name: self.timers[name][0])
            due_ms, decide = self.timers[name]
            if due_ms > until:
                break
            del self.timers[name]
            self.now_ms = max(self.now_ms, due_ms)
            self.apply(decide(self.machine, self.now_ms))
        self.now_ms = until

    # -- deciding ------------------------------------------------------------------------

    def apply(self, decision: Decision) -> None:
        self.written = decision.records
        for record in decision.records:
            key, value = decode_record("group", *record.encode())
            assert CoordinatorRecord(key, value) == record
            self.log.append(record)
            self.machine.replay(len(self.log) - 1, self.now_ms, key, value)
        for reply in decision.replies:
            reply.send()
        if self.validating:
            self.validate()

    def validate(self) -> None:
        for group in self.machine.groups.values():
            if isinstance(group, ConsumerGroup):
                group.validate()
        self.machine.classic.validate()

    def call(self, decide: Callable[[Callable[[Any], None]], Decision]) -> Any:
        found: list[Any] = []
        self.apply(decide(found.append))
        assert len(found) == 1, "one answer"
        return found[0]

    def ask(
        self, request: ConsumerGroupHeartbeatRequest, *, version: int = 1, host: str = "/10.0.0.1"
    ) -> Any:
        caller = Caller("client", host, version)
        return self.call(lambda to: self.machine.modern.heartbeat(request, caller, self.now_ms, to))

    def beat(self, member_id: str, epoch: int, *, group: str = "g", **settings: Any) -> Any:
        return self.ask(ConsumerGroupHeartbeatRequest(group, member_id, epoch, **settings))

    def join(self, member_id: str, *names: str, group: str = "g", **settings: Any) -> Any:
        settings.setdefault("rebalance_timeout_ms", REBALANCE_MS)
        if "subscribed_topic_regex" not in settings:
            settings["subscribed_topic_names"] = list(names)
        return self.beat(member_id, 0, group=group, topic_partitions=[], **settings)

    def describe(self, group: str = "g") -> Any:
        return self.call(lambda to: self.machine.modern.describe(group, to))

    # -- the log -------------------------------------------------------------------------

    def restart(self, *, compacted: bool = False) -> None:
        """Load everything again from the log."""
        self.timers.clear()
        self.machine = self._machine()
        last = {repr(record.key): number for number, record in enumerate(self.log)}
        for number, record in enumerate(self.log):
            if compacted and last[repr(record.key)] != number:
                continue
            key, value = decode_record("group", *record.encode())
            self.machine.replay(number, self.now_ms, key, value)
        self.machine.loaded(self.now_ms)
        self.validate()

    def snapshot(self) -> Any:
        """All durable state, in a form that can be compared."""
        return {
            group.group_id: (
                group.epoch,
                group.metadata_hash,
                group.assignment_epoch,
                group.assignment_timestamp_ms,
                sorted(group.members.items()),
                sorted((name, sorted(target.items())) for name, target in group.target.items()),
                sorted(group.subscriptions.resolved.items()),
            )
            for group in self.machine.groups.values()
            if isinstance(group, ConsumerGroup)
        }


def pairs(world: ModernWorld, assignment: Any) -> Pairs:
    """Names and partitions of a heartbeat's assignment; a client cannot use topics that are gone."""
    return {
        (world.image.topics_by_id[topic.topic_id].name, partition)
        for topic in assignment.topic_partitions
        if topic.topic_id in world.image.topics_by_id
        for partition in topic.partitions
    }


def owned(world: ModernWorld, found: Pairs) -> list[TopicPartitions]:
    by_id: dict[bytes, list[int]] = {}
    for name, partition in sorted(found):
        if name in world.image.topics:
            by_id.setdefault(world.topic_id(name), []).append(partition)
    return [TopicPartitions(topic_id, partitions) for topic_id, partitions in by_id.items()]


@dataclass
class Follower:
    """A client that does what the consumer protocol asks of it."""

    world: ModernWorld
    member_id: str
    names: tuple[str, ...] = ()
    regex: str | None = None
    group: str = "g"
    instance_id: str | None = None
    epoch: int = 0
    has: Pairs = field(default_factory=set)
    target: Pairs = field(default_factory=set)
    said: Pairs | None = None
    """What it last said it owns."""
    error: int = 0

    def step(self, *, reply_lost: bool = False, revokes: bool = True) -> None:
        """One heartbeat, and what its answer asks for. Revocation and assignment take no time."""
        joining = self.epoch == 0
        settings: dict[str, Any] = {}
        if joining or self.said is None:
            self.said = None
            settings["rebalance_timeout_ms"] = REBALANCE_MS
            settings["subscribed_topic_names"] = list(self.names)
            if self.regex is not None:
                settings["subscribed_topic_regex"] = self.regex
        if self.said != self.has:
            settings["topic_partitions"] = owned(self.world, self.has)
        response = self.world.beat(
            self.member_id, self.epoch, group=self.group, instance_id=self.instance_id, **settings
        )
        if reply_lost:
            self.said = None  # it will say everything again
            return
        self.said = set(self.has)
        self._take(response, revokes=revokes)

    def _take(self, response: Any, *, revokes: bool) -> None:
        self.error = response.error_code
        if self.error in (ErrorCode.FENCED_MEMBER_EPOCH, ErrorCode.UNKNOWN_MEMBER_ID):
            self.epoch = 0
            self.has = set()
            self.target = set()
            return
        assert self.error == 0, response
        self.epoch = response.member_epoch
        if response.assignment is not None:
            self.target = pairs(self.world, response.assignment)
        gone = {pair for pair in self.has if pair[0] not in self.world.image.topics}
        self.has -= gone
        if revokes:
            self.has &= self.target
            if self.said is not None and not self.said - self.has:
                self.has = set(self.target)
            elif self.said is not None:
                self.has |= self.target

    def subscribe(self, *names: str) -> None:
        self.names = names
        self.said = None

    def leave(self, *, epoch: int = -1) -> int:
        error: int = self.world.beat(
            self.member_id, epoch, group=self.group, instance_id=self.instance_id
        ).error_code
        self.epoch = 0
        self.has = set()
        return error


@dataclass
class ClassicFollower:
    """A client of the classic protocol, cooperative or eager."""

    world: ModernWorld
    topics: tuple[str, ...]
    cooperative: bool = True
    group: str = "g"
    member_id: str = ""
    instance_id: str | None = None
    generation: int = -1
    has: Pairs = field(default_factory=set)
    error: int = 0
    joins: int = 0

    @property
    def protocol(self) -> str:
        return "cooperative-sticky" if self.cooperative else "range"

    def join(self) -> Any:
        """The answer, or None while it waits."""
        self.joins += 1
        if not self.cooperative:
            self.has = set()
        by_name: dict[str, list[int]] = {}
        for name, partition in sorted(self.has):
            by_name.setdefault(name, []).append(partition)
        subscription = ConsumerProtocolSubscription(
            topics=list(self.topics), owned_partitions=[TopicPartition(*item) for item in by_name.items()]
        )
        metadata = b"\0\3" + consumer_protocol_subscription.encode(subscription, 3)
        request = JoinGroupRequest(
            group_id=self.group,
            session_timeout_ms=SESSION_MS,
            rebalance_timeout_ms=REBALANCE_MS,
            member_id=self.member_id,
            group_instance_id=self.instance_id,
            protocol_type="consumer",
            protocols=[JoinGroupRequestProtocol(self.protocol, metadata)],
        )
        found: list[Any] = []
        caller = Caller("classic", "/10.0.0.2", 9)
        self.world.apply(self.world.machine.classic.join(request, caller, self.world.now_ms, found.append))
        if not found:
            return None
        response = found[0]
        self.error = response.error_code
        if self.error == ErrorCode.MEMBER_ID_REQUIRED:
            self.member_id = response.member_id
            return self.join()
        if not self.error:
            self.member_id = response.member_id
            self.generation = response.generation_id
        return response

    def sync(self) -> Any:
        request = SyncGroupRequest(
            group_id=self.group,
            generation_id=self.generation,
            member_id=self.member_id,
            group_instance_id=self.instance_id,
            protocol_type="consumer",
            protocol_name=self.protocol,
        )
        caller = Caller("classic", "/10.0.0.2", 5)
        response = self.world.call(
            lambda to: self.world.machine.classic.sync(request, caller, self.world.now_ms, to)
        )
        self.error = response.error_code
        if not self.error:
            message, _ = consumer_protocol_assignment.decode(memoryview(response.assignment), 2, 3)
            self.has = {
                (topic.topic, partition)
                for topic in message.assigned_partitions
                for partition in topic.partitions
            }
        return response

    def rejoin(self) -> None:
        before = set(self.has)
        self.join()
        if not self.error:
            self.sync()
        if self.cooperative and before - self.has and not self.error:
            self.rejoin()  # it let go of something: that is said by joining again

    def beat(self) -> int:
        request = HeartbeatRequest(self.group, self.generation, self.member_id, self.instance_id)
        caller = Caller("classic", "/10.0.0.2", 4)
        response = self.world.call(
            lambda to: self.world.machine.classic.heartbeat(request, caller, self.world.now_ms, to)
        )
        error: int = response.error_code
        return error

    def step(self) -> None:
        if self.generation == -1 or self.beat() in (
            ErrorCode.REBALANCE_IN_PROGRESS,
            ErrorCode.ILLEGAL_GENERATION,
        ):
            self.rejoin()

    def leave(self) -> int:
        request = LeaveGroupRequest(
            self.group, "", [MemberIdentity(self.member_id, self.instance_id, "done")]
        )
        caller = Caller("classic", "/10.0.0.2", 5)
        response = self.world.call(
            lambda to: self.world.machine.classic.leave(request, caller, self.world.now_ms, to)
        )
        self.has = set()
        error: int = response.members[0].error_code
        return error
