"""Cuts and log starts that cross an answer of the leader on its way."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from replica_world import NOW, TOPIC_ID, World

from riverlog.protocol.generated.fetch_response import FetchableTopicResponse, FetchResponse, PartitionData
from riverlog.records import patch
from riverlog.storage import LogError


def answer(records: bytes, **fields: int) -> FetchResponse:
    data = PartitionData(partition_index=0, records=records, **fields)
    return FetchResponse(
        session_id=7, responses=[FetchableTopicResponse(topic_id=TOPIC_ID, partitions=[data])]
    )


def following() -> World:
    world = World(2)
    world.elect(1)
    world.run()
    for value in (b"a", b"b", b"c"):
        world.produce(1, value)
    return world


def test_the_leaders_log_start_is_followed_once_what_lies_before_is_durable() -> None:
    """The leader says it once: an incremental answer names only what is new."""
    world = following()
    data = world[1].partition.read_as_replica(0, max_bytes=1 << 20, min_one=True)
    assert data is not None
    world.ask(2)
    world.take(2, answer(data.read(), high_watermark=3, log_start_offset=2))
    assert world[2].log.log_start_offset == 0  # not yet: nothing is known to be durable here
    world.run()
    assert (world[2].partition.high_watermark, world[2].log.log_start_offset) == (3, 2)


def test_an_answer_to_what_was_asked_before_a_cut_is_not_taken() -> None:
    world = following()
    world.settle()
    asked = world.ask(2)
    assert asked is not None
    world[2].partition.truncate_to(1, now_ms=NOW)
    world.produce(1, b"d")
    world.take(2, world.serve(1, asked))
    assert world[2].log.log_end_offset == 1
    world.settle()
    assert world[2].values() == world[1].values()


def emptied_follower() -> World:
    """Two replicas with a batch of three records, of which DeleteRecords has taken all from the follower."""
    world = World(2)
    world.elect(1)
    world.produce(1, b"a", b"b", b"c")
    world.settle()
    world[2].partition.restart_at(3, now_ms=NOW)
    assert world[2].log.log_start_offset == world[2].log.log_end_offset == 3
    return world


def following_batch(world: World, *, base_offset: int) -> bytearray:
    """What the leader would send of a batch that it has at ``base_offset``."""
    log = world[1].log
    data = bytearray(log.segments[0].file.read(0, log.segments[0].size))
    patch(data, 0, base_offset=base_offset, leader_epoch=log.epochs.latest_epoch)
    return data


def test_an_empty_log_starts_where_the_batch_around_its_start_does() -> None:
    world = emptied_follower()
    partition = world[2].partition
    partition.append_from_leader(following_batch(world, base_offset=1), epoch_max=9, now_ms=0)
    assert (partition.log.log_start_offset, partition.log.log_end_offset) == (3, 4)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: bytearray(len(data)),  # pages that a failed disk lost
        lambda data: data[:-1] + b"\xff",
        lambda data: data[:7] + b"\x00" + data[8:],  # a base offset far before the start
        lambda data: data[:40],
    ],
    ids=["zeros", "wrong checksum", "wrong base offset", "half a header"],
)
def test_bytes_that_are_no_batch_around_the_start_move_nothing(
    spoil: Callable[[bytearray], bytearray],
) -> None:
    """Found by seed cluster-faults-4219861905: zeros from a leader whose disk had failed."""
    world = emptied_follower()
    partition = world[2].partition
    with suppress(LogError):
        partition.append_from_leader(spoil(following_batch(world, base_offset=1)), epoch_max=9, now_ms=0)
    assert (partition.log.log_start_offset, partition.log.log_end_offset) == (3, 3)


def test_a_batch_of_a_later_epoch_moves_nothing() -> None:
    world = emptied_follower()
    partition = world[2].partition
    partition.append_from_leader(following_batch(world, base_offset=1), epoch_max=-1, now_ms=0)
    assert (partition.log.log_start_offset, partition.log.log_end_offset) == (3, 3)
