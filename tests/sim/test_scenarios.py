"""Bugs of other systems, played again here: the end of ``INVARIANTS.md``."""

from __future__ import annotations

import pytest
from stage import Stage

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.init_producer_id_request import InitProducerIdRequest

pytestmark = [pytest.mark.sim, pytest.mark.timeout(120)]
SEEDS = range(1, 4)


@pytest.mark.parametrize("seed", SEEDS)
def test_kip_101_restart_before_the_watermark_is_known_loses_nothing(seed: int) -> None:
    """A follower has a committed record, does not know it is committed, restarts and becomes the leader."""
    stage = Stage("KIP-101", seed=seed)
    stage.create("t", replicas=[1, 2, 3])
    leader, follower = stage.cluster.node(1), stage.cluster.node(2)
    assert stage.produce("t") is ErrorCode.NONE
    stage.isolate(stage.cluster.node(3))
    stage.wait_for_isr("t", 1, 2)
    assert stage.produce("t") is ErrorCode.NONE
    follower.kill()  # before the next fetch brings the new watermark
    stage.start(follower)
    stage.run_for(0.05)
    leader.kill()
    stage.heal()
    stage.wait(lambda: follower.serving, "the follower serves")
    stage.wait_for_leader("t", other_than=leader)
    stage.check_all("t")
    assert len(stage.read("t")) == 2


@pytest.mark.parametrize("seed", SEEDS)
def test_kip_279_fast_failover_leaves_no_diverging_logs(seed: int) -> None:
    """Leaders that die one after another, each with a tail of its own: the logs become one again."""
    stage = Stage("KIP-279", seed=seed)
    stage.create("t", replicas=[1, 2, 3])
    assert stage.produce("t") is ErrorCode.NONE
    for _ in range(4):
        leader = stage.wait_for_leader("t")
        stage.isolate(leader)
        stage.produce("t", to=leader, acks=1)  # a tail that nobody else gets
        stage.produce("t", to=leader, acks=1)
        other = stage.wait_for_leader("t", other_than=leader)
        stage.produce("t", to=other, acks=1)
        leader.kill()
        stage.heal()
        stage.start(leader)
        stage.run_for(0.5)
        stage.produce("t")
    stage.check_all("t")
    ends = {node.broker.partition("t", 0).log.log_end_offset for node in stage.cluster.nodes}  # type: ignore[union-attr]
    assert len(ends) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_kip_320_a_consumer_learns_of_truncation(seed: int) -> None:
    """A consumer that followed a tail which no leader kept is told where its epoch ended."""
    stage = Stage("KIP-320", seed=seed)
    stage.create("t", replicas=[1, 2, 3])
    old = stage.cluster.node(1)
    for _ in range(3):
        assert stage.produce("t") is ErrorCode.NONE
    old_epoch = stage.state("t").leader_epoch
    stage.isolate(old)
    new = stage.wait_for_leader("t", other_than=old)
    assert stage.produce("t", to=new) is ErrorCode.NONE
    ahead = stage.fetch("t", node=new, offset=4, epoch=old_epoch)
    assert ahead.diverging_epoch.end_offset == 3
    assert ahead.diverging_epoch.epoch == old_epoch
    stale = stage.fetch("t", node=old, offset=0)
    assert stale.high_watermark <= 3  # the old leader shows nothing of its own
    stage.check_all("t")


@pytest.mark.parametrize("seed", SEEDS)
def test_kip_966_the_last_replica_standing_keeps_a_committed_record(seed: int) -> None:
    """ISR shrinks to one, that one restarts uncleanly: nobody who lacks records leads meanwhile."""
    stage = Stage("KIP-966", seed=seed)
    stage.create("t", replicas=[1, 2, 3])
    one, two, three = stage.cluster.nodes
    assert stage.produce("t") is ErrorCode.NONE
    three.kill()
    stage.wait_for_isr("t", 1, 2)
    for _ in range(3):
        assert stage.produce("t") is ErrorCode.NONE
    two.kill()
    stage.start(three)
    stage.wait(lambda: three.serving, "n3 serves")
    assert stage.state("t").leader in (-1, 1)
    refused = stage.produce("t", to=one, timeout_ms=1_000) if one.serving else None
    assert refused is not ErrorCode.NONE or 3 in stage.state("t").isr
    stage.power(one)
    stage.run_for(5.0)
    state = stage.state("t")
    if state.leader == 3:
        assert 3 in stage.watch.histories[stage.topics["t"].topic_id, 0].leaders.values()
    stage.start(two)
    stage.run_for(1.0)
    stage.start(one)
    stage.check_all("t")
    assert len(stage.read("t")) >= 4


