"""Transactions over replicas: followers show what is decided, and a failover takes nothing back."""

from __future__ import annotations

from random import Random

import pytest
from replica_world import NOW, World

from riverlog.base.errors import ErrorCode
from riverlog.records import BatchBuilder, BatchHeader, read_header
from riverlog.replication import READ_COMMITTED
from riverlog.storage import UNVERIFIED, AppendError, AppendInfo, VerificationGuard

PRODUCER = 7


def stamped(sequence: int, *, producer_id: int = PRODUCER, epoch: int = 0) -> tuple[bytearray, BatchHeader]:
    builder = BatchBuilder(
        producer_id=producer_id, producer_epoch=epoch, base_sequence=sequence, transactional=True
    )
    builder.append(timestamp=NOW, key=None, value=b"%d" % sequence)
    data = bytearray(builder.build())
    return data, read_header(data, 0)


def send(
    world: World,
    node: int,
    sequence: int,
    guard: VerificationGuard | None = UNVERIFIED,
    *,
    producer_id: int = PRODUCER,
    epoch: int = 0,
) -> AppendInfo:
    data, header = stamped(sequence, producer_id=producer_id, epoch=epoch)
    return world[node].partition.append(memoryview(data), header, NOW, guard)


def end(
    world: World,
    node: int,
    *,
    committed: bool = True,
    producer_id: int = PRODUCER,
    epoch: int = 1,
    coordinator_epoch: int = 0,
) -> AppendInfo:
    return world[node].partition.append_marker(
        producer_id,
        epoch,
        coordinator_epoch=coordinator_epoch,
        committed=committed,
        transaction_version=2,
        now_ms=NOW,
    )


def stable(world: World, node: int) -> int:
    return world[node].partition.readable_end(READ_COMMITTED)


def led(**given: int) -> World:
    world = World(3, **given)  # type: ignore[arg-type]
    world.elect(1)
    world.settle()
    return world


def test_follower_shows_what_is_decided_and_no_more() -> None:
    world = led()
    world.produce(1, b"plain")
    send(world, 1, 0)
    world.produce(1, b"plain")
    world.settle()
    assert [stable(world, node) for node in (1, 2, 3)] == [1, 1, 1]
    assert [world[node].partition.high_watermark for node in (1, 2, 3)] == [3, 3, 3]
    end(world, 1, committed=False)
    assert stable(world, 1) == 1, "the marker is on one replica only"
    world.settle()
    assert [stable(world, node) for node in (1, 2, 3)] == [4, 4, 4]
    for node in (1, 2, 3):
        (aborted,) = world[node].log.aborted_transactions(0, 4)
        assert aborted == (PRODUCER, 1, 3, 4)


def test_open_transaction_goes_over_to_the_new_leader() -> None:
    world = led()
    send(world, 1, 0)
    world.settle()
    world.elect(2)
    world.settle()
    assert stable(world, 2) == 0
    assert world[2].partition.begin_verification(stamped(1)[1]) is None, "open in this log too"
    assert send(world, 2, 1, None).first_offset == 1
    end(world, 2)
    world.settle()
    assert [stable(world, node) for node in (1, 2, 3)] == [3, 3, 3]


def test_marker_that_was_cut_is_written_by_the_new_leader() -> None:
    world = led()
    send(world, 1, 0)
    world.settle()
    end(world, 1, committed=False)  # nobody fetches it
    world.elect(2)
    world.settle()
    assert world[1].values() == world[2].values()
    assert [stable(world, node) for node in (1, 2, 3)] == [0, 0, 0]
    assert world[1].log.aborted_transactions(0, 10) == []
    again = end(world, 2, committed=False)
    assert not again.duplicate
    world.settle()
    assert [stable(world, node) for node in (1, 2, 3)] == [2, 2, 2]


def test_marker_that_went_over_is_not_written_twice() -> None:
    world = led()
    send(world, 1, 0)
    end(world, 1)
    world.settle()
    world.elect(2)
    world.settle()
    again = end(world, 2)
    assert (again.duplicate, again.last_offset) == (True, 1)
    outcome: list[ErrorCode] = []
    assert not world[2].partition.when_committed(again.last_offset, outcome.append)
    assert world[2].log.log_end_offset == 2


