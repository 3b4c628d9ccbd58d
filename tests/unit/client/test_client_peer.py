"""A peer: one connection per address, opened when needed; deadlines, pauses. Frames are real bytes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from riverlog.client.peer import PENDING_MAX, SETUP_SECONDS_MAX, Peer, Peers
from riverlog.env import Closed
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_request, encode_response
from riverlog.protocol.generated.api_versions_response import ApiVersion, ApiVersionsResponse
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.metadata_request import MetadataRequest
from riverlog.protocol.generated.metadata_response import MetadataResponse
from riverlog.sim.clock import Scheduler, SimClock

REFUSED = Closed("refused", refused=True)
RESET = Closed("reset by the peer", reset=True)


class FakeChannel:
    """A connection whose far end is the test."""

    def __init__(
        self,
        address: tuple[str, int],
        on_connected: Callable[[], None],
        on_received: Callable[[memoryview], None],
        on_closed: Callable[[Closed], None],
    ) -> None:
        self.address = address
        self.connect = on_connected
        self.receive = on_received
        self.lose = on_closed
        self.closed = False
        self.requests: list[tuple[int, int, int]] = []
        """Api key, version, correlation id of what was sent and not answered."""

    def send(self, data: bytes) -> None:
        assert not self.closed
        header, _ = decode_request(memoryview(data)[4:])
        self.requests.append((header.api_key, header.api_version, header.correlation_id))

    def close(self) -> None:
        self.closed = True

    def answer(self, message: Any) -> None:
        """Answer the oldest request, a byte at a time."""
        key, version, correlation_id = self.requests.pop(0)
        frame = b"".join(bytes(part) for part in encode_response(key, version, correlation_id, message))  # type: ignore[arg-type]
        for index in range(len(frame)):
            scratch = bytearray(frame[index : index + 1])
            self.receive(memoryview(scratch))
            scratch[0] ^= 0xFF  # valid during the call only

    def come_up(self) -> None:
        self.connect()
        rows = [ApiVersion(api_key=key, max_version=4) for key in (ApiKey.API_VERSIONS, ApiKey.METADATA)]
        self.answer(ApiVersionsResponse(api_keys=rows))


class World:
    """A fake ``Dialer`` and simulated time around one peer."""

    def __init__(self) -> None:
        self.time = Scheduler()
        self.channels: list[FakeChannel] = []
        self.peers = Peers(self, SimClock(self.time), client_id="test")
        self.peer = self.peers.to("one", 9092)
        self.answers: list[Any] = []
        self.lost: list[Closed] = []
        self.peer.on_lost = self.lost.append

    def connect(
        self,
        host: str,
        port: int,
        *,
        on_connected: Callable[[], None],
        on_received: Callable[[memoryview], None],
        on_closed: Callable[[Closed], None],
    ) -> FakeChannel:
        self.channels.append(FakeChannel((host, port), on_connected, on_received, on_closed))
        return self.channels[-1]

    @property
    def channel(self) -> FakeChannel:
        return self.channels[-1]

    def ask(self, *, timeout_seconds: float = 5.0, peer: Peer | None = None) -> None:
        (peer or self.peer).send(
            ApiKey.METADATA, MetadataRequest(), self.answers.append, timeout_seconds=timeout_seconds
        )


@pytest.fixture
def world() -> World:
    return World()


def clusters(answers: list[Any]) -> list[str | None]:
    return [answer and answer.cluster_id for answer in answers]


def test_no_connection_without_a_request(world: World) -> None:
    world.time.run_for(60)
    assert world.channels == []


def test_requests_leave_in_order_without_waiting_for_each_other(world: World) -> None:
    world.ask()
    world.ask()
    assert len(world.channels) == 1
    assert not world.peer.connected
    world.channel.come_up()
    assert world.peer.connected
    world.ask()
    assert [key for key, _, _ in world.channel.requests] == [ApiKey.METADATA] * 3
    for name in "abc":
        world.channel.answer(MetadataResponse(cluster_id=name))
    assert clusters(world.answers) == ["a", "b", "c"]


def test_one_peer_per_address_and_purpose(world: World) -> None:
    assert world.peers.to("one", 9092) is world.peer
    assert world.peers.to("one", 9092, "raft") is not world.peer
    assert world.peers.to("one", 9093) is not world.peer
    world.peer.close()
    assert world.peers.to("one", 9092) is not world.peer


def test_the_version_stays_within_the_senders_bound(world: World) -> None:
    world.peer.send(
        ApiKey.METADATA, MetadataRequest(), world.answers.append, timeout_seconds=5, max_version=2
    )
    world.channel.come_up()
    assert [version for _, version, _ in world.channel.requests] == [2]


def test_a_lost_connection_fails_what_was_on_it_then_tells(world: World) -> None:
    order: list[str] = []
    world.peer.on_lost = lambda closed: order.append(f"lost {closed.reset}")
    world.peer.send(ApiKey.METADATA, MetadataRequest(), lambda _: order.append("failed"), timeout_seconds=5)
    world.channel.come_up()
    world.channel.lose(RESET)
    assert order == ["failed", "lost True"]
    assert not world.peer.connected


def test_a_refused_connection_fails_the_request(world: World) -> None:
    world.ask()
    world.channel.lose(REFUSED)
    assert world.answers == [None]
    assert world.lost == [REFUSED]


def test_the_pause_doubles_while_the_peer_is_refused(world: World) -> None:
    attempts: list[float] = []

    def again(_answer: Any = None) -> None:
        if len(attempts) < 7:
            world.peer.send(ApiKey.METADATA, MetadataRequest(), again, timeout_seconds=5)

    again()
    while len(attempts) < 7:
        attempts.append(world.time.now)
        world.channel.lose(REFUSED)
        world.time.run_until(lambda: len(world.channels) > len(attempts), seconds_max=1)
    pauses = [round(b - a, 3) for a, b in pairwise(attempts)]
    assert pauses == [0.02, 0.04, 0.08, 0.16, 0.2, 0.2]


def test_a_connection_that_came_up_ends_the_doubling(world: World) -> None:
    for _ in range(6):
        world.ask()
        world.time.run_for(1)
        world.channel.lose(REFUSED)
    world.ask()
    world.time.run_for(1)
    world.channel.come_up()
    world.channel.lose(RESET)
    count = len(world.channels)
    world.ask()
    assert len(world.channels) == count
    world.time.run_for(0.021)
    assert len(world.channels) == count + 1


def test_many_requests_in_the_pause_make_one_connection(world: World) -> None:
    world.ask()
    world.channel.lose(REFUSED)
    for _ in range(100):
        world.ask()
    world.time.run_for(1)
    assert len(world.channels) == 2
    world.channel.come_up()
    assert len(world.channel.requests) == 100


def test_a_late_answer_drops_the_connection_and_fails_all_on_it(world: World) -> None:
    world.ask(timeout_seconds=5)
    world.ask(timeout_seconds=1)
    world.channel.come_up()
    world.time.run_for(0.99)
    assert world.answers == []
    world.time.run_for(0.02)
    assert world.answers == [None, None]
    assert world.channel.closed
    assert [(closed.refused, closed.reset) for closed in world.lost] == [(False, False)]


def test_an_answer_in_time_is_not_followed_by_a_time_out(world: World) -> None:
    world.ask(timeout_seconds=1)
    world.channel.come_up()
    world.channel.answer(MetadataResponse(cluster_id="a"))
    world.time.run_for(60)
    assert clusters(world.answers) == ["a"]
    assert world.lost == []
    assert world.peer.connected


def test_a_connection_that_never_comes_up_is_dropped(world: World) -> None:
    world.ask(timeout_seconds=60)
    world.channel.connect()  # connected, but the versions never come
    world.time.run_for(SETUP_SECONDS_MAX + 0.1)
    assert world.channel.closed
    assert world.answers == [None]


def test_a_request_fails_in_time_even_in_a_pause(world: World) -> None:
    for _ in range(6):
        world.ask()
        world.time.run_for(0.21)
        world.channel.lose(REFUSED)
    world.answers.clear()
    world.ask(timeout_seconds=0.05)
    world.time.run_for(0.06)
    assert world.answers == [None]
    count = len(world.channels)
    world.time.run_for(1)
    assert len(world.channels) == count  # nobody waits any more


def test_nothing_is_called_inside_send(world: World) -> None:
    world.ask()
    world.channel.come_up()
    world.channel.answer(MetadataResponse(cluster_id="a"))
    world.answers.clear()
    world.peer.send(  # not offered by this peer
        ApiKey.FIND_COORDINATOR, FindCoordinatorRequest(), world.answers.append, timeout_seconds=5
    )
    assert world.answers == []
    world.time.run_for(0.001)
    assert world.answers == [None]
    assert world.peer.connected


def test_a_callback_may_send_while_versions_arrive(world: World) -> None:
    """What waited leaves before what a callback adds, or answers would be matched wrongly."""
    world.peer.send(
        ApiKey.FIND_COORDINATOR, FindCoordinatorRequest(), lambda _: world.ask(), timeout_seconds=5
    )
    world.ask()
    world.channel.come_up()
    assert len(world.channel.requests) == 2
    world.channel.answer(MetadataResponse(cluster_id="a"))
    world.channel.answer(MetadataResponse(cluster_id="b"))
    assert clusters(world.answers) == ["a", "b"]


def test_nonsense_from_the_peer_closes_the_connection(world: World) -> None:
    world.ask()
    world.channel.come_up()
    world.channel.receive(memoryview(b"\xff" * 8))
    assert world.answers == [None]
    assert world.channel.closed
    assert len(world.lost) == 1


def test_nothing_is_called_after_close(world: World) -> None:
    world.ask()
    channel = world.channel
    channel.come_up()
    world.peers.close()
    assert channel.closed
    channel.lose(RESET)
    world.time.run_for(60)
    assert world.answers == []
    assert world.lost == []
    world.ask(peer=world.peers.to("one", 9092))
    world.time.run_for(60)
    assert world.answers == [None]
    assert len(world.channels) == 1


def test_a_callback_may_close_the_peer(world: World) -> None:
    world.peer.send(ApiKey.METADATA, MetadataRequest(), lambda _: world.peer.close(), timeout_seconds=5)
    world.ask()
    world.channel.come_up()
    world.channel.lose(RESET)
    world.time.run_for(60)
    assert world.answers == []
    assert world.lost == []


def test_requests_without_an_answer_are_bounded(world: World) -> None:
    for _ in range(PENDING_MAX + 1):
        world.ask(timeout_seconds=50)
    world.time.run_for(0.001)
    assert world.answers == [None]


def test_a_request_that_cannot_be_encoded_is_reported_once(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.ask()
    world.channel.come_up()
    for _ in range(3):
        wrong = MetadataRequest(topics=7)  # type: ignore[arg-type]
        world.peer.send(ApiKey.METADATA, wrong, world.answers.append, timeout_seconds=5)
    world.time.run_for(1)
    assert world.answers == [None] * 3
    assert caplog.text.count("cannot be sent to one:9092") == 1
