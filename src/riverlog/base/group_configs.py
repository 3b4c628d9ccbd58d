"""The settings a group may have of its own (KIP-848), each within bounds that the broker sets.

Those of share and streams groups are not here yet: their names are unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from riverlog.base import broker_configs_groups as broker_rows
from riverlog.base.config import BrokerConfig, ConfigEntry, ConfigSource, ConfigSynonym
from riverlog.base.config_table import ConfigError, ConfigRow


@dataclass(frozen=True, slots=True)
class GroupConfig:
    """One setting; ``behind`` is the broker's, which holds where the group says nothing."""

    name: str
    behind: ConfigRow[int]
    low: ConfigRow[int]
    high: ConfigRow[int]

    def parse(self, text: str) -> int:
        try:
            return self.behind.parse(text)
        except ConfigError as error:
            raise ConfigError(self.name, text, error.reason) from None

    def in_force(self, config: BrokerConfig, own: Mapping[str, str]) -> int:
        """The group's value, brought within the broker's bounds, which may have changed since."""
        text = own.get(self.name)
        if text is None:
            return config[self.behind]
        try:
            value = self.parse(text)
        except ConfigError:
            return config[self.behind]  # written by a version with other bounds
        return min(max(value, config[self.low]), config[self.high])


SESSION_TIMEOUT_MS = GroupConfig(
    "consumer.session.timeout.ms",
    broker_rows.GROUP_CONSUMER_SESSION_TIMEOUT_MS,
    broker_rows.GROUP_CONSUMER_MIN_SESSION_TIMEOUT_MS,
    broker_rows.GROUP_CONSUMER_MAX_SESSION_TIMEOUT_MS,
)
HEARTBEAT_INTERVAL_MS = GroupConfig(
    "consumer.heartbeat.interval.ms",
    broker_rows.GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS,
    broker_rows.GROUP_CONSUMER_MIN_HEARTBEAT_INTERVAL_MS,
    broker_rows.GROUP_CONSUMER_MAX_HEARTBEAT_INTERVAL_MS,
)
ASSIGNMENT_INTERVAL_MS = GroupConfig(
    "consumer.assignment.interval.ms",
    broker_rows.GROUP_CONSUMER_ASSIGNMENT_INTERVAL_MS,
    broker_rows.GROUP_CONSUMER_MIN_ASSIGNMENT_INTERVAL_MS,
    broker_rows.GROUP_CONSUMER_MAX_ASSIGNMENT_INTERVAL_MS,
)
GROUP_CONFIGS = {row.name: row for row in (ASSIGNMENT_INTERVAL_MS, HEARTBEAT_INTERVAL_MS, SESSION_TIMEOUT_MS)}


def validate_group_configs(config: BrokerConfig, own: Mapping[str, str], *, changed: Iterable[str]) -> None:
    """Raise ``ConfigError`` unless a group may have these settings.

    Names that are not being set now may be unknown: a folder written by Kafka may hold them.
    """
    for name in changed:
        row, text = GROUP_CONFIGS.get(name), own[name]
        if row is None:
            raise ConfigError(name, text, "no setting of a group has this name")
        value = row.parse(text)
        if value < config[row.low]:
            raise ConfigError(name, text, f"must not be below {row.low.name} ({config[row.low]})")
        if value > config[row.high]:
            raise ConfigError(name, text, f"must not be above {row.high.name} ({config[row.high]})")
    session = SESSION_TIMEOUT_MS.in_force(config, own)
    heartbeat = HEARTBEAT_INTERVAL_MS.in_force(config, own)
    if session <= heartbeat:
        name = SESSION_TIMEOUT_MS.name
        raise ConfigError(name, str(session), f"must be above {HEARTBEAT_INTERVAL_MS.name} ({heartbeat})")


def describe_group(
    config: BrokerConfig, own: Mapping[str, str], names: Iterable[str] | None = None
) -> list[ConfigEntry]:
    """All settings of a group, or those of ``names`` that exist."""
    wanted = None if names is None else set(names)
    return [
        _entry(config, own, row) for row in GROUP_CONFIGS.values() if wanted is None or row.name in wanted
    ]


def _entry(config: BrokerConfig, own: Mapping[str, str], row: GroupConfig) -> ConfigEntry:
    chain = config.synonyms(row.behind.name)
    value = own.get(row.name)
    if value is not None:
        chain.insert(0, ConfigSynonym(row.name, value, ConfigSource.GROUP_CONFIG))
    return ConfigEntry(
        name=row.name,
        value=value if value is not None else row.behind.format(config[row.behind]),
        source=chain[0].source,
        type=row.behind.type.code,
        doc=row.behind.doc,
        synonyms=chain,
    )