def test_duplicate_marker_waits_until_its_original_is_committed() -> None:
    world = led()
    send(world, 1, 0)
    end(world, 1)
    again = end(world, 1)
    outcome: list[ErrorCode] = []
    assert world[1].partition.when_committed(again.last_offset, outcome.append)
    assert outcome == []
    world.settle()
    assert outcome == [ErrorCode.NONE]


def test_guard_of_an_earlier_leadership_is_void() -> None:
    world = led()
    guard = world[1].partition.begin_verification(stamped(0)[1])
    assert guard is not None
    world.elect(2)
    world.settle()
    world.elect(1)
    world.settle()
    with pytest.raises(AppendError) as raised:
        send(world, 1, 0, guard)
    assert raised.value.code == ErrorCode.INVALID_TXN_STATE


def test_only_the_leader_verifies_and_ends() -> None:
    world = led()
    with pytest.raises(AppendError) as raised:
        world[2].partition.begin_verification(stamped(0)[1])
    assert raised.value.code == ErrorCode.NOT_LEADER_OR_FOLLOWER
    with pytest.raises(AppendError) as raised:
        end(world, 2)
    assert raised.value.code == ErrorCode.NOT_LEADER_OR_FOLLOWER


def test_marker_needs_enough_replicas() -> None:
    world = led(min_isr=2)
    send(world, 1, 0)
    world.elect(1, isr=(1,))
    with pytest.raises(AppendError) as raised:
        end(world, 1)
    assert raised.value.code == ErrorCode.NOT_ENOUGH_REPLICAS
    assert world[1].log.log_end_offset == 1


def test_readers_are_woken_when_the_marker_is_committed() -> None:
    world = led()
    send(world, 1, 0)
    world.settle()
    seen: dict[int, list[int]] = {1: [], 2: []}
    for node, found in seen.items():
        partition = world[node].partition
        partition.fetch_waiters[99] = lambda node=node, found=found: found.append(stable(world, node))  # type: ignore[misc]
    end(world, 1)
    world.settle()
    assert seen[1][-1] == 2
    assert seen[2][-1] == 2


@pytest.mark.parametrize("seed", range(12))
def test_every_replica_ends_with_the_same_view(seed: int) -> None:
    """Transactions, lost fetches and failovers in random order, among the replicas in sync."""
    random = Random(seed)
    world = led()
    epochs = dict.fromkeys(range(3), 0)
    sequences = dict.fromkeys(range(3), 0)
    decided: dict[int, int] = {}
    for _ in range(60):
        leader = world.state.leader
        producer_id = random.randrange(3)
        action = random.random()
        entry = world[leader].log.producers.entries.get(producer_id)
        if entry is not None:
            epochs[producer_id] = entry.producer_epoch
            sequences[producer_id] = entry.last_sequence + 1
        else:
            epochs[producer_id] = sequences[producer_id] = 0
        if action < 0.5:
            send(world, leader, sequences[producer_id], producer_id=producer_id, epoch=epochs[producer_id])
        elif action < 0.75:
            end(
                world,
                leader,
                committed=random.random() < 0.5,
                producer_id=producer_id,
                epoch=epochs[producer_id] + 1,
            )
        elif action < 0.95:
            world.fetch(random.choice([node for node in (1, 2, 3) if node != leader]))
            world.run(random.choice([0.0, 0.01]))
        else:
            world.elect(random.choice([1, 2, 3]))
            world.settle()
        for node in (1, 2, 3):
            partition = world[node].partition
            end_offset = partition.readable_end(READ_COMMITTED)
            assert end_offset <= partition.high_watermark
            for first in world[node].log.producers.ongoing:
                assert end_offset <= first
            for one in world[node].log.aborted_transactions(0, end_offset):
                # What a reader saw as aborted below the last stable offset stays so, on every replica.
                if one.last_offset < partition.high_watermark:
                    assert decided.setdefault(one.first_offset, one.last_offset) == one.last_offset
    for producer_id in range(3):
        entry = world[world.state.leader].log.producers.entries.get(producer_id)
        if entry is not None and entry.txn_first_offset >= 0:
            end(world, world.state.leader, producer_id=producer_id, epoch=entry.producer_epoch + 1)
    world.settle()
    ends = {stable(world, node) for node in (1, 2, 3)}
    assert ends == {world[1].log.log_end_offset}
    views = {tuple(world[node].log.aborted_transactions(0, 1 << 40)) for node in (1, 2, 3)}
    assert len(views) == 1
