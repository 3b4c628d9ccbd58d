"""A snapshot fetched from the leader, piece by piece: written aside, checked whole, synced, then named."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.env import File, StorageError
from riverlog.protocol.generated import fetch_snapshot_request, fetch_snapshot_response
from riverlog.raft import messages
from riverlog.raft.snapshots import (
    PARTIAL_SUFFIX,
    SNAPSHOT_SUFFIX,
    CorruptSnapshot,
    Snapshot,
    SnapshotId,
    decode_snapshot,
)
from riverlog.raft.voter_set import Address

if TYPE_CHECKING:
    from riverlog.raft.node import RaftNode

logger = logging.getLogger("riverlog.raft")

RETRIES_MAX = 20
SNAPSHOT_BYTES_MAX = 1 << 30


class SnapshotDownload:
    """``done`` once, with the snapshot when it is durable under its name, else with None."""

    def __init__(
        self,
        node: RaftNode,
        address: Address,
        snapshot_id: SnapshotId,
        done: Callable[[SnapshotId, Snapshot | None], None],
    ) -> None:
        self._node = node
        self._address = address
        self._id = snapshot_id
        self._done = done
        self._active = True
        self._failures = 0
        self._file: File | None = None
        self._snapshot: Snapshot | None = None

    def begin(self) -> None:
        name = self._id.file_name[: -len(SNAPSHOT_SUFFIX)] + PARTIAL_SUFFIX
        try:
            self._file = self._node.disk.open(f"{self._node.folder}/{name}", create=True)
            self._file.truncate(0)
        except StorageError as error:
            self._node.store.fail(error)
            return
        self._ask()

    def cancel(self) -> None:
        """What is there is swept up at the next start, or written over."""
        self._active = False

    def _ask(self) -> None:
        node = self._node
        if not self._active or node.stopped:
            return
        assert self._file is not None
        request = messages.make_fetch_snapshot_request(
            node.cluster_id,
            node.key,
            self._id,
            epoch=node.epoch,
            position=self._file.size,
            max_bytes=node.settings.fetch_snapshot_max_bytes,
        )
        node.send(self._address, "raft", fetch_snapshot_request.API_KEY, request, self._answered)

    def _answered(self, response: fetch_snapshot_response.FetchSnapshotResponse | None) -> None:
        node = self._node
        if not self._active or node.stopped:
            return
        if response is None:
            self._failures += 1
            if self._failures > RETRIES_MAX:
                self._give_up("no answer")
            else:
                node.clock.call_later(node.settings.retry_backoff_ms / 1000, self._ask)
            return
        partition = messages.only_partition(response, "index")
        if response.error_code != ErrorCode.NONE or partition is None:
            self._give_up(f"error {response.error_code}")
            return
        if partition.error_code != ErrorCode.NONE:
            leader = partition.current_leader
            leader_id = leader.leader_id if leader.leader_id >= 0 else None
            self._give_up(f"error {partition.error_code}")
            node.observe(leader.leader_epoch, leader_id, messages.node_address(response, leader.leader_id))
            return
        node.leader_heard()
        self._take(partition)

    def _take(self, partition: fetch_snapshot_response.PartitionSnapshot) -> None:
        file = self._file
        assert file is not None
        data = partition.unaligned_records
        piece = bytes(data) if isinstance(data, bytes | bytearray | memoryview) else b""
        fits = partition.position == file.size and file.size + len(piece) <= partition.size
        if not piece or not fits or partition.size > SNAPSHOT_BYTES_MAX:
            self._give_up("a piece that does not fit")
            return
        try:
            file.append(piece)
            if file.size < partition.size:
                self._ask()
                return
            self._snapshot = decode_snapshot(file.read(0, file.size))
        except CorruptSnapshot as error:
            self._give_up(str(error))
            return
        except StorageError as error:
            self._node.store.fail(error)
            return
        self._node.disk.submit_sync([file], [], self._synced)

    def _synced(self, error: StorageError | None) -> None:
        node = self._node
        if not self._active or node.stopped:
            return
        file = self._file
        assert file is not None
        try:
            if error is not None:
                raise error
            file.rename(f"{node.folder}/{self._id.file_name}")
            file.close()
        except StorageError as failure:
            node.store.fail(failure)
            return
        node.disk.submit_sync([], [node.folder], self._named)

    def _named(self, error: StorageError | None) -> None:
        node = self._node
        if not self._active or node.stopped:
            return
        if error is not None:
            node.store.fail(error)
            return
        self._active = False
        self._done(self._id, self._snapshot)

    def _give_up(self, why: str) -> None:
        logger.warning("the snapshot %s cannot be fetched: %s", self._id.file_name, why)
        self._active = False
        if self._file is not None:
            path = self._file.path
            self._file.close()
            self._node.disk.submit_remove([path], lambda _: None)
        self._done(self._id, None)
