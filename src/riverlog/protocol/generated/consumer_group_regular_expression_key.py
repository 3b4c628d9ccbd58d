"""ConsumerGroupRegularExpressionKey. Written by `python -m codegen` from schemas/group; do not edit."""

# fmt: off
# ruff: noqa: A001, ARG001, N816
# Layout is fixed by the generator, so that it does not depend on the version of a formatter.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from struct import Struct
from typing import Final

from riverlog.protocol.errors import DecodeError, EncodeError
from riverlog.protocol.primitives import (
    MALFORMED,
    missing,
    UNFIT,
    Wire,
)

NAME: Final = "ConsumerGroupRegularExpressionKey"
API_KEY: Final = 16
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 32767
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_pack_h = Struct(">h").pack


@dataclass(init=False, repr=False, eq=False)
class ConsumerGroupRegularExpressionKey(Wire):
    """ConsumerGroupRegularExpressionKey."""

    __slots__ = ("group_id", "regular_expression")

    group_id: str
    regular_expression: str

    def __init__(
        self,
        group_id: str = "",
        regular_expression: str = "",
    ) -> None:
        self.group_id = group_id
        self.regular_expression = regular_expression


def _decode_0(buffer: memoryview, p: int) -> tuple[ConsumerGroupRegularExpressionKey, int]:
    """Versions 0."""
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("ConsumerGroupRegularExpressionKey.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    (regular_expression_size,) = _unpack_h(buffer, p)
    p += 2
    if regular_expression_size < 0:
        raise missing("ConsumerGroupRegularExpressionKey.regular_expression")
    stop = p + regular_expression_size
    regular_expression = buffer[p:stop].tobytes().decode()
    p = stop
    return ConsumerGroupRegularExpressionKey(group_id, regular_expression), p


def _encode_0(message: ConsumerGroupRegularExpressionKey) -> bytes:
    """Versions 0."""
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    regular_expression = message.regular_expression.encode()
    regular_expression_size = len(regular_expression)
    return b"".join((_pack_h(group_id_size), group_id, _pack_h(regular_expression_size), regular_expression))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ConsumerGroupRegularExpressionKey, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ConsumerGroupRegularExpressionKey], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ConsumerGroupRegularExpressionKey, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ConsumerGroupRegularExpressionKey has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ConsumerGroupRegularExpressionKey v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ConsumerGroupRegularExpressionKey v{version} is cut short")
    return result


def encode(message: ConsumerGroupRegularExpressionKey, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ConsumerGroupRegularExpressionKey has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ConsumerGroupRegularExpressionKey v{version}: {error}") from error
