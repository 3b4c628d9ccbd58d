"""Record batches for workloads: every record unique, sizes and times from the seed."""

from __future__ import annotations

from collections.abc import Sequence

from riverlog.records import BatchBuilder, BatchHeader, Codec, Record, read_header
from riverlog.sim.rng import SimRng

_CODECS = (Codec.NONE, Codec.NONE, Codec.NONE, Codec.GZIP, Codec.LZ4, Codec.SNAPPY, Codec.ZSTD)
KEYS = 6
"""Keys of a compacted topic."""
NAME = "name"


class BatchMaker:
    """Numbers the records, so that no two batches of a run are alike."""

    def __init__(self, rng: SimRng) -> None:
        self._rng = rng
        self.number = 0

    def make(
        self,
        now_ms: int,
        *,
        size_max: int = 3000,
        records_max: int = 5,
        producer_id: int = -1,
        producer_epoch: int = -1,
        base_sequence: int = -1,
    ) -> bytes:
        """One batch that a producer would send. Times are near now, not always growing."""
        rng = self._rng
        builder = BatchBuilder(
            compression=rng.choice(_CODECS),
            producer_id=producer_id,
            producer_epoch=producer_epoch,
            base_sequence=base_sequence,
        )
        count = rng.random_int(1, records_max)
        for _ in range(count):
            self.number += 1
            size = rng.weighted([(0, 2.0), (rng.random_int(1, 100), 4.0), (rng.random_int(1, size_max), 1.0)])
            builder.append(
                timestamp=now_ms + rng.random_int(-200, 50),
                key=f"k{rng.random_int(0, 9)}".encode(),
                value=f"{self.number}:".encode() + rng.random_bytes(size // count),
            )
        return builder.build()


class UniqueBatches:
    """Batches of one producer. Each record has a name, its key: no two of a run are alike."""

    def __init__(
        self,
        rng: SimRng,
        name: str,
        *,
        codecs: Sequence[Codec],
        records_max: int,
        size_max: int,
        usual_weight: float,
    ) -> None:
        self._rng = rng
        self._name = name
        self._codecs = codecs
        self._records_max = records_max
        self._size_max = size_max
        self._usual_weight = usual_weight
        self._number = 0

    def make(
        self,
        now_ms: int,
        *,
        producer_id: int,
        base_sequence: int = -1,
        keys: dict[str, tuple[str, bool]] | None = None,
        small: bool = False,
    ) -> tuple[bytes, list[tuple[str, int]]]:
        """A batch, and the names and times of its records. Without a sequence it is not idempotent.

        With ``keys`` it is for a compacted topic: few keys, now and then a tombstone, names in a header.
        What was drawn is noted there. ``small``: it fits into the shortest segments.
        """
        rng = self._rng
        builder = BatchBuilder(
            compression=rng.choice(self._codecs),
            producer_id=producer_id,
            producer_epoch=0 if base_sequence >= 0 else -1,
            base_sequence=base_sequence,
        )
        records = []
        for _ in range(rng.random_int(1, self._records_max)):
            self._number += 1
            record = f"{self._name}:{producer_id}/{self._number}"
            timestamp = now_ms - rng.random_int(0, 500)
            size = rng.weighted([(10, self._usual_weight), (rng.random_int(1, self._size_max), 1.0)])
            value = rng.random_bytes(10 if small else size)
            if keys is None:
                builder.append(timestamp=timestamp, key=record.encode(), value=value)
            else:
                key, is_tombstone = f"k{rng.random_int(1, KEYS)}", rng.chance(0.15)
                keys[record] = (key, is_tombstone)
                builder.append(
                    timestamp=timestamp,
                    key=key.encode(),
                    value=None if is_tombstone else value,
                    headers=[(NAME, record.encode())],
                )
            records.append((record, timestamp))
        return builder.build(), records


def name_of(record: Record) -> str:
    """Of a record that ``UniqueBatches`` made."""
    name = record.headers[0][1] if record.headers else record.key
    assert name is not None
    return bytes(name).decode()


def with_header(batch: bytes) -> tuple[bytearray, BatchHeader]:
    """A writable copy and its header, as validation hands them to a log."""
    buffer = bytearray(batch)
    return buffer, read_header(buffer, 0)
