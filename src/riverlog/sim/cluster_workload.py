"""A whole run of a cluster from one seed: clients at work, everything fails, then it heals and is audited."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from riverlog.broker.auto_creation import OFFSETS_TOPIC
from riverlog.coordinator.host import java_hash
from riverlog.env import StorageError
from riverlog.metadata.image import INTERNAL_TOPICS, NO_LEADER
from riverlog.sim.checkers import Violation, check_unique_sequences, require
from riverlog.sim.clock import START_MS, Scheduler
from riverlog.sim.cluster import LOG_DIR, Cluster, ClusterNode, Plant
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
from riverlog.sim.cluster_upkeep import check_compacted, check_whole, contents, flip_bit, is_whole
from riverlog.sim.disk import PowerCut
from riverlog.sim.promises import EXISTS
from riverlog.sim.rng import SimRng
from riverlog.sim.storage import replay_hint

SECONDS = 30.0
LOOK_SECONDS = 0.1
FORM_SECONDS_MAX = 30.0
STOPS_MAX = 3
"""Of nodes that lead with damage: an election may bring them back."""
HEAL_SECONDS_MAX = 60.0
"""After healing everything must be as it should within this."""
SCRUB_SECONDS = 3.0
_SETTINGS = {
    "default.replication.factor": "3",
    "min.insync.replicas": "2",
    "offsets.topic.replication.factor": "3",
    "offsets.topic.num.partitions": "2",
    "log.flush.start.offset.checkpoint.interval.ms": "2000",
    "replica.high.watermark.checkpoint.interval.ms": "1000",
    "log.retention.check.interval.ms": "1000",
    "group.initial.rebalance.delay.ms": "200",
    "log.cleaner.backoff.ms": "1000",
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
            after_start=self._after_start,
        )
        if faults:
            self.cluster.scrub_seconds = SCRUB_SECONDS
        self.network = self.cluster.network
        self.node_ids = [node.node_id for node in self.cluster.nodes]
        self.metadata = MetadataWatch()
        self.watch = LogWatch(self.cluster.nodes, self.metadata)
        self._with_disk_faults = faults
        self._producer_ids: dict[int, None] = {}
        self._damaged: list[tuple[ClusterNode, str, tuple[bytes, int]]] = []
        """Where bits have flipped."""
        self._with_flips = False
        self._ahead_ms = 0
        """The farthest that a node's wall clock ever was."""

    @property
    def lives(self) -> int:
        return sum(node.lives for node in self.cluster.nodes)

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    # -- what actors ask -------------------------------------------------------------------

    def new_producer_id(self, producer_id: int) -> None:
        require(producer_id not in self._producer_ids, f"producer id {producer_id} was given out twice")
        self._producer_ids[producer_id] = None

    def leads(self, topic_id: bytes, index: int, *, now: bool = False) -> tuple[int, int]:
        if now:
            self.watch.look_at_metadata()
        return self.metadata.leads(topic_id, index)

    def is_damaged(self, node_id: int) -> bool:
        return any(node.node_id == node_id for node, _, _ in self._damaged)

    def least_time_ms(self, topic: ClusterTopic) -> int:
        return START_MS + int(self.scheduler.now * 1000) + self._ahead_ms - topic.retention_ms

    def coordinates(self, group: str) -> tuple[int, int]:
        """Who does by the committed metadata, now, and in which epoch."""
        self.watch.look_at_metadata()
        offsets = self.metadata.state.topics.get(OFFSETS_TOPIC)
        if offsets is None:
            return (NO_LEADER, -1)
        return self.metadata.leads(offsets.topic_id, java_hash(group) % len(offsets.partitions))

    def check_exists(self, topic: ClusterTopic) -> None:
        self.watch.look_at_metadata()
        found = self.metadata.state.topics.get(topic.name)
        # A controller that was deposed and does not know it may still see the topic that was deleted.
        require(
            self.metadata.lost or found is not None or bool(topic.old_ids),
            f"{topic.name}: creating it answered that it exists, by the committed metadata it never did",
        )

    def acknowledged(self, topic: ClusterTopic, index: int, end_offset: int) -> None:
        """INVARIANTS 8: as many replicas have it as were promised."""
        if topic.shaky:
            return
        copies = self.watch.copies((topic.topic_id, index), end_offset, on_disk=topic.waits_for_disk)
        require(
            copies >= min(topic.copies_min, len(self.node_ids)),
            f"{topic.name}-{index}: acknowledged up to {end_offset}, {copies} replicas have it",
        )
        self.watch.check_in_sync((topic.topic_id, index), f"{topic.name}-{index}", end_offset)

    def _before_death(self, node: ClusterNode) -> None:
        assert node.broker is not None
        self.watch.died(node, node.broker)

    def _after_start(self, node: ClusterNode) -> None:
        assert node.broker is not None
        self.watch.started(node, node.broker)

    def power_lost(self, node: ClusterNode) -> None:
        self._forget(lambda topic: not topic.waits_for_disk)

    def data_lost(self, node: ClusterNode) -> None:
        self.watch.wiped(node)
        self._forget(lambda topic: topic.copies_min < 2 or not topic.waits_for_disk)

    def flip_bit(self, node: ClusterNode, rng: SimRng) -> None:
        if not self._with_flips:
            return
        folders = {
            f"{LOG_DIR}/{topic.name}-{index}": (topic.topic_id, index)
            for _, topic in sorted(self.topics.items())
            if topic.state == EXISTS and topic.waits_for_disk and topic.copies_min > 1
            if not topic.compacted and not topic.shaky
            for index in sorted(topic.partitions)
        }
        folder = flip_bit(node, list(folders), rng)
        if folder is None:
            return
        self.trace.add("bit flipped", node.name, folder)
        self.count("bits flipped")
        self._damaged.append((node, folder, folders[folder]))
        self.watch.distrust(node, folders[folder])

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
        self._with_flips = self._with_disk_faults
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
            for n in range(3)
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
        self._ahead_ms = max(self._ahead_ms, *(node.wall_offset_ms for node in self.cluster.nodes))
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
        for _ in range(STOPS_MAX):
            self._until(lambda: not self._open(healed_at) or bool(self._damaged_leaders()), HEAL_SECONDS_MAX)
            if not self._damaged_leaders():
                break
            self._let_others_lead()
        settled = self._until(lambda: not self._open(healed_at), HEAL_SECONDS_MAX)
        require(settled, f"not settled after healing: {self._open(healed_at)}")
        self.count("settled")

    def _damaged_leaders(self) -> list[ClusterNode]:
        return [
            node
            for node, _, key in self._damaged
            if self.leads(*key, now=True)[0] == node.node_id and not self._is_whole(node, key)
        ]

    def _let_others_lead(self) -> None:
        """A damaged replica is repaired once another leads: its operator stops it for a while."""
        stopped = [(node, key) for node, _, key in self._damaged if node in self._damaged_leaders()]
        for node, _ in stopped:
            if node.running:
                self.trace.add("kill", node.name, "it leads with damage")
                node.kill()

        def still_leading() -> list[str]:
            return [node.name for node, key in stopped if self.leads(*key, now=True)[0] == node.node_id]

        moved = self._until(lambda: not still_leading(), HEAL_SECONDS_MAX)
        require(moved, f"{still_leading()} lead though they are down")
        for node in self.cluster.nodes:
            if not node.running:
                node.start(self.faults.setup(calm=True))

    def _unrepaired(self) -> str:
        """INVARIANTS 23: damage that nobody has found and repaired yet."""
        left = [one for one in self._damaged if not self._is_whole(one[0], one[2])]
        return "" if not left else f"{left[0][0].name} has damage in {left[0][1]}"

    def _is_whole(self, node: ClusterNode, key: tuple[bytes, int]) -> bool:
        found = [] if node.broker is None else node.broker.replicas.all()
        return all(is_whole(one.log) for one in found if (one.topic_id, one.index) == key)

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
        return self._unrepaired()

    def _is_given_up(self, topic_id: bytes, index: int) -> bool:
        """Every replica died without having waited for its disk: nobody may lead (RULES: unclean stop)."""
        waits = {topic.topic_id: topic.waits_for_disk for topic in self.topics.values()}
        state = self.metadata.state.topics_by_id[topic_id].partitions[index]
        return not waits.get(topic_id, True) and not state.isr

    def _audit(self) -> None:
        """Read everything once more, from the start, with a client that knows nothing."""
        self.watch.look_at_metadata()
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
        self.watch.trust_all()
        self._check_logs()
        self._check_compacted()

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
                check_whole(f"{partition.topic}-{partition.index} of {node.name}", partition.log)
                history = self.watch.histories.get(key)
                if partition.topic not in INTERNAL_TOPICS and not (history and history.compacted):
                    check_unique_sequences(partition.log)

    def _check_compacted(self) -> None:
        """INVARIANTS 20, on every replica, whoever leads next."""
        for _, topic in sorted(self.topics.items()):
            if topic.state != EXISTS or topic.shaky or not topic.compacted:
                continue
            for node in self.cluster.nodes:
                assert node.broker is not None
                for one in node.broker.replicas.all():
                    part = topic.partitions.get(one.index)
                    if one.topic_id == topic.topic_id and part is not None:
                        check_compacted(part, contents(one.log), keeps_tombstones=topic.keeps_tombstones)
                        self.count("compacted logs")
