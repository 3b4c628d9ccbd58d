"""One classic group: its members, its generation and the state it is in.

Members and generation between two rebalances live in memory only; what a group must not lose (the
last generation that got its assignment) is written as GroupMetadata and comes back by ``replay``.
Nothing here waits, sends or reads a clock: ``ClassicGroups`` decides, this holds the facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.group.base import Group
from riverlog.protocol.errors import DecodeError
from riverlog.protocol.generated import consumer_protocol_subscription
from riverlog.protocol.generated.group_metadata_value import GroupMetadataValue, MemberMetadata

if TYPE_CHECKING:
    from riverlog.coordinator.group.machine import GroupMachine

CONSUMER_PROTOCOL_TYPE: Final = "consumer"
NO_ASSIGNMENT: Final = b""

K = TypeVar("K")
Answer = Callable[[Any], None]
Protocols = tuple[tuple[str, bytes], ...]
"""Names and metadata, the preferred one first."""


class State(Enum):
    """The value is Kafka's name, as tools print it."""

    EMPTY = "Empty"
    PREPARING_REBALANCE = "PreparingRebalance"
    COMPLETING_REBALANCE = "CompletingRebalance"
    STABLE = "Stable"
    DEAD = "Dead"


LEGAL: Final[dict[State, frozenset[State]]] = {
    State.EMPTY: frozenset({State.PREPARING_REBALANCE, State.DEAD}),
    State.PREPARING_REBALANCE: frozenset({State.COMPLETING_REBALANCE, State.EMPTY, State.DEAD}),
    State.COMPLETING_REBALANCE: frozenset({State.STABLE, State.PREPARING_REBALANCE, State.DEAD}),
    State.STABLE: frozenset({State.PREPARING_REBALANCE, State.DEAD}),
    State.DEAD: frozenset({State.DEAD}),
}
"""From each state to which. Loading from the log starts in EMPTY or STABLE."""


class Caller(NamedTuple):
    """Who sent a request, as far as a group wants to know."""

    client_id: str
    client_host: str
    api_version: int


class ClassicMember:
    """One member. ``join_reply`` and ``sync_reply`` are its parked requests."""

    __slots__ = (
        "assignment",
        "client_host",
        "client_id",
        "instance_id",
        "is_new",
        "join_reply",
        "member_id",
        "protocols",
        "rebalance_timeout_ms",
        "session_timeout_ms",
        "sync_reply",
    )

    def __init__(
        self,
        member_id: str,
        instance_id: str | None,
        *,
        client_id: str,
        client_host: str,
        rebalance_timeout_ms: int,
        session_timeout_ms: int,
        protocols: Protocols,
        assignment: bytes = NO_ASSIGNMENT,
    ) -> None:
        self.member_id = member_id
        self.instance_id = instance_id
        self.client_id = client_id
        self.client_host = client_host
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.session_timeout_ms = session_timeout_ms
        self.protocols = protocols
        self.assignment = assignment
        self.is_new = False
        """Joined, and no generation has begun since."""
        self.join_reply: Answer | None = None
        self.sync_reply: Answer | None = None

    @property
    def satisfies_heartbeat(self) -> bool:
        """A waiting member cannot send heartbeats; a new one that waits too long is given up."""
        return not self.is_new and (self.join_reply is not None or self.sync_reply is not None)

    def metadata(self, protocol: str | None) -> bytes | None:
        for name, metadata in self.protocols:
            if name == protocol:
                return metadata
        return None

    def __repr__(self) -> str:
        return f"ClassicMember({self.member_id!r}, instance_id={self.instance_id!r})"


