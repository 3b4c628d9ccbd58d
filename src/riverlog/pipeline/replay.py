"""Whether a micro-batch that Spark runs again gives each task the same rows, which exactly-once rests on.

Spark settings under which it does not are refused before anything is written. What no setting shows
(another number of tasks, ``rand()`` in a filter) shows in the rows: a task that finds its rows committed
compares them with what its marker says of them. If all committed tasks have their rows again, then those
that are not committed have the rest, whatever the plan was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from riverlog.pipeline.errors import PipelineError

if TYPE_CHECKING:
    import pyarrow as pa

_CHECKSUM_SPAN = 1 << 64
_FALSE = "false"

SPECULATION = "spark.speculation"
ADAPTIVE = "spark.sql.adaptive.enabled"
ADAPTIVE_STREAMING = "spark.sql.adaptive.streaming.stateless.enabled"
SORTED_ROUND_ROBIN = "spark.sql.execution.sortBeforeRepartition"


class ReplayError(PipelineError):
    """A batch that is run again does not give its tasks the same rows."""


def check_settings(setting: Callable[[str], str | None], *, streaming: bool) -> None:
    """``ReplayError`` for settings of Spark under which rows may move from task to task.

    ``setting`` answers None for what is not set. ``streaming`` is about the plan that is written; in
    ``foreachBatch`` that is one of a batch.
    """

    def says(name: str, default: str) -> bool:
        return (setting(name) or default).strip().lower() != _FALSE

    if says(SPECULATION, _FALSE):
        raise ReplayError(
            f"{SPECULATION} runs a task twice at a time, and each would fence the other: set it to false, or "
            "write with delivery=at-least-once"
        )
    if says(ADAPTIVE, "true") and (not streaming or says(ADAPTIVE_STREAMING, "true")):
        remedy = (
            f"{ADAPTIVE_STREAMING} to false (riverlog.pipeline.register and session do)"
            if streaming
            else f"{ADAPTIVE} to false for foreachBatch"
        )
        raise ReplayError(
            f"adaptive execution may cut a batch differently when it is run again: set {remedy}, or write "
            "with delivery=at-least-once"
        )
    if not says(SORTED_ROUND_ROBIN, "true"):
        raise ReplayError(
            f"without {SORTED_ROUND_ROBIN} repartition() may deal rows differently when a batch is run "
            "again: set it to true, or write with delivery=at-least-once"
        )


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Number, size and checksum of rows. Their order does not matter: after a shuffle it varies."""

    rows: int = 0
    size: int = 0
    checksum: int = 0

    def __str__(self) -> str:
        return f"{self.rows} rows of {self.size} bytes (checksum {self.checksum})"

    def plus(self, other: Fingerprint) -> Fingerprint:
        return Fingerprint(
            self.rows + other.rows,
            self.size + other.size,
            (self.checksum + other.checksum) % _CHECKSUM_SPAN,
        )


def fingerprint(rows: pa.RecordBatch) -> Fingerprint:
    """Of the keys, values and topics of some rows (binary or string)."""
    found = Fingerprint(rows=rows.num_rows)
    for name in ("key", "value", "topic"):
        if name in rows.schema.names:
            found = found.plus(_of_bytes(rows.column(name)))
    return found


def _of_bytes(array: pa.BinaryArray) -> Fingerprint:
    """The sum of all bytes: cheap, and other rows hardly have the same number, size and sum."""
    import numpy as np

    if not len(array):
        return Fingerprint()
    _, offsets, data = array.buffers()
    ends = np.frombuffer(offsets, dtype=np.int32)
    first, last = int(ends[array.offset]), int(ends[array.offset + len(array)])
    if first == last:
        return Fingerprint()
    content = np.frombuffer(data, dtype=np.uint8)[first:last]
    return Fingerprint(size=last - first, checksum=int(content.sum(dtype=np.uint64)))


def check_same(task: str, committed: Fingerprint, replayed: Fingerprint) -> None:
    """``ReplayError`` unless a task that is run again has the rows that it committed before."""
    if committed != replayed:
        raise ReplayError(
            f"{task} has {replayed}, and when the batch ran before it committed {committed}: the number of "
            "tasks or the rows of a task have changed, and rows would be lost or written twice. Start the "
            "query with the parallelism it had and without expressions that differ each time; where only "
            "values differ, set option checkReplays=false"
        )


def check_last(task: str, batch: int, next_batch: int) -> None:
    """``ReplayError`` for a batch before the last: Spark itself runs no other again."""
    if next_batch > batch + 1:
        raise ReplayError(
            f"{task} comes again, and batch {next_batch - 1} is committed: either another driver runs the "
            "query too, or its checkpoint is an older copy, from which batches are cut differently. Give the "
            "query a new checkpoint, or set option checkReplays=false to leave out all that was committed"
        )
