"""Asking again while leaders and coordinators move and brokers are away, up to a deadline."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from riverlog.base.errors import ErrorCode
from riverlog.client.errors import (
    BrokerRefused,
    BrokerUnreachable,
    ClientError,
    RequestTimedOut,
    describe_error,
    error_code,
)
from riverlog.pipeline.errors import ClusterError

T = TypeVar("T")

_PAUSE_SECONDS_MIN = 0.01
_PAUSE_SECONDS_MAX = 0.5


def persist(
    what: str, attempt: Callable[[], T], *, seconds: float, between: Callable[[ClientError], object]
) -> T:
    """What ``attempt`` answers, once it does; ``ClusterError`` when it is refused or time is over.

    ``between`` two tries the caller looks again where things are; that may fail as well.
    """
    deadline = time.monotonic() + seconds
    pause = _PAUSE_SECONDS_MIN
    trouble: ClientError | None = None
    while True:
        try:
            if trouble is not None:
                between(trouble)
            return attempt()
        except (BrokerUnreachable, RequestTimedOut) as problem:
            trouble = problem
        except BrokerRefused as problem:
            if not problem.code.retriable:
                raise ClusterError(f"{what}: {problem}") from None
            trouble = problem
        if time.monotonic() + pause >= deadline:
            raise ClusterError(f"{what}: not within {seconds:g} s: {trouble}")
        time.sleep(pause)
        pause = min(2 * pause, _PAUSE_SECONDS_MAX)


def nothing(trouble: ClientError) -> None:
    """``between`` of attempts that look by themselves where things are."""


def check(number: int, message: str | None = None) -> None:
    """``BrokerRefused`` for any error code but 0."""
    if number != ErrorCode.NONE:
        raise BrokerRefused(error_code(number), describe_error(number, message))
