"""What transactions of every client must do, on one broker and on three."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import pytest
from confluent_kafka import ConsumerGroupTopicPartitions, KafkaError, TopicPartition

from clientkit import builds, java, rdkafka
from clientkit.lines import ClientError, LineClient
from clientkit.samples import START_MS, Sample
from clientkit.txns import Aiokafka, LineTxns, Rdkafka, Seen, Txns, wait_until_seen

SECONDS = 30.0
SHORT_MS = 1_000
NOTHING = -1001
# What the clients call it when another producer, or the coordinator, has taken the transaction away.
TAKEN_AWAY = {
    "INVALID_PRODUCER_EPOCH",
    "PRODUCER_FENCED",
    "_FENCED",
    "INVALID_TXN_STATE",
    "InvalidProducerEpoch",
    "InvalidProducerEpochException",
    "InvalidTxnState",
    "ProducerFenced",
    "ProducerFencedException",
}

MAKERS: dict[str, Callable[[str], Txns]] = {
    "librdkafka": Rdkafka,
    "aiokafka": Aiokafka,
    "java": lambda bootstrap: LineTxns(LineClient(java.txn_command(bootstrap))),
    "franz-go": lambda bootstrap: LineTxns(LineClient(builds.franz_go_command(bootstrap))),
    "kafkajs": lambda bootstrap: LineTxns(LineClient(builds.kafkajs_command(bootstrap))),
}


def send_plain(bootstrap: str, topic: str, partition: int, *values: str) -> None:
    """Outside of any transaction."""
    writer = rdkafka.producer(bootstrap, linger_ms=0)
    rows = [Sample(None, value.encode(), START_MS) for value in values]
    rdkafka.send(writer, topic, rows, partition=partition)


def stable_end(bootstrap: str, topic: str, partition: int) -> list[str]:
    """What is committed now, up to the last stable offset."""
    rows = rdkafka.messages(bootstrap, topic, partition=partition, isolation_level="read_committed")
    return [row.value().decode() for row in rows]


def everything(bootstrap: str, topic: str, partition: int) -> list[str]:
    """Aborted records, too."""
    rows = rdkafka.messages(bootstrap, topic, partition=partition, isolation_level="read_uncommitted")
    return [row.value().decode() for row in rows]


def group_offsets(bootstrap: str, group: str, topic: str, *, stable: bool) -> list[int | str]:
    """Of two partitions; the name of the error where there is one."""
    asked = ConsumerGroupTopicPartitions(group, [TopicPartition(topic, 0), TopicPartition(topic, 1)])
    admin = rdkafka.admin(bootstrap)
    answer = admin.list_consumer_group_offsets([asked], require_stable=stable)[group]
    rows = answer.result(rdkafka.WAIT_SECONDS).topic_partitions
    return [row.error.name() if row.error else row.offset for row in rows]


def is_stable(found: list[int | str]) -> bool:
    return KafkaError(KafkaError.UNSTABLE_OFFSET_COMMIT).name() not in found


def commits_and_aborts(client: Txns, bootstrap: str, topic: str) -> None:
    """Readers of committed records see whole transactions, and none that was aborted; others see all."""
    client.read("committed", topic, 2, committed=True)
    client.read("all", topic, 2, committed=False)
    client.open("p", f"{topic}-txn")
    client.begin("p")
    client.send("p", topic, 0, ["a0", "a1"])
    client.send("p", topic, 1, ["b0"])
    send_plain(bootstrap, topic, 0, "behind")
    wait_until_seen(client, "all", lambda found: found == {0: ["a0", "a1", "behind"], 1: ["b0"]}, SECONDS)
    assert stable_end(bootstrap, topic, 0) == stable_end(bootstrap, topic, 1) == []
    assert client.seen("committed") == {0: [], 1: []}
    client.end("p", commit=False)
    wait_until_seen(client, "committed", lambda found: found == {0: ["behind"], 1: []}, SECONDS)
    client.begin("p")
    client.send("p", topic, 0, ["c0"])
    client.send("p", topic, 1, ["d0", "d1"])
    assert client.seen("committed") == {0: ["behind"], 1: []}
    client.end("p", commit=True)
    wait_until_seen(
        client, "committed", lambda found: found == {0: ["behind", "c0"], 1: ["d0", "d1"]}, SECONDS
    )
    client.begin("p")
    client.send("p", topic, 1, ["e0"])
    client.end("p", commit=False)
    client.begin("p")
    client.send("p", topic, 1, ["f0"])
    client.end("p", commit=True)
    final = {0: ["behind", "c0"], 1: ["d0", "d1", "f0"]}
    wait_until_seen(client, "committed", lambda found: found == final, SECONDS)
    written = {0: ["a0", "a1", "behind", "c0"], 1: ["b0", "d0", "d1", "e0", "f0"]}
    wait_until_seen(client, "all", lambda found: found == written, SECONDS)
    assert stable_end(bootstrap, topic, 1) == final[1]


def offsets_with_the_records(client: Txns, bootstrap: str, topic: str) -> None:
    """A group's offsets are pending until the transaction ends, and gone when it is aborted."""
    group = f"{topic}-group"
    client.open("q", f"{topic}-txn")
    for commit, before, ends in (
        (False, [NOTHING, NOTHING], {0: 3, 1: 5}),
        (True, [NOTHING, NOTHING], {0: 7, 1: 9}),
    ):
        client.begin("q")
        client.send("q", topic, 0, [f"{commit}"])
        client.offsets("q", group, topic, ends)
        assert group_offsets(bootstrap, group, topic, stable=False) == before
        assert group_offsets(bootstrap, group, topic, stable=True) == ["UNSTABLE_OFFSET_COMMIT"] * 2
        client.end("q", commit=commit)
        rdkafka.wait_for(lambda: is_stable(group_offsets(bootstrap, group, topic, stable=True)), SECONDS)
        after = list(ends.values()) if commit else before
        assert group_offsets(bootstrap, group, topic, stable=True) == after
    rdkafka.wait_for(lambda: stable_end(bootstrap, topic, 0) == ["True"], SECONDS)


