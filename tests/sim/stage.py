"""A cluster that a test directs step by step; the checkers of every run look on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.metadata.image import PartitionState
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from riverlog.protocol.generated.create_topics_request import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from riverlog.protocol.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from riverlog.protocol.generated.elect_leaders_request import ElectLeadersRequest
from riverlog.protocol.generated.elect_leaders_request import TopicPartitions as ElectTopic
from riverlog.protocol.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from riverlog.protocol.generated.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from riverlog.protocol.generated.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from riverlog.records import BatchBuilder, decode_records
from riverlog.sim.checkers import DECODED_BYTES_MAX
from riverlog.sim.clock import START_MS
from riverlog.sim.cluster import ClusterNode, Plant
from riverlog.sim.cluster_admin import TOPIC_RESOURCE
from riverlog.sim.cluster_clients import Agent, ClusterTopic
from riverlog.sim.cluster_consumers import check_batches
from riverlog.sim.cluster_workload import ClusterRun
from riverlog.sim.promises import PartitionPromises

WAIT_SECONDS_MAX = 40.0


def _creation(name: str, replicas: list[int], configs: Mapping[str, str]) -> CreateTopicsRequest:
    return CreateTopicsRequest(
        timeout_ms=10_000,
        topics=[
            CreatableTopic(
                name=name,
                num_partitions=-1,
                replication_factor=-1,
                assignments=[CreatableReplicaAssignment(partition_index=0, broker_ids=replicas)],
                configs=[CreatableTopicConfig(name=key, value=value) for key, value in configs.items()],
            )
        ],
    )


class Stage(ClusterRun):
    """No clients but the test's own, no faults but those it asks for."""

    def __init__(
        self,
        name: str,
        *,
        seed: int = 1,
        plant: Plant | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        plant = plant or Plant()
        plant.settings = {
            "broker.session.timeout.ms": "3000",
            "broker.heartbeat.interval.ms": "500",
            "replica.lag.time.max.ms": "2000",
            "controller.quorum.fetch.timeout.ms": "1000",
            "controller.quorum.election.timeout.ms": "500",
            "auto.leader.rebalance.enable": "false",
            **plant.settings,
            **(settings or {}),
        }
        super().__init__(seed, plant=plant)
        self.name = name
        self._form()
        self.network.calm = True
        self.agent = Agent(self, "test", self.rng.stream("test"))
        self.number = 0

    def start(self, node: ClusterNode) -> None:
        node.start(self.faults.setup(calm=True))

    # -- time --------------------------------------------------------------------------------

    def run_for(self, seconds: float) -> None:
        self._until(lambda: False, seconds)

    def wait(self, condition: Callable[[], bool], what: str, seconds: float = WAIT_SECONDS_MAX) -> None:
        assert self._until(condition, seconds), f"{what}: not within {seconds} s\n{self.trace.story(40)}"

    def ask(self, node: ClusterNode, key: ApiKey, version: int, request: Any) -> Any:
        """The answer, or None if there is none."""
        answers: list[Any] = []
        self.agent.ask(node.node_id, key, version, request, answers.append, seconds_max=20.0)
        self.wait(lambda: bool(answers), "an answer")
        return answers[0]

    # -- topics ------------------------------------------------------------------------------

    def create(
        self,
        name: str,
        *,
        replicas: list[int] | None = None,
        min_insync: int = 2,
        configs: Mapping[str, str] | None = None,
    ) -> bytes:
        """One partition, its preferred leader first."""
        replicas = replicas or [1, 2, 3]
        request = _creation(name, replicas, {"min.insync.replicas": str(min_insync), **(configs or {})})
        row = self.ask(self.serving(), ApiKey.CREATE_TOPICS, 7, request).topics[0]
        assert row.error_code == ErrorCode.NONE, (row.error_code, row.error_message)
        topic = self.topics[name] = ClusterTopic(
            name, min_insync=min_insync, replication_factor=len(replicas)
        )
        topic.compacted = (configs or {}).get("cleanup.policy") == "compact"
        topic.born(row.topic_id, 1)
        self.watch.history((topic.topic_id, 0), f"{name}-0")
        self.watch.describe(self.topics)
        self.wait(lambda: self.state(name).leader > 0, "a leader")
        self.wait(lambda: self.leads(name) is not None, "its leader leads")
        return bytes(row.topic_id)

    def begin_create(self, name: str, *, at: ClusterNode) -> None:
        """Ask for it and do not wait."""
        request = _creation(name, [1, 2, 3], {})
        self.agent.ask(at.node_id, ApiKey.CREATE_TOPICS, 7, request, lambda _response: None)

    def alter(self, name: str, setting: str, value: str, *, to: ClusterNode | None = None) -> None:
        change = AlterableConfig(name=setting, config_operation=0, value=value)
        resource = AlterConfigsResource(resource_type=TOPIC_RESOURCE, resource_name=name, configs=[change])
        request = IncrementalAlterConfigsRequest(resources=[resource])
        answer = self.ask(to or self.serving(), ApiKey.INCREMENTAL_ALTER_CONFIGS, 1, request)
        assert answer.responses[0].error_code == ErrorCode.NONE, answer
        if setting == "ack.after.fsync":
            self.topics[name].waits_for_disk = value == "true"

    def prefer(self, name: str, replicas: list[int]) -> None:
        """The same replicas in this order, the first of them elected."""
        row = ReassignablePartition(partition_index=0, replicas=replicas)
        move = AlterPartitionReassignmentsRequest(
            timeout_ms=5_000, topics=[ReassignableTopic(name=name, partitions=[row])]
        )
        answer = self.ask(self.serving(), ApiKey.ALTER_PARTITION_REASSIGNMENTS, 0, move)
        assert answer.error_code == ErrorCode.NONE, answer
        self.wait(lambda: list(self.state(name).replicas) == replicas, f"replicas {replicas}")
        elect = ElectLeadersRequest(
            election_type=0, topic_partitions=[ElectTopic(topic=name, partitions=[0])], timeout_ms=5_000
        )
        self.ask(self.serving(), ApiKey.ELECT_LEADERS, 2, elect)

    def delete(self, name: str) -> None:
        request = DeleteTopicsRequest(timeout_ms=10_000, topics=[DeleteTopicState(name=name)])
        answer = self.ask(self.serving(), ApiKey.DELETE_TOPICS, 6, request)
        assert answer.responses[0].error_code == ErrorCode.NONE
        del self.topics[name]

    def serving(self) -> ClusterNode:
        return next(node for node in self.cluster.nodes if node.serving and not node.paused)

    def state(self, name: str) -> PartitionState:
        """As the committed metadata has it."""
        self.watch.look()
        topic = self.metadata.state.topics.get(name)
        if topic is None:
            none = PartitionState()
            none.leader, none.isr, none.leader_epoch = -1, (), -1
            return none
        return topic.partitions[0]

    def leads(self, name: str) -> ClusterNode | None:
        """The node that leads it and knows it."""
        state = self.state(name)
        if state.leader < 0:
            return None
        node = self.cluster.node(state.leader)
        partition = None if node.broker is None else node.broker.partition(name, 0)
        if isinstance(partition, ErrorCode) or partition is None:
            return None
        return node if partition.is_leader and partition.leader_epoch == state.leader_epoch else None

    def wait_for_leader(self, name: str, *, other_than: ClusterNode | None = None) -> ClusterNode:
        self.wait(lambda: self.leads(name) not in (None, other_than), f"a new leader of {name}")
        found = self.leads(name)
        assert found is not None
        return found

    def wait_for_isr(self, name: str, *node_ids: int) -> None:
        self.wait(lambda: sorted(self.state(name).isr) == sorted(node_ids), f"ISR {node_ids} of {name}")

    # -- records -----------------------------------------------------------------------------

    def batch(self) -> tuple[str, bytes]:
        self.number += 1
        record = f"test/{self.number}"
        builder = BatchBuilder()
        builder.append(timestamp=START_MS, key=record.encode(), value=b"x" * 20)
        return record, builder.build()

    def produce(
        self,
        name: str,
        *,
        to: ClusterNode | None = None,
        acks: int = -1,
        timeout_ms: int = 5_000,
        batch: bytes | None = None,
    ) -> ErrorCode | None:
        """One record; promised when it was acknowledged to all. None: no answer came."""
        node = to or self.wait_for_leader(name)
        answers = self.begin_produce(name, to=node, acks=acks, timeout_ms=timeout_ms, batch=batch)
        self.wait(lambda: bool(answers), "an answer")
        return answers[0]

    def begin_produce(
        self,
        name: str,
        *,
        to: ClusterNode,
        acks: int = -1,
        timeout_ms: int = 5_000,
        batch: bytes | None = None,
    ) -> list[ErrorCode | None]:
        """Does not wait: what it answers holds the outcome once it is known. A test's own batch is its own
        to check."""
        record = ""
        if batch is None:
            record, batch = self.batch()
        answers: list[ErrorCode | None] = []
        topic = self.topics[name]
        request = ProduceRequest(
            transactional_id=None,
            acks=acks,
            timeout_ms=timeout_ms,
            topic_data=[
                TopicProduceData(
                    topic_id=topic.topic_id,
                    partition_data=[PartitionProduceData(index=0, records=memoryview(batch))],
                )
            ],
        )

        def reply(response: Any) -> None:
            if response is None:
                answers.append(None)
                return
            row = response.responses[0].partition_responses[0]
            error = ErrorCode(row.error_code)
            if not error and acks == -1:
                if record:
                    topic.partitions[0].promise(row.base_offset, record, START_MS, "acknowledged to the test")
                self.acknowledged(topic, 0, row.base_offset + 1)
            answers.append(error)

        self.agent.ask(to.node_id, ApiKey.PRODUCE, 13, request, reply, seconds_max=20.0)
        return answers

    def fetch(self, name: str, *, offset: int = 0, node: ClusterNode | None = None, epoch: int = -1) -> Any:
        """The partition's part of a Fetch answer."""
        partition = FetchPartition(
            partition=0,
            fetch_offset=offset,
            partition_max_bytes=1 << 20,
            last_fetched_epoch=epoch,
        )
        request = FetchRequest(
            max_wait_ms=0,
            min_bytes=0,
            max_bytes=1 << 20,
            session_epoch=-1,
            topics=[FetchTopic(topic_id=self.topics[name].topic_id, partitions=[partition])],
        )
        for _ in range(5):  # a connection to a node that has lost power ends with the first question
            response = self.ask(node or self.wait_for_leader(name), ApiKey.FETCH, 16, request)
            if response is not None:
                break
        return response.responses[0].partitions[0]

    def read(self, name: str, node: ClusterNode | None = None) -> list[str]:
        """Every record that can be read now; each is promised from then on."""
        part: PartitionPromises = self.topics[name].partitions[0]
        found: list[str] = []
        offset, end = 0, 1
        while offset < end:  # one segment at a time
            data = self.fetch(name, node=node, offset=offset)
            assert data.error_code == ErrorCode.NONE, data.error_code
            before, end = offset, data.high_watermark
            for buffer, at, header in check_batches(name, data):
                for record in decode_records(buffer, at, header, max_bytes=DECODED_BYTES_MAX):
                    assert record.key is not None
                    found.append(record.key.decode())
                    part.promise(record.offset, found[-1], record.timestamp, "read by the test")
                offset = header.next_offset
            if offset == before:
                break
        return found

    def check_all(self, name: str) -> None:
        """In the end: three in sync, and all that was promised is there."""
        self.network.heal()
        for node in self.cluster.nodes:
            if not node.running:
                self.start(node)
        self.wait_for_isr(name, *self.state(name).replicas)
        part = self.topics[name].partitions[0]

        def complete() -> bool:
            found = self.read(name)
            return all(known.record in found for known in part.records.values())

        self.wait(complete, f"all of {sorted(part.records)}", 10.0)
        self._check_logs()

    # -- faults ------------------------------------------------------------------------------

    def isolate(self, node: ClusterNode, *others: ClusterNode) -> None:
        """From these, or from all."""
        for other in others or [one for one in self.cluster.nodes if one is not node]:
            self.network.block(node.name, other.name)
            self.network.block(other.name, node.name)

    def power(self, *nodes: ClusterNode) -> None:
        for node in nodes:
            node.lose_power(self.rng.stream(f"power-{node.name}-{node.lives}"))

    def heal(self) -> None:
        self.network.heal()

    def heal_between(self, one: ClusterNode, other: ClusterNode) -> None:
        self.network.unblock(one.name, other.name)
        self.network.unblock(other.name, one.name)
