"""Reading with ``read_committed``: hides what the list of aborted transactions says, as clients do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from riverlog.protocol.generated.offset_fetch_request import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
)
from riverlog.records import crc_ok, decode_records, iter_headers
from riverlog.records.control import ControlType, control_type
from riverlog.records.header import CONTROL_FLAG, TRANSACTIONAL_FLAG
from riverlog.sim.actors import list_offsets
from riverlog.sim.checkers import DECODED_BYTES_MAX, require
from riverlog.sim.cluster_consumers import LATEST
from riverlog.sim.cluster_txn_clients import ELSEWHERE, GROUP, Call, Scripted, Steps, TxnWorld
from riverlog.sim.cluster_txn_history import Attempt, Place
from riverlog.sim.rng import SimRng

READ_COMMITTED = 1


def visible_records(name: str, data: Any, position: int) -> tuple[list[tuple[int, str]], int]:
    """Offsets and keys of what a client hands to its application, and where it goes on."""
    waiting = sorted(
        ((one.first_offset, one.producer_id) for one in data.aborted_transactions or ()), reverse=True
    )
    aborted: dict[int, None] = {}
    found: list[tuple[int, str]] = []
    at = position
    buffer = bytes(data.records or b"")
    for start, header in iter_headers(buffer):
        require(crc_ok(buffer, start, header), f"{name}: wrong CRC at {header.base_offset}")
        require(
            header.next_offset <= data.last_stable_offset,
            f"{name}: offset {header.last_offset} was read above the last stable {data.last_stable_offset}",
        )
        while waiting and waiting[-1][0] <= header.last_offset:
            aborted[waiting.pop()[1]] = None
        if header.attributes & CONTROL_FLAG:
            record = next(iter(decode_records(buffer, start, header, max_bytes=DECODED_BYTES_MAX)))
            if control_type(record.key) is ControlType.ABORT:
                aborted.pop(header.producer_id, None)
        elif not (header.attributes & TRANSACTIONAL_FLAG and header.producer_id in aborted):
            for record in decode_records(buffer, start, header, max_bytes=DECODED_BYTES_MAX):
                if record.offset >= position:
                    assert record.key is not None
                    found.append((record.offset, record.key.decode()))
        at = max(at, header.next_offset)
    return found, at


class CommittedReader(Scripted):
    """What every client that reads can do."""

    def _fetch(self, place: Place, position: int, attempt: Attempt | None = None) -> Steps[Fetched | None]:
        """What is there now from one offset on; None if nobody could say."""
        topic = self.world.topics[place[0]]
        leader = self.leader(topic.topic_id, place[1])
        if leader is None:
            return None
        row = FetchPartition(
            partition=place[1],
            fetch_offset=position,
            partition_max_bytes=self.rng.choice((1, 500, 1 << 20)),
            current_leader_epoch=leader.epoch if self.rng.chance(0.7) else -1,
        )
        request = FetchRequest(
            max_wait_ms=self.rng.choice((0, 100)),
            min_bytes=1,
            max_bytes=1 << 20,
            isolation_level=READ_COMMITTED,
            session_epoch=-1,
            topics=[FetchTopic(topic_id=topic.topic_id, partitions=[row])],
        )
        answer = yield Call(leader.node_id, ApiKey.FETCH, 16, request)
        if answer is None or answer.error_code or not answer.responses:
            self.lost(topic.topic_id, place[1])
            return None
        data = answer.responses[0].partitions[0]
        error = ErrorCode(data.error_code)
        name = f"{place[0]}-{place[1]}"
        if error:
            # A leader without what another has committed since may end before this.
            known = error.retriable or error is ErrorCode.OFFSET_OUT_OF_RANGE
            require(known, f"{self.name}: {name}: Fetch answered {error!r}")
            self.told(topic.topic_id, place[1], data.current_leader)
            self.lost(topic.topic_id, place[1])
            return None
        require(
            data.last_stable_offset <= data.high_watermark,
            f"{name}: last stable {data.last_stable_offset} above the watermark {data.high_watermark}",
        )
        records, end = visible_records(name, data, position)
        self.txn_world.history.read(
            self.name,
            place,
            position,
            end,
            records,
            now=self.now,
            attempt=attempt,
        )
        self.world.count("read")
        return Fetched(records, end, data.last_stable_offset, data.high_watermark)


class Fetched:
    """One answer: what is visible, where to go on, and how far it could go."""

    __slots__ = ("end", "high_watermark", "last_stable_offset", "records")

    def __init__(
        self, records: list[tuple[int, str]], end: int, last_stable_offset: int, high_watermark: int
    ) -> None:
        self.records = records
        self.end = end
        self.last_stable_offset = last_stable_offset
        self.high_watermark = high_watermark


class ListReader(CommittedReader):
    """Reads all partitions in turns; now and then all from the start."""

    def __init__(self, world: TxnWorld, name: str, rng: SimRng, *, pause_seconds: float) -> None:
        super().__init__(world, name, rng)
        self._pause_seconds = pause_seconds
        self._positions: dict[Place, int] = {}

    def _live(self) -> Steps[None]:
        while True:
            yield self._nap(0.2 * self._pause_seconds, 1.8 * self._pause_seconds)
            places = [
                (name, index)
                for name, topic in sorted(self.world.topics.items())
                for index in sorted(topic.partitions)
            ]
            if not places:
                continue
            place = self.rng.choice(places)
            if self.rng.chance(0.03):
                self._positions[place] = 0
            if self.rng.chance(0.1):
                yield from self._find_end(place)
                continue
            fetched = yield from self._fetch(place, self._positions.get(place, 0))
            if fetched is not None:
                self._positions[place] = fetched.end

    def _find_end(self, place: Place) -> Steps[None]:
        """The end that ListOffsets gives to read-committed readers is not behind what was read (KIP-207)."""
        topic = self.world.topics[place[0]]
        leader = self.leader(topic.topic_id, place[1])
        if leader is None:
            return
        front = self.txn_world.history.view(place).front
        request = list_offsets(place[0], place[1], LATEST)
        request.isolation_level = READ_COMMITTED
        request.topics[0].partitions[0].current_leader_epoch = leader.epoch
        answer = yield Call(leader.node_id, ApiKey.LIST_OFFSETS, 7, request)
        row = None if answer is None else answer.topics[0].partitions[0]
        if row is None or row.error_code:
            self.lost(topic.topic_id, place[1])
        elif row.leader_epoch == self.world.leads(topic.topic_id, place[1])[1]:
            require(
                row.offset >= front,
                f"{place}: ListOffsets gives {row.offset} as the last stable, {front} was read",
            )


class TxnAuditor(CommittedReader):
    """The last reader: all of it, from the start; and where the groups stand."""

    def __init__(self, world: TxnWorld, rng: SimRng) -> None:
        super().__init__(world, "txn-auditor", rng)
        self.offsets: dict[Place, int] = {}
        self._task: Steps[None] | None = None

    def _live(self) -> Steps[None]:
        assert self._task is not None
        yield from self._task

    def read(self, place: Place, done: Callable[[], None]) -> None:
        self._task = self._read(place, done)
        self.start()

    def find_offsets(self, group: str, places: list[Place], done: Callable[[], None]) -> None:
        self._task = self._find_offsets(group, places, done)
        self.start()

    def _read(self, place: Place, done: Callable[[], None]) -> Steps[None]:
        """To the very end: nothing is open any more, the last stable offset is the watermark."""
        position = 0
        while True:
            fetched = yield from self._fetch(place, position)
            if fetched is not None:
                position = fetched.end
                front = self.txn_world.history.view(place).front
                whole = fetched.last_stable_offset == fetched.high_watermark
                if whole and position == fetched.high_watermark >= front:
                    done()
                    return
            if fetched is None or not fetched.records:
                yield self._nap()

    def _find_offsets(self, group: str, places: list[Place], done: Callable[[], None]) -> Steps[None]:
        found: dict[Place, int] = {}
        while len(found) < len(places):
            node_id = yield from self._find(group, GROUP)
            found = yield from fetch_offsets(self, node_id, group, places)
            yield self._nap()
        self.offsets.update(found)
        done()


def fetch_offsets(agent: Scripted, node_id: int, group: str, places: list[Place]) -> Steps[dict[Place, int]]:
    """Where a group stands, once no transaction is about to move it; what is unknown is left out."""
    topics = {place[0]: [index for topic, index in places if topic == place[0]] for place in places}
    rows = [OffsetFetchRequestTopics(name=name, partition_indexes=found) for name, found in topics.items()]
    request = OffsetFetchRequest(
        groups=[OffsetFetchRequestGroup(group_id=group, topics=rows)], require_stable=True
    )
    answer = yield Call(node_id, ApiKey.OFFSET_FETCH, 8, request)
    if answer is None:
        return {}
    error = ErrorCode(answer.groups[0].error_code)
    known = not error or error.retriable or error in ELSEWHERE
    require(known, f"{agent.name}: OffsetFetch answered {error!r}")
    found: dict[Place, int] = {}
    for topic in answer.groups[0].topics:
        for row in topic.partitions:
            error = ErrorCode(row.error_code)
            require(not error or error.retriable, f"{agent.name}: OffsetFetch answered {error!r}")
            if not error:
                found[topic.name, row.partition_index] = max(row.committed_offset, 0)
    return found
