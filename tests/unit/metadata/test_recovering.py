"""A survivor becomes the only voter: whole or not at all, whenever the power goes."""

from __future__ import annotations

import pytest
from metadata_world import DATA, World

from riverlog.base.config import BrokerConfig
from riverlog.metadata.errors import MetadataError
from riverlog.metadata.forming import format_folders, prepare_folders
from riverlog.metadata.loader import load
from riverlog.metadata.recovering import find_survivor, make_sole_voter
from riverlog.raft.voter_set import VoterEndpoint, VoterNode, VoterSet
from riverlog.sim.media import Journal, Media
from riverlog.sim.rng import SimRng
from riverlog.storage.files import encode_uuid, read_meta_properties, write_meta_properties

STATIC = {
    "node.id": "3",
    "listeners": "PLAINTEXT://h3:9092,CONTROLLER://h3:9093",
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
}
CONFIG = BrokerConfig(STATIC)
DRAWS_PER_CUT = 3


def formatted(journal: Journal | None = None) -> World:
    """The folder of voter 3 of three."""
    world = World(static=STATIC, journal=journal)
    world.boot()
    own = prepare_folders(world.disk, [DATA], CONFIG, world.node_rng)
    others = [VoterNode(n, bytes([n]) * 16, (VoterEndpoint("CONTROLLER", f"h{n}", 9093),)) for n in (1, 2)]
    format_folders(
        world.disk, [DATA], CONFIG, rng=world.node_rng, now_ms=0, voters=VoterSet.of([*others, own])
    )
    return world


def recover(world: World) -> None:
    world.boot()
    make_sole_voter(world.disk, [DATA], CONFIG, world.clock)
    world.kill()


def test_what_is_told_before() -> None:
    world = formatted()
    found = find_survivor(world.disk, [DATA], CONFIG)
    assert (found.node_id, found.lost_voters, found.end_offset, found.partitions) == (3, (1, 2), 0, 0)


def test_the_sole_voter_leads_in_an_epoch_of_its_own() -> None:
    world = formatted()
    world.kill()
    recover(world)
    node = world.start(clean=False)
    assert list(node.raft.voters.ids) == [3]
    assert node.is_active
    assert node.leader_epoch == 2  # 1 is that of the record
    assert world.create("t").topics[0].error_code == 0


def test_a_folder_whose_pair_does_not_vote_is_refused() -> None:
    world = formatted()
    meta = read_meta_properties(world.disk, DATA)
    assert meta is not None
    meta.directory_id = encode_uuid(b"copied elsewhere")
    write_meta_properties(world.disk, DATA, meta)
    with pytest.raises(MetadataError, match="node 3 is not a voter of its quorum"):
        make_sole_voter(world.disk, [DATA], CONFIG, world.clock)


def test_power_cuts_leave_the_old_voters_or_the_new_one() -> None:
    journal = Journal()
    world = formatted(journal)
    world.kill()
    base = len(journal.ops)
    recover(world)
    rng = SimRng(5)
    seen: set[int] = set()
    for number, _, media in journal.cuts():
        if number <= base:
            continue
        for draw in range(DRAWS_PER_CUT):
            seen.add(_check(media.power_loss(rng.stream(f"{number}-{draw}"))))
    assert seen == {1, 3}


def _check(media: Media) -> int:
    """Whatever was left can be gone on with; answers how many voted."""
    world = World(media, static=STATIC)
    world.boot()
    voters = load(world.disk, DATA).voters
    assert voters is not None
    count = len(voters.voters)
    world.kill()
    if count == 3:
        recover(world)  # once more
    node = world.start(clean=False)
    assert list(node.raft.voters.ids) == [3]
    world.kill()
    return count
