"""Producer ids for this broker, taken from the metadata log in blocks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.metadata.controller import Decision
from riverlog.metadata.image import ClusterState
from riverlog.metadata.producer_ids import allocate_producer_ids
from riverlog.protocol.generated.allocate_producer_ids_response import AllocateProducerIdsResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker


class ProducerIds:
    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._next = 0
        self._end = 0
        self._waiting: deque[Callable[[int | None], None]] = deque()

    def take(self, use: Callable[[int | None], None]) -> None:
        """Call ``use`` with an id nobody else gets, at once unless a new block is needed.

        With None if the ids are used up.
        """
        if self._next < self._end and not self._waiting:
            self._next += 1
            use(self._next - 1)
            return
        self._waiting.append(use)
        if len(self._waiting) == 1:
            self._ask()

    def _ask(self) -> None:
        metadata = self._broker.metadata

        def decide(state: ClusterState) -> Decision[AllocateProducerIdsResponse]:
            epoch = state.brokers[metadata.node_id].broker_epoch
            return allocate_producer_ids(state, broker_id=metadata.node_id, broker_epoch=epoch)

        metadata.decide(decide, self._on_block)

    def _on_block(self, block: AllocateProducerIdsResponse) -> None:
        self._next = block.producer_id_start
        self._end = block.producer_id_start + block.producer_id_len
        if block.error_code:
            while self._waiting:
                self._waiting.popleft()(None)
        while self._waiting and self._next < self._end:
            self._next += 1
            self._waiting.popleft()(self._next - 1)
        if self._waiting:
            self._ask()
