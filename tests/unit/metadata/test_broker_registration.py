"""BrokerRegistration and ControllerRegistration (RULES: registration after an unclean stop)."""

from __future__ import annotations

import pytest
from controller_world import Controller, directory

from riverlog.base.errors import ErrorCode
from riverlog.metadata import registration
from riverlog.metadata.image import ClusterState
from riverlog.metadata.records import METADATA_VERSION, SUPPORTED_FEATURES
from riverlog.protocol.generated.controller_registration_request import (
    ControllerRegistrationRequest,
    Feature,
    Listener,
)
from riverlog.protocol.generated.feature_level_record import FeatureLevelRecord

E = ErrorCode


def test_broker_is_registered_fenced_with_the_offset_as_its_epoch() -> None:
    controller = Controller(racks={1: "a"})
    offset = controller.offset
    response = controller.register(1)
    assert (response.error_code, response.broker_epoch) == (E.NONE, offset)
    broker = controller.state.brokers[1]
    assert (broker.fenced, broker.rack, broker.log_dirs) == (True, "a", [directory(1)])
    assert [(e.host, e.port) for e in broker.endpoints.values()] == [("localhost", 9001)]


def test_same_incarnation_registers_again_without_losing_anything() -> None:
    controller = Controller(1, 2)
    controller.register(2)
    controller.beat(2)
    controller.topic([1, 2])
    before = controller.state.brokers[2].broker_epoch
    response = controller.register(2, again=True, session_alive=True)
    assert (response.error_code, response.broker_epoch) == (E.NONE, before)
    assert not controller.state.brokers[2].fenced
    assert controller.shape == (1, (1, 2), ())


def test_another_incarnation_is_refused_while_the_old_one_lives() -> None:
    controller = Controller(1, 2)
    controller.topic([1, 2])
    before = controller.offset
    assert controller.register(1, session_alive=True).error_code == E.DUPLICATE_BROKER_REGISTRATION
    assert controller.offset == before
    assert controller.register(1).error_code == E.NONE
    # That fenced the old one.
    assert controller.shape == (2, (2,), ())


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"cluster_id": "other"}, E.INCONSISTENT_CLUSTER_ID),
        ({"dirs": []}, E.INVALID_REGISTRATION),
        ({"dirs": [directory(3), directory(3)]}, E.INVALID_REGISTRATION),
        ({"dirs": [bytes(15) + b"\2"]}, E.INVALID_REGISTRATION),
        ({"dirs": [directory(1)]}, E.INVALID_REGISTRATION),
        ({"features": {}}, E.UNSUPPORTED_VERSION),
        (
            {"features": {**SUPPORTED_FEATURES, "metadata.version": (7, METADATA_VERSION - 1)}},
            E.UNSUPPORTED_VERSION,
        ),
        ({"features": {"metadata.version": (7, METADATA_VERSION)}}, E.UNSUPPORTED_VERSION),
    ],
)
def test_unsound_registrations_are_refused(more: dict[str, object], error: ErrorCode) -> None:
    controller = Controller(1)
    before = controller.offset
    assert controller.register(3, **more).error_code == error  # type: ignore[arg-type]
    assert controller.offset == before


@pytest.mark.parametrize("clean", [True, False])
def test_restart_gives_what_it_led_a_new_leader_epoch(clean: bool) -> None:
    """RULES: watermark 6."""
    controller = Controller(1)
    controller.topic([1])
    epoch = controller.partition.leader_epoch
    controller.register(1, clean=clean)
    assert controller.shape == (-1, (1,), ())
    controller.beat(1)
    assert controller.shape == (1, (1,), ())
    assert controller.partition.leader_epoch > epoch
    assert controller.partition.leader_recovery_state == 0


