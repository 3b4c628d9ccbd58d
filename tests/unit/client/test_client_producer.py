"""Batching, routing, retries, idempotence: events in, effects out."""

from __future__ import annotations

from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.client import ClusterView, Delivered, DeliveryFailed, Producer, ProducerConfig
from riverlog.client.connection import Request
from riverlog.client.events import RequestAnswered, RequestFailed, SendRequest, Tick
from riverlog.client.producer import TransactionalProducer
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.init_producer_id_response import InitProducerIdResponse
from riverlog.protocol.generated.metadata_response import (
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)
from riverlog.protocol.generated.produce_response import (
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)
from riverlog.records import BatchBuilder, crc_ok, decode_records, read_header

ID = b"t" * 16


def described(leaders: list[int], epoch: int = 0) -> MetadataResponse:
    parts = [
        MetadataResponsePartition(partition_index=index, leader_id=leader, leader_epoch=epoch)
        for index, leader in enumerate(leaders)
    ]
    return MetadataResponse(
        brokers=[MetadataResponseBroker(node_id=n, host="h", port=9000 + n) for n in (1, 2)],
        topics=[MetadataResponseTopic(name="t", topic_id=ID, partitions=parts)],
    )


class Harness:
    """A producer at a time of its own, checked after every step."""

    def __init__(self, leaders: list[int], **config: Any) -> None:
        self.view = ClusterView()
        self.view.update(described(leaders))
        self.producer = Producer(self.view, ProducerConfig(**config))
        self.now = 1000

    def append(self, *values: bytes, partition: int | None = 0, key: bytes | None = None) -> None:
        for value in values:
            self.producer.append("t", key=key, value=value, timestamp=5, partition=partition, now_ms=self.now)

    def step(self, event: Any) -> list[Any]:
        effects = self.producer.handle(event)
        self.producer.validate()
        return list(effects)

    def tick(self, later: int = 0) -> list[Any]:
        self.now += later
        return self.step(Tick(self.now))

    def answer(self, request: Request, message: Any) -> list[Any]:
        return self.step(RequestAnswered(request, message, self.now))

    def lose(self, request: Request, *, unsupported: bool = False) -> list[Any]:
        return self.step(RequestFailed(request, "connection lost", self.now, unsupported))

    def start(self) -> list[Any]:
        """Get the producer id that an idempotent producer asks for first."""
        self.producer.flush()
        (effect,) = self.tick()
        assert effect.request.api_key == ApiKey.INIT_PRODUCER_ID
        return self.answer(effect.request, InitProducerIdResponse(producer_id=77, producer_epoch=0))


def batches(effect: Any) -> dict[int, list[bytes | None]]:
    """Values by partition in a produce request."""
    assert isinstance(effect, SendRequest)
    found = {}
    for part in effect.request.message.topic_data[0].partition_data:
        header = read_header(part.records)
        assert crc_ok(part.records, 0, header)
        found[part.index] = [r.value for r in decode_records(part.records, 0, header, max_bytes=1 << 20)]
    return found


def sequence(effect: Any) -> tuple[int, int]:
    header = read_header(effect.request.message.topic_data[0].partition_data[0].records)
    return header.producer_id, header.base_sequence


def produced(code: int = 0, *, index: int = 0, base: int = 10, named: bool = False) -> ProduceResponse:
    row = PartitionProduceResponse(index=index, error_code=code, base_offset=base)
    topic = TopicProduceResponse(
        name="t" if named else "", topic_id=bytes(16) if named else ID, partition_responses=[row]
    )
    return ProduceResponse(responses=[topic])


def test_records_linger_and_leave_as_one_batch_per_leader() -> None:
    it = Harness([1, 2, 1], acks=1, linger_ms=20)
    it.append(b"a", b"b", partition=0)
    it.append(b"c", partition=1)
    it.append(b"d", partition=2)
    assert it.tick(19) == []
    one, two = it.tick(1)
    assert (one.node_id, batches(one)) == (1, {0: [b"a", b"b"], 2: [b"d"]})
    assert (two.node_id, batches(two)) == (2, {1: [b"c"]})
    assert one.request.message.topic_data[0].topic_id == ID
    assert it.answer(two.request, produced(index=1)) == [Delivered("t", 1, 10, 1)]
    assert not it.producer.idle


