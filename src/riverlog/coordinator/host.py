"""One host per internal topic: runs the state machines of its partitions, the shards.

A request is decided on the machine's state; the records of the decision are appended as one batch and
replayed at once, so that the next decision sees them; replies leave when the high watermark passes
(RULES: coordinators and controller). A shard loads its partition's log in slices of a few milliseconds,
through the same ``replay``. When the partition goes away or offline, the shard and all it holds is dropped.

Records of a transaction are one batch with its producer's id; the marker that ends it comes through
``write_marker`` and is replayed like a record.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from enum import Enum
from functools import lru_cache
from struct import unpack
from typing import Generic, Protocol, TypeVar

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import CoordinatorRecord, Decision, Reply, UnknownRecordType, decode_record
from riverlog.coordinator.errors import LOG_IS_LOST, coordinator_error
from riverlog.env import Clock, StorageError, Timer
from riverlog.protocol.errors import DecodeError
from riverlog.protocol.primitives import Wire
from riverlog.records import BatchBuilder, CorruptBatch, crc_ok, decode_records, iter_headers, read_header
from riverlog.records.header import NO_PRODUCER_ID, NO_SEQUENCE, BatchHeader
from riverlog.replication import Partition
from riverlog.storage import LogError, VerificationGuard
from riverlog.storage.markers import read_marker

logger = logging.getLogger("riverlog.coordinator")

LOAD_STEP_SECONDS = 0.005
"""Longest turn of loading."""
LOAD_READ_BYTES = 1 << 18
LOAD_CHECK_RECORDS = 64
"""The time is looked at after so many records."""
BATCH_BYTES_MAX = 1 << 28
"""Decompressed size of one batch of the topic."""
REFUSED_RETRY_SECONDS = 0.5
"""A timer that fires while too few replicas are in sync tries again after this time, as Kafka's do."""
MARKER_TIMEOUT_SECONDS = 30.0
"""How long the end of a transaction may take to be committed."""

HASHES_KEPT_LENGTH_MAX = 255
"""Longer keys are hashed again each time: clients choose them, and memory is bounded."""

T = TypeVar("T")


class Machine(Protocol):
    """The state of one shard. ``replay`` alone changes what is durable."""

    def replay(
        self, offset: int, timestamp_ms: int, key: Wire, value: Wire | None, *, producer_id: int = -1
    ) -> None:
        """A record; ``producer_id`` is that of the transaction it belongs to."""
        ...

    def replay_marker(self, producer_id: int, *, committed: bool) -> None:
        """The end of a transaction."""
        ...

    def refused(self, records: list[CoordinatorRecord], error: ErrorCode) -> None:
        """Records of a decision were not written: take back what it changed in memory."""
        ...

    def loaded(self, now_ms: int) -> None:
        """The shard became active: timers can be armed."""
        ...

    def unloaded(self, error: ErrorCode) -> None:
        """The shard is gone: what waits inside the machine is answered with ``error``."""
        ...


M = TypeVar("M", bound=Machine)
Decide = Callable[[M, int], Decision]


def lacks_replicas(partition: Partition) -> bool:
    """Whether nothing may be written for now: it could not be committed."""
    return partition.is_leader and partition.is_under_min_isr


def java_hash(text: str) -> int:
    """Java's ``String.hashCode``, without its sign as Kafka's ``Utils.abs`` drops it."""
    return _known_hash(text) if len(text) <= HASHES_KEPT_LENGTH_MAX else _hash(text)


def _hash(text: str) -> int:
    data = text.encode("utf-16-be", "surrogatepass")
    number = 0
    for unit in unpack(f">{len(data) // 2}H", data):
        number = (31 * number + unit) & 0xFFFFFFFF
    if number < 0x80000000:
        return number
    return 0 if number == 0x80000000 else 0x100000000 - number


_known_hash = lru_cache(maxsize=16_384)(_hash)


class ShardState(Enum):
    LOADING = 1
    ACTIVE = 2
    FAILED = 3
    """Its log cannot be read, or its folder is offline."""


class _ShardTimer:
    """A deadline that moves often: the clock's timer is left where it is while it fires early enough."""

    __slots__ = ("armed_for", "deadline", "handle")

    def __init__(self) -> None:
        self.deadline = 0.0
        self.armed_for = 0.0
        self.handle: Timer | None = None


