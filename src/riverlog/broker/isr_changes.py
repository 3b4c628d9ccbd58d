"""Changes of in-sync sets on their way to the controller: batched, one request in flight.

What the controller did with a proposal is adopted from its answer or from the metadata, whichever comes
first. While that is open the maximal in-sync set counts (``replication/isr.py``).
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from riverlog.base import broker_configs_replication as configs
from riverlog.base.errors import ErrorCode
from riverlog.env import Timer
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.alter_partition_request import (
    AlterPartitionRequest,
    BrokerState,
    PartitionData,
    TopicData,
)
from riverlog.protocol.generated.alter_partition_response import AlterPartitionResponse
from riverlog.replication import IsrProposal, Partition

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker

logger = logging.getLogger("riverlog.broker")

RETRY_SECONDS = 0.05
_SETTLED_BY_METADATA = frozenset(
    {
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.INVALID_UPDATE_VERSION,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.NEW_LEADER_ELECTED,
    }
)
"""The controller knows better; we will hear."""
_REFUSED = frozenset(
    {ErrorCode.INELIGIBLE_REPLICA, ErrorCode.OPERATION_NOT_ATTEMPTED, ErrorCode.INVALID_REQUEST}
)
"""The controller did not, and will not, do it."""

_Batch = dict[Partition, IsrProposal]


class IsrChanges:
    """Proposals by partition."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._waiting: _Batch = {}
        self._in_flight = False
        self._send_timer: Timer | None = None
        self._check_timer: Timer | None = None

    @property
    def lag_seconds_max(self) -> float:
        return self._broker.config[configs.REPLICA_LAG_TIME_MAX_MS] / 1000

    def start(self) -> None:
        """Look for followers that fell behind, twice per ``replica.lag.time.max.ms``."""
        if self._check_timer is None:
            self._check_timer = self._broker.clock.call_later(self.lag_seconds_max / 2, self._check)

    def stop(self) -> None:
        for timer in (self._send_timer, self._check_timer):
            if timer is not None:
                timer.cancel()
        self._send_timer = self._check_timer = None
        self._waiting.clear()

    def _check(self) -> None:
        self._check_timer = None
        broker = self._broker
        now = broker.clock.monotonic()
        for partition in broker.replicas.all():
            if partition.is_leader and partition.in_sync.followers and partition.log.offline is None:
                proposal = partition.consider_shrink(now=now, lag_seconds_max=self.lag_seconds_max)
                if proposal is not None:
                    self.propose(partition, proposal)
        self.start()
        broker.run_look_again()

    def propose(self, partition: Partition, proposal: IsrProposal) -> None:
        logger.info(
            "%s-%d: in-sync replicas %s, proposed %s",
            partition.topic,
            partition.index,
            list(partition.in_sync.isr),
            list(proposal.isr),
        )
        self._waiting[partition] = proposal
        self._send_after(0.0)

    def _send_after(self, seconds: float) -> None:
        if self._send_timer is None and not self._in_flight:
            self._send_timer = self._broker.clock.call_later(seconds, self._send)

    def _send(self) -> None:
        self._send_timer = None
        if self._in_flight:
            return
        # Of those that metadata overtook nothing is left to say.
        batch = {p: proposal for p, proposal in self._waiting.items() if p.in_sync.pending is proposal}
        self._waiting.clear()
        if not batch:
            return
        self._in_flight = True
        request = self._request(batch)
        self._broker.controller.send(
            ApiKey.ALTER_PARTITION, request, lambda response: self._answered(batch, response)
        )

    def _request(self, batch: _Batch) -> AlterPartitionRequest:
        broker = self._broker
        topics: dict[bytes, TopicData] = {}
        for partition, proposal in batch.items():
            topic = topics.setdefault(partition.topic_id, TopicData(topic_id=partition.topic_id))
            topic.partitions.append(
                PartitionData(
                    partition_index=partition.index,
                    leader_epoch=proposal.leader_epoch,
                    new_isr_with_epochs=[
                        BrokerState(
                            broker_id=broker_id,
                            broker_epoch=broker.broker_epoch if broker_id == broker.node_id else epoch,
                        )
                        for broker_id, epoch in zip(proposal.isr, proposal.broker_epochs, strict=True)
                    ],
                    partition_epoch=proposal.partition_epoch,
                )
            )
        return AlterPartitionRequest(
            broker_id=broker.node_id,
            broker_epoch=broker.broker_epoch,
            topics=list(topics.values()),
        )

    def _answered(self, batch: _Batch, response: AlterPartitionResponse | None) -> None:
        self._in_flight = False
        open_ = dict(batch)
        if response is not None and not response.error_code:
            by_key = {(partition.topic_id, partition.index): partition for partition in batch}
            for topic in response.topics:
                for answer in topic.partitions:
                    partition = by_key.get((topic.topic_id, answer.partition_index))
                    if partition is None:
                        continue
                    error = ErrorCode(answer.error_code)
                    if not error:
                        del open_[partition]
                        partition.isr_decided(
                            answer.isr,
                            leader_epoch=answer.leader_epoch,
                            partition_epoch=answer.partition_epoch,
                        )
                    elif error in _SETTLED_BY_METADATA:
                        del open_[partition]
                    elif error in _REFUSED:
                        partition.isr_refused(open_.pop(partition))
        elif response is not None:
            logger.warning(
                "the controller answers AlterPartition with %s", ErrorCode(response.error_code).name
            )
        for partition, proposal in open_.items():
            self._waiting.setdefault(partition, proposal)
        if self._waiting:
            self._send_after(RETRY_SECONDS if open_ else 0.0)
        self._broker.run_look_again()
