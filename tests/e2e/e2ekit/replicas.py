"""The copies of a stopped cluster, file by file."""

from __future__ import annotations

from pathlib import Path


def check_copies_are_equal(cluster_folder: Path, topic: str, partitions: int) -> None:
    """Followers keep their leader's batches as they are: after a healed run all copies are the same bytes."""
    for number in range(partitions):
        copies = {
            folder.parent.parent.name: _bytes_of(folder)
            for folder in sorted(cluster_folder.glob(f"node-*/data/{topic}-{number}"))
        }
        assert len(copies) == 3, f"{topic}-{number} has copies on {sorted(copies)} only"
        sizes = {node: len(data) for node, data in copies.items()}
        assert len(set(copies.values())) == 1, f"copies of {topic}-{number} differ; bytes: {sizes}"


def _bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.glob("*.log")))
