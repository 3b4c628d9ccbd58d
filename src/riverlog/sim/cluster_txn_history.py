"""What transactions were tried, how they ended as far as anybody was told, and what readers saw of them.

Clients write down every attempt, and what came back; ``read_committed`` readers write down what they were
given. The simulator has one time for all, so most is checked at once (INVARIANTS 10 to 13):

- a record is seen only after its client asked for the commit, and never if the transaction aborted;
- an offset that was passed by is a certain record for every reader, or hidden from all;
- of a transaction a partition shows the records in their order, without a gap;
- what a fenced epoch sends is never acknowledged; an epoch belongs to one client.

``check_end`` does the rest: all of a committed transaction is there, of one whose end nobody was told all
or nothing, over partitions, and offsets stand where the copies end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from riverlog.sim.checkers import Violation, require

Place = tuple[str, int]
"""Topic and partition."""


class Outcome(Enum):
    OPEN = "open"
    COMMITTED = "committed"
    ABORTED = "aborted"
    """Known: refused, aborted on demand, or never asked for."""
    UNKNOWN = "unknown"
    """The commit was asked for, and nobody was told."""


@dataclass(slots=True)
class Read:
    """What one attempt read in one partition, from one offset to another."""

    place: Place
    start: int
    end: int
    records: tuple[str, ...]


@dataclass(slots=True)
class Attempt:
    """One transaction of one client."""

    number: int
    who: str
    transactional_id: str
    producer_id: int
    producer_epoch: int
    began_at: float
    writes: dict[str, Place] = field(default_factory=dict)
    """Every record that was sent, or was to be."""
    sources: dict[str, tuple[Place, int]] = field(default_factory=dict)
    """Record → the input that it is a copy of."""
    reads: list[Read] = field(default_factory=list)
    commit_at: float | None = None
    """When its commit was asked for."""
    ended_at: float | None = None
    """When its client was told how it ended."""
    outcome: Outcome = Outcome.OPEN

    def __str__(self) -> str:
        return (
            f"transaction {self.number} of {self.who} ({self.transactional_id}, producer "
            f"{self.producer_id}/{self.producer_epoch}, {self.outcome.value})"
        )


class View:
    """What read-committed readers were given of one partition."""

    def __init__(self, place: Place) -> None:
        self.name = f"{place[0]}-{place[1]}"
        self.place = place
        self.records: dict[int, str] = {}
        self.front = 0
        """Everything below was read by somebody."""
        self._passed: dict[int, None] = {}
        """Offsets that a reader went over."""

    def saw(
        self, start: int, end: int, records: Iterable[tuple[int, str]], reader: str
    ) -> list[tuple[int, str]]:
        """``reader`` was given these for the offsets from ``start`` to ``end``; answers what is new."""
        given = dict(records)
        new: list[tuple[int, str]] = []
        for offset in range(start, end):
            record = given.pop(offset, None)
            if offset in self._passed:
                known = self.records.get(offset)
                require(
                    record == known,
                    f"{self.name}: {offset} is {record or 'hidden'} to {reader}, was {known or 'hidden'}",
                )
                continue
            self._passed[offset] = None
            if record is not None:
                self.records[offset] = record
                new.append((offset, record))
        require(not given, f"{self.name}: {reader} was given {given} outside of {start} to {end}")
        while self.front in self._passed:
            self.front += 1
        return new

    def in_order(self) -> list[tuple[int, str]]:
        return sorted(self.records.items())


class History:
    """All attempts and all views of one run."""

    def __init__(self) -> None:
        self.attempts: list[Attempt] = []
        self.views: dict[Place, View] = {}
        self.by_record: dict[str, Attempt] = {}
        self._where: dict[str, tuple[Place, int]] = {}
        self._copied: dict[tuple[str, Place, int], str] = {}
        """Topic of the copy and its source → the copy."""
        self._owners: dict[tuple[int, int], str] = {}
        self._grants: dict[int, list[tuple[int, float, str]]] = {}
        """Producer id → its epochs, since when, and whose they are."""

    # -- what clients tell -----------------------------------------------------------------

    def begin(
        self, who: str, transactional_id: str, producer_id: int, producer_epoch: int, now: float
    ) -> Attempt:
        attempt = Attempt(
            len(self.attempts) + 1, who, transactional_id, producer_id, producer_epoch, began_at=now
        )
        self.attempts.append(attempt)
        return attempt

    def write(self, attempt: Attempt, place: Place, *, source: tuple[Place, int] | None = None) -> str:
        """A record to be sent; its name is unique."""
        assert attempt.commit_at is None, "a write after the commit"
        record = f"{attempt.number}/{len(attempt.writes)}"
        attempt.writes[record] = place
        self.by_record[record] = attempt
        if source is not None:
            attempt.sources[record] = source
        return record

    def asks_commit(self, attempt: Attempt, now: float) -> None:
        if attempt.commit_at is None:
            attempt.commit_at = now

    def committed(self, attempt: Attempt, now: float) -> None:
        require(
            attempt.outcome is not Outcome.ABORTED and attempt.commit_at is not None,
            f"{attempt} was acknowledged as committed",
        )
        attempt.outcome = Outcome.COMMITTED
        attempt.ended_at = now

    def aborted(self, attempt: Attempt, now: float) -> None:
        """It was refused, or aborted, or given up before its commit was asked for."""
        require(attempt.outcome is not Outcome.COMMITTED, f"{attempt} is to be aborted now")
        attempt.outcome = Outcome.ABORTED
        attempt.ended_at = now
        for record in attempt.writes:
            self._check_hidden(attempt, record)

    def given_up(self, attempt: Attempt, now: float) -> None:
        """The client does not know, or is gone."""
        if attempt.outcome is Outcome.OPEN:
            if attempt.commit_at is None:
                self.aborted(attempt, now)
            else:
                attempt.outcome = Outcome.UNKNOWN

    # -- epochs ----------------------------------------------------------------------------

    def granted(self, who: str, producer_id: int, producer_epoch: int, now: float) -> None:
        """A client was given this epoch: all older ones are fenced from now on, and nobody else has it."""
        owner = self._owners.setdefault((producer_id, producer_epoch), who)
        require(owner == who, f"epoch {producer_id}/{producer_epoch} was given to {owner} and to {who}")
        self._grants.setdefault(producer_id, []).append((producer_epoch, now, who))

    def acknowledged(self, attempt: Attempt, what: str, first_sent_at: float) -> None:
        """INVARIANTS 10: nothing that was sent after another client had taken over."""
        for epoch, since, owner in self._grants.get(attempt.producer_id, ()):
            require(
                attempt.producer_epoch >= epoch or first_sent_at <= since,
                f"{what} of {attempt} was acknowledged, sent at {first_sent_at:.3f}; {owner} has epoch "
                f"{epoch} since {since:.3f}",
            )

    # -- what readers tell -----------------------------------------------------------------

    def view(self, place: Place) -> View:
        found = self.views.get(place)
        if found is None:
            found = self.views[place] = View(place)
        return found

    def read(
        self,
        reader: str,
        place: Place,
        start: int,
        end: int,
        records: list[tuple[int, str]],
        *,
        now: float,
        attempt: Attempt | None = None,
    ) -> None:
        """A read-committed reader went from ``start`` to ``end`` and was given these."""
        view = self.view(place)
        new = view.saw(start, end, records, reader)
        for offset, record in new:
            self._check_seen(view, offset, record, now)
        if view.front >= end:
            self._check_order(view, new)
        if attempt is not None:
            attempt.reads.append(Read(place, start, end, tuple(record for _, record in records)))

    def _check_seen(self, view: View, offset: int, record: str, now: float) -> None:
        writer = self.by_record.get(record)
        if writer is None:
            raise Violation(f"{view.name}: {record} at {offset} was never sent")
        require(
            writer.writes[record] == view.place,
            f"{view.name}: {record} at {offset} was sent to {writer.writes[record]}",
        )
        other = self._where.setdefault(record, (view.place, offset))
        require(
            other == (view.place, offset),
            f"{view.name}: {record} at {offset} was also at {other}",
        )
        require(
            writer.outcome is not Outcome.ABORTED,
            f"{view.name}: {record} at {offset} is of an aborted one: {writer}",
        )
        require(
            writer.commit_at is not None and writer.commit_at <= now,
            f"{view.name}: {record} at {offset} is seen, its commit was not asked for: {writer}",
        )
        source = writer.sources.get(record)
        if source is not None:
            copy = self._copied.setdefault((view.place[0], *source), record)
            require(copy == record, f"{view.name}: {source} was copied as {copy} and as {record}")

    def _check_hidden(self, attempt: Attempt, record: str) -> None:
        where = self._where.get(record)
        require(where is None, f"{record} was seen at {where}, and is of an aborted one: {attempt}")

    def _check_order(self, view: View, new: list[tuple[int, str]]) -> None:
        """What is seen of a transaction here is what it wrote first, in its order.

        Its end may be hidden still, behind another's open transaction (G1b, if one likes).
        """
        for number in dict.fromkeys(self.by_record[record].number for _, record in new):
            writer = self.attempts[number - 1]
            last = -1
            missing = ""
            for record, place in writer.writes.items():
                if place != view.place:
                    continue
                _, offset = self._where.get(record, (place, -1))
                missing = missing or (record if offset < 0 else "")
                require(
                    offset < 0 or (not missing and offset > last),
                    f"{view.name}: {record} at {offset} is seen without {missing or last}: {writer}",
                )
                last = max(last, offset)

    # -- in the end ------------------------------------------------------------------------

    def check_end(self) -> None:
        """All partitions were read to their ends, and nothing is open any more."""
        for attempt in self.attempts:
            require(attempt.outcome is not Outcome.OPEN, f"still open: {attempt}")
            seen = [record for record in attempt.writes if record in self._where]
            if attempt.outcome is Outcome.COMMITTED:
                missing = [record for record in attempt.writes if record not in self._where]
                require(not missing, f"{missing} cannot be read: {attempt}")
            elif attempt.outcome is Outcome.ABORTED:
                require(not seen, f"{seen} can be read: {attempt}")
            else:
                require(
                    len(seen) in (0, len(attempt.writes)),
                    f"{seen} can be read, {len(attempt.writes)} were written: {attempt}",
                )
        for view in self.views.values():
            self._check_times(view)

    def is_visible(self, attempt: Attempt) -> bool:
        return any(record in self._where for record in attempt.writes)

    def _check_times(self, view: View) -> None:
        """One that began after another had ended comes after it in every partition."""
        latest: Attempt | None = None
        for offset, record in view.in_order():
            writer = self.by_record[record]
            require(
                latest is None or writer.ended_at is None or writer.ended_at >= latest.began_at,
                f"{view.name}: {record} at {offset} comes after {latest}, which began later: {writer}",
            )
            if latest is None or writer.began_at > latest.began_at:
                latest = writer

    def check_copies(self, topic: str, inputs: Iterable[Place], offsets: dict[Place, int]) -> int:
        """Every input below the committed offset was copied once, none above, in order; answers how many."""
        found: dict[Place, list[int]] = {}
        for place, view in sorted(self.views.items()):
            if place[0] != topic:
                continue
            last: dict[Place, int] = {}
            for offset, record in view.in_order():
                source = self.by_record[record].sources.get(record)
                if source is None:
                    raise Violation(f"{view.name}: {record} at {offset} is no copy")
                require(
                    source[1] > last.get(source[0], -1),
                    f"{view.name}: the copy of {source} at {offset} follows that of {last.get(source[0])}",
                )
                last[source[0]] = source[1]
                found.setdefault(source[0], []).append(source[1])
        count = 0
        for place in inputs:
            end = offsets.get(place, 0)
            wanted = [offset for offset in sorted(self.view(place).records) if offset < end]
            copied = sorted(found.get(place, []))
            require(
                copied == wanted,
                f"{topic}: of {place} {_difference(copied, wanted)}; the group stands at {end}",
            )
            count += len(copied)
        return count


def _difference(copied: list[int], wanted: list[int]) -> str:
    lost = sorted(set(wanted) - set(copied))
    more = sorted(set(copied) - set(wanted))
    return f"{lost} were not copied, {more} were and should not be"
