"""Snapshots of this node: written from the metadata, or taken over from the leader."""

from __future__ import annotations

from collections.abc import Iterator

from riverlog.env import Clock, Disk, StorageError
from riverlog.protocol.generated.kraft_version_record import KRaftVersionRecord
from riverlog.protocol.generated.voters_record import VotersRecord
from riverlog.raft.quorum_log import QuorumLog
from riverlog.raft.snapshot_writing import SnapshotInProgress
from riverlog.raft.snapshots import Snapshot, SnapshotId
from riverlog.raft.voter_set import VoterSet
from riverlog.records.control import ControlMessage


class Snapshots:
    """One is written at a time. Older ones, and the log below them, go when the next is there."""

    def __init__(self, disk: Disk, clock: Clock, store: QuorumLog) -> None:
        self.newest_bytes = 0
        self.count = 0
        self._disk = disk
        self._clock = clock
        self._store = store
        self._folder = store.log.folder
        self._running: SnapshotInProgress | None = None
        newest = store.snapshot_id
        if newest is not None and disk.exists(f"{self._folder}/{newest.file_name}"):
            file = disk.open(f"{self._folder}/{newest.file_name}")
            self.newest_bytes = file.size
            file.close()

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def write(self, values: Iterator[bytes], end_offset: int, epoch: int) -> None:
        """``epoch`` is what to name it by where the log does not know any more."""
        store = self._store
        if self._running is not None:
            return
        assert end_offset <= store.log.high_watermark, (end_offset, store.log.high_watermark)
        store.roll()
        if store.has_failed():
            return
        known = store.epoch_before(end_offset)
        snapshot_id = SnapshotId(end_offset, known if known > 0 else epoch)
        try:
            self._running = SnapshotInProgress(
                self._disk,
                self._clock,
                self._folder,
                snapshot_id,
                values,
                last_timestamp=store.last_timestamp,
                control=self._control(end_offset),
                done=lambda size, error: self._done(snapshot_id, size, error),
            )
        except StorageError as error:
            store.fail(error)
            return
        store.bytes_since_snapshot = 0
        self._running.step()

    def _control(self, end_offset: int) -> list[ControlMessage]:
        _, voters, kraft_version = self._store.voters_below(end_offset)
        if kraft_version == 0:
            return []
        return [KRaftVersionRecord(version=0, kraft_version=kraft_version), voters.to_record()]

    def _done(self, snapshot_id: SnapshotId, size: int, error: StorageError | None) -> None:
        store = self._store
        self._running = None
        if error is not None:
            store.fail(error)
            return
        if store.snapshot_id is None or snapshot_id > store.snapshot_id:
            store.snapshot_id = snapshot_id
            self.newest_bytes = size
        self.count += 1
        store.drop_covered()

    def start_over(self, snapshot_id: SnapshotId, snapshot: Snapshot) -> bool:
        """The log goes on after a snapshot of the leader; False if the disk failed."""
        store = self._store
        self.cancel()
        _, voters, kraft_version = store.voters_at
        for message in snapshot.control:
            if isinstance(message, KRaftVersionRecord):
                kraft_version = message.kraft_version
            elif isinstance(message, VotersRecord):
                voters = VoterSet.from_record(message)
        store.start_over(snapshot_id, voters, kraft_version, snapshot.last_contained_timestamp)
        self.newest_bytes = sum(map(len, snapshot.values))
        return not store.has_failed()

    def cancel(self) -> None:
        if self._running is not None:
            self._running.cancel()
            self._running = None
