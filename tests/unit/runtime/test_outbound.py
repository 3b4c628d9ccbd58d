"""Connections that a node opens, over real sockets on the loopback interface."""

from __future__ import annotations

import contextlib
import random
import socket
import struct
import time
from collections.abc import Callable, Iterator

import pytest

from riverlog.base.config import ConfigError
from riverlog.env import Closed
from riverlog.runtime import outbound as outbound_module
from riverlog.runtime.loop import Loop
from riverlog.runtime.outbound import Outbound, OutboundChannel, parse_detours


class Caller:
    """Opens connections and keeps what it is told."""

    def __init__(self, loop: Loop, network: Outbound) -> None:
        self.loop = loop
        self.network = network
        self.connected = False
        self.received = bytearray()
        self.closed: list[Closed] = []

    def connect(self, port: int, host: str = "127.0.0.1") -> OutboundChannel:
        def on_connected() -> None:
            self.connected = True

        return self.network.connect(
            host,
            port,
            on_connected=on_connected,
            on_received=self.received.extend,
            on_closed=self.closed.append,
        )

    def until(self, condition: Callable[[], bool]) -> None:
        turn_until(self.loop, condition)


def turn_until(loop: Loop, condition: Callable[[], bool], seconds_max: float = 5.0) -> None:
    deadline = time.monotonic() + seconds_max
    while not condition():
        assert time.monotonic() < deadline
        loop.call_later(0.01, lambda: None)
        loop.run_once()


@pytest.fixture
def loop() -> Iterator[Loop]:
    made = Loop()
    yield made
    made.close()


@pytest.fixture
def caller(loop: Loop) -> Iterator[Caller]:
    network = Outbound(loop)
    yield Caller(loop, network)
    network.close()


@pytest.fixture
def server() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(5)
        yield listening


def port_of(sock: socket.socket) -> int:
    return int(sock.getsockname()[1])


def test_bytes_go_both_ways(caller: Caller, server: socket.socket) -> None:
    channel = caller.connect(port_of(server))
    assert not caller.connected  # never inside connect()
    channel.send(b"sent early, ")
    caller.until(lambda: caller.connected)
    channel.send(b"sent later")
    peer, _ = server.accept()
    with peer:
        peer.settimeout(5)
        caller.until(lambda: len(peer.recv(100, socket.MSG_PEEK)) == 22)
        assert peer.recv(100) == b"sent early, sent later"
        peer.sendall(b"answer")
        caller.until(lambda: caller.received == b"answer")
    assert caller.closed == []


def test_small_requests_are_not_held_back(caller: Caller, server: socket.socket) -> None:
    caller.connect(port_of(server))
    caller.until(lambda: caller.connected)
    (channel,) = caller.network._channels
    assert channel._socket is not None
    assert channel._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    assert channel._socket.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


def test_a_port_where_nobody_listens_refuses(caller: Caller) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound, but it does not listen
        caller.connect(port_of(unused))
        assert caller.closed == []
        caller.until(lambda: bool(caller.closed))
    assert [(closed.refused, closed.reset) for closed in caller.closed] == [(True, False)]
    assert not caller.connected
    assert len(caller.network) == 0


@pytest.mark.parametrize("how", ["close", "reset"])
def test_a_peer_that_goes_away_is_told_as_reset(caller: Caller, server: socket.socket, how: str) -> None:
    caller.connect(port_of(server))
    caller.until(lambda: caller.connected)
    peer, _ = server.accept()
    if how == "reset":
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()
    caller.until(lambda: bool(caller.closed))
    assert [(closed.refused, closed.reset) for closed in caller.closed] == [(False, True)]


def test_sending_to_a_peer_that_is_gone_tells_once(caller: Caller, server: socket.socket) -> None:
    channel = caller.connect(port_of(server))
    caller.until(lambda: caller.connected)
    peer, _ = server.accept()
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()
    for _ in range(10):
        channel.send(b"x" * 100_000)  # never calls back
    assert caller.closed == []
    caller.until(lambda: bool(caller.closed))
    channel.send(b"too late")
    caller.until(lambda: True)
    assert [closed.reset for closed in caller.closed] == [True]


