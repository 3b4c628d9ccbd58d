"""The network between the nodes of a test cluster: a small proxy per pair, which can be cut.

Every node dials every other one through a port of ours (setting ``network.detours``). A cut is silent,
as in a real network: bytes stay where they are, new connections hang, and after healing they go on. A
target that is down refuses, as its own port would.
"""

from __future__ import annotations

import socket
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress

from riverlog.runtime.loop import READ, WRITE, Loop
from riverlog.runtime.ports import HOST, hold_port

BUFFERED_BYTES_MAX = 1024 * 1024
"""On the way in one direction of a connection; the kernel's buffers come on top."""
_CHUNK_BYTES = 256 * 1024
_ORDER_SECONDS_MAX = 10.0


class Links:
    """All proxies, on a thread of their own. Methods may be called from any other thread."""

    def __init__(self) -> None:
        self._loop = Loop()
        self._doors: list[_Door] = []
        self._blocked: set[tuple[int, int]] = set()
        self._thread = threading.Thread(target=self._loop.run, name="riverlog-links", daemon=True)
        self._thread.start()

    def add(self, source: int, target: int, port: int) -> int:
        """A port at which ``source`` reaches ``port`` of ``target``."""
        door = _Door(self._loop, source, target, port, self._blocked)
        self._doors.append(door)
        self._order(door.open)
        return door.port

    def cut(self, source: int, target: int) -> None:
        """From now on nothing that ``source`` sends arrives at ``target``."""
        self._order(lambda: self._set_blocked(self._blocked | {(source, target)}))

    def heal(self) -> None:
        self._order(lambda: self._set_blocked(set()))

    def target_down(self, node_id: int) -> None:
        """Nobody listens there any more: connections break and new ones are refused."""
        self._order(lambda: self._each(node_id, _Door.shut))

    def target_up(self, node_id: int) -> None:
        self._order(lambda: self._each(node_id, _Door.open))

    def close(self) -> None:
        self._order(self._close_doors)
        self._loop.stop()
        self._thread.join(_ORDER_SECONDS_MAX)
        self._loop.close()

    def _close_doors(self) -> None:
        for door in self._doors:
            door.close()

    def _each(self, target: int, act: Callable[[_Door], None]) -> None:
        for door in self._doors:
            if door.target == target:
                act(door)

    def _set_blocked(self, blocked: Iterable[tuple[int, int]]) -> None:
        chosen = set(blocked)
        self._blocked.clear()
        self._blocked |= chosen
        for door in self._doors:
            door.look_again()

    def _order(self, act: Callable[[], object]) -> None:
        """Run ``act`` on the proxies' thread and wait for it."""
        done = threading.Event()

        def run() -> None:
            try:
                act()
            finally:
                done.set()

        self._loop.call_threadsafe(run)
        if not done.wait(_ORDER_SECONDS_MAX):
            raise RuntimeError("the test's network does not answer")


class _Door:
    """One listening port, for one pair of nodes and one port of the target."""

    def __init__(
        self, loop: Loop, source: int, target: int, target_port: int, blocked: set[tuple[int, int]]
    ) -> None:
        self.loop = loop
        self.source = source
        self.target = target
        self.target_port = target_port
        self.blocked = blocked
        self.passages: dict[_Passage, None] = {}
        self._accepting = False
        self._listening = False
        self._socket = hold_port()
        self._socket.setblocking(False)
        self.port = int(self._socket.getsockname()[1])

    @property
    def silent(self) -> bool:
        """Whether a new connection would hang: one direction is enough."""
        return bool(self.blocked & {(self.source, self.target), (self.target, self.source)})

    def open(self) -> None:
        if not self._listening:
            self._listening = True
            self._socket.listen(128)
        self.look_again()

    def shut(self) -> None:
        """Refuse. The port stays ours: a socket that is bound but does not listen."""
        self._stop_accepting()
        if self._listening:
            self._listening = False
            self._socket.shutdown(socket.SHUT_RDWR)
        for passage in list(self.passages):
            passage.close()

    def close(self) -> None:
        self.shut()
        self._socket.close()

    def look_again(self) -> None:
        """Accept and pass on what is not cut off."""
        if self._listening and not self._accepting and not self.silent:
            self._accepting = True
            self.loop.add(self._socket.fileno(), READ, self._accept)
        elif self.silent:
            self._stop_accepting()
        for passage in list(self.passages):
            passage.look_again()

    def _stop_accepting(self) -> None:
        if self._accepting:
            self._accepting = False
            self.loop.remove(self._socket.fileno())

    def _accept(self, _events: int) -> None:
        with suppress(OSError):
            client, _ = self._socket.accept()
            self.passages[_Passage(self, client)] = None


