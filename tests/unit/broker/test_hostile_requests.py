"""Requests and orders of events that a friendly client does not make."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

import pytest
from broker_world import Client, World, batch, fetch_request, produce_request

from riverlog.base.errors import ErrorCode
from riverlog.broker.context import MESSAGE_LENGTH_MAX
from riverlog.env import File
from riverlog.env.disk import SyncDone
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_response, encode_request
from riverlog.protocol.generated.api_versions_request import ApiVersionsRequest
from riverlog.protocol.generated.create_topics_request import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from riverlog.protocol.generated.fetch_response import FetchResponse
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from riverlog.protocol.generated.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from riverlog.protocol.generated.metadata_request import MetadataRequest, MetadataRequestTopic
from riverlog.protocol.generated.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from riverlog.replication import Partition
from riverlog.runtime.listeners import Listeners
from riverlog.runtime.loop import Loop
from riverlog.runtime.process_metrics import watch_process
from riverlog.sim.disk import Fault

TOPIC, BROKER = 2, 4


def _alter(client: Client, kind: int, resource: str, name: str, value: str) -> int:
    config = AlterableConfig(name=name, config_operation=0, value=value)
    request = IncrementalAlterConfigsRequest(
        resources=[AlterConfigsResource(resource_type=kind, resource_name=resource, configs=[config])]
    )
    return client.newest(ApiKey.INCREMENTAL_ALTER_CONFIGS, request).responses[0].error_code


def _write_unsynced(world: World, client: Client) -> None:
    """Two records: the first is synced with the new folder, the second by nobody."""
    log = world.broker.partition("t", 0).log
    assert client.produce("t", batch(b"a")).error_code == 0
    assert world.run_until(lambda: log.durable_end == 1)
    assert client.produce("t", batch(b"b")).error_code == 0
    assert (log.durable_end, log.log_end_offset) == (1, 2)


def test_a_topic_that_begins_to_wait_for_the_disk_is_synced() -> None:
    world = World()
    client = world.client()
    client.create("t", ack_after_fsync="false")
    _write_unsynced(world, client)
    assert _alter(client, TOPIC, "t", "ack.after.fsync", "true") == 0
    answer = client.produce("t", batch(b"c"))
    assert (answer.error_code, answer.base_offset) == (0, 2)
    assert world.broker.partition("t", 0).log.durable_end == 3


def test_what_was_not_synced_is_synced_when_the_setting_changes() -> None:
    """Nothing more is written: what is readable becomes durable all the same."""
    world = World()
    client = world.client()
    client.create("t", ack_after_fsync="false")
    _write_unsynced(world, client)
    assert _alter(client, TOPIC, "t", "ack.after.fsync", "true") == 0
    assert world.run_until(lambda: world.broker.partition("t", 0).log.durable_end == 2)


def test_api_versions_that_are_not_served_wait_their_turn() -> None:
    world = World()
    client = world.client()
    client.create("t")
    first = client.post(ApiKey.PRODUCE, 9, produce_request("t", batch(b"a")))
    before = len(client.frames)
    frame = bytearray(encode_request(ApiKey.API_VERSIONS, 3, 77, "test", ApiVersionsRequest()))
    frame[6:8] = (99).to_bytes(2, "big")
    client.session.on_frame(memoryview(frame)[4:])
    assert world.run_until(lambda: len(client.frames) >= before + 2)
    assert [int.from_bytes(one[:4], "big") for one in client.frames[before:]] == [first, 77]


def test_a_parked_fetch_goes_with_its_connection() -> None:
    world = World()
    world.client().create("t")
    client = world.client()
    client.post(ApiKey.FETCH, 12, fetch_request("t", 0, max_wait_ms=2**31 - 1))
    partition = world.broker.partition("t", 0)
    assert len(partition.fetch_waiters) == 1
    client.close("gone")
    assert not partition.fetch_waiters


def test_metadata_by_id_before_it_is_served() -> None:
    world = World()
    client = world.client()
    for version in (10, 11):
        topics = [MetadataRequestTopic(topic_id=b"x" * 16, name=None), MetadataRequestTopic(name="t")]
        answer = client.call(ApiKey.METADATA, version, MetadataRequest(topics=topics))
        assert [topic.error_code for topic in answer.topics] == [ErrorCode.INVALID_REQUEST] * 2


def test_produce_without_a_topic_id() -> None:
    world = World()
    topic = TopicProduceData(partition_data=[PartitionProduceData(index=0, records=batch(b"a"))])
    request = ProduceRequest(acks=-1, timeout_ms=1, topic_data=[topic])
    answer = world.client().call(ApiKey.PRODUCE, 13, request)
    assert answer.responses[0].partition_responses[0].error_code == ErrorCode.UNKNOWN_TOPIC_ID


def test_a_bad_limit_of_connections_is_refused() -> None:
    world = World()
    client = world.client()
    name = "max.connections.per.ip.overrides"
    for value in ("nonsense", "host:-1", ":3", "host:1,other"):
        assert _alter(client, BROKER, "", name, value) == ErrorCode.INVALID_REQUEST, value
    assert _alter(client, BROKER, "", name, "10.0.0.1:3, 10.0.0.2:4") == 0


def test_a_scrape_goes_on_while_topics_come() -> None:
    world = World()
    client = world.client()
    client.create("t", partitions=5)
    loop = Loop()
    try:
        listeners = SimpleNamespace(connections={}, request_memory_bytes=0)
        watch_process(world.broker.metrics, loop, cast(Listeners, listeners), world.broker)
        text = b""
        for number, chunk in enumerate(world.broker.metrics.render(lines=1)):
            text += chunk
            if b"mq_log_end_offset{" in chunk:
                client.create(f"u{number}")
    finally:
        loop.close()
    assert b'mq_log_end_offset{topic="t",partition="4"}' in text


def test_a_write_to_a_folder_that_fails_meanwhile_is_told_so_at_once() -> None:
    """One request, two partitions: the second write takes the folder of both offline."""
    world = World()
    client = world.client()
    client.create("t", partitions=2)
    world.setup.faults.append(Fault("write", "t-1/"))
    data = [PartitionProduceData(index=index, records=batch(b"a")) for index in (0, 1)]
    request = ProduceRequest(
        acks=-1, timeout_ms=60_000, topic_data=[TopicProduceData(name="t", partition_data=data)]
    )
    started = world.clock.monotonic()
    answer = client.call(ApiKey.PRODUCE, 9, request)
    codes = [one.error_code for one in answer.responses[0].partition_responses]
    assert codes == [ErrorCode.KAFKA_STORAGE_ERROR] * 2
    assert world.clock.monotonic() - started < 1


def test_a_source_that_cannot_be_read_ends_a_move() -> None:
    world = World(log_dirs=("/one", "/two"))
    client = world.client()
    client.create("t")
    client.produce("t", batch(b"a" * 1000))
    partition = world.broker.partition("t", 0)
    assert isinstance(partition, Partition)
    world.setup.faults.append(Fault("read", f"{partition.log.folder}/"))
    (target,) = [one for one in world.broker.logs.log_dirs if one.path != partition.log.log_dir]
    world.broker.log_dir_moves.move(partition, target)
    assert world.run_until(lambda: not list(world.broker.log_dir_moves.into(target)))
    assert target.is_online
    assert partition.log.offline is not None


def test_a_target_that_hangs_does_not_hold_up_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    """Group commit is held while the copy is synced: not for longer than any sync may take."""
    world = World(log_dirs=("/one", "/two"))
    client = world.client()
    client.create("t")
    client.produce("t", batch(b"a"))
    partition = world.broker.partition("t", 0)
    assert isinstance(partition, Partition)
    (target,) = [one for one in world.broker.logs.log_dirs if one.path != partition.log.log_dir]
    submit_sync = world.disk.submit_sync

    def hang(files: Sequence[File], folders: Sequence[str], done: SyncDone) -> None:
        if not any(folder.startswith(target.path) for folder in folders):
            submit_sync(files, folders, done)

    monkeypatch.setattr(world.disk, "submit_sync", hang)
    world.broker.log_dir_moves.move(partition, target)
    answered = len(client.frames)
    client.post(ApiKey.PRODUCE, 9, produce_request("t", batch(b"b")))
    assert world.run_until(lambda: len(client.frames) > answered)
    assert not target.is_online
    assert client.produce("t", batch(b"c")).error_code == 0
    assert partition.log.durable_end == 3


@pytest.mark.parametrize("version", [4, 7])
def test_a_refusal_that_quotes_a_long_name_is_clipped(version: int) -> None:
    """The good topic makes the reply wait for the disk: it is encoded in no request."""
    world = World()
    bad = CreatableTopicConfig(name="é" * 16_380, value="1")
    topics = [
        CreatableTopic(name="good", num_partitions=1, replication_factor=1),
        CreatableTopic(name="bad", num_partitions=1, replication_factor=1, configs=[bad]),
    ]
    answer = world.client().call(ApiKey.CREATE_TOPICS, version, CreateTopicsRequest(topics=topics))
    codes = {topic.name: topic.error_code for topic in answer.topics}
    assert codes == {"good": 0, "bad": ErrorCode.INVALID_CONFIG}
    messages = [topic.error_message for topic in answer.topics if topic.name == "bad"]
    assert len(messages[0]) == MESSAGE_LENGTH_MAX + 1


def test_a_parked_reply_that_cannot_be_encoded_costs_only_its_client() -> None:
    world = World()
    client, other = world.client(), world.client()
    client.create("t")
    client.post(ApiKey.FETCH, 12, fetch_request("t", 0, max_wait_ms=60_000))
    context = client.session._waiting[0]
    context.reply(FetchResponse(throttle_time_ms=1 << 40))
    assert client.closed is not None
    assert other.produce("t", batch(b"a")).error_code == 0


def test_a_long_client_id_does_not_spoil_its_group() -> None:
    world = World()
    client = world.client()
    client.call(ApiKey.FIND_COORDINATOR, 3, FindCoordinatorRequest(key="g"))
    protocols = [JoinGroupRequestProtocol(name="range", metadata=b"m")]
    request = JoinGroupRequest(
        group_id="g", session_timeout_ms=10_000, protocol_type="consumer", protocols=protocols
    )
    frame = encode_request(ApiKey.JOIN_GROUP, 3, 5, "x" * 32_760, request)
    before = len(client.frames)
    client.session.on_frame(memoryview(bytearray(frame))[4:])
    assert world.run_until(lambda: len(client.frames) > before)
    _, answer = decode_response(ApiKey.JOIN_GROUP, 3, memoryview(client.frames[before]))
    assert answer.error_code == 0
    assert len(answer.member_id) < 1100


def test_retention_on_a_disk_that_cannot_be_read_takes_the_folder_offline() -> None:
    world = World()
    client = world.client()
    client.create("t", segment_bytes="1048576")
    for _ in range(3):
        client.produce("t", batch(b"x" * 600_000))
    world.stop()
    world.start()
    log = world.broker.logs.logs["t", 0]
    assert len(log.segments) > 1
    world.setup.faults.append(Fault("read", ".timeindex"))
    assert world.broker.logs.apply_retention(log, world.clock.now_ms()) == 0
    assert log.offline is not None


def test_a_write_that_finds_the_epochs_unreadable_is_refused() -> None:
    world = World()
    client = world.client()
    client.create("t")
    client.produce("t", batch(b"a"))
    world.stop()
    world.start()
    world.setup.faults.append(Fault("read", "leader-epoch-checkpoint"))
    answer = world.client().produce("t", batch(b"b"))
    assert answer.error_code == ErrorCode.KAFKA_STORAGE_ERROR
