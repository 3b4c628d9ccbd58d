"""Replaying metadata records."""

from __future__ import annotations

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.metadata.image import LEADER_UNCHANGED, NO_LEADER, ClusterState, ReplayError
from riverlog.metadata.image_records import image_records
from riverlog.metadata.partitions import elect_leaderless
from riverlog.metadata.producer_ids import BLOCK_SIZE, allocate_producer_ids
from riverlog.metadata.records import (
    METADATA_VERSION,
    UnknownRecord,
    decode_record,
    encode_record,
    record_version,
)
from riverlog.protocol.errors import DecodeError
from riverlog.protocol.generated.broker_registration_change_record import BrokerRegistrationChangeRecord
from riverlog.protocol.generated.clear_elr_record import ClearElrRecord
from riverlog.protocol.generated.config_record import ConfigRecord
from riverlog.protocol.generated.feature_level_record import FeatureLevelRecord
from riverlog.protocol.generated.no_op_record import NoOpRecord
from riverlog.protocol.generated.partition_change_record import PartitionChangeRecord
from riverlog.protocol.generated.partition_record import PartitionRecord
from riverlog.protocol.generated.producer_ids_record import ProducerIdsRecord
from riverlog.protocol.generated.register_broker_record import RegisterBrokerRecord
from riverlog.protocol.generated.remove_topic_record import RemoveTopicRecord
from riverlog.protocol.generated.topic_record import TopicRecord
from riverlog.protocol.generated.unfence_broker_record import UnfenceBrokerRecord
from riverlog.protocol.generated.unregister_broker_record import UnregisterBrokerRecord
from riverlog.protocol.primitives import Wire

ID = b"\1" * 16


def replayed(*records: Wire) -> ClusterState:
    state = ClusterState()
    for record in records:
        state.replay(record)
    return state


def partition(index: int = 0, **fields: object) -> PartitionRecord:
    values: dict[str, object] = {
        "replicas": [1],
        "isr": [1],
        "removing_replicas": [],
        "adding_replicas": [],
        "directories": [ID],
        "leader": 1,
        "leader_epoch": 0,
        "partition_epoch": 0,
        **fields,
    }
    return PartitionRecord(partition_id=index, topic_id=ID, **values)  # type: ignore[arg-type]


TOPIC = TopicRecord(name="t", topic_id=ID)


def test_the_frame_is_kafkas() -> None:
    record = FeatureLevelRecord(name="metadata.version", feature_level=30)
    assert encode_record(record) == b"\x01\x0c\x00\x11metadata.version\x00\x1e\x00"
    assert decode_record(encode_record(record)) == record


@pytest.mark.parametrize("value", [b"", b"\x01", b"\x01\x0c", b"\x01\x0c\x00", b"\x01\x14\x00\x00rest"])
def test_rubbish_is_told_from_what_is_newer(value: bytes) -> None:
    with pytest.raises(DecodeError):
        decode_record(value)
    with pytest.raises(UnknownRecord):
        decode_record(b"\x01\x7f\x00")


@pytest.mark.parametrize(
    ("level", "register", "change"), [(7, 1, 0), (14, 2, 0), (17, 3, 1), (23, 3, 2), (30, 4, 2)]
)
def test_records_are_written_as_the_metadata_version_says(level: int, register: int, change: int) -> None:
    assert record_version(RegisterBrokerRecord(), level) == register
    assert record_version(PartitionChangeRecord(), level) == change
    assert record_version(partition(), level) == change
    assert record_version(BrokerRegistrationChangeRecord(fenced=-1), level) == 0
    assert record_version(BrokerRegistrationChangeRecord(log_dirs=[ID]), level) == 2


def test_a_change_without_a_leader_keeps_the_leader_epoch() -> None:
    state = replayed(TOPIC, partition(), PartitionChangeRecord(partition_id=0, topic_id=ID, isr=[1]))
    found = state.topics["t"].partitions[0]
    assert (found.leader, found.leader_epoch, found.partition_epoch) == (1, 0, 1)
    state.replay(PartitionChangeRecord(partition_id=0, topic_id=ID, leader=1))
    found = state.topics["t"].partitions[0]
    assert (found.leader, found.leader_epoch, found.partition_epoch) == (1, 1, 2)
    assert PartitionChangeRecord().leader == LEADER_UNCHANGED


def test_equal_tuples_are_shared() -> None:
    state = replayed(TOPIC, partition(0), partition(1))
    first, second = state.topics["t"].partitions.values()
    assert first.replicas is second.replicas is first.isr


