"""One connection: negotiation, matching, limits. Frames are real bytes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverlog.client.connection import (
    LARGE_FRAME_BYTES,
    Answered,
    ClientConnection,
    Close,
    Connected,
    ConnectionEffect,
    Disconnected,
    Failed,
    Filled,
    Ready,
    Received,
    Request,
    SendBytes,
    State,
    Submitted,
    choose_version,
)
from riverlog.client.errors import UnsupportedApi
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_request, encode_response
from riverlog.protocol.generated.api_versions_response import (
    ApiVersion,
    ApiVersionsResponse,
    FinalizedFeatureKey,
)
from riverlog.protocol.generated.metadata_request import MetadataRequest
from riverlog.protocol.generated.metadata_response import MetadataResponse, MetadataResponseBroker
from riverlog.protocol.generated.produce_request import ProduceRequest

# What Kafka answers to ApiVersions 127 (taken off the wire, shortened to one API): error 35 in version 0.
REFUSED = bytes.fromhex("0000001000000000002300000001001200000003")
VERSIONS = {ApiKey.API_VERSIONS: (0, 4), ApiKey.METADATA: (0, 13), ApiKey.PRODUCE: (3, 9)}


def answer(key: int, version: int, correlation_id: int, message: Any) -> bytes:
    return b"".join(bytes(part) for part in encode_response(key, version, correlation_id, message))  # type: ignore[arg-type]


def versions_answer(correlation_id: int, version: int, offered: dict[ApiKey, tuple[int, int]]) -> bytes:
    rows = [
        ApiVersion(api_key=key, min_version=low, max_version=high) for key, (low, high) in offered.items()
    ]
    return answer(ApiKey.API_VERSIONS, version, correlation_id, ApiVersionsResponse(api_keys=rows))


def sent(effects: list[ConnectionEffect]) -> list[tuple[int, int, int]]:
    """Api key, version and correlation id of each frame that leaves."""
    frames = [effect.data for effect in effects if isinstance(effect, SendBytes)]
    headers = [decode_request(memoryview(frame)[4:])[0] for frame in frames]
    return [(header.api_key, header.api_version, header.correlation_id) for header in headers]


def ready(offered: dict[ApiKey, tuple[int, int]] = VERSIONS) -> ClientConnection:
    connection = ClientConnection(client_id="test")
    connection.handle(Connected())
    connection.handle(Received(versions_answer(0, 4, offered)))
    assert connection.state is State.READY
    return connection


def metadata() -> Request:
    return Request(ApiKey.METADATA, MetadataRequest(topics=[]))


def test_the_first_request_asks_for_versions_and_the_rest_wait() -> None:
    connection = ClientConnection()
    request = metadata()
    assert connection.handle(Submitted(request)) == []
    assert sent(connection.handle(Connected())) == [(ApiKey.API_VERSIONS, 4, 0)]
    connection.validate()
    effects = connection.handle(Received(versions_answer(0, 4, VERSIONS)))
    assert effects[0] == Ready(dict(VERSIONS))
    assert sent(effects) == [(ApiKey.METADATA, 13, 1)]
    connection.validate()
    effects = connection.handle(Received(answer(ApiKey.METADATA, 13, 1, MetadataResponse(cluster_id="c"))))
    assert effects == [Answered(request, MetadataResponse(cluster_id="c"), 13)]
    assert effects[0].request is request
    assert connection.pending == 0


def test_levels_that_the_cluster_has_finalized_are_kept() -> None:
    connection = ClientConnection()
    connection.handle(Connected())
    levels = [FinalizedFeatureKey(name="transaction.version", max_version_level=2, min_version_level=0)]
    message = ApiVersionsResponse(api_keys=[ApiVersion(18, 0, 4)], finalized_features=levels)
    connection.handle(Received(answer(ApiKey.API_VERSIONS, 4, 0, message)))
    assert connection.features == {"transaction.version": 2}


def test_a_broker_that_refuses_our_version_is_asked_in_its_own() -> None:
    connection = ClientConnection()
    connection.handle(Connected())
    assert sent(connection.handle(Received(REFUSED))) == [(ApiKey.API_VERSIONS, 3, 1)]
    effects = connection.handle(Received(versions_answer(1, 3, VERSIONS)))
    assert effects == [Ready(dict(VERSIONS))]


def test_a_broker_that_refuses_without_a_list_is_asked_in_version_0_and_then_given_up() -> None:
    connection = ClientConnection()
    connection.handle(Connected())
    refusal = "0000000a{:08x}002300000000"
    assert sent(connection.handle(Received(bytes.fromhex(refusal.format(0))))) == [
        (ApiKey.API_VERSIONS, 0, 1)
    ]
    effects = connection.handle(Received(bytes.fromhex(refusal.format(1))))
    assert [type(effect) for effect in effects] == [Close]


def test_answers_come_back_with_their_requests_wherever_the_bytes_are_cut() -> None:
    requests = [metadata() for _ in range(3)]
    stream = b"".join(
        answer(ApiKey.METADATA, 13, number + 1, MetadataResponse(controller_id=number)) for number in range(3)
    )
    for cut in range(1, len(stream), 5):
        connection = ready()
        for request in requests:
            connection.handle(Submitted(request))
        effects = connection.handle(Received(stream[:cut])) + connection.handle(Received(stream[cut:]))
        assert [effect.request for effect in effects if isinstance(effect, Answered)] == requests
        assert [e.message.controller_id for e in effects if isinstance(e, Answered)] == [0, 1, 2]


def response_of(size: int) -> MetadataResponse:
    """At least so many bytes."""
    rows = [MetadataResponseBroker(node_id=at, host="h" * 100) for at in range(size // 100 + 1)]
    return MetadataResponse(brokers=rows)


@pytest.mark.parametrize("in_place", [True, False])
def test_large_answers_are_received_where_they_stay(in_place: bool) -> None:
    sizes = [3, LARGE_FRAME_BYTES, 5, 2 * LARGE_FRAME_BYTES, LARGE_FRAME_BYTES]
    requests = [metadata() for _ in sizes]
    answers = [response_of(size) for size in sizes]
    stream = b"".join(answer(ApiKey.METADATA, 13, at, row) for at, row in enumerate(answers, start=1))
    for step in (700, LARGE_FRAME_BYTES - 1, LARGE_FRAME_BYTES + 1, len(stream)):
        connection = ready()
        for request in requests:
            connection.handle(Submitted(request))
        effects: list[ConnectionEffect] = []
        roomy = at = 0
        while at < len(stream):
            piece = stream[at : at + step]
            room = connection.room() if in_place else None
            if room is None:
                effects += connection.handle(Received(piece))
            else:
                roomy += 1
                piece = piece[: len(room)]
                room[: len(piece)] = piece
                effects += connection.handle(Filled(len(piece)))
            at += len(piece)
            connection.validate()
        assert [effect.message for effect in effects if isinstance(effect, Answered)] == answers
        assert connection.room() is None
        assert (roomy > 0) is (in_place and step < len(stream))


def test_a_large_answer_cut_short_fails_its_request() -> None:
    connection = ready()
    request = metadata()
    connection.handle(Submitted(request))
    whole = answer(ApiKey.METADATA, 13, 1, response_of(LARGE_FRAME_BYTES))
    connection.handle(Received(whole[:-1]))
    assert connection.room() is not None
    assert connection.handle(Disconnected("gone")) == [Failed(request, "gone")]
    assert connection.room() is None
    connection.validate()


def test_a_request_that_expects_no_answer_is_done_when_sent() -> None:
    connection = ready()
    request = Request(ApiKey.PRODUCE, ProduceRequest(acks=0), expects_answer=False)
    effects = connection.handle(Submitted(request))
    assert sent(effects) == [(ApiKey.PRODUCE, 9, 1)]
    assert effects[1:] == [Answered(request, None, 9)]
    assert connection.pending == 0


def test_the_version_is_the_newest_that_both_sides_have() -> None:
    def chosen(low: int, high: int, most: int | None = None) -> int:
        return choose_version({ApiKey.METADATA: (low, high)}, Request(ApiKey.METADATA, None, most))

    assert chosen(0, 13) == 13
    assert chosen(0, 99) == 13
    assert chosen(0, 5) == 5
    assert chosen(0, 13, 9) == 9
    for low, high, most in ((14, 20, None), (10, 13, 9)):
        with pytest.raises(UnsupportedApi):
            chosen(low, high, most)


def test_an_api_the_broker_lacks_fails_that_request_only() -> None:
    connection = ready({ApiKey.API_VERSIONS: (0, 4), ApiKey.METADATA: (0, 13)})
    request = Request(ApiKey.PRODUCE, ProduceRequest())
    (effect,) = connection.handle(Submitted(request))
    assert isinstance(effect, Failed)
    assert effect.unsupported
    assert "Produce" in effect.reason
    assert sent(connection.handle(Submitted(metadata()))) == [(ApiKey.METADATA, 13, 1)]


def test_a_lost_connection_fails_what_waits_and_what_is_in_flight() -> None:
    early = ClientConnection()
    first = metadata()
    early.handle(Submitted(first))
    early.handle(Connected())
    assert early.handle(Disconnected("gone")) == [Failed(first, "gone")]
    early.validate()
    connection = ready()
    connection.handle(Submitted(first))
    assert connection.handle(Disconnected("gone")) == [Failed(first, "gone")]
    assert connection.handle(Disconnected("again")) == []
    assert connection.handle(Submitted(first)) == [Failed(first, "connection is closed")]
    connection.validate()


NONSENSE = {
    "another request's answer": answer(ApiKey.METADATA, 13, 7, MetadataResponse()),
    "too large": b"\x7f\xff\xff\xff",
    "negative": b"\xff\xff\xff\xff",
    "too small": b"\x00\x00\x00\x03abc",
    "garbage": b"\x00\x00\x00\x08\x00\x00\x00\x01\xff\xff\xff\xff",
}


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_closes_the_connection_and_fails_the_request(name: str) -> None:
    connection = ready()
    request = metadata()
    connection.handle(Submitted(request))
    effects = connection.handle(Received(NONSENSE[name]))
    assert [type(effect) for effect in effects] == [Failed, Close]
    assert connection.closed
    assert connection.handle(Received(b"more")) == []


def test_an_answer_nobody_asked_for_closes_the_connection() -> None:
    effects = ready().handle(Received(answer(ApiKey.METADATA, 13, 1, MetadataResponse())))
    assert [type(effect) for effect in effects] == [Close]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.binary(max_size=60), max_size=5))
def test_any_bytes_are_survived(pieces: list[bytes]) -> None:
    connection = ClientConnection(max_frame_bytes=1000)
    connection.handle(Connected())
    connection.handle(Submitted(metadata()))
    for piece in pieces:
        connection.handle(Received(piece))
        connection.validate()
