"""The files of a log folder as rows: what ``riverlog log dump`` prints. Reads only."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path
from struct import Struct
from typing import Any

from riverlog.cli.output import json_bytes
from riverlog.metadata.records import UnknownRecord, decode_record
from riverlog.protocol.errors import DecodeError
from riverlog.protocol.primitives import Wire
from riverlog.records import (
    BatchHeader,
    Codec,
    CorruptBatch,
    Record,
    control_type,
    crc_ok,
    decode_control,
    decode_records,
    read_header,
)
from riverlog.records.control import decode_end_txn_marker
from riverlog.storage.snapshots import CorruptSnapshot, decode_snapshot

Row = dict[str, Any]
"""One line of output; ``row`` says which kind."""

METADATA_FOLDER = "__cluster_metadata-0"
MAX_DECOMPRESSED_BYTES = 256 * 1024 * 1024

_INDEX_ENTRY = Struct(">ii")
_TIME_ENTRY = Struct(">qi")
_TXN_ENTRY = Struct(">hqqqq")
_TEXT_NAMES = {
    "leader-epoch-checkpoint",
    "recovery-point-offset-checkpoint",
    "log-start-offset-checkpoint",
    "replication-offset-checkpoint",
    "cleaner-offset-checkpoint",
    "meta.properties",
    "partition.metadata",
    "quorum-state",
}
_BATCH_SUFFIXES = (".log", ".checkpoint")
_SUFFIXES = (*_BATCH_SUFFIXES, ".index", ".timeindex", ".txnindex", ".snapshot")


def known_files(path: Path) -> list[Path]:
    """The file itself, or the files of a partition's or data folder that can be dumped, in order."""
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.is_file() and _kind(file) is not None)


def _kind(file: Path) -> str | None:
    if file.name in _TEXT_NAMES:
        return "text"
    # Files on their way out keep their kind: 0000.log.deleted
    suffix = Path(file.name.removesuffix(".deleted")).suffix
    return suffix if suffix in _SUFFIXES else None


def dump_file(file: Path, *, records: bool, metadata: bool) -> Iterator[Row]:
    """Rows of one file; OSError if it cannot be read."""
    kind = _kind(file)
    if kind in _BATCH_SUFFIXES:
        yield from _with_map(file, records=records, metadata=metadata)
    elif kind == ".index":
        yield from _dump_index(file)
    elif kind == ".timeindex":
        yield from _dump_time_index(file)
    elif kind == ".txnindex":
        yield from _dump_transactions(file.read_bytes())
    elif kind == ".snapshot":
        yield from _dump_snapshot(file.read_bytes())
    elif kind == "text":
        for line in file.read_bytes().decode("utf-8", "replace").splitlines():
            yield {"row": "text", "text": line}
    else:
        yield problem("not a file of a log folder: nothing is known about its name")


def problem(text: str, **where: int) -> Row:
    return {"row": "problem", **where, "problem": text}


# ---------------------------------------------------------------- batches


def _with_map(file: Path, *, records: bool, metadata: bool) -> Iterator[Row]:
    """Batches of a file that may be larger than memory."""
    with file.open("rb") as opened:
        if opened.seek(0, 2) == 0:
            return
        with mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as mapped, memoryview(mapped) as view:
            yield from dump_batches(view, records=records, metadata=metadata)


def dump_batches(view: memoryview, *, records: bool, metadata: bool) -> Iterator[Row]:
    position = 0
    expected = -1
    while position < len(view):
        if not any(view[position : position + 61]) and not any(view[position:]):
            # A preallocated file ends in zeros.
            return
        try:
            header = read_header(view, position)
        except CorruptBatch as found:
            yield problem(f"{found}; {len(view) - position} bytes not read", position=position)
            return
        if position + header.size > len(view):
            missing = position + header.size - len(view)
            yield problem(f"the last batch is cut short, {missing} bytes are missing", position=position)
            return
        valid = crc_ok(view, position, header)
        yield batch_row(header, position, valid)
        if not valid:
            yield problem("checksum mismatch", position=position, base_offset=header.base_offset)
        if header.base_offset < expected:
            yield problem(
                f"offset {header.base_offset} after {expected - 1}",
                position=position,
                base_offset=header.base_offset,
            )
        expected = header.next_offset
        if (records or header.is_control) and valid:
            yield from _dump_records(view, position, header, metadata)
        position += header.size


def batch_row(header: BatchHeader, position: int, valid: bool) -> Row:
    flags = [
        name
        for name, on in (
            ("transactional", header.is_transactional),
            ("control", header.is_control),
            ("delete-horizon", header.has_delete_horizon),
        )
        if on
    ]
    codec = header.compression
    return {
        "row": "batch",
        "position": position,
        "size": header.size,
        "base_offset": header.base_offset,
        "last_offset": header.last_offset,
        "records": header.record_count,
        "leader_epoch": header.partition_leader_epoch,
        "compression": Codec(codec).name.lower() if codec <= Codec.ZSTD else f"unknown ({codec})",
        "timestamp_type": "LogAppendTime" if header.is_log_append_time else "CreateTime",
        "base_timestamp": header.base_timestamp,
        "max_timestamp": header.max_timestamp,
        "producer_id": header.producer_id,
        "producer_epoch": header.producer_epoch,
        "base_sequence": header.base_sequence,
        "last_sequence": header.last_sequence,
        "flags": flags,
        "crc": f"{header.crc:08x}",
        "valid": valid,
    }


