"""Produce with a transactional id, on one node: what is verified, in which order, and what is refused."""

from __future__ import annotations

from copy import copy

import pytest
from broker_world import Client, World, batch
from txn_world import (
    VERSION_1,
    VERSION_2,
    TxnProducer,
    error_codes,
    led,
    marker_request,
    markers,
    replies,
    txn_batch,
    txn_request,
)

from riverlog.base.errors import ErrorCode
from riverlog.broker.txn_produce import HELD_OVERHEAD_BYTES, Lines
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import encode_request


def world_with(name: str = "t", partitions: int = 2, **static: str) -> World:
    world = World(**static)
    world.client().create(name, partitions)
    return world


def produce(client: Client, request: object, version: int = VERSION_2) -> list[int]:
    return error_codes(client.call(ApiKey.PRODUCE, version, request))


def test_from_version_12_on_the_broker_adds_partitions_and_markers_end_the_transaction() -> None:
    world = world_with()
    producer = TxnProducer(world)
    producer.init()
    assert producer.send("t", 0) == 0
    assert producer.send("t", 1) == 0
    assert producer.send("t", 0) == 1
    assert led(world.broker, "t").log.last_stable_offset == 0
    producer.end()
    assert world.run_until(lambda: led(world.broker, "t").log.last_stable_offset == 3)
    assert world.run_until(lambda: led(world.broker, "t", 1).log.last_stable_offset == 2)
    assert markers(led(world.broker, "t")) == [True]
    assert world.broker.txn_markers.pending == 0


def test_a_producer_that_goes_on_at_once_does_not_have_to_try_again() -> None:
    world = world_with()
    producer = TxnProducer(world)
    producer.init()
    client = world.client()
    for number in range(5):
        assert produce(client, producer.request("t")) == [0], number
        producer.end(commit=number % 2 == 0)
    assert world.run_until(lambda: markers(led(world.broker, "t")) == [True, False, True, False, True])


def test_a_client_of_version_1_that_goes_on_at_once_does_not_have_to_try_again() -> None:
    world = world_with()
    producer = TxnProducer(world, version=VERSION_1)
    producer.init()
    for _ in range(3):
        assert set(producer.add_once(("t", 0))) == {0}
        producer.send("t")
        producer.end()
    assert world.run_until(lambda: markers(led(world.broker, "t")) == [True] * 3)


@pytest.mark.parametrize(
    ("version", "error"), [(9, ErrorCode.INVALID_TXN_STATE), (11, ErrorCode.TRANSACTION_ABORTABLE)]
)
def test_before_version_12_a_partition_that_was_not_added_is_refused(version: int, error: ErrorCode) -> None:
    world = world_with()
    producer = TxnProducer(world, version=version)
    producer.init()
    client = world.client()
    request = producer.request("t")
    assert produce(client, request, version) == [error]
    producer.add(("t", 0))
    assert produce(client, request, version) == [0]
    assert led(world.broker, "t").log.log_end_offset == 1


def test_verification_can_be_turned_off() -> None:
    world = world_with(transaction_partition_verification_enable="false")
    producer = TxnProducer(world, version=VERSION_1)
    producer.init()
    assert produce(world.client(), producer.request("t"), VERSION_1) == [0]


def test_records_outlive_the_frame_they_came_in() -> None:
    world = world_with()
    producer = TxnProducer(world)
    producer.init()
    client = world.client()
    request = producer.request("t", 0, b"kept")
    frame = bytearray(encode_request(ApiKey.PRODUCE, VERSION_2, 1, "test", request))
    client.session.on_frame(memoryview(frame)[4:])
    assert not client.frames, "adding the partition has to wait for the disk"
    frame[:] = bytes(len(frame))
    assert world.run_until(lambda: bool(client.frames))
    assert error_codes(replies(client, ApiKey.PRODUCE, VERSION_2)[0]) == [0]
    got = world.client().fetch("t", 0)
    assert b"kept" in bytes(got.records)


def test_batches_behind_one_that_waits_keep_their_order() -> None:
    world = world_with()
    producer = TxnProducer(world)
    producer.init()
    client = world.client()
    for number in range(4):
        client.post(ApiKey.PRODUCE, VERSION_2, producer.request("t", 0, b"%d" % number))
    assert not client.frames
    assert world.run_until(lambda: len(client.frames) == 4)
    answers = replies(client, ApiKey.PRODUCE, VERSION_2)
    assert [error_codes(one) for one in answers] == [[0]] * 4
    assert [one.responses[0].partition_responses[0].base_offset for one in answers] == [0, 1, 2, 3]


