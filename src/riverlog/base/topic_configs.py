"""The settings of a topic, with Kafka's names and defaults (4.3)."""

from __future__ import annotations

import re

from riverlog.base.config_table import HOURS, MINUTES, Synonym, topic_config
from riverlog.base.config_types import LONG_MAX, Bool, Double, Int, List, Long, Nullable, Str

COMPRESSION_NAMES = ("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer")

SEGMENT_BYTES = topic_config(
    "segment.bytes",
    Int(low=1 << 20),
    default=1 << 30,
    doc="Roll the active segment at this size.",
    broker_synonym="log.segment.bytes",
)
INTERNAL_SEGMENT_BYTES = topic_config(
    "internal.segment.bytes",
    Nullable(Int()),
    default=None,
    doc="Overrides segment.bytes without its lower bound. For tests.",
    internal=True,
)
SEGMENT_MS = topic_config(
    "segment.ms",
    Long(low=1),
    default=604_800_000,
    doc="Roll the active segment after this time even if it is not full.",
    broker_synonym=(Synonym("log.roll.ms"), Synonym("log.roll.hours", HOURS)),
)
SEGMENT_JITTER_MS = topic_config(
    "segment.jitter.ms",
    Long(low=0),
    default=0,
    doc="Up to this much, drawn at random, is taken off segment.ms so that not all segments roll at once.",
    broker_synonym=(Synonym("log.roll.jitter.ms"), Synonym("log.roll.jitter.hours", HOURS)),
)
SEGMENT_INDEX_BYTES = topic_config(
    "segment.index.bytes",
    Int(low=4),
    default=10 << 20,
    doc="Size at which an index is full and its segment rolls.",
    broker_synonym="log.index.size.max.bytes",
)
FLUSH_MESSAGES = topic_config(
    "flush.messages",
    Long(low=1),
    default=LONG_MAX,
    doc="Sync the log to disk after this many records, whatever ack.after.fsync says.",
    broker_synonym="log.flush.interval.messages",
)
FLUSH_MS = topic_config(
    "flush.ms",
    Long(low=0),
    default=LONG_MAX,
    doc="Sync the log to disk at the latest after this time, whatever ack.after.fsync says.",
    broker_synonym=(Synonym("log.flush.interval.ms"), Synonym("log.flush.scheduler.interval.ms")),
)
RETENTION_BYTES = topic_config(
    "retention.bytes",
    Long(),
    default=-1,
    doc="Old segments go when a partition is larger than this; -1 means no limit.",
    broker_synonym="log.retention.bytes",
)
RETENTION_MS = topic_config(
    "retention.ms",
    Long(low=-1),
    default=604_800_000,
    doc="Segments go when their newest record is older than this; -1 keeps them for ever.",
    broker_synonym=(
        Synonym("log.retention.ms"),
        Synonym("log.retention.minutes", MINUTES),
        Synonym("log.retention.hours", HOURS),
    ),
)
MAX_MESSAGE_BYTES = topic_config(
    "max.message.bytes",
    Int(low=0),
    default=1_048_588,
    doc="Largest record batch that is accepted, as it travels (after compression).",
    broker_synonym="message.max.bytes",
)
INDEX_INTERVAL_BYTES = topic_config(
    "index.interval.bytes",
    Int(low=0),
    default=4096,
    doc="Bytes of log between two entries of the offset index.",
    broker_synonym="log.index.interval.bytes",
)
DELETE_RETENTION_MS = topic_config(
    "delete.retention.ms",
    Long(low=0),
    default=86_400_000,
    doc="How long tombstones of a compacted topic stay.",
    broker_synonym="log.cleaner.delete.retention.ms",
)
MIN_COMPACTION_LAG_MS = topic_config(
    "min.compaction.lag.ms",
    Long(low=0),
    default=0,
    doc="A record is not compacted away before this age.",
    broker_synonym="log.cleaner.min.compaction.lag.ms",
)
MAX_COMPACTION_LAG_MS = topic_config(
    "max.compaction.lag.ms",
    Long(low=1),
    default=LONG_MAX,
    doc="A record is up for compaction at this age at the latest.",
    broker_synonym="log.cleaner.max.compaction.lag.ms",
)
FILE_DELETE_DELAY_MS = topic_config(
    "file.delete.delay.ms",
    Long(low=0),
    default=60_000,
    doc="Time between taking a segment out of the log and removing its files.",
    broker_synonym="log.segment.delete.delay.ms",
)
MIN_CLEANABLE_DIRTY_RATIO = topic_config(
    "min.cleanable.dirty.ratio",
    Double(low=0, high=1),
    default=0.5,
    doc="Share of uncompacted bytes from which a log is compacted.",
    broker_synonym="log.cleaner.min.cleanable.ratio",
)
CLEANUP_POLICY = topic_config(
    "cleanup.policy",
    List("compact", "delete"),
    default=("delete",),
    doc="delete: by retention.ms and retention.bytes; compact: the last record of each key stays; or both.",
    broker_synonym="log.cleanup.policy",
)
UNCLEAN_LEADER_ELECTION_ENABLE = topic_config(
    "unclean.leader.election.enable",
    Bool(),
    default=False,
    doc="A replica outside the ISR may become leader as a last resort, which can lose records.",
    broker_synonym="unclean.leader.election.enable",
)
MIN_INSYNC_REPLICAS = topic_config(
    "min.insync.replicas",
    Int(low=1),
    default=1,
    doc="In-sync replicas an acks=all write needs; with fewer it is refused.",
    broker_synonym="min.insync.replicas",
)
COMPRESSION_TYPE = topic_config(
    "compression.type",
    Str(*COMPRESSION_NAMES),
    default="producer",
    doc="Codec of the stored batches; producer keeps what the producer sent.",
    broker_synonym="compression.type",
)
COMPRESSION_GZIP_LEVEL = topic_config(
    "compression.gzip.level",
    Int(low=1, high=9, also=-1),
    default=-1,
    doc="Level for compression.type=gzip.",
    broker_synonym="compression.gzip.level",
)
COMPRESSION_LZ4_LEVEL = topic_config(
    "compression.lz4.level",
    Int(low=1, high=17),
    default=9,
    doc="Level for compression.type=lz4.",
    broker_synonym="compression.lz4.level",
)
COMPRESSION_ZSTD_LEVEL = topic_config(
    "compression.zstd.level",
    Int(low=-131_072, high=22),
    default=3,
    doc="Level for compression.type=zstd.",
    broker_synonym="compression.zstd.level",
)
PREALLOCATE = topic_config(
    "preallocate",
    Bool(),
    default=False,
    doc="Reserve a new segment's room on disk at once.",
    broker_synonym="log.preallocate",
)
MESSAGE_TIMESTAMP_TYPE = topic_config(
    "message.timestamp.type",
    Str("CreateTime", "LogAppendTime"),
    default="CreateTime",
    doc="Whose clock stamps the records: the producer's or the broker's.",
    broker_synonym="log.message.timestamp.type",
)
MESSAGE_TIMESTAMP_BEFORE_MAX_MS = topic_config(
    "message.timestamp.before.max.ms",
    Long(low=0),
    default=LONG_MAX,
    doc="A record with an older timestamp than this before the broker's clock is refused (CreateTime only).",
    broker_synonym="log.message.timestamp.before.max.ms",
)
MESSAGE_TIMESTAMP_AFTER_MAX_MS = topic_config(
    "message.timestamp.after.max.ms",
    Long(low=0),
    default=3_600_000,
    doc="A record with a timestamp further ahead of the broker's clock is refused (CreateTime only).",
    broker_synonym="log.message.timestamp.after.max.ms",
)

