"""The committing clients of the one-node simulation would notice an offset that goes back."""

from __future__ import annotations

from typing import Any

import pytest

from riverlog.broker.broker import Broker
from riverlog.broker.coordinators import Coordinators
from riverlog.coordinator.decision import Reply
from riverlog.coordinator.group.offsets import Offsets
from riverlog.coordinator.host import Host, Shard
from riverlog.sim.checkers import Violation
from riverlog.sim.workload import NodeRun

pytestmark = pytest.mark.sim
SEEDS_TO_CATCH = 8


class _HastyHost(Host[Any]):
    """Replies leave before the watermark passes."""

    def _when_committed(self, shard: Shard[Any], replies: list[Reply]) -> None:
        for reply in replies:
            reply.send()


class HastyCommits(Broker):
    def __init__(self, **parts: Any) -> None:
        super().__init__(**parts)
        self.groups.__class__ = _HastyHost


class _NamelessOffsets(Offsets):
    """Offsets do not remember which topic of a name they belong to."""

    def replay(self, offset: int, timestamp_ms: int, key: Any, value: Any, *, producer_id: int) -> None:
        if value is not None:
            value.topic_id = bytes(16)
        super().replay(offset, timestamp_ms, key, value, producer_id=producer_id)


class _ForgetfulCoordinators(Coordinators):
    """Nobody tells the coordinators that a topic was deleted."""

    def topic_deleted(self, name: str, topic_id: bytes) -> None:
        pass


class InheritedOffsets(Broker):
    def __init__(self, **parts: Any) -> None:
        super().__init__(**parts)
        self.coordinators.__class__ = _ForgetfulCoordinators
        made = self.groups.make_machine

        def make(shard: Shard[Any]) -> Any:
            machine = made(shard)
            machine.offsets.__class__ = _NamelessOffsets
            return machine

        self.groups.make_machine = make


@pytest.mark.parametrize(
    ("broker_class", "what"), [(HastyCommits, "committed was"), (InheritedOffsets, "of an earlier topic")]
)
def test_planted_bug_of_the_offsets_is_caught(broker_class: type[Broker], what: str) -> None:
    caught: list[str] = []
    for seed in range(SEEDS_TO_CATCH):
        try:
            NodeRun(seed, broker_class=broker_class).run(8.0)
        except Violation as violation:
            caught.append(str(violation))
    assert any(what in text and "riverlog sim replay" in text for text in caught), caught


def test_committers_do_what_they_are_for() -> None:
    run = NodeRun(1)
    run.run(8.0)
    assert run.counts["offsets committed"] > 100
    assert run.counts["offsets fetched"] > 100
