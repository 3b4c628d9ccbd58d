"""The command line: which commands there are, and how their mistakes are told."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from riverlog.cli.shell import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE, examples, guarded, tell

# Both live in different places in different versions of the library.
_UsageError: Any = typer.BadParameter.__bases__[0]
_LibraryError: Any = _UsageError.__bases__[0]


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"riverlog {version('riverlog')}")
        raise typer.Exit


app = typer.Typer(
    name="riverlog",
    help="A message queue that speaks the Kafka protocol.",
    epilog=examples(
        "riverlog start",
        "riverlog cluster start --nodes 3",
        "riverlog topic create orders --partitions 3",
        "echo hello | riverlog produce orders",
        "riverlog consume orders --exit-at-end",
    ),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def riverlog(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """A message queue that speaks the Kafka protocol."""


@app.command(
    epilog=examples(
        "riverlog start",
        "riverlog start --port 9192 --data-dir ./data",
        "riverlog start --config server.properties --set log.retention.hours=24",
    )
)
def start(
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port; 0 takes any free one.")] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on.", show_default="127.0.0.1")] = None,
    data_dir: Annotated[Path | None, typer.Option(help="Folder for the data.")] = None,
    config: Annotated[Path | None, typer.Option(help="A Kafka server.properties file.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A broker setting. Repeatable.")
    ] = None,
) -> None:
    """Run one node in the foreground. It prints its address when it can serve.

    Alone it is a cluster of its own. One of several waits for a majority of them, and says so. SIGTERM
    hands over what it leads, then stops it; a second one stops it at once.
    """
    from riverlog.cli import start as command

    raise typer.Exit(
        command.start(port=port, host=host, data_dir=data_dir, config=config, settings=settings or ())
    )


@app.command()
def demo() -> None:
    """Show the main job end to end: produce, kill the broker, restart it, verify every record."""
    from riverlog.cli import demo as command

    raise typer.Exit(command.demo())


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
    epilog=examples("riverlog sim --seeds 20", "riverlog sim replay node-lives-7"),
)
def sim(context: typer.Context) -> None:
    """Run the broker in a simulated world from seeds, or replay one run."""
    from riverlog.sim.runner import main

    raise typer.Exit(main(context.args))


@cache
def _add_commands() -> None:
    """Once, and only when a command line is run: their modules use this one."""
    from riverlog.cli import (
        brokers,
        cluster,
        configs,
        consume,
        groups,
        log_dump,
        produce,
        quotas,
        reassign,
        spark,
        storage,
        topics,
        txns,
    )

    app.command(name="produce", epilog=produce.EPILOG)(guarded(produce.produce))
    app.command(name="consume", epilog=consume.EPILOG)(guarded(consume.consume))
    app.command(name="api-versions", epilog=configs.EPILOG)(guarded(configs.api_versions))
    app.command(name="balance", epilog=brokers.BALANCE_EPILOG)(guarded(brokers.balance))
    for part in (topics, groups, txns, configs, quotas, log_dump, cluster, brokers, reassign, storage, spark):
        app.add_typer(part.app)


def run(arguments: Sequence[str]) -> int:
    """Run one command line; answers the exit code."""
    _add_commands()
    try:
        code = app(list(arguments), standalone_mode=False, prog_name="riverlog")
    except _UsageError as problem:
        context = getattr(problem, "ctx", None)
        where = context.command_path if context is not None else "riverlog"
        message = problem.format_message()
        if message:  # none if the help has been shown already
            tell(f"{message} (see {where} --help)")
        return EXIT_USAGE
    except _LibraryError as problem:
        tell(problem.format_message())
        return EXIT_FAILED
    except (typer.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    return code if isinstance(code, int) else 0
