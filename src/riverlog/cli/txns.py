"""``riverlog txn``: list, describe, producers, find-hanging, abort."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from riverlog.cli.errors import BadOption, UserError
from riverlog.cli.options import (
    DEFAULT_BOOTSTRAP,
    DEFAULT_TIMEOUT,
    AsJson,
    Bootstrap,
    TimeoutSeconds,
    connect,
    duration_ms,
)
from riverlog.cli.output import print_json, print_table
from riverlog.cli.shell import examples, guarded

if TYPE_CHECKING:
    from riverlog.cli.txn_client import ProducerRow
    from riverlog.runtime.client_io import BlockingClient

app = typer.Typer(
    name="txn",
    help="Transactions: which are open, since when, and how to end one that hangs.",
    no_args_is_help=True,
    epilog=examples(
        "riverlog txn list --state Ongoing --longer-than 5m",
        "riverlog txn find-hanging --topic orders",
        "riverlog txn abort --topic orders --partition 0 --start-offset 4711",
    ),
)

STATES = (
    "Empty",
    "Ongoing",
    "PrepareCommit",
    "PrepareAbort",
    "CompleteCommit",
    "CompleteAbort",
    "PrepareEpochFence",
    "Dead",
)

OPEN_STATES = ("Ongoing", "PrepareCommit", "PrepareAbort", "PrepareEpochFence")

Topic = Annotated[str, typer.Option("--topic", metavar="NAME", help="Topic.")]
Partition = Annotated[int, typer.Option("--partition", "-p", min=0, help="Partition.")]


@app.command(
    name="list",
    epilog=examples(
        "riverlog txn list",
        "riverlog txn list --state Ongoing --longer-than 5m",
        "riverlog txn list --producer-id 1000 --json",
        "riverlog txn list --matching 'billing-.*'",
    ),
)
@guarded
def list_transactions(
    state: Annotated[
        list[str] | None, typer.Option(metavar="STATE", help=f"{', '.join(STATES)}. Repeatable.")
    ] = None,
    producer_id: Annotated[list[int] | None, typer.Option(min=0, help="Repeatable.")] = None,
    longer_than: Annotated[
        str | None, typer.Option(metavar="TIME", help="Only those that are open for longer: 30s, 5m, 2h.")
    ] = None,
    matching: Annotated[
        str | None, typer.Option(metavar="REGEX", help="Only transactional ids that match as a whole (RE2).")
    ] = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """List transactional ids with their coordinator, producer id and state."""
    from riverlog.cli import txn_client

    longer_than_ms = -1 if longer_than is None else duration_ms("--longer-than", longer_than)
    states = [_state(text) for text in state or ()]
    if longer_than is not None and not states:
        states = list(OPEN_STATES)  # brokers go on counting for transactions that have ended
    with connect(bootstrap, timeout) as client:
        found = txn_client.list_transactions(
            client,
            states=states,
            producer_ids=producer_id or (),
            longer_than_ms=longer_than_ms,
            pattern=matching,
        )
    if as_json:
        print_json([asdict(row) for row in found])
        return
    print_table(
        ["transactional id", "coordinator", "producer id", "state"],
        [[row.transactional_id, str(row.coordinator), str(row.producer_id), row.state] for row in found],
        right=frozenset({"coordinator", "producer id"}),
    )


def _state(text: str) -> str:
    for name in STATES:
        if name.lower() == text.lower():
            return name
    raise BadOption(f"--state: {text!r} is none of {', '.join(STATES)}")


@app.command(epilog=examples("riverlog txn describe billing-1", "riverlog txn describe billing-1 --json"))
@guarded
def describe(
    transactional_id: Annotated[str, typer.Argument(metavar="ID", help="Transactional id.")],
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Show a transactional id: its producer, its open transaction, and the partitions in it."""
    from riverlog.cli import txn_client

    with connect(bootstrap, timeout) as client:
        found = txn_client.describe(client, transactional_id)
    if found is None:
        raise UserError(f"transactional id {transactional_id!r} is not known; riverlog txn list shows all")
    age_ms = None if found.started_ms is None else max(0, int(time.time() * 1000) - found.started_ms)
    if as_json:
        places = [{"topic": topic, "partition": index} for topic, index in found.partitions]
        print_json({**asdict(found), "age_ms": age_ms, "partitions": places})
        return
    since = f" for {_span(age_ms)}" if age_ms is not None else ""
    print(
        f"{transactional_id}: {found.state}{since}, time-out {_span(found.timeout_ms)}, "
        f"producer {found.producer_id} epoch {found.producer_epoch}, coordinator {found.coordinator}"
    )
    if found.partitions:
        cells = [[topic, str(index)] for topic, index in found.partitions]
        print_table(["topic", "partition"], cells, right=frozenset({"partition"}))


