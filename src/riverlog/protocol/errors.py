"""What can go wrong between bytes and messages."""

from __future__ import annotations


class DecodeError(Exception):
    """The peer sent bytes that are not the message they claim to be."""


class EncodeError(Exception):
    """A message cannot be written in the wanted version: our own mistake, or a feature the peer lacks."""
