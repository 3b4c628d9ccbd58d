"""A full disk takes one folder offline, with the right error; the rest of the broker serves on."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from e2ekit.raw import Raw, batch, create_topic, fetch, metadata, produce
from e2ekit.targets import MakeBroker

from bench.brokers import Broker
from riverlog.base.errors import ErrorCode
from riverlog.records import iter_headers

SMALL_BYTES = 24 << 20
BATCH = [os.urandom(1000)] * 200


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with little room; needs the right to mount one."""
    folder = tmp_path / "small"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SMALL_BYTES}", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except FileNotFoundError:
        pytest.skip("no mount command: a full disk cannot be made")
    if mounted.returncode != 0:
        pytest.skip("no right to mount a small file system: a full disk cannot be made")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True, timeout=20)


@pytest.fixture
def two_disks(make_broker: MakeBroker, small_disk: Path, tmp_path: Path) -> tuple[Broker, str, str]:
    """A running broker with a small and a large folder, and a topic in each: (broker, small, large)."""
    small, large = small_disk / "data", tmp_path / "large"
    settings = {"log_dirs": f"{small},{large}", "metadata_log_dir": str(large)}
    # Kafka reserves 10 MB for each index unless told otherwise.
    broker = make_broker(**settings, log_index_size_max_bytes="65536")
    broker.start()
    with Raw(broker.bootstrap) as raw:
        names = [f"t{number}" for number in range(8)]
        for name in names:
            create_topic(raw, name)
    on_small = [name for name in names if (small / f"{name}-0").is_dir()]
    on_large = [name for name in names if (large / f"{name}-0").is_dir()]
    assert on_small, "no partition was placed on the small folder"
    assert on_large, "no partition was placed on the large folder"
    return broker, on_small[0], on_large[0]


def fill(raw: Raw, topic: str) -> tuple[int, Any]:
    """Produce until an error; answers the records acknowledged and the failed answer."""
    acknowledged = 0
    for _ in range(4 * SMALL_BYTES // (len(BATCH) * 1000)):
        answer = produce(raw, topic, batch(BATCH))
        if answer.error_code != ErrorCode.NONE:
            return acknowledged, answer
        assert answer.base_offset == acknowledged
        acknowledged += len(BATCH)
    raise AssertionError("the small disk took four times its size")


def test_full_disk_answers_storage_error_and_spares_the_other_folder(
    two_disks: tuple[Broker, str, str],
) -> None:
    broker, on_small, on_large = two_disks
    with Raw(broker.bootstrap) as raw:
        _, failed = fill(raw, on_small)
        assert failed.error_code == ErrorCode.KAFKA_STORAGE_ERROR
    with Raw(broker.bootstrap) as raw:
        again = produce(raw, on_small, batch([b"more"]))
        assert again.error_code in {ErrorCode.KAFKA_STORAGE_ERROR, ErrorCode.NOT_LEADER_OR_FOLLOWER}
        for number in range(20):
            answer = produce(raw, on_large, batch([b"fine"]))
            assert (answer.error_code, answer.base_offset) == (ErrorCode.NONE, number)
        assert fetch(raw, on_large, 0).high_watermark == 20
        assert metadata(raw).brokers
        create_topic(raw, "later")
        assert produce(raw, "later", batch([b"fine"])).error_code == ErrorCode.NONE


def test_full_disk_says_so_in_one_clear_line(two_disks: tuple[Broker, str, str], ours: None) -> None:
    broker, on_small, _ = two_disks
    with Raw(broker.bootstrap) as raw:
        fill(raw, on_small)
    said = [line for line in broker.said().splitlines() if "offline" in line]
    assert len(said) == 1, broker.said()
    assert "small" in said[0]
    assert "space" in said[0].lower() or "full" in said[0].lower()


def test_full_disk_never_corrupts_what_was_acknowledged(
    two_disks: tuple[Broker, str, str], small_disk: Path, ours: None
) -> None:
    """With room again a restart serves every acknowledged record and takes new ones."""
    broker, on_small, _ = two_disks
    with Raw(broker.bootstrap) as raw:
        acknowledged, _ = fill(raw, on_small)
    broker.stop()
    command = ["mount", "-o", f"remount,size={8 * SMALL_BYTES}", str(small_disk)]
    subprocess.run(command, check=True, timeout=20)
    broker.start()
    with Raw(broker.bootstrap) as raw:
        answer = produce(raw, on_small, batch([b"after"]))
        assert answer.error_code == ErrorCode.NONE
        assert answer.base_offset >= acknowledged
        offset = 0
        while offset < answer.base_offset + 1:
            part = fetch(raw, on_small, offset, max_bytes=4 << 20)
            assert part.error_code == ErrorCode.NONE
            headers = [header for _, header in iter_headers(part.records)]
            assert headers, f"nothing readable at {offset}"
            assert headers[0].base_offset == offset
            offset = headers[-1].next_offset
        assert offset == answer.base_offset + 1
