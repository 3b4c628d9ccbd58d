"""Throttled replication (KIP-73): bytes per second between leaders and followers that an operator named.

A topic names its throttled replicas, on the leader's and on the follower's side; the broker's rate holds for
all of them together. A follower that is in sync is never held back: writes wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base import broker_configs_replication as configs
from riverlog.base import topic_configs
from riverlog.base.config import ConfigRow, TopicConfig
from riverlog.base.config_types import LONG_MAX
from riverlog.broker.quotas_rate import Rate
from riverlog.replication import Partition

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker

_SAMPLES = 11
_SAMPLE_SECONDS = 1.0
_ALL = "*"
_LEADER, _FOLLOWER = 0, 1
_Named = frozenset[str]


class ReplicationThrottles:
    """Which replicas are throttled, and how much they moved lately."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._named: dict[str, tuple[_Named, _Named]] = {}
        """By topic: on the leader's and on the follower's side."""
        self._given = Rate(_SAMPLES, _SAMPLE_SECONDS)
        self._fetched = Rate(_SAMPLES, _SAMPLE_SECONDS)

    def load(self, topic: str, config: TopicConfig) -> None:
        """The topic's settings are new."""
        on_leaders: tuple[str, ...] = config[topic_configs.LEADER_REPLICATION_THROTTLED_REPLICAS]
        on_followers: tuple[str, ...] = config[topic_configs.FOLLOWER_REPLICATION_THROTTLED_REPLICAS]
        leader, follower = frozenset(on_leaders), frozenset(on_followers)
        if leader or follower:
            self._named[topic] = (leader, follower)
        else:
            self._named.pop(topic, None)

    def forget(self, topic: str) -> None:
        self._named.pop(topic, None)

    def holds_back_leader(self, partition: Partition, follower_id: int) -> bool:
        """Whether a follower gets no data of this partition, which we lead, for now."""
        return (
            self._is_throttled(partition, _LEADER)
            and follower_id not in partition.in_sync.isr
            and self._is_over(self._given, configs.LEADER_REPLICATION_THROTTLED_RATE)
        )

    def given(self, partition: Partition, size: int) -> None:
        if self._is_throttled(partition, _LEADER):
            self._given.record(size, self._broker.clock.monotonic())

    def holds_back_follower(self, partition: Partition) -> bool:
        """Whether this node asks for nothing of this partition for now."""
        return (
            self._is_throttled(partition, _FOLLOWER)
            and not self._is_in_sync(partition)
            and self._is_over(self._fetched, configs.FOLLOWER_REPLICATION_THROTTLED_RATE)
        )

    def received(self, partition: Partition, size: int) -> None:
        if self._is_throttled(partition, _FOLLOWER):
            self._fetched.record(size, self._broker.clock.monotonic())

    def _is_throttled(self, partition: Partition, side: int) -> bool:
        """Whether our replica is named on that side."""
        named = self._named.get(partition.topic)
        return named is not None and (
            _ALL in named[side] or f"{partition.index}:{self._broker.node_id}" in named[side]
        )

    def _is_in_sync(self, partition: Partition) -> bool:
        state = self._broker.metadata.image.partition(partition.topic, partition.index)
        return state is not None and self._broker.node_id in state.isr

    def _is_over(self, rate: Rate, row: ConfigRow[int]) -> bool:
        limit = self._broker.config[row]
        if limit >= LONG_MAX:
            return False
        return limit <= 0 or rate.excess_seconds(limit, self._broker.clock.monotonic()) > 0
