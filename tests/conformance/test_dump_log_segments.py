"""Kafka's DumpLogSegments finds nothing wrong in the folders the broker wrote.

The tool reports mismatches on stderr: it must stay empty, but for one line (``NOT_FROM_ZERO``) that Kafka
4.3.1 prints for every segment whose base offset is not 0, its own too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from clientkit import folders
from clientkit.java import JavaTools
from clientkit.samples import CODECS
from clientkit.servers import Server

DUMP = "org.apache.kafka.tools.DumpLogSegments"
# 4.3.1 says this of the first record of every segment that does not start at 0, Apache Kafka's own too.
NOT_FROM_ZERO = re.compile(r"Non-consecutive offsets in \S*?0*(\d+)\.log\n +-1 is followed by \1\n")


@pytest.fixture(scope="module", params=["stopped", "killed and recovered"])
def folder(
    request: pytest.FixtureRequest,
    make_target: Callable[..., Server],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Path]:
    """A folder with many topics, of a broker that is no longer running."""
    data_dir = tmp_path_factory.mktemp("dump") / "data"
    server = make_target(data_dir).start()
    folders.write_plain(server.bootstrap)
    if request.param != "stopped":
        server.kill()
        server.start()
    server.stop()
    return data_dir


def files(folder: Path, suffix: str) -> list[str]:
    gone = ("-delete", "-stray")
    return sorted(str(path) for path in folder.glob(f"*/*{suffix}") if not path.parent.name.endswith(gone))


def dump(tools: JavaTools, paths: list[str], *options: str, not_from_zero: list[int] | None = None) -> str:
    """``not_from_zero``: base offsets of the segments for which the tool must say just that."""
    assert paths
    result = tools.run(DUMP, *options, "--files", ",".join(paths)).ok()
    assert NOT_FROM_ZERO.sub("", result.err) == ""
    if not_from_zero is not None:
        assert sorted(map(int, NOT_FROM_ZERO.findall(result.err))) == not_from_zero
    for complaint in ("Mismatches in", "is not valid", "Corrupt", "corrupt"):
        assert complaint not in result.out
    return result.out


def test_dump_finds_every_batch_valid(java_tools: JavaTools, folder: Path) -> None:
    logs = [path for path in files(folder, ".log") if "__cluster_metadata" not in path]
    assert len([path for path in logs if "codec-none" in path]) >= 3, "several segments"
    # The target may be Apache Kafka (README.md): that it holds for both shows whose line it is.
    later = sorted(base for path in logs if (base := int(Path(path).stem)) and Path(path).stat().st_size)
    out = dump(java_tools, logs, "--deep-iteration", not_from_zero=later)
    assert "isvalid: false" not in out
    for codec in CODECS:
        assert f"compresscodec: {codec}" in out
    none = [path for path in logs if "codec-none-0/" in path]
    records = re.findall(r"^\| offset: (\d+) ", dump(java_tools, none, "--deep-iteration"), re.MULTILINE)
    assert [int(offset) for offset in records] == list(range(1260))


def test_dump_finds_offset_indexes_right(java_tools: JavaTools, folder: Path) -> None:
    indexes = [path for path in files(folder, ".index") if "__cluster_metadata" not in path]
    assert max(Path(path).stat().st_size for path in indexes) > 50 * 8
    dump(java_tools, indexes, "--verify-index-only")
    dump(java_tools, indexes, "--index-sanity-check")


def test_dump_finds_time_indexes_right(java_tools: JavaTools, folder: Path) -> None:
    indexes = [path for path in files(folder, ".timeindex") if "__cluster_metadata" not in path]
    assert max(Path(path).stat().st_size for path in indexes) > 50 * 12
    dump(java_tools, indexes, "--verify-index-only")
    dump(java_tools, indexes, "--index-sanity-check")


def test_dump_reads_producer_snapshots(java_tools: JavaTools, folder: Path) -> None:
    snapshots = [path for path in files(folder, ".snapshot") if "/idempotent-0/" in path]
    out = dump(java_tools, snapshots)
    found = re.findall(
        r"producerId: (\d+) producerEpoch: (\d+) .* lastSequence: (\d+) lastOffset: (\d+)", out
    )
    assert [row[1:] for row in found] == [("0", "299", "299")]


def test_dump_decodes_the_metadata_log(java_tools: JavaTools, folder: Path) -> None:
    logs = [path for path in files(folder, ".log") if "__cluster_metadata-0" in path]
    out = dump(java_tools, logs, "--cluster-metadata-decoder", "--deep-iteration")
    assert "isvalid: false" not in out
    kinds = set(re.findall(r'"type":"([A-Z_]+)"', out))
    wanted = {
        "TOPIC_RECORD",
        "PARTITION_RECORD",
        "CONFIG_RECORD",
        "REMOVE_TOPIC_RECORD",
        "REGISTER_BROKER_RECORD",
    }
    assert wanted <= kinds
    assert "LeaderChange" in out
    assert '"name":"codec-zstd"' in out


def test_dump_reads_the_metadata_snapshots(java_tools: JavaTools, folder: Path) -> None:
    snapshots = [
        path for path in files(folder, ".checkpoint") if re.search(r"/\d{20}-\d{10}\.checkpoint", path)
    ]
    out = dump(java_tools, snapshots, "--cluster-metadata-decoder", "--deep-iteration")
    assert "SnapshotHeader" in out
    assert "SnapshotFooter" in out
    indexes = [path for path in files(folder, ".index") if "__cluster_metadata" in path]
    dump(java_tools, indexes, "--index-sanity-check")
