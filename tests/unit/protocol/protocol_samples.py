"""Random messages for the codec tests, drawn from the schemas.

A seeded generator of our own instead of hypothesis strategies: there are 270 messages in more than
700 versions, and building strategies for all of them takes longer than testing them.
"""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from codegen.model import Field, Message
from codegen.notation import read_folder
from riverlog.protocol.apis import codec

SCHEMAS = Path(__file__).resolve().parents[3] / "schemas"

_RANGES = {
    "int8": (-(2**7), 2**7 - 1),
    "int16": (-(2**15), 2**15 - 1),
    "uint16": (0, 2**16 - 1),
    "int32": (-(2**31), 2**31 - 1),
    "uint32": (0, 2**32 - 1),
    "int64": (-(2**63), 2**63 - 1),
}
_TEXTS = ("", "a", "topic-1", "grüße ✓ 𝄞", "x" * 126, "y" * 127, "z" * 300, "\0")
_BLOBS = (b"", b"\0", bytes(range(256)), b"r" * 126, b"s" * 127, b"t" * 20000)


@cache
def messages() -> dict[str, Message]:
    return {message.name: message for message in read_folder(SCHEMAS)}


def module_of(message: Message) -> ModuleType:
    return codec(message.module)  # type: ignore[return-value]


class Sampler:
    """Draws messages of one version, with ``oracle`` only from values that kio's types can hold."""

    def __init__(self, message: Message, version: int, seed: int, *, oracle: bool = False) -> None:
        self.message = message
        self.version = version
        self.random = random.Random(f"{message.name} {version} {seed}")
        self.oracle = oracle
        self.module = module_of(message)
        self.budget = 60

    def draw(self) -> Any:
        return self._struct(self.message.name)

    def _struct(self, name: str) -> Any:
        values = {
            field.name: self._field(field)
            for field in self.message.structs[name].fields
            if self.version in field.versions and not self._left_unset(field)
        }
        return getattr(self.module, name)(**values)

    def _left_unset(self, field: Field) -> bool:
        return self.version in field.tagged and self.random.random() < 0.4

    def _field(self, field: Field) -> Any:
        if self._may_be_null(field) and self.random.random() < 0.3:
            return None
        if field.array:
            count = self.random.choice((0, 1, 1, 2, 3, 5))
            if not field.is_struct and self.random.random() < 0.1:
                count = 40
            self.budget -= count
            if self.budget < 0:
                count = 0
            return [self._value(field) for _ in range(count)]
        return self._value(field)

    def _may_be_null(self, field: Field) -> bool:
        return self.version in field.nullable

    def _value(self, field: Field) -> Any:
        kind = field.type
        if field.is_struct:
            return self._struct(kind)
        if kind == "bool":
            return self.random.random() < 0.5
        if kind == "string":
            return self.random.choice(_TEXTS)
        if kind in ("bytes", "records"):
            return self.random.choice(_BLOBS)
        if kind == "uuid":
            return self.random.choice((bytes(16), b"\xff" * 16, self.random.randbytes(16)))
        if kind == "float64":
            return self.random.choice((0.0, -1.5, 1e300, 2.5e-300))
        return self._number(field, *_RANGES[kind])

    def _number(self, field: Field, low: int, high: int) -> int:
        if self.oracle and field.type == "int16" and "error_code" in field.name:
            return self.random.choice((-1, 0, 1, 3, 35, 87, 100))
        if self.oracle and field.type == "int64" and field.name.endswith(("timestamp", "time_ms", "_ms")):
            return self.random.choice((0, 1, 1_700_000_000_123))
        return self.random.choice((low, high, 0, 1, -1 if low < 0 else 2, self.random.randint(low, high)))
