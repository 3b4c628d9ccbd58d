"""Clients of a simulated node that commit offsets, and notice when one goes back (INVARIANTS 17)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from riverlog.protocol.generated.offset_fetch_request import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
)
from riverlog.sim.actors import World
from riverlog.sim.checkers import require
from riverlog.sim.promises import EXISTS, TopicPromises
from riverlog.sim.rng import SimRng

NO_OFFSET = -1
_BATCHED_VERSION_MIN = 8
_BY_ID_VERSION_MIN = 10
_RETRIED = (
    ErrorCode.NOT_COORDINATOR,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
)
_GONE = (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.UNKNOWN_TOPIC_ID)

Asked = dict[tuple[bytes, int], TopicPromises]


class Committer:
    """One consumer that assigns itself partitions. What it commits only grows, over all partitions, and one
    request is under way at a time, so that every answer can be judged."""

    def __init__(self, world: World, name: str, rng: SimRng) -> None:
        self.name = name
        self._world = world
        self._rng = rng
        self._client = world.client(name)
        self._group = f"group-{name}"
        self._found = False
        self._number = 0
        self._under_way = False
        self._acknowledged: dict[tuple[bytes, int], int] = {}
        """By topic id and partition."""
        self._floors: dict[bytes, int] = {}
        """What was sent before a topic came into being: a new topic must not inherit it."""
        self._again()

    @property
    def idle(self) -> bool:
        return not self._under_way

    def _again(self) -> None:
        self._world.scheduler.call_later(self._rng.uniform(0.002, 0.08), self._act)

    def _act(self) -> None:
        self._again()
        self._look_for_new_topics()
        if self._under_way:
            return
        asked = self._choose()
        if not self._found:
            self._find()
        elif not asked:
            return
        elif self._rng.chance(0.65) and not self._world.quiet:
            self._commit(asked)
        else:
            self.fetch(asked, lambda: None)

    def _look_for_new_topics(self) -> None:
        for topic in self._world.topics.values():
            if topic.state == EXISTS and topic.topic_id not in self._floors:
                # A commit under way by name may still reach the new topic.
                self._floors[topic.topic_id] = self._number - (1 if self._under_way else 0)

    def _choose(self) -> Asked:
        existing = [
            (topic, index)
            for _, topic in sorted(self._world.topics.items())
            if topic.state == EXISTS
            for index in sorted(topic.partitions)
        ]
        chosen = [pair for pair in existing if self._rng.chance(0.5)] or existing[:1]
        return {(topic.topic_id, index): topic for topic, index in chosen}

    def _send(self, key: ApiKey, version: int, request: Any, answered: Callable[[Any], None]) -> None:
        self._under_way = True

        def reply(response: Any) -> None:
            self._under_way = False
            if response is not None:
                answered(response)

        self._client.request(key, version, request, reply)

    def _find(self) -> None:
        version = self._rng.random_int(0, 6)
        request = FindCoordinatorRequest()
        if version >= 4:
            request.coordinator_keys = [self._group]
        else:
            request.key = self._group

        def answered(response: Any) -> None:
            error = ErrorCode((response.coordinators[0] if version >= 4 else response).error_code)
            require(not error or error in _RETRIED, f"{self.name}: FindCoordinator answered {error!r}")
            self._found = not error

        self._send(ApiKey.FIND_COORDINATOR, version, request, answered)

    # -- commit --------------------------------------------------------------------------

    def _commit(self, asked: Asked) -> None:
        version = self._rng.random_int(2, 10)
        self._number += 1
        number = self._number
        metadata = "x" * self._rng.weighted([(0, 3.0), (20, 1.0), (2_000, 0.3)])
        topics: dict[bytes, OffsetCommitRequestTopic] = {}
        for (topic_id, index), topic in asked.items():
            by_id = version >= _BY_ID_VERSION_MIN
            wanted = topics.setdefault(
                topic_id,
                OffsetCommitRequestTopic(name="" if by_id else topic.name, topic_id=topic_id),
            )
            wanted.partitions.append(OffsetCommitRequestPartition(index, number, -1, metadata))
        for row in topics.values():
            if version < _BY_ID_VERSION_MIN:
                row.topic_id = bytes(16)
        generations = dict(self._world.generations)
        request = OffsetCommitRequest(
            group_id=self._group, generation_id_or_member_epoch=-1, topics=list(topics.values())
        )

        def answered(response: Any) -> None:
            names = {topic_id: topic.name for (topic_id, _), topic in asked.items()}
            ids = {topic.name: topic_id for (topic_id, _), topic in asked.items()}
            for row in response.topics:
                topic_id = row.topic_id if version >= _BY_ID_VERSION_MIN else ids[row.name]
                name = names[topic_id]
                current = self._world.generations[name] == generations[name]
                for answer in row.partitions:
                    self._committed((topic_id, answer.partition_index), number, answer, current=current)

        self._send(ApiKey.OFFSET_COMMIT, version, request, answered)

    def _committed(self, key: tuple[bytes, int], number: int, answer: Any, *, current: bool) -> None:
        error = ErrorCode(answer.error_code)
        if error is ErrorCode.NONE:
            if current:
                self._acknowledged[key] = number
                self._world.count("offsets committed")
        elif error in _RETRIED:
            self._found = False
        else:
            require(error in _GONE and not current, f"{self.name}: OffsetCommit answered {error!r}")

    # -- fetch ---------------------------------------------------------------------------

    def fetch(self, asked: Asked, done: Callable[[], None]) -> None:
        """Ask, and check every answer; ``done`` when the answer was of use."""
        version = self._rng.random_int(1, 10)
        generations = dict(self._world.generations)
        ids = {topic.name: topic_id for (topic_id, _), topic in asked.items()}

        def answered(response: Any) -> None:
            group = response.groups[0] if version >= _BATCHED_VERSION_MIN else response
            error = ErrorCode(group.error_code)
            if error:
                require(error in _RETRIED, f"{self.name}: OffsetFetch answered {error!r}")
                self._found = False
                return
            for row in group.topics:
                topic_id = row.topic_id if version >= _BY_ID_VERSION_MIN else ids[row.name]
                for answer in row.partitions:
                    key = (topic_id, answer.partition_index)
                    name = asked[key].name
                    if self._world.generations[name] == generations[name]:
                        self._check(key, asked[key], answer)
            done()

        request = _fetch_request(self._group, asked, version)
        self._send(ApiKey.OFFSET_FETCH, version, request, answered)

    def _check(self, key: tuple[bytes, int], topic: TopicPromises, answer: Any) -> None:
        error = ErrorCode(answer.error_code)
        if error in _RETRIED:
            return
        what = f"{self.name}: {topic.name}-{key[1]}"
        require(not error, f"{what}: OffsetFetch answered {error!r}")
        found = answer.committed_offset
        promised = self._acknowledged.get(key, NO_OFFSET)
        require(promised <= found <= self._number, f"{what} has {found}, committed was {promised}")
        if found != NO_OFFSET:
            require(found > self._floors.get(key[0], 0), f"{what} has {found} of an earlier topic")
        self._world.count("offsets fetched")

    # -- the end -------------------------------------------------------------------------

    def promised(self) -> Asked:
        """What must be found in the end."""
        by_id = {topic.topic_id: topic for topic in self._world.topics.values() if topic.state == EXISTS}
        return {key: by_id[key[0]] for key in self._acknowledged if key[0] in by_id}


def _fetch_request(group_id: str, asked: Asked, version: int) -> OffsetFetchRequest:
    indexes: dict[bytes, list[int]] = {}
    for topic_id, index in asked:
        indexes.setdefault(topic_id, []).append(index)
    names = {topic_id: topic.name for (topic_id, _), topic in asked.items()}
    if version < _BATCHED_VERSION_MIN:
        old = [OffsetFetchRequestTopic(names[topic_id], found) for topic_id, found in indexes.items()]
        return OffsetFetchRequest(group_id=group_id, topics=old)
    by_id = version >= _BY_ID_VERSION_MIN
    topics = [
        OffsetFetchRequestTopics(
            name="" if by_id else names[topic_id],
            topic_id=topic_id if by_id else bytes(16),
            partition_indexes=found,
        )
        for topic_id, found in indexes.items()
    ]
    return OffsetFetchRequest(groups=[OffsetFetchRequestGroup(group_id=group_id, topics=topics)])
