"""The real disk: ``env.Disk`` over system calls.

Reads and writes run on the loop's thread and touch the page cache; what waits for the
device (sync, cold read, delete) runs in bounded pools, one set per log folder, plus one
thread reserved for the Raft log (RULES: durable end 8). All state here belongs to the
loop's thread: a worker sees file descriptors only, and those are pinned while it works.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Sequence

from riverlog.env.disk import Buffer, DiskFull, File, StorageError, SyncDone
from riverlog.runtime.files import RealFile, SyncJob, storage_error, sync_fd
from riverlog.runtime.threads import Completions, WorkerPool

SYNC_THREADS = 4
READ_THREADS = 2
REMOVE_THREADS = 1
SYNC_WAIT_SECONDS = 10.0
"""How long a waiting sync gives one under way in a thread (``log.dir.fsync.timeout.ms``)."""
OPEN_FILES_MIN = 64
EVICT_SCAN_MAX = 64
METADATA_FOLDER = "/__cluster_metadata-0/"
_PREFETCH_CHUNK = 1 << 18

__all__ = ["Buffer", "DiskFull", "RealDisk", "RealFile", "StorageError"]


class _Pools:
    """The threads of one log folder, so that a stuck disk delays only its own logs."""

    __slots__ = ("prefix", "read", "remove", "sync")

    def __init__(self, path: str, number: int, sync_threads: int, completions: Completions) -> None:
        self.prefix = path.rstrip("/") + "/"
        self.sync = WorkerPool(f"sync-{number}", sync_threads, completions)
        self.read = WorkerPool(f"read-{number}", READ_THREADS, completions)
        self.remove = WorkerPool(f"remove-{number}", REMOVE_THREADS, completions)


class RealDisk:
    """``completions`` takes callbacks from any thread and runs them on the loop."""

    def __init__(
        self, completions: Completions, *, sync_threads: int = SYNC_THREADS, open_files_max: int = 0
    ) -> None:
        self.open_files_max = open_files_max or _default_open_files_max()
        self._completions = completions
        self._sync_threads = sync_threads
        self._pools = [_Pools("", 0, sync_threads, completions)]  # for paths outside every log folder
        self._metadata_pool = WorkerPool("sync-metadata", 1, completions)
        # Files with an open descriptor, in the order of a clock hand (second chance).
        self._open_files: dict[RealFile, None] = {}

    def add_log_dir(self, path: str) -> None:
        """Give ``path`` its own threads. Without this it shares those of unknown folders."""
        prefix = path.rstrip("/") + "/"
        if all(pools.prefix != prefix for pools in self._pools):
            self._pools.insert(0, _Pools(path, len(self._pools), self._sync_threads, self._completions))
            self._pools.sort(key=lambda pools: -len(pools.prefix))

    def close(self, wait_seconds: float = 0.0) -> None:
        """Close every idle descriptor and let the threads end when their queues are empty."""
        for file in list(self._open_files):
            if file.pins == 0:
                file._close_fd()
        for pools in self._pools:
            for pool in (pools.sync, pools.read, pools.remove):
                pool.close(wait_seconds)
        self._metadata_pool.close(wait_seconds)

    @property
    def open_file_count(self) -> int:
        return len(self._open_files)

    # -- names ---------------------------------------------------------------------------

    def open(self, path: str, *, create: bool = False) -> RealFile:
        if create:
            file = RealFile(self, path, 0)
            file._open_fd(os.O_CREAT)
            file.size = file._size_on_disk()
            return file
        try:
            status = os.stat(path)
        except OSError as error:
            raise storage_error(path, "open", error) from error
        if not stat.S_ISREG(status.st_mode):
            raise StorageError(path, "open: not a plain file")
        return RealFile(self, path, status.st_size)

    def read_file(self, path: str) -> bytes:
        try:
            with open(path, "rb", buffering=0) as file:
                return file.readall()
        except OSError as error:
            raise storage_error(path, "read", error) from error

    def exists(self, path: str) -> bool:
        return os.path.exists(path)

    def is_folder(self, path: str) -> bool:
        return os.path.isdir(path)

    def list_folder(self, path: str) -> list[str]:
        try:
            return sorted(os.listdir(path))
        except OSError as error:
            raise storage_error(path, "list", error) from error

    def make_folder(self, path: str) -> None:
        try:
            os.makedirs(path, exist_ok=True)
        except OSError as error:
            raise storage_error(path, "make folder", error) from error

    def rename(self, old: str, new: str) -> None:
        try:
            os.replace(old, new)
        except OSError as error:
            raise storage_error(old, f"rename to {new}", error) from error

    def remove(self, path: str) -> None:
        try:
            os.unlink(path)
        except OSError as error:
            raise storage_error(path, "remove", error) from error

    def remove_folder(self, path: str) -> None:
        error = _remove_any(path)
        if error is not None:
            raise error

    # -- durability ----------------------------------------------------------------------

    def sync(self, files: Sequence[File]) -> None:
        for file in files:
            real = _real(file)
            fd = real.pin()
            try:
                real.wait_for_syncs(SYNC_WAIT_SECONDS)
                real.dirty = False
                sync_fd(fd)
            except OSError as error:
                real.sync_error = storage_error(real.path, "fsync", error)
                raise real.sync_error from error
            finally:
                real.unpin()

    def sync_folder(self, path: str) -> None:
        error = _sync_folder(path)
        if error is not None:
            raise error

    def submit_sync(self, files: Sequence[File], folders: Sequence[str], done: SyncDone) -> None:
        pinned: list[RealFile] = []
        targets: list[tuple[int, str]] = []
        try:
            for file in files:
                real = _real(file)
                if real.sync_error is not None:
                    raise real.sync_error  # never retried: the kernel may call lost pages clean
                targets.append((real.pin(), real.path))
                pinned.append(real)
        except StorageError as error:
            self._complete(pinned, done, error)
            return
        paths = tuple(folders)
        if not targets and not paths:
            self._complete(pinned, done, None)
            return
        job = SyncJob()
        for real in pinned:
            real.dirty = False  # a write during the sync sets it again
            real.sync_jobs += (job,)

        def finish(error: StorageError | None) -> None:
            for real in pinned:
                real.sync_jobs = tuple(other for other in real.sync_jobs if other is not job)
                real.sync_error = real.sync_error or error
                real.unpin()
            done(error)

        pool = self._sync_pool(targets[0][1] if targets else paths[0] + "/")
        if not pool.submit(lambda: job.run(lambda: _sync_all(targets, paths)), finish):
            path = targets[0][1] if targets else paths[0]
            failed = StorageError(path, "fsync: no thread")
            job.run(lambda: failed)
            self._completions(lambda: finish(failed))

    def submit_remove(self, paths: Sequence[str], done: SyncDone) -> None:
        targets = tuple(paths)
        if not targets:
            self._complete([], done, None)
        elif not self._pools_of(targets[0]).remove.submit(lambda: _remove_all(targets), done):
            self._complete([], done, StorageError(targets[0], "remove: no thread"))

    def free_bytes(self, path: str) -> int:
        return self._statvfs(path)[0]

    def total_bytes(self, path: str) -> int:
        return self._statvfs(path)[1]

    # -- inside --------------------------------------------------------------------------

    def _statvfs(self, path: str) -> tuple[int, int]:
        try:
            found = os.statvfs(path)
        except OSError as error:
            raise storage_error(path, "statvfs", error) from error
        return found.f_bavail * found.f_frsize, found.f_blocks * found.f_frsize

    def _complete(self, pinned: list[RealFile], done: SyncDone, error: StorageError | None) -> None:
        """Answer without a thread, but never from inside the call that asked."""

        def finish() -> None:
            for real in pinned:
                real.unpin()
            done(error)

        self._completions(finish)

    def _pools_of(self, path: str) -> _Pools:
        for pools in self._pools:
            if path.startswith(pools.prefix):
                return pools
        return self._pools[-1]

    def _sync_pool(self, path: str) -> WorkerPool:
        if METADATA_FOLDER in path:
            return self._metadata_pool
        return self._pools_of(path).sync

    def _prefetch(self, file: RealFile, position: int, length: int, done: Callable[[], None]) -> None:
        try:
            fd = file.pin()
        except StorageError:
            file.unreadable = True
            self._completions(done)
            return
        path = file.path

        def finish(error: StorageError | None) -> None:
            file.unpin()
            file.unreadable = error is not None
            done()

        if not self._pools_of(path).read.submit(lambda: _read_through(fd, path, position, length), finish):
            self._completions(lambda: finish(StorageError(path, "read: no thread")))

    def _opened(self, file: RealFile) -> None:
        """``file`` has a descriptor now; close others while there are too many.

        A file that was used since the hand last passed gets a second chance. A dirty one is
        closed only when nothing clean is near: the kernel reports a failed write-back to the
        descriptors that were open, and may forget it once the last of them is closed.
        """
        open_files = self._open_files
        open_files[file] = None
        if len(open_files) <= self.open_files_max:
            return
        fallback: RealFile | None = None
        for _ in range(min(EVICT_SCAN_MAX, 2 * len(open_files))):
            candidate = next(iter(open_files))
            if candidate is file or candidate.pins or candidate.used:
                candidate.used = False
            elif not candidate.dirty:
                candidate._close_fd()
                return
            elif fallback is None:
                fallback = candidate
            del open_files[candidate]
            open_files[candidate] = None
        if fallback is None:
            fallback = next((one for one in open_files if one is not file and not one.pins), None)
        if fallback is not None:
            fallback._close_fd()

    def _closed(self, file: RealFile) -> None:
        self._open_files.pop(file, None)


def _real(file: File) -> RealFile:
    assert isinstance(file, RealFile), "a file of another disk"
    return file


def _default_open_files_max() -> int:
    """Half of the soft limit: the rest is for sockets, maps and the libraries we use."""
    try:
        import resource

        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    except (ImportError, OSError):
        return OPEN_FILES_MIN
    return 1 << 16 if soft < 0 else max(OPEN_FILES_MIN, min(soft // 2, 1 << 16))


# -- what the workers run: no shared state, errors as values ------------------------------


def _sync_folder(path: str) -> StorageError | None:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
    except OSError as error:
        return storage_error(path, "fsync", error)
    return None


def _sync_all(targets: list[tuple[int, str]], folders: tuple[str, ...]) -> StorageError | None:
    """Stops at the first failure: a failed fsync is never retried, its folder goes offline."""
    for fd, path in targets:
        try:
            sync_fd(fd)
        except OSError as error:
            return storage_error(path, "fsync", error)
    for folder in folders:
        failed = _sync_folder(folder)
        if failed is not None:
            return failed
    return None


def _remove_any(path: str) -> StorageError | None:
    try:
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)
    except (FileNotFoundError, NotADirectoryError):
        return None  # gone is what was asked for: a crash may have come between remove and note
    except OSError as error:
        return storage_error(path, "remove", error)
    return None


def _remove_all(paths: tuple[str, ...]) -> StorageError | None:
    first: StorageError | None = None
    for path in paths:
        failed = _remove_any(path)
        first = first or failed
    return first


def _read_through(fd: int, path: str, position: int, length: int) -> StorageError | None:
    end = position + length
    try:
        while position < end:
            got = len(os.pread(fd, min(_PREFETCH_CHUNK, end - position), position))
            if got == 0:
                break
            position += got
    except OSError as error:
        return storage_error(path, "read", error)
    return None
