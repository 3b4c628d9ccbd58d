"""Options that several commands share, and how their values are read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from riverlog.cli.errors import BadOption, UserError

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


@contextmanager
def connect(bootstrap: str, timeout: float = DEFAULT_TIMEOUT) -> Iterator[BlockingClient]:
    """A client for these addresses, whose errors are told to the user."""
    # Imported here so that help and mistakes in options cost no more than they must.
    from riverlog.client.errors import ClientError
    from riverlog.runtime.client_io import BlockingClient

    try:
        client = BlockingClient(
            bootstrap, client_id="riverlog-cli", timeout=timeout, connect_timeout=min(timeout, 5.0)
        )
    except ValueError as problem:
        raise BadOption(f"--bootstrap: {problem}") from None
    with client:
        try:
            yield client
        except ClientError as problem:
            raise UserError(str(problem)) from None


def key_values(option: str, pairs: Sequence[str] | None) -> dict[str, str]:
    """``k=v`` options as a dict, in order."""
    found: dict[str, str] = {}
    for pair in pairs or ():
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise BadOption(f"{option}: {pair!r} is not KEY=VALUE")
        found[key.strip()] = value.strip()
    return found


_DURATION = re.compile(r"(\d{1,12})(ms|s|m|h|d)")
_UNIT_MS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


def duration_ms(option: str, text: str) -> int:
    """``500ms``, ``30s``, ``15m``, ``2h`` or ``7d`` in milliseconds."""
    found = _DURATION.fullmatch(text.strip())
    if found is None:
        raise BadOption(f"{option}: {text!r} is not a time with its unit, such as 500ms, 30s, 15m, 2h or 7d")
    return int(found[1]) * _UNIT_MS[found[2]]
