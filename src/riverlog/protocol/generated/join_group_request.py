"""JoinGroupRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    not_in_version,
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

NAME: Final = "JoinGroupRequest"
API_KEY: Final = 11
VERSIONS: Final[tuple[int, int]] = (0, 9)
FLEXIBLE_FROM: Final = 6
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_ih = Struct(">ih").unpack_from
_unpack_iiB = Struct(">iiB").unpack_from
_unpack_iih = Struct(">iih").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_ii = Struct(">ii").pack
_pack_iih = Struct(">iih").pack


@dataclass(init=False, repr=False, eq=False)
class JoinGroupRequestProtocol(Wire):
    """JoinGroupRequestProtocol."""

    __slots__ = ("name", "metadata")

    name: str
    metadata: bytes

    def __init__(
        self,
        name: str = "",
        metadata: bytes = b"",
    ) -> None:
        self.name = name
        self.metadata = metadata


@dataclass(init=False, repr=False, eq=False)
class JoinGroupRequest(Wire):
    """JoinGroupRequest."""

    __slots__ = ("group_id", "session_timeout_ms", "rebalance_timeout_ms", "member_id", "group_instance_id", "protocol_type", "protocols", "reason")

    group_id: str
    session_timeout_ms: int
    rebalance_timeout_ms: int
    member_id: str
    group_instance_id: str | None
    protocol_type: str
    protocols: list[JoinGroupRequestProtocol]
    reason: str | None

    def __init__(
        self,
        group_id: str = "",
        session_timeout_ms: int = 0,
        rebalance_timeout_ms: int = -1,
        member_id: str = "",
        group_instance_id: str | None = None,
        protocol_type: str = "",
        protocols: list[JoinGroupRequestProtocol] = UNSET,
        reason: str | None = None,
    ) -> None:
        self.group_id = group_id
        self.session_timeout_ms = session_timeout_ms
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.protocol_type = protocol_type
        self.protocols = [] if protocols is UNSET else protocols
        self.reason = reason


def _decode_0(buffer: memoryview, p: int) -> tuple[JoinGroupRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("JoinGroupRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    session_timeout_ms, member_id_size = _unpack_ih(buffer, p)
    p += 6
    if member_id_size < 0:
        raise missing("JoinGroupRequest.member_id")
    stop = p + member_id_size
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    (protocol_type_size,) = _unpack_h(buffer, p)
    p += 2
    if protocol_type_size < 0:
        raise missing("JoinGroupRequest.protocol_type")
    stop = p + protocol_type_size
    protocol_type = buffer[p:stop].tobytes().decode()
    p = stop
    (protocols_count,) = _unpack_i(buffer, p)
    p += 4
    if protocols_count < 0:
        raise missing("JoinGroupRequest.protocols")
    if protocols_count > room or protocols_count * 6 > end - p:
        raise too_many("JoinGroupRequest.protocols", protocols_count)
    room -= protocols_count
    protocols: list[JoinGroupRequestProtocol] = []
    for _ in range(protocols_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("JoinGroupRequest.protocols.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (metadata_size,) = _unpack_i(buffer, p)
        p += 4
        if metadata_size < 0:
            raise missing("JoinGroupRequest.protocols.metadata")
        stop = p + metadata_size
        metadata = buffer[p:stop].tobytes()
        p = stop
        protocols.append(JoinGroupRequestProtocol(name, metadata))
    return JoinGroupRequest(group_id, session_timeout_ms, -1, member_id, None, protocol_type, protocols, None), p


def _decode_1(buffer: memoryview, p: int) -> tuple[JoinGroupRequest, int]:
    """Versions 1, 2, 3, 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("JoinGroupRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    session_timeout_ms, rebalance_timeout_ms, member_id_size = _unpack_iih(buffer, p)
    p += 10
    if member_id_size < 0:
        raise missing("JoinGroupRequest.member_id")
    stop = p + member_id_size
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    (protocol_type_size,) = _unpack_h(buffer, p)
    p += 2
    if protocol_type_size < 0:
        raise missing("JoinGroupRequest.protocol_type")
    stop = p + protocol_type_size
    protocol_type = buffer[p:stop].tobytes().decode()
    p = stop
    (protocols_count,) = _unpack_i(buffer, p)
    p += 4
    if protocols_count < 0:
        raise missing("JoinGroupRequest.protocols")
    if protocols_count > room or protocols_count * 6 > end - p:
        raise too_many("JoinGroupRequest.protocols", protocols_count)
    room -= protocols_count
    protocols: list[JoinGroupRequestProtocol] = []
    for _ in range(protocols_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("JoinGroupRequest.protocols.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (metadata_size,) = _unpack_i(buffer, p)
        p += 4
        if metadata_size < 0:
            raise missing("JoinGroupRequest.protocols.metadata")
        stop = p + metadata_size
        metadata = buffer[p:stop].tobytes()
        p = stop
        protocols.append(JoinGroupRequestProtocol(name, metadata))
    return JoinGroupRequest(group_id, session_timeout_ms, rebalance_timeout_ms, member_id, None, protocol_type, protocols, None), p


def _decode_2(buffer: memoryview, p: int) -> tuple[JoinGroupRequest, int]:
    """Versions 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("JoinGroupRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    session_timeout_ms, rebalance_timeout_ms, member_id_size = _unpack_iih(buffer, p)
    p += 10
    if member_id_size < 0:
        raise missing("JoinGroupRequest.member_id")
    stop = p + member_id_size
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    (group_instance_id_size,) = _unpack_h(buffer, p)
    p += 2
    group_instance_id: str | None = None
    if group_instance_id_size >= 0:
        stop = p + group_instance_id_size
        group_instance_id = buffer[p:stop].tobytes().decode()
        p = stop
    elif group_instance_id_size != -1:
        raise missing("JoinGroupRequest.group_instance_id")
    (protocol_type_size,) = _unpack_h(buffer, p)
    p += 2
    if protocol_type_size < 0:
        raise missing("JoinGroupRequest.protocol_type")
    stop = p + protocol_type_size
    protocol_type = buffer[p:stop].tobytes().decode()
    p = stop
    (protocols_count,) = _unpack_i(buffer, p)
    p += 4
    if protocols_count < 0:
        raise missing("JoinGroupRequest.protocols")
    if protocols_count > room or protocols_count * 6 > end - p:
        raise too_many("JoinGroupRequest.protocols", protocols_count)
    room -= protocols_count
    protocols: list[JoinGroupRequestProtocol] = []
    for _ in range(protocols_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("JoinGroupRequest.protocols.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (metadata_size,) = _unpack_i(buffer, p)
        p += 4
        if metadata_size < 0:
            raise missing("JoinGroupRequest.protocols.metadata")
        stop = p + metadata_size
        metadata = buffer[p:stop].tobytes()
        p = stop
        protocols.append(JoinGroupRequestProtocol(name, metadata))
    return JoinGroupRequest(group_id, session_timeout_ms, rebalance_timeout_ms, member_id, group_instance_id, protocol_type, protocols, None), p


def _decode_3(buffer: memoryview, p: int) -> tuple[JoinGroupRequest, int]:
    """Versions 6, 7."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("JoinGroupRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    session_timeout_ms, rebalance_timeout_ms, member_id_size = _unpack_iiB(buffer, p)
    p += 9
    if member_id_size > 127:
        member_id_size, p = string_tail(buffer, p, member_id_size)
    if member_id_size == 0:
        raise missing("JoinGroupRequest.member_id")
    stop = p + member_id_size - 1
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    group_instance_id_size = buffer[p]
    p += 1
    if group_instance_id_size > 127:
        group_instance_id_size, p = string_tail(buffer, p, group_instance_id_size)
    group_instance_id: str | None = None
    if group_instance_id_size:
        stop = p + group_instance_id_size - 1
        group_instance_id = buffer[p:stop].tobytes().decode()
        p = stop
    protocol_type_size = buffer[p]
    p += 1
    if protocol_type_size > 127:
        protocol_type_size, p = string_tail(buffer, p, protocol_type_size)
    if protocol_type_size == 0:
        raise missing("JoinGroupRequest.protocol_type")
    stop = p + protocol_type_size - 1
    protocol_type = buffer[p:stop].tobytes().decode()
    p = stop
    protocols_count = buffer[p]
    p += 1
    if protocols_count > 127:
        protocols_count, p = uvarint_tail(buffer, p, protocols_count)
    if protocols_count == 0:
        raise missing("JoinGroupRequest.protocols")
    protocols_count -= 1
    if protocols_count > room or protocols_count * 3 > end - p:
        raise too_many("JoinGroupRequest.protocols", protocols_count)
    room -= protocols_count
    protocols: list[JoinGroupRequestProtocol] = []
    for _ in range(protocols_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("JoinGroupRequest.protocols.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        metadata_size = buffer[p]
        p += 1
        if metadata_size > 127:
            metadata_size, p = uvarint_tail(buffer, p, metadata_size)
        if metadata_size == 0:
            raise missing("JoinGroupRequest.protocols.metadata")
        stop = p + metadata_size - 1
        metadata = buffer[p:stop].tobytes()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        protocols.append(JoinGroupRequestProtocol(name, metadata))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return JoinGroupRequest(group_id, session_timeout_ms, rebalance_timeout_ms, member_id, group_instance_id, protocol_type, protocols, None), p


def _decode_4(buffer: memoryview, p: int) -> tuple[JoinGroupRequest, int]:
    """Versions 8, 9."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("JoinGroupRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    session_timeout_ms, rebalance_timeout_ms, member_id_size = _unpack_iiB(buffer, p)
    p += 9
    if member_id_size > 127:
        member_id_size, p = string_tail(buffer, p, member_id_size)
    if member_id_size == 0:
        raise missing("JoinGroupRequest.member_id")
    stop = p + member_id_size - 1
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    group_instance_id_size = buffer[p]
    p += 1
    if group_instance_id_size > 127:
        group_instance_id_size, p = string_tail(buffer, p, group_instance_id_size)
    group_instance_id: str | None = None
    if group_instance_id_size:
        stop = p + group_instance_id_size - 1
        group_instance_id = buffer[p:stop].tobytes().decode()
        p = stop
    protocol_type_size = buffer[p]
    p += 1
    if protocol_type_size > 127:
        protocol_type_size, p = string_tail(buffer, p, protocol_type_size)
    if protocol_type_size == 0:
        raise missing("JoinGroupRequest.protocol_type")
    stop = p + protocol_type_size - 1
    protocol_type = buffer[p:stop].tobytes().decode()
    p = stop
    protocols_count = buffer[p]
    p += 1
    if protocols_count > 127:
        protocols_count, p = uvarint_tail(buffer, p, protocols_count)
    if protocols_count == 0:
        raise missing("JoinGroupRequest.protocols")
    protocols_count -= 1
    if protocols_count > room or protocols_count * 3 > end - p:
        raise too_many("JoinGroupRequest.protocols", protocols_count)
    room -= protocols_count
    protocols: list[JoinGroupRequestProtocol] = []
    for _ in range(protocols_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("JoinGroupRequest.protocols.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        metadata_size = buffer[p]
        p += 1
        if metadata_size > 127:
            metadata_size, p = uvarint_tail(buffer, p, metadata_size)
        if metadata_size == 0:
            raise missing("JoinGroupRequest.protocols.metadata")
        stop = p + metadata_size - 1
        metadata = buffer[p:stop].tobytes()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        protocols.append(JoinGroupRequestProtocol(name, metadata))
    reason_size = buffer[p]
    p += 1
    if reason_size > 127:
        reason_size, p = string_tail(buffer, p, reason_size)
    reason: str | None = None
    if reason_size:
        stop = p + reason_size - 1
        reason = buffer[p:stop].tobytes().decode()
        p = stop
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return JoinGroupRequest(group_id, session_timeout_ms, rebalance_timeout_ms, member_id, group_instance_id, protocol_type, protocols, reason), p


def _encode_0(message: JoinGroupRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    member_id = message.member_id.encode()
    member_id_size = len(member_id)
    if message.group_instance_id is not None:
        raise not_in_version("JoinGroupRequest.group_instance_id")
    protocol_type = message.protocol_type.encode()
    protocol_type_size = len(protocol_type)
    protocols = message.protocols
    out += (
        _pack_h(group_id_size),
        group_id,
        _pack_ih(message.session_timeout_ms, member_id_size),
        member_id,
        _pack_h(protocol_type_size),
        protocol_type,
        _pack_i(len(protocols)),
    )
    for element in protocols:
        name = element.name.encode()
        name_size = len(name)
        metadata = element.metadata
        metadata_size = len(metadata)
        out += (_pack_h(name_size), name, _pack_i(metadata_size), metadata)
    return b"".join(out)


def _encode_1(message: JoinGroupRequest) -> bytes:
    """Versions 1, 2, 3, 4."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    member_id = message.member_id.encode()
    member_id_size = len(member_id)
    if message.group_instance_id is not None:
        raise not_in_version("JoinGroupRequest.group_instance_id")
    protocol_type = message.protocol_type.encode()
    protocol_type_size = len(protocol_type)
    protocols = message.protocols
    out += (
        _pack_h(group_id_size),
        group_id,
        _pack_iih(message.session_timeout_ms, message.rebalance_timeout_ms, member_id_size),
        member_id,
        _pack_h(protocol_type_size),
        protocol_type,
        _pack_i(len(protocols)),
    )
    for element in protocols:
        name = element.name.encode()
        name_size = len(name)
        metadata = element.metadata
        metadata_size = len(metadata)
        out += (_pack_h(name_size), name, _pack_i(metadata_size), metadata)
    return b"".join(out)


def _encode_2(message: JoinGroupRequest) -> bytes:
    """Versions 5."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    member_id = message.member_id.encode()
    member_id_size = len(member_id)
    group_instance_id_value = message.group_instance_id
    if group_instance_id_value is None:
        group_instance_id_size, group_instance_id = -1, b""
    else:
        group_instance_id = group_instance_id_value.encode()
        group_instance_id_size = len(group_instance_id)
    protocol_type = message.protocol_type.encode()
    protocol_type_size = len(protocol_type)
    protocols = message.protocols
    out += (
        _pack_h(group_id_size),
        group_id,
        _pack_iih(message.session_timeout_ms, message.rebalance_timeout_ms, member_id_size),
        member_id,
        _pack_h(group_instance_id_size),
        group_instance_id,
        _pack_h(protocol_type_size),
        protocol_type,
        _pack_i(len(protocols)),
    )
    for element in protocols:
        name = element.name.encode()
        name_size = len(name)
        metadata = element.metadata
        metadata_size = len(metadata)
        out += (_pack_h(name_size), name, _pack_i(metadata_size), metadata)
    return b"".join(out)


def _encode_3(message: JoinGroupRequest) -> bytes:
    """Versions 6, 7."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    member_id = message.member_id.encode()
    member_id_size = len(member_id) + 1
    group_instance_id_value = message.group_instance_id
    if group_instance_id_value is None:
        group_instance_id_size, group_instance_id = 0, b""
    else:
        group_instance_id = group_instance_id_value.encode()
        group_instance_id_size = len(group_instance_id) + 1
    protocol_type = message.protocol_type.encode()
    protocol_type_size = len(protocol_type) + 1
    protocols = message.protocols
    protocols_count = len(protocols) + 1
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        _pack_ii(message.session_timeout_ms, message.rebalance_timeout_ms),
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        UVARINTS[group_instance_id_size] if group_instance_id_size < 256 else string_prefix(group_instance_id_size),
        group_instance_id,
        UVARINTS[protocol_type_size] if protocol_type_size < 256 else string_prefix(protocol_type_size),
        protocol_type,
        UVARINTS[protocols_count] if protocols_count < 256 else uvarint(protocols_count),
    )
    for element in protocols:
        name = element.name.encode()
        name_size = len(name) + 1
        metadata = element.metadata
        metadata_size = len(metadata) + 1
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            UVARINTS[metadata_size] if metadata_size < 256 else uvarint(metadata_size),
            metadata,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


def _encode_4(message: JoinGroupRequest) -> bytes:
    """Versions 8, 9."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    member_id = message.member_id.encode()
    member_id_size = len(member_id) + 1
    group_instance_id_value = message.group_instance_id
    if group_instance_id_value is None:
        group_instance_id_size, group_instance_id = 0, b""
    else:
        group_instance_id = group_instance_id_value.encode()
        group_instance_id_size = len(group_instance_id) + 1
    protocol_type = message.protocol_type.encode()
    protocol_type_size = len(protocol_type) + 1
    protocols = message.protocols
    protocols_count = len(protocols) + 1
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        _pack_ii(message.session_timeout_ms, message.rebalance_timeout_ms),
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        UVARINTS[group_instance_id_size] if group_instance_id_size < 256 else string_prefix(group_instance_id_size),
        group_instance_id,
        UVARINTS[protocol_type_size] if protocol_type_size < 256 else string_prefix(protocol_type_size),
        protocol_type,
        UVARINTS[protocols_count] if protocols_count < 256 else uvarint(protocols_count),
    )
    for element in protocols:
        name = element.name.encode()
        name_size = len(name) + 1
        metadata = element.metadata
        metadata_size = len(metadata) + 1
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            UVARINTS[metadata_size] if metadata_size < 256 else uvarint(metadata_size),
            metadata,
            b"\0",
        )
    reason_value = message.reason
    if reason_value is None:
        reason_size, reason = 0, b""
    else:
        reason = reason_value.encode()
        reason_size = len(reason) + 1
    out += (UVARINTS[reason_size] if reason_size < 256 else string_prefix(reason_size), reason, b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[JoinGroupRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_1,
    3: _decode_1,
    4: _decode_1,
    5: _decode_2,
    6: _decode_3,
    7: _decode_3,
    8: _decode_4,
    9: _decode_4,
}
_ENCODERS: Final[dict[int, Callable[[JoinGroupRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_1,
    3: _encode_1,
    4: _encode_1,
    5: _encode_2,
    6: _encode_3,
    7: _encode_3,
    8: _encode_4,
    9: _encode_4,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[JoinGroupRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"JoinGroupRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"JoinGroupRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"JoinGroupRequest v{version} is cut short")
    return result


def encode(message: JoinGroupRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"JoinGroupRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"JoinGroupRequest v{version}: {error}") from error
