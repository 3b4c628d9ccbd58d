"""The two brokers under test, each a real process on loopback."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import uuid
from base64 import urlsafe_b64encode
from pathlib import Path

from bench import wire

_TICKS = os.sysconf("SC_CLK_TCK")
_START_SECONDS_MAX = 120.0
_STOP_SECONDS_MAX = 60.0


class BrokerFailed(Exception):
    """A broker did not come up, or went away; the text ends with what it said last."""


def cpu_seconds(pid: int) -> float:
    """User and system time of the process, all threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def rss_bytes(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise BrokerFailed(f"process {pid} has no resident memory: it ended")


def port_is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


class Broker:
    """One broker process; ``start`` and ``stop`` may alternate on the same folder."""

    name = ""

    def __init__(self, folder: Path, port: int, settings: dict[str, str] | None = None) -> None:
        self.folder = folder
        self.port = port
        self.settings = settings or {}
        self.bootstrap = f"127.0.0.1:{port}"
        self.exit_code: int | None = None  # of the last run
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)

    def command(self) -> list[str]:
        raise RuntimeError("each kind of broker has its own command")

    @property
    def pid(self) -> int:
        if self._process is None or self._process.poll() is not None:
            raise BrokerFailed(f"{self.name} is not running: {self._last_words()}")
        return self._process.pid

    @property
    def ports(self) -> list[int]:
        return [self.port]

    @property
    def pids(self) -> list[int]:
        return [self.pid]

    def start(self) -> float:
        """Start and answer the seconds from there to the first answered request."""
        began = self.launch()
        return self.wait_for_answer(began)

    def launch(self) -> float:
        """Start the process and answer when that was."""
        command = self.command()
        with self._log_path.open("ab") as log:
            began = time.perf_counter()
            self._process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        return began

    def wait_for_answer(self, began: float) -> float:
        """Until it serves; answers the seconds since ``began``."""
        while not self._answers():
            process = self._process
            if process is None or process.poll() is not None:
                code = None if process is None else process.returncode
                raise BrokerFailed(f"{self.name} ended with {code}: {self._last_words()}")
            if time.perf_counter() - began > _START_SECONDS_MAX:
                self.kill()
                raise BrokerFailed(
                    f"{self.name} did not answer in {_START_SECONDS_MAX:.0f} s: {self._last_words()}"
                )
            time.sleep(0.002)
        return time.perf_counter() - began

    def said(self) -> str:
        """All that it printed so far, over all its starts."""
        return self._log_path.read_text(errors="replace") if self._log_path.exists() else ""

    def stop(self) -> float:
        """A clean stop; answers the seconds it took."""
        began = time.perf_counter()
        self._end(signal.SIGTERM)
        return time.perf_counter() - began

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(how)
        try:
            self.exit_code = process.wait(_STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise BrokerFailed(f"{self.name} did not stop in {_STOP_SECONDS_MAX:.0f} s") from None

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as sock:
                sock.sendall(wire.metadata_request())
                return len(wire.read_frame(sock)) > 0
        except OSError:
            return False

    @property
    def _log_path(self) -> Path:
        return self.folder / "broker.out"

    def _last_words(self) -> str:
        return " | ".join(self.said().strip().splitlines()[-3:]) or "it printed nothing"


class Riverlog(Broker):
    name = "riverlog"

    def command(self) -> list[str]:
        program = Path(sys.executable).with_name("riverlog")
        command = [str(program), "start", "--port", str(self.port)]
        settings = {"log.dirs": str(self.folder / "data"), **self.settings}
        return command + [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]


def new_cluster_id() -> str:
    return urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=").replace("-", "A")


class Kafka(Broker):
    """Apache Kafka, one combined node, with the JVM options and settings it ships with."""

    name = "Kafka"
    _JVM = (
        "-Xmx1G -Xms1G -server -XX:+UseG1GC -XX:MaxGCPauseMillis=20 -XX:InitiatingHeapOccupancyPercent=35 "
        "-XX:+ExplicitGCInvokesConcurrent -XX:MaxInlineLevel=15 -Djava.awt.headless=true"
    )

    def __init__(
        self,
        folder: Path,
        port: int,
        libs: Path,
        settings: dict[str, str] | None = None,
        jvm: str = _JVM,
        *,
        cluster_id: str | None = None,
    ) -> None:
        super().__init__(folder, port, settings)
        self._libs = libs
        self._cluster_id = cluster_id or new_cluster_id()
        self._jvm = jvm.split()
        self._properties = folder / "server.properties"

    def command(self) -> list[str]:
        if not self._properties.exists():
            self._format()
        return [*self._java(), "kafka.Kafka", str(self._properties)]

    def _java(self) -> list[str]:
        java = shutil.which("java") or "java"
        return [java, *self._jvm, "-cp", f"{self._libs}/*"]

    def _format(self) -> None:
        controller = self.port + 1
        settings = {
            "process.roles": "broker,controller",
            "node.id": "1",
            "controller.quorum.voters": f"1@127.0.0.1:{controller}",
            "listeners": f"PLAINTEXT://127.0.0.1:{self.port},CONTROLLER://127.0.0.1:{controller}",
            "controller.listener.names": "CONTROLLER",
            "log.dirs": str(self.folder / "data"),
            "offsets.topic.replication.factor": "1",
            "transaction.state.log.replication.factor": "1",
            "transaction.state.log.min.isr": "1",
            "log.segment.delete.delay.ms": "100",
            **self.settings,
        }
        self._properties.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
        tool = ["kafka.tools.StorageTool", "format", "-t", self._cluster_id, "-c", str(self._properties)]
        done = subprocess.run(
            [*self._java(), *tool], check=False, capture_output=True, text=True, timeout=120
        )
        if done.returncode != 0:
            said = (done.stderr or done.stdout).strip()[-300:]
            raise BrokerFailed(f"formatting Kafka's folder failed: {said}")
