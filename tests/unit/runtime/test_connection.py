"""A connection over a real socket pair: framing, order, bounds."""

from __future__ import annotations

import contextlib
import random
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from riverlog.base.slices import FileSlice
from riverlog.runtime import connection as connection_module
from riverlog.runtime.connection import SCRATCH_BYTES, Buffers, SocketConnection
from riverlog.runtime.disk import RealDisk
from riverlog.runtime.loop import Loop


class Owner:
    def __init__(self) -> None:
        self.in_flight = 0
        self.frames: list[bytes] = []
        self.closed: str | None = None

    def on_frame(self, frame: memoryview) -> None:
        self.frames.append(bytes(frame))

    def on_closed(self, reason: str) -> None:
        self.closed = reason


class Pair:
    """Our end and the peer's end of one connection."""

    def __init__(self, loop: Loop, buffers: Buffers) -> None:
        self.loop = loop
        ours, self.peer = socket.socketpair()
        ours.setblocking(False)
        self.peer.settimeout(5)
        self.connection = SocketConnection(loop, buffers, ours, "127.0.0.1", lambda _: None)
        self.owner = Owner()
        self.connection.owner = self.owner

    def send_some(self, data: bytes) -> int:
        """What the socket takes right now."""
        self.peer.setblocking(False)
        try:
            return self.peer.send(data)
        except BlockingIOError:
            return 0

    def turn(self, times: int = 1) -> None:
        for _ in range(times):
            self.loop.call_later(0, lambda: None)
            self.loop.run_once()


@pytest.fixture
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


@pytest.fixture
def buffers() -> Buffers:
    return Buffers(frame_bytes_max=1 << 20, total_bytes_max=4 << 20)


@pytest.fixture
def pair(loop: Loop, buffers: Buffers) -> Iterator[Pair]:
    pair = Pair(loop, buffers)
    yield pair
    pair.connection.close("test over")
    pair.peer.close()


def framed(*payloads: bytes) -> bytes:
    return b"".join(struct.pack(">i", len(payload)) + payload for payload in payloads)


def test_frames_arrive_whole_whatever_the_cuts(pair: Pair) -> None:
    rng = random.Random(7)
    payloads = [rng.randbytes(rng.choice([0, 1, 30, 5_000, 400_000])) for _ in range(60)]
    wire = framed(*payloads)
    sent = 0
    while sent < len(wire):
        step = rng.choice([1, 3, 100, 70_000])
        sent += pair.send_some(wire[sent : sent + step])
        pair.turn()
    while len(pair.owner.frames) < len(payloads):
        pair.turn()
    assert pair.owner.frames == payloads


def test_oversize_frame_closes_only_that_connection(pair: Pair, loop: Loop, buffers: Buffers) -> None:
    other = Pair(loop, buffers)
    pair.peer.send(struct.pack(">i", (1 << 20) + 1))
    other.peer.send(framed(b"fine"))
    pair.turn(2)
    assert pair.owner.closed is not None
    assert "socket.request.max.bytes" in pair.owner.closed
    assert other.owner.frames == [b"fine"]
    other.connection.close("test over")
    other.peer.close()


def test_negative_frame_size_closes(pair: Pair) -> None:
    pair.peer.send(b"\xff\xff\xff\xff")
    pair.turn()
    assert pair.owner.closed is not None


def test_memory_follows_what_arrived_not_what_was_announced(pair: Pair, buffers: Buffers) -> None:
    pair.peer.send(struct.pack(">i", 1 << 20) + b"x" * 10)
    pair.turn()
    assert buffers.total_bytes <= 2 * SCRATCH_BYTES


def test_buffers_are_given_back(pair: Pair, buffers: Buffers) -> None:
    wire = framed(b"z" * 900_000)
    sent = 0
    while sent < len(wire):
        sent += pair.send_some(wire[sent : sent + 100_000])
        pair.turn()
    pair.turn()
    assert [len(frame) for frame in pair.owner.frames] == [900_000]
    assert buffers.total_bytes == 0


def test_a_peer_that_sent_a_large_frame_gets_the_room_for_the_next_at_once(
    pair: Pair, buffers: Buffers
) -> None:
    wire = framed(b"z" * 900_000)
    sent = 0
    while sent < len(wire):
        sent += pair.send_some(wire[sent : sent + 100_000])
        pair.turn()
    pair.turn()
    assert len(pair.owner.frames) == 1
    pair.send_some(wire[:10])
    pair.turn()
    assert buffers.total_bytes == len(wire)


