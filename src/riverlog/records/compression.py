"""The five codecs of record batches, through one native library.

``decompress`` never allocates more than ``max_bytes`` for its result: it writes into a
buffer of a guessed size and grows that buffer, up to the limit, while the data does not fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from struct import Struct
from typing import Protocol

import cramjam

from riverlog.records.errors import CorruptBatch, DecompressedTooLarge

Buffer = bytes | bytearray | memoryview


class Codec(IntEnum):
    """Kafka's codec ids, as in a batch's attributes."""

    NONE = 0
    GZIP = 1
    SNAPPY = 2
    LZ4 = 3
    ZSTD = 4


CODEC_NAMES = {codec.name.lower(): codec for codec in Codec}
"""``compression.type`` values (``uncompressed`` and ``producer`` aside) to codecs."""

LEVEL_RANGES = {Codec.GZIP: (1, 9), Codec.LZ4: (1, 17), Codec.ZSTD: (-131072, 22)}
_DEFAULT_LEVELS = {Codec.GZIP: 6, Codec.ZSTD: 3}

_XERIAL_MAGIC = b"\x82SNAPPY\x00"
_XERIAL_HEADER = _XERIAL_MAGIC + b"\x00\x00\x00\x01\x00\x00\x00\x01"
_XERIAL_BLOCK = 32 * 1024
_SNAPPY_RATIO_MAX = 22
"""Three bytes of snappy copy at most 64."""

# Independent 64 KiB blocks, as Kafka's Java client writes them: it cannot read linked ones, which
# are the library's default. The last byte is the header's checksum.
_LZ4_HEADER = b"\x04\x22\x4d\x18\x60\x40\x82"
_LZ4_BLOCK = 64 * 1024
_LZ4_STORED = 0x80000000
_LZ4_END = b"\x00\x00\x00\x00"
_LZ4_FAST_LEVEL = 9
"""Kafka's default for ``compression.lz4.level``, by which it means the fast mode."""

_SLICE_BYTES = {Codec.NONE: 1 << 20, Codec.GZIP: 16 << 10, Codec.ZSTD: 128 << 10}
"""Input that one step of ``compress_slices`` takes: about a millisecond of work."""

_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"

_FIRST_GUESS_MIN = 4096
_GROWTH = 4
_HINT_RATIO_MAX = 1024
_OUTPUT_FULL = "failed to write whole buffer"

_big_int = Struct(">i")
_little_uint = Struct("<I")


class _Decoder(Protocol):
    def __call__(self, data: Buffer, output: bytearray, /) -> int: ...


def compress(codec: int, data: Buffer, level: int | None = None) -> bytes:
    """``data`` as one stream that Kafka's clients read; ``level`` as in Kafka's settings."""
    if codec == Codec.NONE:
        return bytes(data)
    if codec == Codec.GZIP:
        return bytes(cramjam.gzip.compress(data, level=_level(Codec.GZIP, level)))
    if codec == Codec.SNAPPY:
        return _compress_snappy(data)
    if codec == Codec.LZ4:
        return _compress_lz4(data, level)
    if codec == Codec.ZSTD:
        return bytes(cramjam.zstd.compress(data, level=_level(Codec.ZSTD, level)))
    raise ValueError(f"unknown compression codec {codec}")


def compress_slices(codec: int, data: Buffer, level: int | None = None) -> Iterator[bytes]:
    """What ``compress`` answers, in pieces, each made from a bounded part of ``data``: between two of them
    the caller may do something else."""
    if codec == Codec.SNAPPY:
        yield from _snappy_pieces(data)
        return
    if codec == Codec.LZ4:
        if level is None or level == _LZ4_FAST_LEVEL:
            yield from _lz4_pieces(data)
        else:
            yield _compress_lz4(data, level)
        return
    if codec not in _SLICE_BYTES:
        raise ValueError(f"unknown compression codec {codec}")
    view = memoryview(data)
    kind = Codec(codec)
    size = _SLICE_BYTES[kind]
    if len(view) <= size:
        yield compress(codec, data, level)
        return
    slices = (view[start : start + size] for start in range(0, len(view), size))
    if kind is Codec.NONE:
        yield from map(bytes, slices)
        return
    module = cramjam.gzip if kind is Codec.GZIP else cramjam.zstd
    compressor = module.Compressor(level=_level(kind, level))
    for part in slices:
        compressor.compress(bytes(part))
        yield b""
    yield bytes(compressor.finish())


def _level(codec: Codec, level: int | None) -> int:
    # -1 is how Kafka's settings say "the default" for gzip.
    return _DEFAULT_LEVELS[codec] if level is None or (codec is Codec.GZIP and level == -1) else level


def _compress_snappy(data: Buffer) -> bytes:
    return b"".join(_snappy_pieces(data))


def _snappy_pieces(data: Buffer) -> Iterator[bytes]:
    """Xerial's framing, as the Java client writes it: blocks of 32 KiB with their lengths."""
    view = memoryview(data)
    yield _XERIAL_HEADER
    for start in range(0, len(view), _XERIAL_BLOCK):
        block = bytes(cramjam.snappy.compress_raw(view[start : start + _XERIAL_BLOCK]))
        yield _big_int.pack(len(block)) + block


