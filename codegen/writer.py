"""Lines of Python with indentation, and the names a module needs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from struct import calcsize

LINE = 110
"""Longer lines are broken where that is easy."""


class Needs:
    """What the bodies of one module use: helper names to import and precompiled structs."""

    def __init__(self) -> None:
        self.helpers: set[str] = set()
        self.unpacks: set[str] = set()
        self.packs: set[str] = set()
        self.iters: set[str] = set()
        self.defaults: set[str] = set()

    def helper(self, name: str) -> str:
        self.helpers.add(name)
        return name

    def unpack(self, codes: str) -> str:
        self.unpacks.add(codes)
        return "_unpack_" + code_name(codes)

    def pack(self, codes: str) -> str:
        self.packs.add(codes)
        return "_pack_" + code_name(codes)

    def iter_unpack(self, codes: str) -> str:
        self.iters.add(codes)
        return "_iter_" + code_name(codes)

    def default(self, struct: str) -> str:
        """A shared default instance, only ever compared with."""
        self.defaults.add(struct)
        return "_DEFAULT_" + struct


def code_name(codes: str) -> str:
    """``16s`` and ``?`` cannot be part of a name: they become ``u`` and ``z``."""
    return codes.replace("16s", "u").replace("?", "z")


def width(codes: str) -> int:
    return calcsize(">" + codes)


class Lines:
    """The body of one generated function."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 1
        self.used: dict[str, int] = {}
        self.reserve(
            "len", "range", "list", "missing", "too_many", "uvarint", "bytes", "str", "int", "bool", "_"
        )

    def add(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    @contextmanager
    def block(self, line: str) -> Iterator[None]:
        self.add(line)
        self.depth += 1
        yield
        self.depth -= 1

    def reserve(self, *names: str) -> None:
        """Names that mean something else in this function."""
        for name in names:
            self.used[name] = 1

    def name(self, base: str) -> str:
        """A local name nobody else in this function uses."""
        count = self.used.get(base, 0)
        self.used[base] = count + 1
        return base if count == 0 else f"{base}_{count + 1}"
