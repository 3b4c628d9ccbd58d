"""The scenarios every group consumer must pass, whatever client it is written with."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from clientkit import rdkafka
from clientkit.lines import LineClient
from clientkit.samples import START_MS, Sample

PARTITIONS = 6
EVERYTHING = set(range(PARTITIONS))
SECONDS_MAX = 15.0
LOOK_SECONDS = 0.05
SESSION_MS = 3_000
LONG_SESSION_MS = 15_000  # a restarted static member must be back before this
HEARTBEAT_MS = 200

Host = Callable[[], LineClient]


def python_host(kind: str, bootstrap: str) -> LineClient:
    """A process for members of a Python client."""
    here = str(Path(__file__).resolve().parent.parent)
    command = [sys.executable, "-m", "clientkit.members.host", kind, bootstrap]
    return LineClient(command, env={"PYTHONPATH": here})


class Crew:
    """The members of one group; ``hosts`` are the processes they live in."""

    def __init__(
        self,
        host: LineClient,
        bootstrap: str,
        topic: str,
        assignor: str,
        *,
        session_ms: int = SESSION_MS,
        copies: int = 1,
        patience: float = SECONDS_MAX,
    ) -> None:
        self.bootstrap = bootstrap
        self.topic = topic
        self.group = f"{topic}-{assignor}"
        self._wish = {
            "group": self.group,
            "topic": topic,
            "assignor": assignor,
            "session_ms": session_ms,
            "heartbeat_ms": HEARTBEAT_MS,
        }
        self._host = host
        self._hosts: dict[str, LineClient] = {}
        self._gone: list[str] = []
        self._sent: list[str] = []
        self._producer = rdkafka.producer(bootstrap, linger_ms=0)
        self._patience = patience
        rdkafka.create_topic(bootstrap, topic, partitions=PARTITIONS, copies=copies)

    def join(
        self,
        name: str,
        *,
        host: LineClient | None = None,
        instance: str | None = None,
        assignor: str | None = None,
    ) -> None:
        self._hosts[name] = host or self._host
        wish = {**self._wish, "assignor": assignor or self._wish["assignor"]}
        self._hosts[name].call("join", name=self._full(name), instance=instance, **wish)

    def leave(self, name: str) -> None:
        left = self._hosts[name].call("leave", name=self._full(name))
        assert left["error"] is None, left["error"]
        del self._hosts[name]
        self._gone += left["committed"]

    def crash(self, name: str) -> None:
        """Kill the process of a member, which must live in one of its own."""
        self._gone += self.state(name)["committed"]
        self._hosts.pop(name).close()

    def close(self) -> None:
        for name in list(self._hosts):
            self.leave(name)

    def state(self, name: str) -> dict[str, Any]:
        state: dict[str, Any] = self._hosts[name].call("state", name=self._full(name))
        assert state["error"] is None, f"{name}: {state['error']}"
        return state

    def assignment(self) -> dict[str, set[int]]:
        return {name: set(self.state(name)["assigned"]) for name in self._hosts}

    def wait_until_each_has(self, count: int) -> dict[str, set[int]]:
        """Until the partitions are dealt out, ``count`` to each member; gives who has what."""
        assert len(self._hosts) * count == PARTITIONS
        return self.wait_until_shared()

    def wait_until_shared(self) -> dict[str, set[int]]:
        """Until every partition has one owner and nobody two more than another; gives who has what."""

        def dealt() -> dict[str, set[int]] | None:
            now = self.assignment()
            sizes = [len(partitions) for partitions in now.values()]
            shared = sum(sizes) == PARTITIONS and set().union(*now.values()) == EVERYTHING
            return now if shared and max(sizes) - min(sizes) <= 1 else None

        return self._wait(dealt, lambda: f"partitions: {self.assignment()}")

    def send(self, count: int = 5) -> None:
        """``count`` records to every partition."""
        for partition in range(PARTITIONS):
            records = [Sample(None, b"%d" % i, START_MS) for i in range(count)]
            for message in rdkafka.send(self._producer, self.topic, records, partition=partition):
                self._sent.append(f"{message.partition()}:{message.offset()}")

    def wait_until_read(self) -> None:
        """Until every record sent so far is behind a commit, each exactly once."""

        def missing() -> set[str]:
            return set(self._sent) - set(self.committed())

        self._wait(lambda: not missing() or None, lambda: f"not read: {sorted(missing())}")
        assert sorted(self.committed()) == sorted(self._sent)

    def committed(self) -> list[str]:
        return [place for name in self._hosts for place in self.state(name)["committed"]] + self._gone

    def protocol(self) -> str:
        """The kind of group the broker takes it for."""
        listed = rdkafka.admin(self.bootstrap).list_consumer_groups().result(rdkafka.WAIT_SECONDS)
        (found,) = (row.type.name for row in listed.valid if row.group_id == self.group)
        return str(found)

    def _full(self, name: str) -> str:
        return f"{self.group}-{name}"

    def _wait(self, look: Callable[[], Any], trouble: Callable[[], str]) -> Any:
        deadline = time.monotonic() + self._patience
        pause = threading.Event()
        while True:
            found = look()
            if found is not None:
                return found
            assert time.monotonic() < deadline, f"not in {self._patience:.0f} s; {trouble()}"
            pause.wait(LOOK_SECONDS)


@contextmanager
def crew(host: LineClient, bootstrap: str, topic: str, assignor: str, **options: Any) -> Iterator[Crew]:
    made = Crew(host, bootstrap, topic, assignor, **options)
    try:
        yield made
    except BaseException:
        with suppress(AssertionError, OSError):  # what went wrong first is what counts
            made.close()
        raise
    made.close()


def join_scale_and_crash(new_host: Host, host: LineClient, bootstrap: str, topic: str, assignor: str) -> None:
    """One member has everything, three share it, two take over from one that was killed, one stays."""
    with crew(host, bootstrap, topic, assignor) as group:
        group.join("a")
        group.send()
        group.wait_until_each_has(6)
        group.wait_until_read()
        group.join("b")
        group.join("c", host=new_host())
        group.wait_until_each_has(2)
        group.send()
        group.wait_until_read()
        group.crash("c")
        group.wait_until_each_has(3)
        group.send()
        group.wait_until_read()
        group.leave("b")
        group.wait_until_each_has(6)
        group.send()
        group.wait_until_read()


def static_rolling_restart(host: LineClient, bootstrap: str, topic: str, assignor: str) -> None:
    """Each of three static members restarts and finds its partitions; the others notice nothing."""
    names = ["a", "b", "c"]
    with crew(host, bootstrap, topic, assignor, session_ms=LONG_SESSION_MS) as group:
        for name in names:
            group.join(name, instance=f"instance-{name}")
        before = group.wait_until_each_has(2)
        group.send()
        group.wait_until_read()
        for name in names:
            others = [other for other in names if other != name]
            seen = {other: _callbacks(group, other) for other in others}
            group.leave(name)
            group.join(name, instance=f"instance-{name}")
            assert group.wait_until_each_has(2) == before
            group.send()
            group.wait_until_read()
            assert {other: _callbacks(group, other) for other in others} == seen


def _callbacks(group: Crew, name: str) -> tuple[int, int]:
    """How often a member was given and lost partitions; calls that name none do not count."""
    state = group.state(name)
    return len([call for call in state["gained"] if call]), len([call for call in state["lost"] if call])


def cooperative_handover(host: LineClient, bootstrap: str, topic: str, assignor: str) -> None:
    """A third member takes two partitions over; the others never let go of those they keep."""
    with crew(host, bootstrap, topic, assignor) as group:
        group.join("a")
        group.join("b")
        before = group.wait_until_each_has(3)
        seen = {name: len(group.state(name)["lost"]) for name in before}
        group.send()
        group.join("c")
        group.send()  # read while the group changes hands
        after = group.wait_until_each_has(2)
        group.send()
        group.wait_until_read()
        for name, kept in ((name, after[name]) for name in before):
            assert kept < before[name]
            lost = [partition for call in group.state(name)["lost"][seen[name] :] for partition in call]
            assert set(lost) == before[name] - kept
        assert after["c"] == EVERYTHING - after["a"] - after["b"]


def online_migration(host: LineClient, bootstrap: str, topic: str, assignor: str) -> None:
    """Members of a classic group are replaced one by one by members of KIP-848, and back again."""
    with crew(host, bootstrap, topic, assignor) as group:
        group.join("a")
        group.join("b")
        group.wait_until_each_has(3)
        assert group.protocol() == "CLASSIC"
        for protocol, steps in (
            ("CONSUMER", [("c", "consumer", "a"), ("d", "consumer", "b")]),
            ("CLASSIC", [("e", assignor, "c"), ("f", assignor, "d")]),
        ):
            for new, kind, old in steps:
                group.send()
                group.wait_until_read()
                group.join(new, assignor=kind)
                group.wait_until_each_has(2)
                group.send()
                group.wait_until_read()
                group.leave(old)
                group.wait_until_each_has(3)
            assert group.protocol() == protocol
        group.send()
        group.wait_until_read()
