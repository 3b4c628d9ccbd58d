"""Each script gets the answers that Apache Kafka 4.3.1 gave (``transcript.py`` says how they were taken)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_response
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from tests.datadriven.groups.transcript import SETTINGS, Script
from tests.unit.broker.broker_world import Client, World

SCRIPTS = sorted(Path(__file__).parent.glob("*.txt"))


class _Simulated:
    """A broker on a simulated disk and clock."""

    def __init__(self) -> None:
        self._world = World(**{name.replace(".", "_"): value for name, value in SETTINGS.items()})
        self._clients: dict[str, Client] = {}
        self._sent: dict[str, list[tuple[ApiKey, int]]] = {}

    def send(self, who: str, key: ApiKey, version: int, request: Any) -> None:
        if who not in self._clients:
            self._clients[who] = self._world.client()
            self._sent[who] = []
        self._sent[who].append((key, version))
        self._clients[who].post(key, version, request)

    def wait(self, milliseconds: int) -> None:
        clock = self._world.clock
        until = clock.monotonic() + milliseconds / 1000
        done: list[bool] = []
        clock.call_later(milliseconds / 1000, lambda: done.append(True))
        assert self._world.run_until(lambda: bool(done))
        assert clock.monotonic() >= until

    def received(self) -> list[tuple[str, Any]]:
        answers = []
        for who, client in self._clients.items():
            for frame in client.frames:
                key, version = self._sent[who].pop(0)
                answers.append((who, decode_response(key, version, memoryview(frame))[1]))
            client.frames.clear()
        return answers

    def find_coordinator(self, group_id: str) -> None:
        request = FindCoordinatorRequest(key=group_id, key_type=0)
        response = self._world.client().call(ApiKey.FIND_COORDINATOR, 3, request)
        assert response.error_code == 0
        self.wait(100)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_groups_answer_as_kafka_does(path: Path) -> None:
    wire = _Simulated()
    wire.find_coordinator("g-0")
    expected = path.read_text(encoding="utf-8")
    assert Script(wire, "g-0").run(expected) == expected


def test_there_are_scripts() -> None:
    assert len(SCRIPTS) >= 8
