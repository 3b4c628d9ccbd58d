"""``riverlog topic``: create, list, describe, alter, delete."""

from __future__ import annotations

import base64
import time
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
from riverlog.cli.output import console, counted, print_json, print_table
from riverlog.cli.shell import examples, guarded

if TYPE_CHECKING:
    from riverlog.client.cluster import TopicView
    from riverlog.runtime.client_io import BlockingClient

_TOPIC_RESOURCE = 2
_TOPIC_SOURCE = 1
_SET, _DELETE = 0, 1
_VISIBLE_SECONDS = 5.0
_POLL_SECONDS = 0.02

app = typer.Typer(
    name="topic",
    help="Create, list, describe, alter and delete topics.",
    no_args_is_help=True,
    epilog=examples(
        "riverlog topic create orders --partitions 3 --config retention.ms=86400000",
        "riverlog topic describe orders",
    ),
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Topic.")]
Names = Annotated[list[str], typer.Argument(metavar="NAME...", help="Topics.")]


@app.command(
    epilog=examples(
        "riverlog topic create orders --partitions 3",
        "riverlog topic create metrics --config ack.after.fsync=false --config retention.ms=3600000",
    )
)
@guarded
def create(
    name: Name,
    partitions: Annotated[
        int | None, typer.Option(min=1, help="How many; else the broker's default.")
    ] = None,
    replication_factor: Annotated[
        int | None, typer.Option(min=1, help="Replicas of each; else the broker's default.")
    ] = None,
    config: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="A topic setting. Repeatable.")
    ] = None,
    if_not_exists: Annotated[bool, typer.Option("--if-not-exists", help="Fine if it is there.")] = False,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Create a topic."""
    from riverlog.base.errors import ErrorCode
    from riverlog.client.errors import describe_error
    from riverlog.protocol.apis import ApiKey
    from riverlog.protocol.generated.create_topics_request import (
        CreatableTopic,
        CreatableTopicConfig,
        CreateTopicsRequest,
    )

    settings = key_values("--config", config)
    wanted = CreatableTopic(
        name=name,
        num_partitions=partitions or -1,
        replication_factor=replication_factor or -1,
        configs=[CreatableTopicConfig(name=key, value=value) for key, value in settings.items()],
    )
    with connect(bootstrap, timeout) as client:
        request = CreateTopicsRequest(topics=[wanted], timeout_ms=int(timeout * 1000))
        (row,) = client.call(ApiKey.CREATE_TOPICS, request).topics
        exists = row.error_code == ErrorCode.TOPIC_ALREADY_EXISTS
        if row.error_code and not (exists and if_not_exists):
            raise UserError(
                f"cannot create topic {name!r}: {describe_error(row.error_code, row.error_message)}"
            )
        topic = _wait_until_visible(client, name)
    count, replicas = len(topic.partitions), len(topic.partitions[0].replicas)
    if as_json:
        print_json(
            {
                "name": name,
                "topic_id": _uuid(topic.topic_id),
                "partitions": count,
                "replication_factor": replicas,
            }
            | {"created": not exists}
        )
        return
    verb = "topic exists already" if exists else "created topic"
    print(f"{verb}: {name}, {counted(count, 'partition')}, replication factor {replicas}")


def _wait_until_visible(client: BlockingClient, name: str) -> TopicView:
    """A broker may learn of a new topic a moment after the controller said it is there."""
    from riverlog.client.errors import BrokerRefused

    deadline = time.monotonic() + _VISIBLE_SECONDS
    while True:
        late = time.monotonic() > deadline
        try:
            topic = client.topic(name)
            if late or all(client.view.leader(name, part.index) >= 0 for part in topic.partitions):
                return topic
        except BrokerRefused:
            if late:
                raise
        time.sleep(_POLL_SECONDS)


@app.command(name="list", epilog=examples("riverlog topic list", "riverlog topic list --json"))
@guarded
def list_topics(
    internal: Annotated[bool, typer.Option("--internal", help="Show internal topics too.")] = False,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """List topics, one name per line."""
    with connect(bootstrap, timeout) as client:
        view = client.refresh(None)
    topics = [
        view.topics[name] for name in sorted(view.topics) if internal or not view.topics[name].is_internal
    ]
    if as_json:
        print_json(
            [
                {
                    "name": topic.name,
                    "topic_id": _uuid(topic.topic_id),
                    "partitions": len(topic.partitions),
                    "replication_factor": len(topic.partitions[0].replicas) if topic.partitions else 0,
                    "internal": topic.is_internal,
                }
                for topic in topics
            ]
        )
        return
    for topic in topics:
        print(topic.name)


@app.command(epilog=examples("riverlog topic describe orders", "riverlog topic describe orders --json"))
@guarded
def describe(
    names: Names,
    all_configs: Annotated[bool, typer.Option("--all-configs", help="Show defaults too.")] = False,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Show partitions, leaders, offsets and settings."""
    with connect(bootstrap, timeout) as client:
        described = [_described(client, name, all_configs) for name in names]
    if as_json:
        print_json(described)
        return
    for topic in described:
        _print_topic(topic)


