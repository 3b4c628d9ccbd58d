"""Transactional clients at work: writers that append to lists, and copiers from one topic to another."""

from __future__ import annotations

from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.heartbeat_request import HeartbeatRequest
from riverlog.protocol.generated.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from riverlog.protocol.generated.sync_group_request import SyncGroupRequest, SyncGroupRequestAssignment
from riverlog.sim.checkers import require
from riverlog.sim.cluster_txn_clients import (
    ELSEWHERE,
    GROUP,
    STALE_MEMBER,
    Call,
    Steps,
    TxnClient,
    TxnWorld,
)
from riverlog.sim.cluster_txn_history import Attempt, Place
from riverlog.sim.cluster_txn_reader import CommittedReader, fetch_offsets
from riverlog.sim.rng import SimRng

LISTS = "lists"
COPIES = "copies"


def places_of(world: TxnWorld, topic: str) -> list[Place]:
    return [(topic, index) for index in sorted(world.topics[topic].partitions)]


class ListWriter(TxnClient, CommittedReader):
    """Every transaction appends to some lists and reads some."""

    def __init__(
        self,
        world: TxnWorld,
        name: str,
        rng: SimRng,
        *,
        transactional_id: str,
        style: int,
        pause_seconds: float,
    ) -> None:
        super().__init__(
            world,
            name,
            rng,
            transactional_id=transactional_id,
            style=style,
            pause_seconds=pause_seconds,
        )
        self._positions: dict[Place, int] = {}

    def _instance(self) -> Steps[None]:
        if self.world.quiet:
            return
        yield from self._init()
        while not self.world.quiet:
            yield from self._transaction()
            yield self._nap(0.2 * self._pause_seconds, 1.8 * self._pause_seconds)

    def _fill(self, attempt: Attempt) -> Steps[None]:
        places = places_of(self.txn_world, LISTS)
        for _ in range(self.rng.random_int(1, 4)):
            place = self.rng.choice(places)
            if attempt.writes and self.rng.chance(0.25):
                fetched = yield from self._fetch(place, self._positions.get(place, 0), attempt)
                if fetched is not None:
                    self._positions[place] = fetched.end
            else:
                count = self.rng.random_int(1, 3)
                records = [self.history.write(attempt, place) for _ in range(count)]
                yield from self._send(attempt, place, records)
            yield from self._moment()


