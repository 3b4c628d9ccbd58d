"""Transactions that a log must not let begin before their coordinator said that they are under way (KIP-890).

The first batch of a transaction is held back while the coordinator is asked. The guard that was given out for
it must still stand when the answer is here: a marker takes it away, so that a late batch never begins a
transaction that nobody will end.
"""

from __future__ import annotations

from riverlog.base.errors import ErrorCode
from riverlog.records import BatchHeader
from riverlog.storage.errors import AppendError

_SEQUENCE_SPAN = 1 << 31
_NO_SEQUENCE = -1
GUARDS_MAX = 5_000
"""Verifications under way in one log; the oldest goes first. Whoever names a producer begins one, and
those that stay came to nothing."""


class VerificationGuard:
    """One verification of one producer; equal only to itself."""

    __slots__ = ("lowest_sequence", "producer_epoch", "seen_ms", "starts_at_zero")

    def __init__(self, producer_epoch: int, sequence: int, *, starts_at_zero: bool) -> None:
        self.producer_epoch = producer_epoch
        self.lowest_sequence = sequence
        """Of all batches that wait for this verification: none of them may overtake that one."""
        self.starts_at_zero = starts_at_zero
        """Every transaction has an epoch of its own: its first batch in a log has sequence 0."""
        self.seen_ms: int | None = None
        """When expiry first saw it."""


UNVERIFIED = VerificationGuard(-1, _NO_SEQUENCE, starts_at_zero=False)
"""For an append where verification is off, or that needs none."""


class Verifications:
    """Guards that stand, by producer id. Only leaders have any."""

    __slots__ = ("_guards",)

    def __init__(self) -> None:
        self._guards: dict[int, VerificationGuard] = {}

    def __len__(self) -> int:
        return len(self._guards)

    def begin(
        self, producer_id: int, producer_epoch: int, sequence: int, *, starts_at_zero: bool
    ) -> VerificationGuard:
        guard = self._guards.get(producer_id)
        if guard is None or producer_epoch > guard.producer_epoch:
            guard = VerificationGuard(producer_epoch, sequence, starts_at_zero=starts_at_zero)
            self._guards.pop(producer_id, None)
            self._guards[producer_id] = guard
            if len(self._guards) > GUARDS_MAX:
                del self._guards[next(iter(self._guards))]
        elif producer_epoch < guard.producer_epoch:
            # Of a fenced producer: it is told so by the coordinator, and never stands here.
            return VerificationGuard(producer_epoch, sequence, starts_at_zero=starts_at_zero)
        elif is_after(guard.lowest_sequence, sequence):
            guard.lowest_sequence = sequence
        return guard

    def check(self, header: BatchHeader, guard: VerificationGuard | None, *, knows_batches: bool) -> None:
        """Whether this batch may begin a transaction. Raises ``AppendError``."""
        if guard is UNVERIFIED:
            return
        if guard is None or self._guards.get(header.producer_id) is not guard:
            raise AppendError(
                ErrorCode.INVALID_TXN_STATE,
                f"producer {header.producer_id}: this batch belongs to no transaction under way",
            )
        sequence = header.base_sequence
        if sequence == _NO_SEQUENCE:
            return
        if is_after(sequence, guard.lowest_sequence):
            raise AppendError(
                ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
                f"producer {header.producer_id}: sequence {sequence} before {guard.lowest_sequence}, "
                "which was not verified yet",
            )
        if guard.starts_at_zero and sequence != 0 and not knows_batches:
            raise AppendError(
                ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
                f"producer {header.producer_id}: the transaction starts with sequence {sequence}",
            )

    def end(self, producer_id: int) -> None:
        """The transaction began or ended in the log."""
        self._guards.pop(producer_id, None)

    def remove_expired(self, now_ms: int, expiration_ms: int) -> None:
        """Forget those that came to nothing long ago."""
        expired = []
        for producer_id, guard in self._guards.items():
            if guard.seen_ms is None:
                guard.seen_ms = now_ms
            elif now_ms - guard.seen_ms >= expiration_ms:
                expired.append(producer_id)
        for producer_id in expired:
            del self._guards[producer_id]

    def clear(self) -> None:
        self._guards.clear()


def is_after(sequence: int, other: int) -> bool:
    """Sequences wrap: the nearer way round counts."""
    return 0 < (sequence - other) % _SEQUENCE_SPAN < _SEQUENCE_SPAN // 2
