"""Markers of transactions in a small cluster: they reach every partition, whoever fails on the way, and end
no other transaction."""

from __future__ import annotations

from cluster_world import Cluster, Node
from txn_world import (
    STATE_TOPIC,
    VERSION_1,
    VERSION_2,
    TxnProducer,
    error_codes,
    led,
    marker_codes,
    marker_request,
    markers,
    replies,
)

from riverlog.base.errors import ErrorCode
from riverlog.base.metric_table import REQUESTS
from riverlog.coordinator.txn.markers import MarkerOrder
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState


def transactional_cluster(**static: str) -> Cluster:
    return Cluster(3, transaction_state_log_num_partitions="2", **static)


def opened(
    cluster: Cluster, topic: str = "t", *, version: int = VERSION_2, min_isr: str = "2"
) -> tuple[TxnProducer, Node, Node]:
    """A producer with an open transaction in ``topic``; its coordinator, and another node that leads it."""
    producer = TxnProducer(cluster, version=version)
    producer.init()
    coordinator = producer.coordinator()
    assert isinstance(coordinator, Node)
    others = [node.node_id for node in cluster.alive if node is not coordinator]
    cluster.create(topic, replicas=[*others, coordinator.node_id], min_insync_replicas=min_isr)
    leader = cluster.wait_leader(topic)
    assert leader.node_id == others[0]
    if version < VERSION_2:
        producer.add((topic, 0))
    producer.send(topic)
    return producer, coordinator, leader


def decide(producer: TxnProducer, *, commit: bool = True) -> None:
    """End the transaction; returns as soon as that is decided, while markers have not left."""
    coordinator = producer.coordinator()
    client = coordinator.client()
    client.post(ApiKey.END_TXN, 5, producer.end_request(commit=commit))
    assert coordinator.run_until(lambda: bool(client.frames))
    response = replies(client, ApiKey.END_TXN, 5)[0]
    assert response.error_code == 0, response
    producer.producer = (response.producer_id, response.producer_epoch)
    producer.sequences.clear()


def requests_served(node: Node, name: str) -> int:
    return int(node.broker.metrics[REQUESTS].child(name).value)


def test_a_marker_goes_to_the_leader_on_another_broker() -> None:
    cluster = transactional_cluster()
    producer, coordinator, leader = opened(cluster)
    assert led(leader.broker, "t").log.last_stable_offset == 0
    producer.end()
    assert cluster.run_until(lambda: coordinator.broker.txn_markers.pending == 0)
    partition = led(leader.broker, "t")
    assert markers(partition) == [True]
    assert partition.log.last_stable_offset == partition.high_watermark == 2
    assert requests_served(leader, "WriteTxnMarkers") == 1


def test_a_leader_that_dies_before_its_marker_leaves_it_to_the_next() -> None:
    cluster = transactional_cluster()
    producer, coordinator, leader = opened(cluster)
    decide(producer)
    assert markers(led(leader.broker, "t")) == []
    leader.kill()
    second = cluster.wait_leader("t")
    assert second is not leader
    assert cluster.run_until(lambda: coordinator.broker.txn_markers.pending == 0)
    assert markers(led(second.broker, "t")) == [True]
    producer.send("t")
    producer.end(commit=False)
    assert cluster.run_until(lambda: markers(led(second.broker, "t")) == [True, False])


def test_a_leader_that_is_cut_off_is_given_up_for_the_next() -> None:
    """Nothing tells the coordinator's broker but the metadata: no connection breaks."""
    cluster = transactional_cluster()
    producer, coordinator, leader = opened(cluster)
    decide(producer)
    cluster.network.isolate(leader)
    assert cluster.run_until(lambda: coordinator.broker.txn_markers.pending == 0, seconds_max=20)
    assert markers(led(leader.broker, "t")) == [], "the old one does not know better"
    state = coordinator.broker.metadata.image.partition("t", 0)
    assert state is not None
    assert state.leader != leader.node_id
    assert markers(led(cluster.nodes[state.leader].broker, "t")) == [True]
    cluster.network.heal()
    cluster.wait_isr("t", {1, 2, 3})


