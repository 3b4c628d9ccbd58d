"""A quorum of three: decisions survive their controller, speculation does not, observers see the same."""

from __future__ import annotations

import pytest
from metadata_cluster import DATA, Cluster, content
from metadata_world import create_request

from riverlog.metadata import topics
from riverlog.metadata.controller import Decision
from riverlog.metadata.errors import MetadataError
from riverlog.metadata.forming import format_folders
from riverlog.metadata.image import ClusterState
from riverlog.metadata.node import MetadataNode
from riverlog.protocol.generated.config_record import ConfigRecord
from riverlog.raft.snapshots import list_snapshots
from riverlog.raft.voter_set import VoterSet
from riverlog.storage.files import read_meta_properties

FOLDER = f"{DATA}/__cluster_metadata-0"


def setting(name: str, value: str = "1") -> Decision[str]:
    """A small decision: a dynamic default of the cluster."""
    record = ConfigRecord(resource_type=4, resource_name="", name=name, value=value)
    return Decision(f"set {name}", [record])


def settings(node: MetadataNode) -> dict[str, str]:
    return dict(node.image.config(4, ""))


def test_all_nodes_are_formatted_for_the_same_cluster() -> None:
    cluster = Cluster(observers=1)
    assert len(set(cluster.cluster_ids)) == 1
    for process in cluster.processes.values():
        meta = read_meta_properties(process.disk, DATA)
        assert meta is not None
        assert meta.cluster_id == cluster.cluster_ids[0]
        assert bool(list_snapshots(process.disk, FOLDER)) == (process.node_id <= 3)


def test_formatting_twice_or_for_another_directory_is_refused() -> None:
    cluster = Cluster()
    process = cluster.processes[1]

    def again(voters: VoterSet) -> None:
        format_folders(process.disk, [DATA], process.config, rng=process.rng, now_ms=0, voters=voters)

    with pytest.raises(MetadataError, match="is formatted already"):
        again(cluster.voter_set)
    process.disk.remove(f"{DATA}/meta.properties")
    process.disk.remove_folder(FOLDER)
    with pytest.raises(MetadataError, match="cluster id or the voters"):
        again(VoterSet())


def test_three_voters_elect_an_active_controller_and_it_writes_the_first_records() -> None:
    cluster = Cluster(observers=1)
    active = cluster.start()
    assert not active.node.is_sole
    cluster.settle()
    for process in cluster.processes.values():
        node = process.node
        assert node.is_active == (process is active)
        assert node.controller_id == active.node_id
        assert node.controller_address() == ("localhost", 9000 + active.node_id)
        assert node.image.features["metadata.version"] == 30
        assert node.image.features["group.version"] == 1
        assert node.image.features["eligible.leader.replicas.version"] == 1
        assert node.image.features["kraft.version"] == 1
        assert node.cluster_id == cluster.cluster_ids[0]


def test_a_decision_is_seen_by_all_and_by_observers() -> None:
    cluster = Cluster(observers=1)
    active = cluster.start()
    assert cluster.decide(active, lambda _: setting("a")) == "set a"
    cluster.settle()
    assert [settings(one.node) for one in cluster.living] == [{"a": "1"}] * 4
    expected = content(active.node)
    assert all(content(one.node) == expected for one in cluster.living)


def test_what_was_committed_survives_the_active_controller() -> None:
    cluster = Cluster(observers=1)
    first = cluster.start()
    for number in range(5):
        cluster.decide(first, lambda _, name=f"s{number}": setting(name))
    first.kill()
    second = cluster.wait_active(without=first.node_id)
    assert settings(second.node) == {f"s{number}": "1" for number in range(5)}
    cluster.decide(second, lambda _: setting("after"))
    first.start()
    cluster.settle()
    assert not first.node.is_active
    assert content(first.node) == content(second.node)
    assert all(content(one.node) == content(second.node) for one in cluster.living)


