"""Transactions over frames, against a whole broker: every API of the coordinator in its versions."""

from __future__ import annotations

from typing import Any

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.add_offsets_to_txn_request import AddOffsetsToTxnRequest
from riverlog.protocol.generated.add_partitions_to_txn_request import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
    AddPartitionsToTxnTransaction,
)
from riverlog.protocol.generated.describe_transactions_request import DescribeTransactionsRequest
from riverlog.protocol.generated.end_txn_request import EndTxnRequest
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.init_producer_id_request import InitProducerIdRequest
from riverlog.protocol.generated.list_transactions_request import ListTransactionsRequest
from tests.unit.broker.broker_world import Client, World, served
from tests.unit.coordinator.txn.txn_world import Stuck

ID = "payments"


class TxnClient(Client):
    def find(self, *keys: str, version: int = 6) -> Any:
        request = FindCoordinatorRequest(key_type=1)
        if version < 4:
            request.key = keys[0]
        else:
            request.coordinator_keys = list(keys)
        return self.call(ApiKey.FIND_COORDINATOR, version, request)

    def init(
        self, version: int = 5, *, brought: tuple[int, int] = (-1, -1), timeout_ms: int = 60_000
    ) -> tuple[int, int, int]:
        request = InitProducerIdRequest(ID, timeout_ms, *brought)
        answer = self.call(ApiKey.INIT_PRODUCER_ID, version, request)
        return answer.error_code, answer.producer_id, answer.producer_epoch

    def add(
        self, producer: tuple[int, ...], *partitions: tuple[str, int], version: int = 3
    ) -> dict[tuple[str, int], int]:
        topics = [AddPartitionsToTxnTopic(name, [index]) for name, index in partitions]
        request = AddPartitionsToTxnRequest(
            v3_and_below_transactional_id=ID,
            v3_and_below_producer_id=producer[-2],
            v3_and_below_producer_epoch=producer[-1],
            v3_and_below_topics=topics,
        )
        answer = self.call(ApiKey.ADD_PARTITIONS_TO_TXN, version, request)
        return errors_of(answer.results_by_topic_v3_and_below)

    def end(
        self, producer: tuple[int, ...], *, commit: bool = True, version: int = 5
    ) -> tuple[int, int, int]:
        request = EndTxnRequest(ID, producer[-2], producer[-1], commit)
        answer = self.call(ApiKey.END_TXN, version, request)
        return answer.error_code, answer.producer_id, answer.producer_epoch

    def describe(self, *ids: str) -> list[Any]:
        request = DescribeTransactionsRequest(transactional_ids=list(ids))
        states: list[Any] = self.call(ApiKey.DESCRIBE_TRANSACTIONS, 0, request).transaction_states
        return states

    def list_(self, version: int = 2, **filters: Any) -> Any:
        return self.call(ApiKey.LIST_TRANSACTIONS, version, ListTransactionsRequest(**filters))


def errors_of(topics: list[Any]) -> dict[tuple[str, int], int]:
    return {
        (topic.name, result.partition_index): result.partition_error_code
        for topic in topics
        for result in topic.results_by_partition
    }


class FramesWorld(World):
    def client(self) -> TxnClient:
        return TxnClient(self)


@pytest.fixture
def world() -> FramesWorld:
    return FramesWorld(transaction_state_log_num_partitions="2", offsets_topic_num_partitions="2")


@pytest.fixture
def client(world: FramesWorld) -> TxnClient:
    client = world.client()
    client.create("a", 2)
    assert client.find(ID).coordinators[0].error_code == 0
    return client


# -- the topic -----------------------------------------------------------------------------


