"""One contract, two disks: whatever storage may rely on holds for the real and the simulated one."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from typing import Protocol

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from riverlog.env.disk import Disk, StorageError
from riverlog.runtime.disk import RealDisk
from riverlog.sim.clock import Scheduler
from riverlog.sim.disk import SimDisk
from riverlog.sim.media import Media
from riverlog.sim.rng import SimRng


class World(Protocol):
    disk: Disk
    root: str

    def run_one(self) -> None:
        """Wait for one completion and run it."""

    def close(self) -> None: ...


class RealWorld:
    def __init__(self, root: str) -> None:
        self._callbacks: Queue[Callable[[], None]] = Queue()
        self._disk = RealDisk(self._callbacks.put, open_files_max=3)
        self.disk: Disk = self._disk
        self.root = root

    def run_one(self) -> None:
        self._callbacks.get(timeout=30)()

    def close(self) -> None:
        self._disk.close(wait_seconds=10)


class SimWorld:
    def __init__(self) -> None:
        self._scheduler = Scheduler()
        self.disk: Disk = SimDisk(Media(), self._scheduler, SimRng(1))
        self.root = "/data"
        self.disk.make_folder(self.root)

    def run_one(self) -> None:
        assert self._scheduler.step()

    def close(self) -> None:
        pass


@pytest.fixture(params=["real", "sim"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    world: World = RealWorld(str(tmp_path)) if request.param == "real" else SimWorld()
    yield world
    world.close()


def test_append_answers_the_position_and_keeps_the_size(world: World) -> None:
    file = world.disk.open(f"{world.root}/log", create=True)
    assert file.append(b"abc") == 0
    assert file.append(bytearray(b"de")) == 3
    assert file.append(memoryview(b"xfx")[1:2]) == 5
    assert file.append_many([b"g", memoryview(b"hi"), b""]) == 6
    assert file.append(b"") == 9
    assert file.size == 9
    assert file.read(0, 100) == b"abcdefghi"
    assert file.read(2, 3) == b"cde"
    assert file.read(9, 3) == b""
    assert file.read(50, 3) == b""


def test_open_keeps_content_and_finds_the_size(world: World) -> None:
    path = f"{world.root}/log"
    first = world.disk.open(path, create=True)
    first.append(b"12345")
    first.close()
    assert world.disk.open(path).size == 5
    again = world.disk.open(path, create=True)
    assert again.size == 5
    again.append(b"6")
    assert world.disk.read_file(path) == b"123456"


def test_write_at_changes_in_place_and_extends(world: World) -> None:
    file = world.disk.open(f"{world.root}/index", create=True)
    file.append(b"aaaaaa")
    file.write_at(2, b"BB")
    assert (file.size, file.read(0, 99)) == (6, b"aaBBaa")
    file.write_at(5, b"CCC")
    assert (file.size, file.read(0, 99)) == (8, b"aaBBaCCC")
    file.write_at(10, b"D")
    assert (file.size, file.read(0, 99)) == (11, b"aaBBaCCC\0\0D")
    assert file.append(b"E") == 11


def test_truncate_cuts_and_the_next_append_starts_there(world: World) -> None:
    file = world.disk.open(f"{world.root}/log", create=True)
    file.append(b"0123456789")
    file.truncate(4)
    assert (file.size, file.read(0, 99)) == (4, b"0123")
    assert file.append(b"xy") == 4
    assert file.read(0, 99) == b"0123xy"
    file.truncate(8)
    assert (file.size, file.read(0, 99)) == (8, b"0123xy\0\0")


def test_preallocate_changes_neither_size_nor_content(world: World) -> None:
    file = world.disk.open(f"{world.root}/log", create=True)
    file.append(b"x")
    file.preallocate(1 << 16)
    assert file.append(b"y") == 1
    assert world.disk.read_file(file.path) == b"xy"


def test_map_is_a_read_only_view_of_the_file_as_it_is(world: World) -> None:
    file = world.disk.open(f"{world.root}/index", create=True)
    assert bytes(file.map()) == b""
    file.append(b"0123456789")
    view = file.map()
    assert len(view) == 10
    assert view.readonly
    assert bytes(view[3:5]) == b"34"
    file.append(b"more")
    assert bytes(view) == b"0123456789"
    view.release()


def test_file_follows_its_rename_and_replaces_the_target(world: World) -> None:
    file = world.disk.open(f"{world.root}/a", create=True)
    file.append(b"new")
    world.disk.open(f"{world.root}/b", create=True).append(b"old content")
    file.rename(f"{world.root}/b")
    assert file.path == f"{world.root}/b"
    assert world.disk.list_folder(world.root) == ["b"]
    file.append(b"er")
    assert world.disk.read_file(f"{world.root}/b") == b"newer"


def test_disk_rename_moves_folders_with_their_files(world: World) -> None:
    folder = f"{world.root}/topic-0"
    world.disk.make_folder(folder)
    world.disk.open(f"{folder}/log", create=True).append(b"x")
    world.disk.rename(folder, f"{folder}-delete")
    assert not world.disk.exists(folder)
    assert world.disk.read_file(f"{folder}-delete/log") == b"x"


def test_rename_refuses_to_replace_a_full_folder_or_mix_kinds(world: World) -> None:
    disk, root = world.disk, world.root
    disk.make_folder(f"{root}/full/inside")
    disk.make_folder(f"{root}/other")
    disk.open(f"{root}/file", create=True)
    for old, new in (("other", "full"), ("file", "full"), ("full", "file"), ("missing", "x")):
        with pytest.raises(StorageError):
            disk.rename(f"{root}/{old}", f"{root}/{new}")
    disk.rename(f"{root}/full", f"{root}/other")
    assert disk.list_folder(root) == ["file", "other"]


def test_names_are_listed_sorted_and_typed(world: World) -> None:
    disk, root = world.disk, world.root
    disk.make_folder(f"{root}/c/d/e")
    disk.make_folder(f"{root}/c/d/e")
    disk.open(f"{root}/b", create=True)
    disk.open(f"{root}/a", create=True)
    assert disk.list_folder(root) == ["a", "b", "c"]
    assert disk.is_folder(f"{root}/c/d/e")
    assert not disk.is_folder(f"{root}/a")
    assert disk.exists(f"{root}/a")
    assert disk.exists(f"{root}/c")
    assert not disk.exists(f"{root}/z")
    with pytest.raises(StorageError):
        disk.make_folder(f"{root}/a/below")


def test_removal(world: World) -> None:
    disk, root = world.disk, world.root
    disk.make_folder(f"{root}/topic/sub")
    disk.open(f"{root}/topic/log", create=True)
    disk.open(f"{root}/one", create=True)
    disk.remove(f"{root}/one")
    with pytest.raises(StorageError):
        disk.remove(f"{root}/one")
    with pytest.raises(StorageError):
        disk.remove(f"{root}/topic")
    disk.remove_folder(f"{root}/topic")
    disk.remove_folder(f"{root}/topic")
    assert disk.list_folder(root) == []


def test_missing_paths_are_storage_errors_that_name_the_path(world: World) -> None:
    disk = world.disk
    path = f"{world.root}/missing"
    for call in (
        lambda: disk.open(path),
        lambda: disk.open(f"{path}/below", create=True),
        lambda: disk.open(world.root),
        lambda: disk.read_file(path),
        lambda: disk.list_folder(path),
        lambda: disk.remove(path),
        lambda: disk.sync_folder(path),
        lambda: disk.rename(path, f"{path}2"),
    ):
        with pytest.raises(StorageError) as caught:
            call()
        assert world.root in caught.value.path


def test_closed_file_is_a_storage_error(world: World) -> None:
    file = world.disk.open(f"{world.root}/log", create=True)
    file.append(b"x")
    file.close()
    file.close()
    with pytest.raises(StorageError):
        file.read(0, 1)
    with pytest.raises(StorageError):
        file.append(b"y")
    assert world.disk.read_file(f"{world.root}/log") == b"x"


def test_background_sync_answers_later_and_once(world: World) -> None:
    file = world.disk.open(f"{world.root}/log", create=True)
    file.append(b"x")
    answers: list[StorageError | None] = []
    world.disk.submit_sync([file], [world.root], answers.append)
    assert answers == []
    world.run_one()
    assert answers == [None]
    world.disk.sync([file])
    world.disk.sync_folder(world.root)


def test_background_sync_of_a_lost_folder_answers_the_error(world: World) -> None:
    answers: list[StorageError | None] = []
    world.disk.submit_sync([], [f"{world.root}/missing"], answers.append)
    assert answers == []
    world.run_one()
    assert isinstance(answers[0], StorageError)


def test_background_removal_takes_files_and_folders_and_forgives_missing_ones(world: World) -> None:
    disk, root = world.disk, world.root
    disk.make_folder(f"{root}/topic/sub")
    disk.open(f"{root}/topic/sub/log", create=True)
    disk.open(f"{root}/one", create=True)
    disk.open(f"{root}/kept", create=True)
    answers: list[StorageError | None] = []
    disk.submit_remove([f"{root}/topic", f"{root}/one", f"{root}/missing"], answers.append)
    assert answers == []
    world.run_one()
    assert answers == [None]
    assert disk.list_folder(root) == ["kept"]


def test_space_is_reported(world: World) -> None:
    assert 0 < world.disk.free_bytes(world.root) <= world.disk.total_bytes(world.root)


# -- the same random calls on both: same answers, same content ----------------------------

NAMES = st.sampled_from(["a", "b", "f/a", "f/b", "g/a", "f", "g", "f/s", "f/s/a"])
CONTENT = st.binary(min_size=0, max_size=40) | st.integers(1, 3).map(lambda n: b"P" * n * 3000)
SIZES = st.integers(0, 9000)

CALLS = st.one_of(
    st.tuples(st.just("create"), NAMES),
    st.tuples(st.just("open"), NAMES),
    st.tuples(st.just("append"), NAMES, CONTENT),
    st.tuples(st.just("append_many"), NAMES, st.lists(CONTENT, max_size=4)),
    st.tuples(st.just("write_at"), NAMES, SIZES, CONTENT),
    st.tuples(st.just("truncate"), NAMES, SIZES),
    st.tuples(st.just("read"), NAMES, SIZES, SIZES),
    st.tuples(st.just("map"), NAMES),
    st.tuples(st.just("file_rename"), NAMES, st.sampled_from(["a", "b"])),
    st.tuples(st.just("close"), NAMES),
    st.tuples(st.just("make_folder"), NAMES),
    st.tuples(st.just("rename"), NAMES, st.sampled_from(["a", "b", "f", "g"])),
    st.tuples(st.just("remove"), NAMES),
    st.tuples(st.just("remove_folder"), NAMES),
    st.tuples(st.just("list"), NAMES),
    st.tuples(st.just("sync"), NAMES),
)


class Driver:
    """Runs calls on one disk; a call that storage must not make (a stale handle) is skipped."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.files: dict[str, object] = {}

    def run(self, call: tuple[object, ...]) -> object:
        try:
            return getattr(self, f"do_{call[0]}")(*call[1:])
        except StorageError as error:
            return f"error {type(error).__name__}"

    def _file(self, name: str):  # type: ignore[no-untyped-def]
        return self.files[name]

    def do_create(self, name: str) -> object:
        if name not in self.files:
            self.files[name] = self.world.disk.open(f"{self.world.root}/{name}", create=True)
        return self._file(name).size

    def do_open(self, name: str) -> object:
        if name not in self.files:
            self.files[name] = self.world.disk.open(f"{self.world.root}/{name}")
        return self._file(name).size

    def do_append(self, name: str, data: bytes) -> object:
        return (self._file(name).append(data), self._file(name).size) if name in self.files else None

    def do_append_many(self, name: str, parts: list[bytes]) -> object:
        return self._file(name).append_many(parts) if name in self.files else None

    def do_write_at(self, name: str, position: int, data: bytes) -> object:
        if name in self.files:
            self._file(name).write_at(position, data)
            return self._file(name).size if data else None
        return None

    def do_truncate(self, name: str, size: int) -> object:
        return self._file(name).truncate(size) if name in self.files else None

    def do_read(self, name: str, position: int, length: int) -> object:
        return self._file(name).read(position, length) if name in self.files else None

    def do_map(self, name: str) -> object:
        return bytes(self._file(name).map()) if name in self.files else None

    def do_file_rename(self, name: str, new: str) -> object:
        if name not in self.files:
            return None
        target = name.rpartition("/")[0] + "/" + new if "/" in name else new
        self._file(name).rename(f"{self.world.root}/{target}")
        if target != name:
            self.files[target] = self.files.pop(name)
        return target

    def do_close(self, name: str) -> object:
        if name in self.files:
            self._file(name).close()
            del self.files[name]
        return None

    def do_make_folder(self, name: str) -> object:
        return self.world.disk.make_folder(f"{self.world.root}/{name}")

    def do_rename(self, name: str, new: str) -> object:
        if "/" in name or name == new:
            return None
        self.world.disk.rename(f"{self.world.root}/{name}", f"{self.world.root}/{new}")
        self._forget(name)
        self._forget(new)
        return None

    def do_remove(self, name: str) -> object:
        self.world.disk.remove(f"{self.world.root}/{name}")
        self._forget(name)
        return None

    def do_remove_folder(self, name: str) -> object:
        self.world.disk.remove_folder(f"{self.world.root}/{name}")
        self._forget(name)
        return None

    def do_list(self, name: str) -> object:
        return self.world.disk.list_folder(f"{self.world.root}/{name}")

    def do_sync(self, name: str) -> object:
        return self.world.disk.sync([self._file(name)]) if name in self.files else None

    def _forget(self, name: str) -> None:
        for known in list(self.files):
            if known == name or known.startswith(f"{name}/"):
                self._file(known).close()
                del self.files[known]

    def image(self, folder: str = "") -> dict[str, object]:
        disk, found = self.world.disk, dict[str, object]()
        for name in disk.list_folder(f"{self.world.root}{folder}"):
            path = f"{folder}/{name}"
            if disk.is_folder(f"{self.world.root}{path}"):
                found[path] = "folder"
                found.update(self.image(path))
            else:
                found[path] = disk.read_file(f"{self.world.root}{path}")
        return found


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(calls=st.lists(CALLS, max_size=40))
def test_random_calls_give_equal_answers_and_content(calls: list[tuple[object, ...]]) -> None:
    with tempfile.TemporaryDirectory() as root, contextlib.closing(RealWorld(root)) as real_world:
        real, sim = Driver(real_world), Driver(SimWorld())
        for call in calls:
            assert real.run(call) == sim.run(call), call
        assert real.image() == sim.image()
