"""Replicas in a small cluster: what is acknowledged survives, who falls behind leaves and returns."""

from __future__ import annotations

import pytest
from broker_world import batch, produce_request
from cluster_world import Cluster, Node

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from riverlog.protocol.generated.delete_records_request import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
)
from riverlog.protocol.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from riverlog.protocol.generated.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from riverlog.replication import Partition


def replica(node: Node, topic: str, index: int = 0) -> Partition:
    found = node.broker.replicas.get(topic, index)
    assert isinstance(found, Partition), found
    return found


def ends(cluster: Cluster, topic: str) -> list[tuple[int, int]]:
    """Log end and watermark of every living replica."""
    found = []
    for node in cluster.alive:
        partition = replica(node, topic)
        found.append((partition.log.log_end_offset, partition.high_watermark))
    return found


def test_what_is_acknowledged_is_on_every_in_sync_replica() -> None:
    cluster = Cluster(3)
    cluster.create("t", min_insync_replicas="2")
    for number in range(5):
        assert cluster.produce("t", b"value") == number
        durable = [replica(node, "t").log.durable_end for node in cluster.alive]
        assert min(durable) > number
    assert cluster.run_until(lambda: ends(cluster, "t") == [(5, 5)] * 3)


def test_a_new_leader_has_all_that_was_acknowledged() -> None:
    cluster = Cluster(3)
    cluster.create("t", min_insync_replicas="2")
    for number in range(4):
        cluster.produce("t", b"%d" % number)
    first = cluster.wait_leader("t")
    first.kill()
    second = cluster.wait_leader("t")
    assert second is not first
    assert cluster.produce("t", b"after") == 4
    assert cluster.fetch("t", 0).high_watermark == 5
    first.start()
    cluster.wait_isr("t", {1, 2, 3})
    assert cluster.run_until(lambda: ends(cluster, "t") == [(5, 5)] * 3)


def test_a_tail_that_only_the_old_leader_had_is_cut_when_it_returns() -> None:
    cluster = Cluster(3)
    cluster.create("t", min_insync_replicas="2")
    cluster.produce("t", b"kept")
    first = cluster.wait_leader("t")
    cluster.network.isolate(first)
    client = first.client()
    assert client.produce("t", batch(b"lost", b"lost"), acks=1).error_code == 0
    assert replica(first, "t").log.log_end_offset == 3
    assert cluster.run_until(
        lambda: any(node is not first and replica(node, "t").is_leader for node in cluster.alive)
    )
    others = [node for node in cluster.alive if node is not first]
    (second,) = [node for node in others if replica(node, "t").is_leader]
    assert second.client().produce("t", batch(b"new")).error_code == 0
    cluster.network.heal()
    cluster.wait_isr("t", {1, 2, 3})
    assert cluster.run_until(lambda: ends(cluster, "t") == [(2, 2)] * 3)
    data = [replica(node, "t").log.segments[0].file.read(0, 1 << 16) for node in cluster.alive]
    assert data[0] == data[1] == data[2]


def test_writes_are_refused_while_too_few_replicas_are_in_sync() -> None:
    cluster = Cluster(3)
    cluster.create("t", replicas=[1, 2], min_insync_replicas="2")
    cluster.produce("t", b"value")
    leader, other = cluster.nodes[1], cluster.nodes[2]
    assert cluster.wait_leader("t") is leader
    other.kill()
    cluster.wait_isr("t", {1})
    assert cluster.run_until(lambda: replica(leader, "t").is_under_min_isr)
    assert leader.client().produce("t", batch(b"refused")).error_code == ErrorCode.NOT_ENOUGH_REPLICAS
    assert leader.client().produce("t", batch(b"taken"), acks=1).error_code == 0
    cluster.run_for(1.0)
    assert replica(leader, "t").log.durable_end == 2
    assert replica(leader, "t").high_watermark == 1
    other.start()
    cluster.wait_isr("t", {1, 2})
    assert cluster.run_until(lambda: replica(leader, "t").high_watermark == 2)


def test_a_batch_does_not_overtake_one_of_its_producer_that_was_refused() -> None:
    """Seed cluster-faults-518: of a producer that the log does not know any sequence would be taken."""
    cluster = Cluster(3)
    cluster.create("t", replicas=[1, 2], min_insync_replicas="2")
    leader, other = cluster.nodes[1], cluster.nodes[2]
    assert cluster.wait_leader("t") is leader

    def send(sequence: int) -> int:
        data = batch(b"%d" % sequence, producer_id=7, epoch=0, sequence=sequence)
        return int(leader.client().produce("t", data).error_code)

    other.kill()
    cluster.wait_isr("t", {1})
    assert cluster.run_until(lambda: replica(leader, "t").is_under_min_isr)
    assert send(0) == ErrorCode.NOT_ENOUGH_REPLICAS
    other.start()
    cluster.wait_isr("t", {1, 2})
    assert send(1) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert [send(0), send(1), send(2)] == [0, 0, 0]
    assert replica(leader, "t").log.log_end_offset == 3


