"""Opening a log: what a stop left behind, and what of it counts.

After a clean stop the tail is only looked at. After an unclean one every batch from the segment
that holds the recovery point on is checked, the indexes, epochs and producers are rebuilt, and
the log is cut at the first bad batch. A bad batch that a torn write does not explain (below the
recovery point, or with a good batch behind it) makes the log suspect: the bytes are kept aside
(RULES: recovery).
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from riverlog.env import Disk, File, StorageError
from riverlog.records import CorruptBatch
from riverlog.storage.checkpoints import CheckpointError, format_checkpoint, write_aside
from riverlog.storage.config import LogConfig
from riverlog.storage.epochs import LeaderEpochs, decode_epochs
from riverlog.storage.leftovers import sweep
from riverlog.storage.names import (
    CORRUPT_SUFFIX,
    LEADER_EPOCH_CHECKPOINT,
    LOG_SUFFIX,
    PARTITION_METADATA,
    SNAPSHOT_SUFFIX,
    SUSPECT_MARKER,
    log_dir_of,
    offset_name,
    parse_offset_name,
)
from riverlog.storage.producers import ProducerStates
from riverlog.storage.scan import Scan, has_valid_batch, note_batch, rebuild_indexes, scan_segment
from riverlog.storage.segment import Segment

logger = logging.getLogger("riverlog.storage")

COPY_BYTES = 1 << 20


@dataclass(slots=True)
class Recovered:
    """What opening found, for ``Log`` to start from."""

    segments: list[Segment]
    log_start_offset: int
    log_end_offset: int
    recovery_point: int
    epochs: LeaderEpochs | None = None
    """None: still to be read from the file."""
    producers: ProducerStates | None = None
    """None: the snapshot at the log end says it all, still to be read."""
    snapshots: list[int] = field(default_factory=list)
    suspect: bool = False
    needs_acceptance: bool = False
    clean: bool = False
    truncated_bytes: int = 0
    corrupt_paths: list[str] = field(default_factory=list)
    sync_files: list[File] = field(default_factory=list)
    sync_folders: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Bad:
    """The first bad batch: where it is and what is wrong."""

    slot: int
    position: int
    offset: int
    reason: str


def recover(
    disk: Disk,
    folder: str,
    config: LogConfig,
    *,
    recovery_point: int,
    log_start_offset: int,
    clean_shutdown: bool,
    now_ms: int,
) -> Recovered:
    """Read the folder and make it consistent. The caller syncs what ``Recovered`` names."""
    created = False
    try:
        names = disk.list_folder(folder)
    except StorageError:
        if disk.exists(folder):
            raise
        disk.make_folder(folder)
        names = []
        created = True
    swept = sweep(disk, folder, names)
    kept = names if swept is None else swept
    present = frozenset(kept)
    bases = _offsets_of(kept, LOG_SUFFIX)
    segments = [Segment(disk, folder, base, names=present, now_ms=now_ms) for base in sorted(bases)]
    snapshots = _offsets_of(kept, SNAPSHOT_SUFFIX)
    found: Recovered | None = None
    if not segments:
        found = _empty(disk, folder, present, recovery_point, log_start_offset, snapshots, now_ms)
        found.clean = clean_shutdown and not found.suspect
    elif clean_shutdown:
        found = _open_clean(
            disk, folder, config, segments, snapshots, recovery_point, log_start_offset, now_ms
        )
    if found is None:
        found = _recover_unclean(
            disk, folder, config, present, segments, recovery_point, log_start_offset, now_ms
        )
    if SUSPECT_MARKER in present:
        found.suspect = found.needs_acceptance = True
    _sync_creation(disk, folder, present, found, recovery_point)
    if created:
        found.sync_folders.append(log_dir_of(folder))
    elif swept is not None and folder not in found.sync_folders:
        found.sync_folders.append(folder)
    return found


def _offsets_of(names: Iterable[str], suffix: str) -> list[int]:
    """Offsets of the files with this suffix."""
    parsed = [parse_offset_name(name) for name in names]
    return [one[0] for one in parsed if one is not None and one[1] == suffix]


def _recover_unclean(
    disk: Disk,
    folder: str,
    config: LogConfig,
    present: Collection[str],
    segments: list[Segment],
    recovery_point: int,
    log_start_offset: int,
    now_ms: int,
) -> Recovered:
    """From the recovery point on; all of the log if something before it turns out to be unreadable."""
    for check_all in (False, True):
        # An attempt may have removed snapshots, so they are listed again.
        snapshots = _offsets_of(disk.list_folder(folder), SNAPSHOT_SUFFIX)
        recovery = _Recovery(disk, folder, config, present, segments, snapshots, recovery_point)
        recovery.check_all = check_all
        try:
            return recovery.run(log_start_offset, now_ms)
        except CorruptBatch as error:
            assert not check_all, "a full check meets no batch it has not checked"
            logger.warning("%s: %s; checking the whole log", folder, error)
    raise AssertionError("unreachable")


def _sync_creation(
    disk: Disk, folder: str, present: Collection[str], found: Recovered, recovery_point: int
) -> None:
    """Where nothing says that this log was ever synced, its names and ``partition.metadata`` may be in
    the page cache only: they are written once more and synced with the rest."""
    if recovery_point > 0 or found.clean:
        return
    if PARTITION_METADATA in present:
        path = f"{folder}/{PARTITION_METADATA}"
        metadata = disk.open(path)
        metadata.write_at(0, disk.read_file(path))
        found.sync_files.append(metadata)
    for path in (folder, log_dir_of(folder)):
        if path not in found.sync_folders:
            found.sync_folders.append(path)


def load_epochs(disk: Disk, folder: str) -> LeaderEpochs:
    """The leader-epoch file; empty if it is missing or not one."""
    path = f"{folder}/{LEADER_EPOCH_CHECKPOINT}"
    try:
        return decode_epochs(disk.read_file(path))
    except StorageError:
        if disk.exists(path):
            raise
        return LeaderEpochs()
    except CheckpointError as error:
        logger.warning("%s: %s; rebuilt from the log", path, error)
        return LeaderEpochs()


def replay_producers(segments: list[Segment], producers: ProducerStates, start: int, end: int) -> None:
    """Bring ``producers`` from ``start`` to ``end`` by reading the batches between."""
    for slot, segment in enumerate(segments):
        following = segments[slot + 1].base_offset if slot + 1 < len(segments) else end
        if following <= start or segment.base_offset >= end or segment.size == 0:
            continue
        found = segment.find(max(start, segment.base_offset))
        if found is None:
            continue
        for position, header in segment.headers(found[0]):
            if header.base_offset >= end:
                break
            if header.producer_id >= 0:  # the first may begin below ``start``: the log start cuts no batch
                data = segment.file.read(position, header.size) if header.is_control else b""
                note_batch(segment, producers, header, data, 0, index=False)
    producers.map_end_offset = end


def _empty(
    disk: Disk,
    folder: str,
    present: Collection[str],
    recovery_point: int,
    log_start_offset: int,
    snapshots: list[int],
    now_ms: int,
) -> Recovered:
    """No segment: a new log, or one whose files are gone."""
    segment = Segment(disk, folder, log_start_offset, names=(), now_ms=now_ms)
    producers = ProducerStates(disk, folder, snapshots, log_start_offset)
    producers.clear(log_start_offset)
    epochs = LeaderEpochs()
    if LEADER_EPOCH_CHECKPOINT in present:
        epochs = load_epochs(disk, folder)
        epochs.truncate_from_end(log_start_offset)
    lost = recovery_point > log_start_offset
    if lost:
        logger.error(
            "%s: empty, but data up to offset %d was durable; no writes until the loss is accepted",
            folder,
            recovery_point,
        )
        _write_suspect_marker(disk, folder, log_start_offset, recovery_point)
    return Recovered(
        segments=[segment],
        log_start_offset=log_start_offset,
        log_end_offset=log_start_offset,
        recovery_point=log_start_offset,
        epochs=epochs,
        producers=producers,
        suspect=lost,
        needs_acceptance=lost,
    )


def _open_clean(
    disk: Disk,
    folder: str,
    config: LogConfig,
    segments: list[Segment],
    snapshots: list[int],
    recovery_point: int,
    log_start_offset: int,
    now_ms: int,
) -> Recovered | None:
    """After a clean stop: the tail is walked from the last index entry. None if it does not add up."""
    last = segments[-1]
    log_end_offset = last.base_offset
    if last.size:
        if not last.index.is_plausible(last.size) or not last.time_index.is_whole():
            logger.warning("%s: index missing or broken after a clean stop, recovering", folder)
            return None
        position = last.index.last_entry()[1]
        try:
            for at, header in last.headers(position):
                log_end_offset = header.next_offset
                position = at + header.size
        except CorruptBatch as error:
            logger.warning("%s: %s after a clean stop, recovering", folder, error)
            return None
        if position != last.size:
            logger.warning("%s: torn tail after a clean stop, recovering", folder)
            return None
    if log_end_offset < max(recovery_point, log_start_offset):
        logger.warning("%s: shorter than at its clean stop, recovering", folder)
        return None
    producers = None
    try:
        for segment in segments[:-1]:
            if segment.size and not (segment.index.on_disk and segment.time_index.on_disk):
                rebuild_indexes(segment, config.index_interval_bytes)
        if log_end_offset not in snapshots and log_end_offset > segments[0].base_offset:
            producers = ProducerStates(disk, folder, snapshots, log_start_offset)
            producers.load(0, log_end_offset, now_ms, config.producer_id_expiration_ms)
            replay_producers(segments, producers, producers.map_end_offset, log_end_offset)
    except CorruptBatch as error:
        logger.warning("%s: %s after a clean stop, recovering", folder, error)
        return None
    return Recovered(
        segments=segments,
        log_start_offset=max(log_start_offset, segments[0].base_offset),
        log_end_offset=log_end_offset,
        recovery_point=log_end_offset,
        producers=producers,
        snapshots=snapshots,
        clean=True,
    )


class _Recovery:
    """Recovery of one log after an unclean stop."""

    def __init__(
        self,
        disk: Disk,
        folder: str,
        config: LogConfig,
        present: Collection[str],
        segments: list[Segment],
        snapshots: list[int],
        recovery_point: int,
    ) -> None:
        self._disk = disk
        self._folder = folder
        self._config = config
        self._present = present
        self._segments = segments
        self._snapshots = snapshots
        self._recovery_point = recovery_point
        self._truncated_bytes = 0
        self._corrupt_paths: list[str] = []
        self._new_snapshots: list[File] = []
        self.check_all = False

    def run(self, log_start_offset: int, now_ms: int) -> Recovered:
        segments = self._segments
        first = self._first_to_check()
        start = max(log_start_offset, segments[0].base_offset)
        epochs, epoch_candidates = self._load_epochs(first, start)
        producers = self._load_producers(first, start, now_ms)
        self._rebuild_missing_indexes(first)
        bad, log_end_offset, rewrite_from = self._scan(first, epochs, producers)
        # What lies below the log start was deleted; a start over may have been interrupted there.
        below = max(log_end_offset, log_start_offset) < self._recovery_point
        suspect = below
        if bad is not None:
            suspect = below or self._is_followed(bad, [*epoch_candidates, epochs.latest_epoch])
            if below:
                _write_suspect_marker(self._disk, self._folder, log_end_offset, self._recovery_point)
            self._cut(bad, keep=suspect, now_ms=now_ms)
        elif below:
            _write_suspect_marker(self._disk, self._folder, log_end_offset, self._recovery_point)
        self._report(bad, suspect, below, log_end_offset)
        epochs.truncate_from_end(log_end_offset)
        for segment in segments[first:-1]:
            segment.seal()
        found = Recovered(
            segments=segments,
            log_start_offset=max(log_start_offset, segments[0].base_offset),
            log_end_offset=log_end_offset,
            recovery_point=min(self._recovery_point, log_end_offset),
            epochs=epochs,
            producers=producers,
            suspect=suspect,
            needs_acceptance=below,
            truncated_bytes=self._truncated_bytes,
            corrupt_paths=self._corrupt_paths,
        )
        if log_end_offset < found.log_start_offset:
            self._start_over(found, now_ms)
        elif log_end_offset > self._recovery_point or bad is not None or first < len(segments) - 1:
            self._rewrite_tail(first, rewrite_from)
            found.sync_files = [file for segment in segments[first:] for file in segment.files()]
            found.sync_files += self._new_snapshots
            found.sync_folders = [self._folder]
        epochs.truncate_from_start(found.log_start_offset)
        return found

    def _first_to_check(self) -> int:
        """The segment that holds what comes just before the recovery point.

        Where the point is the start of a segment that is the one before it: its batches are durable,
        but the indexes it got when the log rolled may not be.
        """
        first = 0
        if self.check_all:
            return first
        for slot, segment in enumerate(self._segments):
            if segment.base_offset < self._recovery_point:
                first = slot
        return first

    def _load_epochs(self, first: int, log_start_offset: int) -> tuple[LeaderEpochs, list[int]]:
        """The file's entries below the recovery point (RULES: durable end 6), and all epochs it knew."""
        epochs = LeaderEpochs()
        if LEADER_EPOCH_CHECKPOINT in self._present:
            epochs = load_epochs(self._disk, self._folder)
        known = [epoch for epoch, _ in epochs.entries]
        if not known or epochs.entries[0][1] > log_start_offset:
            # Missing, or cut for a log start that did not become durable.
            epochs = LeaderEpochs()
            for segment in self._segments[:first]:
                for _, header in segment.headers():
                    if header.partition_leader_epoch > epochs.latest_epoch:
                        epochs.assign(header.partition_leader_epoch, header.base_offset)
        # The scan starts at the segment's first batch and meets the later epochs again from there.
        epochs.truncate_from_end(min(self._recovery_point, self._segments[first].base_offset))
        return epochs, known

    def _load_producers(self, first: int, log_start_offset: int, now_ms: int) -> ProducerStates:
        """The state where checking starts. Later snapshots go: their log may not have survived."""
        base = self._segments[first].base_offset
        producers = ProducerStates(self._disk, self._folder, self._snapshots, log_start_offset)
        producers.load(self._segments[0].base_offset, base, now_ms, self._config.producer_id_expiration_ms)
        start = producers.map_end_offset if producers.snapshots else log_start_offset
        if start < base:
            replay_producers(self._segments[:first], producers, start, base)
        producers.map_end_offset = base
        return producers

    def _rebuild_missing_indexes(self, first: int) -> None:
        for segment in self._segments[:first]:
            if segment.size == 0:
                continue
            if not (segment.index.is_plausible(segment.size) and segment.time_index.is_plausible()):
                logger.warning("%s: rebuilding the indexes of segment %d", self._folder, segment.base_offset)
                rebuild_indexes(segment, self._config.index_interval_bytes)

    def _scan(
        self, first: int, epochs: LeaderEpochs, producers: ProducerStates
    ) -> tuple[_Bad | None, int, int]:
        """Check every batch from segment ``first`` on.

        Answers the first bad batch if any, the offset where the good part ends, and the position
        in segment ``first`` where what was not known to be durable begins.
        """
        segments = self._segments
        log_end_offset = segments[first].base_offset
        rewrite_from = segments[first].size
        for slot in range(first, len(segments)):
            segment = segments[slot]
            if slot > first:
                if segment.base_offset > log_end_offset and not self._config.is_compacted:
                    bad = _Bad(slot - 1, segments[slot - 1].size, log_end_offset, "the segment is too short")
                    return bad, log_end_offset, rewrite_from
                log_end_offset = max(log_end_offset, segment.base_offset)
                producers.map_end_offset = segment.base_offset
                snapshot = producers.take_snapshot()
                if snapshot is not None:
                    self._new_snapshots.append(snapshot)
            following = segments[slot + 1].base_offset if slot + 1 < len(segments) else None
            scan = Scan(segment, self._config.index_interval_bytes, epochs, producers)
            scan_segment(scan, end_before=following, watch_offset=self._recovery_point)
            log_end_offset = max(log_end_offset, scan.next_offset)
            if slot == first:
                rewrite_from = scan.watched_position
            if scan.reason:
                bad = _Bad(slot, scan.position, scan.next_offset, scan.reason)
                return bad, bad.offset, rewrite_from
        producers.map_end_offset = log_end_offset
        return None, log_end_offset, rewrite_from

    def _is_followed(self, bad: _Bad, epochs: list[int]) -> bool:
        """Whether a good batch stands behind the bad one: a torn write alone does not do that."""
        candidates = sorted({epoch for epoch in epochs if epoch >= 0} | {0})
        for slot in range(bad.slot, len(self._segments)):
            start = bad.position + 1 if slot == bad.slot else 0
            if has_valid_batch(self._segments[slot], start, bad.offset, candidates):
                return True
        return False

    def _cut(self, bad: _Bad, *, keep: bool, now_ms: int) -> None:
        """Remove what comes after, fsync the folder, cut, fsync (RULES: durable end 4)."""
        segments = self._segments
        segment = segments[bad.slot]
        self._truncated_bytes = segment.size - bad.position
        if keep and self._truncated_bytes:
            self._keep_aside(segment, bad)
        while len(segments) > bad.slot + 1:
            later = segments.pop()
            self._truncated_bytes += later.size
            if keep and later.size:
                self._corrupt_paths += later.add_suffix(CORRUPT_SUFFIX)
            else:
                for path in later.paths():
                    self._disk.remove(path)
            later.close()
        self._disk.sync_folder(self._folder)
        segment.truncate(bad.position, bad.offset, now_ms)
        self._disk.sync([segment.file])

    def _keep_aside(self, segment: Segment, bad: _Bad) -> None:
        """Copy the bytes that will be cut, durably, before they are."""
        path = f"{segment.file.path}.{bad.offset}{CORRUPT_SUFFIX}"
        copy = self._disk.open(path, create=True)
        copy.truncate(0)
        position = bad.position
        while position < segment.size:
            data = segment.file.read(position, min(COPY_BYTES, segment.size - position))
            copy.append(data)
            position += len(data)
        self._disk.sync([copy])
        copy.close()
        self._corrupt_paths.append(path)

    def _rewrite_tail(self, first: int, position: int) -> None:
        """Write the tail past the recovery point once more, so that the fsync that follows is a real one.

        After a failed fsync the kernel may call pages clean that never reached the disk; a new
        process cannot know, so it trusts no page it did not write itself (RULES: durable end 7).
        """
        for segment in self._segments[first:]:
            while position < segment.size:
                data = segment.file.read(position, min(COPY_BYTES, segment.size - position))
                segment.file.write_at(position, data)
                position += len(data)
            position = 0

    def _start_over(self, found: Recovered, now_ms: int) -> None:
        """The log ends before its start (records were deleted, then the tail was lost): begin anew."""
        start = found.log_start_offset
        logger.warning("%s: ends at %d before its start %d", self._folder, found.log_end_offset, start)
        for segment in reversed(found.segments):
            for path in segment.paths():
                self._disk.remove(path)
            segment.close()
        segment = Segment(self._disk, self._folder, start, names=(), now_ms=now_ms)
        found.segments[:] = [segment]
        found.log_end_offset = found.recovery_point = start
        assert found.epochs is not None
        assert found.producers is not None
        found.epochs.clear()
        found.producers.clear(start)
        found.sync_files = [segment.file]
        found.sync_folders = [self._folder]

    def _report(self, bad: _Bad | None, suspect: bool, below: bool, log_end_offset: int) -> None:
        if bad is not None:
            logger.log(
                logging.ERROR if suspect else logging.WARNING,
                "%s: segment %d is bad at byte %d (%s); cut to offset %d, %s",
                self._folder,
                self._segments[bad.slot].base_offset,
                bad.position,
                bad.reason,
                log_end_offset,
                f"kept aside: {self._corrupt_paths}" if suspect else "a torn tail",
            )
        if below:
            logger.error(
                "%s: ends at %d, but %d was durable; no writes until the loss is accepted",
                self._folder,
                log_end_offset,
                self._recovery_point,
            )


def _write_suspect_marker(disk: Disk, folder: str, log_end_offset: int, recovery_point: int) -> None:
    """Remembers over restarts that an operator has to accept the loss."""
    write_aside(disk, f"{folder}/{SUSPECT_MARKER}", format_checkpoint([f"{log_end_offset} {recovery_point}"]))


def snapshot_path(folder: str, offset: int) -> str:
    return f"{folder}/{offset_name(offset, SNAPSHOT_SUFFIX)}"
