"""Answers of controller APIs that say nothing but one error, for each item that was asked for.

What a request is answered when no controller can be reached in time, or when this one does not lead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey, api
from riverlog.protocol.generated import (
    alter_client_quotas_response,
    alter_configs_response,
    alter_partition_reassignments_response,
    create_partitions_response,
    create_topics_response,
    delete_topics_response,
    elect_leaders_response,
    incremental_alter_configs_response,
)

Refuse = Callable[[Any, ErrorCode, str], Any]


def refusal(api_key: int, request: Any, error: ErrorCode, message: str) -> Any:
    """The response that refuses all of ``request``."""
    refuse = _BY_ITEM.get(ApiKey(api_key))
    if refuse is not None:
        return refuse(request, error, message)
    name = f"{api(api_key).name}Response"
    response = getattr(api(api_key).response, name)(error_code=error)
    if hasattr(response, "error_message"):
        response.error_message = message
    return response


def _create_topics(request: Any, error: ErrorCode, message: str) -> Any:
    result = create_topics_response.CreatableTopicResult
    return create_topics_response.CreateTopicsResponse(
        topics=[
            result(name=topic.name, error_code=error, error_message=message, configs=None)
            for topic in request.topics
        ]
    )


def _delete_topics(request: Any, error: ErrorCode, message: str) -> Any:
    result = delete_topics_response.DeletableTopicResult
    wanted = [(topic.name, topic.topic_id) for topic in request.topics]
    results = [result(name=name, topic_id=topic_id) for name, topic_id in wanted]
    results += [result(name=name) for name in request.topic_names]
    for one in results:
        one.error_code = error
        one.error_message = message
    return delete_topics_response.DeleteTopicsResponse(responses=results)


def _create_partitions(request: Any, error: ErrorCode, message: str) -> Any:
    result = create_partitions_response.CreatePartitionsTopicResult
    return create_partitions_response.CreatePartitionsResponse(
        results=[result(name=topic.name, error_code=error, error_message=message) for topic in request.topics]
    )


def _alter_configs(request: Any, error: ErrorCode, message: str) -> Any:
    result = alter_configs_response.AlterConfigsResourceResponse
    return alter_configs_response.AlterConfigsResponse(
        responses=[
            result(
                error_code=error,
                error_message=message,
                resource_type=resource.resource_type,
                resource_name=resource.resource_name,
            )
            for resource in request.resources
        ]
    )


def _incremental_alter_configs(request: Any, error: ErrorCode, message: str) -> Any:
    result = incremental_alter_configs_response.AlterConfigsResourceResponse
    return incremental_alter_configs_response.IncrementalAlterConfigsResponse(
        responses=[
            result(
                error_code=error,
                error_message=message,
                resource_type=resource.resource_type,
                resource_name=resource.resource_name,
            )
            for resource in request.resources
        ]
    )


def _elect_leaders(_request: Any, error: ErrorCode, _message: str) -> Any:
    return elect_leaders_response.ElectLeadersResponse(error_code=error)


def _reassign(_request: Any, error: ErrorCode, message: str) -> Any:
    return alter_partition_reassignments_response.AlterPartitionReassignmentsResponse(
        error_code=error, error_message=message
    )


def _alter_client_quotas(request: Any, error: ErrorCode, message: str) -> Any:
    module = alter_client_quotas_response
    return module.AlterClientQuotasResponse(
        entries=[
            module.EntryData(
                error_code=error,
                error_message=message,
                entity=[
                    module.EntityData(entity_type=one.entity_type, entity_name=one.entity_name)
                    for one in entry.entity
                ],
            )
            for entry in request.entries
        ]
    )


_BY_ITEM: dict[ApiKey, Refuse] = {
    ApiKey.CREATE_TOPICS: _create_topics,
    ApiKey.DELETE_TOPICS: _delete_topics,
    ApiKey.CREATE_PARTITIONS: _create_partitions,
    ApiKey.ALTER_CONFIGS: _alter_configs,
    ApiKey.INCREMENTAL_ALTER_CONFIGS: _incremental_alter_configs,
    ApiKey.ELECT_LEADERS: _elect_leaders,
    ApiKey.ALTER_PARTITION_REASSIGNMENTS: _reassign,
    ApiKey.ALTER_CLIENT_QUOTAS: _alter_client_quotas,
}
