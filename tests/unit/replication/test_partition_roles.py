"""A partition as leader: watermark, in-sync set, acknowledgements. Each rule once right and once broken."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from replica_world import LAG_SECONDS, State, World

from riverlog.base.errors import ErrorCode
from riverlog.replication import ReplicationPolicy
from riverlog.storage import AppendError, Log


def test_watermark_waits_for_every_in_sync_replica() -> None:
    world = World()
    world.elect(1)
    outcome = world.produce(1, b"a")
    world.run()
    assert world[1].log.durable_end == 1
    world.settle(2)
    assert (outcome, world[1].partition.high_watermark) == ([], 0)
    world.settle(3)
    assert (outcome, world[1].partition.high_watermark) == ([ErrorCode.NONE], 1)


def test_watermark_waits_for_the_leaders_own_disk() -> None:
    world = World(2)
    world.elect(1)
    world.settle()
    outcome = world.produce(1, b"a")
    request = world.ask(2)
    assert request is not None
    world.take(2, world.serve(1, request))
    world[2].disk.sync([world[2].log.active.file])
    world[2].log.finish_sync(world[2].log.begin_sync())  # the follower is quicker than the leader
    world[2].fetcher.durable(world[2].partition, world.now)
    assert world.fetch(2)
    assert world[1].partition.in_sync.followers[2].log_end == 1
    assert (world[1].log.durable_end, world[1].partition.high_watermark, outcome) == (0, 0, [])
    world.run()
    assert (world[1].partition.high_watermark, outcome) == (1, [ErrorCode.NONE])


def test_follower_asks_for_more_only_when_all_it_got_is_durable() -> None:
    world = World(2)
    world.elect(1)
    world.settle()
    world.produce(1, b"a")
    assert world.fetch(2)
    assert (world[2].log.log_end_offset, world[2].log.durable_end) == (1, 0)
    assert world.ask(2) is None
    world.run()
    assert world[2].log.durable_end == 1
    assert world.fetch(2)
    assert world[1].partition.high_watermark == 1


class FetchesBeforeSync(ReplicationPolicy):
    """Watermark 3 broken."""

    def may_fetch(self, log: Log, *, first: bool) -> bool:
        return True


def test_a_follower_that_does_not_wait_for_its_disk_lets_the_watermark_pass_it() -> None:
    world = World(2, policy=FetchesBeforeSync())
    world.elect(1)
    world.settle()
    world.produce(1, b"a")
    world.run()
    assert world.fetch(2)
    durable = world[2].log.durable_end
    assert world.fetch(2)
    assert world[1].partition.high_watermark == 1 > durable


def test_first_fetch_in_an_epoch_waits_until_all_that_is_held_is_durable() -> None:
    world = World(2, ack_after_fsync=False)
    world.elect(1)
    world.settle()
    world.produce(1, b"a")
    world.fetch(2)
    assert world[2].log.durable_end == 0  # nobody syncs it by itself
    world.elect(1)
    assert world.ask(2) is None  # but now it is urged
    world.run()
    assert world[2].log.durable_end == 1
    assert world.ask(2) is not None


def test_fetches_of_an_older_epoch_do_not_count() -> None:
    world = World(2)
    world.elect(1)
    world.produce(1, b"a")
    world.settle()
    assert world[1].partition.in_sync.followers[2].log_end == 1
    world.elect(1, tell=[1])
    assert world[1].partition.in_sync.followers[2].log_end == -1
    world.produce(1, b"b")
    world.run()
    request = world.ask(2)
    assert request is not None
    data = world.serve(1, request).responses[0].partitions[0]
    assert data.error_code == ErrorCode.FENCED_LEADER_EPOCH
    assert world[1].partition.in_sync.followers[2].log_end == -1


def test_an_older_incarnation_of_a_follower_does_not_count() -> None:
    world = World(2)
    world.elect(1)
    partition = world[1].partition
    world.produce(1, b"a")
    world.run()
    given = {
        "fetch_epoch": 0,
        "log_start_offset": 0,
        "registered_epoch": 12,
        "is_alive": True,
        "now": 0.0,
        "lag_seconds_max": 10.0,
    }
    partition.fetched(2, fetch_offset=1, broker_epoch=11, **given)  # type: ignore[arg-type]
    assert partition.high_watermark == 0
    partition.fetched(2, fetch_offset=1, broker_epoch=12, **given)  # type: ignore[arg-type]
    assert partition.high_watermark == 1


class CountsAnyEpoch(ReplicationPolicy):
    def counts_fetch(self, **_: int) -> bool:
        return True


def test_the_check_of_incarnations_can_fail() -> None:
    world = World(2, policy=CountsAnyEpoch())
    world.elect(1)
    world.produce(1, b"a")
    world.run()
    world[1].partition.fetched(
        2,
        fetch_offset=1,
        fetch_epoch=-5,
        log_start_offset=0,
        broker_epoch=1,
        registered_epoch=12,
        is_alive=True,
        now=0.0,
        lag_seconds_max=10.0,
    )
    assert world[1].partition.high_watermark == 1


def test_watermark_stands_below_min_isr_and_writes_fail() -> None:
    world = World(2, min_isr=2)
    world.elect(1)
    world.produce(1, b"a")
    world.settle()
    outcome = world.produce(1, b"b")
    world.run()
    old = world.state
    shrunk = State(1, old.leader_epoch, old.partition_epoch + 1, old.replicas, (1,))
    world[1].adopt(shrunk)
    partition = world[1].partition
    assert outcome == [ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND]
    assert partition.is_under_min_isr
    assert (partition.log.durable_end, partition.high_watermark) == (2, 1)


class IgnoresMinIsr(ReplicationPolicy):
    def watermark(
        self, *, current: int, own_end: int, follower_ends: Iterable[int], isr_size: int, min_isr: int
    ) -> int:
        return max(current, min(own_end, min(follower_ends, default=own_end)))


def test_without_the_rule_of_min_isr_the_watermark_runs_on() -> None:
    world = World(2, min_isr=2, policy=IgnoresMinIsr())
    world.elect(1)
    world.produce(1, b"a")
    world.settle()
    world.produce(1, b"b")
    world.run()
    old = world.state
    world[1].adopt(State(1, old.leader_epoch, old.partition_epoch + 1, old.replicas, (1,)))
    assert world[1].partition.high_watermark == 2


def test_min_isr_above_the_replication_factor_asks_for_all_replicas() -> None:
    world = World(1, min_isr=3)
    world.elect(1)
    outcome = world.produce(1, b"a")
    world.run()
    assert outcome == [ErrorCode.NONE]


def test_a_follower_joins_once_it_has_the_watermark_and_the_start_of_the_epoch() -> None:
    world = World(2)
    world.elect(1, isr=[1])
    for value in (b"a", b"b"):
        world.produce(1, value)
    world.run()
    assert world[1].partition.high_watermark == 2
    assert world.fetch(2)
    assert world.proposals == []
    world.run()
    assert world.fetch(2)
    (proposal,) = world.proposals
    assert proposal.isr == (1, 2)


def test_while_it_joins_the_watermark_waits_for_it() -> None:
    world = World(2)
    world.elect(1, isr=[1])
    world.settle()
    (proposal,) = world.proposals
    outcome = world.produce(1, b"a")
    world.run()
    assert (world[1].partition.high_watermark, outcome) == (0, [])
    world.commit_isr(proposal)
    assert outcome == []
    world.settle()
    assert outcome == [ErrorCode.NONE]


def test_a_refused_proposal_is_dropped_and_made_again_by_the_next_fetch() -> None:
    world = World(2)
    world.elect(1, isr=[1])
    world.settle()
    (proposal,) = world.proposals
    world[1].partition.isr_refused(proposal)
    assert world[1].partition.in_sync.pending is None
    world.produce(1, b"a")
    world.settle()
    assert len(world.proposals) == 2


def test_metadata_that_overtakes_a_proposal_ends_it() -> None:
    world = World(3)
    world.elect(1, isr=[1, 3])
    world.settle(2)
    (proposal,) = world.proposals
    old = world.state
    world[1].adopt(State(1, old.leader_epoch, old.partition_epoch + 1, old.replicas, (1,)))
    in_sync = world[1].partition.in_sync
    assert (in_sync.pending, in_sync.isr) == (None, (1,))
    # The answer to what was overtaken changes nothing.
    world[1].partition.isr_decided(proposal.isr, leader_epoch=0, partition_epoch=old.partition_epoch)
    assert in_sync.isr == (1,)


def test_a_follower_that_fell_behind_leaves() -> None:
    world = World(2)
    world.elect(1)
    world.settle()
    world.produce(1, b"a")
    partition = world[1].partition
    assert partition.consider_shrink(now=world.now + LAG_SECONDS - 1, lag_seconds_max=LAG_SECONDS) is None
    proposal = partition.consider_shrink(now=world.now + LAG_SECONDS + 1, lag_seconds_max=LAG_SECONDS)
    assert proposal is not None
    assert proposal.isr == (1,)
    world.run()
    assert partition.high_watermark == 0  # not before the controller says so
    world.commit_isr(proposal)
    assert partition.high_watermark == 1


def test_an_idle_follower_that_has_everything_stays() -> None:
    world = World(2)
    world.elect(1)
    world.produce(1, b"a")
    world.settle()
    partition = world[1].partition
    assert partition.consider_shrink(now=world.now + 99 * LAG_SECONDS, lag_seconds_max=LAG_SECONDS) is None


def test_an_in_sync_follower_that_lost_data_leaves_at_once() -> None:
    world = World(2)
    world.elect(1)
    world.produce(1, b"a")
    world.settle()
    world[2].log.truncate_to(0, now_ms=0)
    assert world.fetch(2)
    (proposal,) = world.proposals
    assert proposal.isr == (1,)


def test_losing_leadership_fails_writes_that_wait() -> None:
    world = World(2)
    world.elect(1)
    outcome = world.produce(1, b"a")
    world.elect(2)
    assert outcome == [ErrorCode.NOT_LEADER_OR_FOLLOWER]
    with pytest.raises(AppendError) as refused:
        world.produce(1, b"b")
    assert refused.value.code == ErrorCode.NOT_LEADER_OR_FOLLOWER


def test_older_metadata_changes_nothing() -> None:
    world = World(2)
    world.elect(1)
    old = world.state
    world.elect(2)
    world[1].adopt(old)
    assert not world[1].partition.is_leader
    world[2].partition.become_follower(old)
    assert world[2].partition.is_leader


def test_watermark_goes_on_from_where_it_was_known() -> None:
    world = World(2)
    world.elect(1)
    world.produce(1, b"a")
    world.settle()
    world.produce(1, b"b")
    world.settle(rounds=1)
    follower = world[2].partition
    assert (follower.log.log_end_offset, follower.high_watermark) == (2, 1)
    world.elect(2)
    assert (follower.high_watermark, follower.epoch_start_offset) == (1, 2)
    world.settle(1)
    assert follower.high_watermark == 2
