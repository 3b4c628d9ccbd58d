"""A node's metadata over process lives: forming, deciding, committing, replaying, refusing."""

from __future__ import annotations

import json

import pytest
from metadata_world import DATA, ENDPOINTS, World

from riverlog.base.errors import ErrorCode
from riverlog.metadata.controller import UNASSIGNED_DIRECTORY, Decision
from riverlog.metadata.errors import MetadataError
from riverlog.metadata.image import BROKER_RESOURCE, TOPIC_RESOURCE
from riverlog.metadata.node import MetadataNode
from riverlog.metadata.producer_ids import allocate_producer_ids
from riverlog.metadata.records import METADATA_VERSION, encode_record
from riverlog.protocol.generated.feature_level_record import FeatureLevelRecord
from riverlog.raft.snapshots import list_snapshots, read_snapshot
from riverlog.records import BatchBuilder
from riverlog.sim.disk import Fault
from riverlog.storage.files import read_meta_properties

FOLDER = f"{DATA}/__cluster_metadata-0"


def summary(node: MetadataNode) -> dict[str, object]:
    """What a restart must not change, epochs aside."""
    image = node.image
    return {
        "topics": {
            name: (topic.topic_id, {index: p.replicas for index, p in topic.partitions.items()})
            for name, topic in image.topics.items()
        },
        "configs": image.configs,
        "features": image.features,
        "producer ids": image.next_producer_id,
    }


def test_first_start_forms_a_quorum_of_one() -> None:
    world = World()
    node = world.start()
    meta = read_meta_properties(world.disk, DATA)
    assert meta is not None
    assert (meta.node_id, meta.cluster_id) == (1, node.cluster_id)
    assert len(node.cluster_id) == 22
    assert node.image.features == {
        "metadata.version": METADATA_VERSION,
        "group.version": 1,
        "eligible.leader.replicas.version": 1,
        "transaction.version": 2,
        "kraft.version": 1,
    }
    (snapshot_id,) = list_snapshots(world.disk, FOLDER)
    assert snapshot_id.file_name == "00000000000000000000-0000000000.checkpoint"
    found = read_snapshot(world.disk, f"{FOLDER}/{snapshot_id.file_name}")
    assert [type(message).__name__ for message in found.control] == ["KRaftVersionRecord", "VotersRecord"]
    assert world.disk.read_file(f"{FOLDER}/partition.metadata") == (
        b"version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ"
    )
    broker = node.image.brokers[1]
    assert broker.active
    assert broker.log_dirs == [node.directory_ids[DATA]]
    assert node.broker_epoch == broker.broker_epoch == 7


def test_quorum_state_is_what_kafka_writes() -> None:
    world = World()
    world.start()
    assert json.loads(world.disk.read_file(f"{FOLDER}/quorum-state")) == {
        "leaderId": 1,
        "leaderEpoch": 1,
        "votedId": -1,
        "votedDirectoryId": "AAAAAAAAAAAAAAAAAAAAAA",
        "data_version": 1,
    }


def test_every_start_leads_in_a_new_epoch_and_keeps_everything() -> None:
    world = World()
    epochs = []
    before: dict[str, object] = {}
    for life in range(4):
        node = world.start()
        epochs.append(node.leader_epoch)
        if life:
            assert summary(node) == before
        world.create(f"topic-{life}", 3, retention_ms=str(1000 + life))
        world.set_config(BROKER_RESOURCE, "", log_retention_ms=str(life + 1))
        world.decide(
            lambda state: allocate_producer_ids(
                state, broker_id=1, broker_epoch=state.brokers[1].broker_epoch
            )
        )
        before = summary(node)
        if life % 2:
            world.kill()
        else:
            node.close()
    assert epochs == [1, 2, 3, 4]
    assert world.start().image.next_producer_id == 4000


def test_node_id_is_remembered_and_a_different_one_refused() -> None:
    world = World(static={"node.id": "7"})
    world.start()
    world.node.close()
    world.static = {}
    assert world.start().node_id == 7
    world.node.close()
    before = world.media.image()
    world.static = {"node.id": "8"}
    with pytest.raises(MetadataError, match="node 7"):
        world.open()
    assert world.media.image() == before


