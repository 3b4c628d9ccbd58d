"""One group whose members are written with different clients: the broker passes on what each leader says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from clientkit import builds, crew, java
from clientkit.lines import LineClient
from clientkit.paths import Unavailable
from clientkit.servers import Server

HOSTS: dict[str, Callable[[str], LineClient]] = {
    "librdkafka": lambda bootstrap: crew.python_host("librdkafka", bootstrap),
    "java": lambda bootstrap: LineClient(java.member_command(bootstrap)),
    "franz-go": lambda bootstrap: LineClient(builds.franz_go_command(bootstrap)),
    "aiokafka": lambda bootstrap: crew.python_host("aiokafka_member", bootstrap),
    "kafka-python": lambda bootstrap: crew.python_host("kafka_python", bootstrap),
}


@pytest.fixture(scope="module")
def hosts(target: Server) -> Iterator[dict[str, LineClient]]:
    with ExitStack() as stack:
        made = {}
        for name, make in HOSTS.items():
            try:
                made[name] = make(target.bootstrap)
            except Unavailable as missing:
                pytest.skip(str(missing))
            stack.callback(made[name].close)
        yield made


@pytest.mark.parametrize(
    ("assignor", "clients"),
    [
        ("range", ["librdkafka", "aiokafka", "java", "kafka-python", "franz-go"]),
        ("roundrobin", ["aiokafka", "franz-go", "java", "librdkafka", "kafka-python"]),
        ("cooperative-sticky", ["java", "librdkafka", "franz-go"]),
        ("consumer", ["franz-go", "java", "librdkafka"]),
    ],
)
def test_members_of_all_clients_share_a_group(
    hosts: dict[str, LineClient], bootstrap: str, topic: str, assignor: str, clients: list[str]
) -> None:
    with crew.crew(hosts[clients[0]], bootstrap, topic, assignor) as group:
        for client in clients:
            group.join(client, host=hosts[client])
        group.wait_until_shared()
        group.send()
        group.wait_until_read()
        for client in clients[:-1]:  # the leader first
            group.leave(client)
            group.wait_until_shared()
            group.send()
            group.wait_until_read()
