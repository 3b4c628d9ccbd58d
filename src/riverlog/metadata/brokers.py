"""Deciding about brokers: registration and unfencing."""

from __future__ import annotations

from collections.abc import Sequence

from riverlog.base.listeners import SECURITY_PROTOCOLS, Endpoint
from riverlog.metadata.records import SUPPORTED_FEATURES
from riverlog.protocol.generated.broker_registration_change_record import BrokerRegistrationChangeRecord
from riverlog.protocol.generated.register_broker_record import (
    BrokerEndpoint,
    BrokerFeature,
    RegisterBrokerRecord,
)

_UNFENCE = -1


def register_broker(
    *,
    broker_id: int,
    broker_epoch: int,
    incarnation_id: bytes,
    endpoints: Sequence[Endpoint],
    rack: str | None,
    log_dirs: Sequence[bytes],
) -> RegisterBrokerRecord:
    """A fenced registration. ``broker_epoch`` is the offset this record will have."""
    return RegisterBrokerRecord(
        broker_id=broker_id,
        is_migrating_zk_broker=False,
        incarnation_id=incarnation_id,
        broker_epoch=broker_epoch,
        end_points=[
            BrokerEndpoint(
                name=endpoint.listener,
                host=endpoint.host,
                port=endpoint.port,
                security_protocol=SECURITY_PROTOCOLS[endpoint.security_protocol],
            )
            for endpoint in endpoints
        ],
        features=[
            BrokerFeature(name=name, min_supported_version=low, max_supported_version=high)
            for name, (low, high) in SUPPORTED_FEATURES.items()
        ],
        rack=rack,
        fenced=True,
        in_controlled_shutdown=False,
        log_dirs=list(log_dirs),
    )


def unfencing(broker_id: int, broker_epoch: int) -> BrokerRegistrationChangeRecord:
    """Lets a registered broker lead."""
    return BrokerRegistrationChangeRecord(broker_id=broker_id, broker_epoch=broker_epoch, fenced=_UNFENCE)