def test_no_more_bytes_wait_than_may_and_none_overtakes() -> None:
    world = world_with()
    producer = TxnProducer(world)
    producer.init()
    client = world.client()
    requests = [producer.request("t", 0, b"x" * 100) for _ in range(3)]
    size = len(requests[0].topic_data[0].partition_data[0].records)
    world.broker.txn_verification.lines = Lines(held_bytes_max=size + HELD_OVERHEAD_BYTES)
    for request in requests:
        client.post(ApiKey.PRODUCE, VERSION_2, request)
    assert world.run_until(lambda: len(client.frames) == 3)
    few = ErrorCode.NOT_ENOUGH_REPLICAS
    assert [error_codes(one) for one in replies(client, ApiKey.PRODUCE, VERSION_2)] == [[0], [few], [few]]
    out_of_order = ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert [produce(client, requests[number]) for number in (2, 1, 2)] == [[out_of_order], [0], [0]]
    producer.end()
    world.run_until(lambda: world.broker.txn_markers.pending == 0)
    assert produce(client, producer.request("t", 0, b"x" * 100)) == [0], "what was held was given back"


def test_small_batches_are_counted_with_all_they_cost() -> None:
    """Nothing else bounds those that nobody waits for an answer to (INVARIANTS 26)."""
    world = world_with()
    producer = TxnProducer(world)
    producer.init()
    world.broker.txn_verification.lines = Lines(held_bytes_max=100_000)
    client = world.client()
    sent = 0
    while not client.closed and sent < 100:
        client.post(ApiKey.PRODUCE, VERSION_2, producer.request("t", acks=0))
        sent += 1
    assert client.closed, "one too many"


def test_what_needs_no_verification_does_not_wait_for_what_does() -> None:
    world = world_with()
    producer = TxnProducer(world)
    producer.init()
    client = world.client()
    records = {("t", 0): producer.batch("t"), ("t", 1): batch(b"plain")}
    client.post(ApiKey.PRODUCE, VERSION_2, txn_request(producer.name, records, acks=1))
    assert led(world.broker, "t", 1).log.log_end_offset == 1
    assert led(world.broker, "t", 0).log.log_end_offset == 0
    assert world.run_until(lambda: bool(client.frames))
    assert error_codes(replies(client, ApiKey.PRODUCE, VERSION_2)[0]) == [0, 0]
    assert led(world.broker, "t", 0).log.log_end_offset == 1


def test_a_batch_whose_leader_goes_while_another_is_verified_is_not_acknowledged() -> None:
    """What the next leader puts in its place would be taken for it (INVARIANTS 1)."""
    world = world_with()
    producer = TxnProducer(world)
    producer.init()
    producer.send("t", 0)
    client = world.client()
    records = {("t", 0): producer.batch("t", 0), ("t", 1): producer.batch("t", 1)}
    client.post(ApiKey.PRODUCE, VERSION_2, txn_request(producer.name, records))
    partition = led(world.broker, "t", 0)
    state = copy(world.broker.metadata.image.topics["t"].partitions[0])
    state.leader, state.leader_epoch = 2, state.leader_epoch + 1
    partition.become_follower(state)
    partition.high_watermark = partition.log.log_end_offset
    assert world.run_until(lambda: bool(client.frames))
    codes = error_codes(replies(client, ApiKey.PRODUCE, VERSION_2)[0])
    assert codes == [ErrorCode.NOT_LEADER_OR_FOLLOWER, 0]


def test_two_producers_in_one_request_are_refused_as_a_whole() -> None:
    world = world_with()
    producer = TxnProducer(world)
    producer.init()
    records = {
        ("t", 0): producer.batch("t"),
        ("t", 1): txn_batch(b"other", producer=(producer.producer[0] + 1, 0), sequence=0),
    }
    error = ErrorCode.INVALID_PRODUCER_ID_MAPPING
    assert produce(world.client(), txn_request(producer.name, records)) == [error, error]
    assert led(world.broker, "t").log.log_end_offset == 0


def test_transactional_records_need_a_transactional_id_and_a_producer_id() -> None:
    world = world_with()
    producer = TxnProducer(world)
    producer.init()
    request = txn_request(None, {("t", 0): producer.batch("t")})
    assert produce(world.client(), request) == [ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED]
    request = txn_request("tx", {("t", 0): txn_batch(b"v", producer=(-1, -1), sequence=-1)})
    assert produce(world.client(), request) == [ErrorCode.INVALID_RECORD]


