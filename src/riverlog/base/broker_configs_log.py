"""The settings of a broker that concern its logs, most of them defaults of topic settings."""

from __future__ import annotations

from riverlog.base.config_table import Dynamic, broker_config
from riverlog.base.config_types import DOUBLE_MAX, LONG_MAX, Bool, Double, Int, List, Long, Nullable, Str
from riverlog.base.topic_configs import COMPRESSION_NAMES

_WIDE = Dynamic.CLUSTER_WIDE

LOG_DIR = broker_config(
    "log.dir",
    Nullable(List(non_empty=True)),
    default=None,
    doc="Data folder, where log.dirs does not say it; by default the one of the command line.",
)
LOG_DIRS = broker_config(
    "log.dirs",
    Nullable(List(non_empty=True)),
    default=None,
    doc="Data folders, separated by commas.",
)
CORDONED_LOG_DIRS = broker_config(
    "cordoned.log.dirs",
    List(),
    default=(),
    doc="Data folders that get no new partitions; * stands for all.",
    dynamic=Dynamic.PER_BROKER,
)
LOG_SEGMENT_BYTES = broker_config(
    "log.segment.bytes",
    Int(low=1 << 20),
    default=1 << 30,
    doc="Default of segment.bytes.",
    dynamic=_WIDE,
)
LOG_ROLL_MS = broker_config(
    "log.roll.ms", Nullable(Long(low=1)), default=None, doc="Default of segment.ms.", dynamic=_WIDE
)
LOG_ROLL_HOURS = broker_config(
    "log.roll.hours",
    Int(low=1),
    default=168,
    doc="Default of segment.ms in hours, if log.roll.ms is not set.",
)
LOG_ROLL_JITTER_MS = broker_config(
    "log.roll.jitter.ms",
    Nullable(Long(low=0)),
    default=None,
    doc="Default of segment.jitter.ms.",
    dynamic=_WIDE,
)
LOG_ROLL_JITTER_HOURS = broker_config(
    "log.roll.jitter.hours",
    Int(low=0),
    default=0,
    doc="Default of segment.jitter.ms in hours, if log.roll.jitter.ms is not set.",
)
LOG_RETENTION_MS = broker_config(
    "log.retention.ms",
    Nullable(Long()),
    default=None,
    doc="Default of retention.ms; -1 keeps everything.",
    dynamic=_WIDE,
)
LOG_RETENTION_MINUTES = broker_config(
    "log.retention.minutes",
    Nullable(Int()),
    default=None,
    doc="Default of retention.ms in minutes, if log.retention.ms is not set.",
)
LOG_RETENTION_HOURS = broker_config(
    "log.retention.hours",
    Int(),
    default=168,
    doc="Default of retention.ms in hours, if neither log.retention.ms nor log.retention.minutes is set.",
)
LOG_RETENTION_BYTES = broker_config(
    "log.retention.bytes", Long(), default=-1, doc="Default of retention.bytes.", dynamic=_WIDE
)
LOG_RETENTION_CHECK_INTERVAL_MS = broker_config(
    "log.retention.check.interval.ms",
    Long(low=1),
    default=300_000,
    doc="How often to look for segments past their retention.",
)
LOG_CLEANUP_POLICY = broker_config(
    "log.cleanup.policy",
    List("compact", "delete"),
    default=("delete",),
    doc="Default of cleanup.policy.",
    dynamic=_WIDE,
)
LOG_INDEX_SIZE_MAX_BYTES = broker_config(
    "log.index.size.max.bytes",
    Int(low=4),
    default=10 << 20,
    doc="Default of segment.index.bytes.",
    dynamic=_WIDE,
)
LOG_INDEX_INTERVAL_BYTES = broker_config(
    "log.index.interval.bytes",
    Int(low=0),
    default=4096,
    doc="Default of index.interval.bytes.",
    dynamic=_WIDE,
)
LOG_FLUSH_INTERVAL_MESSAGES = broker_config(
    "log.flush.interval.messages",
    Long(low=1),
    default=LONG_MAX,
    doc="Default of flush.messages.",
    dynamic=_WIDE,
)
LOG_FLUSH_INTERVAL_MS = broker_config(
    "log.flush.interval.ms", Nullable(Long(low=0)), default=None, doc="Default of flush.ms.", dynamic=_WIDE
)
LOG_FLUSH_SCHEDULER_INTERVAL_MS = broker_config(
    "log.flush.scheduler.interval.ms",
    Long(),
    default=LONG_MAX,
    doc="Default of flush.ms, if log.flush.interval.ms is not set.",
)
LOG_SEGMENT_DELETE_DELAY_MS = broker_config(
    "log.segment.delete.delay.ms",
    Long(low=0),
    default=60_000,
    doc="Default of file.delete.delay.ms.",
    dynamic=_WIDE,
)
LOG_FLUSH_OFFSET_CHECKPOINT_INTERVAL_MS = broker_config(
    "log.flush.offset.checkpoint.interval.ms",
    Int(low=0),
    default=60_000,
    doc="How often recovery points are written. Without effect here: every second under load.",
    honoured=False,
)
LOG_FLUSH_START_OFFSET_CHECKPOINT_INTERVAL_MS = broker_config(
    "log.flush.start.offset.checkpoint.interval.ms",
    Int(low=0),
    default=60_000,
    doc="How often log start offsets are written.",
)
REPLICA_HIGH_WATERMARK_CHECKPOINT_INTERVAL_MS = broker_config(
    "replica.high.watermark.checkpoint.interval.ms",
    Long(),
    default=5000,
    doc="How often high watermarks are written.",
)
LOG_PREALLOCATE = broker_config(
    "log.preallocate", Bool(), default=False, doc="Default of preallocate.", dynamic=_WIDE
)
LOG_MESSAGE_TIMESTAMP_TYPE = broker_config(
    "log.message.timestamp.type",
    Str("CreateTime", "LogAppendTime"),
    default="CreateTime",
    doc="Default of message.timestamp.type.",
    dynamic=_WIDE,
)
LOG_MESSAGE_TIMESTAMP_BEFORE_MAX_MS = broker_config(
    "log.message.timestamp.before.max.ms",
    Long(low=0),
    default=LONG_MAX,
    doc="Default of message.timestamp.before.max.ms.",
    dynamic=_WIDE,
)
LOG_MESSAGE_TIMESTAMP_AFTER_MAX_MS = broker_config(
    "log.message.timestamp.after.max.ms",
    Long(low=0),
    default=3_600_000,
    doc="Default of message.timestamp.after.max.ms.",
    dynamic=_WIDE,
)
MESSAGE_MAX_BYTES = broker_config(
    "message.max.bytes", Int(low=0), default=1_048_588, doc="Default of max.message.bytes.", dynamic=_WIDE
)
MIN_INSYNC_REPLICAS = broker_config(
    "min.insync.replicas",
    Int(low=1),
    default=1,
    doc="Default of the topics' min.insync.replicas.",
    dynamic=_WIDE,
)
UNCLEAN_LEADER_ELECTION_ENABLE = broker_config(
    "unclean.leader.election.enable",
    Bool(),
    default=False,
    doc="Default of the topics' unclean.leader.election.enable.",
    dynamic=_WIDE,
)
COMPRESSION_TYPE = broker_config(
    "compression.type",
    Str(*COMPRESSION_NAMES),
    default="producer",
    doc="Default of the topics' compression.type.",
    dynamic=_WIDE,
)
COMPRESSION_GZIP_LEVEL = broker_config(
    "compression.gzip.level",
    Int(low=1, high=9, also=-1),
    default=-1,
    doc="Default of the topics' compression.gzip.level.",
    dynamic=_WIDE,
)
COMPRESSION_LZ4_LEVEL = broker_config(
    "compression.lz4.level",
    Int(low=1, high=17),
    default=9,
    doc="Default of the topics' compression.lz4.level.",
    dynamic=_WIDE,
)
COMPRESSION_ZSTD_LEVEL = broker_config(
    "compression.zstd.level",
    Int(low=-131_072, high=22),
    default=3,
    doc="Default of the topics' compression.zstd.level.",
    dynamic=_WIDE,
)
ACK_AFTER_FSYNC = broker_config(
    "ack.after.fsync",
    Bool(),
    default=True,
    doc="Default of the topics' ack.after.fsync. For the whole cluster or not at all.",
    dynamic=Dynamic.CLUSTER_DEFAULT_ONLY,
    ours=True,
)
LOG_DIR_FSYNC_TIMEOUT_MS = broker_config(
    "log.dir.fsync.timeout.ms",
    Long(low=1),
    default=10_000,
    doc="An fsync that takes longer counts as failed: its folder goes offline.",
    ours=True,
)
LOG_DIR_FAILURE_TIMEOUT_MS = broker_config(
    "log.dir.failure.timeout.ms",
    Long(low=1),
    default=30_000,
    doc="How long a broker tries to tell the controller about a failed folder before it stops.",
    honoured=False,
)
NUM_RECOVERY_THREADS_PER_DATA_DIR = broker_config(
    "num.recovery.threads.per.data.dir",
    Int(low=1),
    default=2,
    doc="Threads for recovery. Without effect here.",
    dynamic=_WIDE,
    honoured=False,
)
LOG_INITIAL_TASK_DELAY_MS = broker_config(
    "log.initial.task.delay.ms",
    Long(low=0),
    default=30_000,
    doc="Wait after start before the first retention check.",
    internal=True,
    honoured=False,
)

