"""Which kernel is in use, and what building the compiled one does where it cannot."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from riverlog.pipeline.kernel import PURE_VARIABLE, compiled

ROOT = Path(__file__).parents[3]
WHICH = "from riverlog.pipeline import kernel; print(kernel.COMPILED, kernel.KERNEL.columns.__module__)"
# As where cython is not installed: importing it fails.
WITHOUT_CYTHON = (
    "import sys; sys.modules['cython'] = None; from riverlog.pipeline.kernel import interpreted; "
)


def run(code: str, **variables: str) -> str:
    environment = {**os.environ, PURE_VARIABLE: "", **variables}
    outcome = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    return outcome.stdout.strip()


def test_the_variable_chooses_the_interpreted_kernel() -> None:
    assert run(WHICH, RIVERLOG_PURE="1").startswith("False ")
    assert run(WHICH).startswith(f"{compiled() is not None} ")


def test_the_interpreted_kernel_needs_no_cython() -> None:
    assert run(WITHOUT_CYTHON + "print(interpreted().compiled)", RIVERLOG_PURE="1") == "False"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The build script with the kernel's sources, and no compiled ones."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "build_kernel.py", tmp_path / "scripts")
    package = Path("src/riverlog/pipeline/kernel")
    shutil.copytree(
        ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("*.so", "*.c", "__pycache__")
    )
    return tmp_path


def build(clone: Path, code: str = "") -> str:
    program = f"import runpy, sys; {code or 'pass'}; runpy.run_path(sys.argv[1], run_name='__main__')"
    outcome = subprocess.run(
        [sys.executable, "-c", program, clone / "scripts" / "build_kernel.py"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert outcome.returncode == 0, outcome.stderr
    return outcome.stdout


@pytest.mark.parametrize(
    ("code", "lacking"),
    [
        ("import shutil; shutil.which = lambda name: None", "a C compiler"),
        ("import importlib.util as u; u.find_spec = lambda name: None", "Cython"),
    ],
)
def test_without_its_tools_the_build_says_one_line_and_goes_on(clone: Path, code: str, lacking: str) -> None:
    stale = clone / "src/riverlog/pipeline/kernel" / f"decode{_suffix()}"
    stale.write_bytes(b"of older sources")
    told = build(clone, code)
    assert told.count("\n") == 1
    assert lacking in told
    assert "interpreted" in told
    assert not stale.exists()


def test_nothing_is_built_twice(clone: Path) -> None:
    sources = clone / "src/riverlog/pipeline/kernel"
    digest = "import importlib.util as u; u.find_spec = lambda name: None"
    for name in ("decode", "encode"):
        (sources / f"{name}{_suffix()}").write_bytes(b"as built")
    program = "import runpy, sys; print(runpy.run_path(sys.argv[1])['digest']())"
    script = clone / "scripts" / "build_kernel.py"
    wanted = subprocess.run(
        [sys.executable, "-c", program, script], capture_output=True, text=True, check=True, timeout=60
    ).stdout.strip()
    stamp = clone / ".cache" / "kernel" / "stamp"
    stamp.parent.mkdir(parents=True)
    stamp.write_text(wanted)
    assert build(clone, digest) == ""
    (sources / "decode.pxd").write_text("# changed")
    assert "Cython" in build(clone, digest)


def _suffix() -> str:
    import sysconfig

    return str(sysconfig.get_config_var("EXT_SUFFIX"))
