"""What a topic's settings say about the batches it takes."""

from __future__ import annotations

from riverlog.records import Codec, ValidationConfig
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
