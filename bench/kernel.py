"""The pipeline's kernel alone: record batches → Arrow and back, in million rows per second of CPU.

``python -m bench.kernel`` (``--rows N``, ``--interpreted`` for that kernel as well).
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterable

import pyarrow as pa

from riverlog.pipeline.arrow_read import ArrowReader
from riverlog.pipeline.arrow_write import EncodedBatch, encode_batches, murmur2_partitions
from riverlog.pipeline.kernel import Kernel, compiled, interpreted
from riverlog.records import patch

NOW_MS = 1_700_000_000_000
REPEAT = 5
CODECS = ("none", "lz4", "zstd", "snappy", "gzip")


def table(rows: int, size: int, *, keys: bool = False) -> pa.RecordBatch:
    """Rows of text from a small vocabulary, which compresses by 2 to 3 as log lines do."""
    chance = random.Random(size)
    words = [bytes(chance.choices(b"abcdefghijklmnopqrstuvwxyz", k=8)) for _ in range(500)]
    values = [b"".join(chance.choices(words, k=size // 8 + 1))[:size] for _ in range(rows)]
    columns = {"value": pa.array(values, pa.binary())}
    if keys:
        columns["key"] = pa.array([b"key-%d" % (number % 1000) for number in range(rows)], pa.binary())
    return pa.RecordBatch.from_pydict(columns)


def encode(rows: pa.RecordBatch, codec: str, batch_bytes: int, kernel: Kernel) -> list[EncodedBatch]:
    return encode_batches(
        rows,
        codec=codec,
        batch_bytes_max=batch_bytes,
        now_ms=NOW_MS,
        transactional=False,
        producer_id=-1,
        producer_epoch=-1,
        base_sequence=-1,
        kernel=kernel,
    )


def log_of(batches: Iterable[EncodedBatch]) -> bytes:
    """The batches as they lie in one partition."""
    log = bytearray()
    offset = 0
    for batch in batches:
        data = bytearray(batch.data)
        patch(data, 0, base_offset=offset, leader_epoch=0)
        offset += batch.records
        log += data
    return bytes(log)


def decode(log: bytes, rows: int, kernel: Kernel) -> None:
    reader = ArrowReader(topic="orders", partition=0, start=0, end=rows, kernel=kernel)
    count = sum(batch.num_rows for batch in reader.feed(log))
    assert count == rows


def millions_per_second(rows: int, call: Callable[[], object]) -> float:
    """The best of a few runs: others use the machine, too."""
    best = min(_cpu_seconds(call) for _ in range(REPEAT))
    return rows / best / 1e6


def _cpu_seconds(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def measure(kernel: Kernel, rows: int) -> Iterable[tuple[str, float, float]]:
    """What, decoding, encoding."""
    for size, batch_bytes, codec, keys in [
        *((100, 1 << 20, codec, False) for codec in CODECS),
        (100, 16 << 10, "none", False),
        (100, 16 << 10, "lz4", False),
        (100, 1 << 20, "none", True),
        (1000, 1 << 20, "none", False),
        (1000, 1 << 20, "lz4", False),
    ]:
        count = rows * 100 // size
        source = table(count, size, keys=keys)
        log = log_of(encode(source, codec, batch_bytes, kernel))
        name = f"{size} B{' and keys' if keys else ''}, {codec}, batches of {batch_bytes >> 10} KB"
        reading = millions_per_second(count, lambda: decode(log, count, kernel))  # noqa: B023
        writing = millions_per_second(count, lambda: encode(source, codec, batch_bytes, kernel))  # noqa: B023
        yield name, reading, writing


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.kernel", description=__doc__)
    parser.add_argument("--rows", type=int, default=400_000, help="rows of 100 bytes per run")
    parser.add_argument("--interpreted", action="store_true", help="the interpreted kernel as well")
    options = parser.parse_args()
    kernels = {"compiled": (compiled(), options.rows)}
    if options.interpreted:
        kernels["interpreted"] = (interpreted(), options.rows // 10)
    for name, (kernel, rows) in kernels.items():
        if kernel is None:
            print("the compiled kernel is not here; scripts/build_kernel.py builds it")
            continue
        print(f"{name}, million rows per CPU-second{'':20}   decode   encode")
        for what, reading, writing in measure(kernel, rows):
            print(f"  {what:52} {reading:8.2f} {writing:8.2f}")
        keys = table(rows, 100, keys=True).column("key")
        rate = millions_per_second(rows, lambda: murmur2_partitions(keys, 12, kernel=kernel))  # noqa: B023
        print(f"  {'partitions of keys':52} {rate:8.2f}")


if __name__ == "__main__":
    main()
