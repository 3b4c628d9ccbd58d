"""A member of aiokafka, with an event loop of its own."""

from __future__ import annotations

import asyncio
from typing import Any

from aiokafka import AIOKafkaConsumer, ConsumerRebalanceListener, TopicPartition
from aiokafka.coordinator.assignors.range import RangePartitionAssignor
from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from aiokafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor
from aiokafka.errors import CommitFailedError, IllegalStateError

from clientkit.members.host import Member, Wish

ASSIGNORS = {
    "range": RangePartitionAssignor,
    "roundrobin": RoundRobinPartitionAssignor,
    "sticky": StickyPartitionAssignor,
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
        "partition_assignment_strategy": (ASSIGNORS[wish.assignor],),
    }


class Listener(ConsumerRebalanceListener):  # type: ignore[misc]
    def __init__(self, member: Member) -> None:
        self.member = member

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        self.member.on_gained(place.partition for place in assigned)

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        self.member.on_lost(place.partition for place in revoked)


class Aiokafka(Member):
    def live(self) -> None:
        asyncio.run(self.run())

    async def run(self) -> None:
        consumer = AIOKafkaConsumer(**settings_of(self.wish))
        consumer.subscribe([self.wish.topic], listener=Listener(self))
        await consumer.start()
        try:
            while not self.stopping.is_set():
                for records in (await consumer.getmany(timeout_ms=50)).values():
                    self.pending += [(record.partition, record.offset) for record in records]
                if self.pending:
                    await self.commit(consumer)
        finally:
            await consumer.stop()

    async def commit(self, consumer: AIOKafkaConsumer) -> None:
        ends = {partition: offset + 1 for partition, offset in self.pending}
        places = {TopicPartition(self.wish.topic, partition): end for partition, end in ends.items()}
        try:
            await consumer.commit(places)
        except (CommitFailedError, IllegalStateError):
            return
        self.on_committed()


make = Aiokafka
