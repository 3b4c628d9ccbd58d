"""``riverlog broker`` and ``riverlog balance``: who is there, what they hold, emptying and evening out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from riverlog.cli.errors import UserError
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
    from riverlog.cli.cluster_client import BrokerRow, Cluster
    from riverlog.cli.placement_plan import Assignment
    from riverlog.runtime.client_io import BlockingClient

app = typer.Typer(
    name="broker",
    help="Brokers of a cluster: who is there, what they hold, emptying and removing one.",
    no_args_is_help=True,
    epilog=examples(
        "riverlog broker list",
        "riverlog broker drain 3",
        "riverlog broker drain 3 --undo",
        "riverlog broker remove 3",
    ),
)

BALANCE_EPILOG = examples("riverlog balance --dry-run", "riverlog balance")
BrokerId = Annotated[int, typer.Argument(metavar="ID", min=0, help="Broker.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would move, and move nothing.")]
Wait = Annotated[float, typer.Option(min=0, help="Seconds to wait for the moves; 0 only starts them.")]
_WAIT_SECONDS = 600.0
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


@app.command(name="list", epilog=examples("riverlog broker list", "riverlog broker list --json"))
@guarded
def list_brokers(
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Show every broker, fenced ones too, and how many partitions it leads and holds."""
    from riverlog.cli.cluster_client import add_cordons, look

    with connect(bootstrap, timeout) as client:
        cluster = look(client)
        add_cordons(client, cluster)
    rows = [_described(row, cluster) for row in cluster.brokers.values()]
    if as_json:
        print_json(rows)
        return
    names = ["broker", "address", "rack", "state", "quorum", "leads", "replicas", "not in sync"]
    cells = [[_cell(row[name.replace(" ", "_")]) for name in names] for row in rows]
    print_table(names, cells, right=frozenset({"broker", "leads", "replicas", "not in sync"}))


def _described(row: BrokerRow, cluster: Cluster) -> dict[str, Any]:
    return {
        "broker": row.broker_id,
        "address": row.address,
        "rack": row.rack,
        "state": "fenced" if row.fenced else "cordoned" if row.cordoned else row.problem or "up",
        "quorum": quorum_role(cluster, row.broker_id),
        "leads": row.leads,
        "replicas": row.replicas,
        "not_in_sync": row.behind,
    }


def quorum_role(cluster: Cluster, node_id: int) -> str:
    if node_id == cluster.controller_id:
        return "leader"
    return "voter" if node_id in cluster.voters else ""


