"""Transactions of five clients on three brokers, and over the death of leaders and coordinators."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack

import pytest
from clientkit import clusters, rdkafka, txn_scenarios
from clientkit.cluster_tools import ClusterTools
from clientkit.clusters import NODES, Cluster
from clientkit.java import JavaTools
from clientkit.paths import Unavailable
from clientkit.txn_scenarios import MAKERS, Loop
from clientkit.txns import Txns, wait_until_seen

PARTITIONS = 3
MORE = 6
SECONDS = 120.0
TRANSACTIONS = "TransactionsCommand"


@pytest.fixture(scope="module")
def three(run_cluster: Callable[..., AbstractContextManager[Cluster]]) -> Iterator[Cluster]:
    with run_cluster() as running:
        yield running


@pytest.fixture
def tools(java_tools: JavaTools, three: Cluster) -> ClusterTools:
    return ClusterTools(java_tools, three)


@pytest.fixture(scope="module")
def clients(three: Cluster) -> Iterator[dict[str, Txns]]:
    with ExitStack() as stack:
        made = {}
        for name, make in MAKERS.items():
            try:
                made[name] = make(three.bootstrap)
            except Unavailable as missing:
                pytest.skip(str(missing))
            stack.callback(made[name].close)
        yield made


@pytest.mark.parametrize("name", list(MAKERS))
def test_client_transactions_over_three_brokers(
    three: Cluster, clients: dict[str, Txns], topic: str, name: str
) -> None:
    """The partitions, the offsets and the coordinator are led by different brokers."""
    for scenario in (txn_scenarios.commits_and_aborts, txn_scenarios.offsets_with_the_records):
        own = f"{topic}-{scenario.__name__}"
        clusters.create_topic(three.bootstrap, own, replicas=[[1, 2, 3], [2, 3, 1]])
        scenario(clients[name], three.bootstrap, own)


def coordinator_of(tools: ClusterTools, transactional_id: str) -> int:
    out = tools.server(TRANSACTIONS, "describe", "--transactional-id", transactional_id).out
    return int(out.splitlines()[1].split()[0])


def test_transactions_are_whole_when_their_coordinator_dies(
    tools: ClusterTools, clients: dict[str, Txns], topic: str
) -> None:
    """It leads a partition of every topic, too."""
    transact_and_kill(tools, clients, topic, rounds=1, victims=1)


@pytest.mark.soak
def test_soak_transactions_are_whole_over_many_kills(
    tools: ClusterTools, clients: dict[str, Txns], topic: str
) -> None:
    transact_and_kill(tools, clients, topic, rounds=10, victims=2)


def transact_and_kill(
    tools: ClusterTools, clients: dict[str, Txns], topic: str, *, rounds: int, victims: int
) -> None:
    """In each round a coordinator is killed and comes back, then another broker if there are two victims."""
    three, bootstrap = tools.cluster, tools.cluster.bootstrap
    loops = {}
    for name, client in clients.items():
        own = f"{topic}-{name}"
        clusters.create_topic(bootstrap, own, replicas=[[1, 2, 3], [2, 3, 1], [3, 1, 2]])
        loops[name] = Loop(client, own, PARTITIONS)
    for loop in loops.values():
        loop.wait_for(MORE, SECONDS)
    for number in range(rounds):
        names = list(loops)
        coordinator = coordinator_of(tools, f"{loops[names[number % len(names)]].topic}-txn")
        other = next(node for node in NODES if node != coordinator)
        for victim in (coordinator, other)[:victims]:
            three.kill(victim)
            for loop in loops.values():
                loop.wait_for(MORE, SECONDS)
            three.restart(victim)
            for loop in loops.values():
                clusters.wait_for_all_in_sync(bootstrap, loop.topic, SECONDS)
            clusters.wait_for_all_in_sync(bootstrap, "__transaction_state", SECONDS)
    for loop in loops.values():
        loop.finish(SECONDS)
    for name, loop in loops.items():
        wait_until_stable(bootstrap, loop.topic)
        found = {at: txn_scenarios.stable_end(bootstrap, loop.topic, at) for at in range(PARTITIONS)}
        loop.check(found)
        clients[name].read(f"after-{rounds}", loop.topic, PARTITIONS, committed=True)
        wait_until_seen(clients[name], f"after-{rounds}", found.__eq__, SECONDS)


def wait_until_stable(bootstrap: str, topic: str) -> None:
    """Until no transaction is open: the last stable offset is the end."""

    def closed() -> bool:
        return all(
            rdkafka.end_offset(bootstrap, topic, partition, committed=True)
            == rdkafka.end_offset(bootstrap, topic, partition, committed=False)
            for partition in range(PARTITIONS)
        )

    rdkafka.wait_for(closed, SECONDS)
