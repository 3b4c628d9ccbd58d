"""Exactly once: whatever attempt dies wherever, and whoever comes back, rows are there once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from riverlog.client.producer import ProducerConfig
from riverlog.pipeline.errors import ClusterError, PipelineError
from riverlog.pipeline.link import linked
from riverlog.pipeline.markers import TOPIC, Marker, MarkerLog, marker_batch
from riverlog.pipeline.option_table import Options
from riverlog.pipeline.queries import forget_query, list_queries
from riverlog.pipeline.replay import ReplayError
from riverlog.pipeline.sending import Outgoing, Sender
from riverlog.pipeline.sink_task import Task, Written, write_task
from riverlog.pipeline.transactions import Coordinators, Fenced, Transaction
from riverlog.protocol.apis import ApiKey
from riverlog.runtime.client_io import BlockingClient
from riverlog.runtime.ports import free_ports
from riverlog.testing import TestBroker, broker
from tests.unit.pipeline.lossy import LossyProxy, lossy_broker
from tests.unit.pipeline.sink_world import (
    dying,
    make_topic,
    once,
    read_all,
    rows,
    set_transaction_version,
    stream_options,
    values,
)

_numbers = count(1)


@pytest.fixture(scope="module", params=[1, 2])
def running(request: pytest.FixtureRequest) -> Iterator[TestBroker]:
    """A broker of each transaction version."""
    with broker() as b:
        set_transaction_version(b.bootstrap, request.param)
        yield b


@pytest.fixture
def name() -> str:
    """Of a query, and of the topic it writes to."""
    return f"q{next(_numbers)}"


@pytest.fixture
def options(running: TestBroker, name: str) -> Options:
    make_topic(running.bootstrap, name)
    return stream_options(running.bootstrap, name)


def write(options: Options, name: str, numbers: range, *, batch: int = 0, task: int = 0) -> Written:
    return write_task(options, Task(name, batch, task), iter([rows(numbers)]))


class Attempt:
    """An attempt of a task that goes step by step, and may stop for ever after any of them."""

    def __init__(self, bootstrap: str, task: Task) -> None:
        self.task = task
        self.client = BlockingClient(bootstrap)
        self.transaction = Transaction(
            self.client, Coordinators(self.client), task.id, timeout_ms=60_000, patience_seconds=10
        )
        self.markers = MarkerLog(self.client, patience_seconds=10)
        self.sender: Sender | None = None

    def begin(self) -> None:
        self.transaction.__enter__()
        self.sender = Sender(
            self.client, ProducerConfig(), buffer_bytes_max=1 << 20, transaction=self.transaction
        )

    def send_row(self) -> None:
        assert self.sender is not None
        # A row looks like a marker here: what matters is where it is.
        data = marker_batch("row", Marker(99), timestamp=1, transactional=True)
        self.client.refresh([self.task.query])
        self.sender.send([Outgoing(self.task.query, 0, data, 1)])
        self.sender.flush()

    def send_marker(self) -> None:
        assert self.sender is not None
        topic, partition = self.markers.place(self.task.query)
        data = marker_batch(self.task.id, Marker(self.task.batch + 1), timestamp=1, transactional=True)
        self.sender.send([Outgoing(topic, partition, data, 1)])
        self.sender.flush()

    def commit(self) -> None:
        self.transaction.commit()

    def go_on(self, *, after: int) -> None:
        for step in STEPS[after + 1 :]:
            step(self)


STEPS = [Attempt.begin, Attempt.send_row, Attempt.send_marker, Attempt.commit]


def test_rows_are_written_once_and_left_out_when_the_batch_is_run_again(
    running: TestBroker, options: Options, name: str
) -> None:
    for batch, numbers in enumerate((range(100), range(100, 150), range(0))):
        assert write(options, name, numbers, batch=batch) == Written(len(numbers))
        assert write(options, name, numbers, batch=batch) == Written(len(numbers), skipped=True)
    assert values(running.bootstrap, name) == once(range(150))


def test_an_older_batch_than_the_last_is_refused(running: TestBroker, options: Options, name: str) -> None:
    for batch in range(2):
        write(options, name, range(batch * 10, batch * 10 + 10), batch=batch)
    with pytest.raises(
        ReplayError, match=r"task 0 of batch 0 .* and batch 1 is committed: either another driver"
    ):
        write(options, name, range(10), batch=0)
    assert write(
        stream_options(running.bootstrap, name, checkReplays="false"), name, range(10), batch=0
    ).skipped
    assert values(running.bootstrap, name) == once(range(20))


def test_tasks_without_rows_leave_their_marker(running: TestBroker, options: Options, name: str) -> None:
    assert write_task(options, Task(name, 7, 3), iter([])) == Written(0)
    (found,) = [row for row in list_queries(running.bootstrap) if row.query == name]
    assert (found.tasks, found.next_batch) == (1, 8)


@pytest.mark.parametrize("stopped_after", range(len(STEPS)), ids=[step.__name__ for step in STEPS])
def test_whatever_step_an_attempt_stops_at_the_next_one_completes_the_task(
    running: TestBroker, options: Options, name: str, stopped_after: int
) -> None:
    first = Attempt(running.bootstrap, Task(name, 0, 0))
    for step in STEPS[: stopped_after + 1]:
        step(first)
    committed = stopped_after == len(STEPS) - 1
    assert write(options, name, range(10)).skipped is committed
    found = read_all(running.bootstrap, name)
    assert [message.key() for message in found] == ([b"row"] if committed else [None] * 10)
    first.client.close()


@pytest.mark.parametrize("stopped_after", range(len(STEPS) - 1), ids=[s.__name__ for s in STEPS[:-1]])
def test_an_attempt_that_wakes_up_after_the_next_one_is_fenced(
    running: TestBroker, options: Options, name: str, stopped_after: int
) -> None:
    zombie = Attempt(running.bootstrap, Task(name, 0, 0))
    for step in STEPS[: stopped_after + 1]:
        step(zombie)
    assert not write(options, name, range(10)).skipped
    with pytest.raises(Fenced, match="another attempt of this task has taken over"):
        zombie.go_on(after=stopped_after)
    assert values(running.bootstrap, name) == once(range(10))
    zombie.client.close()


def test_a_zombie_that_begins_late_finds_the_marker_and_the_live_query_goes_on(
    running: TestBroker, options: Options, name: str
) -> None:
    write(options, name, range(10), batch=0)
    assert write(options, name, range(10), batch=0).skipped, "a zombie driver's task: it takes the id over"
    assert not write(options, name, range(10, 20), batch=1).skipped, "and the live one takes it back"
    assert values(running.bootstrap, name) == once(range(20))


def test_a_plan_that_fails_aborts_at_once_and_its_error_comes_through(
    running: TestBroker, options: Options, name: str
) -> None:
    with pytest.raises(ZeroDivisionError):
        write_task(options, Task(name, 0, 0), dying([rows(range(100_000))], ZeroDivisionError()))
    # Nobody has to wait for the time-out: the last stable offset is at the end.
    write_task(
        stream_options(running.bootstrap, name, delivery="at-least-once"), Task(name, 0, 1), iter([rows("z")])
    )
    assert values(running.bootstrap, name) == once("z")
    write(options, name, range(10))
    assert values(running.bootstrap, name) == once([*range(10), "z"])


def test_markers_are_found_behind_open_transactions_of_other_tasks(
    running: TestBroker, options: Options, name: str
) -> None:
    other = Attempt(running.bootstrap, Task(name, 0, 1))
    other.begin()
    other.send_marker()  # the last stable offset of the markers stands still from here on
    write(options, name, range(10), task=0)
    assert write(options, name, range(10), task=0).skipped
    with linked(stream_options(running.bootstrap, name, kafka_client_id="fresh")) as fresh:
        task = Task(name, 0, 0)
        found = fresh.markers.find(name, task.id)
        assert found is not None
        assert found.next_batch == 1
        assert fresh.markers.find(name, Task(name, 0, 1).id) is None, "not decided"
        other.commit()
        assert fresh.markers.find(name, Task(name, 0, 1).id) == Marker(1)
    other.client.close()


def test_a_fresh_process_finds_a_marker_far_from_the_end(
    running: TestBroker, options: Options, name: str
) -> None:
    write(options, name, range(3))
    with BlockingClient(running.bootstrap) as client:
        log = MarkerLog(client, patience_seconds=10)
        topic, partition = log.place(name)
        sender = Sender(client, ProducerConfig(), buffer_bytes_max=1 << 20)
        data = marker_batch("riverlog-other-0", Marker(1), timestamp=1, transactional=False)
        sender.send([Outgoing(topic, partition, data, 1)] * 2500)
        sender.flush()
        found = MarkerLog(client, patience_seconds=10).find(name, Task(name, 0, 0).id)
        assert found is not None
        assert found.next_batch == 1
        assert MarkerLog(client, patience_seconds=10).find(name, Task(name, 0, 9).id) is None


# ---------------------------------------------------------------- other rows


@pytest.mark.parametrize(
    "replayed", [range(9), range(11), range(1, 11)], ids=["fewer rows", "more rows", "other rows"]
)
def test_a_replay_with_other_rows_is_refused(
    running: TestBroker, options: Options, name: str, replayed: range
) -> None:
    write(options, name, range(10))
    with pytest.raises(ReplayError, match=r"task 0 of batch 0 .* committed 10 rows .* checkReplays=false"):
        write(options, name, replayed)
    lenient = stream_options(running.bootstrap, name, checkReplays="false")
    assert write(lenient, name, replayed).skipped
    assert values(running.bootstrap, name) == once(range(10))


def test_a_replay_with_another_number_of_tasks_is_refused(options: Options, name: str) -> None:
    for task in range(2):
        write(options, name, range(task * 50, task * 50 + 50), task=task)
    with pytest.raises(ReplayError, match="the number of tasks or the rows of a task have changed"):
        write(options, name, range(100))


def test_the_order_of_replayed_rows_does_not_matter(options: Options, name: str) -> None:
    write(options, name, range(10))
    batches = iter([rows(range(5, 10)), rows(range(5))])
    assert write_task(options, Task(name, 0, 0), batches) == Written(10, skipped=True)


# ---------------------------------------------------------------- trouble


def test_a_time_out_above_the_brokers_bound_is_refused_by_name(running: TestBroker, name: str) -> None:
    options = stream_options(running.bootstrap, name, kafka_transaction_timeout_ms="900001")
    with pytest.raises(
        ClusterError, match=r"kafka.transaction.timeout.ms=900001 .* transaction.max.timeout.ms"
    ):
        write(options, name, range(1))


def test_a_transaction_that_takes_too_long_is_fenced(name: str) -> None:
    with broker({"transaction.abort.timed.out.transaction.cleanup.interval.ms": 50}) as quick:
        make_topic(quick.bootstrap, name)
        options = stream_options(quick.bootstrap, name, kafka_transaction_timeout_ms="200")
        # Batches go on leaving until the broker has given up on the transaction.
        endless = (rows(["x" * 1000] * 1000) for _ in range(20_000))
        with pytest.raises(Fenced, match=r"took longer than kafka.transaction.timeout.ms"):
            write_task(options, Task(name, 0, 0), endless)
        assert not write(stream_options(quick.bootstrap, name), name, range(10)).skipped
        assert values(quick.bootstrap, name) == once(range(10))


def test_an_address_where_nobody_answers_is_named(name: str) -> None:
    (port,) = free_ports(1)
    options = stream_options(f"127.0.0.1:{port}", name, kafka_max_block_ms="200")
    with pytest.raises(
        ClusterError, match=f"no cluster answers at 127.0.0.1:{port}: not within 0.2 s: cannot connect"
    ):
        write(options, name, range(1))


def test_looking_for_queries_makes_no_topic() -> None:
    with broker() as b:
        assert list_queries(b.bootstrap) == []
        assert forget_query(b.bootstrap, "q") == 0
        with BlockingClient(b.bootstrap) as client:
            assert TOPIC not in client.refresh().topics


def test_a_marker_topic_that_would_be_deleted_is_refused(name: str) -> None:
    with broker() as b:
        make_topic(b.bootstrap, TOPIC, cleanup_policy="delete")
        make_topic(b.bootstrap, name)
        with pytest.raises(ClusterError, match=r"cleanup\.policy=delete"):
            write(stream_options(b.bootstrap, name), name, range(1))


def test_the_marker_topic_is_compacted_and_all_markers_of_a_query_share_a_partition(
    running: TestBroker, options: Options, name: str
) -> None:
    for task in range(4):
        write(options, name, range(2), task=task)
    found = [
        m for m in read_all(running.bootstrap, TOPIC) if m.key().decode().startswith(f"riverlog-{name}-")
    ]
    assert sorted(m.key().decode() for m in found) == [f"riverlog-{name}-{task}" for task in range(4)]
    assert len({m.partition() for m in found}) == 1
    assert b'"next_batch":1' in found[0].value()


def test_a_forgotten_query_has_no_markers(running: TestBroker, options: Options, name: str) -> None:
    for task in range(3):
        write(options, name, range(2), task=task)
    assert forget_query(running.bootstrap, name) == 3
    assert name not in {row.query for row in list_queries(running.bootstrap)}
    assert forget_query(running.bootstrap, name) == 0
    assert not write(options, name, range(2)).skipped, "also for a process that had read the markers"


def test_foreign_records_among_the_markers_are_refused(name: str) -> None:
    with broker() as b:
        make_topic(b.bootstrap, name)
        options = stream_options(b.bootstrap, name)
        write(options, name, range(1))
        with BlockingClient(b.bootstrap) as client:
            _, partition = MarkerLog(client, patience_seconds=10).place(name)
        from confluent_kafka import Producer

        producer = Producer({"bootstrap.servers": b.bootstrap})
        producer.produce(TOPIC, key=b"k", value=b"not ours", partition=partition)
        assert producer.flush(10) == 0
        with pytest.raises(PipelineError, match=f"{TOPIC} is not a marker"):
            write(options, name, range(1), batch=1)


# ---------------------------------------------------------------- lost requests and answers


@pytest.fixture(scope="module", params=[1, 2])
def lossy(request: pytest.FixtureRequest) -> Iterator[LossyProxy]:
    with lossy_broker() as (b, proxy):
        set_transaction_version(b.bootstrap, request.param)
        yield proxy


ASKED = [
    ApiKey.METADATA,
    ApiKey.FIND_COORDINATOR,
    ApiKey.INIT_PRODUCER_ID,
    ApiKey.LIST_OFFSETS,
    ApiKey.FETCH,
    ApiKey.ADD_PARTITIONS_TO_TXN,
    ApiKey.PRODUCE,
    ApiKey.END_TXN,
]


@pytest.mark.parametrize("what", ["request", "answer"])
@pytest.mark.parametrize("api_key", ASKED, ids=lambda key: key.name.lower())
def test_a_lost_request_or_answer_is_made_up_for(
    lossy: LossyProxy, name: str, api_key: ApiKey, what: str
) -> None:
    make_topic(lossy.bootstrap, name)
    write(stream_options(lossy.bootstrap, name, kafka_client_id=f"before {name}"), name, range(5))
    lossy.lose(api_key, what=what)
    fresh = stream_options(lossy.bootstrap, name, kafka_client_id=name)
    lost_before = lossy.lost
    assert write(fresh, name, range(5, 1000), batch=1) == Written(995)
    if api_key is not ApiKey.ADD_PARTITIONS_TO_TXN:  # transaction version 2 has no use for it
        assert lossy.lost == lost_before + 1
    assert values(lossy.bootstrap, name) == once(range(1000))
    assert write(fresh, name, range(5, 1000), batch=1).skipped


def test_a_commit_whose_outcome_is_not_known_is_found_out_by_the_next_attempt(
    lossy: LossyProxy, name: str
) -> None:
    make_topic(lossy.bootstrap, name)
    hasty = stream_options(lossy.bootstrap, name, kafka_delivery_timeout_ms="1")
    lossy.lose(ApiKey.END_TXN, what="answer")
    with pytest.raises(ClusterError, match="cannot commit a transaction of"):
        write(hasty, name, range(10))
    assert write(stream_options(lossy.bootstrap, name), name, range(10)).skipped
    assert values(lossy.bootstrap, name) == once(range(10))
