"""What a log has promised, and whether it keeps it.

``LogModel`` follows one partition by notes of the workload. A note says what is about to
happen (a batch may be in the log from then on) or what is settled (so far it is durable). At
any moment, and so at any power cut, the model knows what a recovered log must and may hold:

- it must hold every batch below ``promised_end`` (acknowledged under ``ack.after.fsync``),
  from the promised log start on: invariants 1 and 2;
- behind that it may hold any prefix of what was appended, and nothing else: 2 and 9;
- nothing twice (9); time queries and indexes find what is there (21).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from riverlog.records import BatchHeader, CorruptBatch, Record, crc_ok, decode_records, iter_headers
from riverlog.records.header import CONTROL_FLAG
from riverlog.storage import Log

DECODED_BYTES_MAX = 1 << 24
TIMES_MAX = 60
"""About so many timestamps of a log are looked up in a check."""


class Violation(AssertionError):
    """A promise was broken. The message says which."""


def require(condition: bool, message: str) -> None:
    if not condition:
        raise Violation(message)


@dataclass(frozen=True, slots=True)
class BatchNote:
    """A batch as the log holds it. Every batch of a workload has its own CRC."""

    base_offset: int
    next_offset: int
    crc: int
    leader_epoch: int

    @classmethod
    def of(cls, header: BatchHeader) -> BatchNote:
        return cls(header.base_offset, header.next_offset, header.crc, header.partition_leader_epoch)


@dataclass(slots=True)
class LogModel:
    """One partition's promises."""

    name: str
    topic_id: bytes = bytes(16)
    batches: list[BatchNote] = field(default_factory=list)
    """All that was appended, oldest first, in the one line of history that counts."""
    promised_end: int = 0
    promised_start: int = 0
    start_max: int = 0
    """The log start may have moved up to here, durably or not."""
    cutting_to: int | None = None
    """A truncation is under way: the log may end here or at its old end."""
    floor: int = 0
    """Where the log went on after a start over: it ends here if it has no batch above."""

    @property
    def end(self) -> int:
        return max(self.batches[-1].next_offset if self.batches else 0, self.floor)

    # -- notes ---------------------------------------------------------------------------

    def appending(self, batch: BatchNote) -> None:
        self.batches.append(batch)

    def not_appended(self) -> None:
        """The append was refused: nothing of it may be there."""
        self.batches.pop()

    def durable(self, end: int) -> None:
        require(end <= self.end, f"{self.name}: durable end {end} is past the log end {self.end}")
        self.promised_end = max(self.promised_end, end)

    def start_moving(self, start: int) -> None:
        self.start_max = max(self.start_max, start)

    def start_durable(self, start: int) -> None:
        self.promised_start = max(self.promised_start, start)

    def truncating(self, offset: int) -> None:
        """Batches go whole: the cut is at the start of the one that holds ``offset``."""
        cut = next((batch.base_offset for batch in self.batches if batch.next_offset > offset), offset)
        self.cutting_to = cut
        self.promised_end = min(self.promised_end, cut)

    def truncated(self, end: int) -> None:
        self.cutting_to = None
        self.floor = end
        while self.batches and self.batches[-1].next_offset > end:
            self.batches.pop()

    def recovered(self, start: int, end: int) -> None:
        """A recovery was accepted: what it found is what there is, all durable."""
        self.cutting_to = None
        while self.batches and self.batches[-1].next_offset > end:
            self.batches.pop()
        self.promised_end = self.floor = end
        self.start_max = max(self.start_max, start)

    # -- checks --------------------------------------------------------------------------

    def check_recovered(self, log: Log, *, power_lost: bool) -> None:
        """A log that was opened after a stop. Kill -9 alone loses nothing."""
        name = self.name
        start, end = log.log_start_offset, log.log_end_offset
        require(not log.suspect or power_lost, f"{name}: suspect after a plain kill")
        require(not log.needs_acceptance, f"{name}: refuses writes though nothing was damaged")
        require(log.durable_end == end, f"{name}: recovery left {log.durable_end} of {end} durable")
        require(
            self.promised_start <= start <= max(self.start_max, self.promised_start),
            f"{name}: log start {start}, promised {self.promised_start}, moved up to {self.start_max}",
        )
        require(
            end >= self.promised_end or end >= start >= self.promised_end,
            f"{name}: log ends at {end}, acknowledged up to {self.promised_end}",
        )
        if not power_lost and self.cutting_to is None:
            require(end == self.end, f"{name}: log ends at {end} after a kill, was {self.end}")
        found = read_batches(log)
        expected = [batch for batch in self.batches if batch.next_offset > start]
        if self.cutting_to is not None and end <= self.cutting_to:
            expected = [batch for batch in expected if batch.next_offset <= end]
        require(
            found == expected[: len(found)],
            f"{name}: {_difference(found, expected)}",
        )
        last = found[-1].next_offset if found else start
        require(last == max(end, start), f"{name}: batches end at {last}, log end is {end}")

    def check_live(self, log: Log) -> None:
        """A running log: everything appended since the start is there."""
        found = read_batches(log)
        expected = [batch for batch in self.batches if batch.next_offset > log.log_start_offset]
        require(found == expected, f"{self.name}: {_difference(found, expected)}")


def _difference(found: list[BatchNote], expected: list[BatchNote]) -> str:
    for slot, batch in enumerate(found):
        if slot >= len(expected):
            return f"batch {slot} is {batch}, more than was ever appended"
        if batch != expected[slot]:
            return f"batch {slot} is {batch}, expected {expected[slot]}"
    return f"{len(found)} batches, expected {len(expected)}"


