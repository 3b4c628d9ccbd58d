"""The host: nothing leaves before it is committed, loading gives others their turn, failures are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import CoordinatorRecord, Decision, Reply, decode_record
from riverlog.coordinator.host import Host, Shard, ShardState, java_hash
from riverlog.protocol.generated.offset_commit_key import OffsetCommitKey
from riverlog.protocol.generated.offset_commit_value import OffsetCommitValue
from riverlog.protocol.primitives import Wire
from riverlog.records import BatchBuilder, read_header
from riverlog.records.control import end_txn_marker
from riverlog.replication import Partition
from riverlog.sim.clock import SimClock
from riverlog.sim.disk import Fault
from riverlog.storage import UNVERIFIED
from tests.unit.coordinator.offsets_world import OffsetsWorld


class Notes:
    """A machine that remembers what it was told."""

    def __init__(self, shard: Shard[Notes]) -> None:
        self.shard = shard
        self.replayed: list[tuple[int, int, bool]] = []
        """Offset, the key's partition, whether it has a value."""
        self.producers: list[int] = []
        self.markers: list[tuple[int, bool]] = []
        self.refusals: list[tuple[int, ErrorCode]] = []
        self.loaded_at: int | None = None
        self.gone: ErrorCode | None = None

    def replay(
        self, offset: int, timestamp_ms: int, key: Wire, value: Wire | None, *, producer_id: int = -1
    ) -> None:
        assert isinstance(key, OffsetCommitKey)
        self.replayed.append((offset, key.partition, value is not None))
        self.producers.append(producer_id)

    def replay_marker(self, producer_id: int, *, committed: bool) -> None:
        self.markers.append((producer_id, committed))

    def refused(self, records: list[CoordinatorRecord], error: ErrorCode) -> None:
        self.refusals.append((len(records), error))

    def loaded(self, now_ms: int) -> None:
        self.loaded_at = now_ms

    def unloaded(self, error: ErrorCode) -> None:
        self.gone = error


class SlowClock(SimClock):
    """Time goes by whenever somebody looks."""

    def monotonic(self) -> float:
        self._scheduler.now += 0.001
        return super().monotonic()


