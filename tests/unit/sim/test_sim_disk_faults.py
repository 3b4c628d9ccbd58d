"""Faults of the simulated disk, the cut in the middle of a call, and its strictness."""

from __future__ import annotations

import pytest

from riverlog.env.disk import DiskFull, StorageError
from riverlog.sim.clock import Scheduler
from riverlog.sim.disk import Fault, Latency, PowerCut, Setup, SimDisk
from riverlog.sim.media import Journal, Media, SyncBegin, SyncEnd, Write
from riverlog.sim.rng import SimRng


def disk_with(setup: Setup | None = None, seed: int = 1) -> tuple[SimDisk, Scheduler]:
    scheduler = Scheduler()
    disk = SimDisk(Media(), scheduler, SimRng(seed), setup)
    disk.make_folder("/d")
    return disk, scheduler


def test_full_disk_refuses_and_leaves_the_file_as_it_was() -> None:
    disk, _ = disk_with(Setup(capacity_bytes=10))
    file = disk.open("/d/f", create=True)
    file.append(b"12345678")
    with pytest.raises(DiskFull):
        file.append(b"abc")
    assert (file.size, file.read(0, 99)) == (8, b"12345678")
    assert disk.free_bytes("/d") == 2
    file.append(b"ab")
    with pytest.raises(DiskFull):
        disk.open("/d/g", create=True)
    disk.remove("/d/f")
    disk.open("/d/g", create=True).append(b"0123456789")


@pytest.mark.parametrize("torn", [False, True])
def test_failed_write_leaves_old_bytes_and_at_most_a_torn_tail(torn: bool) -> None:
    tails = set()
    for seed in range(30):
        disk, _ = disk_with(Setup(faults=[Fault("write", "/d/f", skip=1, torn=torn)]), seed)
        file = disk.open("/d/f", create=True)
        file.append(b"old")
        with pytest.raises(StorageError):
            file.append(b"new!")
        assert file.size == 3
        content = disk.read_file("/d/f")
        assert content[:3] == b"old"
        assert b"new!".startswith(content[3:])
        tails.add(content[3:])
        assert file.append(b"more") == 3
    assert (len(tails) > 1) == torn


def test_faults_hit_the_named_call_and_path_only_and_the_asked_number_of_times() -> None:
    disk, _ = disk_with(Setup(faults=[Fault("sync", "/d/f", skip=1, times=2), Fault("rename", "/d/g")]))
    f, g = disk.open("/d/f", create=True), disk.open("/d/g", create=True)
    disk.sync([g])
    disk.sync([f])
    for _ in range(2):
        with pytest.raises(StorageError, match="/d/f"):
            disk.sync([f])
    disk.sync([f])
    with pytest.raises(StorageError):
        g.rename("/d/h")
    g.rename("/d/h")
    assert disk.list_folder("/d") == ["f", "h"]


def test_failed_background_sync_answers_the_error_and_loses_the_pages() -> None:
    disk, scheduler = disk_with(Setup(faults=[Fault("sync", "/d/f")]))
    disk.sync_folder("/")
    file = disk.open("/d/f", create=True)
    disk.sync_folder("/d")
    file.append(b"x")
    answers: list[StorageError | None] = []
    disk.submit_sync([file], [], answers.append)
    scheduler.run_for(1)
    assert isinstance(answers[0], StorageError)
    disk.sync([file])
    kept = {disk.media.power_loss(SimRng(seed)).image()["/d/f"] for seed in range(50)}
    assert kept != {b"x"}


def test_stuck_sync_comes_back_late() -> None:
    disk, scheduler = disk_with(Setup(latency=Latency(stuck_chance=1.0, stuck_seconds=60.0)))
    file = disk.open("/d/f", create=True)
    answers: list[float] = []
    disk.submit_sync([file], [], lambda error: answers.append(scheduler.now))
    scheduler.run_for(59)
    assert answers == []
    scheduler.run_for(2)
    assert answers == [60.0]


