"""Clean stops, and starts that cannot be: one clear line and exit code 1."""

from __future__ import annotations

import socket
import subprocess
from pathlib import Path

import pytest
from e2ekit.ledger import Ledger
from e2ekit.raw import FETCH_VERSION, Raw, batch, create_topic, fetch, fetch_request, metadata, produce
from e2ekit.targets import MakeBroker

from riverlog.protocol.apis import ApiKey

CLEAN_MARKER = ".kafka_cleanshutdown"
CLEAN_EXIT_CODES = {0, 143}  # a JVM ends with the signal's number


def failed_start(command: list[str]) -> str:
    """Run it to its end, which must be soon and with one line; answers the line."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    lines = (done.stdout + done.stderr).strip().splitlines()
    assert done.returncode == 1, (done.returncode, lines)
    assert len(lines) == 1, lines
    return lines[0]


def test_sigterm_marks_the_folder_clean_and_the_next_start_recovers_nothing(make_broker: MakeBroker) -> None:
    broker = make_broker()
    marker = broker.folder / "data" / CLEAN_MARKER
    broker.start()
    with Raw(broker.bootstrap) as raw:
        create_topic(raw, "kept")
        assert produce(raw, "kept", batch([b"a", b"b"])).error_code == 0
    broker.stop()
    assert broker.exit_code in CLEAN_EXIT_CODES
    assert marker.exists()
    said_before = len(broker.said())
    broker.start()
    assert not marker.exists(), "the marker is void once the broker writes again"
    assert "unclean" not in broker.said()[said_before:]
    with Raw(broker.bootstrap) as raw:
        assert fetch(raw, "kept", 0).high_watermark == 2
        assert produce(raw, "kept", batch([b"c"])).base_offset == 2


def test_kill_leaves_no_marker_and_the_next_start_recovers(make_broker: MakeBroker, ours: None) -> None:
    broker = make_broker()
    broker.start()
    with Raw(broker.bootstrap) as raw:
        create_topic(raw, "kept")
        assert produce(raw, "kept", batch([b"a", b"b"])).error_code == 0
    broker.kill()
    assert not (broker.folder / "data" / CLEAN_MARKER).exists()
    said_before = len(broker.said())
    broker.start()
    assert "unclean" in broker.said()[said_before:]
    with Raw(broker.bootstrap) as raw:
        assert fetch(raw, "kept", 0).high_watermark == 2


def test_sigterm_under_load_loses_nothing(make_broker: MakeBroker) -> None:
    broker = make_broker()
    broker.start()
    with Raw(broker.bootstrap) as raw:
        create_topic(raw, "load", partitions=3)
    ledger = Ledger(broker.bootstrap, "load", 3, **{"enable.idempotence": True})
    ledger.send_until_acknowledged(3_000)
    broker.stop()
    broker.start()
    ledger.send_until_acknowledged(6_000)
    ledger.finish()
    assert not ledger.errors
    ledger.check(broker.bootstrap)


def test_sigterm_does_not_wait_for_parked_fetches(make_broker: MakeBroker) -> None:
    broker = make_broker()
    broker.start()
    with Raw(broker.bootstrap) as raw:
        create_topic(raw, "quiet")
        raw.send_request(ApiKey.FETCH, FETCH_VERSION, fetch_request("quiet", 0, max_wait_ms=60_000))
        assert broker.stop() < 10
    assert broker.exit_code in CLEAN_EXIT_CODES


def test_a_second_broker_on_the_same_folder_is_refused(make_broker: MakeBroker, ours: None) -> None:
    first = make_broker("one")
    first.start()
    folder = str(first.folder / "data")
    second = make_broker("two", log_dirs=folder)
    assert folder in failed_start(second.command())
    with Raw(first.bootstrap) as raw:
        assert metadata(raw).brokers, "the first broker serves on"
    first.stop()
    second.start()
    with Raw(second.bootstrap) as raw:
        assert metadata(raw).brokers, "the folder is free after a stop"


def test_the_lock_of_a_killed_broker_is_free(make_broker: MakeBroker, ours: None) -> None:
    first = make_broker("one")
    first.start()
    first.kill()
    second = make_broker("two", log_dirs=str(first.folder / "data"))
    second.start()
    with Raw(second.bootstrap) as raw:
        assert metadata(raw).brokers


def test_a_port_in_use_is_one_line(make_broker: MakeBroker, ours: None) -> None:
    broker = make_broker()
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", broker.port))
        holder.listen()
        assert str(broker.port) in failed_start(broker.command())


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("num.partitions=many", "num.partitions"),
        ("log.segment.bytes=-5", "log.segment.bytes"),
        ("log.retention.hours=", "log.retention.hours"),
        ("listeners=PLAINTEXT://127.0.0.1:notaport", "listeners"),
        ("listeners=NOSUCH://127.0.0.1:0", "NOSUCH"),
        ("justaword", "justaword"),
    ],
)
def test_a_bad_setting_is_one_line_that_names_it(
    make_broker: MakeBroker, ours: None, setting: str, expected: str
) -> None:
    program, start, *options = make_broker().command()
    if setting.startswith("listeners"):
        assert options[0] == "--port"
        options = options[2:]  # it would replace the setting
    assert expected in failed_start([program, start, *options, "--set", setting])


def test_a_bad_properties_file_is_one_line(make_broker: MakeBroker, tmp_path: Path, ours: None) -> None:
    command = make_broker().command()
    missing = tmp_path / "missing.properties"
    assert str(missing) in failed_start([*command, "--config", str(missing)])
    wrong = tmp_path / "server.properties"
    wrong.write_text("# a comment\nnum.partitions = ten\n")
    assert "num.partitions" in failed_start([*command, "--config", str(wrong)])


def test_a_setting_nobody_knows_is_mentioned_and_the_broker_starts(
    make_broker: MakeBroker, ours: None
) -> None:
    """As in Kafka: a properties file may hold settings of plug-ins."""
    broker = make_broker(no_such_setting="1")
    broker.start()
    assert "no.such.setting" in broker.said()


def test_a_file_in_place_of_the_folder_is_one_line(
    make_broker: MakeBroker, tmp_path: Path, ours: None
) -> None:
    taken = tmp_path / "taken"
    taken.write_text("not a folder")
    assert str(taken) in failed_start(make_broker(log_dirs=str(taken)).command())


def test_a_folder_of_another_node_is_refused_and_unchanged(make_broker: MakeBroker, ours: None) -> None:
    first = make_broker("one")
    first.start()
    first.stop()
    folder = first.folder / "data"
    before = sorted((path.name, path.stat().st_size) for path in folder.rglob("*"))
    other = make_broker("two", log_dirs=str(folder), node_id="77")
    assert "node.id" in failed_start(other.command())
    assert sorted((path.name, path.stat().st_size) for path in folder.rglob("*")) == before
