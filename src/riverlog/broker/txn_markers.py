"""End-of-transaction markers on their way from this broker's coordinators to the leaders of partitions.

Where this broker leads, the marker is appended by a plain call. To others go WriteTxnMarkers requests: one
under way per broker, the next takes all that came meanwhile. What was refused for a passing reason, or got no
answer, goes again after a pause, to whoever leads then, until every partition has its marker. A partition
that does not exist any more needs none. A marker that arrives twice is harmless.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from riverlog.base.errors import ErrorCode
from riverlog.broker.auto_creation import OFFSETS_TOPIC
from riverlog.broker.broker_call import BrokerCall, address_of
from riverlog.coordinator.txn.markers import MarkerOrder
from riverlog.env import Timer
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.write_txn_markers_request import (
    WritableTxnMarker,
    WritableTxnMarkerTopic,
    WriteTxnMarkersRequest,
)
from riverlog.storage import LogError

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker

logger = logging.getLogger("riverlog.broker")

RETRY_SECONDS_MIN = 0.02
RETRY_SECONDS_MAX = 0.5
SOON_SECONDS = 0.001
"""Until something is looked at again that should be over already."""

TopicPartition = tuple[str, int]
Done = Callable[[ErrorCode], None]

_FENCED = frozenset({ErrorCode.INVALID_PRODUCER_EPOCH, ErrorCode.TRANSACTION_COORDINATOR_FENCED})
"""Somebody else coordinates or produces under this id: the order is void."""
_NEVER_WRITTEN = frozenset({ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT, ErrorCode.UNSUPPORTED_VERSION})
"""The partition has no data of the transaction either."""
_PASSING = frozenset(
    {
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.NOT_ENOUGH_REPLICAS,
        ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
        ErrorCode.REQUEST_TIMED_OUT,
        ErrorCode.KAFKA_STORAGE_ERROR,
    }
)
_GROUPS_NOT_READY = frozenset(
    {
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.NOT_COORDINATOR,
    }
)


def write_marker(
    broker: Broker, partition: TopicPartition, marker: MarkerOrder | WritableTxnMarker, done: Done
) -> None:
    """Append a marker to a partition that this broker leads; ``done`` once it is committed there, or with
    the reason why not; perhaps inside this call."""
    if isinstance(marker, MarkerOrder):
        committed = marker.committed
    else:
        committed = marker.transaction_result
    topic, index = partition
    if topic == OFFSETS_TOPIC:
        broker.groups.write_marker(
            index,
            marker.producer_id,
            marker.producer_epoch,
            coordinator_epoch=marker.coordinator_epoch,
            committed=committed,
            transaction_version=marker.transaction_version,
            done=lambda error: done(
                ErrorCode.NOT_LEADER_OR_FOLLOWER if error in _GROUPS_NOT_READY else error
            ),
        )
        return
    found = broker.replicas.led(topic, index)
    if isinstance(found, ErrorCode):
        done(found)
        return
    try:
        info = found.append_marker(
            marker.producer_id,
            marker.producer_epoch,
            coordinator_epoch=marker.coordinator_epoch,
            committed=committed,
            transaction_version=marker.transaction_version,
            now_ms=broker.clock.now_ms(),
        )
    except LogError as refused:
        done(refused.code)
        return
    if found.log.offline is not None:
        done(ErrorCode.KAFKA_STORAGE_ERROR)  # went with this very append
    elif not found.when_committed(info.last_offset, done):
        done(ErrorCode.NONE)


class TxnMarkers:
    """The orders of this broker's transaction coordinators (``coordinator.txn.markers.MarkerSender``)."""

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self._orders: dict[int, dict[str, _Order]] = {}
        """By shard and transactional id."""
        self._channels: dict[int, _Channel] = {}
        """By the id of the broker at the other end."""
        self._waiters: dict[str, dict[int, Callable[[], None]]] = {}
        self._stopped = False

    @property
    def pending(self) -> int:
        """Transactions whose markers are not all written."""
        return sum(len(orders) for orders in self._orders.values())

    def send(self, shard: int, order: MarkerOrder, done: Done) -> None:
        """Have ``order`` written everywhere, then ``done(NONE)``, perhaps inside this call; ``done`` with an
        error if this coordinator or the producer was fenced. Replaces an earlier order of that id."""
        if self._stopped:
            return
        orders = self._orders.setdefault(shard, {})
        earlier = orders.get(order.transactional_id)
        if earlier is not None:
            earlier.drop()
        one = _Order(self, shard, order, done)
        orders[order.transactional_id] = one
        # Sorted: a set has no order of its own, and who is written to first must not depend on hashes.
        self.route(one, sorted(order.partitions))

    def cancel(self, shard: int) -> None:
        """The shard resigned: its orders are given up, and their ``done`` is not called."""
        for order in self._orders.pop(shard, {}).values():
            order.drop()

    def stop(self) -> None:
        self._stopped = True
        for shard in list(self._orders):
            self.cancel(shard)
        for channel in self._channels.values():
            channel.stop()
        self._waiters.clear()

    def wait(self, transactional_id: str, seconds: float, callback: Callable[[], None]) -> None:
        """Call back once: when an order of that id has been carried out, or after so long; soon, if its
        coordinator is here and has no such order any more."""
        shard = self.broker.transactions.shard_of(transactional_id)
        if shard in self.broker.transactions.shards and transactional_id not in self._orders.get(shard, ()):
            seconds = min(seconds, SOON_SECONDS)
        waiters = self._waiters.setdefault(transactional_id, {})
        number = self.broker.next_number()

        def over() -> None:
            if waiters.pop(number, None) is not None:
                if not waiters and self._waiters.get(transactional_id) is waiters:
                    del self._waiters[transactional_id]
                callback()
                self.broker.run_look_again()

        timer = self.broker.clock.call_later(seconds, over)

        def finished() -> None:
            timer.cancel()
            callback()

        waiters[number] = finished

    # -- for orders and channels -----------------------------------------------------------

    def route(self, order: _Order, partitions: Iterable[TopicPartition]) -> None:
        """Towards whoever leads each of ``partitions`` now."""
        broker = self.broker
        image = broker.metadata.image
        node_id = broker.node_id
        remote: dict[int, list[TopicPartition]] = {}
        for partition in partitions:
            if not order.is_open:
                return  # void since a marker before this one
            state = image.partition(*partition)
            if state is None:
                logger.info("%s-%d is gone and needs no marker", *partition)
                order.settled(partition)
            elif state.leader == node_id:
                write_marker(broker, partition, order.order, order.answer_of(partition))
            else:
                remote.setdefault(state.leader, []).append(partition)
        for leader, wanted in remote.items():
            if address_of(broker, leader) is None:
                order.try_again(wanted)
            else:
                channel = self._channels.get(leader)
                if channel is None:
                    channel = self._channels[leader] = _Channel(self, leader)
                channel.add(order, wanted)
        order.finish_if_done()

    def finished(self, order: _Order, error: ErrorCode) -> None:
        orders = self._orders[order.shard]
        assert orders.pop(order.order.transactional_id) is order
        if not orders:
            del self._orders[order.shard]
        order.done(error)
        waiters = self._waiters.pop(order.order.transactional_id, None)
        if waiters is not None:
            for finished in waiters.values():
                finished()


