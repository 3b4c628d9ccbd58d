"""``riverlog log dump`` on files made here, sound and damaged."""

from __future__ import annotations

import json
from pathlib import Path
from struct import pack
from typing import Any

import pytest

from riverlog.cli.app import run
from riverlog.metadata.records import encode_record
from riverlog.protocol.generated.leader_change_message import LeaderChangeMessage
from riverlog.protocol.generated.topic_record import TopicRecord
from riverlog.records import BatchBuilder, Codec, control_batch, control_record, end_txn_marker
from riverlog.storage.snapshots import encode_snapshot

NAME = "00000000000000000010"


def batch(base: int, count: int = 2, **options: Any) -> bytes:
    builder = BatchBuilder(base_offset=base, leader_epoch=1, **options)
    for number in range(count):
        builder.append(timestamp=1_700_000_000_000, key=b"k", value=b"value-%d" % (base + number))
    return builder.build()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "orders-0"
    path.mkdir()
    return path


def rows(
    path: Path, *options: str, capsys: pytest.CaptureFixture[str], code: int = 0
) -> list[dict[str, Any]]:
    assert run(["log", "dump", str(path), "--json", *options]) == code
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def kinds(found: list[dict[str, Any]]) -> list[str]:
    return [row["row"] for row in found]


def test_batches_of_a_log(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = batch(10)
    second = batch(12, compression=Codec.LZ4, producer_id=5, producer_epoch=1, base_sequence=3)
    file = folder / f"{NAME}.log"
    file.write_bytes(first + second)
    one, two = rows(file, capsys=capsys)
    assert (one["base_offset"], one["last_offset"], one["position"], one["valid"]) == (10, 11, 0, True)
    assert (two["position"], two["compression"], two["producer_id"]) == (len(first), "lz4", 5)
    assert (two["base_sequence"], two["last_sequence"]) == (3, 4)


def test_records_of_a_log(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / f"{NAME}.log").write_bytes(batch(10, compression=Codec.ZSTD))
    found = rows(folder, "--records", capsys=capsys)
    assert kinds(found) == ["batch", "record", "record"]
    assert (found[2]["offset"], found[2]["key"], found[2]["value"]) == (11, "k", "value-11")


def test_text_has_one_line_per_row(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    builder = BatchBuilder(base_offset=10)
    builder.append(timestamp=5, key=None, value=b"two\nlines \xe2\x82\xac")
    (folder / f"{NAME}.log").write_bytes(builder.build())
    assert run(["log", "dump", str(folder), "--records"]) == 0
    head, shown, record = capsys.readouterr().out.splitlines()
    assert head.endswith(f"{NAME}.log:")
    assert shown.startswith("  batch 10-10, records 1, position 0, size ")
    assert shown.endswith(" ok")
    assert 'value "two\\nlines \\u20ac"' in record


def test_damage_is_a_problem_and_exit_code_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = bytearray(batch(10) + batch(12))
    data[-1] ^= 1
    file = folder / f"{NAME}.log"
    file.write_bytes(data)
    found = rows(file, "--records", capsys=capsys, code=1)
    assert kinds(found) == ["batch", "record", "record", "batch", "problem"]
    assert found[-1]["base_offset"] == 12


def test_a_torn_end_and_offsets_that_go_back_are_problems(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / f"{NAME}.log"
    file.write_bytes(batch(10) + batch(11) + batch(14)[:-5])
    found = rows(file, capsys=capsys, code=1)
    assert kinds(found) == ["batch", "batch", "problem", "problem"]
    assert found[2]["problem"] == "offset 11 after 11"
    assert "5 bytes are missing" in found[3]["problem"]
    file.write_bytes(batch(10) + b"garbage" * 20)
    assert kinds(rows(file, capsys=capsys, code=1)) == ["batch", "problem"]
    assert run(["log", "dump", str(file)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "1 problem found"


def test_the_zeros_of_a_preallocated_file_are_its_end(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / f"{NAME}.log"
    file.write_bytes(batch(10) + bytes(500))
    assert kinds(rows(file, capsys=capsys)) == ["batch"]
    file.write_bytes(b"")
    assert rows(file, capsys=capsys) == []


def test_index_entries_are_checked_against_the_log(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = batch(10), batch(12)
    (folder / f"{NAME}.log").write_bytes(first + second)
    index = folder / f"{NAME}.index"
    index.write_bytes(pack(">ii", 3, len(first)) + bytes(80))
    (entry,) = rows(index, capsys=capsys)
    assert (entry["offset"], entry["position"]) == (13, len(first))
    index.write_bytes(pack(">ii", 2, len(first)))
    assert "ends at offset 13" in rows(index, capsys=capsys, code=1)[1]["problem"]
    index.write_bytes(pack(">ii", 3, len(first) + 1))
    assert "no batch at position" in rows(index, capsys=capsys, code=1)[1]["problem"]
    index.write_bytes(pack(">iiii", 3, len(first), 3, len(first)))
    assert "does not grow" in rows(index, capsys=capsys, code=1)[2]["problem"]


def test_time_index_entries(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = folder / f"{NAME}.timeindex"
    file.write_bytes(pack(">qiqi", 1000, 1, 2000, 3) + bytes(120))
    assert [(row["timestamp"], row["offset"]) for row in rows(file, capsys=capsys)] == [
        (1000, 11),
        (2000, 13),
    ]
    file.write_bytes(pack(">qiqi", 2000, 1, 1000, 3))
    assert kinds(rows(file, capsys=capsys, code=1)) == ["time", "time", "problem"]


def test_aborted_transactions_producers_and_epochs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / f"{NAME}.txnindex").write_bytes(pack(">hqqqq", 0, 7, 10, 20, 21))
    (folder / f"{NAME}.snapshot").write_bytes(encode_snapshot([(7, 1, 5, 20, 3, 1000, -1, -1)]))
    (folder / "leader-epoch-checkpoint").write_text("0\n1\n4 10\n")
    by_kind = {row["row"]: row for row in rows(folder, capsys=capsys)}
    aborted, producer = by_kind["aborted"], by_kind["producer"]
    assert (aborted["producer_id"], aborted["first_offset"], aborted["last_stable_offset"]) == (7, 10, 21)
    assert (producer["last_sequence"], producer["current_txn_first_offset"]) == (5, None)
    assert run(["log", "dump", str(folder / "leader-epoch-checkpoint")]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["  0", "  1", "  4 10"]


def test_a_damaged_snapshot_is_a_problem(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = bytearray(encode_snapshot([(7, 1, 5, 20, 3, 1000, -1, -1)]))
    data[-1] ^= 1
    file = folder / f"{NAME}.snapshot"
    file.write_bytes(data)
    assert kinds(rows(file, capsys=capsys, code=1)) == ["problem"]


def test_metadata_and_control_records_are_decoded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "__cluster_metadata-0"
    folder.mkdir()
    builder = BatchBuilder(base_offset=1)
    builder.append(timestamp=5, value=encode_record(TopicRecord(name="orders", topic_id=b"i" * 16)))
    builder.append(timestamp=5, value=b"\x01\xff\x7f\x00")
    marker = end_txn_marker(
        commit=True, producer_id=7, producer_epoch=0, coordinator_epoch=4, timestamp=5, base_offset=3
    )
    change = control_batch(
        [control_record(LeaderChangeMessage(version=0, leader_id=1))],
        base_offset=0,
        leader_epoch=1,
        timestamp=5,
    )
    (folder / f"{NAME}.log").write_bytes(change + builder.build() + marker)
    found = [row for row in rows(folder, "--metadata", capsys=capsys, code=1) if row["row"] != "batch"]
    assert found[0]["control"] == "LEADER_CHANGE"
    assert found[0]["message"]["leader_id"] == 1
    assert found[1]["type"] == "TopicRecord"
    assert found[1]["message"] == {"name": "orders", "topic_id": (b"i" * 16).hex()}
    assert found[2]["row"] == "problem"
    assert (found[3]["control"], found[3]["coordinator_epoch"]) == ("COMMIT", 4)
