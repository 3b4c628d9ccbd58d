"""Kafka's own tools around groups, offsets and quotas: unchanged, in one JVM."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from clientkit import rdkafka
from clientkit.java import JavaTools, ToolResult
from clientkit.samples import START_MS, samples

Tool = Callable[..., ToolResult]
TOOLS = "org.apache.kafka.tools."
GROUPS = "consumer.group.ConsumerGroupCommand"
CONFIGS = "kafka.admin.ConfigCommand"


@pytest.fixture
def tool(java_tools: JavaTools, bootstrap: str) -> Tool:
    """Run a tool against the broker; it must end with 0 unless another code is named."""

    def run(name: str, *arguments: str, code: int = 0) -> ToolResult:
        full = name if name.startswith("kafka.") else TOOLS + name
        result = java_tools.run(full, "--bootstrap-server", bootstrap, *arguments)
        assert result.code == code, f"exit {result.code}\n{result.out}\n{result.err}"
        return result

    return run


@pytest.fixture
def filled(bootstrap: str, topic: str) -> str:
    """Three partitions: 50 records a second apart in 0, 20 in 1, none in 2."""
    rdkafka.create_topic(bootstrap, topic, partitions=3)
    rdkafka.send(rdkafka.producer(bootstrap), topic, samples(50), partition=0)
    rdkafka.send(rdkafka.producer(bootstrap), topic, samples(20), partition=1)
    return topic


def table(text: str) -> list[dict[str, str]]:
    """The rows below a line of headings."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    return [dict(zip(lines[0], row, strict=False)) for row in lines[1:]]


def consume(tool: Tool, topic: str, group: str, count: int, protocol: str = "classic") -> None:
    place = ["--topic", topic, "--group", group, "--from-beginning", "--max-messages", str(count)]
    settings = ["--command-property", f"group.protocol={protocol}"]
    result = tool("consumer.ConsoleConsumer", *place, *settings, "--timeout-ms", "20000")
    assert f"Processed a total of {count} messages" in result.err


def offsets(tool: Tool, group: str) -> dict[int, str]:
    rows = table(tool(GROUPS, "--describe", "--group", group).out)
    return {int(row["PARTITION"]): row["CURRENT-OFFSET"] for row in rows}


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_consumer_groups_describes_and_lists_an_empty_group(tool: Tool, filled: str, protocol: str) -> None:
    group = f"{filled}-group"
    consume(tool, filled, group, 70, protocol)
    described = tool(GROUPS, "--describe", "--group", group)
    assert f"Consumer group '{group}' has no active members." in described.err
    assert [
        (row["TOPIC"], row["PARTITION"], row["CURRENT-OFFSET"], row["LOG-END-OFFSET"], row["LAG"])
        for row in table(described.out)
    ] == [(filled, "0", "50", "50", "0"), (filled, "1", "20", "20", "0"), (filled, "2", "0", "0", "0")]
    assert {row["CONSUMER-ID"] for row in table(described.out)} == {"-"}
    state = tool(GROUPS, "--describe", "--group", group, "--state").out
    assert re.search(rf"{group}\s+127\.0\.0\.1:\d+\s+\(1\)\s+\S+\s+Empty\s+0", state)
    assert group in tool(GROUPS, "--list").out.splitlines()
    assert re.search(rf"^{group}\s+Empty\s*$", tool(GROUPS, "--list", "--state").out, re.MULTILINE)
    assert group not in tool(GROUPS, "--list", "--state", "stable").out
    types = tool(GROUPS, "--list", "--type").out
    assert re.search(rf"^{group}\s+{protocol}\s*$", types, re.MULTILINE | re.IGNORECASE)


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_consumer_groups_shows_members_while_they_run(
    tool: Tool, bootstrap: str, filled: str, protocol: str
) -> None:
    group = f"{filled}-group"
    extra = {} if protocol == "consumer" else {"session_timeout_ms": 6000}
    member = rdkafka.consumer(
        bootstrap,
        group_id=group,
        group_protocol=protocol,
        auto_offset_reset="earliest",
        client_id="watched",
        **extra,
    )
    try:
        member.subscribe([filled])
        rdkafka.wait_for(lambda: member.poll(0.1) is not None)
        (row,) = table(tool(GROUPS, "--describe", "--group", group, "--members").out)
        assert (row["GROUP"], row["CLIENT-ID"], row["#PARTITIONS"]) == (group, "watched", "3")
        assert row["HOST"] == "/127.0.0.1"
        verbose = tool(GROUPS, "--describe", "--group", group, "--members", "--verbose").out
        assert re.search(rf"{filled}:0,1,2|{filled}\(0,1,2\)", verbose)
        state = tool(GROUPS, "--describe", "--group", group, "--state").out
        assert re.search(rf"{group}\s+127\.0\.0\.1:\d+\s+\(1\)\s+(range|uniform)\s+Stable\s+1", state)
        rows = table(tool(GROUPS, "--describe", "--group", group).out)
        assert {row["CONSUMER-ID"] for row in rows} != {"-"}
        busy = tool(GROUPS, "--reset-offsets", "--group", group, "--all-topics", "--to-latest", "--execute")
        assert "Assignments can only be reset if the group" in busy.out + busy.err
        not_empty = tool(GROUPS, "--delete", "--group", group).out
        assert "GroupNotEmptyException" in not_empty
    finally:
        member.close()


