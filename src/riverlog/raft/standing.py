"""The roles of a node, and what moves it from one to the next (KIP-595, KIP-996).

Epoch, vote and leader are durable in ``quorum-state`` before anything is said in them.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from riverlog.protocol.generated import end_quorum_epoch_request
from riverlog.raft import messages
from riverlog.raft.core import RaftCore
from riverlog.raft.elections import BACKOFF_BASE_MS, CONTROL_PURPOSE, Round
from riverlog.raft.fetching import FETCH_PURPOSE
from riverlog.raft.leadership import Leadership
from riverlog.raft.roles import Role
from riverlog.raft.voter_set import Address, ReplicaKey, voter_endpoints

if TYPE_CHECKING:
    from riverlog.raft.node import RaftNode

logger = logging.getLogger("riverlog.raft")

LOST_LEADER_MS_MIN = 100
LOST_LEADER_MS_MAX = 300
"""RULES: early fencing 5."""


class Standing(RaftCore):
    """How a node takes and leaves a role."""

    def _arm_election(self) -> None:
        timeout = self.settings.election_timeout_ms
        self._arm(self._random_ms(timeout, 2 * timeout), self._on_election_timeout)

    def _on_election_timeout(self) -> None:
        self._timer = None
        if self.may_stand:
            self.become_prospective()
        else:
            self._arm_election()

    # -- roles ---------------------------------------------------------------------------

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
        self._round = Round(cast("RaftNode", self), pre_vote=pre_vote)
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
        leadership = self.leadership = Leadership(cast("RaftNode", self), granting)
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
        if self.may_stand:
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
