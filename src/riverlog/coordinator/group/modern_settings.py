"""Settings of groups of the consumer protocol: the broker's, or a group's own within the broker's bounds."""

from __future__ import annotations

from collections.abc import Callable

from riverlog.base import broker_configs_groups as configs
from riverlog.base import group_configs
from riverlog.base.config import BrokerConfig
from riverlog.coordinator.group.assignors import ASSIGNORS
from riverlog.metadata.image import GROUP_RESOURCE, ClusterState

_JAVA_NAMES = {
    "org.apache.kafka.coordinator.group.assignor.UniformAssignor": "uniform",
    "org.apache.kafka.coordinator.group.assignor.RangeAssignor": "range",
}
"""Kafka takes the names of its classes too."""


def _known(names: tuple[str, ...]) -> list[str]:
    """Assignors of one's own, Java classes, there are none: they are left out, and with no other one named
    all that there are may be used."""
    named = [_JAVA_NAMES.get(name, name) for name in names]
    return list(dict.fromkeys(name for name in named if name in ASSIGNORS)) or list(ASSIGNORS)


class ConsumerSettings:
    def __init__(self, config: BrokerConfig, image: Callable[[], ClusterState]) -> None:
        self._config = config
        self._image = image
        self.assignors = _known(config[configs.GROUP_CONSUMER_ASSIGNORS])
        """Those members may name; the first is the default."""
        self.size_max = config[configs.GROUP_CONSUMER_MAX_SIZE]
        self.regex_refresh_ms = config[configs.GROUP_CONSUMER_REGEX_REFRESH_INTERVAL_MS]
        policy = config[configs.GROUP_CONSUMER_MIGRATION_POLICY].upper()
        self.migration = policy != "DISABLED"
        """Whether members of both protocols may be in one group."""
        self.upgrade = policy in ("UPGRADE", "BIDIRECTIONAL")
        self.downgrade = policy in ("DOWNGRADE", "BIDIRECTIONAL")
        self.classic_size_max = config[configs.GROUP_MAX_SIZE]

    def session_timeout_ms(self, group_id: str) -> int:
        return self._of_group(group_id, group_configs.SESSION_TIMEOUT_MS)

    def heartbeat_interval_ms(self, group_id: str) -> int:
        return self._of_group(group_id, group_configs.HEARTBEAT_INTERVAL_MS)

    def assignment_interval_ms(self, group_id: str) -> int:
        return self._of_group(group_id, group_configs.ASSIGNMENT_INTERVAL_MS)

    def _of_group(self, group_id: str, row: group_configs.GroupConfig) -> int:
        own = self._image().configs.get((GROUP_RESOURCE, group_id))
        return self._config[row.behind] if own is None else row.in_force(self._config, own)
