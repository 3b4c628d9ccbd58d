"""The quick way to ``start``: taken only where it means what the full command line means."""

from __future__ import annotations

from pathlib import Path

import pytest

from riverlog.cli.main import plain_start


def test_a_bare_start() -> None:
    assert plain_start(["start"]) == {"settings": []}


def test_all_options_in_both_forms() -> None:
    assert plain_start(
        [
            "start",
            "--port",
            "0",
            "--host=0.0.0.0",
            "--data-dir",
            "d",
            "--config=f",
            "--set",
            "a=b=c",
            "--set=x=y",
        ]
    ) == {
        "port": 0,
        "host": "0.0.0.0",
        "data_dir": Path("d"),
        "config": Path("f"),
        "settings": ["a=b=c", "x=y"],
    }


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--version"],
        ["topic", "list"],
        ["start", "--help"],
        ["start", "extra"],
        ["start", "--port"],
        ["start", "--port", "many"],
        ["start", "--port", "70000"],
        ["start", "--port", "-1"],
        ["start", "--set="],
        ["start", "--set", "--port"],
        ["start", "--nope", "1"],
    ],
)
def test_everything_else_is_left_to_the_full_command_line(arguments: list[str]) -> None:
    assert plain_start(arguments) is None
