"""One transaction of ``riverlog produce``: all lines or none."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from riverlog.base.errors import ErrorCode
from riverlog.cli.coordinators import RETRY_SECONDS, SECONDS_MAX, TRANSACTION, coordinator
from riverlog.cli.errors import UserError
from riverlog.client.connection import Request
from riverlog.client.errors import describe_error, error_code
from riverlog.client.producer import TransactionalProducer
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.add_partitions_to_txn_request import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
)
from riverlog.protocol.generated.end_txn_request import EndTxnRequest
from riverlog.protocol.generated.init_producer_id_request import InitProducerIdRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverlog.runtime.client_io import BlockingClient

# The protocol that every broker with transactions speaks: partitions are added before they are written
# to, and the epoch stays the same when the transaction ends.
_ADD_VERSION_MAX = 3
_END_VERSION_MAX = 4
_AGAIN = frozenset(
    {
        ErrorCode.CONCURRENT_TRANSACTIONS,
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.NOT_COORDINATOR,
    }
)
_SHUT_OUT = frozenset({ErrorCode.PRODUCER_FENCED, ErrorCode.INVALID_PRODUCER_EPOCH})


class Transaction:
    """Open from its making on; whoever had the transactional id before is shut out."""

    def __init__(self, client: BlockingClient, transactional_id: str, timeout_ms: int) -> None:
        self._client = client
        self._id = transactional_id
        self._node_id = coordinator(client, transactional_id, TRANSACTION)
        self._added: set[tuple[str, int]] = set()
        message = InitProducerIdRequest(transactional_id=transactional_id, transaction_timeout_ms=timeout_ms)
        answer = self._call(Request(ApiKey.INIT_PRODUCER_ID, message), lambda found: int(found.error_code))
        self.producer = TransactionalProducer(transactional_id, answer.producer_id, answer.producer_epoch)

    def add(self, topic: str, partition: int) -> None:
        """Make a partition part of the transaction, before anything is written there."""
        if (topic, partition) in self._added:
            return
        message = AddPartitionsToTxnRequest(
            v3_and_below_transactional_id=self._id,
            v3_and_below_producer_id=self.producer.producer_id,
            v3_and_below_producer_epoch=self.producer.producer_epoch,
            v3_and_below_topics=[AddPartitionsToTxnTopic(name=topic, partitions=[partition])],
        )
        request = Request(ApiKey.ADD_PARTITIONS_TO_TXN, message, max_version=_ADD_VERSION_MAX)
        self._call(request, _code_of_added)
        self._added.add((topic, partition))

    def end(self, *, committed: bool) -> None:
        if not self._added:
            return  # nothing was written: there is nothing to end
        message = EndTxnRequest(
            transactional_id=self._id,
            producer_id=self.producer.producer_id,
            producer_epoch=self.producer.producer_epoch,
            committed=committed,
        )
        request = Request(ApiKey.END_TXN, message, max_version=_END_VERSION_MAX)
        self._call(request, lambda answer: int(answer.error_code))

    def _call(self, request: Request, code_of: Callable[[Any], int]) -> Any:
        """The answer; asked for again while the coordinator is busy, loading, or moves."""
        deadline = time.monotonic() + SECONDS_MAX
        while True:
            answer = self._client.call_request(request, node_id=self._node_id)
            code = error_code(code_of(answer))
            if code is ErrorCode.NONE:
                return answer
            if code not in _AGAIN or time.monotonic() > deadline:
                raise UserError(f"transactional id {self._id!r}: {_refusal(code)}")
            time.sleep(RETRY_SECONDS)
            self._node_id = coordinator(self._client, self._id, TRANSACTION)


def _code_of_added(answer: Any) -> int:
    for topic in answer.results_by_topic_v3_and_below:
        for row in topic.results_by_partition:
            if row.partition_error_code:
                return int(row.partition_error_code)
    return 0


def _refusal(code: ErrorCode) -> str:
    if code in _SHUT_OUT:
        return "another producer has taken it, or the transaction timed out; nothing is committed"
    if code is ErrorCode.INVALID_TRANSACTION_TIMEOUT:
        return "--transaction-timeout is above the broker's transaction.max.timeout.ms"
    return describe_error(code)
