"""kill -9 in the middle of commits: no committed offset goes back (INVARIANTS 17)."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from e2ekit.raw import Closed, Raw, create_topic
from e2ekit.targets import MakeBroker
from e2ekit.waiting import wait_until

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from riverlog.protocol.generated.offset_fetch_request import OffsetFetchRequest, OffsetFetchRequestGroup

KILLS, KILLS_SOAK = 5, 50
GROUPS = 4
PARTITIONS = 3
TOPIC = "read"
RETRIED = {
    ErrorCode.NOT_COORDINATOR,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
}
BROKEN = (Closed, OSError)


class Committer:
    """One group that commits ever larger offsets until it is told to stop."""

    def __init__(self, bootstrap: str, number: int) -> None:
        self.group = f"group-{number}"
        self.acknowledged = 0
        self.sent = 0
        self._bootstrap = bootstrap
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self.failure: BaseException | None = None

    def start(self) -> None:
        self._thread.start()

    def finish(self) -> None:
        self._stop.set()
        self._thread.join(30)
        assert not self._thread.is_alive()
        assert self.failure is None, self.failure

    def _work(self) -> None:
        try:
            while not self._stop.is_set():
                try:
                    with Raw(self._bootstrap) as raw:
                        find(raw, self.group)
                        while not self._stop.is_set():
                            self._commit(raw)
                except BROKEN:
                    self._stop.wait(0.01)
        except AssertionError as failure:
            self.failure = failure

    def _commit(self, raw: Raw) -> None:
        self.sent += 1
        number = self.sent
        partitions = [OffsetCommitRequestPartition(index, number) for index in range(PARTITIONS)]
        request = OffsetCommitRequest(
            group_id=self.group,
            generation_id_or_member_epoch=-1,
            topics=[OffsetCommitRequestTopic(name=TOPIC, partitions=partitions)],
        )
        response = raw.call(ApiKey.OFFSET_COMMIT, 9, request)
        errors = {ErrorCode(row.error_code) for row in response.topics[0].partitions}
        if errors == {ErrorCode.NONE}:
            self.acknowledged = number
        else:
            assert errors <= RETRIED, errors
            self._stop.wait(0.01)


def find(raw: Raw, group: str) -> None:
    """Also creates the offsets topic."""

    def found() -> bool:
        response = raw.call(ApiKey.FIND_COORDINATOR, 4, FindCoordinatorRequest(coordinator_keys=[group]))
        return bool(response.coordinators[0].error_code == 0)

    wait_until(found, 20, "a coordinator")


def committed(raw: Raw, group: str) -> list[int]:
    """Offsets of all partitions."""
    request = OffsetFetchRequest(groups=[OffsetFetchRequestGroup(group_id=group, topics=None)])
    answers: list[list[int]] = []

    def answered() -> bool:
        answer = raw.call(ApiKey.OFFSET_FETCH, 9, request).groups[0]
        if answer.error_code == 0:
            answers.append([row.committed_offset for topic in answer.topics for row in topic.partitions])
        else:
            assert ErrorCode(answer.error_code) in RETRIED
        return bool(answers)

    wait_until(answered, 20, "offsets")
    return answers[0]


@contextmanager
def at_work(bootstrap: str) -> Iterator[list[Committer]]:
    committers = [Committer(bootstrap, number) for number in range(GROUPS)]
    for committer in committers:
        committer.start()
    yield committers
    for committer in committers:
        committer.finish()


def run(make_broker: MakeBroker, kills: int, seed: int) -> None:
    rng = random.Random(seed)
    broker = make_broker(offsets_topic_num_partitions="2")
    broker.start()
    with Raw(broker.bootstrap) as raw:
        create_topic(raw, TOPIC, partitions=PARTITIONS)
    with at_work(broker.bootstrap) as committers:
        for _ in range(kills):
            goal = sum(one.acknowledged for one in committers) + rng.randrange(20, 400)
            wait_until(
                lambda goal=goal: sum(one.acknowledged for one in committers) >= goal,  # type: ignore[misc]
                60,
                "commits",
            )
            broker.kill()
            before = {one.group: one.acknowledged for one in committers}
            broker.start()
            with Raw(broker.bootstrap) as raw:
                for one in committers:
                    found = committed(raw, one.group)
                    assert all(before[one.group] <= offset <= one.sent for offset in found), one.group
    with Raw(broker.bootstrap) as raw:
        for one in committers:
            found = committed(raw, one.group)
            assert len(found) == PARTITIONS
            assert all(one.acknowledged <= offset <= one.sent for offset in found), one.group


@pytest.mark.timeout(300)
def test_no_committed_offset_goes_back_over_kills(make_broker: MakeBroker) -> None:
    run(make_broker, KILLS, seed=1)


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_soak_commits_over_many_kills(make_broker: MakeBroker) -> None:
    run(make_broker, KILLS_SOAK, seed=2)
