"""``riverlog storage``: format the folders of a node before its first start, and look at them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from riverlog.cli.errors import BadOption, UserError
from riverlog.cli.options import AsJson
from riverlog.cli.output import counted, print_json, print_table
from riverlog.cli.shell import examples, guarded

if TYPE_CHECKING:
    from riverlog.base.config import BrokerConfig
    from riverlog.metadata.recovering import Survivor
    from riverlog.raft.voter_set import VoterNode, VoterSet

app = typer.Typer(
    name="storage",
    help="Format a node's folders before its first start, and look at them. "
    "A single node, and riverlog cluster start, need none of this.",
    no_args_is_help=True,
    epilog=examples(
        "riverlog storage prepare --config node-1.properties",
        "riverlog storage format --config node-1.properties --initial-controllers "
        "1@host-1:9093:DIRECTORY,2@host-2:9093:DIRECTORY,3@host-3:9093:DIRECTORY",
        "riverlog storage info --config node-1.properties",
    ),
)

Config = Annotated[
    Path | None, typer.Option("--config", "-c", help="The node's server.properties.", show_default=False)
]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A broker setting. Repeatable.")
]

_CONTROLLER = re.compile(r"([0-9]+)@(?:\[([^\]]+)\]|([^:@\[\]]+)):([0-9]{1,5}):(\S+)", re.ASCII)


def _node_config(file: Path | None, settings: list[str] | None) -> BrokerConfig:
    from riverlog.base.config import BrokerConfig, ConfigError
    from riverlog.cli.start import static_settings

    if file is None and not any(text.startswith(("log.dir=", "log.dirs=")) for text in settings or ()):
        raise BadOption("say which node with --config FILE (or --set log.dirs=FOLDER)")
    try:
        return BrokerConfig(static_settings(None, None, None, file, settings or ()))
    except ConfigError as problem:
        raise UserError(str(problem)) from None


@app.command(
    name="format",
    epilog=examples(
        "riverlog storage format --config node-1.properties --standalone",
        "riverlog storage format --config node-1.properties --cluster-id MkU3OEVBNTcwNTJENDM2Qg "
        "--initial-controllers 1@host-1:9093:DIRECTORY,2@host-2:9093:DIRECTORY,3@host-3:9093:DIRECTORY",
        "riverlog storage format --config broker-4.properties --cluster-id MkU3OEVBNTcwNTJENDM2Qg "
        "--no-initial-controllers",
    ),
)
@guarded
def format_(
    config: Config = None,
    cluster_id: Annotated[
        str | None,
        typer.Option("--cluster-id", "-t", help="Else it follows from the controllers.", show_default=False),
    ] = None,
    standalone: Annotated[
        bool, typer.Option("--standalone", "-s", help="This node is the only controller so far.")
    ] = False,
    initial_controllers: Annotated[
        str | None,
        typer.Option(
            "--initial-controllers",
            "-I",
            metavar="ID@HOST:PORT:DIRECTORY,...",
            help="All controllers of the new cluster, as riverlog storage prepare prints them; "
            "the same list on every node.",
        ),
    ] = None,
    no_initial_controllers: Annotated[
        bool,
        typer.Option("--no-initial-controllers", "-N", help="Joins a cluster that exists or is formed."),
    ] = False,
    ignore_formatted: Annotated[
        bool, typer.Option("--ignore-formatted", "-g", help="Fine if the folders are formatted.")
    ] = False,
    settings: Settings = None,
) -> None:
    """Give a node's folders their cluster id, and a controller's its first list of voters."""
    from riverlog.runtime.formatting import format_node

    node = _node_config(config, settings)
    if sum([standalone, initial_controllers is not None, no_initial_controllers]) > 1:
        raise BadOption("only one of --standalone, --initial-controllers and --no-initial-controllers")
    _check_cluster_id(cluster_id)
    already = _cluster_ids(node)
    if ignore_formatted and already:
        if cluster_id is not None and already != {cluster_id}:
            raise UserError(f"formatted for cluster {', '.join(sorted(already))}, not {cluster_id}")
        print(f"formatted already, cluster {', '.join(sorted(already))}")
        return
    with _told():
        voters = _voters(node, standalone, initial_controllers, no_initial_controllers, cluster_id)
        told = format_node(node, voters, cluster_id=cluster_id)
    folders = ", ".join(row["folder"] for row in _rows(node))
    print(f"formatted {folders}, cluster {told}")


def _voters(
    node: BrokerConfig,
    standalone: bool,
    initial_controllers: str | None,
    no_initial_controllers: bool,
    cluster_id: str | None,
) -> VoterSet:
    from riverlog.base import broker_configs
    from riverlog.raft.voter_set import VoterSet
    from riverlog.runtime.formatting import prepare_node

    is_controller = "controller" in node[broker_configs.PROCESS_ROLES]
    if standalone:
        if not is_controller:
            raise BadOption("--standalone is for a controller, which this node is not (process.roles)")
        return VoterSet.of([_reachable(prepare_node(node))])
    if initial_controllers is not None:
        return VoterSet.of(parse_controllers(initial_controllers, node))
    if is_controller and not no_initial_controllers:
        raise BadOption(
            "a controller needs one of --standalone, --initial-controllers and --no-initial-controllers "
            "(riverlog storage prepare prints what the list needs)"
        )
    if cluster_id is None:
        raise BadOption("--cluster-id: say which cluster this node joins")
    return VoterSet.of([])


def parse_controllers(text: str, node: BrokerConfig) -> list[VoterNode]:
    """``id@host:port:directory`` by comma, as in Kafka."""
    from riverlog.base import broker_configs
    from riverlog.raft.voter_set import VoterEndpoint, VoterNode
    from riverlog.runtime.listeners import adopt_controller_listener
    from riverlog.storage.files import decode_uuid

    adopt_controller_listener(node)
    names = node[broker_configs.CONTROLLER_LISTENER_NAMES] or ("CONTROLLER",)
    found: dict[int, VoterNode] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        match = _CONTROLLER.fullmatch(part)
        if match is None or int(match[4]) > 65_535:
            raise BadOption(f"--initial-controllers: {part!r} is not ID@HOST:PORT:DIRECTORY")
        try:
            directory_id = decode_uuid(match[5])
        except ValueError:
            raise BadOption(f"--initial-controllers: {match[5]!r} is not a directory id") from None
        if int(match[1]) in found:
            raise BadOption(f"--initial-controllers: node {match[1]} is named twice")
        endpoint = VoterEndpoint(names[0].upper(), match[2] or match[3], int(match[4]))
        found[int(match[1])] = VoterNode(int(match[1]), directory_id, (endpoint,))
    if not found:
        raise BadOption("--initial-controllers: names nobody")
    return list(found.values())


@app.command(epilog=examples("riverlog storage prepare --config node-1.properties"))
@guarded
def prepare(config: Config = None, settings: Settings = None) -> None:
    """Draw a controller's directory id, and print its part of --initial-controllers."""
    from riverlog.runtime.formatting import prepare_node
    from riverlog.storage.files import encode_uuid

    node = _node_config(config, settings)
    with _told():
        voter = _reachable(prepare_node(node))
    endpoint = voter.endpoints[0]
    host = f"[{endpoint.host}]" if ":" in endpoint.host else endpoint.host
    print(f"{voter.node_id}@{host}:{endpoint.port}:{encode_uuid(voter.directory_id)}")


