"""``riverlog cluster``: several nodes on this machine, in the foreground; and how a cluster is."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
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
    key_values,
)
from riverlog.cli.output import counted, print_json, print_table
from riverlog.cli.shell import examples, guarded, tell

if TYPE_CHECKING:
    from riverlog.cli.cluster_client import Cluster
    from riverlog.runtime.local_cluster import ClusterPlan, NodeProcess

app = typer.Typer(
    name="cluster",
    help="Run several nodes on this machine, and see how a cluster is.",
    no_args_is_help=True,
    epilog=examples(
        "riverlog cluster start --nodes 3",
        "riverlog cluster status",
        "riverlog cluster stop",
    ),
)

DataDir = Annotated[
    Path | None, typer.Option(help="Folder for all nodes.", show_default="~/.riverlog/cluster")
]
STOP_SECONDS_MAX = 60.0
_LOOK_SECONDS = 0.2
_STATE_FILE = "cluster.json"
_PORT_MAX = 65_535


def _folder(data_dir: Path | None) -> Path:
    return (data_dir or Path.home() / ".riverlog" / "cluster").absolute()


@app.command(
    epilog=examples(
        "riverlog cluster start",
        "riverlog cluster start --nodes 5 --base-port 19092 --data-dir ./cluster",
        "riverlog cluster start --base-port 0 --set log.retention.hours=1",
    )
)
@guarded
def start(
    nodes: Annotated[int, typer.Option(min=1, max=32, help="How many; each is broker and controller.")] = 3,
    base_port: Annotated[
        int,
        typer.Option(
            min=0,
            max=_PORT_MAX,
            help="Brokers listen here and on the next ones, controllers 100 and metrics 200 above; "
            "0 takes free ones.",
        ),
    ] = 9092,
    data_dir: DataDir = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting of every node. Repeatable."),
    ] = None,
) -> None:
    """Run a cluster in the foreground. It prints its addresses when every node can serve.

    A node that dies is reported and stays down; the others go on.
    """
    from riverlog.base.config import ConfigError
    from riverlog.metadata.errors import MetadataError
    from riverlog.runtime.folder_lock import FolderLocked
    from riverlog.runtime.local_cluster import METRICS_PORT_STEP, ClusterPlan

    if base_port + METRICS_PORT_STEP + nodes > _PORT_MAX:
        raise BadOption(f"--base-port: {base_port} is too high, ports go to {_PORT_MAX}")
    folder = _folder(data_dir)
    _check_count(folder, nodes)
    plan = ClusterPlan(nodes, folder, base_port=base_port, settings=key_values("--set", settings))
    try:
        plan.write()
    except (ConfigError, MetadataError, FolderLocked) as problem:
        raise UserError(str(problem)) from None
    except OSError as problem:
        raise UserError(f"{problem.filename or folder}: {problem.strerror}") from None
    code = _Foreground(plan).run()
    if code:
        raise typer.Exit(code)


def _check_count(folder: Path, nodes: int) -> None:
    """The folders of a cluster were formatted for all of its controllers."""
    there = len(list(folder.glob("node-*/data/meta.properties")))
    if there and there != nodes:
        raise UserError(
            f"{folder} holds a cluster of {there} nodes: use --nodes {there} or another --data-dir"
        )


class _Foreground:
    """The nodes of one ``cluster start``, until a signal or the last of them ends."""

    def __init__(self, plan: ClusterPlan) -> None:
        self._plan = plan
        self._signals = 0
        self._processes: dict[int, NodeProcess] = {}

    def run(self) -> int:
        from riverlog.runtime.local_cluster import NodeFailed, NodeProcess, stop_all, wait_until_ready

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)
        state = self._plan.folder / _STATE_FILE
        try:
            for node_id, node in self._plan.nodes.items():
                self._processes[node_id] = NodeProcess(node)
            state.write_text(json.dumps({"pid": os.getpid(), "bootstrap": self._plan.bootstrap}))
            while not self._signals:
                try:
                    wait_until_ready(self._processes.values(), _LOOK_SECONDS)
                    break
                except TimeoutError:
                    continue
            if not self._signals:
                self._say_ready()
            self._watch()
        except NodeFailed as problem:
            print(f"riverlog: {problem}", file=sys.stderr, flush=True)
            self._signals += 1
            return 1
        finally:
            stuck = stop_all(self._processes.values(), STOP_SECONDS_MAX)
            state.unlink(missing_ok=True)
            for process in stuck:
                tell(
                    f"node {process.plan.node_id} did not stop within {STOP_SECONDS_MAX:.0f} s and was killed"
                )
        return 1 if stuck or any(process.exit_code for process in self._processes.values()) else 0

    def _on_signal(self, _number: int, _frame: object) -> None:
        self._signals += 1
        if self._signals > 1:
            for process in self._processes.values():
                process.signal(signal.SIGTERM)

    def _say_ready(self) -> None:
        plan = self._plan
        print(
            f"riverlog cluster ready: {counted(len(plan.nodes), 'node')}, bootstrap {plan.bootstrap}, "
            f"data {plan.folder}",
            flush=True,
        )

    def _watch(self) -> None:
        """Report nodes that die, until a signal comes or all are gone."""
        gone: set[int] = set()
        while not self._signals and len(gone) < len(self._processes):
            for node_id, process in self._processes.items():
                code = process.exit_code
                if code is not None and node_id not in gone:
                    gone.add(node_id)
                    tell(
                        f"node {node_id} ended with {code}, see {process.plan.log_file}; "
                        f"to start it again: riverlog start --config {process.plan.config_file}"
                    )
            time.sleep(_LOOK_SECONDS)


@app.command(epilog=examples("riverlog cluster status", "riverlog cluster status -b localhost:19092 --json"))
@guarded
def status(
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Show every node, the metadata quorum, and partitions that lack a leader or replicas."""
    from riverlog.cli.cluster_client import look

    with connect(bootstrap, timeout) as client:
        cluster = look(client)
    rows = _rows(cluster)
    if as_json:
        print_json(
            {
                "cluster_id": cluster.cluster_id,
                "controller": cluster.controller_id,
                "epoch": cluster.epoch,
                "nodes": rows,
                "partitions": len(cluster.replicas),
                "leaderless": [list(key) for key in cluster.leaderless],
                "under_replicated": [list(key) for key in cluster.under_replicated],
            }
        )
        return
    names = ["node", "address", "rack", "state", "quorum", "leads", "replicas", "not in sync"]
    cells = [["" if row[name] is None else str(row[name]) for name in names] for row in rows]
    print_table(names, cells, right=frozenset({"node", "leads", "replicas", "not in sync"}))
    print(f"cluster {cluster.cluster_id}, controller {cluster.controller_id} in epoch {cluster.epoch}")
    print(
        f"{counted(len(cluster.replicas), 'partition')}: {len(cluster.leaderless)} without a leader, "
        f"{len(cluster.under_replicated)} under-replicated"
    )


