"""Three nodes under seeded clients, kills, power cuts, partitions, pauses and failing disks."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from conftest import seed_count
from seed_runs import run_all

from riverlog.sim.cluster_workload import SECONDS, ClusterRun
from riverlog.sim.runner import draw_names

pytestmark = pytest.mark.sim

KINDS = ("cluster-lives", "cluster-faults")
FRESH = int(os.environ.get("RIVERLOG_SIM_CLUSTER_SEEDS", "100"))
SOAK = 3000

PINNED = [
    "cluster-lives-1",  # a follower with an empty epoch of its own never rejoined
    "cluster-lives-3",  # a refused commit could not be failed
    "cluster-lives-8",  # a follower refused a batch above its segment.bytes
    "cluster-lives-37",  # a retry older than the producer snapshot was out of order
    "cluster-lives-110",
    "cluster-lives-303",
    "cluster-lives-1372150445",  # the checker took a retry in the next epoch for what was cut
    "cluster-lives-1263827716",  # a request to a leader that lost power was waited for for 30 s
    "cluster-lives-7000444",  # a node paused past the fsync time-out took its folder offline when it woke
    "cluster-faults-0",
    "cluster-faults-201",
    "cluster-faults-219",
    "cluster-faults-308",
    "cluster-faults-314",
    "cluster-faults-518",  # a batch overtook one of its producer that had been refused
    "cluster-faults-2000018",  # the checker did not know of a last replica that was emptied
    "cluster-lives-6",  # an answer under way told of what the power cut had lost
    "cluster-faults-410014",  # a producer with a new id pipelined before the partition knew it
    "cluster-lives-740006",  # a coordinator that was deposed and cut off answered with old offsets
    "cluster-lives-32",  # a batch too large for a segment was overtaken by the next
    "cluster-lives-1070068",  # a follower got no emptied batches and lost a producer's last sequence
    "cluster-lives-740047",  # retention was faster than the audit
    "cluster-faults-630093",  # a deposed controller still saw a deleted topic
    "cluster-faults-740059",  # a bit past the recovery point: to a node that lost power it is torn
    "cluster-faults-520022",  # a damaged replica was cut by an old image that had it out of the in-sync set
    "cluster-faults-3134690294",  # a damaged replica led again after healing, and nobody stopped it
    "cluster-faults-1124333765",  # a late change of a setting came for the next topic of that name
    "cluster-faults-4219861905",  # zeros from a failed disk made a follower start over at 0
    "cluster-lives-1523291126",  # half of a node's connection to itself outlived it
    "cluster-lives-265932973",  # the broker that was asked was behind the one that acknowledged
    "cluster-faults-3697888769",  # a new replica of a compacted topic took a retry for out of order
    "cluster-faults-3671191057",  # the same, where the compacting node had only a snapshot of its producers
]
"""Seeds that once found a bug."""


@pytest.mark.timeout(900)
def test_fresh_seeds_break_no_promise(capsys: pytest.CaptureFixture[str]) -> None:
    run_all(draw_names(KINDS, seed_count(FRESH)), capsys)


@pytest.mark.timeout(600)
def test_pinned_seeds_break_no_promise(capsys: pytest.CaptureFixture[str]) -> None:
    run_all(PINNED, capsys)


@pytest.mark.soak
@pytest.mark.timeout(6 * 3600)
def test_three_thousand_seeds(capsys: pytest.CaptureFixture[str]) -> None:
    run_all(draw_names(KINDS, SOAK), capsys, record="cluster-seeds.txt")


RARE = (
    "acknowledged after a retry",
    "offsets committed",
    "topics deleted",
    "audited",
    "compacted logs",
    "time queries",
    "bits flipped",
)
"""Not in every seed, but in some of a dozen."""


def test_workload_does_what_it_is_for() -> None:
    totals: dict[str, int] = {}
    for seed in range(12):
        run = ClusterRun(seed, faults=True)
        run.run()
        # The 30 seconds before all is healed: afterwards nothing new is begun.
        assert run.requests_in_trouble >= 30 * SECONDS
        assert run.counts["faults"] >= 5
        for what, count in run.counts.items():
            totals[what] = totals.get(what, 0) + count
        if seed >= 2 and all(what in totals for what in RARE):
            break
    assert totals["acknowledged"] > 500
    assert totals["read"] > 500
    for what in RARE:
        assert totals.get(what, 0) > 0, what


def test_one_seed_gives_one_trace_in_every_process() -> None:
    """Hashes of strings differ from process to process; nothing may follow their order."""

    def output(hash_seed: int) -> str:
        command = [sys.executable, "-m", "riverlog.sim", "replay", "--quiet", "cluster-faults-1"]
        environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    first = output(1)
    assert "trace" in first
    assert first == output(2)


def test_replay_prints_what_happened() -> None:
    command = [sys.executable, "-m", "riverlog.sim", "replay", "cluster-lives-1"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert any("n1 → n2  vote" in line or "n2 → n1  vote" in line for line in lines)
    assert any("produce v" in line for line in lines)
    assert any(" ready n1" in line for line in lines)
