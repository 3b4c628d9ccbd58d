"""The notation, the importer of facts and the committed output."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from codegen import __main__ as command
from codegen import import_facts
from codegen.model import NO_VERSIONS, SchemaError, Versions, parse_versions, snake_case
from codegen.module import generate
from codegen.notation import parse, read_folder

SMALL = """
# a comment
request SmallRequest key=7 versions=1-4 flexible=3+ unstable listeners=broker
    name: string?2+ = null ignorable
    pairs: []Pair? 2+ tag 0 in 3+
        left: int32 = -1
        right: bool 4+ = true
    shared: Shared 3-3 rigid

struct Shared
    id: uuid
"""


def test_the_committed_codecs_are_up_to_date() -> None:
    assert command.stale_files(command.OUTPUT) == []


def test_check_reports_what_is_out_of_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "generated"
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "OUTPUT", output)
    assert command.main([]) == 0
    (output / "left_over.py").write_text("")
    (output / "index.py").write_text("changed")
    (output / "fetch_request.py").unlink()
    assert command.main(["--check"]) == 1
    assert [line.split()[3] for line in capsys.readouterr().err.splitlines()] == [
        "generated/fetch_request.py",
        "generated/index.py",
        "generated/left_over.py",
    ]
    assert command.main([]) == 0
    assert command.main(["--check"]) == 0
    assert command.main(["--nonsense"]) == 2
    assert "usage" in capsys.readouterr().err


def test_the_notation_says_what_it_means() -> None:
    (message,) = parse(SMALL, "apis", "small.txt")
    assert (message.kind, message.key, message.unstable) == ("request", 7, True)
    assert message.listeners == ("broker",)
    assert message.versions == Versions(1, 4)
    assert message.flexible == parse_versions("3+")
    name, pairs, shared = message.body.fields
    assert (name.type, name.default, name.ignorable) == ("string", "null", True)
    assert 1 in name.versions
    assert 1 not in name.nullable
    assert 2 in name.nullable
    assert pairs.array
    assert (pairs.tag, 2 in pairs.tagged, 3 in pairs.tagged) == (0, False, True)
    assert pairs.nullable == pairs.versions == parse_versions("2+")
    assert not shared.flexible
    assert shared.versions == Versions(3, 3)
    left, right = message.structs["Pair"].fields
    assert (left.default, right.default, right.versions) == ("-1", "true", parse_versions("4+"))
    assert message.structs["Shared"].fields[0].nullable == NO_VERSIONS


def test_the_same_schema_gives_the_same_module() -> None:
    first, second = (generate(parse(SMALL, "apis", "small.txt")[0]) for _ in range(2))
    assert first == second
    compile(first, "small_request.py", "exec")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("    name: string", "starts with a message line"),
        ("data A versions=0\n  name: string", "indent by four"),
        ("data A versions=0\n    name string", "not a field"),
        ("data A versions=0\n    name: text", "unknown type"),
        ("data A versions=0\n    name: string 1+ extra", "not a field"),
        ("data A versions=0+\n    name: string", "closed range"),
        ("data A versions=0 color=red", "unknown option"),
        ("data A versions=0\n    a: B", "missing"),
        ("data A versions=0\n    a: B\n        b: A", "contains itself"),
        (
            "data A versions=0\n    a: B\n        x: int8\n    c: C\n        y: B\n            z: int8",
            "twice",
        ),
        ("data A versions=0\n    a: int8\n        b: int8", "only a struct"),
        ("data A versions=0\nnonsense", "expected a field"),
        ("data A versions=0\n    a: int8 three", "not a field"),
    ],
)
def test_a_wrong_schema_is_refused_with_its_place(text: str, reason: str) -> None:
    with pytest.raises(SchemaError, match=reason) as caught:
        parse(text, "data", "wrong.txt")
    assert "wrong.txt" in str(caught.value)


def test_two_messages_of_one_name_are_refused(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("data A versions=0 flexible=none\n")
    with pytest.raises(SchemaError, match="twice"):
        read_folder(tmp_path)


@pytest.mark.parametrize("text", ["3+", "3-7", "3", "none"])
def test_version_ranges_round_trip(text: str) -> None:
    assert str(parse_versions(text)) == text


@pytest.mark.parametrize("text", ["", "a", "3-", "+", "-3"])
def test_nonsense_is_no_version_range(text: str) -> None:
    with pytest.raises(SchemaError):
        parse_versions(text)


@pytest.mark.parametrize(
    ("name", "snake"),
    [
        ("FetchRequest", "fetch_request"),
        ("KRaftVersionRecord", "kraft_version_record"),
        ("timeoutMs", "timeout_ms"),
        ("ISR", "isr"),
        ("ZkMigrationStateRecord", "zk_migration_state_record"),
    ],
)
def test_names_become_snake_case(name: str, snake: str) -> None:
    assert snake_case(name) == snake


def test_facts_are_imported_without_their_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = {
        "apiKey": 4,
        "type": "coordinator-value",
        "name": "ThingValue",
        "validVersions": "0-2",
        "flexibleVersions": "1+",
        "fields": [
            {"name": "TheName", "type": "string", "versions": "0+", "nullableVersions": "1+", "about": "No."},
            {"name": "Rows", "taggedVersions": "1+", "tag": 0, "type": "[]Row", "default": None, "fields": [
                {"name": "Size", "type": "int32", "versions": "1+", "default": "0x10", "ignorable": True},
                {"name": "On", "type": "bool", "versions": "2", "default": False},
            ]},
        ],
    }  # fmt: skip
    jar = tmp_path / "kafka-group-coordinator-9.9.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("common/message/ThingValue.json", "// Secret comment\n" + json.dumps(facts))
        gone = {"type": "request", "name": "GoneRequest", "validVersions": "none"}
        archive.writestr("common/message/GoneRequest.json", json.dumps(gone))
        archive.writestr("other/Thing.json", "not even JSON")
    monkeypatch.setattr(import_facts, "SCHEMAS", tmp_path / "schemas")
    import_facts.main([str(jar)])
    (written,) = (tmp_path / "schemas").rglob("*.txt")
    assert written == tmp_path / "schemas" / "group" / "thing.txt"
    assert written.read_text() == (
        "coordinator-value ThingValue key=4 versions=0-2 flexible=1+\n"
        "    the_name: string?1+\n"
        "    rows: []Row 1+ tag 0\n"
        "        size: int32 1+ = 16 ignorable\n"
        "        on: bool 2\n"
    )
    (message,) = read_folder(tmp_path / "schemas")
    assert message.module == "thing_value"
