"""Produce and fetch over real frames: order, waiting, visibility, duplicates, epochs."""

from __future__ import annotations

from typing import Any

import pytest
from broker_world import Client, World, batch, fetch_request, produce_request

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_response
from riverlog.protocol.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from riverlog.protocol.generated.fetch_request import FetchPartition, FetchTopic, ForgottenTopic
from riverlog.protocol.generated.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from riverlog.protocol.generated.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from riverlog.protocol.generated.metadata_request import MetadataRequest, MetadataRequestTopic
from riverlog.records import decode_records, iter_headers


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def client(world: World) -> Client:
    client = world.client()
    client.create("t", 2)
    return client


def values(records: bytes) -> list[bytes | None]:
    view = memoryview(records)
    return [
        record.value
        for position, header in iter_headers(view)
        for record in decode_records(view, position, header, max_bytes=1 << 20)
    ]


def latest(client: Client, name: str = "t") -> int:
    wanted = ListOffsetsPartition(partition_index=0, timestamp=-1)
    request = ListOffsetsRequest(replica_id=-1, topics=[ListOffsetsTopic(name=name, partitions=[wanted])])
    offset: int = client.call(ApiKey.LIST_OFFSETS, 9, request).topics[0].partitions[0].offset
    return offset


def reply(client: Client, number: int, key: ApiKey, version: int) -> Any:
    return decode_response(key, version, memoryview(client.frames[number]))[1]


def test_what_was_produced_is_fetched(client: Client) -> None:
    assert client.produce("t", batch(b"a", b"b")).base_offset == 0
    assert client.produce("t", batch(b"c")).base_offset == 2
    partition = client.fetch("t", 0)
    assert partition.high_watermark == 3
    assert values(partition.records) == [b"a", b"b", b"c"]


def test_acks_all_waits_for_the_disk_and_acks_1_does_not(world: World, client: Client) -> None:
    client.frames.clear()
    client.post(ApiKey.PRODUCE, 9, produce_request("t", batch(b"a"), acks=1))
    assert len(client.frames) == 1
    client.post(ApiKey.PRODUCE, 9, produce_request("t", batch(b"b"), acks=-1))
    assert len(client.frames) == 1
    assert world.run_until(lambda: len(client.frames) == 2)


def test_nothing_is_readable_before_it_is_durable(world: World, client: Client) -> None:
    client.post(ApiKey.PRODUCE, 9, produce_request("t", batch(b"a"), acks=1))
    partition = world.broker.replicas.get("t", 0)
    assert not isinstance(partition, ErrorCode)
    assert (partition.log.log_end_offset, partition.high_watermark) == (1, 0)
    assert client.fetch("t", 0, max_wait_ms=0).records == b""
    assert world.run_until(lambda: partition.high_watermark == 1)
    assert values(client.fetch("t", 0).records) == [b"a"]


def test_without_ack_after_fsync_a_record_is_readable_at_once(client: Client) -> None:
    client.create("quick", ack_after_fsync="false")
    client.frames.clear()
    client.post(ApiKey.PRODUCE, 9, produce_request("quick", batch(b"a"), acks=-1))
    client.post(ApiKey.FETCH, 12, fetch_request("quick", 0))
    assert len(client.frames) == 2, "neither waits for the disk"


def test_latest_offset_counts_what_was_acknowledged_before(client: Client) -> None:
    client.post(ApiKey.PRODUCE, 9, produce_request("t", batch(b"a", b"b"), acks=1))
    assert latest(client) == 2


def test_replies_keep_the_order_of_requests(world: World, client: Client) -> None:
    client.frames.clear()
    client.post(ApiKey.PRODUCE, 9, produce_request("t", batch(b"a"), acks=-1))
    client.post(ApiKey.METADATA, 9, MetadataRequest(topics=[]))
    client.post(ApiKey.PRODUCE, 9, produce_request("t", batch(b"b"), acks=1))
    assert client.frames == [], "the first waits for the disk, the others wait for the first"
    assert world.run_until(lambda: len(client.frames) == 3)
    ids = [int.from_bytes(frame[:4], "big") for frame in client.frames]
    assert ids == sorted(ids)


