"""Every option of reading, and those that reading and writing share: one row each.

``parse_options`` is the door for both sides. Writing's rows are in ``sink_options.py``.
"""

from __future__ import annotations

from collections.abc import Mapping

from riverlog.base.config_types import BadValue, Bool, Int, Long, Nullable, Str
from riverlog.pipeline import option_values as values
from riverlog.pipeline.errors import OptionError
from riverlog.pipeline.option_table import Checked, Option, Options, OptionTable, Side
from riverlog.runtime.client_io import parse_bootstrap

__all__ = ["TABLE", "Option", "Options", "Side", "parse_options"]

TABLE = OptionTable()
MIB = 1 << 20

# ---------------------------------------------------------------- the cluster


def _bootstrap(text: str) -> str:
    try:
        parse_bootstrap(text)
    except ValueError as problem:
        raise BadValue(str(problem)) from None
    return text.strip()


BOOTSTRAP = TABLE.option(
    "kafka.bootstrap.servers", Checked(_bootstrap, "HOST:PORT pairs, separated by commas"),
    default="", side=Side.ANY,
    doc="Where to find the cluster. Required.",
)  # fmt: skip
CLIENT_ID = TABLE.option(
    "kafka.client.id", Str(), default="riverlog-spark", side=Side.ANY,
    doc="The name under which brokers log, measure and limit this query.",
)  # fmt: skip
REQUEST_TIMEOUT_MS = TABLE.option(
    "kafka.request.timeout.ms", Int(low=1), default=30_000, side=Side.ANY,
    doc="How long one request may take.",
)  # fmt: skip
API_TIMEOUT_MS = TABLE.option(
    "kafka.default.api.timeout.ms", Int(low=1), default=60_000, side=Side.ANY,
    doc="How long the driver goes on asking while leaders move or brokers are away.",
)  # fmt: skip
CONNECT_TIMEOUT_MS = TABLE.option(
    "kafka.socket.connection.setup.timeout.ms", Int(low=1), default=10_000, side=Side.ANY,
    doc="How long a connection may take to come about.",
)  # fmt: skip
INCLUDE_HEADERS = TABLE.option(
    "includeHeaders", Bool(), default=False, side=Side.ANY,
    doc="Whether rows have a column `headers`.",
)  # fmt: skip

# ---------------------------------------------------------------- what to read

SUBSCRIBE = TABLE.option(
    "subscribe", Nullable(Checked(values.parse_topics, "topic names, separated by commas")),
    default=None, side=Side.READ,
    doc="Topics to read. Exactly one of `subscribe`, `subscribePattern`, `assign` must be given.",
)  # fmt: skip
SUBSCRIBE_PATTERN = TABLE.option(
    "subscribePattern", Nullable(Checked(values.parse_pattern, "a regular expression")),
    default=None, side=Side.READ,
    doc="Topics whose whole name matches are read. The syntax is RE2's: a Java expression without "
    "look-around, back-references and possessive quantifiers. Internal topics never match.",
)  # fmt: skip
ASSIGN = TABLE.option(
    "assign", Nullable(Checked(values.parse_assignment, 'JSON like {"topicA":[0,1],"topicB":[2]}')),
    default=None, side=Side.READ,
    doc="Partitions to read.",
)  # fmt: skip

# ---------------------------------------------------------------- from where to where

_OFFSETS = 'JSON like {"topicA":{"0":23,"1":-1},"topicB":{"0":-2}}'
_TIMES = 'JSON like {"topicA":{"0":1700000000000},"topicB":{"0":1700000000000}}'

