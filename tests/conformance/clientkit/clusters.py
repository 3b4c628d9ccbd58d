"""Three nodes, each broker and controller, of riverlog or of Apache Kafka, with the same surface."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from confluent_kafka.admin import NewTopic

from clientkit import java, rdkafka
from clientkit.servers import Kafka
from riverlog.testing import cluster as riverlog_cluster

NODES = (1, 2, 3)
# A dead broker is noticed within seconds; everything has three copies, and a write two.
SETTINGS = {
    "broker.session.timeout.ms": "6000",
    "default.replication.factor": "3",
    "offsets.topic.replication.factor": "3",
    "offsets.topic.num.partitions": "6",
    "transaction.state.log.replication.factor": "3",
    "transaction.state.log.min.isr": "2",
    "min.insync.replicas": "2",
}


class Cluster(Protocol):
    """Nodes are named 1 to 3."""

    @property
    def bootstrap(self) -> str: ...

    @property
    def controllers(self) -> str:
        """Addresses for ``--bootstrap-controller``."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def address(self, node_id: int) -> str: ...

    def data_dir(self, node_id: int) -> Path: ...

    def config_file(self, node_id: int) -> Path: ...

    def kill(self, node_id: int) -> None:
        """``kill -9``."""

    def restart(self, node_id: int) -> None:
        """Start a node again; one that runs is stopped first."""


class RiverlogCluster:
    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self._cluster = riverlog_cluster(len(NODES), settings, data_dir=folder, links=False)
        self.kill = self._cluster.kill
        self.restart = self._cluster.restart

    def __enter__(self) -> Self:
        self._cluster.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cluster.__exit__(kind, error, trace)

    @property
    def bootstrap(self) -> str:
        return self._cluster.bootstrap

    @property
    def controllers(self) -> str:
        return self._cluster.plan.controllers

    def address(self, node_id: int) -> str:
        return self._cluster.node(node_id).bootstrap

    def data_dir(self, node_id: int) -> Path:
        return self._cluster.node(node_id).data_dir

    def config_file(self, node_id: int) -> Path:
        return self._cluster.node(node_id).config_file


class KafkaCluster:
    def __init__(
        self, folder: Path, settings: Mapping[str, str], tools: java.JavaTools, new_id: Callable[[], str]
    ) -> None:
        self._nodes = {number: Kafka(folder / f"node-{number}") for number in NODES}
        self._running: set[int] = set()
        for number, node in self._nodes.items():
            own = {"node.id": str(number), "controller.quorum.bootstrap.servers": self.controllers}
            node.write_config({**own, **settings})
        voters = ",".join(
            f"{number}@127.0.0.1:{node.controller_port}:{new_id()}" for number, node in self._nodes.items()
        )
        cluster_id = new_id()
        for node in self._nodes.values():
            words = [
                "--cluster-id",
                cluster_id,
                "--config",
                str(node.config),
                "--initial-controllers",
                voters,
            ]
            tools.run("kafka.tools.StorageTool", "format", *words).ok()

    def __enter__(self) -> Self:
        for number, node in self._nodes.items():
            node.begin()
            self._running.add(number)
        for node in self._nodes.values():
            node.wait_until_ready()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for node in self._nodes.values():
            node.kill()  # without a majority the last two would wait in vain for a clean end

    @property
    def bootstrap(self) -> str:
        return ",".join(self.address(number) for number in NODES)

    @property
    def controllers(self) -> str:
        return ",".join(f"127.0.0.1:{node.controller_port}" for node in self._nodes.values())

    def address(self, node_id: int) -> str:
        return f"127.0.0.1:{self._nodes[node_id].port}"

    def data_dir(self, node_id: int) -> Path:
        return self._nodes[node_id].data_dir

    def config_file(self, node_id: int) -> Path:
        return self._nodes[node_id].config

    def kill(self, node_id: int) -> None:
        self._nodes[node_id].kill()
        self._running.discard(node_id)

    def restart(self, node_id: int) -> None:
        if node_id in self._running:
            self._nodes[node_id].stop()
        self._nodes[node_id].start()
        self._running.add(node_id)


def create_topic(
    bootstrap: str,
    topic: str,
    *,
    replicas: list[list[int]] | None = None,
    partitions: int = 1,
    config: Mapping[str, str] | None = None,
) -> None:
    """Three replicas a partition, or those that are named; waits until every broker shows the leaders."""
    if replicas is None:
        new = NewTopic(topic, num_partitions=partitions, replication_factor=3, config=dict(config or {}))
    else:
        new = NewTopic(
            topic, num_partitions=len(replicas), replica_assignment=replicas, config=dict(config or {})
        )
    rdkafka.admin(bootstrap).create_topics([new])[topic].result(rdkafka.WAIT_SECONDS)

    def shown(address: str) -> bool:
        found = rdkafka.admin(address).list_topics(topic, timeout=rdkafka.WAIT_SECONDS).topics[topic]
        return bool(found.partitions) and all(p.leader >= 0 for p in found.partitions.values())

    for address in bootstrap.split(","):
        rdkafka.wait_for(lambda address=address: shown(address))


def leader(bootstrap: str, topic: str, partition: int = 0) -> int:
    """-1 while there is none."""
    topics = rdkafka.admin(bootstrap).list_topics(topic, timeout=rdkafka.WAIT_SECONDS).topics
    found = topics[topic].partitions.get(partition)
    return -1 if found is None else int(found.leader)


def in_sync(bootstrap: str, topic: str) -> dict[int, set[int]]:
    topics = rdkafka.admin(bootstrap).list_topics(topic, timeout=rdkafka.WAIT_SECONDS).topics
    return {number: set(found.isrs) for number, found in topics[topic].partitions.items()}


def wait_for_all_in_sync(bootstrap: str, topic: str, seconds: float) -> None:
    def full() -> bool:
        return all(found == set(NODES) for found in in_sync(bootstrap, topic).values())

    rdkafka.wait_for(full, seconds)
