"""The quorum's files: quorum-state, snapshots, the log read without touching it."""

from __future__ import annotations

import pytest

from riverlog.base.listeners import Endpoint
from riverlog.protocol.generated.kraft_version_record import KRaftVersionRecord
from riverlog.raft.quorum_state import (
    QuorumState,
    QuorumStateError,
    decode_quorum_state,
    encode_quorum_state,
    read_quorum_state,
    write_quorum_state,
)
from riverlog.raft.scan import DamagedLog, LogEnd, first_offset, scan_log
from riverlog.raft.snapshots import (
    CorruptSnapshot,
    SnapshotId,
    SnapshotWriter,
    decode_snapshot,
    list_snapshots,
    read_snapshot,
    remove_partial_snapshots,
)
from riverlog.raft.voters import derive_cluster_id, voter_pairs, voters_record
from riverlog.records import BatchBuilder
from riverlog.sim.clock import Scheduler
from riverlog.sim.disk import Setup, SimDisk
from riverlog.sim.media import Media
from riverlog.sim.rng import SimRng

FOLDER = "/data/__cluster_metadata-0"
DIRECTORY_ID = bytes(range(16))


@pytest.fixture
def disk() -> SimDisk:
    disk = SimDisk(Media(), Scheduler(), SimRng(1), Setup())
    disk.make_folder(FOLDER)
    return disk


# -- quorum-state ------------------------------------------------------------------------


def test_quorum_state_of_both_versions() -> None:
    state = QuorumState(leader_id=1, leader_epoch=5, voted_id=-1)
    assert encode_quorum_state(state, kraft_version=1) == (
        b'{"leaderId":1,"leaderEpoch":5,"votedId":-1,'
        b'"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}'
    )
    assert decode_quorum_state(encode_quorum_state(state, kraft_version=1)) == state
    state.voters = (1,)
    assert encode_quorum_state(state, kraft_version=0) == (
        b'{"clusterId":"","leaderId":1,"leaderEpoch":5,"votedId":-1,'
        b'"appliedOffset":0,"currentVoters":[{"voterId":1}],"data_version":0}'
    )
    assert decode_quorum_state(encode_quorum_state(state, kraft_version=0)) == state


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b"\xff", b'{"data_version":2}', b'{"data_version":1,"leaderId":"x"}', b"null"]
)
def test_a_damaged_quorum_state_is_refused(data: bytes) -> None:
    with pytest.raises(QuorumStateError):
        decode_quorum_state(data)


def test_quorum_state_is_durable_when_written(disk: SimDisk) -> None:
    assert read_quorum_state(disk, FOLDER) is None
    disk.sync_folder("/data")
    disk.sync_folder("/")
    state = QuorumState(leader_id=3, leader_epoch=9, voted_id=3, voted_directory_id=DIRECTORY_ID)
    write_quorum_state(disk, FOLDER, state, kraft_version=1)
    after = SimDisk(disk.media.power_loss(SimRng(2)), Scheduler(), SimRng(3), Setup())
    assert read_quorum_state(after, FOLDER) == state


# -- voters ------------------------------------------------------------------------------


def test_the_cluster_id_follows_from_the_voters() -> None:
    one = derive_cluster_id([(1, DIRECTORY_ID)])
    assert len(one) == 22
    assert derive_cluster_id([(1, DIRECTORY_ID)]) == one
    assert derive_cluster_id([(2, DIRECTORY_ID)]) != one
    pairs = [(1, DIRECTORY_ID), (2, bytes(16))]
    assert derive_cluster_id(pairs) == derive_cluster_id(pairs[::-1])
    record = voters_record(1, DIRECTORY_ID, [Endpoint("CONTROLLER", "localhost", 9093)])
    assert voter_pairs(record) == [(1, DIRECTORY_ID)]


# -- snapshots ---------------------------------------------------------------------------


def write(disk: SimDisk, snapshot_id: SnapshotId, values: list[bytes]) -> None:
    writer = SnapshotWriter(
        disk,
        FOLDER,
        snapshot_id,
        now_ms=7,
        last_contained_timestamp=6,
        control=[KRaftVersionRecord(version=0, kraft_version=1)],
    )
    assert list_snapshots(disk, FOLDER) == []
    for at in range(0, len(values), 3):
        writer.append(values[at : at + 3])
    writer.finish()
    disk.sync([writer.file])
    writer.publish()
    disk.sync_folder(FOLDER)


VALUES = [b"value %d" % number for number in range(10)]


