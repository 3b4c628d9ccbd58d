"""The 61-byte header: reading, walking, checking, patching."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverlog.records import (
    HEADER_SIZE,
    BatchBuilder,
    CorruptBatch,
    UnsupportedMagic,
    crc_ok,
    iter_headers,
    patch,
    read_header,
)
from riverlog.records.header import HEADER, BatchHeader, patch_timestamp


def batch(count: int = 3, **options: int) -> bytearray:
    builder = BatchBuilder(**options)
    for number in range(count):
        builder.append(timestamp=1000 + number, key=b"k", value=b"value")
    return bytearray(builder.build())


def test_header_fields_come_back_as_built() -> None:
    builder = BatchBuilder(
        base_offset=70,
        leader_epoch=4,
        producer_id=9,
        producer_epoch=2,
        base_sequence=5,
        transactional=True,
        compression=3,
    )
    builder.append(timestamp=1000, value=b"a")
    builder.append(timestamp=900, value=b"b")
    data = builder.build()
    header = read_header(data, 0)
    assert header.base_offset == 70
    assert header.partition_leader_epoch == 4
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (9, 2, 5)
    assert (header.base_timestamp, header.max_timestamp) == (1000, 1000)
    assert (header.record_count, header.last_offset_delta, header.last_offset, header.next_offset) == (
        2,
        1,
        71,
        72,
    )
    assert header.size == len(data)
    assert header.compression == 3
    assert header.is_transactional
    assert not header.is_control
    assert not header.is_log_append_time
    assert not header.has_delete_horizon


def test_last_sequence_wraps_after_the_largest_int() -> None:
    def sequence(base: int, delta: int) -> int:
        return BatchHeader(0, 49, 0, 2, 0, 0, delta, 0, 0, 1, 0, base, delta + 1).last_sequence

    assert sequence(5, 3) == 8
    assert sequence(2**31 - 1, 0) == 2**31 - 1
    assert sequence(2**31 - 2, 3) == 1
    assert sequence(-1, 3) == -1


def test_patch_changes_offset_and_epoch_and_keeps_the_crc() -> None:
    data = batch()
    patch(data, 0, base_offset=12345678901, leader_epoch=77)
    header = read_header(data, 0)
    assert (header.base_offset, header.partition_leader_epoch) == (12345678901, 77)
    assert crc_ok(data, 0, header)


def test_patch_timestamp_renews_the_crc_and_touches_nothing_else() -> None:
    data = batch()
    before = read_header(data, 0)
    header = read_header(data, 0)
    patch_timestamp(data, 0, header, attributes=8, max_timestamp=555)
    after = read_header(data, 0)
    assert (after.attributes, after.max_timestamp) == (8, 555)
    assert (after.base_timestamp, after.last_offset_delta) == (
        before.base_timestamp,
        before.last_offset_delta,
    )
    assert after.crc == header.crc != before.crc
    assert crc_ok(data, 0, after)


def test_every_flipped_bit_behind_the_crc_is_noticed() -> None:
    data = batch()
    header = read_header(data, 0)
    for bit in range(21 * 8, len(data) * 8, 13):
        data[bit // 8] ^= 1 << bit % 8
        assert not crc_ok(data, 0, header)
        data[bit // 8] ^= 1 << bit % 8
    assert crc_ok(data, 0, header)


def test_crc_of_a_batch_cut_short_is_not_ok() -> None:
    data = batch()
    header = read_header(data, 0)
    assert not crc_ok(data[:-1], 0, header)


def test_iter_headers_leaves_out_a_partial_batch_at_the_end() -> None:
    first, second = batch(2), batch(5)
    whole = bytes(first + second)
    positions = [position for position, _ in iter_headers(whole)]
    assert positions == [0, len(first)]
    for cut in range(len(first), len(whole)):
        assert [h.record_count for _, h in iter_headers(whole[:cut])] == [2]
    assert [p for p, _ in iter_headers(whole, len(first))] == [len(first)]


@pytest.mark.parametrize("magic", [0, 1])
def test_old_formats_are_told_from_corruption(magic: int) -> None:
    data = batch()
    data[16] = magic
    for size in (len(data), 30):  # an old message may be shorter than our header
        with pytest.raises(UnsupportedMagic):
            read_header(data[:size], 0)


@pytest.mark.parametrize("magic", [3, 127, 255])
def test_unknown_magic_is_corrupt(magic: int) -> None:
    data = batch()
    data[16] = magic
    with pytest.raises(CorruptBatch, match="magic"):
        read_header(data, 0)


@pytest.mark.parametrize("length", [-1, 0, 48, -(2**31)])
def test_impossible_lengths_are_corrupt(length: int) -> None:
    data = batch()
    data[8:12] = length.to_bytes(4, "big", signed=True)
    with pytest.raises(CorruptBatch):
        read_header(data, 0)


@given(data=st.binary(max_size=HEADER_SIZE + 8), position=st.integers(-5, 80))
def test_any_bytes_give_a_header_or_a_corrupt_batch(data: bytes, position: int) -> None:
    try:
        header = read_header(data, position)
    except CorruptBatch:
        return
    assert 0 <= position <= len(data) - HEADER_SIZE
    assert header.magic == 2
    assert HEADER.unpack_from(data, position)[0] == header.base_offset
