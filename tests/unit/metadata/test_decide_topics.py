"""CreateTopics, CreatePartitions, DeleteTopics: the error codes are those Apache Kafka 4.3.1 answers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from metadata_world import World

from riverlog.base.errors import ErrorCode
from riverlog.metadata import partitions, topics
from riverlog.metadata.image import TOPIC_RESOURCE
from riverlog.protocol.generated.create_partitions_request import (
    CreatePartitionsAssignment,
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from riverlog.protocol.generated.create_topics_request import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from riverlog.protocol.generated.create_topics_response import CreateTopicsResponse
from riverlog.protocol.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from riverlog.protocol.primitives import ZERO_UUID

E = ErrorCode


@pytest.fixture(scope="module")
def world() -> World:
    """A node with a few topics; deciding changes nothing, so the tests can share it."""
    world = World()
    world.start()
    world.create("t", 3)
    world.create("a.b")
    world.create("other")
    return world


def topic(
    name: str,
    count: int = 1,
    factor: int = 1,
    *,
    assigned: dict[int, list[int]] | Sequence[tuple[int, list[int]]] = (),
    configs: Sequence[tuple[str, str | None]] = (),
) -> CreatableTopic:
    pairs = assigned.items() if isinstance(assigned, dict) else assigned
    return CreatableTopic(
        name=name,
        num_partitions=count,
        replication_factor=factor,
        assignments=[CreatableReplicaAssignment(partition_index=i, broker_ids=ids) for i, ids in pairs],
        configs=[CreatableTopicConfig(name=key, value=value) for key, value in configs],
    )


def create(world: World, *wanted: CreatableTopic, validate_only: bool = False) -> CreateTopicsResponse:
    request = CreateTopicsRequest(topics=list(wanted), timeout_ms=1, validate_only=validate_only)
    decision = topics.create_topics(world.node.state, world.node.settings, request)
    made = [result for result in decision.response.topics if result.error_code == E.NONE]
    assert bool(decision.records) == bool(made and not validate_only)
    return decision.response


def codes(response: CreateTopicsResponse) -> list[tuple[str, ErrorCode]]:
    return [(result.name, ErrorCode(result.error_code)) for result in response.topics]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("", E.INVALID_TOPIC_EXCEPTION),
        (".", E.INVALID_TOPIC_EXCEPTION),
        ("..", E.INVALID_TOPIC_EXCEPTION),
        ("x" * 249, E.NONE),
        ("x" * 250, E.INVALID_TOPIC_EXCEPTION),
        ("a b", E.INVALID_TOPIC_EXCEPTION),
        ("é", E.INVALID_TOPIC_EXCEPTION),
        ("a/b", E.INVALID_TOPIC_EXCEPTION),
        ("x\n", E.INVALID_TOPIC_EXCEPTION),
        ("__cluster_metadata", E.INVALID_REQUEST),
        ("__consumer_offsets", E.NONE),
        ("t", E.TOPIC_ALREADY_EXISTS),
        ("a_b", E.INVALID_TOPIC_EXCEPTION),
        ("a.b", E.TOPIC_ALREADY_EXISTS),
    ],
)
def test_topic_names(world: World, name: str, error: ErrorCode) -> None:
    assert codes(create(world, topic(name))) == [(name, error)]


@pytest.mark.parametrize(
    ("count", "factor", "error"),
    [
        (0, 1, E.INVALID_PARTITIONS),
        (-2, 1, E.INVALID_PARTITIONS),
        (1, 0, E.INVALID_REPLICATION_FACTOR),
        (1, -2, E.INVALID_REPLICATION_FACTOR),
        (0, 0, E.INVALID_REPLICATION_FACTOR),
        (1, 2, E.INVALID_REPLICATION_FACTOR),
        (1, 32767, E.INVALID_REPLICATION_FACTOR),
        (-1, -1, E.NONE),
        (5, -1, E.NONE),
        (10_001, 1, E.POLICY_VIOLATION),
        (9_999, 1, E.NONE),
    ],
)
def test_counts(world: World, count: int, factor: int, error: ErrorCode) -> None:
    response = create(world, topic("new", count, factor))
    assert codes(response) == [("new", error)]
    if error is E.NONE:
        (result,) = response.topics
        assert (result.num_partitions, result.replication_factor) == (max(count, 1), 1)


def test_a_request_is_refused_as_a_whole_when_it_makes_too_many_records(world: World) -> None:
    response = create(world, topic("big", 10_000), topic("small"))
    assert codes(response) == [("big", E.POLICY_VIOLATION), ("small", E.POLICY_VIOLATION)]


@pytest.mark.parametrize(
    ("assigned", "count", "factor", "error"),
    [
        ({0: [1], 1: [1]}, -1, -1, E.NONE),
        ({0: [1]}, 1, -1, E.INVALID_REQUEST),
        ({0: [1]}, -1, 1, E.INVALID_REQUEST),
        ({0: [1], 2: [1]}, -1, -1, E.INVALID_REPLICA_ASSIGNMENT),
        ({0: [9]}, -1, -1, E.INVALID_REPLICA_ASSIGNMENT),
        ({0: [1, 1]}, -1, -1, E.INVALID_REPLICA_ASSIGNMENT),
        ({0: []}, -1, -1, E.INVALID_REPLICA_ASSIGNMENT),
        ({-1: [1]}, -1, -1, E.INVALID_REPLICA_ASSIGNMENT),
        ([(0, [1]), (0, [1])], -1, -1, E.INVALID_REPLICA_ASSIGNMENT),
    ],
)
def test_manual_assignments(
    world: World, assigned: dict[int, list[int]], count: int, factor: int, error: ErrorCode
) -> None:
    assert codes(create(world, topic("new", count, factor, assigned=assigned))) == [("new", error)]


@pytest.mark.parametrize(
    ("configs", "error"),
    [
        ([("retention.ms", "5")], E.NONE),
        ([("retention.ms", "x")], E.INVALID_CONFIG),
        ([("retention.ms", "-2")], E.INVALID_CONFIG),
        ([("retention.ms", None)], E.INVALID_CONFIG),
        ([("segment.bytes", "1")], E.INVALID_CONFIG),
        ([("unknown", "1")], E.INVALID_CONFIG),
        ([("message.format.version", "3.0")], E.INVALID_CONFIG),
        ([("internal.segment.bytes", "5")], E.NONE),
        ([("remote.storage.enable", "true")], E.INVALID_CONFIG),
        ([("retention.ms", "1"), ("retention.ms", "2")], E.NONE),
    ],
)
def test_settings_at_creation(world: World, configs: list[tuple[str, str | None]], error: ErrorCode) -> None:
    assert codes(create(world, topic("new", configs=configs))) == [("new", error)]


def test_internal_topics_cannot_give_up_the_sync(world: World) -> None:
    configs = [("ack.after.fsync", "false")]
    assert codes(create(world, topic("new", configs=configs))) == [("new", E.NONE)]
    response = create(world, topic("__consumer_offsets", configs=configs))
    assert codes(response) == [("__consumer_offsets", E.INVALID_CONFIG)]


def test_an_existing_topic_is_named_before_its_settings_are_looked_at(world: World) -> None:
    response = create(world, topic("t", configs=[("nope", "1")]))
    assert codes(response) == [("t", E.TOPIC_ALREADY_EXISTS)]


def test_a_name_given_twice_creates_neither(world: World) -> None:
    response = create(world, topic("d"), topic("e"), topic("d"))
    assert codes(response) == [("e", E.NONE), ("d", E.INVALID_REQUEST)]


def test_validate_only_answers_and_makes_nothing(world: World) -> None:
    response = create(world, topic("v", 3), topic("t"), validate_only=True)
    assert codes(response) == [("v", E.NONE), ("t", E.TOPIC_ALREADY_EXISTS)]


def test_records_come_in_kafkas_order(world: World) -> None:
    request = CreateTopicsRequest(topics=[topic("new", 2, configs=[("retention.ms", "5")])])
    records = topics.create_topics(world.node.state, world.node.settings, request).records
    assert [type(record).__name__ for record in records] == [
        "TopicRecord",
        "ConfigRecord",
        "PartitionRecord",
        "PartitionRecord",
    ]


def test_the_answer_carries_the_settings_in_force(world: World) -> None:
    (result,) = create(world, topic("new", configs=[("retention.ms", "77")])).topics
    found = {config.name: (config.value, config.config_source) for config in result.configs}
    assert found["retention.ms"] == ("77", 1)
    assert found["segment.bytes"] == ("1073741824", 5)
    assert "internal.segment.bytes" not in found
    assert [config.name for config in result.configs] == sorted(found)


# -- CreatePartitions ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "count", "assigned", "error"),
    [
        ("t", 3, None, E.INVALID_PARTITIONS),
        ("t", 2, None, E.INVALID_PARTITIONS),
        ("t", -1, None, E.INVALID_PARTITIONS),
        ("t", 5, None, E.NONE),
        ("zz", 5, None, E.UNKNOWN_TOPIC_OR_PARTITION),
        ("t", 4, [[1]], E.NONE),
        ("t", 5, [[1]], E.INVALID_REPLICA_ASSIGNMENT),
        ("t", 4, [], E.INVALID_REPLICA_ASSIGNMENT),
        ("t", 4, [[]], E.INVALID_REPLICA_ASSIGNMENT),
        ("t", 4, [[1, 1]], E.INVALID_REPLICA_ASSIGNMENT),
        ("t", 4, [[9]], E.INVALID_REPLICA_ASSIGNMENT),
        ("t", 20_000, None, E.POLICY_VIOLATION),
    ],
)
def test_growing(
    world: World, name: str, count: int, assigned: list[list[int]] | None, error: ErrorCode
) -> None:
    wanted = CreatePartitionsTopic(
        name=name,
        count=count,
        assignments=None
        if assigned is None
        else [CreatePartitionsAssignment(broker_ids=ids) for ids in assigned],
    )
    request = CreatePartitionsRequest(topics=[wanted])
    decision = partitions.create_partitions(world.node.state, world.node.settings, request)
    assert [result.error_code for result in decision.response.results] == [error]
    assert [getattr(record, "partition_id", None) for record in decision.records] == (
        list(range(3, count)) if error is E.NONE else []
    )


def test_a_topic_given_twice_grows_not_at_all(world: World) -> None:
    wanted = [CreatePartitionsTopic(name="t", count=count, assignments=None) for count in (5, 6)]
    request = CreatePartitionsRequest(topics=wanted)
    decision = partitions.create_partitions(world.node.state, world.node.settings, request)
    assert [result.error_code for result in decision.response.results] == [E.INVALID_REQUEST]
    assert not decision.records


# -- DeleteTopics ----------------------------------------------------------------------------


def delete(
    world: World, *wanted: tuple[str | None, bytes], api_version: int = 6
) -> list[tuple[str | None, int]]:
    request = DeleteTopicsRequest(topics=[DeleteTopicState(name=n, topic_id=i) for n, i in wanted])
    decision = topics.delete_topics(world.node.state, world.node.settings, request, api_version=api_version)
    results = decision.response.responses
    assert len(decision.records) == sum(result.error_code == E.NONE for result in results)
    return [(result.name, result.error_code) for result in results]


def test_deleting(world: World) -> None:
    known = world.node.state.topics["t"].topic_id
    other = b"\7" * 16
    assert delete(world, ("t", ZERO_UUID)) == [("t", E.NONE)]
    assert delete(world, (None, known)) == [("t", E.NONE)]
    assert delete(world, ("zz", ZERO_UUID)) == [("zz", E.UNKNOWN_TOPIC_OR_PARTITION)]
    assert delete(world, (None, other)) == [(None, E.UNKNOWN_TOPIC_ID)]
    assert delete(world, (None, ZERO_UUID)) == [(None, E.INVALID_REQUEST)]
    assert delete(world, ("t", known)) == [("t", E.INVALID_REQUEST)]
    assert delete(world, ("t", ZERO_UUID), ("t", ZERO_UUID)) == [("t", E.INVALID_REQUEST)]
    assert delete(world, (None, known), (None, known)) == [(None, E.INVALID_REQUEST)]
    assert delete(world, (None, known), ("t", ZERO_UUID)) == [("t", E.INVALID_REQUEST)]
    assert delete(world, ("t", ZERO_UUID), ("zz", ZERO_UUID), ("other", ZERO_UUID)) == [
        ("zz", E.UNKNOWN_TOPIC_OR_PARTITION),
        ("t", E.NONE),
        ("other", E.NONE),
    ]


def test_deletion_can_be_disabled() -> None:
    world = World(static={"delete.topic.enable": "false"})
    world.start()
    world.create("t")
    assert delete(world, ("t", ZERO_UUID)) == [("t", E.TOPIC_DELETION_DISABLED)]
    assert delete(world, ("t", ZERO_UUID), api_version=2) == [("t", E.INVALID_REQUEST)]


def test_settings_of_a_topic_go_with_it() -> None:
    world = World()
    node = world.start()
    world.create("t", retention_ms="5")
    assert node.state.configs == {(TOPIC_RESOURCE, "t"): {"retention.ms": "5"}}
    world.delete("t")
    assert node.state.configs == {}
    assert node.state.partition_count == 0
