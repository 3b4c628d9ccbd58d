"""What goes in and out of a ``RaftNode``: settings, committed batches, its listener, its way to others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from riverlog.base import broker_configs, broker_configs_log
from riverlog.base.config import BrokerConfig
from riverlog.env import StorageError
from riverlog.raft.snapshots import Snapshot, SnapshotId

METADATA_TOPIC = "__cluster_metadata"
METADATA_TOPIC_ID = (1).to_bytes(16, "big")


class NotLeading(Exception):
    """This node does not lead the quorum (any more): nothing was appended."""


@dataclass(slots=True)
class RaftSettings:
    """The ``controller.quorum.*`` settings."""

    election_timeout_ms: int = 1000
    fetch_timeout_ms: int = 2000
    election_backoff_max_ms: int = 1000
    request_timeout_ms: int = 2000
    retry_backoff_ms: int = 20
    fetch_max_wait_ms: int = 500
    fetch_max_bytes: int = 1 << 20
    fetch_snapshot_max_bytes: int = 1 << 20
    auto_join: bool = False
    fsync_timeout_ms: int = 10_000

    @classmethod
    def from_config(cls, config: BrokerConfig) -> RaftSettings:
        return cls(
            election_timeout_ms=config[broker_configs.CONTROLLER_QUORUM_ELECTION_TIMEOUT_MS],
            fetch_timeout_ms=config[broker_configs.CONTROLLER_QUORUM_FETCH_TIMEOUT_MS],
            election_backoff_max_ms=config[broker_configs.CONTROLLER_QUORUM_ELECTION_BACKOFF_MAX_MS],
            request_timeout_ms=config[broker_configs.CONTROLLER_QUORUM_REQUEST_TIMEOUT_MS],
            retry_backoff_ms=config[broker_configs.CONTROLLER_QUORUM_RETRY_BACKOFF_MS],
            fetch_max_bytes=config[broker_configs.CONTROLLER_QUORUM_FETCH_MAX_BYTES],
            fetch_snapshot_max_bytes=config[broker_configs.CONTROLLER_QUORUM_FETCH_SNAPSHOT_MAX_BYTES],
            auto_join=config[broker_configs.CONTROLLER_QUORUM_AUTO_JOIN_ENABLE],
            fsync_timeout_ms=config[broker_configs_log.LOG_DIR_FSYNC_TIMEOUT_MS],
        )


@dataclass(slots=True)
class CommittedBatch:
    """One data batch of the log."""

    base_offset: int
    epoch: int
    timestamp: int
    values: list[bytes]

    @property
    def end_offset(self) -> int:
        return self.base_offset + len(self.values)


class RaftListener(Protocol):
    """What the metadata node is to its quorum. Calls never nest inside ``append``."""

    def committed(self, batches: Sequence[CommittedBatch]) -> None:
        """Each committed data batch once, in order; a bounded number of them per call."""
        ...

    def load_snapshot(self, snapshot_id: SnapshotId, snapshot: Snapshot) -> None:
        """Everything known so far is replaced by this."""
        ...

    def leader_changed(self, leader_id: int | None, epoch: int) -> None: ...

    def leading(self, epoch: int) -> None:
        """We lead, and all up to our epoch's LeaderChange record is committed and was handed over."""
        ...

    def resigned(self) -> None:
        """We led (``leading`` may not have been called yet) and do no more. Before ``leader_changed``."""
        ...

    def failed(self, error: StorageError) -> None:
        """The disk under the log failed: this node takes no further part."""
        ...


class RaftPeer(Protocol):
    """``client.Peer``, as far as it is used here."""

    on_lost: Callable[[Any], None] | None

    def send(
        self,
        api_key: int,
        message: Any,
        done: Callable[[Any | None], None],
        *,
        timeout_seconds: float,
        max_version: int | None = None,
    ) -> None: ...


class RaftPeers(Protocol):
    """``client.Peers``, as far as it is used here."""

    def to(self, host: str, port: int, purpose: str = "") -> RaftPeer: ...
