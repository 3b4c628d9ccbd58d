"""franz-go in groups: its four balancers and the protocol of KIP-848."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from clientkit import builds, crew
from clientkit.lines import LineClient
from clientkit.paths import Unavailable
from clientkit.servers import Server

ASSIGNORS = ["range", "roundrobin", "sticky", "cooperative-sticky", "consumer"]


@pytest.fixture(scope="module")
def command(target: Server) -> list[str]:
    try:
        return builds.franz_go_command(target.bootstrap)
    except Unavailable as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def host(command: list[str]) -> Iterator[LineClient]:
    client = LineClient(command)
    yield client
    client.close()


@pytest.mark.parametrize("assignor", ASSIGNORS)
def test_franz_go_joins_scales_and_survives_a_crash(
    command: list[str], host: LineClient, bootstrap: str, topic: str, assignor: str
) -> None:
    crew.join_scale_and_crash(lambda: LineClient(command), host, bootstrap, topic, assignor)


# Not with KIP-848: its leave of a static member carries no instance id, which Kafka refuses.
@pytest.mark.parametrize("assignor", ASSIGNORS[:-1])
def test_franz_go_static_members_restart_without_a_rebalance(
    host: LineClient, bootstrap: str, topic: str, assignor: str
) -> None:
    crew.static_rolling_restart(host, bootstrap, topic, assignor)


@pytest.mark.parametrize("assignor", ["cooperative-sticky", "consumer"])
def test_franz_go_hands_over_without_stopping_the_others(
    host: LineClient, bootstrap: str, topic: str, assignor: str
) -> None:
    crew.cooperative_handover(host, bootstrap, topic, assignor)


@pytest.mark.parametrize("assignor", ["range", "cooperative-sticky"])
def test_franz_go_moves_a_group_to_the_new_protocol_and_back(
    host: LineClient, bootstrap: str, topic: str, assignor: str
) -> None:
    crew.online_migration(host, bootstrap, topic, assignor)
