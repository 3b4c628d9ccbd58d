"""The settings of a broker: identity, listeners, requests, limits, metadata quorum.

Kafka's names and defaults (4.3) unless marked ``ours``. Log settings are in ``broker_configs_log``,
those of features still to come in ``broker_configs_later``.
"""

from __future__ import annotations

from riverlog.base.config_table import Dynamic, broker_config
from riverlog.base.config_types import INT_MAX, LONG_MAX, Bool, HostCounts, Int, List, Long, Nullable, Str

# Identity and roles

PROCESS_ROLES = broker_config(
    "process.roles",
    List("broker", "controller"),
    default=("broker", "controller"),
    doc="What this node is; by default both, a combined node.",
)
NODE_ID = broker_config(
    "node.id",
    Nullable(Int(low=0)),
    default=None,
    doc="Number of this node; by default the one in meta.properties, else 1.",
)
BROKER_ID = broker_config(
    "broker.id",
    Int(),
    default=-1,
    doc="Old name of node.id: where both are set they must be equal.",
)
BROKER_RACK = broker_config(
    "broker.rack",
    Nullable(Str()),
    default=None,
    doc="Rack of this node, reported to clients.",
)

# Listeners

LISTENERS = broker_config(
    "listeners",
    List(),
    default=("PLAINTEXT://:9092",),
    doc="Where to listen: NAME://host:port, the host empty for the usual interface, 0.0.0.0 for all.",
)
ADVERTISED_LISTENERS = broker_config(
    "advertised.listeners",
    Nullable(List()),
    default=None,
    doc="What clients are told to connect to; by default what we listen on.",
)
LISTENER_SECURITY_PROTOCOL_MAP = broker_config(
    "listener.security.protocol.map",
    Str(),
    default="SASL_SSL:SASL_SSL,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT",
    doc="Security protocol of each listener name.",
)
INTER_BROKER_LISTENER_NAME = broker_config(
    "inter.broker.listener.name",
    Nullable(Str()),
    default=None,
    doc="Listener that brokers use among themselves.",
)
SECURITY_INTER_BROKER_PROTOCOL = broker_config(
    "security.inter.broker.protocol",
    Str("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"),
    default="PLAINTEXT",
    doc="Security protocol between brokers, where inter.broker.listener.name does not say it.",
)
CONTROLLER_LISTENER_NAMES = broker_config(
    "controller.listener.names",
    List(),
    default=(),
    doc="Listeners of the controller.",
)
EARLY_START_LISTENERS = broker_config(
    "early.start.listeners",
    Nullable(List()),
    default=None,
    doc="Listeners that open before authorization is loaded.",
    honoured=False,
)

# Connections and requests