STARTING_OFFSETS = TABLE.option(
    "startingOffsets",
    Nullable(
        Checked(
            values.parse_starting_offsets,
            f"earliest, latest, group, group:NAME, or {_OFFSETS} (-2 for earliest, -1 for latest)",
        )
    ),
    default=None, side=Side.READ,
    doc="Where a new query starts: `earliest`, `latest` (streaming only), an offset per partition as "
    "JSON with -2 for earliest and -1 for latest, `group:NAME` for what that consumer group has "
    "committed, or `group` for the group of `commitGroup` or `kafka.group.id`. The default is "
    "`earliest` for batches and `latest` for streams. A query that goes on from its checkpoint does "
    "not look at it; partitions found later start at earliest.",
)  # fmt: skip
STARTING_OFFSETS_BY_GROUP_STRATEGY = TABLE.option(
    "startingOffsetsByGroupStrategy", Nullable(Str("error", "earliest", "latest", any_case=True)),
    default=None, side=Side.READ,
    doc="Where partitions start for which the group has committed nothing. The default is `earliest` "
    "for batches and `latest` for streams.",
)  # fmt: skip
STARTING_TIMESTAMP = TABLE.option(
    "startingTimestamp", Nullable(Long(low=0)), default=None, side=Side.READ,
    doc="Start at the first record of this time (milliseconds) or later. Goes before "
    "`startingOffsetsByTimestamp` and `startingOffsets`.",
)  # fmt: skip
STARTING_OFFSETS_BY_TIMESTAMP = TABLE.option(
    "startingOffsetsByTimestamp", Nullable(Checked(values.parse_times, _TIMES)),
    default=None, side=Side.READ,
    doc="The same with a time for each partition. Goes before `startingOffsets`.",
)  # fmt: skip
STARTING_OFFSETS_BY_TIMESTAMP_STRATEGY = TABLE.option(
    "startingOffsetsByTimestampStrategy", Str("error", "latest", any_case=True),
    default="error", side=Side.READ,
    doc="What to do where no record is that young.",
)  # fmt: skip
ENDING_OFFSETS = TABLE.option(
    "endingOffsets",
    Checked(values.parse_ending_offsets, f"latest, or {_OFFSETS.replace('-2', '-1')} (-1 for latest)"),
    default=values.Everywhere(values.LATEST), side=Side.BATCH_READ,
    doc="Where a batch ends, exclusive: `latest`, or an offset per partition as JSON with -1 for latest.",
)  # fmt: skip
ENDING_TIMESTAMP = TABLE.option(
    "endingTimestamp", Nullable(Long(low=0)), default=None, side=Side.BATCH_READ,
    doc="End before the first record of this time or later; at latest where there is none. Goes before "
    "`endingOffsetsByTimestamp` and `endingOffsets`.",
)  # fmt: skip
ENDING_OFFSETS_BY_TIMESTAMP = TABLE.option(
    "endingOffsetsByTimestamp", Nullable(Checked(values.parse_times, _TIMES)),
    default=None, side=Side.BATCH_READ,
    doc="The same with a time for each partition. Goes before `endingOffsets`.",
)  # fmt: skip
FAIL_ON_DATA_LOSS = TABLE.option(
    "failOnDataLoss", Bool(), default=True, side=Side.READ,
    doc="Whether to fail when records are gone that should have been read: retention or deletion took "
    "them, the topic was deleted and created again, or a batch is corrupt. Otherwise reading goes on "
    "with what is there, and a warning is logged.",
)  # fmt: skip
ISOLATION_LEVEL = TABLE.option(
    "kafka.isolation.level", Str("read_committed", "read_uncommitted", any_case=True),
    default="read_committed", side=Side.READ,
    doc="`read_committed` reads up to the first open transaction and leaves out aborted ones. Spark's "
    "own source has `read_uncommitted` as its default.",
)  # fmt: skip

# ---------------------------------------------------------------- how much at once

MIN_PARTITIONS = TABLE.option(
    "minPartitions", Nullable(Int(low=1, high=100_000)), default=None, side=Side.READ,
    doc="Split large ranges so that there are about this many tasks. Otherwise a task reads one "
    "partition.",
)  # fmt: skip
MAX_RECORDS_PER_PARTITION = TABLE.option(
    "maxRecordsPerPartition", Nullable(Long(low=1)), default=None, side=Side.READ,
    doc="Split ranges so that no task reads more records than this.",
)  # fmt: skip
MAX_TASKS = TABLE.option(
    "maxTasks", Nullable(Int(low=1)), default=None, side=Side.READ,
    doc="Read several small ranges in one task so that there are at most this many tasks.",
)  # fmt: skip
MAX_OFFSETS_PER_TRIGGER = TABLE.option(
    "maxOffsetsPerTrigger", Nullable(Long(low=1)), default=None, side=Side.STREAM_READ,
    idle_on=Side.BATCH_READ,
    doc="At most about this many records in a micro-batch, shared out over partitions by how far each is "
    "behind; each that has any gets at least one.",
)  # fmt: skip
MIN_OFFSETS_PER_TRIGGER = TABLE.option(
    "minOffsetsPerTrigger", Nullable(Long(low=1)), default=None, side=Side.STREAM_READ,
    idle_on=Side.BATCH_READ,
    doc="Wait for this many records before a micro-batch, but no longer than `maxTriggerDelay`.",
)  # fmt: skip
MAX_TRIGGER_DELAY_MS = TABLE.option(
    "maxTriggerDelay", Checked(values.parse_duration_ms, "a duration like 15m, 30s, 500ms"),
    default=15 * 60_000, side=Side.STREAM_READ, idle_on=Side.BATCH_READ,
    doc="The longest wait for `minOffsetsPerTrigger` (default 15m).",
)  # fmt: skip
MAX_BYTES_PER_TRIGGER = TABLE.option(
    "maxBytesPerTrigger", Nullable(Checked(values.parse_bytes, "a number of bytes like 64m, 1g, 65536")),
    default=None, side=Side.STREAM_READ, idle_on=Side.BATCH_READ,
    doc="At most about this many bytes, as stored, in a micro-batch: the driver takes the sizes of "
    "records from a sample of each partition, since brokers tell offsets but not bytes.",
)  # fmt: skip

