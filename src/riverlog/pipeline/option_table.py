"""How options are declared, parsed and refused. The rows are in ``options.py`` and ``sink_options.py``.

An ``Option`` is a typed key: ``options[FAIL_ON_DATA_LOSS]`` is a bool. Names are case-insensitive, as in
Spark. What the user gets wrong is an ``OptionError`` with name, value and what is allowed.
"""

from __future__ import annotations

import difflib
import logging
from collections.abc import Callable, Mapping
from enum import Flag, auto
from typing import Any, Generic, TypeVar, cast

from riverlog.base.config_types import BadValue, ConfigType
from riverlog.pipeline.errors import OptionError

T = TypeVar("T")
log = logging.getLogger("riverlog.pipeline")

KAFKA = "kafka."
_SHOWN_VALUE = 200


class Side(Flag):
    """The kinds of queries an option is for."""

    BATCH_READ = auto()
    STREAM_READ = auto()
    BATCH_WRITE = auto()
    STREAM_WRITE = auto()
    READ = BATCH_READ | STREAM_READ
    WRITE = BATCH_WRITE | STREAM_WRITE
    ANY = READ | WRITE

    @property
    def words(self) -> str:
        return _SIDE_WORDS[self]


NO_SIDE = Side(0)
_SIDE_WORDS = {
    Side.BATCH_READ: "batch reads",
    Side.STREAM_READ: "streaming reads",
    Side.BATCH_WRITE: "batch writes",
    Side.STREAM_WRITE: "streaming writes",
    Side.READ: "reads",
    Side.WRITE: "writes",
    Side.ANY: "all queries",
}


class Option(Generic[T]):
    """One option, declared once; also the key under which its value is found."""

    __slots__ = ("default", "doc", "idle_on", "name", "side", "type")

    def __init__(
        self, name: str, type: ConfigType[T], *, default: T, doc: str, side: Side, idle_on: Side = NO_SIDE
    ) -> None:
        self.name = name
        self.type = type
        self.default = default
        self.doc = doc
        self.side = side
        self.idle_on = idle_on
        """Kinds of queries that accept it, with a warning that it has no effect there."""


class Options:
    """The checked options of one query."""

    def __init__(self, values: Mapping[str, object], side: Side) -> None:
        self._values = values
        self.side = side

    def __getitem__(self, option: Option[T]) -> T:
        return cast(T, self._values.get(option.name, option.default))

    def given(self, option: Option[Any]) -> bool:
        return option.name in self._values


class OptionTable:
    """All rows, by lower-case name."""

    def __init__(self) -> None:
        self.rows: dict[str, Option[object]] = {}
        self.unused: dict[str, Side] = {}
        """Settings of Kafka's own clients that are understood and have no effect here."""
        self.refused: list[tuple[str, str, Side]] = []
        """Settings that would be misunderstood: what to do instead. ``*`` at the end stands for anything."""

    def option(
        self,
        name: str,
        type: ConfigType[T],
        *,
        default: T,
        doc: str,
        side: Side,
        idle_on: Side = NO_SIDE,
    ) -> Option[T]:
        row = Option(name, type, default=default, doc=doc, side=side, idle_on=idle_on)
        assert name.lower() not in self.rows, name
        self.rows[name.lower()] = cast("Option[object]", row)
        return row

    def ignore(self, side: Side, *names: str) -> None:
        """Settings of Kafka's clients that a query may keep."""
        for name in names:
            self.unused[KAFKA + name] = self.unused.get(KAFKA + name, NO_SIDE) | side

    def refuse(self, side: Side, name: str, instead: str) -> None:
        self.refused.append((name.lower(), instead, side))

    def parse(self, raw: Mapping[str, str], side: Side) -> Options:
        """Every name known and allowed on this side, every value of its type; or ``OptionError``."""
        values: dict[str, object] = {}
        for given, text in raw.items():
            row = self._row(given, side)
            if row is not None:
                values[row.name] = _parsed(row, text)
        return Options(values, side)

    def _row(self, given: str, side: Side) -> Option[object] | None:
        name = given.lower()
        row = self.rows.get(name)
        if row is not None:
            if side in row.side:
                return row
            if side in row.idle_on:
                log.warning("option %s has no effect on %s", row.name, side.words)
                return None
            raise OptionError(f"option {row.name} is for {row.side.words}; this is one of the {side.words}")
        for pattern, instead, sides in self.refused:
            if side in sides and _matches(pattern, name):
                raise OptionError(f"option {given} is not supported: {instead}")
        if side in self.unused.get(name, NO_SIDE):
            log.info("option %s has no effect: it is for Kafka's own client", given)
            return None
        raise OptionError(f"unknown option {given}{self._suggestion(name, side)}")

    def _suggestion(self, name: str, side: Side) -> str:
        rows = {key: row.name for key, row in self.rows.items() if side in row.side}
        # A setting of the client without its prefix is the commonest mistake of all.
        if KAFKA + name in rows or side in self.unused.get(KAFKA + name, NO_SIDE):
            return f"; did you mean {rows.get(KAFKA + name, KAFKA + name)}?"
        near = difflib.get_close_matches(name, rows, n=1, cutoff=0.6)
        if near:
            return f"; did you mean {rows[near[0]]}?"
        return f"; known for {side.words}: {', '.join(sorted(rows.values()))}"


def _matches(pattern: str, name: str) -> bool:
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def _parsed(row: Option[object], text: str) -> object:
    try:
        return row.type.parse(text)
    except BadValue as problem:
        shown = text if len(text) <= _SHOWN_VALUE else text[:_SHOWN_VALUE] + "…"
        raise OptionError(f"option {row.name}={shown}: {problem}") from None


class Checked(ConfigType[T]):
    """A type made of a function that parses or raises ``BadValue``, and of words for what it takes."""

    def __init__(self, parse: Callable[[str], T], allowed: str) -> None:
        self._parse = parse
        self._allowed = allowed

    def parse(self, text: str) -> T:
        try:
            return self._parse(text)
        except BadValue as problem:
            raise BadValue(
                f"{problem}; must be {self._allowed}" if str(problem) else f"must be {self._allowed}"
            ) from None

    @property
    def allowed(self) -> str:
        return self._allowed