_THROTTLED = re.compile(r"\*|[0-9]+:[0-9]+", re.ASCII)


def _throttled(item: str) -> bool:
    return _THROTTLED.fullmatch(item) is not None


LEADER_REPLICATION_THROTTLED_REPLICAS = topic_config(
    "leader.replication.throttled.replicas",
    List(item=_throttled, item_form="partition:broker pairs, or *"),
    default=(),
    doc="Replicas whose replication is throttled on the leader's side.",
)
FOLLOWER_REPLICATION_THROTTLED_REPLICAS = topic_config(
    "follower.replication.throttled.replicas",
    List(item=_throttled, item_form="partition:broker pairs, or *"),
    default=(),
    doc="Replicas whose replication is throttled on the follower's side.",
)
REMOTE_STORAGE_ENABLE = topic_config(
    "remote.storage.enable",
    Bool(),
    default=False,
    doc="Keep old segments in the remote tier.",
    honoured=False,
)
LOCAL_RETENTION_MS = topic_config(
    "local.retention.ms",
    Long(low=-2),
    default=-2,
    doc="How long segments stay on local disk once they are in the remote tier; -2 means retention.ms.",
    broker_synonym="log.local.retention.ms",
    honoured=False,
)
LOCAL_RETENTION_BYTES = topic_config(
    "local.retention.bytes",
    Long(low=-2),
    default=-2,
    doc="Bytes that stay on local disk once they are in the remote tier; -2 means retention.bytes.",
    broker_synonym="log.local.retention.bytes",
    honoured=False,
)
REMOTE_LOG_COPY_DISABLE = topic_config(
    "remote.log.copy.disable",
    Bool(),
    default=False,
    doc="Copy no more segments to the remote tier.",
    honoured=False,
)
REMOTE_LOG_DELETE_ON_DISABLE = topic_config(
    "remote.log.delete.on.disable",
    Bool(),
    default=False,
    doc="Drop the remote segments when the remote tier is turned off.",
    honoured=False,
)
ACK_AFTER_FSYNC = topic_config(
    "ack.after.fsync",
    Bool(),
    default=True,
    doc="A record counts as replicated and becomes readable only once it is on disk.",
    broker_synonym="ack.after.fsync",
    ours=True,
)