def _reachable(voter: VoterNode) -> VoterNode:
    if not voter.endpoints:
        raise UserError(
            "this node has no controller listener: add CONTROLLER://HOST:PORT to listeners and set "
            "controller.listener.names=CONTROLLER"
        )
    endpoint = voter.endpoints[0]
    if not endpoint.host or not endpoint.port:
        raise UserError(
            "the controller listener needs a host and a port that the other nodes can reach: set both in "
            "listeners, or in advertised.listeners"
        )
    return voter


@app.command(epilog=examples("riverlog storage info --config node-1.properties"))
@guarded
def info(config: Config = None, settings: Settings = None, as_json: AsJson = False) -> None:
    """Show whose folders these are. Fails if they are not formatted, or do not belong together."""
    node = _node_config(config, settings)
    rows = _rows(node)
    problems = [f"{row['folder']} {row['problem']}" for row in rows if row["problem"]]
    for key, what in (("cluster", "clusters"), ("node", "nodes")):
        if len({row[key] for row in rows if row[key] is not None}) > 1:
            problems.append(f"the folders belong to different {what}")
    if as_json:
        print_json({"folders": rows, "problems": problems})
    else:
        names = ["folder", "node", "cluster", "directory", "problem"]
        print_table(names, [["" if row[name] is None else str(row[name]) for name in names] for row in rows])
    if problems:
        raise UserError("; ".join(problems))


