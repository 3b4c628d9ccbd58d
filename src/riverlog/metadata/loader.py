"""Reading a metadata folder without changing it: the latest good snapshot, then the log.

Everything that can stop a start is found here, before the first write: unknown records, a newer
``metadata.version``, damage, a quorum of several voters.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

from riverlog.env import Disk, StorageError
from riverlog.metadata.errors import MetadataError
from riverlog.metadata.image import METADATA_TOPIC, ClusterState, ReplayError
from riverlog.metadata.records import KRAFT_VERSION_FEATURE, MetadataRecord, UnknownRecord, decode_record
from riverlog.metadata.replayer import Replayer, check_kraft_version
from riverlog.protocol.errors import DecodeError
from riverlog.protocol.generated.kraft_version_record import KRaftVersionRecord
from riverlog.protocol.generated.voters_record import VotersRecord
from riverlog.raft.quorum_state import QuorumState, QuorumStateError, read_quorum_state
from riverlog.raft.scan import DamagedLog, LogEnd, first_offset, scan_log
from riverlog.raft.snapshots import (
    CorruptSnapshot,
    Snapshot,
    SnapshotId,
    list_snapshots,
    read_snapshot,
)
from riverlog.records import BatchHeader, Record
from riverlog.records.control import ControlMessage, decode_control
from riverlog.storage.checkpoints import CheckpointError, read_offsets
from riverlog.storage.names import CLEAN_SHUTDOWN, RECOVERY_POINT_CHECKPOINT

logger = logging.getLogger("riverlog.metadata")

METADATA_FOLDER = f"{METADATA_TOPIC}-0"
BOOTSTRAP_CHECKPOINT = "bootstrap.checkpoint"


@dataclass(slots=True)
class Loaded:
    """What a metadata folder holds."""

    replayer: Replayer = field(default_factory=lambda: Replayer(ClusterState()))
    """With the snapshot and all of the log, committed or not."""
    snapshot_state: ClusterState = field(default_factory=ClusterState)
    """With the snapshot alone: that is committed."""
    has_folder: bool = False
    kraft_version: int = 0
    voters: VotersRecord | None = None
    voters_in_log: bool = False
    """Whether the log itself says the voters, not only the first snapshot."""
    snapshot: SnapshotId | None = None
    snapshot_bytes: int = 0
    snapshot_control: list[ControlMessage] = field(default_factory=list)
    log: LogEnd = field(default_factory=LogEnd)
    has_records: bool = False
    """Whether there is anything but control records, the first snapshot aside."""
    log_bytes: int = 0
    """Bytes of the log that the snapshot does not cover."""
    recovery_point: int = 0
    quorum_state: QuorumState | None = None
    last_timestamp: int = 0

    @property
    def state(self) -> ClusterState:
        return self.replayer.state

    @property
    def has_log(self) -> bool:
        return self.log.end_offset > 0 or self.quorum_state is not None

    @property
    def is_empty(self) -> bool:
        return not self.has_log and self.snapshot is None

    @property
    def epoch(self) -> int:
        """The newest epoch anyone here has heard of."""
        known = [self.log.last_epoch, self.snapshot.epoch if self.snapshot else 0]
        return max(*known, self.quorum_state.leader_epoch if self.quorum_state else 0)

    def apply_control(self, message: ControlMessage) -> None:
        if isinstance(message, KRaftVersionRecord):
            check_kraft_version(message.kraft_version)
            self.kraft_version = message.kraft_version
            self.state.features[KRAFT_VERSION_FEATURE] = message.kraft_version
        elif isinstance(message, VotersRecord):
            self.voters = message


def load(disk: Disk, metadata_dir: str) -> Loaded:
    """Read ``metadata_dir``'s metadata folder, if there is one. Raises ``MetadataError``."""
    folder = f"{metadata_dir}/{METADATA_FOLDER}"
    loaded = Loaded()
    if not disk.is_folder(folder):
        return loaded
    loaded.has_folder = True
    try:
        loaded.quorum_state = read_quorum_state(disk, folder)
        recovery_point = _recovery_point(disk, folder)
        loaded.recovery_point = recovery_point or 0
        _load_snapshot(disk, folder, loaded)
        loaded.snapshot_state = loaded.state.copy()
        _load_log(disk, folder, loaded, recovery_point, clean=disk.exists(f"{metadata_dir}/{CLEAN_SHUTDOWN}"))
    except (UnknownRecord, DecodeError, ReplayError) as error:
        raise MetadataError(f"{folder}: {error}") from None
    except (DamagedLog, QuorumStateError, StorageError) as error:
        raise MetadataError(str(error)) from None
    return loaded


def read_bootstrap(disk: Disk, metadata_dir: str) -> list[MetadataRecord]:
    """Records that Kafka's format command left for the first start of a controller."""
    path = f"{metadata_dir}/{BOOTSTRAP_CHECKPOINT}"
    if not disk.exists(path):
        return []
    try:
        return [decode_record(value) for value in read_snapshot(disk, path).values]
    except (CorruptSnapshot, UnknownRecord, DecodeError, StorageError) as error:
        raise MetadataError(f"{path}: {error}") from None


def _recovery_point(disk: Disk, folder: str) -> int | None:
    """Ours, beside the log; None in a folder that Kafka wrote."""
    path = f"{folder}/{RECOVERY_POINT_CHECKPOINT}"
    if not disk.exists(path):
        return None
    try:
        return read_offsets(disk, path).get((METADATA_TOPIC, 0))
    except CheckpointError as error:
        raise MetadataError(f"{path}: {error}") from None


def _load_snapshot(disk: Disk, folder: str, loaded: Loaded) -> None:
    """The latest that is whole; older ones are a way back as long as the log reaches down to them."""
    for snapshot_id in reversed(list_snapshots(disk, folder)):
        try:
            found = read_snapshot(disk, f"{folder}/{snapshot_id.file_name}")
        except CorruptSnapshot as error:
            logger.warning("%s; trying an older one", error)
            continue
        _apply_snapshot(found, loaded)
        loaded.snapshot = snapshot_id
        loaded.snapshot_bytes = sum(map(len, found.values))
        loaded.last_timestamp = found.last_contained_timestamp
        break
    start = first_offset(disk, folder)
    reach = loaded.snapshot.end_offset if loaded.snapshot else 0
    if start is not None and start > reach:
        raise MetadataError(f"{folder}: the log starts at {start} and no good snapshot reaches that far")


def _apply_snapshot(found: Snapshot, loaded: Loaded) -> None:
    loaded.snapshot_control = found.control
    for message in found.control:
        loaded.apply_control(message)
    for value in found.values:
        loaded.replayer.apply(decode_record(value))


def _load_log(disk: Disk, folder: str, loaded: Loaded, recovery_point: int | None, *, clean: bool) -> None:
    from_offset = loaded.snapshot.end_offset if loaded.snapshot else 0

    def on_batch(header: BatchHeader, records: list[Record]) -> None:
        loaded.log_bytes += header.size
        for record in records:
            if record.offset < from_offset:
                continue
            if header.is_control:
                message = decode_control(record.key, record.value)
                if isinstance(message, VotersRecord):
                    loaded.voters_in_log = True
                if message is not None:
                    loaded.apply_control(message)
            elif record.value is not None:
                loaded.has_records = True
                loaded.replayer.apply(decode_record(record.value))

    loaded.has_records = from_offset > 0
    loaded.log = scan_log(
        disk, folder, from_offset=from_offset, recovery_point=recovery_point, clean=clean, on_batch=on_batch
    )
    if loaded.log.last_timestamp:
        loaded.last_timestamp = loaded.log.last_timestamp