def test_asking_for_a_coordinator_creates_its_topic_as_kafka_does(world: FramesWorld) -> None:
    client = world.client()
    found = client.find("x", "y").coordinators
    assert [(one.key, one.error_code, one.node_id) for one in found] == [("x", 0, 1), ("y", 0, 1)]
    image = world.broker.metadata.image
    topic = image.topics["__transaction_state"]
    assert len(topic.partitions) == 2
    settings = world.broker.replicas.log_config("__transaction_state")
    assert settings.is_compacted
    assert settings.min_insync_replicas == 2
    assert settings.segment_bytes == 104_857_600


@pytest.mark.parametrize("version", range(1, 4))
def test_one_coordinator_is_found_in_old_versions(world: FramesWorld, version: int) -> None:
    found = world.client().find(ID, version=version)
    assert (found.error_code, found.node_id) == (0, 1)


def test_before_anybody_asked_there_is_no_coordinator(world: FramesWorld) -> None:
    client = world.client()
    assert client.init()[0] == ErrorCode.NOT_COORDINATOR
    assert client.end((1, 0))[0] == ErrorCode.NOT_COORDINATOR
    assert client.describe(ID)[0].error_code == ErrorCode.NOT_COORDINATOR
    assert client.list_().transaction_states == []


# -- a transaction -------------------------------------------------------------------------


@pytest.mark.parametrize("commit", [True, False])
@pytest.mark.parametrize("version", range(5))
def test_a_plain_transaction(world: FramesWorld, client: TxnClient, version: int, commit: bool) -> None:
    producer = client.init(min(version, 4))
    assert producer[0] == 0
    assert client.add(producer, ("a", 0), ("a", 1), version=min(version, 3)) == {("a", 0): 0, ("a", 1): 0}
    assert client.end(producer, commit=commit, version=version) == (0, -1, -1)
    state = "CompleteCommit" if commit else "CompleteAbort"
    assert world.run_until(lambda: client.describe(ID)[0].transaction_state == state)
    for index in (0, 1):
        partition = world.broker.replicas.led("a", index)
        assert not isinstance(partition, ErrorCode)
        assert partition.log.log_end_offset == 1, "a marker and nothing else"


@pytest.mark.parametrize("commit", [True, False])
def test_a_bumping_transaction(world: FramesWorld, client: TxnClient, commit: bool) -> None:
    error, producer_id, epoch = client.init()
    assert (error, epoch) == (0, 0)
    transactions = [
        AddPartitionsToTxnTransaction(ID, producer_id, 0, False, [AddPartitionsToTxnTopic("a", [0, 1])])
    ]
    answer = client.call(
        ApiKey.ADD_PARTITIONS_TO_TXN, 5, AddPartitionsToTxnRequest(transactions=transactions)
    )
    assert errors_of(answer.results_by_transaction[0].topic_results) == {("a", 0): 0, ("a", 1): 0}
    assert client.end((producer_id, 0), commit=commit) == (0, producer_id, 1)
    state = "CompleteCommit" if commit else "CompleteAbort"
    assert world.run_until(lambda: client.describe(ID)[0].transaction_state == state)
    assert client.end((producer_id, 0), commit=commit) == (0, producer_id, 1), "a retry"


def test_brokers_ask_about_several_transactions_at_once(client: TxnClient) -> None:
    producer = client.init()
    client.add(producer, ("a", 0))
    topics = [AddPartitionsToTxnTopic("a", [0, 1])]
    transactions = [
        AddPartitionsToTxnTransaction(ID, producer[1], 0, True, topics),
        AddPartitionsToTxnTransaction("nobody", 7, 0, True, topics),
        AddPartitionsToTxnTransaction("", 7, 0, True, topics),
        AddPartitionsToTxnTransaction("x", 7, 0, True, [AddPartitionsToTxnTopic("gone", [0]), topics[0]]),
    ]
    answer = client.call(
        ApiKey.ADD_PARTITIONS_TO_TXN, 4, AddPartitionsToTxnRequest(transactions=transactions)
    )
    mapping, request = ErrorCode.INVALID_PRODUCER_ID_MAPPING, ErrorCode.INVALID_REQUEST
    not_tried = ErrorCode.OPERATION_NOT_ATTEMPTED
    assert [
        (result.transactional_id, errors_of(result.topic_results)) for result in answer.results_by_transaction
    ] == [
        (ID, {("a", 0): 0, ("a", 1): ErrorCode.TRANSACTION_ABORTABLE}),
        ("nobody", {("a", 0): mapping, ("a", 1): mapping}),
        ("", {("a", 0): request, ("a", 1): request}),
        ("x", {("gone", 0): ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ("a", 0): not_tried, ("a", 1): not_tried}),
    ]


