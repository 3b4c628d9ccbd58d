"""Offsets committed in transactions: kept aside until the marker, deleted with everything else."""

from __future__ import annotations

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.consumer_group_heartbeat_request import TopicPartitions
from riverlog.protocol.generated.delete_groups_request import DeleteGroupsRequest
from tests.unit.coordinator.offsets_world import TOPIC, OffsetsClient
from tests.unit.coordinator.test_offset_fencing import consumer, heartbeat, join, leave, stable, sync
from tests.unit.coordinator.txn_offsets_world import TxnOffsetsWorld, offset_of, stable_offset

UNSTABLE = (-1, ErrorCode.UNSTABLE_OFFSET_COMMIT)
SETTINGS = {
    "group_initial_rebalance_delay_ms": "0",
    "group_consumer_assignment_interval_ms": "0",
    "offsets_retention_minutes": "10",
    "offsets_retention_check_interval_ms": "60000",
}
MINUTE = 60.0


@pytest.fixture
def world() -> TxnOffsetsWorld:
    return TxnOffsetsWorld(**SETTINGS)


@pytest.fixture
def client(world: TxnOffsetsWorld) -> OffsetsClient:
    return world.prepared()


# -- until the marker ----------------------------------------------------------------------


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize(("committed", "expected"), [(True, 5), (False, 1)])
def test_the_end_of_a_transaction_decides_its_offsets(
    world: TxnOffsetsWorld, client: OffsetsClient, committed: bool, expected: int, restart: bool
) -> None:
    client.commit({0: 1, 1: 1})
    assert world.txn_commit({0: 5}) == {0: 0}
    if restart:
        client = world.restart(clean=False)
    assert offset_of(client) == (1, 0)
    assert stable_offset(client) == UNSTABLE
    assert stable_offset(client, 1) == (1, 0), "of another partition"
    assert stable_offset(client, group="h") == (-1, 0), "of another group"
    every = client.fetch(None, require_stable=True).topics[0].partitions
    assert {row.partition_index: row.error_code for row in every} == {0: UNSTABLE[1], 1: 0}
    world.end(committed=committed)
    assert offset_of(client) == stable_offset(client) == (expected, 0)
    client = world.restart(clean=False)
    assert offset_of(client) == stable_offset(client) == (expected, 0)


def test_a_group_without_offsets_is_unstable_too(world: TxnOffsetsWorld, client: OffsetsClient) -> None:
    world.txn_commit({0: 5})
    assert stable_offset(client) == UNSTABLE
    assert client.committed(require_stable=True) == {}, "all that is committed is told, and that is nothing"
    world.end(committed=True)
    row = client.fetch([0]).topics[0].partitions[0]
    assert (row.committed_offset, row.committed_leader_epoch, row.metadata) == (5, 3, "")


def test_the_last_commit_of_a_transaction_counts(world: TxnOffsetsWorld, client: OffsetsClient) -> None:
    for offsets in ({0: 5, 1: 5}, {0: 7}, {2: 9}):
        assert world.txn_commit(offsets) == dict.fromkeys(offsets, 0)
    world.end(committed=True)
    assert client.committed() == {(TOPIC, 0): 7, (TOPIC, 1): 5, (TOPIC, 2): 9}


def test_a_marker_ends_the_transaction_of_its_producer_only(
    world: TxnOffsetsWorld, client: OffsetsClient
) -> None:
    world.txn_commit({0: 5}, producer_id=1)
    world.txn_commit({0: 6, 1: 6}, producer_id=2)
    world.end(committed=False, producer_id=3)
    assert stable_offset(client) == stable_offset(client, 1) == UNSTABLE
    world.end(committed=False, producer_id=2)
    assert stable_offset(client) == UNSTABLE
    assert stable_offset(client, 1) == (-1, 0)
    world.end(committed=True, producer_id=1)
    assert stable_offset(client) == (5, 0)


@pytest.mark.parametrize("ends", [(1, 2), (2, 1)])
def test_of_two_transactions_the_later_commit_wins_whichever_ends_last(
    world: TxnOffsetsWorld, client: OffsetsClient, ends: tuple[int, int]
) -> None:
    """Compaction keeps the later record: the answer must not change with it."""
    world.txn_commit({0: 5}, producer_id=1)
    world.txn_commit({0: 6}, producer_id=2)
    for producer_id in ends:
        world.end(committed=True, producer_id=producer_id)
    assert stable_offset(client) == (6, 0)
    assert stable_offset(world.restart()) == (6, 0)


def test_a_plain_commit_after_that_of_a_transaction_stays(
    world: TxnOffsetsWorld, client: OffsetsClient
) -> None:
    world.txn_commit({0: 5, 1: 5})
    client.commit({0: 3})
    assert offset_of(client) == (3, 0)
    assert stable_offset(client) == UNSTABLE
    world.end(committed=True)
    assert client.committed() == {(TOPIC, 0): 3, (TOPIC, 1): 5}
    assert world.restart().committed() == {(TOPIC, 0): 3, (TOPIC, 1): 5}


