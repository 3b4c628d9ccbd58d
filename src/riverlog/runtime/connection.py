"""One client socket: frames in, replies out.

In: bytes land in a scratch buffer shared by all connections; whole frames are handled
straight from it. Only the rest of a partial frame moves into a buffer of the connection,
which grows with what has really arrived, never with what the peer announced.

Out: replies queue as parts and leave once per loop turn. File slices of 16 KB and more
go out by ``sendfile``; a peer that reads slowly holds up only itself: past a bound of
waiting replies its requests are no longer read.

A frame handed to the broker is valid only during that call.
"""

from __future__ import annotations

import logging
import os
import socket
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from struct import Struct
from typing import TYPE_CHECKING, Protocol

from riverlog.base.slices import FileSlice
from riverlog.env import StorageError
from riverlog.runtime.loop import READ, WRITE

if TYPE_CHECKING:
    from riverlog.runtime.disk import RealFile
    from riverlog.runtime.loop import Loop

logger = logging.getLogger("riverlog.runtime")

SCRATCH_BYTES = 256 * 1024
REST_BYTES_MIN = 4096
"""Room past a partial frame, so that the next ones come along in the same receive."""
SENDFILE_BYTES_MIN = 16 * 1024
SENDFILE_BYTES_MAX = 1024 * 1024
"""A bound on one ``sendfile``, so that one reader cannot hold the loop."""
SEND_BYTES_MAX = 256 * 1024
POOLED_BUFFERS_MAX = 8
POOLED_BUFFER_BYTES_MAX = 2 * 1024 * 1024
STALLED_SECONDS_MAX = 10.0
"""So long may the one large partial frame that may grow stand still while others wait."""
UNSENT_BYTES_MAX = 1024 * 1024
"""Reply bytes in memory past which a connection's requests are not read."""
UNSENT_PARTS_MAX = 256
IN_FLIGHT_MAX = 128
"""Requests of one connection that may wait for an answer at a time."""

_unpack_length = Struct(">I").unpack_from
_MSG_MORE = getattr(socket, "MSG_MORE", 0)
_HAS_SENDFILE = hasattr(os, "sendfile")

Part = bytes | bytearray | memoryview | FileSlice


class Buffers:
    """The scratch buffer, a few reusable large ones, and the bound on partial frames."""

    def __init__(self, *, frame_bytes_max: int, total_bytes_max: int) -> None:
        self.scratch = memoryview(bytearray(SCRATCH_BYTES))
        self.frame_bytes_max = frame_bytes_max
        self.total_bytes_max = total_bytes_max
        self.total_bytes = 0
        self.favoured: SocketConnection | None = None
        self.starved: deque[SocketConnection] = deque()
        self._pool: list[bytearray] = []

    def take(self, size: int) -> bytearray:
        for index, buffer in enumerate(self._pool):
            if len(buffer) >= size:
                del self._pool[index]
                return buffer
        return bytearray(size)

    def give_back(self, buffer: bytearray) -> None:
        if SCRATCH_BYTES <= len(buffer) <= POOLED_BUFFER_BYTES_MAX and len(self._pool) < POOLED_BUFFERS_MAX:
            self._pool.append(buffer)


class Owner(Protocol):
    """Who a connection belongs to: the broker's session behind it."""

    in_flight: int
    """Requests handed over and not yet answered."""

    def on_frame(self, frame: memoryview) -> None:
        """Handle one request; ``frame`` is valid only during the call."""
        ...

    def on_closed(self, reason: str) -> None: ...


