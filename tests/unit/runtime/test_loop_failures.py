"""A callback that fails ends the loop and the node, loudly; a lack of descriptors ends nothing."""

from __future__ import annotations

import logging
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from riverlog.runtime.http import HttpServer
from riverlog.runtime.loop import WRITE, Loop


class Broken(Exception):
    pass


def fail() -> None:
    raise Broken


def timer(loop: Loop, _fd: int) -> None:
    loop.call_later(0.0, fail)


def completion(loop: Loop, _fd: int) -> None:
    loop.call_threadsafe(fail)


def soon(loop: Loop, _fd: int) -> None:
    loop.call_soon(fail)


def handler(loop: Loop, fd: int) -> None:
    loop.add(fd, WRITE, lambda _events: fail())


@pytest.fixture
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


@pytest.mark.parametrize("plant", [timer, completion, soon, handler])
def test_a_failing_callback_is_logged_and_ends_the_loop(
    loop: Loop, caplog: pytest.LogCaptureFixture, plant: Callable[[Loop, int], None]
) -> None:
    read, write = os.pipe()
    plant(loop, write)
    with caplog.at_level(logging.CRITICAL, "riverlog.runtime"), pytest.raises(Broken):
        loop.run()
    (said,) = caplog.records
    assert "the node ends here" in said.message
    assert said.exc_info is not None
    assert said.exc_info[0] is Broken
    os.close(read)
    os.close(write)


_NODE = """
import sys
from riverlog.base.config import BrokerConfig
from riverlog.runtime.node import Node

node = Node(BrokerConfig({"log.dirs": sys.argv[1], "listeners": "PLAINTEXT://127.0.0.1:0"}))
node.start()
if sys.argv[2] == "fail":
    node._loop.call_later(0.0, lambda: 1 // 0)
else:
    node._loop.call_later(0.0, node.request_stop)
node.run()
"""


def run_node(folder: Path, how: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _NODE, str(folder), how]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_node_whose_timer_fails_exits_at_once_and_starts_again(tmp_path: Path) -> None:
    failed = run_node(tmp_path / "data", "fail")
    assert failed.returncode == 1
    assert "ZeroDivisionError" in failed.stderr
    again = run_node(tmp_path / "data", "stop")
    assert again.returncode == 0, again.stderr


def test_the_metrics_port_waits_for_a_free_descriptor(loop: Loop, caplog: pytest.LogCaptureFixture) -> None:
    server = HttpServer(loop, "127.0.0.1", 0, {"/": lambda: (200, "text/plain", iter([b"here\n"]))})
    client = socket.create_connection((server.host, server.port), timeout=10)
    client.sendall(b"GET / HTTP/1.1\r\n\r\n")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.dup(0)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, before[1]))
    try:
        loop.run_once()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert "metrics port" in caplog.text
    turns = loop.turns
    client.settimeout(0.0)
    while True:
        loop.run_once()
        try:
            answer = client.recv(100)
            break
        except BlockingIOError:
            assert loop.turns - turns < 10, "it does not turn for nothing while it waits"
    assert answer.startswith(b"HTTP/1.1 200")
    client.close()
    server.close()