def test_acks_0_gets_no_reply_and_an_error_closes(world: World, client: Client) -> None:
    client.frames.clear()
    client.post(ApiKey.PRODUCE, 9, produce_request("t", batch(b"a"), acks=0))
    assert client.frames == []
    assert latest(client) == 1
    client.post(ApiKey.PRODUCE, 9, produce_request("nowhere", batch(b"a"), acks=0))
    assert client.closed is not None


@pytest.mark.parametrize(
    ("records", "acks", "error"),
    [
        (b"", -1, ErrorCode.INVALID_RECORD),
        (None, -1, ErrorCode.INVALID_RECORD),
        (b"rubbish" * 20, -1, ErrorCode.CORRUPT_MESSAGE),
        (batch(b"a"), 2, ErrorCode.INVALID_REQUIRED_ACKS),
        (batch(b"a")[:-1] + b"\xff", -1, ErrorCode.CORRUPT_MESSAGE),
        (batch(b"x" * 2_000_000), -1, ErrorCode.MESSAGE_TOO_LARGE),
    ],
)
def test_bad_batches_are_refused(client: Client, records: bytes | None, acks: int, error: ErrorCode) -> None:
    request = produce_request("t", records, acks=acks)
    answer = client.call(ApiKey.PRODUCE, 9, request).responses[0].partition_responses[0]
    assert answer.error_code == error
    assert answer.base_offset == -1
    assert latest(client) == 0


def test_unknown_partitions_are_named_as_such(client: Client) -> None:
    answer = client.produce("t", batch(b"a"), partition=9)
    assert answer.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert client.fetch("nowhere", 0).error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    request = fetch_request("", 0)
    request.topics[0].topic_id = b"q" * 16
    response = client.call(ApiKey.FETCH, 16, request)
    assert response.responses[0].partitions[0].error_code == ErrorCode.UNKNOWN_TOPIC_ID


# -- idempotence ---------------------------------------------------------------------------


def test_a_repeated_batch_gets_its_first_offset_and_waits_like_the_original(
    world: World, client: Client
) -> None:
    first = batch(b"a", b"b", producer_id=9, epoch=0, sequence=0)
    client.frames.clear()
    client.post(ApiKey.PRODUCE, 9, produce_request("t", first, acks=-1))
    client.post(ApiKey.PRODUCE, 9, produce_request("t", first, acks=-1))
    assert client.frames == [], "the duplicate is not acknowledged before the original is durable"
    assert world.run_until(lambda: len(client.frames) == 2)
    offsets = [
        reply(client, number, ApiKey.PRODUCE, 9).responses[0].partition_responses[0].base_offset
        for number in range(2)
    ]
    assert offsets == [0, 0]
    assert latest(client) == 2


def test_a_gap_in_the_sequence_is_refused(client: Client) -> None:
    client.produce("t", batch(b"a", producer_id=9, epoch=0, sequence=0))
    answer = client.produce("t", batch(b"c", producer_id=9, epoch=0, sequence=2))
    assert answer.error_code == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def test_an_old_producer_epoch_is_fenced(client: Client) -> None:
    client.produce("t", batch(b"a", producer_id=9, epoch=3, sequence=0))
    answer = client.produce("t", batch(b"b", producer_id=9, epoch=2, sequence=1))
    assert answer.error_code == ErrorCode.INVALID_PRODUCER_EPOCH


@pytest.mark.parametrize("clean", [True, False])
def test_duplicates_are_known_after_a_restart(world: World, client: Client, clean: bool) -> None:
    once = batch(b"a", producer_id=9, epoch=0, sequence=0)
    assert client.produce("t", once).base_offset == 0
    if clean:
        world.stop()
    else:
        world.kill()
    world.start()
    again = world.client()
    assert again.produce("t", once).base_offset == 0
    assert latest(again) == 1


# -- long polling ------------------------------------------------------------------------------