class _Order:
    """One transaction's end, until it is written everywhere."""

    __slots__ = ("_again", "_left", "_markers", "_pause", "_timer", "done", "is_open", "order", "shard")

    def __init__(self, markers: TxnMarkers, shard: int, order: MarkerOrder, done: Done) -> None:
        self._markers = markers
        self.shard = shard
        self.order = order
        self.done = done
        self.is_open = True
        self._left = set(order.partitions)
        self._again: dict[TopicPartition, None] = {}
        """To be sent again when the pause is over."""
        self._timer: Timer | None = None
        self._pause = RETRY_SECONDS_MIN

    def drop(self) -> None:
        """It was given up, replaced, or is finished: answers that still come are of no interest."""
        self.is_open = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def answer_of(self, partition: TopicPartition) -> Done:
        return lambda error: self.answered(partition, error)

    def answered(self, partition: TopicPartition, error: ErrorCode) -> None:
        """What became of the marker for ``partition``."""
        if not self.is_open:
            return
        if not error or error in _NEVER_WRITTEN:
            self._left.discard(partition)
            self.finish_if_done()
        elif error in _FENCED:
            logger.info(
                "the marker of %s for %s-%d is void: %s", self.order.transactional_id, *partition, error.name
            )
            self._finish(error)
        else:
            level = logging.INFO if error in _PASSING else logging.ERROR
            logger.log(
                level,
                "the marker of %s for %s-%d is sent again: %s",
                self.order.transactional_id,
                *partition,
                error.name,
            )
            self.try_again([partition])

    def settled(self, partition: TopicPartition) -> None:
        """Nothing is left to be done there; ``finish_if_done`` follows."""
        self._left.discard(partition)

    def finish_if_done(self) -> None:
        if self.is_open and not self._left:
            self._finish(ErrorCode.NONE)

    def _finish(self, error: ErrorCode) -> None:
        self.drop()
        self._markers.finished(self, error)

    def try_again(self, partitions: Iterable[TopicPartition]) -> None:
        """After a pause that doubles, to the leaders of that time."""
        if not self.is_open:
            return
        self._again.update(dict.fromkeys(partitions))
        if self._timer is None:
            self._timer = self._markers.broker.clock.call_later(self._pause, self._on_pause_over)
            self._pause = min(2 * self._pause, RETRY_SECONDS_MAX)

    def _on_pause_over(self) -> None:
        self._timer = None
        again, self._again = self._again, {}
        self._markers.route(self, [partition for partition in again if partition in self._left])
        self._markers.broker.run_look_again()


