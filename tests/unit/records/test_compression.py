"""The five codecs: round trips, foreign framings, bounds."""

from __future__ import annotations

import contextlib
import gzip
import random
import tracemalloc
from struct import pack

import cramjam
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverlog.records import Codec, CorruptBatch, DecompressedTooLarge, compress, decompress
from riverlog.records.compression import compress_slices

COMPRESSED = [Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD]
TEXT = b"".join(
    b'{"id":%d,"city":"Paris"}' % number for number in range(9000)
)  # several blocks of each codec


@pytest.mark.parametrize("codec", list(Codec))
@pytest.mark.parametrize("data", [b"a", b"\x00" * 70_000, TEXT, random.Random(1).randbytes(200_000)])
def test_data_comes_back(codec: Codec, data: bytes) -> None:
    assert decompress(codec, compress(codec, memoryview(data)), max_bytes=len(data)) == data


@pytest.mark.parametrize(("codec", "level"), [(Codec.GZIP, 9), (Codec.LZ4, 12), (Codec.ZSTD, 19)])
def test_levels_are_honoured(codec: Codec, level: int) -> None:
    source = random.Random(2)
    data = b"".join(b'{"id":%d,"n":%d}' % (source.getrandbits(40), source.randrange(9)) for _ in range(5000))
    low, high = compress(codec, data, 1), compress(codec, data, level)
    assert decompress(codec, high, max_bytes=1 << 20) == decompress(codec, low, max_bytes=1 << 20) == data
    assert len(high) < len(low)


def test_kafkas_default_lz4_level_is_the_fast_mode() -> None:
    assert compress(Codec.LZ4, TEXT, 9) == compress(Codec.LZ4, TEXT)


def test_gzip_level_minus_one_is_the_default() -> None:
    assert compress(Codec.GZIP, TEXT, -1) == compress(Codec.GZIP, TEXT, 6)


@settings(max_examples=60, deadline=None)
@given(
    codec=st.sampled_from(COMPRESSED), data=st.binary(min_size=1, max_size=3000), limit=st.integers(0, 3000)
)
def test_the_limit_is_exact(codec: Codec, data: bytes, limit: int) -> None:
    packed = compress(codec, data)
    if len(data) <= limit:
        assert decompress(codec, packed, max_bytes=limit) == data
    else:
        with pytest.raises(DecompressedTooLarge):
            decompress(codec, packed, max_bytes=limit)


def peak_of_refusal(codec: Codec, data: bytes, *, max_bytes: int) -> int:
    """Bytes of Python memory that refusing ``data`` takes at most."""
    tracemalloc.start()
    try:
        with pytest.raises(CorruptBatch):
            decompress(codec, data, max_bytes=max_bytes)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("codec", COMPRESSED)
def test_a_bomb_is_refused_without_taking_its_memory(codec: Codec) -> None:
    bomb = compress(codec, bytes(64 << 20), 1 if codec is Codec.GZIP else None)
    assert peak_of_refusal(codec, bomb, max_bytes=1 << 20) < 3 << 20


def test_a_declared_size_alone_does_not_claim_memory() -> None:
    """A zstd header and a snappy block that promise 100 MB in a few bytes."""
    zstd = b"\x28\xb5\x2f\xfd" + bytes([0xA0]) + pack("<I", 100 << 20) + b"\x07\x00\x00"
    snappy = bytes([0x80, 0x80, 0x80, 0x32]) + b"\x00a"
    for codec, data in ((Codec.ZSTD, zstd), (Codec.SNAPPY, snappy)):
        assert peak_of_refusal(codec, data, max_bytes=128 << 20) < 1 << 20


def test_snappy_is_written_in_the_java_framing() -> None:
    packed = compress(Codec.SNAPPY, TEXT)
    assert packed.startswith(b"\x82SNAPPY\x00\x00\x00\x00\x01\x00\x00\x00\x01")
    first = int.from_bytes(packed[16:20], "big")
    assert bytes(cramjam.snappy.decompress_raw(packed[20 : 20 + first])) == TEXT[: 32 * 1024]


