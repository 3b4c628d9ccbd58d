"""Deciding BrokerHeartbeat, fencing and UnregisterBroker: what a broker's life means for its partitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from riverlog.base.errors import ErrorCode
from riverlog.metadata.controller import (
    RECORDS_PER_REQUEST_MAX,
    TOO_MANY_RECORDS,
    ControllerSettings,
    Decision,
)
from riverlog.metadata.electorate import Electorate, directory_of
from riverlog.metadata.image import NO_LEADER, BrokerState, ClusterState, PartitionState
from riverlog.metadata.partition_change import change_partition
from riverlog.metadata.records import MetadataRecord, supports_cordoning, supports_directories
from riverlog.protocol.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from riverlog.protocol.generated.broker_heartbeat_response import BrokerHeartbeatResponse
from riverlog.protocol.generated.broker_registration_change_record import BrokerRegistrationChangeRecord
from riverlog.protocol.generated.unregister_broker_record import UnregisterBrokerRecord
from riverlog.protocol.generated.unregister_broker_request import UnregisterBrokerRequest
from riverlog.protocol.generated.unregister_broker_response import UnregisterBrokerResponse

CHANGES_PER_TURN_MAX = 1000
"""Partitions that a leaving broker is taken from in one batch: about 30 ms of the loop."""
_FENCE, _UNFENCE = 1, -1
_SHUTTING_DOWN = 1


def heartbeat(
    state: ClusterState,
    settings: ControllerSettings,
    request: BrokerHeartbeatRequest,
    *,
    first_contact: bool = False,
    others_caught_up: bool = True,
) -> Decision[BrokerHeartbeatResponse]:
    """Fence, unfence or let stop, as the broker asks and its state allows.

    ``first_contact``: this controller hears this incarnation for the first time; partitions that wait for
    a sign of life of their leader or of anybody go on. ``others_caught_up``: every other active broker has
    read the metadata log up to where this broker's controlled shutdown was decided.
    """
    broker = state.brokers.get(request.broker_id)
    if broker is None or broker.broker_epoch != request.broker_epoch:
        return Decision(BrokerHeartbeatResponse(error_code=ErrorCode.STALE_BROKER_EPOCH))
    caught_up = request.current_metadata_offset >= broker.broker_epoch
    offline = _newly_offline(state, broker, request)
    response = BrokerHeartbeatResponse(is_caught_up=caught_up, is_fenced=broker.fenced)
    records: list[MetadataRecord] = _directory_changes(state, broker, request, offline)
    if broker.fenced:
        if request.want_shut_down:
            response.should_shut_down = True
        elif not request.want_fence and caught_up:
            response.is_fenced = False
            records.append(_change(broker, fenced=_UNFENCE))
            records += _partitions_after(
                Electorate(state, settings, joining=broker.broker_id, offline=offline), broker
            )
            return Decision(response, records)
    elif request.want_fence or _may_stop(state, broker, request, others_caught_up=others_caught_up):
        changes, more = _leaving(
            state, settings, broker, limit=None if request.want_fence else CHANGES_PER_TURN_MAX
        )
        if more:
            # First nobody may take it in again; the next heartbeats take the rest.
            records += [_change(broker, in_controlled_shutdown=_SHUTTING_DOWN), *changes]
        else:
            response.is_fenced = True
            response.should_shut_down = request.want_shut_down
            records += [*changes, _change(broker, fenced=_FENCE)]
        return Decision(response, records)
    elif request.want_shut_down:
        if not broker.in_controlled_shutdown:
            records.append(_change(broker, in_controlled_shutdown=_SHUTTING_DOWN))
        changes, _ = _leaving(state, settings, broker)
        records += changes  # the next heartbeats take the rest
        if records:
            return Decision(response, records)
    if offline or (first_contact and not broker.fenced):
        records += _partitions_after(Electorate(state, settings, offline=offline), broker)
    return Decision(response, records)


def _may_stop(
    state: ClusterState, broker: BrokerState, request: BrokerHeartbeatRequest, *, others_caught_up: bool
) -> bool:
    """It leads nothing, and everybody knows."""
    if not request.want_shut_down:
        return False
    if broker.in_controlled_shutdown and not others_caught_up:
        return False
    return all(partition.leader != broker.broker_id for _, _, partition in state.partitions())


def _newly_offline(
    state: ClusterState, broker: BrokerState, request: BrokerHeartbeatRequest
) -> frozenset[bytes]:
    if not supports_directories(state.metadata_version):
        return frozenset()
    return frozenset(one for one in request.offline_log_dirs if one in broker.log_dirs)


def _directory_changes(
    state: ClusterState, broker: BrokerState, request: BrokerHeartbeatRequest, offline: frozenset[bytes]
) -> list[MetadataRecord]:
    records: list[MetadataRecord] = []
    if offline:
        records.append(_change(broker, log_dirs=[one for one in broker.log_dirs if one not in offline]))
    if request.cordoned_log_dirs is not None:
        records += cordon(state, broker.broker_id, request.cordoned_log_dirs).records
    return records


def cordon(state: ClusterState, broker_id: int, directory_ids: Sequence[bytes]) -> Decision[None]:
    """These of a broker's folders, and no others, get no new replicas (KIP-1066)."""
    broker = state.brokers.get(broker_id)
    same = broker is not None and sorted(directory_ids) == sorted(broker.cordoned_log_dirs or ())
    if broker is None or same or not supports_cordoning(state.metadata_version):
        return Decision(None)
    return Decision(None, [_change(broker, cordoned_log_dirs=list(directory_ids))])


