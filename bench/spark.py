"""``python -m bench.spark``: riverlog's Spark source beside Spark's own Kafka connector, on one broker."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from bench.brokers import BrokerFailed, Riverlog, cpu_seconds, port_is_free
from bench.jars import ROOT
from bench.report import Row, table
from bench.runner import ClientFailed, Measures, medians
from bench.spark_jars import ConnectorUnavailable, spark_connector_jars
from bench.spark_topics import Topic, fill
from bench.workloads import Budget

OURS, THEIRS = "riverlog", "kafka"
MICRO_ROWS = 40_000
_MICRO_WARM = 5
"""Batches at the start of a stream that are not counted."""
_CALL_SECONDS_MAX = 600.0


@dataclass(frozen=True)
class Work:
    """One job over one topic; ``budgets`` by the name of a measure."""

    name: str
    title: str
    kind: str
    topic: str
    budgets: dict[str, Budget]
    shown: tuple[str, ...]
    options: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Effort:
    repeat: int
    part: float
    """Of the records of each topic."""
    warm: int
    """Passes before those that count: the JVM compiles what runs often."""


TOPICS = {
    "100b": Topic("spark-100b", 100, 4_000_000),
    "1kb": Topic("spark-1kb", 1024, 1_000_000),
    "1mb": Topic("spark-1mb", 1_000_000, 1_000),
}
_RATES = ("rows_per_cpu", "rows_rate", "broker_cpu_per_million")
_MICRO = {"maxOffsetsPerTrigger": str(MICRO_ROWS)}


def _at_least(low: float) -> dict[str, Budget]:
    return {"rows_per_cpu": Budget(low=low)}


WORKS = [
    Work("noop-100b", "100 B → noop", "noop", "100b", _at_least(2.0), _RATES),
    Work("noop-1kb", "1 KB → noop", "noop", "1kb", _at_least(1.5), _RATES),
    Work("parquet-100b", "100 B → Parquet", "parquet", "100b", _at_least(1.2), _RATES),
    Work("parquet-1kb", "1 KB → Parquet", "parquet", "1kb", {}, _RATES),
    Work(
        "micro",
        f"micro-batches of {MICRO_ROWS:,} rows of 100 B → noop",
        "micro",
        "100b",
        {"micro_p50_ms": Budget(high=250, ratio=False)},
        ("micro_p50_ms", "micro_p95_ms", "rows_per_cpu"),
        {**_MICRO, "startingOffsets": "earliest"},
    ),
    Work(
        "memory",
        "records of 1 MB → noop",
        "noop",
        "1mb",
        {"worker_rss_mb": Budget(high=400, ratio=False)},
        ("worker_rss_mb", "mb_per_cpu"),
    ),
]
FULL = Effort(repeat=5, part=1.0, warm=2)
QUICK = Effort(repeat=1, part=0.1, warm=1)


class Side:
    """One source in a Spark of its own, driven by lines of JSON."""

    def __init__(self, source: str, jars: Sequence[Path]) -> None:
        self.source = source
        command = [sys.executable, "-m", "bench.spark_job", source, *map(str, jars)]
        self._said = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed with the process)
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=self._said, text=True
        )

    def call(self, **request: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise ClientFailed(f"{self.source}: {self._last_words()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """Spark ends when its input does."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(_CALL_SECONDS_MAX / 10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._said.close()

    def _last_words(self) -> str:
        self._process.wait()
        self._said.seek(0)
        lines = [line for line in self._said.read().splitlines() if line.strip()]
        return " | ".join(lines[-3:]) or "it ended without a word"


class Comparison:
    """Both sides on one broker, taking turns."""

    def __init__(self, console: Console, broker: Riverlog, sides: Sequence[Side], folder: Path) -> None:
        self._console = console
        self._broker = broker
        self._sides = sides
        self._folder = folder
        self._held: dict[str, int] = {}
        self._jobs = 0

    def run(self, work: Work, effort: Effort) -> dict[str, Any]:
        topic = TOPICS[work.topic]
        if work.topic not in self._held:
            scaled = replace(topic, records=max(1, int(topic.records * effort.part)))
            self._held[work.topic] = fill(self._broker.bootstrap, scaled)
        runs: dict[str, list[Measures]] = {side.source: [] for side in self._sides}
        for turn in range(-effort.warm, effort.repeat):
            for side in self._sides if turn % 2 else self._sides[::-1]:
                found = self._once(side, work)
                if turn >= 0:
                    runs[side.source].append(found)
        medians_of = {source: medians(each) for source, each in runs.items()}
        rates = (f"{name} {each['rows_per_cpu']:,.0f}" for name, each in medians_of.items())
        self._console.print(f"  {work.title}: rows per CPU second: {', '.join(rates)}", highlight=False)
        return {source: {"median": medians_of[source], "runs": each} for source, each in runs.items()}

    def check(self, work: Work) -> None:
        """Both see each record once."""
        for side in self._sides:
            rows = side.call(options=self._options(work))["rows"]
            if rows != self._held[work.topic]:
                raise ClientFailed(f"{side.source} sees {rows} of {self._held[work.topic]} records")

    def _once(self, side: Side, work: Work) -> Measures:
        self._jobs += 1
        folder = self._folder / f"job-{self._jobs}"
        before = cpu_seconds(self._broker.pid)
        found = side.call(kind=work.kind, options=self._options(work), folder=str(folder))
        broker_cpu = cpu_seconds(self._broker.pid) - before
        return measures(found, self._held[work.topic], TOPICS[work.topic].value_bytes, broker_cpu)

    def _options(self, work: Work) -> dict[str, str]:
        servers = {"kafka.bootstrap.servers": self._broker.bootstrap}
        return {**servers, "subscribe": TOPICS[work.topic].name, **work.options}


