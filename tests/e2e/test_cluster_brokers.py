"""Emptying, removing and evening out brokers of a real cluster, by command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from e2ekit.clusters import status, wait_until_fenced
from e2ekit.history import QUIET, create_topic, describe
from e2ekit.ledger import Ledger
from e2ekit.waiting import wait_until

from riverlog.cli.reassign import plan_json
from riverlog.runtime.ports import free_ports
from riverlog.testing import cluster

pytestmark = pytest.mark.usefixtures("ours")

SMALL = {"offsets.topic.num.partitions": 1, "broker.session.timeout.ms": 6000}


def riverlog(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "riverlog", *words], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def refused(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "riverlog", *words], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 1, f"{words}: {done.stdout}{done.stderr}"
    return done.stderr


def states(bootstrap: str) -> list[str]:
    return [row["state"] for row in json.loads(riverlog("broker", "list", "--json", "-b", bootstrap))]


def settings(bootstrap: str, *whose: str) -> dict[str, str]:
    rows = json.loads(riverlog("config", "get", *whose, "--json", "-b", bootstrap))
    return {row["name"]: row["value"] for row in rows if "throttled" in row["name"]}


def test_a_broker_is_drained_stopped_and_removed_and_the_rest_evened_out() -> None:
    with cluster(4, SMALL, links=False) as nodes:
        create_topic(nodes.bootstrap, "kept", partitions=8, replicas=2)
        ledger = Ledger(nodes.bootstrap, "kept", 8, **QUIET)
        ledger.send(100)
        ledger.finish()
        ledger.check(nodes.bootstrap)  # its group makes the offsets topic, which is to be moved too
        assert "runs: stop it first" in refused("broker", "remove", "4", "-b", nodes.bootstrap)

        assert "kept-" in riverlog("broker", "drain", "4", "--dry-run", "-b", nodes.bootstrap)
        assert states(nodes.bootstrap) == ["up", "up", "up", "up"]
        assert "moved" in riverlog("broker", "drain", "4", "-b", nodes.bootstrap)
        assert states(nodes.bootstrap) == ["up", "up", "up", "cordoned"]
        assert status(nodes.bootstrap).brokers[4].replicas == 0
        create_topic(nodes.bootstrap, "later", partitions=8, replicas=2)
        assert status(nodes.bootstrap).brokers[4].replicas == 0  # it is not filled up again
        riverlog("balance", "-b", nodes.bootstrap)
        assert status(nodes.bootstrap).brokers[4].replicas == 0
        assert all(4 not in partition.replicas for partition in describe(nodes.bootstrap, "kept").values())
        ledger.check(nodes.bootstrap)

        nodes.stop_node(4)
        rest = ",".join(nodes.node(node_id).bootstrap for node_id in (1, 2, 3))
        wait_until_fenced(nodes, 4, 1)
        assert riverlog("broker", "remove", "4", "-b", rest) == "removed broker 4\n"
        wait_until(lambda: sorted(status(rest).brokers) == [1, 2, 3], 30, "broker 4 is still known")
        assert status(rest).voters == [1, 2, 3]

        riverlog("balance", "-b", rest)
        rows = status(rest).brokers.values()
        assert max(row.replicas for row in rows) - min(row.replicas for row in rows) <= 1
        ledger.check(rest)


def test_new_copies_of_a_topic_go_where_a_plan_says(tmp_path: Path) -> None:
    with cluster(3, SMALL, links=False) as nodes:
        create_topic(nodes.bootstrap, "grows", partitions=2, replicas=1)
        ledger = Ledger(nodes.bootstrap, "grows", 2, **QUIET)
        ledger.send(300)
        ledger.finish()
        plan = tmp_path / "plan.json"
        plan.write_text(json.dumps(plan_json({("grows", index): [1, 2, 3] for index in (0, 1)})))
        riverlog("reassign", "execute", str(plan), "-b", nodes.bootstrap)
        riverlog("reassign", "verify", str(plan), "--wait", "30", "-b", nodes.bootstrap)
        wait_until(
            lambda: all(len(p.isrs) == 3 for p in describe(nodes.bootstrap, "grows").values()),
            30,
            "the new replicas do not come in sync",
        )
        assert "nothing to cancel" in riverlog("reassign", "cancel", "-b", nodes.bootstrap)
        ledger.check(nodes.bootstrap)


def test_a_drain_that_is_undone_lets_the_broker_have_replicas_again() -> None:
    with cluster(3, SMALL, links=False) as nodes:
        create_topic(nodes.bootstrap, "wide", partitions=1, replicas=3)
        assert "only 2 brokers remain" in refused("broker", "drain", "3", "-b", nodes.bootstrap)
        assert states(nodes.bootstrap) == ["up", "up", "up"]  # what cannot be is not begun
        riverlog("topic", "delete", "wide", "-b", nodes.bootstrap)
        riverlog("broker", "drain", "3", "-b", nodes.bootstrap)
        create_topic(nodes.bootstrap, "before", partitions=6, replicas=1)
        assert status(nodes.bootstrap).brokers[3].replicas == 0
        assert "takes new replicas" in riverlog("broker", "drain", "3", "--undo", "-b", nodes.bootstrap)
        assert states(nodes.bootstrap) == ["up", "up", "up"]
        create_topic(nodes.bootstrap, "after", partitions=6, replicas=1)
        assert status(nodes.bootstrap).brokers[3].replicas == 2


def test_a_throttled_move_is_cancelled_and_one_that_is_done_loses_its_throttle(tmp_path: Path) -> None:
    with cluster(3, {**SMALL, "replica.fetch.max.bytes": 2_000}, links=False) as nodes:
        create_topic(nodes.bootstrap, "moves", partitions=1, replicas=2)
        before = describe(nodes.bootstrap, "moves")[0].replicas
        (third,) = {1, 2, 3} - set(before)
        ledger = Ledger(nodes.bootstrap, "moves", 1, **QUIET, **{"batch.num.messages": 50})
        ledger.send(4000)
        ledger.finish()
        plan = tmp_path / "plan.json"
        plan.write_text(json.dumps(plan_json({("moves", 0): [before[0], third]})))

        riverlog("reassign", "execute", str(plan), "--throttle", "500", "-b", nodes.bootstrap)
        leaders = ",".join(f"0:{broker}" for broker in sorted(before))
        assert settings(nodes.bootstrap, "--topic", "moves") == {
            "leader.replication.throttled.replicas": leaders,
            "follower.replication.throttled.replicas": f"0:{third}",
        }
        rate = {"leader.replication.throttled.rate": "500", "follower.replication.throttled.rate": "500"}
        assert settings(nodes.bootstrap, "--broker", str(third)) == rate
        assert "not done" in refused("reassign", "verify", str(plan), "--wait", "1", "-b", nodes.bootstrap)
        assert settings(nodes.bootstrap, "--broker", str(third)) == rate  # it still moves
        assert third in describe(nodes.bootstrap, "moves")[0].replicas

        assert "cancelled 1" in riverlog("reassign", "cancel", str(plan), "-b", nodes.bootstrap)
        assert "no reassignment" in riverlog("reassign", "verify", "-b", nodes.bootstrap)
        wait_until(
            lambda: sorted(describe(nodes.bootstrap, "moves")[0].replicas) == sorted(before),
            10,
            "the old replicas are not back",
        )
        assert settings(nodes.bootstrap, "--topic", "moves") == {}
        assert settings(nodes.bootstrap, "--broker", str(third)) == {}

        riverlog("reassign", "execute", str(plan), "--throttle", "100000000", "-b", nodes.bootstrap)
        done = riverlog("reassign", "verify", str(plan), "--wait", "60", "-b", nodes.bootstrap)
        assert "removed the throttle" in done
        assert settings(nodes.bootstrap, "--topic", "moves") == {}
        assert all(settings(nodes.bootstrap, "--broker", str(one)) == {} for one in (1, 2, 3))
        assert describe(nodes.bootstrap, "moves")[0].replicas == [before[0], third]
        ledger.check(nodes.bootstrap)


def test_a_controller_joins_by_itself_and_is_removed_once_it_is_stopped(tmp_path: Path) -> None:
    with cluster(3, SMALL, links=False) as nodes:
        (port,) = free_ports(1)
        config = tmp_path / "controller.properties"
        config.write_text(
            f"process.roles=controller\nnode.id=4\nlisteners=CONTROLLER://127.0.0.1:{port}\n"
            f"controller.listener.names=CONTROLLER\nlog.dirs={tmp_path}/data\n"
            f"controller.quorum.bootstrap.servers={nodes.plan.controllers}\n"
        )
        words = [sys.executable, "-m", "riverlog", "start", "--config", str(config)]
        with (tmp_path / "log").open("wb") as log:
            controller = subprocess.Popen(words, stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_until(
                lambda: status(nodes.bootstrap).voters == [1, 2, 3, 4], 60, "the controller does not vote"
            )
            controller.terminate()
            assert controller.wait(30) == 0, (tmp_path / "log").read_text()
        finally:
            controller.kill()
            controller.wait()
        assert "removed controller 4" in riverlog("broker", "remove", "4", "-b", nodes.bootstrap)
        assert status(nodes.bootstrap).voters == [1, 2, 3]
        assert "there is no broker 4" in refused("broker", "remove", "4", "-b", nodes.bootstrap)