class HostWorld(OffsetsWorld):
    """A host of ``Notes`` over the two partitions of the offsets topic."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.prepared()
        self.broker.groups.stop()
        self.host = self.new_host()
        for partition in self.partitions():
            self.host.elected(partition)

    def new_host(self, clock: SimClock | None = None) -> Host[Notes]:
        return Host(
            topic="__consumer_offsets",
            coordinator="group",
            clock=clock or self.clock,
            make_machine=Notes,
            partition_count=lambda: 2,
        )

    def partitions(self) -> list[Partition]:
        return [part for part in self.broker.replicas.all() if part.topic == "__consumer_offsets"]


@pytest.fixture
def world() -> HostWorld:
    return HostWorld()


def record(number: int, *, size: int = 1, value: bool = True) -> CoordinatorRecord:
    key = OffsetCommitKey("g", "t", number)
    return CoordinatorRecord(key, OffsetCommitValue(offset=1, metadata="x" * size) if value else None)


def deciding(
    records: list[CoordinatorRecord],
    to: Callable[[Any], None],
    response: Any = "done",
    *,
    atomic: bool = True,
    failed: Callable[[ErrorCode], Any] | None = None,
) -> Callable[[Notes, int], Decision]:
    return lambda machine, now_ms: Decision(
        records, [Reply(to, response, failed or (lambda error: error))], atomic
    )


def shard_of_g(world: HostWorld) -> Shard[Notes]:
    return world.host.shards[world.host.shard_of("g")]


# -- keys ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 0),
        ("hello", 99162322),
        ("polygenelubricants", 0),
        ("test-group", 627841412),
        ("😀", 1772899),
        ("consumer-群", 166206579),
    ],
)
def test_hash_is_javas_without_its_sign(text: str, number: int) -> None:
    assert java_hash(text) == number


def test_a_record_is_read_back_as_it_was_written() -> None:
    for written in (record(3, size=300), record(4, value=False)):
        key, value = written.encode()
        assert decode_record("group", key, value) == (written.key, written.value)


# -- waiting for the watermark -------------------------------------------------------------


def test_a_reply_leaves_when_its_records_are_durable_and_not_before(world: HostWorld) -> None:
    got: list[Any] = []
    assert world.host.submit("g", deciding([record(1)], got.append)) is ErrorCode.NONE
    shard = shard_of_g(world)
    assert shard.machine.replayed == [(0, 1, True)], "the next decision must see it"
    assert got == []
    assert world.run_until(lambda: bool(got))
    assert got == ["done"]
    assert shard.partition.high_watermark == 1


def test_a_reader_waits_for_the_writes_it_saw(world: HostWorld) -> None:
    got: list[str] = []
    world.host.submit("g", deciding([record(1)], lambda _: got.append("write")))
    world.host.submit("g", deciding([], lambda _: got.append("read")))
    assert got == []
    assert world.run_until(lambda: len(got) == 2)
    assert got == ["write", "read"]


def test_a_reader_with_nothing_to_wait_for_is_answered_at_once(world: HostWorld) -> None:
    got: list[Any] = []
    world.host.submit("g", deciding([], got.append))
    assert got == ["done"]


def test_a_disk_that_is_too_slow_is_answered_with_an_error_in_time(world: HostWorld) -> None:
    world.setup.latency.low_seconds = world.setup.latency.high_seconds = 7.0
    got: list[Any] = []
    started = world.scheduler.now
    world.host.submit("g", deciding([record(1)], got.append))
    assert world.run_until(lambda: bool(got))
    assert got == [ErrorCode.COORDINATOR_NOT_AVAILABLE]
    assert world.scheduler.now - started == pytest.approx(5.0)
    world.wait(10)
    assert got == [ErrorCode.COORDINATOR_NOT_AVAILABLE], "answered once"


def test_reading_all_shards_waits_for_all_of_them(world: HostWorld) -> None:
    found: list[tuple[list[int], ErrorCode]] = []
    for key in ("a", "b", "c", "d"):
        world.host.submit(key, deciding([record(1)], lambda _: None))
    world.host.read(
        lambda machine, _: len(machine.replayed), lambda counts, error: found.append((counts, error))
    )
    assert found == []
    assert world.run_until(lambda: bool(found))
    counts, error = found[0]
    assert (sum(counts), len(counts), error) == (4, 2, ErrorCode.NONE)


# -- size ----------------------------------------------------------------------------------


def test_a_change_larger_than_a_batch_may_be_is_refused_as_a_whole(world: HostWorld) -> None:
    got: list[Any] = []
    records = [record(number, size=30_000) for number in range(40)]
    world.host.submit("g", deciding(records, got.append))
    assert got == [ErrorCode.UNKNOWN_SERVER_ERROR]
    shard = shard_of_g(world)
    assert shard.machine.replayed == []
    assert shard.partition.log.log_end_offset == 0


def test_housekeeping_larger_than_a_batch_is_split(world: HostWorld) -> None:
    got: list[Any] = []
    records = [record(number, size=30_000) for number in range(100)]
    world.host.submit("g", deciding(records, got.append, atomic=False))
    assert world.run_until(lambda: bool(got))
    assert got == ["done"]
    assert shard_of_g(world).machine.replayed == [(number, number, True) for number in range(100)]


# -- timers --------------------------------------------------------------------------------


def test_a_timer_that_is_pushed_back_fires_once_at_its_last_deadline(world: HostWorld) -> None:
    shard = shard_of_g(world)
    fired: list[float] = []

    def note(machine: Notes, now_ms: int) -> Decision:
        fired.append(world.scheduler.now)
        return Decision()

    start = world.scheduler.now
    shard.schedule("x", 1_000, note)
    for step in range(1, 5):
        world.wait(0.5)
        shard.schedule("x", 1_000, note)
        assert fired == [], step
    world.wait(10)
    assert fired == [pytest.approx(start + 3.0)]
    shard.schedule("x", 5_000, note)
    shard.schedule("x", 1_000, note)
    world.wait(1.5)
    assert len(fired) == 2
    shard.schedule("x", 1_000, note)
    shard.cancel("x")
    world.wait(10)
    assert len(fired) == 2


def test_a_timer_may_arm_itself_again(world: HostWorld) -> None:
    shard = shard_of_g(world)
    fired: list[int] = []

    def again(machine: Notes, now_ms: int) -> Decision:
        fired.append(now_ms)
        machine.shard.schedule("x", 1_000, again)
        return Decision([record(len(fired))])

    shard.schedule("x", 1_000, again)
    world.wait(3.5)
    assert len(fired) == 3
    assert [number for _, number, _ in shard.machine.replayed] == [1, 2, 3]


# -- losing a shard ------------------------------------------------------------------------


def test_a_failed_sync_takes_the_shard_away_and_tells_everyone(world: HostWorld) -> None:
    shard = shard_of_g(world)
    got: list[Any] = []
    fired: list[int] = []

    def note(machine: Notes, now_ms: int) -> Decision:
        fired.append(now_ms)
        return Decision()

    # The broker's own host has the same partitions: failures come through it in production.
    world.broker.coordinators._hosts = {"__consumer_offsets": world.host}  # type: ignore[dict-item]
    world.setup.faults.append(Fault("sync", "__consumer_offsets"))
    shard.schedule("x", 1_000, note)
    world.host.submit("g", deciding([record(1)], got.append))
    world.host.submit("g", deciding([], got.append))
    assert world.run_until(lambda: len(got) == 2)
    assert got == [ErrorCode.NOT_COORDINATOR, ErrorCode.NOT_COORDINATOR]
    assert shard.machine.gone is ErrorCode.NOT_COORDINATOR
    assert world.host.submit("g", deciding([], got.append)) is ErrorCode.NOT_COORDINATOR
    world.wait(5)
    assert fired == []


def test_a_failed_write_is_told_and_not_replayed(world: HostWorld) -> None:
    shard = shard_of_g(world)
    got: list[Any] = []
    world.broker.coordinators._hosts = {"__consumer_offsets": world.host}  # type: ignore[dict-item]
    world.host.submit("g", deciding([record(1)], lambda _: None))
    world.wait(1)
    world.setup.faults.append(Fault("write", "__consumer_offsets"))
    world.host.submit("g", deciding([record(2)], got.append))
    assert got == [ErrorCode.NOT_COORDINATOR]
    assert [number for _, number, _ in shard.machine.replayed] == [1]
    assert world.host.submit("g", deciding([], got.append)) is ErrorCode.NOT_COORDINATOR


def test_replicas_that_leave_after_the_append_are_told_as_something_to_try_again(world: HostWorld) -> None:
    """Kafka's new consumer ends for good at an error that it does not expect in a heartbeat."""
    shard = shard_of_g(world)
    got: list[Any] = []
    world.host.submit("g", deciding([record(1)], got.append))
    world.host.submit("g", deciding([], got.append))
    shard.partition.fail_waiters(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND)
    assert got == [ErrorCode.COORDINATOR_NOT_AVAILABLE] * 2
    world.wait(1)
    world.host.submit("g", deciding([], got.append))
    assert got[2:] == ["done"], "it serves on"