# -- reading a log the way consumers do -----------------------------------------------------


def read_all(log: Log, *, end_offset: int | None = None, max_bytes: int = 1 << 16) -> list[bytes]:
    """Everything from the log start on, in the pieces that fetches would get."""
    end = log.log_end_offset if end_offset is None else end_offset
    offset = log.log_start_offset
    pieces = []
    while offset < end:
        piece = log.read(offset, max_bytes=max_bytes, end_offset=end)
        if piece is None:
            break
        data = piece.read()
        require(len(data) == piece.length, f"{log.folder}: slice of {piece.length} bytes gave {len(data)}")
        try:
            headers = [header for _, header in iter_headers(data)]
        except CorruptBatch as error:
            raise Violation(f"{log.folder}: a read at {offset} gives what is no batch: {error}") from error
        require(bool(headers), f"{log.folder}: a read at {offset} holds no whole batch")
        whole = sum(header.size for header in headers)
        require(whole == len(data) or len(data) == max_bytes, f"{log.folder}: a read ends in the middle")
        require(headers[0].base_offset <= offset <= headers[0].last_offset, f"{log.folder}: wrong batch")
        offset = headers[-1].next_offset
        pieces.append(data[:whole])  # like a client, which drops a batch that the size limit cut
    return pieces


def read_batches(log: Log) -> list[BatchNote]:
    """Whole log, each batch checked: CRC, order, no gap."""
    found: list[BatchNote] = []
    for data in read_all(log):
        for position, header in iter_headers(data):
            require(crc_ok(data, position, header), f"{log.folder}: wrong CRC at {header.base_offset}")
            note = BatchNote.of(header)
            if found:
                expected = found[-1].next_offset
                require(note.base_offset == expected, f"{log.folder}: {note.base_offset} follows {expected}")
            found.append(note)
    return found


def read_records(log: Log) -> list[Record]:
    """All records at or above the log start."""
    records = []
    for data in read_all(log):
        for position, header in iter_headers(data):
            records += decode_records(data, position, header, max_bytes=DECODED_BYTES_MAX)
    return [record for record in records if record.offset >= log.log_start_offset]


def check_lookups(log: Log) -> None:
    """Offset and time lookups against a plain walk."""
    for data in read_all(log):
        for position, header in iter_headers(data):
            for offset in sorted({max(header.base_offset, log.log_start_offset), header.last_offset}):
                piece = log.read(offset, max_bytes=1, end_offset=log.log_end_offset)
                wanted = data[position : position + header.size]
                require(
                    piece is not None and piece.read() == wanted, f"{log.folder}: no batch at offset {offset}"
                )
    records = read_records(log)
    times = sorted({record.timestamp for record in records})
    times = times[:: 1 + len(times) // TIMES_MAX]
    for timestamp in [target + shift for target in times for shift in (-1, 0, 1)]:
        wanted_record = next((record for record in records if record.timestamp >= timestamp), None)
        expected = None if wanted_record is None else (wanted_record.timestamp, wanted_record.offset)
        answer = log.offset_for_timestamp(timestamp)
        require(answer == expected, f"{log.folder}: time {timestamp} gave {answer}, should be {expected}")


def check_unique_sequences(log: Log) -> None:
    """No idempotent batch stands in the log twice, and none is missing between two (invariant 9)."""
    last: dict[tuple[int, int], int] = {}
    for data in read_all(log):
        for _, header in iter_headers(data):
            if not header.has_producer_id or header.attributes & CONTROL_FLAG:
                continue
            key = (header.producer_id, header.producer_epoch)
            before = last.get(key)
            require(
                before is None or header.base_sequence == before + 1,
                f"{log.folder}: producer {key} sequence {header.base_sequence} follows {before}",
            )
            last[key] = header.last_sequence


def check_against_rebuild(log: Log, rebuilt: Log) -> None:
    """Epochs of a recovered log against its batches; producers against a log rebuilt from those alone.

    A rebuild knows nothing of what lay before the log start, so it may know less; what it
    knows must be the same. Snapshots keep one batch per producer, so the recovered list of
    duplicates may be shorter, but it ends the same way.
    """
    require(
        log.log_end_offset == rebuilt.log_end_offset,
        f"{log.folder}: ends at {log.log_end_offset}, rebuilt at {rebuilt.log_end_offset}",
    )
    for batch in read_batches(log):
        known = log.epochs.epoch_for_offset(batch.next_offset - 1)
        require(
            known == batch.leader_epoch,
            f"{log.folder}: offset {batch.base_offset} is of epoch {batch.leader_epoch}, cache says {known}",
        )
    for producer_id, wanted in sorted(rebuilt.producers.entries.items()):
        if not wanted.batches or wanted.batches[-1].last_offset < log.log_start_offset:
            continue  # its records were deleted: to be forgotten is allowed
        entry = log.producers.entries.get(producer_id)
        require(entry is not None, f"{log.folder}: producer {producer_id} is forgotten")
        assert entry is not None
        require(
            entry.producer_epoch == wanted.producer_epoch,
            f"{log.folder}: producer {producer_id} epoch {entry.producer_epoch}, is {wanted.producer_epoch}",
        )
        count = min(len(entry.batches), len(wanted.batches))
        require(
            count > 0 and entry.batches[-count:] == wanted.batches[-count:],
            f"{log.folder}: producer {producer_id} batches {entry.batches}, are {wanted.batches}",
        )
