"""The simulated network of a cluster: order, loss, silence."""

from __future__ import annotations

from typing import Any, cast

import pytest

from riverlog.broker.session import Session
from riverlog.env.network import Closed
from riverlog.sim.clock import Scheduler
from riverlog.sim.cluster_network import ClusterNetwork, ServerEnd
from riverlog.sim.cluster_trace import ClusterTrace
from riverlog.sim.process import Process
from riverlog.sim.rng import SimRng

pytestmark = pytest.mark.sim
PORT = 9092


class Echo:
    """A session that answers every frame with itself."""

    def __init__(self, end: ServerEnd) -> None:
        self.end = end
        self.frames: list[bytes] = []
        self.closed = ""

    def on_frame(self, frame: memoryview) -> None:
        self.frames.append(bytes(frame))
        self.end.send([len(frame).to_bytes(4, "big"), bytes(frame)])

    def on_closed(self, reason: str) -> None:
        self.closed = reason


class Pair:
    """A client and a server, each with a process."""

    def __init__(self, seed: int = 1) -> None:
        self.scheduler = Scheduler()
        self.network = ClusterNetwork(self.scheduler, SimRng(f"network-{seed}"), ClusterTrace(self.scheduler))
        self.server = Process(self.scheduler)
        self.client = Process(self.scheduler)
        self.network.host("server").started(self.server)
        self.network.host("client").started(self.client)
        self.network.host("server").listeners[PORT] = self._accept
        self.sessions: list[Echo] = []
        self.received = bytearray()
        self.connected: list[float] = []
        self.closed: list[Closed] = []

    def _accept(self, end: ServerEnd, _peer: str) -> Session:
        self.sessions.append(Echo(end))
        return cast(Session, self.sessions[-1])

    def connect(self) -> Any:
        return self.network.dialer("client").connect(
            "server",
            PORT,
            on_connected=lambda: self.connected.append(self.scheduler.now),
            on_received=self._received,
            on_closed=self.closed.append,
        )

    def _received(self, data: memoryview) -> None:
        self.received += data

    @property
    def answers(self) -> list[bytes]:
        found, at = [], 0
        while at + 4 <= len(self.received):
            size = int.from_bytes(self.received[at : at + 4], "big")
            if at + 4 + size > len(self.received):
                break
            found.append(bytes(self.received[at + 4 : at + 4 + size]))
            at += 4 + size
        return found


def frame(number: int) -> bytes:
    body = number.to_bytes(4, "big") * 5
    return len(body).to_bytes(4, "big") + body


def numbers(frames: list[bytes]) -> list[int]:
    return [int.from_bytes(one[:4], "big") for one in frames]


def test_a_connection_keeps_the_order_of_what_was_sent() -> None:
    for seed in range(10):
        pair = Pair(seed)
        channel = pair.connect()
        for number in range(50):
            channel.send(frame(number))
        pair.scheduler.run_for(120.0)
        assert numbers(pair.answers) == list(range(50))


def test_connections_overtake_each_other() -> None:
    orders = set()
    for seed in range(20):
        pair = Pair(seed)
        for _ in range(2):
            pair.connect()
        pair.scheduler.run_for(1.0)
        first, second = (pair.connect() for _ in range(2))
        first.send(frame(1))
        second.send(frame(2))
        pair.scheduler.run_for(30.0)
        orders.add(tuple(numbers(pair.answers)))
    assert orders == {(1, 2), (2, 1)}


def test_a_host_where_nobody_listens_refuses() -> None:
    pair = Pair()
    pair.network.host("server").process_died()
    pair.connect()
    pair.scheduler.run_for(5.0)
    assert [one.refused for one in pair.closed] == [True]
    assert not pair.connected


def test_a_killed_process_resets_its_connections() -> None:
    pair = Pair()
    channel = pair.connect()
    pair.scheduler.run_for(1.0)
    pair.network.host("server").process_died()
    pair.scheduler.run_for(5.0)
    assert [(one.refused, one.reset) for one in pair.closed] == [(False, True)]
    channel.send(frame(1))
    assert not pair.sessions[0].frames


def test_a_host_without_power_says_nothing_until_it_is_back() -> None:
    pair = Pair()
    channel = pair.connect()
    pair.scheduler.run_for(1.0)
    pair.network.host("server").lost_power()
    channel.send(frame(1))
    pair.scheduler.run_for(30.0)
    assert not pair.closed
    pair.network.host("server").started(Process(pair.scheduler))
    channel.send(frame(2))
    pair.scheduler.run_for(5.0)
    assert [one.reset for one in pair.closed] == [True]


def test_a_cut_off_link_stalls_and_delivers_late() -> None:
    outcomes = set()
    for seed in range(12):
        pair = Pair(seed)
        channel = pair.connect()
        pair.scheduler.run_for(1.0)
        pair.network.block("client", "server")
        for number in range(3):
            channel.send(frame(number))
        pair.scheduler.run_for(20.0)
        assert not pair.answers
        assert not pair.closed
        pair.network.unblock("client", "server")
        pair.scheduler.run_for(20.0)
        arrived = numbers(pair.sessions[0].frames)
        assert arrived == list(range(len(arrived)))
        outcomes.add((len(arrived), bool(pair.closed)))
    assert (3, False) in outcomes  # sent again, in order
    assert any(closed for _, closed in outcomes)  # or the connection was lost


def test_one_way_requests_arrive_and_answers_do_not() -> None:
    pair = Pair()
    channel = pair.connect()
    pair.scheduler.run_for(1.0)
    pair.network.block("server", "client")
    channel.send(frame(7))
    pair.scheduler.run_for(10.0)
    assert numbers(pair.sessions[0].frames) == [7]
    assert not pair.answers


def test_a_cut_may_come_in_the_middle_of_a_frame() -> None:
    lengths = set()
    for seed in range(30):
        pair = Pair(seed)
        channel = pair.connect()
        pair.scheduler.run_for(1.0)
        channel.send(frame(1))
        session = pair.sessions[0]
        while not session.frames:
            pair.scheduler.step()
        next(iter(pair.network.host("client").wires)).cut()
        pair.scheduler.run_for(10.0)
        assert pair.closed
        lengths.add(len(pair.received) % 24)
    assert len(lengths) > 1


def test_a_stopped_process_gets_everything_late_and_in_order() -> None:
    pair = Pair()
    channel = pair.connect()
    pair.scheduler.run_for(1.0)
    fired: list[float] = []
    pair.server.call_later(1.0, lambda: fired.append(pair.scheduler.now))
    cancelled = pair.server.call_later(1.0, lambda: fired.append(-1.0))
    pair.server.pause()
    channel.send(frame(1))
    channel.send(frame(2))
    pair.scheduler.run_for(5.0)
    assert not pair.answers
    assert not fired
    cancelled.cancel()
    pair.server.resume()
    pair.scheduler.run_for(5.0)
    assert numbers(pair.answers) == [1, 2]
    assert fired == [6.0]


def test_a_dead_process_hears_nothing() -> None:
    pair = Pair()
    fired: list[bool] = []
    pair.server.call_later(1.0, lambda: fired.append(True))
    pair.server.pause()
    pair.scheduler.run_for(2.0)
    pair.server.kill()
    pair.scheduler.run_for(2.0)
    assert not fired
