"""IncrementalAlterConfigs and AlterConfigs: the error codes are those Apache Kafka 4.3.1 answers."""

from __future__ import annotations

import pytest
from metadata_world import World, configs

from riverlog.base.errors import ErrorCode
from riverlog.metadata.configs import APPEND, DELETE, SET, SUBTRACT
from riverlog.metadata.controller import Decision
from riverlog.metadata.image import BROKER_RESOURCE as BROKER
from riverlog.metadata.image import TOPIC_RESOURCE as TOPIC
from riverlog.protocol.generated import alter_configs_request as old
from riverlog.protocol.generated.alter_configs_response import AlterConfigsResponse
from riverlog.protocol.generated.config_record import ConfigRecord
from riverlog.protocol.generated.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from riverlog.protocol.generated.incremental_alter_configs_response import IncrementalAlterConfigsResponse
from riverlog.protocol.generated.partition_change_record import PartitionChangeRecord

E = ErrorCode
Change = tuple[str, int, str | None]


@pytest.fixture(scope="module")
def world() -> World:
    """Shared: deciding changes nothing."""
    world = World()
    world.start()
    world.create("t", 2, retention_ms="5", cleanup_policy="delete")
    world.create("u", 1, ack_after_fsync="false")
    world.create("__consumer_offsets")
    return world


def alter(
    world: World, *resources: tuple[int, str, list[Change]], validate_only: bool = False
) -> Decision[IncrementalAlterConfigsResponse]:
    request = IncrementalAlterConfigsRequest(
        resources=[
            AlterConfigsResource(
                resource_type=kind,
                resource_name=name,
                configs=[
                    AlterableConfig(name=key, config_operation=op, value=value) for key, op, value in changes
                ],
            )
            for kind, name, changes in resources
        ],
        validate_only=validate_only,
    )
    return configs.incremental_alter_configs(world.node.state, world.node.settings, request)


def values(decision: Decision[IncrementalAlterConfigsResponse]) -> dict[str, str | None]:
    return {record.name: record.value for record in decision.records if isinstance(record, ConfigRecord)}


@pytest.mark.parametrize(
    ("kind", "name", "changes", "error"),
    [
        (TOPIC, "t", [("retention.ms", SET, "6")], E.NONE),
        (TOPIC, "t", [], E.NONE),
        (TOPIC, "zz", [("retention.ms", SET, "6")], E.UNKNOWN_TOPIC_OR_PARTITION),
        (TOPIC, "zz", [("retention.ms", SET, "x")], E.INVALID_CONFIG),
        (TOPIC, "t", [("retention.ms", SET, "x")], E.INVALID_CONFIG),
        (TOPIC, "t", [("foo", SET, "x")], E.INVALID_CONFIG),
        (TOPIC, "t", [("foo", DELETE, None)], E.NONE),
        (TOPIC, "t", [("foo", APPEND, "x")], E.INVALID_CONFIG),
        (TOPIC, "t", [("retention.ms", APPEND, "1")], E.INVALID_CONFIG),
        (TOPIC, "t", [("cleanup.policy", APPEND, "compact")], E.NONE),
        (TOPIC, "t", [("cleanup.policy", APPEND, "x")], E.INVALID_CONFIG),
        (TOPIC, "t", [("retention.ms", SET, None)], E.INVALID_REQUEST),
        (TOPIC, "t", [("retention.ms", SET, "1"), ("retention.ms", SET, "2")], E.INVALID_REQUEST),
        (TOPIC, "t", [("retention.ms", 9, "1")], E.INVALID_REQUEST),
        (TOPIC, "t", [("remote.storage.enable", SET, "true")], E.INVALID_CONFIG),
        (TOPIC, "", [("retention.ms", SET, "1")], E.INVALID_REQUEST),
        (TOPIC, "a b", [("retention.ms", SET, "1")], E.INVALID_TOPIC_EXCEPTION),
        (TOPIC, "__consumer_offsets", [("ack.after.fsync", SET, "false")], E.INVALID_CONFIG),
        (0, "t", [("retention.ms", SET, "1")], E.INVALID_REQUEST),
        (99, "t", [("retention.ms", SET, "1")], E.INVALID_REQUEST),
        (BROKER, "1", [("max.connections", SET, "100")], E.NONE),
        (BROKER, "", [("max.connections", SET, "100")], E.NONE),
        (BROKER, "1", [("max.connections", DELETE, None)], E.NONE),
        (BROKER, "2", [("max.connections", SET, "100")], E.INVALID_REQUEST),
        (BROKER, "x", [("max.connections", SET, "100")], E.INVALID_REQUEST),
        (BROKER, "1", [("max.connections", SET, "-5")], E.INVALID_REQUEST),
        (BROKER, "1", [("max.connections", APPEND, "5")], E.INVALID_CONFIG),
        (BROKER, "1", [("node.id", SET, "5")], E.INVALID_REQUEST),
        (BROKER, "1", [("node.id", DELETE, None)], E.NONE),
        (BROKER, "1", [("foo.bar", SET, "5")], E.NONE),
        (BROKER, "1", [("ack.after.fsync", SET, "false")], E.INVALID_REQUEST),
        (BROKER, "", [("ack.after.fsync", SET, "false")], E.NONE),
        (BROKER, "", [("cordoned.log.dirs", SET, "")], E.INVALID_REQUEST),
    ],
)
def test_error_codes(world: World, kind: int, name: str, changes: list[Change], error: ErrorCode) -> None:
    decision = alter(world, (kind, name, changes))
    (response,) = decision.response.responses
    assert (response.error_code, response.resource_type, response.resource_name) == (error, kind, name)
    if error is not E.NONE:
        assert not decision.records
        assert response.error_message


