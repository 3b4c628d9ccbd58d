"""The settings a group may have of its own (KIP-848), each within bounds that the broker sets.

Those of share and streams groups are known, with Kafka's names, bounds and defaults (4.3), but such groups
are not served yet: only the default is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from riverlog.base import broker_configs_groups as broker_rows
from riverlog.base.config import BrokerConfig, ConfigEntry, ConfigSource, ConfigSynonym
from riverlog.base.config_table import BROKER_CONFIGS, ConfigError, ConfigRow, Synonym
from riverlog.base.config_types import BadValue, Bool, ConfigType, Int, Str

T = TypeVar("T")


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

LATER_CONFIGS: dict[str, ConfigRow[object]] = {}


def _later(name: str, type: ConfigType[T], default: T, doc: str) -> None:
    behind = f"group.{name}"
    synonyms = (Synonym(behind),) if behind in BROKER_CONFIGS else ()
    row = ConfigRow(name, type, default=default, doc=doc, synonyms=synonyms, honoured=False)
    LATER_CONFIGS[name] = row  # type: ignore[assignment]


class _OffsetReset(Str):
    _BACK = re.compile(
        r"by_duration:P(?=.)([0-9]+D)?(T(?=.)([0-9]+H)?([0-9]+M)?([0-9]+([.,][0-9]{0,9})?S)?)?",
        re.ASCII | re.IGNORECASE,
    )

    def parse(self, text: str) -> str:
        if text not in ("latest", "earliest") and not self._BACK.fullmatch(text):
            raise BadValue(f"must be {self.allowed}")
        return text

    @property
    def allowed(self) -> str:
        return "latest, earliest or by_duration:PnDTnHnMn.nS"


_ISOLATION = Str("read_committed", "read_uncommitted")

_later("share.session.timeout.ms", Int(low=1), 45_000, "How long a member may be silent.")
_later("share.heartbeat.interval.ms", Int(low=1), 5_000, "How often members send a heartbeat.")
_later("share.record.lock.duration.ms", Int(low=1000), 30_000, "How long a member may hold a record.")
_later("share.delivery.count.limit", Int(low=2), 5, "How often a record is delivered at most.")
_later("share.partition.max.record.locks", Int(low=100), 2_000, "The most records of a partition held.")
_later("share.auto.offset.reset", _OffsetReset(), "latest", "Where a new share group starts to read.")
_later("share.isolation.level", _ISOLATION, "read_uncommitted", "Whether aborted records are delivered.")
_later("share.renew.acknowledge.enable", Bool(), True, "Whether a member may hold a record for longer.")
_later("share.assignment.interval.ms", Int(low=0), 1_000, "The shortest time between two assignments.")
_later("streams.session.timeout.ms", Int(low=1), 45_000, "How long a member may be silent.")
_later("streams.heartbeat.interval.ms", Int(low=1), 5_000, "How often members send a heartbeat.")
_later("streams.num.standby.replicas", Int(low=0), 0, "Standby copies of each task.")
_later("streams.initial.rebalance.delay.ms", Int(low=0), 3_000, "How long a new group waits for members.")
_later("streams.assignment.interval.ms", Int(low=0), 1_000, "The shortest time between two assignments.")


def validate_group_configs(config: BrokerConfig, own: Mapping[str, str], *, changed: Iterable[str]) -> None:
    """Raise ``ConfigError`` unless a group may have these settings.

    Names that are not being set now may be unknown: a folder written by Kafka may hold them.
    """
    for name in changed:
        row, text = GROUP_CONFIGS.get(name), own[name]
        later = LATER_CONFIGS.get(name)
        if later is not None:
            if later.parse(text) != later.default:
                raise ConfigError(name, text, f"not supported yet, only the default {later.default_text}")
            continue
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
    entries = [_entry(config, own, row.name, row.behind) for row in GROUP_CONFIGS.values()]
    for later in LATER_CONFIGS.values():
        behind = BROKER_CONFIGS[later.synonyms[0].name] if later.synonyms else later
        entries.append(_entry(config, own, later.name, behind))
    return [entry for entry in entries if wanted is None or entry.name in wanted]


def _entry(config: BrokerConfig, own: Mapping[str, str], name: str, behind: ConfigRow[T]) -> ConfigEntry:
    """``behind`` is the broker's setting, or the group's row where the broker has none."""
    if behind.name == name:
        chain = [ConfigSynonym(name, behind.default_text, ConfigSource.DEFAULT_CONFIG)]
    else:
        chain = config.synonyms(behind.name)
    value = own.get(name)
    if value is not None:
        chain.insert(0, ConfigSynonym(name, value, ConfigSource.GROUP_CONFIG))
    return ConfigEntry(
        name=name,
        value=chain[0].value,
        source=chain[0].source,
        type=behind.type.code,
        doc=behind.doc,
        synonyms=chain,
    )
