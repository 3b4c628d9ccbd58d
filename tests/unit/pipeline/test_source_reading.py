"""Slices → rows over sockets: transactions, gaps, lost and corrupt records, many slices in one task."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import TopicPartition

from riverlog.pipeline import reading
from riverlog.pipeline.arrow_read import ROWS_MAX
from riverlog.pipeline.errors import ClusterError, DataLossError, PipelineError
from riverlog.pipeline.option_values import EARLIEST
from riverlog.pipeline.reading import read_settings, read_task
from riverlog.pipeline.schema import arrow_schema
from riverlog.testing import TestBroker, broker
from tests.unit.pipeline.source_world import WAIT, World, numbers, options, texts

PATIENCE = {"kafkaConsumer_pollTimeoutMs": 4000}


@pytest.fixture(scope="module")
def node() -> Iterator[TestBroker]:
    with broker({"log.cleaner.backoff.ms": 50, "log.retention.check.interval.ms": 100}) as running:
        yield running


@pytest.fixture(scope="module", autouse=True)
def no_connections_left() -> Iterator[None]:
    yield
    reading.close_idle()


@pytest.fixture(scope="module")
def world(node: TestBroker) -> Iterator[World]:
    with World(node.bootstrap) as known:
        yield known


def until(condition: object) -> None:
    deadline = time.monotonic() + WAIT
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline, "it did not come about"


# ---------------------------------------------------------------- rows


def test_a_slice_is_read_from_its_start_up_to_its_end(world: World) -> None:
    topic = world.topic()
    world.produce(topic, range(1000))
    found = world.read(world.slice(topic, 17, 940))
    assert texts(found) == numbers(923, 17)
    assert [row["offset"] for row in found] == list(range(17, 940))


def test_columns_are_those_of_sparks_kafka_source(world: World) -> None:
    topic = world.topic()
    world.produce(topic, ["a"], key=b"k", timestamp=1_700_000_000_123, headers=[("h", b"1"), ("n", None)])
    world.produce(topic, ["b"])
    (first, second) = world.read(world.slice(topic, 0, 2), includeHeaders=True)
    assert list(first) == arrow_schema(headers=True).names
    assert (first["key"], first["value"], first["topic"], first["partition"]) == (b"k", b"a", topic, 0)
    assert (first["offset"], first["timestampType"]) == (0, 0)
    assert first["timestamp"].timestamp() == 1_700_000_000.123
    assert first["headers"] == [{"key": "h", "value": b"1"}, {"key": "n", "value": None}]
    assert (second["key"], second["headers"]) == (None, None)


def test_small_answers_make_the_same_rows(world: World) -> None:
    topic = world.topic()
    for start in range(0, 600, 20):
        world.produce(topic, range(start, start + 20))
    found = world.read(world.slice(topic, 0, 600), kafka_max_partition_fetch_bytes=300)
    assert texts(found) == numbers(600)
    assert texts(world.read(world.slice(topic, 0, 600), kafka_fetch_max_bytes=100)) == numbers(600)


def test_rows_of_many_slices_come_in_the_order_of_the_slices(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "WAVE_SLICES_MAX", 8)
    topic = world.topic(20)
    expected: list[str] = []
    slices = []
    for partition in range(20):
        mine = [f"{partition}-{n}" for n in range(partition % 7 + 1)]
        world.produce(topic, mine, partition=partition)
        expected += mine
        slices.append(world.slice(topic, 0, len(mine), partition=partition))
    for memory in ("32m", "8k"):
        settings = read_settings(options(world.bootstrap, subscribe="x", fetchMemoryBytes=memory))
        (batch,) = read_task(tuple(slices), settings)  # one, for Spark pays for each
        assert [row["value"].decode() for row in batch.to_pylist()] == expected


def test_slices_of_one_partition_in_one_task_are_read_one_after_the_other(world: World) -> None:
    topic = world.topic()
    world.produce(topic, range(100))
    found = world.read(world.slice(topic, 0, 10), world.slice(topic, 50, 60), world.slice(topic, 90, 95))
    assert texts(found) == [*numbers(10), *numbers(10, 50), *numbers(5, 90)]


def test_a_task_without_slices_has_no_rows(world: World) -> None:
    assert world.read() == []


# ---------------------------------------------------------------- transactions and compaction


def test_read_committed_leaves_out_what_was_aborted(world: World) -> None:
    topic = world.topic()
    world.transaction(topic, ["a", "b"], end="commit")
    world.transaction(topic, ["x", "y"], end="abort")
    world.produce(topic, ["c"])
    # Two markers: offsets 2 and 5.
    assert texts(world.read(world.slice(topic, 0, 7))) == ["a", "b", "c"]
    found = world.read(world.slice(topic, 0, 7), kafka_isolation_level="read_uncommitted")
    assert texts(found) == ["a", "b", "x", "y", "c"]


def test_a_slice_that_ends_within_a_transaction_ends_there(world: World) -> None:
    topic = world.topic()
    world.transaction(topic, range(10), end="commit")
    assert texts(world.read(world.slice(topic, 3, 7))) == numbers(4, 3)


def test_a_slice_of_nothing_but_markers_has_no_rows(world: World) -> None:
    topic = world.topic()
    world.transaction(topic, ["a"], end="commit")
    assert world.read(world.slice(topic, 1, 2)) == []


def test_read_uncommitted_does_not_wait_for_an_open_transaction(world: World) -> None:
    topic = world.topic()
    producer = world.transaction(topic, ["a", "b"], end="open", name="left-open")
    found = world.read(world.slice(topic, 0, 2), kafka_isolation_level="read_uncommitted")
    assert texts(found) == ["a", "b"]
    producer.abort_transaction(WAIT)


def test_gaps_left_by_compaction_are_stepped_over(world: World) -> None:
    topic = world.topic(
        cleanup_policy="compact",
        segment_bytes=1 << 20,
        min_cleanable_dirty_ratio=0.01,
        min_compaction_lag_ms=0,
    )
    for start in range(20):
        world.produce(topic, [b"%d" % start + bytes(120_000)], key=b"the only one")
    world.produce(topic, ["last"], key=b"another")

    def found() -> list[dict[str, Any]]:
        return world.read(world.slice(topic, 0, 21))

    until(lambda: len(found()) < 15)
    offsets = [row["offset"] for row in found()]
    assert offsets[-1] == 20
    assert offsets[0] > 0
    # A slice wholly within a gap.
    assert world.read(world.slice(topic, 0, offsets[0])) == []


# ---------------------------------------------------------------- data loss


def test_what_retention_took_is_an_error(world: World) -> None:
    topic = world.topic()
    world.produce(topic, range(100))
    world.admin.delete_records([TopicPartition(topic, 0, 40)])[TopicPartition(topic, 0)].result(WAIT)
    row = world.slice(topic, 10, 100)
    with pytest.raises(DataLossError, match=r"offsets 10 to 39 of .* are gone: it starts at 40"):
        world.read(row)
    assert texts(world.read(row, failOnDataLoss=False)) == numbers(60, 40)
    assert world.read(world.slice(topic, 10, 30), failOnDataLoss=False) == []


def test_an_end_that_is_not_there_is_an_error(world: World) -> None:
    topic = world.topic()
    world.produce(topic, range(10))
    row = world.slice(topic, 20, 30)
    with pytest.raises(DataLossError, match=r"offsets 20 to 29 .* are gone: it ends at 10"):
        world.read(row)
    assert world.read(row, failOnDataLoss=False) == []


def test_records_that_do_not_come_end_the_patience(world: World) -> None:
    topic = world.topic()
    world.produce(topic, range(10))
    with pytest.raises(ClusterError, match=r"nothing from offset 10 on within 0.6 s"):
        world.read(world.slice(topic, 5, 30), kafkaConsumer_pollTimeoutMs=600)


@pytest.mark.parametrize("again", [False, True])
def test_a_deleted_topic_is_an_error(
    world: World, monkeypatch: pytest.MonkeyPatch, again: bool, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(reading, "MISSING_SECONDS", 0.3)
    topic = world.topic()
    world.produce(topic, ["old"] * 5)
    row = world.slice(topic, 0, 5)
    world.delete(topic)
    if again:
        world.topic(name=topic)
        world.produce(topic, ["new"] * 5)
    reason = "another topic has the name now" if again else "unknown topic or partition"
    with pytest.raises(DataLossError, match=f"partition {topic}-0 from offset 0 on is gone: {reason}"):
        world.read(row)
    with caplog.at_level(logging.WARNING):
        assert world.read(row, failOnDataLoss=False) == []
    assert "going on with what is there" in caplog.text


def test_a_worker_that_knew_the_old_topic_finds_the_new_one(world: World) -> None:
    topic = world.topic()
    world.produce(topic, ["old"])
    assert texts(world.read(world.slice(topic, 0, 1))) == ["old"]
    world.delete(topic)
    world.topic(name=topic)
    world.produce(topic, ["new"])
    assert texts(world.read(world.slice(topic, 0, 1))) == ["new"]


def test_a_corrupt_batch_is_an_error_or_left_out() -> None:
    with broker() as node:
        world = World(node.bootstrap)
        topic = world.topic()
        for start in (0, 10, 20):
            world.produce(topic, range(start, start + 10))
        row = world.slice(topic, 0, 30)
        node.stop()
        _damage(Path(node.data_dir) / f"{topic}-0", batch=1)
        node.start()
        with pytest.raises(DataLossError, match=f"partition {topic}-0, at offset 10: checksum"):
            world.read(row)
        kept = texts(world.read(row, failOnDataLoss=False))
        assert kept == [*numbers(10), *numbers(10, 20)]


def _damage(folder: Path, *, batch: int) -> None:
    """Flip a bit in the last record of a batch."""
    from riverlog.records import iter_headers

    (log,) = folder.glob("*.log")
    data = bytearray(log.read_bytes())
    position, header = list(iter_headers(bytes(data)))[batch]
    data[position + header.size - 2] ^= 1
    log.write_bytes(data)


def test_a_batch_larger_than_the_limit_is_an_error_whatever_failondataloss_says(world: World) -> None:
    topic = world.topic(compression_type="zstd", max_message_bytes=20_000_000)
    world.produce(topic, [b"0" * 900_000] * 8)
    row = world.slice(topic, 0, 8)
    with pytest.raises(PipelineError, match=r"decompressed.*raise option decompressedBytes"):
        world.read(row, decompressedBytes="100k", failOnDataLoss=False)
    assert len(world.read(row)) == 8


# ---------------------------------------------------------------- connections


def test_connections_are_kept_for_the_next_task(world: World) -> None:
    topic = world.topic()
    world.produce(topic, range(10))
    world.read(world.slice(topic, 0, 10), kafka_client_id="kept")
    (client,) = reading._idle.values()
    world.read(world.slice(topic, 0, 10), kafka_client_id="kept")
    assert list(reading._idle.values()) == [client]
    world.read(world.slice(topic, 0, 10), kafka_client_id="other")
    assert client not in reading._idle.values()
    assert len(reading._idle) == 1


def test_a_task_that_is_left_early_leaves_no_connection(world: World) -> None:
    topic = world.topic()
    world.produce(topic, range(70_000))
    settings = read_settings(
        options(
            world.bootstrap, subscribe="x", kafka_max_partition_fetch_bytes=100_000, kafka_client_id="early"
        )
    )
    rows = read_task((world.slice(topic, 0, 70_000),), settings)
    assert next(rows).num_rows == ROWS_MAX
    rows.close()  # type: ignore[attr-defined]
    assert "early" not in {key[1] for key in reading._idle}


def test_a_broker_that_is_away_is_waited_for() -> None:
    with broker(process=True) as node:
        world = World(node.bootstrap)
        topic = world.topic()
        world.produce(topic, range(100))
        row = world.slice(topic, 0, 100)
        assert len(world.read(row)) == 100
        node.kill()
        with pytest.raises(ClusterError, match="within 1 s"):
            world.read(row, kafkaConsumer_pollTimeoutMs=1000)
        node.start()
        assert texts(world.read(row)) == numbers(100)


def test_no_broker_is_one_clear_line() -> None:
    settings = read_settings(options("127.0.0.1:1", subscribe="t", kafkaConsumer_pollTimeoutMs=300))
    with pytest.raises(ClusterError, match=r"looking for t at 127.0.0.1:1: .*connection refused"):
        list(read_task((reading.Slice("t", b"i" * 16, 0, 0, 5),), settings))


def test_earliest_is_what_the_broker_calls_it() -> None:
    assert EARLIEST == reading.EARLIEST
