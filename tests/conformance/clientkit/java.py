"""Kafka's Java tools, run one after the other in one JVM.

The jars come from Maven by name (``bench.jars``); small programs of ours are compiled on first use.
"""

from __future__ import annotations

import hashlib
import os
import select
import struct
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from bench.jars import KAFKA_VERSION, KafkaUnavailable, kafka_libs
from clientkit import builds
from clientkit.paths import CACHE, Unavailable, say

SOURCES = sorted((Path(__file__).parent / "java").glob("*.java"))
STREAMS_SOURCES = sorted((Path(__file__).parent / "java" / "streams").glob("*.java"))
STATE_STORE = "org.rocksdb:rocksdbjni:10.1.3"  # the one that this version of Kafka Streams asks for
LOGGER = "org.slf4j:slf4j-simple:1.7.36"
TOOL_SECONDS_MAX = 60.0
# Start fast rather than run fast: most tools live for a second.
JVM_OPTIONS = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx512m"]


def jars() -> Path:
    """The folder with Kafka's jars."""
    if not (CACHE / f"kafka-{KAFKA_VERSION}").exists() and "KAFKA_LIBS" not in os.environ:
        builds.tool("mvn", "maven")
        say("fetching Apache Kafka's jars by name with Maven, once (about 90 MB) …")
    try:
        return kafka_libs()
    except KafkaUnavailable as missing:
        raise Unavailable(str(missing)) from missing


def java() -> str:
    return builds.tool("java", "default-jdk-headless")


def logger_jar() -> Path:
    """A logger for Apache Kafka's server, so that it says when it is ready."""
    return _jar(LOGGER)


def shell_jar() -> Path:
    """``kafka-metadata-shell``, which is a jar of its own."""
    return _jar(f"org.apache.kafka:kafka-shell:{KAFKA_VERSION}")


def streams_classpath() -> str:
    """Kafka Streams, the store it keeps its state in, and our program for it."""
    more = [_jar(f"org.apache.kafka:kafka-streams:{KAFKA_VERSION}"), _jar(STATE_STORE)]
    classpath = ":".join([f"{jars()}/*", *map(str, more)])
    return f"{_compiled(STREAMS_SOURCES, classpath)}:{classpath}"


def _jar(artifact: str) -> Path:
    name = artifact.split(":")[1]
    folder = CACHE / "conformance" / name
    found = list(folder.glob(f"{name}-*.jar"))
    if found:
        return found[0]
    maven = builds.tool("mvn", "maven")
    say(f"fetching {artifact} with Maven …")
    command = [maven, "-q", "-B", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={folder}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    found = list(folder.glob(f"{name}-*.jar"))
    if done.returncode != 0 or not found:
        raise Unavailable(f"Maven could not fetch {artifact}")
    return found[0]


def compiled_programs() -> Path:
    """The folder with the classes of our own programs."""
    return _compiled(SOURCES, f"{jars()}/*")


def _compiled(sources: Sequence[Path], classpath: str) -> Path:
    compiler = builds.tool("javac", "default-jdk-headless")
    digest = hashlib.sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()[:12]
    folder = CACHE / "conformance" / f"java-{digest}"
    if not all((folder / f"{source.stem}.class").exists() for source in sources):
        folder.mkdir(parents=True, exist_ok=True)
        files = [str(source) for source in sources]
        subprocess.run(
            [compiler, "-nowarn", "-cp", classpath, "-d", str(folder), *files], check=True, timeout=120
        )
    return folder


def member_command(bootstrap: str) -> list[str]:
    """Members of groups that use the Java client."""
    return [java(), *JVM_OPTIONS, "-cp", f"{compiled_programs()}:{jars()}/*", "MemberHost", bootstrap]


def txn_command(bootstrap: str) -> list[str]:
    """Transactions of the Java client."""
    return [java(), *JVM_OPTIONS, "-cp", f"{compiled_programs()}:{jars()}/*", "TxnHost", bootstrap]


@dataclass
class ToolResult:
    code: int
    out: str
    err: str

    def ok(self) -> ToolResult:
        assert self.code == 0, f"exit {self.code}\n{self.out}\n{self.err}"
        return self


class JavaTools:
    """One JVM; ``run`` calls the main method of a tool in it."""

    def __init__(self) -> None:
        self._runner = compiled_programs()
        self._process: subprocess.Popen[bytes] | None = None

    def _start(self) -> subprocess.Popen[bytes]:
        command = [java(), *JVM_OPTIONS, "-cp", f"{self._runner}:{jars()}/*", "ToolRunner"]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(
        self, tool: str, *arguments: str, stdin: bytes = b"", seconds: float = TOOL_SECONDS_MAX
    ) -> ToolResult:
        if self._process is None or self._process.poll() is not None:
            self._process = self._start()
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        words = [word.encode() for word in (tool, *arguments)]
        request = [struct.pack(">i", len(words))]
        for part in (*words, stdin):
            request += [struct.pack(">i", len(part)), part]
        process.stdin.write(b"".join(request))
        process.stdin.flush()
        deadline = time.monotonic() + seconds
        try:
            (code,) = struct.unpack(">i", _read(process.stdout, 4, deadline))
            out, err = (
                _read(process.stdout, struct.unpack(">i", _read(process.stdout, 4, deadline))[0], deadline)
                for _ in range(2)
            )
        except TimeoutError:
            self.close()
            raise AssertionError(f"{tool} {' '.join(arguments)} did not end in {seconds:.0f} s") from None
        return ToolResult(code, out.decode(errors="replace"), err.decode(errors="replace"))

    def run_alone(self, tool: str, *arguments: str, more_jars: Sequence[Path] = ()) -> ToolResult:
        """In a JVM of its own, for a tool that does part of its work when the JVM ends."""
        classpath = ":".join([f"{jars()}/*", *map(str, more_jars)])
        command = [java(), *JVM_OPTIONS, "-cp", classpath, tool, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=TOOL_SECONDS_MAX, check=False)
        return ToolResult(done.returncode, done.stdout, done.stderr)

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()


def _read(stream: IO[bytes], count: int, deadline: float) -> bytes:
    """Exactly ``count`` bytes; the pipe is read raw, so that ``select`` sees what is there."""
    data = b""
    while len(data) < count:
        ready, _, _ = select.select([stream], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise TimeoutError
        chunk = os.read(stream.fileno(), count - len(data))
        if not chunk:
            raise AssertionError("the JVM with Kafka's tools ended")
        data += chunk
    return data
