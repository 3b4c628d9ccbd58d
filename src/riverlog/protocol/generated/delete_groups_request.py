"""DeleteGroupsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DeleteGroupsRequest"
API_KEY: Final = 42
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class DeleteGroupsRequest(Wire):
    """DeleteGroupsRequest."""

    __slots__ = ("groups_names",)

    groups_names: list[str]

    def __init__(
        self,
        groups_names: list[str] = UNSET,
    ) -> None:
        self.groups_names = [] if groups_names is UNSET else groups_names


def _decode_0(buffer: memoryview, p: int) -> tuple[DeleteGroupsRequest, int]:
    """Versions 0, 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (groups_names_count,) = _unpack_i(buffer, p)
    p += 4
    if groups_names_count < 0:
        raise missing("DeleteGroupsRequest.groups_names")
    if groups_names_count > room or groups_names_count * 2 > end - p:
        raise too_many("DeleteGroupsRequest.groups_names", groups_names_count)
    room -= groups_names_count
    groups_names: list[str] = []
    for _ in range(groups_names_count):
        (element_size,) = _unpack_h(buffer, p)
        p += 2
        if element_size < 0:
            raise missing("DeleteGroupsRequest.groups_names")
        stop = p + element_size
        element = buffer[p:stop].tobytes().decode()
        p = stop
        groups_names.append(element)
    return DeleteGroupsRequest(groups_names), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DeleteGroupsRequest, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    groups_names_count = buffer[p]
    p += 1
    if groups_names_count > 127:
        groups_names_count, p = uvarint_tail(buffer, p, groups_names_count)
    if groups_names_count == 0:
        raise missing("DeleteGroupsRequest.groups_names")
    groups_names_count -= 1
    if groups_names_count > room or groups_names_count > end - p:
        raise too_many("DeleteGroupsRequest.groups_names", groups_names_count)
    room -= groups_names_count
    groups_names: list[str] = []
    for _ in range(groups_names_count):
        element_size = buffer[p]
        p += 1
        if element_size > 127:
            element_size, p = string_tail(buffer, p, element_size)
        if element_size == 0:
            raise missing("DeleteGroupsRequest.groups_names")
        stop = p + element_size - 1
        element = buffer[p:stop].tobytes().decode()
        p = stop
        groups_names.append(element)
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return DeleteGroupsRequest(groups_names), p


def _encode_0(message: DeleteGroupsRequest) -> bytes:
    """Versions 0, 1."""
    out: list[bytes] = []
    groups_names = message.groups_names
    out.append(_pack_i(len(groups_names)))
    for element in groups_names:
        text = element.encode()
        text_size = len(text)
        out += (_pack_h(text_size), text)
    return b"".join(out)


def _encode_1(message: DeleteGroupsRequest) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    groups_names = message.groups_names
    groups_names_count = len(groups_names) + 1
    out.append(UVARINTS[groups_names_count] if groups_names_count < 256 else uvarint(groups_names_count))
    for element in groups_names:
        text = element.encode()
        text_size = len(text) + 1
        out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DeleteGroupsRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[DeleteGroupsRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DeleteGroupsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DeleteGroupsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DeleteGroupsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DeleteGroupsRequest v{version} is cut short")
    return result


def encode(message: DeleteGroupsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DeleteGroupsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DeleteGroupsRequest v{version}: {error}") from error
