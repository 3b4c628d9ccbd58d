"""What an interrupted deletion, compaction or checkpoint left in a partition folder."""

from __future__ import annotations

from riverlog.env import Disk
from riverlog.storage.names import (
    CLEANED_SUFFIX,
    DELETED_SUFFIX,
    INDEX_SUFFIX,
    LOG_SUFFIX,
    SWAP_SUFFIX,
    TEMPORARY_SUFFIX,
    TIME_INDEX_SUFFIX,
    TXN_INDEX_SUFFIX,
    parse_offset_name,
)
from riverlog.storage.segment import Segment

_INDEXES = (INDEX_SUFFIX, TIME_INDEX_SUFFIX, TXN_INDEX_SUFFIX)
_RAFT_SNAPSHOT_DELETED = ".checkpoint" + DELETED_SUFFIX
_LEFT = (DELETED_SUFFIX, CLEANED_SUFFIX, SWAP_SUFFIX, TEMPORARY_SUFFIX)


def sweep(disk: Disk, folder: str, names: list[str]) -> list[str] | None:
    """Remove or finish what was left; the names that remain, or None if nothing was to be done."""
    left = [name for name in names if name.endswith(_LEFT) and not name.endswith(_RAFT_SNAPSHOT_DELETED)]
    orphans = _orphans(names)
    if not left and not orphans:
        return None
    gone = set(orphans)
    cleaned = [_base(name) for name in left if name.endswith(CLEANED_SUFFIX)]
    swaps = []
    for name in left:
        if name.endswith(SWAP_SUFFIX) and _base(name) < min(cleaned, default=1 << 63):
            swaps.append(name)
        else:
            gone.add(name)
    for name in sorted(gone):
        disk.remove(f"{folder}/{name}")
    if swaps:
        _finish_swap(disk, folder, swaps, [name for name in names if name not in gone])
    return disk.list_folder(folder)


def _orphans(names: list[str]) -> list[str]:
    """Indexes without a log."""
    parsed = [(name, parse_offset_name(name)) for name in names]
    logs = (LOG_SUFFIX, LOG_SUFFIX + SWAP_SUFFIX)
    bases = {found[0] for _, found in parsed if found is not None and found[1] in logs}
    return [name for name, found in parsed if found and found[1] in _INDEXES and found[0] not in bases]


def _base(name: str) -> int:
    parsed = parse_offset_name(name)
    return parsed[0] if parsed is not None else 1 << 63


def _finish_swap(disk: Disk, folder: str, swaps: list[str], names: list[str]) -> None:
    """A compaction was about to put these in place: what they replace goes, then they get their names."""
    low, high = 1 << 63, -1
    for name in swaps:
        if name.endswith(LOG_SUFFIX + SWAP_SUFFIX):
            base = _base(name)
            low = min(low, base)
            high = max(high, _end_of(disk, folder, name, base))
    for name in names:
        parsed = parse_offset_name(name)
        if parsed and parsed[1] in (LOG_SUFFIX, *_INDEXES) and low <= parsed[0] < high:
            disk.remove(f"{folder}/{name}")
    disk.sync_folder(folder)  # the old segments must not come back beside the new one
    # The log first: should this stop half-way, an index with its final name would be taken for an old one.
    for name in sorted(swaps, key=lambda name: not name.endswith(LOG_SUFFIX + SWAP_SUFFIX)):
        disk.rename(f"{folder}/{name}", f"{folder}/{name[: -len(SWAP_SUFFIX)]}")


def _end_of(disk: Disk, folder: str, name: str, base: int) -> int:
    """Next offset of a swap file, by walking its headers."""
    segment = Segment(disk, folder, base, names=(), now_ms=0)
    segment.adopt(disk.open(f"{folder}/{name}"))
    found = base
    for _, header in segment.headers():
        found = header.next_offset
    segment.close()
    return found
