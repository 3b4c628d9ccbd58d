"""The processes of a Spark application on this machine: what there is to kill."""

from __future__ import annotations

from pathlib import Path


def children(pid: int) -> list[int]:
    """Direct children that are alive."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, task.read_text().split())
        except OSError:
            continue  # a thread that has just ended
    return found


def descendants(pid: int) -> list[int]:
    """All processes below this one, nearest first."""
    found = children(pid)
    for child in found:
        found += children(child)
    return found


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def python_workers(pid: int) -> list[int]:
    """Python processes that run tasks for the application whose driver this is: children of its daemons."""
    daemons = [below for below in descendants(pid) if "pyspark.daemon" in command(below)]
    return [worker for daemon in daemons for worker in children(daemon)]
