"""The network of a simulated cluster: hosts, connections between their processes, and what goes wrong.

Bytes of one connection arrive in order; connections overtake each other. A link that is cut off
(one way or both) loses packets, so the connections over it stall: neither side is told. When it
heals, what was sent is sent again, late, or the connection is reset. A killed process's connections
are closed by its kernel; a host without power says nothing, and refuses what it no longer knows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from riverlog.base.slices import FileSlice
from riverlog.broker.session import Session
from riverlog.env.network import Closed
from riverlog.sim.clock import Scheduler
from riverlog.sim.cluster_trace import ClusterTrace
from riverlog.sim.disk import SimFile
from riverlog.sim.process import Process
from riverlog.sim.rng import SimRng

CONNECT_SECONDS_MAX = 20.0
"""A connection attempt that nobody answers is given up."""
_LENGTH_BYTES = 4

Part = bytes | FileSlice
Item = list[Part] | str
"""Bytes on their way, or why the sender has closed."""
FIN: Final = "closed"
RESET: Final = "reset"

Accept = Callable[["ServerEnd", str], Session | None]


class Host:
    """A machine: up or without power, with at most one process that listens."""

    def __init__(self, network: ClusterNetwork, name: str) -> None:
        self.name = name
        self.up = True
        self.process: Process | None = None
        self.listeners: dict[int, Accept] = {}
        self.wires: dict[Wire, None] = {}
        self._network = network

    def started(self, process: Process) -> None:
        self.up = True
        self.process = process

    def process_died(self) -> None:
        """Kill -9, or the end of a process: the kernel closes what it had open."""
        self.process = None
        self.listeners.clear()
        wires, self.wires = self.wires, {}
        for wire in wires:
            wire.process_died(self)

    def lost_power(self) -> None:
        """Nobody is told."""
        self.up = False
        self.process = None
        self.listeners.clear()
        wires, self.wires = self.wires, {}
        for wire in wires:
            wire.host_died(self)


class _Way:
    """One direction of a connection."""

    __slots__ = ("clipped", "dead", "last", "network", "receive", "source", "stalled", "target", "wire")

    def __init__(self, wire: Wire, source: Host, target: Host, receive: Callable[[Item], None]) -> None:
        self.wire = wire
        self.network = wire.network
        self.source = source
        self.target = target
        self.receive = receive
        self.last = 0.0
        self.stalled: deque[Item] = deque()
        self.clipped = False
        """The next bytes are the last, and only some of them arrive."""
        self.dead = False

    def send(self, item: Item) -> None:
        network = self.network
        self.last = max(self.last, network.scheduler.now + network.delay(self.wire, self.source, self.target))
        network.scheduler.call_at(self.last, lambda: self._arrive(item))

    def _arrive(self, item: Item) -> None:
        if self.dead:
            release(item)
        elif self.stalled or self.network.is_blocked(self.source, self.target):
            self.stalled.append(item)
            self.network.stalled[self] = None
        else:
            self._pass(item)

    def flush(self) -> None:
        """The link is back: what was lost is sent again."""
        if self.network.is_blocked(self.source, self.target):
            self.network.stalled[self] = None
            return
        stalled, self.stalled = self.stalled, deque()
        for item in stalled:
            if self.dead:
                release(item)
            else:
                self._pass(item)

    def _pass(self, item: Item) -> None:
        if self.clipped:
            self.dead = True
            if not isinstance(item, str):
                whole = resolve(item)
                if whole:
                    self.receive([whole[: self.network.rng.random_int(0, len(whole))]])
            self.receive(RESET)
            return
        self.receive(item)

    def die(self) -> None:
        self.dead = True
        self.forget_stalled()

    def forget_stalled(self) -> None:
        for item in self.stalled:
            release(item)
        self.stalled.clear()
        self.network.stalled.pop(self, None)


class Wire:
    """One connection."""

    def __init__(self, network: ClusterNetwork, number: int, client: Host, server: Host) -> None:
        self.network = network
        self.number = number
        self.slow = network.rng.chance(network.slow_chance)
        self.client_host = client
        self.server_host = server
        self.client: ClientEnd | None = None
        self.server: ServerEnd | None = None
        self.to_server = _Way(self, client, server, self._at_server)
        self.to_client = _Way(self, server, client, self._at_client)
        client.wires[self] = None

    @property
    def name(self) -> str:
        return f"{self.client_host.name}>{self.server_host.name}#{self.number}"

    def cut(self) -> None:
        """Both sides lose it, perhaps in the middle of a frame."""
        for way in (self.to_server, self.to_client):
            way.clipped = True
            way.send(RESET)

    def forget(self, host: Host) -> None:
        """An end of this host is closed. A node may be connected to itself: then the other may be open."""
        client_open = host is self.client_host and self.client is not None
        server_open = host is self.server_host and self.server is not None
        if not (client_open or server_open):
            host.wires.pop(self, None)

    def process_died(self, host: Host) -> None:
        """What it sent is still on its way; what comes to it is answered by a reset."""
        if host is self.client_host:
            self.client = None
            self.to_client.die()
            self.to_server.send(FIN)
        if host is self.server_host:
            if self.server is not None:
                self.server.session = None
                self.server = None
            self.to_server.die()
            self.to_client.send(FIN)

    def host_died(self, host: Host) -> None:
        """Nobody is told, and nothing that was lost is sent again."""
        for way in (self.to_server, self.to_client):
            if way.source is host:
                way.forget_stalled()
        if host is self.client_host:
            self.client = None
        if host is self.server_host and self.server is not None:
            self.server.session = None
            self.server = None

    def _at_server(self, item: Item) -> None:
        end = self.server
        if end is None:
            release(item)
            if self.server_host.up and not isinstance(item, str):
                self.to_client.send(RESET)
            return
        process = self.server_host.process
        if process is None:
            release(item)
        elif isinstance(item, str):
            process.deliver(lambda: end.peer_closed(item))
        else:
            data = resolve(item)
            if data is not None:
                process.deliver(lambda: end.received(data))

    def _at_client(self, item: Item) -> None:
        end = self.client
        if end is None:
            release(item)
            if self.client_host.up and not isinstance(item, str):
                self.to_server.send(RESET)
            return
        process = self.client_host.process
        if process is None:
            release(item)
        elif isinstance(item, str):
            process.deliver(lambda: end.peer_closed(item))
        else:
            data = resolve(item)
            if data is None:  # a file got shorter under a reply: the sender gives the connection up
                process.deliver(lambda: end.peer_closed(RESET))
                if self.server is not None:
                    self.server.peer_closed("a slice got shorter on its way")
            else:
                process.deliver(lambda: end.received(data))


class ClientEnd:
    """``env.Channel``: the end that connected."""

    __slots__ = ("_early", "_on_closed", "_on_connected", "_on_received", "closed", "connected", "wire")

    def __init__(
        self,
        wire: Wire,
        on_connected: Callable[[], None],
        on_received: Callable[[memoryview], None],
        on_closed: Callable[[Closed], None],
    ) -> None:
        self.wire = wire
        self.closed = False
        self.connected = False
        self._early: list[bytes] = []
        self._on_connected = on_connected
        self._on_received = on_received
        self._on_closed = on_closed

    def send(self, data: bytes) -> None:
        if self.closed:
            return
        if not self.connected:
            self._early.append(bytes(data))
            return
        wire = self.wire
        wire.network.trace.frame("→", wire.client_host.name, wire.server_host.name, data)
        wire.to_server.send([bytes(data)])

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.wire.client = None
            self.wire.to_client.die()
            self.wire.forget(self.wire.client_host)
            if self.connected:
                self.wire.to_server.send(FIN)

    def now_connected(self) -> None:
        if self.closed or self.connected:
            return
        self.connected = True
        self._on_connected()
        early, self._early = self._early, []
        for data in early:
            self.send(data)

    def received(self, data: bytes) -> None:
        if self.closed:
            return
        rng = self.wire.network.rng
        if len(data) > 1 and rng.chance(0.03):  # bytes come cut anywhere
            at = rng.random_int(1, len(data) - 1)
            self._on_received(memoryview(data)[:at])
            data = data[at:]
        if self.wire.client is self:
            self._on_received(memoryview(data))

    def peer_closed(self, reason: str, *, refused: bool = False) -> None:
        if self.closed:
            return
        self.closed = True
        self.wire.client = None
        self.wire.forget(self.wire.client_host)
        self.wire.to_client.die()
        self._on_closed(Closed(reason, refused=refused, reset=not refused and reason != "timed out"))


class ServerEnd:
    """``env.Connection``: the end of a session."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.session: Session | None = None
        self.closed = False
        self._buffer = bytearray()
        self._paused_until = 0.0

    def send(self, parts: Sequence[bytes | bytearray | memoryview | FileSlice]) -> None:
        """Slices are read when they arrive, which may be much later: the file must stay readable."""
        if self.closed:
            return
        kept: list[Part] = []
        for part in parts:
            if isinstance(part, FileSlice):
                assert isinstance(part.file, SimFile)
                part.file.pin()
                kept.append(part)
            else:
                kept.append(bytes(part))
        wire = self.wire
        first = kept[0]
        if isinstance(first, bytes):
            wire.network.trace.frame("←", wire.client_host.name, wire.server_host.name, first)
        wire.to_client.send(kept)

    def pause_for(self, seconds: float) -> None:
        until = self.wire.network.scheduler.now + seconds
        if until > self._paused_until:
            self._paused_until = until
            self.wire.network.scheduler.call_at(until, self._frames)

    def close(self, reason: str) -> None:
        """The broker drops it."""
        if self.closed:
            return
        self.closed = True
        wire = self.wire
        wire.network.trace.add("closed by broker", wire.name, reason)
        wire.server = None
        wire.forget(wire.server_host)
        wire.to_server.die()
        wire.to_client.send(FIN)
        session, self.session = self.session, None
        if session is not None:
            session.on_closed(reason)

    def received(self, data: bytes) -> None:
        if not self.closed:
            self._buffer += data
            self._frames()

    def peer_closed(self, reason: str) -> None:
        if self.closed:
            return
        self.closed = True
        wire = self.wire
        wire.server = None
        wire.to_server.die()
        wire.forget(wire.server_host)
        session, self.session = self.session, None
        if session is not None:
            session.on_closed(f"the peer closed: {reason}")

    def _frames(self) -> None:
        buffer = self._buffer
        while len(buffer) >= _LENGTH_BYTES and not self.closed:
            if self.wire.network.scheduler.now < self._paused_until:
                return
            end = _LENGTH_BYTES + int.from_bytes(buffer[:_LENGTH_BYTES], "big")
            if len(buffer) < end:
                return
            frame = buffer[_LENGTH_BYTES:end]
            del buffer[:end]
            if self.session is None:
                return
            self.session.on_frame(memoryview(frame))
            frame[:] = b"\xdd" * len(frame)  # a frame is the broker's only during the call


