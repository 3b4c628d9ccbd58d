"""Server-side assignors of the consumer protocol (KIP-848): ``uniform`` and ``range``.

Pure functions from who subscribes to what, and who has what, to who shall have what. Differs from Kafka
4.3, whose two assignors do not look at racks: here they decide what balance and stickiness leave open
(docs/adr/0014-racks-last.md).
"""

from __future__ import annotations

from riverlog.coordinator.group.assignors.racks import Racks, matter
from riverlog.coordinator.group.assignors.range import assign_range
from riverlog.coordinator.group.assignors.spec import Assignment, Assignor, GroupSpec, MemberSpec
from riverlog.coordinator.group.assignors.uniform import assign_uniform

__all__ = ["ASSIGNORS", "Assignment", "Assignor", "GroupSpec", "MemberSpec", "Racks", "matter"]

ASSIGNORS: dict[str, Assignor] = {"uniform": assign_uniform, "range": assign_range}
"""By the name that ``group.consumer.assignors`` and members use."""
