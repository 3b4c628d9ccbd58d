"""Filling a data folder through a running broker, and looking at what a broker shows of it."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import crc32c
from confluent_kafka import (
    OFFSET_BEGINNING,
    KafkaError,
    KafkaException,
    Producer,
    TopicCollection,
    TopicPartition,
)
from confluent_kafka.admin import ConfigResource, ConfigSource, NewPartitions, OffsetSpec, ResourceType

from clientkit import rdkafka
from clientkit.rdkafka import WAIT_SECONDS
from clientkit.samples import CODECS, START_MS, Sample, samples

# Small segments and a dense index: a few megabytes make several files with many entries.
SMALL = {"segment.bytes": str(1 << 20), "index.interval.bytes": "2048"}

# Apache Kafka answers these for a moment after a restart.
NOT_YET = {
    KafkaError.UNKNOWN_LEADER_EPOCH,
    KafkaError.FENCED_LEADER_EPOCH,
    KafkaError.NOT_LEADER_FOR_PARTITION,
    KafkaError.LEADER_NOT_AVAILABLE,
    KafkaError.OFFSET_NOT_AVAILABLE,
}


def bulk(count: int, *, seed: int, size: int = 2000) -> list[Sample]:
    """Records that do not compress, so that every codec fills segments."""
    rng = random.Random(seed)
    return [Sample(b"key-%d" % (i % 11), rng.randbytes(size), START_MS + 100 * i) for i in range(count)]


def write_plain(bootstrap: str) -> None:
    """Topics that need nothing but produce and admin requests."""
    for number, codec in enumerate(CODECS):
        topic = f"codec-{codec}"
        rdkafka.create_topic(bootstrap, topic, config=SMALL)
        writer = rdkafka.producer(bootstrap, compression_type=codec, batch_size=20_000)
        rdkafka.send(writer, topic, bulk(1200, seed=number))
        rdkafka.send(writer, topic, samples(60, seed=number, start_ms=START_MS + 200_000))
    rdkafka.create_topic(bootstrap, "mixed")
    rdkafka.write_mixed(bootstrap, "mixed")
    rdkafka.create_topic(bootstrap, "idempotent", partitions=2)
    writer = rdkafka.producer(bootstrap, enable_idempotence=True, batch_num_messages=20)
    for partition in range(2):
        rdkafka.send(writer, "idempotent", bulk(300, seed=9, size=50), partition=partition)
    rdkafka.create_topic(bootstrap, "append-time", config={"message.timestamp.type": "LogAppendTime"})
    rdkafka.send(rdkafka.producer(bootstrap, compression_type="snappy"), "append-time", samples(40))
    rdkafka.create_topic(bootstrap, "recompressed", config={"compression.type": "zstd"})
    rdkafka.send(rdkafka.producer(bootstrap, compression_type="lz4"), "recompressed", samples(40))
    settings = {"cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.99", "retention.ms": "-1"}
    rdkafka.create_topic(bootstrap, "compacted", config=settings)
    rdkafka.send(rdkafka.producer(bootstrap), "compacted", bulk(40, seed=4, size=10))
    rdkafka.create_topic(bootstrap, "empty", partitions=3)
    _write_changed(bootstrap)


def _write_changed(bootstrap: str) -> None:
    """Topics that were deleted, cut or grown."""
    admin = rdkafka.admin(bootstrap)
    rdkafka.create_topic(bootstrap, "deleted")
    rdkafka.send(rdkafka.producer(bootstrap), "deleted", samples(10))
    admin.delete_topics(["deleted"])["deleted"].result(WAIT_SECONDS)
    rdkafka.create_topic(bootstrap, "cut")
    rdkafka.send(rdkafka.producer(bootstrap), "cut", samples(50))
    before = TopicPartition("cut", 0, 23)
    admin.delete_records([before])[before].result(WAIT_SECONDS)
    rdkafka.create_topic(bootstrap, "grown")
    admin.create_partitions([NewPartitions("grown", 3)])["grown"].result(WAIT_SECONDS)
    rdkafka.send(rdkafka.producer(bootstrap), "grown", samples(20), partition=2)


def write_transactions(bootstrap: str) -> None:
    """Committed, aborted and interleaved transactions over two partitions."""
    rdkafka.create_topic(bootstrap, "transactions", partitions=2, config=SMALL)
    first, second = (_transactional(bootstrap, name) for name in ("first", "second"))
    plain = rdkafka.producer(bootstrap)
    for step in range(12):
        writer = (first, second)[step % 2]
        writer.begin_transaction()
        rdkafka.send(writer, "transactions", bulk(70, seed=step), partition=0)
        rdkafka.send(writer, "transactions", bulk(5, seed=step, size=40), partition=1)
        rdkafka.send(plain, "transactions", samples(3, seed=step), partition=0)
        if step % 3 == 2:
            writer.abort_transaction(WAIT_SECONDS)
        else:
            writer.commit_transaction(WAIT_SECONDS)
    first.begin_transaction()
    second.begin_transaction()
    for step in range(4):
        rdkafka.send((first, second)[step % 2], "transactions", samples(10, seed=step), partition=0)
    second.abort_transaction(WAIT_SECONDS)
    first.commit_transaction(WAIT_SECONDS)


def _transactional(bootstrap: str, name: str) -> Producer:
    writer = rdkafka.producer(bootstrap, transactional_id=name)
    writer.init_transactions(WAIT_SECONDS)
    return writer


Rows = list[tuple[int, Sample]]


@dataclass
class PartitionView:
    earliest: int
    latest: int
    max_timestamp: tuple[int, int]
    records: Rows
    committed: Rows


@dataclass
class TopicView:
    topic_id: str
    config: dict[str, str]
    partitions: dict[int, PartitionView] = field(default_factory=dict)


def view(bootstrap: str) -> dict[str, TopicView]:
    """Everything a client can see of the topics that are not internal."""
    admin = rdkafka.admin(bootstrap)
    names = sorted(
        name for name in admin.list_topics(timeout=WAIT_SECONDS).topics if not name.startswith("__")
    )
    described = {name: future.result(WAIT_SECONDS) for name, future in _describe(bootstrap, names).items()}
    places = [TopicPartition(name, row.id) for name in names for row in described[name].partitions]
    earliest, latest, newest = (
        _offsets(bootstrap, places, spec)
        for spec in (OffsetSpec.earliest(), OffsetSpec.latest(), OffsetSpec.max_timestamp())
    )
    records, committed = (
        _records(bootstrap, places, level) for level in ("read_uncommitted", "read_committed")
    )
    seen = {}
    for name in names:
        seen[name] = TopicView(str(described[name].topic_id), topic_config(bootstrap, name))
    for place in places:
        key = (place.topic, place.partition)
        seen[place.topic].partitions[place.partition] = PartitionView(
            earliest[key][0], latest[key][0], newest[key], records[key], committed[key]
        )
    return seen


def _describe(bootstrap: str, names: list[str]) -> dict[str, Any]:
    return rdkafka.admin(bootstrap).describe_topics(TopicCollection(names))


def _records(bootstrap: str, places: list[TopicPartition], level: str) -> dict[tuple[str, int], Rows]:
    starts = [TopicPartition(place.topic, place.partition, OFFSET_BEGINNING) for place in places]
    found = rdkafka.messages_of(bootstrap, starts, isolation_level=level)
    return {
        place: [(message.offset(), rdkafka.sample_of(message)) for message in messages]
        for place, messages in found.items()
    }


def _offsets(
    bootstrap: str, places: list[TopicPartition], spec: OffsetSpec
) -> dict[tuple[str, int], tuple[int, int]]:
    """Offset and timestamp of each; asked again while a leader is only becoming one."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        answers = rdkafka.admin(bootstrap).list_offsets(dict.fromkeys(places, spec))
        try:
            results = {place: answer.result(WAIT_SECONDS) for place, answer in answers.items()}
        except KafkaException as error:
            if error.args[0].code() not in NOT_YET or time.monotonic() > deadline:
                raise
            continue
        return {(place.topic, place.partition): (row.offset, row.timestamp) for place, row in results.items()}