def test_a_reply_leaves_only_when_its_records_are_durable() -> None:
    world = World()
    node = world.start()
    replies: list[str] = []
    node.decide(lambda _: Decision("first", [FeatureLevelRecord(name="x", feature_level=1)]), replies.append)
    assert node.state.features["x"] == 1
    assert "x" not in node.image.features
    assert replies == []
    # A refusal derived from it waits too: the topic it speaks of may still be lost.
    node.decide(lambda state: Decision(f"saw {state.features['x']}"), replies.append)
    assert replies == []
    world.settle()
    assert replies == ["first", "saw 1"]
    assert node.image.features["x"] == 1
    node.decide(lambda _: Decision("nothing pending"), replies.append)
    assert replies[-1] == "nothing pending"


def test_listeners_hear_committed_records_before_the_reply_leaves() -> None:
    world = World()
    node = world.start()
    seen: list[object] = []
    node.subscribe(lambda records: seen.append([type(record).__name__ for record in records]))
    node.decide(
        lambda _: Decision("a", [FeatureLevelRecord(name="x", feature_level=1)]),
        seen.append,
    )
    node.decide(
        lambda _: Decision("b", [FeatureLevelRecord(name="y", feature_level=1)]),
        seen.append,
    )
    world.settle()
    assert seen == [["FeatureLevelRecord", "FeatureLevelRecord"], "a", "b"]


def test_an_unclean_stop_gives_every_led_partition_a_new_leader_epoch() -> None:
    world = World()
    world.start()
    world.create("t", 3)
    world.node.close()
    node = world.start(clean=True)
    assert [p.leader_epoch for p in node.image.topics["t"].partitions.values()] == [0, 0, 0]
    world.kill()
    node = world.start(clean=False)
    assert [p.leader_epoch for p in node.image.topics["t"].partitions.values()] == [1, 1, 1]
    assert [p.leader for p in node.image.topics["t"].partitions.values()] == [1, 1, 1]


def test_a_failed_sync_ends_the_node_and_no_reply_leaves() -> None:
    world = World()
    node = world.start()
    replies: list[object] = []
    world.disk.setup.faults.append(Fault("sync", "__cluster_metadata-0"))
    node.decide(lambda _: Decision(1, [FeatureLevelRecord(name="x", feature_level=1)]), replies.append)
    world.scheduler.run_for(20)
    assert len(world.failures) == 1
    node.decide(lambda _: Decision(2), replies.append)
    assert replies == []
    assert "x" not in node.image.features
    node.close()


def test_a_full_disk_ends_the_node_and_the_next_start_has_what_was_acknowledged() -> None:
    world = World()
    node = world.start()
    world.create("kept")
    world.disk.setup.faults.append(Fault("write", ".log", torn=True))
    replies: list[object] = []
    node.decide(lambda _: Decision(1, [FeatureLevelRecord(name="x", feature_level=1)]), replies.append)
    assert len(world.failures) == 1
    world.kill()
    node = world.start(clean=False)
    assert list(node.image.topics) == ["kept"]
    assert "x" not in node.image.features


def test_snapshots_are_written_and_the_log_before_them_goes() -> None:
    world = World(static={"metadata.log.max.record.bytes.between.snapshots": "3000"})
    node = world.start()
    for number in range(60):
        world.create(f"topic-{number}", 2)
    world.scheduler.run_for(5)
    assert node.raft.snapshot_count >= 3
    snapshots = list_snapshots(world.disk, FOLDER)
    assert len(snapshots) == 2
    assert node.raft.log.log_start_offset > 0
    assert node.raft.log.log_start_offset <= snapshots[0].end_offset
    before = summary(node)
    world.kill()
    node = world.start(clean=False)
    assert summary(node) == before
    # The newest snapshot is bad: the older one and the log after it do as well.
    node.close()
    world.boot()
    world.disk.flip_bit(f"{FOLDER}/{snapshots[1].file_name}", 8 * 100)
    assert summary(world.start()) == before


def test_a_snapshot_is_written_in_slices_of_the_loop() -> None:
    world = World()
    node = world.start()
    world.create("wide", 1000)
    world.create("other", 500, cleanup_policy="compact")
    node.write_snapshot()
    assert node.raft.snapshot_running
    world.create("during", 2)
    world.scheduler.run_for(1)
    assert not node.raft.snapshot_running
    snapshot = list_snapshots(world.disk, FOLDER)[-1]
    found = read_snapshot(world.disk, f"{FOLDER}/{snapshot.file_name}")
    assert len(found.values) == 4 + 1 + 1 + 1000 + 1 + 500 + 1
    before = summary(node)
    world.kill()
    assert summary(world.start()) == before


