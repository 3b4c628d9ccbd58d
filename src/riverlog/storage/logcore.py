"""The state of one partition's log: segments, offsets, and what of them is durable.

Offsets, in order: ``log_start_offset`` ≤ ``durable_end`` ≤ ``log_end_offset``. Everything
below ``recovery_point`` is on disk, names and epochs included, so recovery starts there.
``begin_sync`` and ``finish_sync`` are the two halves of a group commit (``commit.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Self, cast

from riverlog.base.errors import ErrorCode
from riverlog.env import Disk, File, StorageError
from riverlog.records import CorruptBatch
from riverlog.storage.checkpoints import write_aside
from riverlog.storage.config import LogConfig
from riverlog.storage.epochs import LeaderEpochs
from riverlog.storage.errors import AppendError, LogError
from riverlog.storage.files import read_partition_metadata
from riverlog.storage.names import (
    DELETED_SUFFIX,
    LEADER_EPOCH_CHECKPOINT,
    PARTITION_METADATA,
    SUSPECT_MARKER,
    TopicPartition,
    log_dir_of,
)
from riverlog.storage.producers import ProducerStates
from riverlog.storage.recovery import Recovered, load_epochs, recover, replay_producers, snapshot_path
from riverlog.storage.refused import RefusedSequences
from riverlog.storage.segment import UNKNOWN, Segment
from riverlog.storage.timeindex import TimeIndex

if TYPE_CHECKING:
    from riverlog.storage.log import Log

NEVER = 1 << 62
base_offset_of = attrgetter("base_offset")


class SyncBatch:
    """What one fsync of a log covers."""

    __slots__ = ("created", "end_offset", "files", "folders", "generation")

    def __init__(
        self,
        files: list[File],
        folders: list[str],
        end_offset: int,
        generation: int,
        created: File | None = None,
    ) -> None:
        self.files = files
        self.folders = folders
        self.end_offset = end_offset
        self.generation = generation
        self.created = created
        """``partition.metadata`` of a log whose creation is not durable before this."""


def _ignore_log(log: Log) -> None:
    """Nobody syncs this log by itself."""


class LogCore:
    """Everything but appending and reading."""

    __slots__ = (
        "_commit_every",
        "_created",
        "_disk",
        "_epochs",
        "_last_epoch",
        "_producers",
        "_recent_bases",
        "_recent_positions",
        "_refusal",
        "_snapshots",
        "_topic_id",
        "_touched",
        "_unsynced_files",
        "_unsynced_folders",
        "active",
        "config",
        "dirty",
        "durable_end",
        "folder",
        "generation",
        "high_watermark",
        "log_dir",
        "log_end_offset",
        "log_start_offset",
        "needs_acceptance",
        "offline",
        "on_dirty",
        "on_discard",
        "on_failure",
        "on_truncate",
        "recovered",
        "recovery_point",
        "refused",
        "segments",
        "suspect",
        "topic_partition",
    )

    def __init__(
        self, disk: Disk, folder: str, topic_partition: TopicPartition, config: LogConfig, found: Recovered
    ) -> None:
        self._disk = disk
        self.folder = folder
        self.log_dir = log_dir_of(folder)
        self.topic_partition = topic_partition
        self.config = config
        self.segments = found.segments
        self.active = found.segments[-1]
        self.log_start_offset = found.log_start_offset
        self.log_end_offset = found.log_end_offset
        self.recovery_point = found.recovery_point
        self.durable_end = found.recovery_point
        """Set to the log end by ``recovery_synced``, once what recovery read is synced."""
        self.high_watermark = found.log_start_offset
        self.generation = 0
        self.suspect = found.suspect
        """Recovery met corruption that a torn write does not explain."""
        self.needs_acceptance = found.needs_acceptance
        """… below the recovery point: a sole replica takes no writes until the operator says so."""
        self.recovered = found
        self.offline: StorageError | None = None
        self.dirty = False
        self._epochs = found.epochs
        self._last_epoch = UNKNOWN
        self._producers = found.producers
        self.refused: RefusedSequences | None = None
        """Made when the first batch is refused."""
        self._snapshots = found.snapshots
        self._topic_id: bytes | None = None
        self._recent_bases: list[int] = []
        self._recent_positions: list[int] = []
        self._created = self._not_yet_durable(found)
        """``partition.metadata`` while the creation of this log is not durable."""
        self._unsynced_files: list[File] = []
        self._unsynced_folders: list[str] = []
        self._touched = not found.clean
        """Whether something changed since the last clean stop."""
        self._refusal: tuple[ErrorCode, str] | None = None
        self._commit_every = NEVER
        self.on_dirty: Callable[[Log], None] = _ignore_log
        self.on_failure: Callable[[Log, StorageError], None] | None = None
        self.on_discard: Callable[[Sequence[str], int], None] | None = None
        self.on_truncate: Callable[[Log, int], None] | None = None
        self.set_config(config)
        if self.needs_acceptance:
            self._refusal = (ErrorCode.KAFKA_STORAGE_ERROR, "data below the recovery point is corrupt")

    @classmethod
    def open(
        cls,
        disk: Disk,
        folder: str,
        topic_partition: TopicPartition,
        config: LogConfig,
        *,
        recovery_point: int = 0,
        log_start_offset: int = 0,
        clean_shutdown: bool = False,
        now_ms: int,
        sync: bool = True,
    ) -> Self:
        """Open the folder (made if missing), recovering what is past ``recovery_point``.

        With ``sync=False`` the caller syncs ``recovered.sync_files`` and ``sync_folders`` itself
        and then calls ``recovery_synced`` (RULES: durable end 5).
        """
        found = recover(
            disk,
            folder,
            config,
            recovery_point=recovery_point,
            log_start_offset=log_start_offset,
            clean_shutdown=clean_shutdown,
            now_ms=now_ms,
        )
        log = cls(disk, folder, topic_partition, config, found)
        if sync:
            if found.sync_files:
                disk.sync(found.sync_files)
            for path in found.sync_folders:
                disk.sync_folder(path)
            log.recovery_synced()
        return log

    def recovery_synced(self) -> None:
        """Everything recovery read is on disk now: only this makes the tail count as durable."""
        found = self.recovered
        found.sync_files = []
        found.sync_folders = []
        self.durable_end = self.log_end_offset
        self._move_recovery_point()

    def _not_yet_durable(self, found: Recovered) -> File | None:
        """A clean stop leaves an empty log as it is: its creation is due with its first sync."""
        path = f"{self.folder}/{PARTITION_METADATA}"
        if not found.clean or found.log_end_offset or self.active.on_disk or not self._disk.exists(path):
            return None
        return self._disk.open(path)

    # -- what it is ----------------------------------------------------------------------

    @property
    def topic(self) -> str:
        return self.topic_partition[0]

    @property
    def partition(self) -> int:
        return self.topic_partition[1]

    @property
    def size_bytes(self) -> int:
        return sum(segment.size for segment in self.segments)

    @property
    def topic_id(self) -> bytes | None:
        """From ``partition.metadata``; None if the folder has none."""
        if self._topic_id is None:
            self._topic_id = read_partition_metadata(self._disk, self.folder)
        return self._topic_id

    @topic_id.setter
    def topic_id(self, value: bytes | None) -> None:
        self._topic_id = value

    @property
    def epochs(self) -> LeaderEpochs:
        """Read when first needed: a clean start opens thousands of logs and uses few."""
        if self._epochs is None:
            self._epochs = load_epochs(self._disk, self.folder)
            self._epochs.truncate_from_end(self.log_end_offset)
            self._epochs.truncate_from_start(self.log_start_offset)
        return self._epochs

    @property
    def producers(self) -> ProducerStates:
        """Read when first needed, like ``epochs``."""
        if self._producers is None:
            # Any batch of a producer since would have loaded this: the snapshot of the start still stands.
            producers = ProducerStates(self._disk, self.folder, self._snapshots, self.log_start_offset)
            producers.load(0, self.log_end_offset, 0, NEVER)
            if producers.map_end_offset < self.recovered.log_end_offset:
                start = producers.map_end_offset if producers.snapshots else self.log_start_offset
                replay_producers(self.segments, producers, start, self.log_end_offset)
            self._producers = producers
        return self._producers

    @property
    def loaded_producers(self) -> ProducerStates | None:
        """For periodic work: None while nobody needed them."""
        return self._producers

    @property
    def loaded_epochs(self) -> LeaderEpochs | None:
        return self._epochs

    @property
    def last_stable_offset(self) -> int:
        """Where ``read_committed`` stops, watermark aside: before the first undecided transaction.

        Raises ``LogError`` if the producers are read now, for the first time, and cannot be.
        """
        try:
            unstable = self.producers.first_unstable_offset(self.high_watermark)
        except CorruptBatch as error:
            raise LogError(ErrorCode.CORRUPT_MESSAGE, f"{self.folder}: {error}") from error
        except StorageError as error:
            raise self._fail(error) from error
        return self.log_end_offset if unstable is None else max(unstable, self.log_start_offset)

    @property
    def is_settled(self) -> bool:
        """Nothing moves without a new append: no sync to come, no epoch to write, no watermark behind."""
        epochs = self._epochs
        return (
            self.high_watermark == self.log_end_offset
            and (epochs is None or not epochs.is_dirty)
            and (self.recovery_point == self.log_end_offset or not self.config.ack_after_fsync)
        )

    @property
    def refuses_writes(self) -> bool:
        return self._refusal is not None

    def set_config(self, config: LogConfig) -> None:
        before, self.config = self.config, config
        self._commit_every = NEVER if config.ack_after_fsync else config.flush_messages
        self.active.roll_after = UNKNOWN
        self.active.entries_max = config.segment_index_bytes // TimeIndex.ENTRY_SIZE - 1
        if before is not config and self.durable_end < self.log_end_offset and self.offline is None:
            # Appends to a dirty log say nothing: one that no sync was due for may have to be synced now.
            self.dirty = True
            self.on_dirty(cast("Log", self))

    def note_created(self, metadata: File) -> None:
        """The folder and its ``partition.metadata`` are new: the first sync takes them along."""
        self._created = metadata
        self._touch_folder()

    def accept_loss(self) -> None:
        """The operator takes the log as it is; writes are possible again, over restarts too."""
        if self.on_truncate is not None:
            # The recovery point on disk is above our end: the next start would find the same loss again.
            self.on_truncate(cast("Log", self), self.log_end_offset)
        path = f"{self.folder}/{SUSPECT_MARKER}"
        if self._disk.exists(path):
            self._disk.remove(path)
            self._disk.sync_folder(self.folder)
        self.suspect = self.needs_acceptance = False
        if self.offline is None:
            self._refusal = None

    # -- rolling -------------------------------------------------------------------------

    def roll(self, now_ms: int, base_offset: int | None = None) -> None:
        """Close the active segment and start the next one, at the log end unless told."""
        old = self.active
        start = self.log_end_offset if base_offset is None else base_offset
        if old.size == 0 and old.base_offset == start:
            return
        try:
            if old.size:
                old.seal()
                if self.config.preallocate:
                    old.file.truncate(old.size)  # gives back what was reserved past the end
                self._unsynced_files += old.files()
                self._take_snapshot()
            else:
                self.segments.pop()  # an empty segment in the middle helps nobody
                self._discard_segment(old)
            self._start_segment(start, now_ms)
        except StorageError as error:
            raise self._fail(error) from error

    def _start_segment(self, base_offset: int, now_ms: int) -> None:
        segment = Segment(self._disk, self.folder, base_offset, names=(), now_ms=now_ms)
        self.segments.append(segment)
        self.active = segment
        segment.entries_max = self.config.segment_index_bytes // TimeIndex.ENTRY_SIZE - 1
        self._make_active_file()  # at once: an empty last segment remembers the log end
        self.forget_recent()
        self.dirty = True
        self.on_dirty(cast("Log", self))

    def _make_active_file(self) -> None:
        file = self.active.file
        if self.config.preallocate:
            file.preallocate(self.config.segment_bytes)
        self._touch_folder()

    def _roll_ms(self, segment: Segment) -> int:
        """``segment.ms`` less a jitter that is fixed per segment, so that logs do not all roll at once."""
        config = self.config
        roll_ms = config.segment_ms
        if config.is_compacted:  # what is never rolled is never compacted
            roll_ms = min(roll_ms, config.max_compaction_lag_ms)
        jitter = min(config.segment_jitter_ms, roll_ms)
        if jitter <= 0:
            return roll_ms
        return roll_ms - (segment.base_offset * 31 + self.partition * 7919) % jitter

    def _indexes_full(self, segment: Segment) -> bool:
        limit = self.config.segment_index_bytes
        return segment.index.entries >= limit // 8 or segment.time_index.entries >= limit // 12 - 1

    def _take_snapshot(self) -> None:
        producers = self.producers
        producers.map_end_offset = self.log_end_offset
        file = producers.take_snapshot()
        if file is not None:
            self._unsynced_files.append(file)

    def forget_recent(self) -> None:
        """The next reads of the tail go through the index; also done for logs that fell idle."""
        self._recent_bases.clear()
        self._recent_positions.clear()

    # -- durability ----------------------------------------------------------------------

    @property
    def has_unsynced_files(self) -> bool:
        """Whether files other than the active segment wait for a sync: a rolled segment, a new folder."""
        return bool(self._unsynced_files) or self._created is not None

    def begin_sync(self) -> SyncBatch:
        """Everything written and not yet synced (RULES: durable end 3)."""
        files = self._unsynced_files
        folders = self._unsynced_folders
        self._unsynced_files = []
        self._unsynced_folders = []
        created = self._created
        if created is not None:  # in every sync until one comes back: a truncation must not lose it
            files.append(created)
            folders = list(dict.fromkeys([*folders, self.folder, self.log_dir]))
        if self.active.on_disk:
            files.append(self.active.file)
        self.dirty = False
        return SyncBatch(files, folders, self.log_end_offset, self.generation, created)

    def finish_sync(self, batch: SyncBatch) -> bool:
        """The fsync came back well. False if a truncation made it void."""
        if batch.created is self._created:
            self._created = None
        if batch.generation != self.generation:
            return False
        self.durable_end = max(self.durable_end, batch.end_offset)
        self._move_recovery_point()
        return True

    def abandon_sync(self, batch: SyncBatch) -> None:
        """Nobody waits for this fsync any more: what it covers is due again."""
        if batch.generation == self.generation:
            files = [file for file in batch.files if not file.path.endswith(DELETED_SUFFIX)]
            self._unsynced_files = list(dict.fromkeys(files + self._unsynced_files))
            self._unsynced_folders = list(dict.fromkeys(batch.folders + self._unsynced_folders))
            self.dirty = True

    def _move_recovery_point(self) -> None:
        """Up to the durable end, but not past an epoch that only memory knows."""
        epochs = self._epochs
        end = self.durable_end
        self.recovery_point = end if epochs is None else min(end, epochs.durable_before)

    def epochs_persisted(self, changes: int) -> None:
        """The leader-epoch file of that many changes is on disk."""
        self.epochs.persisted(changes)
        self._move_recovery_point()

    def fail(self, error: StorageError) -> None:
        """The folder is offline: nothing is read or written any more."""
        if self.offline is None:
            self.offline = error
            self._refusal = (ErrorCode.KAFKA_STORAGE_ERROR, str(error))

    def _fail(self, error: StorageError) -> AppendError:
        self.fail(error)
        if self.on_failure is not None:
            self.on_failure(cast("Log", self), error)
        return AppendError(ErrorCode.KAFKA_STORAGE_ERROR, str(error))

    def _touch_folder(self, *folders: str) -> None:
        """Names changed here: the next sync takes the folder along."""
        for folder in (self.folder, *folders):
            if folder not in self._unsynced_folders:
                self._unsynced_folders.append(folder)
        self._touched = True

    def _discard(self, paths: Sequence[str]) -> None:
        """Remove renamed files, ``file.delete.delay.ms`` from now where someone keeps time."""
        if not paths:
            return
        if self.on_discard is not None:
            self.on_discard(paths, self.config.file_delete_delay_ms)
        else:
            self._disk.submit_remove(paths, _ignore_result)

    def _discard_segment(self, segment: Segment) -> None:
        """Rename its files now, remove them later. A sync to come does not look for them."""
        gone = {*segment.paths(), snapshot_path(self.folder, segment.base_offset)}
        self._unsynced_files = [file for file in self._unsynced_files if file.path not in gone]
        self._discard(segment.add_suffix(DELETED_SUFFIX) + self._discard_snapshot(segment.base_offset))

    def _discard_snapshot(self, offset: int) -> list[str]:
        """A snapshot goes with its segment, unless it is the one at the log end."""
        snapshots = self._snapshots if self._producers is None else self._producers.snapshots
        if offset not in snapshots or offset == self.log_end_offset:
            return []
        snapshots.remove(offset)
        path = snapshot_path(self.folder, offset)
        self._disk.rename(path, path + DELETED_SUFFIX)
        return [path + DELETED_SUFFIX]

    # -- closing -------------------------------------------------------------------------

    def prepare_close(self) -> tuple[list[File], list[str]]:
        """Write all that a clean start relies on; answers the files and folders to sync first."""
        if not self._touched or self.offline is not None:
            return [], []
        if self.log_end_offset == 0 and not self.active.on_disk:
            return [], []  # nothing in it: if the folder is lost with the power, it is made again
        self.active.seal()
        self._take_snapshot()
        self.producers.remove_strays({segment.base_offset for segment in self.segments})
        if self.epochs.is_dirty:
            write_aside(self._disk, f"{self.folder}/{LEADER_EPOCH_CHECKPOINT}", self.epochs.encode())
            self.epochs.persisted(self.epochs.changes)
        batch = self.begin_sync()
        files = batch.files + [file for file in self.active.files() if file not in batch.files]
        return files, [*batch.folders, self.folder]

    def closed(self) -> None:
        """What ``prepare_close`` named is synced: the log is whole on disk."""
        if self.offline is None:
            self.durable_end = self.log_end_offset
            self._move_recovery_point()
        self.close()

    def close(self) -> None:
        """Let go of the files, writing nothing."""
        for segment in self.segments:
            segment.close()
        if self._refusal is None:
            self._refusal = (ErrorCode.KAFKA_STORAGE_ERROR, f"{self.folder} is closed")


def _ignore_result(error: StorageError | None) -> None:
    """A file that stays behind is swept up at the next start."""