def test_a_marker_whose_answer_is_lost_is_sent_again_and_written_once() -> None:
    cluster = transactional_cluster(broker_session_timeout_ms="60000", request_timeout_ms="2000")
    producer, coordinator, leader = opened(cluster)
    decide(producer)
    assert cluster.run_until(lambda: markers(led(leader.broker, "t")) == [True])
    cluster.network.isolate(coordinator)
    cluster.run_for(0.01)
    assert coordinator.broker.txn_markers.pending == 1
    cluster.network.heal()
    assert cluster.run_until(lambda: coordinator.broker.txn_markers.pending == 0)
    assert requests_served(cluster.wait_leader("t"), "WriteTxnMarkers") == 2
    assert markers(led(cluster.wait_leader("t").broker, "t")) == [True]


def test_a_coordinator_that_dies_leaves_its_markers_to_its_heir() -> None:
    cluster = transactional_cluster()
    producer, coordinator, leader = opened(cluster)
    decide(producer)
    coordinator.kill()
    heir = producer.coordinator()
    assert heir is not coordinator
    assert isinstance(heir, Node)
    assert cluster.run_until(lambda: markers(led(leader.broker, "t")) == [True])
    assert cluster.run_until(lambda: heir.broker.txn_markers.pending == 0)
    producer.send("t")
    producer.end()
    assert cluster.run_until(lambda: markers(led(leader.broker, "t")) == [True, True])


def test_a_marker_that_comes_twice_changes_nothing() -> None:
    cluster = transactional_cluster()
    producer, coordinator, leader = opened(cluster)
    decide(producer)
    assert cluster.run_until(lambda: coordinator.broker.txn_markers.pending == 0)
    partition = led(leader.broker, "t")
    state = cluster.partition(STATE_TOPIC, coordinator.broker.transactions.shard_of("tx"))
    assert state is not None
    request = marker_request(producer.producer, ("t", 0), coordinator_epoch=state.leader_epoch)
    end = partition.log.log_end_offset
    assert marker_codes(leader.client().call(ApiKey.WRITE_TXN_MARKERS, 2, request)) == [0]
    assert (partition.log.log_end_offset, partition.log.last_stable_offset) == (end, end)
    # In the middle of the next transaction it comes too late, and ends nothing.
    producer.send("t")
    response = leader.client().call(ApiKey.WRITE_TXN_MARKERS, 2, request)
    assert marker_codes(response) == [ErrorCode.INVALID_PRODUCER_EPOCH]
    assert partition.log.last_stable_offset == end


def test_an_earlier_coordinator_is_fenced_and_gives_up() -> None:
    cluster = transactional_cluster()
    producer, coordinator, leader = opened(cluster)
    coordinator.kill()
    producer.end()
    heir = producer.coordinator()
    assert isinstance(heir, Node)
    assert cluster.run_until(lambda: markers(led(leader.broker, "t")) == [True])
    outcomes: list[ErrorCode] = []
    order = MarkerOrder("tx", *producer.producer, 0, False, 2, frozenset({("t", 0)}))
    zombie = next(node for node in cluster.alive if node is not leader)
    zombie.broker.txn_markers.send(77, order, outcomes.append)
    assert cluster.run_until(lambda: bool(outcomes))
    assert outcomes == [ErrorCode.TRANSACTION_COORDINATOR_FENCED]
    assert zombie.broker.txn_markers.pending == 0
    assert markers(led(leader.broker, "t")) == [True]


def test_partitions_of_a_deleted_topic_need_no_marker() -> None:
    cluster = transactional_cluster()
    producer, coordinator, leader = opened(cluster)
    cluster.network.isolate(leader)
    decide(producer)
    request = DeleteTopicsRequest(topics=[DeleteTopicState(name="t")], timeout_ms=10_000)
    response = coordinator.client().newest(ApiKey.DELETE_TOPICS, request)
    assert response.responses[0].error_code == 0
    assert cluster.run_until(lambda: coordinator.broker.txn_markers.pending == 0)
    outcomes: list[ErrorCode] = []
    order = MarkerOrder("other", 1, 1, 0, True, 2, frozenset({("never", 3)}))
    coordinator.broker.txn_markers.send(0, order, outcomes.append)
    assert outcomes == [ErrorCode.NONE]


