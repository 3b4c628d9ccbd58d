"""Spark's own Kafka connector reads and writes: batch, micro-batches, and the real-time trigger."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from clientkit import rdkafka
from clientkit.lines import LineClient, sample_from_row, sample_row
from clientkit.paths import CACHE, say
from clientkit.samples import START_MS, Sample, same, samples

from bench.spark_jars import SPARK, ConnectorUnavailable, spark_connector_jars

HOST = Path(__file__).parent / "clientkit" / "spark_host.py"
LONG_BATCH = "60 seconds"
"""Of a real-time query: what comes out before it is over came out of the middle of a batch."""

Row = dict[str, Any]


class Spark:
    """The connector, pointed at one broker."""

    def __init__(self, client: LineClient, bootstrap: str) -> None:
        self._client = client
        self._servers = {"kafka.bootstrap.servers": bootstrap}

    def read(self, **options: str) -> list[Row]:
        """Options have dots, which Python's names have not: ``kafka__x__y`` is ``kafka.x.y``."""
        rows: list[Row] = self._client.call("read", options=self._servers | _dotted(options))
        return rows

    def write(
        self, records: Sequence[Sample], *, places: Sequence[tuple[str, int]] = (), **options: str
    ) -> None:
        """``places`` gives each record its topic and partition; without it ``topic`` is an option."""
        rows = [sample_row(sample, named_headers=False) for sample in records]
        for row, (topic, partition) in zip(rows, places, strict=False):
            row |= {"topic": topic, "partition": partition}
        columns = ["key", "value", "headers", *(("topic", "partition") if places else ())]
        options = {"includeHeaders": "true", **options}
        self._client.call("write", rows=rows, columns=columns, options=self._servers | _dotted(options))

    def copy(self, source: str, sink: str, checkpoint: Path, *, trigger: Row, **options: str) -> None:
        """Start the query ``sink``; it runs until ``finish`` or ``stop``."""
        reading = {"subscribe": source, "startingOffsets": "earliest", **_dotted(options)}
        writing = {"topic": sink, "checkpointLocation": str(checkpoint)}
        self._client.call(
            "copy",
            name=sink,
            source=self._servers | reading,
            sink=self._servers | writing,
            trigger=trigger,
        )

    def finish(self, sink: str) -> list[Row]:
        batches: list[Row] = self._client.call("finish", name=sink)
        return batches

    def batches_done(self, sink: str) -> int:
        done: int = self._client.call("batches", name=sink)
        return done

    def stop(self, sink: str) -> None:
        self._client.call("stop", name=sink)


def _dotted(options: dict[str, str]) -> dict[str, str]:
    return {name.replace("__", "."): value for name, value in options.items()}


@pytest.fixture(scope="module")
def spark_program() -> Iterator[LineClient]:
    if importlib.util.find_spec("pyspark") is None:
        pytest.skip("pyspark is not installed (the extra riverlog[spark])")
    if not (CACHE / f"spark-kafka-{SPARK}").exists():
        say("fetching Spark's Kafka connector by name with Maven, once (about 10 MB) …")
    try:
        jars = spark_connector_jars()
    except ConnectorUnavailable as missing:
        pytest.skip(str(missing))
    client = LineClient([sys.executable, str(HOST), *map(str, jars)])
    yield client
    client.close()


@pytest.fixture
def spark(spark_program: LineClient, bootstrap: str) -> Spark:
    return Spark(spark_program, bootstrap)


def found(rows: Sequence[Row]) -> list[Sample]:
    return [sample_from_row(row) for row in rows]


def offsets(rows: Sequence[Row]) -> dict[tuple[str, int], list[int]]:
    places: dict[tuple[str, int], list[int]] = {}
    for row in rows:
        places.setdefault((row["topic"], row["partition"]), []).append(row["offset"])
    return places


