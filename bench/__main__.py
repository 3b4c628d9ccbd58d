"""``python -m bench``: run everything and print the tables. ``--help`` lists the options."""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import confluent_kafka
from confluent_kafka import KafkaException
from rich.console import Console
from rich.markup import escape

from bench import clusters, failover, report, scenarios
from bench.brokers import BrokerFailed, Kafka, Riverlog, port_is_free
from bench.jars import KAFKA_VERSION, ROOT, KafkaUnavailable, kafka_libs
from bench.runner import ClientFailed, Say, Target, Topics, medians, run_workload
from bench.workloads import CLUSTER_TABLES, DURABLE_TABLES, FULL, QUICK, WORKLOADS, Effort, Workload

_OWN = ("rss", "start", "many", "groups", "cluster-rss", "cluster-failover", "failover-many")
_KAFKA_CLUSTER_STEP = 10


def main() -> int:
    options = _options()
    console = Console()
    if not console.is_terminal:
        console.width = max(console.width, 100)
    effort = QUICK if options.quick else FULL
    if options.repeat:
        effort = replace(effort, repeat=options.repeat)
    chosen = [w for w in WORKLOADS if _wanted(options.only, f"{w.table}/{w.name}")]
    own = [name for name in _OWN if _wanted(options.only, name)]
    if not chosen and not own:
        names = ", ".join([f"{w.table}/{w.name}" for w in WORKLOADS] + list(_OWN))
        console.print(f"nothing is called {', '.join(options.only)}; there is: {names}")
        return 2
    busy = [port for port in (options.port, options.port + 10, options.port + 11) if not port_is_free(port)]
    if busy:
        console.print(f"port {busy[0]} is in use; choose another with --port")
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = Path(tempfile.mkdtemp(prefix="riverlog-bench-", dir=options.scratch))
    began = time.monotonic()
    try:
        results = _run(console, options, effort, chosen, own, folder)
    except (BrokerFailed, ClientFailed) as failed:
        console.print(f"[red]stopped:[/] {escape(str(failed))}")
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    rows = report.show(console, results, effort)
    path = _write(options.out, results, effort)
    console.print(f"{time.monotonic() - began:.0f} s; figures in {path}")
    return 1 if report.errors(results) or (options.strict and any(r.passed is False for r in rows)) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short repetition of everything")
    only = "workloads whose name contains this (1/ and 2/ are the tables); may be repeated"
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help=only)
    parser.add_argument("--no-kafka", action="store_true", help="riverlog alone")
    parser.add_argument("--no-riverlog", action="store_true", help="Kafka alone")
    parser.add_argument("--repeat", type=int, metavar="N", help="repetitions of each workload")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a budget does not hold")
    parser.add_argument("--port", type=int, default=19400, help="riverlog's; Kafka's are 10 and 11 above")
    parser.add_argument("--scratch", type=Path, help="where the brokers keep their data")
    parser.add_argument("--out", type=Path, default=ROOT / ".cache" / "bench", help="for the JSON results")
    return parser.parse_args()


def _wanted(only: list[str], name: str) -> bool:
    return not only or any(part in name for part in only)


def _run(
    console: Console,
    options: argparse.Namespace,
    effort: Effort,
    chosen: list[Workload],
    own: list[str],
    folder: Path,
) -> dict[str, Any]:
    makers = _makers(console, options, folder)
    load = os.getloadavg()[0]
    if load > 0.5:
        console.print(f"[yellow]the machine is busy (load {load:.1f}): figures will be low and uneven[/]")
    results: dict[str, Any] = {"own": {name: {} for name in makers}}
    deadline = time.monotonic() + effort.seconds_max
    with console.status("starting") as status:
        say: Say = lambda text: status.update(escape(text))  # noqa: E731
        alone = [workload for workload in chosen if workload.table not in CLUSTER_TABLES]
        together = [workload for workload in chosen if workload.table in CLUSTER_TABLES]
        for name, make in makers.items() if "start" in own else ():
            with _told(results, name, "start-up"):
                results["own"][name] |= medians(scenarios.start_up(make, name, say, effort.repeat))
        if alone or "rss" in own:
            brokers = {name: make("main") for name, make in makers.items()}
            _run_workloads(console, brokers, effort, alone, results, say, deadline=deadline)
        for name, make in makers.items() if "many" in own else ():
            if name == "Kafka" and time.monotonic() > deadline + effort.grace_seconds:
                console.print(f"  {effort.topics:,} topics on Kafka: left out, the time is over")
                continue
            with _told(results, name, "many topics"):
                results["own"][name] |= scenarios.many_topics(make("many"), effort, say)
            shutil.rmtree(folder / name.lower() / "many", ignore_errors=True)
        for name, make in makers.items() if "groups" in own else ():
            if name == "Kafka" and time.monotonic() > deadline + effort.grace_seconds:
                console.print(f"  {effort.groups:,} groups on Kafka: left out, the time is over")
                continue
            with _told(results, name, "groups"):
                results["own"][name] |= scenarios.groups(make("groups"), effort, say)
        _run_clusters(console, options, effort, together, own, folder, results, say)
    return results


