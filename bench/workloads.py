"""What is measured, with which budget: one row here is one workload of the report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

FAST, DURABLE, CLUSTER_FAST, CLUSTER_DURABLE = 1, 2, 3, 4
DURABLE_TABLES = (DURABLE, CLUSTER_DURABLE)
CLUSTER_TABLES = (CLUSTER_FAST, CLUSTER_DURABLE)
TABLES = {
    FAST: "Table 1: acks=1, riverlog with ack.after.fsync=false, Kafka with its defaults",
    DURABLE: "Table 2 (no budget): acks=all, riverlog with ack.after.fsync=true, Kafka with flush.messages=1",
    CLUSTER_FAST: "Table 3, three nodes, 3 copies, acks=all: ack.after.fsync=false, Kafka with its defaults",
    CLUSTER_DURABLE: "Table 4, the same: ack.after.fsync=true, Kafka with flush.messages=1",
}
PARTITIONS = 4
CLUSTER_PARTITIONS = 6
"""Two for each node to lead."""
KB16, MB1 = 16_384, 1_000_000


@dataclass(frozen=True)
class Budget:
    """A bound on the ratio riverlog / Kafka (``ratio``) or on riverlog's own figure."""

    low: float | None = None
    high: float | None = None
    ratio: bool = True

    def holds(self, figure: float) -> bool:
        return (self.low is None or figure >= self.low) and (self.high is None or figure <= self.high)

    def __str__(self) -> str:
        sign, bound = ("≥", self.low) if self.low is not None else ("≤", self.high)
        return f"{sign} {bound:g}{' ×' if self.ratio else ''}"


@dataclass(frozen=True)
class Workload:
    """One client program with its parameters; ``budgets`` by the name of a measure."""

    name: str
    title: str
    program: str
    params: dict[str, Any]
    budgets: dict[str, Budget] = field(default_factory=dict)
    table: int = FAST
    fill_records: int = 0  # consume: records put in place before the first repetition


_PRODUCE = {"rate": Budget(low=1.2), "cpu_per_million": Budget(high=0.6)}
_CONSUME = {"rate": Budget(low=0.95), "cpu_per_million": Budget(high=0.9)}


def _bulk(table: int) -> list[Workload]:
    rows = []
    for value_bytes in (100, 1024):
        for batch_bytes, label in ((KB16, "16 KB"), (MB1, "1 MB")):
            size = "100 B" if value_bytes == 100 else "1 KB"
            rows.append(
                Workload(
                    name=f"produce-{size}-{label}".replace(" ", "").lower(),
                    title=f"produce {size}, {label} batches",
                    program="produce",
                    params={"value_bytes": value_bytes, "batch_bytes": batch_bytes, "partitions": PARTITIONS},
                    budgets=_PRODUCE if table == FAST else {},
                    table=table,
                )
            )
    return rows


def _consume() -> list[Workload]:
    rows = []
    for value_bytes, label, records in ((100, "100 B", 6_000_000), (1024, "1 KB", 1_500_000)):
        params = {"value_bytes": value_bytes, "batch_bytes": MB1, "partitions": PARTITIONS}
        name = f"consume-{label}".replace(" ", "").lower()
        rows.append(Workload(name, f"consume {label}", "consume", params, _CONSUME, FAST, records))
    return rows


def _single(table: int) -> list[Workload]:
    shapes = (
        ("requests-1", "one-record requests, 1 connection", 1, 1, None),
        ("requests-50", "one-record requests, 50 connections", 50, 1, Budget(low=1.0)),
        ("requests-50x8", "one-record requests, 50 × 8 in flight", 50, 8, Budget(low=1.0)),
    )
    rows = []
    for name, title, connections, in_flight, budget in shapes:
        params: dict[str, Any] = {
            "value_bytes": 100,
            "connections": connections,
            "in_flight": in_flight,
            "partitions": 10,
        }
        budgets = {"rate": budget} if budget and table == FAST else {}
        rows.append(Workload(name, title, "requests", params, budgets, table))
    queue = 20_000 if table == FAST else 1_000  # with an fsync each the rest drains slowly
    params = {  # librdkafka told to send each record by itself
        "value_bytes": 100,
        "batch_bytes": KB16,
        "partitions": PARTITIONS,
        "config": {"batch.num.messages": 1, "linger.ms": 0, "queue.buffering.max.messages": queue},
    }
    rows.append(Workload("rdkafka-1", "librdkafka, one record per request", "produce", params, {}, table))
    return rows


