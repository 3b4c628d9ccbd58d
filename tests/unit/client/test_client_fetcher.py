"""Cursors, trimming, transactions, trouble: events in, effects out."""

from __future__ import annotations

from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.client import ClusterView, Fetched, Fetcher, FetcherConfig, PartitionFailed, ReachedEnd
from riverlog.client.connection import Request
from riverlog.client.events import RequestAnswered, RequestFailed, SendRequest, Tick
from riverlog.protocol.apis import ApiKey
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
from riverlog.records import BatchBuilder, Codec, end_txn_marker

ID = b"t" * 16


def described(leaders: list[int], *, epoch: int = 3, topic_id: bytes = ID) -> MetadataResponse:
    parts = [
        MetadataResponsePartition(partition_index=index, leader_id=leader, leader_epoch=epoch)
        for index, leader in enumerate(leaders)
    ]
    return MetadataResponse(
        brokers=[MetadataResponseBroker(node_id=n, host="h", port=9000 + n) for n in (1, 2)],
        topics=[MetadataResponseTopic(name="t", topic_id=topic_id, partitions=parts)],
    )


def batch(base: int, count: int, **options: Any) -> bytes:
    builder = BatchBuilder(base_offset=base, **options)
    for number in range(count):
        builder.append(timestamp=5, value=b"%d" % (base + number))
    return builder.build()


class Harness:
    def __init__(self, leaders: list[int], *, topic_id: bytes = ID, **config: Any) -> None:
        self.view = ClusterView()
        self.view.update(described(leaders, topic_id=topic_id))
        self.fetcher = Fetcher(self.view, FetcherConfig(**config))
        self.now = 1000

    def step(self, event: Any) -> list[Any]:
        effects = self.fetcher.handle(event)
        self.fetcher.validate()
        return list(effects)

    def tick(self, later: int = 0) -> list[Any]:
        self.now += later
        return self.step(Tick(self.now))

    def answer(self, request: Request, message: Any) -> list[Any]:
        return self.step(RequestAnswered(request, message, self.now))

    def fetch(self, data: bytes | None, **fields: Any) -> list[Any]:
        """Send the next fetch of partition 0 and answer it; what is told, without the fetch that follows."""
        (effect,) = self.tick()
        return told(self.answer(effect.request, fetched(0, data, **fields)))


def fetched(index: int, data: bytes | None, **fields: Any) -> FetchResponse:
    fields.setdefault("high_watermark", 1000)
    part = PartitionData(partition_index=index, records=None if data is None else memoryview(data), **fields)
    return FetchResponse(responses=[FetchableTopicResponse(topic_id=ID, partitions=[part])])


def told(effects: list[Any]) -> list[Any]:
    return [effect for effect in effects if not isinstance(effect, SendRequest)]


def offsets(effects: list[Any]) -> list[int]:
    return [record.offset for effect in effects if isinstance(effect, Fetched) for record in effect.records]


def test_one_request_per_leader_carries_all_its_partitions() -> None:
    it = Harness([1, 2, 1], max_wait_ms=77)
    for index in range(3):
        it.fetcher.assign("t", index, index * 10)
    one, two = it.tick()
    parts = one.request.message.topics[0].partitions
    assert one.node_id == 1
    assert [(p.partition, p.fetch_offset, p.current_leader_epoch) for p in parts] == [(0, 0, 3), (2, 20, 3)]
    assert one.request.message.max_wait_ms == 77
    assert one.request.message.session_epoch == -1
    assert one.request.max_version is None
    assert two.node_id == 2
    assert it.tick(10) == []


def test_a_cluster_without_topic_ids_is_asked_by_name() -> None:
    it = Harness([1], topic_id=bytes(16))
    it.fetcher.assign("t", 0, 0)
    (effect,) = it.tick()
    assert effect.request.max_version == 12
    assert effect.request.message.topics[0].topic == "t"


def test_records_before_the_cursor_are_trimmed_and_the_cursor_moves_on() -> None:
    it = Harness([1])
    it.fetcher.assign("t", 0, 7)
    data = batch(0, 5) + batch(5, 5, compression=Codec.LZ4) + batch(10, 2)
    assert offsets(it.fetch(data)) == [7, 8, 9, 10, 11]
    assert it.fetcher.position("t", 0) == 12


def test_a_partial_batch_at_the_end_waits_for_the_next_fetch() -> None:
    it = Harness([1])
    it.fetcher.assign("t", 0, 0)
    (effect,) = it.tick()
    effects = it.answer(effect.request, fetched(0, batch(0, 2) + batch(2, 2)[:-3]))
    assert offsets(effects) == [0, 1]
    assert effects[-1].request.message.topics[0].partitions[0].fetch_offset == 2


def test_a_batch_emptied_by_compaction_moves_the_cursor() -> None:
    it = Harness([1])
    it.fetcher.assign("t", 0, 0)
    assert it.fetch(BatchBuilder().build(last_offset=9)) == []
    assert it.fetcher.position("t", 0) == 10


def test_the_end_is_told() -> None:
    it = Harness([1], isolation_level=0)
    it.fetcher.assign("t", 0, 3)
    assert it.fetch(None, high_watermark=3) == [ReachedEnd("t", 0, 3)]