def test_a_partition_that_does_not_exist_keeps_the_others_out(client: TxnClient) -> None:
    producer = client.init()
    assert client.add(producer, ("a", 0), ("a", 2)) == {
        ("a", 0): ErrorCode.OPERATION_NOT_ATTEMPTED,
        ("a", 2): ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    }
    assert client.describe(ID)[0].transaction_state == "Empty"


def test_old_versions_know_fenced_producers_by_another_name(client: TxnClient) -> None:
    old = client.init()
    client.init()
    fenced, epoch = ErrorCode.PRODUCER_FENCED, ErrorCode.INVALID_PRODUCER_EPOCH
    for version in range(4):
        assert client.add(old, ("a", 0), version=version) == {("a", 0): epoch if version < 2 else fenced}
    for version in range(6):
        assert client.end(old, version=version)[0] == (epoch if version < 2 else fenced)
    for version in (3, 4, 5):
        assert client.init(version, brought=(old[1], 5))[0] == (epoch if version < 4 else fenced)


def test_requests_that_make_no_sense_are_refused(client: TxnClient) -> None:
    invalid = ErrorCode.INVALID_REQUEST
    assert client.init(brought=(5, -1)) == (invalid, -1, -1)
    assert client.init(brought=(-1, 5)) == (invalid, -1, -1)
    for request in (InitProducerIdRequest("", 60_000, -1, -1),):
        assert client.call(ApiKey.INIT_PRODUCER_ID, 5, request).error_code == invalid
    assert client.call(ApiKey.END_TXN, 5, EndTxnRequest("", 1, 1, True)).error_code == invalid
    empty = AddOffsetsToTxnRequest("", 1, 1, "g")
    assert client.call(ApiKey.ADD_OFFSETS_TO_TXN, 4, empty).error_code == invalid
    assert client.init(timeout_ms=0)[0] == ErrorCode.INVALID_TRANSACTION_TIMEOUT
    assert client.describe("")[0].error_code == invalid


@pytest.mark.parametrize("version", range(5))
def test_offsets_of_a_group_are_part_of_a_transaction(
    world: FramesWorld, client: TxnClient, version: int
) -> None:
    producer = client.init()
    request = AddOffsetsToTxnRequest(ID, producer[1], 0, "g")
    missing = client.call(ApiKey.ADD_OFFSETS_TO_TXN, version, request)
    assert missing.error_code == ErrorCode.COORDINATOR_NOT_AVAILABLE, "there is no offsets topic"
    client.call(ApiKey.FIND_COORDINATOR, 6, FindCoordinatorRequest(coordinator_keys=["g"]))
    assert client.call(ApiKey.ADD_OFFSETS_TO_TXN, version, request).error_code == 0
    (topic,) = client.describe(ID)[0].topics
    assert (topic.topic, topic.partitions) == ("__consumer_offsets", [world.broker.groups.shard_of("g")])
    request.producer_epoch = 3
    fenced = ErrorCode.INVALID_PRODUCER_EPOCH if version < 2 else ErrorCode.PRODUCER_FENCED
    assert client.call(ApiKey.ADD_OFFSETS_TO_TXN, version, request).error_code == fenced


# -- looking -------------------------------------------------------------------------------


