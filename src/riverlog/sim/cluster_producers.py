"""Producers of a simulated cluster: they follow leaders, retry as real ones do, and know what is promised."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.init_producer_id_request import InitProducerIdRequest
from riverlog.protocol.generated.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from riverlog.records import Codec
from riverlog.sim.batches import UniqueBatches
from riverlog.sim.checkers import require
from riverlog.sim.clock import START_MS
from riverlog.sim.cluster_clients import Agent, ClusterTopic, ClusterWorld
from riverlog.sim.promises import EXISTS, PartitionPromises
from riverlog.sim.rng import SimRng

IN_FLIGHT_MAX = 3
VERSION = 13
SEGMENT_BYTES_MIN = 4000
"""The least ``segment.bytes`` of topics whose batches may be large."""
_CODECS = (Codec.NONE, Codec.NONE, Codec.NONE, Codec.LZ4)
_GONE = (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.UNKNOWN_TOPIC_ID)
_TOO_LARGE = (ErrorCode.MESSAGE_TOO_LARGE, ErrorCode.RECORD_LIST_TOO_LARGE)


@dataclass(slots=True)
class Pending:
    """One batch that is not acknowledged yet."""

    batch: bytes
    records: list[tuple[str, int]]
    sends: int = 0
    under_way: bool = False


@dataclass(slots=True)
class Lane:
    """One producer's batches for one partition, in order."""

    topic: ClusterTopic
    topic_id: bytes
    index: int
    part: PartitionPromises
    next_sequence: int = 0
    pending: list[Pending] = field(default_factory=list)
    broken: bool = False
    """A batch failed: wait until nothing is under way, then send all again in order."""
    held_until: float = 0.0
    node_id: int = -1
    """Where the batches under way were sent to."""

    @property
    def under_way(self) -> int:
        return sum(1 for pending in self.pending if pending.under_way)

    @property
    def gone(self) -> bool:
        return self.topic.state != EXISTS or self.topic.topic_id != self.topic_id


