"""DescribeProducers over replicas."""

from __future__ import annotations

from cluster_world import Cluster, Node

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_producers_request import DescribeProducersRequest, TopicRequest
from riverlog.protocol.generated.describe_producers_response import PartitionResponse


def asked(node: Node, topic: str) -> PartitionResponse:
    request = DescribeProducersRequest(topics=[TopicRequest(name=topic, partition_indexes=[0])])
    (answer,) = node.client().newest(ApiKey.DESCRIBE_PRODUCERS, request).topics[0].partitions
    assert isinstance(answer, PartitionResponse)
    return answer


def test_every_replica_tells_the_producers_it_has() -> None:
    cluster = Cluster()
    cluster.create("t")
    cluster.wait_isr("t", {1, 2, 3})
    cluster.produce("t", b"a", producer_id=7, epoch=2, sequence=0)
    assert cluster.run_until(
        lambda: all(node.broker.logs.logs["t", 0].high_watermark == 1 for node in cluster.alive)
    )
    for node in cluster.alive:
        answer = asked(node, "t")
        assert answer.error_code == 0
        assert [(row.producer_id, row.producer_epoch) for row in answer.active_producers] == [(7, 2)]


def test_a_broker_without_a_replica_says_so() -> None:
    cluster = Cluster()
    cluster.create("t", replicas=[1, 2])
    cluster.wait_isr("t", {1, 2})
    codes = {node.node_id: asked(node, "t").error_code for node in cluster.alive}
    assert codes == {1: 0, 2: 0, 3: ErrorCode.NOT_LEADER_OR_FOLLOWER}
