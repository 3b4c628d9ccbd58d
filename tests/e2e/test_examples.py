"""The programs in ``examples/`` are killed at random points and started again, and keep their promises."""

from __future__ import annotations

import random
import runpy
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import psycopg
import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic
from e2ekit.postgres import PostgresUnavailable, postgres
from e2ekit.targets import MakeBroker
from e2ekit.waiting import wait_until

from bench.brokers import Broker
from bench.jars import ROOT
from riverlog.clients import Position

PARTITIONS, CUSTOMERS, ORDERS = 3, 12, 1000
BATCH = 20
"""Of ``exactly_once.py``."""
KILLS, KILLS_SOAK = 6, 40
WAIT = 60.0
SETTINGS = {"group_initial_rebalance_delay_ms": "0"}

Order = tuple[str, str]
"""Customer and what was ordered."""

pytestmark = pytest.mark.timeout(300)


class Program:
    """One example; ``progress`` tells how far all its lives together came."""

    def __init__(self, folder: Path, name: str, *arguments: str) -> None:
        self._command = [sys.executable, str(ROOT / "examples" / name), *arguments]
        self._out = folder / f"{name}.out"
        self._life: subprocess.Popen[bytes] | None = None
        self.kills = 0

    def start_if_dead(self) -> None:
        if self._life is not None:
            return
        with self._out.open("ab") as out:
            self._life = subprocess.Popen(self._command, stdout=out, stderr=subprocess.STDOUT)

    def kill(self) -> None:
        if self._life is not None:
            self._life.kill()
            self._life.wait()
            self._life = None
            self.kills += 1

    def said(self) -> list[str]:
        return self._out.read_text(errors="replace").splitlines() if self._out.exists() else []

    def demand_alive(self) -> None:
        assert self._life is not None
        assert self._life.poll() is None, f"the example ended by itself: {self.said()[-3:]}"

    def run_with_kills(
        self, kills: int, seed: int, progress: Callable[[], int], total: int, done: Callable[[], bool]
    ) -> None:
        """Each life is killed when the work as a whole is at a random point."""
        self.pass_points(kills, seed, progress, total, self.kill)
        self.start_if_dead()
        self.wait_for(done)
        self.kill()

    def pass_points(
        self, count: int, seed: int, progress: Callable[[], int], total: int, then: Callable[[], None]
    ) -> None:
        """At so many random points of the work something happens."""
        for goal in sorted(random.Random(seed).choices(range(total), k=count)):
            self.start_if_dead()
            self._wait(lambda goal=goal: progress() > goal, f"progress beyond {goal}")  # type: ignore[misc]
            then()

    def wait_for(self, done: Callable[[], bool]) -> None:
        self._wait(done, "the end")

    def _wait(self, happened: Callable[[], bool], what: str) -> None:
        def look() -> bool:
            self.demand_alive()
            return happened()

        try:
            wait_until(look, WAIT, what)
        except AssertionError as late:
            raise AssertionError(f"{late}; the example said {self.said()[-3:]}") from None


Start = Callable[..., Program]


@pytest.fixture
def example(tmp_path: Path) -> Iterator[Start]:
    """Makes programs; what still runs at the end is killed."""
    made: list[Program] = []

    def make(name: str, *arguments: str) -> Program:
        made.append(Program(tmp_path, name, *arguments))
        return made[-1]

    yield make
    for program in made:
        program.kill()


@pytest.fixture
def kills(request: pytest.FixtureRequest) -> int:
    return getattr(request, "param", KILLS)


@pytest.fixture
def broker(make_broker: MakeBroker) -> Broker:
    made = make_broker(**SETTINGS)
    made.start()
    admin = AdminClient({"bootstrap.servers": made.bootstrap})
    topics = [NewTopic(name, PARTITIONS, 1) for name in ("orders", "receipts")]
    for created in admin.create_topics(topics).values():
        created.result(WAIT)
    return made


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    try:
        with postgres() as dsn:
            yield dsn
    except PostgresUnavailable as missing:
        pytest.skip(str(missing))


def many(test: Callable[..., None]) -> Callable[..., None]:
    """A few kills in the usual run, many in ``make soak``."""
    counts = [KILLS, pytest.param(KILLS_SOAK, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])]
    return pytest.mark.parametrize("kills", counts, indirect=True)(test)


