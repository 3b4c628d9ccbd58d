"""DelegationTokenRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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

NAME: Final = "DelegationTokenRecord"
API_KEY: Final = 10
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_qqqB = Struct(">qqqB").unpack_from
_pack_qqq = Struct(">qqq").pack


@dataclass(init=False, repr=False, eq=False)
class DelegationTokenRecord(Wire):
    """DelegationTokenRecord."""

    __slots__ = ("owner", "requester", "renewers", "issue_timestamp", "max_timestamp", "expiration_timestamp", "token_id")

    owner: str
    requester: str
    renewers: list[str]
    issue_timestamp: int
    max_timestamp: int
    expiration_timestamp: int
    token_id: str

    def __init__(
        self,
        owner: str = "",
        requester: str = "",
        renewers: list[str] = UNSET,
        issue_timestamp: int = 0,
        max_timestamp: int = 0,
        expiration_timestamp: int = 0,
        token_id: str = "",
    ) -> None:
        self.owner = owner
        self.requester = requester
        self.renewers = [] if renewers is UNSET else renewers
        self.issue_timestamp = issue_timestamp
        self.max_timestamp = max_timestamp
        self.expiration_timestamp = expiration_timestamp
        self.token_id = token_id


def _decode_0(buffer: memoryview, p: int) -> tuple[DelegationTokenRecord, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    owner_size = buffer[p]
    p += 1
    if owner_size > 127:
        owner_size, p = string_tail(buffer, p, owner_size)
    if owner_size == 0:
        raise missing("DelegationTokenRecord.owner")
    stop = p + owner_size - 1
    owner = buffer[p:stop].tobytes().decode()
    p = stop
    requester_size = buffer[p]
    p += 1
    if requester_size > 127:
        requester_size, p = string_tail(buffer, p, requester_size)
    if requester_size == 0:
        raise missing("DelegationTokenRecord.requester")
    stop = p + requester_size - 1
    requester = buffer[p:stop].tobytes().decode()
    p = stop
    renewers_count = buffer[p]
    p += 1
    if renewers_count > 127:
        renewers_count, p = uvarint_tail(buffer, p, renewers_count)
    if renewers_count == 0:
        raise missing("DelegationTokenRecord.renewers")
    renewers_count -= 1
    if renewers_count > room or renewers_count > end - p:
        raise too_many("DelegationTokenRecord.renewers", renewers_count)
    room -= renewers_count
    renewers: list[str] = []
    for _ in range(renewers_count):
        element_size = buffer[p]
        p += 1
        if element_size > 127:
            element_size, p = string_tail(buffer, p, element_size)
        if element_size == 0:
            raise missing("DelegationTokenRecord.renewers")
        stop = p + element_size - 1
        element = buffer[p:stop].tobytes().decode()
        p = stop
        renewers.append(element)
    issue_timestamp, max_timestamp, expiration_timestamp, token_id_size = _unpack_qqqB(buffer, p)
    p += 25
    if token_id_size > 127:
        token_id_size, p = string_tail(buffer, p, token_id_size)
    if token_id_size == 0:
        raise missing("DelegationTokenRecord.token_id")
    stop = p + token_id_size - 1
    token_id = buffer[p:stop].tobytes().decode()
    p = stop
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return DelegationTokenRecord(owner, requester, renewers, issue_timestamp, max_timestamp, expiration_timestamp, token_id), p


def _encode_0(message: DelegationTokenRecord) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    owner = message.owner.encode()
    owner_size = len(owner) + 1
    requester = message.requester.encode()
    requester_size = len(requester) + 1
    renewers = message.renewers
    renewers_count = len(renewers) + 1
    out += (
        UVARINTS[owner_size] if owner_size < 256 else string_prefix(owner_size),
        owner,
        UVARINTS[requester_size] if requester_size < 256 else string_prefix(requester_size),
        requester,
        UVARINTS[renewers_count] if renewers_count < 256 else uvarint(renewers_count),
    )
    for element in renewers:
        text = element.encode()
        text_size = len(text) + 1
        out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
    token_id = message.token_id.encode()
    token_id_size = len(token_id) + 1
    out += (
        _pack_qqq(message.issue_timestamp, message.max_timestamp, message.expiration_timestamp),
        UVARINTS[token_id_size] if token_id_size < 256 else string_prefix(token_id_size),
        token_id,
        b"\0",
    )
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DelegationTokenRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[DelegationTokenRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DelegationTokenRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DelegationTokenRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DelegationTokenRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DelegationTokenRecord v{version} is cut short")
    return result


def encode(message: DelegationTokenRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DelegationTokenRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DelegationTokenRecord v{version}: {error}") from error
