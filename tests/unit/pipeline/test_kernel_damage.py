"""Damaged batches: right rows or a clear error, and both kernels say the same."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

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


@pytest.mark.parametrize("kernel", KERNELS)
def test_damaged_columns_are_written_or_refused(kernel: Kernel) -> None:
    chance = random.Random(13)
    outcomes = [write_damaged(chance, kernel) for _ in range(300)]
    assert 30 < sum(outcomes) < 270
