"""Bugs of a cluster on purpose: each breaks one rule of ``RULES.md``, and the simulator must notice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from planted_bugs import AnswerBeforeSync

from riverlog.base.errors import ErrorCode
from riverlog.broker.broker import Broker
from riverlog.env import File
from riverlog.env.disk import SyncDone
from riverlog.metadata import registration
from riverlog.raft.elections import Ballot
from riverlog.raft.messages import make_vote_response
from riverlog.raft.node import RaftNode
from riverlog.raft.roles import Role
from riverlog.replication import Partition
from riverlog.replication.isr import InSync
from riverlog.replication.policy import ReplicationPolicy
from riverlog.sim.cluster import Plant
from riverlog.sim.disk import SimDisk
from riverlog.storage import Log


class AckBeforeReplication(ReplicationPolicy):
    """Watermark 1: the leader alone counts."""

    def watermark(
        self, *, current: int, own_end: int, follower_ends: Iterable[int], isr_size: int, min_isr: int
    ) -> int:
        return max(current, own_end)


class UnderMinIsr(ReplicationPolicy):
    """Watermark 2: it moves though too few replicas are in sync."""

    def watermark(
        self, *, current: int, own_end: int, follower_ends: Iterable[int], isr_size: int, min_isr: int
    ) -> int:
        return super().watermark(
            current=current, own_end=own_end, follower_ends=follower_ends, isr_size=isr_size, min_isr=0
        )

    def accepts(self, *, isr_size: int, min_isr: int) -> bool:
        return True


class TruncateByWatermark(ReplicationPolicy):
    """KIP-101: a follower whose log diverges cuts to its watermark."""

    def truncation_offset(self, log: Log, *, epoch: int, end_offset: int) -> int:
        return min(log.high_watermark, log.log_end_offset)


class OlderEpochCounts(ReplicationPolicy):
    """Watermark 3: the leader counts a fetch of any epoch; ``_TakesOlderEpochs`` lets it come so far."""

    def counts_fetch(
        self, *, leader_epoch: int, fetch_epoch: int, broker_epoch: int, known_broker_epoch: int
    ) -> bool:
        return True


class FetchBeforeDurable(ReplicationPolicy):
    """Watermark 3: a follower tells offsets that are only in its page cache."""

    def may_fetch(self, log: Log, *, first: bool) -> bool:
        return True


def with_policy(policy: ReplicationPolicy) -> Plant:
    def prepare(broker: Broker) -> None:
        broker.replicas.policy = policy

    return Plant(prepare=prepare)


class _NeverSyncs(SimDisk):
    """Durable end 1: nothing is ever on the disk for sure."""

    def sync(self, files: Sequence[File]) -> None:
        pass

    def submit_sync(self, files: Sequence[File], folders: Sequence[str], done: SyncDone) -> None:
        done(None)


class _CommittedOnly(InSync):
    """Watermark 1: a pending expansion does not count."""

    __slots__ = ()

    def counted_ends(self) -> Iterator[int]:
        return (follower.log_end for follower in self.followers.values() if follower.broker_id in self.isr)


class _TakesOlderEpochs(Partition):
    """Watermark 3: a follower that does not know the new epoch is answered, and counted."""

    __slots__ = ()

    def check_epoch(self, current_leader_epoch: int) -> ErrorCode:
        error = super().check_epoch(current_leader_epoch)
        return ErrorCode.NONE if error is ErrorCode.FENCED_LEADER_EPOCH else error


class _AboveWatermark(Partition):
    __slots__ = ()

    def readable_end(self, isolation_level: int) -> int:
        return self.log.log_end_offset


def _every_partition(change: Callable[[Partition], None]) -> Plant:
    def touch(broker: Broker) -> None:
        for partition in broker.replicas.all():
            change(partition)

    return Plant(touch=touch)


def _committed_only(partition: Partition) -> None:
    partition.in_sync.__class__ = _CommittedOnly


def _older_epochs(partition: Partition) -> None:
    partition.policy = OlderEpochCounts()
    partition.__class__ = _TakesOlderEpochs


def _above_watermark(partition: Partition) -> None:
    partition.__class__ = _AboveWatermark


class _VotesTwice(Ballot):
    """Raft: a second candidate of the same epoch gets a vote too."""

    def _consider(self, voter_id: int, asked: Any) -> tuple[ErrorCode, bool]:
        if not asked.pre_vote and self._node.leader_id is None:
            self._node.voted = None
        return super()._consider(voter_id, asked)


class _VotesForAnother(Ballot):
    """Forming 4: a new, empty folder answers for the pair that was there before."""

    def vote(self, request: Any, reply: Any, *, listener: str | None) -> None:
        node = self._node
        if node.is_voter:
            super().vote(request, reply, listener=listener)
            return
        asked = request.topics[0].partitions[0]
        reply(
            make_vote_response(
                ErrorCode.NONE, epoch=asked.replica_epoch, leader_id=None, address=None, granted=True
            )
        )


def _leads_on(broker: Broker) -> None:
    """Watermark 6: a restarted Raft leader takes its epoch up again instead of resigning it."""
    raft = broker.metadata.raft
    if raft._ended == (raft.key.node_id, raft.epoch) and raft.role is not Role.LEADER:
        raft._ended = None
        raft.role = Role.CANDIDATE
        raft.become_leader([raft.key.node_id])


class _CommitsEarly(RaftNode):
    """Watermark 5: what a majority has is committed, though none of it is of the leader's own epoch."""

    def become_leader(self, granting: Sequence[int]) -> None:
        super().become_leader(granting)
        if self.leadership is not None:
            self.leadership.start_offset = -1


