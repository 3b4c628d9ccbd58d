"""Subscriptions by regular expression, evaluated by the broker (KIP-848) with RE2 as in Kafka.

RE2 takes time in proportion to the text, whatever the expression, and has no look-around and no back
references; what it does not take is refused when a member brings it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import re2


class Resolved(NamedTuple):
    """The topics that an expression matched at some time."""

    topics: frozenset[str]
    version: int
    """Of the metadata it was matched against."""
    timestamp_ms: int


def _options() -> Any:
    options = re2.Options()
    options.log_errors = False
    return options


_OPTIONS = _options()


@lru_cache(maxsize=1_024)
def _compile(regex: str) -> Any:
    """The compiled expression, or why it is none, as text."""
    try:
        return re2.compile(regex, _OPTIONS)
    except re2.error as error:
        reason = error.args[0] if error.args else str(error)
        return reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)


def invalid(regex: str) -> str | None:
    """Why an expression cannot be used; None if it can."""
    found = _compile(regex)
    return found if isinstance(found, str) else None


def matching(regex: str, topics: Iterable[str]) -> frozenset[str]:
    """The topics whose whole name the expression matches; none for an invalid one."""
    pattern = _compile(regex)
    if isinstance(pattern, str):
        return frozenset()
    fullmatch = pattern.fullmatch
    return frozenset(name for name in topics if fullmatch(name) is not None)
