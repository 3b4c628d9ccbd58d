"""Asking coordinators about transactions that producers write to: is this partition part of it?

Version 1 of transactions verifies that the client added the partition; in version 2 the broker adds it
(KIP-890). A coordinator on this broker is asked by a plain call. To others go AddPartitionsToTxn requests:
one under way per broker, the next takes all that came meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from riverlog.base.errors import ErrorCode
from riverlog.broker.auto_creation import TRANSACTION_STATE_TOPIC
from riverlog.broker.broker_call import BrokerCall, address_of
from riverlog.broker.txn_produce import Lines
from riverlog.coordinator.decision import Decision
from riverlog.coordinator.txn.adding import add_partitions, verify_partitions
from riverlog.coordinator.txn.transaction import BUMPING_VERSION
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.add_partitions_to_txn_request import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
    AddPartitionsToTxnTransaction,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.coordinator.txn.machine import TransactionMachine

TopicPartition = tuple[str, int]
Errors = dict[TopicPartition, ErrorCode]
Done = Callable[[Errors], None]


class TxnVerification:
    """Questions of this broker to coordinators."""

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self._channels: dict[int, _Channel] = {}
        """By the id of the coordinator's broker."""
        self.lines = Lines()

    def verify(
        self,
        transactional_id: str,
        producer_id: int,
        producer_epoch: int,
        partitions: Sequence[TopicPartition],
        *,
        add: bool,
        done: Done,
        abortable: bool = True,
    ) -> None:
        """Whether ``partitions`` are part of the transaction; with ``add``, make them. ``done`` gets the
        error of each, NONE included, perhaps inside this call.

        ``abortable``: the client understands TRANSACTION_ABORTABLE (Produce from 11, TxnOffsetCommit from 4).
        Without a coordinator, an answer or in time the error is one to try again after:
        COORDINATOR_NOT_AVAILABLE or NETWORK_EXCEPTION.
        """
        broker = self.broker
        shard = broker.transactions.shard_of(transactional_id)
        state = broker.metadata.image.partition(TRANSACTION_STATE_TOPIC, shard)
        question = _Question(transactional_id, producer_id, producer_epoch, add)
        asking = _Asking(partitions, done, abortable)
        if state is not None and state.leader == broker.node_id:
            self._ask_here(question, asking)
        elif state is None or address_of(broker, state.leader) is None:
            asking.fail(ErrorCode.COORDINATOR_NOT_AVAILABLE)
        else:
            channel = self._channels.get(state.leader)
            if channel is None:
                channel = self._channels[state.leader] = _Channel(self, state.leader)
            channel.add(question, asking)

    def _ask_here(self, question: _Question, asking: _Asking) -> None:
        partitions = frozenset(asking.partitions)

        def decide(machine: TransactionMachine, now_ms: int) -> Decision:
            if not question.add:
                return verify_partitions(machine, *question.producer, partitions, to=asking.answer)
            return add_partitions(
                machine,
                *question.producer,
                partitions,
                client_version=BUMPING_VERSION,
                now_ms=now_ms,
                to=asking.answer_all,
            )

        error = self.broker.transactions.submit(question.transactional_id, decide)
        if error:
            asking.fail(error)

    def stop(self) -> None:
        for channel in self._channels.values():
            channel.stop()


class _Question(NamedTuple):
    """About one transaction."""

    transactional_id: str
    producer_id: int
    producer_epoch: int
    add: bool

    @property
    def producer(self) -> tuple[str, int, int]:
        return self[:3]

    def encode(self, partitions: Sequence[TopicPartition]) -> AddPartitionsToTxnTransaction:
        topics: dict[str, list[int]] = {}
        for topic, index in partitions:
            topics.setdefault(topic, []).append(index)
        return AddPartitionsToTxnTransaction(
            transactional_id=self.transactional_id,
            producer_id=self.producer_id,
            producer_epoch=self.producer_epoch,
            verify_only=not self.add,
            topics=[AddPartitionsToTxnTopic(name=name, partitions=found) for name, found in topics.items()],
        )


