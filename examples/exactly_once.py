"""Exactly once: every order becomes one receipt, however often the program dies in between.

The receipts and the offsets of the orders they come from are one transaction. Whoever reads
receipts with ``isolation.level=read_committed`` sees all of a transaction, or nothing.

    python examples/exactly_once.py 127.0.0.1:9092
"""

from __future__ import annotations

import sys
from typing import Any

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, Producer, TopicPartition

ORDERS, RECEIPTS = "orders", "receipts"
BATCH = 20
"""Orders in a transaction at most. More is faster, and readers of receipts wait longer."""


def receipt(order: bytes) -> bytes:
    return b"paid: " + order


class Copier:
    def __init__(self, bootstrap: str) -> None:
        self.producer = Producer(
            {
                "bootstrap.servers": bootstrap,
                # The same for every start: the new one shuts the old one out.
                "transactional.id": "receipts-1",
                # While all brokers are away librdkafka would forget them, and wait for ever for the group
                # coordinator it had found on one of them.
                "metadata.recovery.strategy": "none",
            }
        )
        self.consumer = Consumer(
            {
                "bootstrap.servers": bootstrap,
                "group.id": "receipts",
                # After a crash the next start takes the place of the dead one at once.
                "group.instance.id": "receipts-1",
                "auto.offset.reset": "earliest",
                # Offsets are committed with the receipts, never by themselves.
                "enable.auto.commit": False,
                # Orders of open and aborted transactions are none.
                "isolation.level": "read_committed",
            }
        )
        self.owner: Any = None
        """Under which generation of the group the partitions are ours."""

    def run(self) -> None:
        # Ends what a dead predecessor left open, and waits for it.
        self.producer.init_transactions()
        self.consumer.subscribe([ORDERS], on_assign=self._on_assign)
        while True:
            orders = self.consumer.consume(BATCH, timeout=1.0)
            for order in orders:
                if order.error():
                    raise KafkaException(order.error())
            if orders:
                self._commit(orders)

    def _commit(self, orders: list[Any]) -> None:
        self.producer.begin_transaction()
        try:
            for order in orders:
                self.producer.produce(RECEIPTS, receipt(order.value()), key=order.key())
            # If the partitions went to another member meanwhile, the broker refuses this.
            self.producer.send_offsets_to_transaction(_after(orders), self.owner)
            self.producer.commit_transaction()
        except KafkaException as failed:
            if not failed.args[0].txn_requires_abort():
                raise  # fatal: somebody else has our transactional id, or the broker has lost its memory
            self.producer.abort_transaction()
            self._rewind()
        else:
            print(f"{len(orders)} receipts", flush=True)

    def _rewind(self) -> None:
        """Read the orders of the aborted transaction again."""
        for place in self.consumer.committed(self.consumer.assignment()):
            if place.offset < 0:
                place.offset = OFFSET_BEGINNING
            self.consumer.seek(place)

    def _on_assign(self, consumer: Consumer, _partitions: list[TopicPartition]) -> None:
        self.owner = consumer.consumer_group_metadata()


def _after(orders: list[Any]) -> list[TopicPartition]:
    """Where to go on behind these orders, per partition."""
    last = {order.partition(): order.offset() for order in orders}
    return [TopicPartition(ORDERS, partition, offset + 1) for partition, offset in last.items()]


if __name__ == "__main__":
    Copier(sys.argv[1]).run()
