"""Offsets in a transaction are taken only from those who are in the group, as it is now (KIP-447)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from clientkit import rdkafka, txn_scenarios
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition

SECONDS = 30.0
ILLEGAL = KafkaError.ILLEGAL_GENERATION


@contextmanager
def member(bootstrap: str, group: str, topic: str, protocol: str) -> Iterator[Consumer]:
    """By subscription; it must be polled to stay."""
    own = {"group.protocol": protocol, "isolation.level": "read_committed", "enable.auto.commit": False}
    if protocol == "classic":
        own |= {"session.timeout.ms": 6000, "heartbeat.interval.ms": 200}
    joined = Consumer({"bootstrap.servers": bootstrap, "group.id": group, "log_level": 0, **own})
    joined.subscribe([topic])
    try:
        yield joined
    finally:
        joined.close()


def poll_until(each_has: int, *members: Consumer) -> None:
    deadline = time.monotonic() + SECONDS
    while any(len(one.assignment()) != each_has for one in members):
        assert time.monotonic() < deadline, [one.assignment() for one in members]
        for one in members:
            one.poll(0.05)


def commit(producer: Producer, place: TopicPartition, metadata: Any) -> None:
    producer.begin_transaction()
    producer.produce(place.topic, f"{place.offset}".encode(), partition=0)
    producer.send_offsets_to_transaction([place], metadata, SECONDS)
    producer.commit_transaction(SECONDS)


def refused(producer: Producer, place: TopicPartition, metadata: Any) -> int:
    with pytest.raises(KafkaException) as error:
        commit(producer, place, metadata)
    assert error.value.args[0].txn_requires_abort()
    producer.abort_transaction(SECONDS)
    return int(error.value.args[0].code())


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_offsets_of_a_former_generation_are_refused(bootstrap: str, topic: str, protocol: str) -> None:
    group = f"{topic}-{protocol}"
    rdkafka.create_topic(bootstrap, topic, partitions=2)
    producer = Producer({"bootstrap.servers": bootstrap, "transactional.id": group, "log_level": 0})
    producer.init_transactions(SECONDS)

    def wait_for(*ends: int) -> None:
        wanted = [txn_scenarios.NOTHING if end == 0 else end for end in ends]
        rdkafka.wait_for(
            lambda: txn_scenarios.group_offsets(bootstrap, group, topic, stable=True) == wanted, SECONDS
        )

    def place(partition: int, offset: int) -> TopicPartition:
        return TopicPartition(topic, partition, offset)

    with member(bootstrap, group, topic, protocol) as first:
        poll_until(2, first)
        alone = first.consumer_group_metadata()
        commit(producer, place(0, 3), alone)
        wait_for(3, 0)
        with member(bootstrap, group, topic, protocol) as second:
            poll_until(1, first, second)
            (lost,) = second.assignment()
            if protocol == "classic":  # the others may still commit what they have kept (KIP-1251)
                assert refused(producer, place(1 - lost.partition, 99), alone) == ILLEGAL
            assert refused(producer, place(lost.partition, 99), alone) == ILLEGAL
            commit(producer, place(0, 5), first.consumer_group_metadata())
            wait_for(5, 0)
            gone = second.consumer_group_metadata()
        poll_until(2, first)
        assert refused(producer, place(lost.partition, 99), gone) == KafkaError.UNKNOWN_MEMBER_ID
        commit(producer, place(1, 7), first.consumer_group_metadata())
        wait_for(5, 7)
    assert txn_scenarios.stable_end(bootstrap, topic, 0) == ["3", "5", "7"]