class Copier(TxnClient, CommittedReader):
    """Copies its input, and where it stands in it, in one transaction.

    Without a group protocol (``member`` is false) its transactional id stands for its share of the input,
    and who initializes it fences the one before. With it (KIP-447) every member has an id of its own, and a
    member of an older generation cannot commit.
    """

    def __init__(
        self,
        world: TxnWorld,
        name: str,
        rng: SimRng,
        *,
        transactional_id: str,
        style: int,
        pause_seconds: float,
        group: str,
        inputs: list[int],
        member: bool,
        primary: bool,
    ) -> None:
        super().__init__(
            world,
            name,
            rng,
            transactional_id=transactional_id,
            style=style,
            pause_seconds=pause_seconds,
        )
        self.group = group
        self.member = member
        self.primary = primary
        """Goes on after healing, when others of its transactional id do not."""
        self._share = [(LISTS, index) for index in inputs]
        self._owned: list[Place] = []
        self._positions: dict[Place, int] = {}
        self._input: tuple[Place, int, list[tuple[int, str]], int] | None = None
        self._member_id = ""
        self._generation = -1

    def _drop(self) -> None:
        super()._drop()
        self._positions.clear()
        self._member_id = ""
        self._generation = -1

    def _instance(self) -> Steps[None]:
        if self.world.quiet and not self.primary:
            return
        yield from self._init()
        while not self.txn_world.stopping:
            if self.member and self._generation < 0:
                self._positions.clear()
                yield from self._join()
            elif not self.member:
                self._owned = self._share
            if self._generation >= 0 and self.rng.chance(0.03) and not self.world.quiet:
                self._generation = -1  # joins again, as after a change of subscription
                continue
            if self._generation >= 0 and self.rng.chance(0.3):
                yield from self._heartbeat()
            if self._owned and (self._generation >= 0 or not self.member):
                yield from self._copy()
            yield self._nap(0.2 * self._pause_seconds, 1.8 * self._pause_seconds)

    def _copy(self) -> Steps[None]:
        if any(place not in self._positions for place in self._owned):
            if self._group_coordinator is None:
                self._group_coordinator = yield from self._find(self.group, GROUP)
            found = yield from fetch_offsets(self, self._group_coordinator, self.group, self._owned)
            if len(found) < len(self._owned):
                self._group_coordinator = None
                return
            self._positions = found
        place = self.rng.choice(self._owned)
        start = self._positions[place]
        fetched = yield from self._fetch(place, start)
        if fetched is None:
            return
        if not fetched.records:
            self._positions[place] = fetched.end
            return
        self._input = (place, start, fetched.records, fetched.end)
        committed = yield from self._transaction()
        if committed:
            self._positions[place] = fetched.end
        else:
            self._positions.clear()

    def _fill(self, attempt: Attempt) -> Steps[None]:
        assert self._input is not None
        place, _, records, end = self._input
        outputs = places_of(self.txn_world, COPIES)
        shares: dict[Place, list[str]] = {}
        for offset, _ in records:
            target = outputs[offset % len(outputs)]
            shares.setdefault(target, []).append(self.history.write(attempt, target, source=(place, offset)))
        offsets_first = self.rng.chance(0.3)
        if offsets_first:
            yield from self._positions_sent(attempt, {place: end})
        for target, copies in shares.items():
            yield from self._send(attempt, target, copies)
            yield from self._moment()
        if not offsets_first:
            yield from self._positions_sent(attempt, {place: end})

    def _positions_sent(self, attempt: Attempt, offsets: dict[Place, int]) -> Steps[None]:
        self._touched = True
        yield from self._send_offsets(
            attempt, self.group, offsets, generation=self._generation, member_id=self._member_id
        )
        if self.member and self.rng.chance(0.04) and not self.world.quiet:
            yield self._nap(1.0, 5.0)  # long enough for others to get its share, and to wait for its end
        yield from self._moment()

    # -- membership ------------------------------------------------------------------------

    def _join(self) -> Steps[None]:
        """One try to get into the next generation."""
        if self._group_coordinator is None:
            self._group_coordinator = yield from self._find(self.group, GROUP)
        request = JoinGroupRequest(
            group_id=self.group,
            session_timeout_ms=2_000,
            rebalance_timeout_ms=1_000,
            member_id=self._member_id,
            protocol_type="consumer",
            protocols=[JoinGroupRequestProtocol(name="range", metadata=b"")],
        )
        answer = yield Call(self._group_coordinator, ApiKey.JOIN_GROUP, 5, request, seconds_max=8.0)
        if self._refused(answer):
            return
        self._member_id = answer.member_id
        members = [row.member_id for row in answer.members]
        leads = answer.leader == answer.member_id
        count = len(self._share)
        assignments = [
            SyncGroupRequestAssignment(member_id=one, assignment=bytes(range(number, count, len(members))))
            for number, one in enumerate(members if leads else [])
        ]
        sync = SyncGroupRequest(
            group_id=self.group,
            generation_id=answer.generation_id,
            member_id=self._member_id,
            assignments=assignments,
        )
        generation = answer.generation_id
        answer = yield Call(self._group_coordinator, ApiKey.SYNC_GROUP, 3, sync, seconds_max=8.0)
        if self._refused(answer):
            return
        self._generation = generation
        self._owned = [self._share[number] for number in bytes(answer.assignment)]
        self.world.count("groups joined")

    def _heartbeat(self) -> Steps[None]:
        if self._group_coordinator is None:
            self._group_coordinator = yield from self._find(self.group, GROUP)
        request = HeartbeatRequest(
            group_id=self.group, generation_id=self._generation, member_id=self._member_id
        )
        answer = yield Call(self._group_coordinator, ApiKey.HEARTBEAT, 3, request)
        if self._refused(answer):
            self._positions.clear()

    def _refused(self, answer: Any) -> bool:
        """Whether it must be asked again, elsewhere or as another member."""
        error = ErrorCode.NONE if answer is None else ErrorCode(answer.error_code)
        if answer is not None and not error:
            return False
        if error in STALE_MEMBER or error is ErrorCode.MEMBER_ID_REQUIRED:
            self._generation = -1
            if error is ErrorCode.MEMBER_ID_REQUIRED:
                self._member_id = answer.member_id
            elif error is ErrorCode.UNKNOWN_MEMBER_ID:
                self._member_id = ""
        else:
            known = error.retriable or error in ELSEWHERE or answer is None
            require(known, f"{self.who}: the group answered {error!r}")
            self._group_coordinator = None
        return True
