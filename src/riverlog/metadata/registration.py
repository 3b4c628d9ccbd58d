"""Deciding BrokerRegistration and ControllerRegistration.

Differs from Kafka: which replicas an unclean stop costs is decided folder by folder and by the topic's
``ack.after.fsync`` (RULES: registration after an unclean stop, ADR 0015).
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from riverlog.base.errors import ErrorCode
from riverlog.metadata.controller import ControllerSettings, Decision
from riverlog.metadata.electorate import (
    Electorate,
    ack_after_fsync,
    anyone,
    directory_is_unknown,
    directory_of,
)
from riverlog.metadata.image import BrokerState, ClusterState, PartitionState, TopicState
from riverlog.metadata.partition_change import change_partition
from riverlog.metadata.records import (
    METADATA_VERSION_FEATURE,
    SUPPORTED_FEATURES,
    MetadataRecord,
    supports_directories,
)
from riverlog.protocol.generated.broker_registration_request import BrokerRegistrationRequest
from riverlog.protocol.generated.broker_registration_response import BrokerRegistrationResponse
from riverlog.protocol.generated.controller_registration_request import ControllerRegistrationRequest
from riverlog.protocol.generated.controller_registration_response import ControllerRegistrationResponse
from riverlog.protocol.generated.register_broker_record import (
    BrokerEndpoint,
    BrokerFeature,
    RegisterBrokerRecord,
)
from riverlog.protocol.generated.register_controller_record import (
    ControllerEndpoint,
    ControllerFeature,
    RegisterControllerRecord,
)

_RESERVED_IDS = 100
_FIRST_METADATA_VERSION = 1
_CONTROLLERS_FROM = 15


def register_broker(
    state: ClusterState,
    settings: ControllerSettings,
    request: BrokerRegistrationRequest,
    *,
    cluster_id: str,
    offset: int,
    session_alive: bool,
    in_contact: Callable[[int], bool] = anyone,
) -> Decision[BrokerRegistrationResponse]:
    """A fenced registration, and what the end of the incarnation before it means for its replicas.

    ``offset`` is that of the first record decided here: it becomes the broker epoch. ``session_alive``
    says whether the registered incarnation may still live (RULES: early fencing 4). ``in_contact`` says
    which other brokers this controller has heard itself: to those alone leadership is given, and to them
    ``heartbeat(first_contact=True)`` gives what is open when they are heard for the first time.
    """

    def refuse(error: ErrorCode) -> Decision[BrokerRegistrationResponse]:
        return Decision(BrokerRegistrationResponse(error_code=error))

    if request.cluster_id != cluster_id:
        return refuse(ErrorCode.INCONSISTENT_CLUSTER_ID)
    existing = state.brokers.get(request.broker_id)
    again = existing is not None and existing.incarnation_id == request.incarnation_id
    if existing is not None and session_alive and not again:
        return refuse(ErrorCode.DUPLICATE_BROKER_REGISTRATION)
    if request.is_migrating_zk_broker:
        return refuse(ErrorCode.BROKER_ID_NOT_REGISTERED)
    if supports_directories(state.metadata_version) and not _directories_are_sound(state, request):
        return refuse(ErrorCode.INVALID_REGISTRATION)
    if not _features_fit(state, request):
        return refuse(ErrorCode.UNSUPPORTED_VERSION)
    record = _registration(state, request, broker_epoch=offset)
    if again:
        assert existing is not None
        record.broker_epoch = existing.broker_epoch
        record.fenced = existing.fenced
        record.in_controlled_shutdown = existing.in_controlled_shutdown
        return Decision(BrokerRegistrationResponse(broker_epoch=record.broker_epoch), [record])
    clean = existing is not None and request.previous_broker_epoch == existing.broker_epoch
    electorate = Electorate(state, settings, leaving=request.broker_id, in_contact=in_contact)
    records: list[MetadataRecord] = [record]
    for topic, index, partition in state.partitions():
        if request.broker_id in partition.replicas:
            change = _after_restart(electorate, topic, index, partition, request, existing, clean=clean)
            if change is not None:
                records.append(change)
    return Decision(BrokerRegistrationResponse(broker_epoch=offset), records)


def _directories_are_sound(state: ClusterState, request: BrokerRegistrationRequest) -> bool:
    """Some, each once, none that another broker has or that is reserved."""
    taken = {
        directory_id
        for broker in state.brokers.values()
        if broker.broker_id != request.broker_id
        for directory_id in broker.log_dirs
    }
    given = request.log_dirs
    return (
        bool(given)
        and len(set(given)) == len(given)
        and all(one not in taken and int.from_bytes(one, "big") >= _RESERVED_IDS for one in given)
    )


def _features_fit(state: ClusterState, request: BrokerRegistrationRequest) -> bool:
    """Every finalized level must be one that the broker can work at.

    Features that we do not know ourselves (from a Kafka folder) are kept, but nobody acts on them.
    """
    ranges = {one.name: (one.min_supported_version, one.max_supported_version) for one in request.features}
    ranges.setdefault(METADATA_VERSION_FEATURE, (_FIRST_METADATA_VERSION, _FIRST_METADATA_VERSION))
    for name in SUPPORTED_FEATURES:
        level = state.features.get(name, 0)
        low, high = ranges.get(name, (0, 0))
        if level and not low <= level <= high:
            return False
    return True


def _registration(
    state: ClusterState, request: BrokerRegistrationRequest, *, broker_epoch: int
) -> RegisterBrokerRecord:
    return RegisterBrokerRecord(
        broker_id=request.broker_id,
        is_migrating_zk_broker=False,
        incarnation_id=request.incarnation_id,
        broker_epoch=broker_epoch,
        end_points=[
            BrokerEndpoint(name=e.name, host=e.host, port=e.port, security_protocol=e.security_protocol)
            for e in request.listeners
        ],
        features=[
            BrokerFeature(
                name=feature.name,
                min_supported_version=feature.min_supported_version,
                max_supported_version=feature.max_supported_version,
            )
            for feature in request.features
        ],
        rack=request.rack,
        fenced=True,
        in_controlled_shutdown=False,
        log_dirs=list(request.log_dirs) if supports_directories(state.metadata_version) else [],
    )


def _after_restart(
    electorate: Electorate,
    topic: TopicState,
    index: int,
    partition: PartitionState,
    request: BrokerRegistrationRequest,
    existing: BrokerState | None,
    *,
    clean: bool,
) -> MetadataRecord | None:
    """RULES: registration after an unclean stop; watermark 6: whatever it led gets a new leader epoch."""
    broker_id = request.broker_id
    state = electorate.state
    wiped = is_wiped(state, partition, broker_id, request.log_dirs)
    untrusted = not clean and not ack_after_fsync(state, topic.name)
    isr = [one for one in partition.isr if one != broker_id]
    alone = not any(electorate.may_lead(partition, one) and electorate.in_contact(one) for one in isr)
    if broker_id in partition.isr and alone and not wiped and not untrusted:
        # After a power cut of all, each stays, whoever comes first: the cluster heals by itself.
        if partition.leader != broker_id:
            return None
        isr = list(partition.isr)
    directories: dict[int, bytes] = {}
    had = [] if existing is None else existing.log_dirs
    if wiped and len(request.log_dirs) == 1 and len(had) <= 1:
        # A new folder in the place of the only one: no need to wait until the broker says so.
        directories[broker_id] = request.log_dirs[0]
    return change_partition(
        electorate,
        topic,
        index,
        partition,
        isr=isr,
        directories=directories,
        wiped=[broker_id] if wiped else [],
        untrusted=[broker_id] if untrusted else [],
    )


def is_wiped(
    state: ClusterState, partition: PartitionState, broker_id: int, log_dirs: Collection[bytes]
) -> bool:
    """A replica's folder is new or offline, for a broker that starts with ``log_dirs``.

    Where nobody told which one it is, all that were there before must still be there.
    """
    if not supports_directories(state.metadata_version):
        return False
    directory_id = directory_of(partition, broker_id)
    if not directory_is_unknown(directory_id):
        return directory_id not in log_dirs
    before = state.brokers.get(broker_id)
    return before is None or any(one not in log_dirs for one in before.log_dirs)


def register_controller(
    state: ClusterState, request: ControllerRegistrationRequest
) -> Decision[ControllerRegistrationResponse]:
    """Where a controller can be reached and what it supports (KIP-919)."""
    if state.metadata_version < _CONTROLLERS_FROM:
        message = "The metadata version is too old for registrations of controllers."
        error = ErrorCode.UNSUPPORTED_VERSION
        return Decision(ControllerRegistrationResponse(error_code=error, error_message=message))
    record = RegisterControllerRecord(
        controller_id=request.controller_id,
        incarnation_id=request.incarnation_id,
        zk_migration_ready=request.zk_migration_ready,
        end_points=[
            ControllerEndpoint(name=e.name, host=e.host, port=e.port, security_protocol=e.security_protocol)
            for e in request.listeners
        ],
        features=[
            ControllerFeature(
                name=feature.name,
                min_supported_version=feature.min_supported_version,
                max_supported_version=feature.max_supported_version,
            )
            for feature in request.features
        ],
    )
    return Decision(ControllerRegistrationResponse(error_message=None), [record])
