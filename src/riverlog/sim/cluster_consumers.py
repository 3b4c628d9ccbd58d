"""Consumers of a simulated cluster: what they once read stays what it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from riverlog.records import BatchHeader, CorruptBatch, crc_ok, decode_records, iter_headers
from riverlog.records.header import CONTROL_FLAG
from riverlog.sim.actors import EARLIEST, list_offsets
from riverlog.sim.batches import name_of
from riverlog.sim.checkers import DECODED_BYTES_MAX, require
from riverlog.sim.clock import START_MS
from riverlog.sim.cluster_clients import Agent, ClusterTopic, ClusterWorld
from riverlog.sim.cluster_upkeep import check_time
from riverlog.sim.promises import EXISTS, PartitionPromises
from riverlog.sim.rng import SimRng

LATEST = -1
_MOVED = (
    ErrorCode.NOT_LEADER_OR_FOLLOWER,
    ErrorCode.FENCED_LEADER_EPOCH,
    ErrorCode.UNKNOWN_LEADER_EPOCH,
    ErrorCode.UNKNOWN_TOPIC_ID,
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    ErrorCode.KAFKA_STORAGE_ERROR,
    ErrorCode.REPLICA_NOT_AVAILABLE,
    ErrorCode.LEADER_NOT_AVAILABLE,
    ErrorCode.OFFSET_NOT_AVAILABLE,
    ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR,
    ErrorCode.INCONSISTENT_TOPIC_ID,
)


@dataclass(slots=True)
class Reading:
    """Where a consumer stands in one partition."""

    topic: ClusterTopic
    topic_id: bytes
    index: int
    part: PartitionPromises
    position: int
    last_epoch: int = -1
    lost: bool = False
    """The position was out of range: ask where the log starts."""

    @property
    def gone(self) -> bool:
        return self.topic.state != EXISTS or self.topic.topic_id != self.topic_id


class ClusterConsumer(Agent):
    """Reads one partition at a time, from the leader, in long polls; changes its mind now and then."""

    def __init__(self, world: ClusterWorld, name: str, rng: SimRng, *, pause_seconds: float) -> None:
        super().__init__(world, name, rng)
        self._pause_seconds = pause_seconds
        self._reading: Reading | None = None
        self._again()

    def _again(self) -> None:
        self.later(self.rng.uniform(0.2, 1.8) * self._pause_seconds, self._act)

    def _act(self) -> None:
        one = self._reading
        if one is None or one.gone or self.rng.chance(0.08):
            one = self._reading = self._choose()
        if one is None:
            self._again()
        elif one.lost:
            self._find_start(one)
        elif self.rng.chance(0.08):
            self._find_end(one)
        elif self.rng.chance(0.4 if one.topic.retention else 0.04) and not one.topic.compacted:
            self._find_time(one)
        else:
            self._fetch(one)

    def _choose(self) -> Reading | None:
        current = [
            (topic, index)
            for _, topic in sorted(self.world.topics.items())
            if topic.state == EXISTS
            for index in sorted(topic.partitions)
        ]
        if not current:
            return None
        topic, index = self.rng.choice(current)
        part = topic.partitions[index]
        start = part.end if self.rng.chance(0.4) else part.start_min
        return Reading(topic, topic.topic_id, index, part, start)

    def _fetch(self, one: Reading) -> None:
        leader = self.leader(one.topic_id, one.index)
        if leader is None:
            self._again()
            return
        partition = FetchPartition(
            partition=one.index,
            fetch_offset=one.position,
            partition_max_bytes=self.rng.choice((1, 2_000, 1 << 20)),
            current_leader_epoch=leader.epoch if self.rng.chance(0.7) else -1,
            last_fetched_epoch=one.last_epoch,
        )
        request = FetchRequest(
            max_wait_ms=self.rng.choice((0, 100, 500)),
            min_bytes=1,
            max_bytes=1 << 20,
            session_id=0,
            session_epoch=-1,
            topics=[FetchTopic(topic_id=one.topic_id, partitions=[partition])],
        )

        led = self.world.leads(one.topic_id, one.index)

        def reply(response: Any) -> None:
            if response is None or response.error_code or not response.responses:
                self.lost(one.topic_id, one.index)
            elif response.responses[0].partitions[0].error_code == ErrorCode.OFFSET_OUT_OF_RANGE:
                self._out_of_range(one, leader.node_id, led)
            else:
                self._read(one, response.responses[0].partitions[0], leader.node_id)
            self._again()

        self.ask(leader.node_id, ApiKey.FETCH, 16, request, reply)

    def _read(self, one: Reading, data: Any, node_id: int) -> None:
        name = one.part.name
        error = ErrorCode(data.error_code)
        if error:
            require(error in _MOVED, f"{self.name}: {name}: Fetch answered {error!r}")
            self.told(one.topic_id, one.index, data.current_leader)
            if error != ErrorCode.OFFSET_NOT_AVAILABLE:
                self.lost(one.topic_id, one.index)
            return
        diverging = data.diverging_epoch is not None and data.diverging_epoch.end_offset >= 0
        require(
            not diverging or one.topic.shaky or one.gone,
            f"{name}: {self.name} at {one.position} was told that the log diverges",
        )
        if self.world.is_damaged(node_id) and not is_whole(data):
            self.world.count("corrupt answers")
            self.lost(one.topic_id, one.index)
            return
        for header in check_batches(name, data):
            if one.gone:
                return
            buffer, at, batch = header
            if not batch.attributes & CONTROL_FLAG:
                for record in decode_records(buffer, at, batch, max_bytes=DECODED_BYTES_MAX):
                    if record.offset >= max(one.position, data.log_start_offset):
                        one.part.promise(
                            record.offset, name_of(record), record.timestamp, f"read by {self.name}"
                        )
                        self.world.count("read")
            require(
                batch.base_offset <= one.position or one.topic.retention or one.topic.compacted,
                f"{name}: gap before {batch.base_offset}, {self.name} was at {one.position}",
            )
            one.position = max(one.position, batch.next_offset)
            one.last_epoch = batch.partition_leader_epoch

    def _out_of_range(self, one: Reading, node_id: int, led: tuple[int, int]) -> None:
        """Whoever leads has all that was ever readable; a node that led before may end earlier."""
        if led[0] != node_id or led != self.world.leads(one.topic_id, one.index, now=True):
            self.lost(one.topic_id, one.index)
            return
        require(
            one.gone or one.topic.retention or one.topic.shaky,
            f"{one.part.name}: {one.position} is out of range for its leader n{node_id} in epoch {led[1]}",
        )
        one.lost = True

    def _find_start(self, one: Reading) -> None:
        leader = self.leader(one.topic_id, one.index)
        if leader is None:
            self._again()
            return
        asked_id = one.topic.topic_id

        def reply(response: Any) -> None:
            self._again()
            if response is None:
                self.lost(one.topic_id, one.index)
                return
            answer = response.topics[0].partitions[0]
            if answer.error_code:
                self.lost(one.topic_id, one.index)
                return
            if not one.gone and asked_id == one.topic_id:
                one.position = answer.offset
                one.lost = False

        request = list_offsets(one.topic.name, one.index, EARLIEST)
        self.ask(leader.node_id, ApiKey.LIST_OFFSETS, 7, request, reply)

    def _find_end(self, one: Reading) -> None:
        """KIP-207: the end that ListOffsets gives never goes back behind what was readable."""
        leader = self.leader(one.topic_id, one.index)
        if leader is None:
            self._again()
            return
        end_before = one.part.end

        def reply(response: Any) -> None:
            self._again()
            if response is None:
                self.lost(one.topic_id, one.index)
                return
            answer = response.topics[0].partitions[0]
            error = ErrorCode(answer.error_code)
            if error:
                require(error in _MOVED, f"{self.name}: {one.part.name}: ListOffsets answered {error!r}")
                self.lost(one.topic_id, one.index)
            elif (
                not one.gone
                and not one.topic.shaky
                and answer.leader_epoch == self.world.leads(one.topic_id, one.index, now=True)[1]
            ):
                one.part.check_end(answer.offset, answer.leader_epoch, end_before)

        request = list_offsets(one.topic.name, one.index, LATEST)
        request.topics[0].partitions[0].current_leader_epoch = leader.epoch
        self.ask(leader.node_id, ApiKey.LIST_OFFSETS, 7, request, reply)

    def _find_time(self, one: Reading) -> None:
        """INVARIANTS 21: a question for a time, then for the start, to one leader in one epoch."""
        leader = self.leader(one.topic_id, one.index)
        if leader is None:
            self._again()
            return
        now_ms = START_MS + int(self.world.scheduler.now * 1000)
        wanted = now_ms - self.rng.random_int(0, 5_000)
        known = {offset: record.timestamp for offset, record in one.part.records.items()}
        led = (leader.node_id, leader.epoch)
        sure = led == self.world.leads(one.topic_id, one.index)

        def ask(timestamp: int, reply: Callable[[int], None]) -> None:
            def answered(response: Any) -> None:
                answer = None if response is None else response.topics[0].partitions[0]
                if answer is None or answer.error_code:
                    self._again()
                    self.lost(one.topic_id, one.index)
                else:
                    reply(answer.offset)

            request = list_offsets(one.topic.name, one.index, timestamp)
            request.topics[0].partitions[0].current_leader_epoch = leader.epoch
            self.ask(leader.node_id, ApiKey.LIST_OFFSETS, 7, request, answered)

        def started(found: int, start: int) -> None:
            self._again()
            still = led == self.world.leads(one.topic_id, one.index, now=True)
            if sure and still and not one.gone and not one.topic.shaky:
                check_time(one.part, known, wanted=wanted, found=found, start=start)
                self.world.count("time queries")

        ask(wanted, lambda found: ask(EARLIEST, lambda start: started(found, start)))


def is_whole(data: Any) -> bool:
    """Whether a client finds no damage in a fetch answer."""
    buffer = bytes(data.records or b"")
    try:
        return all(crc_ok(buffer, at, header) for at, header in iter_headers(buffer))
    except CorruptBatch:
        return False


def check_batches(name: str, data: Any) -> list[tuple[bytes, int, BatchHeader]]:
    """The batches of a fetch answer, each whole, undamaged and below the watermark."""
    buffer = bytes(data.records or b"")
    found = []
    for at, header in iter_headers(buffer):
        require(crc_ok(buffer, at, header), f"{name}: wrong CRC at {header.base_offset}")
        require(
            header.next_offset <= data.high_watermark,
            f"{name}: offset {header.last_offset} was read above the watermark {data.high_watermark}",
        )
        found.append((buffer, at, header))
    return found
