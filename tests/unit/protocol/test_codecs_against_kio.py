"""Byte equality with kio, an independent codec, for every message and version it has."""

from __future__ import annotations

import importlib
import io
import re
from dataclasses import fields
from datetime import datetime, timedelta
from enum import Enum
from typing import Any
from uuid import UUID

import pytest
from kio.serial import entity_reader, entity_writer
from protocol_samples import Sampler, messages, module_of

from codegen.model import Message

EXAMPLES = 6
WITHOUT_ORACLE = {"QuorumStateData", "ProducerSnapshot"}
"""Messages of the wire's kinds that live in other jars than the client's, so kio has none of them."""

KINDS = ("request", "response", "header", "data")
NAMES = [m.name for m in messages().values() if m.kind in KINDS and m.name not in WITHOUT_ORACLE]


def kio_entity(message: Message, version: int) -> Any:
    folder = message.name
    if message.kind in ("request", "response"):
        folder = folder.removesuffix("Request").removesuffix("Response")
    folder = re.sub(r"(?<!^)(?=[A-Z])", "_", folder).lower()
    module = importlib.import_module(f"kio.schema.{folder}.v{version}.{message.kind}")
    return getattr(module, message.name)


def plain(value: Any) -> Any:
    """A value of kio's types as one of ours."""
    if isinstance(value, UUID):
        return value.bytes
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, timedelta):
        return value // timedelta(milliseconds=1)
    if isinstance(value, datetime):
        return round(value.timestamp() * 1000)
    return value


def assert_same(message: Message, struct: str, version: int, ours: Any, theirs: Any) -> None:
    """kio renames some fields, so they are compared in the order of the schema."""
    present = [field for field in message.structs[struct].fields if version in field.versions]
    others = fields(theirs)
    assert len(present) == len(others)
    for field, other in zip(present, others, strict=True):
        mine, his = getattr(ours, field.name), getattr(theirs, other.name)
        if field.type == "uuid" and not field.array and his is None:
            his = UUID(int=0)
        if mine is None or his is None:
            assert mine is his
        elif field.array:
            assert len(mine) == len(his)
            for one, two in zip(mine, his, strict=True):
                if field.is_struct:
                    assert_same(message, field.type, version, one, two)
                else:
                    assert one == (bytes(16) if two is None else plain(two))
        elif field.is_struct:
            assert_same(message, field.type, version, mine, his)
        else:
            assert mine == plain(his), f"{struct}.{field.name}"


@pytest.mark.parametrize("name", NAMES)
def test_bytes_and_fields_equal_kio(name: str) -> None:
    message = messages()[name]
    module: Any = module_of(message)
    for version in message.all_versions():
        entity = kio_entity(message, version)
        read, write = entity_reader(entity), entity_writer(entity)
        for seed in range(EXAMPLES):
            ours = Sampler(message, version, seed, oracle=True).draw()
            encoded = module.encode(ours, version)
            theirs, size = read(encoded, 0)
            assert size == len(encoded)
            assert_same(message, name, version, ours, theirs)
            again = io.BytesIO()
            write(again, theirs)
            assert again.getvalue() == encoded, f"{name} v{version}"
            decoded, position = module.decode(memoryview(encoded), 0, version)
            assert position == len(encoded)
            assert decoded == ours


def test_every_wire_message_has_an_oracle_except_the_named_ones() -> None:
    assert len(NAMES) > 180
    assert set(messages()) >= WITHOUT_ORACLE
