"""Transactions of five clients on one broker."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from clientkit import rdkafka, txn_scenarios
from clientkit.paths import Unavailable
from clientkit.servers import Server
from clientkit.txns import Txns

Scenario = Callable[[Txns, str, str], None]


@pytest.fixture(scope="module", params=list(txn_scenarios.MAKERS))
def client(request: pytest.FixtureRequest, target: Server) -> Iterator[Txns]:
    try:
        made = txn_scenarios.MAKERS[request.param](target.bootstrap)
    except Unavailable as missing:
        pytest.skip(str(missing))
    yield made
    made.close()


@pytest.mark.parametrize(
    "scenario",
    [
        txn_scenarios.commits_and_aborts,
        txn_scenarios.offsets_with_the_records,
        txn_scenarios.zombie_is_fenced,
        txn_scenarios.time_runs_out,
    ],
    ids=lambda scenario: scenario.__name__,
)
def test_client_transactions(client: Txns, bootstrap: str, topic: str, scenario: Scenario) -> None:
    rdkafka.create_topic(bootstrap, topic, partitions=2)
    scenario(client, bootstrap, topic)
