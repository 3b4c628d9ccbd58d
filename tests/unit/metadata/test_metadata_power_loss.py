"""The power goes at any moment: the metadata opens, and what was acknowledged is there."""

from __future__ import annotations

from metadata_world import World

from riverlog.sim.media import Journal, Mark
from riverlog.sim.rng import SimRng

DRAWS_PER_CUT = 2
STATIC = {"metadata.log.max.record.bytes.between.snapshots": "1200"}


def recorded() -> tuple[Journal, list[str]]:
    """Topics are created over two lives, with snapshots; each is marked once its reply left."""
    journal = Journal()
    world = World(static=STATIC, journal=journal)
    names: list[str] = []
    for life in range(2):
        world.start(clean=life == 0)
        for number in range(9):
            name = f"topic-{life}-{number}"
            names.append(name)
            assert world.create(name, 2).topics[0].error_code == 0
            journal.mark(name)
            if number == 4:
                world.delete(f"topic-{life}-0")
                journal.mark(f"deleted topic-{life}-0")
        world.scheduler.run_for(2)
        if life == 0:
            world.kill()
        else:
            world.node.close()
    assert world.node.raft.snapshot_count >= 1
    return journal, names


def test_acknowledged_changes_survive_a_power_cut_after_any_write() -> None:
    journal, names = recorded()
    rng = SimRng(7)
    acknowledged: dict[str, bool] = {}
    cluster_ids: set[str] = set()
    cuts = 0
    for number, op, media in journal.cuts():
        if isinstance(op, Mark):
            note = str(op.note)
            if note.startswith("deleted "):
                acknowledged[note.removeprefix("deleted ")] = False
            else:
                acknowledged[note] = True
            continue
        for draw in range(DRAWS_PER_CUT):
            cuts += 1
            survived = World(
                media.power_loss(rng.stream(f"{number}-{draw}")), seed=number * 10 + draw, static=STATIC
            )
            node = survived.start(clean=False)
            there = set(node.image.topics)
            for name, exists in acknowledged.items():
                # A deletion on its way may have made it without its acknowledgement.
                pending_delete = exists and name.endswith("-0") and name not in there
                assert (name in there) == exists or pending_delete, (number, draw, name)
            assert there <= set(names)
            if acknowledged:
                cluster_ids.add(node.cluster_id)
    assert cuts > 200
    assert len(cluster_ids) == 1


def test_starting_again_after_a_cut_start_is_fine() -> None:
    """Cut again and again in the middle of starting: every start opens what the last one left."""
    journal = Journal()
    world = World(static=STATIC, journal=journal)
    world.start()
    world.create("t", 3)
    base = len(journal.ops)
    world.kill()
    world.start(clean=False)
    rng = SimRng(3)
    epochs: list[int] = []
    for number, _, media in journal.cuts():
        if number < base:
            continue
        survived = World(media.power_loss(rng.stream(str(number))), seed=number)
        node = survived.start(clean=False)
        assert list(node.image.topics) == ["t"]
        epochs.append(node.leader_epoch)
        leader_epochs = {p.leader_epoch for _, _, p in node.image.partitions()}
        assert len(leader_epochs) == 1
        assert leader_epochs.pop() >= 1
    assert min(epochs) >= 2
    assert max(epochs) == 3
