"""Records to send, and what must come back."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from dataclasses import dataclass

CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]
# Recent, or time-based retention would take the records away; one second apart makes "seek by time" exact.
START_MS = int(time.time()) // 3600 * 3_600_000 - 7_200_000


@dataclass(frozen=True)
class Sample:
    key: bytes | None
    value: bytes | None
    timestamp_ms: int
    headers: tuple[tuple[str, bytes | None], ...] = ()


def samples(count: int = 60, *, seed: int = 1, start_ms: int = START_MS) -> list[Sample]:
    """Null and empty keys and values, headers, compressible and random bytes, a few large records."""
    rng = random.Random(seed)
    made = []
    for i in range(count):
        key = (None, b"", b"key-%d" % (i % 7), rng.randbytes(12))[i % 4]
        value = (b"value %d" % i, None, b"", rng.randbytes(200), b"river " * rng.randrange(1, 200))[i % 5]
        if i % 29 == 28:
            value = rng.randbytes(20_000)
        several = (("a", b"1"), ("a", b"2"), ("empty", b""), ("nil", None)) if i % 3 == 0 else ()
        made.append(Sample(key, value, start_ms + 1000 * i, several))
    return made


def modest_samples(count: int = 60, **options: int) -> list[Sample]:
    """The same without what some clients refuse to send: null in key and value, null headers."""
    return [
        Sample(
            b"k" if sample.key is None and sample.value is None else sample.key,
            sample.value,
            sample.timestamp_ms,
            tuple((name, value) for name, value in sample.headers if value is not None),
        )
        for sample in samples(count, **options)
    ]


def text_samples(count: int, *, seed: int = 1) -> list[tuple[str, str]]:
    """Keys and values that survive line-oriented tools."""
    rng = random.Random(seed)
    return [(f"k{i % 5}", f"line {i} " + "x" * rng.randrange(0, 120)) for i in range(count)]


def same(found: Iterable[Sample], wanted: Iterable[Sample]) -> None:
    """Equal one by one, with the first difference in the message."""
    found, wanted = list(found), list(wanted)
    for i, (left, right) in enumerate(zip(found, wanted, strict=False)):
        assert left == right, f"record {i} differs"
    assert len(found) == len(wanted)
