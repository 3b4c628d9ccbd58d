"""Offsets that Apache Kafka committed are found by riverlog in the same folder, and the other way round."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from clientkit import java
from clientkit.servers import Kafka, Riverlog
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

SECONDS = 30.0
TOPIC = "read"
PARTITIONS = 3
RECORDS = 30
CLUSTER_ID = "kFRbBc2eT5-bD9v9ZPdZ1Q"
DIRECTORY_ID = "GXZ1o0C7RJG7BRtRJtDn3w"
NOTHING = -1001
NOT_YET = (KafkaError.NOT_COORDINATOR, KafkaError.COORDINATOR_LOAD_IN_PROGRESS)


def consumer(bootstrap: str, group: str, **settings: str) -> Consumer:
    return Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": group,
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
            **{key.replace("_", "."): value for key, value in settings.items()},
        }
    )


def committed(bootstrap: str, group: str) -> list[int]:
    """Asked again while Kafka, just started, does not know yet that it is the coordinator."""
    wanted = [TopicPartition(TOPIC, at) for at in range(PARTITIONS)]
    until = time.monotonic() + SECONDS
    asking = consumer(bootstrap, group)
    try:
        while True:
            try:
                return [one.offset for one in asking.committed(wanted, timeout=SECONDS)]
            except KafkaException as refused:
                if refused.args[0].code() not in NOT_YET or time.monotonic() > until:
                    raise
                asking.poll(0.2)
    finally:
        asking.close()


def commit(bootstrap: str, group: str, offsets: dict[int, int]) -> None:
    simple = consumer(bootstrap, group)
    wanted = [TopicPartition(TOPIC, at, offset) for at, offset in offsets.items()]
    simple.commit(offsets=wanted, asynchronous=False)
    simple.close()


def read_all(bootstrap: str, group: str, protocol: str) -> None:
    """As a member of a group, to the end, and commit."""
    member = consumer(bootstrap, group, group_protocol=protocol)
    member.subscribe([TOPIC])
    seen = 0
    while seen < RECORDS:
        message = member.poll(SECONDS)
        assert message is not None, f"{group} read only {seen}"
        assert message.error() is None, message.error()
        seen += 1
    member.commit(asynchronous=False)
    member.close()


def commit_in_transactions(bootstrap: str, group: str) -> None:
    """One that commits offset 3, then one that is aborted with 8."""
    member = consumer(bootstrap, group)
    producer = Producer({"bootstrap.servers": bootstrap, "transactional.id": group})
    producer.init_transactions(SECONDS)
    for offset, good in ((3, True), (8, False)):
        producer.begin_transaction()
        offsets = [TopicPartition(TOPIC, 0, offset)]
        producer.send_offsets_to_transaction(offsets, member.consumer_group_metadata(), SECONDS)
        if good:
            producer.commit_transaction(SECONDS)
        else:
            producer.abort_transaction(SECONDS)
    member.close()


def write(bootstrap: str) -> dict[str, list[int]]:
    """All ways to commit; answers what each group must have."""
    admin = AdminClient({"bootstrap.servers": bootstrap})
    for future in admin.create_topics([NewTopic(TOPIC, PARTITIONS, 1)]).values():
        future.result(SECONDS)
    producer = Producer({"bootstrap.servers": bootstrap})
    for number in range(RECORDS):
        producer.produce(TOPIC, b"x", partition=number % PARTITIONS)
    assert producer.flush(SECONDS) == 0
    for offset in range(5):
        commit(bootstrap, "simple", {0: offset, 1: offset + 2})
    read_all(bootstrap, "classic", "classic")
    read_all(bootstrap, "modern", "consumer")
    commit_in_transactions(bootstrap, "transactional")
    each = RECORDS // PARTITIONS
    return {
        "simple": [4, 6, NOTHING],
        "classic": [each] * PARTITIONS,
        "modern": [each] * PARTITIONS,
        "transactional": [3, NOTHING, NOTHING],
    }


def found(bootstrap: str, groups: dict[str, list[int]]) -> dict[str, list[int]]:
    return {group: committed(bootstrap, group) for group in groups}


@pytest.mark.timeout(300)
def test_offsets_move_from_kafka_to_riverlog_and_back(
    target_name: str, java_tools: java.JavaTools, tmp_path: Path
) -> None:
    if target_name == "kafka":
        pytest.skip("is about both brokers")
    settings = {"offsets.topic.num.partitions": "4", "group.initial.rebalance.delay.ms": "0"}
    kafka = Kafka(tmp_path / "data", settings).format(
        java_tools, cluster_id=CLUSTER_ID, directory_id=DIRECTORY_ID
    )
    kafka.start()
    try:
        expected = write(kafka.bootstrap)
        assert found(kafka.bootstrap, expected) == expected
        kafka.stop()
        ours = Riverlog(kafka.data_dir)
        ours.start()
        try:
            assert found(ours.bootstrap, expected) == expected
            commit(ours.bootstrap, "simple", {0: 7, 2: 9})
            commit(ours.bootstrap, "new", {1: 1})
            expected |= {"simple": [7, 6, 9], "new": [NOTHING, 1, NOTHING]}
            assert found(ours.bootstrap, expected) == expected
            ours.stop()
        finally:
            ours.kill()
        kafka.start()
        assert found(kafka.bootstrap, expected) == expected
    finally:
        kafka.kill()