def test_metadata_that_is_too_large_refuses_its_partition(
    world: TxnOffsetsWorld, client: OffsetsClient
) -> None:
    assert world.txn_commit({0: 1}, metadata="x" * 4096) == {0: 0}
    refused = world.txn_commit({1: 1}, metadata="x" * 4097)
    assert refused == {1: ErrorCode.OFFSET_METADATA_TOO_LARGE}
    world.end(committed=True)
    assert client.committed() == {(TOPIC, 0): 1}


# -- deleting ------------------------------------------------------------------------------


@pytest.mark.parametrize("restart", [False, True])
def test_a_deleted_offset_does_not_come_back_with_the_marker(
    world: TxnOffsetsWorld, client: OffsetsClient, restart: bool
) -> None:
    client.commit({0: 1})
    world.txn_commit({0: 5, 1: 5, 2: 5})
    world.txn_commit({1: 6}, producer_id=8)
    answer = client.delete_offsets([0, 1])
    assert [row.error_code for row in answer.topics[0].partitions] == [0, 0]
    if restart:
        client = world.restart()
    assert stable_offset(client) == stable_offset(client, 1) == (-1, 0)
    assert stable_offset(client, 2) == UNSTABLE
    world.end(committed=True)
    world.end(committed=True, producer_id=8)
    assert client.committed() == {(TOPIC, 2): 5}


def test_a_commit_after_the_deletion_counts(world: TxnOffsetsWorld, client: OffsetsClient) -> None:
    world.txn_commit({0: 5})
    client.delete_offsets([0])
    world.txn_commit({0: 7})
    world.end(committed=True)
    assert client.committed() == {(TOPIC, 0): 7}


def delete_group(client: OffsetsClient) -> int:
    (result,) = client.newest(ApiKey.DELETE_GROUPS, DeleteGroupsRequest(groups_names=["g"])).results
    code: int = result.error_code
    return code


def test_a_deleted_group_takes_its_open_transactions_with_it(
    world: TxnOffsetsWorld, client: OffsetsClient
) -> None:
    client.commit({0: 1})
    world.txn_commit({0: 5, 1: 5})
    assert delete_group(client) == 0
    assert not world.machine().offsets.has_open_transactions("g")
    assert "g" not in world.machine().groups
    world.end(committed=True)
    assert client.committed() == {}
    assert "g" not in world.machine().groups
    assert world.restart().committed() == {}


def test_a_group_of_an_open_transaction_does_not_expire(
    world: TxnOffsetsWorld, client: OffsetsClient
) -> None:
    world.txn_commit({0: 5})
    client.commit({1: 1})
    world.wait(15 * MINUTE)
    assert client.committed() == {}, "what no transaction touches expires"
    assert "g" in world.machine().groups
    world.end(committed=True)
    assert stable_offset(client) == (5, 0)
    world.wait(15 * MINUTE)
    assert client.committed() == {}
    assert "g" not in world.machine().groups


def test_a_deleted_topic_takes_what_was_pending_for_it(world: TxnOffsetsWorld, client: OffsetsClient) -> None:
    world.txn_commit({0: 5})
    client.delete_topic()
    client.create(TOPIC, 3)
    assert stable_offset(client) == (-1, 0)
    world.end(committed=True)
    assert stable_offset(client) == (-1, 0)


def test_housekeeping_does_not_take_what_is_pending_for_a_new_topic(
    world: TxnOffsetsWorld, client: OffsetsClient
) -> None:
    """An offset of the old topic, left behind, and one of the new topic in a transaction."""
    client.commit({0: 1})
    world.broker.coordinators.topic_deleted = lambda name, topic_id: None  # type: ignore[method-assign]
    client.delete_topic()
    client.create(TOPIC, 3)
    world.txn_commit({0: 5})
    world.wait(3 * MINUTE)
    assert stable_offset(client) == UNSTABLE
    world.end(committed=True)
    assert stable_offset(client) == (5, 0)


def test_what_a_transaction_commits_is_of_this_topic(world: TxnOffsetsWorld, client: OffsetsClient) -> None:
    """INVARIANTS 24: Kafka leaves the topic id out."""
    world.txn_commit({0: 5})
    world.end(committed=True)
    stored = world.machine().offsets.table.get("g", TOPIC, 0)
    assert stored is not None
    assert stored.topic_id == world.broker.metadata.image.topics[TOPIC].topic_id


# -- who may -------------------------------------------------------------------------------


def test_nobody_has_a_generation_of_a_group_that_does_not_exist(
    world: TxnOffsetsWorld, client: OffsetsClient
) -> None:
    refused = world.txn_commit({0: 1}, generation=1, member_id="m")
    assert refused == {0: ErrorCode.ILLEGAL_GENERATION}
    assert "g" not in world.machine().groups
    assert world.txn_commit({0: 1}) == {0: 0}, "an old producer, or a consumer that assigns itself"
    assert world.machine().groups["g"].state_name == "Empty"


