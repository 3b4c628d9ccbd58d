"""What a start may do to folders that were there before."""

from __future__ import annotations

from storage_world import World, append
from test_log_manager import TOPIC_ID, filled, opened, settle

from riverlog.storage import LogConfig, ManagerSettings
from riverlog.storage.checkpoints import format_offsets, put_aside, read_offsets


def test_retention_leaves_a_folder_alone_until_its_topic_is_known() -> None:
    world = World()
    manager, log = filled(world, LogConfig(segment_bytes=700))
    log.high_watermark = log.log_end_offset
    world = world.killed()
    settings = ManagerSettings(retention_check_interval_ms=1000)
    manager = opened(world, config=LogConfig(segment_bytes=700, retention_bytes=0), settings=settings)
    found = manager.get("t", 0)
    assert found is not None
    found.high_watermark = found.log_end_offset
    settle(world, manager)
    assert found.log_start_offset == 0, "a default took what the topic's own setting may keep"
    assert manager.create("t", 0, topic_id=TOPIC_ID) is found
    settle(world, manager)
    assert found.log_start_offset > 0


def test_recovery_acts_on_a_checkpoint_only_once_it_is_durable() -> None:
    """A kill may leave its new name in the page cache alone (storage-cuts-3); the old one stays away."""
    for seed in range(20):
        world = World(seed=seed)
        manager = opened(world)
        append(manager.create("t", 0, topic_id=TOPIC_ID))
        settle(world, manager)
        path = "/data/recovery-point-offset-checkpoint"
        assert read_offsets(world.disk, path) == {("t", 0): 1}
        lower = put_aside(world.disk, path, format_offsets({("t", 0): 0}))
        world.disk.sync([lower])
        lower.rename(path)
        world = world.killed()
        opened(world)
        world = world.power_lost(seed)
        assert read_offsets(world.disk, path) == {("t", 0): 0}
