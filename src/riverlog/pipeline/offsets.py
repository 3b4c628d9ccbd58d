"""Where a streaming query stands: the JSON that Spark keeps in its checkpoint.

An offset is all that planning sees (``planning.py``), so that a batch that is run again reads the same
rows in the same tasks. That is why the end of a batch says more than where it ends:

- ``topics``: per topic its id and the offset of the next record of each partition. By its id a topic that was
  deleted and created again is told from the one before.
- ``from``: where partitions start that the offset before did not have: all of them in the first batch (Spark
  does not keep the start of a query), later those that have come since.
- ``plan``: the options that cut ranges into tasks, where they are not the defaults.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from riverlog.client.cluster import ZERO_UUID, TopicPartition
from riverlog.pipeline.errors import PipelineError

VERSION = 1
INITIAL: dict[str, Any] = {"version": VERSION, "initial": True}
"""Before the first batch. Where that starts is in its end."""


@dataclass(frozen=True, slots=True)
class TopicOffsets:
    """Offsets of some partitions of one topic."""

    topic_id: bytes
    """Zeros where the cluster has no ids."""
    offsets: dict[int, int]

    def is_same_topic(self, topic_id: bytes) -> bool:
        return ZERO_UUID in (self.topic_id, topic_id) or self.topic_id == topic_id


Positions = dict[str, TopicOffsets]


@dataclass(frozen=True, slots=True)
class Plan:
    """Options that cut ranges into tasks."""

    tasks_min: int | None = None
    tasks_max: int | None = None
    records_max: int | None = None

    def to_json(self) -> dict[str, int]:
        rows = {
            "minPartitions": self.tasks_min,
            "maxTasks": self.tasks_max,
            "maxRecordsPerPartition": self.records_max,
        }
        return {name: value for name, value in rows.items() if value is not None}


@dataclass(frozen=True, slots=True)
class StreamOffset:
    """One offset of a streaming query."""

    topics: Positions
    starts: Positions = field(default_factory=dict)
    plan: Plan = Plan()

    def to_json(self) -> dict[str, Any]:
        """The same text for the same offset: Spark compares texts."""
        value: dict[str, Any] = {"version": VERSION, "topics": _positions_to_json(self.topics)}
        if self.starts:
            value["from"] = _positions_to_json(self.starts)
        plan = self.plan.to_json()
        if plan:
            value["plan"] = plan
        return value


def _positions_to_json(positions: Positions) -> dict[str, Any]:
    return {
        topic: {
            "id": encode_id(row.topic_id),
            "offsets": {str(partition): row.offsets[partition] for partition in sorted(row.offsets)},
        }
        for topic, row in sorted(positions.items())
    }


def is_initial(value: Mapping[str, Any]) -> bool:
    return value.get("initial") is True


def from_json(value: Any) -> StreamOffset:
    """An offset out of a checkpoint; ``PipelineError`` if it is none of ours."""
    try:
        version = value["version"]
        if version != VERSION:
            raise PipelineError(
                f"the checkpoint has offsets of version {version}; this riverlog reads version {VERSION}"
            )
        plan = value.get("plan", {})
        return StreamOffset(
            _positions_from_json(value["topics"]),
            _positions_from_json(value.get("from", {})),
            Plan(plan.get("minPartitions"), plan.get("maxTasks"), plan.get("maxRecordsPerPartition")),
        )
    except (AttributeError, KeyError, TypeError, ValueError, binascii.Error) as problem:
        if isinstance(problem, PipelineError):
            raise
        raise PipelineError(
            f"the checkpoint has an offset that riverlog did not write ({problem!r}); "
            "start the query with a new checkpointLocation"
        ) from None


def _positions_from_json(value: Mapping[str, Any]) -> Positions:
    return {
        topic: TopicOffsets(
            decode_id(row["id"]),
            {int(partition): _offset(offset) for partition, offset in row["offsets"].items()},
        )
        for topic, row in value.items()
    }


def _offset(number: Any) -> int:
    if not isinstance(number, int) or number < 0:
        raise TypeError(f"{number!r} is no offset")
    return number


def encode_id(topic_id: bytes) -> str:
    """Kafka's text form of a UUID."""
    return base64.urlsafe_b64encode(topic_id).rstrip(b"=").decode()


def decode_id(text: str) -> bytes:
    value = base64.urlsafe_b64decode(text + "==")
    if len(value) != len(ZERO_UUID):
        raise ValueError(f"{text!r} is no topic id")
    return value


def each_partition(positions: Positions) -> Iterator[tuple[TopicPartition, int]]:
    """Partitions with their offsets, in order."""
    for topic, row in sorted(positions.items()):
        for partition, offset in sorted(row.offsets.items()):
            yield (topic, partition), offset


def positions(ids: Mapping[str, bytes], offsets: Iterable[tuple[TopicPartition, int]]) -> Positions:
    """The other way round."""
    found: Positions = {}
    for (topic, partition), offset in offsets:
        found.setdefault(topic, TopicOffsets(ids[topic], {})).offsets[partition] = offset
    return found
