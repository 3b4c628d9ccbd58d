"""What readers of committed data get while transactions are open, and what an operator sees of them."""

from __future__ import annotations

import pytest
from broker_world import Client, World, batch, fetch_request
from cluster_world import Cluster

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_response
from riverlog.protocol.generated.describe_producers_request import DescribeProducersRequest, TopicRequest
from riverlog.protocol.generated.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from riverlog.records import BatchBuilder, decode_records, iter_headers, read_header
from riverlog.replication import Partition
from riverlog.storage import UNVERIFIED

READ_COMMITTED = 1
LATEST = -1
MAX_TIMESTAMP = -3


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def client(world: World) -> Client:
    client = world.client()
    client.create("t")
    return client


def partition_of(world: World) -> Partition:
    found = world.broker.replicas.led("t", 0)
    assert not isinstance(found, ErrorCode)
    return found


def send(world: World, sequence: int, *, producer_id: int = 5, timestamp: int | None = None) -> None:
    builder = BatchBuilder(
        producer_id=producer_id, producer_epoch=0, base_sequence=sequence, transactional=True
    )
    when = world.clock.now_ms() if timestamp is None else timestamp
    builder.append(timestamp=when, key=None, value=b"%d/%d" % (producer_id, sequence))
    data = bytearray(builder.build())
    partition_of(world).append(memoryview(data), read_header(data, 0), world.clock.now_ms(), UNVERIFIED)
    world.scheduler.run_for(0.1)


def end(world: World, *, committed: bool, producer_id: int = 5, coordinator_epoch: int = 3) -> None:
    partition_of(world).append_marker(
        producer_id,
        0,
        coordinator_epoch=coordinator_epoch,
        committed=committed,
        transaction_version=1,
        now_ms=world.clock.now_ms(),
    )


def listed(client: Client, timestamp: int, isolation_level: int) -> int:
    wanted = ListOffsetsPartition(partition_index=0, timestamp=timestamp)
    request = ListOffsetsRequest(
        replica_id=-1,
        isolation_level=isolation_level,
        topics=[ListOffsetsTopic(name="t", partitions=[wanted])],
    )
    answer = client.newest(ApiKey.LIST_OFFSETS, request).topics[0].partitions[0]
    assert answer.error_code == 0
    offset: int = answer.offset
    return offset


def values(data: bytes) -> list[bytes | None]:
    return [
        record.value
        for position, header in iter_headers(data)
        if not header.is_control
        for record in decode_records(data, position, header, max_bytes=1 << 20)
    ]


def test_reader_of_committed_data_stops_before_an_open_transaction(world: World, client: Client) -> None:
    client.produce("t", batch(b"plain"))
    send(world, 0)
    client.produce("t", batch(b"more"))
    committed = client.fetch("t", 0, isolation_level=READ_COMMITTED)
    assert (committed.high_watermark, committed.last_stable_offset) == (3, 1)
    assert values(committed.records) == [b"plain"]
    assert committed.aborted_transactions == []
    everything = client.fetch("t", 0)
    assert values(everything.records) == [b"plain", b"5/0", b"more"]
    assert everything.aborted_transactions is None


def test_parked_reader_is_woken_by_the_marker(world: World, client: Client) -> None:
    send(world, 0)
    client.produce("t", batch(b"more"))
    reader = world.client()
    reader.post(ApiKey.FETCH, 12, fetch_request("t", 0, isolation_level=READ_COMMITTED, max_wait_ms=60_000))
    world.scheduler.run_for(1)
    assert reader.frames == []
    end(world, committed=False)
    assert world.run_until(lambda: bool(reader.frames))
    assert world.scheduler.now < 30
    data = decode_response(ApiKey.FETCH, 12, memoryview(reader.frames[0]))[1].responses[0].partitions[0]
    assert data.last_stable_offset == 3
    assert [(one.producer_id, one.first_offset) for one in data.aborted_transactions] == [(5, 0)]


