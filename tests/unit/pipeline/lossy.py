"""A broker behind a proxy that loses a chosen request or its answer, and the connection with it."""

from __future__ import annotations

import socket
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from riverlog.runtime.ports import free_ports
from riverlog.testing import TestBroker, broker

HOST = "127.0.0.1"


@dataclass
class LossyProxy:
    """Frames pass until the one that is to be lost."""

    broker_port: int
    seen: Counter[int] = field(default_factory=Counter)
    """How many requests of each API came by."""
    lost: int = 0

    def __post_init__(self) -> None:
        self._listener = socket.create_server((HOST, 0))
        self.port: int = self._listener.getsockname()[1]
        self._rule: tuple[int, int, str] | None = None
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = [self._listener]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def bootstrap(self) -> str:
        return f"{HOST}:{self.port}"

    def lose(self, api_key: int, *, what: str, nth: int = 1) -> None:
        """Lose the ``request`` or the ``answer`` of the ``nth`` request of this API from now on."""
        assert what in ("request", "answer")
        with self._lock:
            self.seen.clear()
            self._rule = (api_key, nth, what)

    def close(self) -> None:
        for one in self._sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection((HOST, self.broker_port))
                self._sockets += [client, server]
                keys: dict[bytes, int] = {}
                for work in (self._requests, self._answers):
                    threading.Thread(target=work, args=(client, server, keys), daemon=True).start()

    def _requests(self, client: socket.socket, server: socket.socket, keys: dict[bytes, int]) -> None:
        for frame in _frames(client):
            api_key = int.from_bytes(frame[4:6], "big")
            fate = self._fate(api_key)
            if fate == "request":
                break
            if fate == "answer":
                keys[frame[8:12]] = api_key
            with suppress(OSError):
                server.sendall(frame)
        _shut(client, server)

    def _answers(self, client: socket.socket, server: socket.socket, keys: dict[bytes, int]) -> None:
        for frame in _frames(server):
            if frame[4:8] in keys:
                break
            with suppress(OSError):
                client.sendall(frame)
        _shut(client, server)

    def _fate(self, api_key: int) -> str:
        with self._lock:
            self.seen[api_key] += 1
            if self._rule is None or self._rule[:2] != (api_key, self.seen[api_key]):
                return "passes"
            what = self._rule[2]
            self._rule = None
            self.lost += 1
            return what


def _frames(source: socket.socket) -> Iterator[bytes]:
    buffer = b""
    with suppress(OSError):
        while data := source.recv(1 << 16):
            buffer += data
            while len(buffer) >= 4 and len(buffer) >= (end := 4 + int.from_bytes(buffer[:4], "big")):
                yield buffer[:end]
                buffer = buffer[end:]


def _shut(*sockets: socket.socket) -> None:
    for one in sockets:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


@contextmanager
def lossy_broker(config: Mapping[str, str] | None = None) -> Iterator[tuple[TestBroker, LossyProxy]]:
    """A broker that tells clients to come by way of the proxy."""
    (port,) = free_ports(1)
    proxy = LossyProxy(port)
    settings = {
        "listeners": f"PLAINTEXT://{HOST}:{port}",
        "advertised.listeners": f"PLAINTEXT://{proxy.bootstrap}",
        **(config or {}),
    }
    try:
        with broker(settings) as running:
            yield running, proxy
    finally:
        proxy.close()
