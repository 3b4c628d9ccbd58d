"""Broker settings of transactions. Kafka's names, bounds and defaults (4.3)."""

from __future__ import annotations

from riverlog.base.config_table import Dynamic, broker_config
from riverlog.base.config_types import Bool, Int, Short

# The coordinator's topic

TRANSACTION_STATE_LOG_NUM_PARTITIONS = broker_config(
    "transaction.state.log.num.partitions",
    Int(low=1),
    default=50,
    doc="Partitions of the transaction topic when it is created.",
)
TRANSACTION_STATE_LOG_REPLICATION_FACTOR = broker_config(
    "transaction.state.log.replication.factor",
    Short(low=1),
    default=3,
    doc="Replicas of the transaction topic; at most as many as there are brokers when it is created.",
)
TRANSACTION_STATE_LOG_MIN_ISR = broker_config(
    "transaction.state.log.min.isr",
    Int(low=1),
    default=2,
    doc="min.insync.replicas of the transaction topic when it is created; its replicas, if those are fewer.",
)
TRANSACTION_STATE_LOG_SEGMENT_BYTES = broker_config(
    "transaction.state.log.segment.bytes",
    Int(low=1),
    default=104_857_600,
    doc="Segment size of the transaction topic: small, so that it is compacted and loaded faster.",
)
broker_config(
    "transaction.state.log.load.buffer.size",
    Int(low=1),
    default=5_242_880,
    doc="Without effect here: transactions load in slices of a few ms.",
    honoured=False,
)

# Transactions

TRANSACTION_MAX_TIMEOUT_MS = broker_config(
    "transaction.max.timeout.ms",
    Int(low=1),
    default=900_000,
    doc="The longest transaction.timeout.ms a producer may ask for.",
)
TRANSACTIONAL_ID_EXPIRATION_MS = broker_config(
    "transactional.id.expiration.ms",
    Int(low=1),
    default=604_800_000,
    doc="How long a transactional id without a transaction is remembered.",
)
TRANSACTION_ABORT_TIMED_OUT_CLEANUP_INTERVAL_MS = broker_config(
    "transaction.abort.timed.out.transaction.cleanup.interval.ms",
    Int(low=1),
    default=10_000,
    doc="How often transactions are checked for their time-out.",
)
TRANSACTION_REMOVE_EXPIRED_CLEANUP_INTERVAL_MS = broker_config(
    "transaction.remove.expired.transaction.cleanup.interval.ms",
    Int(low=1),
    default=3_600_000,
    doc="How often transactional ids are checked for their expiry.",
)
TRANSACTION_PARTITION_VERIFICATION_ENABLE = broker_config(
    "transaction.partition.verification.enable",
    Bool(),
    default=True,
    doc="Ask the coordinator whether a transaction goes on before a partition takes its first record.",
    dynamic=Dynamic.CLUSTER_WIDE,
)
ADD_PARTITIONS_TO_TXN_RETRY_BACKOFF_MS = broker_config(
    "add.partitions.to.txn.retry.backoff.ms",
    Int(low=1),
    default=20,
    doc="How long the leader of a partition waits at most until it asks again to have the partition added to "
    "a transaction, while the producer's transaction before that is being ended.",
)
ADD_PARTITIONS_TO_TXN_RETRY_BACKOFF_MAX_MS = broker_config(
    "add.partitions.to.txn.retry.backoff.max.ms",
    Int(low=0),
    default=100,
    doc="How long it goes on asking before the producer has to try again.",
)
