"""The power cut after every single change of a recorded workload of the storage engine."""

from __future__ import annotations

import contextlib
from typing import cast

from riverlog.sim.checkers import LogModel, Violation
from riverlog.sim.clock import Scheduler
from riverlog.sim.disk import PowerCut
from riverlog.sim.media import Journal, Mark, Media
from riverlog.sim.rng import SimRng
from riverlog.sim.storage import (
    Policies,
    StorageNode,
    StorageRun,
    apply_note,
    check_node,
    replay_hint,
)
from riverlog.storage.names import TopicPartition


def record(seed: int, *, steps: int = 150, policies: Policies | None = None) -> StorageRun:
    """A run without power cuts whose every change is kept."""
    run = StorageRun(seed, journal=Journal(), policies=policies)
    run.run(steps)
    return run


def cut_everywhere(
    run: StorageRun, *, draws: int = 1, every: int = 1, deep_every: int = 7, policies: Policies | None = None
) -> int:
    """Cut the power after every change of a recorded run, recover, check; answers how many cuts."""
    assert run.journal is not None
    models: dict[TopicPartition, LogModel] = {}
    rng = run.rng.stream("everywhere")
    cuts = 0
    for number, op, media in run.journal.cuts():
        if isinstance(op, Mark):
            apply_note(models, *cast("tuple[TopicPartition, str, object]", op.note))
            continue
        if number % every:
            continue
        for draw in range(draws):
            cuts += 1
            survivor = media.power_loss(rng.stream(f"{number}-{draw}"))
            try:
                _recover_twice(
                    run,
                    survivor,
                    models,
                    rng.stream(f"r{number}-{draw}"),
                    deep=cuts % deep_every == 0,
                    policies=policies,
                )
            except Violation as error:
                raise Violation(
                    f"{error}\ncut after change {number} ({op!r:.200}), draw {draw}\n{replay_hint(run.name)}"
                ) from error
    return cuts


def _recover_twice(
    run: StorageRun,
    media: Media,
    models: dict[TopicPartition, LogModel],
    rng: SimRng,
    *,
    deep: bool,
    policies: Policies | None,
) -> None:
    """Recover and check; half the time the power goes again, in the middle of that or right after."""
    scheduler = Scheduler()
    kind = rng.choice(("plain", "plain", "during", "after"))
    if kind != "plain":
        cut_at = rng.random_int(1, 30) if kind == "during" else None
        node = StorageNode(
            media, scheduler, rng.stream("first"), run.config_of, policies=policies, cut_at=cut_at
        )
        with contextlib.suppress(PowerCut):
            node.open()
        node.kill()
        media = media.power_loss(rng)
    node = StorageNode(media, scheduler, rng.stream("last"), run.config_of, policies=policies)
    node.open()
    check_node(node, models, power_lost=True, deep=deep)
    node.kill()
