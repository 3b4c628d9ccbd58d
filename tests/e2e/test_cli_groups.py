"""``riverlog group``, ``config``, ``quota`` and ``api-versions`` against a broker."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, Producer

from riverlog.cli import app
from riverlog.testing import TestBroker, broker

TOPIC, GROUP = "orders", "billing"


@pytest.fixture(scope="module")
def running() -> Iterator[TestBroker]:
    with broker({"num.partitions": 2}) as b:
        producer = Producer({"bootstrap.servers": b.bootstrap})
        for number in range(100):
            producer.produce(TOPIC, str(number), partition=number % 2, timestamp=1_700_000_000_000 + number)
        assert producer.flush(30) == 0
        yield b


@pytest.fixture(scope="module")
def group(running: TestBroker) -> str:
    """A group without members that has read 10 records of partition 0 and 20 of partition 1."""
    run(running, "group", "reset", GROUP, "--topic", f"{TOPIC}:0", "--to", "10", "--execute")
    run(running, "group", "reset", GROUP, "--topic", f"{TOPIC}:1", "--to", "20", "--execute")
    return GROUP


def run(running: TestBroker, *arguments: str, code: int = 0) -> str:
    """Run a command in this process; answers what it printed (on stderr if it failed)."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        got = app.run([*arguments, "--bootstrap", running.bootstrap])
    assert got == code, err.getvalue()
    return err.getvalue() if code else out.getvalue()


def shown(running: TestBroker, *arguments: str) -> Any:
    return json.loads(run(running, *arguments, "--json"))


def committed(running: TestBroker) -> dict[int, int]:
    return {row["partition"]: row["committed"] for row in shown(running, "group", "lag", GROUP)}


def test_lag_is_the_distance_to_the_end(running: TestBroker, group: str) -> None:
    rows = shown(running, "group", "lag", group)
    assert [(row["partition"], row["committed"], row["end"], row["lag"]) for row in rows] == [
        (0, 10, 50, 40),
        (1, 20, 50, 30),
    ]
    totals = shown(running, "group", "lag")
    assert {"group": group, "state": "Empty", "lag": 70} in totals


def test_list_and_describe(running: TestBroker, group: str) -> None:
    assert group in [row["group"] for row in shown(running, "group", "list")]
    view = shown(running, "group", "describe", group)
    assert (view["state"], view["members"]) == ("Empty", [])
    assert "Empty" in run(running, "group", "describe", group)


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_describe_shows_members_and_reset_waits_for_them_to_go(running: TestBroker, protocol: str) -> None:
    name = f"live-{protocol}"
    settings = {"bootstrap.servers": running.bootstrap, "group.id": name, "auto.offset.reset": "earliest"}
    consumer = Consumer({**settings, "group.protocol": protocol})
    consumer.subscribe([TOPIC])
    try:
        assert consumer.poll(30) is not None
        view = shown(running, "group", "describe", name)
        assert view["type"] == protocol
        assert [member["partitions"] for member in view["members"]] == [[f"{TOPIC}-0", f"{TOPIC}-1"]]
        refused = run(
            running, "group", "reset", name, "--topic", TOPIC, "--to", "latest", "--execute", code=1
        )
        assert "stop its consumers" in refused
        assert "NON_EMPTY_GROUP" in run(running, "group", "delete", name, code=1).upper().replace(" ", "_")
    finally:
        consumer.close()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--topic", TOPIC, "--to", "earliest"], {0: 0, 1: 0}),
        (["--topic", TOPIC, "--to", "latest"], {0: 50, 1: 50}),
        (["--topic", TOPIC, "--to", "7"], {0: 7, 1: 7}),
        (["--topic", TOPIC, "--to", "9999"], {0: 50, 1: 50}),
        (["--all-topics", "--by", "-5"], {0: 5, 1: 15}),
        (["--all-topics", "--by", "3"], {0: 13, 1: 23}),
        (["--topic", TOPIC, "--to", "2023-11-14T22:13:20.050Z"], {0: 25, 1: 25}),
        (["--topic", TOPIC, "--to", "PT1H"], {0: 50, 1: 50}),
        (["--topic", f"{TOPIC}:1", "--to", "0"], {0: 10, 1: 0}),
    ],
)
def test_reset_moves_offsets(
    running: TestBroker, group: str, arguments: list[str], expected: dict[int, int]
) -> None:
    before = committed(running)
    run(running, "group", "reset", group, *arguments)
    assert committed(running) == before, "without --execute nothing changes"
    try:
        run(running, "group", "reset", group, *arguments, "--execute")
        assert committed(running) == expected
    finally:
        for partition, offset in before.items():
            place = f"{TOPIC}:{partition}"
            run(running, "group", "reset", group, "--topic", place, "--to", str(offset), "--execute")


