"""The folders of nodes that do not run: ``riverlog storage format`` and ``recover``, local clusters."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from riverlog.env import Timer
from riverlog.metadata.forming import format_folders, prepare_folders
from riverlog.metadata.recovering import Survivor, find_survivor, make_sole_voter
from riverlog.raft.voter_set import VoterNode, VoterSet
from riverlog.runtime.disk import RealDisk
from riverlog.runtime.folder_lock import FolderLock
from riverlog.runtime.folders import SystemRng, log_folders
from riverlog.runtime.listeners import adopt_controller_listener

if TYPE_CHECKING:
    from riverlog.base.config import BrokerConfig


@contextmanager
def _offline(config: BrokerConfig, *, make: bool = True) -> Iterator[tuple[RealDisk, list[str]]]:
    """The folders of a node, made if missing, while nobody else may use them."""
    disk = RealDisk(lambda callback: callback())
    locks: list[FolderLock] = []
    adopt_controller_listener(config)
    paths = log_folders(config)
    try:
        for path in paths:
            if make and not os.path.isdir(path):
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


class _Clock:
    """Of a node that does not run: nothing is waited for."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        return time.monotonic()

    def call_later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        raise AssertionError("there is no loop")


def recover_node(config: BrokerConfig, *, confirmed: Callable[[Survivor], bool]) -> Survivor | None:
    """Make a voter the only one of its quorum, if what ``confirmed`` is told may be; None if not.

    ``MetadataError`` if it cannot be, ``FolderLocked`` if the node runs.
    """
    with _offline(config, make=False) as (disk, paths):
        if not confirmed(find_survivor(disk, paths, config)):
            return None
        return make_sole_voter(disk, paths, config, _Clock())


def format_cluster(configs: Sequence[BrokerConfig], *, cluster_id: str | None = None) -> str:
    """Format the folders of all voters of a new cluster (RULES: forming a quorum 1)."""
    voters = VoterSet.of([prepare_node(config) for config in configs])
    for config in configs:
        cluster_id = format_node(config, voters, cluster_id=cluster_id)
    assert cluster_id is not None
    return cluster_id
