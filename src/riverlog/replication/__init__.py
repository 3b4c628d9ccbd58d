"""One partition on this node: leader, follower, in-sync set; and what a follower fetches."""

from riverlog.replication.isr import Assignment, IsrProposal
from riverlog.replication.partition import (
    NO_LEADER,
    READ_COMMITTED,
    READ_UNCOMMITTED,
    Partition,
    Role,
)
from riverlog.replication.policy import POLICY, ReplicationPolicy
from riverlog.replication.validation import validation_of

__all__ = [
    "NO_LEADER",
    "POLICY",
    "READ_COMMITTED",
    "READ_UNCOMMITTED",
    "Assignment",
    "IsrProposal",
    "Partition",
    "ReplicationPolicy",
    "Role",
    "validation_of",
]
