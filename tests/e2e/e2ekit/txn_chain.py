"""Read, process, write: librdkafka processors of one group that copy a topic in transactions.

What a processor writes stands in the partition that it was read from. Whatever fails is aborted and read
again; where that fails too, and now and then in the middle of a transaction, as after a crash, it starts
over with the same transactional id.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, Message, Producer, TopicPartition

from e2ekit.fault_clients import QUIET, Client

_STEP_SECONDS = 10.0
_READ_MAX = 200
_CRASH_RATE = 0.03
_ABORT_RATE = 0.1
TRANSACTION_MS = 15_000


class Processor(Client):
    """``counts`` says what it has been through."""

    def __init__(self, number: int, bootstrap: str, source: str, target: str, seed: int) -> None:
        super().__init__(f"processor {number}")
        self.counts: Counter[str] = Counter()
        self.troubles: list[str] = []
        self._draw = random.Random(f"{seed}/{number}")
        self._source = source
        self._target = target
        self._reading = {
            "bootstrap.servers": bootstrap,
            "group.id": f"{target}-processors",
            "isolation.level": "read_committed",
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
            "session.timeout.ms": 10_000,
            "fetch.wait.max.ms": 100,
            **QUIET,
        }
        self._writing = {
            "bootstrap.servers": bootstrap,
            "transactional.id": f"{target}-{number}",
            "transaction.timeout.ms": TRANSACTION_MS,
            "message.timeout.ms": TRANSACTION_MS,
            "linger.ms": 1,
            **QUIET,
        }

    def work(self) -> None:
        while not self._stop_asked.is_set():
            consumer, producer = Consumer(self._reading), Producer(self._writing)
            self.counts["sessions"] += 1
            try:
                self._session(consumer, producer)
            except KafkaException as trouble:
                self.troubles.append(str(trouble))
            finally:
                consumer.close()

    def _session(self, consumer: Consumer, producer: Producer) -> None:
        """Until something cannot be mended, a crash is drawn, or the end."""
        producer.init_transactions(2 * _STEP_SECONDS)
        consumer.subscribe([self._source])
        while not self._stop_asked.is_set():
            got = consumer.consume(self._draw.randrange(1, _READ_MAX), timeout=0.2)
            messages = [message for message in got if message.error() is None]
            if not messages:
                continue
            fate = self._draw.random()
            try:
                self._copy(consumer, producer, messages)
                if fate < _CRASH_RATE:
                    self.counts["crashes"] += 1
                    return
                if fate < _ABORT_RATE:
                    self._abort(consumer, producer)
                    continue
                self._commit(producer)
            except KafkaException as trouble:
                self.troubles.append(str(trouble))
                if not trouble.args[0].txn_requires_abort():
                    raise
                self._abort(consumer, producer)
                continue
            self.counts["committed"] += 1
            self.counts["records"] += len(messages)

    def _copy(self, consumer: Consumer, producer: Producer, messages: Sequence[Message]) -> None:
        ends: dict[int, int] = {}
        producer.begin_transaction()
        for message in messages:
            producer.produce(self._target, message.value(), message.key(), message.partition())
            ends[message.partition()] = message.offset() + 1
        offsets = [TopicPartition(self._source, partition, end) for partition, end in ends.items()]
        metadata = consumer.consumer_group_metadata()
        producer.send_offsets_to_transaction(offsets, metadata, _STEP_SECONDS)

    def _commit(self, producer: Producer) -> None:
        for attempt in range(3):
            try:
                producer.commit_transaction(_STEP_SECONDS)
            except KafkaException as trouble:
                if attempt == 2 or not trouble.args[0].retriable():
                    raise
            else:
                return

    def _abort(self, consumer: Consumer, producer: Producer) -> None:
        """And go back to what is committed."""
        producer.abort_transaction(_STEP_SECONDS)
        self.counts["aborted"] += 1
        assigned = consumer.assignment()
        for place in consumer.committed(assigned, timeout=_STEP_SECONDS) if assigned else []:
            if place.error is not None:
                raise KafkaException(place.error)
            offset = place.offset if place.offset >= 0 else OFFSET_BEGINNING
            consumer.seek(TopicPartition(place.topic, place.partition, offset))
