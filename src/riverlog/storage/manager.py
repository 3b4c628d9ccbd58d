"""All logs of a broker: open, create, delete, checkpoint, retire, close.

Several log directories; one that fails takes only its own logs offline. Periodic work looks
at logs that moved, not at all of them.
"""

from __future__ import annotations

import heapq
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from riverlog.base.errors import ErrorCode
from riverlog.env import Clock, Disk, File, Rng, StorageError
from riverlog.env.disk import SyncDone
from riverlog.storage.checkpoints import CheckpointWriter, put_aside
from riverlog.storage.cleaner import LogCleaner
from riverlog.storage.cleaner_run import CleanerSettings
from riverlog.storage.commit import GroupCommit
from riverlog.storage.config import LogConfig
from riverlog.storage.errors import LogError
from riverlog.storage.files import encode_partition_metadata, write_clean_shutdown
from riverlog.storage.log import Log
from riverlog.storage.logdir import LogDir, OfflineListener
from riverlog.storage.moving import give_way, settle_duplicate
from riverlog.storage.names import (
    DELETE_FOLDER_SUFFIX,
    FUTURE_FOLDER_SUFFIX,
    LEADER_EPOCH_CHECKPOINT,
    METADATA_TOPIC,
    PARTITION_METADATA,
    TopicPartition,
    delete_folder_name,
    folder_name,
    parse_folder_name,
)
from riverlog.storage.overdue import BackgroundWrites
from riverlog.storage.retention import apply_retention

logger = logging.getLogger("riverlog.storage")

OPEN_SYNC_CHUNK = 256
"""Recovered logs whose files are synced together at start."""
EPOCH_WRITES_PER_TICK = 256
RETENTION_PER_TICK = 500
"""Logs looked at per tick while a retention round is under way."""


@dataclass(slots=True)
class ManagerSettings:
    """Broker settings, in Kafka's units."""

    fsync_timeout_ms: int = 10_000
    recovery_checkpoint_interval_ms: int = 500
    """At every tick: Kafka writes it every 60 s, RULES asks for one."""
    high_watermark_checkpoint_interval_ms: int = 5_000
    log_start_checkpoint_interval_ms: int = 60_000
    retention_check_interval_ms: int = 300_000
    producer_expiration_check_interval_ms: int = 600_000
    cleaner: CleanerSettings = field(default_factory=CleanerSettings)


@dataclass(slots=True)
class OpenReport:
    """What opening found."""

    clean: bool = True
    """Every online directory was shut down cleanly."""
    log_count: int = 0
    recovered_count: int = 0
    truncated_bytes: int = 0
    suspect: list[Log] = field(default_factory=list)
    offline: list[LogDir] = field(default_factory=list)


