"""Settings of one group over the wire: described with their layers, listed, and in force."""

from __future__ import annotations

from typing import Any

import pytest
from broker_world import Client, World

from riverlog.base import group_configs
from riverlog.base.config import BROKER_CONFIGS, BrokerConfig, ConfigError, ConfigSource
from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest
from riverlog.protocol.generated.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from riverlog.protocol.generated.list_config_resources_request import ListConfigResourcesRequest

GROUP = 32
SET, DELETE = 0, 1
SESSION = "consumer.session.timeout.ms"


@pytest.fixture
def client() -> Client:
    return World().client()


def alter(client: Client, name: str, value: str | None) -> ErrorCode:
    config = AlterableConfig(name=name, config_operation=DELETE if value is None else SET, value=value)
    resource = AlterConfigsResource(resource_type=GROUP, resource_name="g", configs=[config])
    request = IncrementalAlterConfigsRequest(resources=[resource])
    (answer,) = client.newest(ApiKey.INCREMENTAL_ALTER_CONFIGS, request).responses
    return ErrorCode(answer.error_code)


def describe(client: Client, group: str = "g", keys: list[str] | None = None) -> Any:
    resource = DescribeConfigsResource(resource_type=GROUP, resource_name=group, configuration_keys=keys)
    request = DescribeConfigsRequest(resources=[resource], include_synonyms=True)
    (answer,) = client.newest(ApiKey.DESCRIBE_CONFIGS, request).results
    return answer


def listed(client: Client) -> list[str]:
    request = ListConfigResourcesRequest(resource_types=[GROUP])
    return [r.resource_name for r in client.newest(ApiKey.LIST_CONFIG_RESOURCES, request).config_resources]


def test_a_groups_own_setting_is_described_and_listed_until_it_goes(client: Client) -> None:
    assert alter(client, SESSION, "50000") is ErrorCode.NONE
    (line,) = describe(client, keys=[SESSION, "nope"]).configs
    assert (line.value, line.config_source, line.read_only) == ("50000", ConfigSource.GROUP_CONFIG, False)
    assert [(s.name, s.value, s.source) for s in line.synonyms] == [
        (SESSION, "50000", ConfigSource.GROUP_CONFIG),
        ("group." + SESSION, "45000", ConfigSource.DEFAULT_CONFIG),
    ]
    assert listed(client) == ["g"]
    assert alter(client, SESSION, None) is ErrorCode.NONE
    (line,) = describe(client, keys=[SESSION]).configs
    assert (line.value, line.config_source) == ("45000", ConfigSource.DEFAULT_CONFIG)
    assert listed(client) == []


def test_members_are_told_the_groups_own_heartbeat_interval() -> None:
    client = World(offsets_topic_num_partitions="1").client()
    client.create("t", 1)
    client.newest(ApiKey.FIND_COORDINATOR, FindCoordinatorRequest(coordinator_keys=["g"]))

    def beat(epoch: int, **joining: Any) -> Any:
        request = ConsumerGroupHeartbeatRequest(group_id="g", member_id="m", member_epoch=epoch, **joining)
        return client.newest(ApiKey.CONSUMER_GROUP_HEARTBEAT, request)

    joined = beat(0, rebalance_timeout_ms=60_000, subscribed_topic_names=["t"], topic_partitions=[])
    assert (joined.error_code, joined.heartbeat_interval_ms) == (ErrorCode.NONE, 5_000)
    assert alter(client, "consumer.heartbeat.interval.ms", "7000") is ErrorCode.NONE
    assert beat(joined.member_epoch).heartbeat_interval_ms == 7_000


def test_every_setting_of_kafka_is_described_for_any_group_with_a_name(client: Client) -> None:
    lines = describe(client, "unknown group").configs
    assert len(lines) == 17
    assert {line.config_source for line in lines} == {ConfigSource.DEFAULT_CONFIG}
    assert describe(client, "").error_code == ErrorCode.INVALID_REQUEST


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("share.auto.offset.reset", "latest", ErrorCode.NONE),
        ("share.auto.offset.reset", "earliest", ErrorCode.INVALID_CONFIG),
        ("streams.num.standby.replicas", "0", ErrorCode.NONE),
        ("streams.num.standby.replicas", "1", ErrorCode.INVALID_CONFIG),
        ("streams.num.standby.replicas", "many", ErrorCode.INVALID_CONFIG),
    ],
)
def test_what_has_no_effect_yet_takes_only_its_default(
    client: Client, name: str, value: str, error: ErrorCode
) -> None:
    assert alter(client, name, value) is error
    assert listed(client) == (["g"] if error is ErrorCode.NONE else [])


def test_later_rows_agree_with_the_brokers_and_describe_them() -> None:
    alone = {"share.auto.offset.reset", "share.isolation.level", "share.renew.acknowledge.enable"}
    for row in group_configs.LATER_CONFIGS.values():
        assert row.default_text is not None
        assert row.parse(row.default_text) == row.default
        assert not row.honoured
        assert (not row.synonyms) == (row.name in alone)
        for synonym in row.synonyms:
            assert BROKER_CONFIGS[synonym.name].default == row.default
    broker = BrokerConfig({"group.share.delivery.count.limit": "7"})
    (entry,) = group_configs.describe_group(broker, {}, ["share.delivery.count.limit"])
    assert (entry.value, entry.source) == ("7", ConfigSource.STATIC_BROKER_CONFIG)


@pytest.mark.parametrize("text", ["latest", "earliest", "by_duration:P1D", "by_duration:PT1H2M3.5S"])
def test_where_a_share_group_starts(text: str) -> None:
    assert group_configs.LATER_CONFIGS["share.auto.offset.reset"].parse(text) == text


@pytest.mark.parametrize("text", ["", "none", "LATEST", "by_duration:P", "by_duration:PT-1H"])
def test_where_a_share_group_cannot_start(text: str) -> None:
    with pytest.raises(ConfigError, match=r"share\.auto\.offset\.reset"):
        group_configs.LATER_CONFIGS["share.auto.offset.reset"].parse(text)
