"""What stops a start."""

from __future__ import annotations


class MetadataError(Exception):
    """The data folder cannot be worked with as it is: one line that says why. Nothing was changed."""

    def __init__(self, message: str) -> None:
        super().__init__(message.replace("\n", " "))
