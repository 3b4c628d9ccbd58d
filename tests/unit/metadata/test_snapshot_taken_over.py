"""The power goes between a snapshot of the leader getting its name and the log being dropped for it."""

from __future__ import annotations

from metadata_cluster import DATA, Cluster, content
from test_metadata_cluster import setting

from riverlog.raft.snapshots import SnapshotId, list_snapshots

FOLDER = f"{DATA}/__cluster_metadata-0"


def test_a_log_that_ends_in_an_older_epoch_than_the_snapshot_there_goes() -> None:
    """Its last records are not those of the snapshot: they were never committed, the leader has others."""
    cluster = Cluster(observers=1)
    active = cluster.start()
    cluster.decide(active, lambda _: setting("a"))
    cluster.settle()
    other = next(one for one in cluster.living if one is not active)
    log = other.node.raft.log
    end, epoch = log.log_end_offset, log.epochs.latest_epoch
    for process in list(cluster.living):
        process.kill()
    other.boot()
    found = list_snapshots(other.disk, FOLDER)[-1]
    data = other.disk.read_file(f"{FOLDER}/{found.file_name}")
    taken = SnapshotId(end, epoch + 1)
    file = other.disk.open(f"{FOLDER}/{taken.file_name}", create=True)
    file.append(data)
    other.disk.sync([file])
    other.disk.sync_folder(FOLDER)
    other.start()
    raft = other.node.raft
    assert raft.snapshot_id == taken
    assert raft.log.log_start_offset == raft.log.log_end_offset == end
    assert raft.store.last_epoch == epoch + 1


def test_a_log_that_goes_on_where_its_snapshot_ends_stays() -> None:
    cluster = Cluster(observers=1)
    active = cluster.start()
    cluster.decide(active, lambda _: setting("a"))
    cluster.settle()
    process = next(one for one in cluster.living if one is not active)
    node = process.node
    node.write_snapshot()
    cluster.wait(lambda: node.raft.snapshot_count == 1)
    ends = node.raft.log.log_start_offset, node.raft.log.log_end_offset
    before = content(node)
    process.kill()
    process.start()
    log = process.node.raft.log
    assert (log.log_start_offset, log.log_end_offset) == ends
    assert content(process.node) == before
