"""One broker for all client tests, and the foreign tools they share.

``RIVERLOG_CONFORMANCE_TARGET=kafka`` runs the same tests against Apache Kafka: that is how we know
that the tests themselves are right.
"""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from pathlib import Path

import pytest
from clientkit import rdkafka
from clientkit.clusters import SETTINGS, Cluster, KafkaCluster, RiverlogCluster
from clientkit.java import JavaTools
from clientkit.paths import Unavailable
from clientkit.samples import Sample
from clientkit.servers import Kafka, Riverlog, Server

TARGET = os.environ.get("RIVERLOG_CONFORMANCE_TARGET", "riverlog")
HERE = Path(__file__).parent
# A group forms at once and a dead member is noticed within seconds; the defaults wait much longer.
QUICK_GROUPS = {
    "group.initial.rebalance.delay.ms": "100",
    "group.min.session.timeout.ms": "1000",
    "group.consumer.min.session.timeout.ms": "1000",
    "group.consumer.session.timeout.ms": "3000",
    "group.consumer.min.heartbeat.interval.ms": "100",
    "group.consumer.heartbeat.interval.ms": "300",
    "group.consumer.assignment.interval.ms": "0",
}
# A transaction whose time is over is aborted at once; the default looks every ten seconds.
QUICK_TXNS = {
    "transaction.abort.timed.out.transaction.cleanup.interval.ms": "200",
    "transaction.state.log.num.partitions": "3",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.conformance)
            item.add_marker(pytest.mark.timeout(900))  # the first run fetches tools


def random_id() -> str:
    """A Kafka id as text; some tools take a leading dash for an option."""
    while True:
        text = base64.urlsafe_b64encode(os.urandom(16)).decode().rstrip("=")
        if not text.startswith("-"):
            return text


@pytest.fixture(scope="session")
def target_name() -> str:
    return TARGET


@pytest.fixture(scope="session")
def java_tools() -> Iterator[JavaTools]:
    try:
        tools = JavaTools()
    except Unavailable as missing:
        pytest.skip(str(missing))
    yield tools
    tools.close()


@pytest.fixture(scope="session")
def make_kafka(request: pytest.FixtureRequest) -> Callable[..., Kafka]:
    """Format a folder and give the Apache Kafka on it, not started."""

    def make(
        data_dir: Path,
        settings: dict[str, str] | None = None,
        *,
        form: str = "standalone",
        release: str | None = None,
    ) -> Kafka:
        tools = request.getfixturevalue("java_tools")
        kafka = Kafka(data_dir, settings, form=form)
        return kafka.format(tools, cluster_id=random_id(), directory_id=random_id(), release=release)

    return make


@pytest.fixture(scope="session")
def make_target(make_kafka: Callable[..., Kafka]) -> Iterator[Callable[..., Server]]:
    """Give the server under test on a fresh folder, not started; what still runs at the end is stopped."""
    made: list[Server] = []

    def make(data_dir: Path, settings: dict[str, str] | None = None) -> Server:
        server = make_kafka(data_dir, settings) if TARGET == "kafka" else Riverlog(data_dir, settings)
        made.append(server)
        return server

    yield make
    for server in made:
        server.kill()


@pytest.fixture(scope="session")
def target(make_target: Callable[..., Server], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The one running broker that all clients talk to."""
    server = make_target(tmp_path_factory.mktemp("target") / "data", {**QUICK_GROUPS, **QUICK_TXNS}).start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def run_cluster(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., AbstractContextManager[Cluster]]:
    """A running cluster of three nodes, for as long as its ``with`` block."""

    @contextmanager
    def run(settings: dict[str, str] | None = None) -> Iterator[Cluster]:
        folder = tmp_path_factory.mktemp("cluster")
        both = {**SETTINGS, **QUICK_GROUPS, **QUICK_TXNS, **(settings or {})}
        three: Cluster
        if TARGET == "kafka":
            three = KafkaCluster(folder, both, request.getfixturevalue("java_tools"), random_id)
        else:
            three = RiverlogCluster(folder, both)
        with three:
            yield three

    return run


@pytest.fixture
def bootstrap(target: Server) -> str:
    return target.bootstrap


_numbers = count(1)


@pytest.fixture
def settle(bootstrap: str) -> Callable[[], None]:
    """Wait until reads show every acknowledged change. Riverlog needs no wait; Apache Kafka's broker
    learns of a change a moment after the controller has answered, in order: a new topic comes last."""

    def wait() -> None:
        if TARGET != "kafka":
            return
        name = f"settled-{next(_numbers)}"
        rdkafka.create_topic(bootstrap, name)
        deadline = time.monotonic() + rdkafka.WAIT_SECONDS
        while name not in rdkafka.admin(bootstrap).list_topics(timeout=rdkafka.WAIT_SECONDS).topics:
            assert time.monotonic() < deadline

    return wait


@pytest.fixture
def topic(request: pytest.FixtureRequest) -> str:
    """A topic name nobody else uses; the test creates it."""
    return f"conf-{next(_numbers)}-{request.node.originalname[5:45].replace('_', '-')}"


@pytest.fixture(scope="session")
def mixed_topic(target: Server) -> tuple[str, list[Sample]]:
    """A topic with batches of all codecs, written by librdkafka, for every client to read."""
    name = "conf-mixed-codecs"
    rdkafka.create_topic(target.bootstrap, name)
    return name, rdkafka.write_mixed(target.bootstrap, name)
