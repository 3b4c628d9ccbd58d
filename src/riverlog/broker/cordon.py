"""Log folders that get no new replicas: ``cordoned.log.dirs`` (KIP-1066).

The broker tells the controller in its heartbeats; one whose folders are all cordoned is left out when
replicas are placed. What is there already stays and is served.
Differs from Kafka: a folder that the broker does not have is left out with a warning, not refused.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from riverlog.base import broker_configs_log
from riverlog.metadata.broker_lifecycle import cordon
from riverlog.metadata.records import supports_cordoning

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker

logger = logging.getLogger("riverlog.broker")

ALL = "*"


class Cordon:
    """The cordoned folders of this broker, as its settings have them."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._wanted: frozenset[str] = frozenset()

    def load(self) -> None:
        """The settings may be new."""
        broker = self._broker
        folders: tuple[str, ...] = broker.config[broker_configs_log.CORDONED_LOG_DIRS]
        wanted = frozenset(folders)
        if wanted != self._wanted:
            self._wanted = wanted
            unknown = sorted(wanted - {ALL} - set(broker.metadata.directory_ids))
            if unknown:
                logger.warning("cordoned.log.dirs: no log folder of this broker: %s", ", ".join(unknown))
            broker.logs.cordoned = frozenset(filter(self.holds, broker.metadata.directory_ids))
            broker.lifecycle.cordon_changed()
        if broker.is_alone:
            broker.clock.call_later(0.0, self._decide)

    def holds(self, path: str) -> bool:
        return path in self._wanted or ALL in self._wanted

    def directory_ids(self) -> list[bytes]:
        ids = self._broker.metadata.directory_ids
        return [directory_id for path, directory_id in ids.items() if self.holds(path)]

    def told(self) -> list[bytes] | None:
        """What a heartbeat says; None where the cluster does not know of cordoned folders yet."""
        known = supports_cordoning(self._broker.metadata.image.metadata_version)
        return self.directory_ids() if known else None

    def is_in_force(self, path: str) -> bool:
        """Whether the controller knows."""
        metadata = self._broker.metadata
        found = metadata.image.brokers.get(self._broker.node_id)
        directory_id = metadata.directory_ids.get(path)
        return found is not None and directory_id in (found.cordoned_log_dirs or ())

    def _decide(self) -> None:
        """A node that is alone sends no heartbeats."""
        broker = self._broker
        if broker.is_alone and broker.metadata.is_active:
            broker.metadata.decide(
                lambda state: cordon(state, broker.node_id, self.directory_ids()), lambda _: None
            )