SOCKET_SEND_BUFFER_BYTES = broker_config(
    "socket.send.buffer.bytes",
    Int(),
    default=102_400,
    doc="Send buffer of a socket; -1 leaves it to the system.",
)
SOCKET_RECEIVE_BUFFER_BYTES = broker_config(
    "socket.receive.buffer.bytes",
    Int(),
    default=102_400,
    doc="Receive buffer of a socket; -1 leaves it to the system.",
)
SOCKET_REQUEST_MAX_BYTES = broker_config(
    "socket.request.max.bytes",
    Int(low=1),
    default=104_857_600,
    doc="Largest request; a larger one closes its connection.",
)
SOCKET_LISTEN_BACKLOG_SIZE = broker_config(
    "socket.listen.backlog.size",
    Int(low=1),
    default=50,
    doc="Connections the system may hold before we accept them.",
)
MAX_CONNECTIONS = broker_config(
    "max.connections",
    Int(low=0),
    default=INT_MAX,
    doc="Most connections at a time; past it the longest idle one is closed.",
    dynamic=Dynamic.CLUSTER_WIDE,
)
MAX_CONNECTIONS_PER_IP = broker_config(
    "max.connections.per.ip",
    Int(low=0),
    default=INT_MAX,
    doc="Most connections at a time from one address.",
    dynamic=Dynamic.CLUSTER_WIDE,
)
MAX_CONNECTIONS_PER_IP_OVERRIDES = broker_config(
    "max.connections.per.ip.overrides",
    HostCounts(),
    default="",
    doc="Other limits for some addresses: host:count, separated by commas.",
    dynamic=Dynamic.CLUSTER_WIDE,
)
MAX_CONNECTION_CREATION_RATE = broker_config(
    "max.connection.creation.rate",
    Int(low=0),
    default=INT_MAX,
    doc="Most new connections a second; past it accepting pauses.",
    dynamic=Dynamic.CLUSTER_WIDE,
)
QUOTA_WINDOW_NUM = broker_config(
    "quota.window.num",
    Int(low=1),
    default=11,
    doc="Samples over which the rate of a client is averaged for its quota.",
)
QUOTA_WINDOW_SIZE_SECONDS = broker_config(
    "quota.window.size.seconds",
    Int(low=1),
    default=1,
    doc="Time that one of these samples covers.",
)
CONTROLLER_QUOTA_WINDOW_NUM = broker_config(
    "controller.quota.window.num",
    Int(low=1),
    default=11,
    doc="Samples of a quota on partitions created and deleted: with their length, how large a burst may be.",
)
CONTROLLER_QUOTA_WINDOW_SIZE_SECONDS = broker_config(
    "controller.quota.window.size.seconds",
    Int(low=1),
    default=1,
    doc="Time that one of these samples covers.",
)
CONNECTIONS_MAX_IDLE_MS = broker_config(
    "connections.max.idle.ms",
    Long(),
    default=600_000,
    doc="Connections without a request for this long are closed.",
)
QUEUED_MAX_REQUESTS = broker_config(
    "queued.max.requests",
    Int(low=1),
    default=500,
    doc="Most requests in work at a time; past it no more are read.",
)
QUEUED_MAX_REQUEST_BYTES = broker_config(
    "queued.max.request.bytes",
    Long(),
    default=-1,
    doc="Most bytes of requests held in memory at a time; -1 means no limit of its own.",
)
REQUEST_TIMEOUT_MS = broker_config(
    "request.timeout.ms",
    Int(),
    default=30_000,
    doc="How long a request to another node may take.",
)
NUM_NETWORK_THREADS = broker_config(
    "num.network.threads",
    Int(low=1),
    default=3,
    doc="Threads for sockets. Without effect here: one loop serves all connections.",
    dynamic=Dynamic.CLUSTER_WIDE,
    honoured=False,
)
NUM_IO_THREADS = broker_config(
    "num.io.threads",
    Int(low=1),
    default=8,
    doc="Threads for requests. Without effect here: one loop serves all requests.",
    dynamic=Dynamic.CLUSTER_WIDE,
    honoured=False,
)
BACKGROUND_THREADS = broker_config(
    "background.threads",
    Int(low=1),
    default=10,
    doc="Threads for background work. Without effect here.",
    dynamic=Dynamic.CLUSTER_WIDE,
    honoured=False,
)
FETCH_MAX_BYTES = broker_config(
    "fetch.max.bytes",
    Int(low=1024),
    default=57_671_680,
    doc="Most bytes a fetch answers with, whatever the client asks for.",
)
MAX_INCREMENTAL_FETCH_SESSION_CACHE_SLOTS = broker_config(
    "max.incremental.fetch.session.cache.slots",
    Int(low=0),
    default=1000,
    doc="Most fetch sessions at a time (KIP-227).",
)
MAX_REQUEST_PARTITION_SIZE_LIMIT = broker_config(
    "max.request.partition.size.limit",
    Int(low=1),
    default=2000,
    doc="Most partitions in one DescribeTopicPartitions answer.",
)
UNSTABLE_API_VERSIONS_ENABLE = broker_config(
    "unstable.api.versions.enable",
    Bool(),
    default=False,
    doc="Serve API versions that Kafka still calls unstable.",
    internal=True,
    honoured=False,
)
UNSTABLE_FEATURE_VERSIONS_ENABLE = broker_config(
    "unstable.feature.versions.enable",
    Bool(),
    default=False,
    doc="Allow feature levels that Kafka still calls unstable.",
    internal=True,
    honoured=False,
)

# Topics

