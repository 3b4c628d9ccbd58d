"""A connection whose client is over its quota is not read for a while; its replies leave."""

from __future__ import annotations

import logging
import socket
import struct
from collections.abc import Callable, Iterator

import pytest

from riverlog.runtime.connection import Buffers, SocketConnection
from riverlog.runtime.loop import Loop

PAUSE_SECONDS = 0.05


class Owner:
    def __init__(self) -> None:
        self.in_flight = 0
        self.frames: list[bytes] = []
        self.closed: str | None = None
        self.on_each: Callable[[bytes], None] = lambda _: None

    def on_frame(self, frame: memoryview) -> None:
        self.frames.append(bytes(frame))
        self.on_each(bytes(frame))

    def on_closed(self, reason: str) -> None:
        self.closed = reason


class Line:
    def __init__(self) -> None:
        self.loop = Loop()
        ours, self.peer = socket.socketpair()
        ours.setblocking(False)
        self.peer.settimeout(5)
        buffers = Buffers(frame_bytes_max=1 << 20, total_bytes_max=4 << 20)
        self.connection = SocketConnection(self.loop, buffers, ours, "127.0.0.1", lambda _: None)
        self.owner = self.connection.owner = Owner()

    def turn(self) -> None:
        self.loop.call_later(0, lambda: None)
        self.loop.run_once()

    def turn_until(self, condition: Callable[[], bool]) -> float:
        """Answers how long it took."""
        started = self.loop.monotonic()
        while not condition():
            assert self.loop.monotonic() - started < 5
            self.turn()
        return self.loop.monotonic() - started


@pytest.fixture
def line() -> Iterator[Line]:
    line = Line()
    yield line
    line.connection.close("test over")
    line.peer.close()
    line.loop.close()


def framed(*payloads: bytes) -> bytes:
    return b"".join(struct.pack(">i", len(payload)) + payload for payload in payloads)


def test_pipelined_requests_wait_in_order_and_the_reply_leaves(line: Line) -> None:
    def answer(frame: bytes) -> None:
        if frame == b"one":
            line.connection.send([framed(b"reply")])
            line.connection.pause_for(PAUSE_SECONDS)

    line.owner.on_each = answer
    line.peer.sendall(framed(b"one", b"two", b"three"))
    line.turn_until(lambda: bool(line.owner.frames))
    assert line.owner.frames == [b"one"]
    assert line.peer.recv(100) == framed(b"reply")
    line.peer.sendall(framed(b"four"))
    took = line.turn_until(lambda: len(line.owner.frames) == 4)
    assert line.owner.frames == [b"one", b"two", b"three", b"four"]
    assert took > PAUSE_SECONDS / 2


def test_later_end_of_two_pauses_counts(line: Line) -> None:
    line.connection.pause_for(2 * PAUSE_SECONDS)
    line.connection.pause_for(PAUSE_SECONDS)
    line.peer.sendall(framed(b"x"))
    assert line.turn_until(lambda: bool(line.owner.frames)) > 1.5 * PAUSE_SECONDS


def test_pause_is_prolonged(line: Line) -> None:
    line.connection.pause_for(PAUSE_SECONDS / 2)
    line.connection.pause_for(2 * PAUSE_SECONDS)
    line.peer.sendall(framed(b"x"))
    assert line.turn_until(lambda: bool(line.owner.frames)) > 1.5 * PAUSE_SECONDS


def test_pause_of_a_closed_connection_is_nothing(line: Line) -> None:
    line.connection.pause_for(PAUSE_SECONDS)
    line.connection.close("gone")
    line.connection.pause_for(PAUSE_SECONDS)
    ended = line.loop.monotonic() + 2 * PAUSE_SECONDS
    line.turn_until(lambda: line.loop.monotonic() > ended)
    assert line.owner.closed == "gone"


def test_request_that_fails_after_a_pause_closes_its_connection_only(
    line: Line, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(frame: bytes) -> None:
        if frame == b"one":
            line.connection.pause_for(PAUSE_SECONDS)
        else:
            raise RuntimeError("a bug")

    line.owner.on_each = fail
    line.peer.sendall(framed(b"one", b"two"))
    with caplog.at_level(logging.CRITICAL, "riverlog.runtime"):
        line.turn_until(lambda: line.owner.closed is not None)
    assert line.owner.closed == "the broker failed on a request"
