"""The ``riverlog`` command.

``start`` must be quick, so it is recognised here, before the command line library is
loaded; whatever is not plainly a start (help, a mistake, another command) goes to the library.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

EXIT_INTERRUPTED = 130


def main() -> NoReturn:
    """Run the command in ``sys.argv`` and exit with its code."""
    arguments = sys.argv[1:]
    try:
        plain = plain_start(arguments)
        if plain is not None:
            from riverlog.cli.start import start

            code = start(**plain)
        else:
            from riverlog.cli.app import run

            code = run(arguments)
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    sys.exit(code)


_START_OPTIONS = {
    "--port": "port",
    "--host": "host",
    "--data-dir": "data_dir",
    "--config": "config",
    "--set": "settings",
}


def plain_start(arguments: Sequence[str]) -> dict[str, Any] | None:
    """What ``start`` is called with, if this is a start without anything out of the ordinary."""
    if not arguments or arguments[0] != "start":
        return None
    found: dict[str, Any] = {}
    settings: list[str] = []
    rest = iter(arguments[1:])
    for argument in rest:
        name, equals, value = argument.partition("=")
        target = _START_OPTIONS.get(name)
        if target is None:
            return None
        if not equals:
            value = next(rest, "")
        if not value or value.startswith("-"):
            return None
        if target == "settings":
            settings.append(value)
        elif target == "port":
            if not value.isdecimal() or int(value) > 65535:
                return None
            found["port"] = int(value)
        else:
            found[target] = value if target == "host" else Path(value)
    return {**found, "settings": settings}
