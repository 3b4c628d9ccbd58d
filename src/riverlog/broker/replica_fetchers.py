"""Fetching from leaders: drives ``replication/fetcher.py`` over connections to other brokers.

Two sessions per leader, each with a connection of its own: the usual one, and one for partitions whose
fsync takes long (RULES: replica fetchers).
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from riverlog.base import broker_configs
from riverlog.base import broker_configs_replication as configs
from riverlog.base.listeners import SECURITY_PROTOCOLS
from riverlog.client.peer import Peer
from riverlog.env import StorageError, Timer
from riverlog.protocol.apis import ApiKey
from riverlog.replication import Partition
from riverlog.replication.fetcher import Fetcher, FetcherEffects, FetcherSettings
from riverlog.storage import LogError

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker

logger = logging.getLogger("riverlog.broker")

UNREACHABLE_RETRY_SECONDS = 0.2
"""A leader whose address is not known is looked up again after this."""


class ReplicaFetchers:
    """Who is fetched from whom."""

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self._sessions: dict[tuple[int, bool], _Session] = {}
        self._of: dict[Partition, _Session] = {}
        self._starts: dict[Partition, int] = {}
        """Log starts on their way to disk."""
        self._repairs: dict[Partition, int] = {}
        """Corrupt replicas, and where that begins."""
        self._stopped = False

    def follow(self, partition: Partition) -> None:
        """Fetch it from its leader, from now on and in its present epoch."""
        self.remove(partition)
        if not self._stopped:
            self._put(partition, slow=False, first=True)

    def remove(self, partition: Partition) -> None:
        session = self._of.pop(partition, None)
        if session is not None:
            session.fetcher.remove(partition)
            session.pump_soon()  # the others may have waited for its disk
        self._starts.pop(partition, None)

    def forget(self, partition: Partition) -> None:
        """It is not ours any more."""
        self.remove(partition)
        self._repairs.pop(partition, None)

    def repair(self, partition: Partition, offset: int) -> None:
        """From ``offset`` on it is corrupt: once we are out of the in-sync set it is cut and fetched again.

        Not before: the leader may fail meanwhile, and what is cut here may be needed.
        """
        self._repairs[partition] = min(offset, self._repairs.get(partition, offset))
        session = self._of.get(partition)
        if session is not None:
            session.fetcher.repair(partition, self._repairs[partition])
            session.pump_soon()

    def is_under_repair(self, partition: Partition) -> bool:
        """Whether it waits to be cut."""
        return partition in self._repairs

    def give_up_repair(self, partition: Partition) -> None:
        """Follow on as it is."""
        self._repairs.pop(partition, None)
        session = self._of.get(partition)
        if session is not None:
            session.fetcher.repair(partition, None)
            session.pump_soon()

    def left_in_sync_set(self, partition: Partition) -> None:
        """A corrupt replica does not count any more: cut it."""
        offset = self._repairs.pop(partition, None)
        session = self._of.get(partition)
        if offset is None or session is None:
            return
        try:
            partition.truncate_to(offset, now_ms=self.broker.clock.now_ms())
        except LogError as refused:
            logger.error("%s-%d cannot be repaired: %s", partition.topic, partition.index, refused)
            return
        session.fetcher.repair(partition, None)
        session.pump_soon()

    def durable(self, partition: Partition) -> None:
        """More of the log of a follower is on disk."""
        session = self._of.get(partition)
        if session is not None:
            if session.fetcher.durable(partition, self.broker.clock.monotonic()):
                self.take_back(session.fetcher.leader_id)
            session.pump()

    def brokers_changed(self) -> None:
        """Addresses may be new, and so may be the brokers behind them."""
        for session in list(self._sessions.values()):
            session.leader_restarted()
            session.pump()

    def stop(self) -> None:
        self._stopped = True
        for session in self._sessions.values():
            session.stop()
        self._of.clear()

    def take_back(self, leader_id: int) -> None:
        """From the slow session what is quick again. Not while the usual one waits for an answer: they would
        have to wait for it, too."""
        slow = self._sessions.get((leader_id, True))
        if slow is None or not len(slow.fetcher):
            return
        usual = self._sessions.get((leader_id, False))
        if usual is None or not usual.fetcher.in_flight:
            for partition in slow.fetcher.returning():
                self.move(partition, slow=False)

    def move(self, partition: Partition, *, slow: bool) -> None:
        """To the other session of its leader."""
        session = self._of.pop(partition, None)
        if session is not None:
            session.fetcher.remove(partition)
            self._put(partition, slow=slow, first=False)

    def _put(self, partition: Partition, *, slow: bool, first: bool) -> None:
        key = (partition.leader_id, slow)
        session = self._sessions.get(key)
        if session is None:
            session = self._sessions[key] = _Session(self, partition.leader_id, slow=slow)
        self._of[partition] = session
        session.fetcher.add(partition, first=first)
        if partition in self._repairs:
            session.fetcher.repair(partition, self._repairs[partition])
        session.pump_soon()

    def life_of(self, broker_id: int) -> int:
        """The epoch of a broker's registration; -1 if there is none."""
        found = self.broker.metadata.image.brokers.get(broker_id)
        return -1 if found is None else found.broker_epoch

    def address_of(self, broker_id: int) -> tuple[str, int] | None:
        """Where other brokers reach that one."""
        config = self.broker.config
        found = self.broker.metadata.image.brokers.get(broker_id)
        if found is None:
            return None
        name = config[broker_configs.INTER_BROKER_LISTENER_NAME]
        protocol = SECURITY_PROTOCOLS[config[broker_configs.SECURITY_INTER_BROKER_PROTOCOL]]
        for endpoint in found.endpoints.values():
            if endpoint.listener == name or (name is None and endpoint.security_protocol == protocol):
                return endpoint.host, endpoint.port
        return None

    def settings(self) -> FetcherSettings:
        config = self.broker.config
        return FetcherSettings(
            node_id=self.broker.node_id,
            max_wait_ms=config[configs.REPLICA_FETCH_WAIT_MAX_MS],
            min_bytes=config[configs.REPLICA_FETCH_MIN_BYTES],
            response_max_bytes=config[configs.REPLICA_FETCH_RESPONSE_MAX_BYTES],
            partition_max_bytes=config[configs.REPLICA_FETCH_MAX_BYTES],
            backoff_ms=config[configs.REPLICA_FETCH_BACKOFF_MS],
        )

    def effects(self) -> FetcherEffects:
        broker = self.broker
        return FetcherEffects(
            sync=broker.logs.commit.urge,
            move_log_start=self._move_log_start,
            received=broker.replicas.throttles.received,
            is_held_back=broker.replicas.throttles.holds_back_follower,
        )

    def _move_log_start(self, partition: Partition, offset: int) -> None:
        if self._starts.get(partition, -1) >= offset:
            return
        self._starts[partition] = offset

        def durable(error: StorageError | None) -> None:
            if self._starts.get(partition) == offset:
                del self._starts[partition]
            if error is None:
                partition.durable_log_start = max(partition.durable_log_start, offset)

        try:
            self.broker.logs.delete_records(partition.log, offset, durable)
        except LogError as refused:
            self._starts.pop(partition, None)
            logger.warning("%s-%d: log start %d: %s", partition.topic, partition.index, offset, refused)


