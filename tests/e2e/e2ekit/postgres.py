"""A PostgreSQL server for one test run, in a temporary folder, as a user that is not root."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_PACKAGE = "postgresql"
_INSTALL_SECONDS_MAX = 600
_START_SECONDS_MAX = 60
_HINT = f"no PostgreSQL server (Debian: apt-get install {_PACKAGE})"


class PostgresUnavailable(Exception):
    """Why there is no server here."""


def _programs() -> Path | None:
    """The folder with ``initdb`` and ``pg_ctl``; Debian keeps it off the path."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders and (folders[-1] / "initdb").exists() else None


def _install() -> Path:
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0 or os.environ.get("RIVERLOG_NO_INSTALL"):
        raise PostgresUnavailable(_HINT)
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = [apt, "install", "-y", "--no-install-recommends", _PACKAGE]
    for command in (install, [apt, "update"], install):
        try:
            done = subprocess.run(
                command, env=env, capture_output=True, check=False, timeout=_INSTALL_SECONDS_MAX
            )
        except subprocess.TimeoutExpired:
            raise PostgresUnavailable(f"{_HINT}; installing it took too long") from None
        found = _programs()
        if found is not None:
            return found
        if done.returncode != 0 and command[1] == "update":
            break
    raise PostgresUnavailable(f"{_HINT}; it could not be installed")


def _other_user() -> dict[str, Any]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise PostgresUnavailable("PostgreSQL does not run as root, and there is no other user")


@contextmanager
def postgres() -> Iterator[str]:
    """A running server; gives the connection string of an empty database."""
    programs = _programs() or _install()
    user = _other_user()
    folder = Path(tempfile.mkdtemp(prefix="riverlog-pg-"))
    try:
        if user:
            os.chown(folder, user["user"], user["group"])
        data = folder / "data"
        _run(
            [programs / "initdb", "-D", data, "-A", "trust", "-U", "shop", "-E", "UTF8", "--no-sync"],
            folder,
            user,
        )
        options = f"-c listen_addresses='' -c fsync=off -k {folder}"
        control = [programs / "pg_ctl", "-D", data, "-w", "-t", str(_START_SECONDS_MAX)]
        _run([*control, "-o", options, "-l", folder / "log", "start"], folder, user)
        try:
            yield f"host={folder} user=shop dbname=postgres"
        finally:
            _run([*control, "-m", "immediate", "stop"], folder, user)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str | Path], folder: Path, user: dict[str, Any]) -> None:
    with (folder / "setup.out").open("ab") as out:
        done = subprocess.run(
            [str(word) for word in command],
            cwd=folder,
            stdout=out,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
            check=False,
            timeout=2 * _START_SECONDS_MAX,
            **user,
        )
    if done.returncode != 0:
        said = (folder / "setup.out").read_text(errors="replace").strip().splitlines()
        raise AssertionError(f"{command[0]} failed: {' | '.join(said[-3:])}")
