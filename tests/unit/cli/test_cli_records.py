"""Lines in, records out: what ``produce`` reads and ``consume`` prints."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverlog.cli.consume import parse_start
from riverlog.cli.errors import BadOption, UserError
from riverlog.cli.lines import Line, line_parser, parse_json
from riverlog.cli.log_dump import moment
from riverlog.cli.render import Row, compile_format, renderer
from riverlog.records import Record

RECORD = Record(7, 1_700_000_000_000, b"k", b"v", [("a", b"1"), ("b", None)])


def shown(record: Record, **options: object) -> bytes:
    settings: dict[str, object] = {"as_json": False, "form": None, "keys": False, "headers": False} | options
    return renderer(**settings)(Row("t", 3, record))  # type: ignore[arg-type]


# ---------------------------------------------------------------- produce


def test_a_plain_line_is_a_value() -> None:
    parse = line_parser(as_json=False, key_separator=None)
    assert parse(b"a:b", 1) == Line(None, b"a:b")


def test_a_key_ends_at_the_first_separator() -> None:
    assert line_parser(as_json=False, key_separator="::")(b"k::v::w", 1) == Line(b"k", b"v::w")
    assert line_parser(as_json=False, key_separator=r"\t")(b"k\tv", 1) == Line(b"k", b"v")
    assert line_parser(as_json=False, key_separator="→")("k→v".encode(), 1) == Line(b"k", b"v")
    with pytest.raises(UserError, match="line 4 has no key separator"):
        line_parser(as_json=False, key_separator=":")(b"kv", 4)


def test_a_json_line_has_all_fields() -> None:
    line = b'{"key":"k","value":"v","headers":{"a":"1","b":null},"partition":2,"timestamp":5}'
    assert parse_json(line, 1) == Line(b"k", b"v", [("a", b"1"), ("b", None)], 2, 5)


def test_json_values_that_are_no_text_are_sent_as_json() -> None:
    assert parse_json(b'{"value": {"a": [1, true]}}', 1).value == b'{"a":[1,true]}'
    assert parse_json(b'{"value": 5}', 1).value == b"5"
    assert parse_json(b"{}", 1) == Line(None, None)


def test_headers_may_be_pairs_for_keys_that_come_twice() -> None:
    wanted = [("a", b"1"), ("a", b"2")]
    assert parse_json(b'{"headers": [["a","1"],["a","2"]]}', 1).headers == wanted
    assert parse_json(b'{"headers": [{"key":"a","value":"1"},{"key":"a","value":"2"}]}', 1).headers == wanted


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"nonsense",
        b"[1]",
        b"\xff",
        b'{"valu": 1}',
        b'{"partition": -1}',
        b'{"partition": "1"}',
        b'{"partition": true}',
        b'{"timestamp": 1.5}',
        b'{"timestamp": 9223372036854775808}',
        b'{"value_base64": "%%"}',
        b'{"value_base64": 5}',
        b'{"headers": 5}',
        b'{"headers": [5]}',
        b'{"headers": [["a"]]}',
        b'{"headers": [[1, "b"]]}',
        b"[" * 100_000,
    ],
)
def test_bad_json_names_its_line(line: bytes) -> None:
    with pytest.raises(UserError, match="line 12"):
        parse_json(line, 12)


optional = st.none() | st.binary(max_size=20)


@given(key=optional, value=optional, headers=st.lists(st.tuples(st.text(max_size=5), optional), max_size=3))
def test_what_consume_prints_as_json_produce_reads_back(
    key: bytes | None, value: bytes | None, headers: list[tuple[str, bytes | None]]
) -> None:
    printed = shown(Record(7, 99, key, value, headers), as_json=True)
    assert printed.count(b"\n") == 1
    assert parse_json(printed, 1) == Line(key, value, headers, 3, 99)


# ---------------------------------------------------------------- consume


def test_plain_keys_and_headers() -> None:
    assert shown(RECORD) == b"v\n"
    assert shown(RECORD, keys=True) == b"k\tv\n"
    assert shown(RECORD, keys=True, headers=True) == b"a=1,b=\tk\tv\n"
    assert shown(Record(0, 0, None, None)) == b"\n"


def test_json_is_one_object() -> None:
    row = json.loads(shown(RECORD, as_json=True))
    assert row == {
        "topic": "t",
        "partition": 3,
        "offset": 7,
        "timestamp": 1_700_000_000_000,
        "key": "k",
        "value": "v",
        "headers": [{"key": "a", "value": "1"}, {"key": "b", "value": None}],
    }


def test_formats_have_fields_and_escapes() -> None:
    assert shown(RECORD, form=r"%t-%p@%o %T %k=%s [%h] %K %S %%\t\\\n") == (
        b"t-3@7 1700000000000 k=v [a=1,b=] 1 1 %\t\\\n"
    )
    assert shown(Record(0, 0, None, b""), form="%K %S") == b"-1 0"
    for bad in ("%", "%x", "\\", r"\x"):
        with pytest.raises(BadOption):
            compile_format(bad)


def test_where_to_start() -> None:
    noon = int(datetime(2026, 5, 1, 12, tzinfo=UTC).timestamp() * 1000)
    assert parse_start("beginning") == ("beginning", 0)
    assert parse_start("end") == ("end", 0)
    assert parse_start("17") == ("offset", 17)
    assert parse_start("-10") == ("last", 10)
    assert parse_start("1700000000000ms") == ("time", 1_700_000_000_000)
    assert parse_start("2026-05-01T12:00:00Z") == ("time", noon)
    assert parse_start("2026-05-01T14:00:00+02:00") == ("time", noon)
    for bad in ("", "yesterday", "1.5", "--1", "12:00", "-", "ms"):
        with pytest.raises(BadOption, match="--from"):
            parse_start(bad)


def test_moments_are_dates_where_they_can_be() -> None:
    assert moment(1_700_000_000_123) == "2023-11-14T22:13:20.123Z"
    assert moment(-1) == "-1"
    assert moment(1 << 62) == str(1 << 62)
