"""``riverlog cluster`` and ``broker``: mistakes that are told before anything is started or asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from riverlog.cli.app import run


def told(capsys: pytest.CaptureFixture[str], *words: str, code: int) -> str:
    assert run(list(words)) == code
    line = capsys.readouterr().err.strip()
    assert line.startswith("riverlog: ")
    assert "\n" not in line
    return line


def test_ports_that_do_not_exist(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("cluster", "start", "--base-port", "65500", "--data-dir", str(tmp_path / "c"))
    assert "too high" in told(capsys, *words, code=2)
    assert not (tmp_path / "c").exists()


def test_a_setting_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("cluster", "start", "--base-port", "0", "--data-dir", str(tmp_path / "c"))
    assert "not KEY=VALUE" in told(capsys, *words, "--set", "x", code=2)
    assert "min.insync.replicas" in told(capsys, *words, "--set", "min.insync.replicas=none", code=1)


def test_a_folder_of_a_cluster_of_another_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in (1, 2):
        folder = tmp_path / f"node-{number}" / "data"
        folder.mkdir(parents=True)
        (folder / "meta.properties").write_text("cluster.id=x\n")
    words = ("cluster", "start", "--nodes", "3", "--base-port", "0", "--data-dir", str(tmp_path))
    assert "use --nodes 2" in told(capsys, *words, code=1)


def test_stopping_what_does_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no cluster runs" in told(capsys, "cluster", "stop", "--data-dir", str(tmp_path), code=1)


@pytest.mark.parametrize(
    "words",
    [
        ("cluster", "status"),
        ("broker", "list"),
        ("broker", "load"),
        ("broker", "drain", "1"),
        ("broker", "remove", "1"),
        ("balance",),
        ("reassign", "generate"),
        ("reassign", "verify"),
        ("reassign", "cancel"),
    ],
)
def test_a_cluster_that_does_not_answer(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    assert "cannot connect" in told(capsys, *words, "-b", "127.0.0.1:1", "--timeout", "1", code=1)
