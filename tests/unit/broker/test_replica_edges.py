"""Rare turns of a replica's life: each was once a way to lose data or to stand still for ever."""

from __future__ import annotations

from broker_world import batch
from cluster_world import Cluster, Node

from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.delete_records_request import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
)
from riverlog.protocol.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from riverlog.replication import Partition


def replica(node: Node) -> Partition:
    found = node.broker.replicas.get("t", 0)
    assert isinstance(found, Partition), found
    return found


def contents(node: Node) -> list[bytes]:
    return [segment.file.read(0, segment.size) for segment in replica(node).log.segments]


def delete_records(node: Node, before: int) -> int:
    topic = DeleteRecordsTopic(
        name="t", partitions=[DeleteRecordsPartition(partition_index=0, offset=before)]
    )
    request = DeleteRecordsRequest(topics=[topic], timeout_ms=10_000)
    result = node.client().newest(ApiKey.DELETE_RECORDS, request).topics[0].partitions[0]
    return int(result.error_code)


def test_a_new_replica_of_a_log_that_starts_inside_a_batch() -> None:
    cluster = Cluster(3)
    cluster.create("t", replicas=[1, 2, 3])
    late = cluster.nodes[3]
    late.kill()
    cluster.wait_isr("t", {1, 2})
    leader = cluster.nodes[1]
    assert leader.client().produce("t", batch(b"a", b"b", b"c", b"d")).error_code == 0
    assert leader.client().produce("t", batch(b"e")).error_code == 0
    assert delete_records(leader, 2) == 0
    late.start()
    cluster.wait_isr("t", {1, 2, 3})
    assert cluster.run_until(lambda: replica(late).high_watermark == 5)
    assert replica(late).log.log_start_offset == 2
    assert contents(late) == contents(leader)
    late.kill()
    late.start()
    assert cluster.run_until(lambda: late.ready)
    assert replica(late).log.log_start_offset == 2
    assert cluster.produce("t", b"after") == 5


def test_a_replica_that_catches_up_takes_the_log_start_too() -> None:
    cluster = Cluster(3)
    cluster.create("t", replicas=[1, 2, 3])
    cluster.produce("t", b"value")
    late = cluster.nodes[3]
    late.kill()
    cluster.wait_isr("t", {1, 2})
    for _ in range(3):
        cluster.produce("t", b"value")
    assert delete_records(cluster.nodes[1], 1) == 0
    late.start()
    cluster.wait_isr("t", {1, 2, 3})
    assert cluster.run_until(lambda: replica(late).durable_log_start == 1)


def test_a_replica_cut_for_repair_takes_nothing_that_was_asked_for_before() -> None:
    """It would leave a hole: offsets that follow with a gap look like a compacted log."""
    cluster = Cluster(3)
    cluster.create("t", replicas=[1, 2, 3])
    for _ in range(6):
        cluster.produce("t", b"value")
    broken = cluster.nodes[3]
    cluster.run_for(0.1)  # a poll waits at the leader
    partition = replica(broken)
    fetchers = broken.broker.replicas.fetchers
    fetchers.repair(partition, 2)
    fetchers.left_in_sync_set(partition)
    assert partition.log.log_end_offset == 2
    cluster.produce("t", b"after")
    assert cluster.run_until(lambda: partition.log.log_end_offset == 7)
    assert contents(broken) == contents(cluster.nodes[1])


def test_a_replica_with_corrupt_data_does_not_lead_though_it_comes_first() -> None:
    cluster = Cluster(roles=["controller", "broker", "broker"])
    cluster.create("t", replicas=[2, 3], min_insync_replicas="2")
    for number in range(6):
        cluster.produce("t", b"value %d" % number)
    cluster.run_for(2.0)  # checkpoints
    good, broken = cluster.nodes[2], cluster.nodes[3]
    path = replica(broken).log.segments[0].file.path
    whole = contents(good)
    good.kill()
    broken.kill()
    cluster.run_for(20.0)  # both are fenced, the broken one last: it is what is left of the in-sync set
    inode = broken.media.file(path)
    for content in (inode.content, inode.durable):
        content[150] ^= 0x40
    broken.start()
    assert cluster.run_until(lambda: broken.ready)
    cluster.run_for(2.0)
    good.start()
    assert cluster.run_until(lambda: good.ready)
    cluster.wait_isr("t", {2, 3})
    assert cluster.run_until(lambda: contents(broken) == whole)
    assert contents(good) == whole


def delete_topic(node: Node) -> None:
    request = DeleteTopicsRequest(topics=[DeleteTopicState(name="t", topic_id=bytes(16))], timeout_ms=10_000)
    assert node.client().newest(ApiKey.DELETE_TOPICS, request).responses[0].error_code == 0


def test_what_is_left_of_a_topic_deleted_meanwhile_is_removed() -> None:
    cluster = Cluster(3)
    cluster.create("t", replicas=[1, 2, 3])
    cluster.produce("t", b"value")
    away = cluster.nodes[3]
    for again in (False, True):
        away.kill()
        cluster.wait_isr("t", {1, 2})
        delete_topic(cluster.nodes[1])
        if again:  # the name is used again, not by us
            cluster.create("t", replicas=[1, 2])
        away.start()
        assert cluster.run_until(lambda: away.ready)
        assert away.broker.logs.get("t", 0) is None
        cluster.run_for(1.0)
        assert not [name for name in away.disk.list_folder("/data") if name.startswith("t-")]
        if not again:
            cluster.create("t", replicas=[1, 2, 3])
            cluster.wait_isr("t", {1, 2, 3})


def test_a_proposal_names_the_life_of_the_follower_that_fetched() -> None:
    """Sent again later, it must not name one that started anew and may have lost what was fetched."""
    cluster = Cluster(3)
    cluster.create("t", replicas=[1, 2, 3])
    leader = cluster.nodes[1]
    in_sync = replica(leader).in_sync
    cluster.wait_isr("t", {1, 2, 3})
    assert cluster.run_until(lambda: in_sync.followers[3].broker_epoch >= 0 and in_sync.pending is None)
    fetched = in_sync.followers[3].broker_epoch
    proposal = in_sync.propose((1, 2, 3), replica(leader).leader_epoch)
    in_sync.followers[3].broker_epoch = fetched + 1000
    request = leader.broker.replicas.isr_changes._request({replica(leader): proposal})
    members = {one.broker_id: one.broker_epoch for one in request.topics[0].partitions[0].new_isr_with_epochs}
    assert members[3] == fetched
    assert members[1] == leader.broker.broker_epoch
