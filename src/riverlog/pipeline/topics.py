"""Topics that are written to: known, created by the broker where it does that, and their settings."""

from __future__ import annotations

from collections.abc import Mapping

from riverlog.base.errors import ErrorCode
from riverlog.client.cluster import NO_LEADER, TopicView
from riverlog.client.errors import BrokerRefused, describe_error
from riverlog.pipeline.errors import PipelineError
from riverlog.pipeline.patience import check, nothing, persist
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.create_topics_request import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from riverlog.protocol.generated.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from riverlog.runtime.client_io import BlockingClient

_TOPIC_RESOURCE = 2
_UNKNOWN_SECONDS_MAX = 10.0
"""How long a topic may be unknown: one that was just created reaches brokers one after the other."""
_NOT_ALLOWED = frozenset({ErrorCode.TOPIC_AUTHORIZATION_FAILED, ErrorCode.CLUSTER_AUTHORIZATION_FAILED})


def written_topic(client: BlockingClient, name: str, *, seconds: float) -> TopicView:
    """A topic to write to, as Kafka's producers find it: a broker may create it by being asked."""
    known = client.view.topics.get(name)
    if known is not None:
        return known

    def attempt() -> TopicView:
        client.refresh([name], create=True)
        return _seen(client, name)

    try:
        return persist(f"topic {name}", attempt, seconds=min(seconds, _UNKNOWN_SECONDS_MAX), between=nothing)
    except PipelineError:
        if client.view.errors.get(name) == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
            raise PipelineError(
                f"topic {name} does not exist, and the cluster does not create topics by itself: create it "
                f"with riverlog topic create {name}"
            ) from None
        raise


def _seen(client: BlockingClient, name: str) -> TopicView:
    topic = client.view.topics.get(name)
    if topic is None:
        code = client.view.errors.get(name, int(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))
        raise BrokerRefused(code, describe_error(code))
    if all(client.view.leader(name, row.index) == NO_LEADER for row in topic.partitions):
        raise BrokerRefused(ErrorCode.LEADER_NOT_AVAILABLE, "no partition has a leader")
    return topic


def create_topic(
    client: BlockingClient, name: str, *, partitions: int, settings: Mapping[str, str], seconds: float
) -> None:
    """Unless it is there: create it, with the brokers' own number of replicas, and wait until it is known."""
    wanted = CreatableTopic(
        name=name,
        num_partitions=partitions,
        replication_factor=-1,
        configs=[CreatableTopicConfig(name=key, value=value) for key, value in settings.items()],
    )

    def attempt() -> None:
        if name not in client.refresh([name]).topics:
            request = CreateTopicsRequest(topics=[wanted], timeout_ms=int(seconds * 1000))
            (row,) = client.call(ApiKey.CREATE_TOPICS, request).topics
            if row.error_code != ErrorCode.TOPIC_ALREADY_EXISTS:
                check(row.error_code, row.error_message)
            client.refresh([name])
        _seen(client, name)

    persist(f"cannot create topic {name}", attempt, seconds=seconds, between=nothing)


def topic_setting(client: BlockingClient, name: str, setting: str, *, seconds: float) -> str | None:
    """A setting of a topic; None where we may not ask."""
    resource = DescribeConfigsResource(
        resource_type=_TOPIC_RESOURCE, resource_name=name, configuration_keys=[setting]
    )

    def attempt() -> str | None:
        (result,) = client.call(ApiKey.DESCRIBE_CONFIGS, DescribeConfigsRequest(resources=[resource])).results
        if result.error_code in _NOT_ALLOWED:
            return None
        check(result.error_code, result.error_message)
        return next((row.value for row in result.configs if row.name == setting), None)

    return persist(f"settings of topic {name}", attempt, seconds=seconds, between=nothing)
