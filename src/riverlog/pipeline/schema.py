"""The columns of a riverlog table: those of Spark's Kafka source, as Arrow schema and as Spark DDL.

Spark compares the Arrow schema of the first batch with the one it derives from the DDL, so both are
written down here, and a test holds them together.
"""

from __future__ import annotations

import pyarrow as pa

HEADERS_TYPE = pa.list_(pa.struct([pa.field("key", pa.string()), pa.field("value", pa.binary())]))

ARROW_SCHEMA = pa.schema(
    [
        pa.field("key", pa.binary()),
        pa.field("value", pa.binary()),
        pa.field("topic", pa.string()),
        pa.field("partition", pa.int32()),
        pa.field("offset", pa.int64()),
        pa.field("timestamp", pa.timestamp("us", tz="UTC")),
        pa.field("timestampType", pa.int32()),
    ]
)
ARROW_SCHEMA_WITH_HEADERS = ARROW_SCHEMA.append(pa.field("headers", HEADERS_TYPE))

_DDL = (
    "key BINARY, value BINARY, topic STRING, partition INT, offset BIGINT, timestamp TIMESTAMP, "
    "timestampType INT"
)
_DDL_HEADERS = "headers ARRAY<STRUCT<key: STRING, value: BINARY>>"


def arrow_schema(*, headers: bool) -> pa.Schema:
    return ARROW_SCHEMA_WITH_HEADERS if headers else ARROW_SCHEMA


def ddl(*, headers: bool) -> str:
    return f"{_DDL}, {_DDL_HEADERS}" if headers else _DDL


def columns(*, headers: bool) -> list[str]:
    return list(arrow_schema(headers=headers).names)