def test_a_fetch_waits_for_data(world: World, client: Client) -> None:
    reader = world.client()
    reader.post(ApiKey.FETCH, 12, fetch_request("t", 0, max_wait_ms=60_000))
    assert reader.frames == []
    client.produce("t", batch(b"now"))
    assert world.run_until(lambda: bool(reader.frames))
    assert world.scheduler.now < 30
    response = reply(reader, 0, ApiKey.FETCH, 12)
    assert values(response.responses[0].partitions[0].records) == [b"now"]


def test_a_fetch_waits_for_min_bytes_but_not_past_its_time(world: World, client: Client) -> None:
    reader = world.client()
    started = world.scheduler.now
    reader.post(ApiKey.FETCH, 12, fetch_request("t", 0, max_wait_ms=2_000, min_bytes=100_000))
    client.produce("t", batch(b"small"))
    assert reader.frames == []
    assert world.run_until(lambda: bool(reader.frames))
    assert world.scheduler.now - started == pytest.approx(2.0, abs=0.1)
    response = reply(reader, 0, ApiKey.FETCH, 12)
    assert values(response.responses[0].partitions[0].records) == [b"small"]


def test_a_waiting_fetch_learns_that_its_topic_is_gone(world: World, client: Client) -> None:
    reader = world.client()
    reader.post(ApiKey.FETCH, 12, fetch_request("t", 0, max_wait_ms=60_000))
    client.newest(ApiKey.DELETE_TOPICS, DeleteTopicsRequest(topics=[DeleteTopicState(name="t")]))
    assert world.run_until(lambda: bool(reader.frames))
    assert world.scheduler.now < 30
    partition = reply(reader, 0, ApiKey.FETCH, 12).responses[0].partitions[0]
    assert partition.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def test_a_client_that_left_leaves_nothing_behind(world: World, client: Client) -> None:
    reader = world.client()
    reader.post(ApiKey.FETCH, 12, fetch_request("t", 0, max_wait_ms=60_000))
    reader.close("gone")
    client.produce("t", batch(b"a"))
    partition = world.broker.replicas.get("t", 0)
    assert not isinstance(partition, ErrorCode)
    assert not partition.fetch_waiters


# -- limits and sessions -------------------------------------------------------------------------


def test_a_batch_larger_than_the_limit_still_arrives_whole(client: Client) -> None:
    client.produce("t", batch(b"x" * 50_000))
    client.produce("t", batch(b"y"))
    partition = client.fetch("t", 0, partition_max_bytes=10)
    assert values(partition.records) == [b"x" * 50_000]


def test_max_bytes_is_shared_and_partitions_take_turns(client: Client) -> None:
    for partition in (0, 1):
        client.produce("t", batch(b"x" * 1000), partition=partition)
    request = fetch_request("t", 0, max_bytes=500, session_epoch=0)
    request.topics = [
        FetchTopic(
            topic="t", partitions=[FetchPartition(partition=i, partition_max_bytes=10_000) for i in (0, 1)]
        )
    ]
    first = client.call(ApiKey.FETCH, 12, request)
    gave = [p.partition_index for p in first.responses[0].partitions if p.records]
    assert gave == [0]
    again = fetch_request("t", 0, max_bytes=500, session_id=first.session_id, session_epoch=1)
    again.topics = []
    second = client.call(ApiKey.FETCH, 12, again)
    assert [p.partition_index for p in second.responses[0].partitions if p.records] == [1]


def test_an_incremental_fetch_mentions_only_news(client: Client) -> None:
    opened = client.call(ApiKey.FETCH, 12, fetch_request("t", 0, max_wait_ms=0, session_epoch=0))
    assert opened.session_id > 0
    quiet = fetch_request("t", 0, max_wait_ms=0, session_id=opened.session_id, session_epoch=1)
    quiet.topics = []
    assert client.call(ApiKey.FETCH, 12, quiet).responses == []
    client.produce("t", batch(b"a"))
    news = fetch_request("t", 0, session_id=opened.session_id, session_epoch=2)
    news.topics = []
    assert values(client.call(ApiKey.FETCH, 12, news).responses[0].partitions[0].records) == [b"a"]
    forget = fetch_request("t", 0, max_wait_ms=0, session_id=opened.session_id, session_epoch=3)
    forget.topics = []
    forget.forgotten_topics_data = [ForgottenTopic(topic="t", partitions=[0])]
    assert client.call(ApiKey.FETCH, 12, forget).session_id == 0


