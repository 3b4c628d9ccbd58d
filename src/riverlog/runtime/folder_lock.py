"""One process per log folder: Kafka's ``.lock`` file, held with an exclusive lock while we run."""

from __future__ import annotations

import fcntl
import os


class FolderLocked(Exception):
    """Another process uses the folder: one line for the user."""


class FolderLock:
    """Taken in the constructor; released by ``release`` or by the end of the process."""

    def __init__(self, folder: str) -> None:
        path = os.path.join(folder, ".lock")
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.lockf(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._fd)
            raise FolderLocked(
                f"the data folder {folder} is in use by another process; stop it or choose another --data-dir"
            ) from error

    def release(self) -> None:
        os.close(self._fd)
