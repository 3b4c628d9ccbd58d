"""Types of config values: how the text is parsed, checked and printed.

Text forms are Kafka's: numbers in decimal (surrounding blanks are dropped), ``true``/``false`` in any
case, lists separated by commas. ``code`` is the type number that DescribeConfigs reports.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import IntEnum
from typing import Generic, TypeVar

T = TypeVar("T")

INT_MAX = 2**31 - 1
LONG_MAX = 2**63 - 1
DOUBLE_MAX = 1.7976931348623157e308


class TypeCode(IntEnum):
    """The numbers of DescribeConfigs' ``config_type``."""

    UNKNOWN = 0
    BOOLEAN = 1
    STRING = 2
    INT = 3
    SHORT = 4
    LONG = 5
    DOUBLE = 6
    LIST = 7
    CLASS = 8
    PASSWORD = 9


class BadValue(Exception):
    """What is allowed instead, in words that complete ``name=value: …``."""


class ConfigType(Generic[T]):
    """One type with its bounds. Subclasses fill in ``parse`` and ``allowed``."""

    code = TypeCode.UNKNOWN
    sensitive = False

    def parse(self, text: str) -> T:
        """The value, or ``BadValue``."""
        raise AssertionError(f"{type(self).__name__} does not parse")

    def format(self, value: T) -> str | None:
        """The text that DescribeConfigs shows; ``None`` only for a missing value."""
        return str(value)

    @property
    def allowed(self) -> str:
        """The values it takes, for the reference page and messages."""
        raise AssertionError(f"{type(self).__name__} does not say what it allows")


_INTEGER = re.compile(r"[+-]?[0-9]{1,30}", re.ASCII)


class Int(ConfigType[int]):
    code = TypeCode.INT
    bits = 32

    def __init__(self, low: int | None = None, high: int | None = None, *, also: int | None = None) -> None:
        self.low = low
        self.high = high
        self.also = also

    def parse(self, text: str) -> int:
        text = text.strip()
        limit = 1 << (self.bits - 1)
        if not _INTEGER.fullmatch(text) or not -limit <= (value := int(text)) < limit:
            raise BadValue(f"must be a whole number of {self.bits} bits, {self.allowed}")
        if value != self.also and (
            (self.low is not None and value < self.low) or (self.high is not None and value > self.high)
        ):
            raise BadValue(f"must be {self.allowed}")
        return value

    @property
    def allowed(self) -> str:
        if self.low is not None and self.high is not None:
            text = f"between {self.low} and {self.high}"
        elif self.low is not None:
            text = f"at least {self.low}"
        elif self.high is not None:
            text = f"at most {self.high}"
        else:
            text = "any"
        return text if self.also is None else f"{text}, or {self.also}"


class Short(Int):
    code = TypeCode.SHORT
    bits = 16


class Long(Int):
    code = TypeCode.LONG
    bits = 64


_DOUBLE = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?[dDfF]?", re.ASCII)


