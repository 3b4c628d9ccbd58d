"""The pieces of the cleaner against plain models: the map, the record walk, and whole histories."""

from __future__ import annotations

import contextlib

import pytest
from cleaner_world import HOUR_MS, Compacted, compacted
from hypothesis import given, settings
from hypothesis import strategies as st

from riverlog.records import BatchBuilder, Codec, CorruptBatch, decode_records, read_header
from riverlog.storage import CleanerSettings
from riverlog.storage.cleaner_map import TABLE_SLOTS, OffsetMap
from riverlog.storage.cleaner_records import parse_spans, rebuild, take_payload


def made_map(*, keys: int, buffer_bytes: int = 1 << 24, load_factor: float = 0.9) -> OffsetMap:
    offsets = OffsetMap(buffer_bytes=buffer_bytes, load_factor=load_factor, records=keys, start_offset=0)
    for _ in offsets.allocate():
        pass
    return offsets


def test_map_answers_the_last_offset_of_each_key() -> None:
    offsets = made_map(keys=50_000)
    assert offsets.slots > TABLE_SLOTS
    expected = {}
    for offset in range(120_000):
        expected[b"key %d" % (offset * 7 % 40_000)] = offset
    pairs = [(b"key %d" % (offset * 7 % 40_000), offset) for offset in range(120_000)]
    assert offsets.put(pairs)
    assert offsets.size == 40_000
    keys = list(expected)
    assert offsets.find(keys) == [expected[key] for key in keys]
    assert offsets.find([b"other", b"", b"key -1"]) == [-1, -1, -1]


@pytest.mark.parametrize("buffer_bytes", [1000, 24 * TABLE_SLOTS, 24 * TABLE_SLOTS * 3])
def test_map_stays_within_its_memory_and_says_when_it_is_full(buffer_bytes: int) -> None:
    offsets = made_map(keys=1 << 20, buffer_bytes=buffer_bytes)
    assert offsets.slots * 24 <= buffer_bytes
    count = 0
    while offsets.put([(b"%d" % count, count)]):
        count += 1
    assert offsets.slots * 0.85 <= count == offsets.size <= offsets.slots * 0.9
    assert offsets.put([(b"0", 1 << 40)])  # one that is in it finds its place
    assert offsets.find([b"0", b"1"]) == [1 << 40, 1]


def test_map_is_no_larger_than_the_records_need() -> None:
    assert made_map(keys=100).slots < 200


record_lists = st.lists(
    st.tuples(
        st.one_of(st.none(), st.binary(max_size=90)),
        st.one_of(st.none(), st.binary(max_size=300)),
        st.integers(-(1 << 40), 1 << 40),
        st.integers(1, 300),
    ),
    min_size=1,
    max_size=20,
)


@settings(max_examples=150, deadline=None)
@given(record_lists, st.sampled_from(list(Codec)), st.one_of(st.none(), st.integers(0, 1 << 41)), st.data())
def test_rebuilt_batch_has_just_the_chosen_records(
    records: list[tuple[bytes | None, bytes | None, int, int]],
    codec: Codec,
    horizon_ms: int | None,
    data: st.DataObject,
) -> None:
    builder = BatchBuilder(compression=codec, base_offset=1000)
    offset = 1000
    for key, value, timestamp, step in records:
        builder.append(timestamp=timestamp, key=key, value=value, headers=[("h", None)], offset=offset)
        offset += step
    batch = builder.build(last_offset=offset)
    header = read_header(batch)
    payload = take_payload(batch, 0, header)
    spans, at = parse_spans(payload, 0, header.record_count, header.last_offset_delta)
    assert at == len(payload)
    before = decode_records(batch, 0, header, max_bytes=1 << 20)
    assert [(span[3] + 1000, span[4], span[5]) for span in spans] == [
        (record.offset, record.key, record.value is not None) for record in before
    ]
    chosen = data.draw(st.lists(st.booleans(), min_size=len(spans), max_size=len(spans)))
    if not any(chosen):
        chosen[0] = True
    steps = rebuild(
        header, payload, [span for span, keep in zip(spans, chosen, strict=True) if keep], horizon_ms
    )
    while True:
        try:
            next(steps)
        except StopIteration as done:
            after = done.value
            break
    new = read_header(after)
    kept = [record for record, keep in zip(before, chosen, strict=True) if keep]
    assert decode_records(after, 0, new, max_bytes=1 << 20) == kept
    assert (new.base_offset, new.last_offset) == (header.base_offset, header.last_offset)
    assert new.max_timestamp == max(record.timestamp for record in kept)
    assert new.has_delete_horizon == (horizon_ms is not None)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60), st.integers(0, 5))
