"""One-off: the facts of Kafka's message definitions, rewritten in our notation.

    python -m codegen.import_facts JAR...

Reads names, types, versions, tags, nullability and defaults; no sentence of the source is kept.
Existing schema files are overwritten, files of messages that are gone are not removed.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

from codegen.model import (
    LAST_VERSION,
    NO_VERSIONS,
    Field,
    Message,
    Struct,
    Versions,
    parse_versions,
    snake_case,
)
from codegen.notation import render

SCHEMAS = Path(__file__).resolve().parent.parent / "schemas"

_ROOMS = {
    "kafka-metadata": "metadata",
    "kafka-group-coordinator": "group",
    "kafka-transaction-coordinator": "transaction",
    "kafka-share-coordinator": "share",
    "kafka-storage": "storage",
    "kafka-raft": "raft",
}


def main(jars: list[str]) -> None:
    files: dict[Path, list[str]] = {}
    for jar in jars:
        with zipfile.ZipFile(jar) as archive:
            for name in sorted(archive.namelist()):
                if re.fullmatch(r"(common/)?(message|metadata)/\w+\.json", name):
                    facts = json.loads(_without_comments(archive.read(name).decode("utf-8")))
                    if facts["validVersions"] != "none":
                        room = _room(Path(jar).name, facts)
                        message, inline = message_of(facts, room)
                        path = SCHEMAS / room / _file_name(message)
                        files.setdefault(path, []).append(render(message, inline))
    for path, texts in sorted(files.items()):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(texts), "utf-8")
    print(f"{sum(map(len, files.values()))} messages in {len(files)} files")


def _without_comments(text: str) -> str:
    return re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)


def _room(jar: str, facts: dict[str, Any]) -> str:
    for prefix, room in _ROOMS.items():
        if re.match(prefix + r"-\d", jar):
            return room
    return {"request": "apis", "response": "apis", "header": "headers"}.get(facts["type"], "data")


def _file_name(message: Message) -> str:
    """Request and response of an API share a file, as do key and value of a coordinator record."""
    name = message.name
    if message.kind in ("request", "response", "coordinator-key", "coordinator-value"):
        name = name.removesuffix(message.kind.split("-")[-1].capitalize())
    return snake_case(name) + ".txt"


def message_of(facts: dict[str, Any], room: str) -> tuple[Message, dict[str, bool]]:
    message = Message(
        kind=facts["type"],
        name=facts["name"],
        key=facts.get("apiKey", -1),
        versions=parse_versions(facts["validVersions"]),
        flexible=parse_versions(facts.get("flexibleVersions", "none")),
        unstable=bool(facts.get("latestVersionUnstable")),
        listeners=tuple(facts.get("listeners", ())),
        room=room,
    )
    inline: dict[str, bool] = {}
    for common in facts.get("commonStructs", ()):
        _add_struct(message, common["name"], common["fields"], inline)
        inline[common["name"]] = False
    _add_struct(message, message.name, facts.get("fields", []), inline)
    return message, inline


def _add_struct(message: Message, name: str, fields: list[dict[str, Any]], inline: dict[str, bool]) -> None:
    for facts in fields:
        if "fields" in facts:
            type_name = facts["type"].removeprefix("[]")
            _add_struct(message, type_name, facts["fields"], inline)
            inline[type_name] = True
    message.structs[name] = Struct(name, tuple(_field(facts) for facts in fields))


def _field(facts: dict[str, Any]) -> Field:
    tagged = parse_versions(facts.get("taggedVersions", "none"))
    versions = parse_versions(facts["versions"]) if "versions" in facts else tagged
    type_name = facts["type"].removeprefix("[]")
    return Field(
        name=snake_case(facts["name"]),
        type=type_name,
        array=facts["type"].startswith("[]"),
        versions=versions,
        nullable=_clip(parse_versions(facts.get("nullableVersions", "none")), versions),
        default=_default(facts.get("default"), type_name),
        ignorable=str(facts.get("ignorable", "false")).lower() == "true",
        tag=facts.get("tag", -1),
        tagged=tagged,
        flexible=facts.get("flexibleVersions") != "none",
    )


def _clip(versions: Versions, within: Versions) -> Versions:
    if versions == NO_VERSIONS or versions.covers(within):
        return within if versions != NO_VERSIONS else versions
    return Versions(max(versions.low, within.low), min(versions.high, within.high, LAST_VERSION))


def _default(value: object, type_name: str) -> str:
    """The default as text; "" where it is the type's own zero."""
    if value is None:
        return ""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if text == "null":
        return text
    if type_name in ("string", "bytes", "uuid", "records"):
        if text:
            raise ValueError(f"unexpected default {text!r} of type {type_name}")
        return ""
    if type_name == "bool":
        return "true" if text == "true" else ""
    number = int(text, 0)
    return str(number) if number else ""


if __name__ == "__main__":
    main(sys.argv[1:])
