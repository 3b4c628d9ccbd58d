"""A transactional producer that speaks in single requests, over ``World`` or ``Cluster``."""

from __future__ import annotations

from typing import Any

from broker_world import Client, World
from cluster_world import Cluster, Node

from riverlog.base.errors import ErrorCode
from riverlog.broker.broker import Broker
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_response
from riverlog.protocol.generated.add_partitions_to_txn_request import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
)
from riverlog.protocol.generated.end_txn_request import EndTxnRequest
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.init_producer_id_request import InitProducerIdRequest
from riverlog.protocol.generated.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from riverlog.protocol.generated.write_txn_markers_request import (
    WritableTxnMarker,
    WritableTxnMarkerTopic,
    WriteTxnMarkersRequest,
)
from riverlog.records import BatchBuilder, iter_headers
from riverlog.replication import Partition
from riverlog.storage.markers import read_marker

STATE_TOPIC = "__transaction_state"
VERSION_1 = 11
VERSION_2 = 12
"""Versions of Produce: of clients that add partitions themselves, and of those that leave it to brokers."""


def txn_batch(*values: bytes, producer: tuple[int, int], sequence: int, transactional: bool = True) -> bytes:
    builder = BatchBuilder(
        producer_id=producer[0],
        producer_epoch=producer[1],
        base_sequence=sequence,
        transactional=transactional,
    )
    for value in values:
        builder.append(timestamp=1_700_000_000_000, key=None, value=value)
    return builder.build()


def txn_request(
    transactional_id: str | None, records: dict[tuple[str, int], bytes], *, acks: int = -1
) -> ProduceRequest:
    return ProduceRequest(
        transactional_id=transactional_id,
        acks=acks,
        timeout_ms=10_000,
        topic_data=[
            TopicProduceData(name=name, partition_data=[PartitionProduceData(index=index, records=data)])
            for (name, index), data in records.items()
        ],
    )


def error_codes(response: Any) -> list[int]:
    return [one.error_code for topic in response.responses for one in topic.partition_responses]


def replies(client: Client, key: ApiKey, version: int) -> list[Any]:
    """All that came for a client that posted requests of one kind."""
    return [decode_response(key, version, memoryview(frame))[1] for frame in client.frames]


def led(broker: Broker, topic: str, index: int = 0) -> Partition:
    found = broker.replicas.led(topic, index)
    assert isinstance(found, Partition), found
    return found


def markers(partition: Partition) -> list[bool]:
    """Ends of transactions in a log, in order; True for a commit."""
    log = partition.log
    found: list[bool] = []
    offset = log.log_start_offset
    while offset < log.log_end_offset:
        part = log.read(offset, max_bytes=1 << 20, end_offset=log.log_end_offset)
        if part is None:
            break
        data = memoryview(part.read())
        for position, header in iter_headers(data):
            offset = header.next_offset
            if header.is_control:
                marker = read_marker(data, position, header)
                assert marker is not None
                found.append(not marker.aborted)
    return found


