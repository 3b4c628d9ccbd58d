"""Requests and responses with their headers.

On the wire a frame is a length (int32), a header and a message. Which header depends on the API
and its version; the start of a request header is the same in all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from struct import error as struct_error
from typing import Any, cast

from riverlog.protocol.apis import NEVER, api
from riverlog.protocol.errors import DecodeError, EncodeError
from riverlog.protocol.generated.index import APIS
from riverlog.protocol.primitives import MAX_STRING, Part, skip_tags

__all__ = [
    "RequestHeader",
    "decode_request",
    "decode_request_header",
    "decode_response",
    "encode_request",
    "encode_response",
]

_FLEXIBLE_FROM = {key: row.request_flexible_from for key, row in APIS.items()}
_HEADER = Struct(">hhih")
_LENGTH = Struct(">i")
_pack_plain = Struct(">ii").pack
_pack_flexible = Struct(">iix").pack
_unpack_header = _HEADER.unpack_from

_ResponseEntry = tuple[int, Callable[[Any, int], bytes], Callable[[Any, int], list[Part]] | None]
_RESPONSES: dict[int, _ResponseEntry] = {}
"""First flexible version and encoders of the responses encoded so far."""


class RequestHeader:
    """Who asks for what, in which version."""

    __slots__ = ("api_key", "api_version", "client_id", "correlation_id")

    def __init__(self, api_key: int, api_version: int, correlation_id: int, client_id: str | None) -> None:
        self.api_key = api_key
        self.api_version = api_version
        self.correlation_id = correlation_id
        self.client_id = client_id

    def __repr__(self) -> str:
        return (
            f"RequestHeader(api_key={self.api_key}, api_version={self.api_version}, "
            f"correlation_id={self.correlation_id}, client_id={self.client_id!r})"
        )


def decode_request_header(frame: memoryview) -> tuple[RequestHeader, int]:
    """The header of a request frame (without its length) and where the message starts.

    An unknown key is read with header 1; an unknown version of a known key as its newest.
    """
    try:
        key, version, correlation_id, size = _unpack_header(frame)
        position = 10
        client_id: str | None = None
        if size >= 0:
            position = 10 + size
            client_id = frame[10:position].tobytes().decode()
        elif size != -1:
            raise DecodeError(f"client id of {size} bytes")
        if version >= _FLEXIBLE_FROM.get(key, NEVER):
            tags = frame[position]
            position += 1
            if tags:
                position = skip_tags(frame, position, tags)
    except (IndexError, struct_error, UnicodeDecodeError) as error:
        raise DecodeError(f"request header: {error}") from error
    if position > len(frame):
        raise DecodeError("request header is cut short")
    return RequestHeader(key, version, correlation_id, client_id), position


def decode_request(frame: memoryview) -> tuple[RequestHeader, Any]:
    """Header and message of a whole request frame (without its length)."""
    header, position = decode_request_header(frame)
    if header.api_key not in APIS:
        raise DecodeError(f"unknown api key {header.api_key}")
    message, _ = api(header.api_key).request.decode(frame, position, header.api_version)
    return header, message


def encode_request(
    api_key: int, api_version: int, correlation_id: int, client_id: str | None, message: Any
) -> bytes:
    """A whole request frame, length first."""
    called = api(api_key)
    name = None if client_id is None else client_id.encode()
    size = -1 if name is None else len(name)
    if size > MAX_STRING:
        raise EncodeError(f"client id of {size} bytes is longer than {MAX_STRING}")
    header = _HEADER.pack(api_key, api_version, correlation_id, size) + (name or b"")
    if called.request_header_version(api_version) == 2:
        header += b"\0"
    body = called.request.encode(message, api_version)
    return b"".join((_LENGTH.pack(len(header) + len(body)), header, body))


def encode_response(api_key: int, api_version: int, correlation_id: int, message: Any) -> list[Part]:
    """A whole response frame in parts, length first. Records in it are passed on, not copied."""
    entry = _RESPONSES.get(api_key) or _response_entry(api_key)
    flexible_from, encode, make_parts = entry
    if make_parts is None:
        body = encode(message, api_version)
        if api_version >= flexible_from:
            return [_pack_flexible(len(body) + 5, correlation_id) + body]
        return [_pack_plain(len(body) + 4, correlation_id) + body]
    parts = make_parts(message, api_version)
    size = sum(map(len, parts))
    if api_version >= flexible_from:
        head = _pack_flexible(size + 5, correlation_id)
    else:
        head = _pack_plain(size + 4, correlation_id)
    # The first part of an encoded message is always bytes: no message starts with records.
    parts[0] = head + cast(bytes, parts[0])
    return parts


def _response_entry(api_key: int) -> _ResponseEntry:
    called = api(api_key)
    make_parts = getattr(called.response, "encode_parts", None)
    entry = (called.response_flexible_from, called.response.encode, make_parts)
    _RESPONSES[api_key] = entry
    return entry


def decode_response(api_key: int, api_version: int, frame: memoryview) -> tuple[int, Any]:
    """Correlation id and message of a response frame (without its length)."""
    called = api(api_key)
    try:
        (correlation_id,) = _LENGTH.unpack_from(frame)
        position = 4
        if called.response_header_version(api_version) == 1:
            tags = frame[4]
            position = skip_tags(frame, 5, tags) if tags else 5
    except (IndexError, struct_error) as error:
        raise DecodeError(f"response header: {error}") from error
    message, _ = called.response.decode(frame, position, api_version)
    return correlation_id, message
