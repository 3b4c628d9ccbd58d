"""kafkajs: producer and admin. It consumes only through groups, so librdkafka reads what it wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from clientkit import builds, rdkafka
from clientkit.lines import ClientError, LineClient, sample_row
from clientkit.paths import Unavailable
from clientkit.samples import CODECS, START_MS, Sample, modest_samples, same
from clientkit.servers import Server


@pytest.fixture(scope="module")
def kafkajs(target: Server) -> Iterator[LineClient]:
    try:
        command = builds.kafkajs_command(target.bootstrap)
    except Unavailable as missing:
        pytest.skip(str(missing))
    client = LineClient(command)
    yield client
    client.close()


def one_value_headers(records: Sequence[Sample]) -> list[Sample]:
    """kafkajs keeps headers in an object: a name occurs once."""
    return [Sample(s.key, s.value, s.timestamp_ms, tuple(dict(s.headers).items())) for s in records]


def produce(client: LineClient, topic: str, records: Sequence[Sample], **options: Any) -> Any:
    rows = [sample_row(sample, named_headers=False) for sample in records]
    settings = {"partition": 0, "codec": "none", "acks": -1, "idempotent": False, **options}
    return client.call("produce", topic=topic, records=rows, **settings)


def create(client: LineClient, topic: str, partitions: int = 1, **config: str) -> None:
    assert client.call("create_topic", topic=topic, partitions=partitions, config=config) is True


# No lz4: what npm has in plain JavaScript links its blocks, which Apache Kafka refuses.
@pytest.mark.parametrize("codec", [codec for codec in CODECS if codec != "lz4"])
def test_kafkajs_writes_with_each_codec(kafkajs: LineClient, bootstrap: str, topic: str, codec: str) -> None:
    create(kafkajs, topic)
    sent = one_value_headers(modest_samples(60))
    (report,) = produce(kafkajs, topic, sent, codec=codec)
    assert (report["errorCode"], report["baseOffset"]) == (0, "0")
    same(rdkafka.read(bootstrap, topic), sent)


@pytest.mark.parametrize("acks", [1, -1])
def test_kafkajs_idempotent_and_plain_acks(
    kafkajs: LineClient, bootstrap: str, topic: str, acks: int
) -> None:
    create(kafkajs, topic, 2)
    sent = one_value_headers(modest_samples(40))
    produce(kafkajs, topic, sent, partition=1, acks=acks, idempotent=acks == -1)
    produce(kafkajs, topic, sent, partition=1, acks=acks, idempotent=acks == -1)
    same(rdkafka.read(bootstrap, topic, partition=1), sent + sent)


def test_kafkajs_lists_offsets_and_seeks_by_time(kafkajs: LineClient, topic: str) -> None:
    create(kafkajs, topic)
    produce(kafkajs, topic, modest_samples(50))
    assert kafkajs.call("topic_offsets", topic=topic) == [
        {"partition": 0, "offset": "50", "high": "50", "low": "0"}
    ]
    for moment, offset in {START_MS: "0", START_MS + 12_001: "13", START_MS + 60_000: "50"}.items():
        assert kafkajs.call("offsets_for_time", topic=topic, timestamp=moment) == [
            {"partition": 0, "offset": offset}
        ]


def test_kafkajs_deletes_records(kafkajs: LineClient, bootstrap: str, topic: str) -> None:
    create(kafkajs, topic)
    sent = one_value_headers(modest_samples(30))
    produce(kafkajs, topic, sent)
    kafkajs.call("topic_offsets", topic=topic)  # kafkajs looks for the leader only in what it knows already
    kafkajs.call("delete_records", topic=topic, partition=0, offset=12)
    (row,) = kafkajs.call("topic_offsets", topic=topic)
    assert (row["low"], row["high"]) == ("12", "30")
    same(rdkafka.read(bootstrap, topic), sent[12:])


def test_kafkajs_alters_and_describes_configs(
    kafkajs: LineClient, topic: str, settle: Callable[[], None]
) -> None:
    create(kafkajs, topic, **{"retention.ms": "1000000"})
    settle()
    assert kafkajs.call("describe_config", topic=topic)["retention.ms"] == "1000000"
    kafkajs.call("alter_config", topic=topic, config={"max.message.bytes": "4096"})
    settle()
    values = kafkajs.call("describe_config", topic=topic)
    assert values["max.message.bytes"] == "4096"
    assert values["retention.ms"] == "604800000", "the old AlterConfigs replaces all settings of the topic"


def test_kafkajs_manages_topics(
    kafkajs: LineClient, bootstrap: str, topic: str, settle: Callable[[], None]
) -> None:
    create(kafkajs, topic)
    assert kafkajs.call("create_topic", topic=topic, partitions=1, config={}) is False, "it exists already"
    with pytest.raises(ClientError) as refused:
        kafkajs.call("create_topic", topic="not a name", partitions=1, config={})
    assert refused.value.kind == "INVALID_TOPIC_EXCEPTION"
    kafkajs.call("create_partitions", topic=topic, count=3)
    settle()
    described = kafkajs.call("describe_topic", topic=topic)
    assert sorted(row["partitionId"] for row in described["partitions"]) == [0, 1, 2]
    cluster = kafkajs.call("describe_cluster")
    assert [f"{row['host']}:{row['port']}" for row in cluster["brokers"]] == [bootstrap]
    assert topic in kafkajs.call("list_topics")
    kafkajs.call("delete_topic", topic=topic)
    settle()
    assert topic not in kafkajs.call("list_topics")