def test_lists_are_appended_and_subtracted(world: World) -> None:
    policy = "cleanup.policy"
    assert values(alter(world, (TOPIC, "t", [(policy, APPEND, "compact")]))) == {policy: "delete,compact"}
    assert values(alter(world, (TOPIC, "t", [(policy, APPEND, "delete")]))) == {}
    assert values(alter(world, (TOPIC, "t", [(policy, SUBTRACT, "delete")]))) == {policy: ""}
    # Without a value of its own the default is what is added to.
    assert values(alter(world, (TOPIC, "u", [(policy, APPEND, "compact")]))) == {policy: "delete,compact"}


def test_what_does_not_change_makes_no_record_except_for_brokers(world: World) -> None:
    assert not alter(world, (TOPIC, "t", [("retention.ms", SET, "5")])).records
    assert not alter(world, (TOPIC, "t", [("segment.ms", DELETE, None)])).records
    assert len(alter(world, (BROKER, "1", [("max.connections", DELETE, None)])).records) == 1


def test_one_bad_setting_spoils_its_resource_only(world: World) -> None:
    decision = alter(
        world,
        (TOPIC, "t", [("retention.ms", SET, "6"), ("segment.ms", SET, "x")]),
        (TOPIC, "u", [("retention.ms", SET, "7")]),
    )
    assert [r.error_code for r in decision.response.responses] == [E.INVALID_CONFIG, E.NONE]
    assert values(decision) == {"retention.ms": "7"}


def test_a_resource_given_twice_is_refused_both_times(world: World) -> None:
    change: list[Change] = [("retention.ms", SET, "6")]
    decision = alter(world, (TOPIC, "t", change), (TOPIC, "t", change))
    assert [r.error_code for r in decision.response.responses] == [E.INVALID_REQUEST, E.INVALID_REQUEST]


def test_validate_only_makes_nothing(world: World) -> None:
    decision = alter(world, (TOPIC, "t", [("retention.ms", SET, "6")]), validate_only=True)
    assert decision.response.responses[0].error_code == E.NONE
    assert not decision.records


