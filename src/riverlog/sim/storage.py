"""The storage engine alone under simulation: a seeded workload over a ``LogManager``.

``StorageRun(seed).run()`` goes through many lives: kills, power cuts in the
middle of a call, clean stops, each followed by recovery and checks; with ``faults=True`` the disk
fails now and then as well. With a journal (``cuts.py``) there are no power cuts: every change of the
disk is kept, and the power is cut after each of them later.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from riverlog.base.errors import ErrorCode
from riverlog.env.disk import StorageError
from riverlog.records import read_header
from riverlog.sim.batches import BatchMaker, with_header
from riverlog.sim.checkers import (
    BatchNote,
    LogModel,
    Violation,
    check_against_rebuild,
    check_lookups,
    check_unique_sequences,
    require,
)
from riverlog.sim.clock import Scheduler, SimClock
from riverlog.sim.disk import Fault, Latency, PowerCut, Setup, SimDisk
from riverlog.sim.media import Create, Journal, MakeFolder, Media, Write
from riverlog.sim.rng import SimRng
from riverlog.sim.trace import Trace
from riverlog.storage import AppendError, Log, LogConfig, LogDir, LogManager, ManagerSettings
from riverlog.storage.names import TopicPartition

LOG_DIR = "/data"
TICK_SECONDS = 0.4
WINDOW = 5
"""Batches of a producer that may be sent again."""


@dataclass(slots=True)
class Policies:
    """Where a test plants a bug: the classes the world is built from."""

    disk: type[SimDisk] = SimDisk
    prepare_log: Callable[[Log], None] | None = None


@dataclass(slots=True)
class SimProducer:
    """An idempotent producer and what it sent to each partition, oldest first."""

    producer_id: int
    epoch: int = 0
    sent: dict[TopicPartition, list[tuple[int, bytes]]] = field(default_factory=dict)
    """(base offset, batch as sent)."""

    def next_sequence(self, key: TopicPartition) -> int:
        sent = self.sent.get(key)
        return read_header(sent[-1][1], 0).last_sequence + 1 if sent else 0

    def forget_from(self, key: TopicPartition, offset: int) -> None:
        kept = [entry for entry in self.sent.get(key, []) if entry[0] < offset]
        self.sent[key] = kept


class StorageNode:
    """One life of the storage engine over a ``Media``."""

    def __init__(
        self,
        media: Media,
        scheduler: Scheduler,
        rng: SimRng,
        config: Callable[[str], LogConfig],
        *,
        setup: Setup | None = None,
        policies: Policies | None = None,
        note: Callable[[TopicPartition, str, int], None] | None = None,
        cut_at: int | None = None,
    ) -> None:
        self.policies = policies or Policies()
        self.scheduler = scheduler
        self.disk = self.policies.disk(media, scheduler, rng.stream("disk"), setup)
        self.disk.cut_at = cut_at
        self.clock = SimClock(scheduler)
        self.offline: StorageError | None = None
        self._note = note
        self.logs = LogManager(
            self.disk,
            [LOG_DIR],
            self.clock,
            rng.stream("manager"),
            config_of=config,
            on_durable=self._on_durable,
            on_offline=self._on_offline,
            settings=ManagerSettings(
                fsync_timeout_ms=10_000,
                high_watermark_checkpoint_interval_ms=1_000,
                log_start_checkpoint_interval_ms=1_500,
                retention_check_interval_ms=2_000,
                producer_expiration_check_interval_ms=5_000,
            ),
        )

    def open(self) -> None:
        self.logs.open()
        for log in self.logs.logs.values():
            self._prepare(log)
            self.logs.claim(log)
            log.high_watermark = log.durable_end
        self._tick()

    def create(self, key: TopicPartition, topic_id: bytes) -> Log:
        log = self.logs.create(*key, topic_id=topic_id)
        self._prepare(log)
        return log

    def _prepare(self, log: Log) -> None:
        if self.policies.prepare_log is not None:
            self.policies.prepare_log(log)

    def kill(self) -> None:
        self.disk.kill()
        self.clock.kill()

    def _tick(self) -> None:
        self.clock.call_later(TICK_SECONDS, self._tick)
        for log in self.logs.logs.values():
            self._tell(log, "start_moving", log.high_watermark)
        self.logs.tick()

    def _on_durable(self, log: Log) -> None:
        if log.config.ack_after_fsync:
            log.high_watermark = log.durable_end
        self._tell(log, "durable", log.durable_end)

    def _on_offline(self, log_dir: LogDir, logs: list[Log], error: StorageError) -> None:
        self.offline = error

    def _tell(self, log: Log, what: str, offset: int) -> None:
        if self._note is not None:
            self._note(log.topic_partition, what, offset)


class StorageRun:
    """A whole run from one seed."""

    def __init__(
        self,
        seed: int,
        *,
        policies: Policies | None = None,
        journal: Journal | None = None,
        faults: bool = False,
    ) -> None:
        kind = "cuts" if journal is not None else "faults" if faults else "lives"
        self.name = f"storage-{kind}-{seed}"
        self.policies = policies or Policies()
        self.rng = SimRng(self.name)
        self.scheduler = Scheduler()
        self.trace = Trace(lambda: self.scheduler.now)
        self.media = Media()
        self.journal = journal
        self.faults = faults
        self.models: dict[TopicPartition, LogModel] = {}
        self.lives = 0
        self._draws = self.rng.stream("workload")
        self._cuts = self.rng.stream("cuts")
        self._maker = BatchMaker(self.rng.stream("batches"))
        self._producers = [SimProducer(100 + number) for number in range(3)]
        self._epoch = 0
        self._topics = 0
        self._configs: dict[str, LogConfig] = {}
        self.node = self._start()

    # -- lives ---------------------------------------------------------------------------

    def _setup(self) -> Setup:
        draws = self._draws
        latency = Latency(0.0001, draws.choice((0.001, 0.01, 0.3)))
        setup = Setup(latency=latency, journal=self.journal, trace=self.trace)
        if self.faults:
            call = draws.choice(("sync", "write", "sync_folder", "create", "rename"))
            setup.faults.append(Fault(call, skip=draws.random_int(10, 90), torn=draws.chance(0.5)))
            setup.faults.append(
                Fault("sync", ".log", skip=draws.random_int(0, 40), times=draws.random_int(1, 3))
            )
            if draws.chance(0.3):
                setup.capacity_bytes = self.media.used_bytes + draws.random_int(0, 30_000)
        return setup

    def _start(self, *, cut_at: int | None = None) -> StorageNode:
        self.lives += 1
        node = StorageNode(
            self.media,
            self.scheduler,
            self.rng.stream(f"life-{self.lives}"),
            self.config_of,
            setup=self._setup(),
            policies=self.policies,
            note=self._note,
            cut_at=cut_at,
        )
        try:
            node.open()
        except BaseException:
            node.kill()
            raise
        return node

    def config_of(self, topic: str) -> LogConfig:
        if topic not in self._configs:
            self._configs[topic] = draw_config(self.rng.stream(f"config-{topic}"))
        return self._configs[topic]

    def _note(self, key: TopicPartition, what: str, argument: object) -> None:
        """Tell the model, and the journal, so that a cut knows what was promised before it."""
        if self.journal is not None:
            self.journal.mark((key, what, argument))
        self.trace.add("note", key, what, argument if not isinstance(argument, LogModel) else "")
        apply_note(self.models, key, what, argument)

    def crash(self, *, power: bool, interrupted: bool = False) -> None:
        """Kill the process, with or without a power cut; recover; check."""
        self.trace.add("crash", power, interrupted)
        self.node.kill()
        if power:
            self.media = self.media.power_loss(self._cuts)
        elif self.faults:
            self.media.drop_doubtful(self._cuts)
        lost = power or interrupted or self.faults
        for _ in range(3):
            # A crash during recovery must not make the next one worse.
            if self.journal is not None or not self._cuts.chance(0.4):
                break
            try:
                node = self._start(cut_at=self._cuts.random_int(1, 25))
            except PowerCut:
                if self._cuts.chance(0.7):
                    self.media = self.media.power_loss(self._cuts)
                    lost = True
            except StorageError:
                require(self.faults, "opening failed without a fault")
            else:
                node.kill()
        self._restart(power_lost=lost)

    def _restart(self, *, power_lost: bool) -> None:
        faults, self.faults = self.faults, False  # an injected fault during the start proves nothing
        self.node = self._start()
        self.faults = faults
        check_node(self.node, self.models, power_lost=power_lost)
        for key in sorted(self.models):
            log = self.node.logs.get(*key)
            model = self.models[key]
            if log is None or log.topic_id != model.topic_id:
                self._forget(key)
                continue
            self._note(key, "recovered", (log.log_start_offset, log.log_end_offset))
            for producer in self._producers:
                producer.forget_from(key, log.log_end_offset)
        self._epoch += 1
        if faults:
            self.node.disk.setup.faults = self._setup().faults

    def _forget(self, key: TopicPartition) -> None:
        self._note(key, "gone", 0)
        for producer in self._producers:
            producer.sent.pop(key, None)

    # -- steps ---------------------------------------------------------------------------

    def run(self, steps: int = 200) -> None:
        """All steps; raises ``Violation`` with the seed."""
        try:
            for _ in range(steps):
                self._guarded_step()
            if self.journal is None:
                self.crash(power=True)
            self.crash(power=False)
        except Violation as error:
            raise Violation(f"{error}\n{replay_hint(self.name)}\n{self.trace.tail(30)}") from error

    def _guarded_step(self) -> None:
        draws = self._draws
        if self.journal is None and draws.chance(0.05):
            self.node.disk.cut_at = self.node.disk.op_count + draws.random_int(1, 12)
        try:
            self.step()
            self.scheduler.run_for(draws.choice((0.0, 0.0005, 0.002, 0.02)))
        except PowerCut:
            self.crash(power=self._cuts.chance(0.6), interrupted=True)
        if self.node.offline is not None:
            require(self.faults, f"offline without a fault: {self.node.offline}")
            self.crash(power=self._cuts.chance(0.5))

    def step(self) -> None:
        actions: list[tuple[Callable[[], None], float]] = [
            (self._append_plain, 8),
            (self._append_idempotent, 8),
            (self._send_again, 2),
            (self._create, 1.0 if len(self.models) < 4 else 0.0),
            (self._delete_records, 0.5),
            (self._truncate, 0.2),
            (self._pass_time, 2),
            (self._new_epoch, 0.2),
            (self._read_back, 0.5),
            (self._delete_partition, 0.1),
            (self._stop_cleanly, 0.1),
            (self._kill, 0.1),
        ]
        if not self.models:
            self._create()
        else:
            self._draws.weighted(actions)()

    def _pick(self) -> tuple[TopicPartition, Log, LogModel] | None:
        key = self._draws.choice(sorted(self.models))
        log = self.node.logs.get(*key)
        if log is None or log.offline is not None:
            return None
        return key, log, self.models[key]

    def _append(self, key: TopicPartition, log: Log, batch: bytes) -> bool:
        buffer, header = with_header(batch)
        start = log.log_end_offset
        expected = BatchNote(start, start + header.last_offset_delta + 1, header.crc, self._epoch)
        self._note(key, "appending", expected)
        try:
            info = log.append_as_leader(
                buffer, header, leader_epoch=self._epoch, now_ms=self.node.clock.now_ms()
            )
        except AppendError as error:
            if error.code == ErrorCode.KAFKA_STORAGE_ERROR:
                require(self.faults, f"append failed without a fault: {error}")
                return False  # what the disk kept of it nobody knows
            self._note(key, "not_appended", 0)
            require(
                error.code in (ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, ErrorCode.RECORD_LIST_TOO_LARGE),
                f"append refused: {error}",
            )
            return False
        if info.duplicate:
            self._note(key, "not_appended", 0)
            return False
        require(info.first_offset == start, f"{key}: appended at {info.first_offset}, end was {start}")
        if not log.config.ack_after_fsync:
            log.high_watermark = log.log_end_offset
        return True

    def _append_plain(self) -> None:
        if picked := self._pick():
            key, log, _ = picked
            self._append(key, log, self._maker.make(self.node.clock.now_ms()))

    def _append_idempotent(self) -> None:
        if picked := self._pick():
            key, log, _ = picked
            producer = self._draws.choice(self._producers)
            batch = self._maker.make(
                self.node.clock.now_ms(),
                size_max=1000,
                producer_id=producer.producer_id,
                producer_epoch=producer.epoch,
                base_sequence=producer.next_sequence(key),
            )
            start = log.log_end_offset
            if self._append(key, log, batch):
                producer.sent.setdefault(key, []).append((start, batch))

    def _send_again(self) -> None:
        """A retry of one of the last batches: a duplicate, or refused, never appended twice."""
        if picked := self._pick():
            key, log, _ = picked
            sent = self._draws.choice(self._producers).sent.get(key, [])[-WINDOW:]
            # One whose records were deleted may be forgotten, as in Kafka.
            sent = [entry for entry in sent if entry[0] >= log.log_start_offset]
            if sent:
                _, batch = self._draws.choice(sent)
                require(not self._append(key, log, batch), f"{key}: a batch sent again was appended again")

    def _create(self) -> None:
        self._topics += 1
        key = (f"t{self._draws.random_int(0, 3)}", self._draws.random_int(0, 1))
        if key not in self.models and self.node.logs.get(*key) is None:
            topic_id = self._topics.to_bytes(16, "big")
            self._note(key, "created", topic_id)
            if self.node.offline is None:
                self._storage_call(lambda: self.node.create(key, topic_id))

    def _storage_call(self, call: Callable[[], object]) -> None:
        try:
            call()
        except (AppendError, StorageError, Exception) as error:
            if not self.faults or self.node.offline is None:
                raise
            self.trace.add("refused", str(error))

    def _delete_records(self) -> None:
        if picked := self._pick():
            key, log, _ = picked
            if log.high_watermark > log.log_start_offset:
                target = self._draws.random_int(log.log_start_offset, log.high_watermark)
                self._note(key, "start_moving", target)
                topic_id = log.topic_id

                def done(error: StorageError | None) -> None:
                    model = self.models.get(key)
                    if error is None and model is not None and model.topic_id == topic_id:
                        self._note(key, "start_durable", target)

                self.node.logs.delete_records(log, target, done)

    def _truncate(self) -> None:
        """What a follower does whose tail is not its leader's."""
        if picked := self._pick():
            key, log, _ = picked
            low = max(log.log_start_offset, log.log_end_offset - 12)
            offset = self._draws.random_int(low, log.log_end_offset)
            if offset < log.log_end_offset:
                self._note(key, "truncating", offset)
                self._storage_call(lambda: log.truncate_to(offset, now_ms=self.node.clock.now_ms()))
                if log.offline is None:
                    self._note(key, "truncated", log.log_end_offset)
                    for producer in self._producers:
                        producer.forget_from(key, log.log_end_offset)

    def _pass_time(self) -> None:
        self.scheduler.run_for(self._draws.choice((0.05, 0.5, 3.0)))

    def _new_epoch(self) -> None:
        self._epoch += 1

    def _read_back(self) -> None:
        if picked := self._pick():
            _, log, model = picked
            model.check_live(log)

    def _delete_partition(self) -> None:
        if picked := self._pick():
            key, log, _ = picked
            self._forget(key)
            self.node.logs.delete(log)

    def _kill(self) -> None:
        self.crash(power=False)

    def _stop_cleanly(self) -> None:
        self.trace.add("clean stop")
        self.node.logs.shutdown()
        offline = self.node.offline is not None
        for key in sorted(self.models):
            log = self.models[key]
            if not offline:
                self._note(key, "durable", log.end)
        self.node.kill()
        self._restart(power_lost=offline)


