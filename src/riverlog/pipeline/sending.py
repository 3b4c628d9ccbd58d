"""Batches to brokers: in order in each partition, several partitions at once, bounded in memory.

Retries, leaders that move and sequences are the work of ``client.producer.Producer``; here it is driven,
and what it cannot deliver becomes an error.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from riverlog.base.errors import ErrorCode
from riverlog.client.producer import Delivered, DeliveryFailed, Producer, ProducerConfig
from riverlog.pipeline.errors import ClusterError, PipelineError
from riverlog.pipeline.transactions import Transaction, fenced, is_fenced
from riverlog.runtime.client_io import BlockingClient

_TOO_LARGE = frozenset({ErrorCode.MESSAGE_TOO_LARGE, ErrorCode.RECORD_LIST_TOO_LARGE})


@dataclass(frozen=True, slots=True)
class Outgoing:
    """An encoded batch of records for one partition, without producer id."""

    topic: str
    partition: int
    data: bytes
    records: int


class Sender:
    """Sends batches, in a transaction or without one. After an error it is of no more use."""

    def __init__(
        self,
        client: BlockingClient,
        config: ProducerConfig,
        *,
        buffer_bytes_max: int,
        transaction: Transaction | None = None,
    ) -> None:
        self._client = client
        self._transaction = transaction
        config.transaction = None if transaction is None else transaction.producer
        self._producer = Producer(client.view, config)
        self._buffer_bytes_max = buffer_bytes_max

    @property
    def transactional(self) -> bool:
        return self._transaction is not None

    def send(self, batches: Sequence[Outgoing]) -> None:
        """Take these over; returns when few enough are under way that there is room for more."""
        if self._transaction is not None:
            self._transaction.add((batch.topic, batch.partition) for batch in batches)
        for batch in batches:
            self._producer.append_batch(
                batch.topic, batch.partition, batch.data, batch.records, now_ms=_now_ms()
            )
            # The first one leaves now, so that the cluster writes while the next rows are encoded.
            self._step(wait=0.0)
            while self._producer.buffered_bytes > self._buffer_bytes_max:
                self._step(wait=None)

    def flush(self) -> None:
        """Wait until everything is written, or say what is not."""
        while not self._producer.idle:
            self._step(wait=None)

    def _step(self, wait: float | None) -> None:
        for effect in self._client.step(self._producer, wait=wait):
            if isinstance(effect, DeliveryFailed):
                raise self._problem(effect)
            assert isinstance(effect, Delivered)

    def _problem(self, failed: DeliveryFailed) -> PipelineError:
        if self._transaction is not None and is_fenced(failed.code):
            return fenced(self._transaction.id)
        place = f"{failed.topic}-{failed.partition}"
        if failed.code in _TOO_LARGE:
            return PipelineError(
                f"topic {failed.topic} refuses a batch of {failed.count} rows as too large: raise its "
                f"max.message.bytes, or lower kafka.batch.size ({failed.reason})"
            )
        return ClusterError(f"{failed.count} rows are not written to {place}: {failed.reason}")


def _now_ms() -> int:
    """The clock of ``BlockingClient``."""
    return int(time.monotonic() * 1000)
