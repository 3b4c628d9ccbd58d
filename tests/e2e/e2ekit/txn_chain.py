"""Read, process, write: librdkafka processors of one group that copy a topic in transactions.

Each is a process: ``python -m e2ekit.txn_chain BOOTSTRAP SOURCE TARGET NUMBER SEED``, which tells what it
does in lines of JSON. What it writes stands in the partition that it was read from. Whatever fails is aborted
and read again, or begun anew with the same transactional id. Now and then it kills itself in the middle of a
transaction. One that falls silent is killed: librdkafka can wait for ever for a group coordinator that has
left the metadata (its issues 5456 and 5511).
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, Message, Producer, TopicPartition

from e2ekit.fault_clients import QUIET, Client

TRANSACTION_MS = 15_000
_STEP_SECONDS = 10.0
_READ_MAX = 200
_CRASH_RATE = 0.03
_ABORT_RATE = 0.1
_SILENT_SECONDS_MAX = 45.0  # longer than the steps of one transaction may take together


class Processor(Client):
    """Keeps a process at work; ``counts`` says what it has been through."""

    def __init__(self, number: int, bootstrap: str, source: str, target: str, seed: int) -> None:
        super().__init__(f"processor {number}")
        self.counts: Counter[str] = Counter()
        self.troubles: list[str] = []
        module = [sys.executable, "-X", "faulthandler", "-m", "e2ekit.txn_chain"]
        self._command = [*module, bootstrap, source, target, str(number)]
        self._seed = seed

    def work(self) -> None:
        here = str(Path(__file__).resolve().parent.parent)
        while not self._stop_asked.is_set():
            self.counts["starts"] += 1
            command = [*self._command, f"{self._seed}/{self.counts['starts']}"]
            env = {**os.environ, "PYTHONPATH": here}
            pipe = subprocess.PIPE
            with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=env) as process:
                listener = threading.Thread(target=self._listen, args=(process,), daemon=True)
                self._heard_at = time.monotonic()
                listener.start()
                while process.poll() is None and not self._stop_asked.wait(0.1):
                    if time.monotonic() - self._heard_at > _SILENT_SECONDS_MAX:
                        self.counts["killed when silent"] += 1
                        self.troubles.append(_where(process))
                        break
                process.kill()
                listener.join()

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self._heard_at = time.monotonic()
            said = json.loads(line)
            self.troubles += said.pop("troubles", [])
            self.counts.update(said)


def _where(process: subprocess.Popen[str]) -> str:
    """Ends it; the call it was in."""
    process.send_signal(signal.SIGABRT)
    assert process.stderr is not None
    stack = [line.split("/")[-1] for line in process.stderr.read().splitlines() if "  File " in line]
    return f"silent in {stack[:2]}"


def tell(**said: object) -> None:
    print(json.dumps(said), flush=True)


class Chain:
    """What runs in the process."""

    def __init__(self, bootstrap: str, source: str, target: str, number: str, seed: str) -> None:
        self._draw = random.Random(f"{seed}/{number}")
        self._source = source
        self._target = target
        self._reading = {
            "bootstrap.servers": bootstrap,
            "group.id": f"{target}-processors",
            "isolation.level": "read_committed",
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
            "session.timeout.ms": 6_000,
            "fetch.wait.max.ms": 100,
            **QUIET,
        }
        self._writing = {
            "bootstrap.servers": bootstrap,
            "transactional.id": f"{target}-{number}",
            "transaction.timeout.ms": TRANSACTION_MS,
            "message.timeout.ms": TRANSACTION_MS,
            "linger.ms": 1,
            **QUIET,
        }

    def run(self) -> None:
        while True:
            consumer, producer = Consumer(self._reading), Producer(self._writing)
            try:
                self._session(consumer, producer)
            except KafkaException as trouble:
                tell(sessions=1, troubles=[str(trouble)])
            finally:
                consumer.close()

    def _session(self, consumer: Consumer, producer: Producer) -> None:
        """Until something cannot be mended."""
        producer.init_transactions(2 * _STEP_SECONDS)
        consumer.subscribe([self._source])
        while True:
            got = consumer.consume(self._draw.randrange(1, _READ_MAX), timeout=0.2)
            messages = [message for message in got if message.error() is None]
            if not messages:
                tell()
                continue
            fate = self._draw.random()
            try:
                self._copy(consumer, producer, messages)
                if fate < _CRASH_RATE:
                    tell(crashes=1)
                    os.kill(os.getpid(), signal.SIGKILL)
                if fate < _ABORT_RATE:
                    self._abort(consumer, producer)
                    continue
                self._commit(producer)
            except KafkaException as trouble:
                if not trouble.args[0].txn_requires_abort():
                    raise
                tell(troubles=[str(trouble)])
                self._abort(consumer, producer)
                continue
            tell(committed=1, records=len(messages))

    def _copy(self, consumer: Consumer, producer: Producer, messages: Sequence[Message]) -> None:
        ends: dict[int, int] = {}
        producer.begin_transaction()
        for message in messages:
            producer.produce(self._target, message.value(), message.key(), message.partition())
            ends[message.partition()] = message.offset() + 1
        offsets = [TopicPartition(self._source, partition, end) for partition, end in ends.items()]
        metadata = consumer.consumer_group_metadata()
        producer.send_offsets_to_transaction(offsets, metadata, _STEP_SECONDS)

    def _commit(self, producer: Producer) -> None:
        for attempt in range(3):
            try:
                producer.commit_transaction(_STEP_SECONDS)
            except KafkaException as trouble:
                if attempt == 2 or not trouble.args[0].retriable():
                    raise
            else:
                return

    def _abort(self, consumer: Consumer, producer: Producer) -> None:
        """And go back to what is committed."""
        producer.abort_transaction(_STEP_SECONDS)
        tell(aborted=1)
        assigned = consumer.assignment()
        for place in consumer.committed(assigned, timeout=_STEP_SECONDS) if assigned else []:
            if place.error is not None:
                raise KafkaException(place.error)
            offset = place.offset if place.offset >= 0 else OFFSET_BEGINNING
            consumer.seek(TopicPartition(place.topic, place.partition, offset))


if __name__ == "__main__":
    Chain(*sys.argv[1:]).run()
