"""What an assignor is given and what it gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from riverlog.coordinator.group.assignors.racks import Racks

Assignment = dict[bytes, frozenset[int]]
"""Partitions by topic id. Never changed in place, so that equal ones can be shared."""


@dataclass(slots=True)
class MemberSpec:
    """One member, as an assignor sees it."""

    topics: frozenset[bytes]
    """Subscribed topics that exist."""
    assignment: Assignment
    """Its last target assignment, possibly of topics it no longer wants or that are gone."""
    instance_id: str | None = None
    rack: str | None = None


@dataclass(slots=True)
class GroupSpec:
    members: dict[str, MemberSpec]
    partition_counts: dict[bytes, int]
    """Of every subscribed topic, in an order that is the same on every node."""
    homogeneous: bool
    """Whether all members subscribe to the same topics."""
    racks: dict[bytes, list[Racks]] | None = None
    """By topic and partition, where its replicas are; None if unknown, or if it makes no difference."""


Assignor = Callable[[GroupSpec], dict[str, Assignment]]
"""A target for every member of the group; each partition of each subscribed topic exactly once."""
