"""OffsetCommit, OffsetFetch, OffsetDelete and FindCoordinator: what is kept, what is refused."""

from __future__ import annotations

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.metadata_request import MetadataRequest, MetadataRequestTopic
from riverlog.protocol.generated.offset_commit_request import OffsetCommitRequest
from riverlog.protocol.generated.offset_fetch_request import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
)
from tests.unit.coordinator.offsets_world import (
    BATCHED_VERSION,
    BY_ID_VERSION,
    TOPIC,
    OffsetsClient,
    OffsetsWorld,
    commit_request,
)


@pytest.fixture
def world() -> OffsetsWorld:
    return OffsetsWorld()


@pytest.fixture
def client(world: OffsetsWorld) -> OffsetsClient:
    return world.prepared()


# -- finding -------------------------------------------------------------------------------


@pytest.mark.parametrize("version", range(7))
def test_find_coordinator_answers_with_this_node_in_every_version(world: OffsetsWorld, version: int) -> None:
    client = world.client()
    request = (
        FindCoordinatorRequest(coordinator_keys=["g"]) if version >= 4 else FindCoordinatorRequest(key="g")
    )
    response = client.call(ApiKey.FIND_COORDINATOR, version, request)
    found = response.coordinators[0] if version >= 4 else response
    assert (found.error_code, found.node_id, found.host, found.port) == (
        0,
        world.broker.node_id,
        "localhost",
        9092,
    )


def test_the_offsets_topic_is_created_when_first_asked_for_with_its_settings(world: OffsetsWorld) -> None:
    client = world.client()
    image = world.broker.metadata.image
    assert "__consumer_offsets" not in image.topics
    both = [client.post(ApiKey.FIND_COORDINATOR, 6, FindCoordinatorRequest(coordinator_keys=["a", "b"]))]
    both.append(client.post(ApiKey.FIND_COORDINATOR, 6, FindCoordinatorRequest(coordinator_keys=["c"])))
    assert world.run_until(lambda: len(client.frames) == len(both))
    assert len(image.topics["__consumer_offsets"].partitions) == 2
    assert image.topic_config("__consumer_offsets") == {
        "cleanup.policy": "compact",
        "compression.type": "producer",
        "segment.bytes": "104857600",
    }


def test_asking_for_the_metadata_of_the_offsets_topic_creates_it_as_an_internal_one(
    world: OffsetsWorld,
) -> None:
    request = MetadataRequest(
        topics=[MetadataRequestTopic(name="__consumer_offsets")], allow_auto_topic_creation=True
    )
    response = world.client().call(ApiKey.METADATA, 9, request)
    assert response.topics[0].is_internal
    assert len(response.topics[0].partitions) == 2


@pytest.mark.parametrize(
    ("key_type", "version", "key", "error"),
    [
        (2, 6, "g:AAAAAAAAAAAAAAAAAAAAAA:0", ErrorCode.COORDINATOR_NOT_AVAILABLE),
        (2, 6, "g", ErrorCode.INVALID_REQUEST),
        (2, 5, "g:AAAAAAAAAAAAAAAAAAAAAA:0", ErrorCode.INVALID_REQUEST),
        (7, 6, "x", ErrorCode.INVALID_REQUEST),
    ],
)
def test_coordinators_of_other_kinds_are_not_available(
    world: OffsetsWorld, key_type: int, version: int, key: str, error: ErrorCode
) -> None:
    request = FindCoordinatorRequest(key_type=key_type, coordinator_keys=[key])
    found = world.client().call(ApiKey.FIND_COORDINATOR, version, request).coordinators[0]
    assert (found.error_code, found.node_id, found.port) == (error, -1, -1)


# -- committing and fetching ---------------------------------------------------------------


