"""``format("riverlog")``: what Spark calls.

Spark pickles these objects by reference, so workers need the package installed; on a cluster where it is not,
``cloudpickle.register_pickle_by_value(riverlog)`` sends it along, uncompiled.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    DataSourceStreamWriter,
    DataSourceWriter,
    InputPartition,
)
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxBytes,
    ReadMaxRows,
    ReadMinRows,
    SupportsTriggerAvailableNow,
)
from pyspark.sql.types import StructType

from riverlog.pipeline import options as o
from riverlog.pipeline.errors import PipelineError
from riverlog.pipeline.offsets import INITIAL
from riverlog.pipeline.option_table import Options
from riverlog.pipeline.options import Side, parse_options
from riverlog.pipeline.planning import Task
from riverlog.pipeline.reading import read_settings, read_task
from riverlog.pipeline.schema import columns, ddl


class RiverlogDataSource(DataSource):
    """Topics as tables, bounded or not."""

    @classmethod
    def name(cls) -> str:
        return "riverlog"

    def schema(self) -> str:
        # Spark asks for it before it says what kind of query this is.
        text = self.options.get(o.INCLUDE_HEADERS.name, "false")
        return ddl(headers=str(text).strip().lower() == "true")

    def reader(self, schema: StructType) -> DataSourceReader:
        return RiverlogReader(_read_options(self.options, schema, Side.BATCH_READ))

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802
        return RiverlogStreamReader(_read_options(self.options, schema, Side.STREAM_READ))

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        from riverlog.pipeline.sink import RiverlogBatchWriter

        return RiverlogBatchWriter(self.options, schema, overwrite=overwrite)

    def streamWriter(self, schema: StructType, overwrite: bool) -> DataSourceStreamWriter:  # noqa: N802
        from riverlog.pipeline.sink import RiverlogStreamWriter

        return RiverlogStreamWriter(self.options, schema)


def _read_options(raw: Mapping[str, str], schema: StructType, side: Side) -> Options:
    options = parse_options(raw, side)
    wanted = columns(headers=options[o.INCLUDE_HEADERS])
    if schema.fieldNames() != wanted:
        raise PipelineError(f"the columns are always {', '.join(wanted)}; leave out schema()")
    return options


_freezes = iter(range(2))


def _freeze() -> None:
    """Spark's workers collect garbage after every task, 30 ms over all modules: those need no looking at.

    Once with what is loaded for the first task, once with what that has loaded.
    """
    if next(_freezes, None) is not None:
        gc.freeze()


class TaskPartition(InputPartition):
    """What one task reads."""

    def __init__(self, task: Task) -> None:
        self.task = task


class RiverlogReader(DataSourceReader):
    """``spark.read``: everything between two limits, which are settled when the query is planned."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._settings = read_settings(options)

    def partitions(self) -> Sequence[InputPartition]:
        from riverlog.pipeline.bounded import plan_batch

        _freeze()
        # Spark makes a task of its own for no partition at all, and would read nothing else.
        return [TaskPartition(task) for task in plan_batch(self._options)] or [TaskPartition(())]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, TaskPartition)
        _freeze()
        return read_task(partition.task, self._settings)


class RiverlogStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """``spark.readStream``. The driver's half is a ``Tracker``; a copy of this reads in the workers."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._settings = read_settings(options)
        self._tracker: Any = None

    def _track(self) -> Any:
        from riverlog.pipeline.tracking import Tracker

        if self._tracker is None:
            self._tracker = Tracker(self._options)
        return self._tracker

    # ---------------------------------------------------------------- on the driver

    def initialOffset(self) -> dict[str, Any]:  # noqa: N802
        return INITIAL

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802
        """Spark knows one limit at a time; that there is any is enough, the tracker applies them all."""
        options = self._options
        rows, size = options[o.MAX_OFFSETS_PER_TRIGGER], options[o.MAX_BYTES_PER_TRIGGER]
        least = options[o.MIN_OFFSETS_PER_TRIGGER]
        if rows is not None:
            return ReadMaxRows(rows)
        if size is not None:
            return ReadMaxBytes(size)
        return ReadMinRows(least) if least is not None else ReadAllAvailable()

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        self._track().fix_ends()

    def latestOffset(self, start: dict[str, Any], limit: ReadLimit) -> dict[str, Any]:  # noqa: N802
        tracker = self._track()
        # Spark starts where it has processed everything. Its own commit() comes one batch later.
        tracker.commit(start)
        return dict(tracker.advance(start, limited=not isinstance(limit, ReadAllAvailable)))

    def reportLatestOffset(self) -> dict[str, Any] | None:  # noqa: N802
        latest: dict[str, Any] | None = self._track().latest()
        return latest

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        from riverlog.pipeline.tracking import tasks_between

        return [TaskPartition(task) for task in tasks_between(start, end)]

    def stop(self) -> None:
        if self._tracker is not None:
            self._tracker.close()

    # ---------------------------------------------------------------- in a worker

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, TaskPartition)
        _freeze()
        return read_task(partition.task, self._settings)
