"""Riverlog: a message queue that speaks the Kafka protocol."""