def _described(client: BlockingClient, name: str, all_configs: bool) -> dict[str, Any]:
    from riverlog.client.offsets import EARLIEST, LATEST

    topic = client.topic(name)
    with_leader = [part for part in topic.partitions if client.view.leader(name, part.index) >= 0]
    keys = [(name, part.index) for part in with_leader]
    earliest = client.offsets(dict.fromkeys(keys, EARLIEST))
    latest = client.offsets(dict.fromkeys(keys, LATEST))
    partitions = []
    for part in topic.partitions:
        key = (name, part.index)
        partitions.append(
            {
                "partition": part.index,
                "leader": part.leader_id if key in latest else None,
                "leader_epoch": part.leader_epoch,
                "replicas": part.replicas,
                "isr": part.isr,
                "offline": part.offline,
                "earliest": earliest[key].offset if key in earliest else None,
                "latest": latest[key].offset if key in latest else None,
            }
        )
    return {
        "name": name,
        "topic_id": _uuid(topic.topic_id),
        "internal": topic.is_internal,
        "partitions": partitions,
        "configs": _configs(client, name, all_configs),
    }


def _configs(client: BlockingClient, name: str, all_configs: bool) -> dict[str, str | None]:
    from riverlog.client.errors import describe_error
    from riverlog.protocol.apis import ApiKey
    from riverlog.protocol.generated.describe_configs_request import (
        DescribeConfigsRequest,
        DescribeConfigsResource,
    )

    resource = DescribeConfigsResource(
        resource_type=_TOPIC_RESOURCE, resource_name=name, configuration_keys=None
    )
    (result,) = client.call(ApiKey.DESCRIBE_CONFIGS, DescribeConfigsRequest(resources=[resource])).results
    if result.error_code:
        raise UserError(
            f"settings of topic {name!r}: {describe_error(result.error_code, result.error_message)}"
        )
    rows = sorted(result.configs, key=lambda row: row.name)
    return {row.name: row.value for row in rows if all_configs or row.config_source == _TOPIC_SOURCE}


def _print_topic(topic: dict[str, Any]) -> None:
    partitions = topic["partitions"]
    line = f"topic {topic['name']}, id {topic['topic_id']}, {counted(len(partitions), 'partition')}"
    console().print(line, markup=False, style="bold", soft_wrap=True)
    print_table(
        ["partition", "leader", "replicas", "isr", "earliest", "latest"],
        [
            [
                str(part["partition"]),
                "none" if part["leader"] is None else str(part["leader"]),
                ",".join(map(str, part["replicas"])),
                ",".join(map(str, part["isr"])),
                "?" if part["earliest"] is None else str(part["earliest"]),
                "?" if part["latest"] is None else str(part["latest"]),
            ]
            for part in partitions
        ],
        right=frozenset({"partition", "leader", "earliest", "latest"}),
    )
    if topic["configs"]:
        rows = [[key, value if value is not None else "(hidden)"] for key, value in topic["configs"].items()]
        print_table(["setting", "value"], rows)


