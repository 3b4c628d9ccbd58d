"""``kafka-transactions`` and ``kafka-features``, unchanged; a hanging transaction is found and aborted."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from clientkit import hanging, rdkafka, txn_scenarios
from clientkit.java import JavaTools, ToolResult
from clientkit.txns import Rdkafka

Tool = Callable[..., ToolResult]
TRANSACTIONS = "org.apache.kafka.tools.TransactionsCommand"
FEATURES = "org.apache.kafka.tools.FeatureCommand"
SECONDS = 30.0
NOT_FOUND = "failed because the ID could not be found"
PAUSE_SECONDS = 0.2  # every run of the tool leaves an admin client behind in the JVM


@pytest.fixture
def tool(java_tools: JavaTools, bootstrap: str) -> Tool:
    """Run ``kafka-transactions``; it must end with 0 unless another code is named."""

    def run(*arguments: str, code: int = 0, name: str = TRANSACTIONS) -> ToolResult:
        result = java_tools.run(name, "--bootstrap-server", bootstrap, *arguments)
        assert result.code == code, f"exit {result.code}\n{result.out}\n{result.err}"
        return result

    return run


@pytest.fixture
def client(bootstrap: str) -> Iterator[Rdkafka]:
    made = Rdkafka(bootstrap)
    yield made
    made.close()


def table(text: str) -> list[dict[str, str]]:
    """The rows below a line of headings; columns are set apart by tabs."""
    lines = [[cell.strip() for cell in line.split("\t")] for line in text.splitlines() if line.strip()]
    return [dict(zip(lines[0], row, strict=True)) for row in lines[1:]]


def describe(tool: Tool, transactional_id: str) -> dict[str, str]:
    (row,) = table(tool("describe", "--transactional-id", transactional_id).out)
    assert row["TransactionalId"] == transactional_id
    return row


def listed(tool: Tool, *options: str) -> dict[str, dict[str, str]]:
    return {row["TransactionalId"]: row for row in table(tool("list", *options).out)}


def producers(tool: Tool, topic: str, partition: int) -> list[dict[str, str]]:
    return table(tool("describe-producers", "--topic", topic, "--partition", str(partition)).out)


def wait_for_state(tool: Tool, transactional_id: str, *states: str) -> dict[str, str]:
    def reached() -> bool:
        threading.Event().wait(PAUSE_SECONDS)
        return describe(tool, transactional_id)["TransactionState"] in states

    rdkafka.wait_for(reached, SECONDS)
    return describe(tool, transactional_id)


def test_list_and_describe_follow_a_transaction(
    tool: Tool, client: Rdkafka, bootstrap: str, topic: str
) -> None:
    name = f"{topic}-txn"
    rdkafka.create_topic(bootstrap, topic, partitions=2)
    client.open("p", name)
    empty = describe(tool, name)
    assert (empty["TransactionState"], empty["TopicPartitions"]) == ("Empty", "")
    assert empty["CurrentTransactionStartTimeMs"] == empty["TransactionDurationMs"] == "None"
    assert (empty["CoordinatorId"], empty["TransactionTimeoutMs"]) == ("1", "60000")
    before_ms = int(time.time() * 1000)
    client.begin("p")
    client.send("p", topic, 0, ["a", "b"])
    client.send("p", topic, 1, ["c"])
    client.offsets("p", f"{topic}-group", topic, {0: 1})
    ongoing = describe(tool, name)
    assert ongoing["TransactionState"] == "Ongoing"
    places = set(ongoing["TopicPartitions"].split(","))
    assert {f"{topic}-0", f"{topic}-1"} < places
    assert [place.rpartition("-")[0] for place in places - {f"{topic}-0", f"{topic}-1"}] == [
        "__consumer_offsets"
    ]
    assert before_ms - 1000 <= int(ongoing["CurrentTransactionStartTimeMs"]) <= int(time.time() * 1000)
    assert int(ongoing["TransactionDurationMs"]) >= 0
    row = listed(tool)[name]
    assert (row["Coordinator"], row["TransactionState"]) == ("1", "Ongoing")
    assert row["ProducerId"] == ongoing["ProducerId"]
    assert name in listed(tool, "--duration-filter", "0")
    assert name not in listed(tool, "--duration-filter", "3600000")
    (writing,) = producers(tool, topic, 0)
    assert (writing["ProducerId"], writing["ProducerEpoch"]) == (
        ongoing["ProducerId"],
        ongoing["ProducerEpoch"],
    )
    assert (writing["LastSequence"], writing["CurrentTransactionStartOffset"]) == ("1", "0")
    assert writing["LatestCoordinatorEpoch"] == "-1"
    client.end("p", commit=True)
    assert wait_for_state(tool, name, "CompleteCommit")["TopicPartitions"] == ""
    (written,) = producers(tool, topic, 0)
    assert written["CurrentTransactionStartOffset"] == "None"
    assert int(written["LatestCoordinatorEpoch"]) >= 0
    client.begin("p")
    client.send("p", topic, 0, ["d"])
    (writing,) = producers(tool, topic, 0)
    assert writing["CurrentTransactionStartOffset"] == "3", "behind two records and a marker"
    client.end("p", commit=False)
    wait_for_state(tool, name, "CompleteAbort")
    assert listed(tool)[name]["TransactionState"] == "CompleteAbort"


def test_what_is_not_there_is_said(tool: Tool, topic: str) -> None:
    missing = tool("describe", "--transactional-id", f"{topic}-nobody", code=1)
    assert NOT_FOUND in missing.err + missing.out
    assert f"{topic}-nobody" not in listed(tool)


def test_force_terminate_ends_a_transaction(tool: Tool, client: Rdkafka, bootstrap: str, topic: str) -> None:
    """A new owner of the id, as the tool plays it, aborts what the old one has open (KIP-939)."""
    name = f"{topic}-txn"
    rdkafka.create_topic(bootstrap, topic)
    client.open("p", name)
    client.begin("p")
    client.send("p", topic, 0, ["lost"])
    tool("forceTerminateTransaction", "--transactionalId", name)
    wait_for_state(tool, name, "CompleteAbort", "Empty")
    assert txn_scenarios.refused(lambda: client.end("p", commit=True)) in txn_scenarios.TAKEN_AWAY
    assert txn_scenarios.stable_end(bootstrap, topic, 0) == []


@pytest.fixture
def no_verification(java_tools: JavaTools, bootstrap: str, settle: Callable[[], None]) -> Iterator[None]:
    """A transaction can only hang where brokers do not ask the coordinator (KIP-890)."""

    def alter(option: str, value: str) -> None:
        entity = ["--entity-type", "brokers", "--entity-default"]
        words = ["--bootstrap-server", bootstrap, "--alter", *entity, option, value]
        java_tools.run("kafka.admin.ConfigCommand", *words).ok()
        settle()

    alter("--add-config", f"{hanging.VERIFICATION}=false")
    yield
    alter("--delete-config", hanging.VERIFICATION)


@pytest.mark.usefixtures("no_verification")
@pytest.mark.parametrize("known", [True, False], ids=["of a known producer", "of nobody"])
def test_a_hanging_transaction_is_found_and_aborted(
    tool: Tool, bootstrap: str, topic: str, known: bool
) -> None:
    rdkafka.create_topic(bootstrap, topic, partitions=2)
    producer = hanging.write(bootstrap, topic, 1, transactional_id=f"{topic}-txn" if known else None)
    txn_scenarios.send_plain(bootstrap, topic, 1, "behind")
    assert txn_scenarios.stable_end(bootstrap, topic, 1) == []
    for where in (["--topic", topic], ["--topic", topic, "--partition", "1"], ["--broker-id", "1"]):
        found = [row for row in table(tool("find-hanging", *where).out) if row["Topic"] == topic]
        (row,) = found
        assert (row["Partition"], row["ProducerId"], row["StartOffset"]) == ("1", str(producer), "0")
        assert int(row["Duration(min)"]) >= hanging.MINUTES
    too_young = tool("find-hanging", "--topic", topic, "--max-transaction-timeout", str(2 * hanging.MINUTES))
    assert table(too_young.out) == []
    place = ["--topic", topic, "--partition", "1"]
    refused = tool("abort", *place, "--start-offset", "7", code=1)
    assert "Could not find any open transactions starting at offset 7" in refused.err + refused.out
    tool("abort", *place, "--start-offset", "0")
    assert table(tool("find-hanging", "--topic", topic).out) == []
    assert txn_scenarios.stable_end(bootstrap, topic, 1) == ["behind"]
    (state,) = (row for row in producers(tool, topic, 1) if row["ProducerId"] == str(producer))
    assert state["CurrentTransactionStartOffset"] == "None"


def test_features_show_the_transaction_version(tool: Tool) -> None:
    features = tool("describe", name=FEATURES).out
    (row,) = (line for line in features.splitlines() if line.startswith("Feature: transaction.version"))
    levels = dict(re.findall(r"(\w+Version\w*): (\S+)", row))
    assert (levels["SupportedMinVersion"], levels["SupportedMaxVersion"]) == ("0", "2")
    assert levels["FinalizedVersionLevel"] == "2"
    dry = ["--feature", "transaction.version=1", "--dry-run"]
    assert "can be downgraded to 1" in tool("downgrade", *dry, name=FEATURES).out