def _compress_lz4(data: Buffer, level: int | None) -> bytes:
    """An lz4 frame. The library's own frames are up to 7 times slower, so only asked-for levels use them."""
    if level is not None and level != _LZ4_FAST_LEVEL:
        compressor = cramjam.lz4.Compressor(level=level, content_checksum=False, block_linked=False)
        compressor.compress(data)
        return bytes(compressor.finish())
    return b"".join(_lz4_pieces(data))


def _lz4_pieces(data: Buffer) -> Iterator[bytes]:
    view = memoryview(data)
    yield _LZ4_HEADER
    for start in range(0, len(view), _LZ4_BLOCK):
        block = view[start : start + _LZ4_BLOCK]
        packed = bytes(cramjam.lz4.compress_block(block, store_size=False))
        if len(packed) < len(block):
            yield _little_uint.pack(len(packed)) + packed
        else:
            yield _little_uint.pack(len(block) | _LZ4_STORED) + bytes(block)
    yield _LZ4_END


def decompress(codec: int, data: Buffer, *, max_bytes: int) -> bytes:
    """The content of ``data``; ``CorruptBatch`` if it is malformed or larger than ``max_bytes``."""
    return bytes(decompress_view(codec, data, max_bytes=max_bytes))


def decompress_view(codec: int, data: Buffer, *, max_bytes: int) -> Buffer:
    """As ``decompress``, where any buffer will do: one copy less."""
    if codec == Codec.NONE:
        if len(data) > max_bytes:
            raise DecompressedTooLarge(max_bytes)
        return data
    if codec == Codec.SNAPPY:
        return _decompress_snappy(memoryview(data), max_bytes)
    if codec == Codec.GZIP:
        return _decompress_into(cramjam.gzip.decompress_into, data, _gzip_hint(data), max_bytes)
    if codec == Codec.LZ4:
        return _decompress_into(cramjam.lz4.decompress_into, data, 0, max_bytes)
    if codec == Codec.ZSTD:
        return _decompress_into(cramjam.zstd.decompress_into, data, _zstd_hint(data), max_bytes)
    raise CorruptBatch(f"unknown compression codec {codec}")


def _decompress_into(decoder: _Decoder, data: Buffer, hint: int, max_bytes: int) -> memoryview:
    if not data:
        raise CorruptBatch("compressed records are empty")
    # A declared size is only a hint: it must not make a few bytes claim all the room there is.
    guess = min(hint, len(data) * _HINT_RATIO_MAX) if hint else len(data) * _GROWTH
    size = min(max(guess, _FIRST_GUESS_MIN), max_bytes)
    while True:
        output = bytearray(size)
        try:
            written = decoder(data, output)
        except cramjam.DecompressionError as problem:
            if _OUTPUT_FULL not in str(problem):
                raise CorruptBatch(f"records do not decompress: {problem}") from None
            if size >= max_bytes:
                raise DecompressedTooLarge(max_bytes) from None
            size = min(size * _GROWTH, max_bytes)
        else:
            return memoryview(output)[:written]


def _gzip_hint(data: Buffer) -> int:
    """The size modulo 2^32 that ends a gzip stream."""
    return int(_little_uint.unpack_from(data, len(data) - 4)[0]) if len(data) >= 18 else 0


def _zstd_hint(data: Buffer) -> int:
    """The content size that a zstd frame's header may declare (RFC 8878, 3.1.1.1)."""
    if len(data) < 6 or bytes(data[:4]) != _ZSTD_MAGIC:
        return 0
    descriptor = data[4]
    single_segment = descriptor & 0x20
    size_bytes = (0, 2, 4, 8)[descriptor >> 6] or (1 if single_segment else 0)
    start = 5 + (0 if single_segment else 1) + (0, 1, 2, 4)[descriptor & 3]
    value = int.from_bytes(bytes(data[start : start + size_bytes]), "little")
    return value + 256 if size_bytes == 2 else value


def _decompress_snappy(data: memoryview, max_bytes: int) -> bytes:
    if bytes(data[:8]) != _XERIAL_MAGIC:
        return _decompress_snappy_block(data, max_bytes, max_bytes)
    parts: list[bytes] = []
    left = max_bytes
    position = 0
    while position < len(data):
        if bytes(data[position : position + 8]) == _XERIAL_MAGIC:
            # Streams may be joined: a header can follow a block.
            position += len(_XERIAL_HEADER)
            if position > len(data):
                raise CorruptBatch("snappy header is cut short")
            continue
        if position + 4 > len(data):
            raise CorruptBatch("snappy block length is cut short")
        length = _big_int.unpack_from(data, position)[0]
        position += 4
        if length < 0 or length > len(data) - position:
            raise CorruptBatch(f"snappy block length {length} does not fit")
        part = _decompress_snappy_block(data[position : position + length], left, max_bytes)
        left -= len(part)
        parts.append(part)
        position += length
    return b"".join(parts)


def _decompress_snappy_block(data: memoryview, left: int, max_bytes: int) -> bytes:
    if not data:
        raise CorruptBatch("compressed records are empty")
    try:
        size = cramjam.snappy.decompress_raw_len(data)
        if size > left:
            raise DecompressedTooLarge(max_bytes)
        if size > len(data) * _SNAPPY_RATIO_MAX:
            raise CorruptBatch(f"snappy block of {len(data)} bytes declares {size}")
        output = bytearray(size)
        written = cramjam.snappy.decompress_raw_into(data, output)
    except cramjam.DecompressionError as problem:
        raise CorruptBatch(f"records do not decompress: {problem}") from None
    return bytes(memoryview(output)[:written])
