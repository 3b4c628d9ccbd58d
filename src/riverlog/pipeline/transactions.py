"""One transaction of one transactional id, by calls that wait for their answer.

Whoever begins one has the id from then on: what its last owner left open is aborted, and whatever that
owner still sends is refused (it is *fenced*). Rows themselves go through ``sending.Sender``.

Clusters with ``transaction.version`` 2 (KIP-890) add partitions by the first batch that is written to
them, and end a transaction with a new epoch; those before it are told of partitions one step ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Self, TypeVar

from riverlog.base.errors import ErrorCode
from riverlog.client.cluster import TopicPartition
from riverlog.client.connection import Request
from riverlog.client.errors import BrokerRefused, ClientError
from riverlog.client.producer import TransactionalProducer
from riverlog.pipeline.errors import ClusterError
from riverlog.pipeline.patience import check, persist
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.add_partitions_to_txn_request import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
)
from riverlog.protocol.generated.end_txn_request import EndTxnRequest
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.init_producer_id_request import InitProducerIdRequest
from riverlog.runtime.client_io import BlockingClient

T = TypeVar("T")

_TRANSACTION = 1
"""The kind of key, as FindCoordinator numbers it."""
_FEATURE = "transaction.version"
_LEVEL_THAT_ADDS = 2
_ADD_VERSION_MAX = 3
"""Later versions are for brokers."""
_END_VERSION_WITH_SAME_EPOCH = 4
_ABORT_SECONDS_MAX = 5.0

_FENCED = frozenset(
    {
        ErrorCode.PRODUCER_FENCED,
        ErrorCode.INVALID_PRODUCER_EPOCH,
        ErrorCode.INVALID_PRODUCER_ID_MAPPING,
    }
)


class Fenced(ClusterError):
    """Somebody else has the transactional id now, or the coordinator has given the transaction up."""


class Coordinators:
    """Which broker coordinates which transactional id; asked once, and again after trouble."""

    def __init__(self, client: BlockingClient) -> None:
        self._client = client
        self._nodes: dict[str, int] = {}

    def find(self, transactional_id: str) -> int:
        node_id = self._nodes.get(transactional_id)
        if node_id is None:
            self._client.refresh([])
            request = FindCoordinatorRequest(key_type=_TRANSACTION, coordinator_keys=[transactional_id])
            (row,) = self._client.call(ApiKey.FIND_COORDINATOR, request).coordinators
            check(row.error_code, row.error_message)
            node_id = self._nodes[transactional_id] = row.node_id
        return node_id

    def forget(self, transactional_id: str) -> None:
        self._nodes.pop(transactional_id, None)


class Transaction:
    """Begun by ``with``. Whatever leaves the block without ``commit`` is aborted."""

    def __init__(
        self,
        client: BlockingClient,
        coordinators: Coordinators,
        transactional_id: str,
        *,
        timeout_ms: int,
        patience_seconds: float,
    ) -> None:
        self.producer = TransactionalProducer(transactional_id, -1, -1)
        self._client = client
        self._coordinators = coordinators
        self._timeout_ms = timeout_ms
        self._patience_seconds = patience_seconds
        self._added: set[TopicPartition] = set()

    @property
    def id(self) -> str:
        return self.producer.transactional_id

    def __enter__(self) -> Self:
        request = InitProducerIdRequest(
            transactional_id=self.id,
            transaction_timeout_ms=self._timeout_ms,
            producer_id=-1,
            producer_epoch=-1,
        )
        what = "begin a transaction"
        answer = self._ask(what, Request(ApiKey.INIT_PRODUCER_ID, request))
        level = self._persist(what, lambda node_id: self._client.features(node_id).get(_FEATURE, 0))
        self.producer = TransactionalProducer(
            self.id, answer.producer_id, answer.producer_epoch, adds_by_producing=level >= _LEVEL_THAT_ADDS
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._added:
            self._abort()

    def add(self, places: Iterable[TopicPartition]) -> None:
        """Make partitions part of the transaction, before anything is written there."""
        new = [place for place in dict.fromkeys(places) if place not in self._added]
        if not new:
            return
        # Before the request: if its answer is lost, there is something to abort all the same.
        self._added.update(new)
        if self.producer.adds_by_producing:
            return
        topics: dict[str, AddPartitionsToTxnTopic] = {}
        for topic, index in new:
            row = topics.setdefault(topic, AddPartitionsToTxnTopic(name=topic, partitions=[]))
            row.partitions.append(index)
        message = AddPartitionsToTxnRequest(
            v3_and_below_transactional_id=self.id,
            v3_and_below_producer_id=self.producer.producer_id,
            v3_and_below_producer_epoch=self.producer.producer_epoch,
            v3_and_below_topics=list(topics.values()),
        )
        request = Request(ApiKey.ADD_PARTITIONS_TO_TXN, message, max_version=_ADD_VERSION_MAX)
        self._ask("add partitions to a transaction", request)

    def commit(self) -> None:
        """All that was written counts from here on. If the answer is lost, the outcome is not known."""
        self._end("commit a transaction", committed=True, seconds=self._patience_seconds)
        self._added.clear()

    def _abort(self) -> None:
        """So that readers need not wait for the time-out; the trouble that led here may prevent it."""
        try:
            self._end(
                "abort a transaction",
                committed=False,
                seconds=min(self._patience_seconds, _ABORT_SECONDS_MAX),
            )
        except (ClusterError, ClientError):
            return
        self._added.clear()

    def _end(self, what: str, *, committed: bool, seconds: float) -> None:
        producer = self.producer
        message = EndTxnRequest(
            transactional_id=self.id,
            producer_id=producer.producer_id,
            producer_epoch=producer.producer_epoch,
            committed=committed,
        )
        max_version = None if producer.adds_by_producing else _END_VERSION_WITH_SAME_EPOCH
        self._ask(what, Request(ApiKey.END_TXN, message, max_version=max_version), seconds=seconds)

    def _ask(self, what: str, request: Request, *, seconds: float | None = None) -> Any:
        """The coordinator's answer; asked again while it is busy, loading, or moves."""

        def attempt(node_id: int) -> Any:
            answer = self._client.call_request(request, node_id=node_id)
            self._check(answer)
            return answer

        return self._persist(what, attempt, seconds=seconds)

    def _persist(self, what: str, attempt: Callable[[int], T], *, seconds: float | None = None) -> T:
        """``attempt`` gets the node that coordinates."""
        return persist(
            f"cannot {what} of {self.id}",
            lambda: attempt(self._coordinators.find(self.id)),
            seconds=self._patience_seconds if seconds is None else seconds,
            between=self._look_again,
        )

    def _look_again(self, trouble: ClientError) -> None:
        # A transaction that is just being ended is the right coordinator's answer.
        if isinstance(trouble, BrokerRefused) and trouble.code is ErrorCode.CONCURRENT_TRANSACTIONS:
            return
        self._coordinators.forget(self.id)

    def _check(self, answer: Any) -> None:
        try:
            check(_code(answer))
        except BrokerRefused as problem:
            if problem.code in _FENCED:
                raise fenced(self.id) from None
            if problem.code is ErrorCode.INVALID_TRANSACTION_TIMEOUT:
                raise ClusterError(
                    f"kafka.transaction.timeout.ms={self._timeout_ms} is above the brokers' "
                    "transaction.max.timeout.ms: lower the one or raise the other"
                ) from None
            raise


def fenced(transactional_id: str) -> Fenced:
    return Fenced(
        f"{transactional_id} is fenced: another attempt of this task has taken over, another driver runs the "
        "same query, or the transaction took longer than kafka.transaction.timeout.ms. The next attempt sees "
        "what is committed"
    )


def is_fenced(code: ErrorCode) -> bool:
    return code in _FENCED


def _code(answer: Any) -> int:
    for topic in getattr(answer, "results_by_topic_v3_and_below", ()):
        for row in topic.results_by_partition:
            if row.partition_error_code not in (ErrorCode.NONE, ErrorCode.OPERATION_NOT_ATTEMPTED):
                return int(row.partition_error_code)
    return int(answer.error_code)
