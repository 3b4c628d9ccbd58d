"""The metric table and its text form."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

from riverlog.base import metric_table as table
from riverlog.base.metrics import METRICS, Metrics


def _read(metrics: Metrics, lines: int = 500) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    text = b"".join(metrics.render(lines=lines)).decode()
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_every_metric_is_rendered_and_parses() -> None:
    metrics = Metrics()
    names = {family.name for family in text_string_to_metric_families(b"".join(metrics.render()).decode())}
    # The parser drops the _total of a counter's family name.
    assert names == {name.removesuffix("_total") for name in METRICS}
    assert all(name.startswith("mq_") for name in METRICS)


def test_counters_gauges_and_labels_show_what_was_counted() -> None:
    metrics = Metrics()
    awkward = 'a "quoted"\\ name\n'
    metrics[table.MESSAGES_IN].child(awkward).value += 3
    metrics[table.MESSAGES_IN].child("b").value += 4
    metrics[table.CONNECTIONS].only.value = 7
    metrics[table.PARTITIONS].only.read = lambda: 12
    metrics[table.LOG_SIZE_BYTES].collect = lambda: [(("t", "0"), 99), (("t", "1"), 1.5)]
    read = _read(metrics)
    assert read["mq_messages_in_total", (("topic", awkward),)] == 3
    assert metrics[table.MESSAGES_IN].total() == 7
    assert read["mq_connections", ()] == 7
    assert read["mq_partitions", ()] == 12
    assert read["mq_log_size_bytes", (("partition", "1"), ("topic", "t"))] == 1.5
    metrics[table.MESSAGES_IN].remove("b")
    assert ("mq_messages_in_total", (("topic", "b"),)) not in _read(metrics)


def test_histogram_buckets_are_cumulative() -> None:
    metrics = Metrics()
    latency = metrics[table.PRODUCE_LATENCY_MS].only
    for value in (0.1, 0.2, 3.0, 99_999.0):
        latency.observe(value)
    read = _read(metrics)
    assert read["mq_produce_latency_ms_bucket", (("le", "0.1"),)] == 1
    assert read["mq_produce_latency_ms_bucket", (("le", "0.25"),)] == 2
    assert read["mq_produce_latency_ms_bucket", (("le", "5"),)] == 3
    assert read["mq_produce_latency_ms_bucket", (("le", "10000"),)] == 3
    assert read["mq_produce_latency_ms_bucket", (("le", "+Inf"),)] == 4
    assert read["mq_produce_latency_ms_count", ()] == 4 == latency.count
    assert read["mq_produce_latency_ms_sum", ()] == latency.sum


def test_a_rate_follows_its_counter_over_the_window() -> None:
    metrics = Metrics()
    messages = metrics[table.MESSAGES_IN].child("t")
    rate = metrics[table.MESSAGES_IN_PER_SEC].only
    metrics.tick(0.0)
    assert rate.value == 0
    for second in range(1, 11):
        messages.value += 100
        metrics.tick(float(second))
    assert rate.value == 100
    for second in range(11, 40):
        metrics.tick(float(second))
    assert rate.value == 0


def test_rendering_comes_in_bounded_slices() -> None:
    metrics = Metrics()
    for number in range(1000):
        metrics[table.BYTES_IN].child(f"topic-{number}").value = number
    chunks = list(metrics.render(lines=100))
    assert len(chunks) >= 10
    # A histogram's lines stay together, so a chunk may run over by one of them.
    assert max(chunk.count(b"\n") for chunk in chunks) <= 130
    assert _read(metrics, lines=100) == _read(metrics)
