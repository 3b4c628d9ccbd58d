"""How long writes stand still when a node dies or restarts, and when the controller of many partitions dies.

A writer sends a record to every partition each 10 ms with librdkafka at its defaults (acks=all,
idempotent). A pause is the longest time between two acknowledgements of one partition.
"""

from __future__ import annotations

import bisect
import itertools
import statistics
import threading
import time
from collections.abc import Callable

from confluent_kafka import ElectionType, KafkaError, KafkaException, Message, Producer, TopicPartition

from bench import wire
from bench.client import held, percentiles
from bench.clusters import COPIES, Cluster
from bench.runner import ClientFailed, Measures, Say, Topics, quiet_admin
from bench.workloads import CLUSTER_PARTITIONS, Effort

_EVERY_SECONDS = 0.01
_RESUME_SECONDS_MAX = 60.0
_HEAL_SECONDS_MAX = 120.0
_QUIET_SECONDS = 1.0
"""Of undisturbed writes before and after each fault."""
_BETWEEN_SECONDS = 6.0
"""Between two deaths: a second one soon after the first is left to the session time-out (RULES: early
fencing 3), here and in Kafka always."""
_TOPICS_PER_REQUEST = 50
_PARTITIONS_EACH = 10


class Writer:
    """Writes from a thread of its own until closed; keeps when records were sent and acknowledged."""

    def __init__(self, cluster: Cluster, topic: str, partitions: int) -> None:
        self._topic = topic
        self._cluster = cluster
        self.partitions = partitions
        self.acked: list[list[float]] = [[] for _ in range(partitions)]
        """When acknowledgements came."""
        self.sent: list[list[float]] = [[] for _ in range(partitions)]
        """When their records were sent."""
        self.failed = 0
        self._producer = Producer(
            {
                "bootstrap.servers": cluster.bootstrap,
                "acks": "all",
                "enable.idempotence": True,
                "linger.ms": 0,
                "log_level": 0,
            }
        )
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._write)
        self._thread.start()

    def _write(self) -> None:
        due = time.perf_counter()
        while not self._stop.is_set():
            for partition in range(self.partitions):
                self._send(partition)
            due += _EVERY_SECONDS
            while (left := due - time.perf_counter()) > 0:
                self._producer.poll(left)
            self._producer.poll(0)

    def _send(self, partition: int) -> None:
        sent_at = time.perf_counter()

        def delivered(error: KafkaError | None, _message: Message) -> None:
            if error is not None:
                self.failed += 1
                return
            self.sent[partition].append(sent_at)
            self.acked[partition].append(time.perf_counter())

        self._producer.produce(self._topic, b"x" * 100, partition=partition, on_delivery=delivered)

    def wait_for_acks(self, sent_after: float, seconds: float) -> None:
        """Until every partition acknowledged a record that was sent after that time."""
        deadline = time.monotonic() + seconds
        while not all(sent and sent[-1] > sent_after for sent in self.sent):
            if time.monotonic() > deadline:
                raise ClientFailed(f"{self._cluster.name}: writes did not resume in {seconds:.0f} s")
            time.sleep(0.01)

    def resumed_after(self, at: float, partition: int) -> float:
        """Seconds from then to the end of the longest pause that was not over by then."""
        return max(0.0, self.longest_pause(partition, at, time.perf_counter())[1] - at)

    def longest_pause(self, partition: int, begin: float, end: float) -> tuple[float, float]:
        """The longest between two acknowledgements within that time, and when it ended."""
        acked = self.acked[partition]
        first = max(0, bisect.bisect_left(acked, begin) - 1)
        times = acked[first : bisect.bisect_right(acked, end)]
        return max(((b - a, b) for a, b in itertools.pairwise(times)), default=(0.0, begin))

    def latencies_ms(self, begin: float) -> list[float]:
        return [
            (acked - sent) * 1000
            for sents, ackeds in zip(self.sent, self.acked, strict=True)
            for sent, acked in zip(sents, ackeds, strict=True)
            if sent >= begin
        ]

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self._producer.flush(30)

    def demand_held(self) -> None:
        """What was acknowledged is there, once."""
        found = held(self._cluster.bootstrap, self._topic, self.partitions)
        acked = sum(map(len, self.acked))
        if not acked <= found <= acked + self.failed:
            raise ClientFailed(f"{self._cluster.name}: {acked} writes acknowledged, {found} held")


def failover(cluster: Cluster, effort: Effort, say: Say) -> Measures:
    """Leader killed, active controller killed, all nodes restarted in turn."""
    out: Measures = {}
    try:
        say(f"failover, {cluster.name}: starting")
        cluster.start()
        topic = Topics(cluster).create(CLUSTER_PARTITIONS, durable=True)
        writer = Writer(cluster, topic, CLUSTER_PARTITIONS)
        try:
            writer.wait_for_acks(0.0, _RESUME_SECONDS_MAX)
            began = time.perf_counter()
            time.sleep(3 * _QUIET_SECONDS)
            out["failover_idle_p99_ms"] = percentiles(writer.latencies_ms(began))["p99"]
            for measure, is_victim in (
                ("failover_leader_seconds", lambda node_id, controller: node_id != controller),
                ("failover_controller_seconds", lambda node_id, controller: node_id == controller),
            ):
                runs = []
                for number in range(effort.failovers):
                    say(f"{measure.split('_')[1]} killed, {cluster.name}, {number + 1} of {effort.failovers}")
                    runs.append(_kill_one(cluster, topic, writer, is_victim))
                out[measure] = statistics.median(runs)
                out[f"{measure}_max"] = max(runs)
            out["failover_failed"] = float(writer.failed)
            say(f"rolling restart, {cluster.name}")
            out |= _rolling(cluster, topic, writer)
        finally:
            writer.close()
        writer.demand_held()
    finally:
        cluster.kill()
    return out


