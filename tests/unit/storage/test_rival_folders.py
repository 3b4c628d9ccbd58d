"""A directory that was away comes back with a folder of a topic whose name is used again."""

from __future__ import annotations

from storage_world import World, batch, read_all

from riverlog.storage import LogManager
from riverlog.storage.moving import drop_rivals

ONE, TWO = "/one", "/two"
OLD, NEW = bytes([1] * 16), bytes([2] * 16)


def write(manager: LogManager, topic_id: bytes, count: int) -> None:
    log = manager.create("t", 0, topic_id=topic_id)
    for number in range(count):
        data, header = batch([b"%d" % number])
        log.append_as_leader(data, header, leader_epoch=number, now_ms=0)


def test_the_folder_of_the_topic_that_lives_is_taken_whatever_the_other_holds() -> None:
    for clean in (True, False):
        for old, new in ((ONE, TWO), (TWO, ONE)):
            world = World()
            for path, topic_id, count in ((old, OLD, 5), (new, NEW, 2)):
                manager = world.manager(dirs=(path,))
                manager.open()
                write(manager, topic_id, count)
                world.scheduler.run_for(1)
                if clean:
                    manager.shutdown()
                world = world.killed()
            manager = world.manager(dirs=(ONE, TWO))
            manager.open()
            log = manager.create("t", 0, topic_id=NEW)
            assert (log.log_dir, log.topic_id) == (new, NEW)
            assert len(read_all(log)) == log.durable_end == 2
            assert manager.logs == {("t", 0): log}
            drop_rivals(manager)
            world.scheduler.run_for(1)
            assert "t-0" not in world.disk.list_folder(old)
            data, header = batch([b"more"])
            assert log.append_as_leader(data, header, leader_epoch=9, now_ms=0).last_offset == 2
            world.scheduler.run_for(1)
            assert log.durable_end == 3