@app.command(epilog=examples("riverlog storage recover --config node-3.properties --confirm CLUSTER"))
@guarded
def recover(
    config: Config = None,
    confirm: Annotated[
        str | None,
        typer.Option(metavar="CLUSTER", help="The cluster's id: do it. Without it nothing is changed."),
    ] = None,
    settings: Settings = None,
) -> None:
    """For a quorum that has lost most of its voters for good: make this one its only voter.

    Metadata that only the lost voters had is lost. Run it on the voter that was up last, stopped.
    """
    from riverlog.runtime.formatting import recover_node

    node = _node_config(config, settings)

    def confirmed(survivor: Survivor) -> bool:
        print(recovery_text(survivor))
        if confirm is None:
            raise UserError(f"nothing was changed. To do it, add --confirm {survivor.cluster_id}")
        if confirm != survivor.cluster_id:
            raise UserError(f"nothing was changed: this is cluster {survivor.cluster_id}, not {confirm}")
        return True

    with _told():
        done = recover_node(node, confirmed=confirmed)
    assert done is not None
    print(f"\nnode {done.node_id} is the only voter of cluster {done.cluster_id} now: start it")


def recovery_text(survivor: Survivor) -> str:
    """What it does, and what may be lost by it."""
    lost = ", ".join(map(str, survivor.lost_voters))
    partitions = counted(survivor.partitions, "partition")
    newest = "no record"
    if survivor.last_timestamp > 0:
        moment = datetime.fromtimestamp(survivor.last_timestamp / 1000, UTC)
        newest = f"written {moment:%Y-%m-%d %H:%M:%S} UTC"
    return f"""\
WARNING: THIS MAKES NODE {survivor.node_id} THE ONLY VOTER OF CLUSTER {survivor.cluster_id}.
It is for a quorum that has lost most of its voters for good. The voters {lost} are forgotten.
- This node's metadata ends at offset {survivor.end_offset}, epoch {survivor.epoch} ({newest}).
  Topics, settings and changes of replicas that were made after that without this node ARE LOST.
- Which replicas are in sync may have changed after that too: acknowledged records MAY BE LOST where a
  replica is made leader that had fallen behind.
- {survivor.in_sync_here} of {partitions} have an in-sync replica here, {survivor.only_lost} have them only
  on the nodes of the lost voters.
- If {lost} ever start again with their old folders, there are TWO CLUSTERS WITH ONE ID. Empty those folders
  first; then they join again by themselves.
- If another voter still has its folder, recover the one whose metadata ends last. Copy this folder first."""


@app.command(name="random-uuid", epilog=examples("riverlog storage random-uuid"))
@guarded
def random_uuid() -> None:
    """Print a new id for a cluster."""
    from riverlog.metadata.controller import random_uuid as draw
    from riverlog.runtime.folders import SystemRng
    from riverlog.storage.files import encode_uuid

    print(encode_uuid(draw(SystemRng())))


# -- folders -------------------------------------------------------------------------------------


@contextmanager
def _told() -> Iterator[None]:
    """What the folders or the disk say against it, as one line."""
    from riverlog.base.config import ConfigError
    from riverlog.env import StorageError
    from riverlog.metadata.errors import MetadataError
    from riverlog.runtime.folder_lock import FolderLocked

    try:
        yield
    except (FolderLocked, StorageError, ConfigError, MetadataError) as problem:
        raise UserError(str(problem)) from None
    except OSError as problem:
        raise UserError(f"{problem.filename}: {problem.strerror}") from None


def _check_cluster_id(text: str | None) -> None:
    if text is not None and not 1 <= len(text) <= 64:
        raise BadOption("--cluster-id: expected an id such as riverlog storage random-uuid prints")


def _cluster_ids(node: BrokerConfig) -> set[str]:
    return {row["cluster"] for row in _rows(node) if row["cluster"] is not None}


def _rows(node: BrokerConfig) -> list[dict[str, Any]]:
    """Each folder with what its ``meta.properties`` says."""
    from riverlog.env import StorageError
    from riverlog.runtime.disk import RealDisk
    from riverlog.runtime.folders import all_folders
    from riverlog.storage.files import MetaPropertiesError, read_meta_properties

    disk = RealDisk(lambda callback: callback())
    with _told():
        paths = all_folders(node)
    rows = []
    for path in paths:
        meta, problem = None, ""
        try:
            if not disk.is_folder(path):
                problem = "does not exist"
            else:
                meta = read_meta_properties(disk, path)
                problem = "" if meta is not None and meta.cluster_id else "is not formatted"
        except MetaPropertiesError as error:
            problem = str(error).removeprefix(path).strip()
        except StorageError as error:
            problem = str(error)
        rows.append(
            {
                "folder": path,
                "node": meta.node_id if meta else None,
                "cluster": meta.cluster_id if meta else None,
                "directory": meta.directory_id if meta else None,
                "problem": problem,
            }
        )
    return rows
