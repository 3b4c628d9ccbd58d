"""Cycles among transactions that append to lists and read them, after Adya and Elle.

A partition is a list. Edges from one committed transaction to another: ``ww`` (its record comes next in a
list), ``wr`` (the other read a record of it), ``rw`` (it read a list up to where the other appended next).

Kafka's model forbids G1a (aborted reads) and reads with gaps (a later record of a transaction without an
earlier one of the same list), which ``History`` checks as they happen, and cycles of ``wr`` alone
(information that flows in a circle). It allows the rest, and they are only counted: an offset is given when
a record is sent, long before its transaction ends, and nothing locks a partition, so two producers' records
may lie in one order here and in the other there (G0, and G1c once ``ww`` takes part); the first records of a
transaction are read while the others are behind another one that is open (G1b); reads are not part of what
commits (G-single, G2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from riverlog.sim.checkers import require
from riverlog.sim.cluster_txn_history import Attempt, History

Edges = dict[int, dict[int, None]]


@dataclass(slots=True)
class Graph:
    """Numbers of attempts, and what leads from one to the next."""

    ww: Edges = field(default_factory=dict)
    wr: Edges = field(default_factory=dict)
    rw: Edges = field(default_factory=dict)

    def cycles(self, *kinds: str) -> list[list[int]]:
        """What is connected to itself by edges of these kinds."""
        merged: Edges = {}
        for kind in kinds:
            edges: Edges = getattr(self, kind)
            for source, targets in edges.items():
                merged.setdefault(source, {}).update(targets)
        return components(merged)

    def count(self) -> dict[str, int]:
        """The anomalies that are allowed, by name."""
        g0 = len(self.cycles("ww"))
        g1c = len(self.cycles("ww", "wr"))
        g2 = len(self.cycles("ww", "wr", "rw"))
        return {"G0": g0, "G1c": g1c, "G2": g2}


def build(history: History) -> Graph:
    """Of those that were committed, as far as anybody can tell."""
    graph = Graph()
    follows: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for place, view in sorted(history.views.items()):
        line = [(offset, history.by_record[record].number) for offset, record in view.in_order()]
        follows[place] = line
        for (_, one), (_, other) in pairwise(line):
            _add(graph.ww, one, other)
    for attempt in history.attempts:
        if history.is_visible(attempt):
            _add_reads(graph, history, attempt, follows)
    return graph


def _add_reads(
    graph: Graph,
    history: History,
    attempt: Attempt,
    lists: Mapping[tuple[str, int], list[tuple[int, int]]],
) -> None:
    for read in attempt.reads:
        for record in read.records:
            _add(graph.wr, history.by_record[record].number, attempt.number)
        later = next((number for offset, number in lists[read.place] if offset >= read.end), None)
        if later is not None:
            _add(graph.rw, attempt.number, later)


def _add(edges: Edges, source: int, target: int) -> None:
    if source != target:
        edges.setdefault(source, {})[target] = None


def check(history: History) -> dict[str, int]:
    """Raises ``Violation`` for what Kafka's model forbids; answers how often what it allows was there."""
    graph = build(history)
    for cycle in graph.cycles("wr"):
        names = "; ".join(str(history.attempts[number - 1]) for number in cycle)
        require(False, f"information flows in a circle: {names}")
    return graph.count()


def components(edges: Mapping[int, Iterable[int]]) -> list[list[int]]:
    """Strongly connected ones of more than one member (Tarjan, without recursion)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: dict[int, None] = {}
    found: list[list[int]] = []
    for root in sorted(edges):
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack[root] = None
        work = [(root, iter(sorted(edges.get(root, ()))))]
        while work:
            node, targets = work[-1]
            target = next(targets, None)
            if target is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = stack.index(node)
                    members, stack[at:] = stack[at:], []
                    for member in members:
                        del on_stack[member]
                    if len(members) > 1:
                        found.append(sorted(members))
            elif target not in index:
                index[target] = low[target] = len(index)
                stack.append(target)
                on_stack[target] = None
                work.append((target, iter(sorted(edges.get(target, ())))))
            elif target in on_stack:
                low[node] = min(low[node], index[target])
    return found
