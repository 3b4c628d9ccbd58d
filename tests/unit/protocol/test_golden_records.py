"""Records no other Python codec has, against Kafka itself.

``golden_records.json`` holds random records that Apache Kafka 4.3.1 read and wrote again: the bytes
as it wrote them and the fields as it understood them (bytes and uuids in base64, tagged fields at
their default left out).
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from protocol_samples import messages, module_of

from codegen.model import Field, Message

GOLDEN = json.loads((Path(__file__).parent / "golden_records.json").read_text("utf-8"))
NAMES = sorted({row["message"] for row in GOLDEN})


def scalar(field: Field, value: Any) -> Any:
    if field.type == "bytes":
        return base64.b64decode(value)
    if field.type == "uuid":
        return base64.urlsafe_b64decode(value + "==")
    return value


def build(message: Message, struct: str, fields: dict[str, Any]) -> Any:
    """The message Kafka saw, made with our classes."""
    values: dict[str, Any] = {}
    for field in message.structs[struct].fields:
        if field.name not in fields:
            continue
        value = fields[field.name]

        def one(item: Any, field: Field = field) -> Any:
            return build(message, field.type, item) if field.is_struct else scalar(field, item)

        if value is None:
            values[field.name] = None
        else:
            values[field.name] = [one(item) for item in value] if field.array else one(value)
    assert set(fields) == set(values)
    return getattr(module_of(message), struct)(**values)


@pytest.mark.parametrize("name", NAMES)
def test_bytes_and_fields_equal_kafka(name: str) -> None:
    message = messages()[name]
    module: Any = module_of(message)
    for row in GOLDEN:
        if row["message"] == name:
            data = bytes.fromhex(row["bytes"])
            wanted = build(message, name, row["fields"])
            assert module.decode(memoryview(data), 0, row["version"]) == (wanted, len(data))
            assert module.encode(wanted, row["version"]) == data


def test_every_record_version_has_a_golden_row() -> None:
    records = [m for m in messages().values() if m.room not in ("apis", "headers")]
    wanted = {(m.name, version) for m in records for version in m.all_versions()}
    assert {(row["message"], row["version"]) for row in GOLDEN} == wanted