def moment(second: float) -> str:
    """A record's time in the form the tool takes."""
    at = datetime.fromtimestamp(START_MS / 1000, UTC) + timedelta(seconds=second)
    return at.strftime("%Y-%m-%dT%H:%M:%S.000+00:00")


RESETS: list[tuple[list[str], dict[int, str]]] = [
    (["--to-earliest"], {0: "0", 1: "0", 2: "0"}),
    (["--to-latest"], {0: "50", 1: "20", 2: "0"}),
    (["--to-current"], {0: "50", 1: "20", 2: "0"}),
    (["--shift-by", "-15"], {0: "35", 1: "5", 2: "0"}),
    (["--shift-by", "-30"], {0: "20", 1: "0", 2: "0"}),  # cut at the beginning
    (["--to-offset", "30"], {0: "30", 1: "20", 2: "0"}),  # cut at the end
    (["--to-datetime", moment(12)], {0: "12", 1: "12", 2: "0"}),
    (["--to-datetime", moment(30)], {0: "30", 1: "20", 2: "0"}),  # past the last: the end
    (["--by-duration", "P1D"], {0: "0", 1: "0", 2: "0"}),
]


def test_consumer_groups_resets_offsets_in_every_form(tool: Tool, filled: str, tmp_path: Path) -> None:
    group = f"{filled}-group"
    consume(tool, filled, group, 70)
    scope = ["--reset-offsets", "--group", group]
    before = offsets(tool, group)
    for form, wanted in RESETS:
        shown = tool(GROUPS, *scope, "--topic", filled, *form, "--dry-run").out
        rows = table(shown[shown.index("GROUP") :])
        assert {int(row["PARTITION"]): row["NEW-OFFSET"] for row in rows} == wanted, form
    assert offsets(tool, group) == before  # a dry run changes nothing
    tool(GROUPS, *scope, "--topic", f"{filled}:0", "--to-offset", "7", "--execute")
    assert offsets(tool, group) == {0: "7", 1: "20", 2: "0"}
    exported = tool(GROUPS, *scope, "--all-topics", "--to-current", "--export", "--dry-run").out
    assert sorted(exported.replace('"', "").split()) == [f"{filled},0,7", f"{filled},1,20", f"{filled},2,0"]
    plan = tmp_path / "plan.csv"
    plan.write_text(f"{filled},0,3\n{filled},1,4\n")
    tool(GROUPS, *scope, "--from-file", str(plan), "--execute")
    assert offsets(tool, group) == {0: "3", 1: "4", 2: "0"}
    assert [row["LAG"] for row in table(tool(GROUPS, "--describe", "--group", group).out)] == [
        "47",
        "16",
        "0",
    ]


def test_consumer_groups_resets_a_group_that_never_was(tool: Tool, filled: str) -> None:
    group = f"{filled}-fresh"
    tool(GROUPS, "--reset-offsets", "--group", group, "--topic", filled, "--to-latest", "--execute")
    assert offsets(tool, group) == {0: "50", 1: "20", 2: "0"}


