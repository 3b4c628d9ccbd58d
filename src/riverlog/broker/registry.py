"""Which APIs are served, in which versions, by which function.

A handler file declares itself with ``@handler``, and on which listeners it serves: those of brokers, those
of controllers, or both. ApiVersions is computed from these declarations and nothing else.
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

BROKER: Final = ("broker",)
CONTROLLER: Final = ("controller",)
BOTH: Final = ("broker", "controller")
"""Listeners an API is served on."""

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
    on: tuple[str, ...] = BROKER
    """Where it is served."""
    controlled: bool = False
    """Needs the active controller: elsewhere it is forwarded, or answered ``NOT_CONTROLLER``."""


_HANDLERS: dict[tuple[str, ApiKey], Handler] = {}

_FILES = (
    "add_offsets_to_txn",
    "add_partitions_to_txn",
    "add_raft_voter",
    "allocate_producer_ids",
    "alter_client_quotas",
    "alter_configs",
    "alter_partition",
    "alter_partition_reassignments",
    "alter_replica_log_dirs",
    "api_versions",
    "assign_replicas_to_dirs",
    "begin_quorum_epoch",
    "broker_heartbeat",
    "broker_registration",
    "consumer_group_describe",
    "consumer_group_heartbeat",
    "controller_registration",
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
    "describe_transactions",
    "describe_user_scram_credentials",
    "elect_leaders",
    "end_quorum_epoch",
    "end_txn",
    "envelope",
    "fetch",
    "fetch_snapshot",
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
    "list_transactions",
    "metadata",
    "offset_commit",
    "offset_delete",
    "offset_fetch",
    "offset_for_leader_epoch",
    "produce",
    "raft_fetch",
    "remove_raft_voter",
    "sync_group",
    "txn_offset_commit",
    "unregister_broker",
    "update_features",
    "update_raft_voter",
    "vote",
    "write_txn_markers",
)


def handler(
    key: ApiKey,
    *,
    versions: tuple[int, int],
    advertised: tuple[int, int] | None = None,
    on: tuple[str, ...] = BROKER,
    forward: bool = False,
) -> Callable[[Handle], Handle]:
    """Register a function as the handler of an API.

    ``forward``: only the active controller can answer; on a listener of brokers the request is passed on
    to it, on one of controllers it is refused with ``NOT_CONTROLLER``.
    """

    def register(handle: Handle) -> Handle:
        entry = Handler(key, handle, versions, advertised or versions, api(key).request.decode, on, forward)
        for place in on:
            assert (place, key) not in _HANDLERS, key
            _HANDLERS[place, key] = entry
        return handle

    return register


def handlers(place: str = "broker") -> dict[ApiKey, Handler]:
    """All that are served on the listeners of ``"broker"`` or ``"controller"``, ordered by key."""
    for name in _FILES:
        import_module(f"riverlog.broker.handlers.{name}")
    return {key: entry for (where, key), entry in sorted(_HANDLERS.items()) if where == place}
