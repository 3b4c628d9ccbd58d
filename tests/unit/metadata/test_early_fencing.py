"""When brokers are fenced: silence for the session time-out, a closed connection (RULES: early fencing)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from riverlog.metadata.heartbeats import BrokerHeartbeats
from riverlog.sim.clock import Scheduler, SimClock

SESSION = 9.0


class Desk:
    """An active controller's view of a few brokers."""

    def __init__(self, count: int = 3) -> None:
        self.scheduler = Scheduler()
        self.brokers: dict[int, Any] = {
            number: SimpleNamespace(broker_id=number, broker_epoch=100 + number, fenced=False)
            for number in range(1, count + 1)
        }
        self.fenced: list[tuple[int, float]] = []
        self.beating: set[int] = set(self.brokers)
        self.heartbeats = BrokerHeartbeats(
            SimClock(self.scheduler),
            session_timeout_seconds=SESSION,
            brokers=lambda: self.brokers,
            fence=self.fence,
        )
        self.heartbeats.begin()

    def fence(self, broker_id: int, epoch: int, _why: str) -> None:
        assert self.brokers[broker_id].broker_epoch == epoch
        self.brokers[broker_id].fenced = True
        self.fenced.append((broker_id, round(self.scheduler.now, 3)))

    def beat(self, *without: int) -> None:
        for number, broker in self.brokers.items():
            if number not in without:
                self.heartbeats.connected(number, broker.broker_epoch, f"session-{number}")

    def run_for(self, seconds: float, *silent: int) -> None:
        """Everyone sends a heartbeat each half second, except the silent."""
        until = self.scheduler.now + seconds
        while self.scheduler.now + 0.5 <= until:
            self.scheduler.run_for(0.5)
            self.beat(*silent)
        self.scheduler.run_for(until - self.scheduler.now)

    def cut(self, broker_id: int, *, by_peer: bool = True) -> None:
        self.heartbeats.disconnected(f"session-{broker_id}", by_peer=by_peer)

    def epoch(self, broker_id: int) -> int:
        epoch: int = self.brokers[broker_id].broker_epoch
        return epoch


def test_a_silent_broker_is_fenced_after_the_session_time_out() -> None:
    desk = Desk()
    desk.beat()
    desk.run_for(4.0)
    desk.run_for(20.0, 2)
    assert desk.fenced == [(2, 13.0)]


def test_a_closed_connection_fences_after_a_second() -> None:
    desk = Desk()
    desk.beat()
    desk.run_for(2.0)
    desk.cut(2)
    desk.run_for(10.0, 2)
    assert desk.fenced == [(2, 3.0)]


def test_who_reconnects_within_a_second_is_not_fenced() -> None:
    desk = Desk()
    desk.beat()
    desk.cut(2)
    desk.scheduler.run_for(0.99)
    desk.heartbeats.connected(2, desk.epoch(2), "another session")
    desk.run_for(5.0, 2)
    assert desk.fenced == []
    # The old connection's end no longer says anything, the new one's does.
    desk.cut(2)
    desk.run_for(2.0, 2)
    assert desk.fenced == []
    desk.heartbeats.disconnected("another session", by_peer=True)
    desk.run_for(1.2, 2)
    assert desk.fenced == [(2, 8.99)]


def test_a_close_that_the_controller_made_does_not_count() -> None:
    desk = Desk()
    desk.beat()
    desk.cut(2, by_peer=False)
    desk.run_for(8.0, 2)
    assert desk.fenced == []
    desk.run_for(2.0, 2)
    assert desk.fenced == [(2, 9.0)]


def test_a_second_broker_within_five_seconds_waits_for_its_session() -> None:
    desk = Desk()
    desk.beat()
    desk.cut(1)
    desk.run_for(3.0, 1)
    assert desk.fenced == [(1, 1.0)]
    desk.cut(2)
    desk.run_for(15.0, 1, 2)
    # Heard last at 3.0.
    assert desk.fenced == [(1, 1.0), (2, 12.0)]


def test_two_at_once_both_wait_for_their_sessions() -> None:
    desk = Desk()
    desk.beat()
    desk.cut(1)
    desk.scheduler.run_for(0.6)
    desk.cut(2)
    desk.run_for(8.0, 1, 2)
    assert desk.fenced == []
    desk.run_for(2.0, 1, 2)
    assert desk.fenced == [(1, 9.0), (2, 9.0)]


def test_after_five_seconds_the_next_one_is_fenced_early_again() -> None:
    desk = Desk()
    desk.beat()
    desk.cut(1)
    desk.run_for(6.0, 1)
    desk.cut(2)
    desk.run_for(3.0, 1, 2)
    assert desk.fenced == [(1, 1.0), (2, 7.0)]


