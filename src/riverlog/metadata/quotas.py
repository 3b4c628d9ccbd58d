"""Deciding AlterClientQuotas, and what DescribeClientQuotas answers.

An entity is a user, a client id, both, or an address; a name of None is the default of its kind. Errors
are Kafka's. Differs from Kafka: not-a-number is refused, addresses are numbers only (no name is
looked up), and of an entity named twice in a request nothing is applied.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import ip_address

from riverlog.base.errors import ErrorCode
from riverlog.metadata.controller import RECORDS_PER_REQUEST_MAX, TOO_MANY_RECORDS, Decision, Refused
from riverlog.metadata.image import ClusterState
from riverlog.metadata.records import MetadataRecord
from riverlog.protocol.generated import alter_client_quotas_response as altered
from riverlog.protocol.generated import describe_client_quotas_response as described
from riverlog.protocol.generated.alter_client_quotas_request import AlterClientQuotasRequest, OpData
from riverlog.protocol.generated.client_quota_record import ClientQuotaRecord, EntityData
from riverlog.protocol.generated.describe_client_quotas_request import (
    ComponentData,
    DescribeClientQuotasRequest,
)

USER = "user"
CLIENT_ID = "client-id"
IP = "ip"
_KINDS = (USER, CLIENT_ID, IP)

PRODUCER_BYTE_RATE = "producer_byte_rate"
CONSUMER_BYTE_RATE = "consumer_byte_rate"
REQUEST_PERCENTAGE = "request_percentage"
CONTROLLER_MUTATION_RATE = "controller_mutation_rate"
CONNECTION_CREATION_RATE = "connection_creation_rate"

_FRACTION_MIN = 1e-6
_CLIENT_KEYS: dict[str, tuple[int, str] | None] = {
    PRODUCER_BYTE_RATE: (2**63, "a LONG"),
    CONSUMER_BYTE_RATE: (2**63, "a LONG"),
    REQUEST_PERCENTAGE: None,
    CONTROLLER_MUTATION_RATE: None,
}
"""Of a whole number its bound; None where fractions are fine."""
_IP_KEYS: dict[str, tuple[int, str] | None] = {CONNECTION_CREATION_RATE: (2**31 - 1, "an INT")}

_MATCH_EXACT, _MATCH_DEFAULT, _MATCH_ANY = range(3)

Entity = tuple[tuple[str, str | None], ...]
"""Pairs of kind and name, in the order of the kinds, as the image keeps them."""


def alter_client_quotas(
    state: ClusterState, request: AlterClientQuotasRequest
) -> Decision[altered.AlterClientQuotasResponse]:
    """All of an entity's changes or none of them."""
    changes: dict[Entity, list[MetadataRecord]] = {}
    refused: dict[Entity, tuple[ErrorCode, str | None]] = {}
    for entry in request.entries:
        entity = _entity((part.entity_type, part.entity_name) for part in entry.entity)
        try:
            if entity in changes:
                raise Refused(ErrorCode.INVALID_REQUEST, f"Ignoring duplicate entity {_text(entity)}")
            changes[entity] = []
            changes[entity] = _alter_entity(state, entity, entry.ops)
        except Refused as why:
            changes[entity] = []
            refused.setdefault(entity, (why.error, why.message))
    records = [record for found in changes.values() for record in found]
    if len(records) > RECORDS_PER_REQUEST_MAX:
        refused = dict.fromkeys(changes, (ErrorCode.POLICY_VIOLATION, TOO_MANY_RECORDS))
        records = []
    entries = []
    for entity in changes:
        error, message = refused.get(entity, (ErrorCode.NONE, None))
        named = [altered.EntityData(entity_type=kind, entity_name=name) for kind, name in entity]
        entries.append(altered.EntryData(error_code=error, error_message=message, entity=named))
    response = altered.AlterClientQuotasResponse(entries=entries)
    return Decision(response, [] if request.validate_only else records)


def _entity(pairs: Iterable[tuple[str, str | None]]) -> Entity:
    return tuple(sorted(dict(pairs).items(), key=lambda pair: pair[0]))


def _text(entity: Entity) -> str:
    return ", ".join(f"{kind}={name if name is not None else '<default>'}" for kind, name in entity)


def _alter_entity(state: ClusterState, entity: Entity, operations: Sequence[OpData]) -> list[MetadataRecord]:
    keys = _keys_of(entity)
    seen: set[str] = set()
    records: list[MetadataRecord] = []
    for operation in operations:
        key = operation.key
        if key in seen:
            raise Refused(ErrorCode.INVALID_REQUEST, f"Duplicate quota key {key} of {_text(entity)}")
        seen.add(key)
        current = state.quotas.get((entity, key))
        if operation.remove:
            if current is None:
                continue
        else:
            _check_value(keys, key, operation.value)
            if current is not None and current.value == operation.value:
                continue
        records.append(
            ClientQuotaRecord(
                entity=[EntityData(entity_type=kind, entity_name=name) for kind, name in entity],
                key=key,
                value=0.0 if operation.remove else operation.value,
                remove=operation.remove,
            )
        )
    return records


