"""Leader epochs of a log: which epoch started at which offset (KIP-101).

The file is a cache of the batch headers (RULES: durable end 6). ``durable_before`` says up
to which offset the file on disk can be trusted; the recovery point never passes it.
"""

from __future__ import annotations

from bisect import bisect_right

from riverlog.storage.checkpoints import CheckpointError, format_checkpoint, parse_checkpoint
from riverlog.storage.config import LONG_MAX

UNDEFINED_EPOCH = -1
UNDEFINED_OFFSET = -1


class LeaderEpochs:
    """Pairs of (epoch, start offset), both growing."""

    __slots__ = ("changes", "durable_before", "entries")

    def __init__(self, entries: list[tuple[int, int]] | None = None) -> None:
        self.entries: list[tuple[int, int]] = []
        self.durable_before = LONG_MAX
        """Entries that start below this offset are on disk as they are here."""
        self.changes = 0
        """Counts changes, so that a finished write knows whether it wrote the latest."""
        for epoch, start_offset in entries or []:
            self.assign(epoch, start_offset)
        self.durable_before = LONG_MAX

    @property
    def is_dirty(self) -> bool:
        return self.durable_before != LONG_MAX

    @property
    def latest_epoch(self) -> int:
        return self.entries[-1][0] if self.entries else UNDEFINED_EPOCH

    def assign(self, epoch: int, start_offset: int) -> None:
        """Note that ``epoch`` starts here. Entries that contradict it go."""
        entries = self.entries
        if entries and entries[-1][0] == epoch and entries[-1][1] <= start_offset:
            return
        first_changed = start_offset
        while entries and (entries[-1][0] >= epoch or entries[-1][1] >= start_offset):
            first_changed = min(first_changed, entries.pop()[1])
        entries.append((epoch, start_offset))
        self._changed(first_changed)

    def end_offset_for(self, epoch: int, log_end_offset: int) -> tuple[int, int]:
        """The largest epoch not above ``epoch`` and where it ends; (-1, -1) if unknown (KIP-279)."""
        entries = self.entries
        if epoch == UNDEFINED_EPOCH or not entries or epoch > entries[-1][0]:
            return UNDEFINED_EPOCH, UNDEFINED_OFFSET
        if epoch == entries[-1][0]:
            return epoch, log_end_offset
        above = bisect_right(entries, (epoch, LONG_MAX))
        if above == 0:
            # Older than anything kept: the peer starts over from where the first kept epoch starts.
            return epoch, entries[0][1]
        return entries[above - 1][0], entries[above][1]

    def epoch_for_offset(self, offset: int) -> int:
        """The epoch that wrote ``offset``; -1 if it is not known."""
        found = UNDEFINED_EPOCH
        for epoch, start_offset in self.entries:
            if start_offset > offset:
                break
            found = epoch
        return found

    def truncate_from_end(self, end_offset: int) -> None:
        """Drop epochs that start at ``end_offset`` or later."""
        entries = self.entries
        if entries and entries[-1][1] >= end_offset:
            while entries and entries[-1][1] >= end_offset:
                entries.pop()
            self._changed(end_offset)

    def truncate_from_start(self, start_offset: int) -> None:
        """Drop epochs that end at or before ``start_offset``; the one that holds it starts there."""
        entries = self.entries
        kept = len(entries)
        while kept > 0 and entries[kept - 1][1] > start_offset:
            kept -= 1
        # ``kept`` entries start at or before the new start: the last of them lives on.
        if kept > 1 or (kept == 1 and entries[0][1] < start_offset):
            entries[:kept] = [(entries[kept - 1][0], start_offset)]
            self._changed(start_offset)

    def clear(self) -> None:
        if self.entries:
            self.entries.clear()
            self._changed(0)

    def encode(self) -> bytes:
        return format_checkpoint([f"{epoch} {start_offset}" for epoch, start_offset in self.entries])

    def persisted(self, changes: int) -> None:
        """A write of the state after ``changes`` changes is on disk."""
        if changes == self.changes:
            self.durable_before = LONG_MAX

    def _changed(self, offset: int) -> None:
        self.changes += 1
        self.durable_before = min(self.durable_before, offset)


def decode_epochs(data: bytes) -> LeaderEpochs:
    """Raises ``CheckpointError`` for a file that is not one."""
    entries: list[tuple[int, int]] = []
    for fields in parse_checkpoint(data):
        if len(fields) != 2:
            raise CheckpointError(f"malformed line {' '.join(fields)!r}")
        try:
            entry = int(fields[0]), int(fields[1])
        except ValueError:
            raise CheckpointError(f"malformed line {' '.join(fields)!r}") from None
        if min(entry) < 0:
            raise CheckpointError(f"negative entry {entry}")
        entries.append(entry)
    return LeaderEpochs(entries)