class ClassicGroup(Group):
    """All that is known of one group."""

    kind = "classic"

    __slots__ = (
        "_awaiting_join",
        "_lists",
        "_support",
        "_topics",
        "generation",
        "leader",
        "members",
        "new_member_added",
        "pending",
        "pending_sync",
        "previous_state",
        "protocol_name",
        "protocol_type",
        "state",
        "state_timestamp_ms",
        "static_members",
    )

    protocol_type: str | None
    """"consumer", "connect", …; None for a group that only ever committed offsets."""

    def __init__(self, group_id: str, state_timestamp_ms: int) -> None:
        super().__init__(group_id)
        self.state = State.EMPTY
        self.previous_state = State.DEAD
        self.state_timestamp_ms = state_timestamp_ms
        """-1 where an old record does not say."""
        self.generation = 0
        self.protocol_type = None
        self.protocol_name: str | None = None
        self.leader: str | None = None
        self.members: dict[str, ClassicMember] = {}
        self.static_members: dict[str, str] = {}
        """Member ids by group.instance.id."""
        self.pending: dict[str, None] = {}
        """Ids given out with MEMBER_ID_REQUIRED that did not join yet."""
        self.pending_sync: dict[str, None] = {}
        self.new_member_added = False
        """Somebody joined while the first generation of the group was being delayed."""
        self._awaiting_join = 0
        self._support: dict[str, int] = {}
        """How many members support a protocol."""
        self._lists: dict[tuple[str, ...], int] = {}
        """How many members have a list of preferences. Few lists, so that a vote of all is cheap."""
        self._topics: frozenset[str] | bool | None = False
        """Subscribed topics of this generation, None if they cannot be known, False if not looked up."""

    # -- what others ask -----------------------------------------------------------------

    @property
    def state_name(self) -> str:
        return self.state.value

    @property
    def is_empty(self) -> bool:
        return self.state is State.EMPTY

    @property
    def awaiting_join(self) -> int:
        return self._awaiting_join

    @property
    def all_joined(self) -> bool:
        return self._awaiting_join == len(self.members) and not self.pending

    @property
    def can_rebalance(self) -> bool:
        return State.PREPARING_REBALANCE in LEGAL[self.state]

    @property
    def rebalance_timeout_ms(self) -> int:
        """The longest any member asks for."""
        return max((member.rebalance_timeout_ms for member in self.members.values()), default=0)

    @property
    def uses_consumer_protocol(self) -> bool:
        return self.protocol_type == CONSUMER_PROTOCOL_TYPE

    def check_member(self, member_id: str, instance_id: str | None) -> ErrorCode:
        if instance_id is not None:
            known = self.static_members.get(instance_id)
            if known is None:
                return ErrorCode.UNKNOWN_MEMBER_ID
            if known != member_id:
                return ErrorCode.FENCED_INSTANCE_ID
        return ErrorCode.NONE if member_id in self.members else ErrorCode.UNKNOWN_MEMBER_ID

    def validate_offset_commit(
        self,
        member_id: str,
        generation_or_epoch: int,
        instance_id: str | None,
        *,
        api_version: int,
        transactional: bool = False,
    ) -> ErrorCode:
        """Whether a commit may be written: INVARIANTS 16, a stale member's commit is refused."""
        generation = generation_or_epoch
        if self.state is State.DEAD:
            return ErrorCode.COORDINATOR_NOT_AVAILABLE
        if generation < 0 and self.state is State.EMPTY:
            return ErrorCode.NONE  # an admin tool, or a consumer that assigns itself
        if generation >= 0 or member_id or instance_id is not None:
            error = self.check_member(member_id, instance_id)
            if error:
                return error
            if generation != self.generation:
                return ErrorCode.ILLEGAL_GENERATION
        elif not transactional and self.state is not State.EMPTY:
            return ErrorCode.UNKNOWN_MEMBER_ID
        if not transactional and self.state is State.COMPLETING_REBALANCE:
            # The member has the generation of its JoinGroup answer already; it will commit again.
            return ErrorCode.REBALANCE_IN_PROGRESS
        return ErrorCode.NONE

    def validate_offset_fetch(self, member_id: str | None, member_epoch: int) -> ErrorCode:
        return ErrorCode.GROUP_ID_NOT_FOUND if self.state is State.DEAD else ErrorCode.NONE

    def validate_offset_delete(self) -> ErrorCode:
        """Whether offsets of topics it does not read may be deleted."""
        if self.state is State.DEAD:
            return ErrorCode.GROUP_ID_NOT_FOUND
        if self.state is not State.EMPTY and not self.uses_consumer_protocol:
            return ErrorCode.NON_EMPTY_GROUP
        return ErrorCode.NONE

    def validate_delete(self) -> ErrorCode:
        """Whether the group may be deleted."""
        if self.state is State.DEAD:
            return ErrorCode.GROUP_ID_NOT_FOUND
        return ErrorCode.NONE if self.state is State.EMPTY else ErrorCode.NON_EMPTY_GROUP

    def subscribed_topics(self) -> frozenset[str] | None:
        """Topics the members read, or None where that cannot be known."""
        if not isinstance(self._topics, bool):
            return self._topics
        self._topics = self._read_topics()
        return self._topics

    def is_subscribed(self, topic: str) -> bool:
        """Where the topics cannot be known, every topic may be one of a consumer group."""
        topics = self.subscribed_topics()
        return self.uses_consumer_protocol if topics is None else topic in topics

    def offset_expiry_base_ms(self, commit_timestamp_ms: int) -> int | None:
        """KIP-211: of a group with members only offsets of topics it gave up expire."""
        if self.protocol_type is None:
            return commit_timestamp_ms
        if self.state is State.EMPTY:
            known = self.state_timestamp_ms != -1
            return self.state_timestamp_ms if known else commit_timestamp_ms
        if self.state is State.STABLE and self.subscribed_topics() is not None:
            return commit_timestamp_ms
        return None

    def committed_offsets(self, machine: GroupMachine, member_id: str, now_ms: int) -> None:
        machine.classic.extend_session(self, member_id)

    def _read_topics(self) -> frozenset[str] | None:
        if not self.uses_consumer_protocol:
            return None
        if not self.members:
            return frozenset()
        if self.protocol_name is None:
            return None
        topics: set[str] = set()
        for metadata in {member.metadata(self.protocol_name) for member in self.members.values()}:
            if metadata is None:
                continue
            read = _topics_of(metadata)
            if read is None:
                return None
            topics.update(read)
        return frozenset(topics)

    # -- members -------------------------------------------------------------------------

    def add(self, member: ClassicMember, reply: Answer | None = None) -> None:
        if member.instance_id is not None:
            assert member.instance_id not in self.static_members, member
            self.static_members[member.instance_id] = member.member_id
        if self.leader is None:
            self.leader = member.member_id
        self.members[member.member_id] = member
        self._count(member.protocols, 1)
        self._park_join(member, reply)
        self.pending.pop(member.member_id, None)

    def remove(self, member_id: str) -> None:
        """Also a pending one; its parked requests were answered before."""
        member = self.members.pop(member_id, None)
        if member is not None:
            self._count(member.protocols, -1)
            self._park_join(member, None)
            if member.instance_id is not None:
                del self.static_members[member.instance_id]
        if member_id == self.leader:
            self.leader = next(iter(self.members), None)
        self.pending.pop(member_id, None)
        self.pending_sync.pop(member_id, None)

    def update(
        self,
        member: ClassicMember,
        protocols: Protocols,
        *,
        rebalance_timeout_ms: int,
        session_timeout_ms: int,
        reply: Answer,
    ) -> None:
        """A member joins again, perhaps with other protocols."""
        if protocols != member.protocols:
            self._count(member.protocols, -1)
            member.protocols = protocols
            self._count(protocols, 1)
        member.rebalance_timeout_ms = rebalance_timeout_ms
        member.session_timeout_ms = session_timeout_ms
        self._park_join(member, reply)

    def replace_static(self, member: ClassicMember, member_id: str) -> None:
        """A static member is back under a new id: everything else of it stays."""
        assert member.instance_id is not None
        assert member.join_reply is None and member.sync_reply is None, "fenced first"
        del self.members[member.member_id]
        self.pending_sync.pop(member.member_id, None)
        if self.leader == member.member_id:
            self.leader = member_id
        member.member_id = member_id
        self.members[member_id] = member
        self.static_members[member.instance_id] = member_id

    def take_join_reply(self, member: ClassicMember) -> Answer | None:
        reply = member.join_reply
        self._park_join(member, None)
        return reply

    def _park_join(self, member: ClassicMember, reply: Answer | None) -> None:
        self._awaiting_join += (reply is not None) - (member.join_reply is not None)
        member.join_reply = reply

    # -- protocols -----------------------------------------------------------------------

    def _count(self, protocols: Protocols, by: int) -> None:
        # A name said twice counts once; Kafka counts it twice and then finds no protocol in common.
        names = tuple(dict.fromkeys(name for name, _ in protocols))
        _add(self._lists, names, by)
        for name in names:
            _add(self._support, name, by)

    def supports(self, protocol_type: str, names: Iterable[str]) -> bool:
        """Whether all members could agree with a newcomer that has these protocols."""
        if self.state is State.EMPTY:
            return bool(protocol_type) and any(True for _ in names)
        if protocol_type != self.protocol_type:
            return False
        members = len(self.members)
        return any(self._support.get(name, 0) == members for name in names)

    def select_protocol(self) -> str:
        """Each member votes for its first choice among those all support; the most votes win."""
        members = len(self.members)
        candidates = {name for name, count in self._support.items() if count == members}
        votes: dict[str, int] = {}
        for names, count in self._lists.items():
            choice = next(name for name in names if name in candidates)
            votes[choice] = votes.get(choice, 0) + count
        return max(votes, key=votes.__getitem__)

    # -- states --------------------------------------------------------------------------

    def transition(self, state: State, now_ms: int) -> None:
        assert state in LEGAL[self.state], f"{self.group_id!r}: {self.state} to {state}"
        self.previous_state = self.state
        self.state = state
        self.state_timestamp_ms = now_ms

    def begin_generation(self, now_ms: int) -> None:
        """All who will be there have joined."""
        assert self.members
        self.generation = _after(self.generation)
        self.protocol_name = self.select_protocol()
        self._topics = False
        self.transition(State.COMPLETING_REBALANCE, now_ms)
        self.pending_sync = dict.fromkeys(self.members)

    def elect_joined_leader(self) -> bool:
        """Keep the leader if it joined, else take one who did. False if nobody did."""
        if self.leader is None:
            return False
        if self.members[self.leader].join_reply is not None:
            return True
        for member in self.members.values():
            if member.join_reply is not None:
                self.leader = member.member_id
                return True
        return False

    # -- the log -------------------------------------------------------------------------

    def record(self, assignments: dict[str, bytes]) -> GroupMetadataValue:
        """This generation as it is written; members without an assignment get an empty one."""
        protocol = self.protocol_name
        return GroupMetadataValue(
            protocol_type=self.protocol_type or "",
            generation=self.generation,
            protocol=protocol,
            leader=self.leader,
            current_state_timestamp=self.state_timestamp_ms,
            members=[
                MemberMetadata(
                    member_id=member_id,
                    group_instance_id=member.instance_id,
                    client_id=member.client_id,
                    client_host=member.client_host,
                    rebalance_timeout=member.rebalance_timeout_ms,
                    session_timeout=member.session_timeout_ms,
                    subscription=member.metadata(protocol) or b"",
                    assignment=assignments.get(member_id, NO_ASSIGNMENT),
                )
                for member_id, member in self.members.items()
            ],
        )

    def emptied_record(self, now_ms: int) -> GroupMetadataValue:
        """The next generation of a group that nobody is left in."""
        return GroupMetadataValue(
            protocol_type=self.protocol_type or "",
            generation=_after(self.generation),
            protocol=None,
            leader=None,
            current_state_timestamp=now_ms,
        )

    def birth_record(self) -> GroupMetadataValue:
        """Says that the group exists; the first member may be waiting already."""
        return GroupMetadataValue(
            protocol_type="",
            generation=0,
            protocol=None,
            leader=None,
            current_state_timestamp=self.state_timestamp_ms,
        )

    def written(self, value: GroupMetadataValue, now_ms: int) -> None:
        """A record that was decided on this very object is in the log."""
        if value.members:
            assert value.generation == self.generation
            for row in value.members:
                self.members[row.member_id].assignment = row.assignment
            if self.state is not State.STABLE:
                self.transition(State.STABLE, now_ms)
        elif value.generation:
            assert not self.members
            self.generation = value.generation
            self.protocol_name = None
            self._topics = False
            self.pending_sync.clear()
            self.transition(State.EMPTY, value.current_state_timestamp)

    @classmethod
    def loaded(cls, group_id: str, value: GroupMetadataValue) -> ClassicGroup:
        """The group as a record describes it."""
        group = cls(group_id, value.current_state_timestamp)
        group.generation = value.generation
        group.protocol_type = value.protocol_type or None
        group.protocol_name = value.protocol
        group.leader = value.leader if any(row.member_id == value.leader for row in value.members) else None
        for row in value.members:
            group.add(
                ClassicMember(
                    row.member_id,
                    row.group_instance_id,
                    client_id=row.client_id,
                    client_host=row.client_host,
                    rebalance_timeout_ms=(
                        row.session_timeout if row.rebalance_timeout == -1 else row.rebalance_timeout
                    ),
                    session_timeout_ms=row.session_timeout,
                    protocols=((value.protocol or "", row.subscription),),
                    assignment=row.assignment,
                )
            )
        if value.members:
            group.state = State.STABLE
        return group

    def validate(self) -> None:
        """What must hold between any two events; run after each under simulation."""
        members = self.members
        awaiting = [member for member in members.values() if member.join_reply is not None]
        assert self._awaiting_join == len(awaiting)
        assert self.static_members == {
            member.instance_id: member_id
            for member_id, member in members.items()
            if member.instance_id is not None
        }
        assert all(member_id == member.member_id for member_id, member in members.items())
        assert self.leader in members if members else self.leader is None
        assert not self.pending.keys() & members.keys()
        assert self.pending_sync.keys() <= members.keys()
        assert sum(self._lists.values()) == len(members)
        if self.state is State.EMPTY:
            assert not members
        if self.state is not State.PREPARING_REBALANCE:
            assert not awaiting
        if self.state is not State.COMPLETING_REBALANCE:
            assert all(member.sync_reply is None for member in members.values())
        if self.state in (State.COMPLETING_REBALANCE, State.STABLE):
            assert members and self.protocol_name is not None
            assert self._support.get(self.protocol_name) == len(members)
        else:
            assert not self.pending_sync


def _add(counts: dict[K, int], key: K, by: int) -> None:
    count = counts.get(key, 0) + by
    if count:
        counts[key] = count
    else:
        del counts[key]


def _after(generation: int) -> int:
    """The next generation; starts over past the largest int32, which no group reaches in earnest."""
    return generation + 1 if generation < 0x7FFFFFFF else 1


def _topics_of(metadata: bytes) -> list[str] | None:
    """Topics of a consumer's subscription, read as version 0, which all versions begin with."""
    if len(metadata) < 2 or metadata[0] & 0x80:
        return None
    try:
        subscription, _ = consumer_protocol_subscription.decode(memoryview(metadata), 2, 0)
    except DecodeError:
        return None
    return subscription.topics
