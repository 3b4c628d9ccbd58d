"""What is in force: broker settings in their layers, topic settings on top of them.

Layers, strongest first: the topic's own, the broker's dynamic ones, the cluster's dynamic defaults, the
static ones (file and command line), the defaults of the table. DescribeConfigs shows that chain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeVar, cast

from riverlog.base import (
    broker_configs,
    broker_configs_groups,
    broker_configs_later,
    broker_configs_log,
    broker_configs_replication,
    broker_configs_txn,
    topic_configs,
)
from riverlog.base.config_table import (
    BROKER_CONFIGS,
    TOPIC_CONFIGS,
    ConfigError,
    ConfigRow,
    Dynamic,
    broker_config,
    topic_config,
)
from riverlog.base.config_types import TypeCode

__all__ = [
    "BROKER_CONFIGS",
    "TOPIC_CONFIGS",
    "BrokerConfig",
    "ConfigEntry",
    "ConfigError",
    "ConfigRow",
    "ConfigSource",
    "Dynamic",
    "TopicConfig",
    "TypeCode",
    "broker_config",
    "broker_configs",
    "broker_configs_groups",
    "broker_configs_later",
    "broker_configs_log",
    "broker_configs_replication",
    "broker_configs_txn",
    "topic_config",
    "topic_configs",
    "validate_dynamic_broker_configs",
    "validate_topic_configs",
]

T = TypeVar("T")


class ConfigSource(IntEnum):
    """The numbers of DescribeConfigs' ``config_source``."""

    UNKNOWN = 0
    TOPIC_CONFIG = 1
    DYNAMIC_BROKER_CONFIG = 2
    DYNAMIC_DEFAULT_BROKER_CONFIG = 3
    STATIC_BROKER_CONFIG = 4
    DEFAULT_CONFIG = 5
    DYNAMIC_BROKER_LOGGER_CONFIG = 6
    CLIENT_METRICS_CONFIG = 7
    GROUP_CONFIG = 8


@dataclass(slots=True)
class ConfigSynonym:
    name: str
    value: str | None
    source: ConfigSource


@dataclass(slots=True)
class ConfigEntry:
    """One line of DescribeConfigs. A sensitive value is never shown."""

    name: str
    value: str | None
    source: ConfigSource
    type: TypeCode
    sensitive: bool = False
    read_only: bool = False
    doc: str | None = None
    synonyms: list[ConfigSynonym] = field(default_factory=list)


# Broker settings whose first name is the strongest of several in different units.
_FAMILIES = (
    ("log.retention.ms", "log.retention.minutes", "log.retention.hours"),
    ("log.roll.ms", "log.roll.hours"),
    ("log.roll.jitter.ms", "log.roll.jitter.hours"),
)
_BROKER_SYNONYMS: dict[str, tuple[str, ...]] = {name: family for family in _FAMILIES for name in family}
_BROKER_SYNONYMS["log.flush.interval.ms"] = ("log.flush.interval.ms", "log.flush.scheduler.interval.ms")

_LISTENER_PREFIX = re.compile(r"listener\.name\.[^.]*\.(.*)")


