"""Deciding AllocateProducerIds: blocks of ids, each given out once for ever."""

from __future__ import annotations

from riverlog.base.errors import ErrorCode
from riverlog.metadata.controller import Decision
from riverlog.metadata.image import ClusterState
from riverlog.protocol.generated.allocate_producer_ids_response import AllocateProducerIdsResponse
from riverlog.protocol.generated.producer_ids_record import ProducerIdsRecord

BLOCK_SIZE = 1000
_LAST_ID = 2**63 - 1


def allocate_producer_ids(
    state: ClusterState, *, broker_id: int, broker_epoch: int
) -> Decision[AllocateProducerIdsResponse]:
    """The next block for a registered broker."""
    broker = state.brokers.get(broker_id)
    if broker is None:
        return Decision(AllocateProducerIdsResponse(error_code=ErrorCode.BROKER_ID_NOT_REGISTERED))
    if broker.broker_epoch != broker_epoch:
        return Decision(AllocateProducerIdsResponse(error_code=ErrorCode.STALE_BROKER_EPOCH))
    first = state.next_producer_id
    if first > _LAST_ID - BLOCK_SIZE:
        return Decision(AllocateProducerIdsResponse(error_code=ErrorCode.UNKNOWN_SERVER_ERROR))
    record = ProducerIdsRecord(
        broker_id=broker_id, broker_epoch=broker_epoch, next_producer_id=first + BLOCK_SIZE
    )
    response = AllocateProducerIdsResponse(producer_id_start=first, producer_id_len=BLOCK_SIZE)
    return Decision(response, [record])