def place_orders(bootstrap: str, values: Callable[[int], str] = lambda n: f"order-{n}") -> list[Order]:
    orders = [(f"customer-{n % CUSTOMERS}", values(n)) for n in range(ORDERS)]
    producer = Producer({"bootstrap.servers": bootstrap, "enable.idempotence": True})
    for customer, order in orders:
        producer.produce("orders", order, key=customer)
    assert producer.flush(WAIT) == 0
    return orders


def ends(bootstrap: str, group: str) -> tuple[int, int]:
    """What the group committed, and what there is."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": group})
    try:
        places = [TopicPartition("orders", index) for index in range(PARTITIONS)]
        committed = sum(max(0, place.offset) for place in consumer.committed(places, timeout=WAIT))
        return committed, sum(consumer.get_watermark_offsets(place, timeout=WAIT)[1] for place in places)
    finally:
        consumer.close()


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


# ---------------------------------------------------------------- what is promised


def demand_at_most_once(handled: Sequence[str], orders: Sequence[Order], kills: int) -> None:
    counted = Counter(handled)
    assert counted.keys() <= {order for _, order in orders}, "what was never ordered was handled"
    assert max(counted.values()) == 1, "handled twice"
    assert len(orders) - len(counted) <= kills, "a kill loses the record in hand and no more"


def demand_at_least_once(handled: Sequence[str], orders: Sequence[Order], kills: int) -> None:
    counted = Counter(handled)
    assert counted.keys() == {order for _, order in orders}, "lost"
    assert len(handled) - len(orders) <= kills, "a kill repeats the record in hand and no more"


def demand_exactly_once(receipts: Sequence[Order], orders: Sequence[Order]) -> None:
    for customer in {customer for customer, _ in orders}:
        expected = [f"paid: {order}" for name, order in orders if name == customer]
        assert [receipt for name, receipt in receipts if name == customer] == expected, customer
    assert len(receipts) == len(orders)


@many
def test_at_most_once_handles_nothing_twice(
    broker: Broker, example: Start, tmp_path: Path, kills: int
) -> None:
    orders = place_orders(broker.bootstrap)
    ledger = tmp_path / "sent.txt"
    program = example("at_most_once.py", broker.bootstrap, str(ledger))
    program.run_with_kills(
        kills,
        seed=1,
        progress=lambda: len(lines(ledger)),
        total=ORDERS - kills,
        done=lambda: len(set(ends(broker.bootstrap, "reminders"))) == 1,
    )
    demand_at_most_once(lines(ledger), orders, program.kills)


@many
def test_at_least_once_loses_nothing(broker: Broker, example: Start, tmp_path: Path, kills: int) -> None:
    orders = place_orders(broker.bootstrap)
    ledger = tmp_path / "handled.txt"
    program = example("at_least_once.py", broker.bootstrap, str(ledger))
    program.run_with_kills(
        kills,
        seed=2,
        progress=lambda: len(lines(ledger)),
        total=ORDERS,
        done=lambda: len(set(ends(broker.bootstrap, "archive"))) == 1,
    )
    demand_at_least_once(lines(ledger), orders, program.kills)


def receipts_made(program: Program) -> int:
    """As far as it said; a kill may come between a commit and the line about it."""
    return sum(int(line.split()[0]) for line in program.said() if line.endswith(" receipts"))


@many
def test_exactly_once_makes_one_receipt_of_each_order(broker: Broker, example: Start, kills: int) -> None:
    orders = place_orders(broker.bootstrap)
    take_back_orders(broker.bootstrap)
    program = example("exactly_once.py", broker.bootstrap)
    program.run_with_kills(
        kills,
        seed=3,
        progress=lambda: receipts_made(program),
        total=max(1, ORDERS - kills * BATCH),
        done=lambda: len(read_committed(broker.bootstrap, "receipts")) >= ORDERS,
    )
    demand_exactly_once(read_committed(broker.bootstrap, "receipts"), orders)


def test_exactly_once_goes_on_over_kills_of_the_broker(broker: Broker, example: Start) -> None:
    orders = place_orders(broker.bootstrap)
    take_back_orders(broker.bootstrap)
    program = example("exactly_once.py", broker.bootstrap)

    def restart_broker() -> None:
        broker.kill()
        broker.start()

    program.pass_points(4, 5, lambda: receipts_made(program), ORDERS - BATCH, restart_broker)
    program.wait_for(lambda: len(read_committed(broker.bootstrap, "receipts")) >= ORDERS)
    program.kill()
    assert program.kills == 1, "one life was enough"
    demand_exactly_once(read_committed(broker.bootstrap, "receipts"), orders)


@many
def test_offsets_in_postgres_add_each_order_once(
    broker: Broker, example: Start, database: str, kills: int
) -> None:
    with psycopg.connect(database, autocommit=True) as look:
        look.execute("DROP TABLE IF EXISTS turnover, offsets")

        def progress() -> int:
            if look.execute("SELECT to_regclass('offsets')").fetchone() == (None,):
                return 0
            row = look.execute("SELECT coalesce(sum(next_offset), 0) FROM offsets").fetchone()
            assert row is not None
            return int(row[0])

        orders = place_orders(broker.bootstrap, values=lambda n: str(n * n))
        program = example("offsets_in_postgres.py", broker.bootstrap, database)
        program.run_with_kills(
            kills, seed=4, progress=progress, total=ORDERS, done=lambda: progress() == ORDERS
        )
        expected: Counter[str] = Counter()
        for customer, cents in orders:
            expected[customer] += int(cents)
        assert dict(look.execute("SELECT customer, cents FROM turnover").fetchall()) == expected


def test_offsets_in_postgres_let_no_second_program_go_back(database: str) -> None:
    """Of two programs that believe a partition to be theirs, the later one changes nothing."""
    program = runpy.run_path(str(ROOT / "examples" / "offsets_in_postgres.py"))
    with psycopg.connect(database, autocommit=True) as one, psycopg.connect(database, autocommit=True) as two:
        one.execute("DROP TABLE IF EXISTS turnover, offsets")
        one.execute(program["TABLES"])
        first, second = program["Offsets"](one), program["Offsets"](two)
        first.save([Position("orders", 0, 5)])
        assert second.load([("orders", 0), ("orders", 1)]) == [Position("orders", 0, 5)]
        first.save([Position("orders", 0, 6)])
        for late in (5, 6):
            with pytest.raises(SystemExit, match="another program"):
                second.save([Position("orders", 0, late)])
        second.save([Position("orders", 0, 7)])


def take_back_orders(bootstrap: str) -> None:
    """Orders of an aborted transaction: nobody may ever see a receipt of these."""
    producer = Producer({"bootstrap.servers": bootstrap, "transactional.id": "taken-back"})
    producer.init_transactions(WAIT)
    producer.begin_transaction()
    for number in range(50):
        producer.produce("orders", f"taken-back-{number}", key=f"customer-{number % CUSTOMERS}")
    producer.flush(WAIT)
    producer.abort_transaction(WAIT)


def read_committed(bootstrap: str, topic: str) -> list[Order]:
    """All committed records from the beginning to the last stable offset."""
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": "reader",
            "enable.auto.commit": False,
            "enable.partition.eof": True,
            "isolation.level": "read_committed",
        }
    )
    found: list[Order] = []
    left = set(range(PARTITIONS))
    try:
        consumer.assign([TopicPartition(topic, index, 0) for index in left])
        while left:
            message = consumer.poll(WAIT)
            assert message is not None, "no answer"
            if message.error() is None:
                found.append((message.key().decode(), message.value().decode()))
            else:
                left.discard(message.partition())
    finally:
        consumer.close()
    return found


# ---------------------------------------------------------------- the checks notice lies

_THREE = [("a", "1"), ("b", "2"), ("a", "3")]


@pytest.mark.parametrize(
    ("demand", "told"),
    [
        (lambda: demand_at_most_once(["1", "1", "2"], _THREE, 9), "twice"),
        (lambda: demand_at_most_once(["1"], _THREE, 1), "no more"),
        (lambda: demand_at_most_once(["7"], _THREE, 9), "never ordered"),
        (lambda: demand_at_least_once(["1", "2"], _THREE, 9), "lost"),
        (lambda: demand_at_least_once(["1", "2", "3", "3", "3"], _THREE, 1), "no more"),
        (lambda: demand_exactly_once([("a", "paid: 1"), ("a", "paid: 3")], _THREE), "b"),
        (lambda: demand_exactly_once([("b", "paid: 2"), ("a", "paid: 3"), ("a", "paid: 1")], _THREE), "a"),
    ],
)
def test_a_broken_promise_is_noticed(demand: Callable[[], None], told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        demand()
