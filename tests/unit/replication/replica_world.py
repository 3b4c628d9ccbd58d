"""A few replicas of one partition in memory, each on a disk of its own; the test says who leads.

The way from follower to leader is a function call with the messages that go over the wire, so a test can lose
any of them; the fsync of each replica is let through by hand or by running the scheduler.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from riverlog.base.errors import ErrorCode
from riverlog.base.metrics import Metrics
from riverlog.protocol.generated.fetch_request import FetchRequest
from riverlog.protocol.generated.fetch_response import (
    EpochEndOffset,
    FetchableTopicResponse,
    FetchResponse,
    PartitionData,
)
from riverlog.records import BatchBuilder, decode_records, iter_headers, read_header
from riverlog.replication import POLICY, IsrProposal, Partition, ReplicationPolicy
from riverlog.replication.fetcher import Fetcher, FetcherEffects, FetcherSettings
from riverlog.sim.clock import Scheduler, SimClock
from riverlog.sim.disk import Latency, Setup, SimDisk
from riverlog.sim.media import Media
from riverlog.sim.rng import SimRng
from riverlog.storage import Log, LogConfig, LogManager, OffsetOutOfRange

TOPIC = "t"
TOPIC_ID = bytes(range(16))
NOW = 1_700_000_000_000
LAG_SECONDS = 10.0


@dataclass
class State:
    """As the metadata has the partition."""

    leader: int
    leader_epoch: int
    partition_epoch: int
    replicas: tuple[int, ...]
    isr: tuple[int, ...]


class Replica:
    """One node's replica, through all its lives."""

    log: Log
    partition: Partition
    fetcher: Fetcher

    def __init__(self, world: World, node_id: int) -> None:
        self.world = world
        self.node_id = node_id
        self.media = Media()
        self.lives = 0
        self.start()

    def start(self) -> None:
        self.lives += 1
        world = self.world
        self.clock = SimClock(world.scheduler)
        rng = world.rng.stream(f"{self.node_id}-{self.lives}")
        self.disk = SimDisk(self.media, world.scheduler, rng, Setup(latency=Latency(0.001, 0.002)))
        self.manager = LogManager(
            self.disk,
            ["/data"],
            self.clock,
            rng,
            config_of=lambda _: world.config,
            on_durable=self._durable,
            on_offline=lambda *_: None,
        )
        self.report = self.manager.open()
        self.log = self.manager.create(TOPIC, 0, topic_id=TOPIC_ID)
        self.partition = Partition(
            topic=TOPIC,
            topic_id=TOPIC_ID,
            index=0,
            log=self.log,
            internal=False,
            metrics=Metrics(),
            node_id=self.node_id,
            policy=world.policy,
        )

    def _durable(self, log: Log) -> None:
        self.partition.durable()
        if not self.partition.is_leader and self.partition.leader_id >= 0:
            self.fetcher.durable(self.partition, self.clock.monotonic())

    def kill(self) -> None:
        """Kill -9: the page cache stays."""
        self.disk.kill()
        self.clock.kill()

    def restart(self) -> None:
        self.kill()
        self.start()

    def adopt(self, state: State) -> None:
        if state.leader == self.node_id:
            self.partition.become_leader(state, now=self.clock.monotonic())
        elif self.partition.become_follower(state) and state.leader >= 0:
            settings = FetcherSettings(node_id=self.node_id)
            effects = FetcherEffects(sync=self.manager.commit.urge, move_log_start=self._move_log_start)
            self.fetcher = Fetcher(state.leader, settings, effects)
            self.fetcher.add(self.partition)

    def _move_log_start(self, partition: Partition, offset: int) -> None:
        self.manager.delete_records(partition.log, offset, lambda _: None)
        partition.durable_log_start = offset

    def values(self) -> list[tuple[int, bytes | None]]:
        """Offset and value of every record."""
        found = []
        for segment in self.log.segments:
            data = memoryview(segment.file.read(0, segment.size)) if segment.size else memoryview(b"")
            for position, header in iter_headers(data):
                found += [
                    (r.offset, r.value) for r in decode_records(data, position, header, max_bytes=1 << 20)
                ]
        return found