def test_nothing_is_told_after_close(caller: Caller, server: socket.socket) -> None:
    first = caller.connect(port_of(server))
    first.close()
    second = caller.connect(port_of(server))
    caller.until(lambda: caller.connected)
    second.close()
    second.close()
    peer, _ = server.accept()
    with peer:
        peer.settimeout(5)
        assert peer.recv(10) == b""
    for _ in range(5):
        caller.until(lambda: True)
    assert caller.closed == []
    assert len(caller.network) == 0


def test_large_frames_pass_both_ways(caller: Caller, server: socket.socket) -> None:
    """More than any socket buffer holds, to a peer that reads late."""
    channel = caller.connect(port_of(server))
    caller.until(lambda: caller.connected)
    peer, _ = server.accept()
    data = random.Random(1).randbytes(8_000_000)
    sizes = [1, 10, 300_000, 5_000_000, 3]
    position = 0
    for size in [*sizes, len(data) - sum(sizes)]:
        channel.send(data[position : position + size])
        position += size
    with peer:
        peer.setblocking(False)
        got = bytearray()

        def read() -> bool:
            with contextlib.suppress(BlockingIOError):
                got.extend(peer.recv(1_000_000))
            return len(got) >= len(data)

        caller.until(read)
        assert got == data
        left = memoryview(data)

        def write() -> bool:
            nonlocal left
            with contextlib.suppress(BlockingIOError):
                left = left[peer.send(left) :] if left else left
            return len(caller.received) >= len(data)

        caller.until(write)
    assert caller.received == data


def test_a_callback_that_fails_ends_the_loop(loop: Loop, caller: Caller, server: socket.socket) -> None:
    """State may be half changed: nothing may go on as if it were whole."""
    connected: list[bool] = []

    def broken(data: memoryview) -> None:
        raise ValueError("a bug")

    caller.network.connect(
        "127.0.0.1",
        port_of(server),
        on_connected=lambda: connected.append(True),
        on_received=broken,
        on_closed=caller.closed.append,
    )
    caller.until(lambda: bool(connected))
    peer, _ = server.accept()
    with peer:
        peer.sendall(b"x")
        with pytest.raises(ValueError, match="a bug"):
            caller.until(lambda: bool(caller.closed))


def test_names_are_looked_up(caller: Caller, server: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *_a, **_k: [(0, 0, 0, "", (host, 0)) for host in ("::1", "127.0.0.1")]
    )
    caller.connect(port_of(server), host="broker.example")  # the first address refuses
    caller.until(lambda: caller.connected)


def test_a_name_that_is_unknown_is_told(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_args: object, **_kwargs: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(outbound_module.socket, "getaddrinfo", unknown)
    caller.connect(9092, host="no.such.host")
    assert caller.closed == []
    caller.until(lambda: bool(caller.closed))
    assert "no.such.host" in caller.closed[0].reason
    assert not caller.closed[0].refused


def test_localhost_needs_no_look_up(
    caller: Caller, server: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbound_module.socket, "getaddrinfo", None)
    caller.connect(port_of(server), host="localhost")
    caller.until(lambda: caller.connected)


def test_closing_the_network_closes_every_connection(
    loop: Loop, caller: Caller, server: socket.socket
) -> None:
    caller.connect(port_of(server))
    caller.until(lambda: caller.connected)
    caller.network.close()
    peer, _ = server.accept()
    with peer:
        peer.settimeout(5)
        assert peer.recv(10) == b""
    assert caller.closed == []
    caller.connect(port_of(server))
    caller.until(lambda: bool(caller.closed))


def test_detours_lead_to_another_address(loop: Loop, server: socket.socket) -> None:
    network = Outbound(loop, detours=parse_detours([f"node-2:19092=127.0.0.1:{port_of(server)}"]))
    caller = Caller(loop, network)
    caller.connect(19092, host="node-2")
    caller.until(lambda: caller.connected)
    network.close()


@pytest.mark.parametrize("text", ["a:1", "a:1=b", "a=b:1", "a:1=b:x", ""])
def test_bad_detours_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="HOST:PORT=HOST:PORT"):
        parse_detours([text])
