"""Record batches for workloads: every record unique, sizes and times from the seed."""

from __future__ import annotations

from riverlog.records import BatchBuilder, BatchHeader, Codec, read_header
from riverlog.sim.rng import SimRng

_CODECS = (Codec.NONE, Codec.NONE, Codec.NONE, Codec.GZIP, Codec.LZ4, Codec.SNAPPY, Codec.ZSTD)


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


def with_header(batch: bytes) -> tuple[bytearray, BatchHeader]:
    """A writable copy and its header, as validation hands them to a log."""
    buffer = bytearray(batch)
    return buffer, read_header(buffer, 0)
