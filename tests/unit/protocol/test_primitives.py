"""Varints and arrays of numbers, by property."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverlog.protocol import primitives
from riverlog.protocol.errors import DecodeError, EncodeError


@given(st.integers(0, 2**32 - 1), st.binary(max_size=4))
def test_varints_round_trip(value: int, rest: bytes) -> None:
    encoded = primitives.uvarint(value)
    assert primitives.read_uvarint(memoryview(encoded + rest), 0) == (value, len(encoded))
    assert len(encoded) == max(1, -(-value.bit_length() // 7))


@given(st.binary(max_size=8))
def test_any_bytes_are_a_varint_or_refused(data: bytes) -> None:
    try:
        value, position = primitives.read_uvarint(memoryview(data), 0)
    except (DecodeError, IndexError):
        return
    assert 0 <= value < 2**32
    assert 1 <= position <= 5


@pytest.mark.parametrize("value", [-1, 2**32])
def test_a_varint_has_32_bits(value: int) -> None:
    with pytest.raises(EncodeError):
        primitives.uvarint(value)


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@given(data=st.data())
def test_arrays_of_numbers_round_trip(bits: int, data: st.DataObject) -> None:
    number = st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    values = data.draw(st.lists(number, max_size=40))
    encoded = getattr(primitives, f"write_int{bits}s")(values)
    assert len(encoded) == len(values) * bits // 8
    assert getattr(primitives, f"read_int{bits}s")(memoryview(b"?" + encoded), 1, len(values)) == values


@given(st.lists(st.binary(min_size=16, max_size=16), max_size=20))
def test_arrays_of_uuids_round_trip(values: list[bytes]) -> None:
    encoded = primitives.write_uuids(values)
    assert primitives.read_uuids(memoryview(encoded), 0, len(values)) == values
    with pytest.raises(DecodeError):
        primitives.read_uuids(memoryview(encoded), 0, len(values) + 1)
