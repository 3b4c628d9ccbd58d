"""A blocking driver for the sans-IO client: sockets, a clock, and nothing of its own to decide.

For the command line and for tests; one thread, one caller.
"""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Iterable, Mapping
from importlib.metadata import version as package_version
from types import TracebackType
from typing import Any, Protocol, Self, assert_never

from riverlog.base.errors import ErrorCode
from riverlog.client.cluster import ClusterView, TopicPartition, TopicView
from riverlog.client.connection import (
    Answered,
    ClientConnection,
    Close,
    Connected,
    ConnectionEffect,
    ConnectionEvent,
    Disconnected,
    Failed,
    Filled,
    Ready,
    Received,
    Request,
    SendBytes,
    State,
    Submitted,
)
from riverlog.client.errors import (
    BrokerRefused,
    BrokerUnreachable,
    RequestTimedOut,
    UnsupportedApi,
    describe_error,
)
from riverlog.client.events import ClusterEvent, RequestAnswered, RequestFailed, SendRequest, Tick
from riverlog.client.offsets import FoundOffset, found_offsets, list_offsets_requests
from riverlog.protocol.apis import api

_RECEIVE_BYTES = 256 * 1024
_RETRY_SECONDS = 0.1
_OFFSET_RETRIES_SECONDS = 10.0


class Machine(Protocol):
    """A producer or a fetcher: sends requests, and tells its caller what happened."""

    def handle(self, event: ClusterEvent) -> list[Any]: ...

    def next_wake_ms(self) -> int: ...


Outcome = Answered | Failed


class _Wire:
    """One socket with its connection machine. Writes block, reads are taken when they are there."""

    def __init__(
        self, host: str, port: int, *, client_id: str, connect_timeout: float, timeout: float
    ) -> None:
        self.address = f"{host}:{port}"
        self.machine = ClientConnection(client_id=client_id, software_version=package_version("riverlog"))
        try:
            self.socket = socket.create_connection((host, port), timeout=connect_timeout)
        except OSError as problem:
            raise BrokerUnreachable(f"cannot connect to {self.address}: {_reason(problem)}") from None
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.settimeout(timeout)
        self.deadlines: dict[Request, float] = {}

    def feed(self, event: ConnectionEvent) -> list[Outcome]:
        """Give the machine an event and do what it asks; answers and failures come back."""
        outcomes: list[Outcome] = []
        effects: list[ConnectionEffect] = self.machine.handle(event)
        while effects:
            following: list[ConnectionEffect] = []
            for effect in effects:
                match effect:
                    case SendBytes():
                        following += self._send(effect.data)
                    case Answered() | Failed():
                        self.deadlines.pop(effect.request, None)
                        outcomes.append(effect)
                    case Close():
                        self.socket.close()
                    case Ready():
                        pass
                    case _:
                        assert_never(effect)
            effects = following
        return outcomes

    def _send(self, data: bytes) -> list[ConnectionEffect]:
        if self.machine.closed:
            return []
        try:
            self.socket.sendall(data)
        except OSError as problem:
            self.socket.close()
            return self.machine.handle(self._lost(_reason(problem)))
        return []

    def receive(self) -> list[Outcome]:
        room = self.machine.room()
        event: Received | Filled
        try:
            if room is None:
                event = Received(self.socket.recv(_RECEIVE_BYTES))
                ended = not event.data
            else:
                event = Filled(self.socket.recv_into(room))
                ended = not event.count
        except OSError as problem:
            return self.close(_reason(problem))
        return self.close("closed by the broker") if ended else self.feed(event)

    def close(self, reason: str) -> list[Outcome]:
        self.socket.close()
        return self.feed(self._lost(reason))

    def _lost(self, reason: str) -> Disconnected:
        return Disconnected(f"connection to {self.address} lost: {reason}")


