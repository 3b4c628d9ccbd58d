"""Damaged batches and columns for the kernels.

``python -m tests.unit.pipeline.kernel_fuzz FOLDER COUNT SEED`` runs the kernel compiled into FOLDER, as
``test_kernel_sanitizer.py`` does with one that watches its memory.
"""

from __future__ import annotations

import random
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import numpy as np
import pyarrow as pa

from riverlog.pipeline import kernel as package
from riverlog.pipeline.arrow_read import CorruptRecords
from riverlog.pipeline.arrow_write import encode_batches, murmur2_partitions
from riverlog.pipeline.kernel import Kernel, kernel_of
from riverlog.pipeline.schema import HEADERS_TYPE
from riverlog.records import HEADER_SIZE, read_header
from riverlog.records.compression import compress, decompress
from tests.unit.pipeline.kernel_kit import MAX, Row, draw_batch, reader, resign, rows_of

ODD_BYTES = (0, 1, 2, 3, 127, 128, 255)


def scramble(chance: random.Random, payload: bytes) -> bytes:
    """A few bytes changed, added or taken away."""
    data = bytearray(payload)
    for _ in range(chance.choice((1, 1, 2, 5))):
        at = chance.randrange(min(len(data), chance.choice((10, 100, 1 << 20))) + 1)
        kind = chance.randrange(4)
        if kind == 3 and at < len(data):  # the next length, if it is one
            data[at] = (data[at] + chance.choice((-2, -1, 1, 2))) % 256
        elif kind == 0:
            data[at : at + 1] = bytes([chance.choice((*ODD_BYTES, chance.randrange(256)))])
        elif kind == 1:
            data[at:at] = bytes(chance.choices(ODD_BYTES, k=chance.choice((1, 2, 8))))
        else:
            del data[at : at + chance.choice((1, 2, 8))]
    return bytes(data)


def damage(chance: random.Random, batch: bytes) -> bytes:
    """``batch`` with damage behind its frame, and a checksum that fits all the same."""
    codec, payload = read_header(batch).compression, batch[HEADER_SIZE:]
    if codec and chance.random() < 0.7:
        payload = compress(codec, scramble(chance, decompress(codec, payload, max_bytes=MAX)))
    else:
        payload = scramble(chance, payload)
    data = bytearray(batch[:HEADER_SIZE] + payload)
    data[8:12] = (len(data) - 12).to_bytes(4, "big")
    if chance.random() < 0.2:  # also attributes, last offset delta, timestamps or the number of records
        at = chance.choice((22, *range(23, 43), *range(57, 61)))
        data[at] = chance.choice(ODD_BYTES)
    return resign(data)


def exactly(data: bytes) -> memoryview:
    """``data`` in memory that ends where it does; Python's and Arrow's has more and hides a step too far."""
    return memoryview(np.frombuffer(data, np.uint8).copy())


def read_damaged(chance: random.Random, kernel: Kernel, batch: bytes) -> tuple[list[Row], bool]:
    """Rows, and whether the end of the batch was reached."""
    first = read_header(batch).base_offset
    source = reader(
        kernel,
        first + chance.choice((0, 0, 0, 1, 7)),
        first + chance.choice((3, 40, 1 << 40)),
        headers=chance.random() < 0.7,
        rows_max=chance.choice((1, 3, 1000)),
        bytes_max=chance.choice((1, 500, 100_000)),
        decompressed_max=MAX,
    )
    tables: list[pa.RecordBatch] = []
    try:
        for table in source.feed(exactly(batch)):
            tables.append(table)  # noqa: PERF402  what came before the error counts
    except CorruptRecords:
        return rows_of(tables), False
    return rows_of(tables), True


def bend(chance: random.Random, ends: pa.Buffer, count: int) -> pa.Buffer:
    """Offsets of which one may be wrong; Arrow itself looks at the first and the last one only."""
    if count < 2 or chance.random() < 0.8:
        return ends
    wrong = bytearray(memoryview(ends)[: 4 * (count + 1)])
    at = chance.randrange(1, count) * 4
    number = chance.choice((-1, 1 << 30, -(1 << 31), chance.randrange(300)))
    wrong[at : at + 4] = number.to_bytes(4, "little", signed=True)
    return pa.py_buffer(bytes(wrong))


def draw_column(chance: random.Random, count: int, kind: pa.DataType, *, nulls: float) -> pa.Array:
    """A column of bytes whose offsets are right, or not."""
    sizes = [None if chance.random() < nulls else chance.choice((0, 3, 70)) for _ in range(count)]
    column = pa.array([None if size is None else "x" * size for size in sizes], pa.string()).cast(kind)
    valid, ends, content = column.buffers()
    return pa.Array.from_buffers(kind, count, [valid, bend(chance, ends, count), content])


def write_damaged(chance: random.Random, kernel: Kernel) -> bool:
    """Write columns that may point anywhere; False if they were refused."""
    rows = chance.randrange(1, 20)
    drawn = [["x"] * chance.randrange(3) if chance.random() < 0.8 else None for _ in range(rows)]
    lists = pa.array(drawn, pa.list_(pa.string()))
    valid, ends = lists.buffers()[:2]
    total = len(lists.values)
    keys = draw_column(chance, total, pa.string(), nulls=0.01)
    values = draw_column(chance, total, pa.binary(), nulls=0.3)
    pairs = pa.StructArray.from_arrays([keys, values], fields=list(HEADERS_TYPE.value_type))
    headers = pa.Array.from_buffers(HEADERS_TYPE, rows, [valid, bend(chance, ends, rows)], children=[pairs])
    key, value = (draw_column(chance, rows, pa.binary(), nulls=0.3) for _ in range(2))
    table = pa.RecordBatch.from_arrays([key, value, headers], ["key", "value", "headers"])
    try:
        murmur2_partitions(table.column("key"), 5, kernel=kernel)
        encode_batches(
            table.slice(chance.randrange(rows)),
            codec="none",
            batch_bytes_max=chance.choice((70, 200, 9999)),
            now_ms=1,
            transactional=True,
            producer_id=7,
            producer_epoch=1,
            base_sequence=0,
            kernel=kernel,
        )
    except ValueError:
        return False
    return True


def run(kernel: Kernel, count: int, seed: int) -> dict[str, int]:
    chance = random.Random(seed)
    found = {"read": 0, "corrupt": 0, "written": 0, "refused": 0}
    batch = lead = b""
    for number in range(count):
        if number % 20 == 0:
            batch = draw_batch(chance, 5000)
            lead = draw_batch(chance) if chance.random() < 0.5 else b""  # the kernel goes on by itself
            found["written" if write_damaged(chance, kernel) else "refused"] += 1
        _, whole = read_damaged(chance, kernel, lead + damage(chance, batch))
        found["read" if whole else "corrupt"] += 1
    return found


def load(folder: Path) -> Kernel:
    """The kernel compiled into ``folder``."""
    modules: list[ModuleType] = []
    for name in ("decode", "encode"):
        full = f"{package.__name__}.{name}"
        path = folder / package.__name__.replace(".", "/") / f"{name}{EXTENSION_SUFFIXES[0]}"
        loader = ExtensionFileLoader(full, str(path))
        spec = spec_from_loader(full, loader)
        assert spec is not None
        module = module_from_spec(spec)
        loader.exec_module(module)
        modules.append(module)
    return kernel_of(*modules)


if __name__ == "__main__":
    print(run(load(Path(sys.argv[1])), int(sys.argv[2]), int(sys.argv[3])))
