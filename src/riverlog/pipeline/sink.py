"""What Spark calls to write: once on the driver, once in every task.

A streaming query is known by the id in its checkpoint. A batch write with delivery ``exactly-once`` is a
query of one batch with an id of its own: a task of it that is tried again does not write twice, but a
job that is run again does, and a job that fails leaves what its other tasks have committed. Within
``foreachBatch`` it belongs to the streaming query and its micro-batch, and is exactly once as that is:
``update_sink`` is made so, because Spark offers output mode ``update`` to sinks in Java only.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceArrowWriter, DataSourceStreamArrowWriter, WriterCommitMessage

from riverlog.client.errors import ClientError
from riverlog.pipeline import sink_options as sink
from riverlog.pipeline.errors import ClusterError, PipelineError
from riverlog.pipeline.link import linked
from riverlog.pipeline.option_table import Options
from riverlog.pipeline.options import Side, parse_options
from riverlog.pipeline.queries import forget
from riverlog.pipeline.replay import check_settings
from riverlog.pipeline.sink_columns import check_schema
from riverlog.pipeline.sink_task import Task, Written, write_task

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

QUERY_ID = "sql.streaming.queryId"
BATCH_ID = "streaming.sql.batchId"
"""Local properties that Spark gives to the tasks of a streaming query."""
log = logging.getLogger("riverlog.pipeline")


class TaskDone(WriterCommitMessage):
    """What a task tells the driver."""

    def __init__(self, query: str, written: Written) -> None:
        self.query = query
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
        task = self._task(options, _context())
        return TaskDone(task.query, write_task(options, task, iterator))

    def _task(self, options: Options, context: TaskContext) -> Task:
        query, batch = context.getLocalProperty(QUERY_ID), context.getLocalProperty(BATCH_ID)
        if query is None or batch is None:
            return Task(self._job, 0, context.partitionId())
        if sink.delivery(options) == sink.EXACTLY_ONCE:
            check_settings(context.getLocalProperty, streaming=False)
        # One foreachBatch may write to several topics.
        return Task(f"{query}.{options[sink.TOPIC] or ''}", int(batch), context.partitionId())

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        self._forget(messages)

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        self._forget(messages)

    def _forget(self, messages: list[WriterCommitMessage | None]) -> None:
        """Nobody will ask what this job has committed."""
        options = parse_options(self._raw, Side.BATCH_WRITE)
        ours = any(isinstance(told, TaskDone) and told.query == self._job for told in messages)
        if not ours or sink.delivery(options) != sink.EXACTLY_ONCE:
            return
        try:
            with linked(options) as link:
                forget(link.client, link.markers, self._job, seconds=link.settings.patience_seconds)
        except (ClusterError, ClientError) as problem:
            # The rows are written: that is no reason to fail.
            log.warning("the markers of %s stay until it is forgotten: %s", self._job, problem)


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
            check_settings(context.getLocalProperty, streaming=True)
        task = Task(query, int(batch), context.partitionId())
        return TaskDone(query, write_task(options, task, iterator))

    def commit(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:  # noqa: N803
        """Idempotent: tasks have committed, and Spark's own log says which batch is done."""

    def abort(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:  # noqa: N803
        """Tasks that committed stay committed: the batch is run again, and they are left out."""


def update_sink(options: Mapping[str, str]) -> Callable[[DataFrame, int], None]:
    """For ``foreachBatch``: writes each micro-batch with these options, exactly once unless they differ."""
    wanted = {sink.DELIVERY.name: sink.EXACTLY_ONCE, **options}
    parse_options(wanted, Side.BATCH_WRITE)  # mistakes are told before the query starts

    def write(rows: DataFrame, _batch: int) -> None:
        rows.write.format("riverlog").options(**wanted).mode("append").save()

    return write


def _context() -> TaskContext:
    context = TaskContext.get()
    assert context is not None, "writing happens in tasks"
    return context