class _Session:
    """One session with one leader, and its timer."""

    __slots__ = ("_asked", "_driver", "_stopped", "_timer", "fetcher")

    def __init__(self, driver: ReplicaFetchers, leader_id: int, *, slow: bool) -> None:
        self._driver = driver
        self.fetcher = Fetcher(leader_id, driver.settings(), driver.effects(), is_slow=slow)
        self._timer: Timer | None = None
        self._stopped = False
        self._asked: tuple[Peer, int] | None = None
        """Whom the request under way went to, and which life of that broker (its epoch)."""

    def stop(self) -> None:
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def pump_soon(self) -> None:
        """At the end of this turn: many partitions are added at once."""
        if not self._stopped:
            self._arm(0.0)

    def pump(self) -> None:
        """Send what can be sent."""
        if self._stopped:
            return
        driver, fetcher = self._driver, self.fetcher
        broker = driver.broker
        now = broker.clock.monotonic()
        for partition in fetcher.take_slow(now):
            driver.move(partition, slow=True)
        if not len(fetcher) or fetcher.in_flight:
            return
        address = driver.address_of(fetcher.leader_id)
        if address is None or broker.peers is None:
            self._arm(UNREACHABLE_RETRY_SECONDS)
            return
        request = fetcher.request(now, broker_epoch=broker.broker_epoch)
        if request is not None:
            purpose = "replica-slow" if fetcher.is_slow else "replica"
            timeout = broker.config[configs.REPLICA_SOCKET_TIMEOUT_MS] / 1000
            peer = broker.peers.to(*address, purpose)
            self._asked = peer, driver.life_of(fetcher.leader_id)
            peer.send(ApiKey.FETCH, request, self._answered, timeout_seconds=timeout)
            return
        due = fetcher.due_at(now)
        if due is not None:
            self._arm(due - now)

    def _arm(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._driver.broker.clock.call_later(max(0.0, seconds), self._fired)

    def _fired(self) -> None:
        self._timer = None
        self.pump()

    def leader_restarted(self) -> None:
        """Ask again if what is under way went to an earlier life of the leader.

        A machine that lost power closes no connection: the answer would be waited for in vain, as long as
        ``replica.socket.timeout.ms``.
        """
        if self._asked is not None and self._asked[1] != self._driver.life_of(self.fetcher.leader_id):
            self._asked[0].close()
            self._answered(None)

    def _answered(self, response: Any | None) -> None:
        self._asked = None
        if self._stopped:
            return
        broker = self._driver.broker
        self.fetcher.answered(response, broker.clock.monotonic(), broker.clock.now_ms())
        self._driver.take_back(self.fetcher.leader_id)
        self.pump()
        broker.run_look_again()
