"""Names, values and combinations of options: what is meant, what is refused and with which words."""

from __future__ import annotations

import pytest

from riverlog.pipeline import options as o
from riverlog.pipeline.errors import OptionError, PipelineError
from riverlog.pipeline.option_table import Options
from riverlog.pipeline.option_values import AtTime, AtTimes, Everywhere, OfGroup, PerPartition
from riverlog.pipeline.options import TABLE, Side, parse_options

BASE = {"kafka.bootstrap.servers": "localhost:9092", "subscribe": "orders"}


def stream(**given: str) -> Options:
    return parse_options(
        {**BASE, **{key.replace("_", "."): text for key, text in given.items()}}, Side.STREAM_READ
    )


def batch(**given: str) -> Options:
    return parse_options(
        {**BASE, **{key.replace("_", "."): text for key, text in given.items()}}, Side.BATCH_READ
    )


def refused(raw: dict[str, str], side: Side = Side.STREAM_READ) -> str:
    with pytest.raises(OptionError) as caught:
        parse_options(raw, side)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_defaults_are_those_of_spark_but_for_the_isolation_level() -> None:
    options = stream()
    assert o.starting_limit(options) == Everywhere(-1)
    assert o.starting_limit(batch()) == Everywhere(-2)
    assert o.ending_limit(batch()) == Everywhere(-1)
    assert options[o.FAIL_ON_DATA_LOSS] is True
    assert options[o.INCLUDE_HEADERS] is False
    assert options[o.MAX_TRIGGER_DELAY_MS] == 15 * 60_000
    assert options[o.OFFSET_RETRIES] == 3
    assert options[o.POLL_TIMEOUT_MS] == 120_000
    assert options[o.ISOLATION_LEVEL] == "read_committed"


def test_names_are_case_insensitive() -> None:
    options = parse_options(
        {"KAFKA.BOOTSTRAP.SERVERS": "h:1", "Subscribe": "a", "FAILONDATALOSS": "False"}, Side.STREAM_READ
    )
    assert options[o.BOOTSTRAP] == "h:1"
    assert options[o.FAIL_ON_DATA_LOSS] is False


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("subscibe", "subscribe"),
        ("startingOffset", "startingOffsets"),
        ("maxOffsetPerTrigger", "maxOffsetsPerTrigger"),
        ("kafka.bootstrap.server", "kafka.bootstrap.servers"),
        ("bootstrap.servers", "kafka.bootstrap.servers"),
        ("isolation.level", "kafka.isolation.level"),
        ("session.timeout.ms", "kafka.session.timeout.ms"),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest_right_one(wrong: str, right: str) -> None:
    assert refused({**BASE, wrong: "1"}).endswith(f"unknown option {wrong}; did you mean {right}?")