def fill(bootstrap: str, topic: str, counts: Sequence[int]) -> None:
    """A topic with so many records in each partition, one second apart."""
    rdkafka.create_topic(bootstrap, topic, partitions=len(counts))
    writer = rdkafka.producer(bootstrap)
    for partition, count in enumerate(counts):
        rdkafka.send(writer, topic, samples(count, seed=partition), partition=partition)


def test_spark_reads_every_codec_and_column(spark: Spark, mixed_topic: tuple[str, list[Sample]]) -> None:
    name, sent = mixed_topic
    rows = spark.read(subscribe=name)
    same(found(rows), sent)
    assert offsets(rows) == {(name, 0): list(range(len(sent)))}
    assert {row["timestamp_type"] for row in rows} == {0}


def test_spark_reads_between_offsets_of_assigned_partitions(spark: Spark, bootstrap: str, topic: str) -> None:
    fill(bootstrap, topic, [30, 20, 10])
    rows = spark.read(
        assign=json.dumps({topic: [0, 2]}),
        startingOffsets=json.dumps({topic: {"0": 7, "2": -2}}),
        endingOffsets=json.dumps({topic: {"0": 19, "2": -1}}),
        minPartitions="4",
    )
    assert offsets(rows) == {(topic, 0): list(range(7, 19)), (topic, 2): list(range(10))}


def test_spark_reads_the_topics_of_a_pattern(spark: Spark, bootstrap: str, topic: str) -> None:
    for name, count in ((f"{topic}-a", 5), (f"{topic}-b", 3), (f"{topic}-other", 2)):
        fill(bootstrap, name, [count])
    rows = spark.read(subscribePattern=f"{topic}-[ab]")
    assert offsets(rows) == {(f"{topic}-a", 0): list(range(5)), (f"{topic}-b", 0): list(range(3))}


def test_spark_reads_from_one_time_to_another(spark: Spark, bootstrap: str, topic: str) -> None:
    fill(bootstrap, topic, [20, 8])
    rows = spark.read(
        subscribe=topic,
        startingTimestamp=str(START_MS + 4_001),
        endingTimestamp=str(START_MS + 12_000),
        startingOffsetsByTimestampStrategy="latest",
    )
    assert offsets(rows) == {(topic, 0): list(range(5, 12)), (topic, 1): list(range(5, 8))}
    by_partition = {topic: {"0": START_MS + 18_000, "1": START_MS + 7_000}}
    rows = spark.read(subscribe=topic, startingOffsetsByTimestamp=json.dumps(by_partition))
    assert offsets(rows) == {(topic, 0): [18, 19], (topic, 1): [7]}


def test_spark_reads_only_what_was_committed_if_told_so(spark: Spark, bootstrap: str, topic: str) -> None:
    rdkafka.create_topic(bootstrap, topic)
    writer = rdkafka.producer(bootstrap, transactional_id=topic)
    writer.init_transactions(rdkafka.WAIT_SECONDS)
    sent = {part: samples(6, seed=seed) for seed, part in enumerate(("kept", "aborted", "kept too", "open"))}
    for part, records in sent.items():
        writer.begin_transaction()
        rdkafka.send(writer, topic, records)
        if part == "aborted":
            writer.abort_transaction(rdkafka.WAIT_SECONDS)
        elif part != "open":
            writer.commit_transaction(rdkafka.WAIT_SECONDS)
    committed = spark.read(subscribe=topic, kafka__isolation__level="read_committed")
    same(found(committed), sent["kept"] + sent["kept too"])
    everything = spark.read(subscribe=topic)
    same(found(everything), [record for part in sent.values() for record in part])
    writer.abort_transaction(rdkafka.WAIT_SECONDS)


