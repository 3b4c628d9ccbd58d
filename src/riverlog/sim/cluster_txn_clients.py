"""A transactional client of a simulated cluster: what it does is one generator, resumed by answers.

``style`` 1 speaks as clients before KIP-890 do (AddPartitionsToTxn, AddOffsetsToTxn, Produce 11, EndTxn 4),
2 as those after it (partitions are added by Produce 13 and TxnOffsetCommit 5, EndTxn 5 gives a new epoch).

In the old protocol a late EndTxn or TxnOffsetCommit looks like one of the next transaction. Such a client
takes a new epoch (KIP-360) before it goes on, when anything it sent was not answered.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.add_offsets_to_txn_request import AddOffsetsToTxnRequest
from riverlog.protocol.generated.add_partitions_to_txn_request import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
)
from riverlog.protocol.generated.end_txn_request import EndTxnRequest
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.init_producer_id_request import InitProducerIdRequest
from riverlog.protocol.generated.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from riverlog.protocol.generated.txn_offset_commit_request import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
)
from riverlog.records import BatchBuilder
from riverlog.sim.checkers import require
from riverlog.sim.clock import START_MS
from riverlog.sim.cluster_clients import Agent, Caller, ClusterWorld
from riverlog.sim.cluster_txn_history import Attempt, History, Place
from riverlog.sim.process import Process
from riverlog.sim.rng import SimRng

REQUEST_SECONDS_MAX = 2.0
TRIES_MAX = 6
"""So often a request in a transaction is sent before the client gives the transaction up."""
GROUP, TRANSACTION = 0, 1
ELSEWHERE = (
    ErrorCode.NOT_COORDINATOR,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
)
_FENCED = (
    ErrorCode.PRODUCER_FENCED,
    ErrorCode.INVALID_PRODUCER_EPOCH,
    ErrorCode.INVALID_PRODUCER_ID_MAPPING,
)
"""Somebody else has this transactional id now, or the coordinator gave the transaction up."""
_LOST = (
    ErrorCode.INVALID_TXN_STATE,
    ErrorCode.TRANSACTION_ABORTABLE,
    ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
    ErrorCode.UNKNOWN_PRODUCER_ID,
)
"""This transaction cannot be completed; the next one can."""

T = TypeVar("T")


@dataclass(slots=True)
class Sleep:
    seconds: float


@dataclass(slots=True)
class Call:
    node_id: int
    key: ApiKey
    version: int
    request: Any
    seconds_max: float = REQUEST_SECONDS_MAX


Steps = Generator[Sleep | Call, Any, T]
"""What a client does: asks and sleeps; an answer is None where none came."""


class GoneError(Exception):
    """This life of the client is over: fenced, or dead."""


class MustAbortError(Exception):
    """The transaction cannot be committed."""


class TxnWorld(ClusterWorld, Protocol):
    history: History
    lateness: float
    """How often a request is delivered late, or twice."""
    stopping: bool
    """Nothing is to be done any more."""
    style_max: int
    """What the transaction version of the cluster allows."""
    compacts: bool
    """The topics of the coordinators are compacted while they are used."""

    def tell(self, who: str, what: str) -> None:
        """For the trace."""
        ...

    def at_step(self, node_id: int) -> None:
        """Something is about to be sent there in a transaction: a moment for trouble."""
        ...


class Scripted(Agent):
    """An agent that follows a generator."""

    def __init__(self, world: TxnWorld, name: str, rng: SimRng) -> None:
        super().__init__(world, name, rng)
        self.txn_world = world
        self._steps: Steps[None] | None = None

    @property
    def now(self) -> float:
        return self.world.scheduler.now

    def start(self) -> None:
        self._steps = self._live()
        self._resume(None)

    def _live(self) -> Steps[None]:
        raise NotImplementedError

    def _resume(self, answer: Any) -> None:
        assert self._steps is not None
        try:
            step = self._steps.send(answer)
        except StopIteration:
            return
        if isinstance(step, Sleep):
            self.later(step.seconds, lambda: self._resume(None))
        else:
            self.ask(
                step.node_id, step.key, step.version, step.request, self._resume, seconds_max=step.seconds_max
            )

    def _nap(self, low: float = 0.05, high: float = 0.3) -> Sleep:
        return Sleep(self.rng.uniform(low, high))

    def _find(self, key: str, key_type: int) -> Steps[int]:
        """The node that coordinates it."""
        while True:
            request = FindCoordinatorRequest(key_type=key_type, coordinator_keys=[key])
            answer = yield Call(self.any_node(), ApiKey.FIND_COORDINATOR, 4, request)
            if answer is not None:
                row = answer.coordinators[0]
                error = ErrorCode(row.error_code)
                require(not error or error.retriable, f"{self.name}: FindCoordinator answered {error!r}")
                if not error:
                    return int(row.node_id)
            yield self._nap()


class TxnClient(Scripted):
    """Begins, fills and ends transactions; dies and comes back; remembers what it was told."""

    def __init__(
        self,
        world: TxnWorld,
        name: str,
        rng: SimRng,
        *,
        transactional_id: str,
        style: int,
        pause_seconds: float,
    ) -> None:
        super().__init__(world, name, rng)
        self.transactional_id = transactional_id
        self.style = style
        self._own_style = style
        self.life = 0
        self.attempt: Attempt | None = None
        self._pause_seconds = pause_seconds
        self._timeout_ms = rng.choice((1_500, 3_000, 8_000))
        self._producer_id = -1
        self._producer_epoch = -1
        self._sequences: dict[Place, int] = {}
        self._unresolved = False
        """Something was sent and not answered: it may come late."""
        self._touched = False
        """The coordinator was told of this transaction."""
        self._coordinator: int | None = None
        self._group_coordinator: int | None = None
        self._late_callers: dict[int, Caller] = {}

    @property
    def who(self) -> str:
        """One life of this client."""
        return f"{self.name}.{self.life}"

    @property
    def history(self) -> History:
        return self.txn_world.history

    @property
    def idle(self) -> bool:
        return self.attempt is None

    def _tell(self, what: str) -> None:
        number = "" if self.attempt is None else f" {self.attempt.number}"
        self.txn_world.tell(f"{self.who}{number}", what)

    # -- lives -----------------------------------------------------------------------------

    def _live(self) -> Steps[None]:
        yield self._nap(0.0, 1.0)
        while True:
            self.life += 1
            self.style = min(self._own_style, self.txn_world.style_max)
            try:
                yield from self._instance()
            except GoneError as error:
                self.world.count(f"clients {error}")
                self._tell(str(error))
            self._drop()
            if self.txn_world.stopping:
                return
            yield self._nap(0.2, 2.0)

    def _instance(self) -> Steps[None]:
        """One life, from InitProducerId on."""
        raise NotImplementedError

    def _drop(self) -> None:
        """Forget all that this life knew."""
        if self.attempt is not None:
            self.history.given_up(self.attempt, self.now)
            self.attempt = None
        self._producer_id = self._producer_epoch = -1
        self._sequences.clear()
        self._unresolved = False

    def _moment(self) -> Steps[None]:
        """Between two steps: a client may stand still for long, or die."""
        if self.world.quiet:
            return
        draw = self.rng.uniform(0.0, 1.0)
        if draw < 0.006:
            raise GoneError("died")
        if draw < 0.016:
            self.world.count("clients paused")
            yield self._nap(0.5, self.rng.choice((2.0, 5.0, 12.0)))

    # -- requests --------------------------------------------------------------------------

    def _late(self, node_id: int, key: ApiKey, version: int, request: Any) -> None:
        """A copy of this goes another way and arrives later; nobody waits for the answer."""
        self.world.count(f"late {key.name.lower()}")
        self._tell(f"{key.name} goes late")
        self._unresolved = True
        if node_id not in self._late_callers:
            host = f"{self.name}~{node_id}"
            self.world.network.host(host).started(Process(self.world.scheduler))
            dialer = self.world.network.dialer(host)
            self._late_callers[node_id] = Caller(dialer, self.world.scheduler, self.name, node_id)
        caller = self._late_callers[node_id]
        seconds = self.rng.uniform(0.01, self.rng.choice((0.1, 0.5, 3.0)))
        self.later(seconds, lambda: caller.request(key, version, request, lambda _answer: None))

    def _ask_coordinator(
        self, key: ApiKey, version: int, request: Any, *, codes: Callable[[Any], ErrorCode], lasting: bool
    ) -> Steps[Any]:
        """Ask the coordinator until it answers something final; ``lasting``: however long it takes.

        Raises ``GoneError`` when this client is fenced, ``MustAbortError`` when only the transaction is lost.
        """
        tries = 0
        while True:
            tries += 1
            if not lasting and tries > TRIES_MAX:
                raise MustAbortError
            if self._coordinator is None:
                self._coordinator = yield from self._find(self.transactional_id, TRANSACTION)
            self.txn_world.at_step(self._coordinator)
            answer = yield Call(self._coordinator, key, version, request)
            error = ErrorCode.NONE if answer is None else codes(answer)
            self._tell(f"{key.name} {'lost' if answer is None else error.name}")
            if answer is None:
                self._unresolved = True
                self._coordinator = None
            elif not error:
                return answer
            elif error in ELSEWHERE:
                self._coordinator = None
            elif error in _FENCED:
                raise GoneError("fenced")
            elif error in _LOST:
                raise MustAbortError
            else:
                require(error.retriable, f"{self.who}: {key.name} answered {error!r}")
            yield self._nap()

    # -- beginning -------------------------------------------------------------------------

    def _init(self, *, bump: bool = False) -> Steps[None]:
        """A producer id and an epoch; ``bump``: the next one of what it has (KIP-360)."""
        request = InitProducerIdRequest(
            transactional_id=self.transactional_id,
            transaction_timeout_ms=self._timeout_ms,
            producer_id=self._producer_id if bump else -1,
            producer_epoch=self._producer_epoch if bump else -1,
        )
        try:
            answer = yield from self._ask_coordinator(
                ApiKey.INIT_PRODUCER_ID, 4, request, codes=_code, lasting=True
            )
        except MustAbortError:
            raise GoneError("refused by InitProducerId") from None
        self._granted(answer.producer_id, answer.producer_epoch)
        self._unresolved = False
        self.world.count("epochs given")

    def _granted(self, producer_id: int, producer_epoch: int) -> None:
        if (producer_id, producer_epoch) != (self._producer_id, self._producer_epoch):
            self._sequences.clear()
        self._producer_id = producer_id
        self._producer_epoch = producer_epoch
        self._tell(f"has {producer_id}/{producer_epoch}")
        self.history.granted(self.who, producer_id, producer_epoch, self.now)

    def _transaction(self) -> Steps[bool]:
        """One from its begin to its end; whether it was committed."""
        if self.style == 1 and self._unresolved:
            yield from self._init(bump=True)
        attempt = self.history.begin(
            self.who, self.transactional_id, self._producer_id, self._producer_epoch, self.now
        )
        self.attempt = attempt
        self._touched = self.style == 2
        self.world.count("transactions")
        try:
            yield from self._moment()
            yield from self._fill(attempt)
            yield from self._moment()
            commit = bool(attempt.writes) and not self.rng.chance(0.12)
        except MustAbortError:
            commit = False
        if self._touched:
            yield from self._end(attempt, commit=commit)
        else:
            self.history.aborted(attempt, self.now)
        self.attempt = None
        return commit

    def _fill(self, attempt: Attempt) -> Steps[None]:
        raise NotImplementedError

    # -- records ---------------------------------------------------------------------------

    def _send(self, attempt: Attempt, place: Place, records: list[str]) -> Steps[None]:
        """One batch into one partition, until it is acknowledged."""
        if self.style == 1:
            self._touched = True
            yield from self._add_partition(place)
        topic = self.world.topics[place[0]]
        builder = BatchBuilder(
            producer_id=self._producer_id,
            producer_epoch=self._producer_epoch,
            base_sequence=self._sequences.get(place, 0),
            transactional=True,
        )
        for record in records:
            builder.append(timestamp=START_MS + int(self.now * 1000), key=record.encode(), value=b"x" * 20)
        data = PartitionProduceData(index=place[1], records=memoryview(builder.build()))
        version = 11 if self.style == 1 else self.rng.choice((12, 13))
        request = ProduceRequest(
            transactional_id=self.transactional_id,
            acks=-1,
            timeout_ms=1_500,
            topic_data=[TopicProduceData(name=topic.name, topic_id=topic.topic_id, partition_data=[data])],
        )
        yield from self._produce(attempt, place, version, request)
        self._sequences[place] = self._sequences.get(place, 0) + len(records)

    def _produce(self, attempt: Attempt, place: Place, version: int, request: ProduceRequest) -> Steps[None]:
        topic_id = self.world.topics[place[0]].topic_id
        first_sent_at: float | None = None
        for _ in range(TRIES_MAX):
            leader = self.leader(topic_id, place[1])
            if leader is None:
                yield self._nap()
                continue
            if self.rng.chance(self.txn_world.lateness):
                self._late(leader.node_id, ApiKey.PRODUCE, version, request)
                if self.rng.chance(0.7):
                    raise MustAbortError  # only the late one was sent
            self.txn_world.at_step(leader.node_id)
            if first_sent_at is None:
                first_sent_at = self.now
            answer = yield Call(leader.node_id, ApiKey.PRODUCE, version, request)
            row = None if answer is None else answer.responses[0].partition_responses[0]
            error = ErrorCode.NONE if row is None else ErrorCode(row.error_code)
            self._tell(f"PRODUCE {place} {'lost' if row is None else error.name}")
            if row is None:
                self.lost(topic_id, place[1])
            elif not error:
                self.history.acknowledged(attempt, "Produce", first_sent_at)
                self.world.count("acknowledged")
                return
            elif error in _FENCED:
                raise GoneError("fenced")
            elif error in _LOST:
                self._unresolved = True
                raise MustAbortError
            else:
                require(error.retriable, f"{self.who}: {place}: Produce answered {error!r}")
                if error is not ErrorCode.CONCURRENT_TRANSACTIONS:
                    self.told(topic_id, place[1], row.current_leader)
                    self.lost(topic_id, place[1])
            yield self._nap()
        self._unresolved = True
        raise MustAbortError

    def _add_partition(self, place: Place) -> Steps[None]:
        request = AddPartitionsToTxnRequest(
            v3_and_below_transactional_id=self.transactional_id,
            v3_and_below_producer_id=self._producer_id,
            v3_and_below_producer_epoch=self._producer_epoch,
            v3_and_below_topics=[AddPartitionsToTxnTopic(name=place[0], partitions=[place[1]])],
        )

        def codes(answer: Any) -> ErrorCode:
            rows = answer.results_by_topic_v3_and_below[0].results_by_partition
            return ErrorCode(rows[0].partition_error_code)

        yield from self._ask_coordinator(ApiKey.ADD_PARTITIONS_TO_TXN, 3, request, codes=codes, lasting=False)
        yield from self._moment()

    # -- offsets ---------------------------------------------------------------------------

    def _send_offsets(
        self,
        attempt: Attempt,
        group: str,
        offsets: dict[Place, int],
        *,
        generation: int = -1,
        member_id: str = "",
    ) -> Steps[None]:
        """The positions of a group, as a part of the transaction."""
        if self.style == 1:
            add = AddOffsetsToTxnRequest(
                transactional_id=self.transactional_id,
                producer_id=self._producer_id,
                producer_epoch=self._producer_epoch,
                group_id=group,
            )
            yield from self._ask_coordinator(ApiKey.ADD_OFFSETS_TO_TXN, 3, add, codes=_code, lasting=False)
            yield from self._moment()
        topics: dict[str, list[TxnOffsetCommitRequestPartition]] = {}
        for (topic, index), offset in sorted(offsets.items()):
            topics.setdefault(topic, []).append(TxnOffsetCommitRequestPartition(index, offset, -1, ""))
        request = TxnOffsetCommitRequest(
            transactional_id=self.transactional_id,
            group_id=group,
            producer_id=self._producer_id,
            producer_epoch=self._producer_epoch,
            generation_id=generation,
            member_id=member_id,
            group_instance_id=None,
            topics=[TxnOffsetCommitRequestTopic(name, rows) for name, rows in topics.items()],
        )
        yield from self._commit_offsets(attempt, group, request)

    def _commit_offsets(self, attempt: Attempt, group: str, request: TxnOffsetCommitRequest) -> Steps[None]:
        version = 3 if self.style == 1 else 5
        first_sent_at: float | None = None
        for _ in range(TRIES_MAX):
            if self._group_coordinator is None:
                self._group_coordinator = yield from self._find(group, GROUP)
            node_id = self._group_coordinator
            if self.rng.chance(self.txn_world.lateness):
                self._late(node_id, ApiKey.TXN_OFFSET_COMMIT, version, request)
            self.txn_world.at_step(node_id)
            if first_sent_at is None:
                first_sent_at = self.now
            answer = yield Call(node_id, ApiKey.TXN_OFFSET_COMMIT, version, request)
            if answer is None:
                self._unresolved = True
                self._group_coordinator = None
                yield self._nap()
                continue
            errors = [ErrorCode(row.error_code) for topic in answer.topics for row in topic.partitions]
            error = next((one for one in errors if one), ErrorCode.NONE)
            self._tell(f"TXN_OFFSET_COMMIT {error.name}")
            if not error:
                self.history.acknowledged(attempt, "TxnOffsetCommit", first_sent_at)
                self.world.count("offsets in transactions")
                return
            self._unresolved = True  # some may have been taken
            if error in _FENCED:
                raise GoneError("fenced")
            if error in _LOST or error in STALE_MEMBER:
                raise MustAbortError
            require(error.retriable, f"{self.who}: TxnOffsetCommit answered {error!r}")
            self._group_coordinator = None
            yield self._nap()
        raise MustAbortError

    # -- ending ----------------------------------------------------------------------------

    def _end(self, attempt: Attempt, *, commit: bool) -> Steps[None]:
        version = 4 if self.style == 1 else 5
        request = EndTxnRequest(
            transactional_id=self.transactional_id,
            producer_id=self._producer_id,
            producer_epoch=self._producer_epoch,
            committed=commit,
        )
        if commit:
            self.history.asks_commit(attempt, self.now)
        first_sent_at = self.now
        unsure = False
        while True:
            if self._coordinator is None:
                self._coordinator = yield from self._find(self.transactional_id, TRANSACTION)
            node_id = self._coordinator
            if not unsure and self.rng.chance(self.txn_world.lateness):
                self._late(node_id, ApiKey.END_TXN, version, request)
                unsure = True
            self.txn_world.at_step(node_id)
            answer = yield Call(node_id, ApiKey.END_TXN, version, request)
            error = ErrorCode.NONE if answer is None else ErrorCode(answer.error_code)
            end = "commit" if commit else "abort"
            self._tell(f"END_TXN {end} {'lost' if answer is None else error.name}")
            if answer is not None and not error:
                break
            if answer is None:
                self._unresolved = True
                self._coordinator = None
            elif error in ELSEWHERE:
                self._coordinator = None
            elif error in _FENCED or error in _LOST:
                if commit and not unsure:
                    self.history.aborted(attempt, self.now)
                raise GoneError("fenced" if error in _FENCED else "refused by EndTxn")
            else:
                require(error.retriable, f"{self.who}: EndTxn answered {error!r}")
            unsure = True
            yield self._nap()
        self.history.acknowledged(attempt, "EndTxn", first_sent_at)
        if commit:
            self.history.committed(attempt, self.now)
            self.world.count("committed")
        else:
            self.history.aborted(attempt, self.now)
            self.world.count("aborted")
        if self.style == 2:
            self._granted(answer.producer_id, answer.producer_epoch)


STALE_MEMBER = (
    ErrorCode.ILLEGAL_GENERATION,
    ErrorCode.UNKNOWN_MEMBER_ID,
    ErrorCode.FENCED_INSTANCE_ID,
    ErrorCode.STALE_MEMBER_EPOCH,
    ErrorCode.REBALANCE_IN_PROGRESS,
)


def _code(answer: Any) -> ErrorCode:
    return ErrorCode(answer.error_code)