def test_a_name_near_to_nothing_is_answered_with_all() -> None:
    text = refused({**BASE, "xyzzy": "1"})
    assert "known for streaming reads: assign, " in text
    assert "endingOffsets" not in text


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("failOnDataLoss", "maybe", "true or false"),
        ("includeHeaders", "1", "true or false"),
        ("maxOffsetsPerTrigger", "0", "at least 1"),
        ("maxOffsetsPerTrigger", "many", "whole number"),
        ("minOffsetsPerTrigger", "-1", "at least 1"),
        ("minPartitions", "0", "between 1 and 100000"),
        ("maxTasks", "0", "at least 1"),
        ("maxRecordsPerPartition", "x", "whole number"),
        ("maxTriggerDelay", "soon", "a duration like 15m"),
        ("maxBytesPerTrigger", "-1", "a number of bytes like 64m"),
        ("fetchMemoryBytes", "0", "a number of bytes"),
        ("decompressedBytes", "lots", "a number of bytes"),
        ("startingOffsets", "first", "earliest, latest, group"),
        ("startingOffsets", "group:", "group:NAME"),
        ("startingOffsets", '{"t":{"0":-3}}', "-2 for earliest"),
        ("startingOffsets", '{"t":{"x":1}}', "'x' of 't' is not a partition number"),
        ("startingOffsets", '{"t":{"0":1},"t":{"0":2}}', "a name is there twice"),
        ("startingOffsets", '{"t":', "this is no JSON"),
        ("startingOffsets", "{}", "no partition is named"),
        ("startingOffsetsByTimestamp", '{"t":{"0":-1}}', "JSON like"),
        ("startingOffsetsByTimestampStrategy", "earliest", "error, latest"),
        ("startingOffsetsByGroupStrategy", "never", "error, earliest, latest"),
        ("startingTimestamp", "yesterday", "whole number"),
        ("kafkaConsumer.pollTimeoutMs", "0", "at least 1"),
        ("fetchOffset.numRetries", "0", "at least 1"),
        ("fetchOffset.retryIntervalMs", "-1", "at least 0"),
        ("kafka.bootstrap.servers", "nowhere:port", "HOST:PORT"),
        ("kafka.isolation.level", "serializable", "read_committed, read_uncommitted"),
        ("kafka.security.protocol", "SASL_SSL", "PLAINTEXT"),
        ("kafka.max.partition.fetch.bytes", "0", "at least 1"),
        ("kafka.fetch.max.bytes", "0", "at least 1"),
        ("kafka.fetch.max.wait.ms", "-5", "at least 0"),
        ("kafka.request.timeout.ms", "0", "at least 1"),
        ("kafka.default.api.timeout.ms", "0", "at least 1"),
        ("kafka.socket.connection.setup.timeout.ms", "0", "at least 1"),
        ("kafka.group.id", "", "not be empty"),
        ("commitGroup", "", "not be empty"),
        ("subscribe", " , ", "topic names"),
    ],
)
def test_a_wrong_value_is_refused_with_name_value_and_what_is_allowed(
    name: str, value: str, allowed: str
) -> None:
    text = refused({**BASE, name: value})
    assert f"option {name}={value}" in text
    assert allowed in text


@pytest.mark.parametrize("value", ["", "  ", "(", r"a(?=b)", r"(a)\1"])
def test_a_pattern_that_re2_does_not_know_is_refused(value: str) -> None:
    raw = {"kafka.bootstrap.servers": "h:1", "subscribePattern": value}
    assert "must be a regular expression" in refused(raw)


@pytest.mark.parametrize("value", ["orders", '{"t":[1,-1]}', '{"t":["0"]}', '{"t":0}', "[]", '{"t":[]}'])
def test_an_assignment_that_is_none_is_refused(value: str) -> None:
    assert 'JSON like {"topicA":[0,1]' in refused({"kafka.bootstrap.servers": "h:1", "assign": value})


def test_values_are_understood_as_in_spark() -> None:
    options = stream(
        subscribe=" a , b,a ",
        maxTriggerDelay="30 s",
        maxBytesPerTrigger="64m",
        fetchMemoryBytes="1048576",
        startingOffsets='{"a":{"0":23,"1":-1},"b":{"0":-2}}',
        kafka_client_id="me",
    )
    assert options[o.SUBSCRIBE] == ("a", "b")
    assert options[o.MAX_TRIGGER_DELAY_MS] == 30_000
    assert options[o.MAX_BYTES_PER_TRIGGER] == 64 << 20
    assert options[o.FETCH_MEMORY_BYTES] == 1 << 20
    assert o.starting_limit(options) == PerPartition({("a", 0): 23, ("a", 1): -1, ("b", 0): -2})
    assert options[o.CLIENT_ID] == "me"


def test_exactly_one_option_says_what_to_read() -> None:
    servers = {"kafka.bootstrap.servers": "h:1"}
    assert "none is given" in refused(servers)
    assert "subscribe and assign are given" in refused({**BASE, "assign": '{"t":[0]}'})


def test_the_cluster_must_be_named() -> None:
    assert "kafka.bootstrap.servers is missing" in refused({"subscribe": "t"})


