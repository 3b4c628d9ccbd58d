"""A very small HTTP server on the broker's loop: ``/metrics``, ``/healthz``, ``/readyz``.

GET only, one request per connection, a bounded request head. Pages are generators of chunks:
one chunk is rendered per loop turn, so that a large page never stalls the loop.
"""

from __future__ import annotations

import errno
import logging
import socket
from collections.abc import Callable, Iterator

from riverlog.runtime.loop import READ, WRITE, Loop, TimerHandle

logger = logging.getLogger("riverlog.runtime")

HEAD_BYTES_MAX = 8192
CONNECTIONS_MAX = 64
IDLE_SECONDS_MAX = 10.0
ACCEPT_RETRY_SECONDS = 1.0
"""Without a free descriptor the socket stays readable: the loop would turn for nothing."""

Page = Callable[[], tuple[int, str, Iterator[bytes]]]
"""Status, content type, chunks of the body."""

_REASONS = {
    200: "OK",
    404: "Not Found",
    405: "Method Not Allowed",
    431: "Header Too Large",
    503: "Unavailable",
}


class HttpServer:
    def __init__(self, loop: Loop, host: str, port: int, pages: dict[str, Page]) -> None:
        self._loop = loop
        self._pages = pages
        self._socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind((host, port))
            self._socket.listen(16)
            self._socket.setblocking(False)
        except OSError:
            self._socket.close()
            raise
        self.host = host
        self.port: int = self._socket.getsockname()[1]
        self._open: set[_Exchange] = set()
        self._retry: TimerHandle | None = None
        self._listen()

    def _listen(self) -> None:
        self._retry = None
        self._loop.add(self._socket.fileno(), READ, self._on_accept)

    def _on_accept(self, _events: int) -> None:
        try:
            client, _ = self._socket.accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
                logger.error("cannot accept on the metrics port: %s", error.strerror)
                self._loop.remove(self._socket.fileno())
                self._retry = self._loop.call_later(ACCEPT_RETRY_SECONDS, self._listen)
            return
        if len(self._open) >= CONNECTIONS_MAX:
            client.close()
            return
        client.setblocking(False)
        self._open.add(_Exchange(self._loop, client, self._answer, self._open.discard))

    def _answer(self, head: bytes) -> tuple[int, str, Iterator[bytes]]:
        words = head.split(b"\r\n", 1)[0].split()
        if len(words) < 2 or words[0] != b"GET":
            return 405, "text/plain", iter([b"only GET is served\n"])
        path = words[1].decode("latin-1").split("?", 1)[0]
        page = self._pages.get(path)
        if page is None:
            return 404, "text/plain", iter([f"pages: {' '.join(sorted(self._pages))}\n".encode()])
        return page()

    def close(self) -> None:
        if self._retry is not None:
            self._retry.cancel()
        self._loop.remove(self._socket.fileno())
        self._socket.close()
        for exchange in list(self._open):
            exchange.close()


class _Exchange:
    """One request and its answer."""

    def __init__(
        self,
        loop: Loop,
        client: socket.socket,
        answer: Callable[[bytes], tuple[int, str, Iterator[bytes]]],
        closed: Callable[[_Exchange], None],
    ) -> None:
        self._loop = loop
        self._socket = client
        self._fd = client.fileno()
        self._answer = answer
        self._on_closed = closed
        self._head = b""
        self._unsent = b""
        self._body: Iterator[bytes] | None = None
        self._done = False
        self._timer = loop.call_later(IDLE_SECONDS_MAX, self.close)
        loop.add(self._fd, READ, self._on_ready)

    def _on_ready(self, _events: int) -> None:
        try:
            if self._body is None:
                self._receive()
            else:
                self._send()
        except BlockingIOError:
            return
        except OSError:
            self.close()

    def _receive(self) -> None:
        data = self._socket.recv(4096)
        self._head += data
        if not data:
            self.close()
        elif b"\r\n\r\n" in self._head:
            self._begin(*self._answer(self._head))
        elif len(self._head) > HEAD_BYTES_MAX:
            self._begin(431, "text/plain", iter([b"the request head is too large\n"]))

    def _begin(self, status: int, content_type: str, body: Iterator[bytes]) -> None:
        reason = _REASONS.get(status, "Error")
        head = (
            f"HTTP/1.1 {status} {reason}",
            f"Content-Type: {content_type}; charset=utf-8",
            "Connection: close",
        )
        self._unsent = ("\r\n".join(head) + "\r\n\r\n").encode()
        self._body = body
        self._loop.modify(self._fd, WRITE)

    def _send(self) -> None:
        assert self._body is not None
        if not self._unsent:
            chunk = next(self._body, None)
            if chunk is None:
                self._socket.shutdown(socket.SHUT_WR)
                self.close()
                return
            self._unsent = chunk
        sent = self._socket.send(self._unsent)
        self._unsent = self._unsent[sent:]

    def close(self) -> None:
        if not self._done:
            self._done = True
            self._timer.cancel()
            self._loop.remove(self._fd)
            self._socket.close()
            self._on_closed(self)
