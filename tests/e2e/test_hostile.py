"""Bad input on a live broker: the right error, or that connection is closed; others are served on.

What Kafka answers to each was looked at by running this file against it (``RIVERLOG_E2E_TARGET=kafka``).
"""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from e2ekit.raw import (
    FETCH_VERSION,
    PRODUCE_VERSION,
    Closed,
    Raw,
    batch,
    create_topic,
    fetch,
    fetch_request,
    frame,
    metadata,
    new_producer,
    produce,
    produce_request,
)
from e2ekit.samples import sample_requests
from e2ekit.targets import TARGET
from e2ekit.waiting import wait_until

from bench.brokers import Broker, rss_bytes
from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_response, encode_request
from riverlog.records.builder import assemble, encode_varint
from riverlog.records.header import compute_crc

MB = 1 << 20
GROWTH_BYTES_MAX = 64 * MB
I32_MAX, I32_MIN = (1 << 31) - 1, -(1 << 31)


def int32(number: int) -> bytes:
    return struct.pack(">i", number)


@pytest.fixture(scope="module", autouse=True)
def unharmed(shared_broker: Broker) -> Iterator[None]:
    """After the whole file: the same process serves, without an accident of its own, in bounded memory."""
    with Raw(shared_broker.bootstrap) as raw:
        create_topic(raw, "hostile")
        produce(raw, "hostile", batch([b"first"]))
    pid, before = shared_broker.pid, rss_bytes(shared_broker.pid)
    yield
    assert shared_broker.pid == pid
    with Raw(shared_broker.bootstrap) as raw:
        assert fetch(raw, "hostile", 0).error_code == ErrorCode.NONE
    if TARGET == "riverlog":
        assert "Traceback" not in shared_broker.said(), shared_broker.said()[-4000:]
        assert rss_bytes(pid) - before < GROWTH_BYTES_MAX


def outcome(broker: Broker, data: bytes) -> str:
    """What becomes of these bytes on a fresh connection: answered, closed or silent."""
    with Raw(broker.bootstrap) as raw:
        raw.send(data)
        try:
            raw.read_frame(5.0)
        except Closed:
            return "closed"
        except TimeoutError:
            return "silent"
        return "answered"


# ---------------------------------------------------------------- frames

FRAMES = {
    "an empty frame": int32(0),
    "a negative size": int32(-1),
    "the smallest size": int32(I32_MIN),
    "a size above socket.request.max.bytes": int32(100 * MB + 1),
    "the largest size": int32(I32_MAX),
    "a frame too short for a header": int32(7) + b"\0\x12\0\0\0\0\0",
    "another protocol": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a TLS hello": bytes.fromhex("160301020001fc0303") + bytes(600),
    "a client id longer than the frame": int32(10) + struct.pack(">hhih", ApiKey.METADATA, 1, 1, 30_000),
    "an array of 2^31-1 elements": frame(ApiKey.METADATA, 1, int32(I32_MAX)),
    "an array longer than the frame": frame(ApiKey.METADATA, 1, int32(1000)),
    "a null where none may be": frame(ApiKey.METADATA, 1, int32(1) + b"\xff\xff"),
    "a string longer than the frame": frame(ApiKey.METADATA, 1, int32(1) + struct.pack(">h", 30_000) + b"a"),
    "2^31-1 elements, compact": frame(ApiKey.METADATA, 9, b"\0\xff\xff\xff\xff\x07"),
    "2^31-1 tagged fields": frame(ApiKey.METADATA, 9, b"\0\x01\0\0\0\xff\xff\xff\xff\x07"),
    "a varint without end": frame(ApiKey.METADATA, 9, b"\0" + b"\xff" * 12),
    "2^31-1 topics to produce to": frame(ApiKey.PRODUCE, 7, struct.pack(">hhii", -1, 1, 1000, I32_MAX)),
    "records longer than the frame": frame(
        ApiKey.PRODUCE, 7, struct.pack(">hhiih1siii", -1, 1, 1000, 1, 1, b"t", 1, 0, I32_MAX)
    ),
    "2^31-1 topics to fetch from": frame(
        ApiKey.FETCH, 4, struct.pack(">iiiibi", -1, 100, 1, 1000, 0, I32_MAX)
    ),
    "2^31-1 topics to create": frame(ApiKey.CREATE_TOPICS, 4, int32(I32_MAX)),
}


