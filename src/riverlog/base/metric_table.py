"""The metrics of a broker."""

from __future__ import annotations

from riverlog.base.metrics import counter, gauge, histogram, rate

# Traffic

MESSAGES_IN = counter(
    "mq_messages_in_total", unit="records", doc="Records appended by producers.", labels=("topic",)
)
MESSAGES_IN_PER_SEC = rate(
    "mq_messages_in_per_sec", unit="records/s", doc="Records appended a second, over 15 s.", of=MESSAGES_IN
)
BYTES_IN = counter("mq_bytes_in_total", unit="bytes", doc="Bytes appended by producers.", labels=("topic",))
BYTES_IN_PER_SEC = rate(
    "mq_bytes_in_per_sec", unit="bytes/s", doc="Bytes appended a second, over 15 s.", of=BYTES_IN
)
BYTES_OUT = counter("mq_bytes_out_total", unit="bytes", doc="Bytes fetched by consumers.", labels=("topic",))
BYTES_OUT_PER_SEC = rate(
    "mq_bytes_out_per_sec", unit="bytes/s", doc="Bytes fetched a second, over 15 s.", of=BYTES_OUT
)
PRODUCE_LATENCY_MS = histogram(
    "mq_produce_latency_ms", unit="milliseconds", doc="From a whole Produce request received to its reply."
)
FETCH_LATENCY_MS = histogram(
    "mq_fetch_latency_ms",
    unit="milliseconds",
    doc="From a whole Fetch request received to its reply, waiting for data included.",
)

# Requests and connections

REQUESTS = counter("mq_requests_total", unit="requests", doc="Requests received.", labels=("api",))
REQUEST_ERRORS = counter(
    "mq_request_errors_total",
    unit="errors",
    doc="Error codes answered, per partition or topic where the reply has them.",
    labels=("api", "error"),
)
REQUESTS_IN_FLIGHT = gauge(
    "mq_requests_in_flight", unit="requests", doc="Requests received and not answered."
)
REQUEST_MEMORY_BYTES = gauge("mq_request_memory_bytes", unit="bytes", doc="Memory held by requests.")
PARKED_REQUESTS = gauge(
    "mq_parked_requests", unit="requests", doc="Requests waiting for data, disk or time.", labels=("kind",)
)
FETCH_SESSIONS = gauge("mq_fetch_sessions", unit="sessions", doc="Incremental fetch sessions.")
CONNECTIONS = gauge("mq_connections", unit="connections", doc="Open connections.")
CONNECTIONS_ACCEPTED = counter(
    "mq_connections_accepted_total", unit="connections", doc="Connections accepted."
)
CONNECTIONS_CLOSED = counter(
    "mq_connections_closed_total",
    unit="connections",
    doc="Connections closed, by reason.",
    labels=("reason",),
)

# Storage

LOG_SIZE_BYTES = gauge(
    "mq_log_size_bytes", unit="bytes", doc="Size of a partition's log.", labels=("topic", "partition")
)
SEGMENT_COUNT = gauge(
    "mq_segment_count", unit="segments", doc="Segments of a partition.", labels=("topic", "partition")
)
LOG_START_OFFSET = gauge(
    "mq_log_start_offset", unit="offset", doc="First offset of a partition.", labels=("topic", "partition")
)
LOG_END_OFFSET = gauge(
    "mq_log_end_offset", unit="offset", doc="Offset after a partition's last.", labels=("topic", "partition")
)
FSYNC_LATENCY_MS = histogram(
    "mq_fsync_latency_ms", unit="milliseconds", doc="Time of a group commit on disk.", labels=("log_dir",)
)
DISK_FREE_BYTES = gauge(
    "mq_disk_free_bytes", unit="bytes", doc="Free room where a log folder is.", labels=("log_dir",)
)
DISK_TOTAL_BYTES = gauge(
    "mq_disk_total_bytes", unit="bytes", doc="Whole room where a log folder is.", labels=("log_dir",)
)
LOG_DIR_OFFLINE = gauge(
    "mq_log_dir_offline", unit="0 or 1", doc="Whether a log folder failed.", labels=("log_dir",)
)
CLEANER_RUNS = gauge("mq_cleaner_runs", unit="runs", doc="Compactions of logs since the start.")
CLEANER_BYTES_IN = gauge(
    "mq_cleaner_bytes_in", unit="bytes", doc="Bytes of segments compacted since the start."
)
CLEANER_BYTES_OUT = gauge(
    "mq_cleaner_bytes_out", unit="bytes", doc="Bytes that compaction wrote since the start."
)
CLEANER_MAX_DIRTY_PERCENT = gauge(
    "mq_cleaner_max_dirty_percent", unit="percent", doc="Uncompacted share of the dirtiest log."
)
CLEANER_UNCLEANABLE_PARTITIONS = gauge(
    "mq_cleaner_uncleanable_partitions", unit="partitions", doc="Partitions that compaction gave up."
)
TOPICS = gauge("mq_topics", unit="topics", doc="Topics known to this broker.")
PARTITIONS = gauge("mq_partitions", unit="partitions", doc="Partitions this broker has a replica of.")
OFFLINE_PARTITIONS = gauge("mq_offline_partitions", unit="partitions", doc="Partitions without a leader.")

# Metadata

METADATA_COMMITTED_OFFSET = gauge(
    "mq_metadata_committed_offset", unit="offset", doc="Offset after the last committed metadata record."
)
METADATA_SNAPSHOTS = counter(
    "mq_metadata_snapshots_total", unit="snapshots", doc="Metadata snapshots written."
)

# Process

EVENT_LOOP_LAG_MS = histogram(
    "mq_event_loop_lag_ms", unit="milliseconds", doc="How late a timer of the event loop fired."
)
PROCESS_CPU_SECONDS = counter("mq_process_cpu_seconds_total", unit="seconds", doc="CPU time of the process.")
PROCESS_RESIDENT_MEMORY_BYTES = gauge(
    "mq_process_resident_memory_bytes", unit="bytes", doc="Resident memory of the process."
)
START_TIME_SECONDS = gauge(
    "mq_start_time_seconds", unit="seconds", doc="When the broker started, since 1970."
)
