"""A quorum in memory: real ``RaftNode``s over simulated disks, a clock, and links that can be cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from riverlog.base.listeners import Endpoint
from riverlog.env import StorageError
from riverlog.protocol.generated.kraft_version_record import KRaftVersionRecord
from riverlog.protocol.generated.voters_record import VotersRecord
from riverlog.raft.node import NotLeading, RaftNode
from riverlog.raft.quorum_state import read_quorum_state
from riverlog.raft.scan import scan_log
from riverlog.raft.snapshots import (
    FIRST_SNAPSHOT,
    Snapshot,
    SnapshotId,
    SnapshotWriter,
    list_snapshots,
    read_snapshot,
    remove_partial_snapshots,
)
from riverlog.raft.types import METADATA_TOPIC, CommittedBatch, RaftSettings
from riverlog.raft.voter_set import VoterEndpoint, VoterNode, VoterSet
from riverlog.sim.clock import Scheduler, SimClock
from riverlog.sim.disk import PowerCut, Setup, SimDisk
from riverlog.sim.media import Media
from riverlog.sim.rng import SimRng
from riverlog.storage import Log, LogConfig
from riverlog.storage.checkpoints import read_offsets
from riverlog.storage.names import RECOVERY_POINT_CHECKPOINT

FOLDER = "/data/__cluster_metadata-0"
CLUSTER_ID = "raft-test-cluster-0001"
PORT = 9093

_APIS = {
    1: ("fetch", 18),
    52: ("vote", 2),
    53: ("begin_quorum_epoch", 1),
    54: ("end_quorum_epoch", 1),
    59: ("fetch_snapshot", 1),
    80: ("add_raft_voter", 1),
    81: ("remove_raft_voter", 0),
    82: ("update_raft_voter", 0),
}
_HANDLERS = {
    1: "handle_fetch",
    52: "handle_vote",
    53: "handle_begin_quorum_epoch",
    54: "handle_end_quorum_epoch",
    59: "handle_fetch_snapshot",
    80: "handle_add_voter",
    81: "handle_remove_voter",
    82: "handle_update_voter",
}


def _codec(api_key: int, kind: str) -> ModuleType:
    return import_module(f"riverlog.protocol.generated.{_APIS[api_key][0]}_{kind}")


def _over_the_wire(api_key: int, kind: str, message: Any) -> Any:
    codec = _codec(api_key, kind)
    version = _APIS[api_key][1]
    return codec.decode(memoryview(codec.encode(message, version)), 0, version)[0]


class Lost:
    """``env.Closed``, as a peer tells it."""

    def __init__(self, *, refused: bool = False, reset: bool = False) -> None:
        self.refused = refused
        self.reset = reset


class Listener:
    """Keeps what it is told, and checks its order."""

    def __init__(self) -> None:
        self.values: list[tuple[int, bytes]] = []
        self.base = 0
        self.leads: int | None = None
        self.leader: tuple[int | None, int] = (None, 0)
        self.failures: list[StorageError] = []
        self.calls: list[str] = []

    def committed(self, batches: Sequence[CommittedBatch]) -> None:
        for batch in batches:
            end = self.values[-1][0] + 1 if self.values else self.base
            assert batch.base_offset >= end, "handed over twice"
            self.values += [(batch.base_offset + at, value) for at, value in enumerate(batch.values)]

    def load_snapshot(self, snapshot_id: SnapshotId, snapshot: Snapshot) -> None:
        self.base = snapshot_id.end_offset
        self.values = decode_values(snapshot.values)
        self.calls.append("snapshot")

    def leader_changed(self, leader_id: int | None, epoch: int) -> None:
        assert epoch >= self.leader[1]
        self.leader = (leader_id, epoch)

    def leading(self, epoch: int) -> None:
        self.leads = epoch
        self.calls.append("leading")

    def resigned(self) -> None:
        self.leads = None
        self.calls.append("resigned")

    def failed(self, error: StorageError) -> None:
        self.failures.append(error)


def encode_values(values: Sequence[tuple[int, bytes]]) -> list[bytes]:
    return [offset.to_bytes(8, "big") + value for offset, value in values]


def decode_values(values: Sequence[bytes]) -> list[tuple[int, bytes]]:
    return [(int.from_bytes(value[:8], "big"), value[8:]) for value in values]


class FakePeer:
    def __init__(self, quorum: Quorum, source: Member, target: int) -> None:
        self.on_lost: Callable[[Any], None] | None = None
        self.connected = False
        self._quorum = quorum
        self._source = source
        self._life = source.lives
        self._target = target
        self._pending: dict[int, Callable[[Any | None], None]] = {}
        self._number = 0

    def send(
        self,
        api_key: int,
        message: Any,
        done: Callable[[Any | None], None],
        *,
        timeout_seconds: float,
        max_version: int | None = None,
    ) -> None:
        quorum = self._quorum
        life = self._source.lives
        self._number += 1
        number = self._number
        self._pending[number] = done

        def finish(response: Any | None) -> None:
            waiting = self._pending.pop(number, None)
            if waiting is not None and self._source.lives == life and self._source.node is not None:
                self._source.guard(lambda: waiting(response))

        request = _over_the_wire(api_key, "request", message)
        quorum.scheduler.call_later(timeout_seconds, lambda: finish(None))
        quorum.carry(self._source, self._target, api_key, request, finish, self)

    def break_off(self, lost: Lost) -> None:
        """The connection is gone: all that waits fails."""
        self.connected = False
        if self._source.lives != self._life:
            return
        pending, self._pending = list(self._pending.values()), {}
        for done in pending:
            self._source.guard(lambda done=done: done(None))
        if self.on_lost is not None and self._source.node is not None:
            self._source.guard(lambda: self.on_lost and self.on_lost(lost))


class FakePeers:
    def __init__(self, quorum: Quorum, source: Member) -> None:
        self._quorum = quorum
        self._source = source
        self.peers: dict[tuple[str, int, str], FakePeer] = {}

    def to(self, host: str, port: int, purpose: str = "") -> FakePeer:
        key = (host, port, purpose)
        if key not in self.peers:
            self.peers[key] = FakePeer(self._quorum, self._source, int(host.removeprefix("node-")))
        return self.peers[key]


class Member:
    """One node over its lives."""

    def __init__(self, quorum: Quorum, node_id: int, directory_id: bytes, *, voter: bool = True) -> None:
        self.quorum = quorum
        self.node_id = node_id
        self.directory_id = directory_id
        self.voter_capable = voter
        self.port = PORT
        self.lives = 0
        self.media = Media()
        self.node: RaftNode | None = None
        self.listener = Listener()
        self.disk: SimDisk | None = None
        self.clock: SimClock | None = None
        self.peers: FakePeers | None = None
        self.setup = Setup()

    @property
    def endpoint(self) -> Endpoint:
        return Endpoint("CONTROLLER", f"node-{self.node_id}", self.port)

    def format(self, voters: VoterSet | None) -> None:
        """``storage format``: the first snapshot names the voters; an observer starts with nothing."""
        disk = SimDisk(self.media, self.quorum.scheduler, SimRng(f"format-{self.node_id}"), Setup())
        disk.make_folder(FOLDER)
        disk.sync_folder("/")
        disk.sync_folder("/data")
        if voters is not None:
            control = [KRaftVersionRecord(version=0, kraft_version=1), voters.to_record()]
            writer = SnapshotWriter(
                disk, FOLDER, FIRST_SNAPSHOT, now_ms=0, last_contained_timestamp=0, control=control
            )
            writer.finish()
            disk.sync([writer.file])
            writer.publish()
        disk.sync_folder(FOLDER)
        disk.kill()

    def start(self, *, cut_at: int | None = None) -> None:
        assert self.node is None
        self.lives += 1
        quorum = self.quorum
        rng = quorum.rng.stream(f"node-{self.node_id}-{self.lives}")
        disk = self.disk = SimDisk(self.media, quorum.scheduler, rng.stream("disk"), self.setup)
        clock = self.clock = SimClock(quorum.scheduler)
        self.listener = Listener()
        self.peers = FakePeers(quorum, self)
        remove_partial_snapshots(disk, FOLDER)
        disk.cut_at = None if cut_at is None else disk.op_count + cut_at
        try:
            self._open(disk, clock, rng)
        except PowerCut:
            self.crash()

    def _open(self, disk: SimDisk, clock: SimClock, rng: SimRng) -> None:
        assert self.peers is not None
        found = list_snapshots(disk, FOLDER)
        snapshot_id = found[-1] if found else None
        voters, kraft_version = VoterSet(), 1
        if self.quorum.static is not None:
            voters, kraft_version = self.quorum.static, 0
        reach = 0
        if snapshot_id is not None:
            snapshot = read_snapshot(disk, f"{FOLDER}/{snapshot_id.file_name}")
            for message in snapshot.control:
                if isinstance(message, VotersRecord):
                    voters = VoterSet.from_record(message)
            reach = snapshot_id.end_offset
            if reach:
                self.listener.load_snapshot(snapshot_id, snapshot)
        path = f"{FOLDER}/{RECOVERY_POINT_CHECKPOINT}"
        recovery_point = read_offsets(disk, path).get((METADATA_TOPIC, 0))
        end = scan_log(
            disk,
            FOLDER,
            from_offset=reach,
            recovery_point=recovery_point,
            clean=False,
            on_batch=lambda *_: None,
        )
        log = Log.open(
            disk,
            FOLDER,
            (METADATA_TOPIC, 0),
            LogConfig(segment_bytes=2000, file_delete_delay_ms=0, retention_ms=-1),
            recovery_point=recovery_point or 0,
            log_start_offset=end.start_offset,
            now_ms=clock.now_ms(),
        )
        if log.log_end_offset < reach:
            log.truncate_fully(reach, now_ms=clock.now_ms())
        self.node = RaftNode(
            disk=disk,
            clock=clock,
            rng=rng.stream("raft"),
            peers=self.peers,
            log=log,
            folder=FOLDER,
            node_id=self.node_id,
            directory_id=self.directory_id,
            cluster_id=CLUSTER_ID,
            settings=self.quorum.settings,
            voters=voters,
            quorum_state=read_quorum_state(disk, FOLDER),
            snapshot_id=snapshot_id,
            kraft_version=kraft_version,
            is_voter_capable=self.voter_capable,
            listener=self.listener,
            bootstrap=[(f"node-{one}", PORT) for one in self.quorum.members if one != self.node_id],
            endpoints=[self.endpoint],
        )
        self.node.start()

    def guard(self, call: Callable[[], None]) -> None:
        """The power may go in the middle of any call; nothing is called on the dead."""
        if self.disk is None or not self.disk.alive:
            return
        try:
            call()
        except PowerCut:
            self.crash()

    def crash(self, *, power: bool = False) -> None:
        """Kill -9; with ``power`` the page cache is gone too."""
        if self.disk is not None:
            self.disk.kill()
        if self.clock is not None:
            self.clock.kill()
        self.node = None
        if power:
            self.media = self.media.power_loss(self.quorum.rng.stream(f"power-{self.node_id}-{self.lives}"))
        self.quorum.connections_lost(self.node_id, Lost(reset=True))

    def stop(self) -> None:
        assert self.node is not None
        node = self.node
        self.guard(node.close)
        self.crash()

    def wipe(self, directory_id: bytes) -> None:
        """The folder is emptied and gets a new id."""
        assert self.node is None
        self.media = Media()
        self.directory_id = directory_id
        self.format(None)

    def append(self, *values: bytes) -> int | None:
        if self.node is None or self.listener.leads is None:
            return None
        try:
            return self.node.append(values)
        except NotLeading:
            return None
        except PowerCut:
            self.crash()
            return None

    def write_snapshot(self) -> None:
        assert self.node is not None
        at = self.node.applied_offset
        values = [one for one in self.listener.values if one[0] < at]
        node = self.node
        self.guard(lambda: node.write_snapshot(iter(encode_values(values)), at, node.applied_epoch))


class Quorum:
    """Members, and the network between them."""

    def __init__(
        self,
        seed: int | str,
        voters: int = 3,
        *,
        settings: RaftSettings | None = None,
        static: bool = False,
    ) -> None:
        """``static``: kraft.version 0, the voters are configured and never change."""
        self.scheduler = Scheduler()
        self.rng = SimRng(seed)
        self.settings = settings or RaftSettings(auto_join=True)
        self.cut: set[tuple[int, int]] = set()
        """Pairs (from, to) over which nothing passes."""
        self._network_rng = self.rng.stream("network")
        self.leaders: dict[int, int] = {}
        """Epoch → leader, ever."""
        self.committed: dict[int, bytes] = {}
        """Offset → value, ever handed to anyone."""
        self.votes: dict[tuple[int, int], tuple[int, bytes]] = {}
        """(epoch, voter) → candidate it granted."""
        self.members = {one: Member(self, one, _directory_id(one)) for one in range(1, voters + 1)}
        self.voters = VoterSet.of(
            VoterNode(one, member.directory_id, (VoterEndpoint("CONTROLLER", f"node-{one}", PORT),))
            for one, member in self.members.items()
        )
        self.static: VoterSet | None = None
        if static:
            self.static = VoterSet.static({one: (f"node-{one}", PORT) for one in self.members})
        for member in self.members.values():
            member.format(None if static else self.voters)

    def add_member(self, node_id: int, *, voter: bool) -> Member:
        member = self.members[node_id] = Member(self, node_id, _directory_id(node_id), voter=voter)
        member.format(None)
        return member

    def start(self) -> None:
        for member in self.members.values():
            member.start()

    # -- the network ---------------------------------------------------------------------

    def carry(
        self,
        source: Member,
        target_id: int,
        api_key: int,
        request: Any,
        finish: Callable[[Any | None], None],
        peer: FakePeer,
    ) -> None:
        def arrive() -> None:
            if (source.node_id, target_id) in self.cut:
                return  # silence: the request times out
            target = self.members.get(target_id)
            if target is None or target.node is None:
                if source.node is not None:
                    peer.break_off(Lost(refused=True))
                return
            peer.connected = True
            life = target.lives

            def reply(response: Any) -> None:
                self._watch(api_key, target_id, request, response)
                answer = _over_the_wire(api_key, "response", response)

                def back() -> None:
                    if (target_id, source.node_id) not in self.cut and target.lives == life:
                        finish(answer)

                self.scheduler.call_later(self._delay(), back)

            handler = getattr(target.node, _HANDLERS[api_key])
            target.guard(lambda: handler(request, reply, version=_APIS[api_key][1], listener="CONTROLLER"))

        self.scheduler.call_later(self._delay(), arrive)

    def _delay(self) -> float:
        return self._network_rng.uniform(0.0002, 0.003)

    def _watch(self, api_key: int, voter_id: int, request: Any, response: Any) -> None:
        """Nobody votes twice in an epoch, over all its lives."""
        if api_key != 52 or not response.topics:
            return
        asked = request.topics[0].partitions[0]
        if response.topics[0].partitions[0].vote_granted and not asked.pre_vote:
            candidate = (asked.replica_id, asked.replica_directory_id)
            before = self.votes.setdefault((asked.replica_epoch, voter_id), candidate)
            assert before == candidate, f"{voter_id} voted twice in epoch {asked.replica_epoch}"

    def connections_lost(self, node_id: int, lost: Lost) -> None:
        for member in self.members.values():
            if member.node_id != node_id and member.peers is not None and member.node is not None:
                for (host, _, _), peer in list(member.peers.peers.items()):
                    if host == f"node-{node_id}" and peer.connected:
                        peer.break_off(lost)

    def isolate(self, node_id: int) -> None:
        for other in self.members:
            if other != node_id:
                self.cut |= {(node_id, other), (other, node_id)}

    def heal(self) -> None:
        self.cut.clear()

    # -- running and checking ------------------------------------------------------------

    def step(self, until: float) -> bool:
        return self.scheduler.step(until)

    def run(self, seconds: float) -> None:
        until = self.scheduler.now + seconds
        while self._guarded_step(until):
            self.check()
        self.scheduler.now = max(self.scheduler.now, until)

    def run_until(self, condition: Callable[[], bool], seconds: float = 20.0) -> None:
        until = self.scheduler.now + seconds
        while not condition():
            assert self._guarded_step(until), "nothing happened in time"
            self.check()

    def _guarded_step(self, until: float) -> bool:
        try:
            return self.scheduler.step(until)
        except PowerCut:
            for member in self.members.values():
                if member.disk is not None and not member.disk.alive and member.node is not None:
                    member.crash()
            return True

    def check(self) -> None:
        for member in self.members.values():
            node = member.node
            if node is None:
                continue
            assert not member.listener.failures, member.listener.failures
            if node.leading:
                before = self.leaders.setdefault(node.epoch, node.key.node_id)
                assert before == node.key.node_id, f"two leaders in epoch {node.epoch}"
        for member in self.members.values():
            self._check_values(member)

    def _check_values(self, member: Member) -> None:
        values = member.listener.values
        seen = getattr(member.listener, "checked", 0)
        for offset, value in values[seen:] if seen <= len(values) else values:
            known = self.committed.setdefault(offset, value)
            assert known == value, f"offset {offset} changed on {member.node_id}: {known!r} → {value!r}"
        member.listener.checked = len(values)  # type: ignore[attr-defined]

    def leader(self) -> Member | None:
        """The one that may decide, if there is exactly one in the newest epoch."""
        leading = [one for one in self.members.values() if one.node is not None and one.listener.leads]
        return max(leading, key=lambda one: one.listener.leads or 0) if leading else None

    def await_leader(self, seconds: float = 20.0, *, but: int | None = None) -> Member:
        def found() -> bool:
            leader = self.leader()
            return leader is not None and leader.node_id != but

        self.run_until(found, seconds)
        leader = self.leader()
        assert leader is not None
        return leader

    def await_applied(self, offset: int, *members: int, seconds: float = 20.0) -> None:
        chosen = [self.members[one] for one in members] if members else list(self.members.values())
        self.run_until(
            lambda: all(one.node is not None and one.node.applied_offset >= offset for one in chosen), seconds
        )


def _directory_id(node_id: int) -> bytes:
    return bytes(15) + bytes([node_id])