def draw_config(rng: SimRng) -> LogConfig:
    """Settings that make everything happen often: small segments, dense indexes, short retention."""
    config = LogConfig(
        segment_bytes=rng.choice((4_000, 9_000, 30_000)),
        index_interval_bytes=rng.choice((1, 200, 4096)),
        retention_bytes=rng.choice((-1, -1, 20_000)),
        retention_ms=rng.choice((-1, 5_000, 60_000)),
        segment_ms=rng.choice((2_000, 600_000)),
        file_delete_delay_ms=rng.choice((0, 1_000, 60_000)),
        ack_after_fsync=rng.chance(0.8),
    )
    if rng.chance(0.3):
        config.flush_messages = rng.random_int(1, 20)
    return config


def apply_note(
    models: dict[TopicPartition, LogModel], key: TopicPartition, what: str, argument: object
) -> None:
    """One note of a workload, live or from a journal."""
    if what == "created":
        assert isinstance(argument, bytes)
        models[key] = LogModel(f"{key[0]}-{key[1]}", argument)
    elif what == "gone":
        models.pop(key, None)
    elif key in models:
        model = models[key]
        if what == "recovered":
            assert isinstance(argument, tuple)
            model.recovered(*argument)
        elif what == "not_appended":
            model.not_appended()
        else:
            getattr(model, what)(argument)


