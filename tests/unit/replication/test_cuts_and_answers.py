"""Cuts and log starts that cross an answer of the leader on its way."""

from __future__ import annotations

from replica_world import NOW, TOPIC_ID, World

from riverlog.protocol.generated.fetch_response import FetchableTopicResponse, FetchResponse, PartitionData


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