def test_large_partial_frames_past_the_total_bound_wait_their_turn(loop: Loop) -> None:
    buffers = Buffers(frame_bytes_max=1 << 20, total_bytes_max=700_000)
    pairs = [Pair(loop, buffers) for _ in range(3)]
    wire = framed(b"q" * 600_000)
    sent = [0, 0, 0]
    for _ in range(400):
        for number, pair in enumerate(pairs):
            sent[number] += pair.send_some(wire[sent[number] : sent[number] + 50_000])
        pairs[0].turn()
        assert buffers.total_bytes < 3_000_000
    assert [[len(frame) for frame in pair.owner.frames] for pair in pairs] == [[600_000]] * 3
    for pair in pairs:
        pair.connection.close("test over")
        pair.peer.close()


def test_a_stalled_large_frame_gives_way_to_the_waiting(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "STALLED_SECONDS_MAX", 0.05)
    buffers = Buffers(frame_bytes_max=1 << 20, total_bytes_max=300_000)
    stalled, waiting = Pair(loop, buffers), Pair(loop, buffers)
    wire = framed(b"q" * 600_000)
    sent = 0
    while sent < 400_000:  # then it stops
        sent += stalled.send_some(wire[sent : min(sent + 50_000, 400_000)])
        stalled.turn()
    sent = 0
    deadline = loop.monotonic() + 10
    while not waiting.owner.frames:
        assert loop.monotonic() < deadline
        sent += waiting.send_some(wire[sent : sent + 50_000])
        waiting.turn()
    assert stalled.owner.closed is not None
    assert "others wait" in stalled.owner.closed
    for pair in (stalled, waiting):
        pair.connection.close("test over")
        pair.peer.close()


def test_too_many_requests_in_flight_stop_reading(pair: Pair) -> None:
    pair.owner.in_flight = connection_module.IN_FLIGHT_MAX
    pair.peer.send(framed(b"a", b"b", b"c"))
    pair.turn(3)
    assert pair.owner.frames == [b"a"]
    pair.owner.in_flight = 0
    pair.connection.send([b"reply"])
    pair.turn(2)
    assert pair.owner.frames == [b"a", b"b", b"c"]


def test_slow_reader_is_not_read_from_until_it_reads(pair: Pair) -> None:
    reply = b"r" * (connection_module.UNSENT_BYTES_MAX * 4)
    pair.connection.send([reply])
    pair.turn()
    pair.peer.send(framed(b"one"))
    pair.turn()
    pair.peer.send(framed(b"two"))
    pair.turn()
    assert pair.owner.frames == [b"one"]
    got = 0
    while got < len(reply):
        got += len(pair.peer.recv(1 << 20))
        pair.turn()
    pair.turn(2)
    assert pair.owner.frames == [b"one", b"two"]


def test_slices_and_bytes_leave_in_order(pair: Pair, loop: Loop, tmp_path: Path) -> None:
    disk = RealDisk(loop.call_threadsafe)
    file = disk.open(str(tmp_path / "x.log"), create=True)
    content = random.Random(1).randbytes(3_000_000)
    file.append(content)
    expected = b"h1" + content[10:110] + b"h2" + content[500_000:2_900_000] + b"tail"
    pair.connection.send([b"h1", FileSlice(file, 10, 100)])
    pair.connection.send([b"h2", FileSlice(file, 500_000, 2_400_000), b"tail"])
    got = bytearray()
    while len(got) < len(expected):
        pair.turn()
        pair.peer.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            got += pair.peer.recv(1 << 20)
    assert bytes(got) == expected
    assert file.pins == 0
    disk.close()


def test_closing_drops_pins(pair: Pair, loop: Loop, tmp_path: Path) -> None:
    disk = RealDisk(loop.call_threadsafe)
    file = disk.open(str(tmp_path / "x.log"), create=True)
    file.append(bytes(5_000_000))
    pair.connection.send([FileSlice(file, 0, 5_000_000)])
    pair.turn()
    assert file.pins == 1
    pair.peer.close()
    pair.turn(3)
    assert pair.owner.closed is not None
    assert file.pins == 0
    disk.close()