@app.command(
    epilog=examples(
        "riverlog txn producers --topic orders --partition 0",
        "riverlog txn producers --topic orders --partition 0 --broker 2",
    )
)
@guarded
def producers(
    topic: Topic,
    partition: Partition,
    broker: Annotated[int | None, typer.Option(min=0, help="Ask this replica, not the leader.")] = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Show the producers a partition knows, and where their open transactions began."""
    from riverlog.cli import txn_client

    with connect(bootstrap, timeout) as client:
        places = txn_client.partitions(client, topic=topic, partition=partition, broker=None)
        rows = txn_client.producers(client, places, broker)
    _show_producers([_producer_dict(row) for row in rows], as_json=as_json)


@app.command(
    name="find-hanging",
    epilog=examples(
        "riverlog txn find-hanging --topic orders",
        "riverlog txn find-hanging --broker 2 --max-transaction-timeout 1h",
        "riverlog txn find-hanging --topic orders --partition 0 --json",
    ),
)
@guarded
def find_hanging(
    topic: Annotated[str | None, typer.Option(metavar="NAME", help="Look into this topic.")] = None,
    partition: Annotated[
        int | None, typer.Option("--partition", "-p", min=0, help="Only this partition of it.")
    ] = None,
    broker: Annotated[
        int | None, typer.Option(min=0, help="Look into all partitions that have a replica there.")
    ] = None,
    max_transaction_timeout: Annotated[
        str, typer.Option(metavar="TIME", help="The brokers' transaction.max.timeout.ms.")
    ] = "15m",
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Find open transactions that nobody will end: read_committed consumers wait at them for ever.

    One counts if its producer wrote nothing for longer than any transaction may take, and no
    coordinator has the partition in a transaction of that producer.
    """
    from riverlog.cli import txn_client

    if topic is None and broker is None:
        raise BadOption("say where to look with --topic NAME or --broker ID")
    if partition is not None and topic is None:
        raise BadOption("--partition needs --topic")
    limit_ms = duration_ms("--max-transaction-timeout", max_transaction_timeout)
    with connect(bootstrap, timeout) as client:
        places = txn_client.partitions(client, topic=topic, partition=partition, broker=broker)
        now_ms = int(time.time() * 1000)
        overdue = [
            row
            for row in txn_client.producers(client, places, broker)
            if row.start_offset is not None and now_ms - row.last_timestamp > limit_ms
        ]
        found = txn_client.hanging(client, overdue)
    rows = [
        {
            **_producer_dict(row),
            "transactional_id": name,
            "quiet_ms": now_ms - row.last_timestamp,
        }
        for row, name in found
    ]
    if as_json:
        print_json(rows)
    elif not rows:
        print("no hanging transactions")
    else:
        _show_producers(rows, as_json=False)
        for row in rows:
            place = f"--topic {row['topic']} --partition {row['partition']}"
            print(f"to end it: riverlog txn abort {place} --start-offset {row['start_offset']}")


@app.command(
    epilog=examples(
        "riverlog txn abort --topic orders --partition 0 --start-offset 4711",
        "riverlog txn abort --topic orders -p 0 --producer-id 1000 --producer-epoch 3 --coordinator-epoch 0",
    )
)
@guarded
def abort(
    topic: Topic,
    partition: Partition,
    start_offset: Annotated[int | None, typer.Option(min=0, help="Where the transaction began.")] = None,
    producer_id: Annotated[int | None, typer.Option(min=0, help="Instead of --start-offset.")] = None,
    producer_epoch: Annotated[int | None, typer.Option(min=0, max=32767, help="With --producer-id.")] = None,
    coordinator_epoch: Annotated[int | None, typer.Option(help="With --producer-id; -1 if unknown.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Although its coordinator would still end it everywhere.")
    ] = False,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Abort a hanging transaction in one partition, so that read_committed consumers go on.

    One that its coordinator still has is refused: it would be aborted here and perhaps committed
    elsewhere, and it ends by itself.
    """
    from riverlog.cli import txn_client

    numbers = (producer_id, producer_epoch, coordinator_epoch)
    if (start_offset is None) == (producer_id is None):
        raise BadOption(
            "say which with --start-offset, or with --producer-id, --producer-epoch and --coordinator-epoch"
        )
    if producer_id is not None and None in numbers:
        raise BadOption("--producer-id needs --producer-epoch and --coordinator-epoch")
    if start_offset is not None and numbers != (None, None, None):
        raise BadOption("--start-offset says it all; leave the epochs out")
    with connect(bootstrap, timeout) as client:
        (place,) = txn_client.partitions(client, topic=topic, partition=partition, broker=None)
        rows = txn_client.producers(client, [place])
        row = _chosen(rows, start_offset, producer_id, f"{topic}-{partition}")
        if not force:
            _check_hanging(client, row)
        txn_client.abort(
            client,
            place,
            producer_id=row.producer_id,
            producer_epoch=row.producer_epoch if producer_epoch is None else producer_epoch,
            coordinator_epoch=row.coordinator_epoch if coordinator_epoch is None else coordinator_epoch,
        )
    if as_json:
        print_json(_producer_dict(row))
        return
    print(f"aborted in {topic}-{partition}: the transaction of producer {row.producer_id}")


def _chosen(
    rows: list[ProducerRow], start_offset: int | None, producer_id: int | None, place: str
) -> ProducerRow:
    """The producer whose transaction is meant."""
    open_rows = [row for row in rows if row.start_offset is not None]
    for row in open_rows:
        if row.start_offset == start_offset or row.producer_id == producer_id:
            return row
    which = f"at offset {start_offset}" if producer_id is None else f"of producer {producer_id}"
    known = ", ".join(f"{row.start_offset} (producer {row.producer_id})" for row in open_rows)
    there = f"open ones begin at {known}" if known else "none is open there"
    raise UserError(f"partition {place} has no open transaction {which}: {there}")


def _check_hanging(client: BlockingClient, row: ProducerRow) -> None:
    from riverlog.cli import txn_client

    if txn_client.hanging(client, [row]):
        return
    listed = txn_client.list_transactions(client, producer_ids=[row.producer_id])
    names = ", ".join(repr(one.transactional_id) for one in listed)
    raise UserError(
        f"the transaction does not hang: its coordinator has it (transactional id {names}) and ends it after "
        "its time-out; see riverlog txn describe. --force aborts it in this partition alone"
    )


def _producer_dict(row: ProducerRow) -> dict[str, Any]:
    fields = asdict(row)
    topic, index = fields.pop("place")
    return {"topic": topic, "partition": index, **fields}


_HEADINGS = {
    "topic": "topic",
    "partition": "partition",
    "transactional_id": "transactional id",
    "producer_id": "producer id",
    "producer_epoch": "epoch",
    "coordinator_epoch": "coordinator epoch",
    "last_sequence": "last sequence",
    "last_timestamp": "last write",
    "quiet_ms": "quiet for",
    "start_offset": "open since offset",
}


def _show_producers(rows: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print_json(rows)
        return
    shown = [name for name in _HEADINGS if not rows or name in rows[0]]
    left = {_HEADINGS[name] for name in ("topic", "transactional_id", "last_timestamp", "quiet_ms")}
    headings = [_HEADINGS[name] for name in shown]
    cells = [[_cell(name, row[name]) for name in shown] for row in rows]
    print_table(headings, cells, right=frozenset(headings) - left)


def _cell(name: str, value: Any) -> str:
    from riverlog.cli.log_dump import moment

    if value is None:
        return "-"
    if name == "last_timestamp":
        return moment(value)
    return _span(value) if name == "quiet_ms" else str(value)


def _span(ms: int) -> str:
    """A time to read: 300 ms, 12 s, 3 m 20 s, 5 h 1 m, 2 d 3 h."""
    if ms < 1000:
        return f"{ms} ms"
    seconds = ms // 1000
    for unit, size, lower, lower_size in (("d", 86400, "h", 3600), ("h", 3600, "m", 60), ("m", 60, "s", 1)):
        if seconds >= size:
            rest = seconds % size // lower_size
            return f"{seconds // size} {unit}" + (f" {rest} {lower}" if rest else "")
    return f"{seconds} s"
