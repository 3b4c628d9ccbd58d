"""At most once: no order is handled twice; one that was in hand when the program died is lost.

For what must never happen twice and may be missed: a reminder, a sample, a push message.

    python examples/at_most_once.py 127.0.0.1:9092 sent.txt
"""

from __future__ import annotations

import os
import sys

from riverlog.clients import Consumer, Record


def handle(record: Record, file: int) -> None:
    """What must not happen twice. Here: a line in a file, there as soon as this returns."""
    os.write(file, (record.value or b"") + b"\n")


def main(bootstrap: str, path: str) -> None:
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    # A fixed instance id: after a crash the next start takes the place of the dead one at once.
    config = {"group.instance.id": "reminders-1"}
    with Consumer(bootstrap, "orders", group="reminders", auto_commit=False, config=config) as consumer:
        for record in consumer:
            # First the offset, durably: whatever happens from here on, this record does not come again.
            consumer.commit(record)
            handle(record, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
