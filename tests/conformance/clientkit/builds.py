"""Foreign clients fetched by package name with the ordinary tool of their world, kept under ``.cache/``."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from clientkit.paths import CACHE, Unavailable, say

HERE = Path(__file__).parent
FETCH_SECONDS_MAX = 600


def _run(command: Sequence[str], *, cwd: Path, what: str, env: dict[str, str] | None = None) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            capture_output=True,
            text=True,
            timeout=FETCH_SECONDS_MAX,
            check=False,
            env={**os.environ, **(env or {})},
        )
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{what}: {command[0]} took over {FETCH_SECONDS_MAX} s") from None
    if done.returncode != 0:
        last = (done.stderr + done.stdout).strip().splitlines()
        raise Unavailable(f"{what}: {' '.join(command[:3])} failed: {last[-1] if last else 'no output'}")


def _digest(folder: Path) -> str:
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()[:12]


def _tool(name: str, hint: str) -> str:
    found = shutil.which(name)
    if found is None and name == "go" and Path("/usr/local/go/bin/go").exists():
        found = "/usr/local/go/bin/go"
    if found is None:
        raise Unavailable(f"no {name} on PATH ({hint})")
    return found


def kafkajs_command(bootstrap: str) -> list[str]:
    node = _tool("node", "Debian: apt-get install nodejs npm")
    npm = _tool("npm", "Debian: apt-get install npm")
    source = HERE / "js"
    folder = CACHE / "conformance" / f"js-{_digest(source)}"
    if not (folder / "ready").exists():
        say("fetching kafkajs with npm …")
        shutil.copytree(source, folder, dirs_exist_ok=True)
        flags = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error"]
        _run([npm, "install", *flags], cwd=folder, what="kafkajs")
        (folder / "ready").touch()
    return [node, str(folder / "client.mjs"), bootstrap]


def franz_go_command(bootstrap: str) -> list[str]:
    go = _tool("go", "Debian: apt-get install golang-go")
    source = HERE / "go"
    folder = CACHE / "conformance" / f"go-{_digest(source)}"
    program = folder / "client"
    if not program.exists():
        say("fetching franz-go and building a client with go …")
        shutil.copytree(source, folder, dirs_exist_ok=True)
        caches = {
            "GOPATH": str(CACHE / "go"),
            "GOCACHE": str(CACHE / "go-build"),
            "GOFLAGS": "-modcacherw",
        }
        _run([go, "build", "-o", "client", "."], cwd=folder, what="franz-go", env=caches)
    return [str(program), bootstrap]


def kcat_command() -> list[str]:
    """kcat, or its old name; a Debian package where we may install one."""
    for name in ("kcat", "kafkacat"):
        found = shutil.which(name)
        if found is not None:
            return [found]
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        raise Unavailable("no kcat on PATH (Debian: apt-get install kcat)")
    say("installing the Debian package kcat …")
    env = {"DEBIAN_FRONTEND": "noninteractive"}
    install = [apt, "install", "-y", "--no-install-recommends", "kcat"]
    try:
        _run(install, cwd=HERE, what="kcat", env=env)
    except Unavailable:
        _run([apt, "update"], cwd=HERE, what="kcat", env=env)
        _run(install, cwd=HERE, what="kcat", env=env)
    found = shutil.which("kcat")
    if found is None:
        raise Unavailable("the Debian package kcat brought no kcat")
    return [found]
