"""Limits on connections and memory: a bad or slow client only hurts itself."""

from __future__ import annotations

import os
import struct
import time
from contextlib import ExitStack

from e2ekit.raw import (
    FETCH_VERSION,
    PRODUCE_VERSION,
    Closed,
    Raw,
    batch,
    create_topic,
    fetch,
    fetch_request,
    metadata,
    produce,
    produce_request,
)
from e2ekit.targets import MakeBroker
from e2ekit.waiting import wait_until

from bench.brokers import Broker, rss_bytes
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_response, encode_request
from riverlog.protocol.generated.metadata_request import MetadataRequest

MB = 1 << 20


def serves(raw: Raw, seconds: float = 5.0) -> bool:
    """Whether this connection gets an answer."""
    raw.send(encode_request(ApiKey.METADATA, 9, 1, None, MetadataRequest(topics=[])))
    try:
        raw.read_frame(seconds)
    except (Closed, TimeoutError):
        return False
    return True


def fresh_connection_serves(broker: Broker) -> bool:
    with Raw(broker.bootstrap) as raw:
        return serves(raw, 1.0)


def test_max_connections_per_ip_closes_one_too_many(make_broker: MakeBroker) -> None:
    broker = make_broker(max_connections_per_ip="5")
    broker.start()
    with ExitStack() as stack:
        kept = [stack.enter_context(Raw(broker.bootstrap)) for _ in range(4)]
        # The connection that asked whether the broker is up may still be counted.
        wait_until(lambda: all(serves(raw) for raw in kept), 10, "four connections")
        kept.append(stack.enter_context(Raw(broker.bootstrap)))
        assert serves(kept[-1])
        with Raw(broker.bootstrap) as one_too_many:
            assert one_too_many.is_closed(5.0)
        assert all(serves(raw) for raw in kept), "the others are not touched"
        kept.pop().close()
        wait_until(lambda: fresh_connection_serves(broker), 10, "a place is free again")


def test_max_connections_lets_the_next_one_in_when_one_goes(make_broker: MakeBroker) -> None:
    broker = make_broker(max_connections="3")
    broker.start()
    with ExitStack() as stack:
        kept = [stack.enter_context(Raw(broker.bootstrap)) for _ in range(3)]
        wait_until(lambda: all(serves(raw) for raw in kept), 10, "three connections")
        waiting = stack.enter_context(Raw(broker.bootstrap))
        assert not serves(waiting, 0.5)
        assert all(serves(raw) for raw in kept)
        kept.pop().close()
        wait_until(lambda: fresh_connection_serves(broker) or serves(waiting, 1.0), 10, "a place is free")


def test_an_idle_connection_is_closed_and_a_busy_one_is_not(make_broker: MakeBroker) -> None:
    broker = make_broker(connections_max_idle_ms="1500")
    broker.start()
    with Raw(broker.bootstrap) as idle, Raw(broker.bootstrap) as busy:
        assert serves(idle)
        began = time.monotonic()

        def closed() -> bool:
            assert serves(busy)
            return idle.is_closed(0.1)

        wait_until(closed, 20, "the idle connection is closed")
        assert time.monotonic() - began > 1.0, "not before its time"
        assert serves(busy)


def fill(broker: Broker, topic: str, megabytes: int) -> int:
    """So much data in batches of about a megabyte; answers the record count."""
    records = batch([os.urandom(1000)] * 900)
    with Raw(broker.bootstrap) as raw:
        create_topic(raw, topic)
        for _ in range(megabytes):
            assert produce(raw, topic, records).error_code == 0
    return megabytes * 900


def test_a_reader_that_does_not_read_only_slows_itself(make_broker: MakeBroker) -> None:
    broker = make_broker()
    broker.start()
    end = fill(broker, "bulk", 24)
    before = rss_bytes(broker.pid)
    with Raw(broker.bootstrap, receive_buffer=4096) as slow, Raw(broker.bootstrap) as other:
        asked = [
            slow.send_request(ApiKey.FETCH, FETCH_VERSION, fetch_request("bulk", 0, max_bytes=8 * MB))
            for _ in range(20)
        ]
        create_topic(other, "quick")
        began = time.monotonic()
        for number in range(200):
            assert produce(other, "quick", batch([b"x"])).base_offset == number
        assert fetch(other, "quick", 0).high_watermark == 200
        assert time.monotonic() - began < 10
        if broker.name == "riverlog":
            assert rss_bytes(broker.pid) - before < 64 * MB, "160 MB of answers are not held in memory"
        for correlation_id in asked:
            found, answer = decode_response(ApiKey.FETCH, FETCH_VERSION, memoryview(slow.read_frame(30)))
            assert found == correlation_id
            part = answer.responses[0].partitions[0]
            assert part.high_watermark == end
            assert 7 * MB < len(part.records) <= 8 * MB


