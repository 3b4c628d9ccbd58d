"""ListTransactions: the transactional ids that this broker coordinates.

Versions 0–2. Differs from Kafka: nothing known.
KIPs: 664, 994 (duration from 1), 1152 (pattern from 2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.coordinator.group.regex import invalid, matching
from riverlog.coordinator.txn.listing import Filter, listed
from riverlog.coordinator.txn.states import STATES_BY_NAME
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.list_transactions_request import ListTransactionsRequest
from riverlog.protocol.generated.list_transactions_response import ListTransactionsResponse, TransactionState

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.LIST_TRANSACTIONS, versions=(0, 2))
def list_transactions(
    broker: Broker, context: RequestContext, request: ListTransactionsRequest
) -> ListTransactionsResponse | Later:
    pattern = request.transactional_id_pattern
    if pattern and invalid(pattern) is not None:
        return ListTransactionsResponse(error_code=ErrorCode.INVALID_REGULAR_EXPRESSION)
    names = request.state_filters
    wanted = Filter(
        states=frozenset(STATES_BY_NAME[name] for name in names if name in STATES_BY_NAME) if names else None,
        producer_ids=frozenset(request.producer_id_filters),
        duration_ms=request.duration_filter,
    )
    unknown = [name for name in dict.fromkeys(names) if name not in STATES_BY_NAME]

    def done(found: list[list[TransactionState]], error: ErrorCode) -> None:
        if error:
            context.reply(ListTransactionsResponse(error_code=error))
            return
        states = [state for part in found for state in part]
        if pattern:
            kept = matching(pattern, [state.transactional_id for state in states])
            states = [state for state in states if state.transactional_id in kept]
        context.reply(ListTransactionsResponse(unknown_state_filters=unknown, transaction_states=states))

    broker.transactions.read(lambda machine, now_ms: listed(machine, wanted, now_ms), done)
    return PARKED
