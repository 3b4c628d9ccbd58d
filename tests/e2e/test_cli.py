"""The ``riverlog`` command in processes of its own, against a broker."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from riverlog.testing import TestBroker, broker

_SECONDS_MAX = 60


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestBroker]:
    with broker(data_dir=tmp_path_factory.mktemp("cli") / "data") as it:
        yield it


class Cli:
    def __init__(self, running: TestBroker) -> None:
        self.broker = running
        self.environment = {**os.environ, "RIVERLOG_BOOTSTRAP": running.bootstrap}

    def __call__(self, *arguments: str, stdin: bytes = b"", code: int = 0) -> bytes:
        """Run it, expect this exit code, and answer what it printed (stderr if it failed)."""
        done = subprocess.run(
            self.command(*arguments),
            input=stdin,
            capture_output=True,
            timeout=_SECONDS_MAX,
            env=self.environment,
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert b"Traceback" not in done.stderr
        return done.stderr if code else done.stdout

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        command = self.command(*arguments)
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=self.environment)

    @staticmethod
    def command(*arguments: str) -> list[str]:
        return [sys.executable, "-m", "riverlog", *arguments]


@pytest.fixture
def cli(running: TestBroker) -> Cli:
    return Cli(running)


def read_line(process: subprocess.Popen[bytes]) -> bytes:
    """The next line, within the time limit."""
    assert process.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        assert selector.select(_SECONDS_MAX), "nothing printed in time"
    return process.stdout.readline()


def test_a_topic_from_creation_to_deletion(cli: Cli) -> None:
    assert cli("topic", "create", "life", "--partitions", "2", "--config", "retention.ms=3600000") == (
        b"created topic: life, 2 partitions, replication factor 1\n"
    )
    assert b"life" in cli("topic", "list").splitlines()
    cli(
        "topic",
        "alter",
        "life",
        "--partitions",
        "3",
        "--set",
        "max.message.bytes=2000",
        "--unset",
        "retention.ms",
    )
    cli("produce", "life", "--partition", "2", stdin=b"a\nb\n")
    (topic,) = json.loads(cli("topic", "describe", "life", "--json"))
    assert [(part["earliest"], part["latest"]) for part in topic["partitions"]] == [(0, 0), (0, 0), (0, 2)]
    assert topic["configs"] == {"max.message.bytes": "2000"}
    table = cli("topic", "describe", "life").decode()
    assert "max.message.bytes" in table
    assert topic["topic_id"] in table
    assert cli("topic", "delete", "life") == b"deleted topic: life\n"
    assert b"life" not in cli("topic", "list").splitlines()


def test_creating_twice_is_an_error_unless_that_is_fine(cli: Cli) -> None:
    cli("topic", "create", "twice")
    assert b"TOPIC_ALREADY_EXISTS" in cli("topic", "create", "twice", code=1)
    assert json.loads(cli("topic", "create", "twice", "--if-not-exists", "--json"))["created"] is False


@pytest.mark.parametrize(
    ("compression", "acks"),
    [("none", "0"), ("none", "1"), ("gzip", "all"), ("snappy", "all"), ("lz4", "all"), ("zstd", "all")],
)
def test_lines_come_back_in_order(cli: Cli, compression: str, acks: str) -> None:
    name = f"lines-{compression}-{acks}"
    cli("topic", "create", name, "--partitions", "1")
    lines = b"".join(b"line %d\n" % number for number in range(3000))
    cli("produce", name, "--compression", compression, "--acks", acks, stdin=lines)
    # Without acks the records may still be on their way; with a count the reader waits for them.
    assert cli("consume", name, "-n", "3000") == lines


def test_keys_headers_and_formats(cli: Cli) -> None:
    cli("topic", "create", "keyed", "--partitions", "1")
    cli("produce", "keyed", "--key-separator", ":", "--headers", "h=1", stdin=b"a:1\nb:2\n")
    assert cli("consume", "keyed", "-e", "--keys", "--headers") == b"h=1\ta\t1\nh=1\tb\t2\n"
    assert cli("consume", "keyed", "-e", "--format", r"%t %p %o %k=%s;") == b"keyed 0 0 a=1;keyed 0 1 b=2;"


def test_json_goes_out_as_it_came_in(cli: Cli) -> None:
    rows = [
        {"key": "k", "value": "v", "headers": {"a": "b"}, "partition": 1, "timestamp": 1_700_000_000_000},
        {"key": None, "value_base64": "//4=", "partition": 0},
        {"key": "tombstone", "value": None, "headers": [["x", "1"], ["x", "2"]], "partition": 1},
    ]
    cli("topic", "create", "json", "--partitions", "2")
    cli("produce", "json", "--json", stdin="\n".join(map(json.dumps, rows)).encode())
    printed = cli("consume", "json", "-e", "--json")
    found = sorted(map(json.loads, printed.splitlines()), key=lambda row: (row["partition"], row["offset"]))
    assert [row.get("value_base64") for row in found] == ["//4=", None, None]
    assert found[1]["timestamp"] == 1_700_000_000_000
    assert found[2]["headers"] == [{"key": "x", "value": "1"}, {"key": "x", "value": "2"}]
    cli("topic", "create", "json-copy", "--partitions", "2")
    cli("produce", "json-copy", "--json", stdin=printed)
    copied = cli("consume", "json-copy", "-e", "--json").replace(b"json-copy", b"json")
    assert sorted(copied.splitlines()) == sorted(printed.splitlines())


def test_reading_starts_where_it_is_told(cli: Cli) -> None:
    cli("topic", "create", "where", "--partitions", "1")
    rows = [{"value": str(number), "timestamp": 1_700_000_000_000 + number * 60_000} for number in range(10)]
    cli("produce", "where", "--json", stdin="\n".join(map(json.dumps, rows)).encode())

    def first(start: str) -> bytes:
        return cli("consume", "where", "-e", "--from", start).splitlines()[0]

    assert first("beginning") == b"0"
    assert first("4") == b"4"
    assert first("-3") == b"7"
    assert first("1700000300000ms") == b"5"
    assert first("2023-11-14T22:15:20Z") == b"2"
    assert cli("consume", "where", "-e", "--from", "end") == b""
    assert b"has offsets 0 to 10, not 11" in cli("consume", "where", "--from", "11", code=1)


def test_mistakes_are_one_line(cli: Cli) -> None:
    cli("topic", "create", "mistakes", "--partitions", "1")
    for arguments, stdin, words in (
        (("consume", "nowhere"), b"", b"'nowhere' does not exist"),
        (("produce", "nowhere"), b"x\n", b"riverlog topic create nowhere"),
        (("topic", "describe", "nowhere"), b"", b"does not exist"),
        (("topic", "delete", "nowhere"), b"", b"does not exist"),
        (("topic", "create", "bad name"), b"", b"INVALID_TOPIC"),
        (("topic", "create", "x", "--config", "no.such=1"), b"", b"INVALID_CONFIG"),
        (("topic", "create", "x", "--replication-factor", "3"), b"", b"INVALID_REPLICATION_FACTOR"),
        (("topic", "alter", "mistakes", "--partitions", "1"), b"", b"INVALID_PARTITIONS"),
        (("consume", "mistakes", "--partition", "5"), b"", b"no partition 5"),
        (("produce", "mistakes", "--partition", "5"), b"x\n", b"no partition 5"),
        (("produce", "mistakes", "--key-separator", ":"), b"a:1\nb\n", b"line 2"),
        (("produce", "mistakes"), b"x" * 2_000_000, b"too large"),
    ):
        told = cli(*arguments, stdin=stdin, code=1)
        assert told.startswith(b"riverlog: ")
        assert told.count(b"\n") == 1
        assert words in told or words in told.lower().replace(b"_", b" ")
    # The good line before the bad one is there.
    assert cli("consume", "mistakes", "-e", "--keys") == b"a\t1\n"


def test_a_typed_line_leaves_at_once_and_a_follower_sees_it(cli: Cli) -> None:
    cli("topic", "create", "typed", "--partitions", "1")
    reader = cli.start("consume", "typed")
    writer = cli.start("produce", "typed")
    assert writer.stdin is not None
    for line in (b"one\n", b"two\n"):
        writer.stdin.write(line)
        writer.stdin.flush()
        assert read_line(reader) == line
    writer.communicate(timeout=_SECONDS_MAX)
    assert writer.returncode == 0
    reader.send_signal(signal.SIGINT)
    assert reader.communicate(timeout=_SECONDS_MAX) == (b"", b"")
    assert reader.returncode == 0


def test_an_interrupt_is_quiet(cli: Cli) -> None:
    cli("topic", "create", "interrupted", "--partitions", "1")
    cli("produce", "interrupted", stdin=b"x\n")
    reader = cli.start("consume", "interrupted", "-n", "2")
    assert read_line(reader) == b"x\n"
    reader.send_signal(signal.SIGINT)
    assert reader.communicate(timeout=_SECONDS_MAX) == (b"", b"")
    assert reader.returncode == 130


def test_a_closed_pipe_is_quiet(cli: Cli) -> None:
    cli("topic", "create", "piped", "--partitions", "1")
    cli("produce", "piped", stdin=b"some line\n" * 100_000)
    reader = cli.start("consume", "piped")
    assert read_line(reader) == b"some line\n"
    assert reader.stdout is not None
    reader.stdout.close()
    assert reader.stderr is not None
    assert reader.stderr.read() == b""
    assert reader.wait(_SECONDS_MAX) == 141
    for pipe in (reader.stdin, reader.stderr):
        assert pipe is not None
        pipe.close()


def test_the_brokers_own_folder_is_dumped_clean(cli: Cli) -> None:
    cli("topic", "create", "dumped", "--partitions", "1")
    cli("produce", "dumped", "--compression", "zstd", stdin=b"one\ntwo\n")
    data = Path(cli.broker.data_dir)
    shown = cli("log", "dump", str(data / "dumped-0"), "--records").decode()
    assert "batch 0-1, records 2" in shown
    assert "value two" in shown
    metadata = cli("log", "dump", str(data / "__cluster_metadata-0"), "--metadata").decode()
    assert "type TopicRecord" in metadata
    assert '"name": "dumped"' in metadata
    assert "PROBLEM" not in cli("log", "dump", str(data)).decode()