def test_a_full_batch_leaves_at_once_and_the_next_waits_for_its_answer() -> None:
    it = Harness([1], acks=1, batch_bytes=200, linger_ms=10_000)
    it.append(b"x" * 150, b"y" * 150)
    (first,) = it.tick()
    assert batches(first) == {0: [b"x" * 150]}
    assert it.tick(1) == []
    delivered, second = it.answer(first.request, produced())
    assert delivered == Delivered("t", 0, 10, 1)
    assert batches(second) == {0: [b"y" * 150]}
    assert it.answer(second.request, produced(base=11)) == [Delivered("t", 0, 11, 1)]
    assert it.producer.idle
    assert it.producer.buffered_bytes == 0


def test_keys_choose_partitions_and_keyless_records_move_on_with_each_batch() -> None:
    it = Harness([1, 1, 1], acks=1, batch_bytes=150)
    it.append(b"v" * 100, b"w" * 100, partition=None)
    it.append(b"k", partition=None, key=b"abc")
    it.producer.flush()
    (effect,) = it.tick()
    assert batches(effect) == {0: [b"v" * 100], 1: [b"w" * 100]}
    # murmur2 of the key is divisible by 3, so its record waits behind the first batch of partition 0.
    answer = produced(index=0)
    answer.responses[0].partition_responses.append(PartitionProduceResponse(index=1, base_offset=3))
    *delivered, second = it.answer(effect.request, answer)
    assert delivered == [Delivered("t", 0, 10, 1), Delivered("t", 1, 3, 1)]
    assert batches(second) == {0: [b"k"]}


def test_acks_0_counts_as_delivered_when_sent() -> None:
    it = Harness([1], acks=0)
    it.append(b"a")
    it.producer.flush()
    (effect,) = it.tick()
    assert not effect.request.expects_answer
    assert it.answer(effect.request, None) == [Delivered("t", 0, -1, 1)]


def test_an_idempotent_producer_gets_its_id_first_and_counts_sequences() -> None:
    it = Harness([1], batch_bytes=120)
    it.append(b"a" * 100, b"b" * 100)
    (first,) = it.start()
    assert sequence(first) == (77, 0)
    _, second = it.answer(first.request, produced())
    assert sequence(second) == (77, 1)


def test_a_lost_answer_is_retried_with_the_same_sequence_after_new_metadata() -> None:
    it = Harness([1])
    it.append(b"a")
    (first,) = it.start()
    (asked,) = it.lose(first.request)
    assert asked.request.api_key == ApiKey.METADATA
    assert it.tick(99) == []
    assert it.answer(asked.request, described([2], epoch=1)) == []
    (again,) = it.tick(1)
    assert again.node_id == 2
    assert sequence(again) == sequence(first)
    assert it.answer(again.request, produced()) == [Delivered("t", 0, 10, 1)]


def test_a_duplicate_is_a_delivery() -> None:
    it = Harness([1])
    it.append(b"a")
    (first,) = it.start()
    assert it.answer(first.request, produced(ErrorCode.DUPLICATE_SEQUENCE_NUMBER)) == [
        Delivered("t", 0, -1, 1)
    ]


def test_retriable_errors_are_retried_and_others_reported() -> None:
    it = Harness([1], acks=1)
    it.append(b"a")
    it.producer.flush()
    (first,) = it.tick()
    (asked,) = it.answer(first.request, produced(ErrorCode.NOT_LEADER_OR_FOLLOWER, named=True))
    assert asked.request.api_key == ApiKey.METADATA
    it.answer(asked.request, described([1]))
    (second,) = it.tick(100)
    (failed,) = it.answer(second.request, produced(ErrorCode.MESSAGE_TOO_LARGE))
    assert isinstance(failed, DeliveryFailed)
    assert (failed.code, failed.count) == (ErrorCode.MESSAGE_TOO_LARGE, 1)
    assert it.producer.idle
    assert it.producer.buffered_bytes == 0


def test_a_refused_batch_gives_its_sequence_back() -> None:
    it = Harness([1], batch_bytes=120)
    it.append(b"a" * 100, b"b" * 100)
    (first,) = it.start()
    failed, second = it.answer(first.request, produced(ErrorCode.MESSAGE_TOO_LARGE))
    assert isinstance(failed, DeliveryFailed)
    assert sequence(second) == (77, 0)


def test_after_an_uncertain_loss_later_batches_use_a_new_producer_id() -> None:
    it = Harness([1], batch_bytes=120, delivery_timeout_ms=500)
    it.append(b"a" * 100)
    (first,) = it.start()
    (asked,) = it.lose(first.request)
    it.now += 600
    it.append(b"b" * 100)
    effects = it.answer(asked.request, described([1]))
    assert isinstance(effects[0], DeliveryFailed)
    assert effects[0].code is ErrorCode.REQUEST_TIMED_OUT
    assert "connection lost" in effects[0].reason
    assert effects[1].request.api_key == ApiKey.INIT_PRODUCER_ID
    (second,) = it.answer(effects[1].request, InitProducerIdResponse(producer_id=78, producer_epoch=0))
    assert sequence(second) == (78, 0)