def _commits_early(broker: Broker) -> None:
    broker.metadata.raft.__class__ = _CommitsEarly


def _nothing_changes(*_args: Any, **_keywords: Any) -> None:
    """Watermark 6: a broker that died and is back leads on in the epoch it had."""


def with_ballot(ballot: type[Ballot], settings: dict[str, str]) -> Plant:
    def prepare(broker: Broker) -> None:
        broker.metadata.raft._ballot.__class__ = ballot

    return Plant(prepare=prepare, touch=prepare, settings=settings)


BUGS: dict[str, tuple[Plant, int]] = {
    "ack before replication": (with_policy(AckBeforeReplication()), 3),
    "watermark under min isr": (with_policy(UnderMinIsr()), 5),
    "serve above the watermark": (_every_partition(_above_watermark), 5),
    "vote twice": (
        with_ballot(
            _VotesTwice,
            {"controller.quorum.election.timeout.ms": "20", "controller.quorum.fetch.timeout.ms": "500"},
        ),
        10,
    ),
    "fetch before durable": (with_policy(FetchBeforeDurable()), 5),
    "skip fsync": (Plant(disk_class=_NeverSyncs), 5),
    "truncate by watermark": (with_policy(TruncateByWatermark()), 60),
    "count the committed isr only": (_every_partition(_committed_only), 60),
    "lead on in the old raft epoch": (Plant(prepare=_leads_on), 5),
    "lead on in the old epoch": (Plant(), 5),
}
"""Name → (the bug, within how many seeds it is caught)."""

DIRECTED: dict[str, Plant] = {
    "truncate by watermark": with_policy(TruncateByWatermark()),
    "count the committed isr only": _every_partition(_committed_only),
    "lead on in the old raft epoch": Plant(prepare=_leads_on),
    "lead on in the old epoch": Plant(),
    "commit without a record of its own epoch": Plant(prepare=_commits_early),
    "count a fetch of an older epoch": _every_partition(_older_epochs),
    "answer before fsync": Plant(disk_class=AnswerBeforeSync),
    "vote from an emptied folder": with_ballot(_VotesForAnother, {}),
}
"""Bugs that need a certain sequence of events: a test directs it."""

SUBSTITUTES: dict[str, list[tuple[Any, str, Callable[..., Any]]]] = {
    "lead on in the old epoch": [
        (registration, "_after_restart", _nothing_changes),
    ]
}
"""Name → decisions of the controller that are wrong, where a bug is not in one object."""