@app.command(
    epilog=examples(
        "riverlog topic alter orders --partitions 6",
        "riverlog topic alter orders --set retention.ms=3600000 --unset cleanup.policy",
    )
)
@guarded
def alter(
    name: Name,
    partitions: Annotated[int | None, typer.Option(min=1, help="New number, larger than now.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Set this. Repeatable.")
    ] = None,
    unset: Annotated[
        list[str] | None, typer.Option(metavar="KEY", help="Back to the default. Repeatable.")
    ] = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
) -> None:
    """Add partitions or change settings."""
    changes = key_values("--set", settings)
    if partitions is None and not changes and not unset:
        raise BadOption("nothing to change: give --partitions, --set or --unset")
    both = set(changes) & set(unset or ())
    if both:
        raise BadOption(f"both --set and --unset {min(both)}")
    with connect(bootstrap, timeout) as client:
        client.topic(name)
        if changes or unset:
            _alter_configs(client, name, changes, unset or [])
        if partitions is not None:
            _add_partitions(client, name, partitions, timeout)
    print(f"altered topic: {name}")


def _alter_configs(client: BlockingClient, name: str, changes: dict[str, str], unset: list[str]) -> None:
    from riverlog.client.errors import describe_error
    from riverlog.protocol.apis import ApiKey
    from riverlog.protocol.generated.incremental_alter_configs_request import (
        AlterableConfig,
        AlterConfigsResource,
        IncrementalAlterConfigsRequest,
    )

    rows = [AlterableConfig(name=key, config_operation=_SET, value=value) for key, value in changes.items()]
    rows += [AlterableConfig(name=key, config_operation=_DELETE, value=None) for key in unset]
    resource = AlterConfigsResource(resource_type=_TOPIC_RESOURCE, resource_name=name, configs=rows)
    request = IncrementalAlterConfigsRequest(resources=[resource])
    (row,) = client.call(ApiKey.INCREMENTAL_ALTER_CONFIGS, request).responses
    if row.error_code:
        raise UserError(f"cannot alter topic {name!r}: {describe_error(row.error_code, row.error_message)}")


def _add_partitions(client: BlockingClient, name: str, count: int, timeout: float) -> None:
    from riverlog.client.errors import describe_error
    from riverlog.protocol.apis import ApiKey
    from riverlog.protocol.generated.create_partitions_request import (
        CreatePartitionsRequest,
        CreatePartitionsTopic,
    )

    wanted = CreatePartitionsTopic(name=name, count=count, assignments=None)
    request = CreatePartitionsRequest(topics=[wanted], timeout_ms=int(timeout * 1000))
    (row,) = client.call(ApiKey.CREATE_PARTITIONS, request).results
    if row.error_code:
        raise UserError(
            f"cannot add partitions to {name!r}: {describe_error(row.error_code, row.error_message)}"
        )


@app.command(epilog=examples("riverlog topic delete orders", "riverlog topic delete a b c"))
@guarded
def delete(
    names: Names,
    if_exists: Annotated[bool, typer.Option("--if-exists", help="Fine if it is not there.")] = False,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
) -> None:
    """Delete topics and all their data."""
    from riverlog.base.errors import ErrorCode
    from riverlog.client.errors import describe_error
    from riverlog.protocol.apis import ApiKey
    from riverlog.protocol.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState

    with connect(bootstrap, timeout) as client:
        states = [DeleteTopicState(name=name) for name in dict.fromkeys(names)]
        request = DeleteTopicsRequest(topics=states, timeout_ms=int(timeout * 1000))
        results = client.call(ApiKey.DELETE_TOPICS, request).responses
    problems = []
    for row in results:
        missing = row.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        if row.error_code == 0:
            print(f"deleted topic: {row.name}")
        elif missing and not if_exists:
            problems.append(f"topic {row.name!r} does not exist")
        elif not missing:
            reason = describe_error(row.error_code, row.error_message)
            problems.append(f"cannot delete topic {row.name!r}: {reason}")
    if problems:
        raise UserError("; ".join(problems))


def _uuid(raw: bytes) -> str:
    """As Kafka writes ids: base64 for URLs, without padding."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
