"""What a cluster does to its own logs, checked: compaction, retention, damage (INVARIANTS 20, 21, 23)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from riverlog.records import BatchHeader, CorruptBatch, crc_ok, decode_records, iter_headers
from riverlog.records.header import CONTROL_FLAG, CRC_POSITION
from riverlog.sim.batches import name_of
from riverlog.sim.checkers import DECODED_BYTES_MAX, Violation, require
from riverlog.sim.cluster import LOG_DIR, ClusterNode
from riverlog.sim.disk import SimFile
from riverlog.sim.media import Inode
from riverlog.sim.promises import PartitionPromises
from riverlog.sim.rng import SimRng
from riverlog.storage import Log
from riverlog.storage.names import RECOVERY_POINT_CHECKPOINT

# -- 20: compaction ------------------------------------------------------------------------------


def check_compacted(part: PartitionPromises, seen: Mapping[int, str], *, keeps_tombstones: bool) -> None:
    """What is missing was overwritten. ``seen``: all that a log holds, by offset.

    ``keeps_tombstones``: ``delete.retention.ms`` is longer than the run, so they stay until overwritten.
    """
    last = _last_offsets(part, seen)
    for offset, known in part.records.items():
        if offset in seen:
            continue
        key, is_tombstone = part.keys[known.record]
        if last.get(key, -1) > offset:
            continue
        gone = not keeps_tombstones and (is_tombstone or _may_be_deleted(part, key, offset))
        require(gone, f"{part.name}: {known} at {offset} is gone, nothing later has its key {key}")


def _may_be_deleted(part: PartitionPromises, key: str, offset: int) -> bool:
    """A tombstone for the key may have come after it, and be gone itself."""
    return any(
        is_tombstone and other == key and part.offsets.get(record, offset + 1) > offset
        for record, (other, is_tombstone) in part.keys.items()
    )


def _last_offsets(part: PartitionPromises, seen: Mapping[int, str]) -> dict[str, int]:
    """The last offset of each key; whose names are known."""
    last: dict[str, int] = {}
    for offset in sorted(seen):
        sent = part.keys.get(seen[offset])
        require(sent is not None, f"{part.name}: {seen[offset]} at {offset} was never sent")
        assert sent is not None
        last[sent[0]] = offset
    return last


def contents(log: Log) -> dict[int, str]:
    """The names of all records of a log, by offset."""
    found: dict[int, str] = {}
    for data, at, header in batches(log):
        if not header.attributes & CONTROL_FLAG:
            for record in decode_records(data, at, header, max_bytes=DECODED_BYTES_MAX):
                if record.offset >= log.log_start_offset:
                    found[record.offset] = name_of(record)
    return found


# -- 21: retention -------------------------------------------------------------------------------


def check_expired(part: PartitionPromises, start: int, *, before_ms: int) -> None:
    """The log starts at ``start``: all before it was older than that."""
    for offset, known in part.records.items():
        require(
            offset >= start or known.timestamp < before_ms,
            f"{part.name}: {known} at {offset} is deleted, only what is before {before_ms} may be",
        )


def check_time(
    part: PartitionPromises, known: Mapping[int, int], *, wanted: int, found: int, start: int
) -> None:
    """``found`` is the answer for the time ``wanted`` (-1: none), and then the log still had all from
    ``start`` on. ``known``: times by offset, of what was readable before the question."""
    for offset, timestamp in known.items():
        require(
            offset < start or timestamp < wanted or 0 <= found <= offset,
            f"{part.name}: time {wanted} gave offset {found}, but {offset} is there, of {timestamp}",
        )


# -- 23: damage ----------------------------------------------------------------------------------


def flip_bit(node: ClusterNode, folders: Sequence[str], rng: SimRng) -> str | None:
    """One bit that a CRC covers, of cold data; answers of which folder.

    Cold is a segment below the recovery point: past it, what a node that lost power finds damaged cannot be
    told from what it had not synced yet.
    """
    points = _recovery_points(node)
    files: dict[str, list[tuple[int, Inode]]] = {}
    for path, inode in node.media.files():
        folder, _, name = path.rpartition("/")
        if folder in folders and name.endswith(".log"):
            files.setdefault(folder, []).append((int(name[:-4]), inode))
    cold = [
        (folder, inode)
        for folder, segments in files.items()
        for (_, inode), (end, _) in pairwise(segments)
        if end <= points.get(folder, 0) and inode.synced and inode.content
    ]
    if not cold:
        return None
    folder, inode = rng.choice(cold)
    try:
        at, header = rng.choice(list(iter_headers(bytes(inode.content))))
    except CorruptBatch:
        return None  # damaged before
    bit = rng.random_int((at + CRC_POSITION) * 8, (at + header.size) * 8 - 1)
    for content in (inode.content, inode.durable):
        content[bit // 8] ^= 1 << bit % 8
    return folder


def _recovery_points(node: ClusterNode) -> dict[str, int]:
    """By folder, as they are on the disk."""
    inode = node.media.find(f"{LOG_DIR}/{RECOVERY_POINT_CHECKPOINT}")
    if not isinstance(inode, Inode):
        return {}
    rows = [line.split() for line in inode.content.decode().splitlines()[2:]]
    return {f"{LOG_DIR}/{topic}-{index}": int(offset) for topic, index, offset in rows}


def batches(log: Log) -> Iterator[tuple[bytes, int, BatchHeader]]:
    """Every batch of a log, in order, read past the faults of its disk."""
    for segment in list(log.segments):
        assert isinstance(segment.file, SimFile)
        data = segment.file.peek(0, segment.size)
        for at, header in iter_headers(data):
            yield data, at, header


def is_whole(log: Log) -> bool:
    """Whether every batch is as it was written."""
    try:
        return all(crc_ok(data, at, header) for data, at, header in batches(log))
    except CorruptBatch:
        return False


def check_whole(name: str, log: Log) -> None:
    """No batch is damaged, and an idempotent producer's stand in their order."""
    last: dict[tuple[int, int], int] = {}
    try:
        for data, at, header in batches(log):
            require(crc_ok(data, at, header), f"{name}: wrong CRC at {header.base_offset}")
            if header.has_producer_id and not header.attributes & CONTROL_FLAG and not name.startswith("__"):
                key = (header.producer_id, header.producer_epoch)
                require(
                    header.base_sequence > last.get(key, -1),
                    f"{name}: producer {key} sequence {header.base_sequence} follows {last.get(key)}",
                )
                last[key] = header.last_sequence
    except CorruptBatch as error:
        raise Violation(f"{name}: {error}") from error
