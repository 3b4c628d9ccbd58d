"""confluent-kafka (librdkafka) with the few calls the tests need, by assignment and without groups."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from confluent_kafka import (
    OFFSET_BEGINNING,
    Consumer,
    IsolationLevel,
    KafkaError,
    KafkaException,
    Message,
    Producer,
    TopicPartition,
)
from confluent_kafka.admin import AdminClient, NewTopic, OffsetSpec

from clientkit.samples import CODECS, START_MS, Sample, samples

WAIT_SECONDS = 20.0


@cache
def admin(bootstrap: str) -> AdminClient:
    """Kept: a client that goes away takes its unanswered requests with it."""
    return AdminClient({"bootstrap.servers": bootstrap, "log_level": 0})


def create_topic(
    bootstrap: str,
    topic: str,
    *,
    partitions: int = 1,
    copies: int = 1,
    config: Mapping[str, str] | None = None,
) -> None:
    new = NewTopic(topic, num_partitions=partitions, replication_factor=copies, config=dict(config or {}))
    admin(bootstrap).create_topics([new])[topic].result(WAIT_SECONDS)


def producer(bootstrap: str, **settings: Any) -> Producer:
    config = {"bootstrap.servers": bootstrap, "linger.ms": 20, "message.timeout.ms": 20_000, "log_level": 0}
    config.update({key.replace("_", "."): value for key, value in settings.items()})
    return Producer(config)


def send(target: Producer, topic: str, records: Iterable[Sample], *, partition: int = 0) -> list[Message]:
    """Send all and wait for every delivery report; the first error is raised."""
    reports: list[Message] = []
    errors: list[KafkaError] = []

    def report(error: KafkaError | None, message: Message) -> None:
        reports.append(message)
        if error is not None:
            errors.append(error)

    for sample in records:
        target.produce(
            topic,
            value=sample.value,
            key=sample.key,
            partition=partition,
            timestamp=sample.timestamp_ms,
            headers=list(sample.headers),
            on_delivery=report,
        )
    left = target.flush(WAIT_SECONDS)
    assert left == 0, f"{left} records not delivered in {WAIT_SECONDS:.0f} s"
    if errors:
        raise KafkaException(errors[0])
    return reports


def consumer(bootstrap: str, **settings: Any) -> Consumer:
    config = {
        "bootstrap.servers": bootstrap,
        "group.id": "unused",  # the client wants one; nothing is subscribed or committed
        "enable.auto.commit": False,
        "auto.offset.reset": "error",
        "enable.partition.eof": True,
        "check.crcs": True,
        "log_level": 0,
        "fetch.wait.max.ms": 100,
    }
    config.update({key.replace("_", "."): value for key, value in settings.items()})
    return Consumer(config)


def sample_of(message: Message) -> Sample:
    _, timestamp = message.timestamp()
    headers = tuple((name, value) for name, value in message.headers() or ())
    return Sample(message.key(), message.value(), timestamp, headers)


def messages(
    bootstrap: str, topic: str, *, partition: int = 0, offset: int = OFFSET_BEGINNING, **settings: Any
) -> list[Message]:
    """All of one partition from ``offset`` to its end."""
    place = TopicPartition(topic, partition, offset)
    return messages_of(bootstrap, [place], **settings)[topic, partition]


def messages_of(
    bootstrap: str, places: Sequence[TopicPartition], **settings: Any
) -> dict[tuple[str, int], list[Message]]:
    """All of several partitions, each from its offset to its end."""
    found: dict[tuple[str, int], list[Message]] = {(place.topic, place.partition): [] for place in places}
    ended: set[tuple[str, int]] = set()
    reader = consumer(bootstrap, **settings)
    deadline = time.monotonic() + WAIT_SECONDS
    try:
        reader.assign(list(places))
        while len(ended) < len(found):
            assert time.monotonic() < deadline, f"no end in {WAIT_SECONDS:.0f} s of {found.keys() - ended}"
            message = reader.poll(1.0)
            if message is None:
                continue
            error = message.error()
            if error is None:
                found[message.topic(), message.partition()].append(message)
            elif error.code() == KafkaError._PARTITION_EOF:
                ended.add((message.topic(), message.partition()))
            else:
                raise KafkaException(error)
    finally:
        reader.close()
    return found


def end_offset(bootstrap: str, topic: str, partition: int, *, committed: bool) -> int:
    """The high watermark, or the last stable offset."""
    level = IsolationLevel.READ_COMMITTED if committed else IsolationLevel.READ_UNCOMMITTED
    place = TopicPartition(topic, partition)
    asked = admin(bootstrap).list_offsets({place: OffsetSpec.latest()}, isolation_level=level)
    return int(asked[place].result(WAIT_SECONDS).offset)


def read(bootstrap: str, topic: str, **options: Any) -> list[Sample]:
    return [sample_of(message) for message in messages(bootstrap, topic, **options)]


def mixed_samples() -> list[Sample]:
    """What ``write_mixed`` sends: twelve records a codec."""
    made: list[Sample] = []
    for number, _ in enumerate(CODECS):
        made += samples(12, seed=number, start_ms=START_MS + number * 12_000)
    return made


def write_mixed(bootstrap: str, topic: str) -> list[Sample]:
    """One partition with batches of every codec, for the other clients to read."""
    everything = mixed_samples()
    for number, codec in enumerate(CODECS):
        writer = producer(bootstrap, compression_type=codec, linger_ms=200)
        send(writer, topic, everything[12 * number : 12 * (number + 1)])
    return everything


def wait_for(holds: Callable[[], bool], seconds: float = WAIT_SECONDS) -> None:
    """Ask until it holds; the question itself waits for events."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not in {seconds:.0f} s"
