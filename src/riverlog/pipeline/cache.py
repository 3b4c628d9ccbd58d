"""Folders for what can be made again: the start script of Java, the home of Spark."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path


def cache_folders(environ: Mapping[str, str]) -> Iterator[Path]:
    """Where to try, best first; the last one can always be written."""
    if environ.get("XDG_CACHE_HOME"):
        yield Path(environ["XDG_CACHE_HOME"], "riverlog")
    if environ.get("HOME"):
        yield Path(environ["HOME"], ".cache", "riverlog")
    # A home that is read-only or missing, as in many containers. Only ours: others cannot write to it.
    yield Path(tempfile.mkdtemp(prefix="riverlog-cache-"))
