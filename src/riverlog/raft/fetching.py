"""Following: Fetch after Fetch to the leader, or to anybody who may know the leader.

A Fetch leaves only when everything below its offset is on disk (RULES: watermark 3), so to the leader
its offset is a promise. One request at a time.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.base.slices import FileSlice
from riverlog.env import Timer
from riverlog.protocol.generated import fetch_request, fetch_response
from riverlog.raft import messages
from riverlog.raft.roles import Role
from riverlog.raft.snapshot_download import SnapshotDownload
from riverlog.raft.snapshots import Snapshot, SnapshotId
from riverlog.raft.voter_set import Address

if TYPE_CHECKING:
    from riverlog.raft.node import RaftNode

logger = logging.getLogger("riverlog.raft")

FETCH_PURPOSE = "raft"
LOOK_AROUND_MS = 100
"""Pause between questions for the leader."""
REFUSED_PAUSE_MS = 1000
"""After an answer that time alone does not change."""
_LOOKING = (Role.UNATTACHED, Role.PROSPECTIVE)


class Fetcher:
    """``reset`` at every change of role or leader; ``wake`` when something may go on."""

    def __init__(self, node: RaftNode) -> None:
        self._node = node
        self._turn = 0
        """Answers to requests of older turns do not count."""
        self._in_flight = False
        self._pause: Timer | None = None
        self._next_target = 0
        self._download: SnapshotDownload | None = None

    def reset(self) -> None:
        self._turn += 1
        self._in_flight = False
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None
        if self._download is not None:
            self._download.cancel()
            self._download = None

    def wake(self) -> None:
        """Send the next Fetch, if it is time for it."""
        node = self._node
        if self._in_flight or self._pause is not None or self._download is not None or node.stopped:
            return
        if not node.store.is_durable:
            return  # woken when it is
        if node.role is Role.FOLLOWER:
            target = node.leader_at
            wait_ms = node.settings.fetch_max_wait_ms
        elif node.role in _LOOKING:
            target = self._somebody()
            wait_ms = 0
        else:
            return
        if target is None:
            self._again(LOOK_AROUND_MS)
            return
        self._in_flight = True
        turn = self._turn
        request = messages.make_fetch_request(
            node.cluster_id,
            node.key,
            epoch=node.epoch,
            offset=node.store.end_offset,
            last_epoch=node.store.last_epoch,
            high_watermark=node.high_watermark,
            max_wait_ms=wait_ms,
            max_bytes=node.settings.fetch_max_bytes,
        )
        sent_to = target
        node.send(
            target,
            FETCH_PURPOSE,
            fetch_request.API_KEY,
            request,
            lambda response: self._answered(turn, sent_to, response),
        )

    def _somebody(self) -> Address | None:
        """In turn: the leader that fell silent, the voters, the configured addresses."""
        node = self._node
        known: list[Address | None] = [node.leader_at]
        known += [voter.address() for voter in node.voters if voter.node_id != node.key.node_id]
        known += node.bootstrap
        own = {(one.host, one.port) for one in node.endpoints}
        targets = list(dict.fromkeys(one for one in known if one is not None and one not in own))
        if not targets:
            return None
        self._next_target += 1
        return targets[self._next_target % len(targets)]

    def _again(self, milliseconds: int) -> None:
        if self._pause is None:
            self._pause = self._node.clock.call_later(milliseconds / 1000, self._on_pause_over)

    def _on_pause_over(self) -> None:
        self._pause = None
        self.wake()

    # -- answers -------------------------------------------------------------------------

    def _answered(self, turn: int, target: Address, response: fetch_response.FetchResponse | None) -> None:
        node = self._node
        if turn != self._turn or node.stopped:
            return
        self._in_flight = False
        pause_ms = LOOK_AROUND_MS if node.role in _LOOKING else node.settings.retry_backoff_ms
        if response is None:
            self._again(pause_ms)
            return
        if response.error_code != ErrorCode.NONE or not response.responses:
            logger.warning("%s:%d refuses our Fetch with error %d", *target, response.error_code)
            self._again(REFUSED_PAUSE_MS)
            return
        partition = response.responses[0].partitions[0]
        leader = partition.current_leader
        leader_id = leader.leader_id if leader.leader_id >= 0 else None
        if partition.error_code != ErrorCode.NONE:
            address = messages.node_address(response, leader.leader_id)
            if node.observe(leader.leader_epoch, leader_id, address):
                return
            if node.role is Role.FOLLOWER and leader.leader_epoch == node.epoch and leader_id is None:
                assert node.leader_id is not None
                node.leader_resigned(node.leader_id, None)  # it said so itself
                return
            self._again(pause_ms)
            return
        if leader_id is None or leader.leader_epoch != node.epoch:
            node.observe(leader.leader_epoch, leader_id, messages.node_address(response, leader.leader_id))
            self._again(pause_ms)
        elif node.role is Role.FOLLOWER:
            self._take(partition)
        else:
            node.become_follower(node.epoch, leader_id, target)

    def _take(self, partition: fetch_response.PartitionData) -> None:
        """An answer of our leader in our epoch."""
        node = self._node
        node.leader_heard()
        snapshot = SnapshotId(partition.snapshot_id.end_offset, partition.snapshot_id.epoch)
        if snapshot.end_offset >= 0:
            self._fetch_snapshot(snapshot)
            return
        diverging = partition.diverging_epoch
        if diverging.end_offset >= 0:
            self._truncate(diverging.epoch, diverging.end_offset)
            return
        records = partition.records
        if records is not None and len(records):
            data = records.read() if isinstance(records, FileSlice) else bytes(records)
            if not node.store.append_fetched(data):
                if not node.stopped:
                    logger.warning(
                        "the leader's records do not fit our log, which ends at %d", node.store.end_offset
                    )
                    self._again(LOOK_AROUND_MS)
                return
        node.advance_high_watermark(min(partition.high_watermark, node.store.end_offset))
        node.caught_up_with(partition.high_watermark)
        self.wake()

    def _truncate(self, epoch: int, end_offset: int) -> None:
        """Cut to where our log and the leader's part (KIP-595)."""
        node = self._node
        log = node.log
        cut = min(end_offset, log.log_end_offset)
        if epoch <= node.store.last_epoch:
            own_epoch, own_end = log.end_offset_for_epoch(epoch)
            if own_epoch == epoch:
                cut = min(cut, own_end)
            elif own_epoch >= 0:
                cut = min(own_end, log.log_end_offset)
        if cut < node.high_watermark:
            # Committed once, and the leader has something else: nothing we could do is right.
            node.contradicted(f"the leader asks to cut at {cut}, committed is {node.high_watermark}")
            return
        logger.info("cutting the metadata log from %d to %d: epoch %d", log.log_end_offset, cut, epoch)
        node.store.truncate_to(cut)
        if node.stopped:
            return
        self.wake()

    # -- snapshots -----------------------------------------------------------------------

    def _fetch_snapshot(self, snapshot_id: SnapshotId) -> None:
        node = self._node
        assert node.leader_at is not None
        if snapshot_id.end_offset < node.high_watermark:
            node.contradicted(f"the leader offers the snapshot {snapshot_id}, committed is beyond it")
            return
        logger.info("fetching the snapshot %s", snapshot_id.file_name)
        self._download = SnapshotDownload(node, node.leader_at, snapshot_id, self._downloaded)
        self._download.begin()

    def _downloaded(self, snapshot_id: SnapshotId, snapshot: Snapshot | None) -> None:
        self._download = None
        if snapshot is None:
            self._again(self._node.settings.retry_backoff_ms)
            return
        self._node.load_snapshot(snapshot_id, snapshot)
        self.wake()