class _Channel:
    """To one broker: one request under way, and what waits for the next."""

    __slots__ = ("_broker_id", "_call", "_markers", "_waiting")

    def __init__(self, markers: TxnMarkers, broker_id: int) -> None:
        self._markers = markers
        self._broker_id = broker_id
        self._call = BrokerCall(markers.broker, broker_id, "txn-markers")
        self._waiting: _Batch = {}

    def add(self, order: _Order, partitions: Iterable[TopicPartition]) -> None:
        self._waiting.setdefault(order, {}).update(dict.fromkeys(partitions))
        self._send()

    def stop(self) -> None:
        self._waiting.clear()
        self._call.stop()

    def _send(self) -> None:
        if self._call.is_under_way:
            return
        waiting, self._waiting = self._waiting, {}
        batch = {order: partitions for order, partitions in waiting.items() if order.is_open}
        if not batch:
            return
        request = WriteTxnMarkersRequest(markers=[_marker(order.order, batch[order]) for order in batch])
        if not self._call.send(
            ApiKey.WRITE_TXN_MARKERS,
            request,
            lambda response: self._answered(batch, response),
            is_right=lambda: self._leads(batch),
        ):
            _try_again(batch)

    def _leads(self, batch: _Batch) -> bool:
        """Whether the broker still leads all that it was sent markers for."""
        image = self._markers.broker.metadata.image
        for order, partitions in batch.items():
            for partition in partitions:
                state = image.partition(*partition)
                if order.is_open and (state is None or state.leader != self._broker_id):
                    return False
        return True

    def _answered(self, batch: _Batch, response: Any | None) -> None:
        if response is None:
            _try_again(batch)
        else:
            self._deliver(batch, response)
        self._send()

    @staticmethod
    def _deliver(batch: _Batch, response: Any) -> None:
        results = {
            (marker.producer_id, topic.name, result.partition_index): result.error_code
            for marker in response.markers
            for topic in marker.topics
            for result in topic.partitions
        }
        for order, partitions in batch.items():
            producer_id = order.order.producer_id
            for partition in partitions:
                code = results.get((producer_id, *partition), ErrorCode.UNKNOWN_SERVER_ERROR)
                order.answered(partition, ErrorCode(code))


_Batch = dict[_Order, dict[TopicPartition, None]]


def _try_again(batch: _Batch) -> None:
    for order, partitions in batch.items():
        order.try_again(partitions)


def _marker(order: MarkerOrder, partitions: Iterable[TopicPartition]) -> WritableTxnMarker:
    topics: dict[str, list[int]] = {}
    for topic, index in partitions:
        topics.setdefault(topic, []).append(index)
    return WritableTxnMarker(
        producer_id=order.producer_id,
        producer_epoch=order.producer_epoch,
        transaction_result=order.committed,
        topics=[WritableTxnMarkerTopic(name=name, partition_indexes=found) for name, found in topics.items()],
        coordinator_epoch=order.coordinator_epoch,
        transaction_version=order.transaction_version,
    )
