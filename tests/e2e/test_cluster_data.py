"""Three real processes: data goes over all of them, groups work, commands tell the truth."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import Consumer
from e2ekit.clusters import status
from e2ekit.history import QUIET, History, create_topic, describe, wait_for_full_isr
from e2ekit.ledger import Ledger
from e2ekit.waiting import wait_until

from riverlog.testing import TestCluster, cluster

pytestmark = pytest.mark.usefixtures("ours")


@pytest.fixture(scope="module")
def three() -> Iterator[TestCluster]:
    """One cluster for the tests of this file, which leave it unharmed."""
    with cluster(3, links=False) as running:
        yield running


def riverlog(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "riverlog", *words], capture_output=True, text=True, timeout=60, check=False
    )


def test_partitions_are_spread_and_replicated(three: TestCluster) -> None:
    create_topic(three.bootstrap, "spread", partitions=6)
    partitions = describe(three.bootstrap, "spread").values()
    assert sorted({p.leader for p in partitions}) == [1, 2, 3]
    assert all(sorted(p.replicas) == [1, 2, 3] for p in partitions)


def test_what_is_acknowledged_is_read_back_once_and_in_order(three: TestCluster) -> None:
    create_topic(three.bootstrap, "orders")
    with History(three.bootstrap, "orders", 3) as history:
        history.wait_for(2_000)
        wait_until(lambda: history.seen > 500, 20, "the reader sees nothing")
    history.check()


@pytest.mark.parametrize("acks", [0, 1, -1])
def test_every_kind_of_acknowledgement_arrives(three: TestCluster, acks: int) -> None:
    topic = f"acks{acks}"
    create_topic(three.bootstrap, topic)
    ledger = Ledger(three.bootstrap, topic, 3, acks=acks, **QUIET)
    ledger.send(200)
    ledger.finish()
    wait_for_full_isr(three.bootstrap, topic)
    if acks:
        ledger.check(three.bootstrap)


def test_every_node_answers_for_the_cluster(three: TestCluster) -> None:
    create_topic(three.bootstrap, "known")
    for node_id in three.node_ids:
        view = status(three.node(node_id).bootstrap)
        assert sorted(view.brokers) == [1, 2, 3]
        assert view.voters == [1, 2, 3]
        assert view.controller_id in (1, 2, 3)
        assert ("known", 2) in view.replicas


def test_admin_requests_reach_the_controller_from_every_node(three: TestCluster) -> None:
    for node_id in three.node_ids:
        create_topic(three.node(node_id).bootstrap, f"made-through-{node_id}", partitions=1)
    for node_id in three.node_ids:
        name = f"made-through-{node_id}"
        assert riverlog("topic", "delete", name, "-b", three.node(node_id).bootstrap).returncode == 0


def test_a_group_reads_all_of_a_topic(three: TestCluster) -> None:
    create_topic(three.bootstrap, "shared", partitions=6)
    ledger = Ledger(three.bootstrap, "shared", 6, **QUIET)
    ledger.send(100)
    ledger.finish()
    members = [
        Consumer(
            {
                "bootstrap.servers": three.bootstrap,
                "group.id": "pair",
                "auto.offset.reset": "earliest",
                **QUIET,
            }
        )
        for _ in range(2)
    ]
    got: list[set[tuple[int, int]]] = [set(), set()]
    try:
        for member in members:
            member.subscribe(["shared"])

        def all_read() -> bool:
            for member, mine in zip(members, got, strict=True):
                for message in member.consume(500, timeout=0.1):
                    assert message.error() is None, message.error()
                    mine.add((message.partition(), message.offset()))
            return len(got[0] | got[1]) == 600

        wait_until(all_read, 60, "the group does not read everything")
    finally:
        for member in members:
            member.close()
    assert got[0] | got[1] == {(p, o) for p in range(6) for o in range(100)}


def test_cluster_status_shows_every_node(three: TestCluster) -> None:
    create_topic(three.bootstrap, "shown")
    wait_for_full_isr(three.bootstrap, "shown")
    shown = riverlog("cluster", "status", "-b", three.bootstrap)
    assert shown.returncode == 0, shown.stderr
    assert all(three.node(node_id).bootstrap in shown.stdout for node_id in three.node_ids)
    told = json.loads(riverlog("cluster", "status", "-b", three.bootstrap, "--json").stdout)
    assert [node["state"] for node in told["nodes"]] == ["up"] * 3
    assert sorted(node["quorum"] for node in told["nodes"]) == ["leader", "voter", "voter"]
    assert told["leaderless"] == []


def test_replicas_move_by_a_plan(three: TestCluster, tmp_path: Path) -> None:
    create_topic(three.bootstrap, "moved", partitions=2, replicas=1)
    ledger = Ledger(three.bootstrap, "moved", 2, **QUIET)
    ledger.send(200)
    ledger.finish()
    plan = tmp_path / "plan.json"
    before = describe(three.bootstrap, "moved")
    moves = [
        {"topic": "moved", "partition": index, "replicas": [before[index].replicas[0] % 3 + 1]}
        for index in (0, 1)
    ]
    plan.write_text(json.dumps({"version": 1, "partitions": moves}))
    executed = riverlog("reassign", "execute", str(plan), "-b", three.bootstrap)
    assert executed.returncode == 0, executed.stderr
    verified = riverlog("reassign", "verify", str(plan), "--wait", "30", "-b", three.bootstrap)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    after = describe(three.bootstrap, "moved")
    assert [after[index].replicas for index in (0, 1)] == [move["replicas"] for move in moves]
    ledger.check(three.bootstrap)


def test_broker_load_and_list_tell_of_every_broker(three: TestCluster) -> None:
    for words in (("broker", "list"), ("broker", "load")):
        told = riverlog(*words, "-b", three.bootstrap, "--json")
        assert told.returncode == 0, told.stderr
        assert [row["broker"] for row in json.loads(told.stdout)] == [1, 2, 3]


def test_balance_and_drain_plan_without_touching_anything(three: TestCluster) -> None:
    create_topic(three.bootstrap, "planned", partitions=2, replicas=2)
    before = status(three.bootstrap).replicas
    drained = riverlog("broker", "drain", "3", "--dry-run", "--json", "-b", three.bootstrap)
    if drained.returncode:  # topics of other tests have three replicas: two brokers cannot hold them
        assert "only 2 brokers remain" in drained.stderr
    assert riverlog("balance", "--dry-run", "-b", three.bootstrap).returncode == 0
    assert status(three.bootstrap).replicas == before
