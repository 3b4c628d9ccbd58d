"""Rows to write, topics to write to, and what readers of ``read_committed`` find there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
from confluent_kafka import Consumer, Message, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from riverlog.pipeline.option_table import Options
from riverlog.pipeline.options import Side, parse_options
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.update_features_request import FeatureUpdateKey, UpdateFeaturesRequest
from riverlog.runtime.client_io import BlockingClient

WAIT = 30.0
SAFE_DOWNGRADE = 2


def stream_options(bootstrap: str, topic: str | None, **more: str) -> Options:
    """Of a streaming write; a ``_`` stands for a dot."""
    raw = {
        "kafka.bootstrap.servers": bootstrap,
        **{key.replace("_", "."): text for key, text in more.items()},
    }
    if topic is not None:
        raw["topic"] = topic
    return parse_options(raw, Side.STREAM_WRITE)


def make_topic(bootstrap: str, name: str, partitions: int = 3, **config: str) -> str:
    admin = AdminClient({"bootstrap.servers": bootstrap})
    settings = {key.replace("_", "."): value for key, value in config.items()}
    admin.create_topics([NewTopic(name, partitions, 1, config=settings)])[name].result(WAIT)
    return name


def rows(values: Iterable[object], **columns: Any) -> pa.RecordBatch:
    """A batch as Spark gives it, with strings."""
    return pa.record_batch({"value": pa.array([str(value) for value in values]), **columns})


def read_all(bootstrap: str, topic: str, isolation: str = "read_committed") -> list[Message]:
    """Every record up to the end, partition by partition."""
    found: list[Message] = []
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": "unused",
            "isolation.level": isolation,
            "enable.auto.commit": False,
            "enable.partition.eof": True,
        }
    )
    try:
        partitions = consumer.list_topics(topic, WAIT).topics[topic].partitions
        consumer.assign([TopicPartition(topic, index, 0) for index in partitions])
        at_end: set[int] = set()
        while len(at_end) < len(partitions):
            message = consumer.poll(WAIT)
            assert message is not None, f"{topic}: no end of {set(partitions) - at_end} within {WAIT} s"
            if message.error() is None:
                found.append(message)
            else:
                at_end.add(message.partition())
    finally:
        consumer.close()
    return found


def values(bootstrap: str, topic: str, isolation: str = "read_committed") -> Counter[str]:
    return Counter(message.value().decode() for message in read_all(bootstrap, topic, isolation))


def once(numbers: Iterable[object]) -> Counter[str]:
    """What ``values`` finds if each of these is there exactly once."""
    return Counter(dict.fromkeys(map(str, numbers), 1))


def set_transaction_version(bootstrap: str, level: int) -> None:
    """From 2, with which a cluster starts, down to 1."""
    key = FeatureUpdateKey(
        feature="transaction.version", max_version_level=level, upgrade_type=SAFE_DOWNGRADE
    )
    with BlockingClient(bootstrap) as client:
        answer = client.call(ApiKey.UPDATE_FEATURES, UpdateFeaturesRequest(feature_updates=[key]))
        assert answer.error_code == 0, answer


def dying(batches: Iterable[pa.RecordBatch], error: Exception) -> Iterator[pa.RecordBatch]:
    """Rows of a task whose plan fails behind them."""
    yield from batches
    raise error
