"""A whole run of one node from one seed: clients at work, kills, power cuts, then an audit.

Two phases. First everything goes wrong: the process is killed, power is cut, also in the middle of
a call, connections break, the disk may fail; promises are checked at every answer. Then it heals:
what is open must finish in bounded time, and every promised record must be readable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.broker.broker import Broker
from riverlog.env import StorageError
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from riverlog.records import crc_ok, decode_records, iter_headers
from riverlog.sim.actors import EARLIEST, Consumer, Producer, list_offsets
from riverlog.sim.admin import NAMES, Admin
from riverlog.sim.checkers import (
    DECODED_BYTES_MAX,
    Violation,
    check_against_rebuild,
    check_lookups,
    check_unique_sequences,
    require,
)
from riverlog.sim.clock import Scheduler
from riverlog.sim.committers import Committer
from riverlog.sim.disk import Fault, Latency, PowerCut, Setup, SimDisk
from riverlog.sim.network import SimClient
from riverlog.sim.node import READY_SECONDS_MAX, SimNode
from riverlog.sim.promises import EXISTS, UNSURE, PartitionPromises, TopicPromises
from riverlog.sim.rng import SimRng
from riverlog.sim.storage import rebuild, replay_hint
from riverlog.sim.trace import Trace

HEAL_SECONDS_MAX = 90.0
_SETTINGS = {
    "node.id": "1",
    "log.flush.start.offset.checkpoint.interval.ms": "2000",
    "replica.high.watermark.checkpoint.interval.ms": "1000",
    "log.retention.check.interval.ms": "2000",
    "offsets.topic.num.partitions": "1",
}


class NodeRun:
    """``run`` raises ``Violation`` with seed, replay command and the end of the trace."""

    def __init__(
        self,
        seed: int,
        *,
        faults: bool = False,
        disk_class: type[SimDisk] = SimDisk,
        broker_class: type[Broker] = Broker,
    ) -> None:
        self.name = f"node-{'faults' if faults else 'lives'}-{seed}"
        self.rng = SimRng(self.name)
        self.scheduler = Scheduler()
        self.trace = Trace(lambda: self.scheduler.now)
        self.faults = faults
        self.quiet = False
        self.counts: dict[str, int] = {}
        self.topics = {name: TopicPromises(name) for name in NAMES}
        self.generations = dict.fromkeys(NAMES, 0)
        self.node = SimNode(
            self.scheduler,
            self.rng.stream("node"),
            _SETTINGS,
            disk_class=disk_class,
            broker_class=broker_class,
        )
        self._draws = self.rng.stream("harness")
        self._clients: list[SimClient] = []
        self._producer_ids: dict[int, None] = {}

    @property
    def lives(self) -> int:
        return self.node.lives

    def client(self, name: str) -> SimClient:
        client = SimClient(name, self.node, self.scheduler, self.rng.stream(f"link-{name}"), self.trace)
        self._clients.append(client)
        return client

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    def new_producer_id(self, producer_id: int) -> None:
        require(producer_id not in self._producer_ids, f"producer id {producer_id} was given out twice")
        self._producer_ids[producer_id] = None

    # -- the run -------------------------------------------------------------------------

    def run(self, seconds: float = 12.0) -> None:
        try:
            self._start()
            self._begin_clients()
            until = self.scheduler.now + seconds
            while self.scheduler.now < until:
                self._advance(min(until - self.scheduler.now, self._draws.uniform(0.05, 2.0)))
                self._trouble()
            self._heal()
            self._audit()
        except Exception as error:  # whatever it is, the seed must be in the report
            raise Violation(
                f"{type(error).__name__}: {error}\n{replay_hint(self.name)}\n{self.trace.tail(25)}"
            ) from error

    def _begin_clients(self) -> None:
        rng = self.rng
        self.admin = Admin(self, rng.stream("admin"))
        self.producers = [
            Producer(self, "idempotent1", rng.stream("p1"), idempotent=True, acks=-1),
            Producer(self, "idempotent2", rng.stream("p2"), idempotent=True, acks=-1),
            Producer(self, "all", rng.stream("p3"), idempotent=False, acks=-1),
            Producer(self, "one", rng.stream("p4"), idempotent=False, acks=1),
            Producer(self, "none", rng.stream("p5"), idempotent=False, acks=0),
        ]
        self.consumers = [Consumer(self, f"consumer{n}", rng.stream(f"c{n}")) for n in range(3)]
        self.committers = [Committer(self, f"committer{n}", rng.stream(f"o{n}")) for n in range(2)]

    def _advance(self, seconds: float) -> None:
        """Run events; a cut in the middle of one ends the broker's life there."""
        until = self.scheduler.now + seconds
        while True:
            try:
                if not self.scheduler.step(until):
                    break
            except PowerCut:
                self._die(power=self._draws.chance(0.6))
                self._start()
            if self.node.failure is not None:
                require(self.faults, f"the metadata log failed without a fault: {self.node.failure}")
                self._die(power=self._draws.chance(0.5))
                self._start()
        self.scheduler.now = max(self.scheduler.now, until)

    def _trouble(self) -> None:
        draws = self._draws
        action = draws.weighted(
            [
                ("nothing", 3.0),
                ("cut connection", 3.0),
                ("kill", 1.0),
                ("power", 1.0),
                ("cut in a call", 3.0),
                ("stop", 0.7),
                ("clock", 0.5),
            ]
        )
        self.trace.add("trouble", action)
        if action == "cut connection":
            draws.choice(self._clients).cut()
        elif action in ("kill", "power"):
            self._die(power=action == "power")
            self._start()
        elif action == "cut in a call" and self.node.disk is not None:
            self.node.disk.cut_at = self.node.disk.op_count + draws.random_int(1, 60)
        elif action == "stop" and self.node.serving:
            self._stop()
        elif action == "clock":
            self.node.jump_wall(draws.random_int(-5_000, 5_000))
        if self.faults and self._is_offline():
            self._die(power=draws.chance(0.5))
            self._start()

    def _is_offline(self) -> bool:
        broker = self.node.broker
        return broker is not None and any(not log_dir.is_online for log_dir in broker.logs.log_dirs)

    def _die(self, *, power: bool) -> None:
        self.trace.add("dies", "power" if power else "kill")
        self.count("power cuts" if power else "kills")
        if power:
            self.node.lose_power(self._draws.stream(f"cut-{self.node.lives}"))
        else:
            self.node.kill()
            if self.faults:
                self.node.media.drop_doubtful(self._draws)
        if power or self.faults:
            # The page cache is gone, or not to be trusted: who did not wait for the disk has no promise.
            for topic in self.topics.values():
                if not topic.waits_for_disk:
                    for part in topic.partitions.values():
                        part.forget()

    def _stop(self) -> None:
        self.trace.add("stops")
        try:
            self.node.stop()
        except PowerCut:
            self._die(power=self._draws.chance(0.5))
        else:
            self.count("clean stops")
        self._start()

    def _setup(self) -> Setup:
        draws = self._draws
        setup = Setup(latency=Latency(0.0001, draws.choice((0.0005, 0.003, 0.05))), trace=self.trace)
        if self.faults and not self.quiet:
            call = draws.choice(("sync", "sync", "write", "sync_folder", "create", "rename", "remove"))
            setup.faults.append(Fault(call, skip=draws.random_int(20, 300), torn=draws.chance(0.5)))
        return setup

    def _start(self) -> None:
        """Start until it holds; the power may go during the start too."""
        self.scheduler.now += self._draws.uniform(0.0, 0.3)
        for _ in range(20):
            cut_at = self._draws.random_int(1, 80) if not self.quiet and self._draws.chance(0.3) else None
            try:
                self.node.start(self._setup(), cut_at=cut_at)
                self._wait_until_serving()
                return
            except PowerCut:
                self._die(power=self._draws.chance(0.6))
            except StorageError as error:
                require(self.faults, f"the start failed without a fault: {error}")
                self._die(power=False)
        raise Violation("did not start in 20 attempts")

    def _wait_until_serving(self) -> None:
        ready = self.scheduler.run_until(
            lambda: self.node.serving or self.node.failure is not None, seconds_max=READY_SECONDS_MAX
        )
        require(ready, "not serving in time after a start")
        if self.node.failure is not None:
            raise self.node.failure

    # -- healing and the audit -------------------------------------------------------------

    def _heal(self) -> None:
        """No more trouble: in bounded time nothing is open or unsure."""
        self.quiet = True
        self._die(power=True)
        self._start()

        def settled() -> bool:
            return all(producer.idle for producer in self.producers) and not any(
                topic.state == UNSURE for topic in self.topics.values()
            )

        require(
            self.scheduler.run_until(settled, seconds_max=HEAL_SECONDS_MAX),
            "producers or topics did not settle after healing",
        )
        self._advance(2.0)

    def _audit(self) -> None:
        """Read everything once more, from the start, with a client that knows nothing."""
        client = self.client("audit")
        for name in NAMES:
            topic = self.topics[name]
            if topic.state != EXISTS:
                continue
            for index, part in sorted(topic.partitions.items()):
                _Audit(self, client, topic, index, part).run()
        for committer in self.committers:
            self._audit_offsets(committer)
        self._check_logs()

    def _audit_offsets(self, committer: Committer) -> None:
        """What it was promised is asked for until there is an answer."""
        finished: list[bool] = []

        def ask() -> None:
            if committer.idle:
                committer.fetch(committer.promised(), lambda: finished.append(True))
            if not finished:
                self.scheduler.call_later(0.1, ask)

        ask()
        require(self.scheduler.run_until(lambda: bool(finished), seconds_max=60.0), "no offsets in the audit")

    def _check_logs(self) -> None:
        assert self.node.broker is not None
        for key in sorted(self.node.broker.logs.logs):
            log = self.node.broker.logs.logs[key]
            check_unique_sequences(log)
            check_lookups(log)
            check_against_rebuild(log, rebuild(self.node.media, log))

    def wait_for(self, send: Callable[[Callable[[Any], None]], None]) -> Any:
        """The answer to one request of the audit."""
        answers: list[Any] = []
        send(answers.append)
        require(self.scheduler.run_until(lambda: bool(answers), seconds_max=60.0), "no answer in the audit")
        require(answers[0] is not None, "the connection broke in the audit")
        return answers[0]