@pytest.mark.parametrize("name", FRAMES)
def test_a_frame_that_cannot_be_read_closes_the_connection(shared_broker: Broker, name: str) -> None:
    assert outcome(shared_broker, FRAMES[name]) == "closed"


@pytest.mark.parametrize(
    ("api_key", "version"),
    [
        (9999, 0),
        (-1, 0),
        (500, 3),
        (ApiKey.METADATA, 99),
        (ApiKey.METADATA, -1),
        (ApiKey.FETCH, 0),
        (ApiKey.FETCH, 99),
        (ApiKey.PRODUCE, 99),
        (ApiKey.LIST_OFFSETS, 0),
        (ApiKey.CREATE_TOPICS, 0),
    ],
)
def test_an_unknown_api_or_version_closes_the_connection(
    shared_broker: Broker, api_key: int, version: int
) -> None:
    assert outcome(shared_broker, frame(api_key, version, bytes(40))) == "closed"


def test_api_versions_of_a_newer_client_is_answered_in_version_0(raw: Raw) -> None:
    """KIP-511: with the range to come back with."""
    raw.send(frame(ApiKey.API_VERSIONS, 99, b"\0\x02x\x02y\0"))
    _, answer = decode_response(ApiKey.API_VERSIONS, 0, memoryview(raw.read_frame()))
    assert answer.error_code == ErrorCode.UNSUPPORTED_VERSION
    own = [row for row in answer.api_keys if row.api_key == ApiKey.API_VERSIONS]
    assert own
    assert own[0].max_version >= 3


def test_what_was_asked_before_the_bad_frame_is_answered(raw: Raw) -> None:
    raw.send(frame(ApiKey.METADATA, 1, int32(0)) + int32(-5))
    assert len(raw.read_frame()) > 4
    assert raw.is_closed()


def test_a_request_in_single_bytes_is_answered(raw: Raw) -> None:
    for byte in frame(ApiKey.METADATA, 1, int32(0)):
        raw.send(bytes([byte]))
    assert len(raw.read_frame()) > 4


def test_a_request_cut_at_every_byte_harms_nobody(shared_broker: Broker, raw: Raw) -> None:
    whole = encode_request(
        ApiKey.PRODUCE, PRODUCE_VERSION, 1, "cut", produce_request("hostile", batch([b"x"]), acks=1)
    )
    for cut in range(len(whole)):
        with Raw(shared_broker.bootstrap) as connection:
            connection.send(whole[:cut])
            connection.finish_sending()
            assert connection.is_closed(5.0), f"cut at {cut}"
    assert fetch(raw, "hostile", 0).error_code == ErrorCode.NONE


# ---------------------------------------------------------------- record batches


def patched(position: int, data: bytes, *, seal: bool = True) -> bytes:
    """A good batch of two records with some bytes replaced and, with ``seal``, its CRC right again."""
    changed = bytearray(batch([b"a", b"b"]))
    changed[position : position + len(data)] = data
    if seal:
        changed[17:21] = compute_crc(changed, 0, len(changed)).to_bytes(4, "big")
    return bytes(changed)


