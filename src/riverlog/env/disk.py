"""Files, as storage sees them.

Reads and writes are synchronous and touch the page cache only. Nothing is durable
before a sync: file content by ``sync``/``submit_sync`` of the file; creates, renames and
removals by ``sync_folder`` of the folder that holds the name. Paths are plain strings with ``/``.

Every failing call raises ``StorageError`` (``DiskFull`` for a full disk), never ``OSError``.
A failed append leaves the file as it was or with a torn tail, never with a hole before old bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol


class StorageError(Exception):
    """The machine failed us: the log folder that holds ``path`` goes offline."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class DiskFull(StorageError):
    """No space left for ``path``."""


Buffer = bytes | bytearray | memoryview


class File(Protocol):
    """One file of a log folder, open for reading and writing.

    The descriptor behind it may be closed and reopened at any time (there is a bound on
    open ones), so a ``File`` is cheap to keep.
    """

    path: str

    @property
    def size(self) -> int: ...

    def append(self, data: Buffer) -> int:
        """Write all of ``data`` at the end; answers the position it starts at."""
        ...

    def append_many(self, parts: Sequence[Buffer]) -> int:
        """The same for several buffers in a row, in one go."""
        ...

    def read(self, position: int, length: int) -> bytes:
        """Bytes at ``position``; fewer than ``length`` at the end of the file."""
        ...

    def write_at(self, position: int, data: Buffer) -> None: ...

    def truncate(self, size: int) -> None: ...

    def preallocate(self, size: int) -> None:
        """Reserve room on disk without changing ``size``; best effort."""
        ...

    def map(self) -> memoryview:
        """A read-only view of the file as it is now. Dropped by the caller when done."""
        ...

    def rename(self, path: str) -> None:
        """Move the file; this object follows."""
        ...

    def close(self) -> None: ...


SyncDone = Callable[[StorageError | None], None]


class Disk(Protocol):
    def open(self, path: str, *, create: bool = False) -> File:
        """An existing file, or with ``create`` a new or existing one (content kept)."""
        ...

    def read_file(self, path: str) -> bytes:
        """The whole of a small file."""
        ...

    def exists(self, path: str) -> bool: ...

    def is_folder(self, path: str) -> bool: ...

    def list_folder(self, path: str) -> list[str]:
        """Names in a folder, sorted."""
        ...

    def make_folder(self, path: str) -> None:
        """Create it and what is missing above it; fine if it exists."""
        ...

    def rename(self, old: str, new: str) -> None:
        """Replaces ``new`` if it is there. Folders too."""
        ...

    def remove(self, path: str) -> None: ...

    def remove_folder(self, path: str) -> None:
        """With everything in it."""
        ...

    def sync(self, files: Sequence[File]) -> None:
        """Wait until the content of these files is on the disk. Start-up and shutdown only.

        Waits for syncs of these files that are under way too, and fails if one of them did.
        """
        ...

    def sync_folder(self, path: str) -> None:
        """Wait until creates, renames and removals in this folder are on the disk."""
        ...

    def submit_sync(self, files: Sequence[File], folders: Sequence[str], done: SyncDone) -> None:
        """Sync in the background what is written now; ``done`` runs on the loop, with the error if any."""
        ...

    def submit_remove(self, paths: Sequence[str], done: SyncDone) -> None:
        """Remove files or whole folders in the background."""
        ...

    def free_bytes(self, path: str) -> int: ...

    def total_bytes(self, path: str) -> int: ...
