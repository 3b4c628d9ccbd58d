"""What ``pip install riverlog`` installs: all of it, with the kernel compiled where that can be."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KERNEL = "riverlog/pipeline/kernel/"


def wheel(folder: Path, **environ: str) -> tuple[str, set[str]]:
    """The name of a new wheel, and what is in it."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    command += ["--disable-pip-version-check", "--wheel-dir", str(folder), str(ROOT)]
    done = subprocess.run(
        command, env={**os.environ, **environ}, capture_output=True, text=True, timeout=280, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return path.name, set(archive.namelist())


def libraries(names: set[str]) -> set[str]:
    return {name for name in names if name.endswith(".so")}


@pytest.mark.timeout(300)
def test_a_wheel_has_the_compiled_kernel(tmp_path: Path) -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        import build_kernel
    finally:
        sys.path.pop(0)
    lacking = build_kernel.missing()
    if lacking is not None:
        pytest.skip(f"cannot compile: {lacking} is not here")
    name, names = wheel(tmp_path)
    assert {part.split(".")[0] for part in libraries(names)} == {f"{KERNEL}decode", f"{KERNEL}encode"}
    assert not name.endswith("-py3-none-any.whl")


@pytest.mark.timeout(300)
def test_without_a_compiler_a_wheel_is_pure(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    name, names = wheel(tmp_path / "wheel", PATH=str(tmp_path / "bin"))
    assert libraries(names) == set()
    assert name.endswith("-py3-none-any.whl")
    wanted = {"riverlog/pipeline/log4j2.properties", "pyspark_riverlog/__init__.py", f"{KERNEL}decode.py"}
    assert wanted <= names