def _keys_of(entity: Entity) -> dict[str, tuple[int, str] | None]:
    """The keys that such an entity may have."""

    def refuse(message: str) -> Refused:
        return Refused(ErrorCode.INVALID_REQUEST, message)

    if not entity:
        raise refuse("Invalid empty client quota entity")
    for kind, name in entity:
        if kind not in _KINDS:
            raise refuse(f"Unhandled client quota entity type: {kind}")
        if name == "":
            raise refuse(f"Empty {kind} not supported")
    if entity[-1][0] != IP and entity[0][0] != IP:
        return _CLIENT_KEYS
    if len(entity) > 1:
        raise refuse("Invalid quota entity combination: an IP goes with neither a user nor a client id")
    address = entity[0][1]
    if address is not None and canonical_ip(address) is None:
        raise refuse(f"{address} is not a valid IP address.")
    return _IP_KEYS


def canonical_ip(text: str) -> str | None:
    """The one way to write an address; None for what is none."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return str(address if mapped is None else mapped)


def _check_value(keys: dict[str, tuple[int, str] | None], key: str, value: float) -> None:
    if key not in keys:
        raise Refused(ErrorCode.INVALID_REQUEST, f"Invalid configuration key {key}")
    if not value > 0:
        raise Refused(ErrorCode.INVALID_REQUEST, f"Quota {key} must be greater than 0")
    whole = keys[key]
    if whole is None:
        return
    bound, type_name = whole
    if value > bound:
        message = f"Proposed value for {key} is too large for {type_name}."
        raise Refused(ErrorCode.INVALID_REQUEST, message)
    if value % 1.0 > _FRACTION_MIN:
        raise Refused(ErrorCode.INVALID_REQUEST, f"{key} cannot be a fractional value.")


# -- describing ----------------------------------------------------------------------------


def describe_client_quotas(
    state: ClusterState, request: DescribeClientQuotasRequest
) -> described.DescribeClientQuotasResponse:
    """Every entity that has what the filter asks for; a strict one has nothing else."""
    try:
        wanted = _filter(request.components)
    except Refused as why:
        return described.DescribeClientQuotasResponse(
            error_code=why.error, error_message=why.message, entries=None
        )
    values: dict[Entity, list[described.ValueData]] = {}
    for (entity, key), record in state.quotas.items():
        if _matches(entity, wanted, strict=request.strict):
            values.setdefault(entity, []).append(described.ValueData(key=key, value=record.value))
    return described.DescribeClientQuotasResponse(
        entries=[
            described.EntryData(
                entity=[described.EntityData(entity_type=kind, entity_name=name) for kind, name in entity],
                values=found,
            )
            for entity, found in values.items()
        ]
    )


def _filter(components: Sequence[ComponentData]) -> dict[str, tuple[bool, str | None]]:
    """For each kind whether any name will do, else which."""

    def refuse(message: str) -> Refused:
        return Refused(ErrorCode.INVALID_REQUEST, message)

    wanted: dict[str, tuple[bool, str | None]] = {}
    for component in components:
        kind, match = component.entity_type, component.match
        if not kind:
            raise refuse("Invalid empty entity type.")
        if kind in wanted:
            raise refuse(f"Entity type {kind} cannot appear more than once in the filter.")
        if kind not in _KINDS:
            raise Refused(ErrorCode.UNSUPPORTED_VERSION, f"Unsupported entity type {kind}")
        if component.match_type not in (_MATCH_EXACT, _MATCH_DEFAULT, _MATCH_ANY):
            raise refuse(f"Unknown match type {component.match_type}")
        if component.match_type == _MATCH_EXACT and match is None:
            raise refuse("An exact match needs a name.")
        if component.match_type != _MATCH_EXACT and match is not None:
            raise refuse("Only an exact match may have a name.")
        wanted[kind] = (component.match_type == _MATCH_ANY, match)
    if IP in wanted and len(wanted) > 1:
        raise refuse("A filter for IPs goes with neither users nor client ids.")
    return wanted


def _matches(entity: Entity, wanted: dict[str, tuple[bool, str | None]], *, strict: bool) -> bool:
    if strict and len(entity) != len(wanted):
        return False
    names = dict(entity)
    return all(
        kind in names and (any_name or names[kind] == name) for kind, (any_name, name) in wanted.items()
    )
