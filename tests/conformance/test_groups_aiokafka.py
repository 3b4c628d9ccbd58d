"""aiokafka as a group consumer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from clientkit import crew
from clientkit.lines import LineClient
from clientkit.servers import Server

KIND = "aiokafka_member"


@pytest.fixture(scope="module")
def host(target: Server) -> Iterator[LineClient]:
    client = crew.python_host(KIND, target.bootstrap)
    yield client
    client.close()


@pytest.mark.parametrize("assignor", ["range", "roundrobin", "sticky"])
def test_aiokafka_joins_scales_and_survives_a_crash(
    host: LineClient, bootstrap: str, topic: str, assignor: str
) -> None:
    crew.join_scale_and_crash(lambda: crew.python_host(KIND, bootstrap), host, bootstrap, topic, assignor)


@pytest.mark.parametrize("assignor", ["range", "sticky"])
def test_aiokafka_static_members_restart_without_a_rebalance(
    host: LineClient, bootstrap: str, topic: str, assignor: str
) -> None:
    crew.static_rolling_restart(host, bootstrap, topic, assignor)