def test_bit_flip_and_lost_end_are_seen_now_and_after_a_power_cut() -> None:
    disk, _ = disk_with()
    file = disk.open("/d/f", create=True)
    file.append(b"\0" * 10)
    disk.sync([file])
    disk.sync_folder("/d")
    disk.sync_folder("/")
    disk.flip_bit("/d/f", 17)
    disk.chop("/d/f", 8)
    expected = b"\0\0\x02" + b"\0" * 5
    assert disk.read_file("/d/f") == expected
    assert disk.media.power_loss(SimRng(1)).image()["/d/f"] == expected


def test_cut_in_the_middle_of_a_call_keeps_a_part_of_the_write() -> None:
    kept = set()
    for seed in range(60):
        disk, _ = disk_with(seed=seed)
        file = disk.open("/d/f", create=True)
        file.append(b"before")
        disk.cut_at = disk.op_count + 1
        with pytest.raises(PowerCut):
            file.append(b"during")
        content = disk.media.image()["/d/f"]
        assert b"beforeduring".startswith(content)
        kept.add(len(content))
        with pytest.raises(AssertionError, match="dead process"):
            file.read(0, 1)
    assert {6, 12} < kept


def test_nothing_in_the_product_can_catch_a_power_cut() -> None:
    assert not issubclass(PowerCut, Exception)


def test_killed_process_gets_no_completion() -> None:
    disk, scheduler = disk_with()
    file = disk.open("/d/f", create=True)
    answers: list[object] = []
    disk.submit_sync([file], [], answers.append)
    disk.submit_remove(["/d/f"], answers.append)
    disk.kill()
    scheduler.run_for(100)
    assert answers == []
    again = SimDisk(disk.media, scheduler, SimRng(2))
    assert again.exists("/d/f")


def test_handle_whose_name_moved_away_fails() -> None:
    disk, _ = disk_with()
    file = disk.open("/d/f", create=True)
    file.append(b"x")
    disk.rename("/d", "/e")
    with pytest.raises(StorageError):
        file.read(0, 1)


def test_pinned_handle_reads_on_after_close_and_removal() -> None:
    disk, _ = disk_with()
    file = disk.open("/d/f", create=True)
    file.append(b"x")
    file.pin()
    disk.remove("/d/f")
    file.close()
    assert file.read(0, 1) == b"x"
    file.unpin()
    with pytest.raises(StorageError):
        file.read(0, 1)


def test_truncating_under_a_live_map_is_an_error() -> None:
    disk, _ = disk_with()
    file = disk.open("/d/f", create=True)
    file.append(b"0123456789")
    view = file.map()[2:]
    file.append(b"more")
    file.truncate(10)
    with pytest.raises(AssertionError, match="live map"):
        file.truncate(9)
    del view
    file.truncate(9)


def test_journal_holds_every_change_in_order() -> None:
    journal = Journal()
    disk, scheduler = disk_with(Setup(journal=journal))
    file = disk.open("/d/f", create=True)
    file.append(b"1")
    disk.submit_sync([file], ["/d"], lambda error: journal.mark("durable"))
    file.append(b"2")
    scheduler.run_for(1)
    kinds = [type(op).__name__ for op in journal.ops]
    assert kinds == ["MakeFolder", "Create", "Write", "SyncBegin", "Write", "SyncEnd", "Mark"]
    assert journal.ops[2] == Write("/d/f", 0, b"1")
    assert journal.ops[3] == SyncBegin(1, ("/d/f",), ("/d",))
    assert journal.ops[5] == SyncEnd(1, True)


def test_waiting_sync_hears_of_the_failure_of_one_under_way() -> None:
    disk, scheduler = disk_with(Setup(faults=[Fault("sync", "/d/f")]))
    file = disk.open("/d/f", create=True)
    file.append(b"x")
    answers: list[StorageError | None] = []
    disk.submit_sync([file], [], answers.append)
    with pytest.raises(StorageError):
        disk.sync([file])
    assert answers == []
    scheduler.run_for(1)
    assert len(answers) == 1
    assert isinstance(answers[0], StorageError)
