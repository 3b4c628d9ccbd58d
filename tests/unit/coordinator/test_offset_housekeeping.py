"""Expiry of offsets and of groups without any, and offsets inside transactions."""

from __future__ import annotations

from typing import Any

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import CoordinatorRecord, Decision
from riverlog.coordinator.group.base import Group
from riverlog.coordinator.group.machine import GroupMachine
from riverlog.coordinator.group.offsets_expiry import is_expired
from riverlog.coordinator.group.records import offset_commit
from riverlog.protocol.generated.offset_commit_value import OffsetCommitValue
from riverlog.records import BatchBuilder, read_header
from riverlog.records.control import end_txn_marker
from riverlog.storage import UNVERIFIED
from tests.unit.coordinator.offsets_world import TOPIC, OffsetsClient, OffsetsWorld

DAY_MS = 86_400_000
MINUTE = 60.0
RETENTION = {"offsets_retention_minutes": "10", "offsets_retention_check_interval_ms": "60000"}


def machine_of(world: OffsetsWorld, group: str = "g") -> GroupMachine:
    host = world.broker.groups
    return host.shards[host.shard_of(group)].machine


def log_end(world: OffsetsWorld) -> int:
    return sum(shard.partition.log.log_end_offset for shard in world.broker.groups.shards.values())


# -- expiry --------------------------------------------------------------------------------


def test_offsets_of_a_simple_group_expire_after_their_commit_and_the_group_with_the_last() -> None:
    world = OffsetsWorld(**RETENTION)
    client = world.prepared()
    client.commit({0: 1})
    world.wait(8 * MINUTE)
    client.commit({1: 2})
    world.wait(3 * MINUTE)
    assert client.committed() == {(TOPIC, 1): 2}
    assert "g" in machine_of(world).groups
    world.wait(9 * MINUTE)
    assert client.committed() == {}
    assert "g" not in machine_of(world).groups
    world.restart(clean=False)
    assert machine_of(world).groups == {}


def test_the_default_retention_is_a_week() -> None:
    world = OffsetsWorld()
    client = world.prepared()
    client.commit({0: 1})
    world.clock.jump_wall(7 * DAY_MS - 20 * 60_000)
    world.wait(15 * MINUTE)
    assert client.committed() == {(TOPIC, 0): 1}
    world.wait(15 * MINUTE)
    assert client.committed() == {}


def test_an_old_client_may_give_a_retention_of_its_own() -> None:
    world = OffsetsWorld(**RETENTION)
    client = world.prepared()
    assert client.commit({0: 1}, version=4, retention_ms=3 * 60_000) == {0: 0}
    assert client.commit({1: 1}, version=4, retention_ms=30 * 60_000) == {1: 0}
    client = world.restart()
    world.wait(5 * MINUTE)
    assert client.committed() == {(TOPIC, 1): 1}
    world.wait(20 * MINUTE)
    assert client.committed() == {(TOPIC, 1): 1}
    world.wait(6 * MINUTE)
    assert client.committed() == {}


def test_nothing_is_written_while_nothing_expires() -> None:
    world = OffsetsWorld(**RETENTION)
    client = world.prepared()
    client.commit({0: 1})
    before = log_end(world)
    world.wait(9 * MINUTE)
    assert log_end(world) == before


def test_many_groups_expire_over_several_turns() -> None:
    world = OffsetsWorld(**RETENTION)
    world.prepared()
    topic_id = world.broker.metadata.image.topics[TOPIC].topic_id
    now_ms = world.clock.now_ms()
    for number in range(3_000):
        name = f"g{number}"
        value = OffsetCommitValue(offset=1, commit_timestamp=now_ms, topic_id=topic_id)
        records: list[CoordinatorRecord] = [offset_commit(name, TOPIC, at, value) for at in range(3)]
        world.broker.groups.submit(name, lambda machine, _, records=records: Decision(records))  # type: ignore[misc]
    assert sum(len(shard.machine.groups) for shard in world.broker.groups.shards.values()) == 3_000
    world.wait(12 * MINUTE)
    assert [len(shard.machine.groups) for shard in world.broker.groups.shards.values()] == [0, 0]


class Reading(Group):
    """A group with members that reads one topic."""

    base: int | None = None

    @property
    def is_empty(self) -> bool:
        return False

    def is_subscribed(self, topic: str) -> bool:
        return topic == "read"

    def offset_expiry_base_ms(self, commit_timestamp_ms: int) -> int | None:
        return self.base


