"""franz-go: producer, consumer by partitions, admin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from clientkit import builds, rdkafka
from clientkit.lines import ClientError, LineClient, sample_from_row, sample_row
from clientkit.paths import Unavailable
from clientkit.samples import CODECS, START_MS, Sample, same, samples
from clientkit.servers import Server


@pytest.fixture(scope="module")
def franz(target: Server) -> Iterator[LineClient]:
    try:
        command = builds.franz_go_command(target.bootstrap)
    except Unavailable as missing:
        pytest.skip(str(missing))
    client = LineClient(command)
    yield client
    client.close()


def produce(client: LineClient, topic: str, records: Sequence[Sample], **options: Any) -> list[int]:
    rows = [sample_row(sample, named_headers=True) for sample in records]
    settings = {"partition": 0, "codec": "none", "acks": -1, "idempotent": True, **options}
    return client.call("produce", topic=topic, records=rows, **settings)


def fetch(client: LineClient, topic: str, count: int, **options: Any) -> list[Sample]:
    rows = client.call("fetch", topic=topic, count=count, **{"partition": 0, "offset": 0, **options})
    first = options.get("offset", 0)
    assert [row["offset"] for row in rows] == list(range(first, first + count))
    return [sample_from_row(row) for row in rows]


def create(client: LineClient, topic: str, partitions: int = 1, **config: str) -> None:
    assert client.call("create_topic", topic=topic, partitions=partitions, config=config) == partitions


@pytest.mark.parametrize("codec", CODECS)
def test_franz_go_reads_back_what_it_wrote(franz: LineClient, topic: str, codec: str) -> None:
    create(franz, topic)
    sent = samples(100)
    assert produce(franz, topic, sent, codec=codec) == list(range(100))
    same(fetch(franz, topic, 100), sent)


@pytest.mark.parametrize("offset", [0, 17, 59])
def test_franz_go_reads_every_codec_of_librdkafka(
    franz: LineClient, mixed_topic: tuple[str, list[Sample]], offset: int
) -> None:
    topic, sent = mixed_topic
    same(fetch(franz, topic, 60 - offset, offset=offset, max_bytes=4000), sent[offset:])


@pytest.mark.parametrize("acks", [0, 1, -1])
def test_franz_go_acks(franz: LineClient, topic: str, acks: int) -> None:
    create(franz, topic)
    sent = samples(30)
    produce(franz, topic, sent, acks=acks, idempotent=False)
    same(fetch(franz, topic, 30), sent)


def test_franz_go_idempotent_producer_keeps_order(franz: LineClient, topic: str) -> None:
    create(franz, topic, 2)
    sent = [Sample(b"k", b"%d" % i * 50, START_MS + i) for i in range(5000)]
    assert produce(franz, topic, sent, partition=1) == list(range(5000))
    same(fetch(franz, topic, 5000, partition=1), sent)


def test_franz_go_lists_offsets_and_seeks_by_time(franz: LineClient, topic: str) -> None:
    create(franz, topic)
    sent = samples(50)
    produce(franz, topic, sent)
    assert franz.call("start_offsets", topic=topic)["0"][0] == 0
    assert franz.call("end_offsets", topic=topic)["0"][0] == 50
    assert franz.call("max_timestamp_offsets", topic=topic)["0"] == [49, START_MS + 49_000]
    found = franz.call("offsets_for_time", topic=topic, timestamp=START_MS + 12_001)["0"]
    assert found == [13, START_MS + 13_000]
    same(fetch(franz, topic, 37, offset=13), sent[13:])


def test_franz_go_deletes_records(franz: LineClient, topic: str) -> None:
    create(franz, topic)
    sent = samples(30)
    produce(franz, topic, sent)
    assert franz.call("delete_records", topic=topic, partition=0, offset=12) == 12
    assert franz.call("start_offsets", topic=topic)["0"][0] == 12
    same(fetch(franz, topic, 18, offset=12), sent[12:])
    with pytest.raises(ClientError) as gone:
        fetch(franz, topic, 1, offset=3)
    assert gone.value.kind == "OFFSET_OUT_OF_RANGE"


def test_franz_go_alters_and_describes_configs(
    franz: LineClient, topic: str, settle: Callable[[], None]
) -> None:
    create(franz, topic, **{"retention.ms": "1000000"})
    franz.call("alter_config", topic=topic, config={"max.message.bytes": "4096", "retention.ms": None})
    settle()
    values = franz.call("describe_config", topic=topic)
    assert values["max.message.bytes"] == "4096"
    assert values["retention.ms"] == "604800000"
    with pytest.raises(ClientError) as refused:
        franz.call("alter_config", topic=topic, config={"retention.ms": "soon"})
    assert refused.value.kind == "INVALID_CONFIG"


def test_franz_go_manages_topics(
    franz: LineClient, bootstrap: str, topic: str, settle: Callable[[], None]
) -> None:
    create(franz, topic)
    with pytest.raises(ClientError) as exists:
        create(franz, topic)
    assert exists.value.kind == "TOPIC_ALREADY_EXISTS"
    franz.call("create_partitions", topic=topic, count=3)
    settle()
    assert set(franz.call("end_offsets", topic=topic)) == {"0", "1", "2"}
    assert len(franz.call("describe_cluster")) == 1
    assert franz.call("log_dirs") == 1
    assert topic in franz.call("list_topics")
    franz.call("delete_topic", topic=topic)
    settle()
    # franz-go answers lists from a cache for a while
    assert topic not in rdkafka.admin(bootstrap).list_topics(timeout=20).topics
