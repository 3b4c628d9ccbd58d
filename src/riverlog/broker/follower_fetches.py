"""Fetches by followers of partitions that this broker leads: what they say, and what they get."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.protocol.generated.fetch_response import EpochEndOffset, PartitionData
from riverlog.storage import LogError, OffsetOutOfRange

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.fetch_sessions import FetchedPartition, FetchSession
    from riverlog.replication import Partition


def count_fetches(broker: Broker, session: FetchSession, replica_id: int, broker_epoch: int) -> None:
    """Every offset in a follower's request says what is durable there: watermarks and in-sync sets may move.

    One that diverges from our log says nothing before it is cut.
    """
    registered = broker.metadata.image.brokers.get(replica_id)
    registered_epoch = -1 if registered is None else registered.broker_epoch
    now = broker.clock.monotonic()
    changes = broker.replicas.isr_changes
    lag_seconds_max = changes.lag_seconds_max
    for wanted in session.partitions.values():
        partition = broker.partition_of(wanted.key)
        if isinstance(partition, ErrorCode) or not partition.is_leader:
            continue
        if (
            wanted.settled_epoch == partition.leader_epoch
            and broker_epoch >= registered_epoch
            and partition.still_has_all(
                replica_id,
                fetch_offset=wanted.fetch_offset,
                log_start_offset=wanted.replica_log_start,
                broker_epoch=broker_epoch,
                now=now,
            )
        ):
            continue
        if partition.check_epoch(wanted.current_leader_epoch):
            continue
        try:
            if _divergence(partition, wanted) is not None:
                continue
        except LogError:
            continue  # its own answer says why
        proposal = partition.fetched(
            replica_id,
            fetch_offset=wanted.fetch_offset,
            fetch_epoch=wanted.current_leader_epoch,
            log_start_offset=wanted.replica_log_start,
            broker_epoch=broker_epoch,
            registered_epoch=registered_epoch,
            is_alive=registered is not None and registered.active,
            now=now,
            lag_seconds_max=lag_seconds_max,
        )
        if proposal is not None:
            changes.propose(partition, proposal)


def read_for_follower(
    broker: Broker,
    partition: Partition,
    wanted: FetchedPartition,
    replica_id: int,
    *,
    max_bytes: int,
    min_one: bool,
) -> PartitionData:
    """Up to the log end, for a replica of the partition."""
    log = partition.log
    data = PartitionData(
        partition_index=wanted.key[2],
        high_watermark=partition.high_watermark,
        last_stable_offset=-1,
        log_start_offset=log.log_start_offset,
        records=b"",
    )
    if replica_id not in partition.in_sync.followers:
        data.error_code = ErrorCode.NOT_LEADER_OR_FOLLOWER
        return data
    try:
        diverging = _divergence(partition, wanted)
        if diverging is not None:
            data.diverging_epoch = EpochEndOffset(*diverging)
            return data
        if broker.replicas.throttles.holds_back_leader(partition, replica_id):
            return data
        records = partition.read_as_replica(
            wanted.fetch_offset, max_bytes=min(wanted.max_bytes, max_bytes), min_one=min_one
        )
    except OffsetOutOfRange:
        data.error_code = ErrorCode.OFFSET_OUT_OF_RANGE  # with our log start: the follower begins there
        return data
    except LogError as refused:
        data.error_code = refused.code
        return data
    if records is not None:
        data.records = records
    return data


def _divergence(partition: Partition, wanted: FetchedPartition) -> tuple[int, int] | None:
    return partition.divergence(fetch_offset=wanted.fetch_offset, last_epoch=wanted.last_fetched_epoch)