def refused(work: Callable[[], None]) -> str:
    with pytest.raises(ClientError) as error:
        work()
    return error.value.kind


def zombie_is_fenced(client: Txns, bootstrap: str, topic: str) -> None:
    """A second producer with the same id ends the transaction of the first, which can do nothing more."""
    client.open("old", f"{topic}-txn")
    client.begin("old")
    client.send("old", topic, 0, ["lost"])
    client.open("new", f"{topic}-txn")
    client.begin("new")  # kafkajs claims the id only now

    def go_on() -> None:
        client.send("old", topic, 0, ["late"])
        client.end("old", commit=True)

    assert refused(go_on) in TAKEN_AWAY
    client.send("new", topic, 0, ["kept"])
    client.end("new", commit=True)
    client.read("fenced", topic, 1, committed=True)
    wait_until_seen(client, "fenced", lambda found: found == {0: ["kept"]}, SECONDS)
    assert everything(bootstrap, topic, 0) == ["lost", "kept"], "nothing of the zombie's came in late"
    client.drop("old")


def time_runs_out(client: Txns, bootstrap: str, topic: str) -> None:
    """The coordinator aborts what its producer has left lying; then the id can be used again."""
    client.read("waiting", topic, 1, committed=True)
    client.open("slow", f"{topic}-txn", timeout_ms=SHORT_MS)
    client.begin("slow")
    client.send("slow", topic, 0, ["lost"])
    send_plain(bootstrap, topic, 0, "behind")
    wait_until_seen(client, "waiting", lambda found: found == {0: ["behind"]}, SECONDS)

    def go_on() -> None:
        client.send("slow", topic, 0, ["late"])
        client.end("slow", commit=True)

    assert refused(go_on) in TAKEN_AWAY
    client.drop("slow")
    client.open("again", f"{topic}-txn")
    client.begin("again")
    client.send("again", topic, 0, ["kept"])
    client.end("again", commit=True)
    wait_until_seen(client, "waiting", lambda found: found == {0: ["behind", "kept"]}, SECONDS)


