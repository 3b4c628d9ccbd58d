"""The checkers of transactional histories, on histories made by hand."""

from __future__ import annotations

import pytest

from riverlog.sim.checkers import Violation
from riverlog.sim.cluster_txn_graph import build, check, components
from riverlog.sim.cluster_txn_history import Attempt, History, Outcome, Place

A: Place = ("lists", 0)
B: Place = ("lists", 1)
C: Place = ("copies", 0)


class Story:
    """A history in short words; time counts up by itself."""

    def __init__(self) -> None:
        self.history = History()
        self.now = 0.0

    def tick(self) -> float:
        self.now += 1.0
        return self.now

    def begin(self, epoch: int = 0, who: str = "writer") -> Attempt:
        return self.history.begin(who, "id", 7, epoch, self.tick())

    def ask(self, attempt: Attempt) -> None:
        self.history.asks_commit(attempt, self.tick())

    def commit(self, attempt: Attempt) -> None:
        self.ask(attempt)
        self.history.committed(attempt, self.tick())

    def read(
        self,
        place: Place,
        end: int,
        records: list[tuple[int, str]],
        *,
        start: int = 0,
        by: Attempt | None = None,
    ) -> None:
        self.history.read(
            "reader",
            place,
            start,
            end,
            records,
            now=self.tick(),
            attempt=by,
        )


def test_a_committed_transaction_is_seen_whole() -> None:
    story = Story()
    one = story.begin()
    first, second = story.history.write(one, A), story.history.write(one, B)
    story.commit(one)
    story.read(A, 2, [(0, first)])
    story.read(B, 2, [(0, second)])
    story.history.check_end()
    assert one.outcome is Outcome.COMMITTED


def test_a_record_is_not_seen_before_its_commit_is_asked_for() -> None:
    story = Story()
    one = story.begin()
    record = story.history.write(one, A)
    with pytest.raises(Violation, match="its commit was not asked for"):
        story.read(A, 1, [(0, record)])


def test_an_aborted_record_is_not_seen() -> None:
    story = Story()
    one = story.begin()
    record = story.history.write(one, A)
    story.history.aborted(one, story.tick())
    with pytest.raises(Violation, match="of an aborted one"):
        story.read(A, 1, [(0, record)])


def test_a_record_that_was_seen_cannot_be_refused_later() -> None:
    story = Story()
    one = story.begin()
    record = story.history.write(one, A)
    story.ask(one)
    story.read(A, 1, [(0, record)])
    with pytest.raises(Violation, match="was seen at"):
        story.history.aborted(one, story.tick())


def test_what_was_given_up_before_its_commit_is_aborted() -> None:
    story = Story()
    one, other = story.begin(), story.begin()
    story.history.write(one, A)
    story.history.given_up(one, story.tick())
    story.ask(other)
    story.history.given_up(other, story.tick())
    assert (one.outcome, other.outcome) == (Outcome.ABORTED, Outcome.UNKNOWN)


def test_an_offset_is_the_same_for_every_reader() -> None:
    story = Story()
    one = story.begin()
    record = story.history.write(one, A)
    story.commit(one)
    story.read(A, 2, [(0, record)])
    with pytest.raises(Violation, match="0 is hidden to reader, was 1/0"):
        story.read(A, 2, [])


def test_what_was_hidden_once_stays_hidden() -> None:
    story = Story()
    one = story.begin()
    record = story.history.write(one, A)
    story.ask(one)
    story.read(A, 2, [])
    with pytest.raises(Violation, match="0 is 1/0 to reader, was hidden"):
        story.read(A, 2, [(0, record)])


def test_a_record_stands_in_one_place() -> None:
    story = Story()
    one = story.begin()
    record = story.history.write(one, A)
    story.commit(one)
    with pytest.raises(Violation, match="was also at"):
        story.read(A, 3, [(0, record), (1, record)])


def test_an_unknown_record_is_found() -> None:
    with pytest.raises(Violation, match="was never sent"):
        Story().read(A, 1, [(0, "9/9")])


def test_a_transaction_is_seen_from_its_begin_on() -> None:
    """Its end may be behind another one that is open."""
    story = Story()
    one = story.begin()
    first, second, _ = (story.history.write(one, A) for _ in range(3))
    story.commit(one)
    story.read(A, 1, [(0, first)])
    story.read(A, 3, [(0, first), (2, second)])


@pytest.mark.parametrize("seen", [(1,), (0, 2), (1, 0)])
def test_a_transaction_is_not_seen_with_gaps(seen: tuple[int, ...]) -> None:
    story = Story()
    one = story.begin()
    records = [story.history.write(one, A) for _ in range(3)]
    story.commit(one)
    with pytest.raises(Violation, match="is seen without"):
        story.read(A, 3, [(offset, records[number]) for offset, number in enumerate(seen)])


def test_a_committed_record_that_cannot_be_read_is_missed() -> None:
    story = Story()
    one = story.begin()
    first = story.history.write(one, A)
    story.history.write(one, B)
    story.commit(one)
    story.read(A, 2, [(0, first)])
    with pytest.raises(Violation, match=r"\['1/1'\] cannot be read"):
        story.history.check_end()


def test_one_that_nobody_was_told_of_is_there_whole_or_not() -> None:
    story = Story()
    one, other = story.begin(), story.begin()
    first = story.history.write(one, A)
    story.history.write(one, B)
    story.history.write(other, A)
    for attempt in (one, other):
        story.ask(attempt)
        story.history.given_up(attempt, story.tick())
    story.history.view(B)
    story.read(A, 1, [(0, first)])
    with pytest.raises(Violation, match="2 were written"):
        story.history.check_end()


