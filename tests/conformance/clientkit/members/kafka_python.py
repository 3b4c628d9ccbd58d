"""A member of kafka-python."""

from __future__ import annotations

from typing import Any

from kafka import KafkaConsumer, TopicPartition
from kafka.consumer.subscription_state import ConsumerRebalanceListener
from kafka.coordinator.assignors.cooperative_sticky import CooperativeStickyAssignor
from kafka.coordinator.assignors.range import RangePartitionAssignor
from kafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from kafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor
from kafka.errors import CommitFailedError, RebalanceInProgressError
from kafka.structs import OffsetAndMetadata

from clientkit.members.host import Member, Wish

ASSIGNORS = {
    "range": RangePartitionAssignor,
    "roundrobin": RoundRobinPartitionAssignor,
    "sticky": StickyPartitionAssignor,
    "cooperative-sticky": CooperativeStickyAssignor,
}


def settings_of(wish: Wish) -> dict[str, Any]:
    return {
        "bootstrap_servers": wish.bootstrap,
        "group_id": wish.group,
        "group_instance_id": wish.instance,
        "enable_auto_commit": False,
        "auto_offset_reset": "earliest",
        "fetch_max_wait_ms": 50,
        "session_timeout_ms": wish.session_ms,
        "heartbeat_interval_ms": wish.heartbeat_ms,
        "partition_assignment_strategy": [ASSIGNORS[wish.assignor]],
    }


class Listener(ConsumerRebalanceListener):  # type: ignore[misc]
    def __init__(self, member: Member) -> None:
        self.member = member

    def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        self.member.on_gained(place.partition for place in assigned)

    def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        self.member.on_lost(place.partition for place in revoked)


class KafkaPython(Member):
    def live(self) -> None:
        consumer = KafkaConsumer(**settings_of(self.wish))
        consumer.subscribe([self.wish.topic], listener=Listener(self))
        while not self.stopping.is_set():
            for records in consumer.poll(timeout_ms=50).values():
                self.pending += [(record.partition, record.offset) for record in records]
            if self.pending:
                self.commit(consumer)
        consumer.close()

    def commit(self, consumer: KafkaConsumer) -> None:
        ends = {partition: offset + 1 for partition, offset in self.pending}
        topic = self.wish.topic
        places = {TopicPartition(topic, p): OffsetAndMetadata(end, "", -1) for p, end in ends.items()}
        try:
            consumer.commit(places)
        except (CommitFailedError, RebalanceInProgressError):
            return
        self.on_committed()


make = KafkaPython