class Shard(Generic[M]):
    """One partition of the internal topic and its machine; what a machine knows of its host."""

    __slots__ = ("_host", "_timers", "index", "last_offset", "machine", "partition", "state")

    def __init__(self, host: Host[M], partition: Partition) -> None:
        self._host = host
        self._timers: dict[str, tuple[_ShardTimer, Decide[M]]] = {}
        self.index = partition.index
        self.partition = partition
        self.state = ShardState.LOADING
        self.last_offset = -1
        """Of the last record appended or loaded: what a reader must wait for."""
        self.machine: M = host.make_machine(self)

    def schedule(self, name: str, delay_ms: int, decide: Decide[M]) -> None:
        """Run ``decide`` after a while; replaces the timer of that name."""
        clock = self._host.clock
        seconds = max(0, delay_ms) / 1000
        deadline = clock.monotonic() + seconds
        found = self._timers.get(name)
        timer = found[0] if found is not None else _ShardTimer()
        self._timers[name] = (timer, decide)
        timer.deadline = deadline
        if timer.handle is not None:
            if timer.armed_for <= deadline:
                return
            timer.handle.cancel()
        timer.armed_for = deadline
        timer.handle = clock.call_later(seconds, lambda: self._fired(name, timer))

    def cancel(self, name: str) -> None:
        found = self._timers.pop(name, None)
        if found is not None and found[0].handle is not None:
            found[0].handle.cancel()

    def _fired(self, name: str, timer: _ShardTimer) -> None:
        found = self._timers.get(name)
        if found is None or found[0] is not timer:
            return
        now = self._host.clock.monotonic()
        left = timer.deadline - now
        if left <= 0 and lacks_replicas(self.partition):
            left = REFUSED_RETRY_SECONDS
        if left > 0:
            timer.armed_for = now + left
            timer.handle = self._host.clock.call_later(left, lambda: self._fired(name, timer))
            return
        del self._timers[name]
        if self.state is ShardState.ACTIVE:
            self._host.run(self, found[1])

    def drop_timers(self) -> None:
        for timer, _ in self._timers.values():
            if timer.handle is not None:
                timer.handle.cancel()
        self._timers.clear()


