"""What generated codecs share: varints, tagged fields, arrays of numbers, limits.

Decoders read past no end: every single read of a number raises ``IndexError`` or
``struct.error`` there, slices are cut short, and positions only grow, so one comparison of the
final position with the length of the buffer (in the generated ``decode``) catches what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from struct import Struct
from struct import error as struct_error
from typing import Any

from riverlog.base.slices import FileSlice
from riverlog.protocol.errors import DecodeError, EncodeError

MAX_ELEMENTS = 1 << 18
"""Structs and strings in all arrays of one message together. Bounds memory and time of one decode:
an element of two bytes on the wire is some hundred bytes here."""

MAX_STRING = 0x7FFF
ZERO_UUID = bytes(16)

UNSET: Any = object()
"""Stands for "not given" where the default is a fresh list or struct and ``None`` means null."""

MALFORMED = (IndexError, struct_error, UnicodeDecodeError)
UNFIT = (AttributeError, TypeError, struct_error, UnicodeEncodeError)

Part = bytes | bytearray | memoryview | FileSlice
"""A piece of an encoded frame."""


class Wire:
    """Base of all generated structs: equality and a readable form, by slots."""

    __slots__: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({shown})"


def uvarint(value: int) -> bytes:
    """``value`` as an unsigned varint of up to five bytes."""
    if not 0 <= value <= 0xFFFFFFFF:
        raise EncodeError(f"{value} does not fit an unsigned varint")
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


UVARINTS = tuple(uvarint(value) for value in range(256))
"""The short ones, ready made."""


def string_prefix(length_plus_one: int) -> bytes:
    """Prefix of a compact string; Kafka's readers refuse strings above 32767 bytes."""
    if length_plus_one > MAX_STRING + 1:
        raise EncodeError(f"string of {length_plus_one - 1} bytes is longer than {MAX_STRING}")
    return uvarint(length_plus_one)


def uvarint_tail(buffer: memoryview, position: int, first: int) -> tuple[int, int]:
    """The rest of an unsigned varint whose first byte, read already, has its high bit set."""
    value = first & 0x7F
    shift = 7
    while True:
        byte = buffer[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
        shift += 7
        if shift > 28:
            raise DecodeError("varint is longer than five bytes")
    if value > 0xFFFFFFFF:
        raise DecodeError("varint is above 32 bits")
    return value, position


def string_tail(buffer: memoryview, position: int, first: int) -> tuple[int, int]:
    """The same for the length prefix of a compact string."""
    value, position = uvarint_tail(buffer, position, first)
    if value > MAX_STRING + 1:
        raise DecodeError(f"string of {value - 1} bytes is longer than {MAX_STRING}")
    return value, position


def read_uvarint(buffer: memoryview, position: int) -> tuple[int, int]:
    first = buffer[position]
    if first < 0x80:
        return first, position + 1
    return uvarint_tail(buffer, position + 1, first)


def read_tag(buffer: memoryview, position: int, previous: int) -> tuple[int, int, int]:
    """``(tag, end of its content, start of its content)``; tags must ascend."""
    tag, position = read_uvarint(buffer, position)
    if tag <= previous:
        raise DecodeError(f"tag {tag} after tag {previous}")
    size, position = read_uvarint(buffer, position)
    stop = position + size
    if stop > len(buffer):
        raise DecodeError(f"tag {tag} of {size} bytes goes past the end")
    return tag, stop, position


def skip_tags(buffer: memoryview, position: int, count: int) -> int:
    """Step over ``count`` tagged fields nobody here knows. ``count`` is the first byte of it."""
    if count > 0x7F:
        count, position = uvarint_tail(buffer, position, count)
    previous = -1
    for _ in range(count):
        previous, position, _start = read_tag(buffer, position, previous)
    return position


def missing(name: str) -> DecodeError:
    return DecodeError(f"{name} is null or has a negative length")


def too_many(name: str, count: int) -> DecodeError:
    return DecodeError(f"{name} claims {count} elements")


def not_in_version(name: str) -> EncodeError:
    return EncodeError(f"{name} is set but not part of this version")


def null_refused(name: str) -> EncodeError:
    return EncodeError(f"{name} cannot be null in this version")


def bad_uuid(name: str) -> EncodeError:
    return EncodeError(f"{name} is not 16 bytes")


class _Numbers:
    """Reads and writes arrays of one number type in a single ``struct`` call."""

    __slots__ = ("code", "known", "size")

    def __init__(self, code: str) -> None:
        self.code = code
        self.size = Struct(">" + code).size
        self.known = tuple(Struct(f">{count}{code}") for count in range(17))

    def read(self, buffer: memoryview, position: int, count: int) -> list[int]:
        if count < 17:
            return list(self.known[count].unpack_from(buffer, position))
        # Checked first: the format of a huge count is not worth building.
        if count * self.size > len(buffer) - position:
            raise DecodeError(f"array claims {count} numbers")
        return list(Struct(f">{count}{self.code}").unpack_from(buffer, position))

    def write(self, values: Sequence[int]) -> bytes:
        count = len(values)
        if count < 17:
            return self.known[count].pack(*values)
        return Struct(f">{count}{self.code}").pack(*values)


_INT8, _INT16, _INT32, _INT64 = _Numbers("b"), _Numbers("h"), _Numbers("i"), _Numbers("q")

Read = Callable[[memoryview, int, int], list[int]]
Write = Callable[[Sequence[int]], bytes]

read_int8s: Read = _INT8.read
read_int16s: Read = _INT16.read
read_int32s: Read = _INT32.read
read_int64s: Read = _INT64.read
write_int8s: Write = _INT8.write
write_int16s: Write = _INT16.write
write_int32s: Write = _INT32.write
write_int64s: Write = _INT64.write


def read_uuids(buffer: memoryview, position: int, count: int) -> list[bytes]:
    stop = position + count * 16
    if stop > len(buffer):
        raise DecodeError(f"array claims {count} uuids")
    return [buffer[at : at + 16].tobytes() for at in range(position, stop, 16)]


def write_uuids(values: Sequence[bytes]) -> bytes:
    for value in values:
        if len(value) != 16:
            raise bad_uuid("array element")
    return b"".join(values)


def join_parts(parts: Sequence[Part]) -> bytes:
    """One buffer, reading file slices."""
    return b"".join([part.read() if isinstance(part, FileSlice) else part for part in parts])
