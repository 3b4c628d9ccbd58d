"""Metadata records on the wire of the metadata log: frame, type number, version, message.

The frame is Kafka's: three unsigned varints (frame version 1, type, version), then the message.
Codecs are imported when a record of their type is first seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from riverlog.protocol.errors import DecodeError
from riverlog.protocol.primitives import Wire, uvarint, uvarint_tail

FRAME_VERSION = 1

METADATA_VERSION = 30
METADATA_VERSION_NAME = "4.3-IV0"
"""The level at which new clusters are formatted, and the newest that is understood."""
METADATA_VERSION_MIN = 7
"""The oldest that Kafka 4.x opens (3.3-IV3)."""
METADATA_VERSION_FEATURE = "metadata.version"

KRAFT_VERSION = 1
KRAFT_VERSION_FEATURE = "kraft.version"

GROUP_VERSION = 1
GROUP_VERSION_FEATURE = "group.version"
"""1: the consumer protocol (KIP-848)."""

ELR_VERSION = 1
ELR_VERSION_FEATURE = "eligible.leader.replicas.version"
"""1: replicas that left the ISR below ``min.insync.replicas`` may still lead (KIP-966)."""
ELR_METADATA_VERSION_MIN = 23

TRANSACTION_VERSION = 2
TRANSACTION_VERSION_FEATURE = "transaction.version"
"""1: the coordinator's records are of flexible versions. 2: an epoch per transaction, to which partitions are
added by being written to (KIP-890)."""

SUPPORTED_FEATURES = {
    ELR_VERSION_FEATURE: (0, ELR_VERSION),
    GROUP_VERSION_FEATURE: (0, GROUP_VERSION),
    KRAFT_VERSION_FEATURE: (0, KRAFT_VERSION),
    METADATA_VERSION_FEATURE: (METADATA_VERSION_MIN, METADATA_VERSION),
    TRANSACTION_VERSION_FEATURE: (0, TRANSACTION_VERSION),
}
"""Feature levels this version acts on; others found in a Kafka folder are kept but not reported."""

_DIRECTORIES_FROM = 17
_CORDONED_FROM = 30

MetadataRecord = Wire

_MODULES = {
    0: "register_broker_record",
    1: "unregister_broker_record",
    2: "topic_record",
    3: "partition_record",
    4: "config_record",
    5: "partition_change_record",
    7: "fence_broker_record",
    8: "unfence_broker_record",
    9: "remove_topic_record",
    10: "delegation_token_record",
    11: "user_scram_credential_record",
    12: "feature_level_record",
    14: "client_quota_record",
    15: "producer_ids_record",
    17: "broker_registration_change_record",
    18: "access_control_entry_record",
    19: "remove_access_control_entry_record",
    20: "no_op_record",
    21: "zk_migration_state_record",
    22: "remove_user_scram_credential_record",
    23: "begin_transaction_record",
    24: "end_transaction_record",
    25: "abort_transaction_record",
    26: "remove_delegation_token_record",
    27: "register_controller_record",
    28: "clear_elr_record",
}
"""Every type of Kafka 4.3. A number that is not here comes from a newer version."""


class UnknownRecord(Exception):
    """A record that only a newer version understands; the message is one line for the user."""


class _Codec(Protocol):
    NAME: str
    API_KEY: int
    VERSIONS: tuple[int, int]
    encode: Callable[[Any, int], bytes]
    decode: Callable[[memoryview, int, int], tuple[Wire, int]]


_codecs: dict[int, _Codec] = {}
_codecs_by_class: dict[type[Wire], _Codec] = {}


def _codec(number: int) -> _Codec | None:
    codec = _codecs.get(number)
    if codec is None and number in _MODULES:
        codec = cast(_Codec, import_module(f"riverlog.protocol.generated.{_MODULES[number]}"))
        assert number == codec.API_KEY, codec.NAME
        _codecs[number] = codec
    return codec


def record_version(record: MetadataRecord, metadata_version: int) -> int:
    """The version Kafka writes this record in at a metadata version."""
    match type(record).__name__:
        case "RegisterBrokerRecord":
            if metadata_version >= _CORDONED_FROM:
                return 4
            return 3 if metadata_version >= _DIRECTORIES_FROM else 2 if metadata_version >= 8 else 1
        case "PartitionRecord" | "PartitionChangeRecord":
            if metadata_version >= ELR_METADATA_VERSION_MIN:
                return 2
            return 1 if metadata_version >= _DIRECTORIES_FROM else 0
        case "BrokerRegistrationChangeRecord":
            change = cast(Any, record)
            if change.cordoned_log_dirs is not None:
                return 3
            return 2 if change.log_dirs else 1 if change.in_controlled_shutdown else 0
        case _:
            return 0


def supports_directories(metadata_version: int) -> bool:
    """Whether partitions say which log folder holds them (KIP-858)."""
    return metadata_version >= _DIRECTORIES_FROM


def supports_cordoning(metadata_version: int) -> bool:
    """Whether log folders can be closed for new replicas (KIP-1066)."""
    return metadata_version >= _CORDONED_FROM


def supports_elr(features: Mapping[str, int]) -> bool:
    """Whether partitions keep eligible leader replicas (KIP-966)."""
    return (
        features.get(ELR_VERSION_FEATURE, 0) > 0
        and features.get(METADATA_VERSION_FEATURE, 0) >= ELR_METADATA_VERSION_MIN
    )


def encode_record(record: MetadataRecord, metadata_version: int = METADATA_VERSION) -> bytes:
    """The value of a record in the metadata log."""
    codec = _codecs_by_class.get(type(record))
    if codec is None:
        codec = cast(_Codec, import_module(type(record).__module__))
        assert codec.API_KEY in _MODULES, codec.NAME
        _codecs_by_class[type(record)] = codec
    version = record_version(record, metadata_version)
    return b"\x01" + uvarint(codec.API_KEY) + uvarint(version) + codec.encode(record, version)


def decode_record(value: bytes) -> MetadataRecord:
    """The record in a value. Raises ``UnknownRecord`` for a newer one, ``DecodeError`` for rubbish."""
    view = memoryview(value)
    try:
        frame, at = _read_uvarint(view, 0)
        number, at = _read_uvarint(view, at)
        version, at = _read_uvarint(view, at)
    except IndexError:
        raise DecodeError("metadata record without type and version") from None
    if frame != FRAME_VERSION:
        raise UnknownRecord(f"a metadata record has frame version {frame}, known is {FRAME_VERSION}")
    codec = _codec(number)
    if codec is None:
        raise UnknownRecord(f"metadata record type {number} is not known to this version")
    if not codec.VERSIONS[0] <= version <= codec.VERSIONS[1]:
        raise UnknownRecord(f"{codec.NAME} version {version} is not known to this version")
    record, end = codec.decode(view, at, version)
    if end != len(view):
        raise DecodeError(f"{len(view) - end} bytes left behind a {codec.NAME}")
    return record


def _read_uvarint(view: memoryview, at: int) -> tuple[int, int]:
    first = view[at]
    at += 1
    return (first, at) if first < 0x80 else uvarint_tail(view, at, first)