class SocketConnection:
    """Implements ``env.Connection`` over a non-blocking socket."""

    __slots__ = (
        "_buffers",
        "_closed",
        "_dirty",
        "_fd",
        "_filled",
        "_frame_bytes_seen",
        "_interest",
        "_loop",
        "_muted_until",
        "_on_closed",
        "_paused",
        "_rest",
        "_socket",
        "_starved",
        "_unsent",
        "_unsent_bytes",
        "bytes_in",
        "bytes_out",
        "last_active",
        "owner",
        "peer_host",
    )

    def __init__(
        self,
        loop: Loop,
        buffers: Buffers,
        sock: socket.socket,
        peer_host: str,
        on_closed: Callable[[SocketConnection], None],
    ) -> None:
        self._loop = loop
        self._buffers = buffers
        self._socket = sock
        self._fd = sock.fileno()
        self.peer_host = peer_host
        self.owner: Owner = _NOBODY
        self._on_closed = on_closed
        self.last_active = loop.monotonic()
        self.bytes_in = 0
        self.bytes_out = 0
        self._rest: bytearray | None = None
        self._filled = 0
        self._frame_bytes_seen = 0
        """Of the largest frame that came whole: room for one more like it is made at once."""
        self._unsent: deque[Part] = deque()
        self._unsent_bytes = 0
        self._paused = False
        self._starved = False
        self._muted_until = 0.0
        self._dirty = False
        self._closed = False
        self._interest = READ
        loop.add(self._fd, READ, self._on_ready)

    # -- out -----------------------------------------------------------------------------

    def send(self, parts: Sequence[Part]) -> None:
        if self._closed:
            return
        try:
            self._queue(parts)
        except StorageError as error:
            # Its file failed, or went with its topic or segment while the reply waited for its turn.
            self.close(f"a reply cannot be read: {error}")
            return
        if not self._dirty:
            self._dirty = True
            self._loop.flush_later(self)

    def _queue(self, parts: Sequence[Part]) -> None:
        for part in parts:
            if type(part) is FileSlice:
                if part.length < SENDFILE_BYTES_MIN or not _HAS_SENDFILE:
                    part = part.read()
                    self._unsent_bytes += len(part)
                else:
                    _real(part).pin()
            else:
                self._unsent_bytes += len(part)
            self._unsent.append(part)

    def flush(self) -> None:
        """Send what the socket takes; the rest waits for it to be writable."""
        self._dirty = False
        if self._closed:
            return
        try:
            self._send_unsent()
        except BlockingIOError:
            pass
        except (OSError, StorageError) as error:
            self._drop_unsent()
            self.close(f"send failed: {error}")
            return
        if self._paused and self._may_read():
            self._resume()
        self._set_interest()

    def _send_unsent(self) -> None:
        unsent = self._unsent
        while unsent:
            if type(unsent[0]) is FileSlice:
                if not self._send_slice(unsent[0]):
                    return
            elif not self._send_bytes():
                return

    def _drop_unsent(self) -> None:
        for part in self._unsent:
            if type(part) is FileSlice:
                _real(part).unpin()
        self._unsent.clear()

    def _send_bytes(self) -> bool:
        """Send the run of byte parts at the head; True if all of it left."""
        unsent = self._unsent
        first = unsent.popleft()
        if unsent and type(unsent[0]) is not FileSlice and len(first) < SEND_BYTES_MAX:
            run = [first]
            size = len(first)
            while unsent and type(unsent[0]) is not FileSlice and size < SEND_BYTES_MAX:
                part = unsent.popleft()
                run.append(part)
                size += len(part)
            first = b"".join(run)  # type: ignore[arg-type]
        more = _MSG_MORE if unsent else 0
        try:
            sent = self._socket.send(first, more)  # type: ignore[arg-type]
        except BlockingIOError:
            unsent.appendleft(first)
            raise
        self._unsent_bytes -= sent
        self.bytes_out += sent
        if sent < len(first):
            unsent.appendleft(memoryview(first)[sent:])  # type: ignore[arg-type]
            return False
        return True

    def _send_slice(self, part: FileSlice) -> bool:
        file = _real(part)
        count = min(part.length, SENDFILE_BYTES_MAX)
        if not file.is_hot(part.position, count):
            self._wait_for_disk(file, part.position, count)
            return False
        sent = os.sendfile(self._fd, file.fileno(), part.position, count)
        if sent == 0:
            raise OSError(5, f"{file.path} ends before its slice")
        self.bytes_out += sent
        if sent == part.length:
            self._unsent.popleft()
            file.unpin()
            return True
        self._unsent[0] = FileSlice(file, part.position + sent, part.length - sent)
        return sent == count and sent < SENDFILE_BYTES_MAX

    def _wait_for_disk(self, file: RealFile, position: int, count: int) -> None:
        """The range is not in the page cache: let a thread read it, then go on."""
        if self._closed:
            return
        self._dirty = True  # nobody flushes meanwhile

        def read() -> None:
            if not self._closed:
                self.flush()

        file.prefetch(position, count, read)

    # -- in ------------------------------------------------------------------------------

    def _on_ready(self, events: int) -> None:
        if events & ~(READ | WRITE) and not events & READ:
            self.close("connection lost")
            return
        if events & WRITE and not self._dirty:
            self.flush()
        if events & READ and not self._closed and not self._paused:
            try:
                self._receive()
            except AssertionError:
                raise  # our state is wrong: die, restart, recover
            except Exception as error:
                self._request_failed(error)

    def _request_failed(self, error: Exception) -> None:
        """A request we cannot handle must not take the others down."""
        logger.error("request from %s failed", self.peer_host, exc_info=error)
        self.close("the broker failed on a request")

    def _receive(self) -> None:
        rest = self._rest
        try:
            if rest is None:
                view = self._buffers.scratch
                received = self._socket.recv_into(view)
                filled = received
            else:
                view = memoryview(rest)
                received = self._socket.recv_into(view[self._filled :])
                filled = self._filled + received
        except BlockingIOError:
            return
        except OSError as error:
            self.close(f"receive failed: {error.strerror}")
            return
        if received == 0:
            self.close("closed by the peer")
            return
        self.last_active = self._loop.monotonic()
        self.bytes_in += received
        self._filled = filled
        self._handle(view)

    def _handle(self, view: memoryview) -> None:
        """Handle the whole frames in ``view[:filled]``; keep the rest."""
        position = 0
        filled = self._filled
        on_frame = self.owner.on_frame
        frame_bytes_max = self._buffers.frame_bytes_max
        needed = 0
        while filled - position >= 4:
            (size,) = _unpack_length(view, position)
            if size > frame_bytes_max:  # negative sizes look like huge ones
                self.close(f"frame of {size} bytes is over socket.request.max.bytes")
                return
            end = position + 4 + size
            if end > filled:
                needed = 4 + size
                break
            on_frame(view[position + 4 : end])
            position = end
            if self._closed:
                return
            if not self._may_read():
                self._paused = True
                break
        self._keep(view, position, filled, needed)
        if self._paused:
            self._set_interest()

    def _may_read(self) -> bool:
        return (
            len(self._unsent) <= UNSENT_PARTS_MAX
            and self._unsent_bytes <= UNSENT_BYTES_MAX
            and self.owner.in_flight < IN_FLIGHT_MAX
            and not self._starved
            and not self._muted_until
        )

    def _keep(self, view: memoryview, start: int, filled: int, needed: int) -> None:
        """Move the unhandled bytes to the front of a buffer of our own that has room for more."""
        rest = self._rest
        left = filled - start
        if left == 0:
            self._filled = 0
            if rest is not None:
                self._frame_bytes_seen = max(self._frame_bytes_seen, filled)
                self._drop_rest()
            return
        if rest is not None and len(rest) > left:
            if start:
                view[:left] = view[start:filled]
        else:
            # Room for what is needed, but at most twice what is here: a peer pays with bytes for memory.
            paid = max(2 * left, SCRATCH_BYTES, self._frame_bytes_seen)
            room = min(max(needed, left + REST_BYTES_MIN), paid)
            grown = self._buffers.take(room)
            grown[:left] = view[start:filled]
            if rest is not None:
                self._buffers.total_bytes -= len(rest)
                self._buffers.give_back(rest)
            self._rest = grown
            self._buffers.total_bytes += len(grown)
            self._mind_total()
        self._filled = left

    def _mind_total(self) -> None:
        """Past the bound on partial frames of all connections, large ones go on one at a time."""
        buffers = self._buffers
        if buffers.total_bytes <= buffers.total_bytes_max or len(self._rest or b"") <= SCRATCH_BYTES:
            return
        if buffers.favoured is None:
            buffers.favoured = self
        elif buffers.favoured is not self:
            self._starved = self._paused = True
            buffers.starved.append(self)
            self._set_interest()
            self._loop.call_later(STALLED_SECONDS_MAX, self._mind_stalled)

    def _mind_stalled(self) -> None:
        """While others wait, a favoured peer that stopped sending has to go."""
        favoured = self._buffers.favoured
        if self._starved and not self._closed and favoured is not None:
            if self._loop.monotonic() - favoured.last_active >= STALLED_SECONDS_MAX:
                favoured.close("stopped in the middle of a large request while others wait for memory")
            if self._starved:
                self._loop.call_later(STALLED_SECONDS_MAX, self._mind_stalled)

    def _drop_rest(self) -> None:
        rest = self._rest
        if rest is None:
            return
        self._rest = None
        buffers = self._buffers
        buffers.total_bytes -= len(rest)
        buffers.give_back(rest)
        if buffers.favoured is self:
            buffers.favoured = None
            if buffers.starved:
                buffers.favoured = buffers.starved.popleft()
                buffers.favoured._starved = False
                self._loop.flush_later(buffers.favoured)

    def pause_for(self, seconds: float) -> None:
        """Read no further request for so long: the client is over a quota (KIP-219)."""
        if self._closed:
            return
        until = self._loop.monotonic() + seconds
        if until > self._muted_until:
            if not self._muted_until:
                self._loop.call_later(seconds, self._unmute)
            self._muted_until = until
            self._paused = True
            self._set_interest()

    def _unmute(self) -> None:
        if self._closed:
            return
        left = self._muted_until - self._loop.monotonic()
        if left > 0:  # prolonged meanwhile
            self._loop.call_later(left, self._unmute)
            return
        self._muted_until = 0.0
        if not self._dirty:
            self._dirty = True
            self._loop.flush_later(self)

    def _resume(self) -> None:
        """Read requests again, beginning with those already here."""
        self._paused = False
        if self._rest is not None and self._filled >= 4:
            try:
                self._handle(memoryview(self._rest))
            except AssertionError:
                raise
            except Exception as error:
                self._request_failed(error)

    # -- state ---------------------------------------------------------------------------

    def _set_interest(self) -> None:
        if self._closed:
            return
        interest = (0 if self._paused else READ) | (WRITE if self._unsent and not self._dirty else 0)
        if interest != self._interest:
            self._interest = interest
            self._loop.modify(self._fd, interest)

    @property
    def closed(self) -> bool:
        return self._closed

    def close(self, reason: str) -> None:
        if self._closed:
            return
        self._closed = True
        with suppress(OSError, StorageError):
            self._send_unsent()  # answers to what was asked before the reason to close
        self._loop.remove(self._fd)
        self._socket.close()
        self._drop_unsent()
        if self._starved:
            self._buffers.starved.remove(self)
        self._drop_rest()
        self._on_closed(self)
        self.owner.on_closed(reason)


def _real(part: FileSlice) -> RealFile:
    return part.file  # type: ignore[return-value]


class _Nobody:
    """Owner of a connection that has not been handed over yet."""

    in_flight = 0

    def on_frame(self, frame: memoryview) -> None:
        raise AssertionError("a frame before the connection had an owner")

    def on_closed(self, reason: str) -> None:
        return None


_NOBODY = _Nobody()