def _dump_records(view: memoryview, position: int, header: BatchHeader, metadata: bool) -> Iterator[Row]:
    try:
        found = decode_records(view, position, header, max_bytes=MAX_DECOMPRESSED_BYTES)
    except CorruptBatch as bad:
        yield problem(str(bad), position=position, base_offset=header.base_offset)
        return
    for record in found:
        row: Row = {"row": "record", "offset": record.offset, "timestamp": record.timestamp}
        try:
            if header.is_control:
                row |= _control(record)
            elif metadata:
                row |= _metadata(record)
            else:
                row |= json_bytes("key", record.key) | json_bytes("value", record.value)
                row["headers"] = [{"key": key, **json_bytes("value", value)} for key, value in record.headers]
        except (CorruptBatch, DecodeError, UnknownRecord) as bad:
            yield problem(str(bad), offset=record.offset)
            continue
        yield row


def _control(record: Record) -> Row:
    kind = control_type(record.key)
    if kind is None:
        return {"control": "unknown"}
    message = decode_control(record.key, record.value)
    if message is None:
        return {"control": kind.name, "coordinator_epoch": decode_end_txn_marker(record.value)}
    return {"control": kind.name, "message": wire_dict(message)}


def _metadata(record: Record) -> Row:
    message = decode_record(record.value or b"")
    return {"type": type(message).__name__, "message": wire_dict(message)}


def wire_dict(value: Any) -> Any:
    """A decoded message as plain data; ids and other bytes as hex."""
    if isinstance(value, Wire):
        return {name: wire_dict(getattr(value, name)) for name in value.__slots__}
    if isinstance(value, list):
        return [wire_dict(item) for item in value]
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    return value


# ---------------------------------------------------------------- indexes and snapshots


def _base_offset(file: Path) -> int | None:
    stem = file.name.partition(".")[0]
    return int(stem) if stem.isdecimal() else None


def _dump_index(file: Path) -> Iterator[Row]:
    base = _base_offset(file)
    if base is None:
        yield problem("the name of an index must be its base offset")
        return
    data = file.read_bytes()
    log = file.with_name(file.name.replace(".index", ".log"))
    log_bytes = log.open("rb") if log.is_file() else None
    last_offset, last_position = -1, -1
    try:
        for at in range(0, len(data) - _INDEX_ENTRY.size + 1, _INDEX_ENTRY.size):
            relative, position = _INDEX_ENTRY.unpack_from(data, at)
            if relative == 0 and position == 0:
                break  # the rest is preallocated
            offset = base + relative
            yield {"row": "index", "offset": offset, "position": position}
            if offset <= last_offset or position <= last_position:
                yield problem(f"entry after ({last_offset}, {last_position}) does not grow", offset=offset)
            last_offset, last_position = offset, position
            if log_bytes is not None:
                log_bytes.seek(position)
                yield from _check_index_entry(log_bytes.read(61), offset, position)
    finally:
        if log_bytes is not None:
            log_bytes.close()


def _check_index_entry(head: bytes, offset: int, position: int) -> Iterator[Row]:
    try:
        header = read_header(head, 0)
    except CorruptBatch:
        yield problem(f"no batch at position {position} of the log", offset=offset)
        return
    if header.last_offset != offset:
        yield problem(f"the batch at position {position} ends at offset {header.last_offset}", offset=offset)


def _dump_time_index(file: Path) -> Iterator[Row]:
    base = _base_offset(file)
    if base is None:
        yield problem("the name of a time index must be its base offset")
        return
    data = file.read_bytes()
    last = -1
    for at in range(0, len(data) - _TIME_ENTRY.size + 1, _TIME_ENTRY.size):
        timestamp, relative = _TIME_ENTRY.unpack_from(data, at)
        if timestamp == 0 and relative == 0:
            break  # the rest is preallocated
        yield {"row": "time", "timestamp": timestamp, "offset": base + relative}
        if timestamp <= last:
            yield problem(f"timestamp {timestamp} after {last} does not grow", offset=base + relative)
        last = timestamp


def _dump_transactions(data: bytes) -> Iterator[Row]:
    for at in range(0, len(data) - _TXN_ENTRY.size + 1, _TXN_ENTRY.size):
        version, producer_id, first, last, stable = _TXN_ENTRY.unpack_from(data, at)
        if version != 0:
            yield problem(f"entry of unknown version {version}", position=at)
            return
        yield {
            "row": "aborted",
            "producer_id": producer_id,
            "first_offset": first,
            "last_offset": last,
            "last_stable_offset": stable,
        }
    if len(data) % _TXN_ENTRY.size:
        yield problem(f"{len(data) % _TXN_ENTRY.size} bytes left behind the last entry")


def _dump_snapshot(data: bytes) -> Iterator[Row]:
    try:
        entries = decode_snapshot(data)
    except CorruptSnapshot as bad:
        yield problem(f"corrupt snapshot: {bad}")
        return
    for entry in entries:
        producer_id, epoch, sequence, offset, delta, timestamp, coordinator_epoch, first = entry
        yield {
            "row": "producer",
            "producer_id": producer_id,
            "producer_epoch": epoch,
            "last_sequence": sequence,
            "last_offset": offset,
            "offset_delta": delta,
            "timestamp": timestamp,
            "coordinator_epoch": coordinator_epoch,
            "current_txn_first_offset": None if first < 0 else first,
        }
