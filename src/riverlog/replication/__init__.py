"""One partition's leader (followers and the in-sync set come with the cluster)."""

from riverlog.replication.partition import READ_COMMITTED, READ_UNCOMMITTED, Partition, validation_of

__all__ = ["READ_COMMITTED", "READ_UNCOMMITTED", "Partition", "validation_of"]
