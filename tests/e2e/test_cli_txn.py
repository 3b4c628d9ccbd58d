"""``riverlog txn``, ``produce --transactional-id`` and ``consume --isolation`` against a broker.

Verification is off on this broker: that is how a transaction that no coordinator knows gets into a log.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, Protocol

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic
from e2ekit.targets import TARGET, new_broker
from e2ekit.waiting import wait_until

from bench.brokers import Broker
from riverlog.cli import app
from riverlog.client import producer as ours
from riverlog.runtime.client_io import BlockingClient
from riverlog.testing import cluster

WAIT = 30.0
LONG_AGO = 1_700_000_000_000


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    settings = {"transaction.partition.verification.enable": "false"}
    broker = new_broker(tmp_path_factory.mktemp("txn"), settings)
    broker.start()
    yield broker
    broker.kill()


@pytest.fixture
def topic(running: Broker, request: pytest.FixtureRequest) -> str:
    """A topic of two partitions, of the test's own."""
    name = re.sub(r"\W+", "-", request.node.name)[:60].strip("-")
    admin = AdminClient({"bootstrap.servers": running.bootstrap})
    admin.create_topics([NewTopic(name, 2, 1)])[name].result(WAIT)
    return name


class Running(Protocol):
    """A broker or a cluster."""

    @property
    def bootstrap(self) -> str: ...