def test_only_the_member_of_this_generation_may_commit(world: TxnOffsetsWorld, client: OffsetsClient) -> None:
    member = stable(client)
    assert world.txn_commit({0: 1}, **member) == {0: 0}
    stale = {**member, "generation": member["generation"] - 1}
    assert world.txn_commit({0: 2}, **stale) == {0: ErrorCode.ILLEGAL_GENERATION}
    unknown = {**member, "member_id": "somebody"}
    assert world.txn_commit({0: 3}, **unknown) == {0: ErrorCode.UNKNOWN_MEMBER_ID}
    not_static = {**member, "instance_id": "i"}
    assert world.txn_commit({0: 3}, **not_static) == {0: ErrorCode.UNKNOWN_MEMBER_ID}
    named = {"member_id": member["member_id"]}
    assert world.txn_commit({0: 3}, **named) == {0: ErrorCode.ILLEGAL_GENERATION}
    world.end(committed=True)
    assert client.committed() == {(TOPIC, 0): 1}
    leave(client, member)
    assert world.txn_commit({0: 2}, **member) == {0: ErrorCode.UNKNOWN_MEMBER_ID}


def test_a_producer_that_names_no_member_may_commit_to_a_group_with_members(
    world: TxnOffsetsWorld, client: OffsetsClient
) -> None:
    """Before KIP-447 it could not; a plain commit like this is refused."""
    stable(client)
    assert client.commit({0: 1}) == {0: ErrorCode.UNKNOWN_MEMBER_ID}
    assert world.txn_commit({0: 1}, version=2) == {0: 0}


def test_a_member_may_commit_between_join_and_sync(world: TxnOffsetsWorld, client: OffsetsClient) -> None:
    joined = join(client)
    member = {"member_id": joined.member_id, "generation": joined.generation_id}
    assert client.commit({0: 1}, **member) == {0: ErrorCode.REBALANCE_IN_PROGRESS}
    assert world.txn_commit({0: 1}, **member) == {0: 0}
    sync(client, joined)
    assert world.txn_commit({0: 2}, **member) == {0: 0}


def test_a_transaction_keeps_no_session_alive(world: TxnOffsetsWorld, client: OffsetsClient) -> None:
    member = stable(client)
    world.wait(20 * MINUTE)
    assert world.txn_commit({0: 1}, **member) == {0: 0}
    world.wait(11 * MINUTE)
    assert world.txn_commit({0: 1}, **member) == {0: ErrorCode.UNKNOWN_MEMBER_ID}


def test_a_stale_member_epoch_is_told_as_an_old_generation(
    world: TxnOffsetsWorld, client: OffsetsClient
) -> None:
    """The consumer protocol: producers know no member epochs."""
    member = consumer(client)
    assert world.txn_commit({0: 1}, **member) == {0: 0}
    for other in (1, -1):
        stale = {**member, "generation": member["generation"] + other}
        assert world.txn_commit({0: 2}, **stale) == {0: ErrorCode.ILLEGAL_GENERATION}
    unknown = {**member, "member_id": "m2"}
    assert world.txn_commit({0: 2}, **unknown) == {0: ErrorCode.UNKNOWN_MEMBER_ID}
    assert world.txn_commit({1: 2}, version=2) == {1: 0}, "names no member"
    world.end(committed=True)
    assert client.committed() == {(TOPIC, 0): 1, (TOPIC, 1): 2}


def test_an_older_epoch_may_commit_what_it_was_given(world: TxnOffsetsWorld, client: OffsetsClient) -> None:
    """KIP-1251: the partition came with that epoch and was never taken away."""
    member = consumer(client)
    epoch = member["generation"]
    heartbeat(
        client, "m2", 0, rebalance_timeout_ms=60_000, subscribed_topic_names=[TOPIC], topic_partitions=[]
    )
    (left,) = heartbeat(client, "m1", epoch).assignment.topic_partitions
    given_up = ({0, 1, 2} - set(left.partitions)).pop()
    kept = TopicPartitions(left.topic_id, left.partitions)
    answer = heartbeat(client, "m1", epoch, subscribed_topic_names=[TOPIC], topic_partitions=[kept])
    assert answer.member_epoch > epoch
    assert world.txn_commit({left.partitions[0]: 1}, **member) == {left.partitions[0]: 0}
    assert world.txn_commit({given_up: 1}, **member) == {given_up: ErrorCode.ILLEGAL_GENERATION}
    both = world.txn_commit({left.partitions[0]: 2, given_up: 2}, **member)
    assert set(both.values()) == {ErrorCode.ILLEGAL_GENERATION}, "refused as a whole"
    world.end(committed=True)
    assert client.committed(member_id="m1", member_epoch=answer.member_epoch) == {
        (TOPIC, left.partitions[0]): 1
    }
