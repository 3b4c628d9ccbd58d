"""aiokafka: asyncio, its own protocol code."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, ConsumerRecord, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewPartitions, NewTopic, RecordsToDelete
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import OffsetOutOfRangeError
from clientkit.samples import CODECS, START_MS, Sample, modest_samples, same

WAIT = 20.0


@asynccontextmanager
async def admin(bootstrap: str) -> AsyncIterator[AIOKafkaAdminClient]:
    client = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await client.start()
    try:
        yield client
    finally:
        await client.close()


@asynccontextmanager
async def producer(bootstrap: str, **settings: Any) -> AsyncIterator[AIOKafkaProducer]:
    client = AIOKafkaProducer(bootstrap_servers=bootstrap, linger_ms=20, **settings)
    await client.start()
    try:
        yield client
    finally:
        await client.stop()


@asynccontextmanager
async def consumer(
    bootstrap: str, *partitions: TopicPartition, **settings: Any
) -> AsyncIterator[AIOKafkaConsumer]:
    client = AIOKafkaConsumer(
        bootstrap_servers=bootstrap,
        auto_offset_reset="none",
        check_crcs=True,
        fetch_max_wait_ms=100,
        **settings,
    )
    await client.start()
    client.assign(list(partitions))
    try:
        yield client
    finally:
        await client.stop()


async def create_topic(
    bootstrap: str, topic: str, partitions: int = 1, config: dict[str, str] | None = None
) -> None:
    async with admin(bootstrap) as client:
        response = await client.create_topics([NewTopic(topic, partitions, 1, topic_configs=config or {})])
        assert [row[1] for row in response.topic_errors] == [0], response


async def send(
    client: AIOKafkaProducer, topic: str, records: Sequence[Sample], partition: int = 0
) -> list[int]:
    pending = [
        await client.send(
            topic,
            value=s.value,
            key=s.key,
            partition=partition,
            timestamp_ms=s.timestamp_ms,
            headers=list(s.headers),
        )
        for s in records
    ]
    return [(await future).offset for future in pending]


def sample_of(record: ConsumerRecord[Any, Any]) -> Sample:
    return Sample(record.key, record.value, record.timestamp, tuple(record.headers))


async def read(
    bootstrap: str, topic: str, *, offset: int = 0, partition: int = 0, **settings: Any
) -> list[Sample]:
    place = TopicPartition(topic, partition)
    found: list[Sample] = []
    async with consumer(bootstrap, place, **settings) as client:
        end = (await client.end_offsets([place]))[place]
        client.seek(place, offset)
        while await client.position(place) < end:
            batch = await asyncio.wait_for(client.getmany(place, timeout_ms=1000), WAIT)
            found += [sample_of(record) for record in batch.get(place, [])]
    return found


@pytest.mark.parametrize("codec", CODECS)
def test_aiokafka_reads_back_what_it_wrote(bootstrap: str, topic: str, codec: str) -> None:
    async def scenario() -> None:
        await create_topic(bootstrap, topic)
        sent = modest_samples(100)
        async with producer(bootstrap, compression_type=None if codec == "none" else codec) as client:
            assert await send(client, topic, sent) == list(range(100))
        same(await read(bootstrap, topic), sent)

    asyncio.run(scenario())


@pytest.mark.parametrize("offset", [0, 17, 59])
def test_aiokafka_reads_every_codec_of_librdkafka(
    bootstrap: str, mixed_topic: tuple[str, list[Sample]], offset: int
) -> None:
    topic, sent = mixed_topic
    same(asyncio.run(read(bootstrap, topic, offset=offset, max_partition_fetch_bytes=4000)), sent[offset:])


@pytest.mark.parametrize("acks", [0, 1, "all"])
def test_aiokafka_acks(bootstrap: str, topic: str, acks: int | str) -> None:
    async def scenario() -> None:
        await create_topic(bootstrap, topic)
        sent = modest_samples(20)
        async with producer(bootstrap, acks=acks) as client:
            for s in sent:
                await client.send_and_wait(topic, s.value, s.key, 0, s.timestamp_ms, list(s.headers))
        async with asyncio.timeout(WAIT):
            found = await read(bootstrap, topic)
            while len(found) < 20:
                found = await read(bootstrap, topic)
        same(found, sent)

    asyncio.run(scenario())


def test_aiokafka_idempotent_producer_keeps_order(bootstrap: str, topic: str) -> None:
    async def scenario() -> None:
        await create_topic(bootstrap, topic)
        sent = [Sample(b"k", b"%d" % i, START_MS + i) for i in range(1000)]
        async with producer(bootstrap, enable_idempotence=True, max_batch_size=1000) as client:
            assert await send(client, topic, sent) == list(range(1000))
        same(await read(bootstrap, topic, isolation_level="read_committed"), sent)

    asyncio.run(scenario())


def test_aiokafka_seeks_by_time(bootstrap: str, topic: str) -> None:
    async def scenario() -> None:
        await create_topic(bootstrap, topic)
        sent = modest_samples(50)
        async with producer(bootstrap, max_batch_size=3000) as client:
            await send(client, topic, sent)
        place = TopicPartition(topic, 0)
        async with consumer(bootstrap, place) as client:
            for moment, wanted in {START_MS - 1: 0, START_MS + 12_001: 13, START_MS + 49_000: 49}.items():
                found = await client.offsets_for_times({place: moment})
                assert (found[place].offset, found[place].timestamp) == (wanted, START_MS + 1000 * wanted)
            assert (await client.offsets_for_times({place: START_MS + 60_000}))[place] is None
            assert await client.beginning_offsets([place]) == {place: 0}
            assert await client.end_offsets([place]) == {place: 50}

    asyncio.run(scenario())


def test_aiokafka_deletes_records(bootstrap: str, topic: str) -> None:
    async def scenario() -> None:
        await create_topic(bootstrap, topic)
        sent = modest_samples(30)
        async with producer(bootstrap) as client:
            await send(client, topic, sent)
        place = TopicPartition(topic, 0)
        async with admin(bootstrap) as client:
            assert await client.delete_records({place: RecordsToDelete(before_offset=12)}) == {place: 12}
        async with consumer(bootstrap, place) as reader:
            assert await reader.beginning_offsets([place]) == {place: 12}
            reader.seek(place, 3)
            with pytest.raises(OffsetOutOfRangeError):
                await asyncio.wait_for(reader.getone(place), WAIT)
        same(await read(bootstrap, topic, offset=12), sent[12:])

    asyncio.run(scenario())


def test_aiokafka_alters_and_describes_configs(
    bootstrap: str, topic: str, settle: Callable[[], None]
) -> None:
    async def scenario() -> None:
        await create_topic(bootstrap, topic, config={"retention.ms": "1000000"})
        async with admin(bootstrap) as client:
            changes = {"max.message.bytes": "4096"}
            await client.alter_configs([ConfigResource(ConfigResourceType.TOPIC, topic, configs=changes)])
            settle()
            (described,) = await client.describe_configs([ConfigResource(ConfigResourceType.TOPIC, topic)])
        ((error, _, kind, name, rows),) = described.resources
        assert (error, kind, name) == (0, ConfigResourceType.TOPIC, topic)
        values = {row[0]: row[1] for row in rows}
        assert values["max.message.bytes"] == "4096"
        # the old AlterConfigs replaces all settings of the topic
        assert values["retention.ms"] == "604800000"

    asyncio.run(scenario())


def test_aiokafka_creates_partitions_and_deletes_the_topic(
    bootstrap: str, topic: str, settle: Callable[[], None]
) -> None:
    async def scenario() -> None:
        await create_topic(bootstrap, topic)
        async with admin(bootstrap) as client:
            await client.create_partitions({topic: NewPartitions(total_count=3)})
            settle()
            (described,) = await client.describe_topics([topic])
            assert sorted(row["partition"] for row in described["partitions"]) == [0, 1, 2]
        sent = modest_samples(10)
        async with producer(bootstrap) as writer:
            await send(writer, topic, sent, partition=2)
        same(await read(bootstrap, topic, partition=2), sent)
        async with admin(bootstrap) as client:
            await client.delete_topics([topic])
            settle()
            assert topic not in await client.list_topics()
            cluster = await client.describe_cluster()
        assert len(cluster["brokers"]) == 1

    asyncio.run(scenario())
