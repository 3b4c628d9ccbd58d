"""A standalone Spark cluster on this machine, from the pip package: a master and its workers.

Each is a process group that ends when the test does: a shell waits for the end of a pipe that the test
holds, and kills the group then. A worker's executors and their Python belong to its group, so killing a
worker is what losing a machine is.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from e2ekit.spark_processes import command, descendants, python_workers
from e2ekit.waiting import wait_until
from riverlog.pipeline.java import java_home
from riverlog.pipeline.spark_home import spark_home

HOST = "127.0.0.1"
START_SECONDS_MAX = 60.0
_END_SECONDS_MAX = 20.0
_MASTER = re.compile(r"Starting Spark master at (spark://\S+)")
_REGISTERED = re.compile(r"Registering worker \S+ with")
_EXECUTOR = "CoarseGrainedExecutorBackend"
_GUARD = '"$@" & cat >/dev/null; kill -9 0'


class SparkCluster:
    """A running cluster; ``master`` is its URL."""

    def __init__(self, folder: Path, *, workers: int, cores: int, memory: str) -> None:
        self.master = ""
        self._folder = folder
        self._size = ["--cores", str(cores), "--memory", memory]
        self._count = workers
        self._starts = 0
        self._home = spark_home(os.environ)
        self._master: _Daemon | None = None
        self._workers: dict[int, _Daemon] = {}

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        try:
            self._start_master()
            for number in range(self._count):
                self._start_worker(number)
            self._wait_for_workers()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            error.add_note(f"\nSpark's master said:\n{self.log('master')[-3000:]}")
        self._end()

    @property
    def workers(self) -> list[int]:
        """Those that run."""
        return sorted(self._workers)

    def executors(self) -> list[int]:
        """Processes in which workers run tasks of applications."""
        below = (pid for daemon in self._workers.values() for pid in descendants(daemon.pid))
        return [pid for pid in below if _EXECUTOR in command(pid)]

    def python_workers(self) -> list[int]:
        """Python processes of the executors."""
        return [pid for daemon in self._workers.values() for pid in python_workers(daemon.pid)]

    def kill_worker(self, number: int) -> None:
        """kill -9, with all it started."""
        self._workers.pop(number).kill()

    def restart_worker(self, number: int) -> None:
        """Start one again that was killed, and wait until the master knows it."""
        self._start_worker(number)
        self._wait_for_workers()

    def log(self, name: str) -> str:
        """What ``master`` or ``worker-N`` said."""
        path = self._folder / f"{name}.log"
        return path.read_text("utf-8", "replace") if path.exists() else ""

    def _start_master(self) -> None:
        arguments = ["--host", HOST, "--port", "0", "--webui-port", "0"]
        self._master = self._start("master", "org.apache.spark.deploy.master.Master", arguments)

        def is_up() -> bool:
            found = _MASTER.search(self.log("master"))
            self.master = found[1] if found else ""
            return found is not None

        wait_until(is_up, START_SECONDS_MAX, "Spark's master starts")

    def _start_worker(self, number: int) -> None:
        name = f"worker-{number}"
        arguments = ["--host", HOST, "--port", "0", "--webui-port", "0", *self._size]
        arguments += ["--work-dir", str(self._folder / name), self.master]
        self._workers[number] = self._start(name, "org.apache.spark.deploy.worker.Worker", arguments)
        self._starts += 1

    def _wait_for_workers(self) -> None:
        def registered() -> bool:
            return len(_REGISTERED.findall(self.log("master"))) >= self._starts

        wait_until(registered, START_SECONDS_MAX, "Spark's workers register")

    def _start(self, name: str, main: str, arguments: list[str]) -> _Daemon:
        environ = {
            **os.environ,
            "JAVA_HOME": str(java_home(os.environ)),
            "SPARK_HOME": str(self._home),
            "SPARK_LOCAL_IP": HOST,
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "PYSPARK_PYTHON": sys.executable,
        }
        program = [str(self._home / "bin" / "spark-class"), main, *arguments]
        return _Daemon(program, environ, self._folder / f"{name}.log")

    def _end(self) -> None:
        daemons = [*self._workers.values(), *([self._master] if self._master else [])]
        self._workers.clear()
        self._master = None
        for daemon in daemons:
            daemon.kill()


class _Daemon:
    """A process group that ends with us."""

    def __init__(self, program: list[str], environ: dict[str, str], log: Path) -> None:
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                ["sh", "-c", _GUARD, "sh", *program],
                env=environ,
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(_END_SECONDS_MAX)


def spark_cluster(folder: Path, *, workers: int = 2, cores: int = 1, memory: str = "1g") -> SparkCluster:
    """A master and its workers on loopback, each worker with so many cores; logs go into the folder."""
    return SparkCluster(folder, workers=workers, cores=cores, memory=memory)
