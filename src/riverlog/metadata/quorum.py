"""The metadata log of a one-voter quorum: append, group commit, snapshots.

Committed is what is durable here (RULES: watermark 5, with a majority of one). A leader epoch is new at
every start and begins with a LeaderChange record.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence

from riverlog.env import Clock, Disk, StorageError, Timer
from riverlog.metadata.image import METADATA_TOPIC, ClusterState
from riverlog.metadata.image_records import image_records
from riverlog.metadata.records import MetadataRecord, encode_record
from riverlog.raft.snapshots import SnapshotId, SnapshotWriter, list_snapshots
from riverlog.records import BatchBuilder
from riverlog.records.control import ControlMessage, control_batch, control_record
from riverlog.storage import AppendError, Log
from riverlog.storage.checkpoints import CheckpointWriter, format_offsets, write_aside
from riverlog.storage.commit import GroupCommit
from riverlog.storage.names import LEADER_EPOCH_CHECKPOINT, RECOVERY_POINT_CHECKPOINT

logger = logging.getLogger("riverlog.metadata")

RECOVERY_CHECKPOINT_SECONDS = 1.0
SNAPSHOT_RECORDS_PER_SLICE = 200
"""A slice of a snapshot takes about 3 ms of the loop."""
SNAPSHOTS_KEPT = 2
"""The newest, and one to fall back on with the log that follows it."""


def _nobody(_: object) -> None:
    """Until the node listens."""


class QuorumLog:
    """``__cluster_metadata-0`` as its leader writes it."""

    def __init__(
        self,
        disk: Disk,
        clock: Clock,
        log: Log,
        *,
        epoch: int,
        fsync_timeout_seconds: float,
    ) -> None:
        self.log = log
        self.epoch = epoch
        self.last_timestamp = 0
        self.bytes_since_snapshot = 0
        self.snapshot_id: SnapshotId | None = None
        """The newest that is durable."""
        self.snapshot_bytes = 0
        """Size of the newest snapshot."""
        self.snapshot_count = 0
        self.failed: StorageError | None = None
        self._disk = disk
        self._clock = clock
        self.on_committed: Callable[[int], None] = _nobody
        self.on_failure: Callable[[StorageError], None] = _nobody
        self._snapshot: _SnapshotInProgress | None = None
        self._commit = GroupCommit(
            disk,
            clock,
            on_durable=self._durable,
            on_failure=lambda _, error: self._fail(error),
            timeout_seconds=fsync_timeout_seconds,
        )
        path = f"{log.folder}/{RECOVERY_POINT_CHECKPOINT}"
        self._recovery_point = CheckpointWriter(disk, path, self._encode_recovery_point)
        self._recovery_point_timer: Timer | None = None
        log.on_failure = lambda _, error: self._fail(error)

    # -- appending -----------------------------------------------------------------------

    @property
    def end_offset(self) -> int:
        return self.log.log_end_offset

    def append(self, records: Sequence[MetadataRecord], metadata_version: int) -> None:
        """All of them or none, in one batch."""
        now_ms = self._clock.now_ms()
        builder = BatchBuilder(base_offset=self.end_offset, leader_epoch=self.epoch)
        for record in records:
            builder.append(timestamp=now_ms, value=encode_record(record, metadata_version))
        self._append(builder.build(), now_ms)

    def append_control(self, messages: Sequence[ControlMessage]) -> None:
        now_ms = self._clock.now_ms()
        records = [control_record(message) for message in messages]
        batch = control_batch(records, base_offset=self.end_offset, leader_epoch=self.epoch, timestamp=now_ms)
        self._append(batch, now_ms)

    def _append(self, batch: bytes, now_ms: int) -> None:
        try:
            self.log.append_as_follower(batch)
        except AppendError as error:
            # Offsets and CRC are ours, so only the disk can be at fault; it may have been told already.
            self._fail(StorageError(self.log.folder, str(error)))
            return
        self.last_timestamp = now_ms
        self.bytes_since_snapshot += len(batch)

    def begin_epoch(self) -> None:
        """Make durable what stands in the log, waiting for the disk; later commits run by themselves."""
        log = self.log
        path = f"{log.folder}/{LEADER_EPOCH_CHECKPOINT}"
        changes = log.epochs.changes
        write_aside(self._disk, path, log.epochs.encode())
        batch = log.begin_sync()
        self._disk.sync(batch.files)
        for folder in (*batch.folders, log.folder):
            self._disk.sync_folder(folder)
        log.finish_sync(batch)
        log.epochs_persisted(changes)
        self._recovery_point.write_now()
        self._commit.attach(log)

    # -- committing ----------------------------------------------------------------------

    def _durable(self, log: Log) -> None:
        if self._recovery_point_timer is None:
            self._recovery_point_timer = self._clock.call_later(
                RECOVERY_CHECKPOINT_SECONDS, self._checkpoint_recovery_point
            )
        log.high_watermark = log.durable_end
        self.on_committed(log.durable_end)

    def _checkpoint_recovery_point(self) -> None:
        self._recovery_point_timer = None
        if self.failed is None:
            self._recovery_point.request(self._checkpointed)

    def _checkpointed(self, error: StorageError | None) -> None:
        if error is not None:
            self._fail(error)

    def _encode_recovery_point(self) -> bytes:
        return format_offsets({(METADATA_TOPIC, 0): self.log.recovery_point})

    def _fail(self, error: StorageError) -> None:
        """Without its metadata log a node decides nothing any more."""
        if self.failed is None:
            self.failed = error
            self.log.fail(error)
            self._commit.stop()
            if self._snapshot is not None:
                self._snapshot.cancel()
            self.on_failure(error)

    # -- snapshots -----------------------------------------------------------------------

    @property
    def snapshot_running(self) -> bool:
        return self._snapshot is not None

    def write_snapshot(
        self, image: ClusterState, control: Sequence[ControlMessage], committed_offset: int
    ) -> None:
        """Start a snapshot of ``image``, the state at ``committed_offset``; a copy is taken now.

        The log starts a new segment, so that what the snapshot covers can go as whole files.
        """
        if self._snapshot is not None or self.failed is not None:
            return
        try:
            self.log.roll(self._clock.now_ms())
            snapshot_id = SnapshotId(committed_offset, self.epoch)
            self._snapshot = _SnapshotInProgress(self, snapshot_id, image.copy(), control)
        except (AppendError, StorageError) as error:
            self._fail(
                error if isinstance(error, StorageError) else StorageError(self.log.folder, str(error))
            )
            return
        self.bytes_since_snapshot = 0
        self._snapshot.step()

    def _snapshot_done(self, snapshot_id: SnapshotId, size: int, error: StorageError | None) -> None:
        self._snapshot = None
        if error is not None:
            self._fail(error)
        else:
            self.snapshot_id = snapshot_id
            self.snapshot_bytes = size
            self.snapshot_count += 1
            self._drop_covered()

    def _drop_covered(self) -> None:
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
            self._fail(
                error if isinstance(error, StorageError) else StorageError(self.log.folder, str(error))
            )

    # -- closing -------------------------------------------------------------------------

    def close(self) -> None:
        """Make everything durable, waiting for the disk, and let go of the files."""
        self._commit.stop()
        if self._snapshot is not None:
            self._snapshot.cancel()
            self._snapshot = None
        if self._recovery_point_timer is not None:
            self._recovery_point_timer.cancel()
        if self.failed is not None:
            self.log.close()
            return
        try:
            files, folders = self.log.prepare_close()
            self._disk.sync(files)
            for folder in folders:
                self._disk.sync_folder(folder)
            self.log.closed()
            self._recovery_point.write_now()
        except StorageError as error:
            self._fail(error)
            return
        self.on_committed(self.log.durable_end)


def _storage_error(log: Log, error: AppendError | StorageError) -> StorageError:
    return error if isinstance(error, StorageError) else StorageError(log.folder, str(error))


class _SnapshotInProgress:
    """Writes a snapshot in slices of the loop, then syncs and names it."""

    def __init__(
        self,
        quorum: QuorumLog,
        snapshot_id: SnapshotId,
        image: ClusterState,
        control: Sequence[ControlMessage],
    ) -> None:
        self._quorum = quorum
        self._id = snapshot_id
        self._metadata_version = image.metadata_version
        self._records: Iterator[MetadataRecord] = image_records(image)
        self._timer: Timer | None = None
        self._cancelled = False
        self._writer = SnapshotWriter(
            quorum._disk,
            quorum.log.folder,
            snapshot_id,
            now_ms=quorum._clock.now_ms(),
            last_contained_timestamp=quorum.last_timestamp,
            control=control,
        )

    def step(self) -> None:
        """One slice."""
        self._timer = None
        values = []
        for record in self._records:
            values.append(encode_record(record, self._metadata_version))
            if len(values) >= SNAPSHOT_RECORDS_PER_SLICE:
                break
        try:
            if values:
                self._writer.append(values)
                self._timer = self._quorum._clock.call_later(0.0, self.step)
                return
            self._writer.finish()
            self._quorum._disk.submit_sync([self._writer.file], [], self._synced)
        except StorageError as error:
            self._finish(error)

    def _synced(self, error: StorageError | None) -> None:
        if self._cancelled:
            return
        if error is not None:
            self._finish(error)
            return
        try:
            self._writer.publish()
            self._quorum._disk.submit_sync([], [self._quorum.log.folder], self._named)
        except StorageError as failure:
            self._finish(failure)

    def _named(self, error: StorageError | None) -> None:
        if not self._cancelled:
            self._finish(error)

    def _finish(self, error: StorageError | None) -> None:
        if error is not None:
            self._writer.abandon()
        self._quorum._snapshot_done(self._id, self._writer.file.size, error)

    def cancel(self) -> None:
        self._cancelled = True
        if self._timer is not None:
            self._timer.cancel()