def test_a_resigned_shard_is_gone(world: HostWorld) -> None:
    shard = shard_of_g(world)
    world.host.resigned(shard.index)
    assert shard.machine.gone is ErrorCode.NOT_COORDINATOR
    assert world.host.submit("g", deciding([], lambda _: None)) is ErrorCode.NOT_COORDINATOR


# -- loading -------------------------------------------------------------------------------


def test_loading_goes_in_steps_and_answers_that_it_loads(world: HostWorld) -> None:
    for number in range(300):
        world.host.submit("g", deciding([record(number)], lambda _: None))
    world.host.submit("g", deciding([record(7, value=False)], lambda _: None))
    world.wait(1)
    expected = shard_of_g(world).machine.replayed
    assert len(expected) == 301
    host = world.new_host(SlowClock(world.scheduler))
    partition = shard_of_g(world).partition
    host.elected(partition)
    shard = host.shards[partition.index]
    turns = 0
    while shard.state is ShardState.LOADING:
        assert host.submit("g", deciding([], lambda _: None)) is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
        turns += 1
        assert world.scheduler.step()
    assert turns > 10
    assert shard.machine.replayed == expected
    assert shard.machine.loaded_at is not None
    assert host.submit("g", deciding([], lambda _: None)) is ErrorCode.NONE


