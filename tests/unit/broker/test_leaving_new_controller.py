"""A broker leaves while the controller changes: the new one lets it go as soon as all know."""

from __future__ import annotations

from cluster_world import Cluster

from riverlog.base.errors import ErrorCode
from riverlog.broker.controller_channel import call_locally
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from riverlog.protocol.generated.broker_heartbeat_response import BrokerHeartbeatResponse


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


def test_strangers_that_say_they_leave_are_not_remembered() -> None:
    cluster = Cluster(3)
    controller = cluster.controller()
    assert controller is not None
    answers: list[BrokerHeartbeatResponse] = []
    for number in range(100, 200):
        request = BrokerHeartbeatRequest(broker_id=number, broker_epoch=1, want_shut_down=True)
        call_locally(controller.broker, ApiKey.BROKER_HEARTBEAT, request, answers.append)
    assert cluster.run_until(lambda: len(answers) == 100)
    assert {one.error_code for one in answers} == {ErrorCode.STALE_BROKER_EPOCH}
    assert not controller.broker.contacts._leaving
