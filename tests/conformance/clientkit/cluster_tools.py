"""Kafka's tools for clusters, and what they print, taken apart."""

from __future__ import annotations

import re
from dataclasses import dataclass

from clientkit.clusters import Cluster
from clientkit.java import JavaTools, ToolResult

CLUSTER = "ClusterTool"
CONFIGS = "kafka.admin.ConfigCommand"
ELECT = "LeaderElectionCommand"
QUORUM = "MetadataQuorumCommand"
REASSIGN = "reassign.ReassignPartitionsCommand"
TOPICS = "TopicCommand"
_SUBCOMMAND_FIRST = {CLUSTER}


@dataclass(frozen=True)
class Row:
    """One partition, as ``kafka-topics --describe`` shows it; no leader is 0."""

    partition: int
    leader: int
    replicas: tuple[int, ...]
    isr: frozenset[int]
    elr: frozenset[int]
    adding: frozenset[int]
    removing: frozenset[int]


class ClusterTools:
    """Runs a tool against the cluster; it must end with 0 unless another code is named."""

    def __init__(self, tools: JavaTools, cluster: Cluster) -> None:
        self.cluster = cluster
        self._tools = tools

    def server(self, name: str, *arguments: str, code: int = 0) -> ToolResult:
        return self._run(name, "--bootstrap-server", self.cluster.bootstrap, arguments, code)

    def controller(self, name: str, *arguments: str, code: int = 0) -> ToolResult:
        return self._run(name, "--bootstrap-controller", self.cluster.controllers, arguments, code)

    def at(self, node_id: int, name: str, *arguments: str) -> ToolResult:
        """Asks one broker first."""
        return self._run(name, "--bootstrap-server", self.cluster.address(node_id), arguments, 0)

    def _run(self, name: str, option: str, address: str, arguments: tuple[str, ...], code: int) -> ToolResult:
        full = name if name.startswith("kafka.") else f"org.apache.kafka.tools.{name}"
        first = arguments[:1] if name in _SUBCOMMAND_FIRST else ()
        words = [*first, option, address, *arguments[len(first) :]]
        result = self._tools.run(full, *words, seconds=120)
        said = f"{name} {' '.join(words)}: exit {result.code}\n{result.out}\n{result.err}"
        assert result.code == code, said
        return result

    def describe(self, topic: str, *options: str) -> list[Row]:
        return rows(self.server(TOPICS, "--describe", "--topic", topic, *options).out)

    def endpoints(self) -> dict[int, str]:
        """Every registered broker: fenced or not."""
        out = self.server(CLUSTER, "list-endpoints", "--include-fenced-brokers").out
        lines = [line.split() for line in out.splitlines()[1:] if line]
        assert {line[-1] for line in lines} == {"broker"}
        for line in lines:
            assert f"{line[1]}:{line[2]}" == self.cluster.address(int(line[0]))
        return {int(line[0]): line[4] for line in lines}


def rows(described: str) -> list[Row]:
    def numbers(line: str, name: str) -> tuple[int, ...]:
        found = re.search(rf"\t{name}: ([\d,]*)", line)
        return tuple(int(number) for number in found[1].split(",") if number) if found else ()

    return [
        Row(
            partition=numbers(line, "Partition")[0],
            leader=next(iter(numbers(line, "Leader")), 0),
            replicas=numbers(line, "Replicas"),
            isr=frozenset(numbers(line, "Isr")),
            elr=frozenset(numbers(line, "Elr")),
            adding=frozenset(numbers(line, "Adding Replicas")),
            removing=frozenset(numbers(line, "Removing Replicas")),
        )
        for line in described.splitlines()
        if "\tPartition: " in line
    ]


def status(out: str) -> dict[str, str]:
    """``kafka-metadata-quorum describe --status``, by name."""
    return {name: value.strip() for name, _, value in (line.partition(":") for line in out.splitlines())}


def quorum(tools: ClusterTools) -> dict[int, dict[str, str]]:
    """``kafka-metadata-quorum describe --replication``, by node."""
    lines = [
        line.split("\t")
        for line in tools.server(QUORUM, "describe", "--replication").out.splitlines()
        if line
    ]
    names = [name.strip() for name in lines[0]]
    found = [dict(zip(names, (value.strip() for value in line), strict=False)) for line in lines[1:]]
    return {int(row["NodeId"]): row for row in found}


def controller_of(tools: ClusterTools) -> int:
    return int(status(tools.server(QUORUM, "describe", "--status").out)["LeaderId"])
