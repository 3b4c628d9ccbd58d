"""Moving a log to another directory of its broker while it is written and read (KIP-113).

A copy is built aside, in slices of the loop, under Kafka's name for one (``…-future``). When it has caught
up, group commit of the original is held for the one sync that the copy still needs: meanwhile nothing
becomes durable, hence nothing is acknowledged, that the copy may not have. Then the copy takes the
partition's name, durably, before the original's goes. A crash leaves either a copy, which the next start
removes, or two folders of one partition, of which it takes the one with more in it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.base.slices import FileSlice
from riverlog.env import File, StorageError
from riverlog.env.disk import SyncDone
from riverlog.records import CorruptBatch, read_header
from riverlog.storage.errors import LogError
from riverlog.storage.log import Log
from riverlog.storage.names import (
    FUTURE_FOLDER_SUFFIX,
    STRAY_FOLDER_SUFFIX,
    folder_name,
    side_folder_name,
)

if TYPE_CHECKING:
    from riverlog.storage.logdir import LogDir
    from riverlog.storage.manager import LogManager

logger = logging.getLogger("riverlog.storage")

SLICE_BYTES = 256 * 1024
"""Copied in one go: about a millisecond of the loop."""
SYNC_EVERY_BYTES = 32 << 20
LAST_BYTES_MAX = 4 << 20
"""What the last sync may have to cover, during which nothing is acknowledged."""
ROUNDS_MAX = 20
"""Of catching up, after which the last sync comes however much there is."""

Moved = Callable[[Log | None], None]
"""Gets the log in its new place; None if it stays where it is."""


class LogMove:
    """One move: ``start`` it; ``done`` is called once, unless it is cancelled."""

    def __init__(self, manager: LogManager, log: Log, target: LogDir, done: Moved) -> None:
        self.log = log
        self.target = target
        self.copy: Log | None = None
        self._manager = manager
        self._disk = manager._disk
        self._clock = manager._clock
        self._done = done
        self._over = False
        self._held = False
        self._generation = log.generation
        self._unsynced_bytes = 0
        self._rounds = 0
        name = side_folder_name(
            log.topic_partition, manager._rng.random_bytes(16).hex(), FUTURE_FOLDER_SUFFIX
        )
        self._folder = f"{target.path}/{name}"

    @property
    def lag(self) -> int:
        """Records that the copy does not have yet."""
        return self.log.log_end_offset - (self.copy.log_end_offset if self.copy is not None else 0)

    @property
    def was_truncated(self) -> bool:
        """The original lost a tail since: as a follower whose leader does not have it."""
        return self.log.generation != self._generation

    def start(self) -> None:
        try:
            for checkpoint in self.target.checkpoints:
                checkpoint.ensure_absent(self.log.topic_partition)
            self._disk.make_folder(self._folder)
            copy = self.copy = self._open(self._folder)
            topic_id = self.log.topic_id
            if topic_id is not None:
                self._manager._write_topic_id(copy, topic_id)
        except StorageError as error:
            self._target_failed(error)
            return
        self._clock.call_later(0.0, self._step)

    def cancel(self) -> None:
        """Leave the log where it is."""
        if self._over:
            return
        self._over = True
        manager = self._manager
        known = manager.logs.get(self.log.topic_partition) is self.log
        if self._held and known and self.log.offline is None:
            manager.commit.attach(self.log)
            self.log.on_dirty = manager._dirty
            if self.log.dirty:
                manager._dirty(self.log)
        if self.copy is not None:
            self.copy.close()
            if self.target.is_online:
                self._disk.submit_remove([self._folder], lambda _: None)

    # -- ends --------------------------------------------------------------------------------

    def _give_up(self, why: str) -> None:
        if not self._over:
            logger.warning("%s stays where it is: %s", self.log.folder, why)
            self.cancel()
            self._done(None)

    def _target_failed(self, error: StorageError) -> None:
        self._manager._dir_failed(self.target, error)
        self._give_up(str(error))

    def _may_go_on(self) -> bool:
        """Whether both ends are still there."""
        if self._over:
            return False
        if self._manager.logs.get(self.log.topic_partition) is not self.log:
            self._give_up("it is gone")
        elif self.log.offline is not None or not self.target.is_online:
            self._give_up("a log directory went offline")
        elif self.was_truncated:
            self._give_up("it was truncated, and the copy may have what was cut")
        return not self._over

    # -- copying -----------------------------------------------------------------------------

    def _step(self) -> None:
        if not self._may_go_on():
            return
        try:
            caught_up = self._copy_slice(SLICE_BYTES)
        except LogError as error:
            self._give_up(str(error))
            return
        if self._over:
            return
        if caught_up and (self._unsynced_bytes <= LAST_BYTES_MAX or self._rounds >= ROUNDS_MAX):
            self._held = True
            self._manager.commit.hold(self.log, self._catch_up)
        elif caught_up or self._unsynced_bytes >= SYNC_EVERY_BYTES:
            self._rounds += caught_up
            self._sync_copy()
        else:
            self._clock.call_later(0.0, self._step)

    def _copy_slice(self, bytes_max: int) -> bool:
        """Append to the copy what it lacks; True if it lacks nothing any more."""
        log, copy = self.log, self.copy
        assert copy is not None
        copied = 0
        while copy.log_end_offset < log.log_end_offset:
            if copied >= bytes_max:
                return False
            start = max(copy.log_end_offset, log.log_start_offset)
            found = log.read(start, max_bytes=bytes_max, end_offset=log.log_end_offset)
            now_ms = self._clock.now_ms()
            if found is None:
                # Compaction left nothing up to the end: an empty segment remembers it.
                copy.roll(now_ms, log.log_end_offset)
                copy.log_end_offset = log.log_end_offset
                break
            data, base_offset = self._read(found)
            if copy.size_bytes == 0 and copy.log_end_offset != base_offset:
                copy.truncate_fully(base_offset, now_ms=now_ms)
            copy.append_as_follower(data, now_ms=now_ms)
            copied += len(data)
            self._unsynced_bytes += len(data)
        return True

    def _read(self, found: FileSlice) -> tuple[bytes, int]:
        """Batches of the original, and the first one's offset. Raises ``LogError``."""
        try:
            data = found.read()
            return data, read_header(memoryview(data), 0).base_offset
        except StorageError as error:
            raise self.log._fail(error) from error
        except CorruptBatch as error:
            raise LogError(ErrorCode.CORRUPT_MESSAGE, f"{self.log.folder}: {error}") from error

    def _sync_copy(self) -> None:
        """In the background, so that little is left for the end."""
        copy = self.copy
        assert copy is not None
        batch = copy.begin_sync()
        self._unsynced_bytes = 0

        def synced(error: StorageError | None) -> None:
            if error is not None and not self._over:
                self._target_failed(error)
            if not self._may_go_on():
                return
            copy.finish_sync(batch)
            self._step()

        self._sync(batch.files, batch.folders, synced)

    def _sync(self, files: list[File], folders: list[str], done: SyncDone) -> None:
        """One that does not come back must not hold up the original (RULES: durable end 7)."""

        def request(finished: SyncDone) -> None:
            # A cancelled copy is removed: that a sync misses it is no failure of the disk.
            self._disk.submit_sync(files, folders, lambda error: finished(None if self._over else error))

        self._manager.writes.submit(self.target, request, done)

    # -- changing places -----------------------------------------------------------------------

    def _catch_up(self) -> None:
        """Group commit is held: take the rest, and close the copy as a clean stop would."""
        if not self._may_go_on():
            return
        copy = self.copy
        assert copy is not None
        try:
            while not self._copy_slice(SLICE_BYTES):
                pass
            files, folders = copy.prepare_close()
        except LogError as error:
            self._give_up(str(error))
            return
        except StorageError as error:
            self._target_failed(error)
            return
        if not self._over:
            self._sync(files, [*folders, self._folder], self._copy_closed)

    def _copy_closed(self, error: StorageError | None) -> None:
        if error is not None and not self._over:
            self._target_failed(error)
        if not self._may_go_on():
            return
        assert self.copy is not None
        self.copy.closed()
        place = f"{self.target.path}/{folder_name(self.log.topic_partition)}"
        try:
            self._disk.rename(self._folder, place)
        except StorageError as failure:
            self._target_failed(failure)
            return
        self._folder = place
        self._sync([], [self.target.path], self._named)

    def _named(self, error: StorageError | None) -> None:
        if error is not None and not self._over:
            self._target_failed(error)
        if self._may_go_on():
            self._keep_log_start()

    def _keep_log_start(self) -> None:
        """Deleted records must not come back with the new place (RULES: watermark 8)."""
        key, start = self.log.topic_partition, self.log.log_start_offset
        self.target.log_starts.set(key, start)

        def kept(error: StorageError | None) -> None:
            if not self._may_go_on():
                return
            if self.log.log_start_offset != start:
                self._keep_log_start()
            elif error is None:
                self._change_places()

        self._manager.writes.submit(self.target, self.target.log_starts.request, kept)

    def _change_places(self) -> None:
        """All in one go: whoever comes next finds the log in its new place."""
        manager, log, copy = self._manager, self.log, self.copy
        assert copy is not None
        config, watermark = log.config, log.high_watermark
        try:
            new = self._open(self._folder, recovery_point=copy.log_end_offset, clean=True)
            self.copy = new
            while not self._copy_slice(SLICE_BYTES):
                pass
        except LogError as error:
            self._give_up(str(error))
            return
        except StorageError as error:
            self._target_failed(error)
            return
        new.set_config(config)
        new.high_watermark = max(new.log_start_offset, min(watermark, new.log_end_offset))
        self._over = True
        manager.delete(log)
        manager._adopt(new, self.target)
        self.target.moved[new] = None
        logger.info("%s moved to %s", log.folder, new.folder)
        self._done(new)

    def _open(self, folder: str, *, recovery_point: int = 0, clean: bool = False) -> Log:
        log = Log.open(
            self._disk,
            folder,
            self.log.topic_partition,
            self.log.config,
            recovery_point=recovery_point,
            log_start_offset=self.log.log_start_offset if clean else 0,
            clean_shutdown=clean,
            now_ms=self._clock.now_ms(),
            sync=False,
        )
        log.recovery_synced()
        log.on_failure = lambda _, error: self._target_failed(error)
        return log