def test_a_broker_without_idempotence_is_reported() -> None:
    it = Harness([1])
    it.append(b"a")
    it.producer.flush()
    (asked,) = it.tick()
    (failed,) = it.lose(asked.request, unsupported=True)
    assert failed == DeliveryFailed("t", 0, 1, ErrorCode.UNSUPPORTED_VERSION, "connection lost")


def test_a_producer_id_that_is_not_ready_yet_is_asked_for_again() -> None:
    it = Harness([1])
    it.append(b"a")
    it.producer.flush()
    (asked,) = it.tick()
    busy = InitProducerIdResponse(error_code=ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
    assert it.answer(asked.request, busy) == []
    assert it.tick(50) == []
    (again,) = it.tick(50)
    (sent,) = it.answer(again.request, InitProducerIdResponse(producer_id=5, producer_epoch=0))
    assert sequence(sent) == (5, 0)


def test_a_partition_without_a_leader_waits_and_then_expires() -> None:
    it = Harness([-1], acks=1, delivery_timeout_ms=1000)
    it.append(b"a")
    it.producer.flush()
    (asked,) = it.tick()
    assert asked.request.api_key == ApiKey.METADATA
    it.answer(asked.request, described([-1]))
    (failed,) = [effect for effect in it.tick(1000) if isinstance(effect, DeliveryFailed)]
    assert failed.reason == "not delivered within 1000 ms: it has no leader"
    assert it.producer.idle


def test_an_answer_that_leaves_a_partition_out_is_retried() -> None:
    it = Harness([1], acks=1)
    it.append(b"a")
    it.producer.flush()
    (first,) = it.tick()
    (asked,) = it.answer(first.request, ProduceResponse())
    it.answer(asked.request, described([1]))
    (again,) = it.tick(100)
    assert batches(again) == {0: [b"a"]}


def test_batches_of_a_transaction_carry_its_producer_and_ask_for_no_other() -> None:
    it = Harness([1], transaction=TransactionalProducer("import", 500, 3))
    it.append(b"a", b"b")
    it.producer.flush()
    (sent,) = it.tick()
    message = sent.request.message
    assert (message.transactional_id, message.acks) == ("import", -1)
    assert sent.request.max_version == 11, "its partitions were added by hand"
    header = read_header(message.topic_data[0].partition_data[0].records)
    assert header.is_transactional
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (500, 3, 0)
    it.append(b"c")
    (failed,) = it.answer(sent.request, produced(ErrorCode.INVALID_PRODUCER_EPOCH))
    assert isinstance(failed, DeliveryFailed)
    it.producer.flush()
    assert it.tick() == [], "a producer that was shut out sends nothing more, and gets no new id"


def test_where_producing_adds_partitions_the_newest_version_is_asked_for() -> None:
    it = Harness([1], transaction=TransactionalProducer("import", 500, 3, adds_by_producing=True))
    it.append(b"a")
    it.producer.flush()
    (sent,) = it.tick()
    assert sent.request.max_version is None
    assert sent.request.message.transactional_id == "import"


def built(*values: bytes) -> bytes:
    builder = BatchBuilder()
    for value in values:
        builder.append(timestamp=5, value=value)
    return builder.build()


def test_built_batches_leave_at_once_in_order_under_the_producer_of_the_rest() -> None:
    it = Harness([1], linger_ms=10_000)
    it.append(b"gathered")
    it.producer.append_batch("t", 0, built(b"a", b"b"), 2, now_ms=it.now)
    it.producer.append_batch("t", 0, built(b"c"), 1, now_ms=it.now)
    found = []
    (effect,) = it.start()
    for _ in range(2):
        found.append((batches(effect)[0], sequence(effect)))
        delivered, effect = it.answer(effect.request, produced())
        assert isinstance(delivered, Delivered)
    found.append((batches(effect)[0], sequence(effect)))
    assert found == [([b"gathered"], (77, 0)), ([b"a", b"b"], (77, 1)), ([b"c"], (77, 3))]
    assert it.answer(effect.request, produced()) == [Delivered("t", 0, 10, 1)]
    assert it.producer.idle
    assert it.producer.buffered_bytes == 0
