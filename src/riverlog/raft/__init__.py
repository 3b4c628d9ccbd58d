"""The metadata quorum's files and formats; so far what a quorum of one voter needs."""
