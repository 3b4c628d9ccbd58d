"""Producer ids for this broker, in blocks that the controller takes from the metadata log.

Nobody else hands out ids, and a block is in the committed log before it is used: no id is given twice,
whatever happens to controllers (KAFKA-15552).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.allocate_producer_ids_request import AllocateProducerIdsRequest
from riverlog.protocol.generated.allocate_producer_ids_response import AllocateProducerIdsResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker


TIMEOUT_SECONDS = 10.0


class ProducerIds:
    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._next = 0
        self._end = 0
        self._waiting: deque[Callable[[int | None], None]] = deque()
        self._stock_waiters: list[Callable[[], None]] = []
        self._asking = False

    def take(self, use: Callable[[int | None], None]) -> None:
        """Call ``use`` with an id nobody else gets, at once unless a new block is needed.

        With None if the controller gives none.
        """
        if self._next < self._end and not self._waiting:
            self._next += 1
            use(self._next - 1)
            return
        self._waiting.append(use)
        if not self._asking:
            self._ask()

    def take_now(self) -> int | None:
        """An id nobody else gets, or None while a new block is on its way."""
        if self._next < self._end and not self._waiting:
            self._next += 1
            return self._next - 1
        self.when_in_stock(lambda: None)
        return None

    def when_in_stock(self, done: Callable[[], None]) -> None:
        """Call ``done`` once ``take_now`` has an id, or if the controller gives none."""
        if self._next < self._end and not self._waiting:
            done()
            return
        self._stock_waiters.append(done)
        if not self._asking:
            self._ask()

    def _ask(self) -> None:
        self._asking = True
        broker = self._broker
        request = AllocateProducerIdsRequest(broker_id=broker.node_id, broker_epoch=broker.broker_epoch)
        broker.controller.send(ApiKey.ALLOCATE_PRODUCER_IDS, request, self._on_block, TIMEOUT_SECONDS)

    def _on_block(self, block: AllocateProducerIdsResponse | None) -> None:
        self._asking = False
        stock_waiters, self._stock_waiters = self._stock_waiters, []
        if block is None or block.error_code:
            waiting = list(self._waiting)
            self._waiting.clear()
            for use in waiting:
                use(None)
        else:
            self._next = block.producer_id_start
            self._end = block.producer_id_start + block.producer_id_len
            while self._waiting and self._next < self._end:
                self._next += 1
                self._waiting.popleft()(self._next - 1)
            if self._waiting:
                self._ask()
        for done in stock_waiters:
            done()
