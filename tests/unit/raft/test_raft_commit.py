"""What counts as committed, and who may be counted."""

from __future__ import annotations

from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.raft.types import RaftSettings
from tests.unit.raft.quorum import Member
from tests.unit.raft.test_raft_protocol import started


def nodes(*members: Member) -> list[Any]:
    found = [one.node for one in members]
    assert None not in found
    return found


def test_a_majority_for_records_of_older_epochs_commits_nothing() -> None:
    """RULES: watermark 5. They are committed only with a record of the leader's own epoch: until then
    another leader could still cut them."""
    quorum, old = started(21, settings=RaftSettings(fetch_max_bytes=1))
    first, second = (one for one in quorum.members.values() if one is not old)
    quorum.isolate(second.node_id)
    end = old.append(b"of the old epoch")
    assert end is not None
    quorum.run_until(lambda: nodes(first)[0].store.durable_end >= end)
    assert nodes(old)[0].high_watermark < end
    old.crash()
    quorum.heal()
    quorum.run_until(lambda: nodes(first)[0].leadership is not None)
    (leader,) = nodes(first)
    assert leader.leadership.start_offset == end

    def copied() -> bool:
        replica = leader.leadership.progress.of_voter(leader.voters, second.node_id)
        return replica is not None and replica.end_offset >= end

    quorum.run_until(copied)
    assert leader.leadership.progress.majority_end(leader.voters, leader.store.durable_end) == end
    assert leader.high_watermark < end
    assert (end - 1, b"of the old epoch") not in first.listener.values
    assert first.listener.leads is None
    quorum.run_until(lambda: first.listener.leads is not None)
    assert leader.high_watermark > end
    assert (end - 1, b"of the old epoch") in first.listener.values


def test_a_folder_that_was_replaced_does_not_count_its_own_vote() -> None:
    """RULES: forming 4. It may stand as long as it cannot know that its removal is committed, but the
    vote of its node id belongs to the new folder: both together could make two leaders of one epoch."""
    quorum, leader = started(22)
    replaced, behind = (one for one in quorum.members.values() if one is not leader)
    ghost = Member(quorum, replaced.node_id, replaced.directory_id)
    replaced.stop()
    ghost.media = replaced.media
    behind.stop()
    behind.start()
    replaced.wipe(b"new folder......")
    replaced.start()
    quorum.run_until(lambda: replaced.node is not None and replaced.node.is_voter)
    behind.stop()
    end = quorum.await_leader().append(b"more")
    assert end is not None
    quorum.await_applied(end, leader.node_id, replaced.node_id)
    ghost.start()
    quorum.run_until(lambda: nodes(ghost)[0].store.durable_end >= end)
    for member in (ghost, leader, replaced):
        member.stop()
    ghost.start()
    behind.start()
    (node,) = nodes(ghost)
    assert node.may_stand
    assert not node.is_voter
    until = quorum.scheduler.now + 20.0
    while quorum.scheduler.now < until:
        quorum.run(0.5)
        assert not node.leading


def test_a_snapshot_that_goes_while_it_is_asked_for_is_only_not_found() -> None:
    """Files go in the background: between looking for one and opening it it may vanish."""
    quorum, leader = started(23)
    leader.write_snapshot()
    (node,) = nodes(leader)
    quorum.run_until(lambda: node.snapshot_count == 1)
    snapshot_id = node.snapshot_id
    disk = leader.disk
    assert disk is not None
    disk.remove(f"{node.folder}/{snapshot_id.file_name}")
    exists, asked = disk.exists, [0]

    def still_there(path: str) -> bool:
        asked[0] += 1
        return asked[0] == 1 or exists(path)

    disk.exists = still_there  # type: ignore[method-assign]
    key = nodes(leader)[0].key
    error, _, _ = node.leadership.fetch_snapshot(key, snapshot_id, 0, 1000)
    assert error == ErrorCode.SNAPSHOT_NOT_FOUND
    assert not node.stopped


def test_a_piece_of_a_snapshot_of_no_or_negative_length_harms_nobody() -> None:
    quorum, leader = started(24)
    leader.write_snapshot()
    (node,) = nodes(leader)
    quorum.run_until(lambda: node.snapshot_count == 1)
    for max_bytes in (0, -1, -(1 << 31)):
        error, size, data = node.leadership.fetch_snapshot(node.key, node.snapshot_id, 0, max_bytes)
        assert error == ErrorCode.NONE
        assert 0 < len(data) < size
    assert not node.stopped
