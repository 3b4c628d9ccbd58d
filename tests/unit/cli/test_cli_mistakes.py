"""Mistakes end in exactly one line on stderr and an exit code; help teaches by example."""

from __future__ import annotations

from pathlib import Path

import pytest

from riverlog.cli.app import run

CLOSED = "127.0.0.1:1"  # nothing listens on port 1

USAGE = {
    "no such command": ["frob"],
    "no such option": ["topic", "list", "--nope"],
    "no name": ["topic", "create"],
    "partitions": ["topic", "create", "t", "--partitions", "0"],
    "no number": ["topic", "create", "t", "--partitions", "many"],
    "config": ["topic", "create", "t", "--config", "retention.ms"],
    "nothing to alter": ["topic", "alter", "t"],
    "set and unset": ["topic", "alter", "t", "--set", "a=b", "--unset", "a"],
    "bootstrap": ["topic", "list", "--bootstrap", "host:port"],
    "bootstrap port": ["topic", "list", "--bootstrap", "host:99999"],
    "empty bootstrap": ["topic", "list", "--bootstrap", ","],
    "acks": ["produce", "t", "--acks", "2"],
    "compression": ["produce", "t", "--compression", "rar"],
    "separator and json": ["produce", "t", "--json", "--key-separator", ":"],
    "empty separator": ["produce", "t", "--key-separator", ""],
    "transaction without all": ["produce", "t", "--transactional-id", "x", "--acks", "1"],
    "transaction time-out": ["produce", "t", "--transactional-id", "x", "--transaction-timeout", "60"],
    "header": ["produce", "t", "--headers", "novalue"],
    "from": ["consume", "t", "--from", "yesterday"],
    "two formats": ["consume", "t", "--json", "--keys"],
    "format field": ["consume", "t", "--format", "%z"],
    "format escape": ["consume", "t", "--format", r"\q"],
    "start port": ["start", "--port", "70000"],
}


@pytest.mark.parametrize("name", USAGE)
def test_bad_arguments_are_one_line_and_exit_code_2(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(USAGE[name]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("riverlog: ")
    assert told.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["topic", "list"],
        ["topic", "describe", "t"],
        ["consume", "t"],
        ["produce", "t"],
        ["topic", "delete", "t"],
    ],
)
def test_an_unreachable_broker_is_one_line_and_exit_code_1(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*arguments, "--bootstrap", CLOSED]) == 1
    told = capsys.readouterr()
    assert told.err == f"riverlog: cannot connect to {CLOSED}: connection refused\n"


@pytest.mark.parametrize("name", ["nowhere", "empty"])
def test_a_dump_of_nothing_is_one_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    assert run(["log", "dump", str(tmp_path / name)]) == 1
    told = capsys.readouterr()
    assert told.err.count("\n") == 1
    assert name in told.err


def test_version_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("riverlog ")


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["start"],
        ["topic"],
        ["topic", "create"],
        ["topic", "list"],
        ["topic", "describe"],
        ["topic", "alter"],
        ["topic", "delete"],
        ["produce"],
        ["consume"],
        ["log", "dump"],
    ],
)
def test_help_shows_an_example_of_the_command_itself(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Examples:" in shown
    assert " ".join(["riverlog", *command]) in shown.partition("Examples:")[2]


def test_no_command_shows_the_help_and_no_complaint(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert "riverlog:" not in capsys.readouterr().err
