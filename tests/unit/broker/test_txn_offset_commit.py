"""TxnOffsetCommit against a broker that coordinates the transaction too: versions, verification, fencing."""

from __future__ import annotations

from typing import Any

import pytest
from txn_world import VERSION_1, TxnProducer, marker_request, replies

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.group.offsets_txn import txn_commit
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.add_offsets_to_txn_request import AddOffsetsToTxnRequest
from riverlog.protocol.generated.txn_offset_commit_request import TxnOffsetCommitRequestTopic
from tests.unit.coordinator.offsets_world import OffsetsClient, OffsetsWorld
from tests.unit.coordinator.txn_offsets_world import errors_of, stable_offset, txn_commit_request

UNSTABLE = (-1, ErrorCode.UNSTABLE_OFFSET_COMMIT)
OFFSETS = "__consumer_offsets"
ADDING = 5


class Committer(TxnProducer):
    """Commits offsets of group ``g``."""

    def __init__(self, world: OffsetsWorld, name: str = "tx", *, version: int = ADDING) -> None:
        super().__init__(world, name, version=VERSION_1 + (version >= ADDING))
        self.commit_version = version
        self.init()

    def add_offsets(self, group: str = "g") -> None:
        request = AddOffsetsToTxnRequest(self.name, *self.producer, group)
        assert self.ask(ApiKey.ADD_OFFSETS_TO_TXN, 3, request).error_code == 0

    def offsets_request(self, offsets: dict[int, int], **settings: Any) -> Any:
        who = {"transactional_id": self.name, "producer_id": self.producer[0], "epoch": self.producer[1]}
        return txn_commit_request(offsets, **{**who, **settings})

    def commit(self, client: OffsetsClient, offsets: dict[int, int], **settings: Any) -> dict[int, int]:
        request = self.offsets_request(offsets, **settings)
        return errors_of(client.call(ApiKey.TXN_OFFSET_COMMIT, self.commit_version, request))


@pytest.fixture
def world() -> OffsetsWorld:
    return OffsetsWorld(transaction_state_log_num_partitions="2")


@pytest.fixture
def client(world: OffsetsWorld) -> OffsetsClient:
    return world.prepared()


# -- verification --------------------------------------------------------------------------


@pytest.mark.parametrize("version", range(6))
@pytest.mark.parametrize(("committed", "expected"), [(True, 5), (False, 1)])
def test_offsets_count_when_the_transaction_is_committed(
    world: OffsetsWorld, client: OffsetsClient, version: int, committed: bool, expected: int
) -> None:
    client.commit({0: 1})
    producer = Committer(world, version=version)
    if version < ADDING:
        producer.add_offsets()
    assert producer.commit(client, {0: 4}) == {0: 0}
    assert producer.commit(client, {0: 5}) == {0: 0}
    assert stable_offset(client) == UNSTABLE
    producer.end(commit=committed)
    assert world.run_until(lambda: world.broker.txn_markers.pending == 0)
    assert stable_offset(client) == (expected, 0)
    assert stable_offset(world.restart(clean=False)) == (expected, 0)


@pytest.mark.parametrize("version", range(5))
def test_before_version_5_a_group_that_was_not_added_is_refused(
    world: OffsetsWorld, client: OffsetsClient, version: int
) -> None:
    producer = Committer(world, version=version)
    error = ErrorCode.TRANSACTION_ABORTABLE if version == 4 else ErrorCode.INVALID_TXN_STATE
    assert producer.commit(client, {0: 5}) == {0: error}
    assert stable_offset(client) == (-1, 0)
    producer.add_offsets()
    assert producer.commit(client, {0: 5}) == {0: 0}


def test_verification_can_be_turned_off_but_adding_cannot() -> None:
    world = OffsetsWorld(
        transaction_state_log_num_partitions="2", transaction_partition_verification_enable="false"
    )
    client = world.prepared()
    producer = Committer(world, version=4)
    assert producer.commit(client, {0: 5}) == {0: 0}
    producer = Committer(world, "other")
    assert producer.commit(client, {1: 5}) == {1: 0}
    producer.end()
    assert world.run_until(lambda: stable_offset(client, 1) == (5, 0)), "its partition was added"


def test_without_a_producer_id_nothing_is_committed() -> None:
    world = OffsetsWorld(
        transaction_state_log_num_partitions="2", transaction_partition_verification_enable="false"
    )
    client = world.prepared()
    producer = Committer(world, version=4)
    refused = {0: ErrorCode.INVALID_PRODUCER_ID_MAPPING}
    assert producer.commit(client, {0: 5}, producer_id=-1, epoch=-1) == refused
    assert stable_offset(client) == (-1, 0)


def test_transactions_follow_each_other(world: OffsetsWorld, client: OffsetsClient) -> None:
    producer = Committer(world)
    for number in range(1, 5):
        assert world.run_until(lambda: world.broker.txn_markers.pending == 0)
        assert producer.commit(client, {0: number}) == {0: 0}
        producer.end(commit=number != 3)
    assert world.run_until(lambda: stable_offset(client) == (4, 0))


# -- who may -------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [4, 5])
def test_a_fenced_producer_commits_nothing(world: OffsetsWorld, client: OffsetsClient, version: int) -> None:
    """INVARIANTS 10."""
    zombie = Committer(world, version=version)
    if version < ADDING:
        zombie.add_offsets()
    assert zombie.commit(client, {0: 5}) == {0: 0}
    Committer(world, version=version)  # takes the id over, and aborts
    assert world.run_until(lambda: stable_offset(client) == (-1, 0))
    assert zombie.commit(client, {0: 6}) == {0: ErrorCode.INVALID_PRODUCER_EPOCH}
    assert stable_offset(client) == (-1, 0)


