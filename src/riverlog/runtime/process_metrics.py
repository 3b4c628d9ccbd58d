"""Metrics that only the real world knows: the process, its sockets, its disks, its loop."""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Iterator

from riverlog.base import metric_table as table
from riverlog.base.metrics import Metrics
from riverlog.broker.broker import Broker
from riverlog.env import StorageError
from riverlog.runtime.listeners import Listeners
from riverlog.runtime.loop import Loop

_LAG_SECONDS = 1.0


def watch_process(metrics: Metrics, loop: Loop, listeners: Listeners, broker: Broker) -> None:
    """Fill in the gauges that are read when someone asks, and measure the loop's lag."""
    metrics[table.CONNECTIONS].only.read = lambda: len(listeners.connections)
    metrics[table.REQUESTS_IN_FLIGHT].only.read = lambda: sum(
        connection.owner.in_flight for connection in listeners.connections
    )
    metrics[table.REQUEST_MEMORY_BYTES].only.read = lambda: listeners.request_memory_bytes
    metrics[table.FETCH_SESSIONS].only.read = lambda: len(broker.fetch_sessions)
    metrics[table.TOPICS].only.read = lambda: len(broker.metadata.image.topics)
    metrics[table.PARTITIONS].only.read = lambda: broker.metadata.image.partition_count
    metrics[table.OFFLINE_PARTITIONS].only.read = lambda: sum(
        partition.log.offline is not None for partition in broker.replicas.all()
    )
    metrics[table.METADATA_COMMITTED_OFFSET].only.read = lambda: broker.metadata.committed_offset
    metrics[table.PROCESS_RESIDENT_MEMORY_BYTES].only.read = resident_bytes
    metrics[table.START_TIME_SECONDS].only.value = time.time()
    _watch_logs(metrics, broker)
    _watch_disks(metrics, broker)
    _watch_loop(metrics, loop)


def _watch_logs(metrics: Metrics, broker: Broker) -> None:
    # Lists: a page is rendered over several turns, between which topics come and go.

    def sizes() -> Iterator[tuple[tuple[str, ...], float]]:
        for partition in list(broker.replicas.all()):
            yield (partition.topic, str(partition.index)), partition.log.size_bytes

    def segments() -> Iterator[tuple[tuple[str, ...], float]]:
        for partition in list(broker.replicas.all()):
            yield (partition.topic, str(partition.index)), len(partition.log.segments)

    def starts() -> Iterator[tuple[tuple[str, ...], float]]:
        for partition in list(broker.replicas.all()):
            yield (partition.topic, str(partition.index)), partition.log.log_start_offset

    def ends() -> Iterator[tuple[tuple[str, ...], float]]:
        for partition in list(broker.replicas.all()):
            yield (partition.topic, str(partition.index)), partition.log.log_end_offset

    metrics[table.LOG_SIZE_BYTES].collect = sizes
    metrics[table.SEGMENT_COUNT].collect = segments
    metrics[table.LOG_START_OFFSET].collect = starts
    metrics[table.LOG_END_OFFSET].collect = ends
    cleaner = broker.logs.cleaner
    totals = cleaner.totals
    metrics[table.CLEANER_RUNS].only.read = lambda: totals.runs
    metrics[table.CLEANER_BYTES_IN].only.read = lambda: totals.bytes_in
    metrics[table.CLEANER_BYTES_OUT].only.read = lambda: totals.bytes_out
    metrics[table.CLEANER_MAX_DIRTY_PERCENT].only.read = lambda: int(100 * totals.dirtiest_ratio)
    metrics[table.CLEANER_UNCLEANABLE_PARTITIONS].only.read = lambda: len(cleaner.uncleanable)


def _watch_disks(metrics: Metrics, broker: Broker) -> None:
    for log_dir in broker.logs.log_dirs:
        path = log_dir.path
        metrics[table.DISK_FREE_BYTES].child(path).read = lambda path=path: _room(broker, path)[0]
        metrics[table.DISK_TOTAL_BYTES].child(path).read = lambda path=path: _room(broker, path)[1]
        metrics[table.LOG_DIR_OFFLINE].child(path).read = lambda one=log_dir: int(not one.is_online)


def _room(broker: Broker, path: str) -> tuple[int, int]:
    try:
        return broker.disk.free_bytes(path), broker.disk.total_bytes(path)
    except StorageError:
        return 0, 0


def _watch_loop(metrics: Metrics, loop: Loop) -> None:
    lag = metrics[table.EVENT_LOOP_LAG_MS].only
    cpu = metrics[table.PROCESS_CPU_SECONDS].only

    def measure(due: float) -> None:
        now = loop.monotonic()
        lag.observe(max(0.0, now - due) * 1000)
        usage = resource.getrusage(resource.RUSAGE_SELF)
        cpu.value = usage.ru_utime + usage.ru_stime
        arm()

    def arm() -> None:
        due = loop.monotonic() + _LAG_SECONDS
        loop.call_later(_LAG_SECONDS, lambda: measure(due))

    arm()


def resident_bytes() -> int:
    """Memory of this process that is in RAM."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
