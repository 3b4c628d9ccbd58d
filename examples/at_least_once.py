"""At least once: every order is handled; one that was in hand when the program died is handled again.

The right choice where handling twice does no harm: setting a value, sending a file, an upsert by key.

    python examples/at_least_once.py 127.0.0.1:9092 handled.txt
"""

from __future__ import annotations

import os
import sys

from riverlog.clients import Consumer, Record


def handle(record: Record, file: int) -> None:
    """What must not be missed. Here: a line in a file, there as soon as this returns."""
    os.write(file, (record.value or b"") + b"\n")


def main(bootstrap: str, path: str) -> None:
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    # A fixed instance id: after a crash the next start takes the place of the dead one at once.
    config = {"group.instance.id": "archive-1"}
    with Consumer(bootstrap, "orders", group="archive", auto_commit=False, config=config) as consumer:
        for record in consumer:
            handle(record, file)
            # Only now the offset: a crash before this line brings the record again.
            consumer.commit(record)


if __name__ == "__main__":
    main(*sys.argv[1:])
