"""Server-side assignors of the consumer protocol (KIP-848): ``uniform`` and ``range``.

Pure functions from who subscribes to what, and who has what, to who shall have what. Racks reach them
as in Kafka 4.3, whose two assignors do not look at them either: a change of racks only makes the
coordinator assign anew.
"""

from __future__ import annotations

from riverlog.coordinator.group.assignors.range import assign_range
from riverlog.coordinator.group.assignors.spec import Assignment, Assignor, GroupSpec, MemberSpec
from riverlog.coordinator.group.assignors.uniform import assign_uniform

__all__ = ["ASSIGNORS", "Assignment", "Assignor", "GroupSpec", "MemberSpec"]

ASSIGNORS: dict[str, Assignor] = {"uniform": assign_uniform, "range": assign_range}
"""By the name that ``group.consumer.assignors`` and members use."""
