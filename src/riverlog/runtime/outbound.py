"""Connections that this node opens: ``env.Dialer`` on the loop.

Names are looked up in a thread, all but ``localhost``; their addresses are tried in turn. What is
sent before the connection is up waits for it. Bytes arrive in one scratch buffer shared by all.
"""

from __future__ import annotations

import errno
import os
import re
import socket
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from riverlog.base.config import ConfigError
from riverlog.env import Closed
from riverlog.runtime.loop import READ, WRITE, Loop
from riverlog.runtime.threads import WorkerPool

RECEIVE_BYTES = 256 * 1024
SEND_BYTES_MAX = 256 * 1024
"""Small pieces leave together up to this size."""
LOOKUP_THREADS_MAX = 2
KEEPALIVE_SECONDS = 10
KEEPALIVE_PROBES = 3

_RESETS = frozenset({errno.ECONNRESET, errno.EPIPE, errno.ECONNABORTED})
_DETOUR = re.compile(r"(.+):([0-9]{1,5})=(.+):([0-9]{1,5})", re.ASCII)

Address = tuple[str, int]


class Outbound:
    """Opens connections and closes them all at the end.

    ``detours``: addresses that are reached through another one, as tests of partitions need it.
    """

    def __init__(self, loop: Loop, *, detours: Mapping[Address, Address] | None = None) -> None:
        self._loop = loop
        self._detours = dict(detours or {})
        self._lookups = WorkerPool("riverlog-lookup", LOOKUP_THREADS_MAX, loop.call_threadsafe)
        self._channels: dict[OutboundChannel, None] = {}
        self._scratch = memoryview(bytearray(RECEIVE_BYTES))
        self._closed = False

    def __len__(self) -> int:
        return len(self._channels)

    def connect(
        self,
        host: str,
        port: int,
        *,
        on_connected: Callable[[], None],
        on_received: Callable[[memoryview], None],
        on_closed: Callable[[Closed], None],
    ) -> OutboundChannel:
        channel = OutboundChannel(
            self._loop, self._scratch, on_connected, on_received, on_closed, self._forget
        )
        self._channels[channel] = None
        host, port = self._detours.get((host, port), (host, port))
        numeric = numeric_addresses(host)
        if self._closed:
            self._loop.call_soon(lambda: channel.fail(Closed("this node stops")))
        elif numeric:
            self._loop.call_soon(lambda: channel.open(numeric, port))
        else:
            self._look_up(channel, host, port)
        return channel

    def _look_up(self, channel: OutboundChannel, host: str, port: int) -> None:
        def found(addresses: list[str] | str) -> None:
            if isinstance(addresses, str):
                channel.fail(Closed(addresses))
            else:
                channel.open(addresses, port)

        if not self._lookups.submit(lambda: _resolve(host), found):
            self._loop.call_soon(lambda: channel.fail(Closed("too many names are being looked up")))

    def _forget(self, channel: OutboundChannel) -> None:
        self._channels.pop(channel, None)

    def close(self) -> None:
        """Drop every connection, without a word to its owner."""
        self._closed = True
        for channel in list(self._channels):
            channel.close()
        self._lookups.close()


