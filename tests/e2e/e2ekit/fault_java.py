"""Kafka's own ``VerifiableProducer`` and ``VerifiableConsumer``, each in a JVM, for the fault run."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

from bench.jars import ROOT, KafkaUnavailable, kafka_libs
from e2ekit.fault_clients import KEYS
from e2ekit.fault_history import GroupNotes, Place, ProducerNotes

LOGGER_FOLDER = ROOT / ".cache" / "conformance" / "slf4j-simple"
"""The logger that the conformance tests fetch: with it a tool that ends by itself says why."""
_JVM_OPTIONS = [
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-Xshare:auto",
    "-Xmx256m",
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
    "-Dorg.slf4j.simpleLogger.showDateTime=true",
]
_END_SECONDS_MAX = 60.0


def java_libs() -> Path | str:
    """The folder with Kafka's jars, or why there is none."""
    if shutil.which("java") is None:
        return "no java on PATH (Debian: apt-get install default-jre-headless)"
    try:
        return kafka_libs()
    except KafkaUnavailable as missing:
        return str(missing)


class JavaClient:
    """A tool that tells on stdout, in lines of JSON, what happens to it; ``finish`` is SIGTERM."""

    def __init__(self, name: str, libs: Path, tool: str, config: Path, *arguments: str) -> None:
        self.name = name
        self._problem: BaseException | None = None
        self._finished = False
        self._log = config.with_suffix(".log")
        classpath = ":".join([f"{libs}/*", *map(str, LOGGER_FOLDER.glob("*.jar"))])
        command = ["java", *_JVM_OPTIONS, "-cp", classpath, f"org.apache.kafka.tools.{tool}", *arguments]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [*command, "--command-config", str(config)], stdout=subprocess.PIPE, stderr=log
            )
        self._thread = threading.Thread(target=self._listen, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                if line.startswith(b"{") and self._problem is None:
                    try:
                        self.heard(json.loads(line))
                    except (AssertionError, KeyError, ValueError) as error:
                        self._problem = error

    def heard(self, event: dict[str, Any]) -> None:
        raise RuntimeError("each tool tells other things")

    def look(self) -> None:
        if self._problem is not None:
            raise AssertionError(f"client {self.name} failed") from self._problem
        code = self._process.poll()
        assert self._finished or code is None, (
            f"{self.name} ended by itself with {code}:\n{self._log.read_text()[-2000:]}"
        )

    def finish(self) -> None:
        self.look()
        self._finished = True
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(_END_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"client {self.name} does not end") from None
        self._thread.join(_END_SECONDS_MAX)
        if self._problem is not None:
            raise AssertionError(f"client {self.name} failed") from self._problem

    def give_up(self) -> None:
        """The run has failed, or this one has ended: nothing may be left of it."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        if self._thread.ident is not None:
            self._thread.join(_END_SECONDS_MAX)
        elif self._process.stdout is not None:
            self._process.stdout.close()


class JavaProducer(JavaClient):
    def __init__(
        self,
        number: int,
        libs: Path,
        folder: Path,
        bootstrap: str,
        topic: str,
        *,
        rate: int,
        patience_ms: int,
    ) -> None:
        config = folder / f"java-producer-{number}.properties"
        config.write_text(
            "enable.idempotence=true\nacks=all\nretries=2147483647\nlinger.ms=5\n"
            f"delivery.timeout.ms={patience_ms}\nmax.block.ms={patience_ms}\nrequest.timeout.ms=10000\n"
            "reconnect.backoff.max.ms=500\n"
        )
        arguments = ["--bootstrap-server", bootstrap, "--topic", topic, "--throughput", str(rate)]
        arguments += ["--repeating-keys", str(KEYS), "--value-prefix", str(number)]
        super().__init__(f"Java producer {number}", libs, "VerifiableProducer", config, *arguments)
        self.notes = ProducerNotes(self.name, number)

    def heard(self, event: dict[str, Any]) -> None:
        if event["name"] == "producer_send_success":
            number = int(event["value"].partition(".")[2])
            self.notes.acknowledged[number] = Place(event["partition"], event["offset"])
            self.notes.sent = max(self.notes.sent, number + 1)
        elif event["name"] == "producer_send_error":
            self.notes.refused.append(f"{event['value']}: {event['exception']} {event['message']}")


class JavaMember(JavaClient):
    def __init__(
        self, name: str, group: str, libs: Path, folder: Path, bootstrap: str, topic: str, *, protocol: str
    ) -> None:
        config = folder / f"java-member-{name}.properties"
        config.write_text("request.timeout.ms=10000\nreconnect.backoff.max.ms=500\n")
        arguments = ["--bootstrap-server", bootstrap, "--topic", topic, "--group-id", group, "--verbose"]
        arguments += ["--group-protocol", protocol]
        if protocol == "classic":
            arguments += ["--session-timeout", "10000"]
        super().__init__(f"Java member {name}", libs, "VerifiableConsumer", config, *arguments)
        self.notes = GroupNotes(self.name, group)

    def heard(self, event: dict[str, Any]) -> None:
        if event["name"] == "partitions_assigned":
            self.notes.assigned(event["timestamp"], [row["partition"] for row in event["partitions"]])
        elif event["name"] == "record_data":
            self.notes.saw(Place(event["partition"], event["offset"]), event["value"].encode())
        elif event["name"] == "offsets_committed" and event["success"]:
            ends = {row["partition"]: row["offset"] for row in event["offsets"]}
            self.notes.committed(event["timestamp"], ends)
