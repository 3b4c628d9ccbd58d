"""What one task of a write does: its rows into topics, as often as ``delivery`` says.

Exactly once: begin a transaction under the task's id, which shuts every other attempt out; then read the
marker, and only then write. Marker and rows are committed as one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from riverlog.client.producer import ProducerConfig
from riverlog.pipeline import options as shared
from riverlog.pipeline import sink_options as sink
from riverlog.pipeline.link import Link, linked
from riverlog.pipeline.markers import Marker, marker_batch, transactional_id
from riverlog.pipeline.option_table import Options
from riverlog.pipeline.outbox import Outbox
from riverlog.pipeline.replay import Fingerprint, check_last, check_same, fingerprint
from riverlog.pipeline.sending import Outgoing, Sender
from riverlog.pipeline.sink_columns import writable_rows
from riverlog.pipeline.transactions import Transaction


@dataclass(frozen=True, slots=True)
class Task:
    """Which rows of which query; the same in every attempt."""

    query: str
    batch: int
    number: int
    """Of the task among those of its batch."""

    @property
    def id(self) -> str:
        return transactional_id(self.query, self.number)

    def __str__(self) -> str:
        return f"task {self.number} of batch {self.batch} of query {self.query}"


@dataclass(frozen=True, slots=True)
class Written:
    """What a task did."""

    rows: int
    skipped: bool = False
    """Whether an earlier attempt had committed these rows."""


def write_task(options: Options, task: Task, batches: Iterator[pa.RecordBatch]) -> Written:
    """Write the rows of a task by the options of its query."""
    topic = options[sink.TOPIC]
    rows = (writable_rows(batch, topic) for batch in batches if batch.num_rows)
    write = {
        sink.EXACTLY_ONCE: _exactly_once,
        sink.AT_LEAST_ONCE: _at_least_once,
        sink.AT_MOST_ONCE: _at_most_once,
    }[sink.delivery(options)]
    with linked(options) as link:
        return write(link, options, task, rows)


def _exactly_once(link: Link, options: Options, task: Task, rows: Iterator[pa.RecordBatch]) -> Written:
    with _transaction(link, options, task) as transaction:
        marker = link.markers.find(task.query, task.id)
        if marker is not None and marker.next_batch > task.batch:
            return _skip(options, task, marker, rows)
        sender = _sender(link, options, transaction)
        content = _send_rows(link, options, task, sender, rows)
        _send_marker(link, task, sender, Marker(task.batch + 1, content))
        sender.flush()
        transaction.commit()
    return Written(content.rows)


def _skip(options: Options, task: Task, marker: Marker, rows: Iterator[pa.RecordBatch]) -> Written:
    checked = options[sink.CHECK_REPLAYS]
    if checked:
        check_last(str(task), task.batch, marker.next_batch)
    replayed = Fingerprint()
    for some in rows:
        replayed = replayed.plus(fingerprint(some))
    if checked and marker.content is not None:
        check_same(str(task), marker.content, replayed)
    return Written(replayed.rows, skipped=True)


def _at_least_once(link: Link, options: Options, task: Task, rows: Iterator[pa.RecordBatch]) -> Written:
    sender = _sender(link, options, None)
    content = _send_rows(link, options, task, sender, rows)
    sender.flush()
    return Written(content.rows)


def _at_most_once(link: Link, options: Options, task: Task, rows: Iterator[pa.RecordBatch]) -> Written:
    """The marker first: whoever has written it, and nobody else, may write the rows."""
    with _transaction(link, options, task) as transaction:
        marker = link.markers.find(task.query, task.id)
        if marker is not None and marker.next_batch > task.batch:
            return _skip(options, task, marker, rows)
        claim = Sender(link.client, _config(options), buffer_bytes_max=1, transaction=transaction)
        _send_marker(link, task, claim, Marker(task.batch + 1))
        claim.flush()
        transaction.commit()
    return _at_least_once(link, options, task, rows)


# ---------------------------------------------------------------- parts


def _transaction(link: Link, options: Options, task: Task) -> Transaction:
    return Transaction(
        link.client,
        link.coordinators,
        task.id,
        timeout_ms=options[sink.TRANSACTION_TIMEOUT_MS],
        patience_seconds=link.settings.patience_seconds,
    )


def _config(options: Options) -> ProducerConfig:
    return ProducerConfig(
        acks=options[sink.ACKS],
        idempotent=options[sink.IDEMPOTENCE],
        linger_ms=0,
        request_timeout_ms=options[shared.REQUEST_TIMEOUT_MS],
        delivery_timeout_ms=options[sink.DELIVERY_TIMEOUT_MS],
    )


def _sender(link: Link, options: Options, transaction: Transaction | None) -> Sender:
    # Half for batches on their way, half for rows that gather.
    return Sender(
        link.client,
        _config(options),
        buffer_bytes_max=options[sink.BUFFER_BYTES] // 2,
        transaction=transaction,
    )


def _send_rows(
    link: Link, options: Options, task: Task, sender: Sender, rows: Iterator[pa.RecordBatch]
) -> Fingerprint:
    outbox = Outbox(
        sender,
        link.target,
        topic=options[sink.TOPIC],
        codec=options[sink.COMPRESSION].lower(),
        batch_bytes=options[sink.BATCH_BYTES],
        gathered_bytes_max=options[sink.BUFFER_BYTES] // 2,
        first_partition=task.number + task.batch,
    )
    content = Fingerprint()
    for some in rows:
        content = content.plus(fingerprint(some))
        outbox.put(some)
    outbox.flush()
    return content


def _send_marker(link: Link, task: Task, sender: Sender, marker: Marker) -> None:
    topic, partition = link.markers.place(task.query)
    now_ms = int(time.time() * 1000)
    data = marker_batch(task.id, marker, timestamp=now_ms, transactional=True)
    sender.send([Outgoing(topic, partition, data, 1)])