# ---------------------------------------------------------------- groups

COMMIT_GROUP = TABLE.option(
    "commitGroup", Nullable(Str(non_empty=True)), default=None, side=Side.STREAM_READ,
    idle_on=Side.BATCH_READ,
    doc="A consumer group to which processed offsets are committed after each micro-batch, so that lag "
    "shows in every Kafka tool. The checkpoint stays what the query goes on from.",
)  # fmt: skip
GROUP_ID = TABLE.option(
    "kafka.group.id", Nullable(Str(non_empty=True)), default=None, side=Side.READ,
    doc="The group that `startingOffsets=group` means. Reading itself joins no group.",
)  # fmt: skip
GROUP_ID_PREFIX = TABLE.option(
    "groupIdPrefix", Str(), default="spark-kafka-source", side=Side.READ,
    doc="Accepted for compatibility, without effect: reading joins no consumer group.",
)  # fmt: skip

# ---------------------------------------------------------------- patience and memory

POLL_TIMEOUT_MS = TABLE.option(
    "kafkaConsumer.pollTimeoutMs", Long(low=1), default=120_000, side=Side.READ,
    doc="How long a task waits for the next records of its range, over leaders that move and brokers "
    "that are away, before it fails.",
)  # fmt: skip
OFFSET_RETRIES = TABLE.option(
    "fetchOffset.numRetries", Int(low=1), default=3, side=Side.READ,
    doc="How often `kafka.default.api.timeout.ms` may go by before the driver gives up getting offsets.",
)  # fmt: skip
OFFSET_RETRY_INTERVAL_MS = TABLE.option(
    "fetchOffset.retryIntervalMs", Long(low=0), default=10, side=Side.READ,
    doc="Accepted for compatibility: pauses between tries grow from 10 ms, Spark's default, to 500 ms.",
)  # fmt: skip
FETCH_MEMORY_BYTES = TABLE.option(
    "fetchMemoryBytes", Checked(values.parse_bytes, "a number of bytes like 32m"),
    default=32 * MIB, side=Side.READ,
    doc="How many fetched bytes a task holds at most: half is being decoded while the other half is "
    "fetched. A larger batch of records is read nevertheless.",
)  # fmt: skip
DECOMPRESSED_BYTES = TABLE.option(
    "decompressedBytes", Checked(values.parse_bytes, "a number of bytes like 128m"),
    default=128 * MIB, side=Side.READ,
    doc="How large one batch of records may be once it is decompressed. A larger one is an error, so that "
    "no batch of a few bytes takes all memory.",
)  # fmt: skip
MAX_PARTITION_FETCH_BYTES = TABLE.option(
    "kafka.max.partition.fetch.bytes", Int(low=1), default=8 * MIB, side=Side.READ,
    doc="The most bytes of one partition in an answer (Kafka's default is 1 MiB); `fetchMemoryBytes` is "
    "above it.",
)  # fmt: skip
FETCH_MAX_BYTES = TABLE.option(
    "kafka.fetch.max.bytes", Int(low=1), default=50 * MIB, side=Side.READ,
    doc="The most bytes of one answer; `fetchMemoryBytes` is above it.",
)  # fmt: skip
FETCH_MAX_WAIT_MS = TABLE.option(
    "kafka.fetch.max.wait.ms", Int(low=0), default=500, side=Side.READ,
    doc="How long a broker waits for records before it answers that there are none.",
)  # fmt: skip
CHECK_CRCS = TABLE.option(
    "kafka.check.crcs", Bool(), default=True, side=Side.READ,
    doc="Accepted for compatibility: checksums are always verified.",
)  # fmt: skip

# ---------------------------------------------------------------- settings of Kafka's own clients

