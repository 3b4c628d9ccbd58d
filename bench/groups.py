"""Figures of group coordination: many groups that heartbeat, one large rebalance, the first join.

Programs for ``bench.client``, run by ``scenarios``; ``topic`` must exist.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from bench.brokers import cpu_seconds, rss_bytes
from bench.group_members import (
    KINDS,
    ClassicMember,
    Crowd,
    CrowdFailed,
    Member,
    crowd,
    find_coordinator,
    room_for,
)

_JOIN_SECONDS_MAX = 90.0
_ANSWER_SECONDS_MAX = 30.0

Params = dict[str, Any]


def first_join(params: Params) -> dict[str, float]:
    """Milliseconds from the first FindCoordinator, which creates the groups' topic, to the end of a join."""
    with crowd(params["bootstrap"]) as found:
        line = found.connect()
        member = ClassicMember(found, "first", params["topic"])
        began = time.perf_counter()
        find_coordinator(found, line, "first", member.join)
        found.run_until(lambda: member.stable_at > 0, _ANSWER_SECONDS_MAX, "the first join")
        return {"first_join_ms": (member.stable_at - began) * 1000}


def heartbeats(params: Params) -> dict[str, float]:
    """Groups of one protocol, all stable, every member at the pace of a client; latencies of the answers."""
    groups, each, seconds = params["groups"], params["members"], params["seconds"]
    if not room_for(groups * each):
        raise CrowdFailed(f"{groups * each} connections are more than `ulimit -Hn` allows")
    with crowd(params["bootstrap"]) as found:
        kind = KINDS[params["protocol"]]
        named = [f"{params['protocol']}-{number}" for number in range(groups)]
        _coordinated(found, named[0])
        began = time.perf_counter()
        members = [kind(found, group_id, params["topic"]) for group_id in named for _ in range(each)]
        interval = params.get("interval_seconds", kind.interval_seconds)
        for member in members:
            member.interval_seconds = interval
            member.join()
        found.run_until_joined(_JOIN_SECONDS_MAX)
        joined_seconds = time.perf_counter() - began
        _beat(found, members, 2 * interval)  # groups of the new protocol settle meanwhile
        for member in members:
            member.samples.clear()
        cpu, began = cpu_seconds(params["pid"]), time.perf_counter()
        _beat(found, members, seconds)
        cpu, took = cpu_seconds(params["pid"]) - cpu, time.perf_counter() - began
        samples = sorted(sample * 1000 for member in members for sample in member.samples)
        at = lambda part: samples[min(len(samples) - 1, int(len(samples) * part))]  # noqa: E731
        return {
            "join_seconds": joined_seconds,
            "beats": float(len(samples)),
            "p50_ms": at(0.5),
            "p99_ms": at(0.99),
            "max_ms": samples[-1],
            "cpu_percent": cpu / took * 100,
            "rss_mb": rss_bytes(params["pid"]) / 1e6,
            "assigned": float(sum(member.assigned for member in members)),
        }


def rebalance(params: Params) -> dict[str, float]:
    """Seconds from the last JoinGroup of a group that rebalances to the last answer to a SyncGroup."""
    if not room_for(params["members"]):
        raise CrowdFailed(f"{params['members']} connections are more than `ulimit -Hn` allows")
    with crowd(params["bootstrap"]) as found:
        _coordinated(found, "large")
        members = [ClassicMember(found, "large", params["topic"]) for _ in range(params["members"])]
        for member in members:
            member.join()
        found.run_until_joined(_JOIN_SECONDS_MAX)
        worst = 0.0
        generation = members[0].generation
        for _ in range(params["times"]):
            for member in members:  # each says something new, so that the first one already starts it
                member.join()
            found.run_until_joined(_JOIN_SECONDS_MAX)
            seen = {member.generation for member in members}
            if seen != {generation + 1} or any(member.assigned != 1 for member in members):
                raise CrowdFailed(f"members are in generations {sorted(seen)} after {generation}")
            generation += 1
            last = max(member.stable_at for member in members)
            worst = max(worst, last - max(member.joined_at for member in members))
        return {"rebalance_seconds": worst}


def _coordinated(found: Crowd, group_id: str) -> None:
    done: list[bool] = []
    find_coordinator(found, found.connect(), group_id, lambda: done.append(True))
    found.run_until(lambda: bool(done), _ANSWER_SECONDS_MAX, "a coordinator")


def _beat(found: Crowd, members: Sequence[Member], seconds: float) -> None:
    """Spread evenly over the interval, as they are when clients started at different times."""
    start = time.perf_counter() + 0.05
    for number, member in enumerate(members):
        begin = start + member.interval_seconds * number / len(members)
        member.beat_from(begin, max(start + seconds, begin + 0.001))
    waiting = list(members)

    def done() -> bool:
        while waiting and not waiting[-1].beats_due:
            waiting.pop()
        return not waiting

    found.run_until(done, seconds + _ANSWER_SECONDS_MAX, "answers to heartbeats")


PROGRAMS: dict[str, Callable[[Params], dict[str, float]]] = {
    "first-join": first_join,
    "heartbeats": heartbeats,
    "rebalance": rebalance,
}
