"""Forming a quorum over the network (RULES: forming a quorum 2-4).

A node whose folders are not formatted tells every configured voter who it is: node id, directory id,
endpoints, and a digest of its configured list. It uses UpdateRaftVoter, with a cluster id that no cluster
has. An unformatted voter that has heard from all, and whose own pair all have taken, with equal digests,
forms the quorum; all derive the same from the same pairs. A formatted voter refuses a pair that is not in
its set, and the asker then observes its cluster; one that is in the set missed something, and is told the
whole set.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.client.peer import Peers
from riverlog.env import Clock, Timer
from riverlog.metadata.membership import FORMAT_HINT, Address
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_cluster_request import DescribeClusterRequest
from riverlog.protocol.generated.update_raft_voter_request import (
    KRaftVersionFeature,
    Listener,
    UpdateRaftVoterRequest,
)
from riverlog.protocol.generated.update_raft_voter_response import UpdateRaftVoterResponse
from riverlog.raft.voter_set import VoterEndpoint, VoterNode, VoterSet
from riverlog.raft.voters import KRAFT_VERSION_MAX

logger = logging.getLogger("riverlog.metadata")

FORMING = "forming:"
"""What the cluster id of such a request begins with. ``:`` is in no cluster id."""
FORMED = "formed:"
"""The same for what a formatted voter tells an unformatted one, with the directory id it is told to."""
PURPOSE = "forming"
ASK_SECONDS = 0.5
REQUEST_SECONDS = 2.0
HINT_SECONDS = 10.0
CONTROLLERS = 2
"""The type of endpoints that DescribeCluster is asked for."""

Reply = Callable[[UpdateRaftVoterResponse], None]


def is_forming(request: UpdateRaftVoterRequest) -> bool:
    return request.cluster_id is not None and request.cluster_id.startswith((FORMING, FORMED))


def digest_of(listed: Mapping[int, Address]) -> str:
    """Of ``controller.quorum.voters``, whatever its order."""
    text = ",".join(f"{number}@{host}:{port}" for number, (host, port) in sorted(listed.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def introduction(node: VoterNode, mark: str) -> UpdateRaftVoterRequest:
    """``node`` exists; ``mark`` is the cluster id of the request."""
    return UpdateRaftVoterRequest(
        cluster_id=mark,
        current_leader_epoch=-1,
        voter_id=node.node_id,
        voter_directory_id=node.directory_id,
        listeners=[Listener(name=one.name, host=one.host, port=one.port) for one in node.endpoints],
        kraft_version_feature=KRaftVersionFeature(
            min_supported_version=0, max_supported_version=KRAFT_VERSION_MAX
        ),
    )


def introduced(request: UpdateRaftVoterRequest) -> VoterNode:
    endpoints = tuple(VoterEndpoint(one.name, one.host, one.port) for one in request.listeners)
    return VoterNode(request.voter_id, request.voter_directory_id, endpoints)


def answer_formed(
    request: UpdateRaftVoterRequest, reply: Reply, *, voters: VoterSet, peers: Peers | None
) -> None:
    """A formatted node is asked (RULES: forming a quorum 4)."""
    assert request.cluster_id is not None
    if request.cluster_id.startswith(FORMED):
        reply(UpdateRaftVoterResponse())  # we know by now
        return
    asker = introduced(request)
    known = voters.get(asker.node_id)
    if known is None or known.directory_id != asker.directory_id:
        reply(UpdateRaftVoterResponse(error_code=ErrorCode.INCONSISTENT_VOTER_SET))
        return
    reply(UpdateRaftVoterResponse())
    address = known.address()
    if peers is None or address is None:
        return
    mark = FORMED + asker.directory_id.hex()
    for voter in voters:
        if voter.node_id != asker.node_id:
            _tell(peers, address, introduction(voter, mark), lambda _: None)


def _tell(peers: Peers, address: Address, message: Any, done: Callable[[Any | None], None]) -> None:
    peers.to(*address, PURPOSE).send(ApiKey.UPDATE_RAFT_VOTER, message, done, timeout_seconds=REQUEST_SECONDS)


class Gathering:
    """Until ``formed`` or ``found`` is called, once."""

    def __init__(
        self,
        *,
        clock: Clock,
        peers: Peers,
        own: VoterNode,
        listed: Mapping[int, Address],
        addresses: Iterable[Address],
        formed: Callable[[VoterSet], None],
        found: Callable[[str], None],
    ) -> None:
        """``listed``: the voters to form with, none if this node is not one of them. ``addresses``: whom to
        ask. ``found`` gets the id of a cluster that exists already and that this node is to observe."""
        self._clock = clock
        self._peers = peers
        self._own = own
        self._listed = listed
        self._addresses: Sequence[Address] = list(addresses)
        self._formed = formed
        self._found = found
        self._heard: dict[int, VoterNode] = {}
        self._told: dict[int, VoterNode] = {}
        """What formatted voters say that formed with us."""
        self._taken_at: set[Address] = set()
        """Who has taken our own pair: a voter that formed with another one of ours never does."""
        self._mark = FORMING + digest_of(listed)
        self._timer: Timer | None = None
        self._hint_at = clock.monotonic() + HINT_SECONDS
        self._done = False

    def start(self) -> None:
        self._ask()

    def stop(self) -> None:
        self._done = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ask(self) -> None:
        self._timer = self._clock.call_later(ASK_SECONDS, self._ask)
        message = introduction(self._own, self._mark)
        for address in self._addresses:
            _tell(self._peers, address, message, partial(self._answered, address))
        if self._clock.monotonic() >= self._hint_at:
            self._hint_at = self._clock.monotonic() + HINT_SECONDS
            missing = [one for one in self._listed if one not in self._heard and one != self._own.node_id]
            logger.warning(
                "not formatted, and no cluster was found: waiting for voters %s (or %s)", missing, FORMAT_HINT
            )

    def _answered(self, address: Address, response: UpdateRaftVoterResponse | None) -> None:
        if self._done or response is None:
            return
        if response.error_code == ErrorCode.INCONSISTENT_VOTER_SET:
            request = DescribeClusterRequest(endpoint_type=CONTROLLERS)
            self._peers.to(*address, PURPOSE).send(
                ApiKey.DESCRIBE_CLUSTER, request, self._on_description, timeout_seconds=REQUEST_SECONDS
            )
        elif response.error_code == ErrorCode.NONE:
            self._taken_at.add(address)
            self._consider()
        elif response.error_code == ErrorCode.INVALID_CONFIG:
            logger.error(
                "%s:%d has another controller.quorum.voters than ours, which is %s",
                *address,
                dict(self._listed),
            )

    def _on_description(self, response: Any | None) -> None:
        if self._done or response is None or response.error_code or not response.cluster_id:
            return
        self.stop()
        logger.info("found cluster %s, which has no voter with our directory id", response.cluster_id)
        self._found(response.cluster_id)

    def handle(self, request: UpdateRaftVoterRequest, reply: Reply) -> None:
        """Somebody introduces itself, or another voter."""
        asker = introduced(request)
        if asker.node_id not in self._listed:
            reply(UpdateRaftVoterResponse(error_code=ErrorCode.NOT_CONTROLLER))
            return
        told = request.cluster_id == FORMED + self._own.directory_id.hex()
        if not told and request.cluster_id != self._mark:
            logger.error(
                "node %d has another controller.quorum.voters than ours, which is %s",
                asker.node_id,
                dict(self._listed),
            )
            reply(UpdateRaftVoterResponse(error_code=ErrorCode.INVALID_CONFIG))
            return
        if asker.node_id != self._own.node_id:
            (self._told if told else self._heard)[asker.node_id] = asker
        reply(UpdateRaftVoterResponse())
        self._consider()

    def _consider(self) -> None:
        """RULES: forming a quorum 3."""
        others = [number for number in self._listed if number != self._own.node_id]
        if self._done or not others:
            return
        if all(one in self._told for one in others):
            found = self._told
        elif all(one in self._heard and self._listed[one] in self._taken_at for one in others):
            found = self._heard
        else:
            return
        self.stop()
        self._formed(VoterSet.of([self._own, *(found[one] for one in others)]))
