"""Unformatted voters find each other and form one quorum, or none (RULES: forming a quorum 2-4)."""

from __future__ import annotations

import logging

import pytest
from metadata_cluster import DATA, Cluster, Process, content
from test_metadata_cluster import setting, settings

from riverlog.base.errors import ErrorCode
from riverlog.metadata.gathering import FORMED, FORMING, digest_of, introduction
from riverlog.protocol.apis import ApiKey
from riverlog.storage.files import read_meta_properties


def ids(processes: list[Process]) -> set[str]:
    return {one.node.cluster_id for one in processes}


def test_three_voters_form_a_quorum_and_a_broker_finds_it() -> None:
    cluster = Cluster(observers=1, formatted=False)
    active = cluster.start()
    cluster.settle()
    cluster.wait(lambda: "" not in ids(cluster.living))
    (cluster_id,) = ids(cluster.living)
    assert len(cluster_id) == 22
    assert active.node.raft.voters.ids == [1, 2, 3]
    for process in cluster.living[:3]:
        assert process.node.raft.voters.holds(process.node_id, process.node.directory_id)
    cluster.decide(active, lambda _: setting("a"))
    cluster.settle()
    assert all(content(one.node) == content(active.node) for one in cluster.living)
    # It is on disk: they come back as what they are.
    for process in list(cluster.living):
        process.kill()
    active = cluster.start()
    assert ids(cluster.living) == {cluster_id}
    assert settings(active.node) == {"a": "1"}


def test_a_majority_is_not_enough_to_form_a_quorum() -> None:
    cluster = Cluster(formatted=False)
    first, second, third = cluster.processes.values()
    first.start()
    second.start()
    cluster.scheduler.run_for(60.0)
    assert ids([first, second]) == {""}
    for process in (first, second):
        meta = read_meta_properties(process.disk, DATA)
        assert meta is not None
        assert meta.cluster_id is None
        assert meta.directory_id is not None
    # Restarted meanwhile, with the same directory id.
    before = first.node.directory_id
    first.kill()
    first.start()
    assert first.node.directory_id == before
    third.start()
    cluster.wait_active()
    cluster.wait(lambda: len(ids(cluster.living)) == 1)


def test_different_lists_are_refused_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    cluster = Cluster(formatted=False)
    third = cluster.processes[3]
    third.configure(controller_quorum_voters="1@localhost:9001,2@localhost:9002,3@localhost:9999")
    with caplog.at_level(logging.ERROR):
        for process in cluster.processes.values():
            process.start()
        cluster.scheduler.run_for(20.0)
    assert ids(cluster.living) == {""}
    assert "another controller.quorum.voters" in caplog.text
    assert "9999" in caplog.text
    assert "9003" in caplog.text


def test_a_wiped_majority_forms_no_second_quorum() -> None:
    cluster = Cluster(formatted=False)
    cluster.start()
    cluster.settle()
    cluster.wait(lambda: len(ids(cluster.living)) == 1)
    (cluster_id,) = ids(cluster.living)
    kept = cluster.processes[1]
    for process in list(cluster.living):
        process.kill()
    for number in (2, 3):
        cluster.processes[number].wipe()
        cluster.processes[number].start()
    cluster.scheduler.run_for(30.0)
    assert ids(cluster.living) == {""}
    kept.start()
    cluster.scheduler.run_for(60.0)
    # They know now where they belong, and do not vote there.
    assert ids(cluster.living) == {cluster_id}
    assert cluster.active() == []
    assert not any(one.node.raft.is_voter for one in cluster.living if one is not kept)


def test_a_voter_that_missed_the_forming_is_told_by_one_that_did_not() -> None:
    cluster = Cluster(formatted=False)
    first, second, third = cluster.processes.values()
    first.start()
    second.start()
    cluster.scheduler.run_for(3.2)
    third.start()
    cluster.wait(lambda: third.node.cluster_id != "")
    assert first.node.cluster_id == ""
    first.kill()
    cluster.wait(lambda: second.node.cluster_id != "")
    second.kill()
    first.start()
    assert first.node.cluster_id == ""
    active = cluster.wait_active()
    assert active in (first, third)
    assert ids([first, third]) == {third.node.cluster_id}
    assert first.node.raft.voters.ids == [1, 2, 3]


def test_once_formed_nobody_introduces_anybody() -> None:
    cluster = Cluster(formatted=False, observers=1)
    cluster.start()
    cluster.wait(lambda: "" not in ids(cluster.living))
    cluster.scheduler.run_for(3.0)
    before = cluster.carried[ApiKey.UPDATE_RAFT_VOTER]
    # Late ones are answered and end there.
    for process in cluster.living[:3]:
        late = introduction(process.node.raft.voters.nodes[2], FORMING + "0")
        process.node.handle_update_voter(late, lambda _: None, version=0)
    cluster.scheduler.run_for(10.0)
    assert cluster.carried[ApiKey.UPDATE_RAFT_VOTER] - before <= 6


def test_a_voter_emptied_while_others_still_introduce_themselves_forms_nothing() -> None:
    cluster = Cluster(formatted=False)
    active = cluster.start()
    cluster.wait(lambda: "" not in ids(cluster.living))
    cluster.decide(active, lambda _: setting("a"))
    emptied = next(one for one in cluster.living if one is not active)
    emptied.kill()
    emptied.wipe()
    emptied.start()
    listed = {number: ("localhost", 9000 + number) for number in cluster.processes}
    mark = FORMING + digest_of(listed)
    errors: list[int] = []
    for process in cluster.living:
        if process is not emptied:
            own = process.node.raft.voters.nodes[process.node_id]
            for stale in (introduction(own, mark), introduction(own, FORMED + bytes(16).hex())):
                emptied.node.handle_update_voter(stale, lambda r: errors.append(r.error_code), version=0)
    assert errors == [0, ErrorCode.INVALID_CONFIG] * 2
    assert emptied.node.cluster_id == ""
    cluster.wait(lambda: emptied.node.cluster_id != "")
    assert emptied.node.cluster_id == active.node.cluster_id
    cluster.settle()
    assert settings(emptied.node) == {"a": "1"}


def test_an_emptied_voter_that_knows_an_epoch_but_no_voters_never_leads_alone() -> None:
    cluster = Cluster()
    active = cluster.start()
    cluster.settle()
    emptied = next(one for one in cluster.living if one is not active)
    emptied.kill()
    emptied.wipe()
    emptied.start()
    state = f"{DATA}/__cluster_metadata-0/quorum-state"
    cluster.wait(lambda: emptied.disk.exists(state))
    assert emptied.node.raft.log.log_end_offset == 0
    for process in list(cluster.living):
        process.kill()
    emptied.start()
    cluster.scheduler.run_for(60.0)
    assert not emptied.node.is_active
    assert not emptied.node.raft.is_voter
