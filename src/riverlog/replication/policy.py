"""The rules that keep replicas equal, each as one question.

Leader and follower ask these instead of deciding in place, so that a simulation can put a wrong answer in
and see whether it is noticed. ``ReplicationPolicy`` is the right one.
"""

from __future__ import annotations

from collections.abc import Iterable

from riverlog.storage import Log


class ReplicationPolicy:
    """Stateless: one object serves every partition."""

    # -- the leader ----------------------------------------------------------------------

    def own_end(self, log: Log) -> int:
        """How far the leader itself counts (RULES: durable end 1 and 2)."""
        return log.durable_end if log.config.ack_after_fsync else log.log_end_offset

    def watermark(
        self, *, current: int, own_end: int, follower_ends: Iterable[int], isr_size: int, min_isr: int
    ) -> int:
        """The high watermark. ``follower_ends`` are those of the maximal in-sync set (RULES: watermark 1, 2).

        A follower that has not fetched in this epoch counts with -1, so nothing moves before it does.
        """
        if isr_size < min_isr:
            return current
        return max(current, min(own_end, min(follower_ends, default=own_end)))

    def accepts(self, *, isr_size: int, min_isr: int) -> bool:
        """Whether a write with ``acks=all`` may be appended."""
        return isr_size >= min_isr

    def acknowledges(self, *, offset: int, high_watermark: int) -> bool:
        """Whether a write with ``acks=all`` may be answered."""
        return offset < high_watermark

    def counts_fetch(
        self, *, leader_epoch: int, fetch_epoch: int, broker_epoch: int, known_broker_epoch: int
    ) -> bool:
        """Whether a follower's offset is taken: only of this epoch, only of its latest incarnation.

        RULES: watermark 3. -1 as broker epoch is a follower that does not say.
        """
        return fetch_epoch == leader_epoch and (broker_epoch < 0 or broker_epoch >= known_broker_epoch)

    def may_join(self, *, fetch_offset: int, high_watermark: int, epoch_start_offset: int) -> bool:
        """Whether a follower has caught up enough to be in sync."""
        return fetch_offset >= high_watermark and fetch_offset >= epoch_start_offset

    def has_lost(self, *, fetch_offset: int, high_watermark: int) -> bool:
        """Whether an in-sync follower lacks what is committed: it lost data and must leave at once."""
        return fetch_offset < high_watermark

    def first_watermark(self, log: Log) -> int:
        """Where a new leader, or a restarted replica, begins: at its checkpoint, never at its log end."""
        return log.high_watermark

    # -- the follower --------------------------------------------------------------------

    def may_fetch(self, log: Log, *, first: bool) -> bool:
        """Whether its log end may be told to the leader (RULES: watermark 3)."""
        if log.config.ack_after_fsync or first:
            return log.durable_end >= log.log_end_offset
        return True

    def truncation_offset(self, log: Log, *, epoch: int, end_offset: int) -> int:
        """Where the follower cuts when the leader says: ``epoch`` is the last one that we may share, and
        in my log it ends at ``end_offset`` (KIP-101, KIP-279)."""
        own_epoch, own_end = log.end_offset_for_epoch(epoch)
        if own_end < 0:
            # Nothing that old is known here, or all we have is at most of that epoch.
            return min(end_offset, log.log_end_offset)
        if own_epoch != epoch:
            # The leader's epoch is unknown here: what we have after our own last one before it is not shared.
            return min(own_end, log.log_end_offset)
        return min(own_end, end_offset, log.log_end_offset)

    def follower_watermark(self, log: Log, *, leader_watermark: int) -> int:
        """What a follower may show, and where it would begin as leader."""
        return min(leader_watermark, self.own_end(log))


POLICY = ReplicationPolicy()
