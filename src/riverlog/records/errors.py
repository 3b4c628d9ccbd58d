"""What the record readers raise; nothing else escapes them, whatever the bytes are."""

from __future__ import annotations


class CorruptBatch(Exception):
    """The bytes are not a well-formed record batch."""


class UnsupportedMagic(CorruptBatch):
    """A message of format 0 or 1, which Kafka 4 no longer accepts either (KIP-724)."""

    def __init__(self, magic: int) -> None:
        super().__init__(f"message format {magic} is not supported, only 2")
        self.magic = magic


class DecompressedTooLarge(CorruptBatch):
    """The records would take more room decompressed than the caller allows."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(f"decompressed records exceed {max_bytes} bytes")
        self.max_bytes = max_bytes
