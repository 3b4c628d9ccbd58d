"""Runs by name: ``storage-lives-7`` is that run and no other, here and in a failed test's report."""

from __future__ import annotations

import argparse
import logging
import random
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from riverlog.sim.checkers import Violation
from riverlog.sim.cluster_txn_workload import TxnRun
from riverlog.sim.cluster_workload import ClusterRun
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


def _cluster_lives(seed: int) -> str:
    return _cluster(ClusterRun(seed, sink=_sink))


def _cluster_faults(seed: int) -> str:
    return _cluster(ClusterRun(seed, faults=True, sink=_sink))


def _txn(seed: int) -> str:
    return _cluster(TxnRun(seed, sink=_sink))


def _cluster(run: ClusterRun) -> str:
    run.run()
    counts = ", ".join(f"{count} {what}" for what, count in sorted(run.counts.items()))
    return f"{run.lives} lives, {counts}, trace {run.trace.digest}"


_sink: Callable[[str], None] | None = None
"""Gets every line of a cluster run; set for a replay."""


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
    "cluster-lives": _cluster_lives,
    "cluster-faults": _cluster_faults,
    "txn": _txn,
}


def parse(name: str) -> tuple[str, int]:
    kind, _, seed = name.rpartition("-")
    if kind not in KINDS or not seed.isdecimal():
        raise UnknownRun(
            f"{name!r} names no run; expected one of {', '.join(KINDS)} and a number: node-lives-7"
        )
    return kind, int(seed)


def replay(name: str) -> str:
    """Run the named seed again; answers what happened. Raises ``Violation`` or ``UnknownRun``."""
    kind, seed = parse(name)
    return KINDS[kind](seed)


def attempt(name: str) -> tuple[str, bool, str]:
    """One run for a pool of processes: its name, whether it held, and what to print."""
    logging.getLogger("riverlog").setLevel(logging.CRITICAL)
    try:
        return name, True, replay(name)
    except Violation as error:
        return name, False, f"FAILED {error}"


def run_many(names: Sequence[str], *, jobs: int, tell: Callable[[str], None]) -> list[str]:
    """All of them, in so many processes; answers the names of those that failed."""
    failed: list[str] = []

    def done(name: str, held: bool, text: str) -> None:
        tell(f"{name}: {text}\n")
        if not held:
            failed.append(name)

    if jobs <= 1:
        for name in names:
            done(*attempt(name))
    else:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            for result in pool.map(attempt, names, chunksize=1):
                done(*result)
    return failed


def draw_names(kinds: Sequence[str], count: int) -> list[str]:
    """Fresh seeds, other ones at every call: so many over all these kinds."""
    draw = random.SystemRandom()
    return [f"{kinds[number % len(kinds)]}-{draw.randrange(1 << 32)}" for number in range(count)]


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m riverlog.sim --seeds N`` runs seeds of every kind; ``replay NAME`` one again."""
    global _sink  # noqa: PLW0603 - the one switch of a process that replays
    parser = argparse.ArgumentParser(
        prog="riverlog sim", description="seeded simulation of storage, broker and cluster"
    )
    parser.add_argument("--seeds", type=int, default=20, help="how many seeds of each kind")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--fresh", action="store_true", help="draw seeds instead of counting them")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument(
        "--kind", choices=list(KINDS), action="append", help="only this kind; may be repeated"
    )
    commands = parser.add_subparsers(dest="command")
    again = commands.add_parser("replay", help="run one seed again")
    again.add_argument("name")
    again.add_argument("--quiet", action="store_true", help="only the outcome, not what happened")
    options = parser.parse_args(arguments)
    logging.getLogger("riverlog").setLevel(logging.CRITICAL)
    if options.command == "replay":
        names = [options.name]
        if not options.quiet and options.name.startswith(("cluster-", "txn-")):
            _sink = _print
        try:
            parse(options.name)
        except UnknownRun as error:
            sys.stderr.write(f"{error}\n")
            return 2
    else:
        kinds = options.kind or list(KINDS)
        last = options.first + options.seeds
        names = (
            draw_names(kinds, options.seeds * len(kinds))
            if options.fresh
            else [f"{kind}-{seed}" for kind in kinds for seed in range(options.first, last)]
        )
    failed = run_many(names, jobs=options.jobs, tell=_print_text)
    if failed:
        sys.stdout.write(f"{len(failed)} of {len(names)} runs failed: {' '.join(failed)}\n")
    return 1 if failed else 0


def _print_text(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
