"""confluent-kafka as a group consumer, in the classic protocol and in that of KIP-848."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from clientkit import crew
from clientkit.lines import LineClient
from clientkit.servers import Server

ASSIGNORS = ["range", "roundrobin", "cooperative-sticky", "consumer"]


@pytest.fixture(scope="module")
def host(target: Server) -> Iterator[LineClient]:
    client = crew.python_host("librdkafka", target.bootstrap)
    yield client
    client.close()


@pytest.mark.parametrize("assignor", ASSIGNORS)
def test_librdkafka_joins_scales_and_survives_a_crash(
    host: LineClient, bootstrap: str, topic: str, assignor: str
) -> None:
    crew.join_scale_and_crash(
        lambda: crew.python_host("librdkafka", bootstrap), host, bootstrap, topic, assignor
    )


@pytest.mark.parametrize("assignor", ["range", "cooperative-sticky", "consumer"])
def test_librdkafka_static_members_restart_without_a_rebalance(
    host: LineClient, bootstrap: str, topic: str, assignor: str
) -> None:
    crew.static_rolling_restart(host, bootstrap, topic, assignor)


@pytest.mark.parametrize("assignor", ["cooperative-sticky", "consumer"])
def test_librdkafka_hands_over_without_stopping_the_others(
    host: LineClient, bootstrap: str, topic: str, assignor: str
) -> None:
    crew.cooperative_handover(host, bootstrap, topic, assignor)


@pytest.mark.parametrize("assignor", ["range", "cooperative-sticky"])
def test_librdkafka_moves_a_group_to_the_new_protocol_and_back(
    host: LineClient, bootstrap: str, topic: str, assignor: str
) -> None:
    crew.online_migration(host, bootstrap, topic, assignor)
