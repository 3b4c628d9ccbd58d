"""Telling the controller in which log directory each replica of this broker is (KIP-858).

Without it a directory that fails would leave partitions led by a broker that cannot serve them. What our
image says is compared with where the logs are; what differs is sent, one request at a time. A replica whose
data recovery found broken is said to be lost until it is neither in sync nor eligible (RULES: recovery).
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from riverlog.base.errors import ErrorCode
from riverlog.env import Timer
from riverlog.metadata.controller import LOST_DIRECTORY
from riverlog.metadata.electorate import directory_of
from riverlog.metadata.records import supports_directories
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.assign_replicas_to_dirs_request import (
    AssignReplicasToDirsRequest,
    DirectoryData,
    PartitionData,
    TopicData,
)
from riverlog.protocol.generated.assign_replicas_to_dirs_response import AssignReplicasToDirsResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker

logger = logging.getLogger("riverlog.broker")

BATCH_MAX = 1000
"""Replicas in one request."""
DELAY_SECONDS = 0.1
"""From the first difference to the request: partitions come in numbers."""
RETRY_SECONDS = 1.0
TIMEOUT_SECONDS = 30.0

Key = tuple[bytes, int]
"""Topic id and partition index."""


class Assignments:
    """``start`` once the partitions are there."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._open: dict[Key, None] = {}
        self._timer: Timer | None = None
        self._in_flight = False
        self._stopped = False

    def start(self) -> None:
        self._broker.metadata.subscribe(self._changed, reset=self.check_all)
        self.check_all()

    def stop(self) -> None:
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()

    # -- what differs ----------------------------------------------------------------------

    def check_all(self) -> None:
        for topic, index, _ in self._broker.metadata.image.partitions():
            self.check((topic.topic_id, index))

    def _changed(self, records: Sequence[Any]) -> None:
        for record in records:
            index = getattr(record, "partition_id", None)
            if index is not None and hasattr(record, "directories"):
                self.check((record.topic_id, index))

    def check(self, key: Key) -> None:
        """Look whether the controller knows where this replica is."""
        if self._directory_to_tell(key) is None:
            self._open.pop(key, None)
        else:
            self._open[key] = None
            self._soon(DELAY_SECONDS)

    def _directory_to_tell(self, key: Key) -> bytes | None:
        broker = self._broker
        image = broker.metadata.image
        topic = image.topics_by_id.get(key[0]) if supports_directories(image.metadata_version) else None
        state = None if topic is None else topic.partitions.get(key[1])
        if topic is None or state is None or broker.node_id not in state.replicas:
            return None
        log = broker.logs.get(topic.name, key[1])
        if log is None or log.offline is not None:
            return None
        directory_id = broker.metadata.directory_ids.get(log.log_dir)
        if broker.replicas.must_leave_first(log, state):
            directory_id = LOST_DIRECTORY
        return None if directory_id == directory_of(state, broker.node_id) else directory_id

    # -- telling -----------------------------------------------------------------------------

    def _soon(self, seconds: float) -> None:
        if self._timer is None and not self._in_flight and not self._stopped:
            self._timer = self._broker.clock.call_later(seconds, self._send)

    def _send(self) -> None:
        self._timer = None
        broker = self._broker
        chosen: dict[bytes, dict[bytes, list[int]]] = {}
        for key in list(self._open)[:BATCH_MAX]:
            directory_id = self._directory_to_tell(key)
            if directory_id is None:
                del self._open[key]
            else:
                chosen.setdefault(directory_id, {}).setdefault(key[0], []).append(key[1])
        if not chosen:
            if self._open:
                self._soon(DELAY_SECONDS)
            return
        request = AssignReplicasToDirsRequest(
            broker_id=broker.node_id,
            broker_epoch=broker.broker_epoch,
            directories=[
                DirectoryData(
                    id=directory_id,
                    topics=[
                        TopicData(
                            topic_id=topic_id,
                            partitions=[PartitionData(partition_index=index) for index in indexes],
                        )
                        for topic_id, indexes in topics.items()
                    ],
                )
                for directory_id, topics in chosen.items()
            ],
        )
        self._in_flight = True
        broker.controller.send(ApiKey.ASSIGN_REPLICAS_TO_DIRS, request, self._answered, TIMEOUT_SECONDS)

    def _answered(self, response: AssignReplicasToDirsResponse | None) -> None:
        self._in_flight = False
        if response is None or response.error_code:
            if response is not None:
                logger.warning("log directories not told: %s", ErrorCode(response.error_code).name)
            self._soon(RETRY_SECONDS)
            return
        for directory in response.directories:
            for topic in directory.topics:
                for partition in topic.partitions:
                    # Told, or nothing to tell any more; a later change is looked at again.
                    self._open.pop((topic.topic_id, partition.partition_index), None)
        if self._open:
            self._soon(DELAY_SECONDS)