def test_unclean_restart_with_its_folder_stays_eligible() -> None:
    controller = Controller(1, 2, 3)
    controller.topic([1, 2, 3], min_insync_replicas="2")
    controller.fence(2)
    assert controller.shape == (1, (1, 3), ())
    controller.fence(1)
    assert controller.shape == (3, (3,), (1,))
    controller.register(1)
    assert controller.shape == (3, (3,), (1,))
    controller.fence(3)
    assert controller.shape == (-1, (3,), (1,))
    controller.beat(1)
    # Eligible: the watermark could not move without it.
    assert controller.shape == (1, (1,), (3,))
    assert controller.partition.leader_recovery_state == 0


def test_wiped_replica_leaves_isr_and_elr_in_the_same_batch() -> None:
    controller = Controller(1, 2, 3)
    controller.topic([1, 2, 3], isr=[1], elr=[2, 3], min_insync_replicas="3")
    new = [directory(2, generation=1)]
    controller.register(2, dirs=new)
    assert controller.shape == (1, (1,), (3,))
    assert controller.partition.directories == (directory(1), new[0], directory(3))
    controller.register(1, dirs=[directory(1, generation=1)])
    assert controller.shape == (3, (3,), ())


def test_wiped_last_replica_is_never_elected_by_itself() -> None:
    controller = Controller(1, 2)
    controller.topic([1, 2], isr=[1])
    controller.start(1, dirs=[directory(1, generation=1)])
    assert controller.shape == (-1, (), ())
    assert controller.partition.last_known_elr == ()
    controller.start(2)
    assert controller.partition.leader == -1
    assert controller.elect(1) == E.NONE
    assert controller.partition.leader_recovery_state == 1


def test_wiped_last_replica_leads_where_unclean_elections_are_on() -> None:
    controller = Controller(1)
    controller.topic([1], unclean_leader_election_enable="true")
    controller.start(1, dirs=[directory(1, generation=1)])
    assert controller.shape == (1, (1,), ())
    assert controller.partition.leader_recovery_state == 1


@pytest.mark.parametrize("clean", [True, False])
def test_offline_folder_at_the_start_costs_its_replicas(clean: bool) -> None:
    controller = Controller(1)
    both = [directory(2), directory(2, number=1)]
    controller.start(2, dirs=both)
    controller.topic([2, 1], directories=[both[1], directory(1)])
    controller.register(2, clean=clean, dirs=both[:1])
    assert controller.shape == (1, (1,), ())
    # Which folder it will use instead only the broker knows.
    assert controller.partition.directories == (both[1], directory(1))


def test_replica_of_an_unnamed_folder_is_lost_with_any_folder() -> None:
    for gone, expected in ((True, ()), (False, (2,))):
        controller = Controller()
        both = [directory(2), directory(2, number=1)]
        controller.start(2, dirs=both)
        controller.topic([2], directories=[bytes(16)])
        controller.register(2, dirs=both[:1] if gone else both)
        assert controller.partition.isr == expected


def test_without_fsync_an_unclean_stop_costs_the_replica() -> None:
    controller = Controller(1, 2)
    controller.topic([1, 2], ack_after_fsync="false", min_insync_replicas="2")
    controller.fence(2)
    assert controller.shape == (1, (1,), (2,))
    controller.register(2)
    assert controller.shape == (1, (1,), ())
    # A clean stop loses nothing.
    controller = Controller(1, 2)
    controller.topic([1, 2], ack_after_fsync="false", min_insync_replicas="2")
    controller.fence(2)
    controller.register(2, clean=True)
    assert controller.shape == (1, (1,), (2,))


def test_without_fsync_the_last_known_leader_recovers() -> None:
    """ADR 0015: else the sole replica of such a topic would be gone after every kill."""
    controller = Controller(1, 2)
    controller.topic([1, 2], isr=[1], ack_after_fsync="false")
    controller.register(1)
    assert controller.shape == (-1, (), ())
    assert controller.partition.last_known_elr == (1,)
    controller.start(2)
    assert controller.partition.leader == -1
    controller.beat(1)
    assert controller.shape == (1, (1,), ())
    assert controller.partition.leader_recovery_state == 1
    assert controller.partition.last_known_elr == ()


