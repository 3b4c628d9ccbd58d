"""Spark's own Kafka connector: its four jars, each by name from Maven's own repository, into ``.cache/``.

Not every repository holds every version of each of them, so each is the nearest one to the installed
PySpark that can be had. Spark itself is not fetched: it lies in the PySpark package.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from bench.jars import ROOT

SPARK = "4.2"
_SCALA = "2.13"
_NEAREST = ("4.2.1", "4.2.0", "4.1.2", "4.1.1", "4.1.0", "4.1.0-preview1", "4.0.0")
_FETCH_SECONDS_MAX = 300
# The last two are those that the connector of this Spark asks for.
_WANTED: dict[str, tuple[str, ...]] = {
    f"org.apache.spark:spark-sql-kafka-0-10_{_SCALA}": _NEAREST[:2],
    f"org.apache.spark:spark-token-provider-kafka-0-10_{_SCALA}": _NEAREST,
    "org.apache.kafka:kafka-clients": ("3.9.2", "3.9.1"),
    "org.apache.commons:commons-pool2": ("2.13.1", "2.12.1"),
}


class ConnectorUnavailable(Exception):
    """The connector cannot be had here; the text says what is missing and what to do."""


def spark_connector_jars() -> list[Path]:
    """What ``spark.jars`` must name for ``format("kafka")``; fetched on first use."""
    folder = ROOT / ".cache" / f"spark-kafka-{SPARK}"
    if not folder.exists():
        _fetch_all(folder)
    return sorted(folder.glob("*.jar"))


def _fetch_all(folder: Path) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise ConnectorUnavailable(
            "Spark's Kafka connector is fetched with Maven (Debian: apt-get install maven)"
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix="spark-kafka-", suffix=".part", dir=folder.parent))
    try:
        for artifact, versions in _WANTED.items():
            if not any(_fetch(maven, f"{artifact}:{version}", work) for version in versions):
                raise ConnectorUnavailable(f"Maven has {artifact} in none of {', '.join(versions)}")
        if not folder.exists():  # somebody else may have been quicker
            work.rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _fetch(maven: str, artifact: str, folder: Path) -> bool:
    command = [maven, "-q", "-B", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={folder}"]
    try:
        done = subprocess.run(
            command, check=False, cwd=folder, capture_output=True, timeout=_FETCH_SECONDS_MAX
        )
    except subprocess.TimeoutExpired as slow:
        raise ConnectorUnavailable(f"fetching {artifact} took over {_FETCH_SECONDS_MAX} s") from slow
    return done.returncode == 0
