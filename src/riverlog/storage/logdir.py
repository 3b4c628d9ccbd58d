"""One log directory: its checkpoints, and whether it is online.

Four checkpoint files cover all partitions of the directory. Their lines are kept here, so
that a write touches only the logs that moved; the writes themselves run in the background.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

from riverlog.env import Disk, StorageError
from riverlog.env.disk import SyncDone
from riverlog.storage.checkpoints import (
    CheckpointError,
    CheckpointWriter,
    format_checkpoint,
    offset_line,
    read_offsets,
)
from riverlog.storage.files import take_clean_shutdown
from riverlog.storage.log import Log
from riverlog.storage.names import (
    CLEANER_CHECKPOINT,
    HIGH_WATERMARK_CHECKPOINT,
    LOG_START_CHECKPOINT,
    RECOVERY_POINT_CHECKPOINT,
    TopicPartition,
    log_dir_of,
)

logger = logging.getLogger("riverlog.storage")


class OffsetCheckpoint:
    """One checkpoint file: an offset per partition."""

    __slots__ = ("_disk", "_lines", "_removed", "_writer", "changed", "offsets")

    def __init__(self, disk: Disk, path: str) -> None:
        self.offsets: dict[TopicPartition, int] = {}
        self.changed = False
        """Whether something differs from what was last handed to the disk."""
        self._lines: dict[TopicPartition, str] = {}
        self._removed: dict[TopicPartition, None] = {}
        """Taken out here, perhaps still in the file."""
        self._disk = disk
        self._writer = CheckpointWriter(disk, path, self._content)

    def load(self) -> None:
        """Read the file; one that is none counts as empty, as in Kafka."""
        try:
            found = read_offsets(self._disk, self._writer.path)
        except CheckpointError as error:
            logger.warning("%s: %s; starting without it", self._writer.path, error)
            found = {}
        for key, offset in found.items():
            self.set(key, offset)
        self.changed = False

    @property
    def path(self) -> str:
        return self._writer.path

    @property
    def is_busy(self) -> bool:
        return self._writer.is_busy

    def set(self, key: TopicPartition, offset: int) -> None:
        if self.offsets.get(key) != offset:
            self.offsets[key] = offset
            self._lines[key] = offset_line(key, offset)
            self.changed = True

    def remove(self, key: TopicPartition) -> None:
        if self.offsets.pop(key, None) is not None:
            del self._lines[key]
            self._removed[key] = None
            self.changed = True

    def request(self, done: SyncDone) -> None:
        self._writer.request(done)

    def write_now(self) -> None:
        """Waits for the disk."""
        self._writer.write_now()
        self._removed.clear()

    def ensure_absent(self, key: TopicPartition) -> None:
        """A new log of this name must not inherit the old one's offset, whatever happens next."""
        if key in self.offsets or key in self._removed:
            self.remove(key)
            self.write_now()

    def _content(self) -> bytes:
        self.changed = False
        return format_checkpoint(list(self._lines.values()))


class LogDir:
    """A directory that holds partition folders; a failure takes all of it offline."""

    def __init__(self, disk: Disk, path: str) -> None:
        self.path = path
        self.error: StorageError | None = None
        self.directory_id: str | None = None
        self.clean_shutdown_epoch: int | None = None
        """Broker epoch of the clean stop before this start; None after an unclean one."""
        self.logs: dict[TopicPartition, Log] = {}
        self.rivals: dict[TopicPartition, Log] = {}
        """Folders of a name that another directory has for another topic id: who is right is not known."""
        self.moved: dict[Log, None] = {}
        """Logs whose offsets may have changed since they were last written to the checkpoints."""
        self.recovery_points = OffsetCheckpoint(disk, f"{path}/{RECOVERY_POINT_CHECKPOINT}")
        self.log_starts = OffsetCheckpoint(disk, f"{path}/{LOG_START_CHECKPOINT}")
        self.high_watermarks = OffsetCheckpoint(disk, f"{path}/{HIGH_WATERMARK_CHECKPOINT}")
        self.cleaner_offsets = OffsetCheckpoint(disk, f"{path}/{CLEANER_CHECKPOINT}")
        """First dirty offsets: what lies below them is compacted."""
        self._disk = disk

    def load(self) -> None:
        """Read the checkpoints, and take the mark of a clean stop.

        After a kill the newest checkpoint may have its name in the page cache only. Recovery is about to
        act on it, so it must not give way to an older one when the power goes.
        """
        self._make_folder()
        self._disk.sync_folder(self.path)
        for checkpoint in self.checkpoints:
            checkpoint.load()
        self.clean_shutdown_epoch = take_clean_shutdown(self._disk, self.path)

    def _make_folder(self) -> None:
        """The directory itself, durably: nothing in it is safe before its own name is."""
        missing = []
        path = self.path
        while not self._disk.exists(path):
            missing.append(path)
            path = log_dir_of(path)
        if missing:
            self._disk.make_folder(self.path)
            for made in reversed(missing):
                self._disk.sync_folder(log_dir_of(made))

    @property
    def is_online(self) -> bool:
        return self.error is None

    @property
    def checkpoints(self) -> tuple[OffsetCheckpoint, ...]:
        return self.recovery_points, self.log_starts, self.high_watermarks, self.cleaner_offsets

    def note(self, log: Log) -> None:
        """Take the log's offsets into the checkpoints' lines."""
        key = log.topic_partition
        self.recovery_points.set(key, log.recovery_point)
        self.high_watermarks.set(key, log.high_watermark)
        # Kafka leaves out a start that the first segment tells; but a power cut may bring back
        # segments that were renamed and not synced, and with them records that were deleted.
        if log.log_start_offset > 0:
            self.log_starts.set(key, log.log_start_offset)
        else:
            self.log_starts.remove(key)

    def forget(self, key: TopicPartition) -> None:
        for checkpoint in self.checkpoints:
            checkpoint.remove(key)

    def fail(self, error: StorageError) -> bool:
        """Take it offline; False if it was already."""
        if self.error is not None:
            return False
        self.error = error
        logger.error("log directory %s is offline: %s", self.path, error)
        for log in self.logs.values():
            log.fail(error)
        self.moved.clear()
        return True

    def write_now(self, changed: Iterable[OffsetCheckpoint]) -> None:
        for checkpoint in changed:
            checkpoint.write_now()


OfflineListener = Callable[[LogDir, list[Log], StorageError], None]
