"""Metadata folders written by Apache Kafka 4.3.1 (``make_kafka_folders.py``) open here."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from metadata_world import DATA, World

from riverlog.metadata.errors import MetadataError
from riverlog.metadata.image import BROKER_RESOURCE, NO_LEADER
from riverlog.metadata.image_records import image_records
from riverlog.metadata.loader import load
from riverlog.metadata.records import decode_record, encode_record
from riverlog.raft.snapshots import list_snapshots

FOLDER = f"{DATA}/__cluster_metadata-0"
ARCHIVE = Path(__file__).with_name("kafka_folders.zip")


def unpack(name: str, static: dict[str, str] | None = None) -> World:
    world = World(static=static)
    world.boot()
    with zipfile.ZipFile(ARCHIVE) as archive:
        for entry in archive.namelist():
            if entry.startswith(name + "/"):
                path = f"{DATA}/{entry.removeprefix(name + '/')}"
                world.disk.make_folder(path.rpartition("/")[0])
                world.disk.open(path, create=True).append(archive.read(entry))
    return world


@pytest.mark.parametrize(("name", "node_id"), [("standalone", 1), ("static", 7)])
def test_a_folder_of_kafka_is_replayed_and_led(name: str, node_id: int) -> None:
    world = unpack(name)
    node = world.start(clean=name == "standalone")
    image = node.image
    assert node.node_id == node_id
    assert node.cluster_id == "MkU3OEVBNTcwNTJENDM2Qk"
    assert {topic: len(state.partitions) for topic, state in image.topics.items()} == {
        "alpha": 3,
        "beta.x": 2,
    }
    assert image.topic_config("alpha") == {"cleanup.policy": "compact", "min.insync.replicas": "1"}
    assert image.config(BROKER_RESOURCE, "")["log.retention.ms"] == "7777777"
    assert image.next_producer_id == 1000
    assert image.features["metadata.version"] == 30
    assert (len(image.acls), len(image.scram_credentials), len(image.quotas)) == (1, 1, 1)
    for _, _, partition in image.partitions():
        # Kafka's clean stop leaves no leader and its replica in the ELR; ours leads again.
        assert (partition.leader, partition.isr) == (node_id, (node_id,))
        assert partition.eligible_leader_replicas == partition.last_known_elr == ()
        assert partition.leader_epoch > 0
    assert image.brokers[node_id].active
    world.create("ours", 2)
    epoch = node.leader_epoch
    assert epoch == 3
    world.kill()
    node = world.start(clean=False)
    assert node.leader_epoch == epoch + 1
    assert sorted(node.image.topics) == ["alpha", "beta.x", "ours"]
    assert (len(node.image.acls), len(node.image.scram_credentials), len(node.image.quotas)) == (1, 1, 1)


def test_kafkas_clean_stop_left_the_partitions_without_a_leader() -> None:
    world = unpack("standalone")
    loaded = load(world.disk, DATA)
    assert {p.leader for _, _, p in loaded.state.partitions()} == {NO_LEADER}
    assert {p.eligible_leader_replicas for _, _, p in loaded.state.partitions()} == {(1,)}
    assert loaded.snapshot == list_snapshots(world.disk, FOLDER)[-1]
    assert loaded.snapshot.end_offset > 0


def test_an_old_voters_list_keeps_its_formats() -> None:
    world = unpack("static", {"controller.quorum.voters": "7@localhost:19201"})
    node = world.start(clean=False)
    assert node.kraft_version == 0
    assert "kraft.version" not in node.image.features
    state = json.loads(world.disk.read_file(f"{FOLDER}/quorum-state"))
    assert state == {
        "clusterId": "",
        "leaderId": 7,
        "leaderEpoch": 3,
        "votedId": -1,
        "appliedOffset": 0,
        "currentVoters": [{"voterId": 7}],
        "data_version": 0,
    }
    node.write_snapshot()
    world.scheduler.run_for(1)
    (snapshot,) = list_snapshots(world.disk, FOLDER)
    assert snapshot.epoch == 3
    node.close()
    assert world.start().kraft_version == 0


def test_what_is_replayed_from_kafka_reads_back_from_our_snapshot() -> None:
    loaded = load(unpack("standalone").disk, DATA)
    again = [decode_record(encode_record(record)) for record in image_records(loaded.state)]
    assert again == list(image_records(loaded.state))
    copy = loaded.state.copy()
    for topic in list(copy.topics):
        del copy.topics[topic]
    assert len(loaded.state.topics) == 2


@pytest.mark.parametrize(
    ("name", "static", "words"),
    [
        ("standalone", {"node.id": "2"}, "belongs to node 1"),
        ("standalone", {"node.id": "1", "broker.id": "2"}, "broker.id is 2"),
        ("standalone", {"process.roles": "broker"}, "needs controller"),
        ("static", {"controller.quorum.voters": "8@localhost:1"}, r"lists \[8\]"),
        ("static", {"controller.quorum.voters": "7@a:1,8@b:1"}, r"lists \[7, 8\]"),
    ],
)
def test_another_identity_is_refused_and_changes_nothing(
    name: str, static: dict[str, str], words: str
) -> None:
    world = unpack(name, static)
    before = world.media.image()
    with pytest.raises(MetadataError, match=words):
        world.open()
    assert world.media.image() == before


def test_a_bad_batch_after_kafkas_clean_stop_is_damage() -> None:
    world = unpack("standalone")
    log = f"{FOLDER}/00000000000000000045.log"
    world.disk.flip_bit(log, 8 * 400)
    before = world.media.image()
    with pytest.raises(MetadataError, match="damaged"):
        world.open()
    assert world.media.image() == before


def test_a_torn_tail_of_a_killed_kafka_is_cut() -> None:
    world = unpack("static")
    log = f"{FOLDER}/00000000000000000000.log"
    world.disk.chop(log, len(world.disk.read_file(log)) - 5)
    node = world.start(clean=False)
    assert sorted(node.image.topics) == ["alpha", "beta.x"]


def test_kafka_formatted_but_never_started() -> None:
    """Its format command leaves the first records beside the log."""
    world = unpack("static")
    world.disk.remove_folder(FOLDER)
    node = world.start()
    assert node.image.features["metadata.version"] == 30
    assert node.image.features["transaction.version"] == 2
    assert node.kraft_version == 0
    world.create("t")
    world.kill()
    assert list(world.start().image.topics) == ["t"]
