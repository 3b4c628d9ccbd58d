"""The broker in a thread of the test's own process, or in a process of its own.

In-process it touches nothing global: no signal handlers, no gc or limit changes, no logging set-up.
A failed assertion in the broker fails that broker, and the test that leaves its ``with`` block.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from riverlog.base.config import BrokerConfig
from riverlog.runtime.node import Node

_STOP_SECONDS_MAX = 30.0


class BrokerFailed(Exception):
    """The broker under test died; its own error is the cause."""


class TestBroker:
    """A running broker; made by ``broker()``. ``bootstrap`` is what clients need."""

    __test__ = False

    def __init__(
        self,
        config: Mapping[str, str | int | float | bool],
        *,
        data_dir: str | os.PathLike[str] | None,
        process: bool,
    ) -> None:
        self._settings = {name: setting_text(value) for name, value in config.items()}
        self._keep = data_dir is not None
        self._given = data_dir
        self._process = process
        self._run: _Thread | _Process | None = None
        self._port = 0
        self.data_dir = ""

    # -- life ----------------------------------------------------------------------------

    def start(self) -> Self:
        """Start, or start again on the same folder."""
        assert self._run is None, "already running"
        if not self.data_dir:
            self.data_dir = (
                str(self._given) if self._given is not None else tempfile.mkdtemp(prefix="riverlog-")
            )
        self._run = (_Process if self._process else _Thread)(self._settings, self.data_dir, self._port)
        self._port = int(self._run.bootstrap.rpartition(":")[2])  # clients find it again after a restart
        return self

    def stop(self) -> None:
        """A clean stop; the folder stays until the ``with`` block ends."""
        run, self._run = self._run, None
        if run is not None:
            run.stop()

    def kill(self) -> None:
        """``kill -9`` (with ``process=True`` only)."""
        run, self._run = self._run, None
        if not isinstance(run, _Process):
            self._run = run
            raise ValueError("kill() needs a broker in a process of its own: broker(process=True)")
        run.kill()

    def restart(self) -> Self:
        self.stop()
        return self.start()

    @property
    def bootstrap(self) -> str:
        """``host:port`` for ``bootstrap.servers``."""
        return self._running().bootstrap

    @property
    def metrics_url(self) -> str:
        return self._running().metrics_url

    def _running(self) -> _Thread | _Process:
        if self._run is None:
            raise ValueError("the broker is not running; use it inside its `with` block")
        return self._run

    # -- with and async with -------------------------------------------------------------

    def __enter__(self) -> Self:
        try:
            return self.start()
        except BaseException:
            self._remove_folder()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.stop()
        finally:
            self._remove_folder()

    def _remove_folder(self) -> None:
        if not self._keep and self.data_dir:
            shutil.rmtree(self.data_dir, ignore_errors=True)
            self.data_dir = ""

    async def __aenter__(self) -> Self:
        return await asyncio.to_thread(self.__enter__)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.__exit__, kind, error, trace)


def broker(
    config: Mapping[str, str | int | float | bool] | None = None,
    *,
    data_dir: str | os.PathLike[str] | None = None,
    process: bool = False,
) -> TestBroker:
    """A broker on a free port of the loopback interface, with a folder of its own that goes with it.

    ``config`` takes Kafka's broker settings. A ``data_dir`` of yours is kept. ``process=True`` runs
    it as a process of its own, which can be killed.
    """
    return TestBroker(config or {}, data_dir=data_dir, process=process)


class _Thread:
    """A node on a thread of this process."""

    def __init__(self, settings: Mapping[str, str], data_dir: str, port: int) -> None:
        static = {
            "listeners": f"PLAINTEXT://127.0.0.1:{port}",
            "metrics.port": "0",
            "group.initial.rebalance.delay.ms": "0",
            **settings,
            "log.dirs": data_dir,
        }
        self._node = Node(BrokerConfig(static))
        self._node.start()
        self.bootstrap = self._node.bootstrap
        self.metrics_url = self._node.metrics_url
        self._node.run_in_thread()

    def stop(self) -> None:
        self._node.request_stop()
        if not self._node.join(_STOP_SECONDS_MAX):
            raise BrokerFailed(f"the broker did not stop within {_STOP_SECONDS_MAX:.0f} s")
        if self._node.failure is not None:
            raise BrokerFailed(f"the broker died: {self._node.failure!r}") from self._node.failure


class _Process:
    """``riverlog start`` as a child process."""

    def __init__(self, settings: Mapping[str, str], data_dir: str, port: int) -> None:
        command = [sys.executable, "-m", "riverlog", "start", "--port", str(port), "--data-dir", data_dir]
        for name, value in {"metrics.port": "0", **settings}.items():
            command += ["--set", f"{name}={value}"]
        Path(data_dir).mkdir(parents=True, exist_ok=True)
        self._log = Path(data_dir) / "riverlog-test.log"
        with self._log.open("ab") as log:
            self._child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self._child.stdout is not None
        line = self._child.stdout.readline()
        if "bootstrap " not in line:
            self._child.stdout.close()
            self._child.wait(_STOP_SECONDS_MAX)
            raise BrokerFailed(f"the broker did not start: {self._log.read_text()[-2000:]}")
        self.bootstrap = line.split("bootstrap ", 1)[1].split(",", 1)[0].strip()
        self.metrics_url = line.rsplit("metrics ", 1)[1].strip() if "metrics " in line else ""
        self.pid = self._child.pid

    def stop(self) -> None:
        self._end(signal.SIGTERM)
        if self._child.returncode != 0:
            raise BrokerFailed(
                f"the broker ended with {self._child.returncode}: {self._log.read_text()[-2000:]}"
            )

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def _end(self, number: signal.Signals) -> None:
        self._child.send_signal(number)
        try:
            self._child.wait(_STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        if self._child.stdout is not None:
            self._child.stdout.close()


def setting_text(value: str | float | bool) -> str:
    """As in a properties file."""
    return str(value).lower() if isinstance(value, bool) else str(value)
