"""What a session sets, what of the user's wins, and mistakes told before a JVM is started."""

from __future__ import annotations

import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from riverlog.pipeline.errors import PipelineError
from riverlog.pipeline.sessions import (
    check_answers,
    check_master,
    check_no_connect,
    default_settings,
    defaults_file,
    local_cores,
    on_this_machine,
    prepare,
)
from riverlog.pipeline.spark_home import spark_home
from riverlog.pipeline.versions import PACKAGES, check_packages, check_spark_home, fits

ROOT = Path(__file__).parents[3]


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """An environment with a Java of its own and nothing else."""
    java = tmp_path / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text('#!/bin/sh\necho "java.home = /x" >&2\necho "java.specification.version = 17" >&2\n')
    java.chmod(0o755)
    return {"JAVA_HOME": str(tmp_path / "java"), "PATH": str(tmp_path), "HOME": str(tmp_path / "home")}


def conf_folder(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "conf"
    folder.mkdir()
    (folder / "spark-defaults.conf").write_text(text)
    return folder


# ---------------------------------------------------------------- versions


def test_the_table_of_versions_is_the_extra_spark() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert sorted(extras["spark"]) == sorted(f"{name}{bounds}" for name, bounds in PACKAGES.items())


@pytest.mark.parametrize(
    ("found", "bounds", "fitting"),
    [
        ("4.2.1", ">=4.2,<4.3", True),
        ("4.2.0.dev3", ">=4.2,<4.3", True),
        ("4.2", ">=4.2,<4.3", True),
        ("4.1.9", ">=4.2,<4.3", False),
        ("4.3.0", ">=4.2,<4.3", False),
        ("4.10.0", ">=4.2,<4.3", False),
        ("2.10.1", ">=2.2,<3", True),
        ("6.33.4", ">=6.33.5", False),
        ("7.0rc1", ">=6.33.5", True),
    ],
)
def test_versions_are_compared_as_numbers(found: str, bounds: str, fitting: bool) -> None:
    assert fits(found, bounds) is fitting


def test_the_installed_versions_fit() -> None:
    check_packages()


def test_a_wrong_version_is_named_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, version in (("pandas", "3.0.1"), ("pyspark", "3.5.4")):
        folder = tmp_path / f"{name}-{version}.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(PipelineError) as told:
        check_packages()
    assert str(told.value) == (
        "pyspark is 3.5.4 and must be >=4.2,<4.3; pandas is 3.0.1 and must be >=2.2,<3: "
        "pip install 'riverlog[spark]'"
    )


def test_without_the_extra_the_line_says_so() -> None:
    """In a Python that sees none of the installed packages."""
    program = (
        "import riverlog.pipeline\n"
        "try: riverlog.pipeline.session()\n"
        "except riverlog.pipeline.PipelineError as told: print(told)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env={"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    missing = "; ".join(f"{name} is missing" for name in PACKAGES)
    assert done.stdout == f"{missing}: pip install 'riverlog[spark]'\n"


def test_another_spark_home_is_refused(tmp_path: Path) -> None:
    jars = tmp_path / "jars"
    jars.mkdir()
    (jars / "spark-core_2.12-3.5.1.jar").touch()
    with pytest.raises(PipelineError, match=r"is not Spark 4\.2"):
        check_spark_home({"SPARK_HOME": str(tmp_path)})
    (jars / "spark-core_2.13-4.2.0.jar").touch()
    check_spark_home({"SPARK_HOME": str(tmp_path)})


# ---------------------------------------------------------------- masters


@pytest.mark.parametrize(
    "master",
    ["local", "local[*]", "local[3]", "local[2,4]", "spark://a:7077,b:7077", "yarn", "k8s://https://x:6443"],
)
def test_masters_of_spark_are_known(master: str) -> None:
    check_master(master)


@pytest.mark.parametrize(
    "master", ["", "locall", "local[0]", "local[x]", "spark://host", "sc://host", "10.0.0.1:7077"]
)
def test_other_masters_are_refused(master: str) -> None:
    with pytest.raises(PipelineError, match=r"is none of local, local\[N\]"):
        check_master(master)


def test_cores_are_those_of_a_local_master() -> None:
    assert [local_cores(master) for master in ("local", "local[3]", "local[2,4]")] == [1, 3, 2]
    assert (local_cores("local[*]") or 0) >= 1
    assert local_cores("yarn") is None


def test_loopback_is_for_masters_of_this_machine() -> None:
    assert all(on_this_machine(master) for master in ("local[2]", "spark://127.0.0.1:7077"))
    assert not any(on_this_machine(master) for master in ("yarn", "spark://10.0.0.5:7077"))


def test_a_master_that_does_not_answer_is_told_at_once() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        with pytest.raises(PipelineError, match=f"no Spark master answers at spark://127.0.0.1:{port}"):
            check_answers(f"spark://127.0.0.1:{port}")
        listening.listen()
        check_answers(f"spark://127.0.0.1:1,127.0.0.1:{port}")


def test_spark_connect_is_refused() -> None:
    with pytest.raises(PipelineError, match="asks for Spark Connect"):
        check_no_connect({"SPARK_REMOTE": "sc://host"})


# ---------------------------------------------------------------- settings and environment


def test_a_local_session_gets_what_a_laptop_needs(environ: dict[str, str]) -> None:
    chosen = prepare(environ, {"spark.master": "local[3]"})
    assert chosen["spark.sql.shuffle.partitions"] == "3"
    assert chosen["spark.python.authenticate.socketTimeout"] == "180s"
    assert "RocksDB" in chosen["spark.sql.streaming.stateStore.providerClass"]
    assert chosen["spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled"] == "true"
    assert not any("timeZone" in name for name in chosen)
    assert environ["PYSPARK_PYTHON"] == sys.executable
    assert environ["SPARK_LOCAL_IP"] == "127.0.0.1"


def test_the_users_settings_win(environ: dict[str, str]) -> None:
    environ |= {"PYSPARK_PYTHON": "python-of-mine", "SPARK_LOCAL_IP": "10.0.0.9"}
    mine = {"spark.master": "local[3]", "spark.sql.shuffle.partitions": "7", "spark.app.name": "mine"}
    chosen = prepare(environ, mine)
    assert {name: chosen[name] for name in mine} == mine
    assert (environ["PYSPARK_PYTHON"], environ["SPARK_LOCAL_IP"]) == ("python-of-mine", "10.0.0.9")


def test_the_python_of_a_setting_is_that_of_the_workers(environ: dict[str, str]) -> None:
    prepare(environ, {"spark.pyspark.python": "/opt/python"})
    assert environ["PYSPARK_PYTHON"] == "/opt/python"


def test_a_cluster_keeps_its_addresses_and_its_count_of_partitions(environ: dict[str, str]) -> None:
    chosen = prepare(environ, {"spark.master": "yarn"})
    assert "spark.sql.shuffle.partitions" not in chosen
    assert "SPARK_LOCAL_IP" not in environ


def test_workers_of_this_machine_take_modules_from_the_package(
    environ: dict[str, str], tmp_path: Path
) -> None:
    """Not from Spark's zip, which Python would compile anew in each process."""
    environ["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    prepare(environ, {"spark.master": "local[2]"})
    home = Path(environ["SPARK_HOME"])
    assert home.is_relative_to(tmp_path / "cache")
    assert (home / "bin" / "spark-submit").is_file()
    assert not (home / "python").exists()
    check_spark_home(environ)
    (home / "jars").unlink()
    (home / "jars").symlink_to(tmp_path)  # as after the package has moved
    assert spark_home(environ) == home
    check_spark_home(environ)


@pytest.mark.parametrize(
    ("given", "settings"),
    [
        ({"PYSPARK_PYTHON": "/other/python"}, {"spark.master": "local"}),
        ({}, {"spark.master": "local", "spark.pyspark.python": "/other/python"}),
        ({}, {"spark.master": "yarn"}),
    ],
)
def test_workers_of_another_python_have_the_zip(
    environ: dict[str, str], given: dict[str, str], settings: dict[str, str]
) -> None:
    environ |= given
    prepare(environ, settings)
    assert "SPARK_HOME" not in environ


def test_spark_defaults_conf_wins_over_ours(environ: dict[str, str], tmp_path: Path) -> None:
    text = "# mine\n\nspark.master   local[5]\nspark.sql.shuffle.partitions=9\nspark.app.name : a name\n"
    environ["SPARK_CONF_DIR"] = str(conf_folder(tmp_path, text))
    chosen = prepare(environ, {"spark.sql.shuffle.partitions": "11"})
    assert chosen["spark.master"] == "local[5]"
    assert chosen["spark.app.name"] == "a name"
    assert chosen["spark.sql.shuffle.partitions"] == "11"


def test_spark_defaults_conf_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    folder = conf_folder(tmp_path, "")
    (folder / "spark-defaults.conf").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PipelineError, match=r"spark-defaults\.conf cannot be read"):
        defaults_file({"SPARK_CONF_DIR": str(folder)})


def test_logs_are_quiet_unless_the_user_has_settings_for_them(tmp_path: Path) -> None:
    options = default_settings("local", {})["spark.driver.defaultJavaOptions"]
    assert Path(options.removeprefix("-Dlog4j2.configurationFile=file://")).is_file()
    folder = conf_folder(tmp_path, "")
    (folder / "log4j2.properties").touch()
    assert "spark.driver.defaultJavaOptions" not in default_settings("local", {"SPARK_CONF_DIR": str(folder)})
