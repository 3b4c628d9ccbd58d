"""A range of a file, passed around instead of its bytes.

``storage`` answers reads with slices; ``runtime`` sends them with ``sendfile``,
``sim`` reads them. The bytes are looked at only where someone asks.
"""

from __future__ import annotations

from typing import Protocol


class ReadableFile(Protocol):
    """The part of ``env.File`` that a slice needs."""

    def read(self, position: int, length: int) -> bytes:
        """Bytes at ``position``; fewer than ``length`` at the end of the file."""
        ...


class FileSlice:
    """``length`` bytes of ``file`` starting at ``position``."""

    __slots__ = ("file", "length", "position")

    def __init__(self, file: ReadableFile, position: int, length: int) -> None:
        self.file = file
        self.position = position
        self.length = length

    def __len__(self) -> int:
        return self.length

    def read(self) -> bytes:
        return self.file.read(self.position, self.length)
