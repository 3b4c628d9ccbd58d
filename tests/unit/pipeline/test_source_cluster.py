"""A leader that moves and a broker that dies while a task reads and while the driver asks."""

from __future__ import annotations

from riverlog.pipeline.reading import close_idle, read_settings, read_task
from riverlog.testing import cluster
from tests.unit.pipeline.source_world import World, numbers, options, texts, values


def test_reading_goes_on_when_the_leader_dies() -> None:
    with cluster(3) as nodes, World(nodes.bootstrap) as world:
        topic = world.topic(3, replicas=3, min_insync_replicas=2)
        for partition in range(3):
            world.produce(topic, numbers(100_000), partition=partition)
        slices = [world.slice(topic, 0, 100_000, partition=partition) for partition in range(3)]
        small = {"kafka_max_partition_fetch_bytes": 50_000, "kafkaConsumer_pollTimeoutMs": 60_000}
        settings = read_settings(options(nodes.bootstrap, subscribe=topic, **small))
        with world.query(subscribe=topic, startingOffsets="earliest") as query:
            assert query.plan()
            rows = read_task(tuple(slices), settings)
            found = [row["value"].decode() for row in next(rows).to_pylist()]  # in the first slice
            leader = world.admin.list_topics(topic).topics[topic].partitions[0].leader
            nodes.kill(leader)
            found += values(rows)
            assert found == numbers(100_000) * 3
            # The driver, whose connection to the dead broker is gone as well, goes on.
            assert not query.plan()
            world.produce(topic, ["after"])
            assert query.batch() == ["after"]
        # A worker whose connections date from before goes on, too.
        assert texts(world.read(world.slice(topic, 100_000, 100_001))) == ["after"]
        close_idle()
