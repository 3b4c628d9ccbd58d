"""What this node is in the quorum: a voter or an observer, alone or with others, and where they are.

RULES: forming a quorum 5. Once a quorum is formed its log's VotersRecord alone says who votes; the
configured lists only give addresses.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass

from riverlog.base import broker_configs
from riverlog.base.config import BrokerConfig
from riverlog.base.listeners import Endpoint
from riverlog.metadata.errors import MetadataError
from riverlog.metadata.identity import Identity
from riverlog.metadata.loader import Loaded
from riverlog.protocol.generated.voters_record import VotersRecord
from riverlog.raft.voters import voter_pairs

logger = logging.getLogger("riverlog.metadata")

CONTROLLER_ROLE = "controller"
BROKER_ROLE = "broker"
FORMAT_HINT = "run 'riverlog storage format' for every node first"

_ADDRESS = re.compile(r"(?:\[([0-9A-Fa-f:.%]+)\]|([^:/@\[\]]+)):([0-9]{1,5})", re.ASCII)

Address = tuple[str, int]


@dataclass(slots=True)
class Membership:
    """Found before anything is written."""

    forming: bool
    """Nothing is formatted yet: this node becomes a quorum of its own."""
    gathering: bool
    """Nothing is formatted yet: others are to be asked first."""
    is_sole: bool
    """The only voter."""
    is_voter: bool
    voters: VotersRecord | None
    """As the log tells them; None with ``kraft.version`` 0, or when the log is still to be fetched."""
    addresses: tuple[Address, ...]
    """Where the quorum may be found, by the configuration."""


def configured_voters(config: BrokerConfig) -> dict[int, Address]:
    """``controller.quorum.voters``: id@host:port."""
    found: dict[int, Address] = {}
    for item in config[broker_configs.CONTROLLER_QUORUM_VOTERS]:
        number, at, address = item.strip().partition("@")
        if not at or not number.strip().isdecimal():
            raise MetadataError(f"controller.quorum.voters: {item!r} must be id@host:port")
        if int(number) in found:
            raise MetadataError(f"controller.quorum.voters: node {int(number)} is named twice")
        found[int(number)] = _address("controller.quorum.voters", address)
    return found


def bootstrap_servers(config: BrokerConfig) -> list[Address]:
    name = "controller.quorum.bootstrap.servers"
    return [_address(name, item) for item in config[broker_configs.CONTROLLER_QUORUM_BOOTSTRAP_SERVERS]]


def _address(name: str, text: str) -> Address:
    match = _ADDRESS.fullmatch(text.strip())
    if match is None or int(match.group(3)) > 65_535:
        raise MetadataError(f"{name}: {text!r} must be host:port")
    return match.group(1) or match.group(2), int(match.group(3))


def find_membership(
    identity: Identity,
    loaded: Loaded,
    config: BrokerConfig,
    endpoints: Sequence[Endpoint],
    *,
    bootstrap: bool,
    reachable: bool,
) -> Membership:
    """Raises ``MetadataError`` if this node cannot be started with these folders and settings.

    ``endpoints``: this node's controller listeners. ``bootstrap``: Kafka's format command left records
    for a first start. ``reachable``: there is a network to reach others by.
    """
    _check_log(identity, loaded, bootstrap=bootstrap)
    listed = configured_voters(config)
    servers = bootstrap_servers(config)
    addresses = tuple(dict.fromkeys([*listed.values(), *servers]))
    own = {(endpoint.host, endpoint.port) for endpoint in endpoints}
    alone = set(listed) <= {identity.node_id} and (bool(listed) or set(servers) <= own)
    controls = CONTROLLER_ROLE in identity.roles
    if identity.cluster_id is None:
        if controls and alone:
            return Membership(True, False, True, True, None, addresses)
        if not addresses or not reachable:
            raise MetadataError(f"{identity.metadata_dir} is not formatted: {FORMAT_HINT}")
        return Membership(False, True, False, False, None, addresses)
    if loaded.voters is not None:
        found = _dynamic(identity, loaded.voters, addresses, listed)
    elif _static_voters(loaded) or (loaded.is_empty and controls and bootstrap and alone):
        found = _static(identity, loaded, addresses, listed)
    else:
        # Nothing here says who votes: we may have been emptied, so we never take that for ourselves.
        found = Membership(False, False, False, False, None, addresses)
    if not found.is_sole:
        _check_reach(identity, found, reachable=reachable)
    return found


def _check_log(identity: Identity, loaded: Loaded, *, bootstrap: bool) -> None:
    if identity.cluster_id is None:
        # A first snapshot alone is fine: the power went between it and the cluster id.
        if loaded.has_log:
            raise MetadataError(
                f"{identity.metadata_dir} has a metadata log, but meta.properties lacks cluster.id"
            )
    elif not loaded.has_folder and CONTROLLER_ROLE in identity.roles and not bootstrap:
        raise MetadataError(f"{identity.metadata_dir} is formatted, but its metadata log is gone")


def _dynamic(
    identity: Identity, voters: VotersRecord, addresses: tuple[Address, ...], listed: dict[int, Address]
) -> Membership:
    pairs = voter_pairs(voters)
    ids = [voter for voter, _ in pairs]
    is_voter = (identity.node_id, identity.directory_id) in pairs
    if is_voter and CONTROLLER_ROLE not in identity.roles:
        raise MetadataError(
            f"node {identity.node_id} is a voter of its quorum: process.roles needs controller"
        )
    if ids == [identity.node_id] and not is_voter:
        raise MetadataError(
            f"{identity.metadata_dir} is a copy of another folder: its directory.id is not the voter's"
        )
    if listed and sorted(listed) != ids:
        logger.warning("controller.quorum.voters lists %s, but the voters are %s", sorted(listed), ids)
    return Membership(False, False, is_voter and len(ids) == 1, is_voter, voters, addresses)


def _static_voters(loaded: Loaded) -> list[int]:
    """The voters that ``quorum-state`` names: with ``kraft.version`` 0 only."""
    return sorted(loaded.quorum_state.voters) if loaded.quorum_state is not None else []


def _static(
    identity: Identity, loaded: Loaded, addresses: tuple[Address, ...], listed: dict[int, Address]
) -> Membership:
    """``kraft.version`` 0, as Kafka wrote it: the configured list and the file must agree."""
    known = _static_voters(loaded)
    ids = sorted(listed) or known or [identity.node_id]
    if known and ids != known:
        raise MetadataError(
            f"controller.quorum.voters lists {ids}, but the voters of {identity.metadata_dir} are {known}"
        )
    if ids != [identity.node_id]:
        raise MetadataError(
            f"{identity.metadata_dir}: with kraft.version 0 only a quorum of this node "
            f"({identity.node_id}) alone can be opened, its voters are {ids}"
        )
    return Membership(False, False, True, True, None, addresses)


def _check_reach(identity: Identity, found: Membership, *, reachable: bool) -> None:
    known = found.voters is not None and any(voter.endpoints for voter in found.voters.voters)
    if not reachable:
        raise MetadataError(f"node {identity.node_id} belongs to a quorum of several, but has no network")
    if not known and not found.addresses:
        raise MetadataError(
            "nothing says where the controllers are: set controller.quorum.bootstrap.servers to host:port"
        )