BATCHES: dict[str, tuple[Callable[[], bytes], ErrorCode]] = {
    "wrong CRC": (lambda: patched(70, b"\xff", seal=False), ErrorCode.CORRUPT_MESSAGE),
    "magic 0": (lambda: patched(16, b"\0", seal=False), ErrorCode.INVALID_RECORD),
    "magic 1": (lambda: patched(16, b"\x01", seal=False), ErrorCode.INVALID_RECORD),
    "magic 3": (lambda: patched(16, b"\x03", seal=False), ErrorCode.CORRUPT_MESSAGE),
    "length past the end": (lambda: patched(8, int32(1_000_000), seal=False), ErrorCode.INVALID_RECORD),
    "length 5": (lambda: patched(8, int32(5), seal=False), ErrorCode.CORRUPT_MESSAGE),
    "length -5": (lambda: patched(8, int32(-5), seal=False), ErrorCode.CORRUPT_MESSAGE),
    "no batch": (lambda: b"", ErrorCode.INVALID_RECORD),
    "half a header": (lambda: batch([b"a"])[:30], ErrorCode.INVALID_RECORD),
    "cut records": (lambda: batch([b"a"])[:-3], ErrorCode.INVALID_RECORD),
    "two batches": (lambda: batch([b"a"]) * 2, ErrorCode.INVALID_RECORD),
    "record count too large": (lambda: patched(57, int32(5)), ErrorCode.INVALID_RECORD),
    "record count 2^31-1": (lambda: patched(57, int32(I32_MAX)), ErrorCode.INVALID_RECORD),
    "record count -1": (lambda: patched(57, int32(-1)), ErrorCode.INVALID_RECORD),
    "record count 0": (lambda: patched(57, int32(0)), ErrorCode.INVALID_RECORD),
    "last offset delta": (lambda: patched(23, int32(7)), ErrorCode.INVALID_RECORD),
    "control batch": (lambda: patched(21, b"\0\x20"), ErrorCode.INVALID_RECORD),
}


@pytest.mark.parametrize("name", BATCHES)
def test_a_bad_batch_is_refused_and_the_connection_lives(raw: Raw, name: str) -> None:
    make, expected = BATCHES[name]
    before = fetch(raw, "hostile", 0).high_watermark
    assert produce(raw, "hostile", make()).error_code == expected
    assert fetch(raw, "hostile", 0).high_watermark == before, "nothing of it was kept"
    assert produce(raw, "hostile", batch([b"good"])).base_offset == before


def test_a_codec_that_does_not_exist_is_refused(raw: Raw, ours: None) -> None:
    """Kafka answers UNKNOWN_SERVER_ERROR here."""
    assert produce(raw, "hostile", patched(21, b"\0\x07")).error_code == ErrorCode.INVALID_RECORD


def test_null_records_are_refused(raw: Raw, ours: None) -> None:
    """Kafka never answers this one."""
    assert produce(raw, "hostile", None).error_code == ErrorCode.INVALID_RECORD


def test_wrong_acks_and_partitions_are_refused(raw: Raw) -> None:
    good = batch([b"x"])
    assert produce(raw, "hostile", good, acks=5).error_code == ErrorCode.INVALID_REQUIRED_ACKS
    for partition in (99, -1, I32_MAX):
        answer = produce(raw, "hostile", good, partition=partition)
        assert answer.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert produce(raw, "no-such-topic", good).error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert produce(raw, "bad/name", good).error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def test_sequences_are_checked(raw: Raw) -> None:
    producer_id, epoch = new_producer(raw)

    def send(count: int, sequence: int, *, at_epoch: int = epoch) -> tuple[int, int]:
        records = batch(
            [b"s"] * count, producer_id=producer_id, producer_epoch=at_epoch, base_sequence=sequence
        )
        answer = produce(raw, "hostile", records)
        return answer.error_code, answer.base_offset

    code, start = send(2, 0)
    assert code == ErrorCode.NONE
    assert send(2, 0) == (ErrorCode.NONE, start), "a duplicate answers the first offset"
    refused = ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert send(1, 5)[0] == refused
    assert send(2, 1)[0] == refused
    assert send(1, 2) == (ErrorCode.NONE, start + 2)
    assert send(1, 3, at_epoch=epoch - 1)[0] == ErrorCode.INVALID_PRODUCER_EPOCH
    assert send(1, 9, at_epoch=epoch + 1)[0] == refused, "a new epoch starts at sequence 0"
    assert send(1, 0, at_epoch=epoch + 1) == (ErrorCode.NONE, start + 3)
    assert send(1, 3)[0] == ErrorCode.INVALID_PRODUCER_EPOCH
    assert send(1, -1)[0] == ErrorCode.INVALID_RECORD