def new_epochs(decision: Decision[IncrementalAlterConfigsResponse], world: World) -> list[tuple[str, int]]:
    """Partitions that get a new leader epoch in this batch."""
    by_id = world.node.state.topics_by_id
    return [
        (by_id[record.topic_id].name, record.partition_id)
        for record in decision.records
        if isinstance(record, PartitionChangeRecord)
    ]


def test_changing_ack_after_fsync_starts_a_new_leader_epoch_in_the_same_batch(world: World) -> None:
    key = "ack.after.fsync"
    assert new_epochs(alter(world, (TOPIC, "t", [(key, SET, "false")])), world) == [("t", 0), ("t", 1)]
    assert new_epochs(alter(world, (TOPIC, "t", [(key, SET, "true")])), world) == []
    assert new_epochs(alter(world, (TOPIC, "u", [(key, DELETE, None)])), world) == [("u", 0)]
    # The default touches topics without a setting of their own, internal ones aside.
    assert new_epochs(alter(world, (BROKER, "", [(key, SET, "false")])), world) == [("t", 0), ("t", 1)]
    assert new_epochs(alter(world, (BROKER, "", [(key, SET, "true")])), world) == []


def alter_old(world: World, name: str, **wanted: str | None) -> Decision[AlterConfigsResponse]:
    request = old.AlterConfigsRequest(
        resources=[
            old.AlterConfigsResource(
                resource_type=TOPIC,
                resource_name=name,
                configs=[
                    old.AlterableConfig(name=key.replace("_", "."), value=value)
                    for key, value in wanted.items()
                ],
            )
        ]
    )
    return configs.alter_configs(world.node.state, world.node.settings, request)


def test_the_old_form_replaces_all_settings(world: World) -> None:
    decision = alter_old(world, "t", segment_ms="9")
    assert {(r.name, r.value) for r in decision.records if isinstance(r, ConfigRecord)} == {
        ("segment.ms", "9"),
        ("retention.ms", None),
        ("cleanup.policy", None),
    }
    decision = alter_old(world, "u")
    assert len([r for r in decision.records if isinstance(r, PartitionChangeRecord)]) == 1
    assert alter_old(world, "zz").response.responses[0].error_code == E.UNKNOWN_TOPIC_OR_PARTITION
    assert alter_old(world, "t", segment_ms=None).response.responses[0].error_code == E.INVALID_REQUEST


GROUP = 32


@pytest.mark.parametrize(
    ("key", "value", "error"),
    [
        ("consumer.session.timeout.ms", "50000", E.NONE),
        ("consumer.session.timeout.ms", "44999", E.INVALID_CONFIG),
        ("consumer.session.timeout.ms", "60001", E.INVALID_CONFIG),
        ("consumer.session.timeout.ms", "soon", E.INVALID_CONFIG),
        ("consumer.heartbeat.interval.ms", "6000", E.NONE),
        ("consumer.heartbeat.interval.ms", "0", E.INVALID_CONFIG),
        ("consumer.assignment.interval.ms", "20000", E.INVALID_CONFIG),
        ("nope", "1", E.INVALID_CONFIG),
    ],
)
def test_settings_of_a_group_are_kept_within_the_brokers_bounds(
    world: World, key: str, value: str, error: ErrorCode
) -> None:
    decision = alter(world, (GROUP, "some group", [(key, SET, value)]))
    assert [row.error_code for row in decision.response.responses] == [error]
    assert values(decision) == ({key: value} if error is E.NONE else {})


def test_settings_of_a_group_can_go_again_and_need_a_name(world: World) -> None:
    decision = alter(
        world,
        (GROUP, "g", [("consumer.session.timeout.ms", DELETE, None)]),
        (GROUP, "", [("consumer.session.timeout.ms", SET, "50000")]),
        (GROUP, "h", [("consumer.session.timeout.ms", APPEND, "50000")]),
    )
    codes = [row.error_code for row in decision.response.responses]
    assert codes == [E.NONE, E.INVALID_REQUEST, E.INVALID_CONFIG]
    assert decision.records == []
