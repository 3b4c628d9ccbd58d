"""What the kernel's sources use where they are not compiled: ``memory.pxd`` has the same in C.

The module also stands in for ``import cython`` where that is not installed.
"""

from __future__ import annotations

Bytes = bytes | bytearray | memoryview

compiled = False


def readable(view: Bytes) -> Bytes:
    """Where the bytes of ``view`` are read; in C, a pointer."""
    return view


def writable(view: memoryview) -> memoryview:
    """Where bytes are written into ``view``; in C, a pointer."""
    return view


def copy(target: memoryview, at: int, source: Bytes, start: int, size: int) -> None:
    """``size`` bytes from ``source`` into ``target``. Both must hold them: in C nobody looks."""
    target[at : at + size] = source[start : start + size]
