"""Members of groups behind lines of JSON: ``join``, ``state`` and ``leave`` in, what happened out.

The programs in Java, Go and JavaScript speak the same lines. A member polls, and commits what it has
read before it polls again. ``committed`` holds "partition:offset" of every record behind a commit that
succeeded; what was read but not committed when a partition went away is forgotten, as the next owner
reads it again. ``gained`` and ``lost`` hold what the client's callbacks said, call by call.
"""

from __future__ import annotations

import importlib
import json
import sys
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

STOP_SECONDS_MAX = 15.0


@dataclass(frozen=True)
class Wish:
    """What a member is asked to be."""

    bootstrap: str
    group: str
    topic: str
    assignor: str  # "consumer" means the protocol of KIP-848
    instance: str | None
    session_ms: int
    heartbeat_ms: int


@dataclass
class Member:
    """What a member has seen; its own thread writes, the host reads."""

    wish: Wish
    assigned: set[int] = field(default_factory=set)
    gained: list[list[int]] = field(default_factory=list)
    lost: list[list[int]] = field(default_factory=list)
    committed: list[str] = field(default_factory=list)
    pending: list[tuple[int, int]] = field(default_factory=list)
    error: str | None = None

    def __post_init__(self) -> None:
        self.stopping = threading.Event()
        self._thread = threading.Thread(target=self._live, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self.stopping.set()
        self._thread.join(STOP_SECONDS_MAX)
        if self._thread.is_alive():
            self.error = "did not stop"

    def live(self) -> None:
        """Join, poll and commit until ``stopping``, then close."""
        raise RuntimeError("each client has its own way")

    def _live(self) -> None:
        try:
            self.live()
        except Exception as error:  # noqa: BLE001 - reported to the test, whatever it is
            self.error = f"{type(error).__name__}: {error}"

    def on_gained(self, partitions: Iterable[int]) -> None:
        gained = sorted(partitions)
        self.gained.append(gained)
        self.assigned = self.assigned | set(gained)

    def on_lost(self, partitions: Iterable[int]) -> None:
        lost = sorted(partitions)
        self.lost.append(lost)
        self.assigned = self.assigned - set(lost)
        self.pending = [place for place in self.pending if place[0] not in lost]

    def on_committed(self) -> None:
        self.committed += [f"{partition}:{offset}" for partition, offset in self.pending]
        self.pending = []

    def state(self) -> dict[str, Any]:
        names = ("gained", "lost", "committed", "error")
        return {"assigned": sorted(self.assigned), **{name: getattr(self, name) for name in names}}


def main() -> None:
    kind, bootstrap = sys.argv[1:]
    make = importlib.import_module(f"clientkit.members.{kind}").make
    members: dict[str, Member] = {}
    for line in sys.stdin:
        request = json.loads(line)
        op, name = request.pop("op"), request.pop("name")
        if op == "join":
            members[name] = make(Wish(bootstrap=bootstrap, **request))
            members[name].start()
        elif op == "leave":
            members[name].stop()
        sys.stdout.write(json.dumps({"ok": members[name].state()}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
