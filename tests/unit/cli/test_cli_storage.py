"""``riverlog storage``: formatting by hand, and looking."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from riverlog.cli.app import run


def properties(folder: Path, node_id: int, *, roles: str = "broker,controller", port: int = 19093) -> str:
    path = folder / f"node-{node_id}.properties"
    listeners = [f"PLAINTEXT://127.0.0.1:{port - 1}"] if "broker" in roles else []
    if "controller" in roles:
        listeners.append(f"CONTROLLER://127.0.0.1:{port}")
    path.write_text(
        f"process.roles={roles}\nnode.id={node_id}\nlisteners={','.join(listeners)}\n"
        f"controller.listener.names=CONTROLLER\nlog.dirs={folder}/data-{node_id}\n"
    )
    return str(path)


def told(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert run(["storage", *words]) == code
    captured = capsys.readouterr()
    return (captured.err if code else captured.out).strip()


def test_three_controllers_are_prepared_then_formatted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configs = [properties(tmp_path, number, port=19093 + 10 * number) for number in (1, 2, 3)]
    controllers = ",".join(told(capsys, "prepare", "--config", config) for config in configs)
    assert controllers.startswith("1@127.0.0.1:19103:")
    clusters = set()
    for config in configs:
        line = told(capsys, "format", "--config", config, "--initial-controllers", controllers)
        clusters.add(line.rpartition(" ")[2])
    assert len(clusters) == 1  # every node derives the same
    info = json.loads(told(capsys, "info", "--config", configs[1], "--json"))
    assert info["problems"] == []
    assert [(row["node"], row["cluster"]) for row in info["folders"]] == [(2, clusters.pop())]
    assert (tmp_path / "data-2" / "__cluster_metadata-0").is_dir()


def test_prepare_says_the_same_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = properties(tmp_path, 1)
    first = told(capsys, "prepare", "--config", config)
    assert told(capsys, "prepare", "--config", config) == first


def test_a_standalone_controller(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = properties(tmp_path, 1)
    cluster_id = told(capsys, "random-uuid")
    line = told(capsys, "format", "-c", config, "-t", cluster_id, "--standalone")
    assert line == f"formatted {tmp_path}/data-1, cluster {cluster_id}"


def test_formatting_again_is_refused_unless_that_is_fine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = properties(tmp_path, 1)
    told(capsys, "format", "-c", config, "--standalone")
    assert "formatted already" in told(capsys, "format", "-c", config, "--standalone", code=1)
    assert "formatted already" in told(capsys, "format", "-c", config, "--standalone", "-g")
    words = ("format", "-c", config, "--standalone", "-g", "-t", "another")
    assert "not another" in told(capsys, *words, code=1)


def test_a_broker_joins_a_cluster_by_its_id(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = properties(tmp_path, 4, roles="broker")
    assert "--cluster-id" in told(capsys, "format", "-c", config, code=2)
    told(capsys, "format", "-c", config, "-t", "MkU3OEVBNTcwNTJENDM2Qg")
    info = json.loads(told(capsys, "info", "-c", config, "--json"))
    assert info["folders"][0]["cluster"] == "MkU3OEVBNTcwNTJENDM2Qg"


def test_info_of_folders_that_are_not_formatted_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = properties(tmp_path, 1)
    assert "does not exist" in told(capsys, "info", "-c", config, code=1)
    told(capsys, "prepare", "-c", config)
    assert "is not formatted" in told(capsys, "info", "-c", config, code=1)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "needs one of --standalone, --initial-controllers"),
        (["--standalone", "--no-initial-controllers"], "only one of"),
        (["--initial-controllers", "1@host"], "is not ID@HOST:PORT:DIRECTORY"),
        (["--initial-controllers", "1@host:9093:short"], "is not a directory id"),
        (
            ["--initial-controllers", "1@a:1:MkU3OEVBNTcwNTJENDM2Qg,1@b:1:MkU3OEVBNTcwNTJENDM2Qg"],
            "named twice",
        ),
    ],
)
def test_mistakes_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], expected: str
) -> None:
    config = properties(tmp_path, 1)
    line = told(capsys, "format", "-c", config, *words, code=2)
    assert expected in line
    assert "\n" not in line
    assert not (tmp_path / "data-1").exists()


def test_which_node_must_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--config" in told(capsys, "info", code=2)
