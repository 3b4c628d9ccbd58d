"""Replicas on their way from one log directory to another, one after the other (KIP-113)."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING

from riverlog.storage import LogMove

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.replication import Partition
    from riverlog.storage import Log, LogDir

logger = logging.getLogger("riverlog.broker")


class LogDirMoves:
    """Moves asked for: the first of them is under way."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._wanted: dict[Partition, LogDir] = {}
        self._current: tuple[Partition, LogMove] | None = None

    def move(self, partition: Partition, target: LogDir) -> None:
        """Bring a partition to ``target``; where it is already, that ends a move elsewhere."""
        if self._wanted.get(partition) is target:
            return
        self._wanted.pop(partition, None)
        if self._current is not None and self._current[0] is partition:
            self._current[1].cancel()
            self._current = None
        if partition.log.log_dir != target.path:
            self._wanted[partition] = target
        self._next()

    def into(self, log_dir: LogDir) -> Iterator[tuple[Partition, int, int]]:
        """Partitions on their way to a directory: size of the copy so far, and how many records it lacks."""
        for partition, target in self._wanted.items():
            if target is log_dir:
                move = self._current[1] if self._current and self._current[0] is partition else None
                if move is None or move.copy is None:
                    yield partition, 0, partition.log.log_end_offset
                else:
                    yield partition, move.copy.size_bytes, move.lag

    def stop(self) -> None:
        """The next start removes what is left of a copy."""
        if self._current is not None:
            self._current[1].cancel()
            self._current = None
        self._wanted.clear()

    def _next(self) -> None:
        while self._wanted and self._current is None:
            partition, target = next(iter(self._wanted.items()))
            log = partition.log
            known = self._broker.logs.get(partition.topic, partition.index) is log
            if not known or log.offline is not None or not target.is_online:
                del self._wanted[partition]
                continue
            move = LogMove(
                self._broker.logs,
                partition.log,
                target,
                lambda log, partition=partition: self._moved(partition, log),  # type: ignore[misc]
            )
            self._current = (partition, move)
            move.start()

    def _moved(self, partition: Partition, log: Log | None) -> None:
        current, self._current = self._current, None
        target = self._wanted.pop(partition, None)
        if log is None and target is not None and current is not None and current[1].was_truncated:
            self._wanted[partition] = target  # once more, from the start
        if log is not None:
            self._broker.replicas.moved(partition, log)
            self._broker.assignments.check((partition.topic_id, partition.index))
        # Not from here: the move that calls us may be starting yet.
        self._broker.clock.call_later(0.0, self._next)
