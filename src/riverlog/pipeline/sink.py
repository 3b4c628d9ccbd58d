"""What Spark calls to write: once on the driver, once in every task.

A streaming query is known by the id in its checkpoint. A batch write with delivery ``exactly-once`` is a
query of one batch with an id of its own: a task of it that is tried again does not write twice, but a
job that is run again does, and a job that fails leaves what its other tasks have committed.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceArrowWriter, DataSourceStreamArrowWriter, WriterCommitMessage

from riverlog.pipeline import sink_options as sink
from riverlog.pipeline.errors import PipelineError
from riverlog.pipeline.link import linked
from riverlog.pipeline.options import Side, parse_options
from riverlog.pipeline.queries import forget
from riverlog.pipeline.replay import check_settings
from riverlog.pipeline.sink_columns import check_schema
from riverlog.pipeline.sink_task import Task, Written, write_task

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.types import StructType

QUERY_ID = "sql.streaming.queryId"
BATCH_ID = "streaming.sql.batchId"
"""Local properties that Spark gives to the tasks of a streaming query."""


class TaskDone(WriterCommitMessage):
    """What a task tells the driver."""

    def __init__(self, written: Written) -> None:
        self.written = written


class RiverlogBatchWriter(DataSourceArrowWriter):
    """``df.write``."""

    def __init__(self, raw: Mapping[str, str], schema: StructType, *, overwrite: bool) -> None:
        if overwrite:
            raise PipelineError('a topic cannot be overwritten, only appended to: use mode("append")')
        self._raw = dict(raw)
        options = parse_options(self._raw, Side.BATCH_WRITE)
        check_schema(schema, options[sink.TOPIC])
        self._job = f"job-{uuid.uuid4()}"

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        options = parse_options(self._raw, Side.BATCH_WRITE)
        task = Task(self._job, 0, _context().partitionId())
        return TaskDone(write_task(options, task, iterator))

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        self._forget()

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        self._forget()

    def _forget(self) -> None:
        """Nobody will ask what this job has committed."""
        options = parse_options(self._raw, Side.BATCH_WRITE)
        if sink.delivery(options) == sink.EXACTLY_ONCE:
            with linked(options) as link:
                forget(link.client, link.markers, self._job, seconds=link.settings.patience_seconds)


class RiverlogStreamWriter(DataSourceStreamArrowWriter):
    """``df.writeStream``. Tasks commit by themselves, so there is nothing left to do on the driver.

    Output mode ``complete`` appends the whole result each time, as with Spark's own sink.
    """

    def __init__(self, raw: Mapping[str, str], schema: StructType) -> None:
        self._raw = dict(raw)
        options = parse_options(self._raw, Side.STREAM_WRITE)
        check_schema(schema, options[sink.TOPIC])

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        options = parse_options(self._raw, Side.STREAM_WRITE)
        context = _context()
        query, batch = context.getLocalProperty(QUERY_ID), context.getLocalProperty(BATCH_ID)
        assert query is not None and batch is not None, "Spark names query and batch in every streaming task"
        if sink.delivery(options) == sink.EXACTLY_ONCE:
            check_settings(context._localProperties or {})
        return TaskDone(write_task(options, Task(query, int(batch), context.partitionId()), iterator))

    def commit(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:  # noqa: N803
        """Idempotent: tasks have committed, and Spark's own log says which batch is done."""

    def abort(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:  # noqa: N803
        """Tasks that committed stay committed: the batch is run again, and they are left out."""


def _context() -> TaskContext:
    context = TaskContext.get()
    assert context is not None, "writing happens in tasks"
    return context
