"""The batch behind one that was refused because the broker did not lead yet, or knew no such topic."""

from __future__ import annotations

from broker_world import World, batch
from cluster_world import Cluster

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData


def numbered(sequence: int) -> bytes:
    return batch(b"%d" % sequence, producer_id=7, epoch=0, sequence=sequence)


def test_new_leader_waits_for_what_it_refused_as_a_follower() -> None:
    cluster = Cluster(3)
    cluster.create("t", replicas=[1, 2])
    leader, follower = cluster.nodes[1], cluster.nodes[2]
    assert cluster.wait_leader("t") is leader
    refused = follower.client().produce("t", numbered(0))
    assert refused.error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER
    leader.kill()
    assert cluster.run_until(lambda: not isinstance(follower.broker.replicas.led("t", 0), ErrorCode))
    client = follower.client()
    assert client.produce("t", numbered(1)).error_code == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert [client.produce("t", numbered(n)).error_code for n in range(3)] == [0, 0, 0]


def test_new_topic_waits_for_what_was_refused_before_it_was_here() -> None:
    world = World()
    client = world.client()
    assert client.produce("t", numbered(0)).error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    client.create("t")
    assert client.produce("t", numbered(1)).error_code == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert [client.produce("t", numbered(n)).error_code for n in range(3)] == [0, 0, 0]


def test_garbage_that_is_refused_is_not_looked_at() -> None:
    world = World()
    client = world.client()
    for records in (None, b"", b"x" * 20, b"\x00" * 100):
        data = PartitionProduceData(index=0, records=records)
        topic = TopicProduceData(name="none", partition_data=[data])
        request = ProduceRequest(acks=-1, timeout_ms=1000, topic_data=[topic])
        answer = client.call(ApiKey.PRODUCE, 9, request).responses[0].partition_responses[0]
        assert answer.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def test_producers_are_forgotten_when_the_setting_says() -> None:
    world = World(producer_id_expiration_ms="5000", producer_id_expiration_check_interval_ms="1000")
    client = world.client()
    client.create("t")
    found = world.broker.replicas.led("t", 0)
    assert not isinstance(found, ErrorCode)
    assert found.log.config.producer_id_expiration_ms == 5000
    data = batch(b"v", producer_id=7, epoch=0, sequence=0, timestamp=world.clock.now_ms())
    assert client.produce("t", data).error_code == 0
    assert world.run_until(lambda: not found.log.producers.entries)
