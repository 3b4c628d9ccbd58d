"""A quorum whose majority is gone for good, made anew from one survivor by hand (RULES: forming 4).

The survivor gets a VotersRecord with itself alone, at the end of its log and in a new epoch. All that its
log holds counts as committed from then on; what only the lost voters had is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from riverlog.base.config import BrokerConfig
from riverlog.env import Clock, Disk, StorageError
from riverlog.metadata.errors import MetadataError
from riverlog.metadata.forming import controller_endpoints, make_metadata_folder, open_log
from riverlog.metadata.identity import Identity, identify
from riverlog.metadata.loader import Loaded, load
from riverlog.metadata.membership import CONTROLLER_ROLE
from riverlog.raft.quorum_log import QuorumLog
from riverlog.raft.quorum_state import QuorumState, write_quorum_state
from riverlog.raft.voter_set import VoterNode, VoterSet, voter_endpoints


@dataclass(frozen=True, slots=True)
class Survivor:
    """What a node knows that is to be the only voter."""

    cluster_id: str
    node_id: int
    lost_voters: tuple[int, ...]
    end_offset: int
    epoch: int
    last_timestamp: int
    """Of its newest record, in ms since the epoch; 0 if there is none."""
    partitions: int
    in_sync_here: int
    """Partitions with an in-sync replica on this node."""
    only_lost: int
    """Partitions whose in-sync replicas are all on nodes of the lost voters."""


def find_survivor(disk: Disk, log_dirs: Sequence[str], config: BrokerConfig) -> Survivor:
    """Raises ``MetadataError`` if this node cannot be the only voter; writes nothing."""
    return _survivor(*_read(disk, log_dirs, config))


def make_sole_voter(disk: Disk, log_dirs: Sequence[str], config: BrokerConfig, clock: Clock) -> Survivor:
    """The node must not run. Durable when this returns. Raises ``MetadataError`` or ``StorageError``."""
    identity, loaded, voters = _read(disk, log_dirs, config)
    found = _survivor(identity, loaded, voters)
    own = voters.nodes[identity.node_id]
    endpoints = voter_endpoints(controller_endpoints(config)) or own.endpoints
    sole = VoterSet.of([VoterNode(*own.key, endpoints)])
    # An epoch that nobody has led in, and a vote of our own in it, before a record says so.
    epoch = loaded.epoch + 1
    folder = make_metadata_folder(disk, identity)
    state = QuorumState(leader_epoch=epoch, voted_id=own.node_id, voted_directory_id=own.directory_id)
    write_quorum_state(disk, folder, state, kraft_version=loaded.kraft_version)
    failures: list[StorageError] = []
    log = QuorumLog(
        disk,
        clock,
        open_log(disk, folder, config, loaded, now_ms=clock.now_ms()),
        snapshot_id=loaded.snapshot,
        voters=voters,
        kraft_version=loaded.kraft_version,
        fsync_timeout_seconds=1.0,
        on_durable=lambda: None,
        on_failure=failures.append,
    )
    log.append_control([sole.to_record()], epoch)
    log.sync_now()
    log.close()
    if failures:
        raise failures[0]
    return found


def _read(disk: Disk, log_dirs: Sequence[str], config: BrokerConfig) -> tuple[Identity, Loaded, VoterSet]:
    identity = identify(disk, log_dirs, config)
    if identity.cluster_id is None:
        raise MetadataError(f"{identity.metadata_dir} is not formatted: there is nothing to recover from")
    if CONTROLLER_ROLE not in identity.roles:
        raise MetadataError(f"node {identity.node_id} cannot vote: process.roles needs controller")
    loaded = load(disk, identity.metadata_dir)
    if loaded.voters is None:
        raise MetadataError(f"{identity.metadata_dir} does not say who votes: only a voter can be recovered")
    voters = VoterSet.from_record(loaded.voters)
    if identity.directory_id is None or not voters.holds(identity.node_id, identity.directory_id):
        raise MetadataError(
            f"node {identity.node_id} is not a voter of its quorum, those are {list(voters.ids)}: "
            "recover one of them"
        )
    if len(voters) == 1:
        raise MetadataError(f"node {identity.node_id} is the only voter already")
    return identity, loaded, voters


def _survivor(identity: Identity, loaded: Loaded, voters: VoterSet) -> Survivor:
    node_id = identity.node_id
    lost = tuple(one for one in voters.ids if one != node_id)
    partitions = [partition for _, _, partition in loaded.state.partitions()]
    assert identity.cluster_id is not None
    return Survivor(
        cluster_id=identity.cluster_id,
        node_id=node_id,
        lost_voters=lost,
        end_offset=max(loaded.log.end_offset, loaded.snapshot.end_offset if loaded.snapshot else 0),
        epoch=loaded.epoch,
        last_timestamp=loaded.last_timestamp,
        partitions=len(partitions),
        in_sync_here=sum(node_id in partition.isr for partition in partitions),
        only_lost=sum(set(partition.isr) <= set(lost) for partition in partitions),
    )