def test_time_goes_before_time_per_partition_before_offsets() -> None:
    offsets = '{"orders":{"0":5}}'
    options = stream(startingOffsets=offsets, startingOffsetsByTimestamp='{"orders":{"0":7}}')
    assert o.starting_limit(options) == AtTimes({("orders", 0): 7})
    options = stream(startingOffsets=offsets, startingTimestamp="9")
    assert o.starting_limit(options) == AtTime(9)
    ends = batch(endingOffsets=offsets, endingOffsetsByTimestamp='{"orders":{"0":7}}')
    assert o.ending_limit(ends) == AtTimes({("orders", 0): 7})
    assert o.ending_limit(batch(endingOffsets=offsets, endingTimestamp="9")) == AtTime(9)


def test_the_group_to_start_at_is_named_there_or_by_another_option() -> None:
    assert o.starting_limit(stream(startingOffsets="group:g")) == OfGroup("g")
    assert o.starting_limit(stream(startingOffsets="group", commitGroup="g")) == OfGroup("g")
    assert o.starting_limit(stream(startingOffsets="group", kafka_group_id="h")) == OfGroup("h")
    assert "needs a name" in refused({**BASE, "startingOffsets": "group"})


@pytest.mark.parametrize("name", ["endingOffsets", "endingOffsetsByTimestamp", "endingTimestamp"])
def test_a_stream_has_no_end(name: str) -> None:
    assert f"option {name} is for batch reads" in refused({**BASE, name: "latest"})


def test_a_batch_does_not_start_at_latest() -> None:
    assert "startingOffsets=latest" in refused({**BASE, "startingOffsets": "latest"}, Side.BATCH_READ)
    minus = {**BASE, "startingOffsets": '{"orders":{"0":-1}}'}
    assert "orders-0 is -1" in refused(minus, Side.BATCH_READ)


def test_a_batch_does_not_end_at_earliest() -> None:
    assert "nothing ends at the earliest" in refused({**BASE, "endingOffsets": "earliest"}, Side.BATCH_READ)
    minus = {**BASE, "endingOffsets": '{"orders":{"0":-2}}'}
    assert "endingOffsets" in refused(minus, Side.BATCH_READ)


@pytest.mark.parametrize(
    "name",
    ["maxOffsetsPerTrigger", "minOffsetsPerTrigger", "maxTriggerDelay", "maxBytesPerTrigger", "commitGroup"],
)
def test_options_of_triggers_have_no_effect_on_batches(name: str, caplog: pytest.LogCaptureFixture) -> None:
    options = parse_options({**BASE, name: "1"}, Side.BATCH_READ)
    assert name not in options._values
    assert f"option {name} has no effect on batch reads" in caplog.text


def test_bounds_do_not_cross() -> None:
    assert "minOffsetsPerTrigger=9" in refused(
        {**BASE, "minOffsetsPerTrigger": "9", "maxOffsetsPerTrigger": "8"}
    )
    assert "minPartitions=9" in refused({**BASE, "minPartitions": "9", "maxTasks": "8"})


@pytest.mark.parametrize(
    "name",
    [
        "kafka.auto.offset.reset",
        "kafka.enable.auto.commit",
        "kafka.key.deserializer",
        "kafka.value.deserializer",
        "kafka.interceptor.classes",
        "kafka.sasl.jaas.config",
        "kafka.ssl.truststore.location",
        "path",
    ],
)
def test_what_would_be_misunderstood_is_refused(name: str) -> None:
    assert f"option {name} is not supported: " in refused({**BASE, name: "x"})


@pytest.mark.parametrize(
    "name", ["groupIdPrefix", "kafka.check.crcs", "kafka.session.timeout.ms", "kafka.max.poll.records"]
)
def test_settings_of_kafkas_client_may_stay(name: str) -> None:
    parse_options({**BASE, name: "true"}, Side.STREAM_READ)


def test_an_option_error_is_a_value_error_of_one_line() -> None:
    error = OptionError("a\n  b")
    assert isinstance(error, PipelineError)
    assert isinstance(error, ValueError)
    assert str(error) == "a b"


def test_every_option_has_words_for_the_docs() -> None:
    for row in TABLE.rows.values():
        assert row.doc.endswith("."), row.name
        assert row.type.allowed, row.name
