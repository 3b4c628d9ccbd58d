"""Envelope: a client's request that a broker passes on to the controller.

Version 0, on controller listeners. What is in it is answered as if the client had asked.
Differs from Kafka: the principal is not looked at until there is security.
KIPs: 590.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.forwarding import EnvelopeSession, address_text
from riverlog.broker.registry import CONTROLLER, PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.errors import DecodeError
from riverlog.protocol.frames import decode_request_header
from riverlog.protocol.generated.envelope_request import EnvelopeRequest
from riverlog.protocol.generated.envelope_response import EnvelopeResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.ENVELOPE, versions=(0, 0), on=CONTROLLER, forward=True)
def envelope(broker: Broker, context: RequestContext, request: EnvelopeRequest) -> EnvelopeResponse | Later:
    host = address_text(request.client_host_address)
    if host is None:
        return EnvelopeResponse(error_code=ErrorCode.INVALID_REQUEST)
    frame = memoryview(bytes(request.request_data))
    try:
        header, _ = decode_request_header(frame)
    except DecodeError:
        return EnvelopeResponse(error_code=ErrorCode.INVALID_REQUEST)
    entry = broker.envelope_entries.get(header.api_key)
    if entry is None:
        return EnvelopeResponse(error_code=ErrorCode.INVALID_REQUEST)
    low, high = entry[0]
    if not low <= header.api_version <= high:
        return EnvelopeResponse(error_code=ErrorCode.UNSUPPORTED_VERSION)
    broker.dispatch(EnvelopeSession(broker, context, host), frame)
    return PARKED