class Double(ConfigType[float]):
    code = TypeCode.DOUBLE

    def __init__(self, low: float | None = None, high: float | None = None) -> None:
        self.low = low
        self.high = high

    def parse(self, text: str) -> float:
        text = text.strip()
        if len(text) > 400 or not _DOUBLE.fullmatch(text):
            raise BadValue(f"must be a number, {self.allowed}")
        value = float(text.rstrip("dDfF"))
        if (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            raise BadValue(f"must be {self.allowed}")
        return value

    def format(self, value: float) -> str:
        return format_double(value)

    @property
    def allowed(self) -> str:
        if self.low is not None and self.high is not None:
            return f"between {self.low:g} and {self.high:g}"
        return f"at least {self.low:g}" if self.low is not None else "any"


def format_double(value: float) -> str:
    """A double the way Java prints it: plain from 0.001 up to ten million, else ``d.dE±n``."""
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        text = f"{value:.17f}".rstrip("0") if "e" in repr(value) else repr(value)
        return text + "0" if text.endswith(".") else text
    if value in (float("inf"), float("-inf")) or value != value:
        return "NaN" if value != value else ("Infinity" if value > 0 else "-Infinity")
    sign, digits, exponent = ("-" if value < 0 else ""), *_decimal_parts(abs(value))
    return f"{sign}{digits[0]}.{digits[1:] or '0'}E{exponent}"


def _decimal_parts(value: float) -> tuple[str, int]:
    """Shortest digits and the exponent of the first of them."""
    mantissa, _, power = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    leading = len(whole) - 1 if whole.strip("0") else -(len(fraction) - len(fraction.lstrip("0")) + 1)
    return digits.rstrip("0") or "0", leading + int(power or 0)


class Bool(ConfigType[bool]):
    code = TypeCode.BOOLEAN

    def parse(self, text: str) -> bool:
        match text.strip().lower():
            case "true":
                return True
            case "false":
                return False
            case _:
                raise BadValue(f"must be {self.allowed}")

    def format(self, value: bool) -> str:
        return "true" if value else "false"

    @property
    def allowed(self) -> str:
        return "true or false"


class Str(ConfigType[str]):
    code = TypeCode.STRING

    def __init__(self, *choices: str, any_case: bool = False, non_empty: bool = False) -> None:
        self.choices = choices
        self.any_case = any_case
        self.non_empty = non_empty

    def parse(self, text: str) -> str:
        if self.choices:
            known = [c.lower() for c in self.choices] if self.any_case else list(self.choices)
            if (text.lower() if self.any_case else text) not in known:
                raise BadValue(f"must be {self.allowed}")
        elif self.non_empty and not text:
            raise BadValue("must not be empty")
        return text

    @property
    def allowed(self) -> str:
        if self.choices:
            return "one of " + ", ".join(self.choices)
        return "not empty" if self.non_empty else "any text"


class HostCounts(Str):
    """``host:count`` pairs, separated by commas."""

    def parse(self, text: str) -> str:
        for pair in filter(None, (part.strip() for part in text.split(","))):
            host, _, count = pair.rpartition(":")
            if not host or not _INTEGER.fullmatch(count) or not 0 <= int(count) <= INT_MAX:
                raise BadValue(f"must be {self.allowed}")
        return text

    @property
    def allowed(self) -> str:
        return "host:count pairs separated by commas"


class ClassName(Str):
    """A Java class: known by name so that a Kafka file is understood, never loaded."""

    code = TypeCode.CLASS


class Password(Str):
    code = TypeCode.PASSWORD
    sensitive = True


_COMMA = re.compile(r"\s*,\s*")


class List(ConfigType[tuple[str, ...]]):
    """Items separated by commas; the empty text is the empty list. Repeated items count once."""

    code = TypeCode.LIST

    def __init__(
        self,
        *choices: str,
        non_empty: bool = False,
        item: Callable[[str], bool] | None = None,
        item_form: str = "",
    ) -> None:
        self.choices = choices
        self.non_empty = non_empty
        self.item = item
        self.item_form = item_form

    def parse(self, text: str) -> tuple[str, ...]:
        text = text.strip()
        items = tuple(dict.fromkeys(_COMMA.split(text))) if text else ()
        if "" in items:
            raise BadValue("must not have empty items")
        if self.non_empty and not items:
            raise BadValue("must not be empty")
        for item in items:
            if (self.choices and item not in self.choices) or (self.item and not self.item(item)):
                raise BadValue(f"must be {self.allowed}")
        return items

    def format(self, value: tuple[str, ...]) -> str:
        return ",".join(value)

    @property
    def allowed(self) -> str:
        if self.choices:
            return "a list of " + ", ".join(self.choices)
        return f"a list of {self.item_form}" if self.item_form else "a list"


class Nullable(ConfigType[T | None]):
    """The same type where a missing value has a meaning of its own. Any text is parsed by ``inner``."""

    def __init__(self, inner: ConfigType[T]) -> None:
        self.inner = inner
        self.code = inner.code
        self.sensitive = inner.sensitive

    def parse(self, text: str) -> T | None:
        return self.inner.parse(text)

    def format(self, value: T | None) -> str | None:
        return None if value is None else self.inner.format(value)

    @property
    def allowed(self) -> str:
        return f"{self.inner.allowed}, or not set"
