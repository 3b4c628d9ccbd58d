"""Bytes as they came, one answer ahead, up to the stop; topics that are no longer the same."""

from __future__ import annotations

from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.client import ClusterView, FetchedRaw, FetcherConfig, PartitionFailed, RawFetcher
from riverlog.client.connection import Request
from riverlog.client.events import RequestAnswered, SendRequest, Tick
from riverlog.protocol.generated.fetch_response import (
    AbortedTransaction,
    FetchableTopicResponse,
    FetchResponse,
    PartitionData,
)
from riverlog.protocol.generated.metadata_response import (
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)
from riverlog.records import BatchBuilder

ID, OTHER_ID = b"t" * 16, b"u" * 16


def described(count: int = 2, *, topic_id: bytes = ID, error_code: int = 0) -> MetadataResponse:
    parts = [
        MetadataResponsePartition(partition_index=index, leader_id=1, leader_epoch=3)
        for index in range(0 if error_code else count)
    ]
    return MetadataResponse(
        brokers=[MetadataResponseBroker(node_id=1, host="h", port=9001)],
        topics=[MetadataResponseTopic(name="t", topic_id=topic_id, partitions=parts, error_code=error_code)],
    )


def batch(base: int, count: int) -> bytes:
    builder = BatchBuilder(base_offset=base)
    for number in range(count):
        builder.append(timestamp=5, value=b"%d" % (base + number))
    return builder.build()


class Harness:
    def __init__(self, **config: Any) -> None:
        self.view = ClusterView()
        self.view.update(described())
        self.fetcher = RawFetcher(self.view, FetcherConfig(**config))
        self.now = 1000

    def step(self, event: Any) -> list[Any]:
        effects = self.fetcher.handle(event)
        self.fetcher.validate()
        return list(effects)

    def tick(self, later: int = 0) -> list[Any]:
        self.now += later
        return self.step(Tick(self.now))

    def answer(self, request: Request, *parts: PartitionData) -> list[Any]:
        message = FetchResponse(responses=[FetchableTopicResponse(topic_id=ID, partitions=list(parts))])
        return self.step(RequestAnswered(request, message, self.now))


def part(index: int, data: bytes, **fields: Any) -> PartitionData:
    fields.setdefault("high_watermark", 1000)
    return PartitionData(partition_index=index, records=memoryview(data), **fields)


def asked(effect: SendRequest) -> dict[int, int]:
    (topic,) = effect.request.message.topics
    return {row.partition: row.fetch_offset for row in topic.partitions}


def test_next_fetch_leaves_with_the_answer() -> None:
    harness = Harness()
    harness.fetcher.assign("t", 0, 4, stop=100)
    (request,) = harness.tick()
    data = batch(0, 10) + batch(10, 5)
    aborted = [AbortedTransaction(producer_id=7, first_offset=2)]
    found, following = harness.answer(
        request.request, part(0, data, aborted_transactions=aborted, last_stable_offset=40)
    )
    assert found == FetchedRaw("t", 0, 4, data, [(7, 2)], 40)
    assert asked(following) == {0: 15}


def test_nothing_is_fetched_behind_the_stop() -> None:
    harness = Harness()
    harness.fetcher.assign("t", 0, 0, stop=10)
    (request,) = harness.tick()
    (found,) = harness.answer(request.request, part(0, batch(0, 10)))
    assert (found.offset, harness.fetcher.assigned, harness.fetcher.in_flight) == (0, [], False)


def test_empty_answer_is_told_with_the_readable_end() -> None:
    harness = Harness()
    harness.fetcher.assign("t", 0, 5, stop=10)
    (request,) = harness.tick()
    found, following = harness.answer(request.request, part(0, b"", high_watermark=20, last_stable_offset=7))
    assert (len(found.records), found.readable_end, asked(following)) == (0, 7, {0: 5})


def test_partial_batch_is_fetched_again() -> None:
    harness = Harness()
    harness.fetcher.assign("t", 0, 0, stop=20)
    (request,) = harness.tick()
    _, following = harness.answer(request.request, part(0, batch(0, 10) + batch(10, 10)[:70]))
    assert asked(following) == {0: 10}


def test_corrupt_header_ends_fetching_but_is_handed_on() -> None:
    harness = Harness()
    harness.fetcher.assign("t", 0, 0, stop=20)
    (request,) = harness.tick()
    broken = bytearray(batch(0, 10))
    broken[16] = 9  # the magic
    (found,) = harness.answer(request.request, part(0, bytes(broken)))
    assert isinstance(found, FetchedRaw)
    assert harness.fetcher.assigned == []


def test_partitions_with_data_go_to_the_end_of_the_line() -> None:
    harness = Harness()
    harness.fetcher.assign("t", 0, 0)
    harness.fetcher.assign("t", 1, 0)
    (request,) = harness.tick()
    *_, following = harness.answer(request.request, part(0, batch(0, 3)), part(1, b""))
    assert list(asked(following)) == [1, 0]


def test_another_topic_of_the_name_is_not_fetched() -> None:
    harness = Harness()
    harness.fetcher.assign("t", 0, 0, topic_id=ID)
    harness.view.update(described(topic_id=OTHER_ID))
    (failed,) = harness.tick()
    assert isinstance(failed, PartitionFailed)
    assert failed.code is ErrorCode.INCONSISTENT_TOPIC_ID


def test_missing_topic_has_a_patience_of_its_own() -> None:
    harness = Harness(missing_timeout_ms=200, unknown_timeout_ms=60_000)
    harness.fetcher.assign("t", 0, 0, topic_id=ID)
    harness.view.update(described(error_code=ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))
    (effect,) = harness.tick()
    assert isinstance(effect, SendRequest)
    *_, failed = harness.tick(250)
    assert isinstance(failed, PartitionFailed)
    assert failed.code is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
