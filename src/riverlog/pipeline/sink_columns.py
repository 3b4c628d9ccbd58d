"""The columns of a row that is written: by name, with the types of Spark's Kafka sink.

Other columns are left alone, as there. A column ``timestamp`` is ours: without it, or where it is null,
records get the time at which they are written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from riverlog.pipeline.errors import PipelineError
from riverlog.pipeline.schema import HEADERS_TYPE

if TYPE_CHECKING:
    from pyspark.sql.types import DataType, StructType

_TYPES = {
    "topic": ("string",),
    "key": ("string", "binary"),
    "value": ("string", "binary"),
    "headers": ("array<struct<key:string,value:binary>>",),
    "partition": ("int",),
    "timestamp": ("timestamp",),
}
"""What a column may be, as Spark writes it."""
_ARROW_TYPES = {
    "topic": pa.string(),
    "key": pa.binary(),
    "value": pa.binary(),
    "headers": HEADERS_TYPE,
    "partition": pa.int32(),
    "timestamp": pa.timestamp("us", tz="UTC"),
}


def check_schema(schema: StructType, topic: str | None) -> None:
    """``PipelineError`` unless rows of this schema can be written."""
    found: dict[str, DataType] = {}
    for column in schema.fields:
        name = column.name.lower()
        if name in found and name in _TYPES:
            raise PipelineError(f"rows to write have two columns {name}: drop or rename one of them")
        found[name] = column.dataType
    if "value" not in found:
        raise PipelineError(
            f"rows to write need a column value (string or binary), and have {_listed(schema)}: for instance "
            'df.selectExpr("to_json(struct(*)) AS value")'
        )
    if topic is None and "topic" not in found:
        raise PipelineError("rows to write need a column topic (string), or option topic for all")
    for name, types in _TYPES.items():
        if name in found and found[name].simpleString() not in types and not (name == "topic" and topic):
            raise PipelineError(
                f"column {name} of rows to write is {found[name].simpleString()} and must be "
                f"{' or '.join(types)}"
            )


def _listed(schema: StructType) -> str:
    return ", ".join(schema.fieldNames()) or "none"


def writable_rows(batch: pa.RecordBatch, topic: str | None) -> pa.RecordBatch:
    """The columns that count, in types that do not vary: ``value`` and ``key`` always, others if there."""
    given = {name.lower(): batch.column(index) for index, name in enumerate(batch.schema.names)}
    if topic is not None:
        given.pop("topic", None)
    given.setdefault("key", pa.nulls(batch.num_rows, pa.binary()))
    names = [name for name in _ARROW_TYPES if name in given]
    rows = pa.record_batch([given[name].cast(_ARROW_TYPES[name]) for name in names], names=names)
    if topic is None and rows.column("topic").null_count:
        raise PipelineError("a row to write has null in column topic: option topic names one for all")
    return rows


def by_topic(rows: pa.RecordBatch, topic: str | None) -> dict[str, pa.RecordBatch]:
    """Rows of each topic, in their order and without that column."""
    if topic is not None:
        return {topic: rows}
    column = rows.column("topic")
    rest = rows.drop_columns(["topic"])
    names = pc.unique(column).to_pylist()
    if len(names) == 1:
        return {names[0]: rest}
    return {name: rest.filter(pc.equal(column, name)) for name in names}