class _Asking:
    """Somebody who wants to know about some partitions."""

    __slots__ = ("_abortable", "_done", "partitions")

    def __init__(self, partitions: Sequence[TopicPartition], done: Done, abortable: bool) -> None:
        self.partitions = partitions
        self._done = done
        self._abortable = abortable

    def fail(self, error: ErrorCode) -> None:
        self._done(dict.fromkeys(self.partitions, error))

    def answer(self, codes: Mapping[TopicPartition, int]) -> None:
        unanswered = ErrorCode.UNKNOWN_SERVER_ERROR
        self._done({one: self._translated(codes.get(one, unanswered)) for one in self.partitions})

    def answer_all(self, code: int) -> None:
        self._done(dict.fromkeys(self.partitions, self._translated(code)))

    def _translated(self, code: int) -> ErrorCode:
        if code == ErrorCode.PRODUCER_FENCED:
            return ErrorCode.INVALID_PRODUCER_EPOCH  # what producers expect of a Produce
        if code == ErrorCode.OPERATION_NOT_ATTEMPTED:
            return ErrorCode.COORDINATOR_NOT_AVAILABLE  # another partition of the question was the trouble
        if code == ErrorCode.TRANSACTION_ABORTABLE and not self._abortable:
            return ErrorCode.INVALID_TXN_STATE
        return ErrorCode(code)


_Batch = dict[str, tuple[_Question, list[_Asking]]]


class _Channel:
    """To one broker: one request under way, and what waits for the next."""

    __slots__ = ("_call", "_waiting")

    def __init__(self, verification: TxnVerification, broker_id: int) -> None:
        self._call = BrokerCall(verification.broker, broker_id, "txn-verification")
        self._waiting: _Batch = {}

    def add(self, question: _Question, asking: _Asking) -> None:
        """Equal questions become one. Of two that are not, about one id, the newer epoch stands; of equal
        epochs the later question: a client that tries again."""
        waiting = self._waiting.get(question.transactional_id)
        if waiting is not None and waiting[0] == question:
            waiting[1].append(asking)
            return
        theirs = question.producer_epoch if waiting is None else waiting[0].producer_epoch
        if question.producer_epoch < theirs:
            asking.fail(ErrorCode.INVALID_PRODUCER_EPOCH)
            return
        self._waiting[question.transactional_id] = (question, [asking])
        if waiting is not None:
            fenced = theirs < question.producer_epoch
            for one in waiting[1]:  # who may ask again at once
                one.fail(ErrorCode.INVALID_PRODUCER_EPOCH if fenced else ErrorCode.NETWORK_EXCEPTION)
        self._send()

    def stop(self) -> None:
        self._waiting.clear()
        self._call.stop()

    def _send(self) -> None:
        if self._call.is_under_way or not self._waiting:
            return
        batch, self._waiting = self._waiting, {}
        transactions = [
            question.encode(list(dict.fromkeys(part for one in askings for part in one.partitions)))
            for question, askings in batch.values()
        ]
        if not self._call.send(
            ApiKey.ADD_PARTITIONS_TO_TXN,
            AddPartitionsToTxnRequest(transactions=transactions),
            lambda response: self._answered(batch, response),
        ):
            _fail(batch, ErrorCode.COORDINATOR_NOT_AVAILABLE)

    def _answered(self, batch: _Batch, response: Any | None) -> None:
        if response is None:
            _fail(batch, ErrorCode.NETWORK_EXCEPTION)
        else:
            _deliver(response, {name: askings for name, (_, askings) in batch.items()})
        self._send()


def _deliver(response: Any, askings: dict[str, list[_Asking]]) -> None:
    """What a coordinator said, to those who asked by transactional id."""
    whole = response.error_code
    if whole == ErrorCode.CLUSTER_AUTHORIZATION_FAILED:
        whole = ErrorCode.INVALID_TXN_STATE  # nothing that a client should see
    results = {result.transactional_id: result for result in response.results_by_transaction}
    for transactional_id, waiting in askings.items():
        codes: dict[TopicPartition, int] = {}
        result = results.get(transactional_id)
        if result is not None:
            for topic in result.topic_results:
                for partition in topic.results_by_partition:
                    codes[topic.name, partition.partition_index] = partition.partition_error_code
        for asking in waiting:
            if whole:
                asking.fail(ErrorCode(whole))
            else:
                asking.answer(codes)


def _fail(batch: _Batch, error: ErrorCode) -> None:
    for _, askings in batch.values():
        for asking in askings:
            asking.fail(error)
