"""The power goes at any moment: no committed offset goes back (INVARIANTS 17)."""

from __future__ import annotations

from riverlog.sim.disk import Setup
from riverlog.sim.media import Journal, Mark
from riverlog.sim.rng import SimRng
from tests.unit.coordinator.offsets_world import TOPIC, OffsetsWorld

SETTINGS = {"offsets_topic_num_partitions": "1"}
COMMITS = 30
DRAWS_PER_CUT = 2


def test_no_committed_offset_goes_back_after_a_power_cut_at_any_write() -> None:
    journal = Journal()
    world = OffsetsWorld(setup=Setup(journal=journal), **SETTINGS)
    client = world.prepared()
    begun = len(journal.ops)
    for number in range(1, COMMITS + 1):
        if number == COMMITS // 2:
            client = world.restart(clean=False)
        group = f"g{number % 3}"
        journal.mark(("sent", group, number))
        assert client.commit({0: number, 1: number}, group=group) == {0: 0, 1: 0}
        journal.mark(("acknowledged", group, number))
        if number == COMMITS // 3:
            client.delete_offsets([1], group="g0")
            journal.mark(("deleted", "g0", 0))
    world.stop()

    rng = SimRng(11)
    acknowledged: dict[str, int] = {}
    sent: dict[str, int] = {}
    cuts = 0
    for number, op, media in journal.cuts():
        if isinstance(op, Mark):
            kind, group, offset = op.note  # type: ignore[misc]
            {"sent": sent, "acknowledged": acknowledged, "deleted": {}}[kind][group] = offset
            continue
        for draw in range(DRAWS_PER_CUT if number >= begun else 0):
            cuts += 1
            left = media.power_loss(rng.stream(f"{number}-{draw}"))
            survived = OffsetsWorld(media=left, seed=number * 10 + draw, **SETTINGS)
            shards = survived.broker.groups.shards
            assert survived.run_until(lambda shards=shards: shards[0].state.name != "LOADING")  # type: ignore[misc]
            after = survived.client()
            for group, most in sent.items():
                found = after.committed(group=group).get((TOPIC, 0), 0)
                assert acknowledged.get(group, 0) <= found <= most, (number, draw, group)
    assert cuts > 300
