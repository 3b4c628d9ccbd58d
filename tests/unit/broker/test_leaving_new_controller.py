"""A broker leaves while the controller changes: the new one lets it go as soon as all know."""

from __future__ import annotations

from cluster_world import Cluster


def test_heartbeats_tell_control_records_too() -> None:
    """The last record may be the new controller's LeaderChange: whoever has it has all that it decides on.

    Without this a leaving broker waited for the next record that others count, up to its time-out.
    """
    cluster = Cluster(3, metadata_max_idle_interval_ms="0")
    old = cluster.controller()
    assert old is not None
    leaving = next(node for node in cluster.alive if node is not old)
    cluster.create("t", partitions=3, factor=3)
    cluster.run_for(3.0)
    # Decided by the old controller, and known to nobody else when it resigns.
    done: list[bool] = []
    leaving.broker.stop_gracefully(lambda: done.append(True))

    def decided() -> bool:
        return old.broker.metadata.image.brokers[leaving.node_id].in_controlled_shutdown

    assert cluster.run_until(decided)
    old.broker.metadata.raft.resign()
    began = cluster.scheduler.now
    assert cluster.run_until(lambda: bool(done))
    assert cluster.scheduler.now - began < 8.0
    image = old.broker.metadata.image
    assert cluster.run_until(lambda: image.brokers[leaving.node_id].fenced)
