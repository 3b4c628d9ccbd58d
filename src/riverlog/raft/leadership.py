"""One leader epoch of this node: who follows, what is committed, who waits for more (KIP-595).

The high watermark is what a majority of voters has on disk, once that covers a record of this epoch
(RULES: watermark 5). A leader that no majority fetches from steps down (KIP-835's check-quorum).
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from riverlog.base.errors import ErrorCode
from riverlog.env import StorageError, Timer
from riverlog.protocol.generated import begin_quorum_epoch_request
from riverlog.protocol.generated.kraft_version_record import KRaftVersionRecord
from riverlog.protocol.generated.leader_change_message import LeaderChangeMessage, Voter
from riverlog.raft import messages
from riverlog.raft.elections import CONTROL_PURPOSE
from riverlog.raft.progress import Progress, Replica
from riverlog.raft.serving import refuse_fetch
from riverlog.raft.snapshots import SnapshotId
from riverlog.raft.voter_set import ReplicaKey, VoterNode, VoterSet, voter_endpoints
from riverlog.records.control import ControlMessage

if TYPE_CHECKING:
    from riverlog.raft.node import RaftNode, Reply

logger = logging.getLogger("riverlog.raft")

CHECK_QUORUM_FACTOR = 1.5
PARKED_MAX = 2000
WAIT_MS_MAX = 5000


class _Parked:
    """A Fetch that waits for more."""

    __slots__ = ("listener", "max_bytes", "offset", "replica", "reply", "timer")

    def __init__(
        self, replica: Replica | None, offset: int, max_bytes: int, reply: Reply, listener: str | None
    ) -> None:
        self.replica = replica
        self.offset = offset
        self.max_bytes = max_bytes
        self.reply = reply
        self.listener = listener
        self.timer: Timer | None = None


class Leadership:
    """Made when the epoch is won, ended by ``close``."""

    def __init__(self, node: RaftNode, granting: Sequence[int]) -> None:
        self.epoch = node.epoch
        self.start_offset = node.store.end_offset
        """Of our LeaderChange record."""
        self.announced = False
        """Whether the listener knows that it may decide."""
        self.progress = Progress(node.key, node.clock.monotonic())
        self._node = node
        self._granting = granting
        self._parked: dict[int, _Parked] = {}
        self._number = 0
        self._beginning: set[int] = set()
        """Voters with a BeginQuorumEpoch on its way."""
        self._beat_timer: Timer | None = None
        self._wake_timer: Timer | None = None
        self._closed = False

    # -- the epoch's first records -------------------------------------------------------

    def append_start(self) -> None:
        """LeaderChange, and the voters if no record of the log says them yet."""
        node = self._node
        store = node.store
        since, voters, kraft_version = store.voters_at
        # Version 0, without directory ids: Apache Kafka writes and reads no other, whatever kraft.version is.
        control: list[ControlMessage] = [
            LeaderChangeMessage(
                version=0,
                leader_id=node.key.node_id,
                voters=[Voter(voter_id=one) for one in voters.ids],
                granting_voters=[Voter(voter_id=one) for one in self._granting],
            )
        ]
        if kraft_version > 0:
            current = self._with_our_address(voters)
            if since < 0 or (current != voters and len(voters) == 1):
                control += [KRaftVersionRecord(version=0, kraft_version=kraft_version), current.to_record()]
        store.append_control(control, self.epoch)

    def _with_our_address(self, voters: VoterSet) -> VoterSet:
        """The same pairs, where they can be reached today."""
        node = self._node
        mine = voters.get(node.key.node_id)
        if mine is None or not node.endpoints or mine.key != node.key:
            return voters
        endpoints = voter_endpoints(node.endpoints)
        if mine.endpoints == endpoints:
            return voters
        return voters.with_voter(VoterNode(mine.node_id, mine.directory_id, endpoints))

    # -- telling the others --------------------------------------------------------------

    def beat(self) -> None:
        """Tell silent voters who leads; give up if a majority stays silent. Runs while there are others."""
        self._beat_timer = None
        node = self._node
        if self._closed or node.voters.is_sole(*node.key):
            return
        now = node.clock.monotonic()
        timeout = node.settings.fetch_timeout_ms / 1000
        if now - self.progress.contact_since(node.voters) >= CHECK_QUORUM_FACTOR * timeout:
            logger.warning("no majority of the voters fetched for %.1f s: no longer leading", timeout)
            node.resign()
            return
        for voter in node.voters:
            if voter.node_id == node.key.node_id:
                continue
            found = self.progress.of_voter(node.voters, voter.node_id)
            if found is None or found.fetched_at is None or now - found.fetched_at >= timeout / 2:
                self._begin(voter)
        self._beat_timer = node.clock.call_later(timeout / 4, self.beat)

    def voters_changed(self) -> None:
        """There may be somebody to tell now."""
        if self._beat_timer is None:
            self.beat()

    def _begin(self, voter: VoterNode) -> None:
        node = self._node
        address = voter.address()
        if voter.node_id in self._beginning or address is None:
            return
        self._beginning.add(voter.node_id)
        request = messages.make_begin_request(
            node.cluster_id,
            voter.key,
            leader_id=node.key.node_id,
            epoch=self.epoch,
            endpoints=voter_endpoints(node.endpoints),
        )
        node.send(
            address,
            CONTROL_PURPOSE,
            begin_quorum_epoch_request.API_KEY,
            request,
            lambda response: self._begun(voter, response),
        )

    def _begun(self, voter: VoterNode, response: Any | None) -> None:
        self._beginning.discard(voter.node_id)
        partition = messages.only_partition(response, "partition_index") if response is not None else None
        if self._closed or response is None or partition is None:
            return
        leader_id = partition.leader_id if partition.leader_id >= 0 else None
        self._node.observe(
            partition.leader_epoch, leader_id, messages.node_address(response, partition.leader_id)
        )

    # -- committing ----------------------------------------------------------------------

    def advance(self) -> None:
        """Something became durable, here or elsewhere."""
        node = self._node
        end = self.progress.majority_end(node.voters, node.store.durable_end)
        if end > self.start_offset and end > node.high_watermark:
            node.advance_high_watermark(end)
            if not self._closed:
                self._wake()

    def appended(self) -> None:
        """New records: those that wait get them at the end of this turn of the loop."""
        if self._wake_timer is None and self._parked:
            self._wake_timer = self._node.clock.call_later(0.0, self._woken)

    def _woken(self) -> None:
        self._wake_timer = None
        self._wake()

    def _wake(self) -> None:
        for number, parked in list(self._parked.items()):
            if self._closed:
                return
            if self._has_news(parked.replica, parked.offset):
                self._answer(number)

    def _has_news(self, replica: Replica | None, offset: int) -> bool:
        node = self._node
        told = replica.sent_high_watermark if replica is not None else -1
        return offset < node.store.end_offset or told < node.high_watermark

    # -- fetches -------------------------------------------------------------------------

    def fetch(
        self,
        key: ReplicaKey,
        offset: int,
        last_epoch: int,
        *,
        max_wait_ms: int,
        max_bytes: int,
        reply: Reply,
        listener: str | None,
    ) -> None:
        """A Fetch in our epoch. It says what the replica has on disk."""
        node = self._node
        check = node.store.check_fetch(offset, last_epoch)
        if check.diverging is not None or check.snapshot is not None:
            if key.node_id >= 0:
                self._touched(key)
            reply(
                messages.make_fetch_response(
                    ErrorCode.NONE,
                    epoch=self.epoch,
                    leader_id=node.key.node_id,
                    address=node.leader_address(listener),
                    high_watermark=node.high_watermark,
                    log_start_offset=node.log.log_start_offset,
                    diverging=check.diverging,
                    snapshot=check.snapshot,
                )
            )
            return
        replica: Replica | None = None
        if key.node_id >= 0 and key.node_id != node.key.node_id:
            replica = self.progress.fetched(
                key,
                offset,
                node.store.end_offset,
                node.voters,
                node.clock.monotonic(),
                node.clock.now_ms(),
            )
            self._drop_parked(replica)
            self.advance()
            if self._closed:
                refuse_fetch(node, ErrorCode.NOT_LEADER_OR_FOLLOWER, reply, listener)
                return
        parked = _Parked(replica, offset, max_bytes, reply, listener)
        if max_wait_ms <= 0 or self._has_news(replica, offset) or len(self._parked) >= PARKED_MAX:
            self._send(parked)
            return
        self._number += 1
        number = self._number
        wait = min(max_wait_ms, WAIT_MS_MAX) / 1000
        parked.timer = node.clock.call_later(wait, lambda: self._answer(number))
        self._parked[number] = parked

    def _touched(self, key: ReplicaKey) -> None:
        node = self._node
        self.progress.touched(key, node.voters, node.clock.monotonic(), node.clock.now_ms())

    def _drop_parked(self, replica: Replica) -> None:
        """It asks anew: whatever waited was given up."""
        for number, parked in list(self._parked.items()):
            if parked.replica is replica:
                self._answer(number)

    def _answer(self, number: int) -> None:
        parked = self._parked.pop(number, None)
        if parked is not None:
            if parked.timer is not None:
                parked.timer.cancel()
            self._send(parked)

    def _send(self, parked: _Parked) -> None:
        node = self._node
        records = b""
        if parked.offset < node.store.end_offset:
            records = node.store.read_bytes(parked.offset, parked.max_bytes)
            if node.stopped:
                return
        if parked.replica is not None:
            parked.replica.sent_high_watermark = node.high_watermark
        parked.reply(
            messages.make_fetch_response(
                ErrorCode.NONE,
                epoch=self.epoch,
                leader_id=node.key.node_id,
                address=node.leader_address(parked.listener),
                high_watermark=node.high_watermark,
                log_start_offset=node.log.log_start_offset,
                records=records,
            )
        )

    def fetch_snapshot(
        self, key: ReplicaKey, snapshot_id: SnapshotId, position: int, max_bytes: int
    ) -> tuple[ErrorCode, int, bytes]:
        """Error, size of the snapshot, and some of its bytes."""
        node = self._node
        if key.node_id >= 0:
            self._touched(key)
        path = f"{node.folder}/{snapshot_id.file_name}"
        try:
            if snapshot_id.end_offset < 0 or snapshot_id.epoch < 0 or not node.disk.exists(path):
                return ErrorCode.SNAPSHOT_NOT_FOUND, 0, b""
            file = node.disk.open(path)
            size = file.size
            data = b""
            if 0 <= position < size:
                data = file.read(position, max(1, min(max_bytes, node.settings.fetch_snapshot_max_bytes)))
            file.close()
        except StorageError as error:
            if not node.disk.exists(path):  # it went after we looked
                return ErrorCode.SNAPSHOT_NOT_FOUND, 0, b""
            node.store.fail(error)
            return ErrorCode.KAFKA_STORAGE_ERROR, 0, b""
        if not data:
            return ErrorCode.POSITION_OUT_OF_RANGE, size, b""
        return ErrorCode.NONE, size, data

    # -- the end -------------------------------------------------------------------------

    def close(self) -> None:
        """Those that wait are told to look elsewhere; the node's own state has changed before."""
        self._closed = True
        for timer in (self._beat_timer, self._wake_timer):
            if timer is not None:
                timer.cancel()
        self._beat_timer = self._wake_timer = None
        parked, self._parked = list(self._parked.values()), {}
        for one in parked:
            if one.timer is not None:
                one.timer.cancel()
            if not self._node.stopped:
                refuse_fetch(self._node, ErrorCode.NOT_LEADER_OR_FOLLOWER, one.reply, one.listener)