class _Audit:
    """One partition, read from its start to its end."""

    def __init__(
        self, run: NodeRun, client: SimClient, topic: TopicPromises, index: int, part: PartitionPromises
    ) -> None:
        self._run = run
        self._client = client
        self._topic = topic
        self._index = index
        self._part = part

    def run(self) -> None:
        part = self._part
        start = self._start_offset()
        part.check_start(start, at_least=part.start_min, retention=self._topic.retention)
        seen: dict[int, str] = {}
        offset, end = start, None
        while end is None or offset < end:
            data = self._fetch(offset)
            if data.error_code == ErrorCode.OFFSET_OUT_OF_RANGE and self._topic.retention:
                start = offset = self._start_offset()  # retention was faster
                continue
            require(data.error_code == 0, f"{part.name}: {ErrorCode(data.error_code)!r} in the audit")
            end = data.high_watermark
            buffer = bytes(data.records)
            require(bool(buffer) or offset >= end, f"{part.name}: nothing to read at {offset} of {end}")
            for at, header in iter_headers(buffer):
                require(crc_ok(buffer, at, header), f"{part.name}: wrong CRC at {header.base_offset}")
                for record in decode_records(buffer, at, header, max_bytes=DECODED_BYTES_MAX):
                    if record.offset >= start:
                        assert record.key is not None
                        seen[record.offset] = record.key.decode()
                        part.promise(record.offset, record.key.decode(), record.timestamp, "audit")
                offset = header.next_offset
        for known in sorted(part.records):
            if known >= start:
                require(known in seen, f"{part.name}: {part.records[known]} at {known} is gone")
        part.check_order()
        self._run.count("audited")

    def _start_offset(self) -> int:
        request = list_offsets(self._topic.name, self._index, EARLIEST)
        answer = (
            self._run.wait_for(lambda reply: self._client.request(ApiKey.LIST_OFFSETS, 7, request, reply))
            .topics[0]
            .partitions[0]
        )
        require(answer.error_code == 0, f"{self._part.name}: {ErrorCode(answer.error_code)!r} in the audit")
        return int(answer.offset)

    def _fetch(self, offset: int) -> Any:
        partition = FetchPartition(
            partition=self._index, fetch_offset=offset, partition_max_bytes=1 << 20, current_leader_epoch=-1
        )
        request = FetchRequest(
            max_wait_ms=0,
            min_bytes=0,
            max_bytes=1 << 20,
            session_epoch=-1,
            topics=[
                FetchTopic(topic=self._topic.name, topic_id=self._topic.topic_id, partitions=[partition])
            ],
        )
        return (
            self._run.wait_for(lambda reply: self._client.request(ApiKey.FETCH, 17, request, reply))
            .responses[0]
            .partitions[0]
        )
