"""``riverlog reassign``: move replicas from broker to broker, by plans in Kafka's own form."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
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
    from riverlog.cli.cluster_client import Cluster
    from riverlog.cli.placement_plan import Assignment, TopicPartition

app = typer.Typer(
    name="reassign",
    help="Move replicas from broker to broker. Make a plan, look at it, execute it, verify it.",
    no_args_is_help=True,
    epilog=examples(
        "riverlog reassign generate --topic orders --brokers 1,2,4 --json > plan.json",
        "riverlog reassign execute plan.json",
        "riverlog reassign verify plan.json --wait 60",
    ),
)

PlanFile = Annotated[
    Path, typer.Argument(metavar="PLAN", help="A plan in Kafka's JSON form; - reads standard input.")
]
_PLAN_VERSION = 1


@app.command(
    epilog=examples(
        "riverlog reassign generate --brokers 1,2,3",
        "riverlog reassign generate --topic orders --brokers 1,2,4 --json > plan.json",
    )
)
@guarded
def generate(
    topic: Annotated[list[str] | None, typer.Option(help="Only these. Repeatable.")] = None,
    brokers: Annotated[
        str | None,
        typer.Option(
            metavar="ID,ID,...", help="Where replicas may be; else every live broker but drained ones."
        ),
    ] = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Plan: replicas only on these brokers, evenly, over racks where there are some. Changes nothing."""
    from riverlog.cli.cluster_client import add_cordons, look
    from riverlog.cli.placement_plan import CannotPlace, plan

    with connect(bootstrap, timeout) as client:
        cluster = look(client)
        if brokers is None:
            add_cordons(client, cluster)
    unknown = sorted(set(topic or ()) - {name for name, _ in cluster.replicas})
    if unknown:
        raise UserError(f"topic {unknown[0]!r} does not exist")
    movable = [key for key in cluster.replicas if not topic or key[0] in topic]
    try:
        moves = plan(cluster.replicas, chosen_brokers(brokers, cluster), movable=movable)
    except CannotPlace as problem:
        raise UserError(str(problem)) from None
    if as_json:
        print_json(plan_json(moves))
    else:
        print_moves(moves, cluster.replicas)


def chosen_brokers(text: str | None, cluster: Cluster) -> dict[int, str | None]:
    """The brokers that the option names, with their racks."""
    if text is None:
        return cluster.usable
    chosen: dict[int, str | None] = {}
    for part in text.split(","):
        if not part.strip().isdecimal():
            raise BadOption(f"--brokers: {part.strip()!r} is not a broker id")
        broker_id = int(part)
        if broker_id not in cluster.brokers:
            raise BadOption(f"--brokers: there is no broker {broker_id} (see riverlog broker list)")
        chosen[broker_id] = cluster.brokers[broker_id].rack
    return chosen


def print_moves(moves: Mapping[TopicPartition, list[int]], current: Assignment) -> None:
    if not moves:
        print("nothing to move")
        return
    print_table(
        ["partition", "replicas now", "replicas then"],
        [
            [f"{topic}-{index}", _ids(current[topic, index]), _ids(replicas)]
            for (topic, index), replicas in moves.items()
        ],
    )


