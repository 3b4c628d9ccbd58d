"""Budgets of the produce path, generous against a busy machine but not against per-record work."""

from __future__ import annotations

from collections.abc import Callable
from timeit import repeat

from riverlog.records import BatchBuilder, ValidationConfig, crc_ok, patch, read_header, validate_produce


def sixteen_kilobytes() -> memoryview:
    builder = BatchBuilder()
    while builder.size_estimate < 16_000:
        builder.append(timestamp=1000, value=b"x" * 97)
    return memoryview(bytearray(builder.build()))


def microseconds(call: Callable[[], object]) -> float:
    return min(repeat(call, number=300, repeat=30)) / 300 * 1e6


def test_header_crc_and_patch_take_microseconds() -> None:
    buffer = sixteen_kilobytes()

    def touch() -> None:
        header = read_header(buffer, 0)
        crc_ok(buffer, 0, header)
        patch(buffer, 0, base_offset=5, leader_epoch=1)

    assert microseconds(touch) < 3 * 3


def test_validation_takes_microseconds() -> None:
    buffer, config = sixteen_kilobytes(), ValidationConfig()
    assert microseconds(lambda: validate_produce(buffer, config, 5000)) < 4 * 3
