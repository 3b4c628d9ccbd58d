"""Simulated connections: real frames, in order, with delays, cut at any moment."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from riverlog.base.slices import FileSlice
from riverlog.broker.session import Session
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_response, encode_request
from riverlog.sim.clock import Scheduler
from riverlog.sim.disk import SimFile
from riverlog.sim.rng import SimRng
from riverlog.sim.trace import Trace

Reply = Callable[[Any], None]
"""Takes the decoded response, or None when the connection broke before it came."""


class Server(Protocol):
    """What a client can connect to; None while it is down."""

    def connect(self, link: Link) -> Session | None: ...


class Link:
    """One connection between a client and a broker. The broker's side is an ``env.Connection``."""

    def __init__(
        self,
        name: str,
        scheduler: Scheduler,
        rng: SimRng,
        trace: Trace,
        *,
        on_frame: Callable[[bytes], None],
        on_closed: Callable[[str], None],
    ) -> None:
        self.name = name
        self.closed = False
        self.session: Session | None = None
        self._on_frame = on_frame
        self._on_closed = on_closed
        self._scheduler = scheduler
        self._rng = rng
        self._trace = trace
        self._slow = rng.chance(0.05)
        self._to_broker = 0.0
        self._to_client = 0.0
        self._pinned: list[SimFile] = []
        self._paused_until = 0.0
        self._held: deque[bytes] = deque()

    # -- the client's side ---------------------------------------------------------------

    def post(self, frame: bytes) -> None:
        """A request on its way to the broker."""
        self._to_broker = self._arrival(self._to_broker)
        self._scheduler.call_at(self._to_broker, lambda: self._deliver(frame))

    def cut(self, reason: str) -> None:
        """The connection is gone, for both sides at once; frames under way are lost."""
        if not self.closed:
            self.closed = True
            self._trace.add("cut", self.name, reason)
            for file in self._pinned:
                file.unpin()
            self._pinned.clear()
            self._scheduler.call_later(0.0005, lambda: self._on_closed(reason))
            if self.session is not None:
                self.session.on_closed(reason)

    # -- the broker's side (``env.Connection``) --------------------------------------------

    def send(self, parts: Sequence[bytes | bytearray | memoryview | FileSlice]) -> None:
        """A reply. Slices are read when it leaves, which may be much later: the file must stay readable."""
        if self.closed:
            return
        kept: list[bytes | FileSlice] = []
        for part in parts:
            if isinstance(part, FileSlice):
                assert isinstance(part.file, SimFile)
                part.file.pin()
                self._pinned.append(part.file)
                kept.append(part)
            else:
                kept.append(bytes(part))
        self._to_client = self._arrival(self._to_client)
        self._scheduler.call_at(self._to_client, lambda: self._arrive(kept))

    def pause_for(self, seconds: float) -> None:
        until = self._scheduler.now + seconds
        if until > self._paused_until:
            self._paused_until = until
            self._scheduler.call_at(until, self._unpause)

    def close(self, reason: str) -> None:
        self._trace.add("closed by broker", self.name, reason)
        self.cut(reason)

    # -- inside --------------------------------------------------------------------------

    def _arrival(self, after: float) -> float:
        """When the next frame of this direction arrives: never before the one sent earlier."""
        delay = self._rng.uniform(0.00005, 0.001)
        if self._slow and self._rng.chance(0.2):
            delay += self._rng.uniform(0.1, 8.0)
        return max(after, self._scheduler.now + delay)

    def _unpause(self) -> None:
        while self._held and not self.closed and self._scheduler.now >= self._paused_until:
            self._hand_over(self._held.popleft())

    def _deliver(self, frame: bytes) -> None:
        if self._held or self._scheduler.now < self._paused_until:
            self._held.append(frame)
        else:
            self._hand_over(frame)

    def _hand_over(self, frame: bytes) -> None:
        if self.closed or self.session is None:
            return
        self._trace.add("request", self.name, frame)
        buffer = bytearray(frame)
        self.session.on_frame(memoryview(buffer)[4:])
        buffer[:] = b"\xdd" * len(buffer)  # a frame is the broker's only during the call

    def _arrive(self, parts: list[bytes | FileSlice]) -> None:
        if self.closed:
            return
        whole = bytearray()
        for part in parts:
            if isinstance(part, FileSlice):
                data = part.read()
                assert len(data) == part.length, "a slice got shorter on its way"
                whole += data
                assert isinstance(part.file, SimFile)
                part.file.unpin()
                self._pinned.remove(part.file)
            else:
                whole += part
        assert int.from_bytes(whole[:4], "big") == len(whole) - 4, "wrong length in front of a reply"
        self._trace.add("reply", self.name, whole)
        self._on_frame(bytes(whole[4:]))


class SimClient:
    """A client with one connection, made again when it breaks. Requests are pipelined."""

    def __init__(self, name: str, server: Server, scheduler: Scheduler, rng: SimRng, trace: Trace) -> None:
        self.name = name
        self.reconnects = 0
        self._server = server
        self._scheduler = scheduler
        self._rng = rng
        self._trace = trace
        self._link: Link | None = None
        self._correlation_id = 0
        self._failing: list[Reply] = []
        self._waiting: list[tuple[int, ApiKey, int, Reply]] = []

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def request(
        self, key: ApiKey, version: int, message: Any, reply: Reply, *, answered: bool = True
    ) -> None:
        """Send; ``reply`` is called once, later. ``answered=False``: the broker will not reply."""
        link = self._connected()
        if link is None:
            self._fail_later(reply)
            return
        self._correlation_id += 1
        if answered:
            self._waiting.append((self._correlation_id, key, version, reply))
        link.post(encode_request(key, version, self._correlation_id, self.name, message))

    def _fail_later(self, reply: Reply) -> None:
        """No connection. Nothing else is sent before the sender knows: order matters to producers."""
        self._failing.append(reply)
        if len(self._failing) > 1:
            return

        def fail() -> None:
            failing, self._failing = self._failing, []
            for one in failing:
                one(None)

        self._scheduler.call_later(self._rng.uniform(0.02, 0.2), fail)

    def cut(self) -> None:
        if self._link is not None:
            self._link.cut("network")

    def _connected(self) -> Link | None:
        if self._link is not None and not self._link.closed:
            return self._link
        if self._waiting or self._failing:
            return None  # earlier requests have not failed yet
        self.reconnects += 1
        number = self.reconnects
        link = Link(
            f"{self.name}#{self.reconnects}",
            self._scheduler,
            self._rng,
            self._trace,
            on_frame=self._on_frame,
            on_closed=lambda reason: self._on_closed(number, reason),
        )
        session = self._server.connect(link)
        if session is None:
            return None
        link.session = session
        self._link = link
        return link

    def _on_frame(self, frame: bytes) -> None:
        correlation_id, key, version, reply = self._waiting.pop(0)
        got = int.from_bytes(frame[:4], "big")
        assert got == correlation_id, f"{self.name}: reply {got} where {correlation_id} was due"
        _, response = decode_response(key, version, memoryview(frame))
        reply(response)

    def _on_closed(self, number: int, reason: str) -> None:
        if number != self.reconnects:
            return  # there is a new connection already; nothing waited on the old one
        waiting, self._waiting = self._waiting, []
        for _, _, _, reply in waiting:
            reply(None)
