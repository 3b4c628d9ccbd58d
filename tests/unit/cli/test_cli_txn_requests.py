"""``riverlog txn``: what it asks, what it takes for hanging, and mistakes in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.cli import txn_client
from riverlog.cli.app import run
from riverlog.cli.errors import UserError
from riverlog.cli.txn_client import Described, Listed, ProducerRow
from riverlog.client.cluster import Broker, ClusterView, PartitionView, TopicView
from riverlog.client.connection import Request
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated import (
    describe_producers_response as producers_response,
)
from riverlog.protocol.generated import (
    describe_transactions_response as transactions_response,
)
from riverlog.protocol.generated import (
    list_transactions_response as list_response,
)
from riverlog.protocol.generated import (
    write_txn_markers_response as markers_response,
)
from riverlog.protocol.generated.find_coordinator_response import FindCoordinatorResponse
from riverlog.protocol.generated.write_txn_markers_request import WritableTxnMarker

NODES = (1, 2)
PLACE = ("orders", 0)


class FakeClient:
    """Two brokers and a topic of two partitions, one led by each; answers come from ``serve``."""

    def __init__(self, **serve: Callable[[Any, int], Any]) -> None:
        self.view = ClusterView()
        self.view.brokers = {node: Broker(node, "host", 9092) for node in NODES}
        self.led_by = {0: 1, 1: 2}
        self.asked: list[tuple[str, int]] = []
        self._serve = serve
        self.refresh()

    def refresh(self, topics: object = None) -> ClusterView:
        partitions = [
            PartitionView(index, leader, 0, [leader], [leader], []) for index, leader in self.led_by.items()
        ]
        self.view.topics["orders"] = TopicView("orders", b"\1" * 16, False, partitions)
        return self.view

    def topic(self, name: str) -> TopicView:
        return self.refresh().topics[name]

    def call(self, api_key: int, message: Any, *, node_id: int | None = None) -> Any:
        return self.call_request(Request(api_key, message), node_id=node_id)

    def call_request(self, request: Request, *, node_id: int | None = None) -> Any:
        name = ApiKey(request.api_key).name.lower()
        if name == "find_coordinator":
            assert request.message.key_type == 1
            return FindCoordinatorResponse(node_id=2)
        assert node_id is not None
        self.asked.append((name, node_id))
        return self._serve[name](request.message, node_id)


def listing(*rows: tuple[str, int, str], node: int = 2) -> Callable[[Any, int], Any]:
    """One broker has these transactional ids, the others none."""

    def serve(message: Any, node_id: int) -> list_response.ListTransactionsResponse:
        states = [
            list_response.TransactionState(
                transactional_id=name, producer_id=producer, transaction_state=state
            )
            for name, producer, state in rows
            if node_id == node
            and (not message.producer_id_filters or producer in message.producer_id_filters)
        ]
        return list_response.ListTransactionsResponse(transaction_states=states)

    return serve


def description(partitions: list[int], **fields: Any) -> Callable[[Any, int], Any]:
    def serve(message: Any, _node: int) -> transactions_response.DescribeTransactionsResponse:
        (name,) = message.transactional_ids
        row = transactions_response.TransactionState(
            transactional_id=name,
            transaction_state="Ongoing",
            transaction_timeout_ms=60_000,
            transaction_start_time_ms=5,
            producer_id=1000,
            topics=[transactions_response.TopicData(topic="orders", partitions=partitions)],
        )
        for field, value in fields.items():
            setattr(row, field, value)
        return transactions_response.DescribeTransactionsResponse(transaction_states=[row])

    return serve


def open_row(place: tuple[str, int] = PLACE, producer_id: int = 1000) -> ProducerRow:
    return ProducerRow(place, producer_id, 3, 7, 99, 1_700_000_000_000, 42)


def markers(*codes: ErrorCode) -> tuple[list[tuple[int, WritableTxnMarker]], Callable[[Any, int], Any]]:
    """Answers each request with the next code; the first part is what was asked, by node."""
    sent: list[tuple[int, WritableTxnMarker]] = []
    left = list(codes)

    def serve(message: Any, node_id: int) -> markers_response.WriteTxnMarkersResponse:
        (marker,) = message.markers
        sent.append((node_id, marker))
        row = markers_response.WritableTxnMarkerPartitionResult(
            partition_index=0, error_code=int(left.pop(0))
        )
        topic = markers_response.WritableTxnMarkerTopicResult(name="orders", partitions=[row])
        result = markers_response.WritableTxnMarkerResult(producer_id=marker.producer_id, topics=[topic])
        return markers_response.WriteTxnMarkersResponse(markers=[result])

    return sent, serve


def test_list_asks_every_broker_and_sorts() -> None:
    client: Any = FakeClient(list_transactions=listing(("b", 2, "Ongoing"), ("a", 1, "Empty")))
    assert txn_client.list_transactions(client) == [Listed("a", 2, 1, "Empty"), Listed("b", 2, 2, "Ongoing")]
    assert [node for _, node in client.asked] == list(NODES)


def test_list_waits_for_a_coordinator_that_loads() -> None:
    answers = [int(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS), 0, 0]

    def serve(_message: Any, _node: int) -> list_response.ListTransactionsResponse:
        return list_response.ListTransactionsResponse(error_code=answers.pop(0), transaction_states=[])

    client: Any = FakeClient(list_transactions=serve)
    assert txn_client.list_transactions(client) == []
    assert client.asked == [("list_transactions", 1), ("list_transactions", 1), ("list_transactions", 2)]


def test_describe_asks_the_coordinator() -> None:
    client: Any = FakeClient(describe_transactions=description([1, 0], producer_epoch=4))
    expected = Described("billing", 2, "Ongoing", 60_000, 5, 1000, 4, (("orders", 0), ("orders", 1)))
    assert txn_client.describe(client, "billing") == expected


def test_an_id_nobody_knows_is_none() -> None:
    code = int(ErrorCode.TRANSACTIONAL_ID_NOT_FOUND)
    client: Any = FakeClient(describe_transactions=description([], error_code=code))
    assert txn_client.describe(client, "billing") is None


def test_producers_are_asked_of_the_leaders_and_again_when_those_moved() -> None:
    moved: list[int] = []

    def serve(message: Any, node_id: int) -> producers_response.DescribeProducersResponse:
        topics = []
        for topic in message.topics:
            rows = []
            for index in topic.partition_indexes:
                if index == 1 and not moved:
                    moved.append(node_id)
                    client.led_by[1] = 1
                    code, active = int(ErrorCode.NOT_LEADER_OR_FOLLOWER), []
                else:
                    code = 0
                    state = producers_response.ProducerState(
                        producer_id=1000 + index, producer_epoch=3, coordinator_epoch=7, last_timestamp=11
                    )
                    state.current_txn_start_offset = 42 if index == 0 else -1
                    active = [state]
                rows.append(
                    producers_response.PartitionResponse(
                        partition_index=index, error_code=code, active_producers=active
                    )
                )
            topics.append(producers_response.TopicResponse(name=topic.name, partitions=rows))
        return producers_response.DescribeProducersResponse(topics=topics)

    client: Any = FakeClient(describe_producers=serve)
    rows = txn_client.producers(client, [("orders", 0), ("orders", 1)])
    assert [(row.place, row.producer_id, row.start_offset) for row in rows] == [
        (("orders", 0), 1000, 42),
        (("orders", 1), 1001, None),
    ]
    assert [node for _, node in client.asked] == [1, 2, 1]


def test_partitions_of_a_broker_are_those_with_a_replica_there() -> None:
    client: Any = FakeClient()
    assert txn_client.partitions(client, topic=None, partition=None, broker=2) == [("orders", 1)]
    assert txn_client.partitions(client, topic="orders", partition=None, broker=None) == [
        PLACE,
        ("orders", 1),
    ]
    with pytest.raises(UserError, match="no partition 5"):
        txn_client.partitions(client, topic="orders", partition=5, broker=None)
    with pytest.raises(UserError, match="no broker 9"):
        txn_client.partitions(client, topic=None, partition=None, broker=9)


def test_hanging_is_what_no_coordinator_has() -> None:
    known: Any = FakeClient(
        list_transactions=listing(("billing", 1000, "Ongoing")), describe_transactions=description([0])
    )
    nobody = open_row(producer_id=5)
    elsewhere = open_row(("orders", 1))
    assert txn_client.hanging(known, [open_row(), elsewhere, nobody]) == [
        (elsewhere, "billing"),
        (nobody, None),
    ]


def test_an_expired_transactional_id_leaves_its_transaction_hanging() -> None:
    gone = description([0], error_code=int(ErrorCode.TRANSACTIONAL_ID_NOT_FOUND))
    client: Any = FakeClient(list_transactions=listing(("billing", 1000, "Dead")), describe_transactions=gone)
    assert txn_client.hanging(client, [open_row()]) == [(open_row(), "billing")]


def test_nothing_open_asks_nobody() -> None:
    client: Any = FakeClient()
    assert txn_client.hanging(client, []) == []
    assert client.asked == []


@pytest.mark.parametrize(("coordinator_epoch", "sent_epoch"), [(7, 7), (-1, 0)])
def test_abort_writes_one_marker_where_the_leader_is(coordinator_epoch: int, sent_epoch: int) -> None:
    sent, serve = markers(ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.NONE)
    client: Any = FakeClient(write_txn_markers=serve)
    client.led_by[0] = 2  # not known yet when the first request goes
    txn_client.abort(client, PLACE, producer_id=1000, producer_epoch=3, coordinator_epoch=coordinator_epoch)
    assert [node for node, _ in sent] == [1, 2]
    marker = sent[-1][1]
    assert (marker.producer_id, marker.producer_epoch, marker.transaction_result) == (1000, 3, False)
    assert (marker.coordinator_epoch, marker.transaction_version) == (sent_epoch, 0)
    assert [(topic.name, topic.partition_indexes) for topic in marker.topics] == [("orders", [0])]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (ErrorCode.INVALID_PRODUCER_EPOCH, "newer epoch"),
        (ErrorCode.TRANSACTION_COORDINATOR_FENCED, "newer coordinator"),
        (ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "cluster authorization failed"),
    ],
)
def test_a_refused_abort_says_why(code: ErrorCode, said: str) -> None:
    _, serve = markers(code)
    client: Any = FakeClient(write_txn_markers=serve)
    with pytest.raises(UserError, match=said):
        txn_client.abort(client, PLACE, producer_id=1000, producer_epoch=3, coordinator_epoch=0)


MISTAKES = {
    "state": ["list", "--state", "Sleeping"],
    "no unit": ["list", "--longer-than", "10"],
    "nowhere": ["find-hanging"],
    "partition of nothing": ["find-hanging", "--broker", "1", "--partition", "0"],
    "hanging no unit": ["find-hanging", "--topic", "t", "--max-transaction-timeout", "soon"],
    "which": ["abort", "--topic", "t", "--partition", "0"],
    "both": ["abort", "--topic", "t", "-p", "0", "--start-offset", "1", "--producer-id", "1"],
    "no epochs": ["abort", "--topic", "t", "-p", "0", "--producer-id", "1"],
    "epoch too many": ["abort", "--topic", "t", "-p", "0", "--start-offset", "1", "--producer-epoch", "1"],
    "no topic": ["abort", "--partition", "0", "--start-offset", "1"],
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_one_line_and_exit_code_2(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["txn", *MISTAKES[name]]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("riverlog: ")
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("command", [[], ["list"], ["describe"], ["producers"], ["find-hanging"], ["abort"]])
def test_help_shows_examples(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["txn", *command, "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert " ".join(["riverlog", "txn", *command]) in shown.partition("Examples:")[2]


def test_a_broker_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["txn", "list", "-b", "127.0.0.1:1"]) == 1
    assert "cannot connect" in capsys.readouterr().err
