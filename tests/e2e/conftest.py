"""Brokers in real processes for the end-to-end tests.

``RIVERLOG_E2E_TARGET=kafka`` runs what applies against Apache Kafka: that is how we know that the
tests ask for what Kafka does. Tests of our own promises are marked ``ours`` and skipped then.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import pytest
from e2ekit.raw import Raw

from bench.brokers import Broker, Kafka, Riverlog, port_is_free
from bench.jars import KafkaUnavailable, kafka_libs

TARGET = os.environ.get("RIVERLOG_E2E_TARGET", "riverlog")
HERE = Path(__file__).parent
# Outside the range of ports the kernel gives to clients: a client that knocks while the broker is
# down must not be handed that very port.
_PORTS = range(19430, 19500, 2)
_turns = cycle(_PORTS)
_KAFKA_JVM = "-Xmx512m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

MakeBroker = Callable[..., Broker]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.e2e)


def free_port() -> int:
    """A port nobody listens on, with the one above it free too (Kafka's controller)."""
    for port, _ in zip(_turns, _PORTS, strict=False):
        if port_is_free(port) and port_is_free(port + 1):
            return port
    raise AssertionError(f"no free port from {_PORTS.start} to {_PORTS.stop}")


@pytest.fixture
def ours() -> None:
    """For tests of what only riverlog promises."""
    if TARGET != "riverlog":
        pytest.skip("a promise of riverlog's, not of Kafka's")


def new_broker(folder: Path, settings: dict[str, str]) -> Broker:
    if TARGET == "riverlog":
        return Riverlog(folder, free_port(), settings)
    try:
        return Kafka(folder, free_port(), kafka_libs(), settings, jvm=_KAFKA_JVM)
    except KafkaUnavailable as missing:
        pytest.skip(str(missing))


@pytest.fixture
def make_broker(tmp_path: Path) -> Iterator[MakeBroker]:
    """Makes brokers on folders of their own, not started; what still runs at the end is killed."""
    made: list[Broker] = []

    def make(name: str = "broker", **settings: str) -> Broker:
        broker = new_broker(tmp_path / name, {key.replace("_", "."): text for key, text in settings.items()})
        made.append(broker)
        return broker

    yield make
    for broker in made:
        broker.kill()


@pytest.fixture(scope="module")
def shared_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """One running broker for all tests of a file that leave it unharmed."""
    broker = new_broker(tmp_path_factory.mktemp("shared"), {})
    broker.start()
    yield broker
    broker.kill()


@pytest.fixture
def raw(shared_broker: Broker) -> Iterator[Raw]:
    with Raw(shared_broker.bootstrap) as connection:
        yield connection