class BrokerConfig:
    """The settings of one broker. Bad static values raise ``ConfigError``; unknown names are only listed."""

    __slots__ = ("_defaults", "_dynamic", "_merged", "_static", "_values", "not_honoured", "unknown")

    def __init__(self, static: Mapping[str, str] | None = None) -> None:
        self._static = dict(static or {})
        self._dynamic: dict[str, str] = {}
        self._defaults: dict[str, str] = {}
        self.unknown: list[str] = []
        self.not_honoured: list[str] = []
        for name, text in self._static.items():
            self._check_static(name, text)
        self._merged = self._static
        self._values: dict[str, object] = {}

    def _check_static(self, name: str, text: str) -> None:
        prefixed = _LISTENER_PREFIX.fullmatch(name)
        row = BROKER_CONFIGS.get(name)
        if row is None:
            (self.not_honoured if prefixed else self.unknown).append(name)
            return
        value = row.parse(text)
        if row.dynamic is Dynamic.CLUSTER_DEFAULT_ONLY and value != row.default:
            raise ConfigError(
                name, text, "set it on the topic or as the cluster's default, not on one broker"
            )
        if not row.honoured and value != row.default:
            self.not_honoured.append(name)

    @property
    def static(self) -> Mapping[str, str]:
        return self._static

    @property
    def dynamic_broker(self) -> Mapping[str, str]:
        return self._dynamic

    @property
    def dynamic_default(self) -> Mapping[str, str]:
        return self._defaults

    def adopt(self, row: ConfigRow[T], value: T) -> None:
        """A static value that was found out at start, such as the node id of the data folder."""
        self._static[row.name] = row.format(value) or ""
        self._merged = {**self._static, **self._defaults, **self._dynamic}
        self._values = {}

    def set_dynamic(self, *, broker: Mapping[str, str], default: Mapping[str, str]) -> list[ConfigError]:
        """Adopt the dynamic layers of the metadata log. What does not parse is left out and answered."""
        bad: list[ConfigError] = []
        self._dynamic = _parsable(broker, bad)
        self._defaults = _parsable(default, bad)
        self._merged = {**self._static, **self._defaults, **self._dynamic}
        self._values = {}
        return bad

    def __getitem__(self, row: ConfigRow[T]) -> T:
        """The value in force."""
        values = self._values
        if row.name not in values:
            text = self._merged.get(row.name)
            values[row.name] = row.default if text is None else row.parse(text)
        return cast(T, values[row.name])

    def is_set(self, row: ConfigRow[T]) -> bool:
        """Whether some layer, other than the table's default, says a value."""
        return row.name in self._merged

    def origin(self, name: str) -> ConfigSource:
        """The strongest layer that says this setting."""
        if name in self._dynamic:
            return ConfigSource.DYNAMIC_BROKER_CONFIG
        if name in self._defaults:
            return ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG
        return ConfigSource.STATIC_BROKER_CONFIG if name in self._static else ConfigSource.DEFAULT_CONFIG

    def warnings(self) -> list[str]:
        """At most one line for the names Kafka does not have, one for those we do not act on yet."""
        lines = []
        if self.unknown:
            lines.append(f"ignored, not settings of a broker: {', '.join(sorted(self.unknown))}")
        if self.not_honoured:
            lines.append(f"known but without effect in this version: {', '.join(sorted(self.not_honoured))}")
        return lines

    def topic(self, overrides: Mapping[str, str] | None = None, *, internal: bool = False) -> TopicConfig:
        """The settings of a topic with these settings of its own."""
        return TopicConfig(self, overrides or {}, internal=internal)

    def topic_default(self, row: ConfigRow[T]) -> T:
        """What a topic setting is where the topic does not say it."""
        for synonym in row.synonyms:
            behind = BROKER_CONFIGS[synonym.name]
            value = self[behind]
            if value is None:
                continue
            if synonym.scale == 1:
                return cast(T, value)
            assert isinstance(value, int)
            return cast(T, value * synonym.scale if value >= 0 else -1)
        return row.default

    def describe_broker(self, names: Iterable[str] | None = None) -> list[ConfigEntry]:
        """All settings of this broker, or those of ``names`` that exist; in the order of the table."""
        wanted = None if names is None else set(names)
        shown = [row.name for row in BROKER_CONFIGS.values() if not row.internal or row.name in self._merged]
        shown += sorted(name for name in self._merged if name not in BROKER_CONFIGS)
        return [self._entry(name) for name in shown if wanted is None or name in wanted]

    def describe_default(self, names: Iterable[str] | None = None) -> list[ConfigEntry]:
        """The cluster's dynamic defaults only."""
        wanted = None if names is None else set(names)
        entries = []
        for name, text in sorted(self._defaults.items()):
            if wanted is None or name in wanted:
                entry = self._entry(name)
                entry.value = None if entry.sensitive else text
                source = ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG
                entry.synonyms = [s for s in entry.synonyms if s.source is source]
                entry.source = source
                entries.append(entry)
        return entries

    def _entry(self, name: str) -> ConfigEntry:
        row = BROKER_CONFIGS.get(name)
        sensitive = row is None or row.type.sensitive
        synonyms = self.synonyms(name, sensitive=sensitive)
        if row is None:
            # A name we know nothing about may hold a secret.
            source = synonyms[0].source if synonyms else ConfigSource.UNKNOWN
            return ConfigEntry(name, None, source, TypeCode.UNKNOWN, True, True, None, synonyms)
        return ConfigEntry(
            name=name,
            value=None if sensitive else row.format(self[row]),
            source=synonyms[0].source if synonyms else ConfigSource.DEFAULT_CONFIG,
            type=row.type.code,
            sensitive=sensitive,
            read_only=row.dynamic is Dynamic.READ_ONLY,
            doc=row.doc,
            synonyms=synonyms,
        )

    def synonyms(self, name: str, *, sensitive: bool = False) -> list[ConfigSynonym]:
        """Where a broker setting is said, strongest first, ending with the table's default."""
        names = _BROKER_SYNONYMS.get(name, (name,))
        found: list[ConfigSynonym] = []
        for layer, source in (
            (self._dynamic, ConfigSource.DYNAMIC_BROKER_CONFIG),
            (self._defaults, ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG),
            (self._static, ConfigSource.STATIC_BROKER_CONFIG),
        ):
            found += [
                ConfigSynonym(other, None if sensitive else layer[other], source)
                for other in names
                if other in layer
            ]
        for other in names:
            row = BROKER_CONFIGS.get(other)
            if row is not None and row.default is not None:
                text = None if sensitive else row.default_text
                found.append(ConfigSynonym(other, text, ConfigSource.DEFAULT_CONFIG))
        # Kafka leaves out what stands before the asked name's own first entry.
        for at, synonym in enumerate(found):
            if synonym.name == name:
                return found[at:]
        return []


