"""DescribeTransactionsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

# fmt: off
# ruff: noqa: A001, ARG001, N816
# Layout is fixed by the generator, so that it does not depend on the version of a formatter.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from riverlog.protocol.errors import DecodeError, EncodeError
from riverlog.protocol.primitives import (
    MALFORMED,
    MAX_ELEMENTS,
    missing,
    skip_tags,
    string_prefix,
    string_tail,
    too_many,
    UNFIT,
    UNSET,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
)

NAME: Final = "DescribeTransactionsRequest"
API_KEY: Final = 65
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False


@dataclass(init=False, repr=False, eq=False)
class DescribeTransactionsRequest(Wire):
    """DescribeTransactionsRequest."""

    __slots__ = ("transactional_ids",)

    transactional_ids: list[str]

    def __init__(
        self,
        transactional_ids: list[str] = UNSET,
    ) -> None:
        self.transactional_ids = [] if transactional_ids is UNSET else transactional_ids


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeTransactionsRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    transactional_ids_count = buffer[p]
    p += 1
    if transactional_ids_count > 127:
        transactional_ids_count, p = uvarint_tail(buffer, p, transactional_ids_count)
    if transactional_ids_count == 0:
        raise missing("DescribeTransactionsRequest.transactional_ids")
    transactional_ids_count -= 1
    if transactional_ids_count > room or transactional_ids_count > end - p:
        raise too_many("DescribeTransactionsRequest.transactional_ids", transactional_ids_count)
    room -= transactional_ids_count
    transactional_ids: list[str] = []
    for _ in range(transactional_ids_count):
        element_size = buffer[p]
        p += 1
        if element_size > 127:
            element_size, p = string_tail(buffer, p, element_size)
        if element_size == 0:
            raise missing("DescribeTransactionsRequest.transactional_ids")
        stop = p + element_size - 1
        element = buffer[p:stop].tobytes().decode()
        p = stop
        transactional_ids.append(element)
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return DescribeTransactionsRequest(transactional_ids), p


def _encode_0(message: DescribeTransactionsRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    transactional_ids = message.transactional_ids
    transactional_ids_count = len(transactional_ids) + 1
    out.append(UVARINTS[transactional_ids_count] if transactional_ids_count < 256 else uvarint(transactional_ids_count))
    for element in transactional_ids:
        text = element.encode()
        text_size = len(text) + 1
        out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeTransactionsRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[DescribeTransactionsRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeTransactionsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeTransactionsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeTransactionsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeTransactionsRequest v{version} is cut short")
    return result


def encode(message: DescribeTransactionsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeTransactionsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeTransactionsRequest v{version}: {error}") from error
