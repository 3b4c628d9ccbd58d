"""Clients of a simulated node: producers that retry, consumers that remember what they read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from riverlog.protocol.generated.init_producer_id_request import InitProducerIdRequest
from riverlog.protocol.generated.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from riverlog.protocol.generated.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from riverlog.records import Codec, crc_ok, decode_records, iter_headers
from riverlog.sim.batches import UniqueBatches
from riverlog.sim.checkers import DECODED_BYTES_MAX, require
from riverlog.sim.clock import START_MS, Scheduler
from riverlog.sim.network import SimClient
from riverlog.sim.promises import EXISTS, PartitionPromises, TopicPromises
from riverlog.sim.rng import SimRng

IN_FLIGHT_MAX = 3
"""Batches of one producer under way per partition; below the five a broker remembers."""
EARLIEST = -2
_GONE = (
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    ErrorCode.UNKNOWN_TOPIC_ID,
    ErrorCode.INCONSISTENT_TOPIC_ID,
)
_TOO_LARGE = (ErrorCode.MESSAGE_TOO_LARGE, ErrorCode.RECORD_LIST_TOO_LARGE)
_CODECS = (Codec.NONE, Codec.NONE, Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD)


class World(Protocol):
    """What actors see of the run they are in."""

    scheduler: Scheduler
    topics: dict[str, TopicPromises]
    generations: dict[str, int]
    """Counts what happens to a topic name, so that late answers are told from current ones."""
    quiet: bool
    """The last phase: finish what is under way, begin nothing."""

    @property
    def lives(self) -> int:
        """How often the node was started."""
        ...

    def client(self, name: str) -> SimClient: ...

    def count(self, what: str) -> None: ...

    def new_producer_id(self, producer_id: int) -> None:
        """None may be given out twice."""
        ...


@dataclass(slots=True)
class Pending:
    """One batch that is not acknowledged yet."""

    batch: bytes
    records: list[tuple[str, int]]
    sent_in_life: int = -1
    sends: int = 0
    under_way: bool = False


@dataclass(slots=True)
class Lane:
    """One producer's batches for one partition, in order."""

    topic: TopicPromises
    topic_id: bytes
    index: int
    part: PartitionPromises
    next_sequence: int = 0
    pending: list[Pending] = field(default_factory=list)
    broken: bool = False
    """A batch failed: wait until nothing is under way, then send all again in order."""

    @property
    def under_way(self) -> int:
        return sum(1 for pending in self.pending if pending.under_way)


