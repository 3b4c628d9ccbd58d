"""Brokers in real processes for the end-to-end tests.

``RIVERLOG_E2E_TARGET=kafka`` runs what applies against Apache Kafka: that is how we know that the
tests ask for what Kafka does. Tests that take ``ours`` check our own promises and are skipped then.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from e2ekit.raw import Raw
from e2ekit.targets import TARGET, MakeBroker, new_broker

from bench.brokers import Broker

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.e2e)


@pytest.fixture
def ours() -> None:
    """For tests of what only riverlog promises."""
    if TARGET != "riverlog":
        pytest.skip("a promise of riverlog's, not of Kafka's")


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
