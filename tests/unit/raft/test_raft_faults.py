"""Seeds: crashes, power loss, cuts in the middle of a write, partitions, wiped voters.

Checked at every step by ``Quorum.check``: one leader per epoch, nobody votes twice, what was committed
anywhere stays. At the end: everything heals, and what was acknowledged is everywhere.
"""

from __future__ import annotations

import pytest

from riverlog.sim.rng import SimRng
from tests.unit.raft.quorum import Member, Quorum


def storm(seed: int, *, seconds: float = 25.0, voters: int = 3, wipe: bool = False) -> Quorum:
    quorum = Quorum(seed, voters=voters)
    rng = SimRng(f"storm-{seed}")
    quorum.start()
    acknowledged: dict[int, bytes] = {}
    pending: list[tuple[Member, int, int, bytes]] = []
    count = 0
    wiped = 0
    end = quorum.scheduler.now + seconds
    while quorum.scheduler.now < end:
        quorum.run(rng.uniform(0.0, 0.05))
        leader = quorum.leader()
        if leader is not None and rng.chance(0.7):
            count += 1
            value = b"value-%d" % count + bytes(rng.random_int(0, 300))
            offset = leader.append(value)
            if offset is not None:
                pending.append((leader, leader.lives, offset - 1, value))
        for entry in list(pending):
            member, life, offset, value = entry
            if (offset, value) in member.listener.values[-50:] and member.lives == life:
                acknowledged[offset] = value
                pending.remove(entry)
        pending = pending[-50:]
        if not rng.chance(0.08):
            continue
        member = rng.choice(list(quorum.members.values()))
        match rng.random_int(0, 9):
            case 0 | 1:
                if member.node is not None:
                    member.crash(power=rng.chance(0.5))
            case 2 | 3 | 4:
                if member.node is None:
                    cut = rng.random_int(1, 60) if rng.chance(0.2) else None
                    member.start(cut_at=cut)
            case 5:
                quorum.isolate(member.node_id)
            case 6:
                other = rng.choice(list(quorum.members))
                quorum.cut.add((member.node_id, other))
            case 7:
                quorum.heal()
            case 8:
                if member.node is not None and rng.chance(0.5):
                    member.write_snapshot()
                elif member.node is not None:
                    member.stop()
            case _:
                down = [one for one in quorum.members.values() if one.node is None]
                if wipe and member.node is None and len(down) == 1 and wiped < 2 and not quorum.cut:
                    wiped += 1
                    member.wipe(bytes([wiped]) * 16)
                    member.start()
                    quorum.run(8.0)
    heal(quorum)
    leader = quorum.await_leader(30.0)
    last = leader.append(b"last")
    assert last is not None
    quorum.await_applied(last, seconds=30.0)
    for member in quorum.members.values():
        values = dict(member.listener.values)
        lost = [offset for offset, value in acknowledged.items() if values.get(offset) != value]
        assert not lost, f"seed {seed}: node {member.node_id} lost {lost[:5]}"
        assert values == quorum.committed | {}, f"seed {seed}: node {member.node_id} differs"
    assert len(acknowledged) > 5, f"seed {seed}: a storm in which nothing happened"
    return quorum


def heal(quorum: Quorum) -> None:
    quorum.heal()
    for member in quorum.members.values():
        if member.disk is not None:
            member.disk.cut_at = None
        if member.node is None:
            member.start()


@pytest.mark.parametrize("seed", range(12))
def test_storm(seed: int) -> None:
    storm(seed)
