"""Bits that flip, files that lose their end, disks that are full, fail or hang."""

from __future__ import annotations

import pytest
from one_log import FOLDER, OneLog
from planted_bugs import TailNotRewritten

from riverlog.base.errors import ErrorCode
from riverlog.env.disk import DiskFull
from riverlog.records import HEADER_SIZE, iter_headers
from riverlog.sim.checkers import check_lookups
from riverlog.sim.disk import Fault, Latency
from riverlog.sim.rng import SimRng
from riverlog.sim.storage import Policies
from riverlog.storage import AppendError, LogConfig

pytestmark = pytest.mark.sim

LOG = f"{FOLDER}/00000000000000000000.log"


def with_batches(count: int = 12) -> OneLog:
    one = OneLog()
    for _ in range(count):
        one.append(3)
    one.settle()
    return one


def refusal(one: OneLog) -> ErrorCode:
    with pytest.raises(AppendError) as caught:
        one.append()
    return caught.value.code


def test_flipped_bit_below_the_recovery_point_is_found_kept_aside_and_never_served() -> None:
    """Any bit the CRC covers, and magic and CRC itself. Base offset and epoch lie outside it, as in Kafka."""
    rng = SimRng("flips")
    for _ in range(60):
        one = with_batches()
        before = one.batches()
        assert one.log.recovery_point == 36
        headers = list(iter_headers(one.disk.read_file(LOG)))
        slot = rng.random_int(0, len(headers) - 1)
        position, header = headers[slot]
        bit = (position + rng.random_int(16, header.size - 1)) * 8 + rng.random_int(0, 7)
        original = one.disk.read_file(LOG)
        one.disk.flip_bit(LOG, bit)
        damaged = one.disk.read_file(LOG)
        assert damaged != original
        one.kill()
        assert one.log.suspect
        assert one.batches() == before[:slot]
        assert refusal(one) == ErrorCode.KAFKA_STORAGE_ERROR
        aside = [path for path in one.media.image() if path.endswith(".corrupt")]
        assert [one.disk.read_file(path) for path in aside] == [damaged[position:]]
        one.kill()
        assert refusal(one) == ErrorCode.KAFKA_STORAGE_ERROR, "a restart forgot the loss"
        one.log.accept_loss()
        one.append()
        one.kill()
        assert one.append().first_offset == slot * 3 + 1


def test_file_that_lost_its_end_below_the_recovery_point_refuses_writes() -> None:
    for size in (0, 1, HEADER_SIZE, 700):
        one = with_batches()
        before = one.batches()
        one.disk.chop(LOG, size)
        one.kill()
        found = one.batches()
        assert one.log.suspect
        assert found == before[: len(found)]
        assert len(found) < len(before)
        assert refusal(one) == ErrorCode.KAFKA_STORAGE_ERROR


def test_lost_segment_file_refuses_writes() -> None:
    one = with_batches()
    one.disk.remove(LOG)
    one.kill()
    assert one.log.suspect
    assert refusal(one) == ErrorCode.KAFKA_STORAGE_ERROR


@pytest.mark.parametrize("suffix", ["index", "timeindex", "snapshot"])
def test_damaged_caches_of_the_log_change_no_answer(suffix: str) -> None:
    one = OneLog(LogConfig(segment_bytes=1024, index_interval_bytes=1))
    for number in range(30):
        one.append(3, producer_id=7, base_sequence=3 * number)
    one.settle()
    before = one.batches()
    for path in sorted(one.media.image()):
        if path.endswith(suffix) and one.disk.read_file(path):
            one.disk.chop(path, len(one.disk.read_file(path)) - 5)
    one.kill()
    assert one.batches() == before
    check_lookups(one.log)
    assert one.append(3, producer_id=7, base_sequence=87).duplicate
    assert not one.append(3, producer_id=7, base_sequence=90).duplicate


@pytest.mark.parametrize("name", ["recovery-point", "log-start", "replication"])
def test_damaged_checkpoint_costs_time_not_data(name: str) -> None:
    one = with_batches()
    before = one.batches()
    path = f"/data/{name}-offset-checkpoint"
    if one.disk.exists(path):
        one.disk.flip_bit(path, 3)
        one.disk.chop(path, 5)
    one.kill()
    assert one.batches() == before
    one.append()


def test_full_disk_is_an_error_and_the_folder_goes_offline_with_its_log_whole() -> None:
    one = with_batches()
    before = one.batches()
    one.disk.setup.capacity_bytes = one.media.used_bytes + 1000
    codes = set()
    for _ in range(12):
        try:
            one.append(3, size=200)
        except AppendError as error:
            codes.add(error.code)
    assert codes == {ErrorCode.KAFKA_STORAGE_ERROR}
    assert isinstance(one.node.offline, DiskFull)
    one.lose_power()
    found = one.batches()
    assert found[: len(before)] == before
    assert not one.log.needs_acceptance
    one.append()


@pytest.mark.parametrize("torn", [False, True])
def test_failed_write_leaves_no_trace_in_the_log(torn: bool) -> None:
    for seed in range(10):
        one = with_batches()
        before = one.batches()
        one.disk.setup.faults.append(Fault("write", ".log", torn=torn))
        assert refusal(one) == ErrorCode.KAFKA_STORAGE_ERROR
        assert refusal(one) == ErrorCode.KAFKA_STORAGE_ERROR, "the folder is offline"
        one.lose_power(seed)
        assert one.batches() == before


def test_failed_sync_acknowledges_nothing_and_takes_the_folder_offline() -> None:
    one = with_batches()
    one.disk.setup.faults.append(Fault("sync", ".log"))
    one.append()
    one.settle()
    assert one.log.durable_end == 36
    assert one.node.offline is not None
    assert refusal(one) == ErrorCode.KAFKA_STORAGE_ERROR


def test_sync_that_does_not_come_back_counts_as_failed() -> None:
    one = with_batches()
    one.disk.setup.latency = Latency(stuck_chance=1.0, stuck_seconds=3600.0)
    one.append()
    one.settle(8)
    assert one.node.offline is None
    one.settle(5)
    assert one.node.offline is not None
    assert one.log.durable_end == 36


def test_tail_is_written_again_after_a_failed_sync() -> None:
    """After a failed fsync the kernel calls the pages clean: syncing what recovery read saves nothing."""

    def survivors(policies: Policies | None) -> list[int]:
        ends = []
        for seed in range(20):
            one = OneLog(policies=policies)
            one.append()
            one.settle()
            one.disk.setup.faults.append(Fault("sync", ".log"))
            one.append(5)
            one.settle()
            assert one.node.offline is not None
            one.kill()
            assert one.log.durable_end == 6
            one.lose_power(seed)
            ends.append(one.log.log_end_offset)
        return ends

    assert set(survivors(None)) == {6}
    assert min(survivors(Policies(disk=TailNotRewritten))) < 6, "the planted bug went unnoticed"
