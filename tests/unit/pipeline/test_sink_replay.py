"""What Spark must be set to, and what tells rows apart."""

from __future__ import annotations

import pyarrow as pa
import pytest

from riverlog.pipeline import update_sink
from riverlog.pipeline.errors import OptionError
from riverlog.pipeline.option_table import Side
from riverlog.pipeline.options import parse_options
from riverlog.pipeline.replay import Fingerprint, ReplayError, check_settings, fingerprint
from riverlog.pipeline.sink_options import AT_LEAST_ONCE, EXACTLY_ONCE, delivery

GOOD = {"spark.sql.adaptive.streaming.stateless.enabled": "false"}


@pytest.mark.parametrize(
    "settings",
    [
        GOOD,
        {"spark.sql.adaptive.enabled": "False", "spark.speculation": "false"},
        {**GOOD, "spark.sql.execution.sortBeforeRepartition": "true"},
    ],
)
def test_settings_under_which_a_batch_can_be_run_again(settings: dict[str, str]) -> None:
    check_settings(settings.get, streaming=True)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({}, "set spark.sql.adaptive.streaming.stateless.enabled to false"),
        ({**GOOD, "spark.speculation": "true"}, "spark.speculation runs a task twice"),
        ({**GOOD, "spark.sql.execution.sortBeforeRepartition": "false"}, "may deal rows differently"),
    ],
)
def test_settings_under_which_it_cannot(settings: dict[str, str], told: str) -> None:
    with pytest.raises(ReplayError, match=told):
        check_settings(settings.get, streaming=True)


def test_within_foreach_batch_the_plan_is_one_of_a_batch() -> None:
    with pytest.raises(ReplayError, match=r"set spark\.sql\.adaptive\.enabled to false for foreachBatch"):
        check_settings(GOOD.get, streaming=False)
    check_settings({"spark.sql.adaptive.enabled": "false"}.get, streaming=False)


def batch(*pairs: tuple[bytes | None, bytes | None]) -> pa.RecordBatch:
    keys, values = zip(*pairs, strict=True)
    return pa.record_batch({"key": pa.array(keys, pa.binary()), "value": pa.array(values, pa.binary())})


def test_a_fingerprint_counts_rows_bytes_and_content_in_any_order() -> None:
    whole = batch((b"k", b"\x01\x02"), (None, b"\xff"), (b"", None))
    assert fingerprint(whole) == Fingerprint(rows=3, size=4, checksum=ord("k") + 1 + 2 + 255)
    assert fingerprint(whole.append_column("topic", pa.array(["t", "t", "u"]))) != fingerprint(whole)
    backwards = batch((b"", None), (None, b"\xff"), (b"k", b"\x01\x02"))
    assert fingerprint(backwards) == fingerprint(whole)


def test_fingerprints_of_slices_add_up() -> None:
    whole = batch(*((f"k{n}".encode() if n % 3 else None, b"v" * n) for n in range(100)))
    parts = [whole.slice(at, 7) for at in range(0, 100, 7)]
    total = Fingerprint()
    for part in parts:
        total = total.plus(fingerprint(part))
    assert total == fingerprint(whole)
    assert fingerprint(whole.slice(5, 0)) == Fingerprint()


# ---------------------------------------------------------------- options


def options(side: Side, **raw: str) -> dict[str, str]:
    return {"kafka.bootstrap.servers": "h:1", **{key.replace("_", "."): value for key, value in raw.items()}}


def test_streams_are_exactly_once_and_batches_at_least_once_unless_said_otherwise() -> None:
    stream = parse_options(options(Side.STREAM_WRITE), Side.STREAM_WRITE)
    assert delivery(stream) == EXACTLY_ONCE
    assert delivery(parse_options(options(Side.BATCH_WRITE), Side.BATCH_WRITE)) == AT_LEAST_ONCE
    chosen = parse_options(options(Side.BATCH_WRITE, delivery="Exactly-Once"), Side.BATCH_WRITE)
    assert delivery(chosen) == EXACTLY_ONCE


@pytest.mark.parametrize(
    ("side", "raw", "told"),
    [
        (
            Side.STREAM_WRITE,
            {"delivery": "always"},
            "must be one of exactly-once, at-least-once, at-most-once",
        ),
        (Side.BATCH_WRITE, {"delivery": "at-most-once"}, "is for streaming writes"),
        (Side.STREAM_WRITE, {"kafka_acks": "1"}, r"needs kafka\.acks=all"),
        (Side.STREAM_WRITE, {"kafka_acks": "2"}, "must be all, 1 or 0"),
        (Side.STREAM_WRITE, {"kafka_enable_idempotence": "false"}, r"needs kafka\.enable\.idempotence=true"),
        (Side.STREAM_WRITE, {"kafka_compression_type": "brotli"}, "one of none, gzip, snappy, lz4, zstd"),
        (Side.STREAM_WRITE, {"kafka_buffer_memory": "1k"}, r"is less than kafka\.batch\.size"),
        (Side.STREAM_WRITE, {"kafka_transactional_id": "x"}, "names its transactions after query and task"),
        (Side.STREAM_WRITE, {"path": "t"}, "topics are named by option or column topic"),
        (Side.STREAM_WRITE, {"topik": "t"}, r"unknown option topik; did you mean topic\?"),
        (Side.STREAM_WRITE, {"compression_type": "lz4"}, r"did you mean kafka\.compression\.type\?"),
        (Side.STREAM_WRITE, {"kafka_partitioner_class": "x"}, "give rows a column partition"),
        (Side.BATCH_WRITE, {"subscribe": "t"}, "subscribe is for reads; this is one of the batch writes"),
    ],
)
def test_wrong_options_are_named(side: Side, raw: dict[str, str], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        parse_options(options(side, **raw), side)


@pytest.mark.parametrize(
    "name", ["kafka.linger.ms", "kafka.retries", "kafka.max.in.flight.requests.per.connection"]
)
def test_settings_of_kafkas_producer_may_stay(name: str) -> None:
    parse_options({**options(Side.STREAM_WRITE), name: "5"}, Side.STREAM_WRITE)


def test_update_sink_tells_mistakes_before_a_query_starts() -> None:
    with pytest.raises(OptionError, match="did you mean topic"):
        update_sink({"kafka.bootstrap.servers": "h:1", "topik": "t"})