# Compaction

LOG_CLEANER_ENABLE = broker_config(
    "log.cleaner.enable", Bool(), default=True, doc="Whether logs are compacted."
)
LOG_CLEANER_THREADS = broker_config(
    "log.cleaner.threads",
    Int(low=0),
    default=1,
    doc="Threads for compaction. Without effect here.",
    dynamic=_WIDE,
    honoured=False,
)
LOG_CLEANER_IO_MAX_BYTES_PER_SECOND = broker_config(
    "log.cleaner.io.max.bytes.per.second",
    Double(),
    default=DOUBLE_MAX,
    doc="Most bytes a second that compaction reads and writes.",
    dynamic=_WIDE,
)
LOG_CLEANER_DEDUPE_BUFFER_SIZE = broker_config(
    "log.cleaner.dedupe.buffer.size",
    Long(),
    default=128 << 20,
    doc="Memory for the keys of a compaction.",
    dynamic=_WIDE,
)
LOG_CLEANER_IO_BUFFER_SIZE = broker_config(
    "log.cleaner.io.buffer.size",
    Int(low=0),
    default=512 << 10,
    doc="Memory for reading and writing in a compaction.",
    dynamic=_WIDE,
)
LOG_CLEANER_IO_BUFFER_LOAD_FACTOR = broker_config(
    "log.cleaner.io.buffer.load.factor",
    Double(),
    default=0.9,
    doc="How full the memory for keys may get.",
    dynamic=_WIDE,
)
LOG_CLEANER_BACKOFF_MS = broker_config(
    "log.cleaner.backoff.ms",
    Long(low=0),
    default=15_000,
    doc="Wait when there is nothing to compact.",
    dynamic=_WIDE,
)
LOG_CLEANER_MIN_CLEANABLE_RATIO = broker_config(
    "log.cleaner.min.cleanable.ratio",
    Double(low=0, high=1),
    default=0.5,
    doc="Default of min.cleanable.dirty.ratio.",
    dynamic=_WIDE,
)
LOG_CLEANER_DELETE_RETENTION_MS = broker_config(
    "log.cleaner.delete.retention.ms",
    Long(low=0),
    default=86_400_000,
    doc="Default of delete.retention.ms.",
    dynamic=_WIDE,
)
LOG_CLEANER_MIN_COMPACTION_LAG_MS = broker_config(
    "log.cleaner.min.compaction.lag.ms",
    Long(low=0),
    default=0,
    doc="Default of min.compaction.lag.ms.",
    dynamic=_WIDE,
)
LOG_CLEANER_MAX_COMPACTION_LAG_MS = broker_config(
    "log.cleaner.max.compaction.lag.ms",
    Long(low=1),
    default=LONG_MAX,
    doc="Default of max.compaction.lag.ms.",
    dynamic=_WIDE,
)
LOG_LOCAL_RETENTION_MS = broker_config(
    "log.local.retention.ms",
    Long(low=-2),
    default=-2,
    doc="Default of local.retention.ms.",
    dynamic=_WIDE,
    honoured=False,
)
LOG_LOCAL_RETENTION_BYTES = broker_config(
    "log.local.retention.bytes",
    Long(low=-2),
    default=-2,
    doc="Default of local.retention.bytes.",
    dynamic=_WIDE,
    honoured=False,
)
