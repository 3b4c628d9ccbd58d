"""Broker settings of consumer groups and their offsets. Kafka's names, bounds and defaults (4.3)."""

from __future__ import annotations

from typing import TypeVar

from riverlog.base.config_table import ConfigRow, Dynamic, broker_config
from riverlog.base.config_types import INT_MAX, ConfigType, Int, List, Long, Short, Str

T = TypeVar("T")

_WIDE = Dynamic.CLUSTER_WIDE


def _without_effect(name: str, type: ConfigType[T], default: T, why: str) -> None:
    broker_config(name, type, default=default, doc=f"Without effect here: {why}.", honoured=False)


# The coordinator and its topic

GROUP_COORDINATOR_REBALANCE_PROTOCOLS: ConfigRow[tuple[str, ...]] = broker_config(
    "group.coordinator.rebalance.protocols",
    List("consumer", "classic", "share", "streams"),
    default=("classic", "consumer", "streams"),
    doc="Which group protocols are served.",
)
_without_effect("group.coordinator.threads", Int(low=1), 4, "one thread owns all state")
_without_effect("group.coordinator.background.threads", Int(low=1), 2, "one thread owns all state")
_without_effect(
    "group.coordinator.append.linger.ms", Int(low=-1), -1, "the group commit gathers what one turn appends"
)
broker_config(
    "group.coordinator.cached.buffer.max.bytes",
    Int(low=524288),
    default=1_048_588,
    doc="Without effect here: no buffer is kept.",
    dynamic=_WIDE,
    honoured=False,
)
OFFSETS_COMMIT_TIMEOUT_MS = broker_config(
    "offsets.commit.timeout.ms",
    Int(low=1),
    default=5_000,
    doc="How long a change of a group may wait for the disk before its request is answered with an error.",
)
_without_effect("offsets.load.buffer.size", Int(low=1), 5_242_880, "groups load in slices of a few ms")
OFFSETS_TOPIC_REPLICATION_FACTOR = broker_config(
    "offsets.topic.replication.factor",
    Short(low=1),
    default=3,
    doc="Replicas of the offsets topic; at most as many as there are brokers when it is created.",
)
OFFSETS_TOPIC_NUM_PARTITIONS = broker_config(
    "offsets.topic.num.partitions",
    Int(low=1),
    default=50,
    doc="Partitions of the offsets topic when it is created.",
)
OFFSETS_TOPIC_SEGMENT_BYTES = broker_config(
    "offsets.topic.segment.bytes",
    Int(low=1),
    default=104_857_600,
    doc="Segment size of the offsets topic: small, so that it is compacted and loaded faster.",
)
OFFSETS_TOPIC_COMPRESSION_CODEC = broker_config(
    "offsets.topic.compression.codec",
    Int(),
    default=0,
    doc="How batches of the offsets topic are compressed: 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd.",
)

# Offsets

OFFSET_METADATA_MAX_BYTES = broker_config(
    "offset.metadata.max.bytes",
    Int(),
    default=4_096,
    doc="The longest text a client may store with an offset.",
)
OFFSETS_RETENTION_MINUTES = broker_config(
    "offsets.retention.minutes",
    Int(low=1),
    default=10_080,
    doc="How long offsets outlive the group's last member, its subscription to the topic, or (without a "
    "group) the commit.",
)
OFFSETS_RETENTION_CHECK_INTERVAL_MS = broker_config(
    "offsets.retention.check.interval.ms",
    Long(low=1),
    default=600_000,
    doc="How often offsets are checked for their retention.",
)

# Classic groups

