"""Batch reads: the tasks between two limits."""

from __future__ import annotations

from riverlog.pipeline import options as o
from riverlog.pipeline.cluster import Cluster, partitions_of, selection
from riverlog.pipeline.errors import OptionError
from riverlog.pipeline.option_table import Options
from riverlog.pipeline.planning import Slice, Task, plan_tasks
from riverlog.pipeline.reading import read_settings
from riverlog.pipeline.resolving import Resolver
from riverlog.pipeline.tracking import plan_of


def plan_batch(options: Options) -> list[Task]:
    """Ask the cluster once; what comes later is not part of the batch."""
    cluster = Cluster(options)
    try:
        found = cluster.named_topics(selection(options))
        partitions = partitions_of(found)
        resolver = Resolver(cluster, options, partitions, read_settings(options).lost)
        starts, ends = resolver.start(), resolver.end()
    finally:
        cluster.close()
    slices = []
    for topic, partition in partitions:
        start, end = starts[topic, partition], ends[topic, partition]
        if start > end and _both_given(options):
            raise OptionError(
                f"partition {topic}-{partition} is to be read from offset {start} to {end}, "
                "which is before it; see options startingOffsets and endingOffsets"
            )
        slices.append(Slice(topic, found[topic].topic_id, partition, start, end))
    return plan_tasks(slices, plan_of(options))


def _both_given(options: Options) -> bool:
    """Whether it is the user who has the start behind the end."""
    ends = (o.ENDING_OFFSETS, o.ENDING_TIMESTAMP, o.ENDING_OFFSETS_BY_TIMESTAMP)
    return any(options.given(row) for row in ends)
