"""Producer state of a log: who wrote which sequence last (idempotence), and open transactions.

A batch is checked before it is appended and noted after; replay notes without checking. The
state is a cache of the log, saved in snapshots named by the offset they cover.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from riverlog.base.errors import ErrorCode
from riverlog.env import Disk, File
from riverlog.records import BatchHeader
from riverlog.storage.errors import AppendError
from riverlog.storage.names import SNAPSHOT_SUFFIX, offset_name
from riverlog.storage.snapshots import CorruptSnapshot, SnapshotEntry, decode_snapshot, encode_snapshot
from riverlog.storage.verification import UNVERIFIED, VerificationGuard, Verifications, is_after

BATCHES_KEPT = 5
"""Duplicates are recognised among this many last batches of a producer."""
NO_EPOCH = -1
_SEQUENCE_MAX = (1 << 31) - 1
_SEQUENCE_SPAN = 1 << 31
_EPOCH_MAX = (1 << 15) - 1
_EPOCH_PER_TRANSACTION = 2
"""The transaction version that bumps the producer epoch with every transaction."""


class BatchMetadata(NamedTuple):
    """One of a producer's last batches."""

    first_sequence: int
    last_sequence: int
    first_offset: int
    last_offset: int
    timestamp: int


class CompletedTransaction(NamedTuple):
    producer_id: int
    first_offset: int
    last_offset: int
    aborted: bool


class ProducerEntry:
    __slots__ = (
        "batches",
        "coordinator_epoch",
        "last_timestamp",
        "producer_epoch",
        "producer_id",
        "restored",
        "txn_first_offset",
    )

    def __init__(self, producer_id: int) -> None:
        self.producer_id = producer_id
        self.producer_epoch = NO_EPOCH
        self.coordinator_epoch = -1
        self.last_timestamp = -1
        self.txn_first_offset = -1
        self.batches: list[BatchMetadata] = []
        self.restored = False
        """From a snapshot, which keeps only the last batch: those before it are duplicates all the same."""

    @property
    def last_sequence(self) -> int:
        return self.batches[-1].last_sequence if self.batches else -1


