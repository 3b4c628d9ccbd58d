"""Deciding CreateTopics and DeleteTopics, as Kafka's controller does."""

from __future__ import annotations

import re
from collections import Counter

from riverlog.base import broker_configs
from riverlog.base.config import ConfigError, validate_topic_configs
from riverlog.base.errors import ErrorCode
from riverlog.metadata.controller import (
    RECORDS_PER_REQUEST_MAX,
    TOO_MANY_RECORDS,
    ControllerSettings,
    Decision,
    Refused,
    Spend,
    free,
    random_uuid,
)
from riverlog.metadata.image import (
    INTERNAL_TOPICS,
    METADATA_TOPIC,
    TOPIC_RESOURCE,
    ClusterState,
    collision_name,
)
from riverlog.metadata.placement import check_assignment, new_partition, place
from riverlog.metadata.records import MetadataRecord
from riverlog.protocol.generated.config_record import ConfigRecord
from riverlog.protocol.generated.create_topics_request import CreatableTopic, CreateTopicsRequest
from riverlog.protocol.generated.create_topics_response import (
    CreatableTopicConfigs,
    CreatableTopicResult,
    CreateTopicsResponse,
)
from riverlog.protocol.generated.delete_topics_request import DeleteTopicsRequest
from riverlog.protocol.generated.delete_topics_response import DeletableTopicResult, DeleteTopicsResponse
from riverlog.protocol.generated.partition_record import PartitionRecord
from riverlog.protocol.generated.remove_topic_record import RemoveTopicRecord
from riverlog.protocol.generated.topic_record import TopicRecord
from riverlog.protocol.primitives import ZERO_UUID

NAME_LENGTH_MAX = 249
_NAME = re.compile(r"[a-zA-Z0-9._-]*")


def topic_name_error(name: str) -> str | None:
    """Why a topic cannot have this name; None if it can."""
    if not name:
        return "Topic name is invalid: it is empty"
    if name in (".", ".."):
        return f"Topic name is invalid: {name!r} is not allowed"
    if len(name) > NAME_LENGTH_MAX:
        return f"Topic name is invalid: it is longer than {NAME_LENGTH_MAX} characters"
    if not _NAME.fullmatch(name):
        return f"Topic name is invalid: {name!r} has other characters than a-z, A-Z, 0-9, '.', '_' and '-'"
    return None


# -- creating ------------------------------------------------------------------------------


def create_topics(
    state: ClusterState, settings: ControllerSettings, request: CreateTopicsRequest, spend: Spend = free
) -> Decision[CreateTopicsResponse]:
    """One atomic batch for all topics that can be created; the others are answered with their error."""
    records: list[MetadataRecord] = []
    results: list[CreatableTopicResult] = []
    late: list[CreatableTopicResult] = []
    counts = Counter(topic.name for topic in request.topics)
    for topic in request.topics:
        if counts[topic.name] > 1:
            if all(result.name != topic.name for result in late):
                late.append(_refusal(topic.name, ErrorCode.INVALID_REQUEST, "Duplicate topic name."))
        elif topic.name == METADATA_TOPIC:
            message = f"{METADATA_TOPIC} cannot be created."
            late.append(_refusal(topic.name, ErrorCode.INVALID_REQUEST, message))
        else:
            try:
                result, made = _create_topic(state, settings, topic, spend)
            except Refused as refused:
                results.append(_refusal(topic.name, refused.error, refused.message))
                continue
            records += made
            results.append(result)
    if len(records) > RECORDS_PER_REQUEST_MAX:
        results = [_refusal(name, ErrorCode.POLICY_VIOLATION, TOO_MANY_RECORDS) for name in counts]
        return Decision(CreateTopicsResponse(topics=results))
    response = CreateTopicsResponse(topics=results + late)
    return Decision(response, [] if request.validate_only else records)


def _refusal(name: str, error: ErrorCode, message: str | None) -> CreatableTopicResult:
    return CreatableTopicResult(name=name, error_code=error, error_message=message)


