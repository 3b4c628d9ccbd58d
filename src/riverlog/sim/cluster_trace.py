"""What happened in a cluster run: kept as it came, put into words only when someone reads it."""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable

from riverlog.protocol.apis import ApiKey
from riverlog.sim.clock import Scheduler

LINES_KEPT = 3000
_NAMES = {int(key): key.name.lower() for key in ApiKey}


class ClusterTrace:
    """Numbers and strings in, one checksum over all; ``sink`` gets every line at once (replay)."""

    def __init__(self, scheduler: Scheduler, *, lines_kept: int = LINES_KEPT) -> None:
        self.sink: Callable[[str], None] | None = None
        self.count = 0
        self._scheduler = scheduler
        self._crc = 0
        self._lines: deque[tuple[float, str, tuple[object, ...]]] = deque(maxlen=lines_kept)
        self._story: deque[tuple[float, str, tuple[object, ...]]] = deque(maxlen=lines_kept)

    def add(self, kind: str, *details: object) -> None:
        """Details must print the same in every run: no sets, no objects."""
        now = self._scheduler.now
        self.count += 1
        self._crc = zlib.crc32(f"{now!r}{kind}{details}".encode(), self._crc)
        self._lines.append((now, kind, details))
        self._story.append((now, kind, details))
        if self.sink is not None:
            self.sink(_line(now, kind, details))

    def frame(self, arrow: str, client: str, server: str, data: bytes | bytearray | memoryview) -> None:
        """A request or the begin of a reply, by its first bytes."""
        now = self._scheduler.now
        self.count += 1
        head = bytes(data[:12])
        self._crc = zlib.crc32(head, self._crc)
        self._lines.append((now, arrow, (client, server, head, len(data))))
        if self.sink is not None:
            self.sink(_line(now, arrow, (client, server, head, len(data))))

    @property
    def digest(self) -> str:
        return f"{self._crc:08x}-{self.count}"

    def tail(self, count: int = 60) -> str:
        return "\n".join(_line(*line) for line in list(self._lines)[-count:])

    def story(self, count: int = 60) -> str:
        """The last lines that are not frames."""
        return "\n".join(_line(*line) for line in list(self._story)[-count:])


def _line(now: float, kind: str, details: tuple[object, ...]) -> str:
    if kind in ("→", "←"):
        client, server, head, size = details
        assert isinstance(head, bytes)
        if kind == "→":
            key, version = int.from_bytes(head[4:6], "big"), int.from_bytes(head[6:8], "big")
            number = int.from_bytes(head[8:12], "big")
            what = f"{_NAMES.get(key, key)} v{version} #{number}"
        else:
            what = f"reply #{int.from_bytes(head[4:8], 'big')}"
        return f"{now:10.6f} {client} {kind} {server}  {what} ({size} bytes)"
    return f"{now:10.6f} {kind} {' '.join(map(str, details))}"
