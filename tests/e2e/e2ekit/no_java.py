"""An environment in which no Java is installed: whatever the machine has, except that."""

from __future__ import annotations

import os
from pathlib import Path


def without_java(folder: Path) -> dict[str, str]:
    """``PATH`` leads to this folder, with links to all programs but Java's; there is no ``JAVA_HOME``."""
    folder.mkdir()
    for place in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if not Path(place).is_dir():
            continue
        for program in Path(place).iterdir():
            link = folder / program.name
            if not program.name.startswith("java") and not link.is_symlink():
                link.symlink_to(program)
    environ = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    return {**environ, "PATH": str(folder)}