TABLE.ignore(
    Side.ANY,
    "client.dns.lookup", "client.rack", "connections.max.idle.ms", "enable.metrics.push",
    "metadata.max.age.ms", "metadata.recovery.rebootstrap.trigger.ms", "metadata.recovery.strategy",
    "metric.reporters", "metrics.num.samples", "metrics.recording.level", "metrics.sample.window.ms",
    "receive.buffer.bytes", "reconnect.backoff.max.ms", "reconnect.backoff.ms", "retry.backoff.max.ms",
    "retry.backoff.ms", "send.buffer.bytes", "socket.connection.setup.timeout.max.ms",
)  # fmt: skip
TABLE.ignore(
    Side.READ,
    "allow.auto.create.topics", "auto.commit.interval.ms", "exclude.internal.topics", "fetch.min.bytes",
    "group.instance.id", "group.protocol", "group.remote.assignor", "heartbeat.interval.ms",
    "max.poll.interval.ms", "max.poll.records", "partition.assignment.strategy", "session.timeout.ms",
)  # fmt: skip
TABLE.refuse(Side.READ, "kafka.auto.offset.reset", "say where a new query starts with startingOffsets")
TABLE.refuse(
    Side.READ, "kafka.enable.auto.commit", "name a group in commitGroup to see the progress of a query there"
)
for _name in ("kafka.key.deserializer", "kafka.value.deserializer"):
    TABLE.refuse(Side.READ, _name, "keys and values are bytes; decode them with functions of columns")
TABLE.refuse(Side.ANY, "kafka.interceptor.classes", "there are no classes of Java here")

SECURITY_PROTOCOL = TABLE.option(
    "kafka.security.protocol", Str("PLAINTEXT", any_case=True), default="PLAINTEXT", side=Side.ANY,
    doc="Only PLAINTEXT so far: TLS and SASL are not spoken by this source yet.",
)  # fmt: skip
for _name in ("kafka.ssl.*", "kafka.sasl.*"):
    TABLE.refuse(Side.ANY, _name, "only connections of kafka.security.protocol=PLAINTEXT are spoken so far")
TABLE.refuse(Side.READ, "path", "topics are named by subscribe, subscribePattern or assign, not in load()")


# ---------------------------------------------------------------- all of a query


def parse_options(raw: Mapping[str, str], side: Side) -> Options:
    """The options of a query, each checked by itself and against the others."""
    from riverlog.pipeline import sink_options

    options = TABLE.parse(raw, side)
    if not options[BOOTSTRAP]:
        raise OptionError(f"option {BOOTSTRAP.name} is missing: where is the cluster, as HOST:PORT?")
    if side in Side.READ:
        _check_read(options)
    else:
        sink_options.check(options)
    return options


def _check_read(options: Options) -> None:
    wanted = [row.name for row in (SUBSCRIBE, SUBSCRIBE_PATTERN, ASSIGN) if options.given(row)]
    if len(wanted) != 1:
        which = f"{' and '.join(wanted)} are given" if wanted else "none is given"
        raise OptionError(
            f"one of the options subscribe, subscribePattern, assign says what to read; {which}"
        )
    least, most = options[MIN_OFFSETS_PER_TRIGGER], options[MAX_OFFSETS_PER_TRIGGER]
    if least is not None and most is not None and least > most:
        raise OptionError(f"minOffsetsPerTrigger={least} is more than maxOffsetsPerTrigger={most}")
    least_tasks, most_tasks = options[MIN_PARTITIONS], options[MAX_TASKS]
    if least_tasks is not None and most_tasks is not None and least_tasks > most_tasks:
        raise OptionError(f"minPartitions={least_tasks} is more than maxTasks={most_tasks}")
    start = starting_limit(options)
    if isinstance(start, values.OfGroup) and start.group is None:
        raise OptionError(
            "startingOffsets=group needs a name: group:NAME, or option commitGroup or kafka.group.id"
        )
    if options.side is Side.BATCH_READ:
        _check_batch_start(start)


def _check_batch_start(start: values.Limit) -> None:
    if start == values.Everywhere(values.LATEST):
        raise OptionError("startingOffsets=latest is for streaming reads: a batch would be empty")
    if isinstance(start, values.PerPartition):
        for (topic, partition), offset in start.offsets.items():
            if offset == values.LATEST:
                raise OptionError(
                    f"startingOffsets of {topic}-{partition} is -1 (latest), which is for streaming reads"
                )


def starting_limit(options: Options) -> values.Limit:
    """Where a new query starts: of several options the strongest counts."""
    timestamp = options[STARTING_TIMESTAMP]
    if timestamp is not None:
        return values.AtTime(timestamp)
    by_partition = options[STARTING_OFFSETS_BY_TIMESTAMP]
    if by_partition is not None:
        return by_partition
    start = options[STARTING_OFFSETS] or default_start(options.side)
    if isinstance(start, values.OfGroup) and start.group is None:
        return values.OfGroup(options[COMMIT_GROUP] or options[GROUP_ID])
    return start


def default_start(side: Side) -> values.Everywhere:
    return values.Everywhere(values.EARLIEST if side is Side.BATCH_READ else values.LATEST)


def ending_limit(options: Options) -> values.Limit:
    """Where a batch ends."""
    timestamp = options[ENDING_TIMESTAMP]
    if timestamp is not None:
        return values.AtTime(timestamp)
    return options[ENDING_OFFSETS_BY_TIMESTAMP] or options[ENDING_OFFSETS]