def _rows(cluster: Cluster) -> list[dict[str, Any]]:
    from riverlog.cli.brokers import quorum_role

    rows: list[dict[str, Any]] = [
        {
            "node": row.broker_id,
            "address": row.address,
            "rack": row.rack,
            "state": "fenced" if row.fenced else "up",
            "quorum": quorum_role(cluster, row.broker_id),
            "leads": row.leads,
            "replicas": row.replicas,
            "not in sync": row.behind,
        }
        for row in cluster.brokers.values()
    ]
    # Controllers that are no brokers.
    for node_id in sorted({*cluster.voters} - set(cluster.brokers)):
        blank = dict.fromkeys(("address", "rack", "leads", "replicas", "not in sync"))
        role = quorum_role(cluster, node_id)
        rows.append({"node": node_id, **blank, "state": "controller", "quorum": role})
    return rows


@app.command(epilog=examples("riverlog cluster stop", "riverlog cluster stop --data-dir ./cluster"))
@guarded
def stop(data_dir: DataDir = None) -> None:
    """Stop the cluster that riverlog cluster start runs on this folder."""
    state = _folder(data_dir) / _STATE_FILE
    try:
        pid = int(json.loads(state.read_text())["pid"])
        os.kill(pid, signal.SIGTERM)
    except (OSError, ValueError, KeyError):
        raise UserError(f"no cluster runs on {state.parent}") from None
    deadline = time.monotonic() + STOP_SECONDS_MAX + 5
    while _is_alive(pid) and state.exists():
        if time.monotonic() > deadline:
            raise UserError(f"the cluster (process {pid}) did not stop in time")
        time.sleep(0.05)
    print("stopped")


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
