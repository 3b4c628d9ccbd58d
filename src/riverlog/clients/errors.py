"""What can go wrong for the user of a client."""

from __future__ import annotations


class BufferExhausted(Exception):
    """Unacknowledged records took all of ``buffer_memory`` for longer than ``max_block_ms``."""


class DeliveryFailed(Exception):
    """The broker did not take a record; the reason is the message."""


class ProcessingFailed(Exception):
    """A handler failed on a record; its own error is the cause. Nothing from that record on is committed."""
