"""TxnOffsetCommit: offsets that a group has read up to once the producer's transaction is committed.

Versions 0–5. Before the first commit of a transaction to an offsets partition its coordinator is asked: up to
version 4 whether the client added that partition (AddOffsetsToTxn), from 5 on to add it. Answered once the
records are committed; they count when the marker of the transaction is.
Differs from Kafka: the records carry the id of the topic, so that a new topic of the same name does not
inherit the offset.
KIPs: 98, 320 (leader epochs from 2), 447 (fencing by member and generation from 3), 890 (verification;
TRANSACTION_ABORTABLE from 4, partitions added by the broker from 5).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base import broker_configs_txn
from riverlog.base.errors import ErrorCode
from riverlog.broker.auto_creation import OFFSETS_TOPIC
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.coordinator.errors import coordinator_error
from riverlog.coordinator.group.offsets_txn import txn_commit, txn_commit_failed
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.txn_offset_commit_request import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestTopic,
)
from riverlog.protocol.generated.txn_offset_commit_response import (
    TxnOffsetCommitResponse,
    TxnOffsetCommitResponsePartition,
    TxnOffsetCommitResponseTopic,
)
from riverlog.storage import UNVERIFIED, LogError, VerificationGuard

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

_LOADING_VERSION_MIN = 2
_ABORTABLE_VERSION_MIN = 4
_ADDING_VERSION_MIN = 5


@handler(ApiKey.TXN_OFFSET_COMMIT, versions=(0, 5))
def txn_offset_commit(
    broker: Broker, context: RequestContext, request: TxnOffsetCommitRequest
) -> TxnOffsetCommitResponse | Later:
    refused = _take_out_unknown(broker, request)
    if not request.topics:
        return TxnOffsetCommitResponse(topics=refused)

    def reply(response: TxnOffsetCommitResponse) -> None:
        if context.api_version < _LOADING_VERSION_MIN:
            _without_loading(response)
        context.reply(TxnOffsetCommitResponse(topics=_merged(refused, response.topics)))

    def fail(error: ErrorCode) -> None:
        reply(txn_commit_failed(request, coordinator_error(error)))

    def commit(guard: VerificationGuard | None) -> None:
        error = broker.groups.submit(
            request.group_id,
            lambda machine, now_ms: txn_commit(
                machine, request, api_version=context.api_version, guard=guard, now_ms=now_ms, to=reply
            ),
        )
        if error:
            fail(error)

    if not request.group_id:
        fail(ErrorCode.INVALID_GROUP_ID)
    elif request.producer_id < 0:
        fail(ErrorCode.INVALID_PRODUCER_ID_MAPPING)  # nobody's transaction: the offsets would count at once
    else:
        _verify(broker, context.api_version, request, commit, fail)
    return PARKED


def _verify(
    broker: Broker,
    version: int,
    request: TxnOffsetCommitRequest,
    commit: Callable[[VerificationGuard | None], None],
    fail: Callable[[ErrorCode], None],
) -> None:
    """Go on with ``commit`` once the transaction is known to cover the group's partition."""
    adding = version >= _ADDING_VERSION_MIN
    if not adding and not broker.config[broker_configs_txn.TRANSACTION_PARTITION_VERIFICATION_ENABLE]:
        commit(UNVERIFIED)
        return
    shard = broker.groups.active(request.group_id)
    if isinstance(shard, ErrorCode):
        fail(shard)
        return
    try:
        guard = shard.partition.begin_coordinator_verification(request.producer_id, request.producer_epoch)
    except LogError as error:
        fail(error.code)
        return
    if guard is None:
        commit(None)
        return
    partition = (OFFSETS_TOPIC, shard.index)

    def verified(errors: dict[tuple[str, int], ErrorCode]) -> None:
        if errors[partition]:
            fail(errors[partition])
        else:
            commit(guard)

    broker.txn_verification.verify(
        request.transactional_id,
        request.producer_id,
        request.producer_epoch,
        [partition],
        add=adding,
        done=verified,
        abortable=version >= _ABORTABLE_VERSION_MIN,
    )


def _take_out_unknown(broker: Broker, request: TxnOffsetCommitRequest) -> list[TxnOffsetCommitResponseTopic]:
    """Leave what exists in the request; answers for the rest."""
    topics = broker.metadata.image.topics
    refused: list[TxnOffsetCommitResponseTopic] = []
    kept: list[TxnOffsetCommitRequestTopic] = []
    for topic in request.topics:
        known = topics.get(topic.name)
        partitions = {} if known is None else known.partitions
        bad = [wanted for wanted in topic.partitions if wanted.partition_index not in partitions]
        if bad:
            refused.append(
                TxnOffsetCommitResponseTopic(
                    name=topic.name,
                    partitions=[
                        TxnOffsetCommitResponsePartition(
                            wanted.partition_index, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
                        )
                        for wanted in bad
                    ],
                )
            )
            topic.partitions = [wanted for wanted in topic.partitions if wanted.partition_index in partitions]
        if topic.partitions:
            kept.append(topic)
    request.topics = kept
    return refused


def _without_loading(response: TxnOffsetCommitResponse) -> None:
    """Producers of before Kafka 2.0 may fail at a coordinator that is loading (KAFKA-7296)."""
    for topic in response.topics:
        for partition in topic.partitions:
            if partition.error_code == ErrorCode.COORDINATOR_LOAD_IN_PROGRESS:
                partition.error_code = ErrorCode.COORDINATOR_NOT_AVAILABLE


def _merged(
    refused: list[TxnOffsetCommitResponseTopic], answered: list[TxnOffsetCommitResponseTopic]
) -> list[TxnOffsetCommitResponseTopic]:
    """Each topic once, as clients expect."""
    topics = {topic.name: topic for topic in refused}
    for topic in answered:
        known = topics.setdefault(topic.name, topic)
        if known is not topic:
            known.partitions += topic.partitions
    return list(topics.values())