def _kill_one(cluster: Cluster, topic: str, writer: Writer, is_victim: Callable[[int, int], bool]) -> float:
    """Seconds until writes to all partitions go on after ``kill -9`` of a node that leads some."""
    _balance(cluster, topic, writer.partitions)
    controller = cluster.controller()
    leaders = _leaders(cluster, topic)
    victim = next(leader for leader in leaders if is_victim(leader, controller))
    time.sleep(_BETWEEN_SECONDS)
    killed_at = time.perf_counter()
    cluster.nodes[victim].kill()
    writer.wait_for_acks(time.perf_counter(), _RESUME_SECONDS_MAX)
    time.sleep(_QUIET_SECONDS)
    seconds = max(writer.resumed_after(killed_at, partition) for partition in range(writer.partitions))
    cluster.nodes[victim].start()
    _wait_in_sync(cluster, topic)
    return seconds


def _rolling(cluster: Cluster, topic: str, writer: Writer) -> Measures:
    """Every node stopped cleanly and started again, the next when all copies are in sync."""
    _balance(cluster, topic, writer.partitions)
    time.sleep(_QUIET_SECONDS)
    failed, began = writer.failed, time.perf_counter()
    pauses = []
    for node in cluster.nodes.values():
        stopped_at = time.perf_counter()
        node.stop()
        node.start()
        _wait_in_sync(cluster, topic)
        writer.wait_for_acks(time.perf_counter(), _RESUME_SECONDS_MAX)
        time.sleep(_QUIET_SECONDS)
        now = time.perf_counter()
        pauses += [
            writer.longest_pause(partition, stopped_at, now)[0] * 1000
            for partition in range(writer.partitions)
        ]
    return {
        "rolling_failed": float(writer.failed - failed),
        "rolling_pause_ms": percentiles(pauses)["p99"],
        "rolling_write_p99_ms": percentiles(writer.latencies_ms(began))["p99"],
        "rolling_seconds": time.perf_counter() - began,
    }


def many_partitions(cluster: Cluster, effort: Effort, say: Say) -> Measures:
    """The controller of thousands of partitions is killed: until one decides again, until all are led."""
    try:
        many = f"{effort.failover_topics * _PARTITIONS_EACH:,} partitions × {COPIES}"
        say(f"{many}: {cluster.name} creates them")
        cluster.start()
        began = time.perf_counter()
        names = [f"many-{number:04}" for number in range(effort.failover_topics)]
        _create_many(cluster, names)
        out = {"big_create_seconds": time.perf_counter() - began}
        _wait_for(cluster, names, lambda p: p.leader >= 0 and len(p.isrs) == COPIES)
        victim = cluster.controller()
        say(f"{many}: {cluster.name} loses its controller")
        time.sleep(3.0)  # what creation left to do
        killed_at = time.perf_counter()
        cluster.nodes[victim].kill()
        left = Cluster({n: node for n, node in cluster.nodes.items() if n != victim}, cluster.name)
        out["big_decides_seconds"] = _until_it_decides(left) - killed_at
        _wait_for(left, names, lambda p: p.leader not in (-1, victim))
        out["big_led_seconds"] = time.perf_counter() - killed_at
        return out
    finally:
        cluster.kill()


def _until_it_decides(cluster: Cluster) -> float:
    deadline = time.monotonic() + _RESUME_SECONDS_MAX
    while time.monotonic() < deadline:
        for port in cluster.ports:
            try:
                if wire.create_topic(port, "after", copies=2, timeout=1.0):
                    return time.perf_counter()
            except OSError:
                pass
        time.sleep(0.01)
    raise ClientFailed(f"{cluster.name}: no controller after {_RESUME_SECONDS_MAX:.0f} s")


def _create_many(cluster: Cluster, names: list[str]) -> None:
    admin = quiet_admin(cluster)
    for first in range(0, len(names), _TOPICS_PER_REQUEST):
        Topics.create_all(admin, names[first : first + _TOPICS_PER_REQUEST], _PARTITIONS_EACH, COPIES)


def _wait_for(cluster: Cluster, names: list[str], holds: Callable[..., bool]) -> None:
    """Until it is true of every partition of these topics, as clients are told."""
    admin = quiet_admin(cluster)
    deadline = time.monotonic() + _HEAL_SECONDS_MAX
    while time.monotonic() < deadline:
        try:
            found = admin.list_topics(timeout=10).topics
        except KafkaException:
            continue
        if all(name in found and all(map(holds, found[name].partitions.values())) for name in names):
            return
        time.sleep(0.05)
    raise ClientFailed(
        f"{cluster.name}: partitions are not as they should be after {_HEAL_SECONDS_MAX:.0f} s"
    )


def _leaders(cluster: Cluster, topic: str) -> list[int]:
    found = quiet_admin(cluster).list_topics(topic, timeout=20).topics[topic]
    return [partition.leader for partition in found.partitions.values()]


def _wait_in_sync(cluster: Cluster, topic: str) -> None:
    _wait_for(cluster, [topic], lambda p: len(p.isrs) == COPIES)


def _balance(cluster: Cluster, topic: str, partitions: int) -> None:
    """Leaders back to where they were at first, so that every node leads some."""
    _wait_in_sync(cluster, topic)
    wanted = [TopicPartition(topic, partition) for partition in range(partitions)]
    admin = quiet_admin(cluster)
    admin.elect_leaders(ElectionType.PREFERRED, wanted).result(30)
    _wait_for(cluster, [topic], lambda p: p.leader == p.replicas[0])
