"""A member of confluent-kafka, in both protocols."""

from __future__ import annotations

from typing import Any

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition

from clientkit.members.host import Member, Wish

NOT_NOW = {
    KafkaError.REBALANCE_IN_PROGRESS,
    KafkaError.ILLEGAL_GENERATION,
    KafkaError.UNKNOWN_MEMBER_ID,
    KafkaError.STALE_MEMBER_EPOCH,
    KafkaError._NO_OFFSET,
}


def settings_of(wish: Wish) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "bootstrap.servers": wish.bootstrap,
        "group.id": wish.group,
        "enable.auto.commit": False,
        "auto.offset.reset": "earliest",
        "fetch.wait.max.ms": 50,
        "log_level": 0,
    }
    if wish.instance is not None:
        settings["group.instance.id"] = wish.instance
    if wish.assignor == "consumer":
        settings["group.protocol"] = "consumer"
    else:
        settings["partition.assignment.strategy"] = wish.assignor
        settings["session.timeout.ms"] = wish.session_ms
        settings["heartbeat.interval.ms"] = wish.heartbeat_ms
    return settings


class Librdkafka(Member):
    def live(self) -> None:
        consumer = Consumer(settings_of(self.wish))

        def gained(_: Consumer, places: list[TopicPartition]) -> None:
            self.on_gained(place.partition for place in places)

        def lost(_: Consumer, places: list[TopicPartition]) -> None:
            self.on_lost(place.partition for place in places)

        consumer.subscribe([self.wish.topic], on_assign=gained, on_revoke=lost, on_lost=lost)
        while not self.stopping.is_set():
            message = consumer.poll(0.05)
            if message is not None and message.error() is None:
                self.pending.append((message.partition(), message.offset()))
            elif message is not None and not message.error().retriable():
                raise KafkaException(message.error())
            if self.pending:
                self.commit(consumer)
        consumer.close()

    def commit(self, consumer: Consumer) -> None:
        ends = {partition: offset + 1 for partition, offset in self.pending}
        places = [TopicPartition(self.wish.topic, partition, end) for partition, end in ends.items()]
        try:
            results = consumer.commit(offsets=places, asynchronous=False)
        except KafkaException as error:
            if error.args[0].code() not in NOT_NOW:
                raise
            return
        if all(place.error is None for place in results):
            self.on_committed()


make = Librdkafka
