"""DescribeTransactions: what the coordinator knows of each transactional id.

Version 0. Differs from Kafka: nothing known.
KIPs: 664.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.coordinator.decision import Decision, Reply
from riverlog.coordinator.txn.listing import described, not_described
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_transactions_request import DescribeTransactionsRequest
from riverlog.protocol.generated.describe_transactions_response import (
    DescribeTransactionsResponse,
    TransactionState,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.DESCRIBE_TRANSACTIONS, versions=(0, 0))
def describe_transactions(
    broker: Broker, context: RequestContext, request: DescribeTransactionsRequest
) -> DescribeTransactionsResponse | Later:
    ids = request.transactional_ids
    if not ids:
        return DescribeTransactionsResponse()
    states: list[TransactionState] = [TransactionState() for _ in ids]
    left = len(ids)

    def done_with(number: int) -> Callable[[TransactionState], None]:
        def done(state: TransactionState) -> None:
            nonlocal left
            states[number] = state
            left -= 1
            if left == 0:
                context.reply(DescribeTransactionsResponse(transaction_states=states))

        return done

    for number, transactional_id in enumerate(ids):
        _describe(broker, transactional_id, done_with(number))
    return PARKED


def _describe(broker: Broker, transactional_id: str, done: Callable[[TransactionState], None]) -> None:
    def failed(error: ErrorCode) -> TransactionState:
        return not_described(transactional_id, error)

    if not transactional_id:
        done(failed(ErrorCode.INVALID_REQUEST))
        return
    error = broker.transactions.submit(
        transactional_id,
        lambda machine, _now_ms: Decision(
            replies=[Reply(done, described(machine, transactional_id), failed)]
        ),
    )
    if error:
        done(failed(error))