def test_an_open_transaction_of_an_older_epoch_is_not_joined(
    world: OffsetsWorld, client: OffsetsClient
) -> None:
    """INVARIANTS 13: its marker is on its way, and the shard serves on."""
    producer = Committer(world)
    assert producer.commit(client, {0: 5}) == {0: 0}
    producer_id, epoch = producer.producer
    host = world.broker.groups
    partition = host.shards[host.shard_of("g")].partition
    request = producer.offsets_request({0: 9}, epoch=epoch + 1)
    guard = partition.begin_coordinator_verification(producer_id, epoch + 1)
    got: list[Any] = []
    host.submit(
        "g",
        lambda machine, now_ms: txn_commit(
            machine, request, api_version=ADDING, guard=guard, now_ms=now_ms, to=got.append
        ),
    )
    assert errors_of(got[0]) == {0: ErrorCode.CONCURRENT_TRANSACTIONS}
    producer.end()
    assert world.run_until(lambda: stable_offset(client) == (5, 0))


def test_a_late_commit_never_joins_the_next_transaction(world: OffsetsWorld, client: OffsetsClient) -> None:
    """INVARIANTS 13, version 2 of transactions."""
    producer = Committer(world)
    producer.commit(client, {0: 5})
    late = producer.offsets_request({0: 9})
    producer.end()
    assert world.run_until(lambda: stable_offset(client) == (5, 0))
    fenced = {0: ErrorCode.INVALID_PRODUCER_EPOCH}
    assert errors_of(client.call(ApiKey.TXN_OFFSET_COMMIT, ADDING, late)) == fenced
    assert producer.commit(client, {1: 7}) == {1: 0}
    assert errors_of(client.call(ApiKey.TXN_OFFSET_COMMIT, ADDING, late)) == fenced
    producer.end()
    assert world.run_until(lambda: stable_offset(client, 1) == (7, 0))
    assert stable_offset(client) == (5, 0)


def test_a_marker_that_comes_while_the_coordinator_is_asked_takes_the_commit_with_it(
    world: OffsetsWorld, client: OffsetsClient
) -> None:
    """INVARIANTS 13: else the commit would stay pending for ever."""
    producer = Committer(world)
    asking = world.client()
    asking.post(ApiKey.TXN_OFFSET_COMMIT, ADDING, producer.offsets_request({0: 5}))
    assert not asking.frames
    index = world.broker.groups.shard_of("g")
    producer_id, epoch = producer.producer
    aborted = marker_request((producer_id, epoch + 1), (OFFSETS, index), commit=False)
    client.call(ApiKey.WRITE_TXN_MARKERS, 2, aborted)
    assert world.run_until(lambda: bool(asking.frames))
    (answer,) = replies(asking, ApiKey.TXN_OFFSET_COMMIT, ADDING)
    assert errors_of(answer)[0] in (ErrorCode.INVALID_TXN_STATE, ErrorCode.INVALID_PRODUCER_EPOCH)
    assert stable_offset(client) == (-1, 0)


def test_a_stale_generation_is_refused(world: OffsetsWorld, client: OffsetsClient) -> None:
    producer = Committer(world)
    stale = producer.commit(client, {0: 1}, generation=3, member_id="m")
    assert stale == {0: ErrorCode.ILLEGAL_GENERATION}


# -- what is asked -------------------------------------------------------------------------


def test_what_does_not_exist_is_refused_and_the_rest_is_kept(
    world: OffsetsWorld, client: OffsetsClient
) -> None:
    producer = Committer(world)
    request = producer.offsets_request({0: 5, 7: 5})
    other = TxnOffsetCommitRequestTopic("nowhere", request.topics[0].partitions)
    request.topics.append(other)
    response = client.call(ApiKey.TXN_OFFSET_COMMIT, ADDING, request)
    unknown = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert {
        topic.name: {row.partition_index: row.error_code for row in topic.partitions}
        for topic in response.topics
    } == {"t": {0: 0, 7: unknown}, "nowhere": {0: unknown, 7: unknown}}
    producer.end()
    assert world.run_until(lambda: client.committed() == {("t", 0): 5})


def test_nothing_but_what_does_not_exist_asks_nobody(world: OffsetsWorld, client: OffsetsClient) -> None:
    request = txn_commit_request({9: 5}, producer_id=77)
    response = client.call(ApiKey.TXN_OFFSET_COMMIT, ADDING, request)
    assert errors_of(response) == {9: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION}


def test_an_empty_group_id_is_refused(world: OffsetsWorld, client: OffsetsClient) -> None:
    producer = Committer(world)
    assert producer.commit(client, {0: 5}, group="") == {0: ErrorCode.INVALID_GROUP_ID}


@pytest.mark.parametrize(
    ("version", "error"),
    [(1, ErrorCode.COORDINATOR_NOT_AVAILABLE), (2, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)],
)
def test_a_group_that_is_loading_is_told_as_old_producers_understand_it(
    world: OffsetsWorld, client: OffsetsClient, version: int, error: ErrorCode
) -> None:
    producer = Committer(world, version=version)
    client.commit({0: 1})
    world.stop()
    world.start()
    host = world.broker.groups
    assert host.shards[host.shard_of("g")].state.name == "LOADING"
    assert producer.commit(world.client(), {0: 5}) == {0: error}
