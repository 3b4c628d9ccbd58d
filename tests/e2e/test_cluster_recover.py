"""``riverlog storage recover`` on real processes: two of three folders are gone, the third goes on."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest
from e2ekit.clusters import status
from e2ekit.history import QUIET, create_topic, describe, wait_for_full_isr
from e2ekit.ledger import Ledger
from e2ekit.waiting import wait_until

from riverlog.base.properties import parse_properties
from riverlog.client.errors import ClientError
from riverlog.testing import cluster

pytestmark = pytest.mark.usefixtures("ours")

SMALL = {"offsets.topic.num.partitions": 1, "broker.session.timeout.ms": 6000, "min.insync.replicas": 1}


def recover(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "riverlog", "storage", "recover", *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_survivor_of_a_wiped_majority_goes_on_and_the_others_join() -> None:
    with cluster(3, SMALL, links=False) as nodes:
        create_topic(nodes.bootstrap, "kept", partitions=3, replicas=3)
        ledger = Ledger(nodes.bootstrap, "kept", 3, **QUIET)
        ledger.send(200)
        ledger.finish()
        wait_for_full_isr(nodes.bootstrap, "kept")
        survivor = nodes.node(3)
        meta = parse_properties((survivor.data_dir / "meta.properties").read_text())
        command = ("--config", str(survivor.config_file), "--confirm", meta["cluster.id"])
        running = recover(*command)
        assert (running.returncode, "in use by another process" in running.stderr) == (1, True)
        for node_id in (1, 2, 3):
            nodes.kill(node_id)
        for node_id in (1, 2):
            shutil.rmtree(nodes.node(node_id).data_dir)

        done = recover(*command)
        assert done.returncode == 0, done.stderr
        assert "node 3 is the only voter" in done.stdout
        nodes.restart(3)
        alone = status(survivor.bootstrap)
        assert (alone.cluster_id, alone.voters) == (meta["cluster.id"], [3])
        wait_until(
            lambda: {one.leader for one in describe(survivor.bootstrap, "kept").values()} == {3},
            60,
            "the survivor does not lead what the others led",
        )
        ledger.check(survivor.bootstrap)

        for node_id in (1, 2):
            nodes.restart(node_id, wait=False)
        nodes.wait_until_ready()

        def joined() -> bool:
            try:
                return all(status(nodes.node(one).bootstrap).voters == [1, 2, 3] for one in (1, 2, 3))
            except ClientError:
                return False

        wait_until(joined, 60, "the wiped nodes do not vote")
        wait_for_full_isr(nodes.bootstrap, "kept")
        ledger.check(nodes.bootstrap)
