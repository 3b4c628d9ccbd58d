"""Apache Kafka's jars, by name, from Maven's own repository into ``.cache/``.

``KAFKA_LIBS`` names a folder that already holds them. Nothing here is needed to run riverlog.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

KAFKA_VERSION = "4.3.1"
ROOT = Path(__file__).resolve().parent.parent
_FETCH_SECONDS_MAX = 600

_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>riverlog</groupId><artifactId>kafka-for-comparison</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>{v}</version></dependency>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-tools</artifactId><version>{v}</version></dependency>
  </dependencies>
</project>
"""


class KafkaUnavailable(Exception):
    """Kafka cannot be had here; the text says what is missing and what to do."""


def kafka_libs() -> Path:
    """The folder with Kafka's jars, fetched on first use."""
    given = os.environ.get("KAFKA_LIBS")
    if given:
        if not _is_complete(Path(given)):
            raise KafkaUnavailable(f"KAFKA_LIBS={given} does not hold kafka_2.13-{KAFKA_VERSION}.jar")
        return Path(given)
    if shutil.which("java") is None:
        raise KafkaUnavailable("no java on PATH (Debian: apt-get install default-jre-headless)")
    folder = ROOT / ".cache" / f"kafka-{KAFKA_VERSION}"
    if not _is_complete(folder):
        _fetch(folder)
    return folder


def _is_complete(folder: Path) -> bool:
    return (folder / f"kafka_2.13-{KAFKA_VERSION}.jar").exists()


def _fetch(folder: Path) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise KafkaUnavailable("Kafka's jars are fetched with Maven (Debian: apt-get install maven)")
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix="kafka-", suffix=".part", dir=folder.parent))
    (work / "pom.xml").write_text(_POM.format(v=KAFKA_VERSION))
    command = [maven, "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=libs"]
    try:
        done = subprocess.run(
            command, check=False, cwd=work, capture_output=True, text=True, timeout=_FETCH_SECONDS_MAX
        )
    except subprocess.TimeoutExpired as slow:
        raise KafkaUnavailable(f"fetching Kafka's jars took over {_FETCH_SECONDS_MAX} s") from slow
    if done.returncode != 0 or not _is_complete(work / "libs"):
        lines = (done.stdout + done.stderr).strip().splitlines()
        raise KafkaUnavailable(f"fetching Kafka's jars failed: {lines[0] if lines else 'no output'}")
    if not folder.exists():  # somebody else may have been quicker
        (work / "libs").rename(folder)
    shutil.rmtree(work, ignore_errors=True)
