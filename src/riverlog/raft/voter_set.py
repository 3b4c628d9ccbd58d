"""The voters of the quorum, as a value: who they are, where they listen, how many make a majority."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from riverlog.base.listeners import Endpoint as Listener
from riverlog.protocol.generated.voters_record import (
    Endpoint,
    KRaftVersionFeature,
    Voter,
    VotersRecord,
)
from riverlog.protocol.primitives import ZERO_UUID
from riverlog.raft.voters import KRAFT_VERSION_MAX

Address = tuple[str, int]


class ReplicaKey(NamedTuple):
    """A node and the folder its votes are remembered in."""

    node_id: int
    directory_id: bytes = ZERO_UUID


class VoterEndpoint(NamedTuple):
    name: str
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class VoterNode:
    node_id: int
    directory_id: bytes = ZERO_UUID
    """All zero under kraft.version 0: there the id alone counts."""
    endpoints: tuple[VoterEndpoint, ...] = ()
    min_version: int = 0
    max_version: int = KRAFT_VERSION_MAX

    @property
    def key(self) -> ReplicaKey:
        return ReplicaKey(self.node_id, self.directory_id)

    def address(self, listener: str | None = None) -> Address | None:
        """Where it listens under that name, else its first address."""
        for endpoint in self.endpoints:
            if endpoint.name == listener:
                return endpoint.host, endpoint.port
        return (self.endpoints[0].host, self.endpoints[0].port) if self.endpoints else None


def voter_endpoints(listeners: Iterable[Listener]) -> tuple[VoterEndpoint, ...]:
    return tuple(VoterEndpoint(one.listener, one.host, one.port) for one in listeners)


@dataclass(frozen=True, slots=True)
class VoterSet:
    """Never changed; a change makes a new one."""

    nodes: Mapping[int, VoterNode] = field(default_factory=dict)

    @classmethod
    def of(cls, nodes: Iterable[VoterNode]) -> VoterSet:
        return cls({node.node_id: node for node in sorted(nodes, key=lambda one: one.node_id)})

    @classmethod
    def static(cls, addresses: Mapping[int, Address], *, listener: str = "CONTROLLER") -> VoterSet:
        """From ``controller.quorum.voters``, for kraft.version 0."""
        return cls.of(
            VoterNode(node_id, endpoints=(VoterEndpoint(listener, *address),))
            for node_id, address in addresses.items()
        )

    @classmethod
    def from_record(cls, record: VotersRecord) -> VoterSet:
        return cls.of(
            VoterNode(
                voter.voter_id,
                voter.voter_directory_id,
                tuple(VoterEndpoint(one.name, one.host, one.port) for one in voter.endpoints),
                voter.kraft_version_feature.min_supported_version,
                voter.kraft_version_feature.max_supported_version,
            )
            for voter in record.voters
        )

    def to_record(self) -> VotersRecord:
        return VotersRecord(
            version=0,
            voters=[
                Voter(
                    voter_id=node.node_id,
                    voter_directory_id=node.directory_id,
                    endpoints=[
                        Endpoint(name=one.name, host=one.host, port=one.port) for one in node.endpoints
                    ],
                    kraft_version_feature=KRaftVersionFeature(
                        min_supported_version=node.min_version, max_supported_version=node.max_version
                    ),
                )
                for node in self.nodes.values()
            ],
        )

    def __iter__(self) -> Iterator[VoterNode]:
        return iter(self.nodes.values())

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def ids(self) -> Sequence[int]:
        return list(self.nodes)

    @property
    def majority(self) -> int:
        return len(self.nodes) // 2 + 1

    def get(self, node_id: int) -> VoterNode | None:
        return self.nodes.get(node_id)

    def holds(self, node_id: int, directory_id: bytes) -> bool:
        """Whether this very pair votes. Without directory ids in the set, the id decides."""
        node = self.nodes.get(node_id)
        return node is not None and node.directory_id in (ZERO_UUID, directory_id)

    def is_sole(self, node_id: int, directory_id: bytes) -> bool:
        return len(self.nodes) == 1 and self.holds(node_id, directory_id)

    def address(self, node_id: int, listener: str | None = None) -> Address | None:
        node = self.nodes.get(node_id)
        return node.address(listener) if node is not None else None

    def with_voter(self, node: VoterNode) -> VoterSet:
        """Added, or put in the place of the one with its id."""
        return VoterSet.of([*(one for one in self if one.node_id != node.node_id), node])

    def without_voter(self, node_id: int) -> VoterSet:
        return VoterSet.of(one for one in self if one.node_id != node_id)
