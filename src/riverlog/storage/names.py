"""Names of files and folders in a log folder, as Kafka spells them."""

from __future__ import annotations

import re

TopicPartition = tuple[str, int]

LOG_SUFFIX = ".log"
INDEX_SUFFIX = ".index"
TIME_INDEX_SUFFIX = ".timeindex"
TXN_INDEX_SUFFIX = ".txnindex"
SNAPSHOT_SUFFIX = ".snapshot"
DELETED_SUFFIX = ".deleted"
CLEANED_SUFFIX = ".cleaned"
SWAP_SUFFIX = ".swap"
CORRUPT_SUFFIX = ".corrupt"
TEMPORARY_SUFFIX = ".tmp"

LEADER_EPOCH_CHECKPOINT = "leader-epoch-checkpoint"
PARTITION_METADATA = "partition.metadata"
SUSPECT_MARKER = "suspect-offset-checkpoint"
RECOVERY_POINT_CHECKPOINT = "recovery-point-offset-checkpoint"
LOG_START_CHECKPOINT = "log-start-offset-checkpoint"
CLEANER_CHECKPOINT = "cleaner-offset-checkpoint"
HIGH_WATERMARK_CHECKPOINT = "replication-offset-checkpoint"
CLEAN_SHUTDOWN = ".kafka_cleanshutdown"
META_PROPERTIES = "meta.properties"
METADATA_TOPIC = "__cluster_metadata"

DELETE_FOLDER_SUFFIX = "-delete"
FUTURE_FOLDER_SUFFIX = "-future"
"""A copy under way to another directory."""
STRAY_FOLDER_SUFFIX = "-stray"
"""Set aside: not opened, not removed."""

_FOLDER = re.compile(r"([a-zA-Z0-9._-]+)-([0-9]{1,10})")
_OFFSET_DIGITS = 20
_NAME_LENGTH_MAX = 255


def offset_name(offset: int, suffix: str) -> str:
    return f"{offset:020d}{suffix}"


def parse_offset_name(name: str) -> tuple[int, str] | None:
    """``00000000000000000042.log`` is (42, ".log"); None for any other form."""
    digits = name[:_OFFSET_DIGITS]
    if len(digits) == _OFFSET_DIGITS and digits.isascii() and digits.isdigit() and name[20:21] == ".":
        return int(digits), name[_OFFSET_DIGITS:]
    return None


def folder_name(topic_partition: TopicPartition) -> str:
    return f"{topic_partition[0]}-{topic_partition[1]}"


def parse_folder_name(name: str) -> TopicPartition | None:
    """The partition that a folder of a log directory holds; None for folders that hold none."""
    match = _FOLDER.fullmatch(name)
    if match is None:
        return None
    return match.group(1), int(match.group(2))


def delete_folder_name(topic_partition: TopicPartition, unique: str) -> str:
    """Where a partition folder waits for removal."""
    return side_folder_name(topic_partition, unique, DELETE_FOLDER_SUFFIX)


def side_folder_name(topic_partition: TopicPartition, unique: str, folder_suffix: str) -> str:
    """A partition folder under another name. Long topic names are cut, as Kafka does."""
    suffix = f"-{topic_partition[1]}.{unique}{folder_suffix}"
    return topic_partition[0][: _NAME_LENGTH_MAX - len(suffix)] + suffix


def log_dir_of(folder: str) -> str:
    """The log directory that a partition folder lies in."""
    return folder.rpartition("/")[0] or "/"
