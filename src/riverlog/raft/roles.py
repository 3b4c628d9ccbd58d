"""What a node of the quorum can be."""

from __future__ import annotations

from enum import Enum


class Role(Enum):
    UNATTACHED = "unattached"
    """Knows an epoch but no leader of it; may have voted. An observer looks for the leader here."""
    PROSPECTIVE = "prospective"
    """Asks whether others would vote for it; the epoch stays (KIP-996)."""
    CANDIDATE = "candidate"
    LEADER = "leader"
    FOLLOWER = "follower"
    """Fetches from a leader: voters and observers."""
