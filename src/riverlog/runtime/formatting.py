"""Formatting the folders of nodes that do not run: ``riverlog storage format`` and local clusters."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from riverlog.metadata.forming import format_folders, prepare_folders
from riverlog.raft.voter_set import VoterNode, VoterSet
from riverlog.runtime.disk import RealDisk
from riverlog.runtime.folder_lock import FolderLock
from riverlog.runtime.folders import SystemRng, log_folders
from riverlog.runtime.listeners import adopt_controller_listener

if TYPE_CHECKING:
    from riverlog.base.config import BrokerConfig


@contextmanager
def _offline(config: BrokerConfig) -> Iterator[tuple[RealDisk, list[str]]]:
    """The folders of a node, made if missing, while nobody else may use them."""
    disk = RealDisk(lambda callback: callback())
    locks: list[FolderLock] = []
    adopt_controller_listener(config)
    paths = log_folders(config)
    try:
        for path in paths:
            if not os.path.isdir(path):
                os.makedirs(path)
                disk.sync_folder(os.path.dirname(path))
            locks.append(FolderLock(path))
        yield disk, paths
    finally:
        for lock in locks:
            lock.release()
        disk.close()


def prepare_node(config: BrokerConfig) -> VoterNode:
    """Draw a node's directory ids; answers what it is as a voter. Again gives the same."""
    with _offline(config) as (disk, paths):
        return prepare_folders(disk, paths, config, SystemRng())


def format_node(config: BrokerConfig, voters: VoterSet, *, cluster_id: str | None = None) -> str:
    """Format a node's folders for this quorum; answers the cluster id. ``MetadataError`` if they are."""
    with _offline(config) as (disk, paths):
        return format_folders(
            disk,
            paths,
            config,
            rng=SystemRng(),
            now_ms=time.time_ns() // 1_000_000,
            voters=voters,
            cluster_id=cluster_id,
        )


def format_cluster(configs: Sequence[BrokerConfig], *, cluster_id: str | None = None) -> str:
    """Format the folders of all voters of a new cluster (RULES: forming a quorum 1)."""
    voters = VoterSet.of([prepare_node(config) for config in configs])
    for config in configs:
        cluster_id = format_node(config, voters, cluster_id=cluster_id)
    assert cluster_id is not None
    return cluster_id
