"""Where a new query starts, and where a batch ends: options → offsets.

What an option says beyond what a partition has is treated as data loss: an error, or with
``failOnDataLoss=false`` a warning and the nearest offset there is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import assert_never

from riverlog.client.cluster import TopicPartition
from riverlog.pipeline import options as o
from riverlog.pipeline.cluster import Cluster
from riverlog.pipeline.errors import OptionError
from riverlog.pipeline.groups import GroupOffsets
from riverlog.pipeline.option_table import Options
from riverlog.pipeline.option_values import (
    EARLIEST,
    LATEST,
    AtTime,
    AtTimes,
    Everywhere,
    Limit,
    OfGroup,
    PerPartition,
)

Offsets = dict[TopicPartition, int]
Lost = Callable[[str], None]
"""Takes what is lost; raises, or warns and comes back."""


class Resolver:
    """Turns limits of one query into offsets of these partitions."""

    def __init__(
        self, cluster: Cluster, options: Options, partitions: list[TopicPartition], lost: Lost
    ) -> None:
        self._cluster = cluster
        self._options = options
        self._partitions = partitions
        self._lost = lost

    def start(self, latest: Mapping[TopicPartition, int] | None = None) -> Offsets:
        """Where to start. ``latest``, if it is known, is what the latest offset means."""
        limit = o.starting_limit(self._options)
        if isinstance(limit, Everywhere):
            return self._everywhere(limit.offset, latest)
        wanted = self._wanted(limit, "startingOffsets")
        for key, offset in wanted.items():
            if offset is None:
                wanted[key] = self._without_match(key, limit)
        return self._settled(wanted, "the start", latest)

    def end(self) -> Offsets:
        """Where a batch ends."""
        limit = o.ending_limit(self._options)
        if isinstance(limit, Everywhere):
            return self._everywhere(limit.offset, None)
        found = self._wanted(limit, "endingOffsets")
        return self._settled(
            {key: LATEST if offset is None else offset for key, offset in found.items()}, "the end", None
        )

    # ---------------------------------------------------------------- limits

    def _wanted(self, limit: Limit, option: str) -> dict[TopicPartition, int | None]:
        """Offsets as the limit names them, None where it has none."""
        match limit:
            case Everywhere():
                return dict.fromkeys(self._partitions, limit.offset)
            case PerPartition():
                self._check_all_named(limit.offsets, option)
                return dict(limit.offsets)
            case AtTime():
                return self._cluster.at_times(dict.fromkeys(self._partitions, limit.timestamp))
            case AtTimes():
                self._check_all_named(limit.timestamps, f"{option}ByTimestamp")
                return self._cluster.at_times(limit.timestamps)
            case OfGroup():
                assert limit.group is not None
                group = GroupOffsets(self._cluster.client, limit.group)
                committed = self._cluster.ask(
                    f"looking for the offsets of group {limit.group!r}", group.fetch
                )
                return {key: committed.get(key) for key in self._partitions}
            case _:
                assert_never(limit)

    def _check_all_named(self, named: Mapping[TopicPartition, int], option: str) -> None:
        missing = [key for key in self._partitions if key not in named]
        unknown = sorted(set(named) - set(self._partitions))
        if missing or unknown:
            reason = f"does not name {_names(missing)}" if missing else f"names {_names(unknown)}"
            more = "-2 is earliest, -1 is latest" if missing else "which is not read"
            raise OptionError(f"option {option} {reason}; {more}")

    def _without_match(self, key: TopicPartition, limit: Limit) -> int:
        """Where to start if no record is that young, or the group has committed nothing."""
        options = self._options
        if isinstance(limit, OfGroup):
            strategy = options[o.STARTING_OFFSETS_BY_GROUP_STRATEGY]
            if strategy is None:
                return o.default_start(options.side).offset
            what, option = f"group {limit.group!r} has no offset", o.STARTING_OFFSETS_BY_GROUP_STRATEGY.name
        else:
            strategy = options[o.STARTING_OFFSETS_BY_TIMESTAMP_STRATEGY]
            what, option = "no record is that young", o.STARTING_OFFSETS_BY_TIMESTAMP_STRATEGY.name
        if strategy.lower() == "error":
            raise OptionError(f"partition {_names([key])}: {what}; see option {option}")
        return EARLIEST if strategy.lower() == "earliest" else LATEST

    # ---------------------------------------------------------------- numbers

    def _everywhere(self, offset: int, latest: Mapping[TopicPartition, int] | None) -> Offsets:
        if offset == EARLIEST:
            return self._cluster.earliest(self._partitions)
        return dict(latest) if latest is not None else self._cluster.latest(self._partitions)

    def _settled(
        self,
        wanted: Mapping[TopicPartition, int | None],
        what: str,
        latest: Mapping[TopicPartition, int] | None,
    ) -> Offsets:
        """``EARLIEST`` and ``LATEST`` as numbers, and every number within what the partition has."""
        first = self._cluster.earliest(wanted)
        last = latest if latest is not None else self._cluster.latest(wanted)
        settled: Offsets = {}
        for key, offset in wanted.items():
            assert offset is not None
            if offset == EARLIEST:
                settled[key] = first[key]
            elif offset == LATEST:
                settled[key] = last[key]
            else:
                settled[key] = min(max(offset, first[key]), max(first[key], last[key]))
                if settled[key] != offset:
                    self._lost(
                        f"{what} of partition {_names([key])} is to be offset {offset}, "
                        f"but it has {first[key]} to {last[key]}"
                    )
        return settled


def _names(partitions: list[TopicPartition]) -> str:
    shown = ", ".join(f"{topic}-{partition}" for topic, partition in partitions[:5])
    return shown + (f" and {len(partitions) - 5} more" if len(partitions) > 5 else "")
