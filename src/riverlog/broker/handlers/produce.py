"""Produce.

Versions 3–13; 0–2 are advertised (librdkafka gates lz4 on them) and refused.
Differs from Kafka: batches stay opaque unless the topic recompresses, is compacted or the batch needs
new timestamps, so a batch with a right CRC around garbage records or a false codec is taken; requests
of one connection overlap while they wait for the disk, replies keep their order. Transactional records in a
request without a transactional id are refused partition by partition, not all of the request. A batch waits
for an earlier one of its producer that was refused for a passing reason.
KIPs: 98 (idempotence, transactions), 110 (zstd from 7), 516 (topic ids from 13), 890 (transactions are
verified; from 12 on partitions are added to them), 951 (the leader with the error, from 10).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.appending import ACKS, ALL, check, find, refused, refused_whole, with_leaders, write
from riverlog.broker.gather import Gather
from riverlog.broker.registry import NO_REPLY, PARKED, Later, handler
from riverlog.broker.txn_produce import TxnProduce
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from riverlog.protocol.generated.produce_response import (
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.PRODUCE, versions=(3, 13), advertised=(0, 13))
def produce(broker: Broker, context: RequestContext, request: ProduceRequest) -> ProduceResponse | Later:
    if request.transactional_id is not None:
        return TxnProduce(broker, context, request).handle()
    acks = request.acks
    if acks not in ACKS:
        return refused_whole(request, ErrorCode.INVALID_REQUIRED_ACKS)
    response = ProduceResponse()
    gather = None
    if acks == ALL:
        gather = Gather(broker.clock, lambda: context.reply(with_leaders(broker, context, response)))
    failed = False
    for topic in request.topic_data:
        partitions = []
        for data in topic.partition_data:
            answer = _append(broker, context, topic, data, gather)
            if answer.error_code:
                failed = True
            partitions.append(answer)
        response.responses.append(TopicProduceResponse(topic.name, topic.topic_id, partitions))
    if acks == 0:
        if failed:
            # The client expects no reply: a closed connection is how it learns (as in Kafka).
            context.session.connection.close("produce with acks=0 failed")
        return NO_REPLY
    if gather is not None and gather.begin(request.timeout_ms):
        return PARKED
    return with_leaders(broker, context, response) if failed else response


def _append(
    broker: Broker,
    context: RequestContext,
    topic: TopicProduceData,
    data: PartitionProduceData,
    gather: Gather | None,
) -> PartitionProduceResponse:
    """Validate and append one partition's batch."""
    partition = find(broker, context, topic, data)
    if isinstance(partition, ErrorCode):
        return refused(data.index, partition)
    now_ms = broker.clock.now_ms()
    batch = check(context, partition, data, now_ms)
    if isinstance(batch, PartitionProduceResponse):
        return batch
    if batch.header.is_transactional:
        message = "transactional records without a transactional id"
        return refused(data.index, ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, message)
    return write(partition, batch, now_ms, gather)
