"""``riverlog storage recover``: says what may be lost, and does nothing unless told so twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_cli_storage import properties, told

from riverlog.base.config import BrokerConfig
from riverlog.base.properties import parse_properties
from riverlog.cli.app import run
from riverlog.metadata.loader import load
from riverlog.raft.voters import voter_pairs
from riverlog.runtime.disk import RealDisk
from riverlog.runtime.folder_lock import FolderLock
from riverlog.runtime.formatting import format_cluster


@pytest.fixture
def configs(tmp_path: Path) -> list[str]:
    """Settings of three voters whose folders are formatted."""
    files = [properties(tmp_path, number, port=19093 + 10 * number) for number in (1, 2, 3)]
    format_cluster([BrokerConfig(parse_properties(Path(file).read_text())) for file in files])
    return files


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def voters(folder: Path) -> list[int]:
    found = load(RealDisk(lambda callback: callback()), str(folder)).voters
    assert found is not None
    return [node_id for node_id, _ in voter_pairs(found)]


def test_it_tells_what_may_be_lost_and_changes_nothing_unconfirmed(
    tmp_path: Path, configs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = content(tmp_path / "data-3")
    for words in ((), ("--confirm", "another")):
        assert run(["storage", "recover", "-c", configs[2], *words]) == 1
        captured = capsys.readouterr()
        assert "ONLY VOTER OF CLUSTER" in captured.out
        assert "MAY BE LOST" in captured.out
        assert "nothing was changed" in captured.err
        assert "\n" not in captured.err.strip()
    assert content(tmp_path / "data-3") == before


def test_the_survivor_is_the_only_voter(
    tmp_path: Path, configs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    cluster_id = load_cluster_id(tmp_path / "data-3")
    assert voters(tmp_path / "data-3") == [1, 2, 3]
    assert "start it" in told(capsys, "recover", "-c", configs[2], "--confirm", cluster_id)
    assert voters(tmp_path / "data-3") == [3]
    line = told(capsys, "recover", "-c", configs[2], "--confirm", cluster_id, code=1)
    assert "is the only voter already" in line


def load_cluster_id(folder: Path) -> str:
    return str(parse_properties((folder / "meta.properties").read_text())["cluster.id"])


def test_a_node_that_runs_is_refused(
    tmp_path: Path, configs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    cluster_id = load_cluster_id(tmp_path / "data-3")
    before = content(tmp_path / "data-3")
    # A lock is the process's own, so another one must hold it.
    import subprocess
    import sys

    code = (
        "import sys; from riverlog.runtime.folder_lock import FolderLock; "
        f"lock = FolderLock({str(tmp_path / 'data-3')!r}); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        line = told(capsys, "recover", "-c", configs[2], "--confirm", cluster_id, code=1)
        assert "in use by another process" in line
        holder.communicate("")
    assert content(tmp_path / "data-3") == before
    FolderLock(str(tmp_path / "data-3")).release()


def test_who_cannot_be_the_only_voter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "data-1" in told(capsys, "recover", "-c", properties(tmp_path, 1), code=1)  # no such folder
    assert not (tmp_path / "data-1").exists()
    config = properties(tmp_path, 1)
    told(capsys, "prepare", "-c", config)
    assert "is not formatted" in told(capsys, "recover", "-c", config, code=1)
    joined = properties(tmp_path, 2)
    told(capsys, "format", "-c", joined, "-t", "MkU3OEVBNTcwNTJENDM2Qg", "-N")
    assert "does not say who votes" in told(capsys, "recover", "-c", joined, code=1)
    broker = properties(tmp_path, 4, roles="broker")
    told(capsys, "format", "-c", broker, "-t", "MkU3OEVBNTcwNTJENDM2Qg")
    assert "process.roles needs controller" in told(capsys, "recover", "-c", broker, code=1)
