"""A whole run of a cluster from one seed: clients at work, everything fails, then it heals and is audited."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from riverlog.env import StorageError
from riverlog.metadata.image import INTERNAL_TOPICS
from riverlog.sim.checkers import Violation, check_unique_sequences, require
from riverlog.sim.clock import Scheduler
from riverlog.sim.cluster import Cluster, ClusterNode, Plant
from riverlog.sim.cluster_admin import COLOURS, HOME, ClusterAdmin
from riverlog.sim.cluster_audit import Auditor
from riverlog.sim.cluster_checkers import LogWatch
from riverlog.sim.cluster_clients import ClusterTopic
from riverlog.sim.cluster_consumers import ClusterConsumer
from riverlog.sim.cluster_faults import Faults
from riverlog.sim.cluster_groups import GroupMember, GroupRecord
from riverlog.sim.cluster_metadata import MetadataWatch
from riverlog.sim.cluster_producers import ClusterProducer
from riverlog.sim.cluster_trace import ClusterTrace
from riverlog.sim.disk import PowerCut
from riverlog.sim.promises import EXISTS
from riverlog.sim.rng import SimRng
from riverlog.sim.storage import replay_hint

SECONDS = 30.0
LOOK_SECONDS = 0.1
FORM_SECONDS_MAX = 30.0
HEAL_SECONDS_MAX = 60.0
"""After healing everything must be as it should within this."""
_SETTINGS = {
    "default.replication.factor": "3",
    "min.insync.replicas": "2",
    "offsets.topic.replication.factor": "3",
    "offsets.topic.num.partitions": "2",
    "log.flush.start.offset.checkpoint.interval.ms": "2000",
    "replica.high.watermark.checkpoint.interval.ms": "1000",
    "log.retention.check.interval.ms": "5000",
    "group.initial.rebalance.delay.ms": "200",
    "log.cleaner.enable": "false",
}


def draw_settings(rng: SimRng, count: int) -> dict[str, str]:
    """Time-outs differ from run to run; those that must fit each other do."""
    session = rng.choice((3_000, 6_000, 9_000))
    settings = {
        **_SETTINGS,
        "broker.session.timeout.ms": str(session),
        "broker.heartbeat.interval.ms": str(session // rng.choice((4, 6))),
        "replica.lag.time.max.ms": str(rng.choice((1_500, 4_000, 10_000))),
        "replica.fetch.wait.max.ms": str(rng.choice((200, 500))),
        "controller.quorum.fetch.timeout.ms": str(rng.choice((1_000, 2_000))),
        "controller.quorum.election.timeout.ms": str(rng.choice((500, 1_000))),
        "metadata.max.idle.interval.ms": "2000",
    }
    if count < 3:
        settings |= {
            "default.replication.factor": "1",
            "min.insync.replicas": "1",
            "offsets.topic.replication.factor": "1",
        }
    return settings


class ClusterRun:
    """``run`` raises ``Violation`` with seed, replay command and the end of the trace."""

    def __init__(
        self,
        seed: int,
        *,
        faults: bool = False,
        count: int = 3,
        plant: Plant | None = None,
        sink: Callable[[str], None] | None = None,
    ) -> None:
        self.name = f"cluster-{'faults' if faults else 'lives'}-{seed}"
        self.rng = SimRng(self.name)
        self.scheduler = Scheduler()
        self.trace = ClusterTrace(self.scheduler)
        self.trace.sink = sink
        self.quiet = False
        self.counts: dict[str, int] = {}
        self.requests_in_trouble = 0
        """What clients asked before everything was healed."""
        self.topics = {name: ClusterTopic(name) for name in (HOME, *COLOURS)}
        self.cluster = Cluster(
            self.scheduler,
            self.rng.stream("cluster"),
            self.trace,
            count=count,
            settings=draw_settings(self.rng.stream("settings"), count),
            plant=plant,
            before_death=self._before_death,
        )
        self.network = self.cluster.network
        self.node_ids = [node.node_id for node in self.cluster.nodes]
        self.metadata = MetadataWatch()
        self.watch = LogWatch(self.cluster.nodes, self.metadata)
        self._with_disk_faults = faults
        self._producer_ids: dict[int, None] = {}

    @property
    def lives(self) -> int:
        return sum(node.lives for node in self.cluster.nodes)

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    # -- what actors ask -------------------------------------------------------------------

    def new_producer_id(self, producer_id: int) -> None:
        require(producer_id not in self._producer_ids, f"producer id {producer_id} was given out twice")
        self._producer_ids[producer_id] = None

    def leader_epoch(self, topic_id: bytes, index: int) -> int:
        return self.metadata.leads(topic_id, index)[1]

    def leads(self, topic_id: bytes, index: int) -> tuple[int, int]:
        return self.metadata.leads(topic_id, index)

    def acknowledged(self, topic: ClusterTopic, index: int, end_offset: int) -> None:
        """INVARIANTS 8: as many replicas have it as were promised."""
        if topic.shaky:
            return
        copies = self.watch.copies((topic.topic_id, index), end_offset, on_disk=topic.waits_for_disk)
        require(
            copies >= min(topic.copies_min, len(self.node_ids)),
            f"{topic.name}-{index}: acknowledged up to {end_offset}, {copies} replicas have it",
        )

    def _before_death(self, node: ClusterNode) -> None:
        assert node.broker is not None
        self.watch.died(node, node.broker)

    def power_lost(self, node: ClusterNode) -> None:
        self._forget(lambda topic: not topic.waits_for_disk)

    def data_lost(self, node: ClusterNode) -> None:
        self.watch.wiped(node)
        self._forget(lambda topic: topic.copies_min < 2 or not topic.waits_for_disk)

    def _forget(self, which: Callable[[ClusterTopic], bool]) -> None:
        for topic in self.topics.values():
            if which(topic):
                topic.forget_promises()

    # -- the run ---------------------------------------------------------------------------

    def run(self, seconds: float = SECONDS) -> None:
        try:
            self._form()
            self._begin()
            self._until(lambda: False, seconds)
            self.requests_in_trouble = self.counts.get("requests", 0)
            self._heal()
            self._audit()
        except Exception as error:  # whatever it is, the seed must be in the report
            raise Violation(
                f"{type(error).__name__}: {error}\n{replay_hint(self.name)}\n"
                f"{self.trace.story(40)}\n…\n{self.trace.tail(25)}"
            ) from error

    def _until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Run events until the condition holds; a cut in the middle of one ends that node's life there."""
        scheduler = self.scheduler
        until = scheduler.now + seconds
        while not condition():
            try:
                if not scheduler.step(until):
                    scheduler.now = max(scheduler.now, until)
                    return condition()
            except PowerCut:
                for node in self.cluster.dead_disks():
                    self.faults.die(node, power=self.rng.stream(f"cut-{scheduler.ran}").chance(0.6))
            for node in self.cluster.nodes:
                if node.failure is not None:
                    self._ended(node)
        return True

    def _ended(self, node: ClusterNode) -> None:
        """The process ended by itself: its disk failed it."""
        failure, node.failure = node.failure, None
        allowed = isinstance(failure, StorageError) and self._with_disk_faults
        require(allowed, f"{node.name} ended by itself without a fault: {failure}")
        self.faults.die(node, power=False)

    def _form(self) -> None:
        self.faults = Faults(self, self.rng.stream("faults"), disk_faults=self._with_disk_faults)
        self.cluster.format()
        for node in self.cluster.nodes:
            node.start(self.faults.setup())
        formed = self._until(lambda: all(node.serving for node in self.cluster.nodes), FORM_SECONDS_MAX)
        require(formed, f"only {[n.name for n in self.cluster.nodes if n.serving]} serve")
        self._look()

    def _begin(self) -> None:
        rng = self.rng
        self.faults.begin(SECONDS)
        self.admin = ClusterAdmin(self, rng.stream("admin"), pause_seconds=0.5)

        def producer(name: str, acks: int, pause_seconds: float) -> ClusterProducer:
            return ClusterProducer(
                self,
                name,
                rng.stream(name),
                idempotent=name.startswith("idempotent"),
                acks=acks,
                pause_seconds=pause_seconds,
            )

        self.producers = [
            producer("idempotent1", -1, 0.15),
            producer("idempotent2", -1, 0.15),
            producer("all", -1, 0.25),
            producer("one", 1, 0.25),
        ]
        self.consumers = [
            ClusterConsumer(self, f"consumer{n}", rng.stream(f"consumer{n}"), pause_seconds=0.15)
            for n in range(2)
        ]
        group = GroupRecord("group", HOME, 4)
        self.members = [
            GroupMember(self, f"member{n}", rng.stream(f"member{n}"), group, pause_seconds=0.5)
            for n in range(2)
        ]

    def _look(self) -> None:
        self.scheduler.call_later(LOOK_SECONDS, self._look)
        self.watch.describe(self.topics)
        self.watch.look()
        for topic in self.topics.values():
            if topic.topic_id in self.metadata.unclean_ids and not topic.shaky:
                require(
                    not topic.waits_for_disk,
                    f"{topic.name}: an unclean election though every replica waits for its disk",
                )
                topic.forget_promises()
        touch = self.cluster.plant.touch
        if touch is not None:
            for node in self.cluster.running:
                assert node.broker is not None
                touch(node.broker)

    # -- healing and the audit ---------------------------------------------------------------

    def _heal(self) -> None:
        """No more trouble. Work goes on for a while, then all that is open must be finished."""
        self.trace.add("heal")
        self.faults.stop()
        self.network.heal()
        for node in self.cluster.nodes:
            if node.process is not None:
                node.process.resume()
            if node.disk is not None:
                node.disk.setup.faults.clear()
                node.disk.setup.capacity_bytes = 1 << 40
                node.disk.cut_at = None
        before = self.counts.get("acknowledged", 0)
        self._until(lambda: False, 3.0)
        for node in self.cluster.nodes:
            if not node.running:
                node.start(self.faults.setup(calm=True))
        served = self._until(lambda: all(node.serving for node in self.cluster.nodes), HEAL_SECONDS_MAX)
        require(served, f"after healing only {[n.name for n in self.cluster.nodes if n.serving]} serve")
        self._until(lambda: self.counts.get("acknowledged", 0) > before + 10, HEAL_SECONDS_MAX)
        require(self.counts.get("acknowledged", 0) > before, "nothing was acknowledged after healing")
        self.quiet = True
        healed_at = self.scheduler.now
        settled = self._until(lambda: not self._open(healed_at), HEAL_SECONDS_MAX)
        require(settled, f"not settled after healing: {self._open(healed_at)}")
        self.count("settled")

    def _open(self, healed_at: float) -> str:
        """What is not as it should be."""
        for producer in self.producers:
            if not producer.idle:
                return producer.stuck
        if not self.admin.idle:
            unsure = [topic.name for topic in self.topics.values() if topic.state == "unsure"]
            return f"topics {unsure}"
        for member in self.members:
            if member.checked_at < healed_at:
                return f"{member.name} found no offsets"
        shaky = {topic.topic_id for topic in self.topics.values() if topic.shaky}
        for topic, index, state in self.metadata.state.partitions():
            if topic.topic_id in shaky or self._is_given_up(topic.topic_id, index):
                continue
            if state.leader < 0 or sorted(state.isr) != sorted(state.replicas):
                return f"{topic.name}-{index}: leader {state.leader}, ISR {state.isr} of {state.replicas}"
        return ""

    def _is_given_up(self, topic_id: bytes, index: int) -> bool:
        """Every replica died without having waited for its disk: nobody may lead (RULES: unclean stop)."""
        waits = {topic.topic_id: topic.waits_for_disk for topic in self.topics.values()}
        state = self.metadata.state.topics_by_id[topic_id].partitions[index]
        return not waits.get(topic_id, True) and not state.isr

    def _audit(self) -> None:
        """Read everything once more, from the start, with a client that knows nothing."""
        auditor = Auditor(self, self.rng.stream("audit"))
        for name in sorted(self.topics):
            topic = self.topics[name]
            if topic.shaky:
                continue
            self._ask(partial(auditor.check_topic, topic), f"{name}: Metadata")
            if topic.state != EXISTS:
                continue
            self._ask(partial(auditor.check_settings, topic), f"{name}: settings")
            for index in sorted(topic.partitions):
                if self._is_given_up(topic.topic_id, index):
                    continue
                self._ask(partial(auditor.read, topic, index), f"{name}-{index}: reading all of it")
                topic.partitions[index].check_order()
                self.count("audited")
        self._until(lambda: False, 1.0)
        self._check_logs()

    def _ask(self, begin: Callable[[Callable[[], None]], None], what: str) -> None:
        finished: list[bool] = []
        begin(lambda: finished.append(True))
        require(self._until(lambda: bool(finished), HEAL_SECONDS_MAX), f"{what} took too long in the audit")

    def _check_logs(self) -> None:
        for node in self.cluster.nodes:
            require(node.broker is not None, f"{node.name} died in the audit")
            assert node.broker is not None
            for partition in node.broker.replicas.all():
                key = (partition.topic_id, partition.index)
                self.watch.check_committed(node, key, partition.log)
                if partition.topic not in INTERNAL_TOPICS:
                    check_unique_sequences(partition.log)