class ClusterProducer(Agent):
    """Idempotent ones retry until they know; plain ones send once."""

    def __init__(
        self,
        world: ClusterWorld,
        name: str,
        rng: SimRng,
        *,
        idempotent: bool,
        acks: int,
        pause_seconds: float,
    ) -> None:
        super().__init__(world, name, rng)
        self._idempotent = idempotent
        self._acks = acks
        self._pause_seconds = pause_seconds
        self._producer_id = -1
        self._asking_id = False
        self._batches = UniqueBatches(
            rng, name, codecs=_CODECS, records_max=3, size_max=2000, usual_weight=8.0
        )
        self._lanes: dict[tuple[bytes, int], Lane] = {}
        self._again()

    @property
    def idle(self) -> bool:
        return not self.stuck

    @property
    def stuck(self) -> str:
        """What is still open, for a report."""
        return ", ".join(
            f"{self.name} → {lane.part.name}: {len(lane.pending)} batches"
            for lane in self._lanes.values()
            if lane.pending and not lane.gone and not lane.topic.shaky
        )

    def _again(self) -> None:
        self.later(self.rng.uniform(0.2, 1.8) * self._pause_seconds, self._act)

    def _act(self) -> None:
        self._again()
        if self._idempotent and self._producer_id < 0:
            self._ask_for_id()
            return
        for key in [key for key, lane in self._lanes.items() if lane.gone and not lane.under_way]:
            del self._lanes[key]
        if not self.world.quiet:
            self._new_batch()
        for lane in list(self._lanes.values()):
            self._send(lane)

    def _ask_for_id(self) -> None:
        if self._asking_id:
            return
        self._asking_id = True

        def reply(response: Any) -> None:
            self._asking_id = False
            if response is None:
                return
            error = ErrorCode(response.error_code)
            require(not error or error.retriable, f"{self.name}: InitProducerId answered {error!r}")
            if not error:
                self._producer_id = response.producer_id
                self.world.new_producer_id(response.producer_id)
                for lane in self._lanes.values():
                    lane.next_sequence = 0

        request = InitProducerIdRequest(transactional_id=None)
        self.ask(self.any_node(), ApiKey.INIT_PRODUCER_ID, 4, request, reply)

    def _new_batch(self) -> None:
        topics = [topic for _, topic in sorted(self.world.topics.items()) if topic.state == EXISTS]
        if self._idempotent:
            topics = [topic for topic in topics if topic.waits_for_disk and not topic.retention]
        if not topics:
            return
        topic = self.rng.choice(topics)
        index = self.rng.choice(sorted(topic.partitions))
        key = (topic.topic_id, index)
        lane = self._lanes.get(key)
        if lane is None:
            lane = self._lanes[key] = Lane(topic, topic.topic_id, index, topic.partitions[index])
        if len(lane.pending) >= IN_FLIGHT_MAX:
            return
        batch, records = self._batches.make(
            START_MS + int(self.world.scheduler.now * 1000),
            producer_id=self._producer_id,
            base_sequence=lane.next_sequence if self._idempotent else -1,
            keys=lane.part.keys if topic.compacted else None,
            small=topic.compacted or topic.retention,
        )
        lane.next_sequence += len(records)
        lane.pending.append(Pending(batch, records))

    def _send(self, lane: Lane) -> None:
        """The next batches of one lane, to its leader."""
        if lane.broken:
            if lane.under_way or self.world.scheduler.now < lane.held_until:
                return
            lane.broken = False
        while True:
            pending = next((one for one in lane.pending if not one.under_way), None)
            if pending is None:
                return
            leader = self.leader(lane.topic_id, lane.index)
            if leader is None or (lane.under_way and leader.node_id != lane.node_id):
                return  # two brokers at once would take the batches in any order
            lane.node_id = leader.node_id
            self._send_one(lane, pending, leader.node_id)

    def _send_one(self, lane: Lane, pending: Pending, node_id: int) -> None:
        pending.under_way = True
        pending.sends += 1
        data = PartitionProduceData(index=lane.index, records=memoryview(pending.batch))
        request = ProduceRequest(
            transactional_id=None,
            acks=self._acks,
            timeout_ms=self.rng.choice((500, 2_000, 30_000)),
            topic_data=[TopicProduceData(topic_id=lane.topic_id, partition_data=[data])],
        )

        led = self.world.leads(lane.topic_id, lane.index)

        def reply(response: Any) -> None:
            pending.under_way = False
            answer = None if response is None else response.responses[0].partition_responses[0]
            self._answered(lane, pending, answer, node_id, led)

        self.ask(node_id, ApiKey.PRODUCE, VERSION, request, reply)

    def _answered(
        self, lane: Lane, pending: Pending, answer: Any, node_id: int, led: tuple[int, int]
    ) -> None:
        """``led`` when the batch was sent to ``node_id``: a leader of before knows less than the present."""
        if pending not in lane.pending:
            return  # the lane was given up meanwhile
        error = None if answer is None else ErrorCode(answer.error_code)
        if error == ErrorCode.NONE:
            lane.pending.remove(pending)
            self._acknowledged(lane, pending, answer.base_offset)
            return
        if error == ErrorCode.DUPLICATE_SEQUENCE_NUMBER:
            lane.pending.remove(pending)
            return
        if error is not None:
            self.told(lane.topic_id, lane.index, answer.current_leader)
        if not self._idempotent or error in _TOO_LARGE:
            lane.pending.remove(pending)
            if self._idempotent:
                self._start_over()
        elif (
            error == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
            and pending is lane.pending[0]
            and led[0] == node_id
            and led == self.world.leads(lane.topic_id, lane.index, now=True)
        ):
            # All before it were acknowledged, so every leader since has them: INVARIANTS 1 and 9. What a node
            # says that does not lead any more is tried again: if it stays so, the run does not settle.
            # One that no segment holds is refused for good, and the next may have been taken without it.
            # Compaction may have removed what a retry repeats: a log that was read anew knows its producers'
            # last batches from what is left, and takes nothing older on trust (as Kafka's).
            compacted_away = lane.topic.compacted and pending.sends > 1
            require(
                lane.gone or lane.topic.shaky or compacted_away or len(pending.batch) > SEGMENT_BYTES_MIN,
                f"{self.name}: {lane.part.name}: the first batch not acknowledged is out of order",
            )
            self.world.count("out of order")
            self._start_over()
            return
        else:
            require(
                error is None or error.retriable or error in _RETRIED,
                f"{self.name}: {lane.part.name}: Produce answered {error!r}",
            )
        lane.broken = True
        lane.held_until = self.world.scheduler.now + self.rng.uniform(0.1, 0.4)
        if error is None or error in _MOVED or error in _GONE or error in _RETRIED:
            self.lost(lane.topic_id, lane.index)

    def _acknowledged(self, lane: Lane, pending: Pending, base_offset: int) -> None:
        world = self.world
        world.count("acknowledged")
        if self._idempotent and pending.sends > 1:
            world.count("acknowledged after a retry")
        if self._acks != -1 or base_offset < 0:
            return
        for number, (record, timestamp) in enumerate(pending.records):
            lane.part.promise(base_offset + number, record, timestamp, f"acknowledged to {self.name}")
        if not lane.gone:
            world.acknowledged(lane.topic, lane.index, base_offset + len(pending.records))

    def _start_over(self) -> None:
        """The broker's state and ours differ: a new producer id, and what is open stays unknown."""
        for other in self._lanes.values():
            other.pending.clear()
        self._producer_id = -1


_RETRIED = (
    ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
    ErrorCode.INVALID_PRODUCER_EPOCH,
    ErrorCode.UNKNOWN_PRODUCER_ID,
)
_MOVED = (
    ErrorCode.NOT_LEADER_OR_FOLLOWER,
    ErrorCode.FENCED_LEADER_EPOCH,
    ErrorCode.UNKNOWN_LEADER_EPOCH,
    ErrorCode.KAFKA_STORAGE_ERROR,
)