def test_orders_of_a_coordinator_that_resigned_are_given_up() -> None:
    cluster = transactional_cluster()
    producer, coordinator, leader = opened(cluster)
    outcomes: list[ErrorCode] = []
    order = MarkerOrder(
        "tx", producer.producer[0], producer.producer[1] + 1, 9, True, 2, frozenset({("t", 0)})
    )
    leader.kill()
    coordinator.broker.txn_markers.send(55, order, outcomes.append)
    coordinator.broker.txn_markers.cancel(55)
    second = cluster.wait_leader("t")
    cluster.run_for(2.0)
    assert outcomes == []
    assert markers(led(second.broker, "t")) == []


def test_orders_to_one_broker_share_requests() -> None:
    cluster = transactional_cluster()
    producer, coordinator, leader = opened(cluster)
    done: list[ErrorCode] = []
    for number in range(20):
        order = MarkerOrder(f"id-{number}", 1000 + number, 1, 0, True, 2, frozenset({("t", 0)}))
        coordinator.broker.txn_markers.send(1, order, done.append)
    assert cluster.run_until(lambda: len(done) == 20)
    assert set(done) == {ErrorCode.NONE}
    assert requests_served(leader, "WriteTxnMarkers") == 2
    assert producer.producer[1] >= 0


def test_a_broker_that_does_not_lead_says_so() -> None:
    cluster = transactional_cluster()
    _, coordinator, _ = opened(cluster)
    request = marker_request((5, 0), ("t", 0), ("nowhere", 0))
    response = coordinator.client().call(ApiKey.WRITE_TXN_MARKERS, 2, request)
    assert marker_codes(response) == [
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    ]


def test_a_marker_waits_until_there_are_enough_replicas_again() -> None:
    cluster = transactional_cluster()
    producer, coordinator, leader = opened(cluster, min_isr="3")
    third = next(node for node in cluster.alive if node not in (coordinator, leader))
    third.kill()
    assert cluster.run_until(lambda: led(leader.broker, "t").is_under_min_isr)
    request = marker_request((producer.producer[0], producer.producer[1] + 1), ("t", 0))
    response = leader.client().call(ApiKey.WRITE_TXN_MARKERS, 2, request)
    assert marker_codes(response) == [ErrorCode.NOT_ENOUGH_REPLICAS]
    decide(producer)
    cluster.run_for(2.0)
    assert coordinator.broker.txn_markers.pending == 1
    assert markers(led(leader.broker, "t")) == []
    third.start()
    assert cluster.run_until(lambda: coordinator.broker.txn_markers.pending == 0)
    assert markers(led(leader.broker, "t")) == [True]


# -- verification over the network -------------------------------------------------------------


def test_the_coordinator_on_another_broker_is_asked_once_per_transaction_and_partition() -> None:
    cluster = transactional_cluster()
    producer, coordinator, _ = opened(cluster)
    asked = requests_served(coordinator, "AddPartitionsToTxn")
    for _ in range(5):
        producer.send("t")
    assert requests_served(coordinator, "AddPartitionsToTxn") == asked
    producer.end()
    producer.send("t")
    assert requests_served(coordinator, "AddPartitionsToTxn") > asked


def test_questions_to_one_coordinator_share_requests_and_an_older_epoch_is_fenced() -> None:
    cluster = transactional_cluster()
    producer, coordinator, leader = opened(cluster, version=VERSION_1)
    cluster.create("u")
    asked = requests_served(coordinator, "AddPartitionsToTxn")
    verify = leader.broker.txn_verification.verify
    answers: list[tuple[str, dict[tuple[str, int], ErrorCode]]] = []
    producer_id, epoch = producer.producer

    def ask(name: str, epoch: int, topic: str = "t") -> None:
        verify(
            "tx",
            producer_id,
            epoch,
            [(topic, 0)],
            add=False,
            done=lambda errors: answers.append((name, errors)),
        )

    ask("first", epoch)  # leaves at once
    ask("known", epoch)
    ask("not added", epoch, "u")
    ask("old", epoch - 1)
    assert answers == [("old", {("t", 0): ErrorCode.INVALID_PRODUCER_EPOCH})]
    assert cluster.run_until(lambda: len(answers) == 4)
    assert dict(answers[1:]) == {
        "first": {("t", 0): ErrorCode.NONE},
        "known": {("t", 0): ErrorCode.NONE},
        "not added": {("u", 0): ErrorCode.TRANSACTION_ABORTABLE},
    }
    assert requests_served(coordinator, "AddPartitionsToTxn") == asked + 2
    answers.clear()
    ask("first", epoch)
    ask("overtaken", epoch)
    ask("new", epoch + 1)
    assert answers == [("overtaken", {("t", 0): ErrorCode.INVALID_PRODUCER_EPOCH})]
    assert cluster.run_until(lambda: len(answers) == 3)
    assert dict(answers)["new"] == {("t", 0): ErrorCode.INVALID_PRODUCER_EPOCH}


