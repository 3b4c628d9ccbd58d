"""DescribeConfigs.

Versions 1–4, for topics, groups, this broker and the cluster's default. Loggers and client metrics
have no settings here yet and are refused.
KIPs: 133, 226 (synonyms), 569 (documentation and types), 848 (groups).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.base.group_configs import describe_group
from riverlog.broker.registry import BOTH, handler
from riverlog.metadata.image import BROKER_RESOURCE, GROUP_RESOURCE, INTERNAL_TOPICS, TOPIC_RESOURCE
from riverlog.metadata.topics import topic_name_error
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from riverlog.protocol.generated.describe_configs_response import (
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
    DescribeConfigsResult,
    DescribeConfigsSynonym,
)

if TYPE_CHECKING:
    from riverlog.base.config import ConfigEntry
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.DESCRIBE_CONFIGS, versions=(1, 4), on=BOTH)
def describe_configs(
    broker: Broker, context: RequestContext, request: DescribeConfigsRequest
) -> DescribeConfigsResponse:
    results = []
    for resource in request.resources:
        entries = _entries(broker, resource)
        result = DescribeConfigsResult(
            resource_type=resource.resource_type, resource_name=resource.resource_name, error_message=None
        )
        if isinstance(entries, tuple):
            result.error_code, result.error_message = entries
        else:
            result.configs = [_line(entry, request) for entry in entries]
        results.append(result)
    return DescribeConfigsResponse(results=results)


def _entries(broker: Broker, resource: DescribeConfigsResource) -> list[ConfigEntry] | tuple[ErrorCode, str]:
    name = resource.resource_name
    # Kafka takes an empty list for all settings, as it does null.
    keys = resource.configuration_keys or None
    if resource.resource_type == TOPIC_RESOURCE:
        problem = topic_name_error(name)
        if problem is not None:
            return ErrorCode.INVALID_TOPIC_EXCEPTION, problem
        if name not in broker.metadata.image.topics:
            return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"topic {name} does not exist"
        overrides = broker.metadata.image.topic_config(name)
        return broker.config.topic(overrides, internal=name in INTERNAL_TOPICS).describe(keys)
    if resource.resource_type == BROKER_RESOURCE:
        if name == "":
            return broker.config.describe_default(keys)
        if name != str(broker.node_id):
            return ErrorCode.INVALID_REQUEST, f"this is broker {broker.node_id}, ask broker {name} itself"
        return broker.config.describe_broker(keys)
    if resource.resource_type == GROUP_RESOURCE:
        if not name:
            return ErrorCode.INVALID_REQUEST, "a group needs a name"
        return describe_group(broker.config, broker.metadata.image.config(GROUP_RESOURCE, name), keys)
    return ErrorCode.INVALID_REQUEST, f"resources of type {resource.resource_type} have no settings here"


def _line(entry: ConfigEntry, request: DescribeConfigsRequest) -> DescribeConfigsResourceResult:
    line = DescribeConfigsResourceResult(
        name=entry.name,
        value=entry.value,
        read_only=entry.read_only,
        config_source=entry.source,
        is_sensitive=entry.sensitive,
        config_type=entry.type,
        documentation=entry.doc if request.include_documentation else None,
    )
    if request.include_synonyms:
        line.synonyms = [
            DescribeConfigsSynonym(name=synonym.name, value=synonym.value, source=synonym.source)
            for synonym in entry.synonyms
        ]
    return line