def test_abort_is_told_with_every_piece_of_the_transaction(world: World, client: Client) -> None:
    for sequence in range(6):
        send(world, sequence)
    end(world, committed=False)
    client.produce("t", batch(b"after"))
    offset = 0
    seen: list[int] = []
    while offset < 6:
        data = client.fetch("t", offset, isolation_level=READ_COMMITTED, partition_max_bytes=1)
        assert [(one.producer_id, one.first_offset) for one in data.aborted_transactions] == [(5, 0)]
        (*_, (_, last)) = iter_headers(data.records)
        offset = last.next_offset
        seen.append(offset)
    assert seen == [1, 2, 3, 4, 5, 6]
    assert client.fetch("t", 7, isolation_level=READ_COMMITTED).aborted_transactions == []


def test_latest_offset_of_committed_data_is_the_last_stable_one(world: World, client: Client) -> None:
    client.produce("t", batch(b"plain"))
    send(world, 0, timestamp=world.clock.now_ms() + 1000)
    assert listed(client, LATEST, 0) == 2
    assert listed(client, LATEST, READ_COMMITTED) == 1
    assert listed(client, MAX_TIMESTAMP, 0) == 1
    assert listed(client, MAX_TIMESTAMP, READ_COMMITTED) == -1
    assert listed(client, world.clock.now_ms() + 500, READ_COMMITTED) == -1
    end(world, committed=True)
    assert listed(client, LATEST, READ_COMMITTED) == 3
    assert listed(client, MAX_TIMESTAMP, READ_COMMITTED) == 1


def test_open_transaction_is_seen_by_an_operator(world: World, client: Client) -> None:
    send(world, 0)
    end(world, committed=True)
    client.produce("t", batch(b"plain"))
    send(world, 1)
    topic = TopicRequest(name="t", partition_indexes=[0])
    answer = client.newest(ApiKey.DESCRIBE_PRODUCERS, DescribeProducersRequest(topics=[topic]))
    (state,) = answer.topics[0].partitions[0].active_producers
    assert (state.producer_id, state.producer_epoch, state.last_sequence) == (5, 0, 1)
    assert (state.coordinator_epoch, state.current_txn_start_offset) == (3, 3)
    end(world, committed=False)
    answer = client.newest(ApiKey.DESCRIBE_PRODUCERS, DescribeProducersRequest(topics=[topic]))
    assert answer.topics[0].partitions[0].active_producers[0].current_txn_start_offset == -1


def test_open_transaction_survives_a_kill(world: World, client: Client) -> None:
    send(world, 0)
    world.kill()
    world.start()
    reader = world.client()
    reader.produce("t", batch(b"more"))
    data = reader.fetch("t", 0, isolation_level=READ_COMMITTED, max_wait_ms=0)
    assert (data.high_watermark, data.last_stable_offset) == (2, 0)
    end(world, committed=True)
    data = reader.fetch("t", 0, isolation_level=READ_COMMITTED, max_wait_ms=1000)
    assert values(data.records) == [b"5/0", b"more"]


def test_follower_serves_committed_data_up_to_its_own_last_stable_offset() -> None:
    cluster = Cluster(3)
    cluster.create("t", replicas=[1, 2])
    leader, follower = cluster.nodes[1], cluster.nodes[2]
    assert cluster.wait_leader("t") is leader
    cluster.produce("t", b"plain")
    led = leader.broker.replicas.led("t", 0)
    assert not isinstance(led, ErrorCode)
    builder = BatchBuilder(producer_id=5, producer_epoch=0, base_sequence=0, transactional=True)
    builder.append(timestamp=leader.clock.now_ms(), key=None, value=b"in doubt")
    data = bytearray(builder.build())
    led.append(memoryview(data), read_header(data, 0), leader.clock.now_ms(), UNVERIFIED)
    reader = follower.client()

    def seen() -> tuple[int, int, list[tuple[int, int]]]:
        got = reader.fetch("t", 0, isolation_level=READ_COMMITTED, max_wait_ms=0)
        assert got.error_code == 0
        told = [(one.producer_id, one.first_offset) for one in got.aborted_transactions]
        return got.high_watermark, got.last_stable_offset, told

    assert cluster.run_until(lambda: seen()[0] == 2)
    assert seen() == (2, 1, [])
    now_ms = leader.clock.now_ms()
    led.append_marker(5, 1, coordinator_epoch=0, committed=False, transaction_version=2, now_ms=now_ms)
    assert cluster.run_until(lambda: seen()[1] == 3)
    assert seen() == (3, 3, [(5, 1)])
