"""What a log reads from disk only when needed: if that fails, the folder goes offline, not the broker."""

from __future__ import annotations

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_producers_request import DescribeProducersRequest, TopicRequest
from riverlog.protocol.generated.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from riverlog.protocol.generated.offset_for_leader_epoch_request import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)
from riverlog.sim.disk import Fault
from riverlog.storage.errors import LogError
from tests.unit.broker.broker_world import World, batch, fetch_request


def started_again(*unreadable: str) -> World:
    """A broker after a clean stop: nothing of the log was needed yet."""
    world = World()
    client = world.client()
    client.create("t")
    client.produce("t", batch(b"a"))
    world.stop()
    world.start()
    world.setup.faults.extend(Fault("read", name) for name in unreadable)
    return world


def test_a_fetch_that_finds_the_epochs_unreadable_is_refused() -> None:
    world = started_again("leader-epoch-checkpoint")
    client = world.client()
    request = fetch_request("t", 0)
    request.topics[0].partitions[0].last_fetched_epoch = 0
    answer = client.call(ApiKey.FETCH, 12, request).responses[0].partitions[0]
    assert answer.error_code == ErrorCode.KAFKA_STORAGE_ERROR
    assert world.broker.logs.logs["t", 0].offline is not None
    assert client.fetch("t", 0).error_code == ErrorCode.KAFKA_STORAGE_ERROR
    assert client.closed is None


def test_readers_of_unreadable_state_get_an_error_of_the_log() -> None:
    for name, read in (
        ("leader-epoch-checkpoint", lambda log: log.end_offset_for_epoch(0)),
        (".snapshot", lambda log: log.last_stable_offset),
    ):
        log = started_again(name).broker.logs.logs["t", 0]
        with pytest.raises(LogError) as refused:
            read(log)
        assert refused.value.code == ErrorCode.KAFKA_STORAGE_ERROR
        assert log.offline is not None


def list_offsets_request(timestamp: int) -> ListOffsetsRequest:
    wanted = ListOffsetsPartition(partition_index=0, current_leader_epoch=-1, timestamp=timestamp)
    topic = ListOffsetsTopic(name="t", partitions=[wanted])
    return ListOffsetsRequest(replica_id=-1, isolation_level=1, topics=[topic])


def test_requests_that_find_state_unreadable_are_refused_and_the_broker_goes_on() -> None:
    epoch = OffsetForLeaderPartition(partition=0, current_leader_epoch=-1, leader_epoch=-5)
    by_epoch = OffsetForLeaderEpochRequest(topics=[OffsetForLeaderTopic(topic="t", partitions=[epoch])])
    producers = DescribeProducersRequest(topics=[TopicRequest(name="t", partition_indexes=[0])])
    for name, key, version, request in (
        (".snapshot", ApiKey.LIST_OFFSETS, 7, list_offsets_request(-1)),
        ("leader-epoch-checkpoint", ApiKey.LIST_OFFSETS, 7, list_offsets_request(-2)),
        (".snapshot", ApiKey.FETCH, 12, fetch_request("t", 0)),
        ("leader-epoch-checkpoint", ApiKey.OFFSET_FOR_LEADER_EPOCH, 4, by_epoch),
        (".snapshot", ApiKey.DESCRIBE_PRODUCERS, 0, producers),
    ):
        world = started_again(name)
        client = world.client()
        response = client.call(key, version, request)
        topic = (response.responses if key == ApiKey.FETCH else response.topics)[0]
        assert topic.partitions[0].error_code == ErrorCode.KAFKA_STORAGE_ERROR, (name, key)
        assert world.broker.logs.logs["t", 0].offline is not None
        assert client.closed is None


def test_a_write_that_finds_the_producers_unreadable_is_refused() -> None:
    world = started_again(".snapshot")
    client = world.client()
    answer = client.produce("t", batch(b"b", producer_id=7, epoch=0, sequence=0))
    assert answer.error_code == ErrorCode.KAFKA_STORAGE_ERROR
    assert client.closed is None
