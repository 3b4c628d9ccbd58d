"""A run of a cluster under transactional clients, from one seed.

Writers append to the lists of one topic, copiers read it and write the copies and their positions in one
transaction each, readers look on with ``read_committed``. Several clients share a transactional id, others
have their own; some are of the old protocol, some of the new. Trouble, healing, audit as in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from riverlog.base.errors import ErrorCode
from riverlog.metadata.image import INTERNAL_TOPICS
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from riverlog.protocol.generated.create_topics_request import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from riverlog.protocol.generated.elect_leaders_request import ElectLeadersRequest
from riverlog.protocol.generated.elect_leaders_request import TopicPartitions as ElectTopic
from riverlog.protocol.generated.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from riverlog.protocol.generated.metadata_request import MetadataRequest, MetadataRequestTopic
from riverlog.protocol.generated.update_features_request import FeatureUpdateKey, UpdateFeaturesRequest
from riverlog.sim import cluster_txn_graph
from riverlog.sim.checkers import require
from riverlog.sim.cluster import Plant
from riverlog.sim.cluster_admin import TOPIC_RESOURCE
from riverlog.sim.cluster_clients import ClusterTopic
from riverlog.sim.cluster_txn_actors import COPIES, LISTS, Copier, ListWriter, places_of
from riverlog.sim.cluster_txn_clients import Call, Scripted, Steps, TxnClient
from riverlog.sim.cluster_txn_faults import TxnFaults
from riverlog.sim.cluster_txn_history import History
from riverlog.sim.cluster_txn_reader import ListReader, TxnAuditor
from riverlog.sim.cluster_txn_watch import TxnLogWatch
from riverlog.sim.cluster_workload import HEAL_SECONDS_MAX, ClusterRun
from riverlog.sim.rng import SimRng

SECONDS = 15.0
GROUP = "copiers"
STRIKE_CHANCE = 0.01
OLD_VERSION_CHANCE = 0.2
PARTITIONS = {LISTS: 3, COPIES: 2}
_SETTINGS = {
    "group.min.session.timeout.ms": "1000",
    "transaction.state.log.num.partitions": "2",
    "transaction.state.log.replication.factor": "3",
    "transaction.state.log.min.isr": "2",
    "transaction.abort.timed.out.transaction.cleanup.interval.ms": "500",
}


class TxnAdmin(Scripted):
    """Creates the topics; then moves replicas and leaders now and then.

    Some clusters begin with an older transaction version: all clients are of the old protocol until it rises.
    """

    def _live(self) -> Steps[None]:
        if self.rng.chance(OLD_VERSION_CHANCE):
            yield from self._set_version(self.rng.random_int(0, 1))
            self.txn_world.style_max = 1
        for name, count in PARTITIONS.items():
            yield from self._create(name, count)
        while True:
            yield self._nap(0.5, 5.0)
            if self.world.quiet:
                return
            if self.txn_world.compacts:
                yield from self._compact()
            if self.txn_world.style_max == 1 and self.rng.chance(0.2):
                yield from self._set_version(2)
                self.txn_world.style_max = 2
                self.world.count("versions raised")
            yield from self._move(self.world.topics[self.rng.choice((LISTS, COPIES))])

    def _set_version(self, level: int) -> Steps[None]:
        up, down = 1, 2
        update = FeatureUpdateKey(
            feature="transaction.version", max_version_level=level, upgrade_type=up if level == 2 else down
        )
        request = UpdateFeaturesRequest(timeout_ms=3_000, feature_updates=[update])
        while True:
            answer = yield Call(self.any_node(), ApiKey.UPDATE_FEATURES, 1, request, seconds_max=4.0)
            rows = [] if answer is None or answer.error_code else answer.results
            if rows and not rows[0].error_code:
                return
            yield self._nap()

    def _create(self, name: str, count: int) -> Steps[None]:
        configs = {
            "min.insync.replicas": "2",
            "internal.segment.bytes": self.rng.choice(("4000", "100000")),
        }
        creation = CreatableTopic(
            name=name,
            num_partitions=count,
            replication_factor=3,
            configs=[CreatableTopicConfig(name=key, value=value) for key, value in configs.items()],
        )
        request = CreateTopicsRequest(timeout_ms=3_000, topics=[creation])
        look = MetadataRequest(topics=[MetadataRequestTopic(name=name)], allow_auto_topic_creation=False)
        while True:
            yield Call(self.any_node(), ApiKey.CREATE_TOPICS, 7, request, seconds_max=4.0)
            answer = yield Call(self.any_node(), ApiKey.METADATA, 12, look)
            if answer is not None and answer.topics[0].error_code == ErrorCode.NONE:
                self.world.topics[name] = ClusterTopic(name)
                self.world.topics[name].born(answer.topics[0].topic_id, count)
                return
            yield self._nap()

    def _compact(self) -> Steps[None]:
        """Small segments for the topics of the coordinators, so that there is something to compact."""
        changes = {"internal.segment.bytes": "2000", "min.cleanable.dirty.ratio": "0.01"}
        resources = [
            AlterConfigsResource(
                resource_type=TOPIC_RESOURCE,
                resource_name=name,
                configs=[
                    AlterableConfig(name=key, config_operation=0, value=value)
                    for key, value in changes.items()
                ],
            )
            for name in sorted(INTERNAL_TOPICS)
        ]
        request = IncrementalAlterConfigsRequest(resources=resources)
        yield Call(self.any_node(), ApiKey.INCREMENTAL_ALTER_CONFIGS, 1, request)

    def _move(self, topic: ClusterTopic) -> Steps[None]:
        index = self.rng.choice(sorted(topic.partitions))
        if self.rng.chance(0.5):
            replicas = self.rng.shuffled(self.world.node_ids)
            row = ReassignablePartition(partition_index=index, replicas=replicas)
            request = AlterPartitionReassignmentsRequest(
                timeout_ms=3_000, topics=[ReassignableTopic(name=topic.name, partitions=[row])]
            )
            yield Call(self.any_node(), ApiKey.ALTER_PARTITION_REASSIGNMENTS, 0, request)
        elect = ElectLeadersRequest(
            election_type=0,
            topic_partitions=[ElectTopic(topic=topic.name, partitions=[index])],
            timeout_ms=3_000,
        )
        yield Call(self.any_node(), ApiKey.ELECT_LEADERS, 2, elect)


class TxnRun(ClusterRun):
    """``run`` raises ``Violation`` with seed, replay command and the end of the trace."""

    def __init__(
        self,
        seed: int,
        *,
        plant: Plant | None = None,
        sink: Callable[[str], None] | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        name = f"txn-{seed}"
        rng = SimRng(name)
        planted = plant or Plant()
        super().__init__(
            seed,
            faults=rng.stream("disks").chance(0.3),
            plant=Plant(
                planted.disk_class,
                planted.broker_class,
                planted.prepare,
                planted.touch,
                {**_SETTINGS, **planted.settings, **(settings or {})},
            ),
            sink=sink,
        )
        self.name = name
        self.rng = rng
        self.topics = {}
        self.history = History()
        self.txn_watch = TxnLogWatch(self.cluster.nodes, self.history)
        self.lateness = rng.stream("lateness").choice((0.0, 0.05, 0.15))
        self.style_max = 2
        self.compacts = rng.stream("compacts").chance(0.3)
        self.stopping = False
        """Everything is copied: copiers begin nothing any more."""
        self._strikes = rng.stream("strikes")

    def tell(self, who: str, what: str) -> None:
        self.trace.add("txn", who, what)

    def at_step(self, node_id: int) -> None:
        if self._strikes.chance(STRIKE_CHANCE) and isinstance(self.faults, TxnFaults):
            self.faults.strike(self.cluster.node(node_id), self._strikes)

    def run(self, seconds: float = SECONDS) -> None:
        super().run(seconds)

    def _begin(self) -> None:
        rng = self.rng
        self.faults = TxnFaults(self, rng.stream("faults"), disk_faults=self._with_disk_faults)
        admin = TxnAdmin(self, "txn-admin", rng.stream("admin"))
        admin.start()
        created = self._until(lambda: len(self.topics) == len(PARTITIONS), HEAL_SECONDS_MAX)
        require(created, f"only {sorted(self.topics)} were created")
        self.faults.begin(2 * SECONDS)  # half of them come too late: the others leave time to work
        draws = rng.stream("clients")
        self.writers = [self._writer(number, draws) for number in range(3)]
        self.copiers = self._draw_copiers(draws)
        self.readers = [
            ListReader(self, f"reader{n}", rng.stream(f"reader{n}"), pause_seconds=0.15) for n in range(2)
        ]
        actors: list[Scripted] = [*self.writers, *self.copiers, *self.readers]
        for actor in actors:
            actor.start()

    def _writer(self, number: int, draws: SimRng) -> ListWriter:
        """Two share a transactional id, mostly."""
        name = f"writer{number}"
        owner = number if number == 2 or draws.chance(0.3) else 0
        return ListWriter(
            self,
            name,
            self.rng.stream(name),
            transactional_id=f"lists{owner}",
            style=draws.random_int(1, 2),
            pause_seconds=draws.choice((0.05, 0.2)),
        )

    def _draw_copiers(self, draws: SimRng) -> list[Copier]:
        """In a group with ids of their own, or by an id for each share of the input, two for the same."""
        inputs = list(range(PARTITIONS[LISTS]))
        member = draws.chance(0.5)
        shares = [inputs, inputs, inputs] if member else [inputs[:2], inputs[2:], inputs[:2]]
        owners = [0, 1, 2] if member else [0, 1, 0]
        return [
            Copier(
                self,
                f"copier{number}",
                self.rng.stream(f"copier{number}"),
                transactional_id=f"copies{owner}",
                style=draws.random_int(1, 2),
                pause_seconds=draws.choice((0.05, 0.2)),
                group=GROUP,
                inputs=share,
                member=member,
                primary=number == owner,
            )
            for number, (share, owner) in enumerate(zip(shares, owners, strict=True))
        ]

    def _look(self) -> None:
        if self.compacts:
            for history in self.watch.histories.values():
                history.compacted = history.compacted or history.name.rpartition("-")[0] in INTERNAL_TOPICS
        super()._look()
        self.txn_watch.look()

    # -- healing and the audit ---------------------------------------------------------------

    def _open(self, healed_at: float) -> str:
        for writer in self.writers:
            if not writer.idle:
                return f"{writer.who}: {writer.attempt}"
        for topic, index, state in self.metadata.state.partitions():
            if state.leader < 0 or sorted(state.isr) != sorted(state.replicas):
                return f"{topic.name}-{index}: leader {state.leader}, ISR {state.isr} of {state.replicas}"
        return ""

    def _audit(self) -> None:
        auditor = TxnAuditor(self, self.rng.stream("audit"))
        inputs = places_of(self, LISTS)
        for place in inputs:
            self._ask(
                partial(auditor.read, place), f"{place}: reading up to an end without open transactions"
            )
        until = self.scheduler.now + HEAL_SECONDS_MAX
        while True:
            self._ask(partial(auditor.find_offsets, GROUP, inputs), "offsets of the copiers")
            behind = [
                place
                for place in inputs
                if auditor.offsets[place] <= max(self.history.view(place).records, default=-1)
            ]
            if not behind:
                break
            require(self.scheduler.now < until, f"{behind} were not copied: {auditor.offsets}")
        self.stopping = True
        clients: list[TxnClient] = [*self.writers, *self.copiers]
        idle = self._until(lambda: all(client.idle for client in clients), HEAL_SECONDS_MAX)
        require(idle, f"still open: {[str(client.attempt) for client in clients if not client.idle]}")
        for place in places_of(self, COPIES):
            self._ask(
                partial(auditor.read, place), f"{place}: reading up to an end without open transactions"
            )
        closed = self._until(lambda: not self.txn_watch.still_open, HEAL_SECONDS_MAX)
        require(closed, f"never ended: {self.txn_watch.still_open}")
        self._ask(partial(auditor.find_offsets, GROUP, inputs), "offsets of the copiers")
        self._until(lambda: False, 0.5)
        self.history.check_end()
        self.txn_watch.check_end()
        copied = self.history.check_copies(COPIES, inputs, auditor.offsets)
        self.counts["copied"] = copied
        self.counts["markers"] = self.txn_watch.markers
        for name, number in cluster_txn_graph.check(self.history).items():
            self.counts[f"{name} (allowed)"] = number
        self._check_logs()
