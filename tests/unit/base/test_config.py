"""The config table and its layers."""

from __future__ import annotations

import pytest

from riverlog.base import broker_configs as broker
from riverlog.base import broker_configs_log as log
from riverlog.base import topic_configs as topic
from riverlog.base.config import (
    BROKER_CONFIGS,
    TOPIC_CONFIGS,
    BrokerConfig,
    ConfigError,
    ConfigSource,
    TypeCode,
    validate_dynamic_broker_configs,
    validate_topic_configs,
)
from riverlog.base.config_types import Double, Int, List, Long, Nullable, Str, format_double


def test_every_default_is_allowed_by_its_own_type_and_reads_back() -> None:
    for table in (TOPIC_CONFIGS, BROKER_CONFIGS):
        for row in table.values():
            text = row.default_text
            if text is None:
                assert isinstance(row.type, Nullable), row
                assert row.default is None, row
            else:
                assert row.parse(text) == row.default, row
            assert row.doc, row
            assert row.type.allowed, row


def test_every_broker_synonym_exists_and_agrees_on_the_default() -> None:
    config = BrokerConfig()
    for row in TOPIC_CONFIGS.values():
        assert config.topic_default(row) == row.default, row
        for synonym in row.synonyms:
            assert synonym.name in BROKER_CONFIGS


def test_kafka_defaults() -> None:
    config = BrokerConfig()
    assert config[broker.SOCKET_REQUEST_MAX_BYTES] == 104_857_600
    assert config[broker.FETCH_MAX_BYTES] == 55 * 1024 * 1024
    assert config[broker.LISTENERS] == ("PLAINTEXT://:9092",)
    topic_config = config.topic()
    assert topic_config[topic.RETENTION_MS] == 604_800_000
    assert topic_config[topic.MAX_MESSAGE_BYTES] == 1_048_588
    assert topic_config[topic.ACK_AFTER_FSYNC] is True
    assert topic_config.segment_bytes == 1 << 30


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("segment.bytes", "x"),
        ("segment.bytes", ""),
        ("segment.bytes", "100"),
        ("segment.bytes", "2147483648"),
        ("segment.bytes", "1e7"),
        ("segment.bytes", "٣٣٣٣٣٣٣٣"),
        ("segment.ms", "99999999999999999999"),
        ("segment.ms", "9" * 5000),
        ("retention.ms", "-2"),
        ("max.message.bytes", "-1"),
        ("cleanup.policy", "foo"),
        ("cleanup.policy", "delete,,compact"),
        ("compression.type", "foo"),
        ("compression.gzip.level", "0"),
        ("compression.gzip.level", "10"),
        ("compression.lz4.level", "99"),
        ("preallocate", "yes"),
        ("min.cleanable.dirty.ratio", "1.5"),
        ("min.cleanable.dirty.ratio", "abc"),
        ("message.timestamp.type", "x"),
        ("leader.replication.throttled.replicas", "a"),
        ("local.retention.ms", "-3"),
        ("foo.bar", "1"),
    ],
)
def test_bad_topic_values_are_refused_in_one_line_with_name_and_value(name: str, value: str) -> None:
    with pytest.raises(ConfigError) as caught:
        validate_topic_configs({name: value})
    message = str(caught.value)
    assert name in message
    assert value[:100] in message
    assert "\n" not in message
    assert len(message) < 500


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("segment.bytes", " 2097152 ", "2097152"),
        ("segment.bytes", "+2097152", "2097152"),
        ("cleanup.policy", " compact , delete ", "compact,delete"),
        ("cleanup.policy", "delete,delete", "delete"),
        ("cleanup.policy", "", ""),
        ("preallocate", " TRUE ", "true"),
        ("compression.gzip.level", "-1", "-1"),
        ("internal.segment.bytes", "100", "100"),
        ("message.timestamp.type", "LogAppendTime", "LogAppendTime"),
    ],
)
def test_good_topic_values_are_shown_in_their_plain_form(name: str, value: str, shown: str) -> None:
    validate_topic_configs({name: value})
    (entry,) = BrokerConfig().topic({name: value}).describe([name])
    assert (entry.value, entry.source) == (shown, ConfigSource.TOPIC_CONFIG)