def test_reset_from_a_file(running: TestBroker, tmp_path: Path) -> None:
    file = tmp_path / "offsets.csv"
    file.write_text(f"{TOPIC},0,3\n{TOPIC},1,4\n")
    result = shown(running, "group", "reset", "from-file", "--from-file", str(file), "--execute")
    assert [row["after"] for row in result["offsets"]] == [3, 4]
    file.write_text("nonsense\n")
    assert "line 1" in run(running, "group", "reset", "from-file", "--from-file", str(file), code=1)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["group", "reset", GROUP, "--topic", TOPIC], 2, "exactly one of"),
        (["group", "reset", GROUP, "--to", "latest"], 2, "--topic NAME"),
        (["group", "reset", GROUP, "--topic", TOPIC, "--to", "soonish"], 2, "soonish"),
        (["group", "reset", GROUP, "--topic", f"{TOPIC}:9", "--to", "0"], 1, "no partition 9"),
        (["group", "delete", "never-was"], 1, "never-was"),
        (["config", "get"], 2, "exactly one of"),
        (["config", "set", "--topic", TOPIC, "retention.ms=soon"], 1, "retention.ms"),
        (["config", "get", "--broker", "77"], 1, "no broker 77"),
        (["quota", "set", "producer_byte_rate=1"], 2, "--user"),
        (["quota", "set", "--client", "x", "producer_byte_rate=much"], 2, "not a number"),
    ],
)
def test_mistakes_are_told_in_one_line(
    running: TestBroker, group: str, arguments: list[str], code: int, said: str
) -> None:
    line = run(running, *arguments, code=code)
    assert said in line
    assert line.count("\n") == 1


def test_delete(running: TestBroker) -> None:
    run(running, "group", "reset", "short-lived", "--topic", TOPIC, "--to", "0", "--execute")
    assert "deleted" in run(running, "group", "delete", "short-lived")
    assert "short-lived" not in [row["group"] for row in shown(running, "group", "list")]


def test_config_of_a_topic_and_of_the_cluster(running: TestBroker) -> None:
    run(running, "config", "set", "--topic", TOPIC, "retention.ms=1000000")
    rows = shown(running, "config", "get", "--topic", TOPIC)
    assert {"name": "retention.ms", "value": "1000000", "source": "topic"} in rows
    run(running, "config", "set", "--topic", TOPIC, "--unset", "retention.ms")
    assert shown(running, "config", "get", "--topic", TOPIC) == []
    run(running, "config", "set", "--cluster", "log.retention.ms=2000000")
    (row,) = shown(running, "config", "get", "--topic", TOPIC, "retention.ms")
    assert (row["value"], row["source"]) == ("2000000", "cluster")
    run(running, "config", "set", "--cluster", "--unset", "log.retention.ms")


def test_quotas_are_set_listed_and_taken_away(running: TestBroker) -> None:
    run(running, "quota", "set", "--client", "loader", "producer_byte_rate=1000000")
    entry = {"entity": {"client-id": "loader"}, "limits": {"producer_byte_rate": 1000000.0}}
    assert entry in shown(running, "quota", "list")
    run(running, "quota", "set", "--client", "loader", "--unset", "producer_byte_rate")
    assert shown(running, "quota", "list") == []


def test_api_versions(running: TestBroker) -> None:
    found = shown(running, "api-versions")
    assert {"key": 0, "api": "Produce", "from": 0, "to": 13} in found["apis"]
    assert found["features"]["metadata.version"] > 0
