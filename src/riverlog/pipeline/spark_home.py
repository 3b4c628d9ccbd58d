"""A home of Spark in which Python workers start quickly.

Spark has its workers take its Python modules from a zip, which comes before all other places. Python
compiles what is in a zip anew in each process: half a second of CPU, five times what the same modules cost
where the package is installed. And Spark gives a worker ten seconds to start. In a home without the zip the
modules come from the package.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from riverlog.pipeline.cache import cache_folders

_PARTS = ("bin", "data", "jars", "sbin")


def spark_home(environ: Mapping[str, str]) -> Path:
    """A folder with links to the installed Spark; for workers whose Python has that package."""
    package = installed_spark()
    name = f"spark-{hashlib.sha256(os.fsencode(package)).hexdigest()[:16]}"
    for folder in cache_folders(environ):
        try:
            for part in _PARTS:
                _link(folder / name / part, package / part)
        except OSError:
            continue
        return folder / name
    return package


def installed_spark() -> Path:
    """The folder of the package."""
    spec = find_spec("pyspark")
    assert spec is not None and spec.origin is not None, "versions.py has found it"
    return Path(spec.origin).parent


def _link(path: Path, target: Path) -> None:
    """Several sessions may start at the same time: whoever comes last replaces equal by equal."""
    if path.is_symlink() and path.readlink() == target:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}-{os.getpid()}.draft")
    draft.unlink(missing_ok=True)
    draft.symlink_to(target)
    draft.replace(path)