def test_a_copy_is_independent() -> None:
    state = replayed(TOPIC, partition(), RegisterBrokerRecord(broker_id=1, broker_epoch=5, rack=None))
    state.replay(ConfigRecord(resource_type=2, resource_name="t", name="retention.ms", value="1"))
    copy = state.copy()
    state.replay(PartitionChangeRecord(partition_id=0, topic_id=ID, leader=NO_LEADER))
    state.replay(BrokerRegistrationChangeRecord(broker_id=1, broker_epoch=5, fenced=-1))
    state.replay(ConfigRecord(resource_type=2, resource_name="t", name="retention.ms", value="2"))
    assert copy.topics["t"].partitions[0].leader == 1
    assert copy.brokers[1].fenced
    assert copy.topic_config("t") == {"retention.ms": "1"}
    state.replay(RemoveTopicRecord(topic_id=ID))
    assert copy.partition_count == 1
    assert list(copy.topics) == ["t"]
    assert state.partition_count == 0


@pytest.mark.parametrize(
    "record",
    [
        TOPIC,
        PartitionChangeRecord(partition_id=3, topic_id=ID),
        PartitionChangeRecord(partition_id=0, topic_id=bytes(16)),
        RemoveTopicRecord(topic_id=bytes(16)),
        BrokerRegistrationChangeRecord(broker_id=1, broker_epoch=9, fenced=-1),
        UnregisterBrokerRecord(broker_id=2, broker_epoch=5),
        UnfenceBrokerRecord(id=1, epoch=4),
        ProducerIdsRecord(broker_id=1, broker_epoch=5, next_producer_id=1000),
        ClearElrRecord(topic_name="zz"),
    ],
)
def test_a_record_that_does_not_fit_is_an_error(record: Wire) -> None:
    state = replayed(
        TOPIC,
        partition(),
        RegisterBrokerRecord(broker_id=1, broker_epoch=5, rack=None),
        ProducerIdsRecord(broker_id=1, broker_epoch=5, next_producer_id=1000),
    )
    with pytest.raises(ReplayError):
        state.replay(record)


def test_an_image_written_as_records_replays_to_itself() -> None:
    state = replayed(
        FeatureLevelRecord(name="metadata.version", feature_level=METADATA_VERSION),
        FeatureLevelRecord(name="group.version", feature_level=1),
        RegisterBrokerRecord(broker_id=1, broker_epoch=5, rack="r", log_dirs=[ID]),
        TOPIC,
        partition(0),
        partition(1, leader=NO_LEADER, isr=[], eligible_leader_replicas=[1], last_known_elr=[1]),
        ConfigRecord(resource_type=2, resource_name="t", name="retention.ms", value="1"),
        ProducerIdsRecord(broker_id=1, broker_epoch=5, next_producer_id=1000),
        NoOpRecord(),
    )
    again = replayed(*(decode_record(encode_record(record)) for record in image_records(state)))
    assert list(image_records(again)) == list(image_records(state))
    assert again.partition("t", 1) is not None
    assert again.topics["t"].partitions[1].eligible_leader_replicas == (1,)


@pytest.mark.parametrize(
    ("fields", "elected", "isr", "recovering"),
    [
        ({"isr": [1]}, True, (1,), 0),
        ({"isr": [2], "replicas": [1, 2]}, False, (2,), 0),
        ({"isr": [], "eligible_leader_replicas": [1]}, True, (1,), 0),
        ({"isr": [], "eligible_leader_replicas": [2], "replicas": [1, 2]}, False, (), 0),
        ({"isr": [], "last_known_elr": [1]}, True, (1,), 1),
        ({"isr": [], "last_known_elr": [2], "replicas": [1, 2]}, False, (), 0),
        ({"isr": []}, False, (), 0),
    ],
)
def test_who_is_elected_for_a_partition_without_a_leader(
    fields: dict[str, object], elected: bool, isr: tuple[int, ...], recovering: int
) -> None:
    state = replayed(TOPIC, partition(leader=NO_LEADER, **fields))
    for record in elect_leaderless(state, 1):
        state.replay(record)
    found = state.topics["t"].partitions[0]
    assert (found.leader == 1) == elected
    assert (found.isr, found.leader_recovery_state) == (isr, recovering)
    assert found.leader_epoch == int(elected)


def test_producer_ids_come_in_blocks_given_once() -> None:
    state = replayed(RegisterBrokerRecord(broker_id=1, broker_epoch=5, rack=None))
    starts = []
    for _ in range(3):
        decision = allocate_producer_ids(state, broker_id=1, broker_epoch=5)
        starts.append(decision.response.producer_id_start)
        assert decision.response.producer_id_len == BLOCK_SIZE
        for record in decision.records:
            state.replay(record)
    assert starts == [0, 1000, 2000]
    stale = allocate_producer_ids(state, broker_id=1, broker_epoch=4)
    assert (stale.response.error_code, stale.records) == (ErrorCode.STALE_BROKER_EPOCH, [])
    unknown = allocate_producer_ids(state, broker_id=2, broker_epoch=4)
    assert unknown.response.error_code == ErrorCode.BROKER_ID_NOT_REGISTERED
