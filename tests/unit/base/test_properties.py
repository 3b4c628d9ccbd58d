"""Java properties text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverlog.base.config_table import ConfigError
from riverlog.base.listeners import Endpoint, parse_listeners, parse_protocol_map
from riverlog.base.properties import PropertiesError, format_properties, parse_properties


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a=b", {"a": "b"}),
        ("a = b ", {"a": "b "}),
        ("a:b", {"a": "b"}),
        ("a b", {"a": "b"}),
        ("a\tb=c", {"a": "b=c"}),
        ("  a=b\r\n# no\n! no\n\nc=d", {"a": "b", "c": "d"}),
        ("a=b,\\\n   c", {"a": "b,c"}),
        ("a=b\\\\\nc=d", {"a": "b\\", "c": "d"}),
        ("a=1\na=2", {"a": "2"}),
        ("a", {"a": ""}),
        ("a\\=b=c", {"a=b": "c"}),
        ("a=\\u00e9\\t\\q", {"a": "é\tq"}),
        ("a=\\ud83d\\ude00", {"a": "😀"}),
        ("a=b\\", {"a": "b"}),
        ("#only\\\na=b", {"a": "b"}),
        ("a==b", {"a": "=b"}),
    ],
)
def test_text_is_read_as_java_reads_it(text: str, expected: dict[str, str]) -> None:
    assert parse_properties(text) == expected


def test_a_bad_unicode_escape_names_its_line() -> None:
    with pytest.raises(PropertiesError, match="line 2"):
        parse_properties("a=b\nc=\\u12")


_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@given(st.dictionaries(_TEXT, _TEXT, max_size=5))
def test_what_is_written_reads_back(values: dict[str, str]) -> None:
    assert parse_properties(format_properties(values, comment="x")) == values


def test_listeners() -> None:
    protocols = parse_protocol_map("PLAINTEXT:PLAINTEXT, internal:SASL_SSL")
    assert parse_listeners(["PLAINTEXT://:9092", "INTERNAL://[::1]:0"], protocols) == (
        Endpoint("PLAINTEXT", "", 9092, "PLAINTEXT"),
        Endpoint("INTERNAL", "::1", 0, "SASL_SSL"),
    )


@pytest.mark.parametrize(
    "items", [["x"], ["PLAINTEXT://:99999"], ["OTHER://:1"], ["PLAINTEXT://a:1", "PLAINTEXT://b:2"]]
)
def test_bad_listeners_are_refused(items: list[str]) -> None:
    with pytest.raises(ConfigError, match="listeners"):
        parse_listeners(items, {"PLAINTEXT": "PLAINTEXT"})


def test_a_port_is_used_once() -> None:
    with pytest.raises(ConfigError, match="used twice"):
        parse_listeners(["A://:1", "B://:1"], {"A": "SSL", "B": "SSL"})
    assert len(parse_listeners(["A://:0", "B://:0"], {"A": "SSL", "B": "SSL"})) == 2


def test_a_bad_protocol_map_is_refused() -> None:
    with pytest.raises(ConfigError, match="PROTOCOL"):
        parse_protocol_map("A:NOPE")