def test_a_write_under_way_fails_when_too_few_replicas_are_left() -> None:
    cluster = Cluster(3)
    cluster.create("t", replicas=[1, 2], min_insync_replicas="2")
    cluster.produce("t", b"value")
    leader, other = cluster.nodes[1], cluster.nodes[2]
    cluster.network.isolate(other)
    request = produce_request("t", batch(b"appended"))
    request.timeout_ms = 50_000
    got = leader.client().call(ApiKey.PRODUCE, 9, request).responses[0].partition_responses[0]
    assert got.error_code == ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND
    assert replica(leader, "t").log.log_end_offset == 2
    assert replica(leader, "t").high_watermark == 1


def test_a_follower_that_stands_still_leaves_the_in_sync_set_and_comes_back() -> None:
    cluster = Cluster(3, replica_lag_time_max_ms="2000")
    cluster.create("t", replicas=[1, 2, 3], min_insync_replicas="2")
    cluster.produce("t", b"value")
    lazy = cluster.nodes[3]
    lazy.broker.replicas.fetchers.remove(replica(lazy, "t"))
    got = cluster.nodes[1].client().produce("t", batch(b"more"))
    assert (got.error_code, got.base_offset) == (0, 1)  # once it left
    cluster.wait_isr("t", {1, 2})
    lazy.broker.replicas.fetchers.follow(replica(lazy, "t"))
    cluster.wait_isr("t", {1, 2, 3})


def test_the_wrong_broker_tells_who_leads() -> None:
    cluster = Cluster(3)
    topic_id = cluster.create("t", replicas=[1, 2])
    cluster.produce("t", b"value")
    state = cluster.partition("t")
    assert state is not None
    for node in (cluster.nodes[2], cluster.nodes[3]):
        client = node.client()
        data = PartitionProduceData(index=0, records=batch(b"x"))
        request = ProduceRequest(
            acks=-1, timeout_ms=1000, topic_data=[TopicProduceData(topic_id=topic_id, partition_data=[data])]
        )
        response = client.call(ApiKey.PRODUCE, 13, request)
        answer = response.responses[0].partition_responses[0]
        assert answer.error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER
        assert (answer.current_leader.leader_id, answer.current_leader.leader_epoch) == (
            1,
            state.leader_epoch,
        )
        assert [(one.node_id, one.host) for one in response.node_endpoints] == [(1, "node1")]
    wanted = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1 << 20)
    request = FetchRequest(
        max_wait_ms=0, session_epoch=-1, topics=[FetchTopic(topic_id=topic_id, partitions=[wanted])]
    )
    response = cluster.nodes[3].client().call(ApiKey.FETCH, 17, request)
    assert response.responses[0].partitions[0].error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert response.responses[0].partitions[0].current_leader.leader_id == 1
    assert [one.node_id for one in response.node_endpoints] == [1]


def test_deleted_records_are_deleted_on_every_replica_before_the_answer() -> None:
    cluster = Cluster(3)
    cluster.create("t")
    for _ in range(3):
        cluster.produce("t", b"value")
    topic = DeleteRecordsTopic(name="t", partitions=[DeleteRecordsPartition(partition_index=0, offset=2)])
    request = DeleteRecordsRequest(topics=[topic], timeout_ms=10_000)
    response = cluster.wait_leader("t").client().newest(ApiKey.DELETE_RECORDS, request)
    result = response.topics[0].partitions[0]
    assert (result.error_code, result.low_watermark) == (0, 2)
    for node in cluster.alive:
        assert replica(node, "t").log.log_start_offset == 2
        assert replica(node, "t").durable_log_start == 2 or replica(node, "t").is_leader


def test_a_follower_behind_the_log_start_begins_there() -> None:
    cluster = Cluster(3)
    cluster.create("t", replicas=[1, 2, 3])
    cluster.produce("t", b"value")
    late = cluster.nodes[3]
    late.kill()
    cluster.wait_isr("t", {1, 2})
    for _ in range(3):
        cluster.produce("t", b"value")
    topic = DeleteRecordsTopic(name="t", partitions=[DeleteRecordsPartition(partition_index=0, offset=3)])
    request = DeleteRecordsRequest(topics=[topic], timeout_ms=10_000)
    response = cluster.nodes[1].client().newest(ApiKey.DELETE_RECORDS, request)
    assert response.topics[0].partitions[0].error_code == 0
    late.start()
    cluster.wait_isr("t", {1, 2, 3})
    assert replica(late, "t").log.log_start_offset == 3
    assert cluster.run_until(lambda: ends(cluster, "t") == [(4, 4)] * 3)