def _run_clusters(
    console: Console,
    options: argparse.Namespace,
    effort: Effort,
    chosen: list[Workload],
    own: list[str],
    folder: Path,
    results: dict[str, Any],
    say: Say,
) -> None:
    """Three nodes of each kind. Their time is not part of the deadline of the others."""
    port = options.port + 1000
    makers: dict[str, clusters.MakeCluster] = {}
    if "riverlog" in results["own"]:
        makers["riverlog"] = lambda label: clusters.riverlog_cluster(folder / "riverlog" / label, port)
    if "Kafka" in results["own"]:
        libs = kafka_libs()
        kafka_port = port + _KAFKA_CLUSTER_STEP
        makers["Kafka"] = lambda label: clusters.kafka_cluster(folder / "kafka" / label, kafka_port, libs)
    if chosen or "cluster-rss" in own:
        targets = {name: make("cluster") for name, make in makers.items()}
        _run_workloads(console, targets, effort, chosen, results, say, deadline=math.inf)
    for measure, run in (
        ("cluster-failover", failover.failover),
        ("failover-many", failover.many_partitions),
    ):
        for name, make in makers.items() if measure in own else ():
            with _told(results, name, measure):
                results["own"][name] |= run(make(measure), effort, say)
            shutil.rmtree(folder / name.lower() / measure, ignore_errors=True)


def _makers(console: Console, options: argparse.Namespace, folder: Path) -> dict[str, scenarios.Make]:
    makers: dict[str, scenarios.Make] = {}
    if not options.no_riverlog:
        makers["riverlog"] = scenarios.fresh(Riverlog, folder / "riverlog", options.port)
    if not options.no_kafka:
        try:
            with console.status("looking for Kafka's jars"):
                libs = kafka_libs()
            kafka = lambda where, port: Kafka(where, port, libs)  # noqa: E731
            makers["Kafka"] = scenarios.fresh(kafka, folder / "kafka", options.port + 10)
        except KafkaUnavailable as missing:
            console.print(f"Apache Kafka {KAFKA_VERSION} is not compared: {escape(str(missing))}")
    return makers


@contextmanager
def _told(results: dict[str, Any], name: str, what: str) -> Iterator[None]:
    """A scenario that fails is told in the report; the others go on."""
    try:
        yield
    except (BrokerFailed, ClientFailed, KafkaException) as failed:
        results[what] = {name: {"error": str(failed)}}


def _run_workloads(
    console: Console,
    brokers: Mapping[str, Target],
    effort: Effort,
    chosen: list[Workload],
    results: dict[str, Any],
    say: Say,
    *,
    deadline: float,
) -> None:
    try:
        for broker in brokers.values():
            say(f"starting {broker.name}")
            broker.start()
        topics = {name: Topics(broker) for name, broker in brokers.items()}
        for name, broker in brokers.items():
            # Also what warms both up: Kafka's compiler needs some traffic first.
            say(f"traffic through {name}")
            results["own"][name] |= scenarios.traffic(broker, topics[name], effort)
        for workload in chosen:
            if workload.table in DURABLE_TABLES and time.monotonic() > deadline:
                console.print(f"  {workload.title} (table {workload.table}): left out, the time is over")
                continue
            found = run_workload(workload, effort, list(brokers.values()), topics, say, deadline=deadline)
            results[f"{workload.table}/{workload.name}"] = found
            rates = (f"{name} {part['median'].get('rate', 0):,.0f}/s" for name, part in found.items())
            console.print(f"  {workload.title} (table {workload.table}): {', '.join(rates)}", highlight=False)
        for name, broker in brokers.items():
            results["own"][name] |= scenarios.memory(broker, "end")
            broker.stop()
    finally:
        for broker in brokers.values():
            broker.kill()


def _write(folder: Path, results: dict[str, Any], effort: Effort) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC)
    document = {
        "when": now.isoformat(timespec="seconds"),
        "cores": os.cpu_count(),
        "platform": platform.platform(),
        "python": platform.python_version(),
        "librdkafka": confluent_kafka.libversion()[0],
        "kafka": KAFKA_VERSION,
        "repeat": effort.repeat,
        "topics": effort.topics,
        "groups": effort.groups,
        "results": results,
    }
    path = folder / f"{now:%Y%m%d-%H%M%S}.json"
    path.write_text(json.dumps(document, indent=1))
    return path


if __name__ == "__main__":
    sys.exit(main())
