"""kafka-python as a group consumer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from clientkit import crew
from clientkit.lines import LineClient
from clientkit.servers import Server

KIND = "kafka_python"


@pytest.fixture(scope="module")
def host(target: Server) -> Iterator[LineClient]:
    client = crew.python_host(KIND, target.bootstrap)
    yield client
    client.close()


@pytest.mark.parametrize("assignor", ["range", "roundrobin", "sticky", "cooperative-sticky"])
def test_kafka_python_joins_scales_and_survives_a_crash(
    host: LineClient, bootstrap: str, topic: str, assignor: str
) -> None:
    crew.join_scale_and_crash(lambda: crew.python_host(KIND, bootstrap), host, bootstrap, topic, assignor)


@pytest.mark.parametrize("assignor", ["range", "cooperative-sticky"])
def test_kafka_python_static_members_restart_without_a_rebalance(
    host: LineClient, bootstrap: str, topic: str, assignor: str
) -> None:
    crew.static_rolling_restart(host, bootstrap, topic, assignor)


def test_kafka_python_hands_over_without_stopping_the_others(
    host: LineClient, bootstrap: str, topic: str
) -> None:
    crew.cooperative_handover(host, bootstrap, topic, "cooperative-sticky")
