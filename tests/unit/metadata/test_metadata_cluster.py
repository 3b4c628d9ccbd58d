"""A quorum of three: decisions survive their controller, speculation does not, observers see the same."""

from __future__ import annotations

import pytest
from metadata_cluster import DATA, Cluster, Process, content
from metadata_world import ENDPOINTS, create_request

from riverlog.metadata import topics
from riverlog.metadata.brokers import register_broker, unfencing
from riverlog.metadata.controller import Decision
from riverlog.metadata.errors import MetadataError
from riverlog.metadata.forming import format_folders
from riverlog.metadata.image import ClusterState
from riverlog.metadata.node import MetadataNode
from riverlog.protocol.generated.config_record import ConfigRecord
from riverlog.protocol.generated.partition_change_record import PartitionChangeRecord
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
        assert node.image.transaction_version == 2
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


def register(cluster: Cluster, process: Process) -> None:
    """Every node a broker in service, as far as the metadata goes."""
    for number in cluster.processes:

        def decide(state: ClusterState, number: int = number) -> Decision[None]:
            epoch = process.node.raft.log.log_end_offset
            record = register_broker(
                broker_id=number,
                broker_epoch=epoch,
                incarnation_id=number.to_bytes(16, "big"),
                endpoints=ENDPOINTS,
                rack=None,
                log_dirs=[(1000 + number).to_bytes(16, "big")],
            )
            return Decision(None, [record, unfencing(number, epoch)])

        cluster.decide(process, decide)


def beat(cluster: Cluster, process: Process, *numbers: int) -> None:
    for number in numbers:
        broker = process.node.state.brokers[number]
        process.node.heartbeats.connected(number, broker.broker_epoch, f"session-{number}")


def test_a_new_controller_fences_the_dead_leaders_broker_early_and_others_not() -> None:
    cluster = Cluster()
    first = cluster.start()
    register(cluster, first)
    cluster.settle()
    killed_at = cluster.scheduler.now
    first.kill()
    second = cluster.wait_active(without=first.node_id)
    assert cluster.scheduler.now - killed_at < 1.0
    others = [number for number in cluster.processes if number != first.node_id]
    assert not second.node.state.brokers[first.node_id].fenced
    cluster.wait(lambda: second.node.image.brokers[first.node_id].fenced)
    assert 1.0 <= cluster.scheduler.now - killed_at < 1.5
    cluster.scheduler.run_for(5.0)
    assert not any(second.node.image.brokers[number].fenced for number in others)
    # Those that it never heard itself have the session time-out.
    beat(cluster, second, others[0])
    cluster.scheduler.run_for(4.0)
    fenced = {number for number, broker in second.node.image.brokers.items() if broker.fenced}
    assert fenced == {first.node_id, others[1]}


def test_replicas_of_a_broker_that_stays_dead_are_made_anew_elsewhere() -> None:
    cluster = Cluster(voters=3, observers=1, broker_replica_replacement_timeout_ms="60000")
    active = cluster.start()
    register(cluster, active)
    request = create_request("t", 4, factor=2)
    settings_of = active.node.settings
    response = cluster.decide(active, lambda state: topics.create_topics(state, settings_of, request))
    assert response.topics[0].error_code == 0

    def run(seconds: int) -> None:
        for _ in range(seconds):
            beat(cluster, active, 1, 2, 3)
            cluster.scheduler.run_for(1.0)

    def holders() -> set[int]:
        return {one for _, _, partition in active.node.image.partitions() for one in partition.replicas}

    beat(cluster, active, 4)
    assert 4 in holders()
    run(60)
    assert active.node.image.brokers[4].fenced
    assert not any(partition.adding_replicas for _, _, partition in active.node.image.partitions())
    run(40)
    with_four = [p for _, _, p in active.node.image.partitions() if 4 in p.replicas]
    assert with_four
    assert all(partition.adding_replicas and partition.removing_replicas for partition in with_four)


def test_leaders_go_back_to_their_preferred_replicas() -> None:
    cluster = Cluster(leader_imbalance_check_interval_seconds="10")
    active = cluster.start()
    register(cluster, active)
    request = create_request("t", 6, factor=3)
    settings_of = active.node.settings
    cluster.decide(active, lambda state: topics.create_topics(state, settings_of, request))

    def move(state: ClusterState) -> Decision[None]:
        return Decision(
            None,
            [
                PartitionChangeRecord(
                    partition_id=index, topic_id=topic.topic_id, leader=partition.replicas[1]
                )
                for topic, index, partition in state.partitions()
            ],
        )

    cluster.decide(active, move)
    assert all(p.leader != p.replicas[0] for _, _, p in active.node.image.partitions())
    for _ in range(12):
        beat(cluster, active, 1, 2, 3)
        cluster.scheduler.run_for(1.0)
    assert all(p.leader == p.replicas[0] for _, _, p in active.node.image.partitions())


@pytest.mark.parametrize("by_hand", [True, False])
def test_an_emptied_voter_observes_and_then_votes_with_its_new_directory(by_hand: bool) -> None:
    """RULES: forming a quorum 5."""
    cluster = Cluster()
    active = cluster.start()
    cluster.decide(active, lambda _: setting("a"))
    emptied = next(one for one in cluster.living if one is not active)
    old = emptied.node.directory_id
    emptied.kill()
    emptied.wipe()
    if by_hand:
        format_folders(
            emptied.disk,
            [DATA],
            emptied.config,
            rng=emptied.rng,
            now_ms=0,
            voters=VoterSet(),
            cluster_id=active.node.cluster_id,
        )
    emptied.start()
    assert emptied.node.directory_id != old
    cluster.settle()
    cluster.wait(lambda: active.node.raft.voters.holds(emptied.node_id, emptied.node.directory_id))
    assert len(active.node.raft.voters) == 3
    assert content(emptied.node) == content(active.node)
    assert emptied.node.cluster_id == active.node.cluster_id
    # It counts: with it, one more may go.
    cluster.scheduler.run_for(2.0)
    other = next(one for one in cluster.living if one not in (active, emptied))
    other.kill()
    cluster.decide(active, lambda _: setting("b"))
    cluster.settle()
    assert settings(emptied.node) == {"a": "1", "b": "1"}


def test_a_sole_voter_is_sole_until_another_broker_registers() -> None:
    cluster = Cluster(voters=1, observers=1)
    active = cluster.start()
    assert active.node_id == 1
    assert active.node.is_sole
    assert not cluster.processes[2].node.is_sole
    register(cluster, active)
    cluster.settle()
    assert not active.node.is_sole
    assert content(cluster.processes[2].node) == content(active.node)
    active.kill()
    active.start()
    # It leads at once, but as a broker it has to ask like everyone: others may have more than it has.
    assert active.node.is_active
    assert not active.node.is_sole
