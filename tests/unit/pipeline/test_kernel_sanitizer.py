"""The compiled kernel under a sanitizer of addresses and undefined behaviour, over damaged batches."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from riverlog.pipeline.kernel import compiled

ROOT = Path(__file__).parents[3]
FLAGS = (
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
    "-fno-omit-frame-pointer",
    "-g",
    "-O1",
)
BATCHES = int(os.environ.get("RIVERLOG_SANITIZED_BATCHES", "200000"))


def library(name: str) -> str:
    outcome = subprocess.run(
        ["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True, timeout=60
    )
    return outcome.stdout.strip()


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.skipif(compiled() is None, reason="the kernel is not compiled here")
@pytest.mark.skipif(shutil.which("gcc") is None, reason="the sanitizers are gcc's")
def test_no_damaged_batch_makes_the_kernel_leave_its_memory(tmp_path: Path) -> None:
    build = runpy.run_path(str(ROOT / "scripts" / "build_kernel.py"))["build"]
    build(tmp_path, FLAGS, scratch=tmp_path / "scratch")
    environment = {
        **os.environ,
        "LD_PRELOAD": f"{library('libasan.so')} {library('libubsan.so')}",
        # Python itself does not free everything at its end; freed memory is watched for a while only.
        "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=64",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        # Each piece of memory on its own, so that the sanitizer sees where it ends.
        "PYTHONMALLOC": "malloc",
        "ARROW_DEFAULT_MEMORY_POOL": "system",
        "RIVERLOG_PURE": "1",
    }
    outcome = subprocess.run(
        [sys.executable, "-m", "tests.unit.pipeline.kernel_fuzz", tmp_path, str(BATCHES), "1"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=3500,
    )
    assert outcome.returncode == 0, outcome.stderr[-5000:]
    print(outcome.stdout)
