"""A data folder written by Apache Kafka is served record for record.

With Apache Kafka as the target it opens its own folder again: that checks the comparison itself.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from clientkit import folders, rdkafka
from clientkit.java import JavaTools
from clientkit.samples import same, samples
from clientkit.servers import Kafka, Riverlog, Server, ServerFailed

# Few records between metadata snapshots: what is opened has snapshots and a log behind them.
SETTINGS = {
    "metadata.log.max.record.bytes.between.snapshots": "3000",
    "metadata.log.max.snapshot.interval.ms": "1000",
}


@dataclass
class Written:
    folder: Path
    kafka: Kafka
    view: dict[str, folders.TopicView]
    killed: bool


@pytest.fixture(
    scope="module", params=["standalone", "initial-controllers", "static-voters", "standalone killed"]
)
def written(
    request: pytest.FixtureRequest, make_kafka: Callable[..., Kafka], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Written]:
    """The folder of a stopped Apache Kafka, and what it showed before."""
    form, _, killed = request.param.partition(" ")
    data_dir = tmp_path_factory.mktemp("from-kafka") / "data"
    kafka = make_kafka(data_dir, SETTINGS, form=form)
    kafka.start()
    try:
        folders.write_plain(kafka.bootstrap)
        folders.write_transactions(kafka.bootstrap)
        view = folders.view(kafka.bootstrap)
        if killed:
            kafka.kill()
        else:
            kafka.stop()
    finally:
        kafka.kill()
    return Written(data_dir, kafka, view, bool(killed))


@pytest.fixture(scope="module")
def opened(written: Written, target_name: str) -> Iterator[Server]:
    server: Server = written.kafka if target_name == "kafka" else Riverlog(written.folder)
    server.start()
    yield server
    server.kill()


def test_kafka_folder_is_served_record_for_record(written: Written, opened: Server) -> None:
    assert "deleted" not in written.view
    assert len(written.view["transactions"].partitions[0].committed) < len(
        written.view["transactions"].partitions[0].records
    )
    found, wanted = folders.view(opened.bootstrap), dict(written.view)
    if written.killed:
        # Apache Kafka writes the start of a log to disk once a minute only.
        del found["cut"], wanted["cut"]
    folders.compare(found, wanted)


def test_kafka_folder_keeps_its_identity(written: Written, opened: Server) -> None:
    meta = dict(
        line.split("=", 1)
        for line in (written.folder / "meta.properties").read_text().splitlines()
        if not line.startswith("#")
    )
    cluster = rdkafka.admin(opened.bootstrap).describe_cluster().result(rdkafka.WAIT_SECONDS)
    assert cluster.cluster_id == meta["cluster.id"]
    assert [node.id for node in cluster.nodes] == [int(meta["node.id"])] == [1]


def test_kafka_folder_takes_new_records_after_the_old_ones(written: Written, opened: Server) -> None:
    sent = samples(30)
    for topic in ("codec-zstd", "idempotent", "transactions", "compacted"):
        old = written.view[topic].partitions[0].latest
        keyed = [sample for sample in sent if sample.key] if topic == "compacted" else sent
        writer = rdkafka.producer(opened.bootstrap, enable_idempotence=True)
        reports = rdkafka.send(writer, topic, keyed)
        assert reports[0].offset() == old
        same(rdkafka.read(opened.bootstrap, topic, offset=old), keyed)


def test_kafka_folder_stays_clean_for_kafkas_tools(
    java_tools: JavaTools, written: Written, opened: Server
) -> None:
    """Last of the tests on this folder: it stops the server."""
    opened.stop()
    logs = sorted(str(path) for path in written.folder.glob("*-[0-9]/*.log"))
    out = java_tools.run(
        "org.apache.kafka.tools.DumpLogSegments", "--deep-iteration", "--files", ",".join(logs)
    )
    assert "isvalid: false" not in out.ok().out
    indexes = sorted(
        str(path)
        for kind in ("index", "timeindex")
        for path in written.folder.glob(f"codec-*-[0-9]/*.{kind}")
    )
    checked = java_tools.run(
        "org.apache.kafka.tools.DumpLogSegments", "--verify-index-only", "--files", ",".join(indexes)
    )
    assert checked.ok().err == ""


@pytest.mark.parametrize(
    ("form", "release"), [("standalone", None), ("static-voters", None), ("standalone", "4.0")]
)
def test_kafka_folder_that_never_ran_is_served(
    make_kafka: Callable[..., Kafka], target_name: str, tmp_path: Path, form: str, release: str | None
) -> None:
    """Formatted by Kafka's storage tool, first started by us: the levels lie in bootstrap.checkpoint."""
    kafka = make_kafka(tmp_path / "data", form=form, release=release)
    server: Server = kafka if target_name == "kafka" else Riverlog(tmp_path / "data")
    server.start()
    try:
        rdkafka.create_topic(server.bootstrap, "first")
        sent = samples(20)
        rdkafka.send(rdkafka.producer(server.bootstrap), "first", sent)
        same(rdkafka.read(server.bootstrap, "first"), sent)
        server.stop()
        server.start()
        same(rdkafka.read(server.bootstrap, "first"), sent)
    finally:
        server.kill()


