"""What batches are taken: of clients by a topic's settings, of leaders where a log starts inside one."""

from __future__ import annotations

from riverlog.env.disk import Buffer
from riverlog.records import Codec, CorruptBatch, ValidationConfig, crc_ok, read_header
from riverlog.storage import LogConfig

_CODECS = {
    "uncompressed": Codec.NONE,
    **{codec.name.lower(): codec for codec in Codec if codec is not Codec.NONE},
}


def validation_of(config: LogConfig) -> ValidationConfig:
    codec = _CODECS.get(config.compression_type)
    level = getattr(config, f"compression_{config.compression_type}_level", None)
    return ValidationConfig(
        max_message_bytes=config.max_message_bytes,
        compression=codec,
        compression_level=level,
        log_append_time=config.message_timestamp_type == "LogAppendTime",
        timestamp_before_max_ms=config.message_timestamp_before_max_ms,
        timestamp_after_max_ms=config.message_timestamp_after_max_ms,
        compacted=config.is_compacted,
    )


def start_inside(records: Buffer, start: int, epoch_max: int) -> int:
    """Where the first batch begins, if a log that starts at ``start`` starts inside it; else ``start``.

    Its base offset decides what we drop and lies outside the CRC, so all there is to compare is compared.
    """
    try:
        header = read_header(records)
    except CorruptBatch:
        return start  # refused when it is appended
    inside = header.base_offset < start <= header.last_offset and header.partition_leader_epoch <= epoch_max
    return header.base_offset if inside and crc_ok(records, 0, header) else start