def _create_topic(
    state: ClusterState, settings: ControllerSettings, topic: CreatableTopic, spend: Spend
) -> tuple[CreatableTopicResult, list[MetadataRecord]]:
    _check_name(state, topic.name)
    overrides = _check_configs(topic)
    topic_id = random_uuid(settings.rng)
    partitions = _partitions_of(state, settings, topic, topic_id)
    spend(len(partitions))
    records: list[MetadataRecord] = [TopicRecord(name=topic.name, topic_id=topic_id)]
    records += [
        ConfigRecord(resource_type=TOPIC_RESOURCE, resource_name=topic.name, name=name, value=value)
        for name, value in overrides.items()
    ]
    records += partitions
    effective = settings.config.topic(overrides, internal=topic.name in INTERNAL_TOPICS)
    result = CreatableTopicResult(
        name=topic.name,
        topic_id=topic_id,
        error_code=ErrorCode.NONE,
        error_message=None,
        topic_config_error_code=ErrorCode.NONE,
        num_partitions=len(partitions),
        replication_factor=len(partitions[0].replicas),
        configs=[
            CreatableTopicConfigs(
                name=entry.name,
                value=entry.value,
                read_only=entry.read_only,
                config_source=effective.origin(entry.name),
                is_sensitive=entry.sensitive,
            )
            for entry in sorted(effective.describe(), key=lambda entry: entry.name)
        ],
    )
    return result, records


def _check_name(state: ClusterState, name: str) -> None:
    if name in state.topics:
        raise Refused(ErrorCode.TOPIC_ALREADY_EXISTS, f"Topic '{name}' already exists.")
    problem = topic_name_error(name)
    if problem is None and ("." in name or "_" in name):
        colliding = state.collisions.get(collision_name(name))
        if colliding:
            problem = f"Topic '{name}' collides with {next(iter(colliding))}: '.' and '_' count as the same."
    if problem is not None:
        raise Refused(ErrorCode.INVALID_TOPIC_EXCEPTION, problem)


def _check_configs(topic: CreatableTopic) -> dict[str, str]:
    overrides: dict[str, str] = {}
    nulls = [config.name for config in topic.configs if config.value is None]
    if nulls:
        message = f"Settings without a value: {', '.join(nulls)}"
        raise Refused(ErrorCode.INVALID_CONFIG, message)
    for config in topic.configs:
        assert config.value is not None
        overrides[config.name] = config.value
    try:
        validate_topic_configs(overrides, internal=topic.name in INTERNAL_TOPICS)
    except ConfigError as error:
        raise Refused(ErrorCode.INVALID_CONFIG, str(error)) from None
    return overrides


def _partitions_of(
    state: ClusterState, settings: ControllerSettings, topic: CreatableTopic, topic_id: bytes
) -> list[PartitionRecord]:
    if topic.assignments:
        return _assigned_partitions(state, topic, topic_id)
    if topic.replication_factor < -1 or topic.replication_factor == 0:
        raise Refused(
            ErrorCode.INVALID_REPLICATION_FACTOR,
            "The replication factor must be positive, or -1 for the default.",
        )
    if topic.num_partitions < -1 or topic.num_partitions == 0:
        message = "The number of partitions must be positive, or -1 for the default."
        raise Refused(ErrorCode.INVALID_PARTITIONS, message)
    count, factor = topic.num_partitions, topic.replication_factor
    if count == -1:
        count = settings.config[broker_configs.NUM_PARTITIONS]
    if factor == -1:
        factor = settings.config[broker_configs.DEFAULT_REPLICATION_FACTOR]
    # Do not build what the bound on records refuses anyway.
    if count > RECORDS_PER_REQUEST_MAX:
        raise Refused(ErrorCode.POLICY_VIOLATION, TOO_MANY_RECORDS)
    placed = place(state, settings.rng, partitions=count, replication_factor=factor)
    partitions = []
    for index, replicas in enumerate(placed):
        partition = new_partition(state, topic_id, index, replicas)
        assert partition is not None, "placement puts an active broker first"
        partitions.append(partition)
    return partitions


def _assigned_partitions(
    state: ClusterState, topic: CreatableTopic, topic_id: bytes
) -> list[PartitionRecord]:
    for value, what in (
        (topic.replication_factor, "the replication factor"),
        (topic.num_partitions, "the number of partitions"),
    ):
        if value != -1:
            message = f"With a manual assignment {what} must be -1."
            raise Refused(ErrorCode.INVALID_REQUEST, message)
    found: dict[int, PartitionRecord] = {}
    factor: int | None = None
    for assignment in topic.assignments:
        index = assignment.partition_index
        if index in found:
            message = f"Partition {index} is assigned more than once."
            raise Refused(ErrorCode.INVALID_REPLICA_ASSIGNMENT, message)
        check_assignment(state, assignment.broker_ids, factor)
        factor = len(assignment.broker_ids)
        partition = new_partition(state, topic_id, index, list(assignment.broker_ids))
        if partition is None:
            message = f"All brokers of the manual assignment of partition {index} are fenced."
            raise Refused(ErrorCode.INVALID_REPLICA_ASSIGNMENT, message)
        found[index] = partition
    if sorted(found) != list(range(len(found))):
        message = "The assigned partitions must be 0, 1, 2, … without a gap."
        raise Refused(ErrorCode.INVALID_REPLICA_ASSIGNMENT, message)
    return [found[index] for index in range(len(found))]


