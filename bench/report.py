"""The table people read, and the JSON that keeps the figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.workloads import OWN_BUDGETS, TABLES, WORKLOADS, Budget, Effort

# measure -> (label, format); the order is the order of the rows
_LABELS = {
    "rate": ("messages/s", "{:,.0f}"),
    "transactions_rate": ("transactions/s", "{:,.0f}"),
    "mb_per_second": ("MB/s", "{:,.1f}"),
    "cpu_per_million": ("broker CPU s / M messages", "{:,.2f}"),
    "cpu_per_gb": ("broker CPU s / GB", "{:,.2f}"),
    "p50": ("p50 ms", "{:.2f}"),
    "p99": ("p99 ms", "{:.2f}"),
    "p99.9": ("p99.9 ms", "{:.2f}"),
    "rss_idle_mb": ("RSS after start, MB", "{:,.0f}"),
    "rss_after_1gb_mb": ("RSS after 1 GB traffic, MB", "{:,.0f}"),
    "rss_end_mb": ("RSS after the whole run, MB", "{:,.0f}"),
    "start_seconds": ("start to first answer, s", "{:.2f}"),
    "many_create_seconds": ("create all, s", "{:.2f}"),
    "many_idle_cpu_percent": ("idle CPU, % of a core", "{:.1f}"),
    "many_rss_mb": ("RSS, MB", "{:,.0f}"),
    "many_stop_seconds": ("clean stop, s", "{:.2f}"),
    "many_start_clean_seconds": ("start after a clean stop, s", "{:.2f}"),
    "many_start_unclean_seconds": ("start after kill -9, s", "{:.2f}"),
    "cluster_rss_idle_mb": ("RSS of the three after start, MB", "{:,.0f}"),
    "cluster_rss_traffic_mb": ("RSS of the three after traffic, MB", "{:,.0f}"),
    "cluster_rss_end_mb": ("RSS of the three after the whole run, MB", "{:,.0f}"),
    "failover_idle_p99_ms": ("undisturbed writes, p99 ms", "{:.1f}"),
    "failover_leader_seconds": ("leader killed: writes resume, s", "{:.2f}"),
    "failover_leader_seconds_max": ("  worst, s", "{:.2f}"),
    "failover_controller_seconds": ("active controller killed: writes resume, s", "{:.2f}"),
    "failover_controller_seconds_max": ("  worst, s", "{:.2f}"),
    "failover_failed": ("failed writes", "{:.0f}"),
    "rolling_failed": ("rolling restart: failed writes", "{:.0f}"),
    "rolling_pause_ms": ("rolling restart: p99 pause of a partition, ms", "{:.0f}"),
    "rolling_write_p99_ms": ("rolling restart: p99 of a write, ms", "{:.1f}"),
    "rolling_seconds": ("rolling restart: all three, s", "{:.1f}"),
    "big_create_seconds": ("create all, s", "{:.1f}"),
    "big_decides_seconds": ("controller killed: the next one decides, s", "{:.2f}"),
    "big_led_seconds": ("controller killed: all partitions led, s", "{:.2f}"),
    "groups_first_join_ms": ("first join, with the internal topic, ms", "{:.0f}"),
    "groups_rebalance_seconds": ("rebalance, last join to last sync, s", "{:.3f}"),
    **{
        f"groups_{protocol}_{measure}": (f"{protocol} {label}", form)
        for protocol in ("classic", "consumer")
        for measure, label, form in (
            ("p50_ms", "heartbeat p50 ms", "{:.2f}"),
            ("p99_ms", "heartbeat p99 ms", "{:.2f}"),
            ("max_ms", "heartbeat max ms", "{:.2f}"),
            ("cpu_percent", "CPU, % of a core", "{:.1f}"),
            ("rss_mb", "RSS, MB", "{:,.0f}"),
        )
    },
    "rows_per_cpu": ("rows / CPU s of Spark", "{:,.0f}"),
    "rows_rate": ("rows/s", "{:,.0f}"),
    "mb_per_cpu": ("MB / CPU s of Spark", "{:,.0f}"),
    "broker_cpu_per_million": ("broker CPU s / M rows", "{:,.2f}"),
    "micro_p50_ms": ("batch p50 ms", "{:,.0f}"),
    "micro_p95_ms": ("batch p95 ms", "{:,.0f}"),
    "worker_rss_mb": ("largest Python worker, MB", "{:,.0f}"),
}
_BULK = ("rate", "mb_per_second", "cpu_per_million", "cpu_per_gb")
_SHOWN = {
    "produce": _BULK,
    "consume": _BULK,
    "requests": ("rate", "cpu_per_million", "p50", "p99"),
    "transactions": ("rate", "transactions_rate", "p50", "p99", "cpu_per_million"),
    "latency": ("p50", "p99", "p99.9", "cpu_per_million"),
}


@dataclass(frozen=True)
class Row:
    """One line of the report."""

    group: str
    measure: str
    ours: float | None
    kafka: float | None
    budget: Budget | None

    @property
    def ratio(self) -> float | None:
        return self.ours / self.kafka if self.ours is not None and self.kafka else None

    @property
    def passed(self) -> bool | None:
        """None where there is no budget, or Kafka is missing for the ratio."""
        figure = self.ratio if self.budget and self.budget.ratio else self.ours
        return None if self.budget is None or figure is None else self.budget.holds(figure)


def rows_of_table(results: dict[str, Any], table: int) -> list[Row]:
    rows = []
    for workload in WORKLOADS:
        result = results.get(f"{table}/{workload.name}")
        if workload.table != table or result is None:
            continue
        ours, kafka = (result.get(name, {}).get("median", {}) for name in ("riverlog", "Kafka"))
        for measure in _SHOWN[workload.program]:
            budget = workload.budgets.get(measure)
            rows.append(Row(workload.title, measure, ours.get(measure), kafka.get(measure), budget))
    return rows


def rows_of_own(results: dict[str, Any], effort: Effort) -> list[Row]:
    rows = []
    groups = {
        "cluster": "cluster: memory",
        "failover": "cluster: a write each 10 ms to six partitions",
        "rolling": "cluster: a write each 10 ms to six partitions",
        "big": f"cluster: {effort.failover_topics * 10:,} partitions × 3",
        "many": f"{effort.topics:,} topics × 10",
        "groups": f"{effort.groups:,} groups × 10, a rebalance of {effort.rebalance_members}",
    }
    ours, kafka = (results.get("own", {}).get(name, {}) for name in ("riverlog", "Kafka"))
    for measure in _LABELS:
        if measure in ours or measure in kafka:
            group = groups.get(measure.partition("_")[0], "memory and start-up")
            rows.append(Row(group, measure, ours.get(measure), kafka.get(measure), OWN_BUDGETS.get(measure)))
    return rows


def errors(results: dict[str, Any]) -> list[str]:
    found = []
    for name, result in results.items():
        for broker, part in result.items():
            if isinstance(part, dict) and part.get("error"):
                found.append(f"{name}, {broker}: {part['error']}")
    return found


def show(console: Console, results: dict[str, Any], effort: Effort) -> list[Row]:
    """Print all tables; answers the rows."""
    everything: list[Row] = []
    parts = [(title, rows_of_table(results, number)) for number, title in TABLES.items()]
    parts.append(("The broker itself", rows_of_own(results, effort)))
    for title, rows in parts:
        if rows:
            console.print(table(title, rows))
            everything += rows
    for line in errors(results):
        console.print(f"[red]failed[/] {line}")
    judged = [row for row in everything if row.passed is not None]
    missed = [row for row in judged if not row.passed]
    if judged:
        colour = "red" if missed else "green"
        console.print(f"[{colour}]{len(judged) - len(missed)} of {len(judged)} budgets hold[/]")
    return everything


def table(title: str, rows: list[Row], *, other: str = "Kafka") -> Table:
    """``other`` is what riverlog is compared with."""
    out = Table(title=title, title_justify="left", title_style="bold", header_style="bold")
    out.add_column("workload and measure", no_wrap=True)
    for name in ("riverlog", other, "ratio", "budget", ""):
        out.add_column(name, justify="right", no_wrap=True)
    previous = ""
    for row in rows:
        if row.group != previous:
            out.add_section()
            out.add_row(f"[bold]{row.group}[/]")
        label, form = _LABELS[row.measure]
        verdict = {None: "", True: "[green]pass[/]", False: "[red]FAIL[/]"}[row.passed]
        out.add_row(
            f"  {label}",
            form.format(row.ours) if row.ours is not None else "–",
            form.format(row.kafka) if row.kafka is not None else "–",
            f"{row.ratio:.2f}" if row.ratio is not None else "–",
            str(row.budget) if row.budget else "",
            verdict,
        )
        previous = row.group
    return out