def test_consumer_groups_deletes_offsets_and_groups(tool: Tool, filled: str) -> None:
    group = f"{filled}-group"
    consume(tool, filled, group, 70)
    removed = tool(GROUPS, "--delete-offsets", "--group", group, "--topic", f"{filled}:1").out
    assert re.search(rf"{filled}\s+1\s+Successful", removed)
    assert set(offsets(tool, group)) == {0, 2}
    done = tool(GROUPS, "--delete", "--group", group).out
    assert f"Deletion of requested consumer groups ('{group}') was successful." in done
    assert group not in tool(GROUPS, "--list").out.splitlines()
    for again in (["--delete", "--group", group], ["--describe", "--group", group]):
        assert "GroupIdNotFoundException" in tool(GROUPS, *again).out


def events(result: ToolResult) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.ok().out.splitlines() if line.startswith("{")]


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_verifiable_producer_and_consumer(
    java_tools: JavaTools, tool: Tool, bootstrap: str, topic: str, protocol: str
) -> None:
    rdkafka.create_topic(bootstrap, topic, partitions=3)
    run = ["--bootstrap-server", bootstrap, "--topic", topic, "--max-messages", "300", "--throughput", "-1"]
    produced = events(java_tools.run_alone(TOOLS + "VerifiableProducer", *run, "--repeating-keys", "7"))
    sent = [event for event in produced if event["name"] == "producer_send_success"]
    assert sorted(int(event["value"]) for event in sent) == list(range(300))
    assert produced[-1]["name"] == "tool_data"
    assert (produced[-1]["sent"], produced[-1]["acked"]) == (300, 300)
    asked = ["--topic", topic, "--group-id", f"{topic}-group", "--max-messages", "300"]
    settings = ["--reset-policy", "earliest", "--group-protocol", protocol]
    seen = events(tool("VerifiableConsumer", *asked, *settings))
    names = [event["name"] for event in seen]
    assert names[0] == "startup_complete"
    assert names[-1] == "shutdown_complete"
    assigned = next(event for event in seen if event["name"] == "partitions_assigned")
    assert sorted(row["partition"] for row in assigned["partitions"]) == [0, 1, 2]
    assert sum(event["count"] for event in seen if event["name"] == "records_consumed") == 300
    assert all(event["success"] for event in seen if event["name"] == "offsets_committed")
    committed = offsets(tool, f"{topic}-group")
    assert sum(int(offset) for offset in committed.values() if offset != "-") == 300


def test_performance_tools_move_every_record(tool: Tool, bootstrap: str, topic: str) -> None:
    rdkafka.create_topic(bootstrap, topic, partitions=2)
    run = ["--topic", topic, "--num-records", "20000", "--record-size", "100", "--throughput", "-1"]
    assert re.search(
        r"^20000 records sent, [\d.]+ records/sec", tool("ProducerPerformance", *run).out, re.MULTILINE
    )
    run = ["--topic", topic, "--num-records", "20000", "--group", f"{topic}-group", "--timeout", "20000"]
    (row,) = (
        line.split(", ") for line in tool("ConsumerPerformance", *run).out.splitlines() if line[:2] == "20"
    )
    assert int(row[4]) == 20_000


def formatted(tool: Tool, formatter: str, group: str, protocol_key: str) -> list[dict[str, Any]]:
    """What Kafka's own formatter reads in ``__consumer_offsets`` about one group."""
    place = ["--topic", "__consumer_offsets", "--from-beginning", "--timeout-ms", "2500"]
    out = tool("consumer.ConsoleConsumer", *place, "--formatter", TOOLS + f"consumer.{formatter}").out
    decoder = json.JSONDecoder()
    rows, at = [], out.index("{")
    while at < len(out.rstrip()):
        row, at = decoder.raw_decode(out, at)
        rows.append(row)
    return [row for row in rows if row["key"]["data"].get(protocol_key) == group]


def test_kafkas_formatters_read_our_records_of_groups(tool: Tool, filled: str) -> None:
    group = f"{filled}-group"
    consume(tool, filled, group, 70)
    rows = formatted(tool, "OffsetsMessageFormatter", group, "group")
    last = {row["key"]["data"]["partition"]: row["value"]["data"]["offset"] for row in rows}
    assert last == {0: 50, 1: 20, 2: 0}
    values = [row["value"] for row in formatted(tool, "GroupMetadataMessageFormatter", group, "group")]
    generations = [value["data"]["generation"] for value in values if value]
    assert generations == sorted(generations)
    assert any(value["data"]["protocolType"] == "consumer" for value in values if value)
    assert values[-1]["data"]["members"] == []


