"""One partition's next state: who is in sync, who is eligible, who leads; as the record that says so.

Every decision that touches ISR, leader or replicas goes through ``change_partition``. In this order: a
reassignment that is done is completed, the ISR is kept from becoming empty, the eligible leader replicas
(KIP-966) follow from the ISR, a leader is elected.

Differs from Kafka (ADR 0015): the last in-sync replica stays in the ISR when its broker is fenced, also
with KIP-966; a replica whose folder is gone is never the last known leader.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import Enum

from riverlog.metadata.electorate import Electorate
from riverlog.metadata.image import LEADER_UNCHANGED, NO_LEADER, PartitionState, TopicState
from riverlog.metadata.placement import default_directory
from riverlog.metadata.records import supports_directories
from riverlog.protocol.generated.partition_change_record import PartitionChangeRecord

RECOVERED, RECOVERING = 0, 1
"""Leader recovery states: RECOVERING reports an election that was not clean (KIP-704)."""


class Election(Enum):
    PREFERRED = "preferred"
    """The first replica if it is in sync, else the present leader."""
    ONLINE = "online"
    """The present leader if it can go on, else any that is in sync or eligible."""
    UNCLEAN = "unclean"
    """As a last resort any replica that lives."""


class _Goal:
    """What the partition is to be; changed step by step until it becomes the record."""

    __slots__ = ("adding", "elr", "isr", "known", "leader", "recovery", "removing", "replicas", "unclean")

    def __init__(self, partition: PartitionState) -> None:
        self.replicas = list(partition.replicas)
        self.isr = list(partition.isr)
        self.adding = list(partition.adding_replicas)
        self.removing = list(partition.removing_replicas)
        self.elr: list[int] = []
        self.known = list(partition.last_known_elr)
        self.leader = partition.leader
        self.recovery = partition.leader_recovery_state
        self.unclean = False


def change_partition(
    electorate: Electorate,
    topic: TopicState,
    index: int,
    partition: PartitionState,
    *,
    isr: Sequence[int] | None = None,
    replicas: Sequence[int] | None = None,
    adding: Sequence[int] | None = None,
    removing: Sequence[int] | None = None,
    recovery: int | None = None,
    directories: Mapping[int, bytes] | None = None,
    wiped: Collection[int] = (),
    untrusted: Collection[int] = (),
    election: Election | None = None,
) -> PartitionChangeRecord | None:
    """The record that takes a partition there; None if it is there already.

    What is not given stays. ``wiped`` replicas have lost their data, ``untrusted`` ones may have lost some
    of it: both leave ISR and ELR, and only the second may come back as last known leader. ``election`` is
    by the topic's setting unless given.
    """
    goal = _Goal(partition)
    if replicas is not None:
        goal.replicas = list(replicas)
    if adding is not None:
        goal.adding = list(adding)
    if removing is not None:
        goal.removing = list(removing)
    if recovery is not None:
        goal.recovery = recovery
    lost = {*wiped, *untrusted}
    goal.isr = [one for one in (partition.isr if isr is None else isr) if one not in lost]
    unclean, needed = electorate.rules(topic.name)
    if election is None:
        election = Election.UNCLEAN if unclean else Election.ONLINE
    _complete_reassignment(goal)
    _keep_last(electorate, partition, goal, wiped, untrusted)
    _elect(electorate, partition, goal, election, lost)
    _settle_eligible(electorate, needed, partition, goal, lost)
    _settle_last_known(electorate, partition, goal, wiped)
    return _record(electorate, topic, index, partition, goal, directories or {})


def _complete_reassignment(goal: _Goal) -> None:
    """All replicas that are to stay are in sync: those that are to go, go."""
    if not (goal.adding or goal.removing):
        return
    replicas = [one for one in goal.replicas if one not in goal.removing]
    isr = [one for one in goal.isr if one not in goal.removing]
    if replicas and isr and all(one in isr for one in replicas):
        goal.replicas, goal.isr, goal.adding, goal.removing = replicas, isr, [], []


def _keep_last(
    electorate: Electorate,
    partition: PartitionState,
    goal: _Goal,
    wiped: Collection[int],
    untrusted: Collection[int],
) -> None:
    """Never an empty ISR (KAFKA-15353), unless the last member lost its data."""
    if goal.isr:
        return
    # Without KIP-966 nobody could remember who led last.
    lost = {*wiped, *untrusted} if electorate.elr else set(wiped)
    goal.isr = [one for one in partition.isr if one in goal.replicas and one not in lost]


def _elect(
    electorate: Electorate,
    partition: PartitionState,
    goal: _Goal,
    election: Election,
    lost: Collection[int],
) -> None:
    able = [one for one in goal.replicas if electorate.may_lead(partition, one)]
    # An eligible replica has all that was ever readable: the watermark stands still below min.insync.
    eligible = [one for one in partition.eligible_leader_replicas if electorate.elr and one not in lost]
    for chosen in ([one for one in able if one in goal.isr], [one for one in able if one in eligible]):
        if not chosen:
            continue
        if election is Election.PREFERRED and goal.replicas[0] in chosen:
            goal.leader = goal.replicas[0]
        elif partition.leader not in chosen:
            goal.leader = chosen[0]
        if goal.leader not in goal.isr:
            goal.isr = [goal.leader]
        # Whoever is fenced does not hold up a partition that has a leader.
        goal.isr = [one for one in goal.isr if one == goal.leader or electorate.in_service(one)]
        return
    goal.leader = NO_LEADER
    known = partition.last_known_elr
    if electorate.elr and not goal.isr and not eligible and len(known) == 1 and known[0] in able:
        _elect_uncleanly(goal, known[0])
    elif election is Election.UNCLEAN and able:
        _elect_uncleanly(goal, able[0])


def _elect_uncleanly(goal: _Goal, leader: int) -> None:
    """Can lose records, and is reported as a leader that recovers."""
    goal.leader = leader
    goal.isr = [leader]
    goal.recovery = RECOVERING
    goal.unclean = True


def _settle_eligible(
    electorate: Electorate,
    needed: int,
    partition: PartitionState,
    goal: _Goal,
    lost: Collection[int],
) -> None:
    """KIP-966: below ``min.insync.replicas`` those that leave the ISR stay eligible."""
    # RULES: watermark 2, the same for the leader.
    if not electorate.elr or goal.unclean or len(goal.isr) >= min(needed, len(goal.replicas)):
        return
    goal.elr = [
        one
        for one in goal.replicas
        if (one in partition.eligible_leader_replicas or one in partition.isr)
        and one not in goal.isr
        and one not in lost
    ]


def _settle_last_known(
    electorate: Electorate, partition: PartitionState, goal: _Goal, wiped: Collection[int]
) -> None:
    if goal.leader != NO_LEADER:
        goal.known = []
    elif electorate.elr and not goal.isr and partition.isr:
        last = [partition.leader, *partition.isr]
        goal.known = [one for one in last if one in partition.isr and one not in wiped][:1]
    else:
        goal.known = [one for one in goal.known if one not in wiped]


def _record(
    electorate: Electorate,
    topic: TopicState,
    index: int,
    partition: PartitionState,
    goal: _Goal,
    directories: Mapping[int, bytes],
) -> PartitionChangeRecord | None:
    change = PartitionChangeRecord(topic_id=topic.topic_id, partition_id=index)
    if goal.replicas != list(partition.replicas):
        change.replicas = goal.replicas
    if supports_directories(electorate.state.metadata_version):
        change.directories = _directories(electorate, partition, goal, directories)
    if goal.isr != list(partition.isr):
        change.isr = goal.isr
    if goal.adding != list(partition.adding_replicas):
        change.adding_replicas = goal.adding
    if goal.removing != list(partition.removing_replicas):
        change.removing_replicas = goal.removing
    if goal.elr != list(partition.eligible_leader_replicas):
        change.eligible_leader_replicas = goal.elr
    if goal.known != list(partition.last_known_elr):
        change.last_known_elr = goal.known
    # A replica that is dropped must not be counted any more: the leader begins a new epoch.
    if goal.leader != partition.leader or any(one not in goal.replicas for one in partition.replicas):
        change.leader = goal.leader
    if goal.recovery != partition.leader_recovery_state:
        change.leader_recovery_state = goal.recovery
    return change if _says_something(change) else None


def _says_something(change: PartitionChangeRecord) -> bool:
    return (
        change.leader != LEADER_UNCHANGED
        or change.isr is not None
        or change.eligible_leader_replicas is not None
        or change.last_known_elr is not None
        or change.replicas is not None
        or change.adding_replicas is not None
        or change.removing_replicas is not None
        or change.directories is not None
        or change.leader_recovery_state >= 0
    )


def _directories(
    electorate: Electorate, partition: PartitionState, goal: _Goal, given: Mapping[int, bytes]
) -> list[bytes] | None:
    known = {**dict(zip(partition.replicas, partition.directories, strict=False)), **given}
    new = [known[one] if one in known else default_directory(electorate.state, one) for one in goal.replicas]
    if new == list(partition.directories) or (not given and goal.replicas == list(partition.replicas)):
        return None
    return new
