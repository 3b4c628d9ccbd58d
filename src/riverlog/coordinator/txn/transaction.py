"""One transactional id, as a value, and the steps it can take. A step is a new value; nothing is changed.

``previous_producer_id`` is the producer id before the step, as Kafka records it: it tells a retry that
came over a change of the producer id.
"""

from __future__ import annotations

from typing import NamedTuple

from riverlog.coordinator.txn.states import BEFORE, TxnState

NO_PRODUCER_ID = -1
NO_EPOCH = -1
EPOCH_MAX = 32_767
EPOCH_GIVEN_MAX = EPOCH_MAX - 1
"""The last epoch that a client gets: the one above is left for fencing it."""
NO_TIME = -1
BUMPING_VERSION = 2
"""From this transaction version on, every transaction ends with a new epoch (KIP-890)."""

TopicPartition = tuple[str, int]
NOTHING: frozenset[TopicPartition] = frozenset()


class Transaction(NamedTuple):
    transactional_id: str
    producer_id: int
    timeout_ms: int
    update_ms: int
    state: TxnState = TxnState.EMPTY
    producer_epoch: int = NO_EPOCH
    last_epoch: int = NO_EPOCH
    """The epoch that ``producer_epoch`` was given for: who still brings it asks again (KIP-360). In memory
    only, as in Kafka; what a record tells of it is taken from there."""
    previous_producer_id: int = NO_PRODUCER_ID
    next_producer_id: int = NO_PRODUCER_ID
    """What takes the producer id's place when the transaction is complete: its epochs are used up."""
    partitions: frozenset[TopicPartition] = NOTHING
    start_ms: int = NO_TIME
    client_version: int = 0
    """The transaction version of whoever made the last step."""

    @property
    def is_exhausted(self) -> bool:
        """No epoch is left to give."""
        return is_exhausted(self.producer_epoch)

    def has_producer_of(self, other: Transaction) -> bool:
        return (self.producer_id, self.producer_epoch) == (other.producer_id, other.producer_epoch)

    def step(self, state: TxnState, now_ms: int) -> Transaction:
        assert self.state in BEFORE[state], f"{self.transactional_id}: {self.state.name} → {state.name}"
        return self._replace(state=state, previous_producer_id=self.producer_id, update_ms=now_ms)

    # -- a producer comes ----------------------------------------------------------------

    def initialized(self, epoch: int, last_epoch: int, *, timeout_ms: int, now_ms: int) -> Transaction:
        return self.step(TxnState.EMPTY, now_ms)._replace(
            producer_epoch=epoch,
            last_epoch=last_epoch,
            timeout_ms=timeout_ms,
            partitions=NOTHING,
            start_ms=NO_TIME,
        )

    def rotated(self, producer_id: int, *, keep_epoch: bool, timeout_ms: int, now_ms: int) -> Transaction:
        """A new producer id, from epoch 0 on."""
        last_epoch = self.producer_epoch if keep_epoch else NO_EPOCH
        step = self.initialized(0, last_epoch, timeout_ms=timeout_ms, now_ms=now_ms)
        return step._replace(producer_id=producer_id)

    # -- a transaction -------------------------------------------------------------------

    def added(
        self, partitions: frozenset[TopicPartition], *, client_version: int, now_ms: int
    ) -> Transaction:
        return self.step(TxnState.ONGOING, now_ms)._replace(
            partitions=self.partitions | partitions,
            start_ms=self.start_ms if self.state is TxnState.ONGOING else now_ms,
            client_version=client_version,
        )

    def prepared(
        self,
        *,
        committed: bool,
        client_version: int,
        now_ms: int,
        next_producer_id: int = NO_PRODUCER_ID,
    ) -> Transaction:
        """The producer ended it. In version 2 nothing that comes with the old epoch counts any more."""
        state = TxnState.PREPARE_COMMIT if committed else TxnState.PREPARE_ABORT
        step = self.step(state, now_ms)._replace(
            client_version=client_version,
            next_producer_id=next_producer_id,
            start_ms=self.start_ms if self.state is TxnState.ONGOING else now_ms,
        )
        if client_version < BUMPING_VERSION:
            return step
        return step._replace(
            producer_epoch=min(self.producer_epoch + 1, EPOCH_MAX), last_epoch=self.producer_epoch
        )

    def fenced(
        self, *, server_version: int, now_ms: int, next_producer_id: int = NO_PRODUCER_ID
    ) -> Transaction:
        """The coordinator aborts it, in an epoch that the producer does not have."""
        if server_version >= BUMPING_VERSION:
            return self.prepared(
                committed=False,
                client_version=server_version,
                now_ms=now_ms,
                next_producer_id=next_producer_id,
            )
        step = self.prepared(committed=False, client_version=0, now_ms=now_ms)
        return step._replace(producer_epoch=min(self.producer_epoch + 1, EPOCH_MAX), last_epoch=NO_EPOCH)

    def completed(self, *, now_ms: int) -> Transaction:
        committed = self.state is TxnState.PREPARE_COMMIT
        step = self.step(TxnState.COMPLETE_COMMIT if committed else TxnState.COMPLETE_ABORT, now_ms)
        step = step._replace(partitions=NOTHING, next_producer_id=NO_PRODUCER_ID)
        if self.client_version >= BUMPING_VERSION and self.next_producer_id != NO_PRODUCER_ID:
            return step._replace(producer_id=self.next_producer_id, producer_epoch=0)
        return step


def is_exhausted(epoch: int) -> bool:
    return epoch >= EPOCH_GIVEN_MAX