def test_raw_and_joined_snappy_are_read() -> None:
    raw = bytes(cramjam.snappy.compress_raw(TEXT))
    assert decompress(Codec.SNAPPY, raw, max_bytes=1 << 20) == TEXT
    joined = compress(Codec.SNAPPY, b"one") + compress(Codec.SNAPPY, b"two")
    assert decompress(Codec.SNAPPY, joined, max_bytes=100) == b"onetwo"


def test_lz4_frames_have_the_shape_that_kafka_reads() -> None:
    """Independent blocks of 64 KiB: Kafka's reader refuses linked ones, the library's default."""
    for level in (None, 3, 12):
        packed = compress(Codec.LZ4, TEXT, level)
        assert packed[:4] == b"\x04\x22\x4d\x18"
        flags, block_descriptor = packed[4], packed[5]
        assert flags >> 6 == 1
        assert flags & 0x20
        assert block_descriptor == 0x40


def test_lz4_frames_with_linked_blocks_and_checksums_are_read() -> None:
    linked = bytes(cramjam.lz4.compress(TEXT))
    assert not linked[4] & 0x20
    assert decompress(Codec.LZ4, linked, max_bytes=1 << 20) == TEXT


def test_incompressible_lz4_blocks_are_stored() -> None:
    noise = random.Random(3).randbytes(65536)
    packed = compress(Codec.LZ4, noise)
    assert len(packed) == 7 + 4 + 65536 + 4
    assert decompress(Codec.LZ4, packed, max_bytes=65536) == noise


def test_gzip_is_what_gzip_reads_and_members_join() -> None:
    assert gzip.decompress(compress(Codec.GZIP, TEXT)) == TEXT
    joined = gzip.compress(b"one") + gzip.compress(b"two")
    assert decompress(Codec.GZIP, joined, max_bytes=100) == b"onetwo"


@pytest.mark.parametrize("codec", [5, 6, 7, -1])
def test_unknown_codecs_are_refused(codec: int) -> None:
    with pytest.raises(CorruptBatch):
        decompress(codec, b"abc", max_bytes=10)
    with pytest.raises(ValueError, match="codec"):
        compress(codec, b"abc")


@pytest.mark.parametrize("codec", COMPRESSED)
def test_empty_or_cut_input_is_corrupt(codec: Codec) -> None:
    packed = compress(codec, TEXT[:5000])
    with pytest.raises(CorruptBatch):
        decompress(codec, b"", max_bytes=100_000)
    for cut in range(1, len(packed), 7):
        if codec is Codec.SNAPPY and cut == 16:
            continue  # a framing header alone is an empty stream
        with pytest.raises(CorruptBatch):
            decompress(codec, packed[:cut], max_bytes=100_000)


@settings(max_examples=300, deadline=None)
@given(
    codec=st.sampled_from(COMPRESSED),
    flips=st.lists(st.tuples(st.integers(0, 10_000), st.integers(1, 255)), min_size=1, max_size=4),
)
def test_damaged_input_gives_data_or_a_corrupt_batch(codec: Codec, flips: list[tuple[int, int]]) -> None:
    packed = bytearray(compress(codec, TEXT[:3000]))
    for position, mask in flips:
        packed[position % len(packed)] ^= mask
    try:
        data = decompress(codec, packed, max_bytes=10_000)
    except CorruptBatch:
        return
    assert len(data) <= 10_000


@settings(max_examples=200, deadline=None)
@given(codec=st.integers(0, 7), data=st.binary(max_size=200))
def test_any_bytes_give_data_or_a_corrupt_batch(codec: int, data: bytes) -> None:
    with contextlib.suppress(CorruptBatch):
        assert len(decompress(codec, data, max_bytes=1000)) <= 1000


@pytest.mark.parametrize("codec", list(Codec))
@pytest.mark.parametrize("size", [1, 5000, 300_000])
def test_slices_join_to_a_stream_with_the_same_content(codec: Codec, size: int) -> None:
    data = bytes(number * number % 251 for number in range(size))
    pieces = list(compress_slices(codec, data))
    assert decompress(codec, b"".join(pieces), max_bytes=size + 1) == data
    if size == 300_000 and codec is not Codec.NONE:
        assert len(pieces) > 2