def test_the_group_decides_what_its_offsets_retention_counts_from() -> None:
    world = OffsetsWorld(**RETENTION)
    client = world.prepared()
    client.commit({0: 1})
    machine = machine_of(world)
    stored = machine.offsets.table.get("g", TOPIC, 0)
    assert stored is not None
    late = stored.commit_timestamp + 100 * 60_000
    group = Reading("g")
    assert not is_expired(machine, group, TOPIC, stored, late), "its state protects it"
    group.base = late - 9 * 60_000
    assert not is_expired(machine, group, TOPIC, stored, late)
    group.base = late - 10 * 60_000
    assert is_expired(machine, group, TOPIC, stored, late)
    assert not is_expired(machine, group, "read", stored, late)


def test_a_group_with_members_outlives_its_offsets() -> None:
    world = OffsetsWorld(**RETENTION)
    client = world.prepared()
    client.commit({0: 1})
    machine = machine_of(world)
    group = machine.groups["g"] = Reading("g")
    group.base = 0
    world.wait(2 * MINUTE)
    assert client.committed() == {}
    assert machine.groups["g"] is group


# -- transactions --------------------------------------------------------------------------


def append_to_shard(world: OffsetsWorld, batch: bytes) -> None:
    """As if it had come from a folder of Kafka: the machine hears of it when it loads."""
    host = world.broker.groups
    buffer = bytearray(batch)
    host.shards[host.shard_of("g")].partition.append(
        memoryview(buffer), read_header(buffer, 0), world.clock.now_ms(), UNVERIFIED
    )


def pending_commit(world: OffsetsWorld, offset: int, *, producer_id: int = 9, sequence: int = 0) -> None:
    value = OffsetCommitValue(offset=offset, commit_timestamp=world.clock.now_ms())
    key, encoded = offset_commit("g", TOPIC, 0, value).encode()
    builder = BatchBuilder(
        producer_id=producer_id, producer_epoch=0, base_sequence=sequence, transactional=True
    )
    builder.append(timestamp=world.clock.now_ms(), key=key, value=encoded)
    append_to_shard(world, builder.build())


def end(world: OffsetsWorld, *, commit: bool) -> None:
    batch = end_txn_marker(
        commit=commit, producer_id=9, producer_epoch=0, coordinator_epoch=0, timestamp=world.clock.now_ms()
    )
    append_to_shard(world, batch)


def offset(client: OffsetsClient, **settings: Any) -> tuple[int, int]:
    row = client.fetch([0], **settings).topics[0].partitions[0]
    return row.committed_offset, row.error_code


def test_offsets_of_an_open_transaction_are_not_told_and_not_stable() -> None:
    world = OffsetsWorld()
    client = world.prepared()
    client.commit({0: 1})
    pending_commit(world, 5)
    client = world.restart()
    assert offset(client) == (1, 0)
    assert offset(client, require_stable=True) == (-1, ErrorCode.UNSTABLE_OFFSET_COMMIT)
    stable = client.fetch(None, require_stable=True)
    assert stable.topics[0].partitions[0].error_code == ErrorCode.UNSTABLE_OFFSET_COMMIT
    assert client.fetch([1], require_stable=True).topics[0].partitions[0].error_code == 0


@pytest.mark.parametrize(("commit", "expected"), [(True, 5), (False, 1)])
def test_the_end_of_a_transaction_decides_its_offsets(commit: bool, expected: int) -> None:
    world = OffsetsWorld()
    client = world.prepared()
    client.commit({0: 1})
    pending_commit(world, 5)
    end(world, commit=commit)
    client = world.restart()
    assert offset(client, require_stable=True) == (expected, 0)


def test_a_plain_commit_after_that_of_a_transaction_stays_when_the_transaction_commits() -> None:
    world = OffsetsWorld()
    client = world.prepared()
    pending_commit(world, 5)
    client.commit({0: 7})
    end(world, commit=True)
    assert offset(world.restart()) == (7, 0)


def test_an_open_transaction_protects_from_expiry_and_ends_with_the_topic() -> None:
    world = OffsetsWorld(**RETENTION)
    client = world.prepared()
    client.commit({0: 1, 1: 1})
    pending_commit(world, 5)
    client = world.restart()
    world.wait(12 * MINUTE)
    assert client.committed() == {(TOPIC, 0): 1}
    assert "g" in machine_of(world).groups
    client.delete_topic()
    world.wait(2 * MINUTE)
    assert client.committed() == {}
    assert not machine_of(world).offsets.has_open_transactions("g")
