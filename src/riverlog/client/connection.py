"""One connection to a broker: requests in order out, frames in, answers matched by correlation id.

A connection first asks which API versions the broker has (KIP-35, KIP-511); requests
submitted before the answer wait. Versions are the newest that both sides know.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, assert_never

from riverlog.base.errors import ErrorCode
from riverlog.client.errors import UnsupportedApi
from riverlog.protocol.apis import ApiKey, api
from riverlog.protocol.errors import DecodeError, EncodeError
from riverlog.protocol.frames import decode_response, encode_request
from riverlog.protocol.generated.api_versions_request import ApiVersionsRequest
from riverlog.protocol.generated.api_versions_response import ApiVersionsResponse

MAX_FRAME_BYTES = 256 * 1024 * 1024
"""Largest answer taken. A fetch answer holds one whole batch at least, however large."""

LARGE_FRAME_BYTES = 64 * 1024
"""From this size on an answer is received where it stays. A copy less is much for a reader of megabytes."""

ROOM_BYTES_MAX = 64 * 1024 * 1024
"""Memory that is taken at once because a broker says that it will send so much."""

SOFTWARE_NAME = "riverlog"
Buffer = bytes | bytearray | memoryview

_CORRELATION_SPAN = 1 << 31
_LENGTH_BYTES = 4


@dataclass(slots=True, eq=False)
class Request:
    """A message for a broker. Its answer comes back with this object."""

    api_key: int
    message: Any
    max_version: int | None = None
    """Upper bound on the version, where a newer one needs what the sender does not know."""
    expects_answer: bool = True
    token: int = 0
    """The sender's own; nobody else looks at it."""


# ---------------------------------------------------------------- events


@dataclass(slots=True)
class Connected:
    """The transport is up."""


@dataclass(slots=True)
class Received:
    """Bytes from the broker, cut anywhere."""

    data: Buffer


@dataclass(slots=True)
class Filled:
    """So many bytes from the broker were put where ``room`` said."""

    count: int


@dataclass(slots=True)
class Submitted:
    """A request to send."""

    request: Request


@dataclass(slots=True)
class Disconnected:
    """The transport is gone."""

    reason: str


ConnectionEvent = Connected | Received | Filled | Submitted | Disconnected

# ---------------------------------------------------------------- effects


@dataclass(slots=True)
class SendBytes:
    """Write these to the transport, in order."""

    data: bytes


@dataclass(slots=True)
class Ready:
    """The broker's versions are known."""

    versions: dict[int, tuple[int, int]]


@dataclass(slots=True)
class Answered:
    """The answer to a request. A request that expects none is answered with None once it is sent."""

    request: Request
    message: Any
    version: int


@dataclass(slots=True)
class Failed:
    """A request that will get no answer."""

    request: Request
    reason: str
    unsupported: bool = False
    """Whether the broker does not have the API, so that trying again is no use."""


@dataclass(slots=True)
class Close:
    """Drop the transport: the broker sent nonsense."""

    reason: str


ConnectionEffect = SendBytes | Ready | Answered | Failed | Close


class State(Enum):
    NEW = auto()
    NEGOTIATING = auto()
    READY = auto()
    CLOSED = auto()


_TRANSITIONS = {
    State.NEW: {State.NEGOTIATING, State.CLOSED},
    State.NEGOTIATING: {State.READY, State.CLOSED},
    State.READY: {State.CLOSED},
    State.CLOSED: set(),
}


