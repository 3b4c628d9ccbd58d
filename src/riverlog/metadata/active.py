"""What the active controller does by itself: fencing, balance of leaders, dead replicas, no-op records."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base import broker_configs, broker_configs_replication
from riverlog.env import Clock, Timer
from riverlog.metadata.broker_lifecycle import fence, settle_fenced, settle_fenced_leaders
from riverlog.metadata.controller import Decision
from riverlog.metadata.dead_replicas import replace_dead_replicas
from riverlog.metadata.election import balance_leaders, elect_unclean_leaders
from riverlog.metadata.image import ClusterState
from riverlog.protocol.generated.no_op_record import NoOpRecord

if TYPE_CHECKING:
    from riverlog.metadata.node import MetadataNode

logger = logging.getLogger("riverlog.metadata")

DEAD_CHECK_SECONDS_MAX = 30.0
MORE_SECONDS = 0.05
"""Between two batches of elections, so that others get a turn."""


class ActiveController:
    """``begin`` and ``end`` with the node's being active."""

    def __init__(self, metadata: MetadataNode, clock: Clock) -> None:
        self._metadata = metadata
        self._clock = clock
        self._timers: dict[str, Timer] = {}
        self._dead_seconds = 0.0
        self._fenced_since: dict[int, float] = {}
        """When this controller first saw a broker fenced; a new one counts from its beginning."""
        self._idle_since = -1
        """Where the log ended when the idle timer looked last."""

    def begin(self) -> None:
        config = self._metadata.settings.config
        rows = broker_configs_replication
        self._every("no-op", config[broker_configs.METADATA_MAX_IDLE_INTERVAL_MS] / 1000, self._no_op)
        if config[rows.AUTO_LEADER_REBALANCE_ENABLE]:
            self._every("balance", config[rows.LEADER_IMBALANCE_CHECK_INTERVAL_SECONDS], self._balance)
        self._every("unclean", config[rows.UNCLEAN_LEADER_ELECTION_INTERVAL_MS] / 1000, self._elect_unclean)
        self._dead_seconds = config[rows.BROKER_REPLICA_REPLACEMENT_TIMEOUT_MS] / 1000
        if self._dead_seconds > 0:
            self._every("dead", min(self._dead_seconds / 4, DEAD_CHECK_SECONDS_MAX), self._replace_dead)
        self._timers["left over"] = self._clock.call_later(0.0, self._settle_left_over)

    def end(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._fenced_since.clear()

    def _every(self, name: str, seconds: float, work: Callable[[], None]) -> None:
        """Not at all with 0."""
        if seconds > 0:
            self._timers[name] = self._clock.call_later(seconds, lambda: self._run(name, seconds, work))

    def _run(self, name: str, seconds: float, work: Callable[[], None]) -> None:
        self._every(name, seconds, work)
        work()

    def fence(self, broker_id: int, epoch: int, why: str) -> None:
        """For ``BrokerHeartbeats``."""
        logger.warning("fencing broker %d (epoch %d): %s", broker_id, epoch, why)
        metadata = self._metadata
        settings = metadata.settings

        def settle(state: ClusterState) -> Decision[bool]:
            return settle_fenced(state, settings, broker_id, epoch=epoch)

        def fenced(more: bool) -> None:
            if more and metadata.is_active:
                self._turns(f"fence {broker_id}", settle, pause_seconds=0.0)

        metadata.decide(lambda state: fence(state, settings, broker_id, epoch=epoch), fenced)

    def _settle_left_over(self) -> None:
        settings = self._metadata.settings
        self._turns("left over", lambda state: settle_fenced_leaders(state, settings))

    def _balance(self) -> None:
        settings = self._metadata.settings
        self._turns("balance", lambda state: balance_leaders(state, settings))

    def _elect_unclean(self) -> None:
        settings = self._metadata.settings
        self._turns("unclean", lambda state: elect_unclean_leaders(state, settings))

    def _replace_dead(self) -> None:
        """Brokers that stay fenced past the time-out: what they held is made anew elsewhere."""
        metadata = self._metadata
        now = self._clock.monotonic()
        fenced = [broker.broker_id for broker in metadata.state.brokers.values() if broker.fenced]
        self._fenced_since = {one: self._fenced_since.get(one, now) for one in fenced}
        dead = [one for one, since in self._fenced_since.items() if now - since >= self._dead_seconds]
        if dead:
            settings = metadata.settings
            metadata.decide(
                lambda state: replace_dead_replicas(state, settings, dead=dead),
                lambda left: logger.info("%d partitions have replicas on dead brokers %s", left, dead),
            )

    def _turns(
        self,
        name: str,
        decide: Callable[[ClusterState], Decision[bool]],
        *,
        pause_seconds: float = MORE_SECONDS,
    ) -> None:
        """A bounded number of records now; the rest when these are committed."""

        def decided(more: bool) -> None:
            if more and self._metadata.is_active:
                self._timers[f"more {name}"] = self._clock.call_later(
                    pause_seconds, lambda: self._turns(name, decide, pause_seconds=pause_seconds)
                )

        self._metadata.decide(decide, decided)

    def _no_op(self) -> None:
        """Something for followers to see when nothing else happens. A sole node has nobody to show it to."""
        metadata = self._metadata
        end = metadata.raft.log.log_end_offset
        if end == self._idle_since and not metadata.is_sole:
            metadata.decide(lambda _: Decision(None, [NoOpRecord()]), lambda _: None)
            end = metadata.raft.log.log_end_offset
        self._idle_since = end
