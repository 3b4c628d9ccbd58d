"""Where things lie, and how a missing tool is reported."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CACHE = ROOT / ".cache"


class Unavailable(Exception):
    """An outside tool cannot be had here; the text is the reason of the skip."""


def say(text: str) -> None:
    """Progress of slow steps, past pytest's capture."""
    print(f"conformance: {text}", file=sys.__stderr__, flush=True)
