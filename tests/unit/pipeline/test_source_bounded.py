"""Batch reads: from one limit to another, settled once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from riverlog.pipeline import cluster
from riverlog.pipeline.bounded import plan_batch
from riverlog.pipeline.errors import ClusterError, DataLossError, OptionError
from riverlog.pipeline.options import Side
from riverlog.testing import broker
from tests.unit.pipeline.source_world import WAIT, World, options


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with broker() as node, World(node.bootstrap) as known:
        yield known


@pytest.fixture(scope="module")
def topic(world: World) -> str:
    """Two partitions of ten records each, one per second of 1970 from 00:16:40 on."""
    name = world.topic(2)
    for number in range(10):
        for partition in range(2):
            world.produce(name, [number], partition=partition, timestamp=1_000_000 + 1000 * number)
    return name


def ranges(world: World, topic: str, **given: object) -> dict[int, tuple[int, int]]:
    tasks = plan_batch(options(world.bootstrap, Side.BATCH_READ, subscribe=topic, **given))
    return {row.partition: (row.start, row.end) for task in tasks for row in task}


def per_partition(topic: str, first: int, second: int) -> str:
    return f'{{"{topic}":{{"0":{first},"1":{second}}}}}'


def test_a_batch_is_everything_there_is(world: World, topic: str) -> None:
    assert ranges(world, topic) == {0: (0, 10), 1: (0, 10)}


def test_limits_are_offsets(world: World, topic: str) -> None:
    starts, ends = per_partition(topic, 3, -2), per_partition(topic, -1, 4)
    assert ranges(world, topic, startingOffsets=starts, endingOffsets=ends) == {0: (3, 10), 1: (0, 4)}


def test_limits_are_times(world: World, topic: str) -> None:
    assert ranges(world, topic, startingTimestamp=1_002_500, endingTimestamp=1_008_000) == {
        0: (3, 8),
        1: (3, 8),
    }
    found = ranges(
        world,
        topic,
        startingOffsetsByTimestamp=per_partition(topic, 1_001_000, 1_002_000),
        endingOffsetsByTimestamp=per_partition(topic, 1_005_000, 9_000_000),
    )
    assert found == {0: (1, 5), 1: (2, 10)}


def test_an_end_after_all_records_is_latest(world: World, topic: str) -> None:
    assert ranges(world, topic, endingTimestamp=9_000_000) == {0: (0, 10), 1: (0, 10)}


def test_an_empty_range_has_no_task(world: World, topic: str) -> None:
    ends = per_partition(topic, 0, 5)
    assert ranges(world, topic, endingOffsets=ends) == {1: (0, 5)}


def test_a_start_behind_the_end_is_an_error(world: World, topic: str) -> None:
    with pytest.raises(OptionError, match=f"{topic}-0 is to be read from offset 7 to 3"):
        ranges(
            world,
            topic,
            startingOffsets=per_partition(topic, 7, 0),
            endingOffsets=per_partition(topic, 3, 10),
        )


def test_an_end_that_is_not_there_is_data_loss(world: World, topic: str) -> None:
    ends = per_partition(topic, 99, 10)
    with pytest.raises(DataLossError, match=r"the end of partition .*-0 is to be offset 99"):
        ranges(world, topic, endingOffsets=ends)
    assert ranges(world, topic, endingOffsets=ends, failOnDataLoss=False) == {0: (0, 10), 1: (0, 10)}


def test_a_batch_starts_where_a_group_is_else_at_the_earliest(world: World, topic: str) -> None:
    assert ranges(world, topic, startingOffsets="group:never-there") == {0: (0, 10), 1: (0, 10)}
    found = ranges(world, topic, startingOffsets="group:never-there", startingOffsetsByGroupStrategy="latest")
    assert found == {}


def test_tasks_are_cut_and_merged_as_options_say(world: World, topic: str) -> None:
    def sizes(**given: object) -> list[list[int]]:
        tasks = plan_batch(options(world.bootstrap, Side.BATCH_READ, subscribe=topic, **given))
        return [[row.size for row in task] for task in tasks]

    assert sizes() == [[10], [10]]
    assert sizes(minPartitions=4) == [[5], [5], [5], [5]]
    assert sizes(maxRecordsPerPartition=4) == [[3], [3], [4], [3], [3], [4]]
    assert sizes(maxTasks=1) == [[10, 10]]


def test_a_batch_ends_before_an_open_transaction(world: World) -> None:
    name = world.topic()
    world.produce(name, ["a"])
    producer = world.transaction(name, ["b"], end="open", name="open-for-a-batch")
    assert ranges(world, name) == {0: (0, 1)}
    assert ranges(world, name, kafka_isolation_level="read_uncommitted") == {0: (0, 2)}
    producer.abort_transaction(WAIT)


def test_what_is_not_there_is_one_clear_line(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SETTLE_SECONDS", 0.1)
    with pytest.raises(ClusterError, match="topic 'nowhere' does not exist; create it"):
        ranges(world, "nowhere")
    monkeypatch.setattr(cluster, "FIRST_CONTACT_SECONDS", 0.1)
    with pytest.raises(ClusterError, match=r"looking for topics at 127.0.0.1:1: .*connection refused"):
        plan_batch(options("127.0.0.1:1", Side.BATCH_READ, subscribe="t"))