class LogManager:
    """Owns the logs and their group commit."""

    def __init__(
        self,
        disk: Disk,
        log_dirs: Sequence[str],
        clock: Clock,
        rng: Rng,
        *,
        config_of: Callable[[str], LogConfig],
        on_durable: Callable[[Log], None],
        on_offline: OfflineListener,
        settings: ManagerSettings | None = None,
    ) -> None:
        self.settings = settings or ManagerSettings()
        self.log_dirs: list[LogDir] = []
        self.cordoned: frozenset[str] = frozenset()
        """Paths of folders that get no new logs while there are others."""
        self.logs: dict[TopicPartition, Log] = {}
        self.config_of = config_of
        self.on_durable = on_durable
        self.on_offline = on_offline
        self.commit = GroupCommit(
            disk,
            clock,
            on_durable=self._durable,
            on_failure=self._failed,
            timeout_seconds=self.settings.fsync_timeout_ms / 1000,
        )
        self.cleaner = LogCleaner(
            disk,
            clock,
            self.settings.cleaner,
            logs=self._claimed_logs,
            offsets_of=lambda log: self.dir_of(log).cleaner_offsets,
            submit_sync=self._sync_cleaned,
            on_cleaned=self._cleaned,
        )
        self._disk = disk
        self._clock = clock
        self._rng = rng
        self._paths = [path.rstrip("/") or "/" for path in log_dirs]
        self._dir_of: dict[str, LogDir] = {}
        self._claimed: set[TopicPartition] = set()
        self._trash: list[tuple[float, int, tuple[str, ...]]] = []
        self._trash_number = 0
        self.writes = BackgroundWrites(clock, self.settings.fsync_timeout_ms, self._dir_failed)
        self._epoch_writers: dict[Log, CheckpointWriter] = {}
        self._retention_round: Iterator[Log] | None = None
        self._next: dict[str, float] = {}

    # -- starting ------------------------------------------------------------------------

    def open(self) -> OpenReport:
        """Open every partition folder of every directory. Raises ``StorageError`` if none is usable."""
        report = OpenReport()
        for path in self._paths:
            self._open_dir(path, report)
        if not any(log_dir.is_online for log_dir in self.log_dirs):
            first = self.log_dirs[0].error if self.log_dirs else None
            raise first or StorageError(self._paths[0] if self._paths else "", "no usable log directory")
        report.log_count = len(self.logs)
        return report

    def _open_dir(self, path: str, report: OpenReport) -> None:
        log_dir = LogDir(self._disk, path)
        self.log_dirs.append(log_dir)
        self._dir_of[path] = log_dir
        try:
            log_dir.load()
            self._open_logs(log_dir, self._disk.list_folder(path), report)
        except StorageError as error:
            self._dir_failed(log_dir, error, tell=False)
            report.offline.append(log_dir)
        else:
            report.clean = report.clean and log_dir.clean_shutdown_epoch is not None

    def _open_logs(self, log_dir: LogDir, names: list[str], report: OpenReport) -> None:
        unsynced: list[Log] = []
        for name in names:
            folder = f"{log_dir.path}/{name}"
            if name.endswith((DELETE_FOLDER_SUFFIX, FUTURE_FOLDER_SUFFIX)):
                self._disk.submit_remove([folder], _ignore)
                continue
            key = parse_folder_name(name)
            if key is None or key[0] == METADATA_TOPIC or not self._disk.is_folder(folder):
                continue
            log = Log.open(
                self._disk,
                folder,
                key,
                self.config_of(key[0]),
                recovery_point=log_dir.recovery_points.offsets.get(key, 0),
                log_start_offset=log_dir.log_starts.offsets.get(key, 0),
                clean_shutdown=log_dir.clean_shutdown_epoch is not None,
                now_ms=self._clock.now_ms(),
                sync=False,
            )
            found = log.recovered
            watermark = log_dir.high_watermarks.offsets.get(key, 0)
            log.high_watermark = max(log.log_start_offset, min(watermark, log.log_end_offset))
            report.recovered_count += not found.clean
            report.truncated_bytes += found.truncated_bytes
            if log.suspect:
                report.suspect.append(log)
            if log_dir.cleaner_offsets.offsets.get(key, 0) > log.log_end_offset:
                log_dir.cleaner_offsets.ensure_absent(key)  # what was compacted is lost: all of it is dirty
            if key in self.logs and not settle_duplicate(self, self.logs[key], log):
                continue
            self._adopt(log, log_dir)
            if found.clean:
                log.recovery_synced()
            else:
                unsynced.append(log)
                if len(unsynced) >= OPEN_SYNC_CHUNK:
                    self._finish_recovery(log_dir, unsynced)
        self._finish_recovery(log_dir, unsynced)

    def _finish_recovery(self, log_dir: LogDir, logs: list[Log]) -> None:
        """RULES: durable end 5, for many logs at a time."""
        self._disk.sync([file for log in logs for file in log.recovered.sync_files])
        for folder in dict.fromkeys(folder for log in logs for folder in log.recovered.sync_folders):
            self._disk.sync_folder(folder)
        for log in logs:
            log.recovery_synced()
            log_dir.moved[log] = None
        logs.clear()

    def _adopt(self, log: Log, log_dir: LogDir) -> None:
        self.logs[log.topic_partition] = log
        log_dir.logs[log.topic_partition] = log
        log.on_failure = self._failed
        log.on_discard = self._discard
        log.on_truncate = self._before_truncate
        self.commit.attach(log)
        log.on_dirty = self._dirty

    # -- logs ----------------------------------------------------------------------------

    def get(self, topic: str, partition: int) -> Log | None:
        return self.logs.get((topic, partition))

    def dir_of(self, log: Log) -> LogDir:
        return self._dir_of[log.log_dir]

    def create(self, topic: str, partition: int, *, topic_id: bytes, log_dir: LogDir | None = None) -> Log:
        """The log of this topic id, new if there is none. Raises ``LogError`` when the disk fails.

        A folder of another id is what a deleted topic of this name left behind: it goes. A new
        folder becomes durable with the first sync of the log, before any of its data.
        """
        key = (topic, partition)
        self._claimed.add(key)
        existing = self.logs.get(key)
        if existing is not None:
            if existing.offline is not None or self._belongs_to(existing, topic_id):
                return existing
            if (rival := give_way(self, existing, topic_id)) is not None:
                return rival
        where = log_dir or self._emptiest_dir()
        folder = f"{where.path}/{folder_name(key)}"
        try:
            for checkpoint in where.checkpoints:
                checkpoint.ensure_absent(key)
            self._disk.make_folder(folder)
            log = Log.open(
                self._disk, folder, key, self.config_of(topic), now_ms=self._clock.now_ms(), sync=False
            )
            log.recovery_synced()
            self._write_topic_id(log, topic_id)
        except StorageError as error:
            self._dir_failed(where, error)
            raise LogError(ErrorCode.KAFKA_STORAGE_ERROR, str(error)) from error
        self._adopt(log, where)
        return log

    def claim(self, log: Log) -> None:
        """The settings of this log are its topic's: retention and compaction may go by them.

        A folder found at start is opened before its topic is known; ``create`` claims it.
        """
        self._claimed.add(log.topic_partition)

    def _claimed_logs(self) -> list[Log]:
        return [log for key, log in self.logs.items() if key in self._claimed]

    def _belongs_to(self, log: Log, topic_id: bytes) -> bool:
        """Whether the folder is of this topic; one without an id becomes so if it can be trusted."""
        try:
            found = log.topic_id
            if found is None and (log.recovered.clean or log.log_end_offset == 0):
                self._write_topic_id(log, topic_id)
                return True
        except StorageError as error:
            self._dir_failed(self.dir_of(log), error)
            raise LogError(ErrorCode.KAFKA_STORAGE_ERROR, str(error)) from error
        # After an unclean stop a folder without an id never had anything durable in it.
        return found == topic_id

    def _write_topic_id(self, log: Log, topic_id: bytes) -> None:
        metadata = self._disk.open(f"{log.folder}/{PARTITION_METADATA}", create=True)
        metadata.truncate(0)
        metadata.append(encode_partition_metadata(topic_id))
        log.topic_id = topic_id
        log.note_created(metadata)

    def delete(self, log: Log, done: SyncDone | None = None) -> None:
        """Take the log out: its folder is renamed at once and removed in the background."""
        key = log.topic_partition
        log_dir = self.dir_of(log)
        self.cleaner.abort(log)
        self.cleaner.forget(log)
        self._release(log, log_dir)
        log_dir.forget(key)
        log.close()
        if not log_dir.is_online:
            if done is not None:
                done(log_dir.error)
            return
        target = f"{log_dir.path}/{delete_folder_name(key, self._rng.random_bytes(16).hex())}"
        try:
            self._disk.rename(log.folder, target)
        except StorageError as error:
            self._dir_failed(log_dir, error)
            if done is not None:
                done(error)
            return
        self._disk.submit_remove([target], done or _ignore)
        for checkpoint in log_dir.checkpoints:
            if checkpoint.changed:
                self.writes.submit(log_dir, checkpoint.request)

    def delete_records(self, log: Log, before: int, done: SyncDone) -> None:
        """Move the log start; ``done`` when the checkpoint that holds it is durable (RULES: watermark 8).

        Raises ``OffsetOutOfRange``.
        """
        log_dir = self.dir_of(log)
        if not log_dir.is_online:
            done(log_dir.error)
            return
        log.delete_records(before)
        log_dir.note(log)
        self.writes.submit(log_dir, log_dir.log_starts.request, done)

    def set_config(self, topic: str, config: LogConfig) -> None:
        for log in self.logs.values():
            if log.topic == topic:
                log.set_config(config)

    def _emptiest_dir(self) -> LogDir:
        online = [log_dir for log_dir in self.log_dirs if log_dir.is_online]
        if not online:
            raise LogError(ErrorCode.KAFKA_STORAGE_ERROR, "every log directory is offline")
        return min(online, key=lambda log_dir: (log_dir.path in self.cordoned, len(log_dir.logs)))

    def _release(self, log: Log, log_dir: LogDir) -> None:
        self.commit.detach(log)
        self.logs.pop(log.topic_partition, None)
        log_dir.logs.pop(log.topic_partition, None)
        log_dir.moved.pop(log, None)
        self._epoch_writers.pop(log, None)

    # -- what the logs report ------------------------------------------------------------

    def _dirty(self, log: Log) -> None:
        self._dir_of[log.log_dir].moved[log] = None
        self.commit.mark(log)

    def _durable(self, log: Log) -> None:
        self._dir_of[log.log_dir].moved[log] = None
        self.on_durable(log)

    def _failed(self, log: Log, error: StorageError) -> None:
        self._dir_failed(self.dir_of(log), error)

    def _dir_failed(self, log_dir: LogDir, error: StorageError, *, tell: bool = True) -> None:
        """Offline for good: only a restart, after recovery, brings it back."""
        logs = list(log_dir.logs.values())
        if not log_dir.fail(error):
            return
        for log in logs:
            self.commit.detach(log)
            self._epoch_writers.pop(log, None)
        self.cleaner.drop_offline()
        if tell:
            self.on_offline(log_dir, logs, error)

    def _discard(self, paths: Sequence[str], delay_ms: int) -> None:
        self._trash_number += 1
        due = self._clock.monotonic() + delay_ms / 1000
        heapq.heappush(self._trash, (due, self._trash_number, tuple(paths)))

    def _before_truncate(self, log: Log, offset: int) -> None:
        """The recovery point on disk goes down first: a crash must not find it above the new end."""
        self.cleaner.abort(log)
        log_dir = self.dir_of(log)
        if log_dir.cleaner_offsets.offsets.get(log.topic_partition, 0) > offset:
            log_dir.cleaner_offsets.set(log.topic_partition, offset)
            log_dir.cleaner_offsets.write_now()
        points = log_dir.recovery_points
        stored = points.offsets.get(log.topic_partition, 0)
        if stored > offset or points.changed or points.is_busy:  # the file may hold a higher one than we do
            points.set(log.topic_partition, min(stored, offset))
            points.write_now()

    # -- periodic work -------------------------------------------------------------------

    def tick(self) -> None:
        """Call about once a second: checkpoints, epochs, removals, retention, producer expiry."""
        now = self._clock.monotonic()
        self._empty_trash(now)
        self.writes.fail_overdue()
        for log_dir in self.log_dirs:
            if log_dir.is_online:
                self._persist_epochs(log_dir)
            if log_dir.is_online:
                self._checkpoint(log_dir, now)
        if self._retention_round is not None or self._is_due(
            "retention", self.settings.retention_check_interval_ms, now
        ):
            self._run_retention()
        if self._is_due("producers", self.settings.producer_expiration_check_interval_ms, now):
            self._expire_producers()
        self.cleaner.tick()

    def _is_due(self, name: str, interval_ms: int, now: float) -> bool:
        due = self._next.setdefault(name, now + interval_ms / 1000)
        if now < due:
            return False
        self._next[name] = now + interval_ms / 1000
        return True

    def _checkpoint(self, log_dir: LogDir, now: float) -> None:
        settings = self.settings
        for log in list(log_dir.moved):
            log_dir.note(log)
            if log.is_settled:
                del log_dir.moved[log]
                log.forget_recent()
                log.dirty = False  # the next append reports again, also where no sync comes by itself
        for checkpoint, interval_ms in (
            (log_dir.recovery_points, settings.recovery_checkpoint_interval_ms),
            (log_dir.high_watermarks, settings.high_watermark_checkpoint_interval_ms),
            (log_dir.log_starts, settings.log_start_checkpoint_interval_ms),
        ):
            due = self._is_due(checkpoint.path, interval_ms, now)
            if due and checkpoint.changed and not checkpoint.is_busy:
                self.writes.submit(log_dir, checkpoint.request)

    def _persist_epochs(self, log_dir: LogDir) -> None:
        """Leader-epoch files of logs that moved; until they are durable the recovery point waits."""
        started = 0
        for log in list(log_dir.moved):
            if not log_dir.is_online:
                return  # the write before this one failed at once
            epochs = log.loaded_epochs
            if epochs is None or not epochs.is_dirty or log in self._epoch_writers:
                continue
            if started >= EPOCH_WRITES_PER_TICK:
                return
            started += 1
            self._write_epochs(log_dir, log)

    def _write_epochs(self, log_dir: LogDir, log: Log) -> None:
        changes = log.epochs.changes
        path = f"{log.folder}/{LEADER_EPOCH_CHECKPOINT}"
        writer = CheckpointWriter(self._disk, path, log.epochs.encode)
        self._epoch_writers[log] = writer

        def finished(error: StorageError | None) -> None:
            if self._epoch_writers.get(log) is not writer:
                return  # deleted meanwhile
            del self._epoch_writers[log]
            if error is None:
                log.epochs_persisted(changes)

        def request(done: SyncDone) -> None:
            def answered(error: StorageError | None) -> None:
                # The folder of a deleted log was renamed away: that is no failure of the disk.
                done(error if self._epoch_writers.get(log) is writer else None)

            writer.request(answered)

        self.writes.submit(log_dir, request, finished)

    def _empty_trash(self, now: float) -> None:
        due: list[str] = []
        while self._trash and self._trash[0][0] <= now:
            due += heapq.heappop(self._trash)[2]
        if due:
            self._disk.submit_remove(due, _ignore)

    def _run_retention(self) -> None:
        """A bounded slice of the round."""
        if self._retention_round is None:
            self._retention_round = iter(self._claimed_logs())
        now_ms = self._clock.now_ms()
        for _ in range(RETENTION_PER_TICK):
            log = next(self._retention_round, None)
            if log is None:
                self._retention_round = None
                return
            if log.offline is None and self.logs.get(log.topic_partition) is log:
                self.apply_retention(log, now_ms)

    def apply_retention(self, log: Log, now_ms: int) -> int:
        """Delete the log's old segments now; answers how many. Not while it is compacted: later."""
        if self.cleaner.is_cleaning(log):
            return 0
        try:
            deleted = apply_retention(log, now_ms)
        except LogError as error:
            logger.warning("%s: retention: %s", log.folder, error)
            return 0
        except StorageError as error:
            self._failed(log, error)
            return 0
        if deleted:
            self.dir_of(log).moved[log] = None
        return deleted

    def _sync_cleaned(
        self, log: Log, files: list[File], folders: list[str], is_awaited: Callable[[], bool], done: SyncDone
    ) -> None:
        def request(finished: SyncDone) -> None:
            self._disk.submit_sync(files, folders, lambda error: finished(error if is_awaited() else None))

        self.writes.submit(self.dir_of(log), request, done)

    def _cleaned(self, log: Log) -> None:
        log_dir = self.dir_of(log)
        self.writes.submit(log_dir, log_dir.cleaner_offsets.request)

    def _expire_producers(self) -> None:
        now_ms = self._clock.now_ms()
        for log in self.logs.values():
            producers = log.loaded_producers
            if producers is not None:
                producers.remove_expired(now_ms, log.config.producer_id_expiration_ms)

    # -- stopping ------------------------------------------------------------------------

    def shutdown(self, broker_epoch: int = -1) -> None:
        """Make everything durable and mark the directories as cleanly shut down. Waits for the disk."""
        self.cleaner.stop()
        self.commit.stop()
        self._epoch_writers.clear()  # written anew below; what is under way no longer matters
        for log_dir in self.log_dirs:
            if not log_dir.is_online:
                continue
            try:
                self._close_dir(log_dir, broker_epoch)
            except StorageError as error:
                self._dir_failed(log_dir, error)
        self.logs.clear()

    def _close_dir(self, log_dir: LogDir, broker_epoch: int) -> None:
        logs = list(log_dir.logs.values())
        for start in range(0, len(logs), OPEN_SYNC_CHUNK):
            chunk = logs[start : start + OPEN_SYNC_CHUNK]
            self._write_epochs_now(chunk)
            prepared = [log.prepare_close() for log in chunk]
            self._disk.sync([file for files, _ in prepared for file in files])
            for folder in dict.fromkeys(folder for _, folders in prepared for folder in folders):
                self._disk.sync_folder(folder)
            for log in chunk:
                log.closed()
                log_dir.note(log)
        for checkpoint in log_dir.checkpoints:
            if checkpoint.changed or checkpoint.is_busy:
                checkpoint.write_now()
        write_clean_shutdown(self._disk, log_dir.path, broker_epoch)

    def _write_epochs_now(self, logs: list[Log]) -> None:
        """Leader-epoch files that changed, synced together; the folders follow with the rest."""
        asides = []
        for log in logs:
            epochs = log.loaded_epochs
            if log.offline is None and epochs is not None and epochs.is_dirty:
                path = f"{log.folder}/{LEADER_EPOCH_CHECKPOINT}"
                asides.append((log, path, put_aside(self._disk, path, epochs.encode())))
        self._disk.sync([file for _, _, file in asides])
        for log, path, file in asides:
            file.rename(path)
            file.close()
            log.epochs_persisted(log.epochs.changes)


def _ignore(error: StorageError | None) -> None:
    """What stays behind is removed at the next start."""
