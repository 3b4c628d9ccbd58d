"""One node's metadata: opens its folder, decides, commits, publishes.

A decision is appended and replayed at once into ``state``, so that the next one sees it. When its
records are durable they are replayed into ``image``, listeners are told, and only then the reply leaves
(RULES: coordinators and controller).
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar

from riverlog.base import broker_configs, broker_configs_log
from riverlog.base.config import BrokerConfig
from riverlog.base.listeners import Endpoint
from riverlog.env import Clock, Disk, Rng, StorageError, Timer
from riverlog.metadata.brokers import register_broker, unfencing
from riverlog.metadata.controller import ControllerSettings, Decision, random_uuid
from riverlog.metadata.errors import MetadataError
from riverlog.metadata.forming import (
    begin_leading,
    controller_endpoints,
    current_voters,
    first_features,
    form,
    open_log,
    voters_control,
)
from riverlog.metadata.identity import Identity, check_voters, formed, identify, settle
from riverlog.metadata.image import ClusterState
from riverlog.metadata.loader import METADATA_FOLDER, Loaded, load, read_bootstrap
from riverlog.metadata.partitions import bump_leader_epochs, elect_leaderless
from riverlog.metadata.quorum import QuorumLog
from riverlog.metadata.records import METADATA_VERSION_FEATURE, MetadataRecord
from riverlog.protocol.generated.abort_transaction_record import AbortTransactionRecord
from riverlog.protocol.generated.feature_level_record import FeatureLevelRecord
from riverlog.protocol.generated.voters_record import VotersRecord
from riverlog.raft.snapshots import remove_partial_snapshots

__all__ = ["MetadataError", "MetadataNode"]

logger = logging.getLogger("riverlog.metadata")

REPLAY_BYTES_MIN = 2 << 20
REPLAY_FACTOR = 4
"""A snapshot is due when the log is longer than so many snapshots, and than the minimum."""

R = TypeVar("R")
Listener = Callable[[Sequence[MetadataRecord]], None]


def _ignore_failure(error: StorageError) -> None:
    logger.error("the metadata log failed: %s", error)


class MetadataNode:
    """Made by ``open``; ``start`` before serving, ``close`` after."""

    def __init__(
        self,
        *,
        clock: Clock,
        rng: Rng,
        config: BrokerConfig,
        identity: Identity,
        loaded: Loaded,
        quorum: QuorumLog,
        voters: VotersRecord | None,
        on_failure: Callable[[StorageError], None],
        replay_bytes_min: int,
    ) -> None:
        assert identity.cluster_id is not None
        self.node_id = identity.node_id
        self.cluster_id = identity.cluster_id
        self.directory_ids = {path: found for path, found in identity.directory_ids.items() if found}
        """Directory id of each log folder."""
        self.kraft_version = loaded.kraft_version
        self.voters = voters
        self.settings = ControllerSettings(identity.node_id, config, rng)
        self.state = loaded.state
        """The controller's: with everything appended."""
        self.image = loaded.state.copy()
        """The published one: with everything committed."""
        self.committed_offset = quorum.end_offset
        """Offset after the last committed record."""
        self.quorum = quorum
        quorum.on_committed = self._committed
        quorum.on_failure = self._failed
        self.closed = False
        self._clock = clock
        self._listeners: list[Listener] = []
        self._pending: deque[tuple[int, Sequence[MetadataRecord], Callable[[], None]]] = deque()
        self._on_failure = on_failure
        self._replay_bytes_min = replay_bytes_min
        self._snapshot_timer: Timer | None = None
        self._open_transaction = loaded.open_transaction is not None

    # -- opening -------------------------------------------------------------------------

    @classmethod
    def open(
        cls,
        *,
        disk: Disk,
        log_dirs: Sequence[str],
        clock: Clock,
        rng: Rng,
        config: BrokerConfig,
        on_failure: Callable[[StorageError], None] = _ignore_failure,
        replay_bytes_min: int = REPLAY_BYTES_MIN,
    ) -> MetadataNode:
        """Open or form the metadata of this node and begin a new leader epoch. Waits for the disk.

        Raises ``MetadataError``, before anything is written, if the folders cannot be worked with;
        ``StorageError`` if the disk fails.
        """
        identity = identify(disk, log_dirs, config)
        loaded = load(disk, identity.metadata_dir)
        bootstrap = read_bootstrap(disk, identity.metadata_dir)
        check_voters(identity, loaded, config, bootstrap=bool(bootstrap))
        endpoints = controller_endpoints(config)
        # From here on we write.
        forming = identity.cluster_id is None
        settle(disk, identity, rng)
        folder = f"{identity.metadata_dir}/{METADATA_FOLDER}"
        disk.make_folder(folder)
        disk.sync_folder(identity.metadata_dir)
        remove_partial_snapshots(disk, folder)
        if forming:
            loaded = form(disk, folder, identity, endpoints, now_ms=clock.now_ms())
        formed(disk, identity)
        log = open_log(disk, folder, config, loaded, now_ms=clock.now_ms())
        voters = current_voters(identity, loaded, endpoints)
        timeout_seconds = config[broker_configs_log.LOG_DIR_FSYNC_TIMEOUT_MS] / 1000
        quorum = QuorumLog(disk, clock, log, epoch=loaded.epoch + 1, fsync_timeout_seconds=timeout_seconds)
        quorum.snapshot_id = loaded.snapshot
        quorum.snapshot_bytes = loaded.snapshot_bytes
        quorum.last_timestamp = loaded.last_timestamp
        quorum.bytes_since_snapshot = loaded.log_bytes
        begin_leading(disk, folder, identity, loaded, quorum, voters)
        node = cls(
            clock=clock,
            rng=rng,
            config=config,
            identity=identity,
            loaded=loaded,
            quorum=quorum,
            voters=voters,
            on_failure=on_failure,
            replay_bytes_min=replay_bytes_min,
        )
        if forming or METADATA_VERSION_FEATURE not in node.state.features:
            node._bootstrap(bootstrap)
        return node

    def _bootstrap(self, records: list[MetadataRecord]) -> None:
        """The first records of a new log, ours or one that Kafka formatted and never started.

        The feature levels are in our first snapshot too, but Kafka looks for them in the log.
        """
        if not any(
            isinstance(record, FeatureLevelRecord) and record.name == METADATA_VERSION_FEATURE
            for record in records
        ):
            records = [*first_features(), *records]
        self.decide(lambda _: Decision(None, records), lambda _: None)

    # -- deciding ------------------------------------------------------------------------

    def decide(self, decide: Callable[[ClusterState], Decision[R]], reply: Callable[[R], None]) -> None:
        """Decide on the controller's state; ``reply`` once all that the decision could see is committed.

        With nothing to append and nothing pending that is at once. After a failure of the metadata log
        there is no reply any more: the node stops.
        """
        if self._stopped():
            return
        decision = decide(self.state)
        records = decision.records
        if records:
            self.quorum.append(records, self.state.metadata_version)
            if self._stopped():
                return
            for record in records:
                self.state.replay(record)
        elif not self._pending:
            reply(decision.response)
            return
        self._pending.append((self.quorum.end_offset, records, lambda: reply(decision.response)))

    def _stopped(self) -> bool:
        return self.closed or self.quorum.failed is not None

    def subscribe(self, listener: Listener) -> None:
        """``listener`` gets committed records, in order, when ``image`` has them and before replies leave."""
        self._listeners.append(listener)

    def _committed(self, offset: int) -> None:
        """Everything below ``offset`` is durable."""
        if offset <= self.committed_offset and not (self._pending and self._pending[0][0] <= offset):
            return
        self.committed_offset = max(offset, self.committed_offset)
        published: list[MetadataRecord] = []
        replies: list[Callable[[], None]] = []
        pending = self._pending
        while pending and pending[0][0] <= offset:
            _, records, reply = pending.popleft()
            for record in records:
                self.image.replay(record)
            published += records
            replies.append(reply)
        if published:
            for listener in self._listeners:
                listener(published)
        for reply in replies:
            reply()
        self._consider_snapshot()

    def _failed(self, error: StorageError) -> None:
        self._pending.clear()
        self._on_failure(error)

    # -- this node as a broker -----------------------------------------------------------

    @property
    def leader_epoch(self) -> int:
        """Raft's epoch, new at every start."""
        return self.quorum.epoch

    @property
    def broker_epoch(self) -> int:
        """Of this node's registration; -1 before ``start``."""
        broker = self.state.brokers.get(self.node_id)
        return broker.broker_epoch if broker is not None else -1

    def start(self, endpoints: Sequence[Endpoint], *, clean: bool, done: Callable[[], None]) -> None:
        """Register this node as a broker and let it lead; ``done`` when that is committed.

        One batch: registration, unfencing, elections of partitions without a leader and, after an unclean
        stop, a new leader epoch for every partition this node leads (RULES: watermark 6).
        """
        self.decide(
            lambda state: Decision(None, self._start_records(state, endpoints, clean)), lambda _: done()
        )

    def _start_records(
        self, state: ClusterState, endpoints: Sequence[Endpoint], clean: bool
    ) -> list[MetadataRecord]:
        records: list[MetadataRecord] = []
        if self._open_transaction:
            records.append(AbortTransactionRecord(reason="not ended before a restart"))
        broker_epoch = self.quorum.end_offset + len(records)
        registration = register_broker(
            broker_id=self.node_id,
            broker_epoch=broker_epoch,
            incarnation_id=random_uuid(self.settings.rng),
            endpoints=endpoints,
            rack=self.settings.config[broker_configs.BROKER_RACK],
            log_dirs=list(self.directory_ids.values()),
        )
        records += [registration, unfencing(self.node_id, broker_epoch)]
        records += elect_leaderless(state, self.node_id)
        if not clean:
            records += bump_leader_epochs(state, self.node_id)
        return records

    # -- snapshots -----------------------------------------------------------------------

    def _consider_snapshot(self) -> None:
        config = self.settings.config
        quorum = self.quorum
        # Earlier than asked where the log has outgrown the snapshot: the next start has to replay it.
        limit = min(
            config[broker_configs.METADATA_LOG_MAX_RECORD_BYTES_BETWEEN_SNAPSHOTS],
            max(self._replay_bytes_min, REPLAY_FACTOR * quorum.snapshot_bytes),
        )
        if quorum.bytes_since_snapshot >= limit:
            self.write_snapshot()
        elif self._snapshot_timer is None:
            interval_ms = config[broker_configs.METADATA_LOG_MAX_SNAPSHOT_INTERVAL_MS]
            if interval_ms > 0:
                self._snapshot_timer = self._clock.call_later(interval_ms / 1000, self.write_snapshot)

    def write_snapshot(self) -> None:
        """Start a snapshot of what is committed, unless one is under way or there is nothing new."""
        if self._snapshot_timer is not None:
            self._snapshot_timer.cancel()
            self._snapshot_timer = None
        newest = self.quorum.snapshot_id
        if self.closed or (newest is not None and newest.end_offset >= self.committed_offset):
            return
        self.quorum.write_snapshot(
            self.image, voters_control(self.kraft_version, self.voters), self.committed_offset
        )

    def close(self) -> None:
        """Make everything durable and let go. Replies that wait leave now."""
        if self.closed:
            return
        if self._snapshot_timer is not None:
            self._snapshot_timer.cancel()
        self.quorum.close()
        self.closed = True
