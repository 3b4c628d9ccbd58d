"""What a leader knows of the others: how far they are, and when they were last heard."""

from __future__ import annotations

from dataclasses import dataclass

from riverlog.raft.voter_set import ReplicaKey, VoterSet

OBSERVER_SECONDS_MAX = 300.0
"""An observer that did not fetch for so long is forgotten."""
OBSERVERS_MAX = 1000


@dataclass(slots=True)
class Replica:
    key: ReplicaKey
    end_offset: int = -1
    """Where its last Fetch started: it has everything below on disk. -1: not heard in this epoch."""
    fetched_at: float | None = None
    """Monotonic time of its last request in this epoch."""
    last_fetch_ms: int = -1
    last_caught_up_ms: int = -1
    caught_up_at: float | None = None
    leader_end_at_fetch: int = -1
    sent_high_watermark: int = -1
    """What our last answer told it."""


class Progress:
    """All of them, in one leader epoch: what was fetched in older epochs does not count."""

    def __init__(self, me: ReplicaKey, started_at: float) -> None:
        self._me = me
        self._started_at = started_at
        self._replicas: dict[ReplicaKey, Replica] = {}

    def get(self, key: ReplicaKey) -> Replica | None:
        return self._replicas.get(key)

    def replica(self, key: ReplicaKey, voters: VoterSet, now: float) -> Replica:
        found = self._replicas.get(key)
        if found is None:
            if len(self._replicas) >= OBSERVERS_MAX:
                self._forget(voters, now, keep_seconds=0.0)
            found = self._replicas[key] = Replica(key)
        return found

    def touched(self, key: ReplicaKey, voters: VoterSet, now: float, now_ms: int) -> None:
        """It asked for a piece of a snapshot."""
        replica = self.replica(key, voters, now)
        replica.fetched_at = now
        replica.last_fetch_ms = now_ms

    def fetched(
        self, key: ReplicaKey, offset: int, leader_end: int, voters: VoterSet, now: float, now_ms: int
    ) -> Replica:
        """It has everything below ``offset``, which belongs to our log."""
        replica = self.replica(key, voters, now)
        if offset >= leader_end:
            replica.last_caught_up_ms, replica.caught_up_at = now_ms, now
        elif 0 <= replica.leader_end_at_fetch <= offset and replica.fetched_at is not None:
            replica.last_caught_up_ms, replica.caught_up_at = replica.last_fetch_ms, replica.fetched_at
        replica.end_offset = max(replica.end_offset, offset)
        replica.fetched_at = now
        replica.last_fetch_ms = now_ms
        replica.leader_end_at_fetch = leader_end
        return replica

    def majority_end(self, voters: VoterSet, durable_end: int) -> int:
        """What a majority of the voters has on disk; the leader counts by its durable end, if it votes."""
        ends = []
        for voter in voters:
            if voters.holds(*self._me) and voter.node_id == self._me.node_id:
                ends.append(durable_end)
            else:
                found = self.of_voter(voters, voter.node_id)
                ends.append(found.end_offset if found is not None else -1)
        ends.sort(reverse=True)
        return ends[voters.majority - 1] if ends else -1

    def of_voter(self, voters: VoterSet, node_id: int) -> Replica | None:
        for key, replica in self._replicas.items():
            if key.node_id == node_id and voters.holds(*key):
                return replica
        return None

    def contact_since(self, voters: VoterSet) -> float:
        """Since this time, at the latest, a majority of the voters has not been heard."""
        heard = []
        for voter in voters:
            if voter.node_id == self._me.node_id and voters.holds(*self._me):
                continue
            found = self.of_voter(voters, voter.node_id)
            at = found.fetched_at if found is not None else None
            heard.append(self._started_at if at is None else at)
        needed = voters.majority - (1 if voters.holds(*self._me) else 0)
        if needed <= 0:
            return float("inf")
        heard.sort(reverse=True)
        return heard[needed - 1]

    def observers(self, voters: VoterSet, now: float) -> list[Replica]:
        self._forget(voters, now, keep_seconds=OBSERVER_SECONDS_MAX)
        return [replica for key, replica in self._replicas.items() if not voters.holds(*key)]

    def _forget(self, voters: VoterSet, now: float, *, keep_seconds: float) -> None:
        for key, replica in list(self._replicas.items()):
            if not voters.holds(*key) and (replica.fetched_at or 0.0) < now - keep_seconds:
                del self._replicas[key]