def check_node(
    node: StorageNode, models: dict[TopicPartition, LogModel], *, power_lost: bool, deep: bool = True
) -> None:
    """Every partition of a node that has just been opened."""
    for key in sorted(models):
        model = models[key]
        log = node.logs.get(*key)
        if log is None or log.topic_id != model.topic_id:
            require(
                power_lost and model.promised_end == 0,
                f"{model.name}: gone, though acknowledged up to {model.promised_end}",
            )
            continue
        model.check_recovered(log, power_lost=power_lost)
        check_unique_sequences(log)
        if deep:
            check_lookups(log)
            check_against_rebuild(log, rebuild(node.disk.media, log))


def rebuild(media: Media, log: Log) -> Log:
    """The same log from its ``.log`` files alone, on a disk of its own."""
    fresh = Media()
    for path in ("/data", log.folder):
        fresh.apply(MakeFolder(path))
    for path, inode in media.files():
        if path.startswith(log.folder + "/") and path.endswith(".log"):
            fresh.apply(Create(path))
            fresh.apply(Write(path, 0, bytes(inode.content)))
    disk = SimDisk(fresh, Scheduler(), SimRng(0))
    return Log.open(
        disk,
        log.folder,
        log.topic_partition,
        log.config,
        log_start_offset=log.log_start_offset,
        now_ms=0,
    )


def replay_hint(name: str) -> str:
    return f"seed {name}; replay: riverlog sim replay {name}"
