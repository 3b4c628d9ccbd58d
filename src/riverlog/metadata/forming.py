"""Forming a quorum: directory ids, the first snapshot, cluster ids. And opening its log.

``form`` is a node that becomes a quorum of its own at its first start. A quorum of several is formatted
before any of them starts: ``prepare_folders`` for every node, then ``format_folders`` for every node
with all voters (RULES: forming a quorum 1 and 3).
"""

from __future__ import annotations

from collections.abc import Sequence

from riverlog.base import broker_configs
from riverlog.base.config import BrokerConfig
from riverlog.base.listeners import Endpoint, parse_listeners, parse_protocol_map
from riverlog.env import Disk, Rng
from riverlog.metadata.errors import MetadataError
from riverlog.metadata.identity import Identity, formed, identify, settle
from riverlog.metadata.image import METADATA_TOPIC
from riverlog.metadata.loader import METADATA_FOLDER, Loaded, load
from riverlog.metadata.records import (
    ELR_VERSION,
    ELR_VERSION_FEATURE,
    GROUP_VERSION,
    GROUP_VERSION_FEATURE,
    KRAFT_VERSION,
    METADATA_VERSION,
    METADATA_VERSION_FEATURE,
    TRANSACTION_VERSION,
    TRANSACTION_VERSION_FEATURE,
    MetadataRecord,
    encode_record,
)
from riverlog.protocol.generated.feature_level_record import FeatureLevelRecord
from riverlog.protocol.generated.kraft_version_record import KRaftVersionRecord
from riverlog.raft.snapshots import FIRST_SNAPSHOT, SnapshotId, SnapshotWriter, remove_partial_snapshots
from riverlog.raft.types import METADATA_TOPIC_ID
from riverlog.raft.voter_set import VoterNode, VoterSet, voter_endpoints
from riverlog.raft.voters import derive_cluster_id
from riverlog.storage import Log, LogConfig
from riverlog.storage.checkpoints import write_aside
from riverlog.storage.files import encode_partition_metadata
from riverlog.storage.names import PARTITION_METADATA


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


def first_features() -> list[MetadataRecord]:
    """The feature levels of a new cluster."""
    return [
        FeatureLevelRecord(name=METADATA_VERSION_FEATURE, feature_level=METADATA_VERSION),
        FeatureLevelRecord(name=GROUP_VERSION_FEATURE, feature_level=GROUP_VERSION),
        FeatureLevelRecord(name=ELR_VERSION_FEATURE, feature_level=ELR_VERSION),
        FeatureLevelRecord(name=TRANSACTION_VERSION_FEATURE, feature_level=TRANSACTION_VERSION),
    ]


def own_voter(identity: Identity, endpoints: Sequence[Endpoint]) -> VoterNode:
    """This node as a voter."""
    assert identity.directory_id is not None
    return VoterNode(identity.node_id, identity.directory_id, voter_endpoints(endpoints))


def cluster_id_of(voters: VoterSet) -> str:
    """RULES: forming a quorum 3: every voter derives the same."""
    return derive_cluster_id((node.node_id, node.directory_id) for node in voters)


def make_metadata_folder(disk: Disk, identity: Identity) -> str:
    """Where the metadata log goes; clean of what an interrupted writer left."""
    folder = f"{identity.metadata_dir}/{METADATA_FOLDER}"
    disk.make_folder(folder)
    disk.sync_folder(identity.metadata_dir)
    remove_partial_snapshots(disk, folder)
    return folder


def form(disk: Disk, identity: Identity, voters: VoterSet, *, now_ms: int, cluster_id: str) -> None:
    """RULES: forming a quorum 3: the first snapshot, durable before the cluster id."""
    folder = make_metadata_folder(disk, identity)
    writer = SnapshotWriter(
        disk,
        folder,
        FIRST_SNAPSHOT,
        now_ms=now_ms,
        last_contained_timestamp=now_ms,
        control=[KRaftVersionRecord(version=0, kraft_version=KRAFT_VERSION), voters.to_record()],
    )
    writer.append([encode_record(record) for record in first_features()])
    writer.finish()
    disk.sync([writer.file])
    writer.publish()
    disk.sync_folder(folder)
    formed(disk, identity, cluster_id)


# -- formatting before the first start -------------------------------------------------------


def prepare_folders(disk: Disk, log_dirs: Sequence[str], config: BrokerConfig, rng: Rng) -> VoterNode:
    """Draw the directory ids of an unformatted node, durably; answers what it would be as a voter.

    Running it again answers the same. Raises ``MetadataError``.
    """
    identity = identify(disk, log_dirs, config)
    settle(disk, identity, rng)
    return own_voter(identity, controller_endpoints(config))


def format_folders(
    disk: Disk,
    log_dirs: Sequence[str],
    config: BrokerConfig,
    *,
    rng: Rng,
    now_ms: int,
    voters: VoterSet,
    cluster_id: str | None = None,
) -> str:
    """Format one node's folders for the quorum of ``voters``; answers the cluster id.

    A voter gets the first snapshot. Any other node gets the cluster id alone and will observe: it needs
    no ``voters`` if ``cluster_id`` is given. Without one it is derived from the voters. Raises
    ``MetadataError``, before anything is written, if the folders are formatted or belong to others.
    """
    identity = identify(disk, log_dirs, config)
    if identity.cluster_id is not None:
        raise MetadataError(
            f"{identity.metadata_dir} is formatted already, for cluster {identity.cluster_id}"
        )
    if load(disk, identity.metadata_dir).has_log:
        raise MetadataError(
            f"{identity.metadata_dir} has a metadata log, but meta.properties lacks cluster.id"
        )
    if cluster_id is None:
        if not len(voters):
            raise MetadataError("a cluster id or the voters are needed to format a node")
        cluster_id = cluster_id_of(voters)
    own = voters.get(identity.node_id)
    if own is not None:
        _check_voter(identity, own)
        identity.directory_ids[identity.metadata_dir] = own.directory_id
    settle(disk, identity, rng)
    if own is not None:
        form(disk, identity, voters, now_ms=now_ms, cluster_id=cluster_id)
    else:
        # The folder says that there is no log to miss yet.
        make_metadata_folder(disk, identity)
        formed(disk, identity, cluster_id)
    return cluster_id


def _check_voter(identity: Identity, own: VoterNode) -> None:
    if "controller" not in identity.roles:
        raise MetadataError(f"node {identity.node_id} cannot vote: process.roles needs controller")
    if identity.directory_id not in (None, own.directory_id):
        raise MetadataError(
            f"{identity.metadata_dir} has another directory.id than voter {identity.node_id} is given"
        )


# -- opening ---------------------------------------------------------------------------------


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
    if log.log_end_offset < snapshot_end or (loaded.snapshot and _parted(log, loaded.snapshot)):
        # Everything below is in the snapshot: the log goes on from there.
        log.truncate_fully(snapshot_end, now_ms=now_ms)
    return log


def _parted(log: Log, snapshot: SnapshotId) -> bool:
    """The snapshot is the leader's, and the log that it was to replace ends with records of our own."""
    return log.log_end_offset > log.log_start_offset and log.epochs.latest_epoch < snapshot.epoch
