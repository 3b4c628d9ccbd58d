"""Starting is the moment when everything is written at once: the power may go at every change of it."""

from __future__ import annotations

import pytest

from riverlog.sim.disk import PowerCut, Setup
from riverlog.sim.media import Media
from riverlog.sim.rng import SimRng
from riverlog.sim.workload import NodeRun

pytestmark = pytest.mark.sim


def start_from(run: NodeRun, media: Media, cut_at: int | None = None) -> int:
    """Start, serve, die; answers how many changes that took. May raise ``PowerCut``."""
    run.node.media = media
    run.node.start(Setup(), cut_at=cut_at)
    served = run.scheduler.run_until(lambda: run.node.serving, seconds_max=60.0)
    assert served, "it did not serve"
    assert run.node.disk is not None
    changes = run.node.disk.op_count
    run.node.kill()
    return changes


def cut_every_change(run: NodeRun, media: Media, draws: int) -> None:
    copy = media.power_loss(SimRng(0))
    changes = start_from(run, copy)
    assert changes > 10
    for cut_at in range(1, changes + 1):
        for draw in range(draws):
            with pytest.raises(PowerCut):
                start_from(run, media.power_loss(SimRng(0)), cut_at)
            run.node.lose_power(SimRng(f"{cut_at}/{draw}"))
            start_from(run, run.node.media)


def test_first_start_may_be_cut_anywhere() -> None:
    cut_every_change(NodeRun(0), Media(), draws=3)


def test_start_after_a_clean_stop_may_be_cut_anywhere() -> None:
    run = NodeRun(0)
    run.node.start(Setup())
    assert run.scheduler.run_until(lambda: run.node.serving, seconds_max=60.0)
    run.node.stop()
    cut_every_change(run, run.node.media, draws=4)


def test_start_after_a_kill_may_be_cut_anywhere() -> None:
    run = NodeRun(0)
    run.node.start(Setup())
    assert run.scheduler.run_until(lambda: run.node.serving, seconds_max=60.0)
    run.node.lose_power(SimRng(1))
    cut_every_change(run, run.node.media, draws=3)