def topic_config(bootstrap: str, topic: str) -> dict[str, str]:
    """The settings somebody gave the topic."""
    resource = ConfigResource(ResourceType.TOPIC, topic)
    entries = rdkafka.admin(bootstrap).describe_configs([resource])[resource].result(WAIT_SECONDS)
    own = ConfigSource.DYNAMIC_TOPIC_CONFIG.value
    return {name: entry.value for name, entry in entries.items() if entry.source == own}


def compare(found: dict[str, TopicView], wanted: dict[str, TopicView]) -> None:
    """Equal topic by topic and record by record, with a message that names the first difference."""
    assert sorted(found) == sorted(wanted)
    for name, topic in wanted.items():
        assert found[name].topic_id == topic.topic_id, name
        assert found[name].config == topic.config, name
        assert found[name].partitions.keys() == topic.partitions.keys(), name
        for number, partition in topic.partitions.items():
            other = found[name].partitions[number]
            place = f"{name}-{number}"
            for pick in (lambda p: p.records, lambda p: p.committed):
                _same_records(place, pick(other), pick(partition))
            assert (other.earliest, other.latest) == (partition.earliest, partition.latest), place
            assert other.max_timestamp == partition.max_timestamp, place


def _same_records(place: str, found: Rows, wanted: Rows) -> None:
    for left, right in zip(found, wanted, strict=False):
        assert left == right, f"{place}: offset {right[0]} differs"
    assert len(found) == len(wanted), place


def rewrite_batch(path: Path, old: bytes, new: bytes) -> None:
    """Replace ``old`` in the first record batch that holds it, and make its checksum right again."""
    assert len(old) == len(new)
    data = bytearray(path.read_bytes())
    start = 0
    while start < len(data):
        size = 12 + int.from_bytes(data[start + 8 : start + 12])
        found = data.find(old, start, start + size)
        if found >= 0:
            data[found : found + len(old)] = new
            data[start + 17 : start + 21] = crc32c.crc32c(data[start + 21 : start + size]).to_bytes(4)
            path.write_bytes(data)
            return
        start += size
    raise AssertionError(f"{path} has no batch with {old!r}")
