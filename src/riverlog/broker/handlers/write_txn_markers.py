"""WriteTxnMarkers, from the transaction coordinators of other brokers and from the tool that aborts a hanging
transaction.

Versions 1–2. Answered when every marker is committed in its partition, or ``request.timeout.ms`` is over.
Differs from Kafka: nobody is refused, as no API is authorized yet; a marker that is in the log already is not
written again.
KIPs: 98, 664 (aborting by tool), 890 (transaction version from 2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base import broker_configs
from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.broker.txn_markers import Done, write_marker
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.write_txn_markers_request import WriteTxnMarkersRequest
from riverlog.protocol.generated.write_txn_markers_response import (
    WritableTxnMarkerPartitionResult,
    WritableTxnMarkerResult,
    WritableTxnMarkerTopicResult,
    WriteTxnMarkersResponse,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext
    from riverlog.env import Timer


@handler(ApiKey.WRITE_TXN_MARKERS, versions=(1, 2))
def write_txn_markers(
    broker: Broker, context: RequestContext, request: WriteTxnMarkersRequest
) -> WriteTxnMarkersResponse | Later:
    answers = _Answers(broker, context)
    for marker in request.markers:
        for topic in marker.topics:
            for index in topic.partition_indexes:
                done = answers.expect(marker.producer_id, topic.name, index)
                write_marker(broker, (topic.name, index), marker, done)
    return answers.begin()


class _Answers:
    """By producer id and topic, as Kafka groups them; sent when all are there, or time is over."""

    __slots__ = ("_broker", "_context", "_markers", "_open", "_parked", "_response", "_timer", "_topics")

    def __init__(self, broker: Broker, context: RequestContext) -> None:
        self._broker = broker
        self._context = context
        self._response = WriteTxnMarkersResponse()
        self._markers: dict[int, WritableTxnMarkerResult] = {}
        self._topics: dict[tuple[int, str], WritableTxnMarkerTopicResult] = {}
        self._open: dict[int, WritableTxnMarkerPartitionResult] = {}
        self._parked = False
        self._timer: Timer | None = None

    def expect(self, producer_id: int, topic: str, index: int) -> Done:
        result = WritableTxnMarkerPartitionResult(partition_index=index)
        self._topic_of(producer_id, topic).partitions.append(result)
        number = self._broker.next_number()
        self._open[number] = result

        def done(error: ErrorCode) -> None:
            if self._open.pop(number, None) is None:
                return  # time was over before
            result.error_code = error
            if self._parked and not self._open:
                self._reply()

        return done

    def _topic_of(self, producer_id: int, topic: str) -> WritableTxnMarkerTopicResult:
        found = self._topics.get((producer_id, topic))
        if found is None:
            marker = self._markers.get(producer_id)
            if marker is None:
                marker = self._markers[producer_id] = WritableTxnMarkerResult(producer_id=producer_id)
                self._response.markers.append(marker)
            found = self._topics[producer_id, topic] = WritableTxnMarkerTopicResult(name=topic)
            marker.topics.append(found)
        return found

    def begin(self) -> WriteTxnMarkersResponse | Later:
        if not self._open:
            return self._response
        self._parked = True
        timeout_ms = self._broker.config[broker_configs.REQUEST_TIMEOUT_MS]
        self._timer = self._broker.clock.call_later(timeout_ms / 1000, self._timed_out)
        return PARKED

    def _timed_out(self) -> None:
        for result in self._open.values():
            result.error_code = ErrorCode.REQUEST_TIMED_OUT
        self._open.clear()
        self._reply()

    def _reply(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._context.reply(self._response)
