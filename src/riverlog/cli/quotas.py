"""``riverlog quota``: limits of users, clients and addresses."""

from __future__ import annotations

from typing import Annotated, Any

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

DEFAULT = "<default>"
_KINDS = {"user": "user", "client": "client-id", "ip": "ip"}

app = typer.Typer(
    name="quota",
    help="Limits of users, clients and addresses.",
    no_args_is_help=True,
    epilog=examples(
        "riverlog quota list",
        "riverlog quota set --client loader producer_byte_rate=1000000",
        f"riverlog quota set --client '{DEFAULT}' consumer_byte_rate=5000000",
    ),
)

User = Annotated[str | None, typer.Option(help=f"User, or {DEFAULT}.")]
Client = Annotated[str | None, typer.Option(help=f"Client id, or {DEFAULT}.")]
Ip = Annotated[str | None, typer.Option(help=f"Address, or {DEFAULT}.")]


@app.command(name="list", epilog=examples("riverlog quota list", "riverlog quota list --json"))
@guarded
def list_quotas(
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Show all limits."""
    from riverlog.client.errors import describe_error
    from riverlog.protocol.apis import ApiKey
    from riverlog.protocol.generated.describe_client_quotas_request import DescribeClientQuotasRequest

    with connect(bootstrap, timeout) as client:
        answer = client.call(ApiKey.DESCRIBE_CLIENT_QUOTAS, DescribeClientQuotasRequest())
    if answer.error_code:
        raise UserError(describe_error(answer.error_code, answer.error_message))
    rows: list[dict[str, Any]] = [
        {
            "entity": {part.entity_type: part.entity_name or DEFAULT for part in entry.entity},
            "limits": {value.key: value.value for value in entry.values},
        }
        for entry in answer.entries or ()
    ]
    if as_json:
        print_json(rows)
        return
    cells = [
        [", ".join(f"{kind} {name}" for kind, name in row["entity"].items()), key, f"{value:,.10g}"]
        for row in rows
        for key, value in row["limits"].items()
    ]
    print_table(["of", "limit", "value"], cells, right=frozenset({"value"}))


@app.command(
    name="set",
    epilog=examples(
        "riverlog quota set --client loader producer_byte_rate=1000000",
        "riverlog quota set --client loader --unset producer_byte_rate",
        "riverlog quota set --ip 10.0.0.7 connection_creation_rate=20",
    ),
)
@guarded
def set_(
    limits: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[LIMIT=NUMBER]...",
            help="producer_byte_rate, consumer_byte_rate, request_percentage, controller_mutation_rate; "
            "for addresses connection_creation_rate.",
        ),
    ] = None,
    unset: Annotated[list[str] | None, typer.Option(metavar="LIMIT", help="Take a limit away.")] = None,
    user: User = None,
    client_id: Annotated[str | None, typer.Option("--client", help=f"Client id, or {DEFAULT}.")] = None,
    ip: Ip = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    timeout: TimeoutSeconds = DEFAULT_TIMEOUT,
) -> None:
    """Set or take away limits."""
    from riverlog.client.errors import describe_error
    from riverlog.protocol.apis import ApiKey
    from riverlog.protocol.generated.alter_client_quotas_request import (
        AlterClientQuotasRequest,
        EntityData,
        EntryData,
        OpData,
    )

    chosen = {"user": user, "client": client_id, "ip": ip}
    entity = [
        EntityData(entity_type=_KINDS[kind], entity_name=None if name == DEFAULT else name)
        for kind, name in chosen.items()
        if name is not None
    ]
    if not entity:
        raise BadOption("say whose with --user, --client or --ip")
    operations = [
        OpData(key=key, value=_number(key, text)) for key, text in key_values("LIMIT=NUMBER", limits).items()
    ]
    operations += [OpData(key=key, remove=True) for key in unset or ()]
    if not operations:
        raise BadOption("nothing to change: give LIMIT=NUMBER or --unset LIMIT")
    with connect(bootstrap, timeout) as client:
        request = AlterClientQuotasRequest(entries=[EntryData(entity=entity, ops=operations)])
        answer = client.call(ApiKey.ALTER_CLIENT_QUOTAS, request).entries[0]
    if answer.error_code:
        raise UserError(describe_error(answer.error_code, answer.error_message))
    print("changed")


def _number(key: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadOption(f"{key}: {text!r} is not a number") from None
