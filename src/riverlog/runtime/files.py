"""One real file: tracked size, lazy descriptor, pins for slices on their way to a socket."""

from __future__ import annotations

import errno
import mmap
import os
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from riverlog.env.disk import Buffer, DiskFull, StorageError

if TYPE_CHECKING:
    from riverlog.runtime.disk import RealDisk

_pread = os.pread
_pwrite = os.pwrite


def _join_and_write(fd: int, parts: Sequence[Buffer], position: int, /) -> int:
    """For systems without ``pwritev``."""
    return os.pwrite(fd, b"".join(parts), position)


_pwritev: Callable[[int, Sequence[Buffer], int], int] = getattr(os, "pwritev", _join_and_write)
_IOV_MAX = 1024
_FALLOC_FL_KEEP_SIZE = 1
_RWF_NOWAIT: int = getattr(os, "RWF_NOWAIT", 0)
_PROBE_STEP = 128 * 1024  # the kernel's usual read-ahead: a hole in the cache is seldom smaller
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


def storage_error(path: str, action: str, error: OSError) -> StorageError:
    kind = DiskFull if error.errno in _FULL else StorageError
    return kind(path, f"{action}: {error.strerror or error}")


if sys.platform == "darwin":
    import fcntl

    def sync_fd(fd: int) -> None:
        """``fsync`` on macOS stops at the drive's cache; this asks the drive too."""
        fcntl.fcntl(fd, fcntl.F_FULLFSYNC)

else:

    def sync_fd(fd: int) -> None:
        os.fdatasync(fd)


class SyncJob:
    """A sync under way in a thread, for one who has to wait for it."""

    __slots__ = ("error", "finished")

    def __init__(self) -> None:
        self.error: StorageError | None = None
        self.finished = threading.Event()

    def run(self, work: Callable[[], StorageError | None]) -> StorageError | None:
        self.error = work()
        self.finished.set()
        return self.error


