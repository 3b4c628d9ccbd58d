"""Members of consumer groups in a simulated cluster: join, own partitions, commit, fail, come back.

INVARIANTS 15 (one owner per partition and generation), 16 (a stale member's commit is refused) and 17
(committed offsets survive). All members of a group commit from one growing sequence of numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.heartbeat_request import HeartbeatRequest
from riverlog.protocol.generated.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from riverlog.protocol.generated.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from riverlog.protocol.generated.offset_fetch_request import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
)
from riverlog.protocol.generated.sync_group_request import SyncGroupRequest, SyncGroupRequestAssignment
from riverlog.sim.checkers import require
from riverlog.sim.cluster_clients import Agent, ClusterWorld
from riverlog.sim.rng import SimRng

NO_OFFSET = -1
_ELSEWHERE = (
    ErrorCode.NOT_COORDINATOR,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
)
_REJOIN = (
    ErrorCode.REBALANCE_IN_PROGRESS,
    ErrorCode.ILLEGAL_GENERATION,
    ErrorCode.UNKNOWN_MEMBER_ID,
    ErrorCode.MEMBER_ID_REQUIRED,
)


@dataclass(slots=True)
class GroupRecord:
    """What a group was promised."""

    name: str
    topic: str
    partitions: int
    number: int = 0
    owners: dict[tuple[int, int], str] = field(default_factory=dict)
    sent: dict[int, int] = field(default_factory=dict)
    """Number → generation it was sent in."""
    unanswered: dict[int, None] = field(default_factory=dict)
    acknowledged: dict[int, int] = field(default_factory=dict)
    """Partition → number."""

    def own(self, generation: int, index: int, member: str) -> None:
        owner = self.owners.setdefault((generation, index), member)
        require(
            owner == member,
            f"{self.name}: {index} in generation {generation} has two owners: {owner}, {member}",
        )

    def committed(self, index: int, number: int) -> None:
        """Acknowledged. The owner of a later generation may have committed before, never after."""
        before = self.acknowledged.get(index, NO_OFFSET)
        if number > before:
            self.acknowledged[index] = number

    def check(self, index: int, found: int, floor: int) -> None:
        """``floor`` was acknowledged when the question was sent."""
        if found == floor:
            return
        what = f"{self.name}: partition {index} has {found}, committed was {floor}"
        require(found != NO_OFFSET and found in self.sent, what)
        if found < floor:
            # Only one that got no answer and came late, in the same generation, may take its place.
            require(found in self.unanswered and self.sent[found] == self.sent[floor], what)


class GroupMember(Agent):
    """One member; ``session.timeout.ms`` is short, so that pauses and partitions cost it its place."""

    def __init__(
        self, world: ClusterWorld, name: str, rng: SimRng, group: GroupRecord, *, pause_seconds: float
    ) -> None:
        super().__init__(world, name, rng)
        self.group = group
        self.checked_at = -1.0
        """When the committed offsets of the whole group were last found to be right."""
        self._pause_seconds = pause_seconds
        self._coordinator: int | None = None
        self._member_id = ""
        self._generation = -1
        self._owned: list[int] | None = None
        self._again()

    def _again(self) -> None:
        self.later(self.rng.uniform(0.2, 1.8) * self._pause_seconds, self._act)

    def _act(self) -> None:
        if self._coordinator is None:
            self._find()
        elif self._owned is None:
            self._join()
        else:
            draw = self.rng.uniform(0.0, 1.0)
            if draw < 0.35:
                self._heartbeat()
            elif draw < 0.75 and self._owned:
                self._commit()
            elif draw < 0.97:
                self._fetch()
            else:
                self._owned = None  # joins again, as after a change of subscription
                self._again()

    def _send(
        self,
        key: ApiKey,
        version: int,
        request: Any,
        answered: Callable[[Any], bool | None],
        *,
        seconds_max: float = 4.0,
    ) -> None:
        """``answered`` says whether it goes on by itself."""
        assert self._coordinator is not None

        def reply(response: Any) -> None:
            if response is None:
                self._coordinator = None
            if not answered(response):
                self._again()

        self.ask(self._coordinator, key, version, request, reply, seconds_max=seconds_max)

    def _failed(self, error: ErrorCode) -> None:
        if error in _ELSEWHERE:
            self._coordinator = None
        elif error in _REJOIN:
            self._owned = None
            if error == ErrorCode.UNKNOWN_MEMBER_ID:
                self._member_id = ""
        else:
            require(error.retriable, f"{self.name}: the coordinator answered {error!r}")
            self._coordinator = None

    def _find(self) -> None:
        def reply(response: Any) -> None:
            if response is not None:
                row = response.coordinators[0]
                error = ErrorCode(row.error_code)
                require(not error or error.retriable, f"{self.name}: FindCoordinator answered {error!r}")
                if not error:
                    self._coordinator = row.node_id
            self._again()

        request = FindCoordinatorRequest(coordinator_keys=[self.group.name])
        self.ask(self.any_node(), ApiKey.FIND_COORDINATOR, 4, request, reply)

    # -- membership ----------------------------------------------------------------------

    def _join(self) -> None:
        request = JoinGroupRequest(
            group_id=self.group.name,
            session_timeout_ms=6_000,
            rebalance_timeout_ms=3_000,
            member_id=self._member_id,
            protocol_type="consumer",
            protocols=[JoinGroupRequestProtocol(name="range", metadata=b"")],
        )

        def answered(response: Any) -> bool:
            if response is None:
                return False
            error = ErrorCode(response.error_code)
            if error == ErrorCode.MEMBER_ID_REQUIRED:
                self._member_id = response.member_id
            elif error:
                self._failed(error)
            else:
                self._member_id = response.member_id
                self._generation = response.generation_id
                members = [row.member_id for row in response.members]
                self._sync(members if response.leader == response.member_id else [])
                return True
            return False

        self._send(ApiKey.JOIN_GROUP, 5, request, answered, seconds_max=8.0)

    def _sync(self, members: list[str]) -> None:
        generation, member = self._generation, self._member_id
        assignments = [
            SyncGroupRequestAssignment(
                member_id=one,
                assignment=bytes(range(number, self.group.partitions, len(members))),
            )
            for number, one in enumerate(members)
        ]
        request = SyncGroupRequest(
            group_id=self.group.name, generation_id=generation, member_id=member, assignments=assignments
        )

        def answered(response: Any) -> None:
            if response is None:
                self._owned = None
                return
            error = ErrorCode(response.error_code)
            if error:
                self._failed(error)
                return
            self._owned = list(bytes(response.assignment))
            for index in self._owned:
                self.group.own(generation, index, member)
            self.world.count("groups joined")

        self._send(ApiKey.SYNC_GROUP, 3, request, answered, seconds_max=8.0)

    def _heartbeat(self) -> None:
        request = HeartbeatRequest(
            group_id=self.group.name, generation_id=self._generation, member_id=self._member_id
        )

        def answered(response: Any) -> None:
            if response is not None and response.error_code:
                self._failed(ErrorCode(response.error_code))

        self._send(ApiKey.HEARTBEAT, 3, request, answered)

    # -- offsets -------------------------------------------------------------------------

    def _commit(self) -> None:
        group = self.group
        assert self._owned is not None
        group.number += 1
        number = group.number
        group.sent[number] = self._generation
        group.unanswered[number] = None
        rows = [OffsetCommitRequestPartition(index, number, -1, None) for index in self._owned]
        request = OffsetCommitRequest(
            group_id=group.name,
            generation_id_or_member_epoch=self._generation,
            member_id=self._member_id,
            topics=[OffsetCommitRequestTopic(name=group.topic, partitions=rows)],
        )

        def answered(response: Any) -> None:
            if response is None:
                return
            failed = ErrorCode.NONE
            for row in response.topics[0].partitions:
                error = ErrorCode(row.error_code)
                if not error:
                    group.committed(row.partition_index, number)
                    self.world.count("offsets committed")
                elif error != ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:  # a broker behind in its metadata
                    failed = error
            if failed:
                self._failed(failed)
            if failed not in (ErrorCode.REQUEST_TIMED_OUT, ErrorCode.COORDINATOR_NOT_AVAILABLE):
                group.unanswered.pop(number, None)

        self._send(ApiKey.OFFSET_COMMIT, 7, request, answered)

    def _fetch(self) -> None:
        """Ask for all, and check every answer."""
        group = self.group
        floors = {index: group.acknowledged.get(index, NO_OFFSET) for index in range(group.partitions)}
        node_id, led = self._coordinator, self.world.coordinates(group.name)
        rows = OffsetFetchRequestTopics(name=group.topic, partition_indexes=list(floors))
        request = OffsetFetchRequest(groups=[OffsetFetchRequestGroup(group_id=group.name, topics=[rows])])

        def answered(response: Any) -> None:
            if response is None:
                return
            row = response.groups[0]
            error = ErrorCode(row.error_code)
            if error:
                self._failed(error)
                return
            if led[0] != node_id or led != self.world.coordinates(group.name):
                # It coordinated before and does not know yet that another does: it cannot know of later
                # commits, and nobody asks it to ask around before it answers (nor Kafka's).
                self._coordinator = None
                return
            for answer in row.topics[0].partitions:
                if not answer.error_code:
                    group.check(
                        answer.partition_index, answer.committed_offset, floors[answer.partition_index]
                    )
                    self.world.count("offsets fetched")
            self.checked_at = self.world.scheduler.now

        self._send(ApiKey.OFFSET_FETCH, 8, request, answered)
