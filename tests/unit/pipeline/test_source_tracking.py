"""The driver's half of a stream: starts, ends, limits, and topics that change meanwhile."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator

import pytest
from confluent_kafka import Consumer, ConsumerGroupTopicPartitions, TopicPartition
from confluent_kafka.admin import NewPartitions

from riverlog.pipeline import cluster, tracking
from riverlog.pipeline.errors import ClusterError, DataLossError, OptionError
from riverlog.pipeline.tracking import tasks_between
from riverlog.testing import broker
from tests.unit.pipeline.source_world import WAIT, Query, World, numbers


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with broker() as node, World(node.bootstrap) as known:
        yield known


@pytest.fixture(autouse=True)
def settle(monkeypatch: pytest.MonkeyPatch) -> None:
    """One broker does not contradict itself for long."""
    monkeypatch.setattr(tracking, "SETTLE_SECONDS", 0.2)
    monkeypatch.setattr(cluster, "SETTLE_SECONDS", 0.2)


def committed(world: World, group: str) -> dict[tuple[str, int], int]:
    wanted = [ConsumerGroupTopicPartitions(group)]
    found = world.admin.list_consumer_group_offsets(wanted)[group].result(WAIT)
    return {(row.topic, row.partition): row.offset for row in found.topic_partitions}


def commit(world: World, group: str, topic: str, offsets: dict[int, int]) -> None:
    rows = [TopicPartition(topic, partition, offset) for partition, offset in offsets.items()]
    world.admin.alter_consumer_group_offsets([ConsumerGroupTopicPartitions(group, rows)])[group].result(WAIT)


# ---------------------------------------------------------------- from batch to batch


def test_a_stream_goes_on_where_the_last_batch_ended(world: World) -> None:
    topic = world.topic(2)
    world.produce(topic, ["a"])
    with world.query(subscribe=topic, startingOffsets="earliest") as query:
        assert query.batch() == ["a"]
        assert not query.plan()
        world.produce(topic, ["b"], partition=1)
        world.produce(topic, ["c"])
        assert query.batch() == ["c", "b"]
        assert query.positions(topic) == {0: 2, 1: 1}


def test_without_new_records_the_offset_stays_as_it_is_to_the_letter(world: World) -> None:
    topic = world.topic()
    with world.query(subscribe=topic, startingOffsets="earliest") as query:
        assert query.plan()  # the first one, which holds the start
        first = query.end
        assert not query.plan()
        assert query.end is not None
        assert list(query.end) == list(first)
        assert query.end == first


def test_a_new_stream_starts_at_latest(world: World) -> None:
    topic = world.topic()
    world.produce(topic, ["before"])
    with world.query(subscribe=topic) as query:
        assert query.batch() == []
        world.produce(topic, ["after"])
        assert query.batch() == ["after"]


def test_the_first_batch_is_the_same_when_it_is_run_again_after_a_restart(world: World) -> None:
    topic = world.topic()
    world.produce(topic, ["before"])
    with world.query(subscribe=topic) as query:
        query.plan()
        start, end = query.end, None
        world.produce(topic, ["a", "b"])
        query.plan()
        end = query.end
    initial = {"version": 1, "initial": True}
    # The driver died; Spark knows that batch 0 ended there, and asks for its start anew.
    assert tasks_between(initial, start) == []
    assert [row for task in tasks_between(start, end) for row in task] == [world.slice(topic, 1, 3)]
    world.produce(topic, ["later"])
    with Query(world.bootstrap, end=end, subscribe=topic, startingOffsets="earliest") as again:
        assert again.batch() == ["later"]


def test_a_batch_is_planned_alike_whatever_the_options_are_when_it_is_run_again(world: World) -> None:
    topic = world.topic()
    world.produce(topic, range(10))
    with world.query(subscribe=topic, startingOffsets="earliest", minPartitions=5) as query:
        query.plan()
        assert len(query.tasks) == 5
        assert len(tasks_between({"version": 1, "initial": True}, query.end)) == 5


# ---------------------------------------------------------------- where a query starts


def test_offsets_are_given_per_partition(world: World) -> None:
    topic = world.topic(3)
    for partition in range(3):
        world.produce(topic, numbers(4), partition=partition)
    starts = f'{{"{topic}":{{"0":1,"1":-1,"2":-2}}}}'
    with world.query(subscribe=topic, startingOffsets=starts) as query:
        assert query.batch() == [*numbers(3, 1), *numbers(4)]


@pytest.mark.parametrize(
    ("starts", "words"),
    [('{"TOPIC":{"0":1}}', "does not name TOPIC-1"), ('{"TOPIC":{"0":1,"1":1,"7":1}}', "names TOPIC-7")],
)
def test_offsets_per_partition_name_all_of_them(world: World, starts: str, words: str) -> None:
    topic = world.topic(2)
    with (
        world.query(subscribe=topic, startingOffsets=starts.replace("TOPIC", topic)) as query,
        pytest.raises(OptionError, match=words.replace("TOPIC", topic)),
    ):
        query.plan()


def test_a_start_out_of_range_is_data_loss(world: World, caplog: pytest.LogCaptureFixture) -> None:
    topic = world.topic()
    world.produce(topic, numbers(3))
    start = f'{{"{topic}":{{"0":9}}}}'
    with (
        world.query(subscribe=topic, startingOffsets=start) as query,
        pytest.raises(DataLossError, match=f"{topic}-0 is to be offset 9, but it has 0 to 3"),
    ):
        query.plan()
    with world.query(subscribe=topic, startingOffsets=start, failOnDataLoss=False) as query:
        assert query.batch() == []
        assert query.positions(topic) == {0: 3}
    assert "is to be offset 9" in caplog.text


def test_a_time_is_where_the_first_record_of_it_or_later_is(world: World) -> None:
    topic = world.topic(2)
    for number in range(5):
        world.produce(topic, [number], timestamp=1000 + number)
        world.produce(topic, [number], timestamp=2000 + number, partition=1)
    with world.query(subscribe=topic, startingTimestamp=1003) as query:
        assert query.batch() == [*numbers(2, 3), *numbers(5)]
    times = f'{{"{topic}":{{"0":1004,"1":2003}}}}'
    with world.query(subscribe=topic, startingOffsetsByTimestamp=times) as query:
        assert query.batch() == [*numbers(1, 4), *numbers(2, 3)]


def test_a_time_after_all_records_is_an_error_or_latest(world: World) -> None:
    topic = world.topic()
    world.produce(topic, ["a"], timestamp=1000)
    with (
        world.query(subscribe=topic, startingTimestamp=5000) as query,
        pytest.raises(
            OptionError, match="no record is that young; see option startingOffsetsByTimestampStrategy"
        ),
    ):
        query.plan()
    with world.query(
        subscribe=topic, startingTimestamp=5000, startingOffsetsByTimestampStrategy="latest"
    ) as query:
        assert query.batch() == []
        world.produce(topic, ["b"])
        assert query.batch() == ["b"]


def test_a_query_starts_where_a_group_is(world: World) -> None:
    topic = world.topic(2)
    world.produce(topic, numbers(5))
    world.produce(topic, numbers(5, 10), partition=1)
    commit(world, "of-the-group", topic, {0: 3, 1: 1})
    with world.query(subscribe=topic, startingOffsets="group:of-the-group") as query:
        assert query.batch() == [*numbers(2, 3), *numbers(4, 11)]
    with world.query(subscribe=topic, startingOffsets="group", kafka_group_id="of-the-group") as query:
        assert len(query.batch()) == 6


@pytest.mark.parametrize(
    ("strategy", "expected"), [("earliest", numbers(3)), ("latest", []), (None, []), ("error", None)]
)
def test_where_the_group_has_committed_nothing(
    world: World, strategy: str | None, expected: list[str] | None
) -> None:
    topic = world.topic()
    world.produce(topic, numbers(3))
    more = {} if strategy is None else {"startingOffsetsByGroupStrategy": strategy}
    with world.query(subscribe=topic, startingOffsets="group:nobody", **more) as query:
        if expected is None:
            with pytest.raises(OptionError, match=f"partition {topic}-0: group 'nobody' has no offset"):
                query.plan()
        else:
            assert query.batch() == expected


# ---------------------------------------------------------------- which topics


def test_a_pattern_takes_in_topics_that_come_later(world: World) -> None:
    first = world.topic(name="pattern-1")
    world.topic(name="not-pattern-1")
    world.produce(first, ["a"])
    with world.query(subscribePattern="pattern-.*", startingOffsets="latest") as query:
        assert query.batch() == []
        second = world.topic(name="pattern-2")
        world.produce(second, ["b"])  # before the query sees it
        world.produce(first, ["c"])
        assert query.batch() == ["c", "b"]
        assert sorted(query.offset.topics) == [first, second]


def test_a_pattern_that_matches_nothing_waits_for_topics(world: World) -> None:
    with world.query(subscribePattern="later-.*", startingOffsets="earliest") as query:
        assert query.batch() == []
        topic = world.topic(name="later-1")
        world.produce(topic, ["a"])
        assert query.batch() == ["a"]


def test_assigned_partitions_are_read_and_no_others(world: World) -> None:
    topic = world.topic(3)
    for partition in range(3):
        world.produce(topic, [partition], partition=partition)
    assigned = f'{{"{topic}":[0,2]}}'
    with world.query(assign=assigned, startingOffsets="earliest") as query:
        assert query.batch() == ["0", "2"]
        assert query.positions(topic) == {0: 1, 2: 1}


def test_topics_and_partitions_that_do_not_exist_are_an_error(world: World) -> None:
    topic = world.topic()
    with (
        world.query(subscribe="nowhere") as query,
        pytest.raises(ClusterError, match="'nowhere' does not exist"),
    ):
        query.plan()
    with (
        world.query(assign=f'{{"{topic}":[0,3]}}') as query,
        pytest.raises(ClusterError, match="has no partition 3"),
    ):
        query.plan()


def test_new_partitions_are_read_from_their_start(world: World) -> None:
    topic = world.topic()
    with world.query(subscribe=topic) as query:
        query.plan()
        world.admin.create_partitions([NewPartitions(topic, 3)])[topic].result(WAIT)
        world.produce(topic, ["new"], partition=2)
        assert query.batch() == ["new"]
        assert query.positions(topic) == {0: 0, 1: 0, 2: 1}


def test_a_new_partition_that_has_lost_its_start_is_data_loss(world: World) -> None:
    topic = world.topic()
    with world.query(subscribe=topic) as query:
        query.plan()
        start = query.end
        world.admin.create_partitions([NewPartitions(topic, 2)])[topic].result(WAIT)
        world.produce(topic, numbers(5), partition=1)
        gone = TopicPartition(topic, 1, 2)
        world.admin.delete_records([gone])[TopicPartition(topic, 1)].result(WAIT)
        with pytest.raises(DataLossError, match=f"{topic}-1 starts at offset 2 instead of 0"):
            query.plan()
    with Query(world.bootstrap, end=start, subscribe=topic, failOnDataLoss=False) as query:
        assert query.batch() == numbers(3, 2)


# ---------------------------------------------------------------- topics that go


def test_a_deleted_topic_is_data_loss(world: World, caplog: pytest.LogCaptureFixture) -> None:
    keep, gone = world.topic(name="gone-no"), world.topic(name="gone-yes")
    with world.query(subscribePattern="gone-.*", startingOffsets="earliest") as query:
        query.plan()
        start = query.end
        world.delete(gone)
        world.produce(keep, ["a"])
        with pytest.raises(DataLossError, match=f"topic '{gone}' is gone; set failOnDataLoss=false"):
            query.plan()
        # The checkpoint still has the old offset.
        assert start == query.end
    with Query(world.bootstrap, end=start, subscribePattern="gone-.*", failOnDataLoss=False) as query:
        assert query.batch() == ["a"]
        assert list(query.offset.topics) == [keep]
    assert "going on with what is there" in caplog.text


def test_a_topic_created_again_is_told_from_the_old_one(world: World) -> None:
    topic = world.topic(2)
    world.produce(topic, ["old"])
    with world.query(subscribe=topic, startingOffsets="earliest") as query:
        assert query.batch() == ["old"]
        start = query.end
        world.delete(topic)
        world.topic(1, name=topic)  # with fewer partitions
        world.produce(topic, ["new 1", "new 2"])
        with pytest.raises(DataLossError, match="deleted and created again"):
            query.plan()
    with Query(world.bootstrap, end=start, subscribe=topic, failOnDataLoss=False) as query:
        assert query.batch() == ["new 1", "new 2"]
        assert query.positions(topic) == {0: 2}


def test_a_topic_that_is_no_longer_asked_for_is_dropped(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = world.topic(), world.topic()
    with world.query(subscribe=f"{first},{second}") as query:
        query.plan()
    with caplog.at_level(logging.WARNING), Query(world.bootstrap, end=query.end, subscribe=first) as query:
        world.produce(first, ["a"])
        assert query.batch() == ["a"]
        assert list(query.offset.topics) == [first]
    assert f"topic {second} is no longer among those to read" in caplog.text


def test_a_partition_shorter_than_what_was_read_is_data_loss(world: World) -> None:
    topic = world.topic()
    world.produce(topic, numbers(5))
    with world.query(subscribe=topic, startingOffsets="earliest") as query:
        query.plan()
        ahead = query.end
    ahead["topics"][topic]["offsets"]["0"] = 9
    with (
        Query(world.bootstrap, end=ahead, subscribe=topic) as query,
        pytest.raises(DataLossError, match=f"{topic}-0 ends at offset 5, but was read up to 9"),
    ):
        query.plan()
    with Query(world.bootstrap, end=ahead, subscribe=topic, failOnDataLoss=False) as query:
        assert query.batch() == []
        world.produce(topic, ["next"])
        assert query.batch() == ["next"]


# ---------------------------------------------------------------- how much


def test_a_limit_is_shared_out_and_a_small_partition_is_not_starved(world: World) -> None:
    topic = world.topic(3)
    world.produce(topic, numbers(900))
    world.produce(topic, numbers(90), partition=1)
    world.produce(topic, numbers(1), partition=2)
    with world.query(subscribe=topic, startingOffsets="earliest", maxOffsetsPerTrigger=100) as query:
        assert len(query.batch()) == 100
        assert query.positions(topic) == {0: 90, 1: 9, 2: 1}
        while query.plan():
            pass
        assert query.positions(topic) == {0: 900, 1: 90, 2: 1}


def test_spark_may_ask_for_everything_at_once(world: World) -> None:
    topic = world.topic()
    world.produce(topic, numbers(50))
    with world.query(subscribe=topic, startingOffsets="earliest", maxOffsetsPerTrigger=10) as query:
        assert len(query.batch(limited=False)) == 50


def test_bytes_are_limited_by_the_sizes_of_a_sample(world: World) -> None:
    topic = world.topic(2)
    world.produce(topic, [b"x" * 1000] * 200)
    world.produce(topic, numbers(200), partition=1)
    with world.query(subscribe=topic, startingOffsets="earliest", maxBytesPerTrigger="50k") as query:
        read = query.batch()
        size = sum(len(value) for value in read)
        assert 30_000 < size < 60_000
        assert 0 < query.positions(topic)[1] < 200
        batches = 1
        while query.plan():
            batches += 1
        assert query.positions(topic) == {0: 200, 1: 200}
        assert batches < 12


def test_rows_and_bytes_are_limited_together(world: World) -> None:
    topic = world.topic()
    world.produce(topic, [b"x" * 1000] * 100)
    both = {"maxOffsetsPerTrigger": 50, "maxBytesPerTrigger": "20k"}
    with world.query(subscribe=topic, startingOffsets="earliest", **both) as query:
        assert 15 < len(query.batch()) < 25
    both = {"maxOffsetsPerTrigger": 5, "maxBytesPerTrigger": "20k"}
    with world.query(subscribe=topic, startingOffsets="earliest", **both) as query:
        assert len(query.batch()) == 5


def test_too_few_records_are_waited_for(world: World) -> None:
    topic = world.topic()
    with world.query(subscribe=topic, startingOffsets="earliest", minOffsetsPerTrigger=5) as query:
        query.plan()
        world.produce(topic, numbers(3))
        assert not query.plan()
        world.produce(topic, numbers(3, 3))
        assert query.batch() == numbers(6)


def test_but_not_for_longer_than_the_delay(world: World) -> None:
    topic = world.topic()
    with world.query(
        subscribe=topic, startingOffsets="earliest", minOffsetsPerTrigger=5, maxTriggerDelay="400ms"
    ) as query:
        query.plan()
        world.produce(topic, ["a"])
        assert not query.plan()
        deadline = time.monotonic() + WAIT
        while not query.plan():
            assert time.monotonic() < deadline
        assert query.positions(topic) == {0: 1}


def test_least_and_most_work_together(world: World) -> None:
    topic = world.topic()
    limits = {"minOffsetsPerTrigger": 5, "maxOffsetsPerTrigger": 7}
    with world.query(subscribe=topic, startingOffsets="earliest", **limits) as query:
        query.plan()
        world.produce(topic, numbers(10))
        assert query.batch() == numbers(7)
        assert not query.plan()


# ---------------------------------------------------------------- open transactions


def test_a_batch_ends_before_an_open_transaction(world: World) -> None:
    topic = world.topic()
    world.produce(topic, ["a"])
    producer = world.transaction(topic, ["b"], end="open", name="open-while-tracked")
    world.produce(topic, ["c"])
    with world.query(subscribe=topic, startingOffsets="earliest") as query:
        assert query.batch() == ["a"]
        assert not query.plan()
        producer.commit_transaction(WAIT)
        assert query.batch() == ["b", "c"]
    with world.query(
        subscribe=topic, startingOffsets="earliest", kafka_isolation_level="read_uncommitted"
    ) as query:
        assert query.batch() == ["a", "b", "c"]


# ---------------------------------------------------------------- availableNow


def test_available_now_ends_where_the_topics_ended(world: World) -> None:
    topic = world.topic(2)
    world.produce(topic, numbers(10))
    with world.query(
        subscribe=topic, startingOffsets="earliest", maxOffsetsPerTrigger=4, minOffsetsPerTrigger=3
    ) as query:
        query.tracker.fix_ends()
        world.produce(topic, ["late"])
        world.produce(topic, ["late"], partition=1)
        found = [query.batch(), query.batch(), query.batch()]
        assert [len(batch) for batch in found] == [4, 4, 2]  # the rest, however little
        assert not query.plan()
    with Query(world.bootstrap, end=query.end, subscribe=topic) as query:
        query.tracker.fix_ends()
        assert query.batch() == ["late", "late"]
        assert not query.plan()


def test_available_now_does_not_go_back_before_its_start(world: World) -> None:
    topic = world.topic()
    world.produce(topic, numbers(10))
    with world.query(subscribe=topic, startingOffsets="earliest") as query:
        query.tracker.fix_ends()
        world.produce(topic, numbers(5))
        query.plan()
        query.end["topics"][topic]["offsets"]["0"] = 12
        assert not query.plan()


def test_available_now_needs_its_topics_too(world: World) -> None:
    with world.query(subscribe="nowhere") as query:
        query.tracker.fix_ends()
        with pytest.raises(ClusterError, match="does not exist"):
            query.plan()


# ---------------------------------------------------------------- the group that looks on


def test_processed_offsets_are_committed_to_the_group(world: World) -> None:
    topic = world.topic(2)
    world.produce(topic, numbers(5))
    with world.query(subscribe=topic, startingOffsets="earliest", commitGroup="onlookers") as query:
        query.plan()
        assert committed(world, "onlookers") == {}  # not processed yet
        query.plan()
        assert committed(world, "onlookers") == {(topic, 0): 5, (topic, 1): 0}
        world.produce(topic, ["more"], partition=1)
        query.plan()
        query.plan()
        assert committed(world, "onlookers") == {(topic, 0): 5, (topic, 1): 1}


def test_a_group_that_refuses_does_not_stop_the_query(world: World, caplog: pytest.LogCaptureFixture) -> None:
    topic = world.topic()
    consumer = Consumer(
        {"bootstrap.servers": world.bootstrap, "group.id": "busy", "session.timeout.ms": 6000}
    )
    consumer.subscribe([topic])
    deadline = time.monotonic() + WAIT
    while not consumer.assignment():
        consumer.poll(0.1)
        assert time.monotonic() < deadline
    world.produce(topic, ["a"])
    with world.query(subscribe=topic, startingOffsets="earliest", commitGroup="busy") as query:
        assert query.batch() == ["a"]
        world.produce(topic, ["b"])
        assert query.batch() == ["b"]
        query.plan()
    consumer.close()
    assert caplog.text.count("group busy: offsets are not committed") == 1


def test_the_latest_offsets_are_there_for_the_lag(world: World) -> None:
    topic = world.topic()
    world.produce(topic, numbers(10))
    with world.query(subscribe=topic, startingOffsets="earliest", maxOffsetsPerTrigger=4) as query:
        assert query.tracker.latest() is None
        query.plan()
        latest = query.tracker.latest()
        assert latest is not None
        assert latest["topics"][topic]["offsets"] == {"0": 10}
        assert query.positions(topic) == {0: 4}