def test_read_committed_ends_at_the_last_stable_offset() -> None:
    it = Harness([1])
    it.fetcher.assign("t", 0, 3)
    assert it.fetch(None, high_watermark=9, last_stable_offset=3) == [ReachedEnd("t", 0, 3)]


def transactions() -> bytes:
    """Producer 1 aborts 0-1 and commits 6-7; producer 2 commits 2-3; 9 is plain."""
    return b"".join(
        [
            batch(0, 2, producer_id=1, producer_epoch=0, base_sequence=0, transactional=True),
            batch(2, 2, producer_id=2, producer_epoch=0, base_sequence=0, transactional=True),
            marker(4, 1, commit=False),
            marker(5, 2, commit=True),
            batch(6, 2, producer_id=1, producer_epoch=0, base_sequence=2, transactional=True),
            marker(8, 1, commit=True),
            batch(9, 1),
        ]
    )


def marker(offset: int, producer_id: int, *, commit: bool) -> bytes:
    return end_txn_marker(
        commit=commit,
        producer_id=producer_id,
        producer_epoch=0,
        coordinator_epoch=0,
        timestamp=5,
        base_offset=offset,
    )


def test_aborted_records_and_markers_are_left_out() -> None:
    it = Harness([1])
    it.fetcher.assign("t", 0, 0)
    aborted = [AbortedTransaction(producer_id=1, first_offset=0)]
    assert offsets(it.fetch(transactions(), aborted_transactions=aborted)) == [2, 3, 6, 7, 9]
    assert it.fetcher.position("t", 0) == 10


def test_read_uncommitted_sees_aborted_records_but_no_markers() -> None:
    it = Harness([1], isolation_level=0)
    it.fetcher.assign("t", 0, 0)
    assert offsets(it.fetch(transactions())) == [0, 1, 2, 3, 6, 7, 9]


def test_damaged_batches_stop_the_partition() -> None:
    it = Harness([1])
    it.fetcher.assign("t", 0, 0)
    data = bytearray(batch(0, 2))
    data[-1] ^= 1
    (failed,) = it.fetch(bytes(data))
    assert isinstance(failed, PartitionFailed)
    assert failed.code is ErrorCode.CORRUPT_MESSAGE
    assert it.fetcher.assigned == []


def test_an_offset_out_of_range_stops_the_partition_until_it_is_assigned_again() -> None:
    it = Harness([1])
    it.fetcher.assign("t", 0, 50)
    (failed,) = it.fetch(None, error_code=ErrorCode.OFFSET_OUT_OF_RANGE)
    assert failed == PartitionFailed("t", 0, 50, ErrorCode.OFFSET_OUT_OF_RANGE, "offset out of range")
    it.fetcher.assign("t", 0, 0)
    assert offsets(it.fetch(batch(0, 1))) == [0]


def test_a_moved_leader_is_followed() -> None:
    it = Harness([1])
    it.fetcher.assign("t", 0, 0)
    (first,) = it.tick()
    (asked,) = it.answer(first.request, fetched(0, None, error_code=ErrorCode.NOT_LEADER_OR_FOLLOWER))
    assert asked.request.api_key == ApiKey.METADATA
    assert it.answer(asked.request, described([2], epoch=4)) == []
    (again,) = it.tick(100)
    assert again.node_id == 2


def test_a_lost_connection_is_retried_for_a_while_only() -> None:
    it = Harness([1], unknown_timeout_ms=1000)
    it.fetcher.assign("t", 0, 0)
    (first,) = it.tick()
    (asked,) = it.step(RequestFailed(first.request, "connection lost", it.now))
    it.answer(asked.request, described([1]))
    (again,) = it.tick(1000)
    (failed,) = told(it.step(RequestFailed(again.request, "connection lost", it.now)))
    assert (failed.code, failed.reason) == (ErrorCode.NETWORK_EXCEPTION, "connection lost")


def test_a_broker_without_fetch_is_reported_at_once() -> None:
    it = Harness([1])
    it.fetcher.assign("t", 0, 0)
    (first,) = it.tick()
    (failed,) = it.step(RequestFailed(first.request, "no Fetch", it.now, unsupported=True))
    assert failed.code is ErrorCode.UNSUPPORTED_VERSION


def test_a_session_error_is_retried_for_all_partitions() -> None:
    it = Harness([1])
    it.fetcher.assign("t", 0, 0)
    (first,) = it.tick()
    refused = FetchResponse(error_code=ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR)
    (asked,) = it.answer(first.request, refused)
    it.answer(asked.request, described([1]))
    (again,) = it.tick(100)
    assert again.request.api_key == ApiKey.FETCH


def test_an_answer_for_an_old_assignment_is_dropped() -> None:
    it = Harness([1])
    it.fetcher.assign("t", 0, 0)
    (first,) = it.tick()
    it.fetcher.assign("t", 0, 500)
    effects = it.answer(first.request, fetched(0, batch(0, 2)))
    assert told(effects) == []
    assert it.fetcher.position("t", 0) == 500
    it.fetcher.unassign("t", 0)
    assert told(it.answer(effects[0].request, fetched(0, batch(500, 1)))) == []


def test_a_paused_fetcher_sends_nothing() -> None:
    it = Harness([1])
    it.fetcher.assign("t", 0, 0)
    it.fetcher.pause()
    assert it.tick() == []
    it.fetcher.resume()
    assert len(it.tick()) == 1