def test_a_transaction_is_described(world: FramesWorld, client: TxnClient) -> None:
    producer = client.init()
    client.add(producer, ("a", 1), ("a", 0))
    began = world.clock.now_ms()
    state, unknown = client.describe(ID, "nobody")
    assert unknown.error_code == ErrorCode.TRANSACTIONAL_ID_NOT_FOUND
    assert (state.error_code, state.transaction_state, state.transaction_timeout_ms) == (0, "Ongoing", 60_000)
    assert (state.producer_id, state.producer_epoch) == producer[1:]
    assert 0 <= began - state.transaction_start_time_ms < 1_000
    assert [(topic.topic, topic.partitions) for topic in state.topics] == [("a", [0, 1])]


def test_transactions_are_listed_by_filters(world: FramesWorld, client: TxnClient) -> None:
    producer = client.init()
    client.add(producer, ("a", 0))
    other = client.call(ApiKey.INIT_PRODUCER_ID, 5, InitProducerIdRequest("other", 60_000, -1, -1))

    def ids(**filters: Any) -> list[str]:
        answer = client.list_(**filters)
        assert answer.error_code == 0
        return sorted(state.transactional_id for state in answer.transaction_states)

    for version in served(ApiKey.LIST_TRANSACTIONS, world):
        assert ids(version=version) == ["other", ID]
    assert ids(state_filters=["Ongoing"]) == [ID]
    assert ids(state_filters=["CompleteCommit"]) == []
    assert ids(producer_id_filters=[other.producer_id]) == ["other"]
    assert ids(transactional_id_pattern="o.*") == ["other"]
    assert ids(transactional_id_pattern="o") == []
    assert ids(duration_filter=5_000, state_filters=["Ongoing"]) == []
    world.scheduler.run_for(6)
    assert ids(duration_filter=5_000, state_filters=["Ongoing"]) == [ID]
    unknown = client.list_(state_filters=["Ongoing", "Lost"])
    assert unknown.unknown_state_filters == ["Lost"]
    assert len(unknown.transaction_states) == 1
    broken = client.list_(transactional_id_pattern="(")
    assert broken.error_code == ErrorCode.INVALID_REGULAR_EXPRESSION


def test_a_client_that_comes_before_the_markers_arrived_is_held(
    world: FramesWorld, client: TxnClient
) -> None:
    producer = client.init()
    client.add(producer, ("a", 0))
    other = world.client()
    client.end(producer, version=4)
    assert client.describe(ID)[0].transaction_state == "PrepareCommit"
    assert other.add(producer, ("a", 1)) == {("a", 1): 0}
    assert [topic.partitions for topic in client.describe(ID)[0].topics] == [[1]]


def test_a_client_is_not_held_for_long(world: FramesWorld, client: TxnClient) -> None:
    producer = client.init()
    client.add(producer, ("a", 0))
    partition = world.broker.replicas.led("a", 0)
    assert not isinstance(partition, ErrorCode)
    partition.policy = Stuck()
    client.end(producer, version=4)
    before = world.scheduler.now
    assert client.add(producer, ("a", 1)) == {("a", 1): ErrorCode.CONCURRENT_TRANSACTIONS}
    assert 0.1 <= world.scheduler.now - before < 0.2
    assert client.describe(ID)[0].transaction_state == "PrepareCommit"


def test_a_new_id_waits_for_a_block_of_producer_ids_and_a_known_one_does_not(
    world: FramesWorld, client: TxnClient
) -> None:
    producer = client.init()
    ids = world.broker.producer_ids
    last = producer[1]
    while ids._next < ids._end:
        taken = ids.take_now()
        assert taken is not None
        last = taken
    assert client.init() == (0, producer[1], 1)
    assert ids._next == ids._end, "no block was asked for"
    other = client.call(ApiKey.INIT_PRODUCER_ID, 5, InitProducerIdRequest("other", 60_000, -1, -1))
    assert (other.error_code, other.producer_epoch) == (0, 0)
    assert other.producer_id > last