class RealFile:
    """Made by ``RealDisk.open``. ``pins``, ``used`` and ``dirty`` are the disk's book-keeping."""

    __slots__ = (
        "__weakref__",
        "_closed",
        "_disk",
        "_fd",
        "dirty",
        "path",
        "pins",
        "size",
        "sync_error",
        "sync_jobs",
        "unreadable",
        "used",
    )

    nowait = _RWF_NOWAIT != 0
    """Whether the kernel can say that a range is cold; cleared where a file system refuses."""

    def __init__(self, disk: RealDisk, path: str, size: int) -> None:
        self.path = path
        self.size = size
        self.pins = 0
        self.used = False
        self.dirty = False
        self.sync_error: StorageError | None = None
        """A failed sync sticks: asking again may answer well and have saved nothing."""
        self.sync_jobs: tuple[SyncJob, ...] = ()
        self.unreadable = False
        self._disk = disk
        self._fd = -1
        self._closed = False

    def __repr__(self) -> str:
        return f"RealFile({self.path!r}, size={self.size})"

    # -- writing -------------------------------------------------------------------------

    def append(self, data: Buffer) -> int:
        fd = self._fd
        if fd < 0:
            fd = self._open_fd()
        self.used = self.dirty = True
        position = self.size
        try:
            written = _pwrite(fd, data, position)
        except OSError as error:
            raise self._cut_back(position, error) from error
        if written != len(data):
            self._write_rest(fd, memoryview(data)[written:], position + written, position)
        self.size = position + len(data)
        return position

    def append_many(self, parts: Sequence[Buffer]) -> int:
        fd = self._fd
        if fd < 0:
            fd = self._open_fd()
        self.used = self.dirty = True
        position = self.size
        total = 0
        for part in parts:
            total += len(part)
        if len(parts) > _IOV_MAX:
            parts = [b"".join(parts)]
        try:
            written = _pwritev(fd, parts, position) if total else 0
        except OSError as error:
            raise self._cut_back(position, error) from error
        if written != total:
            rest = memoryview(b"".join(parts))[written:]
            self._write_rest(fd, rest, position + written, position)
        self.size = position + total
        return position

    def write_at(self, position: int, data: Buffer) -> None:
        fd = self._fd
        if fd < 0:
            fd = self._open_fd()
        self.used = self.dirty = True
        rest = memoryview(data)
        at = position
        try:
            while rest:
                written = _pwrite(fd, rest, at)
                rest = rest[written:]
                at += written
        except OSError as error:
            raise storage_error(self.path, "write", error) from error
        self.size = max(self.size, at)

    def truncate(self, size: int) -> None:
        fd = self._fd
        if fd < 0:
            fd = self._open_fd()
        self.dirty = True
        try:
            os.ftruncate(fd, size)
        except OSError as error:
            raise storage_error(self.path, "truncate", error) from error
        self.size = size

    def preallocate(self, size: int) -> None:
        fd = self._fd
        if fd < 0:
            fd = self._open_fd()
        _fallocate(fd, size)

    # -- reading -------------------------------------------------------------------------

    def read(self, position: int, length: int) -> bytes:
        fd = self._fd
        if fd < 0:
            fd = self._open_fd()
        self.used = True
        try:
            data = _pread(fd, length, position)
            if len(data) < length and position + len(data) < self.size:
                data = self._read_rest(fd, data, position, length)
        except OSError as error:
            raise storage_error(self.path, "read", error) from error
        return data

    def read_nowait(self, position: int, length: int) -> bytes | bytearray | None:
        """The bytes if all are in the page cache, else None. Plain read where that is unknown."""
        if not RealFile.nowait:
            return self.read(position, length)
        length = max(0, min(length, self.size - position))
        fd = self._fd
        if fd < 0:
            fd = self._open_fd()
        self.used = True
        data = bytearray(length)
        try:
            got = os.preadv(fd, [data], position, _RWF_NOWAIT)
        except BlockingIOError:
            return None
        except OSError as error:
            if error.errno in (errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL):
                RealFile.nowait = False
                return self.read(position, length)
            raise storage_error(self.path, "read", error) from error
        return data if got == length else None

    def is_hot(self, position: int, length: int) -> bool:
        """Whether the range seems to be in the page cache: looks every 128 KiB, not at every page.

        Also true after a prefetch failed, so that the reader meets the error instead of waiting again.
        """
        if self.unreadable:
            return True
        end = min(position + length, self.size)
        at = position
        while at < end:
            if self.read_nowait(at, 1) is None:
                return False
            at += _PROBE_STEP
        return end <= position or self.read_nowait(end - 1, 1) is not None

    def prefetch(self, position: int, length: int, done: Callable[[], None]) -> None:
        """Bring a range into the page cache in a thread; ``done`` runs on the loop."""
        self._disk._prefetch(self, position, length, done)

    def map(self) -> memoryview:
        """Truncating the file under a live map kills the process: drop the map first."""
        if self.size == 0:
            return memoryview(b"")
        fd = self._fd
        if fd < 0:
            fd = self._open_fd()
        self.used = True
        try:
            return memoryview(mmap.mmap(fd, self.size, access=mmap.ACCESS_READ))
        except (OSError, ValueError) as error:
            raise StorageError(self.path, f"map: {error}") from error

    # -- descriptor ----------------------------------------------------------------------

    def fileno(self) -> int:
        """The descriptor, valid until the next call on this disk; ``pin`` to keep it."""
        return self._fd if self._fd >= 0 else self._open_fd()

    def pin(self) -> int:
        """Keep the descriptor open, over eviction, ``close`` and removal, until ``unpin``."""
        fd = self._fd
        if fd < 0:
            fd = self._open_fd()
        self.pins += 1
        return fd

    def unpin(self) -> None:
        assert self.pins > 0, "unpin without pin"
        self.pins -= 1
        if self.pins == 0 and self._closed:
            self._close_fd()

    def wait_for_syncs(self, seconds_max: float) -> None:
        """Until no thread syncs this file any more. Raises if one failed or does not come back:
        the kernel tells a failed write-back once, and that thread may have been the one to hear it."""
        for job in self.sync_jobs:
            if not job.finished.wait(seconds_max):
                raise StorageError(self.path, f"fsync: not back within {seconds_max:g} s")
            self.sync_error = self.sync_error or job.error
        if self.sync_error is not None:
            raise self.sync_error

    def rename(self, path: str) -> None:
        try:
            os.replace(self.path, path)
        except OSError as error:
            raise storage_error(self.path, f"rename to {path}", error) from error
        self.path = path

    def close(self) -> None:
        """No reads or writes after this; slices that are pinned still leave."""
        self._closed = True
        if self.pins == 0:
            self._close_fd()

    # -- inside --------------------------------------------------------------------------

    def _open_fd(self, flags: int = 0) -> int:
        if self._closed:
            raise StorageError(self.path, "closed")
        try:
            fd = os.open(self.path, os.O_RDWR | os.O_CLOEXEC | flags, 0o644)
        except OSError as error:
            raise storage_error(self.path, "open", error) from error
        self._fd = fd
        self.used = True
        self._disk._opened(self)
        return fd

    def _close_fd(self) -> None:
        fd = self._fd
        if fd >= 0:
            self._fd = -1
            self._disk._closed(self)
            os.close(fd)

    def _size_on_disk(self) -> int:
        try:
            return os.fstat(self._fd).st_size
        except OSError as error:
            raise storage_error(self.path, "open", error) from error

    def _write_rest(self, fd: int, rest: memoryview, at: int, start: int) -> None:
        """Finish a short append; when that fails too, cut back to ``start``."""
        try:
            while rest:
                written = _pwrite(fd, rest, at)
                rest = rest[written:]
                at += written
        except OSError as error:
            raise self._cut_back(start, error) from error

    def _cut_back(self, size: int, error: OSError) -> StorageError:
        try:
            os.ftruncate(self._fd, size)
        except OSError as second:
            return storage_error(self.path, f"write failed ({error.strerror}), so did cutting back", second)
        return storage_error(self.path, "write", error)

    def _read_rest(self, fd: int, data: bytes, position: int, length: int) -> bytes:
        parts = [data]
        got = len(data)
        while got < length:
            more = _pread(fd, length - got, position + got)
            if not more:
                break
            parts.append(more)
            got += len(more)
        return b"".join(parts)


def _fallocate(fd: int, size: int) -> None:
    """``fallocate`` that keeps the size; the ``os`` module only has the form that changes it."""
    if sys.platform != "linux":
        return
    import ctypes  # rarely needed, and slow to import

    call = ctypes.CDLL(None, use_errno=True).fallocate
    call.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64]
    call(fd, _FALLOC_FL_KEEP_SIZE, 0, size)  # best effort: a refusal changes nothing