def test_a_log_that_outgrew_its_snapshot_is_not_replayed_for_ever() -> None:
    """Every unclean start writes a record per partition: they must not pile up."""
    world = World(replay_bytes_min=20_000)
    node = world.start()
    world.create("wide", 100)
    sizes = []
    for _ in range(20):
        world.kill()
        node = world.start(clean=False)
        sizes.append(node.raft.bytes_since_snapshot)
        world.scheduler.run_for(2)
    assert node.raft.snapshot_id is not None
    assert node.raft.snapshot_id.end_offset > 0
    assert max(sizes) < 60_000
    assert node.image.topics["wide"].partitions[0].leader_epoch == 20


def test_a_snapshot_comes_by_time_if_there_is_something_new() -> None:
    world = World(static={"metadata.log.max.snapshot.interval.ms": "60000"})
    node = world.start()
    world.scheduler.run_for(61)
    assert node.raft.snapshot_count == 1
    world.scheduler.run_for(600)
    assert node.raft.snapshot_count == 1
    world.create("t")
    world.scheduler.run_for(61)
    assert node.raft.snapshot_count == 2


def append_raw(world: World, values: list[bytes]) -> None:
    """Records a newer version might have written."""
    log = world.node.raft.log
    builder = BatchBuilder(base_offset=log.log_end_offset, leader_epoch=world.node.leader_epoch)
    for value in values:
        builder.append(timestamp=1, value=value)
    log.append_as_follower(builder.build())
    world.scheduler.run_for(1)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (b"\x01\x63\x00", "type 99"),
        (b"\x01\x02\x05", "TopicRecord version 5"),
        (b"\x02\x02\x00", "frame version 2"),
        (encode_record(FeatureLevelRecord(name="metadata.version", feature_level=31)), "31"),
        (encode_record(FeatureLevelRecord(name="metadata.version", feature_level=31))[:-1], "FeatureLevel"),
    ],
)
def test_what_only_a_newer_version_knows_stops_the_start_and_changes_nothing(
    value: bytes, words: str
) -> None:
    world = World()
    world.start()
    append_raw(world, [value])
    world.node.close()
    before = world.media.image()
    with pytest.raises(MetadataError) as caught:
        world.open()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert world.media.image() == before


def test_damage_below_the_recovery_point_stops_the_start_and_changes_nothing() -> None:
    world = World()
    world.start()
    world.create("t", 5)
    world.node.close()
    world.boot()
    world.disk.flip_bit(f"{FOLDER}/00000000000000000000.log", 8 * 300)
    before = world.media.image()
    with pytest.raises(MetadataError, match="damaged at offset"):
        world.open()
    assert world.media.image() == before


def test_a_torn_tail_is_cut() -> None:
    world = World()
    node = world.start()
    world.create("t")
    end = node.raft.log.log_end_offset
    world.kill()
    world.boot()
    world.disk.open(f"{FOLDER}/00000000000000000000.log").append(b"\0" * 30)
    node = world.open()
    assert list(node.image.topics) == ["t"]
    assert node.raft.log.log_end_offset == end + 1


def test_several_log_folders_get_ids_of_their_own() -> None:
    world = World(log_dirs=["/a", "/b"])
    node = world.start()
    ids = node.directory_ids
    assert list(ids) == ["/a", "/b"]
    assert ids["/a"] != ids["/b"]
    assert node.image.brokers[1].log_dirs == list(ids.values())
    assert not world.disk.is_folder("/b/__cluster_metadata-0")
    world.create("t")
    # With two folders the controller does not know where a replica goes.
    assert node.image.topics["t"].partitions[0].directories == (UNASSIGNED_DIRECTORY,)
    node.close()
    # A third folder is taken in; the old ones keep their ids.
    world.log_dirs.append("/c")
    again = world.start()
    assert {path: again.directory_ids[path] for path in ids} == ids
    assert again.cluster_id == node.cluster_id
    again.close()
    world.log_dirs = ["/b", "/a"]
    with pytest.raises(MetadataError, match=r"metadata\.log\.dir=/a"):
        world.open()


def test_folders_of_different_clusters_are_refused() -> None:
    world = World(log_dirs=["/a"])
    world.start()
    world.node.close()
    world.log_dirs = ["/b"]
    world.start()
    world.node.close()
    world.log_dirs = ["/a", "/b"]
    with pytest.raises(MetadataError, match="different clusters"):
        world.open()


