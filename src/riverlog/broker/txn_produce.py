"""Produce with a transactional id: a batch that would begin its transaction in a partition waits until the
coordinator has said that the transaction is under way and the partition part of it (KIP-890).

Where the coordinator is this broker and has nothing to write, that costs no wait. Otherwise the batch is
copied out of the frame. Batches of one producer for one partition keep their order: later ones stand in line
behind the one that waits. All that is not transactional, or goes on with a transaction, is appended at once.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from riverlog.base import broker_configs
from riverlog.base import broker_configs_txn as txn_configs
from riverlog.base.errors import ErrorCode
from riverlog.broker.appending import ACKS, ALL, check, find, refused, refused_whole, with_leaders, write
from riverlog.broker.gather import Gather
from riverlog.broker.registry import NO_REPLY, PARKED, Later
from riverlog.protocol.generated.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from riverlog.protocol.generated.produce_response import (
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)
from riverlog.records import ValidBatch
from riverlog.replication import Partition
from riverlog.storage import UNVERIFIED, LogError, VerificationGuard

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

ADDING_VERSION_MIN = 12
"""From this version of Produce on the broker adds partitions to transactions; clients use it only where
transactions have version 2."""
ABORTABLE_VERSION_MIN = 11
"""From this version on clients understand TRANSACTION_ABORTABLE."""
HELD_BYTES_MAX = 1 << 28
"""Batches that wait, all together; one more is refused, and comes again."""
HELD_OVERHEAD_BYTES = 3_000
"""What a batch that waits costs besides its records: with ``acks=0`` a client may send any number of small
ones."""

_UNVERIFIABLE = frozenset(
    {
        ErrorCode.NETWORK_EXCEPTION,
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.NOT_COORDINATOR,
    }
)
"""Passing troubles of coordinators, which clients do not expect of a Produce: they are told
NOT_ENOUGH_REPLICAS, and try again without looking for another leader."""

LineKey = tuple[str, int, int, int]
"""Topic, partition, producer id and epoch."""


class Lines:
    """Batches behind one whose verification is under way."""

    def __init__(self, held_bytes_max: int = HELD_BYTES_MAX) -> None:
        self._held_bytes_max = held_bytes_max
        self._lines: dict[LineKey, deque[_Batch]] = {}
        self._held_bytes = 0

    def join(self, batch: _Batch) -> bool:
        """Stand in line, if there is one."""
        line = self._lines.get(batch.line_key)
        if line is None:
            return False
        if self.hold(batch):
            line.append(batch)
        return True

    def open(self, batch: _Batch) -> None:
        """``batch`` waits for an answer: a line begins behind it."""
        if self.hold(batch):
            batch.is_head = True
            self._lines[batch.line_key] = deque()

    def hold(self, batch: _Batch) -> bool:
        """Copy it out of the frame, which ends with the request; False if that was one too many."""
        if batch.held_bytes:
            return True
        size = len(batch.valid.buffer) + HELD_OVERHEAD_BYTES
        if self._held_bytes + size > self._held_bytes_max:
            batch.refuse_for_now("too many batches wait for their coordinators")
            return False
        batch.valid.buffer = memoryview(bytearray(batch.valid.buffer))
        batch.held_bytes = size
        self._held_bytes += size
        return True

    def over(self, batch: _Batch) -> None:
        """It was answered: the next may go."""
        self._held_bytes -= batch.held_bytes
        batch.held_bytes = 0
        if not batch.is_head:
            return
        batch.is_head = False
        line = self._lines[batch.line_key]
        while line:
            following = line.popleft()
            _Verification(following.request, [following]).attempt()
            if not following.is_over:
                following.is_head = True
                return
        del self._lines[batch.line_key]


class TxnProduce:
    """One request."""

    __slots__ = (
        "_failed",
        "_is_inline",
        "_open",
        "_response",
        "adds",
        "broker",
        "context",
        "gather",
        "request",
        "transactional_id",
    )

    def __init__(self, broker: Broker, context: RequestContext, request: ProduceRequest) -> None:
        assert request.transactional_id is not None
        self.transactional_id = request.transactional_id
        self.broker = broker
        self.context = context
        self.request = request
        self.adds = context.api_version >= ADDING_VERSION_MIN
        self.gather = Gather(broker.clock, self._reply) if request.acks == ALL else None
        self._response = ProduceResponse()
        self._open = 0
        self._failed = False
        self._is_inline = True

    def handle(self) -> ProduceResponse | Later:
        if self.request.acks not in ACKS:
            return refused_whole(self.request, ErrorCode.INVALID_REQUIRED_ACKS)
        batches: list[_Batch] = []
        now_ms = self.broker.clock.now_ms()
        for topic in self.request.topic_data:
            answers: list[PartitionProduceResponse] = []
            self._response.responses.append(
                TopicProduceResponse(name=topic.name, topic_id=topic.topic_id, partition_responses=answers)
            )
            for data in topic.partition_data:
                found = self._check(topic, data, answers, now_ms)
                if isinstance(found, _Batch):
                    batches.append(found)
                    answers.append(refused(data.index, ErrorCode.UNKNOWN_SERVER_ERROR))
                else:
                    answers.append(found)
                    self._failed = True
        self._open = len(batches)
        self._submit(batches)
        self._is_inline = False
        acks = self.request.acks
        if self._open:
            return NO_REPLY if acks == 0 else PARKED
        if acks == 0:
            self._close_if_failed()
            return NO_REPLY
        if self._waits_for_commit():
            return PARKED
        return with_leaders(self.broker, self.context, self._response)

    def _check(
        self,
        topic: TopicProduceData,
        data: PartitionProduceData,
        answers: list[PartitionProduceResponse],
        now_ms: int,
    ) -> _Batch | PartitionProduceResponse:
        partition = find(self.broker, self.context, topic, data)
        if isinstance(partition, ErrorCode):
            return refused(data.index, partition)
        valid = check(self.context, partition, data, now_ms)
        if isinstance(valid, PartitionProduceResponse):
            return valid
        if valid.header.is_transactional and valid.header.producer_id < 0:
            message = "transactional records without a producer id"
            return refused(data.index, ErrorCode.INVALID_RECORD, message)
        return _Batch(self, partition, valid, answers, len(answers))

    def _submit(self, batches: list[_Batch]) -> None:
        """Append what may be appended at once, ask about the rest."""
        producers = {one.producer for one in batches if one.is_transactional}
        if len(producers) > 1:
            for batch in batches:
                batch.refuse(
                    ErrorCode.INVALID_PRODUCER_ID_MAPPING,
                    "transactional records contained more than one producer id",
                )
            return
        lines = self.broker.txn_verification.lines
        asking: list[_Batch] = []
        seen: set[tuple[str, int]] = set()
        for batch in batches:
            if not batch.is_transactional:
                batch.write(None)
            elif batch.key in seen:
                batch.refuse(ErrorCode.INVALID_REQUEST, "a partition is named twice")
            elif not lines.join(batch):
                asking.append(batch)
            seen.add(batch.key)
        if asking:
            _Verification(self, asking).attempt()
            for batch in asking:
                if not batch.is_over:
                    lines.open(batch)

    # -- as batches are answered -----------------------------------------------------------

    def answered(self, answer: PartitionProduceResponse) -> None:
        self._failed = self._failed or answer.error_code != 0
        self._open -= 1
        if self._open == 0 and not self._is_inline:
            if self.request.acks == 0:
                self._close_if_failed()
            elif not self._waits_for_commit():
                self._reply()

    def _waits_for_commit(self) -> bool:
        return self.gather is not None and self.gather.begin(self.request.timeout_ms)

    def _close_if_failed(self) -> None:
        if self._failed and not self.context.session.closed:
            # The client expects no reply: a closed connection is how it learns (as in Kafka).
            self.context.session.connection.close("produce with acks=0 failed")

    def _reply(self) -> None:
        self.context.reply(with_leaders(self.broker, self.context, self._response))


class _Batch:
    """One partition's batch, from its check to its answer."""

    __slots__ = (
        "_answers",
        "_place",
        "held_bytes",
        "is_head",
        "is_over",
        "is_transactional",
        "partition",
        "producer",
        "request",
        "valid",
    )

    def __init__(
        self,
        request: TxnProduce,
        partition: Partition,
        valid: ValidBatch,
        answers: list[PartitionProduceResponse],
        place: int,
    ) -> None:
        self.request = request
        self.partition = partition
        self.valid = valid
        header = valid.header
        self.is_transactional = header.is_transactional
        self.producer = (header.producer_id, header.producer_epoch)
        self.held_bytes = 0
        self.is_head = False
        """Whether a line stands behind it."""
        self.is_over = False
        self._answers = answers
        self._place = place

    @property
    def key(self) -> tuple[str, int]:
        return self.partition.topic, self.partition.index

    @property
    def line_key(self) -> LineKey:
        return (*self.key, *self.producer)

    def write(self, guard: VerificationGuard | None) -> None:
        request = self.request
        now_ms = request.broker.clock.now_ms()
        self._answer(write(self.partition, self.valid, now_ms, request.gather, guard))

    def refuse(self, code: ErrorCode, message: str | None = None) -> None:
        self._answer(refused(self.partition.index, code, message))

    def refuse_for_now(
        self, message: str | None = None, *, code: ErrorCode = ErrorCode.NOT_ENOUGH_REPLICAS
    ) -> None:
        """The client tries again; none of its later batches may overtake this one (INVARIANTS 9)."""
        self.partition.log.note_refused(self.valid.header, self.request.broker.clock.now_ms())
        self.refuse(code, message)

    def _answer(self, answer: PartitionProduceResponse) -> None:
        self.is_over = True
        self._answers[self._place] = answer
        self.request.answered(answer)
        self.request.broker.txn_verification.lines.over(self)


