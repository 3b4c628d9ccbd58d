"""One compacted partition on a simulated disk, what was written to it, and what must hold of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from riverlog.records import (
    BatchBuilder,
    BatchHeader,
    Record,
    crc_ok,
    decode_records,
    end_txn_marker,
    iter_headers,
    read_header,
)
from riverlog.sim.batches import with_header
from riverlog.sim.clock import Scheduler
from riverlog.sim.disk import Setup, SimDisk
from riverlog.sim.media import Media
from riverlog.sim.rng import SimRng
from riverlog.sim.storage import Policies, StorageNode
from riverlog.storage import Log, LogConfig

KEY = ("t", 0)
FOLDER = "/data/t-0"
DELETE_RETENTION_MS = 60_000
CONFIG = LogConfig(
    segment_bytes=900,
    index_interval_bytes=1,
    cleanup_policy="compact",
    min_cleanable_dirty_ratio=0.0,
    delete_retention_ms=DELETE_RETENTION_MS,
    file_delete_delay_ms=500,
    producer_id_expiration_ms=1 << 40,
)
BACKOFF_SECONDS = 16.0
LEFTOVERS = (".cleaned", ".swap", ".deleted")
Written = dict[int, tuple[bytes, bytes | None]]


class CompactedLog:
    """Starts on a medium as it is, or with a new partition. ``written``: every record that counts."""

    def __init__(
        self,
        media: Media | None = None,
        *,
        now: float = 0.0,
        written: Written | None = None,
        setup: Setup | None = None,
        policies: Policies | None = None,
        cut_at: int | None = None,
    ) -> None:
        self.policies = policies
        self.media = media or Media()
        self.scheduler = Scheduler()
        self.scheduler.now = now
        self.written: Written = dict(written or {})
        self.node = self._start(setup, cut_at)
        if self.node.logs.get(*KEY) is None:
            self.node.create(KEY, b"0123456789abcdef")

    def _start(self, setup: Setup | None = None, cut_at: int | None = None) -> StorageNode:
        rng = SimRng("compacted log")
        node = StorageNode(
            self.media,
            self.scheduler,
            rng,
            lambda topic: CONFIG,
            setup=setup,
            policies=self.policies,
            cut_at=cut_at,
        )
        node.open()
        return node

    def reopened(self, media: Media, *, cut_at: int | None = None) -> CompactedLog:
        """The same log from another medium, at the same time."""
        return CompactedLog(media, now=self.scheduler.now, written=self.written, cut_at=cut_at)

    def rebuilt(self) -> Log:
        """The log as recovery makes it from the batches alone, without snapshots, indexes and epochs."""
        media = Media()
        disk = SimDisk(media, self.scheduler, SimRng("rebuilt"))
        disk.make_folder(FOLDER)
        for segment in self.log.segments:
            name = segment.file.path.rpartition("/")[2]
            disk.open(f"{FOLDER}/{name}", create=True).append(segment.file.read(0, segment.size))
        log = Log.open(disk, FOLDER, KEY, CONFIG, now_ms=self.now_ms)
        log.high_watermark = log.log_end_offset
        return log

    def kill(self) -> None:
        self.node.kill()
        self.node = self._start()

    @property
    def log(self) -> Log:
        log = self.node.logs.get(*KEY)
        assert log is not None
        return log

    @property
    def disk(self) -> SimDisk:
        return self.node.disk

    @property
    def now_ms(self) -> int:
        return self.node.clock.now_ms()

    # -- writing -----------------------------------------------------------------------------

    def put(
        self,
        records: list[tuple[bytes, bytes | None]],
        *,
        compression: int = 0,
        producer_id: int = -1,
        sequence: int = -1,
        transactional: bool = False,
        aborted: bool = False,
    ) -> None:
        """One batch. What is ``aborted`` does not count."""
        builder = BatchBuilder(
            compression=compression,
            producer_id=producer_id,
            producer_epoch=0 if producer_id >= 0 else -1,
            base_sequence=sequence,
            transactional=transactional,
        )
        for key, value in records:
            builder.append(timestamp=self.now_ms, key=key, value=value)
        first = self._append(builder.build())
        if not aborted:
            self.written |= {first + number: record for number, record in enumerate(records)}

    def end(self, producer_id: int, *, commit: bool) -> None:
        marker = end_txn_marker(
            commit=commit,
            producer_id=producer_id,
            producer_epoch=0,
            coordinator_epoch=0,
            timestamp=self.now_ms,
        )
        self._append(marker)

    def _append(self, data: bytes) -> int:
        buffer, header = with_header(data)
        return self.log.append_as_leader(buffer, header, leader_epoch=0, now_ms=self.now_ms).first_offset

    def settle(self, seconds: float) -> None:
        self.scheduler.run_for(seconds)

    def clean(self) -> None:
        """Long enough for the cleaner to look for work, do it, and find no more."""
        cleaner = self.node.logs.cleaner
        self.settle(BACKOFF_SECONDS)
        assert self.scheduler.run_until(lambda: cleaner.is_idle, seconds_max=60.0)
        assert not cleaner.uncleanable
        self.settle(2.0)

    # -- looking -----------------------------------------------------------------------------

    def batches(self) -> Iterator[tuple[bytes, int, BatchHeader]]:
        """As a fetch finds them, over gaps."""
        log = self.log
        offset = log.log_start_offset
        while (piece := log.read(offset, max_bytes=1 << 16, end_offset=log.log_end_offset)) is not None:
            data = piece.read()
            for position, header in iter_headers(data):
                assert header.base_offset >= offset or header.last_offset >= offset
                assert crc_ok(data, position, header)
                yield data, position, header
                offset = header.next_offset

    def records(self) -> list[Record]:
        """Those of no control batch."""
        return [
            record
            for data, position, header in self.batches()
            if not header.is_control
            for record in decode_records(data, position, header, max_bytes=1 << 20)
        ]

    def offsets(self) -> list[int]:
        return [record.offset for record in self.records()]

    def last(self) -> dict[bytes, tuple[int, bytes | None]]:
        """Each key's last record, of those that count."""
        return {key: (offset, value) for offset, (key, value) in self.written.items()}

    # -- what must hold ----------------------------------------------------------------------

    def check(self, *, tombstones: bool) -> None:
        """``tombstones``: none is old enough to be gone."""
        log = self.log
        assert not log.suspect
        names = self.disk.list_folder(FOLDER)
        assert not [name for name in names if name.endswith(LEFTOVERS)], names
        self.check_values(tombstones=tombstones)
        for segment, following in pairwise(log.segments):
            assert segment.next_offset() == following.base_offset
        self.check_lookups()

    def check_values(self, *, tombstones: bool) -> None:
        log = self.log
        hidden = log.aborted_transactions(0, log.log_end_offset)
        found: dict[bytes, tuple[int, bytes | None]] = {}
        for data, position, header in self.batches():
            if header.is_control:
                continue
            for record in decode_records(data, position, header, max_bytes=1 << 20):
                if record.offset in self.written:
                    assert self.written[record.offset] == (record.key, record.value), "another record"
                    assert record.key is not None
                    found[record.key] = (record.offset, record.value)
                else:
                    assert any(
                        one.producer_id == header.producer_id
                        and one.first_offset <= record.offset <= one.last_offset
                        for one in hidden
                    ), f"an aborted record is visible at {record.offset}"
        for key, (offset, value) in self.last().items():
            if value is not None or tombstones:
                assert found.get(key) == (offset, value), f"{key!r} lost its last value"
            else:
                assert found.get(key, (offset, value)) == (offset, value), f"{key!r} is back"

    def check_lookups(self) -> None:
        """Every offset leads to the batch that holds it or comes next, every time to its first record."""
        log = self.log
        expected = log.log_start_offset
        times: list[tuple[int, int]] = []
        for data, position, header in self.batches():
            for offset in {expected, header.base_offset, header.last_offset}:
                if offset >= expected:
                    piece = log.read(offset, max_bytes=1, end_offset=log.log_end_offset)
                    assert piece is not None
                    if header.record_count:
                        assert piece.read() == data[position : position + header.size]
                    else:  # a header alone is skipped, as far as something comes after it
                        assert read_header(piece.read()).last_offset >= header.last_offset
            expected = header.next_offset
            times += [
                (record.timestamp, record.offset)
                for record in decode_records(data, position, header, max_bytes=1 << 20)
            ]
        for timestamp in sorted({timestamp for timestamp, _ in times}):
            first = next(found for found in times if found[0] >= timestamp)
            assert log.offset_for_timestamp(timestamp) == first