class SimDialer:
    """``env.Dialer`` of one process."""

    def __init__(self, network: ClusterNetwork, host: Host) -> None:
        self._network = network
        self._host = host

    def connect(
        self,
        host: str,
        port: int,
        *,
        on_connected: Callable[[], None],
        on_received: Callable[[memoryview], None],
        on_closed: Callable[[Closed], None],
    ) -> ClientEnd:
        wire = self._network.wire(self._host, host)
        end = ClientEnd(wire, on_connected, on_received, on_closed)
        wire.client = end
        self._network.attempt(wire, end, port)
        return end


class ClusterNetwork:
    """All hosts and the links between them."""

    def __init__(self, scheduler: Scheduler, rng: SimRng, trace: ClusterTrace) -> None:
        self.scheduler = scheduler
        self.rng = rng.stream("packets")
        self.trace = trace
        self.hosts: dict[str, Host] = {}
        self.stalled: dict[_Way, None] = {}
        self.slow_chance = rng.choice((0.0, 0.02, 0.06))
        """Of connections that now and then take seconds."""
        self.spike_chance = rng.choice((0.0, 0.002, 0.01))
        self._base = rng.choice((0.0002, 0.0005, 0.002))
        self._draws = rng
        self._latency: dict[tuple[str, str], float] = {}
        self._blocked: dict[tuple[str, str], int] = {}
        self._numbers = 0
        self.heals = 0
        """How often everything was healed at once."""
        self.calm = False
        """No spikes, no slow connections: after healing."""

    def host(self, name: str) -> Host:
        found = self.hosts.get(name)
        if found is None:
            found = self.hosts[name] = Host(self, name)
        return found

    def dialer(self, name: str) -> SimDialer:
        return SimDialer(self, self.host(name))

    # -- connections ---------------------------------------------------------------------

    def wire(self, client: Host, server: str) -> Wire:
        self._numbers += 1
        return Wire(self, self._numbers, client, self.host(server))

    def attempt(
        self,
        wire: Wire,
        end: ClientEnd,
        port: int,
        waited: float = 0.0,
        dialer: Process | None = None,
    ) -> None:
        """A packet to the server and one back; again each second while the link is cut off.

        ``dialer`` is the process that asked; a later life of the same host is told nothing.
        """
        client, server = wire.client_host, wire.server_host
        caller = client.process if dialer is None else dialer
        delay = self.delay(wire, client, server)

        def knock() -> None:
            if end.closed or caller is None or not caller.alive:
                return
            unheard = not server.up or self.is_blocked(client, server) or self.is_blocked(server, client)
            if unheard:
                if waited >= CONNECT_SECONDS_MAX:
                    caller.deliver(lambda: end.peer_closed("timed out"))
                else:
                    self.scheduler.call_later(
                        1.0, lambda: self.attempt(wire, end, port, waited + 1.0, caller)
                    )
                return
            accept = server.listeners.get(port)
            process = server.process
            back = self.delay(wire, server, client)
            if accept is None or process is None:
                self.scheduler.call_later(
                    back, lambda: caller.deliver(lambda: end.peer_closed("refused", refused=True))
                )
                return
            server_end = ServerEnd(wire)
            wire.server = server_end
            server.wires[wire] = None

            def accepted() -> None:
                if not server_end.closed:
                    session = accept(server_end, client.name)
                    if session is None:
                        server_end.close("not accepted")
                    else:
                        server_end.session = session

            process.deliver(accepted)
            self.scheduler.call_later(back, lambda: caller.deliver(end.now_connected))

        self.scheduler.call_later(delay, knock)

    # -- time ----------------------------------------------------------------------------

    def delay(self, wire: Wire, source: Host, target: Host) -> float:
        key = (source.name, target.name)
        base = self._latency.get(key)
        if base is None:
            base = self._latency[key] = self._draws.uniform(0.3, 2.0) * self._base
        rng = self.rng
        delay = base * rng.uniform(1.0, 1.6)
        if self.calm:
            return delay
        if self.spike_chance and rng.chance(self.spike_chance):
            delay += rng.uniform(0.01, 0.6)
        if wire.slow and rng.chance(0.1):
            delay += rng.uniform(0.1, 4.0)
        return delay

    # -- trouble -------------------------------------------------------------------------

    def is_blocked(self, source: Host, target: Host) -> bool:
        return (source.name, target.name) in self._blocked

    def block(self, source: str, target: str) -> None:
        """One way. May be asked for several times; each needs its ``unblock``."""
        self._blocked[source, target] = self._blocked.get((source, target), 0) + 1

    def unblock(self, source: str, target: str) -> None:
        left = self._blocked[source, target] - 1
        if left:
            self._blocked[source, target] = left
            return
        del self._blocked[source, target]
        ways = [way for way in self.stalled if (way.source.name, way.target.name) == (source, target)]
        for way in ways:
            del self.stalled[way]
            if self.rng.chance(0.3):
                way.wire.cut()
            self.scheduler.call_later(self.rng.uniform(0.01, 1.0), way.flush)

    def heal(self) -> None:
        self.heals += 1
        for pair in list(self._blocked):
            self._blocked[pair] = 1
            self.unblock(*pair)
        self.calm = True

    def cut_one(self, rng: SimRng) -> None:
        wires = [wire for _, host in sorted(self.hosts.items()) for wire in host.wires]
        if wires:
            wire = rng.choice(wires)
            self.trace.add("cut", wire.name)
            wire.cut()


def resolve(item: list[Part]) -> bytes | None:
    """The bytes of an item; None if a file got shorter under it."""
    if len(item) == 1 and isinstance(item[0], bytes):
        return item[0]
    whole = bytearray()
    short = False
    for part in item:
        if isinstance(part, FileSlice):
            data = part.read()
            short = short or len(data) != part.length
            whole += data
            assert isinstance(part.file, SimFile)
            part.file.unpin()
        else:
            whole += part
    return None if short else bytes(whole)


def release(item: Item) -> None:
    """Nobody will read it."""
    if not isinstance(item, str):
        for part in item:
            if isinstance(part, FileSlice):
                assert isinstance(part.file, SimFile)
                part.file.unpin()