def test_one_that_is_open_in_the_end_is_found() -> None:
    story = Story()
    story.begin()
    with pytest.raises(Violation, match="still open"):
        story.history.check_end()


def test_what_began_later_comes_later() -> None:
    story = Story()
    one = story.begin()
    first = story.history.write(one, A)
    story.commit(one)
    two = story.begin()
    second = story.history.write(two, A)
    story.commit(two)
    story.read(A, 2, [(0, second), (1, first)])
    with pytest.raises(Violation, match="which began later"):
        story.history.check_end()


def test_a_fenced_epoch_is_not_acknowledged() -> None:
    story = Story()
    story.history.granted("zombie", 7, 0, story.tick())
    zombie = story.begin(who="zombie")
    sent_before = story.tick()
    story.history.granted("other", 7, 1, story.tick())
    story.history.acknowledged(zombie, "Produce", sent_before)
    story.history.granted("other", 7, 2, story.tick() + 10.0)
    with pytest.raises(Violation, match="other has epoch 1"):
        story.history.acknowledged(zombie, "Produce", story.tick())


def test_an_epoch_has_one_owner() -> None:
    story = Story()
    story.history.granted("one", 7, 0, 1.0)
    story.history.granted("one", 7, 0, 2.0)
    with pytest.raises(Violation, match="given to one and to two"):
        story.history.granted("two", 7, 0, 3.0)


# -- copies ------------------------------------------------------------------------------------


def copied(*sources: int, offset: int) -> None:
    """Inputs 0, 1 and 3 of A; copies of these, and a group that stands at ``offset``."""
    story = Story()
    history = story.history
    one = story.begin()
    inputs = [history.write(one, A) for _ in range(3)]
    story.commit(one)
    story.read(A, 5, list(zip((0, 1, 3), inputs, strict=True)))
    two = story.begin()
    copies = [history.write(two, C, source=(A, source)) for source in sources]
    story.commit(two)
    story.read(C, len(copies) + 1, list(enumerate(copies)))
    history.check_end()
    history.check_copies("copies", [A], {A: offset})


def test_copies_of_all_that_was_committed() -> None:
    copied(0, 1, 3, offset=5)
    copied(0, 1, offset=2)
    copied(0, 1, offset=3)


@pytest.mark.parametrize(
    ("sources", "offset", "what"),
    [
        ((0, 3), 5, r"\[1\] were not copied"),
        ((0, 1, 3), 2, r"\[3\] were and should not be"),
        ((0, 1), 5, r"\[3\] were not copied"),
        ((0, 1, 1, 3), 5, "was copied as"),
        ((1, 0, 3), 5, "follows that of 1"),
    ],
)
def test_wrong_copies_are_found(sources: tuple[int, ...], offset: int, what: str) -> None:
    with pytest.raises(Violation, match=what):
        copied(*sources, offset=offset)


# -- cycles ------------------------------------------------------------------------------------


def test_write_cycles_are_counted_and_allowed() -> None:
    """G0: two producers, one order here and the other there."""
    story = Story()
    history = story.history
    one, two = story.begin(), story.begin()
    one_a, one_b = history.write(one, A), history.write(one, B)
    two_a, two_b = history.write(two, A), history.write(two, B)
    story.commit(one)
    story.commit(two)
    story.read(A, 2, [(0, one_a), (1, two_a)])
    story.read(B, 2, [(0, two_b), (1, one_b)])
    assert build(history).cycles("ww") == [[1, 2]]
    assert check(history)["G0"] == 1


def test_information_that_flows_in_a_circle_is_forbidden() -> None:
    story = Story()
    history = story.history
    one, two = story.begin(), story.begin()
    one_a, two_b = history.write(one, A), history.write(two, B)
    story.ask(one)
    story.ask(two)
    story.read(A, 1, [(0, one_a)], by=two)
    story.read(B, 1, [(0, two_b)], by=one)
    with pytest.raises(Violation, match="in a circle"):
        check(history)


def test_a_read_that_missed_a_write_is_an_anti_dependency() -> None:
    """Write skew: allowed, and counted."""
    story = Story()
    history = story.history
    one, two = story.begin(), story.begin()
    one_a, two_b = history.write(one, A), history.write(two, B)
    story.read(A, 0, [], by=two)
    story.read(B, 0, [], by=one)
    story.commit(one)
    story.commit(two)
    story.read(A, 1, [(0, one_a)])
    story.read(B, 1, [(0, two_b)])
    assert build(history).rw == {1: {2: None}, 2: {1: None}}
    assert check(history) == {"G0": 0, "G1c": 0, "G2": 1}


def test_an_aborted_reader_leads_nowhere() -> None:
    story = Story()
    history = story.history
    one, two = story.begin(), story.begin()
    one_a = history.write(one, A)
    history.write(two, B)
    story.commit(one)
    story.read(A, 1, [(0, one_a)], by=two)
    history.aborted(two, story.tick())
    assert build(history).wr == {}


def test_components_are_found_without_recursion() -> None:
    chain = {number: [number + 1] for number in range(5_000)}
    assert components(chain) == []
    assert components({**chain, 5_000: [4_998]}) == [[4_998, 4_999, 5_000]]
    assert components({1: [2], 2: [1], 3: [4], 4: [5], 5: [3], 6: [1]}) == [[1, 2], [3, 4, 5]]
