"""A riverlog or an Apache Kafka in a real process, with the same surface."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

from clientkit import java

START_SECONDS_MAX = 60.0
STOP_SECONDS_MAX = 30.0
KAFKA_READY = "Kafka Server started"
RIVERLOG_READY = re.compile(r"ready: bootstrap (\S+?),")


class ServerFailed(AssertionError):
    """The process did not come up or did not go down; the text ends with what it said."""


class Server:
    """One broker process on a data folder; ``start`` and ``stop`` may alternate."""

    name = ""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.output = data_dir.with_name(data_dir.name + ".out")
        self.bootstrap = ""
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        raise RuntimeError("each kind of server has its own command")

    def ready_address(self, line: str) -> str | None:
        """The bootstrap address, if ``line`` says that the server can serve."""
        raise RuntimeError("each kind of server has its own line")

    def keep_port(self) -> None:
        """Come back under the same address after a restart; a server with a fixed one does anyway."""

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> Server:
        self.begin()
        return self.wait_until_ready()

    def begin(self) -> None:
        self._ready = threading.Event()
        self._process = subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self._reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
        self._reader.start()

    def wait_until_ready(self) -> Server:
        in_time = self._ready.wait(START_SECONDS_MAX)
        if not self.bootstrap:
            self.kill()
            trouble = "ended" if in_time else f"was not ready in {START_SECONDS_MAX:.0f} s"
            raise ServerFailed(f"{self.name} {trouble}:\n{self.said()[-8000:]}")
        return self

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """Keep all the server says; wake ``start`` at the line that says it is ready, or at the end."""
        assert process.stdout is not None
        with process.stdout as lines, self.output.open("ab") as log:
            for line in lines:
                log.write(line)
                log.flush()
                address = None if self._ready.is_set() else self.ready_address(line.decode(errors="replace"))
                if address:
                    self.bootstrap = address
                    self._ready.set()
        self._ready.set()

    def stop(self) -> None:
        """A clean stop by SIGTERM, with exit code 0 (143 from a JVM)."""
        code = self._end(signal.SIGTERM)
        if code not in {0, 128 + signal.SIGTERM}:
            raise ServerFailed(f"{self.name} stopped with {code}:\n{self.said()[-4000:]}")

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def said(self) -> str:
        return self.output.read_text(errors="replace") if self.output.exists() else ""

    def _end(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(how)
        try:
            code = process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise ServerFailed(f"{self.name} did not stop in {STOP_SECONDS_MAX:.0f} s") from None
        self._reader.join(STOP_SECONDS_MAX)
        self.bootstrap = ""
        return code


class Riverlog(Server):
    name = "riverlog"

    def __init__(self, data_dir: Path, settings: dict[str, str] | None = None) -> None:
        super().__init__(data_dir)
        self.settings = settings or {}
        self.port = 0

    def keep_port(self) -> None:
        self.port = int(self.bootstrap.rpartition(":")[2])

    def command(self) -> list[str]:
        executable = Path(sys.executable).with_name("riverlog")
        command = [str(executable), "start", "--port", str(self.port), "--data-dir", str(self.data_dir)]
        for key, value in self.settings.items():
            command += ["--set", f"{key}={value}"]
        return command

    def ready_address(self, line: str) -> str | None:
        match = RIVERLOG_READY.search(line)
        return match[1] if match else None


class Kafka(Server):
    """A single combined Apache Kafka node."""

    name = "Apache Kafka"

    def __init__(
        self, data_dir: Path, settings: dict[str, str] | None = None, *, form: str = "standalone"
    ) -> None:
        super().__init__(data_dir)
        self.port, self.controller_port = free_ports(2)
        self.form = form
        self.config = data_dir.with_name(data_dir.name + ".properties")
        self.write_config(settings or {})

    def write_config(self, settings: dict[str, str]) -> None:
        controller = f"127.0.0.1:{self.controller_port}"
        rows = {
            "process.roles": "broker,controller",
            "node.id": "1",
            "listeners": f"PLAINTEXT://127.0.0.1:{self.port},CONTROLLER://{controller}",
            "advertised.listeners": f"PLAINTEXT://127.0.0.1:{self.port},CONTROLLER://{controller}",
            "controller.listener.names": "CONTROLLER",
            "log.dirs": str(self.data_dir),
            "offsets.topic.replication.factor": "1",
            "transaction.state.log.replication.factor": "1",
            "transaction.state.log.min.isr": "1",
            "transaction.state.log.num.partitions": "2",
            "share.coordinator.state.topic.replication.factor": "1",
            "share.coordinator.state.topic.min.isr": "1",
            "num.network.threads": "1",
            "num.io.threads": "2",
            "log.cleaner.enable": "true",
        }
        if self.form == "static-voters":
            rows["controller.quorum.voters"] = f"1@{controller}"
        else:
            rows["controller.quorum.bootstrap.servers"] = controller
        rows.update(settings)
        self.config.write_text("".join(f"{key}={value}\n" for key, value in rows.items()))

    def format(
        self, tools: java.JavaTools, *, cluster_id: str, directory_id: str, release: str | None = None
    ) -> Kafka:
        """Make the folder ready, in one of the three ways a single node can be formatted."""
        arguments = ["format", "--cluster-id", cluster_id, "--config", str(self.config)]
        if release is not None:
            arguments += ["--release-version", release]
        if self.form == "standalone":
            arguments += ["--standalone"]
        elif self.form == "initial-controllers":
            voter = f"1@127.0.0.1:{self.controller_port}:{directory_id}"
            arguments += ["--initial-controllers", voter]
        tools.run("kafka.tools.StorageTool", *arguments).ok()
        return self

    def command(self) -> list[str]:
        classpath = f"{java.jars()}/*:{java.logger_jar()}"
        options = [
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Dorg.slf4j.simpleLogger.logFile=System.out",
        ]
        return [java.java(), *options, "-cp", classpath, "kafka.Kafka", str(self.config)]

    def ready_address(self, line: str) -> str | None:
        return f"127.0.0.1:{self.port}" if KAFKA_READY in line else None


def free_ports(count: int) -> list[int]:
    """Ports that were free a moment ago, chosen by the system."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()
