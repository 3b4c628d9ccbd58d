"""One Spark session that runs what it is told: ``python -m bench.spark_job FORMAT JAR…``.

It takes one job per line of JSON and answers with one line. The CPU seconds are those of this
process and of all below it: the driver's JVM and the Python workers, the ones that ended included.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming import StreamingQuery

CORES = 2
_TICKS = os.sysconf("SC_CLK_TCK")
_STREAM_SECONDS_MAX = 300.0
_SETTINGS = {
    "spark.master": f"local[{CORES}]",
    "spark.ui.enabled": "false",
    "spark.log.level": "ERROR",
    "spark.sql.shuffle.partitions": str(CORES),
    "spark.sql.streaming.numRecentProgressUpdates": "10000",
}


def session(source: str, jars: list[str]) -> SparkSession:
    """The JVM's compiler and collector are as they come. For our source it is the session that we give."""
    if source == "riverlog":
        from riverlog import pipeline

        return pipeline.session("bench-riverlog", configs=_SETTINGS)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.appName(f"bench-{source}").config("spark.jars", ",".join(jars))
    for name, value in _SETTINGS.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def descendants(root: int) -> dict[int, list[str]]:
    """The fields of /proc/PID/stat behind the name, for ``root`` and all below it."""
    stats: dict[int, list[str]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stats[int(entry.name)] = (entry / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue  # it ended while we looked
    found: dict[int, list[str]] = {}
    level = {root}
    while level:
        found |= {pid: stats[pid] for pid in level if pid in stats}
        level = {pid for pid, fields in stats.items() if int(fields[1]) in level}
    return found


def tree_cpu_seconds(root: int) -> float:
    """User and system time; each process also counts those children it has buried."""
    rows = descendants(root).values()
    return sum(int(field) for fields in rows for field in fields[11:15]) / _TICKS


def python_peak(root: int) -> int:
    """The largest resident memory that any Python process below ``root`` has had. Spark keeps its workers."""
    return max((_python_peak(pid) for pid in descendants(root) if pid != root), default=0)


def _python_peak(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    fields = dict(line.split(":", 1) for line in lines)
    if not fields["Name"].strip().startswith("python") or "VmHWM" not in fields:
        return 0
    return int(fields["VmHWM"].split()[0]) * 1024


class Job:
    """Jobs over one topic at a time, from its beginning to its end."""

    def __init__(self, source: str, jars: list[str]) -> None:
        self._spark = session(source, jars)
        self._source = source

    def run(self, kind: str, options: dict[str, str], folder: str) -> dict[str, Any]:
        runs: dict[str, Callable[[dict[str, str], Path], dict[str, Any]]] = {
            "noop": self._noop,
            "parquet": self._parquet,
            "micro": self._micro,
        }
        with _scratch(Path(folder)) as place:
            cpu, wall = tree_cpu_seconds(os.getpid()), time.perf_counter()
            found = runs[kind](options, place)
            return {
                "seconds": time.perf_counter() - wall,
                "cpu": tree_cpu_seconds(os.getpid()) - cpu,
                "worker_rss": python_peak(os.getpid()),
                **found,
            }

    def count(self, options: dict[str, str]) -> dict[str, Any]:
        return {"rows": self._batch(options).count()}

    def _batch(self, options: dict[str, str]) -> DataFrame:
        return self._spark.read.format(self._source).options(**options).load()

    def _noop(self, options: dict[str, str], _: Path) -> dict[str, Any]:
        self._batch(options).write.format("noop").mode("overwrite").save()
        return {}

    def _parquet(self, options: dict[str, str], place: Path) -> dict[str, Any]:
        self._batch(options).write.parquet(str(place / "out"))
        return {}

    def _micro(self, options: dict[str, str], place: Path) -> dict[str, Any]:
        """Batch after batch until all is read; answers the milliseconds of each."""
        frame = self._spark.readStream.format(self._source).options(**options).load()
        writer = frame.writeStream.format("noop").option("checkpointLocation", str(place / "checkpoint"))
        query = writer.trigger(availableNow=True).start()
        if not query.awaitTermination(int(_STREAM_SECONDS_MAX)):
            query.stop()
            raise SystemExit(f"the stream did not end in {_STREAM_SECONDS_MAX:.0f} s")
        return {"batches": _batches(query)}


def _batches(query: StreamingQuery) -> list[tuple[int, int]]:
    rows = (json.loads(progress.json) for progress in query.recentProgress)
    return [(row["numInputRows"], row["batchDuration"]) for row in rows if row["numInputRows"]]


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the JVM prints must not come between the answers
    job = Job(sys.argv[1], sys.argv[2:])
    for line in sys.stdin:
        request = json.loads(line)
        answer = job.run(**request) if "kind" in request else job.count(**request)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
