"""Deciding IncrementalAlterConfigs and AlterConfigs for topics, groups, brokers and the cluster's defaults.

Errors are Kafka's: a topic's or group's bad value is ``INVALID_CONFIG``; a broker's is ``INVALID_REQUEST``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from riverlog.base.config import (
    BROKER_CONFIGS,
    TOPIC_CONFIGS,
    ConfigError,
    TypeCode,
    topic_configs,
    validate_dynamic_broker_configs,
    validate_topic_configs,
)
from riverlog.base.errors import ErrorCode
from riverlog.base.group_configs import validate_group_configs
from riverlog.metadata.controller import ControllerSettings, Decision, Refused
from riverlog.metadata.image import (
    BROKER_RESOURCE,
    GROUP_RESOURCE,
    INTERNAL_TOPICS,
    TOPIC_RESOURCE,
    ClusterState,
)
from riverlog.metadata.min_isr_changes import check_min_isr, min_isr_changes
from riverlog.metadata.partitions import new_leader_epochs
from riverlog.metadata.records import MetadataRecord
from riverlog.metadata.topics import topic_name_error
from riverlog.protocol.generated.alter_configs_request import AlterConfigsRequest
from riverlog.protocol.generated.alter_configs_response import (
    AlterConfigsResourceResponse,
    AlterConfigsResponse,
)
from riverlog.protocol.generated.config_record import ConfigRecord
from riverlog.protocol.generated.incremental_alter_configs_request import IncrementalAlterConfigsRequest
from riverlog.protocol.generated.incremental_alter_configs_response import (
    AlterConfigsResourceResponse as IncrementalResourceResponse,
)
from riverlog.protocol.generated.incremental_alter_configs_response import IncrementalAlterConfigsResponse

SET, DELETE, APPEND, SUBTRACT = range(4)
_OPERATIONS = {SET: "SET", DELETE: "DELETE", APPEND: "APPEND", SUBTRACT: "SUBTRACT"}

Operation = tuple[int, str | None]


def incremental_alter_configs(
    state: ClusterState, settings: ControllerSettings, request: IncrementalAlterConfigsRequest
) -> Decision[IncrementalAlterConfigsResponse]:
    """Set, delete, append, subtract; all of a resource or nothing of it."""
    changes = [
        (resource.resource_type, resource.resource_name,
         [(config.name, (config.config_operation, config.value)) for config in resource.configs])
        for resource in request.resources
    ]  # fmt: skip
    outcomes, records = _alter(state, settings, changes, replace=False)
    response = IncrementalAlterConfigsResponse(
        responses=[
            IncrementalResourceResponse(
                error_code=error, error_message=message, resource_type=resource_type, resource_name=name
            )
            for resource_type, name, error, message in outcomes
        ]
    )
    return Decision(response, [] if request.validate_only else records)


def alter_configs(
    state: ClusterState, settings: ControllerSettings, request: AlterConfigsRequest
) -> Decision[AlterConfigsResponse]:
    """The old form: what is not named goes back to its default."""
    changes = [
        (
            resource.resource_type,
            resource.resource_name,
            [(config.name, (SET, config.value)) for config in resource.configs],
        )
        for resource in request.resources
    ]
    outcomes, records = _alter(state, settings, changes, replace=True)
    response = AlterConfigsResponse(
        responses=[
            AlterConfigsResourceResponse(
                error_code=error, error_message=message, resource_type=resource_type, resource_name=name
            )
            for resource_type, name, error, message in outcomes
        ]
    )
    return Decision(response, [] if request.validate_only else records)


def _alter(
    state: ClusterState,
    settings: ControllerSettings,
    changes: Sequence[tuple[int, str, Sequence[tuple[str, Operation]]]],
    *,
    replace: bool,
) -> tuple[list[tuple[int, str, ErrorCode, str | None]], list[MetadataRecord]]:
    outcomes: list[tuple[int, str, ErrorCode, str | None]] = []
    records: list[MetadataRecord] = []
    seen = Counter((resource_type, name) for resource_type, name, _ in changes)
    for resource_type, name, operations in changes:
        try:
            if seen[resource_type, name] > 1:
                raise Refused(ErrorCode.INVALID_REQUEST, "A resource may be given only once.")
            altered = _alter_resource(state, settings, resource_type, name, operations, replace=replace)
        except Refused as refused:
            outcomes.append((resource_type, name, refused.error, refused.message))
        else:
            records += altered
            outcomes.append((resource_type, name, ErrorCode.NONE, None))
    return outcomes, records


def _alter_resource(
    state: ClusterState,
    settings: ControllerSettings,
    resource_type: int,
    name: str,
    operations: Sequence[tuple[str, Operation]],
    *,
    replace: bool,
) -> list[MetadataRecord]:
    _check_form(operations)
    if resource_type not in (TOPIC_RESOURCE, BROKER_RESOURCE, GROUP_RESOURCE):
        raise Refused(ErrorCode.INVALID_REQUEST, f"Resource type {resource_type} has no settings here.")
    if resource_type == BROKER_RESOURCE and name:
        _check_broker_name(state, settings, name)
    current = state.config(resource_type, name)
    changed = {
        key: _new_value(resource_type, key, operation, current.get(key)) for key, operation in operations
    }
    if replace:
        changed.update({key: None for key in current if key not in changed})
    new = {key: value for key, value in {**current, **changed}.items() if value is not None}
    added = [key for key, value in changed.items() if value is not None]
    if resource_type == GROUP_RESOURCE:
        _validate_group(settings, name, new, added)
    else:
        _validate(state, resource_type, name, new, added)
    records: list[MetadataRecord] = [
        ConfigRecord(resource_type=resource_type, resource_name=name, name=key, value=value)
        for key, value in changed.items()
        # A broker's record is written even if nothing changes: it makes it load files anew (KAFKA-14136).
        if value != current.get(key) or resource_type == BROKER_RESOURCE
    ]
    if resource_type == BROKER_RESOURCE:
        check_min_isr(state, name, changed)
    return [
        *records,
        *_new_epochs(state, resource_type, name, new),
        *min_isr_changes(state, resource_type, name, new),
    ]


def _check_form(operations: Sequence[tuple[str, Operation]]) -> None:
    keys = [key for key, _ in operations]
    if len(set(keys)) != len(keys):
        raise Refused(ErrorCode.INVALID_REQUEST, "A setting may be given only once.")
    nulls = [key for key, (kind, value) in operations if value is None and kind != DELETE]
    if nulls:
        raise Refused(ErrorCode.INVALID_REQUEST, "Settings without a value: " + ", ".join(nulls))
    for key, (kind, _) in operations:
        if kind not in _OPERATIONS:
            raise Refused(ErrorCode.INVALID_REQUEST, f"Unknown operation {kind} on {key}")


def _check_broker_name(state: ClusterState, settings: ControllerSettings, name: str) -> None:
    try:
        broker_id = int(name)
    except ValueError:
        raise Refused(ErrorCode.INVALID_REQUEST, f"Broker id must be a number, but it is: {name}") from None
    if broker_id not in state.brokers and broker_id not in state.controllers:
        if broker_id == settings.node_id:
            return
        message = f"This is broker {settings.node_id}, and there is none with id {name}."
        raise Refused(ErrorCode.INVALID_REQUEST, message)


def _new_value(resource_type: int, key: str, operation: Operation, current: str | None) -> str | None:
    kind, value = operation
    if kind == DELETE:
        return None
    assert value is not None
    if kind == SET:
        return value
    row = (TOPIC_CONFIGS if resource_type == TOPIC_RESOURCE else BROKER_CONFIGS).get(key)
    if row is None or row.type.code is not TypeCode.LIST:
        message = f"{_OPERATIONS[kind]} needs a list, and {key} is none."
        raise Refused(ErrorCode.INVALID_CONFIG, message)
    base = current if current is not None else row.default_text or ""
    items = [item for item in base.split(",") if item]
    for item in value.split(","):
        if kind == APPEND and item not in items:
            items.append(item)
        elif kind == SUBTRACT and item in items:
            items.remove(item)
    return ",".join(items)


def _validate(
    state: ClusterState, resource_type: int, name: str, new: Mapping[str, str], changed: Sequence[str]
) -> None:
    if resource_type == BROKER_RESOURCE:
        try:
            validate_dynamic_broker_configs(new, changed=changed, per_broker=bool(name))
        except ConfigError as error:
            raise Refused(ErrorCode.INVALID_REQUEST, str(error)) from None
        return
    if not name:
        raise Refused(ErrorCode.INVALID_REQUEST, "Topics have no common default: a name is needed.")
    problem = topic_name_error(name)
    if problem is not None:
        raise Refused(ErrorCode.INVALID_TOPIC_EXCEPTION, problem)
    try:
        validate_topic_configs(new, changed=changed, internal=name in INTERNAL_TOPICS)
    except ConfigError as error:
        raise Refused(ErrorCode.INVALID_CONFIG, str(error)) from None
    if name not in state.topics:
        raise Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"The topic '{name}' does not exist.")


def _validate_group(
    settings: ControllerSettings, name: str, new: Mapping[str, str], changed: Sequence[str]
) -> None:
    """A group need not exist yet."""
    if not name:
        raise Refused(ErrorCode.INVALID_REQUEST, "Groups have no common default: a name is needed.")
    try:
        validate_group_configs(settings.config, new, changed=changed)
    except ConfigError as error:
        raise Refused(ErrorCode.INVALID_CONFIG, str(error)) from None


def _new_epochs(
    state: ClusterState, resource_type: int, name: str, new: Mapping[str, str]
) -> list[MetadataRecord]:
    """RULES: watermark 3. Who counts as in sync depends on ``ack.after.fsync``, so a change starts a new
    leader epoch in the same batch."""
    if resource_type == GROUP_RESOURCE:
        return []
    key = topic_configs.ACK_AFTER_FSYNC.name
    old_default = _fsync(state.config(BROKER_RESOURCE, "").get(key), True)
    new_default = old_default
    if resource_type == BROKER_RESOURCE:
        if name:
            return []
        new_default = _fsync(new.get(key), True)
        affected = list(state.topics)
    else:
        affected = [name]
    records: list[MetadataRecord] = []
    for topic in affected:
        if topic in INTERNAL_TOPICS:
            continue
        own = state.topic_config(topic).get(key)
        own_after = new.get(key) if resource_type == TOPIC_RESOURCE else own
        if _fsync(own, old_default) != _fsync(own_after, new_default):
            found = state.topics[topic]
            records += new_leader_epochs((found, index, p) for index, p in found.partitions.items())
    return records


def _fsync(text: str | None, default: bool) -> bool:
    return default if text is None else topic_configs.ACK_AFTER_FSYNC.parse(text)
