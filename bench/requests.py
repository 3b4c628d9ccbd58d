"""A load generator of one-record Produce requests over plain sockets.

One process, one epoll, requests built once per connection, answers counted by size: about
4 µs a request, so that the broker and not the generator is what is measured.
"""

from __future__ import annotations

import select
import socket
import time
from collections import deque
from typing import Any

from bench import wire
from bench.client import Stopwatch, demand_held, percentiles

_RECEIVE_BYTES = 65_536
_DRAIN_SECONDS_MAX = 20.0


class _Connection:
    __slots__ = ("bursts", "pending", "sent_at", "sock")

    def __init__(self, sock: socket.socket, request: bytes, in_flight: int) -> None:
        self.sock = sock
        self.bursts = [request * count for count in range(in_flight + 1)]
        self.pending = 0  # bytes of a partly received answer
        self.sent_at: deque[float] = deque()


def _connect(params: dict[str, Any], number: int) -> _Connection:
    host, port = params["bootstrap"].split(":")
    sock = socket.create_connection((host, int(port)), timeout=20)
    sock.settimeout(None)  # with a time-out each call would poll first
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    request = wire.one_record_request(
        params["topic"],
        number % params["partitions"],
        b"x" * params["value_bytes"],
        timestamp_ms=int(time.time() * 1000),
        acks=params["acks"],
    )
    return _Connection(sock, request, params["in_flight"])


class _Load:
    def __init__(self, params: dict[str, Any]) -> None:
        self._error_at, self._answer_size = wire.answer_shape(params["topic"])
        self._in_flight = params["in_flight"]
        self._epoll = select.epoll()
        self._by_fd: dict[int, _Connection] = {}
        for number in range(params["connections"]):
            connection = _connect(params, number)
            self._by_fd[connection.sock.fileno()] = connection
            self._epoll.register(connection.sock.fileno(), select.EPOLLIN)
        self.samples: list[float] = []

    def fill(self) -> None:
        for connection in self._by_fd.values():
            connection.sock.sendall(connection.bursts[-1])
            connection.sent_at.extend([time.perf_counter()] * self._in_flight)

    def run_until(self, deadline: float, *, keep_sending: bool, stop_at: int = 1 << 62) -> int:
        """Count answers until then, each answered request being sent again; answers the count."""
        error_at, answer_size, by_fd = self._error_at, self._answer_size, self._by_fd
        poll, clock, sample = self._epoll.poll, time.perf_counter, self.samples.append
        answered = 0
        ok = (b"\0\0", b"")  # b"": the answer is not whole yet
        while answered < stop_at and (now := clock()) < deadline:
            for fd, _ in poll(0.2):
                connection = by_fd[fd]
                data = connection.sock.recv(_RECEIVE_BYTES)
                if not data:
                    raise SystemExit("the broker closed a connection")
                if not connection.pending and data[error_at : error_at + 2] not in ok:
                    code = int.from_bytes(data[error_at : error_at + 2], signed=True)
                    raise SystemExit(f"the broker answered error {code}")
                count, connection.pending = divmod(connection.pending + len(data), answer_size)
                if count == 0:
                    continue
                now = clock()
                sent_at = connection.sent_at
                for _ in range(count):
                    sample(now - sent_at.popleft())
                answered += count
                if keep_sending:
                    connection.sock.send(connection.bursts[count])
                    for _ in range(count):
                        sent_at.append(now)
        return answered

    def outstanding(self) -> int:
        return sum(len(connection.sent_at) for connection in self._by_fd.values())

    def close(self) -> None:
        for connection in self._by_fd.values():
            connection.sock.close()
        self._epoll.close()


def run(params: dict[str, Any]) -> dict[str, Any]:
    load = _Load(params)
    load.fill()
    warm = load.run_until(time.perf_counter() + params["warm_seconds"], keep_sending=True)
    load.samples.clear()
    watch = Stopwatch(params["pids"])
    measured = load.run_until(time.perf_counter() + params["seconds"], keep_sending=True)
    result = watch.result(measured, params["value_bytes"])
    latencies = percentiles([seconds * 1000 for seconds in load.samples])
    waiting = load.outstanding()
    drained = load.run_until(time.perf_counter() + _DRAIN_SECONDS_MAX, keep_sending=False, stop_at=waiting)
    load.close()
    if drained < waiting:
        raise SystemExit(f"{waiting - drained} requests got no answer in {_DRAIN_SECONDS_MAX:.0f} s")
    demand_held(params, warm + measured + drained)
    return {**result, **latencies}