class BlockingClient:
    """Connections to a cluster, calls that wait for their answer, and a loop that drives machines."""

    def __init__(
        self,
        bootstrap: str,
        *,
        client_id: str = "riverlog",
        timeout: float = 30.0,
        connect_timeout: float = 5.0,
    ) -> None:
        self.view = ClusterView()
        self._addresses = parse_bootstrap(bootstrap)
        self._client_id = client_id
        self._timeout = timeout
        self._connect_timeout = connect_timeout
        self._selector = selectors.DefaultSelector()
        self._wires: dict[int | None, _Wire] = {}
        """By node id; None is the bootstrap connection."""
        self._strays: list[Outcome] = []
        """Outcomes of a machine's requests that came in while a call waited."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        for wire in self._wires.values():
            wire.close("closed here")
        self._wires.clear()
        self._selector.close()

    # ---------------------------------------------------------------- connections

    def _wire(self, node_id: int | None) -> _Wire:
        self._purge()
        wire = self._wires.get(node_id)
        if wire is not None:
            return wire
        if node_id is None:
            wire = self._connect_any()
        else:
            broker = self.view.brokers.get(node_id)
            if broker is None:
                raise BrokerUnreachable(f"broker {node_id} is not in the cluster")
            wire = self._connect(broker.host, broker.port)
        self._wires[node_id] = wire
        self._selector.register(wire.socket, selectors.EVENT_READ, wire)
        wire.feed(Connected())
        return wire

    def _purge(self) -> None:
        """Forget closed connections, before their descriptors can be another's."""
        for node_id, wire in list(self._wires.items()):
            if wire.machine.closed:
                self._selector.unregister(wire.socket)
                del self._wires[node_id]

    def _connect(self, host: str, port: int) -> _Wire:
        return _Wire(
            host,
            port,
            client_id=self._client_id,
            connect_timeout=self._connect_timeout,
            timeout=self._timeout,
        )

    def _connect_any(self) -> _Wire:
        # Addresses learnt from the cluster come last: the given ones may be the only ones we can reach.
        learnt = [(broker.host, broker.port) for broker in self.view.brokers.values()]
        first: BrokerUnreachable | None = None
        for host, port in dict.fromkeys([*self._addresses, *learnt]):
            try:
                return self._connect(host, port)
            except BrokerUnreachable as problem:
                first = first or problem
        assert first is not None
        raise first

    # ---------------------------------------------------------------- calls

    def call(self, api_key: int, message: Any, *, node_id: int | None = None) -> Any:
        """Send one request, to any broker or to this one, and wait for the answer."""
        return self.call_request(Request(api_key, message), node_id=node_id)

    def call_request(self, request: Request, *, node_id: int | None = None) -> Any:
        wire = self._wire(node_id)
        outcomes = wire.feed(Submitted(request))
        deadline = time.monotonic() + self._timeout
        while True:
            answers = [outcome for outcome in outcomes if outcome.request is request]
            self._strays += [outcome for outcome in outcomes if outcome.request is not request]
            if answers:
                return _answer(answers[0])
            left = deadline - time.monotonic()
            if left <= 0:
                wire.close("no answer in time")
                name = api(request.api_key).name
                raise RequestTimedOut(f"no answer to {name} from {wire.address} within {self._timeout:g} s")
            outcomes = []
            if self._ready(wire, left):
                outcomes = wire.receive()

    def _ready(self, wire: _Wire, timeout: float) -> bool:
        return any(key.data is wire for key, _ in self._selector.select(timeout))

    def features(self, node_id: int) -> dict[str, int]:
        """Levels that the cluster has finalized, as this broker told when it was connected to."""
        wire = self._wire(node_id)
        if wire.machine.state is not State.READY:
            self.call_request(self.view.request([]), node_id=node_id)
        return wire.machine.features

    def refresh(self, topics: Iterable[str] | None = None, *, create: bool = False) -> ClusterView:
        """Ask for brokers and these topics (None: all), and answer the view.

        ``create``: the broker may create topics that do not exist, if its settings say so.
        """
        self.view.update(self.call_request(self.view.request(topics, create=create)))
        return self.view

    def topic(self, name: str) -> TopicView:
        """A topic's partitions; ``BrokerRefused`` if there is none of that name."""
        deadline = time.monotonic() + self._timeout
        while True:
            self.refresh([name])
            topic = self.view.topics.get(name)
            if topic is not None:
                return topic
            code = self.view.errors.get(name, int(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))
            if code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
                raise BrokerRefused(code, f"topic {name!r} does not exist")
            if code != ErrorCode.LEADER_NOT_AVAILABLE or time.monotonic() >= deadline:
                raise BrokerRefused(code, f"topic {name!r}: {describe_error(code)}")
            time.sleep(_RETRY_SECONDS)

    def offsets(
        self, wanted: Mapping[TopicPartition, int], *, isolation_level: int = 0
    ) -> dict[TopicPartition, FoundOffset]:
        """Offsets for timestamps (or ``EARLIEST``, ``LATEST``); leaders that moved are asked again."""
        found: dict[TopicPartition, FoundOffset] = {}
        deadline = time.monotonic() + min(self._timeout, _OFFSET_RETRIES_SECONDS)
        while True:
            missing = {key: wanted[key] for key in wanted if key not in found}
            requests, problems = list_offsets_requests(self.view, missing, isolation_level=isolation_level)
            reason = "no leader"
            for node_id, request in requests.items():
                for key, row in found_offsets(self.call_request(request, node_id=node_id)).items():
                    if row.code is ErrorCode.NONE:
                        found[key] = row
                    elif not row.code.retriable:
                        raise BrokerRefused(
                            row.code, f"partition {key[0]}-{key[1]}: {describe_error(row.code)}"
                        )
                    else:
                        problems.append(key)
                        reason = describe_error(row.code)
            if not problems:
                return found
            if time.monotonic() >= deadline:
                topic, partition = problems[0]
                raise BrokerRefused(
                    ErrorCode.LEADER_NOT_AVAILABLE, f"partition {topic}-{partition}: {reason}"
                )
            time.sleep(_RETRY_SECONDS)
            self.refresh({topic for topic, _ in wanted})

    # ---------------------------------------------------------------- machines

    def step(self, machine: Machine, *, wait: float | None = None) -> list[Any]:
        """One round: time, bytes that are there (waiting for up to ``wait`` seconds), and what follows.

        Answers the effects that are for the caller.
        """
        told = self._perform(machine, machine.handle(Tick(_now_ms())))
        strays, self._strays = self._strays, []
        told += self._settle(machine, strays)
        wait = machine.next_wake_ms() / 1000 if wait is None else wait
        if told:
            wait = 0.0
        for key, _ in self._selector.select(wait):
            wire: _Wire = key.data
            if not wire.machine.closed:
                told += self._settle(machine, wire.receive())
        told += self._time_out(machine)
        return told

    def _perform(self, machine: Machine, effects: list[Any]) -> list[Any]:
        told: list[Any] = []
        for effect in effects:
            if not isinstance(effect, SendRequest):
                told.append(effect)
                continue
            request = effect.request
            try:
                wire = self._wire(effect.node_id)
            except BrokerUnreachable as problem:
                failed = RequestFailed(request, str(problem), _now_ms())
                told += self._perform(machine, machine.handle(failed))
                continue
            wire.deadlines[request] = time.monotonic() + self._timeout
            told += self._settle(machine, wire.feed(Submitted(request)))
        return told

    def _settle(self, machine: Machine, outcomes: list[Outcome]) -> list[Any]:
        told: list[Any] = []
        for outcome in outcomes:
            event: ClusterEvent
            if isinstance(outcome, Answered):
                event = RequestAnswered(outcome.request, outcome.message, _now_ms())
            else:
                event = RequestFailed(outcome.request, outcome.reason, _now_ms(), outcome.unsupported)
            told += self._perform(machine, machine.handle(event))
        return told

    def _time_out(self, machine: Machine) -> list[Any]:
        now = time.monotonic()
        told: list[Any] = []
        for wire in list(self._wires.values()):
            if any(deadline <= now for deadline in wire.deadlines.values()):
                told += self._settle(machine, wire.close(f"no answer within {self._timeout:g} s"))
        return told


def _now_ms() -> int:
    """Monotonic: machines compare these only with each other."""
    return int(time.monotonic() * 1000)


def _answer(outcome: Outcome) -> Any:
    if isinstance(outcome, Answered):
        return outcome.message
    if outcome.unsupported:
        raise UnsupportedApi(outcome.reason)
    raise BrokerUnreachable(outcome.reason)


def _reason(problem: OSError) -> str:
    if isinstance(problem, TimeoutError):
        return "timed out"
    text = problem.strerror or str(problem)
    return text[:1].lower() + text[1:]


def parse_bootstrap(text: str) -> list[tuple[str, int]]:
    """``host:port`` pairs, by comma; ``[::1]:9092`` for IPv6, and 9092 where no port is given."""
    addresses: list[tuple[str, int]] = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        host, colon, port = part.rpartition(":")
        if not colon or part.endswith("]"):
            host, port = part, "9092"
        if not port.isdecimal() or not 0 < int(port) < 65536 or not host:
            raise ValueError(f"{part!r} is not HOST:PORT")
        addresses.append((host.removeprefix("[").removesuffix("]"), int(port)))
    if not addresses:
        raise ValueError("no HOST:PORT given")
    return addresses
