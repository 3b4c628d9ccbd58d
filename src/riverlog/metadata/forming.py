"""Forming and opening a quorum of one: the first snapshot, the log, a new leader epoch."""

from __future__ import annotations

from collections.abc import Sequence

from riverlog.base import broker_configs
from riverlog.base.config import BrokerConfig
from riverlog.base.listeners import Endpoint, parse_listeners, parse_protocol_map
from riverlog.env import Disk
from riverlog.metadata.identity import Identity
from riverlog.metadata.image import METADATA_TOPIC
from riverlog.metadata.loader import Loaded
from riverlog.metadata.quorum import QuorumLog
from riverlog.metadata.records import (
    GROUP_VERSION,
    GROUP_VERSION_FEATURE,
    KRAFT_VERSION,
    METADATA_VERSION,
    METADATA_VERSION_FEATURE,
    MetadataRecord,
    encode_record,
)
from riverlog.protocol.generated.feature_level_record import FeatureLevelRecord
from riverlog.protocol.generated.kraft_version_record import KRaftVersionRecord
from riverlog.protocol.generated.leader_change_message import LeaderChangeMessage, Voter
from riverlog.protocol.generated.voters_record import VotersRecord
from riverlog.raft.quorum_state import QuorumState, write_quorum_state
from riverlog.raft.snapshots import FIRST_SNAPSHOT, SnapshotWriter
from riverlog.raft.voters import voters_record
from riverlog.records.control import ControlMessage
from riverlog.storage import Log, LogConfig
from riverlog.storage.checkpoints import write_aside
from riverlog.storage.files import encode_partition_metadata
from riverlog.storage.names import PARTITION_METADATA

METADATA_TOPIC_ID = (1).to_bytes(16, "big")


def controller_endpoints(config: BrokerConfig) -> tuple[Endpoint, ...]:
    """Where voters would reach this one; nowhere for a node without a controller listener."""
    names = {name.upper() for name in config[broker_configs.CONTROLLER_LISTENER_NAMES]}
    if not names:
        return ()
    protocols = parse_protocol_map(config[broker_configs.LISTENER_SECURITY_PROTOCOL_MAP])
    for name in names:
        protocols.setdefault(name, "PLAINTEXT")
    texts = (*(config[broker_configs.ADVERTISED_LISTENERS] or ()), *config[broker_configs.LISTENERS])
    found: dict[str, Endpoint] = {}
    for text in texts:
        if text.partition("://")[0].strip().upper() in names:
            (endpoint,) = parse_listeners([text], protocols)
            found.setdefault(endpoint.listener, endpoint)
    return tuple(found.values())


def voters_control(kraft_version: int, voters: VotersRecord | None) -> list[ControlMessage]:
    if kraft_version == 0 or voters is None:
        return []
    return [KRaftVersionRecord(version=0, kraft_version=kraft_version), voters]


def first_features() -> list[MetadataRecord]:
    """The feature levels of a new cluster."""
    return [
        FeatureLevelRecord(name=METADATA_VERSION_FEATURE, feature_level=METADATA_VERSION),
        FeatureLevelRecord(name=GROUP_VERSION_FEATURE, feature_level=GROUP_VERSION),
    ]


def form(
    disk: Disk, folder: str, identity: Identity, endpoints: Sequence[Endpoint], *, now_ms: int
) -> Loaded:
    """RULES: forming a quorum 3, for a quorum of one: the first snapshot, durable before the cluster id."""
    assert identity.directory_id is not None
    voters = voters_record(identity.node_id, identity.directory_id, endpoints)
    features = first_features()
    control = voters_control(KRAFT_VERSION, voters)
    writer = SnapshotWriter(
        disk,
        folder,
        FIRST_SNAPSHOT,
        now_ms=now_ms,
        last_contained_timestamp=now_ms,
        control=control,
    )
    writer.append([encode_record(record) for record in features])
    writer.finish()
    disk.sync([writer.file])
    writer.publish()
    disk.sync_folder(folder)
    loaded = Loaded(snapshot=FIRST_SNAPSHOT, last_timestamp=now_ms)
    for message in control:
        loaded.apply_control(message)
    for record in features:
        loaded.apply(record)
    return loaded


def open_log(disk: Disk, folder: str, config: BrokerConfig, loaded: Loaded, *, now_ms: int) -> Log:
    """The log as storage sees it, recovered; it must end where reading it found its end."""
    if not disk.exists(f"{folder}/{PARTITION_METADATA}"):
        write_aside(disk, f"{folder}/{PARTITION_METADATA}", encode_partition_metadata(METADATA_TOPIC_ID))
    segment_bytes = (
        config[broker_configs.INTERNAL_METADATA_LOG_SEGMENT_BYTES]
        or config[broker_configs.METADATA_LOG_SEGMENT_BYTES]
    )
    log = Log.open(
        disk,
        folder,
        (METADATA_TOPIC, 0),
        LogConfig(
            segment_bytes=segment_bytes,
            segment_ms=config[broker_configs.METADATA_LOG_SEGMENT_MS],
            file_delete_delay_ms=0,
            retention_ms=-1,
        ),
        recovery_point=loaded.recovery_point,
        log_start_offset=loaded.log.start_offset,
        clean_shutdown=False,
        now_ms=now_ms,
    )
    snapshot_end = loaded.snapshot.end_offset if loaded.snapshot else 0
    assert log.log_end_offset == loaded.log.end_offset, (log.log_end_offset, loaded.log)
    if log.log_end_offset < snapshot_end:
        # Everything below is in the snapshot: the log goes on from there.
        log.truncate_fully(snapshot_end, now_ms=now_ms)
    return log


def current_voters(identity: Identity, loaded: Loaded, endpoints: Sequence[Endpoint]) -> VotersRecord | None:
    """The voters as they are now: the same pair, where it can be reached today."""
    if loaded.kraft_version == 0:
        return None
    assert identity.directory_id is not None
    if loaded.voters is not None and not endpoints:
        return loaded.voters
    return voters_record(identity.node_id, identity.directory_id, endpoints)


def begin_leading(
    disk: Disk,
    folder: str,
    identity: Identity,
    loaded: Loaded,
    quorum: QuorumLog,
    voters: VotersRecord | None,
) -> None:
    """A new epoch (RULES: watermark 6): remembered, then begun with a LeaderChange record, both durable."""
    node_id = identity.node_id
    state = QuorumState(leader_id=node_id, leader_epoch=quorum.epoch, voters=(node_id,))
    write_quorum_state(disk, folder, state, kraft_version=loaded.kraft_version)
    messages: list[ControlMessage] = [
        LeaderChangeMessage(
            version=0,
            leader_id=node_id,
            voters=[Voter(voter_id=node_id)],
            granting_voters=[Voter(voter_id=node_id)],
        )
    ]
    if voters is not None and (not loaded.voters_in_log or voters != loaded.voters):
        messages += voters_control(loaded.kraft_version, voters)
    quorum.append_control(messages)
    quorum.begin_epoch()
