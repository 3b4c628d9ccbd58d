"""kcat from the distribution: an older librdkafka, driven by its command line."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

import pytest
from clientkit import builds, rdkafka
from clientkit.paths import Unavailable
from clientkit.samples import CODECS, START_MS, Sample, samples, text_samples

Kcat = Callable[..., str]


@pytest.fixture
def kcat(bootstrap: str) -> Kcat:
    try:
        command = builds.kcat_command()
    except Unavailable as missing:
        pytest.skip(str(missing))

    def run(*arguments: str, stdin: str = "") -> str:
        done = subprocess.run(
            [*command, "-b", bootstrap, *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=40,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def consumed(kcat: Kcat, topic: str, *arguments: str) -> list[tuple[str, str]]:
    """Keys and values of partition 0, from the start unless told otherwise, to the end."""
    lines = kcat("-C", "-q", "-e", "-t", topic, "-p", "0", "-f", "%k\t%s\n", *arguments).splitlines()
    return [(key, value) for key, _, value in (line.partition("\t") for line in lines)]


@pytest.mark.parametrize("codec", CODECS)
def test_kcat_reads_back_what_it_wrote(kcat: Kcat, bootstrap: str, topic: str, codec: str) -> None:
    rdkafka.create_topic(bootstrap, topic)
    sent = text_samples(80)
    lines = "".join(f"{key}\t{value}\n" for key, value in sent)
    settings = ["-X", f"compression.codec={codec}", "-X", "linger.ms=50"]
    kcat("-P", "-t", topic, "-p", "0", "-K", "\t", *settings, stdin=lines)
    assert consumed(kcat, topic, "-o", "beginning", "-X", "check.crcs=true") == sent
    assert consumed(kcat, topic, "-o", "33") == sent[33:]
    assert consumed(kcat, topic, "-o", "-5") == sent[-5:]


def test_kcat_reads_every_codec_of_a_newer_librdkafka(
    kcat: Kcat, mixed_topic: tuple[str, list[Sample]]
) -> None:
    topic, sent = mixed_topic
    out = kcat("-C", "-q", "-e", "-t", topic, "-p", "0", "-o", "beginning", "-f", "%o %K %S %T\n")
    sizes = [tuple(-1 if part is None else len(part) for part in (s.key, s.value)) for s in sent]
    wanted = [f"{i} {key} {value} {sent[i].timestamp_ms}" for i, (key, value) in enumerate(sizes)]
    assert out.splitlines() == wanted


def test_kcat_idempotent_producer_with_headers(kcat: Kcat, bootstrap: str, topic: str) -> None:
    rdkafka.create_topic(bootstrap, topic)
    lines = "".join(f"line {i}\n" for i in range(500))
    settings = ["-X", "enable.idempotence=true", "-X", "batch.num.messages=20"]
    kcat("-P", "-t", topic, "-p", "0", "-H", "who=kcat", *settings, stdin=lines)
    found = rdkafka.read(bootstrap, topic)
    assert [sample.value for sample in found] == [b"line %d" % i for i in range(500)]
    assert {sample.headers for sample in found} == {(("who", b"kcat"),)}


def test_kcat_asks_for_offsets_by_time(kcat: Kcat, bootstrap: str, topic: str) -> None:
    rdkafka.create_topic(bootstrap, topic)
    rdkafka.send(rdkafka.producer(bootstrap), topic, samples(50))
    assert kcat("-Q", "-t", f"{topic}:0:{START_MS + 12_001}").strip() == f"{topic} [0] offset 13"
    first = kcat("-C", "-q", "-t", topic, "-p", "0", "-o", f"s@{START_MS + 20_000}", "-c", "1", "-f", "%o\n")
    assert first == "20\n"


def test_kcat_lists_metadata(kcat: Kcat, bootstrap: str, topic: str) -> None:
    rdkafka.create_topic(bootstrap, topic, partitions=3)
    listing = json.loads(kcat("-L", "-J", "-t", topic))
    assert [row["name"] for row in listing["brokers"]] == [bootstrap]
    (row,) = listing["topics"]
    assert row["topic"] == topic
    assert [partition["partition"] for partition in row["partitions"]] == [0, 1, 2]
