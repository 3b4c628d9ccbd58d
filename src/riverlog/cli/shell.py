"""What every command does the same way: mistakes in one line, exit codes, examples in the help."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from typing import ParamSpec

import typer

from riverlog.cli.errors import UserError

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
EXIT_PIPE_CLOSED = 141

P = ParamSpec("P")


def tell(line: str) -> None:
    """One line for the user, on stderr."""
    print(f"riverlog: {' '.join(line.split())}", file=sys.stderr, flush=True)


def guarded(function: Callable[P, None]) -> Callable[P, None]:
    """A command whose mistakes end in one line and an exit code."""

    @functools.wraps(function)
    def run_guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            function(*args, **kwargs)
            sys.stdout.flush()
        except UserError as problem:
            tell(str(problem))
            raise typer.Exit(problem.exit_code) from None
        except BrokenPipeError:
            # Whoever read our output has enough. Nothing may be flushed to it on the way out.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(EXIT_PIPE_CLOSED) from None
        except KeyboardInterrupt:
            raise typer.Exit(EXIT_INTERRUPTED) from None

    return run_guarded


def examples(*lines: str) -> str:
    """An epilog; the library joins lines unless a blank one lies between."""
    return "\n\n".join(("Examples:", *lines))