class _Verification:
    """Asks about batches of one request, again while the transaction before this one is being ended."""

    __slots__ = ("_asked", "_batches", "_request", "_until")

    def __init__(self, request: TxnProduce, batches: list[_Batch]) -> None:
        self._request = request
        self._batches = batches
        self._asked: list[tuple[_Batch, VerificationGuard]] = []
        self._until: float | None = None

    def attempt(self) -> None:
        """Each time with new guards: a marker that was written meanwhile has taken the old ones."""
        request = self._request
        batches, self._batches = self._batches, []
        broker = request.broker
        asks = request.adds or broker.config[txn_configs.TRANSACTION_PARTITION_VERIFICATION_ENABLE]
        asked = self._asked = []
        for batch in batches:
            if batch.is_over:
                continue
            if not asks:
                batch.write(UNVERIFIED)
                continue
            try:
                guard = batch.partition.begin_verification(batch.valid.header, starts_at_zero=request.adds)
            except LogError as problem:
                batch.refuse(problem.code, problem.message)
                continue
            if guard is None:
                batch.write(None)
            else:
                asked.append((batch, guard))
        if asked:
            broker.txn_verification.verify(
                request.transactional_id,
                *asked[0][0].producer,
                [batch.key for batch, _ in asked],
                add=request.adds,
                done=self._answered,
                abortable=request.context.api_version >= ABORTABLE_VERSION_MIN,
            )

    def _answered(self, errors: dict[tuple[str, int], ErrorCode]) -> None:
        asked, self._asked = self._asked, []
        for batch, guard in asked:
            if batch.is_over:
                continue
            error = errors[batch.key]
            if not error:
                batch.write(guard)
            elif error is not ErrorCode.CONCURRENT_TRANSACTIONS or not self._request.adds:
                self._refuse(batch, error)
            elif self._has_time():
                self._batches.append(batch)
            else:
                batch.refuse_for_now(code=error)
        if self._batches:
            # The client goes on as soon as its transaction is decided, while its markers are still on
            # their way. A client that had to try again would wait longer than that takes.
            broker = self._request.broker
            pause_ms = broker.config[txn_configs.ADD_PARTITIONS_TO_TXN_RETRY_BACKOFF_MS]
            broker.txn_markers.wait(self._request.transactional_id, pause_ms / 1000, self.attempt)

    def _has_time(self) -> bool:
        broker = self._request.broker
        now = broker.clock.monotonic()
        if self._until is None:
            config = broker.config
            limit_ms = min(
                config[txn_configs.ADD_PARTITIONS_TO_TXN_RETRY_BACKOFF_MAX_MS],
                config[broker_configs.REQUEST_TIMEOUT_MS],
            )
            self._until = now + limit_ms / 1000
        return now < self._until

    def _refuse(self, batch: _Batch, error: ErrorCode) -> None:
        if error in _UNVERIFIABLE or error is ErrorCode.CONCURRENT_TRANSACTIONS:
            batch.refuse_for_now(
                "unable to verify that the partition was added to the transaction: " + error.name
            )
        elif error is ErrorCode.INVALID_TXN_STATE:
            batch.refuse(error, "the partition was not added to the transaction")
        else:
            batch.refuse(error)
