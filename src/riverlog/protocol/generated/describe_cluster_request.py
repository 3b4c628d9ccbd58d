"""DescribeClusterRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    not_in_version,
    skip_tags,
    UNFIT,
    Wire,
)

NAME: Final = "DescribeClusterRequest"
API_KEY: Final = 60
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_zB = Struct(">?B").unpack_from
_unpack_zbzB = Struct(">?b?B").unpack_from
_unpack_zbB = Struct(">?bB").unpack_from
_pack_zbzx = Struct(">?b?x").pack
_pack_zbx = Struct(">?bx").pack
_pack_zx = Struct(">?x").pack


@dataclass(init=False, repr=False, eq=False)
class DescribeClusterRequest(Wire):
    """DescribeClusterRequest."""

    __slots__ = ("include_cluster_authorized_operations", "endpoint_type", "include_fenced_brokers")

    include_cluster_authorized_operations: bool
    endpoint_type: int
    include_fenced_brokers: bool

    def __init__(
        self,
        include_cluster_authorized_operations: bool = False,
        endpoint_type: int = 1,
        include_fenced_brokers: bool = False,
    ) -> None:
        self.include_cluster_authorized_operations = include_cluster_authorized_operations
        self.endpoint_type = endpoint_type
        self.include_fenced_brokers = include_fenced_brokers


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeClusterRequest, int]:
    """Versions 0."""
    include_cluster_authorized_operations, tags = _unpack_zB(buffer, p)
    p += 2
    if tags:
        p = skip_tags(buffer, p, tags)
    return DescribeClusterRequest(include_cluster_authorized_operations, 1, False), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DescribeClusterRequest, int]:
    """Versions 1."""
    include_cluster_authorized_operations, endpoint_type, tags = _unpack_zbB(buffer, p)
    p += 3
    if tags:
        p = skip_tags(buffer, p, tags)
    return DescribeClusterRequest(include_cluster_authorized_operations, endpoint_type, False), p


def _decode_2(buffer: memoryview, p: int) -> tuple[DescribeClusterRequest, int]:
    """Versions 2."""
    include_cluster_authorized_operations, endpoint_type, include_fenced_brokers, tags = _unpack_zbzB(buffer, p)
    p += 4
    if tags:
        p = skip_tags(buffer, p, tags)
    return DescribeClusterRequest(include_cluster_authorized_operations, endpoint_type, include_fenced_brokers), p


def _encode_0(message: DescribeClusterRequest) -> bytes:
    """Versions 0."""
    if message.endpoint_type != 1:
        raise not_in_version("DescribeClusterRequest.endpoint_type")
    if message.include_fenced_brokers:
        raise not_in_version("DescribeClusterRequest.include_fenced_brokers")
    return _pack_zx(message.include_cluster_authorized_operations)


def _encode_1(message: DescribeClusterRequest) -> bytes:
    """Versions 1."""
    if message.include_fenced_brokers:
        raise not_in_version("DescribeClusterRequest.include_fenced_brokers")
    return _pack_zbx(message.include_cluster_authorized_operations, message.endpoint_type)


def _encode_2(message: DescribeClusterRequest) -> bytes:
    """Versions 2."""
    return _pack_zbzx(message.include_cluster_authorized_operations, message.endpoint_type, message.include_fenced_brokers)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeClusterRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[DescribeClusterRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeClusterRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeClusterRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeClusterRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeClusterRequest v{version} is cut short")
    return result


def encode(message: DescribeClusterRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeClusterRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeClusterRequest v{version}: {error}") from error
