"""What a node of the quorum knows: epoch, vote, leader, log, and how far all is committed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from riverlog.base.listeners import Endpoint
from riverlog.env import Clock, Disk, Rng, StorageError, Timer
from riverlog.raft.committed import CommittedReader
from riverlog.raft.elections import Ballot, Round
from riverlog.raft.fetching import Fetcher
from riverlog.raft.leadership import Leadership
from riverlog.raft.quorum_log import QuorumLog
from riverlog.raft.quorum_state import NO_NODE, QuorumState, write_quorum_state
from riverlog.raft.roles import Role
from riverlog.raft.snapshots import SnapshotId
from riverlog.raft.snapshotting import Snapshots
from riverlog.raft.types import RaftListener, RaftPeers, RaftSettings
from riverlog.raft.voter_changes import VoterChanges
from riverlog.raft.voter_set import Address, ReplicaKey, VoterSet
from riverlog.storage import Log

if TYPE_CHECKING:
    from riverlog.raft.node import RaftNode

logger = logging.getLogger("riverlog.raft")


class RaftCore:
    """Everything but changing roles and answering requests."""

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
        self.disk = disk
        self.clock = clock
        self.folder = folder
        self.key = ReplicaKey(node_id, directory_id)
        self.cluster_id = cluster_id
        self.settings = settings
        self.bootstrap = list(bootstrap)
        self.endpoints = tuple(endpoints)
        self.is_voter_capable = is_voter_capable
        self.listener = listener
        self.log = log
        self.stopped = False
        """Closed, or the disk failed: nothing is said or done any more."""
        self.voted: ReplicaKey | None = None
        self._rng = rng
        self._peers = peers
        self._starting = True
        self._closed = False
        self._failure: StorageError | None = None
        self.store = QuorumLog(
            disk,
            clock,
            log,
            snapshot_id=snapshot_id,
            voters=voters,
            kraft_version=kraft_version,
            fsync_timeout_seconds=settings.fsync_timeout_ms / 1000,
            on_durable=self._durable,
            on_failure=self._failed,
        )
        self._snapshots = Snapshots(disk, clock, self.store)
        self.epoch = max(self.store.last_epoch, snapshot_id.epoch if snapshot_id is not None else 0)
        self._ended: tuple[int, int] | None = None
        """A leader and an epoch that it resigned from: nobody leads in that epoch any more."""
        self._recall(quorum_state)
        self._told: tuple[int | None, int] = (None, self.epoch)
        """Leader and epoch as the listener knows them."""
        committed = snapshot_id.end_offset if snapshot_id is not None else 0
        self.high_watermark = committed
        log.high_watermark = max(log.log_start_offset, committed)
        applied = committed if applied_offset is None else applied_offset
        self.reader = CommittedReader(
            clock,
            self.store,
            offset=applied,
            epoch=self.store.epoch_before(applied),
            deliver=listener.committed,
            caught_up=self._caught_up,
        )
        self._stand_idle()

    def _stand_idle(self) -> None:
        """What belongs to roles, none of which is taken yet."""
        self.role = Role.UNATTACHED
        self.leader_id: int | None = None
        self.leader_at: Address | None = None
        self.lost_leader_id: int | None = None
        """A leader whose connection was reset and then refused (RULES: early fencing 2)."""
        node = cast("RaftNode", self)
        self._ballot = Ballot(node)
        self._round: Round | None = None
        self._failed_rounds = 0
        self._fetcher = Fetcher(node)
        self.leadership: Leadership | None = None
        self._changes = VoterChanges(node)
        self._timer: Timer | None = None
        self._fetch_deadline = 0.0
        self._heard = False
        self._leader_reset = False
        self._leader_gone = False

    def _recall(self, state: QuorumState | None) -> None:
        """What this voter said in its last life."""
        if state is None or state.leader_epoch < self.epoch:
            return
        self.epoch = state.leader_epoch
        if state.leader_id == self.key.node_id:
            # RULES: watermark 6. It led, so it had voted for itself; it does not lead on.
            self.voted = self.key
            self._ended = (self.key.node_id, self.epoch)
        elif state.voted_id != NO_NODE:
            self.voted = ReplicaKey(state.voted_id, state.voted_directory_id)

    # -- what it is ----------------------------------------------------------------------

    @property
    def leading(self) -> bool:
        return self.role is Role.LEADER

    @property
    def voters(self) -> VoterSet:
        return self.store.voters_at.voters

    @property
    def kraft_version(self) -> int:
        return self.store.voters_at.kraft_version

    @property
    def is_voter(self) -> bool:
        return self.is_voter_capable and self.voters.holds(*self.key)

    @property
    def may_stand(self) -> bool:
        """Whether it may ask for votes: a voter, also one whose removal is not known to be committed.

        Such a one may be the only one with the newest log, and without it nobody could lead.
        """
        if not self.is_voter_capable:
            return False
        return any(one.holds(*self.key) for one in self.store.voters_since(self.high_watermark))

    @property
    def applied_offset(self) -> int:
        """Everything below was handed to the listener."""
        return self.reader.offset

    @property
    def applied_epoch(self) -> int:
        return self.reader.epoch

    @property
    def snapshot_id(self) -> SnapshotId | None:
        return self.store.snapshot_id

    @property
    def bytes_since_snapshot(self) -> int:
        return self.store.bytes_since_snapshot

    @property
    def snapshot_bytes(self) -> int:
        """Size of the newest snapshot."""
        return self._snapshots.newest_bytes

    @property
    def snapshot_count(self) -> int:
        """Snapshots written by this process."""
        return self._snapshots.count

    @property
    def snapshot_running(self) -> bool:
        return self._snapshots.is_running

    @property
    def would_vote(self) -> bool:
        """Whether a pre-vote is due: no leader that we hear (KIP-996)."""
        if self.role is Role.FOLLOWER:
            return self._leader_gone or not self._heard
        return self.role is not Role.LEADER

    def leader_address(self, listener: str | None = None) -> Address | None:
        if self.leader_id is None:
            return None
        if self.leader_id == self.key.node_id:
            for endpoint in self.endpoints:
                if listener is None or endpoint.listener == listener:
                    return endpoint.host, endpoint.port
            return (self.endpoints[0].host, self.endpoints[0].port) if self.endpoints else None
        return self.leader_at or self.voters.address(self.leader_id, listener)

    def is_our_cluster(self, cluster_id: str | None) -> bool:
        """RULES: forming 4."""
        return cluster_id is None or cluster_id == self.cluster_id

    # -- time and chance -----------------------------------------------------------------

    def _random_ms(self, low: int, high: int) -> int:
        return self._rng.random_int(low, max(low, high))

    def _arm(self, milliseconds: int, callback: Callable[[], None]) -> None:
        """The one timer of the role."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.clock.call_later(milliseconds / 1000, callback)

    # -- disk and network ----------------------------------------------------------------

    def _remember(self, leader_id: int | None) -> bool:
        """Epoch, vote and leader on disk, waiting for it; False if the disk failed."""
        voted = self.voted if leader_id != self.key.node_id else None
        state = QuorumState(
            leader_id=NO_NODE if leader_id is None else leader_id,
            leader_epoch=self.epoch,
            voted_id=voted.node_id if voted is not None else NO_NODE,
            voters=tuple(self.voters.ids),
        )
        if voted is not None:
            state.voted_directory_id = voted.directory_id
        try:
            write_quorum_state(self.disk, self.folder, state, kraft_version=self.kraft_version)
        except StorageError as error:
            self.store.fail(error)
        return not self.store.has_failed()

    def send(
        self,
        address: Address,
        purpose: str,
        api_key: int,
        message: Any,
        done: Callable[[Any | None], None],
    ) -> None:
        assert self._peers is not None, "a quorum of several voters needs a network"

        def answered(response: Any | None) -> None:
            if not self.stopped:
                done(response)

        self._peers.to(*address, purpose).send(
            api_key, message, answered, timeout_seconds=self.settings.request_timeout_ms / 1000
        )

    def _stop(self) -> None:
        self.stopped = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._round is not None:
            self._round.close()
            self._round = None
        self._snapshots.cancel()
        self._fetcher.reset()
        self._changes.close()
        self.reader.cancel()
        if self.leadership is not None:
            self.leadership.close()

    def _failed(self, error: StorageError) -> None:
        if self._failure is not None:
            return
        self._failure = error
        if self._starting:
            self.stopped = True  # ``start`` raises it
            return
        self._stop()
        self.listener.failed(error)

    def contradicted(self, why: str) -> None:
        """The leader and what is committed here exclude each other: stop before harm is done."""
        logger.error("%s: %s", self.folder, why)
        self.store.fail(StorageError(self.folder, why))

    # -- committing ----------------------------------------------------------------------

    def _durable(self) -> None:
        if self.stopped:
            return
        if self.leadership is not None:
            self.leadership.advance()
        else:
            self._fetcher.wake()

    def advance_high_watermark(self, offset: int) -> None:
        if offset <= self.high_watermark or self.stopped:
            return
        self.high_watermark = self.log.high_watermark = offset
        self._changes.committed()
        self.reader.advance(offset)

    def _caught_up(self) -> None:
        """The listener has everything that is committed."""
        leadership = self.leadership
        if leadership is None or leadership.announced or self.reader.offset <= leadership.start_offset:
            return
        leadership.announced = True
        self.listener.leading(self.epoch)
        self._changes.update_ours()

    def caught_up_with(self, leader_high_watermark: int) -> None:
        """An answer of the leader was taken: are we an observer that should vote?"""
        if self.store.end_offset >= leader_high_watermark:
            self._changes.consider_joining()