@pytest.mark.parametrize("commit_version", range(2, 11))
@pytest.mark.parametrize("fetch_version", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
def test_what_one_version_commits_every_version_fetches(commit_version: int, fetch_version: int) -> None:
    world = OffsetsWorld()
    client = world.client()
    topic_id = client.create(TOPIC, 3)
    client.find()
    by_id = commit_version >= BY_ID_VERSION
    errors = client.commit(
        {0: 5, 2: 7},
        version=commit_version,
        topic="" if by_id else TOPIC,
        topic_id=topic_id if by_id else bytes(16),
        metadata="note",
        leader_epoch=3 if commit_version >= 6 else -1,
    )
    assert errors == {0: 0, 2: 0}
    answer = client.fetch([0, 1, 2], version=fetch_version, topic_id=topic_id)
    rows = {row.partition_index: row for row in answer.topics[0].partitions}
    assert {index: row.committed_offset for index, row in rows.items()} == {0: 5, 1: -1, 2: 7}
    assert {index: row.metadata for index, row in rows.items()} == {0: "note", 1: "", 2: "note"}
    assert {row.error_code for row in rows.values()} == {0}
    if fetch_version >= 5:
        assert rows[0].committed_leader_epoch == (3 if commit_version >= 6 else -1)


def test_offsets_survive_a_clean_restart_and_a_kill(world: OffsetsWorld, client: OffsetsClient) -> None:
    client.commit({0: 1, 1: 2})
    client.commit({0: 10}, group="other")
    client = world.restart()
    assert client.committed() == {(TOPIC, 0): 1, (TOPIC, 1): 2}
    client.commit({1: 3})
    client = world.restart(clean=False)
    assert client.committed() == {(TOPIC, 0): 1, (TOPIC, 1): 3}
    assert client.committed(group="other") == {(TOPIC, 0): 10}


def test_null_metadata_is_kept_as_empty_text(client: OffsetsClient) -> None:
    assert client.commit({0: 1}, metadata=None) == {0: 0}
    assert client.fetch([0]).topics[0].partitions[0].metadata == ""


@pytest.mark.parametrize(
    ("metadata", "error"),
    [
        ("x" * 4096, ErrorCode.NONE),
        ("x" * 4097, ErrorCode.OFFSET_METADATA_TOO_LARGE),
        ("é" * 4096, ErrorCode.NONE),
        ("😀" * 2048, ErrorCode.NONE),
        ("😀" * 2049, ErrorCode.OFFSET_METADATA_TOO_LARGE),
    ],
)
def test_metadata_is_measured_in_java_characters(
    client: OffsetsClient, metadata: str, error: ErrorCode
) -> None:
    assert client.commit({0: 1}, metadata=metadata) == {0: error}
    expected = {} if error else {(TOPIC, 0): 1}
    assert client.committed() == expected


def test_partitions_and_topics_that_do_not_exist_are_refused_one_by_one(client: OffsetsClient) -> None:
    unknown = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert client.commit({0: 1, 3: 1}) == {0: 0, 3: unknown}
    assert client.commit({0: 1}, topic="nowhere") == {0: unknown}
    assert client.commit({0: 1}, topic="", topic_id=b"\x01" * 16, version=10) == {
        0: ErrorCode.UNKNOWN_TOPIC_ID
    }
    assert client.committed() == {(TOPIC, 0): 1}


def test_a_mixed_commit_is_answered_with_each_topic_once(client: OffsetsClient) -> None:
    response = client.call(ApiKey.OFFSET_COMMIT, 9, commit_request({0: 1, 7: 1, 2: 1}))
    assert [topic.name for topic in response.topics] == [TOPIC]
    assert {row.partition_index for row in response.topics[0].partitions} == {0, 2, 7}


def test_an_empty_commit_is_answered_and_keeps_nothing(client: OffsetsClient) -> None:
    assert client.call(ApiKey.OFFSET_COMMIT, 9, OffsetCommitRequest(group_id="g")).topics == []
    assert client.committed() == {}


def test_odd_group_ids_have_their_own_offsets(client: OffsetsClient) -> None:
    names = ["", " ", "a/b", "../x", "é", "😀", "a" * 10_000, "\x00", "__consumer_offsets"]
    for number, name in enumerate(names):
        assert client.commit({0: number}, group=name) == {0: 0}
    for number, name in enumerate(names):
        assert client.committed(group=name) == {(TOPIC, 0): number}


@pytest.mark.parametrize(
    ("version", "error"), [(8, ErrorCode.ILLEGAL_GENERATION), (9, ErrorCode.GROUP_ID_NOT_FOUND)]
)
def test_a_member_of_a_group_that_does_not_exist_cannot_commit(
    client: OffsetsClient, version: int, error: ErrorCode
) -> None:
    assert client.commit({0: 1}, version=version, generation=0, member_id="m") == {0: error}
    assert client.committed() == {}


def test_a_member_unknown_to_a_simple_group_cannot_commit(client: OffsetsClient) -> None:
    client.commit({0: 1})
    assert client.commit({0: 2}, generation=1, member_id="m") == {0: ErrorCode.UNKNOWN_MEMBER_ID}
    assert client.committed() == {(TOPIC, 0): 1}


def test_a_group_that_is_not_known_has_no_offsets_and_no_error(client: OffsetsClient) -> None:
    answer = client.fetch([0, 1], group="nobody")
    assert answer.error_code == 0
    assert [row.committed_offset for row in answer.topics[0].partitions] == [-1, -1]
    assert client.committed(group="nobody") == {}


def test_several_groups_in_one_fetch_are_answered_in_order(client: OffsetsClient) -> None:
    for number in range(5):
        client.commit({0: number}, group=f"g{number}")
    order = ["g3", "g0", "nobody", "g4"]
    request = OffsetFetchRequest(
        groups=[
            OffsetFetchRequestGroup(
                group_id=name, topics=[OffsetFetchRequestTopics(name=TOPIC, partition_indexes=[0])]
            )
            for name in order
        ]
    )
    response = client.call(ApiKey.OFFSET_FETCH, BATCHED_VERSION, request)
    assert [group.group_id for group in response.groups] == order
    assert [group.topics[0].partitions[0].committed_offset for group in response.groups] == [3, 0, -1, 4]


def test_a_fetch_of_no_groups_is_answered(client: OffsetsClient) -> None:
    assert client.call(ApiKey.OFFSET_FETCH, 9, OffsetFetchRequest()).groups == []


def test_fetch_by_id_refuses_ids_that_no_topic_has(client: OffsetsClient) -> None:
    client.commit({0: 1})
    answer = client.fetch([0], version=10, topic_id=b"\x02" * 16)
    assert answer.error_code == 0
    row = answer.topics[0].partitions[0]
    assert (row.error_code, row.committed_offset) == (ErrorCode.UNKNOWN_TOPIC_ID, -1)


def test_all_offsets_by_id_come_with_the_ids_of_their_topics(world: OffsetsWorld) -> None:
    client = world.client()
    topic_id = client.create(TOPIC, 3)
    client.find()
    client.commit({0: 4})
    answer = client.fetch(None, version=10)
    assert [(topic.topic_id, topic.partitions[0].committed_offset) for topic in answer.topics] == [
        (topic_id, 4)
    ]


@pytest.mark.parametrize("version", range(1, 11))
def test_nobody_is_coordinator_before_the_offsets_topic_exists(world: OffsetsWorld, version: int) -> None:
    client = world.client()
    topic_id = client.create(TOPIC, 1)
    answer = client.fetch([0], version=version, topic_id=topic_id)
    error = answer.topics[0].partitions[0].error_code if version == 1 else answer.error_code
    assert error == ErrorCode.NOT_COORDINATOR
    assert client.commit({0: 1}) == {0: ErrorCode.NOT_COORDINATOR}
    assert client.delete_offsets([0]).error_code == ErrorCode.NOT_COORDINATOR


# -- deleting ------------------------------------------------------------------------------


def test_deleted_offsets_stay_deleted(world: OffsetsWorld, client: OffsetsClient) -> None:
    client.commit({0: 1, 1: 2})
    response = client.delete_offsets([0, 2, 9])
    assert response.error_code == 0
    assert {row.partition_index: row.error_code for row in response.topics[0].partitions} == {
        0: 0,
        2: 0,
        9: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    }
    assert client.committed() == {(TOPIC, 1): 2}
    assert world.restart(clean=False).committed() == {(TOPIC, 1): 2}


def test_offset_delete_refuses_groups_without_a_name_or_that_do_not_exist(client: OffsetsClient) -> None:
    assert client.delete_offsets([0], group="").error_code == ErrorCode.INVALID_GROUP_ID
    assert client.delete_offsets([0], group="nobody").error_code == ErrorCode.GROUP_ID_NOT_FOUND


def test_a_deleted_topic_takes_its_offsets_with_it(world: OffsetsWorld, client: OffsetsClient) -> None:
    client.create("other", 1)
    client.commit({0: 5, 1: 6})
    client.commit({0: 9}, topic="other")
    client.delete_topic()
    client.create(TOPIC, 3)
    assert client.committed() == {("other", 0): 9}
    assert world.restart(clean=False).committed() == {("other", 0): 9}


def test_a_new_topic_does_not_inherit_offsets_of_an_old_one_left_by_a_kill(
    world: OffsetsWorld, client: OffsetsClient
) -> None:
    """The deletion is in the metadata, the tombstones of the offsets did not make it."""
    client.commit({0: 5})
    host = world.broker.groups
    host.stop()  # nothing is written to the offsets topic any more
    client.delete_topic()
    client.create(TOPIC, 3)
    world.kill()
    world.start()
    client = world.client()
    world.run_until(
        lambda: all(shard.state.name == "ACTIVE" for shard in world.broker.groups.shards.values())
    )
    assert client.fetch([0]).topics[0].partitions[0].committed_offset == -1
    world.wait(1)
    assert client.committed() == {}
