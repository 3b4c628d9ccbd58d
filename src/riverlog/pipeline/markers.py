"""Markers of the exactly-once sink: which micro-batch each task of a query has committed last.

A marker is a record in a compacted topic, written in the very transaction that carries the task's rows.
Its key is the transactional id, so a task finds its own. Who reads it must have begun a transaction of
that id before: then none of an older attempt is open, and every marker of the id is decided.

Reading goes from the end backwards, in windows that grow, until the marker turns up: that of a running
query is among the last records, however long the partition is. What was read is kept, and later only
what is new is read. All offsets up to the high watermark are read, not up to the last stable offset:
that stands still while some other task's transaction is open. Markers of transactions whose outcome has
not been read yet wait for it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

from riverlog.base.errors import ErrorCode
from riverlog.client.cluster import NO_LEADER, TopicPartition
from riverlog.client.errors import BrokerRefused, ClientError
from riverlog.client.fetcher import READ_UNCOMMITTED
from riverlog.client.offsets import EARLIEST, LATEST
from riverlog.client.partitioner import partition_for_key
from riverlog.pipeline.errors import ClusterError
from riverlog.pipeline.patience import check, persist
from riverlog.pipeline.replay import Fingerprint
from riverlog.pipeline.topics import create_topic, topic_setting
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from riverlog.records import (
    BatchBuilder,
    ControlType,
    Record,
    control_type,
    crc_ok,
    decode_records,
    iter_headers,
)
from riverlog.records.header import Buffer
from riverlog.runtime.client_io import BlockingClient

TOPIC = "__riverlog_sink_markers"
PARTITIONS = 8
"""All markers of a query are in one of them."""
SETTINGS = {
    "cleanup.policy": "compact",
    # Small segments, compacted soon: a new query reads its partition once from end to start.
    "segment.bytes": str(1 << 20),
    "min.cleanable.dirty.ratio": "0.1",
}

_PREFIX = "riverlog-"
_VERSION = 0
_WINDOW_RECORDS = 1_000
_FETCH_BYTES = 1 << 20
_DECOMPRESSED_MAX = 64 << 20
_NO_SESSION_EPOCH = -1


@dataclass(frozen=True, slots=True)
class Marker:
    """What one task committed with its last batch."""

    next_batch: int
    """Its batch id plus one: the first that is not committed."""
    content: Fingerprint | None = None
    """What it wrote; None where it was marked before the rows were seen."""
    at_ms: int = field(default=0, compare=False)

    def encode(self) -> bytes:
        content = None if self.content is None else asdict(self.content)
        fields = {"version": _VERSION, "next_batch": self.next_batch, "content": content}
        return json.dumps(fields, separators=(",", ":")).encode()

    @classmethod
    def decode(cls, value: bytes, at_ms: int) -> Marker:
        """Raises ``ValueError``, ``KeyError`` or ``TypeError`` where it is something else."""
        fields = json.loads(value)
        if fields["version"] != _VERSION:
            raise ValueError(f"version {fields['version']}")
        content = fields["content"]
        return cls(int(fields["next_batch"]), None if content is None else Fingerprint(**content), at_ms)


def marker_batch(key: str, marker: Marker | None, *, timestamp: int, transactional: bool) -> bytes:
    """A record batch of one marker; ``None`` forgets the key."""
    builder = BatchBuilder(transactional=transactional)
    value = None if marker is None else marker.encode()
    builder.append(timestamp=timestamp, key=key.encode(), value=value)
    return builder.build()


@dataclass(slots=True)
class _Seen:
    """What was read of one partition, from ``low`` on and up to ``high``."""

    topic_id: bytes
    low: int
    high: int
    markers: dict[str, Marker | None] = field(default_factory=dict)
    """None where the last record of a key forgets it."""
    undecided: dict[int, dict[str, Marker | None]] = field(default_factory=dict)
    """By producer id, as long as its transaction is open."""


class MarkerLog:
    """Reads markers, and makes their topic. One per process: it remembers what it read."""

    def __init__(self, client: BlockingClient, *, patience_seconds: float) -> None:
        self._client = client
        self._patience_seconds = patience_seconds
        self._seen: dict[int, _Seen] = {}
        self._checked = False

    def place(self, query: str) -> TopicPartition:
        """Where the markers of a query are written."""
        self._prepare()
        return TOPIC, partition_for_key(query.encode(), self._count)

    def find(self, query: str, key: str) -> Marker | None:
        """The marker of a task; begin a transaction of its id before."""
        _, home = self.place(query)
        for index in (home, *(other for other in range(self._count) if other != home)):
            # Not at home: a first batch, or somebody has added partitions to the topic since.
            seen = self._read(index, until=key)
            if key in seen.markers:
                return seen.markers[key]
        return None

    def all(self) -> dict[str, Marker]:
        """Every marker there is, by transactional id."""
        self._prepare()
        found: dict[str, Marker] = {}
        for index in range(self._count):
            markers = self._read(index, until=None).markers
            for key, marker in markers.items():
                if marker is not None and (key not in found or marker.next_batch > found[key].next_batch):
                    found[key] = marker
        return found

    # ---------------------------------------------------------------- the topic

    @property
    def _count(self) -> int:
        return len(self._client.view.topics[TOPIC].partitions)

    def _prepare(self) -> None:
        if self._checked:
            return
        create_topic(
            self._client,
            TOPIC,
            partitions=PARTITIONS,
            settings=SETTINGS,
            seconds=self._patience_seconds,
        )
        policy = topic_setting(self._client, TOPIC, "cleanup.policy", seconds=self._patience_seconds)
        if policy is not None and "compact" not in policy:
            raise ClusterError(
                f"topic {TOPIC} has cleanup.policy={policy}, which would delete what the sink must know: "
                "set it to compact"
            )
        self._checked = True

    # ---------------------------------------------------------------- reading

    def _read(self, index: int, *, until: str | None) -> _Seen:
        """All that is new, and then older records until the key turns up (None: all)."""
        return persist(
            f"cannot read {TOPIC}-{index}",
            lambda: self._try_to_read(index, until),
            seconds=self._patience_seconds,
            between=lambda trouble: self._look_again(index, trouble),
        )

    def _look_again(self, index: int, trouble: ClientError) -> None:
        if isinstance(trouble, BrokerRefused) and trouble.code is ErrorCode.OFFSET_OUT_OF_RANGE:
            self._seen.pop(index, None)
        self._client.refresh([TOPIC])

    def _try_to_read(self, index: int, until: str | None) -> _Seen:
        end = self._offset(index, LATEST)
        seen = self._seen.get(index)
        if seen is None or seen.topic_id != self._topic_id or seen.high > end:
            start = self._offset(index, EARLIEST)
            seen = self._scan(index, max(start, end - _WINDOW_RECORDS), end)
        else:
            self._continue(index, seen, end)
        window = _WINDOW_RECORDS
        while until is None or until not in seen.markers:
            start = self._offset(index, EARLIEST)
            if seen.low <= start:
                break
            window *= 4
            seen = self._scan(index, max(start, end - window), end)
        return seen

    def _scan(self, index: int, low: int, end: int) -> _Seen:
        seen = _Seen(self._topic_id, low, low)
        self._continue(index, seen, end)
        self._seen[index] = seen
        return seen

    @property
    def _topic_id(self) -> bytes:
        return self._client.view.topics[TOPIC].topic_id

    def _offset(self, index: int, which: int) -> int:
        # By ListOffsets: a leader that has just been elected answers it only when it knows the high
        # watermark again (KIP-207); the one in a fetch answer may be too low until then.
        found = self._client.offsets({(TOPIC, index): which})
        return found[TOPIC, index].offset

    def _continue(self, index: int, seen: _Seen, end: int) -> None:
        while seen.high < end:
            before = seen.high
            _apply(seen, self._fetch(index, before))
            if seen.high == before:
                raise BrokerRefused(ErrorCode.OFFSET_NOT_AVAILABLE, "the leader has not caught up yet")

    def _fetch(self, index: int, offset: int) -> Buffer:
        leader = self._client.view.leader(TOPIC, index)
        if leader == NO_LEADER:
            raise BrokerRefused(ErrorCode.LEADER_NOT_AVAILABLE, "it has no leader")
        wanted = FetchPartition(partition=index, fetch_offset=offset, partition_max_bytes=_FETCH_BYTES)
        request = FetchRequest(
            max_wait_ms=0,
            min_bytes=0,
            max_bytes=_FETCH_BYTES,
            isolation_level=READ_UNCOMMITTED,
            session_epoch=_NO_SESSION_EPOCH,
            topics=[FetchTopic(topic=TOPIC, topic_id=self._topic_id, partitions=[wanted])],
        )
        answer = self._client.call(ApiKey.FETCH, request, node_id=leader)
        check(answer.error_code)
        row = answer.responses[0].partitions[0]
        check(row.error_code)
        return row.records or b""


def _apply(seen: _Seen, raw: Buffer) -> None:
    for position, header in iter_headers(raw):
        if header.next_offset <= seen.high:
            continue
        if not crc_ok(raw, position, header):
            raise BrokerRefused(
                ErrorCode.CORRUPT_MESSAGE, f"the batch at offset {header.base_offset} is corrupt"
            )
        records = decode_records(raw, position, header, max_bytes=_DECOMPRESSED_MAX)
        if header.is_control:
            markers = seen.undecided.pop(header.producer_id, {})
            # Compaction may have emptied it, after the records it was about.
            if records and control_type(records[0].key) is ControlType.COMMIT:
                seen.markers.update(markers)
        else:
            read = dict(_marker(record) for record in records if record.offset >= seen.high)
            if header.is_transactional:
                seen.undecided.setdefault(header.producer_id, {}).update(read)
            else:
                seen.markers.update(read)
        seen.high = header.next_offset


def _marker(record: Record) -> tuple[str, Marker | None]:
    try:
        key = (record.key or b"").decode()
        return key, None if record.value is None else Marker.decode(record.value, record.timestamp)
    except (ValueError, KeyError, TypeError):
        raise ClusterError(
            f"the record at offset {record.offset} of {TOPIC} is not a marker of this version of riverlog"
        ) from None


def transactional_id(query: str, task: int) -> str:
    """The name of a task, and the key of its marker."""
    return f"{_PREFIX}{query}-{task}"


def query_of(key: str) -> str:
    """The query in a transactional id."""
    return key.removeprefix(_PREFIX).rpartition("-")[0]
