"""The machine of one partition of ``__transaction_state``: the transactional ids that hash to it.

``init``, ``adding`` and ``ending`` decide on requests, ``listing`` reads. A step counts as soon as it is
in the log, for the next decision; its answers, and the markers of a transaction that was ended, leave once
it is committed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from riverlog.base import broker_configs_txn as txn_configs
from riverlog.base.config import BrokerConfig
from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import CoordinatorRecord, Decision
from riverlog.coordinator.host import Shard
from riverlog.coordinator.txn import ending
from riverlog.coordinator.txn.markers import MarkerSender
from riverlog.coordinator.txn.records import read_transaction, tombstone, transaction_record
from riverlog.coordinator.txn.states import TxnState
from riverlog.coordinator.txn.transaction import Transaction
from riverlog.protocol.generated.transaction_log_key import TransactionLogKey
from riverlog.protocol.generated.transaction_log_value import TransactionLogValue
from riverlog.protocol.primitives import Wire

logger = logging.getLogger("riverlog.coordinator")

_TIMEOUTS = "timeouts"
_EXPIRY = "expiry"


class TransactionMachine:
    """One shard's transactional ids. Made by the host."""

    def __init__(
        self,
        shard: Shard[TransactionMachine],
        *,
        config: BrokerConfig,
        transaction_version: Callable[[], int],
        new_producer_id: Callable[[], int | None],
        markers: MarkerSender,
    ) -> None:
        self.shard = shard
        self.config = config
        self.transaction_version = transaction_version
        """The finalized level of the feature."""
        self.new_producer_id = new_producer_id
        """An id that nobody has, or None while there is none; one is asked for then."""
        self.markers = markers
        self.transactions: dict[str, Transaction] = {}
        self.given: dict[str, Transaction] = {}
        """What InitProducerId last gave for an epoch that was brought; memory only (KIP-360)."""
        self.ended: dict[str, Transaction] = {}
        """Every partition has its marker, and the log does not say so yet; memory only."""
        self._ongoing: dict[str, None] = {}
        self._is_loaded = False

    def record(self, transaction: Transaction) -> CoordinatorRecord:
        return transaction_record(transaction, transaction_version=self.transaction_version())

    def settled(
        self, transactional_id: str, now_ms: int
    ) -> tuple[Transaction | None, list[CoordinatorRecord]]:
        """A transactional id, complete if its markers are, and the record of that if it is still to be
        written: with those of the decision, so that the disk is waited for once."""
        prepared = self.ended.get(transactional_id)
        if prepared is None:
            return self.transactions.get(transactional_id), []
        step = prepared.completed(now_ms=now_ms)
        return step, [self.record(step)]

    # -- replaying -----------------------------------------------------------------------

    def replay(
        self, offset: int, timestamp_ms: int, key: Wire, value: Wire | None, *, producer_id: int = -1
    ) -> None:
        assert isinstance(key, TransactionLogKey)
        transactional_id = key.transactional_id
        self.ended.pop(transactional_id, None)
        if value is None:
            self.transactions.pop(transactional_id, None)
            self.given.pop(transactional_id, None)
            self._ongoing.pop(transactional_id, None)
            return
        assert isinstance(value, TransactionLogValue)
        before = self.transactions.get(transactional_id)
        transaction = read_transaction(transactional_id, value, before)
        if transaction.state is TxnState.EMPTY:
            given = self.given.get(transactional_id)
            if given is not None and given.has_producer_of(transaction):
                transaction = transaction._replace(last_epoch=given.last_epoch)
        self.transactions[transactional_id] = transaction
        if transaction.state is TxnState.ONGOING:
            if not self._ongoing and self._is_loaded:
                self._watch()
            self._ongoing[transactional_id] = None
        else:
            self._ongoing.pop(transactional_id, None)

    def replay_marker(self, producer_id: int, *, committed: bool) -> None:
        """There are no transactions over this topic."""

    # -- coming and going ----------------------------------------------------------------

    def refused(self, records: list[CoordinatorRecord], error: ErrorCode) -> None:
        """Deciding changes nothing."""

    def loaded(self, now_ms: int) -> None:
        """What was decided and not yet told to all partitions is told to all of them again."""
        self._is_loaded = True
        if self._ongoing:
            self._watch()
        self.shard.schedule(_EXPIRY, self._expiry_interval_ms, TransactionMachine._on_expiry)
        for transaction in list(self.transactions.values()):
            if transaction.state.is_prepared:
                ending.send_order(self, transaction)

    def unloaded(self, error: ErrorCode) -> None:
        self.markers.cancel(self.shard.index)

    # -- time-outs -----------------------------------------------------------------------

    def _watch(self) -> None:
        interval_ms = self.config[txn_configs.TRANSACTION_ABORT_TIMED_OUT_CLEANUP_INTERVAL_MS]
        self.shard.schedule(_TIMEOUTS, interval_ms, TransactionMachine._on_timeouts)

    def _on_timeouts(self, now_ms: int) -> Decision:
        """Abort what is open for too long, and fence its producer."""
        decision = Decision(atomic=False)
        for transactional_id in list(self._ongoing):
            transaction = self.transactions[transactional_id]
            if transaction.start_ms + transaction.timeout_ms < now_ms:
                step = ending.fence(self, transaction, now_ms)
                if step is None:
                    continue  # no producer id now: at the next round
                logger.info("the transaction of %s timed out", transactional_id)
                decision.records.append(self.record(step))
                decision.replies.append(ending.when_committed(self, step))
        if self._ongoing:
            self._watch()
        return decision

    # -- expiry --------------------------------------------------------------------------

    @property
    def _expiry_interval_ms(self) -> int:
        return self.config[txn_configs.TRANSACTION_REMOVE_EXPIRED_CLEANUP_INTERVAL_MS]

    def _on_expiry(self, now_ms: int) -> Decision:
        """Forget ids that nobody has used for a long time."""
        latest_ms = now_ms - self.config[txn_configs.TRANSACTIONAL_ID_EXPIRATION_MS]
        self.shard.schedule(_EXPIRY, self._expiry_interval_ms, TransactionMachine._on_expiry)
        return Decision(
            [
                tombstone(transaction.transactional_id)
                for transaction in self.transactions.values()
                if transaction.state.is_idle and transaction.update_ms <= latest_ms
            ],
            atomic=False,
        )
