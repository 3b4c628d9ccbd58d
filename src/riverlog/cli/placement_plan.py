"""Where replicas should go: off brokers that are to be empty, and evenly over the rest, moving little.

Pure: ``reassign generate``, ``broker drain`` and ``balance`` look at its plans before they act on them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

TopicPartition = tuple[str, int]
Assignment = dict[TopicPartition, list[int]]


class CannotPlace(Exception):
    """Too few brokers for a partition's replicas."""


def plan(
    current: Mapping[TopicPartition, list[int]],
    brokers: Mapping[int, str | None],
    *,
    movable: Collection[TopicPartition] | None = None,
    balance: bool = True,
    closed: Collection[int] = (),
) -> Assignment:
    """New replicas for the partitions that should change, with the preferred leader first.

    ``brokers``: id → rack, those that may hold replicas; ``closed`` ones keep theirs and get no others.
    Only ``movable`` partitions change; all count.
    """
    new = {key: list(replicas) for key, replicas in current.items()}
    chosen = sorted(new if movable is None else set(movable) & set(new))
    for key in chosen:
        new[key] = _moved_off(key, new, brokers, closed)
    if balance:
        _even_replicas(new, brokers, chosen)
        _even_leaders(new, brokers, chosen)
    return {key: new[key] for key in chosen if new[key] != current[key]}


def _loads(assignment: Assignment, brokers: Mapping[int, str | None]) -> Counter[int]:
    counted = Counter(dict.fromkeys(brokers, 0))
    for replicas in assignment.values():
        counted.update(replica for replica in replicas if replica in brokers)
    return counted


def _moved_off(
    key: TopicPartition,
    assignment: Assignment,
    brokers: Mapping[int, str | None],
    closed: Collection[int],
) -> list[int]:
    """The partition's replicas with those that must go replaced, each in its place."""
    replicas = assignment[key]
    if all(replica in brokers for replica in replicas):
        return replicas
    loads = _loads(assignment, brokers)
    kept = {replica for replica in replicas if replica in brokers}
    result = []
    for replica in replicas:
        if replica in brokers:
            result.append(replica)
            continue
        racks = Counter(brokers[other] for other in kept)
        free = [broker for broker in brokers if broker not in kept and broker not in closed]
        if not free:
            topic, index = key
            able = len([broker for broker in brokers if broker not in closed])
            raise CannotPlace(
                f"partition {topic}-{index} has {len(replicas)} replicas, only {able} brokers remain"
            )
        best = min(free, key=lambda broker: (_shared(racks, brokers[broker]), loads[broker], broker))
        kept.add(best)
        loads[best] += 1
        result.append(best)
    return result


def _shared(racks: Counter[str | None], rack: str | None) -> int:
    """How many replicas are in that rack already; without racks all places are alike."""
    return 0 if rack is None else racks[rack]


def _even_replicas(
    assignment: Assignment, brokers: Mapping[int, str | None], movable: Collection[TopicPartition]
) -> None:
    """Move replicas from the fullest to the emptiest broker until they differ by one at most."""
    loads = _loads(assignment, brokers)
    for _ in range(sum(loads.values())):
        move = _best_move(assignment, brokers, movable, loads)
        if move is None:
            return
        key, source, target = move
        assignment[key] = [target if replica == source else replica for replica in assignment[key]]
        loads[source] -= 1
        loads[target] += 1


def _best_move(
    assignment: Assignment,
    brokers: Mapping[int, str | None],
    movable: Collection[TopicPartition],
    loads: Counter[int],
) -> tuple[TopicPartition, int, int] | None:
    by_load = sorted(brokers, key=lambda broker: (loads[broker], broker))
    for source in reversed(by_load):
        for target in by_load:
            if loads[source] - loads[target] < 2:
                break
            for key in movable:
                replicas = assignment[key]
                if (
                    source in replicas
                    and target not in replicas
                    and _keeps_racks(replicas, brokers, source, target)
                ):
                    return key, source, target
    return None


def _keeps_racks(replicas: list[int], brokers: Mapping[int, str | None], source: int, target: int) -> bool:
    racks = Counter(brokers.get(replica) for replica in replicas if replica != source)
    return _shared(racks, brokers[target]) <= _shared(racks, brokers[source])


def _even_leaders(
    assignment: Assignment, brokers: Mapping[int, str | None], movable: Collection[TopicPartition]
) -> None:
    """Let another replica come first where its broker has at least two preferred leaders fewer."""
    leaders = Counter(dict.fromkeys(brokers, 0))
    leaders.update(replicas[0] for replicas in assignment.values() if replicas and replicas[0] in brokers)
    for _ in range(len(assignment)):
        changed = False
        for key in movable:
            replicas = assignment[key]
            first = replicas[0]
            best = min(replicas, key=lambda broker: (leaders[broker], broker))
            if leaders[first] - leaders[best] >= 2:
                assignment[key] = [best, *(replica for replica in replicas if replica != best)]
                leaders[first] -= 1
                leaders[best] += 1
                changed = True
        if not changed:
            return
