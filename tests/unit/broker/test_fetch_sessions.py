"""Fetch sessions (KIP-227)."""

from __future__ import annotations

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.broker.fetch_sessions import FetchSession, FetchSessions
from riverlog.protocol.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic, ForgottenTopic
from riverlog.protocol.generated.fetch_response import PartitionData


class Numbers:
    """Hands out 1, 2, 3 …"""

    def __init__(self) -> None:
        self._next = 0

    def random_int(self, low: int, high: int) -> int:
        self._next += 1
        return self._next

    def random_bytes(self, count: int) -> bytes:
        return bytes(count)


def request(*wanted: int, session_id: int = 0, epoch: int = 0, forget: tuple[int, ...] = ()) -> FetchRequest:
    partitions = [
        FetchPartition(partition=index, fetch_offset=5, partition_max_bytes=100) for index in wanted
    ]
    return FetchRequest(
        session_id=session_id,
        session_epoch=epoch,
        topics=[FetchTopic(topic="t", partitions=partitions)] if wanted else [],
        forgotten_topics_data=[ForgottenTopic(topic="t", partitions=list(forget))] if forget else [],
    )


def opened(result: tuple[FetchSession, bool] | ErrorCode) -> tuple[FetchSession, bool]:
    assert not isinstance(result, ErrorCode), result
    return result


@pytest.fixture
def sessions() -> FetchSessions:
    return FetchSessions(Numbers(), 2)


def indexes(session: FetchSession) -> list[int]:
    return [key[2] for key in session.partitions]


def test_first_request_makes_a_session(sessions: FetchSessions) -> None:
    session, incremental = opened(sessions.open(request(0, 1), 0.0, uses_topic_ids=False))
    assert session.id == 1
    assert not incremental
    assert len(sessions) == 1


def test_final_epoch_makes_none_and_closes_the_old_one(sessions: FetchSessions) -> None:
    opened(sessions.open(request(0), 0.0, uses_topic_ids=False))
    session, _ = opened(sessions.open(request(0, session_id=1, epoch=-1), 0.0, uses_topic_ids=False))
    assert session.id == 0
    assert len(sessions) == 0


def test_incremental_request_adds_changes_and_forgets(sessions: FetchSessions) -> None:
    opened(sessions.open(request(0, 1), 0.0, uses_topic_ids=False))
    session, incremental = opened(
        sessions.open(request(2, session_id=1, epoch=1, forget=(0,)), 0.0, uses_topic_ids=False)
    )
    assert incremental
    assert indexes(session) == [1, 2]
    assert session.epoch == 2


def test_unknown_session_and_wrong_epoch_are_refused(sessions: FetchSessions) -> None:
    opened(sessions.open(request(0), 0.0, uses_topic_ids=False))
    unknown = sessions.open(request(session_id=77, epoch=1), 0.0, uses_topic_ids=False)
    assert unknown is ErrorCode.FETCH_SESSION_ID_NOT_FOUND
    wrong = sessions.open(request(session_id=1, epoch=5), 0.0, uses_topic_ids=False)
    assert wrong is ErrorCode.INVALID_FETCH_SESSION_EPOCH
    mixed = sessions.open(request(session_id=1, epoch=1), 0.0, uses_topic_ids=True)
    assert mixed is ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR


def test_session_that_fetches_nothing_any_more_is_closed(sessions: FetchSessions) -> None:
    opened(sessions.open(request(0), 0.0, uses_topic_ids=False))
    session, _ = opened(sessions.open(request(session_id=1, epoch=1, forget=(0,)), 0.0, uses_topic_ids=False))
    assert session.id == 0
    assert len(sessions) == 0


def test_slots_are_bounded_and_only_idle_sessions_make_room(sessions: FetchSessions) -> None:
    for _ in range(2):
        opened(sessions.open(request(0), 0.0, uses_topic_ids=False))
    third, _ = opened(sessions.open(request(0), 1.0, uses_topic_ids=False))
    assert third.id == 0, "both slots are in use: this client fetches without a session"
    later, _ = opened(sessions.open(request(0), 500.0, uses_topic_ids=False))
    assert later.id != 0
    assert len(sessions) == 2


def test_partitions_that_gave_data_go_to_the_end(sessions: FetchSessions) -> None:
    session, _ = opened(sessions.open(request(0, 1, 2), 0.0, uses_topic_ids=False))
    first = next(iter(session.partitions.values()))
    session.rotate([first])
    assert indexes(session) == [1, 2, 0]


def test_incremental_answers_mention_only_news(sessions: FetchSessions) -> None:
    session, _ = opened(sessions.open(request(0), 0.0, uses_topic_ids=False))
    (wanted,) = session.partitions.values()
    still = PartitionData(partition_index=0, high_watermark=9, last_stable_offset=9, log_start_offset=0)
    assert wanted.is_news(still)
    assert not wanted.is_news(still)
    moved = PartitionData(partition_index=0, high_watermark=10, last_stable_offset=10, log_start_offset=0)
    assert wanted.is_news(moved)
    failed = PartitionData(partition_index=0, error_code=ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    assert wanted.is_news(failed)
    assert wanted.is_news(failed), "an error is told until it is gone"
    data = PartitionData(partition_index=0, high_watermark=-1, last_stable_offset=-1, records=b"x")
    assert wanted.is_news(data)