def test_large_clusters_may_lose_a_quarter_early() -> None:
    desk = Desk(count=8)
    desk.beat()
    desk.cut(1)
    desk.cut(2)
    desk.run_for(2.0, 1, 2)
    assert [broker for broker, _ in desk.fenced] == [1, 2]
    desk.cut(3)
    desk.run_for(3.0, 1, 2, 3)
    assert [broker for broker, _ in desk.fenced] == [1, 2]


def test_a_new_controller_gives_everybody_the_full_session() -> None:
    desk = Desk()
    desk.scheduler.run_for(8.9)
    assert desk.fenced == []
    desk.scheduler.run_for(0.2)
    assert [broker for broker, _ in desk.fenced] == [1, 2, 3]


def test_the_previous_leader_gone_for_certain_is_fenced_early_by_the_new_one() -> None:
    desk = Desk()
    desk.heartbeats.leader_lost(3, seconds_ago=0.4)
    desk.run_for(5.0, 3)
    assert desk.fenced == [(3, 0.6)]


def test_the_previous_leader_that_comes_back_in_time_is_not_fenced() -> None:
    desk = Desk()
    desk.heartbeats.leader_lost(3, seconds_ago=0.4)
    desk.scheduler.run_for(0.5)
    desk.beat()
    desk.run_for(5.0)
    assert desk.fenced == []


def test_a_controller_that_stood_still_asks_again_before_it_judges() -> None:
    """Its timers are all late then, and the heartbeats it missed are still in its sockets."""
    desk = Desk()
    desk.beat()
    desk.cut(2)
    desk.scheduler.now += 5.0
    desk.scheduler.run_for(0.2)
    assert desk.fenced == []
    desk.beat()
    desk.run_for(5.0)
    assert desk.fenced == []


def test_a_controller_that_is_always_slow_fences_in_the_end() -> None:
    """Every turn of its loop takes 0.29 s: late timers are no excuse for ever."""
    desk = Desk()
    desk.beat()
    desk.cut(2)
    times: dict[int, float] = {}
    for turn in range(100):
        desk.scheduler.now += 0.29
        desk.beat(2, 3)
        desk.scheduler.run_for(0.0)
        if turn == 20:
            assert [number for number, _ in desk.fenced] == [2]
        for number, _ in desk.fenced:
            times.setdefault(number, desk.scheduler.now)
    assert list(times) == [2, 3]
    assert times[2] < 3.0
    assert times[3] < SESSION + 3.0


def test_a_new_incarnation_need_not_wait_once_the_old_connection_is_closed() -> None:
    desk = Desk()
    desk.beat()
    assert desk.heartbeats.has_session(2, desk.epoch(2))
    assert not desk.heartbeats.has_session(2, desk.epoch(2) + 5)
    desk.cut(2)
    assert not desk.heartbeats.has_session(2, desk.epoch(2))
    # Registered anew: the old timer says nothing about it.
    desk.brokers[2].broker_epoch = 200
    desk.heartbeats.touched(2, 200)
    desk.run_for(3.0)
    assert desk.fenced == []
    # A straggler of the old incarnation does not count for the new one.
    desk.heartbeats.touched(2, 102)
    assert desk.heartbeats.has_session(2, 200)


def test_an_incarnation_that_this_controller_never_heard_keeps_nobody_waiting() -> None:
    desk = Desk()
    assert not desk.heartbeats.has_session(2, desk.epoch(2))
    desk.heartbeats.touched(2, desk.epoch(2))
    assert desk.heartbeats.has_session(2, desk.epoch(2))


def test_a_session_ends_with_the_session_time_out() -> None:
    desk = Desk()
    desk.beat()
    desk.brokers[2].fenced = True
    desk.run_for(8.5, 2)
    assert desk.heartbeats.has_session(2, desk.epoch(2))
    desk.run_for(1.0, 2)
    assert not desk.heartbeats.has_session(2, desk.epoch(2))


def test_nothing_is_fenced_after_the_controller_resigned() -> None:
    desk = Desk()
    desk.beat()
    desk.cut(2)
    desk.heartbeats.end()
    desk.scheduler.run_for(30.0)
    assert desk.fenced == []


def test_a_sole_nodes_own_broker_is_never_fenced() -> None:
    desk = Desk(count=2)
    desk.heartbeats.exempt = 1
    desk.scheduler.run_for(60.0)
    assert [broker for broker, _ in desk.fenced] == [2]
