"""Broker settings of replication between brokers. Kafka's names, bounds and defaults (4.3)."""

from __future__ import annotations

from riverlog.base.config_table import Dynamic, broker_config
from riverlog.base.config_types import LONG_MAX, Bool, Int, Long, Nullable, Str

REPLICA_LAG_TIME_MAX_MS = broker_config(
    "replica.lag.time.max.ms",
    Long(),
    default=30_000,
    doc="A follower that has not caught up with its leader for so long leaves the in-sync replicas.",
)
REPLICA_SOCKET_TIMEOUT_MS = broker_config(
    "replica.socket.timeout.ms",
    Int(),
    default=30_000,
    doc="A fetch of a follower that is not answered within this counts as failed.",
)
REPLICA_FETCH_MAX_BYTES = broker_config(
    "replica.fetch.max.bytes",
    Int(low=0),
    default=1_048_576,
    doc="Bytes a follower asks for per partition; a larger batch comes all the same.",
)
REPLICA_FETCH_WAIT_MAX_MS = broker_config(
    "replica.fetch.wait.max.ms",
    Int(),
    default=500,
    doc="How long a leader may hold a follower's fetch when there is nothing new.",
)
REPLICA_FETCH_BACKOFF_MS = broker_config(
    "replica.fetch.backoff.ms",
    Int(low=0),
    default=1_000,
    doc="How long a follower leaves a partition alone whose fetch failed.",
)
REPLICA_FETCH_MIN_BYTES = broker_config(
    "replica.fetch.min.bytes",
    Int(),
    default=1,
    doc="A follower's fetch is answered once so many bytes are there.",
)
REPLICA_FETCH_RESPONSE_MAX_BYTES = broker_config(
    "replica.fetch.response.max.bytes",
    Int(low=0),
    default=10_485_760,
    doc="Bytes a follower asks for in one fetch.",
)
REPLICA_SELECTOR_CLASS = broker_config(
    "replica.selector.class",
    Nullable(Str()),
    default=None,
    doc="org.apache.kafka.common.replica.RackAwareReplicaSelector lets consumers read from a replica "
    "in their rack (KIP-392); unset, they read from the leader.",
)
LEADER_REPLICATION_THROTTLED_RATE = broker_config(
    "leader.replication.throttled.rate",
    Long(low=0),
    default=LONG_MAX,
    doc="Bytes per second that this broker gives, as leader, to throttled replicas.",
    dynamic=Dynamic.CLUSTER_WIDE,
    internal=True,
)
FOLLOWER_REPLICATION_THROTTLED_RATE = broker_config(
    "follower.replication.throttled.rate",
    Long(low=0),
    default=LONG_MAX,
    doc="Bytes per second that this broker fetches for throttled replicas of its own.",
    dynamic=Dynamic.CLUSTER_WIDE,
    internal=True,
)
AUTO_LEADER_REBALANCE_ENABLE = broker_config(
    "auto.leader.rebalance.enable",
    Bool(),
    default=True,
    doc="The controller gives partitions back to their preferred leaders.",
)
LEADER_IMBALANCE_CHECK_INTERVAL_SECONDS = broker_config(
    "leader.imbalance.check.interval.seconds",
    Long(low=1),
    default=300,
    doc="How often it looks whether there is something to give back.",
)
UNCLEAN_LEADER_ELECTION_INTERVAL_MS = broker_config(
    "unclean.leader.election.interval.ms",
    Long(low=1),
    default=300_000,
    doc="How often the controller looks for partitions that only an unclean election gives a leader.",
    internal=True,
)
BROKER_REPLICA_REPLACEMENT_TIMEOUT_MS = broker_config(
    "broker.replica.replacement.timeout.ms",
    Long(low=0),
    default=3_600_000,
    doc="Replicas of a broker that stays fenced for this long are made anew on other brokers; 0: never.",
    ours=True,
)
