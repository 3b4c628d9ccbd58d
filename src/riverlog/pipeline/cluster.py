"""What the driver asks the cluster: topics and their partitions, offsets, sizes of records.

One connection per broker, kept over micro-batches. While leaders move and brokers are away the questions are
asked again, for as long as the options say.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from riverlog.base.errors import ErrorCode
from riverlog.client.cluster import NO_LEADER, TopicPartition
from riverlog.client.errors import BrokerRefused, ClientError, describe_error
from riverlog.pipeline import options as o
from riverlog.pipeline.errors import ClusterError
from riverlog.pipeline.option_table import Options
from riverlog.pipeline.option_values import EARLIEST, LATEST, compile_pattern
from riverlog.pipeline.patience import persist
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from riverlog.protocol.generated.fetch_response import FetchResponse
from riverlog.records import CorruptBatch, iter_headers
from riverlog.runtime.client_io import BlockingClient

T = TypeVar("T")
log = logging.getLogger("riverlog.pipeline")

SETTLE_SECONDS = 3.0
"""How long the cluster may say less than it did before: one broker knows of a change earlier than another,
and a new leader may still catch up. After that, what is missing is gone."""
SETTLE_PAUSE_SECONDS = 0.1
FIRST_CONTACT_SECONDS = 2.0
"""How long to try to reach a cluster that has never answered: most likely the address is wrong."""
SAMPLE_BYTES = 64 * 1024
"""How much of a partition is looked at to learn how large its records are."""
_NO_SESSION = -1


@dataclass(frozen=True, slots=True)
class FoundTopic:
    """A topic as it is now."""

    topic_id: bytes
    partitions: frozenset[int]


Found = dict[str, FoundTopic]


@dataclass(frozen=True, slots=True)
class Selection:
    """What ``subscribe``, ``subscribePattern`` or ``assign`` say; exactly one is set."""

    topics: tuple[str, ...] | None = None
    pattern: str | None = None
    assigned: tuple[TopicPartition, ...] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Topics that are named."""
        return self.topics or tuple(dict.fromkeys(topic for topic, _ in self.assigned or ()))

    def wants(self, topic: str) -> bool:
        """Whether the topic would be read if it were there."""
        if self.pattern is not None:
            return compile_pattern(self.pattern).fullmatch(topic) is not None
        return topic in self.names


def selection(options: Options) -> Selection:
    return Selection(options[o.SUBSCRIBE], options[o.SUBSCRIBE_PATTERN], options[o.ASSIGN])