NUM_PARTITIONS = broker_config(
    "num.partitions",
    Int(low=1),
    default=1,
    doc="Partitions of a topic created without a count.",
)
DEFAULT_REPLICATION_FACTOR = broker_config(
    "default.replication.factor",
    Int(low=1),
    default=1,
    doc="Replicas of a topic created without a count.",
)
AUTO_CREATE_TOPICS_ENABLE = broker_config(
    "auto.create.topics.enable",
    Bool(),
    default=True,
    doc="Create a topic when a client asks for its metadata and allows it.",
)
DELETE_TOPIC_ENABLE = broker_config(
    "delete.topic.enable",
    Bool(),
    default=True,
    doc="Whether topics can be deleted.",
)
PRODUCER_ID_EXPIRATION_MS = broker_config(
    "producer.id.expiration.ms",
    Int(low=1),
    default=86_400_000,
    doc="Forget an idempotent producer that has not written for this long.",
    dynamic=Dynamic.CLUSTER_WIDE,
)
PRODUCER_ID_EXPIRATION_CHECK_INTERVAL_MS = broker_config(
    "producer.id.expiration.check.interval.ms",
    Int(low=1),
    default=600_000,
    doc="How often to look for producers to forget.",
    internal=True,
)

# Metadata log and quorum

METADATA_LOG_DIR = broker_config(
    "metadata.log.dir",
    Nullable(Str()),
    default=None,
    doc="Folder of the metadata log; by default the first of log.dirs.",
)
METADATA_LOG_SEGMENT_BYTES = broker_config(
    "metadata.log.segment.bytes",
    Int(low=8 << 20),
    default=1 << 30,
    doc="Roll the metadata log's segment at this size.",
)
INTERNAL_METADATA_LOG_SEGMENT_BYTES = broker_config(
    "internal.metadata.log.segment.bytes",
    Nullable(Int()),
    default=None,
    doc="Overrides metadata.log.segment.bytes without its lower bound. For tests.",
    internal=True,
)
METADATA_LOG_SEGMENT_MS = broker_config(
    "metadata.log.segment.ms",
    Long(),
    default=604_800_000,
    doc="Roll the metadata log's segment after this time.",
)
METADATA_LOG_MAX_RECORD_BYTES_BETWEEN_SNAPSHOTS = broker_config(
    "metadata.log.max.record.bytes.between.snapshots",
    Long(low=1),
    default=20 << 20,
    doc="Write a snapshot at the latest after this many bytes of metadata records.",
)
METADATA_LOG_MAX_SNAPSHOT_INTERVAL_MS = broker_config(
    "metadata.log.max.snapshot.interval.ms",
    Long(low=0),
    default=3_600_000,
    doc="Write a snapshot at the latest after this time if there is something new; 0 turns it off.",
)
METADATA_MAX_RETENTION_BYTES = broker_config(
    "metadata.max.retention.bytes",
    Long(),
    default=100 << 20,
    doc="Size past which old metadata snapshots go. Without effect here: two are kept.",
    honoured=False,
)
METADATA_MAX_RETENTION_MS = broker_config(
    "metadata.max.retention.ms",
    Long(),
    default=604_800_000,
    doc="Age past which old metadata snapshots go. Without effect here.",
    honoured=False,
)
METADATA_MAX_IDLE_INTERVAL_MS = broker_config(
    "metadata.max.idle.interval.ms",
    Int(low=0),
    default=500,
    doc="How often an idle controller writes a no-op record. A lone voter writes none.",
)
INTERNAL_METADATA_MAX_BATCH_SIZE_IN_BYTES = broker_config(
    "internal.metadata.max.batch.size.in.bytes",
    Int(),
    default=8 << 20,
    doc="Largest batch of the metadata log.",
    internal=True,
    honoured=False,
)
INTERNAL_METADATA_DELETE_DELAY_MILLIS = broker_config(
    "internal.metadata.delete.delay.millis",
    Long(),
    default=60_000,
    doc="Time between taking a metadata file out of use and removing it.",
    internal=True,
    honoured=False,
)
CONTROLLER_QUORUM_VOTERS = broker_config(
    "controller.quorum.voters",
    List(),
    default=(),
    doc="Voters of a static quorum: id@host:port, separated by commas.",
)
CONTROLLER_QUORUM_BOOTSTRAP_SERVERS = broker_config(
    "controller.quorum.bootstrap.servers",
    List(),
    default=(),
    doc="Addresses at which the quorum is found: host:port, separated by commas.",
)
CONTROLLER_QUORUM_ELECTION_TIMEOUT_MS = broker_config(
    "controller.quorum.election.timeout.ms",
    Int(low=0),
    default=1000,
    doc="How long a candidate waits for votes.",
)
CONTROLLER_QUORUM_FETCH_TIMEOUT_MS = broker_config(
    "controller.quorum.fetch.timeout.ms",
    Int(low=0),
    default=2000,
    doc="How long a quorum follower waits for its leader before it asks for an election.",
)
CONTROLLER_QUORUM_ELECTION_BACKOFF_MAX_MS = broker_config(
    "controller.quorum.election.backoff.max.ms",
    Int(low=0),
    default=1000,
    doc="Longest wait after a lost election.",
)
CONTROLLER_QUORUM_APPEND_LINGER_MS = broker_config(
    "controller.quorum.append.linger.ms",
    Int(low=0),
    default=25,
    doc="How long a quorum leader gathers records. Without effect here: the group commit gathers them.",
    honoured=False,
)
CONTROLLER_QUORUM_REQUEST_TIMEOUT_MS = broker_config(
    "controller.quorum.request.timeout.ms",
    Int(low=0),
    default=2000,
    doc="How long a request between voters may take.",
)
CONTROLLER_QUORUM_RETRY_BACKOFF_MS = broker_config(
    "controller.quorum.retry.backoff.ms",
    Int(low=0),
    default=20,
    doc="Wait before such a request is sent again.",
)
CONTROLLER_QUORUM_AUTO_JOIN_ENABLE = broker_config(
    "controller.quorum.auto.join.enable",
    Bool(),
    default=True,
    doc="A controller that is not a voter asks to become one. On here, off in Kafka.",
)
CONTROLLER_QUORUM_FETCH_SNAPSHOT_MAX_BYTES = broker_config(
    "controller.quorum.fetch.snapshot.max.bytes",
    Int(low=1),
    default=1 << 20,
    doc="Most bytes of a snapshot in one answer.",
)
CONTROLLER_QUORUM_FETCH_MAX_BYTES = broker_config(
    "controller.quorum.fetch.max.bytes",
    Int(low=1),
    default=1 << 20,
    doc="Most bytes of the metadata log in one answer.",
)
BROKER_HEARTBEAT_INTERVAL_MS = broker_config(
    "broker.heartbeat.interval.ms",
    Int(),
    default=2000,
    doc="How often a broker tells the controller that it lives.",
)
BROKER_SESSION_TIMEOUT_MS = broker_config(
    "broker.session.timeout.ms",
    Int(),
    default=9000,
    doc="A broker not heard of for this long is fenced.",
)
INITIAL_BROKER_REGISTRATION_TIMEOUT_MS = broker_config(
    "initial.broker.registration.timeout.ms",
    Int(),
    default=60_000,
    doc="How long a broker tries to register before it gives up.",
    honoured=False,
)
CONTROLLED_SHUTDOWN_ENABLE = broker_config(
    "controlled.shutdown.enable",
    Bool(),
    default=True,
    doc="Hand leadership over before stopping.",
    honoured=False,
)
SERVER_MAX_STARTUP_TIME_MS = broker_config(
    "server.max.startup.time.ms",
    Long(low=0),
    default=LONG_MAX,
    doc="Longest time a start may take.",
    internal=True,
    honoured=False,
)

# Observing

METRICS_PORT = broker_config(
    "metrics.port",
    Nullable(Int(low=0, high=65_535)),
    default=None,
    doc="Port of /metrics, /healthz and /readyz; 0 takes any free one, unset serves none.",
    ours=True,
)

# Testing

NETWORK_DETOURS = broker_config(
    "network.detours",
    List(),
    default=(),
    doc="Addresses of other nodes to reach through others, HOST:PORT=HOST:PORT: for tests of partitions.",
    internal=True,
    ours=True,
)
