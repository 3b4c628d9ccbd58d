"""The config table: every setting is declared here once, as a row.

A row feeds parsing, DescribeConfigs, the reference page, CLI help and the simulator's random draws.
``topic_config`` and ``broker_config`` add rows; the rows themselves are in ``topic_configs`` and
``broker_configs*``.
"""

from __future__ import annotations

from enum import Enum
from typing import Generic, TypeVar

from riverlog.base.config_types import BadValue, ConfigType

T = TypeVar("T")


class ConfigError(Exception):
    """A setting the user must change: one line with name, value and what is allowed."""

    def __init__(self, name: str, value: str | None, reason: str) -> None:
        shown = "null" if value is None else value if len(value) <= 200 else value[:200] + "…"
        super().__init__(f"Invalid value {shown} for configuration {name}: {reason}".replace("\n", " "))
        self.name = name
        self.value = value
        self.reason = reason


class Dynamic(Enum):
    """When a broker setting can change."""

    READ_ONLY = "read-only"
    PER_BROKER = "per-broker"
    CLUSTER_WIDE = "cluster-wide"
    """By broker, or as the default of the whole cluster."""
    CLUSTER_DEFAULT_ONLY = "cluster-default-only"
    """As the default of the whole cluster only: brokers must not differ."""


class Synonym:
    """A broker setting that stands behind a topic setting, in its unit times ``scale``."""

    __slots__ = ("name", "scale")

    def __init__(self, name: str, scale: int = 1) -> None:
        self.name = name
        self.scale = scale


MINUTES = 60_000
HOURS = 3_600_000


class ConfigRow(Generic[T]):
    """One setting."""

    __slots__ = ("default", "doc", "dynamic", "honoured", "internal", "name", "ours", "synonyms", "type")

    def __init__(
        self,
        name: str,
        type: ConfigType[T],
        *,
        default: T,
        doc: str,
        dynamic: Dynamic = Dynamic.READ_ONLY,
        synonyms: tuple[Synonym, ...] = (),
        honoured: bool = True,
        internal: bool = False,
        ours: bool = False,
    ) -> None:
        self.name = name
        self.type = type
        self.default = default
        self.doc = doc
        self.dynamic = dynamic
        self.synonyms = synonyms
        self.honoured = honoured
        self.internal = internal
        self.ours = ours

    def parse(self, text: str) -> T:
        """The value, or ``ConfigError``."""
        try:
            return self.type.parse(text)
        except BadValue as bad:
            raise ConfigError(self.name, "[hidden]" if self.type.sensitive else text, str(bad)) from None

    def format(self, value: T) -> str | None:
        return self.type.format(value)

    @property
    def default_text(self) -> str | None:
        return self.type.format(self.default)

    def __repr__(self) -> str:
        return f"<config {self.name}>"


TOPIC_CONFIGS: dict[str, ConfigRow[object]] = {}
BROKER_CONFIGS: dict[str, ConfigRow[object]] = {}


def topic_config(
    name: str,
    type: ConfigType[T],
    *,
    default: T,
    doc: str,
    dynamic: bool = True,
    broker_synonym: str | tuple[Synonym, ...] = (),
    honoured: bool = True,
    internal: bool = False,
    ours: bool = False,
) -> ConfigRow[T]:
    """Declare a topic setting. ``broker_synonym``: the broker settings that give its default, first wins."""
    synonyms = (Synonym(broker_synonym),) if isinstance(broker_synonym, str) else broker_synonym
    row = ConfigRow(
        name,
        type,
        default=default,
        doc=doc,
        dynamic=Dynamic.CLUSTER_WIDE if dynamic else Dynamic.READ_ONLY,
        synonyms=synonyms,
        honoured=honoured,
        internal=internal,
        ours=ours,
    )
    assert name not in TOPIC_CONFIGS, name
    TOPIC_CONFIGS[name] = row  # type: ignore[assignment]
    return row


def broker_config(
    name: str,
    type: ConfigType[T],
    *,
    default: T,
    doc: str,
    dynamic: Dynamic = Dynamic.READ_ONLY,
    honoured: bool = True,
    internal: bool = False,
    ours: bool = False,
) -> ConfigRow[T]:
    """Declare a broker setting."""
    row = ConfigRow(
        name,
        type,
        default=default,
        doc=doc,
        dynamic=dynamic,
        honoured=honoured,
        internal=internal,
        ours=ours,
    )
    assert name not in BROKER_CONFIGS, name
    BROKER_CONFIGS[name] = row  # type: ignore[assignment]
    return row