class TxnProducer:
    """One transactional id. Requests of versions that the transaction version calls for."""

    def __init__(self, world: World | Cluster, name: str = "tx", *, version: int = VERSION_2) -> None:
        self.world = world
        self.name = name
        self.version = version
        self.producer = (-1, -1)
        self.sequences: dict[tuple[str, int], int] = {}

    # -- where ----------------------------------------------------------------------------

    def find(self) -> None:
        """Have the topic of the coordinators created, and loaded."""
        request = FindCoordinatorRequest(key_type=1, coordinator_keys=[self.name])
        for _ in range(100):
            client = self.world.alive[0].client() if isinstance(self.world, Cluster) else self.world.client()
            found = client.call(ApiKey.FIND_COORDINATOR, 4, request).coordinators[0]
            if found.error_code == 0:
                return
            self.pause()
        raise AssertionError(found)

    def pause(self) -> None:
        self.world.scheduler.run_for(0.02)

    def node_of(self, topic: str, index: int) -> World | Node:
        return self.world.wait_leader(topic, index) if isinstance(self.world, Cluster) else self.world

    def coordinator(self) -> World | Node:
        if not isinstance(self.world, Cluster):
            return self.world
        broker = self.world.alive[0].broker
        return self.node_of(STATE_TOPIC, broker.transactions.shard_of(self.name))

    # -- requests to the coordinator --------------------------------------------------------

    def ask(self, key: ApiKey, version: int, request: Any) -> Any:
        """Until the coordinator is ready and has nothing else to do for this id."""
        for _ in range(200):
            response = self.coordinator().client().call(key, version, request)
            if response.error_code not in (
                ErrorCode.NOT_COORDINATOR,
                ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
                ErrorCode.COORDINATOR_NOT_AVAILABLE,
                ErrorCode.CONCURRENT_TRANSACTIONS,
            ):
                return response
            self.pause()
        raise AssertionError(response)

    def init(self) -> tuple[int, int]:
        self.find()
        request = InitProducerIdRequest(transactional_id=self.name, transaction_timeout_ms=60_000)
        response = self.ask(ApiKey.INIT_PRODUCER_ID, 5, request)
        assert response.error_code == 0, response
        self.producer = (response.producer_id, response.producer_epoch)
        self.sequences.clear()
        return self.producer

    def add_once(self, *partitions: tuple[str, int]) -> list[int]:
        """What clients of version 1 do themselves; answers the error of each partition."""
        request = AddPartitionsToTxnRequest(
            v3_and_below_transactional_id=self.name,
            v3_and_below_producer_id=self.producer[0],
            v3_and_below_producer_epoch=self.producer[1],
            v3_and_below_topics=[
                AddPartitionsToTxnTopic(name=name, partitions=[index]) for name, index in partitions
            ],
        )
        response = self.coordinator().client().call(ApiKey.ADD_PARTITIONS_TO_TXN, 3, request)
        return [
            one.partition_error_code
            for topic in response.results_by_topic_v3_and_below
            for one in topic.results_by_partition
        ]

    def add(self, *partitions: tuple[str, int]) -> None:
        for _ in range(100):
            codes = set(self.add_once(*partitions))
            if codes == {0}:
                return
            assert codes == {ErrorCode.CONCURRENT_TRANSACTIONS}, codes
            self.pause()
        raise AssertionError("never added")

    def end_request(self, *, commit: bool = True) -> EndTxnRequest:
        return EndTxnRequest(
            transactional_id=self.name,
            producer_id=self.producer[0],
            producer_epoch=self.producer[1],
            committed=commit,
        )

    def end(self, *, commit: bool = True) -> None:
        version = 5 if self.version >= VERSION_2 else 4
        response = self.ask(ApiKey.END_TXN, version, self.end_request(commit=commit))
        assert response.error_code == 0, response
        if version == 5:
            self.producer = (response.producer_id, response.producer_epoch)
            self.sequences.clear()

    # -- to partitions ----------------------------------------------------------------------

    def batch(self, topic: str, index: int = 0, *values: bytes) -> bytes:
        """The next batch for a partition; its sequence is used up."""
        sequence = self.sequences.get((topic, index), 0)
        values = values or (b"value",)
        self.sequences[topic, index] = sequence + len(values)
        return txn_batch(*values, producer=self.producer, sequence=sequence)

    def request(self, topic: str, index: int = 0, *values: bytes, acks: int = -1) -> ProduceRequest:
        return txn_request(self.name, {(topic, index): self.batch(topic, index, *values)}, acks=acks)

    def send(self, topic: str, index: int = 0, *values: bytes) -> int:
        """Until it is taken; answers the offset."""
        request = self.request(topic, index, *values)
        for _ in range(100):
            client = self.node_of(topic, index).client()
            response = client.call(ApiKey.PRODUCE, self.version, request)
            answer = response.responses[0].partition_responses[0]
            if answer.error_code == 0:
                offset: int = answer.base_offset
                return offset
            assert answer.error_code in (
                ErrorCode.NOT_ENOUGH_REPLICAS,
                ErrorCode.CONCURRENT_TRANSACTIONS,
                ErrorCode.NOT_LEADER_OR_FOLLOWER,
            ), answer
            self.pause()
        raise AssertionError(answer)


def marker_request(
    producer: tuple[int, int],
    *partitions: tuple[str, int],
    commit: bool = True,
    coordinator_epoch: int = 0,
    version: int = 2,
) -> WriteTxnMarkersRequest:
    return WriteTxnMarkersRequest(
        markers=[
            WritableTxnMarker(
                producer_id=producer[0],
                producer_epoch=producer[1],
                transaction_result=commit,
                topics=[WritableTxnMarkerTopic(name=name, partition_indexes=[i]) for name, i in partitions],
                coordinator_epoch=coordinator_epoch,
                transaction_version=version,
            )
        ]
    )


def marker_codes(response: Any) -> list[int]:
    return [
        one.error_code for marker in response.markers for topic in marker.topics for one in topic.partitions
    ]