def test_an_id_that_nobody_took_is_refused() -> None:
    world = world_with()
    TxnProducer(world).init()
    request = txn_request("stranger", {("t", 0): txn_batch(b"v", producer=(4711, 0), sequence=0)})
    assert produce(world.client(), request) == [ErrorCode.INVALID_PRODUCER_ID_MAPPING]


def test_without_a_coordinator_the_client_is_told_to_come_again_and_nothing_overtakes() -> None:
    world = world_with()
    first = txn_batch(b"0", producer=(7, 0), sequence=0)
    second = txn_batch(b"1", producer=(7, 0), sequence=1)
    client = world.client()
    assert produce(client, txn_request("tx", {("t", 0): first})) == [ErrorCode.NOT_ENOUGH_REPLICAS]
    assert produce(client, txn_request("tx", {("t", 0): second})) == [ErrorCode.NOT_ENOUGH_REPLICAS]
    assert led(world.broker, "t").log.log_end_offset == 0


def test_with_acks_0_a_refusal_that_comes_late_closes_the_connection() -> None:
    world = world_with()
    producer = TxnProducer(world)
    producer.init()
    client = world.client()
    client.post(ApiKey.PRODUCE, VERSION_2, producer.request("t", acks=0))
    assert world.run_until(lambda: led(world.broker, "t").log.log_end_offset == 1)
    assert client.closed is None
    stale = txn_batch(b"v", producer=(producer.producer[0], producer.producer[1] + 1), sequence=0)
    client.post(ApiKey.PRODUCE, VERSION_2, txn_request("tx", {("t", 1): stale}, acks=0))
    assert world.run_until(lambda: client.closed is not None)
    assert not client.frames


def test_a_late_produce_of_an_ended_transaction_is_refused() -> None:
    """INVARIANTS 13, version 2: the epoch is another one."""
    world = world_with()
    producer = TxnProducer(world)
    producer.init()
    producer.send("t")
    late = txn_request("tx", {("t", 0): producer.batch("t"), ("t", 1): producer.batch("t", 1)})
    producer.end()
    fenced = ErrorCode.INVALID_PRODUCER_EPOCH
    assert produce(world.client(), late) == [fenced, fenced]
    assert world.run_until(lambda: led(world.broker, "t").log.last_stable_offset == 2)
    assert led(world.broker, "t", 1).log.log_end_offset == 0


def test_a_marker_that_comes_while_the_coordinator_is_asked_takes_the_batch_with_it() -> None:
    """INVARIANTS 13: else the batch would begin a transaction that nobody ends."""
    world = world_with()
    producer = TxnProducer(world)
    producer.init()
    client = world.client()
    client.post(ApiKey.PRODUCE, VERSION_2, producer.request("t"))
    assert not client.frames
    aborted = marker_request((producer.producer[0], producer.producer[1] + 1), ("t", 0), commit=False)
    world.client().post(ApiKey.WRITE_TXN_MARKERS, 2, aborted)
    assert world.run_until(lambda: bool(client.frames))
    code = error_codes(replies(client, ApiKey.PRODUCE, VERSION_2)[0])
    assert code in ([ErrorCode.INVALID_TXN_STATE], [ErrorCode.INVALID_PRODUCER_EPOCH])
    assert led(world.broker, "t").log.last_stable_offset == led(world.broker, "t").high_watermark


def test_a_partition_named_twice_is_written_once() -> None:
    world = world_with()
    producer = TxnProducer(world)
    producer.init()
    request = producer.request("t")
    request.topic_data.append(request.topic_data[0])
    assert produce(world.client(), request) == [0, ErrorCode.INVALID_REQUEST]
    assert led(world.broker, "t").log.log_end_offset == 1


def test_a_retry_is_recognised_while_and_after_the_transaction() -> None:
    world = world_with()
    producer = TxnProducer(world)
    producer.init()
    request = producer.request("t")
    client = world.client()
    for _ in range(2):
        client.post(ApiKey.PRODUCE, VERSION_2, request)  # the second stands in line behind the first
    assert world.run_until(lambda: len(client.frames) == 2)
    assert [error_codes(one) for one in replies(client, ApiKey.PRODUCE, VERSION_2)] == [[0], [0]]
    assert produce(world.client(), request) == [0]
    assert led(world.broker, "t").log.log_end_offset == 1
