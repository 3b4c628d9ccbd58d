"""AlterClientQuotas and DescribeClientQuotas: what Kafka 4.3 takes, refuses and finds."""

from __future__ import annotations

from typing import Any

import pytest
from broker_world import Client, World

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated import alter_client_quotas_request as alter
from riverlog.protocol.generated.describe_client_quotas_request import (
    ComponentData,
    DescribeClientQuotasRequest,
)

Entity = list[tuple[str, str | None]]
ALICE: Entity = [("user", "alice")]
EXACT, DEFAULT, ANY = range(3)


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def client(world: World) -> Client:
    return world.client()


def alter_quotas(
    client: Client, *entries: tuple[Entity, list[tuple[str, float | None]]], validate_only: bool = False
) -> list[ErrorCode]:
    request = alter.AlterClientQuotasRequest(
        entries=[
            alter.EntryData(
                entity=[alter.EntityData(entity_type=kind, entity_name=name) for kind, name in entity],
                ops=[
                    alter.OpData(key=key, value=value or 0.0, remove=value is None) for key, value in changes
                ],
            )
            for entity, changes in entries
        ],
        validate_only=validate_only,
    )
    response = client.newest(ApiKey.ALTER_CLIENT_QUOTAS, request)
    return [ErrorCode(entry.error_code) for entry in response.entries]


def describe(client: Client, *components: tuple[str, int, str | None], strict: bool = False) -> Any:
    request = DescribeClientQuotasRequest(
        components=[
            ComponentData(entity_type=kind, match_type=match_type, match=match)
            for kind, match_type, match in components
        ],
        strict=strict,
    )
    return client.newest(ApiKey.DESCRIBE_CLIENT_QUOTAS, request)


def found(client: Client, *components: tuple[str, int, str | None], strict: bool = False) -> dict[Any, Any]:
    response = describe(client, *components, strict=strict)
    assert response.error_code == ErrorCode.NONE
    return {
        tuple((part.entity_type, part.entity_name) for part in entry.entity): {
            value.key: value.value for value in entry.values
        }
        for entry in response.entries
    }


GOOD: list[tuple[Entity, str, float]] = [
    (ALICE, "producer_byte_rate", 1.0),
    (ALICE, "consumer_byte_rate", 2.0**63),
    (ALICE, "producer_byte_rate", 5.0000001),
    (ALICE, "request_percentage", 12.5),
    (ALICE, "controller_mutation_rate", 0.1),
    ([("user", None)], "producer_byte_rate", 1.0),
    ([("client-id", "c")], "producer_byte_rate", 1.0),
    ([("client-id", None)], "producer_byte_rate", 1.0),
    ([("user", "u"), ("client-id", "c")], "producer_byte_rate", 1.0),
    ([("user", None), ("client-id", None)], "producer_byte_rate", 1.0),
    ([("ip", "10.0.0.1")], "connection_creation_rate", 2.0**31 - 1),
    ([("ip", "::1")], "connection_creation_rate", 1.0),
    ([("ip", None)], "connection_creation_rate", 1.0),
]


@pytest.mark.parametrize(("entity", "key", "value"), GOOD)
def test_quota_is_set_found_and_removed(client: Client, entity: Entity, key: str, value: float) -> None:
    assert alter_quotas(client, (entity, [(key, value)])) == [ErrorCode.NONE]
    assert found(client) == {tuple(sorted(entity)): {key: value}}
    assert alter_quotas(client, (entity, [(key, None)])) == [ErrorCode.NONE]
    assert found(client) == {}


BAD: list[tuple[Entity, str, float]] = [
    (ALICE, "nonsense", 1.0),
    (ALICE, "connection_creation_rate", 1.0),
    (ALICE, "producer_byte_rate", 0.0),
    (ALICE, "producer_byte_rate", -1.0),
    (ALICE, "producer_byte_rate", 1.5),
    (ALICE, "producer_byte_rate", 1e19),
    (ALICE, "producer_byte_rate", float("inf")),
    (ALICE, "producer_byte_rate", float("nan")),
    (ALICE, "request_percentage", float("nan")),
    ([], "producer_byte_rate", 1.0),
    ([("cat", "x")], "producer_byte_rate", 1.0),
    ([("", "x")], "producer_byte_rate", 1.0),
    ([("user", "")], "producer_byte_rate", 1.0),
    ([("ip", "")], "connection_creation_rate", 1.0),
    ([("ip", "not an ip")], "connection_creation_rate", 1.0),
    ([("ip", "10.0.0.1")], "producer_byte_rate", 1.0),
    ([("ip", "10.0.0.1")], "connection_creation_rate", 1.5),
    ([("ip", "10.0.0.1")], "connection_creation_rate", 3e9),
    ([("ip", "10.0.0.1"), ("user", "u")], "connection_creation_rate", 1.0),
    ([("ip", "10.0.0.1"), ("client-id", "u")], "connection_creation_rate", 1.0),
]


@pytest.mark.parametrize(("entity", "key", "value"), BAD)
def test_bad_quota_is_refused(client: Client, entity: Entity, key: str, value: float) -> None:
    assert alter_quotas(client, (entity, [(key, value)])) == [ErrorCode.INVALID_REQUEST]
    assert found(client) == {}


