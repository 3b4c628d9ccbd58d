"""kafka-python: blocking, its own protocol code again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

import pytest
from clientkit.samples import CODECS, START_MS, Sample, modest_samples, same
from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.admin import ConfigResource, ConfigResourceType, KafkaAdminClient, NewTopic
from kafka.errors import OffsetOutOfRangeError, TopicAlreadyExistsError

WAIT = 20.0


@pytest.fixture
def admin(bootstrap: str) -> Iterator[KafkaAdminClient]:
    client = KafkaAdminClient(bootstrap_servers=bootstrap)
    yield client
    client.close()


def producer(bootstrap: str, **settings: Any) -> closing[KafkaProducer]:
    return closing(KafkaProducer(bootstrap_servers=bootstrap, linger_ms=20, **settings))


def consumer(bootstrap: str, *partitions: TopicPartition, **settings: Any) -> closing[KafkaConsumer]:
    client = KafkaConsumer(
        bootstrap_servers=bootstrap,
        group_id=None,
        auto_offset_reset="none",
        check_crcs=True,
        fetch_max_wait_ms=100,
        **settings,
    )
    client.assign(list(partitions))
    return closing(client)


def send(client: KafkaProducer, topic: str, records: Sequence[Sample], partition: int = 0) -> list[int]:
    pending = [
        client.send(
            topic,
            value=s.value,
            key=s.key,
            partition=partition,
            timestamp_ms=s.timestamp_ms,
            headers=list(s.headers),
        )
        for s in records
    ]
    return [future.get(timeout=WAIT).offset for future in pending]


def read(bootstrap: str, topic: str, *, offset: int = 0, partition: int = 0, **settings: Any) -> list[Sample]:
    place = TopicPartition(topic, partition)
    found: list[Sample] = []
    deadline = time.monotonic() + WAIT
    with consumer(bootstrap, place, **settings) as client:
        end = client.end_offsets([place])[place]
        client.seek(place, offset)
        while client.position(place) < end and time.monotonic() < deadline:
            records = client.poll(timeout_ms=1000).get(place, [])
            found += [Sample(r.key, r.value, r.timestamp, tuple(r.headers)) for r in records]
    return found


@pytest.mark.parametrize("codec", CODECS)
def test_kafka_python_reads_back_what_it_wrote(
    bootstrap: str, admin: KafkaAdminClient, topic: str, codec: str
) -> None:
    admin.create_topics([NewTopic(topic, 1, 1)])
    sent = modest_samples(100)
    with producer(bootstrap, compression_type=None if codec == "none" else codec) as client:
        assert send(client, topic, sent) == list(range(100))
    same(read(bootstrap, topic), sent)


@pytest.mark.parametrize("offset", [0, 17, 59])
def test_kafka_python_reads_every_codec_of_librdkafka(
    bootstrap: str, mixed_topic: tuple[str, list[Sample]], offset: int
) -> None:
    topic, sent = mixed_topic
    same(read(bootstrap, topic, offset=offset, max_partition_fetch_bytes=4000), sent[offset:])


@pytest.mark.parametrize("acks", [0, 1, "all"])
def test_kafka_python_acks(bootstrap: str, admin: KafkaAdminClient, topic: str, acks: int | str) -> None:
    admin.create_topics([NewTopic(topic, 1, 1)])
    sent = modest_samples(20)
    with producer(bootstrap, acks=acks, enable_idempotence=False) as client:
        for s in sent:
            client.send(
                topic,
                value=s.value,
                key=s.key,
                partition=0,
                timestamp_ms=s.timestamp_ms,
                headers=list(s.headers),
            )
        client.flush(timeout=WAIT)
    deadline = time.monotonic() + WAIT
    found: list[Sample] = []
    while len(found) < 20 and time.monotonic() < deadline:
        found = read(bootstrap, topic)
    same(found, sent)


def test_kafka_python_idempotent_producer_keeps_order(
    bootstrap: str, admin: KafkaAdminClient, topic: str
) -> None:
    admin.create_topics([NewTopic(topic, 1, 1)])
    sent = [Sample(b"k", b"%d" % i, START_MS + i) for i in range(1000)]
    with producer(bootstrap, enable_idempotence=True, batch_size=1000) as client:
        assert send(client, topic, sent) == list(range(1000))
    same(read(bootstrap, topic, isolation_level="read_committed"), sent)


def test_kafka_python_seeks_by_time(bootstrap: str, admin: KafkaAdminClient, topic: str) -> None:
    admin.create_topics([NewTopic(topic, 1, 1)])
    with producer(bootstrap, batch_size=3000) as client:
        send(client, topic, modest_samples(50))
    place = TopicPartition(topic, 0)
    with consumer(bootstrap, place) as reader:
        for moment, wanted in {START_MS - 1: 0, START_MS + 12_001: 13, START_MS + 49_000: 49}.items():
            found = reader.offsets_for_times({place: moment})[place]
            assert (found.offset, found.timestamp) == (wanted, START_MS + 1000 * wanted)
        assert reader.offsets_for_times({place: START_MS + 60_000})[place] is None
        assert reader.beginning_offsets([place]) == {place: 0}
        assert reader.end_offsets([place]) == {place: 50}


def test_kafka_python_deletes_records(bootstrap: str, admin: KafkaAdminClient, topic: str) -> None:
    admin.create_topics([NewTopic(topic, 1, 1)])
    sent = modest_samples(30)
    with producer(bootstrap) as client:
        send(client, topic, sent)
    place = TopicPartition(topic, 0)
    admin.delete_records({place: 12})
    with consumer(bootstrap, place) as reader:
        assert reader.beginning_offsets([place]) == {place: 12}
        reader.seek(place, 3)
        with pytest.raises(OffsetOutOfRangeError):
            list(_polls(reader))
    same(read(bootstrap, topic, offset=12), sent[12:])


def _polls(reader: KafkaConsumer) -> Iterator[Any]:
    deadline = time.monotonic() + WAIT
    while time.monotonic() < deadline:
        yield reader.poll(timeout_ms=200)


def test_kafka_python_alters_and_describes_configs(
    bootstrap: str, admin: KafkaAdminClient, topic: str, settle: Callable[[], None]
) -> None:
    admin.create_topics([NewTopic(topic, 1, 1, topic_configs={"retention.ms": "1000000"})])
    admin.alter_configs(
        [ConfigResource(ConfigResourceType.TOPIC, topic, configs={"max.message.bytes": "4096"})]
    )
    settle()
    described = admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, topic)], config_filter="all")
    values = described["topic"][topic]
    assert values["max.message.bytes"]["value"] == "4096"
    assert values["max.message.bytes"]["config_source"] == "DYNAMIC_TOPIC_CONFIG"
    assert values["retention.ms"]["value"] == "1000000"
    assert values["cleanup.policy"]["config_source"] == "DEFAULT_CONFIG"


def test_kafka_python_creates_partitions_and_deletes_the_topic(
    bootstrap: str, admin: KafkaAdminClient, topic: str, settle: Callable[[], None]
) -> None:
    admin.create_topics([NewTopic(topic, 1, 1)])
    with pytest.raises(TopicAlreadyExistsError):
        admin.create_topics([NewTopic(topic, 1, 1)])
    admin.create_partitions({topic: 3})
    settle()
    sent = modest_samples(10)
    with producer(bootstrap) as client:
        send(client, topic, sent, partition=2)
    same(read(bootstrap, topic, partition=2), sent)
    admin.delete_topics([topic])
    settle()
    assert topic not in admin.list_topics()
    assert len(admin.describe_cluster()["brokers"]) == 1
