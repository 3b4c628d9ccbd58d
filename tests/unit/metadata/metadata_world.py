"""A node's metadata on a simulated disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from riverlog.base.config import BrokerConfig
from riverlog.base.listeners import Endpoint
from riverlog.env import StorageError
from riverlog.metadata import configs, partitions, topics
from riverlog.metadata.controller import Decision
from riverlog.metadata.image import ClusterState
from riverlog.metadata.node import MetadataNode
from riverlog.protocol.generated.create_topics_request import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from riverlog.protocol.generated.create_topics_response import CreateTopicsResponse
from riverlog.protocol.generated.delete_topics_request import DeleteTopicsRequest
from riverlog.protocol.generated.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from riverlog.sim.clock import Scheduler, SimClock
from riverlog.sim.disk import Fault, Journal, Setup, SimDisk
from riverlog.sim.media import Media
from riverlog.sim.rng import SimRng

R = TypeVar("R")
DATA = "/data"
ENDPOINTS = (Endpoint("PLAINTEXT", "localhost", 9092, "PLAINTEXT"),)

__all__ = ["configs", "partitions", "topics"]


class World:
    """One process life after another over the same media."""

    def __init__(
        self,
        media: Media | None = None,
        *,
        seed: int = 1,
        static: dict[str, str] | None = None,
        log_dirs: Sequence[str] = (DATA,),
        journal: Journal | None = None,
        replay_bytes_min: int = 2 << 20,
    ) -> None:
        self.scheduler = Scheduler()
        self.media = media if media is not None else Media()
        self.journal = journal
        self.replay_bytes_min = replay_bytes_min
        self.static = static or {}
        self.log_dirs = list(log_dirs)
        self.rng = SimRng(seed)
        self.life = 0
        self.failures: list[StorageError] = []

    def boot(self, *, faults: Sequence[Fault] = ()) -> None:
        """A new process with its disk and clock; the folders exist."""
        self.life += 1
        setup = Setup(journal=self.journal, faults=list(faults))
        rng = self.rng.stream(f"life-{self.life}")
        self.disk = SimDisk(self.media, self.scheduler, rng.stream("disk"), setup)
        self.clock = SimClock(self.scheduler)
        self.node_rng = rng.stream("node")
        for path in self.log_dirs:
            if not self.disk.is_folder(path):
                self.disk.make_folder(path)
                self.disk.sync_folder("/")

    def open(self, *, faults: Sequence[Fault] = ()) -> MetadataNode:
        self.boot(faults=faults)
        self.config = BrokerConfig(self.static)
        self.node = MetadataNode.open(
            disk=self.disk,
            log_dirs=self.log_dirs,
            clock=self.clock,
            rng=self.node_rng,
            config=self.config,
            on_failure=self.failures.append,
            replay_bytes_min=self.replay_bytes_min,
        )
        return self.node

    def start(self, *, clean: bool = True) -> MetadataNode:
        node = self.open()
        done: list[bool] = []
        node.start(ENDPOINTS, clean=clean, done=lambda: done.append(True))
        assert self.scheduler.run_until(lambda: bool(done), seconds_max=10)
        return node

    def kill(self) -> None:
        self.disk.kill()
        self.clock.kill()

    def settle(self) -> None:
        assert self.scheduler.run_until(lambda: not self.node._pending, seconds_max=10)

    def decide(self, decide: Callable[[ClusterState], Decision[R]]) -> R:
        """The reply, once it is there."""
        replies: list[R] = []
        self.node.decide(decide, replies.append)
        assert self.scheduler.run_until(lambda: bool(replies), seconds_max=10)
        return replies[0]

    def create(self, name: str, count: int = 1, **settings: Any) -> CreateTopicsResponse:
        request = create_request(name, count, **settings)
        return self.decide(lambda state: topics.create_topics(state, self.node.settings, request))

    def delete(self, name: str) -> None:
        request = DeleteTopicsRequest(topic_names=[name])
        self.decide(lambda state: topics.delete_topics(state, self.node.settings, request, api_version=5))

    def set_config(self, resource_type: int, name: str, **values: str | None) -> Any:
        request = alter_request(resource_type, name, **values)
        return self.decide(
            lambda state: configs.incremental_alter_configs(state, self.node.settings, request)
        )


def create_request(name: str, count: int = 1, factor: int = 1, **settings: str) -> CreateTopicsRequest:
    return CreateTopicsRequest(
        topics=[
            CreatableTopic(
                name=name,
                num_partitions=count,
                replication_factor=factor,
                configs=[
                    CreatableTopicConfig(name=key.replace("_", "."), value=value)
                    for key, value in settings.items()
                ],
            )
        ],
        timeout_ms=1000,
        validate_only=False,
    )


def alter_request(resource_type: int, name: str, **values: str | None) -> IncrementalAlterConfigsRequest:
    """Set; ``None`` deletes."""
    return IncrementalAlterConfigsRequest(
        resources=[
            AlterConfigsResource(
                resource_type=resource_type,
                resource_name=name,
                configs=[
                    AlterableConfig(
                        name=key.replace("_", "."),
                        config_operation=0 if value is not None else 1,
                        value=value,
                    )
                    for key, value in values.items()
                ],
            )
        ]
    )
