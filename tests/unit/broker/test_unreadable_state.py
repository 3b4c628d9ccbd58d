"""What a log reads from disk only when needed: if that fails, the folder goes offline, not the broker."""

from __future__ import annotations

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.sim.disk import Fault
from riverlog.storage.errors import LogError
from tests.unit.broker.broker_world import World, batch, fetch_request


def started_again(*unreadable: str) -> World:
    """A broker after a clean stop: nothing of the log was needed yet."""
    world = World()
    client = world.client()
    client.create("t")
    client.produce("t", batch(b"a"))
    world.stop()
    world.start()
    world.setup.faults.extend(Fault("read", name) for name in unreadable)
    return world


def test_a_fetch_that_finds_the_epochs_unreadable_is_refused() -> None:
    world = started_again("leader-epoch-checkpoint")
    client = world.client()
    request = fetch_request("t", 0)
    request.topics[0].partitions[0].last_fetched_epoch = 0
    answer = client.call(ApiKey.FETCH, 12, request).responses[0].partitions[0]
    assert answer.error_code == ErrorCode.KAFKA_STORAGE_ERROR
    assert world.broker.logs.logs["t", 0].offline is not None
    assert client.fetch("t", 0).error_code == ErrorCode.KAFKA_STORAGE_ERROR
    assert client.closed is None


def test_readers_of_unreadable_state_get_an_error_of_the_log() -> None:
    for name, read in (
        ("leader-epoch-checkpoint", lambda log: log.end_offset_for_epoch(0)),
        (".snapshot", lambda log: log.last_stable_offset),
    ):
        log = started_again(name).broker.logs.logs["t", 0]
        with pytest.raises(LogError) as refused:
            read(log)
        assert refused.value.code == ErrorCode.KAFKA_STORAGE_ERROR
        assert log.offline is not None