def _change(
    broker: BrokerState,
    *,
    fenced: int = 0,
    in_controlled_shutdown: int = 0,
    log_dirs: list[bytes] | None = None,
    cordoned_log_dirs: list[bytes] | None = None,
) -> BrokerRegistrationChangeRecord:
    return BrokerRegistrationChangeRecord(
        broker_id=broker.broker_id,
        broker_epoch=broker.broker_epoch,
        fenced=fenced,
        in_controlled_shutdown=in_controlled_shutdown,
        log_dirs=log_dirs or [],
        cordoned_log_dirs=cordoned_log_dirs,
    )


def _partitions_after(electorate: Electorate, broker: BrokerState) -> list[MetadataRecord]:
    """What changes when ``broker`` is there: elections, fenced members of the ISR of what it leads, and
    replicas of its folders that went offline."""
    broker_id = broker.broker_id

    def concerned(partition: PartitionState) -> bool:
        return broker_id in partition.replicas and (
            partition.leader in (NO_LEADER, broker_id)
            or directory_of(partition, broker_id) in electorate.offline
        )

    def remaining(partition: PartitionState) -> list[int]:
        gone = directory_of(partition, broker_id) in electorate.offline
        return [one for one in partition.isr if not (gone and one == broker_id)]

    return _changes(electorate, concerned, remaining)[0]


def _leaving(
    state: ClusterState,
    settings: ControllerSettings,
    broker: BrokerState,
    *,
    limit: int | None = CHANGES_PER_TURN_MAX,
) -> tuple[list[MetadataRecord], bool]:
    """Out of every ISR where others remain, and out of every leadership; whether more than ``limit``."""
    broker_id = broker.broker_id
    return _changes(
        Electorate(state, settings, leaving=broker_id),
        lambda partition: partition.leader == broker_id or broker_id in partition.isr,
        lambda partition: [one for one in partition.isr if one != broker_id],
        limit=limit,
    )


def _changes(
    electorate: Electorate,
    concerned: Callable[[PartitionState], bool],
    isr: Callable[[PartitionState], list[int]],
    *,
    limit: int | None = None,
) -> tuple[list[MetadataRecord], bool]:
    """The changes, and whether there are more than ``limit``."""
    records: list[MetadataRecord] = []
    for topic, index, partition in electorate.state.partitions():
        if not concerned(partition):
            continue
        change = change_partition(electorate, topic, index, partition, isr=isr(partition))
        if change is None:
            continue
        if len(records) == limit:
            return records, True
        records.append(change)
    return records, False


def fence(
    state: ClusterState, settings: ControllerSettings, broker_id: int, *, epoch: int | None = None
) -> Decision[bool]:
    """A broker that is silent for too long leads nothing any more.

    It is fenced now, so that nobody takes it in again; of its partitions a bounded number goes now, and if
    the answer is true ``settle_fenced`` sees to the others. Nothing is decided if it is fenced already, or
    (with ``epoch``) has registered anew meanwhile.
    """
    broker = state.brokers.get(broker_id)
    if broker is None or broker.fenced or epoch not in (None, broker.broker_epoch):
        return Decision(False)
    records, more = _leaving(state, settings, broker)
    return Decision(more, [*records, _change(broker, fenced=_FENCE)])


def settle_fenced(
    state: ClusterState, settings: ControllerSettings, broker_id: int, *, epoch: int
) -> Decision[bool]:
    """More of the partitions of a broker that was just fenced; true if there are others still.

    Not if it is back: then it may keep them.
    """
    broker = state.brokers.get(broker_id)
    if broker is None or not broker.fenced or broker.broker_epoch != epoch:
        return Decision(False)
    records, more = _leaving(state, settings, broker)
    return Decision(more, records)


def settle_fenced_leaders(state: ClusterState, settings: ControllerSettings) -> Decision[bool]:
    """What a controller that died while it fenced somebody left: partitions led by who is fenced.

    True if there are others still. In-sync sets stay: after a power cut of all they are needed.
    """
    fenced = {one.broker_id for one in state.brokers.values() if one.fenced}
    records, more = _changes(
        Electorate(state, settings),
        lambda partition: partition.leader in fenced,
        lambda partition: list(partition.isr),
        limit=CHANGES_PER_TURN_MAX,
    )
    return Decision(more, records)


def unregister(
    state: ClusterState, settings: ControllerSettings, request: UnregisterBrokerRequest
) -> Decision[UnregisterBrokerResponse]:
    """Forget a broker. Its replicas stay assigned to it until they are reassigned."""
    broker = state.brokers.get(request.broker_id)
    if broker is None:
        message = f"Broker ID {request.broker_id} is not currently registered"
        error = ErrorCode.BROKER_ID_NOT_REGISTERED
        return Decision(UnregisterBrokerResponse(error_code=error, error_message=message))
    records, _ = _leaving(state, settings, broker, limit=None)
    if len(records) >= RECORDS_PER_REQUEST_MAX:
        error = ErrorCode.POLICY_VIOLATION
        return Decision(UnregisterBrokerResponse(error_code=error, error_message=TOO_MANY_RECORDS))
    records.append(UnregisterBrokerRecord(broker_id=broker.broker_id, broker_epoch=broker.broker_epoch))
    return Decision(UnregisterBrokerResponse(error_message=None), records)
