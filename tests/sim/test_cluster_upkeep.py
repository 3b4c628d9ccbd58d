"""Compaction, retention, flipped bits: what a cluster does to its own logs (INVARIANTS 20, 21, 23)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from stage import Stage

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.records import BatchBuilder, BatchHeader, CorruptBatch, crc_ok, decode_records, iter_headers
from riverlog.sim.actors import EARLIEST, list_offsets
from riverlog.sim.checkers import DECODED_BYTES_MAX
from riverlog.sim.clock import START_MS
from riverlog.sim.cluster import LOG_DIR, ClusterNode
from riverlog.storage import Log

pytestmark = [pytest.mark.sim, pytest.mark.timeout(120)]
SEEDS = range(1, 4)
SMALL = {"internal.segment.bytes": "1000"}


def keyed(key: str, value: str, timestamp: int = START_MS) -> bytes:
    builder = BatchBuilder()
    builder.append(timestamp=timestamp, key=key.encode(), value=value.encode())
    return builder.build()


def log_of(node: ClusterNode, name: str = "t") -> Log:
    assert node.broker is not None
    partition = node.broker.partition(name, 0)
    assert not isinstance(partition, ErrorCode)
    return partition.log


def contents(stage: Stage, node: ClusterNode) -> dict[int, tuple[str, str, int]]:
    """Offset → key, value, timestamp, as the leader serves them."""
    found: dict[int, tuple[str, str, int]] = {}
    offset = log_of(node).log_start_offset
    end = log_of(node).high_watermark
    for _ in range(1000):
        if offset >= end:
            return found
        data = stage.fetch("t", node=node, offset=offset)
        assert data.error_code == ErrorCode.NONE, data.error_code
        records = memoryview(data.records)
        before = offset
        for at, header in iter_headers(records):
            assert crc_ok(records, at, header)
            for record in decode_records(records, at, header, max_bytes=DECODED_BYTES_MAX):
                assert record.key is not None
                value = b"" if record.value is None else bytes(record.value)
                found[record.offset] = (record.key.decode(), value.decode(), record.timestamp)
            offset = max(offset, header.next_offset)
        if offset == before:
            return found
    raise AssertionError("the log has no end")


# -- 20: compaction ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_compaction_keeps_the_last_value_of_each_key_over_failovers(seed: int) -> None:
    """Every replica cleans for itself; whoever leads next has the last value of each key."""
    settings = {"log.cleaner.enable": "true", "log.cleaner.backoff.ms": "200"}
    stage = Stage("compaction", seed=seed, settings=settings)
    configs = {**SMALL, "cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.01"}
    stage.create("t", replicas=[1, 2, 3], configs=configs)
    acknowledged: dict[str, int] = {}
    sent: dict[str, int] = {}
    number = 0
    for turn in range(4):
        for _ in range(40):
            number += 1
            key = f"k{stage.rng.random_int(0, 5)}"
            sent[key] = number
            answers = stage.begin_produce(
                "t", to=stage.wait_for_leader("t"), batch=keyed(key, str(number)), timeout_ms=2_000
            )
            stage.wait(lambda answers=answers: bool(answers), "an answer")  # type: ignore[misc]
            if answers[0] is ErrorCode.NONE:
                acknowledged[key] = number
        stage.run_for(1.0)
        leader = stage.wait_for_leader("t")
        if turn % 2:
            stage.power(leader)
        else:
            leader.kill()
        stage.wait_for_leader("t", other_than=leader)
        stage.start(leader)
        stage.wait_for_isr("t", 1, 2, 3)
    stage.run_for(2.0)
    assert number > 100
    assert len(acknowledged) == 6
    for node in stage.cluster.nodes:
        leads_now(stage, node)
        rows = contents(stage, node)
        assert len(rows) < number / 2, f"{node.name} did not compact"
        last = {key: int(value) for _, (key, value, _) in sorted(rows.items())}
        for key, least in acknowledged.items():
            assert least <= last.get(key, -1) <= sent[key], (
                f"{node.name}: {key} is {last.get(key)}, not {least}"
            )


def leads_now(stage: Stage, node: ClusterNode) -> None:
    """It is preferred from now on, and elected."""
    others = [one.node_id for one in stage.cluster.nodes if one is not node]
    stage.prefer("t", [node.node_id, *others])
    stage.wait(lambda: stage.leads("t") is node, f"{node.name} leads")
    log = log_of(node)
    stage.wait(lambda: log.high_watermark == log.log_end_offset, "the watermark")


# -- 21: retention and time ----------------------------------------------------------------------


@pytest.mark.parametrize("policy", [{"retention.ms": "3000"}, {"retention.bytes": "4000"}])
@pytest.mark.parametrize("seed", SEEDS)
def test_time_queries_that_race_retention_skip_no_live_record(seed: int, policy: dict[str, str]) -> None:
    stage = Stage("retention", seed=seed, settings={"log.retention.check.interval.ms": "100"})
    stage.create("t", replicas=[1, 2, 3], configs={**SMALL, **policy})
    times: dict[int, int] = {}
    asked = 0
    for turn in range(120):
        leader = stage.wait_for_leader("t")
        now_ms = START_MS + int(stage.scheduler.now * 1000)
        stamp = now_ms - stage.rng.random_int(0, 500)  # not in order
        offset = log_of(leader).log_end_offset
        if (
            stage.produce("t", to=leader, batch=keyed("k", "x" * 40, stamp), timeout_ms=2_000)
            is ErrorCode.NONE
        ):
            times[offset] = stamp
        if turn == 60:
            stage.power(leader)
            stage.wait_for_leader("t", other_than=leader)
            stage.start(leader)
            continue
        wanted = now_ms - stage.rng.random_int(0, 5_000)
        known = dict(times)
        answer = (
            stage.ask(leader, ApiKey.LIST_OFFSETS, 7, list_offsets("t", 0, wanted)).topics[0].partitions[0]
        )
        if answer.error_code:
            continue
        asked += 1
        start = (
            stage.ask(leader, ApiKey.LIST_OFFSETS, 7, list_offsets("t", 0, EARLIEST)).topics[0].partitions[0]
        )
        assert start.error_code == ErrorCode.NONE
        for at, known_stamp in known.items():
            if start.offset <= at and (answer.offset < 0 or at < answer.offset):
                assert known_stamp < wanted, (
                    f"time {wanted} gave {answer.offset}, but {at} is there and as late"
                )
        stage.run_for(stage.rng.uniform(0.0, 0.2))
    assert asked > 80
    leader = stage.wait_for_leader("t")
    start_offset = log_of(leader).log_start_offset
    assert start_offset > 10, "retention never deleted anything"
    rows = contents(stage, leader)
    now_ms = START_MS + int(stage.scheduler.now * 1000)
    for at, stamp in times.items():
        if at >= start_offset:
            assert rows[at][2] == stamp
        elif "retention.ms" in policy:
            assert stamp < now_ms - 2_000, f"{at} was deleted before its time"


# -- 23: flipped bits ----------------------------------------------------------------------------


def flip(stage: Stage, node: ClusterNode, *, first_segment: bool = True) -> int:
    """One bit, somewhere in a closed segment of t; answers which."""
    files = sorted(
        (path, inode)
        for path, inode in node.media.files()
        if path.startswith(f"{LOG_DIR}/t-0/") and path.endswith(".log")
    )
    assert len(files) > 3
    _, inode = files[0] if first_segment else files[len(files) // 2]
    assert inode.synced, "not below the recovery point"
    bit = stage.rng.random_int(0, len(inode.content) * 8 - 1)
    for content in (inode.content, inode.durable):
        content[bit // 8] ^= 1 << bit % 8
    return bit


def headers_of(data: memoryview) -> Iterator[tuple[int, BatchHeader]]:
    try:
        yield from iter_headers(data)
    except CorruptBatch:
        return


def whole(log: Log) -> list[tuple[int, int, int]]:
    """Base offset, epoch and CRC of every batch; each is checked. Stops at a bad one."""
    found = []
    for segment in log.segments:
        data = memoryview(segment.file.read(0, segment.size))
        for at, header in headers_of(data):
            if not crc_ok(data, at, header):
                return found
            found.append((header.base_offset, header.partition_leader_epoch, header.crc))
    return found


def filled(seed: int) -> Stage:
    stage = Stage("bits", seed=seed)
    stage.create("t", replicas=[1, 2, 3], configs=SMALL)
    for _ in range(60):
        assert stage.produce("t") is ErrorCode.NONE
    stage.run_for(3.0)  # the recovery point moves
    scrub_often(stage)
    return stage


def scrub_often(stage: Stage) -> None:
    for node in stage.cluster.running:
        assert node.broker is not None
        scrubber = node.broker.replicas.scrubber
        scrubber.round_seconds = 1.0
        scrubber.stop()
        scrubber.start()


def all_equal(stage: Stage) -> bool:
    logs = [whole(log_of(node)) for node in stage.cluster.nodes]
    return logs[0] == logs[1] == logs[2] and len(logs[0]) >= 60


@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("middle", [False, True])
def test_a_flipped_bit_of_a_running_follower_is_found_and_repaired(seed: int, middle: bool) -> None:
    stage = filled(seed)
    leader = stage.wait_for_leader("t")
    victim = next(node for node in stage.cluster.nodes if node is not leader)
    stage.watch.distrust(victim)
    flip(stage, victim, first_segment=not middle)
    assert not all_equal(stage)
    stage.wait(lambda: all_equal(stage), "repaired from another replica", 20.0)
    stage.check_all("t")


@pytest.mark.parametrize("byte", [3, 7, 11, 14, 16, 20, 26, 70])
@pytest.mark.parametrize("slot", [0, 3, -1])
def test_a_header_that_lies_is_found_and_repaired(byte: int, slot: int) -> None:
    """Base offset, length, epoch, magic, CRC, last delta, data; of a first, a middle, a last batch."""
    stage = filled(1)
    leader = stage.wait_for_leader("t")
    victim = next(node for node in stage.cluster.nodes if node is not leader)
    stage.watch.distrust(victim)
    segment = log_of(victim).segments[1]
    starts = [at for at, _ in iter_headers(memoryview(segment.file.read(0, segment.size)))]
    path = f"{LOG_DIR}/t-0/{segment.base_offset:020d}.log"
    inode = dict(victim.media.files())[path]
    for content in (inode.content, inode.durable):
        content[starts[slot] + byte] ^= 4
    stage.wait(lambda: not all_equal(stage), "a flipped bit", 0.0)
    stage.wait(lambda: all_equal(stage), "repaired from another replica", 20.0)
    stage.check_all("t")


@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("power", [False, True])
def test_a_bit_that_flipped_while_a_node_was_down_is_found_and_repaired(seed: int, power: bool) -> None:
    """It may have led before: what it has is not served, and not replicated."""
    stage = filled(seed)
    victim = stage.wait_for_leader("t")
    stage.watch.distrust(victim)
    if power:
        stage.power(victim)
    else:
        victim.kill()
    flip(stage, victim)
    stage.wait_for_leader("t", other_than=victim)
    assert stage.produce("t") is ErrorCode.NONE
    stage.start(victim)
    stage.wait(lambda: victim.serving, "it serves")
    scrub_often(stage)
    stage.wait(lambda: all_equal(stage), "repaired from another replica", 20.0)
    stage.check_all("t")


@pytest.mark.parametrize("seed", range(1, 6))
def test_a_flipped_bit_of_a_leader_is_never_replicated(seed: int) -> None:
    """A follower that needs the corrupt batch refuses it; the leader is repaired once another leads."""
    stage = filled(seed)
    leader = stage.wait_for_leader("t")
    empty = next(node for node in stage.cluster.nodes if node is not leader)
    healthy = whole(log_of(empty))
    empty.kill()
    empty.wipe()
    stage.watch.distrust(leader)
    stage.watch.wiped(empty)
    flip(stage, leader)
    stage.start(empty)
    stage.wait(lambda: empty.serving, "it serves")
    stage.run_for(5.0)
    copied = whole(log_of(empty))
    assert copied == healthy[: len(copied)], "a corrupt batch was replicated"
    leader.kill()
    stage.wait_for_leader("t", other_than=leader)
    stage.start(leader)
    stage.wait(lambda: leader.serving, "it serves")
    scrub_often(stage)
    stage.wait(lambda: all_equal(stage), "all repaired", 30.0)
    assert whole(log_of(leader))[: len(healthy)] == healthy