def test_malformed_records_raise_nothing_but_corrupt_batch(data: bytes, count: int) -> None:
    with contextlib.suppress(CorruptBatch):
        parse_spans(data, 0, count, 10)


# -- whole histories -----------------------------------------------------------------------------

KEYS = [b"a", b"b", b"c", b"d", b"e"]
DELETE_RETENTION_MS = HOUR_MS

put = st.tuples(
    st.just("put"), st.lists(st.tuples(st.sampled_from(KEYS), st.booleans()), min_size=1, max_size=6)
)
history = st.lists(
    st.one_of(
        put,
        put,
        put,
        st.tuples(st.just("roll"), st.none()),
        st.tuples(st.just("clean"), st.none()),
        st.tuples(st.just("wait"), st.integers(0, 2 * DELETE_RETENTION_MS)),
        st.tuples(st.just("restart"), st.booleans()),
    ),
    max_size=40,
)


class Model:
    """Everything ever written, and when each tombstone was."""

    def __init__(self) -> None:
        self.written: list[tuple[bytes, bytes | None]] = []
        self.when: list[int] = []
        self.latest_ms = 0

    def last(self) -> dict[bytes, int]:
        return {key: offset for offset, (key, _) in enumerate(self.written)}

    def check(self, one: Compacted) -> None:
        found = one.pairs()
        offsets = [offset for offset, _, _ in found]
        assert offsets == sorted(set(offsets))
        for offset, key, value in found:
            assert self.written[offset] == (key, value), "an offset names another record"
        present = set(offsets)
        # A restart sets the world's clock back; a tombstone may have gone before.
        self.latest_ms = max(self.latest_ms, one.now_ms)
        for key, offset in self.last().items():
            value = self.written[offset][1]
            if value is not None:
                assert offset in present, f"the last value of {key!r} is lost"
            elif self.latest_ms - self.when[offset] < DELETE_RETENTION_MS:
                assert offset in present, f"the tombstone of {key!r} went early"
            if offset not in present:
                older = [other for other in present if self.written[other][0] == key]
                assert not older, f"a deleted value of {key!r} is back"


@settings(max_examples=60, deadline=None)
@given(history, st.sampled_from([200, 400, 100_000]), st.sampled_from([31 * 24, 1 << 20]))
def test_any_history_keeps_the_last_value_of_each_key(
    steps: list[tuple[str, object]], segment_bytes: int, buffer_bytes: int
) -> None:
    one = Compacted(
        compacted(segment_bytes=segment_bytes, delete_retention_ms=DELETE_RETENTION_MS),
        CleanerSettings(dedupe_buffer_size=buffer_bytes, io_buffer_load_factor=0.2),
    )
    model = Model()
    for number, (what, given_) in enumerate(steps):
        if what == "put":
            assert isinstance(given_, list)
            records = [
                (key, b"%d.%d" % (number, slot) if live else None) for slot, (key, live) in enumerate(given_)
            ]
            assert one.put(records, compression=number % 5) == len(model.written)
            model.written += records
            model.when += [one.now_ms] * len(records)
        elif what == "roll":
            one.roll()
        elif what == "clean":
            one.clean()
        elif what == "wait":
            assert isinstance(given_, int)
            one.wait(given_)
        else:
            one.settle()
            one.restart(clean=bool(given_))
        model.check(one)
    one.roll()
    one.clean()
    model.check(one)
    live = [(key, offset) for key, offset in model.last().items()]
    found = one.pairs()
    assert {offset for offset, _, _ in found} <= {offset for _, offset in live}, "an older value is left"