class Host(Generic[M]):
    """The shards of one internal topic that this node leads."""

    def __init__(
        self,
        *,
        topic: str,
        coordinator: str,
        clock: Clock,
        make_machine: Callable[[Shard[M]], M],
        partition_count: Callable[[], int],
        compression: int = 0,
        timeout_ms: int = 5_000,
    ) -> None:
        self.topic = topic
        self.coordinator = coordinator
        """"group", "transaction" or "share": whose record types these are."""
        self.clock = clock
        self.make_machine = make_machine
        self.shards: dict[int, Shard[M]] = {}
        self._partition_count = partition_count
        self._compression = compression
        self._timeout_seconds = timeout_ms / 1000
        self._loading: dict[Shard[M], Iterator[None]] = {}
        self._load_timer: Timer | None = None

    # -- asking --------------------------------------------------------------------------

    @property
    def partition_count(self) -> int:
        """Partitions of the topic; 0 while it does not exist."""
        return self._partition_count()

    def shard_of(self, key: str) -> int:
        """The partition that a key lives in; 0 while the topic does not exist."""
        return java_hash(key) % (self._partition_count() or 1)

    def active(self, key: str) -> Shard[M] | ErrorCode:
        """The shard of a key, or why nobody can be asked."""
        index = self.shard_of(key)
        shard = self.shards.get(index)
        if shard is None or shard.state is ShardState.FAILED:
            return ErrorCode.NOT_COORDINATOR
        if shard.state is ShardState.LOADING:
            self._load_first(shard)
            return ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
        return shard

    def submit(self, key: str, decide: Decide[M]) -> ErrorCode:
        """Run a decision on the key's shard; NONE, or why it was not run. Replies may leave before this
        returns."""
        shard = self.active(key)
        if isinstance(shard, ErrorCode):
            return shard
        self.run(shard, decide)
        return ErrorCode.NONE

    def submit_to_all(self, decide: Decide[M]) -> None:
        """Run a decision on every active shard."""
        for shard in list(self.shards.values()):
            if shard.state is ShardState.ACTIVE:
                self.run(shard, decide)

    def read(self, look: Callable[[M, int], T], done: Callable[[list[T], ErrorCode], None]) -> None:
        """What ``look`` finds in each shard, once all that it saw is committed.

        The error is COORDINATOR_LOAD_IN_PROGRESS if some shard is not there yet; NONE otherwise.
        """
        found: list[T] = []
        error = ErrorCode.NONE
        shards = [shard for shard in self.shards.values() if shard.state is ShardState.ACTIVE]
        if any(shard.state is ShardState.LOADING for shard in self.shards.values()):
            error = ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
        left = len(shards) + 1

        def one_done(answer: list[T]) -> None:
            nonlocal left
            found.extend(answer)
            left -= 1
            if left == 0:
                done(found, error)

        for shard in shards:

            def reading(machine: M, now_ms: int) -> Decision:
                return Decision(replies=[Reply(one_done, [look(machine, now_ms)], _nothing)])

            self.run(shard, reading)
        one_done([])

    # -- deciding ------------------------------------------------------------------------

    def run(self, shard: Shard[M], decide: Decide[M]) -> None:
        """Decide, append, replay; the replies wait for the watermark."""
        now_ms = self.clock.now_ms()
        decision = decide(shard.machine, now_ms)
        replies = decision.replies
        if decision.records:
            error = self._append(shard, decision, now_ms)
            if error:
                if decision.on_refused is not None:
                    decision.on_refused(error)
                if shard.state is ShardState.ACTIVE:
                    shard.machine.refused(decision.records, error)
                for reply in replies:
                    reply.fail(error)
                return
        if replies:
            self._when_committed(shard, replies)

    def _append(self, shard: Shard[M], decision: Decision, now_ms: int) -> ErrorCode:
        """One batch, or several where the decision may be split; replayed as soon as it is in the log."""
        partition = shard.partition
        if lacks_replicas(partition):
            return ErrorCode.COORDINATOR_NOT_AVAILABLE
        producer_id = decision.producer_id
        transactional = producer_id != NO_PRODUCER_ID
        atomic = decision.atomic or transactional
        limit = partition.log.config.max_message_bytes
        encoded = [record.encode() for record in decision.records]
        start = 0
        while start < len(encoded):
            builder = BatchBuilder(
                compression=self._compression,
                producer_id=producer_id,
                producer_epoch=decision.producer_epoch,
                base_sequence=0 if transactional else NO_SEQUENCE,
                transactional=transactional,
            )
            end = start
            while end < len(encoded):
                key, value = encoded[end]
                size = len(key) + (0 if value is None else len(value)) + _RECORD_OVERHEAD
                if not atomic and end > start and builder.size_estimate + size > limit:
                    break
                builder.append(timestamp=now_ms, key=key, value=value)
                end += 1
            error = self._append_batch(shard, bytearray(builder.build()), limit, now_ms, decision.guard)
            if error:
                return error
            first = shard.last_offset - (end - start) + 1
            replay = shard.machine.replay
            for number, record in enumerate(decision.records[start:end]):
                replay(first + number, now_ms, record.key, record.value, producer_id=producer_id)
            start = end
        return ErrorCode.NONE

    def _append_batch(
        self, shard: Shard[M], batch: bytearray, limit: int, now_ms: int, guard: VerificationGuard | None
    ) -> ErrorCode:
        if len(batch) > limit:
            logger.warning(
                "a change of %d bytes does not fit into %s-%d", len(batch), self.topic, shard.index
            )
            return ErrorCode.UNKNOWN_SERVER_ERROR
        header = read_header(batch, 0)
        header.base_sequence = NO_SEQUENCE  # that on disk means nothing
        try:
            info = shard.partition.append(memoryview(batch), header, now_ms, guard)
        except LogError as refused:
            return self._refused(shard, refused)
        return self._appended(shard, info.last_offset)

    def _appended(self, shard: Shard[M], last_offset: int) -> ErrorCode:
        if shard.state is not ShardState.ACTIVE:
            return ErrorCode.NOT_COORDINATOR
        shard.last_offset = last_offset
        return ErrorCode.NONE

    def _refused(self, shard: Shard[M], refused: LogError) -> ErrorCode:
        """Nothing was written; a shard that cannot write any more goes."""
        error = coordinator_error(refused.code)
        if refused.code in LOG_IS_LOST and shard.state is ShardState.ACTIVE:
            # What is in memory is ahead of a log that takes nothing more.
            self._unload(shard, error)
        return error

    def _when_committed(self, shard: Shard[M], replies: list[Reply]) -> None:
        def committed(error: ErrorCode) -> None:
            for reply in replies:
                if error:
                    reply.fail(coordinator_error(error))
                else:
                    reply.send()

        self._once_committed(shard, self._timeout_seconds, committed)

    def _once_committed(
        self, shard: Shard[M], timeout_seconds: float, done: Callable[[ErrorCode], None]
    ) -> None:
        """``done`` when the watermark passes all that was appended, or with an error; once."""
        timer: Timer | None = None
        open_ = True

        def committed(error: ErrorCode) -> None:
            nonlocal open_
            if not open_:
                return
            open_ = False
            if timer is not None:
                timer.cancel()
            done(error)

        if shard.partition.when_committed(shard.last_offset, committed):
            timer = self.clock.call_later(timeout_seconds, lambda: committed(ErrorCode.REQUEST_TIMED_OUT))
        else:
            committed(ErrorCode.NONE)

    # -- transactions --------------------------------------------------------------------

    def write_marker(
        self,
        index: int,
        producer_id: int,
        producer_epoch: int,
        *,
        coordinator_epoch: int,
        committed: bool,
        transaction_version: int,
        done: Callable[[ErrorCode], None],
    ) -> None:
        """End a producer's transaction in a partition of the topic; ``done`` once that is committed.

        Whoever writes markers knows partitions, not coordinators: one that is not ready is told as
        ``NOT_LEADER_OR_FOLLOWER``, as Kafka does.
        """
        shard = self.shards.get(index)
        if shard is None or shard.state is not ShardState.ACTIVE or lacks_replicas(shard.partition):
            done(ErrorCode.NOT_LEADER_OR_FOLLOWER)
            return
        try:
            info = shard.partition.append_marker(
                producer_id,
                producer_epoch,
                coordinator_epoch=coordinator_epoch,
                committed=committed,
                transaction_version=transaction_version,
                now_ms=self.clock.now_ms(),
            )
        except LogError as refused:
            self._refused(shard, refused)
            done(refused.code)
            return
        if self._appended(shard, info.last_offset):
            done(ErrorCode.NOT_LEADER_OR_FOLLOWER)
            return
        if not info.duplicate:
            shard.machine.replay_marker(producer_id, committed=committed)
        self._once_committed(shard, MARKER_TIMEOUT_SECONDS, done)

    # -- partitions come and go ----------------------------------------------------------

    def elected(self, partition: Partition) -> None:
        """This node leads the partition: load its shard."""
        shard = Shard(self, partition)
        assert shard.index not in self.shards, shard.index
        self.shards[shard.index] = shard
        log = partition.log
        if log.offline is None and log.log_start_offset == log.log_end_offset:
            self._activate(shard)
        else:
            self._load_when_committed(shard, log.log_end_offset)

    def _load_when_committed(self, shard: Shard[M], end: int) -> None:
        """What the log held at the election is loaded once the watermark covers it: a part that is not
        committed may yet be, and one that followers lack must not be acted on."""

        def committed(error: ErrorCode) -> None:
            if self.shards.get(shard.index) is not shard or shard.state is not ShardState.LOADING:
                return
            if not error:
                self._begin_load(shard)
            elif shard.partition.is_leader:
                self._load_when_committed(shard, end)  # too few replicas for now

        if not shard.partition.when_committed(end - 1, committed):
            self._begin_load(shard)

    def _begin_load(self, shard: Shard[M]) -> None:
        self._loading[shard] = self._load(shard)
        if self._load_timer is None:
            self._load_timer = self.clock.call_later(0.0, self._load_step)

    def resigned(self, index: int, error: ErrorCode = ErrorCode.NOT_COORDINATOR) -> None:
        """This node does not lead the partition any more, or it is gone."""
        shard = self.shards.pop(index, None)
        if shard is not None:
            self._unload(shard, error)

    def failed(self, index: int) -> None:
        """The partition's folder went offline."""
        shard = self.shards.get(index)
        if shard is not None:
            self._unload(shard, ErrorCode.NOT_COORDINATOR)

    def stop(self) -> None:
        """Nothing runs any more; nobody is answered."""
        if self._load_timer is not None:
            self._load_timer.cancel()
            self._load_timer = None
        self._loading.clear()
        for shard in self.shards.values():
            shard.state = ShardState.FAILED
            shard.drop_timers()

    def _unload(self, shard: Shard[M], error: ErrorCode) -> None:
        was_active = shard.state is ShardState.ACTIVE
        shard.state = ShardState.FAILED
        self._loading.pop(shard, None)
        shard.drop_timers()
        if was_active:
            shard.machine.unloaded(error)

    # -- loading -------------------------------------------------------------------------

    def _load_first(self, shard: Shard[M]) -> None:
        """Someone waits for this one."""
        steps = self._loading.pop(shard, None)
        if steps is not None:
            self._loading = {shard: steps, **self._loading}

    def _load_step(self) -> None:
        self._load_timer = None
        monotonic = self.clock.monotonic
        until = monotonic() + LOAD_STEP_SECONDS
        while self._loading:
            shard, steps = next(iter(self._loading.items()))
            try:
                for _ in steps:
                    if monotonic() >= until:
                        break
                else:
                    del self._loading[shard]
                    self._activate(shard)
                    continue
            except (LogError, StorageError, CorruptBatch, DecodeError) as error:
                logger.error("%s-%d cannot be loaded: %s", self.topic, shard.index, error)
                shard.state = ShardState.FAILED
                self._loading.pop(shard, None)
                continue
            self._load_timer = self.clock.call_later(0.0, self._load_step)
            return

    def _activate(self, shard: Shard[M]) -> None:
        shard.state = ShardState.ACTIVE
        shard.last_offset = shard.partition.log.log_end_offset - 1
        shard.machine.loaded(self.clock.now_ms())

    def _load(self, shard: Shard[M]) -> Iterator[None]:
        """Replay the whole log, with pauses."""
        log = shard.partition.log
        offset = log.log_start_offset
        end = log.log_end_offset
        while offset < end:
            # Asked for anew: the log may have moved to another directory since the last slice.
            part = shard.partition.log.read(offset, max_bytes=LOAD_READ_BYTES, end_offset=end)
            if part is None:
                break  # compaction emptied the rest
            data = memoryview(part.read())
            for position, header in iter_headers(data):
                if not crc_ok(data, position, header):
                    raise CorruptBatch(f"wrong CRC at offset {header.base_offset}")
                yield from self._load_batch(shard, data, position, header)
                offset = header.next_offset
                yield

    def _load_batch(
        self, shard: Shard[M], data: memoryview, position: int, header: BatchHeader
    ) -> Iterator[None]:
        if header.is_control:
            marker = read_marker(data, position, header)
            if marker is not None:
                shard.machine.replay_marker(header.producer_id, committed=not marker.aborted)
            return
        producer_id = header.producer_id if header.is_transactional else -1
        replay = shard.machine.replay
        records = decode_records(data, position, header, max_bytes=BATCH_BYTES_MAX)
        for number, record in enumerate(records):
            if record.key is None:
                continue
            try:
                key, value = decode_record(self.coordinator, record.key, record.value)
            except UnknownRecordType as unknown:
                logger.warning(
                    "%s-%d, offset %d: %s is not known and left out",
                    self.topic,
                    shard.index,
                    record.offset,
                    unknown,
                )
                continue
            replay(record.offset, record.timestamp, key, value, producer_id=producer_id)
            if number % LOAD_CHECK_RECORDS == LOAD_CHECK_RECORDS - 1:
                yield


_RECORD_OVERHEAD = 32
"""More than the lengths and deltas of one record take."""


def _nothing(_error: ErrorCode) -> list[object]:
    """A shard that went away while it was read has nothing to say."""
    return []