@pytest.mark.parametrize("codec", ["none", "zstd"])
def test_spark_writes_rows_to_their_topic_and_partition(
    spark: Spark, bootstrap: str, topic: str, codec: str
) -> None:
    names = [f"{topic}-{codec}-{side}" for side in ("left", "right")]
    for name in names:
        rdkafka.create_topic(bootstrap, name, partitions=2)
    sent = samples(60)
    places = [(names[number % 2], number // 2 % 2) for number in range(len(sent))]
    spark.write(sent, places=places, kafka__compression__type=codec)
    for place in set(places):
        name, partition = place
        wanted = [_untimed(record) for record, at in zip(sent, places, strict=True) if at == place]
        written = map(_untimed, rdkafka.read(bootstrap, name, partition=partition))
        same(sorted(written, key=repr), sorted(wanted, key=repr))  # Spark's tasks write side by side


def test_spark_spreads_keys_as_kafkas_clients_do(spark: Spark, bootstrap: str, topic: str) -> None:
    rdkafka.create_topic(bootstrap, topic, partitions=3)
    keyed = [Sample(b"key %d" % number, b"from Spark", START_MS) for number in range(40)]
    spark.write(keyed, topic=topic)
    writer = rdkafka.producer(bootstrap, partitioner="murmur2_random")
    rdkafka.send(writer, topic, keyed, partition=-1)
    places = [(row["key"], row["partition"]) for row in spark.read(subscribe=topic)]
    assert len({partition for _, partition in places}) == 3
    assert sorted(places) == sorted(2 * sorted(set(places)))
    assert len(set(places)) == len(keyed)


def _untimed(record: Sample) -> Sample:
    """Spark's sink takes no timestamps, and cannot tell no headers from an empty list of them."""
    return Sample(record.key, record.value, 0, record.headers)


def test_spark_copies_in_micro_batches_and_goes_on_from_its_checkpoint(
    spark: Spark, bootstrap: str, topic: str, tmp_path: Path
) -> None:
    fill(bootstrap, topic, [40, 20])
    out = f"{topic}-out"
    rdkafka.create_topic(bootstrap, out, partitions=2)
    copying: Row = {"trigger": {"availableNow": True}, "maxOffsetsPerTrigger": "25"}
    spark.copy(topic, out, tmp_path / "checkpoint", **copying)
    batches = [batch["numInputRows"] for batch in spark.finish(out)]
    assert sum(batches) == 60
    assert 3 <= len([rows for rows in batches if rows]) <= 4
    assert max(batches) <= 26, "a partition's share is rounded up"
    rdkafka.send(rdkafka.producer(bootstrap), topic, samples(5, seed=7), partition=1)
    spark.copy(topic, out, tmp_path / "checkpoint", **copying)
    (again,) = [batch for batch in spark.finish(out) if batch["numInputRows"]]
    assert again["sources"][0]["startOffset"] == {topic: {"0": 40, "1": 20}}
    assert again["sources"][0]["endOffset"] == {topic: {"0": 40, "1": 25}}
    copied = sorted(map(_untimed, found(spark.read(subscribe=out))), key=repr)
    same(copied, sorted(map(_untimed, found(spark.read(subscribe=topic))), key=repr))


def test_spark_copies_in_real_time(spark: Spark, bootstrap: str, topic: str, tmp_path: Path) -> None:
    fill(bootstrap, topic, [3, 0])
    out = f"{topic}-out"
    rdkafka.create_topic(bootstrap, out)
    writer = rdkafka.producer(bootstrap, linger_ms=0)
    wanted = {record.value for record in samples(3, seed=0)}
    spark.copy(topic, out, tmp_path / "checkpoint", trigger={"realTime": LONG_BATCH})
    _wait_for_values(bootstrap, out, wanted)
    for number in range(10):
        value = b"at once %d" % number
        rdkafka.send(writer, topic, [Sample(None, value, START_MS)], partition=number % 2)
        wanted.add(value)
        _wait_for_values(bootstrap, out, wanted)
    assert spark.batches_done(out) == 0
    spark.stop(out)


def _wait_for_values(bootstrap: str, topic: str, wanted: set[bytes | None]) -> None:
    rdkafka.wait_for(lambda: {record.value for record in rdkafka.read(bootstrap, topic)} == wanted)