def test_a_snapshot_reads_back(disk: SimDisk) -> None:
    write(disk, SnapshotId(42, 3), VALUES)
    (found,) = list_snapshots(disk, FOLDER)
    assert found == SnapshotId(42, 3)
    assert found.file_name == "00000000000000000042-0000000003.checkpoint"
    snapshot = read_snapshot(disk, f"{FOLDER}/{found.file_name}")
    assert snapshot.values == VALUES
    assert snapshot.last_contained_timestamp == 6
    assert [type(message).__name__ for message in snapshot.control] == ["KRaftVersionRecord"]


def test_a_snapshot_counts_only_whole(disk: SimDisk) -> None:
    write(disk, SnapshotId(42, 3), VALUES)
    data = disk.read_file(f"{FOLDER}/00000000000000000042-0000000003.checkpoint")
    for size in range(0, len(data), 7):
        with pytest.raises(CorruptSnapshot):
            decode_snapshot(data[:size])
    for bit in range(0, len(data) * 8, 97):
        broken = bytearray(data)
        broken[bit // 8] ^= 1 << bit % 8
        # Base offset and leader epoch lie outside the CRC, and nobody reads them here.
        try:
            assert decode_snapshot(bytes(broken)).values == VALUES
        except CorruptSnapshot:
            continue
    with pytest.raises(CorruptSnapshot, match="follows"):
        decode_snapshot(data + data)


def test_what_an_interrupted_writer_left_goes(disk: SimDisk) -> None:
    SnapshotWriter(disk, FOLDER, SnapshotId(1, 1), now_ms=1, last_contained_timestamp=1, control=[])
    assert disk.list_folder(FOLDER) == ["00000000000000000001-0000000001.checkpoint.part"]
    remove_partial_snapshots(disk, FOLDER)
    assert disk.list_folder(FOLDER) == []


# -- scanning ----------------------------------------------------------------------------


def batch(offset: int, count: int, epoch: int = 1) -> bytes:
    builder = BatchBuilder(base_offset=offset, leader_epoch=epoch)
    for number in range(count):
        builder.append(timestamp=100 + offset + number, value=b"%d" % (offset + number))
    return builder.build()


def put(disk: SimDisk, base: int, *batches: bytes) -> None:
    disk.open(f"{FOLDER}/{base:020d}.log", create=True).append(b"".join(batches))


def scan(
    disk: SimDisk, *, from_offset: int = 0, recovery_point: int | None = None, clean: bool = False
) -> tuple[LogEnd, list[int]]:
    seen: list[int] = []
    before = disk.media.image()
    end = scan_log(
        disk,
        FOLDER,
        from_offset=from_offset,
        recovery_point=recovery_point,
        clean=clean,
        on_batch=lambda header, records: seen.extend(int(record.value or b"") for record in records),
    )
    assert disk.media.image() == before
    return end, seen


def test_all_segments_are_read_in_order(disk: SimDisk) -> None:
    assert first_offset(disk, FOLDER) is None
    assert scan(disk)[0].end_offset == 0
    put(disk, 0, batch(0, 2), batch(2, 3))
    put(disk, 5, batch(5, 1, epoch=2))
    put(disk, 6)
    end, seen = scan(disk, recovery_point=6, clean=True)
    assert seen == [0, 1, 2, 3, 4, 5]
    assert (end.start_offset, end.end_offset, end.last_epoch, end.last_timestamp) == (0, 6, 2, 105)
    assert end.torn is None
    # Batches that a snapshot covers are left out; one that reaches past it comes whole.
    assert scan(disk, from_offset=3)[1] == [2, 3, 4, 5]
    assert scan(disk, from_offset=5)[1] == [5]
    assert first_offset(disk, FOLDER) == 0


def test_a_torn_end_is_where_the_log_ends(disk: SimDisk) -> None:
    whole = batch(0, 2)
    put(disk, 0, whole, batch(2, 3)[:-1])
    end, seen = scan(disk, recovery_point=2)
    assert (end.end_offset, seen) == (2, [0, 1])
    assert end.torn is not None
    with pytest.raises(DamagedLog, match="offset 2"):
        scan(disk, recovery_point=3)
    with pytest.raises(DamagedLog, match="offset 2"):
        scan(disk, clean=True)


def test_a_gap_ends_the_log_too(disk: SimDisk) -> None:
    put(disk, 0, batch(0, 2))
    put(disk, 5, batch(5, 1))
    assert scan(disk)[0].end_offset == 2
    with pytest.raises(DamagedLog):
        scan(disk, recovery_point=5)


@pytest.mark.parametrize("bad", [batch(3, 1), batch(2, 1, epoch=0), b"\0" * 100])
def test_offsets_and_epochs_must_follow(disk: SimDisk, bad: bytes) -> None:
    put(disk, 0, batch(0, 2), bad)
    end, seen = scan(disk)
    assert (end.end_offset, seen) == (2, [0, 1])