def test_what_was_pending_is_lost_with_the_leadership_and_the_state_is_dropped() -> None:
    cluster = Cluster()
    first = cluster.start()
    cluster.decide(first, lambda _: setting("committed"))
    replies: list[object] = []
    lost: list[str] = []
    activity: list[bool] = []
    first.node.on_activity.append(activity.append)
    cluster.cut(first.node_id)
    first.node.decide(lambda _: setting("pending"), replies.append, lambda: lost.append("pending"))
    first.node.decide(
        lambda state: Decision(sorted(state.config(4, ""))), replies.append, lambda: lost.append("read")
    )
    assert first.node.state.config(4, "")["pending"] == "1"
    second = cluster.wait_active(without=first.node_id)
    cluster.decide(second, lambda _: setting("instead"))
    cluster.cut()
    cluster.wait(lambda: not first.node.is_active)
    assert lost == ["pending", "read"]
    assert replies == []
    assert activity == [False]
    cluster.settle()
    assert settings(first.node) == {"committed": "1", "instead": "1"}
    assert first.node.state is first.node.image
    # One that does not lead decides nothing.
    first.node.decide(lambda _: setting("never"), replies.append, lambda: lost.append("never"))
    assert lost[-1] == "never"
    assert replies == []


def test_listeners_of_followers_hear_the_same_records_in_order() -> None:
    cluster = Cluster(observers=1)
    active = cluster.start()
    cluster.settle()
    heard: dict[int, list[str]] = {number: [] for number in cluster.processes}
    for number, process in cluster.processes.items():

        def listen(records: object, number: int = number) -> None:
            assert isinstance(records, list)
            heard[number] += [record.name for record in records if isinstance(record, ConfigRecord)]

        process.node.subscribe(listen)
    for number in range(10):
        cluster.decide(active, lambda _, name=f"s{number}": setting(name))
    cluster.settle()
    assert all(names == [f"s{number}" for number in range(10)] for names in heard.values())


def test_every_node_writes_snapshots_and_a_lagging_one_is_sent_one() -> None:
    cluster = Cluster(
        observers=1, replay_bytes_min=4000, metadata_log_max_record_bytes_between_snapshots="4000"
    )
    active = cluster.start()
    late = next(one for one in cluster.living if one is not active and one.node_id <= 3)
    watcher = cluster.processes[4]
    late.kill()
    watcher.kill()
    for number in range(60):
        request = create_request(f"topic-{number}", 3)
        request.topics[0].replication_factor = 1

        def decide(state: ClusterState, request: object = request) -> Decision[object]:
            decision = topics.create_topics(state, active.node.settings, request)  # type: ignore[arg-type]
            return Decision(decision.response, decision.records)

        cluster.decide(active, decide)
        cluster.decide(active, lambda _, number=number: setting(f"filler.{number}", "x" * 100))
    cluster.scheduler.run_for(3.0)
    assert active.node.raft.log.log_start_offset > 0
    for process in cluster.living:
        assert list_snapshots(process.disk, FOLDER)[-1].end_offset > 0
    late.start()
    watcher.start()
    resets: list[str] = []
    late.node.subscribe(lambda _: None, reset=lambda: resets.append("late"))
    watcher.node.subscribe(lambda _: None, reset=lambda: resets.append("watcher"))
    cluster.settle()
    assert sorted(resets) == ["late", "watcher"]
    assert content(late.node) == content(active.node)
    assert content(watcher.node) == content(active.node)
    # And they come up from their own disks again.
    for process in (late, watcher):
        process.kill()
        process.start()
    cluster.settle()
    assert content(late.node) == content(active.node)


def test_all_killed_at_once_come_back_with_everything_acknowledged() -> None:
    cluster = Cluster()
    active = cluster.start()
    names = [f"s{number}" for number in range(8)]
    for name in names:
        cluster.decide(active, lambda _, name=name: setting(name))
    epoch = active.node.leader_epoch
    for process in list(cluster.living):
        process.kill()
    active = cluster.start()
    assert active.node.leader_epoch > epoch
    assert sorted(settings(active.node)) == names


def test_an_idle_controller_writes_no_op_records_unless_told_not_to() -> None:
    for interval, grows in (("500", True), ("0", False)):
        cluster = Cluster(metadata_max_idle_interval_ms=interval)
        active = cluster.start()
        cluster.settle()
        cluster.scheduler.run_for(2.0)
        before = active.node.committed_offset
        cluster.scheduler.run_for(5.0)
        assert (active.node.committed_offset > before) == grows


def test_without_a_network_a_node_of_several_is_refused() -> None:
    cluster = Cluster()
    process = cluster.processes[1]
    process.boot()
    before = process.disk.list_folder(DATA)
    with pytest.raises(MetadataError, match="no network"):
        MetadataNode.open(
            disk=process.disk, log_dirs=[DATA], clock=process.clock, rng=process.rng, config=process.config
        )
    assert process.disk.list_folder(DATA) == before
