"""A foreign client in its own process, driven by lines of JSON."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import threading
from collections.abc import Sequence
from typing import Any

from clientkit.samples import Sample

CALL_SECONDS_MAX = 40.0


class ClientError(Exception):
    """What the foreign client reported; ``kind`` is the name of Kafka's error where there is one."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


class LineClient:
    def __init__(self, command: Sequence[str], *, env: dict[str, str] | None = None) -> None:
        self._command = command
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=env and {**os.environ, **env}
        )

    def call(self, op: str, **arguments: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"op": op, **arguments}) + "\n")
        self._process.stdin.flush()
        # A call that hangs ends the client, which ends the line below.
        watchdog = threading.Timer(CALL_SECONDS_MAX, self._process.kill)
        watchdog.start()
        line = self._process.stdout.readline()
        watchdog.cancel()
        watchdog.join()
        if not line:
            assert self._process.stderr is not None
            self._process.wait()
            raise AssertionError(f"{op}: {self._command[0]} ended:\n{self._process.stderr.read()[-3000:]}")
        answer = json.loads(line)
        if "error" in answer:
            raise ClientError(answer["error"]["type"], answer["error"]["message"])
        return answer["ok"]

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.communicate()


def text(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode()


def data(encoded: str | None) -> bytes | None:
    return None if encoded is None else base64.b64decode(encoded)


def sample_row(sample: Sample, *, named_headers: bool) -> dict[str, Any]:
    """One record as JSON; ``named_headers`` makes each header an object instead of a pair."""
    headers: list[Any] = [[name, text(value)] for name, value in sample.headers]
    if named_headers:
        headers = [{"name": name, "value": value} for name, value in headers]
    row: dict[str, Any] = {"key": text(sample.key), "value": text(sample.value), "headers": headers}
    return {**row, "timestamp_ms": sample.timestamp_ms}


def sample_from_row(row: dict[str, Any]) -> Sample:
    headers = tuple((header["name"], data(header["value"])) for header in row["headers"])
    return Sample(data(row["key"]), data(row["value"]), row["timestamp_ms"], headers)
