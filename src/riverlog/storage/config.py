"""What a log needs to know of its topic's configuration, typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

LONG_MAX = (1 << 63) - 1


@dataclass(slots=True)
class LogConfig:
    """Kafka's topic settings by their names with ``.`` turned into ``_``, with Kafka's defaults."""

    segment_bytes: int = 1 << 30
    segment_ms: int = 7 * 24 * 3600 * 1000
    segment_jitter_ms: int = 0
    segment_index_bytes: int = 10 << 20
    index_interval_bytes: int = 4096
    retention_ms: int = 7 * 24 * 3600 * 1000
    retention_bytes: int = -1
    file_delete_delay_ms: int = 60_000
    flush_messages: int = LONG_MAX
    flush_ms: int = LONG_MAX
    max_message_bytes: int = 1_048_588
    preallocate: bool = False
    message_timestamp_type: str = "CreateTime"
    message_timestamp_before_max_ms: int = LONG_MAX
    message_timestamp_after_max_ms: int = 3_600_000
    cleanup_policy: str = "delete"
    compression_type: str = "producer"
    compression_gzip_level: int = -1
    compression_lz4_level: int = 9
    compression_zstd_level: int = 3
    delete_retention_ms: int = 24 * 3600 * 1000
    min_cleanable_dirty_ratio: float = 0.5
    min_compaction_lag_ms: int = 0
    max_compaction_lag_ms: int = LONG_MAX
    min_insync_replicas: int = 1
    unclean_leader_election_enable: bool = False
    ack_after_fsync: bool = True
    producer_id_expiration_ms: int = 24 * 3600 * 1000

    @property
    def is_compacted(self) -> bool:
        return "compact" in self.cleanup_policy

    @property
    def is_deleted(self) -> bool:
        """Whether old segments go by retention."""
        return "delete" in self.cleanup_policy

    @classmethod
    def from_values(cls, values: Mapping[str, object]) -> LogConfig:
        """From Kafka's configuration names; names that mean nothing to a log are left out."""
        config = cls()
        for field in fields(cls):
            name = field.name.replace("_", ".")
            if name in values:
                setattr(config, field.name, _convert(values[name], getattr(config, field.name)))
        return config


def _convert(value: object, like: object) -> object:
    """Values come typed from the configuration table, or as text."""
    if isinstance(like, bool):
        return value if isinstance(value, bool) else str(value).strip().lower() == "true"
    if isinstance(like, int):
        return int(str(value))
    if isinstance(like, float):
        return float(str(value))
    if isinstance(value, list | tuple):
        return ",".join(str(item) for item in value)
    return str(value)
