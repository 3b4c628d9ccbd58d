"""Snapshots of the metadata log: ``<end offset>-<epoch>.checkpoint``.

A snapshot is a file of record batches: a control batch with the header (and the voters), data batches,
a control batch with the footer. It stands for everything below its end offset, and it counts only if
every batch is good and the footer is there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from riverlog.env import Disk, File, StorageError
from riverlog.protocol.generated.snapshot_footer_record import SnapshotFooterRecord
from riverlog.protocol.generated.snapshot_header_record import SnapshotHeaderRecord
from riverlog.records import BatchBuilder, CorruptBatch, crc_ok, decode_records, read_header
from riverlog.records.control import ControlMessage, control_batch, control_record, decode_control

SNAPSHOT_SUFFIX = ".checkpoint"
PARTIAL_SUFFIX = ".checkpoint.part"
DECOMPRESSED_BYTES_MAX = 64 << 20
"""A batch of the metadata log is 8 MiB at most; Kafka never compresses it."""

_NAME = re.compile(r"([0-9]{20})-([0-9]{10})\.checkpoint")


class SnapshotId(NamedTuple):
    end_offset: int
    """Everything below it is in the snapshot."""
    epoch: int
    """Epoch of the last record in it."""

    @property
    def file_name(self) -> str:
        return f"{self.end_offset:020d}-{self.epoch:010d}{SNAPSHOT_SUFFIX}"


FIRST_SNAPSHOT = SnapshotId(0, 0)
"""Written when a quorum is formed."""


class CorruptSnapshot(Exception):
    """Not a whole snapshot; the message says why."""


def list_snapshots(disk: Disk, folder: str) -> list[SnapshotId]:
    """Oldest first; whether they are good is not looked at."""
    if not disk.is_folder(folder):
        return []
    found = [match for match in map(_NAME.fullmatch, disk.list_folder(folder)) if match]
    return sorted(SnapshotId(int(match.group(1)), int(match.group(2))) for match in found)


@dataclass(slots=True)
class Snapshot:
    """What a snapshot file holds."""

    last_contained_timestamp: int = 0
    control: list[ControlMessage] = field(default_factory=list)
    """Without header and footer."""
    values: list[bytes] = field(default_factory=list)
    """The records' values, in order."""


def decode_snapshot(data: bytes) -> Snapshot:
    """Raises ``CorruptSnapshot``."""
    found = Snapshot()
    position = 0
    header: SnapshotHeaderRecord | None = None
    footer = False
    try:
        while position < len(data):
            batch = read_header(data, position)
            if not crc_ok(data, position, batch):
                raise CorruptSnapshot(f"wrong CRC at byte {position}")
            if footer:
                raise CorruptSnapshot("something follows the footer")
            for record in decode_records(data, position, batch, max_bytes=DECOMPRESSED_BYTES_MAX):
                if not batch.is_control:
                    if record.value is None:
                        raise CorruptSnapshot("a record without a value")
                    found.values.append(record.value)
                    continue
                message = decode_control(record.key, record.value)
                if isinstance(message, SnapshotHeaderRecord):
                    header = message
                elif isinstance(message, SnapshotFooterRecord):
                    footer = True
                elif message is not None:
                    found.control.append(message)
                if header is None:
                    raise CorruptSnapshot("does not start with a header")
            position += batch.size
    except CorruptBatch as error:
        raise CorruptSnapshot(f"{error} at byte {position}") from None
    if header is None or not footer:
        raise CorruptSnapshot("header or footer is missing")
    found.last_contained_timestamp = header.last_contained_log_timestamp
    return found


def read_snapshot(disk: Disk, path: str) -> Snapshot:
    """Raises ``CorruptSnapshot``."""
    try:
        return decode_snapshot(disk.read_file(path))
    except CorruptSnapshot as error:
        raise CorruptSnapshot(f"{path}: {error}") from None


class SnapshotWriter:
    """Writes a snapshot aside, batch by batch. It exists once ``publish`` ran and its folder is synced."""

    def __init__(
        self,
        disk: Disk,
        folder: str,
        snapshot_id: SnapshotId,
        *,
        now_ms: int,
        last_contained_timestamp: int,
        control: Sequence[ControlMessage],
    ) -> None:
        self._disk = disk
        self._now_ms = now_ms
        self._epoch = snapshot_id.epoch
        self._offset = 0
        self.path = f"{folder}/{snapshot_id.file_name}"
        partial = f"{folder}/{snapshot_id.file_name[: -len(SNAPSHOT_SUFFIX)]}{PARTIAL_SUFFIX}"
        self.file: File = disk.open(partial, create=True)
        self.file.truncate(0)
        header = SnapshotHeaderRecord(version=0, last_contained_log_timestamp=last_contained_timestamp)
        self._control(header, *control)

    def append(self, values: Sequence[bytes]) -> None:
        """One batch of records."""
        if not values:
            return
        builder = BatchBuilder(base_offset=self._offset, leader_epoch=self._epoch)
        for value in values:
            builder.append(timestamp=self._now_ms, value=value)
        self.file.append(builder.build())
        self._offset += len(values)

    def finish(self) -> None:
        """The footer. The file is to be synced before ``publish``."""
        self._control(SnapshotFooterRecord(version=0))

    def publish(self) -> None:
        """Give it its name. The folder is to be synced after."""
        self.file.rename(self.path)
        self.file.close()

    def abandon(self) -> None:
        """Something went wrong: what is there is of no use."""
        try:
            path = self.file.path
            self.file.close()
            self._disk.remove(path)
        except StorageError:
            return  # swept up at the next start

    def _control(self, *messages: ControlMessage) -> None:
        records = [control_record(message) for message in messages]
        batch = control_batch(
            records, base_offset=self._offset, leader_epoch=self._epoch, timestamp=self._now_ms
        )
        self.file.append(batch)
        self._offset += len(records)


def remove_partial_snapshots(disk: Disk, folder: str) -> None:
    """What an interrupted writer left."""
    for name in disk.list_folder(folder):
        if name.endswith(PARTIAL_SUFFIX):
            disk.remove(f"{folder}/{name}")