@dataclass
class Done:
    """What became of one transaction."""

    commit: bool
    values: Seen
    known: bool


@dataclass
class Loop:
    """One transaction after the other over all partitions, every third aborted, while brokers die.

    A transaction that fails is aborted, or left behind with its producer, and not tried again. One whose
    commit failed may have happened or not, but only as a whole.
    """

    client: Txns
    topic: str
    partitions: int
    done: list[Done] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    error: str | None = None

    def __post_init__(self) -> None:
        self.committed = 0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._guarded, daemon=True)
        self._thread.start()

    def wait_for(self, more: int, seconds: float) -> None:
        goal = self.committed + more
        pause = threading.Event()

        def reached() -> bool:
            pause.wait(0.05)
            assert self.error is None, f"{self.topic}: {self.error}"
            return self.committed >= goal

        rdkafka.wait_for(reached, seconds)

    def finish(self, seconds: float) -> None:
        self._stopping.set()
        self._thread.join(seconds)
        assert not self._thread.is_alive(), f"{self.topic} does not end; {self.troubles[-3:]}"
        assert self.error is None, f"{self.topic}: {self.error}"

    def check(self, found: Seen) -> None:
        """``found`` is what a reader of committed records has got."""
        where = {(p, value): at for p, values in found.items() for at, value in enumerate(values)}
        assert len(where) == sum(map(len, found.values())), f"{self.topic}: a record is there twice"
        expected: Seen = defaultdict(list)
        for each in self.done:
            there = {(p, v) in where for p, values in each.values.items() for v in values}
            assert len(there) == 1, f"{self.topic}: half of a transaction: {each}"
            if each.known:
                assert there == {each.commit}, f"{self.topic}: {each}"
            if there == {True}:
                for p, values in each.values.items():
                    expected[p] += values
        assert found == dict(expected), f"{self.topic}: order"

    def _guarded(self) -> None:
        try:
            self._run()
        except Exception as error:  # noqa: BLE001 - the test says it, whatever it is
            self.error = repr(error)

    def _run(self) -> None:
        number = 0
        fresh = False
        while not self._stopping.is_set():
            try:
                if not fresh:
                    self.client.open("loop", f"{self.topic}-txn")
                    fresh = True
                self.client.begin("loop")
            except ClientError as trouble:
                self._note(number, trouble)
                fresh = self._give_up()
                continue
            fresh = self._transact(number)
            number += 1

    def _transact(self, number: int) -> bool:
        """Whether the producer can go on."""
        values = {p: [f"{number}.{p}.{i}" for i in range(3)] for p in range(self.partitions)}
        commit = number % 3 != 2
        done = Done(commit=False, values=values, known=True)
        self.done.append(done)
        try:
            for partition, rows in values.items():
                self.client.send("loop", self.topic, partition, rows)
        except ClientError as trouble:
            self._note(number, trouble)
            return self._abort()
        done.commit, done.known = commit, not commit
        try:
            self.client.end("loop", commit=commit)
        except ClientError as trouble:
            self._note(number, trouble)
            return self._give_up()
        done.known = True
        self.committed += commit
        return True

    def _abort(self) -> bool:
        try:
            self.client.end("loop", commit=False)
        except ClientError:
            return self._give_up()
        return True

    def _give_up(self) -> bool:
        with suppress(ClientError, KeyError):
            self.client.drop("loop")
        return False

    def _note(self, number: int, trouble: ClientError) -> None:
        self.troubles.append(f"{number}: {trouble}")