class OutboundChannel:
    """Implements ``env.Channel`` over a non-blocking socket."""

    def __init__(
        self,
        loop: Loop,
        scratch: memoryview,
        on_connected: Callable[[], None],
        on_received: Callable[[memoryview], None],
        on_closed: Callable[[Closed], None],
        forget: Callable[[OutboundChannel], None],
    ) -> None:
        self._loop = loop
        self._scratch = scratch
        self._on_connected = on_connected
        self._on_received = on_received
        self._on_closed = on_closed
        self._forget = forget
        self._socket: socket.socket | None = None
        self._addresses: deque[str] = deque()
        self._port = 0
        self._up = False
        self._closed = False
        self._dirty = False
        self._interest = 0
        self._unsent: deque[bytes | memoryview] = deque()

    # -- connecting ----------------------------------------------------------------------

    def open(self, addresses: list[str], port: int) -> None:
        """Try these addresses in turn."""
        self._addresses = deque(addresses)
        self._port = port
        self._try_next(Closed("the name has no address"))

    def _try_next(self, last: Closed) -> None:
        """Begin to connect to the next address; after the last one, ``last`` is what is told."""
        while self._addresses and not self._closed:
            host = self._addresses.popleft()
            try:
                sock = _new_socket(host)
            except OSError as problem:
                last = Closed(f"cannot open a socket: {problem.strerror}")
                continue
            code = sock.connect_ex((host, self._port))
            if code in (0, errno.EINPROGRESS):
                self._socket = sock
                self._interest = WRITE
                self._loop.add(sock.fileno(), WRITE, self._on_ready)
                return
            sock.close()
            last = _not_connected(code)
        self.fail(last)

    def _on_connect_done(self) -> None:
        sock = self._socket
        assert sock is not None
        code = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code == 0:
            try:
                if sock.getsockname() == sock.getpeername():
                    code = (
                        errno.ECONNREFUSED
                    )  # the kernel gave us the very port we asked for: nobody is there
            except OSError:
                return  # not connected yet: the event was for an older owner of this descriptor
        if code:
            self._drop_socket()
            self._try_next(_not_connected(code))
            return
        self._up = True
        self._set_interest()
        self._on_connected()
        if self._unsent and not self._closed:
            self.flush()

    # -- out -----------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        if self._closed:
            return
        self._unsent.append(data)
        if self._up and not self._dirty:
            self._dirty = True
            self._loop.flush_later(self)

    def flush(self) -> None:
        """Send what the socket takes; the rest waits for it to be writable."""
        self._dirty = False
        if self._closed:
            return
        try:
            while self._unsent and self._send_some():
                pass
        except BlockingIOError:
            pass
        except OSError as problem:
            self.fail(_lost(problem))
            return
        self._set_interest()

    def _send_some(self) -> bool:
        """Send the head of what waits, small pieces together; True if all of it left."""
        assert self._socket is not None
        unsent = self._unsent
        piece = unsent.popleft()
        if unsent and len(piece) < SEND_BYTES_MAX:
            run = [piece]
            size = len(piece)
            while unsent and size + len(unsent[0]) <= SEND_BYTES_MAX:
                run.append(unsent.popleft())
                size += len(run[-1])
            piece = b"".join(run)
        try:
            sent = self._socket.send(piece)
        except BlockingIOError:
            unsent.appendleft(piece)
            raise
        if sent < len(piece):
            unsent.appendleft(memoryview(piece)[sent:])
            return False
        return True

    # -- in ------------------------------------------------------------------------------

    def _on_ready(self, events: int) -> None:
        if not self._up:
            self._on_connect_done()
            return
        if events & WRITE and not self._dirty:
            self.flush()
        if events & ~WRITE and not self._closed:
            self._receive()

    def _receive(self) -> None:
        assert self._socket is not None
        try:
            count = self._socket.recv_into(self._scratch)
        except BlockingIOError:
            return
        except OSError as problem:
            self.fail(_lost(problem))
            return
        if count == 0:
            self.fail(Closed("closed by the peer", reset=True))
            return
        # What fails in there is a bug of ours that may leave metadata half applied: it ends the node.
        self._on_received(self._scratch[:count])

    # -- end -----------------------------------------------------------------------------

    def _set_interest(self) -> None:
        interest = READ | (WRITE if self._unsent and not self._dirty else 0)
        if self._socket is not None and interest != self._interest:
            self._interest = interest
            self._loop.modify(self._socket.fileno(), interest)

    def _drop_socket(self) -> None:
        if self._socket is not None:
            self._loop.remove(self._socket.fileno())
            self._socket.close()
            self._socket = None

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._drop_socket()
            self._unsent.clear()
            self._forget(self)

    def fail(self, closed: Closed) -> None:
        """End it from our side of the call, and tell."""
        if not self._closed:
            self.close()
            self._on_closed(closed)


def numeric_addresses(host: str) -> list[str]:
    """The address itself if it is one (``localhost`` is the IPv4 loopback), else none."""
    if host == "localhost":
        return ["127.0.0.1"]
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, host)
        except OSError:
            continue
        return [host]
    return []


def parse_detours(pairs: Sequence[str]) -> dict[Address, Address]:
    """``network.detours``: pairs of ``host:port=host:port``."""
    detours: dict[Address, Address] = {}
    for pair in pairs:
        found = _DETOUR.fullmatch(pair)
        if found is None:
            raise ConfigError("network.detours", pair, "expected HOST:PORT=HOST:PORT")
        detours[found[1], int(found[2])] = (found[3], int(found[4]))
    return detours


def _resolve(host: str) -> list[str] | str:
    """The addresses of a name, each once; or what went wrong. Runs in a thread."""
    try:
        rows = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as problem:
        return f"cannot look up {host}: {problem}"
    return list(dict.fromkeys(str(row[4][0]) for row in rows))


def _new_socket(host: str) -> socket.socket:
    sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    sock.setblocking(False)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_KEEPIDLE", KEEPALIVE_SECONDS),
        ("TCP_KEEPINTVL", KEEPALIVE_SECONDS),
        ("TCP_KEEPCNT", KEEPALIVE_PROBES),
    ):
        if hasattr(socket, name):  # not on every system
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    return sock


def _not_connected(code: int) -> Closed:
    return Closed(f"cannot connect: {os.strerror(code)}", refused=code == errno.ECONNREFUSED)


def _lost(problem: OSError) -> Closed:
    return Closed(f"connection lost: {problem.strerror}", reset=problem.errno in _RESETS)
