"""The KRaft state machine of one node: its role, its epoch, its vote, and what is committed.

Voters elect a leader (``elections.py``), the leader serves Fetch and commits (``leadership.py``), all
others follow (``fetching.py``). ``quorum-state`` is durable before anything is said in an epoch.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from riverlog.base.listeners import Endpoint
from riverlog.env import Clock, Disk, Rng, StorageError, Timer
from riverlog.protocol.generated import end_quorum_epoch_request
from riverlog.raft import messages
from riverlog.raft.committed import CommittedReader
from riverlog.raft.describing import describe_quorum
from riverlog.raft.elections import BACKOFF_BASE_MS, CONTROL_PURPOSE, Ballot, Round
from riverlog.raft.fetching import FETCH_PURPOSE, Fetcher
from riverlog.raft.leadership import Leadership
from riverlog.raft.quorum_log import QuorumLog
from riverlog.raft.quorum_state import NO_NODE, QuorumState, write_quorum_state
from riverlog.raft.roles import Role
from riverlog.raft.serving import handle_fetch, handle_fetch_snapshot
from riverlog.raft.snapshots import Snapshot, SnapshotId
from riverlog.raft.snapshotting import Snapshots
from riverlog.raft.types import NotLeading, RaftListener, RaftPeers, RaftSettings
from riverlog.raft.voter_changes import VoterChanges
from riverlog.raft.voter_set import Address, ReplicaKey, VoterSet, voter_endpoints
from riverlog.storage import Log

__all__ = ["NotLeading", "RaftNode"]

logger = logging.getLogger("riverlog.raft")

Reply = Callable[[Any], None]

LOST_LEADER_MS_MIN = 100
LOST_LEADER_MS_MAX = 300
"""RULES: early fencing 5."""


class RaftNode:
    """Made over an opened log; ``start`` begins, ``close`` ends. All calls come from one loop."""

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
        self.role = Role.UNATTACHED
        self.leader_id: int | None = None
        self.leader_at: Address | None = None
        self.voted: ReplicaKey | None = None
        self.lost_leader_id: int | None = None
        """A leader whose connection was reset and then refused (RULES: early fencing 2)."""
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
        snapshot_end = snapshot_id.end_offset if snapshot_id is not None else 0
        self._snapshots = Snapshots(disk, clock, self.store)
        self.epoch = max(self.store.last_epoch, snapshot_id.epoch if snapshot_id is not None else 0)
        self._ended: tuple[int, int] | None = None
        """A leader and an epoch that it resigned from: nobody leads in that epoch any more."""
        if quorum_state is not None and quorum_state.leader_epoch >= self.epoch:
            self.epoch = quorum_state.leader_epoch
            if quorum_state.leader_id == node_id:
                # RULES: watermark 6. It led, so it had voted for itself; it does not lead on.
                self.voted = self.key
                self._ended = (node_id, self.epoch)
            elif quorum_state.voted_id != NO_NODE:
                self.voted = ReplicaKey(quorum_state.voted_id, quorum_state.voted_directory_id)
        self._told: tuple[int | None, int] = (None, self.epoch)
        """Leader and epoch as the listener knows them."""
        self.high_watermark = snapshot_end
        log.high_watermark = max(log.log_start_offset, snapshot_end)
        applied = snapshot_end if applied_offset is None else applied_offset
        self.reader = CommittedReader(
            clock,
            self.store,
            offset=applied,
            epoch=self.store.epoch_before(applied),
            deliver=listener.committed,
            caught_up=self._caught_up,
        )
        self._ballot = Ballot(self)
        self._round: Round | None = None
        self._failed_rounds = 0
        self._fetcher = Fetcher(self)
        self.leadership: Leadership | None = None
        self._changes = VoterChanges(self)
        self._timer: Timer | None = None
        self._fetch_deadline = 0.0
        self._heard = False
        self._leader_reset = False
        self._leader_gone = False

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
        return self.voters.address(self.leader_id, listener) or self.leader_at

    def is_our_cluster(self, cluster_id: str | None) -> bool:
        """RULES: forming 4."""
        return cluster_id is None or cluster_id == self.cluster_id

    # -- starting and ending -------------------------------------------------------------

    def start(self) -> None:
        """A sole voter leads when this returns; others begin to look for a leader.

        Raises ``StorageError`` if the disk fails.
        """
        if self._failure is None:
            if self.is_voter and self.voters.is_sole(*self.key):
                self._lead_alone()
            else:
                self.store.attach()
                if self._ended is not None:
                    self._tell_end(self.epoch)
                # Sooner than later elections: nobody may be leading, and pre-votes disturb nobody.
                half = self.settings.election_timeout_ms // 2
                self._arm(self._random_ms(half // 2, half), self._on_election_timeout)
                self._fetcher.wake()
        self._starting = False
        if self._failure is not None:
            raise self._failure

    def _lead_alone(self) -> None:
        """RULES: watermark 6. A new epoch: remembered, then begun with a LeaderChange record, both durable."""
        self.epoch += 1
        self.voted = None
        if not self._remember(self.key.node_id):
            return
        self.role = Role.LEADER
        self.leader_id = self.key.node_id
        self._told = (self.leader_id, self.epoch)
        leadership = self.leadership = Leadership(self, [self.key.node_id])
        leadership.append_start()
        self.store.sync_now()
        if self.store.has_failed():
            return
        self.store.attach()
        self.listener.leader_changed(self.leader_id, self.epoch)
        end = self.store.durable_end
        self.high_watermark = self.log.high_watermark = end
        self.reader.finish(end)
        self._caught_up()

    def resign(self) -> None:
        """Lead no more in this epoch; the voter that is furthest should be next."""
        if self.role is not Role.LEADER or self.stopped:
            return
        epoch = self.epoch
        preferred = self._successors()
        self._ended = (self.key.node_id, epoch)
        self.voted = self.key
        self._stand(Role.UNATTACHED, None, None)
        self._arm_election()
        self._tell_end(epoch, preferred)
        self._fetcher.wake()

    def _successors(self) -> list[ReplicaKey]:
        assert self.leadership is not None
        progress = self.leadership.progress
        ends = []
        for voter in self.voters:
            if voter.node_id != self.key.node_id:
                found = progress.of_voter(self.voters, voter.node_id)
                ends.append((found.end_offset if found is not None else -1, voter.key))
        return [key for _, key in sorted(ends, reverse=True)]

    def _tell_end(self, epoch: int, preferred: Sequence[ReplicaKey] = ()) -> None:
        request = messages.make_end_request(
            self.cluster_id,
            leader_id=self.key.node_id,
            epoch=epoch,
            preferred=preferred,
            endpoints=voter_endpoints(self.endpoints),
        )
        for voter in self.voters:
            address = voter.address()
            if voter.node_id != self.key.node_id and address is not None:
                self.send(
                    address,
                    CONTROL_PURPOSE,
                    end_quorum_epoch_request.API_KEY,
                    request,
                    lambda _: None,  # a hint: without it they find out by themselves
                )

    def close(self) -> None:
        """Make everything durable and let go. A sole voter hands over what that commits."""
        if self._closed:
            return
        self._closed = True
        if self.role is Role.LEADER and not self.voters.is_sole(*self.key):
            self.resign()
        alone = self.role is Role.LEADER
        self._stop()
        self.store.close(self._deliver_last if alone else None)

    def _deliver_last(self) -> None:
        self.high_watermark = self.log.high_watermark = self.store.end_offset
        self.reader.finish(self.high_watermark)

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

    # -- time and chance -----------------------------------------------------------------

    def _random_ms(self, low: int, high: int) -> int:
        return self._rng.random_int(low, max(low, high))

    def _arm(self, milliseconds: int, callback: Callable[[], None]) -> None:
        """The one timer of the role."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.clock.call_later(milliseconds / 1000, callback)

    def _arm_election(self) -> None:
        timeout = self.settings.election_timeout_ms
        self._arm(self._random_ms(timeout, 2 * timeout), self._on_election_timeout)

    def _on_election_timeout(self) -> None:
        self._timer = None
        if self.is_voter:
            self.become_prospective()
        else:
            self._arm_election()

    # -- roles ---------------------------------------------------------------------------

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

    def _stand(self, role: Role, leader_id: int | None, address: Address | None) -> None:
        """Take a role: whatever belonged to the old one ends."""
        led = self.leadership
        self.role = role
        self.leader_id = leader_id
        self.leader_at = address
        self.leadership = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._round is not None:
            self._round.close()
            self._round = None
        self._fetcher.reset()
        if led is not None:
            self.store.appended.clear()
            led.close()
            self._changes.lost()
            self.listener.resigned()
        if (leader_id, self.epoch) != self._told:
            self._told = (leader_id, self.epoch)
            self.listener.leader_changed(leader_id, self.epoch)

    def become_unattached(self, epoch: int) -> None:
        """A newer epoch, of which no leader is known yet."""
        assert epoch > self.epoch
        self.epoch = epoch
        self.voted = None
        if not self._remember(None):
            return
        self._stand(Role.UNATTACHED, None, None)
        self._arm_election()
        self._fetcher.wake()

    def vote_for(self, candidate: ReplicaKey) -> None:
        """Durable when this returns, unless ``stopped``."""
        assert self.voted is None and self.leader_id is None
        self.voted = candidate
        if not self._remember(None):
            return
        logger.info("voting for %d in epoch %d", candidate.node_id, self.epoch)
        self._stand(Role.UNATTACHED, None, None)
        self._arm_election()
        self._fetcher.wake()

    def become_prospective(self) -> None:
        """Ask whether a majority would vote for us; the epoch and its leader, if any, stay."""
        if self.stopped:
            return
        self._stand(Role.PROSPECTIVE, self.leader_id, self.leader_at)
        self._fetcher.wake()
        self._run(pre_vote=True)

    def become_candidate(self) -> None:
        self.epoch += 1
        self.voted = self.key
        if not self._remember(None):
            return
        logger.info("candidate in epoch %d", self.epoch)
        self._stand(Role.CANDIDATE, None, None)
        self._run(pre_vote=False)

    def _run(self, *, pre_vote: bool) -> None:
        timeout = self.settings.election_timeout_ms
        self._arm(self._random_ms(timeout, 2 * timeout), self.lost_round)
        self._round = Round(self, pre_vote=pre_vote)
        self._round.begin()

    def lost_round(self) -> None:
        """No majority: try again after a pause that grows."""
        if self._round is not None:
            self._round.close()
            self._round = None
        limit = min(BACKOFF_BASE_MS << min(self._failed_rounds, 10), self.settings.election_backoff_max_ms)
        self._failed_rounds += 1
        self._arm(self._random_ms(limit // 4, limit), self._on_election_timeout)

    def become_leader(self, granting: Sequence[int]) -> None:
        """A majority voted for us."""
        assert self.role is Role.CANDIDATE
        if not self._remember(self.key.node_id):
            return
        logger.info("leading the metadata quorum in epoch %d", self.epoch)
        self._failed_rounds = 0
        self._stand(Role.LEADER, self.key.node_id, None)
        leadership = self.leadership = Leadership(self, granting)
        leadership.append_start()
        if self.stopped:
            return
        leadership.beat()
        leadership.advance()

    def become_follower(self, epoch: int, leader_id: int, address: Address) -> None:
        assert epoch >= self.epoch and leader_id != self.key.node_id
        same = (self.role, self.epoch, self.leader_id) == (Role.FOLLOWER, epoch, leader_id)
        if same and self.leader_at == address:
            return
        if epoch > self.epoch:
            self.voted = None
        changed = (self.epoch, self.leader_id) != (epoch, leader_id)
        self.epoch = epoch
        if changed and not self._remember(leader_id):
            return
        self._stand(Role.FOLLOWER, leader_id, address)
        self._failed_rounds = 0
        self._heard = self._leader_reset = self._leader_gone = False
        self._fetch_deadline = self.clock.monotonic() + self.settings.fetch_timeout_ms / 1000
        self._arm(self.settings.fetch_timeout_ms, self._on_fetch_timeout)
        if self._peers is not None:
            self._peers.to(*address, FETCH_PURPOSE).on_lost = lambda closed: self._connection_lost(
                address, closed
            )
        self._fetcher.wake()

    def observe(
        self, epoch: int, leader_id: int | None, address: Address | None, *, from_leader: bool = False
    ) -> bool:
        """Somebody names an epoch and maybe its leader. True if that changed our role."""
        if self.stopped or epoch < self.epoch:
            return False
        if leader_id == self.key.node_id or (leader_id, epoch) == self._ended:
            leader_id = None
        if leader_id is not None and address is None:
            address = self.voters.address(leader_id)
        if leader_id is None or address is None:
            if epoch > self.epoch:
                self.become_unattached(epoch)
                return True
            return False
        if epoch == self.epoch:
            if self.role in (Role.LEADER, Role.FOLLOWER):
                return False
            if self.leader_id == leader_id and not from_leader:
                return False  # hearsay about a leader that we do not hear
        self.become_follower(epoch, leader_id, address)
        return True

    # -- the leader, as a follower sees it -----------------------------------------------

    def leader_heard(self) -> None:
        self._heard = True
        self._leader_reset = self._leader_gone = False
        self.lost_leader_id = None
        self._fetch_deadline = self.clock.monotonic() + self.settings.fetch_timeout_ms / 1000

    def _on_fetch_timeout(self) -> None:
        self._timer = None
        left = self._fetch_deadline - self.clock.monotonic()
        if left > 0.0005 and not self._leader_gone:
            self._arm(int(left * 1000) + 1, self._on_fetch_timeout)
            return
        self._lose_leader()

    def _lose_leader(self) -> None:
        if self.is_voter:
            self.become_prospective()
        else:
            self._stand(Role.UNATTACHED, None, None)
            self._arm_election()
            self._fetcher.wake()

    def _connection_lost(self, address: Address, closed: Any) -> None:
        """RULES: early fencing 5. Reset, then refused: the process is gone, not only slow."""
        if self.stopped or self.role is not Role.FOLLOWER or self.leader_at != address:
            return
        if closed.refused:
            if (self._leader_reset or self._heard) and not self._leader_gone:
                self._leader_gone = True
                self.lost_leader_id = self.leader_id
                self._arm(self._random_ms(LOST_LEADER_MS_MIN, LOST_LEADER_MS_MAX), self._on_fetch_timeout)
        elif closed.reset:
            self._leader_reset = True

    def leader_resigned(self, leader_id: int, place: int | None) -> None:
        """The leader of our epoch says that it leads no more; ``place``: ours among its successors."""
        if self.role in (Role.LEADER, Role.CANDIDATE) or leader_id == self.key.node_id:
            return
        if self.leader_id not in (None, leader_id):
            return
        self._ended = (leader_id, self.epoch)
        self._stand(Role.UNATTACHED, None, None)
        limit = self.settings.election_backoff_max_ms
        if place is None:
            wait = self._random_ms(LOST_LEADER_MS_MIN, LOST_LEADER_MS_MAX)
        else:
            wait = min((BACKOFF_BASE_MS << min(place, 10)) // 2 * place, limit)
        self._arm(wait, self._on_election_timeout)
        self._fetcher.wake()

    # -- the log -------------------------------------------------------------------------

    def append(self, values: Sequence[bytes]) -> int:
        """One batch, all or nothing; answers the offset after it. Raises ``NotLeading``."""
        if self.leadership is None or self.stopped:
            raise NotLeading
        self.store.append_values(values, self.epoch)
        if self.stopped:
            raise NotLeading
        self.leadership.appended()
        return self.store.end_offset

    def append_voters(self, voters: VoterSet) -> int:
        """A change of the voters: it counts from now on (KIP-853)."""
        assert self.leadership is not None
        self.store.append_control([voters.to_record()], self.epoch)
        if not self.stopped:
            self.leadership.appended()
            self.leadership.voters_changed()
        return self.store.end_offset

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

    def caught_up_with(self, leader_high_watermark: int) -> None:
        """An answer of the leader was taken: are we an observer that should vote?"""
        if self.store.end_offset >= leader_high_watermark:
            self._changes.consider_joining()

    # -- snapshots -----------------------------------------------------------------------

    def write_snapshot(self, values: Iterator[bytes], end_offset: int, epoch: int) -> None:
        """Start a snapshot of the state at ``end_offset``, unless one is under way; ``values`` is read in
        slices, so it must not change meanwhile."""
        if not self.stopped:
            self._snapshots.write(values, end_offset, epoch)

    def load_snapshot(self, snapshot_id: SnapshotId, snapshot: Snapshot) -> None:
        """It came from the leader and is durable: the log goes on after it."""
        if not self._snapshots.start_over(snapshot_id, snapshot):
            return
        self.high_watermark = snapshot_id.end_offset
        self.reader.restart(snapshot_id.end_offset, snapshot_id.epoch)
        self.listener.load_snapshot(snapshot_id, snapshot)

    # -- requests ------------------------------------------------------------------------

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

    def handle_vote(self, request: Any, reply: Reply, *, version: int, listener: str | None = None) -> None:
        if not self.stopped:
            self._ballot.vote(request, reply, listener=listener)

    def handle_begin_quorum_epoch(
        self, request: Any, reply: Reply, *, version: int, listener: str | None = None
    ) -> None:
        if not self.stopped:
            self._ballot.begin_epoch(request, reply, listener=listener)

    def handle_end_quorum_epoch(
        self, request: Any, reply: Reply, *, version: int, listener: str | None = None
    ) -> None:
        if not self.stopped:
            self._ballot.end_epoch(request, reply, listener=listener)

    def handle_fetch(self, request: Any, reply: Reply, *, version: int, listener: str | None = None) -> None:
        if not self.stopped:
            handle_fetch(self, request, reply, version=version, listener=listener)

    def handle_fetch_snapshot(
        self, request: Any, reply: Reply, *, version: int, listener: str | None = None
    ) -> None:
        if not self.stopped:
            handle_fetch_snapshot(self, request, reply, listener=listener)

    def handle_describe_quorum(
        self, request: Any, reply: Reply, *, version: int, listener: str | None = None
    ) -> None:
        if not self.stopped:
            reply(describe_quorum(self, request))

    def handle_add_voter(
        self, request: Any, reply: Reply, *, version: int, listener: str | None = None
    ) -> None:
        if not self.stopped:
            self._changes.add(request, reply)

    def handle_remove_voter(
        self, request: Any, reply: Reply, *, version: int, listener: str | None = None
    ) -> None:
        if not self.stopped:
            self._changes.remove(request, reply)

    def handle_update_voter(
        self, request: Any, reply: Reply, *, version: int, listener: str | None = None
    ) -> None:
        if not self.stopped:
            self._changes.update(request, reply, listener=listener)
