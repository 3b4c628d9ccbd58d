"""Requests of clients that only the active controller can answer, passed on to it (KIP-590).

A broker wraps the request with who sent it into an Envelope; the controller unwraps it, answers as if the
client had asked itself, and wraps the answer. A controller that does not lead says so in the envelope, and
the broker asks the next one until the request's own time is over.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from riverlog.base.errors import ErrorCode
from riverlog.base.slices import FileSlice
from riverlog.broker.refusals import refusal
from riverlog.broker.registry import PARKED, Handle, Handler
from riverlog.broker.session import Session
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.errors import DecodeError
from riverlog.protocol.frames import decode_response, encode_request
from riverlog.protocol.generated import default_principal_data
from riverlog.protocol.generated.envelope_request import EnvelopeRequest
from riverlog.protocol.generated.envelope_response import EnvelopeResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

logger = logging.getLogger("riverlog.broker")

TIMEOUT_SECONDS = 30.0
"""For requests that do not say how long they may take."""
_LENGTH_BYTES = 4


def principal() -> bytes:
    """Everybody is anonymous yet; as Kafka's default principal is written, its version first."""
    data = default_principal_data.DefaultPrincipalData(type="User", name="ANONYMOUS")
    return (0).to_bytes(2, "big") + default_principal_data.encode(data, 0)


def address_bytes(host: str) -> bytes:
    """An address as 4 or 16 bytes; of a name that is none, nobody's."""
    try:
        return ipaddress.ip_address(host.partition("%")[0]).packed
    except ValueError:
        return bytes(4)


def address_text(packed: bytes) -> str | None:
    """The reverse; None if there are not 4 or 16 bytes."""
    try:
        return str(ipaddress.ip_address(bytes(packed)))
    except ValueError:
        return None


def controlled(entry: Handler) -> Handle:
    """A handler that works here only while this node is the active controller."""
    handle = entry.handle

    def run(broker: Broker, context: RequestContext, request: Any) -> Any:
        context.request = request
        if broker.metadata.is_active:
            return handle(broker, context, request)
        context.lost_controller()
        return PARKED

    return run


class Forwarding:
    """The broker's side."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker

    def forward(self, context: RequestContext) -> None:
        """Answer a client's request with what the active controller answers."""
        frame = encode_request(
            context.api_key, context.api_version, context.correlation_id, context.client_id, context.request
        )
        wrapped = EnvelopeRequest(
            request_data=frame[_LENGTH_BYTES:],
            request_principal=principal(),
            client_host_address=address_bytes(context.session.peer_host),
        )
        spent = self._broker.clock.monotonic() - context.received
        timeout_seconds = max(0.0, _timeout_seconds(context.request) - spent)
        self._broker.controller.send(
            ApiKey.ENVELOPE, wrapped, lambda answer: self._answered(context, answer), timeout_seconds
        )

    def _answered(self, context: RequestContext, answer: EnvelopeResponse | None) -> None:
        if context.session.closed:
            return
        if answer is None:
            context.reply(
                refusal(
                    context.api_key,
                    context.request,
                    ErrorCode.REQUEST_TIMED_OUT,
                    "No active controller answered in time.",
                )
            )
            return
        if answer.error_code == ErrorCode.UNSUPPORTED_VERSION:
            context.session.close("the controller does not serve this version")
            return
        response = None
        if not answer.error_code and answer.response_data is not None:
            try:
                _, response = decode_response(
                    context.api_key, context.api_version, memoryview(answer.response_data)
                )
            except DecodeError as error:
                logger.error("the controller's answer does not decode: %s", error)
        if response is None:
            # Not the client's fault, and none of the errors it expects.
            response = refusal(
                context.api_key,
                context.request,
                ErrorCode.UNKNOWN_SERVER_ERROR,
                f"The controller refused the forwarded request with error {answer.error_code}.",
            )
        _pass_on_throttle(context, response)
        context.reply(response)


def _timeout_seconds(request: Any) -> float:
    timeout_ms = getattr(request, "timeout_ms", 0)
    return timeout_ms / 1000 if timeout_ms > 0 else TIMEOUT_SECONDS


def _pass_on_throttle(context: RequestContext, response: Any) -> None:
    """The controller said how long the client is to wait; we see to it."""
    seconds = getattr(response, "throttle_time_ms", 0) / 1000
    if seconds <= 0:
        return
    if context.charge is not None:
        context.charge.at_least(seconds)
    else:
        context.session.connection.pause_for(seconds)


class Envelope:
    """The controller's side: the connection of one wrapped request, an ``env.Connection``."""

    def __init__(self, context: RequestContext) -> None:
        self._context = context
        self._answered = False

    def send(self, parts: Sequence[bytes | bytearray | memoryview | FileSlice]) -> None:
        whole = b"".join(part.read() if isinstance(part, FileSlice) else bytes(part) for part in parts)
        self._answer(EnvelopeResponse(response_data=whole[_LENGTH_BYTES:]))

    def pause_for(self, seconds: float) -> None:
        """The broker that sent the envelope holds its client back."""

    def close(self, reason: str) -> None:
        logger.warning("a forwarded request is refused: %s", reason)
        self._answer(EnvelopeResponse(error_code=ErrorCode.INVALID_REQUEST))

    def not_controller(self) -> None:
        self._answer(EnvelopeResponse(error_code=ErrorCode.NOT_CONTROLLER))

    def _answer(self, response: EnvelopeResponse) -> None:
        if not self._answered:
            self._answered = True
            self._context.reply(response)


class EnvelopeSession(Session):
    """One wrapped request, as if its client were connected here."""

    __slots__ = ()

    def __init__(self, broker: Broker, context: RequestContext, peer_host: str) -> None:
        envelope = Envelope(context)
        super().__init__(broker, envelope, listener=context.session.listener, peer_host=peer_host)
        self.envelope = envelope
        self.entries = broker.envelope_entries
