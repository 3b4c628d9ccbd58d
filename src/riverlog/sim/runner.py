"""Runs by name: ``storage-lives-7`` is that run and no other, here and in a failed test's report."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Sequence

from riverlog.sim.checkers import Violation
from riverlog.sim.cuts import cut_everywhere, record
from riverlog.sim.storage import StorageRun
from riverlog.sim.workload import NodeRun


class UnknownRun(ValueError):
    """The name is not one of a run; the message says what is."""


def _storage_lives(seed: int) -> str:
    run = StorageRun(seed)
    run.run()
    return f"{run.lives} lives, trace {run.trace.digest}"


def _storage_faults(seed: int) -> str:
    run = StorageRun(seed, faults=True)
    run.run()
    return f"{run.lives} lives, trace {run.trace.digest}"


def _storage_cuts(seed: int) -> str:
    run = record(seed)
    return f"{cut_everywhere(run)} cuts, trace {run.trace.digest}"


def _node_lives(seed: int) -> str:
    return _node(NodeRun(seed))


def _node_faults(seed: int) -> str:
    return _node(NodeRun(seed, faults=True))


def _node(run: NodeRun) -> str:
    run.run()
    counts = ", ".join(f"{count} {what}" for what, count in sorted(run.counts.items()))
    return f"{run.lives} lives, {counts}, trace {run.trace.digest}"


KINDS: dict[str, Callable[[int], str]] = {
    "storage-lives": _storage_lives,
    "storage-faults": _storage_faults,
    "storage-cuts": _storage_cuts,
    "node-lives": _node_lives,
    "node-faults": _node_faults,
}


def replay(name: str) -> str:
    """Run the named seed again; answers what happened. Raises ``Violation`` or ``UnknownRun``."""
    kind, _, seed = name.rpartition("-")
    if kind not in KINDS or not seed.isdecimal():
        raise UnknownRun(
            f"{name!r} names no run; expected one of {', '.join(KINDS)} and a number: node-lives-7"
        )
    return KINDS[kind](int(seed))


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m riverlog.sim --seeds N`` runs seeds of every kind; ``replay NAME`` one again."""
    parser = argparse.ArgumentParser(
        prog="riverlog sim", description="seeded simulation of storage and broker"
    )
    parser.add_argument("--seeds", type=int, default=20, help="how many seeds of each kind")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument(
        "--kind", choices=list(KINDS), action="append", help="only this kind; may be repeated"
    )
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("replay", help="run one seed again").add_argument("name")
    options = parser.parse_args(arguments)
    logging.getLogger("riverlog").setLevel(logging.CRITICAL)
    if options.command == "replay":
        names = [options.name]
    else:
        last = options.first + options.seeds
        names = [f"{kind}-{seed}" for kind in options.kind or KINDS for seed in range(options.first, last)]
    failed = 0
    for name in names:
        try:
            sys.stdout.write(f"{name}: {replay(name)}\n")
        except UnknownRun as error:
            sys.stderr.write(f"{error}\n")
            return 2
        except Violation as error:
            failed += 1
            sys.stdout.write(f"{name}: FAILED {error}\n")
        sys.stdout.flush()
    if failed:
        sys.stdout.write(f"{failed} of {len(names)} runs failed\n")
    return 1 if failed else 0