class Producer:
    """Idempotent producers retry until they know; plain ones send once."""

    def __init__(self, world: World, name: str, rng: SimRng, *, idempotent: bool, acks: int) -> None:
        self.name = name
        self._world = world
        self._rng = rng
        self._client = world.client(name)
        self._idempotent = idempotent
        self._acks = acks
        self._producer_id = -1
        self._asking = False
        self._batches = UniqueBatches(
            rng, name, codecs=_CODECS, records_max=4, size_max=3000, usual_weight=5.0
        )
        self._lanes: dict[tuple[bytes, int], Lane] = {}
        self._incarnations: dict[str, bytes] = {}
        self._again()

    @property
    def idle(self) -> bool:
        return not self._idempotent or not any(lane.pending for lane in self._lanes.values())

    def _again(self) -> None:
        self._world.scheduler.call_later(self._rng.uniform(0.001, 0.04), self._act)

    def _act(self) -> None:
        self._again()
        if self._idempotent and self._producer_id < 0:
            self._ask_for_id()
            return
        if not self._world.quiet and self._rng.chance(0.7):
            for _ in range(self._rng.random_int(1, 2)):
                if not self._idempotent or self._producer_id >= 0:
                    self._new_batch()
        self._send()

    def _ask_for_id(self) -> None:
        if self._asking:
            return
        self._asking = True

        def reply(response: Any) -> None:
            self._asking = False
            if response is None:
                return
            error = ErrorCode(response.error_code)
            require(error == ErrorCode.NONE, f"{self.name}: InitProducerId answered {error!r}")
            self._producer_id = response.producer_id
            self._world.new_producer_id(response.producer_id)
            for lane in self._lanes.values():
                lane.next_sequence = 0

        version = self._rng.random_int(0, 4)
        request = InitProducerIdRequest(transactional_id=None)
        self._client.request(ApiKey.INIT_PRODUCER_ID, version, request, reply)

    def _new_batch(self) -> None:
        topics = [
            topic
            for _, topic in sorted(self._world.topics.items())
            if topic.state == EXISTS and (topic.waits_for_disk or not self._idempotent)
        ]
        if not topics:
            return
        topic = self._rng.choice(topics)
        index = self._rng.choice(sorted(topic.partitions))
        key = (topic.topic_id, index)
        lane = self._lanes.get(key)
        if lane is None:
            if self._incarnations.setdefault(topic.name, topic.topic_id) != topic.topic_id:
                # A late request by name for the old topic may reach the new one: not with the same sequences.
                self._incarnations[topic.name] = topic.topic_id
                self._start_over()
                return
            lane = self._lanes[key] = Lane(topic, topic.topic_id, index, topic.partitions[index])
        if len(lane.pending) >= IN_FLIGHT_MAX:
            return
        batch, records = self._batches.make(
            START_MS + int(self._world.scheduler.now * 1000),
            producer_id=self._producer_id,
            base_sequence=lane.next_sequence if self._idempotent else -1,
        )
        lane.next_sequence += len(records)
        lane.pending.append(Pending(batch, records))

    def _send(self) -> None:
        """One request with the next batch of each lane that may send."""
        chosen: list[tuple[Lane, Pending]] = []
        for key in list(self._lanes):
            lane = self._lanes[key]
            if lane.broken:
                if lane.under_way:
                    continue
                lane.broken = False
            pending = next((one for one in lane.pending if not one.under_way), None)
            if pending is not None and (not chosen or self._rng.chance(0.5)):
                chosen.append((lane, pending))
        if not chosen:
            return
        zstd = any(pending.batch[22] & 7 == Codec.ZSTD for _, pending in chosen)
        version = self._rng.random_int(7 if zstd else 3, 13)
        for lane, pending in chosen:
            pending.under_way = True
            pending.sends += 1
            if pending.sent_in_life < 0:
                pending.sent_in_life = self._world.lives
            if lane.topic.state != EXISTS or lane.topic.topic_id != lane.topic_id:
                version = 13  # by name it might reach another topic of the same name
        request = ProduceRequest(
            transactional_id=None,
            acks=self._acks,
            timeout_ms=self._rng.choice((50, 5_000, 30_000)),
            topic_data=[
                TopicProduceData(
                    name=lane.topic.name,
                    topic_id=lane.topic_id,
                    partition_data=[
                        PartitionProduceData(index=lane.index, records=memoryview(pending.batch))
                    ],
                )
                for lane, pending in chosen
            ],
        )
        generations = [self._world.generations[lane.topic.name] for lane, _ in chosen]

        def reply(response: Any) -> None:
            for number, (lane, pending) in enumerate(chosen):
                pending.under_way = False
                answer = None if response is None else response.responses[number].partition_responses[0]
                current = version >= 13 or self._world.generations[lane.topic.name] == generations[number]
                self._answered(lane, pending, answer, current=current)

        self._client.request(ApiKey.PRODUCE, version, request, reply, answered=self._acks != 0)
        if self._acks == 0:
            for lane, pending in chosen:
                lane.pending.remove(pending)

    def _answered(self, lane: Lane, pending: Pending, answer: Any, *, current: bool) -> None:
        if pending not in lane.pending:
            return  # the lane was given up meanwhile
        error = None if answer is None else ErrorCode(answer.error_code)
        if error == ErrorCode.NONE:
            lane.pending.remove(pending)
            if self._idempotent:
                self._world.count("acknowledged idempotent")
                if pending.sends > 1:
                    self._world.count("acknowledged after a retry")
            if self._acks == -1 and current and answer.base_offset >= 0:
                for number, (record, timestamp) in enumerate(pending.records):
                    lane.part.promise(answer.base_offset + number, record, timestamp, "acknowledged")
                    self._world.count("acknowledged")
        elif error == ErrorCode.DUPLICATE_SEQUENCE_NUMBER:
            lane.pending.remove(pending)
        elif error in _GONE:
            self._give_up(lane)
        elif error in _TOO_LARGE or not self._idempotent:
            lane.pending.remove(pending)
            if self._idempotent:
                self._start_over()
        elif error == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER and pending is lane.pending[0]:
            require(
                not current or pending.sent_in_life != self._world.lives or lane.broken,
                f"{self.name}: the first batch not acknowledged is out of order without a restart",
            )
            self._world.count("out of order")
            self._start_over()
        else:
            require(error is None or error.retriable or error in _RETRIED, f"{self.name}: {error!r}")
            lane.broken = True

    def _give_up(self, lane: Lane) -> None:
        lane.pending.clear()
        self._lanes.pop((lane.topic_id, lane.index), None)

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