def test_a_sender_that_never_reads_answers_is_bounded(make_broker: MakeBroker, ours: None) -> None:
    """Pipelined requests whose answers nobody takes: the broker stops reading from that client."""
    broker = make_broker()
    broker.start()
    with Raw(broker.bootstrap, receive_buffer=4096) as deaf, Raw(broker.bootstrap) as other:
        for number in range(300):
            create_topic(other, f"a-topic-with-a-rather-long-name-{number:04}")
        everything = encode_request(ApiKey.METADATA, 9, 1, None, MetadataRequest(topics=None))
        before = rss_bytes(broker.pid)
        sent = 0
        while sent < 40_000 and deaf.send_within(everything, 2.0):
            sent += 1
        assert serves(other)
        assert rss_bytes(broker.pid) - before < 64 * MB, f"after {sent} requests"


def test_half_sent_requests_hold_no_memory_and_nobody_up(make_broker: MakeBroker, ours: None) -> None:
    """Slow-loris: each connection promises 90 MB and sends a little of it."""
    broker = make_broker()
    broker.start()
    with Raw(broker.bootstrap) as raw:
        create_topic(raw, "calm")
    before = rss_bytes(broker.pid)
    with ExitStack() as stack:
        lorises = [stack.enter_context(Raw(broker.bootstrap)) for _ in range(100)]
        header = struct.pack(">hhih", ApiKey.PRODUCE, PRODUCE_VERSION, 1, -1)
        for loris in lorises:
            loris.send(struct.pack(">i", 90 * MB) + header)
        other = stack.enter_context(Raw(broker.bootstrap))
        for round_number in range(20):
            for loris in lorises:
                loris.send(b"\0" * 16)
            assert produce(other, "calm", batch([b"x"])).base_offset == round_number
        grown = rss_bytes(broker.pid) - before
        assert grown < 48 * MB, f"grew by {grown / MB:.0f} MB"
    assert fresh_connection_serves(broker)


def test_large_requests_of_many_clients_stay_within_the_bound(make_broker: MakeBroker, ours: None) -> None:
    """Forty clients with 20 MB each half sent: 800 MB promised, a part of it held."""
    broker = make_broker(queued_max_request_bytes=str(64 * MB))
    broker.start()
    before = rss_bytes(broker.pid)
    part = b"\0" * MB
    with ExitStack() as stack:
        clients = [stack.enter_context(Raw(broker.bootstrap)) for _ in range(40)]
        for client in clients:
            client.send(struct.pack(">i", 20 * MB))
        for client in clients:
            # The broker may stop reading before all is sent: that is the bound at work.
            all(client.send_within(part, 0.2) for _ in range(19))
        peak = rss_bytes(broker.pid) - before
        assert peak < 192 * MB, f"grew by {peak / MB:.0f} MB"
    wait_until(lambda: fresh_connection_serves(broker), 10, "served once the large ones are gone")


def test_a_batch_above_the_topics_limit_is_refused_and_the_connection_lives(make_broker: MakeBroker) -> None:
    broker = make_broker()
    broker.start()
    with Raw(broker.bootstrap) as raw:
        create_topic(raw, "small", max_message_bytes="2000")
        answer = produce(raw, "small", batch([b"x" * 3000]))
        assert answer.error_code == 10  # MESSAGE_TOO_LARGE
        assert produce(raw, "small", batch([b"x"])).base_offset == 0


def test_pipelined_requests_are_answered_in_order(make_broker: MakeBroker) -> None:
    """A parked produce or fetch holds back the answers behind it, not those of others."""
    broker = make_broker()
    broker.start()
    with Raw(broker.bootstrap) as raw:
        create_topic(raw, "order")
        wanted = []
        for number in range(50):
            put = produce_request("order", batch([b"%d" % number]), acks=-1 if number % 2 else 1)
            wanted.append((ApiKey.PRODUCE, raw.send_request(ApiKey.PRODUCE, PRODUCE_VERSION, put)))
            get = fetch_request("order", number + 1, max_wait_ms=20)  # nothing there yet: it waits
            wanted.append((ApiKey.FETCH, raw.send_request(ApiKey.FETCH, FETCH_VERSION, get)))
        for api_key, correlation_id in wanted:
            version = PRODUCE_VERSION if api_key == ApiKey.PRODUCE else FETCH_VERSION
            found, _ = decode_response(api_key, version, memoryview(raw.read_frame()))
            assert found == correlation_id
        assert metadata(raw, "order").topics[0].error_code == 0
