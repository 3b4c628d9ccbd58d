"""Quotas of clients, from the request that sets one to the connection that is not read."""

from __future__ import annotations

from typing import Any

import pytest
from broker_world import Client, World, batch, fetch_request, produce_request

from riverlog.base.errors import ErrorCode
from riverlog.broker import quotas
from riverlog.broker.quotas import METERS_MAX
from riverlog.metadata.quotas import CONSUMER_BYTE_RATE, PRODUCER_BYTE_RATE, REQUEST_PERCENTAGE
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import encode_request
from riverlog.protocol.generated import alter_client_quotas_request as alter
from riverlog.protocol.generated.create_partitions_request import (
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from riverlog.protocol.generated.create_topics_request import CreatableTopic, CreateTopicsRequest
from riverlog.protocol.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from riverlog.protocol.generated.fetch_request import FetchRequest
from riverlog.protocol.generated.metadata_request import MetadataRequest

KILOBYTE = b"x" * 1024


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def client(world: World) -> Client:
    client = world.client()
    client.create("t")
    return client


def set_quota(client: Client, entity: dict[str, str | None], **values: float | None) -> None:
    """Set, or with None remove."""
    request = alter.AlterClientQuotasRequest(
        entries=[
            alter.EntryData(
                entity=[
                    alter.EntityData(entity_type=kind.replace("_", "-"), entity_name=name)
                    for kind, name in entity.items()
                ],
                ops=[
                    alter.OpData(key=key, value=value or 0.0, remove=value is None)
                    for key, value in values.items()
                ],
            )
        ]
    )
    response = client.newest(ApiKey.ALTER_CLIENT_QUOTAS, request)
    assert [entry.error_code for entry in response.entries] == [ErrorCode.NONE]


def produce(client: Client, kilobytes: int = 1, *, acks: int = -1) -> Any:
    return client.call(ApiKey.PRODUCE, 9, produce_request("t", batch(KILOBYTE * kilobytes), acks=acks))


def fetch(client: Client, **settings: Any) -> Any:
    return client.call(ApiKey.FETCH, 12, fetch_request("t", 0, **settings))


def pass_time(world: World, seconds: float) -> None:
    end = world.scheduler.now + seconds
    world.scheduler.call_at(end, lambda: None)
    world.run_until(lambda: world.scheduler.now >= end)


# -- produce -------------------------------------------------------------------------------


def test_without_quotas_nothing_is_measured(world: World, client: Client) -> None:
    assert not world.broker.quotas.active
    assert produce(client, 500).throttle_time_ms == 0
    assert client.pauses == []


def test_producer_over_its_rate_is_answered_and_then_not_read(world: World, client: Client) -> None:
    set_quota(client, {"client_id": "test"}, producer_byte_rate=1000)
    # The window is taken as 10 s: ten kilobytes are within it.
    assert produce(client, 8).throttle_time_ms == 0
    response = produce(client, 8)
    assert response.responses[0].partition_responses[0].error_code == ErrorCode.NONE
    assert 6000 < response.throttle_time_ms < 8000
    assert client.pauses == [response.throttle_time_ms / 1000]
    pass_time(world, 20)
    assert produce(client).throttle_time_ms == 0


def test_producer_without_acks_is_not_read_either(client: Client) -> None:
    set_quota(client, {"client_id": "test"}, producer_byte_rate=1000)
    client.post(ApiKey.PRODUCE, 9, produce_request("t", batch(KILOBYTE * 20), acks=0))
    assert len(client.pauses) == 1
    assert client.closed is None


def test_clients_of_one_id_share_a_rate_and_others_do_not_notice(world: World, client: Client) -> None:
    set_quota(client, {"client_id": None}, producer_byte_rate=1000)
    assert produce(client, 9).throttle_time_ms == 0
    same = world.client()
    assert produce(same, 9).throttle_time_ms > 0
    other = world.client()
    frame = encode_request(ApiKey.PRODUCE, 9, 1, "other", produce_request("t", batch(KILOBYTE * 9)))
    other.session.on_frame(memoryview(bytearray(frame))[4:])
    assert world.run_until(lambda: bool(other.frames))
    assert other.pauses == []


def test_quota_survives_a_restart_and_goes_when_removed(world: World, client: Client) -> None:
    set_quota(client, {"user": None}, producer_byte_rate=1000)
    world.stop()
    world.start()
    client = world.client()
    assert world.broker.quotas.active
    assert produce(client, 20).throttle_time_ms > 0
    set_quota(client, {"user": None}, producer_byte_rate=None)
    assert not world.broker.quotas.active
    assert produce(client, 20).throttle_time_ms == 0


def test_raised_quota_counts_at_once(client: Client) -> None:
    set_quota(client, {"client_id": "test"}, producer_byte_rate=1000)
    assert produce(client, 20).throttle_time_ms > 0
    set_quota(client, {"client_id": "test"}, producer_byte_rate=1_000_000)
    assert produce(client, 20).throttle_time_ms == 0


# -- which quota counts ----------------------------------------------------------------------


def test_most_specific_quota_counts(world: World, client: Client) -> None:
    """Kafka's order, each level better than all before it."""
    levels: list[dict[str, str | None]] = [
        {"client_id": None},
        {"client_id": "c"},
        {"user": None},
        {"user": None, "client_id": None},
        {"user": None, "client_id": "c"},
        {"user": "ANONYMOUS"},
        {"user": "ANONYMOUS", "client_id": None},
        {"user": "ANONYMOUS", "client_id": "c"},
    ]
    for number, entity in enumerate(levels, start=1):
        set_quota(client, entity, producer_byte_rate=float(number))
        meter = world.broker.quotas.meter(PRODUCER_BYTE_RATE, "c")
        assert meter is not None
        assert meter.limit == number, entity
    assert world.broker.quotas.meter(CONSUMER_BYTE_RATE, "c") is None


def test_quota_of_a_user_is_shared_by_its_client_ids(world: World, client: Client) -> None:
    limits = world.broker.quotas
    set_quota(client, {"user": "ANONYMOUS"}, producer_byte_rate=1)
    one, two = limits.meter(PRODUCER_BYTE_RATE, "one"), limits.meter(PRODUCER_BYTE_RATE, "two")
    assert one is not None
    assert two is not None
    assert one.rate is two.rate
    set_quota(client, {"user": "ANONYMOUS", "client_id": None}, producer_byte_rate=1)
    one, two = limits.meter(PRODUCER_BYTE_RATE, "one"), limits.meter(PRODUCER_BYTE_RATE, "two")
    assert one is not None
    assert two is not None
    assert one.rate is not two.rate


def test_other_users_quota_does_not_count(world: World, client: Client) -> None:
    set_quota(client, {"user": "alice"}, producer_byte_rate=1)
    assert produce(client, 20).throttle_time_ms == 0


def test_endless_client_ids_do_not_fill_the_memory(
    world: World, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert METERS_MAX < 100_000
    monkeypatch.setattr(quotas, "METERS_MAX", 50)
    set_quota(client, {"client_id": None}, producer_byte_rate=1)
    limits = world.broker.quotas
    for number in range(500):
        meter = limits.meter(PRODUCER_BYTE_RATE, f"client-{number}")
        assert meter is not None
        meter.spend(100, world.clock.monotonic())
    assert len(limits._rates) <= 50
    assert len(limits._meters) <= 50


# -- fetch -----------------------------------------------------------------------------------


def test_consumer_over_its_rate_gets_an_empty_answer_and_waits(world: World, client: Client) -> None:
    for _ in range(4):
        produce(client, 4)
    set_quota(client, {"client_id": "test"}, consumer_byte_rate=1000)
    # Not more at once than a window holds.
    first = fetch(client)
    assert 8000 < len(first.responses[0].partitions[0].records) <= 10_000
    assert first.throttle_time_ms == 0
    held = fetch(client)
    assert held.responses == []
    assert held.throttle_time_ms > 0
    assert client.pauses == [held.throttle_time_ms / 1000]
    # What was held back was not counted.
    pass_time(world, 12)
    assert len(fetch(client).responses[0].partitions[0].records) > 8000


def test_batch_larger_than_a_window_passes_when_the_window_is_empty(world: World, client: Client) -> None:
    produce(client, 100)
    set_quota(client, {"client_id": "test"}, consumer_byte_rate=1000)
    assert len(fetch(client).responses[0].partitions[0].records) > 100_000
    assert fetch(client).responses == []
    pass_time(world, 12)
    assert len(fetch(client).responses[0].partitions[0].records) > 100_000


def test_full_fetch_held_back_has_no_session(world: World, client: Client) -> None:
    produce(client, 8)
    set_quota(client, {"client_id": "test"}, consumer_byte_rate=1000)
    fetch(client)
    held = fetch(client, session_epoch=0)
    assert held.throttle_time_ms > 0
    assert held.session_id == 0
    assert len(world.broker.fetch_sessions) == 0


def test_incremental_fetch_held_back_goes_on_where_it_was(world: World, client: Client) -> None:
    full = fetch(client, session_epoch=0, max_wait_ms=0)
    assert full.session_id > 0
    for _ in range(2):
        produce(client, 8)
    set_quota(client, {"client_id": "test"}, consumer_byte_rate=1000)
    fetch(client)

    def incremental(epoch: int) -> Any:
        request = FetchRequest(
            max_wait_ms=0,
            min_bytes=1,
            max_bytes=1 << 20,
            session_id=full.session_id,
            session_epoch=epoch,
        )
        return client.call(ApiKey.FETCH, 12, request)

    held = incremental(1)
    assert (held.error_code, held.session_id, held.responses) == (ErrorCode.NONE, full.session_id, [])
    assert held.throttle_time_ms > 0
    pass_time(world, 12)
    # The news that the held answer did not bring comes now.
    news = incremental(2)
    assert len(news.responses[0].partitions[0].records) > 8000
    assert news.responses[0].partitions[0].high_watermark == 2


def test_parked_fetch_is_charged_when_it_is_answered(world: World, client: Client) -> None:
    set_quota(client, {"client_id": "test"}, consumer_byte_rate=1000)
    reader = world.client()
    reader.post(ApiKey.FETCH, 12, fetch_request("t", 0, max_wait_ms=5000))
    produce(client, 8)
    assert world.run_until(lambda: bool(reader.frames))
    assert fetch(reader).throttle_time_ms > 0


# -- time spent on requests --------------------------------------------------------------------


def test_time_spent_on_requests_is_charged_and_the_wait_bounded(world: World, client: Client) -> None:
    set_quota(client, {"client_id": "test"}, request_percentage=1)
    limits = world.broker.quotas
    now = world.clock.monotonic()
    # 1 % of ten seconds are 100 ms.
    assert limits.request_wait("test", 0.099, now) == 0
    assert 0 < limits.request_wait("test", 0.005, now) < 1
    assert limits.request_wait("test", 5.0, now) == 1.0
    response = client.newest(ApiKey.METADATA, MetadataRequest(topics=[]))
    assert response.throttle_time_ms == 1000
    assert client.pauses == [1.0]
    meter = limits.meter(REQUEST_PERCENTAGE, "somebody else")
    assert meter is None


def test_slow_request_counts_its_work_and_not_its_wait(world: World, client: Client) -> None:
    set_quota(client, {"client_id": "test"}, request_percentage=1)
    assert fetch(client, max_wait_ms=5000).throttle_time_ms == 0
    meter = world.broker.quotas.meter(REQUEST_PERCENTAGE, "test")
    assert meter is not None
    assert meter.rate.total(world.clock.monotonic()) == 0


def test_throttle_time_is_told_in_every_version_that_has_it(world: World, client: Client) -> None:
    set_quota(client, {"client_id": "test"}, request_percentage=1)
    for version in range(14):
        now = world.clock.monotonic()
        world.broker.quotas.request_wait("test", 5.0, now)
        response = client.call(ApiKey.METADATA, version, MetadataRequest(topics=[]))
        assert response.throttle_time_ms == (1000 if version >= 3 else 0)
    assert len(client.pauses) == 14


# -- partitions made and deleted ---------------------------------------------------------------


def create(client: Client, name: str, partitions: int, *, version: int = 7) -> Any:
    topic = CreatableTopic(name=name, num_partitions=partitions, replication_factor=1)
    return client.call(ApiKey.CREATE_TOPICS, version, CreateTopicsRequest(topics=[topic]))


def test_partitions_over_the_quota_are_refused_until_tokens_are_back(world: World, client: Client) -> None:
    set_quota(client, {"client_id": "test"}, controller_mutation_rate=1)
    # A burst of eleven, and the last one may go over it.
    assert create(client, "a", 8).topics[0].error_code == ErrorCode.NONE
    assert create(client, "b", 8).topics[0].error_code == ErrorCode.NONE
    response = create(client, "c", 1)
    assert response.topics[0].error_code == ErrorCode.THROTTLING_QUOTA_EXCEEDED
    assert 4000 < response.throttle_time_ms <= 5000
    assert client.pauses == [response.throttle_time_ms / 1000]
    assert "c" not in world.broker.metadata.image.topics
    grown = client.newest(
        ApiKey.CREATE_PARTITIONS,
        CreatePartitionsRequest(topics=[CreatePartitionsTopic(name="a", count=9, assignments=None)]),
    )
    assert grown.results[0].error_code == ErrorCode.THROTTLING_QUOTA_EXCEEDED
    deleted = client.newest(ApiKey.DELETE_TOPICS, DeleteTopicsRequest(topics=[DeleteTopicState(name="a")]))
    assert deleted.responses[0].error_code == ErrorCode.THROTTLING_QUOTA_EXCEEDED
    assert "a" in world.broker.metadata.image.topics
    pass_time(world, response.throttle_time_ms / 1000)
    assert create(client, "c", 1).topics[0].error_code == ErrorCode.NONE


def test_old_clients_are_not_refused_but_wait(client: Client) -> None:
    set_quota(client, {"client_id": "test"}, controller_mutation_rate=1)
    response = create(client, "a", 20, version=5)
    assert response.topics[0].error_code == ErrorCode.NONE
    assert 8000 < response.throttle_time_ms <= 9000
    assert client.pauses == [response.throttle_time_ms / 1000]


def test_smallest_of_quotas_waits_for_a_long_time_and_not_for_ever(client: Client) -> None:
    set_quota(client, {"client_id": "test"}, controller_mutation_rate=5e-324)
    assert create(client, "a", 1).topics[0].error_code == ErrorCode.NONE
    assert create(client, "b", 1).throttle_time_ms == 2**31 - 1
