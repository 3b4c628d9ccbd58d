"""Transaction machines over the two partitions of a broker's transaction topic; markers are done by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import Decision
from riverlog.coordinator.host import Host, Shard, ShardState
from riverlog.coordinator.txn.adding import add_partitions, verify_partitions
from riverlog.coordinator.txn.ending import Ended, end_transaction
from riverlog.coordinator.txn.init import Brought, Given, init_producer_id
from riverlog.coordinator.txn.machine import TransactionMachine
from riverlog.coordinator.txn.markers import MarkerOrder
from riverlog.coordinator.txn.records import transaction_record
from riverlog.coordinator.txn.states import TxnState
from riverlog.coordinator.txn.transaction import TopicPartition, Transaction
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.replication import Partition
from riverlog.replication.policy import ReplicationPolicy
from tests.unit.broker.broker_world import World

TOPIC = "__transaction_state"
ID = "payments"
TIMEOUT_MS = 60_000
A: frozenset[TopicPartition] = frozenset({("a", 0)})
B: frozenset[TopicPartition] = frozenset({("b", 1)})
MAX = 32_767


class Markers:
    """A sender that remembers; a test says when an order is carried out."""

    def __init__(self, settle: Callable[[], None]) -> None:
        self._settle = settle
        self.orders: list[MarkerOrder] = []
        self._open: list[tuple[int, Callable[[ErrorCode], None]]] = []

    def send(self, shard: int, order: MarkerOrder, done: Callable[[ErrorCode], None]) -> None:
        self.orders.append(order)
        self._open.append((shard, done))

    def cancel(self, shard: int) -> None:
        self._open = [(index, done) for index, done in self._open if index != shard]

    @property
    def open_count(self) -> int:
        return len(self._open)

    def arrive(self, error: ErrorCode = ErrorCode.NONE) -> None:
        """All that is on its way has arrived."""
        finished, self._open = self._open, []
        for _, done in finished:
            done(error)

    def finish(self, error: ErrorCode = ErrorCode.NONE) -> None:
        """And the log says so."""
        self.arrive(error)
        self._settle()


class Stuck(ReplicationPolicy):
    """No follower ever has what the leader has."""

    def watermark(
        self, *, current: int, own_end: int, follower_ends: Iterable[int], isr_size: int, min_isr: int
    ) -> int:
        return current


class TooFew(ReplicationPolicy):
    def accepts(self, *, isr_size: int, min_isr: int) -> bool:
        return False


class TxnWorld(World):
    def __init__(self, *, version: int = 2, **static: str) -> None:
        super().__init__(**{"transaction_state_log_num_partitions": "2", **static})
        found = self.client().call(
            ApiKey.FIND_COORDINATOR, 6, FindCoordinatorRequest(key_type=1, coordinator_keys=[ID])
        )
        assert found.coordinators[0].error_code == 0
        self.broker.transactions.stop()
        self.version = version
        """The finalized ``transaction.version``."""
        self.client_version = 2 if version == 2 else 0
        """What requests tell of clients, unless a call says otherwise."""
        self.ids: Iterator[int] = count(1_000)
        self.ids_left = 1 << 30
        self.markers = Markers(lambda: self.wait(0.02))
        self.host = self._new_host()

    def _new_host(self) -> Host[TransactionMachine]:
        def make_machine(shard: Shard[TransactionMachine]) -> TransactionMachine:
            return TransactionMachine(
                shard,
                config=self.broker.config,
                transaction_version=lambda: self.version,
                new_producer_id=self._new_producer_id,
                markers=self.markers,
            )

        host = Host(
            topic=TOPIC,
            coordinator="transaction",
            clock=self.clock,
            make_machine=make_machine,
            partition_count=lambda: 2,
        )
        for partition in self.partitions():
            host.elected(partition)
        assert self.run_until(lambda: all(one.state is ShardState.ACTIVE for one in host.shards.values()))
        return host

    def partitions(self) -> list[Partition]:
        return [one for one in self.broker.replicas.all() if one.topic == TOPIC]

    def _new_producer_id(self) -> int | None:
        if self.ids_left == 0:
            return None
        self.ids_left -= 1
        return next(self.ids)

    def fail_over(self) -> None:
        """Another coordinator takes over, with nothing but the log."""
        for index in list(self.host.shards):
            self.host.resigned(index)
        self.host = self._new_host()

    def wait(self, seconds: float) -> None:
        self.scheduler.run_for(seconds)

    # -- looking -------------------------------------------------------------------------

    def machine(self, transactional_id: str = ID) -> TransactionMachine:
        return self.host.shards[self.host.shard_of(transactional_id)].machine

    def now(self, transactional_id: str = ID) -> Transaction:
        return self.machine(transactional_id).transactions[transactional_id]

    def put(self, transaction: Transaction) -> None:
        """Have the log say so."""
        record = transaction_record(transaction, transaction_version=self.version)
        assert not self.host.submit(transaction.transactional_id, lambda machine, now_ms: Decision([record]))

    # -- asking --------------------------------------------------------------------------

    def ask(self, decide: Callable[[TransactionMachine, int, Callable[[Any], None]], Decision]) -> Any:
        got: list[Any] = []
        error = self.host.submit(ID, lambda machine, now_ms: decide(machine, now_ms, got.append))
        assert not error, error
        assert self.run_until(lambda: bool(got))
        return got[0]

    def init(
        self,
        brought: tuple[int, int] | None = None,
        *,
        timeout_ms: int = TIMEOUT_MS,
        transactional_id: str = ID,
    ) -> Given:
        given = self.ask(
            lambda machine, now_ms, to: init_producer_id(
                machine,
                transactional_id,
                timeout_ms=timeout_ms,
                brought=None if brought is None else Brought(*brought),
                now_ms=now_ms,
                to=to,
            )
        )
        assert isinstance(given, Given)
        return given

    def add(
        self,
        producer: tuple[int, int] | Given | Ended,
        partitions: frozenset[TopicPartition] = A,
        *,
        version: int | None = None,
        transactional_id: str = ID,
    ) -> ErrorCode:
        error = self.ask(
            lambda machine, now_ms, to: add_partitions(
                machine,
                transactional_id,
                *producer[-2:],
                partitions,
                client_version=self.client_version if version is None else version,
                now_ms=now_ms,
                to=to,
            )
        )
        assert isinstance(error, ErrorCode)
        return error

    def verify(
        self, producer: tuple[int, int] | Given | Ended, partitions: frozenset[TopicPartition] = A
    ) -> dict[TopicPartition, ErrorCode]:
        errors = self.ask(
            lambda machine, now_ms, to: verify_partitions(machine, ID, *producer[-2:], partitions, to=to)
        )
        assert isinstance(errors, dict)
        return errors

    def end(
        self, producer: tuple[int, int] | Given | Ended, *, commit: bool = True, version: int | None = None
    ) -> Ended:
        ended = self.ask(
            lambda machine, now_ms, to: end_transaction(
                machine,
                ID,
                *producer[-2:],
                committed=commit,
                client_version=self.client_version if version is None else version,
                now_ms=now_ms,
                to=to,
            )
        )
        assert isinstance(ended, Ended)
        return ended

    # -- stories -------------------------------------------------------------------------

    def opened(self, partitions: frozenset[TopicPartition] = A) -> Given:
        """A producer in the middle of a transaction."""
        given = self.init()
        assert given.error is ErrorCode.NONE
        assert self.add(given, partitions) is ErrorCode.NONE
        return given

    def at_epoch(self, epoch: int, state: TxnState = TxnState.ONGOING, **fields: Any) -> tuple[int, int]:
        """A producer that has come that far."""
        partitions = A if state in (TxnState.ONGOING, TxnState.PREPARE_ABORT) else frozenset()
        self.put(
            Transaction(
                ID,
                next(self.ids),
                TIMEOUT_MS,
                self.clock.now_ms(),
                state,
                producer_epoch=epoch,
                partitions=partitions,
                start_ms=-1 if state is TxnState.EMPTY else self.clock.now_ms(),
                client_version=self.client_version,
            )._replace(**fields)
        )
        return self.now().producer_id, epoch


def given(producer: tuple[int, int]) -> Given:
    return Given(ErrorCode.NONE, *producer)


def ended(producer: tuple[int, int]) -> Ended:
    return Ended(ErrorCode.NONE, *producer)