def _parsable(layer: Mapping[str, str], bad: list[ConfigError]) -> dict[str, str]:
    kept: dict[str, str] = {}
    for name, text in layer.items():
        row = BROKER_CONFIGS.get(name)
        try:
            if row is not None:
                row.parse(text)
            kept[name] = text
        except ConfigError as error:
            bad.append(error)
    return kept


class TopicConfig:
    """The settings in force for one topic; ``config[SEGMENT_BYTES]`` is the value.

    Reads through to the broker's layers, so it is never stale; keep it out of hot paths and copy what
    they need.
    """

    __slots__ = ("_broker", "internal", "overrides")

    def __init__(self, broker: BrokerConfig, overrides: Mapping[str, str], *, internal: bool = False) -> None:
        self._broker = broker
        self.overrides = dict(overrides)
        self.internal = internal

    def __getitem__(self, row: ConfigRow[T]) -> T:
        if self.internal and row.name == topic_configs.ACK_AFTER_FSYNC.name:
            return cast(T, True)  # RULES: durable end 1
        text = self.overrides.get(row.name)
        if text is not None:
            try:
                return row.parse(text)
            except ConfigError:
                pass  # written by a version with other bounds: the default stands in
        return self._broker.topic_default(row)

    @property
    def segment_bytes(self) -> int:
        """The size at which a segment rolls, with the internal setting of tests on top."""
        return self[topic_configs.INTERNAL_SEGMENT_BYTES] or self[topic_configs.SEGMENT_BYTES]

    def origin(self, name: str) -> ConfigSource:
        """The layer that a setting's value comes from. (DescribeConfigs shows less, see ``synonyms``.)"""
        if name in self.overrides:
            return ConfigSource.TOPIC_CONFIG
        for synonym in TOPIC_CONFIGS[name].synonyms:
            source = self._broker.origin(synonym.name)
            if source is not ConfigSource.DEFAULT_CONFIG:
                return source
        return ConfigSource.DEFAULT_CONFIG

    def describe(self, names: Iterable[str] | None = None) -> list[ConfigEntry]:
        """All settings, or those of ``names`` that exist; in the order of the table."""
        wanted = None if names is None else set(names)
        return [
            self._entry(row)
            for row in TOPIC_CONFIGS.values()
            if (wanted is None or row.name in wanted) and (not row.internal or row.name in self.overrides)
        ]

    def _entry(self, row: ConfigRow[object]) -> ConfigEntry:
        value = row.format(self[row])
        chain = self._broker.synonyms(row.synonyms[0].name) if row.synonyms else []
        if row.name in self.overrides:
            chain.insert(0, ConfigSynonym(row.name, value, ConfigSource.TOPIC_CONFIG))
        return ConfigEntry(
            name=row.name,
            value=value,
            source=chain[0].source if chain else ConfigSource.DEFAULT_CONFIG,
            type=row.type.code,
            doc=row.doc,
            synonyms=chain,
        )