# -- deleting ------------------------------------------------------------------------------


def delete_topics(
    state: ClusterState,
    settings: ControllerSettings,
    request: DeleteTopicsRequest,
    spend: Spend = free,
    *,
    api_version: int,
) -> Decision[DeleteTopicsResponse]:
    """By name or by id; the same topic twice, in whatever way, deletes nothing."""
    names, ids, results = _asked_deletions(request)
    if not settings.config[broker_configs.DELETE_TOPIC_ENABLE]:
        error = ErrorCode.INVALID_REQUEST if api_version < 3 else ErrorCode.TOPIC_DELETION_DISABLED
        results += [_deletion(name, ZERO_UUID, error, "Topic deletion is disabled.") for name in names]
        results += [_deletion(None, topic_id, error, "Topic deletion is disabled.") for topic_id in ids]
        return Decision(DeleteTopicsResponse(responses=results))
    chosen: dict[bytes, str] = {}
    twice = {topic_id for topic_id, count in Counter(ids).items() if count > 1}
    for topic_id in dict.fromkeys(ids):
        by_id = state.topics_by_id.get(topic_id)
        if topic_id in twice:
            results.append(_deletion(None, topic_id, ErrorCode.INVALID_REQUEST, "Duplicate topic id."))
        elif by_id is None:
            results.append(_deletion(None, topic_id, ErrorCode.UNKNOWN_TOPIC_ID, "No topic has this id."))
        else:
            chosen[topic_id] = by_id.name
    for name, count in Counter(names).items():
        by_name = state.topics.get(name)
        if count > 1:
            results.append(_deletion(name, ZERO_UUID, ErrorCode.INVALID_REQUEST, "Duplicate topic name."))
        elif by_name is None:
            error = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
            results.append(_deletion(name, ZERO_UUID, error, "No topic has this name."))
        elif by_name.topic_id in chosen or by_name.topic_id in twice:
            chosen.pop(by_name.topic_id, None)
            twice.add(by_name.topic_id)
            message = "The topic is also given by its id."
            results.append(_deletion(name, by_name.topic_id, ErrorCode.INVALID_REQUEST, message))
        else:
            chosen[by_name.topic_id] = name
    records: list[MetadataRecord] = []
    for topic_id, name in chosen.items():
        try:
            spend(len(state.topics[name].partitions))
        except Refused as refused:
            results.append(_deletion(name, topic_id, refused.error, refused.message))
            continue
        results.append(_deletion(name, topic_id, ErrorCode.NONE))
        records.append(RemoveTopicRecord(topic_id=topic_id))
    return Decision(DeleteTopicsResponse(responses=results), records)


def _deletion(
    name: str | None, topic_id: bytes, error: ErrorCode, message: str | None = None
) -> DeletableTopicResult:
    return DeletableTopicResult(name=name, topic_id=topic_id, error_code=error, error_message=message)


def _asked_deletions(
    request: DeleteTopicsRequest,
) -> tuple[list[str], list[bytes], list[DeletableTopicResult]]:
    """Names, ids, and the answers to items that give neither or both."""
    names = list(request.topic_names)
    ids: list[bytes] = []
    refused: list[DeletableTopicResult] = []
    for topic in request.topics:
        if topic.name is not None and topic.topic_id != ZERO_UUID:
            message = "A topic is given by name or by id, not by both."
            refused.append(_deletion(topic.name, topic.topic_id, ErrorCode.INVALID_REQUEST, message))
        elif topic.name is not None:
            names.append(topic.name)
        elif topic.topic_id != ZERO_UUID:
            ids.append(topic.topic_id)
        else:
            message = "A topic needs a name or an id."
            refused.append(_deletion(None, ZERO_UUID, ErrorCode.INVALID_REQUEST, message))
    return names, ids, refused
