"""Damaged batches: right rows or a clear error, and both kernels say the same."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pyarrow as pa
import pytest

from riverlog.pipeline.arrow_read import CorruptRecords
from riverlog.pipeline.kernel import Kernel, compiled, interpreted
from riverlog.records import CorruptBatch, decode_records, read_header
from tests.unit.pipeline.kernel_fuzz import damage, read_damaged, write_damaged
from tests.unit.pipeline.kernel_kit import KERNELS, MAX, Row, draw_batch, reader, row, rows_of

ROUNDS = 1500


def plain_rows(batch: bytes) -> list[Row] | None:
    """By the plain decoder; None if it cannot."""
    header = read_header(batch)
    try:
        records = decode_records(batch, 0, header, max_bytes=MAX)
    except CorruptBatch:
        return None
    return [row(record, "t", 0, int(header.is_log_append_time), headers=True) for record in records]


def offsets_in_order(batch: bytes, rows: list[Row]) -> bool:
    """What the kernel asks for beyond the plain decoder."""
    header = read_header(batch)
    places = [header.base_offset - 1, *(row[4] for row in rows), header.last_offset + 1]
    return header.last_offset_delta >= 0 and all(before < after for before, after in pairwise(places))


@pytest.mark.parametrize("kernel", KERNELS)
def test_damaged_batches_give_the_plain_decoders_rows_or_are_corrupt(kernel: Kernel) -> None:
    chance = random.Random(11)
    whole = 0
    for _ in range(ROUNDS):
        base = chance.choice((0, 1000))
        batch = damage(chance, draw_batch(chance, base))
        header = read_header(batch)
        if header.is_control or header.is_transactional:
            continue
        expected = plain_rows(batch)
        try:
            found: list[Row] | None = rows_of(reader(kernel, base).feed(batch))
        except CorruptBatch:
            found = None
        if found is None:
            assert expected is None or not offsets_in_order(batch, expected)
        else:
            assert found == expected
            whole += 1
    assert whole > ROUNDS / 50  # the damage often leaves something to compare


@pytest.mark.skipif(compiled() is None, reason="the kernel is not compiled here")
def test_both_kernels_read_the_same_of_damaged_batches() -> None:
    fast, slow = compiled(), interpreted()
    assert fast is not None
    chance = random.Random(12)
    for _ in range(ROUNDS):
        batch = damage(chance, draw_batch(chance))
        seed = chance.random()
        found = [read_damaged(random.Random(seed), kernel, batch) for kernel in (fast, slow)]
        assert found[0] == found[1]


def outcome(kernel: Kernel, answers: Sequence[bytes], **options: int) -> tuple[list[Row], object]:
    """Rows of the answers one by one; and where the reader is, or what stopped it."""
    source = reader(kernel, **options)
    tables: list[pa.RecordBatch] = []
    try:
        for answer in answers:
            for table in source.feed(answer):
                tables.append(table)  # noqa: PERF402  what came before the error counts
    except CorruptRecords as problem:
        return rows_of(tables), (str(problem), problem.offset, problem.resume_at)
    return rows_of(tables), source.next_offset


@pytest.mark.parametrize("kernel", KERNELS)
def test_batches_in_one_go_are_read_as_each_by_itself(kernel: Kernel) -> None:
    """Damage anywhere, in the header as well; with a checksum that fits, and without."""
    chance = random.Random(14)
    stopped = 0
    for _ in range(ROUNDS // 2):
        batches = [draw_batch(chance, base) for base in (0, 5000, chance.choice((9000, 100)), 20_000)]
        at = chance.randrange(len(batches))
        if chance.random() < 0.5:
            batches[at] = damage(chance, batches[at])
        elif chance.random() < 0.7:
            broken = bytearray(batches[at])
            broken[chance.randrange(min(len(broken), 100))] ^= 1 << chance.randrange(8)
            batches[at] = bytes(broken)
        options = {"rows_max": chance.choice((1, 7, 1000)), "end": chance.choice((3, 5003, 1 << 40))}
        # The first batch of an answer is looked at by itself; the next one may tell where to go on.
        alone = outcome(kernel, [*batches[:at], b"".join(batches[at:])], **options)
        together = outcome(kernel, [b"".join(batches)], **options)
        assert together == alone
        stopped += isinstance(together[1], tuple)
    assert ROUNDS / 20 < stopped < ROUNDS / 2


@pytest.mark.parametrize("kernel", KERNELS)
def test_damaged_columns_are_written_or_refused(kernel: Kernel) -> None:
    chance = random.Random(13)
    outcomes = [write_damaged(chance, kernel) for _ in range(300)]
    assert 30 < sum(outcomes) < 270
