"""What the transaction commands ask brokers: coordinators about transactions, partitions about producers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from riverlog.base.errors import ErrorCode
from riverlog.cli.coordinators import RETRY_SECONDS, SECONDS_MAX, TRANSACTION, coordinator
from riverlog.cli.errors import UserError
from riverlog.client.cluster import NO_LEADER
from riverlog.client.errors import describe_error, error_code
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_producers_request import DescribeProducersRequest, TopicRequest
from riverlog.protocol.generated.describe_transactions_request import DescribeTransactionsRequest
from riverlog.protocol.generated.list_transactions_request import ListTransactionsRequest
from riverlog.protocol.generated.write_txn_markers_request import (
    WritableTxnMarker,
    WritableTxnMarkerTopic,
    WriteTxnMarkersRequest,
)

if TYPE_CHECKING:
    from riverlog.runtime.client_io import BlockingClient

TopicPartition = tuple[str, int]

_PARTITIONS_PER_REQUEST_MAX = 500
_NOT_HERE = frozenset(
    {
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.LEADER_NOT_AVAILABLE,
        ErrorCode.REPLICA_NOT_AVAILABLE,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    }
)


@dataclass(frozen=True, slots=True)
class Listed:
    transactional_id: str
    coordinator: int
    producer_id: int
    state: str


@dataclass(frozen=True, slots=True)
class Described:
    transactional_id: str
    coordinator: int
    state: str
    timeout_ms: int
    started_ms: int | None
    producer_id: int
    producer_epoch: int
    partitions: tuple[TopicPartition, ...]
    """Those that still wait for their marker."""


@dataclass(frozen=True, slots=True)
class ProducerRow:
    """A producer as a partition knows it."""

    place: TopicPartition
    producer_id: int
    producer_epoch: int
    coordinator_epoch: int
    last_sequence: int
    last_timestamp: int
    start_offset: int | None
    """Of its open transaction."""


# ---------------------------------------------------------------- coordinators


def list_transactions(
    client: BlockingClient,
    *,
    states: Sequence[str] = (),
    producer_ids: Sequence[int] = (),
    longer_than_ms: int = -1,
    pattern: str | None = None,
) -> list[Listed]:
    """Transactional ids of all brokers, sorted."""
    client.refresh([])
    found: list[Listed] = []
    for node_id in client.view.brokers:
        request = ListTransactionsRequest(
            state_filters=list(states),
            producer_id_filters=list(producer_ids),
            duration_filter=longer_than_ms,
            transactional_id_pattern=pattern,
        )
        answer = _loaded_answer(client, request, node_id)
        if answer.error_code:
            raise UserError(f"broker {node_id}: {describe_error(answer.error_code)}")
        if answer.unknown_state_filters:
            raise UserError(f"broker {node_id} knows no state {', '.join(answer.unknown_state_filters)}")
        found += [
            Listed(row.transactional_id, node_id, row.producer_id, row.transaction_state)
            for row in answer.transaction_states
        ]
    return sorted(found, key=lambda row: row.transactional_id)


def describe(client: BlockingClient, transactional_id: str) -> Described | None:
    """The state of one transactional id, None if its coordinator does not know it."""
    deadline = time.monotonic() + SECONDS_MAX
    while True:
        node_id = coordinator(client, transactional_id, TRANSACTION)
        request = DescribeTransactionsRequest(transactional_ids=[transactional_id])
        (row,) = client.call(ApiKey.DESCRIBE_TRANSACTIONS, request, node_id=node_id).transaction_states
        if not row.error_code:
            break
        if row.error_code == ErrorCode.TRANSACTIONAL_ID_NOT_FOUND:
            return None
        if not error_code(row.error_code).retriable or time.monotonic() > deadline:
            raise UserError(f"transactional id {transactional_id!r}: {describe_error(row.error_code)}")
        time.sleep(RETRY_SECONDS)
    return Described(
        transactional_id,
        node_id,
        row.transaction_state,
        row.transaction_timeout_ms,
        row.transaction_start_time_ms if row.transaction_start_time_ms >= 0 else None,
        row.producer_id,
        row.producer_epoch,
        tuple(sorted((topic.topic, index) for topic in row.topics for index in topic.partitions)),
    )


def _loaded_answer(client: BlockingClient, request: ListTransactionsRequest, node_id: int) -> Any:
    """The answer, asked for again while the coordinator is loading."""
    deadline = time.monotonic() + SECONDS_MAX
    while True:
        answer = client.call(ApiKey.LIST_TRANSACTIONS, request, node_id=node_id)
        if answer.error_code != ErrorCode.COORDINATOR_LOAD_IN_PROGRESS or time.monotonic() > deadline:
            return answer
        time.sleep(RETRY_SECONDS)


# ---------------------------------------------------------------- partitions


def partitions(
    client: BlockingClient, *, topic: str | None, partition: int | None, broker: int | None
) -> list[TopicPartition]:
    """Partitions to look at: of a topic or of all, with a replica on ``broker`` if one is given."""
    if topic is not None:
        count = len(client.topic(topic).partitions)
        if partition is not None and partition >= count:
            raise UserError(f"topic {topic!r} has no partition {partition}, only 0 to {count - 1}")
    else:
        client.refresh(None)
    if broker is not None and broker not in client.view.brokers:
        known = ", ".join(map(str, sorted(client.view.brokers)))
        raise UserError(f"there is no broker {broker}, only {known}")
    names = [topic] if topic is not None else sorted(client.view.topics)
    return [
        (name, view.index)
        for name in names
        for view in client.view.topics[name].partitions
        if (partition is None or view.index == partition) and (broker is None or broker in view.replicas)
    ]


def producers(
    client: BlockingClient, places: Sequence[TopicPartition], broker: int | None = None
) -> list[ProducerRow]:
    """Producers active in these partitions, as their leaders or as one broker knows them."""
    found: list[ProducerRow] = []
    missing = list(places)
    deadline = time.monotonic() + SECONDS_MAX
    while True:
        missing, reason = _ask_producers(client, missing, broker, found)
        if not missing:
            return sorted(found, key=lambda row: (row.place, row.producer_id))
        if time.monotonic() > deadline:
            raise UserError(f"partition {missing[0][0]}-{missing[0][1]}: {reason}")
        time.sleep(RETRY_SECONDS)
        client.refresh(sorted({topic for topic, _ in missing}))


def _ask_producers(
    client: BlockingClient, places: Sequence[TopicPartition], broker: int | None, found: list[ProducerRow]
) -> tuple[list[TopicPartition], str]:
    """Adds what was found; answers the partitions that must be asked for again, and why."""
    again: list[TopicPartition] = []
    reason = "it has no leader"
    by_node: dict[int, list[TopicPartition]] = {}
    for place in places:
        by_node.setdefault(client.view.leader(*place) if broker is None else broker, []).append(place)
    again += by_node.pop(NO_LEADER, [])
    for node_id, asked in by_node.items():
        for first in range(0, len(asked), _PARTITIONS_PER_REQUEST_MAX):
            request = DescribeProducersRequest(topics=_topics(asked[first:][:_PARTITIONS_PER_REQUEST_MAX]))
            answer = client.call(ApiKey.DESCRIBE_PRODUCERS, request, node_id=node_id)
            for topic in answer.topics:
                for row in topic.partitions:
                    place = (topic.name, row.partition_index)
                    if not row.error_code:
                        found += [_producer(place, state) for state in row.active_producers]
                    elif row.error_code in _NOT_HERE:
                        again.append(place)
                        reason = describe_error(row.error_code, row.error_message)
                    else:
                        why = describe_error(row.error_code, row.error_message)
                        raise UserError(f"partition {place[0]}-{place[1]}: {why}")
    return again, reason


def _topics(places: Sequence[TopicPartition]) -> list[TopicRequest]:
    rows: dict[str, TopicRequest] = {}
    for topic, index in places:
        rows.setdefault(topic, TopicRequest(name=topic, partition_indexes=[])).partition_indexes.append(index)
    return list(rows.values())


def _producer(place: TopicPartition, state: Any) -> ProducerRow:
    return ProducerRow(
        place,
        state.producer_id,
        state.producer_epoch,
        state.coordinator_epoch,
        state.last_sequence,
        state.last_timestamp,
        state.current_txn_start_offset if state.current_txn_start_offset >= 0 else None,
    )


# ---------------------------------------------------------------- transactions that hang


def hanging(client: BlockingClient, open_rows: Sequence[ProducerRow]) -> list[tuple[ProducerRow, str | None]]:
    """Open transactions that nobody will end, with their transactional id where it is known.

    A coordinator ends what it has: the partitions of an ongoing transaction, and those that wait for
    a marker. A transaction that is open in any other partition is open for ever.
    """
    ids = sorted({row.producer_id for row in open_rows})
    if not ids:
        return []
    listed = list_transactions(client, producer_ids=ids)
    names = {row.producer_id: row.transactional_id for row in listed}
    described = {name: describe(client, name) for name in sorted(set(names.values()))}
    found: list[tuple[ProducerRow, str | None]] = []
    for row in open_rows:
        name = names.get(row.producer_id)
        known = described[name] if name is not None else None
        if known is None or row.place not in known.partitions:
            found.append((row, name))
    return found


def abort(
    client: BlockingClient,
    place: TopicPartition,
    *,
    producer_id: int,
    producer_epoch: int,
    coordinator_epoch: int,
) -> None:
    """Write an abort marker into one partition, past the coordinator."""
    topic, index = place
    marker = WritableTxnMarker(
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        transaction_result=False,
        # -1: no marker of this producer was ever seen. 0 is below every epoch a coordinator has.
        coordinator_epoch=max(0, coordinator_epoch),
        topics=[WritableTxnMarkerTopic(name=topic, partition_indexes=[index])],
    )
    deadline = time.monotonic() + SECONDS_MAX
    while True:
        leader = client.view.leader(*place)
        code = int(ErrorCode.LEADER_NOT_AVAILABLE)
        if leader != NO_LEADER:
            request = WriteTxnMarkersRequest(markers=[marker])
            answer = client.call(ApiKey.WRITE_TXN_MARKERS, request, node_id=leader)
            code = answer.markers[0].topics[0].partitions[0].error_code
        if not code:
            return
        if code not in _NOT_HERE or time.monotonic() > deadline:
            raise UserError(f"partition {topic}-{index}: not aborted: {_refusal(code)}")
        time.sleep(RETRY_SECONDS)
        client.refresh([topic])


def _refusal(code: int) -> str:
    match error_code(code):
        case ErrorCode.INVALID_PRODUCER_EPOCH:
            return "the producer has a newer epoch by now; look again with riverlog txn producers"
        case ErrorCode.TRANSACTION_COORDINATOR_FENCED:
            return "a newer coordinator has written there; look again with riverlog txn producers"
    return describe_error(code)
