"""What the active controller has heard from brokers itself: soft state, new with each term of office.

Leadership goes only to brokers that this controller has heard; one that it hears for the first time is
given what waited for it. A broker in controlled shutdown may go once all others know that it leads nothing.
"""

from __future__ import annotations

from riverlog.metadata.image import ClusterState


class Contacts:
    """Reset whenever this node becomes, or no longer is, the active controller."""

    def __init__(self) -> None:
        self._heard: dict[int, tuple[int, int]] = {}
        """Broker epoch and the newest metadata offset it has, by broker id."""
        self._leaving: dict[int, tuple[int, int]] = {}
        """Broker epoch, and the end of the log when its controlled shutdown was decided."""

    def reset(self, _active: bool) -> None:
        self._heard.clear()
        self._leaving.clear()

    def heard(self, broker_id: int, epoch: int, metadata_offset: int) -> bool:
        """A heartbeat came; whether it is the first of this incarnation."""
        known = self._heard.get(broker_id)
        self._heard[broker_id] = (epoch, metadata_offset)
        return known is None or known[0] != epoch

    def forget(self, broker_id: int) -> None:
        """A new incarnation registered, or the broker was unregistered."""
        self._heard.pop(broker_id, None)
        self._leaving.pop(broker_id, None)

    def in_contact(self, broker_id: int) -> bool:
        return broker_id in self._heard

    def leaving(self, broker_id: int, epoch: int, end_offset: int, *, moved: bool) -> None:
        """Its controlled shutdown is decided, in records below ``end_offset``; the last that ``moved``
        something counts."""
        known = self._leaving.get(broker_id)
        if known is None or known[0] != epoch or moved:
            self._leaving[broker_id] = (epoch, end_offset)

    def others_caught_up(self, state: ClusterState, broker_id: int, epoch: int) -> bool:
        """Whether all other brokers in service have what was decided about a leaving one."""
        known = self._leaving.get(broker_id)
        if known is None or known[0] != epoch:
            return False
        return all(
            self._heard.get(other, (0, -1))[1] >= known[1] - 1
            for other, broker in state.brokers.items()
            if other != broker_id and broker.active
        )
