"""What a broker has promised its clients, by what it answered them.

A record counts as promised once a client got it acknowledged with ``acks=all`` or read it.
From then on its offset names it and nothing else, until the log start passes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from riverlog.sim.checkers import Violation, require

NO_END = 1 << 62


@dataclass(frozen=True, slots=True)
class Known:
    """One record at one offset, and who says so."""

    record: str
    timestamp: int
    reason: str


@dataclass(slots=True)
class PartitionPromises:
    """One partition of one topic (of one topic id)."""

    name: str
    records: dict[int, Known] = field(default_factory=dict)
    offsets: dict[str, int] = field(default_factory=dict)
    """Record → its offset: none may have two."""
    end: int = 0
    """Everything below was readable once."""
    start_min: int = 0
    """The log starts here or above: DeleteRecords was acknowledged."""
    start_max: int = 0
    """…and not above this, unless retention may delete."""
    start_unsure: bool = False
    """A deletion got no answer: it may still take effect."""
    keys: dict[str, tuple[str, bool]] = field(default_factory=dict)
    """Record → its key and whether it deletes it, for all that was ever sent to a compacted topic."""
    void: bool = False
    """Nothing is promised any more: an answer may have been under way when what it tells was lost."""

    def promise(self, offset: int, record: str, timestamp: int, reason: str) -> None:
        if self.void:
            return
        known = self.records.get(offset)
        if known is None:
            other = self.offsets.setdefault(record, offset)
            require(other == offset, f"{self.name}: {record} is at {other} and at {offset} ({reason})")
            self.records[offset] = Known(record, timestamp, reason)
        else:
            require(
                known.record == record,
                f"{self.name}: offset {offset} is {record} ({reason}), was {known.record} ({known.reason})",
            )
        self.end = max(self.end, offset + 1)

    def check_start(self, start: int, *, at_least: int, retention: bool) -> None:
        """``at_least`` is the ``start_min`` when the question was sent: the answer may be late."""
        require(
            at_least <= start,
            f"{self.name}: log starts at {start}, deletion up to {at_least} was acknowledged",
        )
        require(
            retention or start <= self.start_max,
            f"{self.name}: log starts at {start}, nobody deleted past {self.start_max}",
        )

    def check_time(self, timestamp: int, offset: int, end_before: int) -> None:
        """A time query skips no record that is there (21). ``offset`` is -1 if it found none."""
        end = end_before if offset < 0 else min(offset, end_before)
        for at in range(self.start_max, end):
            known = self.records.get(at)
            require(
                known is None or known.timestamp < timestamp,
                f"{self.name}: time {timestamp} gave offset {offset}, but {at} is as late",
            )

    def check_end(self, end: int, leader_epoch: int, end_before: int) -> None:
        """An answered end is not behind what was readable when it was asked for, whoever leads (KIP-207)."""
        require(
            end >= end_before,
            f"{self.name}: ends at {end} in epoch {leader_epoch}, readable was {end_before}",
        )

    def check_order(self) -> None:
        """Records of one producer stand in the order it sent them: invariant 9."""
        last: dict[str, tuple[int, str]] = {}
        for offset in sorted(self.records):
            record = self.records[offset].record
            producer, _, number = record.rpartition("/")
            if not producer.startswith("idempotent"):
                continue
            before, name = last.get(producer, (-1, ""))
            require(int(number) > before, f"{self.name}: {record} at {offset} follows {name}")
            last[producer] = (int(number), record)

    def forget(self) -> None:
        """Power was lost and this topic does not wait for the disk: nothing was promised."""
        self.records.clear()
        self.offsets.clear()
        self.end = self.start_min = 0


UNSURE = "unsure"
"""A request about it got no answer: it may be so or not."""
EXISTS = "exists"
DELETED = "deleted"


@dataclass(slots=True)
class TopicPromises:
    """One topic name over its incarnations."""

    name: str
    state: str = DELETED
    topic_id: bytes = b""
    waits_for_disk: bool = True
    retention: bool = False
    partitions: dict[int, PartitionPromises] = field(default_factory=dict)
    settings: dict[str, list[str | None]] = field(default_factory=dict)
    """Setting → values that may be in force; one once it is settled."""

    def born(self, topic_id: bytes, count: int) -> None:
        """This incarnation is there now; a new id means a new, empty topic."""
        if topic_id != self.topic_id:
            self.topic_id = topic_id
            self.partitions = {
                index: PartitionPromises(f"{self.name}-{index}@{topic_id.hex()[:6]}")
                for index in range(count)
            }
        self.state = EXISTS

    def check_metadata(self, topic_id: bytes | None) -> None:
        """What Metadata says of this name now, None if it knows no such topic."""
        if self.state == EXISTS:
            require(topic_id is not None, f"{self.name}: created and acknowledged, now unknown")
            require(topic_id == self.topic_id, f"{self.name}: was recreated, nobody asked for it")
        elif self.state == DELETED:
            require(topic_id is None, f"{self.name}: deleted and acknowledged, now there")

    def check_setting(self, setting: str, value: str | None) -> None:
        allowed = self.settings.get(setting)
        if allowed is not None and value not in allowed:
            raise Violation(f"{self.name}: {setting} is {value}, acknowledged was {allowed}")
