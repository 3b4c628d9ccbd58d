"""The metadata quorum: elections, replication, snapshots, voters."""
