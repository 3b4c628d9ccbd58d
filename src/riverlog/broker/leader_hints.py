"""Where a partition's leader is, for clients that asked the wrong broker (KIP-951)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from riverlog.base.errors import ErrorCode

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker

N = TypeVar("N")

HINTED = frozenset({ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.FENCED_LEADER_EPOCH})
"""Errors that come with the current leader."""


def current_leader(broker: Broker, topic: str | None, index: int) -> tuple[int, int] | None:
    """Id and epoch of the leader in the metadata of this broker; None if nobody leads."""
    state = None if topic is None else broker.metadata.image.partition(topic, index)
    if state is None or state.leader < 0:
        return None
    return state.leader, state.leader_epoch


def node_endpoints(broker: Broker, listener: str, node_ids: Iterable[int], make: Callable[..., N]) -> list[N]:
    """Their addresses on the listener that the client came by."""
    wanted = dict.fromkeys(node_ids)
    if not wanted:
        return []
    return [
        make(node_id=node_id, host=endpoint.host, port=endpoint.port, rack=rack)
        for node_id, endpoint, rack, _ in broker.alive_brokers(listener)
        if node_id in wanted
    ]
