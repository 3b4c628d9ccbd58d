"""What only the real disk has: descriptors, pins, threads, short writes, cold reads."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue

import pytest

from riverlog.env.disk import DiskFull, StorageError
from riverlog.runtime import files
from riverlog.runtime.disk import RealDisk


class Loop:
    """Completions arrive from threads; the test runs them on its own."""

    def __init__(self) -> None:
        self.callbacks: Queue[Callable[[], None]] = Queue()

    def run_one(self) -> None:
        self.callbacks.get(timeout=30)()


@pytest.fixture
def loop() -> Loop:
    return Loop()


@pytest.fixture
def disk(loop: Loop) -> Iterator[RealDisk]:
    disk = RealDisk(loop.callbacks.put, open_files_max=4)
    yield disk
    disk.close(wait_seconds=10)


def test_open_descriptors_stay_under_the_bound(disk: RealDisk, tmp_path: Path) -> None:
    opened = [disk.open(f"{tmp_path}/{number}.log", create=True) for number in range(20)]
    for turn in range(3):
        for number, file in enumerate(opened):
            assert file.append(b"%02d" % number) == turn * 2
            assert disk.open_file_count <= 4
    assert [file.read(0, 99) for file in opened] == [b"%02d" % number * 3 for number in range(20)]


def test_pinned_descriptor_is_not_evicted(disk: RealDisk, tmp_path: Path) -> None:
    pinned = disk.open(f"{tmp_path}/pinned", create=True)
    fd = pinned.pin()
    for number in range(20):
        disk.open(f"{tmp_path}/{number}", create=True).append(b"x")
    assert pinned.fileno() == fd
    pinned.unpin()
    for number in range(20, 40):
        disk.open(f"{tmp_path}/{number}", create=True).append(b"x")
    assert pinned._fd == -1


def test_clean_files_are_closed_before_dirty_ones(disk: RealDisk, tmp_path: Path) -> None:
    dirty = disk.open(f"{tmp_path}/dirty", create=True)
    dirty.append(b"x")
    fd = dirty.fileno()
    for number in range(30):
        disk.open(f"{tmp_path}/{number}", create=True)
    assert dirty.fileno() == fd
    disk.sync([dirty])
    for number in range(30):
        disk.open(f"{tmp_path}/{number}", create=True)
    assert dirty._fd == -1


def test_slice_is_readable_after_close_and_removal_while_pinned(disk: RealDisk, tmp_path: Path) -> None:
    file = disk.open(f"{tmp_path}/gone", create=True)
    file.append(b"still here")
    fd = file.pin()
    disk.remove(file.path)
    file.close()
    assert os.pread(fd, 99, 0) == b"still here"
    assert file._fd == fd
    file.unpin()
    assert file._fd == -1  # asking the kernel would race with threads that reuse the number
    with pytest.raises(StorageError):
        file.read(0, 1)


def test_evicted_file_follows_its_rename(disk: RealDisk, tmp_path: Path) -> None:
    file = disk.open(f"{tmp_path}/old", create=True)
    file.append(b"content")
    file.rename(f"{tmp_path}/new")
    for number in range(20):
        disk.open(f"{tmp_path}/{number}", create=True).append(b"x")
    assert file.read(0, 99) == b"content"
    assert not disk.exists(f"{tmp_path}/old")


def test_short_writes_are_finished(disk: RealDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = disk.open(f"{tmp_path}/short", create=True)
    monkeypatch.setattr(files, "_pwrite", lambda fd, data, at: os.pwrite(fd, data[:3], at))
    assert file.append(b"0123456789") == 0
    assert file.append(memoryview(b"abcdefg")) == 10
    file.write_at(1, b"ZZZZZ")
    assert file.read(0, 99) == b"0ZZZZZ6789abcdefg"


@pytest.mark.parametrize(("code", "kind"), [(errno.ENOSPC, DiskFull), (errno.EIO, StorageError)])
def test_failed_append_is_cut_back(
    disk: RealDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, kind: type[StorageError]
) -> None:
    file = disk.open(f"{tmp_path}/full", create=True)
    file.append(b"before")
    calls = 0

    def fail_later(fd: int, data: bytes, at: int) -> int:
        nonlocal calls
        calls += 1
        if calls > 1:
            raise OSError(code, os.strerror(code))
        return os.pwrite(fd, data[:3], at)

    monkeypatch.setattr(files, "_pwrite", fail_later)
    with pytest.raises(StorageError) as caught:
        file.append(b"after")
    assert type(caught.value) is kind
    assert caught.value.path == file.path
    assert file.size == 6
    assert Path(file.path).read_bytes() == b"before"


def test_many_parts_are_written_in_order(disk: RealDisk, tmp_path: Path) -> None:
    file = disk.open(f"{tmp_path}/many", create=True)
    parts = [b"%04d" % number for number in range(3000)]
    assert file.append_many(parts) == 0
    assert file.append_many([b"a", bytearray(b"b"), memoryview(b"c")]) == 12_000
    assert file.append_many([]) == 12_003
    assert file.read(0, 20_000) == b"".join(parts) + b"abc"


def test_completions_run_on_the_loop_only(disk: RealDisk, loop: Loop, tmp_path: Path) -> None:
    file = disk.open(f"{tmp_path}/synced", create=True)
    file.append(b"x")
    answers: list[tuple[StorageError | None, bool]] = []
    main = threading.current_thread()
    disk.submit_sync(
        [file], [str(tmp_path)], lambda error: answers.append((error, threading.current_thread() is main))
    )
    disk.submit_sync([], [], lambda error: answers.append((error, True)))
    assert answers == []
    loop.run_one()
    loop.run_one()
    assert answers == [(None, True)] * 2
    assert file.pins == 0


def test_descriptor_stays_open_while_a_sync_is_under_way(
    disk: RealDisk, loop: Loop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    synced: list[int] = []

    def slow_sync(fd: int) -> None:
        gate.wait(30)
        synced.append(os.fstat(fd).st_size)

    monkeypatch.setattr("riverlog.runtime.disk.sync_fd", slow_sync)
    file = disk.open(f"{tmp_path}/log", create=True)
    file.append(b"12345")
    answers: list[StorageError | None] = []
    disk.submit_sync([file], [], answers.append)
    file.close()
    gate.set()
    loop.run_one()
    assert answers == [None]
    assert synced == [5]
    assert disk.open_file_count == 0


def test_failed_sync_is_reported_once_and_not_retried(
    disk: RealDisk, loop: Loop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    def broken(fd: int) -> None:
        calls.append(fd)
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("riverlog.runtime.disk.sync_fd", broken)
    file = disk.open(f"{tmp_path}/log", create=True)
    answers: list[StorageError | None] = []
    disk.submit_sync([file], [], answers.append)
    loop.run_one()
    assert len(calls) == 1
    assert isinstance(answers[0], StorageError)
    assert answers[0].path == file.path


def test_metadata_log_does_not_wait_behind_a_stuck_log_folder(
    disk: RealDisk, loop: Loop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()

    def sync(fd: int) -> None:
        if "__cluster_metadata-0" not in str(Path(f"/proc/self/fd/{fd}").readlink()):
            gate.wait(30)

    if not Path("/proc/self/fd").is_dir():
        pytest.skip("needs /proc to tell the files apart")
    monkeypatch.setattr("riverlog.runtime.disk.sync_fd", sync)
    disk.add_log_dir(str(tmp_path))
    folder = f"{tmp_path}/__cluster_metadata-0"
    disk.make_folder(folder)
    metadata = disk.open(f"{folder}/log", create=True)
    order: list[str] = []
    waiting = [disk.open(f"{tmp_path}/{number}", create=True) for number in range(8)]
    for file in waiting:
        disk.submit_sync([file], [], lambda error: order.append("topic"))
    disk.submit_sync([metadata], [], lambda error: order.append("metadata"))
    loop.run_one()
    assert order == ["metadata"]
    gate.set()
    for _ in waiting:
        loop.run_one()
    assert order == ["metadata"] + ["topic"] * 8


def test_folder_threads_are_bounded(
    disk: RealDisk, loop: Loop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    monkeypatch.setattr("riverlog.runtime.disk.sync_fd", lambda fd: gate.wait(30))
    disk.add_log_dir(str(tmp_path))
    before = threading.active_count()
    waiting = [disk.open(f"{tmp_path}/{number}", create=True) for number in range(20)]
    for file in waiting:
        disk.submit_sync([file], [], lambda error: None)
    assert threading.active_count() - before <= 4
    gate.set()
    for _ in waiting:
        loop.run_one()


def test_prefetch_makes_a_range_readable_without_waiting(disk: RealDisk, loop: Loop, tmp_path: Path) -> None:
    file = disk.open(f"{tmp_path}/cold", create=True)
    file.append(os.urandom(1 << 20))
    disk.sync([file])
    if hasattr(os, "posix_fadvise"):
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    ran: list[int] = []
    file.prefetch(0, 1 << 20, lambda: ran.append(1))
    loop.run_one()
    assert ran == [1]
    assert file.pins == 0
    assert file.is_hot(0, 1 << 20)
    assert file.read_nowait(4096, 100) == file.read(4096, 100)
    assert file.read_nowait((1 << 20) - 10, 100) == file.read((1 << 20) - 10, 100)


def test_failed_prefetch_lets_the_reader_meet_the_error(disk: RealDisk, loop: Loop, tmp_path: Path) -> None:
    file = disk.open(f"{tmp_path}/lost", create=True)
    file.append(b"x" * 10)
    for number in range(20):
        disk.open(f"{tmp_path}/{number}", create=True).append(b"x")
    disk.remove(file.path)
    ran: list[int] = []
    file.prefetch(0, 10, lambda: ran.append(1))
    loop.run_one()
    assert ran == [1]
    assert file.is_hot(0, 10)
    with pytest.raises(StorageError):
        file.read(0, 10)


def test_nowait_falls_back_to_a_plain_read(
    disk: RealDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = disk.open(f"{tmp_path}/plain", create=True)
    file.append(b"0123456789")
    monkeypatch.setattr(files.RealFile, "nowait", False)
    assert file.read_nowait(2, 4) == b"2345"
    assert file.is_hot(0, 10)


def test_preallocate_keeps_the_size(disk: RealDisk, tmp_path: Path) -> None:
    file = disk.open(f"{tmp_path}/room", create=True)
    file.append(b"x")
    file.preallocate(1 << 20)
    assert file.size == 1
    assert Path(file.path).stat().st_size == 1


def test_worker_bug_fails_the_loop_not_the_thread(disk: RealDisk, loop: Loop, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="another disk"):
        disk.submit_sync([object()], [], lambda error: None)  # type: ignore[list-item]
    pool = disk._pools[0].sync

    def bug() -> None:
        raise ZeroDivisionError

    assert pool.submit(bug, lambda answer: None)
    with pytest.raises(ZeroDivisionError):
        loop.run_one()
    assert pool.in_flight == 0


def test_waiting_sync_hears_of_the_failure_of_one_under_way(
    disk: RealDisk, loop: Loop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel tells a failed write-back once; a thread must not swallow it before a clean stop."""
    started, gate = threading.Event(), threading.Event()

    def fail_in_the_thread(fd: int) -> None:
        if threading.current_thread() is not threading.main_thread():
            started.set()
            gate.wait(30)
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("riverlog.runtime.disk.sync_fd", fail_in_the_thread)
    file = disk.open(f"{tmp_path}/log", create=True)
    answers: list[StorageError | None] = []
    disk.submit_sync([file], [], answers.append)
    assert started.wait(30)
    threading.Timer(0.01, gate.set).start()
    with pytest.raises(StorageError, match="Input/output"):
        disk.sync([file])
    loop.run_one()
    assert isinstance(answers[0], StorageError)


def test_failed_sync_sticks_to_the_file(
    disk: RealDisk, loop: Loop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = disk.open(f"{tmp_path}/log", create=True)
    with monkeypatch.context() as broken:

        def fail(fd: int) -> None:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

        broken.setattr("riverlog.runtime.disk.sync_fd", fail)
        with pytest.raises(StorageError):
            disk.sync([file])
    answers: list[StorageError | None] = []
    disk.submit_sync([file], [], answers.append)
    loop.run_one()
    assert isinstance(answers[0], StorageError)
    with pytest.raises(StorageError):
        disk.sync([file])


def test_parts_are_written_where_the_system_has_no_vector_writes(
    disk: RealDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_pwritev", files._join_and_write)
    file = disk.open(f"{tmp_path}/plain", create=True)
    assert file.append_many([b"ab", bytearray(b"cd"), memoryview(b"e")]) == 0
    assert file.append_many([b"f"]) == 5
    assert file.read(0, 10) == b"abcdef"