def test_kafka_15552_producer_ids_are_unique_over_controller_failovers() -> None:
    stage = Stage("KAFKA-15552", settings={"internal.producer.id.block.size": "10"})
    given: list[int] = []
    for round_number in range(4):
        for _ in range(6):
            for node in stage.cluster.nodes:
                if node.serving:
                    request = InitProducerIdRequest(transactional_id=None)
                    answer = stage.ask(node, ApiKey.INIT_PRODUCER_ID, 4, request)
                    if answer is not None and not answer.error_code:
                        given.append(answer.producer_id)
        leader_id = stage.serving().broker.metadata.raft.leader_id  # type: ignore[union-attr]
        if leader_id is None:
            continue
        active = stage.cluster.node(leader_id)
        if round_number % 2:
            stage.power(active)
        else:
            active.kill()
        stage.run_for(2.0)
        stage.start(active)
        stage.wait(lambda: all(node.serving for node in stage.cluster.nodes), "all serve")
    assert len(given) > 30
    assert len(set(given)) == len(given)


@pytest.mark.parametrize("seed", SEEDS)
def test_kafka_15353_the_in_sync_set_is_never_empty_under_a_leader(seed: int) -> None:
    """Brokers restart while their leader proposes them: the checker of metadata looks at every record."""
    stage = Stage("KAFKA-15353", seed=seed)
    stage.create("t", replicas=[1, 2, 3])
    for turn in range(4):
        node = stage.cluster.nodes[turn % 3]
        node.kill()
        stage.start(node)  # at once: the old incarnation is still in sync
        stage.run_for(stage.rng.uniform(0.01, 1.0))
        other = stage.cluster.nodes[(turn + 1) % 3]
        other.kill()
        stage.start(other)
        stage.run_for(1.0)
        assert stage.state("t").isr
    stage.check_all("t")
    assert stage.produce("t") is ErrorCode.NONE


@pytest.mark.parametrize("seed", SEEDS)
def test_power_failure_of_all_nodes_loses_nothing_acknowledged(seed: int) -> None:
    """Jepsen on NATS: acknowledged before fsync. Here every replica had it on disk, and all come back."""
    stage = Stage("power", seed=seed)
    stage.create("t", replicas=[1, 2, 3])
    for _ in range(3):
        for _ in range(3):
            assert stage.produce("t") is ErrorCode.NONE
        stage.power(*stage.cluster.nodes)
        stage.run_for(1.0)
        for node in stage.cluster.nodes:
            stage.start(node)
        stage.wait_for_leader("t")
        stage.wait(lambda: stage.produce("t", timeout_ms=2_000) is ErrorCode.NONE, "a write")
    stage.check_all("t")
    assert len(stage.read("t")) >= 12


@pytest.mark.parametrize("seed", SEEDS)
def test_a_stale_leader_does_not_serve_a_recreated_topic(seed: int) -> None:
    """Redpanda: the leader of a deleted topic, cut off, must not touch the new one of the same name."""
    stage = Stage("recreated", seed=seed)
    old_id = stage.create("t", replicas=[1, 2, 3])
    stale = stage.cluster.node(1)
    for _ in range(3):
        assert stage.produce("t") is ErrorCode.NONE
    old_topic = stage.topics["t"]
    stage.isolate(stale)
    stage.wait(lambda: stage.state("t").leader in (2, 3), "another leader")
    answering = stage.cluster.node(2)
    stage.agent.any_node = lambda: answering.node_id  # type: ignore[method-assign]
    stage.serving = lambda: answering  # type: ignore[method-assign]
    stage.delete("t")
    new_id = stage.create("t", replicas=[2, 3, 1])
    assert new_id != old_id
    assert stage.produce("t") is ErrorCode.NONE
    new_topic = stage.topics["t"]
    stage.topics["t"] = old_topic
    assert stage.produce("t", to=stale, timeout_ms=1_000) is not ErrorCode.NONE
    stage.topics["t"] = new_topic
    stage.check_all("t")
    assert stage.read("t", node=stage.wait_for_leader("t"))
    assert all(
        node.broker is not None and node.broker.partition("t", 0).topic_id == new_id  # type: ignore[union-attr]
        for node in stage.cluster.nodes
    )
