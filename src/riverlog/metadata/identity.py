"""Whose folders these are: ``meta.properties`` of every log folder, checked together.

RULES: forming a quorum 1 and 3. A folder without ``cluster.id`` is not formatted. What the node is in its
quorum is found in ``membership``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from riverlog.base import broker_configs
from riverlog.base.config import BrokerConfig
from riverlog.env import Disk, Rng, StorageError
from riverlog.metadata.controller import random_uuid
from riverlog.metadata.errors import MetadataError
from riverlog.metadata.loader import METADATA_FOLDER
from riverlog.storage.files import (
    MetaProperties,
    MetaPropertiesError,
    decode_uuid,
    encode_uuid,
    read_meta_properties,
    write_meta_properties,
)

DEFAULT_NODE_ID = 1


@dataclass(slots=True)
class Identity:
    """What the folders and the configuration agree on."""

    node_id: int
    roles: tuple[str, ...]
    metadata_dir: str
    cluster_id: str | None
    """None: not formatted."""
    directory_ids: dict[str, bytes | None] = field(default_factory=dict)
    """By log folder; None where one is to be drawn. Folders that cannot be read are left out."""
    unwritten: list[str] = field(default_factory=list)
    """Log folders whose ``meta.properties`` is missing or lacks something."""

    @property
    def directory_id(self) -> bytes | None:
        """Of the folder that holds the metadata log: this voter's."""
        return self.directory_ids[self.metadata_dir]


def identify(disk: Disk, log_dirs: Sequence[str], config: BrokerConfig) -> Identity:
    """Read and compare. Raises ``MetadataError``; writes nothing."""
    roles: tuple[str, ...] = config[broker_configs.PROCESS_ROLES]
    if not roles or len(set(roles)) != len(roles):
        raise MetadataError(f"process.roles={','.join(roles)}: must be broker, controller or both")
    metadata_dir = config[broker_configs.METADATA_LOG_DIR] or log_dirs[0]
    found: dict[str, MetaProperties | None] = {}
    for path in dict.fromkeys([metadata_dir, *log_dirs]):
        try:
            found[path] = read_meta_properties(disk, path)
        except MetaPropertiesError as error:
            raise MetadataError(str(error)) from None
        except StorageError as error:
            if path == metadata_dir:
                raise MetadataError(f"the metadata folder cannot be read: {error}") from None
    _check_metadata_dir(disk, metadata_dir, found)
    node_id = _node_id(found, config)
    cluster_ids = {meta.cluster_id: path for path, meta in found.items() if meta and meta.cluster_id}
    if len(cluster_ids) > 1:
        raise MetadataError(f"the log folders belong to different clusters: {', '.join(sorted(cluster_ids))}")
    here = found[metadata_dir]
    if cluster_ids and (here is None or here.cluster_id is None):
        raise MetadataError(f"{metadata_dir} is not formatted, but {next(iter(cluster_ids.values()))} is")
    identity = Identity(node_id, roles, metadata_dir, next(iter(cluster_ids), None))
    for path, meta in found.items():
        identity.directory_ids[path] = _directory_id(path, meta)
        if meta is None or None in (meta.node_id, meta.cluster_id, meta.directory_id):
            identity.unwritten.append(path)
    return identity


def _check_metadata_dir(disk: Disk, metadata_dir: str, found: dict[str, MetaProperties | None]) -> None:
    if disk.is_folder(f"{metadata_dir}/{METADATA_FOLDER}"):
        return
    for path in found:
        if disk.is_folder(f"{path}/{METADATA_FOLDER}"):
            raise MetadataError(
                f"the metadata log is in {path}, not in {metadata_dir}: set metadata.log.dir={path}"
            )


def _node_id(found: dict[str, MetaProperties | None], config: BrokerConfig) -> int:
    configured = config[broker_configs.NODE_ID]
    legacy = config[broker_configs.BROKER_ID]
    if legacy >= 0:
        if configured is not None and configured != legacy:
            raise MetadataError(f"node.id is {configured} but broker.id is {legacy}")
        configured = legacy
    node_id = configured
    for path, meta in found.items():
        if meta is None or meta.node_id is None:
            continue
        if node_id is None:
            node_id = meta.node_id
        elif meta.node_id != node_id:
            source = "configured" if configured is not None else "in another log folder"
            raise MetadataError(f"{path} belongs to node {meta.node_id}, but node.id is {node_id} ({source})")
    return DEFAULT_NODE_ID if node_id is None else node_id


def _directory_id(path: str, meta: MetaProperties | None) -> bytes | None:
    if meta is None or meta.directory_id is None:
        return None
    try:
        return decode_uuid(meta.directory_id)
    except ValueError as error:
        raise MetadataError(f"{path}/meta.properties: directory.id: {error}") from None


def settle(disk: Disk, identity: Identity, rng: Rng) -> None:
    """Draw missing directory ids and make them durable, before anything else is written."""
    for path in identity.unwritten:
        if identity.directory_ids[path] is None:
            identity.directory_ids[path] = random_uuid(rng)
            _write(disk, identity, path)


def formed(disk: Disk, identity: Identity, cluster_id: str) -> None:
    """The quorum is formed: give every folder its cluster id, first the one that holds the metadata log."""
    identity.cluster_id = cluster_id
    for path in sorted(identity.unwritten, key=lambda path: path != identity.metadata_dir):
        _write(disk, identity, path)
    identity.unwritten = []


def _write(disk: Disk, identity: Identity, path: str) -> None:
    directory_id = identity.directory_ids[path]
    assert directory_id is not None
    meta = MetaProperties(identity.node_id, encode_uuid(directory_id), identity.cluster_id)
    write_meta_properties(disk, path, meta)
