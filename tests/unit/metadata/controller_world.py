"""The controller's decisions without a node around them: each is replayed, and the state is checked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

from riverlog.base.config import BrokerConfig
from riverlog.base.errors import ErrorCode
from riverlog.metadata import alter_partition as altering
from riverlog.metadata import broker_lifecycle, election, reassignment, registration, validate
from riverlog.metadata.controller import ControllerSettings, Decision
from riverlog.metadata.image import BROKER_RESOURCE, TOPIC_RESOURCE, ClusterState, PartitionState
from riverlog.metadata.records import (
    ELR_VERSION_FEATURE,
    METADATA_VERSION,
    METADATA_VERSION_FEATURE,
    SUPPORTED_FEATURES,
    decode_record,
    encode_record,
)
from riverlog.protocol.generated.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from riverlog.protocol.generated.alter_partition_request import (
    AlterPartitionRequest,
    BrokerState,
    PartitionData,
    TopicData,
)
from riverlog.protocol.generated.alter_partition_response import PartitionData as Altered
from riverlog.protocol.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from riverlog.protocol.generated.broker_heartbeat_response import BrokerHeartbeatResponse
from riverlog.protocol.generated.broker_registration_request import (
    BrokerRegistrationRequest,
    Feature,
    Listener,
)
from riverlog.protocol.generated.broker_registration_response import BrokerRegistrationResponse
from riverlog.protocol.generated.config_record import ConfigRecord
from riverlog.protocol.generated.elect_leaders_request import ElectLeadersRequest, TopicPartitions
from riverlog.protocol.generated.feature_level_record import FeatureLevelRecord
from riverlog.protocol.generated.partition_record import PartitionRecord
from riverlog.protocol.generated.topic_record import TopicRecord
from riverlog.protocol.generated.unregister_broker_request import UnregisterBrokerRequest
from riverlog.sim.rng import SimRng

R = TypeVar("R")
CLUSTER = "test-cluster"
TOPIC_ID = b"t" * 16
NEWEST = 1 << 40
"""An offset that is past everything."""


def directory(broker_id: int, generation: int = 0, number: int = 0) -> bytes:
    return b"dir:" + bytes([broker_id, generation, number]) * 4


class Controller:
    """One topic ``t`` with one partition, and brokers that come and go."""

    def __init__(
        self,
        *brokers: int,
        racks: Mapping[int, str] | None = None,
        elr: bool = True,
        static: Mapping[str, str] | None = None,
    ) -> None:
        self.state = ClusterState()
        self.offset = 0
        self.settings = ControllerSettings(100, BrokerConfig(dict(static or {})), SimRng(7))
        self.racks = racks or {}
        self.incarnation = 0
        levels = {METADATA_VERSION_FEATURE: METADATA_VERSION, ELR_VERSION_FEATURE: int(elr)}
        for name, level in levels.items():
            self.replay(FeatureLevelRecord(name=name, feature_level=level))
        for broker_id in brokers:
            self.start(broker_id)

    # -- records -----------------------------------------------------------------------------------

    def replay(self, *records: object) -> None:
        for record in records:
            # As everybody else reads it.
            self.state.replay(decode_record(encode_record(record, self.state.metadata_version)))  # type: ignore[arg-type]
            self.offset += 1

    def apply(self, decision: Decision[R]) -> R:
        self.replay(*decision.records)
        assert validate.check_state(self.state) == []
        return decision.response

    def topic(
        self,
        replicas: Sequence[int],
        *,
        isr: Sequence[int] | None = None,
        leader: int | None = None,
        elr: Sequence[int] = (),
        known: Sequence[int] = (),
        directories: Sequence[bytes] | None = None,
        **settings: str,
    ) -> None:
        isr = list(replicas if isr is None else isr)
        leader = (isr[0] if isr else -1) if leader is None else leader
        given = [directory(one) for one in replicas] if directories is None else list(directories)
        self.replay(
            TopicRecord(name="t", topic_id=TOPIC_ID),
            PartitionRecord(
                partition_id=0,
                topic_id=TOPIC_ID,
                replicas=list(replicas),
                isr=isr,
                leader=leader,
                leader_epoch=0,
                partition_epoch=0,
                directories=given,
                eligible_leader_replicas=list(elr) or None,
                last_known_elr=list(known) or None,
            ),
        )
        for name, value in settings.items():
            self.setting(name.replace("_", "."), value)
        assert validate.check_state(self.state) == []

    def setting(self, name: str, value: str | None, *, topic: str | None = "t") -> None:
        kind, resource = (BROKER_RESOURCE, "") if topic is None else (TOPIC_RESOURCE, topic)
        self.replay(ConfigRecord(resource_type=kind, resource_name=resource, name=name, value=value))

    @property
    def partition(self) -> PartitionState:
        return self.state.topics["t"].partitions[0]

    @property
    def shape(self) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
        """Leader, ISR, ELR."""
        found = self.partition
        return found.leader, found.isr, found.eligible_leader_replicas

    # -- brokers -----------------------------------------------------------------------------------

    def register(
        self,
        broker_id: int,
        *,
        clean: bool = False,
        again: bool = False,
        session_alive: bool = False,
        dirs: Sequence[bytes] | None = None,
        cluster_id: str = CLUSTER,
        features: Mapping[str, tuple[int, int]] = SUPPORTED_FEATURES,
        in_contact: Collection[int] | None = None,
    ) -> BrokerRegistrationResponse:
        known = self.state.brokers.get(broker_id)
        if not again:
            self.incarnation += 1
        request = BrokerRegistrationRequest(
            broker_id=broker_id,
            cluster_id=cluster_id,
            incarnation_id=self.incarnation.to_bytes(16, "big"),
            listeners=[Listener(name="PLAINTEXT", host="localhost", port=9000 + broker_id)],
            features=[
                Feature(name=name, min_supported_version=low, max_supported_version=high)
                for name, (low, high) in features.items()
            ],
            rack=self.racks.get(broker_id),
            log_dirs=[directory(broker_id)] if dirs is None else list(dirs),
            previous_broker_epoch=known.broker_epoch if clean and known is not None else -1,
        )
        decision = registration.register_broker(
            self.state,
            self.settings,
            request,
            cluster_id=CLUSTER,
            offset=self.offset,
            session_alive=session_alive,
            in_contact=lambda one: in_contact is None or one in in_contact,
        )
        return self.apply(decision)

    def beat(
        self,
        broker_id: int,
        *,
        at: int = NEWEST,
        epoch: int | None = None,
        want_fence: bool = False,
        want_shut_down: bool = False,
        offline: Sequence[bytes] = (),
        first_contact: bool = False,
        others_caught_up: bool = True,
    ) -> BrokerHeartbeatResponse:
        request = BrokerHeartbeatRequest(
            broker_id=broker_id,
            broker_epoch=self.state.brokers[broker_id].broker_epoch if epoch is None else epoch,
            current_metadata_offset=at,
            want_fence=want_fence,
            want_shut_down=want_shut_down,
            offline_log_dirs=list(offline),
        )
        decision = broker_lifecycle.heartbeat(
            self.state,
            self.settings,
            request,
            first_contact=first_contact,
            others_caught_up=others_caught_up,
        )
        return self.apply(decision)

    def start(self, broker_id: int, *, clean: bool = False, dirs: Sequence[bytes] | None = None) -> None:
        """Register and unfence."""
        assert self.register(broker_id, clean=clean, dirs=dirs).error_code == ErrorCode.NONE
        assert not self.beat(broker_id).is_fenced

    def fence(self, *broker_ids: int) -> None:
        for broker_id in broker_ids:
            self.apply(broker_lifecycle.fence(self.state, self.settings, broker_id))

    def unregister(self, broker_id: int) -> int:
        request = UnregisterBrokerRequest(broker_id=broker_id)
        return self.apply(broker_lifecycle.unregister(self.state, self.settings, request)).error_code

    # -- partitions --------------------------------------------------------------------------------

    def propose(
        self,
        isr: Sequence[int],
        *,
        sender: int | None = None,
        version: int = 3,
        leader_epoch: int = 0,
        partition_epoch: int = 0,
        epochs: Mapping[int, int] | None = None,
        recovery: int | None = None,
        index: int = 0,
        topic_id: bytes = TOPIC_ID,
        stale: bool = False,
    ) -> Altered | int:
        """AlterPartition; the epochs given are added to the right ones. Answers the partition's result."""
        found = self.partition
        sender = found.leader if sender is None else sender
        known = {one: broker.broker_epoch for one, broker in self.state.brokers.items()}
        data = PartitionData(
            partition_index=index,
            leader_epoch=found.leader_epoch + leader_epoch,
            partition_epoch=found.partition_epoch + partition_epoch,
            leader_recovery_state=found.leader_recovery_state if recovery is None else recovery,
            new_isr=list(isr) if version < 3 else [],
            new_isr_with_epochs=[
                BrokerState(broker_id=one, broker_epoch={**known, **(epochs or {})}.get(one, -1))
                for one in (isr if version >= 3 else ())
            ],
        )
        request = AlterPartitionRequest(
            broker_id=sender,
            broker_epoch=known.get(sender, -1) - stale,
            topics=[TopicData(topic_id=topic_id, partitions=[data])],
        )
        decision = altering.alter_partition(self.state, self.settings, request, version=version)
        response = self.apply(decision)
        return response.error_code or response.topics[0].partitions[0]

    def alter(self, isr: Sequence[int], *, version: int = 3) -> None:
        answered = self.propose(isr, version=version)
        assert isinstance(answered, Altered)
        assert answered.error_code == ErrorCode.NONE

    def reassign(self, replicas: Sequence[int] | None) -> int:
        wanted = ReassignablePartition(
            partition_index=0, replicas=None if replicas is None else list(replicas)
        )
        request = AlterPartitionReassignmentsRequest(
            topics=[ReassignableTopic(name="t", partitions=[wanted])], allow_replication_factor_change=True
        )
        decision = reassignment.alter_partition_reassignments(self.state, request, self.settings)
        return self.apply(decision).responses[0].partitions[0].error_code

    def elect(self, election_type: int) -> int:
        request = ElectLeadersRequest(
            election_type=election_type, topic_partitions=[TopicPartitions(topic="t", partitions=[0])]
        )
        response = self.apply(election.elect_leaders(self.state, request, self.settings))
        return response.replica_election_results[0].partition_result[0].error_code
