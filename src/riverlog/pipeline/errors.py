"""What a user of the Spark side can get wrong or run into: one line each, fit to be shown as it is."""

from __future__ import annotations


class PipelineError(ValueError):
    """Something the user must know of or change: what is wrong, where, what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


class OptionError(PipelineError):
    """An option has a wrong name or a wrong value."""


class DataLossError(PipelineError):
    """Records that should have been read are gone (``failOnDataLoss`` is true)."""


class ClusterError(PipelineError):
    """The cluster cannot be reached, or refuses what was asked."""
