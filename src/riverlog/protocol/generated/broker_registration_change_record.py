"""BrokerRegistrationChangeRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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
    read_tag,
    read_uuids,
    UNFIT,
    UNSET,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
    write_uuids,
)

NAME: Final = "BrokerRegistrationChangeRecord"
API_KEY: Final = 17
VERSIONS: Final[tuple[int, int]] = (0, 3)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_b = Struct(">b").unpack_from
_unpack_iqB = Struct(">iqB").unpack_from
_pack_b = Struct(">b").pack
_pack_iq = Struct(">iq").pack


@dataclass(init=False, repr=False, eq=False)
class BrokerRegistrationChangeRecord(Wire):
    """BrokerRegistrationChangeRecord."""

    __slots__ = ("broker_id", "broker_epoch", "fenced", "in_controlled_shutdown", "log_dirs", "cordoned_log_dirs")

    broker_id: int
    broker_epoch: int
    fenced: int
    in_controlled_shutdown: int
    log_dirs: list[bytes]
    cordoned_log_dirs: list[bytes] | None

    def __init__(
        self,
        broker_id: int = 0,
        broker_epoch: int = 0,
        fenced: int = 0,
        in_controlled_shutdown: int = 0,
        log_dirs: list[bytes] = UNSET,
        cordoned_log_dirs: list[bytes] | None = None,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.fenced = fenced
        self.in_controlled_shutdown = in_controlled_shutdown
        self.log_dirs = [] if log_dirs is UNSET else log_dirs
        self.cordoned_log_dirs = cordoned_log_dirs


def _decode_0(buffer: memoryview, p: int) -> tuple[BrokerRegistrationChangeRecord, int]:
    """Versions 0."""
    broker_id, broker_epoch, tags = _unpack_iqB(buffer, p)
    p += 13
    fenced: int = 0
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                (fenced_2,) = _unpack_b(buffer, p)
                p += 1
                fenced = fenced_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("BrokerRegistrationChangeRecord: a tagged field is not of its size")
    return BrokerRegistrationChangeRecord(broker_id, broker_epoch, fenced, 0, [], None), p


def _decode_1(buffer: memoryview, p: int) -> tuple[BrokerRegistrationChangeRecord, int]:
    """Versions 1."""
    broker_id, broker_epoch, tags = _unpack_iqB(buffer, p)
    p += 13
    fenced: int = 0
    in_controlled_shutdown: int = 0
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                (fenced_2,) = _unpack_b(buffer, p)
                p += 1
                fenced = fenced_2
            elif tag == 1:
                (in_controlled_shutdown_2,) = _unpack_b(buffer, p)
                p += 1
                in_controlled_shutdown = in_controlled_shutdown_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("BrokerRegistrationChangeRecord: a tagged field is not of its size")
    return BrokerRegistrationChangeRecord(broker_id, broker_epoch, fenced, in_controlled_shutdown, [], None), p


def _decode_2(buffer: memoryview, p: int) -> tuple[BrokerRegistrationChangeRecord, int]:
    """Versions 2."""
    broker_id, broker_epoch, tags = _unpack_iqB(buffer, p)
    p += 13
    fenced: int = 0
    in_controlled_shutdown: int = 0
    log_dirs: list[bytes] = []
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                (fenced_2,) = _unpack_b(buffer, p)
                p += 1
                fenced = fenced_2
            elif tag == 1:
                (in_controlled_shutdown_2,) = _unpack_b(buffer, p)
                p += 1
                in_controlled_shutdown = in_controlled_shutdown_2
            elif tag == 2:
                log_dirs_count = buffer[p]
                p += 1
                if log_dirs_count > 127:
                    log_dirs_count, p = uvarint_tail(buffer, p, log_dirs_count)
                if log_dirs_count == 0:
                    raise missing("BrokerRegistrationChangeRecord.log_dirs")
                log_dirs_count -= 1
                log_dirs_2 = read_uuids(buffer, p, log_dirs_count)
                p += log_dirs_count * 16
                log_dirs = log_dirs_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("BrokerRegistrationChangeRecord: a tagged field is not of its size")
    return BrokerRegistrationChangeRecord(broker_id, broker_epoch, fenced, in_controlled_shutdown, log_dirs, None), p


def _decode_3(buffer: memoryview, p: int) -> tuple[BrokerRegistrationChangeRecord, int]:
    """Versions 3."""
    broker_id, broker_epoch, tags = _unpack_iqB(buffer, p)
    p += 13
    fenced: int = 0
    in_controlled_shutdown: int = 0
    log_dirs: list[bytes] = []
    cordoned_log_dirs: list[bytes] | None = None
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                (fenced_2,) = _unpack_b(buffer, p)
                p += 1
                fenced = fenced_2
            elif tag == 1:
                (in_controlled_shutdown_2,) = _unpack_b(buffer, p)
                p += 1
                in_controlled_shutdown = in_controlled_shutdown_2
            elif tag == 2:
                log_dirs_count = buffer[p]
                p += 1
                if log_dirs_count > 127:
                    log_dirs_count, p = uvarint_tail(buffer, p, log_dirs_count)
                if log_dirs_count == 0:
                    raise missing("BrokerRegistrationChangeRecord.log_dirs")
                log_dirs_count -= 1
                log_dirs_2 = read_uuids(buffer, p, log_dirs_count)
                p += log_dirs_count * 16
                log_dirs = log_dirs_2
            elif tag == 3:
                cordoned_log_dirs_count = buffer[p]
                p += 1
                if cordoned_log_dirs_count > 127:
                    cordoned_log_dirs_count, p = uvarint_tail(buffer, p, cordoned_log_dirs_count)
                cordoned_log_dirs_2: list[bytes] | None = None
                if cordoned_log_dirs_count:
                    cordoned_log_dirs_count -= 1
                    cordoned_log_dirs_2 = read_uuids(buffer, p, cordoned_log_dirs_count)
                    p += cordoned_log_dirs_count * 16
                cordoned_log_dirs = cordoned_log_dirs_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("BrokerRegistrationChangeRecord: a tagged field is not of its size")
    return BrokerRegistrationChangeRecord(broker_id, broker_epoch, fenced, in_controlled_shutdown, log_dirs, cordoned_log_dirs), p


def _encode_0(message: BrokerRegistrationChangeRecord) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    if message.in_controlled_shutdown != 0:
        raise not_in_version("BrokerRegistrationChangeRecord.in_controlled_shutdown")
    if message.log_dirs:
        raise not_in_version("BrokerRegistrationChangeRecord.log_dirs")
    if message.cordoned_log_dirs is not None:
        raise not_in_version("BrokerRegistrationChangeRecord.cordoned_log_dirs")
    out.append(_pack_iq(message.broker_id, message.broker_epoch))
    tags = 0
    tagged: list[bytes] = []
    if message.fenced != 0:
        content: list[bytes] = []
        content.append(_pack_b(message.fenced))
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


def _encode_1(message: BrokerRegistrationChangeRecord) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    if message.log_dirs:
        raise not_in_version("BrokerRegistrationChangeRecord.log_dirs")
    if message.cordoned_log_dirs is not None:
        raise not_in_version("BrokerRegistrationChangeRecord.cordoned_log_dirs")
    out.append(_pack_iq(message.broker_id, message.broker_epoch))
    tags = 0
    tagged: list[bytes] = []
    if message.fenced != 0:
        content: list[bytes] = []
        content.append(_pack_b(message.fenced))
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if message.in_controlled_shutdown != 0:
        content_2: list[bytes] = []
        content_2.append(_pack_b(message.in_controlled_shutdown))
        joined_2 = b"".join(content_2)
        joined_size_2 = len(joined_2)
        tags += 1
        tagged += (
            UVARINTS[1],
            UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
            joined_2,
        )
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


def _encode_2(message: BrokerRegistrationChangeRecord) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    if message.cordoned_log_dirs is not None:
        raise not_in_version("BrokerRegistrationChangeRecord.cordoned_log_dirs")
    out.append(_pack_iq(message.broker_id, message.broker_epoch))
    tags = 0
    tagged: list[bytes] = []
    if message.fenced != 0:
        content: list[bytes] = []
        content.append(_pack_b(message.fenced))
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if message.in_controlled_shutdown != 0:
        content_2: list[bytes] = []
        content_2.append(_pack_b(message.in_controlled_shutdown))
        joined_2 = b"".join(content_2)
        joined_size_2 = len(joined_2)
        tags += 1
        tagged += (
            UVARINTS[1],
            UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
            joined_2,
        )
    if message.log_dirs:
        content_3: list[bytes] = []
        log_dirs = message.log_dirs
        log_dirs_count = len(log_dirs) + 1
        content_3 += (
            UVARINTS[log_dirs_count] if log_dirs_count < 256 else uvarint(log_dirs_count),
            write_uuids(log_dirs),
        )
        joined_3 = b"".join(content_3)
        joined_size_3 = len(joined_3)
        tags += 1
        tagged += (
            UVARINTS[2],
            UVARINTS[joined_size_3] if joined_size_3 < 256 else uvarint(joined_size_3),
            joined_3,
        )
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


def _encode_3(message: BrokerRegistrationChangeRecord) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    out.append(_pack_iq(message.broker_id, message.broker_epoch))
    tags = 0
    tagged: list[bytes] = []
    if message.fenced != 0:
        content: list[bytes] = []
        content.append(_pack_b(message.fenced))
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if message.in_controlled_shutdown != 0:
        content_2: list[bytes] = []
        content_2.append(_pack_b(message.in_controlled_shutdown))
        joined_2 = b"".join(content_2)
        joined_size_2 = len(joined_2)
        tags += 1
        tagged += (
            UVARINTS[1],
            UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
            joined_2,
        )
    if message.log_dirs:
        content_3: list[bytes] = []
        log_dirs = message.log_dirs
        log_dirs_count = len(log_dirs) + 1
        content_3 += (
            UVARINTS[log_dirs_count] if log_dirs_count < 256 else uvarint(log_dirs_count),
            write_uuids(log_dirs),
        )
        joined_3 = b"".join(content_3)
        joined_size_3 = len(joined_3)
        tags += 1
        tagged += (
            UVARINTS[2],
            UVARINTS[joined_size_3] if joined_size_3 < 256 else uvarint(joined_size_3),
            joined_3,
        )
    if message.cordoned_log_dirs is not None:
        content_4: list[bytes] = []
        cordoned_log_dirs = message.cordoned_log_dirs
        cordoned_log_dirs_count = len(cordoned_log_dirs) + 1
        content_4 += (
            UVARINTS[cordoned_log_dirs_count] if cordoned_log_dirs_count < 256 else uvarint(cordoned_log_dirs_count),
            write_uuids(cordoned_log_dirs),
        )
        joined_4 = b"".join(content_4)
        joined_size_4 = len(joined_4)
        tags += 1
        tagged += (
            UVARINTS[3],
            UVARINTS[joined_size_4] if joined_size_4 < 256 else uvarint(joined_size_4),
            joined_4,
        )
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[BrokerRegistrationChangeRecord, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_2,
    3: _decode_3,
}
_ENCODERS: Final[dict[int, Callable[[BrokerRegistrationChangeRecord], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_2,
    3: _encode_3,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[BrokerRegistrationChangeRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"BrokerRegistrationChangeRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"BrokerRegistrationChangeRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"BrokerRegistrationChangeRecord v{version} is cut short")
    return result


def encode(message: BrokerRegistrationChangeRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"BrokerRegistrationChangeRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"BrokerRegistrationChangeRecord v{version}: {error}") from error