@dataclass(slots=True)
class Reading:
    """Where a consumer stands in one partition."""

    topic: TopicPromises
    topic_id: bytes
    index: int
    part: PartitionPromises
    position: int = 0
    lost_in_life: int = -1
    """The position was out of range in that life of the node: ask where the log starts."""


class Consumer:
    """Reads a few partitions from their start, over and over, with long polls."""

    def __init__(self, world: World, name: str, rng: SimRng) -> None:
        self.name = name
        self._world = world
        self._rng = rng
        self._client = world.client(name)
        self._version = rng.random_int(4, 18)
        self._session_id = 0
        self._session_epoch = 0 if self._version >= 7 and rng.chance(0.6) else -1
        self._uses_sessions = self._session_epoch == 0
        self._readings: dict[tuple[bytes, int], Reading] = {}
        self._in_session: dict[tuple[bytes, int], int] = {}
        self._act()

    def _later(self, seconds: float) -> None:
        self._world.scheduler.call_later(seconds, self._act)

    def _act(self) -> None:
        self._choose()
        lost = next((one for one in self._readings.values() if one.lost_in_life >= 0), None)
        if lost is not None:
            self._find_start(lost)
        elif self._readings:
            self._fetch()
        else:
            self._later(0.05)

    def _choose(self) -> None:
        """Drop partitions that are gone, take up new ones, start over now and then."""
        current = {
            (topic.topic_id, index): (topic, part)
            for _, topic in sorted(self._world.topics.items())
            if topic.state == EXISTS
            for index, part in sorted(topic.partitions.items())
        }
        for key in list(self._readings):
            if key not in current or self._rng.chance(0.01):
                del self._readings[key]
        if len(self._readings) < 3 and current:
            key = self._rng.choice(sorted(current))
            if key not in self._readings:
                topic, part = current[key]
                start = part.end if self._rng.chance(0.3) else part.start_min
                self._readings[key] = Reading(topic, key[0], key[1], part, start)

    def _fetch(self) -> None:
        wanted = dict(self._readings)
        if self._session_epoch > 0:
            listed = [key for key, one in wanted.items() if self._in_session.get(key) != one.position]
        else:
            listed = list(wanted)
        if self._session_epoch > 0 and any(key not in wanted for key in self._in_session):
            self._reset_session()
            listed = list(wanted)
        request = FetchRequest(
            max_wait_ms=self._rng.choice((0, 50, 500)),
            min_bytes=self._rng.choice((0, 1, 1, 2000)),
            max_bytes=self._rng.choice((1, 5_000, 1 << 20)),
            session_id=self._session_id,
            session_epoch=self._session_epoch,
        )
        for key in listed:
            one = wanted[key]
            partition = FetchPartition(
                partition=one.index,
                fetch_offset=one.position,
                partition_max_bytes=self._rng.choice((1, 2_000, 1 << 20)),
            )
            request.topics.append(
                FetchTopic(topic=one.topic.name, topic_id=one.topic_id, partitions=[partition])
            )
        self._in_session = {key: one.position for key, one in wanted.items()}
        before = {key: (one.position, one.part.end, one.part.start_min) for key, one in wanted.items()}
        generations = {key: self._world.generations[one.topic.name] for key, one in wanted.items()}

        def reply(response: Any) -> None:
            if response is None or response.error_code:
                self._reset_session()
                self._later(self._rng.uniform(0.01, 0.1))
                return
            if self._uses_sessions:
                self._session_id = response.session_id
                self._session_epoch = self._session_epoch + 1 if response.session_id else 0
            for topic in response.responses:
                for data in topic.partitions:
                    for key, one in wanted.items():
                        if key[1] == data.partition_index and self._is_of(one, topic, generations[key]):
                            self._read(one, data, *before[key])
            self._later(self._rng.choice((0.001, 0.01, 0.1)))

        self._client.request(ApiKey.FETCH, self._version, request, reply)

    def _is_of(self, one: Reading, answer: Any, generation: int) -> bool:
        """By name an answer counts only if nothing happened to that name meanwhile."""
        if self._version >= 13:
            return bool(answer.topic_id == one.topic_id)
        return answer.topic == one.topic.name and self._world.generations[one.topic.name] == generation

    def _reset_session(self) -> None:
        self._session_id = 0
        self._session_epoch = 0 if self._uses_sessions else -1
        self._in_session = {}

    def _read(self, one: Reading, data: Any, position: int, end_before: int, start_before: int) -> None:
        name = one.part.name
        error = ErrorCode(data.error_code)
        if error == ErrorCode.OFFSET_OUT_OF_RANGE:
            one.lost_in_life = self._world.lives
            return
        if error in _GONE:
            self._readings.pop((one.topic_id, one.index), None)
            return
        if error:
            require(error == ErrorCode.KAFKA_STORAGE_ERROR, f"{self.name}: {name}: fetch answered {error!r}")
            return
        if self._version >= 5:
            one.part.check_start(data.log_start_offset, at_least=start_before, retention=one.topic.retention)
        require(
            data.high_watermark >= end_before,
            f"{name}: high watermark {data.high_watermark}, readable was {end_before}",
        )
        buffer = bytes(data.records or b"")
        for at, header in iter_headers(buffer):
            require(crc_ok(buffer, at, header), f"{name}: wrong CRC at {header.base_offset}")
            require(
                header.next_offset <= data.high_watermark,
                f"{name}: offset {header.last_offset} was read above the watermark {data.high_watermark}",
            )
            for record in decode_records(buffer, at, header, max_bytes=DECODED_BYTES_MAX):
                if record.offset >= max(position, data.log_start_offset):
                    assert record.key is not None
                    one.part.promise(
                        record.offset, record.key.decode(), record.timestamp, f"read by {self.name}"
                    )
                    self._world.count("read")
            require(
                header.base_offset <= one.position,
                f"{name}: gap before {header.base_offset}, was at {one.position}",
            )
            one.position = max(one.position, header.next_offset)

    def _find_start(self, one: Reading) -> None:
        generation = self._world.generations[one.topic.name]

        def reply(response: Any) -> None:
            self._later(self._rng.uniform(0.001, 0.05))
            if response is None or self._world.generations[one.topic.name] != generation:
                return
            answer = response.topics[0].partitions[0]
            if answer.error_code:
                return
            if one.lost_in_life == self._world.lives and one.topic.waits_for_disk:
                # Within one life the start never goes back (what retention deleted may return after a crash).
                require(
                    answer.offset > one.position,
                    f"{one.part.name}: {one.position} is out of range, but the log starts at {answer.offset}",
                )
            one.position = answer.offset
            one.lost_in_life = -1

        self._client.request(
            ApiKey.LIST_OFFSETS,
            self._rng.random_int(1, 9),
            list_offsets(one.topic.name, one.index, EARLIEST),
            reply,
        )


def list_offsets(topic: str, index: int, timestamp: int) -> ListOffsetsRequest:
    partition = ListOffsetsPartition(partition_index=index, timestamp=timestamp)
    return ListOffsetsRequest(topics=[ListOffsetsTopic(name=topic, partitions=[partition])])
