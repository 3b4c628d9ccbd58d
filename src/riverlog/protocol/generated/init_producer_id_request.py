"""InitProducerIdRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    not_in_version,
    skip_tags,
    string_prefix,
    string_tail,
    UNFIT,
    UVARINTS,
    Wire,
)

NAME: Final = "InitProducerIdRequest"
API_KEY: Final = 22
VERSIONS: Final[tuple[int, int]] = (0, 6)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = True

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_iqhzzB = Struct(">iqh??B").unpack_from
_unpack_iqhB = Struct(">iqhB").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_iqhzzx = Struct(">iqh??x").pack
_pack_iqhx = Struct(">iqhx").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class InitProducerIdRequest(Wire):
    """InitProducerIdRequest."""

    __slots__ = ("transactional_id", "transaction_timeout_ms", "producer_id", "producer_epoch", "enable2_pc", "keep_prepared_txn")

    transactional_id: str | None
    transaction_timeout_ms: int
    producer_id: int
    producer_epoch: int
    enable2_pc: bool
    keep_prepared_txn: bool

    def __init__(
        self,
        transactional_id: str | None = "",
        transaction_timeout_ms: int = 0,
        producer_id: int = -1,
        producer_epoch: int = -1,
        enable2_pc: bool = False,
        keep_prepared_txn: bool = False,
    ) -> None:
        self.transactional_id = transactional_id
        self.transaction_timeout_ms = transaction_timeout_ms
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.enable2_pc = enable2_pc
        self.keep_prepared_txn = keep_prepared_txn


def _decode_0(buffer: memoryview, p: int) -> tuple[InitProducerIdRequest, int]:
    """Versions 0, 1."""
    (transactional_id_size,) = _unpack_h(buffer, p)
    p += 2
    transactional_id: str | None = None
    if transactional_id_size >= 0:
        stop = p + transactional_id_size
        transactional_id = buffer[p:stop].tobytes().decode()
        p = stop
    elif transactional_id_size != -1:
        raise missing("InitProducerIdRequest.transactional_id")
    (transaction_timeout_ms,) = _unpack_i(buffer, p)
    p += 4
    return InitProducerIdRequest(transactional_id, transaction_timeout_ms, -1, -1, False, False), p


def _decode_1(buffer: memoryview, p: int) -> tuple[InitProducerIdRequest, int]:
    """Versions 2."""
    transactional_id_size = buffer[p]
    p += 1
    if transactional_id_size > 127:
        transactional_id_size, p = string_tail(buffer, p, transactional_id_size)
    transactional_id: str | None = None
    if transactional_id_size:
        stop = p + transactional_id_size - 1
        transactional_id = buffer[p:stop].tobytes().decode()
        p = stop
    transaction_timeout_ms, tags = _unpack_iB(buffer, p)
    p += 5
    if tags:
        p = skip_tags(buffer, p, tags)
    return InitProducerIdRequest(transactional_id, transaction_timeout_ms, -1, -1, False, False), p


def _decode_2(buffer: memoryview, p: int) -> tuple[InitProducerIdRequest, int]:
    """Versions 3, 4, 5."""
    transactional_id_size = buffer[p]
    p += 1
    if transactional_id_size > 127:
        transactional_id_size, p = string_tail(buffer, p, transactional_id_size)
    transactional_id: str | None = None
    if transactional_id_size:
        stop = p + transactional_id_size - 1
        transactional_id = buffer[p:stop].tobytes().decode()
        p = stop
    transaction_timeout_ms, producer_id, producer_epoch, tags = _unpack_iqhB(buffer, p)
    p += 15
    if tags:
        p = skip_tags(buffer, p, tags)
    return InitProducerIdRequest(transactional_id, transaction_timeout_ms, producer_id, producer_epoch, False, False), p


def _decode_3(buffer: memoryview, p: int) -> tuple[InitProducerIdRequest, int]:
    """Versions 6."""
    transactional_id_size = buffer[p]
    p += 1
    if transactional_id_size > 127:
        transactional_id_size, p = string_tail(buffer, p, transactional_id_size)
    transactional_id: str | None = None
    if transactional_id_size:
        stop = p + transactional_id_size - 1
        transactional_id = buffer[p:stop].tobytes().decode()
        p = stop
    transaction_timeout_ms, producer_id, producer_epoch, enable2_pc, keep_prepared_txn, tags = _unpack_iqhzzB(buffer, p)
    p += 17
    if tags:
        p = skip_tags(buffer, p, tags)
    return InitProducerIdRequest(transactional_id, transaction_timeout_ms, producer_id, producer_epoch, enable2_pc, keep_prepared_txn), p


def _encode_0(message: InitProducerIdRequest) -> bytes:
    """Versions 0, 1."""
    transactional_id_value = message.transactional_id
    if transactional_id_value is None:
        transactional_id_size, transactional_id = -1, b""
    else:
        transactional_id = transactional_id_value.encode()
        transactional_id_size = len(transactional_id)
    if message.producer_id != -1:
        raise not_in_version("InitProducerIdRequest.producer_id")
    if message.producer_epoch != -1:
        raise not_in_version("InitProducerIdRequest.producer_epoch")
    if message.enable2_pc:
        raise not_in_version("InitProducerIdRequest.enable2_pc")
    if message.keep_prepared_txn:
        raise not_in_version("InitProducerIdRequest.keep_prepared_txn")
    return b"".join((_pack_h(transactional_id_size), transactional_id, _pack_i(message.transaction_timeout_ms)))


def _encode_1(message: InitProducerIdRequest) -> bytes:
    """Versions 2."""
    transactional_id_value = message.transactional_id
    if transactional_id_value is None:
        transactional_id_size, transactional_id = 0, b""
    else:
        transactional_id = transactional_id_value.encode()
        transactional_id_size = len(transactional_id) + 1
    if message.producer_id != -1:
        raise not_in_version("InitProducerIdRequest.producer_id")
    if message.producer_epoch != -1:
        raise not_in_version("InitProducerIdRequest.producer_epoch")
    if message.enable2_pc:
        raise not_in_version("InitProducerIdRequest.enable2_pc")
    if message.keep_prepared_txn:
        raise not_in_version("InitProducerIdRequest.keep_prepared_txn")
    return b"".join((UVARINTS[transactional_id_size] if transactional_id_size < 256 else string_prefix(transactional_id_size), transactional_id, _pack_ix(message.transaction_timeout_ms)))


def _encode_2(message: InitProducerIdRequest) -> bytes:
    """Versions 3, 4, 5."""
    transactional_id_value = message.transactional_id
    if transactional_id_value is None:
        transactional_id_size, transactional_id = 0, b""
    else:
        transactional_id = transactional_id_value.encode()
        transactional_id_size = len(transactional_id) + 1
    if message.enable2_pc:
        raise not_in_version("InitProducerIdRequest.enable2_pc")
    if message.keep_prepared_txn:
        raise not_in_version("InitProducerIdRequest.keep_prepared_txn")
    return b"".join((UVARINTS[transactional_id_size] if transactional_id_size < 256 else string_prefix(transactional_id_size), transactional_id, _pack_iqhx(message.transaction_timeout_ms, message.producer_id, message.producer_epoch)))


def _encode_3(message: InitProducerIdRequest) -> bytes:
    """Versions 6."""
    transactional_id_value = message.transactional_id
    if transactional_id_value is None:
        transactional_id_size, transactional_id = 0, b""
    else:
        transactional_id = transactional_id_value.encode()
        transactional_id_size = len(transactional_id) + 1
    return b"".join((UVARINTS[transactional_id_size] if transactional_id_size < 256 else string_prefix(transactional_id_size), transactional_id, _pack_iqhzzx(message.transaction_timeout_ms, message.producer_id, message.producer_epoch, message.enable2_pc, message.keep_prepared_txn)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[InitProducerIdRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_1,
    3: _decode_2,
    4: _decode_2,
    5: _decode_2,
    6: _decode_3,
}
_ENCODERS: Final[dict[int, Callable[[InitProducerIdRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_1,
    3: _encode_2,
    4: _encode_2,
    5: _encode_2,
    6: _encode_3,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[InitProducerIdRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"InitProducerIdRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"InitProducerIdRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"InitProducerIdRequest v{version} is cut short")
    return result


def encode(message: InitProducerIdRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"InitProducerIdRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"InitProducerIdRequest v{version}: {error}") from error