@app.command(
    epilog=examples(
        "riverlog reassign execute plan.json",
        "riverlog reassign execute plan.json --throttle 10000000",
        "riverlog reassign verify plan.json",
    )
)
@guarded
def execute(
    plan: PlanFile,
    throttle: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="BYTES",
            help="Bytes per second each broker gives and takes for the moves; verify removes it when they "
            "are done. Again, with another number, changes it.",
        ),
    ] = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Begin the moves of a plan. They go on by themselves; verify tells how far they are."""
    from riverlog.cli.cluster_client import look, reassign
    from riverlog.cli.throttles import throttle as set_throttle

    moves = read_plan(plan)
    with connect(bootstrap, timeout) as client:
        if throttle is not None:
            set_throttle(client, moves, look(client).replicas, throttle)
        reassign(client, moves)
    if as_json:
        print_json({"started": len(moves), "throttle": throttle})
    elif throttle is not None:
        print(
            f"started {counted(len(moves), 'reassignment')} at {throttle} bytes/s per broker; "
            f"riverlog reassign verify {plan} removes the throttle when they are done"
        )
    else:
        print(f"started {counted(len(moves), 'reassignment')}; see riverlog reassign verify")


@app.command(
    epilog=examples("riverlog reassign verify plan.json", "riverlog reassign verify plan.json --wait 60")
)
@guarded
def verify(
    plan: Annotated[Path | None, typer.Argument(metavar="[PLAN]", help="A plan; else all under way.")] = None,
    wait: Annotated[float, typer.Option(min=0, help="Seconds to wait for them to be done.")] = 0.0,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Show how far reassignments are, and remove the throttle of a plan that is done.

    Fails while some of a plan's are not done.
    """
    from riverlog.cli.cluster_client import look, ongoing, wait_for
    from riverlog.cli.throttles import remove_throttles

    moves: dict[TopicPartition, list[int]] | None = read_plan(plan) if plan is not None else None
    with connect(bootstrap, timeout) as client:
        if wait:
            wait_for(client, ongoing(client) if moves is None else moves, wait)
        running = ongoing(client)
        cluster = look(client)
        replicas = cluster.replicas
        unthrottled = not running and remove_throttles(
            client, {key[0] for key in moves or () if key in replicas}, cluster.brokers.keys()
        )
    rows = _progress(moves, running, replicas)
    if as_json:
        print_json(rows)
    elif rows:
        print_table(
            ["partition", "state", "replicas", "wanted"],
            [
                [
                    f"{row['topic']}-{row['partition']}",
                    row["state"],
                    _ids(row["replicas"]),
                    _ids(row["wanted"] or []),
                ]
                for row in rows
            ],
        )
    else:
        print("no reassignment is under way")
    if unthrottled and not as_json:
        print("removed the throttle")
    late = [row for row in rows if row["state"] != "done"]
    if moves is not None and late:
        raise UserError(f"{counted(len(late), 'partition')} of {len(rows)} not done")


def _progress(
    moves: Mapping[TopicPartition, list[int]] | None,
    running: Mapping[TopicPartition, Any],
    replicas: Mapping[TopicPartition, list[int]],
) -> list[dict[str, Any]]:
    rows = []
    for key in sorted(running if moves is None else moves):
        now = replicas.get(key, [])
        wanted = moves[key] if moves is not None else None
        if key in running:
            state = "moving"
        elif key not in replicas:
            state = "no such partition"
        else:
            state = "done" if wanted == now else "different"
        rows.append({"topic": key[0], "partition": key[1], "state": state, "replicas": now, "wanted": wanted})
    return rows


@app.command(epilog=examples("riverlog reassign cancel plan.json", "riverlog reassign cancel"))
@guarded
def cancel(
    plan: Annotated[Path | None, typer.Argument(metavar="[PLAN]", help="A plan; else all under way.")] = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Stop reassignments and go back to the replicas before them. Their throttle goes too."""
    from riverlog.cli.cluster_client import look, ongoing, reassign
    from riverlog.cli.throttles import remove_throttles

    with connect(bootstrap, timeout) as client:
        running = ongoing(client)
        chosen = [key for key in (read_plan(plan) if plan is not None else running) if key in running]
        if chosen:
            reassign(client, dict.fromkeys(chosen))
            remove_throttles(client, {topic for topic, _ in chosen}, look(client).brokers.keys())
    if as_json:
        print_json({"cancelled": len(chosen)})
    else:
        print(f"cancelled {counted(len(chosen), 'reassignment')}" if chosen else "nothing to cancel")


# -- plans ---------------------------------------------------------------------------------------


def plan_json(moves: Mapping[TopicPartition, list[int]]) -> dict[str, Any]:
    """As ``kafka-reassign-partitions`` reads and writes it."""
    return {
        "version": _PLAN_VERSION,
        "partitions": [
            {"topic": topic, "partition": index, "replicas": replicas}
            for (topic, index), replicas in moves.items()
        ],
    }


def read_plan(path: Path) -> dict[TopicPartition, list[int]]:
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text("utf-8")
        rows = json.loads(text)["partitions"]
        moves = {
            (str(row["topic"]), int(row["partition"])): [int(i) for i in row["replicas"]] for row in rows
        }
    except OSError as problem:
        raise UserError(f"{path}: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise UserError(
            f"{path} is not a plan: expected "
            '{"version": 1, "partitions": [{"topic": …, "partition": …, "replicas": […]}]}'
        ) from None
    if len(moves) != len(rows):
        raise UserError(f"{path}: a partition is named twice")
    if not moves:
        raise UserError(f"{path} moves nothing")
    return moves


def _ids(replicas: list[int]) -> str:
    return ",".join(str(replica) for replica in replicas)