def test_a_copied_folder_needs_its_own_directory_id() -> None:
    world = World()
    world.start()
    world.node.close()
    world.boot()
    text = world.disk.read_file(f"{DATA}/meta.properties").decode()
    changed = "\n".join(
        "directory.id=AAAAAAAAAAAAAAAAAAAAcw" if line.startswith("directory.id") else line
        for line in text.splitlines()
    )
    file = world.disk.open(f"{DATA}/meta.properties")
    file.truncate(0)
    file.append(changed.encode())
    with pytest.raises(MetadataError, match=r"directory\.id"):
        world.open()


def test_an_unformatted_node_of_a_quorum_of_several_is_refused() -> None:
    world = World(static={"controller.quorum.voters": "1@localhost:9093,2@localhost:9094"})
    with pytest.raises(MetadataError, match="riverlog storage format"):
        world.open()
    world.static = {"controller.quorum.bootstrap.servers": "elsewhere:9093"}
    with pytest.raises(MetadataError, match="riverlog storage format"):
        world.open()
    world.static = {"controller.quorum.voters": "1@localhost:9093"}
    assert world.start().node_id == 1


def test_an_unformatted_broker_is_refused() -> None:
    world = World(static={"process.roles": "broker"})
    with pytest.raises(MetadataError, match="riverlog storage format"):
        world.open()


@pytest.mark.parametrize(
    ("static", "words"),
    [
        ({"controller.quorum.voters": "1,2@b:1"}, "id@host:port"),
        ({"controller.quorum.voters": "1@a:1,1@b:1"}, "named twice"),
        ({"controller.quorum.voters": "1@a"}, "host:port"),
        ({"controller.quorum.bootstrap.servers": "a:70000"}, "host:port"),
    ],
)
def test_settings_of_the_quorum_that_make_no_sense_are_refused(static: dict[str, str], words: str) -> None:
    world = World(static=static)
    with pytest.raises(MetadataError, match=words):
        world.open()


def test_once_formed_the_voters_of_the_log_count_not_the_configured_ones() -> None:
    world = World()
    world.start()
    world.node.close()
    world.static = {"controller.quorum.voters": "1@localhost:9093,2@localhost:9094"}
    node = world.start()
    assert node.is_sole
    assert node.is_active


def test_a_formatted_folder_whose_metadata_log_is_gone_is_refused() -> None:
    world = World()
    world.start()
    world.node.close()
    world.boot()
    world.disk.remove_folder(FOLDER)
    with pytest.raises(MetadataError, match="gone"):
        world.open()


def test_controller_endpoints_of_the_configuration_reach_the_voters_record() -> None:
    world = World()
    world.start()
    world.node.close()
    world.static = {
        "listeners": "PLAINTEXT://:9092,CONTROLLER://localhost:9093",
        "controller.listener.names": "CONTROLLER",
    }
    node = world.start()
    assert node.voters is not None
    (endpoint,) = node.voters.voters[0].endpoints
    assert (endpoint.name, endpoint.host, endpoint.port) == ("CONTROLLER", "localhost", 9093)
    end = node.raft.log.log_end_offset
    node.close()
    assert world.open().raft.log.log_end_offset == end + 1  # no second record for the same voters


def test_deleted_and_recreated_topics_are_new_ones() -> None:
    world = World()
    node = world.start()
    world.create("t", retention_ms="5")
    first = node.image.topics["t"].topic_id
    world.delete("t")
    assert not node.image.topics
    assert not node.image.configs
    world.create("t")
    assert node.image.topics["t"].topic_id != first
    node.close()
    node = world.start()
    assert node.image.topics["t"].topic_id != first
    assert not node.image.topic_config("t")


def test_close_lets_waiting_replies_leave() -> None:
    world = World()
    node = world.start()
    replies: list[int] = []
    node.decide(lambda _: Decision(1, [FeatureLevelRecord(name="x", feature_level=1)]), replies.append)
    node.close()
    assert replies == [1]
    assert world.start().image.features["x"] == 1


def test_config_changes_are_there_after_a_restart() -> None:
    world = World()
    world.start()
    world.create("t")
    response = world.set_config(TOPIC_RESOURCE, "t", retention_ms="5", ack_after_fsync="false")
    assert response.responses[0].error_code == ErrorCode.NONE
    world.kill()
    node = world.start(clean=False)
    assert node.image.topic_config("t") == {"retention.ms": "5", "ack.after.fsync": "false"}
    # One new epoch for the change of ack.after.fsync, one for the unclean stop.
    assert node.image.topics["t"].partitions[0].leader_epoch == 2
    assert ENDPOINTS[0].port == node.image.brokers[1].endpoints["PLAINTEXT"].port
