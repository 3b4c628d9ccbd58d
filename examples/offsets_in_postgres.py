"""Exactly once into PostgreSQL: what an order changes and how far we read are one database transaction.

The offsets live in the database, not in the broker; the broker only shares out the partitions. No
Kafka transaction is needed, for nothing is produced.

    python examples/offsets_in_postgres.py 127.0.0.1:9092 'dbname=shop'
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import psycopg

from riverlog.clients import Consumer, Position, Record

TABLES = """
CREATE TABLE IF NOT EXISTS turnover (customer text PRIMARY KEY, cents bigint NOT NULL);
CREATE TABLE IF NOT EXISTS offsets (
    topic text, partition int, next_offset bigint NOT NULL, PRIMARY KEY (topic, partition)
);
"""
ADD = """
INSERT INTO turnover VALUES (%s, %s)
ON CONFLICT (customer) DO UPDATE SET cents = turnover.cents + excluded.cents
"""
# Forward only: of two programs that believe a partition to be theirs, the later one changes no row.
MOVE = """
INSERT INTO offsets VALUES (%s, %s, %s)
ON CONFLICT (topic, partition) DO UPDATE SET next_offset = excluded.next_offset
WHERE offsets.next_offset < excluded.next_offset
"""
FIND = "SELECT next_offset FROM offsets WHERE topic = %s AND partition = %s"


class Offsets:
    """The consumer asks here where to start, and says here how far it came."""

    def __init__(self, database: psycopg.Connection[Any]) -> None:
        self._database = database

    def load(self, partitions: Sequence[tuple[str, int]]) -> list[Position]:
        found = ((place, self._database.execute(FIND, place).fetchone()) for place in partitions)
        return [Position(*place, row[0]) for place, row in found if row is not None]

    def save(self, positions: Sequence[Position]) -> None:
        for at in positions:
            if self._database.execute(MOVE, (at.topic, at.partition, at.offset)).rowcount != 1:
                raise SystemExit(
                    f"{at.topic}-{at.partition} before {at.offset} was handled by another program"
                )


def handle(record: Record, database: psycopg.Connection[Any]) -> None:
    """An order: the customer is its key, the price in cents its value."""
    database.execute(ADD, ((record.key or b"").decode(), int(record.value or 0)))


def main(bootstrap: str, dsn: str) -> None:
    config = {"group.instance.id": "turnover-1"}  # a restarted program takes its place at once
    # autocommit: what is not inside a ``transaction()`` block is done at once.
    with psycopg.connect(dsn, autocommit=True) as database:
        database.execute(TABLES)
        store = Offsets(database)
        with Consumer(bootstrap, "orders", group="turnover", store=store, config=config) as consumer:
            for record in consumer:
                with database.transaction():
                    handle(record, database)
                    consumer.commit(record)  # goes to our ``save``, so into this transaction


if __name__ == "__main__":
    main(*sys.argv[1:])
