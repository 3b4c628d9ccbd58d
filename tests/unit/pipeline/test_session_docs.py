"""The page about Spark says what the code does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from riverlog.pipeline.sink_options import CHECKPOINT, QUERY_NAME, TABLE

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "spark.md").read_text("utf-8")
SPARKS_OWN = {CHECKPOINT.name, QUERY_NAME.name}


def test_every_option_is_in_the_tables() -> None:
    missing = [row.name for row in TABLE.rows.values() if f"| `{row.name}` |" not in PAGE]
    assert set(missing) == SPARKS_OWN


def test_the_tables_are_those_of_the_code() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "spark_options.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
