"""Bugs of transactions in other systems, played again here: the end of ``INVARIANTS.md``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from stage import Stage

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.add_partitions_to_txn_request import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
)
from riverlog.protocol.generated.end_txn_request import EndTxnRequest
from riverlog.protocol.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.init_producer_id_request import InitProducerIdRequest
from riverlog.protocol.generated.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from riverlog.records import BatchBuilder
from riverlog.sim.clock import START_MS
from riverlog.sim.cluster import ClusterNode
from riverlog.sim.cluster_txn_reader import READ_COMMITTED, visible_records

pytestmark = [pytest.mark.sim, pytest.mark.timeout(120)]
both = pytest.mark.parametrize("style", [1, 2])
OLD, NEW = 1, 2
SETTINGS = {
    "transaction.state.log.num.partitions": "1",
    "transaction.abort.timed.out.transaction.cleanup.interval.ms": "200",
}


def staged(name: str) -> Stage:
    stage = Stage(name, settings=SETTINGS)
    stage.create("a", replicas=[1, 2, 3])
    stage.create("b", replicas=[2, 3, 1])
    return stage


class Client:
    """One producer, asked step by step."""

    def __init__(self, stage: Stage, *, style: int, timeout_ms: int = 20_000) -> None:
        self.stage = stage
        self.style = style
        self.timeout_ms = timeout_ms
        self.producer_id = self.producer_epoch = -1
        self.sequences: dict[str, int] = {}

    def coordinator(self) -> ClusterNode:
        found: list[int] = []

        def known() -> bool:
            request = FindCoordinatorRequest(key_type=1, coordinator_keys=["id"])
            answer = self.stage.ask(self.stage.serving(), ApiKey.FIND_COORDINATOR, 4, request)
            row = answer.coordinators[0]
            if not row.error_code:
                found.append(row.node_id)
            return bool(found)

        self.stage.wait(known, "a coordinator")
        return self.stage.cluster.node(found[-1])

    def _until_settled(self, ask: Callable[[], Any], code: Callable[[Any], int]) -> Any:
        """Ask again while another step of the transaction is under way, or the coordinator is new."""
        kept: list[Any] = []

        def settled() -> bool:
            answer = ask()
            error = ErrorCode.NETWORK_EXCEPTION if answer is None else ErrorCode(code(answer))
            kept.append(answer)
            if error and error.retriable:
                self.stage.run_for(0.05)
                return False
            return True

        self.stage.wait(settled, "an answer that stands")
        return kept[-1]

    def init(self, *, bump: bool = False) -> None:
        request = InitProducerIdRequest(
            transactional_id="id",
            transaction_timeout_ms=self.timeout_ms,
            producer_id=self.producer_id if bump else -1,
            producer_epoch=self.producer_epoch if bump else -1,
        )
        answer = self._until_settled(
            lambda: self.stage.ask(self.coordinator(), ApiKey.INIT_PRODUCER_ID, 4, request),
            lambda one: int(one.error_code),
        )
        assert answer.error_code == ErrorCode.NONE, answer.error_code
        self.producer_id, self.producer_epoch = answer.producer_id, answer.producer_epoch
        self.sequences.clear()

    def batch(self, topic: str, key: str) -> tuple[int, ProduceRequest]:
        """A request that may be sent now, or later."""
        builder = BatchBuilder(
            producer_id=self.producer_id,
            producer_epoch=self.producer_epoch,
            base_sequence=self.sequences.get(topic, 0),
            transactional=True,
        )
        builder.append(timestamp=START_MS, key=key.encode(), value=b"")
        data = PartitionProduceData(index=0, records=memoryview(builder.build()))
        name = TopicProduceData(name=topic, topic_id=self.stage.topics[topic].topic_id, partition_data=[data])
        version = 11 if self.style == OLD else 12
        return version, ProduceRequest(transactional_id="id", acks=-1, timeout_ms=5_000, topic_data=[name])

    def add(self, topic: str) -> ErrorCode:
        request = AddPartitionsToTxnRequest(
            v3_and_below_transactional_id="id",
            v3_and_below_producer_id=self.producer_id,
            v3_and_below_producer_epoch=self.producer_epoch,
            v3_and_below_topics=[AddPartitionsToTxnTopic(name=topic, partitions=[0])],
        )

        def code(answer: Any) -> int:
            rows = answer.results_by_topic_v3_and_below[0].results_by_partition
            return int(rows[0].partition_error_code)

        answer = self._until_settled(
            lambda: self.stage.ask(self.coordinator(), ApiKey.ADD_PARTITIONS_TO_TXN, 3, request), code
        )
        return ErrorCode(code(answer))

    def send(self, topic: str, late: tuple[int, ProduceRequest]) -> ErrorCode:
        version, request = late

        def code(answer: Any) -> int:
            return int(answer.responses[0].partition_responses[0].error_code)

        answer = self._until_settled(
            lambda: self.stage.ask(self.stage.wait_for_leader(topic), ApiKey.PRODUCE, version, request), code
        )
        return ErrorCode(code(answer))

    def write(self, topic: str, key: str) -> ErrorCode:
        if self.style == OLD:
            error = self.add(topic)
            if error:
                return error
        error = self.send(topic, self.batch(topic, key))
        if not error:
            self.sequences[topic] = self.sequences.get(topic, 0) + 1
        return error

    def ending(self, *, commit: bool) -> tuple[int, EndTxnRequest]:
        request = EndTxnRequest(
            transactional_id="id",
            producer_id=self.producer_id,
            producer_epoch=self.producer_epoch,
            committed=commit,
        )
        return (4 if self.style == OLD else 5), request

    def end(self, *, commit: bool) -> ErrorCode:
        answer = self.send_end(self.ending(commit=commit))
        if not answer.error_code and self.style == NEW:
            self.producer_id, self.producer_epoch = answer.producer_id, answer.producer_epoch
            self.sequences.clear()
        return ErrorCode(answer.error_code)

    def send_end(self, late: tuple[int, EndTxnRequest]) -> Any:
        version, request = late
        return self._until_settled(
            lambda: self.stage.ask(self.coordinator(), ApiKey.END_TXN, version, request),
            lambda one: int(one.error_code),
        )


def fetch(stage: Stage, topic: str) -> Any:
    partition = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1 << 20)
    request = FetchRequest(
        max_wait_ms=0,
        min_bytes=0,
        max_bytes=1 << 20,
        isolation_level=READ_COMMITTED,
        session_epoch=-1,
        topics=[FetchTopic(topic_id=stage.topics[topic].topic_id, partitions=[partition])],
    )
    answers: list[Any] = []

    def answered() -> bool:
        answer = stage.ask(stage.wait_for_leader(topic), ApiKey.FETCH, 16, request)
        if answer is not None and not answer.responses[0].partitions[0].error_code:
            answers.append(answer.responses[0].partitions[0])
        return bool(answers)

    stage.wait(answered, "an answer")
    return answers[-1]


def readable(stage: Stage, topic: str) -> list[str]:
    """What a read-committed reader gets once nothing is open any more: INVARIANTS 14."""

    def whole() -> bool:
        data = fetch(stage, topic)
        leader = stage.wait_for_leader(topic)
        assert leader.broker is not None
        partition = leader.broker.partition(topic, 0)
        assert not isinstance(partition, ErrorCode)
        end = partition.log.log_end_offset  # the watermark of a new leader starts lower
        return bool(data.last_stable_offset == data.high_watermark == end)

    stage.wait(whole, f"the last stable offset of {topic} is its end")
    return [key for _, key in visible_records(topic, fetch(stage, topic), 0)[0]]


@both
def test_kip_890_late_produce_opens_no_transaction(style: int) -> None:
    """It was sent in a transaction that is aborted by now; nobody would ever end what it began."""
    stage = staged("late produce")
    client = Client(stage, style=style)
    client.init()
    assert client.write("a", "first") is ErrorCode.NONE
    if style == OLD:
        assert client.add("b") is ErrorCode.NONE
    late = client.batch("b", "late")
    assert client.end(commit=False) is ErrorCode.NONE
    refused = client.send("b", late)
    assert refused in (
        ErrorCode.INVALID_PRODUCER_EPOCH,
        ErrorCode.INVALID_TXN_STATE,
        ErrorCode.TRANSACTION_ABORTABLE,
    )
    assert readable(stage, "b") == []


def test_kip_890_late_produce_does_not_join_the_next_transaction() -> None:
    stage = staged("late produce next")
    client = Client(stage, style=NEW)
    client.init()
    late = client.batch("a", "late")
    assert client.end(commit=False) is ErrorCode.NONE
    assert client.write("a", "next") is ErrorCode.NONE
    assert client.send("a", late) is ErrorCode.INVALID_PRODUCER_EPOCH
    assert client.end(commit=True) is ErrorCode.NONE
    assert readable(stage, "a") == ["next"]


@pytest.mark.parametrize("commit", [True, False])
def test_kip_890_late_end_does_not_end_the_next_transaction(commit: bool) -> None:
    """Torn transactions through delayed commits (Jepsen on Bufstream)."""
    stage = staged("late end")
    client = Client(stage, style=NEW)
    client.init()
    assert client.write("a", "first") is ErrorCode.NONE
    late = client.ending(commit=commit)
    assert client.end(commit=commit) is ErrorCode.NONE
    assert client.write("a", "second") is ErrorCode.NONE
    assert client.send_end(late).error_code == ErrorCode.PRODUCER_FENCED
    assert client.write("b", "third") is ErrorCode.NONE
    assert client.end(commit=not commit) is ErrorCode.NONE
    assert readable(stage, "a") == (["first"] if commit else ["second"])
    assert readable(stage, "b") == ([] if commit else ["third"])


@both
def test_kafka_20785_commit_that_comes_after_the_time_out_is_fenced(style: int) -> None:
    stage = staged("time-out")
    client = Client(stage, style=style, timeout_ms=500)
    client.init()
    assert client.write("a", "one") is ErrorCode.NONE
    assert client.write("b", "two") is ErrorCode.NONE
    stage.run_for(3.0)
    assert client.end(commit=True) in (ErrorCode.PRODUCER_FENCED, ErrorCode.INVALID_PRODUCER_EPOCH)
    assert readable(stage, "a") == []
    assert readable(stage, "b") == []
    client.init()
    assert client.write("a", "again") is ErrorCode.NONE
    assert client.end(commit=True) is ErrorCode.NONE
    assert readable(stage, "a") == ["again"]


@both
def test_superseded_client_writes_nothing(style: int) -> None:
    """INVARIANTS 10: it was away, another took its id, and it goes on where it was."""
    stage = staged("zombie")
    zombie, heir = Client(stage, style=style), Client(stage, style=style)
    zombie.init()
    assert zombie.write("a", "zombie") is ErrorCode.NONE
    heir.init()
    fenced = (ErrorCode.PRODUCER_FENCED, ErrorCode.INVALID_PRODUCER_EPOCH)
    assert zombie.write("a", "still there") in fenced
    assert zombie.write("b", "elsewhere") in fenced
    assert zombie.end(commit=True) in fenced
    assert heir.write("a", "heir") is ErrorCode.NONE
    assert zombie.send("a", zombie.batch("a", "once more")) in fenced
    assert heir.end(commit=True) is ErrorCode.NONE
    assert readable(stage, "a") == ["heir"]
    assert readable(stage, "b") == []


@both
@pytest.mark.parametrize("power", [True, False])
def test_decided_transaction_is_ended_by_the_next_coordinator(style: int, power: bool) -> None:
    """It goes away between the decision and the markers: they come from its heir."""
    stage = staged("heir")
    client = Client(stage, style=style)
    client.init()
    assert client.write("a", "one") is ErrorCode.NONE
    assert client.write("b", "two") is ErrorCode.NONE
    coordinator = client.coordinator()
    assert coordinator.broker is not None
    coordinator.broker.txn_markers.stop()  # none leaves
    assert client.end(commit=True) is ErrorCode.NONE
    assert fetch(stage, "a").last_stable_offset == 0
    if power:
        stage.power(coordinator)
    else:
        coordinator.kill()
    stage.wait(lambda: client.coordinator() is not coordinator, "another coordinator")
    stage.start(coordinator)
    assert readable(stage, "a") == ["one"]
    assert readable(stage, "b") == ["two"]


@both
def test_marker_reaches_a_partition_whose_leader_was_away(style: int) -> None:
    stage = staged("leader away")
    client = Client(stage, style=style)
    client.init()
    assert client.write("a", "one") is ErrorCode.NONE
    assert client.write("b", "two") is ErrorCode.NONE
    coordinator = client.coordinator()
    names = [name for name in ("a", "b") if stage.wait_for_leader(name) is not coordinator]
    leader = stage.wait_for_leader(names[0])
    stage.power(leader)
    assert client.end(commit=True) is ErrorCode.NONE
    stage.wait_for_leader(names[0], other_than=leader)
    assert readable(stage, "a") == ["one"]
    assert readable(stage, "b") == ["two"]
    stage.start(leader)
    stage.wait_for_isr(names[0], 1, 2, 3)
