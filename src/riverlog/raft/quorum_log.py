"""``__cluster_metadata-0`` on disk: appending, group commit, truncation, who votes at which offset.

Appends reach the page cache; ``durable_end`` follows with the group commit, and only that counts
(RULES: watermark 5). The recovery point moves durably once a second, never past what the epoch file
on disk knows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from riverlog.env import Clock, Disk, StorageError, Timer
from riverlog.protocol.generated.kraft_version_record import KRaftVersionRecord
from riverlog.protocol.generated.voters_record import VotersRecord
from riverlog.raft.snapshots import DECOMPRESSED_BYTES_MAX, SnapshotId, list_snapshots
from riverlog.raft.types import METADATA_TOPIC, CommittedBatch
from riverlog.raft.voter_set import VoterSet
from riverlog.records import BatchBuilder, BatchHeader, CorruptBatch, Record, decode_records, iter_headers
from riverlog.records.control import ControlMessage, control_batch, control_record, decode_control
from riverlog.storage import AppendError, Log
from riverlog.storage.checkpoints import CheckpointWriter, format_offsets, write_aside
from riverlog.storage.commit import GroupCommit
from riverlog.storage.errors import LogError
from riverlog.storage.names import LEADER_EPOCH_CHECKPOINT, RECOVERY_POINT_CHECKPOINT

RECOVERY_CHECKPOINT_SECONDS = 1.0
READ_BYTES = 1 << 20
SNAPSHOTS_KEPT = 2
"""The newest, and one to fall back on with the log that follows it."""


class VotersAt(NamedTuple):
    """Who votes from an offset on; -1: since the quorum was formed, no record of the log says so."""

    offset: int
    voters: VoterSet
    kraft_version: int


class FetchCheck(NamedTuple):
    """What a leader finds about a follower's end of the log; valid if both are None."""

    diverging: tuple[int, int] | None = None
    """(epoch, end offset) to which the follower should cut its log."""
    snapshot: SnapshotId | None = None
    """What it needs first, because the log does not reach down to it."""


