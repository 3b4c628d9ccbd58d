"""Voters come and go, one committed change at a time (KIP-853, KIP-1186).

A new voter must have caught up as an observer first, or adding it could stop the quorum. An emptied
voter asks by itself: the old pair out, then its new one in (RULES: forming 5).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from riverlog.base.errors import ErrorCode
from riverlog.env import Timer
from riverlog.protocol.generated import (
    add_raft_voter_request,
    remove_raft_voter_request,
    update_raft_voter_request,
)
from riverlog.protocol.generated.add_raft_voter_response import AddRaftVoterResponse
from riverlog.protocol.generated.remove_raft_voter_response import RemoveRaftVoterResponse
from riverlog.protocol.generated.update_raft_voter_response import CurrentLeader, UpdateRaftVoterResponse
from riverlog.raft.elections import CONTROL_PURPOSE
from riverlog.raft.voter_set import ReplicaKey, VoterEndpoint, VoterNode, voter_endpoints
from riverlog.raft.voters import KRAFT_VERSION_MAX

if TYPE_CHECKING:
    from riverlog.raft.node import RaftNode, Reply

logger = logging.getLogger("riverlog.raft")

ASK_SECONDS = 1.0
"""How often a node asks for a change of its own entry."""
_Answer = Callable[[ErrorCode, str | None], None]


class VoterChanges:
    """The leader's side of the three requests, and the side of the node that asks for itself."""

    def __init__(self, node: RaftNode) -> None:
        self._node = node
        self._pending: tuple[int, _Answer] | None = None
        """End offset of the change under way, and who waits for it."""
        self._timer: Timer | None = None
        self._asked_at: float | None = None

    # -- the leader ----------------------------------------------------------------------

    def add(self, request: Any, reply: Reply) -> None:
        def answer(error: ErrorCode, message: str | None) -> None:
            reply(AddRaftVoterResponse(throttle_time_ms=0, error_code=error, error_message=message))

        node = self._node
        refused = self._refused(request.cluster_id)
        if refused is not None:
            answer(*refused)
            return
        assert node.leadership is not None
        key = ReplicaKey(request.voter_id, request.voter_directory_id)
        endpoints = tuple(VoterEndpoint(one.name, one.host, one.port) for one in request.listeners)
        if request.voter_id < 0 or not endpoints:
            answer(ErrorCode.INVALID_REQUEST, "a voter needs an id and a listener")
            return
        if key.node_id in node.voters.nodes:
            answer(ErrorCode.DUPLICATE_VOTER, f"node {key.node_id} votes already")
            return
        replica = node.leadership.progress.get(key)
        heard = replica.caught_up_at if replica is not None else None
        limit = node.clock.monotonic() - node.settings.fetch_timeout_ms / 1000
        if heard is None or heard < limit:
            answer(ErrorCode.REQUEST_TIMED_OUT, f"node {key.node_id} has not caught up as an observer")
            return
        end = node.append_voters(node.voters.with_voter(VoterNode(*key, endpoints)))
        if node.stopped:
            return
        if getattr(request, "ack_when_committed", True):
            self._wait(end, answer, request.timeout_ms)
        else:
            answer(ErrorCode.NONE, None)

    def remove(self, request: Any, reply: Reply) -> None:
        def answer(error: ErrorCode, message: str | None) -> None:
            reply(RemoveRaftVoterResponse(throttle_time_ms=0, error_code=error, error_message=message))

        node = self._node
        refused = self._refused(request.cluster_id)
        if refused is not None:
            answer(*refused)
            return
        voter = node.voters.get(request.voter_id)
        if voter is None or voter.directory_id != request.voter_directory_id:
            answer(ErrorCode.VOTER_NOT_FOUND, "no voter with this id and directory id")
            return
        if len(node.voters) == 1:
            answer(ErrorCode.INVALID_REQUEST, "the last voter cannot be removed")
            return
        end = node.append_voters(node.voters.without_voter(voter.node_id))
        if not node.stopped:
            self._wait(end, answer, node.settings.request_timeout_ms)

    def update(self, request: Any, reply: Reply, *, listener: str | None) -> None:
        node = self._node

        def answer(error: ErrorCode, _: str | None = None) -> None:
            address = node.leader_address(listener)
            leader = CurrentLeader(
                leader_id=-1 if node.leader_id is None else node.leader_id,
                leader_epoch=node.epoch,
                host=address[0] if address is not None else "",
                port=address[1] if address is not None else -1,
            )
            reply(UpdateRaftVoterResponse(throttle_time_ms=0, error_code=error, current_leader=leader))

        refused = self._refused(request.cluster_id)
        if refused is not None:
            answer(*refused)
            return
        if request.current_leader_epoch != node.epoch:
            older = request.current_leader_epoch < node.epoch
            answer(ErrorCode.FENCED_LEADER_EPOCH if older else ErrorCode.UNKNOWN_LEADER_EPOCH)
            return
        endpoints = tuple(VoterEndpoint(one.name, one.host, one.port) for one in request.listeners)
        feature = request.kraft_version_feature
        low, high = feature.min_supported_version, feature.max_supported_version
        if not endpoints or not low <= node.kraft_version <= high:
            answer(ErrorCode.INVALID_REQUEST)
            return
        voter = node.voters.get(request.voter_id)
        if voter is None or voter.directory_id != request.voter_directory_id:
            answer(ErrorCode.VOTER_NOT_FOUND)
            return
        node.append_voters(node.voters.with_voter(VoterNode(*voter.key, endpoints, low, high)))
        if not node.stopped:
            answer(ErrorCode.NONE)  # as Kafka: not when it is committed

    def update_ours(self) -> None:
        """The leader's own addresses, if they changed since it last wrote them."""
        node = self._node
        ours = node.voters.get(node.key.node_id)
        endpoints = voter_endpoints(node.endpoints)
        if ours is None or ours.key != node.key or not endpoints or ours.endpoints == endpoints:
            return
        if not node.stopped and self._refused(node.cluster_id) is None:
            node.append_voters(node.voters.with_voter(VoterNode(*ours.key, endpoints)))

    def _refused(self, cluster_id: str | None) -> tuple[ErrorCode, str] | None:
        """What every change needs: our cluster, a leader with a committed epoch, no change under way."""
        node = self._node
        leadership = node.leadership
        if not node.is_our_cluster(cluster_id):
            return ErrorCode.INCONSISTENT_CLUSTER_ID, f"this is cluster {node.cluster_id}"
        if leadership is None:
            return ErrorCode.NOT_LEADER_OR_FOLLOWER, "this node does not lead the quorum"
        if node.kraft_version < 1:
            return ErrorCode.UNSUPPORTED_VERSION, "kraft.version 0 has a fixed set of voters"
        if node.high_watermark <= leadership.start_offset:
            return ErrorCode.REQUEST_TIMED_OUT, "the leader has not committed its epoch yet"
        if self._pending is not None or node.store.voters_at.offset >= node.high_watermark:
            return ErrorCode.REQUEST_TIMED_OUT, "another change of the voters is under way"
        return None

    def _wait(self, end: int, answer: _Answer, timeout_ms: int) -> None:
        self._pending = (end, answer)
        wait = min(max(timeout_ms, 1), 60_000) / 1000
        self._timer = self._node.clock.call_later(wait, self._timed_out)
        self.committed()

    def _timed_out(self) -> None:
        self._timer = None
        self._finish(ErrorCode.REQUEST_TIMED_OUT, "the change is not committed yet")

    def _finish(self, error: ErrorCode, message: str | None) -> None:
        pending, self._pending = self._pending, None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if pending is not None:
            pending[1](error, message)

    def committed(self) -> None:
        """The high watermark moved."""
        node = self._node
        if self._pending is not None and node.high_watermark >= self._pending[0]:
            self._finish(ErrorCode.NONE, None)
        leads = node.leadership is not None
        if leads and not node.is_voter and node.store.voters_at.offset < node.high_watermark:
            logger.info("no longer a voter: resigning from epoch %d", node.epoch)
            node.clock.call_later(0.0, node.resign)

    def lost(self) -> None:
        """We lead no more: what becomes of the change is not ours to say."""
        self._finish(ErrorCode.NOT_LEADER_OR_FOLLOWER, "leadership was lost before the change was committed")

    def close(self) -> None:
        self._pending = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # -- for ourselves -------------------------------------------------------------------

    def consider_joining(self) -> None:
        """A follower that has caught up: ask for what should change about us, now and then."""
        node = self._node
        if node.kraft_version < 1 or not node.is_voter_capable or not node.endpoints or not node.voters:
            return
        now = node.clock.monotonic()
        if self._asked_at is not None and now - self._asked_at < ASK_SECONDS:
            return
        ours = node.voters.get(node.key.node_id)
        endpoints = voter_endpoints(node.endpoints)
        if ours is not None and ours.key == node.key:
            if ours.endpoints != endpoints:
                self._ask(update_raft_voter_request.API_KEY, self._update_request(endpoints))
        elif node.settings.auto_join:
            if ours is not None:
                logger.info("the voter %d has a new folder: asking to remove the old one", ours.node_id)
                self._ask(
                    remove_raft_voter_request.API_KEY,
                    remove_raft_voter_request.RemoveRaftVoterRequest(
                        cluster_id=node.cluster_id,
                        voter_id=ours.node_id,
                        voter_directory_id=ours.directory_id,
                    ),
                )
            else:
                logger.info("caught up with the quorum: asking to become a voter")
                self._ask(add_raft_voter_request.API_KEY, self._add_request(endpoints))

    def _update_request(
        self, endpoints: tuple[VoterEndpoint, ...]
    ) -> update_raft_voter_request.UpdateRaftVoterRequest:
        node = self._node
        return update_raft_voter_request.UpdateRaftVoterRequest(
            cluster_id=node.cluster_id,
            current_leader_epoch=node.epoch,
            voter_id=node.key.node_id,
            voter_directory_id=node.key.directory_id,
            listeners=[update_raft_voter_request.Listener(*one) for one in endpoints],
            kraft_version_feature=update_raft_voter_request.KRaftVersionFeature(
                min_supported_version=0, max_supported_version=KRAFT_VERSION_MAX
            ),
        )

    def _add_request(
        self, endpoints: tuple[VoterEndpoint, ...]
    ) -> add_raft_voter_request.AddRaftVoterRequest:
        node = self._node
        return add_raft_voter_request.AddRaftVoterRequest(
            cluster_id=node.cluster_id,
            timeout_ms=node.settings.request_timeout_ms,
            voter_id=node.key.node_id,
            voter_directory_id=node.key.directory_id,
            listeners=[add_raft_voter_request.Listener(*one) for one in endpoints],
            ack_when_committed=False,
        )

    def _ask(self, api_key: int, request: Any) -> None:
        node = self._node
        if node.leader_at is None:
            return
        self._asked_at = node.clock.monotonic()
        node.send(node.leader_at, CONTROL_PURPOSE, api_key, request, self._asked)

    def _asked(self, response: Any | None) -> None:
        if response is not None and response.error_code != ErrorCode.NONE:
            logger.info("the leader did not change our entry among the voters: %d", response.error_code)
