"""``riverlog produce``: lines of standard input into a topic."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from riverlog.cli.errors import BadOption, UserError
from riverlog.cli.lines import Line, line_parser
from riverlog.cli.options import (
    DEFAULT_BOOTSTRAP,
    DEFAULT_TIMEOUT,
    Bootstrap,
    TimeoutSeconds,
    connect,
    duration_ms,
    key_values,
)
from riverlog.cli.output import counted
from riverlog.cli.shell import examples

if TYPE_CHECKING:
    from riverlog.cli.transaction import Transaction
    from riverlog.client.producer import Producer
    from riverlog.runtime.client_io import BlockingClient

EPILOG = examples(
    "echo hello | riverlog produce orders",
    "riverlog produce orders --key-separator : < pairs.txt",
    "riverlog produce orders --headers source=import --compression zstd < lines.txt",
    "riverlog produce orders --transactional-id import-1 < lines.txt      # all lines or none",
    """echo '{"key": "k", "value": {"n": 1}, "headers": {"a": "b"}}' | riverlog produce orders --json""",
)

_READ_BYTES = 1 << 20
_BATCH_BYTES = 256 * 1024
_BUFFERED_BYTES_MAX = 32 * 1024 * 1024
_LINE_BYTES_MAX = 256 * 1024 * 1024
_QUIET_SECONDS = 0.005
_PROGRESS_SECONDS = 0.5


class Acks(StrEnum):
    NONE = "0"
    LEADER = "1"
    ALL = "all"


class Compression(StrEnum):
    NONE = "none"
    GZIP = "gzip"
    SNAPPY = "snappy"
    LZ4 = "lz4"
    ZSTD = "zstd"


def produce(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Topic.")],
    key_separator: Annotated[
        str | None, typer.Option(metavar="TEXT", help="A line is a key, this, and a value. \\t is a tab.")
    ] = None,
    headers: Annotated[
        list[str] | None,
        typer.Option(
            "--headers", "--header", "-H", metavar="KEY=VALUE", help="For every record. Repeatable."
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Lines are objects: key, value, headers, partition, timestamp.")
    ] = False,
    partition: Annotated[int | None, typer.Option("--partition", "-p", min=0, help="Send all here.")] = None,
    compression: Annotated[Compression, typer.Option(help="Codec.")] = Compression.NONE,
    acks: Annotated[Acks, typer.Option(help="Wait for nobody, the leader, or all in sync.")] = Acks.ALL,
    transactional_id: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Send all input as one transaction, committed at its end."),
    ] = None,
    transaction_timeout: Annotated[
        str, typer.Option(metavar="TIME", help="After this the broker aborts it.")
    ] = "60s",
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
) -> None:
    """Send each line of standard input as one record."""
    from riverlog.client.producer import Producer, ProducerConfig
    from riverlog.records.compression import CODEC_NAMES

    if as_json and key_separator is not None:
        raise BadOption("--json and --key-separator exclude each other")
    if key_separator == "":
        raise BadOption("--key-separator: must not be empty")
    if transactional_id is not None and acks is not Acks.ALL:
        raise BadOption("--transactional-id needs --acks all")
    transaction_timeout_ms = duration_ms("--transaction-timeout", transaction_timeout)
    parse = line_parser(as_json=as_json, key_separator=key_separator)
    fixed: list[tuple[str, bytes | None]] = [
        (key, value.encode()) for key, value in key_values("--headers", headers).items()
    ]
    with connect(bootstrap, timeout) as client:
        _check_partition(client, name, partition)
        transaction = None
        if transactional_id is not None:
            from riverlog.cli.transaction import Transaction

            transaction = Transaction(client, transactional_id, transaction_timeout_ms)
        config = ProducerConfig(
            acks={Acks.NONE: 0, Acks.LEADER: 1, Acks.ALL: -1}[acks],
            compression=CODEC_NAMES[compression.value],
            batch_bytes=_BATCH_BYTES,
            delivery_timeout_ms=int(timeout * 1000),
            first_partition=int.from_bytes(os.urandom(2), "big"),
            transaction=None if transaction is None else transaction.producer,
        )
        sender = _Sender(client, Producer(client.view, config), name, fixed, partition, transaction)
        if transaction is None:
            _send_lines(sender, parse)
        else:
            _send_all_or_none(sender, parse, transaction)


def _send_lines(sender: _Sender, parse: Callable[[bytes, int], Line]) -> None:
    for number, line in enumerate(_lines(sys.stdin.fileno(), sender), start=1):
        try:
            record = parse(line, number)
        except UserError:
            # The lines before are good, and the message names the first that is not.
            sender.finish()
            raise
        sender.send(record, number)
    sender.finish()


def _send_all_or_none(sender: _Sender, parse: Callable[[bytes, int], Line], transaction: Transaction) -> None:
    try:
        _send_lines(sender, parse)
    except UserError as problem:
        transaction.end(committed=False)
        raise UserError(f"{problem}; nothing is committed") from None
    except KeyboardInterrupt:
        transaction.end(committed=False)
        raise
    transaction.end(committed=True)


def _check_partition(client: BlockingClient, name: str, partition: int | None) -> None:
    from riverlog.base.errors import ErrorCode
    from riverlog.client.errors import BrokerRefused

    try:
        count = len(client.topic(name).partitions)
    except BrokerRefused as problem:
        if problem.code is not ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
            raise
        raise UserError(f"{problem} (create it with: riverlog topic create {name})") from None
    if partition is not None and partition >= count:
        raise UserError(f"topic {name!r} has no partition {partition}, only 0 to {count - 1}")


class _Sender:
    """Feeds the producer, keeps its buffer bounded and shows progress."""

    def __init__(
        self,
        client: BlockingClient,
        producer: Producer,
        topic: str,
        headers: list[tuple[str, bytes | None]],
        partition: int | None,
        transaction: Transaction | None,
    ) -> None:
        self._client = client
        self._transaction = transaction
        self._producer = producer
        self._topic = topic
        self._headers = headers
        self._partition = partition
        self._partitions = len(client.view.topics[topic].partitions)
        self._delivered = 0
        self._shown_at = 0.0
        self._progress = sys.stderr.isatty() and not sys.stdin.isatty()

    def send(self, line: Line, number: int) -> None:
        partition = self._partition if line.partition is None else line.partition
        if partition is not None and partition >= self._partitions:
            raise UserError(f"line {number}: topic {self._topic!r} has no partition {partition}")
        chosen = self._producer.append(
            self._topic,
            key=line.key,
            value=line.value,
            headers=self._headers + line.headers if self._headers else line.headers,
            timestamp=int(time.time() * 1000) if line.timestamp is None else line.timestamp,
            partition=partition,
            now_ms=int(time.monotonic() * 1000),
        )
        if self._transaction is not None:
            self._transaction.add(self._topic, chosen)  # before anything leaves
        while self._producer.buffered_bytes > _BUFFERED_BYTES_MAX:
            self._step(None)

    def move(self) -> None:
        """Send what is ready and take what has come, without waiting."""
        self._step(0.0)

    def flush(self) -> None:
        """Send all there is and wait for the answers."""
        self._producer.flush()
        while not self._producer.idle:
            self._step(None)

    def finish(self) -> None:
        self.flush()
        if self._progress:
            print(f"\r\x1b[Kproduced {counted(self._delivered, 'record')}", file=sys.stderr, flush=True)

    def _step(self, wait: float | None) -> None:
        from riverlog.client.producer import Delivered

        for effect in self._client.step(self._producer, wait=wait):
            if isinstance(effect, Delivered):
                self._delivered += effect.count
            else:
                where = f"{effect.topic}-{effect.partition}"
                raise UserError(
                    f"{counted(effect.count, 'record')} not delivered to {where}: {effect.reason}"
                )
        if self._progress and time.monotonic() - self._shown_at > _PROGRESS_SECONDS:
            self._shown_at = time.monotonic()
            print(f"\r\x1b[K{counted(self._delivered, 'record')}", end="", file=sys.stderr, flush=True)


def _lines(descriptor: int, sender: _Sender) -> Iterator[bytes]:
    """Lines as they come. Whenever none is waiting, what was gathered is sent: someone may be typing."""
    rest = b""
    while True:
        if not select.select([descriptor], [], [], _QUIET_SECONDS)[0]:
            sender.flush()
            select.select([descriptor], [], [])
        chunk = os.read(descriptor, _READ_BYTES)
        if not chunk:
            break
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.removesuffix(b"\r")
        if len(rest) > _LINE_BYTES_MAX:
            raise UserError(f"a line is longer than {_LINE_BYTES_MAX} bytes")
        sender.move()
    if rest:
        yield rest.removesuffix(b"\r")
