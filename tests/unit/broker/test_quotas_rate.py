"""How rates are measured: Kafka's samples and tokens."""

from __future__ import annotations

import pytest

from riverlog.base import broker_configs
from riverlog.base.config import BrokerConfig
from riverlog.broker.quotas import Meter
from riverlog.broker.quotas_connections import ConnectionRates
from riverlog.broker.quotas_rate import Rate, TokenBucket
from riverlog.sim.clock import Scheduler, SimClock


def test_new_client_may_burst_for_all_samples_but_one() -> None:
    rate = Rate(11, 1)
    rate.record(1000, 100.0)
    assert rate.excess_seconds(100, 100.0) == 0
    rate.record(1, 100.0)
    assert rate.excess_seconds(100, 100.0) == pytest.approx(0.01)


def test_wait_brings_the_average_back_to_the_limit() -> None:
    rate = Rate(11, 1)
    rate.record(5000, 100.0)
    wait = rate.excess_seconds(100, 100.0)
    assert wait == pytest.approx(40)
    # Kafka forgets a sample after 11 s, so waiting less is enough here.
    assert rate.excess_seconds(100, 110.9) == pytest.approx(39.1)
    assert rate.excess_seconds(100, 111.0) == 0


def test_samples_roll_and_old_ones_are_forgotten() -> None:
    rate = Rate(3, 2)
    for second in range(20):
        rate.record(10, float(second))
    # What was used within the last 6 s counts, in samples of 2 s.
    assert rate.total(19.0) == 60
    assert rate.total(23.5) == 20
    assert not rate.is_idle(24.9)
    assert rate.is_idle(25.0)
    assert rate.total(25.0) == 0


def test_steady_client_at_its_limit_never_waits() -> None:
    rate = Rate(11, 1)
    for step in range(2000):
        now = step * 0.05
        rate.record(50, now)
        assert rate.excess_seconds(1000, now) <= 0.06


def test_what_is_held_back_is_not_counted() -> None:
    meter = Meter(Rate(11, 1), 100)
    assert meter.try_spend(900, 1.0) == 0
    assert meter.try_spend(200, 1.0) == pytest.approx(1.0)
    assert meter.rate.total(1.0) == 900
    assert meter.try_spend(100, 1.0) == 0


def test_more_than_a_window_passes_into_an_empty_one_only() -> None:
    meter = Meter(Rate(11, 1), 100)
    assert meter.try_spend(1_000_000, 1.0) == 0
    assert meter.try_spend(1, 1.5) > 0
    assert meter.try_spend(1_000_000, 12.5) == 0


def test_tokens_come_back_at_the_limit() -> None:
    bucket = TokenBucket(10, 1)
    bucket.record(25, 2.0, 100.0)
    assert bucket.excess_seconds(2.0, 100.0) == pytest.approx(2.5)
    assert bucket.excess_seconds(2.0, 101.0) == pytest.approx(1.5)
    assert bucket.excess_seconds(2.0, 102.5) == 0
    # Never more than a whole window of them, however long it was idle.
    bucket.record(21, 2.0, 10_000.0)
    assert bucket.excess_seconds(2.0, 10_000.0) == pytest.approx(0.5)


class Door:
    """Connection rates on a clock that the test moves."""

    def __init__(self, **static: str) -> None:
        self.scheduler = Scheduler()
        self.config = BrokerConfig({name.replace("_", "."): value for name, value in static.items()})
        self.rates = ConnectionRates(SimClock(self.scheduler), self.config)

    def at(self, seconds: float) -> None:
        self.scheduler.now = seconds


def test_address_over_its_rate_is_refused_and_not_counted() -> None:
    door = Door()
    assert not door.rates.active
    door.rates.set_limits({"10.0.0.1": 2.0, None: 1.0})
    assert door.rates.active
    assert [door.rates.refusal_seconds("10.0.0.1") for _ in range(20)] == [0.0] * 20
    for _ in range(5):
        # Kafka's bound: no longer than one sample at a time.
        assert door.rates.refusal_seconds("10.0.0.1") == pytest.approx(0.5)
    assert [door.rates.refusal_seconds("10.0.0.2") > 0 for _ in range(11)] == [False] * 10 + [True]
    door.at(11.0)
    assert door.rates.refusal_seconds("10.0.0.1") == 0


def test_address_is_the_same_however_it_is_written() -> None:
    door = Door()
    door.rates.set_limits({"::ffff:10.0.0.1": 1.0, "2001:DB8::0:1": 1.0})
    assert [door.rates.refusal_seconds("10.0.0.1") > 0 for _ in range(11)][-1]
    assert [door.rates.refusal_seconds("2001:db8::1") > 0 for _ in range(11)][-1]
    assert not any(door.rates.refusal_seconds("10.0.0.9") for _ in range(30))


def test_all_connections_together_pause_the_door() -> None:
    door = Door(max_connection_creation_rate="5")
    assert door.rates.active
    assert not any(door.rates.pause_seconds() for _ in range(50))
    assert door.rates.pause_seconds() == pytest.approx(0.2)
    # A setting of nothing still lets one in a second.
    door.config.set_dynamic(default={broker_configs.MAX_CONNECTION_CREATION_RATE.name: "0"}, broker={})
    door.rates.load_config()
    door.at(100.0)
    assert door.rates.pause_seconds() == 1.0


def test_setting_taken_back_opens_the_door() -> None:
    door = Door()
    name = broker_configs.MAX_CONNECTION_CREATION_RATE.name
    door.config.set_dynamic(default={name: "1"}, broker={})
    door.rates.load_config()
    assert door.rates.active
    door.config.set_dynamic(default={}, broker={})
    door.rates.load_config()
    assert not door.rates.active
    assert not any(door.rates.pause_seconds() for _ in range(100))
