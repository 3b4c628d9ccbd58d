"""Topics that come into being because someone asks for them: through the controller, wherever it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base import broker_configs_groups as group_configs
from riverlog.base import broker_configs_txn as txn_configs
from riverlog.base.config import BrokerConfig
from riverlog.base.errors import ErrorCode
from riverlog.metadata.image import ClusterState
from riverlog.metadata.placement import is_usable
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.create_topics_request import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from riverlog.protocol.generated.create_topics_response import CreateTopicsResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker

OFFSETS_TOPIC = "__consumer_offsets"
TRANSACTION_STATE_TOPIC = "__transaction_state"
KNOWN_SECONDS_MAX = 5.0
"""How long a new topic may take from the controller's log to this broker before clients are told to retry."""


def creatable_topic(name: str, config: BrokerConfig, image: ClusterState) -> CreatableTopic:
    """How a topic is created when nobody says how: internal ones with settings of their own, as in Kafka.

    A broker that is away counts: its copies are made when it comes back, and nobody would add them later.
    """
    brokers = sum(map(is_usable, image.brokers.values()))
    if name == OFFSETS_TOPIC:
        partitions = config[group_configs.OFFSETS_TOPIC_NUM_PARTITIONS]
        copies = max(1, min(config[group_configs.OFFSETS_TOPIC_REPLICATION_FACTOR], brokers))
        settings = {
            "cleanup.policy": "compact",
            "compression.type": "producer",
            "segment.bytes": str(config[group_configs.OFFSETS_TOPIC_SEGMENT_BYTES]),
        }
    elif name == TRANSACTION_STATE_TOPIC:
        partitions = config[txn_configs.TRANSACTION_STATE_LOG_NUM_PARTITIONS]
        copies = max(1, min(config[txn_configs.TRANSACTION_STATE_LOG_REPLICATION_FACTOR], brokers))
        settings = {
            "cleanup.policy": "compact",
            "compression.type": "uncompressed",
            "min.insync.replicas": str(config[txn_configs.TRANSACTION_STATE_LOG_MIN_ISR]),
            "segment.bytes": str(config[txn_configs.TRANSACTION_STATE_LOG_SEGMENT_BYTES]),
            "unclean.leader.election.enable": "false",
        }
    else:
        return CreatableTopic(name=name, num_partitions=-1, replication_factor=-1)
    return CreatableTopic(
        name=name,
        num_partitions=partitions,
        replication_factor=copies,
        configs=[CreatableTopicConfig(name=key, value=value) for key, value in settings.items()],
    )


def create_automatically(
    broker: Broker, names: list[str], done: Callable[[dict[str, ErrorCode]], None]
) -> None:
    """Create what is missing of these topics; ``done`` gets the error of each once this broker knows them."""
    request = CreateTopicsRequest(
        topics=[creatable_topic(name, broker.config, broker.metadata.image) for name in names]
    )

    def created(response: CreateTopicsResponse | None) -> None:
        if response is None:
            done(dict.fromkeys(names, ErrorCode.REQUEST_TIMED_OUT))
            return
        errors = {topic.name: ErrorCode(topic.error_code) for topic in response.topics}
        for name, error in errors.items():
            if error is ErrorCode.TOPIC_ALREADY_EXISTS:
                errors[name] = ErrorCode.NONE
        made = [name for name, error in errors.items() if not error]
        _when_known(broker, made, lambda: done(errors))

    broker.controller.send(ApiKey.CREATE_TOPICS, request, created)


def _when_known(broker: Broker, names: list[str], done: Callable[[], None]) -> None:
    """Once the published metadata has them all, or time is over."""

    def is_known() -> bool:
        return all(name in broker.metadata.image.topics for name in names)

    if is_known():
        done()
        return
    number = broker.next_number()

    def look() -> None:
        if is_known():
            finish()

    def finish() -> None:
        timer.cancel()
        if broker.replicas.topic_waiters.pop(number, None) is not None:
            done()

    broker.replicas.topic_waiters[number] = look
    timer = broker.clock.call_later(KNOWN_SECONDS_MAX, finish)
