"""The metadata cache, ListOffsets requests and the partitioner."""

from __future__ import annotations

from aiokafka.partitioner import murmur2 as their_murmur2
from hypothesis import given
from hypothesis import strategies as st

from riverlog.base.errors import ErrorCode
from riverlog.client import ClusterView, StickyPartitioner, murmur2, partition_for_key
from riverlog.client.errors import describe_error, error_code
from riverlog.client.offsets import EARLIEST, LATEST, FoundOffset, found_offsets, list_offsets_requests
from riverlog.protocol.generated.list_offsets_response import (
    ListOffsetsPartitionResponse,
    ListOffsetsResponse,
    ListOffsetsTopicResponse,
)
from riverlog.protocol.generated.metadata_response import (
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)

ID = b"i" * 16
OTHER_ID = b"j" * 16


def described(
    leaders: dict[int, int], *, epoch: int = 5, topic_id: bytes = ID, error: int = 0, brokers: int = 3
) -> MetadataResponse:
    return MetadataResponse(
        cluster_id="c",
        controller_id=1,
        brokers=[MetadataResponseBroker(node_id=n, host="h", port=9000 + n) for n in range(1, brokers + 1)],
        topics=[
            MetadataResponseTopic(
                name="t",
                topic_id=topic_id,
                error_code=error,
                partitions=[
                    MetadataResponsePartition(partition_index=index, leader_id=leader, leader_epoch=epoch)
                    for index, leader in leaders.items()
                ],
            )
        ],
    )


def test_leaders_are_known_by_partition() -> None:
    view = ClusterView()
    view.update(described({1: 2, 0: 1, 2: -1}))
    assert [view.leader("t", index) for index in range(4)] == [1, 2, -1, -1]
    assert view.leader("other", 0) == -1
    assert view.topic_name(ID) == "t"
    assert view.brokers[2].port == 9002


def test_a_leader_that_is_no_broker_is_no_leader() -> None:
    view = ClusterView()
    view.update(described({0: 9}))
    assert view.leader("t", 0) == -1


def test_an_older_leader_epoch_does_not_replace_a_newer_one() -> None:
    view = ClusterView()
    view.update(described({0: 2}, epoch=7))
    view.update(described({0: 1}, epoch=6))
    assert view.leader("t", 0) == 2
    view.update(described({0: 3}, epoch=8))
    assert view.leader("t", 0) == 3


def test_a_recreated_topic_starts_from_nothing() -> None:
    view = ClusterView()
    view.update(described({0: 2}, epoch=7))
    view.update(described({0: 1}, epoch=0, topic_id=OTHER_ID))
    assert view.leader("t", 0) == 1
    assert view.topic_name(ID) is None
    assert view.topic_name(OTHER_ID) == "t"


def test_an_unknown_topic_is_forgotten_and_an_error_remembered_until_it_heals() -> None:
    view = ClusterView()
    view.update(described({0: 2}))
    view.update(described({}, error=ErrorCode.LEADER_NOT_AVAILABLE))
    assert view.leader("t", 0) == 2
    view.update(described({}, error=ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))
    assert "t" not in view.topics
    assert view.errors["t"] == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    view.update(described({0: 2}))
    assert not view.errors


def test_offsets_are_asked_from_each_leader() -> None:
    view = ClusterView()
    view.update(described({0: 1, 1: 2, 2: 1, 3: -1}))
    requests, leaderless = list_offsets_requests(
        view, {("t", 0): EARLIEST, ("t", 1): LATEST, ("t", 2): 1234, ("t", 3): LATEST, ("x", 0): LATEST}
    )
    asked = {
        node: [
            (p.partition_index, p.timestamp, p.current_leader_epoch)
            for p in request.message.topics[0].partitions
        ]
        for node, request in requests.items()
    }
    assert asked == {1: [(0, -2, 5), (2, 1234, 5)], 2: [(1, -1, 5)]}
    assert leaderless == [("t", 3), ("x", 0)]


def test_offsets_are_found_by_partition() -> None:
    rows = [
        ListOffsetsPartitionResponse(partition_index=0, offset=7, timestamp=9, leader_epoch=1),
        ListOffsetsPartitionResponse(
            partition_index=1, error_code=6, offset=-1, timestamp=-1, leader_epoch=-1
        ),
    ]
    answer = ListOffsetsResponse(topics=[ListOffsetsTopicResponse(name="t", partitions=rows)])
    assert found_offsets(answer) == {
        ("t", 0): FoundOffset(7, 9, 1),
        ("t", 1): FoundOffset(-1, -1, -1, ErrorCode.NOT_LEADER_OR_FOLLOWER),
    }


# Values of Java's Utils.murmur2, as its own tests state them (signed there).
JAVA = {
    b"21": -973932308,
    b"foobar": -790332482,
    b"a-little-bit-long-string": -985981536,
    b"a-little-bit-longer-string": -1486304829,
    b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58897971,
    b"abc": 479470107,
}


def test_murmur2_equals_javas() -> None:
    for text, signed in JAVA.items():
        assert murmur2(text) == signed % (1 << 32)


@given(st.binary(max_size=80))
def test_murmur2_equals_an_independent_one(data: bytes) -> None:
    assert murmur2(data) == their_murmur2(data) % (1 << 32)


@given(key=st.binary(max_size=40), count=st.integers(1, 5000))
def test_keys_stay_in_range(key: bytes, count: int) -> None:
    assert partition_for_key(key, count) == (their_murmur2(key) & 0x7FFFFFFF) % count


def test_keyless_records_stick_until_their_batch_is_full() -> None:
    sticky = StickyPartitioner(start=4)
    assert [sticky.choose("t", None, 3) for _ in range(3)] == [1, 1, 1]
    sticky.batch_full("t", 2)
    assert sticky.choose("t", None, 3) == 1
    sticky.batch_full("t", 1)
    assert sticky.choose("t", None, 3) == 2
    assert sticky.choose("t", b"abc", 3) == partition_for_key(b"abc", 3)
    assert sticky.choose("t", None, 2) < 2


def test_codes_from_the_future_are_named_by_number() -> None:
    assert error_code(9999) is ErrorCode.UNKNOWN_SERVER_ERROR
    assert describe_error(9999) == "error 9999"
    assert describe_error(36) == "topic already exists"
    assert describe_error(40, "bad value") == "bad value (INVALID_CONFIG)"
