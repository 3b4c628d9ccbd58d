"""The KRaft state machine of one node, as the metadata node and the handlers of requests see it.

Voters elect a leader (``elections.py``, ``standing.py``), the leader serves Fetch and commits
(``leadership.py``), all others follow (``fetching.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from riverlog.raft.describing import describe_quorum
from riverlog.raft.leadership import Leadership
from riverlog.raft.roles import Role
from riverlog.raft.serving import handle_fetch, handle_fetch_snapshot
from riverlog.raft.snapshots import Snapshot, SnapshotId
from riverlog.raft.standing import Standing
from riverlog.raft.types import NotLeading
from riverlog.raft.voter_set import VoterSet

__all__ = ["NotLeading", "RaftNode"]

Reply = Callable[[Any], None]


class RaftNode(Standing):
    """Made over an opened log; ``start`` begins, ``close`` ends. All calls come from one loop."""

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
        """RULES: watermark 6. A new epoch: remembered, begun with a LeaderChange record, both on disk."""
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
