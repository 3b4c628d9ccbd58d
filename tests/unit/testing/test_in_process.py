"""``riverlog.testing``: what its users rely on."""

from __future__ import annotations

import asyncio
import gc
import signal
from pathlib import Path

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from riverlog.testing import TestBroker, broker
from riverlog.testing.in_process import BrokerFailed


def produce(bootstrap: str, *values: str) -> None:
    producer = Producer({"bootstrap.servers": bootstrap})
    for value in values:
        producer.produce("t", value)
    assert producer.flush(20) == 0


def consume(bootstrap: str, count: int) -> list[str]:
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "unused", "enable.auto.commit": False})
    consumer.assign([TopicPartition("t", 0, 0)])
    try:
        return [message.value().decode() for message in consumer.consume(count, 20)]
    finally:
        consumer.close()


def test_two_lines_give_a_broker() -> None:
    with broker() as b:
        produce(b.bootstrap, "a", "b")
        assert consume(b.bootstrap, 2) == ["a", "b"]


def test_several_brokers_live_side_by_side() -> None:
    with broker() as one, broker() as two:
        assert one.bootstrap != two.bootstrap
        produce(one.bootstrap, "only here")
        produce(two.bootstrap, "only there")
        assert consume(two.bootstrap, 1) == ["only there"]


def test_nothing_global_is_touched() -> None:
    before = gc.get_threshold(), signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    with broker():
        during = gc.get_threshold(), signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    assert during == before


def test_the_folder_goes_with_the_broker_unless_it_is_yours(tmp_path: Path) -> None:
    with broker() as b:
        folder = Path(b.data_dir)
        assert folder.is_dir()
    assert not folder.exists()
    with broker(data_dir=tmp_path / "mine") as b:
        produce(b.bootstrap, "kept")
    with broker(data_dir=tmp_path / "mine") as b:
        assert consume(b.bootstrap, 1) == ["kept"]


def test_restart_keeps_what_was_written() -> None:
    with broker() as b:
        produce(b.bootstrap, "a")
        before = b.bootstrap
        b.restart()
        assert b.bootstrap == before
        assert consume(b.bootstrap, 1) == ["a"]


def test_a_process_can_be_killed() -> None:
    with broker(process=True) as b:
        produce(b.bootstrap, "a")
        b.kill()
        b.start()
        assert consume(b.bootstrap, 1) == ["a"]
        with broker() as other, pytest.raises(ValueError, match="process=True"):
            other.kill()


def test_async_with_works() -> None:
    async def scenario() -> list[str]:
        async with broker() as b:
            await asyncio.to_thread(produce, b.bootstrap, "a")
            return await asyncio.to_thread(consume, b.bootstrap, 1)

    assert asyncio.run(scenario()) == ["a"]


def test_a_start_that_fails_says_why() -> None:
    with (
        pytest.raises(BrokerFailed, match="NO_SUCH"),
        broker(
            {"listeners": "X://127.0.0.1:0", "listener.security.protocol.map": "X:NO_SUCH"},
            process=True,
        ),
    ):
        pass


def test_the_fixture_gives_a_broker(riverlog_broker: TestBroker) -> None:
    produce(riverlog_broker.bootstrap, "a")
    assert consume(riverlog_broker.bootstrap, 1) == ["a"]
