"""Indexes, epochs and the small text files."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from storage_world import FOLDER, World

from riverlog.storage import LogConfig
from riverlog.storage.checkpoints import CheckpointError, format_offsets, parse_offsets
from riverlog.storage.epochs import LeaderEpochs, decode_epochs
from riverlog.storage.files import (
    MetaProperties,
    MetaPropertiesError,
    decode_uuid,
    encode_uuid,
    read_meta_properties,
    take_clean_shutdown,
    write_clean_shutdown,
    write_meta_properties,
)
from riverlog.storage.index import OffsetIndex
from riverlog.storage.names import delete_folder_name, parse_folder_name, parse_offset_name
from riverlog.storage.timeindex import TimeIndex


@settings(max_examples=40, deadline=None)
@given(
    gaps=st.lists(st.integers(1, 50), min_size=1, max_size=1500),
    cut=st.integers(0, 100_000),
    flush=st.booleans(),
)
def test_offset_index_lookup_and_truncate_equal_a_list(gaps: list[int], cut: int, flush: bool) -> None:
    world = World()
    world.disk.make_folder(FOLDER)
    index = OffsetIndex(world.disk, f"{FOLDER}/a.index", 1000, on_disk=False)
    entries: list[tuple[int, int]] = []
    offset = 1000
    for number, gap in enumerate(gaps, start=1):
        offset += gap
        index.append(offset, number * 100)
        entries.append((offset, number * 100))
    if flush:
        index.flush()
        index = OffsetIndex(world.disk, f"{FOLDER}/a.index", 1000, on_disk=True)
    assert index.entries == len(entries)
    cut = 1000 + cut % (offset - 999)
    for target in {1000, cut, offset, offset + 9}:
        expected = ([(1000, 0)] + [entry for entry in entries if entry[0] <= target])[-1]
        assert index.lookup(target) == expected
    index.truncate_to(cut)
    kept = [entry for entry in entries if entry[0] < cut]
    assert index.entries == len(kept)
    assert index.last_entry() == [(1000, 0), *kept][-1]
    index.append(offset + 1, 7)
    assert index.lookup(offset + 1) == (offset + 1, 7)


def test_time_index_ignores_what_is_not_newer() -> None:
    world = World()
    world.disk.make_folder(FOLDER)
    index = TimeIndex(world.disk, f"{FOLDER}/a.timeindex", 5, on_disk=False)
    assert index.last_entry() == (-1, 5)
    index.maybe_append(100, 6)
    index.maybe_append(100, 9)
    index.maybe_append(90, 10)
    index.maybe_append(200, 12)
    assert index.entries == 2
    assert index.lookup(99) == (-1, 5)
    assert index.lookup(150) == (100, 6)
    index.truncate_to(12)
    assert index.last_entry() == (100, 6)


def test_epochs_end_offsets_follow_kip_279() -> None:
    epochs = LeaderEpochs([(2, 0), (4, 10), (7, 25)])
    assert epochs.end_offset_for(2, 30) == (2, 10)
    assert epochs.end_offset_for(3, 30) == (2, 10)
    assert epochs.end_offset_for(7, 30) == (7, 30)
    assert epochs.end_offset_for(1, 30) == (1, 0)
    assert epochs.end_offset_for(8, 30) == (-1, -1)
    assert epochs.end_offset_for(-1, 30) == (-1, -1)
    assert [epochs.epoch_for_offset(offset) for offset in (0, 9, 10, 24, 25, 99)] == [2, 2, 4, 4, 7, 7]


def test_epochs_truncate_at_both_ends() -> None:
    epochs = LeaderEpochs([(2, 0), (4, 10), (7, 25)])
    assert not epochs.is_dirty
    epochs.truncate_from_start(12)
    assert epochs.entries == [(4, 12), (7, 25)]
    epochs.truncate_from_end(25)
    assert epochs.entries == [(4, 12)]
    epochs.assign(9, 12)
    assert epochs.entries == [(9, 12)]
    epochs.truncate_from_start(5)
    assert epochs.entries == [(9, 12)]


def test_epochs_are_trusted_on_disk_only_below_the_first_change() -> None:
    epochs = LeaderEpochs([(1, 0)])
    epochs.assign(2, 50)
    first = epochs.changes
    epochs.assign(3, 70)
    assert epochs.durable_before == 50
    epochs.persisted(first)
    assert epochs.durable_before == 50, "an older write says nothing about the newer entry"
    epochs.persisted(epochs.changes)
    assert not epochs.is_dirty
    assert decode_epochs(epochs.encode()).entries == [(1, 0), (2, 50), (3, 70)]


def test_offset_checkpoint_text_is_kafkas() -> None:
    data = format_offsets({("a.b_c-d", 3): 42, ("x", 0): 0})
    assert data == b"0\n2\na.b_c-d 3 42\nx 0 0\n"
    assert parse_offsets(data) == {("a.b_c-d", 3): 42, ("x", 0): 0}


@pytest.mark.parametrize(
    "data", [b"", b"0\n", b"1\n0\n", b"0\n2\na 0 1\n", b"0\n1\na 0\n", b"0\n1\na x 1\n", b"\xff"]
)
def test_bad_checkpoints_are_refused(data: bytes) -> None:
    with pytest.raises(CheckpointError):
        parse_offsets(data)


def test_meta_properties_round_trip_and_kafkas_form() -> None:
    world = World()
    world.disk.make_folder("/data")
    assert read_meta_properties(world.disk, "/data") is None
    meta = MetaProperties(3, "kM_Y6A_QRKqnNe5N5RDCzA", "TIORS0vUSOmTH5xGaWZC0g")
    write_meta_properties(world.disk, "/data", meta)
    assert read_meta_properties(world.disk, "/data") == meta
    world.disk.make_folder("/other")
    text = b"#\n#Mon Nov 16 13:00:20 UTC 2026\nnode.id=1\ndirectory.id=kM_Y\nversion=1\ncluster.id=TI\n"
    world.disk.open("/other/meta.properties", create=True).append(text)
    assert read_meta_properties(world.disk, "/other") == MetaProperties(1, "kM_Y", "TI")


def test_meta_properties_of_another_version_are_refused() -> None:
    world = World()
    world.disk.make_folder("/data")
    world.disk.open("/data/meta.properties", create=True).append(b"version=2\nnode.id=1\n")
    with pytest.raises(MetaPropertiesError):
        read_meta_properties(world.disk, "/data")


def test_uuid_text_is_kafkas() -> None:
    assert encode_uuid(bytes(16)) == "AAAAAAAAAAAAAAAAAAAAAA"
    assert decode_uuid(encode_uuid(bytes(range(16)))) == bytes(range(16))
    for bad in ("", "abc", "ä" * 22, "A" * 30):
        with pytest.raises(ValueError, match="is not"):
            decode_uuid(bad)


def test_clean_shutdown_mark_is_taken_once() -> None:
    world = World()
    world.disk.make_folder("/data")
    assert take_clean_shutdown(world.disk, "/data") is None
    write_clean_shutdown(world.disk, "/data", 12)
    assert world.disk.read_file("/data/.kafka_cleanshutdown") == b'{"version":0,"brokerEpoch":12}'
    assert take_clean_shutdown(world.disk, "/data") == 12
    assert take_clean_shutdown(world.disk, "/data") is None


def test_names() -> None:
    assert parse_offset_name("00000000000000000042.log") == (42, ".log")
    assert parse_offset_name("leader-epoch-checkpoint") is None
    assert parse_folder_name("my-topic.x-12") == ("my-topic.x", 12)
    for name in ("topic", "topic-x", "t-0.8f7-delete", "t-0.8f7-future", "-1x"):
        assert parse_folder_name(name) is None
    assert delete_folder_name(("t", 0), "ab") == "t-0.ab-delete"
    assert len(delete_folder_name(("t" * 249, 0), "a" * 32)) == 255


def test_config_from_kafka_names() -> None:
    config = LogConfig.from_values(
        {
            "segment.bytes": "1048576",
            "preallocate": "true",
            "cleanup.policy": ["compact", "delete"],
            "ack.after.fsync": False,
            "min.cleanable.dirty.ratio": "0.1",
            "unknown.name": 3,
        }
    )
    assert config.segment_bytes == 1048576
    assert config.preallocate
    assert config.is_compacted
    assert config.is_deleted
    assert not config.ack_after_fsync
    assert config.min_cleanable_dirty_ratio == 0.1