def content(folder: Path) -> dict[Path, bytes]:
    """Every file but the lock."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    return {path: path.read_bytes() for path in files}


def test_kafka_folder_of_another_node_id_is_refused(
    make_kafka: Callable[..., Kafka], target_name: str, tmp_path: Path
) -> None:
    """One line that says what is wrong, and nothing is changed."""
    server: Server = make_kafka(tmp_path / "data")
    if isinstance(server, Kafka) and target_name == "kafka":
        server.write_config({"node.id": "7"})
    else:
        server = Riverlog(tmp_path / "data", {"node.id": "7"})
    before = content(tmp_path / "data")
    with pytest.raises(ServerFailed):
        server.start()
    assert re.search(r"node.?id", server.said(), re.IGNORECASE)
    assert content(tmp_path / "data") == before


LEVEL = b"\x11metadata.version"  # the name in a FeatureLevelRecord; two bytes of level follow
# A record with null key and four bytes of value: frame, record type, version, no tags.
NO_OP = b"\x01\x08\x01\x14\x00\x00\x00"
FROM_THE_FUTURE = b"\x01\x08\x01\x7a\x00\x00\x00"


@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"),
    [
        (
            "__cluster_metadata-0/00000000000000000000.log",
            LEVEL + b"\x00\x1e",
            LEVEL + b"\x00\x5a",
            "metadata.version",
        ),
        ("__cluster_metadata-0/00000000000000000000.log", NO_OP, FROM_THE_FUTURE, "122"),
    ],
    ids=["newer metadata.version", "unknown record type"],
)
def test_kafka_folder_of_a_newer_release_is_refused(
    ran_once: Path, target_name: str, tmp_path: Path, name: str, old: bytes, new: bytes, complaint: str
) -> None:
    """The start ends with one line and changes nothing."""
    if target_name == "kafka":
        pytest.skip("Apache Kafka fails too, but says so in its own way")
    shutil.copytree(ran_once, tmp_path / "data")
    folders.rewrite_batch(tmp_path / "data" / name, old, new)
    before = content(tmp_path / "data")
    server = Riverlog(tmp_path / "data")
    with pytest.raises(ServerFailed):
        server.start()
    assert complaint in server.said()
    assert len(server.said().splitlines()) == 1
    assert content(tmp_path / "data") == before


@pytest.fixture(scope="module")
def ran_once(make_kafka: Callable[..., Kafka], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an Apache Kafka that started, got one topic, and stopped."""
    kafka = make_kafka(tmp_path_factory.mktemp("ran-once") / "data")
    kafka.start()
    try:
        rdkafka.create_topic(kafka.bootstrap, "one")
        kafka.stop()
    finally:
        kafka.kill()
    return kafka.data_dir
