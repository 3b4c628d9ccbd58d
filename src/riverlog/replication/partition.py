"""One partition on this node, as leader or as follower: append, high watermark, what may be read.

The metadata says which; ``become_leader`` and ``become_follower`` adopt it. Leading, the watermark is what
every replica of the maximal in-sync set holds durably (``isr.py``, ``policy.py``); following, it is what the
leader last said, as far as this log reaches.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from enum import Enum

from riverlog.base.errors import ErrorCode
from riverlog.base.metric_table import BYTES_IN, BYTES_OUT, MESSAGES_IN
from riverlog.base.metrics import Metrics
from riverlog.base.slices import FileSlice
from riverlog.env.disk import Buffer
from riverlog.records import BatchHeader
from riverlog.replication.isr import Assignment, InSync, IsrProposal
from riverlog.replication.policy import POLICY, ReplicationPolicy
from riverlog.replication.validation import start_inside, validation_of
from riverlog.storage import AppendError, AppendInfo, Log, VerificationGuard

logger = logging.getLogger("riverlog.replication")

READ_UNCOMMITTED = 0
READ_COMMITTED = 1
NO_LEADER = -1


class Role(Enum):
    LEADER = 1
    FOLLOWER = 2
    """Also while nobody leads."""


class Partition:
    """Made as a follower without a leader."""

    __slots__ = (
        "_acks",
        "_leader_watermark",
        "append_waiters",
        "bytes_in",
        "bytes_out",
        "durable_log_start",
        "epoch_start_offset",
        "fetch_waiters",
        "high_watermark",
        "in_sync",
        "index",
        "internal",
        "is_leader",
        "leader_epoch",
        "leader_id",
        "log",
        "low_watermark_waiters",
        "messages_in",
        "node_id",
        "policy",
        "topic",
        "topic_id",
        "validation",
    )

    def __init__(
        self,
        *,
        topic: str,
        topic_id: bytes,
        index: int,
        log: Log,
        internal: bool,
        metrics: Metrics,
        node_id: int,
        policy: ReplicationPolicy = POLICY,
    ) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.index = index
        self.internal = internal
        """Written by the broker itself, never by clients."""
        self.log = log
        self.node_id = node_id
        self.policy = policy
        self.is_leader = False
        self.leader_id = NO_LEADER
        self.leader_epoch = -1
        self.in_sync = InSync()
        self.epoch_start_offset = log.log_end_offset
        self.validation = validation_of(log.config)
        self.messages_in = metrics[MESSAGES_IN].child(topic)
        self.bytes_in = metrics[BYTES_IN].child(topic)
        self.bytes_out = metrics[BYTES_OUT].child(topic)
        self.high_watermark = policy.first_watermark(log)
        self._leader_watermark = self.high_watermark
        self.durable_log_start = log.log_start_offset
        """A log start that a crash cannot take back; a follower tells it its leader (RULES: watermark 8)."""
        self._acks: deque[tuple[int, Callable[[ErrorCode], None]]] = deque()
        self.fetch_waiters: dict[int, Callable[[], None]] = {}
        """Parked fetches by a number of theirs; each is told when the watermark moves."""
        self.append_waiters: dict[int, Callable[[], None]] = {}
        """Parked fetches of followers; told when the log end moves."""
        self.low_watermark_waiters: dict[int, Callable[[], None]] = {}
        """DeleteRecords under way; told when a follower's log start moves."""

    @property
    def role(self) -> Role:
        return Role.LEADER if self.is_leader else Role.FOLLOWER

    # -- following the metadata ----------------------------------------------------------

    def become_leader(self, state: Assignment, *, now: float) -> bool:
        """Lead in the epoch of ``state``, or adopt its in-sync set. True if leadership is new.

        A new epoch starts at the log end; the watermark goes on from its checkpoint, and counts only what
        is durable here and fetched in this epoch (RULES: durable end 2, watermark 3). Raises ``LogError``.
        """
        if state.leader_epoch < self.leader_epoch:
            return False
        was_leader = self.is_leader
        if state.leader_epoch == self.leader_epoch and was_leader:
            if self.in_sync.adopt(state, node_id=self.node_id, now=now):
                self._in_sync_changed()
            return False
        if len(state.replicas) > 1:
            # Even if nothing is written in it: it tells a follower with a tail of an epoch between to cut.
            self.log.start_epoch(state.leader_epoch)
        self.leader_epoch = state.leader_epoch
        self.leader_id = self.node_id
        self.is_leader = True
        self._forget_verifications()
        self.epoch_start_offset = self.log.log_end_offset
        self.in_sync.begin(state, node_id=self.node_id, now=now)
        self._in_sync_changed()
        self.wake_readers()  # they hold the old epoch
        return not was_leader

    def become_follower(self, state: Assignment) -> bool:
        """Follow ``state.leader``, who may be nobody. True if leader or epoch are new."""
        if state.leader_epoch < self.leader_epoch:
            return False
        if state.leader_epoch == self.leader_epoch and not self.is_leader and self.leader_id == state.leader:
            return False
        was_leader = self.is_leader
        self.is_leader = False
        self.leader_id = state.leader
        self.leader_epoch = state.leader_epoch
        self._leader_watermark = self.high_watermark
        if was_leader:
            self.in_sync = InSync()
            self._forget_verifications()
            self.fail_waiters(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        else:
            self.wake_readers()
        return True

    def _in_sync_changed(self) -> None:
        self.advance()
        if self._acks and self.is_under_min_isr:
            self._fail_acks(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND)
        self._wake(self.low_watermark_waiters)

    # -- epochs --------------------------------------------------------------------------

    def check_epoch(self, current_leader_epoch: int) -> ErrorCode:
        """What the client believes about the leader, against what is so (KIP-320)."""
        if current_leader_epoch < 0 or current_leader_epoch == self.leader_epoch:
            return ErrorCode.NONE
        if current_leader_epoch < self.leader_epoch:
            return ErrorCode.FENCED_LEADER_EPOCH
        return ErrorCode.UNKNOWN_LEADER_EPOCH

    # -- writing -------------------------------------------------------------------------

    @property
    def min_isr(self) -> int:
        return min(self.log.config.min_insync_replicas, self.in_sync.replica_count)

    @property
    def is_under_min_isr(self) -> bool:
        return not self.policy.accepts(isr_size=len(self.in_sync.isr), min_isr=self.min_isr)

    def append(
        self,
        buffer: memoryview,
        header: BatchHeader,
        now_ms: int,
        guard: VerificationGuard | None = None,
    ) -> AppendInfo:
        """Append one validated batch. Raises ``AppendError`` or ``StorageError``.

        One that begins a transaction needs the guard of a verification that succeeded, or ``UNVERIFIED``.
        """
        if not self.is_leader:
            raise AppendError(ErrorCode.NOT_LEADER_OR_FOLLOWER, "this broker does not lead the partition")
        log = self.log
        info = log.append_as_leader(
            buffer, header, leader_epoch=self.leader_epoch, now_ms=now_ms, guard=guard
        )
        if not info.duplicate:
            self.messages_in.value += header.record_count
            self.bytes_in.value += len(buffer)
            if self.append_waiters:
                self._wake(self.append_waiters)
        if not log.config.ack_after_fsync:
            self.advance()
        return info

    # -- transactions --------------------------------------------------------------------

    def begin_verification(
        self, header: BatchHeader, *, starts_at_zero: bool = False
    ) -> VerificationGuard | None:
        """A guard to ``append`` this transactional batch with, once its coordinator says that the transaction
        is under way. None if there is nothing to ask: append it at once.

        ``starts_at_zero``: the producer has an epoch per transaction (version 2). Raises ``LogError``.
        """
        self._must_lead()
        return self.log.begin_verification(
            header.producer_id, header.producer_epoch, header.base_sequence, starts_at_zero=starts_at_zero
        )

    def begin_coordinator_verification(
        self, producer_id: int, producer_epoch: int
    ) -> VerificationGuard | None:
        """The same for a batch that a coordinator writes for a producer: it has no sequence."""
        self._must_lead()
        return self.log.begin_verification(producer_id, producer_epoch, -1, starts_at_zero=False)

    def append_marker(
        self,
        producer_id: int,
        producer_epoch: int,
        *,
        coordinator_epoch: int,
        committed: bool,
        transaction_version: int,
        now_ms: int,
    ) -> AppendInfo:
        """End a transaction. Raises ``AppendError``.

        Whoever asked for it is answered once ``last_offset`` is committed, a duplicate too.
        """
        self._must_lead()
        if self.is_under_min_isr:
            raise AppendError(ErrorCode.NOT_ENOUGH_REPLICAS, "too few in-sync replicas for a marker")
        log = self.log
        info = log.append_marker(
            producer_id,
            producer_epoch,
            coordinator_epoch=coordinator_epoch,
            committed=committed,
            transaction_version=transaction_version,
            leader_epoch=self.leader_epoch,
            now_ms=now_ms,
        )
        if not info.duplicate and self.append_waiters:
            self._wake(self.append_waiters)
        if not log.config.ack_after_fsync:
            self.advance()
        return info

    def _forget_verifications(self) -> None:
        """Guards of another leader epoch: what happened between, they do not know."""
        producers = self.log.loaded_producers
        if producers is not None:
            producers.verifications.clear()

    def _must_lead(self) -> None:
        if not self.is_leader:
            raise AppendError(ErrorCode.NOT_LEADER_OR_FOLLOWER, "this broker does not lead the partition")

    # -- committed -----------------------------------------------------------------------

    def when_committed(self, offset: int, callback: Callable[[ErrorCode], None]) -> bool:
        """Call back once the watermark is past ``offset``, or with an error; False if it is past already."""
        if self.policy.acknowledges(offset=offset, high_watermark=self.high_watermark):
            return False
        acks = self._acks
        if acks and offset < acks[-1][0]:
            # A duplicate of an older batch waits like its original (RULES: watermark 4).
            self._acks = deque(sorted([*acks, (offset, callback)], key=_offset_of))
        else:
            acks.append((offset, callback))
        return True

    def durable(self) -> bool:
        """More of the log is on disk."""
        return self.advance() if self.is_leader else self._follow_watermark()

    def advance(self) -> bool:
        """Leading: move the watermark to where the in-sync set allows; wakes those who wait for it."""
        if not self.is_leader:
            return False
        in_sync = self.in_sync
        policy = self.policy
        end = policy.own_end(self.log)
        if in_sync.followers or policy is not POLICY:  # else the rule is as short as that
            end = policy.watermark(
                current=self.high_watermark,
                own_end=end,
                follower_ends=in_sync.counted_ends() if in_sync.followers else (),
                isr_size=len(in_sync.isr),
                min_isr=self.min_isr,
            )
        if end <= self.high_watermark:
            return False
        self.high_watermark = self.log.high_watermark = end
        acks = self._acks
        while acks and policy.acknowledges(offset=acks[0][0], high_watermark=end):
            acks.popleft()[1](ErrorCode.NONE)
        if self.fetch_waiters:
            self._wake(self.fetch_waiters)
        return True

    def fail_waiters(self, error: ErrorCode) -> None:
        """It went away, offline, or to another leader: writers get the error, readers look again."""
        self._fail_acks(error)
        self.wake_readers()

    def _fail_acks(self, error: ErrorCode) -> None:
        acks, self._acks = self._acks, deque()
        for _, callback in acks:
            callback(error)

    def wake_readers(self) -> None:
        self._wake(self.fetch_waiters)
        self._wake(self.append_waiters)
        self._wake(self.low_watermark_waiters)

    @staticmethod
    def _wake(waiters: dict[int, Callable[[], None]]) -> None:
        if waiters:
            for wake in list(waiters.values()):
                wake()

    # -- leading: followers --------------------------------------------------------------

    def fetched(
        self,
        broker_id: int,
        *,
        fetch_offset: int,
        fetch_epoch: int,
        log_start_offset: int,
        broker_epoch: int,
        registered_epoch: int,
        is_alive: bool,
        now: float,
        lag_seconds_max: float,
    ) -> IsrProposal | None:
        """A follower asked for ``fetch_offset``: it holds all below. Answers a change of the in-sync set.

        ``registered_epoch`` is the epoch that the metadata knows its broker by, -1 if none; ``is_alive``
        whether that may be in sync at all.
        """
        in_sync = self.in_sync
        follower = in_sync.followers.get(broker_id)
        policy = self.policy
        if not self.is_leader or follower is None:
            return None
        if not policy.counts_fetch(
            leader_epoch=self.leader_epoch,
            fetch_epoch=fetch_epoch,
            broker_epoch=broker_epoch,
            known_broker_epoch=max(follower.broker_epoch, registered_epoch),
        ):
            return None
        before = follower.log_end
        follower_start = follower.log_start
        follower.fetched(
            offset=fetch_offset,
            log_start=log_start_offset,
            broker_epoch=broker_epoch,
            leader_end=self.log.log_end_offset,
            now=now,
        )
        if follower_start != log_start_offset:
            self._wake(self.low_watermark_waiters)
        may_join = is_alive and broker_epoch in (registered_epoch, -1)
        proposal = self._consider(broker_id, now=now, lag_seconds_max=lag_seconds_max, may_join=may_join)
        if fetch_offset != before or proposal is not None:
            self.advance()
        return proposal

    def still_has_all(
        self, broker_id: int, *, fetch_offset: int, log_start_offset: int, broker_epoch: int, now: float
    ) -> bool:
        """An in-sync follower asks in this epoch for our log end once more: only the time is new.

        False where more may follow from it: ``fetched`` says what.
        """
        in_sync = self.in_sync
        follower = in_sync.followers.get(broker_id)
        end = self.log.log_end_offset
        if (
            follower is None
            or not fetch_offset == follower.log_end == end
            or follower.broker_epoch != broker_epoch
            or follower.log_start != log_start_offset
            or broker_id not in in_sync.isr
        ):
            return False
        follower.caught_up_at = max(follower.caught_up_at, now)
        follower.leader_end = end
        follower.fetched_at = now
        return True

    def _consider(
        self, broker_id: int, *, now: float, lag_seconds_max: float, may_join: bool
    ) -> IsrProposal | None:
        """Whether this follower joins the in-sync set, or must leave it for it lost data."""
        in_sync = self.in_sync
        follower = in_sync.followers[broker_id]
        policy = self.policy
        if broker_id in in_sync.isr:
            if in_sync.pending is None and policy.has_lost(
                fetch_offset=follower.log_end, high_watermark=self.high_watermark
            ):
                return in_sync.propose(_without(in_sync.isr, (broker_id,)), self.leader_epoch)
            return None
        follower.keeps_up = may_join and now - follower.caught_up_at <= lag_seconds_max
        if in_sync.pending is not None or not may_join:
            return None
        if policy.may_join(
            fetch_offset=follower.log_end,
            high_watermark=self.high_watermark,
            epoch_start_offset=self.epoch_start_offset,
        ):
            return in_sync.propose((*in_sync.isr, broker_id), self.leader_epoch)
        return None

    def consider_shrink(self, *, now: float, lag_seconds_max: float) -> IsrProposal | None:
        """Every now and then: in-sync followers that fell behind leave."""
        in_sync = self.in_sync
        if not self.is_leader or not in_sync.followers:
            return None
        for follower in in_sync.followers.values():
            if follower.keeps_up and now - follower.caught_up_at > lag_seconds_max:
                follower.keeps_up = False
        proposal = None
        if in_sync.pending is None:
            lagging = in_sync.lagging(self.log.log_end_offset, now, lag_seconds_max)
            if lagging:
                proposal = in_sync.propose(_without(in_sync.isr, lagging), self.leader_epoch)
        self.advance()
        return proposal

    def divergence(self, *, fetch_offset: int, last_epoch: int) -> tuple[int, int] | None:
        """Where a follower's log leaves ours, if it does: the last epoch that we may share and where it ends
        here (KIP-101, KIP-279). ``last_epoch`` is that of the follower's last record, -1 if it has none.

        Raises ``LogError``.
        """
        log = self.log
        if last_epoch >= 0:
            epoch, end_offset = log.end_offset_for_epoch(last_epoch)
            if end_offset >= 0:
                return (epoch, end_offset) if epoch < last_epoch or end_offset < fetch_offset else None
        if last_epoch >= 0 or fetch_offset > log.log_end_offset:
            # It has an epoch that we never heard of, or more than we have: our last epoch is the candidate.
            return max(log.latest_epoch, 0), log.log_end_offset
        return None

    def isr_decided(self, isr: Sequence[int], *, leader_epoch: int, partition_epoch: int) -> None:
        """The controller's answer to a proposal; the metadata may have told already."""
        if (
            self.is_leader
            and leader_epoch == self.leader_epoch
            and self.in_sync.decided(isr, partition_epoch)
        ):
            self._in_sync_changed()

    def isr_refused(self, proposal: IsrProposal) -> None:
        """The controller will surely not adopt it."""
        in_sync = self.in_sync
        if in_sync.pending is proposal:
            in_sync.pending = None
            for broker_id in proposal.isr:
                if broker_id not in in_sync.isr and broker_id in in_sync.followers:
                    in_sync.followers[broker_id].keeps_up = False  # said again by its next fetch
            self.advance()

    def brokers_changed(self, is_alive: Callable[[int], bool]) -> None:
        """One that is not in sync and not alive holds up neither the watermark nor DeleteRecords."""
        for follower in self.in_sync.followers.values():
            if follower.keeps_up and not is_alive(follower.broker_id):
                follower.keeps_up = False
                self.advance()
        self._wake(self.low_watermark_waiters)

    def low_watermark(self, is_alive: Callable[[int], bool]) -> int:
        """The log start that every living replica has reached (KIP-107)."""
        starts = [
            follower.log_start
            for follower in self.in_sync.followers.values()
            if is_alive(follower.broker_id) or follower.broker_id in self.in_sync.isr
        ]
        return min([self.log.log_start_offset, *starts])

    # -- following -----------------------------------------------------------------------

    def leader_says(self, high_watermark: int) -> bool:
        """The leader's watermark."""
        self._leader_watermark = high_watermark
        return self._follow_watermark()

    def _follow_watermark(self) -> bool:
        if self.is_leader:
            return False
        end = self.policy.follower_watermark(self.log, leader_watermark=self._leader_watermark)
        if end <= self.high_watermark:
            return False  # what was committed stays so, even where a new leader does not know it yet
        self.high_watermark = self.log.high_watermark = end
        self._wake(self.fetch_waiters)
        return True

    def append_from_leader(self, records: Buffer, *, epoch_max: int, now_ms: int) -> None:
        """What the leader has from our log end on. Raises ``LogError``."""
        log = self.log
        start = log.log_start_offset
        base_offset = start if start < log.log_end_offset else start_inside(records, start, epoch_max)
        if base_offset == start:
            log.append_as_follower(records, now_ms=now_ms, epoch_max=epoch_max)
            return
        # We are empty, and the leader's log starts inside a batch (DeleteRecords): so does ours.
        log.truncate_fully(base_offset, now_ms=now_ms)
        self._truncated()
        log.append_as_follower(records, now_ms=now_ms, epoch_max=epoch_max)
        if start <= log.log_end_offset:
            log.move_log_start(start)
            self.high_watermark = log.high_watermark = start

    def truncate_to(self, offset: int, *, now_ms: int) -> None:
        """Cut the tail that the leader does not have. Raises ``LogError``."""
        if offset < self.high_watermark:
            # Only after an unclean election, or the repair of a broken disk.
            logger.error(
                "%s-%d is cut to %d, below its high watermark %d",
                self.topic,
                self.index,
                offset,
                self.high_watermark,
            )
        self.log.truncate_to(offset, now_ms=now_ms)
        self._truncated()

    def restart_at(self, offset: int, *, now_ms: int) -> None:
        """Drop everything: the leader's log starts past our end. Raises ``LogError``."""
        logger.warning(
            "%s-%d starts over at %d: the leader has nothing older", self.topic, self.index, offset
        )
        self.log.truncate_fully(offset, now_ms=now_ms)
        self._truncated()

    def _truncated(self) -> None:
        self.high_watermark = self.log.high_watermark
        self._leader_watermark = min(self._leader_watermark, self.high_watermark)
        self.durable_log_start = min(self.durable_log_start, self.log.log_start_offset)
        self.wake_readers()

    # -- reading -------------------------------------------------------------------------

    def readable_end(self, isolation_level: int) -> int:
        """First offset that may not be read. Raises ``LogError``."""
        if isolation_level == READ_COMMITTED:
            return min(self.high_watermark, self.log.last_stable_offset)
        return self.high_watermark

    def read(self, offset: int, *, max_bytes: int, isolation_level: int, min_one: bool) -> FileSlice | None:
        """Whole batches from the one that holds ``offset``. Raises ``OffsetOutOfRange``."""
        return self.log.read(
            offset, max_bytes=max_bytes, end_offset=self.readable_end(isolation_level), min_one=min_one
        )

    def read_as_replica(self, offset: int, *, max_bytes: int, min_one: bool) -> FileSlice | None:
        """The same up to the log end, for a follower: both replicas write to disk at the same time."""
        log = self.log
        end = log.log_end_offset
        return log.read(offset, max_bytes=max_bytes, end_offset=end, min_one=min_one, to_replica=True)


def _offset_of(entry: tuple[int, Callable[[ErrorCode], None]]) -> int:
    return entry[0]


def _without(isr: tuple[int, ...], leaving: Sequence[int]) -> tuple[int, ...]:
    return tuple(broker_id for broker_id in isr if broker_id not in leaving)
