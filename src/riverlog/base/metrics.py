"""Metrics, declared once as rows, counted as plain numbers, rendered as Prometheus text in slices.

A row is a declaration; ``Metrics`` holds the numbers of one broker (a process may run several). Hot
paths keep the object they count on and touch only its slots::

    bytes_in = metrics[BYTES_IN].child("orders")
    bytes_in.value += len(batch)
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar, cast


class Counter:
    """Only grows: ``counter.value += n``."""

    __slots__ = ("value",)
    kind = "counter"

    def __init__(self) -> None:
        self.value: float = 0


class Gauge:
    """Goes up and down; with ``read`` set it is asked at rendering instead."""

    __slots__ = ("read", "value")
    kind = "gauge"

    def __init__(self) -> None:
        self.value: float = 0
        self.read: Callable[[], float] | None = None


class Histogram:
    """Counts per bucket; a value equal to a bound falls into that bucket."""

    __slots__ = ("bounds", "counts", "sum")
    kind = "histogram"

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.sum: float = 0

    def observe(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value

    @property
    def count(self) -> int:
        return sum(self.counts)


class Rate:
    """Per-second rate of a counter over the last ``window`` ticks; shown as a gauge."""

    __slots__ = ("_samples", "value")
    kind = "gauge"

    def __init__(self, window: int = 15) -> None:
        self.value: float = 0.0
        self._samples: deque[tuple[float, float]] = deque(maxlen=window + 1)

    def tick(self, total: float, now: float) -> None:
        """Called about once a second with the counter's total and the monotonic time."""
        self._samples.append((now, total))
        first_time, first_total = self._samples[0]
        self.value = (total - first_total) / (now - first_time) if now > first_time else 0.0


Instrument = Counter | Gauge | Histogram | Rate
M = TypeVar("M", bound=Instrument)

LATENCY_MS_BOUNDS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000)


class MetricRow(Generic[M]):
    """One metric: its name, unit, labels and meaning."""

    __slots__ = ("doc", "labels", "make", "name", "of", "unit")

    def __init__(
        self,
        name: str,
        make: Callable[[], M],
        *,
        unit: str,
        doc: str,
        labels: tuple[str, ...] = (),
        of: MetricRow[Counter] | None = None,
    ) -> None:
        self.name = name
        self.make = make
        self.unit = unit
        self.doc = doc
        self.labels = labels
        self.of = of


METRICS: dict[str, MetricRow[Instrument]] = {}


def _declare(row: MetricRow[M]) -> MetricRow[M]:
    assert row.name not in METRICS, row.name
    METRICS[row.name] = cast(MetricRow[Instrument], row)
    return row


def counter(name: str, *, unit: str, doc: str, labels: tuple[str, ...] = ()) -> MetricRow[Counter]:
    assert name.endswith("_total"), name
    return _declare(MetricRow(name, Counter, unit=unit, doc=doc, labels=labels))


def gauge(name: str, *, unit: str, doc: str, labels: tuple[str, ...] = ()) -> MetricRow[Gauge]:
    return _declare(MetricRow(name, Gauge, unit=unit, doc=doc, labels=labels))


def histogram(
    name: str,
    *,
    unit: str,
    doc: str,
    labels: tuple[str, ...] = (),
    bounds: tuple[float, ...] = LATENCY_MS_BOUNDS,
) -> MetricRow[Histogram]:
    return _declare(MetricRow(name, lambda: Histogram(bounds), unit=unit, doc=doc, labels=labels))


def rate(name: str, *, unit: str, doc: str, of: MetricRow[Counter]) -> MetricRow[Rate]:
    return _declare(MetricRow(name, Rate, unit=unit, doc=doc, of=of))


class Family(Generic[M]):
    """The numbers of one metric: one instrument, or one per combination of label values."""

    __slots__ = ("_children", "collect", "row")

    def __init__(self, row: MetricRow[M]) -> None:
        self.row = row
        self._children: dict[tuple[str, ...], M] = {}
        self.collect: Callable[[], Iterable[tuple[tuple[str, ...], float]]] | None = None
        if not row.labels:
            self._children[()] = row.make()

    def child(self, *values: str) -> M:
        """The instrument for these label values, made at first use."""
        found = self._children.get(values)
        if found is None:
            assert len(values) == len(self.row.labels), (self.row.name, values)
            found = self._children[values] = self.row.make()
        return found

    @property
    def only(self) -> M:
        """The instrument of a metric without labels."""
        return self._children[()]

    def remove(self, *values: str) -> None:
        """Forget a combination, such as a deleted topic's."""
        self._children.pop(values, None)

    def total(self) -> float:
        """Sum over all labels. For counters."""
        return sum(cast(Counter, one).value for one in self._children.values())

    def samples(self) -> Iterator[tuple[tuple[str, ...], M | float]]:
        yield from list(self._children.items())
        if self.collect is not None:
            yield from self.collect()


class Metrics:
    """All numbers of one broker."""

    __slots__ = ("_families",)

    def __init__(self) -> None:
        self._families: dict[str, Family[Instrument]] = {name: Family(row) for name, row in METRICS.items()}

    def __getitem__(self, row: MetricRow[M]) -> Family[M]:
        return cast(Family[M], self._families[row.name])

    def tick(self, now: float) -> None:
        """Move the rates; called about once a second with the monotonic time."""
        for family in self._families.values():
            source = family.row.of
            if source is not None:
                cast(Rate, family.only).tick(self[source].total(), now)

    def render(self, *, lines: int = 500) -> Iterator[bytes]:
        """The text exposition in chunks of about ``lines`` lines, so that a scrape never holds the loop.

        What changes between two chunks may show in the second; each metric's lines stay together.
        """
        out: list[str] = []
        for family in self._families.values():
            row = family.row
            out.append(f"# HELP {row.name} {_help(row.doc, row.unit)}")
            out.append(f"# TYPE {row.name} {row.make().kind}")
            for values, instrument in family.samples():
                _sample(out, row.name, _labels(row.labels, values), instrument)
                if len(out) >= lines:
                    yield ("\n".join(out) + "\n").encode()
                    out = []
        if out:
            yield ("\n".join(out) + "\n").encode()


def _help(doc: str, unit: str) -> str:
    return f"{doc} ({unit})".replace("\\", "\\\\").replace("\n", "\\n")


def _labels(names: tuple[str, ...], values: tuple[str, ...]) -> str:
    return ",".join(f'{name}="{_escape(value)}"' for name, value in zip(names, values, strict=True))


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _number(value: float) -> str:
    if isinstance(value, int):
        return str(value)
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "+Inf" if value > 0 else "-Inf"
    return repr(value)


def _sample(out: list[str], name: str, labels: str, instrument: Instrument | float) -> None:
    braces = f"{{{labels}}}" if labels else ""
    match instrument:
        case Histogram():
            separator = "," if labels else ""
            seen = 0
            for bound, count in zip(instrument.bounds, instrument.counts, strict=False):
                seen += count
                out.append(f'{name}_bucket{{{labels}{separator}le="{bound:g}"}} {seen}')
            seen += instrument.counts[-1]
            out.append(f'{name}_bucket{{{labels}{separator}le="+Inf"}} {seen}')
            out.append(f"{name}_sum{braces} {_number(instrument.sum)}")
            out.append(f"{name}_count{braces} {seen}")
        case Gauge():
            value = instrument.value if instrument.read is None else instrument.read()
            out.append(f"{name}{braces} {_number(value)}")
        case Counter() | Rate():
            out.append(f"{name}{braces} {_number(instrument.value)}")
        case _:
            out.append(f"{name}{braces} {_number(instrument)}")