def test_clients_are_sent_to_a_replica_in_their_rack_and_read_there() -> None:
    cluster = Cluster(
        3, start=False, replica_selector_class="org.apache.kafka.common.replica.RackAwareReplicaSelector"
    )
    for node in cluster.nodes.values():
        node.static["broker.rack"] = f"rack{node.node_id}"
        node.start()
    assert cluster.run_until(lambda: all(node.ready for node in cluster.nodes.values()))
    topic_id = cluster.create("t", replicas=[1, 2, 3])
    cluster.produce("t", b"value")

    def fetch(node: Node, rack: str) -> object:
        wanted = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1 << 20)
        topics = [FetchTopic(topic_id=topic_id, partitions=[wanted])]
        request = FetchRequest(max_wait_ms=5000, min_bytes=1, session_epoch=-1, rack_id=rack, topics=topics)
        return node.client().call(ApiKey.FETCH, 17, request).responses[0].partitions[0]

    data = fetch(cluster.nodes[1], "rack2")
    assert (data.preferred_read_replica, bytes(data.records)) == (2, b"")
    data = fetch(cluster.nodes[2], "rack2")
    assert (data.error_code, data.high_watermark) == (0, 1)
    assert len(data.records) > 0
    data = fetch(cluster.nodes[1], "rack1")
    assert data.preferred_read_replica == -1
    assert len(data.records) > 0
    cluster.nodes[2].kill()
    in_sync = replica(cluster.nodes[1], "t").in_sync
    assert cluster.run_until(lambda: in_sync.isr == (1, 3))
    cluster.nodes[1].broker.metadata.image.brokers[2].fenced = False  # alive, and behind
    assert fetch(cluster.nodes[1], "rack2").preferred_read_replica == -1


def test_a_new_leader_does_not_wait_for_a_poll_to_come_back() -> None:
    cluster = Cluster(3, replica_fetch_wait_max_ms="20000")
    cluster.create("first")
    cluster.produce("first", b"value")
    cluster.run_for(3.0)  # every follower waits in a long poll now
    cluster.create("second", replicas=[node.node_id for node in order_by_leader(cluster, "first")])
    started = cluster.scheduler.now
    got = cluster.wait_leader("second").client().produce("second", batch(b"value"))
    assert got.error_code == 0
    assert cluster.scheduler.now - started < 1.0


def order_by_leader(cluster: Cluster, topic: str) -> list[Node]:
    """The leader of a topic first."""
    leader = cluster.wait_leader(topic)
    return [leader, *(node for node in cluster.alive if node is not leader)]


def reassign(cluster: Cluster, topic: str, replicas: list[int]) -> None:
    partition = ReassignablePartition(partition_index=0, replicas=replicas)
    request = AlterPartitionReassignmentsRequest(
        timeout_ms=10_000, topics=[ReassignableTopic(name=topic, partitions=[partition])]
    )
    response = cluster.any_client().newest(ApiKey.ALTER_PARTITION_REASSIGNMENTS, request)
    assert (response.error_code, response.responses[0].partitions[0].error_code) == (0, 0), response


def test_a_reassigned_partition_is_copied_and_its_old_replica_removed() -> None:
    cluster = Cluster(4)
    cluster.create("t", replicas=[1, 2, 3])
    for number in range(5):
        cluster.produce("t", b"%d" % number)
    reassign(cluster, "t", [4, 2, 3])
    assert cluster.run_until(
        lambda: (
            (state := cluster.partition("t")) is not None
            and (state.replicas, state.adding_replicas, state.removing_replicas) == ((4, 2, 3), (), ())
        )
    )
    assert cluster.produce("t", b"after") == 5
    assert cluster.run_until(lambda: cluster.nodes[1].broker.logs.get("t", 0) is None)
    assert cluster.nodes[1].broker.replicas.get("t", 0) is ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert replica(cluster.nodes[4], "t").log.log_end_offset == 6


def test_a_replica_that_was_taken_away_while_its_broker_was_down_is_removed() -> None:
    cluster = Cluster(4)
    cluster.create("t", replicas=[1, 2, 4])
    cluster.produce("t", b"value")
    away = cluster.nodes[4]
    away.kill()
    cluster.wait_isr("t", {1, 2})
    reassign(cluster, "t", [1, 2, 3])
    assert cluster.run_until(
        lambda: (state := cluster.partition("t")) is not None and state.replicas == (1, 2, 3)
    )
    away.start()
    assert cluster.run_until(lambda: away.ready)
    assert away.broker.logs.get("t", 0) is None


def test_a_corrupt_replica_is_fetched_again(caplog: pytest.LogCaptureFixture) -> None:
    cluster = Cluster(3)
    cluster.create("t", replicas=[1, 2, 3], min_insync_replicas="2")
    for number in range(6):
        cluster.produce("t", b"value %d" % number)
    cluster.run_for(2.0)  # checkpoints
    broken = cluster.nodes[3]
    path = replica(broken, "t").log.segments[0].file.path
    broken.kill()
    cluster.wait_isr("t", {1, 2})
    inode = broken.media.file(path)
    for content in (inode.content, inode.durable):
        content[150] ^= 0x40
    broken.start()
    cluster.wait_isr("t", {1, 2, 3})
    assert cluster.run_until(lambda: ends(cluster, "t") == [(6, 6)] * 3)
    whole = [replica(node, "t").log.segments[0].file.read(0, 1 << 16) for node in cluster.alive]
    assert whole[0] == whole[1] == whole[2]
    assert "t-0 is fetched again from 2 on" in caplog.text
