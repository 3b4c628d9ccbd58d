"""The KRaft state machine of one node. First the shape: what others code against."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from riverlog.base.listeners import Endpoint
from riverlog.env import Clock, Disk, Rng
from riverlog.raft.quorum_state import QuorumState
from riverlog.raft.snapshots import SnapshotId
from riverlog.raft.types import NotLeading, RaftListener, RaftPeers, RaftSettings
from riverlog.raft.voter_set import Address, VoterSet
from riverlog.storage import Log

__all__ = ["NotLeading", "RaftNode"]

Reply = Callable[[Any], None]


class RaftNode:
    """Made over an opened log; ``start`` begins, ``close`` ends."""

    def __init__(
        self,
        *,
        disk: Disk,
        clock: Clock,
        rng: Rng,
        peers: RaftPeers | None,
        log: Log,
        folder: str,
        node_id: int,
        directory_id: bytes,
        cluster_id: str,
        settings: RaftSettings,
        voters: VoterSet,
        quorum_state: QuorumState | None,
        snapshot_id: SnapshotId | None,
        kraft_version: int,
        is_voter_capable: bool,
        listener: RaftListener,
        bootstrap: Sequence[Address] = (),
        endpoints: Sequence[Endpoint] = (),
        applied_offset: int | None = None,
    ) -> None:
        """``voters``: as the snapshot says (the log's own VotersRecords are read here).

        ``endpoints``: this node's controller listeners. ``applied_offset``: the listener has all below it
        already; else it is handed everything after the snapshot.
        """
        raise NotImplementedError

    epoch: int
    leader_id: int | None
    leading: bool
    high_watermark: int
    applied_offset: int
    applied_epoch: int
    log: Log
    voters: VoterSet
    snapshot_id: SnapshotId | None
    snapshot_bytes: int
    bytes_since_snapshot: int

    def start(self) -> None: ...
    def leader_address(self) -> Address | None: ...
    def append(self, values: Sequence[bytes]) -> int:
        raise NotLeading

    def handle_vote(
        self, request: Any, reply: Reply, *, version: int, listener: str | None = None
    ) -> None: ...
    def handle_begin_quorum_epoch(
        self, request: Any, reply: Reply, *, version: int, listener: str | None = None
    ) -> None: ...
    def handle_end_quorum_epoch(
        self, request: Any, reply: Reply, *, version: int, listener: str | None = None
    ) -> None: ...
    def handle_fetch(
        self, request: Any, reply: Reply, *, version: int, listener: str | None = None
    ) -> None: ...
    def handle_fetch_snapshot(
        self, request: Any, reply: Reply, *, version: int, listener: str | None = None
    ) -> None: ...
    def handle_describe_quorum(
        self, request: Any, reply: Reply, *, version: int, listener: str | None = None
    ) -> None: ...
    def handle_add_voter(
        self, request: Any, reply: Reply, *, version: int, listener: str | None = None
    ) -> None: ...
    def handle_remove_voter(
        self, request: Any, reply: Reply, *, version: int, listener: str | None = None
    ) -> None: ...
    def handle_update_voter(
        self, request: Any, reply: Reply, *, version: int, listener: str | None = None
    ) -> None: ...
    def write_snapshot(self, values: Iterator[bytes], end_offset: int, epoch: int) -> None: ...
    def resign(self) -> None: ...
    def close(self) -> None: ...