class ClientConnection:
    """The machine. The driver feeds events to ``handle`` and performs what comes back."""

    def __init__(
        self,
        *,
        client_id: str = SOFTWARE_NAME,
        software_version: str = "0",
        max_frame_bytes: int = MAX_FRAME_BYTES,
    ) -> None:
        self.state = State.NEW
        self.versions: dict[int, tuple[int, int]] = {}
        self.features: dict[str, int] = {}
        """Levels that the cluster has finalized, as they were when this connection came about (KIP-584)."""
        self._client_id = client_id
        self._software_version = software_version
        self._max_frame_bytes = max_frame_bytes
        self._next_correlation_id = 0
        self._in_flight: deque[tuple[int, int, Request]] = deque()
        """Correlation id, version, request: a broker answers in order."""
        self._waiting: deque[Request] = deque()
        self._buffer = bytearray()
        self._large: bytearray | None = None
        """A large answer on its way, its length in front; what came of it is counted, not appended."""
        self._large_count = 0

    @property
    def pending(self) -> int:
        """Requests without an answer so far."""
        return len(self._in_flight) + len(self._waiting)

    @property
    def closed(self) -> bool:
        return self.state is State.CLOSED

    def validate(self) -> None:
        """What holds after every event."""
        assert self.state is not State.CLOSED or self.pending == 0
        assert self.state is not State.READY or not self._waiting
        assert self.state is not State.NEGOTIATING or len(self._in_flight) == 1
        assert self._large is None or (self.state is not State.CLOSED and not self._buffer)

    def handle(self, event: ConnectionEvent) -> list[ConnectionEffect]:
        match event:
            case Received():
                return self._on_received(event.data)
            case Filled():
                return self._on_filled(event.count)
            case Submitted():
                return self._on_submitted(event)
            case Connected():
                return self._on_connected()
            case Disconnected():
                return self._on_disconnected(event.reason)
            case _:
                assert_never(event)

    def _move(self, state: State) -> None:
        assert state in _TRANSITIONS[self.state], (self.state, state)
        self.state = state

    def _on_connected(self) -> list[ConnectionEffect]:
        self._move(State.NEGOTIATING)
        return self._send(self._ask_versions(), api(ApiKey.API_VERSIONS).versions[1])

    def _ask_versions(self) -> Request:
        message = ApiVersionsRequest(
            client_software_name=SOFTWARE_NAME, client_software_version=self._software_version
        )
        return Request(ApiKey.API_VERSIONS, message)

    def _on_submitted(self, event: Submitted) -> list[ConnectionEffect]:
        if self.state is State.CLOSED:
            return [Failed(event.request, "connection is closed")]
        if self.state is not State.READY:
            self._waiting.append(event.request)
            return []
        return self._send_negotiated(event.request)

    def _send_negotiated(self, request: Request) -> list[ConnectionEffect]:
        try:
            return self._send(request, choose_version(self.versions, request))
        except (UnsupportedApi, EncodeError) as problem:
            return [Failed(request, str(problem), unsupported=True)]

    def _send(self, request: Request, version: int) -> list[ConnectionEffect]:
        correlation_id = self._next_correlation_id
        data = encode_request(request.api_key, version, correlation_id, self._client_id, request.message)
        self._next_correlation_id = (correlation_id + 1) % _CORRELATION_SPAN
        if not request.expects_answer:
            return [SendBytes(data), Answered(request, None, version)]
        self._in_flight.append((correlation_id, version, request))
        return [SendBytes(data)]

    def room(self) -> memoryview | None:
        """Where the rest of a large answer belongs, while one is on its way. A driver may read straight into
        it, and say ``Filled``."""
        return None if self._large is None else memoryview(self._large)[self._large_count :]

    def _on_filled(self, count: int) -> list[ConnectionEffect]:
        large = self._large
        assert large is not None
        self._large_count += count
        assert self._large_count <= len(large)
        if self._large_count < len(large):
            return []
        self._large = None
        return self._on_frame(memoryview(large)[_LENGTH_BYTES:])

    def _on_received(self, data: Buffer) -> list[ConnectionEffect]:
        if self.state is State.CLOSED:
            return []
        effects: list[ConnectionEffect] = []
        room = self.room()
        if room is not None:
            fitting = memoryview(data)[: len(room)]
            room[: len(fitting)] = fitting
            effects += self._on_filled(len(fitting))
            data = memoryview(data)[len(fitting) :]
            if self.closed or not data:
                return effects
        self._buffer += data
        return effects + self._cut_frames()

    def _cut_frames(self) -> list[ConnectionEffect]:
        """Take the whole answers out of the buffer."""
        buffer = self._buffer
        effects: list[ConnectionEffect] = []
        position = 0
        while len(buffer) - position >= _LENGTH_BYTES:
            size = int.from_bytes(buffer[position : position + _LENGTH_BYTES], "big", signed=True)
            if not _LENGTH_BYTES <= size <= self._max_frame_bytes:
                return effects + self._give_up(f"answer of {size} bytes")
            end = position + _LENGTH_BYTES + size
            if end > len(buffer):
                if LARGE_FRAME_BYTES <= size <= ROOM_BYTES_MAX:
                    self._begin_large(memoryview(buffer)[position:], _LENGTH_BYTES + size)
                    return effects
                break
            # Answers keep views of their frame: it takes the buffer over if that holds nothing else.
            if position == 0 and end == len(buffer):
                self._buffer = bytearray()
                return effects + self._on_frame(memoryview(buffer)[_LENGTH_BYTES:])
            frame = memoryview(bytes(memoryview(buffer)[position + _LENGTH_BYTES : end]))
            effects += self._on_frame(frame)
            if self.closed:
                return effects
            position = end
        del buffer[:position]
        return effects

    def _begin_large(self, start: memoryview, size: int) -> None:
        self._large = bytearray(size)
        self._large[: len(start)] = start
        self._large_count = len(start)
        self._buffer = bytearray()

    def _on_frame(self, frame: memoryview) -> list[ConnectionEffect]:
        if not self._in_flight:
            return self._give_up("answer without a request")
        expected, version, request = self._in_flight[0]
        correlation_id = int.from_bytes(frame[:4], "big", signed=True)
        if correlation_id != expected:
            return self._give_up(f"answer to request {correlation_id} instead of {expected}")
        if self.state is State.NEGOTIATING:
            return self._on_versions(frame, version)
        try:
            _, message = decode_response(request.api_key, version, frame)
        except DecodeError as problem:
            return self._give_up(f"answer that does not decode: {problem}")
        self._in_flight.popleft()
        return [Answered(request, message, version)]

    def _on_versions(self, frame: memoryview, version: int) -> list[ConnectionEffect]:
        refused = frame[4:6] == ErrorCode.UNSUPPORTED_VERSION.to_bytes(2, "big")
        try:
            # KIP-511: whatever we asked in, a refusal comes in version 0.
            _, answer = decode_response(ApiKey.API_VERSIONS, 0 if refused else version, frame)
        except DecodeError as problem:
            return self._give_up(f"list of versions that does not decode: {problem}")
        self._in_flight.popleft()
        assert isinstance(answer, ApiVersionsResponse)
        offered = {row.api_key: (row.min_version, row.max_version) for row in answer.api_keys}
        if refused and version > 0:
            again = offered.get(ApiKey.API_VERSIONS, (0, 0))[1]
            return self._send(self._ask_versions(), min(again, version - 1) if again > 0 else 0)
        if answer.error_code:
            return self._give_up(f"refusal to list its versions (error {answer.error_code})")
        self.versions = offered
        self.features = {row.name: row.max_version_level for row in answer.finalized_features}
        self._move(State.READY)
        effects: list[ConnectionEffect] = [Ready(offered)]
        while self._waiting:
            effects += self._send_negotiated(self._waiting.popleft())
        return effects

    def _give_up(self, what: str) -> list[ConnectionEffect]:
        reason = f"the broker sent an {what}" if what[0] in "aeiou" else f"the broker sent a {what}"
        return [*self._on_disconnected(reason), Close(reason)]

    def _on_disconnected(self, reason: str) -> list[ConnectionEffect]:
        if self.state is State.CLOSED:
            return []
        lost = [row[2] for row in self._in_flight if self.state is State.READY]
        lost += self._waiting
        self._in_flight.clear()
        self._waiting.clear()
        self._buffer.clear()
        self._large = None
        self._move(State.CLOSED)
        return [Failed(request, reason) for request in lost]


def choose_version(versions: dict[int, tuple[int, int]], request: Request) -> int:
    """The newest version of the request's API that both sides have."""
    ours = api(request.api_key)
    low, high = ours.versions
    if ours.latest_unstable:
        high -= 1
    if request.max_version is not None:
        high = min(high, request.max_version)
    theirs = versions.get(request.api_key)
    if theirs is None:
        raise UnsupportedApi(f"the broker does not have {ours.name}")
    version = min(high, theirs[1])
    if version < max(low, theirs[0]):
        raise UnsupportedApi(
            f"the broker has {ours.name} in versions {theirs[0]} to {theirs[1]}, we in {low} to {high}"
        )
    return version