def settle_duplicate(manager: LogManager, known: Log, found: Log) -> bool:
    """Two folders hold one partition: a move was cut short. The one with less in it is set aside.

    True if ``found`` takes the place of ``known``. Where they are of different topics, one of which was
    deleted while its directory was away, only the metadata can tell: ``found`` waits for ``give_way``.
    """
    if known.topic_id is not None and found.topic_id is not None and known.topic_id != found.topic_id:
        manager.dir_of(found).rivals[found.topic_partition] = found
        return False

    def worth(log: Log) -> tuple[int, int]:
        return log.epochs.latest_epoch, log.log_end_offset

    takes_over = worth(found) > worth(known)
    loser = known if takes_over else found
    name = side_folder_name(loser.topic_partition, manager._rng.random_bytes(16).hex(), STRAY_FOLDER_SUFFIX)
    logger.error("%s is set aside as %s: another folder holds more of it", loser.folder, name)
    if takes_over:
        manager._release(known, manager.dir_of(known))
        manager.dir_of(known).forget(known.topic_partition)
    loser.close()
    manager._disk.rename(loser.folder, f"{loser.log_dir}/{name}")
    return takes_over


def give_way(manager: LogManager, log: Log, topic_id: bytes) -> Log | None:
    """``log`` is of a topic that is gone: it goes. The log of ``topic_id``, if another directory has that."""
    logger.warning("%s: of a topic that is gone, removed", log.folder)
    manager.delete(log)
    for log_dir in manager.log_dirs:
        rival = log_dir.rivals.get(log.topic_partition)
        if rival is None or rival.topic_id != topic_id or not log_dir.is_online:
            continue
        del log_dir.rivals[log.topic_partition]
        try:
            manager._finish_recovery(log_dir, [rival])
        except StorageError as error:
            manager._dir_failed(log_dir, error)
            raise LogError(ErrorCode.KAFKA_STORAGE_ERROR, str(error)) from error
        manager._adopt(rival, log_dir)
        return rival
    return None


def drop_rivals(manager: LogManager) -> None:
    """Every partition has its log: what else bears its name is of topics that are gone."""
    for log_dir in manager.log_dirs:
        for log in list(log_dir.rivals.values()):
            logger.warning("%s: of a topic that is gone, removed", log.folder)
            log.close()
            if log_dir.is_online:
                manager._disk.submit_remove([log.folder], lambda _: None)
        log_dir.rivals.clear()
