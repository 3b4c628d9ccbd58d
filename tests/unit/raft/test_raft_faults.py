"""Seeds: crashes, power loss, cuts in the middle of a write, partitions, wiped voters.

Checked at every step by ``Quorum.check``: one leader per epoch, nobody votes twice, what was committed
anywhere stays. At the end everything heals, and what was acknowledged is everywhere.
"""

from __future__ import annotations

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.protocol.generated.remove_raft_voter_request import RemoveRaftVoterRequest
from riverlog.protocol.generated.remove_raft_voter_response import RemoveRaftVoterResponse
from riverlog.sim.rng import SimRng
from tests.unit.raft.quorum import CLUSTER_ID, Member, Quorum


class Storm:
    def __init__(self, seed: int, *, voters: int = 3, wipe: bool = False, change: bool = False) -> None:
        self.seed = seed
        self.quorum = Quorum(seed, voters=voters)
        self.rng = SimRng(f"storm-{seed}")
        self.acknowledged: dict[int, bytes] = {}
        self.wiped = 0
        self.changed = 0
        self._wipe = wipe
        self._change = change
        self._pending: list[tuple[Member, int, int, bytes]] = []
        self._count = 0
        for member in self.quorum.members.values():
            member.setup.latency.high_seconds = self.rng.choice([0.001, 0.01, 0.05])
        self.quorum.start()

    def rage(self, seconds: float) -> None:
        quorum, rng = self.quorum, self.rng
        end = quorum.scheduler.now + seconds
        while quorum.scheduler.now < end:
            quorum.run(rng.uniform(0.0, 0.05))
            if rng.chance(0.7):
                self._write()
            self._note()
            if rng.chance(0.08):
                self._fault(rng.choice(list(quorum.members.values())))

    def _write(self) -> None:
        leader = self.quorum.leader()
        if leader is None:
            return
        self._count += 1
        value = b"value-%d" % self._count + bytes(self.rng.random_int(0, 300))
        end = leader.append(value)
        if end is not None:
            self._pending = [*self._pending[-50:], (leader, leader.lives, end - 1, value)]

    def _note(self) -> None:
        """What its leader handed over as committed would have been acknowledged."""
        for entry in list(self._pending):
            member, life, offset, value = entry
            if member.lives == life and (offset, value) in member.listener.values[-60:]:
                self.acknowledged[offset] = value
                self._pending.remove(entry)

    def _fault(self, member: Member) -> None:
        quorum, rng = self.quorum, self.rng
        number = rng.random_int(0, 9)
        if number <= 4:
            if member.node is None:
                member.start(cut_at=rng.random_int(1, 60) if rng.chance(0.2) else None)
            elif number <= 1:
                member.crash(power=rng.chance(0.5))
        elif number == 5:
            quorum.isolate(member.node_id)
        elif number == 6:
            quorum.cut.add((member.node_id, rng.choice(list(quorum.members))))
        elif number == 7:
            quorum.heal()
            if rng.chance(0.3):
                self._blackout()
        elif number == 8 and member.node is not None:
            if rng.chance(0.7):
                member.write_snapshot()
            else:
                member.stop()
        elif number == 9 and self._wipe:
            self._replace(member)
        elif number == 9 and self._change:
            self._remove(member)

    def _remove(self, member: Member) -> None:
        """It votes no more; it asks to be let in again by itself."""
        leader = self.quorum.leader()
        if leader is None or leader.node is None:
            return
        request = RemoveRaftVoterRequest(
            cluster_id=CLUSTER_ID, voter_id=member.node_id, voter_directory_id=member.directory_id
        )
        node = leader.node
        leader.guard(lambda: node.handle_remove_voter(request, self._removed, version=0))

    def _removed(self, response: RemoveRaftVoterResponse) -> None:
        self.changed += response.error_code == ErrorCode.NONE

    def _blackout(self) -> None:
        """The power goes everywhere at once: what was acknowledged is on disk somewhere."""
        self._write()
        self.quorum.run(self.rng.uniform(0.0, 0.02))
        self._note()
        for member in self.quorum.members.values():
            if member.node is not None:
                member.crash(power=True)
        for member in self.quorum.members.values():
            if self.rng.chance(0.8):
                member.start()

    def _replace(self, member: Member) -> None:
        """One folder emptied while all others are well, and time to come back."""
        if self.wiped >= 2:
            return
        self.calm()
        self.quorum.run(5.0)
        if member.node is not None:
            member.crash(power=True)
        self.wiped += 1
        member.wipe(bytes([self.wiped]) * 16)
        member.start()
        self.quorum.run(10.0)

    def calm(self) -> None:
        self.quorum.heal()
        for member in self.quorum.members.values():
            if member.disk is not None:
                member.disk.cut_at = None
            if member.node is None:
                member.start()

    def finish(self) -> None:
        self.calm()
        quorum = self.quorum
        for _ in range(5):
            # A leader that was cut off may not know yet that it leads no more.
            last = quorum.await_leader(30.0).append(b"last")
            quorum.run(5.0)
            members = [one.node for one in quorum.members.values()]
            if last is None or quorum.committed.get(last - 1) != b"last":
                continue
            if all(one is not None and one.applied_offset >= last for one in members):
                break
        for member in quorum.members.values():
            values = dict(member.listener.values)
            lost = [offset for offset, value in self.acknowledged.items() if values.get(offset) != value]
            assert not lost, f"seed {self.seed}: node {member.node_id} lost {lost[:5]}"
            assert values == quorum.committed, f"seed {self.seed}: node {member.node_id} differs"
            assert b"last" in values.values(), f"seed {self.seed}: node {member.node_id} is left behind"


def storm(
    seed: int, *, seconds: float = 25.0, voters: int = 3, wipe: bool = False, change: bool = False
) -> Storm:
    made = Storm(seed, voters=voters, wipe=wipe, change=change)
    made.rage(seconds)
    made.finish()
    return made


@pytest.mark.parametrize("seed", range(6))
def test_storm_over_three_voters(seed: int) -> None:
    assert storm(seed).acknowledged


@pytest.mark.parametrize("seed", range(3))
def test_storm_over_five_voters(seed: int) -> None:
    assert storm(seed, voters=5).acknowledged


@pytest.mark.parametrize("seed", range(2))
def test_storm_while_voters_come_and_go(seed: int) -> None:
    made = storm(seed, voters=4, change=True)
    made.quorum.run(10.0)
    for member in made.quorum.members.values():
        assert member.node is not None
        assert member.node.is_voter


@pytest.mark.parametrize("seed", range(2))
def test_emptied_voters_come_back_with_a_new_pair(seed: int) -> None:
    made = storm(seed, wipe=True)
    made._replace(made.quorum.members[1])
    made.finish()
    assert made.wiped
    for member in made.quorum.members.values():
        assert member.node is not None
        assert member.node.is_voter
        assert len(member.node.voters) == 3
