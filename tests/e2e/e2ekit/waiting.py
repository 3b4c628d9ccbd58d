"""Waiting for an event with a deadline; nothing here waits for a fixed time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

_pause = threading.Event()  # never set: its wait is a short pause between two looks


def wait_until(happened: Callable[[], bool], seconds: float, what: str) -> float:
    """Look again and again until it happened; answers the seconds it took."""
    began = time.monotonic()
    while not happened():
        if time.monotonic() - began > seconds:
            raise AssertionError(f"not within {seconds:.0f} s: {what}")
        _pause.wait(0.01)
    return time.monotonic() - began
