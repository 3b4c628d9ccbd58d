"""Opening a node's folders: read and judged first, written only when all is known to be fine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from riverlog.base.config import BrokerConfig
from riverlog.base.listeners import Endpoint
from riverlog.env import Clock, Disk, Rng
from riverlog.metadata.forming import (
    cluster_id_of,
    controller_endpoints,
    form,
    make_metadata_folder,
    open_log,
    own_voter,
)
from riverlog.metadata.identity import Identity, formed, identify, settle
from riverlog.metadata.loader import Loaded, load, read_bootstrap
from riverlog.metadata.membership import (
    CONTROLLER_ROLE,
    Address,
    Membership,
    configured_voters,
    find_membership,
)
from riverlog.metadata.records import MetadataRecord
from riverlog.protocol.generated.voters_record import VotersRecord
from riverlog.raft.voter_set import VoterEndpoint, VoterNode, VoterSet, voter_endpoints
from riverlog.storage import Log


@dataclass(slots=True)
class Opened:
    """All that a node starts from."""

    identity: Identity
    loaded: Loaded
    membership: Membership
    endpoints: tuple[Endpoint, ...]
    """This node's controller listeners."""
    bootstrap: list[MetadataRecord]
    """Records that Kafka's format command left."""
    log: Log

    @property
    def voters(self) -> VoterSet:
        """As the snapshot says; Raft reads the log's own."""
        for message in self.loaded.snapshot_control:
            if isinstance(message, VotersRecord):
                return VoterSet.from_record(message)
        if self.membership.is_sole and self.loaded.kraft_version == 0:
            return VoterSet.of([VoterNode(self.identity.node_id, endpoints=voter_endpoints(self.endpoints))])
        return VoterSet()


def open_folders(
    *, disk: Disk, log_dirs: Sequence[str], clock: Clock, rng: Rng, config: BrokerConfig, reachable: bool
) -> Opened:
    """Open the folders, forming a quorum of one if there is nothing yet. Waits for the disk.

    Raises ``MetadataError``, before anything is written, if they cannot be worked with; ``StorageError``
    if the disk fails.
    """
    identity = identify(disk, log_dirs, config)
    loaded = load(disk, identity.metadata_dir)
    bootstrap = read_bootstrap(disk, identity.metadata_dir)
    endpoints = controller_endpoints(config)
    membership = find_membership(
        identity, loaded, config, endpoints, bootstrap=bool(bootstrap), reachable=reachable
    )
    # From here on we write.
    settle(disk, identity, rng)
    if membership.gathering:
        folder = make_metadata_folder(disk, identity)
    elif membership.forming:
        voters = VoterSet.of([own_voter(identity, endpoints)])
        form(disk, identity, voters, now_ms=clock.now_ms(), cluster_id=cluster_id_of(voters))
        loaded = load(disk, identity.metadata_dir)
        folder = make_metadata_folder(disk, identity)
    else:
        folder = make_metadata_folder(disk, identity)
        assert identity.cluster_id is not None
        formed(disk, identity, identity.cluster_id)
    log = open_log(disk, folder, config, loaded, now_ms=clock.now_ms())
    return Opened(identity, loaded, membership, endpoints, bootstrap, log)


def formatted(
    opened: Opened, disk: Disk, config: BrokerConfig, *, now_ms: int, cluster_id: str, voters: VoterSet | None
) -> Opened:
    """What was not formatted is now, for the quorum of ``voters``, or to observe. Waits for the disk."""
    identity = opened.identity
    if voters is not None:
        form(disk, identity, voters, now_ms=now_ms, cluster_id=cluster_id)
    else:
        formed(disk, identity, cluster_id)
    loaded = load(disk, identity.metadata_dir)
    membership = find_membership(
        identity, loaded, config, opened.endpoints, bootstrap=bool(opened.bootstrap), reachable=True
    )
    return Opened(identity, loaded, membership, opened.endpoints, opened.bootstrap, opened.log)


def voter_of(opened: Opened, config: BrokerConfig) -> tuple[VoterNode, dict[int, Address]]:
    """This node as the others know it, and the voters to form a quorum with: none if it is not listed."""
    own = own_voter(opened.identity, opened.endpoints)
    listed = configured_voters(config)
    if own.node_id not in listed or CONTROLLER_ROLE not in opened.identity.roles:
        return own, {}
    name = opened.endpoints[0].listener if opened.endpoints else "CONTROLLER"
    return VoterNode(*own.key, (VoterEndpoint(name, *listed[own.node_id]),)), listed
