"""``transaction.version`` rises while producers are at work; with 2 every transaction has its own epoch."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count

import pytest
from clientkit import rdkafka, txn_scenarios
from clientkit.java import JavaTools
from clientkit.paths import Unavailable
from clientkit.servers import Server
from clientkit.txns import wait_until_seen
from conftest import QUICK_TXNS

LEVELS = (0, 1, 2)  # downwards Apache Kafka refuses producers that began with 2
SECONDS = 30.0


class Features:
    """``kafka-features`` and ``kafka-transactions`` of one broker."""

    def __init__(self, tools: JavaTools, bootstrap: str) -> None:
        self._tools = tools
        self._bootstrap = bootstrap

    def _run(self, tool: str, *arguments: str) -> str:
        full = f"org.apache.kafka.tools.{tool}"
        return self._tools.run(full, "--bootstrap-server", self._bootstrap, *arguments).ok().out

    @property
    def level(self) -> int:
        out = self._run("FeatureCommand", "describe")
        found = re.search(r"Feature: transaction\.version.*FinalizedVersionLevel: (\d+)", out)
        return int(found[1]) if found else 0

    def change(self, level: int) -> None:
        now = self.level
        if level != now:
            way = "upgrade" if level > now else "downgrade"
            self._run("FeatureCommand", way, "--feature", f"transaction.version={level}")
        rdkafka.wait_for(lambda: self.level == level, SECONDS)

    def epoch(self, transactional_id: str) -> tuple[int, int]:
        """Producer id and epoch, as the coordinator has them."""
        out = self._run("TransactionsCommand", "describe", "--transactional-id", transactional_id)
        head, row = ([cell.strip() for cell in line.split("\t")] for line in out.splitlines()[:2])
        return int(row[head.index("ProducerId")]), int(row[head.index("ProducerEpoch")])


@pytest.mark.parametrize("name", ["librdkafka", "java", "franz-go"])
def test_transactions_go_on_while_their_version_rises(
    versions: tuple[Server, Features], topic: str, name: str
) -> None:
    """Producers that began before a change, and such that begin after it."""
    server, features = versions
    try:
        client = txn_scenarios.MAKERS[name](server.bootstrap)
    except Unavailable as missing:
        pytest.skip(str(missing))
    rdkafka.create_topic(server.bootstrap, topic)
    numbers = count()
    expected: list[str] = []

    def transact(producer: str, *, commit: bool) -> None:
        value = f"{next(numbers)}"
        client.begin(producer)
        client.send(producer, topic, 0, [value])
        client.end(producer, commit=commit)
        if commit:
            expected.append(value)

    client.read("all of it", topic, 1, committed=True)
    features.change(LEVELS[0])
    client.open("old", f"{topic}-old")
    for step, level in enumerate(LEVELS):
        features.change(level)
        new = f"{topic}-{step}"
        client.open(new, new)
        for producer in ("old", new):
            transact(producer, commit=True)
            transact(producer, commit=False)
            transact(producer, commit=True)
        rdkafka.wait_for(lambda: txn_scenarios.stable_end(server.bootstrap, topic, 0) == expected, SECONDS)
        bumps = 3 if level == 2 and name in BY_VERSION_TWO else 0
        assert features.epoch(new)[1] == bumps, f"at level {level}"
    wait_until_seen(client, "all of it", lambda found: found == {0: expected}, SECONDS)
    client.close()


BY_VERSION_TWO = {"java", "franz-go"}
"""The clients that know it; the others go on as before."""


@pytest.fixture(scope="module")
def versions(
    make_target: Callable[..., Server], java_tools: JavaTools, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Server, Features]:
    server = make_target(tmp_path_factory.mktemp("versions") / "data", QUICK_TXNS).start()
    return server, Features(java_tools, server.bootstrap)
