"""BrokerHeartbeatRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    skip_tags,
    UNFIT,
    UNSET,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
    write_uuids,
)

NAME: Final = "BrokerHeartbeatRequest"
API_KEY: Final = 63
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iqqzzB = Struct(">iqq??B").unpack_from
_pack_iqqzz = Struct(">iqq??").pack
_pack_iqqzzx = Struct(">iqq??x").pack


@dataclass(init=False, repr=False, eq=False)
class BrokerHeartbeatRequest(Wire):
    """BrokerHeartbeatRequest."""

    __slots__ = ("broker_id", "broker_epoch", "current_metadata_offset", "want_fence", "want_shut_down", "offline_log_dirs", "cordoned_log_dirs")

    broker_id: int
    broker_epoch: int
    current_metadata_offset: int
    want_fence: bool
    want_shut_down: bool
    offline_log_dirs: list[bytes]
    cordoned_log_dirs: list[bytes] | None

    def __init__(
        self,
        broker_id: int = 0,
        broker_epoch: int = -1,
        current_metadata_offset: int = 0,
        want_fence: bool = False,
        want_shut_down: bool = False,
        offline_log_dirs: list[bytes] = UNSET,
        cordoned_log_dirs: list[bytes] | None = None,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.current_metadata_offset = current_metadata_offset
        self.want_fence = want_fence
        self.want_shut_down = want_shut_down
        self.offline_log_dirs = [] if offline_log_dirs is UNSET else offline_log_dirs
        self.cordoned_log_dirs = cordoned_log_dirs


def _decode_0(buffer: memoryview, p: int) -> tuple[BrokerHeartbeatRequest, int]:
    """Versions 0."""
    broker_id, broker_epoch, current_metadata_offset, want_fence, want_shut_down, tags = _unpack_iqqzzB(buffer, p)
    p += 23
    if tags:
        p = skip_tags(buffer, p, tags)
    return BrokerHeartbeatRequest(broker_id, broker_epoch, current_metadata_offset, want_fence, want_shut_down, [], None), p


def _decode_1(buffer: memoryview, p: int) -> tuple[BrokerHeartbeatRequest, int]:
    """Versions 1."""
    broker_id, broker_epoch, current_metadata_offset, want_fence, want_shut_down, tags = _unpack_iqqzzB(buffer, p)
    p += 23
    offline_log_dirs: list[bytes] = []
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                offline_log_dirs_count = buffer[p]
                p += 1
                if offline_log_dirs_count > 127:
                    offline_log_dirs_count, p = uvarint_tail(buffer, p, offline_log_dirs_count)
                if offline_log_dirs_count == 0:
                    raise missing("BrokerHeartbeatRequest.offline_log_dirs")
                offline_log_dirs_count -= 1
                offline_log_dirs_2 = read_uuids(buffer, p, offline_log_dirs_count)
                p += offline_log_dirs_count * 16
                offline_log_dirs = offline_log_dirs_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("BrokerHeartbeatRequest: a tagged field is not of its size")
    return BrokerHeartbeatRequest(broker_id, broker_epoch, current_metadata_offset, want_fence, want_shut_down, offline_log_dirs, None), p


def _decode_2(buffer: memoryview, p: int) -> tuple[BrokerHeartbeatRequest, int]:
    """Versions 2."""
    broker_id, broker_epoch, current_metadata_offset, want_fence, want_shut_down, tags = _unpack_iqqzzB(buffer, p)
    p += 23
    offline_log_dirs: list[bytes] = []
    cordoned_log_dirs: list[bytes] | None = None
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                offline_log_dirs_count = buffer[p]
                p += 1
                if offline_log_dirs_count > 127:
                    offline_log_dirs_count, p = uvarint_tail(buffer, p, offline_log_dirs_count)
                if offline_log_dirs_count == 0:
                    raise missing("BrokerHeartbeatRequest.offline_log_dirs")
                offline_log_dirs_count -= 1
                offline_log_dirs_2 = read_uuids(buffer, p, offline_log_dirs_count)
                p += offline_log_dirs_count * 16
                offline_log_dirs = offline_log_dirs_2
            elif tag == 1:
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
                raise DecodeError("BrokerHeartbeatRequest: a tagged field is not of its size")
    return BrokerHeartbeatRequest(broker_id, broker_epoch, current_metadata_offset, want_fence, want_shut_down, offline_log_dirs, cordoned_log_dirs), p


def _encode_0(message: BrokerHeartbeatRequest) -> bytes:
    """Versions 0."""
    if message.offline_log_dirs:
        raise not_in_version("BrokerHeartbeatRequest.offline_log_dirs")
    if message.cordoned_log_dirs is not None:
        raise not_in_version("BrokerHeartbeatRequest.cordoned_log_dirs")
    return _pack_iqqzzx(message.broker_id, message.broker_epoch, message.current_metadata_offset, message.want_fence, message.want_shut_down)


def _encode_1(message: BrokerHeartbeatRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    if message.cordoned_log_dirs is not None:
        raise not_in_version("BrokerHeartbeatRequest.cordoned_log_dirs")
    out.append(_pack_iqqzz(message.broker_id, message.broker_epoch, message.current_metadata_offset, message.want_fence, message.want_shut_down))
    tags = 0
    tagged: list[bytes] = []
    if message.offline_log_dirs:
        content: list[bytes] = []
        offline_log_dirs = message.offline_log_dirs
        offline_log_dirs_count = len(offline_log_dirs) + 1
        content += (
            UVARINTS[offline_log_dirs_count] if offline_log_dirs_count < 256 else uvarint(offline_log_dirs_count),
            write_uuids(offline_log_dirs),
        )
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


def _encode_2(message: BrokerHeartbeatRequest) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    out.append(_pack_iqqzz(message.broker_id, message.broker_epoch, message.current_metadata_offset, message.want_fence, message.want_shut_down))
    tags = 0
    tagged: list[bytes] = []
    if message.offline_log_dirs:
        content: list[bytes] = []
        offline_log_dirs = message.offline_log_dirs
        offline_log_dirs_count = len(offline_log_dirs) + 1
        content += (
            UVARINTS[offline_log_dirs_count] if offline_log_dirs_count < 256 else uvarint(offline_log_dirs_count),
            write_uuids(offline_log_dirs),
        )
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if message.cordoned_log_dirs is not None:
        content_2: list[bytes] = []
        cordoned_log_dirs = message.cordoned_log_dirs
        cordoned_log_dirs_count = len(cordoned_log_dirs) + 1
        content_2 += (
            UVARINTS[cordoned_log_dirs_count] if cordoned_log_dirs_count < 256 else uvarint(cordoned_log_dirs_count),
            write_uuids(cordoned_log_dirs),
        )
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


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[BrokerHeartbeatRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[BrokerHeartbeatRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[BrokerHeartbeatRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"BrokerHeartbeatRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"BrokerHeartbeatRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"BrokerHeartbeatRequest v{version} is cut short")
    return result


def encode(message: BrokerHeartbeatRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"BrokerHeartbeatRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"BrokerHeartbeatRequest v{version}: {error}") from error