class World:
    def __init__(
        self,
        count: int = 3,
        *,
        policy: ReplicationPolicy = POLICY,
        min_isr: int = 1,
        ack_after_fsync: bool = True,
    ) -> None:
        self.scheduler = Scheduler()
        self.rng = SimRng(3)
        self.policy = policy
        self.config = LogConfig(min_insync_replicas=min_isr, ack_after_fsync=ack_after_fsync)
        self.replicas = {number: Replica(self, number) for number in range(1, count + 1)}
        everyone = tuple(self.replicas)
        self.state = State(leader=-1, leader_epoch=-1, partition_epoch=-1, replicas=everyone, isr=everyone)
        self.proposals: list[IsrProposal] = []

    def __getitem__(self, node_id: int) -> Replica:
        return self.replicas[node_id]

    @property
    def now(self) -> float:
        return self.scheduler.now

    # -- metadata ------------------------------------------------------------------------

    def elect(self, leader: int, *, isr: Sequence[int] | None = None, tell: Sequence[int] = ()) -> None:
        """A new leader epoch; ``tell`` names who hears of it, all by default."""
        old = self.state
        self.state = State(
            leader, old.leader_epoch + 1, old.partition_epoch + 1, old.replicas, tuple(isr or old.isr)
        )
        for node_id in tell or self.replicas:
            self[node_id].adopt(self.state)

    def commit_isr(self, proposal: IsrProposal) -> None:
        """The controller adopts a proposal."""
        old = self.state
        self.state = State(old.leader, old.leader_epoch, old.partition_epoch + 1, old.replicas, proposal.isr)
        self[old.leader].adopt(self.state)

    # -- clients -------------------------------------------------------------------------

    def produce(self, node_id: int, *values: bytes) -> list[ErrorCode | None]:
        """Append; the list gets the outcome of ``acks=all`` when there is one."""
        builder = BatchBuilder()
        for value in values:
            builder.append(timestamp=NOW, key=None, value=value)
        data = bytearray(builder.build())
        partition = self[node_id].partition
        info = partition.append(memoryview(data), read_header(data, 0), NOW)
        outcome: list[ErrorCode | None] = []
        if not partition.when_committed(info.last_offset, outcome.append):
            outcome.append(ErrorCode.NONE)
        return outcome

    def readable(self, node_id: int) -> list[bytes | None]:
        replica = self[node_id]
        return [value for offset, value in replica.values() if offset < replica.partition.high_watermark]

    # -- replication ---------------------------------------------------------------------

    def ask(self, follower: int) -> FetchRequest | None:
        return self[follower].fetcher.request(self.now, broker_epoch=10 + follower)

    def serve(self, leader: int, request: FetchRequest) -> FetchResponse:
        """What the broker's handler does, for a session that has only this partition."""
        partition = self[leader].partition
        follower = request.replica_state.replica_id
        (topic,) = request.topics
        (wanted,) = topic.partitions
        data = PartitionData(
            partition_index=0,
            high_watermark=partition.high_watermark,
            log_start_offset=partition.log.log_start_offset,
            records=b"",
        )
        error = partition.check_epoch(wanted.current_leader_epoch)
        if error or not partition.is_leader:
            data.error_code = error or ErrorCode.NOT_LEADER_OR_FOLLOWER
        else:
            diverging = partition.divergence(
                fetch_offset=wanted.fetch_offset, last_epoch=wanted.last_fetched_epoch
            )
            if diverging is not None:
                data.diverging_epoch = EpochEndOffset(*diverging)
            else:
                self._count(partition, follower, request, wanted)
                data.high_watermark = partition.high_watermark
                try:
                    found = partition.read_as_replica(wanted.fetch_offset, max_bytes=1 << 20, min_one=True)
                    data.records = b"" if found is None else found.read()
                except OffsetOutOfRange:
                    data.error_code = ErrorCode.OFFSET_OUT_OF_RANGE
        answer = FetchableTopicResponse(topic_id=TOPIC_ID, partitions=[data])
        return FetchResponse(responses=[answer])  # no session: the next request is a full one

    def _count(self, partition: Partition, follower: int, request: FetchRequest, wanted: object) -> None:
        proposal = partition.fetched(
            follower,
            fetch_offset=wanted.fetch_offset,  # type: ignore[attr-defined]
            fetch_epoch=wanted.current_leader_epoch,  # type: ignore[attr-defined]
            log_start_offset=wanted.log_start_offset,  # type: ignore[attr-defined]
            broker_epoch=request.replica_state.replica_epoch,
            registered_epoch=10 + follower,
            is_alive=True,
            now=self.now,
            lag_seconds_max=LAG_SECONDS,
        )
        if proposal is not None:
            self.proposals.append(proposal)

    def take(self, follower: int, response: FetchResponse | None) -> None:
        self[follower].fetcher.answered(response, self.now, NOW)

    def fetch(self, follower: int) -> bool:
        """One whole round trip; False if the follower has nothing to ask for now."""
        request = self.ask(follower)
        if request is None:
            return False
        self.take(follower, self.serve(self[follower].partition.leader_id, request))
        return True

    def settle(self, *followers: int, rounds: int = 8) -> None:
        """Round trips and fsyncs until nothing moves."""
        for _ in range(rounds):
            for follower in followers or [n for n in self.replicas if n != self.state.leader]:
                self.fetch(follower)
            self.run()

    def run(self, seconds: float = 0.01) -> None:
        self.scheduler.run_for(seconds)
