"""Who may lead a partition, and the topic settings that elections depend on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from riverlog.base import topic_configs
from riverlog.base.config_table import ConfigRow
from riverlog.metadata.controller import MIGRATING_DIRECTORY, UNASSIGNED_DIRECTORY, ControllerSettings
from riverlog.metadata.image import (
    BROKER_RESOURCE,
    INTERNAL_TOPICS,
    BrokerState,
    ClusterState,
    PartitionState,
)
from riverlog.metadata.records import supports_elr

_NEVER_TOLD = (UNASSIGNED_DIRECTORY, MIGRATING_DIRECTORY)

T = TypeVar("T")


def anyone(_broker_id: int) -> bool:
    """The default of ``in_contact``: all that the state calls active is believed to be alive."""
    return True


def topic_setting(
    state: ClusterState, settings: ControllerSettings | None, topic: str, row: ConfigRow[T]
) -> T:
    """A topic's own value, else the cluster's dynamic default, else this controller's, else Kafka's."""
    text = state.topic_config(topic).get(row.name)
    if text is None:
        text = state.config(BROKER_RESOURCE, "").get(row.name)
    if text is not None:
        return row.parse(text)
    return row.default if settings is None else settings.config.topic_default(row)


def ack_after_fsync(state: ClusterState, topic: str) -> bool:
    """RULES: durable end 1. By the metadata log alone; internal topics are always on."""
    return topic in INTERNAL_TOPICS or topic_setting(state, None, topic, topic_configs.ACK_AFTER_FSYNC)


def unclean_election(state: ClusterState, settings: ControllerSettings | None, topic: str) -> bool:
    return topic_setting(state, settings, topic, topic_configs.UNCLEAN_LEADER_ELECTION_ENABLE)


def directory_of(partition: PartitionState, broker_id: int) -> bytes:
    """The log folder of a replica, as far as the log tells."""
    if broker_id not in partition.replicas:
        return UNASSIGNED_DIRECTORY
    at = partition.replicas.index(broker_id)
    return partition.directories[at] if at < len(partition.directories) else UNASSIGNED_DIRECTORY


def directory_is_unknown(directory_id: bytes) -> bool:
    return directory_id in _NEVER_TOLD


def directory_is_online(broker: BrokerState, directory_id: bytes) -> bool:
    """A folder that was never told counts as online."""
    if directory_is_unknown(directory_id) or not broker.log_dirs:
        return True
    return directory_id in broker.log_dirs


class Electorate:
    """The brokers as they will be once the decision at hand is applied.

    ``joining`` is about to be unfenced, ``leaving`` to be fenced. ``in_contact`` says which brokers this
    controller has heard itself; one that leads already stays though nobody has heard it yet.
    """

    __slots__ = (
        "_by_topic",
        "elr",
        "in_contact",
        "joining",
        "leaving",
        "offline",
        "settings",
        "state",
    )

    def __init__(
        self,
        state: ClusterState,
        settings: ControllerSettings | None,
        *,
        joining: int | None = None,
        leaving: int | None = None,
        offline: frozenset[bytes] = frozenset(),
        in_contact: Callable[[int], bool] = anyone,
    ) -> None:
        self.state = state
        self.settings = settings
        self.joining = joining
        self.leaving = leaving
        self.offline = offline
        """Directories that were just reported as offline."""
        self.in_contact = in_contact
        self.elr = supports_elr(state.features)
        """Whether eligible leader replicas are kept (KIP-966)."""
        self._by_topic: dict[str, tuple[bool, int]] = {}

    def rules(self, topic: str) -> tuple[bool, int]:
        """Whether a topic allows unclean elections, and its ``min.insync.replicas``.

        The second by the metadata log alone: a leader may take its own file's value as the default, and
        what counts here must never be more than what the leader waits for (RULES: watermark 2).
        """
        found = self._by_topic.get(topic)
        if found is None:
            needed = topic_setting(self.state, None, topic, topic_configs.MIN_INSYNC_REPLICAS)
            found = (unclean_election(self.state, self.settings, topic), needed)
            self._by_topic[topic] = found
        return found

    def in_service(self, broker_id: int) -> bool:
        """Whether it may be in sync."""
        if broker_id == self.leaving:
            return False
        return broker_id == self.joining or self.state.broker_is_active(broker_id)

    def may_lead(self, partition: PartitionState, broker_id: int) -> bool:
        if not self.in_service(broker_id):
            return False
        if broker_id not in (partition.leader, self.joining) and not self.in_contact(broker_id):
            return False
        directory_id = directory_of(partition, broker_id)
        broker = self.state.brokers[broker_id]
        return directory_id not in self.offline and directory_is_online(broker, directory_id)
