"""Whatever the controller decides, whoever leads has everything that was ever readable.

A model of one partition's logs under the rules of the data path (RULES: watermark 1 and 2): brokers stop,
lose their folders, come back in any order, controllers forget whom they have heard. A leader that lacks a
readable record is allowed only where its election was reported as unclean (INVARIANTS 1 and 7).
"""

from __future__ import annotations

from itertools import takewhile

from controller_world import Controller, directory
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from test_min_isr_changes import alter as alter_min_isr

from riverlog.base.errors import ErrorCode
from riverlog.metadata.dead_replicas import replace_dead_replicas
from riverlog.metadata.election import PREFERRED, balance_leaders
from riverlog.metadata.electorate import Electorate
from riverlog.protocol.generated.alter_partition_response import PartitionData

BROKERS = (1, 2, 3, 4)
broker_ids = st.sampled_from(BROKERS)


class OnePartition(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.controller = Controller(*BROKERS)
        self.synced, self.unclean = True, False
        self.logs: dict[int, list[int]] = {one: [] for one in BROKERS}
        self.folders = dict.fromkeys(BROKERS, 0)
        self.alive = dict.fromkeys(BROKERS, True)
        self.heard = set(BROKERS)
        self.readable: list[int] = []
        self.written = 0
        self.seen = (-1, 0)
        """Leader epoch and recovery state at the last look."""

    @initialize(
        synced=st.sampled_from([True, True, False]),
        unclean=st.sampled_from([False, False, True]),
        needed=st.sampled_from(["1", "2", "3"]),
    )
    def create(self, synced: bool, unclean: bool, needed: str) -> None:
        self.synced, self.unclean = synced, unclean
        self.controller.topic(
            [1, 2, 3],
            min_insync_replicas=needed,
            ack_after_fsync=str(synced).lower(),
            unclean_leader_election_enable=str(unclean).lower(),
        )
        self.look()

    # -- the data path -----------------------------------------------------------------------------

    @property
    def leader(self) -> int | None:
        """The leader, if its process lives."""
        leader = self.controller.partition.leader
        return leader if leader >= 0 and self.alive[leader] else None

    def look(self) -> None:
        """A new leader is seen; the watermark moves as far as it may."""
        found = self.controller.partition
        if found.leader >= 0 and found.leader_epoch != self.seen[0]:
            log = self.logs[found.leader]
            if found.leader_recovery_state:
                # Reported: the operator knows that records may be gone.
                pairs = zip(self.readable, log, strict=False)
                self.readable = [one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]
            assert log[: len(self.readable)] == self.readable, "a leader without a readable record"
        self.seen = (found.leader_epoch, found.leader_recovery_state)
        _, needed = Electorate(self.controller.state, None).rules("t")
        needed = min(needed, len(found.replicas))
        if self.leader is not None and len(found.isr) >= needed:
            log = self.logs[self.leader]
            common = min(len(self.logs[one]) for one in found.isr)
            if all(self.logs[one][:common] == log[:common] for one in found.isr):
                self.readable = max(self.readable, log[:common], key=len)

    @precondition(lambda self: self.leader is not None)
    @rule(count=st.integers(1, 3))
    def write(self, count: int) -> None:
        leader = self.leader
        assert leader is not None
        self.logs[leader] = [*self.logs[leader], *range(self.written, self.written + count)]
        self.written += count
        self.look()

    @rule(follower=broker_ids)
    def fetch(self, follower: int) -> None:
        found = self.controller.partition
        leader = self.leader
        if leader is not None and self.alive[follower] and follower in found.replicas and follower != leader:
            self.logs[follower] = list(self.logs[leader])
            self.look()

    @precondition(lambda self: self.leader is not None)
    @rule(joining=broker_ids)
    def expand(self, joining: int) -> None:
        """A leader adds who has caught up; while that is pending its watermark waits for it already."""
        found = self.controller.partition
        leader = self.leader
        assert leader is not None
        if joining in found.replicas and joining not in found.isr:
            if self.logs[joining][: len(self.readable)] != self.readable:
                return
            if self.logs[joining] != self.logs[leader][: len(self.logs[joining])]:
                return
            self.propose([*found.isr, joining])

    @precondition(lambda self: self.leader is not None)
    @rule(leaving=broker_ids)
    def shrink(self, leaving: int) -> None:
        found = self.controller.partition
        if leaving in found.isr and leaving != found.leader:
            self.propose([one for one in found.isr if one != leaving])

    @precondition(lambda self: self.leader is not None and self.seen[1])
    @rule()
    def recover(self) -> None:
        self.propose([self.controller.partition.leader])

    def propose(self, isr: list[int]) -> None:
        recovery = self.controller.partition.leader_recovery_state
        answered = self.controller.propose(isr, recovery=0)
        assert isinstance(answered, PartitionData)
        allowed = (ErrorCode.NONE, ErrorCode.INELIGIBLE_REPLICA, ErrorCode.NEW_LEADER_ELECTED)
        assert answered.error_code in allowed, (answered, recovery)
        self.look()

    # -- brokers and the controller ----------------------------------------------------------------

    @rule(broker_id=broker_ids, wiped=st.sampled_from([False, False, False, True]))
    def die(self, broker_id: int, wiped: bool) -> None:
        self.alive[broker_id] = False
        if wiped and self.may_wipe(broker_id):
            self.logs[broker_id] = []
            self.folders[broker_id] += 1

    def may_wipe(self, broker_id: int) -> bool:
        """W is a fault of a minority: somebody else must still have what is readable."""
        found = self.controller.partition
        safe = [*found.isr, *found.eligible_leader_replicas]
        return any(
            other != broker_id and self.logs[other][: len(self.readable)] == self.readable for other in safe
        )

    @rule(broker_id=broker_ids)
    def session_ends(self, broker_id: int) -> None:
        """Fencing hits the living as well: a pause, a partition."""
        self.controller.fence(broker_id)
        self.heard.discard(broker_id)
        self.look()

    @rule(broker_id=broker_ids, clean=st.booleans(), left=st.integers(0, 9))
    def register(self, broker_id: int, clean: bool, left: int) -> None:
        """The incarnation before it is over, whether it was seen to die or not."""
        if not clean and not self.synced:
            self.logs[broker_id] = self.logs[broker_id][:left]
        self.alive[broker_id] = True
        self.heard.discard(broker_id)
        response = self.controller.register(
            broker_id,
            clean=clean,
            dirs=[directory(broker_id, generation=self.folders[broker_id])],
            in_contact=self.heard,
        )
        assert response.error_code == ErrorCode.NONE
        self.look()

    @rule(broker_id=broker_ids, want_shut_down=st.sampled_from([False, False, False, True]))
    def beat(self, broker_id: int, want_shut_down: bool) -> None:
        broker = self.controller.state.brokers[broker_id]
        if not self.alive[broker_id] or directory(broker_id, self.folders[broker_id]) not in broker.log_dirs:
            return
        first = broker_id not in self.heard
        self.heard.add(broker_id)
        self.controller.beat(broker_id, first_contact=first, want_shut_down=want_shut_down)
        self.look()

    @rule()
    def controller_fails_over(self) -> None:
        self.heard.clear()

    # -- what operators do -------------------------------------------------------------------------

    @rule(value=st.integers(1, 3))
    def set_min_isr(self, value: int) -> None:
        assert alter_min_isr(self.controller, value) == ErrorCode.NONE
        self.look()

    @rule(replicas=st.one_of(st.none(), st.lists(broker_ids, min_size=1, max_size=4, unique=True)))
    def reassign(self, replicas: list[int] | None) -> None:
        self.controller.reassign(replicas)
        self.look()

    @rule()
    def prefer(self) -> None:
        self.controller.elect(PREFERRED)
        self.look()

    @rule(dead=broker_ids)
    def timers(self, dead: int) -> None:
        controller = self.controller
        controller.apply(balance_leaders(controller.state, controller.settings))
        controller.apply(replace_dead_replicas(controller.state, controller.settings, dead=[dead]))
        self.look()

    # -- always ------------------------------------------------------------------------------------

    @invariant()
    def elections_outside_isr_and_elr_are_never_made(self) -> None:
        if self.synced and not self.unclean and "t" in self.controller.state.topics:
            assert self.controller.partition.leader_recovery_state == 0

    def teardown(self) -> None:
        """Liveness: when all come back there is a leader, unless there was nothing to lose."""
        if "t" not in self.controller.state.topics:
            return
        for broker_id in BROKERS:
            self.register(broker_id, clean=False, left=9)
        for broker_id in BROKERS:
            self.beat(broker_id, want_shut_down=False)
        found = self.controller.partition
        if found.leader < 0 and self.synced:
            assert (found.isr, found.eligible_leader_replicas, self.readable) == ((), (), [])


OnePartition.TestCase.settings = hypothesis_settings(max_examples=100, stateful_step_count=40, deadline=None)
TestOnePartition = OnePartition.TestCase
