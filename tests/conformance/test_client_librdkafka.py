"""confluent-kafka, the Python face of librdkafka."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from clientkit import rdkafka
from clientkit.samples import CODECS, START_MS, Sample, same, samples
from confluent_kafka import (
    OFFSET_BEGINNING,
    OFFSET_END,
    IsolationLevel,
    KafkaError,
    KafkaException,
    TopicCollection,
    TopicPartition,
)
from confluent_kafka.admin import (
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    ConfigSource,
    NewPartitions,
    NewTopic,
    OffsetSpec,
    ResourceType,
)

WAIT = rdkafka.WAIT_SECONDS


def describe(bootstrap: str, topic: str) -> dict[str, ConfigEntry]:
    resource = ConfigResource(ResourceType.TOPIC, topic)
    return rdkafka.admin(bootstrap).describe_configs([resource])[resource].result(WAIT)


def alter(bootstrap: str, topic: str, *entries: ConfigEntry) -> None:
    resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=list(entries))
    rdkafka.admin(bootstrap).incremental_alter_configs([resource])[resource].result(WAIT)


def entry(name: str, value: str | None, operation: AlterConfigOpType) -> ConfigEntry:
    return ConfigEntry(name, value, source=ConfigSource.DYNAMIC_TOPIC_CONFIG, incremental_operation=operation)


def error_code(raised: pytest.ExceptionInfo[KafkaException]) -> int:
    return raised.value.args[0].code()


@pytest.mark.parametrize("codec", CODECS)
def test_librdkafka_reads_back_what_it_wrote(bootstrap: str, topic: str, codec: str) -> None:
    rdkafka.create_topic(bootstrap, topic)
    sent = samples(100)
    reports = rdkafka.send(rdkafka.producer(bootstrap, compression_type=codec), topic, sent)
    assert [report.offset() for report in reports] == list(range(100))
    same(rdkafka.read(bootstrap, topic), sent)


@pytest.mark.parametrize("acks", ["0", "1", "all"])
def test_librdkafka_acks(bootstrap: str, topic: str, acks: str) -> None:
    rdkafka.create_topic(bootstrap, topic)
    writer = rdkafka.producer(bootstrap, acks=acks)
    sent = samples(30)
    rdkafka.send(writer, topic, sent[:29])
    # acks=0 is not answered: an acknowledged record behind it shows that all before it arrived.
    rdkafka.send(rdkafka.producer(bootstrap) if acks != "0" else writer, topic, sent[29:])
    deadline = time.monotonic() + WAIT
    found: list[Sample] = []
    while len(found) < 30 and time.monotonic() < deadline:
        found = rdkafka.read(bootstrap, topic)
    same(found, sent)


@pytest.mark.parametrize("offset", [0, 1, 17, 59])
def test_librdkafka_starts_inside_a_batch(
    bootstrap: str, mixed_topic: tuple[str, list[Sample]], offset: int
) -> None:
    topic, sent = mixed_topic
    same(rdkafka.read(bootstrap, topic, offset=offset), sent[offset:])


def test_librdkafka_small_fetches_lose_nothing(bootstrap: str, mixed_topic: tuple[str, list[Sample]]) -> None:
    topic, sent = mixed_topic
    found = rdkafka.read(
        bootstrap, topic, fetch_message_max_bytes=600, fetch_max_bytes=2000, message_max_bytes=2000
    )
    same(found, sent)


def test_librdkafka_topic_has_the_partitions_and_settings_asked_for(bootstrap: str, topic: str) -> None:
    rdkafka.create_topic(bootstrap, topic, partitions=3, config={"retention.ms": "3600000"})
    description = rdkafka.admin(bootstrap).describe_topics(TopicCollection([topic]))[topic].result(WAIT)
    assert [partition.id for partition in description.partitions] == [0, 1, 2]
    assert all(len(partition.replicas) == len(partition.isr) == 1 for partition in description.partitions)
    assert all(partition.leader is not None for partition in description.partitions)
    assert str(description.topic_id) not in {"", "AAAAAAAAAAAAAAAAAAAAAA"}
    settings = describe(bootstrap, topic)
    assert settings["retention.ms"].value == "3600000"
    assert settings["retention.ms"].source == ConfigSource.DYNAMIC_TOPIC_CONFIG.value
    assert settings["cleanup.policy"].value == "delete"
    assert settings["cleanup.policy"].is_default


def test_librdkafka_sees_the_cluster(bootstrap: str) -> None:
    cluster = rdkafka.admin(bootstrap).describe_cluster().result(WAIT)
    assert len(cluster.nodes) == 1
    assert f"{cluster.nodes[0].host}:{cluster.nodes[0].port}" == bootstrap
    assert cluster.cluster_id
    assert cluster.controller is not None


def test_librdkafka_creates_partitions(bootstrap: str, topic: str, settle: Callable[[], None]) -> None:
    rdkafka.create_topic(bootstrap, topic)
    admin = rdkafka.admin(bootstrap)
    admin.create_partitions([NewPartitions(topic, 4)])[topic].result(WAIT)
    settle()
    sent = samples(20)
    rdkafka.send(rdkafka.producer(bootstrap), topic, sent, partition=3)
    same(rdkafka.read(bootstrap, topic, partition=3), sent)
    with pytest.raises(KafkaException) as fewer:
        admin.create_partitions([NewPartitions(topic, 2)])[topic].result(WAIT)
    assert error_code(fewer) == KafkaError.INVALID_PARTITIONS


def test_librdkafka_seeks_by_time(bootstrap: str, topic: str) -> None:
    rdkafka.create_topic(bootstrap, topic)
    sent = samples(50)
    rdkafka.send(rdkafka.producer(bootstrap, compression_type="lz4", batch_size=4000), topic, sent)
    reader = rdkafka.consumer(bootstrap)
    wanted = {START_MS - 5: 0, START_MS: 0, START_MS + 12_001: 13, START_MS + 49_000: 49}
    for moment, offset in wanted.items():
        (found,) = reader.offsets_for_times([TopicPartition(topic, 0, moment)], timeout=WAIT)
        assert found.offset == offset
    (past_the_end,) = reader.offsets_for_times([TopicPartition(topic, 0, START_MS + 50_000)], timeout=WAIT)
    assert past_the_end.offset == OFFSET_END
    reader.close()
    same(rdkafka.read(bootstrap, topic, offset=13), sent[13:])


def test_librdkafka_lists_offsets(bootstrap: str, topic: str) -> None:
    rdkafka.create_topic(bootstrap, topic)
    sent = [*samples(20), Sample(b"k", b"late", START_MS + 90_000), Sample(b"k", b"early", START_MS)]
    rdkafka.send(rdkafka.producer(bootstrap), topic, sent)
    admin = rdkafka.admin(bootstrap)
    partition = TopicPartition(topic, 0)

    def offset(spec: OffsetSpec, level: IsolationLevel = IsolationLevel.READ_UNCOMMITTED) -> tuple[int, int]:
        result = admin.list_offsets({partition: spec}, isolation_level=level)[partition].result(WAIT)
        return result.offset, result.timestamp

    assert offset(OffsetSpec.earliest())[0] == 0
    assert offset(OffsetSpec.latest())[0] == 22
    assert offset(OffsetSpec.latest(), IsolationLevel.READ_COMMITTED)[0] == 22
    assert offset(OffsetSpec.max_timestamp()) == (20, START_MS + 90_000)
    assert offset(OffsetSpec.for_timestamp(START_MS + 5_500)) == (6, START_MS + 6_000)
    reader = rdkafka.consumer(bootstrap)
    assert reader.get_watermark_offsets(partition, timeout=WAIT) == (0, 22)
    reader.close()


def test_librdkafka_deletes_records(bootstrap: str, topic: str) -> None:
    rdkafka.create_topic(bootstrap, topic)
    sent = samples(30)
    rdkafka.send(rdkafka.producer(bootstrap), topic, sent)
    admin = rdkafka.admin(bootstrap)
    asked = TopicPartition(topic, 0, 12)
    assert admin.delete_records([asked])[asked].result(WAIT).low_watermark == 12
    same(rdkafka.read(bootstrap, topic, offset=OFFSET_BEGINNING), sent[12:])
    with pytest.raises(KafkaException) as gone:
        rdkafka.read(bootstrap, topic, offset=3)
    assert error_code(gone) == KafkaError._AUTO_OFFSET_RESET
    same(rdkafka.read(bootstrap, topic, offset=3, auto_offset_reset="earliest"), sent[12:])
    beyond = TopicPartition(topic, 0, 31)
    with pytest.raises(KafkaException) as too_far:
        admin.delete_records([beyond])[beyond].result(WAIT)
    assert error_code(too_far) == KafkaError.OFFSET_OUT_OF_RANGE
    everything = TopicPartition(topic, 0, OFFSET_END)
    assert admin.delete_records([everything])[everything].result(WAIT).low_watermark == 30


def test_librdkafka_alters_configs(bootstrap: str, topic: str, settle: Callable[[], None]) -> None:
    rdkafka.create_topic(bootstrap, topic, config={"retention.ms": "1000000"})
    alter(
        bootstrap,
        topic,
        entry("max.message.bytes", "2048", AlterConfigOpType.SET),
        entry("cleanup.policy", "compact", AlterConfigOpType.APPEND),
        entry("retention.ms", None, AlterConfigOpType.DELETE),
    )
    settle()
    settings = describe(bootstrap, topic)
    assert settings["max.message.bytes"].value == "2048"
    assert settings["cleanup.policy"].value == "delete,compact"
    assert settings["retention.ms"].is_default
    # and the broker acts on it
    with pytest.raises(KafkaException) as too_large:
        rdkafka.send(rdkafka.producer(bootstrap), topic, [Sample(b"k", b"v" * 5000, START_MS)])
    assert error_code(too_large) == KafkaError.MSG_SIZE_TOO_LARGE
    alter(bootstrap, topic, entry("cleanup.policy", "compact", AlterConfigOpType.SUBTRACT))
    settle()
    assert describe(bootstrap, topic)["cleanup.policy"].value == "delete"


def test_librdkafka_wrong_configs_are_refused(bootstrap: str, topic: str) -> None:
    rdkafka.create_topic(bootstrap, topic)
    for name, value in [("retention.ms", "soon"), ("no.such.setting", "1"), ("segment.bytes", "-1")]:
        with pytest.raises(KafkaException) as refused:
            alter(bootstrap, topic, entry(name, value, AlterConfigOpType.SET))
        assert error_code(refused) == KafkaError.INVALID_CONFIG, name


def test_librdkafka_describes_broker_configs(bootstrap: str) -> None:
    admin = rdkafka.admin(bootstrap)
    node = admin.describe_cluster().result(WAIT).nodes[0].id
    resource = ConfigResource(ResourceType.BROKER, str(node))
    settings = admin.describe_configs([resource])[resource].result(WAIT)
    assert settings["node.id"].value == str(node)
    assert settings["node.id"].is_read_only
    assert settings["log.segment.bytes"].value == "1073741824"


def test_librdkafka_topic_errors(bootstrap: str, topic: str) -> None:
    rdkafka.create_topic(bootstrap, topic)
    admin = rdkafka.admin(bootstrap)
    cases = [
        (NewTopic(topic, 1, 1), KafkaError.TOPIC_ALREADY_EXISTS),
        (NewTopic("not a name", 1, 1), KafkaError.TOPIC_EXCEPTION),
        (NewTopic("..", 1, 1), KafkaError.TOPIC_EXCEPTION),
        (NewTopic("x" * 250, 1, 1), KafkaError.TOPIC_EXCEPTION),
        (NewTopic(f"{topic}-x", 1, 3), KafkaError.INVALID_REPLICATION_FACTOR),
        (NewTopic(f"{topic}-x", 0, 1), KafkaError.INVALID_PARTITIONS),
        (NewTopic(f"{topic}-x", 1, 1, config={"retention.ms": "x"}), KafkaError.INVALID_CONFIG),
    ]
    for new, code in cases:
        with pytest.raises(KafkaException) as refused:
            admin.create_topics([new])[new.topic].result(WAIT)
        assert error_code(refused) == code, new
    with pytest.raises(KafkaException) as unknown:
        admin.delete_topics([f"{topic}-none"])[f"{topic}-none"].result(WAIT)
    assert error_code(unknown) == KafkaError.UNKNOWN_TOPIC_OR_PART


def test_librdkafka_only_validates_when_asked(bootstrap: str, topic: str) -> None:
    admin = rdkafka.admin(bootstrap)
    admin.create_topics([NewTopic(topic, 2, 1)], validate_only=True)[topic].result(WAIT)
    assert topic not in admin.list_topics(timeout=WAIT).topics


def test_librdkafka_recreated_topic_is_empty(bootstrap: str, topic: str, settle: Callable[[], None]) -> None:
    admin = rdkafka.admin(bootstrap)
    rdkafka.create_topic(bootstrap, topic)
    old = admin.describe_topics(TopicCollection([topic]))[topic].result(WAIT).topic_id
    rdkafka.send(rdkafka.producer(bootstrap), topic, samples(10))
    admin.delete_topics([topic])[topic].result(WAIT)
    settle()
    assert topic not in admin.list_topics(timeout=WAIT).topics
    rdkafka.create_topic(bootstrap, topic)
    assert rdkafka.read(bootstrap, topic) == []
    new = admin.describe_topics(TopicCollection([topic]))[topic].result(WAIT).topic_id
    assert str(old) != str(new)


def test_librdkafka_creates_a_topic_by_producing(bootstrap: str, topic: str) -> None:
    sent = samples(5)
    rdkafka.send(rdkafka.producer(bootstrap), topic, sent)
    same(rdkafka.read(bootstrap, topic), sent)


def test_librdkafka_idempotent_producer_keeps_order(bootstrap: str, topic: str) -> None:
    rdkafka.create_topic(bootstrap, topic, partitions=2)
    writer = rdkafka.producer(bootstrap, enable_idempotence=True, batch_num_messages=50, linger_ms=1)
    sent = [Sample(b"k", b"%d" % i, START_MS + i) for i in range(5000)]
    rdkafka.send(writer, topic, sent, partition=0)
    rdkafka.send(writer, topic, sent, partition=1)
    same(rdkafka.read(bootstrap, topic, partition=0), sent)
    same(rdkafka.read(bootstrap, topic, partition=1, isolation_level="read_committed"), sent)


def test_librdkafka_log_append_time(bootstrap: str, topic: str) -> None:
    rdkafka.create_topic(bootstrap, topic, config={"message.timestamp.type": "LogAppendTime"})
    before = int(time.time() * 1000)
    rdkafka.send(rdkafka.producer(bootstrap, compression_type="zstd"), topic, samples(20))
    after = int(time.time() * 1000)
    found = rdkafka.read(bootstrap, topic)
    assert len(found) == 20
    assert all(before <= sample.timestamp_ms <= after for sample in found)


@pytest.mark.parametrize("codec", ["gzip", "snappy", "lz4", "zstd", "uncompressed"])
def test_librdkafka_topic_compression_wins(bootstrap: str, topic: str, codec: str) -> None:
    rdkafka.create_topic(bootstrap, topic, config={"compression.type": codec})
    sent = samples(40)
    rdkafka.send(rdkafka.producer(bootstrap, compression_type="none"), topic, sent[:20])
    rdkafka.send(rdkafka.producer(bootstrap, compression_type="lz4"), topic, sent[20:])
    same(rdkafka.read(bootstrap, topic), sent)


def test_librdkafka_long_poll_is_woken_by_a_write(bootstrap: str, topic: str) -> None:
    rdkafka.create_topic(bootstrap, topic)
    writer = rdkafka.producer(bootstrap, linger_ms=0)
    rdkafka.send(writer, topic, samples(1))
    reader = rdkafka.consumer(bootstrap, fetch_wait_max_ms=15_000)
    reader.assign([TopicPartition(topic, 0, 0)])
    started = time.monotonic()
    for _ in range(5):
        message = reader.poll(WAIT)
        assert message is not None
        assert message.error() is None
        rdkafka.send(writer, topic, samples(1))
    reader.close()
    assert time.monotonic() - started < 5, "the parked fetch waited for its time-out"


def test_librdkafka_many_partitions_are_all_served(bootstrap: str, topic: str) -> None:
    rdkafka.create_topic(bootstrap, topic, partitions=12)
    writer = rdkafka.producer(bootstrap)
    sent = samples(40)
    for partition in range(12):
        rdkafka.send(writer, topic, sent, partition=partition)
    reader = rdkafka.consumer(
        bootstrap, fetch_max_bytes=9_000, fetch_message_max_bytes=4_000, message_max_bytes=9_000
    )
    reader.assign([TopicPartition(topic, partition, 0) for partition in range(12)])
    found: dict[int, list[Sample]] = {partition: [] for partition in range(12)}
    ended: set[int] = set()
    deadline = time.monotonic() + WAIT
    while len(ended) < 12 and time.monotonic() < deadline:
        message = reader.poll(1.0)
        if message is None:
            continue
        if message.error() is None:
            found[message.partition()].append(rdkafka.sample_of(message))
        elif message.error().code() == KafkaError._PARTITION_EOF:
            ended.add(message.partition())
        else:
            raise KafkaException(message.error())
    reader.close()
    for partition in range(12):
        same(found[partition], sent)