def test_topic_settings_we_do_not_act_on_take_only_their_default() -> None:
    validate_topic_configs({"remote.storage.enable": "false"})
    with pytest.raises(ConfigError, match="not supported yet"):
        validate_topic_configs({"remote.storage.enable": "true"})
    # A folder written by Kafka may hold it: other settings can still change.
    validate_topic_configs({"remote.storage.enable": "true", "retention.ms": "1"}, changed=["retention.ms"])


def test_compaction_lags_must_not_cross() -> None:
    with pytest.raises(ConfigError, match=r"max\.compaction\.lag\.ms"):
        validate_topic_configs({"min.compaction.lag.ms": "10", "max.compaction.lag.ms": "5"}, changed=[])


def test_internal_topics_are_always_synced() -> None:
    with pytest.raises(ConfigError, match="internal"):
        validate_topic_configs({"ack.after.fsync": "false"}, internal=True)
    config = BrokerConfig()
    config.set_dynamic(broker={}, default={"ack.after.fsync": "false"})
    assert config.topic()[topic.ACK_AFTER_FSYNC] is False
    assert config.topic(internal=True)[topic.ACK_AFTER_FSYNC] is True


def test_ack_after_fsync_is_never_set_per_broker() -> None:
    with pytest.raises(ConfigError, match="cluster"):
        BrokerConfig({"ack.after.fsync": "false"})
    with pytest.raises(ConfigError, match="brokers must not differ"):
        validate_dynamic_broker_configs({"ack.after.fsync": "false"}, per_broker=True)
    validate_dynamic_broker_configs({"ack.after.fsync": "false"}, per_broker=False)


def test_static_values_unknown_and_unused_names_are_told_apart() -> None:
    config = BrokerConfig({"zookeeper.connect": "x:1", "num.io.threads": "4", "num.network.threads": "3"})
    assert config.unknown == ["zookeeper.connect"]
    assert config.not_honoured == ["num.io.threads"]
    assert len(config.warnings()) == 2
    assert BrokerConfig().warnings() == []
    with pytest.raises(ConfigError, match=r"num\.partitions"):
        BrokerConfig({"num.partitions": "0"})


def test_a_password_is_never_shown() -> None:
    config = BrokerConfig({"ssl.key.password": "secret", "no.such.name": "secret"})
    for entry in config.describe_broker(["ssl.key.password", "no.such.name"]):
        assert entry.sensitive
        assert entry.value is None
        assert all(synonym.value is None for synonym in entry.synonyms)


@pytest.mark.parametrize(
    ("static", "expected"),
    [
        ({}, 168 * 3_600_000),
        ({"log.retention.hours": "1"}, 3_600_000),
        ({"log.retention.hours": "1", "log.retention.minutes": "2"}, 120_000),
        ({"log.retention.hours": "1", "log.retention.minutes": "2", "log.retention.ms": "3"}, 3),
        ({"log.retention.hours": "-1"}, -1),
    ],
)
def test_the_finest_unit_of_retention_wins(static: dict[str, str], expected: int) -> None:
    assert BrokerConfig(static).topic()[topic.RETENTION_MS] == expected


