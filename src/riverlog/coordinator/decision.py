"""What a coordinator decides: records to append, and replies that leave once they are committed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from struct import Struct
from typing import Any, cast

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import Codec, coordinator_records
from riverlog.protocol.errors import DecodeError
from riverlog.protocol.primitives import Wire
from riverlog.records.header import NO_PRODUCER_EPOCH, NO_PRODUCER_ID
from riverlog.storage import VerificationGuard

_INT16 = Struct(">h")

_VALUE_VERSIONS = {"OffsetCommitValue": 4, "GroupMetadataValue": 3}
"""What Kafka 4.3 writes; version 0 where a message is not named here."""

_codecs: dict[type[Wire], Codec] = {}
_record_codecs: dict[tuple[str, int], tuple[Codec, Codec]] = {}


class UnknownRecordType(Exception):
    """A record written by a newer version; Kafka skips those when it loads."""


class CoordinatorRecord:
    """A key and a value of an internal topic; a value of None deletes the key."""

    __slots__ = ("key", "value", "version")

    def __init__(self, key: Wire, value: Wire | None, *, version: int | None = None) -> None:
        self.key = key
        self.value = value
        self.version = version
        """Of the value on disk, where it is not the usual one."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CoordinatorRecord):
            return NotImplemented
        return self.key == other.key and self.value == other.value

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"CoordinatorRecord({self.key!r}, {self.value!r})"

    def encode(self) -> tuple[bytes, bytes | None]:
        """Key and value as Kafka writes them: a type or version in two bytes, then the message."""
        codec = _codec_of(self.key)
        key = _INT16.pack(codec.API_KEY) + codec.encode(self.key, 0)
        value = self.value
        if value is None:
            return key, None
        version = self.version
        if version is None:
            version = _VALUE_VERSIONS.get(type(value).__name__, 0)
        return key, _INT16.pack(version) + _codec_of(value).encode(value, version)


def _codec_of(message: Wire) -> Codec:
    kind = type(message)
    codec = _codecs.get(kind)
    if codec is None:
        codec = _codecs[kind] = cast(Codec, import_module(kind.__module__))
    return codec


def decode_record(coordinator: str, key: bytes, value: bytes | None) -> tuple[Wire, Wire | None]:
    """A record read from disk. Raises ``DecodeError``, or ``UnknownRecordType``."""
    if len(key) < 2 or (value is not None and len(value) < 2):
        raise DecodeError("a coordinator's record without a type or version")
    (record_type,) = _INT16.unpack_from(key)
    known = _record_codecs.get((coordinator, record_type))
    if known is None:
        try:
            known = coordinator_records(coordinator, record_type)
        except KeyError:
            raise UnknownRecordType(f"record type {record_type}") from None
        _record_codecs[coordinator, record_type] = known
    key_codec, value_codec = known
    decoded_key, _ = key_codec.decode(memoryview(key), 2, 0)
    if value is None:
        return decoded_key, None
    (version,) = _INT16.unpack_from(value)
    decoded_value, _ = value_codec.decode(memoryview(value), 2, version)
    return decoded_key, decoded_value


@dataclass(slots=True)
class Reply:
    """An answer for one waiting request."""

    to: Callable[[Any], None]
    response: Any
    failed: Callable[[ErrorCode], Any] | None = None
    """Makes the response for a change that was not committed; by default one with that ``error_code``."""

    def send(self) -> None:
        self.to(self.response)

    def fail(self, error: ErrorCode) -> None:
        if self.failed is not None:
            self.to(self.failed(error))
        else:
            self.to(type(self.response)(error_code=error))


@dataclass(slots=True)
class Decision:
    """``replies`` leave when ``records``, and every record appended before them, are committed."""

    records: list[CoordinatorRecord] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    atomic: bool = True
    """One batch; what does not fit into one is refused. Housekeeping may be split over several."""
    on_refused: Callable[[ErrorCode], None] | None = None
    """Called when the records were not appended, to take back what was changed in memory before."""
    producer_id: int = NO_PRODUCER_ID
    """The records belong to a transaction of this producer: one batch, which a marker makes count."""
    producer_epoch: int = NO_PRODUCER_EPOCH
    guard: VerificationGuard | None = None
    """What the partition gave when the transaction was verified."""
