"""Thousands of group members in one process: plain sockets, one epoll, a connection for each member.

They do what clients do, in both protocols: join, sync, heartbeat, join again when they are told to.
"""

from __future__ import annotations

import heapq
import resource
import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_response, encode_request
from riverlog.protocol.generated import consumer_protocol_assignment as assignments
from riverlog.protocol.generated import consumer_protocol_subscription as subscriptions
from riverlog.protocol.generated.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
    TopicPartitions,
)
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.heartbeat_request import HeartbeatRequest
from riverlog.protocol.generated.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from riverlog.protocol.generated.sync_group_request import SyncGroupRequest, SyncGroupRequestAssignment

SESSION_MS, REBALANCE_MS = 45_000, 300_000
_FILES_SPARE = 200
_RETRY_SECONDS = 0.005
_LOOK_SECONDS = 0.3
_RETRIED = {
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.NOT_COORDINATOR,
}
_PROTOCOL = "range"


class CrowdFailed(Exception):
    """The broker refused a member, closed its connection, or did not answer in time."""


def room_for(connections: int) -> bool:
    """Whether this process may open so many; raises its own limit as far as that goes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _FILES_SPARE
    if soft < wanted <= hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted <= max(soft, hard)


class Line:
    """One connection with one request at a time."""

    __slots__ = ("_crowd", "_data", "_done", "_key", "_version", "fd", "sock")

    def __init__(self, crowd: Crowd, sock: socket.socket) -> None:
        self._crowd = crowd
        self.sock = sock
        self.fd = sock.fileno()
        self._data = b""
        self._done: Callable[[Any], None] | None = None

    def ask(self, key: ApiKey, version: int, message: Any, done: Callable[[Any], None]) -> None:
        assert self._done is None, "one request at a time"
        self._key, self._version, self._done = key, version, done
        self.sock.sendall(encode_request(key, version, 1, "bench", message))

    @property
    def is_busy(self) -> bool:
        return self._done is not None

    def readable(self) -> None:
        data = self.sock.recv(1 << 20)
        if not data:
            raise CrowdFailed("the broker closed a connection")
        data = self._data + data if self._data else data
        size = int.from_bytes(data[:4]) + 4
        if len(data) < 4 or len(data) < size:
            self._data = data
            return
        if len(data) > size or self._done is None:
            raise CrowdFailed("an answer that nobody asked for")
        self._data = b""
        done, self._done = self._done, None
        done(decode_response(self._key, self._version, memoryview(data)[4:])[1])


class Crowd:
    """All connections of this process, and its timers."""

    def __init__(self, bootstrap: str) -> None:
        host, port = bootstrap.rsplit(":", 1)
        self._address = (host, int(port))
        self._epoll = select.epoll()
        self._lines: dict[int, Line] = {}
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self.joining = 0
        """Members that have not joined yet, or join again."""
        self.watching = True
        """Whether members that joined look now and then if others made them join again."""

    def connect(self) -> Line:
        sock = socket.create_connection(self._address, timeout=20)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line = Line(self, sock)
        self._lines[line.fd] = line
        self._epoll.register(line.fd, select.EPOLLIN)
        return line

    def at(self, when: float, callback: Callable[[], None]) -> None:
        heapq.heappush(self._timers, (when, next(self._order), callback))

    def later(self, seconds: float, callback: Callable[[], None]) -> None:
        self.at(time.perf_counter() + seconds, callback)

    def run_until(self, happened: Callable[[], bool], seconds_max: float, what: str) -> None:
        deadline = time.perf_counter() + seconds_max
        timers, lines = self._timers, self._lines
        while not happened():
            now = time.perf_counter()
            if now > deadline:
                raise CrowdFailed(f"not within {seconds_max:.0f} s: {what}")
            wait = min(0.2, timers[0][0] - now) if timers else 0.2
            for fd, _ in self._epoll.poll(max(0.0, wait)):
                lines[fd].readable()
            now = time.perf_counter()
            while timers and timers[0][0] <= now:
                heapq.heappop(timers)[2]()

    def run_until_joined(self, seconds_max: float) -> None:
        """All have joined, and nobody waits for an answer any more."""
        self.watching = True
        self.run_until(lambda: self.joining == 0, seconds_max, "all members joined")
        self.watching = False
        busy = list(self._lines.values())

        def quiet() -> bool:
            while busy and not busy[-1].is_busy:
                busy.pop()
            return not busy

        self.run_until(quiet, seconds_max, "all members heard")

    def close(self) -> None:
        for line in self._lines.values():
            line.sock.close()
        self._epoll.close()


@contextmanager
def crowd(bootstrap: str) -> Iterator[Crowd]:
    found = Crowd(bootstrap)
    try:
        yield found
    finally:
        found.close()


def find_coordinator(crowd: Crowd, line: Line, group_id: str, done: Callable[[], None]) -> None:
    """Ask until there is one: the first time it also creates the topic of the groups."""

    def ask() -> None:
        line.ask(ApiKey.FIND_COORDINATOR, 4, FindCoordinatorRequest(coordinator_keys=[group_id]), answered)

    def answered(response: Any) -> None:
        error = response.coordinators[0].error_code
        if error == 0:
            done()
        elif error in _RETRIED:
            crowd.later(_RETRY_SECONDS, ask)
        else:
            raise CrowdFailed(f"FindCoordinator: {ErrorCode(error).name}")

    ask()


class Member:
    """What the two protocols have in common."""

    interval_seconds: float
    """Of heartbeats, as clients have it by default."""

    def __init__(self, crowd: Crowd, group_id: str, topic: str) -> None:
        self.group_id = group_id
        self.topic = topic
        self.member_id = ""
        self.stable_at = 0.0
        """When it last joined."""
        self.assigned = 0
        """Partitions."""
        self.samples: list[float] = []
        """Seconds from each heartbeat to its answer."""
        self._crowd = crowd
        self._line = crowd.connect()
        self._next_at = 0.0
        self._sent_at = 0.0
        self._until = 0.0
        self._joining = False

    def join(self) -> None:
        if not self._joining:
            self._joining = True
            self._crowd.joining += 1
        self._join()

    def _join(self) -> None:
        raise NotImplementedError

    def _beat(self) -> None:
        raise NotImplementedError

    def beat_from(self, when: float, until: float) -> None:
        """Heartbeats in the interval that clients take, beginning then."""
        self._next_at = when
        self._until = until
        self._crowd.at(when, self._due)

    def _due(self) -> None:
        self._sent_at = time.perf_counter()
        self._beat()

    def _beaten(self) -> None:
        self.samples.append(time.perf_counter() - self._sent_at)
        self._next_at += self.interval_seconds
        if self._next_at < self._until:
            self._crowd.at(self._next_at, self._due)

    @property
    def beats_due(self) -> bool:
        """Whether it has not had the last answer yet."""
        return self._next_at < self._until

    def _settled(self) -> None:
        self._joining = False
        self._crowd.joining -= 1
        self.stable_at = time.perf_counter()

    def _retry(self, error: int, again: Callable[[], None]) -> bool:
        """Whether it will be tried again; errors that are not for trying again end everything."""
        if error == 0:
            return False
        if error not in _RETRIED:
            raise CrowdFailed(f"{self.group_id}: {ErrorCode(error).name}")
        self._crowd.later(_RETRY_SECONDS, again)
        return True


class ClassicMember(Member):
    interval_seconds = 3.0

    def __init__(self, crowd: Crowd, group_id: str, topic: str) -> None:
        super().__init__(crowd, group_id, topic)
        self.generation = -1
        self.joins = 0
        self.joined_at = 0.0
        """When it last sent a JoinGroup."""
        self._will_look = False

    def _join(self) -> None:
        self.joins += 1
        subscription = subscriptions.ConsumerProtocolSubscription(
            topics=[self.topic], user_data=self.joins.to_bytes(8)
        )
        metadata = b"\0\3" + subscriptions.encode(subscription, 3)
        request = JoinGroupRequest(
            group_id=self.group_id,
            session_timeout_ms=SESSION_MS,
            rebalance_timeout_ms=REBALANCE_MS,
            member_id=self.member_id,
            protocol_type="consumer",
            protocols=[JoinGroupRequestProtocol(_PROTOCOL, metadata)],
        )
        self.joined_at = time.perf_counter()
        self._line.ask(ApiKey.JOIN_GROUP, 9, request, self._joined)

    def _joined(self, response: Any) -> None:
        if response.error_code == ErrorCode.MEMBER_ID_REQUIRED:
            self.member_id = response.member_id
            self.join()
            return
        if self._retry(response.error_code, self.join):
            return
        self.generation = response.generation_id
        shares = []
        if response.leader == self.member_id:
            shares = [
                SyncGroupRequestAssignment(member.member_id, _share(self.topic, number))
                for number, member in enumerate(response.members)
            ]
        request = SyncGroupRequest(
            group_id=self.group_id,
            generation_id=self.generation,
            member_id=self.member_id,
            protocol_type="consumer",
            protocol_name=_PROTOCOL,
            assignments=shares,
        )
        self._line.ask(ApiKey.SYNC_GROUP, 5, request, self._synced)

    def _synced(self, response: Any) -> None:
        if response.error_code == ErrorCode.REBALANCE_IN_PROGRESS:
            self.join()
        elif not self._retry(response.error_code, self.join):
            found, _ = assignments.decode(memoryview(response.assignment), 2, 3)
            self.assigned = sum(len(topic.partitions) for topic in found.assigned_partitions)
            self._settled()
            self._look_later()

    def _look_later(self) -> None:
        if not self._will_look:
            self._will_look = True
            self._crowd.later(_LOOK_SECONDS, self._look)

    def _look(self) -> None:
        self._will_look = False
        if self._crowd.watching and not self._joining:
            self._heartbeat(self._looked)

    def _looked(self, response: Any) -> None:
        if response.error_code == ErrorCode.REBALANCE_IN_PROGRESS:
            self.join()
        elif not self._retry(response.error_code, self._look_later):
            self._look_later()

    def _beat(self) -> None:
        self._heartbeat(self._answered)

    def _heartbeat(self, done: Callable[[Any], None]) -> None:
        request = HeartbeatRequest(self.group_id, self.generation, self.member_id)
        self._line.ask(ApiKey.HEARTBEAT, 4, request, done)

    def _answered(self, response: Any) -> None:
        if response.error_code:
            raise CrowdFailed(f"{self.group_id}: {ErrorCode(response.error_code).name} to a heartbeat")
        self._beaten()


def _share(topic: str, partition: int) -> bytes:
    share = assignments.TopicPartition(topic=topic, partitions=[partition])
    message = assignments.ConsumerProtocolAssignment(assigned_partitions=[share])
    return b"\0\3" + assignments.encode(message, 3)


class ConsumerMember(Member):
    """KIP-848: heartbeats are all there is."""

    interval_seconds = 5.0

    def __init__(self, crowd: Crowd, group_id: str, topic: str) -> None:
        super().__init__(crowd, group_id, topic)
        self.member_id = f"{group_id}-{self._line.fd}"
        self.epoch = 0
        self._has: list[TopicPartitions] = []
        self._said: list[TopicPartitions] | None = None

    def _join(self) -> None:
        self.epoch = 0
        self._said = None
        self._ask(self._joined)

    def _joined(self, response: Any) -> None:
        if not self._retry(response.error_code, self.join):
            self._take(response)
            self._settled()

    def _beat(self) -> None:
        self._ask(self._answered)

    def _answered(self, response: Any) -> None:
        if response.error_code:
            raise CrowdFailed(f"{self.group_id}: {ErrorCode(response.error_code).name} to a heartbeat")
        self._take(response)
        self._beaten()

    def _ask(self, done: Callable[[Any], None]) -> None:
        joining = self.epoch == 0
        request = ConsumerGroupHeartbeatRequest(
            self.group_id,
            self.member_id,
            self.epoch,
            rebalance_timeout_ms=REBALANCE_MS if joining else -1,
            subscribed_topic_names=[self.topic] if joining else None,
            topic_partitions=self._has if joining or self._said != self._has else None,
        )
        self._said = self._has
        self._line.ask(ApiKey.CONSUMER_GROUP_HEARTBEAT, 1, request, done)

    def _take(self, response: Any) -> None:
        self.epoch = response.member_epoch
        if response.assignment is not None:
            self._has = [
                TopicPartitions(topic.topic_id, topic.partitions)
                for topic in response.assignment.topic_partitions
            ]
            self.assigned = sum(len(topic.partitions) for topic in self._has)


KINDS: dict[str, type[Member]] = {"classic": ClassicMember, "consumer": ConsumerMember}