# -- epochs and metadata -------------------------------------------------------------------------


def test_an_unclean_restart_begins_a_new_leader_epoch(world: World, client: Client) -> None:
    request = MetadataRequest(topics=[MetadataRequestTopic(name="t")])

    def epoch(someone: Client) -> int:
        found: int = someone.call(ApiKey.METADATA, 12, request).topics[0].partitions[0].leader_epoch
        return found

    before = epoch(client)
    world.stop()
    world.start()
    assert epoch(world.client()) == before
    world.kill()
    world.start()
    again = world.client()
    assert epoch(again) == before + 1
    stale = fetch_request("t", 0)
    stale.topics[0].partitions[0].current_leader_epoch = before
    partition = again.call(ApiKey.FETCH, 12, stale).responses[0].partitions[0]
    assert partition.error_code == ErrorCode.FENCED_LEADER_EPOCH
    stale.topics[0].partitions[0].current_leader_epoch = before + 2
    partition = again.call(ApiKey.FETCH, 12, stale).responses[0].partitions[0]
    assert partition.error_code == ErrorCode.UNKNOWN_LEADER_EPOCH


def test_asking_for_a_topic_creates_it_where_allowed(world: World, client: Client) -> None:
    asked = MetadataRequest(topics=[MetadataRequestTopic(name="new")], allow_auto_topic_creation=False)
    assert client.call(ApiKey.METADATA, 9, asked).topics[0].error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    asked.allow_auto_topic_creation = True
    topic = client.call(ApiKey.METADATA, 9, asked).topics[0]
    assert topic.error_code == 0
    assert len(topic.partitions) == 1
    asked.topics = [MetadataRequestTopic(name="not a name")]
    assert client.call(ApiKey.METADATA, 9, asked).topics[0].error_code == ErrorCode.INVALID_TOPIC_EXCEPTION
    strict = World(auto_create_topics_enable="false").client()
    asked.topics = [MetadataRequestTopic(name="new")]
    assert strict.call(ApiKey.METADATA, 9, asked).topics[0].error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def test_a_recreated_topic_starts_empty(client: Client) -> None:
    client.produce("t", batch(b"old"))
    client.newest(ApiKey.DELETE_TOPICS, DeleteTopicsRequest(topics=[DeleteTopicState(name="t")]))
    client.create("t")
    assert latest(client) == 0
    assert client.produce("t", batch(b"new")).base_offset == 0


def test_a_changed_setting_counts_for_the_next_request(client: Client) -> None:
    config = AlterableConfig(name="max.message.bytes", config_operation=0, value="200")
    resource = AlterConfigsResource(resource_type=2, resource_name="t", configs=[config])
    client.newest(ApiKey.INCREMENTAL_ALTER_CONFIGS, IncrementalAlterConfigsRequest(resources=[resource]))
    assert client.produce("t", batch(b"x" * 500)).error_code == ErrorCode.MESSAGE_TOO_LARGE
    assert client.produce("t", batch(b"x")).error_code == 0


@pytest.mark.parametrize("name", [None, ""])
def test_metadata_of_a_topic_id_does_not_mind_an_empty_name(client: Client, name: str | None) -> None:
    by_name = client.call(ApiKey.METADATA, 12, MetadataRequest(topics=[MetadataRequestTopic(name="t")]))
    topic_id = by_name.topics[0].topic_id
    request = MetadataRequest(topics=[MetadataRequestTopic(topic_id=topic_id, name=name)])
    found = client.call(ApiKey.METADATA, 12, request).topics
    assert [(topic.name, topic.error_code, len(topic.partitions)) for topic in found] == [("t", 0, 2)]
