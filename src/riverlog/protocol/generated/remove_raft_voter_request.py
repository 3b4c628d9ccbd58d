"""RemoveRaftVoterRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    bad_uuid,
    MALFORMED,
    skip_tags,
    string_prefix,
    string_tail,
    UNFIT,
    UVARINTS,
    Wire,
    ZERO_UUID,
)

NAME: Final = "RemoveRaftVoterRequest"
API_KEY: Final = 81
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iuB = Struct(">i16sB").unpack_from
_pack_iux = Struct(">i16sx").pack


@dataclass(init=False, repr=False, eq=False)
class RemoveRaftVoterRequest(Wire):
    """RemoveRaftVoterRequest."""

    __slots__ = ("cluster_id", "voter_id", "voter_directory_id")

    cluster_id: str | None
    voter_id: int
    voter_directory_id: bytes

    def __init__(
        self,
        cluster_id: str | None = "",
        voter_id: int = 0,
        voter_directory_id: bytes = ZERO_UUID,
    ) -> None:
        self.cluster_id = cluster_id
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id


def _decode_0(buffer: memoryview, p: int) -> tuple[RemoveRaftVoterRequest, int]:
    """Versions 0."""
    cluster_id_size = buffer[p]
    p += 1
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    cluster_id: str | None = None
    if cluster_id_size:
        stop = p + cluster_id_size - 1
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    voter_id, voter_directory_id, tags = _unpack_iuB(buffer, p)
    p += 21
    if tags:
        p = skip_tags(buffer, p, tags)
    return RemoveRaftVoterRequest(cluster_id, voter_id, voter_directory_id), p


def _encode_0(message: RemoveRaftVoterRequest) -> bytes:
    """Versions 0."""
    cluster_id_value = message.cluster_id
    if cluster_id_value is None:
        cluster_id_size, cluster_id = 0, b""
    else:
        cluster_id = cluster_id_value.encode()
        cluster_id_size = len(cluster_id) + 1
    voter_directory_id = message.voter_directory_id
    if len(voter_directory_id) != 16:
        raise bad_uuid("RemoveRaftVoterRequest.voter_directory_id")
    return b"".join((UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size), cluster_id, _pack_iux(message.voter_id, voter_directory_id)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[RemoveRaftVoterRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[RemoveRaftVoterRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[RemoveRaftVoterRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"RemoveRaftVoterRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"RemoveRaftVoterRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"RemoveRaftVoterRequest v{version} is cut short")
    return result


def encode(message: RemoveRaftVoterRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"RemoveRaftVoterRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"RemoveRaftVoterRequest v{version}: {error}") from error
