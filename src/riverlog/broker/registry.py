"""Which APIs are served, in which versions, by which function.

A handler file declares itself with ``@handler``; ApiVersions is computed from these
declarations and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from riverlog.protocol.apis import ApiKey, api

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


class Later(Enum):
    """What a handler answers when it has no response to give now."""

    PARKED = 1
    """``context.reply`` will be called."""
    NO_REPLY = 2
    """The client expects none (``acks=0``)."""


PARKED: Final = Later.PARKED
NO_REPLY: Final = Later.NO_REPLY

# Requests and responses are 90 unrelated generated classes; each handler states its own.
Handle = Callable[["Broker", "RequestContext", Any], Any]


@dataclass(slots=True, frozen=True)
class Handler:
    key: ApiKey
    handle: Handle
    versions: tuple[int, int]
    """Served."""
    advertised: tuple[int, int]
    """Said in ApiVersions; differs from ``versions`` for Produce only (librdkafka's lz4 gate)."""
    decode: Callable[[memoryview, int, int], tuple[Any, int]]


_HANDLERS: dict[ApiKey, Handler] = {}

_FILES = (
    "alter_client_quotas",
    "alter_configs",
    "alter_partition_reassignments",
    "alter_replica_log_dirs",
    "api_versions",
    "consumer_group_describe",
    "consumer_group_heartbeat",
    "create_partitions",
    "create_topics",
    "delete_groups",
    "delete_records",
    "delete_topics",
    "describe_client_quotas",
    "describe_cluster",
    "describe_configs",
    "describe_groups",
    "describe_log_dirs",
    "describe_producers",
    "describe_quorum",
    "describe_topic_partitions",
    "describe_user_scram_credentials",
    "elect_leaders",
    "fetch",
    "find_coordinator",
    "heartbeat",
    "incremental_alter_configs",
    "init_producer_id",
    "join_group",
    "leave_group",
    "list_config_resources",
    "list_groups",
    "list_offsets",
    "list_partition_reassignments",
    "metadata",
    "offset_commit",
    "offset_delete",
    "offset_fetch",
    "offset_for_leader_epoch",
    "produce",
    "sync_group",
    "update_features",
)


def handler(
    key: ApiKey, *, versions: tuple[int, int], advertised: tuple[int, int] | None = None
) -> Callable[[Handle], Handle]:
    """Register a function as the handler of an API."""

    def register(handle: Handle) -> Handle:
        assert key not in _HANDLERS, key
        _HANDLERS[key] = Handler(key, handle, versions, advertised or versions, api(key).request.decode)
        return handle

    return register


def handlers() -> dict[ApiKey, Handler]:
    """All of them, ordered by key."""
    for name in _FILES:
        import_module(f"riverlog.broker.handlers.{name}")
    return dict(sorted(_HANDLERS.items()))
