"""Foreign clients fetched by package name with the ordinary tool of their world, kept under ``.cache/``."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
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


def tool(name: str, *packages: str) -> str:
    """The path of an outside program; a Debian package is installed where we may and it is missing."""
    found = shutil.which(name)
    if found is None and name == "go" and Path("/usr/local/go/bin/go").exists():
        found = "/usr/local/go/bin/go"
    if found is None:
        hint = f"no {name} on PATH (Debian: apt-get install {' '.join(packages)})"
        _install(packages, hint)
        found = shutil.which(name)
        if found is None:
            raise Unavailable(hint)
    return found


@cache
def _install(packages: tuple[str, ...], hint: str) -> None:
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0 or os.environ.get("RIVERLOG_NO_INSTALL"):
        raise Unavailable(hint)
    say(f"installing Debian packages: {' '.join(packages)} …")
    env = {"DEBIAN_FRONTEND": "noninteractive"}
    install = [apt, "install", "-y", "--no-install-recommends", *packages]
    try:
        _run(install, cwd=HERE, what=packages[0], env=env)
    except Unavailable:
        _run([apt, "update"], cwd=HERE, what=packages[0], env=env)
        _run(install, cwd=HERE, what=packages[0], env=env)


def kafkajs_command(bootstrap: str) -> list[str]:
    node = tool("node", "nodejs", "npm")
    npm = tool("npm", "npm")
    source = HERE / "js"
    folder = CACHE / "conformance" / f"js-{_digest(source)}"
    if not (folder / "ready").exists():
        say("fetching kafkajs with npm …")
        shutil.copytree(source, folder, dirs_exist_ok=True)
        flags = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error"]
        _run([npm, "install", *flags], cwd=folder, what="kafkajs")
        (folder / "ready").touch()
    return [node, str(folder / "client.mjs"), bootstrap]


def _go_caches() -> dict[str, str]:
    return {"GOPATH": str(CACHE / "go"), "GOCACHE": str(CACHE / "go-build"), "GOFLAGS": "-modcacherw"}


def _go_client() -> Path:
    """The folder with our client, built."""
    go = tool("go", "golang-go")
    source = HERE / "go"
    folder = CACHE / "conformance" / f"go-{_digest(source)}"
    if not (folder / "client").exists():
        say("fetching franz-go and building a client with go …")
        shutil.copytree(source, folder, dirs_exist_ok=True)
        _run([go, "build", "-o", "client", "."], cwd=folder, what="franz-go", env=_go_caches())
    return folder


def franz_go_command(bootstrap: str) -> list[str]:
    return [str(_go_client() / "client"), bootstrap]


def franz_go_suite() -> Path:
    """franz-go's own tests of its client, built from the module as it was fetched."""
    folder = _go_client()
    program = folder / "kgo.test"
    if not program.exists():
        go = tool("go", "golang-go")
        ask = [go, "list", "-m", "-f", "{{.Dir}}", "github.com/twmb/franz-go"]
        module = subprocess.run(
            ask, cwd=folder, env={**os.environ, **_go_caches()}, capture_output=True, text=True, check=True
        ).stdout.strip()
        say("building franz-go's own tests …")
        _run(
            [go, "test", "-c", "-mod=readonly", "-o", str(program), "./pkg/kgo"],
            cwd=Path(module),
            what="franz-go's tests",
            env=_go_caches(),
        )
    return program


def kcat_command() -> list[str]:
    """kcat, or its old name."""
    return [shutil.which("kafkacat") or tool("kcat", "kcat")]
