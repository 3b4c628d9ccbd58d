"""Kafka's text checkpoint files: a version, a count, one line per entry.

They are written aside, synced, renamed and the folder synced, so a reader after a crash
sees the old or the new file, never a mix. At start-up and shutdown that is one call; in
between ``CheckpointWriter`` does it in the background, one write at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from riverlog.env import Disk, File, StorageError
from riverlog.env.disk import SyncDone
from riverlog.storage.names import TEMPORARY_SUFFIX, TopicPartition, log_dir_of

CURRENT_VERSION = 0


class CheckpointError(Exception):
    """The file is not a checkpoint as Kafka writes it."""


def format_checkpoint(lines: Sequence[str]) -> bytes:
    return "\n".join([str(CURRENT_VERSION), str(len(lines)), *lines, ""]).encode()


def parse_checkpoint(data: bytes) -> list[list[str]]:
    """The fields of each line. Raises ``CheckpointError``."""
    try:
        lines = data.decode().splitlines()
        version, count = int(lines[0]), int(lines[1])
    except (UnicodeDecodeError, ValueError, IndexError):
        raise CheckpointError("no version and count") from None
    if version != CURRENT_VERSION:
        raise CheckpointError(f"unknown version {version}")
    found = [line.split() for line in lines[2:] if line]
    if len(found) != count:
        raise CheckpointError(f"{count} entries announced, {len(found)} found")
    return found


def offset_line(topic_partition: TopicPartition, offset: int) -> str:
    return f"{topic_partition[0]} {topic_partition[1]} {offset}"


def format_offsets(offsets: Mapping[TopicPartition, int]) -> bytes:
    return format_checkpoint([offset_line(key, offset) for key, offset in offsets.items()])


def parse_offsets(data: bytes) -> dict[TopicPartition, int]:
    """Raises ``CheckpointError``."""
    offsets: dict[TopicPartition, int] = {}
    for fields in parse_checkpoint(data):
        try:
            topic, partition, offset = fields
            offsets[topic, int(partition)] = int(offset)
        except ValueError:
            raise CheckpointError(f"malformed line {' '.join(fields)!r}") from None
    return offsets


def read_offsets(disk: Disk, path: str) -> dict[TopicPartition, int]:
    """An absent file holds nothing. Raises ``CheckpointError``."""
    return parse_offsets(disk.read_file(path)) if disk.exists(path) else {}


def write_aside(disk: Disk, path: str, data: bytes) -> None:
    """Replace ``path`` durably; waits for the disk. Start-up, shutdown and rare events only."""
    temporary = put_aside(disk, path, data)
    disk.sync([temporary])
    temporary.rename(path)
    temporary.close()
    disk.sync_folder(log_dir_of(path))


def put_aside(disk: Disk, path: str, data: bytes) -> File:
    """The first step alone: the new content under another name, to be synced and renamed to ``path``."""
    temporary = disk.open(path + TEMPORARY_SUFFIX, create=True)
    temporary.truncate(0)
    temporary.append(data)
    return temporary


class CheckpointWriter:
    """Replaces one file in the background: write aside, sync, rename, sync the folder.

    One write at a time. What is asked for meanwhile is covered by the next write, which takes
    the content of that moment; its askers are told together.
    """

    __slots__ = ("_content", "_disk", "_running", "_waiting", "_writing", "failed", "path")

    def __init__(self, disk: Disk, path: str, content: Callable[[], bytes]) -> None:
        self.path = path
        self.failed: StorageError | None = None
        self._disk = disk
        self._content = content
        self._running = False
        self._waiting: list[SyncDone] = []
        self._writing: list[SyncDone] = []

    @property
    def is_busy(self) -> bool:
        return self._running

    def request(self, done: SyncDone) -> None:
        """Write what ``content`` says now or later; ``done`` when that is on disk, or with the error."""
        if self.failed is not None:
            done(self.failed)  # a failed write is never retried: the folder is offline
            return
        self._waiting.append(done)
        if not self._running:
            self._start()

    def write_now(self) -> None:
        """The same, waiting for the disk. A write in the background may still be under way: it is older,
        and its rename after ours would bring it back, so it is not renamed any more."""
        self._running = False
        write_aside(self._disk, self.path, self._content())
        finished, self._writing = self._writing + self._waiting, []
        self._waiting = []
        _tell(finished, None)

    def _start(self) -> None:
        self._running = True
        self._writing, self._waiting = self._waiting, []
        writing = self._writing
        try:
            temporary = put_aside(self._disk, self.path, self._content())
        except StorageError as error:
            self._finish(error)
            return

        def synced(error: StorageError | None) -> None:
            if writing is not self._writing or not self._running:
                return  # ``write_now`` overtook this write
            if error is not None:
                self._finish(error)
                return
            try:
                temporary.rename(self.path)
                temporary.close()
            except StorageError as failure:
                self._finish(failure)
                return
            self._disk.submit_sync([], [log_dir_of(self.path)], renamed)

        def renamed(error: StorageError | None) -> None:
            if writing is self._writing and self._running:
                self._finish(error)

        self._disk.submit_sync([temporary], [], synced)

    def _finish(self, error: StorageError | None) -> None:
        self._running = False
        finished, self._writing = self._writing, []
        if error is not None:
            self.failed = error
            finished += self._waiting
            self._waiting = []
        _tell(finished, error)
        if self._waiting and not self._running:
            self._start()


def _tell(waiting: Iterable[SyncDone], error: StorageError | None) -> None:
    for done in waiting:
        done(error)
