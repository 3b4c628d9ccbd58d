"""Throttled reassignments (KIP-73), as ``kafka-reassign-partitions`` sets and removes them.

A topic names the replicas that give and those that are made; every broker concerned gets the rate.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from riverlog.cli.cluster_client import BROKER, TOPIC, Resource, alter_settings, ongoing
from riverlog.cli.errors import UserError
from riverlog.cli.placement_plan import Assignment, TopicPartition
from riverlog.client.errors import describe_error
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from riverlog.runtime.client_io import BlockingClient

RATES = ("leader.replication.throttled.rate", "follower.replication.throttled.rate")
LEADERS = "leader.replication.throttled.replicas"
FOLLOWERS = "follower.replication.throttled.replicas"

Move = tuple[set[int], set[int]]
"""Brokers that have the partition, and those that get it."""


def moves_of(
    wanted: Mapping[TopicPartition, list[int]], current: Assignment, running: Mapping[TopicPartition, Move]
) -> dict[TopicPartition, Move]:
    """All that will be under way: of what moves already the sources stay."""
    moves = dict(running)
    for key, replicas in wanted.items():
        if key not in current:
            raise UserError(f"there is no partition {key[0]}-{key[1]}")
        sources = moves[key][0] if key in moves else set(current[key])
        moves[key] = (sources, set(replicas) - sources)
    return moves


def throttle_settings(
    moves: Mapping[TopicPartition, Move], bytes_per_second: int
) -> dict[Resource, dict[str, str | None]]:
    leaders: dict[str, list[str]] = {}
    followers: dict[str, list[str]] = {}
    brokers: set[int] = set()
    for (topic, index), (sources, targets) in sorted(moves.items()):
        leaders.setdefault(topic, []).extend(f"{index}:{broker}" for broker in sorted(sources))
        followers.setdefault(topic, []).extend(f"{index}:{broker}" for broker in sorted(targets))
        brokers |= sources | targets
    found: dict[Resource, dict[str, str | None]] = {
        (TOPIC, topic): {LEADERS: ",".join(leaders[topic]), FOLLOWERS: ",".join(followers[topic])}
        for topic in leaders
    }
    rate = str(bytes_per_second)
    found.update({(BROKER, str(broker)): dict.fromkeys(RATES, rate) for broker in sorted(brokers)})
    return found


def throttle(
    client: BlockingClient,
    wanted: Mapping[TopicPartition, list[int]],
    current: Assignment,
    bytes_per_second: int,
) -> None:
    """Before the moves begin: of this plan, and of what is under way."""
    running = {
        key: (set(row.replicas) - set(row.adding_replicas), set(row.adding_replicas))
        for key, row in ongoing(client).items()
    }
    alter_settings(client, throttle_settings(moves_of(wanted, current, running), bytes_per_second))


def remove_throttles(client: BlockingClient, topics: Iterable[str], brokers: Collection[int]) -> bool:
    """Once nothing moves any more; False if there were none. The topics last: they say that there are."""
    throttled = _throttled(client, sorted(set(topics)))
    if not throttled or ongoing(client):
        return False
    alter_settings(client, {(BROKER, str(broker)): dict.fromkeys(RATES) for broker in sorted(brokers)})
    alter_settings(client, {(TOPIC, topic): {LEADERS: None, FOLLOWERS: None} for topic in throttled})
    return True


def _throttled(client: BlockingClient, topics: Collection[str]) -> list[str]:
    """Those of the topics that name throttled replicas."""
    resources = [
        DescribeConfigsResource(
            resource_type=TOPIC, resource_name=topic, configuration_keys=[LEADERS, FOLLOWERS]
        )
        for topic in topics
    ]
    if not resources:
        return []
    found = []
    for answer in client.call(ApiKey.DESCRIBE_CONFIGS, DescribeConfigsRequest(resources=resources)).results:
        if answer.error_code:
            raise UserError(describe_error(answer.error_code, answer.error_message))
        if any(config.value for config in answer.configs):
            found.append(answer.resource_name)
    return found
