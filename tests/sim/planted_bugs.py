"""Bugs on purpose, as policies: each breaks one rule of ``RULES.md``, and the simulator must notice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.broker.broker import Broker
from riverlog.broker.replicas import Replicas
from riverlog.env.disk import Buffer, File, StorageError, SyncDone
from riverlog.records import BatchHeader
from riverlog.replication import Partition
from riverlog.sim.disk import SimDisk, SimFile
from riverlog.sim.storage import Policies
from riverlog.storage import AppendInfo, Log, VerificationGuard
from riverlog.storage.logcore import SyncBatch
from riverlog.storage.producers import BatchMetadata, ProducerStates


class RecoveryWithoutSync(SimDisk):
    """Durable end 4 and 5: what recovery and truncation read and cut is not synced."""

    def sync(self, files: Sequence[File]) -> None:
        super().sync([file for file in files if not file.path.endswith(".log")])


class FoldersWithoutSync(SimDisk):
    """Durable end 7: new files and renames without a sync of their folder."""

    def sync_folder(self, path: str) -> None:
        pass

    def submit_sync(self, files: Sequence[File], folders: Sequence[str], done: SyncDone) -> None:
        super().submit_sync(files, [], done)


class RollWithoutFolderSync(SimDisk):
    """The same, only where it is easiest to forget: in the group commit."""

    def submit_sync(self, files: Sequence[File], folders: Sequence[str], done: SyncDone) -> None:
        super().submit_sync(files, [] if files else folders, done)


class FailedSyncRetried(SimDisk):
    """Durable end 7: a failed fsync is tried again, and the second answer believed."""

    def submit_sync(self, files: Sequence[File], folders: Sequence[str], done: SyncDone) -> None:
        def retry(error: StorageError | None) -> None:
            if error is None:
                done(None)
            else:
                super(FailedSyncRetried, self).submit_sync(files, folders, done)

        super().submit_sync(files, folders, retry)


class _UnwrittenFile(SimFile):
    __slots__ = ()

    def write_at(self, position: int, data: Buffer) -> None:
        if self.read(position, len(data)) != bytes(data):
            super().write_at(position, data)


class TailNotRewritten(SimDisk):
    """Durable end 7: after a failed fsync the page cache is trusted; the tail is not written again."""

    def open(self, path: str, *, create: bool = False) -> SimFile:
        super().open(path, create=create)
        return _UnwrittenFile(self, path, self.media.file(path))


class AnswerBeforeSync(SimDisk):
    """Acknowledged when the sync is asked for, not when it is done."""

    def submit_sync(self, files: Sequence[File], folders: Sequence[str], done: SyncDone) -> None:
        super().submit_sync(files, folders, lambda error: None)
        done(None)


class ClosedSegmentForgotten(SimDisk):
    """Durable end 3: the sync after a roll covers the new segment only."""

    def submit_sync(self, files: Sequence[File], folders: Sequence[str], done: SyncDone) -> None:
        super().submit_sync(files[-1:], folders, done)


class RenamedBeforeSync(SimDisk):
    """Checkpoints put in place without a sync of their content."""

    def sync(self, files: Sequence[File]) -> None:
        super().sync([file for file in files if not file.path.endswith(".tmp")])

    def submit_sync(self, files: Sequence[File], folders: Sequence[str], done: SyncDone) -> None:
        super().submit_sync([file for file in files if not file.path.endswith(".tmp")], folders, done)


class _LogEndIsDurable(Log):
    __slots__ = ()

    def finish_sync(self, batch: SyncBatch) -> bool:
        batch.end_offset = self.log_end_offset
        return super().finish_sync(batch)


class _OldGenerationCounts(Log):
    __slots__ = ()

    def finish_sync(self, batch: SyncBatch) -> bool:
        batch.generation = self.generation
        return super().finish_sync(batch)


class _NoDuplicateCheck(ProducerStates):
    __slots__ = ()

    def check(self, header: object) -> BatchMetadata | None:
        return None


def _class_of(new: type[Log]) -> Policies:
    def prepare(log: Log) -> None:
        log.__class__ = new

    return Policies(prepare_log=prepare)


def _without_duplicate_check(log: Log) -> None:
    log.producers.__class__ = _NoDuplicateCheck


BUGS: dict[str, tuple[Policies, bool]] = {
    "recovery without sync": (Policies(disk=RecoveryWithoutSync), False),
    "folders without sync": (Policies(disk=FoldersWithoutSync), False),
    "roll without folder sync": (Policies(disk=RollWithoutFolderSync), False),
    "failed sync retried": (Policies(disk=FailedSyncRetried), True),
    "answer before sync": (Policies(disk=AnswerBeforeSync), False),
    "closed segment forgotten": (Policies(disk=ClosedSegmentForgotten), False),
    "renamed before sync": (Policies(disk=RenamedBeforeSync), False),
    "durable end is the log end": (_class_of(_LogEndIsDurable), False),
    "sync of an older generation counts": (_class_of(_OldGenerationCounts), False),
    "no duplicate check": (Policies(prepare_log=_without_duplicate_check), False),
}
"""Name → (the bug, whether it needs disk faults to show)."""


# -- in the broker --------------------------------------------------------------------------


class _AckFromPageCache(Partition):
    """Watermark 4: ``acks=all`` is answered before the record is durable."""

    __slots__ = ()

    def when_committed(self, offset: int, callback: Callable[[ErrorCode], None]) -> bool:
        return False


class _ReadableBeforeDurable(Partition):
    """Watermark 1: the watermark follows the log end though the topic waits for the disk."""

    __slots__ = ()

    def append(
        self,
        buffer: memoryview,
        header: BatchHeader,
        now_ms: int,
        guard: VerificationGuard | None = None,
    ) -> AppendInfo:
        info = super().append(buffer, header, now_ms, guard)
        self.high_watermark = self.log.high_watermark = self.log.log_end_offset
        return info


class _HastyReplicas(Replicas):
    partition_class: type[Partition] = Partition

    def get(self, topic: str | None, index: int) -> Partition | ErrorCode:
        found = super().get(topic, index)
        if isinstance(found, Partition):
            found.__class__ = self.partition_class
        return found


class _AckReplicas(_HastyReplicas):
    partition_class = _AckFromPageCache


class _ReadReplicas(_HastyReplicas):
    partition_class = _ReadableBeforeDurable


class AckFromPageCache(Broker):
    def __init__(self, **parts: Any) -> None:
        super().__init__(**parts)
        self.replicas.__class__ = _AckReplicas


class ReadableBeforeDurable(Broker):
    def __init__(self, **parts: Any) -> None:
        super().__init__(**parts)
        self.replicas.__class__ = _ReadReplicas
