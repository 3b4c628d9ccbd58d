"""UpdateRaftVoterResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    read_tag,
    skip_tags,
    string_prefix,
    string_tail,
    UNFIT,
    UNSET,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
)

NAME: Final = "UpdateRaftVoterResponse"
API_KEY: Final = 82
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iB = Struct(">iB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_iiB = Struct(">iiB").unpack_from
_pack_ih = Struct(">ih").pack
_pack_ii = Struct(">ii").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class CurrentLeader(Wire):
    """CurrentLeader."""

    __slots__ = ("leader_id", "leader_epoch", "host", "port")

    leader_id: int
    leader_epoch: int
    host: str
    port: int

    def __init__(
        self,
        leader_id: int = -1,
        leader_epoch: int = -1,
        host: str = "",
        port: int = 0,
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.host = host
        self.port = port


@dataclass(init=False, repr=False, eq=False)
class UpdateRaftVoterResponse(Wire):
    """UpdateRaftVoterResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "current_leader")

    throttle_time_ms: int
    error_code: int
    current_leader: CurrentLeader

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        current_leader: CurrentLeader = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.current_leader = CurrentLeader() if current_leader is UNSET else current_leader


_DEFAULT_CurrentLeader: Final = CurrentLeader()


def _decode_0(buffer: memoryview, p: int) -> tuple[UpdateRaftVoterResponse, int]:
    """Versions 0."""
    throttle_time_ms, error_code, tags = _unpack_ihB(buffer, p)
    p += 7
    current_leader: CurrentLeader = CurrentLeader()
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                leader_id, leader_epoch, host_size = _unpack_iiB(buffer, p)
                p += 9
                if host_size > 127:
                    host_size, p = string_tail(buffer, p, host_size)
                if host_size == 0:
                    raise missing("UpdateRaftVoterResponse.current_leader.host")
                stop = p + host_size - 1
                host = buffer[p:stop].tobytes().decode()
                p = stop
                port, tags_2 = _unpack_iB(buffer, p)
                p += 5
                if tags_2:
                    p = skip_tags(buffer, p, tags_2)
                current_leader = CurrentLeader(leader_id, leader_epoch, host, port)
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("UpdateRaftVoterResponse: a tagged field is not of its size")
    return UpdateRaftVoterResponse(throttle_time_ms, error_code, current_leader), p


def _encode_0(message: UpdateRaftVoterResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    out.append(_pack_ih(message.throttle_time_ms, message.error_code))
    tags = 0
    tagged: list[bytes] = []
    if message.current_leader != _DEFAULT_CurrentLeader:
        content: list[bytes] = []
        current_leader = message.current_leader
        host = current_leader.host.encode()
        host_size = len(host) + 1
        content += (
            _pack_ii(current_leader.leader_id, current_leader.leader_epoch),
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_ix(current_leader.port),
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


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[UpdateRaftVoterResponse, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[UpdateRaftVoterResponse], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[UpdateRaftVoterResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"UpdateRaftVoterResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"UpdateRaftVoterResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"UpdateRaftVoterResponse v{version} is cut short")
    return result


def encode(message: UpdateRaftVoterResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"UpdateRaftVoterResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"UpdateRaftVoterResponse v{version}: {error}") from error