class ProducerStates:
    """All producers of one log."""

    __slots__ = (
        "_disk",
        "_folder",
        "entries",
        "last_snapshot_offset",
        "map_end_offset",
        "ongoing",
        "snapshots",
        "unreplicated",
        "verifications",
    )

    def __init__(self, disk: Disk, folder: str, snapshots: list[int], start_offset: int = 0) -> None:
        self._disk = disk
        self._folder = folder
        self.entries: dict[int, ProducerEntry] = {}
        self.ongoing: dict[int, int] = {}
        """Open transactions: first offset → producer id, in offset order."""
        self.unreplicated: dict[int, int] = {}
        """Finished transactions whose marker is not below the high watermark: first → last offset."""
        self.verifications = Verifications()
        self.snapshots = sorted(snapshots)
        """Offsets of the snapshot files on disk."""
        self.map_end_offset = start_offset
        self.last_snapshot_offset = start_offset

    # -- appending -----------------------------------------------------------------------

    def check(self, header: BatchHeader) -> BatchMetadata | None:
        """Whether this batch of a client may follow; answers the original if it is a duplicate.

        Raises ``AppendError``. Nothing is noted yet.
        """
        entry = self.entries.get(header.producer_id)
        if entry is None:
            return None  # nothing known, or all expired: any sequence is taken
        epoch = header.producer_epoch
        first = header.base_sequence
        if first < 0:
            self._check_epoch(header, entry)
            return None
        batches = entry.batches
        if epoch == entry.producer_epoch:
            if batches:
                last = batches[-1].last_sequence
                if first == last + 1 or (first == 0 and last == _SEQUENCE_MAX):
                    if entry.txn_first_offset >= 0 and not header.is_transactional:
                        raise _outside_transaction(header)
                    return None
                last_of_new = header.last_sequence
                for batch in batches:
                    if batch.first_sequence == first and batch.last_sequence == last_of_new:
                        return batch
                oldest = batches[0]
                restored = entry.restored and len(batches) < BATCHES_KEPT
                if restored and is_after(oldest.first_sequence, last_of_new):
                    # INVARIANTS 9. Where it is nobody knows, but not after this one: that is waited for.
                    return BatchMetadata(first, last_of_new, -1, oldest.last_offset, oldest.timestamp)
            else:
                last = -1
                if first == 0:
                    return None
            raise AppendError(
                ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
                f"producer {header.producer_id}: sequence {first} after {last}",
            )
        self._check_epoch(header, entry)
        if first != 0 and entry.producer_epoch != NO_EPOCH:
            raise AppendError(
                ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
                f"producer {header.producer_id}: new epoch {epoch} starts with sequence {first}",
            )
        return None

    @staticmethod
    def _check_epoch(header: BatchHeader, entry: ProducerEntry) -> None:
        """All there is to check in the batch of a coordinator, which counts no sequences."""
        if header.producer_epoch < entry.producer_epoch:
            raise AppendError(
                ErrorCode.INVALID_PRODUCER_EPOCH,
                f"producer {header.producer_id}: epoch {header.producer_epoch} "
                f"is older than {entry.producer_epoch}",
            )
        if entry.txn_first_offset >= 0 and not header.is_transactional:
            raise _outside_transaction(header)

    def begin_verification(
        self, producer_id: int, producer_epoch: int, sequence: int, *, starts_at_zero: bool
    ) -> VerificationGuard | None:
        """A guard for a batch that would begin a transaction; None if one is open, or it is an old batch."""
        entry = self.entries.get(producer_id)
        if entry is not None and producer_epoch == entry.producer_epoch:
            if entry.txn_first_offset >= 0:
                return None
            if sequence >= 0 and entry.batches and not is_after(sequence, entry.batches[-1].last_sequence):
                return None
        return self.verifications.begin(producer_id, producer_epoch, sequence, starts_at_zero=starts_at_zero)

    def check_start(self, header: BatchHeader, guard: VerificationGuard | None) -> None:
        """Whether this transactional batch, if its transaction is not open, may begin it."""
        entry = self.entries.get(header.producer_id)
        if entry is None:
            self.verifications.check(header, guard, knows_batches=False)
        elif entry.txn_first_offset < 0:
            self.verifications.check(header, guard, knows_batches=bool(entry.batches))
        elif entry.producer_epoch != header.producer_epoch and guard is not UNVERIFIED:
            # Unverified, a late batch may have begun it: only the producer's next marker ends it then.
            raise AppendError(
                ErrorCode.CONCURRENT_TRANSACTIONS,
                f"producer {header.producer_id}: that of epoch {entry.producer_epoch} is still open",
            )

    def note(self, header: BatchHeader, first_offset: int, last_offset: int) -> None:
        """Remember a data batch that is now in the log."""
        producer_id = header.producer_id
        entry = self.entries.get(producer_id)
        if entry is None:
            entry = self.entries[producer_id] = ProducerEntry(producer_id)
        batches = entry.batches
        epoch = header.producer_epoch
        if epoch != entry.producer_epoch:
            entry.producer_epoch = epoch
            entry.restored = False
            batches.clear()
        elif len(batches) == BATCHES_KEPT:
            del batches[0]
        timestamp = header.max_timestamp
        batches.append(
            BatchMetadata(header.base_sequence, header.last_sequence, first_offset, last_offset, timestamp)
        )
        entry.last_timestamp = timestamp
        if header.is_transactional and entry.txn_first_offset < 0:
            entry.txn_first_offset = first_offset
            self.ongoing[first_offset] = producer_id
            self.verifications.end(producer_id)

    def check_marker(
        self, producer_id: int, producer_epoch: int, *, coordinator_epoch: int, transaction_version: int = 0
    ) -> bool:
        """Whether this end-of-transaction marker may follow. False if it would change nothing: it is here.

        With an epoch per transaction (version 2) the marker's is above that of the transaction it ends, so
        one that comes late does not end the next. Raises ``AppendError``.
        """
        entry = self.entries.get(producer_id)
        if entry is None:
            return True
        is_open = entry.txn_first_offset >= 0
        epoch = entry.producer_epoch
        late = producer_epoch < epoch
        if transaction_version >= _EPOCH_PER_TRANSACTION and producer_epoch == epoch:
            late = is_open and producer_epoch != _EPOCH_MAX
        if late:
            raise AppendError(
                ErrorCode.INVALID_PRODUCER_EPOCH,
                f"marker of producer {producer_id}: epoch {producer_epoch} is not above {epoch}"
                if producer_epoch == epoch
                else f"marker of producer {producer_id}: epoch {producer_epoch} is older than {epoch}",
            )
        if coordinator_epoch < entry.coordinator_epoch:
            raise AppendError(
                ErrorCode.TRANSACTION_COORDINATOR_FENCED,
                f"marker of producer {producer_id}: coordinator epoch {coordinator_epoch} "
                f"is older than {entry.coordinator_epoch}",
            )
        return is_open or producer_epoch != epoch or coordinator_epoch != entry.coordinator_epoch

    def note_marker(
        self, header: BatchHeader, offset: int, timestamp: int, *, coordinator_epoch: int, aborted: bool
    ) -> CompletedTransaction | None:
        """Remember a marker that is now in the log; answers the transaction it ended, if any."""
        producer_id = header.producer_id
        entry = self.entries.get(producer_id)
        if entry is None:
            entry = self.entries[producer_id] = ProducerEntry(producer_id)
        if header.producer_epoch != entry.producer_epoch:
            entry.producer_epoch = header.producer_epoch
            entry.restored = False
            entry.batches.clear()
        self.verifications.end(producer_id)
        first_offset = entry.txn_first_offset
        entry.coordinator_epoch = coordinator_epoch
        entry.last_timestamp = timestamp
        entry.txn_first_offset = -1
        if first_offset < 0:
            return None
        return CompletedTransaction(producer_id, first_offset, offset, aborted)

    def note_emptied_marker(self, header: BatchHeader) -> None:
        """Of a marker that compaction emptied only the epoch is left: it fences the older ones."""
        producer_id = header.producer_id
        entry = self.entries.get(producer_id)
        if entry is None:
            entry = self.entries[producer_id] = ProducerEntry(producer_id)
        if header.producer_epoch > entry.producer_epoch:
            entry.producer_epoch = header.producer_epoch
            entry.restored = False
            entry.batches.clear()
        entry.last_timestamp = max(entry.last_timestamp, header.max_timestamp)

    def complete(self, completed: CompletedTransaction) -> int:
        """Close the transaction; answers the last stable offset as the transaction index wants it."""
        ongoing = self.ongoing
        ongoing.pop(completed.first_offset, None)
        self.unreplicated[completed.first_offset] = completed.last_offset
        return next(iter(ongoing), completed.last_offset + 1)

    # -- transactions --------------------------------------------------------------------

    def first_unstable_offset(self, high_watermark: int) -> int | None:
        """Where ``read_committed`` stops: the first open transaction, or a finished one whose
        marker the watermark has not passed."""
        unreplicated = self.unreplicated
        if unreplicated:
            for first, last in list(unreplicated.items()):
                if last < high_watermark:
                    del unreplicated[first]
        found = next(iter(self.ongoing), None)
        if unreplicated:
            first = min(unreplicated)
            found = first if found is None else min(found, first)
        return found

    # -- expiry --------------------------------------------------------------------------

    def remove_expired(self, now_ms: int, expiration_ms: int) -> None:
        """Forget producers that wrote nothing for long and have no open transaction."""
        expired = [
            entry.producer_id
            for entry in self.entries.values()
            if entry.txn_first_offset < 0 and now_ms - entry.last_timestamp >= expiration_ms
        ]
        for producer_id in expired:
            del self.entries[producer_id]
        self.verifications.remove_expired(now_ms, expiration_ms)

    # -- snapshots -----------------------------------------------------------------------

    def take_snapshot(self) -> File | None:
        """Write the state at ``map_end_offset`` unless it is on disk already. Not synced."""
        offset = self.map_end_offset
        if offset <= self.last_snapshot_offset and (offset in self.snapshots or not self.entries):
            return None
        file = self._disk.open(self._path(offset), create=True)
        file.truncate(0)
        file.append(encode_snapshot(_packed(entry) for entry in self.entries.values()))
        if offset not in self.snapshots:
            self.snapshots.append(offset)
            self.snapshots.sort()
        self.last_snapshot_offset = offset
        return file

    def load(self, start_offset: int, end_offset: int, now_ms: int, expiration_ms: int) -> None:
        """Start over from the latest good snapshot in ``start_offset … end_offset``; others go."""
        self.entries.clear()
        self.ongoing.clear()
        self.unreplicated.clear()
        self.verifications.clear()
        for offset in list(self.snapshots):
            if offset > end_offset or offset < start_offset:
                self.remove_snapshot(offset)
        for offset in reversed(list(self.snapshots)):
            try:
                found = decode_snapshot(self._disk.read_file(self._path(offset)))
            except CorruptSnapshot:
                self.remove_snapshot(offset)
                continue
            for packed in found:
                self._restore(packed)
            self.remove_expired(now_ms, expiration_ms)
            self.ongoing = dict(sorted(self.ongoing.items()))
            self.map_end_offset = self.last_snapshot_offset = offset
            return
        self.map_end_offset = self.last_snapshot_offset = start_offset

    def remove_snapshot(self, offset: int) -> None:
        if offset in self.snapshots:
            self.snapshots.remove(offset)
            self._disk.remove(self._path(offset))

    def remove_strays(self, segment_bases: Collection[int]) -> None:
        """Keep one snapshot per segment and the latest; those of earlier stops go."""
        for offset in self.snapshots[:-1]:
            if offset not in segment_bases:
                self.remove_snapshot(offset)

    def clear(self, offset: int) -> None:
        """Forget everything, snapshots too; the log starts over at ``offset``."""
        self.entries.clear()
        self.ongoing.clear()
        self.unreplicated.clear()
        self.verifications.clear()
        for snapshot in list(self.snapshots):
            self.remove_snapshot(snapshot)
        self.map_end_offset = self.last_snapshot_offset = offset

    def _path(self, offset: int) -> str:
        return f"{self._folder}/{offset_name(offset, SNAPSHOT_SUFFIX)}"

    def _restore(self, packed: SnapshotEntry) -> None:
        producer_id, epoch, sequence, offset, delta, timestamp, coordinator_epoch, txn_first = packed
        entry = ProducerEntry(producer_id)
        entry.producer_epoch = epoch
        entry.coordinator_epoch = coordinator_epoch
        entry.last_timestamp = timestamp
        entry.txn_first_offset = txn_first
        if offset >= 0:
            first_sequence = (sequence - delta) % _SEQUENCE_SPAN
            entry.batches.append(BatchMetadata(first_sequence, sequence, offset - delta, offset, timestamp))
            entry.restored = True
        self.entries[producer_id] = entry
        if txn_first >= 0:
            self.ongoing[txn_first] = producer_id


def _packed(entry: ProducerEntry) -> SnapshotEntry:
    sequence, offset, delta = -1, -1, 0
    if entry.batches:
        last = entry.batches[-1]
        sequence, offset, delta = last.last_sequence, last.last_offset, last.last_offset - last.first_offset
    return (
        entry.producer_id,
        entry.producer_epoch,
        sequence,
        offset,
        delta,
        entry.last_timestamp,
        entry.coordinator_epoch,
        entry.txn_first_offset,
    )


def _outside_transaction(header: BatchHeader) -> AppendError:
    return AppendError(
        ErrorCode.INVALID_TXN_STATE,
        f"producer {header.producer_id} has an open transaction and wrote outside it",
    )