def test_all_of_an_entity_or_nothing_and_the_others_go_on(client: Client) -> None:
    errors = alter_quotas(
        client,
        (ALICE, [("producer_byte_rate", 1.0), ("nonsense", 2.0)]),
        ([("user", "bob")], [("producer_byte_rate", 1.0)]),
    )
    assert errors == [ErrorCode.INVALID_REQUEST, ErrorCode.NONE]
    assert list(found(client)) == [(("user", "bob"),)]


def test_entity_or_key_twice_changes_nothing(client: Client) -> None:
    twice = (ALICE, [("producer_byte_rate", 1.0)])
    assert alter_quotas(client, twice, twice) == [ErrorCode.INVALID_REQUEST]
    changes: list[tuple[str, float | None]] = [("producer_byte_rate", 1.0), ("producer_byte_rate", None)]
    assert alter_quotas(client, (ALICE, changes)) == [ErrorCode.INVALID_REQUEST]
    assert found(client) == {}


def test_validation_only_changes_nothing(client: Client) -> None:
    good, bad = (ALICE, [("producer_byte_rate", 1.0)]), (ALICE, [("nonsense", 1.0)])
    assert alter_quotas(client, good, validate_only=True) == [ErrorCode.NONE]
    assert alter_quotas(client, bad, validate_only=True) == [ErrorCode.INVALID_REQUEST]
    assert found(client) == {}


def test_removing_what_is_not_there_is_fine_and_writes_nothing(world: World, client: Client) -> None:
    before = world.broker.metadata.raft.log.log_end_offset
    assert alter_quotas(client, (ALICE, [("producer_byte_rate", None), ("nonsense", None)])) == [
        ErrorCode.NONE
    ]
    assert alter_quotas(client, (ALICE, [])) == [ErrorCode.NONE]
    assert world.broker.metadata.raft.log.log_end_offset == before


def test_order_of_an_entitys_parts_does_not_matter(client: Client) -> None:
    for entity in ([("user", "u"), ("client-id", "c")], [("client-id", "c"), ("user", "u")]):
        assert alter_quotas(client, (entity, [("producer_byte_rate", 7.0)])) == [ErrorCode.NONE]
    assert len(found(client)) == 1


def test_quotas_survive_snapshot_and_restart(world: World, client: Client) -> None:
    assert alter_quotas(client, (ALICE, [("producer_byte_rate", 7.0)])) == [ErrorCode.NONE]
    world.broker.metadata.write_snapshot()
    world.stop()
    world.start()
    assert found(world.client()) == {(("user", "alice"),): {"producer_byte_rate": 7.0}}


def test_filter_finds_what_it_names(client: Client) -> None:
    rate = [("producer_byte_rate", 1.0)]
    entities: list[Entity] = [
        [("user", "alice")],
        [("user", None)],
        [("client-id", "c"), ("user", "alice")],
        [("client-id", None), ("user", None)],
        [("client-id", "c")],
    ]
    for entity in entities:
        assert alter_quotas(client, (entity, rate)) == [ErrorCode.NONE]
    assert alter_quotas(client, ([("ip", "10.0.0.1")], [("connection_creation_rate", 1.0)])) == [
        ErrorCode.NONE
    ]
    alice, default, both, defaults, of_client = (tuple(entity) for entity in entities)
    assert len(found(client)) == 6
    assert found(client, strict=True) == {}
    assert set(found(client, ("user", ANY, None))) == {alice, default, both, defaults}
    assert set(found(client, ("user", ANY, None), strict=True)) == {alice, default}
    assert set(found(client, ("user", EXACT, "alice"))) == {alice, both}
    assert set(found(client, ("user", DEFAULT, None))) == {default, defaults}
    assert set(found(client, ("user", ANY, None), ("client-id", ANY, None))) == {both, defaults}
    assert set(found(client, ("client-id", EXACT, "c"), strict=True)) == {of_client}
    assert list(found(client, ("ip", ANY, None))) == [(("ip", "10.0.0.1"),)]
    assert found(client, ("user", EXACT, "nobody")) == {}


@pytest.mark.parametrize(
    ("components", "error"),
    [
        ([("cat", ANY, None)], ErrorCode.UNSUPPORTED_VERSION),
        ([("", ANY, None)], ErrorCode.INVALID_REQUEST),
        ([("user", ANY, None), ("user", DEFAULT, None)], ErrorCode.INVALID_REQUEST),
        ([("user", EXACT, None)], ErrorCode.INVALID_REQUEST),
        ([("user", DEFAULT, "x")], ErrorCode.INVALID_REQUEST),
        ([("user", ANY, "x")], ErrorCode.INVALID_REQUEST),
        ([("user", 9, None)], ErrorCode.INVALID_REQUEST),
        ([("ip", ANY, None), ("user", ANY, None)], ErrorCode.INVALID_REQUEST),
    ],
)
def test_bad_filter_is_refused(
    client: Client, components: list[tuple[str, int, str | None]], error: ErrorCode
) -> None:
    response = describe(client, *components)
    assert response.error_code == error
    assert response.error_message
    assert response.entries is None