def measures(found: dict[str, Any], rows: int, value_bytes: int, broker_cpu: float) -> Measures:
    out = {
        "rows_per_cpu": rows / found["cpu"],
        "rows_rate": rows / found["seconds"],
        "mb_per_cpu": rows * value_bytes / 1e6 / found["cpu"],
        "broker_cpu_per_million": broker_cpu / rows * 1e6,
        "worker_rss_mb": found["worker_rss"] / 1e6,
    }
    if "batches" in found:
        # Shares of partitions are rounded, and the last batch is what is left.
        full = [ms for count, ms in found["batches"] if count > 0.9 * MICRO_ROWS][_MICRO_WARM:]
        if len(full) < 2:
            raise ClientFailed(f"only {len(full)} batches of {MICRO_ROWS} rows after the first {_MICRO_WARM}")
        out["micro_p50_ms"] = statistics.median(full)
        out["micro_p95_ms"] = statistics.quantiles(full, n=20, method="inclusive")[-1]
    return out


def rows_of(results: dict[str, Any]) -> list[Row]:
    rows = []
    for work in WORKS:
        if work.name not in results:
            continue
        ours, theirs = (results[work.name].get(side, {}).get("median", {}) for side in (OURS, THEIRS))
        for measure in work.shown:
            budget = work.budgets.get(measure)
            rows.append(Row(work.title, measure, ours.get(measure), theirs.get(measure), budget))
    return rows


def main() -> int:
    options = _options()
    console = Console()
    if not console.is_terminal:
        console.width = max(console.width, 110)
    effort = QUICK if options.quick else FULL
    if options.repeat:
        effort = replace(effort, repeat=options.repeat)
    chosen = [work for work in WORKS if not options.only or any(part in work.name for part in options.only)]
    if not chosen:
        console.print(f"nothing is called {', '.join(options.only)}; there is: {', '.join(_names())}")
        return 2
    if not port_is_free(options.port):
        console.print(f"port {options.port} is in use; choose another with --port")
        return 2
    began = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="riverlog-bench-spark-", dir=options.scratch))
    try:
        results = _run(console, options, effort, chosen, folder)
    except (BrokerFailed, ClientFailed) as failed:
        console.print(f"[red]stopped:[/] {escape(str(failed))}")
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    rows = rows_of(results)
    console.print(table("Spark on riverlog: Python source and JVM connector", rows, other="JVM connector"))
    path = _write(options.out, results, effort)
    console.print(f"{time.monotonic() - began:.0f} s; figures in {path}")
    return 1 if options.strict and any(row.passed is False for row in rows) else 0


def _run(
    console: Console, options: argparse.Namespace, effort: Effort, chosen: list[Work], folder: Path
) -> dict[str, Any]:
    if os.getloadavg()[0] > 0.5:
        console.print(f"[yellow]the machine is busy (load {os.getloadavg()[0]:.1f}): figures are uneven[/]")
    results: dict[str, Any] = {}
    with ExitStack() as stack:
        broker = Riverlog(folder / "broker", options.port)
        broker.start()
        stack.callback(broker.kill)
        sides = []
        if not options.no_riverlog:
            sides.append(Side(OURS, []))
            stack.callback(sides[-1].close)
        if not options.no_jvm:
            try:
                sides.append(Side(THEIRS, spark_connector_jars()))
                stack.callback(sides[-1].close)
            except ConnectorUnavailable as missing:
                console.print(f"the JVM connector is not compared: {escape(str(missing))}")
        comparison = Comparison(console, broker, sides, folder)
        for work in chosen:
            results[work.name] = comparison.run(work, effort)
            if work.kind != "micro":
                comparison.check(work)
    return results


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.spark", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one repetition over a tenth of the records")
    only = f"workloads whose name contains this ({', '.join(_names())}); may be repeated"
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help=only)
    parser.add_argument("--repeat", type=int, metavar="N", help="repetitions of each workload")
    parser.add_argument("--no-jvm", action="store_true", help="riverlog's source alone")
    parser.add_argument("--no-riverlog", action="store_true", help="the JVM connector alone")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a budget does not hold")
    parser.add_argument("--port", type=int, default=19480, help="the broker's")
    parser.add_argument("--scratch", type=Path, help="where broker and Spark keep their data")
    parser.add_argument("--out", type=Path, default=ROOT / ".cache" / "bench", help="for the JSON results")
    return parser.parse_args()


def _names() -> list[str]:
    return [work.name for work in WORKS]


def _write(folder: Path, results: dict[str, Any], effort: Effort) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC)
    document = {
        "when": now.isoformat(timespec="seconds"),
        "cores": os.cpu_count(),
        "repeat": effort.repeat,
        "part": effort.part,
        "results": results,
    }
    path = folder / f"spark-{now:%Y%m%d-%H%M%S}.json"
    path.write_text(json.dumps(document, indent=1))
    return path


if __name__ == "__main__":
    sys.exit(main())
