"""The follower's session with its leader: what it asks for, when, and what it does with the answer."""

from __future__ import annotations

from replica_world import NOW, TOPIC_ID, World

from riverlog.base.errors import ErrorCode
from riverlog.protocol.generated.fetch_response import FetchableTopicResponse, FetchResponse, PartitionData
from riverlog.replication.fetcher import (
    FAST_SYNCS_TO_RETURN,
    JOIN_WAIT_MS,
    RETRY_SECONDS_MIN,
    SLOW_SYNC_SECONDS,
)


def answer(error: ErrorCode = ErrorCode.NONE, *, session_id: int = 7, **fields: int) -> FetchResponse:
    data = PartitionData(partition_index=0, error_code=error, records=b"", **fields)
    topic = FetchableTopicResponse(topic_id=TOPIC_ID, partitions=[data])
    return FetchResponse(session_id=session_id, responses=[topic])


def following() -> World:
    world = World(2)
    world.elect(1)
    world.run()
    return world


def test_an_incremental_request_names_only_what_changed() -> None:
    world = following()
    first = world.ask(2)
    assert first is not None
    assert (first.session_id, first.session_epoch, len(first.topics)) == (0, 0, 1)
    assert world.ask(2) is None  # one is in flight
    world.take(2, answer(log_start_offset=0))
    second = world.ask(2)
    assert second is not None
    assert (second.session_id, second.session_epoch, second.topics) == (7, 1, [])
    world.produce(1, b"a")
    data = world[1].partition.read_as_replica(0, max_bytes=1 << 20, min_one=True)
    assert data is not None
    response = answer(log_start_offset=0)
    response.responses[0].partitions[0].records = data.read()
    world.take(2, response)
    world.run()
    third = world.ask(2)
    assert third is not None
    assert (third.session_epoch, third.topics[0].partitions[0].fetch_offset) == (2, 1)


def test_a_partition_taken_out_is_forgotten_by_the_leader_too() -> None:
    world = following()
    world.ask(2)
    world.take(2, answer(log_start_offset=0))
    fetcher, partition = world[2].fetcher, world[2].partition
    fetcher.remove(partition)
    assert fetcher.request(world.now, broker_epoch=1) is None
    fetcher.add(partition)
    again = fetcher.request(world.now, broker_epoch=1)
    assert again is not None
    assert again.topics[0].partitions[0].partition == 0
    assert again.forgotten_topics_data == []


def test_a_lost_session_is_begun_anew_at_once() -> None:
    world = following()
    world.ask(2)
    world.take(2, answer(log_start_offset=0))
    world.ask(2)
    world.take(2, FetchResponse(error_code=ErrorCode.FETCH_SESSION_ID_NOT_FOUND))
    request = world.ask(2)
    assert request is not None
    assert (request.session_id, request.session_epoch, len(request.topics)) == (0, 0, 1)


def test_a_lost_connection_is_tried_again_after_a_pause() -> None:
    world = following()
    world.ask(2)
    world.take(2, None)
    assert world.ask(2) is None
    assert world[2].fetcher.due_at(world.now) == world.now + RETRY_SECONDS_MIN
    world.run(RETRY_SECONDS_MIN)
    assert world.ask(2) is not None


def test_a_leader_that_does_not_know_it_yet_is_asked_again_soon() -> None:
    world = following()
    for number in range(3):
        assert world.ask(2) is not None
        world.take(2, answer(ErrorCode.UNKNOWN_LEADER_EPOCH))
        assert world.ask(2) is None
        pause = RETRY_SECONDS_MIN * 2**number
        assert world[2].fetcher.due_at(world.now) == world.now + pause
        world.run(pause)


def test_an_answer_to_a_question_of_another_epoch_is_dropped() -> None:
    world = following()
    request = world.ask(2)
    assert request is not None
    world.produce(1, b"a")
    late = world.serve(1, request)
    world[2].partition.become_follower(world.state)
    world.elect(1, tell=[2])
    fetcher = world[2].fetcher
    fetcher.answered(late, world.now, NOW)
    assert world[2].log.log_end_offset == 0


def test_a_follower_behind_the_leaders_start_begins_there() -> None:
    world = following()
    world.ask(2)
    world.take(2, answer(ErrorCode.OFFSET_OUT_OF_RANGE, log_start_offset=50))
    log = world[2].log
    assert (log.log_start_offset, log.log_end_offset, log.high_watermark) == (50, 50, 50)
    world.run()
    request = world.ask(2)
    assert request is not None
    assert request.topics[0].partitions[0].fetch_offset == 50


def test_a_slow_disk_moves_the_partition_to_the_slow_session_and_back() -> None:
    world = following()
    world.produce(1, b"a")
    assert world.fetch(2)
    fetcher, partition = world[2].fetcher, world[2].partition
    late = world.now + SLOW_SYNC_SECONDS
    assert fetcher.due_at(world.now) == late
    assert fetcher.take_slow(world.now) == []
    assert fetcher.take_slow(late) == [partition]
    assert partition not in fetcher
    fetcher.is_slow = True
    fetcher.add(partition, first=False)
    world.run()
    returns = []
    for _ in range(FAST_SYNCS_TO_RETURN):
        world.produce(1, b"b")
        assert world.fetch(2)
        asked = world.now
        world[2].log.finish_sync(world[2].log.begin_sync())
        assert fetcher.durable(partition, asked) == bool(fetcher.returning())
        returns.append(fetcher.returning())
    assert returns == [[]] * (FAST_SYNCS_TO_RETURN - 1) + [[partition]]


def test_the_slow_session_gives_back_a_partition_that_is_idle() -> None:
    world = following()
    fetcher, partition = world[2].fetcher, world[2].partition
    fetcher.is_slow = True
    for _ in range(FAST_SYNCS_TO_RETURN):
        assert fetcher.returning() == []
        request = world.ask(2)
        assert request is not None
        assert request.max_wait_ms == JOIN_WAIT_MS, "whoever joins the session waits for its poll"
        world.take(2, FetchResponse(session_id=7))
    assert fetcher.returning() == [partition]


def test_the_log_start_of_the_leader_is_taken_over() -> None:
    world = following()
    for value in (b"a", b"b", b"c"):
        world.produce(1, value)
    world.settle()
    world[1].log.delete_records(2)
    world.settle()
    assert world[2].log.log_start_offset == 2
    assert world[1].partition.low_watermark(lambda _: True) == 2
