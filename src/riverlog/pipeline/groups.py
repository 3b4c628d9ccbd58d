"""Offsets of consumer groups: where a query may start, and where others see how far it has got.

Reading joins no group. Offsets are committed as a reader without membership does it, which a group with
members of its own refuses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from riverlog.client.cluster import TopicPartition
from riverlog.client.connection import Request
from riverlog.client.errors import ClientError
from riverlog.pipeline.patience import check
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from riverlog.protocol.generated.offset_fetch_request import OffsetFetchRequest, OffsetFetchRequestGroup
from riverlog.runtime.client_io import BlockingClient

_GROUP = 0
"""The kind of key, as FindCoordinator numbers it."""
_NAMES_VERSION_MAX = 9
"""Later versions of fetching and committing name topics by their ids."""
_ONE_KEY_VERSION_MAX = 3


class GroupOffsets:
    """The committed offsets of one group. Calls fail as those of ``BlockingClient`` do."""

    def __init__(self, client: BlockingClient, group: str) -> None:
        self._client = client
        self._group = group
        self._node_id: int | None = None

    def fetch(self) -> dict[TopicPartition, int]:
        """All that is committed; nothing for a group that does not exist."""
        wanted = OffsetFetchRequestGroup(group_id=self._group, topics=None)
        message = OffsetFetchRequest(groups=[wanted])
        (answer,) = self._ask(ApiKey.OFFSET_FETCH, message).groups
        self._check(answer.error_code)
        return {
            (topic.name, row.partition_index): row.committed_offset
            for topic in answer.topics
            for row in topic.partitions
            if row.committed_offset >= 0
        }

    def commit(self, offsets: Mapping[TopicPartition, int]) -> None:
        topics: dict[str, OffsetCommitRequestTopic] = {}
        for (topic, partition), offset in sorted(offsets.items()):
            topics.setdefault(topic, OffsetCommitRequestTopic(name=topic)).partitions.append(
                OffsetCommitRequestPartition(
                    partition_index=partition, committed_offset=offset, committed_metadata=""
                )
            )
        message = OffsetCommitRequest(group_id=self._group, topics=list(topics.values()))
        for row in self._ask(ApiKey.OFFSET_COMMIT, message).topics:
            for part in row.partitions:
                self._check(part.error_code)

    def _ask(self, api_key: int, message: Any) -> Any:
        request = Request(api_key, message, max_version=_NAMES_VERSION_MAX)
        try:
            return self._client.call_request(request, node_id=self._coordinator())
        except ClientError:
            self._node_id = None
            raise

    def _coordinator(self) -> int:
        if self._node_id is None:
            self._client.refresh([])
            message = FindCoordinatorRequest(key=self._group, key_type=_GROUP, coordinator_keys=[])
            answer = self._client.call_request(
                Request(ApiKey.FIND_COORDINATOR, message, max_version=_ONE_KEY_VERSION_MAX)
            )
            check(answer.error_code, answer.error_message)
            self._node_id = answer.node_id
        return self._node_id

    def _check(self, error_code: int) -> None:
        if error_code:
            self._node_id = None
        check(error_code)
