"""``riverlog consume``: records of a topic to standard output."""

from __future__ import annotations

import re
import sys
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from riverlog.cli.errors import BadOption, UserError
from riverlog.cli.options import DEFAULT_BOOTSTRAP, DEFAULT_TIMEOUT, Bootstrap, TimeoutSeconds, connect
from riverlog.cli.render import Renderer, Row, renderer
from riverlog.cli.shell import examples

if TYPE_CHECKING:
    from riverlog.client.cluster import TopicPartition
    from riverlog.runtime.client_io import BlockingClient

EPILOG = examples(
    "riverlog consume orders                         # everything, then follow",
    "riverlog consume orders --from end              # only what is new",
    "riverlog consume orders --from -10 --exit-at-end   # the last ten of each partition",
    "riverlog consume orders --from 2026-05-01T12:00:00Z -n 100 --json",
    r"riverlog consume orders --format '%p %o %T %k=%s\n'",
)

FORMAT_HELP = (
    "Text per record: %t topic, %p partition, %o offset, %T timestamp in ms, %k key, %s value, %h headers, "
    r"%K and %S their sizes, %% percent; \n \t \\ as usual."
)


class Isolation(StrEnum):
    COMMITTED = "read_committed"
    UNCOMMITTED = "read_uncommitted"


def consume(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Topic.")],
    start: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="WHERE",
            help="beginning, end, an offset, -N (the last N), or a time: ISO 8601, or 1700000000000ms.",
        ),
    ] = "beginning",
    partition: Annotated[
        list[int] | None, typer.Option("--partition", "-p", min=0, help="Only this one. Repeatable.")
    ] = None,
    max_messages: Annotated[
        int | None, typer.Option("--max-messages", "-n", min=0, help="Stop after so many.")
    ] = None,
    exit_at_end: Annotated[
        bool, typer.Option("--exit-at-end/--follow", "-e/-f", help="Stop at the end, or wait for more.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
    form: Annotated[str | None, typer.Option("--format", metavar="TEXT", help=FORMAT_HELP)] = None,
    keys: Annotated[bool, typer.Option("--keys", "-k", help="Key and a tab before the value.")] = False,
    headers: Annotated[bool, typer.Option("--headers", "-H", help="Headers and a tab before all.")] = False,
    isolation: Annotated[
        Isolation, typer.Option(help="Whether records of open and aborted transactions are shown.")
    ] = Isolation.COMMITTED,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
) -> None:
    """Print records, by default from the first one on, and wait for more."""
    if as_json + (form is not None) + (keys or headers) > 1:
        raise BadOption("--json, --format and --keys/--headers exclude each other")
    render = renderer(as_json=as_json, form=form, keys=keys, headers=headers)
    where = parse_start(start)
    with connect(bootstrap, timeout) as client:
        committed = isolation is Isolation.COMMITTED
        cursors = _cursors(client, name, partition, where, committed)
        try:
            _read(client, cursors, render, max_messages, exit_at_end=exit_at_end, committed=committed)
        except KeyboardInterrupt:
            if exit_at_end or max_messages is not None:
                raise
            # Following has no other end.


# ---------------------------------------------------------------- where to start

Start = tuple[str, int]
"""``offset``, ``last`` or ``time``, and a number; or ``beginning`` or ``end``, and 0."""


def parse_start(text: str) -> Start:
    if text in ("beginning", "earliest", "start"):
        return "beginning", 0
    if text in ("end", "latest"):
        return "end", 0
    if re.fullmatch(r"-?\d{1,19}", text):
        number = int(text)
        return ("last", -number) if number < 0 else ("offset", number)
    if re.fullmatch(r"\d{1,15}ms", text):
        return "time", int(text[:-2])
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadOption(
            f"--from: {text!r} is not beginning, end, an offset, -N, or a time such as 2026-05-01T12:00:00Z"
        ) from None
    return "time", int(moment.timestamp() * 1000)


def _cursors(
    client: BlockingClient, name: str, wanted: list[int] | None, start: Start, committed: bool
) -> dict[TopicPartition, int]:
    """The offset each partition starts at."""
    from riverlog.client.offsets import EARLIEST, LATEST

    topic = client.topic(name)
    count = len(topic.partitions)
    for partition in wanted or ():
        if partition >= count:
            raise UserError(f"topic {name!r} has no partition {partition}, only 0 to {count - 1}")
    keys = [(name, index) for index in dict.fromkeys(wanted or range(count))]
    level = int(committed)
    kind, number = start
    if kind == "beginning":
        found = client.offsets(dict.fromkeys(keys, EARLIEST), isolation_level=level)
        return {key: found[key].offset for key in keys}
    latest = client.offsets(dict.fromkeys(keys, LATEST), isolation_level=level)
    if kind == "end":
        return {key: latest[key].offset for key in keys}
    if kind == "time":
        found = client.offsets(dict.fromkeys(keys, number), isolation_level=level)
        return {key: found[key].offset if found[key].offset >= 0 else latest[key].offset for key in keys}
    earliest = client.offsets(dict.fromkeys(keys, EARLIEST), isolation_level=level)
    if kind == "last":
        return {key: max(earliest[key].offset, latest[key].offset - number) for key in keys}
    for key in keys:
        low, high = earliest[key].offset, latest[key].offset
        if not low <= number <= high:
            raise UserError(f"partition {key[1]} of {name!r} has offsets {low} to {high}, not {number}")
    return dict.fromkeys(keys, number)


# ---------------------------------------------------------------- reading


def _read(
    client: BlockingClient,
    cursors: dict[TopicPartition, int],
    render: Renderer,
    max_messages: int | None,
    *,
    exit_at_end: bool,
    committed: bool,
) -> None:
    from riverlog.client.fetcher import Fetched, Fetcher, FetcherConfig, PartitionFailed

    fetcher = Fetcher(client.view, FetcherConfig(isolation_level=int(committed)))
    for (topic, partition), offset in cursors.items():
        fetcher.assign(topic, partition, offset)
    out = sys.stdout.buffer
    left = max_messages
    while fetcher.assigned and left != 0:
        for effect in client.step(fetcher):
            if isinstance(effect, Fetched):
                records = effect.records if left is None else effect.records[:left]
                left = None if left is None else left - len(records)
                out.write(
                    b"".join([render(Row(effect.topic, effect.partition, record)) for record in records])
                )
                out.flush()
            elif isinstance(effect, PartitionFailed):
                where = f"partition {effect.partition} of {effect.topic!r} at offset {effect.offset}"
                raise UserError(f"{where}: {effect.reason}")
            elif exit_at_end:
                fetcher.unassign(effect.topic, effect.partition)