def run(running: Running, *arguments: str, code: int = 0) -> str:
    """Run a command in this process; answers what it printed (on stderr if it failed)."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        got = app.run([*arguments, "--bootstrap", running.bootstrap])
    assert got == code, err.getvalue()
    if code:
        assert err.getvalue().count("\n") == 1, "a mistake is one line"
    return err.getvalue() if code else out.getvalue()


def shown(running: Running, *arguments: str) -> Any:
    return json.loads(run(running, *arguments, "--json"))


def riverlog(running: Running, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """In a process of its own, for what reads standard input or prints bytes."""
    command = [sys.executable, "-m", "riverlog", *arguments, "--bootstrap", running.bootstrap]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=2 * WAIT, check=False)


def records(running: Running, topic: str, isolation: str = "read_committed") -> list[bytes]:
    done = riverlog(running, "consume", topic, "--exit-at-end", "--isolation", isolation)
    assert done.returncode == 0, done.stderr
    return sorted(done.stdout.splitlines())


def transactional(running: Running, transactional_id: str) -> Producer:
    producer = Producer({"bootstrap.servers": running.bootstrap, "transactional.id": transactional_id})
    producer.init_transactions(WAIT)
    return producer


def leave_open(running: Running, topic: str, producer_id: int, *values: bytes) -> None:
    """A transaction in partition 0 that no coordinator has heard of."""
    with BlockingClient(running.bootstrap) as client:
        client.topic(topic)
        ghost = ours.TransactionalProducer("ghost", producer_id, 0)
        machine = ours.Producer(client.view, ours.ProducerConfig(transaction=ghost))
        now_ms = int(time.monotonic() * 1000)
        for value in values:
            machine.append(topic, value=value, timestamp=LONG_AGO, partition=0, now_ms=now_ms)
        machine.flush()
        told: list[Any] = []
        while not machine.idle:
            told += client.step(machine)
    assert [type(effect) for effect in told] == [ours.Delivered], told


# ---------------------------------------------------------------- list, describe, producers


def test_list_filters_by_state_producer_age_and_name(running: Broker, topic: str) -> None:
    open_one, done_one = transactional(running, "list-open"), transactional(running, "list-done")
    for producer in (done_one, open_one):
        producer.begin_transaction()
        producer.produce(topic, "x", partition=0)
        assert producer.flush(WAIT) == 0
    done_one.commit_transaction(WAIT)
    try:
        rows = {row["transactional_id"]: row for row in shown(running, "txn", "list")}
        assert rows["list-open"]["state"] == "Ongoing"
        # The commit is answered before its markers are written.
        assert rows["list-done"]["state"] in ("PrepareCommit", "CompleteCommit")

        def names(*options: str) -> set[str]:
            found = {row["transactional_id"] for row in shown(running, "txn", "list", *options)}
            return found & {"list-open", "list-done"}

        assert names("--state", "ongoing") == {"list-open"}
        assert names("--producer-id", str(rows["list-done"]["producer_id"])) == {"list-done"}
        assert names("--matching", "list-d.*") == {"list-done"}
        assert names("--longer-than", "1h") == set()
        wait_until(lambda: names("--longer-than", "1ms") == {"list-open"}, WAIT, "an open transaction ages")
        table = run(running, "txn", "list", "--state", "Ongoing")
        assert "list-open" in table
        assert "list-done" not in table
    finally:
        open_one.abort_transaction(WAIT)


def test_describe_shows_partitions_until_the_end(running: Broker, topic: str) -> None:
    producer = transactional(running, "describe-me")
    producer.begin_transaction()
    for partition in (0, 1):
        producer.produce(topic, "x", partition=partition)
    assert producer.flush(WAIT) == 0
    view = shown(running, "txn", "describe", "describe-me")
    assert view["state"] == "Ongoing"
    assert view["timeout_ms"] == 60_000
    assert 0 <= view["age_ms"] < 60_000
    assert view["partitions"] == [{"topic": topic, "partition": index} for index in (0, 1)]
    assert f"{topic} " in run(running, "txn", "describe", "describe-me")
    producer.commit_transaction(WAIT)

    def ended() -> bool:
        return bool(shown(running, "txn", "describe", "describe-me")["state"] == "CompleteCommit")

    wait_until(ended, WAIT, "the markers are written")
    assert shown(running, "txn", "describe", "describe-me")["partitions"] == []


def test_an_unknown_id_is_told(running: Broker) -> None:
    assert "is not known" in run(running, "txn", "describe", "never-was", code=1)


def test_producers_shows_where_an_open_transaction_began(running: Broker, topic: str) -> None:
    producer = transactional(running, "began")
    producer.begin_transaction()
    producer.produce(topic, "x", partition=1)
    assert producer.flush(WAIT) == 0
    (row,) = shown(running, "txn", "producers", "--topic", topic, "--partition", "1")
    assert row["start_offset"] == 0
    producer.abort_transaction(WAIT)

    def closed() -> bool:
        (row,) = shown(running, "txn", "producers", "--topic", topic, "--partition", "1")
        return row["start_offset"] is None

    wait_until(closed, WAIT, "the marker is written")


# ---------------------------------------------------------------- transactions that hang


def test_a_hanging_transaction_is_found_aborted_and_gone(running: Broker, topic: str) -> None:
    leave_open(running, topic, 770_001, b"ghost-1", b"ghost-2")
    riverlog(running, "produce", topic, "--partition", "0", stdin=b"behind\n")
    assert records(running, topic) == [], "readers wait at the open transaction"
    (row,) = shown(running, "txn", "find-hanging", "--topic", topic)
    assert (row["producer_id"], row["start_offset"], row["transactional_id"]) == (770_001, 0, None)
    command = f"riverlog txn abort --topic {topic} --partition 0 --start-offset 0"
    assert command in run(running, "txn", "find-hanging", "--topic", topic)
    run(running, *command.split()[1:])
    wait_until(lambda: records(running, topic) == [b"behind"], WAIT, "readers go on")
    assert records(running, topic, "read_uncommitted") == [b"behind", b"ghost-1", b"ghost-2"]
    assert "no hanging" in run(running, "txn", "find-hanging", "--topic", topic, "--partition", "0")
    again = run(running, *command.split()[1:], code=1)
    assert "none is open there" in again


def test_abort_by_producer_and_epochs(running: Broker, topic: str) -> None:
    leave_open(running, topic, 770_002, b"ghost")
    which = ["--topic", topic, "--partition", "0", "--producer-id", "770002", "--coordinator-epoch", "-1"]
    run(running, "txn", "abort", *which, "--producer-epoch", "0")
    (row,) = shown(running, "txn", "producers", "--topic", topic, "--partition", "0")
    assert row["start_offset"] is None


def test_by_broker_and_only_what_is_overdue(running: Broker, topic: str) -> None:
    leave_open(running, topic, 770_003, b"ghost")
    node_id = running_node(running)
    found = shown(running, "txn", "find-hanging", "--broker", node_id)
    assert (topic, 770_003) in [(row["topic"], row["producer_id"]) for row in found]
    assert (
        shown(running, "txn", "find-hanging", "--topic", topic, "--max-transaction-timeout", "99999d") == []
    )
    run(running, "txn", "abort", "--topic", topic, "-p", "0", "--start-offset", "0")


def test_what_a_coordinator_has_does_not_hang(running: Broker, topic: str) -> None:
    producer = transactional(running, "slow")
    producer.begin_transaction()
    producer.produce(topic, "x", partition=0, timestamp=LONG_AGO)
    assert producer.flush(WAIT) == 0
    assert shown(running, "txn", "find-hanging", "--topic", topic) == []
    abort = ["txn", "abort", "--topic", topic, "--partition", "0", "--start-offset", "0"]
    refused = run(running, *abort, code=1)
    assert "does not hang" in refused
    assert "'slow'" in refused
    producer.commit_transaction(WAIT)
    wait_until(lambda: records(running, topic) == [b"x"], WAIT, "the commit holds")


def running_node(running: Broker) -> str:
    with BlockingClient(running.bootstrap) as client:
        return str(next(iter(client.refresh([]).brokers)))


@pytest.mark.skipif(TARGET != "riverlog", reason="a cluster of riverlog's")
def test_on_a_cluster_every_replica_knows_and_the_leader_aborts() -> None:
    with cluster(3, {"transaction.partition.verification.enable": False}, links=False) as three:
        admin = AdminClient({"bootstrap.servers": three.bootstrap})
        admin.create_topics([NewTopic("spread", 2, 3)])["spread"].result(WAIT)
        producers = [transactional(three, f"spread-{number}") for number in range(6)]
        for producer in producers:
            producer.begin_transaction()
            producer.produce("spread", "x", partition=1, timestamp=LONG_AGO)
            assert producer.flush(WAIT) == 0
        leave_open(three, "spread", 770_004, b"ghost")
        listed = shown(three, "txn", "list", "--state", "Ongoing")
        assert [row["transactional_id"] for row in listed] == [f"spread-{number}" for number in range(6)]
        for node_id in ("1", "2", "3"):

            def known(node_id: str = node_id) -> bool:
                found = shown(three, "txn", "find-hanging", "--broker", node_id)
                return [(row["partition"], row["producer_id"]) for row in found] == [(0, 770_004)]

            wait_until(known, WAIT, f"replica {node_id} has the open transaction")
        run(three, "txn", "abort", "--topic", "spread", "--partition", "0", "--start-offset", "0")
        for producer in producers:
            producer.commit_transaction(WAIT)
        wait_until(lambda: records(three, "spread") == [b"x"] * 6, WAIT, "readers go on")
        assert shown(three, "txn", "find-hanging", "--topic", "spread") == []


# ---------------------------------------------------------------- produce and log dump


def test_produce_with_a_transactional_id_commits_all_lines_at_the_end(running: Broker, topic: str) -> None:
    done = riverlog(running, "produce", topic, "--transactional-id", "import", stdin=b"a\nb\nc\n")
    assert done.returncode == 0, done.stderr
    wait_until(lambda: records(running, topic) == [b"a", b"b", b"c"], WAIT, "committed")
    assert shown(running, "txn", "describe", "import")["state"] == "CompleteCommit"
    done = riverlog(running, "produce", topic, "--transactional-id", "import", stdin=b"d\n")
    assert done.returncode == 0, "the id can be used again"
    wait_until(lambda: b"d" in records(running, topic), WAIT, "committed")


def test_a_bad_line_in_a_transaction_leaves_nothing(running: Broker, topic: str) -> None:
    lines = b'{"value": "good"}\nnonsense\n'
    done = riverlog(running, "produce", topic, "--json", "--transactional-id", "bad", stdin=lines)
    assert done.returncode == 1
    assert b"line 2" in done.stderr
    assert b"nothing is committed" in done.stderr
    assert records(running, topic) == []
    assert shown(running, "txn", "describe", "bad")["state"] in ("PrepareAbort", "CompleteAbort")


def test_log_dump_shows_markers(running: Broker, topic: str) -> None:
    for values, end in ((("a",), "commit"), (("b", "c"), "abort")):
        producer = transactional(running, "dumped")
        producer.begin_transaction()
        for value in values:
            producer.produce(topic, value, partition=0)
        assert producer.flush(WAIT) == 0
        getattr(producer, f"{end}_transaction")(WAIT)
    folder = running.folder / "data" / f"{topic}-0"

    def markers() -> list[tuple[int, str]]:
        done = riverlog_dump(str(folder / "00000000000000000000.log"))
        rows = [json.loads(line) for line in done.splitlines()]
        return [(row["offset"], row["control"]) for row in rows if "control" in row]

    wait_until(lambda: markers() == [(1, "COMMIT"), (4, "ABORT")], WAIT, "both markers are in the log")


def riverlog_dump(*arguments: str) -> bytes:
    command = [sys.executable, "-m", "riverlog", "log", "dump", *arguments, "--json"]
    return subprocess.run(command, capture_output=True, timeout=WAIT, check=True).stdout
