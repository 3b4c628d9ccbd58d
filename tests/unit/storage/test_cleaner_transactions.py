"""Compaction of transactions in random order: readers see what was committed, and nothing dangles."""

from __future__ import annotations

from random import Random

import pytest
from cleaner_world import HOUR_MS, Compacted, compacted

from riverlog.records import decode_records

PRODUCERS = 3
KEYS = [b"%d" % number for number in range(60)]


class Run:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.one = Compacted(compacted(delete_retention_ms=HOUR_MS, producer_id_expiration_ms=10**12))
        self.epochs = [0] * PRODUCERS
        self.sequences = [0] * PRODUCERS
        self.open: list[list[tuple[bytes, bytes]]] = [[] for _ in range(PRODUCERS)]
        self.committed: dict[bytes, tuple[int, bytes]] = {}
        """The last committed value of each key by its offset."""
        self.values = 0

    def send(self) -> None:
        producer_id = self.random.randrange(PRODUCERS)
        key = self.random.choice(KEYS)
        self.values += 1
        value = b"%d" % self.values
        transactional = bool(self.open[producer_id]) or self.random.random() < 0.8
        offset = self.one.put(
            [(key, value)],
            producer_id=producer_id,
            epoch=self.epochs[producer_id],
            sequence=self.sequences[producer_id],
            transactional=transactional,
            roll=self.random.random() < 0.3,
        )
        self.sequences[producer_id] += 1
        if transactional:
            self.open[producer_id].append((key, b"%d %s" % (offset, value)))
        else:
            self._commit(key, offset, value)

    def plain(self) -> None:
        self.values += 1
        value = b"%d" % self.values
        self._commit(KEYS[0], self.one.put([(KEYS[0], value)], roll=True), value)

    def _commit(self, key: bytes, offset: int, value: bytes) -> None:
        if offset > self.committed.get(key, (-1, b""))[0]:
            self.committed[key] = offset, value

    def end(self, producer_id: int) -> None:
        committed = self.random.random() < 0.5
        if self.random.random() < 0.7:  # an epoch per transaction
            self.epochs[producer_id] += 1
            self.sequences[producer_id] = 0
        self.one.end(
            producer_id,
            commit=committed,
            epoch=self.epochs[producer_id],
            roll=self.random.random() < 0.3,
        )
        if committed:
            for key, packed in self.open[producer_id]:
                offset, value = packed.split()
                self._commit(key, int(offset), value)
        self.open[producer_id].clear()

    def seen(self) -> dict[bytes, tuple[int, bytes]]:
        """What a ``read_committed`` reader of the whole log ends with, as Kafka's clients filter."""
        one = self.one
        end = one.log.last_stable_offset
        aborted = sorted(
            (transaction.first_offset, transaction.producer_id)
            for transaction in one.log.aborted_transactions(0, end)
        )
        hidden: set[int] = set()
        found: dict[bytes, tuple[int, bytes]] = {}
        for data, position, header in one._batches():
            if header.last_offset >= end:
                break
            while aborted and aborted[0][0] <= header.last_offset:
                hidden.add(aborted.pop(0)[1])
            if header.is_control:
                if header.record_count:
                    hidden.discard(header.producer_id)
            elif not (header.is_transactional and header.producer_id in hidden):
                for record in decode_records(data, position, header, max_bytes=1 << 20):
                    assert record.key is not None
                    assert record.value is not None
                    found[record.key] = record.offset, record.value
        return found


@pytest.mark.parametrize("seed", range(25))
def test_reader_sees_the_last_committed_values(seed: int) -> None:
    run = Run(seed)
    one = run.one
    for _ in range(5):
        for _ in range(25):
            run.send()
            if run.random.random() < 0.5:
                run.end(run.random.randrange(PRODUCERS))
        for producer_id in range(PRODUCERS):
            if run.open[producer_id]:
                run.end(producer_id)
        one.roll()
        for _ in range(3):  # the second time markers get their horizon, the third time they may go
            one.clean()
            one.wait(run.random.choice([1, HOUR_MS]))
            run.plain()
        assert one.log.last_stable_offset == one.log.log_end_offset
        assert run.seen() == run.committed
        if run.random.random() < 0.5:
            one.drop_snapshots()
        one.restart()
        assert one.log.producers.ongoing == {}, "a marker went before its data"
        assert one.log.last_stable_offset == one.log.log_end_offset
        assert run.seen() == run.committed


def test_snapshot_of_before_compaction_does_not_open_a_transaction_whose_marker_went() -> None:
    """INVARIANTS 14. Its data, another segment and its marker stand in segments that do not fit together."""
    large = b"x" * 2000
    one = Compacted(
        compacted(segment_bytes=3000, delete_retention_ms=HOUR_MS, producer_id_expiration_ms=HOUR_MS)
    )
    one.put([(b"a", b"1")], producer_id=7, sequence=0, transactional=True)
    one.put([(b"b", large)], roll=True)
    one.put([(b"c", large)], roll=True)
    one.end(7, commit=False)
    one.put([(b"d", large)], roll=True)
    for number in range(5):
        one.put([(b"e", b"%d" % number)], roll=True)
        one.clean()
        one.wait(2 * HOUR_MS)
        one.log.producers.remove_expired(one.now_ms, HOUR_MS)
    assert one.markers() == []
    assert one.log.last_stable_offset == one.log.log_end_offset
    one.settle()
    one.restart()
    assert one.log.producers.ongoing == {}
    assert one.log.last_stable_offset == one.log.log_end_offset
