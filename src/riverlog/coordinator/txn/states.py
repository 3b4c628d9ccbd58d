"""The states of a transactional id, and which may follow which. Kafka's ids and names."""

from __future__ import annotations

from enum import IntEnum


class TxnState(IntEnum):
    EMPTY = 0
    """The id has a producer, and never had a transaction with it."""
    ONGOING = 1
    PREPARE_COMMIT = 2
    """Decided: markers are being written."""
    PREPARE_ABORT = 3
    COMPLETE_COMMIT = 4
    """Every partition has its marker."""
    COMPLETE_ABORT = 5
    DEAD = 6
    """Never written, nor is ``PREPARE_EPOCH_FENCE``: Kafka's names for what is on its way."""
    PREPARE_EPOCH_FENCE = 7

    @property
    def kafka_name(self) -> str:
        """As DescribeTransactions says it."""
        return _NAMES[self]

    @property
    def is_prepared(self) -> bool:
        return self in _PREPARED

    @property
    def is_idle(self) -> bool:
        """No transaction: the id may expire."""
        return self in _IDLE


_NAMES = {state: "".join(part.capitalize() for part in state.name.split("_")) for state in TxnState}
STATES_BY_NAME = {name: state for state, name in _NAMES.items()}

_PREPARED = frozenset({TxnState.PREPARE_COMMIT, TxnState.PREPARE_ABORT})
_IDLE = frozenset({TxnState.EMPTY, TxnState.COMPLETE_COMMIT, TxnState.COMPLETE_ABORT})

BEFORE: dict[TxnState, frozenset[TxnState]] = {
    TxnState.EMPTY: _IDLE,
    TxnState.ONGOING: _IDLE | {TxnState.ONGOING},
    TxnState.PREPARE_COMMIT: frozenset({TxnState.ONGOING}),
    # From an idle state: version 2 aborts a transaction that added nothing.
    TxnState.PREPARE_ABORT: _IDLE | {TxnState.ONGOING},
    TxnState.COMPLETE_COMMIT: frozenset({TxnState.PREPARE_COMMIT}),
    TxnState.COMPLETE_ABORT: frozenset({TxnState.PREPARE_ABORT}),
}
"""Which states each may follow."""