class Cluster:
    """A cluster as the driver sees it. Connects when it is first asked."""

    def __init__(self, options: Options) -> None:
        self._bootstrap = options[o.BOOTSTRAP]
        self._committed = options[o.ISOLATION_LEVEL].lower() == "read_committed"
        self._patience = options[o.API_TIMEOUT_MS] / 1000
        self._tries = options[o.OFFSET_RETRIES]
        self._reached = False
        self.client = BlockingClient(
            self._bootstrap,
            client_id=options[o.CLIENT_ID],
            timeout=options[o.REQUEST_TIMEOUT_MS] / 1000,
            connect_timeout=options[o.CONNECT_TIMEOUT_MS] / 1000,
        )

    def close(self) -> None:
        self.client.close()

    def ask(self, what: str, attempt: Callable[[], T], *, topics: Iterable[str] = ()) -> T:
        """Try until it works; ``ClusterError`` when it is refused or patience is at its end.

        ``topics`` are those whose leaders it concerns.
        """

        def look_again(problem: ClientError) -> None:
            log.info("%s: %s; trying again", what, problem)
            self.client.refresh(topics)

        seconds = self._tries * (self._patience if self._reached else FIRST_CONTACT_SECONDS)
        answer = persist(f"{what} at {self._bootstrap}", attempt, seconds=seconds, between=look_again)
        self._reached = True
        return answer

    # ---------------------------------------------------------------- topics

    def topics(self, wanted: Selection) -> Found:
        """The selected topics and partitions that exist."""
        names = wanted.names if wanted.pattern is None else None
        found = self.ask("looking for topics", lambda: self._describe(names))
        if wanted.pattern is not None:
            matches = compile_pattern(wanted.pattern).fullmatch
            return {topic: row for topic, row in found.items() if matches(topic)}
        if wanted.assigned is not None:
            return _only(found, wanted.assigned)
        return found

    def named_topics(self, wanted: Selection) -> Found:
        """The same; ``ClusterError`` if one that is named does not exist, which a new query needs."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while True:
            found = self.topics(wanted)
            problem = _missing(found, wanted)
            if problem is None:
                return found
            if time.monotonic() > deadline:
                raise ClusterError(problem)
            time.sleep(SETTLE_PAUSE_SECONDS)

    def _describe(self, names: Iterable[str] | None) -> Found:
        view = self.client.view
        answer = self.client.call_request(view.request(names))
        view.update(answer)
        found: Found = {}
        for row in answer.topics:
            if row.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION or (names is None and row.is_internal):
                continue
            if row.error_code:
                raise BrokerRefused(row.error_code, f"topic {row.name!r}: {describe_error(row.error_code)}")
            indices = frozenset(part.partition_index for part in row.partitions)
            found[row.name] = FoundTopic(row.topic_id, indices)
        return found

    # ---------------------------------------------------------------- offsets

    def earliest(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        return self._offsets(dict.fromkeys(partitions, EARLIEST))

    def latest(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        """Where readers can get to: the last stable offset, if only committed records are read."""
        return self._offsets(dict.fromkeys(partitions, LATEST))

    def at_times(self, times: Mapping[TopicPartition, int]) -> dict[TopicPartition, int | None]:
        """The first offset of this time or later."""
        found = self._offsets(times)
        return {key: offset if offset >= 0 else None for key, offset in found.items()}

    def _offsets(self, wanted: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
        if not wanted:
            return {}
        found = self.ask(
            "asking for offsets",
            lambda: self.client.offsets(wanted, isolation_level=int(self._committed)),
            topics={topic for topic, _ in wanted},
        )
        return {key: row.offset for key, row in found.items()}

    # ---------------------------------------------------------------- sizes

    def bytes_per_offset(self, places: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
        """How many stored bytes an offset takes, about, from these offsets on.

        Brokers tell offsets but not bytes, so the headers of the next batches are looked at. A partition that
        shows nothing counts one byte an offset.
        """
        found = self.ask(
            "looking at records", lambda: self._sample(places), topics={topic for topic, _ in places}
        )
        return {key: found.get(key, 1) for key in places}

    def _sample(self, places: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
        by_leader: dict[int, dict[TopicPartition, int]] = {}
        for key, offset in places.items():
            by_leader.setdefault(self.client.view.leader(*key), {})[key] = offset
        by_leader.pop(NO_LEADER, None)
        found: dict[TopicPartition, int] = {}
        for node_id, those in by_leader.items():
            found |= self._sizes(self.client.call(ApiKey.FETCH, self._sample_request(those), node_id=node_id))
        return found

    def _sample_request(self, places: Mapping[TopicPartition, int]) -> FetchRequest:
        topics: dict[str, FetchTopic] = {}
        for (topic, partition), offset in places.items():
            view = self.client.view.topics[topic]
            row = topics.setdefault(topic, FetchTopic(topic=topic, topic_id=view.topic_id))
            row.partitions.append(
                FetchPartition(partition=partition, fetch_offset=offset, partition_max_bytes=SAMPLE_BYTES)
            )
        return FetchRequest(
            max_wait_ms=0,
            min_bytes=0,
            max_bytes=SAMPLE_BYTES * max(1, len(places)),
            isolation_level=int(self._committed),
            session_epoch=_NO_SESSION,
            topics=list(topics.values()),
        )

    def _sizes(self, answer: FetchResponse) -> dict[TopicPartition, int]:
        found: dict[TopicPartition, int] = {}
        for topic in answer.responses:
            name = topic.topic or self.client.view.topic_name(topic.topic_id) or ""
            for part in topic.partitions:
                cost = _mean_size(part.records)
                if cost is not None:
                    found[name, part.partition_index] = cost
        return found


def _mean_size(raw: Any) -> int | None:
    """Bytes per offset over the batches that are there; a gap left by compaction counts as offsets."""
    if raw is None or not len(raw):
        return None
    total = first = last = 0
    try:
        for position, header in iter_headers(raw):
            if position == 0:
                first = header.base_offset
            total += header.size
            last = header.last_offset
    except CorruptBatch:
        return None  # the task that reads it tells
    return max(1, total // (last + 1 - first)) if total else None


def _only(found: Found, assigned: Iterable[TopicPartition]) -> Found:
    wanted: dict[str, set[int]] = {}
    for topic, partition in assigned:
        wanted.setdefault(topic, set()).add(partition)
    return {
        topic: FoundTopic(row.topic_id, row.partitions & wanted[topic])
        for topic, row in found.items()
        if topic in wanted
    }


def partitions_of(found: Found) -> list[TopicPartition]:
    return sorted((topic, partition) for topic, row in found.items() for partition in row.partitions)


def _missing(found: Found, wanted: Selection) -> str | None:
    for topic in wanted.names:
        if topic not in found:
            return f"topic {topic!r} does not exist; create it, or correct the option that names it"
    for topic, partition in wanted.assigned or ():
        if partition not in found[topic].partitions:
            return f"topic {topic!r} has no partition {partition}, which option assign names"
    return None
