"""The coordinator hosts of this broker, and the internal topics they keep their state in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base import broker_configs
from riverlog.base import broker_configs_groups as group_configs
from riverlog.base.errors import ErrorCode
from riverlog.broker.auto_creation import OFFSETS_TOPIC, TRANSACTION_STATE_TOPIC, create_automatically
from riverlog.coordinator.group.machine import GroupMachine
from riverlog.coordinator.host import Host, Shard
from riverlog.coordinator.txn.machine import TransactionMachine
from riverlog.env import Rng
from riverlog.replication import Partition

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker


class Coordinators:
    """Hosts by the name of their topic, told what becomes of its partitions."""

    def __init__(self, broker: Broker, rng: Rng) -> None:
        self._broker = broker
        self.groups = self._group_host(rng)
        self.transactions = self._transaction_host()
        self._hosts: dict[str, Host[GroupMachine] | Host[TransactionMachine]] = {
            OFFSETS_TOPIC: self.groups,
            TRANSACTION_STATE_TOPIC: self.transactions,
        }
        self._creating: dict[str, list[Callable[[ErrorCode], None]]] = {}
        """Topics on their way, and who waits for them."""

    def _group_host(self, rng: Rng) -> Host[GroupMachine]:
        config = self._broker.config
        metadata = self._broker.metadata

        def make_machine(shard: Shard[GroupMachine]) -> GroupMachine:
            return GroupMachine(shard, image=lambda: metadata.image, config=config, rng=rng)

        return Host(
            topic=OFFSETS_TOPIC,
            coordinator="group",
            clock=self._broker.clock,
            make_machine=make_machine,
            partition_count=lambda: self._partition_count(OFFSETS_TOPIC),
            compression=config[group_configs.OFFSETS_TOPIC_COMPRESSION_CODEC],
            timeout_ms=config[group_configs.OFFSETS_COMMIT_TIMEOUT_MS],
        )

    def _transaction_host(self) -> Host[TransactionMachine]:
        broker = self._broker

        def make_machine(shard: Shard[TransactionMachine]) -> TransactionMachine:
            return TransactionMachine(
                shard,
                config=broker.config,
                transaction_version=lambda: broker.transaction_version,
                new_producer_id=broker.producer_ids.take_now,
                markers=broker.txn_markers,
            )

        return Host(
            topic=TRANSACTION_STATE_TOPIC,
            coordinator="transaction",
            clock=broker.clock,
            make_machine=make_machine,
            partition_count=lambda: self._partition_count(TRANSACTION_STATE_TOPIC),
            timeout_ms=broker.config[broker_configs.REQUEST_TIMEOUT_MS],
        )

    def _partition_count(self, name: str) -> int:
        topic = self._broker.metadata.image.topics.get(name)
        return 0 if topic is None else len(topic.partitions)

    def ensure_topic(self, name: str, done: Callable[[ErrorCode], None]) -> None:
        """Call ``done`` once the internal topic exists, or with the reason why it does not."""
        broker = self._broker
        if name in broker.metadata.image.topics:
            done(ErrorCode.NONE)
            return
        waiting = self._creating.setdefault(name, [])
        waiting.append(done)
        if len(waiting) > 1:
            return

        def created(errors: dict[str, ErrorCode]) -> None:
            error = errors.get(name, ErrorCode.UNKNOWN_SERVER_ERROR)
            for one in self._creating.pop(name):
                one(error)

        create_automatically(broker, [name], created)

    # -- from ``Replicas`` ---------------------------------------------------------------

    def elected(self, partition: Partition) -> None:
        host = self._hosts.get(partition.topic)
        if host is not None:
            host.elected(partition)

    def resigned(self, partition: Partition) -> None:
        host = self._hosts.get(partition.topic)
        if host is not None:
            host.resigned(partition.index)

    def failed(self, partition: Partition) -> None:
        """Its folder went offline."""
        host = self._hosts.get(partition.topic)
        if host is not None:
            host.failed(partition.index)

    def topic_deleted(self, name: str, topic_id: bytes) -> None:
        self.groups.submit_to_all(lambda machine, _: machine.offsets.topic_deleted(name, topic_id))

    def stop(self) -> None:
        for host in self._hosts.values():
            host.stop()
