"""Every option of writing: one row each."""

from __future__ import annotations

from riverlog.base.config_types import BadValue, Bool, Int, Long, Nullable, Str
from riverlog.pipeline import option_values as values
from riverlog.pipeline.errors import OptionError
from riverlog.pipeline.option_table import Checked, Options, Side
from riverlog.pipeline.options import MIB, TABLE

EXACTLY_ONCE = "exactly-once"
AT_LEAST_ONCE = "at-least-once"
AT_MOST_ONCE = "at-most-once"
ALL = -1

TOPIC = TABLE.option(
    "topic", Nullable(Str(non_empty=True)), default=None, side=Side.WRITE,
    doc="The topic of all rows. Without it rows have a column `topic`.",
)  # fmt: skip
DELIVERY = TABLE.option(
    "delivery", Nullable(Str(EXACTLY_ONCE, AT_LEAST_ONCE, AT_MOST_ONCE, any_case=True)),
    default=None, side=Side.WRITE,
    doc="`exactly-once` (the default of streaming): each task of a micro-batch is one transaction, and a "
    "batch that is run again leaves out what is committed. `at-least-once` (the default of batch writes, "
    "and what Spark's own sink does): rows of a task that fails are written again. `at-most-once` "
    "(streaming only): they are not.",
)  # fmt: skip
CHECK_REPLAYS = TABLE.option(
    "checkReplays", Bool(), default=True, side=Side.WRITE,
    doc="Exactly-once: whether a task that is run again, and finds its rows committed, compares number, "
    "size and checksum of the rows with those committed, and fails where they differ: then rows have "
    "moved from one task to another, and some would be lost or written twice. Turn it off for a query "
    "whose values differ each time (`uuid()`, `rand()`), but whose rows stay in their tasks.",
)  # fmt: skip

# ---------------------------------------------------------------- batches of records


def _acks(text: str) -> int:
    numbers = {"all": ALL, "-1": ALL, "1": 1, "0": 0}
    if text.strip().lower() not in numbers:
        raise BadValue("")
    return numbers[text.strip().lower()]


ACKS = TABLE.option(
    "kafka.acks", Checked(_acks, "all, 1 or 0"), default=ALL, side=Side.WRITE,
    doc="Which replicas must have a batch before it counts as written; exactly-once needs `all`.",
)  # fmt: skip
IDEMPOTENCE = TABLE.option(
    "kafka.enable.idempotence", Bool(), default=True, side=Side.WRITE,
    doc="Whether a batch whose answer was lost is not written twice; works with `kafka.acks=all` only.",
)  # fmt: skip
COMPRESSION = TABLE.option(
    "kafka.compression.type", Str("none", "gzip", "snappy", "lz4", "zstd", any_case=True),
    default="none", side=Side.WRITE,
    doc="The codec of the batches.",
)  # fmt: skip
BATCH_BYTES = TABLE.option(
    "kafka.batch.size", Checked(values.parse_bytes, "a number of bytes like 512k"),
    default=MIB // 2, side=Side.WRITE,
    doc="How many bytes of rows make a batch (Kafka's default is 16 KiB, for records that come one by "
    "one). What is left at the end of a task makes smaller ones.",
)  # fmt: skip
BUFFER_BYTES = TABLE.option(
    "kafka.buffer.memory", Checked(values.parse_bytes, "a number of bytes like 32m"),
    default=32 * MIB, side=Side.WRITE,
    doc="How many bytes a task holds at most, gathered or on their way.",
)  # fmt: skip
MAX_REQUEST_BYTES = TABLE.option(
    "kafka.max.request.size", Checked(values.parse_bytes, "a number of bytes like 1m"),
    default=MIB, side=Side.WRITE,
    doc="The largest record, as it is sent; a topic's `max.message.bytes` is another bound.",
)  # fmt: skip

# ---------------------------------------------------------------- patience

DELIVERY_TIMEOUT_MS = TABLE.option(
    "kafka.delivery.timeout.ms", Int(low=1), default=120_000, side=Side.WRITE,
    doc="How long a batch, or the end of a transaction, is tried while leaders move and brokers are away.",
)  # fmt: skip
MAX_BLOCK_MS = TABLE.option(
    "kafka.max.block.ms", Long(low=1), default=60_000, side=Side.WRITE,
    doc="How long a task waits for a topic to be known, or for a producer id.",
)  # fmt: skip
TRANSACTION_TIMEOUT_MS = TABLE.option(
    "kafka.transaction.timeout.ms", Int(low=1), default=300_000, side=Side.WRITE,
    doc="After this time brokers abort the transaction of a task that says nothing more; longer than the "
    "longest task of a batch, and at most the brokers' `transaction.max.timeout.ms` (15 minutes unless "
    "set). Readers of `read_committed` wait behind a task that died for as long, unless it is run again.",
)  # fmt: skip

# ---------------------------------------------------------------- Spark's own, and those of Kafka's client

CHECKPOINT = TABLE.option(
    "checkpointLocation", Nullable(Str()), default=None, side=Side.STREAM_WRITE,
    doc="Spark's own: where the query keeps its progress. With it the query keeps its id, by which the "
    "sink knows what is committed.",
)  # fmt: skip
QUERY_NAME = TABLE.option(
    "queryName", Nullable(Str()), default=None, side=Side.STREAM_WRITE,
    doc="Spark's own: the name of the query.",
)  # fmt: skip
TABLE.ignore(
    Side.WRITE,
    "linger.ms", "max.in.flight.requests.per.connection", "retries", "compression.gzip.level",
    "compression.lz4.level", "compression.zstd.level", "partitioner.ignore.keys",
    "partitioner.adaptive.partitioning.enable", "partitioner.availability.timeout.ms", "metadata.max.idle.ms",
)  # fmt: skip
for _name in ("kafka.key.serializer", "kafka.value.serializer"):
    TABLE.refuse(Side.WRITE, _name, "columns key and value are strings or bytes; encode them with functions")
TABLE.refuse(Side.WRITE, "kafka.partitioner.class", "give rows a column partition")
TABLE.refuse(Side.WRITE, "kafka.transactional.id", "the sink names its transactions after query and task")
TABLE.refuse(Side.WRITE, "path", "topics are named by option or column topic, not in save() or start()")


def delivery(options: Options) -> str:
    """How often a row is written when tasks fail."""
    wanted = options[DELIVERY] or (EXACTLY_ONCE if options.side is Side.STREAM_WRITE else AT_LEAST_ONCE)
    return wanted.lower()


def check(options: Options) -> None:
    """What concerns several options of writing."""
    wanted = delivery(options)
    if wanted == EXACTLY_ONCE and options[ACKS] != ALL:
        raise OptionError(f"delivery={EXACTLY_ONCE} needs kafka.acks=all, not {options[ACKS]}")
    if wanted == EXACTLY_ONCE and not options[IDEMPOTENCE]:
        raise OptionError(f"delivery={EXACTLY_ONCE} needs kafka.enable.idempotence=true")
    if wanted == AT_MOST_ONCE and options.side is Side.BATCH_WRITE:
        others = f"{AT_LEAST_ONCE} or {EXACTLY_ONCE}"
        raise OptionError(f"delivery={AT_MOST_ONCE} is for streaming writes; a batch write takes {others}")
    batch, buffer = options[BATCH_BYTES], options[BUFFER_BYTES]
    if buffer < batch:
        raise OptionError(f"kafka.buffer.memory={buffer} is less than kafka.batch.size={batch}")