def test_internal_topic_has_kafkas_settings(tool: Tool, filled: str) -> None:
    consume(tool, filled, f"{filled}-group", 70)
    described = tool("TopicCommand", "--describe", "--topic", "__consumer_offsets").out
    assert "PartitionCount: 50" in described
    for setting in ("compression.type=producer", "cleanup.policy=compact", "segment.bytes=104857600"):
        assert setting in described


def test_api_versions_of_the_group_protocols(tool: Tool) -> None:
    versions = tool("BrokerApiVersionsCommand").out
    for row in [
        "OffsetCommit(8): 2 to 10",
        "OffsetFetch(9): 1 to 10",
        "FindCoordinator(10): 0 to 6",
        "JoinGroup(11): 0 to 9",
        "Heartbeat(12): 0 to 4",
        "LeaveGroup(13): 0 to 5",
        "SyncGroup(14): 0 to 5",
        "DescribeGroups(15): 0 to 6",
        "ListGroups(16): 0 to 5",
        "DeleteGroups(42): 0 to 2",
        "OffsetDelete(47): 0",
        "DescribeClientQuotas(48): 0 to 1",
        "AlterClientQuotas(49): 0 to 1",
        "DescribeQuorum(55): 0 to 2",
        "ConsumerGroupHeartbeat(68): 0 to 1",
        "ConsumerGroupDescribe(69): 0 to 1",
    ]:
        assert f"{row} [usable:" in versions


def test_quorum_and_features(tool: Tool) -> None:
    status = tool("MetadataQuorumCommand", "describe", "--status").out
    assert re.search(r"^LeaderId:\s+1$", status, re.MULTILINE)
    assert re.search(r"^HighWatermark:\s+\d+$", status, re.MULTILINE)
    assert re.search(r'^CurrentVoters:\s+\[\{"id": 1, ', status, re.MULTILINE)
    (row,) = table(tool("MetadataQuorumCommand", "describe", "--replication").out)
    assert (row["NodeId"], row["Lag"], row["Status"]) == ("1", "0", "Leader")
    features = tool("FeatureCommand", "describe").out
    (row,) = (line.split() for line in features.splitlines() if line.startswith("Feature: group.version"))
    assert row[2:8] == [
        *("SupportedMinVersion:", "0", "SupportedMaxVersion:", "1"),
        *("FinalizedVersionLevel:", "1"),
    ]


def test_feature_levels_are_checked_before_they_change(tool: Tool) -> None:
    upgrade = ["upgrade", "--feature", "group.version=1", "--dry-run"]
    assert "group.version can be upgraded to 1." in tool("FeatureCommand", *upgrade).out
    downgrade = ["downgrade", "--feature", "group.version=0", "--dry-run"]
    assert "group.version can be downgraded to 0." in tool("FeatureCommand", *downgrade).out
    refused = tool("FeatureCommand", "upgrade", "--feature", "group.version=9", code=1)
    assert "Could not upgrade group.version to 9." in refused.out
    assert "only supports versions 0-1" in refused.out


def test_groups_command_and_regular_expressions(tool: Tool, filled: str) -> None:
    for protocol in ("classic", "consumer"):
        consume(tool, filled, f"{filled}-{protocol}", 70, protocol)
    listed = [line.split() for line in tool("GroupsCommand", "--list").out.splitlines()]
    assert [f"{filled}-classic", "Classic", "consumer"] in listed
    assert [f"{filled}-consumer", "Consumer", "consumer"] in listed
    some = tool("GroupsCommand", "--list", "--group-type", "consumer").out
    assert f"{filled}-consumer" in some
    assert f"{filled}-classic" not in some
    assert "is valid" in tool(GROUPS, "--validate-regex", "a.*[0-9]+").out
    assert "is invalid" in tool(GROUPS, "--validate-regex", "a(").out


def test_elections_and_reassignments_on_one_broker(
    tool: Tool, filled: str, tmp_path: Path, settle: Callable[[], None]
) -> None:
    settle()
    place = ["--topic", filled, "--partition", "0"]
    elected = tool("LeaderElectionCommand", "--election-type", "preferred", *place).out
    assert f"Valid replica already elected for partitions {filled}-0" in elected
    reassign = "reassign.ReassignPartitionsCommand"
    plan = tmp_path / "plan.json"
    partitions = [{"topic": filled, "partition": 0, "replicas": [1]}]
    plan.write_text(json.dumps({"version": 1, "partitions": partitions}))
    started = tool(reassign, "--reassignment-json-file", str(plan), "--execute").out
    assert f"Successfully started partition reassignment for {filled}-0" in started
    settle()
    verified = tool(reassign, "--reassignment-json-file", str(plan), "--verify").out
    assert f"Reassignment of partition {filled}-0 is completed." in verified
    assert "No partition reassignments found." in tool(reassign, "--list").out


