"""``riverlog start``: one node in the foreground."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

from riverlog.base.config import BrokerConfig, ConfigError
from riverlog.base.properties import parse_properties
from riverlog.runtime.node import PARENT_PIPE, Node, StartError, StopRequested

logger = logging.getLogger("riverlog")

_OPEN_FILES_WANTED = 1 << 20


def start(
    *,
    port: int | None = None,
    host: str | None = None,
    data_dir: Path | None = None,
    config: Path | None = None,
    settings: Sequence[str] = (),
) -> int:
    """Run a node until SIGTERM or SIGINT; answers the exit code."""
    _log_to_stderr()
    try:
        broker_config = BrokerConfig(static_settings(port, host, data_dir, config, settings))
    except ConfigError as error:
        return _fail(str(error))
    for warning in broker_config.warnings():
        logger.warning("config: %s", warning)
    _raise_open_files()
    try:
        node = Node(broker_config)
        _watch(node)
        node.start()
    except (ConfigError, StartError) as error:
        return _fail(str(error))
    except StopRequested:
        return 0
    # What lives now lives as long as the process: keep the collector from walking it again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    print(f"riverlog {version('riverlog')} ready: {_described(node)}", flush=True)
    node.run()
    return 0 if node.failure is None else 1


def _watch(node: Node) -> None:
    """Signals, and the end of whoever started us (``cluster start``)."""

    def stop(_number: int, _frame: object) -> None:
        if node.stopping:
            os._exit(1)  # asked again while the disk takes its time: as safe as kill -9
        node.request_stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    pipe = os.environ.get(PARENT_PIPE, "")
    if pipe.isdecimal():
        node.watch_parent(int(pipe))


def _described(node: Node) -> str:
    """Where the node is found, in the one line that says it is ready."""
    parts = [f"bootstrap {node.bootstrap}" if node.bootstrap else f"controller {node.controller_address}"]
    parts.append(f"data {','.join(node.log_dirs)}")
    if node.metrics_url:
        parts.append(f"metrics {node.metrics_url}")
    return ", ".join(parts)


def static_settings(
    port: int | None, host: str | None, data_dir: Path | None, file: Path | None, settings: Sequence[str]
) -> dict[str, str]:
    """File first, then ``--set``, then the options."""
    values: dict[str, str] = {}
    if file is not None:
        try:
            values = parse_properties(file.read_text("utf-8"))
        except OSError as error:
            raise ConfigError("--config", str(file), f"cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise ConfigError("--config", str(file), "is not a text file") from error
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip():
            raise ConfigError("--set", setting, "expected key=value")
        values[name.strip()] = value.strip()
    if port is not None or host is not None or "listeners" not in values:
        values["listeners"] = f"PLAINTEXT://{host or '127.0.0.1'}:{9092 if port is None else port}"
    if data_dir is not None:
        values["log.dirs"] = str(data_dir)
    elif "log.dirs" not in values and "log.dir" not in values:
        values["log.dirs"] = str(Path.home() / ".riverlog" / "data")
    values.setdefault("metrics.port", "0")
    return values


def _raise_open_files() -> None:
    """10,000 partitions have three files each."""
    try:
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _OPEN_FILES_WANTED if hard == resource.RLIM_INFINITY else hard
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (ImportError, OSError, ValueError):
        return  # the bound on open files follows whatever the limit is


def _log_to_stderr() -> None:
    """One line per event on standard error, in UTC."""
    handler = logging.StreamHandler()
    formatter = logging.Formatter("%(asctime)s.%(msecs)03dZ %(levelname)s %(message)s", "%Y-%m-%dT%H:%M:%S")
    formatter.converter = time.gmtime
    handler.setFormatter(formatter)
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def _fail(line: str) -> int:
    print(f"riverlog: {line}", file=sys.stderr, flush=True)
    return 1


def run(**arguments: object) -> NoReturn:
    """Entry point for the command line."""
    sys.exit(start(**arguments))  # type: ignore[arg-type]