def _latency(table: int) -> list[Workload]:
    budgets = {"p99": Budget(high=0.7)} if table == FAST else {}
    return [
        Workload(
            f"e2e-{rate}",
            f"end to end at {rate:,}/s",
            "latency",
            {"value_bytes": 100, "rate": rate, "partitions": PARTITIONS},
            budgets,
            table,
        )
        for rate in (1000, 5000)
    ]


def _cluster(table: int) -> list[Workload]:
    rows = []
    for value_bytes, label in ((100, "100 B"), (1024, "1 KB")):
        params = {"value_bytes": value_bytes, "batch_bytes": KB16, "partitions": CLUSTER_PARTITIONS}
        name = f"cluster-produce-{label}".replace(" ", "").lower()
        title = f"cluster: produce {label}, 16 KB batches"
        rows.append(Workload(name, title, "produce", params, {"rate": Budget(low=1.5)}, table))
    params = {"value_bytes": 100, "rate": 1000, "partitions": CLUSTER_PARTITIONS}
    budgets = {"p99": Budget(high=0.5)}
    return [
        *rows,
        Workload("cluster-e2e-1000", "cluster: end to end at 1,000/s", "latency", params, budgets, table),
    ]


def _transactions(table: int) -> list[Workload]:
    """One producer, 100 records of 100 B in each transaction: in one partition, or spread over all."""
    cluster = table in CLUSTER_TABLES
    partitions = CLUSTER_PARTITIONS if cluster else PARTITIONS
    rows = []
    for touched, label in ((1, "one partition"), (partitions, f"{partitions} partitions")):
        params = {
            "value_bytes": 100,
            "batch_bytes": KB16,
            "partitions": partitions,
            "records_each": 100,
            "partitions_each": touched,
            "acks": -1,
        }
        name = f"{'cluster-' if cluster else ''}txn-{touched}"
        title = f"{'cluster: ' if cluster else ''}transactions of 100 records in {label}"
        rows.append(Workload(name, title, "transactions", params, {"rate": Budget(low=1.0)}, table))
    return rows


WORKLOADS = [
    *_bulk(FAST),
    *_consume(),
    *_single(FAST),
    *_latency(FAST),
    *_transactions(FAST),
    *_bulk(DURABLE),
    *_single(DURABLE),
    *_latency(DURABLE),
    *_cluster(CLUSTER_FAST),
    *_transactions(CLUSTER_FAST),
    *_cluster(CLUSTER_DURABLE),
]

# Figures of the broker itself; see ``scenarios``.
OWN_BUDGETS = {
    "rss_after_1gb_mb": Budget(high=120, ratio=False),
    "start_seconds": Budget(high=0.5, ratio=False),
    "many_start_clean_seconds": Budget(high=10, ratio=False),
    "many_idle_cpu_percent": Budget(high=5, ratio=False),
    "groups_first_join_ms": Budget(high=200, ratio=False),
    "groups_rebalance_seconds": Budget(high=2, ratio=False),
    "groups_classic_p99_ms": Budget(high=20, ratio=False),
    "groups_classic_rss_mb": Budget(high=300, ratio=False),
    "groups_consumer_p99_ms": Budget(high=20, ratio=False),
    "groups_consumer_rss_mb": Budget(high=300, ratio=False),
    "cluster_rss_traffic_mb": Budget(high=300, ratio=False),
    "cluster_rss_end_mb": Budget(high=300, ratio=False),
    "failover_leader_seconds": Budget(high=3, ratio=False),
    "failover_controller_seconds": Budget(high=3, ratio=False),
    "rolling_failed": Budget(high=0, ratio=False),
    "rolling_pause_ms": Budget(high=500, ratio=False),
    "big_decides_seconds": Budget(high=5, ratio=False),
    "big_led_seconds": Budget(high=5, ratio=False),
}


@dataclass(frozen=True)
class Effort:
    """How long things run: ``full`` stays under 15 minutes with Kafka, ``quick`` under 3."""

    repeat: int
    seconds: float
    warm_seconds: float
    latency_seconds: float
    durable_seconds: float
    fill_part: float
    traffic_bytes: int
    topics: int
    idle_seconds: float
    grace_seconds: float  # past seconds_max and this, Kafka's many topics are left out too
    seconds_max: float  # past this table 1 runs once each, table 2 is left out
    groups: int
    rebalance_members: int
    beat_seconds: float
    failovers: int
    failover_topics: int  # of ten partitions each


FULL = Effort(3, 2.5, 0.7, 5.0, 1.5, 1.0, 1 << 30, 1000, 10.0, 120.0, 480.0, 1000, 500, 15.0, 3, 1000)
QUICK = Effort(1, 1.0, 0.3, 1.5, 0.5, 0.2, 1 << 28, 100, 2.0, 20.0, 110.0, 50, 100, 3.0, 1, 100)
