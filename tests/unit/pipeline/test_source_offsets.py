"""Offsets in the checkpoint: the same text for the same offset, and nothing foreign taken for one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverlog.pipeline.errors import PipelineError
from riverlog.pipeline.offsets import (
    INITIAL,
    Plan,
    StreamOffset,
    TopicOffsets,
    each_partition,
    from_json,
    is_initial,
    positions,
)

IDS = st.binary(min_size=16, max_size=16)
NUMBERS = st.none() | st.integers(1, 1 << 31)
TOPICS = st.dictionaries(
    st.text("abc.-_", min_size=1, max_size=5),
    st.builds(TopicOffsets, IDS, st.dictionaries(st.integers(0, 300), st.integers(0, 2**63 - 1), max_size=4)),
    max_size=4,
)
OFFSETS = st.builds(StreamOffset, TOPICS, TOPICS, st.builds(Plan, NUMBERS, NUMBERS, NUMBERS))


@given(OFFSETS)
def test_an_offset_survives_the_checkpoint(offset: StreamOffset) -> None:
    assert from_json(json.loads(json.dumps(offset.to_json()))) == offset


@given(TOPICS)
def test_the_order_of_topics_makes_no_other_text(topics: dict[str, TopicOffsets]) -> None:
    backwards = {
        topic: TopicOffsets(row.topic_id, dict(reversed(row.offsets.items())))
        for topic, row in reversed(topics.items())
    }
    there, back = StreamOffset(topics), StreamOffset(backwards)
    assert json.dumps(there.to_json()) == json.dumps(back.to_json())


@given(TOPICS)
def test_partitions_and_positions_are_inverse(topics: dict[str, TopicOffsets]) -> None:
    ids = {topic: row.topic_id for topic, row in topics.items()}
    full = {topic: row for topic, row in topics.items() if row.offsets}
    assert positions(ids, each_partition(topics)) == full


def test_the_text_can_be_read() -> None:
    topics = {"orders": TopicOffsets(bytes(range(16)), {1: 7, 0: 5, 10: 9})}
    offset = StreamOffset(topics, {"orders": TopicOffsets(bytes(range(16)), {10: 0})}, Plan(tasks_min=4))
    assert json.dumps(offset.to_json()) == (
        '{"version": 1, "topics": {"orders": {"id": "AAECAwQFBgcICQoLDA0ODw", '
        '"offsets": {"0": 5, "1": 7, "10": 9}}}, '
        '"from": {"orders": {"id": "AAECAwQFBgcICQoLDA0ODw", "offsets": {"10": 0}}}, '
        '"plan": {"minPartitions": 4}}'
    )


def test_the_start_of_a_query_is_not_an_offset_of_its_own() -> None:
    assert is_initial(INITIAL)
    assert not is_initial(StreamOffset({}).to_json())


@pytest.mark.parametrize(
    "value",
    [
        {"orders": {"0": 5}},  # of Spark's Kafka source
        {"version": 1},
        {"version": 1, "topics": {"t": {"id": "x", "offsets": {}}}},
        {"version": 1, "topics": {"t": {"id": "AAECAwQFBgcICQoLDA0ODw", "offsets": {"a": 1}}}},
        {"version": 1, "topics": {"t": {"id": "AAECAwQFBgcICQoLDA0ODw", "offsets": {"0": -1}}}},
        {"version": 1, "topics": {"t": {"id": "AAECAwQFBgcICQoLDA0ODw", "offsets": {"0": "1"}}}},
        {"version": 1, "topics": []},
        [],
        7,
    ],
)
def test_what_riverlog_did_not_write_is_refused(value: Any) -> None:
    with pytest.raises(PipelineError, match="new checkpointLocation"):
        from_json(value)


def test_a_later_version_is_refused_by_its_number() -> None:
    with pytest.raises(PipelineError, match="version 2"):
        from_json({"version": 2, "topics": {}})
