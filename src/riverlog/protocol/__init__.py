"""Kafka's wire protocol: bytes in, messages out. See README.md in this folder."""