def test_layers_of_a_topic_setting_strongest_first() -> None:
    config = BrokerConfig({"log.segment.bytes": "2000000"})
    config.set_dynamic(broker={"log.segment.bytes": "4000000"}, default={"log.segment.bytes": "3000000"})
    (entry,) = config.topic({"segment.bytes": "5000000"}).describe(["segment.bytes"])
    assert [(s.name, s.value, s.source) for s in entry.synonyms] == [
        ("segment.bytes", "5000000", ConfigSource.TOPIC_CONFIG),
        ("log.segment.bytes", "4000000", ConfigSource.DYNAMIC_BROKER_CONFIG),
        ("log.segment.bytes", "3000000", ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG),
        ("log.segment.bytes", "2000000", ConfigSource.STATIC_BROKER_CONFIG),
        ("log.segment.bytes", "1073741824", ConfigSource.DEFAULT_CONFIG),
    ]
    assert entry.type is TypeCode.INT
    assert config.topic()[topic.SEGMENT_BYTES] == 4_000_000
    config.set_dynamic(broker={}, default={"log.segment.bytes": "3000000"})
    assert config.topic()[topic.SEGMENT_BYTES] == 3_000_000
    config.set_dynamic(broker={}, default={})
    assert config.topic()[topic.SEGMENT_BYTES] == 2_000_000


def test_retention_has_no_synonyms_unless_its_first_name_is_set() -> None:
    (entry,) = BrokerConfig().topic().describe(["retention.ms"])
    assert (entry.value, entry.source, entry.synonyms) == ("604800000", ConfigSource.DEFAULT_CONFIG, [])
    config = BrokerConfig({"log.retention.ms": "5", "log.retention.hours": "1"})
    (entry,) = config.topic().describe(["retention.ms"])
    assert [s.name for s in entry.synonyms] == [
        "log.retention.ms",
        "log.retention.hours",
        "log.retention.hours",
    ]


def test_a_bad_dynamic_value_in_the_log_is_left_out_and_answered() -> None:
    config = BrokerConfig()
    (error,) = config.set_dynamic(broker={"log.segment.bytes": "no"}, default={})
    assert error.name == "log.segment.bytes"
    assert config[log.LOG_SEGMENT_BYTES] == 1 << 30


def test_dynamic_broker_settings_are_checked() -> None:
    validate_dynamic_broker_configs({"max.connections": "5", "what.is.this": "1"}, per_broker=True)
    with pytest.raises(ConfigError, match="while the broker runs"):
        validate_dynamic_broker_configs({"node.id": "5"}, per_broker=True)
    with pytest.raises(ConfigError, match="at least 0"):
        validate_dynamic_broker_configs({"max.connections": "-5"}, per_broker=False)
    with pytest.raises(ConfigError, match="needs a broker id"):
        validate_dynamic_broker_configs({"cordoned.log.dirs": ""}, per_broker=False)


def test_describe_default_shows_only_the_clusters_defaults() -> None:
    config = BrokerConfig({"max.connections": "1"})
    config.set_dynamic(broker={"max.connections": "2"}, default={"max.connections": "3"})
    (entry,) = config.describe_default()
    assert (entry.name, entry.value, entry.source) == (
        "max.connections",
        "3",
        ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG,
    )
    assert config[broker.MAX_CONNECTIONS] == 2


def test_internal_settings_are_described_only_where_set() -> None:
    assert not BrokerConfig().describe_broker(["log.initial.task.delay.ms"])
    assert BrokerConfig({"log.initial.task.delay.ms": "1"}).describe_broker(["log.initial.task.delay.ms"])
    assert not BrokerConfig().topic().describe(["internal.segment.bytes"])


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1.7976931348623157e308, "1.7976931348623157E308"),
        (0.5, "0.5"),
        (1.0, "1.0"),
        (0.0, "0.0"),
        (1e7, "1.0E7"),
        (12345678.9, "1.23456789E7"),
        (1e-5, "1.0E-5"),
        (0.00012, "1.2E-4"),
        (0.001, "0.001"),
        (100.0, "100.0"),
        (-12.5, "-12.5"),
    ],
)
def test_doubles_print_as_java_prints_them(value: float, shown: str) -> None:
    assert format_double(value) == shown
    assert Double().parse(shown) == value


def test_types_say_what_they_allow() -> None:
    assert Int(low=1, high=9, also=-1).allowed == "between 1 and 9, or -1"
    assert Long(low=3).allowed == "at least 3"
    assert Str("a", "b").allowed == "one of a, b"
    assert List("a").allowed == "a list of a"
    assert "not set" in Nullable(Int()).allowed