def test_the_shard_that_is_asked_for_loads_first(world: HostWorld) -> None:
    for key in ("a", "b", "c", "d"):
        for number in range(200):
            world.host.submit(key, deciding([record(number)], lambda _: None))
    world.wait(1)
    host = world.new_host(SlowClock(world.scheduler))
    for partition in world.partitions():
        host.elected(partition)
    second = list(host.shards.values())[1]
    key = next(key for key in ("a", "b", "c", "d") if host.shard_of(key) == second.index)
    host.submit(key, deciding([], lambda _: None))
    while second.state is ShardState.LOADING:
        assert world.scheduler.step()
    assert host.shards[1 - second.index].state is ShardState.LOADING


def append(partition: Partition, batch: bytes) -> None:
    buffer = bytearray(batch)
    partition.append(memoryview(buffer), read_header(buffer, 0), 0, UNVERIFIED)


def load_again(world: HostWorld) -> Shard[Notes]:
    host = world.new_host()
    partition = shard_of_g(world).partition
    host.elected(partition)
    shard = host.shards[partition.index]
    world.run_until(lambda: shard.state is not ShardState.LOADING)
    return shard


def test_records_of_a_newer_version_are_left_out(world: HostWorld) -> None:
    builder = BatchBuilder()
    builder.append(timestamp=0, key=b"\x03\xe7newer", value=b"\x00\x00")
    key, value = record(1).encode()
    builder.append(timestamp=0, key=key, value=value)
    append(shard_of_g(world).partition, builder.build())
    shard = load_again(world)
    assert shard.state is ShardState.ACTIVE
    assert shard.machine.replayed == [(1, 1, True)]


@pytest.mark.parametrize("value", [b"\x00\x63", b"", b"\x00\x04\x00"])
def test_a_shard_whose_log_cannot_be_understood_is_not_served(world: HostWorld, value: bytes) -> None:
    builder = BatchBuilder()
    builder.append(timestamp=0, key=record(1).encode()[0], value=value)
    append(shard_of_g(world).partition, builder.build())
    shard = load_again(world)
    assert shard.state is ShardState.FAILED
    assert shard.machine.loaded_at is None


def test_transactional_batches_and_their_markers_are_replayed_with_the_producer(world: HostWorld) -> None:
    partition = shard_of_g(world).partition
    for producer_id in (7, 8):
        builder = BatchBuilder(producer_id=producer_id, producer_epoch=0, base_sequence=0, transactional=True)
        key, value = record(producer_id).encode()
        builder.append(timestamp=0, key=key, value=value)
        append(partition, builder.build())
    for producer_id, commit in ((7, True), (8, False)):
        append(
            partition,
            end_txn_marker(
                commit=commit, producer_id=producer_id, producer_epoch=0, coordinator_epoch=0, timestamp=0
            ),
        )
    shard = load_again(world)
    assert shard.machine.producers == [7, 8]
    assert shard.machine.markers == [(7, True), (8, False)]
