"""Options that several commands share, and how their values are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from riverlog.cli.errors import BadOption

if TYPE_CHECKING:
    from riverlog.runtime.client_io import BlockingClient

Bootstrap = Annotated[
    str,
    typer.Option(
        "--bootstrap",
        "-b",
        metavar="HOST:PORT",
        envvar="RIVERLOG_BOOTSTRAP",
        help="A broker, or several by comma.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
TimeoutSeconds = Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds to wait for the broker.")]

DEFAULT_BOOTSTRAP = "localhost:9092"
DEFAULT_TIMEOUT = 30.0


def connect(bootstrap: str, timeout: float = DEFAULT_TIMEOUT) -> BlockingClient:
    """A client for these addresses; the connection itself is made by the first call."""
    from riverlog.runtime.client_io import BlockingClient

    try:
        return BlockingClient(
            bootstrap, client_id="riverlog-cli", timeout=timeout, connect_timeout=min(timeout, 5.0)
        )
    except ValueError as problem:
        raise BadOption(f"--bootstrap: {problem}") from None


def key_values(option: str, pairs: Sequence[str] | None) -> dict[str, str]:
    """``k=v`` options as a dict, in order."""
    found: dict[str, str] = {}
    for pair in pairs or ():
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise BadOption(f"{option}: {pair!r} is not KEY=VALUE")
        found[key.strip()] = value.strip()
    return found