class QuorumLog:
    """The log and what is known about it. ``on_durable`` after every sync that counts."""

    def __init__(
        self,
        disk: Disk,
        clock: Clock,
        log: Log,
        *,
        snapshot_id: SnapshotId | None,
        voters: VoterSet,
        kraft_version: int,
        fsync_timeout_seconds: float,
        on_durable: Callable[[], None],
        on_failure: Callable[[StorageError], None],
    ) -> None:
        self.log = log
        self.snapshot_id = snapshot_id
        """The newest that is durable."""
        self.failed: StorageError | None = None
        self.last_timestamp = 0
        self.bytes_since_snapshot = 0
        self.appended: deque[CommittedBatch] = deque()
        """What we appended as the leader and the listener has not got yet: no need to read it back."""
        self._disk = disk
        self._clock = clock
        self._on_durable = on_durable
        self._on_failure = on_failure
        self._commit = GroupCommit(
            disk,
            clock,
            on_durable=self._durable,
            on_failure=lambda _, error: self.fail(error),
            timeout_seconds=fsync_timeout_seconds,
        )
        self._recovery_point = CheckpointWriter(
            disk, f"{log.folder}/{RECOVERY_POINT_CHECKPOINT}", self._encode_recovery_point
        )
        self._epochs_file = CheckpointWriter(
            disk, f"{log.folder}/{LEADER_EPOCH_CHECKPOINT}", log.epochs.encode
        )
        self._recovery_point_timer: Timer | None = None
        log.on_failure = lambda _, error: self.fail(error)
        log.on_truncate = lambda _, __: self._recovery_point.write_now()
        since = snapshot_id.end_offset - 1 if snapshot_id is not None else -1
        self._voters = [VotersAt(since, voters, kraft_version)]
        start = max(snapshot_id.end_offset if snapshot_id is not None else 0, log.log_start_offset)
        for header, records in self.read(start, log.log_end_offset, control_only=True):
            self._note(header, records)

    def attach(self) -> None:
        """From here on appends become durable by themselves."""
        self._commit.attach(self.log)

    # -- what it holds -------------------------------------------------------------------

    @property
    def end_offset(self) -> int:
        return self.log.log_end_offset

    @property
    def durable_end(self) -> int:
        return self.log.durable_end

    @property
    def is_durable(self) -> bool:
        return self.log.durable_end >= self.log.log_end_offset

    @property
    def last_epoch(self) -> int:
        """Epoch of the last record; of the snapshot where the log is empty after it."""
        log = self.log
        if log.log_end_offset > log.log_start_offset:
            return max(log.epochs.latest_epoch, 0)
        return self.snapshot_id.epoch if self.snapshot_id is not None else 0

    @property
    def voters_at(self) -> VotersAt:
        """The latest, committed or not: a change counts from its append on (KIP-853)."""
        return self._voters[-1]

    def voters_below(self, offset: int) -> VotersAt:
        """As of everything below ``offset``."""
        found = self._voters[0]
        for entry in self._voters:
            if entry.offset < offset:
                found = entry
        return found

    def voters_since(self, offset: int) -> list[VoterSet]:
        """As of everything below ``offset``, and every change after it."""
        first = self.voters_below(offset)
        return [entry.voters for entry in self._voters if entry.offset >= first.offset]

    def epoch_before(self, offset: int) -> int:
        """The epoch of the record just before ``offset``."""
        log = self.log
        if offset - 1 >= log.log_start_offset:
            return max(log.epochs.epoch_for_offset(offset - 1), 0)
        known = self.snapshot_id
        return known.epoch if known is not None and known.end_offset == offset else 0

    def check_fetch(self, offset: int, epoch: int) -> FetchCheck:
        """Whether a follower that ends at ``offset`` with a record of ``epoch`` has a prefix of this log."""
        log = self.log
        start = log.log_start_offset
        if start > 0 and offset <= start:
            if offset == start and self._has_snapshot(SnapshotId(offset, epoch)):
                return FetchCheck()
            return FetchCheck(snapshot=self.snapshot_id)
        if offset == 0:
            return FetchCheck()
        found_epoch, found_end = log.end_offset_for_epoch(epoch)
        if found_epoch < 0:
            return FetchCheck(diverging=(self.last_epoch, log.log_end_offset))
        if found_epoch != epoch or found_end < offset:
            return FetchCheck(diverging=(found_epoch, found_end))
        return FetchCheck()

    def _has_snapshot(self, snapshot_id: SnapshotId) -> bool:
        return snapshot_id == self.snapshot_id or self._disk.exists(
            f"{self.log.folder}/{snapshot_id.file_name}"
        )

    def read_bytes(self, offset: int, max_bytes: int) -> bytes:
        """Whole batches from ``offset`` on. Read now: a slice of the file could change under a reply."""
        try:
            found = self.log.read(offset, max_bytes=max_bytes, end_offset=self.log.log_end_offset)
            return found.read() if found is not None else b""
        except StorageError as error:
            self.fail(error)
        except LogError as error:
            self.fail(StorageError(self.log.folder, str(error)))
        return b""

    def read(
        self, offset: int, end_offset: int, *, control_only: bool = False
    ) -> Iterator[tuple[BatchHeader, list[Record]]]:
        """Every batch with its records; with ``control_only`` only those of control batches are decoded."""
        while offset < end_offset and self.failed is None:
            data = self.read_bytes(offset, READ_BYTES)
            if not data:
                return
            for position, header in iter_headers(data):
                if header.base_offset >= end_offset:
                    return
                if header.last_offset < offset:
                    continue
                records: list[Record] = []
                if header.is_control or not control_only:
                    try:
                        records = decode_records(data, position, header, max_bytes=DECOMPRESSED_BYTES_MAX)
                    except CorruptBatch as error:
                        self.fail(StorageError(self.log.folder, f"offset {header.base_offset}: {error}"))
                        return
                offset = header.next_offset
                yield header, records

    # -- appending -----------------------------------------------------------------------

    def append_values(self, values: Sequence[bytes], epoch: int) -> None:
        """All of them or none, in one batch."""
        now_ms = self._clock.now_ms()
        offset = self.end_offset
        builder = BatchBuilder(base_offset=offset, leader_epoch=epoch)
        for value in values:
            builder.append(timestamp=now_ms, value=value)
        if self._append(builder.build()):
            self.appended.append(CommittedBatch(offset, epoch, now_ms, list(values)))

    def append_control(self, messages: Sequence[ControlMessage], epoch: int) -> None:
        now_ms = self._clock.now_ms()
        records = [control_record(message) for message in messages]
        batch = control_batch(records, base_offset=self.end_offset, leader_epoch=epoch, timestamp=now_ms)
        self._append(batch)

    def append_fetched(self, data: bytes) -> bool:
        """Batches from the leader; a bad one ends what is taken. False if nothing fits our end."""
        before = self.end_offset
        first = next(iter_headers(data), None)
        if first is None or first[1].base_offset != before:
            return False
        return self._append(data, fetched=True) and self.end_offset > before

    def _append(self, data: bytes, *, fetched: bool = False) -> bool:
        if self.failed is not None:
            return False
        before = self.end_offset
        refused: AppendError | None = None
        try:
            self.log.append_as_follower(data, now_ms=self._clock.now_ms())
        except AppendError as error:
            refused = error
        if self.log.offline is not None or (refused is not None and not fetched):
            # Offsets and CRC are ours, so only the disk can be at fault; it may have been told already.
            self.fail(self.log.offline or StorageError(self.log.folder, str(refused)))
            return False
        for position, header in iter_headers(data):
            if header.base_offset < before or header.next_offset > self.end_offset:
                continue
            records: list[Record] = []
            if header.is_control:
                try:
                    records = decode_records(data, position, header, max_bytes=DECOMPRESSED_BYTES_MAX)
                except CorruptBatch as error:
                    self.fail(StorageError(self.log.folder, f"offset {header.base_offset}: {error}"))
                    return False
            self._note(header, records)
        return True

    def _note(self, header: BatchHeader, records: Sequence[Record]) -> None:
        self.last_timestamp = header.max_timestamp
        self.bytes_since_snapshot += header.size
        for record in records:
            try:
                message = decode_control(record.key, record.value)
            except CorruptBatch as error:
                self.fail(StorageError(self.log.folder, f"offset {record.offset}: {error}"))
                return
            _, voters, kraft_version = self._voters[-1]
            if isinstance(message, KRaftVersionRecord):
                self._voters.append(VotersAt(record.offset, voters, message.kraft_version))
            elif isinstance(message, VotersRecord):
                self._voters.append(VotersAt(record.offset, VoterSet.from_record(message), kraft_version))

    def truncate_to(self, offset: int) -> None:
        """Drop what the leader does not have. Waits for the disk."""
        try:
            self.log.truncate_to(offset, now_ms=self._clock.now_ms())
        except (AppendError, StorageError) as error:
            self.fail(self._as_storage_error(error))
            return
        end = self.end_offset
        while len(self._voters) > 1 and self._voters[-1].offset >= end:
            self._voters.pop()
        self.appended.clear()

    def start_over(
        self, snapshot_id: SnapshotId, voters: VoterSet, kraft_version: int, timestamp: int
    ) -> None:
        """The log goes on from a snapshot that came from the leader. Waits for the disk."""
        try:
            self.log.truncate_fully(snapshot_id.end_offset, now_ms=self._clock.now_ms())
        except (AppendError, StorageError) as error:
            self.fail(self._as_storage_error(error))
            return
        self.snapshot_id = snapshot_id
        self._voters = [VotersAt(snapshot_id.end_offset - 1, voters, kraft_version)]
        self.last_timestamp = timestamp
        self.bytes_since_snapshot = 0
        self.appended.clear()
        self.log.high_watermark = snapshot_id.end_offset

    # -- durability ----------------------------------------------------------------------

    def sync_now(self) -> None:
        """Make durable what stands in the log, waiting for the disk: how a sole voter begins an epoch."""
        if self.failed is not None:
            return
        log = self.log
        try:
            changes = log.epochs.changes
            write_aside(self._disk, f"{log.folder}/{LEADER_EPOCH_CHECKPOINT}", log.epochs.encode())
            batch = log.begin_sync()
            self._disk.sync(batch.files)
            for folder in (*batch.folders, log.folder):
                self._disk.sync_folder(folder)
            log.finish_sync(batch)
            log.epochs_persisted(changes)
            self._recovery_point.write_now()
        except StorageError as error:
            self.fail(error)

    def _durable(self, log: Log) -> None:
        if self._recovery_point_timer is None:
            self._recovery_point_timer = self._clock.call_later(
                RECOVERY_CHECKPOINT_SECONDS, self._checkpoint_recovery_point
            )
        self._on_durable()

    def _checkpoint_recovery_point(self) -> None:
        """The epoch file first: the recovery point never passes what it knows (RULES: durable end 6)."""
        self._recovery_point_timer = None
        if self.failed is not None:
            return
        epochs = self.log.epochs
        if not epochs.is_dirty:
            self._recovery_point.request(self._checkpointed)
            return
        changes = epochs.changes

        def written(error: StorageError | None) -> None:
            if error is not None:
                self.fail(error)
            elif self.failed is None:
                self.log.epochs_persisted(changes)
                self._recovery_point.request(self._checkpointed)

        self._epochs_file.request(written)

    def _checkpointed(self, error: StorageError | None) -> None:
        if error is not None:
            self.fail(error)

    def _encode_recovery_point(self) -> bytes:
        return format_offsets({(METADATA_TOPIC, 0): self.log.recovery_point})

    def has_failed(self) -> bool:
        return self.failed is not None

    def fail(self, error: StorageError) -> None:
        """Without its log a node takes no part in the quorum any more."""
        if self.failed is None:
            self.failed = error
            self.log.fail(error)
            self._commit.stop()
            self._on_failure(error)

    def _as_storage_error(self, error: AppendError | StorageError) -> StorageError:
        return error if isinstance(error, StorageError) else StorageError(self.log.folder, str(error))

    # -- the front -----------------------------------------------------------------------

    def roll(self) -> None:
        """A new segment, so that what a snapshot covers can go as whole files."""
        try:
            self.log.roll(self._clock.now_ms())
        except (AppendError, StorageError) as error:
            self.fail(self._as_storage_error(error))

    def drop_covered(self) -> None:
        """Older snapshots than the last few go, and the segments that lie wholly below those kept."""
        try:
            snapshots = list_snapshots(self._disk, self.log.folder)
            kept = snapshots[-SNAPSHOTS_KEPT:]
            gone = [f"{self.log.folder}/{old.file_name}" for old in snapshots[:-SNAPSHOTS_KEPT]]
            if gone:
                self._disk.submit_remove(gone, lambda _: None)  # a leftover is listed again next time
            segments = self.log.segments
            count = 0
            while count + 1 < len(segments) and segments[count + 1].base_offset <= kept[0].end_offset:
                count += 1
            self.log.delete_first_segments(count, self._clock.now_ms())
        except (AppendError, StorageError) as error:
            self.fail(self._as_storage_error(error))
            return
        below = self.voters_below(self.log.log_start_offset)
        self._voters = [below, *(entry for entry in self._voters if entry.offset > below.offset)]

    # -- closing -------------------------------------------------------------------------

    def close(self, durable: Callable[[], None] | None = None) -> None:
        """Make everything durable, waiting for the disk, and let go of the files; ``durable`` between."""
        self._commit.stop()
        if self._recovery_point_timer is not None:
            self._recovery_point_timer.cancel()
            self._recovery_point_timer = None
        if self.failed is not None:
            self.log.close()
            return
        try:
            files, folders = self.log.prepare_close()
            self._disk.sync(files)
            for folder in folders:
                self._disk.sync_folder(folder)
            if durable is not None:
                durable()
            self.log.closed()
            self._recovery_point.write_now()
        except StorageError as error:
            self.fail(error)
