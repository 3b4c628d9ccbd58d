"""How many copies the topics of the coordinators get."""

from __future__ import annotations

import pytest

from riverlog.base.config import BrokerConfig
from riverlog.broker.auto_creation import OFFSETS_TOPIC, TRANSACTION_STATE_TOPIC, creatable_topic
from riverlog.metadata.image import ClusterState
from riverlog.protocol.generated.register_broker_record import RegisterBrokerRecord


def cluster(*brokers: RegisterBrokerRecord) -> ClusterState:
    state = ClusterState()
    for broker_id, broker in enumerate(brokers, 1):
        broker.broker_id = broker_id
        state.replay(broker)
    return state


def living() -> RegisterBrokerRecord:
    return RegisterBrokerRecord(fenced=False)


@pytest.mark.parametrize("name", [OFFSETS_TOPIC, TRANSACTION_STATE_TOPIC])
def test_a_broker_that_is_away_gets_its_copy(name: str) -> None:
    away = RegisterBrokerRecord(fenced=True)
    made = creatable_topic(name, BrokerConfig({}), cluster(living(), living(), away))
    assert made.replication_factor == 3


@pytest.mark.parametrize("name", [OFFSETS_TOPIC, TRANSACTION_STATE_TOPIC])
def test_there_are_no_more_copies_than_brokers_that_take_them(name: str) -> None:
    config = BrokerConfig({})
    stopping = RegisterBrokerRecord(fenced=False, in_controlled_shutdown=True)
    assert creatable_topic(name, config, cluster(living(), living(), stopping)).replication_factor == 2
    assert creatable_topic(name, config, cluster(living())).replication_factor == 1