GROUP_MIN_SESSION_TIMEOUT_MS = broker_config(
    "group.min.session.timeout.ms",
    Int(),
    default=6_000,
    doc="The shortest session timeout a member may ask for.",
)
GROUP_MAX_SESSION_TIMEOUT_MS = broker_config(
    "group.max.session.timeout.ms",
    Int(),
    default=1_800_000,
    doc="The longest session timeout a member may ask for.",
)
GROUP_INITIAL_REBALANCE_DELAY_MS = broker_config(
    "group.initial.rebalance.delay.ms",
    Int(),
    default=3_000,
    doc="How long the first rebalance of an empty group waits for more members.",
)
GROUP_MAX_SIZE = broker_config(
    "group.max.size",
    Int(low=1),
    default=INT_MAX,
    doc="The most members of a classic group.",
)

# New groups (KIP-848)

GROUP_CONSUMER_SESSION_TIMEOUT_MS = broker_config(
    "group.consumer.session.timeout.ms",
    Int(low=1),
    default=45_000,
    doc="How long a member of the consumer protocol may be silent.",
)
GROUP_CONSUMER_MIN_SESSION_TIMEOUT_MS = broker_config(
    "group.consumer.min.session.timeout.ms",
    Int(low=1),
    default=45_000,
    doc="The shortest session timeout a group's own setting may have.",
)
GROUP_CONSUMER_MAX_SESSION_TIMEOUT_MS = broker_config(
    "group.consumer.max.session.timeout.ms",
    Int(low=1),
    default=60_000,
    doc="The longest session timeout a group's own setting may have.",
)
GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS = broker_config(
    "group.consumer.heartbeat.interval.ms",
    Int(low=1),
    default=5_000,
    doc="How often members of the consumer protocol are told to send a heartbeat.",
)
GROUP_CONSUMER_MIN_HEARTBEAT_INTERVAL_MS = broker_config(
    "group.consumer.min.heartbeat.interval.ms",
    Int(low=1),
    default=5_000,
    doc="The shortest heartbeat interval a group's own setting may have.",
)
GROUP_CONSUMER_MAX_HEARTBEAT_INTERVAL_MS = broker_config(
    "group.consumer.max.heartbeat.interval.ms",
    Int(low=1),
    default=15_000,
    doc="The longest heartbeat interval a group's own setting may have.",
)
GROUP_CONSUMER_MAX_SIZE = broker_config(
    "group.consumer.max.size",
    Int(low=1),
    default=INT_MAX,
    doc="The most members of a group of the consumer protocol.",
)
GROUP_CONSUMER_ASSIGNORS: ConfigRow[tuple[str, ...]] = broker_config(
    "group.consumer.assignors",
    List(),
    default=("uniform", "range"),
    doc="The assignors of the consumer protocol; the first is the default.",
)
GROUP_CONSUMER_MIGRATION_POLICY = broker_config(
    "group.consumer.migration.policy",
    Str("DISABLED", "DOWNGRADE", "UPGRADE", "BIDIRECTIONAL", any_case=True),
    default="bidirectional",
    doc="Whether a group with members may change between the classic and the consumer protocol.",
)
GROUP_CONSUMER_ASSIGNMENT_INTERVAL_MS = broker_config(
    "group.consumer.assignment.interval.ms",
    Int(low=0),
    default=1_000,
    doc="The shortest time between two assignments of one group.",
    dynamic=_WIDE,
)
GROUP_CONSUMER_MIN_ASSIGNMENT_INTERVAL_MS = broker_config(
    "group.consumer.min.assignment.interval.ms",
    Int(low=0),
    default=0,
    doc="The shortest assignment interval a group's own setting may have.",
)
GROUP_CONSUMER_MAX_ASSIGNMENT_INTERVAL_MS = broker_config(
    "group.consumer.max.assignment.interval.ms",
    Int(low=0),
    default=15_000,
    doc="The longest assignment interval a group's own setting may have.",
)
GROUP_CONSUMER_REGEX_REFRESH_INTERVAL_MS = broker_config(
    "group.consumer.regex.refresh.interval.ms",
    Int(low=10_000),
    default=600_000,
    doc="How often subscriptions by regular expression are evaluated again.",
    internal=True,
)