def test_offsets_out_of_range_are_told(raw: Raw) -> None:
    for offset in (10**9, -5):
        assert fetch(raw, "hostile", offset).error_code == ErrorCode.OFFSET_OUT_OF_RANGE
    assert fetch(raw, "no-such-topic", 0).error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


@pytest.mark.parametrize("name", ["bad/name", "", "x" * 300, "..", "a b"])
def test_a_bad_topic_name_is_told(raw: Raw, name: str) -> None:
    assert metadata(raw, name).topics[0].error_code == ErrorCode.INVALID_TOPIC_EXCEPTION


def bomb(inflated_bytes: int) -> bytes:
    """A gzip batch of a megabyte or less with one record that grows a thousandfold."""
    head = b"\0" + encode_varint(0) + encode_varint(0) + encode_varint(-1) + encode_varint(inflated_bytes)
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    parts = [packer.compress(encode_varint(len(head) + inflated_bytes + 1) + head)]
    parts += [packer.compress(bytes(MB)) for _ in range(inflated_bytes // MB)]
    payload = b"".join([*parts, packer.compress(b"\0"), packer.flush()])
    return assemble(
        payload,
        base_offset=0,
        leader_epoch=-1,
        attributes=1,
        last_offset_delta=0,
        base_timestamp=0,
        max_timestamp=0,
        producer_id=-1,
        producer_epoch=-1,
        base_sequence=-1,
        record_count=1,
    )


def test_a_batch_that_inflates_a_thousandfold_is_bounded(shared_broker: Broker, raw: Raw, ours: None) -> None:
    """The topic has another codec, so the broker must look inside."""
    create_topic(raw, "recompressed", compression_type="lz4", message_timestamp_before_max_ms=str(1 << 62))
    before = peak_rss_bytes(shared_broker)
    answer = produce(raw, "recompressed", bomb(768 * MB))
    assert answer.error_code in {
        ErrorCode.MESSAGE_TOO_LARGE,
        ErrorCode.CORRUPT_MESSAGE,
        ErrorCode.INVALID_RECORD,
    }
    assert peak_rss_bytes(shared_broker) - before < 256 * MB
    assert produce(raw, "recompressed", batch([b"fine"])).base_offset == 0


def peak_rss_bytes(broker: Broker) -> int:
    for line in Path(f"/proc/{broker.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no peak memory of the broker")


def test_a_topic_with_too_many_partitions_is_refused(shared_broker: Broker, raw: Raw) -> None:
    from riverlog.protocol.generated.create_topics_request import CreatableTopic, CreateTopicsRequest

    for partitions in (I32_MAX, 1_000_000, 0, -2):
        topic = CreatableTopic(name="wide", num_partitions=partitions, replication_factor=1)
        request = CreateTopicsRequest(topics=[topic], timeout_ms=5_000)
        answer = raw.call(ApiKey.CREATE_TOPICS, 5, request).topics[0]
        expected = ErrorCode.POLICY_VIOLATION if partitions > 0 else ErrorCode.INVALID_PARTITIONS
        assert answer.error_code == expected, partitions


# ---------------------------------------------------------------- fuzz


def mutated(rng: random.Random, whole: bytes) -> bytes:
    """A well-formed request with a few bytes changed; its length is right more often than not."""
    body = bytearray(whole[4:])
    for _ in range(rng.choice((1, 1, 1, 2, 4, 8))):
        position = rng.randrange(len(body))
        kind = rng.randrange(5)
        if kind == 0:
            body[position] ^= 1 << rng.randrange(8)
        elif kind == 1:
            body[position] = rng.randrange(256)
        elif kind == 2:
            body[position : position + 4] = rng.choice(
                (b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff", b"\x80\0\0\0")
            )
        elif kind == 3:
            del body[position : position + rng.randrange(1, 9)]
        else:
            body[position:position] = rng.randbytes(rng.randrange(1, 9))
        if not body:
            body = bytearray(b"\0")
    wrong = rng.randrange(-8, 9) if rng.random() < 0.1 else 0
    return int32(max(0, len(body) + wrong)) + bytes(body)


def random_frame(rng: random.Random) -> bytes:
    """Random bytes: bare, in a frame, or behind a header the broker knows."""
    noise = rng.randbytes(rng.choice((1, 3, 4, 8, 64, 300, 4096)))
    kind = rng.randrange(3)
    if kind == 0:
        return noise
    if kind == 1:
        return int32(len(noise)) + noise
    return frame(rng.choice(list(ApiKey)), rng.randrange(0, 14), noise)


def assault(broker: Broker, make: Callable[[random.Random], bytes], seed: int, count: int) -> None:
    """Each on a connection of its own, which must end; others are served all along."""
    rng = random.Random(seed)
    with Raw(broker.bootstrap) as healthy:
        for number in range(count):
            data = make(rng)
            with Raw(broker.bootstrap) as connection:
                connection.send(data)
                connection.finish_sending()
                assert connection.is_closed(10.0), f"seed {seed}, number {number}: {data[:200].hex()}"
            if number % 50 == 0:
                assert produce(healthy, "hostile", batch([b"x"])).error_code == ErrorCode.NONE


@pytest.mark.parametrize("seed", range(3))
def test_random_bytes_harm_nobody(shared_broker: Broker, seed: int) -> None:
    assault(shared_broker, random_frame, seed, 300)


@pytest.mark.parametrize("seed", range(5))
def test_mutated_requests_harm_nobody(shared_broker: Broker, ours: None, seed: int) -> None:
    """Kafka leaves some of these without an answer: those whose records became null."""
    samples = sample_requests("hostile")
    assault(shared_broker, lambda rng: mutated(rng, rng.choice(samples)), seed, 400)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(100, 110))
def test_soak_mutated_requests(shared_broker: Broker, seed: int) -> None:
    samples = sample_requests("hostile")
    assault(shared_broker, lambda rng: mutated(rng, rng.choice(samples)), seed, 5_000)


@pytest.mark.parametrize("seed", range(3))
def test_mutated_batches_are_refused_or_kept_whole(shared_broker: Broker, raw: Raw, seed: int) -> None:
    """Whatever was accepted is read back batch by batch, each with a right CRC."""
    from riverlog.records import crc_ok, iter_headers

    rng = random.Random(seed)
    topic = f"mutated-{seed}"
    create_topic(raw, topic)
    for _ in range(300):
        good = bytearray(batch([b"v" * rng.randrange(1, 50)] * rng.randrange(1, 5)))
        for _ in range(rng.randrange(3)):
            good[rng.randrange(len(good))] ^= 1 << rng.randrange(8)
        produce(raw, topic, bytes(good))
    end, offset = fetch(raw, topic, 0).high_watermark, 0
    assert end > 0
    while offset < end:
        records = fetch(raw, topic, offset).records
        for position, header in iter_headers(records):
            assert header.base_offset == offset
            assert crc_ok(records, position, header)
            offset = header.next_offset


def test_clients_that_vanish_leave_nothing_open(shared_broker: Broker) -> None:
    """Resets in the middle of requests, answers and long polls."""
    folder = Path(f"/proc/{shared_broker.pid}/fd")
    before = len(list(folder.iterdir()))
    big = encode_request(
        ApiKey.PRODUCE, PRODUCE_VERSION, 1, None, produce_request("hostile", batch([bytes(900_000)]))
    )
    parked = encode_request(
        ApiKey.FETCH, FETCH_VERSION, 1, None, fetch_request("hostile", 0, max_wait_ms=60_000)
    )
    for number in range(150):
        connection = Raw(shared_broker.bootstrap)
        connection.send((big[:5_000], big, parked, parked * 20)[number % 4])
        connection.reset()
    wait_until(lambda: len(list(folder.iterdir())) <= before + 5, 10, "their descriptors are closed")
