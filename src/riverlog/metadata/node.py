"""One node's metadata: opens its folder, follows the quorum, decides when it is the active controller.

A decision is appended and replayed at once into ``state``, so that the next one sees it. When its
records are committed they are replayed into ``image``, listeners are told, and only then the reply leaves
(RULES: coordinators and controller). When leadership is lost ``state`` is dropped and who waits is told.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from riverlog.base import broker_configs
from riverlog.base.config import BrokerConfig
from riverlog.base.listeners import Endpoint
from riverlog.client.peer import Peers
from riverlog.env import Clock, Disk, Rng, StorageError, Timer
from riverlog.metadata.active import ActiveController
from riverlog.metadata.controller import ControllerSettings, Decision
from riverlog.metadata.errors import MetadataError
from riverlog.metadata.forming import cluster_id_of, first_features
from riverlog.metadata.gathering import Gathering, answer_formed, is_forming
from riverlog.metadata.heartbeats import BrokerHeartbeats
from riverlog.metadata.identity import Identity
from riverlog.metadata.image import ClusterState, ReplayError
from riverlog.metadata.image_records import image_records
from riverlog.metadata.membership import BROKER_ROLE, CONTROLLER_ROLE
from riverlog.metadata.min_isr_changes import first_min_isr
from riverlog.metadata.opening import Opened, formatted, open_folders, voter_of
from riverlog.metadata.records import (
    KRAFT_VERSION_FEATURE,
    METADATA_VERSION_FEATURE,
    MetadataRecord,
    UnknownRecord,
    decode_record,
    encode_record,
)
from riverlog.metadata.replayer import Replayer
from riverlog.metadata.sole_start import start_records
from riverlog.protocol.errors import DecodeError
from riverlog.protocol.generated.abort_transaction_record import AbortTransactionRecord
from riverlog.protocol.generated.feature_level_record import FeatureLevelRecord
from riverlog.protocol.generated.kraft_version_record import KRaftVersionRecord
from riverlog.protocol.generated.update_raft_voter_request import UpdateRaftVoterRequest
from riverlog.protocol.generated.update_raft_voter_response import UpdateRaftVoterResponse
from riverlog.protocol.generated.voters_record import VotersRecord
from riverlog.raft.node import RaftNode
from riverlog.raft.snapshots import Snapshot, SnapshotId
from riverlog.raft.standing import LOST_LEADER_MS_MIN
from riverlog.raft.types import CommittedBatch, NotLeading, RaftSettings
from riverlog.raft.voter_set import VoterSet

__all__ = ["MetadataError", "MetadataNode"]

logger = logging.getLogger("riverlog.metadata")

REPLAY_BYTES_MIN = 2 << 20
REPLAY_FACTOR = 4
"""A snapshot is due when the log is longer than so many snapshots, and than the minimum."""

R = TypeVar("R")
Listener = Callable[[Sequence[MetadataRecord]], None]


def _ignore_failure(error: StorageError) -> None:
    logger.error("the metadata log failed: %s", error)


@dataclass(slots=True)
class _Pending:
    """A decision whose reply waits."""

    base_offset: int
    end_offset: int
    """It leaves when everything below this is committed."""
    records: Sequence[MetadataRecord]
    reply: Callable[[], None]
    lost: Callable[[], None] | None


class MetadataNode:
    """Made by ``open``; ``close`` after. A ``RaftListener``."""

    raft: RaftNode
    """The quorum as this node sees it."""

    def __init__(
        self,
        *,
        disk: Disk,
        clock: Clock,
        rng: Rng,
        config: BrokerConfig,
        peers: Peers | None,
        identity: Identity,
        on_failure: Callable[[StorageError], None],
        replay_bytes_min: int,
    ) -> None:
        assert identity.directory_id is not None
        self.node_id = identity.node_id
        self.roles = identity.roles
        self.cluster_id = ""
        """Empty until the quorum is formed."""
        self.directory_id = identity.directory_id
        """Of the folder that holds the metadata log."""
        self.directory_ids = {path: found for path, found in identity.directory_ids.items() if found}
        """Directory id of each log folder."""
        self.settings = ControllerSettings(identity.node_id, config, rng)
        self.is_active = False
        """The active controller: leads, and everything before its epoch is committed and replayed."""
        self.committed_offset = 0
        """Offset after the last committed record that ``image`` has."""
        self.on_activity: list[Callable[[bool], None]] = []
        """Told when ``is_active`` changes."""
        self.closed = False
        self._failure: StorageError | None = None
        self._disk = disk
        self._clock = clock
        self._peers = peers
        self._gathering: Gathering | None = None
        self._replayer = Replayer(ClusterState())
        self._state: ClusterState | None = None
        self._bootstrap: Sequence[MetadataRecord] | None = None
        """Records for the first start of a controller; None if there was one."""
        self._listeners: list[Listener] = []
        self._resets: list[Callable[[], None]] = []
        self._pending: deque[_Pending] = deque()
        self._on_failure = on_failure
        self._replay_bytes_min = replay_bytes_min
        self._snapshot_timer: Timer | None = None
        self._leaderless_since = clock.monotonic()
        """When the last leader was given up. Its connection was reset a little before."""
        self._active = ActiveController(self, clock)
        self.heartbeats = BrokerHeartbeats(
            clock,
            session_timeout_seconds=config[broker_configs.BROKER_SESSION_TIMEOUT_MS] / 1000,
            brokers=lambda: self.state.brokers,
            fence=self._active.fence,
        )

    @classmethod
    def open(
        cls,
        *,
        disk: Disk,
        log_dirs: Sequence[str],
        clock: Clock,
        rng: Rng,
        config: BrokerConfig,
        peers: Peers | None = None,
        on_failure: Callable[[StorageError], None] = _ignore_failure,
        replay_bytes_min: int = REPLAY_BYTES_MIN,
    ) -> MetadataNode:
        """Open or form the metadata of this node. A sole voter leads when this returns. Waits for the disk.

        Raises ``MetadataError``, before anything is written, if the folders cannot be worked with;
        ``StorageError`` if the disk fails. Without ``peers`` only a sole voter opens.
        """
        opened = open_folders(
            disk=disk, log_dirs=log_dirs, clock=clock, rng=rng, config=config, reachable=peers is not None
        )
        node = cls(
            disk=disk,
            clock=clock,
            rng=rng,
            config=config,
            peers=peers,
            identity=opened.identity,
            on_failure=on_failure,
            replay_bytes_min=replay_bytes_min,
        )
        if opened.membership.gathering:
            node._gather(opened)
        else:
            node._begin(opened)
        return node

    def _gather(self, opened: Opened) -> None:
        """RULES: forming a quorum 2: nothing is done in the quorum before there is one."""
        assert self._peers is not None
        self.raft = self._raft(opened, 0)
        self.raft.stopped = True
        config = self.settings.config
        own, listed = voter_of(opened, config)
        ours = {own.address(), *((one.host, one.port) for one in opened.endpoints)}

        def formed(cluster_id: str, voters: VoterSet | None) -> None:
            now_ms = self._clock.now_ms()
            try:
                found = formatted(
                    opened, self._disk, config, now_ms=now_ms, cluster_id=cluster_id, voters=voters
                )
                self._gathering = None
                self._begin(found)
            except (MetadataError, StorageError) as error:
                self.failed(StorageError(opened.log.folder, str(error)))
                return
            for reset in self._resets:
                reset()

        self._gathering = Gathering(
            clock=self._clock,
            peers=self._peers,
            own=own,
            listed=listed,
            addresses=[one for one in opened.membership.addresses if one not in ours],
            formed=lambda voters: formed(cluster_id_of(voters), voters),
            found=lambda cluster_id: formed(cluster_id, None),
        )
        self._gathering.start()

    def _begin(self, opened: Opened) -> None:
        """Take part in the quorum."""
        loaded = opened.loaded
        assert opened.identity.cluster_id is not None
        self.cluster_id = opened.identity.cluster_id
        snapshot_end = loaded.snapshot.end_offset if loaded.snapshot else 0
        if opened.membership.is_sole:
            # All of its log is committed: it has been replayed once, which is enough.
            self._replayer, self.committed_offset = loaded.replayer, opened.log.log_end_offset
            has_first = loaded.has_records
        else:
            self._replayer, self.committed_offset = Replayer(loaded.snapshot_state), snapshot_end
            has_first = snapshot_end > 0
        self._bootstrap = None if has_first else opened.bootstrap
        self.raft = self._raft(opened, self.committed_offset)
        self.raft.start()

    def _raft(self, opened: Opened, applied_offset: int) -> RaftNode:
        config = self.settings.config
        return RaftNode(
            disk=self._disk,
            clock=self._clock,
            rng=self.settings.rng,
            peers=self._peers,
            log=opened.log,
            folder=opened.log.folder,
            node_id=self.node_id,
            directory_id=self.directory_id,
            cluster_id=self.cluster_id,
            settings=RaftSettings.from_config(config),
            voters=opened.voters,
            quorum_state=opened.loaded.quorum_state,
            snapshot_id=opened.loaded.snapshot,
            kraft_version=opened.loaded.kraft_version,
            is_voter_capable=CONTROLLER_ROLE in self.roles,
            listener=self,
            bootstrap=opened.membership.addresses,
            endpoints=opened.endpoints,
            applied_offset=applied_offset,
        )

    def handle_update_voter(
        self,
        request: UpdateRaftVoterRequest,
        reply: Callable[[UpdateRaftVoterResponse], None],
        *,
        version: int,
        listener: str | None = None,
    ) -> None:
        """UpdateRaftVoter; nodes that are not formatted introduce themselves with it."""
        if not is_forming(request):
            self.raft.handle_update_voter(request, reply, version=version, listener=listener)
        elif self._gathering is not None:
            self._gathering.handle(request, reply)
        elif not self._stopped():
            answer_formed(request, reply, voters=self.raft.voters, peers=self._peers)

    # -- reading -------------------------------------------------------------------------

    @property
    def image(self) -> ClusterState:
        """The published one: with everything committed."""
        return self._replayer.state

    @property
    def state(self) -> ClusterState:
        """The active controller's: with everything appended. On other nodes the published one."""
        return self.image if self._state is None else self._state

    @property
    def is_sole(self) -> bool:
        """The only voter and the only broker: a node that needs nobody."""
        return (
            BROKER_ROLE in self.roles
            and self.raft.voters.is_sole(self.node_id, self.directory_id)
            and all(broker_id == self.node_id for broker_id in self.state.brokers)
        )

    @property
    def controller_id(self) -> int | None:
        """The quorum's leader, as far as it is known."""
        return self.raft.leader_id

    def controller_address(self) -> tuple[str, int] | None:
        """Its controller listener."""
        return self.raft.leader_address()

    @property
    def leader_epoch(self) -> int:
        """Raft's epoch; new at every start of a sole voter."""
        return self.raft.epoch

    @property
    def kraft_version(self) -> int:
        return self.raft.kraft_version

    @property
    def voters(self) -> VotersRecord | None:
        """None with ``kraft.version`` 0."""
        return self.raft.voters.to_record() if self.kraft_version > 0 else None

    @property
    def broker_epoch(self) -> int:
        """Of this node's registration; -1 if there is none."""
        broker = self.state.brokers.get(self.node_id)
        return broker.broker_epoch if broker is not None else -1

    # -- deciding ------------------------------------------------------------------------

    def decide(
        self,
        decide: Callable[[ClusterState], Decision[R]],
        reply: Callable[[R], None],
        lost: Callable[[], None] | None = None,
    ) -> None:
        """Decide on the controller's state; ``reply`` once all that the decision could see is committed.

        With nothing to append and nothing pending that is at once. ``lost``: this node is not the active
        controller, or no longer, and what becomes of the decision is not known. After a failure of the
        metadata log there is neither any more: the node stops.
        """
        if self._stopped():
            return
        state = self._state
        if state is None:
            if lost is not None:
                lost()
            return
        decision = decide(state)
        records = decision.records
        base_offset = self.raft.log.log_end_offset
        end_offset = self._pending[-1].end_offset if self._pending else base_offset
        if records:
            version = state.metadata_version
            try:
                end_offset = self.raft.append([encode_record(record, version) for record in records])
            except NotLeading:
                if lost is not None and not self._stopped():
                    lost()
                return
            for record in records:
                state.replay(record)
        elif not self._pending:
            reply(decision.response)
            return
        response = decision.response
        self._pending.append(_Pending(base_offset, end_offset, records, lambda: reply(response), lost))

    def _stopped(self) -> bool:
        return self.closed or self._failure is not None

    def subscribe(self, listener: Listener, *, reset: Callable[[], None] | None = None) -> None:
        """``listener`` gets committed records, in order, when ``image`` has them and before replies leave.

        ``reset``: ``image`` was replaced as a whole by a snapshot of the leader.
        """
        self._listeners.append(listener)
        if reset is not None:
            self._resets.append(reset)

    # -- what the quorum says ------------------------------------------------------------

    def committed(self, batches: Sequence[CommittedBatch]) -> None:
        published: list[MetadataRecord] = []
        replies: list[Callable[[], None]] = []
        try:
            for batch in batches:
                published += self._apply(batch, replies)
        except (UnknownRecord, DecodeError, ReplayError, MetadataError) as error:
            self.failed(StorageError(self.raft.log.folder, f"cannot be followed any further: {error}"))
            return
        self._sync_kraft_version()
        if published:
            for listener in self._listeners:
                listener(published)
        for reply in replies:
            reply()
        self._consider_snapshot()

    def _apply(self, batch: CommittedBatch, replies: list[Callable[[], None]]) -> list[MetadataRecord]:
        """Replay a batch into the image; replies that may leave with it are added."""
        pending = self._pending
        records: Sequence[MetadataRecord] | None = None
        while pending and pending[0].end_offset <= batch.end_offset:
            first = pending.popleft()
            if first.records:
                assert records is None and first.base_offset == batch.base_offset, (first, batch.base_offset)
                records = first.records
            replies.append(first.reply)
        if records is None:
            records = [decode_record(value) for value in batch.values]
        self._bootstrap = None
        counted: list[MetadataRecord] = []
        for record in records:
            counted += self._replayer.apply(record)
        self.committed_offset = batch.end_offset
        return counted

    def _sync_kraft_version(self) -> None:
        """It has a control record of its own, which only Raft sees."""
        if self.raft.kraft_version:
            self.image.features[KRAFT_VERSION_FEATURE] = self.raft.kraft_version

    def load_snapshot(self, snapshot_id: SnapshotId, snapshot: Snapshot) -> None:
        assert self._state is None, "a leader is not sent snapshots"
        replayer = Replayer(ClusterState())
        try:
            for value in snapshot.values:
                replayer.apply(decode_record(value))
        except (UnknownRecord, DecodeError, ReplayError, MetadataError) as error:
            self.failed(StorageError(self.raft.log.folder, f"{snapshot_id.file_name}: {error}"))
            return
        # What is cached under the old one's number is stale.
        replayer.state.generation += self.image.generation
        self._replayer = replayer
        self._bootstrap = None
        for message in snapshot.control:
            if isinstance(message, KRaftVersionRecord):
                self.image.features[KRAFT_VERSION_FEATURE] = message.kraft_version
        self.committed_offset = snapshot_id.end_offset
        for reset in self._resets:
            reset()

    def leader_changed(self, leader_id: int | None, epoch: int) -> None:
        if leader_id is None:
            self._leaderless_since = self._clock.monotonic()
        logger.info("the leader of the metadata quorum is %s in epoch %d", leader_id, epoch)

    def leading(self, epoch: int) -> None:
        self._sync_kraft_version()
        self.committed_offset = max(self.committed_offset, self.raft.applied_offset)
        self._state = self.image.copy()
        self.is_active = True
        self.heartbeats.exempt = self.node_id if self.is_sole else None
        self.heartbeats.begin()
        if self.raft.lost_leader_id is not None:
            seconds = self._clock.monotonic() - self._leaderless_since
            self.heartbeats.leader_lost(self.raft.lost_leader_id, seconds + LOST_LEADER_MS_MIN / 1000)
        self._active.begin()
        if self._replayer.open_transaction is not None:
            reason = "the controller that began it is gone"
            self._append([AbortTransactionRecord(reason=reason)])
        if self._bootstrap is not None:
            self._append(_first_records(self._bootstrap, self.settings.config))
        for told in list(self.on_activity):
            told(True)

    def _append(self, records: list[MetadataRecord]) -> None:
        self.decide(lambda _: Decision(None, records), lambda _: None)

    def resigned(self) -> None:
        if not self.is_active:
            return
        self.is_active = False
        self._state = None
        self._active.end()
        self.heartbeats.end()
        pending = list(self._pending)
        self._pending.clear()
        for told in list(self.on_activity):
            told(False)
        for one in pending:
            if one.lost is not None:
                one.lost()

    def failed(self, error: StorageError) -> None:
        """Without its metadata log a node decides nothing any more."""
        if self._failure is None and not self.closed:
            self._failure = error
            self._pending.clear()
            self._active.end()
            self.heartbeats.end()
            if self._gathering is not None:
                self._gathering.stop()
            self._on_failure(error)

    # -- this node as a broker -----------------------------------------------------------

    def start(self, endpoints: Sequence[Endpoint], *, clean: bool, done: Callable[[], None]) -> None:
        """Of a sole node: register it as a broker and let it lead; ``done`` when that is committed."""
        assert self.is_sole

        def decide(state: ClusterState) -> Decision[None]:
            records = start_records(
                state,
                self.settings,
                offset=self.raft.log.log_end_offset,
                endpoints=endpoints,
                log_dirs=list(self.directory_ids.values()),
                clean=clean,
            )
            return Decision(None, records)

        self.decide(decide, lambda _: done())

    # -- snapshots -----------------------------------------------------------------------

    def _consider_snapshot(self) -> None:
        config = self.settings.config
        raft = self.raft
        # Earlier than asked where the log has outgrown the snapshot: the next start has to replay it.
        limit = min(
            config[broker_configs.METADATA_LOG_MAX_RECORD_BYTES_BETWEEN_SNAPSHOTS],
            max(self._replay_bytes_min, REPLAY_FACTOR * raft.snapshot_bytes),
        )
        if raft.bytes_since_snapshot >= limit:
            self.write_snapshot()
        elif self._snapshot_timer is None:
            interval_ms = config[broker_configs.METADATA_LOG_MAX_SNAPSHOT_INTERVAL_MS]
            if interval_ms > 0:
                self._snapshot_timer = self._clock.call_later(interval_ms / 1000, self.write_snapshot)

    def write_snapshot(self) -> None:
        """Start a snapshot of what is committed, unless one is under way or there is nothing new.

        Every node writes its own.
        """
        if self._snapshot_timer is not None:
            self._snapshot_timer.cancel()
            self._snapshot_timer = None
        newest = self.raft.snapshot_id
        if (
            self._stopped()
            or self._replayer.open_transaction is not None
            or (newest is not None and newest.end_offset >= self.committed_offset)
        ):
            return
        values = _snapshot_values(self.image.copy())
        self.raft.write_snapshot(values, self.raft.applied_offset, self.raft.applied_epoch)

    def close(self) -> None:
        """Make everything durable and let go. Replies of a sole node that wait leave now."""
        if self.closed:
            return
        if self._snapshot_timer is not None:
            self._snapshot_timer.cancel()
        self._active.end()
        self.heartbeats.end()
        if self._gathering is not None:
            self._gathering.stop()
            self.raft.log.close()
        self.raft.close()
        self.closed = True


def _first_records(records: Sequence[MetadataRecord], config: BrokerConfig) -> list[MetadataRecord]:
    """The first records of a new log, ours or one that Kafka formatted and never started.

    The feature levels are in our first snapshot too, but Kafka looks for them in the log.
    """
    if any(
        isinstance(record, FeatureLevelRecord) and record.name == METADATA_VERSION_FEATURE
        for record in records
    ):
        return list(records)
    return [*first_features(), *first_min_isr(config), *records]


def _snapshot_values(image: ClusterState) -> Iterator[bytes]:
    """Lazily: a snapshot is written in slices of the loop."""
    version = image.metadata_version
    return (encode_record(record, version) for record in image_records(image))
