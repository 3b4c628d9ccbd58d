"""``riverlog group``: list, describe, lag, reset, delete."""

from __future__ import annotations

import csv
import re
import time
from datetime import datetime, timedelta
from pathlib import Path
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
)
from riverlog.cli.output import counted, print_json, print_table
from riverlog.cli.shell import examples, guarded

if TYPE_CHECKING:
    from riverlog.cli.group_client import GroupView, TopicPartition
    from riverlog.runtime.client_io import BlockingClient

app = typer.Typer(
    name="group",
    help="Consumer groups: who reads what, how far behind, and where to go on.",
    no_args_is_help=True,
    epilog=examples(
        "riverlog group lag", "riverlog group reset billing --topic orders --to earliest --execute"
    ),
)

Group = Annotated[str, typer.Argument(metavar="GROUP", help="Consumer group.")]
_IDLE_STATES = ("Empty", "Dead")


@app.command(name="list", epilog=examples("riverlog group list", "riverlog group list --json"))
@guarded
def list_groups(
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """List groups with their kind and state."""
    from riverlog.cli import group_client

    with connect(bootstrap, timeout) as client:
        found = group_client.list_groups(client)
    if as_json:
        print_json([{"group": g.group_id, "type": g.group_type, "state": g.group_state} for g in found])
        return
    print_table(["group", "type", "state"], [[g.group_id, g.group_type, g.group_state] for g in found])


@app.command(epilog=examples("riverlog group describe billing", "riverlog group describe billing --json"))
@guarded
def describe(
    group: Group,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Show members, what they are assigned, committed offsets and lag."""
    from riverlog.cli import group_client

    with connect(bootstrap, timeout) as client:
        view = group_client.describe(client, group)
        rows = _lag_rows(client, view)
    if as_json:
        print_json(
            {
                "group": group,
                "type": view.kind,
                "state": view.state,
                "assignor": view.assignor,
                "coordinator": view.coordinator,
                "members": [
                    {
                        "member": m.member_id,
                        "instance": m.instance_id,
                        "client": m.client_id,
                        "host": m.host,
                        "partitions": [f"{topic}-{index}" for topic, index in m.assignment],
                    }
                    for m in view.members
                ],
                "offsets": rows,
            }
        )
        return
    assignor = f", assignor {view.assignor}" if view.assignor else ""
    print(
        f"{group}: {view.kind} group, {view.state}, {counted(len(view.members), 'member')}{assignor}, "
        f"coordinator {view.coordinator}"
    )
    _print_lag(rows)


@app.command(epilog=examples("riverlog group lag", "riverlog group lag billing --json"))
@guarded
def lag(
    group: Annotated[str | None, typer.Argument(metavar="GROUP", help="One group; else all.")] = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Show how far behind a group is per partition, or the total of every group."""
    from riverlog.cli import group_client

    with connect(bootstrap, timeout) as client:
        if group is not None:
            rows = _lag_rows(client, group_client.describe(client, group))
        else:
            rows = []
            for listed in group_client.list_groups(client):
                of_group = _lag_rows(client, group_client.describe(client, listed.group_id))
                total = sum(row["lag"] or 0 for row in of_group)
                rows.append({"group": listed.group_id, "state": listed.group_state, "lag": total})
    if as_json:
        print_json(rows)
    elif group is not None:
        _print_lag(rows)
    else:
        cells = [[row["group"], row["state"], f"{row['lag']:,}"] for row in rows]
        print_table(["group", "state", "lag"], cells, right=frozenset({"lag"}))


def _lag_rows(client: BlockingClient, view: GroupView) -> list[dict[str, Any]]:
    from riverlog.cli import group_client

    owners = {place: member for member in view.members for place in member.assignment}
    offsets = group_client.committed(client, view.group_id)
    places = sorted({*owners, *offsets})
    ends = group_client.ends(client, places)
    rows = []
    for place in places:
        offset, end = offsets.get(place), ends.get(place)
        owner = owners.get(place)
        rows.append(
            {
                "topic": place[0],
                "partition": place[1],
                "committed": offset,
                "end": end,
                "lag": max(0, end - offset) if offset is not None and end is not None else None,
                "member": owner.member_id if owner else None,
                "host": owner.host if owner else None,
            }
        )
    return rows


def _print_lag(rows: list[dict[str, Any]]) -> None:
    columns = ["topic", "partition", "committed", "end", "lag", "member", "host"]
    cells = [["-" if row[name] is None else str(row[name]) for name in columns] for row in rows]
    print_table(columns, cells, right=frozenset({"partition", "committed", "end", "lag"}))


# -- reset ---------------------------------------------------------------------------------


@app.command(
    epilog=examples(
        "riverlog group reset billing --topic orders --to earliest",
        "riverlog group reset billing --topic orders --to 2026-05-01T12:00:00Z --execute",
        "riverlog group reset billing --all-topics --by -100 --execute",
        "riverlog group reset billing --from-file offsets.csv --execute",
    )
)
@guarded
def reset(
    group: Group,
    topic: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME[:P,P]", help="Topic, or some partitions of it. Repeatable."),
    ] = None,
    all_topics: Annotated[
        bool, typer.Option("--all-topics", help="All topics the group has offsets of.")
    ] = False,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="WHERE",
            help="earliest, latest, current, an offset, a time (ISO 8601), or so long ago (PT1H, 90m, 7d).",
        ),
    ] = None,
    by: Annotated[int | None, typer.Option(help="Shift by so many records, negative for back.")] = None,
    from_file: Annotated[
        Path | None, typer.Option(help="CSV lines topic,partition,offset.", exists=True, dir_okay=False)
    ] = None,
    execute: Annotated[bool, typer.Option("--execute", help="Do it; without this it is only shown.")] = False,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Move the committed offsets of a group that has no members. A dry run unless --execute."""
    from riverlog.cli import group_client

    if sum(option is not None for option in (to, by, from_file)) != 1:
        raise BadOption("say where with exactly one of --to, --by and --from-file")
    with connect(bootstrap, timeout) as client:
        current = group_client.committed(client, group)
        if from_file is not None:
            wanted = _read_file(from_file)
        else:
            chosen = _places(client, topic, all_topics, current)
            wanted = _targets(client, chosen, to, by, current)
        places = list(wanted)
        low, high = _bounds(client, places)
        new = {place: min(max(wanted[place], low[place]), high[place]) for place in places}
        if execute:
            _check_idle(group_client.describe(client, group) if _exists(client, group) else None, group)
            group_client.commit(client, group, new)
    rows = [
        {"topic": p[0], "partition": p[1], "before": current.get(p), "after": new[p]} for p in sorted(new)
    ]
    if as_json:
        print_json({"group": group, "executed": execute, "offsets": rows})
        return
    columns = ["topic", "partition", "before", "after"]
    cells = [["-" if row[name] is None else str(row[name]) for name in columns] for row in rows]
    print_table(columns, cells, right=frozenset({"partition", "before", "after"}))
    print("done" if execute else "nothing was changed; add --execute to do it")


def _exists(client: BlockingClient, group: str) -> bool:
    from riverlog.cli import group_client

    return any(listed.group_id == group for listed in group_client.list_groups(client))


def _check_idle(view: GroupView | None, group: str) -> None:
    if view is not None and view.state not in _IDLE_STATES:
        raise UserError(
            f"group {group!r} is {view.state} with {counted(len(view.members), 'member')}: "
            "stop its consumers, then reset"
        )


def _places(
    client: BlockingClient, topics: list[str] | None, all_topics: bool, current: dict[TopicPartition, int]
) -> list[TopicPartition]:
    if all_topics == bool(topics):
        raise BadOption("say what with --topic NAME or --all-topics")
    if all_topics:
        if not current:
            raise UserError("the group has no committed offsets; name topics with --topic")
        return sorted(current)
    places: list[TopicPartition] = []
    for text in topics or ():
        name, colon, numbers = text.partition(":")
        count = len(client.topic(name).partitions)
        if colon and not re.fullmatch(r"\d+(,\d+)*", numbers):
            raise BadOption(f"--topic: {text!r} is not NAME or NAME:0,1,2")
        chosen = [int(number) for number in numbers.split(",")] if colon else range(count)
        for index in chosen:
            if index >= count:
                raise UserError(f"topic {name!r} has no partition {index}, only 0 to {count - 1}")
            places.append((name, index))
    return places


def _bounds(
    client: BlockingClient, places: list[TopicPartition]
) -> tuple[dict[TopicPartition, int], dict[TopicPartition, int]]:
    from riverlog.client.offsets import EARLIEST, LATEST

    for name in sorted({name for name, _ in places}):
        client.topic(name)
    low = client.offsets(dict.fromkeys(places, EARLIEST))
    high = client.offsets(dict.fromkeys(places, LATEST))
    return {p: low[p].offset for p in places}, {p: high[p].offset for p in places}


def _targets(
    client: BlockingClient,
    places: list[TopicPartition],
    to: str | None,
    by: int | None,
    current: dict[TopicPartition, int],
) -> dict[TopicPartition, int]:
    """Where each partition shall go, before it is bounded by what the log has."""
    low, high = _bounds(client, places)
    if by is not None:
        return {place: current.get(place, low[place]) + by for place in places}
    assert to is not None
    match to:
        case "earliest":
            return low
        case "latest":
            return high
        case "current":
            return {place: current.get(place, high[place]) for place in places}
    if re.fullmatch(r"\d{1,19}", to):
        return dict.fromkeys(places, int(to))
    found = client.offsets(dict.fromkeys(places, _moment_ms(to)))
    return {p: found[p].offset if found[p].offset >= 0 else high[p] for p in places}


_DURATION = re.compile(r"(?:P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?)|(?:(\d+)([smhd]))")
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def _moment_ms(text: str) -> int:
    """A time, or so long ago."""
    duration = _DURATION.fullmatch(text)
    if duration is not None and text not in ("P", "PT"):
        days, hours, minutes, seconds, number, unit = duration.groups()
        if number is not None:
            ago = timedelta(seconds=int(number) * _UNITS[unit])
        else:
            ago = timedelta(
                days=int(days or 0),
                hours=int(hours or 0),
                minutes=int(minutes or 0),
                seconds=int(seconds or 0),
            )
        return int((time.time() - ago.total_seconds()) * 1000)
    try:
        return int(datetime.fromisoformat(text).timestamp() * 1000)
    except ValueError:
        raise BadOption(
            f"--to: {text!r} is not earliest, latest, current, an offset, a time or a duration such as PT1H"
        ) from None


def _read_file(path: Path) -> dict[TopicPartition, int]:
    wanted: dict[TopicPartition, int] = {}
    try:
        with path.open(newline="", encoding="utf-8") as file:
            for number, row in enumerate(csv.reader(file), 1):
                if not row:
                    continue
                if len(row) != 3 or not row[1].strip().isdigit() or not row[2].strip().isdigit():
                    raise UserError(f"{path}, line {number}: expected topic,partition,offset")
                wanted[row[0].strip(), int(row[1])] = int(row[2])
    except (OSError, UnicodeDecodeError) as problem:
        raise UserError(f"{path} cannot be read: {problem}") from None
    if not wanted:
        raise UserError(f"{path} has no offsets")
    return wanted


@app.command(epilog=examples("riverlog group delete billing"))
@guarded
def delete(
    groups: Annotated[list[str], typer.Argument(metavar="GROUP...", help="Groups without members.")],
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
) -> None:
    """Delete groups and their committed offsets."""
    from riverlog.cli import group_client
    from riverlog.client.errors import describe_error
    from riverlog.protocol.apis import ApiKey
    from riverlog.protocol.generated.delete_groups_request import DeleteGroupsRequest

    with connect(bootstrap, timeout) as client:
        for group in groups:
            node_id = group_client.coordinator(client, group)
            request = DeleteGroupsRequest(groups_names=[group])
            (row,) = client.call(ApiKey.DELETE_GROUPS, request, node_id=node_id).results
            if row.error_code:
                raise UserError(f"cannot delete group {group!r}: {describe_error(row.error_code)}")
            print(f"deleted group: {group}")