@app.command(epilog=examples("riverlog broker load", "riverlog broker load --json"))
@guarded
def load(
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Show how much each broker holds and leads."""
    from riverlog.cli.cluster_client import add_sizes, look

    with connect(bootstrap, timeout) as client:
        cluster = look(client)
        add_sizes(client, cluster)
    rows: list[dict[str, Any]] = [
        {
            "broker": row.broker_id,
            "leads": row.leads,
            "replicas": row.replicas,
            "bytes": row.bytes,
            "usable_bytes": row.usable_bytes,
            "problem": row.problem,
        }
        for row in cluster.brokers.values()
    ]
    if as_json:
        print_json(rows)
        return
    cells = [
        [
            str(row["broker"]),
            str(row["leads"]),
            str(row["replicas"]),
            _size(row["bytes"]),
            _size(row["usable_bytes"]),
            row["problem"],
        ]
        for row in rows
    ]
    names = ["broker", "leads", "replicas", "data", "free", "problem"]
    print_table(names, cells, right=frozenset(names[:-1]))


@app.command(
    epilog=examples(
        "riverlog broker drain 3 --dry-run", "riverlog broker drain 3", "riverlog broker drain 3 --undo"
    )
)
@guarded
def drain(
    broker_id: BrokerId,
    undo: Annotated[bool, typer.Option("--undo", help="Let the broker have replicas again.")] = False,
    dry_run: DryRun = False,
    wait: Wait = _WAIT_SECONDS,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Close a broker for new replicas and move those it has to others, so that it can be removed."""
    from riverlog.cli.cluster_client import cordon

    with connect(bootstrap, timeout) as client:
        cluster = _whole(client)
        row = cluster.brokers.get(broker_id)
        if row is None:
            raise UserError(f"there is no broker {broker_id} (see riverlog broker list)")
        if undo:
            if not dry_run:
                cordon(client, row, False)
            if as_json:
                print_json({"cordoned": row.cordoned})
            else:
                print(f"broker {broker_id} {'would take' if dry_run else 'takes'} new replicas again")
            return
        moves = _off(cluster, broker_id)
        if not dry_run:
            cordon(client, row, True)
            cluster = _whole(client)
            moves = _off(cluster, broker_id)  # with what came until it was closed
        _carry_out(client, moves, cluster, dry_run=dry_run, wait=wait, as_json=as_json)


def _whole(client: BlockingClient) -> Cluster:
    from riverlog.cli.cluster_client import add_cordons, look

    cluster = look(client)
    add_cordons(client, cluster)
    return cluster


def _off(cluster: Cluster, broker_id: int) -> Assignment:
    """Everything off this broker. Replicas on others stay, on those that are down or cordoned too."""
    from riverlog.cli.placement_plan import CannotPlace, plan

    others = {other: row.rack for other, row in cluster.brokers.items() if other != broker_id}
    held = [key for key, replicas in cluster.replicas.items() if broker_id in replicas]
    try:
        return plan(
            cluster.replicas, others, movable=held, balance=False, closed=set(others) - set(cluster.usable)
        )
    except CannotPlace as problem:
        raise UserError(str(problem)) from None


def balance(
    dry_run: DryRun = False,
    wait: Wait = _WAIT_SECONDS,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Spread replicas and leadership evenly over the live brokers, and over racks.

    What has a replica on a broker that is down or drained stays as it is.
    """
    from riverlog.cli.cluster_client import elect_preferred
    from riverlog.cli.placement_plan import plan

    with connect(bootstrap, timeout) as client:
        cluster = _whole(client)
        down = set(cluster.brokers) - set(cluster.usable)
        whole = [key for key, replicas in cluster.replicas.items() if not down & set(replicas)]
        moves = plan(cluster.replicas, cluster.usable, movable=whole)
        _carry_out(client, moves, cluster, dry_run=dry_run, wait=wait, as_json=as_json)
        if not dry_run:
            elected = elect_preferred(client)["elected"]
            if not as_json:
                print(f"{counted(elected, 'partition')} went back to the preferred leader")


def _carry_out(
    client: BlockingClient,
    moves: Assignment,
    cluster: Cluster,
    *,
    dry_run: bool,
    wait: float,
    as_json: bool,
) -> None:
    """Show the plan, or begin it and wait for it."""
    from riverlog.cli.cluster_client import reassign, wait_for
    from riverlog.cli.reassign import plan_json, print_moves

    if as_json and dry_run:
        print_json(plan_json(moves))
    elif not as_json:
        print_moves(moves, cluster.replicas)
    if dry_run:
        return
    if moves:
        reassign(client, moves)
    left = wait_for(client, moves, wait) if moves and wait else []
    if as_json:
        print_json({"moved": len(moves) - len(left), "under_way": len(left)})
    elif moves and wait and not left:
        print(f"moved {counted(len(moves), 'partition')}")
    if left:
        raise UserError(
            f"{counted(len(left), 'partition')} still move after {wait:g} s; see riverlog reassign verify"
        )


@app.command(epilog=examples("riverlog broker drain 3", "riverlog broker remove 3"))
@guarded
def remove(
    broker_id: BrokerId,
    force: Annotated[bool, typer.Option("--force", help="Even if replicas are placed on it.")] = False,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
) -> None:
    """Make the cluster forget a node that is stopped for good: as a broker, and as a voter of the quorum."""
    from riverlog.cli.cluster_client import cordon, look, remove_voter, unregister

    with connect(bootstrap, timeout) as client:
        cluster = look(client)
        row = cluster.brokers.get(broker_id)
        if row is None and broker_id in cluster.voters:
            remove_voter(client, cluster.cluster_id, broker_id)
            print(f"removed controller {broker_id} (while it runs it may join again by itself)")
            return
        if row is None:
            raise UserError(f"there is no broker {broker_id} (see riverlog broker list)")
        if not row.fenced:
            raise UserError(f"broker {broker_id} runs: stop it first")
        if row.replicas and not force:
            raise UserError(
                f"broker {broker_id} holds {counted(row.replicas, 'replica')}: first riverlog broker drain "
                f"{broker_id}, or --force if it never comes back"
            )
        remove_voter(client, cluster.cluster_id, broker_id)
        cordon(client, row, False)  # else a new broker of this id would get nothing
        unregister(client, broker_id)
    print(f"removed broker {broker_id}")


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def _size(count: int | None) -> str:
    if count is None:
        return ""
    number = float(count)
    for unit in _UNITS:
        if number < 1024 or unit == _UNITS[-1]:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1024
    raise AssertionError("the last unit takes everything")