def test_last_known_leader_that_is_wiped_is_forgotten() -> None:
    controller = Controller(1)
    controller.topic([1], ack_after_fsync="false")
    controller.register(1)
    assert controller.partition.last_known_elr == (1,)
    controller.start(1, dirs=[directory(1, generation=1)])
    assert (controller.partition.leader, controller.partition.last_known_elr) == (-1, ())


def test_internal_topics_count_as_synced() -> None:
    controller = Controller(1)
    controller.topic([1])
    controller.setting("ack.after.fsync", "false", topic=None)
    controller.state.topics["__consumer_offsets"] = controller.state.topics.pop("t")
    controller.state.topics["__consumer_offsets"].name = "__consumer_offsets"
    controller.register(1)
    assert controller.state.topics["__consumer_offsets"].partitions[0].isr == (1,)


def test_power_cut_of_all_heals_even_if_the_last_to_come_is_wiped() -> None:
    """Everybody stays in sync while nobody else is known to live, whatever ``min.insync.replicas`` is."""
    controller = Controller(1, 2, 3)
    controller.topic([1, 2, 3])
    controller.register(2, in_contact=[])
    assert controller.shape == (1, (1, 2, 3), ())
    controller.register(1, in_contact=[])
    assert controller.shape == (-1, (1, 2, 3), ())
    controller.register(3, in_contact=[], dirs=[directory(3, generation=1)])
    assert controller.shape == (-1, (1, 2), ())
    controller.beat(2)
    # Who is fenced does not hold up the leader.
    assert controller.shape == (2, (2,), ())


def test_first_sign_of_life_elects_and_trims() -> None:
    """A new controller that has heard nobody yet: the leader's broker restarts before the others beat."""
    controller = Controller(1, 2, 3)
    controller.topic([1, 2, 3])
    controller.register(1, in_contact=[])
    assert controller.shape == (-1, (1, 2, 3), ())
    controller.beat(2, first_contact=True)
    assert controller.shape == (2, (2, 3), ())
    # And a follower's restart under a leader that was not heard yet.
    controller.register(3, in_contact=[])
    assert controller.shape == (2, (2, 3), ())
    controller.beat(2, first_contact=True)
    assert controller.shape == (2, (2,), ())


def test_leadership_goes_only_to_brokers_that_were_heard() -> None:
    controller = Controller(1, 2, 3)
    controller.topic([1, 2, 3])
    controller.register(1, in_contact=[3])
    assert controller.shape == (3, (2, 3), ())


def test_without_the_feature_the_last_replica_stays_in_sync() -> None:
    controller = Controller(1, 2, elr=False)
    controller.topic([1, 2], ack_after_fsync="false", min_insync_replicas="2")
    controller.register(1)
    assert controller.shape == (2, (2,), ())
    controller.register(2)
    assert controller.shape == (-1, (2,), ())


def test_feature_that_nobody_here_acts_on_does_not_keep_a_broker_out() -> None:
    controller = Controller(1)
    controller.replay(FeatureLevelRecord(name="share.version", feature_level=1))
    assert controller.register(2).error_code == E.NONE


def test_controller_is_registered_with_its_endpoints() -> None:
    controller = Controller()
    request = ControllerRegistrationRequest(
        controller_id=5,
        incarnation_id=b"i" * 16,
        listeners=[Listener(name="CONTROLLER", host="h", port=1)],
        features=[Feature(name="metadata.version", min_supported_version=7, max_supported_version=30)],
    )
    response = controller.apply(registration.register_controller(controller.state, request))
    assert response.error_code == E.NONE
    record = controller.state.controllers[5]
    assert [(e.name, e.host, e.port) for e in record.end_points] == [("CONTROLLER", "h", 1)]
    assert [f.max_supported_version for f in record.features] == [30]
    old = registration.register_controller(ClusterState(), request)
    assert (old.response.error_code, old.records) == (E.UNSUPPORTED_VERSION, [])
