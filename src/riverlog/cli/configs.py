"""``riverlog config`` and ``riverlog api-versions``: settings, and what the broker serves."""

from __future__ import annotations

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
from riverlog.cli.output import print_json, print_table
from riverlog.cli.shell import examples, guarded

if TYPE_CHECKING:
    from riverlog.runtime.client_io import BlockingClient

_TOPIC, _BROKER = 2, 4
_SET, _DELETE = 0, 1
_SOURCES = {1: "topic", 2: "broker", 3: "cluster", 4: "file", 5: "default"}

app = typer.Typer(
    name="config",
    help="Settings of topics, of a broker, or of the whole cluster.",
    no_args_is_help=True,
    epilog=examples(
        "riverlog config get --topic orders",
        "riverlog config set --topic orders retention.ms=86400000",
        "riverlog config set --cluster log.retention.ms=86400000",
    ),
)

Topic = Annotated[str | None, typer.Option(help="Settings of this topic.")]
BrokerId = Annotated[int | None, typer.Option("--broker", help="Settings of this broker.")]
Cluster = Annotated[bool, typer.Option("--cluster", help="Defaults of all brokers.")]


def _resource(topic: str | None, broker: int | None, cluster: bool) -> tuple[int, str]:
    if sum((topic is not None, broker is not None, cluster)) != 1:
        raise BadOption("say whose with exactly one of --topic, --broker and --cluster")
    if topic is not None:
        return _TOPIC, topic
    return _BROKER, "" if cluster else str(broker)


@app.command(
    epilog=examples("riverlog config get --topic orders", "riverlog config get --broker 1 --all --json")
)
@guarded
def get(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Only these.")] = None,
    topic: Topic = None,
    broker: BrokerId = None,
    cluster: Cluster = False,
    everything: Annotated[bool, typer.Option("--all", help="Defaults too.")] = False,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Show settings and where they come from."""
    from riverlog.client.errors import describe_error
    from riverlog.protocol.apis import ApiKey
    from riverlog.protocol.generated.describe_configs_request import (
        DescribeConfigsRequest,
        DescribeConfigsResource,
    )

    kind, name = _resource(topic, broker, cluster)
    wanted = DescribeConfigsResource(resource_type=kind, resource_name=name, configuration_keys=names or None)
    with connect(bootstrap, timeout) as client:
        answer = client.call(
            ApiKey.DESCRIBE_CONFIGS,
            DescribeConfigsRequest(resources=[wanted]),
            node_id=_node(client, kind, name),
        ).results[0]
    if answer.error_code:
        raise UserError(describe_error(answer.error_code, answer.error_message))
    shown = [line for line in answer.configs if everything or names or line.config_source != 5]
    rows = [
        {
            "name": line.name,
            "value": "(hidden)" if line.is_sensitive else line.value,
            "source": _SOURCES.get(line.config_source, "other"),
        }
        for line in sorted(shown, key=lambda line: line.name)
    ]
    if as_json:
        print_json(rows)
        return
    print_table(["name", "value", "source"], [[r["name"], r["value"] or "", r["source"]] for r in rows])


@app.command(
    name="set",
    epilog=examples(
        "riverlog config set --topic orders retention.ms=86400000",
        "riverlog config set --cluster --unset log.retention.ms",
    ),
)
@guarded
def set_(
    settings: Annotated[list[str] | None, typer.Argument(metavar="[NAME=VALUE]...", help="To set.")] = None,
    unset: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Back to the default.")] = None,
    topic: Topic = None,
    broker: BrokerId = None,
    cluster: Cluster = False,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
) -> None:
    """Change settings while the broker runs."""
    from riverlog.client.errors import describe_error
    from riverlog.protocol.apis import ApiKey
    from riverlog.protocol.generated.incremental_alter_configs_request import (
        AlterableConfig,
        AlterConfigsResource,
        IncrementalAlterConfigsRequest,
    )

    kind, name = _resource(topic, broker, cluster)
    changes = [
        AlterableConfig(name=key, config_operation=_SET, value=value)
        for key, value in key_values("NAME=VALUE", settings).items()
    ]
    changes += [AlterableConfig(name=key, config_operation=_DELETE, value=None) for key in unset or ()]
    if not changes:
        raise BadOption("nothing to change: give NAME=VALUE or --unset NAME")
    resource = AlterConfigsResource(resource_type=kind, resource_name=name, configs=changes)
    with connect(bootstrap, timeout) as client:
        request = IncrementalAlterConfigsRequest(resources=[resource])
        answer = client.call(
            ApiKey.INCREMENTAL_ALTER_CONFIGS, request, node_id=_node(client, kind, name)
        ).responses[0]
    if answer.error_code:
        raise UserError(describe_error(answer.error_code, answer.error_message))
    print(f"changed {len(changes)} of {'topic ' + name if kind == _TOPIC else name or 'the cluster'}")


def _node(client: BlockingClient, kind: int, name: str) -> int | None:
    """A broker's own settings are known to that broker."""
    if kind != _BROKER or not name:
        return None
    client.refresh([])
    if int(name) not in client.view.brokers:
        raise UserError(f"there is no broker {name}, only {', '.join(map(str, sorted(client.view.brokers)))}")
    return int(name)


EPILOG = examples("riverlog api-versions", "riverlog api-versions --json")


def api_versions(
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Show which APIs and features the broker serves."""
    from riverlog.protocol.apis import ApiKey, known
    from riverlog.protocol.generated.api_versions_request import ApiVersionsRequest

    with connect(bootstrap, timeout) as client:
        request = ApiVersionsRequest(client_software_name="riverlog-cli", client_software_version="1")
        answer = client.call(ApiKey.API_VERSIONS, request)
    names = {int(one.key): one.name for one in known()}
    rows: list[dict[str, Any]] = [
        {
            "key": row.api_key,
            "api": names.get(row.api_key, "?"),
            "from": row.min_version,
            "to": row.max_version,
        }
        for row in answer.api_keys
    ]
    features = {feature.name: feature.max_version_level for feature in answer.finalized_features}
    if as_json:
        print_json({"apis": rows, "features": features})
        return
    cells = [[str(r["key"]), r["api"], f"{r['from']}-{r['to']}"] for r in rows]
    print_table(["key", "api", "versions"], cells, right=frozenset({"key"}))
    for name, level in sorted(features.items()):
        print(f"feature {name}: {level}")