class _Passage:
    """One connection of the source, and ours to the target."""

    def __init__(self, door: _Door, client: socket.socket) -> None:
        self._door = door
        onward = socket.socket()
        for sock in (client, onward):
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        onward.connect_ex((HOST, door.target_port))
        there, back = (door.source, door.target), (door.target, door.source)
        self._ends = [_End(client, there, back), _End(onward, back, there)]
        self._ends[1].connecting = True
        self._closed = False
        self.look_again()

    def look_again(self) -> None:
        """Wait for what may move: bytes to read where there is room, room where there are bytes."""
        blocked = self._door.blocked
        for end, other in (self._ends, reversed(self._ends)):
            if self._closed:
                return
            interest = 0
            has_room = other.waiting_bytes < BUFFERED_BYTES_MAX
            if has_room and not end.ended and end.reads not in blocked:
                interest |= READ
            if end.connecting or (end.waiting and end.writes not in blocked):
                interest |= WRITE
            self._wait_for(end, interest)

    def _wait_for(self, end: _End, interest: int) -> None:
        """With nothing to wait for the descriptor leaves the loop, or a hang-up would be told without end."""
        fd = end.socket.fileno()
        if interest and not end.interest:
            self._door.loop.add(fd, interest, lambda events: self._on_ready(end, events))
        elif end.interest and not interest:
            self._door.loop.remove(fd)
        elif interest != end.interest:
            self._door.loop.modify(fd, interest)
        end.interest = interest

    def _on_ready(self, end: _End, events: int) -> None:
        other = self._ends[1] if end is self._ends[0] else self._ends[0]
        end.connecting = False
        try:
            if end.waiting and end.interest & WRITE and events & WRITE:
                end.write()
            if end.interest & READ and events & ~WRITE:
                data = end.socket.recv(_CHUNK_BYTES)
                if data:
                    other.queue(data)
                else:
                    end.ended = True
        except BlockingIOError:
            pass
        except OSError:
            self.close()
            return
        if (end.ended and not other.waiting) or (other.ended and not end.waiting):
            self.close()
        else:
            self.look_again()

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        for end in self._ends:
            if end.interest:
                self._door.loop.remove(end.socket.fileno())
            end.socket.close()
        self._door.passages.pop(self, None)


class _End:
    """One of the two sockets, and what waits to be written to it."""

    def __init__(self, sock: socket.socket, reads: tuple[int, int], writes: tuple[int, int]) -> None:
        self.socket = sock
        self.reads = reads
        """Whose bytes come in here, and for whom they are."""
        self.writes = writes
        self.interest = 0
        self.connecting = False
        self.ended = False
        self.waiting: deque[memoryview] = deque()
        self.waiting_bytes = 0

    def queue(self, data: bytes) -> None:
        self.waiting.append(memoryview(data))
        self.waiting_bytes += len(data)

    def write(self) -> None:
        while self.waiting:
            piece = self.waiting[0]
            sent = self.socket.send(piece)
            self.waiting_bytes -= sent
            if sent < len(piece):
                self.waiting[0] = piece[sent:]
                return
            self.waiting.popleft()