def test_who_asks_again_while_a_newer_epoch_takes_his_place_is_answered() -> None:
    """As the next batch in line does."""
    cluster = transactional_cluster()
    producer, _, leader = opened(cluster, version=VERSION_1)
    verify = leader.broker.txn_verification.verify
    answers: list[str] = []
    producer_id, epoch = producer.producer

    def ask(name: str, epoch: int, *, again: bool = False) -> None:
        def done(_errors: dict[tuple[str, int], ErrorCode]) -> None:
            answers.append(name)
            if again:
                ask("next in line", epoch)

        verify("tx", producer_id, epoch, [("t", 0)], add=False, done=done)

    ask("under way", epoch)
    ask("overtaken", epoch, again=True)
    ask("new", epoch + 1)
    assert cluster.run_until(lambda: len(answers) == 4), answers


def test_a_coordinator_that_does_not_answer_is_an_error_to_try_again_after() -> None:
    cluster = transactional_cluster(request_timeout_ms="1000", broker_session_timeout_ms="60000")
    producer, coordinator, leader = opened(cluster)
    producer.end()
    assert cluster.run_until(lambda: coordinator.broker.txn_markers.pending == 0)
    cluster.network.isolate(coordinator)
    client = leader.client()
    request = producer.request("t")
    client.post(ApiKey.PRODUCE, VERSION_2, request)
    client.post(ApiKey.PRODUCE, VERSION_2, producer.request("t"))
    assert cluster.run_until(lambda: len(client.frames) == 2)
    first, second = (error_codes(one) for one in replies(client, ApiKey.PRODUCE, VERSION_2))
    assert first == [ErrorCode.NOT_ENOUGH_REPLICAS]
    assert second != [0], "it must not overtake"
    cluster.network.heal()
    producer.sequences.clear()
    producer.send("t")
    producer.send("t")


def test_a_coordinator_that_vanished_is_not_waited_for_longer_than_it_takes_to_fence_it() -> None:
    """It lost power: no connection breaks, and ``request.timeout.ms`` is 30 s."""
    cluster = transactional_cluster()
    producer, coordinator, leader = opened(cluster)
    producer.end()
    assert cluster.run_until(lambda: coordinator.broker.txn_markers.pending == 0)
    cluster.network.isolate(coordinator)
    client = leader.client()
    began = cluster.scheduler.now
    client.post(ApiKey.PRODUCE, VERSION_2, producer.request("t"))
    assert cluster.run_until(lambda: bool(client.frames))
    assert cluster.scheduler.now - began < 15
    (answer,) = replies(client, ApiKey.PRODUCE, VERSION_2)
    assert error_codes(answer) == [ErrorCode.NOT_ENOUGH_REPLICAS]


def test_a_late_produce_of_version_1_begins_no_transaction() -> None:
    """INVARIANTS 13: of an ended transaction, to a partition that it never wrote to."""
    cluster = transactional_cluster()
    producer, coordinator, leader = opened(cluster, version=VERSION_1)
    producer.end()
    assert cluster.run_until(lambda: coordinator.broker.txn_markers.pending == 0)
    request = producer.request("t")
    codes = [int(ErrorCode.NOT_ENOUGH_REPLICAS)]
    while codes == [ErrorCode.NOT_ENOUGH_REPLICAS]:  # the end is not noted everywhere yet
        codes = error_codes(leader.client().call(ApiKey.PRODUCE, VERSION_1, request))
        producer.pause()
    assert codes == [ErrorCode.TRANSACTION_ABORTABLE]
    assert led(leader.broker, "t").log.last_stable_offset == led(leader.broker, "t").log.log_end_offset