def test_quotas_of_users_clients_and_addresses(tool: Tool, topic: str, settle: Callable[[], None]) -> None:
    user = ["--entity-type", "users", "--entity-name", topic]
    pair = [*user, "--entity-type", "clients", "--entity-name", "app"]
    address = ["--entity-type", "ips", "--entity-name", "10.9.9.9"]
    rates = "producer_byte_rate=1024,consumer_byte_rate=2048,request_percentage=50"
    tool(CONFIGS, "--alter", *pair, "--add-config", rates)
    tool(CONFIGS, "--alter", *user, "--add-config", "producer_byte_rate=4096")
    tool(CONFIGS, "--alter", *address, "--add-config", "connection_creation_rate=5")
    settle()
    shown = tool(CONFIGS, "--describe", *pair).out
    assert f"Quota configs for user-principal '{topic}', client-id 'app' are " in shown
    for rate in ("producer_byte_rate=1024.0", "consumer_byte_rate=2048.0", "request_percentage=50.0"):
        assert rate in shown
    shown = tool(CONFIGS, "--describe", *user).out
    assert f"Quota configs for user-principal '{topic}' are producer_byte_rate=4096.0" in shown
    shown = tool(CONFIGS, "--describe", "--entity-type", "ips").out
    assert "Quota configs for ip '10.9.9.9' are connection_creation_rate=5.0" in shown
    tool(CONFIGS, "--alter", *pair, "--delete-config", "consumer_byte_rate,request_percentage")
    tool(CONFIGS, "--alter", *address, "--delete-config", "connection_creation_rate")
    settle()
    assert tool(CONFIGS, "--describe", *pair).out.strip().endswith("are producer_byte_rate=1024.0")
    assert tool(CONFIGS, "--describe", *address).out.strip() == ""
    tool(CONFIGS, "--alter", *pair, "--delete-config", "producer_byte_rate")
    tool(CONFIGS, "--alter", *user, "--delete-config", "producer_byte_rate")


def test_settings_of_a_group(tool: Tool, topic: str, settle: Callable[[], None]) -> None:
    entity = ["--entity-type", "groups", "--entity-name", topic]
    everything = tool(CONFIGS, "--describe", "--all", *entity).out
    assert f"All configs for group {topic} are:" in everything
    assert "consumer.session.timeout.ms=3000 " in everything
    tool(CONFIGS, "--alter", *entity, "--add-config", "consumer.session.timeout.ms=50000")
    settle()
    described = tool(CONFIGS, "--describe", *entity).out
    assert f"Dynamic configs for group {topic} are:" in described
    assert "DYNAMIC_GROUP_CONFIG:consumer.session.timeout.ms=50000, " in described
    assert "STATIC_BROKER_CONFIG:group.consumer.session.timeout.ms=3000, " in described
    assert "DEFAULT_CONFIG:group.consumer.session.timeout.ms=45000" in described
    assert f"group {topic} are:" in tool(CONFIGS, "--describe", "--entity-type", "groups").out
    for bad in ("consumer.session.timeout.ms=900", "consumer.session.timeout.ms=soon", "nope=1"):
        refused = tool(CONFIGS, "--alter", *entity, "--add-config", bad, code=1)
        assert "InvalidConfigurationException" in refused.err
    tool(CONFIGS, "--alter", *entity, "--delete-config", "consumer.session.timeout.ms")
    settle()
    assert topic not in tool(CONFIGS, "--describe", "--entity-type", "groups").out


def test_default_client_quota(tool: Tool, settle: Callable[[], None]) -> None:
    default = ["--entity-type", "clients", "--entity-default"]
    tool(CONFIGS, "--alter", *default, "--add-config", "producer_byte_rate=99999999")
    settle()
    shown = tool(CONFIGS, "--describe", "--entity-type", "clients").out
    assert "Quota configs for the default client-id are producer_byte_rate=9.9999999E7" in shown
    tool(CONFIGS, "--alter", *default, "--delete-config", "producer_byte_rate")
    settle()
    assert tool(CONFIGS, "--describe", "--entity-type", "clients").out.strip() == ""
