"""Plans of ``riverlog reassign``: Kafka's JSON in and out, mistakes in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from riverlog.cli.errors import UserError
from riverlog.cli.reassign import plan_json, read_plan


def test_plans_are_in_kafkas_form_both_ways(tmp_path: Path) -> None:
    moves = {("orders", 0): [1, 2], ("orders", 1): [2, 3]}
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(plan_json(moves)))
    assert json.loads(path.read_text()) == {
        "version": 1,
        "partitions": [
            {"topic": "orders", "partition": 0, "replicas": [1, 2]},
            {"topic": "orders", "partition": 1, "replicas": [2, 3]},
        ],
    }
    assert read_plan(path) == moves


def test_plans_of_kafkas_tool_may_name_folders(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    row = {"topic": "t", "partition": 0, "replicas": [1], "log_dirs": ["any"]}
    path.write_text(json.dumps({"version": 1, "partitions": [row]}))
    assert read_plan(path) == {("t", 0): [1]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "is not a plan"),
        ("[]", "is not a plan"),
        ('{"partitions": [{"topic": "t"}]}', "is not a plan"),
        ('{"partitions": [{"topic": "t", "partition": 0, "replicas": null}]}', "is not a plan"),
        ('{"partitions": []}', "moves nothing"),
    ],
)
def test_what_is_no_plan_is_told(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "plan.json"
    path.write_text(text)
    with pytest.raises(UserError, match=expected):
        read_plan(path)


def test_a_partition_named_twice_is_told(tmp_path: Path) -> None:
    row = {"topic": "t", "partition": 0, "replicas": [1]}
    path = tmp_path / "plan.json"
    path.write_text(json.dumps({"partitions": [row, row]}))
    with pytest.raises(UserError, match="named twice"):
        read_plan(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="No such file"):
        read_plan(tmp_path / "none.json")
