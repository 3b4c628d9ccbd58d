"""kill -9 in the middle of load: every acknowledged record is there, in order, once."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest
from e2ekit.ledger import Ledger
from e2ekit.raw import Raw, batch, create_topic, leader_epochs, new_producer, produce
from e2ekit.targets import MakeBroker

from bench.brokers import Broker

KILLS, KILLS_SOAK = 5, 50
PARTITIONS = 4
Config = Mapping[str, bool | int]
IDEMPOTENT = {"enable.idempotence": True}
# Without retries a record that got no answer is not sent again: what is there is there once. With
# one request in flight librdkafka keeps the order of what it had not sent yet.
PLAIN = {"acks": 1, "message.send.max.retries": 0, "max.in.flight": 1}
ALL = {**PLAIN, "acks": -1}


def load_with_kills(broker: Broker, ledger: Ledger, kills: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(kills):
        goal = ledger.acknowledged + rng.randrange(500, 8_000)
        ledger.send_until_acknowledged(goal)
        broker.kill()
        broker.start()
    ledger.send_until_acknowledged(ledger.acknowledged + 1_000)
    ledger.finish()


def run(make_broker: MakeBroker, config: Config, kills: int, seed: int, **topic: str) -> Ledger:
    broker = make_broker()
    broker.start()
    with Raw(broker.bootstrap) as raw:
        create_topic(raw, "load", partitions=PARTITIONS, **topic)
    ledger = Ledger(broker.bootstrap, "load", PARTITIONS, **config)
    load_with_kills(broker, ledger, kills, seed)
    ledger.check(broker.bootstrap)
    return ledger


@pytest.mark.timeout(300)
def test_idempotent_producer_survives_kills_without_loss_or_duplicate(make_broker: MakeBroker) -> None:
    ledger = run(make_broker, IDEMPOTENT, KILLS, seed=1)
    assert not ledger.errors, "an idempotent producer retries until it succeeds"
    assert ledger.acknowledged == sum(partition.sent for partition in ledger.partitions)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("config", [PLAIN, ALL], ids=["acks=1", "acks=all"])
def test_plain_producer_loses_no_acknowledged_record_to_kills(
    make_broker: MakeBroker, config: Config
) -> None:
    run(make_broker, config, KILLS, seed=2)


@pytest.mark.timeout(300)
def test_kills_spare_the_page_cache_so_acks_1_survives_without_fsync(
    make_broker: MakeBroker, ours: None
) -> None:
    run(make_broker, PLAIN, 2, seed=3, ack_after_fsync="false")


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("config", [IDEMPOTENT, PLAIN], ids=["idempotent", "acks=1"])
def test_soak_many_kills(make_broker: MakeBroker, config: Config) -> None:
    run(make_broker, config, KILLS_SOAK, seed=4)


def test_a_killed_broker_leads_in_a_new_leader_epoch(make_broker: MakeBroker) -> None:
    """RULES: watermark 6."""
    broker = make_broker()
    broker.start()
    with Raw(broker.bootstrap) as raw:
        create_topic(raw, "epochs", partitions=2)
        first = leader_epochs(raw, "epochs")
    broker.stop()
    broker.start()
    with Raw(broker.bootstrap) as raw:
        after_stop = leader_epochs(raw, "epochs")
    broker.kill()
    broker.start()
    with Raw(broker.bootstrap) as raw:
        after_kill = leader_epochs(raw, "epochs")
    for epochs in zip(first, after_stop, after_kill, strict=True):
        assert epochs[0] <= epochs[1] < epochs[2], epochs


def test_committed_sequence_is_remembered_across_a_kill(make_broker: MakeBroker) -> None:
    """A retry of a batch acknowledged before the kill is a duplicate after it."""
    broker = make_broker()
    broker.start()
    with Raw(broker.bootstrap) as raw:
        create_topic(raw, "sequence")
        producer_id, epoch = new_producer(raw)
        records = batch([b"once"] * 3, producer_id=producer_id, producer_epoch=epoch, base_sequence=0)
        first = produce(raw, "sequence", records)
    broker.kill()
    broker.start()
    with Raw(broker.bootstrap) as raw:
        again = produce(raw, "sequence", records)
        after = produce(
            raw, "sequence", batch([b"next"], producer_id=producer_id, producer_epoch=epoch, base_sequence=3)
        )
        new_id, _ = new_producer(raw)
    assert (first.error_code, again.error_code, after.error_code) == (0, 0, 0)
    assert (first.base_offset, again.base_offset, after.base_offset) == (0, 0, 3)
    assert new_id > producer_id