def validate_topic_configs(
    overrides: Mapping[str, str], *, changed: Iterable[str] | None = None, internal: bool = False
) -> None:
    """Raise ``ConfigError`` unless a topic may have these settings.

    ``overrides`` is all the topic would have; ``changed`` names those being set now (all if omitted):
    what this version does not act on is refused only there, so that folders written by Kafka stay usable.
    """
    new = set(overrides if changed is None else changed)
    values: dict[str, object] = {}
    for name, text in overrides.items():
        row = TOPIC_CONFIGS.get(name)
        if row is None:
            raise ConfigError(name, text, "no topic setting has this name")
        value = values[name] = row.parse(text)
        if name in new and not row.honoured and value != row.default:
            raise ConfigError(
                name, text, f"not supported yet, only the default {row.default_text or 'empty'}"
            )
    low = values.get(topic_configs.MIN_COMPACTION_LAG_MS.name, topic_configs.MIN_COMPACTION_LAG_MS.default)
    high = values.get(topic_configs.MAX_COMPACTION_LAG_MS.name, topic_configs.MAX_COMPACTION_LAG_MS.default)
    assert isinstance(low, int) and isinstance(high, int)
    if low > high:
        name = topic_configs.MIN_COMPACTION_LAG_MS.name
        raise ConfigError(name, str(low), f"must not be above max.compaction.lag.ms ({high})")
    if internal and values.get(topic_configs.ACK_AFTER_FSYNC.name) is False:
        raise ConfigError(topic_configs.ACK_AFTER_FSYNC.name, "false", "internal topics are always synced")


def validate_dynamic_broker_configs(
    configs: Mapping[str, str], *, changed: Iterable[str] | None = None, per_broker: bool
) -> None:
    """Raise ``ConfigError`` unless these may be a broker's dynamic settings, or the cluster's defaults.

    Names that Kafka does not know are let through, as it does.
    """
    new = set(configs if changed is None else changed)
    for name, text in configs.items():
        prefixed = _LISTENER_PREFIX.fullmatch(name)
        row = BROKER_CONFIGS.get(prefixed.group(1) if prefixed else name)
        if row is None:
            continue
        if name not in new:
            row.parse(text)
            continue
        if row.dynamic is Dynamic.READ_ONLY:
            raise ConfigError(name, text, "cannot be changed while the broker runs")
        value = row.parse(text)
        if row.dynamic is Dynamic.PER_BROKER and not per_broker:
            raise ConfigError(name, text, "needs a broker id, it is no default for the cluster")
        if row.dynamic is Dynamic.CLUSTER_DEFAULT_ONLY and per_broker:
            raise ConfigError(name, text, "only as the cluster's default: brokers must not differ")
        if not row.honoured and value != row.default:
            raise ConfigError(
                name, text, f"not supported yet, only the default {row.default_text or 'empty'}"
            )
