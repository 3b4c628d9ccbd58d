"""The simulated disk: ``env.Disk`` over ``Media``, with faults from a script or a seed.

One ``SimDisk`` per process life; the ``Media`` under it outlives the process. The rules are
those of the real disk, taken at their word: a handle whose path no longer names its file
fails (the real descriptor may have been closed meanwhile), and truncating a file under a
live map is an error here because it would kill a real process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from riverlog.env.disk import Buffer, DiskFull, File, StorageError, SyncDone
from riverlog.sim.clock import Events
from riverlog.sim.media import (
    Create,
    Death,
    Folder,
    Inode,
    Journal,
    MakeFolder,
    Media,
    MediaError,
    Op,
    Remove,
    Rename,
    SyncBegin,
    SyncEnd,
    Truncate,
    Write,
)
from riverlog.sim.rng import SimRng
from riverlog.sim.trace import Trace

T = TypeVar("T")


class PowerCut(BaseException):
    """The power goes, or the process is killed, in the middle of this call.

    Not an ``Exception``: nothing in the product may catch it.
    """


@dataclass(slots=True)
class Fault:
    """Fail the calls named ``call`` on paths that contain ``path``.

    Calls: ``write read truncate create rename remove sync sync_folder``. ``skip`` calls pass first,
    then ``times`` fail. ``torn`` leaves part of the data of a failed append behind.
    """

    call: str
    path: str = ""
    skip: int = 0
    times: int = 1
    kind: type[StorageError] = StorageError
    torn: bool = False

    def hits(self, call: str, path: str) -> bool:
        if call != self.call or self.path not in path or self.times <= 0:
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        self.times -= 1
        return True


@dataclass(slots=True)
class Latency:
    """How long background syncs and removals take; ``stuck_chance`` of them take ``stuck_seconds``."""

    low_seconds: float = 0.0001
    high_seconds: float = 0.002
    stuck_chance: float = 0.0
    stuck_seconds: float = 60.0

    def draw(self, rng: SimRng) -> float:
        if self.stuck_chance and rng.chance(self.stuck_chance):
            return self.stuck_seconds
        return rng.uniform(self.low_seconds, self.high_seconds)


@dataclass(slots=True)
class Setup:
    """What a test may set on a disk; the defaults are a healthy one."""

    capacity_bytes: int = 1 << 40
    latency: Latency = field(default_factory=Latency)
    faults: list[Fault] = field(default_factory=list)
    journal: Journal | None = None
    trace: Trace | None = None


@dataclass(slots=True)
class _InFlight:
    """A background sync: what it covers, and how it went once it is done."""

    files: tuple[File, ...]
    paths: tuple[str, ...]
    folders: tuple[str, ...]
    error: StorageError | None = None


class SimFile:
    """Made by ``SimDisk.open``. Tracks its size itself, like the real one."""

    __slots__ = ("_closed", "_disk", "_inode", "_maps", "_seen", "path", "pins", "size")

    def __init__(self, disk: SimDisk, path: str, inode: Inode) -> None:
        self.path = path
        self.size = len(inode.content)
        self.pins = 0
        self._disk = disk
        self._inode = inode
        self._seen = disk.media.names_stamp
        self._closed = False
        self._maps: list[bytearray] = []

    def __repr__(self) -> str:
        return f"SimFile({self.path!r}, size={self.size})"

    # -- writing -------------------------------------------------------------------------

    def append(self, data: Buffer) -> int:
        return self._append(bytes(data))

    def append_many(self, parts: Sequence[Buffer]) -> int:
        return self._append(b"".join(parts))

    def write_at(self, position: int, data: Buffer) -> None:
        self._check()
        self._disk._write(self.path, position, bytes(data))
        self.size = max(self.size, position + len(data))

    def truncate(self, size: int) -> None:
        self._check()
        self._drop_dead_maps()
        assert all(len(one) <= size for one in self._maps), f"{self.path} truncated under a live map"
        self._disk._fail_if_asked("truncate", self.path)
        self._disk._do(Truncate(self.path, size))
        self.size = size

    def preallocate(self, size: int) -> None:
        self._check()

    # -- reading -------------------------------------------------------------------------

    def read(self, position: int, length: int) -> bytes:
        if not self.pins:
            self._check()
        self._disk._fail_if_asked("read", self.path)
        return bytes(self._inode.content[position : position + length])

    def peek(self, position: int, length: int) -> bytes:
        """What a checker sees: no fault hits it, no handle has to be open."""
        return bytes(self._inode.content[position : position + length])

    def map(self) -> memoryview:
        self._check()
        self._drop_dead_maps()
        copy = self._inode.content[: self.size]
        self._maps.append(copy)
        return memoryview(copy).toreadonly()

    # -- the handle ----------------------------------------------------------------------

    def pin(self) -> None:
        """Reads go on working after ``close`` and removal, until ``unpin``."""
        self._check()
        self.pins += 1

    def unpin(self) -> None:
        assert self.pins > 0, "unpin without pin"
        self.pins -= 1

    def rename(self, path: str) -> None:
        self._check()
        self._disk.rename(self.path, path)
        self.path = path

    def close(self) -> None:
        self._closed = True

    # -- inside --------------------------------------------------------------------------

    def _append(self, data: bytes) -> int:
        self._check()
        position = self.size
        if data:
            self._disk._write(self.path, position, data)
        self.size = position + len(data)
        return position

    def _check(self) -> None:
        disk = self._disk
        disk._check_alive()
        if self._closed:
            raise StorageError(self.path, "closed")
        stamp = disk.media.names_stamp
        if stamp != self._seen:
            if disk.media.find(self.path) is not self._inode:
                raise StorageError(self.path, "open: no such file")
            self._seen = stamp

    def _drop_dead_maps(self) -> None:
        self._maps = [one for one in self._maps if _is_exported(one)]


class SimDisk:
    """``env.Disk``. Background work completes through the scheduler."""

    def __init__(self, media: Media, scheduler: Events, rng: SimRng, setup: Setup | None = None) -> None:
        self.media = media
        self.setup = setup or Setup()
        self.alive = True
        self.op_count = 0
        self.cut_at: int | None = None
        """Raise ``PowerCut`` at the change with this number; a write is applied in part."""
        self._scheduler = scheduler
        self._rng = rng
        self._sync_number = 0
        self._in_flight: dict[int, _InFlight] = {}

    def kill(self) -> None:
        """The process is gone: no completion runs, no call works. The page cache stays."""
        if self.alive:
            self._apply(Death())
            self.alive = False

    # -- names ---------------------------------------------------------------------------

    def open(self, path: str, *, create: bool = False) -> SimFile:
        self._check_alive()
        if create and self.media.find(path) is None:
            self._fail_if_asked("create", path)
            if self.media.used_bytes >= self.setup.capacity_bytes:
                raise DiskFull(path, "create: no space left")
            self._do(Create(path))
        return SimFile(self, path, self._media_call(path, lambda: self.media.file(path)))

    def read_file(self, path: str) -> bytes:
        self._check_alive()
        self._fail_if_asked("read", path)
        return bytes(self._media_call(path, lambda: self.media.file(path)).content)

    def exists(self, path: str) -> bool:
        self._check_alive()
        return self.media.find(path) is not None

    def is_folder(self, path: str) -> bool:
        self._check_alive()
        return isinstance(self.media.find(path), Folder)

    def list_folder(self, path: str) -> list[str]:
        self._check_alive()
        return sorted(self._media_call(path, lambda: self.media.folder(path)).entries)

    def make_folder(self, path: str) -> None:
        self._check_alive()
        done = ""
        for name in path.strip("/").split("/"):
            done = f"{done}/{name}"
            node = self.media.find(done)
            if isinstance(node, Inode):
                raise StorageError(path, f"make folder: {done} is a file")
            if node is None:
                self._fail_if_asked("create", done)
                self._do(MakeFolder(done))

    def rename(self, old: str, new: str) -> None:
        self._check_alive()
        self._fail_if_asked("rename", old)
        self._do(Rename(old, new))

    def remove(self, path: str) -> None:
        self._check_alive()
        self._media_call(path, lambda: self.media.file(path))
        self._fail_if_asked("remove", path)
        self._do(Remove(path))

    def remove_folder(self, path: str) -> None:
        """One removal after the other, as a real disk does it: a cut may come between."""
        self._check_alive()
        node = self.media.find(path)
        if node is None:
            return
        if isinstance(node, Folder):
            for name in sorted(node.entries):
                self.remove_folder(f"{path}/{name}")
        self._fail_if_asked("remove", path)
        self._do(Remove(path))

    # -- durability ----------------------------------------------------------------------

    def sync(self, files: Sequence[File]) -> None:
        for file in files:
            self._wait_for_syncs(file)
            failed = self._end_sync(self._begin_sync([file], []), [file.path], [])
            if failed is not None:
                raise failed

    def sync_folder(self, path: str) -> None:
        failed = self._end_sync(self._begin_sync([], [path]), [], [path])
        if failed is not None:
            raise failed

    def submit_sync(self, files: Sequence[File], folders: Sequence[str], done: SyncDone) -> None:
        try:
            number = self._begin_sync(files, folders)
        except StorageError as error:
            failed = error
            self._later(lambda: done(failed))
            return
        flight = _InFlight(tuple(files), tuple(file.path for file in files), tuple(folders))
        self._in_flight[number] = flight

        def finish() -> None:
            self._land(number, flight)
            done(flight.error)

        self._later(finish)

    def _wait_for_syncs(self, file: File) -> None:
        """A sync of the same file that is under way comes first, and its failure is ours."""
        for number, flight in list(self._in_flight.items()):
            if any(other is file for other in flight.files):
                self._land(number, flight)
                if flight.error is not None:
                    raise flight.error

    def _land(self, number: int, flight: _InFlight) -> None:
        if self._in_flight.pop(number, None) is not None:
            flight.error = self._end_sync(number, flight.paths, flight.folders)

    def submit_remove(self, paths: Sequence[str], done: SyncDone) -> None:
        targets = list(paths)

        def finish() -> None:
            first: StorageError | None = None
            for path in targets:
                try:
                    self.remove_folder(path)
                except StorageError as error:
                    first = first or error
            done(first)

        self._later(finish)

    def free_bytes(self, path: str) -> int:
        return max(0, self.setup.capacity_bytes - self.media.used_bytes)

    def total_bytes(self, path: str) -> int:
        return self.setup.capacity_bytes

    # -- damage --------------------------------------------------------------------------

    def flip_bit(self, path: str, bit: int) -> None:
        """Fault B: the disk itself changed a bit, seen at once and for ever."""
        inode = self.media.file(path)
        for content in (inode.content, inode.durable):
            if bit // 8 < len(content):
                content[bit // 8] ^= 1 << bit % 8

    def chop(self, path: str, size: int) -> None:
        """Fault B: the file lost its end."""
        inode = self.media.file(path)
        del inode.content[size:]
        del inode.durable[size:]

    # -- inside --------------------------------------------------------------------------

    def _check_alive(self) -> None:
        assert self.alive, "a dead process touched its disk"

    def _do(self, op: Op) -> None:
        """The one door for changes: numbered, traced, journalled, cut."""
        self._check_alive()
        self.op_count += 1
        if self.cut_at is not None and self.op_count >= self.cut_at:
            if isinstance(op, Write):
                kept = op.data[: self._rng.random_int(0, len(op.data))]
                self._apply(Write(op.path, op.position, kept))
            self.kill()
            raise PowerCut
        self._apply(op)

    def _apply(self, op: Op) -> None:
        setup = self.setup
        path = op.path if isinstance(op, Write | Truncate | Create | MakeFolder | Remove) else repr(op)
        try:
            self.media.apply(op)
        except MediaError as error:
            raise StorageError(path, f"{type(op).__name__.lower()}: {error}") from error
        if setup.journal is not None:
            setup.journal.ops.append(op)
        if setup.trace is not None:
            if isinstance(op, Write):
                setup.trace.add("write", op.path, op.position, op.data)
            else:
                setup.trace.add("disk", op)

    def _write(self, path: str, position: int, data: bytes) -> None:
        for fault in self.setup.faults:
            if fault.hits("write", path):
                if fault.torn and data:
                    self._do(Write(path, position, data[: self._rng.random_int(0, len(data) - 1)]))
                raise fault.kind(path, "write: injected")
        grows = position + len(data) - len(self.media.file(path).content)
        if grows > 0 and self.media.used_bytes + grows > self.setup.capacity_bytes:
            raise DiskFull(path, "write: no space left")
        self._do(Write(path, position, data))

    def _fail_if_asked(self, call: str, path: str) -> None:
        for fault in self.setup.faults:
            if fault.hits(call, path):
                raise fault.kind(path, f"{call}: injected")

    def _asked_failure(self, files: Sequence[str], folders: Sequence[str]) -> StorageError | None:
        for call, paths in (("sync", files), ("sync_folder", folders)):
            for path in paths:
                for fault in self.setup.faults:
                    if fault.hits(call, path):
                        return fault.kind(path, f"{call}: injected")
        return None

    def _begin_sync(self, files: Sequence[File], folders: Sequence[str]) -> int:
        self._check_alive()
        for file in files:
            assert isinstance(file, SimFile), "a file of another disk"
            file._check()
        self._sync_number += 1
        number = self._sync_number
        self._do(SyncBegin(number, tuple(file.path for file in files), tuple(folders)))
        return number

    def _end_sync(self, number: int, files: Sequence[str], folders: Sequence[str]) -> StorageError | None:
        failed = self._asked_failure(files, folders)
        self._do(SyncEnd(number, failed is None))
        return failed

    def _later(self, callback: Callable[[], None]) -> None:
        def run() -> None:
            if self.alive:
                callback()

        self._scheduler.call_later(self.setup.latency.draw(self._rng), run)

    def _media_call(self, path: str, call: Callable[[], T]) -> T:
        try:
            return call()
        except MediaError as error:
            raise StorageError(path, str(error)) from error


def _is_exported(buffer: bytearray) -> bool:
    """Whether someone still holds a view: a ``bytearray`` refuses to be resized then."""
    try:
        buffer.append(0)
    except BufferError:
        return True
    return False
